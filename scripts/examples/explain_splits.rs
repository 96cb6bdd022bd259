//! Why rows are worth the sum of two parts although no rule of the game splits them, and why end pots of one seed do not matter:
//!
//! ```console
//! $ cargo run --release --example explain_splits -- sowing 8 8
//! ...
//! 8 seeds: splits 264, apart 29, inherited 237, primitive 27; idle ends 429, apart 101, inherited 389, primitive 40
//! ```
//!
//! The arguments are the game, `sowing` or `atomic-wari`, the most pots and the most seeds. All rows are examined, one of each
//! mirror pair, and all cuts between two pots. At a cut a row *splits* if its value is the sum of those of the two parts. Listed are
//! splits of two parts with moves, and *idle ends*, where one part is a single seed at the end. An option *keeps to a side* if its
//! move changes no pot on one side of the cut. A split is
//!
//! - *apart* if all options keep to a side, and all options of these, and so on;
//! - *inherited* if the options that keep to a side and split at the cut determine the sum: `{l|r} = sum`, where l are such options of
//!   Left and r such options of Right. If no other option of Left is at least the sum and none of Right at most the sum, the row
//!   splits then (the gift horse principle), and only then. Splits that are apart are inherited;
//! - *primitive* otherwise. From these all splits are inherited, and from no fewer.
//!
//! With a fourth argument, `primitive`, the program prints the primitive splits.

use std::collections::HashMap;
use std::env;
use std::error::Error;
use std::fmt;
use std::process::ExitCode;

use seedbank::board::Strip;
use seedbank::board::row::{Pot, Row};
use seedbank::engine::{CanonicalForms, Engine, NothingKnown, Search};
use seedbank::game::{AtomicWari, Parameters, Player, PotGame, Ruleset, Sowing};
use seedbank::value::{Calculator, ValueId};

#[allow(dead_code, reason = "a test uses the rest")]
fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &[&str]) -> Result<(), Box<dyn Error>> {
    let usage = "arguments: sowing or atomic-wari, the most pots, the most seeds, and primitive to list these splits";
    let (game, pots, seeds, lists) = match *arguments {
        [game, pots, seeds] => (game, pots, seeds, false),
        [game, pots, seeds, "primitive"] => (game, pots, seeds, true),
        _ => return Err(usage.into()),
    };
    // A pot never holds more than all seeds, which fit in a byte.
    let number = |text: &str, what: &str| match text.parse::<u8>() {
        Ok(number) => Ok(usize::from(number)),
        Err(error) => Err(format!("{text}: the most {what}, up to 255: {error}")),
    };
    let (pots, seeds) = (number(pots, "pots")?, number(seeds, "seeds")?);
    let mut tell = |seeds: usize, [splits, idle]: &[Splits; 2]| {
        println!("{seeds} seeds: splits {splits}; idle ends {idle}");
        let lists = [splits, idle].into_iter().filter(|_| lists);
        lists.for_each(|splits| println!("{}", splits.primitive.join(" ")));
    };
    match game {
        Sowing::NAME => explain::<Sowing>(sown, pots, seeds, &mut tell),
        AtomicWari::NAME => explain::<AtomicWari>(captured, pots, seeds, &mut tell),
        _ => Err(usage.into()),
    }
}

/// Returns the pots after a move from one place, Left's to the right; `None` if it is illegal. Pots on both ends are empty.
type Move = fn(&[u8], usize, Player) -> Option<Vec<u8>>;

/// A move of Sowing.
pub(crate) fn sown(pots: &[u8], from: usize, player: Player) -> Option<Vec<u8>> {
    let seeds = usize::from(pots[from]);
    let last = place(from, seeds, player);
    if seeds == 0 || pots[last] == 0 {
        return None;
    }
    let mut option = pots.to_vec();
    option[from] = 0;
    (1..=seeds).for_each(|step| option[place(from, step, player)] += 1);
    Some(option)
}

/// A move of Atomic Wari.
pub(crate) fn captured(pots: &[u8], from: usize, player: Player) -> Option<Vec<u8>> {
    let seeds = usize::from(pots[from]);
    if seeds < 2 {
        return None;
    }
    let mut option = pots.to_vec();
    option[from] = 0;
    (0..seeds).for_each(|step| option[place(from, step, player)] += 1);
    // The pot sown from has one seed, which ends the chain.
    for step in (0..seeds).rev() {
        match &mut option[place(from, step, player)] {
            captured @ 2..=3 => *captured = 0,
            _ => break,
        }
    }
    Some(option)
}

