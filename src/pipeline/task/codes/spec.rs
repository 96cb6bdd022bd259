//! Surveys: a row for each code with a given number of digits.

use std::sync::Arc;

use cggames::game::SumKind;
use cggames::game::heap::Code;
use seedbank_specs::sections::read_table;
use seedbank_specs::{Fault, Field, Problems};

use crate::run::Task;
use crate::task::heaps::read_rules;
use crate::task::kind::Sections;

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

/// How `seedbank table` prints a survey.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CodesLayout {
    /// A line for each code.
    List,
    /// How many codes have a proved period, how many have none, and which those are.
    Summary,
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
        assert!(
            rank < self.rows(),
            "a rank is less than the number of codes"
        );
        let base = u64::from(self.max_digit) + 1;
        let mut digits = vec![0; self.digits as usize + 1];
        let mut rest = rank;
        for digit in digits.iter_mut().rev() {
            *digit = (rest % base) as u8;
            rest /= base;
        }
        Code::from_digits(&digits)
            .expect("digits are at most 15, few, and none stands before the point")
    }
}

/// Reads the sections of a job of this kind.
pub(super) fn read(
    problems: &mut Problems<'_>,
    sections: Sections<'_, '_>,
) -> Option<Arc<dyn Task>> {
    let Sections {
        others: fields,
        game: Some(entry),
        game_field: Some(game),
        ruleset: Some(ruleset),
        family: Some(mut family),
        mark,
        ..
    } = sections
    else {
        return None;
    };
    let (rules, sum) = read_rules(problems, entry.kind, ruleset);
    let heaps_max = family
        .require(problems, "heaps_max", "heaps_max = 65536")
        .and_then(|field| {
            let (min, max) = (SURVEY_HEAP_MIN as i64, SURVEY_HEAP_MAX as i64);
            field.integer(problems, min, max)
        });
    let codes = mark.and_then(|field| read_codes(problems, &field));
    family.finish(problems);
    let table = read_table(problems, fields, &["list", "summary"], false);
    if rules?.is_some() {
        let fault = Fault::Heaps {
            what: "codes",
            needs: "game = \"octal\" without a code",
        };
        problems.add(&game.key, game.span.clone(), fault);
        return None;
    }
    let ((digits, max_digit), (layout, _)) = (codes?, table?);
    Some(Arc::new(CodesTask {
        digits,
        max_digit,
        heaps_max: heaps_max?.unsigned_abs(),
        sum: sum?,
        layout: match layout {
            "summary" => CodesLayout::Summary,
            _ => CodesLayout::List,
        },
    }))
}

fn read_codes(problems: &mut Problems<'_>, field: &Field<'_>) -> Option<(u32, u8)> {
    let mut fields = field.table(problems, "a table, such as { digits = 3, max_digit = 7 }")?;
    let digits = fields
        .require(problems, "digits", "digits = 3")
        .and_then(|field| field.integer(problems, 1, 24));
    let max_digit = match fields.take("max_digit") {
        Some(field) => field.integer(problems, 1, 15),
        None => Some(7),
    };
    fields.finish(problems);
    let (digits, max_digit) = (u32::try_from(digits?).ok()?, u8::try_from(max_digit?).ok()?);
    let codes = (u64::from(max_digit) + 1).checked_pow(digits);
    if codes.is_none_or(|codes| codes > CODES_MAX) {
        let fault = Fault::TooManyCodes {
            digits,
            max_digit,
            max: CODES_MAX,
        };
        problems.add(&field.key, field.span.clone(), fault);
        return None;
    }
    Some((digits, max_digit))
}
