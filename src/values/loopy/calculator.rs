//! The calculator: the short forms' calculator, the loopy forms, and what is known of their order.

use hashbrown::HashMap;
use thiserror::Error;

use super::forms::Forms;
use super::graph::{LEFT, LoopyGraph, RIGHT, Target};
use super::stopper::Stopper;
use crate::{Arena, ArenaError, Calculator, Digester, ValueDigest};

/// The most pairs of followers in one comparison, some 300 bytes each.
const STATES_MAX: usize = 1 << 21;

/// The steps between two calls of the function that decides whether to continue.
const STEPS_A_CHECK: u64 = 1 << 12;

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
    /// More work than the calculator was [allowed](LoopyCalculator::limit_steps).
    #[error("it takes more than {0} steps of comparing and adding loopy games")]
    Steps(u64),
    /// The base of an ordinal sum has two sides.
    #[error(
        "the base of an ordinal sum must be a stopper, and this one has two sides: the sum depends on its canonical form"
    )]
    NoForm,
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
    steps: u64,
    steps_max: u64,
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
            steps: 0,
            steps_max: u64::MAX,
            goes_on: None,
        }
    }

    /// Calls a function every few thousand [steps](LoopyCalculator::limit_steps) from now on. Once it returns `false`, work ends with
    /// [`LoopyError::Stopped`].
    pub fn watch(&mut self, goes_on: impl FnMut() -> bool + Send + 'a) {
        self.goes_on = Some(Box::new(goes_on));
    }

    /// Limits the work from now on, in steps: a pair of followers compared, or looked up, or added, some microseconds each. Work on
    /// short forms has the [limit](Calculator::limit_steps) of their calculator beside it.
    ///
    /// Beyond the limit, work ends with [`LoopyError::Steps`].
    ///
    /// ```
    /// use cgvalues::{Arena, LoopyCalculator, LoopyError};
    ///
    /// let arena = Arena::new();
    /// let mut c = LoopyCalculator::new(&arena);
    /// let [g, h] = [c.parse("{over|-1}")?, c.parse("+-upon")?];
    /// c.limit_steps(10);
    /// assert_eq!(c.sum(g, h), Err(LoopyError::Steps(10)));
    /// c.limit_steps(10_000);
    /// assert!(c.sum(g, h).is_ok());
    /// # Ok::<(), cgvalues::ParseValueError>(())
    /// ```
    pub fn limit_steps(&mut self, steps: u64) {
        (self.steps, self.steps_max) = (0, steps);
    }

    /// Fails once the limit of steps is reached. A text that is missing then need not be too long.
    ///
    /// # Errors
    ///
    /// [`LoopyError::Steps`].
    pub fn check_steps(&self) -> Result<(), LoopyError> {
        match self.steps > self.steps_max {
            true => Err(LoopyError::Steps(self.steps_max)),
            false => Ok(self.calculator.check_steps()?),
        }
    }

    /// Does some work within limits of steps and of steps of the short forms' calculator, unless its own limit is nearer.
    pub(super) fn within<T>(
        &mut self,
        steps: u64,
        short_steps: u64,
        work: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let (before, own) = (self.steps, self.steps_max);
        let is_nearer = own.saturating_sub(before) <= steps;
        if !is_nearer {
            self.limit_steps(steps);
        }
        let short = (self.calculator.steps_left() > short_steps)
            .then(|| self.calculator.narrow(short_steps));
        let done = work(self);
        if let Some(short) = short {
            self.calculator.widen(short);
        }
        if !is_nearer {
            (self.steps, self.steps_max) = (before + self.steps, own);
        }
        done
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

    /// Counts a step, and fails once some number of states is too large.
    pub(super) fn check(&mut self, states: usize) -> Result<(), LoopyError> {
        if states > self.states_max {
            return Err(LoopyError::States(self.states_max));
        }
        self.step()
    }

    /// Counts a step, and fails beyond the limits or when the work is stopped.
    pub(super) fn step(&mut self) -> Result<(), LoopyError> {
        self.steps += 1;
        self.check_steps()?;
        let is_due = self.steps.is_multiple_of(STEPS_A_CHECK);
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
