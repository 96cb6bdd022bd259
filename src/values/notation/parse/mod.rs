//! Parses values: every text that this module writes, nested braces and slashes in any mix, and
//! sums.
//!
//! ```text
//! sum      = ["-"] term { ("+" | "-") term }
//! term     = number [ups] [star] | ups [star] | star | number ("Tiny" | "Miny") "(" sum ")"
//!          | amount "." ups [star] | ("Tiny" | "Miny") "(" sum ")" | game | "(" sum ")"
//!          | ("+-" | "±") operand
//! operand  = number | ups | star | game | "(" sum ")" | "{" options "}" | ...
//! ups      = "^" [amount] | "^^..." | "^<amount>" | "^[amount]", and the same with v, ↑, ↓, ⇑, ⇓
//! star     = "*" [amount]
//! game     = "{" options slashes options "}"
//! number   = amount ["/" amount]
//! amount   = digits | [digits] variable | digits "^" variable
//! ```
//!
//! Blanks are ignored, except within a number with its ups and star. A minus sign before a number
//! that begins a sum belongs to the number alone (`-1^` is -1 plus up); any other negates the whole
//! term (`0-1^` is -1 plus down). `2.^*` is two ups plus star. The longest run of slashes in a game
//! divides it, and must occur once.
//!
//! A text may have variables only where its reader permits them. A variable is a lowercase letter
//! that stands alone; [`RESERVED`] letters are none. `2n` is a product, and `2^k` a power.
//!
//! The grammar is the same for every reader. An [`Algebra`] gives the parts their meaning: a
//! canonical form, or a value in terms of variables.
//!
//! The text need not be in canonical form; the value is. Limits keep any input harmless.

mod evaluation;
mod limits;
mod literal;

use super::super::{Calculator, UptimalShape, ValueId};
use evaluation::Grammar;
pub use evaluation::{Algebra, Evaluation};
use limits::{CHARS_MAX, DENOMINATOR, INTEGER, Limit, NIMBER, POWER, SLASHES_MAX, UPS};
pub use limits::{NESTING_MAX, Parsed};
pub use limits::{ParseValueError, RESERVED};
pub use literal::{Amount, AmountOf, Arrows, Fraction, Literal};

impl Calculator<'_> {
    /// Returns the value that a text denotes. The text may be the output of any
    /// [`Notation`](super::super::Notation), or contain nested braces and slashes in any mix, sums,
    /// parentheses, minus signs, `±`, arrows, `2.^*`.
    ///
    /// The text need not be in canonical form. A minus sign before a number that begins a sum
    /// belongs to the number alone: `-1^` is -1 plus up, and `0-1^` is -1 plus down.
    ///
    /// # Errors
    ///
    /// When the text denotes no value, and beyond these limits: 2^20 characters; 200 brackets or
    /// signs one in another; numbers up to a million with denominators up to 2^100; `*255`, 255
    /// ups, the 64th power of up; sums whose parts have more than a million pairs of followers. The
    /// error names the character. No input makes it panic or exhaust the stack.
    pub fn parse(&mut self, text: &str) -> Result<ValueId, ParseValueError> {
        let mut evaluation = Evaluation {
            calculator: self,
            binding: &[],
        };
        Parser::new(text, false, &mut evaluation)?.whole()
    }
}

/// Reads a text with variables.
pub fn read<A: Algebra>(text: &str, algebra: &mut A) -> Parsed<A::Value> {
    Parser::new(text, true, algebra)?.whole()
}

/// Returns the numbers of a text that have variables, and the places after their last characters,
/// counted in characters from 0.
pub(crate) fn variables(text: &str) -> Parsed<Vec<(Amount, usize)>> {
    let mut grammar = Grammar;
    let mut parser = Parser::new(text, true, &mut grammar)?;
    parser.whole()?;
    Ok(parser.variables)
}

struct Parser<'p, A: Algebra> {
    algebra: &'p mut A,
    has_variables: bool,
    chars: Vec<char>,
    at: usize,
    nesting: usize,
    /// The numbers with variables, and where each ends.
    variables: Vec<(Amount, usize)>,
}

/// The content of braces: lists of options, and the slashes between them.
struct Body<V> {
    lists: Vec<Vec<V>>,
    /// The place and length of each run of slashes; one fewer than lists.
    slashes: Vec<(usize, usize)>,
}

const ARROWS: &str = "^v↑↓⇑⇓";

const TERM: &str = "a value, such as 1/2, *2, ^, {1|0}, Tiny(1) or +-1";

