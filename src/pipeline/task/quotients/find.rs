//! The quotient of one game.

use cggames::game::heap::HeapGame;
use cgsolvers::quotient::{
    Element, QuotientCertificate, QuotientEnd, QuotientLimits, QuotientSolver,
};

use crate::report::reference::Tameness;
use crate::run::{Phase, RunError, Session};

/// A search for a quotient that has ended.
#[derive(Clone, Debug)]
pub struct QuotientFound {
    /// The quotient.
    pub solver: QuotientSolver,
    /// The limits.
    limits: QuotientLimits,
}

/// Finds the misère quotient of a game, until the heaps to `heaps_max` prove one for all heaps.
///
/// # Errors
///
/// That of `check_stop`, which is called before each heap.
///
/// ```
/// use cgsolvers::quotient::QuotientLimits;
/// use seedbank::report::reference::Tameness;
/// use seedbank::task::quotients::find_quotient;
///
/// let find = |code: &str, heaps_max| {
///     let limits = QuotientLimits { elements_max: 20, ..QuotientLimits::default() };
///     find_quotient(&code.parse().unwrap(), heaps_max, limits, || Ok::<(), ()>(())).unwrap()
/// };
/// let found = find("0.123", 30);
/// assert_eq!((found.solver.heaps(), found.reason(), found.tameness()), (13, None, Some(Tameness::Wild)));
/// assert!(found.certificate().is_some());
/// let reason = "no period is proved by the heaps up to 11";
/// assert_eq!(find("0.123", 11).reason().as_deref(), Some(reason));
/// let reason = "the quotient of the heaps up to 10 has more than 20 elements";
/// assert_eq!(find("0.37", 30).reason().as_deref(), Some(reason));
/// ```
pub fn find_quotient<E>(
    game: &HeapGame,
    heaps_max: u64,
    limits: QuotientLimits,
    mut check_stop: impl FnMut() -> Result<(), E>,
) -> Result<QuotientFound, E> {
    let mut solver = QuotientSolver::new(game, limits);
    while solver.period().is_none() && solver.end().is_none() && solver.heaps() as u64 <= heaps_max
    {
        check_stop()?;
        solver.extend(solver.heaps() + 1);
    }
    Ok(QuotientFound { solver, limits })
}

/// Finds the quotient of a game without a job; see [`find_quotient`].
///
/// # Errors
///
/// The reason for stopping.
pub fn evaluate_quotient(
    game: &HeapGame,
    heaps_max: u64,
    limits: QuotientLimits,
    session: &Session<'_>,
) -> Result<QuotientFound, RunError> {
    let mut found = None;
    let what = "the positions and pairs of the search";
    session.each(
        Phase::Searching,
        std::slice::from_ref(game),
        what,
        |game, control| {
            let check_stop = || control.stopped_or_held().map_or(Ok(()), Err);
            found = Some(find_quotient(game, heaps_max, limits, check_stop)?);
            Ok(())
        },
    )?;
    Ok(found.expect("the only game was searched"))
}

impl QuotientFound {
    /// Returns the elements of the heaps from 0 on: to the end of the first period if one is proved,
    /// otherwise of all heaps of the quotient.
    pub fn phi(&self) -> &[Element] {
        let phi = self.solver.phi();
        self.solver
            .period()
            .map_or(phi, |found| &phi[..found.preperiod + found.period])
    }

    /// Returns why the quotient is not proved to be that of all heaps, if it is not.
    pub fn reason(&self) -> Option<String> {
        let next = self.solver.heaps();
        let QuotientLimits {
            elements_max,
            positions_max,
        } = self.limits;
        Some(match (self.solver.period(), self.solver.end()) {
            (Some(_), _) => return None,
            (None, None) => format!("no period is proved by the heaps up to {}", next - 1),
            (None, Some(QuotientEnd::Elements)) => {
                format!(
                    "the quotient of the heaps up to {next} has more than {elements_max} elements"
                )
            }
            (None, Some(QuotientEnd::Positions)) => format!(
                "finding the quotient of the heaps up to {next} needs more than {positions_max} positions"
            ),
            (None, Some(QuotientEnd::Pairs)) => {
                format!(
                    "checking the quotient of the heaps up to {next} needs more than {positions_max} pairs"
                )
            }
        })
    }

    /// Returns whether the game is tame or wild, if that is known: a quotient of the first heaps that
    /// is wild makes the game wild.
    pub fn tameness(&self) -> Option<Tameness> {
        match (self.solver.monoid().is_tame(), self.solver.period()) {
            (false, _) => Some(Tameness::Wild),
            (true, Some(_)) => Some(Tameness::Tame),
            (true, None) => None,
        }
    }

    /// Returns the certificate of a proved quotient.
    pub fn certificate(&self) -> Option<QuotientCertificate> {
        QuotientCertificate::new(&self.solver)
    }
}
