//! The notation of values whose integers depend on counts.
//!
//! The grammar is that of [`value`](cgvalues::Calculator::parse). A part without variables
//! means its canonical form. A part with variables means the form that is written.

use cgvalues::{
    Algebra, AmountOf, Arena, Calculator, Evaluation, Literal, NESTING_MAX, ParseValueError,
    Parsed, ValueId, read as read_as,
};

use super::bound::{CONSTANT_MAX, Linear, Value};

/// The largest factor of a variable, which leaves headroom for sums.
const FACTOR_MAX: u64 = 1_000_000;

/// Reads a value in the notation of values, in which integers may be sums of multiples of counts,
/// such as `2m-n+1`. The names are those of the counts.
///
/// # Errors
///
/// A text that is no value; a variable in another place than an integer's; a constant of more than
/// [`CONSTANT_MAX`] options beside variables.
pub fn read(
    text: &str,
    names: &[char],
    calculator: &mut Calculator<'_>,
) -> Result<Value, ParseValueError> {
    let mut forms = Forms {
        names,
        constants: Evaluation {
            calculator,
            binding: &[],
        },
    };
    let part = read_as(text, &mut forms)?;
    forms.value(part, 0)
}

/// A part of a text.
#[derive(Clone)]
enum Part {
    /// A part without variables.
    Constant(ValueId),
    /// A part with variables, and how deep its braces are nested.
    Open(Value, usize),
}

/// Texts mean values in terms of counts.
struct Forms<'p, 'a> {
    names: &'p [char],
    constants: Evaluation<'p, 'a>,
}

impl Algebra for Forms<'_, '_> {
    type Value = Part;

    fn literal(&mut self, literal: &Literal) -> Result<Part, ParseValueError> {
        let Some(variable) = literal.amounts().find(|amount| amount.variable().is_some()) else {
            return self.constants.literal(literal).map(Part::Constant);
        };
        let no_integer = |at: usize| ParseValueError::NotAnInteger { position: at + 1 };
        let number = literal
            .number
            .filter(|number| number.numerator == variable && number.denominator.is_none());
        let number = number.ok_or_else(|| no_integer(variable.at))?;
        let AmountOf::Multiple(factor, name) = variable.of else {
            return Err(no_integer(variable.at));
        };
        let factor = i64::try_from(factor)
            .ok()
            .filter(|factor| *factor <= FACTOR_MAX as i64);
        let factor = factor.ok_or(ParseValueError::TooLarge {
            position: variable.at + 1,
            what: "factor of a variable",
            max: FACTOR_MAX,
        })?;
        let count = self.names.iter().position(|own| *own == name);
        let count = count.ok_or_else(|| ParseValueError::Unbound {
            position: variable.at + 1,
            name,
            accepted: self.names.to_vec(),
        })?;
        let mut integer = Linear::constant(0, self.names.len());
        integer.factors[count] = if number.is_negative { -factor } else { factor };
        if literal.arrows.is_none() && literal.star.is_none() {
            return Ok(Part::Open(Value::Integer(integer), 0));
        }
        if literal.arrows.is_some_and(|arrows| arrows.is_multiple) {
            return Err(no_integer(variable.at));
        }
        let rest = Literal {
            number: None,
            ..*literal
        };
        if let Some(other) = rest.amounts().find(|amount| amount.variable().is_some()) {
            return Err(no_integer(other.at));
        }
        let rest = self.constants.literal(&rest)?;
        // An integer and a value that is no number are added in all options.
        Ok(match self.arena().number(rest) {
            Some(_) => Part::Open(Value::Integer(integer), 0),
            None => Part::Open(self.constant(rest, literal.at)?.plus(&integer), 0),
        })
    }

    fn negative(&mut self, part: Part) -> Part {
        match part {
            Part::Constant(form) => Part::Constant(form.negative()),
            Part::Open(value, depth) => Part::Open(value.negative(), depth),
        }
    }

    fn sum(&mut self, g: Part, h: Part, at: usize) -> Result<Part, ParseValueError> {
        if let (Part::Constant(g), Part::Constant(h)) = (&g, &h) {
            return self.constants.sum(*g, *h, at).map(Part::Constant);
        }
        let no_integer = || ParseValueError::NotAnInteger { position: at + 1 };
        let integer = |part| match self.value(part, at)? {
            Value::Integer(integer) => Ok(integer),
            Value::Options(..) => Err(no_integer()),
        };
        let sum = integer(g)?.plus(1, &integer(h)?);
        Ok(Part::Open(Value::Integer(sum), 0))
    }

