//! Jobs over heaps: the heaps of one game, or a survey of all codes of so many digits.

use super::error::Fault;
use super::fields::{Field, Fields, Problems};
use super::sections::{one_kind, read_layout};
use super::{Task, read_named, sections};
use crate::game::SumKind;
use crate::game::heap::{Code, HeapGame, SUBTRACTION_MAX, SubtractionSet};

/// The largest heap whose nim-value is worked out. Rows of so many heaps take some gigabytes on the disk.
pub const HEAP_MAX: u64 = 3_999_999_999;

/// The largest heap whose obligated value is worked out.
pub const OBLIGATED_HEAP_MAX: u64 = (1 << 30) - 1;

/// The most codes of a survey, 2^24: all octal codes of eight digits.
pub const CODES_MAX: u64 = 1 << 24;

/// The least heap to which a survey takes its codes.
pub const SURVEY_HEAP_MIN: u64 = 64;

/// The largest heap to which a survey takes its codes.
pub const SURVEY_HEAP_MAX: u64 = 100_000_000;

/// What a job over the heaps of one game computes: a row for each heap.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeapsTask {
    /// The game.
    pub game: HeapGame,
    /// How heaps are added.
    pub sum: SumKind,
    /// The smallest heap that has a row.
    pub first: u64,
    /// The largest one, at most [`heap_max`].
    pub last: u64,
    /// How the result is printed.
    pub layout: HeapsLayout,
}

/// How `seedbank table` prints heaps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HeapsLayout {
    /// `heap = value`, filled downwards into so many columns.
    List {
        /// Columns side by side.
        columns_per_row: usize,
    },
    /// A row for each value: how many heaps have it, and the first and the last of them.
    ByValue,
}

/// What a survey computes: a row for each code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodesTask {
    /// The digits after the point, final zeros included.
    pub digits: u32,
    /// The greatest digit: 7 for octal codes, 15 for hexadecimal ones.
    pub max_digit: u8,
    /// The largest heap to which codes are taken.
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

impl HeapsTask {
    /// Returns the number of heaps that have a row.
    pub fn rows(&self) -> u64 {
        self.last - self.first + 1
    }

    /// Returns what the task means; its wording is part of every digest.
    pub(super) fn meaning(&self) -> String {
        let HeapsTask {
            game,
            sum,
            first,
            last,
            ..
        } = self;
        format!("seedbank job 1\nheaps of {game}\nsum {sum}\nfrom {first} to {last}")
    }
}

impl CodesTask {
    /// Returns the number of codes, at most [`CODES_MAX`].
    pub fn rows(&self) -> u64 {
        (u64::from(self.max_digit) + 1).pow(self.digits)
    }

    /// Returns the code of this rank: its digits are those of the rank, written to the base `max_digit + 1`.
    ///
    /// # Panics
    ///
    /// If `rank` is not below [`CodesTask::rows`].
    ///
    /// ```
    /// use seedbank::job::{CodesLayout, CodesTask};
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
        assert!(rank < self.rows(), "a code is asked for by its rank");
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

    /// Returns what the task means; its wording is part of every digest.
    pub(super) fn meaning(&self) -> String {
        let CodesTask {
            digits,
            max_digit,
            heaps_max,
            sum,
            ..
        } = self;
        format!(
            "seedbank job 1\ncodes of {digits} digits to {max_digit}\nsum {sum}\nheaps to {heaps_max}"
        )
    }
}

/// The game of a job, or what else `[ruleset]` says.
enum Ruleset {
    One(HeapGame),
    /// Octal or hexadecimal codes, none of them named.
    AllCodes,
}

/// The kind of a family, and what it says unless that is wrong.
#[derive(Clone, Copy)]
enum Kind {
    Heaps(Option<(u64, u64)>),
    Codes(Option<Codes>),
}

/// Which codes, and how far.
#[derive(Clone, Copy)]
struct Codes {
    digits: u32,
    max_digit: u8,
    heaps_max: u64,
}

