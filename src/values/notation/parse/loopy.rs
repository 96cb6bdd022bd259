//! Terms of loopy games: names, and games with letters.

use super::super::super::{Dyadic, LoopyName, Upon, UptimalShape};
use super::evaluation::dyadic;
use super::limits::NIMBER;
use super::{ARROWS, Algebra, Amount, AmountOf, Fraction, ParseValueError, Parsed, Parser, TERM};

/// The words that name loopy games.
const WORDS: [&str; 8] = ["on", "off", "over", "under", "upon", "dud", "tis", "tisn"];

impl<A: Algebra> Parser<'_, A> {
    /// Returns whether a word comes next.
    pub(super) fn is_word(&self, word: &str) -> bool {
        let is_here = (0..)
            .zip(word.chars())
            .all(|(ahead, c)| self.peek_at(ahead) == Some(c));
        is_here
            && !self
                .peek_at(word.len())
                .is_some_and(|c| c.is_ascii_lowercase())
    }

    /// Reads a name of a loopy game, a game with a letter, or the letter of one in which it stands.
    #[inline(never)]
    pub(super) fn loopy(&mut self, start: usize) -> Parsed<A::Value> {
        if let Some(word) = WORDS.into_iter().find(|word| self.is_word(word)) {
            self.at += word.len();
            return self.word(word, start);
        }
        let letter = self.peek().expect("a letter comes next");
        match self.peek_at(1) {
            Some('{') => {}
            Some(c) if c.is_ascii_lowercase() => return Err(self.unexpected(TERM)),
            _ => {
                let labels = self.labels.iter().rev();
                let game = labels.into_iter().find(|(label, _)| *label == letter);
                let Some((_, game)) = game.cloned() else {
                    return Err(
                        self.unexpected("a value, or the letter of a game around this place")
                    );
                };
                self.at += 1;
                return Ok(game);
            }
        }
        self.at += 1;
        self.nested(start, |parser| {
            let game = parser.algebra.open(start)?;
            parser.labels.push((letter, game.clone()));
            let value = parser.in_braces(Some(game), start);
            parser.labels.pop();
            value
        })
    }

    fn word(&mut self, word: &str, start: usize) -> Parsed<A::Value> {
        let zero = Dyadic::ZERO;
        let name = match word {
            "on" => LoopyName::On,
            "off" => LoopyName::Off,
            "over" => LoopyName::Over(zero),
            "under" => LoopyName::Under(zero),
            "upon" => {
                let star = self.star()?;
                LoopyName::Upon(Upon {
                    number: zero,
                    down: false,
                    shape: UptimalShape::Sum,
                    star,
                })
            }
            "dud" => {
                let [on, off] =
                    [LoopyName::On, LoopyName::Off].map(|name| self.algebra.named(name, start));
                return self.algebra.sides(on?, off?, start);
            }
            word => return self.tis(word == "tisn", start),
        };
        self.algebra.named(name, start)
    }

    /// Returns `tis = {tisn|}` or `tisn = {|tis}`, which are 1 & 0 and 0 & -1.
    fn tis(&mut self, is_tisn: bool, start: usize) -> Parsed<A::Value> {
        let [tis, tisn] = [self.algebra.open(start)?, self.algebra.open(start)?];
        let of_tis = (tis.clone(), vec![tisn.clone()], vec![]);
        let of_tisn = (tisn, vec![], vec![tis]);
        let (inner, outer) = if is_tisn {
            (of_tis, of_tisn)
        } else {
            (of_tisn, of_tis)
        };
        self.algebra.close(inner.0, inner.1, inner.2, start)?;
        self.algebra.close(outer.0, outer.1, outer.2, start)
    }

    /// Reads `over` or `under` after a number that is added to it.
    #[inline(never)]
    pub(super) fn over_or_under(
        &mut self,
        number: Option<Fraction>,
        start: usize,
    ) -> Parsed<A::Value> {
        let (word, name): (_, fn(Dyadic) -> LoopyName) = match self.peek() {
            Some('o') => ("over", LoopyName::Over),
            _ => ("under", LoopyName::Under),
        };
        if !self.is_word(word) {
            return Err(self.unexpected("over or under after the number"));
        }
        self.at += word.len();
        let number = self.dyadic(number, start)?;
        self.algebra.named(name(number), start)
    }

    /// Returns whether upon or upon-th comes next: an arrow with `on` as its power.
    pub(super) fn is_power_on(&self) -> bool {
        let is = |ahead, symbols: &str| self.peek_at(ahead).is_some_and(|c| symbols.contains(c));
        is(0, ARROWS) && is(1, "<[") && is(2, "o") && is(3, "n") && is(4, ">]")
    }

    /// Reads upon or upon-th after a number that is added to it, and a nimber.
    #[inline(never)]
    pub(super) fn upon(&mut self, number: Option<Fraction>, start: usize) -> Parsed<A::Value> {
        let upon = self.power_on()?;
        let star = self.star()?;
        let number = self.dyadic(number, start)?;
        let upon = Upon {
            number,
            star,
            ..upon
        };
        self.algebra.named(LoopyName::Upon(upon), start)
    }

    /// Reads upon or upon-th as the unit of a product, after which a nimber is added to the product.
    #[inline(never)]
    pub(super) fn power_on_alone(&mut self, start: usize) -> Parsed<A::Value> {
        let upon = self.power_on()?;
        self.algebra.named(LoopyName::Upon(upon), start)
    }

    fn power_on(&mut self) -> Parsed<Upon> {
        let down = matches!(self.peek(), Some('v' | '↓'));
        if matches!(self.peek(), Some('⇑' | '⇓')) {
            return Err(self.unexpected("^ or v before the power on"));
        }
        let (shape, close) = match self.peek_at(1) {
            Some('<') => (UptimalShape::Power, '>'),
            _ => (UptimalShape::Sum, ']'),
        };
        self.at += 4;
        self.expect(close, "the closing bracket of the power")?;
        Ok(Upon {
            number: Dyadic::ZERO,
            down,
            shape,
            star: 0,
        })
    }

    /// Reads a nimber, if one follows.
    fn star(&mut self) -> Parsed<u32> {
        if self.peek() != Some('*') {
            return Ok(0);
        }
        self.at += 1;
        if !self.is_amount()? {
            return Ok(1);
        }
        let amount: Amount = self.amount(&NIMBER)?;
        match amount.of {
            AmountOf::Constant(star) => Ok(star as u32),
            _ => Err(ParseValueError::loopy(amount.at)),
        }
    }

    fn dyadic(&self, number: Option<Fraction>, start: usize) -> Parsed<Dyadic> {
        match number {
            Some(fraction) => dyadic(&fraction, &[], start),
            None => Ok(Dyadic::ZERO),
        }
    }
}
