//! Sums of terms in text and in LaTeX.

/// A style of writing sums.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Writing {
    /// Text such as `3*n^2-1`.
    Compact,
    /// Text such as `1 - 3 x`.
    Spaced,
    /// LaTeX mathematics.
    Latex,
}

/// Writes a sum of terms, each given by a coefficient and the factor after it, which is empty for
/// the number 1. Terms with coefficient 0 are left out.
pub(super) fn sum(terms: impl IntoIterator<Item = (i128, String)>, writing: Writing) -> String {
    let (plus, minus) = match writing {
        Writing::Compact => ("+", "-"),
        Writing::Spaced | Writing::Latex => (" + ", " - "),
    };
    let mut text = String::new();
    for (coefficient, factor) in terms {
        if coefficient == 0 {
            continue;
        }
        text += match (coefficient < 0, text.is_empty()) {
            (true, true) => "-",
            (true, false) => minus,
            (false, true) => "",
            (false, false) => plus,
        };
        let size = coefficient.unsigned_abs();
        match (size, factor.is_empty()) {
            (_, true) => text += &size.to_string(),
            (1, false) => text += &factor,
            (_, false) => text += &product(&size.to_string(), &factor, writing),
        }
    }
    if text.is_empty() {
        "0".to_owned()
    } else {
        text
    }
}

/// Writes a product of two factors.
pub(super) fn product(left: &str, right: &str, writing: Writing) -> String {
    let is_digit = |c: char| c.is_ascii_digit();
    match writing {
        Writing::Compact => format!("{left}*{right}"),
        // Two adjacent numbers would read as one.
        Writing::Latex if left.ends_with(is_digit) && right.starts_with(is_digit) => {
            format!("{left} \\cdot {right}")
        }
        Writing::Spaced | Writing::Latex => format!("{left} {right}"),
    }
}

/// Writes a power. The exponent is a number, a name or a sum of the two.
pub(super) fn power(base: &str, exponent: &str, writing: Writing) -> String {
    let is_word = exponent.chars().all(char::is_alphanumeric);
    match (exponent, writing) {
        ("1", _) => base.to_owned(),
        (_, Writing::Latex) if exponent.chars().count() > 1 => format!("{base}^{{{exponent}}}"),
        (_, Writing::Latex) => format!("{base}^{exponent}"),
        _ if is_word => format!("{base}^{exponent}"),
        _ => format!("{base}^({exponent})"),
    }
}

/// Writes the name of a variable: in LaTeX one of several letters is set as a word.
pub(super) fn variable(name: &str, writing: Writing) -> String {
    match writing {
        Writing::Latex if name.chars().count() > 1 => {
            format!("\\mathit{{{}}}", name.replace('_', "\\_"))
        }
        _ => name.to_owned(),
    }
}

/// Writes a variable plus a number, as in `n-1`.
pub(super) fn shifted(name: &str, shift: i128) -> String {
    sum(
        [(1, name.to_owned()), (shift, String::new())],
        Writing::Compact,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_written_in_three_ways() {
        let terms = || {
            [
                (-3, "2^n".to_owned()),
                (0, "m".to_owned()),
                (1, "n".to_owned()),
                (-1, String::new()),
            ]
        };
        assert_eq!(sum(terms(), Writing::Compact), "-3*2^n+n-1");
        assert_eq!(sum(terms(), Writing::Spaced), "-3 2^n + n - 1");
        assert_eq!(sum(terms(), Writing::Latex), "-3 \\cdot 2^n + n - 1");
        assert_eq!(sum([], Writing::Compact), "0");
        assert_eq!(shifted("n", 0), "n");
        assert_eq!(power("2", "n-1", Writing::Compact), "2^(n-1)");
        assert_eq!(power("2", "n-1", Writing::Latex), "2^{n-1}");
        assert_eq!(variable("pots_max", Writing::Latex), "\\mathit{pots\\_max}");
    }
}
