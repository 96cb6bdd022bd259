//! Evaluates a few heaps without a job; values stay in memory.

use std::collections::BTreeMap;

use bytesize::ByteSize;

use super::columns::HeapRow;
use super::make::Labels;
use super::values::{Period, Values, stopped};
use crate::engine::StopReason;
use crate::family::Progression;
use crate::game::SumKind;
use crate::game::heap::HeapGame;
use crate::run::memory::memory_in_use;
use crate::run::{RunError, Signals};

/// Returns the least number of heaps that `--period` searches for a period.
///
/// If a move may leave three heaps, each value costs a pass over all pairs of smaller heaps:
/// 0.0777f0777 takes 0.6 s for 8,192 heaps, and 6 s for 16,384.
pub fn period_heaps(game: &HeapGame) -> u64 {
    match game.splits_max() {
        3 => 1 << 13,
        _ => 1 << 16,
    }
}

/// The number of heaps at which the search for a period begins.
const PERIOD_HEAPS_FIRST: usize = 256;

/// The memory of a row.
///
/// Unit: bytes.
const ROW_BYTES: u64 = 256;

/// Which heaps to evaluate.
#[derive(Clone, Debug)]
pub struct HeapEvaluation {
    /// The game.
    pub game: HeapGame,
    /// How heaps are added.
    pub sum: SumKind,
    /// The requested heaps.
    pub heaps: Vec<Progression<u64>>,
    /// Whether to search for a period, among at least [`period_heaps`] heaps.
    pub period: bool,
    /// The memory budget.
    pub memory: ByteSize,
}

/// The result of an evaluation.
#[derive(Clone, Debug)]
pub struct HeapsEvaluated {
    /// The heaps with their values, in the order of the request.
    pub rows: Vec<HeapRow>,
    /// The period that the values prove, if they do and it was requested.
    pub period: Option<Period>,
    /// The values of the heaps below this were computed.
    pub heaps: u64,
}

/// Evaluates heaps. Cost: that of all heaps up to the largest one.
///
/// # Errors
///
/// [`RunError::Budget`] if the values exceed the memory budget; the reason if Ctrl-C or SIGTERM
/// stopped the evaluation.
///
/// ```
/// use seedbank::family::Progression;
/// use seedbank::game::SumKind;
/// use seedbank::run::Signals;
/// use seedbank::task::heaps::{HeapEvaluation, evaluate_heaps};
///
/// let evaluation = HeapEvaluation {
///     game: "kayles".parse()?,
///     sum: SumKind::Obligated,
///     heaps: vec![Progression::parse("99", 0, 99)?, Progression::parse("0..=9/3", 0, 99)?],
///     period: true,
///     memory: bytesize::ByteSize::mib(64),
/// };
/// let evaluated = evaluate_heaps(&evaluation, &Signals::default())?;
/// let texts = evaluated.rows.iter().map(|row| format!("{} = {}", row.n, row.value));
/// assert_eq!(texts.collect::<Vec<_>>(), ["99 = 11", "0 = 01", "3 = 11", "6 = 11", "9 = 10"]);
/// assert_eq!(evaluated.period.map(|found| found.period), Some(8));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn evaluate_heaps(
    evaluation: &HeapEvaluation,
    signals: &Signals,
) -> Result<HeapsEvaluated, RunError> {
    let HeapEvaluation {
        game,
        sum,
        heaps,
        period,
        memory,
    } = evaluation;
    let last = heaps.iter().map(Progression::last).max().unwrap_or(0);
    let most = match period {
        true => period_heaps(game).max(last + 1),
        false => last + 1,
    };
    let asked: u64 = heaps.iter().map(Progression::len).sum();
    let needed = Values::bytes(game, *sum, most)
        .saturating_add(asked.saturating_mul(ROW_BYTES))
        .saturating_add(memory_in_use().unwrap_or(0));
    if needed > memory.0 {
        return Err(RunError::Budget {
            job: "the evaluation".to_owned(),
            needed: ByteSize(needed),
            what: "the values of all smaller heaps",
            budget: *memory,
        });
    }
    let stop = || signals.interrupted() || signals.terminated();
    let check_stop = |_: &Values| match stop() {
        true => Err(stopped(StopReason::Interrupted)),
        false => Ok(()),
    };
    let mut values = Values::new(game, *sum);
    values.extend(last as usize + 1, &stop, check_stop)?;
    let mut labels = Labels::new(game.to_string(), sum.name());
    let mut rows: BTreeMap<u64, HeapRow> = BTreeMap::new();
    for n in 0..=last {
        let row = labels.row(n as usize, values.value(n as usize));
        if heaps.iter().any(|heaps| heaps.contains(n)) {
            rows.insert(n, row);
        }
    }
    let mut found = period.then(|| values.period()).flatten();
    // A period shows soon or not at all, so most games need few of the heaps.
    while *period && found.is_none() && (values.len() as u64) < most {
        let next = (2 * values.len()).max(PERIOD_HEAPS_FIRST);
        values.extend(next.min(most as usize), &stop, check_stop)?;
        found = values.period();
    }
    let asked = heaps.iter().flat_map(|heaps| heaps.iter());
    Ok(HeapsEvaluated {
        rows: asked.map(|n| rows[&n].clone()).collect(),
        period: found,
        heaps: values.len() as u64,
    })
}
