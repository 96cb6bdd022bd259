//! Games as graphs: nodes with options for Left and for Right, among which there may be cycles.

use foldhash::fast::RandomState;
use hashbrown::HashMap;

use super::stopper::Stopper;

/// A player, as the place of this player's options.
pub(super) const LEFT: usize = 0;
pub(super) const RIGHT: usize = 1;
pub(super) const BOTH: [usize; 2] = [LEFT, RIGHT];

/// An option of a node: another node of the graph, or a stopper in canonical form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Target {
    /// A stopper.
    Form(Stopper),
    /// The node with this number.
    Node(u32),
}

/// A game whose play need not end, as a finite graph.
///
/// ```
/// use cgvalues::{Arena, LoopyCalculator, LoopyGraph, Stopper, Target, ValueId};
///
/// // over = {0|over}.
/// let mut graph = LoopyGraph::default();
/// let over = graph.node();
/// graph.set(over, [vec![Target::Form(Stopper::Short(ValueId::ZERO))], vec![Target::Node(over)]]);
/// let arena = Arena::new();
/// let mut c = LoopyCalculator::new(&arena);
/// let sides = c.sides(&graph)?[over as usize].unwrap();
/// assert_eq!(c.text(sides, 100).as_deref(), Some("over"));
/// # Ok::<(), cgvalues::LoopyError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct LoopyGraph {
    nodes: Vec<[Vec<Target>; 2]>,
}

impl LoopyGraph {
    /// Adds a node without options and returns its number.
    ///
    /// # Panics
    ///
    /// If there are 2^32 nodes already.
    pub fn node(&mut self) -> u32 {
        let number = u32::try_from(self.nodes.len()).expect("a graph has less than 2^32 nodes");
        self.nodes.push([Vec::new(), Vec::new()]);
        number
    }

    /// Gives a node Left's options and Right's.
    ///
    /// # Panics
    ///
    /// If there is no such node.
    pub fn set(&mut self, node: u32, options: [Vec<Target>; 2]) {
        self.nodes[node as usize] = options.map(|mut options| {
            options.sort_unstable();
            options.dedup();
            options
        });
    }

    /// Returns the number of nodes.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Returns whether there are no nodes.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Returns the options of a node, Left's and Right's, each in increasing order.
    ///
    /// # Panics
    ///
    /// If there is no such node.
    pub fn options(&self, node: u32) -> &[Vec<Target>; 2] {
        &self.nodes[node as usize]
    }

    /// Returns a graph of some nodes, in this order, whose options are replaced; `None` if one has no replacement.
    pub(super) fn mapped(
        &self,
        nodes: &[u32],
        mut replacement: impl FnMut(Target) -> Option<Target>,
    ) -> Option<LoopyGraph> {
        let mut mapped = LoopyGraph::default();
        for &node in nodes {
            let mut options = [Vec::new(), Vec::new()];
            for player in BOTH {
                let targets = self.options(node)[player].iter();
                let replaced = targets.map(|&target| replacement(target));
                options[player] = replaced.collect::<Option<_>>()?;
            }
            let at = mapped.node();
            mapped.set(at, options);
        }
        Some(mapped)
    }

    /// Returns some nodes as a graph of their own, in this order; options outside are replaced by their stoppers. `None` if one
    /// has none.
    pub(super) fn part(&self, nodes: &[u32], found: &[Option<Stopper>]) -> Option<LoopyGraph> {
        let places: HashMap<u32, u32, RandomState> = nodes.iter().copied().zip(0..).collect();
        self.mapped(nodes, |target| match target {
            Target::Node(node) => match places.get(&node) {
                Some(&place) => Some(Target::Node(place)),
                None => found[node as usize].map(Target::Form),
            },
            form => Some(form),
        })
    }

    /// Exchanges the players.
    pub(super) fn turned(mut self) -> LoopyGraph {
        self.nodes.iter_mut().for_each(|options| options.reverse());
        self
    }

    /// Returns whether some infinite play alternates between the players, from a node on.
    pub(super) fn has_alternating_cycle(&self) -> bool {
        // The states are the nodes with a player to move; those without options to unfinished states are taken away.
        let place = |node: u32, to_move: usize| node as usize * 2 + to_move;
        let mut before = vec![Vec::new(); self.len() * 2];
        let mut moves = vec![0; self.len() * 2];
        for node in 0..self.len() as u32 {
            for to_move in BOTH {
                for target in &self.options(node)[to_move] {
                    if let Target::Node(next) = *target {
                        before[place(next, 1 - to_move)].push(place(node, to_move));
                        moves[place(node, to_move)] += 1;
                    }
                }
            }
        }
        let mut ends: Vec<usize> = (0..moves.len())
            .filter(|&state| moves[state] == 0)
            .collect();
        let mut finished = 0;
        while let Some(state) = ends.pop() {
            finished += 1;
            for &earlier in &before[state] {
                moves[earlier] -= 1;
                if moves[earlier] == 0 {
                    ends.push(earlier);
                }
            }
        }
        finished < moves.len()
    }

    /// Returns the strongly connected components, each after those that it has options in. Source: Tarjan, "Depth-first
    /// search and linear graph algorithms" (1972), without recursion.
    pub(super) fn components(&self) -> Vec<Vec<u32>> {
        const UNSEEN: u32 = u32::MAX;
        let successors: Vec<Vec<u32>> = self
            .nodes
            .iter()
            .map(|options| {
                let nodes = options.iter().flatten().filter_map(|target| match *target {
                    Target::Node(next) => Some(next),
                    Target::Form(_) => None,
                });
                nodes.collect()
            })
            .collect();
        let mut order = vec![UNSEEN; self.len()];
        let mut low = vec![0; self.len()];
        let mut is_open = vec![false; self.len()];
        let (mut open, mut found, mut count) = (Vec::new(), Vec::new(), 0);
        let mut path: Vec<(u32, usize)> = Vec::new();
        for root in 0..self.len() as u32 {
            if order[root as usize] != UNSEEN {
                continue;
            }
            path.push((root, 0));
            while let Some((node, next)) = path.pop() {
                let at = node as usize;
                if next == 0 {
                    (order[at], low[at]) = (count, count);
                    count += 1;
                    open.push(node);
                    is_open[at] = true;
                } else {
                    low[at] = low[at].min(low[successors[at][next - 1] as usize]);
                }
                let rest = (next..).zip(&successors[at][next..]);
                let mut unseen = None;
                for (step, &successor) in rest {
                    let there = successor as usize;
                    if order[there] == UNSEEN {
                        unseen = Some((step + 1, successor));
                        break;
                    }
                    if is_open[there] {
                        low[at] = low[at].min(order[there]);
                    }
                }
                if let Some((step, successor)) = unseen {
                    path.push((node, step));
                    path.push((successor, 0));
                    continue;
                }
                if low[at] == order[at] {
                    let start = open.iter().rposition(|&other| other == node);
                    let component = open.split_off(start.expect("an open node is on the stack"));
                    component
                        .iter()
                        .for_each(|&other| is_open[other as usize] = false);
                    found.push(component);
                }
            }
        }
        found
    }
}
