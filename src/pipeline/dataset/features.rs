//! The columns that describe a position besides its text, for every table of positions and values.

use cggames::board::Features;

use super::row::table_row;

table_row! {
/// The size of a position.
pub struct FeatureColumns {
    /// The number of pots, including empty ones; for a grid, those of all its rows. The empty
    /// position `0` has none. Null for games that are given by their moves.
    pub pots: Option<i32>,
    /// The number of seeds, of both colours together; null if there are full pots, whose count is
    /// unknown, and for games that are given by their moves.
    pub seeds: Option<i64>,
    /// The number of blue seeds; null if seeds have no colours.
    pub blue: Option<i64>,
    /// The number of red seeds; null if seeds have no colours.
    pub red: Option<i64>,
    /// The number of squares of a grid, which are its pots that hold seeds; null for other
    /// positions.
    pub squares: Option<i32>,
}
}

impl From<Features> for FeatureColumns {
    fn from(features: Features) -> FeatureColumns {
        let seeds = |seeds: Option<u64>| seeds.map(|seeds| seeds as i64);
        FeatureColumns {
            pots: Some(features.pots as i32),
            seeds: seeds(features.seeds),
            blue: seeds(features.blue),
            red: seeds(features.red),
            squares: features.squares.map(|squares| squares as i32),
        }
    }
}

impl From<&FeatureColumns> for Features {
    fn from(columns: &FeatureColumns) -> Features {
        let seeds = |seeds: Option<i64>| seeds.map(|seeds| seeds as u64);
        Features {
            pots: columns.pots.unwrap_or(0) as u32,
            seeds: seeds(columns.seeds),
            blue: seeds(columns.blue),
            red: seeds(columns.red),
            squares: columns.squares.map(|squares| squares as u32),
        }
    }
}