fn place(from: usize, step: usize, player: Player) -> usize {
    match player {
        Player::Left => from + step,
        Player::Right => from - step,
    }
}

/// The splits of the rows of one number of seeds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Splits {
    /// The rows that split somewhere.
    pub(crate) rows: u64,
    /// All splits.
    pub(crate) all: u64,
    /// Those that are apart.
    pub(crate) apart: u64,
    /// Those that are primitive.
    pub(crate) primitive: Vec<String>,
}

impl fmt::Display for Splits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (all, apart, primitive) = (self.all, self.apart, self.primitive.len() as u64);
        let inherited = all - primitive;
        write!(
            f,
            "{all}, apart {apart}, inherited {inherited}, primitive {primitive}"
        )
    }
}

/// Passes the splits of two parts with moves, and the idle ends, of the rows of each number of seeds.
///
/// # Errors
///
/// A row that cannot be evaluated.
pub(crate) fn explain<G>(
    moved: Move,
    pots_max: usize,
    seeds_max: usize,
    tell: &mut impl FnMut(usize, &[Splits; 2]),
) -> Result<(), Box<dyn Error>>
where
    G: PotGame<Board = Row, Position = Strip>,
{
    let game = G::with(Parameters::DEFAULT);
    let engine = Engine::new(G::with(Parameters::DEFAULT), CanonicalForms::default());
    let mut splitter = Splitter {
        game: &game,
        moved,
        search: engine.search(&NothingKnown),
        calculator: engine.valuation.arena.calculator(),
        values: HashMap::new(),
        kinds: HashMap::new(),
    };
    for seeds in 1..=seeds_max {
        let mut found = [Splits::default(), Splits::default()];
        for pots in 2..=pots_max {
            let mut rows = Vec::new();
            each_row(&mut Vec::new(), pots, seeds, &mut |row| {
                rows.push(row.to_vec())
            });
            for row in rows {
                let before = [found[0].all, found[1].all];
                for cut in 1..pots {
                    splitter.examine(&row, cut, &mut found)?;
                }
                for (found, before) in found.iter_mut().zip(before) {
                    found.rows += u64::from(found.all > before);
                }
            }
        }
        tell(seeds, &found);
    }
    Ok(())
}

/// Visits the rows of this many pots and seeds without empty ends, one of each mirror pair.
fn each_row(begun: &mut Vec<u8>, pots: usize, seeds: usize, visit: &mut impl FnMut(&[u8])) {
    if begun.len() + 1 == pots {
        begun.push(seeds as u8);
        if seeds > 0 && begun.iter().le(begun.iter().rev()) {
            visit(begun);
        }
        begun.pop();
        return;
    }
    let least = usize::from(begun.is_empty());
    for here in least..=seeds {
        begun.push(here as u8);
        each_row(begun, pots, seeds - here, visit);
        begun.pop();
    }
}

/// The pots from the first to the last nonempty one.
fn trimmed(pots: &[u8]) -> &[u8] {
    let is_full = |seeds: &u8| *seeds > 0;
    match pots
        .iter()
        .position(is_full)
        .zip(pots.iter().rposition(is_full))
    {
        Some((first, last)) => &pots[first..=last],
        None => &[],
    }
}

/// How a row is related to its parts at a cut.
#[derive(Clone, Copy)]
struct Kind {
    splits: bool,
    apart: bool,
    inherited: bool,
}

/// An option of a row.
struct Moved {
    player: Player,
    pots: Vec<u8>,
    cut: usize,
    /// Whether the move keeps to a side of the cut.
    keeps: bool,
}

struct Splitter<'e, G: Ruleset> {
    game: &'e G,
    moved: Move,
    search: Search<'e, G, CanonicalForms>,
    calculator: Calculator<'e>,
    values: HashMap<Vec<u8>, ValueId>,
    kinds: HashMap<(Vec<u8>, usize), Kind>,
}

