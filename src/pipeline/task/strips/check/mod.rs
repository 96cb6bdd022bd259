//! One pass over the rows, and the checks that follow it.

use std::collections::HashMap;
use std::mem;

mod claims;
mod deuces;

use cggames::board::{AnyBoard, STRIP_POTS_MAX};
use cggames::game::{Game, Manner};
use cgvalues::{Arena, Calculator, Nimber, ValueId};

use self::claims::{Claim, Claims, Expected, Index, Watch, parse};
use super::StripTask;
use super::law::written_value;
use crate::dataset::{PositionRow, VALUE_CHARS_MAX, Wanted};
use crate::report::ReportError;
use crate::report::check::{CheckReport, Finding};
use crate::report::reference::{Cited, Fact, Facts, Statement};
use crate::run::{Checked, Reading};

impl Checked for StripTask {
    /// Compares the rows with the facts about the game and way of playing; other facts are ignored.
    ///
    /// Facts are indexed by the keys of their positions, then the rows are read once. A row meets a
    /// fact if their normal forms are equal, or one is the other's mirror image; the value's sign then
    /// changes. Values are compared as values. Costs a lookup for each row. On a board of fixed width
    /// no fact applies: the row of the publications is unbounded. Only Theorem 3.1 looks at every row.
    fn check(&self, reading: &Reading<'_>, facts: &Facts) -> Result<CheckReport, ReportError> {
        let facts = &facts.rows[..];
        let arena = Arena::new();
        let mut calculator = arena.calculator();
        let mut claims = Claims::new(self, facts, &mut calculator)?;
        let index = mem::take(&mut claims.index);
        let mut comparing = Comparing {
            task: self,
            facts,
            nimbers: match claims.sparse {
                Some(_) => deuces::nim_values(STRIP_POTS_MAX),
                None => Vec::new(),
            },
            calculator,
            index: &index,
            covered: vec![false; facts.len()],
            printed: HashMap::default(),
            report: CheckReport {
                job: reading.job.name.clone(),
                ..CheckReport::default()
            },
            claims,
        };
        let wanted = wanted(self.game, &index, comparing.claims.sparse.is_some());
        for row in reading.scan().rows(wanted)? {
            comparing.row(&row?)?;
        }
        comparing.report.rows = reading.scan().count::<PositionRow>()?;
        comparing.finish()
    }
}

/// Returns the rows to compare: those with the key of some claim, and sparse ones if a theorem
/// covers these.
fn wanted(game: Game, index: &Index, sparse: bool) -> Wanted<'_> {
    let wanted = Wanted::columns([
        "position",
        "outcome",
        "value",
        "value_digest",
        "kind",
        "value_missing",
        "atomic_weight",
        "atomic_weight_number",
        "followers",
    ]);
    if index.is_empty() && !sparse {
        return wanted.where_columns(&[], |_, columns| vec![false; columns.rows()]);
    }
    wanted.where_columns(&["position"], move |_, columns| {
        // Read in place, which allocates nothing.
        let mut board = game
            .shape()
            .kind()
            .read("0")
            .expect("0 is an empty pot on every board");
        let mut keeps = |position: &str| {
            // A text that is no position becomes an error when its row is read.
            if board.reread(position).is_err() {
                return true;
            }
            let key = game.key(&board);
            (sparse && board.row().and_then(deuces::runs).is_some())
                || key.is_ok_and(|(key, _)| index.contains_key(&key))
        };
        let positions = columns.text("position");
        (0..columns.rows())
            .map(|row| keeps(positions.value(row)))
            .collect()
    })
}

/// The result of comparing a row with a fact.
enum FactVerdict {
    Agrees,
    Contradicts {
        expected: String,
        found: String,
    },
    /// Neither value has a text that fits the result.
    TooLong,
    /// The result lacks the column.
    Silent,
}

struct Comparing<'a> {
    task: &'a StripTask,
    facts: &'a [Cited<Fact>],
    index: &'a Index,
    claims: Claims,
    /// The nim-values of runs of deuces, for Theorem 3.1.
    nimbers: Vec<u32>,
    calculator: Calculator<'a>,
    /// For each fact, whether some row is about it.
    covered: Vec<bool>,
    /// The values of positions in print, by fact.
    printed: HashMap<usize, String>,
    report: CheckReport,
}

