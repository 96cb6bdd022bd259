//! Scores in files: a folder of the store for each game and size of boards, with a file for each
//! tier.
//!
//! The first job that needs a tier scores it; later ones compare the checksum of its file and its
//! header, and map it. A file that is damaged or about another tier is ignored, and its tier is
//! scored again. An unfinished tier has a checkpoint of its own.

use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};
use std::time::{Duration, Instant};

use bytesize::ByteSize;
use cggames::board::two_rows::TWO_ROWS_SEEDS_MAX;
use cggames::game::scored::{Scored, ScoredGame, ScoredVisitor};
use cgsolvers::Control;
use cgsolvers::scores::{LOOPY_SEEDS_MAX, ScoreSearch, Scores, positions_of};
use cgsolvers::sweep::Cells;
use seedbank_files::durable;
use serde::{Deserialize, Serialize, Serializer};

use crate::dataset::DatasetError;
use crate::evaluate::swept::Room;
use crate::run::checkpoint::{Body, Folder, Unfit};
use crate::run::{Phase, Run, RunError};

/// The folder in the store.
const FOLDER: &str = "scores";

/// The kind of files with the scores of a tier, numbered by its seeds.
const TIER: &str = "tier";

/// The kind of files with a tier in progress.
const AT_WORK: &str = "at-work";

/// A stopped tier is written if the work since the last write took at least this time.
const WORTH_WRITING: Duration = Duration::from_millis(100);

/// The needs of a search, by the seeds of its positions.
///
/// The number of positions that a search takes depends on both.
struct SearchNeeds {
    /// The fewest seeds that this entry applies to.
    seeds_min: u32,
    /// The most positions scored before the search.
    scored_max: u64,
    /// The size of the search's table.
    table: ByteSize,
}

/// Ascending by seeds. With six pits a side, the scored positions are all those with at most 16, 20
/// and 25 seeds.
const SEARCH_NEEDS: [SearchNeeds; 3] = [
    SearchNeeds {
        seeds_min: 0,
        scored_max: 1 << 25,
        table: ByteSize::mib(512),
    },
    SearchNeeds {
        seeds_min: 41,
        scored_max: 1 << 28,
        table: ByteSize::mib(512),
    },
    SearchNeeds {
        seeds_min: 51,
        scored_max: 1 << 31,
        table: ByteSize::gib(6),
    },
];

impl SearchNeeds {
    fn of(seeds: u32) -> &'static SearchNeeds {
        let mut needs = SEARCH_NEEDS.iter().rev();
        let found = needs.find(|needs| needs.seeds_min <= seeds);
        found.expect("the first holds for any number of seeds")
    }
}

/// The most memory that the moves of a side take.
///
/// Unit: bytes. Awari of 20 seeds on six pits a side took 537.
const SIDE_BYTES: u64 = 600;

/// Returns the most seeds of a position of a game.
///
/// ```
/// use seedbank::game::scored::{Kalah, ScoredGame, Wari};
/// use seedbank::task::scores::seeds_limit;
///
/// assert_eq!(seeds_limit(ScoredGame::Kalah(Kalah::default())), 127);
/// assert_eq!(seeds_limit(ScoredGame::Wari(Wari::AWARI)), 63);
/// ```
pub fn seeds_limit(game: ScoredGame) -> u32 {
    struct Limit;

    impl ScoredVisitor for Limit {
        type Output = u32;

        fn visit<G: Scored>(self, _: G) -> u32 {
            if G::IS_LOOPY {
                LOOPY_SEEDS_MAX
            } else {
                TWO_ROWS_SEEDS_MAX
            }
        }
    }

    game.visit(Limit)
}

/// Returns the number of positions with at most `seeds` seeds; `u64::MAX` if it does not fit.
pub(super) fn positions_up_to(pits: usize, seeds: u32) -> u64 {
    let tiers = (0..=seeds).map(|seeds| positions_of(pits, seeds).unwrap_or(u64::MAX));
    tiers.fold(0, u64::saturating_add)
}

/// Returns the number of seeds up to which positions are scored, if those of `seeds_max` seeds are
/// wanted: all if `all` is set, otherwise at most `positions_max` positions.
pub(super) fn seeds_scored(all: bool, pits: usize, seeds_max: u32, positions_max: u64) -> u32 {
    let scored = SearchNeeds::of(seeds_max).scored_max.min(positions_max);
    let is_few = |positions: u64| positions <= scored;
    if all || is_few(positions_up_to(pits, seeds_max)) {
        return seeds_max;
    }
    let mut fewer = (0..seeds_max).rev();
    let found = fewer.find(|&seeds| is_few(positions_up_to(pits, seeds)));
    found.unwrap_or(0)
}

