//! Forms that need no simplification (numbers and nimbers), and the storage of new forms.

use super::Calculator;
use super::edges::edges_of_exact;
use crate::arena::{Edge, Flags, Head, Header};
use crate::dyadic::EXPONENT_MAX;
use crate::{Arena, ArenaError, Dyadic, INTEGER_MAX, ValueId};

impl Calculator<'_> {
    /// Returns the form of a number.
    ///
    /// # Errors
    ///
    /// When the arena cannot hold its followers. An integer n has |n| of them, so those beyond
    /// [`INTEGER_MAX`] are refused, and so are denominators beyond 2^126.
    pub fn number(&mut self, number: Dyadic) -> Result<ValueId, ArenaError> {
        if let Some(id) = self.known_number(number) {
            return Ok(id);
        }
        if number.exponent() > EXPONENT_MAX {
            return Err(ArenaError::TooManyBits);
        }
        let mut open = vec![number];
        while let Some(&next) = open.last() {
            if let Some(id) = self.known_number(next) {
                open.pop();
                if open.is_empty() {
                    return Ok(id);
                }
                continue;
            }
            if next.exponent() == 0 {
                let id = self.integer(next.to_integer().ok_or(ArenaError::TooManyBits)?)?;
                self.numbers.insert(next, id);
                continue;
            }
            // In lowest terms the options are the two neighbours with the next smaller denominator;
            // the numerator is odd.
            let (below, e) = ((next.numerator() - 1) / 2, next.exponent() - 1);
            let (left, right) = (Dyadic::new(below, e), Dyadic::new(below + 1, e));
            match (self.known_number(left), self.known_number(right)) {
                (Some(left), Some(right)) => {
                    let id = self.store_number(&[left], &[right], next)?;
                    self.numbers.insert(next, id);
                }
                (None, _) => open.push(left),
                (_, None) => open.push(right),
            }
        }
        unreachable!("the number itself is the last that is known")
    }

    /// Returns the form of a number that has been built before.
    #[inline]
    fn known_number(&self, number: Dyadic) -> Option<ValueId> {
        if number == Dyadic::ZERO {
            return Some(ValueId::ZERO);
        }
        self.numbers.get(&number).copied()
    }

    /// Returns the form of an integer, whose only option is the next integer towards zero.
    fn integer(&mut self, integer: i64) -> Result<ValueId, ArenaError> {
        let size = integer.unsigned_abs();
        if size > INTEGER_MAX as u64 {
            return Err(ArenaError::IntegerTooLarge(integer));
        }
        let size = size as usize;
        while self.integers.len() <= size {
            if !self.step(1) {
                self.check_steps()?;
            }
            let below = self.integers[self.integers.len() - 1];
            let next = Dyadic::new(self.integers.len() as i128, 0);
            let id = self.store_number(&[below], &[], next)?;
            self.integers.push(id);
        }
        let id = self.integers[size];
        Ok(id.negated_if(integer < 0))
    }

    /// Returns the form of the nimber `*n`.
    ///
    /// # Errors
    ///
    /// When the arena cannot hold it; `*n` has n options a side and n^2 / 2 in its followers.
    pub fn nimber(&mut self, n: u32) -> Result<ValueId, ArenaError> {
        let mut options = vec![ValueId::ZERO];
        for _ in 0..n {
            let zero = Dyadic::ZERO;
            options.push(self.store(&options, &options, (zero, zero))?);
        }
        Ok(options[n as usize])
    }

    /// Stores a canonical form that is not a number.
    pub(crate) fn store(
        &mut self,
        left: &[ValueId],
        right: &[ValueId],
        stops: (Dyadic, Dyadic),
    ) -> Result<ValueId, ArenaError> {
        let head = |&option: &ValueId| self.arena.head(option);
        let left: Vec<Head> = left.iter().map(head).collect();
        let negative_left: Vec<Head> = right.iter().map(|id| head(&id.negative())).collect();
        let (up, down) = edges_of_exact(&left, &negative_left, stops);
        self.store_heads(&left, &negative_left, (up, down), Some(stops))
    }

    /// Stores a canonical form that is not a number, given by Left's options, the negatives of
    /// Right's, and the edges. `stops` holds the stops where the edges may be unknown.
    pub(super) fn store_heads(
        &mut self,
        left: &[Head],
        negative_left: &[Head],
        (up, down): (Edge, Edge),
        stops: Option<(Dyadic, Dyadic)>,
    ) -> Result<ValueId, ArenaError> {
        let arena = self.arena;
        let sort = |ids: &mut Vec<ValueId>, heads: &[Head]| {
            ids.clear();
            ids.extend(heads.iter().map(|head| head.id));
            // Most forms have one or two options a side.
            match &mut ids[..] {
                [] | [_] => {}
                [a, b] => (*a, *b) = ((*a).min(*b), (*a).max(*b)),
                ids => ids.sort_unstable(),
            }
        };
        self.step(left.len() + negative_left.len());
        self.check_steps()?;
        let [first, second] = &mut self.scratch.ids;
        sort(first, left);
        sort(second, negative_left);
        let header = || Header {
            flags: flags(arena, first, second),
            birthday: 1 + greatest_birthday(arena, first.iter().chain(&*second)),
            up,
            down,
        };
        arena.intern(first, second, header, stops, &mut self.recent)
    }

    /// Stores a canonical number other than 0.
    fn store_number(
        &mut self,
        left: &[ValueId],
        right: &[ValueId],
        number: Dyadic,
    ) -> Result<ValueId, ArenaError> {
        let negative_left: Vec<ValueId> = right.iter().map(|id| id.negative()).collect();
        let header = || Header {
            flags: Flags::NUMBER,
            birthday: 1 + greatest_birthday(self.arena, left.iter().chain(right)),
            up: Edge::of_number(number),
            down: Edge::of_number(-number),
        };
        let stops = Some((number, number));
        self.arena
            .intern(left, &negative_left, header, stops, &mut self.recent)
    }
}

/// Returns the flags of a form that is not a number.
fn flags(arena: &Arena, left: &[ValueId], negative_left: &[ValueId]) -> Flags {
    let mut options = left.iter().chain(negative_left);
    let mut flags = Flags::NONE;
    if options.all(|&option| arena.is_dicotic(option)) {
        flags = flags.with(Flags::DICOTIC);
    }
    // The canonical nimber *n has exactly the options *0 .. *(n-1), for both.
    let is_smaller_nimber = |&option: &ValueId| {
        arena
            .nimber(option)
            .is_some_and(|n| (n as usize) < left.len())
    };
    if left == negative_left && left.iter().all(is_smaller_nimber) {
        flags = flags.with(Flags::NIMBER);
    }
    flags
}

fn greatest_birthday<'a>(arena: &Arena, options: impl Iterator<Item = &'a ValueId>) -> u32 {
    let birthdays = options.map(|&option| arena.birthday(option));
    birthdays.max().unwrap_or(0)
}