impl Comparing<'_> {
    fn row(&mut self, row: &PositionRow) -> Result<(), ReportError> {
        self.report.rows += 1;
        if row.is_open() {
            return Ok(());
        }
        let written = self.task.game.shape().kind().read(&row.position);
        let written = written.map_err(|error| ReportError::Position {
            game: self.task.game.name(),
            source: error.into(),
        })?;
        if let Some(fact) = self.claims.sparse {
            self.sparse(fact, &written, row)?;
        }
        // No fact is about a position too long for a key.
        let Ok((key, is_negative)) = self.task.game.key(&written) else {
            return Ok(());
        };
        let Some(watches) = self.index.get(&key) else {
            return Ok(());
        };
        let value = self.value(row)?;
        for &(watch, fact_is_negative) in watches {
            let negated = is_negative != fact_is_negative;
            let oriented = value.map(|id| if negated { id.negative() } else { id });
            match watch {
                Watch::Claim(claim) => self.claim(claim, row, value, negated),
                Watch::Printed(fact) => {
                    let text = self.value_text(oriented, row);
                    self.printed.insert(fact, text);
                }
                Watch::Summand { sum, slot } => {
                    if oriented.is_none() {
                        let label = &self.facts[self.claims.sums[sum].fact].label;
                        self.report.not_comparable.push(format!(
                            "{} has too long a value for the sum {label}",
                            row.position
                        ));
                    }
                    self.claims.sums[sum].values[slot] = oriented;
                }
            }
        }
        Ok(())
    }

    /// Returns the row's value, or `None` if there is none or its notation is too long for the
    /// result.
    fn value(&mut self, row: &PositionRow) -> Result<Option<ValueId>, ReportError> {
        let value = row.value.as_ref().and_then(|value| value.short_notation());
        value
            .map(|value| parse(&mut self.calculator, &row.position, value))
            .transpose()
    }

    /// Compares a row with a fact about its position or, with the sign changed, about its mirror
    /// image.
    fn claim(&mut self, index: usize, row: &PositionRow, value: Option<ValueId>, negated: bool) {
        let verdict = self.verdict(self.claims.claims[index].expected, row, value, negated);
        let claim = &mut self.claims.claims[index];
        let (fact, label) = (claim.fact, claim.label.clone());
        match verdict {
            FactVerdict::Silent => return,
            FactVerdict::TooLong => {
                let why = format!("{label}: both values are too long to be compared");
                self.report.not_comparable.push(why);
                return;
            }
            FactVerdict::Agrees => claim.seen = true,
            FactVerdict::Contradicts { expected, found } => {
                claim.seen = true;
                claim.contradicted = true;
                self.disagree(fact, label, &row.position, expected, found);
            }
        }
        self.covered[fact] = true;
    }

    fn verdict(
        &self,
        expected: Expected,
        row: &PositionRow,
        value: Option<ValueId>,
        negated: bool,
    ) -> FactVerdict {
        let (agrees, expected) = match expected {
            Expected::Value(id) => {
                let id = if negated { id.negative() } else { id };
                let arena = self.calculator.arena();
                // A value with a short notation differs from one that is too long for the result.
                if value.is_none()
                    && row.value.is_some()
                    && arena.notation_limited(id, VALUE_CHARS_MAX).is_none()
                {
                    return FactVerdict::TooLong;
                }
                if value == Some(id) {
                    return FactVerdict::Agrees;
                }
                (false, self.text(id))
            }
            Expected::Zero(true) => (value == Some(ValueId::ZERO), "0".to_owned()),
            Expected::Zero(false) => (value != Some(ValueId::ZERO), "any value but 0".to_owned()),
            Expected::Outcome(class) => {
                let class = if negated { class.negative() } else { class };
                return match row.outcome.as_deref() {
                    None => FactVerdict::Silent,
                    Some(found) if found == class.letter() => FactVerdict::Agrees,
                    Some(found) => FactVerdict::Contradicts {
                        expected: format!("outcome {class}"),
                        found: format!("outcome {found}"),
                    },
                };
            }
            Expected::AtomicWeight(weight) => {
                let weight = if negated { -weight } else { weight };
                let Some(value) = &row.value else {
                    return FactVerdict::Silent;
                };
                let Some(found) = &value.atomic_weight else {
                    return FactVerdict::Silent;
                };
                if value.integer_weight() == Some(weight) {
                    return FactVerdict::Agrees;
                }
                return FactVerdict::Contradicts {
                    expected: format!("atomic weight {weight}"),
                    found: format!("atomic weight {found}"),
                };
            }
            Expected::FollowersAtLeast(least) => {
                return match row.followers {
                    None => FactVerdict::Silent,
                    Some(found) if found >= least => FactVerdict::Agrees,
                    Some(found) => FactVerdict::Contradicts {
                        expected: format!("at least {least} followers"),
                        found: format!("{found} followers"),
                    },
                };
            }
        };
        if agrees {
            FactVerdict::Agrees
        } else {
            FactVerdict::Contradicts {
                expected,
                found: self.value_text(value, row),
            }
        }
    }

    /// Compares a row without pots above two with Theorem 3.1.
    fn sparse(
        &mut self,
        fact: usize,
        written: &AnyBoard,
        row: &PositionRow,
    ) -> Result<(), ReportError> {
        let Some(runs) = written.row().and_then(deuces::runs) else {
            return Ok(());
        };
        let nimbers = runs
            .iter()
            .map(|&run| self.nimbers.get(run).copied().map(Nimber));
        let Some(nimber) = nimbers.sum::<Option<Nimber>>() else {
            return Ok(());
        };
        self.covered[fact] = true;
        let value = self.value(row)?;
        let arena = self.calculator.arena();
        if value.and_then(|value| arena.nimber(value)) == Some(nimber.0) {
            self.report.agreements += 1;
            return Ok(());
        }
        let expected = nimber.to_string();
        let found = self.value_text(value, row);
        let label = self.facts[fact].label.clone();
        self.disagree(fact, label, &row.position, expected, found);
        Ok(())
    }

    fn disagree(
        &mut self,
        fact: usize,
        label: String,
        position: &str,
        expected: String,
        found: String,
    ) {
        let texts = [expected, found];
        (self.report).disagree(&self.facts[fact], Some(&label), position.to_owned(), texts);
    }

    fn text(&self, id: ValueId) -> String {
        self.calculator.arena().notation(id).to_string()
    }

    /// Returns a row's value in the given orientation, or the result's name for one that is too
    /// long.
    fn value_text(&self, value: Option<ValueId>, row: &PositionRow) -> String {
        value.map_or_else(|| written_value(row), |id| self.text(id))
    }

    fn finish(mut self) -> Result<CheckReport, ReportError> {
        self.sums()?;
        let confirmed = |claim: &&Claim| claim.seen && !claim.contradicted;
        self.report.agreements += self.claims.claims.iter().filter(confirmed).count();
        for (index, fact) in self.facts.iter().enumerate() {
            if fact.game != self.task.game || Manner::from(fact.play) != self.task.manner() {
                continue;
            }
            if !self.covered[index] {
                self.report.not_covered += 1;
            }
            let in_print = self.printed.get(&index);
            let at_fault = fact.print.is_some() || fact.printed.is_some();
            if at_fault && (self.covered[index] || in_print.is_some()) {
                self.report.findings.push(finding(fact, in_print));
            }
        }
        let covered = self.facts.iter().zip(&self.covered);
        self.report.covered = covered
            .filter_map(|(fact, is_covered)| is_covered.then_some(fact.number))
            .collect();
        Ok(self.report)
    }

    /// Compares positions with the sums of their components, if the result has them all.
    fn sums(&mut self) -> Result<(), ReportError> {
        for sum in std::mem::take(&mut self.claims.sums) {
            let Some(values) = sum.values.into_iter().collect::<Option<Vec<ValueId>>>() else {
                continue;
            };
            let fact = &self.facts[sum.fact];
            let mut expected = ValueId::ZERO;
            for &value in &values[1..] {
                expected = self.calculator.sum(expected, value).map_err(|source| {
                    let position = fact.label.clone();
                    ReportError::Sum { position, source }
                })?;
            }
            self.covered[sum.fact] = true;
            if expected == values[0] {
                self.report.agreements += 1;
                continue;
            }
            let (expected, found) = (self.text(expected), self.text(values[0]));
            let expected = format!("{expected}, the sum of {}", components(fact));
            let label = fact.label.clone();
            self.disagree(sum.fact, label.clone(), &label, expected, found);
        }
        Ok(())
    }
}

fn finding(fact: &Cited<Fact>, printed_position_value: Option<&String>) -> Finding {
    let printed = fact.printed.as_ref();
    Finding {
        citation: fact.citation.clone(),
        position: fact.label.clone(),
        value: match &fact.statement {
            Statement::Value { value, .. } => value.clone(),
            Statement::Outcome { class, .. } => format!("outcome {class}"),
            Statement::AtomicWeight { weight, .. } => format!("atomic weight {weight}"),
            Statement::Sum { .. } => components(fact),
            Statement::Theorem(_) | Statement::Sparse | Statement::DeuceRuns { .. } => {
                "as the theorem says".to_owned()
            }
        },
        printed_position: printed.and_then(|p| p.position.as_ref().map(AnyBoard::to_string)),
        printed_value: printed.and_then(|p| p.value.clone()),
        printed_position_value: printed_position_value.cloned(),
        note: fact.print.clone(),
    }
}

fn components(fact: &Cited<Fact>) -> String {
    match &fact.statement {
        Statement::Sum { components, .. } => {
            let components: Vec<String> = components.iter().map(AnyBoard::to_string).collect();
            components.join(" + ")
        }
        _ => String::new(),
    }
}
