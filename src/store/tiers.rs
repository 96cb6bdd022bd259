//! Merging of the newest segments of a namespace while they are small, so that a lookup visits few
//! segments.
//!
//! Each checkpoint adds a segment, and a lookup that misses visits every segment: after 500
//! checkpoints a run would spend nine tenths of its time on that. Segments fall into classes by
//! their number of records, each class four times as large as the one before. The newest segments,
//! up to the first of a larger class, are merged once four of them are of one class, or once there
//! are sixteen of any. So a record is rewritten about once for each class, and not because of a few
//! small segments beside it. A merge of more than [`MERGED_RECORDS_MAX`] records is left to
//! [`Writer::compact`], since merging happens between two checkpoints of a run and must not delay
//! it. Log-structured merge trees maintain their levels in this way (O'Neil, Cheng, Gawlick and
//! O'Neil 1996).

use super::gather::Gathered;
use super::manifest::SegmentEntry;
use super::{Namespace, Reader, StoreError, Writer};

/// The number of segments of a class that are merged into one of the next.
const FAN: usize = 4;

/// The number of segments that are merged whatever their classes.
const MANY: usize = 16;

/// Segments with fewer records all belong to the lowest class.
///
/// Unit: records. A smaller one fills little more than the pages that each segment has.
const SMALL_RECORDS: u64 = 1 << 10;

/// The most records in a merge between two checkpoints.
///
/// Unit: records.
const MERGED_RECORDS_MAX: u64 = 16 << 20;

/// The memory that merging takes for a record and a form, as in [`Writer::compact`]; options are as
/// long as in the files.
///
/// Unit: bytes.
const RECORD_BYTES: u64 = 32;
const FORM_BYTES: u64 = 45;

impl Writer {
    /// Merges the newest small segments of a namespace, and returns the decrease in their number.
    ///
    /// A merge that would take more than `memory` bytes is not done; segments that are damaged or
    /// disagree stay, too, for other commands to report. Afterwards there are few segments beyond
    /// one for each 16 Mi records.
    ///
    /// Once `stop` returns true, it starts no further merge and abandons the current one without
    /// effect.
    ///
    /// Time: the merged records are read three times and written once. Over the life of a store
    /// that happens to each record once for each factor of four in the store's size.
    ///
    /// # Errors
    ///
    /// [`StoreError::Io`]. The store then holds the same values, before or after the merging.
    ///
    /// ```
    /// use valuestore::{FormTable, Namespace, SegmentContents, Store};
    ///
    /// let dir = tempfile::tempdir()?;
    /// let store = Store::open(dir.path())?;
    /// let namespace = Namespace::new("sowing", 1, "impartial");
    /// let mut writer = store.writer()?;
    /// for key in 0..5 {
    ///     let (namespace, forms) = (namespace.clone(), FormTable::new());
    ///     writer.seal(SegmentContents { namespace, records: vec![(key, 7)], forms })?;
    /// }
    /// assert_eq!(writer.merge_newest(&namespace, 1 << 20, &|| false)?, 4);
    /// assert_eq!(store.reader(&namespace).get(2)?.map(|hit| hit.value), Some(7));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn merge_newest(
        &mut self,
        namespace: &Namespace,
        memory: u64,
        stop: &dyn Fn() -> bool,
    ) -> Result<usize, StoreError> {
        let mut fewer = 0;
        while !stop() {
            let reader = self.store.reader(namespace);
            let entries: Vec<SegmentEntry> = reader
                .segments()
                .iter()
                .map(|segment| segment.entry().clone())
                .collect();
            let records: Vec<u64> = entries.iter().map(SegmentEntry::records).collect();
            let records_max = MERGED_RECORDS_MAX.min(self.segment_records_max as u64);
            let Some(start) = first_to_merge(&records, records_max) else {
                return Ok(fewer);
            };
            let old = &entries[start..];
            if old.iter().map(bytes_to_merge).sum::<u64>() > memory {
                return Ok(fewer);
            }
            let newest = Reader::new(namespace.clone(), reader.segments()[start..].into());
            let gathered = match Gathered::new(newest, 0, stop) {
                Ok(gathered) => gathered,
                Err(error) => {
                    tracing::debug!("segments stay as they are: {error}");
                    return Ok(fewer);
                }
            };
            let counts = match gathered.count() {
                Err(StoreError::Stopped) => return Ok(fewer),
                counts => counts?,
            };
            if counts.differing > 0 {
                tracing::debug!("segments stay as they are: some of their values differ");
                return Ok(fewer);
            }
            let written = self.write_gathered(namespace, |records_max, write| {
                gathered.for_each_segment(&counts, records_max, write)
            });
            let new = match written {
                Err(StoreError::Stopped) => return Ok(fewer),
                new => new?,
            };
            self.exchange(old, &new)?;
            fewer += old.len() - new.len();
        }
        Ok(fewer)
    }
}

/// Returns the first of the newest segments to merge, given the number of records in each, oldest
/// first.
fn first_to_merge(records: &[u64], records_max: u64) -> Option<usize> {
    (0..=class(records_max)).find_map(|largest| {
        let mut total = 0;
        let older = records.iter().rposition(|&records| {
            total += records;
            class(records) > largest || total > records_max
        });
        let start = older.map_or(0, |older| older + 1);
        let newest = &records[start..];
        let of_class = newest.iter().filter(|&&r| class(r) == largest).count();
        (of_class >= FAN || newest.len() >= MANY).then_some(start)
    })
}

fn class(records: u64) -> u32 {
    (records / SMALL_RECORDS).max(1).ilog(FAN as u64)
}

fn bytes_to_merge(entry: &SegmentEntry) -> u64 {
    entry.records() * RECORD_BYTES + entry.forms * FORM_BYTES + entry.bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_of_a_class_are_merged_and_larger_ones_left() {
        let first = |records: &[u64]| first_to_merge(records, 1 << 20);
        assert_eq!(first(&[]), None);
        assert_eq!(first(&[1, 1, 1]), None);
        assert_eq!(first(&[1, 1, 1, 1]), Some(0));
        assert_eq!(first(&[4096, 1, 1, 1]), None);
        assert_eq!(first(&[4096, 1, 1, 1, 4095]), Some(1));
        assert_eq!(first(&[1, 4096, 4096, 1, 4096]), None);
        assert_eq!(first(&[1, 4096, 4096, 1, 4096, 1, 4096]), Some(0));
        let mixed: Vec<u64> = (0..15).map(|i| 1 << (10 + 2 * (i % 3))).collect();
        assert_eq!(first(&mixed[..12]), Some(0));
        let rising: Vec<u64> = (0..16).map(|i| 1 << (10 + i / 4 * 2)).collect();
        assert_eq!(first(&rising[..15]), None);
        assert_eq!(first(&[&[1; 3], &rising[..13]].concat()), Some(0));
        assert_eq!(first(&[1 << 20, 4096, 4096, 4096, 4096]), Some(1));
        // A merge has at most `records_max` records.
        assert_eq!(first(&[1 << 19; 9]), None);
        assert_eq!(first(&[1 << 18; 9]), Some(5));
    }
}
