//! Where a run works and what it may use.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use bytesize::ByteSize;

use crate::dataset::RowLimit;

/// The time between two checkpoints.
pub const CHECKPOINT_INTERVAL: Duration = Duration::from_secs(120);

/// The folder of result sets, unless `--out` names another.
pub const OUT: &str = "data/results";

/// The folder of the store, unless `--store` names another.
pub const STORE: &str = "data/store";

/// Returns the option that names a folder of result sets, after a blank; nothing for the default.
pub fn out_option(out: &Path) -> String {
    option("--out", out, OUT)
}

/// Returns the option that names a store, after a blank; nothing for the default.
pub fn store_option(store: &Path) -> String {
    option("--store", store, STORE)
}

fn option(name: &str, folder: &Path, default: &str) -> String {
    if folder == Path::new(default) {
        return String::new();
    }
    let folder = folder.display().to_string();
    let is_plain = |c: char| c.is_alphanumeric() || "/._-+=:,@%".contains(c);
    if folder.chars().all(is_plain) {
        format!(" {name} {folder}")
    } else {
        format!(" {name} '{}'", folder.replace('\'', r"'\''"))
    }
}

/// What work may use.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The number of workers.
    pub threads: usize,
    /// The memory budget, without mapped store files.
    pub memory: ByteSize,
    /// When to stop.
    pub deadline: Option<Instant>,
}

impl Limits {
    /// Returns limits without a deadline.
    pub fn new(threads: usize, memory: ByteSize) -> Limits {
        Limits {
            threads,
            memory,
            deadline: None,
        }
    }
}

/// Where a run works and what it may use.
#[derive(Clone, Debug)]
pub struct Options {
    /// The threads, memory and time that it may use.
    pub limits: Limits,
    /// The time between two checkpoints.
    pub checkpoint: Duration,
    /// The store's folder.
    pub store: PathBuf,
    /// The folder of all result sets.
    pub out: PathBuf,
    /// The most to spend on the value of a row; if `None`, what the spec says.
    pub row: Option<RowLimit>,
}
