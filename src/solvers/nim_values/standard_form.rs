//! Codes whose sequences are provably equal, or equal up to a few heaps in front.
//!
//! # Shifting by one
//!
//! Suppose that heaps of one token have no move in a code D: its digit for taking 1 is even. Then
//! there is a code E with `G_E(n) = G_D(n + 1)` for all `n`. A heap of `n` in E corresponds to one
//! of `n + 1` in D, and the empty heap to a heap of 1, which has no move either. The moves of D
//! from a heap of `n + 1` correspond in E to
//!
//! | D takes `k` and leaves | with tokens | E takes | and leaves |
//! |---|---|---|---|
//! | nothing | `n + 1 = k` | `k - 1` | nothing |
//! | one heap | `a = n + 1 - k` | `k` | `a - 1`: one heap or none |
//! | two heaps | `a + b = n + 1 - k` | `k + 1` | `a - 1` and `b - 1`: two heaps, one or none |
//! | three heaps | `a + b + c = n + 1 - k` | `k + 2` | at most three heaps |
//!
//! which are the digits 1, 3, 7 and 15 in E. So 0.6 gives 0.37, and 0.04 gives 0.007, which gives
//! 0.0137. When no further step is possible, heaps of one token can be taken.
//!
//! # Bits without effect
//!
//! The bit 1 of the digit for `k` concerns the heap of `k` alone: it gives it one more option, of
//! value 0. If the heap already has an option of value 0, in other words a value above 0, the bit
//! has no effect.
//!
//! Source: Berlekamp, Conway and Guy, *Winning Ways*, chapter 4 (standard forms and first cousins).

use cggames::game::heap::{Code, CodeError, HeapGame};

use super::reference;

/// A code with the sequence of another code, up to some heaps in front.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StandardForm {
    /// The code. Heaps of one token can be taken, unless it has no moves, and no digit has a bit 1
    /// without effect.
    pub code: Code,
    /// A heap of `n` has the value of a heap of `n + shift` in the other code, in which the heaps
    /// below `shift` have the value 0.
    pub shift: usize,
}

impl StandardForm {
    /// Returns the standard form of a code.
    ///
    /// # Errors
    ///
    /// If the form has more digits than codes may have. Let `n` be the smallest heap with a move;
    /// the form has at most `2 (n - 1)` digits more than the code.
    ///
    /// ```
    /// use cgsolvers::nim_values::StandardForm;
    ///
    /// let form = StandardForm::new(&"0.6".parse()?)?;
    /// assert_eq!((form.code.to_string(), form.shift), ("0.37".to_owned(), 1));
    /// // Dawson's Chess and Dawson's Kayles.
    /// let form = StandardForm::new(&"0.4".parse()?)?;
    /// assert_eq!((form.code.to_string(), form.shift), ("0.137".to_owned(), 2));
    /// # Ok::<(), cggames::game::heap::CodeError>(())
    /// ```
    pub fn new(code: &Code) -> Result<StandardForm, CodeError> {
        let mut digits = code.digits().to_vec();
        let mut shift = 0;
        while digits.iter().any(|&digit| digit != 0) && digits.get(1).is_none_or(|d| d & 1 == 0) {
            digits = moved(&digits);
            shift += 1;
            // Refuses a code that is too long at once.
            Code::from_digits(&digits)?;
        }
        for k in 1..digits.len() {
            if digits[k] & 1 == 1 {
                digits[k] -= 1;
                let game = HeapGame::Code(Code::from_digits(&digits)?);
                let without = reference::nim_values(&game, k + 1)[k];
                digits[k] += u8::from(without == 0);
            }
        }
        let code = Code::from_digits(&digits)?;
        Ok(StandardForm { code, shift })
    }
}

/// Returns the digits of E from those of D, in which heaps of one have no move.
fn moved(digits: &[u8]) -> Vec<u8> {
    let mut moved = vec![0; digits.len() + 2];
    for (k, digit) in digits.iter().enumerate() {
        for (bit, part) in [(1, 1), (2, 3), (4, 7), (8, 15)] {
            if digit & bit != 0 {
                // The bit 1 occurs only at k >= 2: it is not allowed at 0, and the digit at 1 is
                // even.
                let at = match bit {
                    1 => k - 1,
                    2 => k,
                    4 => k + 1,
                    _ => k + 2,
                };
                moved[at] |= part;
            }
        }
    }
    while moved.last() == Some(&0) {
        moved.pop();
    }
    moved
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form(code: &str) -> (String, usize) {
        let form = StandardForm::new(&code.parse().expect("a code")).expect("a short form");
        (form.code.to_string(), form.shift)
    }

    #[test]
    fn known_cousins_share_their_form() {
        assert_eq!(form("0.37"), ("0.37".into(), 0));
        assert_eq!(form("0.04").0, form("0.007").0);
        assert_eq!(form("0.04").1, form("0.007").1 + 1);
        assert_eq!(form("0.07"), ("0.137".into(), 1));
        assert_eq!(form("0.0"), ("0.0".into(), 0));
        // By the first digit a heap of 2 has only the option 1, of value 1; taking it whole adds an
        // option of value 0.
        assert_eq!(form("0.33"), ("0.33".into(), 0));
    }

    #[test]
    fn forms_have_the_sequence_of_their_codes() {
        let octal = (0..512).map(|d| format!("0.{d:03o}"));
        let others = ["4.3", "4.0", "8.2", "C.04", "0.8", "0.2C", "0.0A"].map(String::from);
        for text in octal.chain(others) {
            let code: Code = text.parse().expect("a code");
            let form = StandardForm::new(&code).expect("a short form");
            let own = reference::nim_values(&HeapGame::Code(code), 40 + form.shift);
            let formed = reference::nim_values(&HeapGame::Code(form.code.clone()), 40);
            assert!(own[..form.shift].iter().all(|&value| value == 0), "{text}");
            assert_eq!(own[form.shift..], formed, "{text}");
            assert_eq!(
                StandardForm::new(&form.code),
                Ok(StandardForm { shift: 0, ..form })
            );
        }
    }

    #[test]
    fn forms_that_are_too_long_are_refused() {
        let code = format!("0.{}4", "0".repeat(200)).parse().expect("a code");
        assert!(matches!(
            StandardForm::new(&code),
            Err(CodeError::TooLong { .. })
        ));
    }
}
