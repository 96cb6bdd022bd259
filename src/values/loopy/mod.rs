//! Values of loopy games: games whose play need not end.
//!
//! A *stopper* is a game without infinite alternating play, in it or in its followers. Stoppers have canonical forms, as short
//! games have: no dominated or reversible options, no two equal nodes. [`LoopyCalculator`] stores each of them once, so equal
//! stoppers have equal ids.
//!
//! Any other loopy game is compared through its *sides*: its onside is the game with all infinite plays won by Left, its offside
//! that with all of them won by Right. A side that equals a stopper is given by it ([`Sides`]). Not all sides do: Bach's
//! Carousel is a counterexample. Whether a side equals a given stopper is decided exactly; the stopper itself is found by
//! simplification, and no algorithm is known that finds it in all cases.
//!
//! Sources: *Winning Ways*, chapter 11; Siegel, *Combinatorial Game Theory*, chapter VI; Siegel, "Coping with cycles", Games of No
//! Chance 3 (2009).

mod forms;
mod graph;
mod name;
mod order;
mod parse;
mod sides;
mod simplify;
mod sum;
#[cfg(test)]
mod tests;
mod text;

use hashbrown::HashMap;
use thiserror::Error;

use super::{Arena, ArenaError, Calculator, Comparison, Digester, Ending, ValueDigest, ValueId};
use forms::Forms;
pub use forms::{LoopyId, Stopper};
use graph::{LEFT, RIGHT};
pub use graph::{LoopyGraph, Target};
pub use name::{LoopyName, Upon};
use order::{Infinite, Order};
pub use sides::Sides;

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
    calculator: Calculator<'a>,
    digester: Digester<'a>,
    forms: Forms,
    /// Whether Left survives the difference of two stoppers, by the player to move.
    survived: HashMap<(Stopper, Stopper, usize), bool, foldhash::fast::RandomState>,
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

    /// Returns the options of a position, in an order that does not depend on ids.
    fn options(&mut self, graph: &LoopyGraph, target: Target, player: usize) -> Vec<Target> {
        let mut options = Vec::new();
        self.each_option(graph, target, player, |option| options.push(option));
        self.sort(&mut options);
        options
    }

    /// Sorts options: nodes by number, after stoppers by digest.
    fn sort(&mut self, options: &mut [Target]) {
        options.sort_by_cached_key(|option| match *option {
            Target::Form(form) => (None, self.digest(form)),
            Target::Node(node) => (Some(node), ValueDigest([0; 16])),
        });
    }

    fn each_option(
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
    fn check(&mut self, states: usize) -> Result<(), LoopyError> {
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
    fn known(&mut self, g: Stopper, h: Stopper, to_move: usize) -> Option<bool> {
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

impl LoopyCalculator<'_> {
    /// Returns whether `g >= h`.
    ///
    /// # Errors
    ///
    /// When the comparison has too many pairs of followers.
    pub fn ge(&mut self, g: Stopper, h: Stopper) -> Result<bool, LoopyError> {
        self.survives(g, h, RIGHT)
    }

    /// Returns how two games compare: `G >= H` holds if it does for their onsides and for their offsides.
    ///
    /// # Errors
    ///
    /// As [`ge`](LoopyCalculator::ge).
    pub fn compare(&mut self, g: Sides, h: Sides) -> Result<Comparison, LoopyError> {
        let at_least = self.ge(g.onside, h.onside)? && self.ge(g.offside, h.offside)?;
        let at_most = self.ge(h.onside, g.onside)? && self.ge(h.offside, g.offside)?;
        Ok(match (at_least, at_most) {
            (true, true) => Comparison::Equal,
            (true, false) => Comparison::Greater,
            (false, true) => Comparison::Less,
            (false, false) => Comparison::Confused,
        })
    }

    /// Returns how play ends for Left when Left moves first, and for Right when Right does.
    ///
    /// # Errors
    ///
    /// As [`ge`](LoopyCalculator::ge).
    ///
    /// ```
    /// use cgvalues::{Arena, Ending, LoopyCalculator};
    ///
    /// let arena = Arena::new();
    /// let mut c = LoopyCalculator::new(&arena);
    /// let tis = c.parse("tis")?;
    /// assert_eq!(c.endings(tis)?, [Ending::Draw, Ending::Loss]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn endings(&mut self, game: Sides) -> Result<[Ending; 2], LoopyError> {
        let zero = Stopper::Short(ValueId::ZERO);
        let negative = self.negative(game.offside);
        let mut endings = [Ending::Draw; 2];
        for (to_move, ending) in endings.iter_mut().enumerate() {
            // Right survives a game if Left survives its negative, moving in Right's place.
            let left = self.survives(game.onside, zero, to_move)?;
            let right = self.survives(negative, zero, 1 - to_move)?;
            let [mover, other] = match to_move {
                LEFT => [left, right],
                _ => [right, left],
            };
            *ending = match (mover, other) {
                (true, true) => Ending::Draw,
                (true, false) => Ending::Win,
                (false, _) => Ending::Loss,
            };
        }
        Ok(endings)
    }

    /// Returns whether Left survives `g - h` with a player to move.
    fn survives(&mut self, g: Stopper, h: Stopper, to_move: usize) -> Result<bool, LoopyError> {
        let graph = LoopyGraph::default();
        let mut order = Order::new(&graph, Infinite::Survived);
        order.survives(self, (Target::Form(g), Target::Form(h), to_move))
    }
}
