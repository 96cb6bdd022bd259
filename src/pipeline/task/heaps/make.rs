//! Makes a row for each heap of a game.
//!
//! The value of a heap needs those of smaller heaps. A run that resumes reads values from the
//! finished parts up to the first unfinished one, after comparing checksums;
//! [checkpoints](super::found) hold the others. Rows are made and written on a separate thread
//! while further values are computed.

use std::cell::Cell;
use std::ops::Range;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;
use std::time::Instant;

use bytesize::ByteSize;
use cggames::game::{Convention, SumKind};
use cgsolvers::StopReason;
use cgsolvers::nim_values::HEAPS_TOGETHER;
use seedbank_memory::spawn_in;

use super::HeapsTask;
use super::columns::{HeapColumns, HeapLabel, HeapRow};
use super::columns::{OUTCOMES, ROW_BYTES, heaps_of, nim_values, obligated_values, with_more};
use super::found::{FOUND_BYTES, HeapCheckpoints};
use super::proved::proving_heaps;
use super::values::{GameValues, HeapValue};
use crate::dataset::{DatasetError, Lacking, ResultSet, Tables, earlier};
use crate::run::estimate::{Amount, Workload};
use crate::run::{DiskNeed, Making, MemoryNeed, PART_ROWS, Parts, Phase, RowTask, RunError};

/// The number of rows made at a time, counted from the first of a part.
const CHUNK_ROWS: usize = 1 << 13;

/// From this number of heaps on, a plan asks whether the first of them prove a period.
///
/// Unit: heaps. The values of fewer take 200 MB at most.
const MANY_HEAPS: u64 = 1 << 25;

/// The most values sent at a time.
const BLOCK_VALUES: usize = 1 << 16;

/// The most blocks of values that may wait for their rows.
const WAITING_MAX: usize = 8;

/// A message to the thread that writes rows.
enum Step {
    /// A part begins: the rows of these heaps follow.
    Begin(u32, Range<usize>),
    /// The values of the next heaps.
    Values(Vec<HeapValue>),
    /// The values of heaps whose rows were written before, from 0 on; they come before all others.
    Known(Vec<HeapValue>),
    /// The values of all heaps before this one have occurred: a period proves it.
    Occurred(usize),
}

impl RowTask for HeapsTask {
    fn making(&self) -> Making {
        Making {
            is_sequential: true,
            grows: Some(Tables::with_variables::<HeapRow>),
            ..Making::new::<HeapRow>(Phase::Valuing, PART_ROWS)
        }
    }

    fn row_bytes(&self, rows: u64, _is_begun: bool) -> DiskNeed {
        DiskNeed::of_results(rows.saturating_mul(ROW_BYTES))
    }

    fn volume(&self, least: ByteSize) -> (Workload, Amount<ByteSize>) {
        let workload = Workload::Plain {
            is_fast: false,
            held: Some(self.bytes(self.rows())),
        };
        let results = with_more(least, self.rows());
        (workload, Amount::About(results))
    }

    fn memory(&self, end: u64, _threads: u64) -> Option<MemoryNeed> {
        Some(MemoryNeed {
            bytes: self.bytes(end),
            purpose: "the values of all smaller heaps",
        })
    }

    fn lacking(&self, found: &ResultSet) -> Result<Option<Lacking>, DatasetError> {
        let own = self.first as i64..=self.last as i64;
        let (mut rows, mut lacking, mut first) = (0, 0, None);
        for part in found.status()?.readable() {
            let read = heaps_of(found, part, |heap| {
                rows += 1;
                if !own.contains(&heap) {
                    lacking += 1;
                    first.get_or_insert(heap);
                }
            });
            match read {
                Err(damage) if damage.is_damage() => {
                    tracing::warn!("its heaps are worked out again: {damage}")
                }
                read => read?,
            }
        }
        Ok(Some(Lacking {
            rows,
            lacking,
            first: first.map(|heap| heap.to_string()),
        }))
    }

