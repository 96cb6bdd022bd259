//! The checkpoint of a sweep, from which a later run resumes.
//!
//! The folder of a sweep has
//!
//! - `forms-00000`, `forms-00001`, ...: the words added to the arena since the last file, so that restored cells refer to
//!   the same forms;
//! - `cells-00000`, ...: the segments of the array in which cells were filled since the last file, and the number of
//!   levels finished before that. A file says how many cells share a byte, so that sweeps with cells of another width can
//!   read it.
//!
//! A checkpoint reads cells while workers fill others. A cell is either empty or final, and its form is in the arena before
//! the cell is filled. So a checkpoint reads the arena after the cells, and its file of forms appears before its file of
//! cells. A file of cells is removed once all its segments have been rewritten.
//!
//! Equal cells of two runs may refer to different forms. So each file of forms has a random number, and says the number of
//! the file before it; a file of cells says the number of the last file of forms to which its cells refer. Files of
//! different runs are not used together.

use std::collections::BTreeMap;
use std::ops::Range;
use std::time::{Duration, Instant};

use cggames::game::SweepOrder;
use cgsolvers::sweep::{CellContent, Cells, SweepProgress, SweepValuation};
use cgvalues::{Arena, ExactStops, Extent};
use seedbank_files::durable;
use serde::{Deserialize, Serialize};
use valuestore::Namespace;

use crate::dataset::DatasetError;
use crate::run::checkpoint::{Body, CELLS, Folder, SweepHeader, Unfit};

const FORMS: &str = "forms";

/// The cells of a segment; few in tests, whose sweeps are small.
const SEGMENT: u64 = if cfg!(test) { 1 << 10 } else { 1 << 20 };

/// All segments are rewritten when the files hold this many times the cells of the sweep.
const FILES_FACTOR: u64 = 2;

/// The least time from one checkpoint to the next, divided by the time that the last one took.
// PERF: with 4 GiB of cells, checkpoints every two minutes took a third of the time of two cores.
const PAUSE: u32 = 10;

/// A sweep that is stopped writes a checkpoint if the values since the last one took this long.
const WORTH_WRITING: Duration = Duration::from_millis(100);

/// The sweep to which files belong; no other sweep can use them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Identity {
    namespace: String,
    family: String,
    cells: u64,
    /// The bytes of a cell, or of several that share them.
    cell_bytes: usize,
}

#[derive(Serialize, Deserialize)]
struct FormsHeader {
    sweep: Identity,
    /// A random number; 0 in files of earlier builds, which are not used.
    #[serde(default)]
    id: u64,
    /// The number of the file before it; 0 for the first.
    #[serde(default)]
    after: u64,
    from: Extent,
    to: Extent,
    edges: Vec<u32>,
    stops: Vec<ExactStops>,
}

#[derive(Serialize, Deserialize)]
struct CellsHeader {
    #[serde(flatten)]
    status: SweepHeader,
    sweep: Identity,
    /// The number of finished levels.
    levels: usize,
    /// The number of files of forms to which the cells refer.
    forms: usize,
    /// The random number of the last of these files; 0 if there are none.
    #[serde(default)]
    forms_id: u64,
    /// The number of cells that share the bytes of one.
    #[serde(default = "one")]
    sharing: usize,
    /// The files of cells that together have all segments; this file is the last of them.
    files: Vec<usize>,
    /// The segments in this file, by number.
    segments: Vec<u64>,
}

/// A sweep and the folder of its files.
pub(super) struct SweepFiles {
    interval: Duration,
    identity: Identity,
    folder: Folder,
    /// For each level, [`SweepOrder::cells_through`] it.
    through: Vec<u64>,
    segments: Vec<Segment>,
    /// The number of cells in each file.
    files: BTreeMap<usize, u64>,
    /// The random numbers of the files of forms, and the extent of the arena that they cover.
    forms: Vec<u64>,
    extent: Extent,
    /// The number of the next file of cells.
    next: usize,
    /// When the last files were begun, or else when the sweep began.
    since: Instant,
    /// The time that they took.
    took: Duration,
}

/// A segment of the cells.
#[derive(Clone, Copy, Debug, Default)]
struct Segment {
    /// The number of filled cells when it was last written.
    filled: u64,
    /// The file that has it.
    file: Option<usize>,
}

impl SweepFiles {
    /// Returns the files of a sweep in its folder; `family` identifies the sweep among those of the ruleset.
    pub(super) fn new<V: SweepValuation>(
        folder: Folder,
        interval: Duration,
        namespace: &Namespace,
        family: &str,
        order: &impl SweepOrder,
    ) -> SweepFiles {
        SweepFiles {
            interval,
            identity: Identity {
                namespace: namespace.to_string(),
                family: family.to_owned(),
                cells: order.cells(),
                cell_bytes: size_of::<<V::Content as CellContent>::Shared>(),
            },
            folder,
            through: (1..=order.levels().len())
                .map(|levels| order.cells_through(levels))
                .collect(),
            segments: vec![Segment::default(); order.cells().div_ceil(SEGMENT) as usize],
            files: BTreeMap::new(),
            forms: Vec::new(),
            extent: Extent::nothing(),
            next: 0,
            since: Instant::now(),
            took: Duration::ZERO,
        }
    }

