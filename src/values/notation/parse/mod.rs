//! Parses values: every text that this module writes, nested braces and slashes in any mix, and
//! sums.
//!
//! ```text
//! value    = sum ["&" sum]
//! sum      = summand { ("+" | "-") summand | ("+-" | "±") operand }
//! summand  = "-" summand | product { ":" product }
//! product  = term ["." unit]
//! term     = number [ups] [star] | ups [star] | star | number ("Tiny" | "Miny") "(" value ")"
//!          | ("Tiny" | "Miny") "(" value ")" | game | "(" value ")" | ("+-" | "±") operand
//!          | "on" | "off" | [number] ("over" | "under") | "upon" | "dud" | "tis" | "tisn" | letter
//! unit     = ups [star] | star | game | "(" sum ")" | ("Tiny" | "Miny") "(" sum ")" | ("+-" | "±") operand
//! operand  = number | ups | star | game | "(" sum ")" | "{" options "}" | ...
//! ups      = "^" [amount] | "^^..." | "^<power>" | "^[power]", and the same with v, ↑, ↓, ⇑, ⇓
//! power    = amount | "on"
//! star     = "*" [amount]
//! game     = [letter] "{" options slashes options "}"
//! options  = [option { "," option }]
//! option   = value | "pass"
//! number   = amount ["/" amount]
//! amount   = digits | [digits] variable | digits "^" variable
//! ```
//!
//! Blanks are ignored, except within a number with its ups and star. A minus sign before a number
//! that begins a sum belongs to the number alone (`-1^` is -1 plus up); any other negates the whole
//! summand (`0-1^` is -1 plus down, and `-1:1` minus the ordinal sum). `3+-1` is 3 plus `+-1`, as
//! CGSuite reads it; with a blank, `3+ -1` is 2. The longest run of slashes in a game divides it,
//! and must occur once.
//!
//! A point binds closest, then a colon, then signs, then plus and minus. `n.G` is the sum of n
//! copies of G, and any other `G.U` the [Norton product](super::super::Calculator::norton). A star
//! after ups is added to the product: `2.^*` is two ups plus star. `G:H` is the [ordinal
//! sum](super::super::Calculator::ordinal_sum) of the canonical form of G and H; several are summed
//! from left to right. Where two readings are plausible, parentheses are required.
//!
//! A letter before a brace names the game in the braces, as an option of its followers; `pass` is the game in whose list it
//! stands. `G & H` is the loopy game with onside G and offside H.
//!
//! A text may have variables only where its reader permits them. A variable is a lowercase letter
//! that stands alone; [`RESERVED`] letters are none. `2n` is a product, and `2^k` a power.
//!
//! The grammar is the same for every reader. An [`Algebra`] gives the parts their meaning: a
//! canonical form, or a value in terms of variables.
//!
//! The text need not be in canonical form; the value is. Limits keep any input harmless.

mod evaluation;
mod games;
mod limits;
mod literal;
mod loopy;
mod statement;
mod terms;

use super::super::{Calculator, ValueId};
use evaluation::Grammar;
pub use evaluation::{Algebra, Evaluation};
use limits::{CHARS_MAX, Limit};
pub use limits::{NESTING_MAX, Parsed};
pub use limits::{ParseValueError, RESERVED};
pub use literal::{Amount, AmountOf, Arrows, Fraction, Literal};
pub(crate) use statement::read_statement;
pub use statement::{Relation, Statement};

impl Calculator<'_> {
    /// Returns the value that a text denotes. The text may be the output of any
    /// [`Notation`](super::super::Notation), or contain nested braces and slashes in any mix, sums,
    /// parentheses, minus signs, `±`, arrows.
    ///
    /// `n.G` is the [multiple](Calculator::multiple) of G by an integer, any other `G.U` the [Norton
    /// product](Calculator::norton), and `G:H` the [ordinal sum](Calculator::ordinal_sum). A point
    /// binds closest, then a colon, then minus signs, then sums; `2.^*` is two ups plus star.
    ///
    /// The text need not be in canonical form. A minus sign before a number that begins a sum
    /// belongs to the number alone: `-1^` is -1 plus up, and `0-1^` is -1 plus down.
    ///
    /// # Errors
    ///
    /// When the text denotes no value, and beyond these limits: 2^20 characters; 200 brackets or
    /// signs one in another; numbers up to a million with denominators up to 2^100; `*255`, 255
    /// ups, the 64th power of up; sums whose parts have more than a million pairs of followers;
    /// products and ordinal sums of more than 3 million [steps](Calculator::limit_steps). The error
    /// names the character. No input makes it panic or exhaust the stack.
    ///
    /// ```
    /// use cgvalues::Arena;
    ///
    /// let arena = Arena::new();
    /// let mut c = arena.calculator();
    /// for (text, value) in [("3.{2|1}", "3 + {2|1}"), ("1/2.^", "{^^*|v*}"), ("-1:1", "-2")] {
    ///     assert_eq!(c.parse(text)?, c.parse(value)?);
    /// }
    /// # Ok::<(), cgvalues::ParseValueError>(())
    /// ```
    pub fn parse(&mut self, text: &str) -> Result<ValueId, ParseValueError> {
        let mut evaluation = Evaluation {
            calculator: self,
            binding: &[],
        };
        read_constant(text, &mut evaluation)
    }
}

