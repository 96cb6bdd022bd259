//! Atomic weights: the number of ups a value is worth when stars no longer matter.
//!
//! For dicotic games `G ~ H` says that G + X + *N and H + X + *N have the same outcome for every
//! dicotic X and every large enough N. Such a `*N` is a far star (Winning Ways: remote star). The
//! atomic weight of G is the game g with `G ~ g.^`, where `n.^` is a sum of n ups and otherwise
//! `g.^ = {g^L.^ + ^^* | g^R.^ + vv*}`. Every dicotic game has exactly one, and the weight of a sum
//! is the sum of the weights (Siegel, Combinatorial Game Theory, section II.7; Winning Ways,
//! chapter 8; Conway, On Numbers and Games, chapter 16).
//!
//! Weights are computed from the options by the constructive theorem of the same section. With
//!
//! ```text
//! G0 = {weight of G^L, minus 2 | weight of G^R, plus 2}
//! ```
//!
//! the weight is G0, unless G0 is an integer. In that case G is compared with a far star, and the
//! weight is
//!
//! ```text
//! 0                                                where they are confused,
//! the greatest integer n <| (weight of G^R) + 2    for all G^R, where G exceeds it,
//! the least integer n |> (weight of G^L) - 2       for all G^L, where it exceeds G.
//! ```
//!
//! # How large a star is far enough
//!
//! If no follower of G, G included, is a nimber `*n` with `n >= N`, then all G + `*n` with `n >= N`
//! have the same outcome, so that `*N` is a far star for G. By induction on G and on the greater of
//! two such stars `*n` and `*m`: let the player to move win G + `*n`. If by an option of G, the
//! same option wins in G + `*m`, since the theorem holds for it. If by the option `*k` with `k <
//! m`, that is an option of `*m` as well. If by one with `m <= k < n`, then that player does not
//! lose G + `*k` moving second, nor, by induction, G + `*m`; as G is not `*m`, the latter is not 0,
//! and the player wins it moving first, too.
//!
//! # Values that are not dicotic
//!
//! The definition makes sense for any G, with X still dicotic, and gives at most one weight.
//! Infinitesimals can have one, other values cannot. A value with a stop other than 0 has none: it
//! keeps that stop, and with it its winner, when any infinitesimal is added, and an X of enough ups
//! or downs makes either player win `g.^ + X + *N`. A tiny `{0||0|-x}` whose x exceeds all
//! infinitesimals has weight 0, and so has its negative, the miny: a dicotic game Y other than 0
//! keeps its outcome when a miny is added. For Left takes the miny away by the threat to move to x,
//! which Right must answer by moving to 0; so where Left wins Y moving first, Left wins Y plus the
//! miny. Where Left wins Y moving second, Left does the same after Right's move in Y; and when
//! Right takes the miny away, Left moves first in Y, which is positive. To Right the miny is no
//! harm, being negative. And X + `*N` is such a Y: it is 0 for one N at most.
//!
//! For other infinitesimals the weight, if there is one, is not computed, with one exception.
//!
//! # The tinies of weight 1
//!
//! Let t be a tiny of weight 0 as above. Then `T = {0|t}` has weight 1, and its negative -1. An
//! example is `Tiny({1|0})`, which is `{0|Tiny(1)}`. The proof uses two facts on t: t > 0, and a
//! dicotic Y other than 0 keeps its outcome when t is added. So T > 0, too.
//!
//! Write w for weights. Let `*N` be a far star for the dicotic game Y. Y + `*N` is not 0, so
//! `Y + *N >= 0` exactly where w(Y) >= 1, and `Y + *N |> 0` exactly where w(Y) |> -1. Weights keep
//! the order of values. If w(Y) >= 1, then Y |> 0, since `*N` is not at least 0. If w(Y) <= -2,
//! then Y < 0, since `Y + ^ + *N <= 0`. The same holds with signs changed.
//!
//! First, for all dicotic W and Z, by induction on both claims together:
//!
//! - (e) If w(W) |> -1, then T + W |> 0. With a far star for W, `W + *N |> 0`. If Left wins that by
//!   an option `W^L + *N >= 0`, then w(W^L) >= 1 and (f) applies to `W^L`. Otherwise `W + *j >= 0`
//!   for some j. If W >= 0, Left moves from T to 0. If W |> 0, Left moves to some `W^L >= 0`, and
//!   T > 0. W < 0 is impossible: `*j >= -W` would be positive.
//! - (f) If w(Z) >= 1, then T + Z >= 0. If Right moves from T to t, then Z |> 0 and t > 0. If Right
//!   moves to `Z^R`, then `Z^R + *N |> 0`, hence w(Z^R) |> -1 and (e) applies.
//!
//! Now let X be dicotic, and N a power of two such that no follower of X is `*n` with n >= N. Then
//! `*N` is a far star for all followers of X, and for their sums with `*k` where k < N. The outcome
//! of `^ + X + *N` follows from its weight: it is at least 0 where w(X) >= 0, at most 0 where w(X)
//! <= -2. T + X + `*N` has the same outcome, by induction on the four claims together:
//!
//! - (a) If w(X) >= 0, then `T + X + *N >= 0`. From T to t: `X + *N |> 0` and t > 0. From X to X^R:
//!   `^ + X^R + *N |> 0`, so w(X^R) |> -2 and (b) applies. From `*N` to `*k`: (e) with `X + *k`.
//! - (b) If w(X) |> -2, then `T + X + *N |> 0`. If w(X) |> -1, apply (e) to `X + *N`. Otherwise w(X)
//!   <= -1, and (a) applies to some X^L, as w(X^L) >= 0 for one of them: If w(X) is an integer it
//!   is -1, the least integer n |> w(X^L) - 2 for all X^L. So -2 is none of these n, and -2 <=
//!   w(X^L) - 2 for some X^L. If w(X) is no integer, it is `{w(X^L) - 2|w(X^R) + 2}`, and Left wins
//!   w(X) + 2 moving first. A move from 2 to 1 does not win, or w(X) >= -1 would be the integer -1.
//!   So a move to some w(X^L) - 2 + 2 >= 0 wins.
//! - (c) If w(X) <= -2, then `T + X + *N <= 0`. From T to 0: `X + *N < 0`. From X to X^L:
//!   `^ + X^L + *N <| 0`, so w(X^L) <| 0 and (d) applies. From `*N` to `*k`: Right answers from T to
//!   t, and `X + *k < 0` keeps its outcome.
//! - (d) If w(X) <| 0, then `T + X + *N <| 0`. If w(X) <= -1, Right moves from T to t, and `X + *N <
//!   0` keeps its outcome. Otherwise Right wins `^ + X + *N <| 0` by some `^ + X^R + *N <= 0`: if `* +
//!   X + *N` or `^ + X + *k` were at most 0, w(X) would be at most -1. So w(X^R) <= -2, and (c)
//!   applies.
//!
//! So T ~ `^`. The outcome beside every larger star is the same, by the previous section.

