//! What the sections of jobs without positions on strips have in common: kinds of family, ranges, layouts.

use super::error::Fault;
use super::fields::{Field, Fields, Problems};
use super::read_choice;
use super::table::COLUMNS_MAX;

/// Takes the one kind of family that there must be; `None` where there is none, or a second one.
pub(super) fn one_kind<'a>(
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

/// Returns the first and the last number of a range such as `0..=1000`, `0..1001` or `7`; `None` where the text is no
/// such range, is empty or goes beyond `max`.
pub(super) fn range(text: &str, max: u64) -> Option<(u64, u64)> {
    let number = |text: &str| {
        let digits = text.trim();
        let plain = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        digits.parse::<u64>().ok().filter(|_| plain)
    };
    let (first, last) = match (text.split_once("..="), text.split_once("..")) {
        (Some((first, last)), _) => (number(first)?, number(last)?),
        (None, Some((first, end))) => (number(first)?, number(end)?.checked_sub(1)?),
        (None, None) => (number(text)?, number(text)?),
    };
    (first <= last && last <= max).then_some((first, last))
}

/// Reads a range of numbers up to `max`; `what` names them, in the plural.
pub(super) fn read_range(
    problems: &mut Problems<'_>,
    field: &Field<'_>,
    what: &'static str,
    max: u64,
) -> Option<(u64, u64)> {
    let text = field.string(problems, "a string, such as \"0..=1000\"")?;
    let refuse = || Fault::Range {
        what,
        found: text.to_owned(),
        max,
        when: "",
    };
    problems.ok(field, range(text, max).ok_or_else(refuse))
}

/// Reads `[table]`: the layout's name, and how many columns there are side by side.
///
/// `lists` says whether layout `list` has such columns.
pub(super) fn read_layout(
    problems: &mut Problems<'_>,
    mut fields: Fields<'_>,
    layouts: &[&'static str],
    lists: bool,
) -> Option<(&'static str, usize)> {
    let layout = fields
        .require(problems, "layout", "layout = \"list\"")
        .and_then(|field| read_choice(problems, &field, "layout", layouts))?;
    let columns = match lists && layout == "list" {
        true => fields.take("columns_per_row"),
        false => None,
    };
    let columns = match columns {
        Some(field) => field.integer(problems, 1, COLUMNS_MAX),
        None => Some(1),
    };
    fields.finish(problems);
    Some((layout, usize::try_from(columns?).ok()?))
}

#[cfg(test)]
mod tests {
    use super::range;

    #[test]
    fn ranges_ascend_within_bounds() {
        for (text, found) in [
            ("0..=9", Some((0, 9))),
            ("3..9", Some((3, 8))),
            (" 7 ", Some((7, 7))),
            ("9", Some((9, 9))),
            ("10", None),
            ("0..=10", None),
            ("0..10", Some((0, 9))),
            ("4..=3", None),
            ("4..4", None),
            ("0..0", None),
            ("", None),
            ("-1..=3", None),
            ("+1", None),
            ("1..2..3", None),
            ("99999999999999999999", None),
        ] {
            assert_eq!(range(text, 9), found, "{text}");
        }
    }
}
