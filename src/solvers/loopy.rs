//! Values of loopy positions: those with a cycle among their followers.
//!
//! The loopy followers of a position are gathered as a graph; its other followers have values already. In partisan play the
//! graph's nodes have [sides](cgvalues::Sides). In impartial play they have the values of Smith and Fraenkel: the nim-value of a
//! heap, or `oo(a,b,...)`: play from it can go on for ever, and a, b, ... are the nim-values of its options that have one.
//!
//! Sources: Smith, "Graphs and composite games" (1966); Fraenkel and Perl, "Constructions in combinatorial games with cycles"
//! (1975); *Winning Ways*, chapter 12.

use std::hash::Hash;

use cggames::board::Key;
use cggames::game::{Play, Player, Ruleset};
use cgvalues::{LoopyCalculator, LoopyError, LoopyGraph, Sides, Stopper, Target};
use hashbrown::HashMap;

use super::{
    CanonicalForms, Control, Engine, EngineError, Formed, LOOPY, NimValues, Search, StopReason,
    Word,
};

/// The value of a loopy position.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum LoopyValue {
    /// Its sides, in partisan play.
    Sides(Sides),
    /// The nim-value of a heap that it equals, in impartial play.
    Nim(u32),
    /// `oo(a,b,...)`: the nim-values of its options with finite ones, ascending, in impartial play.
    Infinite(Vec<u32>),
    /// No stopper was found for a side, or comparing its followers takes too much memory.
    Unknown,
}

impl LoopyValue {
    /// Returns the value as that of a game that ends, if it is one.
    pub fn word(&self) -> Option<Word> {
        match self {
            LoopyValue::Sides(sides) => match sides.stopper()? {
                Stopper::Short(value) => Some(CanonicalForms::word(value)),
                Stopper::Loopy(_) => None,
            },
            LoopyValue::Nim(heap) => Some(NimValues::word(*heap)),
            LoopyValue::Infinite(_) | LoopyValue::Unknown => None,
        }
    }
}

/// Writes `oo(a,b,...)`.
pub fn infinite_text(heaps: &[u32]) -> String {
    let heaps: Vec<String> = heaps.iter().map(u32::to_string).collect();
    format!("oo({})", heaps.join(","))
}

/// The values of loopy positions found so far.
pub struct LoopyValues<'a, P> {
    play: Play,
    calculator: LoopyCalculator<'a>,
    control: &'a Control,
    found: HashMap<P, LoopyValue, foldhash::fast::RandomState>,
}

/// An option in a graph: a node, or a value.
enum Edge {
    Node(u32),
    Value(Word),
    Loopy(LoopyValue),
}

