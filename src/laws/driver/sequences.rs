//! Laws of entries at consecutive places: periods and recurrences.

use super::findings::{Mining, sought};
use crate::column::{Entries, ProvedPeriod};
use crate::periods::period;
use crate::recurrences::recurrence;
use crate::statement::{NEXT_MAX, Statement};

/// The greatest order of a recurrence whose generating function is printed.
const ORDER_WRITTEN_MAX: usize = 12;

impl Mining<'_> {
    /// Searches for a period of entries at consecutive places, and returns whether there is one.
    /// Entries that are all equal from some place on are left to laws of values.
    pub(super) fn period(&mut self, first: i64, words: &[u32]) -> bool {
        let column = self.column;
        if let Some(proved) = &column.proved {
            self.proved_period(proved, first, words);
            return true;
        }
        let found = sought(period(words)).filter(|(found, holds)| {
            !holds || found.period > 1 || column.entries == Entries::Words
        });
        let Some((found, holds)) = found else {
            return false;
        };
        let law = Statement {
            cases: vec![format!("period {}", found.period)],
            cells: words.len() - found.preperiod - found.period,
            tested: found.tested,
            bits: found.bits,
            ..Statement::default()
        };
        self.adopt_sequence(law, holds, first, found.preperiod, |place| {
            let repeated = (usize::try_from(place).ok()? - found.preperiod) % found.period;
            Some(column.texts()[words[found.preperiod + repeated]].to_owned())
        });
        holds
    }

    /// Adopts a period that is proved; it is tested on no entries and saves no bits.
    fn proved_period(&mut self, proved: &ProvedPeriod, first: i64, words: &[u32]) {
        let column = self.column;
        let ProvedPeriod {
            preperiod,
            period,
            proof,
        } = proved;
        let last = first + words.len() as i64 - 1;
        let from = usize::try_from(preperiod - first).unwrap_or(0);
        let law = Statement {
            cases: vec![format!("period {period}")],
            also: vec![proof.clone()],
            cells: words.len().saturating_sub(from + *period as usize),
            ..Statement::default()
        };
        self.adopt_sequence(law, true, first, from, |steps| {
            // The last place of the class that has an entry.
            let place = first + i64::try_from(steps).ok()?;
            let known = last - (last - place).rem_euclid(*period);
            let is_known = known >= first.max(*preperiod);
            is_known.then(|| column.texts()[words[(known - first) as usize]].to_owned())
        });
    }

    /// Searches for a recurrence of integers at consecutive places.
    pub(super) fn recurrence(&mut self, first: i64, words: &[u32]) {
        let column = self.column;
        let entries = words.iter().map(|&word| column.texts()[word].parse().ok());
        let Some(entries) = entries.collect::<Option<Vec<i128>>>() else {
            return;
        };
        let Some((found, holds)) = sought(recurrence(&entries)) else {
            return;
        };
        let begin = found.from - found.coefficients.len();
        let place = first + begin as i64;
        let (name, used) = (&column.variables[0], &entries[begin..]);
        let closed = found.closed_form(used, place).filter(|_| holds);
        let is_short = found.coefficients.len() <= ORDER_WRITTEN_MAX;
        let generating = is_short.then(|| found.generating_function(used)).flatten();
        let also = closed
            .map(|form| format!("{} for {name} >= {}", form.text(name), form.from))
            .into_iter()
            .chain(generating.map(|function| {
                format!(
                    "generating function from {name} = {place} on: {}",
                    function.text()
                )
            }))
            .collect();
        let law = Statement {
            cases: vec![found.text(name)],
            also,
            cells: entries.len() - found.from,
            tested: found.tested,
            bits: found.bits,
            ..Statement::default()
        };
        self.adopt_sequence(law, holds, first, found.from, |place| {
            let entry = found.at(&entries[begin..found.from], place - begin as u64)?;
            Some(entry.to_string())
        });
    }

    /// Adopts a law of entries at consecutive places that gives the last `law.cells` of them, if it
    /// holds. `entry` returns the law's entry at a place, counted from 0, from `from` on.
    fn adopt_sequence(
        &mut self,
        law: Statement,
        holds: bool,
        first: i64,
        from: usize,
        entry: impl Fn(u64) -> Option<String>,
    ) {
        let len = self.is_given.len();
        let (begin, end) = (first + from as i64, first + len as i64);
        let region = format!("{} >= {begin}", self.column.variables[0]);
        let law = Statement { region, ..law };
        let entry = |at: &[i64]| match at {
            &[n] if n >= begin => entry(n.abs_diff(first)),
            _ => None,
        };
        if !holds {
            self.refute(&law, entry);
            return;
        }
        self.is_given[len - law.cells..].fill(true);
        let next = (0..NEXT_MAX as i64).map(|step| vec![end + step]).collect();
        self.adopt(law, next, entry);
    }
}