/// Returns the size of a search's table if positions of up to `seeds_max` seeds are wanted and
/// those of up to `scored` seeds are scored; 0 if there are none to search.
pub(super) fn table_of_search(scored: u32, seeds_max: u32) -> ByteSize {
    if scored >= seeds_max {
        return ByteSize(0);
    }
    SearchNeeds::of(seeds_max).table
}

/// Returns the bytes of the moves of all sides with at most `seeds_max` seeds.
pub(super) fn bytes_of_moves(pits: usize, seeds_max: u32) -> u64 {
    // Sides of p pits with at most n seeds correspond to sides of p + 1 pits with exactly n.
    let sides = (1..=pits as u128).fold(1, |sides, i| sides * (u128::from(seeds_max) + i) / i);
    u64::try_from(sides).map_or(u64::MAX, |sides| sides.saturating_mul(SIDE_BYTES))
}

/// Returns a search above scores whose table takes `memory`.
///
/// # Errors
///
/// If the system cannot allocate the table.
pub(super) fn search<'a, G: Scored>(
    game: G,
    scores: &'a Scores<G>,
    memory: ByteSize,
    control: &'a Control,
) -> Result<ScoreSearch<'a, G>, RunError> {
    ScoreSearch::new(game, scores, memory, control).map_err(|source| no_table(memory, source))
}

/// Returns the error for a table of a search that the system cannot allocate.
pub(super) fn no_table(memory: ByteSize, source: io::Error) -> RunError {
    RunError::Cells {
        family: "positions that are searched".to_owned(),
        needed: memory,
        budget: memory,
        source,
    }
}

#[derive(Serialize, Deserialize)]
struct TierHeader {
    seeds: u32,
    positions: u64,
    /// The number of finished rounds; `None` if all are.
    rounds: Option<u64>,
}

impl TierHeader {
    /// Returns why a file with this header is not the one of some kind about a tier, if it is not.
    fn check(&self, kind: &str, seeds: usize, positions: u64) -> Result<(), Unfit> {
        let is_finished = self.rounds.is_none();
        if (self.seeds as usize, self.positions) != (seeds, positions) {
            return Err(format!(
                "it has the scores of {} positions with {} seeds, not of {positions} with {seeds}",
                self.positions, self.seeds
            ));
        }
        if is_finished == (kind == TIER) {
            Ok(())
        } else {
            Err("its scores are of a tier in progress, or of a finished one".to_owned())
        }
    }
}

/// A file of scores in a store, and what is wrong with it.
#[derive(Debug, Serialize)]
pub struct ScoresReport {
    /// Its name in the folder `scores` of the store.
    #[serde(rename = "scores")]
    pub file: String,
    /// The number of positions that its name promises.
    pub positions: u64,
    /// Damage, or the reason why the file could not be read.
    #[serde(rename = "problems", serialize_with = "texts")]
    pub problem: Option<DatasetError>,
    #[serde(skip)]
    folder: Folder,
    #[serde(skip)]
    kind: &'static str,
    #[serde(skip)]
    seeds: usize,
}

fn texts<S: Serializer>(problem: &Option<DatasetError>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(problem.iter().map(ToString::to_string))
}

impl ScoresReport {
    /// Removes the file; the next job that needs the tier scores it again.
    ///
    /// # Errors
    ///
    /// If it cannot be removed.
    pub fn remove(&self) -> Result<(), DatasetError> {
        self.folder.remove(self.kind, self.seeds).map(drop)
    }

    fn of(folder: Folder, kind: &'static str, seeds: usize, name: &str, pits: usize) -> Self {
        let of_game = format!("{name} by version ");
        let positions = u32::try_from(seeds).ok();
        let positions = positions.and_then(|seeds| positions_of(pits, seeds));
        let positions = positions.unwrap_or(u64::MAX);
        let check = || {
            let is_own = |of: &str| of.starts_with(&of_game);
            let Some(found) = folder.inspect::<TierHeader>(kind, seeds, is_own)? else {
                // A job has removed it since the folder was listed.
                return Ok(None);
            };
            let check = |(header, body): (TierHeader, Body)| {
                header.check(kind, seeds, positions)?;
                check_length(&body, positions)
            };
            Ok::<Option<Unfit>, DatasetError>(found.and_then(check).err())
        };
        let problem = match check() {
            Ok(unfit) => unfit.map(|found| DatasetError::Damaged {
                path: folder.path(kind, seeds),
                found,
                remedy: "remove it with \"seedbank store repair\"".to_owned(),
            }),
            Err(error) => Some(error),
        };
        ScoresReport {
            file: folder.name(kind, seeds),
            positions,
            problem,
            folder,
            kind,
            seeds,
        }
    }
}

