//! Values whose notation is too long for a result, described from its rows and its table of forms.

use std::collections::{BTreeSet, HashMap};

use cgvalues::{Arena, Calculator, ValueDigest, ValueId};

use super::Reading;
use crate::dataset::positions::OUTCOMES;
use crate::dataset::{FormRow, PositionRow, Wanted};
use crate::report::ReportError;
use crate::report::colours::{LongValue, LongValues};
use crate::report::table::ValueText;

/// The most forms of a table that is read for the heads of values.
///
/// Unit: rows, of some 200 bytes each in memory.
const FORMS_MAX: u64 = 200_000;

/// The most forms that are visited to count those of values.
const VISITS_MAX: usize = 4_000_000;

/// The most characters of the head of a value.
const HEAD_MAX: usize = 300;

/// A form with at most this number of followers is written as a value in a head, if it has at most this number of characters.
const NAMED_MAX: usize = 64;

/// The columns that describe a value.
const COLUMNS: [&str; 9] = [
    "value",
    "value_digest",
    "outcome",
    "kind",
    "birthday",
    "left_stop",
    "right_stop",
    "mean",
    "temperature",
];

/// Returns what a result has about the values that stand as digests.
///
/// # Errors
///
/// Rows that cannot be read.
pub(super) fn long_values<'v>(
    reading: &Reading<'_>,
    shown: impl Iterator<Item = &'v ValueText>,
    has_forms: bool,
) -> Result<LongValues, ReportError> {
    let digests = shown.filter(|value| matches!(value, ValueText::Digest(_)));
    let wanted: BTreeSet<String> = digests.map(ValueText::plain).collect();
    let mut long = LongValues::new();
    let (Some(rows), false) = (reading.rows, wanted.is_empty()) else {
        return Ok(long);
    };
    let mut digests = Vec::new();
    for row in rows.rows::<PositionRow>(Wanted::columns(COLUMNS))? {
        let row = row?;
        let Some(value) = row.value.filter(|value| value.value.is_none()) else {
            continue;
        };
        let digest = ValueDigest(value.value_digest).to_string();
        // Its text is as long as the table makes it.
        let Some(text) = wanted.iter().find(|text| digest.starts_with(&text[1..])) else {
            continue;
        };
        if long.contains_key(text) {
            continue;
        }
        digests.push((text.clone(), value.value_digest));
        let outcome = row.outcome.as_deref();
        long.insert(
            text.clone(),
            LongValue {
                digest,
                outcome: OUTCOMES.into_iter().find(|&known| Some(known) == outcome),
                kind: value.kind.into_owned(),
                birthday: value.birthday,
                stops: [value.left_stop, value.right_stop],
                mean: value.mean,
                temperature: value.temperature,
                ..LongValue::default()
            },
        );
    }
    if has_forms && rows.count::<FormRow>()? <= FORMS_MAX {
        let mut forms = Forms::read(reading)?;
        for (text, digest) in digests {
            if let Some(value) = long.get_mut(&text) {
                value.forms = forms.count(digest);
                value.head = forms.head(digest);
            }
        }
    }
    Ok(long)
}

type Digest = [u8; 16];

/// A table of forms, by digest.
struct Forms {
    rows: HashMap<Digest, FormRow>,
    visits_left: usize,
}

impl Forms {
    fn read(reading: &Reading<'_>) -> Result<Forms, ReportError> {
        let mut rows = HashMap::new();
        for row in reading.scan().rows::<FormRow>(Wanted::all())? {
            let row = row?;
            rows.insert(row.value_digest, row);
        }
        Ok(Forms {
            rows,
            visits_left: VISITS_MAX,
        })
    }

    /// Returns the distinct followers of a form, itself included, each after its options; `None` if they are more than `most`, or
    /// the table lacks one.
    fn followers(&self, digest: Digest, most: usize) -> Option<Vec<&FormRow>> {
        let mut met = BTreeSet::new();
        let mut ordered = Vec::new();
        // A form, and whether its options have been met.
        let mut open = vec![(digest, false)];
        while let Some((digest, is_done)) = open.pop() {
            let form = self.rows.get(&digest)?;
            if is_done {
                ordered.push(form);
                continue;
            }
            if !met.insert(digest) {
                continue;
            }
            if met.len() > most {
                return None;
            }
            open.push((digest, true));
            let options = form.left_options.iter().chain(&form.right_options);
            open.extend(options.map(|&option| (option, false)));
        }
        Some(ordered)
    }

