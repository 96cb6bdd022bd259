//! Compares quotients of codes with published ones.

use super::QuotientsTask;
use super::columns::QuotientRow;
use crate::dataset::Wanted;
use crate::report::ReportError;
use crate::report::check::CheckReport;
use crate::report::check::compare::Verdict;
use crate::report::reference::{Facts, QuotientFact};
use crate::run::{Checked, Reading};

impl Checked for QuotientsTask {
    /// Compares the codes with a proved quotient, and those of which a fact is about the same heaps.
    fn check(&self, reading: &Reading<'_>, facts: &Facts) -> Result<CheckReport, ReportError> {
        let wanted = Wanted::columns([
            "code",
            "heap",
            "order",
            "p_portion",
            "tameness",
            "preperiod",
            "period",
            "proved",
        ]);
        reading.compared(wanted, facts.quotients.iter(), |row: &QuotientRow, fact| {
            let is_same = row.code == fact.game.to_string();
            let is_about = match fact.heap {
                None => row.proved,
                Some(heap) => !row.proved && row.heap == heap,
            };
            let published = || published(fact);
            (is_same && is_about)
                .then(|| Verdict::listed(agrees(fact, row), &row.code, published(), found(row)))
        })
    }
}

/// Returns whether a row agrees with all that is published.
fn agrees(fact: &QuotientFact, row: &QuotientRow) -> bool {
    let is_one = |fact: Option<i64>, found: Option<i64>| fact.is_none() || fact == found;
    fact.order == row.order
        && is_one(fact.p_portion, Some(row.p_portion))
        && is_one(fact.preperiod, row.preperiod)
        && is_one(fact.period, row.period)
        && (row.tameness.as_deref()).is_none_or(|tameness| tameness == fact.tameness.name())
}

/// Returns what is published.
fn published(fact: &QuotientFact) -> String {
    let numbers = [
        (Some(fact.order), "order"),
        (fact.p_portion, "P-portion"),
        (fact.preperiod, "preperiod"),
        (fact.period, "period"),
    ];
    text(fact.tameness.name(), numbers)
}

/// Returns what was found.
fn found(row: &QuotientRow) -> String {
    let numbers = [
        (Some(row.order), "order"),
        (Some(row.p_portion), "P-portion"),
        (row.preperiod, "preperiod"),
        (row.period, "period"),
    ];
    text(row.tameness.as_deref().unwrap_or("neither known"), numbers)
}

fn text(tameness: &str, numbers: [(Option<i64>, &str); 4]) -> String {
    let numbers = numbers.into_iter().filter_map(|(number, name)| {
        let number = number?;
        Some(format!(", {name} {number}"))
    });
    tameness.to_owned() + &numbers.collect::<String>()
}
