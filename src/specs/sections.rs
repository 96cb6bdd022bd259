//! Sections that several kinds of jobs share: kinds of family, ranges, layouts.

use cggames::family::{Progression, ProgressionError};

use super::error::Fault;
use super::fields::{Field, Fields, Problems};
use super::read_choice;

/// The largest number of columns side by side in a spec.
pub const COLUMNS_MAX: i64 = 100;

/// Takes the one kind of family; returns `None` if there is none, or a second one.
pub fn one_kind<'a>(
    problems: &mut Problems<'_>,
    fields: &mut Fields<'a>,
    kinds: &[&'static str],
) -> Option<Field<'a>> {
    let mut given: Vec<Field<'a>> = kinds.iter().filter_map(|kind| fields.take(kind)).collect();
    given.sort_by_key(|field| field.key_span.start);
    let accepted = kinds.join(", ");
    let mut given = given.into_iter();
    match (given.next(), given.next()) {
        (Some(kind), None) => Some(kind),
        (Some(first), Some(second)) => {
            let first = first.name;
            let fault = Fault::ManyKinds { first, accepted };
            problems.add(&second.key, second.key_span, fault);
            None
        }
        (None, _) => {
            problems.add(&fields.key, fields.span.clone(), Fault::NoKind { accepted });
            None
        }
    }
}

/// Returns the first and the last number of a range such as `0..=1000`, `0..1001` or `7`. A job has
/// rows for all numbers of the range.
///
/// # Errors
///
/// [`Fault::Range`] if the text is no such range, or the range is empty or exceeds `max`;
/// [`Fault::Step`] if it leaves numbers out.
pub fn range(
    text: &str,
    what: &'static str,
    max: u64,
    when: &'static str,
) -> Result<(u64, u64), Fault> {
    let found = || text.to_owned();
    match Progression::parse(text, 0, max) {
        Ok(range) if range.step() == 1 => Ok((range.first(), range.last())),
        Ok(_) | Err(ProgressionError::Step { .. }) => Err(Fault::Step {
            what,
            found: found(),
        }),
        Err(_) => Err(Fault::Range {
            what,
            found: found(),
            max,
            when,
        }),
    }
}

/// Reads a range of numbers up to `max`; `what` names them, in the plural.
pub fn read_range(
    problems: &mut Problems<'_>,
    field: &Field<'_>,
    what: &'static str,
    max: u64,
) -> Option<(u64, u64)> {
    let text = field.string(problems, "a string, such as \"0..=1000\"")?;
    problems.ok(field, range(text, what, max, ""))
}

/// A key of a table in a spec whose value is a range.
pub struct RangeKey {
    /// Its name.
    pub name: &'static str,
    /// An example of the key.
    pub example: &'static str,
    /// What the numbers are, in the plural.
    pub what: &'static str,
    /// The least number accepted.
    pub min: u64,
    /// The greatest.
    pub max: u64,
}

/// Reads a table of ranges, all of them required: the first and the last number of each.
pub fn read_ranges<const N: usize>(
    problems: &mut Problems<'_>,
    field: &Field<'_>,
    accepted: &'static str,
    keys: [RangeKey; N],
) -> Option<[(u64, u64); N]> {
    let mut fields = field.table(problems, accepted)?;
    let ranges = keys.map(|key| {
        let field = fields.require(problems, key.name, key.example)?;
        let (first, last) = read_range(problems, &field, key.what, key.max)?;
        if first < key.min {
            let fault = Fault::OutOfRange {
                found: first.to_string(),
                min: key.min as i64,
                max: key.max as i64,
            };
            problems.add(&field.key, field.span.clone(), fault);
            return None;
        }
        Some((first, last))
    });
    fields.finish(problems);
    ranges
        .iter()
        .all(Option::is_some)
        .then(|| ranges.map(Option::unwrap_or_default))
}

/// Reports a job with too many rows; `what` names them, in the plural.
pub fn at_most_rows(
    problems: &mut Problems<'_>,
    field: &Field<'_>,
    what: &'static str,
    found: u64,
    max: u64,
) -> Option<()> {
    if found <= max {
        return Some(());
    }
    let fault = Fault::TooManyRows { what, found, max };
    problems.add(&field.key, field.span.clone(), fault);
    None
}

/// Takes the section `[table]`: the layout's name, and the number of columns side by side. The
/// default is a list.
///
/// `lists` says whether layout `list` has such columns.
pub fn read_table(
    problems: &mut Problems<'_>,
    fields: &mut Fields<'_>,
    layouts: &[&'static str],
    lists: bool,
) -> Option<(&'static str, usize)> {
    match fields.take("table") {
        Some(field) => field
            .table(problems, "a section [table]")
            .and_then(|fields| read_layout(problems, fields, layouts, lists)),
        None => Some(("list", 1)),
    }
}

/// Reads `[table]`: the layout's name, and the number of columns side by side.
///
/// `lists` says whether layout `list` has such columns.
pub fn read_layout(
    problems: &mut Problems<'_>,
    mut fields: Fields<'_>,
    layouts: &[&'static str],
    lists: bool,
) -> Option<(&'static str, usize)> {
    let layout = fields
        .require(problems, "layout", "layout = \"list\"")
        .and_then(|field| read_choice(problems, &field, "layout", layouts))?;
    let columns = if lists && layout == "list" {
        fields.take("columns_per_row")
    } else {
        None
    };
    let columns = match columns {
        Some(field) => field.integer(problems, 1, COLUMNS_MAX),
        None => Some(1),
    };
    fields.finish(problems);
    Some((layout, usize::try_from(columns?).ok()?))
}
