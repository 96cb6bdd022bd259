//! Jobs over scored games: rows for tiers, for positions or for starting positions.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;
use std::sync::Arc;

use cggames::board::two_rows::{SIDE_PITS_MAX, Side, TWO_ROWS_SEEDS_MAX, TwoRows};
use cggames::family::{draw, read_lines};
use cggames::game::GameKind;
use cggames::game::scored::ScoredGame;
use cgsolvers::scores::{TierNumbering, positions_of};
use seedbank_specs::form::{FamilyKind, Form, Keys, integer, list, parsed, table, word};
use seedbank_specs::{Field, POSITIONS_MAX, Problems, choice, keys, kinds};

use super::database::{positions_up_to, seeds_limit};
use crate::run::Task;
use crate::task::forms::{file, range};
use crate::task::kind::{Spec, of_alternative};

/// A job over a scored game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScoresTask {
    /// The name of the game.
    pub name: &'static str,
    /// The game, with its rules.
    pub game: ScoredGame,
    /// The family that rows are about.
    pub family: ScoreFamily,
    /// How the result is printed.
    pub layout: ScoresLayout,
}

/// The family that rows are about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ScoreFamily {
    /// Starting positions, with the same number of seeds in each pit: one for each number of pits
    /// of a side and each number of seeds of a pit.
    Starts {
        /// The least and the greatest number of pits of a side.
        pits: (usize, usize),
        /// The least and the greatest number of seeds of a pit.
        seeds: (u32, u32),
    },
    /// Tiers, a row for each.
    Tiers {
        /// The pits of a side.
        pits: usize,
        /// The least number of seeds.
        first: u32,
        /// The greatest.
        last: u32,
    },
    /// For each number of pits of a side and each number of seeds, the endgames that one player
    /// decides alone.
    Endgames {
        /// The least and the greatest number of pits of a side.
        pits: (usize, usize),
        /// The least and the greatest number of seeds in all pits.
        seeds: (u32, u32),
    },
    /// All positions of some tiers.
    All(Tiers),
    /// Listed positions, in the spec or in a file.
    Listed(Vec<TwoRows>),
    /// Positions of some tiers, drawn at random with replacement, all equally likely.
    Sample {
        /// The tiers.
        of: Tiers,
        /// The number of draws.
        count: u64,
        /// The seed of the generator.
        seed: u64,
    },
}

/// Some tiers of boards of one size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tiers {
    /// The pits of a side.
    pub pits: usize,
    /// The least number of seeds.
    pub first: u32,
    /// The greatest.
    pub last: u32,
}

choice! {
    /// How `seedbank table` prints a result.
    pub enum ScoresLayout {
        /// A line for each row.
        List = "list",
        /// For starting positions: a line for each number of pits and a column for each number of
        /// seeds.
        Grid = "grid",
    }
}

impl Tiers {
    /// Returns the number of positions.
    fn len(self) -> u64 {
        let fewer = self.first.checked_sub(1);
        let fewer = fewer.map_or(0, |seeds| positions_up_to(self.pits, seeds));
        positions_up_to(self.pits, self.last) - fewer
    }

    fn get(self, mut rank: u64, numbering: &TierNumbering) -> TwoRows {
        for seeds in self.first..=self.last {
            let positions = numbering.positions(seeds);
            if rank < positions {
                return numbering.unrank(seeds, rank);
            }
            rank -= positions;
        }
        unreachable!("a rank is less than the number of positions")
    }
}

impl fmt::Display for Tiers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Tiers { pits, first, last } = self;
        write!(f, "{pits} pits a side, {first} to {last} seeds")
    }
}

impl ScoreFamily {
    /// Returns the number of members.
    pub fn len(&self) -> u64 {
        match self {
            ScoreFamily::Starts { pits, seeds } | ScoreFamily::Endgames { pits, seeds } => {
                (pits.1 - pits.0 + 1) as u64 * u64::from(seeds.1 - seeds.0 + 1)
            }
            ScoreFamily::Tiers { first, last, .. } => u64::from(last - first + 1),
            ScoreFamily::All(tiers) => tiers.len(),
            ScoreFamily::Listed(positions) => positions.len() as u64,
            ScoreFamily::Sample { count, .. } => *count,
        }
    }

    /// Returns whether there are no members, which no valid spec allows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the greatest number of seeds for each number of pits of a side.
    pub(super) fn seeds_max(&self) -> BTreeMap<usize, u32> {
        match self {
            ScoreFamily::Starts { pits, seeds } => (pits.0..=pits.1)
                .map(|pits| (pits, 2 * pits as u32 * seeds.1))
                .collect(),
            ScoreFamily::Tiers { pits, last, .. } => BTreeMap::from([(*pits, *last)]),
            ScoreFamily::All(of) | ScoreFamily::Sample { of, .. } => {
                BTreeMap::from([(of.pits, of.last)])
            }
            ScoreFamily::Listed(positions) => seeds_max(positions),
            ScoreFamily::Endgames { .. } => BTreeMap::new(),
        }
    }

