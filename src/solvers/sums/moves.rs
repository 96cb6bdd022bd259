//! Moves in sums, and the resulting positions.

use std::collections::BTreeSet;
use std::fmt;

use cggames::game::SumKind;
use cggames::game::impartial::{Component, Sum};

/// A move in one component of a sum.
///
/// It is written `kayles(5) -> kayles(1) + kayles(3)`, or `kayles(1) -> 0` if nothing is left.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SumMove {
    /// The group of the component, from 0.
    pub group: usize,
    /// The component's place in its group, from 0.
    pub place: usize,
    /// The component.
    pub component: Component,
    /// The components that replace it.
    pub leaves: Vec<Component>,
}

impl SumMove {
    /// Returns the obligated sum after this move: its result is finished first, then the rest.
    ///
    /// ```
    /// use cggames::game::Convention;
    /// use cgsolvers::sums::{ComponentValues, ObligatedSum};
    /// use cggames::game::impartial::Sum;
    ///
    /// let sum: Sum = "kayles(4) + nim(3,3)".parse()?;
    /// let analysis = ObligatedSum::new(&sum, &mut ComponentValues::new());
    /// let best = analysis.winning_moves(Convention::Normal).next().expect("there is one");
    /// assert_eq!(best.to_string(), "kayles(4) -> kayles(1) + kayles(1)");
    /// assert_eq!(best.obliged(&sum).to_string(), "kayles(1) + kayles(1) > nim(3,3)");
    /// # Ok::<(), cggames::game::impartial::SumError>(())
    /// ```
    pub fn obliged(&self, sum: &Sum) -> Sum {
        let mut groups = vec![self.leaves.clone()];
        for (group, components) in sum.groups().iter().enumerate().skip(self.group) {
            let mut components = components.clone();
            if group == self.group {
                components.remove(self.place);
            }
            if !components.is_empty() {
                groups.push(components);
            }
        }
        Sum::of_groups(groups)
    }

    /// Returns the sum after this move, of components that are added in some way.
    pub fn after(&self, sum: &Sum, added: SumKind) -> Sum {
        match added {
            SumKind::Disjunctive => self.free(sum),
            SumKind::Obligated => self.obliged(sum),
        }
    }

    /// Returns the legal moves in a sum, component by component, each once: in an obligated sum those in the first group in
    /// which a move is left, in a disjunctive sum all.
    ///
    /// ```
    /// use cgsolvers::sums::SumMove;
    /// use cggames::game::SumKind;
    /// use cggames::game::impartial::Sum;
    ///
    /// let sum: Sum = "nim(0) > kayles(2) > nim(1)".parse()?;
    /// let moves = SumMove::all(&sum, SumKind::Obligated);
    /// let moves: Vec<String> = moves.iter().map(ToString::to_string).collect();
    /// assert_eq!(moves, ["kayles(2) -> kayles(1)", "kayles(2) -> 0"]);
    /// # Ok::<(), cggames::game::impartial::SumError>(())
    /// ```
    pub fn all(sum: &Sum, added: SumKind) -> Vec<SumMove> {
        let mut found = Vec::new();
        for (group, components) in sum.groups().iter().enumerate() {
            for (place, component) in components.iter().enumerate() {
                let options = options(component).into_iter();
                found.extend(options.map(|leaves| SumMove {
                    group,
                    place,
                    component: component.clone(),
                    leaves,
                }));
            }
            if added == SumKind::Obligated && !found.is_empty() {
                break;
            }
        }
        found
    }

    /// Returns the components that replace the component, as a sum.
    pub fn option(&self) -> Sum {
        Sum::new(self.leaves.iter().cloned())
    }

    /// Returns the disjunctive sum after this move, in which any component may be played next.
    pub fn free(&self, sum: &Sum) -> Sum {
        let mut components: Vec<Component> = sum.components().cloned().collect();
        let before: usize = sum.groups()[..self.group].iter().map(Vec::len).sum();
        let place = before + self.place;
        components.splice(place..=place, self.leaves.iter().cloned());
        Sum::new(components)
    }
}

impl fmt::Display for SumMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} -> {}", self.component, self.option())
    }
}

/// Returns the options of a component, each once, in the order of the rules.
fn options(component: &Component) -> Vec<Vec<Component>> {
    let mut found = component.options();
    // The options of a heap differ.
    if !matches!(component, Component::Heap(..)) {
        let mut seen = BTreeSet::new();
        found.retain(|parts| {
            let mut key = parts.clone();
            key.sort_unstable();
            seen.insert(key)
        });
    }
    found
}
