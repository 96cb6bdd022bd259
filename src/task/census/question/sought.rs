//! The values sought: the keys `value` and `pattern`.

use std::fmt::Write as _;

use crate::family::{SweepError, Values};
use crate::job::{Fault, Field, Problems};
use crate::task::strips::read_values;
use crate::value::{Arena, Calculator, Digester, ParseValueError, ValueDigest};

/// The most values that one pattern may stand for.
pub const SOUGHT_MAX: u64 = 1 << 16;

/// A value sought.
#[derive(Clone, Debug, PartialEq)]
pub struct Sought {
    /// As it is written, the variables replaced by numbers.
    pub text: String,
    /// What the variables of the pattern are replaced by.
    pub variables: Vec<i64>,
    /// The digest of its canonical form.
    pub digest: ValueDigest,
}

/// Reads `value`: one in notation, or a list of them.
pub(super) fn read_sought(problems: &mut Problems<'_>, field: &Field<'_>) -> Option<Vec<Sought>> {
    const ACCEPTED: &str = "a value in notation, such as \"*10\", or a list of such";
    let fields = match field.value.is_array() {
        true => field.array(problems, ACCEPTED)?,
        false => vec![field.clone()],
    };
    let arena = Arena::new();
    let mut reader = Reader::new(&arena);
    let mut all = Some(Vec::new());
    for field in fields {
        let sought = field.string(problems, ACCEPTED).and_then(|text| {
            reader
                .sought(text.to_owned(), Vec::new())
                .map_err(|source| {
                    let text = text.to_owned();
                    let span = field.span.clone();
                    problems.add(&field.key, span, Fault::Sought { text, source });
                })
                .ok()
        });
        all = all.zip(sought).map(|(mut all, sought)| {
            all.push(sought);
            all
        });
    }
    all
}

struct Reader<'a> {
    calculator: Calculator<'a>,
    digester: Digester<'a>,
}

impl<'a> Reader<'a> {
    fn new(arena: &'a Arena) -> Reader<'a> {
        Reader {
            calculator: arena.calculator(),
            digester: Digester::new(arena),
        }
    }

    fn sought(&mut self, text: String, variables: Vec<i64>) -> Result<Sought, ParseValueError> {
        let value = self.calculator.parse(&text)?;
        Ok(Sought {
            text,
            variables,
            digest: self.digester.digest(value),
        })
    }
}

/// Reads `pattern`: notation in which variables stand for numbers.
pub(super) fn read_pattern(
    problems: &mut Problems<'_>,
    field: &Field<'_>,
    bindings: Vec<Field<'_>>,
) -> Option<(Vec<Sought>, Vec<String>)> {
    let mut ranges = Some(Vec::new());
    for binding in &bindings {
        let values = read_values(problems, binding);
        ranges = ranges.zip(values).map(|(mut ranges, values)| {
            ranges.push((binding.name.clone(), values));
            ranges
        });
    }
    let text = field.string(problems, "a string, such as \"1/2^k\"")?;
    let pieces = pieces(text);
    let mut names: Vec<char> = Vec::new();
    for piece in &pieces {
        if let Piece::Variable(name) | Piece::Power(_, name) = piece
            && !names.contains(name)
        {
            names.push(*name);
        }
    }
    let mut sound = true;
    for &variable in &names {
        if !bindings.iter().any(|b| b.name.chars().eq([variable])) {
            let help = format!("add `{variable} = \"1..=9\"` below the pattern");
            let fault = SweepError::Unbound { variable };
            problems.add_with_help(&field.key, field.span.clone(), fault, Some(help));
            sound = false;
        }
    }
    for binding in &bindings {
        let variable = binding.name.chars().next().unwrap_or_default();
        if !names.contains(&variable) {
            let help = match variable {
                'v' => Some("v is down; name the variable otherwise".to_owned()),
                _ => Some("remove it, or use the variable in the pattern".to_owned()),
            };
            let fault = SweepError::Unused {
                variable,
                pattern: text.to_owned(),
            };
            problems.add_with_help(&binding.key, binding.key_span.clone(), fault, help);
            sound = false;
        }
    }
    let ranges = ranges.filter(|_| sound)?;
    let range = |name: &char| -> &Values {
        let bound = ranges.iter().find(|(n, _)| n.chars().eq([*name]));
        &bound.expect("every variable has a range here").1
    };
    let ranges: Vec<&Values> = names.iter().map(range).collect();
    let found = ranges
        .iter()
        .try_fold(1u64, |n, values| n.checked_mul(values.len()));
    let Some(count) = found.filter(|&n| n <= SOUGHT_MAX) else {
        problems.add(
            &field.key,
            field.span.clone(),
            Fault::TooManySought { max: SOUGHT_MAX },
        );
        return None;
    };
    let arena = Arena::new();
    let mut reader = Reader::new(&arena);
    let mut all = Vec::new();
    for rank in 0..count {
        let mut rest = rank;
        let mut values = vec![0; ranges.len()];
        for (slot, range) in values.iter_mut().zip(&ranges).rev() {
            *slot = range.get(rest % range.len());
            rest /= range.len();
        }
        let Some(text) = substituted(&pieces, &names, &values) else {
            let fault = Fault::Witness {
                needs: "powers of 0 or more and below 2^127 in the pattern",
            };
            problems.add(&field.key, field.span.clone(), fault);
            return None;
        };
        match reader.sought(text.clone(), values) {
            Ok(sought) => all.push(sought),
            Err(source) => {
                let fault = Fault::Sought { text, source };
                problems.add(&field.key, field.span.clone(), fault);
                return None;
            }
        }
    }
    let names = names.iter().map(char::to_string).collect();
    Some((all, names))
}

/// A part of a pattern of values.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Piece {
    Text(String),
    Variable(char),
    /// An integer to the power of a variable, as in `1/2^k`.
    Power(u32, char),
}