    /// Restores the values of earlier runs from sound files. It restores nothing into an arena that is already in use.
    /// Returns the number of filled cells.
    pub(super) fn restore<V: SweepValuation>(
        &mut self,
        valuation: &V,
        cells: &Cells<V::Content>,
        progress: &SweepProgress,
    ) -> Result<u64, DatasetError> {
        let of_cells = self.folder.numbers(CELLS)?;
        let arena = valuation.forms();
        let is_usable = arena.is_none_or(Arena::is_new);
        if let Some(arena) = arena {
            self.restore_forms(arena)?;
        }
        let mut newest: Option<CellsHeader> = None;
        let mut all_exact = true;
        for &number in of_cells.iter().filter(|_| is_usable) {
            let check = |header: &CellsHeader, _: &Body| {
                self.check_sweep(&header.sweep)?;
                let last = header.forms.checked_sub(1).map(|last| self.forms.get(last));
                if last.is_none_or(|last| last == Some(&header.forms_id)) {
                    Ok(())
                } else {
                    Err("its cells refer to forms that are missing, or another run's".to_owned())
                }
            };
            let found = self.folder.read_if(CELLS, number, check)?;
            let Some((header, mut body)) = found else {
                continue;
            };
            all_exact &= self.read_segments(&header, &mut body, cells)?;
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
            // If a file is missing or a content not exact, finished levels may have empty cells.
            let whole =
                all_exact && (newest.files.iter()).all(|file| self.files.contains_key(file));
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
                "resuming the sweep {}: {filled} of {} positions have their values",
                self.identity.family,
                self.identity.cells
            );
        }
        self.since = Instant::now();
        Ok(self.segments.iter().map(|segment| segment.filled).sum())
    }

    /// Writes the values found since the last time.
    pub(super) fn write<V: SweepValuation>(
        &mut self,
        valuation: &V,
        cells: &Cells<V::Content>,
        progress: &SweepProgress,
    ) -> Result<(), DatasetError> {
        self.since = Instant::now();
        // Taken before the cells are read, so that all cells of finished levels are filled.
        let levels = progress.levels();
        let cells_end = self.through.get(levels).copied();
        let cells_end = cells_end.unwrap_or(self.identity.cells);
        // Segments that are not full are rewritten often. Now and then all are rewritten, and older files are removed.
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
        let forms_id = arena.map_or(0, |_| durable::random_number());
        let header = CellsHeader {
            status: SweepHeader {
                family: self.identity.family.clone(),
                cells: self.identity.cells,
                filled: segments.iter().map(|segment| segment.filled).sum(),
            },
            sweep: self.identity.clone(),
            levels,
            forms: self.forms.len() + usize::from(arena.is_some()),
            forms_id,
            sharing: V::Content::SHARING,
            files: files.clone(),
            segments: changed.iter().map(|&(segment, _)| segment as u64).collect(),
        };
        let mut writer = self.folder.writer(CELLS, number, &header)?;
        let bits = self.bits(header.sharing);
        for &(segment, _) in &changed {
            let range = self.range(segment);
            let shared = shared_of(cells, &range);
            for first in (0..len(&range) as usize).step_by(V::Content::SHARING) {
                let contents = (0..V::Content::SHARING).map(|place| {
                    let content: u32 = V::Content::load(shared, first + place).into();
                    content << (place * bits)
                });
                let bytes = contents
                    .fold(0, |word, content| word | content)
                    .to_le_bytes();
                writer.extend(bytes.into_iter().take(self.identity.cell_bytes))?;
            }
        }
        if let Some(arena) = arena {
            self.write_forms(arena, forms_id)?;
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
        tracing::debug!(
            segments = changed.len(),
            levels,
            "wrote the checkpoint of a sweep"
        );
        self.took = self.since.elapsed();
        Ok(())
    }

    /// Returns the time until the next checkpoint is due.
    pub(super) fn wait(&self) -> Duration {
        let interval = self.interval.max(PAUSE * self.took);
        interval.saturating_sub(self.since.elapsed())
    }

    /// Returns whether a stopped sweep has found enough values since the last checkpoint to write one.
    pub(super) fn is_worth_writing(&self) -> bool {
        self.since.elapsed() >= WORTH_WRITING
    }

    /// Returns whether there are any files.
    pub(super) fn has_any(&self) -> bool {
        self.next > 0
    }

    /// Restores the forms into the arena from files up to the first that is not sound, and ignores later files.
    fn restore_forms(&mut self, arena: &Arena) -> Result<(), DatasetError> {
        let (mut edges, mut stops) = (Vec::new(), Vec::new());
        while arena.is_new() {
            let check = |header: &FormsHeader, _: &Body| {
                self.check_sweep(&header.sweep)?;
                let follows = header.after == self.last_forms() && header.from == self.extent;
                if header.id != 0 && follows && header.from.up_to(&header.to).is_some() {
                    Ok(())
                } else {
                    Err("it does not follow the forms before it".to_owned())
                }
            };
            let found = self.folder.read_if(FORMS, self.forms.len(), check)?;
            let Some((header, mut body)) = found else {
                break;
            };
            let ranges = header.from.up_to(&header.to).unwrap_or_default();
            let mut words = Vec::new();
            for (stripe, places) in ranges.into_iter().enumerate() {
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
                arena.put(stripe, places.start, &words);
            }
            self.extent = header.to;
            (edges, stops) = (header.edges, header.stops);
            self.forms.push(header.id);
        }
        if !self.forms.is_empty() {
            arena.restored(&self.extent, &edges, &stops);
        }
        let mut gone = self.forms.len();
        while self.folder.remove(FORMS, gone)? {
            gone += 1;
        }
        Ok(())
    }

    /// Writes the words added to the arena since the last time.
    fn write_forms(&mut self, arena: &Arena, id: u64) -> Result<(), DatasetError> {
        let to = arena.extent();
        let ranges = self.extent.up_to(&to).expect("an arena only grows");
        let header = FormsHeader {
            sweep: self.identity.clone(),
            id,
            after: self.last_forms(),
            from: self.extent.clone(),
            to: to.clone(),
            edges: arena.edges(),
            stops: arena.exact_stops(),
        };
        let mut writer = self.folder.writer(FORMS, self.forms.len(), &header)?;
        for (stripe, places) in ranges.into_iter().enumerate() {
            let write = &mut |words: &[u32]| {
                writer.extend(words.iter().flat_map(|word| word.to_le_bytes()))
            };
            arena.words(stripe, places, write)?;
        }
        writer.publish()?;
        self.forms.push(id);
        self.extent = to;
        Ok(())
    }

    /// Returns the random number of the last file of forms; 0 if there is none.
    fn last_forms(&self) -> u64 {
        self.forms.last().copied().unwrap_or(0)
    }

    fn check_sweep(&self, found: &Identity) -> Result<(), Unfit> {
        if *found == self.identity {
            Ok(())
        } else {
            Err(format!("it is of another sweep ({found:?})"))
        }
    }

    fn range(&self, segment: usize) -> Range<u64> {
        let start = segment as u64 * SEGMENT;
        start..self.identity.cells.min(start + SEGMENT)
    }

    /// Returns the number of filled cells of a segment.
    fn filled<C: CellContent>(&self, cells: &Cells<C>, segment: usize) -> u64 {
        let range = self.range(segment);
        let shared = shared_of(cells, &range);
        let filled = (0..len(&range) as usize).filter(|&cell| C::load(shared, cell) != C::EMPTY);
        filled.count() as u64
    }

    /// Returns the bits of a cell, `sharing` of which share the bytes of one.
    fn bits(&self, sharing: usize) -> usize {
        8 * self.identity.cell_bytes / sharing
    }

    /// Fills the cells of a file's segments, which may be wider or narrower. Contents that are not exact leave wider cells
    /// empty; returns whether there are none.
    fn read_segments<C: CellContent>(
        &self,
        header: &CellsHeader,
        body: &mut Body,
        cells: &Cells<C>,
    ) -> Result<bool, DatasetError> {
        let (width, bits) = (self.identity.cell_bytes, self.bits(header.sharing));
        let mask = u32::MAX >> (32 - bits);
        let mut all_exact = true;
        let mut bytes = Vec::new();
        for &segment in &header.segments {
            let range = self.range(segment as usize);
            bytes.resize(
                len(&range).div_ceil(header.sharing as u64) as usize * width,
                0,
            );
            body.fill(&mut bytes)?;
            let shared = shared_of(cells, &range);
            let firsts = (0..).step_by(header.sharing);
            for (first, bytes) in firsts.zip(bytes.chunks_exact(width)) {
                let mut word = [0; 4];
                word[..width].copy_from_slice(bytes);
                let word = u32::from_le_bytes(word);
                for place in 0..header.sharing {
                    let content = word >> (place * bits) & mask;
                    // Pages without a filled cell stay untouched.
                    if content == 0 {
                        continue;
                    }
                    let is_exact = header.sharing == 1 || content < mask;
                    let content = C::try_from(content).ok();
                    let content = content.expect("at most as many bytes as a cell has");
                    if is_exact || !content.is_exact() {
                        C::store(shared, first + place, content);
                    } else {
                        all_exact = false;
                    }
                }
            }
        }
        Ok(all_exact)
    }
}

/// Returns the integers with the cells of a segment.
fn shared_of<'c, C: CellContent>(cells: &'c Cells<C>, range: &Range<u64>) -> &'c [C::Shared] {
    let sharing = C::SHARING as u64;
    &cells.shared()[(range.start / sharing) as usize..range.end.div_ceil(sharing) as usize]
}

fn one() -> usize {
    1
}

fn len(range: &Range<u64>) -> u64 {
    range.end - range.start
}

#[cfg(test)]
mod tests;
