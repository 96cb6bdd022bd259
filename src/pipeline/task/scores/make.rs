//! Rows of scored games: first makes the scores that they need, then the rows, which are
//! independent.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use bytesize::ByteSize;
use cggames::board::two_rows::TwoRows;
use cggames::game::scored::{Scored, ScoredOption, ScoredVisitor};
use cgsolvers::scores::{Scores, each_endgame, endgame_of, is_determined};
use cgsolvers::tchoukaillon::boards::board;

use super::columns::{EndgameRow, ScoreRow, StartRow, TierRow};
use super::database::{
    bytes_of_moves, positions_up_to, scores, search, seeds_scored, table_of_search,
};
use super::spec::{ScoreFamily, ScoresTask};
use crate::run::checkpoint::ByRank;
use crate::run::memory::bytes_of_threads;
use crate::run::{DiskNeed, Making, MemoryNeed, Parts, Phase, RowTask, RunError};

/// The rows of a part: of positions, and of tiers; other rows take long and are a part each.
const PART_ROWS: [u64; 2] = [1 << 16, 1 << 10];

/// The number of rows made between two checks whether to stop.
const ROWS_A_LOOK: u64 = 1 << 12;

impl RowTask for ScoresTask {
    fn making(&self) -> Making {
        let phase = Phase::Searching;
        Making {
            is_uneven: true,
            ..match self.family {
                ScoreFamily::Starts { .. } => Making::new::<StartRow>(phase, 1),
                ScoreFamily::Endgames { .. } => Making::new::<EndgameRow>(phase, 1),
                ScoreFamily::Tiers { .. } => Making::new::<TierRow>(phase, PART_ROWS[1]),
                _ => Making::new::<ScoreRow>(phase, PART_ROWS[0]),
            }
        }
    }

    /// The scores take a byte for each position in the store.
    fn row_bytes(&self, rows: u64, _is_begun: bool) -> DiskNeed {
        struct Bytes<'a>(&'a ScoresTask);

        impl ScoredVisitor for Bytes<'_> {
            type Output = u64;

            fn visit<G: Scored>(self, _: G) -> u64 {
                let seeds_max = self.0.family.seeds_max().into_iter();
                let bytes = seeds_max.map(|(pits, seeds)| {
                    let scored = self.0.seeds_scored::<G>(pits, seeds);
                    positions_up_to(pits, scored)
                });
                bytes.fold(0, u64::saturating_add)
            }
        }

        let scores = if rows == 0 {
            0
        } else {
            self.game.visit(Bytes(self))
        };
        DiskNeed {
            results: ByteSize(rows),
            store: ByteSize(scores),
        }
    }

    fn memory(&self, _end: u64, threads: u64) -> Option<MemoryNeed> {
        struct MovesAndTable<'a>(&'a ScoresTask, usize, u32);

        impl ScoredVisitor for MovesAndTable<'_> {
            type Output = (u64, ByteSize);

            fn visit<G: Scored>(self, _: G) -> (u64, ByteSize) {
                let MovesAndTable(task, pits, seeds_max) = self;
                let scored = task.seeds_scored::<G>(pits, seeds_max);
                let moves = bytes_of_moves(pits, scored);
                (moves, table_of_search(scored, seeds_max))
            }
        }

        let (mut moves, mut table) = (0u64, ByteSize(0));
        for (pits, seeds_max) in self.family.seeds_max() {
            let needs = self.game.visit(MovesAndTable(self, pits, seeds_max));
            moves = moves.saturating_add(needs.0);
            table = table.max(needs.1);
        }
        let of_threads = bytes_of_threads(threads, table.as_u64());
        Some(MemoryNeed {
            bytes: moves.saturating_add(of_threads),
            purpose: "the moves of all sides, and a table for each thread's search",
        })
    }

    fn make(&self, parts: &Parts<'_>) -> Result<(), RunError> {
        self.game.visit(Make { task: self, parts })
    }
}

struct Make<'a> {
    task: &'a ScoresTask,
    parts: &'a Parts<'a>,
}

