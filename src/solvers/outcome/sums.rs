//! Positions as sums of their components, as a search for wins plays them.
//!
//! A position that splits is the sum of its components, and so are its followers: of the followers
//! of a row there are exponentially many, of multisets of components far fewer. A component that nobody can move in is left
//! out. Under normal play a component and its negative cancel, too (Winning Ways, chapter 1).

use std::rc::Rc;

use cggames::board::{Key, PositionError};
use cggames::game::{Convention, Manner, Play, Player, Ruleset};
use hashbrown::HashMap;

use super::table::{State, Subject};

/// A component of a sum: a position by its key, or the negative of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Component {
    pub(super) key: Key,
    pub(super) sign: Sign,
}

/// Whether a component is the position that has its key or the negative of that.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Sign {
    /// The position equals its negative, as every position does in impartial play.
    Both,
    Positive,
    Negative,
}

impl Component {
    pub(super) fn negative(self) -> Component {
        let sign = match self.sign {
            Sign::Both => Sign::Both,
            Sign::Positive => Sign::Negative,
            Sign::Negative => Sign::Positive,
        };
        Component { sign, ..self }
    }
}

/// Adds the components of a position to a sum and, under normal play, cancels those that are negatives of each other.
///
/// # Errors
///
/// When a component is too long for a key.
pub(super) fn add_components<R: Ruleset>(
    ruleset: &R,
    manner: Manner,
    position: &R::Position,
    sum: &mut Vec<Component>,
) -> Result<(), PositionError> {
    let components = ruleset.components(position);
    // Expanding a lone position shows whether it has moves.
    let is_alone = sum.is_empty() && components.len() == 1;
    for component in components {
        let count = |player| ruleset.count_options(&component, player);
        if !is_alone && count(Player::Left)? + count(Player::Right)? == 0 {
            continue;
        }
        let (key, negated) = ruleset.key(&component)?;
        let sign = match negated {
            _ if manner.play == Play::Impartial => Sign::Both,
            _ if ruleset.negative(&component) == component => Sign::Both,
            true => Sign::Negative,
            false => Sign::Positive,
        };
        let component = Component { key, sign };
        let opposite = component.negative();
        let cancelled = sum.iter().position(|&other| other == opposite);
        match cancelled.filter(|_| manner.convention == Convention::Normal) {
            Some(place) => drop(sum.swap_remove(place)),
            None => sum.push(component),
        }
    }
    Ok(())
}

/// The sums of components that a search has met, each with its number.
#[derive(Default)]
pub(super) struct Sums {
    numbers: HashMap<Rc<[Component]>, u32, foldhash::fast::RandomState>,
    sums: Vec<Rc<[Component]>>,
    /// The bytes of all components, with the counts of their owners.
    bytes_of_components: usize,
}

impl Sums {
    /// Returns the state of a sum with a nim heap and a player to move; `None` if it is new and
    /// would take more than `bytes_max` bytes, even while memory grows.
    pub(super) fn state(
        &mut self,
        mut sum: Vec<Component>,
        heap: u8,
        mover: Player,
        bytes_max: usize,
    ) -> Option<State> {
        sum.sort_unstable();
        let signs = sum.iter().map(|component| component.sign);
        let sign = signs.into_iter().find(|&sign| sign != Sign::Both);
        if sign == Some(Sign::Negative) {
            // Equal keys have equal signs, so the sum stays sorted.
            sum.iter_mut().for_each(|part| *part = part.negative());
        }
        let subject = match sum[..] {
            [alone] => Subject::Key(alone.key),
            _ => Subject::Sum(self.number(sum, bytes_max)?),
        };
        Some(State {
            subject,
            turned: sign.is_some_and(|sign| (sign == Sign::Negative) != (mover == Player::Right)),
            heap,
        })
    }

    /// Returns the components of the sum with this number.
    pub(super) fn of(&self, number: u32) -> Rc<[Component]> {
        Rc::clone(&self.sums[number as usize])
    }

    /// Returns the memory of the sums in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.numbers.allocation_size()
            + self.sums.capacity() * size_of::<Rc<[Component]>>()
            + self.bytes_of_components
    }

    fn number(&mut self, sum: Vec<Component>, bytes_max: usize) -> Option<u32> {
        if let Some(&number) = self.numbers.get(&sum[..]) {
            return Some(number);
        }
        let bytes = size_of_val(&sum[..]) + 2 * size_of::<usize>();
        if 2 * (self.bytes() + bytes) > bytes_max {
            return None;
        }
        let number = u32::try_from(self.sums.len()).ok()?;
        let sum: Rc<[Component]> = sum.into();
        self.bytes_of_components += bytes;
        self.sums.push(Rc::clone(&sum));
        self.numbers.insert(sum, number);
        Some(number)
    }
}