    fn make(&self, parts: &Parts<'_>) -> Result<(), RunError> {
        let found = HeapCheckpoints::new(parts)?;
        let (hand_on, steps) = sync_channel(WAITING_MAX);
        thread::scope(|scope| {
            let rows = spawn_in(scope, || self.write(parts, steps));
            let values = || self.values(parts, &found, hand_on);
            let valued = found.during(|| parts.run.pool.install(values));
            let written = rows
                .join()
                .unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            // If writing failed, so did sending values, and for no other reason.
            written.and(valued)
        })
    }
}

impl HeapsTask {
    /// Returns the bytes of memory of the values of the heaps before a rank.
    fn bytes(&self, end: u64) -> u64 {
        let heaps = self.held((self.first + end).saturating_add(1));
        let waiting = (WAITING_MAX * BLOCK_VALUES * size_of::<HeapValue>()) as u64;
        let values = GameValues::bytes(&self.game, self.sum, self.ending, heaps);
        values.saturating_add(waiting + FOUND_BYTES)
    }

    /// Returns how many of this number of heaps have values in memory: all of them or, if they are
    /// many, those whose values prove a period.
    ///
    /// Cost: at most that of [`period_heaps`] heaps.
    fn held(&self, heaps: u64) -> u64 {
        if heaps < MANY_HEAPS {
            return heaps;
        }
        proving_heaps(&self.game, self.sum).unwrap_or(heaps)
    }

    /// Computes values and sends them to the writer; checkpoints hold those that are in no row yet.
    fn values(
        &self,
        parts: &Parts<'_>,
        found: &HeapCheckpoints<'_>,
        steps: SyncSender<Step>,
    ) -> Result<(), RunError> {
        let HeapsTask {
            game,
            sum,
            ending,
            first,
            ..
        } = self;
        let name = game.to_string();
        let heap_of = |rank: u64| (first + rank) as usize;
        let mut written_to = 0;
        let values = GameValues::with_known(game, *sum, self.known(parts), |from| {
            let (known, end) = found.known(&name, from);
            written_to = end;
            known
        });
        let mut values = values.ending(game, *ending);
        // Sending fails only if writing rows has failed; the run then ends with that error.
        let hand_on = |step| {
            let gone = |_| RunError::from(StopReason::Interrupted);
            steps.send(step).map_err(gone)
        };
        // The first heap whose value has not been sent.
        let mut next = 0;
        let mut hand_on_to =
            |values: &GameValues, rows: Range<usize>, step: fn(Vec<HeapValue>) -> Step| {
                let end = rows.end.min(values.len());
                while next < end {
                    if next < rows.start && values.have_all_occurred(next) {
                        hand_on(Step::Occurred(rows.start))?;
                        next = rows.start;
                        continue;
                    }
                    let to = end.min(next + BLOCK_VALUES);
                    hand_on(step((next..to).map(|n| values.value(n)).collect()))?;
                    next = to;
                }
                Ok::<(), RunError>(())
            };
        let tracker = &parts.run.session.tracker;
        let last = parts
            .left()
            .last()
            .map_or(0, |(_, ranks)| heap_of(ranks.end));
        tracker.expect(GameValues::work(game, *sum, values.len()..last));
        // The heaps whose work has been counted.
        let mut counted = values.len();
        let since = Cell::new(Instant::now());
        for (part, ranks) in parts.pending() {
            let rows = heap_of(ranks.start)..heap_of(ranks.end);
            if values.len() == 0 && rows.start > 0 {
                tracing::info!(
                    "working out the values of the heaps below {} first; rows depend on them",
                    rows.start
                );
            }
            // The values of rows that exist already.
            hand_on_to(&values, rows.start..rows.start, Step::Known)?;
            hand_on(Step::Begin(part, rows.clone()))?;
            hand_on_to(&values, rows.clone(), Step::Values)?;
            // Finished rows can seed the engine only from heap 0.
            let rows_end = if *first == 0 { rows.start } else { 0 };
            let mut checkpoint = |values: &GameValues| {
                let from = written_to.max(values.checkpoint_from(rows_end));
                written_to = values.checkpoint_to().max(from);
                for from in (from..written_to).step_by(HEAPS_TOGETHER) {
                    let heaps = from..written_to.min(from + HEAPS_TOGETHER);
                    found.add(&name, heaps.clone(), values.found(heaps));
                }
                found.checkpoint();
                since.set(Instant::now());
            };
            // Even if a checkpoint is always due, some values are found between two of them.
            let asked = Cell::new(false);
            let stop =
                || found.check_stop().is_err() || asked.replace(true) && found.is_due(since.get());
            let extended = values.extend(rows.end, &stop, |values| {
                asked.set(false);
                tracker.add(0, GameValues::work(game, *sum, counted..values.len()));
                counted = values.len();
                hand_on_to(values, rows.clone(), Step::Values)?;
                if found.is_due(since.get()) {
                    checkpoint(values);
                }
                found.check_stop()
            });
            if extended.is_err() {
                checkpoint(&values);
            }
            extended?;
        }
        if let Some((end, heap)) = values.misere_end() {
            tracing::warn!(
                "{name}: who wins misère play is unknown for heaps from {heap} on; their quotient takes too many {end}"
            );
        }
        Ok(())
    }

