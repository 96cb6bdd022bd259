//! The records of several segments as one sequence: each key once, with its newest value.
//!
//! A k-way merge. Segments hold their records in the order of their mixed keys, so a cursor in each
//! and a heap of the current records suffice; nothing is copied.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::Arc;

use super::table::{Entries, RecordView};
use super::{SegmentReader, StoreError};

/// A key's value and its segment, to whose forms the value may refer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hit {
    /// The place of the segment in [`Reader::segments`](super::Reader::segments).
    pub segment: usize,
    /// The value as stored.
    pub value: u32,
}

/// The records of one width of some segments, the oldest first, in the order of their mixed keys.
///
/// O(log k) time a record for k segments.
#[derive(Clone)]
pub(crate) struct Merged<'a, const W: usize> {
    /// The remaining records of each segment.
    left: Vec<Entries<'a, W>>,
    /// The next record of each: the least key is on top, and for one key the newest segment.
    heap: BinaryHeap<(Reverse<u128>, usize, u32)>,
    /// The values of the last returned key in older segments, the newest first.
    older: Vec<Hit>,
}

impl<'a, const W: usize> Merged<'a, W> {
    /// Starts a merge of all records.
    ///
    /// # Errors
    ///
    /// A damaged segment.
    pub(crate) fn new(segments: &'a [Arc<SegmentReader>]) -> Result<Self, StoreError> {
        let views = segments.iter().map(|segment| segment.records::<W>());
        let left = views.map(|view| view.map(RecordView::entries));
        let left: Vec<_> = left.collect::<Result<_, _>>()?;
        let mut merged = Merged {
            heap: BinaryHeap::with_capacity(left.len()),
            older: Vec::new(),
            left,
        };
        for segment in 0..merged.left.len() {
            merged.advance(segment);
        }
        Ok(merged)
    }

    /// Returns the values of the last returned key in older segments, the newest first.
    pub(crate) fn older(&self) -> &[Hit] {
        &self.older
    }

    /// Puts the next record of a segment on the heap.
    fn advance(&mut self, segment: usize) {
        if let Some((mixed, value)) = self.left[segment].next() {
            self.heap.push((Reverse(mixed), segment, value));
        }
    }
}

impl<const W: usize> Iterator for Merged<'_, W> {
    /// A mixed key, and its value in the newest segment that has it.
    type Item = (u128, Hit);

    fn next(&mut self) -> Option<(u128, Hit)> {
        let (Reverse(mixed), segment, value) = self.heap.pop()?;
        self.advance(segment);
        self.older.clear();
        while let Some(&(Reverse(other), segment, value)) = self.heap.peek() {
            if other != mixed {
                break;
            }
            self.heap.pop();
            self.advance(segment);
            self.older.push(Hit { segment, value });
        }
        Some((mixed, Hit { segment, value }))
    }
}
