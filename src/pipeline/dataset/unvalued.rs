//! The positions of a result that have no value yet.

use super::table::Columns;
use super::{DatasetError, Missing, ResultSet, Wanted};

impl ResultSet {
    /// Returns the first `most` positions that a later run can still find a value of.
    ///
    /// # Errors
    ///
    /// If rows cannot be read.
    pub fn open_positions(&self, most: usize) -> Result<Vec<String>, DatasetError> {
        let wanted = Wanted::columns(["position", "value_missing"]);
        let batches = self.scan().first_batches(wanted, |_, batch| {
            let columns = Columns::of(&batch);
            let missing = columns.labels("value_missing");
            let positions = columns.text("position");
            let rows = 0..columns.rows();
            let open = rows.filter(|&row| missing.get(row).is_some_and(Missing::is_open));
            open.map(|row| positions.value(row).to_owned()).collect()
        })?;
        let mut found = Vec::new();
        for positions in batches {
            let positions: Vec<String> = positions?;
            found.extend(positions);
            if found.len() >= most {
                break;
            }
        }
        found.truncate(most);
        Ok(found)
    }
}
