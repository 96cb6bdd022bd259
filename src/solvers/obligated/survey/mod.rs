//! A survey of all codes of some number of digits: which have equal values, and which are proved
//! periodic.
//!
//! Most codes share their values with a code before them. So the first 64 values of every code are
//! computed in registers, and codes that agree there form a class. In each class only the first
//! code, and each code found to differ from all before it, is computed further. For every other
//! code the survey *checks* that the values satisfy its own recursion, for 64 heaps at a time.
//! Since a recursion has one solution, this proves that the values are its own.
//!
//! The claims about a code, and their proofs:
//!
//! - a [`Certificate`]: values that are proved to be its own reach its own bound;
//! - equal to an earlier code, [`Equality::Proved`]: both are proved periodic with the same values;
//!   or their moves differ only in those that end the game at once (digit bit 1), and their values
//!   are equal up to the longest move, after which both have the same recursion;
//! - equal to an earlier code, [`Equality::UpTo`]: a number of first values are equal, and nothing
//!   is known about the others.
//!
//! Invariant: rows depend only on the spec, not on threads or on which rows are requested.

mod equal;
mod prefix;
mod solve;
mod spec;

use cggames::game::heap::Code;

use crate::heaps::certificate::Certificate;
pub use crate::heaps::survey::{Equality, FoundClasses, FoundValues, Solution, SurveyWatcher};
pub use solve::Stopped;
pub use spec::{SURVEY_CODES_MAX, SurveyError, SurveySpec};

/// A finished survey.
///
/// ```
/// use cgsolvers::obligated::survey::{Survey, SurveySpec};
///
/// let survey = Survey::run(SurveySpec::new(2, 7, 1_000)?, &|| false)?;
/// let kayles = survey.row(0o77);
/// assert_eq!(kayles.code.to_string(), "0.77");
/// let certificate = kayles.certificate.expect("kayles is periodic");
/// assert_eq!((certificate.preperiod, certificate.period), (0, 8));
/// assert!(survey.rows(0..64).all(|row| row.certificate.is_some()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Survey {
    spec: SurveySpec,
    /// For every code, the index of the first code with its values.
    first: Vec<u32>,
    /// The results for those first codes, in their order.
    solutions: Vec<Solution>,
}

/// The result for one code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodeOutcomes {
    /// The code.
    pub code: Code,
    /// The first code of the survey with the same values, as far as they are known.
    pub first: Code,
    /// The extent of the equality.
    pub equality: Equality,
    /// The period of this code's values, with the bound for this code's moves.
    pub certificate: Option<Certificate>,
    /// The values of the heaps below this were computed or checked individually.
    pub verified_to: usize,
    /// The numbers of heaps below the survey's limit with the values `00`, `01`, `10`, `11`; beyond
    /// `verified_to` by the certificate.
    pub counts: [u64; 4],
}

/// A summary of a survey.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SurveySummary {
    /// The number of codes.
    pub codes: usize,
    /// The number of codes proved periodic.
    pub proved: usize,
    /// The number of codes that are the first with their values.
    pub sequences: usize,
    /// The number of those that are not proved periodic.
    pub sequences_open: usize,
    /// The longest period, with the index of the first code that has it.
    pub period_max: Option<(usize, usize)>,
    /// The longest preperiod of a code that is proved periodic, with the index of the first.
    pub preperiod_max: Option<(usize, usize)>,
}

impl Survey {
    /// Runs the survey on the threads of the current rayon pool.
    ///
    /// Rows are made on demand, at negligible cost, so that they can be written in parts. After an
    /// interruption the survey resumes from the results delivered to the watcher, with the same
    /// rows.
    ///
    /// # Errors
    ///
    /// When the watcher stops the survey; it is called between classes and every 65,536 heaps.
    pub fn run(spec: SurveySpec, watcher: &impl SurveyWatcher) -> Result<Survey, Stopped> {
        let (first, solutions) = solve::solve(&spec, watcher)?;
        Ok(Survey {
            spec,
            first,
            solutions,
        })
    }

    /// Returns the spec.
    pub fn spec(&self) -> &SurveySpec {
        &self.spec
    }

    /// Returns the row of the code with this index, from 0; codes are in the order of their digits.
    ///
    /// # Panics
    ///
    /// If `place` is not below [`SurveySpec::codes`].
    pub fn row(&self, place: usize) -> CodeOutcomes {
        let first = self.first[place] as usize;
        let solution = self.solution(place);
        let moves = self.spec.moves(place);
        let certificate = solution.certificate(&moves);
        let equality = if first == place {
            Equality::First
        } else if certificate.is_some()
            || equal::differ_in_endings_only(&moves, &self.spec.moves(first))
        {
            Equality::Proved
        } else {
            Equality::UpTo(solution.heaps)
        };
        CodeOutcomes {
            code: self.spec.code(place),
            first: self.spec.code(first),
            equality,
            certificate,
            verified_to: solution.heaps,
            counts: solution.counts,
        }
    }

    /// Returns the rows of a range of codes, in order.
    pub fn rows(&self, places: std::ops::Range<usize>) -> impl Iterator<Item = CodeOutcomes> + '_ {
        places.map(|place| self.row(place))
    }

    /// Returns the indices of the codes that are not proved periodic, in order.
    pub fn open(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.first.len()).filter(|&place| self.solution(place).period.is_none())
    }

    /// Returns counts and records.
    pub fn summary(&self) -> SurveySummary {
        let mut summary = SurveySummary {
            codes: self.first.len(),
            proved: self.first.len() - self.open().count(),
            sequences: self.solutions.len(),
            ..SurveySummary::default()
        };
        for solution in &self.solutions {
            let Some((preperiod, period)) = solution.period else {
                summary.sequences_open += 1;
                continue;
            };
            let place = solution.place as usize;
            let records = [
                (&mut summary.period_max, period),
                (&mut summary.preperiod_max, preperiod),
            ];
            for (record, length) in records {
                if record.is_none_or(|(most, _)| length > most) {
                    *record = Some((length, place));
                }
            }
        }
        summary
    }

    /// Returns the sequence of the code with this index.
    fn solution(&self, place: usize) -> &Solution {
        let found = self
            .solutions
            .binary_search_by_key(&self.first[place], |s| s.place);
        &self.solutions[found.expect("the first code of every class has a solution")]
    }
}

#[cfg(test)]
mod tests;
