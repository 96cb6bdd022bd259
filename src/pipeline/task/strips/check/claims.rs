//! The claims of facts about single positions, indexed by the positions' keys.

use std::iter;

use cggames::board::{AnyBoard, Key, STRIP_POTS_MAX};
use cggames::family::{AllPositions, Pattern, Population, Subfamily};
use cggames::game::{Game, Manner};
use cgvalues::{Calculator, OutcomeClass, ValueId};
use hashbrown::HashMap;

use crate::report::ReportError;
use crate::report::reference::{Cited, Fact, Statement, Theorem};
use crate::task::strips::StripTask;

/// The most empty pots at the ends of a theorem's case; the result's positions have none.
const EMPTY_ENDS_MAX: u64 = 8;
/// The most cases of one theorem. Two variables within the longest row have some 2,000.
const CASES_MAX: usize = 100_000;

/// A claim of one fact about one position.
pub(super) struct Claim {
    pub(super) fact: usize,
    /// The fact's position, or the case of a theorem.
    pub(super) label: String,
    pub(super) expected: Expected,
    pub(super) seen: bool,
    pub(super) contradicted: bool,
}

/// A claim about a position, in its own orientation.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Expected {
    Value(ValueId),
    Zero(bool),
    Outcome(OutcomeClass),
    AtomicWeight(i64),
    FollowersAtLeast(i64),
}

/// A position's value, and those of the positions whose sum it should be.
pub(super) struct SumClaim {
    pub(super) fact: usize,
    /// The values, if known: the whole first, then the components.
    pub(super) values: Vec<Option<ValueId>>,
}

/// A use of a position's row.
#[derive(Clone, Copy)]
pub(super) enum Watch {
    Claim(usize),
    /// The fact whose print shows the position.
    Printed(usize),
    Summand {
        sum: usize,
        slot: usize,
    },
}

/// The facts of one game and way of playing, ready for rows.
#[derive(Default)]
pub(super) struct Claims {
    pub(super) claims: Vec<Claim>,
    pub(super) sums: Vec<SumClaim>,
    /// The fact of Theorem 3.1, if there is one.
    pub(super) sparse: Option<usize>,
    pub(super) index: Index,
}

/// The watches of each key; with each watch, whether the key is that of the negative.
pub(super) type Index = HashMap<Key, Vec<(Watch, bool)>, foldhash::fast::RandomState>;

impl Claims {
    /// Indexes the facts of the job's game and way of playing, with theorems as far as its
    /// positions reach.
    pub(super) fn new(
        task: &StripTask,
        facts: &[Cited<Fact>],
        calculator: &mut Calculator<'_>,
    ) -> Result<Claims, ReportError> {
        let mut claims = Claims::default();
        let game = task.game;
        let pots_max = pots_max(task);
        for (index, fact) in facts.iter().enumerate() {
            if fact.game != task.game || Manner::from(fact.play) != task.manner() {
                continue;
            }
            if let Some(row) = fact.printed.as_ref().and_then(|p| p.position.as_ref()) {
                claims.watch(game, row, Watch::Printed(index));
            }
            match &fact.statement {
                Statement::Value { position, value } => {
                    let expected = Expected::Value(parse(calculator, &fact.label, value)?);
                    claims.claim(game, index, fact.label.clone(), position, expected);
                }
                Statement::Outcome { position, class } => {
                    let expected = Expected::Outcome(*class);
                    claims.claim(game, index, fact.label.clone(), position, expected);
                }
                Statement::AtomicWeight { position, weight } => {
                    let expected = Expected::AtomicWeight(*weight);
                    claims.claim(game, index, fact.label.clone(), position, expected);
                }
                Statement::Theorem(theorem) => {
                    for case in cases(theorem, pots_max) {
                        claims.theorem(game, index, theorem, &case, calculator)?;
                    }
                }
                Statement::Sum {
                    position,
                    components,
                } => {
                    let sum = claims.sums.len();
                    for (slot, row) in iter::once(position).chain(components).enumerate() {
                        claims.watch(game, row, Watch::Summand { sum, slot });
                    }
                    claims.sums.push(SumClaim {
                        fact: index,
                        values: vec![None; 1 + components.len()],
                    });
                }
                Statement::Sparse => claims.sparse = Some(index),
                Statement::DeuceRuns { zero, below } => {
                    let runs: Pattern = "2^n".parse().expect("2^n is a pattern");
                    for n in (0..*below).take_while(|n| *n <= pots_max) {
                        let Ok(row) = runs.expand(&[n as i64]) else {
                            break;
                        };
                        let expected = Expected::Zero(zero.contains(&n));
                        claims.claim(game, index, format!("2^{n}"), &row, expected);
                    }
                }
            }
        }
        Ok(claims)
    }