/// Checks every file of scores in a store: checksum, name, game, seeds and positions. Cost: reads
/// all of them.
///
/// # Errors
///
/// If a folder cannot be listed. What is wrong with a file is no error; it is in the report.
///
/// ```
/// let store = tempfile::tempdir()?;
/// assert!(seedbank::task::scores::verify_scores(store.path())?.is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn verify_scores(store: &Path) -> Result<Vec<ScoresReport>, DatasetError> {
    let mut reports = Vec::new();
    let paths = durable::paths(&store.join(FOLDER))?;
    for dir in paths.into_iter().filter(|path| path.is_dir()) {
        let name = dir.file_name().unwrap_or_default().to_string_lossy();
        let pits = name
            .rsplit_once('-')
            .and_then(|(_, pits)| pits.parse().ok());
        let Some(pits) = pits else {
            continue;
        };
        let folder = Folder::at(dir.clone());
        for kind in [TIER, AT_WORK] {
            for seeds in folder.names(kind)? {
                let folder = folder.clone();
                reports.push(ScoresReport::of(folder, kind, seeds, &name, pits));
            }
        }
    }
    Ok(reports)
}

/// Returns the file of some kind about a tier, if there is one that fits.
fn read_tier(
    folder: &Folder,
    kind: &str,
    seeds: usize,
    positions: u64,
) -> Result<Option<(TierHeader, Body)>, DatasetError> {
    folder.read_if(kind, seeds, |header: &TierHeader, body| {
        header.check(kind, seeds, positions)?;
        check_length(body, positions)
    })
}

fn check_length(body: &Body, positions: u64) -> Result<(), Unfit> {
    if body.len() == positions {
        Ok(())
    } else {
        Err(format!(
            "it has the scores of {} positions, not of {positions}",
            body.len()
        ))
    }
}

/// Returns the scores of all positions with at most `seeds_max` seeds. Those in files are mapped,
/// others are computed.
///
/// # Errors
///
/// The reason for stopping, or files that cannot be read or written.
pub(super) fn scores<G: Scored>(
    run: &Run<'_>,
    game: G,
    pits: usize,
    seeds_max: u32,
) -> Result<Scores<G>, RunError> {
    let name = format!("{}-{}", game.id(), pits);
    let of = format!("{name} by version {} of the rules", game.version());
    let stores = std::iter::once(&run.place.store).chain(&run.place.base);
    run.place.claim_store()?;
    let folders = stores.map(|store| Folder::open(store.join(FOLDER).join(&name), of.clone()));
    let folders = folders.collect::<Result<Vec<Folder>, DatasetError>>()?;
    expect_tiers::<G>(run, &folders, pits, seeds_max)?;
    let mut scores = Scores::new(game, pits);
    let all = positions_up_to(pits, seeds_max);
    let (tracker, control) = (&run.session.tracker, &run.session.control);
    tracker.begin(Phase::Sweeping, "position", Some(all), control.evaluated());
    for seeds in 0..=seeds_max {
        run.session.check_stop()?;
        let mut found = None;
        let positions = positions_of(pits, seeds).unwrap_or(u64::MAX);
        for folder in &folders {
            if found.is_none() {
                found = read_tier(folder, TIER, seeds as usize, positions)?;
            }
        }
        let found = match found {
            Some((_, found)) => {
                // A killed run may have left it behind.
                folders[0].remove(AT_WORK, seeds as usize)?;
                tracker.add(positions, 0);
                found
            }
            None => score_tier(run, &folders[0], &name, &mut scores)?,
        };
        scores.push(Box::new(found.map()?));
    }
    Ok(scores)
}