    /// Returns the values of the heaps from 0 on whose rows were written before, by number; no more
    /// than have a place [in memory](Self::held).
    fn known(&self, parts: &Parts<'_>) -> Vec<u16> {
        if self.first > 0 {
            return Vec::new();
        }
        let own = self.known_in(|part| self.values_in(parts, part));
        let earlier = earlier(parts.results, Tables::with_variables::<HeapRow>);
        let earlier = earlier.unwrap_or_else(|error| {
            tracing::warn!("{error}; the values of its heaps are worked out again");
            Vec::new()
        });
        let earlier = earlier
            .iter()
            .map(|set| self.known_in(|part| self.values_of(set, part)));
        let known = earlier
            .chain([own])
            .max_by_key(Vec::len)
            .unwrap_or_default();
        if !known.is_empty() {
            tracing::info!(
                "resuming with the values of the heaps below {}",
                known.len()
            );
        }
        known
    }

    /// Returns the values in parts from the first on, up to one that has none.
    fn known_in(
        &self,
        values_in: impl Fn(u32) -> Result<Option<Vec<u16>>, DatasetError>,
    ) -> Vec<u16> {
        let mut known = Vec::new();
        let held = self.held(self.last + 1);
        for part in 0.. {
            if known.len() as u64 >= held {
                known.truncate(held as usize);
                break;
            }
            match values_in(part) {
                Ok(Some(values)) => known.extend(values),
                Ok(None) => break,
                Err(error) => {
                    tracing::warn!(
                        "{error}; the values of its heaps and of later ones are worked out again"
                    );
                    break;
                }
            }
        }
        known
    }

    /// Returns the values in the rows of a finished part. Returns `None` if the part is unfinished,
    /// does not exist, or has a row without a value.
    fn values_in(&self, parts: &Parts<'_>, part: u32) -> Result<Option<Vec<u16>>, DatasetError> {
        let Some(ranks) = parts.ranks(part).filter(|_| !parts.is_left(part)) else {
            return Ok(None);
        };
        let values = self.numbers(parts.results, part)?;
        Ok(values.filter(|values| values.len() as u64 == ranks.end - ranks.start))
    }

    /// Returns the values in a part of an earlier result, if the heaps that it has begin with those of
    /// the parts before it.
    fn values_of(&self, set: &ResultSet, part: u32) -> Result<Option<Vec<u16>>, DatasetError> {
        if part >= set.header().parts {
            return Ok(None);
        }
        let mut first = None;
        heaps_of(set, part, |heap| first = first.or(Some(heap)))?;
        let begins = first == Some((u64::from(part) * PART_ROWS) as i64);
        if begins {
            self.numbers(set, part)
        } else {
            Ok(None)
        }
    }

