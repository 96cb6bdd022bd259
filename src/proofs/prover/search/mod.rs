//! The search for claims.

mod answers;
mod lower;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, HashSet, VecDeque};
use std::error::Error;
use std::time::Instant;

use cggames::game::reading::{Pot, Reading};
use cggames::game::{Play, Player};
use cgvalues::{Arena, Calculator, ValueId};

use super::fit::form;
use super::known::{Evaluate, Known, board, small};
use crate::proof::certificate::NoClaim;
use crate::proof::check::{COUNTS_MAX, STATES_MAX};
use crate::proof::{Claim, Claims, Gap, Relation, Rows, Step, Unproved, Written, notation};

/// The number of values of each count that are compared with a theorem before a proof is tried.
const COMPARED: i64 = 6;

/// The limits of a search.
#[derive(Clone, Copy)]
pub struct Budget<'a> {
    /// The deadline; `None` if there is none, or the clock cannot represent it.
    pub until: Option<Instant>,
    /// Returns whether to stop now.
    pub is_stopped: &'a dyn Fn() -> bool,
    /// The most claims, including those of the theorem; no claims are added if it equals their
    /// number.
    pub claims_max: usize,
}

/// A theorem to prove: claims, each of which may be used for the others.
pub struct Theorem<'a> {
    /// How the game's moves are read.
    pub reading: Reading,
    /// The way of playing.
    pub play: Play,
    /// The claims.
    pub claims: &'a [Written],
}

/// The result of a search.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// The theorem is true, with the help of these further claims.
    Proved(Vec<Written>),
    /// A row has another value.
    Refuted {
        /// The row, one of the shortest that were compared.
        row: String,
        /// Its value.
        value: String,
        /// The theorem's value for it.
        claimed: String,
    },
    /// The search found neither a proof nor a refutation.
    Open(Open),
}

/// Where a search ended without a proof or a refutation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Open {
    /// The claim that is not proved, and why: as a rule its first move without an answer.
    pub why: String,
    /// What ended the search.
    pub end: End,
    /// The number of further claims at the end.
    pub claims: usize,
    /// The number of rows of at most [`ROW_POTS_MAX`](super::ROW_POTS_MAX) pots whose values the search needed and
    /// did not get: finding them takes too long.
    pub rows_unknown: usize,
}

/// What ends a search without a proof or a refutation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Nothing is left to try: no new claim about rows with at most [`COUNTS_MAX`] exponents,
    /// suggested by known values of rows of at most [`ROW_POTS_MAX`](super::ROW_POTS_MAX) pots, answers the move.
    Exhausted,
    /// The deadline.
    Time,
    /// The most further claims.
    Claims,
    /// The check of a claim of the theorem takes more than this number of states.
    States(usize),
}

