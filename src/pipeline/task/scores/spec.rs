//! Jobs over scored games: rows for tiers, for positions or for starting positions.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;
use std::sync::Arc;

use cggames::board::two_rows::{SIDE_PITS_MAX, Side, TWO_ROWS_SEEDS_MAX, TwoRows};
use cggames::family::{draw, read_lines};
use cggames::game::GameKind;
use cggames::game::scored::ScoredGame;
use cgsolvers::scores::{Numbering, positions_of};
use seedbank_specs::sections::{self, RangeKey, one_kind, read_range, read_table};
use seedbank_specs::{Fault, Field, Fields, POSITIONS_MAX, Problems, read_choice};

use super::database::{positions_up_to, seeds_limit};
use crate::run::Task;
use crate::task::kind::Sections;

/// The kinds of families; the last is for games without extra moves.
const KINDS: [&str; 7] = [
    "starts",
    "tiers",
    "all",
    "positions",
    "file",
    "sample",
    "endgames",
];

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

/// How `seedbank table` prints a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScoresLayout {
    /// A line for each row.
    List,
    /// For starting positions: a line for each number of pits and a column for each number of
    /// seeds.
    Grid,
}

impl Tiers {
    /// Returns the number of positions.
    fn len(self) -> u64 {
        let fewer = self.first.checked_sub(1);
        let fewer = fewer.map_or(0, |seeds| positions_up_to(self.pits, seeds));
        positions_up_to(self.pits, self.last) - fewer
    }

