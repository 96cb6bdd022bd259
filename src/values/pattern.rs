//! Values with variables in their notation: `{n|-m}`, `Tiny(1/2^k)`, `n.^ + *m`.
//!
//! The grammar is that of [values](super::Calculator::parse), in which a variable may stand for
//! every number that digits can give. A lowercase letter that stands alone is a variable, except
//! `v`, which is down, and `e`, which is a full pot. A number right before a variable multiplies
//! it, so that `2n` for n = 3 is 6. A variable that is the exponent of a number is a power: `1/2^k`
//! for k = 3 is `1/8`. The sum of k ups is written `k.^`.

use std::fmt::{self, Write as _};

use super::notation::{self, Amount, Evaluation};
use super::{Calculator, ParseValueError, ValueId};

/// The longest text of a value that stands for one with negative numbers.
const CHARS_MAX: usize = 4096;

/// A value in terms of variables.
///
/// ```
/// use cgvalues::{Arena, ValuePattern};
///
/// let switch = ValuePattern::read("{2n|-m}")?;
/// assert_eq!(switch.variables(), ['n', 'm']);
/// let arena = Arena::new();
/// let value = switch.value(&[('m', 3), ('n', 5)], &mut arena.calculator())?;
/// assert_eq!(arena.notation(value).to_string(), "{10|-3}");
/// # Ok::<(), cgvalues::ParseValueError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValuePattern {
    text: String,
    /// The numbers in terms of variables, in the order of the text, and where each ends.
    amounts: Vec<(Amount, usize)>,
}

impl ValuePattern {
    /// Reads a text. Some numbers may have no value in it, as `1/n` for n = 3.
    ///
    /// # Errors
    ///
    /// A text that is no value in terms of variables.
    pub fn read(text: &str) -> Result<ValuePattern, ParseValueError> {
        let mut amounts = notation::variables(text)?;
        amounts.sort_by_key(|(_, end)| *end);
        Ok(ValuePattern {
            text: text.to_owned(),
            amounts,
        })
    }

    /// Returns the variables in the order in which they first appear.
    pub fn variables(&self) -> Vec<char> {
        let mut names = Vec::new();
        for name in self
            .amounts
            .iter()
            .filter_map(|(amount, _)| amount.variable())
        {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names
    }

    /// Returns the value for some numbers in place of the variables.
    ///
    /// # Errors
    ///
    /// A variable without a number, an exponent below 0, and numbers beyond the limits of
    /// [`Calculator::parse`].
    pub fn value(
        &self,
        binding: &[(char, i64)],
        calculator: &mut Calculator<'_>,
    ) -> Result<ValueId, ParseValueError> {
        let mut evaluation = Evaluation {
            calculator,
            binding,
        };
        notation::read(&self.text, &mut evaluation)
    }

    /// Returns the value as [`value`](Self::value) does, and its notation: the text with numbers in
    /// it, unless a number below 0 gives this another meaning, as for k = -1 in `*k`.
    ///
    /// # Errors
    ///
    /// Those of [`value`](Self::value).
    pub fn instance(
        &self,
        binding: &[(char, i64)],
        calculator: &mut Calculator<'_>,
    ) -> Result<(ValueId, String), ParseValueError> {
        let value = self.value(binding, calculator)?;
        let text = self.text_at(binding)?;
        if calculator.parse(&text) == Ok(value) {
            return Ok((value, text));
        }
        let other = calculator.arena().notation_limited(value, CHARS_MAX);
        Ok((value, other.unwrap_or(text)))
    }

    fn text_at(&self, binding: &[(char, i64)]) -> Result<String, ParseValueError> {
        let mut text = String::with_capacity(self.text.len() + 4);
        let mut chars = self.text.chars();
        let mut at = 0;
        for (amount, end) in &self.amounts {
            text.extend(chars.by_ref().take(amount.at - at));
            chars.by_ref().take(end - amount.at).for_each(drop);
            at = *end;
            // Writing to a string cannot fail.
            let _ = write!(text, "{}", amount.value(binding)?);
        }
        text.extend(chars);
        Ok(text)
    }
}

impl fmt::Display for ValuePattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Arena;

    fn at(pattern: &str, binding: &[(char, i64)]) -> Result<String, ParseValueError> {
        let arena = Arena::new();
        let pattern = ValuePattern::read(pattern)?;
        let (value, text) = pattern.instance(binding, &mut arena.calculator())?;
        assert_eq!(arena.calculator().parse(&text), Ok(value), "{pattern}");
        Ok(text)
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
            ("kv", &k(2), "2v"),
            ("^k", &k(2), "^2"),
        ] {
            assert_eq!(at(pattern, binding).as_deref(), Ok(expected));
        }
        for (number, why) in [
            (-1, "character 3: an exponent is below 0"),
            (
                200,
                "character 3: an exponent is below 0, or a number takes more than 127 bits",
            ),
        ] {
            let error = at("1/2^k", &k(number)).unwrap_err().to_string();
            assert!(error.starts_with(why), "{error}");
        }
        let error = at("1/2^k", &[]).unwrap_err().to_string();
        assert_eq!(error, "character 3: k is no variable; accepted: none");
    }

    #[test]
    fn a_number_before_a_variable_multiplies_it() {
        for (pattern, expected) in [
            ("2n", "6"),
            ("{2n+1|-12n}", "{6+1|-36}"),
            ("*2n", "*6"),
            ("2*n", "2*3"),
            ("2n.^", "6.^"),
        ] {
            assert_eq!(
                at(pattern, &[('n', 3)]).as_deref(),
                Ok(expected),
                "{pattern}"
            );
        }
        for (pattern, why) in [
            ("n2", "character 1: expected a value"),
            ("nn", "character 1: expected a value"),
            (
                "2e",
                "character 2: e is no name of a variable, since v is down and e is a full pot",
            ),
            (
                "n^k",
                "character 3: expected n + k.^ for n plus k ups, or a number to a power, as in 2^k",
            ),
        ] {
            let error = at(pattern, &[('n', 3), ('k', 2)]).unwrap_err().to_string();
            assert!(error.starts_with(why), "{pattern}: {error}");
        }
    }

    /// In the text, the sign of a number would belong to more or to less than the number.
    #[test]
    fn numbers_below_0_are_numbers() {
        let n = [('n', -2)];
        for (pattern, expected) in [
            ("5+n", "3"),
            ("5-n", "5--2"),
            ("0-n^", "2v"),
            ("-n^", "--2^"),
            ("^n", "v2"),
            ("n.^", "-2.^"),
            ("{n|-n}", "{-2|--2}"),
            ("+-n", "0"),
        ] {
            assert_eq!(at(pattern, &n).as_deref(), Ok(expected), "{pattern}");
        }
        let error = at("*n", &n).unwrap_err().to_string();
        assert_eq!(
            error,
            "character 2: expected a number of at least 0, found -2"
        );
    }

    #[test]
    fn variables_come_in_their_order() {
        let variables = |text| ValuePattern::read(text).unwrap().variables();
        assert_eq!(variables("{n|-m} + n.v"), ['n', 'm']);
        assert!(variables("1Tiny(1) + v").is_empty());
    }
}
