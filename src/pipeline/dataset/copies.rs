//! Positions in columns, of which many differ by their names alone.
//!
//! Positions of the same value have the same columns, except for their names. Such columns are made once and then copied, column
//! by column.

use std::mem;
use std::sync::Arc;

use arrow_array::builder::StringBuilder;
use arrow_array::{Array, ArrayRef, UInt32Array, new_null_array};
use arrow_select::take::take;

use super::datum::Unmarked;
use super::positions::PositionRow;
use super::row::{Fields, RowColumns, TableRow};
use super::table::BATCH_ROWS;

/// A batch of positions, each a copy of a model with a name of its own.
///
/// [`is_full`](Self::is_full) says when a batch ends, at the same row as if the rows were written one by one. So both ways write
/// the same bytes.
pub struct NamedCopies {
    models: <PositionRow as Fields<Unmarked>>::Builders,
    /// Of each model, its bytes beyond a fixed width.
    model_bytes: Vec<usize>,
    model_of: Vec<u32>,
    names: StringBuilder,
    text_bytes: usize,
}

impl Default for NamedCopies {
    fn default() -> NamedCopies {
        NamedCopies {
            models: PositionRow::builders(0),
            model_bytes: Vec::new(),
            model_of: Vec::with_capacity(BATCH_ROWS),
            names: StringBuilder::new(),
            text_bytes: 0,
        }
    }
}

impl NamedCopies {
    /// Adds a model and returns its number. It is no row of the batch by itself; its name must be empty.
    pub fn add_model(&mut self, model: &PositionRow) -> u32 {
        let bytes = PositionRow::gather(model, &mut self.models);
        self.model_bytes.push(bytes);
        self.model_bytes.len() as u32 - 1
    }

    /// Appends a copy of a model.
    ///
    /// # Panics
    ///
    /// If there is no such model.
    pub fn push(&mut self, model: u32, name: &str) {
        self.model_of.push(model);
        self.names.append_value(name);
        self.text_bytes += self.model_bytes[model as usize] + name.len();
    }

    /// Returns whether the batch takes no more positions.
    pub fn is_full(&self) -> bool {
        self.model_of.len() >= BATCH_ROWS || self.text_bytes >= PositionRow::BATCH_TEXT_BYTES
    }
}

impl RowColumns for NamedCopies {
    type Row = PositionRow;

    fn arrays(mut self) -> Vec<ArrayRef> {
        let mut models = Vec::new();
        PositionRow::finish(&mut self.models, &mut models);
        let model_of = UInt32Array::from(mem::take(&mut self.model_of));
        let names: ArrayRef = Arc::new(self.names.finish());
        let copied = |array: &ArrayRef| match array.null_count() == array.len() {
            true => new_null_array(array.data_type(), model_of.len()),
            false => take(array, &model_of, None).expect("texts of a batch are bounded"),
        };
        let columns = PositionRow::columns(&[]);
        let arrays = models.iter().zip(&columns);
        arrays
            .map(|(array, column)| match &*column.name {
                "position" => Arc::clone(&names),
                _ => copied(array),
            })
            .collect()
    }
}