impl<'a, P: Clone + Eq + Hash> LoopyValues<'a, P> {
    /// Returns no values so far, of a valuation's positions.
    pub fn new(valuation: &'a impl Formed, control: &'a Control) -> LoopyValues<'a, P> {
        let mut calculator = LoopyCalculator::new(valuation.arena());
        calculator.watch(move || control.stopped().is_none());
        LoopyValues {
            play: valuation.play(),
            calculator,
            control,
            found: HashMap::default(),
        }
    }

    /// Returns the calculator of the sides.
    pub fn calculator(&mut self) -> &mut LoopyCalculator<'a> {
        &mut self.calculator
    }

    /// Returns the value of a loopy position. `value` returns the value of a position, or `None` if it is loopy; `options` fills
    /// in the options for Left and for Right, or all of them for Left in impartial play; `name` names the position in errors.
    ///
    /// Finds and stores the values of its loopy followers, too. Cost: a look at each of their moves, and comparisons of pairs of
    /// them; see [`LoopyCalculator::sides`].
    ///
    /// # Errors
    ///
    /// Those of the two functions; if a form cannot be stored, or the work was stopped.
    pub fn value<V: Formed>(
        &mut self,
        root: &P,
        name: impl FnOnce() -> String,
        mut value: impl FnMut(&P) -> Result<Option<Word>, EngineError>,
        mut options: impl FnMut(&P, &mut [Vec<P>; 2]) -> Result<(), EngineError>,
    ) -> Result<LoopyValue, EngineError> {
        if let Some(found) = self.found.get(root) {
            return Ok(found.clone());
        }
        let mut places: HashMap<P, u32, foldhash::fast::RandomState> = HashMap::default();
        let mut positions = vec![root.clone()];
        places.insert(root.clone(), 0);
        let mut graph: Vec<[Vec<Edge>; 2]> = Vec::new();
        let mut next = [Vec::new(), Vec::new()];
        while let Some(position) = positions.get(graph.len()).cloned() {
            if let Some(reason) = self.control.stopped() {
                return Err(EngineError::Stopped(reason));
            }
            next.iter_mut().for_each(Vec::clear);
            options(&position, &mut next)?;
            let mut edges = [Vec::new(), Vec::new()];
            for (edges, options) in edges.iter_mut().zip(&next) {
                for option in options {
                    edges.push(if let Some(&place) = places.get(option) {
                        Edge::Node(place)
                    } else if let Some(found) = self.found.get(option) {
                        Edge::Loopy(found.clone())
                    } else if let Some(word) = value(option)? {
                        Edge::Value(word)
                    } else {
                        let place = positions.len() as u32;
                        places.insert(option.clone(), place);
                        positions.push(option.clone());
                        Edge::Node(place)
                    });
                }
            }
            graph.push(edges);
        }
        let values = match self.play {
            Play::Partisan => self
                .sides::<V>(&graph)
                .map_err(|error| self.failed(error, name()))?,
            Play::Impartial => nim_values(&graph),
        };
        self.found.extend(positions.into_iter().zip(values));
        Ok(self.found[root].clone())
    }

    /// Returns the value of a position that is not loopy.
    fn ending<V: Formed>(
        &mut self,
        word: Word,
        name: impl FnOnce() -> String,
    ) -> Result<LoopyValue, EngineError> {
        let form = V::form(self.calculator.short(), word);
        let form = form.map_err(|error| self.failed(error.into(), name()))?;
        Ok(match self.calculator.arena().nimber(form) {
            Some(heap) if self.play == Play::Impartial => LoopyValue::Nim(heap),
            _ => LoopyValue::Sides(Stopper::Short(form).into()),
        })
    }

    /// Returns the sum of two values. In impartial play, `oo(a,b,...)` plus a heap has the nim-sums of a, b, ... and the heap, and
    /// two such values have none.
    fn sum(
        &mut self,
        g: &LoopyValue,
        h: &LoopyValue,
        name: impl FnOnce() -> String,
    ) -> Result<LoopyValue, EngineError> {
        use LoopyValue::{Infinite, Nim, Sides};
        Ok(match (g, h) {
            (Sides(g), Sides(h)) => {
                let sum = self.calculator.sum(*g, *h);
                let sum = sum.map_err(|error| self.failed(error, name()))?;
                sum.map_or(LoopyValue::Unknown, Sides)
            }
            (Nim(g), Nim(h)) => Nim(g ^ h),
            (Nim(heap), Infinite(values)) | (Infinite(values), Nim(heap)) => {
                let mut values: Vec<u32> = values.iter().map(|value| value ^ heap).collect();
                values.sort_unstable();
                Infinite(values)
            }
            (Infinite(_), Infinite(_)) => Infinite(Vec::new()),
            _ => LoopyValue::Unknown,
        })
    }

    fn failed(&self, error: LoopyError, position: String) -> EngineError {
        match error {
            LoopyError::Arena(source) => EngineError::Form { position, source },
            _ => EngineError::Stopped(self.control.stopped().unwrap_or(StopReason::Abandoned)),
        }
    }

    /// Returns the sides of the nodes of a graph.
    fn sides<V: Formed>(
        &mut self,
        graph: &[[Vec<Edge>; 2]],
    ) -> Result<Vec<LoopyValue>, LoopyError> {
        let c = &mut self.calculator;
        let is_unknown = nodes_before_unknown(graph);
        let mut graphs = [LoopyGraph::default(), LoopyGraph::default()];
        for _ in graph {
            graphs.iter_mut().for_each(|graph| {
                graph.node();
            });
        }
        for (node, edges) in (0..)
            .zip(graph)
            .filter(|&(node, _)| !is_unknown[node as usize])
        {
            let mut options = [[Vec::new(), Vec::new()], [Vec::new(), Vec::new()]];
            for (player, edges) in edges.iter().enumerate() {
                for edge in edges {
                    let targets = match edge {
                        Edge::Node(node) => [Target::Node(*node); 2],
                        Edge::Value(word) => {
                            [Target::Form(Stopper::Short(V::form(c.short(), *word)?)); 2]
                        }
                        Edge::Loopy(LoopyValue::Sides(sides)) => {
                            [sides.onside, sides.offside].map(Target::Form)
                        }
                        Edge::Loopy(_) => {
                            unreachable!("nodes before options without a value are left out")
                        }
                    };
                    for (options, target) in options.iter_mut().zip(targets) {
                        options[player].push(target);
                    }
                }
            }
            for (graph, options) in graphs.iter_mut().zip(options) {
                graph.set(node, options);
            }
        }
        let [onsides, offsides] = graphs;
        let (onsides, offsides) = match (c.onsides(&onsides), c.offsides(&offsides)) {
            (Ok(onsides), Ok(offsides)) => (onsides, offsides),
            (Err(LoopyError::States(_)), _) | (_, Err(LoopyError::States(_))) => {
                return Ok(vec![LoopyValue::Unknown; graph.len()]);
            }
            (Err(error), _) | (_, Err(error)) => return Err(error),
        };
        let both = onsides.into_iter().zip(offsides).zip(is_unknown);
        let value = |((onside, offside), is_unknown): (_, bool)| {
            let sides = Sides::of(onside, offside).filter(|_| !is_unknown);
            sides.map_or(LoopyValue::Unknown, LoopyValue::Sides)
        };
        Ok(both.map(value).collect())
    }
}

