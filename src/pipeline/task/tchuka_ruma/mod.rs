//! Tchuka Ruma: a row for each position, which says whether and how it can be won.
//!
//! [`evaluate_rings`] evaluates a few positions without a job.

mod columns;
mod evaluate;
mod make;
mod spec;
mod table;

use cggames::game::GameKind;

use super::kind::{Kind, Mark};
use crate::run::{Described, Description, Mined};
pub use columns::RingRow;
pub use evaluate::evaluate_rings;
pub use spec::{POSITIONS_MAX_DEFAULT, RingFamily, RingsLayout, RingsTask};

/// The registry entry of this kind.
pub(super) const KIND: Kind = Kind {
    plays: |game| game == GameKind::TchukaRuma,
    mark: Mark::None,
    family: "a section [family], for example with starts = { pits = \"1..=6\", stones = \"1..=6\" }",
    titles: |_| {
        &[
            "a row for each starting position",
            "a row for each position of a ring",
        ]
    },
    is_mined: false,
    spec: spec::spec,
};

impl Described for RingsTask {
    fn description(&self) -> Description {
        Description::new("position", "Tchuka Ruma", "family", self.family.to_string())
    }

    fn rows(&self) -> u64 {
        self.family.len()
    }

    fn meaning(&self) -> String {
        let RingsTask {
            family,
            positions_max,
            ..
        } = self;
        let mut meaning =
            format!("seedbank job 1\ntchuka-ruma\npositions to {positions_max}\n{family}");
        if let RingFamily::Listed(rings) = family {
            for ring in rings {
                meaning.push_str(&format!("\n{ring}"));
            }
        }
        meaning
    }
}

impl Mined for RingsTask {}
