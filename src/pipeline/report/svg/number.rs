//! Numbers in pictures.

/// Returns a number with at most two decimals, without zeros at its end.
///
/// ```
/// use seedbank::report::svg::number;
///
/// assert_eq!(number(12.0), "12");
/// assert_eq!(number(0.125), "0.13");
/// assert_eq!(number(-0.001), "0");
/// ```
pub fn number(x: f64) -> String {
    // Halves away from zero, as readers expect; formatting alone rounds them to even digits.
    let hundredths = (x * 100.0).round();
    if hundredths == 0.0 {
        return "0".to_owned();
    }
    let text = format!("{:.2}", hundredths / 100.0);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}
