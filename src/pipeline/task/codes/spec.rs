//! Surveys: a row for each code with a given number of digits.

use std::sync::Arc;

use cggames::game::heap::Code;
use cggames::game::{GameKind, SumKind};
use seedbank_specs::form::{Form, integer, table};
use seedbank_specs::{choice, keys};

use crate::run::Task;
use crate::task::heaps::{HeapGames, HeapKeys, rules};
use crate::task::kind::Spec;

/// The most codes of a survey, 2^24: all octal codes of eight digits.
pub const CODES_MAX: u64 = 1 << 24;

/// The smallest bound on the heaps of a survey.
pub const SURVEY_HEAP_MIN: u64 = 64;

/// The largest bound on the heaps of a survey.
pub const SURVEY_HEAP_MAX: u64 = 100_000_000;

/// A survey: a row for each code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodesTask {
    /// The digits after the point, final zeros included.
    pub digits: u32,
    /// The greatest digit: 7 for octal codes, 15 for hexadecimal ones.
    pub max_digit: u8,
    /// The largest heap that is evaluated for each code.
    pub heaps_max: u64,
    /// How heaps are added.
    pub sum: SumKind,
    /// How the result is printed.
    pub layout: CodesLayout,
}

choice! {
    /// How `seedbank table` prints a survey.
    pub enum CodesLayout {
        /// A line for each code.
        List = "list",
        /// How many codes have a proved period, how many have none, and which those are.
        Summary = "summary",
    }
}

impl CodesTask {
    /// Returns the number of codes, at most [`CODES_MAX`].
    pub fn rows(&self) -> u64 {
        (u64::from(self.max_digit) + 1).pow(self.digits)
    }

    /// Returns the code of this rank; its digits are those of the rank in base `max_digit + 1`.
    ///
    /// # Panics
    ///
    /// If `rank` is not below [`CodesTask::rows`].
    ///
    /// ```
    /// use seedbank::task::codes::{CodesLayout, CodesTask};
    /// use seedbank::game::SumKind;
    ///
    /// let task = CodesTask {
    ///     digits: 3,
    ///     max_digit: 7,
    ///     heaps_max: 1000,
    ///     sum: SumKind::Disjunctive,
    ///     layout: CodesLayout::List,
    /// };
    /// assert_eq!(task.rows(), 512);
    /// assert_eq!(task.code(0o137).to_string(), "0.137");
    /// assert_eq!(task.code(0o770).to_string(), "0.77");
    /// ```
    pub fn code(&self, rank: u64) -> Code {
        code_of_rank(self.digits, self.max_digit, rank)
    }
}

/// Returns the code of a rank among those of a number of digits; panics if there are fewer.
pub(in crate::task) fn code_of_rank(digits: u32, max_digit: u8, rank: u64) -> Code {
    let base = u64::from(max_digit) + 1;
    let mut digits = vec![0; digits as usize + 1];
    let mut rest = rank;
    for digit in digits[1..].iter_mut().rev() {
        *digit = (rest % base) as u8;
        rest /= base;
    }
    assert!(rest == 0, "a rank is less than the number of codes");
    Code::from_digits(&digits)
        .expect("digits are at most 15, few, and none stands before the point")
}

/// The sections of a job of this kind.
pub(super) fn spec(spec: &mut Spec<'_, '_, '_>) -> Option<Arc<dyn Task>> {
    let GameKind::Heaps(game) = spec.game?.kind else {
        return None;
    };
    let rules = spec.ruleset(|keys| rules(keys, game, true));
    let family = spec.family(keys!({
        /// all codes of a number of digits
        codes: codes(), required;
        /// the largest heap computed for a code without a proved period
        heaps_max: integer(SURVEY_HEAP_MIN, SURVEY_HEAP_MAX), required "heaps_max = 65536";
    }));
    let layout = spec.layout(CodesLayout::NAMED);
    let HeapKeys { games, sum, .. } = rules?;
    if let HeapGames::One(_) = games? {
        return spec.refuse_game("a family of codes needs game = \"octal\" without a code");
    }
    let ((digits, max_digit), heaps_max) = family?;
    Some(Arc::new(CodesTask {
        digits,
        max_digit,
        heaps_max,
        sum: sum?,
        layout: layout?,
    }))
}

/// The number of digits, and the greatest digit.
pub(in crate::task) fn codes<'f>() -> Form<'f, (u32, u8)> {
    let keys = keys!({
        /// the digits after the point
        digits: integer(1, 24), required "digits = 3";
        /// the greatest digit; 7 where it is missing
        max_digit: integer(1, 15), default 7;
    });
    let codes = table("a table, such as { digits = 3, max_digit = 7 }", keys);
    codes.then(|problems, field, (digits, max_digit): (u32, u8)| {
        let (codes, max) = ((u64::from(max_digit) + 1).checked_pow(digits), CODES_MAX);
        if codes.is_none_or(|codes| codes > max) {
            return field.refuse(
                problems,
                format!("too many codes of {digits} digits from 0 to {max_digit}; accepted: at most {max} codes"),
            );
        }
        Some((digits, max_digit))
    })
}
