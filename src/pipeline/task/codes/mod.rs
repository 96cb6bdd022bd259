//! Surveys: a row for each code with a given number of digits.

mod check;
mod columns;
mod make;
mod spec;
mod table;

use cggames::game::GameKind;
use cggames::game::heap::HeapRules;

pub use self::columns::CodeRow;
pub use self::spec::{CODES_MAX, CodesLayout, CodesTask, SURVEY_HEAP_MAX, SURVEY_HEAP_MIN};
pub(super) use self::spec::{code_of_rank, codes};
use super::kind::{Kind, Mark};
use crate::run::{Described, Description};

/// The registry entry of this kind.
pub(super) const KIND: Kind = Kind {
    plays: |game| matches!(game, GameKind::Heaps(_)),
    mark: Mark::Family("codes", &["heaps_max"]),
    family: "a section [family], for example with heaps = \"0..=1000\"",
    titles: |game| match game {
        GameKind::Heaps(HeapRules::Code) => &["a row for each code of a survey"],
        _ => &[],
    },
    is_mined: true,
    spec: spec::spec,
};

impl Described for CodesTask {
    fn description(&self) -> Description {
        let game = format!("codes of {} digits to {}", self.digits, self.max_digit);
        Description::new("code", game, "sum", self.sum.name())
    }

    fn rows(&self) -> u64 {
        self.rows()
    }

    fn meaning(&self) -> String {
        let CodesTask {
            digits,
            max_digit,
            heaps_max,
            sum,
            ..
        } = self;
        format!(
            "seedbank job 1\ncodes of {digits} digits to {max_digit}\nsum {sum}\nheaps to {heaps_max}"
        )
    }
}
