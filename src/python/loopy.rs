//! The calculator of loopy values, which all threads share: a stopper has one id in the process.

use std::sync::{Arc, LazyLock, Mutex, MutexGuard, TryLockError};
use std::thread;
use std::time::Duration;

use pyo3::prelude::*;
use seedbank::value::{LoopyCalculator, LoopyError, Sides};
use seedbank_memory::lock;

use crate::tools::{Failure, STEPS_A_CHECK, arena};

static CALCULATOR: LazyLock<Mutex<LoopyCalculator<'static>>> =
    LazyLock::new(|| Mutex::new(LoopyCalculator::new(arena())));

/// The steps that a computation takes before it releases the interpreter's lock: some milliseconds; and those of short forms.
const STEPS_ATTACHED: u64 = 4_000;
const SHORT_STEPS_ATTACHED: u64 = 100_000;

/// The wait before a busy calculator is tried again.
const WAIT: Duration = Duration::from_millis(5);

/// Computes with the calculator. Short work keeps the interpreter's lock; longer work begins again without it, and Ctrl-C stops it.
///
/// # Errors
///
/// That of the work, or KeyboardInterrupt.
pub(crate) fn with_loopy<T: Send>(
    py: Python<'_>,
    work: impl Fn(&mut LoopyCalculator<'static>) -> Result<T, Failure> + Sync,
) -> PyResult<T> {
    if let Some(mut calculator) = free() {
        calculator.limit_steps(STEPS_ATTACHED);
        calculator.short().limit_steps(SHORT_STEPS_ATTACHED);
        let done = checked(&mut calculator, &work);
        unlimited(&mut calculator);
        match done {
            Err(failure) if failure.is_of_steps() => {}
            done => return Ok(done?),
        }
    }
    py.detach(|| {
        // Who waits with the interpreter's lock would keep the other thread from it.
        let mut calculator = loop {
            match free() {
                Some(calculator) => break calculator,
                None => thread::sleep(WAIT),
            }
            Python::attach(|py| py.check_signals())?;
        };
        let interrupt = Arc::new(Mutex::new(None));
        let goes_on = || {
            let interrupt = Arc::clone(&interrupt);
            move || {
                let signals = Python::attach(|py| py.check_signals());
                if let Err(error) = signals {
                    *lock(&interrupt) = Some(error);
                }
                lock(&interrupt).is_none()
            }
        };
        calculator.watch(goes_on());
        calculator.short().watch_steps(STEPS_A_CHECK, goes_on());
        let done = checked(&mut calculator, &work);
        unlimited(&mut calculator);
        match lock(&interrupt).take() {
            Some(interrupt) => Err(interrupt),
            None => Ok(done?),
        }
    })
}

/// Does some work that stayed within the limits, or fails.
fn checked<T>(
    calculator: &mut LoopyCalculator<'static>,
    work: impl Fn(&mut LoopyCalculator<'static>) -> Result<T, Failure>,
) -> Result<T, Failure> {
    let done = work(calculator)?;
    calculator.check_steps()?;
    Ok(done)
}

fn unlimited(calculator: &mut LoopyCalculator<'static>) {
    calculator.limit_steps(u64::MAX);
    calculator.short().limit_steps(u64::MAX);
    calculator.watch(|| true);
}

/// Returns the calculator, unless another thread has it.
fn free() -> Option<MutexGuard<'static, LoopyCalculator<'static>>> {
    match CALCULATOR.try_lock() {
        Ok(calculator) => Some(calculator),
        Err(TryLockError::Poisoned(calculator)) => Some(calculator.into_inner()),
        Err(TryLockError::WouldBlock) => None,
    }
}

/// Returns a game of another calculator over the arena. Call it without the interpreter's lock.
pub(crate) fn adopted(of: &LoopyCalculator<'_>, game: Sides) -> Result<Sides, LoopyError> {
    lock(&CALCULATOR).adopt(of, game)
}
