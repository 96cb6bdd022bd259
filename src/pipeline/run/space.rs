//! Disk space: a lower bound on what a job takes, and whether the disk has it.
//!
//! The number of rows left is known beforehand, and the least size of a row was measured over
//! finished result sets. Their product is compared with the free space before a run begins, so that
//! a disk that is too small is reported in the first second and not in the last hour. Values in the
//! store are not counted: rows may share keys or have them in the store already, and the number of
//! followers evaluated and stored is unknown. A disk that turns out too small later stops the run
//! with an error, and no finished work is lost.

use std::fs;
use std::path::{Path, PathBuf};

use bytesize::ByteSize;

use super::{Job, Options, Plan, RunError};

/// The size of the footer, the description and the filters in a part's files.
///
/// Unit: bytes. A result set of one row has 18.7 KB.
pub(crate) const PART_BYTES: u64 = 20_000;

/// Checks that there is disk space for the rest of a job.
///
/// # Errors
///
/// [`RunError::Disk`]. It is no error if the system does not report the free space.
pub(super) fn check(job: &Job, plan: &Plan, options: &Options) -> Result<(), RunError> {
    let need = job.task.disk(plan);
    let places = [
        ("the result set", options.out.as_path(), need.results.0),
        // The number of new values is unknown: rows share keys, and the store may have them.
        ("the store", options.store.as_path(), 0),
    ];
    shortfall(places, free).map_or(Ok(()), |short| {
        Err(RunError::Disk {
            job: job.header.name.clone(),
            what: short.purpose,
            folder: short.folder,
            needed: ByteSize(short.needed),
            free: ByteSize(short.free),
        })
    })
}

/// A need that exceeds the free space of its disk.
#[derive(Debug, PartialEq, Eq)]
struct Shortfall {
    purpose: &'static str,
    folder: PathBuf,
    /// The bytes that this and earlier needs on the same disk take.
    needed: u64,
    free: u64,
}

/// Returns the first shortfall. `free` returns the disk that a folder is on, and its free bytes.
fn shortfall(
    places: [(&'static str, &Path, u64); 2],
    free: impl Fn(&Path) -> Option<(u64, u64)>,
) -> Option<Shortfall> {
    let mut needed_on: Vec<(u64, u64)> = Vec::new();
    for (purpose, folder, needed) in places {
        let Some((disk, free)) = free(folder) else {
            continue;
        };
        let before = needed_on.iter().filter(|(other, _)| *other == disk);
        let sum = before
            .map(|(_, needed)| *needed)
            .fold(needed, u64::saturating_add);
        if needed > 0 && sum > free {
            return Some(Shortfall {
                purpose,
                folder: folder.to_path_buf(),
                needed: sum,
                free,
            });
        }
        needed_on.push((disk, needed));
    }
    None
}

/// Returns the disk that a folder is or will be on, and its free bytes.
fn free(folder: &Path) -> Option<(u64, u64)> {
    let folder = folder.canonicalize().ok().or_else(|| {
        let absolute = std::path::absolute(folder).ok()?;
        let there = absolute.ancestors().find(|above| above.is_dir())?;
        Some(there.to_path_buf())
    })?;
    let free = fs4::available_space(&folder).ok()?;
    Some((disk_of(&folder)?, free))
}

#[cfg(unix)]
fn disk_of(folder: &Path) -> Option<u64> {
    use std::os::unix::fs::MetadataExt;
    Some(fs::metadata(folder).ok()?.dev())
}

#[cfg(not(unix))]
fn disk_of(folder: &Path) -> Option<u64> {
    use std::hash::{DefaultHasher, Hash, Hasher};
    // Each folder counts as a disk of its own: this may underestimate the need, and never
    // overestimates it.
    fs::metadata(folder).ok()?;
    let mut hasher = DefaultHasher::new();
    folder.hash(&mut hasher);
    Some(hasher.finish())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_shares_a_disk_is_needed_together() {
        let (out, store) = (Path::new("out"), Path::new("store"));
        let lacks = |needs: [u64; 2], disks: [u64; 2]| {
            let places = [("results", out, needs[0]), ("store", store, needs[1])];
            let free = |folder: &Path| Some((disks[usize::from(folder == store)], 100));
            shortfall(places, free).map(|short| (short.purpose, short.needed))
        };
        assert_eq!(lacks([100, 100], [1, 2]), None);
        assert_eq!(lacks([101, 0], [1, 2]), Some(("results", 101)));
        assert_eq!(lacks([0, 101], [1, 2]), Some(("store", 101)));
        assert_eq!(lacks([60, 40], [1, 1]), None);
        assert_eq!(lacks([60, 41], [1, 1]), Some(("store", 101)));
        // A need of nothing does not fail, however little is free.
        assert_eq!(lacks([0, 0], [1, 1]), None);
        let unknown = [("results", out, 1000), ("store", store, 0)];
        assert_eq!(shortfall(unknown, |_| None), None);
    }

    #[test]
    fn a_folder_that_is_not_there_yet_is_on_the_disk_of_the_one_above() {
        let dir = tempfile::tempdir().unwrap();
        let below = dir.path().join("a/b/c");
        let (disk, _) = free(dir.path()).unwrap();
        assert_eq!(free(&below).unwrap().0, disk);
        assert!(!below.exists());
    }
}
