//! Checkpoints of heaps: values that have no row yet.
//!
//! A survey reports which codes are equal, so it writes its rows when all sequences are known; the
//! heaps of a game are written in parts of millions. Until then every checkpoint holds the values
//! found so far, and the classes of codes that a survey under obligated sums has finished.

use std::collections::{BTreeMap, HashMap};
use std::fmt::{LowerHex, Write};
use std::ops::Range;
use std::sync::Mutex;
use std::time::Instant;

use cggames::game::heap::Code;
use cgsolvers::obligated::survey::{FoundClasses, FoundValues, Solution, SurveyWatcher};
use seedbank_memory::lock;
use serde::{Deserialize, Serialize};

use crate::run::checkpoint::Gather;
use crate::run::{Parts, RunError};

/// The folder of these checkpoints.
const HEAPS: &str = "heaps";

/// The digits that are written together; at most about twice this number.
const TOGETHER: usize = 1 << 20;

/// The memory of checkpoints: these digits, and briefly three times that number of bytes.
///
/// Unit: bytes.
pub(in crate::task) const FOUND_BYTES: u64 = 4 * 2 * TOGETHER as u64;

/// An item of a checkpoint.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Item {
    Sequence(FoundSequence),
    Classes(Classes),
}

/// The values found for consecutive heaps.
#[derive(Serialize, Deserialize)]
struct FoundSequence {
    /// The game.
    game: String,
    heaps: Range<usize>,
    /// The values, in four hexadecimal digits each.
    values: String,
    /// Further data that engines need, in words of sixteen hexadecimal digits.
    beside: String,
}

/// [`FoundClasses`] in a file.
#[derive(Serialize, Deserialize)]
struct Classes {
    lot: usize,
    first: Vec<u32>,
    solutions: Vec<SolutionItem>,
}

/// A [`Solution`] in a file: the place, the heaps computed, the preperiod and period, and the
/// counts.
type SolutionItem = (u32, usize, Option<(usize, usize)>, [u64; 4]);

/// A piece of a game's sequence: the heaps, and the values found for them.
type Piece = (Range<usize>, FoundValues);

/// Values found by this run and by earlier ones.
pub(in crate::task) struct HeapCheckpoints<'s> {
    parts: &'s Parts<'s>,
    /// By game and first heap.
    sequences: Mutex<HashMap<String, BTreeMap<usize, Piece>>>,
    classes: Mutex<Vec<FoundClasses>>,
    new: Gather<Item>,
}

impl<'s> HeapCheckpoints<'s> {
    /// Reads the values in checkpoints.
    pub(in crate::task) fn new(parts: &'s Parts<'s>) -> Result<HeapCheckpoints<'s>, RunError> {
        let mut sequences: HashMap<String, BTreeMap<usize, Piece>> = HashMap::new();
        let mut classes = Vec::new();
        parts.checkpoint.gathered(HEAPS, |item| match item {
            Item::Sequence(sequence) => {
                if let Some(found) = sequence.found() {
                    let pieces = sequences.entry(sequence.game).or_default();
                    pieces.insert(sequence.heaps.start, (sequence.heaps, found));
                }
            }
            Item::Classes(found) => classes.push(found.into()),
        })?;
        if !sequences.is_empty() {
            tracing::info!(
                "resuming with the values of {} sequences in checkpoints",
                sequences.len()
            );
        }
        if !classes.is_empty() {
            tracing::info!(
                "resuming with {} lots of codes in checkpoints",
                classes.len()
            );
        }
        let interval = parts.run.options.checkpoint;
        Ok(HeapCheckpoints {
            parts,
            sequences: Mutex::new(sequences),
            classes: Mutex::new(classes),
            new: parts.checkpoint.gather(HEAPS, interval, TOGETHER)?,
        })
    }

    /// Returns the known values of a game from a heap on, as pieces without a gap, and the heap
    /// where they end. Called once per game.
    pub(in crate::task) fn known(&self, game: &str, from: usize) -> (Vec<FoundValues>, usize) {
        let mut pieces = lock(&self.sequences).remove(game).unwrap_or_default();
        let mut end = from;
        let follows = || {
            let (heaps, found) = pieces.remove(&end)?;
            end = heaps.end;
            Some(found)
        };
        let known = std::iter::from_fn(follows).collect();
        (known, end)
    }

    /// Adds the values found for some heaps of a game to the next checkpoint.
    pub(in crate::task) fn add(&self, game: &str, heaps: Range<usize>, found: FoundValues) {
        let sequence = FoundSequence {
            game: game.to_owned(),
            heaps,
            values: digits(&found.values, 4),
            beside: digits(&found.beside, 16),
        };
        let weight = sequence.values.len() + sequence.beside.len();
        self.new.add(Item::Sequence(sequence), weight);
    }

    /// Returns whether a checkpoint is due, given when the last one was written.
    pub(in crate::task) fn is_due(&self, since: Instant) -> bool {
        self.new.is_due(since)
    }

    /// Writes a checkpoint.
    pub(in crate::task) fn checkpoint(&self) {
        self.new.write();
    }

    /// Returns an error if the work must end.
    pub(in crate::task) fn check_stop(&self) -> Result<(), RunError> {
        self.parts.check_stop()?;
        self.new.check_stop()
    }

    /// Returns whether a survey must stop; it has no current work to finish before it is done.
    fn stops_survey(&self) -> bool {
        self.check_stop().is_err() || self.parts.draining()
    }

    /// Runs the work that finds values, and writes checkpoints of them.
    ///
    /// # Errors
    ///
    /// As [`Gather::during`].
    pub(in crate::task) fn during<W>(
        &self,
        work: impl FnOnce() -> Result<W, RunError>,
    ) -> Result<W, RunError> {
        self.new.during(work)
    }
}