    fn get(self, mut rank: u64, numbering: &Numbering) -> TwoRows {
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
        numbering: impl Fn(usize) -> &'n Numbering,
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

/// Reads the sections of a job of this kind.
pub(super) fn read(
    problems: &mut Problems<'_>,
    sections: Sections<'_, '_>,
) -> Option<Arc<dyn Task>> {
    let (entry, base_dir) = (sections.game?, sections.base_dir);
    let GameKind::Scored(game) = entry.kind else {
        return None;
    };
    let game = sections.ruleset.and_then(|mut ruleset| {
        let names: Vec<&str> = game.all_rules().into_iter().map(|(name, _)| name).collect();
        let game = match ruleset.take(game.key()) {
            Some(field) => read_choice(problems, &field, game.key(), &names)
                .and_then(|name| game.with_rules(name).ok()),
            None => Some(game),
        };
        ruleset.finish(problems);
        game
    });
    let most = game.map_or(TWO_ROWS_SEEDS_MAX, seeds_limit);
    let family = sections
        .family
        .and_then(|fields| read_family(problems, fields, game, most, base_dir));
    let layouts: &[&str] = match family {
        None | Some(ScoreFamily::Starts { .. }) => &["list", "grid"],
        Some(_) => &["list"],
    };
    let layout = read_table(problems, sections.others, layouts, false);
    Some(Arc::new(ScoresTask {
        name: entry.name,
        game: game?,
        family: family?,
        layout: match layout?.0 {
            "grid" => ScoresLayout::Grid,
            _ => ScoresLayout::List,
        },
    }))
}

fn read_family(
    problems: &mut Problems<'_>,
    mut fields: Fields<'_>,
    game: Option<ScoredGame>,
    most: u32,
    base_dir: &Path,
) -> Option<ScoreFamily> {
    let kinds = match game {
        Some(ScoredGame::Kalah(_)) => &KINDS[..6],
        _ => &KINDS[..],
    };
    let kind = one_kind(problems, &mut fields, kinds);
    fields.finish(problems);
    let kind = kind?;
    match kind.name.as_str() {
        "starts" => {
            let (pits, seeds) = read_ranges(problems, &kind, "seeds of a pit", 0, most)?;
            fits(
                problems,
                &kind,
                2 * pits.1 as u64 * u64::from(seeds.1),
                most,
            )?;
            Some(ScoreFamily::Starts { pits, seeds })
        }
        "endgames" => {
            // The opponent has one seed and the player to move at least one.
            let (pits, seeds) = read_ranges(problems, &kind, "seeds", 2, most)?;
            Some(ScoreFamily::Endgames { pits, seeds })
        }
        "tiers" => {
            let Tiers { pits, first, last } = read_tiers(problems, &kind, most)?;
            Some(ScoreFamily::Tiers { pits, first, last })
        }
        "all" => read_tiers(problems, &kind, most).map(ScoreFamily::All),
        "positions" => read_positions(problems, &kind, most).map(ScoreFamily::Listed),
        "file" => {
            let (path, text) = kind.file(problems, base_dir)?;
            let read = read_lines(&path, &text, |line| Ok(line.parse()?));
            let positions: Vec<TwoRows> = problems.ok(&kind, read)?;
            let seeds = positions.iter().map(TwoRows::seeds).max();
            fits(problems, &kind, seeds.unwrap_or(0).into(), most)?;
            Some(ScoreFamily::Listed(positions))
        }
        _ => read_sample(problems, &kind, most),
    }
}

/// Reads the pits of a side and the numbers of seeds, at least `least`.
fn read_ranges(
    problems: &mut Problems<'_>,
    field: &Field<'_>,
    what: &'static str,
    least: u32,
    most: u32,
) -> Option<((usize, usize), (u32, u32))> {
    let example = "a table, such as { pits = \"1..=6\", seeds = \"2..=4\" }";
    let pits = RangeKey {
        name: "pits",
        example: "pits = \"1..=6\"",
        what: "pits of a side",
        min: 1,
        max: SIDE_PITS_MAX as u64,
    };
    let seeds = RangeKey {
        name: "seeds",
        example: "seeds = \"2..=4\"",
        what,
        min: least.into(),
        max: most.into(),
    };
    let [pits, seeds] = sections::read_ranges(problems, field, example, [pits, seeds])?;
    Some((
        (pits.0 as usize, pits.1 as usize),
        (seeds.0 as u32, seeds.1 as u32),
    ))
}

/// Reports positions with more seeds than scores exist for.
fn fits(problems: &mut Problems<'_>, field: &Field<'_>, found: u64, max: u32) -> Option<()> {
    if found <= max.into() {
        return Some(());
    }
    let fault = Fault::TwoRowsSeeds { found, max };
    problems.add(&field.key, field.span.clone(), fault);
    None
}

fn read_tiers(problems: &mut Problems<'_>, field: &Field<'_>, most: u32) -> Option<Tiers> {
    let example = "a table, such as { pits = 6, seeds = \"0..=12\" }";
    let mut fields = field.table(problems, example)?;
    let tiers = take_tiers(problems, &mut fields, most);
    fields.finish(problems);
    tiers
}

/// Takes the keys that select tiers.
fn take_tiers(problems: &mut Problems<'_>, fields: &mut Fields<'_>, most: u32) -> Option<Tiers> {
    let pits = fields
        .require(problems, "pits", "pits = 6")
        .and_then(|field| field.integer(problems, 1, SIDE_PITS_MAX as i64));
    let field = fields.require(problems, "seeds", "seeds = \"0..=12\"")?;
    let (first, last) = read_range(problems, &field, "seeds", most.into())?;
    let tiers = Tiers {
        pits: pits?.unsigned_abs() as usize,
        first: first as u32,
        last: last as u32,
    };
    let found = match positions_of(tiers.pits, tiers.last) {
        Some(_) => tiers.len(),
        None => u64::MAX,
    };
    sections::at_most_rows(
        problems,
        &field,
        "positions in these tiers",
        found,
        POSITIONS_MAX,
    )?;
    Some(tiers)
}

fn read_positions(
    problems: &mut Problems<'_>,
    field: &Field<'_>,
    most: u32,
) -> Option<Vec<TwoRows>> {
    let elements = field.array(problems, "a list, such as [\"3 2 0 / 1 0 3\"]")?;
    let read = |element: &Field<'_>| {
        let text = element.string(problems, "a string, such as \"3 2 0 / 1 0 3\"")?;
        let position: TwoRows = problems.ok(element, text.parse())?;
        fits(problems, element, position.seeds().into(), most)?;
        Some(position)
    };
    let positions: Vec<Option<TwoRows>> = elements.iter().map(read).collect();
    positions.into_iter().collect()
}

fn read_sample(problems: &mut Problems<'_>, field: &Field<'_>, most: u32) -> Option<ScoreFamily> {
    let example = "a table, such as { pits = 6, seeds = \"12\", count = 1000, seed = 1 }";
    let mut fields = field.table(problems, example)?;
    let of = take_tiers(problems, &mut fields, most);
    let count = fields
        .require(problems, "count", "count = 1000")
        .and_then(|field| field.integer(problems, 1, POSITIONS_MAX as i64));
    let seed = fields
        .require(problems, "seed", "seed = 1")
        .and_then(|field| field.integer(problems, 0, i64::MAX));
    fields.finish(problems);
    Some(ScoreFamily::Sample {
        of: of?,
        count: count?.unsigned_abs(),
        seed: seed?.unsigned_abs(),
    })
}