    /// Returns the values in a part by number: nim-values, or the two digits of obligated values read
    /// in base 2.
    fn numbers(&self, set: &ResultSet, part: u32) -> Result<Option<Vec<u16>>, DatasetError> {
        match self.sum {
            SumKind::Disjunctive => nim_values(set, part),
            SumKind::Obligated => obligated_values(set, part),
        }
    }

    /// Writes the rows of the values received.
    fn write(&self, parts: &Parts<'_>, steps: Receiver<Step>) -> Result<(), RunError> {
        let mut labels = SharedTexts::new(self.game.to_string(), self.sum.name());
        let mut begun = None;
        let (mut places, mut firsts) = (Vec::new(), Vec::new());
        // The first heap whose value has not been received.
        let mut next = 0;
        for step in steps {
            let values = match step {
                Step::Begin(part, rows) => {
                    begun = Some((parts.writer::<HeapRow>(part)?, rows));
                    continue;
                }
                Step::Known(values) => {
                    next += values.len();
                    for value in values {
                        labels.place(value);
                    }
                    continue;
                }
                Step::Occurred(heaps) => {
                    next = heaps;
                    continue;
                }
                Step::Values(values) => values,
            };
            for value in values {
                let (place, first) = labels.place(value);
                let (writer, rows) = begun.as_mut().expect("values come after a part began");
                next += 1;
                if next <= rows.start {
                    parts.count(1);
                    continue;
                }
                places.push(place);
                firsts.push(first);
                if places.len() < CHUNK_ROWS && next < rows.end {
                    continue;
                }
                let made = places.len();
                let columns = HeapColumns {
                    code: &labels.code,
                    sum: &labels.sum,
                    n: (next - made) as i64,
                    values: std::mem::take(&mut places),
                    labels: &labels.values,
                    first: std::mem::take(&mut firsts),
                };
                parts.push_columns(writer, made as u64, columns)?;
                parts.run.session.tracker.add(made as u64, 0);
                if next == rows.end {
                    let (writer, _) = begun.take().expect("it began");
                    writer.commit()?;
                }
            }
        }
        Ok(())
    }
}

/// Texts that rows share, and which values have occurred.
pub(super) struct SharedTexts {
    code: Arc<str>,
    sum: Arc<str>,
    outcomes: [Arc<str>; 2],
    /// The label of each value that has occurred, by its index.
    values: Vec<Option<HeapLabel>>,
}

impl SharedTexts {
    pub(super) fn new(code: String, sum: &str) -> SharedTexts {
        SharedTexts {
            code: code.into(),
            sum: sum.into(),
            outcomes: OUTCOMES.map(Arc::from),
            values: Vec::new(),
        }
    }

    /// Returns the index of the label of a heap's value, and whether the heap is the first of that
    /// value. Call this for the heaps in ascending order, once each.
    fn place(&mut self, value: HeapValue) -> (i32, bool) {
        let index = value.index();
        if index >= self.values.len() {
            self.values.resize(index / 3 * 3 + 3, None);
        }
        let first = self.values[index / 3 * 3..]
            .iter()
            .take(3)
            .all(Option::is_none);
        let label = &mut self.values[index];
        label.get_or_insert_with(|| HeapLabel {
            text: value.to_string().into(),
            nim_value: value.nim_value().map(|value| value as i32),
            normal: value
                .is_n(Convention::Normal)
                .expect("who wins under normal play is always known"),
            misere: value.is_n(Convention::Misere),
        });
        (index as i32, first)
    }

    /// Returns the row of a heap. Call this for the heaps in ascending order, once each.
    pub(super) fn row(&mut self, n: usize, value: HeapValue) -> HeapRow {
        let (place, first) = self.place(value);
        let label = self.values[place as usize]
            .as_ref()
            .expect("the value has just occurred");
        let outcome = |is_n: bool| Arc::clone(&self.outcomes[usize::from(is_n)]);
        HeapRow {
            code: Arc::clone(&self.code),
            sum: Arc::clone(&self.sum),
            n: n as i64,
            value: Arc::clone(&label.text),
            nim_value: label.nim_value,
            normal: outcome(label.normal),
            misere: label.misere.map(outcome),
            first,
        }
    }
}
