//! Terms without operators: numbers, ups, stars and tinies, with variables or without.

use super::super::super::UptimalShape;
use super::limits::{DENOMINATOR, INTEGER, Limit, NIMBER, POWER, UPS};
use super::{
    ARROWS, Algebra, Amount, AmountOf, Arrows, Fraction, Literal, ParseValueError, Parsed, Parser,
    RESERVED,
};

impl<A: Algebra> Parser<'_, A> {
    /// Reads a number and the ups, star or tiny attached to it.
    pub(super) fn numeric(&mut self, is_negative: bool) -> Parsed<A::Value> {
        let start = self.at;
        let numerator = self.amount(&INTEGER)?;
        let mut denominator = None;
        if self.peek() == Some('/') {
            self.at += 1;
            let found = self.amount(&DENOMINATOR)?;
            if let AmountOf::Constant(number) = found.of
                && !number.is_power_of_two()
            {
                self.at = found.at;
                return Err(self.unexpected("a power of two as denominator"));
            }
            denominator = Some(found);
        }
        let number = Some(Fraction {
            is_negative,
            numerator,
            denominator,
        });
        match self.peek() {
            Some('.') if denominator.is_none() && self.are_ups_ahead(1) => {
                self.at += 1;
                self.infinitesimal(number, true, start)
            }
            Some(c) if c == '*' || ARROWS.contains(c) => self.infinitesimal(number, false, start),
            Some('o' | 'u') if !self.has_variables => self.over_or_under(number, start),
            Some('T' | 'M') => {
                let tiny = self.tiny()?;
                let number = self.algebra.literal(&Literal {
                    number,
                    ..Literal::zero(start)
                })?;
                self.algebra.sum(tiny, number, start)
            }
            _ => self.algebra.literal(&Literal {
                number,
                ..Literal::zero(start)
            }),
        }
    }

    /// Reads ups or a power of up, and a star, after a number that is added to them or multiplies
    /// the ups.
    pub(super) fn infinitesimal(
        &mut self,
        number: Option<Fraction>,
        is_multiple: bool,
        start: usize,
    ) -> Parsed<A::Value> {
        let arrow = self.peek().filter(|c| ARROWS.contains(*c));
        if self.is_power_on() {
            return self.upon(number, start);
        }
        let arrows = match arrow {
            Some(arrow) => Some(self.arrows(arrow, number, is_multiple)?),
            None => None,
        };
        let mut star = None;
        if self.peek() == Some('*') {
            self.at += 1;
            star = Some(if self.is_amount()? {
                self.amount(&NIMBER)?
            } else {
                Amount {
                    at: self.at,
                    of: AmountOf::Constant(1),
                }
            });
        }
        self.algebra.literal(&Literal {
            at: start,
            number,
            arrows,
            star,
        })
    }

    /// Reads arrows.
    pub(super) fn arrows(
        &mut self,
        arrow: char,
        number: Option<Fraction>,
        is_multiple: bool,
    ) -> Parsed<Arrows> {
        let mut arrows = Arrows {
            ups: 0,
            amount: None,
            shape: None,
            is_multiple,
        };
        let each = match arrow {
            '^' | '↑' => 1,
            'v' | '↓' => -1,
            '⇑' => 2,
            _ => -2,
        };
        while self.peek() == Some(arrow) {
            self.at += 1;
            arrows.ups += each;
        }
        if arrows.ups.abs() != 1 {
            return Ok(arrows);
        }
        match self.peek() {
            Some(open @ ('<' | '[')) if !is_multiple => {
                self.at += 1;
                arrows.amount = Some(self.amount(&POWER)?);
                let (shape, close) = match open {
                    '<' => (UptimalShape::Power, '>'),
                    _ => (UptimalShape::Sum, ']'),
                };
                self.expect(close, "the closing bracket of the power")?;
                arrows.shape = Some(shape);
            }
            _ if self.is_amount()? => {
                let amount = self.amount(&UPS)?;
                let base = number.and_then(|number| number.numerator.variable());
                if base.is_some() && amount.variable().is_some() {
                    self.at = amount.at;
                    return Err(self.unexpected(
                        "n + k.^ for n plus k ups, or a number to a power, as in 2^k",
                    ));
                }
                arrows.amount = Some(amount);
            }
            _ => {}
        }
        Ok(arrows)
    }

    /// Reads `Tiny(g)` or `Miny(g)`.
    pub(super) fn tiny(&mut self) -> Parsed<A::Value> {
        let start = self.at;
        for letter in "iny".chars() {
            self.at += 1;
            if self.peek() != Some(letter) {
                self.at = start;
                return Err(self.unexpected("Tiny(...) or Miny(...)"));
            }
        }
        self.at += 1;
        let miny = self.chars[start] == 'M';
        let subscript = self.nested(start, |parser| {
            parser.expect('(', "( after Tiny or Miny")?;
            let value = parser.value()?;
            parser.expect(')', "+, - or )")?;
            Ok(value)
        })?;
        let zero = self.algebra.literal(&Literal::zero(start))?;
        let threat = self.algebra.negative(subscript);
        let hot = (self.algebra).game(vec![zero.clone()], vec![threat], start)?;
        let tiny = self.algebra.game(vec![zero], vec![hot], start)?;
        Ok(self.negated_if(miny, tiny))
    }

    /// Returns whether ups stand some characters ahead, and not a power of up.
    fn are_ups_ahead(&self, ahead: usize) -> bool {
        let is = |ahead, symbols: &str| {
            let c = self.peek_at(ahead);
            c.is_some_and(|c| symbols.contains(c))
        };
        is(ahead, ARROWS) && !is(ahead + 1, "<[")
    }

    /// Returns whether a number comes next.
    pub(super) fn is_amount(&self) -> Parsed<bool> {
        let is_digit = self.peek().is_some_and(|c| c.is_ascii_digit());
        Ok(is_digit || self.variable(0)?.is_some())
    }

    /// Returns the variable that stands some characters ahead, alone.
    fn variable(&self, ahead: usize) -> Parsed<Option<char>> {
        let letter = self.peek_at(ahead).filter(char::is_ascii_lowercase);
        let Some(name) = letter.filter(|name| self.has_variables && *name != 'v') else {
            return Ok(None);
        };
        let next = self.peek_at(ahead + 1);
        if next.is_some_and(|c| c.is_ascii_alphanumeric() && c != 'v') {
            return Ok(None);
        }
        if RESERVED.contains(&name) {
            Err(ParseValueError::Reserved {
                position: self.at + ahead + 1,
                name,
            })
        } else {
            Ok(Some(name))
        }
    }

    /// Reads a number, in digits or in terms of a variable. The digits are within a limit.
    pub(super) fn amount(&mut self, limit: &Limit) -> Parsed<Amount> {
        let at = self.at;
        let digits = if self.peek().is_some_and(|c| c.is_ascii_digit()) {
            Some(self.digits(limit)?)
        } else {
            None
        };
        let is_power = digits.is_some() && self.peek() == Some('^');
        let name = self.variable(usize::from(is_power))?;
        let of = match (digits, name) {
            (Some(base), Some(name)) if is_power => AmountOf::Power(base, name),
            (Some(number), None) => AmountOf::Constant(number),
            (factor, Some(name)) => AmountOf::Multiple(factor.unwrap_or(1), name),
            (None, None) => return Err(self.unexpected("a digit")),
        };
        let amount = Amount { at, of };
        if name.is_some() {
            self.at += 1 + usize::from(is_power);
            self.variables.push((amount, self.at));
        }
        Ok(amount)
    }

    fn digits(&mut self, limit: &Limit) -> Parsed<u128> {
        let start = self.at;
        let mut value: Option<u128> = Some(0);
        while let Some(digit) = self.peek().and_then(|c| c.to_digit(10)) {
            value = value
                .and_then(|value| value.checked_mul(10))
                .and_then(|value| value.checked_add(u128::from(digit)));
            self.at += 1;
        }
        limit.check(value.unwrap_or(u128::MAX), start)
    }
}