impl ScoredVisitor for Make<'_> {
    type Output = Result<(), RunError>;

    fn visit<G: Scored>(self, game: G) -> Result<(), RunError> {
        let Make { task, parts } = self;
        let tracker = &parts.run.session.tracker;
        tracker.expect(parts.rows_left());
        let mut by_pits = BTreeMap::new();
        for (pits, seeds_max) in task.family.seeds_max() {
            let scored = task.seeds_scored::<G>(pits, seeds_max);
            if scored < seeds_max {
                // The number of positions that a search takes is unknown in advance.
                tracker.expect_unknown();
            }
            let made = || scores(parts.run, game, pits, scored);
            by_pits.insert(pits, parts.run.pool.install(made)?);
        }
        parts.begin(Phase::Searching);
        match &task.family {
            ScoreFamily::Starts { .. } => starts(task, parts, game, &by_pits),
            ScoreFamily::Tiers { pits, first, .. } => tiers(task, parts, &by_pits[pits], *first),
            ScoreFamily::Endgames { pits, seeds } => endgames(task, parts, game, *pits, *seeds),
            _ => positions(task, parts, game, &by_pits),
        }
    }
}

fn tiers<G: Scored>(
    task: &ScoresTask,
    parts: &Parts<'_>,
    scores: &Scores<G>,
    first: u32,
) -> Result<(), RunError> {
    let make = |(): &mut (), rank| {
        parts.check_stop()?;
        let row = tier(task, scores, first + rank as u32);
        parts.count_row(1);
        Ok(row)
    };
    parts.make_rows(|| (), make)
}

fn tier<G: Scored>(task: &ScoresTask, scores: &Scores<G>, seeds: u32) -> TierRow {
    /// The statistics of the positions with one margin.
    #[derive(Clone, Copy)]
    struct OfMargin {
        positions: i64,
        first: u64,
    }

    let mut of_margins: Vec<Option<OfMargin>> = vec![None; 2 * seeds as usize + 1];
    let mut endless = 0;
    for (rank, (margin, is_endless)) in (0..).zip(scores.of_tier(seeds)) {
        let place = (margin + seeds as i32) as usize;
        let fresh = OfMargin {
            positions: 0,
            first: rank,
        };
        of_margins[place].get_or_insert(fresh).positions += 1;
        endless += i64::from(is_endless);
    }
    let margins = (-i64::from(seeds)..).zip(of_margins);
    let margins: Vec<(i64, OfMargin)> = margins
        .filter_map(|(margin, of)| Some((margin, of?)))
        .collect();
    let at = |of: &OfMargin| scores.numbering().unrank(seeds, of.first).to_string();
    let (least, greatest) = (&margins[0], &margins[margins.len() - 1]);
    TierRow {
        rules: task.game.rules().into(),
        pits: scores.numbering().pits() as i64,
        seeds: seeds.into(),
        positions: scores.numbering().positions(seeds) as i64,
        endless,
        margin_least: least.0,
        least_at: at(&least.1),
        margin_greatest: greatest.0,
        greatest_at: at(&greatest.1),
        margins: margins.iter().map(|(margin, _)| *margin).collect(),
        counts: margins.iter().map(|(_, of)| of.positions).collect(),
    }
}

/// Returns the name of a move in tables: its pit, counted from 1, or 0 for a pass.
fn pit(option: &ScoredOption) -> i64 {
    option.pit.map_or(0, |pit| i64::from(pit) + 1)
}

fn positions<G: Scored>(
    task: &ScoresTask,
    parts: &Parts<'_>,
    game: G,
    by_pits: &BTreeMap<usize, Scores<G>>,
) -> Result<(), RunError> {
    let seeds_max = task.family.seeds_max();
    parts.make_rows(BTreeMap::new, |searches, rank| {
        if rank.is_multiple_of(ROWS_A_LOOK) {
            parts.check_stop()?;
        }
        let position = task
            .family
            .position(rank, |pits| by_pits[&pits].numbering());
        let pits = position.mover.pits().len();
        let scores = &by_pits[&pits];
        let search = match searches.entry(pits) {
            Entry::Occupied(entry) => entry.into_mut(),
            Entry::Vacant(entry) => {
                let table = table_of_search(scores.tiers() - 1, seeds_max[&pits]);
                entry.insert(search(game, scores, table, &parts.run.session.control)?)
            }
        };
        let margin = search.margin(&position)?;
        let options = search.options(&position)?;
        let best = options.iter().filter(|(_, of)| *of == margin);
        parts.count_row(1);
        Ok(ScoreRow {
            position: position.to_string(),
            rules: task.game.rules().into(),
            pits: pits as i64,
            seeds: position.seeds().into(),
            margin: margin.into(),
            best_moves: best.map(|(option, _)| pit(option)).collect(),
            endless: scores.can_be_endless(&position).unwrap_or(false),
        })
    })
}