impl<'p, A: Algebra> Parser<'p, A> {
    fn new(text: &str, has_variables: bool, algebra: &'p mut A) -> Parsed<Parser<'p, A>> {
        let chars: Vec<char> = text.chars().take(CHARS_MAX + 1).collect();
        if chars.len() > CHARS_MAX {
            return Err(Limit::new("text", CHARS_MAX as u128).exceeded(CHARS_MAX));
        }
        Ok(Parser {
            algebra,
            has_variables,
            chars,
            at: 0,
            nesting: 0,
            variables: Vec::new(),
        })
    }

    /// Reads the whole text.
    fn whole(&mut self) -> Parsed<A::Value> {
        let value = self.sum()?;
        if self.at < self.chars.len() {
            Err(self.unexpected("+, - or the end of the text"))
        } else {
            Ok(value)
        }
    }

    /// Reads a sum and the blanks after it.
    fn sum(&mut self) -> Parsed<A::Value> {
        self.skip_blanks();
        let mut sum = self.term(true)?;
        loop {
            self.skip_blanks();
            let start = self.at;
            let negated = match self.peek() {
                Some('+') => false,
                Some('-' | '−') => true,
                _ => return Ok(sum),
            };
            if self.peek_at(1) == Some('-') && !negated {
                self.at += 1;
                return Err(self.unexpected("a value; write a blank between + and - or +-"));
            }
            self.at += 1;
            self.skip_blanks();
            let term = self.term(false)?;
            let term = self.negated_if(negated, term);
            sum = self.algebra.sum(sum, term, start)?;
        }
    }

    /// Reads a term, including its sign if it begins a sum.
    fn term(&mut self, first: bool) -> Parsed<A::Value> {
        let start = self.at;
        match self.peek() {
            Some('-' | '−') => {
                self.at += 1;
                self.skip_blanks();
                if first && self.is_amount()? {
                    return self.numeric(true);
                }
                self.nested(start, |parser| {
                    let term = parser.term(false)?;
                    Ok(parser.algebra.negative(term))
                })
            }
            Some('^' | 'v' | '↑' | '↓' | '⇑' | '⇓' | '*') => {
                self.infinitesimal(None, false, start)
            }
            Some('T' | 'M') => self.tiny(),
            Some('(') => self.nested(start, |parser| {
                parser.at += 1;
                let value = parser.sum()?;
                parser.expect(')', "+, - or )")?;
                Ok(value)
            }),
            Some('{') => self.nested(start, |parser| {
                let body = parser.braces()?;
                if body.slashes.is_empty() {
                    parser.at -= 1;
                    return Err(parser.unexpected("| between Left's and Right's options"));
                }
                parser.game(&body, start)
            }),
            Some('±') => {
                self.at += 1;
                self.nested(start, Parser::symmetric)
            }
            Some('+') if self.peek_at(1) == Some('-') => {
                self.at += 2;
                self.nested(start, Parser::symmetric)
            }
            _ if self.is_amount()? => self.numeric(false),
            _ => Err(self.unexpected(TERM)),
        }
    }

    /// Reads the operand of `+-`, and returns the game of it and its negative.
    fn symmetric(&mut self) -> Parsed<A::Value> {
        self.skip_blanks();
        let start = self.at;
        let options = match self.peek() {
            Some('{') => {
                let body = self.braces()?;
                if body.slashes.is_empty() {
                    body.lists.into_iter().flatten().collect()
                } else {
                    vec![self.game(&body, start)?]
                }
            }
            Some('-' | '−') => return Err(self.unexpected(TERM)),
            _ => {
                let option = self.term(false)?;
                let operand = &self.chars[start..self.at];
                let is_variable = |c: &char| c.is_ascii_lowercase() && *c != 'v';
                let has = |wanted: &str| operand.iter().any(|c| wanted.contains(*c));
                // In +-1*, the star could belong inside or outside.
                let composed = match operand.first() {
                    Some(c) if c.is_ascii_digit() || is_variable(c) => has(".^v↑↓⇑⇓*TM"),
                    Some('(' | '+' | '±' | 'T' | 'M') => false,
                    _ => has("^v↑↓⇑⇓") && has("*"),
                };
                if composed {
                    self.at = start;
                    return Err(self.unexpected(
                        "one symbol or parentheses after +-, as in +-(1*) or +-1 + *",
                    ));
                }
                vec![option]
            }
        };
        let negatives = options.iter().cloned();
        let negatives = negatives.map(|option| self.algebra.negative(option));
        let negatives = negatives.collect();
        self.algebra.game(options, negatives, start)
    }

    /// Reads a number and the ups, star or tiny attached to it.
    fn numeric(&mut self, is_negative: bool) -> Parsed<A::Value> {
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
            Some('.') => {
                self.at += 1;
                let is_arrow = self.peek().is_some_and(|c| ARROWS.contains(c));
                if !is_arrow || denominator.is_some() {
                    return Err(self.unexpected("an arrow after an integer and a point, as in 3.^"));
                }
                self.infinitesimal(number, true, start)
            }
            Some(c) if c == '*' || ARROWS.contains(c) => self.infinitesimal(number, false, start),
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
    fn infinitesimal(
        &mut self,
        number: Option<Fraction>,
        is_multiple: bool,
        start: usize,
    ) -> Parsed<A::Value> {
        let arrow = self.peek().filter(|c| ARROWS.contains(*c));
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
    fn arrows(
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
    fn tiny(&mut self) -> Parsed<A::Value> {
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
            let value = parser.sum()?;
            parser.expect(')', "+, - or )")?;
            Ok(value)
        })?;
        let zero = self.algebra.literal(&Literal::zero(start))?;
        let threat = self.algebra.negative(subscript);
        let hot = (self.algebra).game(vec![zero.clone()], vec![threat], start)?;
        let tiny = self.algebra.game(vec![zero], vec![hot], start)?;
        Ok(self.negated_if(miny, tiny))
    }

    /// Reads braces and their content.
    fn braces(&mut self) -> Parsed<Body<A::Value>> {
        self.expect('{', "{")?;
        let mut body = Body {
            lists: vec![Vec::new()],
            slashes: Vec::new(),
        };
        loop {
            self.skip_blanks();
            // A list may be empty, but not end in a comma.
            if !matches!(self.peek(), Some('|' | '}')) {
                loop {
                    let option = self.sum()?;
                    body.lists.last_mut().expect("a list is begun").push(option);
                    if self.peek() != Some(',') {
                        break;
                    }
                    self.at += 1;
                }
            }
            match self.peek() {
                Some('|') => {
                    let start = self.at;
                    while self.peek() == Some('|') {
                        self.at += 1;
                    }
                    let length = self.at - start;
                    Limit::new("run of slashes", SLASHES_MAX as u128)
                        .check(length as u128, start)?;
                    body.slashes.push((start, length));
                    body.lists.push(Vec::new());
                }
                Some('}') => {
                    self.at += 1;
                    return Ok(body);
                }
                _ => return Err(self.unexpected("a comma, |, +, - or }")),
            }
        }
    }

    /// Returns the game that lists and slashes denote: the longest run divides it, and each side
    /// with slashes of its own is one option. Recurses once for each length of run.
    fn game(&mut self, body: &Body<A::Value>, start: usize) -> Parsed<A::Value> {
        self.subgame(&body.lists, &body.slashes, start)
    }

    fn subgame(
        &mut self,
        lists: &[Vec<A::Value>],
        slashes: &[(usize, usize)],
        start: usize,
    ) -> Parsed<A::Value> {
        let longest = slashes.iter().map(|&(_, length)| length).max().unwrap_or(0);
        let mut dividers = (0..slashes.len()).filter(|&i| slashes[i].1 == longest);
        let middle = dividers.next().expect("a game has slashes");
        if let Some(second) = dividers.next() {
            return Err(ParseValueError::Ambiguous {
                position: slashes[second].0 + 1,
                slashes: longest,
            });
        }
        let mut side = |lists: &[Vec<A::Value>], slashes: &[(usize, usize)]| {
            if slashes.is_empty() {
                Ok(lists[0].clone())
            } else {
                Ok(vec![self.subgame(lists, slashes, start)?])
            }
        };
        let left = side(&lists[..=middle], &slashes[..middle])?;
        let right = side(&lists[middle + 1..], &slashes[middle + 1..])?;
        self.algebra.game(left, right, start)
    }

    fn negated_if(&mut self, is_negated: bool, value: A::Value) -> A::Value {
        if is_negated {
            self.algebra.negative(value)
        } else {
            value
        }
    }

    /// Runs a step one level deeper.
    fn nested<T>(&mut self, start: usize, step: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.nesting == NESTING_MAX {
            return Err(Limit::new("nesting", NESTING_MAX as u128).exceeded(start));
        }
        self.nesting += 1;
        let result = step(self);
        self.nesting -= 1;
        result
    }

    /// Returns whether a number comes next.
    fn is_amount(&self) -> Parsed<bool> {
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
    fn amount(&mut self, limit: &Limit) -> Parsed<Amount> {
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

    fn expect(&mut self, wanted: char, expected: &'static str) -> Parsed<()> {
        self.skip_blanks();
        if self.peek() == Some(wanted) {
            self.at += 1;
            Ok(())
        } else {
            Err(self.unexpected(expected))
        }
    }

    fn skip_blanks(&mut self) {
        while self.peek().is_some_and(char::is_whitespace) {
            self.at += 1;
        }
    }

    fn peek(&self) -> Option<char> {
        self.peek_at(0)
    }

    fn peek_at(&self, ahead: usize) -> Option<char> {
        self.chars.get(self.at + ahead).copied()
    }

    fn unexpected(&self, expected: &'static str) -> ParseValueError {
        let found = match self.peek() {
            Some(c) => format!("{c:?}"),
            None => "the end of the text".to_owned(),
        };
        ParseValueError::Unexpected {
            position: self.at + 1,
            found,
            expected,
        }
    }
}

#[cfg(test)]
mod tests;
