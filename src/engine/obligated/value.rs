//! The four values of the theory of obligated sums, and how components add.
//!
//! A value says who wins when a game is played alone, under normal and under misère play. Ferguson's
//! Theorem 1 says that nothing else about the components of an obligated sum matters.
//!
//! The theorem counts components; [`ObligatedValue::sum`] does the same. The table for two components
//! (Ferguson's Figure 4) is no substitute: adding pair by pair is not associative.
//!
//! Source: T. S. Ferguson, *Obligated sums of games*. Its proof of part (b) ends "if `m_00` is even,
//! then the value is 00"; what is meant, and what the theorem states, is `m_10`.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// Which player wins: the one who moves last, or the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Ending {
    /// Whoever moves last wins.
    Normal,
    /// Whoever moves last loses.
    Misere,
}

impl Ending {
    /// Both endings, normal play first.
    pub const ALL: [Ending; 2] = [Ending::Normal, Ending::Misere];
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Ending::Normal => "normal",
            Ending::Misere => "misere",
        })
    }
}

/// Who wins a game under normal play and who under misère play: two digits, normal play first, each
/// 0 for a P-position (the player who has just moved wins) or 1 for an N-position (the next one does).
///
/// ```
/// use seedbank::engine::obligated::ObligatedValue;
///
/// // A single token to take: whoever takes it moves last.
/// let token = ObligatedValue::of_options([ObligatedValue::V01]);
/// assert_eq!(token, ObligatedValue::V10);
/// assert_eq!(token.to_string(), "10");
/// assert_eq!("10".parse(), Ok(token));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum ObligatedValue {
    /// The previous player wins both ways.
    V00 = 0b00,
    /// P under normal play, N under misère play: the value of a game that is over.
    V01 = 0b01,
    /// N under normal play, P under misère play.
    V10 = 0b10,
    /// The next player wins both ways.
    V11 = 0b11,
}

use ObligatedValue::{V00, V01, V10, V11};

/// A text that is no value.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{found:?} is no value of an obligated sum; accepted are 00, 01, 10 and 11")]
pub struct ObligatedValueError {
    /// The text.
    pub found: String,
}

impl ObligatedValue {
    /// All four values, in the order in which they are printed in tables.
    pub const ALL: [ObligatedValue; 4] = [V00, V01, V10, V11];

    /// Returns the value with these outcomes, `true` for an N-position.
    pub const fn new(normal_is_n: bool, misere_is_n: bool) -> ObligatedValue {
        match (normal_is_n, misere_is_n) {
            (false, false) => V00,
            (false, true) => V01,
            (true, false) => V10,
            (true, true) => V11,
        }
    }

    /// Returns whether the player to move wins.
    pub const fn is_n(self, ending: Ending) -> bool {
        match ending {
            Ending::Normal => self as u8 & 2 != 0,
            Ending::Misere => self as u8 & 1 != 0,
        }
    }

    /// Returns 0, 1, 2 or 3 for `00`, `01`, `10` and `11`: the place in [`ObligatedValue::ALL`].
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Returns the value of a game from the values of its options.
    ///
    /// The digits are `NOT AND` of those of the options: a position is N when some option is P.
    /// Without options the game is over, which is `01` by definition.
    ///
    /// ```
    /// use seedbank::engine::obligated::ObligatedValue::{self, V00, V01, V10};
    ///
    /// assert_eq!(ObligatedValue::of_options([V01, V10]).to_string(), "11");
    /// assert_eq!(ObligatedValue::of_options([V00]).to_string(), "11");
    /// assert_eq!(ObligatedValue::of_options([]).to_string(), "01");
    /// ```
    pub fn of_options(options: impl IntoIterator<Item = ObligatedValue>) -> ObligatedValue {
        let mut options = options.into_iter().peekable();
        if options.peek().is_none() {
            return V01;
        }
        let (mut normal, mut misere) = (false, false);
        for option in options {
            normal |= !option.is_n(Ending::Normal);
            misere |= !option.is_n(Ending::Misere);
        }
        ObligatedValue::new(normal, misere)
    }

    /// Returns the value of the obligated sum of components with these values (Theorem 1); of no
    /// components, `01`.
    ///
    /// With `m_ij` components of value `ij`:
    ///
    /// - some `11`: the sum is `11`, since whoever starts that component may choose who starts the rest;
    /// - else some `00`: nobody wants to start one, the components `10` are used up first, and the sum
    ///   is `11` where `m_10` is odd, else `00`;
    /// - else every component `10` passes the move and every `01` keeps it: `10` or `01` by the parity
    ///   of `m_10`.
    ///
    /// ```
    /// use seedbank::engine::obligated::ObligatedValue::{self, V00, V10};
    ///
    /// assert_eq!(ObligatedValue::sum([V00, V10, V10]), V00);
    /// // The table for two does not say so: (00 + 10) + 10 = 11 + 10 = 11.
    /// let pair = ObligatedValue::sum([V00, V10]);
    /// assert_eq!(ObligatedValue::sum([pair, V10]).to_string(), "11");
    /// ```
    pub fn sum(components: impl IntoIterator<Item = ObligatedValue>) -> ObligatedValue {
        let mut count = [0usize; 4];
        for component in components {
            count[component.index()] += 1;
        }
        let odd = count[V10.index()] % 2 == 1;
        match (count[V11.index()] > 0, count[V00.index()] > 0) {
            (true, _) => V11,
            (false, true) => ObligatedValue::new(odd, odd),
            (false, false) => ObligatedValue::new(odd, !odd),
        }
    }

