//! Searches for boards from the stones of some bins, for the rows of a job and without one.

use std::fmt;
use std::iter;
use std::ops::ControlFlow;

use cgsolvers::tchoukaillon::lengths::shortest;
use cgsolvers::tchoukaillon::reconstruct::{Contradiction, FixedBins, STONES_MAX, SearchStep};

use crate::run::{Phase, RunError, Session};

/// Why no board agrees with the fixed bins.
#[derive(Clone, Debug)]
pub enum NoBoard {
    /// The bins contradict each other.
    Contradiction(Contradiction),
    /// All numbers of stones below the period were searched.
    Period(u128),
    /// The numbers of stones up to this one were searched, and boards of more may agree.
    UpTo(u128),
}

impl fmt::Display for NoBoard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoBoard::Contradiction(reason) => write!(f, "{reason}"),
            NoBoard::Period(period) => write!(
                f,
                "all numbers of stones modulo the period {period} were searched"
            ),
            NoBoard::UpTo(most) => write!(
                f,
                "none of at most {most} stones agrees, though greater ones may"
            ),
        }
    }
}

/// The numbers of stones of all boards that agree with the fixed bins, modulo their period.
#[derive(Clone, Debug)]
pub enum Residues {
    /// There is none.
    None(NoBoard),
    /// These.
    Found {
        /// The residues, ascending.
        residues: Vec<u128>,
        /// The period.
        period: u128,
    },
    /// More than were requested, modulo this period.
    TooMany(u128),
    /// The period exceeds [`STONES_MAX`].
    TooFar,
}

/// A search that stops with the work that it is part of.
pub(super) struct Search<'a> {
    pub(super) fixed: &'a FixedBins,
    /// Returns an error if the work was stopped.
    pub(super) check_stop: &'a (dyn Fn() -> Result<(), RunError> + Sync),
}

impl<'a> Search<'a> {
    /// Returns the numbers of stones from one to another whose boards agree, ascending.
    pub(super) fn boards(
        &self,
        from: u128,
        to: u128,
    ) -> impl Iterator<Item = Result<u128, RunError>> + use<'a> {
        let mut solutions = self.fixed.solutions(from, to);
        let check_stop = self.check_stop;
        iter::from_fn(move || {
            loop {
                if let Err(stop) = check_stop() {
                    return Some(Err(stop));
                }
                match solutions.step() {
                    SearchStep::Found(stones) => return Some(Ok(stones)),
                    SearchStep::Open => {}
                    SearchStep::End => return None,
                }
            }
        })
    }

    /// Returns the first number of stones from one to another whose board agrees. Boards repeat with the period: if one agrees,
    /// every interval of this length has one.
    pub(super) fn first(&self, from: u128, to: u128) -> Result<Option<u128>, RunError> {
        let end = self.end_of_period(from);
        self.boards(from, to.min(end)).next().transpose()
    }

    /// Returns the last number of stones of the period that begins with this one.
    fn end_of_period(&self, from: u128) -> u128 {
        let period = self.fixed.period();
        period.map_or(u128::MAX, |period| from.saturating_add(period - 1))
    }
}

/// Finds the boards that agree with the fixed bins, and passes on their stones in rising order: the fewest, and those of
/// `further` more boards of at most `most` stones. With `long`, boards shorter than the farthest fixed bin do not count.
///
/// Ends early if `each` does. Returns the reason if there is no board.
///
/// # Errors
///
/// The reason if the session stopped the search, or [`RunError::Threads`].
///
/// ```
/// use std::ops::ControlFlow;
/// use bytesize::ByteSize;
/// use cggames::family::BinNumbering;
/// use cgsolvers::tchoukaillon::reconstruct::FixedBins;
/// use seedbank::run::{Limits, Session, Signals, Silent};
/// use seedbank::task::reconstructions::reconstruct;
///
/// let signals = Signals::default();
/// let session = Session::new(Limits::new(1, ByteSize::gib(1)), &signals, &Silent);
/// let fixed = FixedBins::new(BinNumbering::B, [(2, 1), (3, 3)])?;
/// let mut found = Vec::new();
/// let none = reconstruct(&fixed, false, 2, 40, &session, |stones| {
///     found.push(stones);
///     ControlFlow::Continue(())
/// })?;
/// assert!(none.is_none());
/// assert_eq!(found, [4, 5, 16]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn reconstruct(
    fixed: &FixedBins,
    long: bool,
    further: u64,
    most: u128,
    session: &Session<'_>,
    mut each: impl FnMut(u128) -> ControlFlow<()> + Send,
) -> Result<Option<NoBoard>, RunError> {
    let from = if long { shortest(fixed.farthest()) } else { 0 };
    searching(fixed, "boards", "board", session, |search| {
        let Some(fewest) = search.first(from, most)? else {
            return Ok(Some(match fixed.period() {
                Some(period) if search.end_of_period(from) <= most => NoBoard::Period(period),
                _ => NoBoard::UpTo(most),
            }));
        };
        let rest = search.boards(fewest.saturating_add(1), most);
        let rest = rest.take(usize::try_from(further).unwrap_or(usize::MAX));
        for stones in iter::once(Ok(fewest)).chain(rest) {
            session.tracker.add(1, 0);
            session.control.count_evaluated(1);
            if each(stones?).is_break() {
                break;
            }
        }
        Ok(None)
    })
    .map(|found| found.unwrap_or_else(Some))
}

/// Finds the residues of the boards that agree with the fixed bins, at most this number.
///
/// # Errors
///
/// As [`reconstruct`].
pub fn residues(
    fixed: &FixedBins,
    most: usize,
    session: &Session<'_>,
) -> Result<Residues, RunError> {
    let found = searching(fixed, "residues", "", session, |search| {
        let Some(period) = fixed.period().filter(|&period| period <= STONES_MAX) else {
            return Ok(Residues::TooFar);
        };
        let residues = search.boards(0, period - 1).take(most + 1);
        let residues = residues.collect::<Result<Vec<u128>, RunError>>()?;
        Ok(match residues.len() {
            0 => Residues::None(NoBoard::Period(period)),
            found if found > most => Residues::TooMany(period),
            _ => Residues::Found { residues, period },
        })
    })?;
    Ok(found.unwrap_or_else(Residues::None))
}

/// Searches under watch, unless the bins contradict each other.
fn searching<T: Send>(
    fixed: &FixedBins,
    title: &str,
    unit: &'static str,
    session: &Session<'_>,
    search: impl FnOnce(&Search<'_>) -> Result<T, RunError> + Send,
) -> Result<Result<T, NoBoard>, RunError> {
    if let Some(reason) = fixed.examine().contradiction() {
        return Ok(Err(NoBoard::Contradiction(reason.clone())));
    }
    session.tracker.expect_unknown();
    session.tracker.begin(Phase::Searching, unit, None, 0);
    let searched = Search {
        fixed,
        check_stop: &|| session.check_stop(),
    };
    let work = || session.watch((title, unit), (0, 0), None, || search(&searched));
    session.pool()?.install(work).map(Ok)
}
