//! Games in braces, with slashes of any length, and `+-` with one or more options.

use super::limits::{Limit, SLASHES_MAX};
use super::{Algebra, ParseValueError, Parsed, Parser, TERM};

/// The content of braces: lists of options, and the slashes between them.
pub(super) struct Body<V> {
    /// `None` is `pass`: the game in whose list it stands.
    lists: Vec<Vec<Option<V>>>,
    /// The place and length of each run of slashes; one fewer than lists.
    pub(super) slashes: Vec<(usize, usize)>,
}

impl<A: Algebra> Parser<'_, A> {
    /// Reads the operand of `+-`, and returns the game of it and its negative.
    pub(super) fn symmetric(&mut self) -> Parsed<A::Value> {
        self.skip_blanks();
        let start = self.at;
        let options = match self.peek() {
            Some('{') => {
                let body = self.braces()?;
                if body.slashes.is_empty() {
                    let options: Option<_> = body.lists.into_iter().flatten().collect();
                    // The game after +- is not begun before its options.
                    options.ok_or(ParseValueError::Unended {
                        position: start + 1,
                    })?
                } else {
                    vec![self.game(&body, None, start)?]
                }
            }
            Some('-' | '−') => return Err(self.unexpected(TERM)),
            _ => {
                let option = self.term()?;
                // In +-1*, the star could belong inside or outside.
                if self.is_composed(start) {
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

    /// Reads braces and their content.
    pub(super) fn braces(&mut self) -> Parsed<Body<A::Value>> {
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
                    let option = match self.is_word("pass") {
                        true => {
                            self.at += "pass".len();
                            self.skip_blanks();
                            None
                        }
                        false => Some(self.value()?),
                    };
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
    /// with slashes of its own is one option. Recurses once for each length of run. `node` is the
    /// game if it was begun before its options.
    #[inline(never)]
    pub(super) fn game(
        &mut self,
        body: &Body<A::Value>,
        node: Option<A::Value>,
        start: usize,
    ) -> Parsed<A::Value> {
        self.subgame(&body.lists, &body.slashes, node, start)
    }

    fn subgame(
        &mut self,
        lists: &[Vec<Option<A::Value>>],
        slashes: &[(usize, usize)],
        node: Option<A::Value>,
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
        let mut side = |lists: &[Vec<Option<A::Value>>], slashes: &[(usize, usize)]| {
            if slashes.is_empty() {
                Ok(lists[0].clone())
            } else {
                Ok(vec![Some(self.subgame(lists, slashes, None, start)?)])
            }
        };
        let left = side(&lists[..=middle], &slashes[..middle])?;
        let right = side(&lists[middle + 1..], &slashes[middle + 1..])?;
        let passes = left.iter().chain(&right).any(Option::is_none);
        let node = match (node, passes) {
            (None, true) => Some(self.algebra.open(start)?),
            (node, _) => node,
        };
        let [left, right] = [left, right].map(|options| {
            let game = || node.clone().expect("a game that passes was begun");
            let options = options.into_iter();
            options.map(|option| option.unwrap_or_else(game)).collect()
        });
        match node {
            Some(node) => self.algebra.close(node, left, right, start),
            None => self.algebra.game(left, right, start),
        }
    }
}
