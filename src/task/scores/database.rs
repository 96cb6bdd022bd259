//! Scores in files: a folder of the store for each game and size of boards, with a file for each
//! tier.
//!
//! The first job that needs a tier scores it; later ones map its file, after comparing its checksum.
//! A damaged file is left out, and its tier is scored again. An unfinished tier has a checkpoint of
//! its own.

use std::sync::atomic::{AtomicU8, Ordering::Relaxed};
use std::time::{Duration, Instant};

use bytesize::ByteSize;
use serde::{Deserialize, Serialize};

use crate::board::two_rows::TWO_ROWS_SEEDS_MAX;
use crate::dataset::DatasetError;
use crate::engine::Control;
use crate::engine::scores::{LOOPY_SEEDS_MAX, ScoreSearch, Scores, positions_of};
use crate::engine::sweep::Cells;
use crate::evaluate::swept::Room;
use crate::game::scored::{Scored, ScoredGame, ScoredVisitor};
use crate::run::checkpoint::{Body, Folder};
use crate::run::{Phase, Run, RunError};

/// The folder in the store.
const FOLDER: &str = "scores";

/// The kind of files with the scores of a tier, numbered by its seeds.
const TIER: &str = "tier";

/// The kind of files with a tier at work.
const AT_WORK: &str = "at-work";

/// A tier that is stopped is written if the work since the last time took at least this.
const WORTH_WRITING: Duration = Duration::from_millis(100);

/// What a search needs below it and beside it, by the seeds of its positions.
///
/// How many positions a search takes depends on both.
struct SearchNeeds {
    /// The fewest seeds that it holds for.
    seeds_min: u32,
    /// The most positions that are scored before the search.
    scored_max: u64,
    /// The search's table.
    table: ByteSize,
}

/// From few seeds to many. With six pits a side the positions scored are all of at most 16, 20 and
/// 25 seeds.
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

/// What the moves of a side take at most.
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
            match G::IS_LOOPY {
                true => LOOPY_SEEDS_MAX,
                false => TWO_ROWS_SEEDS_MAX,
            }
        }
    }

    game.visit(Limit)
}

/// Returns how many positions have at most some number of seeds; `u64::MAX` where they are more
/// than fit.
pub(super) fn positions_up_to(pits: usize, seeds: u32) -> u64 {
    let tiers = (0..=seeds).map(|seeds| positions_of(pits, seeds).unwrap_or(u64::MAX));
    tiers.fold(0, u64::saturating_add)
}

/// Returns up to how many seeds positions are scored where those of `seeds_max` seeds are wanted:
/// all where `all` says so, else at most `positions_max` positions.
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

/// Returns what the table of a search takes where positions of up to `seeds_max` seeds are wanted
/// and those of up to `scored` seeds are scored: nothing where there is none to search.
pub(super) fn table_of_search(scored: u32, seeds_max: u32) -> ByteSize {
    if scored >= seeds_max {
        return ByteSize(0);
    }
    SearchNeeds::of(seeds_max).table
}

/// Returns the bytes that the moves of all sides of at most some number of seeds take.
pub(super) fn bytes_of_moves(pits: usize, seeds_max: u32) -> u64 {
    // The sides of p pits with at most n seeds are those of p + 1 pits with n.
    let sides = (1..=pits as u128).fold(1, |sides, i| sides * (u128::from(seeds_max) + i) / i);
    u64::try_from(sides).map_or(u64::MAX, |sides| sides.saturating_mul(SIDE_BYTES))
}

/// Returns a search above scores whose table takes `memory`.
///
/// # Errors
///
/// Where the system has no room for the table.
pub(super) fn search<'a, G: Scored>(
    game: G,
    scores: &'a Scores<G>,
    memory: ByteSize,
    control: &'a Control,
) -> Result<ScoreSearch<'a, G>, RunError> {
    ScoreSearch::new(game, scores, memory, control).map_err(|source| RunError::Cells {
        family: "positions that are searched".to_owned(),
        needed: memory,
        budget: memory,
        source,
    })
}

#[derive(Serialize, Deserialize)]
struct TierHeader {
    seeds: u32,
    positions: u64,
    /// The rounds that are done; `None` where all are.
    rounds: Option<u64>,
}

