//! Evaluates a few heaps without a job; values stay in memory. Laws of a job are tested on such heaps.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use bytesize::ByteSize;
use cggames::family::Progression;
use cggames::game::heap::HeapGame;
use cggames::game::{Convention, SumKind};
use cglaws::{Column, Entries, Material, ProvedPeriod};

use super::HeapsTask;
use super::columns::HeapRow;
use super::make::SharedTexts;
use super::proved::period_heaps;
use super::spec::heap_max;
use super::values::{GameValues, Period};
use crate::dataset::Wanted;
use crate::report::ReportError;
use crate::run::memory::memory_in_use;
use crate::run::{Mined, Phase, Reading, RunError, Session};

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
    /// Who wins: under misère play of disjunctive sums, rows say who does, too, and a period is that of these outcomes.
    pub ending: Convention,
    /// The requested heaps.
    pub heaps: Vec<Progression<u64>>,
    /// Whether to search for a period, among at least [`period_heaps`] heaps.
    pub period: bool,
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

/// Evaluates heaps. Cost: that of all heaps up to the largest one, or up to one at which the values
/// prove a period. The period gives the values of all larger heaps.
///
/// # Errors
///
/// [`RunError::Budget`] if the values exceed the memory budget; [`RunError::NoPeriod`] for a heap
/// beyond [`heap_max`] if the first [`period_heaps`] values prove no period; the reason if a signal or
/// the deadline stopped the evaluation.
///
/// ```
/// use seedbank::family::Progression;
/// use seedbank::game::{Convention, SumKind};
/// use seedbank::run::{Limits, Session, Signals, Silent};
/// use seedbank::task::heaps::{HeapEvaluation, evaluate_heaps};
///
/// let evaluation = HeapEvaluation {
///     game: "kayles".parse()?,
///     sum: SumKind::Obligated,
///     ending: Convention::Normal,
///     heaps: vec![Progression::parse("99", 0, 99)?, Progression::parse("0..=9/3", 0, 99)?],
///     period: true,
/// };
/// let limits = Limits::new(1, bytesize::ByteSize::mib(64));
/// let signals = Signals::default();
/// let evaluated = evaluate_heaps(&evaluation, &Session::new(limits, &signals, &Silent))?;
/// let texts = evaluated.rows.iter().map(|row| format!("{} = {}", row.n, row.value));
/// assert_eq!(texts.collect::<Vec<_>>(), ["99 = 11", "0 = 01", "3 = 11", "6 = 11", "9 = 10"]);
/// assert_eq!(evaluated.period.map(|found| found.period), Some(8));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn evaluate_heaps(
    evaluation: &HeapEvaluation,
    session: &Session<'_>,
) -> Result<HeapsEvaluated, RunError> {
    let HeapEvaluation {
        game,
        sum,
        ending,
        heaps,
        period,
    } = evaluation;
    let memory = session.limits.memory;
    let last = heaps.iter().map(Progression::last).max().unwrap_or(0);
    let rows = heaps.iter().map(Progression::len);
    let rows = rows.fold(0, u64::saturating_add);
    let needed = |heaps| {
        GameValues::bytes(game, *sum, *ending, heaps)
            .saturating_add(rows.saturating_mul(ROW_BYTES))
            .saturating_add(memory_in_use().unwrap_or(0))
    };
    let refuse = |heaps, what| RunError::Budget {
        job: "the evaluation".to_owned(),
        needed: ByteSize(needed(heaps)),
        what,
        budget: memory,
    };
    // Where the values of all smaller heaps are too many, the first of them may prove a period.
    let searched = if last <= heap_max(*sum) && needed(last + 1) <= memory.0 {
        last + 1
    } else if *game == HeapGame::Grundy && *sum == SumKind::Disjunctive {
        // No theorem proves a period of the nim-values of Grundy's game.
        1
    } else {
        period_heaps(game).min(last + 1)
    };
    let most = if *period {
        period_heaps(game).max(searched)
    } else {
        searched
    };
    if needed(most) > memory.0 {
        return Err(refuse(
            most.max(last + 1),
            "the values of all smaller heaps",
        ));
    }
    let stop = || session.check_stop().is_err();
    let counted = |heaps: Range<usize>| {
        session.count_rows(heaps.len() as u64);
        session.control.count_evaluated(heaps.len() as u64);
        let work = GameValues::work(game, *sum, heaps.clone());
        session.tracker.add(heaps.len() as u64, work);
    };
    let pool = session.pool()?;
    let mut values = GameValues::new(game, *sum).ending(game, *ending);
    if *ending == Convention::Misere {
        // The steps of quotients differ too much.
        session.tracker.expect_unknown();
    }
    let reach = |values: &mut GameValues, heaps: u64| {
        let (title, done) = (game.to_string(), values.len() as u64);
        let work = GameValues::work(game, *sum, values.len()..heaps as usize);
        session.tracker.expect(work);
        session.begin(Phase::Valuing, "heap", heaps as usize);
        session.watch((&title, "heap"), (heaps, done), None, || {
            pool.install(|| values.reach(heaps as usize, &stop, &counted))
        })
    };
    reach(&mut values, searched)?;
    if !values.knows(last as usize) {
        return Err(if last > heap_max(*sum) {
            RunError::NoPeriod {
                heap: format!("heap {last} of {game}"),
                searched,
                most: heap_max(*sum),
            }
        } else {
            refuse(
                last + 1,
                "the values of all smaller heaps, the first of which prove no period",
            )
        });
    }
    let wanted: BTreeSet<u64> = heaps.iter().flat_map(|heaps| heaps.iter()).collect();
    let own = last.saturating_add(1).min(values.own() as u64);
    let mut labels = SharedTexts::new(game.to_string(), sum.name());
    let mut rows: BTreeMap<u64, HeapRow> = BTreeMap::new();
    // Beyond the first period no value is the first of its kind.
    for n in (0..own).chain(wanted.range(own..).copied()) {
        let row = labels.row(n as usize, values.value(n as usize));
        if wanted.contains(&n) {
            rows.insert(n, row);
        }
    }
    let mut found = period.then(|| values.period()).flatten();
    // A period shows soon or not at all, so most games need few of the heaps.
    while *period
        && found.is_none()
        && values.misere_end().is_none()
        && (values.len() as u64) < most
    {
        let next = (2 * values.len()).max(PERIOD_HEAPS_FIRST) as u64;
        reach(&mut values, next.min(most))?;
        found = values.period();
    }
    let asked = heaps.iter().flat_map(|heaps| heaps.iter());
    Ok(HeapsEvaluated {
        rows: asked.map(|n| rows[&n].clone()).collect(),
        period: found,
        heaps: values.len() as u64,
    })
}

