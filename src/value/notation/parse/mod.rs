//! Parses values: every text that this module writes, nested braces and slashes in any mix, and
//! sums.
//!
//! ```text
//! sum      = ["-"] term { ("+" | "-") term }
//! term     = number [ups] [star] | ups [star] | star | number ("Tiny" | "Miny") "(" sum ")"
//!          | number "." ups [star] | ("Tiny" | "Miny") "(" sum ")" | game | "(" sum ")"
//!          | ("+-" | "±") operand
//! operand  = number | ups | star | game | "(" sum ")" | "{" options "}" | ...
//! ups      = "^" [n] | "^^..." | "^<n>" | "^[n]", and the same with v, ↑, ↓, ⇑, ⇓
//! star     = "*" [n]
//! game     = "{" options slashes options "}"
//! ```
//!
//! Blanks are ignored, except within a number with its ups and star. A minus sign before a number
//! that begins a sum belongs to the number alone (`-1^` is -1 plus up); any other negates the whole
//! term (`0-1^` is -1 plus down). `2.^*` is two ups plus star. The longest run of slashes in a game
//! divides it, and must occur once.
//!
//! The text need not be in canonical form; the value is. Limits keep any input harmless.

use thiserror::Error;

use super::super::{ArenaError, Calculator, Dyadic, NumberUpStar, Uptimal, UptimalShape, ValueId};
use super::order::non_numbers;

const CHARS_MAX: usize = 1 << 20;
const NESTING_MAX: usize = 200;
const INTEGER_MAX: i64 = 1_000_000;
const EXPONENT_MAX: u32 = 100;
const STAR_MAX: u32 = 255;
const UPS_MAX: i32 = 255;
const POWER_MAX: u32 = 64;
const SLASHES_MAX: usize = 64;
const SUM_FOLLOWERS_MAX: usize = 100_000;
const SUM_PAIRS_MAX: usize = 1_000_000;

/// The error for a text that denotes no value.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ParseValueError {
    /// An unexpected character, or the end of the text.
    #[error("character {position}: expected {expected}, found {found}")]
    Unexpected {
        /// The place, counted in characters from 1.
        position: usize,
        /// The text at that place.
        found: String,
        /// The accepted continuation.
        expected: &'static str,
    },
    /// The longest run of slashes occurs twice, so the game has no unique middle.
    #[error(
        "character {position}: a second run of {slashes} slashes in one game; write braces around one side"
    )]
    Ambiguous {
        /// The place of the second run, counted in characters from 1.
        position: usize,
        /// Its length.
        slashes: usize,
    },
    /// A number or a game beyond the limits.
    #[error("character {position}: {what} too large; at most {max} is read")]
    TooLarge {
        /// The place, counted in characters from 1.
        position: usize,
        /// The name of the quantity that is too large.
        what: &'static str,
        /// The limit.
        max: u64,
    },
    /// The arena cannot hold the value.
    #[error("character {position}: {source}")]
    Arena {
        /// The place of the part in question, counted in characters from 1.
        position: usize,
        /// The arena's error.
        source: ArenaError,
    },
}

impl NumberUpStar {
    /// Returns whether the parser accepts a text of the value: beyond these sizes a canonical form
    /// takes too much memory.
    pub(crate) fn is_readable(&self) -> bool {
        let magnitude = self.number.max(-self.number);
        magnitude <= Dyadic::integer(INTEGER_MAX)
            && self.number.exponent() <= EXPONENT_MAX
            && self.ups.unsigned_abs() <= UPS_MAX as u32
            && self.star <= STAR_MAX
    }
}

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
        let chars: Vec<char> = text.chars().take(CHARS_MAX + 1).collect();
        let mut parser = Parser {
            calculator: self,
            chars,
            at: 0,
            nesting: 0,
        };
        if parser.chars.len() > CHARS_MAX {
            parser.at = CHARS_MAX;
            return Err(parser.too_large("text", CHARS_MAX as u64));
        }
        let value = parser.sum()?;
        if parser.at < parser.chars.len() {
            return Err(parser.unexpected("+, - or the end of the text"));
        }
        Ok(value)
    }
}

