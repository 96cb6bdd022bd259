//! Fits one notation to the values of several rows, in terms of counts.

use cgvalues::{Arena, Calculator, Dyadic, ValueId};

use super::known::Entry;
use crate::proof::notation::linear_text;
use crate::proof::{Linear, Value};

/// Returns the notation of a value in terms of counts that fits all entries; `None` if none is
/// found.
pub(super) fn fit(entries: &[Entry], names: &[char], arena: &Arena) -> Option<String> {
    let (first, rest) = entries.split_first()?;
    if rest.iter().all(|entry| entry.1 == first.1) {
        return Some(arena.notation(first.1).to_string());
    }
    let integer = |entry: &Entry| arena.number(entry.1)?.to_integer();
    if let Some(integers) = entries.iter().map(integer).collect::<Option<Vec<i64>>>() {
        return linear(entries, &integers).map(|linear| linear_text(&linear, names));
    }
    if entries.iter().any(|entry| arena.number(entry.1).is_some()) {
        return None;
    }
    let side = |options: fn(&Arena, ValueId) -> Vec<ValueId>| -> Option<String> {
        let lists = entries.iter().map(|entry| options(arena, entry.1));
        let lists: Vec<Vec<ValueId>> = lists.collect();
        let count = lists[0].len();
        if lists.iter().any(|list| list.len() != count) {
            return None;
        }
        let option = |at: usize| {
            let entries = entries.iter().zip(&lists);
            let entries: Vec<Entry> = entries
                .map(|(entry, list)| (entry.0.clone(), list[at]))
                .collect();
            fit(&entries, names, arena)
        };
        Some(
            (0..count)
                .map(option)
                .collect::<Option<Vec<_>>>()?
                .join(","),
        )
    };
    let (left, right) = (side(Arena::left_options)?, side(Arena::right_options)?);
    Some(format!("{{{left}|{right}}}"))
}

/// Returns the integer in terms of counts that fits all entries.
fn linear(entries: &[Entry], integers: &[i64]) -> Option<Linear> {
    let first = &entries[0].0;
    let mut linear = Linear::constant(0, first.len());
    for count in 0..first.len() {
        let is_next = |entry: &Entry| {
            let mut counts = entry.0.iter().zip(first).enumerate();
            counts.all(|(at, (other, own))| other - own == i64::from(at == count))
        };
        let next = entries.iter().position(is_next)?;
        linear.factors[count] = integers[next] - integers[0];
    }
    linear.constant = integers[0] - linear.at(first);
    let mut given = entries.iter().map(|entry| linear.at(&entry.0));
    given
        .by_ref()
        .eq(integers.iter().copied())
        .then_some(linear)
}

/// Returns the notation of a value in terms of counts; `None` if a constant in it is too large.
pub(super) fn text(
    value: &Value,
    names: &[char],
    calculator: &mut Calculator<'_>,
) -> Option<String> {
    if (0..names.len()).all(|count| !value.depends_on(count)) {
        let form = form(value, &vec![0; names.len()], calculator)?;
        return Some(calculator.arena().notation(form).to_string());
    }
    match value {
        Value::Integer(integer) => Some(linear_text(integer, names)),
        Value::Options(left, right) => {
            let mut side = |values: &[Value]| -> Option<String> {
                let texts = values.iter().map(|value| text(value, names, calculator));
                Some(texts.collect::<Option<Vec<_>>>()?.join(","))
            };
            let (left, right) = (side(left)?, side(right)?);
            Some(format!("{{{left}|{right}}}"))
        }
    }
}

/// Returns the canonical form for some counts; `None` if it is too large.
pub(super) fn form(
    value: &Value,
    counts: &[i64],
    calculator: &mut Calculator<'_>,
) -> Option<ValueId> {
    match value {
        Value::Integer(integer) => calculator.number(Dyadic::integer(integer.at(counts))).ok(),
        Value::Options(left, right) => {
            let mut side = |values: &[Value]| -> Option<Vec<ValueId>> {
                let forms = values.iter().map(|value| form(value, counts, calculator));
                forms.collect()
            };
            let (mut left, mut right) = (side(left)?, side(right)?);
            calculator.canonical(&mut left, &mut right).ok()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_in_braces_are_fitted_one_by_one() {
        let arena = Arena::new();
        let mut calculator = arena.calculator();
        let mut entries = Vec::new();
        for m in 1..4 {
            for n in 1..4 {
                let text = format!("{{{}|{}}}", n + 1, -2 * m);
                entries.push((vec![m, n], calculator.parse(&text).unwrap()));
            }
        }
        assert_eq!(
            fit(&entries, &['m', 'n'], &arena).as_deref(),
            Some("{n+1|-2m}")
        );
        entries[4].1 = calculator.parse("{3|-5}").unwrap();
        assert_eq!(fit(&entries, &['m', 'n'], &arena), None);
    }
}