/// Why a search failed.
#[derive(Debug, thiserror::Error)]
pub enum TheoremError {
    /// A claim of the theorem cannot be read.
    #[error(transparent)]
    Claim(#[from] NoClaim),
    /// The evaluation was stopped.
    #[error(transparent)]
    Evaluation(#[from] Box<dyn Error + Send + Sync>),
}

/// Searches for claims that prove a theorem, within a budget. `evaluate` returns the values of rows
/// in `arena`.
///
/// Cost: evaluating some hundreds of rows, and checking each claim each time that it lacks an
/// answer: some milliseconds per check, more with several counts.
///
/// # Errors
///
/// If a claim cannot be read, or the evaluation was stopped.
///
/// ```
/// use std::time::{Duration, Instant};
///
/// use cggames::game::{Game, Play, PotGame, Sowing};
/// use cgproofs::proof::{Relation, Written};
/// use cgproofs::prover::{Budget, Theorem, Verdict, prove};
/// use cgsolvers::{CanonicalForms, Engine, NothingKnown};
///
/// let theorem = Theorem {
///     reading: Game::SOWING.reading().expect("moves of Sowing are read"),
///     play: Play::Partisan,
///     claims: &[Written {
///         rows: "(10)^m 03 (01)^n".to_owned(),
///         least: Default::default(),
///         relation: Relation::Is,
///         value: "0".to_owned(),
///     }],
/// };
/// let budget = Budget {
///     until: Instant::now().checked_add(Duration::from_secs(60)),
///     is_stopped: &|| false,
///     claims_max: 10,
/// };
/// let engine = Engine::new(Sowing, CanonicalForms::default());
/// let mut search = engine.search(&NothingKnown);
/// let mut evaluate = |board: &_| {
///     let word = search.evaluate(&Sowing.position_on(board)?)?;
///     Ok(Some(CanonicalForms::value(word)))
/// };
/// let verdict = prove(&theorem, budget, &engine.valuation.arena, &mut evaluate)?;
/// let Verdict::Proved(claims) = verdict else {
///     panic!("{verdict:?}");
/// };
/// assert_eq!(claims[0].to_string(), "(10)^m 0220 (01)^n >= 0");
/// # Ok::<(), cgproofs::prover::TheoremError>(())
/// ```
pub fn prove<'a>(
    theorem: &Theorem<'_>,
    budget: Budget<'a>,
    arena: &'a Arena,
    evaluate: &'a mut Evaluate<'a>,
) -> Result<Verdict, TheoremError> {
    let mut search = Search {
        reading: theorem.reading,
        play: theorem.play,
        budget,
        arena,
        calculator: arena.calculator(),
        known: Known::new(evaluate),
        theorem: theorem.claims.len(),
        written: Vec::new(),
        claims: Vec::new(),
        tried: HashSet::new(),
        retracted: HashSet::new(),
        open: VecDeque::new(),
    };
    for written in theorem.claims {
        let claim = written.claim(&mut search.calculator)?;
        if let Some(verdict) = search.refutation(&claim, written.relation)? {
            return Ok(verdict);
        }
        let at = search.claims.len();
        let first = written.relation.first().iter();
        search.open.extend(first.map(|&first| (at, first)));
        search.claims.push(claim);
        search.written.push(written.value.clone());
    }
    for (at, written) in theorem.claims.iter().enumerate() {
        search.lower(at, written.relation)?;
    }
    Ok(search.run()?)
}

type SearchResult<T> = Result<T, Box<dyn Error + Send + Sync>>;

/// A family and its value, in the notation of the counts' [`names`].
type ValuedRows = (Rows, String);

/// Returns names for this number of counts.
fn names(counts: usize) -> &'static [char] {
    const NAMES: [char; COUNTS_MAX] = ['i', 'j', 'k', 'm', 'n', 'p'];
    match counts {
        0..=3 => &NAMES[5 - counts..5],
        _ => &NAMES[..counts],
    }
}

struct Search<'a> {
    reading: Reading,
    play: Play,
    budget: Budget<'a>,
    arena: &'a Arena,
    calculator: Calculator<'a>,
    known: Known<'a>,
    /// The number of claims that form the theorem.
    theorem: usize,
    /// The values of the claims, in notation.
    written: Vec<String>,
    claims: Vec<Claim>,
    /// All claims that were ever added.
    tried: HashSet<(Rows, String, Player)>,
    /// The claims that were removed.
    retracted: HashSet<(Rows, String, Player)>,
    /// The claims whose moves are not yet known to have answers, with the player who moves.
    open: VecDeque<(usize, Player)>,
}