/// Returns the scores of all positions with at most `seeds_max` seeds: those in files are mapped,
/// others are worked out.
///
/// # Errors
///
/// What stopped it, or files that cannot be read or written.
pub(super) fn scores<G: Scored>(
    run: &Run<'_>,
    game: G,
    pits: usize,
    seeds_max: u32,
) -> Result<Scores<G>, RunError> {
    let name = format!("{}-{}", game.id(), pits);
    let of = format!("{name} by version {} of the rules", game.version());
    let stores = std::iter::once(&run.place.store).chain(&run.place.base);
    let folders = stores.map(|store| Folder::open(store.join(FOLDER).join(&name), of.clone()));
    let folders = folders.collect::<Result<Vec<Folder>, DatasetError>>()?;
    check_disk(run, &folders, pits, seeds_max)?;
    let mut scores = Scores::new(game, pits);
    let all = positions_up_to(pits, seeds_max);
    let evaluated = run.control.evaluated();
    run.tracker
        .begin(Phase::Sweeping, "position", Some(all), evaluated);
    for seeds in 0..=seeds_max {
        run.go_on()?;
        let mut found = None;
        for folder in &folders {
            if found.is_none() {
                found = folder.read::<TierHeader>(TIER, seeds as usize)?;
            }
        }
        let found = match found {
            Some((_, found)) => {
                // A run that was killed may have left it behind.
                folders[0].remove(AT_WORK, seeds as usize)?;
                found
            }
            None => score_tier(run, &folders[0], &name, &mut scores)?,
        };
        scores.push(Box::new(found.map()?));
        run.tracker.add(scores.numbering().positions(seeds), 0);
    }
    Ok(scores)
}

/// Checks that there is room for the tiers that have no file.
fn check_disk(
    run: &Run<'_>,
    folders: &[Folder],
    pits: usize,
    seeds_max: u32,
) -> Result<(), RunError> {
    let mut known = Vec::new();
    for folder in folders {
        known.extend(folder.numbers(TIER)?);
    }
    let missing = (0..=seeds_max).filter(|&seeds| !known.contains(&(seeds as usize)));
    let bytes = missing.map(|seeds| positions_of(pits, seeds).unwrap_or(u64::MAX));
    let needed = bytes.fold(0, u64::saturating_add);
    let folder = folders[0].made()?;
    match fs4::available_space(folder) {
        Ok(free) if needed > free => Err(RunError::Disk {
            job: run.job.name.clone(),
            what: "the store",
            folder: folder.to_owned(),
            needed: ByteSize(needed),
            free: ByteSize(free),
        }),
        // A system that does not tell what is free is no error.
        _ => Ok(()),
    }
}

/// Scores the next tier into a file, and opens it.
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
        memory: run.options.memory.0,
        folder: Some(folder.made()?),
        checkpoint: None,
        tracker: &run.tracker,
    };
    let what = format!("{name}, {seeds} seeds");
    let cells: Cells<u8> = room.cells(&what, positions)?;
    let cells = &cells.shared()[..positions as usize];
    let mut rounds = 0;
    if let Some((header, mut body)) = folder.read::<TierHeader>(AT_WORK, number)? {
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
    let after = &mut |done| -> Result<(), RunError> {
        rounds = done;
        if since.elapsed() >= run.options.checkpoint {
            write(AT_WORK, Some(rounds))?;
            since = Instant::now();
        }
        Ok(())
    };
    let is_scored = scores.score(cells, rounds_before, &run.control, after);
    match is_scored {
        Ok(()) => write(TIER, None)?,
        Err(error) => {
            // What an interrupted round has left is sound, too.
            if matches!(error, RunError::Engine(_)) && since.elapsed() >= WORTH_WRITING {
                write(AT_WORK, Some(rounds))?;
            }
            return Err(error);
        }
    }
    folder.remove(AT_WORK, number)?;
    let read = folder.read::<TierHeader>(TIER, number)?;
    let (_, body) = read.ok_or_else(|| {
        DatasetError::io("read", &run.place.store)(std::io::Error::other(format!(
            "the scores of {what} are gone"
        )))
    })?;
    Ok(body)
}