/// The values of loopy positions of a ruleset found so far.
pub struct LoopyRows<'a> {
    /// By key, and whether the position is the negative of the key's.
    values: LoopyValues<'a, (Key, bool)>,
}

impl<'a> LoopyRows<'a> {
    /// Returns no values so far, of a valuation's positions.
    pub fn new(valuation: &'a impl Formed, control: &'a Control) -> LoopyRows<'a> {
        LoopyRows {
            values: LoopyValues::new(valuation, control),
        }
    }

    /// Returns the calculator of the sides.
    pub fn calculator(&mut self) -> &mut LoopyCalculator<'a> {
        self.values.calculator()
    }

    /// Returns the value of a loopy position of the search's ruleset. Other followers are valued by the search.
    ///
    /// A position that is too long for a key is valued as the sum of its components.
    ///
    /// # Errors
    ///
    /// As [`LoopyValues::value`] and [`Search::evaluate`].
    pub fn value<R: Ruleset, V: Formed>(
        &mut self,
        search: &mut Search<'_, R, V>,
        position: &R::Position,
    ) -> Result<LoopyValue, EngineError> {
        let mut sum = None;
        for (key, is_negative) in search.engine().ruleset.summand_keys(position)? {
            let value = match evaluated(search, (key, is_negative))? {
                Some(word) => self.values.ending::<V>(word, || position.to_string())?,
                None => self.of_key(search, (key, is_negative))?,
            };
            sum = Some(match sum {
                None => value,
                Some(sum) => self.values.sum(&sum, &value, || position.to_string())?,
            });
        }
        Ok(sum.expect("a loopy position has a component"))
    }

    fn of_key<R: Ruleset, V: Formed>(
        &mut self,
        search: &mut Search<'_, R, V>,
        root: (Key, bool),
    ) -> Result<LoopyValue, EngineError> {
        let Engine {
            ruleset, valuation, ..
        } = search.engine();
        let position_of = |(key, is_negative): (Key, bool)| match ruleset.position_of(key) {
            position if is_negative => ruleset.negative(&position),
            position => position,
        };
        let name = || position_of(root).to_string();
        let value = |&key: &(Key, bool)| evaluated(search, key);
        self.values.value::<V>(&root, name, value, |&key, options| {
            let position = position_of(key);
            for player in Player::BOTH {
                let options = match valuation.play() {
                    Play::Partisan => &mut options[player as usize],
                    Play::Impartial => &mut options[0],
                };
                let mut failed = None;
                ruleset.each_option(
                    &position,
                    player,
                    &mut |option| match ruleset.key(option) {
                        Ok(key) => options.push(key),
                        Err(error) => failed = failed.take().or(Some(error)),
                    },
                )?;
                if let Some(error) = failed {
                    return Err(error.into());
                }
            }
            Ok(())
        })
    }
}

