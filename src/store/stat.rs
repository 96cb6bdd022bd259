//! Statistics of a store, and its verification.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use serde::{Serialize, Serializer};

use super::{Namespace, Refused, Store, StoreError};

/// The most problems that [`Store::verify`] lists for one segment.
pub const SEGMENT_PROBLEMS_MAX: usize = 100;

/// The contents of a store.
#[derive(Debug)]
pub struct StoreStat {
    /// One item for each namespace, in their order.
    pub namespaces: Vec<NamespaceStat>,
    /// Segment files that the manifest does not list: harmless, but they take up space.
    pub orphans: Vec<PathBuf>,
    /// The listed segments that could not be opened.
    pub refused: Vec<Arc<Refused>>,
}

/// The contents of a store for one namespace, in the segments that could be opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamespaceStat {
    /// The namespace.
    pub namespace: Namespace,
    /// The number of segments.
    pub segments: u64,
    /// The number of records with keys below 2^64.
    pub narrow: u64,
    /// The number of records with larger keys.
    pub wide: u64,
    /// The number of forms; a form that several segments hold counts in each.
    pub forms: u64,
    /// The length of the files.
    pub bytes: u64,
}

impl NamespaceStat {
    /// Returns the average number of bytes a record, including its share of forms and headers.
    pub fn bytes_per_record(&self) -> f64 {
        self.bytes as f64 / (self.narrow + self.wide).max(1) as f64
    }
}

/// The result of [`Store::verify`] for one segment.
#[derive(Debug, Serialize)]
pub struct SegmentReport {
    /// The name of its file in `segments/`.
    #[serde(rename = "segment")]
    pub file: String,
    /// Its namespace according to the manifest.
    pub namespace: Namespace,
    /// Its number of records according to the manifest.
    #[serde(rename = "values")]
    pub records: u64,
    /// Its length according to the manifest.
    pub bytes: u64,
    /// Its faults, at most [`SEGMENT_PROBLEMS_MAX`].
    #[serde(serialize_with = "texts")]
    pub problems: Vec<StoreError>,
    /// The number of problems beyond [`SEGMENT_PROBLEMS_MAX`].
    pub problems_unlisted: u64,
}

fn texts<S: Serializer>(problems: &[StoreError], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(problems.iter().map(ToString::to_string))
}

impl SegmentReport {
    /// Returns whether the segment is damaged, as opposed to whole, of a later format, or currently
    /// unreadable.
    pub fn is_damaged(&self) -> bool {
        self.problems.iter().any(StoreError::is_damage)
    }
}

impl Store {
    /// Counts the contents of the store; reads no records.
    ///
    /// # Errors
    ///
    /// [`StoreError::Io`] where the directory can't be listed.
    pub fn stat(&self) -> Result<StoreStat, StoreError> {
        let snapshot = self.snapshot();
        let mut namespaces = BTreeMap::new();
        for segment in &snapshot.live {
            let entry = segment.entry();
            let namespace = segment.namespace();
            let stat = namespaces
                .entry(namespace)
                .or_insert_with(|| NamespaceStat {
                    namespace: namespace.clone(),
                    segments: 0,
                    narrow: 0,
                    wide: 0,
                    forms: 0,
                    bytes: 0,
                });
            stat.segments += 1;
            stat.narrow += entry.narrow;
            stat.wide += entry.wide;
            stat.forms += entry.forms;
            stat.bytes += entry.bytes;
        }
        Ok(StoreStat {
            namespaces: namespaces.into_values().collect(),
            orphans: self.orphans()?,
            refused: snapshot.refused.clone(),
        })
    }

    /// Reads every listed segment from its file and reports all faults: header, checksums, order,
    /// index, forms, references.
    ///
    /// Segments are reopened, so that results cached by earlier lookups hide nothing. Damage to the
    /// manifest itself is noticed when the store is opened.
    pub fn verify(&self) -> Vec<SegmentReport> {
        self.verify_each(&mut |_| {})
    }

    /// Verifies as [`verify`](Self::verify) does, and passes each segment's report to `each` as
    /// soon as it is checked.
    pub fn verify_each(&self, each: &mut dyn FnMut(&SegmentReport)) -> Vec<SegmentReport> {
        let entries = self.manifest().segments;
        entries
            .into_iter()
            .map(|entry| {
                let mut problems = Vec::new();
                let mut problems_unlisted = 0;
                let mut note = |problem| {
                    if problems.len() < SEGMENT_PROBLEMS_MAX {
                        problems.push(problem);
                    } else {
                        problems_unlisted += 1;
                    }
                };
                match self.open_segment(&entry) {
                    Ok(segment) => segment.verify(&mut note),
                    Err(problem) => note(problem),
                }
                let report = SegmentReport {
                    namespace: entry.namespace(),
                    records: entry.records(),
                    bytes: entry.bytes,
                    file: entry.file,
                    problems,
                    problems_unlisted,
                };
                each(&report);
                report
            })
            .collect()
    }
}
