//! The twelve infinitesimals with which every new value is compared.
//!
//! Its stops decide how a value G compares with every number except the two stops themselves. So a
//! record holds, beside G's Left stop x, the set of the twelve infinitesimals e with `G <= x + e`,
//! and the same for -G. These sets are monotone: where G <= H and both have the Left stop x, every
//! e with `H <= x + e` has `G <= x + e`. They also compose: where G's Left stop is H's Right stop,
//! an e with `G <= x + e <= H` shows `G <= H`. With `e = 0` among them, comparisons with numbers
//! never need recursion.
//!
//! The twelve are 0, *, *2, *3, up, up*, double up, double up* and their negatives. This family is
//! closed under options, so the sets of a value follow from those of its options: `G <= x + e`
//! exactly when no Left option of G is `>= x + e` and no Right option of `x + e` is `<= G`. Source:
//! Siegel, Combinatorial Game Theory, sections II.1 (order) and II.2 (Number Translation).

/// A set of the twelve infinitesimals: one bit each, options before the games that have them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct InfinitesimalSet(u16);

/// The number of infinitesimals.
pub(crate) const INFINITESIMALS: u32 = 12;

const ALL: u16 = (1 << INFINITESIMALS) - 1;
const ZERO: u16 = 1 << 0;
const STAR: u16 = 1 << 1;
const STAR_2: u16 = 1 << 2;
const STAR_3: u16 = 1 << 3;
const UP: u16 = 1 << 4;
const DOWN: u16 = 1 << 5;
const DOWN_STAR: u16 = 1 << 7;
const DOUBLE_UP: u16 = 1 << 8;
const DOUBLE_UP_STAR: u16 = 1 << 10;

/// The infinitesimals that are their own negatives; the others come in pairs, each negative after
/// its game.
const SYMMETRIC: u16 = ZERO | STAR | STAR_2 | STAR_3;
const POSITIVE: u16 = 0b0101_0101_0000;

/// For each infinitesimal e, the negatives of its Right options.
const REPLIES: [u16; INFINITESIMALS as usize] = [
    0,
    ZERO,
    ZERO | STAR,
    ZERO | STAR | STAR_2,
    STAR,        // up = {0|*}
    ZERO,        // down = {*|0}
    ZERO,        // up* = {0,*|0}
    ZERO | STAR, // down* = {0|0,*}
    DOWN_STAR,   // double up = {0|up*}
    ZERO,        // double down = {down*|0}
    DOWN,        // double up* = {0|up}
    ZERO,        // double down* = {down|0}
];

impl InfinitesimalSet {
    /// The empty set, also used where nothing is known.
    pub(crate) const NONE: InfinitesimalSet = InfinitesimalSet(0);

    /// The infinitesimals e with `x <= x + e`: the set of every number.
    pub(crate) const OF_NUMBER: InfinitesimalSet =
        InfinitesimalSet(ZERO | UP | DOUBLE_UP | DOUBLE_UP_STAR);

    /// Returns the set that a record's bits hold.
    #[inline]
    pub(crate) const fn from_bits(bits: u32) -> InfinitesimalSet {
        InfinitesimalSet(bits as u16 & ALL)
    }

    /// Returns the set as bits, at most [`INFINITESIMALS`] of them.
    #[inline]
    pub(crate) const fn bits(self) -> u32 {
        self.0 as u32
    }

    #[inline]
    pub(crate) const fn or(self, other: InfinitesimalSet) -> InfinitesimalSet {
        InfinitesimalSet(self.0 | other.0)
    }

    #[inline]
    pub(crate) const fn meets(self, other: InfinitesimalSet) -> bool {
        self.0 & other.0 != 0
    }

    #[inline]
    pub(crate) const fn is_within(self, other: InfinitesimalSet) -> bool {
        self.0 & !other.0 == 0
    }

    /// Returns whether 0 belongs to the set.
    #[inline]
    pub(crate) const fn has_zero(self) -> bool {
        self.0 & ZERO != 0
    }

    /// Returns the set of the negatives.
    #[inline]
    pub(crate) const fn negatives(self) -> InfinitesimalSet {
        let set = self.0;
        InfinitesimalSet(set & SYMMETRIC | (set & POSITIVE) << 1 | set >> 1 & POSITIVE)
    }