/// Reads a text without variables.
pub(crate) fn read_constant<A: Algebra>(text: &str, algebra: &mut A) -> Parsed<A::Value> {
    Parser::new(text, false, algebra)?.whole()
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
    /// The games with letters in which the place is.
    labels: Vec<(char, A::Value)>,
    /// The numbers with variables, and where each ends.
    variables: Vec<(Amount, usize)>,
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
            labels: Vec::new(),
            variables: Vec::new(),
        })
    }

    /// Reads the whole text.
    fn whole(&mut self) -> Parsed<A::Value> {
        let value = self.value()?;
        if self.at < self.chars.len() {
            Err(self.unexpected("an operator or the end of the text"))
        } else {
            Ok(value)
        }
    }

    /// Reads a sum, or two that are the sides of a game, and the blanks after it.
    // Nested braces recurse through here, too; see `summand`.
    #[inline(always)]
    fn value(&mut self) -> Parsed<A::Value> {
        let onside = self.sum()?;
        match self.peek() {
            Some('&') => self.offside(onside),
            _ => Ok(onside),
        }
    }

    /// Reads the rest of a game whose onside is read.
    #[inline(never)]
    fn offside(&mut self, onside: A::Value) -> Parsed<A::Value> {
        let at = self.at;
        self.at += 1;
        let offside = self.sum()?;
        self.algebra.sides(onside, offside, at)
    }

    /// Reads a sum and the blanks after it.
    fn sum(&mut self) -> Parsed<A::Value> {
        self.skip_blanks();
        let mut sum = self.summand(true)?;
        loop {
            self.skip_blanks();
            let start = self.at;
            let negated = match self.peek() {
                // `3+-1` is 3 plus +-1. With a blank after the plus it is 3 minus 1.
                Some('+') if self.peek_at(1) == Some('-') => None,
                Some('±') => None,
                Some('+') => Some(false),
                Some('-' | '−') => Some(true),
                _ => return Ok(sum),
            };
            if negated.is_some() {
                self.at += 1;
                self.skip_blanks();
            }
            let summand = self.summand(false)?;
            let summand = self.negated_if(negated == Some(true), summand);
            sum = self.algebra.sum(sum, summand, start)?;
        }
    }

    /// Reads an ordinal sum with the signs before it. A minus sign before a number that begins a
    /// sum belongs to the number.
    // Nested braces recurse through here, so what they do not need stands in functions of its own:
    // a level takes less stack.
    fn summand(&mut self, first: bool) -> Parsed<A::Value> {
        if matches!(self.peek(), Some('-' | '−')) {
            return self.signed(first);
        }
        let start = self.at;
        let base = self.product()?;
        self.skip_blanks();
        match self.peek() {
            Some(':') => self.ordinal(base, start),
            _ => Ok(base),
        }
    }

    /// Reads a minus sign and what it belongs to.
    #[inline(never)]
    fn signed(&mut self, first: bool) -> Parsed<A::Value> {
        let start = self.at;
        self.at += 1;
        self.skip_blanks();
        if !first || !self.is_amount()? {
            return self.nested(start, |parser| {
                let summand = parser.summand(false)?;
                Ok(parser.algebra.negative(summand))
            });
        }
        let start = self.at;
        let number = self.numeric(true)?;
        let product = match self.peek() {
            Some('.') => self.times(number, start)?,
            _ => number,
        };
        self.skip_blanks();
        if self.peek() != Some(':') {
            return Ok(product);
        }
        if self.is_composed(start) {
            return Err(self.unexpected("parentheses around one side of the colon, as in -(1^:1)"));
        }
        let base = self.algebra.negative(product);
        let sum = self.ordinal(base, start)?;
        Ok(self.algebra.negative(sum))
    }

    /// Reads the rest of an ordinal sum whose base begins at a place.
    #[inline(never)]
    fn ordinal(&mut self, mut base: A::Value, start: usize) -> Parsed<A::Value> {
        let mut from = start;
        loop {
            self.skip_blanks();
            let at = self.at;
            if self.peek() != Some(':') {
                return Ok(base);
            }
            if matches!(self.chars[from], '+' | '±') {
                return Err(self.unexpected("parentheses around +- beside a colon, as in (+-1):1"));
            }
            self.at += 1;
            self.skip_blanks();
            from = self.at;
            if matches!(self.peek(), Some('-' | '−')) {
                return Err(
                    self.unexpected("parentheses around a sign after a colon, as in 1:(-1)")
                );
            }
            let above = self.product()?;
            base = self.algebra.ordinal_sum(base, above, at)?;
        }
    }

    /// Reads a term or a product.
    fn product(&mut self) -> Parsed<A::Value> {
        let start = self.at;
        let term = self.term()?;
        match self.peek() {
            Some('.') => self.times(term, start),
            _ => Ok(term),
        }
    }

    /// Reads the point and the unit of a product whose first factor begins at a place.
    #[inline(never)]
    fn times(&mut self, factor: A::Value, start: usize) -> Parsed<A::Value> {
        if self.is_composed(start) || matches!(self.chars[start], '+' | '±') {
            return Err(self.unexpected("one symbol or parentheses before a point, as in (1*).^"));
        }
        let at = self.at;
        self.at += 1;
        let arrow = self.peek().filter(|c| ARROWS.contains(*c));
        let unit = match (arrow, self.peek()) {
            (Some(_), _) if self.is_power_on() => self.power_on_alone(at + 1)?,
            (Some(arrow), _) => {
                let arrows = Some(self.arrows(arrow, None, false)?);
                self.algebra.literal(&Literal {
                    at: at + 1,
                    number: None,
                    arrows,
                    star: None,
                })?
            }
            (None, Some('*' | '{' | '(' | 'T' | 'M' | '±' | '+')) => self.term()?,
            (None, Some('a'..='z')) if !self.has_variables => self.term()?,
            _ => {
                return Err(self.unexpected(
                    "a unit after a point, as in 3.^, 3.{1|0} or 3.(1/2); 7/2 is no 3.5",
                ));
            }
        };
        let product = self.algebra.product(factor, unit, at)?;
        if arrow.is_none() || self.peek() != Some('*') {
            return Ok(product);
        }
        let at = self.at;
        let star = self.infinitesimal(None, false, at)?;
        self.algebra.sum(product, star, at)
    }

    /// Returns whether the text from a place to here is a number with ups, a star or a product, or
    /// ups with a star.
    fn is_composed(&self, start: usize) -> bool {
        let text = &self.chars[start..self.at];
        let is_variable = |c: &char| self.has_variables && c.is_ascii_lowercase() && *c != 'v';
        let has = |wanted: &str| text.iter().any(|c| wanted.contains(*c));
        match text.first() {
            Some(c) if c.is_ascii_digit() || is_variable(c) => has(".^v↑↓⇑⇓*TM"),
            Some('(' | '{' | '+' | '±' | 'T' | 'M') => false,
            Some(c) if c.is_ascii_lowercase() && *c != 'v' => text.last() == Some(&'*'),
            _ => has("^v↑↓⇑⇓") && has("*"),
        }
    }

    /// Reads a term without signs, colons and points beside it.
    fn term(&mut self) -> Parsed<A::Value> {
        let start = self.at;
        match self.peek() {
            Some('^' | 'v' | '↑' | '↓' | '⇑' | '⇓' | '*') => {
                self.infinitesimal(None, false, start)
            }
            Some('T' | 'M') => self.tiny(),
            Some('(') => self.nested(start, |parser| {
                parser.at += 1;
                let value = parser.value()?;
                parser.expect(')', "+, - or )")?;
                Ok(value)
            }),
            Some('{') => self.nested(start, |parser| parser.in_braces(None, start)),
            Some('±') => {
                self.at += 1;
                self.nested(start, Parser::symmetric)
            }
            Some('+') if self.peek_at(1) == Some('-') => {
                self.at += 2;
                self.nested(start, Parser::symmetric)
            }
            _ if self.is_amount()? => self.numeric(false),
            Some('a'..='z') if !self.has_variables => self.loopy(start),
            _ => Err(self.unexpected(TERM)),
        }
    }

    /// Reads a game in braces. `node` is the game if it was begun before.
    #[inline(always)]
    fn in_braces(&mut self, node: Option<A::Value>, start: usize) -> Parsed<A::Value> {
        let body = self.braces()?;
        if body.slashes.is_empty() {
            self.at -= 1;
            return Err(self.unexpected("| between Left's and Right's options"));
        }
        self.game(&body, node, start)
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
