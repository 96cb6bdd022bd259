//! Misère quotients: a row for each code with a given number of digits; and, without a job, one code.

mod check;
mod columns;
mod find;
mod make;
mod spec;
mod table;

use cggames::game::GameKind;
use cggames::game::heap::HeapRules;

pub use cgsolvers::quotient::QuotientLimits;

pub use self::columns::QuotientRow;
pub use self::find::{QuotientFound, evaluate_quotient, find_quotient};
pub use self::spec::{ELEMENTS_MAX, QUOTIENT_HEAP_MAX, QuotientsLayout, QuotientsTask};
use super::kind::{Kind, Mark};
use crate::run::{Described, Description, Mined};

/// The registry entry of this kind.
pub(super) const KIND: Kind = Kind {
    plays: |game| matches!(game, GameKind::Heaps(_)),
    mark: Mark::Family("quotients", &["heaps_max", "elements_max", "positions_max"]),
    family: "a section [family], for example with heaps = \"0..=1000\"",
    titles: |game| match game {
        GameKind::Heaps(HeapRules::Code) => &["a row for the misère quotient of each code"],
        _ => &[],
    },
    is_mined: false,
    spec: spec::spec,
};

impl Described for QuotientsTask {
    fn description(&self) -> Description {
        let game = format!("codes of {} digits to {}", self.digits, self.max_digit);
        Description::new("code", game, "ending", "misere")
    }

    fn rows(&self) -> u64 {
        self.rows()
    }

    fn meaning(&self) -> String {
        let QuotientsTask {
            digits,
            max_digit,
            heaps_max,
            limits,
            ..
        } = self;
        let (elements, positions) = (limits.elements_max, limits.positions_max);
        format!(
            "seedbank job 1\nmisere quotients of codes of {digits} digits to {max_digit}\nheaps to {heaps_max}\n\
             elements to {elements}\npositions to {positions}"
        )
    }
}

impl Mined for QuotientsTask {}