/// Returns the value of a position, `None` if it is loopy.
fn evaluated<R: Ruleset, V: Formed>(
    search: &mut Search<'_, R, V>,
    (key, is_negative): (Key, bool),
) -> Result<Option<Word>, EngineError> {
    let position = search.engine().ruleset.position_of(key);
    Ok(match search.evaluate(&position)? {
        LOOPY => None,
        word if is_negative => Some(V::negative(word)),
        word => Some(word),
    })
}

/// Returns which nodes have a follower without a value.
fn nodes_before_unknown(graph: &[[Vec<Edge>; 2]]) -> Vec<bool> {
    let mut found = vec![false; graph.len()];
    loop {
        let before = found.clone();
        for (node, edges) in graph.iter().enumerate() {
            found[node] |= edges.iter().flatten().any(|edge| match edge {
                Edge::Node(option) => before[*option as usize],
                Edge::Value(_) | Edge::Loopy(LoopyValue::Sides(_)) => false,
                Edge::Loopy(_) => true,
            });
        }
        if found == before {
            return found;
        }
    }
}

/// Returns the values of Smith and Fraenkel of the nodes of a graph, in which all options are Left's.
///
/// A node has the nim-value m once m is the least number that no option has, and every option without a nim-value has itself an
/// option of value m. The numbers m are tried in increasing order: a value above m enables none of m. The nodes that none fits
/// are infinite.
fn nim_values(graph: &[[Vec<Edge>; 2]]) -> Vec<LoopyValue> {
    let mut found: Vec<Option<u32>> = vec![None; graph.len()];
    let value_of = |edge: &Edge, found: &[Option<u32>]| match edge {
        Edge::Node(node) => found[*node as usize],
        Edge::Value(value) => Some(NimValues::value(*value)),
        Edge::Loopy(LoopyValue::Nim(value)) => Some(*value),
        Edge::Loopy(_) => None,
    };
    let has = |node: &[Vec<Edge>; 2], found: &[Option<u32>], m| {
        node[0].iter().any(|edge| value_of(edge, found) == Some(m))
    };
    let reverts = |edge: &Edge, found: &[Option<u32>], m| match edge {
        Edge::Node(node) => has(&graph[*node as usize], found, m),
        Edge::Loopy(LoopyValue::Infinite(values)) => values.contains(&m),
        _ => unreachable!("other options have nim-values"),
    };
    let most = graph.iter().map(|node| node[0].len()).max().unwrap_or(0);
    for m in 0..=most as u32 {
        loop {
            let before = found.clone();
            for (at, node) in graph.iter().enumerate() {
                let is_least = !has(node, &found, m) && (0..m).all(|less| has(node, &found, less));
                let fits =
                    |edge: &Edge| value_of(edge, &found).is_some() || reverts(edge, &found, m);
                if found[at].is_none() && is_least && node[0].iter().all(fits) {
                    found[at] = Some(m);
                }
            }
            if found == before {
                break;
            }
        }
    }
    let value = |(node, value): (&[Vec<Edge>; 2], &Option<u32>)| match value {
        Some(value) => LoopyValue::Nim(*value),
        None => {
            let mut values: Vec<u32> = node[0]
                .iter()
                .filter_map(|edge| value_of(edge, &found))
                .collect();
            values.sort_unstable();
            values.dedup();
            LoopyValue::Infinite(values)
        }
    };
    graph.iter().zip(&found).map(value).collect()
}
