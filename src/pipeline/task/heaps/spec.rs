//! Jobs over the heaps of one game: a row for each heap.

use std::sync::Arc;

use cggames::game::heap::{Code, HeapGame, HeapRules, SUBTRACTION_MAX, SubtractionSet};
use cggames::game::{GameKind, SumKind};
use seedbank_specs::sections::{self, read_table};
use seedbank_specs::{Fault, Field, Fields, Problems, read_named};

use crate::run::Task;
use crate::task::kind::Sections;

/// The largest heap whose nim-value is computed. Rows of 10^10 heaps of 0.37 take 31 GB of disk
/// space, and their values 20 GB of memory.
pub const HEAP_MAX: u64 = 99_999_999_999;

/// The largest heap whose obligated value is computed.
pub const OBLIGATED_HEAP_MAX: u64 = (1 << 30) - 1;

/// A job over the heaps of one game: a row for each heap.
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
    /// `heap = value`, filled downwards into `columns_per_row` columns.
    List {
        /// Columns side by side.
        columns_per_row: usize,
    },
    /// A row for each value: how many heaps have it, and the first and the last of them.
    ByValue,
}

impl HeapsTask {
    /// Returns the number of heaps that have a row.
    pub fn rows(&self) -> u64 {
        self.last - self.first + 1
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
        game_field: Some(field),
        ruleset: Some(ruleset),
        family,
        mark,
        ..
    } = sections
    else {
        return None;
    };
    let (game, sum) = read_rules(problems, entry.kind, ruleset);
    let heaps =
        mark.and_then(|field| read_heaps(problems, &field, sum.unwrap_or(SumKind::Disjunctive)));
    if let Some(family) = family {
        family.finish(problems);
    }
    let table = read_table(problems, fields, &["list", "by-value"], true);
    let Some(game) = game? else {
        let fault = Fault::Heaps {
            what: "heaps",
            needs: "a code, such as code = \"0.77\"",
        };
        problems.add(&field.key, field.span.clone(), fault);
        return None;
    };
    let ((first, last), (layout, columns_per_row)) = (heaps?, table?);
    Some(Arc::new(HeapsTask {
        game,
        sum: sum?,
        first,
        last,
        layout: match layout {
            "by-value" => HeapsLayout::ByValue,
            _ => HeapsLayout::List { columns_per_row },
        },
    }))
}

/// Reads `[ruleset]`: the game and how heaps are added. The game is `Some(None)` if codes are to be
/// surveyed and none is named.
pub(in crate::task) fn read_rules(
    problems: &mut Problems<'_>,
    game: GameKind,
    mut ruleset: Fields<'_>,
) -> (Option<Option<HeapGame>>, Option<SumKind>) {
    let rules = match game {
        GameKind::Heaps(rules) => read_game(problems, rules, &mut ruleset),
        _ => None,
    };
    let sum = match ruleset.take("sum") {
        Some(field) => field
            .string(problems, "\"disjunctive\" or \"obligated\"")
            .and_then(|name| read_named(problems, &field, name, &SumKind::ALL.map(SumKind::name))),
        None => Some(SumKind::Disjunctive),
    };
    ruleset.finish(problems);
    (rules, sum)
}

fn read_game(
    problems: &mut Problems<'_>,
    rules: HeapRules,
    ruleset: &mut Fields<'_>,
) -> Option<Option<HeapGame>> {
    match rules {
        HeapRules::Grundy => Some(Some(HeapGame::Grundy)),
        HeapRules::Subtraction => {
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
            Some(Some(HeapGame::Subtraction(set)))
        }
        HeapRules::Code => match ruleset.take("code") {
            None => Some(None),
            Some(field) => {
                let text = field.string(problems, "a string, such as \"0.77\"")?;
                let code = text.parse::<Code>();
                Some(Some(HeapGame::Code(problems.ok(&field, code)?)))
            }
        },
    }
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

/// Returns the largest heap whose value is computed for this kind of sum.
pub fn heap_max(sum: SumKind) -> u64 {
    match sum {
        SumKind::Disjunctive => HEAP_MAX,
        SumKind::Obligated => OBLIGATED_HEAP_MAX,
    }
}
