//! Values with variables in their notation: `{n|-m}`, `Tiny(1/2^k)`, `n.^ + *m`.
//!
//! A lowercase letter that stands alone is a variable, except `v`, which is down. Numbers replace
//! the variables, and the [parser of values](super::Calculator::parse) reads the result: `{n+1|0}`
//! for n = 2 is `{2+1|0}`. A number right before a variable multiplies it, so that `2n` for n = 3
//! is 6. A variable that is the exponent of a number is a power: `1/2^k` for k = 3 is `1/8`. The
//! sum of k ups is written `k.^`.

use std::fmt::{self, Write as _};

/// A value in terms of variables.
///
/// ```
/// use seedbank::value::ValuePattern;
///
/// let switch = ValuePattern::read("{2n|-m}");
/// assert_eq!(switch.variables(), ['n', 'm']);
/// assert_eq!(switch.at(&[('m', 3), ('n', 5)]).as_deref(), Some("{10|-3}"));
/// assert_eq!(switch.at(&[('m', 3)]), None);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValuePattern {
    text: String,
    pieces: Vec<Piece>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Piece {
    Text(String),
    Variable(char),
    /// An integer times a variable, as in `2n`.
    Multiple(u32, char),
    /// An integer to the power of a variable, as in `1/2^k`.
    Power(u32, char),
}

impl ValuePattern {
    /// Splits a text into its tokens. Errors in the notation show only when a value is parsed.
    pub fn read(text: &str) -> ValuePattern {
        ValuePattern {
            text: text.to_owned(),
            pieces: pieces(text),
        }
    }

    /// Returns the variables in the order in which they first appear.
    pub fn variables(&self) -> Vec<char> {
        let mut names = Vec::new();
        for piece in &self.pieces {
            match piece {
                Piece::Text(_) => {}
                Piece::Variable(name) | Piece::Multiple(_, name) | Piece::Power(_, name) => {
                    if !names.contains(name) {
                        names.push(*name);
                    }
                }
            }
        }
        names
    }

    /// Returns the notation with numbers for the variables; `None` where a variable has no number,
    /// an exponent is below 0, or a number takes more than 127 bits.
    pub fn at(&self, binding: &[(char, i64)]) -> Option<String> {
        let value = |name: &char| {
            let bound = binding.iter().find(|(bound, _)| bound == name)?;
            Some(i128::from(bound.1))
        };
        let mut text = String::with_capacity(self.text.len() + 4);
        for piece in &self.pieces {
            let number = match piece {
                Piece::Text(plain) => {
                    text.push_str(plain);
                    continue;
                }
                Piece::Variable(name) => value(name)?,
                Piece::Multiple(factor, name) => i128::from(*factor).checked_mul(value(name)?)?,
                Piece::Power(base, name) => {
                    i128::from(*base).checked_pow(u32::try_from(value(name)?).ok()?)?
                }
            };
            // Writing to a string cannot fail.
            let _ = write!(text, "{number}");
        }
        Some(text)
    }
}

impl fmt::Display for ValuePattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

fn pieces(text: &str) -> Vec<Piece> {
    let chars: Vec<char> = text.chars().collect();
    let is = |i: usize, of: fn(&char) -> bool| chars.get(i).is_some_and(of);
    // The loop below checks the character before it.
    let ends = |i: usize| -> Option<char> {
        let c = *chars.get(i)?;
        let alone = !is(i + 1, char::is_ascii_alphanumeric);
        (c.is_ascii_lowercase() && c != 'v' && alone).then_some(c)
    };
    let mut pieces = Vec::new();
    let mut plain = String::new();
    let mut i = 0;
    while i < chars.len() {
        let digits = chars[i..].iter().take_while(|c| c.is_ascii_digit()).count();
        let number: String = chars[i..i + digits].iter().collect();
        let after = i + digits;
        let piece = match number.parse() {
            Ok(base) if is(after, |c| *c == '^') => {
                ends(after + 1).map(|name| (Piece::Power(base, name), digits + 2))
            }
            Ok(factor) => ends(after).map(|name| (Piece::Multiple(factor, name), digits + 1)),
            Err(_) if digits == 0 && !(i > 0 && is(i - 1, char::is_ascii_alphanumeric)) => {
                ends(i).map(|name| (Piece::Variable(name), 1))
            }
            Err(_) => None,
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

#[cfg(test)]
mod tests {
    use super::*;

    fn at(pattern: &str, binding: &[(char, i64)]) -> Option<String> {
        ValuePattern::read(pattern).at(binding)
    }

    #[test]
    fn variables_stand_alone_and_powers_are_of_numbers() {
        let k = |number| [('k', number)];
        for (pattern, binding, expected) in [
            ("1/2^k", &k(3)[..], "1/8"),
            ("Tiny(1/2^k)", &k(10), "Tiny(1/1024)"),
            ("n.^ + *m", &[('n', 2), ('m', 5)], "2.^ + *5"),
            (
                "n.^ + ^<k> + *m",
                &[('n', 1), ('k', 2), ('m', 3)],
                "1.^ + ^<2> + *3",
            ),
            ("1/2v", &[], "1/2v"),
            ("{k|-k}", &k(4), "{4|-4}"),
            ("12^2", &[], "12^2"),
        ] {
            assert_eq!(at(pattern, binding).as_deref(), Some(expected));
        }
        assert_eq!(at("1/2^k", &k(-1)), None);
        assert_eq!(at("1/2^k", &k(200)), None);
        assert_eq!(at("1/2^k", &[]), None);
    }

    #[test]
    fn a_number_before_a_variable_multiplies_it() {
        for (pattern, expected) in [
            ("2n", "6"),
            ("{2n+1|-12n}", "{6+1|-36}"),
            ("*2n", "*6"),
            ("2*n", "2*3"),
            ("2n.^", "6.^"),
            // Neither is accepted: both are ambiguous.
            ("n2", "n2"),
            ("nn", "nn"),
            ("99999999999n", "99999999999n"),
        ] {
            assert_eq!(
                at(pattern, &[('n', 3)]).as_deref(),
                Some(expected),
                "{pattern}"
            );
        }
    }

    #[test]
    fn variables_come_in_their_order() {
        assert_eq!(ValuePattern::read("{n|-m} + n.v").variables(), ['n', 'm']);
        assert!(ValuePattern::read("Tiny(1)v").variables().is_empty());
    }
}
