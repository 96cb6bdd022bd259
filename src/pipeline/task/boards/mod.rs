//! Boards of Tchoukaillon: a row for each number of stones, each of which has one winning board.

mod check;
mod columns;
mod make;
mod spec;
mod table;

use cggames::game::GameKind;

pub use self::columns::{BinLists, BoardColumns, BoardRow, LISTED_BINS, LISTED_BOARDS_MAX};
pub use self::spec::{
    BINS_MAX, BOARD_LENGTH_MAX, BoardsLayout, BoardsTask, ListedBins, NEAREST_MAX, STONES_MAX,
    fewest_stones,
};
use super::kind::{Kind, Mark};
use crate::run::{Described, Description, ListColumn};

/// The registry entry of this kind.
pub(super) const KIND: Kind = Kind {
    plays: |game| game == GameKind::Tchoukaillon,
    mark: Mark::Family("boards", &[]),
    family: "a section [family], for example with boards = \"0..=1000\"",
    titles: |_| &["a row for each board of Tchoukaillon"],
    is_mined: true,
    spec: spec::spec,
};

impl Described for BoardsTask {
    fn description(&self) -> Description {
        let game = format!("boards of {} to {} stones", self.first, self.last);
        let listed = (self.bins != ListedBins::None).then(|| ListColumn {
            noun: "bin",
            entries: self.bins_about(),
        });
        Description {
            listed,
            ..Description::new("board", game, "bins", self.bins.to_string())
        }
    }

    fn rows(&self) -> u64 {
        self.rows()
    }

    fn meaning(&self) -> String {
        let BoardsTask {
            first, last, bins, ..
        } = self;
        format!("seedbank job 1\ntchoukaillon boards\nfrom {first} to {last}\n{bins}")
    }
}
