//! Table `forms`: every canonical form that the result set needs, as a DAG of digests.
//!
//! The notation of a form can be exponentially longer than the form. With this table, any value can
//! be rebuilt from its `value_digest`. Several parts may list a form, always with the same content.

use std::borrow::Cow;

use super::row::{TableRow, table_row};

table_row! {
/// One canonical form, with its options by their digests. That of a loopy stopper may be an option of
/// its followers; a loopy value that is no stopper has its onside as the only Left option, and its
/// offside as the only Right option.
pub struct FormRow {
    /// The digest of the form, as in table positions.
    pub value_digest: [u8; 16] = searched,
    /// The kind of value, as in table positions; sides for a loopy value that is no stopper.
    pub kind: Cow<'static, str> = label,
    /// The digests of Left's canonical options, in the writer's order.
    pub left_options: Vec<[u8; 16]>,
    /// The digests of Right's canonical options, in the writer's order.
    pub right_options: Vec<[u8; 16]>,
}
}

impl FormRow {
    /// Returns whether the form is loopy, or stands for a loopy value by its sides: then its options are not all before it.
    pub fn is_loopy(&self) -> bool {
        matches!(&*self.kind, "loopy" | "sides")
    }
}

impl TableRow for FormRow {
    const TABLE: &'static str = "forms";

    fn describe(row: &FormRow) -> String {
        format!("form {}", hex::encode(row.value_digest))
    }
}
