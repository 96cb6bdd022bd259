//! Maps of tiles: grids of many small shaded cells, whose texts appear under the pointer and in the data.

use super::heat_map::{HeatMap, Shade};
use super::writer::{CHARACTER, Svg};

/// A grid of small cells without texts in them, with a legend below.
///
/// ```
/// use seedbank::report::svg::heat_map::{HeatCell, HeatMap, Shading};
/// use seedbank::report::svg::tile_map::TileMap;
///
/// let shading = Shading::of([1.0, 9.0]);
/// let cell = |text: &str, x| HeatCell::shaded(text, &shading, x);
/// let map = HeatMap {
///     title: "mean".to_owned(),
///     names: ["x".to_owned(), "y".to_owned()],
///     columns: vec!["1 to 5".to_owned(), "6 to 10".to_owned()],
///     rows: vec![("1 to 5".to_owned(), vec![cell("1, 25 rows", 1.0), cell("9, 25 rows", 9.0)])],
/// };
/// let legend = [1.0, 9.0].map(|x| (shading.shade(x).unwrap(), x.to_string()));
/// let picture = TileMap { map, legend: legend.to_vec() }.svg().inline();
/// assert!(picture.contains("class=\"s8\"><title>x 1 to 5, y 6 to 10: 9, 25 rows</title>"));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TileMap {
    /// The cells with their texts.
    pub map: HeatMap,
    /// Some shades with their meanings.
    pub legend: Vec<(Shade, String)>,
}

/// Unit: pixels.
const CELL: f64 = 8.0;
const HEADER: f64 = 34.0;
const WIDTH_MIN: f64 = 240.0;
const LEGEND_ROW: f64 = 18.0;

/// The number of rows from one label to the next.
///
/// Unit: cells. Two lines of text would touch.
const LABEL_ROWS: usize = 3;

impl TileMap {
    /// Draws the map.
    pub fn svg(&self) -> Svg {
        let map = &self.map;
        let [down, across] = &map.names;
        let labels = map.rows.iter().map(|(label, _)| label).chain([down]);
        let left = width(labels) + 10.0;
        let legend = self.legend.iter().map(|(_, text)| text);
        let width_max = [
            WIDTH_MIN,
            left + map.columns.len() as f64 * CELL + 2.0,
            width(legend) + 2.0 * LEGEND_ROW,
        ];
        let foot = HEADER + map.rows.len() as f64 * CELL;
        let size = [
            width_max.into_iter().fold(0.0, f64::max),
            foot + self.legend.len() as f64 * LEGEND_ROW + 6.0,
        ];
        let mut picture = Svg::new(size, &*map.title, self.description());
        picture.text([left, 12.0], "soft", across);
        picture.text([left - 6.0, HEADER - 7.0], "soft end", down);
        let ends = [map.columns.first(), map.columns.last()];
        if let [Some(first), Some(last)] = ends {
            let end = left + map.columns.len() as f64 * CELL;
            picture.text([left, HEADER - 7.0], "soft", first);
            // Both labels fit if the map is wide enough.
            if end - left > width([first, last]) * 2.0 + CHARACTER {
                picture.text([end, HEADER - 7.0], "soft end", last);
            }
        }
        for (place, (label, cells)) in map.rows.iter().enumerate() {
            let y = HEADER + place as f64 * CELL;
            if place % LABEL_ROWS == 0 {
                picture.text([left - 6.0, y + 8.0], "soft small end", label);
            }
            for (column, cell) in cells.iter().enumerate() {
                let Some(shade) = cell.shade else {
                    continue;
                };
                let x = left + column as f64 * CELL;
                let title = format!(
                    "{down} {label}, {across} {}: {}",
                    map.columns[column], cell.text
                );
                picture.titled_rect([x, y], [CELL, CELL], &shade.class(), &title);
            }
        }
        for (place, (shade, text)) in self.legend.iter().enumerate() {
            let y = foot + 6.0 + place as f64 * LEGEND_ROW;
            picture.rect([2.0, y], [12.0, 12.0], &format!("cell {}", shade.class()));
            picture.text([LEGEND_ROW + 2.0, y + 10.0], "", text);
        }
        picture
    }

    fn description(&self) -> String {
        let [down, across] = &self.map.names;
        format!(
            "{} intervals of {down} by {} of {across}",
            self.map.rows.len(),
            self.map.columns.len()
        )
    }
}

fn width<'t>(texts: impl IntoIterator<Item = &'t String>) -> f64 {
    let longest = texts.into_iter().map(|text| text.chars().count()).max();
    longest.unwrap_or(0) as f64 * CHARACTER
}
