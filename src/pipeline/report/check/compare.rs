//! The comparison of rows with facts, one by one.

use std::fmt::Display;

use super::CheckReport;
use crate::report::reference::Cited;

/// The outcome of comparing one row with one fact that covers it.
pub(crate) enum Verdict {
    /// The row agrees with entries that the fact lists, or if there are none with its statement about all others.
    Agrees {
        /// The number of these entries.
        listed: usize,
    },
    /// The row contradicts the fact.
    Contradicts {
        /// The position in the result.
        position: String,
        /// The fact's statement about the position.
        expected: String,
        /// The value in the result.
        found: String,
    },
}

impl Verdict {
    /// Compares a row with an entry that a fact lists.
    pub(crate) fn listed(
        holds: bool,
        position: impl Display,
        expected: impl Display,
        found: impl Display,
    ) -> Verdict {
        Verdict::of(holds.then_some(1), position, expected, found)
    }

    /// Compares a row with a fact's statement about all rows that it does not list.
    pub(crate) fn rest(
        holds: bool,
        position: impl Display,
        expected: impl Display,
        found: impl Display,
    ) -> Verdict {
        Verdict::of(holds.then_some(0), position, expected, found)
    }

    /// Compares a row with a fact, given the number of entries that it confirms if it agrees.
    pub(crate) fn of(
        listed: Option<usize>,
        position: impl Display,
        expected: impl Display,
        found: impl Display,
    ) -> Verdict {
        match listed {
            Some(listed) => Verdict::Agrees { listed },
            None => Verdict::Contradicts {
                position: position.to_string(),
                expected: expected.to_string(),
                found: found.to_string(),
            },
        }
    }
}

/// A comparison of a job's rows with facts.
pub(crate) struct Comparison<'f, F> {
    pub(crate) report: CheckReport,
    met: Vec<Met<'f, F>>,
}

/// A fact, and the outcome of its comparison so far.
struct Met<'f, F> {
    cited: &'f Cited<F>,
    /// The number of confirmed entries of the fact's list.
    confirmed: usize,
    /// Whether a row agreed with its statement about all others.
    rest: bool,
    contradicted: bool,
}

impl<'f, F> Comparison<'f, F> {
    /// Returns the comparison of no rows yet with some facts.
    pub(crate) fn new(
        job: &str,
        facts: impl IntoIterator<Item = &'f Cited<F>>,
    ) -> Comparison<'f, F> {
        Comparison {
            report: CheckReport {
                job: job.to_owned(),
                ..CheckReport::default()
            },
            met: facts.into_iter().map(Met::new).collect(),
        }
    }

    /// Adds a fact and the verdicts of the rows about it.
    pub(crate) fn meet(
        &mut self,
        cited: &'f Cited<F>,
        verdicts: impl IntoIterator<Item = Verdict>,
    ) {
        let mut met = Met::new(cited);
        met.note(verdicts, &mut self.report);
        self.met.push(met);
    }

    /// Counts a row and compares it with each fact.
    pub(crate) fn row<V: IntoIterator<Item = Verdict>>(
        &mut self,
        compare: impl FnMut(&'f Cited<F>) -> V,
    ) {
        self.report.rows += 1;
        self.each(compare);
    }

    /// Compares rows with each fact.
    pub(crate) fn each<V: IntoIterator<Item = Verdict>>(
        &mut self,
        mut compare: impl FnMut(&'f Cited<F>) -> V,
    ) {
        for met in &mut self.met {
            met.note(compare(met.cited), &mut self.report);
        }
    }

    /// Returns the report, with the counts of agreements and the numbers of the facts that rows were about.
    pub(crate) fn finish(self) -> CheckReport {
        let Comparison { mut report, met } = self;
        for met in met {
            report.agreements += met.confirmed + usize::from(met.rest && !met.contradicted);
            if met.confirmed > 0 || met.rest || met.contradicted {
                report.covered.push(met.cited.number);
            } else {
                report.not_covered += 1;
            }
        }
        report.covered.sort_unstable();
        report
    }
}

impl<'f, F> Met<'f, F> {
    fn new(cited: &'f Cited<F>) -> Met<'f, F> {
        Met {
            cited,
            confirmed: 0,
            rest: false,
            contradicted: false,
        }
    }

    fn note(&mut self, verdicts: impl IntoIterator<Item = Verdict>, report: &mut CheckReport) {
        for verdict in verdicts {
            match verdict {
                Verdict::Agrees { listed: 0 } => self.rest = true,
                Verdict::Agrees { listed } => self.confirmed += listed,
                Verdict::Contradicts {
                    position,
                    expected,
                    found,
                } => {
                    self.contradicted = true;
                    report.disagree(self.cited, None, position, [expected, found]);
                }
            }
        }
    }
}