    /// Returns the value of playing this game to its end and then a rest of the given value.
    ///
    /// Whoever makes the last move of the first game is second in the rest. So where the rest is won by
    /// the player who starts it, the first game is played not to move last in it, which is misère play;
    /// where the rest is lost by that player, it is played under normal play. This decides
    /// positions in which a component has been begun: Theorem 1 does not speak of them.
    ///
    /// `then` is associative, `01` is neutral on both sides, and it is not commutative.
    ///
    /// ```
    /// use seedbank::engine::obligated::ObligatedValue::{V00, V01, V10, V11};
    ///
    /// // A last token that must be taken first, then a rest that nobody wants to start.
    /// assert_eq!(V10.then(V00), V11);
    /// assert_eq!(V00.then(V10), V00);
    /// assert_eq!((V11.then(V01), V01.then(V11)), (V11, V11));
    /// ```
    pub const fn then(self, rest: ObligatedValue) -> ObligatedValue {
        let normal = self.won_before(rest.is_n(Ending::Normal));
        ObligatedValue::new(normal, self.won_before(rest.is_n(Ending::Misere)))
    }

    /// Returns whether the player to move wins this game and then a rest that its starter wins or not.
    const fn won_before(self, starter_wins_rest: bool) -> bool {
        self.is_n(if starter_wins_rest {
            Ending::Misere
        } else {
            Ending::Normal
        })
    }
}

impl fmt::Display for ObligatedValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(["00", "01", "10", "11"][self.index()])
    }
}

impl FromStr for ObligatedValue {
    type Err = ObligatedValueError;

    fn from_str(text: &str) -> Result<ObligatedValue, ObligatedValueError> {
        let found = ObligatedValue::ALL
            .into_iter()
            .find(|v| v.to_string() == text);
        found.ok_or_else(|| ObligatedValueError { found: text.into() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_components_add_as_in_figure_4() {
        let rows = ["00 00 11 11", "00 01 10 11", "11 10 01 11", "11 11 11 11"];
        for (a, row) in ObligatedValue::ALL.into_iter().zip(rows) {
            let sums = ObligatedValue::ALL.map(|b| ObligatedValue::sum([a, b]).to_string());
            assert_eq!(sums.join(" "), row, "row {a}");
        }
    }

    #[test]
    fn adding_pair_by_pair_is_not_associative() {
        let pair = |a, b| ObligatedValue::sum([a, b]);
        assert_eq!(pair(pair(V00, V10), V10), V11);
        assert_eq!(pair(V00, pair(V10, V10)), V00);
        assert_eq!(ObligatedValue::sum([V00, V10, V10]), V00);
        assert_eq!(ObligatedValue::sum([V10, V00, V10]), V00);
    }

    #[test]
    fn the_corollary_names_the_p_positions() {
        for code in 0..4usize.pow(5) {
            let parts = (0..5).map(|i| ObligatedValue::ALL[code / 4usize.pow(i) % 4]);
            let parts: Vec<_> = parts.collect();
            let m = |v| parts.iter().filter(|&&part| part == v).count();
            let sum = ObligatedValue::sum(parts.iter().copied());
            let normal_p = m(V11) == 0 && m(V10) % 2 == 0;
            let misere_p = m(V11) == 0
                && ((m(V00) == 0 && m(V10) % 2 == 1) || (m(V00) > 0 && m(V10) % 2 == 0));
            assert_eq!(sum, ObligatedValue::new(!normal_p, !misere_p));
        }
    }

    #[test]
    fn sequences_compose_associatively_with_01_as_neutral() {
        for a in ObligatedValue::ALL {
            assert_eq!((a.then(V01), V01.then(a)), (a, a));
            for b in ObligatedValue::ALL {
                for c in ObligatedValue::ALL {
                    assert_eq!(a.then(b).then(c), a.then(b.then(c)));
                }
            }
        }
    }

    #[test]
    fn values_are_read_and_printed_again() {
        for value in ObligatedValue::ALL {
            assert_eq!(value.to_string().parse(), Ok(value));
            assert_eq!(
                ObligatedValue::new(value.is_n(Ending::Normal), value.is_n(Ending::Misere)),
                value
            );
        }
        for text in ["", "2", "1", "011", " 01", "N"] {
            let error = text.parse::<ObligatedValue>().expect_err(text).to_string();
            assert!(error.contains("accepted are 00, 01, 10 and 11"), "{error}");
        }
    }
}
