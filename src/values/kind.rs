//! Kinds of values: a partition of all forms into the families by which tables are sorted.
//!
//! The first definition that fits, in the order of [`Kind::ALL`], is the kind; so each form has
//! exactly one, and a form and its negative have the same, tinies and minies apart.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use super::tiny::{sole, tiny_parts};
use super::{Arena, Dyadic, ValueId};

/// The family that a value belongs to.
///
/// ```
/// use cgvalues::{Arena, Kind};
///
/// let arena = Arena::new();
/// let id = arena.calculator().parse("1/2^*")?;
/// assert_eq!(Kind::of(&arena, id).name(), "number-up-star");
/// # Ok::<(), cgvalues::ParseValueError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// `integer`: an integer, 0 included.
    Integer,
    /// `dyadic`: a number that is not an integer.
    Dyadic,
    /// `nimber`: `*n` with n >= 1.
    Nimber,
    /// `number-up-star`: a number plus n ups plus `*k`, not both n and k being 0, and no nimber.
    NumberUpStar,
    /// `uptimal`: a number plus `^<n>` or `^[n]` or the negative of such, n >= 2, plus `*k`.
    Uptimal,
    /// `tiny`: a number x plus a tiny, that is `{x||x|r}` where x exceeds the mean of r.
    Tiny,
    /// `miny`: the negative of a tiny.
    Miny,
    /// `dicotic`: infinitesimal, and in every follower either both players can move or neither.
    Dicotic,
    /// `infinitesimal`: both stops are 0.
    Infinitesimal,
    /// `numberish`: both stops are one number.
    Numberish,
    /// `plus-minus`: hot and its own negative, `{A|-A}` with options A for Left and their negatives
    /// for Right: `+-1`, `+-{1,{2|0}}`. (A dicotic value such as `+-{*,^}` is `dicotic`, a nimber
    /// `nimber`.)
    PlusMinus,
    /// `switch`: `{x|y}` with numbers x > y other than -x.
    Switch,
    /// `hot`: anything else; the Left stop exceeds the Right stop.
    Hot,
}

/// The error for a text that names no kind.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0:?} is no kind of value; the kinds are {names}", names = names())]
pub struct ParseKindError(pub String);

impl Kind {
    /// All kinds, in the order in which their definitions are tried.
    pub const ALL: [Kind; 13] = [
        Kind::Integer,
        Kind::Dyadic,
        Kind::Nimber,
        Kind::NumberUpStar,
        Kind::Uptimal,
        Kind::Tiny,
        Kind::Miny,
        Kind::Dicotic,
        Kind::Infinitesimal,
        Kind::Numberish,
        Kind::PlusMinus,
        Kind::Switch,
        Kind::Hot,
    ];

    /// Returns the kind of a value.
    ///
    /// Reads a few levels of options. It reads the whole form only where a candidate for a tiny
    /// needs the mean of a follower.
    pub fn of(arena: &Arena, id: ValueId) -> Kind {
        if let Some(kind) = Kind::at_a_look(arena, id) {
            kind
        } else if arena.number_up_star(id).is_some() {
            Kind::NumberUpStar
        } else if arena.uptimal(id).is_some() {
            Kind::Uptimal
        } else if tiny_parts(arena, id).is_some() {
            Kind::Tiny
        } else if tiny_parts(arena, id.negative()).is_some() {
            Kind::Miny
        } else {
            Kind::of_unnamed(arena, id)
        }
    }

    /// Returns the kind of a number, a nimber or a form whose stops differ.
    pub(super) fn at_a_look(arena: &Arena, id: ValueId) -> Option<Kind> {
        if let Some(number) = arena.number(id) {
            return Some(match number.exponent() {
                0 => Kind::Integer,
                _ => Kind::Dyadic,
            });
        }
        if !arena.stops_agree(id) {
            return Some(Kind::of_hot(arena, id));
        }
        arena.nimber(id).map(|_| Kind::Nimber)
    }

    /// Returns the kind of an unnamed form whose stops agree.
    pub(super) fn of_unnamed(arena: &Arena, id: ValueId) -> Kind {
        if arena.is_dicotic(id) {
            Kind::Dicotic
        } else if arena.left_stop(id) == Dyadic::ZERO {
            Kind::Infinitesimal
        } else {
            Kind::Numberish
        }
    }

