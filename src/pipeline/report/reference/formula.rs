//! Formulas in a theorem's variables: integers such as `2^(n-1) - 1`.

/// A number for each variable.
pub type Binding = [(char, i64)];

/// An integer in terms of variables, with `+`, `-`, `*`, `^` and parentheses.
///
/// ```
/// use seedbank::report::reference::Formula;
///
/// let followers = Formula::parse("2^(n-1) - 1", &['n']).unwrap();
/// assert_eq!(followers.evaluate(&[('n', 11)]), Some(1023));
/// assert!(Formula::parse("2^k", &['n']).is_none());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Formula {
    text: String,
}

impl Formula {
    /// Reads a formula in these variables; returns `None` if the text is not a formula.
    pub fn parse(text: &str, variables: &[char]) -> Option<Formula> {
        let formula = Formula {
            text: text.to_owned(),
        };
        // All variables being 1, no formula in use is too large or divides by anything.
        let ones: Vec<(char, i64)> = variables.iter().map(|&name| (name, 1)).collect();
        formula.evaluate(&ones)?;
        Some(formula)
    }

    /// Returns the formula's value, or `None` if it takes more than 64 bits or an exponent is negative.
    pub fn evaluate(&self, binding: &Binding) -> Option<i64> {
        let mut reader = Reader {
            chars: self.text.chars().collect(),
            at: 0,
            depth: 0,
            binding,
        };
        let value = reader.sum()?;
        reader.blanks();
        (reader.at == reader.chars.len()).then_some(value)
    }
}

/// The deepest nesting that is read; published formulas have one level.
const DEPTH_MAX: usize = 32;

struct Reader<'a> {
    chars: Vec<char>,
    at: usize,
    depth: usize,
    binding: &'a Binding,
}

impl Reader<'_> {
    fn blanks(&mut self) {
        while self.chars.get(self.at).is_some_and(|c| c.is_whitespace()) {
            self.at += 1;
        }
    }

    fn take(&mut self, wanted: char) -> bool {
        self.blanks();
        let found = self.chars.get(self.at) == Some(&wanted);
        self.at += usize::from(found);
        found
    }

    fn sum(&mut self) -> Option<i64> {
        let negative = self.take('-');
        let first = self.product()?;
        let mut sum = if negative {
            first.checked_neg()?
        } else {
            first
        };
        loop {
            if self.take('+') {
                sum = sum.checked_add(self.product()?)?;
            } else if self.take('-') {
                sum = sum.checked_sub(self.product()?)?;
            } else {
                return Some(sum);
            }
        }
    }

    fn product(&mut self) -> Option<i64> {
        let mut product = self.power()?;
        while self.take('*') {
            product = product.checked_mul(self.power()?)?;
        }
        Some(product)
    }

    fn power(&mut self) -> Option<i64> {
        let base = self.atom()?;
        if !self.take('^') {
            return Some(base);
        }
        base.checked_pow(u32::try_from(self.atom()?).ok()?)
    }

    fn atom(&mut self) -> Option<i64> {
        if self.take('(') {
            self.depth += 1;
            let inner = (self.depth <= DEPTH_MAX).then(|| self.sum())??;
            self.depth -= 1;
            return self.take(')').then_some(inner);
        }
        let c = *self.chars.get(self.at)?;
        if let Some((_, value)) = self.binding.iter().find(|(name, _)| *name == c) {
            self.at += 1;
            return Some(*value);
        }
        let start = self.at;
        while self.chars.get(self.at).is_some_and(char::is_ascii_digit) {
            self.at += 1;
        }
        let digits: String = self.chars[start..self.at].iter().collect();
        digits.parse().ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_follow_the_usual_precedence() {
        let value = |text: &str| {
            let formula = Formula::parse(text, &['m', 'n'])?;
            formula.evaluate(&[('m', 3), ('n', 4)])
        };
        assert_eq!(value("m"), Some(3));
        assert_eq!(value("-m + 2*n^2 - 1"), Some(28));
        assert_eq!(value("2 ^ (n - 1) - 1"), Some(7));
        assert_eq!(value("(m - n) * (m + n)"), Some(-7));
        for wrong in ["", "k", "2^", "(n", "n)", "2**n", "n m", "2 1", "2^(0-n)"] {
            assert_eq!(value(wrong), None, "{wrong}");
        }
        let deep = format!("{}1{}", "(".repeat(100_000), ")".repeat(100_000));
        assert_eq!(value(&deep), None);
    }

    #[test]
    fn too_large_is_no_value() {
        let formula = Formula::parse("2^n", &['n']).unwrap();
        assert_eq!(formula.evaluate(&[('n', 62)]), Some(1 << 62));
        assert_eq!(formula.evaluate(&[('n', 63)]), None);
    }
}