    fn product(&mut self, g: Part, h: Part, at: usize) -> Result<Part, ParseValueError> {
        self.of_constants(g, h, at, Evaluation::product)
    }

    fn ordinal_sum(&mut self, g: Part, h: Part, at: usize) -> Result<Part, ParseValueError> {
        self.of_constants(g, h, at, Evaluation::ordinal_sum)
    }

    fn game(
        &mut self,
        left: Vec<Part>,
        right: Vec<Part>,
        at: usize,
    ) -> Result<Part, ParseValueError> {
        let depth = |part: &Part| match part {
            Part::Constant(_) => None,
            Part::Open(_, depth) => Some(depth + 1),
        };
        let Some(depth) = left.iter().chain(&right).filter_map(depth).max() else {
            let forms = |parts: Vec<Part>| {
                let forms = parts.into_iter().filter_map(|part| match part {
                    Part::Constant(form) => Some(form),
                    Part::Open(..) => None,
                });
                forms.collect()
            };
            let game = self.constants.game(forms(left), forms(right), at)?;
            return Ok(Part::Constant(game));
        };
        if depth > NESTING_MAX {
            return Err(ParseValueError::TooLarge {
                position: at + 1,
                what: "nesting",
                max: NESTING_MAX as u64,
            });
        }
        let values = |parts: Vec<Part>| -> Result<Vec<Value>, ParseValueError> {
            let values = parts.into_iter().map(|part| self.value(part, at));
            values.collect()
        };
        Ok(Part::Open(
            Value::Options(values(left)?, values(right)?),
            depth,
        ))
    }
}

impl<'p, 'a> Forms<'p, 'a> {
    /// Returns what an operation makes of two parts without variables.
    fn of_constants(
        &mut self,
        g: Part,
        h: Part,
        at: usize,
        operation: impl FnOnce(&mut Evaluation<'p, 'a>, ValueId, ValueId, usize) -> Parsed<ValueId>,
    ) -> Parsed<Part> {
        match (g, h) {
            (Part::Constant(g), Part::Constant(h)) => {
                operation(&mut self.constants, g, h, at).map(Part::Constant)
            }
            _ => Err(ParseValueError::NotAnInteger { position: at + 1 }),
        }
    }

    fn arena(&self) -> &Arena {
        self.constants.arena()
    }

    /// Returns the value of a part at a place.
    fn value(&self, part: Part, at: usize) -> Result<Value, ParseValueError> {
        match part {
            Part::Constant(form) => self.constant(form, at),
            Part::Open(value, _) => Ok(value),
        }
    }

    fn constant(&self, form: ValueId, at: usize) -> Result<Value, ParseValueError> {
        let value = Value::of(form, self.names.len(), self.arena());
        value.ok_or(ParseValueError::TooLarge {
            position: at + 1,
            what: "number of options, those of options included",
            max: CONSTANT_MAX as u64,
        })
    }
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
    use cgvalues::Arena;

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
            ("{n|0||0}", "{{n|0}|0}"),
            ("{0||0|-m}", "{0|{0|-m}}"),
            ("{0|||m||n|-1}", "{0|{m|{n|-1}}}"),
            ("Tiny(m)", "{0|{0|-m}}"),
            ("+-n", "{n|-n}"),
            ("-{n+1|-m}", "{m|-n-1}"),
            ("-n*", "{-n|-n}"),
            ("{m||{*2|*2}}", "{m|0}"),
            ("n - n", "0"),
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
        let refused = |text: &str| {
            let error = read(text, &['n'], &mut arena.calculator()).unwrap_err();
            error.to_string()
        };
        assert_eq!(refused("m"), "character 1: m is no variable; accepted: n");
        for (text, at) in [
            ("{n|0}+{n|0}", 6),
            ("1/2^n", 3),
            ("n/2", 1),
            ("2^n", 1),
            ("n.^", 1),
            ("*n", 2),
            ("^n", 2),
            ("^<n>", 3),
            ("n+1/2", 2),
        ] {
            let why = format!("character {at}: a value for all numbers has variables in integers");
            assert!(refused(text).starts_with(&why), "{text}: {}", refused(text));
        }
        assert!(refused("{n|?}").starts_with("character 4: expected a value"));
        let deep = format!("{}n{}", "{".repeat(150), "|0||1}".repeat(150));
        assert!(refused(&deep).ends_with("nesting too large; at most 200 is read"));
    }
}
