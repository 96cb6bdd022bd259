//! Jobs over the heaps of one game: a row for each heap.

use std::sync::Arc;

use cggames::game::heap::{HeapGame, HeapRules, SUBTRACTION_MAX, SubtractionSet};
use cggames::game::{Convention, GameKind, SumKind};
use seedbank_specs::form::{Keys, integer, list, parsed, word};
use seedbank_specs::keys;

use crate::run::Task;
use crate::task::forms::{ENDING_MEANING, ending_form, range_if};
use crate::task::kind::Spec;

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
    /// Who wins: under misère play, rows say who does, too.
    pub ending: Convention,
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

/// The sections of a job of this kind.
pub(super) fn spec(spec: &mut Spec<'_, '_, '_>) -> Option<Arc<dyn Task>> {
    let GameKind::Heaps(game) = spec.game?.kind else {
        return None;
    };
    let HeapKeys { games, sum, ending } = spec
        .ruleset(|keys| rules(keys, game, false))
        .unwrap_or_default();
    let (max, when) = match sum {
        Some(SumKind::Obligated) => {
            let when = " where heaps are added as obligated sums";
            (OBLIGATED_HEAP_MAX, when)
        }
        _ => (HEAP_MAX, " where heaps are added as disjunctive sums"),
    };
    let accepted = "a string, such as \"0..=1000\"";
    let heaps = spec.family(keys!({
        /// the heaps that have a row, such as "0..=1000"
        heaps: range_if(accepted, "heaps", 0, max, when), required;
    }));
    let list = |columns_per_row| HeapsLayout::List { columns_per_row };
    let layout = spec.list_or(list, &[(HeapsLayout::ByValue, "by-value")]);
    let HeapGames::One(game) = games? else {
        return spec.refuse_game("a family of heaps needs a code, such as code = \"0.77\"");
    };
    let (first, last) = heaps?;
    Some(Arc::new(HeapsTask {
        game,
        sum: sum?,
        ending: ending?,
        first,
        last,
        layout: layout?,
    }))
}

/// The keys of `[ruleset]`; each is `None` if it is invalid.
#[derive(Default)]
pub(in crate::task) struct HeapKeys {
    pub(in crate::task) games: Option<HeapGames>,
    /// How heaps are added.
    pub(in crate::task) sum: Option<SumKind>,
    /// Who wins; that is no key of surveys.
    pub(in crate::task) ending: Option<Convention>,
}

/// The games that `[ruleset]` names.
pub(in crate::task) enum HeapGames {
    One(HeapGame),
    /// All that have a code.
    AllCodes,
}

/// The keys of `[ruleset]`. A survey of codes names no game.
pub(in crate::task) fn rules(
    keys: &mut Keys<'_, '_, '_>,
    rules: HeapRules,
    is_survey: bool,
) -> Option<HeapKeys> {
    let games = match rules {
        HeapRules::Grundy => Some(HeapGames::One(HeapGame::Grundy)),
        HeapRules::Subtraction => {
            let number = integer(1, SUBTRACTION_MAX);
            let set = list("an array of numbers, such as [1, 3, 4]", number).distinct();
            let meaning = "the numbers of tokens that may be taken";
            let example = "set = [1, 3, 4], the numbers of tokens that may be taken";
            let set = keys.required("set", meaning, set.try_map(SubtractionSet::new), example);
            set.map(|set| HeapGames::One(HeapGame::Subtraction(set)))
        }
        HeapRules::Code if is_survey && keys.are_described() => None,
        HeapRules::Code => {
            let code = parsed("a string, such as \"0.77\"").map(HeapGame::Code);
            let code = keys.expected("code", "the code, such as \"0.77\", or \"0.3F\"", code);
            code.map(|code| code.map_or(HeapGames::AllCodes, HeapGames::One))
        }
    };
    let accepted = "\"disjunctive\" or \"obligated\"";
    let sums = SumKind::ALL.map(|sum| (sum, sum.name()));
    let meaning = "how heaps are added; disjunctive where it is missing";
    let sum = keys.optional("sum", meaning, word("sum", accepted, sums));
    let sum = sum.map(|sum| sum.unwrap_or(SumKind::Disjunctive));
    let ending = match is_survey {
        true => Some(Convention::Normal),
        false => ending(keys, sum),
    };
    Some(HeapKeys { games, sum, ending })
}

/// The key `ending` of `[ruleset]`.
pub(in crate::task) fn ending(
    keys: &mut Keys<'_, '_, '_>,
    sum: Option<SumKind>,
) -> Option<Convention> {
    let ending = ending_form().then(move |problems, field, ending| {
        if (sum, ending) == (Some(SumKind::Obligated), Convention::Misere) {
            let fault = "obligated values say who wins under either ending; remove `ending`";
            return field.refuse(problems, fault);
        }
        Some(ending)
    });
    let ending = keys.optional("ending", ENDING_MEANING, ending);
    ending.map(Option::unwrap_or_default)
}

/// Returns the largest heap whose value is computed for this kind of sum.
pub fn heap_max(sum: SumKind) -> u64 {
    match sum {
        SumKind::Disjunctive => HEAP_MAX,
        SumKind::Obligated => OBLIGATED_HEAP_MAX,
    }
}