    /// Counts the distinct followers of a form while visits are left.
    fn count(&mut self, digest: Digest) -> Option<u64> {
        let count = self.followers(digest, self.visits_left)?.len();
        self.visits_left -= count;
        Some(count as u64)
    }

    /// Returns the beginning of a form's notation in braces, in which small forms are written as values.
    fn head(&self, digest: Digest) -> Option<String> {
        let arena = Arena::new();
        let mut calculator = arena.calculator();
        let mut text = String::new();
        // What is still to be written, the next one last.
        let mut open = vec![Piece::Form(digest)];
        while let Some(piece) = open.pop() {
            match piece {
                Piece::Sign(sign) => text.push(sign),
                Piece::Form(digest) => match self.named(digest, &mut calculator) {
                    Some(name) => text.push_str(&name),
                    None => {
                        let form = self.rows.get(&digest)?;
                        text.push('{');
                        open.push(Piece::Sign('}'));
                        put_options(&mut open, &form.right_options);
                        open.push(Piece::Sign('|'));
                        put_options(&mut open, &form.left_options);
                    }
                },
            }
            if text.len() > HEAD_MAX {
                return Some(text.chars().take(HEAD_MAX).chain(['…']).collect());
            }
        }
        Some(text)
    }

    /// Returns the notation of a small form.
    fn named(&self, digest: Digest, calculator: &mut Calculator<'_>) -> Option<String> {
        let mut values: HashMap<Digest, ValueId> = HashMap::new();
        let followers = self.followers(digest, NAMED_MAX)?;
        if followers.iter().any(|form| form.is_loopy()) {
            return None;
        }
        for form in followers {
            let of = |options: &[Digest]| -> Vec<ValueId> {
                options.iter().map(|option| values[option]).collect()
            };
            let (mut left, mut right) = (of(&form.left_options), of(&form.right_options));
            let value = calculator.canonical(&mut left, &mut right).ok()?;
            values.insert(form.value_digest, value);
        }
        (calculator.arena()).notation_limited(values[&digest], NAMED_MAX)
    }
}

/// A piece of a notation in braces.
enum Piece {
    Sign(char),
    Form(Digest),
}

/// Adds options with commas between them, the first one last.
fn put_options(open: &mut Vec<Piece>, options: &[Digest]) {
    for (place, &option) in options.iter().enumerate().rev() {
        open.push(Piece::Form(option));
        if place > 0 {
            open.push(Piece::Sign(','));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_head_has_small_forms_as_values_and_ends_with_an_ellipsis() {
        let row = |name: u8, left: &[u8], right: &[u8]| {
            let digests = |names: &[u8]| names.iter().map(|&name| [name; 16]).collect();
            let form = FormRow {
                value_digest: [name; 16],
                left_options: digests(left),
                right_options: digests(right),
                ..FormRow::default()
            };
            (form.value_digest, form)
        };
        // 0, * and ^; then a form of 100 followers that has * among its options.
        let mut rows = HashMap::from([row(0, &[], &[]), row(1, &[0], &[0]), row(2, &[0], &[1])]);
        rows.extend((3..100).map(|name| row(name, &[1, name - 1], &[2])));
        let mut forms = Forms {
            rows,
            visits_left: VISITS_MAX,
        };
        assert_eq!(forms.head([2; 16]).as_deref(), Some("^"));
        assert_eq!(forms.count([99; 16]), Some(100));
        let head = forms.head([99; 16]).unwrap();
        assert!(head.starts_with("{*,{*,{*,"), "{head}");
        assert_eq!(forms.count([200; 16]), None, "not in the table");
        forms.visits_left = 50;
        assert_eq!(forms.count([99; 16]), None);
    }
}
