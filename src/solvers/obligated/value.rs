//! The four values of obligated sums, and their addition.
//!
//! A value states who wins a game played alone, under normal and under misère play. By Ferguson's
//! Theorem 1 nothing else about the components of an obligated sum matters.
//!
//! The theorem counts components; [`ObligatedValue::sum`] does the same. The table for two
//! components (Ferguson's Figure 4) is no substitute: adding pair by pair is not associative.
//!
//! Source: T. S. Ferguson, *Obligated sums of games*. Its proof of part (b) ends "if `m_00` is
//! even, then the value is 00"; that should read `m_10`, as in the theorem.

use std::fmt;
use std::str::FromStr;

use cggames::game::Convention;
use thiserror::Error;

/// The outcomes of a game under normal and misère play: two digits, normal play first, each 0 for a
/// P-position (the previous player wins) or 1 for an N-position (the next player wins).
///
/// ```
/// use cgsolvers::obligated::ObligatedValue;
///
/// // A single token: the player who takes it moves last.
/// let token = ObligatedValue::of_options([ObligatedValue::V01]);
/// assert_eq!(token, ObligatedValue::V10);
/// assert_eq!(token.to_string(), "10");
/// assert_eq!("10".parse(), Ok(token));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum ObligatedValue {
    /// The previous player wins under both conventions.
    V00 = 0b00,
    /// P under normal play, N under misère play: the value of a game that is over.
    V01 = 0b01,
    /// N under normal play, P under misère play.
    V10 = 0b10,
    /// The next player wins under both conventions.
    V11 = 0b11,
}

use ObligatedValue::{V00, V01, V10, V11};

/// The error for a text that is not a value.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{found:?} is no value of an obligated sum; accepted are 00, 01, 10 and 11")]
pub struct ObligatedValueError {
    /// The text.
    pub found: String,
}

impl ObligatedValue {
    /// All four values, in the order of tables.
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
    pub const fn is_n(self, convention: Convention) -> bool {
        match convention {
            Convention::Normal => self as u8 & 2 != 0,
            Convention::Misere => self as u8 & 1 != 0,
        }
    }

    /// Returns 0, 1, 2 or 3 for `00`, `01`, `10` and `11`: the index in [`ObligatedValue::ALL`].
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Returns the value of a game from the values of its options.
    ///
    /// The digits are `NOT AND` of those of the options: a position is N if and only if some option
    /// is P. Without options the game is over, which is `01` by definition.
    ///
    /// ```
    /// use cgsolvers::obligated::ObligatedValue::{self, V00, V01, V10};
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
            normal |= !option.is_n(Convention::Normal);
            misere |= !option.is_n(Convention::Misere);
        }
        ObligatedValue::new(normal, misere)
    }

    /// Returns the value of the obligated sum of components with these values (Theorem 1); of no
    /// components, `01`.
    ///
    /// With `m_ij` components of value `ij`:
    ///
    /// - some `11`: the sum is `11`, since the player who starts that component can choose who
    ///   starts the rest;
    /// - else some `00`: neither player wants to start one, the components `10` are used up first,
    ///   and the sum is `11` if `m_10` is odd, else `00`;
    /// - else every component `10` passes the move and every `01` keeps it: `10` or `01` by the
    ///   parity of `m_10`.
    ///
    /// ```
    /// use cgsolvers::obligated::ObligatedValue::{self, V00, V10};
    ///
    /// assert_eq!(ObligatedValue::sum([V00, V10, V10]), V00);
    /// // Pairwise addition is not associative: (00 + 10) + 10 = 11 + 10 = 11.
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

    /// Returns the value of playing this game to its end, followed by a rest of the given value.
    ///
    /// The player who makes the last move of the first game moves second in the rest. So if the
    /// player who starts the rest wins it, both players avoid the last move of the first game,
    /// which is misère play; otherwise the first game is played under normal play. This decides
    /// positions in which a component has been started, which Theorem 1 does not cover.
    ///
    /// `then` is associative, `01` is neutral on both sides, and it is not commutative.
    ///
    /// ```
    /// use cgsolvers::obligated::ObligatedValue::{V00, V01, V10, V11};
    ///
    /// // A last token that must be taken first, then a rest that neither player wants to start.
    /// assert_eq!(V10.then(V00), V11);
    /// assert_eq!(V00.then(V10), V00);
    /// assert_eq!((V11.then(V01), V01.then(V11)), (V11, V11));
    /// ```
    pub const fn then(self, rest: ObligatedValue) -> ObligatedValue {
        let normal = self.won_before(rest.is_n(Convention::Normal));
        ObligatedValue::new(normal, self.won_before(rest.is_n(Convention::Misere)))
    }

    /// Returns whether the player to move wins this game followed by a rest, given whether its
    /// starter wins the rest.
    const fn won_before(self, starter_wins_rest: bool) -> bool {
        self.is_n(if starter_wins_rest {
            Convention::Misere
        } else {
            Convention::Normal
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
                ObligatedValue::new(
                    value.is_n(Convention::Normal),
                    value.is_n(Convention::Misere)
                ),
                value
            );
        }
        for text in ["", "2", "1", "011", " 01", "N"] {
            let error = text.parse::<ObligatedValue>().expect_err(text).to_string();
            assert!(error.contains("accepted are 00, 01, 10 and 11"), "{error}");
        }
    }
}