    /// Returns the pits of a side and the seeds at a rank, if rows are about starting positions or
    /// endgames.
    pub(super) fn pits_and_seeds(
        rank: u64,
        pits: (usize, usize),
        seeds: (u32, u32),
    ) -> (usize, u32) {
        let width = u64::from(seeds.1 - seeds.0 + 1);
        (
            pits.0 + (rank / width) as usize,
            seeds.0 + (rank % width) as u32,
        )
    }

    /// Returns the position of a rank.
    ///
    /// # Panics
    ///
    /// If rows are about tiers or endgames.
    pub(super) fn position<'n>(
        &self,
        rank: u64,
        numbering: impl Fn(usize) -> &'n TierNumbering,
    ) -> TwoRows {
        match self {
            ScoreFamily::Starts { pits, seeds } => {
                let (pits, seeds) = ScoreFamily::pits_and_seeds(rank, *pits, *seeds);
                let mut side = Side::empty(pits);
                side.pits_mut().fill(seeds as u8);
                TwoRows {
                    mover: side,
                    opponent: side,
                }
            }
            ScoreFamily::All(tiers) => tiers.get(rank, numbering(tiers.pits)),
            ScoreFamily::Listed(positions) => positions[rank as usize],
            ScoreFamily::Sample { of, seed, .. } => {
                of.get(draw(*seed, rank, of.len()), numbering(of.pits))
            }
            ScoreFamily::Tiers { .. } | ScoreFamily::Endgames { .. } => {
                panic!("a row is about many positions")
            }
        }
    }
}

impl fmt::Display for ScoreFamily {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ScoreFamily::Starts { pits, seeds } => write!(
                f,
                "starts of {} to {} pits a side, {} to {} seeds a pit",
                pits.0, pits.1, seeds.0, seeds.1
            ),
            ScoreFamily::Endgames { pits, seeds } => write!(
                f,
                "endgames of {} to {} pits a side, {} to {} seeds",
                pits.0, pits.1, seeds.0, seeds.1
            ),
            &ScoreFamily::Tiers { pits, first, last } => {
                write!(f, "tiers of {}", Tiers { pits, first, last })
            }
            ScoreFamily::All(tiers) => write!(f, "all of {tiers}"),
            ScoreFamily::Listed(positions) => write!(f, "{} positions", positions.len()),
            ScoreFamily::Sample { of, count, seed } => {
                write!(f, "{count} of {of}, drawn with seed {seed}")
            }
        }
    }
}

/// Returns the greatest number of seeds of some positions, for each number of pits of a side.
pub(super) fn seeds_max(positions: &[TwoRows]) -> BTreeMap<usize, u32> {
    let mut seeds_max: BTreeMap<usize, u32> = BTreeMap::new();
    for position in positions {
        let most = seeds_max.entry(position.mover.pits().len()).or_default();
        *most = position.seeds().max(*most);
    }
    seeds_max
}

/// The sections of a job of this kind.
pub(super) fn spec(spec: &mut Spec<'_, '_, '_>) -> Option<Arc<dyn Task>> {
    let entry = spec.game?;
    let GameKind::Scored(game) = entry.kind else {
        return None;
    };
    let game = spec.ruleset(|keys| {
        let names = game.all_rules().into_iter().map(|(name, _)| (name, name));
        let rules = word(game.key(), "a string", names);
        let meaning = "by which rules the game is played";
        match keys.optional(game.key(), meaning, rules)? {
            Some(name) => game.with_rules(name).ok(),
            None => Some(game),
        }
    });
    let (alternative, base_dir) = (spec.alternative(), spec.base_dir);
    let most = game.map_or(TWO_ROWS_SEEDS_MAX, seeds_limit);
    let family = spec.family(|keys| {
        let mut families = families(most, base_dir);
        // Of invalid rules all kinds are read, so that the problems of the family are reported.
        let is_known = game.is_some() || alternative.is_some();
        if is_known && matches!(entry.kind, GameKind::Scored(ScoredGame::Kalah(_))) {
            families.pop();
        }
        keys.one_of(of_alternative(families, alternative))
    });
    let has_grid = match &family {
        Some(family) => matches!(family, ScoreFamily::Starts { .. }),
        None => alternative != Some(1),
    };
    let layout = spec.layout_with_grid(has_grid, ScoresLayout::NAMED);
    Some(Arc::new(ScoresTask {
        name: entry.name,
        game: game?,
        family: family?,
        layout: layout?,
    }))
}

