//! Table `array`: one row for each entry of the Tchoukaillon array.

use cglaws::{Column, Entries, Material};

use super::ArrayTask;
use crate::dataset::Wanted;
use crate::dataset::row::{TableRow, table_row};
use crate::report::ReportError;
use crate::run::{Mined, Reading};

table_row! {
/// One entry, compared with the asymptotic formula.
pub struct ArrayRow {
    /// The number of the row, from 1 on.
    pub i: i64,
    /// The number of the column, from 1 on.
    pub j: i64,
    /// The entry; that of row 1 and column l is N(l).
    pub n: i64,
    /// The entry minus (pi (i - 1) + 2 j)^2 / (4 pi), to which it is asymptotic. The rounding error is at most 2^-50
    /// times the entry.
    pub deviation: f64,
}
}

impl TableRow for ArrayRow {
    const TABLE: &'static str = "array";

    fn describe(row: &ArrayRow) -> String {
        format!("row {}, column {}", row.i, row.j)
    }
}

impl Mined for ArrayTask {
    fn mined_variables(&self) -> Option<Vec<String>> {
        Some(self.variables())
    }

    /// The entries by their rows, columns, or both.
    fn material(&self, reading: &Reading<'_>) -> Result<Material, ReportError> {
        let names = self.variables();
        let mut column = Column::new("n".to_owned(), names.clone(), Entries::Integers);
        for row in reading
            .scan()
            .rows::<ArrayRow>(Wanted::columns(["i", "j", "n"]))?
        {
            let row = row?;
            let place: Vec<i64> = (names.iter())
                .map(|name| if name == "i" { row.i } else { row.j })
                .collect();
            column.push(&place, &row.n.to_string());
        }
        Ok(Material {
            columns: vec![column],
            ..Material::default()
        })
    }
}