    fn theorem(
        &mut self,
        game: Game,
        fact: usize,
        theorem: &Theorem,
        case: &[i64],
        calculator: &mut Calculator<'_>,
    ) -> Result<(), ReportError> {
        let Ok(row) = theorem.pattern.expand(case) else {
            return Ok(());
        };
        let names = theorem.pattern.variables().iter().copied();
        let binding: Vec<(char, i64)> = names.zip(case.iter().copied()).collect();
        let label = theorem.pattern.instance(case);
        let mut expected = Vec::new();
        if let Some(pattern) = &theorem.value {
            let value = pattern.value(&binding, calculator);
            let value = value.map_err(|source| ReportError::Value {
                position: label.clone(),
                value: pattern.to_string(),
                source,
            })?;
            expected.push(Expected::Value(value));
        }
        let weight = theorem.atomic_weight.as_ref();
        let weight = weight.and_then(|formula| formula.evaluate(&binding));
        expected.extend(weight.map(Expected::AtomicWeight));
        let followers = theorem.followers_at_least.as_ref();
        let followers = followers.and_then(|formula| formula.evaluate(&binding));
        expected.extend(followers.map(Expected::FollowersAtLeast));
        for expected in expected {
            self.claim(game, fact, label.clone(), &row, expected);
        }
        Ok(())
    }

    fn claim(
        &mut self,
        game: Game,
        fact: usize,
        label: String,
        row: &AnyBoard,
        expected: Expected,
    ) {
        let claim = self.claims.len();
        if self.watch(game, row, Watch::Claim(claim)) {
            self.claims.push(Claim {
                fact,
                label,
                expected,
                seen: false,
                contradicted: false,
            });
        }
    }

    /// Enters a watch, unless the position is too large for a key; then no row has it either.
    fn watch(&mut self, game: Game, row: &AnyBoard, watch: Watch) -> bool {
        let Ok((key, negated)) = game.key(row) else {
            return false;
        };
        self.index.entry(key).or_default().push((watch, negated));
        true
    }
}

/// Reads a value that a fact states.
pub(super) fn parse(
    calculator: &mut Calculator<'_>,
    position: &str,
    value: &str,
) -> Result<ValueId, ReportError> {
    calculator
        .parse(value)
        .map_err(|source| ReportError::Value {
            position: position.to_owned(),
            value: value.to_owned(),
            source,
        })
}

/// Returns the most pots of any of the job's positions; if they are unbounded, the most that can be
/// played.
fn pots_max(task: &StripTask) -> u64 {
    let bound = |all: &AllPositions| {
        let pots = all.bounds().pots_max.or(task.game.board_pots());
        pots.map_or(STRIP_POTS_MAX as u64, u64::from)
    };
    let subfamilies = task
        .family
        .subfamilies()
        .iter()
        .map(|subfamily| match subfamily {
            Subfamily::Pattern(sweep) => sweep.pots_max(),
            Subfamily::All(all) => bound(all),
            Subfamily::Filled(_) | Subfamily::Rectangles(_) => STRIP_POTS_MAX as u64,
            Subfamily::List(boards) => {
                let pots = boards.iter().map(|board| board.features().pots);
                pots.max().unwrap_or(0) as u64
            }
            Subfamily::Sample(sample) => match sample.of() {
                Population::All(all) => bound(all),
                Population::Filled(_) => STRIP_POTS_MAX as u64,
            },
        });
    subfamilies.max().unwrap_or(0).min(STRIP_POTS_MAX as u64)
}

/// Returns the combinations of variables whose rows have at most this length, except for empty
/// ends.
fn cases(theorem: &Theorem, pots_max: u64) -> Vec<Vec<i64>> {
    let fits = |values: &[i64]| {
        let pots = theorem.pattern.pots(values);
        pots.is_ok_and(|pots| pots <= pots_max + EMPTY_ENDS_MAX)
    };
    let mut cases = vec![theorem.least.clone()];
    for variable in 0..theorem.least.len() {
        let mut longer = Vec::new();
        for case in &cases {
            for value in case[variable].. {
                let mut next = case.clone();
                next[variable] = value;
                if !fits(&next) || longer.len() >= CASES_MAX {
                    break;
                }
                longer.push(next);
                // A pot of x seeds has the same length for every x: such a pattern would have no
                // end.
                if value >= case[variable] + STRIP_POTS_MAX as i64 {
                    break;
                }
            }
        }
        cases = longer;
    }
    cases.retain(|case| !theorem.except.contains(case));
    cases
}
