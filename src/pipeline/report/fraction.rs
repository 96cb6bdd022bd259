//! Exact numbers as text.

use cgvalues::Dyadic;

/// The greatest denominator of a dyadic rational that a float is taken for is 2 to this power.
const EXPONENT_MAX: u32 = 52;

/// Returns the dyadic rational that a float stands for; `None` if its denominator would exceed 2^52, as no stop, mean or
/// temperature of a result has.
pub(crate) fn dyadic(x: f64) -> Option<Dyadic> {
    let exponent = (0..=EXPONENT_MAX).find(|&exponent| {
        let scaled = x * f64::from(exponent).exp2();
        scaled.fract() == 0.0 && scaled.abs() < 1e18
    })?;
    Some(Dyadic::new(
        (x * f64::from(exponent).exp2()) as i128,
        exponent,
    ))
}

/// Returns a float that stands for a dyadic rational, as values are written: `3/4`.
///
/// ```
/// use seedbank::report::fraction;
///
/// assert_eq!(fraction(0.75), "3/4");
/// assert_eq!(fraction(-2.0), "-2");
/// assert_eq!(fraction(1e300), "1e300");
/// ```
pub fn fraction(x: f64) -> String {
    dyadic(x).map_or_else(|| format!("{x:e}"), |number| number.to_string())
}
