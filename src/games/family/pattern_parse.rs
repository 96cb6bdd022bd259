//! The parser of patterns: a hand-written scanner with one character of lookahead, whose errors
//! have a place.

use std::str::FromStr;

use cgvalues::RESERVED;

use super::pattern::{Linear, PATTERN_DEPTH_MAX, PATTERN_POTS_MAX, Pattern, Term, Unit};
use super::pattern_error::PatternError;
use crate::board::row::POT_SEEDS_MAX;
use crate::board::{BoardKind, is_blank};

impl FromStr for Pattern {
    type Err = PatternError;

    /// Reads a pattern of rows with seeds of one colour.
    fn from_str(text: &str) -> Result<Pattern, PatternError> {
        Pattern::read(text, BoardKind::Row)
    }
}

impl Pattern {
    /// Reads a pattern of rows of this kind; for grids, which have no patterns, it reads one of
    /// rows of one colour.
    ///
    /// # Errors
    ///
    /// A text that is not a pattern.
    pub fn read(text: &str, kind: BoardKind) -> Result<Pattern, PatternError> {
        let chars: Vec<char> = text.chars().collect();
        let is_coloured = kind == BoardKind::Coloured;
        let mut scanner = Scanner {
            is_coloured,
            chars: &chars,
            next: 0,
            variables: Vec::new(),
        };
        scanner.blanks();
        if scanner.peek().is_none() {
            return Err(PatternError::Empty);
        }
        let endless_left = !is_coloured && scanner.endless_left()?;
        let terms = scanner.terms(0)?;
        let endless_right = !is_coloured && scanner.endless_right();
        scanner.blanks();
        match scanner.peek() {
            None => Ok(Pattern {
                is_coloured,
                terms,
                endless_left,
                endless_right,
                variables: scanner.variables,
            }),
            Some('.' | '…') if !is_coloured => Err(PatternError::Dots { at: scanner.at() }),
            Some(found) => Err(scanner.unexpected(found)),
        }
    }
}

struct Scanner<'a> {
    is_coloured: bool,
    chars: &'a [char],
    next: usize,
    variables: Vec<char>,
}

