//! A pattern with the values of its variables: one position for each combination.

use thiserror::Error;

use super::pattern::{ExpandError, Pattern};
use super::product;
use super::values::Values;
use crate::board::{AnyBoard, Shape, Unfit};

/// A pattern whose variables are bound to values: a position for each combination.
///
/// The variables are in order of first appearance in the pattern, the first slowest: `x y` over
/// 1..=2 each is 11, 12, 21, 22. A pattern without variables is one position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoundPattern {
    pattern: Pattern,
    text: String,
    /// In the order of the pattern's variables.
    values: Vec<Values>,
    len: u64,
}

/// The reason why a pattern and its variables' values give no family.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum BindError {
    /// A variable of the pattern has no values.
    #[error("the pattern's variable {variable} has no range; write {variable} = \"1..=9\"")]
    Unbound {
        /// The variable.
        variable: char,
    },
    /// Values for a variable that the pattern lacks.
    #[error("the pattern {pattern} has no variable {variable}")]
    Unused {
        /// The variable.
        variable: char,
        /// The pattern.
        pattern: String,
    },
    /// Some combination has no row.
    #[error(transparent)]
    Expand(#[from] ExpandError),
    /// More combinations than a family can count.
    #[error("the pattern has more than 2^64 positions; narrow the ranges")]
    TooMany,
}

impl BoundPattern {
    /// Binds the variables of `pattern`. Checks the two extreme combinations, which cover all
    /// others.
    ///
    /// # Errors
    ///
    /// A variable without values, values without a variable, a negative exponent, a pot that is
    /// too big, a row that is too long, more than 2^64 combinations.
    pub fn new(pattern: Pattern, bindings: Vec<(char, Values)>) -> Result<BoundPattern, BindError> {
        let mut values = Vec::with_capacity(pattern.variables().len());
        for &variable in pattern.variables() {
            let bound = bindings.iter().find(|(name, _)| *name == variable);
            let (_, bound) = bound.ok_or(BindError::Unbound { variable })?;
            values.push(bound.clone());
        }
        for &(variable, _) in &bindings {
            if !pattern.variables().contains(&variable) {
                return Err(BindError::Unused {
                    variable,
                    pattern: pattern.to_string(),
                });
            }
        }
        for extreme in [Values::min, Values::max] {
            let combination: Vec<i64> = values.iter().map(extreme).collect();
            pattern.pots(&combination)?;
        }
        let len = product::count(&values).ok_or(BindError::TooMany)?;
        let text = pattern.to_string();
        Ok(BoundPattern {
            pattern,
            text,
            values,
            len,
        })
    }

    /// Returns the pattern.
    pub fn pattern(&self) -> &Pattern {
        &self.pattern
    }

    /// Returns the text of the pattern.
    pub fn pattern_text(&self) -> &str {
        &self.text
    }

    /// Returns the values of each variable, in the order of the pattern's variables.
    pub fn values(&self) -> &[Values] {
        &self.values
    }

    /// Returns the greatest number of pots of any position, not counting endless ends.
    pub fn pots_max(&self) -> u64 {
        let greatest: Vec<i64> = self.values.iter().map(Values::max).collect();
        self.pattern
            .pots(&greatest)
            .expect("the greatest combination was checked when the variables were bound")
    }

    /// Checks, as [`Shape::check`] does, every position at once.
    ///
    /// # Errors
    ///
    /// [`Unfit`] for the longest position.
    pub fn check(&self, shape: Shape) -> Result<(), Unfit> {
        match shape {
            Shape::Rows(shape) => shape.check_pots(self.pattern.has_full_pots(), self.pots_max()),
            Shape::ColouredRows | Shape::Grids => Ok(()),
        }
    }

    /// Returns the number of positions.
    #[expect(clippy::len_without_is_empty, reason = "a pattern has a position")]
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Returns the position at `rank` and the values of the variables there.
    ///
    /// # Panics
    ///
    /// If `rank` is not below [`BoundPattern::len`].
    pub fn get(&self, rank: u64) -> (AnyBoard, Vec<i64>) {
        assert!(rank < self.len, "the rank is below the number of members");
        let combination = product::combination(&self.values, rank);
        let row = self
            .pattern
            .expand(&combination)
            .expect("every combination lies between the two that were checked");
        (row, combination)
    }

    /// Returns the first rank of `row`, by trying all ranks.
    pub fn rank(&self, row: &AnyBoard) -> Option<u64> {
        (0..self.len).find(|&rank| self.get(rank).0 == *row)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::BoardKind;

    fn read(row: &str) -> AnyBoard {
        BoardKind::Row.read(row).unwrap()
    }

    fn bound(pattern: &str, bindings: &[(char, &str)]) -> Result<BoundPattern, BindError> {
        let bindings = bindings
            .iter()
            .map(|(name, values)| (*name, values.parse().unwrap()));
        BoundPattern::new(pattern.parse().unwrap(), bindings.collect())
    }

    #[test]
    fn the_first_variable_is_the_slowest() {
        let bound = bound("x y", &[('y', "1..=3"), ('x', "1..=2")]).unwrap();
        let rows: Vec<_> = (0..bound.len())
            .map(|rank| bound.get(rank).0.to_string())
            .collect();
        assert_eq!(rows, ["11", "12", "13", "21", "22", "23"]);
        assert_eq!(bound.get(4).1, [2, 2]);
        assert_eq!(bound.rank(&read("21")), Some(3));
        assert_eq!(bound.rank(&read("31")), None);
        assert_eq!(bound.pots_max(), 2);
    }

    #[test]
    fn rank_and_unrank_keep_to_the_step_of_a_range() {
        let bound = bound("x y", &[('x', "1..=9/4"), ('y', "2..=5/3")]).unwrap();
        let rows: Vec<_> = (0..bound.len()).map(|rank| bound.get(rank).0).collect();
        let texts: Vec<_> = rows.iter().map(|row| row.to_string()).collect();
        assert_eq!(texts, ["12", "15", "52", "55", "92", "95"]);
        for (rank, row) in rows.iter().enumerate() {
            assert_eq!(bound.rank(row), Some(rank as u64));
        }
        assert_eq!(bound.rank(&read("32")), None);
    }

    #[test]
    fn a_pattern_without_variables_is_one_position() {
        let bound = bound("1^3 2", &[]).unwrap();
        assert_eq!(bound.len(), 1);
        assert_eq!(bound.get(0).0.to_string(), "1112");
    }

    #[test]
    fn bindings_are_checked_before_anything_is_expanded() {
        assert_eq!(bound("1^n", &[]), Err(BindError::Unbound { variable: 'n' }));
        assert_eq!(
            bound("1^n", &[('n', "1"), ('m', "1")]),
            Err(BindError::Unused {
                variable: 'm',
                pattern: "1^n".to_owned()
            })
        );
        let error = bound("1^n-1", &[('n', "0..=3")]).unwrap_err();
        assert_eq!(
            error.to_string(),
            "the exponent n-1 is -1 for n = 0; an exponent is at least 0"
        );
        assert_eq!(
            bound("1^n", &[('n', "1..=10001")]),
            Err(BindError::Expand(ExpandError::TooLong { pots: 10_001 }))
        );
        let ranges = ['u', 'w', 'x', 'y'].map(|name| (name, "0..=999999"));
        assert_eq!(bound("u w x y", &ranges), Err(BindError::TooMany));
    }
}
