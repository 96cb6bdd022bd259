//! Charts: bars, histograms, lines, heat maps and maps of tiles, each with its data as a table of text.
//!
//! Series differ in dashes as well as in colour, and every chart can be read as a table
//! ([`Chart::data`]), so no reader depends on colours or on seeing the picture.

mod bars;
mod histogram;
mod lines;

pub use self::bars::{Bar, Bars};
pub use self::histogram::Histogram;
pub use self::lines::{AxisMark, Lines, Series, SeriesForm};
pub use super::data::ChartData;
use super::heat_map::HeatMap;
use super::tile_map::TileMap;
use super::writer::Svg;

/// A chart of any form.
#[derive(Clone, Debug, PartialEq)]
pub enum Chart {
    /// A bar chart.
    Bars(Bars),
    /// A histogram.
    Histogram(Histogram),
    /// Lines or dots over an axis of numbers.
    Lines(Lines),
    /// A grid of shaded cells.
    HeatMap(HeatMap),
    /// A grid of many small cells without texts.
    TileMap(TileMap),
}

impl Chart {
    /// Returns what the chart shows.
    pub fn title(&self) -> &str {
        match self {
            Chart::Bars(bars) => &bars.title,
            Chart::Histogram(histogram) => &histogram.title,
            Chart::Lines(lines) => &lines.title,
            Chart::HeatMap(map) => &map.title,
            Chart::TileMap(map) => &map.map.title,
        }
    }

    /// Draws the chart.
    pub fn svg(&self) -> Svg {
        match self {
            Chart::Bars(bars) => bars.svg(),
            Chart::Histogram(histogram) => histogram.svg(),
            Chart::Lines(lines) => lines.svg(),
            Chart::HeatMap(map) => map.svg(),
            Chart::TileMap(map) => map.svg(),
        }
    }

    /// Returns the data of the chart.
    pub fn data(&self) -> ChartData {
        match self {
            Chart::Bars(bars) => bars.data(),
            Chart::Histogram(histogram) => histogram.data(),
            Chart::Lines(lines) => lines.data(),
            Chart::HeatMap(map) => map.data(),
            Chart::TileMap(map) => map.map.data(),
        }
    }
}
