//! Onsides and offsides.

use foldhash::fast::RandomState;
use hashbrown::HashMap;

use super::calculator::{LoopyCalculator, LoopyError};
use super::graph::{LoopyGraph, Target};
use super::intern::short_options;
use super::name::LoopyName;
use super::order::{Infinite, Order};
use super::simplify::simplified;
use super::stopper::{Sides, Stopper};

/// The rounds of sidling after which bounds that did not come to rest are given up.
const ROUNDS_MAX: usize = 32;

/// The most nodes of a small part.
const SMALL_MAX: usize = 64;

/// The most nodes that are compared in pairs, since that takes time and memory for the square of their number.
const NODES_MAX: usize = 1 << 7;

impl LoopyCalculator<'_> {
    /// Returns the sides of each node of a graph; `None` where one was not found to be a stopper.
    ///
    /// Cost: comparisons of pairs of nodes of a strongly connected component and of their followers outside, or
    /// for large components rounds of canonical forms of their nodes.
    ///
    /// # Errors
    ///
    /// When a form cannot be stored or a comparison has too many pairs.
    pub fn sides(&mut self, graph: &LoopyGraph) -> Result<Vec<Option<Sides>>, LoopyError> {
        let onsides = self.onsides(graph)?;
        let offsides = self.offsides(graph)?;
        let both = onsides.into_iter().zip(offsides);
        Ok(both
            .map(|(onside, offside)| Sides::of(onside, offside))
            .collect())
    }

    /// Returns the onside of a node of a graph, and the offside that it has in another one.
    pub(super) fn sides_of(
        &mut self,
        onsides: &LoopyGraph,
        offsides: &LoopyGraph,
        node: u32,
    ) -> Result<Option<Sides>, LoopyError> {
        let onside = self.onsides(onsides)?[node as usize];
        let offside = self.offsides(offsides)?[node as usize];
        Ok(Sides::of(onside, offside))
    }

    /// Returns the offside of each node of a graph: the negative of the onside of the negative; `None` where none was found.
    ///
    /// # Errors
    ///
    /// As [`sides`](LoopyCalculator::sides).
    pub fn offsides(&mut self, graph: &LoopyGraph) -> Result<Vec<Option<Stopper>>, LoopyError> {
        let negated = self.negated(graph);
        let onsides = self.onsides(&negated)?;
        Ok(onsides
            .into_iter()
            .map(|onside| onside.map(|onside| self.negative(onside)))
            .collect())
    }

    /// Returns the onside of each node of a graph; `None` where none was found.
    ///
    /// # Errors
    ///
    /// As [`sides`](LoopyCalculator::sides).
    pub fn onsides(&mut self, graph: &LoopyGraph) -> Result<Vec<Option<Stopper>>, LoopyError> {
        let mut found: Vec<Option<Stopper>> = vec![None; graph.len()];
        for component in graph.components() {
            // So the value of a position depends on its followers alone, and not on those of others in the graph.
            let Some(part) = graph.part(&component, &found) else {
                continue;
            };
            if let Some(forms) = self.onsides_of_part(&part)? {
                for (&node, form) in component.iter().zip(forms) {
                    found[node as usize] = Some(form);
                }
            }
        }
        Ok(found)
    }

    /// Returns the onsides of a part: of a small one by simplification, and of a larger one by sidling, whose cost grows with the
    /// number of moves and not of pairs; each by the other way if that fails.
    fn onsides_of_part(&mut self, part: &LoopyGraph) -> Result<Option<Vec<Stopper>>, LoopyError> {
        let is_small = part.len() <= SMALL_MAX;
        if is_small && let Some(forms) = self.simplified_onsides(part)? {
            return Ok(Some(forms));
        }
        if let Some(forms) = self.sidled(part)? {
            return Ok(Some(forms));
        }
        match is_small || part.len() > NODES_MAX {
            true => Ok(None),
            false => self.simplified_onsides(part),
        }
    }

    /// Returns the onsides of a part by simplification, unless that finds none or compares too many pairs.
    fn simplified_onsides(
        &mut self,
        part: &LoopyGraph,
    ) -> Result<Option<Vec<Stopper>>, LoopyError> {
        let found = match part.has_alternating_cycle() {
            false => self.canonical(part).map(Some),
            true => self.simplified_to_stoppers(part),
        };
        match found {
            Err(LoopyError::States(_)) => Ok(None),
            found => found,
        }
    }

    /// Returns the onsides of a part that has infinite alternating plays, if simplification ends with stoppers. Which options stay
    /// where several could is decided by the order of the nodes. So that equal parts have equal onsides, the nodes are put in an
    /// order that does not depend on their numbers; if it fails, the reverse is tried.
    fn simplified_to_stoppers(
        &mut self,
        part: &LoopyGraph,
    ) -> Result<Option<Vec<Stopper>>, LoopyError> {
        let hashes = self.refined(part);
        let mut nodes: Vec<u32> = (0..part.len() as u32).collect();
        nodes.sort_by_key(|&node| hashes[node as usize]);
        for is_reversed in [false, true] {
            if is_reversed {
                nodes.reverse();
            }
            let ordered = part.part(&nodes, &[]).expect("all nodes are in it");
            let mut order = Order::new(&ordered, Infinite::InFirst);
            let graph = simplified(self, &mut order)?;
            if graph.has_alternating_cycle() {
                continue;
            }
            let forms = self.canonical(&graph)?;
            if self.are_onsides(&mut order, &forms)? {
                let mut found = forms.clone();
                for (&node, form) in nodes.iter().zip(forms) {
                    found[node as usize] = form;
                }
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    /// Returns whether the nodes of a graph have these onsides.
    fn are_onsides(
        &mut self,
        order: &mut Order<'_>,
        forms: &[Stopper],
    ) -> Result<bool, LoopyError> {
        for (node, &form) in (0..).zip(forms) {
            let (node, form) = (Target::Node(node), Target::Form(form));
            if !(order.ge(self, node, form)? && order.ge(self, form, node)?) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Returns the onsides of a graph by sidling: upper bounds that begin with `on` and are replaced by the games of the bounds
    /// of their options until they come to rest. `None` if they do not within [`ROUNDS_MAX`] rounds.
    ///
    /// Bounds at rest are the onsides: against their negatives, Left moves as Right did in the other component, and so moves in
    /// the graph for ever if play does not end. Source: the Sidling Theorem, *Winning Ways*, chapter 11.
    pub(super) fn sidled(&mut self, part: &LoopyGraph) -> Result<Option<Vec<Stopper>>, LoopyError> {
        let on = self.named(LoopyName::On)?;
        let mut bounds = vec![on; part.len()];
        let mut games: HashMap<[Vec<Stopper>; 2], Stopper, RandomState> = HashMap::default();
        for _ in 0..ROUNDS_MAX {
            let mut next = Vec::with_capacity(bounds.len());
            for node in 0..part.len() as u32 {
                self.step()?;
                let options = part.options(node).clone().map(|targets| {
                    let bound = |target| match target {
                        Target::Node(node) => bounds[node as usize],
                        Target::Form(form) => form,
                    };
                    let mut options: Vec<Stopper> = targets.into_iter().map(bound).collect();
                    options.sort_unstable();
                    options.dedup();
                    options
                });
                next.push(match games.get(&options) {
                    Some(&bound) => bound,
                    None => match self.game_of(&options) {
                        Ok(bound) => *games.entry(options).insert(bound).get(),
                        Err(LoopyError::States(_)) => return Ok(None),
                        Err(error) => return Err(error),
                    },
                });
            }
            if next == bounds {
                return Ok(Some(bounds));
            }
            bounds = next;
        }
        Ok(None)
    }

    /// Returns the stopper with some options.
    fn game_of(&mut self, options: &[Vec<Stopper>; 2]) -> Result<Stopper, LoopyError> {
        let mut game = LoopyGraph::default();
        let node = game.node();
        game.set(
            node,
            options
                .clone()
                .map(|options| options.into_iter().map(Target::Form).collect()),
        );
        Ok(self.canonical(&game)?[0])
    }

    /// Returns the canonical forms of the nodes of a stopper.
    pub(super) fn canonical(&mut self, graph: &LoopyGraph) -> Result<Vec<Stopper>, LoopyError> {
        if let Some([mut left, mut right]) = short_options(graph) {
            let value = self.calculator.canonical(&mut left, &mut right)?;
            return Ok(vec![Stopper::Short(value)]);
        }
        let mut order = Order::new(graph, Infinite::Survived);
        let simple = simplified(self, &mut order)?;
        // Of equal nodes the first stands for all, unless a stored form among their followers equals them.
        let forms = self.loopy_followers(&simple);
        let mut classes: Vec<u32> = Vec::new();
        let mut class_of = Vec::with_capacity(graph.len());
        for node in 0..graph.len() as u32 {
            let known = forms.iter().map(|&form| Target::Form(form));
            let known: Vec<Target> = known
                .chain(classes.iter().map(|&node| Target::Node(node)))
                .collect();
            let mut class = None;
            for other in known {
                if order.ge(self, Target::Node(node), other)?
                    && order.ge(self, other, Target::Node(node))?
                {
                    class = Some(other);
                    break;
                }
            }
            class_of.push(match class {
                Some(Target::Node(first)) => class_of[first as usize],
                Some(form) => form,
                None => {
                    classes.push(node);
                    Target::Node(classes.len() as u32 - 1)
                }
            });
        }
        let fused = simple.mapped(&classes, |target| match target {
            Target::Node(node) => Some(class_of[node as usize]),
            form => Some(form),
        });
        let fused = fused.expect("every node has a class");
        let stored = self.store(&fused)?;
        let form = |target| match target {
            Target::Form(form) => form,
            Target::Node(class) => stored[class as usize],
        };
        Ok(class_of.into_iter().map(form).collect())
    }

    /// Returns the loopy followers of the forms that are options in a graph.
    fn loopy_followers(&self, graph: &LoopyGraph) -> Vec<Stopper> {
        let mut found = Vec::new();
        for node in 0..graph.len() as u32 {
            for target in graph.options(node).iter().flatten() {
                if let Target::Form(form @ Stopper::Loopy(_)) = *target
                    && !found.contains(&form)
                {
                    let followers = self.followers(form).into_iter();
                    found
                        .extend(followers.filter(|follower| matches!(follower, Stopper::Loopy(_))));
                }
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }
}
