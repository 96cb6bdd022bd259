//! Patterns as blocks: fixed pots, and words that are repeated.

use thiserror::Error;

use super::pattern::{Linear, PATTERN_POTS_MAX, Pattern, Term, Unit};
use crate::board::row::Pot;

/// A block of a pattern's rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PatternBlock {
    /// The pots.
    pub pots: Vec<Pot>,
    /// The number of repetitions: a variable, by its index in [`Pattern::variables`], plus a
    /// number; `None` for exactly one.
    pub exponent: Option<(usize, i64)>,
}

/// The reason why a pattern has no blocks.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NoBlocks {
    /// Pots of two colours.
    #[error("its pots have seeds of two colours")]
    Coloured,
    /// A pot whose number of seeds is a variable.
    #[error("the seeds of a pot are a variable, {0}; only exponents may be")]
    Seeds(char),
    /// A variable exponent within a group that has a variable exponent, too.
    #[error("the exponent {0} is within a group whose own exponent is a variable")]
    Nested(char),
    /// A word without pots that is repeated a variable number of times, so that no row shows how often.
    #[error("the group with the exponent {0} has no pots")]
    Empty(char),
    /// More pots than a pattern expands to.
    #[error("it has more than {PATTERN_POTS_MAX} pots, whatever its variables are")]
    TooLong,
    /// A variable in two exponents.
    #[error("the variable {0} is in two exponents, so that its words are no regular language")]
    Twice(char),
}

impl Pattern {
    /// Returns the pattern as a sequence of blocks.
    ///
    /// # Errors
    ///
    /// Where blocks cannot express the rows.
    ///
    /// ```
    /// use cggames::family::Pattern;
    ///
    /// let pattern: Pattern = "(10)^m 03 (01)^n".parse()?;
    /// let exponents: Vec<_> = pattern.blocks()?.into_iter().map(|block| block.exponent).collect();
    /// assert_eq!(exponents, [Some((0, 0)), None, None, Some((1, 0))]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn blocks(&self) -> Result<Vec<PatternBlock>, NoBlocks> {
        if self.is_coloured {
            return Err(NoBlocks::Coloured);
        }
        let blocks = self.blocks_of(&self.terms)?;
        let mut seen = Vec::new();
        for (variable, _) in blocks.iter().filter_map(|block| block.exponent) {
            if seen.contains(&variable) {
                return Err(NoBlocks::Twice(self.variables[variable]));
            }
            seen.push(variable);
        }
        Ok(blocks)
    }

    /// Returns whether endless full pots stand at the left and at the right end.
    pub fn endless(&self) -> [bool; 2] {
        [self.endless_left, self.endless_right]
    }

    fn blocks_of(&self, terms: &[Term]) -> Result<Vec<PatternBlock>, NoBlocks> {
        let mut blocks: Vec<PatternBlock> = Vec::new();
        for term in terms {
            let unit = match &term.unit {
                Unit::Full => vec![once(vec![Pot::Full])],
                Unit::Seeds(seeds) => match seeds.variable {
                    Some(variable) => return Err(NoBlocks::Seeds(self.variables[variable])),
                    // The parser accepts only numbers of seeds from 0 that fit.
                    None => vec![once(vec![Pot::Seeds(seeds.offset as u32)])],
                },
                Unit::Coloured(_) => return Err(NoBlocks::Coloured),
                Unit::Group(terms) => self.blocks_of(terms)?,
            };
            let exponent = term.exponent.unwrap_or(Linear::of(1));
            let Some(variable) = exponent.variable else {
                let pots = |blocks: &[PatternBlock]| -> u64 {
                    blocks.iter().map(|block| block.pots.len() as u64).sum()
                };
                let more = pots(&unit).saturating_mul(exponent.offset.unsigned_abs());
                if pots(&blocks).saturating_add(more) > PATTERN_POTS_MAX {
                    return Err(NoBlocks::TooLong);
                }
                (0..exponent.offset).for_each(|_| blocks.extend(unit.iter().cloned()));
                continue;
            };
            let within = unit.iter().find_map(|block| block.exponent);
            if let Some((variable, _)) = within {
                return Err(NoBlocks::Nested(self.variables[variable]));
            }
            let pots: Vec<Pot> = unit.into_iter().flat_map(|block| block.pots).collect();
            if pots.is_empty() {
                return Err(NoBlocks::Empty(self.variables[variable]));
            }
            blocks.push(PatternBlock {
                pots,
                exponent: Some((variable, exponent.offset)),
            });
        }
        Ok(blocks)
    }
}

fn once(pots: Vec<Pot>) -> PatternBlock {
    PatternBlock {
        pots,
        exponent: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn blocks(pattern: &str) -> Result<Vec<PatternBlock>, NoBlocks> {
        pattern.parse::<Pattern>().unwrap().blocks()
    }

    #[test]
    fn fixed_exponents_are_written_out() {
        let blocks = blocks("(12^2)^2 3^n+1").unwrap();
        let pots: Vec<usize> = blocks.iter().map(|block| block.pots.len()).collect();
        assert_eq!(pots, [1, 1, 1, 1, 1, 1, 1]);
        assert_eq!(blocks[6].exponent, Some((0, 1)));
    }

    #[test]
    fn what_is_no_block_is_named() {
        assert_eq!(blocks("1^n 2 1^n"), Err(NoBlocks::Twice('n')));
        assert_eq!(blocks("x 1^n"), Err(NoBlocks::Seeds('x')));
        assert_eq!(blocks("(1 0^m)^n"), Err(NoBlocks::Nested('m')));
        assert_eq!(blocks("2 (1^0)^n"), Err(NoBlocks::Empty('n')));
        assert_eq!(blocks("(1^9999 2^9999)^9"), Err(NoBlocks::TooLong));
    }
}
