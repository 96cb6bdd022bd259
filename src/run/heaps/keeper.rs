//! What a survey has found, kept for the run that goes on where this one is cut short.
//!
//! Rows say which codes are equal, so none is written before all sequences are known. Until then sequences are kept
//! beside the shards, with every checkpoint, as far as they have been found.

use std::collections::HashMap;
use std::fmt::Write;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Instant;

use serde::{Deserialize, Serialize};

use crate::engine::nim_values::Watcher;
use crate::ruleset::heap::Code;
use crate::run::RunError;
use crate::run::plain::Shards;
use crate::value::lock;

/// The values that are kept together, at most about twice as many.
const TOGETHER: usize = 1 << 18;

/// What keeping takes: the digits of these values, and these three times as JSON for a moment.
///
/// Unit: bytes.
pub(super) const KEEPER_BYTES: u64 = 4 * 4 * 2 * TOGETHER as u64;

/// Values of consecutive heaps.
#[derive(Serialize, Deserialize)]
struct Sequence {
    /// The code that has them.
    code: String,
    /// The first heap.
    from: usize,
    /// The values, in four hexadecimal digits each.
    values: String,
}

/// Keeps what a survey finds, and gives it back.
pub(super) struct Keeper<'s> {
    shards: &'s Shards<'s>,
    known: Mutex<HashMap<Code, Vec<u16>>>,
    new: Mutex<New>,
    failed: AtomicBool,
}

/// What has not been kept yet.
struct New {
    sequences: Vec<Sequence>,
    /// How many values these have.
    values: usize,
    /// When something was last kept.
    since: Instant,
    /// Why nothing can be kept.
    error: Option<RunError>,
}

impl<'s> Keeper<'s> {
    /// Reads what earlier runs have kept.
    pub(super) fn new(shards: &'s Shards<'s>) -> Result<Keeper<'s>, RunError> {
        let mut known: HashMap<Code, Vec<u16>> = HashMap::new();
        shards.kept(|sequences: Vec<Sequence>| {
            for sequence in sequences {
                let Some((code, values)) = parsed(&sequence) else {
                    continue;
                };
                let known = known.entry(code).or_default();
                // Where a file is missing, those after it do not fit.
                if known.len() == sequence.from {
                    known.extend(values);
                }
            }
        })?;
        if !known.is_empty() {
            tracing::info!("going on from the values of {} sequences", known.len());
        }
        Ok(Keeper {
            shards,
            known: Mutex::new(known),
            new: Mutex::new(New {
                sequences: Vec::new(),
                values: 0,
                since: Instant::now(),
                error: None,
            }),
            failed: AtomicBool::new(false),
        })
    }

    /// Ends the survey; where it was stopped, keeps what has not been kept yet.
    ///
    /// # Errors
    ///
    /// Where something could not be kept, now or before.
    pub(super) fn close(self, stopped: bool) -> Result<(), RunError> {
        let mut new = lock(&self.new);
        if stopped {
            self.keep(&mut new);
        }
        new.error.take().map_or(Ok(()), Err)
    }

    fn keep(&self, new: &mut New) {
        let sequences = std::mem::take(&mut new.sequences);
        if sequences.is_empty() || new.error.is_some() {
            return;
        }
        if let Err(error) = self.shards.keep(&sequences) {
            new.error = Some(error);
            self.failed.store(true, Relaxed);
        }
        new.values = 0;
        new.since = Instant::now();
    }
}

impl Watcher for Keeper<'_> {
    fn stop(&self) -> bool {
        self.failed.load(Relaxed) || self.shards.go_on().is_err() || self.shards.draining()
    }

    fn known(&self, form: &Code) -> Vec<u16> {
        lock(&self.known).remove(form).unwrap_or_default()
    }

    fn is_due(&self, since: Instant) -> bool {
        since.elapsed() >= self.shards.checkpoint
    }

    fn take(&self, form: &Code, from: usize, values: &[u16]) {
        let mut new = lock(&self.new);
        for (part, values) in values.chunks(TOGETHER).enumerate() {
            let mut digits = String::with_capacity(4 * values.len());
            for value in values {
                write!(digits, "{value:04x}").expect("a string takes what is written to it");
            }
            new.values += values.len();
            new.sequences.push(Sequence {
                code: form.to_string(),
                from: from + part * TOGETHER,
                values: digits,
            });
            if new.values >= TOGETHER || self.is_due(new.since) {
                self.keep(&mut new);
            }
        }
    }

    fn count(&self, codes: usize) {
        self.shards.count(codes as u64);
    }
}

/// Returns the code and the values; `None` where there are none, as no run writes them.
fn parsed(sequence: &Sequence) -> Option<(Code, Vec<u16>)> {
    let (digits, rest) = sequence.values.as_bytes().as_chunks::<4>();
    let value = |digits: &[u8; 4]| u16::from_str_radix(str::from_utf8(digits).ok()?, 16).ok();
    let values = digits.iter().map(value).collect::<Option<_>>()?;
    let code = sequence.code.parse().ok()?;
    rest.is_empty().then_some((code, values))
}