impl Mined for HeapsTask {
    fn mined_variables(&self) -> Option<Vec<String>> {
        Some(vec!["n".to_owned()])
    }

    /// The values by the size of the heap, or under misère play the outcomes that are known.
    fn material(&self, reading: &Reading<'_>) -> Result<Material, ReportError> {
        let mut column: Option<Column> = None;
        for row in reading
            .scan()
            .rows::<HeapRow>(Wanted::columns(["code", "n", "value", "misere"]))?
        {
            let row = row?;
            let column = column.get_or_insert_with(|| {
                Column::new(row.code.to_string(), vec!["n".to_owned()], Entries::Words)
            });
            if let Some(entry) = self.entry_of(&row) {
                column.push(&[row.n], entry);
            }
        }
        if let Some(column) = &mut column {
            let proved = self.proved_period(reading.scan())?;
            column.proved = proved.map(|found| ProvedPeriod {
                preperiod: found.preperiod as i64,
                period: found.period as i64,
                proof: found.to_string(),
            });
        }
        Ok(Material {
            columns: column.into_iter().collect(),
            ..Material::default()
        })
    }

    fn entry(
        &self,
        _: &Column,
        at: &[i64],
        session: &Session<'_>,
    ) -> Result<Option<String>, RunError> {
        let heap = at[0].unsigned_abs();
        let evaluation = HeapEvaluation {
            game: self.game.clone(),
            sum: self.sum,
            ending: self.ending,
            heaps: vec![Progression::single(heap)],
            period: false,
        };
        let rows = evaluate_heaps(&evaluation, session)?.rows;
        let entry = rows.first().and_then(|row| self.entry_of(row));
        Ok(entry.map(str::to_owned))
    }
}