use thiserror::Error;

use super::tiny::{sole, tiny_parts};
use super::{Arena, ArenaError, Calculator, Comparison, Dyadic, ValueId, ValueMap};

/// The memo is emptied before the next query once it holds more weights than this.
///
/// Unit: forms, 20 bytes each.
const MEMO_MAX: usize = 1 << 18;

/// An atomic weight: a game, mostly an integer.
///
/// Equal weights in one arena compare equal: an integer is never represented as a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AtomicWeight {
    /// An integer.
    Integer(i32),
    /// Any other game, in the arena of the value.
    Game(ValueId),
}

/// Why a value has no atomic weight.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NoAtomicWeight {
    /// A stop is not 0, so the value is not infinitesimally close to any `g.^`.
    #[error("the stops are {left} and {right}, and only infinitesimals have atomic weights")]
    NotInfinitesimal {
        /// The Left stop.
        left: Dyadic,
        /// The Right stop.
        right: Dyadic,
    },
    /// An infinitesimal that is neither dicotic nor, or its negative, `Tiny(x)` or `{0|Tiny(x)}` for
    /// an x that exceeds all infinitesimals: not computed.
    #[error(
        "infinitesimal but not dicotic; among these only Tiny(x) and {{0|Tiny(x)}} are given an atomic weight, 0 and 1, and their \
         negatives, and only for an x that exceeds all infinitesimals"
    )]
    NotDicotic,
    /// The arena cannot hold the weight.
    #[error("the atomic weight cannot be stored: {0}")]
    Arena(#[from] ArenaError),
}

