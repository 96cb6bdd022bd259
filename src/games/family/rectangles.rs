//! Rectangles of several sizes, with equal numbers of seeds in all pots.

use super::filled::check_sides;
use super::{FilledError, Values};
use crate::board::AnyBoard;
use crate::board::grid::Grid;
use crate::board::row::POT_SEEDS_MAX;

/// Rectangles over the values of [`Rectangles::VARIABLES`], the first slowest.
///
/// ```
/// use cggames::family::{Rectangles, Values};
///
/// let sides: Values = "1..=2".parse()?;
/// let rectangles = Rectangles::new(sides.clone(), sides, "1".parse()?)?;
/// let grids: Vec<String> = (0..4).map(|rank| rectangles.get(rank).0.to_string()).collect();
/// assert_eq!(grids, ["1", "11", "1/1", "11/11"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Rectangles([Values; 3]);

impl Rectangles {
    /// The rows, the columns, and the seeds of every pot.
    pub const VARIABLES: [&'static str; 3] = ["rows", "columns", "pot_seeds"];

    /// Returns the family of rectangles with these numbers of rows, columns, and seeds in every
    /// pot.
    ///
    /// # Errors
    ///
    /// A rectangle that is too large, or a number of seeds that no pot holds.
    pub fn new(
        rows: Values,
        columns: Values,
        pot_seeds: Values,
    ) -> Result<Rectangles, FilledError> {
        for extreme in [Values::min, Values::max] {
            check_sides(extreme(&rows), extreme(&columns))?;
            let seeds = extreme(&pot_seeds);
            if !(0..=i64::from(POT_SEEDS_MAX)).contains(&seeds) {
                return Err(FilledError::PotSeeds { found: seeds });
            }
        }
        Ok(Rectangles([rows, columns, pot_seeds]))
    }

    /// Returns the values of the variables.
    pub fn values(&self) -> &[Values] {
        &self.0
    }

    /// Returns the number of rectangles.
    #[expect(clippy::len_without_is_empty, reason = "values are never empty")]
    pub fn len(&self) -> u64 {
        // At most 15 rows and columns, and a million numbers of seeds.
        self.0.iter().map(Values::len).product()
    }

    /// Returns the rectangle at `rank`, and the values of the variables there.
    ///
    /// # Panics
    ///
    /// If `rank` is not below [`Rectangles::len`].
    pub fn get(&self, rank: u64) -> (AnyBoard, Vec<i64>) {
        let [rows, columns, pot_seeds] = &self.0;
        let row = rows.get(rank / (columns.len() * pot_seeds.len()));
        let column = columns.get(rank / pot_seeds.len() % columns.len());
        let seeds = pot_seeds.get(rank % pot_seeds.len());
        let grid = Grid {
            columns: column as usize,
            pots: vec![seeds as u32; (row * column) as usize],
        };
        (grid.into(), vec![row, column, seeds])
    }

    /// Returns the first rank of a position.
    pub fn rank(&self, position: &AnyBoard) -> Option<u64> {
        (0..self.len()).find(|&rank| self.get(rank).0 == *position)
    }

    /// Returns the values as they enter the digests of jobs.
    pub(super) fn meaning(&self) -> String {
        let [rows, columns, pot_seeds] = &self.0;
        format!("grid rows {rows} columns {columns} pot_seeds {pot_seeds}")
    }
}
