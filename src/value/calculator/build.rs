//! Forms that are known without simplifying: numbers and nimbers; and the records of new forms.

use super::Calculator;
use crate::value::arena::{Flags, Header};
use crate::value::{ArenaError, Dyadic, ValueId};

/// How many integers are built at once at most: each needs all the smaller ones as followers.
const INTEGER_MAX: i128 = 1_000_000;

impl Calculator<'_> {
    /// Returns the form of a number.
    ///
    /// # Errors
    ///
    /// When the arena cannot hold its followers; integers beyond a million are refused so.
    pub fn number(&mut self, number: Dyadic) -> Result<ValueId, ArenaError> {
        if number == Dyadic::ZERO {
            return Ok(ValueId::ZERO);
        }
        if let Some(&id) = self.numbers.get(&number) {
            return Ok(id);
        }
        let id = if let Some(integer) = number.to_integer() {
            self.integer(integer)?
        } else {
            // In lowest terms the options are the two neighbours with the next smaller denominator.
            let (n, e) = (number.numerator(), number.exponent());
            let left = self.number(Dyadic::new(n - 1, e))?;
            let right = self.number(Dyadic::new(n + 1, e))?;
            self.store_number(&[left], &[right], number)?
        };
        self.numbers.insert(number, id);
        Ok(id)
    }

    /// Returns the form of an integer, whose only option is the next integer towards zero.
    fn integer(&mut self, integer: i64) -> Result<ValueId, ArenaError> {
        let size = integer.unsigned_abs();
        let known = |n: u64| Dyadic::integer(n as i64);
        // Start from the nearest integer that is already known; a run counts up, so it is near.
        let start = (0..size)
            .rev()
            .take(64)
            .find_map(|n| self.numbers.get(&known(n)).map(|&id| (n, id)));
        let (mut n, mut id) = start.unwrap_or((0, ValueId::ZERO));
        if i128::from(size - n) > INTEGER_MAX {
            return Err(ArenaError::IntegerTooLarge(integer));
        }
        while n < size {
            n += 1;
            id = self.store_number(&[id], &[], known(n))?;
        }
        self.numbers.insert(known(size), id);
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
            let mut sorted = options.clone();
            sorted.sort_unstable();
            let zero = Dyadic::ZERO;
            options.push(self.store(&sorted, &sorted, (zero, zero))?);
        }
        Ok(options[n as usize])
    }

    /// Stores a canonical form that is no number. The lists are sorted.
    pub(in crate::value) fn store(
        &self,
        left: &[ValueId],
        right: &[ValueId],
        (left_stop, right_stop): (Dyadic, Dyadic),
    ) -> Result<ValueId, ArenaError> {
        let arena = self.arena;
        let options = || left.iter().chain(right).map(|&option| arena.form(option));
        let mut flags = Flags::NONE;
        if options().all(|option| option.flags().has(Flags::DICOTIC)) {
            flags = flags.with(Flags::DICOTIC);
        }
        // The canonical nimber *n has exactly the options *0 .. *(n-1), for both.
        let is_smaller_nimber = |&option: &ValueId| {
            arena
                .nimber(option)
                .is_some_and(|n| (n as usize) < left.len())
        };
        if left == right && left.iter().all(is_smaller_nimber) {
            flags = flags.with(Flags::NIMBER);
        }
        let birthday = 1 + options().map(|option| option.birthday()).max().unwrap_or(0);
        arena.intern(
            left,
            right,
            Header {
                flags,
                birthday,
                left_stop,
                right_stop,
            },
        )
    }

    /// Stores a canonical number other than 0.
    fn store_number(
        &self,
        left: &[ValueId],
        right: &[ValueId],
        number: Dyadic,
    ) -> Result<ValueId, ArenaError> {
        let options = left.iter().chain(right);
        let birthday = 1 + options
            .map(|&option| self.arena.birthday(option))
            .max()
            .unwrap_or(0);
        let stop = number;
        let header = Header {
            flags: Flags::NUMBER,
            birthday,
            left_stop: stop,
            right_stop: stop,
        };
        self.arena.intern(left, right, header)
    }
}