struct Parser<'p, 'a> {
    calculator: &'p mut Calculator<'a>,
    chars: Vec<char>,
    at: usize,
    nesting: usize,
}

/// The content of braces: lists of options, and the slashes between them.
struct Body {
    lists: Vec<Vec<ValueId>>,
    /// The place and length of each run of slashes; one fewer than lists.
    slashes: Vec<(usize, usize)>,
}

type Parsed<T> = Result<T, ParseValueError>;

const TERM: &str = "a value, such as 1/2, *2, ^, {1|0}, Tiny(1) or +-1";

impl Parser<'_, '_> {
    /// Reads a sum and the blanks after it.
    fn sum(&mut self) -> Parsed<ValueId> {
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
            let term = self.term(false)?.negated_if(negated);
            sum = self.add(sum, term, start)?;
        }
    }

    /// Reads a term, including its sign if it begins a sum.
    fn term(&mut self, first: bool) -> Parsed<ValueId> {
        let start = self.at;
        match self.peek() {
            Some('-' | '−') => {
                self.at += 1;
                self.skip_blanks();
                let negative_number = first && self.peek().is_some_and(|c| c.is_ascii_digit());
                if negative_number {
                    return self.numeric(true);
                }
                self.nested(start, |parser| Ok(parser.term(false)?.negative()))
            }
            Some('0'..='9') => self.numeric(false),
            Some('^' | 'v' | '↑' | '↓' | '⇑' | '⇓' | '*') => {
                self.infinitesimal(Dyadic::ZERO, 1, start)
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
            _ => Err(self.unexpected(TERM)),
        }
    }

    /// Reads the operand of `+-`, and returns the game of it and its negative.
    fn symmetric(&mut self) -> Parsed<ValueId> {
        self.skip_blanks();
        let start = self.at;
        let mut options = match self.peek() {
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
                let has = |wanted: &str| operand.iter().any(|c| wanted.contains(*c));
                // In +-1*, the star could belong inside or outside.
                let composed = match operand.first() {
                    Some('0'..='9') => has(".^v↑↓⇑⇓*TM"),
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
        let mut negatives = options.iter().map(|option| option.negative()).collect();
        let value = self.calculator.canonical(&mut options, &mut negatives);
        self.stored(value, start)
    }

    /// Reads a number and the ups, star or tiny attached to it.
    fn numeric(&mut self, negated: bool) -> Parsed<ValueId> {
        let start = self.at;
        let numerator = self.digits("integer", i128::MAX as u128)?;
        let mut exponent = 0;
        if self.peek() == Some('/') {
            self.at += 1;
            let place = self.at;
            let denominator = self.digits("denominator", 1 << EXPONENT_MAX)?;
            if !denominator.is_power_of_two() {
                self.at = place;
                return Err(self.unexpected("a power of two as denominator"));
            }
            exponent = denominator.trailing_zeros();
        }
        let magnitude = Dyadic::new(numerator as i128, exponent);
        if magnitude > Dyadic::integer(INTEGER_MAX) {
            self.at = start;
            return Err(self.too_large("number", INTEGER_MAX as u64));
        }
        let number = if negated { -magnitude } else { magnitude };
        match self.peek() {
            Some('.') => {
                self.at += 1;
                let multiple = number.to_integer().unwrap_or(i64::MAX);
                let arrow = self.peek().is_some_and(|c| "^v↑↓⇑⇓".contains(c));
                if !arrow || exponent > 0 {
                    return Err(self.unexpected("an arrow after an integer and a point, as in 3.^"));
                }
                let Some(multiple) = i32::try_from(multiple).ok().filter(|n| n.abs() <= UPS_MAX)
                else {
                    self.at = start;
                    return Err(self.too_large("multiple of up", UPS_MAX as u64));
                };
                self.infinitesimal(Dyadic::ZERO, multiple, start)
            }
            Some('^' | 'v' | '↑' | '↓' | '⇑' | '⇓' | '*') => {
                self.infinitesimal(number, 1, start)
            }
            Some('T' | 'M') => {
                let tiny = self.tiny()?;
                let number = self.calculator.number(number);
                let number = self.stored(number, start)?;
                self.add(tiny, number, start)
            }
            _ => {
                let value = self.calculator.number(number);
                self.stored(value, start)
            }
        }
    }

    /// Reads ups or a power of up, and a star, and adds a number to them.
    fn infinitesimal(&mut self, number: Dyadic, multiple: i32, start: usize) -> Parsed<ValueId> {
        let mut ups = 0;
        let mut powers = None;
        if let Some(arrow) = self.peek().filter(|c| "^v↑↓⇑⇓".contains(*c)) {
            let sign = if "v↓⇓".contains(arrow) { -1 } else { 1 };
            let weight = if "⇑⇓".contains(arrow) { 2 } else { 1 };
            let mut count: i32 = 0;
            while self.peek() == Some(arrow) {
                self.at += 1;
                count += 1;
            }
            match self.peek() {
                Some('0'..='9') if count == 1 && weight == 1 => {
                    count = self.digits("multiple of up", UPS_MAX as u128)? as i32;
                }
                Some(open @ ('<' | '[')) if count == 1 && weight == 1 && multiple == 1 => {
                    self.at += 1;
                    let power = self.digits("power of up", u128::from(POWER_MAX))? as u32;
                    let (shape, close) = if open == '<' {
                        (UptimalShape::Power, '>')
                    } else {
                        (UptimalShape::Sum, ']')
                    };
                    self.expect(close, "the closing bracket of the power")?;
                    powers = Some((shape, power, sign < 0));
                    count = 0;
                }
                _ => {}
            }
            ups = i64::from(count) * i64::from(sign * weight) * i64::from(multiple);
        }
        let mut star = 0;
        if self.peek() == Some('*') {
            self.at += 1;
            star = if self.peek().is_some_and(|c| c.is_ascii_digit()) {
                self.digits("nimber", u128::from(STAR_MAX))? as u32
            } else {
                1
            };
        }
        if let Some((shape, power, down)) = powers {
            let value = self.calculator.uptimal(Uptimal {
                number,
                down,
                shape,
                power,
                star,
            });
            return self.stored(value, start);
        }
        let ups = i32::try_from(ups).unwrap_or(i32::MAX);
        self.number_up_star(NumberUpStar { number, ups, star }, start)
    }

    fn number_up_star(&mut self, value: NumberUpStar, start: usize) -> Parsed<ValueId> {
        if value.ups.unsigned_abs() > UPS_MAX as u32 {
            self.at = start;
            return Err(self.too_large("multiple of up", UPS_MAX as u64));
        }
        let value = self.calculator.number_up_star(value);
        self.stored(value, start)
    }

    /// Reads `Tiny(g)` or `Miny(g)`.
    fn tiny(&mut self) -> Parsed<ValueId> {
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
        let zero = ValueId::ZERO;
        let calculator = &mut *self.calculator;
        let tiny = calculator
            .canonical(&mut vec![zero], &mut vec![subscript.negative()])
            .and_then(|hot| calculator.canonical(&mut vec![zero], &mut vec![hot]));
        Ok(self.stored(tiny, start)?.negated_if(miny))
    }

    /// Reads braces and their content.
    fn braces(&mut self) -> Parsed<Body> {
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
                    if length > SLASHES_MAX {
                        self.at = start;
                        return Err(self.too_large("run of slashes", SLASHES_MAX as u64));
                    }
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
    fn game(&mut self, body: &Body, start: usize) -> Parsed<ValueId> {
        self.subgame(&body.lists, &body.slashes, start)
    }

    fn subgame(
        &mut self,
        lists: &[Vec<ValueId>],
        slashes: &[(usize, usize)],
        start: usize,
    ) -> Parsed<ValueId> {
        let longest = slashes.iter().map(|&(_, length)| length).max().unwrap_or(0);
        let mut dividers = (0..slashes.len()).filter(|&i| slashes[i].1 == longest);
        let middle = dividers.next().expect("a game has slashes");
        if let Some(second) = dividers.next() {
            return Err(ParseValueError::Ambiguous {
                position: slashes[second].0 + 1,
                slashes: longest,
            });
        }
        let mut side = |lists: &[Vec<ValueId>], slashes: &[(usize, usize)]| {
            if slashes.is_empty() {
                Ok(lists[0].clone())
            } else {
                Ok(vec![self.subgame(lists, slashes, start)?])
            }
        };
        let mut left = side(&lists[..=middle], &slashes[..middle])?;
        let mut right = side(&lists[middle + 1..], &slashes[middle + 1..])?;
        let value = self.calculator.canonical(&mut left, &mut right);
        self.stored(value, start)
    }

    /// Returns a sum, if the summands are small enough.
    fn add(&mut self, g: ValueId, h: ValueId, start: usize) -> Parsed<ValueId> {
        let arena = self.calculator.arena();
        if let (Some(x), Some(y)) = (arena.number_up_star(g), arena.number_up_star(h)) {
            let number = x.number.checked_add(y.number);
            let in_range = |x: &Dyadic| {
                let limit = Dyadic::integer(INTEGER_MAX);
                *x <= limit && -*x <= limit
            };
            let Some(number) = number.filter(in_range) else {
                self.at = start;
                return Err(self.too_large("sum", INTEGER_MAX as u64));
            };
            let sum = NumberUpStar {
                number,
                ups: x.ups + y.ups,
                star: x.star ^ y.star,
            };
            return self.number_up_star(sum, start);
        }
        let size = |id| non_numbers(arena, id, SUM_FOLLOWERS_MAX).map(|forms| forms.len().max(1));
        let pairs = size(g).zip(size(h)).map(|(of_g, of_h)| of_g * of_h);
        let feasible = pairs.is_some_and(|pairs| pairs <= SUM_PAIRS_MAX);
        if !feasible {
            self.at = start;
            return Err(self.too_large(
                "sum (by the product of the numbers of followers)",
                SUM_PAIRS_MAX as u64,
            ));
        }
        let sum = self.calculator.sum(g, h);
        self.stored(sum, start)
    }

    /// Runs a step one level deeper.
    fn nested<T>(&mut self, start: usize, step: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.nesting == NESTING_MAX {
            self.at = start;
            return Err(self.too_large("nesting", NESTING_MAX as u64));
        }
        self.nesting += 1;
        let result = step(self);
        self.nesting -= 1;
        result
    }

    fn digits(&mut self, what: &'static str, max: u128) -> Parsed<u128> {
        let start = self.at;
        let mut value: Option<u128> = Some(0);
        while let Some(digit) = self.peek().and_then(|c| c.to_digit(10)) {
            value = value
                .and_then(|value| value.checked_mul(10))
                .and_then(|value| value.checked_add(u128::from(digit)));
            self.at += 1;
        }
        if self.at == start {
            return Err(self.unexpected("a digit"));
        }
        value.filter(|&value| value <= max).ok_or_else(|| {
            self.at = start;
            self.too_large(what, u64::try_from(max).unwrap_or(u64::MAX))
        })
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

    fn too_large(&self, what: &'static str, max: u64) -> ParseValueError {
        ParseValueError::TooLarge {
            position: self.at + 1,
            what,
            max,
        }
    }

    fn stored(&self, value: Result<ValueId, ArenaError>, start: usize) -> Parsed<ValueId> {
        value.map_err(|source| ParseValueError::Arena {
            position: start + 1,
            source,
        })
    }
}

#[cfg(test)]
mod tests;
