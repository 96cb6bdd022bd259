//! Table `forms`: every canonical form that the result set needs, as a DAG of digests.
//!
//! The notation of a form can be exponentially longer than the form; with this table any value can be rebuilt from its
//! `value_digest`. A form may stand in the tables of several shards, with the same content.

use std::borrow::Cow;
use std::mem;
use std::sync::Arc;

use arrow_array::builder::{
    ArrayBuilder, BinaryBuilder, FixedSizeBinaryBuilder, ListBuilder, StringDictionaryBuilder,
};
use arrow_array::cast::AsArray;
use arrow_array::types::Int32Type;
use arrow_array::{Array, ArrayRef, ListArray, RecordBatch};
use arrow_schema::ArrowError;

use super::column::ColumnKind::{Digest, Digests, Label};
use super::column::{Column, digests_item, required, searched, table_row};
use super::table::{Columns, Table, digest_at};

/// The name of the table.
pub const TABLE: &str = "forms";

table_row! {
/// One canonical form: its options by their digests.
pub struct FormRow {
    /// The digest of the form, as in table positions.
    pub value_digest: [u8; 16] = searched(Digest),
    /// What kind of value it is, as in table positions.
    pub kind: Cow<'static, str> = required(Label),
    /// The digests of Left's canonical options, in the writer's order.
    pub left_options: Vec<[u8; 16]> = required(Digests),
    /// The digests of Right's canonical options, in the writer's order.
    pub right_options: Vec<[u8; 16]> = required(Digests),
}
}

/// Returns the columns of the table.
pub fn columns() -> Vec<Column> {
    FormRow::declared_columns()
}

/// Rows on their way into an Arrow batch.
pub(crate) struct Forms {
    value_digest: FixedSizeBinaryBuilder,
    kind: StringDictionaryBuilder<Int32Type>,
    left_options: ListBuilder<BinaryBuilder>,
    right_options: ListBuilder<BinaryBuilder>,
}

impl Forms {
    /// Returns an empty batch.
    pub(crate) fn new() -> Forms {
        Forms::with_room(0, 0, 0)
    }

    /// Returns an empty batch with room for so many rows and options.
    fn with_room(rows: usize, left: usize, right: usize) -> Forms {
        let list = |options: usize| {
            let digests = BinaryBuilder::with_capacity(options, 16 * options);
            ListBuilder::with_capacity(digests, rows).with_field(digests_item())
        };
        Forms {
            value_digest: FixedSizeBinaryBuilder::with_capacity(rows, 16),
            kind: StringDictionaryBuilder::with_capacity(rows, 0, 0),
            left_options: list(left),
            right_options: list(right),
        }
    }
}

impl Table for Forms {
    type Row<'a> = FormRow;
    const NAME: &'static str = TABLE;

    fn rows(&self) -> usize {
        self.value_digest.len()
    }

    fn text_bytes(&self) -> usize {
        16 * (self.left_options.values_ref().len() + self.right_options.values_ref().len())
    }

    fn describe(row: &FormRow) -> String {
        format!("form {:032x}", u128::from_be_bytes(row.value_digest))
    }

    fn push(&mut self, row: &FormRow) -> Result<(), String> {
        let reason = |error: ArrowError| error.to_string();
        self.kind.append(&row.kind).map_err(reason)?;
        self.value_digest
            .append_value(row.value_digest)
            .map_err(reason)?;
        for (list, digests) in [
            (&mut self.left_options, &row.left_options),
            (&mut self.right_options, &row.right_options),
        ] {
            for digest in digests {
                list.values().append_value(digest);
            }
            list.append(true);
        }
        Ok(())
    }

    fn finish(&mut self) -> Vec<ArrayRef> {
        let options = |list: &ListBuilder<BinaryBuilder>| list.values_ref().len();
        // The next batch is taken to be as large.
        let (left, right) = (options(&self.left_options), options(&self.right_options));
        let mut batch = mem::replace(self, Forms::with_room(self.rows(), left, right));
        vec![
            Arc::new(batch.value_digest.finish()),
            Arc::new(batch.kind.finish()),
            Arc::new(batch.left_options.finish()),
            Arc::new(batch.right_options.finish()),
        ]
    }

    fn read(batch: &RecordBatch) -> Vec<FormRow> {
        let columns = Columns::of(batch);
        let value_digest = columns.digests("value_digest");
        let kind = columns.labels("kind");
        let left_options = columns.lists("left_options");
        let right_options = columns.lists("right_options");
        let row = |row: usize| FormRow {
            value_digest: digest_at(value_digest, row),
            kind: kind.owned(row),
            left_options: digests_at(left_options, row),
            right_options: digests_at(right_options, row),
        };
        (0..batch.num_rows()).map(row).collect()
    }
}

/// Returns the digests of one row of a list column.
fn digests_at(lists: &ListArray, row: usize) -> Vec<[u8; 16]> {
    let list = lists.value(row);
    let digests = list.as_binary::<i32>();
    (0..digests.len())
        .map(|index| {
            let digest = digests.value(index).try_into();
            digest.expect("the writer stores 16 bytes a digest, and the file's checksum agrees")
        })
        .collect()
}