fn starts<G: Scored>(
    task: &ScoresTask,
    parts: &Parts<'_>,
    game: G,
    by_pits: &BTreeMap<usize, Scores<G>>,
) -> Result<(), RunError> {
    let rows = ByRank::rows(parts)?;
    let row = |rank| {
        let position = task
            .family
            .position(rank, |pits| by_pits[&pits].numbering());
        let scores = &by_pits[&position.mover.pits().len()];
        let row = start(task, parts, game, scores, &position);
        parts.count_row(1);
        row
    };
    rows.during(|| parts.make_rows(|| (), |(), rank| rows.get(rank, || row(rank))))
}

fn start<G: Scored>(
    task: &ScoresTask,
    parts: &Parts<'_>,
    game: G,
    scores: &Scores<G>,
    position: &TwoRows,
) -> Result<StartRow, RunError> {
    let table = table_of_search(scores.tiers() - 1, position.seeds());
    let mut search = search(game, scores, table, &parts.run.session.control)?;
    let margin = search.margin(position)?;
    let options = search.options(position)?;
    let line = if G::IS_LOOPY {
        None
    } else {
        let line = search.line(position)?;
        let pits = line.iter().map(|(option, _)| {
            let again = if option.moves_again { "+" } else { "" };
            format!("{}{again}", pit(option))
        });
        Some(pits.collect::<Vec<String>>().join(" "))
    };
    Ok(StartRow {
        pits: position.mover.pits().len() as i64,
        pit_seeds: position.mover.pits()[0].into(),
        rules: task.game.rules().into(),
        position: position.to_string(),
        margin: margin.into(),
        moves: options.iter().map(|(option, _)| pit(option)).collect(),
        move_margins: options.iter().map(|&(_, margin)| margin.into()).collect(),
        line,
        searched: search.searched as i64,
        scored_to: i64::from(scores.tiers()) - 1,
    })
}

fn endgames<G: Scored>(
    task: &ScoresTask,
    parts: &Parts<'_>,
    game: G,
    pits: (usize, usize),
    seeds: (u32, u32),
) -> Result<(), RunError> {
    let make = |(): &mut (), rank| {
        let (pits, seeds) = ScoreFamily::pits_and_seeds(rank, pits, seeds);
        let row = endgames_with(task, parts, game, pits, seeds)?;
        parts.count_row(1);
        Ok(row)
    };
    parts.make_rows(|| (), make)
}

fn endgames_with<G: Scored>(
    task: &ScoresTask,
    parts: &Parts<'_>,
    game: G,
    pits: usize,
    seeds: u32,
) -> Result<EndgameRow, RunError> {
    let (mut positions, mut determined) = (0u64, Vec::new());
    let mut stopped = Ok(());
    each_endgame(pits, seeds, &mut |position| {
        if positions.is_multiple_of(ROWS_A_LOOK) && stopped.is_ok() {
            stopped = parts.check_stop();
        }
        positions += 1;
        if stopped.is_ok() && is_determined(game, &position) {
            determined.push(position);
        }
    });
    stopped?;
    let board = board((seeds - 1).into()).expect("fewer than 128 stones are a short board");
    let as_position = endgame_of(&board, pits);
    Ok(EndgameRow {
        rules: task.game.rules().into(),
        pits: pits as i64,
        seeds: seeds.into(),
        positions: positions as i64,
        determined: determined.len() as i64,
        first: determined.first().map(TwoRows::to_string),
        board: as_position.map(|_| board.to_string()),
        corresponds: determined == Vec::from_iter(as_position),
    })
}

impl ScoresTask {
    /// Returns the number of seeds up to which positions with some number of pits are scored;
    /// depends on the task alone. Whole tiers, and families numbered by rank, are always scored.
    pub(super) fn seeds_scored<G: Scored>(&self, pits: usize, seeds_max: u32) -> u32 {
        let is_searched = match self.family {
            ScoreFamily::Starts { .. } | ScoreFamily::Listed(_) => true,
            ScoreFamily::Tiers { .. }
            | ScoreFamily::Endgames { .. }
            | ScoreFamily::All(_)
            | ScoreFamily::Sample { .. } => false,
        };
        let all = G::IS_LOOPY || !is_searched;
        seeds_scored(all, pits, seeds_max, u64::MAX)
    }
}
