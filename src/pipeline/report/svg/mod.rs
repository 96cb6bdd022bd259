//! Pictures as SVG text: thermographs, charts and heat maps.
//!
//! [`Svg`] writes elements; the other files draw with it. A picture depends only on its data, so the
//! same data give the same text. Each picture has a title, and a description in words for readers who
//! do not see it. No picture loads anything: no fonts, no scripts, no links.
//!
//! Elements have classes instead of colours. [`theme`] has the colours of the classes, for a light
//! and a dark background. A picture in a file of its own carries them
//! ([`Svg::document`]); a page has them once for all its pictures ([`Svg::inline`]).

mod board;
pub mod chart;
mod data;
mod graph;
pub mod heat_map;
mod number;
mod scale;
pub mod theme;
mod thermograph;
pub mod tile_map;
mod writer;

pub use self::board::{BINS_DRAWN, board};
pub use self::graph::{VERTICES_DRAWN, graph};
pub use self::number::number;
pub use self::thermograph::thermograph;
pub use self::writer::{Svg, escaped};
