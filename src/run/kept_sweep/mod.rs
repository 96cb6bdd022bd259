//! What a sweep has found, kept with every checkpoint for the run that goes on where this one is cut short.
//!
//! In a folder for each sweep below `sweeps/` beside the job's rows lie
//!
//! - `forms-00000`, `forms-00001`, ...: what the arena has got since the last one, word by word, so that cells that refer
//!   to forms mean the same once it is put back;
//! - `cells-00000`, ...: the cells of those segments of the array in which more were filled since the last one, and how
//!   many levels had been finished before that.
//!
//! Cells are read while workers fill others: each is empty or final, and its form is in the arena before. The words of
//! the arena are taken after the cells, and their file is named before that of the cells. Each file is a line of JSON, the
//! bytes and the BLAKE3 of all that; files are whole or not there. Those of cells of which all segments have been written
//! again are removed; all of it is, once the job is finished. Nobody but a run of the same version of the code reads them.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use super::SweepCheckpoint;
use crate::dataset::{DatasetError, PieceBody, PieceFolder, remove_pieces};
use crate::engine::sweep::{Cell, Cells, Progress, SweepValuation};
use crate::game::SweepOrder;
use crate::store::Namespace;
use crate::value::{Arena, ExactStops, Extent};

/// The folder of all sweeps of a job, in that of its rows.
const SWEEPS: &str = "sweeps";
const FORMS: &str = "forms";
const CELLS: &str = "cells";

/// The version of the files.
const FORMAT: u32 = 1;

/// The cells of a segment; few in tests, whose sweeps are small.
const SEGMENT: u64 = if cfg!(test) { 1 << 10 } else { 1 << 20 };

/// All segments are written anew where files have so many times the cells that they are for.
const FILES_FACTOR: u64 = 2;

/// A sweep that is stopped keeps what it has found if that took so long.
const WORTH_KEEPING: Duration = Duration::from_millis(100);

/// Where sweeps are kept, and how often.
#[derive(Clone, Copy, Debug)]
pub(super) struct Keeping<'a> {
    /// The folder of the job's rows.
    pub(super) folder: &'a Path,
    pub(super) interval: Duration,
}

impl Keeping<'_> {
    /// Returns whether there may be something of a sweep.
    pub(super) fn has(&self, family: &str) -> bool {
        self.folder.join(SWEEPS).join(family).is_dir()
    }
}

/// Which sweep files belong to: they are of no use to any other.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Identity {
    format: u32,
    code_version: String,
    namespace: String,
    family: String,
    cells: u64,
    cell_bytes: usize,
}

#[derive(Serialize, Deserialize)]
struct FormsHeader {
    sweep: Identity,
    from: Extent,
    to: Extent,
    stops: Vec<ExactStops>,
}

#[derive(Serialize, Deserialize)]
struct CellsHeader {
    sweep: Identity,
    /// The levels finished.
    levels: usize,
    /// How many files of forms the cells refer to.
    forms: usize,
    /// The files of cells, of this number and before, that have all there is together.
    files: Vec<usize>,
    /// The segments that this one has, by number.
    segments: Vec<u64>,
    /// The number of cells that all files together have filled, for `seedbank status`.
    #[serde(default)]
    filled: u64,
}

/// A sweep and the folder that it is kept in.
pub(super) struct KeptSweep<'a> {
    keeping: Keeping<'a>,
    identity: Identity,
    folder: PieceFolder,
    /// For each number of pots, where its levels end, and the end of its rows among the cells.
    ends: Vec<(usize, u64)>,
    segments: Vec<Segment>,
    /// How many cells each file has.
    files: BTreeMap<usize, u64>,
    /// How many files of forms there are, and how far these go.
    forms: usize,
    extent: Extent,
    /// The number of the next file of cells.
    next: usize,
    /// When the last files were written, or the sweep was begun.
    since: Instant,
}

/// What is known of a segment of the cells.
#[derive(Clone, Copy, Debug, Default)]
struct Segment {
    /// How many cells were filled when it was last written.
    filled: u64,
    /// The file that has it.
    file: Option<usize>,
}

