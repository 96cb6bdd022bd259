//! Sowing graphs: a row for each graph of a family.

mod check;
mod columns;
mod count;
mod make;
mod spec;
mod table;

use cggames::game::GameKind;

pub use self::columns::GraphRow;
pub use self::count::{GraphBoards, ListedBoard};
pub use self::spec::{GraphsLayout, GraphsTask};
use super::kind::{Kind, Mark};
use crate::run::{Described, Description};

/// The registry entry of this kind.
pub(super) const KIND: Kind = Kind {
    plays: |game| game == GameKind::SowingGraph,
    mark: Mark::None,
    family: "a section [family], for example with graphs = \"path(1..=9)\"",
    titles: |_| &["a row for each sowing graph"],
    is_mined: true,
    spec: spec::spec,
};

impl Described for GraphsTask {
    fn description(&self) -> Description {
        let limits = match self.total_max {
            Some(total) => format!("totals to {total}"),
            None => "all totals".to_owned(),
        };
        let game = "winning boards of sowing graphs";
        Description::new("graph", game, "totals", limits)
    }

    fn rows(&self) -> u64 {
        self.graphs.len()
    }

    fn meaning(&self) -> String {
        let GraphsTask {
            graphs,
            total_max,
            boards_max,
            held_max,
            strategy_boards_max,
            ..
        } = self;
        let total_max = total_max.map_or_else(|| "any".to_owned(), |total| total.to_string());
        format!(
            "seedbank job 1\nsowing graphs\ntotals to {total_max}\nboards {boards_max} held {held_max}\n\
             strategies on {strategy_boards_max}\n{}",
            graphs.meaning()
        )
    }
}