impl NoAtomicWeight {
    /// The names of the reasons that lie in the value.
    pub const NAMES: [&'static str; 2] = ["not-infinitesimal", "not-dicotic"];

    /// Returns the name that tables use for a reason that lies in the value.
    pub fn name(&self) -> Option<&'static str> {
        match self {
            NoAtomicWeight::NotInfinitesimal { .. } => Some(NoAtomicWeight::NAMES[0]),
            NoAtomicWeight::NotDicotic => Some(NoAtomicWeight::NAMES[1]),
            NoAtomicWeight::Arena(_) => None,
        }
    }
}

/// Computes atomic weights, remembering those of followers.
///
/// ```
/// use cgvalues::{Arena, AtomicWeight, AtomicWeights, NoAtomicWeight};
///
/// let arena = Arena::new();
/// let mut c = arena.calculator();
/// let mut weights = AtomicWeights::new(&arena);
/// for (value, weight) in [("*5", 0), ("^", 1), ("v3*2", -3), ("^<2>*", 0), ("{0|^<2>}", 1)] {
///     let id = c.parse(value)?;
///     assert_eq!(weights.weight(id), Ok(AtomicWeight::Integer(weight)), "{value}");
/// }
///
/// // Weights are games: that of a switch between two ups and two downs is `{2 - 2|-2 + 2}`.
/// let id = c.parse("{^2|v2}")?;
/// assert_eq!(weights.weight(id), Ok(AtomicWeight::Game(c.nimber(1)?)));
///
/// let switch = c.parse("+-1")?;
/// assert!(matches!(weights.weight(switch), Err(NoAtomicWeight::NotInfinitesimal { .. })));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct AtomicWeights<'a> {
    calculator: Calculator<'a>,
    /// The weights by form; of a form and its negative only the one with the smaller id has an
    /// entry.
    memo: ValueMap<Known>,
}

/// The memo's entry for a dicotic form.
#[derive(Clone, Copy)]
struct Known {
    weight: AtomicWeight,
    /// The least N such that no follower is `*n` with `n >= N`.
    far_star: u32,
}

impl AtomicWeight {
    /// Returns the weight of the negative.
    #[must_use]
    pub fn negative(self) -> AtomicWeight {
        match self {
            AtomicWeight::Integer(n) => AtomicWeight::Integer(-n),
            AtomicWeight::Game(id) => AtomicWeight::Game(id.negative()),
        }
    }

    /// Returns the weight as an integer where it is one.
    pub fn integer(self) -> Option<i32> {
        match self {
            AtomicWeight::Integer(n) => Some(n),
            AtomicWeight::Game(_) => None,
        }
    }

    /// Returns the weight as a form.
    ///
    /// # Errors
    ///
    /// When the arena cannot hold it.
    pub fn value(self, calculator: &mut Calculator<'_>) -> Result<ValueId, ArenaError> {
        match self {
            AtomicWeight::Integer(n) => calculator.number(Dyadic::integer(n.into())),
            AtomicWeight::Game(id) => Ok(id),
        }
    }