impl<'a> KeptSweep<'a> {
    /// Opens the folder of a sweep; `family` is a name for it among those of the ruleset.
    pub(super) fn open<V: SweepValuation>(
        keeping: Keeping<'a>,
        namespace: &Namespace,
        family: &str,
        order: &impl SweepOrder,
    ) -> Result<KeptSweep<'a>, DatasetError> {
        let folder = PieceFolder::open(keeping.folder.join(SWEEPS).join(family))?;
        let mut ends: Vec<(usize, u64)> = Vec::new();
        let levels = order.levels();
        let mut cells = 0;
        for (index, level) in levels.iter().enumerate() {
            cells += order.rows(*level, &[], &[]);
            if levels
                .get(index + 1)
                .is_none_or(|next| next.pots > level.pots)
            {
                ends.push((index + 1, cells));
            }
        }
        debug_assert_eq!(cells, order.cells(), "levels have all cells");
        Ok(KeptSweep {
            keeping,
            identity: Identity {
                format: FORMAT,
                code_version: env!("CARGO_PKG_VERSION").to_owned(),
                namespace: namespace.to_string(),
                family: family.to_owned(),
                cells: order.cells(),
                cell_bytes: size_of::<V::Cell>(),
            },
            folder,
            ends,
            segments: vec![Segment::default(); order.cells().div_ceil(SEGMENT) as usize],
            files: BTreeMap::new(),
            forms: 0,
            extent: Extent::nothing(),
            next: 0,
            since: Instant::now(),
        })
    }

    /// Puts back what earlier runs have kept, as far as it is sound. Nothing is kept of an arena
    /// that is in use already. Returns the number of filled cells.
    pub(super) fn restore<V: SweepValuation>(
        &mut self,
        valuation: &V,
        cells: &Cells<V::Cell>,
        progress: &Progress,
    ) -> Result<u64, DatasetError> {
        let of_cells = self.folder.numbers(CELLS)?;
        let arena = valuation.forms();
        if let Some(arena) = arena {
            self.restore_forms(arena)?;
        }
        let mut newest: Option<CellsHeader> = None;
        for &number in &of_cells {
            let Some((header, mut body)) = self.folder.read::<CellsHeader>(CELLS, number)? else {
                continue;
            };
            if header.sweep != self.identity || header.forms > self.forms {
                continue;
            }
            self.read_segments(&header.segments, &mut body, cells)?;
            let mut written = 0;
            for &segment in &header.segments {
                self.segments[segment as usize].file = Some(number);
                written += len(&self.range(segment as usize));
            }
            self.files.insert(number, written);
            newest = Some(header);
        }
        for &number in of_cells
            .iter()
            .filter(|number| !self.files.contains_key(number))
        {
            self.folder.remove(CELLS, number)?;
        }
        self.next = of_cells.last().map_or(0, |last| last + 1);
        if let Some(newest) = newest {
            // Where a file is missing, levels may have cells that are not filled.
            let whole = newest
                .files
                .iter()
                .all(|file| self.files.contains_key(file));
            progress.begin_after(if whole { newest.levels } else { 0 });
            for segment in 0..self.segments.len() {
                self.segments[segment].filled = self.filled(cells, segment);
            }
            let filled = self
                .segments
                .iter()
                .map(|segment| segment.filled)
                .sum::<u64>();
            tracing::info!(
                "going on with the sweep {}: {filled} of {} positions have their values",
                self.identity.family,
                self.identity.cells
            );
        }
        self.since = Instant::now();
        Ok(self.segments.iter().map(|segment| segment.filled).sum())
    }

    /// Keeps what was found since the last time.
    pub(super) fn keep<V: SweepValuation>(
        &mut self,
        valuation: &V,
        cells: &Cells<V::Cell>,
        progress: &Progress,
    ) -> Result<(), DatasetError> {
        self.since = Instant::now();
        // Before the cells are looked at: those of finished levels are all filled.
        let levels = progress.levels();
        let end = self.ends.iter().find(|end| end.0 > levels);
        let cells_end = end.map_or(self.identity.cells, |end| end.1);
        // Segments that are not full are written again and again: now and then all of them are, and older files removed.
        let known: Vec<u64> = (self.segments.iter())
            .map(|segment| segment.filled)
            .collect();
        let live: u64 = (known.iter().enumerate())
            .filter(|&(_, &filled)| filled > 0)
            .map(|(segment, _)| len(&self.range(segment)))
            .sum();
        let all = self.files.values().sum::<u64>() > FILES_FACTOR * live;
        let changed: Vec<(usize, u64)> = (0..cells_end.div_ceil(SEGMENT) as usize)
            .filter(|&segment| all || known[segment] < len(&self.range(segment)))
            .map(|segment| (segment, self.filled(cells, segment)))
            .filter(|&(segment, filled)| filled > if all { 0 } else { known[segment] })
            .collect();
        if changed.is_empty() {
            return Ok(());
        }
        let number = self.next;
        let mut segments = self.segments.clone();
        for &(segment, filled) in &changed {
            segments[segment] = Segment {
                filled,
                file: Some(number),
            };
        }
        let mut files: Vec<usize> = segments.iter().filter_map(|segment| segment.file).collect();
        files.sort_unstable();
        files.dedup();
        let arena = valuation.forms();
        let header = CellsHeader {
            sweep: self.identity.clone(),
            levels,
            forms: self.forms + usize::from(arena.is_some()),
            files: files.clone(),
            segments: changed.iter().map(|&(segment, _)| segment as u64).collect(),
            filled: segments.iter().map(|segment| segment.filled).sum(),
        };
        let mut writer = self.folder.writer(CELLS, number, &header)?;
        for &(segment, _) in &changed {
            let range = self.range(segment);
            for shared in &cells.shared()[range.start as usize..range.end as usize] {
                let content: u32 = V::Cell::load(shared).into();
                let bytes = content.to_le_bytes();
                writer.extend(bytes.into_iter().take(self.identity.cell_bytes))?;
            }
        }
        if let Some(arena) = arena
            && !self.keep_forms(arena)?
        {
            return Ok(());
        }
        writer.publish()?;
        self.next = number + 1;
        self.segments = segments;
        let written = changed
            .iter()
            .map(|&(segment, _)| len(&self.range(segment)));
        self.files.insert(number, written.sum());
        let is_gone = |file: &usize| files.binary_search(file).is_err();
        for file in self
            .files
            .keys()
            .copied()
            .filter(is_gone)
            .collect::<Vec<_>>()
        {
            self.files.remove(&file);
            self.folder.remove(CELLS, file)?;
        }
        tracing::debug!(segments = changed.len(), levels, "kept a sweep");
        Ok(())
    }

    /// Returns how long to wait before it is time to keep what was found.
    pub(super) fn wait(&self) -> Duration {
        self.keeping.interval.saturating_sub(self.since.elapsed())
    }

    /// Returns whether enough was found since the last time to be kept where a sweep is stopped.
    pub(super) fn is_worth_keeping(&self) -> bool {
        self.since.elapsed() >= WORTH_KEEPING
    }

    /// Returns whether anything is kept.
    pub(super) fn has_files(&self) -> bool {
        self.next > 0
    }

    /// Puts the forms back into the arena, as far as their files are sound, and forgets those after that.
    fn restore_forms(&mut self, arena: &Arena) -> Result<(), DatasetError> {
        let mut stops = Vec::new();
        while arena.is_new() {
            let Some((header, mut body)) = self.folder.read::<FormsHeader>(FORMS, self.forms)?
            else {
                break;
            };
            let ranges = header.from.up_to(&header.to);
            let Some(ranges) =
                ranges.filter(|_| header.sweep == self.identity && header.from == self.extent)
            else {
                break;
            };
            let mut words = Vec::new();
            for (shard, places) in ranges.into_iter().enumerate() {
                let mut bytes = vec![0; 4 * places.len()];
                body.fill(&mut bytes)?;
                words.clear();
                words.extend(
                    bytes
                        .as_chunks()
                        .0
                        .iter()
                        .map(|&word| u32::from_le_bytes(word)),
                );
                arena.put(shard, places.start, &words);
            }
            self.extent = header.to;
            stops = header.stops;
            self.forms += 1;
        }
        if self.forms > 0 {
            arena.restored(&self.extent, &stops);
        }
        let mut gone = self.forms;
        while self.folder.remove(FORMS, gone)? {
            gone += 1;
        }
        Ok(())
    }

    /// Keeps what the arena has got since the last time; returns false where that cannot be done.
    fn keep_forms(&mut self, arena: &Arena) -> Result<bool, DatasetError> {
        let to = arena.extent();
        let ranges = self.extent.up_to(&to).expect("an arena only grows");
        let header = FormsHeader {
            sweep: self.identity.clone(),
            from: self.extent.clone(),
            to: to.clone(),
            stops: arena.exact_stops(),
        };
        let mut writer = self.folder.writer(FORMS, self.forms, &header)?;
        for (shard, places) in ranges.into_iter().enumerate() {
            let write = &mut |words: &[u32]| {
                writer.extend(words.iter().flat_map(|word| word.to_le_bytes()))
            };
            if !arena.words(shard, places, write)? {
                tracing::debug!("a form is too long for a sweep to be kept");
                return Ok(false);
            }
        }
        writer.publish()?;
        self.forms += 1;
        self.extent = to;
        Ok(true)
    }

    fn range(&self, segment: usize) -> Range<u64> {
        let start = segment as u64 * SEGMENT;
        start..self.identity.cells.min(start + SEGMENT)
    }

    /// Returns how many cells of a segment are filled.
    fn filled<C: Cell>(&self, cells: &Cells<C>, segment: usize) -> u64 {
        let range = self.range(segment);
        let shared = &cells.shared()[range.start as usize..range.end as usize];
        let filled = shared.iter().filter(|&cell| C::load(cell) != C::EMPTY);
        filled.count() as u64
    }

    fn read_segments<C: Cell>(
        &self,
        segments: &[u64],
        body: &mut PieceBody,
        cells: &Cells<C>,
    ) -> Result<(), DatasetError> {
        let mut bytes = Vec::new();
        for &segment in segments {
            let range = self.range(segment as usize);
            let width = self.identity.cell_bytes;
            bytes.resize(len(&range) as usize * width, 0);
            body.fill(&mut bytes)?;
            let shared = &cells.shared()[range.start as usize..range.end as usize];
            for (cell, bytes) in shared.iter().zip(bytes.chunks_exact(width)) {
                let mut word = [0; 4];
                word[..width].copy_from_slice(bytes);
                let content = C::try_from(u32::from_le_bytes(word));
                let content = content.ok().expect("as many bytes as a cell has");
                // Pages of which nothing is filled stay untouched.
                if content != C::EMPTY {
                    C::store(cell, content);
                }
            }
        }
        Ok(())
    }
}

/// Returns the checkpoints of a job's sweeps in the folder of its rows, from the headers of the
/// newest files.
pub(super) fn checkpoints(folder: &Path) -> Result<Vec<SweepCheckpoint>, DatasetError> {
    let Ok(entries) = std::fs::read_dir(folder.join(SWEEPS)) else {
        return Ok(Vec::new());
    };
    let mut found = Vec::new();
    for entry in entries.flatten() {
        let folder = PieceFolder::at(entry.path());
        let Some(newest) = folder.numbers(CELLS)?.pop() else {
            continue;
        };
        if let Some(header) = folder.header::<CellsHeader>(CELLS, newest)? {
            found.push(SweepCheckpoint {
                family: header.sweep.family,
                valued: header.filled,
                positions: header.sweep.cells,
            });
        }
    }
    found.sort_by(|a, b| a.family.cmp(&b.family));
    Ok(found)
}

/// Removes what sweeps of a job have kept in the folder of its rows.
pub(super) fn forget(folder: &Path) -> Result<(), DatasetError> {
    remove_pieces(&folder.join(SWEEPS))
}

fn len(range: &Range<u64>) -> u64 {
    range.end - range.start
}

#[cfg(test)]
mod tests;
