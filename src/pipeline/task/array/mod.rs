//! The Tchoukaillon array: a row for each of some entries.

mod check;
mod columns;
mod make;
mod spec;
mod table;

use cggames::game::GameKind;

pub use self::columns::ArrayRow;
pub use self::spec::{ArrayEntries, ArrayLayout, ArrayTask};
use super::kind::{Kind, Mark};
use crate::run::{Described, Description};

/// The registry entry of this kind.
pub(super) const KIND: Kind = Kind {
    plays: |game| game == GameKind::Tchoukaillon,
    mark: Mark::Family("array", &[]),
    family: "a section [family], for example with array = { rows = \"2\", columns = \"1..=1000\" }",
    titles: |_| &["a row for each entry of the Tchoukaillon array"],
    is_mined: true,
    spec: spec::spec,
};

impl ArrayTask {
    /// The entries, for people and as the meaning of the job.
    fn text(&self) -> String {
        match self.entries {
            ArrayEntries::Block { rows, columns } => {
                format!(
                    "rows {} to {}, columns {} to {}",
                    rows.0, rows.1, columns.0, columns.1
                )
            }
            ArrayEntries::Antidiagonals { first, last } => {
                format!("antidiagonals {first} to {last}")
            }
        }
    }

    /// The numbers that are not the same for all entries: of the row, of the column, or both.
    fn variables(&self) -> Vec<String> {
        let names: &[&str] = match self.entries {
            ArrayEntries::Block { rows, .. } if rows.0 == rows.1 => &["j"],
            ArrayEntries::Block { columns, .. } if columns.0 == columns.1 => &["i"],
            _ => &["i", "j"],
        };
        names.iter().map(|&name| name.to_owned()).collect()
    }
}

impl Described for ArrayTask {
    fn description(&self) -> Description {
        Description::new("number", "the Tchoukaillon array", "family", self.text())
    }

    fn rows(&self) -> u64 {
        self.entries.number()
    }

    fn meaning(&self) -> String {
        format!("seedbank job 1\ntchoukaillon array\n{}", self.text())
    }
}