    fn of_hot(arena: &Arena, id: ValueId) -> Kind {
        if id.is_symmetric() {
            return Kind::PlusMinus;
        }
        let form = arena.form(id);
        let number = |option: Option<ValueId>| option.and_then(|option| arena.number(option));
        if number(sole(form.left())).is_some() && number(sole(form.right())).is_some() {
            Kind::Switch
        } else {
            Kind::Hot
        }
    }

    /// Returns the name that tables use.
    pub const fn name(self) -> &'static str {
        match self {
            Kind::Integer => "integer",
            Kind::Dyadic => "dyadic",
            Kind::Nimber => "nimber",
            Kind::NumberUpStar => "number-up-star",
            Kind::Uptimal => "uptimal",
            Kind::Tiny => "tiny",
            Kind::Miny => "miny",
            Kind::Dicotic => "dicotic",
            Kind::Infinitesimal => "infinitesimal",
            Kind::Numberish => "numberish",
            Kind::PlusMinus => "plus-minus",
            Kind::Switch => "switch",
            Kind::Hot => "hot",
        }
    }
}

fn names() -> String {
    Kind::ALL.map(Kind::name).join(", ")
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Kind {
    type Err = ParseKindError;

    fn from_str(text: &str) -> Result<Kind, ParseKindError> {
        Kind::ALL
            .into_iter()
            .find(|kind| kind.name() == text)
            .ok_or_else(|| ParseKindError(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::super::samples;
    use super::*;

    #[test]
    fn each_kind_has_its_examples() {
        let arena = Arena::new();
        let mut c = arena.calculator();
        for (kind, texts) in [
            (Kind::Integer, &["0", "-3"][..]),
            (Kind::Dyadic, &["1/2", "-5/8"]),
            (Kind::Nimber, &["*", "*7"]),
            (Kind::NumberUpStar, &["^", "1*", "v3*2", "1/2^*"]),
            (Kind::Uptimal, &["^<2>", "v[3]*", "1^<2>*2"]),
            (Kind::Tiny, &["Tiny(1)", "3Tiny({3|1})"]),
            (Kind::Miny, &["Miny(1)", "-1/2Miny(2)"]),
            (Kind::Dicotic, &["{*,^|0,*}", "+-{*,^}", "{0|^<2>}"]),
            (Kind::Infinitesimal, &["{1|^2||^}", "Tiny(1)+Tiny(2)"]),
            (Kind::Numberish, &["1+{*,^|0,*}", "Tiny(1)+Tiny(2)-3/4"]),
            (Kind::PlusMinus, &["+-1", "+-{1,{2|0}}", "+-(1*)"]),
            (Kind::Switch, &["{2|1/2}", "{2|-1}"]),
            (Kind::Hot, &["{2|0||-2|-4}", "{1|*}"]),
        ] {
            for text in texts {
                let id = c.parse(text).unwrap();
                assert_eq!(Kind::of(&arena, id), kind, "{text}");
                let mirrored = match kind {
                    Kind::Tiny => Kind::Miny,
                    Kind::Miny => Kind::Tiny,
                    _ => kind,
                };
                assert_eq!(Kind::of(&arena, id.negative()), mirrored, "-({text})");
            }
        }
    }

    #[test]
    fn kinds_of_the_games_born_by_day_3() {
        let arena = Arena::new();
        let mut c = arena.calculator();
        let mut counts = [0; Kind::ALL.len()];
        for id in samples::born_by(&mut c, 3) {
            let kind = Kind::of(&arena, id);
            let stops = (arena.left_stop(id), arena.right_stop(id));
            let hot = matches!(kind, Kind::PlusMinus | Kind::Switch | Kind::Hot);
            assert_eq!(stops.0 > stops.1, hot);
            counts[kind as usize] += 1;
        }
        assert_eq!(counts[Kind::Integer as usize], 7);
        assert_eq!(counts[Kind::Dyadic as usize], 8);
        assert_eq!(counts[Kind::Nimber as usize], 3);
        assert_eq!(counts.iter().sum::<i32>(), 1_474);
    }

    #[test]
    fn names_read_back() {
        for kind in Kind::ALL {
            assert_eq!(kind.to_string().parse(), Ok(kind));
        }
        let error = "warm".parse::<Kind>().unwrap_err().to_string();
        assert!(error.starts_with("\"warm\" is no kind of value; the kinds are integer, dyadic, "));
    }
}
