//! Who wins disjunctive sums under misère play, and their genera.
//!
//! A sum of [tame](Genus::is_tame) components has the genus of the sum of positions of Nim that have the genera of the
//! components (*Winning Ways*, chapter 13). So tame components cost little. Other sums are played out, up to a number of
//! moves. Who wins a sum of heaps of one game its [quotient](crate::quotient) says, too.

use std::collections::HashMap;

use cggames::game::heap::HeapGame;
use cggames::game::impartial::Component;

use crate::Genus;
use crate::quotient::{QuotientLimits, QuotientSolver};

/// The most moves that are made to find a genus, from the components and from sums that are not of tame components alone.
///
/// A million takes some seconds, and at most some 100 MiB.
pub const MISERE_MOVES_MAX: usize = 1 << 20;

/// What has been found of components under misère play.
///
/// ```
/// use cggames::game::impartial::Sum;
/// use cgsolvers::sums::MisereSums;
///
/// let mut sums = MisereSums::default();
/// let mut genus = |text: &str| -> Result<Option<String>, Box<dyn std::error::Error>> {
///     let sum: Sum = text.parse()?;
///     let components: Vec<_> = sum.components().cloned().collect();
///     Ok(sums.genus(&components).map(|genus| genus.to_string()))
/// };
/// assert_eq!(genus("nim(2) + nim(2)")?.as_deref(), Some("0^02"));
/// assert_eq!(genus("kayles(4) + nim(1)")?.as_deref(), Some("0^120"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct MisereSums {
    /// Components that take too many positions have none.
    alone: HashMap<Component, Option<Genus>>,
    quotients: HashMap<HeapGame, QuotientSolver>,
}

impl MisereSums {
    /// Returns the genus of a sum of components, or `None` if it, or one of them, takes more than [`MISERE_MOVES_MAX`] moves. The
    /// answer does not depend on the sums asked about before.
    ///
    /// Cost: for each tame component that is new, its options and their components; for a sum with another one, the
    /// positions that can be reached.
    pub fn genus(&mut self, components: &[Component]) -> Option<Genus> {
        for component in components {
            if !self.alone.contains_key(component) {
                let found = PlayedOut::default().genus(vec![component.clone()]);
                self.alone.insert(component.clone(), found);
            }
        }
        let alone = components
            .iter()
            .map(|component| self.alone[component].as_ref());
        let alone: Vec<&Genus> = alone.collect::<Option<_>>()?;
        Genus::of_tame_sum(&alone).or_else(|| PlayedOut::default().genus(components.to_vec()))
    }

    /// Returns whether the player to move wins a sum of components: by the quotient, if they are heaps of one game, or else by
    /// the [genus](Self::genus). Returns `None` if it has no genus, and the quotient is beyond the default
    /// [limits](QuotientLimits).
    ///
    /// ```
    /// use cggames::game::impartial::Component;
    /// use cgsolvers::sums::MisereSums;
    ///
    /// let rows = [Component::kayles(40)?, Component::kayles(41)?];
    /// let mut sums = MisereSums::default();
    /// assert_eq!((sums.is_n(&rows), sums.genus(&rows)), (Some(true), None));
    /// # Ok::<(), cggames::game::impartial::ComponentError>(())
    /// ```
    pub fn is_n(&mut self, components: &[Component]) -> Option<bool> {
        let by_quotient = self.by_quotient(components);
        by_quotient.or_else(|| Some(self.genus(components)?.misere_nim_value() != 0))
    }

    fn by_quotient(&mut self, components: &[Component]) -> Option<bool> {
        let components = alive(components.to_vec());
        let mut heaps = components.iter().map(heap);
        let (game, first) = heaps.next()??;
        let mut sum = vec![first];
        for other in heaps {
            let (own, heap) = other?;
            (own == game).then(|| sum.push(heap))?;
        }
        let solver = self.quotients.entry(game);
        let solver =
            solver.or_insert_with_key(|game| QuotientSolver::new(game, QuotientLimits::default()));
        solver.reach(sum.iter().copied().max()?);
        solver.is_n(&sum)
    }
}

/// The component as a heap of a game, if it is one.
fn heap(component: &Component) -> Option<(HeapGame, usize)> {
    match component {
        Component::Heap(game, tokens) => Some((game.clone(), *tokens)),
        Component::Kayles(pins) => Some(("kayles".parse().ok()?, *pins as usize)),
        _ => None,
    }
}

/// The genera of components, and of sums that are not of tame components alone.
#[derive(Default)]
struct PlayedOut {
    known: HashMap<Vec<Component>, Genus>,
    /// The moves made.
    moves: usize,
}

/// A position being valued, and those that it depends on.
struct Open {
    position: Vec<Component>,
    /// Empty until the components have been valued.
    options: Vec<Vec<Component>>,
    /// The number of options known to have a genus.
    done: usize,
}