/// Takes a pattern apart. A lowercase letter alone, but `v`, is a variable. A variable that follows a number and
/// `^` is the number's exponent: `1/2^k` is a dyadic; so many ups are written `k.^`.
fn pieces(text: &str) -> Vec<Piece> {
    let chars: Vec<char> = text.chars().collect();
    let letter = |i: usize| chars.get(i).is_some_and(char::is_ascii_alphabetic);
    let variable = |i: usize| -> Option<char> {
        let c = *chars.get(i)?;
        let alone = !letter(i + 1) && (i == 0 || !letter(i - 1));
        (c.is_ascii_lowercase() && c != 'v' && alone).then_some(c)
    };
    let mut pieces = Vec::new();
    let mut plain = String::new();
    let mut i = 0;
    while i < chars.len() {
        let digits = chars[i..].iter().take_while(|c| c.is_ascii_digit()).count();
        let power = (digits > 0 && chars.get(i + digits) == Some(&'^'))
            .then(|| variable(i + digits + 1))
            .flatten();
        let base: String = chars[i..i + digits].iter().collect();
        let piece = match (power, base.parse(), variable(i)) {
            (Some(name), Ok(base), _) => Some((Piece::Power(base, name), digits + 2)),
            (_, _, Some(name)) => Some((Piece::Variable(name), 1)),
            _ => None,
        };
        let Some((piece, width)) = piece else {
            let width = digits.max(1);
            plain.extend(&chars[i..i + width]);
            i += width;
            continue;
        };
        if !plain.is_empty() {
            pieces.push(Piece::Text(std::mem::take(&mut plain)));
        }
        pieces.push(piece);
        i += width;
    }
    if !plain.is_empty() {
        pieces.push(Piece::Text(plain));
    }
    pieces
}

fn substituted(pieces: &[Piece], names: &[char], values: &[i64]) -> Option<String> {
    let value = |name: &char| {
        let place = names.iter().position(|other| other == name);
        values[place.expect("every variable of the pattern has a name")]
    };
    let mut text = String::new();
    for piece in pieces {
        // Writing to a string cannot fail.
        let _ = match piece {
            Piece::Text(plain) => write!(text, "{plain}"),
            Piece::Variable(name) => write!(text, "{}", value(name)),
            Piece::Power(base, name) => {
                let exponent = u32::try_from(value(name)).ok()?;
                write!(text, "{}", i128::from(*base).checked_pow(exponent)?)
            }
        };
    }
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_stand_alone_and_powers_are_of_numbers() {
        let text = |pattern: &str, names: &str, values: &[i64]| {
            let names: Vec<char> = names.chars().collect();
            substituted(&pieces(pattern), &names, values)
        };
        for (pattern, names, values, expected) in [
            ("1/2^k", "k", &[3][..], "1/8"),
            ("Tiny(1/2^k)", "k", &[10], "Tiny(1/1024)"),
            ("n.^ + *m", "nm", &[2, 5], "2.^ + *5"),
            ("n.^ + ^<k> + *m", "nkm", &[1, 2, 3], "1.^ + ^<2> + *3"),
            ("1/2v", "", &[], "1/2v"),
            ("{k|-k}", "k", &[4], "{4|-4}"),
            ("12^2", "", &[], "12^2"),
        ] {
            assert_eq!(text(pattern, names, values).as_deref(), Some(expected));
        }
        assert_eq!(text("1/2^k", "k", &[-1]), None);
        assert_eq!(text("1/2^k", "k", &[200]), None);
    }
}
