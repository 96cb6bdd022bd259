//! Theorems about values of rows: those that laws of results state, and the search for proofs.

use std::time::{Duration, Instant};

use cggames::family::Pattern;
use cggames::game::reading::Unread;
use cggames::game::{Game, Play};
use cglaws::Subject;
use cgproofs::proof::Written;
use cgproofs::prover::{Budget, Theorem, TheoremError, Verdict, claim_of, prove};
use cgsolvers::{EngineError, StopReason};
use thiserror::Error;

use super::values::with_values;
use crate::run::mining::{Data, Mining};
use crate::run::{Limits, RunError, Session};

/// The most positions that the search of one small row may take.
pub const PROOF_POSITIONS_MAX: u64 = 20_000;

/// The laws of values that mining found in results of one game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ValueLaws {
    /// The laws that are claims about rows.
    pub claims: Vec<Written>,
    /// The laws of a game whose moves are not read, as text.
    pub unread: Vec<String>,
    /// The number of laws that are not claims.
    pub others: usize,
}

impl ValueLaws {
    /// Returns the laws of values of a game.
    pub fn of(mining: &Mining, game: Game) -> ValueLaws {
        let is_read = game.reading().is_ok();
        let mut laws = ValueLaws::default();
        for found in &mining.found {
            let Data::Column(column) = &found.data else {
                continue;
            };
            let pattern = match &column.subject {
                Subject::Members(pattern) => pattern.parse::<Pattern>().ok(),
                Subject::Followers(_) => None,
            };
            for law in &found.mined.laws {
                let Some(values) = &law.values else {
                    continue;
                };
                if !is_read {
                    laws.unread.push(format!("{} = {law}", column.subject));
                    continue;
                }
                let pattern = pattern.as_ref();
                match pattern.and_then(|pattern| claim_of(pattern, &column.variables, values)) {
                    Some(claim) => laws.claims.push(claim),
                    None => laws.others += 1,
                }
            }
        }
        laws
    }
}

/// Why there is no verdict about a theorem.
#[derive(Debug, Error)]
pub enum ProofError {
    /// The game's moves are not read.
    #[error("nothing is proved about this game: {why}; accepted: {accepted}, on the endless row")]
    Unread {
        /// Why they are not.
        why: Unread,
        /// The games whose moves are.
        accepted: String,
    },
    /// A claim of the theorem cannot be read.
    #[error(transparent)]
    Theorem(TheoremError),
    /// The search was stopped.
    #[error(transparent)]
    Run(Box<RunError>),
}

/// Searches for a proof of a theorem about a game, for at most this time and with at most this number of further claims.
///
/// # Errors
///
/// [`ProofError`]; no verdict within the time is none.
///
/// ```
/// use std::time::Duration;
/// use cggames::game::{Game, Play};
/// use cgproofs::proof::{Relation, Written};
/// use cgproofs::prover::Verdict;
/// use seedbank::evaluate::prove_theorem;
/// use seedbank::run::{Limits, Session, Signals, Silent};
///
/// let signals = Signals::default();
/// let session = Session::new(Limits::new(1, bytesize::ByteSize::gib(1)), &signals, &Silent);
/// let theorem = [Written {
///     rows: "(10)^m 03 (01)^n".to_owned(),
///     least: Default::default(),
///     relation: Relation::Is,
///     value: "1".to_owned(),
/// }];
/// let time = Duration::from_secs(60);
/// let verdict = prove_theorem(Game::SOWING, Play::Partisan, &theorem, 10, time, &session)?;
/// assert!(matches!(verdict, Verdict::Refuted { .. }));
/// # Ok::<(), seedbank::evaluate::ProofError>(())
/// ```
pub fn prove_theorem(
    game: Game,
    play: Play,
    theorem: &[Written],
    claims_more: usize,
    time: Duration,
    session: &Session<'_>,
) -> Result<Verdict, ProofError> {
    let reading = game.reading().map_err(|why| ProofError::Unread {
        why,
        accepted: Game::names_read(),
    })?;
    // `None` if the clock cannot represent the end of that time.
    let until = Instant::now().checked_add(time);
    let limits = Limits {
        deadline: until.or(session.limits.deadline),
        ..session.limits
    };
    let of_theorem = Session::new(limits, session.signals, session.observer);
    let budget = Budget {
        until,
        is_stopped: &|| session.check().is_err(),
        claims_max: theorem.len() + claims_more,
    };
    let asked = Theorem {
        reading,
        play,
        claims: theorem,
    };
    let verdict = with_values(game, play, &of_theorem, |values| {
        let mut evaluate = |board: &_| match values.value(board, PROOF_POSITIONS_MAX) {
            // No value: the search for a proof ends at the time limit and returns its verdict.
            Err(RunError::Engine(EngineError::Stopped(StopReason::TimeLimit))) => Ok(None),
            found => Ok(found?),
        };
        prove(&asked, budget, values.arena(), &mut evaluate)
    });
    session
        .check()
        .map_err(|error| ProofError::Run(Box::new(error)))?;
    verdict.map_err(|error| match error {
        TheoremError::Evaluation(error) => match error.downcast() {
            Ok(error) => ProofError::Run(error),
            Err(error) => ProofError::Theorem(TheoremError::Evaluation(error)),
        },
        error => ProofError::Theorem(error),
    })
}
