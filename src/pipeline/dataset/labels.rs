//! Columns of labels, for reading.

use arrow_array::cast::AsArray;
use arrow_array::types::Int32Type;
use arrow_array::{Array, ArrayRef, DictionaryArray, Int32Array, StringArray};

/// A column of labels: keys into a dictionary.
pub struct Labels<'a> {
    keys: &'a Int32Array,
    texts: &'a StringArray,
}

impl<'a> Labels<'a> {
    /// Splits a column of labels into keys and dictionary.
    pub(crate) fn of(array: &'a ArrayRef) -> Labels<'a> {
        let dictionary: &DictionaryArray<Int32Type> = array.as_dictionary();
        Labels {
            keys: dictionary.keys(),
            texts: dictionary.values().as_string(),
        }
    }

    /// Returns the dictionary.
    pub(crate) fn texts(&self) -> &'a StringArray {
        self.texts
    }

    /// Returns the dictionary index for a row that is not null.
    pub(crate) fn key(&self, row: usize) -> usize {
        self.keys.value(row) as usize
    }

    /// Returns the label of a row, if it has one.
    pub(crate) fn get(&self, row: usize) -> Option<&'a str> {
        self.keys.is_valid(row).then(|| self.text(row))
    }

    /// Returns the label for a row that is not null.
    pub(crate) fn text(&self, row: usize) -> &'a str {
        self.texts.value(self.key(row))
    }
}