/// The kinds of families; the last is for games without extra moves, and only the first has a grid.
fn families(most: u32, base_dir: &Path) -> Vec<FamilyKind<'_, ScoreFamily>> {
    let starts = pits_and_seeds("seeds of a pit", 0, most).then(move |problems, field, found| {
        let (pits, seeds) = found;
        fits(
            problems,
            field,
            2 * pits.1 as u64 * u64::from(seeds.1),
            most,
        )?;
        Some(ScoreFamily::Starts { pits, seeds })
    });
    // The opponent has one seed and the player to move at least one.
    let endgames = pits_and_seeds("seeds", 2, most);
    let accepted = "a table, such as { pits = 6, seeds = \"0..=12\" }";
    let of_tiers = move || table(accepted, move |keys| tiers(keys, most));
    let position = parsed("a string, such as \"3 2 0 / 1 0 3\"");
    let position = position.then(move |problems, field, position: TwoRows| {
        fits(problems, field, position.seeds().into(), most)?;
        Some(position)
    });
    let lines = file(base_dir)
        .try_map(|(path, text)| read_lines::<TwoRows>(&path, &text, |line| Ok(line.parse()?)));
    let lines = lines.then(move |problems, field, positions| {
        let seeds = positions.iter().map(TwoRows::seeds).max();
        fits(problems, field, seeds.unwrap_or(0).into(), most)?;
        Some(ScoreFamily::Listed(positions))
    });
    let drawn = keys!({
        /// the number of positions
        count: integer(1, POSITIONS_MAX), required "count = 1000";
        /// the seed of the generator
        seed: integer(0, i64::MAX as u64), required "seed = 1";
    });
    let accepted = "a table, such as { pits = 6, seeds = \"12\", count = 1000, seed = 1 }";
    let sample = table(accepted, move |keys| {
        let (of, drawn) = (tiers(keys, most), drawn(keys));
        let (of, (count, seed)) = (of?, drawn?);
        Some(ScoreFamily::Sample { of, count, seed })
    });
    let listed = list("a list, such as [\"3 2 0 / 1 0 3\"]", position);
    kinds! {
        /// starting positions, with equally many seeds in each pit
        starts: starts;
        /// for each number of seeds how many positions have each margin
        tiers: of_tiers().map(|Tiers { pits, first, last }| ScoreFamily::Tiers { pits, first, last });
        /// every position with these seeds
        all: of_tiers().map(ScoreFamily::All);
        /// positions written out
        positions: listed.map(ScoreFamily::Listed);
        /// a text file with one position a line, by its path from the spec's folder
        file: lines;
        /// positions drawn at random
        sample: sample;
        /// endgames that one player decides alone, for each number of pits and seeds
        endgames: endgames.map(|(pits, seeds)| ScoreFamily::Endgames { pits, seeds });
    }
}

/// The pits of a side and the numbers of seeds, at least `least`.
fn pits_and_seeds<'f>(
    what: &'static str,
    least: u32,
    most: u32,
) -> Form<'f, ((usize, usize), (u32, u32))> {
    let keys = keys!({
        /// the pits of a side
        pits: range("pits of a side", 1, SIDE_PITS_MAX as u64), required "pits = \"1..=6\"";
        /// the numbers of seeds
        seeds: range(what, least.into(), most.into()), required "seeds = \"2..=4\"";
    });
    let accepted = "a table, such as { pits = \"1..=6\", seeds = \"2..=4\" }";
    table(accepted, keys).map(|(pits, seeds)| {
        let pits = (pits.0 as usize, pits.1 as usize);
        (pits, (seeds.0 as u32, seeds.1 as u32))
    })
}

/// Reports positions with more seeds than scores exist for.
fn fits(problems: &mut Problems<'_>, field: &Field<'_>, found: u64, max: u32) -> Option<()> {
    if found <= max.into() {
        return Some(());
    }
    let fault = format!("positions of {found} seeds; accepted: at most {max}");
    field.refuse(problems, fault)
}

/// The keys that select tiers.
fn tiers(keys: &mut Keys<'_, '_, '_>, most: u32) -> Option<Tiers> {
    let pits = integer(1, SIDE_PITS_MAX);
    let pits = keys.required("pits", "the pits of a side", pits, "pits = 6");
    let seeds = range("seeds", 0, most.into()).then(move |_, _, (first, last)| {
        let (first, last) = (first as u32, last as u32);
        Some(Tiers {
            pits: pits?,
            first,
            last,
        })
    });
    let number = |tiers: &Tiers| match positions_of(tiers.pits, tiers.last) {
        Some(_) => tiers.len(),
        None => u64::MAX,
    };
    let seeds = seeds.at_most("positions in these tiers", POSITIONS_MAX, number);
    let meaning = "the numbers of seeds, such as \"0..=12\"";
    keys.required("seeds", meaning, seeds, "seeds = \"0..=12\"")
}
