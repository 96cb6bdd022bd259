//! Reconstructions: a row for each way to fix some bins of a Tchoukaillon board.

mod check;
mod columns;
mod make;
mod search;
mod spec;
mod table;

use cggames::game::GameKind;

pub use self::columns::ReconstructionRow;
pub use self::search::{NoBoard, Residues, reconstruct, residues};
pub use self::spec::{ReconstructionsLayout, ReconstructionsTask, SEARCHED_DEFAULT, SEARCHED_MAX};
use super::kind::{Kind, Mark};
use crate::run::{Described, Description, Mined};

/// The registry entry of this kind.
pub(super) const KIND: Kind = Kind {
    plays: |game| game == GameKind::Tchoukaillon,
    mark: Mark::Family("reconstructions", &[]),
    family: "a section [family], for example with boards = \"0..=1000\"",
    titles: |_| &["a row for each way to fix bins of a board of Tchoukaillon"],
    is_mined: false,
    spec: spec::spec,
};

impl Described for ReconstructionsTask {
    fn description(&self) -> Description {
        let numbering = format!("numbering {}", self.family.numbers().name());
        Description::new(
            "reconstruction",
            "boards with fixed bins",
            "numbering",
            numbering,
        )
    }

    fn rows(&self) -> u64 {
        self.family.len()
    }

    fn meaning(&self) -> String {
        let (family, up_to) = (self.family.meaning(), self.up_to);
        format!("seedbank job 1\ntchoukaillon reconstructions\n{family}\nup to {up_to}")
    }
}

impl Mined for ReconstructionsTask {}