    /// Returns the sets of a value whose stops differ, and of its negative.
    ///
    /// `left` has the e with `x + e <= L` for a Left option L, where x is the Left stop; `right`
    /// has the same for the negative. The options of `x + e` do not matter: they lie beyond the
    /// other stop.
    #[inline]
    pub(crate) const fn of_hot(
        left: InfinitesimalSet,
        right: InfinitesimalSet,
    ) -> (InfinitesimalSet, InfinitesimalSet) {
        (
            InfinitesimalSet(!left.0 & ALL),
            InfinitesimalSet(!right.0 & ALL),
        )
    }

    /// Returns the sets of a value that is no number and whose stops agree, and of its negative.
    #[inline]
    pub(crate) fn of_cold(
        left: InfinitesimalSet,
        right: InfinitesimalSet,
    ) -> (InfinitesimalSet, InfinitesimalSet) {
        let (mut of_value, mut of_negative) = (0u16, 0u16);
        for (e, &replies) in REPLIES.iter().enumerate() {
            let in_value = left.0 >> e & 1 == 0 && of_negative & replies == 0;
            let in_negative = right.0 >> e & 1 == 0 && of_value & replies == 0;
            of_value |= u16::from(in_value) << e;
            of_negative |= u16::from(in_negative) << e;
        }
        (InfinitesimalSet(of_value), InfinitesimalSet(of_negative))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Arena, Calculator, Dyadic, NumberUpStar, ValueId, samples};

    /// The infinitesimals in the order of their bits, plus a number.
    fn family(calculator: &mut Calculator<'_>, number: Dyadic) -> Vec<ValueId> {
        let mut family = Vec::new();
        for star in 0..4 {
            family.push((0, star));
        }
        for (ups, star) in [(1, 0), (1, 1), (2, 0), (2, 1)] {
            family.extend([(ups, star), (-ups, star)]);
        }
        let value = |(ups, star)| NumberUpStar { number, ups, star };
        let built = family
            .into_iter()
            .map(|parts| calculator.number_up_star(value(parts)).unwrap());
        built.collect()
    }

    #[test]
    fn the_family_is_closed_under_options_and_negatives() {
        let arena = Arena::new();
        let family = family(&mut arena.calculator(), Dyadic::ZERO);
        assert_eq!(family.len(), INFINITESIMALS as usize);
        for (e, &id) in family.iter().enumerate() {
            let negatives = arena.right_options(id).into_iter().map(ValueId::negative);
            let replies = negatives.fold(0, |set, option| {
                let place = family.iter().position(|&other| other == option);
                set | 1 << place.expect("options belong to the family")
            });
            assert_eq!(REPLIES[e], replies, "{e}");
            assert!(REPLIES[e] < 1 << e, "options come first");
            let negative = InfinitesimalSet(1 << e).negatives();
            assert_eq!(family[negative.0.trailing_zeros() as usize], id.negative());
        }
    }

    /// Compares the sets with the order itself, which uses the sets only beside both stops: the
    /// test builds the sum with the negative first and finds its sign by playing.
    #[test]
    fn the_sets_are_those_of_the_order() {
        let arena = Arena::new();
        let mut c = arena.calculator();
        let mut games = samples::born_by(&mut c, 2);
        let switches = [
            "{3|1}",
            "{3|1||-1}",
            "{2^|*3}",
            "{1/2|1/2^[2]}",
            "{5|5||-5}",
        ];
        games.extend(switches.map(|text| c.parse(text).unwrap()));
        games.extend(games.clone().into_iter().map(ValueId::negative));
        for id in games {
            let stop = arena.left_stop(id);
            let infinitesimals = arena.head(id).up_infinitesimals;
            for (e, test) in family(&mut c, stop).into_iter().enumerate() {
                let difference = c.difference(id, test).unwrap();
                let wins_second = !left_wins_first(&arena, difference);
                assert_eq!(
                    infinitesimals.0 >> e & 1 == 1,
                    wins_second,
                    "{} {e}",
                    arena.notation(id)
                );
            }
        }
    }

    fn left_wins_first(arena: &Arena, id: ValueId) -> bool {
        let mut options = arena.left_options(id).into_iter();
        options.any(|option| !left_wins_first(arena, option.negative()))
    }
}