impl Scanner<'_> {
    fn peek(&self) -> Option<char> {
        self.chars.get(self.next).copied()
    }

    /// The place of the next character, counted from 1.
    fn at(&self) -> usize {
        self.next + 1
    }

    fn unexpected(&self, found: char) -> PatternError {
        let at = self.at();
        if self.is_coloured {
            PatternError::Coloured { found, at }
        } else {
            PatternError::Unexpected { found, at }
        }
    }

    fn blanks(&mut self) {
        while self.peek().is_some_and(is_blank) {
            self.next += 1;
        }
    }

    /// The width of an ellipsis `offset` characters ahead.
    fn dots(&self, offset: usize) -> Option<usize> {
        match self.chars.get(self.next + offset..)? {
            ['…', ..] => Some(1),
            ['.', '.', '.', ..] => Some(3),
            _ => None,
        }
    }

    /// Takes `...e` if it comes next.
    fn endless_left(&mut self) -> Result<bool, PatternError> {
        let Some(width) = self.dots(0) else {
            return Ok(false);
        };
        if !matches!(self.chars.get(self.next + width), Some('e' | '•')) {
            return Err(PatternError::Dots { at: self.at() });
        }
        self.next += width + 1;
        Ok(true)
    }

    /// Takes `e...` if it comes next.
    fn endless_right(&mut self) -> bool {
        match (self.peek(), self.dots(1)) {
            (Some('e' | '•'), Some(width)) => {
                self.next += width + 1;
                true
            }
            _ => false,
        }
    }

    /// Takes terms up to `)`, `e...`, the end, or a character that starts no term.
    fn terms(&mut self, depth: usize) -> Result<Vec<Term>, PatternError> {
        let mut terms = Vec::new();
        loop {
            self.blanks();
            let at = self.at();
            let unit = match self.peek() {
                Some('(') => self.group(at, depth)?,
                Some('0'..='9' | 'a'..='z' | '[') if self.is_coloured => self.coloured_pot()?,
                _ if self.is_coloured => break,
                Some('e' | '•') if self.dots(1).is_some() => break,
                Some('e' | '•') => {
                    self.next += 1;
                    Unit::Full
                }
                Some(digit @ '0'..='9') => {
                    self.next += 1;
                    Unit::Seeds(Linear::of(i64::from(digit as u32 - '0' as u32)))
                }
                Some('a'..='z') => {
                    let variable = self.variable()?;
                    Unit::Seeds(Linear {
                        variable,
                        offset: 0,
                    })
                }
                Some('[') => Unit::Seeds(self.bracket(at)?),
                _ => break,
            };
            let exponent = self.exponent()?;
            terms.push(Term { unit, exponent });
        }
        Ok(terms)
    }

    fn group(&mut self, at: usize, depth: usize) -> Result<Unit, PatternError> {
        if depth == PATTERN_DEPTH_MAX {
            return Err(PatternError::TooDeep { at });
        }
        self.next += 1;
        let terms = self.terms(depth + 1)?;
        match self.peek() {
            Some(')') if terms.is_empty() => Err(PatternError::EmptyGroup { at }),
            Some(')') => {
                self.next += 1;
                Ok(Unit::Group(terms))
            }
            None => Err(PatternError::Unclosed { at }),
            Some(found) if self.is_coloured => Err(self.unexpected(found)),
            // The pot of `e...` is allowed here; the dots after it are not.
            Some('e' | '•') => Err(PatternError::Dots { at: self.at() + 1 }),
            Some('.' | '…') => Err(PatternError::Dots { at: self.at() }),
            Some(found) => Err(self.unexpected(found)),
        }
    }

    /// Takes `[12]`, `[x]` or `[x+1]`.
    fn bracket(&mut self, at: usize) -> Result<Linear, PatternError> {
        let error = PatternError::Bracket { at };
        self.next += 1;
        self.blanks();
        let seeds = match self.peek() {
            Some('0'..='9') => self.integer(i64::from(POT_SEEDS_MAX)).map(Linear::of),
            _ => self.linear()?,
        };
        let seeds = seeds.ok_or_else(|| error.clone())?;
        self.blanks();
        if self.peek() != Some(']') {
            return Err(error);
        }
        self.next += 1;
        Ok(seeds)
    }

    /// Takes `0`, or blue seeds, red seeds or both: `b`, `3r`, `2br`, `xb`, `[x+1]b2r`.
    fn coloured_pot(&mut self) -> Result<Unit, PatternError> {
        let mut seeds = [Linear::of(0); 2];
        let mut any = false;
        for (seeds, colour) in seeds.iter_mut().zip(['b', 'r']) {
            let start = self.next;
            let count = match self.peek() {
                Some('0'..='9') => {
                    let error = PatternError::Number { at: self.at() };
                    let count = self.integer(i64::from(POT_SEEDS_MAX)).ok_or(error)?;
                    Linear::of(count)
                }
                Some('[') => self.bracket(self.at())?,
                _ => match self.variable()? {
                    Some(index) => Linear {
                        variable: Some(index),
                        offset: 0,
                    },
                    None => Linear::of(1),
                },
            };
            if self.peek() == Some(colour) {
                if count == Linear::of(0) {
                    return Err(PatternError::Number { at: start + 1 });
                }
                self.next += 1;
                (*seeds, any) = (count, true);
                continue;
            }
            let ends = !matches!(self.peek(), Some('0'..='9' | 'a'..='z' | '['));
            if !any && ends && self.next == start + 1 && count == Linear::of(0) {
                any = true;
                break;
            }
            self.next = start;
        }
        // A pot is followed by a blank, an exponent or the end of a group.
        match self.peek() {
            None | Some('^' | ')') if any => Ok(Unit::Coloured(seeds)),
            Some(blank) if any && is_blank(blank) => Ok(Unit::Coloured(seeds)),
            Some('0'..='9') => Err(PatternError::Number { at: self.at() }),
            Some(found) => Err(self.unexpected(found)),
            None => unreachable!("a pot was seen to begin here"),
        }
    }

    fn exponent(&mut self) -> Result<Option<Linear>, PatternError> {
        self.blanks();
        if self.peek() != Some('^') {
            return Ok(None);
        }
        self.next += 1;
        self.blanks();
        let at = self.at();
        let exponent = match self.peek() {
            Some('0'..='9') => self.integer(PATTERN_POTS_MAX as i64).map(Linear::of),
            _ => self.linear()?,
        };
        exponent.map(Some).ok_or(PatternError::Exponent { at })
    }

    /// Takes `n`, `n+1` or `n-1`.
    fn linear(&mut self) -> Result<Option<Linear>, PatternError> {
        let variable = self.variable()?;
        if variable.is_none() {
            return Ok(None);
        }
        let sign = match self.peek() {
            Some('+') => 1,
            Some('-') => -1,
            _ => 0,
        };
        let mut offset = Some(0);
        if sign != 0 {
            self.next += 1;
            offset = self.integer(i64::from(POT_SEEDS_MAX));
        }
        Ok(offset.map(|offset| Linear {
            variable,
            offset: sign * offset,
        }))
    }

    /// Takes a variable and returns its index, adding it if it is new.
    fn variable(&mut self) -> Result<Option<usize>, PatternError> {
        let letter = self.peek().filter(char::is_ascii_lowercase);
        let is_colour = |name: &char| self.is_coloured && ['b', 'r'].contains(name);
        let Some(name) = letter.filter(|name| !is_colour(name)) else {
            return Ok(None);
        };
        if RESERVED.contains(&name) {
            return Err(PatternError::Reserved {
                found: name,
                at: self.at(),
                is_coloured: self.is_coloured,
            });
        }
        self.next += 1;
        let known = self.variables.iter().position(|&known| known == name);
        Ok(Some(known.unwrap_or_else(|| {
            self.variables.push(name);
            self.variables.len() - 1
        })))
    }

    /// Takes all following digits, at least one; `None` above `max`.
    fn integer(&mut self, max: i64) -> Option<i64> {
        let start = self.next;
        let mut value = 0i64;
        while let Some(digit) = self.peek().and_then(|c| c.to_digit(10)) {
            value = value.saturating_mul(10).saturating_add(i64::from(digit));
            self.next += 1;
        }
        (self.next > start && value <= max).then_some(value)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_pattern_prints_in_the_spelling_of_the_papers() {
        for (text, printed) in [
            ("1^n", "1^n"),
            ("x y", "x y"),
            ("xy", "x y"),
            ("(10)^m03(01)^n", "(10)^m 03 (01)^n"),
            ("…e2 ^ n•…", "...e 2^n e..."),
            ("e1^ne", "e 1^n e"),
            ("1^12 3", "1^12 3"),
            ("[7][12][x][x+0][y-2]", "7[12] x x [y-2]"),
            ("((1)^n+1 2)^0", "((1)^n+1 2)^0"),
            ("...e e...", "...e e..."),
            ("...eee...", "...e e e..."),
            ("e^n e...", "e^n e..."),
        ] {
            let pattern: Pattern = text.parse().unwrap();
            assert_eq!(pattern.to_string(), printed);
            let again: Pattern = printed.parse().unwrap();
            assert_eq!(again, pattern, "{text}");
        }
    }

    #[test]
    fn variables_stand_in_order_of_first_appearance() {
        let pattern: Pattern = "(z^n+1 a)^m n z".parse().unwrap();
        assert_eq!(pattern.variables(), ['z', 'n', 'a', 'm']);
    }

    #[test]
    fn errors_name_the_place() {
        use PatternError::*;
        let reserved = |found, at| Reserved {
            found,
            at,
            is_coloured: false,
        };
        for (text, error) in [
            ("", Empty),
            (" \t", Unexpected { found: '\t', at: 2 }),
            ("1^", Exponent { at: 3 }),
            ("1^e", reserved('e', 3)),
            ("1^v+1", reserved('v', 3)),
            ("1 v", reserved('v', 3)),
            ("[v]", reserved('v', 2)),
            ("1^n+", Exponent { at: 3 }),
            ("1^-1", Exponent { at: 3 }),
            ("1^10001", Exponent { at: 3 }),
            ("1^99999999999999999999999", Exponent { at: 3 }),
            ("1^(n)", Exponent { at: 3 }),
            ("^2", Unexpected { found: '^', at: 1 }),
            ("1^n +1", Unexpected { found: '+', at: 5 }),
            ("1N", Unexpected { found: 'N', at: 2 }),
            ("1)", Unexpected { found: ')', at: 2 }),
            ("(1]", Unexpected { found: ']', at: 3 }),
            ("1é", Unexpected { found: 'é', at: 2 }),
            ("e...1", Unexpected { found: '1', at: 5 }),
            ("...e^2", Unexpected { found: '^', at: 5 }),
            ("(01", Unclosed { at: 1 }),
            ("1()", EmptyGroup { at: 2 }),
            ("[", Bracket { at: 1 }),
            ("1[]", Bracket { at: 2 }),
            ("[12", Bracket { at: 1 }),
            ("[1000000]", Bracket { at: 1 }),
            ("[x+]", Bracket { at: 1 }),
            ("[e]", reserved('e', 2)),
            ("...1", Dots { at: 1 }),
            ("1...", Dots { at: 2 }),
            ("1...e", Dots { at: 2 }),
            ("e^2...", Dots { at: 4 }),
            ("(1e...)", Dots { at: 4 }),
            ("(...e1)", Dots { at: 2 }),
        ] {
            assert_eq!(text.parse::<Pattern>(), Err(error), "{text:?}");
        }
        let deep = |depth: usize| format!("{}1{}", "(".repeat(depth), ")".repeat(depth));
        assert!(deep(PATTERN_DEPTH_MAX).parse::<Pattern>().is_ok());
        assert_eq!(
            deep(100_000).parse::<Pattern>(),
            Err(TooDeep {
                at: PATTERN_DEPTH_MAX + 1
            })
        );
        let message = "1^".parse::<Pattern>().unwrap_err().to_string();
        assert!(message.contains("at character 3"), "{message}");
        assert!(message.contains("for example n+1"), "{message}");
    }

    proptest! {
        #[test]
        fn what_is_printed_reads_back(text in r"(\.\.\.e ?)?([0-3exyn ]|\[[0-9]{1,3}\]|\[x-[12]\]|\([01x]{1,2}(\^n)?\)|1\^(n|m|[0-9]{1,2}|n\+1|k-2) ){1,8}") {
            let Ok(pattern) = text.parse::<Pattern>() else {
                prop_assert_eq!(text.trim(), "");
                return Ok(());
            };
            let again = pattern.to_string().parse::<Pattern>();
            prop_assert_eq!(again, Ok(pattern));
        }

        #[test]
        fn no_text_panics(text in r"[0-9a-f()\[\]^+.… •-]{0,20}") {
            if let Ok(pattern) = text.parse::<Pattern>() {
                let _ = pattern.expand(&vec![3; pattern.variables().len()]);
            }
        }
    }
}
