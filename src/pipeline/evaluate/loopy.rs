//! Values of positions with a follower on a cycle, as the tables hold them.

use std::borrow::Cow;

use cgsolvers::{LoopyValue, Word, infinite_text};
use cgvalues::{Dyadic, LoopyCalculator, Pseudonumber, Sides, Stopper, ValueDigest, ValueId};

use crate::dataset::{FormRow, VALUE_CHARS_MAX, ValueColumns};

/// The value of a position with a follower on a cycle.
#[derive(Clone, Debug)]
pub(crate) enum LoopySolution {
    /// The value of a game that ends.
    Ends(Word),
    /// A loopy value.
    Loopy(Box<LoopyDescription>),
    /// None was found.
    Unknown,
}

/// The facts about a loopy value that the columns of the table hold.
#[derive(Clone, Debug)]
pub(crate) struct LoopyDescription {
    /// The notation, unless it is longer than a table permits.
    pub(crate) notation: Option<String>,
    digest: [u8; 16],
    /// The sides, unless these are longer; none in impartial play.
    sides: [Option<String>; 2],
    is_stopper: bool,
    /// The numbers that differ infinitesimally from the stops of a stopper, those that are none left out.
    stops: [Option<Dyadic>; 2],
    /// The mean and the temperature of a stopper, if it has them.
    mast: Option<(Dyadic, Dyadic)>,
    /// The loopy forms that the value needs, and the short ones.
    pub(crate) forms: (Vec<FormRow>, Vec<ValueId>),
}

impl LoopySolution {
    /// Describes a value whose stoppers belong to a calculator.
    pub(crate) fn of(value: &LoopyValue, c: &mut LoopyCalculator<'_>) -> LoopySolution {
        if let Some(word) = value.word() {
            return LoopySolution::Ends(word);
        }
        let sides = match value {
            LoopyValue::Sides(sides) => *sides,
            LoopyValue::Infinite(heaps) => return LoopySolution::Loopy(Box::new(infinite(heaps))),
            LoopyValue::Nim(_) | LoopyValue::Unknown => return LoopySolution::Unknown,
        };
        let stopper = sides.stopper();
        LoopySolution::Loopy(Box::new(LoopyDescription {
            notation: c.text(sides, VALUE_CHARS_MAX),
            digest: c.digest_of(sides).0,
            sides: [sides.onside, sides.offside].map(|side| c.text(side.into(), VALUE_CHARS_MAX)),
            is_stopper: stopper.is_some(),
            stops: match stopper {
                Some(stopper) => c.stops(stopper).map(Pseudonumber::number),
                None => [None; 2],
            },
            mast: stopper.and_then(|stopper| c.mast(stopper)),
            forms: forms(sides, c),
        }))
    }
}

impl LoopyDescription {
    /// Returns the columns of the value.
    pub(crate) fn columns(&self) -> ValueColumns<'static> {
        let exact = Dyadic::to_f64_exact;
        let [left_stop, right_stop] = self.stops.map(|stop| stop.and_then(exact));
        ValueColumns {
            left_stop,
            right_stop,
            mean: self.mast.and_then(|(mean, _)| exact(mean)),
            temperature: self.mast.and_then(|(_, temperature)| exact(temperature)),
            value: self.notation.clone().map(Into::into),
            value_digest: self.digest,
            kind: Cow::Borrowed("loopy"),
            ..ValueColumns::default()
        }
    }

    /// Returns the notation of onside and offside.
    pub(crate) fn sides(&self) -> [Option<Cow<'static, str>>; 2] {
        self.sides.clone().map(|side| side.map(Into::into))
    }

    /// Returns whether the value is a stopper.
    pub(crate) fn is_stopper(&self) -> bool {
        self.is_stopper
    }
}

/// Describes `oo(a,b,...)`.
fn infinite(heaps: &[u32]) -> LoopyDescription {
    let notation = infinite_text(heaps);
    LoopyDescription {
        digest: ValueDigest::of_name(&notation).0,
        notation: Some(notation),
        sides: [None, None],
        is_stopper: false,
        stops: [None; 2],
        mast: None,
        forms: (Vec::new(), Vec::new()),
    }
}

/// Returns the loopy forms that a value needs, and the short ones.
fn forms(sides: Sides, c: &mut LoopyCalculator<'_>) -> (Vec<FormRow>, Vec<ValueId>) {
    let (mut rows, mut shorts) = (Vec::new(), Vec::new());
    for side in [sides.onside, sides.offside] {
        for follower in c.followers(side) {
            if let Stopper::Short(id) = follower {
                shorts.push(id);
                continue;
            }
            let [left_options, right_options] = c.options_of(follower).map(|options| {
                let mut digests: Vec<[u8; 16]> = options
                    .into_iter()
                    .map(|option| c.digest(option).0)
                    .collect();
                digests.sort_unstable();
                digests
            });
            rows.push(FormRow {
                value_digest: c.digest(follower).0,
                kind: Cow::Borrowed("loopy"),
                left_options,
                right_options,
            });
        }
    }
    if sides.stopper().is_none() {
        rows.push(FormRow {
            value_digest: c.digest_of(sides).0,
            kind: Cow::Borrowed("sides"),
            left_options: vec![c.digest(sides.onside).0],
            right_options: vec![c.digest(sides.offside).0],
        });
    }
    (rows, shorts)
}