/// Checks that there is disk space for the tiers without a file, and adds them to the estimate.
fn expect_tiers<G: Scored>(
    run: &Run<'_>,
    folders: &[Folder],
    pits: usize,
    seeds_max: u32,
) -> Result<(), RunError> {
    let mut known = Vec::new();
    for folder in folders {
        known.extend(folder.numbers(TIER)?);
    }
    let mut needed: u64 = 0;
    for seeds in (0..=seeds_max).filter(|&seeds| !known.contains(&(seeds as usize))) {
        let positions = positions_of(pits, seeds).unwrap_or(u64::MAX);
        needed = needed.saturating_add(positions);
        let cost = positions as f64 * sweeps::<G>(seeds);
        run.session.tracker.expect(cost as u64);
    }
    let folder = folders[0].made()?;
    match fs4::available_space(folder) {
        Ok(free) if needed > free => Err(RunError::Disk {
            job: run.job.name.clone(),
            what: "the store",
            folder: folder.to_owned(),
            needed: ByteSize(needed),
            free: ByteSize(free),
        }),
        // It is no error if the system does not report the free space.
        _ => Ok(()),
    }
}

/// Returns about how often the positions of a tier are swept until no score changes.
///
/// Counted for Wari on one thread: 2 sweeps for no seeds, 8 for 10, 14 for 17. Several threads may need more.
fn sweeps<G: Scored>(seeds: u32) -> f64 {
    match G::IS_LOOPY {
        true => 2.0 + 0.7 * f64::from(seeds),
        false => 1.0,
    }
}

/// Scores the next tier into a file, and opens the file.
fn score_tier<G: Scored>(
    run: &Run<'_>,
    folder: &Folder,
    name: &str,
    scores: &mut Scores<G>,
) -> Result<Body, RunError> {
    let seeds = scores.tiers();
    let number = seeds as usize;
    let positions = positions_of(scores.numbering().pits(), seeds).unwrap_or(u64::MAX);
    let room = Room {
        memory: run.options.limits.memory.0,
        folder: Some(folder.made()?),
        checkpoint: None,
        tracker: &run.session.tracker,
        narrow: false,
    };
    let what = format!("{name}, {seeds} seeds");
    let cells: Cells<u8> = room.cells(&what, positions)?;
    let cells = &cells.shared()[..positions as usize];
    let mut rounds = 0;
    if let Some((header, mut body)) = read_tier(folder, AT_WORK, number, positions)? {
        let mut bytes = vec![0; cells.len().min(1 << 20)];
        for cells in cells.chunks(bytes.len()) {
            let bytes = &mut bytes[..cells.len()];
            body.fill(bytes)?;
            for (cell, &byte) in cells.iter().zip(&*bytes) {
                cell.store(byte, Relaxed);
            }
        }
        rounds = header.rounds.unwrap_or(0);
        tracing::info!("resuming the scores of {what} after {rounds} rounds");
    }
    let write = |kind: &str, rounds: Option<u64>| -> Result<(), DatasetError> {
        let header = TierHeader {
            seeds,
            positions,
            rounds,
        };
        let mut writer = folder.writer(kind, number, &header)?;
        for cells in cells.chunks(1 << 16) {
            writer.extend(cells.iter().map(|cell: &AtomicU8| cell.load(Relaxed)))?;
        }
        writer.publish()
    };
    let mut since = Instant::now();
    let rounds_before = rounds;
    let (tracker, control) = (&run.session.tracker, &run.session.control);
    let visits = sweeps::<G>(seeds);
    let known = positions as f64 * (rounds as f64 / visits).min(1.0);
    let known = if G::IS_LOOPY { known as u64 } else { 0 };
    tracker.begin_sweep(positions, known, visits, control.evaluated());
    let after = &mut |done| -> Result<(), RunError> {
        rounds = done;
        if since.elapsed() >= run.options.checkpoint {
            write(AT_WORK, Some(rounds))?;
            since = Instant::now();
        }
        Ok(())
    };
    let is_scored = scores.score(cells, rounds_before, control, after);
    match is_scored {
        Ok(()) => {
            tracing::debug!(positions, rounds, "scored {what}");
            tracker.end_sweep();
            write(TIER, None)?;
        }
        Err(error) => {
            // The state after an interrupted round is sound, too.
            if matches!(error, RunError::Engine(_)) && since.elapsed() >= WORTH_WRITING {
                write(AT_WORK, Some(rounds))?;
            }
            return Err(error);
        }
    }
    folder.remove(AT_WORK, number)?;
    let read = read_tier(folder, TIER, number, positions)?;
    let (_, body) = read.ok_or_else(|| {
        DatasetError::io("read", &run.place.store)(io::Error::other(format!(
            "the scores of {what} are gone"
        )))
    })?;
    Ok(body)
}
