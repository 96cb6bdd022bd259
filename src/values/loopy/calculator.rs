//! The calculator: the short forms' calculator, the loopy forms, and what is known of their order.

use hashbrown::HashMap;
use thiserror::Error;

use super::forms::Forms;
use super::graph::{LEFT, LoopyGraph, RIGHT, Target};
use super::stopper::Stopper;
use crate::{Arena, ArenaError, Calculator, Digester, ValueDigest};

/// The most pairs of followers in one comparison, some 300 bytes each.
const STATES_MAX: usize = 1 << 21;

/// The states between two calls of the function that decides whether to continue.
const STATES_A_CHECK: usize = 1 << 12;

/// Why there is no value.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum LoopyError {
    /// A short form cannot be stored.
    #[error(transparent)]
    Arena(#[from] ArenaError),
    /// A side of the game is no stopper, as far as known.
    #[error(
        "the game has no value: a side of it is not equal to a stopper, or none was found that it equals"
    )]
    NoStopper,
    /// The work was stopped.
    #[error("stopped early")]
    Stopped,
    /// A comparison has too many pairs of positions.
    #[error("a comparison of loopy games has more than {0} pairs of followers")]
    States(usize),
}

/// Compares, simplifies and adds loopy games over the short values of an arena.
///
/// Stoppers belong to the calculator that made them.
///
/// ```
/// use cgvalues::{Arena, LoopyCalculator};
///
/// let arena = Arena::new();
/// let mut c = LoopyCalculator::new(&arena);
/// let [over, up] = [c.parse("over")?, c.parse("^")?];
/// assert!(c.ge(over.onside, up.onside)?);
/// assert!(!c.ge(up.onside, over.onside)?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct LoopyCalculator<'a> {
    pub(super) calculator: Calculator<'a>,
    pub(super) digester: Digester<'a>,
    pub(super) forms: Forms,
    /// Whether Left survives the difference of two stoppers, by the player to move.
    pub(super) survived: HashMap<(Stopper, Stopper, usize), bool, foldhash::fast::RandomState>,
    states_max: usize,
    goes_on: Option<Box<dyn FnMut() -> bool + Send + 'a>>,
}

impl<'a> LoopyCalculator<'a> {
    /// Returns a calculator that has no loopy forms yet.
    pub fn new(arena: &'a Arena) -> LoopyCalculator<'a> {
        LoopyCalculator {
            calculator: arena.calculator(),
            digester: Digester::new(arena),
            forms: Forms::default(),
            survived: HashMap::default(),
            states_max: STATES_MAX,
            goes_on: None,
        }
    }

    /// Calls a function every few thousand pairs of followers from now on. Once it returns `false`, work ends with
    /// [`LoopyError::Stopped`].
    pub fn watch(&mut self, goes_on: impl FnMut() -> bool + Send + 'a) {
        self.goes_on = Some(Box::new(goes_on));
    }

    /// Returns the arena of the short forms.
    pub fn arena(&self) -> &'a Arena {
        self.calculator.arena()
    }

    /// Returns the calculator of the short forms.
    pub fn short(&mut self) -> &mut Calculator<'a> {
        &mut self.calculator
    }

    /// Returns the options of a stopper for Left and for Right, in no particular order.
    pub fn options_of(&self, stopper: Stopper) -> [Vec<Stopper>; 2] {
        match stopper {
            Stopper::Short(id) => {
                let form = self.arena().form(id);
                let short = Stopper::Short;
                [
                    form.left().map(short).collect(),
                    form.right().map(short).collect(),
                ]
            }
            Stopper::Loopy(id) => self.forms.options(id).clone(),
        }
    }

    /// Returns the negative of a stopper.
    pub fn negative(&self, stopper: Stopper) -> Stopper {
        match stopper {
            Stopper::Short(id) => Stopper::Short(id.negative()),
            Stopper::Loopy(id) => Stopper::Loopy(self.forms.negative(id)),
        }
    }

    /// Returns the negative of a graph, node by node.
    pub(super) fn negated(&self, graph: &LoopyGraph) -> LoopyGraph {
        let nodes: Vec<u32> = (0..graph.len() as u32).collect();
        let negative = |target| match target {
            Target::Form(form) => Target::Form(self.negative(form)),
            node => node,
        };
        let negated = graph.mapped(&nodes, |target| Some(negative(target)));
        negated.expect("every option has a negative").turned()
    }

    /// Returns the options of a position, in an order that does not depend on ids.
    pub(super) fn options(
        &mut self,
        graph: &LoopyGraph,
        target: Target,
        player: usize,
    ) -> Vec<Target> {
        let mut options = Vec::new();
        self.each_option(graph, target, player, |option| options.push(option));
        self.sort(&mut options);
        options
    }

    /// Sorts options: nodes by number, after stoppers by digest.
    pub(super) fn sort(&mut self, options: &mut [Target]) {
        options.sort_by_cached_key(|option| match *option {
            Target::Form(form) => (None, self.digest(form)),
            Target::Node(node) => (Some(node), ValueDigest([0; 16])),
        });
    }

    pub(super) fn each_option(
        &self,
        graph: &LoopyGraph,
        target: Target,
        player: usize,
        mut each: impl FnMut(Target),
    ) {
        let short = |id| Target::Form(Stopper::Short(id));
        match target {
            Target::Node(node) => graph.options(node)[player].iter().copied().for_each(each),
            Target::Form(Stopper::Loopy(id)) => {
                let options = self.forms.options(id)[player].iter();
                options.for_each(|&option| each(Target::Form(option)));
            }
            Target::Form(Stopper::Short(id)) => {
                let form = self.arena().form(id);
                match player {
                    LEFT => form.left().map(short).for_each(each),
                    _ => form.right().map(short).for_each(each),
                }
            }
        }
    }

    /// Fails once some number of states is too large or the work is stopped.
    pub(super) fn check(&mut self, states: usize) -> Result<(), LoopyError> {
        if states > self.states_max {
            return Err(LoopyError::States(self.states_max));
        }
        let is_due = states.is_multiple_of(STATES_A_CHECK);
        let goes_on = self.goes_on.as_mut().filter(|_| is_due);
        match goes_on.is_none_or(|goes_on| goes_on()) {
            true => Ok(()),
            false => Err(LoopyError::Stopped),
        }
    }

    /// Returns whether Left survives `g - h` with a player to move, if that is known.
    pub(super) fn known(&mut self, g: Stopper, h: Stopper, to_move: usize) -> Option<bool> {
        match (g, h) {
            (Stopper::Short(g), Stopper::Short(h)) => Some(match to_move {
                RIGHT => self.calculator.le(h, g),
                _ => !self.calculator.le(g, h),
            }),
            _ if g == h && to_move == RIGHT => Some(true),
            _ => self.survived.get(&(g, h, to_move)).copied(),
        }
    }
}
