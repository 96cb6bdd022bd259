//! Exact numbers: Python's `int` and `fractions.Fraction`, and dyadic rationals.

use pyo3::exceptions::{PyOverflowError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyFloat, PyInt, PyType};
use seedbank::value::Dyadic;

/// The modulus of Python's hash of numbers, 2^61 - 1.
const HASH_BITS: u32 = 61;
const HASH_MODULUS: i128 = (1 << HASH_BITS) - 1;

/// Returns a number as a `fractions.Fraction`.
pub(crate) fn fraction(py: Python<'_>, number: Dyadic) -> PyResult<Bound<'_, PyAny>> {
    static FRACTION: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    let class = FRACTION.import(py, "fractions", "Fraction")?;
    let one = PyInt::new(py, 1);
    let denominator = one.call_method1("__lshift__", (number.exponent(),))?;
    class.call1((number.numerator(), denominator))
}

/// Returns the hash that Python gives to a number.
pub(crate) fn hash(number: Dyadic) -> isize {
    let n = number.numerator();
    // The inverse of 2^k is 2^(61 - k), since 2^61 is 1.
    let shift = (HASH_BITS - number.exponent() % HASH_BITS) % HASH_BITS;
    let remainder = (n.abs() % HASH_MODULUS) << shift;
    let hash = (remainder % HASH_MODULUS) as isize * n.signum() as isize;
    if hash == -1 { -2 } else { hash }
}

/// Reads an integer or a fraction whose denominator is a power of two; `None` if the object is neither integer nor fraction.
///
/// # Errors
///
/// If it is a float or another fraction, or does not fit.
pub(crate) fn number(object: &Bound<'_, PyAny>) -> PyResult<Option<Dyadic>> {
    if object.is_instance_of::<PyInt>() {
        let integer = object.extract().map_err(|_| {
            PyOverflowError::new_err(format!("the integer {object} does not fit in 64 bits"))
        });
        return Ok(Some(Dyadic::integer(integer?)));
    }
    if object.is_instance_of::<PyFloat>() {
        return Err(PyTypeError::new_err(format!(
            "{object} is a float; write an exact number: an int, a fractions.Fraction or a text such as \"1/2\""
        )));
    }
    let parts = (
        object.getattr_opt("numerator")?,
        object.getattr_opt("denominator")?,
    );
    let (Some(numerator), Some(denominator)) = parts else {
        return Ok(None);
    };
    let parts = (numerator.extract::<i128>(), denominator.extract::<u128>());
    if let (Ok(numerator), Ok(denominator)) = parts
        && denominator.is_power_of_two()
        && denominator <= DENOMINATOR_MAX
        && numerator > i128::MIN
    {
        return Ok(Some(Dyadic::new(numerator, denominator.trailing_zeros())));
    }
    Err(PyValueError::new_err(format!(
        "{object} is no number of a game; its denominator must be a power of two up to 2^126, its numerator below 2^127"
    )))
}

/// The largest denominator of a game's number.
const DENOMINATOR_MAX: u128 = 1 << 126;
