//! Lengths of Tchoukaillon boards: a row for each, with the fewest stones of a board of this
//! length.

mod charts;
mod check;
mod columns;
mod evaluate;
mod make;
mod spec;
mod table;

use cggames::game::GameKind;

pub(super) use self::check::compare;
pub use self::columns::{LengthColumns, LengthRow};
pub use self::evaluate::{fewest_by_length, lengths_by_stones};
pub use self::spec::{LENGTH_MAX, LengthsLayout, LengthsTask};
use super::kind::{Kind, Mark};
use crate::run::{Described, Description, Mined};

/// The registry entry of this kind.
pub(super) const KIND: Kind = Kind {
    plays: |game| game == GameKind::Tchoukaillon,
    mark: Mark::Family("lengths", &[]),
    family: "a section [family], for example with boards = \"0..=1000\"",
    titles: |_| &["a row for each length of boards of Tchoukaillon"],
    is_mined: false,
    spec: spec::spec,
};

impl Described for LengthsTask {
    fn description(&self) -> Description {
        let family = format!("lengths {} to {}", self.first, self.last);
        Description::new("length", "fewest stones of a board", "family", family)
    }

    fn rows(&self) -> u64 {
        self.rows()
    }

    fn meaning(&self) -> String {
        let LengthsTask { first, last, .. } = self;
        format!("seedbank job 1\ntchoukaillon lengths\nfrom {first} to {last}")
    }
}

impl Mined for LengthsTask {}
