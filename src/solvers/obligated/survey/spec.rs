//! The specification of a survey.

use cggames::game::heap::Code;
use thiserror::Error;

use super::super::heaps::OBLIGATED_HEAPS_MAX;
use crate::heaps::moves::Moves;

/// The most codes of one survey: the octal codes of 8 digits.
///
/// A survey takes about 60 bytes a code while it runs.
pub const SURVEY_CODES_MAX: usize = 1 << 24;

/// All codes `0.d1 ... dD` with digits up to a largest one, and the limit for open codes.
///
/// ```
/// use cgsolvers::obligated::survey::SurveySpec;
///
/// let spec = SurveySpec::new(3, 7, 10_000)?;
/// assert_eq!(spec.codes(), 512);
/// assert_eq!(spec.code(0o137).to_string(), "0.137");
/// # Ok::<(), cgsolvers::obligated::survey::SurveyError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SurveySpec {
    digits: usize,
    max_digit: u8,
    limit: usize,
}

/// The error for an impossible survey.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SurveyError {
    /// No digits, or too many.
    #[error(
        "{digits} digits up to {max_digit} are too many codes or none; at most {SURVEY_CODES_MAX} codes are \
         surveyed at once, which is 8 octal or 6 hexadecimal digits"
    )]
    Codes {
        /// The number of digits.
        digits: usize,
        /// The largest digit.
        max_digit: u8,
    },
    /// A largest digit out of range.
    #[error("the largest digit is {found}; accepted are 1 to 15, 7 for octal codes")]
    MaxDigit {
        /// The given value.
        found: u8,
    },
    /// A limit that is too low or too high.
    #[error("a limit of {found} heaps; accepted are 64 to {OBLIGATED_HEAPS_MAX}")]
    Limit {
        /// The given value.
        found: usize,
    },
}

impl SurveySpec {
    /// Returns the survey of all codes of `digits` digits up to `max_digit`, in which codes that
    /// are not proved periodic earlier are computed to `limit` heaps.
    ///
    /// # Errors
    ///
    /// Where there are more than [`SURVEY_CODES_MAX`] codes or none, `max_digit` is not 1 to 15, or
    /// `limit` is below 64 or above [`OBLIGATED_HEAPS_MAX`].
    pub fn new(digits: usize, max_digit: u8, limit: usize) -> Result<SurveySpec, SurveyError> {
        if !(1..=15).contains(&max_digit) {
            return Err(SurveyError::MaxDigit { found: max_digit });
        }
        if !(64..=OBLIGATED_HEAPS_MAX).contains(&limit) {
            return Err(SurveyError::Limit { found: limit });
        }
        let exponent = u32::try_from(digits).unwrap_or(u32::MAX);
        let codes = (usize::from(max_digit) + 1).checked_pow(exponent);
        if digits == 0 || codes.is_none_or(|codes| codes > SURVEY_CODES_MAX) {
            return Err(SurveyError::Codes { digits, max_digit });
        }
        Ok(SurveySpec {
            digits,
            max_digit,
            limit,
        })
    }

    /// Returns the number of codes.
    pub fn codes(&self) -> usize {
        (usize::from(self.max_digit) + 1).pow(self.digits as u32)
    }

    /// Returns the number of heaps to which open codes are computed.
    pub fn limit(&self) -> usize {
        self.limit
    }

    /// Returns the largest digit.
    pub fn max_digit(&self) -> u8 {
        self.max_digit
    }

    /// Returns the code with this index, from 0, in the order of digits.
    ///
    /// # Panics
    ///
    /// If `place` is not below [`codes`](Self::codes).
    pub fn code(&self, place: usize) -> Code {
        assert!(
            place < self.codes(),
            "place {place} of {} codes",
            self.codes()
        );
        let code = Code::from_digits(self.digits(place, &mut [0; 25]));
        code.expect("at most 24 digits up to 15, and a zero before the point")
    }

    /// Returns the digits of the code with this index, the zero before the point first.
    ///
    /// A survey of 2^24 codes has at most 24 digits.
    pub(super) fn digits<'a>(&self, place: usize, digits: &'a mut [u8; 25]) -> &'a [u8] {
        let base = usize::from(self.max_digit) + 1;
        let mut rest = place;
        for digit in digits[1..=self.digits].iter_mut().rev() {
            *digit = (rest % base) as u8;
            rest /= base;
        }
        &digits[..=self.digits]
    }

    /// Returns the most parts that a move of one of the codes may leave.
    pub(super) fn parts_max(&self) -> usize {
        match self.max_digit {
            8.. => 3,
            4..8 => 2,
            _ => 1,
        }
    }

    /// Returns the moves of the code with this index.
    pub(super) fn moves(&self, place: usize) -> Moves {
        let mut moves = Moves::default();
        moves.set_digits(self.digits(place, &mut [0; 25]));
        moves
    }
}