impl<G: PotGame<Board = Row, Position = Strip>> Splitter<'_, G> {
    fn position(&self, pots: &[u8]) -> Result<Strip, Box<dyn Error>> {
        let pots = pots.iter().map(|&seeds| Pot::Seeds(seeds.into())).collect();
        Ok(self.game.position(&Row {
            pots,
            ..Row::default()
        })?)
    }

    fn value(&mut self, pots: &[u8]) -> Result<ValueId, Box<dyn Error>> {
        let pots = trimmed(pots);
        if let Some(value) = self.values.get(pots) {
            return Ok(*value);
        }
        let word = self.search.evaluate(&self.position(pots)?)?;
        let value = CanonicalForms::value(word);
        self.values.insert(pots.to_vec(), value);
        Ok(value)
    }

    /// The value of the sum of the parts.
    fn sum(&mut self, pots: &[u8], cut: usize) -> Result<ValueId, Box<dyn Error>> {
        let (left, right) = (self.value(&pots[..cut])?, self.value(&pots[cut..])?);
        Ok(self.calculator.sum(left, right)?)
    }

    /// Returns whether the game's own rules make a row the sum of two parts.
    fn is_by_rule(&self, row: &[u8], parts: [&[u8]; 2]) -> Result<bool, Box<dyn Error>> {
        let components = |pots: &[u8]| -> Result<Vec<String>, Box<dyn Error>> {
            let components = self.game.components(&self.position(pots)?);
            Ok(components.iter().map(ToString::to_string).collect())
        };
        let mut whole = components(row)?;
        let mut apart = [components(parts[0])?, components(parts[1])?].concat();
        whole.sort();
        apart.sort();
        Ok(whole == apart)
    }

    /// Counts the split of a row at a cut, if there is one.
    fn examine(
        &mut self,
        row: &[u8],
        cut: usize,
        found: &mut [Splits; 2],
    ) -> Result<(), Box<dyn Error>> {
        let parts = [&row[..cut], &row[cut..]].map(trimmed);
        // Of the cuts in a gap the first one is examined.
        if row[cut - 1] == 0 || self.is_by_rule(row, parts)? {
            return Ok(());
        }
        let moving = parts.map(|part| !self.options(part, 0).is_empty());
        let found = match (moving, parts) {
            ([true, true], _) => &mut found[0],
            (_, [[1], _] | [_, [1]]) => &mut found[1],
            _ => return Ok(()),
        };
        let kind = self.kind(row, cut)?;
        if kind.splits {
            found.all += 1;
            found.apart += u64::from(kind.apart);
            if !kind.inherited {
                let [left, right] = [&row[..cut], &row[cut..]]
                    .map(|part| part.iter().map(u8::to_string).collect::<String>());
                found.primitive.push(format!("{left}|{right}"));
            }
        }
        Ok(())
    }

    fn options(&self, pots: &[u8], cut: usize) -> Vec<Moved> {
        // Empty pots that seeds may reach.
        let margin = vec![0; pots.iter().copied().max().unwrap_or(0).into()];
        let (padded, cut) = ([&margin[..], pots, &margin].concat(), cut + margin.len());
        let mut options = Vec::new();
        for from in margin.len()..margin.len() + pots.len() {
            for player in Player::BOTH {
                options.extend((self.moved)(&padded, from, player).map(|pots| Moved {
                    player,
                    keeps: pots[..cut] == padded[..cut] || pots[cut..] == padded[cut..],
                    pots,
                    cut,
                }));
            }
        }
        options
    }

    fn kind(&mut self, pots: &[u8], cut: usize) -> Result<Kind, Box<dyn Error>> {
        let first = pots.iter().position(|seeds| *seeds > 0).unwrap_or(0);
        let pots = trimmed(pots);
        if cut <= first || cut >= first + pots.len() {
            return Ok(Kind {
                splits: true,
                apart: true,
                inherited: true,
            });
        }
        let cut = cut - first;
        let key = (pots.to_vec(), cut);
        if let Some(kind) = self.kinds.get(&key) {
            return Ok(*kind);
        }
        let sum = self.sum(pots, cut)?;
        let mut kind = Kind {
            splits: self.value(pots)? == sum,
            apart: true,
            inherited: false,
        };
        let [mut left, mut right] = [Vec::new(), Vec::new()];
        for option in self.options(pots, cut) {
            if !option.keeps {
                kind.apart = false;
                continue;
            }
            let of_option = self.kind(&option.pots, option.cut)?;
            kind.apart &= of_option.apart;
            if of_option.splits {
                let value = self.value(&option.pots)?;
                match option.player {
                    Player::Left => left.push(value),
                    Player::Right => right.push(value),
                }
            }
        }
        kind.inherited = kind.splits && self.calculator.canonical(&mut left, &mut right)? == sum;
        self.kinds.insert(key, kind);
        Ok(kind)
    }
}