impl HeapsTask {
    /// Returns what laws are about.
    fn entry_of<'r>(&self, row: &'r HeapRow) -> Option<&'r str> {
        match self.ending {
            Convention::Normal => Some(&row.value),
            Convention::Misere => row.misere.as_deref(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::{Limits, Signals, Silent};
    use crate::task::heaps::HeapValue;
    use cgsolvers::nim_values::{HeapNimValues, Trust};
    use cgsolvers::obligated::HeapValues;

    /// Returns the values of heaps, computed one by one without a period.
    fn direct(game: &HeapGame, sum: SumKind, heaps: usize) -> Vec<HeapValue> {
        match sum {
            SumKind::Disjunctive => {
                let mut values = HeapNimValues::new(game.clone());
                let found = values.extend(heaps, Trust::Verified, &|| false);
                found.expect("small values");
                let values = values.values().iter();
                values.map(|&v| HeapValue::Nim(v.into())).collect()
            }
            SumKind::Obligated => {
                let mut values = HeapValues::new(game);
                values.extend(heaps);
                let value = |n| HeapValue::Obligated(values.value(n));
                (0..heaps).map(value).collect()
            }
        }
    }

    fn evaluated(game: &HeapGame, sum: SumKind, range: &str, memory: ByteSize) -> HeapsEvaluated {
        let evaluation = HeapEvaluation {
            game: game.clone(),
            sum,
            ending: Convention::Normal,
            heaps: vec![Progression::parse(range, 0, u64::MAX >> 1).expect("a range")],
            period: false,
        };
        alone(&evaluation, memory).expect("the values are known")
    }

    fn alone(evaluation: &HeapEvaluation, memory: ByteSize) -> Result<HeapsEvaluated, RunError> {
        let signals = Signals::default();
        let session = Session::new(Limits::new(1, memory), &signals, &Silent);
        evaluate_heaps(evaluation, &session)
    }

    #[test]
    fn rows_by_a_period_are_those_computed_one_by_one() {
        const HEAPS: usize = 700;
        let codes = (0..512).step_by(7).map(|code| format!("0.{code:03o}"));
        let others = [
            "grundy",
            "0.8",
            "0.07F",
            "4.7",
            "C.1",
            "subtraction(1,3,4)",
            "subtraction(2,5,70)",
        ];
        let (mut by_period, mut first_after) = (0, 0);
        for game in codes.chain(others.map(String::from)) {
            let game: HeapGame = game.parse().expect("a game");
            for sum in SumKind::ALL {
                let right = direct(&game, sum, HEAPS);
                let range = format!("0..={}", HEAPS - 1);
                let all = evaluated(&game, sum, &range, ByteSize::gib(1));
                by_period += usize::from(all.heaps < HEAPS as u64);
                let mut seen = std::collections::HashSet::new();
                for (n, (row, right)) in all.rows.iter().zip(&right).enumerate() {
                    let first = seen.insert(right);
                    assert_eq!(
                        (row.n, &*row.value),
                        (n as i64, &*right.to_string()),
                        "{game}"
                    );
                    assert_eq!(row.first, first, "{game} {n}");
                    first_after += usize::from(first && n > 256);
                }
                // Alone, and with a gap before the last.
                let last = evaluated(&game, sum, &format!("{}", HEAPS - 1), ByteSize::gib(1));
                assert_eq!(last.rows[..], all.rows[HEAPS - 1..], "{game}");
                let few = evaluated(
                    &game,
                    sum,
                    &format!("3..={}/199", HEAPS - 2),
                    ByteSize::gib(1),
                );
                let same = all.rows[3..].iter().step_by(199);
                assert!(few.rows.iter().eq(same), "{game}");
            }
        }
        assert!(
            by_period > 60 && first_after > 0,
            "{by_period} {first_after}"
        );
    }

    #[test]
    fn far_heaps_have_the_value_of_a_near_one_whatever_the_budget() {
        let kayles: HeapGame = "kayles".parse().expect("a game");
        let memory = ByteSize(memory_in_use().unwrap_or(0) + (256 << 20));
        for far in [1_000_000_000u64, 10_000_000_000, u64::MAX >> 1] {
            for sum in SumKind::ALL {
                let found = evaluated(&kayles, sum, &far.to_string(), memory);
                // The periods are 12 from heap 71 on, and 8.
                let near = 96 + far % 24;
                let near = &direct(&kayles, sum, 128)[near as usize];
                assert_eq!(*found.rows[0].value, near.to_string(), "{far}");
                assert!(!found.rows[0].first && found.heaps <= 256, "{far}");
            }
        }
    }

    #[test]
    fn far_heaps_without_a_proved_period_are_refused() {
        let refused = |heap: u64| {
            let evaluation = HeapEvaluation {
                game: "0.B9".parse().expect("a game"),
                sum: SumKind::Obligated,
                ending: Convention::Normal,
                heaps: vec![Progression::single(heap)],
                period: false,
            };
            let refused = alone(&evaluation, ByteSize::mib(512));
            refused.unwrap_err().to_string()
        };
        let far = refused(1_000_000_000_000);
        let begins =
            "heap 1000000000000 of 0.B9 has no value here: the heaps below 8192 prove no period";
        assert!(far.starts_with(begins), "{far}");
        let large = refused(1_000_000_000);
        assert!(large.contains(" GiB of memory"), "{large}");
        assert!(large.contains("prove no period"), "{large}");
    }
}
