//! All codes of some number of digits: which have equal values, and which are proved periodic.
//!
//! Most codes share their values with a code before them. So the first 64 values of every code are
//! worked out in registers, codes that agree there are put in a class, and in each class
//! only the first code, and whoever turns out to differ from it, is worked out further. For
//! every other code it is *checked* that the values satisfy its own recursion, for 64 heaps at
//! a time; since a recursion has one solution, that shows that the values are its own.
//!
//! What is claimed of a code, and why:
//!
//! - a [`Certificate`]: its own bound is met by values that have been shown to be its own;
//! - equal to an earlier code, [`Equality::Proved`]: both are proved periodic with the same values; or their
//!   moves differ only in what ends the game at once (digit bit 1), with equal values up to the longest
//!   move, after which both have the same recursion;
//! - equal to an earlier code, [`Equality::UpTo`]: the first so many values are equal, and nothing is known of
//!   the others.
//!
//! Invariant: rows depend on the spec only, not on threads or on which rows are asked for.

mod equal;
mod prefix;
mod solve;
mod spec;

use crate::engine::heaps::certificate::Certificate;
pub use crate::engine::heaps::survey::{
    Equality, FoundClasses, FoundValues, Solution, SurveyWatcher,
};
use crate::game::heap::Code;
pub use solve::Stopped;
pub use spec::{SURVEY_CODES_MAX, SurveyError, SurveySpec};

/// A survey that is done.
///
/// ```
/// use seedbank::engine::obligated::survey::{Survey, SurveySpec};
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
    /// For every code the place of the first code with its values.
    first: Vec<u32>,
    /// What was found of those first codes, in their order.
    solutions: Vec<Solution>,
}

/// What is known of one code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SurveyRow {
    /// The code.
    pub code: Code,
    /// The first code of the survey with the same values, as far as they are known.
    pub first: Code,
    /// How far they are equal.
    pub equality: Equality,
    /// The period of this code's values, with the bound for this code's moves.
    pub certificate: Option<Certificate>,
    /// The values of the heaps below this were worked out or checked one by one.
    pub verified_to: usize,
    /// How many of the heaps below the survey's limit have the values `00`, `01`, `10`, `11`; beyond
    /// `verified_to` by the certificate.
    pub counts: [u64; 4],
}

/// What a survey amounts to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SurveySummary {
    /// How many codes there are.
    pub codes: usize,
    /// How many of them are proved periodic.
    pub proved: usize,
    /// How many codes are the first with their values.
    pub sequences: usize,
    /// How many of those are not proved periodic.
    pub sequences_open: usize,
    /// The longest period, with the place of the first code that has it.
    pub period_max: Option<(usize, usize)>,
    /// The longest preperiod of a code that is proved periodic, with the place of the first.
    pub preperiod_max: Option<(usize, usize)>,
}

impl Survey {
    /// Does the survey, on the threads of the current rayon pool.
    ///
    /// Rows are made when they are asked for, at no cost worth mention, so that they can be written in
    /// shards; after an interruption the survey goes on from what the watcher was handed, with the same rows.
    ///
    /// # Errors
    ///
    /// When the watcher says so, which is asked between classes and every 65,536 heaps.
    pub fn run(spec: SurveySpec, watcher: &impl SurveyWatcher) -> Result<Survey, Stopped> {
        let (first, solutions) = solve::solve(&spec, watcher)?;
        Ok(Survey {
            spec,
            first,
            solutions,
        })
    }

    /// Returns what was surveyed.
    pub fn spec(&self) -> &SurveySpec {
        &self.spec
    }

    /// Returns the row of the code in this place, from 0; codes are in the order of their digits.
    ///
    /// # Panics
    ///
    /// Where `place` is not below [`SurveySpec::codes`].
    pub fn row(&self, place: usize) -> SurveyRow {
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
        SurveyRow {
            code: self.spec.code(place),
            first: self.spec.code(first),
            equality,
            certificate,
            verified_to: solution.heaps,
            counts: solution.counts,
        }
    }

    /// Returns the rows of a range of places, in order.
    pub fn rows(&self, places: std::ops::Range<usize>) -> impl Iterator<Item = SurveyRow> + '_ {
        places.map(|place| self.row(place))
    }

    /// Returns the places of the codes that are not proved periodic, in order.
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

    /// Returns what was found of the values of the code in this place.
    fn solution(&self, place: usize) -> &Solution {
        let found = self
            .solutions
            .binary_search_by_key(&self.first[place], |s| s.place);
        &self.solutions[found.expect("the first code of every class has a solution")]
    }
}

#[cfg(test)]
mod tests;
