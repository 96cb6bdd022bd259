//! Table `variants`: one row for each position by each set of rules.

use std::borrow::Cow;
use std::sync::Arc;

use cggames::game::{Counts, First, Laps, RowRules};

use crate::dataset::row::{TableRow, table_row};
use crate::dataset::{KeptRow, PositionRow, PositionTable};

table_row! {
/// One position by a set of rules, and its value.
pub struct VariantRow {
    /// The rules: the switches that differ from their defaults.
    pub rules: Arc<str>,
    /// The switch pot_min: the fewest seeds of a pot that may be played.
    pub pot_min: i32 = small,
    /// The switch first: next or origin.
    pub first: Cow<'static, str> = label,
    /// The switch last: any, occupied, empty or a list of counts as TOML writes it.
    pub last: Cow<'static, str> = label,
    /// The switch laps: single or multiple.
    pub laps: Cow<'static, str> = label,
    /// The switch landing: whether a seed that falls into an occupied pot takes all seeds of that pot off the board.
    pub landing: bool,
    /// The switch capture: a list of counts as TOML writes it.
    pub capture: Cow<'static, str> = label,
    /// The switch chain: whether captures go on backwards through pots sown in the last lap.
    pub chain: bool,
    /// The columns of table positions.
    pub row: PositionRow,
}
}

impl TableRow for VariantRow {
    const TABLE: &'static str = "variants";

    fn describe(row: &VariantRow) -> String {
        format!("{} by {}", PositionRow::describe(&row.row), row.rules)
    }
}

impl KeptRow for VariantRow {
    const COLUMNS: &'static [&'static str] = &["rules", "position", "value_missing"];
}

impl PositionTable for VariantRow {
    fn position(&self) -> &PositionRow {
        &self.row
    }
}

impl VariantRow {
    /// Returns the row of no position by these rules; as columns they read back after `--rule`.
    pub(super) fn of(rules: &RowRules) -> VariantRow {
        let first = match rules.first {
            First::Next => "next",
            First::Origin => "origin",
        };
        let laps = match rules.laps {
            Laps::Single => "single",
            Laps::Multiple => "multiple",
        };
        let last = match rules.last {
            Counts::ANY => "any".into(),
            Counts::OCCUPIED => "occupied".into(),
            Counts::EMPTY_POT => "empty".into(),
            counts => list(&counts).into(),
        };
        VariantRow {
            rules: rules.to_string().into(),
            pot_min: rules.pot_min.into(),
            first: first.into(),
            last,
            laps: laps.into(),
            landing: rules.landing,
            capture: list(&rules.capture).into(),
            chain: rules.chain,
            row: PositionRow::default(),
        }
    }

    /// Returns the value of a switch, as it reads back after `--rule`.
    pub(super) fn switch(&self, name: &str) -> String {
        match name {
            "pot_min" => self.pot_min.to_string(),
            "first" => self.first.to_string(),
            "last" => self.last.to_string(),
            "laps" => self.laps.to_string(),
            "landing" => self.landing.to_string(),
            "capture" => self.capture.to_string(),
            "chain" => self.chain.to_string(),
            _ => unreachable!("{name} is no switch"),
        }
    }
}

/// Returns a set of counts as a list.
fn list(counts: &Counts) -> String {
    let counts = (0..=Counts::MAX).filter(|&count| counts.contains(count));
    let counts: Vec<String> = counts.map(|count| count.to_string()).collect();
    format!("[{}]", counts.join(","))
}
