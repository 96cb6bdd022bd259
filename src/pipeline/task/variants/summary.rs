//! The summary of a set of rules, from its rows in order.

use std::collections::HashSet;

use super::VariantRow;

/// The summary of the rows of a set of rules.
#[derive(Clone, Debug, Default)]
pub(super) struct Summary {
    /// The switches.
    pub(super) switches: VariantRow,
    pub(super) positions: u64,
    /// The digests of the values.
    pub(super) values: HashSet<[u8; 16]>,
    /// The positions whose values are dicotic.
    pub(super) dicotic: u64,
    /// The greatest temperature, with the first position that has it.
    pub(super) hottest: Option<(f64, String)>,
    /// The values whose temperature is not known.
    pub(super) no_temperature: u64,
    /// The greatest nim-value, with the first position that has it.
    pub(super) nimber: Option<(i32, String)>,
    /// The positions that have a circle among their followers.
    pub(super) loopy: u64,
    /// The other positions without a value.
    pub(super) open: u64,
}

/// The columns that a summary needs, beside the switches.
pub(super) const COLUMNS: [&str; 8] = [
    "rules",
    "position",
    "value_digest",
    "value_missing",
    "temperature",
    "nim_value",
    "dicotic",
    "is_stopper",
];

impl Summary {
    /// Returns the summary of no row by the rules of this one.
    fn of_rules(row: &VariantRow) -> Summary {
        Summary {
            switches: VariantRow {
                row: Default::default(),
                ..row.clone()
            },
            ..Summary::default()
        }
    }

    fn add(&mut self, row: VariantRow) {
        let row = row.row;
        self.positions += 1;
        self.loopy += u64::from(row.is_stopper.is_some());
        let Some(value) = row.value else {
            match row.value_missing.as_deref() {
                Some("loopy") => self.loopy += 1,
                _ => self.open += 1,
            }
            return;
        };
        self.values.insert(value.value_digest);
        if value.dicotic.is_none() {
            if let Some(temperature) = value.temperature {
                raise(&mut self.hottest, temperature, &row.position);
            }
            // Other columns of loopy values are null.
            return;
        }
        self.dicotic += u64::from(value.dicotic == Some(true));
        match value.temperature {
            Some(temperature) => raise(&mut self.hottest, temperature, &row.position),
            None => self.no_temperature += 1,
        }
        if let Some(nimber) = value.nim_value {
            raise(&mut self.nimber, nimber, &row.position);
        }
    }

    /// Adds the summary of later rows of the same set.
    fn join(&mut self, later: Summary) {
        self.positions += later.positions;
        self.values.extend(later.values);
        self.dicotic += later.dicotic;
        self.no_temperature += later.no_temperature;
        self.loopy += later.loopy;
        self.open += later.open;
        if let Some((temperature, position)) = later.hottest {
            raise(&mut self.hottest, temperature, &position);
        }
        if let Some((nimber, position)) = later.nimber {
            raise(&mut self.nimber, nimber, &position);
        }
    }
}

/// Replaces the greatest number by a greater one.
fn raise<N: Copy + PartialOrd>(greatest: &mut Option<(N, String)>, number: N, position: &str) {
    if greatest.as_ref().is_none_or(|(known, _)| number > *known) {
        *greatest = Some((number, position.to_owned()));
    }
}

/// Returns the summaries of successive rows, one for each run of rows by the same rules.
pub(super) fn summaries(rows: Vec<VariantRow>) -> Vec<Summary> {
    let mut summaries: Vec<Summary> = Vec::new();
    for row in rows {
        match summaries.last_mut() {
            Some(last) if last.switches.rules == row.rules => last.add(row),
            _ => {
                let mut summary = Summary::of_rules(&row);
                summary.add(row);
                summaries.push(summary);
            }
        }
    }
    summaries
}

/// Adds the summaries of later rows.
pub(super) fn extend(summaries: &mut Vec<Summary>, later: Vec<Summary>) {
    for summary in later {
        match summaries.last_mut() {
            Some(last) if last.switches.rules == summary.switches.rules => last.join(summary),
            _ => summaries.push(summary),
        }
    }
}
