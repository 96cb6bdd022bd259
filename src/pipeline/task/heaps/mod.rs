//! Heaps: a row for each heap of a game; and, without a job, a few heaps and sums.

mod charts;
mod check;
mod columns;
mod evaluate;
mod found;
mod make;
mod proved;
mod spec;
mod sums;
mod table;
mod values;

use cggames::game::{Convention, GameKind};

pub(super) use self::check::verdict;
pub use self::columns::{HeapColumns, HeapLabel, HeapRow, OUTCOMES};
pub(super) use self::columns::{ROW_BYTES, with_more};
pub use self::evaluate::{HeapEvaluation, HeapsEvaluated, evaluate_heaps};
pub(super) use self::found::{FOUND_BYTES, HeapCheckpoints};
pub use self::proved::period_heaps;
pub use self::spec::{HEAP_MAX, HeapsLayout, HeapsTask, OBLIGATED_HEAP_MAX, heap_max};
pub(super) use self::spec::{HeapGames, HeapKeys, ending, rules};
pub(super) use self::sums::evaluate;
pub use self::sums::{MisereWanted, SumEvaluated, SumEvaluation, evaluate_sums};
pub(super) use self::table::shown;
pub use self::values::{HeapValue, Period};
use super::kind::{Kind, Mark};
use crate::run::{Described, Description};

/// The registry entry of this kind.
pub(super) const KIND: Kind = Kind {
    plays: |game| matches!(game, GameKind::Heaps(_)),
    mark: Mark::Family("heaps", &[]),
    family: "a section [family], for example with heaps = \"0..=1000\"",
    titles: |_| &["a row for each heap of a game"],
    is_mined: true,
    spec: spec::spec,
};

impl Described for HeapsTask {
    fn description(&self) -> Description {
        let added = match self.ending {
            Convention::Normal => self.sum.name().to_owned(),
            Convention::Misere => format!("{}, misere", self.sum.name()),
        };
        Description::new("heap", self.game.to_string(), "sum", added)
    }

    fn rows(&self) -> u64 {
        self.rows()
    }

    fn meaning(&self) -> String {
        let HeapsTask {
            game,
            sum,
            ending,
            first,
            last,
            ..
        } = self;
        let ending = match ending {
            Convention::Normal => "",
            Convention::Misere => "\nending misere",
        };
        format!("seedbank job 1\nheaps of {game}\nsum {sum}{ending}\nfrom {first} to {last}")
    }
}