impl Search<'_> {
    fn run(&mut self) -> SearchResult<Verdict> {
        while let Some((claim, first)) = self.open.pop_front() {
            let gap = match self.check(claim, first) {
                Ok(()) => continue,
                Err(Unproved::Gap(gap)) => gap,
                Err(Unproved::TooLarge(_)) if claim >= self.theorem && !self.is_over() => {
                    self.drop_side(claim, first);
                    continue;
                }
                Err(why @ Unproved::TooLarge(states)) => {
                    return Ok(self.open_at(claim, &why, End::States(states)));
                }
                Err(why) => return Ok(self.open_at(claim, &why, End::Exhausted)),
            };
            let end = match self.claims.len() >= self.budget.claims_max {
                true => Some(End::Claims),
                false => self.is_over().then_some(End::Time),
            };
            if let Some(end) = end {
                return Ok(self.open_at(claim, &Unproved::Gap(gap), end));
            }
            self.open.push_front((claim, first));
            if self.fill(claim, first, &gap)? {
                continue;
            }
            if let Some(verdict) = self.retract(claim, first, gap)? {
                return Ok(verdict);
            }
        }
        self.shorten();
        let claims = self.claims.iter().zip(&self.written).skip(self.theorem);
        let claims = claims.filter_map(|(claim, value)| written(claim, value));
        Ok(Verdict::Proved(claims.collect()))
    }

    fn is_over(&self) -> bool {
        let is_late = |until| Instant::now() > until;
        self.budget.until.is_some_and(is_late) || (self.budget.is_stopped)()
    }

    fn check(&self, claim: usize, first: Player) -> Result<(), Unproved> {
        let claims = Claims {
            reading: self.reading,
            play: self.play,
            claims: &self.claims,
            states_max: STATES_MAX,
        };
        claims.check(claim, first)
    }

    fn open_at(&self, claim: usize, why: &Unproved, end: End) -> Verdict {
        let what = if claim < self.theorem {
            "the theorem".to_owned()
        } else {
            written(&self.claims[claim], &self.written[claim])
                .map_or_else(String::new, |claim| claim.to_string())
        };
        let more = self.claims.len() - self.theorem;
        Verdict::Open(Open {
            why: format!("{what}: {why}; with {more} more claims"),
            end,
            claims: more,
            rows_unknown: self.known.unknown(),
        })
    }

    /// Compares a claim with the values of its shortest rows.
    fn refutation(&mut self, claim: &Claim, relation: Relation) -> SearchResult<Option<Verdict>> {
        let Some(value) = claim.at_most.as_ref().or(claim.at_least.as_ref()) else {
            return Ok(None);
        };
        for counts in small(&claim.rows, COMPARED) {
            if self.is_over() {
                break;
            }
            let row = claim.rows.row(&counts);
            let Some(found) = self.known.value(&row, claim.rows.ends)? else {
                continue;
            };
            let Some(claimed) = form(value, &counts, &mut self.calculator) else {
                continue;
            };
            let holds = match relation {
                Relation::Is => found == claimed,
                Relation::AtMost => self.calculator.le(found, claimed),
                Relation::AtLeast => self.calculator.le(claimed, found),
            };
            if !holds {
                return Ok(Some(self.refuted(&row, claim.rows.ends, found, claimed)));
            }
        }
        Ok(None)
    }

    fn refuted(&self, row: &[Pot], ends: [Pot; 2], found: ValueId, claimed: ValueId) -> Verdict {
        Verdict::Refuted {
            row: board(row, ends).to_string(),
            value: self.arena.notation(found).to_string(),
            claimed: self.arena.notation(claimed).to_string(),
        }
    }

    /// Retracts a claim with a move for which no answer is found; all other claims are checked
    /// again. Returns the verdict if the claim is the theorem's, or if the time is over.
    fn retract(&mut self, claim: usize, first: Player, gap: Gap) -> SearchResult<Option<Verdict>> {
        let row: Vec<Pot> = gap.steps.iter().map(|step| step.before).collect();
        let counts = counts_of(&self.claims[claim].rows, &gap.steps);
        let bound = self.claims[claim].bound(first);
        let claimed = bound.and_then(|bound| form(&bound, &counts, &mut self.calculator));
        let ends = self.claims[claim].rows.ends;
        let found = self.known.value(&row, ends)?.zip(claimed);
        let refuted = found.filter(|&(found, claimed)| {
            let found = as_seen(found, first);
            !self.calculator.le(found, claimed)
        });
        match refuted {
            Some((found, claimed)) if claim < self.theorem => Ok(Some(self.refuted(
                &row,
                ends,
                found,
                as_seen(claimed, first),
            ))),
            None if self.is_over() => Ok(Some(self.open_at(claim, &Unproved::Gap(gap), End::Time))),
            None if claim < self.theorem => Ok(Some(self.open_at(
                claim,
                &Unproved::Gap(gap),
                End::Exhausted,
            ))),
            _ => {
                self.drop_side(claim, first);
                Ok(None)
            }
        }
    }

    /// Removes one side of a claim for good; all other claims are checked again.
    fn drop_side(&mut self, claim: usize, first: Player) {
        let Claim { rows, .. } = &self.claims[claim];
        let key = (rows.clone(), self.written[claim].clone(), first);
        self.retracted.insert(key);
        match first {
            Player::Left => self.claims[claim].at_most = None,
            Player::Right => self.claims[claim].at_least = None,
        }
        let all = self.claims.iter().enumerate();
        self.open = all
            .flat_map(|(at, claim)| claim.firsts().map(move |first| (at, first)))
            .collect();
    }

    /// Adds one side of a claim, unless it was added before.
    fn add(&mut self, (rows, written): ValuedRows, first: Player) {
        let names = names(rows.least().len());
        let Ok(value) = notation::read(&written, names, &mut self.calculator) else {
            return;
        };
        if !self.tried.insert((rows.clone(), written.clone(), first)) {
            return;
        }
        let mut others = self.claims.iter().zip(&self.written).skip(self.theorem);
        let same = others.position(|(claim, text)| claim.rows == rows && *text == written);
        let at = same.map_or(self.claims.len(), |at| self.theorem + at);
        if same.is_none() {
            self.written.push(written);
            self.claims.push(Claim {
                rows,
                at_most: None,
                at_least: None,
            });
        }
        match first {
            Player::Left => self.claims[at].at_most = Some(value),
            Player::Right => self.claims[at].at_least = Some(value),
        }
        self.open.push_back((at, first));
    }

    /// Removes claims as long as the others prove the theorem and there is time.
    fn shorten(&mut self) {
        for at in (self.theorem..self.claims.len()).rev() {
            if self.is_over() {
                return;
            }
            let claim = self.claims.remove(at);
            let written = self.written.remove(at);
            let mut all = self.claims.iter().enumerate();
            let holds = all.all(|(at, claim)| {
                let mut firsts = claim.firsts();
                firsts.all(|first| self.check(at, first).is_ok())
            });
            if !holds {
                self.claims.insert(at, claim);
                self.written.insert(at, written);
            }
        }
    }
}

/// Returns the value from the player's view: Right's is negated.
fn as_seen(value: ValueId, player: Player) -> ValueId {
    match player {
        Player::Left => value,
        Player::Right => value.negative(),
    }
}

/// Returns the counts of a row that is read as a member of a family.
fn counts_of(rows: &Rows, steps: &[Step]) -> Vec<i64> {
    let count = |count| {
        steps
            .iter()
            .filter(|step| step.counts == Some(count))
            .count() as i64
    };
    (0..rows.least().len()).map(count).collect()
}

/// Returns a claim as written; `None` if nothing is left of it.
fn written(claim: &Claim, value: &str) -> Option<Written> {
    let relation = match (&claim.at_most, &claim.at_least) {
        (Some(_), Some(_)) => Relation::Is,
        (Some(_), None) => Relation::AtMost,
        (None, Some(_)) => Relation::AtLeast,
        (None, None) => return None,
    };
    let least = claim.rows.least();
    let names = names(least.len());
    let least = names
        .iter()
        .copied()
        .zip(least)
        .filter(|(_, least)| *least > 0);
    Some(Written {
        rows: claim.rows.text(names),
        least: least.collect::<BTreeMap<char, i64>>(),
        relation,
        value: value.to_owned(),
    })
}