impl PlayedOut {
    fn genus(mut self, root: Vec<Component>) -> Option<Genus> {
        let root = alive(root);
        let open = |position| Open {
            position,
            options: Vec::new(),
            done: 0,
        };
        let mut path = vec![open(root.clone())];
        while let Some(top) = path.last_mut() {
            if let Some(alone) = self.unknown_component(&top.position) {
                path.push(open(vec![alone]));
                continue;
            }
            if self.of(&top.position).is_some() {
                path.pop();
                continue;
            }
            if top.options.is_empty() {
                top.options = options(&top.position);
                self.moves += top.options.len();
                if self.moves > MISERE_MOVES_MAX {
                    return None;
                }
            }
            let is_known = |option: &&Vec<Component>| {
                self.unknown_component(option).is_none() && self.of(option).is_some()
            };
            top.done += top.options[top.done..].iter().take_while(is_known).count();
            if let Some(option) = top.options.get(top.done).cloned() {
                path.push(open(option));
                continue;
            }
            let genera = top.options.iter().map(|option| self.of(option));
            let genera: Vec<Genus> = genera.collect::<Option<_>>().expect("all are known now");
            let genus = Genus::of_options(&genera.iter().collect::<Vec<_>>());
            let position = path.pop().expect("the last one").position;
            self.known.insert(position, genus);
        }
        self.of(&root)
    }

    /// A component that has not been valued alone, if the position has several.
    fn unknown_component(&self, position: &[Component]) -> Option<Component> {
        let mut components = position.iter().filter(|_| position.len() > 1);
        let unknown =
            components.find(|component| !self.known.contains_key(std::slice::from_ref(*component)));
        unknown.cloned()
    }

    /// The genus of a position, if it is known or that of a sum of tame components, all of which have been valued.
    fn of(&self, position: &[Component]) -> Option<Genus> {
        if let Some(known) = self.known.get(position) {
            return Some(known.clone());
        }
        let alone = position
            .iter()
            .map(|component| self.known.get(std::slice::from_ref(component)));
        let alone: Vec<&Genus> = alone.collect::<Option<_>>()?;
        match position {
            [_] => None,
            _ => Genus::of_tame_sum(&alone),
        }
    }
}

/// Removes components of which nothing is left, and sorts the others.
fn alive(mut position: Vec<Component>) -> Vec<Component> {
    // PERF: the options of a large heap are many, and a small one without moves does no harm.
    position.retain(|component| match component {
        Component::Kayles(pins) => *pins > 0,
        Component::Heap(_, tokens) => *tokens > 0,
        Component::Wythoff(square) => square.x + square.y > 0,
        other => !other.options().is_empty(),
    });
    position.sort_unstable();
    position
}

/// The options of a sum, each once; those of smaller components first, so that few positions wait for others.
fn options(position: &[Component]) -> Vec<Vec<Component>> {
    let mut options = Vec::new();
    for (place, component) in position.iter().enumerate() {
        if place > 0 && position[place - 1] == *component {
            continue;
        }
        for parts in component.options() {
            let mut option = position.to_vec();
            option.remove(place);
            option.extend(parts);
            options.push(alive(option));
        }
    }
    options.sort_unstable_by(|g, h| g.iter().rev().cmp(h.iter().rev()));
    options.dedup();
    options
}

#[cfg(test)]
mod tests {
    use cggames::game::Convention;
    use cggames::game::impartial::Sum;

    use super::*;
    use crate::sums::play_disjunctive;

    fn components(text: &str) -> Vec<Component> {
        let sum: Sum = text.parse().unwrap();
        sum.components().cloned().collect()
    }

    #[test]
    fn sums_are_won_as_they_are_played() {
        let mut random = fastrand::Rng::with_seed(13);
        let mut sums = MisereSums::default();
        let codes = [
            "0.77", "0.123", "0.75", "0.3", "0.07", "0.4", "0.44", "0.7", "0.17",
        ];
        let mut wild = 0;
        for _ in 0..400 {
            let count = random.usize(1..=3);
            let one = |random: &mut fastrand::Rng| match random.usize(..4) {
                0 => format!("nim({})", random.u32(0..4)),
                1 => format!("kayles({})", random.u32(0..7)),
                2 => format!("wythoff({}, {})", random.u32(0..3), random.u32(0..3)),
                _ => format!(
                    "{}({})",
                    codes[random.usize(..codes.len())],
                    random.u32(0..8)
                ),
            };
            let text: Vec<String> = (0..count).map(|_| one(&mut random)).collect();
            let text = text.join(" + ");
            let Ok(played) = play_disjunctive(&text.parse().unwrap()) else {
                continue;
            };
            let genus = sums.genus(&components(&text)).expect("a small sum");
            let found = [genus.nim_value() != 0, genus.misere_nim_value() != 0];
            let expected = Convention::ALL.map(|convention| played.is_n(convention));
            assert_eq!(found, expected, "{text} {genus}");
            wild += usize::from(!genus.is_tame());
        }
        assert!(wild > 50, "{wild}");
    }

    #[test]
    fn large_sums_have_none_soon_and_large_tame_heaps_have_one() {
        let mut sums = MisereSums::default();
        for text in [
            "kayles(10000)",
            "kayles(60) + kayles(61)",
            "wythoff(200,300)",
        ] {
            assert_eq!(sums.genus(&components(text)), None, "{text}");
        }
        // Whoever takes from 10,000 tokens, one or two at a time, plays on a heap of 0, * or *2.
        let genus = sums.genus(&components("subtraction(1,2)(10000)")).unwrap();
        assert_eq!(genus.to_string(), "1^031");
    }

    #[test]
    fn the_genera_of_heaps_of_kayles_are_those_published() {
        // Winning Ways, chapter 13, table of taking and breaking games: 0.77.
        let mut sums = MisereSums::default();
        let genera: Vec<String> = (0..=9)
            .map(|pins| {
                let pins = [Component::kayles(pins).unwrap()];
                sums.genus(&pins).unwrap().to_string()
            })
            .collect();
        let expected = ["0^120", "1^031", "2^20", "3^31", "1^031", "4^146"];
        assert_eq!(genera[..6], expected);
    }
}
