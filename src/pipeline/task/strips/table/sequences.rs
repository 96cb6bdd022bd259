//! The values of patterns of one variable, for pages.

use cggames::family::{BoundPattern, Subfamily, Values};

use super::names::{Names, SHOWN};
use crate::dataset::{PositionRow, ValueColumns, Wanted};
use crate::report::ReportError;
use crate::report::page::{MEMBERS_MAX, SEQUENCES_MAX, Sequence, SequenceMember};
use crate::report::table::CELLS_MAX;
use crate::run::Reading;
use crate::task::strips::StripTask;

/// The columns that curves show, beside those of a table.
const NUMBERS: [&str; 6] = [
    "left_stop",
    "right_stop",
    "mean",
    "temperature",
    "birthday",
    "nim_value",
];

/// Returns the values of each pattern in which one variable has several values, along that variable. Results with more rows than
/// a table has cells have none.
pub(super) fn sequences(
    task: &StripTask,
    reading: &Reading<'_>,
    names: &mut Names<'_>,
) -> Result<Vec<Sequence>, ReportError> {
    let subfamilies = task.family.subfamilies();
    let places: Vec<Option<usize>> = subfamilies
        .iter()
        .map(|subfamily| as_pattern(subfamily).and_then(varying))
        .collect();
    if task.family.len() > CELLS_MAX || places.iter().all(Option::is_none) {
        return Ok(Vec::new());
    }
    let shown = SHOWN.into_iter().chain(["kind", "followers"]);
    let rows = reading.counted(Wanted::columns(shown.chain(NUMBERS)))?;
    let mut rows = (reading.ranks.iter().cloned().flatten())
        .zip(rows)
        .peekable();
    let mut sequences = Vec::new();
    let mut end = 0;
    for (subfamily, place) in subfamilies.iter().zip(places) {
        end += subfamily.len();
        let mut sequence = as_pattern(subfamily)
            .zip(place)
            .filter(|_| sequences.len() < SEQUENCES_MAX)
            .map(|(pattern, place)| (empty(pattern, place), pattern, place));
        let first = end - subfamily.len();
        while let Some((rank, row)) = rows.next_if(|(rank, _)| *rank < end) {
            let row: PositionRow = row?;
            if let Some((sequence, pattern, place)) = &mut sequence
                && sequence.members.len() < MEMBERS_MAX
            {
                let n = pattern.values()[*place].get(rank - first);
                sequence.has_followers |= row.followers.is_some();
                sequence
                    .members
                    .push(member(pattern, *place, n, &row, names)?);
            }
        }
        if let Some((mut sequence, ..)) = sequence {
            sequence.members.sort_by_key(|member| member.n);
            sequences.push(sequence);
        }
    }
    Ok(sequences)
}

/// Returns the pattern of a subfamily, if it has one.
pub(super) fn as_pattern(subfamily: &Subfamily) -> Option<&BoundPattern> {
    match subfamily {
        Subfamily::Pattern(bound) => Some(bound),
        _ => None,
    }
}

/// Returns the place of the variable that has several values, if it is the only one.
fn varying(pattern: &BoundPattern) -> Option<usize> {
    let mut places = (0..pattern.values().len()).filter(|&place| pattern.values()[place].len() > 1);
    let place = places.next()?;
    places.next().is_none().then_some(place)
}

fn empty(pattern: &BoundPattern, place: usize) -> Sequence {
    let names = pattern.pattern().variables();
    let fixed = (names.iter().zip(pattern.values()))
        .filter(|(_, values)| values.len() == 1)
        .map(|(name, values)| format!(", {name} = {}", values.get(0)));
    Sequence {
        pattern: format!("{}{}", pattern.pattern_text(), fixed.collect::<String>()),
        variable: names[place].to_string(),
        all: pattern.len(),
        ..Sequence::default()
    }
}

fn member(
    pattern: &BoundPattern,
    place: usize,
    n: i64,
    row: &PositionRow,
    names: &mut Names<'_>,
) -> Result<SequenceMember, ReportError> {
    let bound = |(other, values): (usize, &Values)| match other == place {
        true => n,
        false => values.get(0),
    };
    let binding: Vec<i64> = pattern.values().iter().enumerate().map(bound).collect();
    let value = row.value.as_ref();
    let number = |of: fn(&ValueColumns<'_>) -> Option<f64>| value.and_then(of);
    Ok(SequenceMember {
        n,
        position: pattern.pattern().instance(&binding),
        value: names.show(row)?,
        numbers: [
            number(|value| value.left_stop),
            number(|value| value.mean),
            number(|value| value.right_stop),
            number(|value| value.temperature),
            number(|value| value.birthday.map(f64::from)),
            number(|value| value.nim_value.map(f64::from)),
            row.followers.map(|followers| followers as f64),
        ],
    })
}
