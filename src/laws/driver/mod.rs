//! The search for laws in one column: tries each kind of law in turn while some entries have no
//! law.

mod findings;
mod sequences;
mod tables;
mod values;

use cgvalues::Arena;

use super::column::{Column, Entries};
use super::options::LawKind;
use super::statement::{EntryError, Mined};
use findings::Mining;
use values::negatives;

/// Returns the laws of a column of some kinds; see [`mine`](super::mine).
pub(super) fn mined(
    column: &Column,
    others: &[&Column],
    place: Option<&[i64]>,
    kinds: &[LawKind],
) -> Result<Mined, EntryError> {
    let arena = Arena::new();
    let mut calculator = arena.calculator();
    let mut mining = Mining {
        column,
        place,
        mined: Mined::default(),
        is_given: vec![false; column.len()],
    };
    let is_sought = |kind: LawKind| kinds.contains(&kind);
    let sequence = column.sequence();
    let has_period = sequence
        .as_ref()
        .filter(|_| is_sought(LawKind::Periods))
        .is_some_and(|(first, words)| mining.period(*first, words));
    if !has_period {
        if column.entries != Entries::Words && is_sought(LawKind::Values) {
            mining.values(&mut calculator)?;
        }
        if let Some((first, words)) = sequence
            && column.entries == Entries::Integers
            && is_sought(LawKind::Recurrences)
            && !mining.is_all_given()
        {
            mining.recurrence(first, &words);
        }
    }
    if column.entries == Entries::Integers && is_sought(LawKind::Products) {
        mining.product();
    }
    let is_table = column.variables.len() > 1;
    if is_table && is_sought(LawKind::Periods) && !mining.is_all_given() {
        mining.residues();
    }
    if column.variables.len() == 2 && is_sought(LawKind::Rules) && !mining.is_all_given() {
        mining.rule(others, &negatives(column, &mut calculator)?);
    }
    if column.entries != Entries::Words
        && is_sought(LawKind::Values)
        && mining.mined.laws.is_empty()
    {
        mining.short(&mut calculator)?;
    }
    let Mining {
        mut mined,
        is_given,
        ..
    } = mining;
    mined.unexplained = is_given.iter().filter(|is_given| !**is_given).count();
    Ok(mined)
}