    fn of_value(arena: &Arena, id: ValueId) -> AtomicWeight {
        let number = arena.number(id).and_then(Dyadic::to_integer);
        match number.and_then(|n| i32::try_from(n).ok()) {
            Some(n) => AtomicWeight::Integer(n),
            None => AtomicWeight::Game(id),
        }
    }
}

impl<'a> AtomicWeights<'a> {
    /// Returns a memo for the values of an arena.
    pub fn new(arena: &'a Arena) -> AtomicWeights<'a> {
        AtomicWeights {
            calculator: arena.calculator(),
            memo: ValueMap::default(),
        }
    }

    /// Limits the work from now on, as [`Calculator::limit_steps`] does.
    pub fn limit_steps(&mut self, steps: u64) {
        self.calculator.limit_steps(steps);
    }

    /// Asks at intervals whether to continue, as [`Calculator::watch_steps`] does.
    pub fn watch_steps(&mut self, steps: u64, goes_on: impl FnMut() -> bool + Send + 'static) {
        self.calculator.watch_steps(steps, goes_on);
    }

    /// Returns the atomic weight of a value.
    ///
    /// The cost for each new follower is a pass over its options where all weights are integers,
    /// and two comparisons with a far star where G0 is an integer. A value that is not dicotic
    /// costs a few reads of records. Forms of any depth are safe: there is no recursion over
    /// followers.
    ///
    /// # Errors
    ///
    /// The reason why there is none, as the module describes; [`NoAtomicWeight::Arena`] when the
    /// arena is full.
    pub fn weight(&mut self, id: ValueId) -> Result<AtomicWeight, NoAtomicWeight> {
        let arena = self.calculator.arena();
        if !arena.is_dicotic(id) {
            return not_dicotic(arena, id);
        }
        if self.memo.len() > MEMO_MAX {
            self.memo.clear();
        }
        let mut open = vec![id];
        while let Some(&next) = open.last() {
            if self.memo.contains_key(&key(next)) {
                open.pop();
                continue;
            }
            let form = arena.form(next);
            let before = open.len();
            open.extend(
                form.left()
                    .chain(form.right())
                    .filter(|&option| !self.memo.contains_key(&key(option))),
            );
            if open.len() == before {
                let known = self.combine(key(next))?;
                self.memo.insert(key(next), known);
                open.pop();
            }
        }
        Ok(self.known(id).weight)
    }

    /// Returns the memo's entry for a form that is in it, or whose negative is.
    fn known(&self, id: ValueId) -> Known {
        let known = self.memo[&key(id)];
        Known {
            weight: if key(id) == id {
                known.weight
            } else {
                known.weight.negative()
            },
            ..known
        }
    }

    /// Returns the memo entry of a dicotic form from those of its options.
    fn combine(&mut self, id: ValueId) -> Result<Known, ArenaError> {
        let arena = self.calculator.arena();
        let form = arena.form(id);
        let left: Vec<Known> = form.left().map(|option| self.known(option)).collect();
        // Right's weights with their signs changed, which are Left's in the negative game.
        let negative_left = form.negative_left().map(|option| self.known(option));
        let negative_left: Vec<Known> = negative_left.collect();
        let followers = left.iter().chain(&negative_left);
        let own = arena.nimber(id).map_or(0, |n| n + 1);
        let far_star = followers.fold(own, |most, known| most.max(known.far_star));
        let weight = if id == ValueId::ZERO {
            AtomicWeight::Integer(0)
        } else if let Some(weight) = self.ordinary(&left, &negative_left)? {
            weight
        } else {
            let star = self.calculator.nimber(far_star)?;
            let compared = self.calculator.compare(id, star);
            self.calculator.check_steps()?;
            match compared {
                Comparison::Greater => AtomicWeight::Integer(self.most_below(&negative_left)?),
                Comparison::Less => AtomicWeight::Integer(-self.most_below(&left)?),
                Comparison::Confused => AtomicWeight::Integer(0),
                Comparison::Equal => unreachable!("no follower is a far star"),
            }
        };
        Ok(Known { weight, far_star })
    }

    /// Returns G0, unless it is an integer.
    fn ordinary(
        &mut self,
        left: &[Known],
        negative_left: &[Known],
    ) -> Result<Option<AtomicWeight>, ArenaError> {
        let c = &mut self.calculator;
        if let (Some(left), Some(right)) = (greatest(left), greatest(negative_left)) {
            // PERF: most weights are integers, and {a|b} with an integer between a and b is one.
            let (low, high) = (left - 2, 2 - right);
            if high - low >= 2 {
                return Ok(None);
            }
        }
        let two = c.number(Dyadic::integer(2))?;
        let mut less_two = |known: &Known| {
            let weight = known.weight.value(c)?;
            c.difference(weight, two)
        };
        let mut left: Vec<ValueId> = left.iter().map(&mut less_two).collect::<Result<_, _>>()?;
        let negative: Result<Vec<ValueId>, _> = negative_left.iter().map(less_two).collect();
        let mut right: Vec<ValueId> = negative?.into_iter().map(ValueId::negative).collect();
        let weight = c.canonical(&mut left, &mut right)?;
        let weight = AtomicWeight::of_value(c.arena(), weight);
        Ok(match weight {
            AtomicWeight::Integer(_) => None,
            AtomicWeight::Game(_) => Some(weight),
        })
    }

    /// Returns the greatest integer `n <| 2 - w` for all of the weights w.
    fn most_below(&mut self, weights: &[Known]) -> Result<i32, ArenaError> {
        let mut most = i32::MAX;
        for known in weights {
            let n = match known.weight {
                AtomicWeight::Integer(n) => 1 - n,
                AtomicWeight::Game(id) => 2 + self.most_below_game(id.negative())?,
            };
            most = most.min(n);
        }
        Ok(most)
    }

    /// Returns the greatest integer `n <| game`: the greatest n without `n >= game`.
    fn most_below_game(&mut self, game: ValueId) -> Result<i32, ArenaError> {
        // An integer above the Left stop exceeds the game, and one below it does not.
        let stop = self.calculator.arena().left_stop(game);
        let floor = stop.floor() as i64;
        let integer = self.calculator.number(Dyadic::integer(floor))?;
        let exceeds = self.calculator.le(game, integer);
        Ok((floor - i64::from(exceeds)) as i32)
    }
}

/// Returns the greatest of weights that are all integers.
fn greatest(weights: &[Known]) -> Option<i32> {
    let mut greatest = i32::MIN;
    for known in weights {
        greatest = greatest.max(known.weight.integer()?);
    }
    Some(greatest)
}

/// Returns the weight of a value that is not dicotic.
fn not_dicotic(arena: &Arena, id: ValueId) -> Result<AtomicWeight, NoAtomicWeight> {
    let (left, right) = (arena.left_stop(id), arena.right_stop(id));
    if (left, right) != (Dyadic::ZERO, Dyadic::ZERO) {
        return Err(NoAtomicWeight::NotInfinitesimal { left, right });
    }
    // The threat must exceed all infinitesimals, whichever player moves next.
    let is_tiny = |id: ValueId| {
        tiny_parts(arena, id).is_some_and(|(_, rest)| arena.left_stop(rest) < Dyadic::ZERO)
    };
    // 1 for {0|t} with such a tiny t.
    let weight = |id: ValueId| {
        let form = arena.form(id);
        let is_above_tiny =
            sole(form.left()) == Some(ValueId::ZERO) && sole(form.right()).is_some_and(is_tiny);
        (is_above_tiny || is_tiny(id)).then_some(AtomicWeight::Integer(is_above_tiny.into()))
    };
    weight(id)
        .or_else(|| weight(id.negative()).map(AtomicWeight::negative))
        .ok_or(NoAtomicWeight::NotDicotic)
}

fn key(id: ValueId) -> ValueId {
    id.min(id.negative())
}
