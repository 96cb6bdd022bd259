//! What moves exist: one ruleset, one file.

mod game;
pub mod row;

pub use game::{Game, Play, Player, UnknownName};
