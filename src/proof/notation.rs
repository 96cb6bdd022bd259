//! The notation of values whose integers depend on counts.

use thiserror::Error;

use super::bound::{CONSTANT_MAX, Linear, Value};
use crate::value::{Calculator, ParseValueError, ValuePattern};

/// Why a text is no value in terms of counts.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NoValue {
    /// A part without variables is no value.
    #[error("{text:?}: {source}")]
    Constant {
        /// The part.
        text: String,
        /// Why.
        source: ParseValueError,
    },
    /// A constant has too many options.
    #[error("{0:?} has more than {CONSTANT_MAX} options, those of its options included")]
    Large(String),
    /// A variable occurs in no exponent.
    #[error("{0} is no variable of the pattern's exponents")]
    Unknown(char),
    /// A part has variables in a place other than an integer's.
    #[error(
        "{0:?} has variables in another place than an integer's; accepted are sums such as 2m-n+1, and braces around such \
         and constants, as in {{n|-m}} and {{0||n|*}}"
    )]
    Form(String),
}

/// Reads a value: an integer that is a sum of multiples of counts, such as `2m-n+1`; options in
/// braces, such as `{n|-m}`; or a constant in the notation of values. The names are those of the
/// counts.
///
/// # Errors
///
/// The part that is none of these.
pub fn read(text: &str, names: &[char], calculator: &mut Calculator<'_>) -> Result<Value, NoValue> {
    let text = text.trim();
    let variables = ValuePattern::read(text).variables();
    if let Some(unknown) = variables.iter().find(|name| !names.contains(name)) {
        return Err(NoValue::Unknown(*unknown));
    }
    if variables.is_empty() {
        let form = calculator.parse(text).map_err(|source| NoValue::Constant {
            text: text.to_owned(),
            source,
        })?;
        let value = Value::of(form, names.len(), calculator.arena());
        return value.ok_or_else(|| NoValue::Large(text.to_owned()));
    }
    let no_value = || NoValue::Form(text.to_owned());
    let inner = text
        .strip_prefix('{')
        .and_then(|rest| rest.strip_suffix('}'));
    let Some(inner) = inner.filter(|inner| is_closed(inner)) else {
        return linear(text, names).map(Value::Integer).ok_or_else(no_value);
    };
    let (left, right) = sides(inner).ok_or_else(no_value)?;
    let left = options(left, names, calculator)?;
    let right = options(right, names, calculator)?;
    Ok(Value::Options(left, right))
}

/// Splits the text between braces at its longest bar.
fn sides(text: &str) -> Option<(&str, &str)> {
    let longest = outside(text, '|')
        .into_iter()
        .fold((0, 0, 0), |(at, length, end), bar| {
            let length_there = if bar == end { length + 1 } else { 1 };
            match length_there > length {
                true => (bar + 1 - length_there, length_there, bar + 1),
                false => (at, length, end),
            }
        });
    let (at, length, _) = longest;
    (length > 0).then(|| (&text[..at], &text[at + length..]))
}

/// Reads the options of one side: several separated by commas, or one that has bars and no braces
/// around them.
fn options(
    text: &str,
    names: &[char],
    calculator: &mut Calculator<'_>,
) -> Result<Vec<Value>, NoValue> {
    if text.trim().is_empty() {
        return Ok(Vec::new());
    }
    if !outside(text, '|').is_empty() {
        return Ok(vec![read(&format!("{{{text}}}"), names, calculator)?]);
    }
    let commas = outside(text, ',');
    let starts = [0].into_iter().chain(commas.iter().map(|comma| comma + 1));
    let ends = commas.iter().copied().chain([text.len()]);
    let options = starts
        .zip(ends)
        .map(|(start, end)| read(&text[start..end], names, calculator));
    options.collect()
}

/// Returns whether no brace is closed before it is opened.
fn is_closed(text: &str) -> bool {
    let mut depth = 0;
    text.chars().all(|c| {
        depth += i32::from(c == '{') - i32::from(c == '}');
        depth >= 0
    })
}

/// Returns the places of a sign outside of all brackets.
fn outside(text: &str, sign: char) -> Vec<usize> {
    let mut depth = 0;
    let mut places = Vec::new();
    for (at, c) in text.char_indices() {
        match c {
            '{' | '(' => depth += 1,
            '}' | ')' => depth -= 1,
            _ if c == sign && depth == 0 => places.push(at),
            _ => {}
        }
    }
    places
}

fn linear(text: &str, names: &[char]) -> Option<Linear> {
    let text: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    let mut sum = Linear::constant(0, names.len());
    let mut rest = &text[..];
    while !rest.is_empty() {
        let sign = if rest.starts_with('-') { -1 } else { 1 };
        rest = rest.strip_prefix(['+', '-']).unwrap_or(rest);
        let term;
        (term, rest) = rest.split_at(rest.find(['+', '-']).unwrap_or(rest.len()));
        let last = term.chars().last()?;
        // Reading as i32 leaves headroom for sums and multiples.
        match names.iter().position(|name| *name == last) {
            Some(count) if term.len() == 1 => sum.factors[count] += sign,
            Some(count) => {
                let factor: i32 = term[..term.len() - 1].parse().ok()?;
                sum.factors[count] += sign * i64::from(factor);
            }
            None => sum.constant += sign * i64::from(term.parse::<i32>().ok()?),
        }
    }
    Some(sum)
}

/// Writes an integer in terms of counts.
pub fn linear_text(linear: &Linear, names: &[char]) -> String {
    let mut text = String::new();
    for (factor, name) in linear.factors.iter().zip(names) {
        let sign = if *factor < 0 { "-" } else { "+" };
        match factor.abs() {
            0 => {}
            1 => text += &format!("{sign}{name}"),
            more => text += &format!("{sign}{more}{name}"),
        }
    }
    if linear.constant != 0 || text.is_empty() {
        text += &format!("{:+}", linear.constant);
    }
    text.strip_prefix('+').unwrap_or(&text).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::Arena;

    fn integer(value: &Value) -> String {
        match value {
            Value::Integer(linear) => linear_text(linear, &['m', 'n']),
            Value::Options(left, right) => {
                let all =
                    |values: &[Value]| values.iter().map(integer).collect::<Vec<_>>().join(",");
                format!("{{{}|{}}}", all(left), all(right))
            }
        }
    }

    #[test]
    fn integers_options_and_constants_are_read() {
        let arena = Arena::new();
        for (text, expected) in [
            ("n+1", "n+1"),
            ("2m - n", "2m-n"),
            ("-3", "-3"),
            ("{n|-m}", "{n|-m}"),
            ("{0||n|-m-1}", "{0|{n|-m-1}}"),
            ("{m,n+1|*}", "{m,n+1|{0|0}}"),
            ("*2", "{0,{0|0}|0,{0|0}}"),
        ] {
            let value = read(text, &['m', 'n'], &mut arena.calculator());
            assert_eq!(
                value.as_ref().map(integer).as_deref(),
                Ok(expected),
                "{text}"
            );
        }
    }

    #[test]
    fn what_is_no_value_is_named() {
        let arena = Arena::new();
        let refused = |text: &str| read(text, &['n'], &mut arena.calculator()).unwrap_err();
        assert_eq!(refused("m"), NoValue::Unknown('m'));
        assert_eq!(
            refused("{n|0}+{n|0}"),
            NoValue::Form("{n|0}+{n|0}".to_owned())
        );
        assert_eq!(refused("1/2^n"), NoValue::Form("1/2^n".to_owned()));
        assert!(matches!(refused("{n|?}"), NoValue::Constant { .. }));
    }
}