impl SurveyWatcher for HeapCheckpoints<'_> {
    fn stop(&self) -> bool {
        self.stops_survey()
    }

    fn is_due(&self, since: Instant) -> bool {
        self.is_due(since)
    }

    fn checkpoint(&self) {
        self.checkpoint();
    }

    fn known_values(&self, code: &Code) -> Vec<FoundValues> {
        self.known(&code.to_string(), 0).0
    }

    fn take_values(&self, code: &Code, heaps: Range<usize>, found: FoundValues) {
        self.add(&code.to_string(), heaps, found);
    }

    fn known_classes(&self) -> Vec<FoundClasses> {
        std::mem::take(&mut lock(&self.classes))
    }

    fn take_classes(&self, found: FoundClasses) {
        let weight = DIGITS_A_CODE * (found.first.len() + found.solutions.len());
        self.new.add(Item::Classes(found.into()), weight);
    }

    fn count(&self, codes: usize) {
        let codes = codes as u64;
        self.parts.count(codes);
        self.parts.run.session.tracker.add(codes, codes);
    }
}

/// The digits of a code of a class, about.
const DIGITS_A_CODE: usize = 8;

impl FoundSequence {
    /// Returns the values found; `None` if the digits are malformed, which no run writes.
    fn found(&self) -> Option<FoundValues> {
        Some(FoundValues {
            values: parsed::<4, _>(&self.values, |digits| u16::from_str_radix(digits, 16))?,
            beside: parsed::<16, _>(&self.beside, |digits| u64::from_str_radix(digits, 16))?,
        })
    }
}

impl From<FoundClasses> for Classes {
    fn from(found: FoundClasses) -> Classes {
        let solutions = found.solutions.into_iter();
        Classes {
            lot: found.lot,
            first: found.first,
            solutions: solutions
                .map(|found| (found.place, found.heaps, found.period, found.counts))
                .collect(),
        }
    }
}

impl From<Classes> for FoundClasses {
    fn from(read: Classes) -> FoundClasses {
        let solution = |(place, heaps, period, counts): SolutionItem| Solution {
            place,
            heaps,
            period,
            counts,
        };
        FoundClasses {
            lot: read.lot,
            first: read.first,
            solutions: read.solutions.into_iter().map(solution).collect(),
        }
    }
}

fn digits<N: Copy + LowerHex>(numbers: &[N], width: usize) -> String {
    let mut text = String::with_capacity(width * numbers.len());
    for number in numbers {
        write!(text, "{number:0width$x}").expect("a string takes what is written to it");
    }
    text
}

fn parsed<const WIDTH: usize, N>(
    text: &str,
    number: impl Fn(&str) -> Result<N, std::num::ParseIntError>,
) -> Option<Vec<N>> {
    let (numbers, rest) = text.as_bytes().as_chunks::<WIDTH>();
    let numbers = numbers.iter();
    let numbers = numbers.map(|digits| number(str::from_utf8(digits).ok()?).ok());
    rest.is_empty().then(|| numbers.collect())?
}
