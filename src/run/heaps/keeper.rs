//! What was found of heaps and has no row yet, kept for the run that goes on where this one is cut short.
//!
//! A survey says which codes are equal, so it writes its rows when all sequences are known, and the heaps of a game are written in
//! shards of millions. Until then sequences are kept beside the shards, with every checkpoint, as far as they have been found;
//! so are the classes of codes that a survey under obligated sums is done with.

use std::collections::{BTreeMap, HashMap};
use std::fmt::{LowerHex, Write};
use std::ops::Range;
use std::sync::Mutex;
use std::time::Instant;

use serde::{Deserialize, Serialize};

use crate::engine::obligated::survey::{FoundClasses, FoundValues, Solution, SurveyWatcher};
use crate::game::heap::Code;
use crate::run::RunError;
use crate::run::keeping::Keeping;
use crate::run::plain::Shards;
use crate::value::lock;

/// The digits that are kept together, at most about twice as many.
const TOGETHER: usize = 1 << 20;

/// What keeping takes: these digits, and three times as many bytes for a moment.
///
/// Unit: bytes.
pub(super) const KEEPER_BYTES: u64 = 4 * 2 * TOGETHER as u64;

/// What is kept.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Item {
    Sequence(Sequence),
    Classes(Classes),
}

/// What was found of consecutive heaps.
#[derive(Serialize, Deserialize)]
struct Sequence {
    /// The game that has it.
    game: String,
    heaps: Range<usize>,
    /// The values, in four hexadecimal digits each.
    values: String,
    /// What engines need beside them, in words of sixteen hexadecimal digits.
    beside: String,
}

/// [`FoundClasses`] for a file.
#[derive(Serialize, Deserialize)]
struct Classes {
    lot: usize,
    first: Vec<u32>,
    solutions: Vec<KeptSolution>,
}

/// A [`Solution`] for a file: the place, the heaps worked out, the preperiod and period, and the counts.
type KeptSolution = (u32, usize, Option<(usize, usize)>, [u64; 4]);

/// A piece of what was found of a game: the heaps, and what was found of them.
type Piece = (Range<usize>, FoundValues);

/// Keeps what is found, and gives it back.
pub(super) struct Keeper<'s> {
    shards: &'s Shards<'s>,
    /// By game and first heap.
    sequences: Mutex<HashMap<String, BTreeMap<usize, Piece>>>,
    classes: Mutex<Vec<FoundClasses>>,
    new: Keeping<'s, Item>,
}

impl<'s> Keeper<'s> {
    /// Reads what earlier runs have kept.
    pub(super) fn new(shards: &'s Shards<'s>) -> Result<Keeper<'s>, RunError> {
        let mut sequences: HashMap<String, BTreeMap<usize, Piece>> = HashMap::new();
        let mut classes = Vec::new();
        shards.kept(|items: Vec<Item>| {
            for item in items {
                match item {
                    Item::Sequence(sequence) => {
                        if let Some(found) = sequence.found() {
                            let pieces = sequences.entry(sequence.game).or_default();
                            pieces.insert(sequence.heaps.start, (sequence.heaps, found));
                        }
                    }
                    Item::Classes(found) => classes.push(found.into()),
                }
            }
        })?;
        if !sequences.is_empty() {
            tracing::info!("going on from the values of {} sequences", sequences.len());
        }
        if !classes.is_empty() {
            tracing::info!("going on from {} lots of codes", classes.len());
        }
        Ok(Keeper {
            shards,
            sequences: Mutex::new(sequences),
            classes: Mutex::new(classes),
            new: shards.keeping(TOGETHER),
        })
    }

    /// Returns what is known of a game from a heap on, in pieces without a gap, and the heap where it ends; asked for once.
    pub(super) fn known(&self, game: &str, from: usize) -> (Vec<FoundValues>, usize) {
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

    /// Keeps what was found of some heaps of a game, with the next checkpoint.
    pub(super) fn keep(&self, game: &str, heaps: Range<usize>, found: FoundValues) {
        let sequence = Sequence {
            game: game.to_owned(),
            heaps,
            values: digits(&found.values, 4),
            beside: digits(&found.beside, 16),
        };
        let weight = sequence.values.len() + sequence.beside.len();
        self.new.add(Item::Sequence(sequence), weight);
    }

    /// Returns whether a checkpoint is due where the last one was at this time.
    pub(super) fn is_due(&self, since: Instant) -> bool {
        self.new.is_due(since)
    }

    /// Keeps what waits.
    pub(super) fn checkpoint(&self) {
        self.new.checkpoint();
    }

    /// Returns an error where the work is to end.
    pub(super) fn go_on(&self) -> Result<(), RunError> {
        self.shards.go_on()?;
        self.new.go_on()
    }

    /// Returns whether a survey is to stop, which has nothing in hand before it is done.
    fn stops_survey(&self) -> bool {
        self.go_on().is_err() || self.shards.draining()
    }

    /// Does the work, and keeps what it hands over.
    ///
    /// # Errors
    ///
    /// As [`Keeping::during`].
    pub(super) fn during<W>(
        &self,
        work: impl FnOnce() -> Result<W, RunError>,
    ) -> Result<W, RunError> {
        self.new.during(work)
    }
}

impl SurveyWatcher for Keeper<'_> {
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
        self.keep(&code.to_string(), heaps, found);
    }

    fn known_classes(&self) -> Vec<FoundClasses> {
        std::mem::take(&mut lock(&self.classes))
    }

    fn take_classes(&self, found: FoundClasses) {
        let weight = DIGITS_A_CODE * (found.first.len() + found.solutions.len());
        self.new.add(Item::Classes(found.into()), weight);
    }

    fn count(&self, codes: usize) {
        self.shards.count(codes as u64);
    }
}

/// About as many digits as a code of a class takes.
const DIGITS_A_CODE: usize = 8;

impl Sequence {
    /// Returns what was found; `None` where the digits are none, as no run writes them.
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
    fn from(kept: Classes) -> FoundClasses {
        let solution = |(place, heaps, period, counts): KeptSolution| Solution {
            place,
            heaps,
            period,
            counts,
        };
        FoundClasses {
            lot: kept.lot,
            first: kept.first,
            solutions: kept.solutions.into_iter().map(solution).collect(),
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