/// Reads the sections of a job over heaps, but for the game's name, which is given.
pub(super) fn read(
    problems: &mut Problems<'_>,
    fields: &mut Fields<'_>,
    game: &Field<'_>,
    mut ruleset: Fields<'_>,
) -> Option<Task> {
    let name = game.value.as_str().unwrap_or_default();
    let rules = read_game(problems, name, &mut ruleset);
    let sum = match ruleset.take("sum") {
        Some(field) => field
            .string(problems, "\"disjunctive\" or \"obligated\"")
            .and_then(|name| read_named(problems, &field, name, &SumKind::ALL.map(SumKind::name))),
        None => Some(SumKind::Disjunctive),
    };
    ruleset.finish(problems);
    let family = fields
        .require(
            problems,
            "family",
            "a section [family], for example with heaps = \"0..=1000\"",
        )
        .and_then(|field| field.table(problems, "a section [family]"))
        .and_then(|fields| read_family(problems, fields, sum.unwrap_or(SumKind::Disjunctive)));
    let table = match fields.take("table") {
        Some(field) => field
            .table(problems, "a section [table]")
            .and_then(|fields| {
                let (layouts, lists): (&[&'static str], bool) = match family {
                    Some(Kind::Heaps(_)) => (&["list", "by-value"], true),
                    Some(Kind::Codes(_)) => (&["list", "summary"], false),
                    // Which layouts there are is not known.
                    None => (&["list", "by-value", "summary"], false),
                };
                read_layout(problems, fields, layouts, lists)
            }),
        None => Some(("list", 1)),
    };
    // Whether game and family fit each other is seen where both are known, be they wrong or not.
    let (what, needs) = match (rules?, family?) {
        (Ruleset::One(game), Kind::Heaps(heaps)) => {
            let (first, last) = heaps?;
            let (layout, columns_per_row) = table?;
            return Some(Task::Heaps(HeapsTask {
                game,
                sum: sum?,
                first,
                last,
                layout: match layout {
                    "by-value" => HeapsLayout::ByValue,
                    _ => HeapsLayout::List { columns_per_row },
                },
            }));
        }
        (Ruleset::AllCodes, Kind::Codes(codes)) => {
            let Codes {
                digits,
                max_digit,
                heaps_max,
            } = codes?;
            let (layout, _) = table?;
            return Some(Task::Codes(CodesTask {
                digits,
                max_digit,
                heaps_max,
                sum: sum?,
                layout: match layout {
                    "summary" => CodesLayout::Summary,
                    _ => CodesLayout::List,
                },
            }));
        }
        (Ruleset::One(_), Kind::Codes(_)) => ("codes", "game = \"octal\" without a code"),
        (Ruleset::AllCodes, Kind::Heaps(_)) => ("heaps", "a code, such as code = \"0.77\""),
    };
    problems.add(&game.key, game.span.clone(), Fault::Heaps { what, needs });
    None
}

fn read_game(problems: &mut Problems<'_>, name: &str, ruleset: &mut Fields<'_>) -> Option<Ruleset> {
    match name {
        "grundy" => Some(Ruleset::One(HeapGame::Grundy)),
        "subtraction" => {
            let example = "set = [1, 3, 4], the numbers of tokens that may be taken";
            let field = ruleset.require(problems, "set", example)?;
            let elements = field.array(problems, "an array of numbers, such as [1, 3, 4]")?;
            let numbers = elements.iter().map(|element| {
                let number = element.integer(problems, 1, SUBTRACTION_MAX as i64)?;
                usize::try_from(number).ok()
            });
            let numbers: Vec<Option<usize>> = numbers.collect();
            let numbers: Vec<usize> = numbers.into_iter().collect::<Option<_>>()?;
            let set = problems.ok(&field, SubtractionSet::new(numbers))?;
            Some(Ruleset::One(HeapGame::Subtraction(set)))
        }
        _ => match ruleset.take("code") {
            None => Some(Ruleset::AllCodes),
            Some(field) => {
                let text = field.string(problems, "a string, such as \"0.77\"")?;
                let code = text.parse::<Code>();
                Some(Ruleset::One(HeapGame::Code(problems.ok(&field, code)?)))
            }
        },
    }
}

fn read_family(problems: &mut Problems<'_>, mut fields: Fields<'_>, sum: SumKind) -> Option<Kind> {
    let kind = match one_kind(problems, &mut fields, &["heaps", "codes"]) {
        Some(field) if field.name == "heaps" => Kind::Heaps(read_heaps(problems, &field, sum)),
        Some(field) => {
            let heaps_max = fields
                .require(problems, "heaps_max", "heaps_max = 65536")
                .and_then(|field| {
                    let (min, max) = (SURVEY_HEAP_MIN as i64, SURVEY_HEAP_MAX as i64);
                    field.integer(problems, min, max)
                });
            let codes = read_codes(problems, &field);
            let codes = codes
                .zip(heaps_max)
                .map(|((digits, max_digit), heap)| Codes {
                    digits,
                    max_digit,
                    heaps_max: heap.unsigned_abs(),
                });
            Kind::Codes(codes)
        }
        None => {
            // It belongs to one of the kinds, though not to which.
            fields.take("heaps_max");
            fields.finish(problems);
            return None;
        }
    };
    fields.finish(problems);
    Some(kind)
}

/// Reads a range of heaps such as `0..=1000`, `0..1001` or `7`.
fn read_heaps(problems: &mut Problems<'_>, field: &Field<'_>, sum: SumKind) -> Option<(u64, u64)> {
    let text = field.string(problems, "a string, such as \"0..=1000\"")?;
    let when = match sum {
        SumKind::Disjunctive => " where heaps are added as disjunctive sums",
        SumKind::Obligated => " where heaps are added as obligated sums",
    };
    problems.ok(field, sections::range(text, "heaps", heap_max(sum), when))
}

/// Returns the largest heap whose value is worked out where heaps are added like this.
pub fn heap_max(sum: SumKind) -> u64 {
    match sum {
        SumKind::Disjunctive => HEAP_MAX,
        SumKind::Obligated => OBLIGATED_HEAP_MAX,
    }
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
        let fault = Fault::TooManyCodes { digits, max_digit };
        problems.add(&field.key, field.span.clone(), fault);
        return None;
    }
    Some((digits, max_digit))
}
