//! The arena of all values in the process, and the tools of each thread that computes with them.

use std::cell::Cell;
use std::sync::{Arc, LazyLock, Mutex};

use pyo3::exceptions::{PyMemoryError, PyOverflowError, PyValueError};
use pyo3::prelude::*;
use seedbank::board::brief;
use seedbank::value::{
    Arena, ArenaError, AtomicWeights, Calculator, CoolingError, LoopyError, NortonError,
    NotationWriter, ParseValueError, Thermographs,
};
use seedbank_memory::lock;
use thiserror::Error;

/// The canonical forms of all values. None is ever removed.
static ARENA: LazyLock<Arc<Arena>> = LazyLock::new(Arc::default);

/// The steps that a computation takes before it releases the interpreter's lock: some milliseconds.
const STEPS_ATTACHED: u64 = 100_000;

/// The steps between two checks for Ctrl-C: some tenths of a second.
pub(crate) const STEPS_A_CHECK: u64 = 1 << 22;

/// What a thread computes with.
pub(crate) struct Tools {
    pub(crate) calculator: Calculator<'static>,
    pub(crate) thermographs: Thermographs<'static>,
    pub(crate) weights: AtomicWeights<'static>,
    pub(crate) writer: NotationWriter<'static>,
}

thread_local! {
    static TOOLS: Cell<Option<Box<Tools>>> = const { Cell::new(None) };
}

/// Returns the arena.
pub(crate) fn arena() -> &'static Arc<Arena> {
    &ARENA
}

/// Calls a function with the tools of this thread, or with new ones if they are in use.
pub(crate) fn with_tools<T>(work: impl FnOnce(&mut Tools) -> T) -> T {
    let mut tools = TOOLS.take().unwrap_or_else(|| {
        Box::new(Tools {
            calculator: ARENA.calculator(),
            thermographs: Thermographs::from_minus_one(&ARENA),
            weights: AtomicWeights::new(&ARENA),
            writer: NotationWriter::new(&ARENA),
        })
    });
    let result = work(&mut tools);
    TOOLS.set(Some(tools));
    result
}

/// Why a computation failed.
#[derive(Debug, Error)]
pub(crate) enum Failure {
    #[error(transparent)]
    Arena(#[from] ArenaError),
    #[error(transparent)]
    Cooling(#[from] CoolingError),
    #[error(transparent)]
    Norton(#[from] NortonError),
    #[error(transparent)]
    Loopy(#[from] LoopyError),
    /// A text that cannot be read.
    #[error("{:?}: {error}", brief(text))]
    Text {
        text: String,
        error: ParseValueError,
    },
}

impl Failure {
    /// Returns the arena's error, if it is one.
    fn of_arena(&self) -> Option<&ArenaError> {
        match self {
            Failure::Arena(error)
            | Failure::Cooling(CoolingError::Arena(error))
            | Failure::Norton(NortonError::Arena(error))
            | Failure::Loopy(LoopyError::Arena(error))
            | Failure::Text {
                error: ParseValueError::Arena { source: error, .. },
                ..
            } => Some(error),
            _ => None,
        }
    }

    /// Returns whether it took more steps than allowed.
    pub(crate) fn is_of_steps(&self) -> bool {
        matches!(self.of_arena(), Some(ArenaError::Steps(_)))
            || matches!(self.of_loopy(), Some(LoopyError::Steps(_)))
    }

    /// Returns the error of loopy values, if it is one.
    fn of_loopy(&self) -> Option<&LoopyError> {
        match self {
            Failure::Loopy(error)
            | Failure::Text {
                error: ParseValueError::NoStopper { source: error, .. },
                ..
            } => Some(error),
            _ => None,
        }
    }
}

impl From<Failure> for PyErr {
    fn from(failure: Failure) -> PyErr {
        let text = failure.to_string();
        match failure.of_arena() {
            Some(ArenaError::Full) => PyMemoryError::new_err(text),
            Some(_) => PyOverflowError::new_err(text),
            None if matches!(failure, Failure::Cooling(CoolingError::Inexact)) => {
                PyOverflowError::new_err(text)
            }
            None => match failure.of_loopy() {
                Some(LoopyError::Steps(_) | LoopyError::States(_)) => {
                    PyOverflowError::new_err(text)
                }
                _ => PyValueError::new_err(text),
            },
        }
    }
}

/// Computes with the tools of this thread. Short work keeps the interpreter's lock; longer work begins again without it, and
/// Ctrl-C stops it.
///
/// # Errors
///
/// That of the work, or KeyboardInterrupt.
pub(crate) fn compute<T: Send, E: Into<Failure>>(
    py: Python<'_>,
    work: impl Fn(&mut Tools) -> Result<T, E> + Sync,
) -> PyResult<T> {
    with_tools(|tools| {
        tools.calculator.limit_steps(STEPS_ATTACHED);
        tools.weights.limit_steps(STEPS_ATTACHED);
        match work(tools).map_err(Into::into) {
            Err(failure) if failure.is_of_steps() => {}
            done => return Ok(done?),
        }
        let interrupt = Arc::new(Mutex::new(None));
        let goes_on = || {
            let interrupt = Arc::clone(&interrupt);
            move || {
                let signals = Python::attach(|py| py.check_signals());
                *lock(&interrupt) = signals.err();
                lock(&interrupt).is_none()
            }
        };
        tools.calculator.watch_steps(STEPS_A_CHECK, goes_on());
        tools.weights.watch_steps(STEPS_A_CHECK, goes_on());
        let done: Result<T, Failure> = py.detach(|| work(tools).map_err(Into::into));
        let interrupt = lock(&interrupt).take();
        match (done, interrupt) {
            (Err(_), Some(interrupt)) => Err(interrupt),
            (done, _) => Ok(done?),
        }
    })
}
