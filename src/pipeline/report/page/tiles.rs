//! Maps of tiles of results with two variables that have too many rows for a cell each.

use std::collections::BTreeMap;

use super::figures::{Figure, OF_VALUES};
use crate::dataset::profile::{
    ColumnProfile, Holds, Profile, TILE_TEXTS_MAX, TILES_MAX, TileSide, TiledColumn, Tiles,
};
use crate::dataset::{DatasetError, Scan};
use crate::report::svg::chart::Chart;
use crate::report::svg::heat_map::{HeatCell, HeatMap, Shade, Shading};
use crate::report::svg::number;
use crate::report::svg::theme::{Palette, SHADES};
use crate::report::svg::tile_map::TileMap;

/// The most maps of a result.
///
/// Unit: maps, of 0.3 MB each.
const MAPS_MAX: usize = 4;

/// Returns the maps of a result by two variables: of each computed column with numbers or few texts, the mean or the
/// commonest text of each tile. Returns none if the result has other variables, or no more rows than a map has tiles.
///
/// # Errors
///
/// Rows that cannot be read.
pub fn tile_maps(
    rows: Scan<'_>,
    profile: &Profile,
    variables: &[String],
    noun: &str,
) -> Result<Vec<Figure>, DatasetError> {
    let [down, across] = variables else {
        return Ok(Vec::new());
    };
    let sides = [down, across].map(|name| TileSide::of(profile, name));
    let [Some(down), Some(across)] = sides else {
        return Ok(Vec::new());
    };
    if profile.rows <= TILES_MAX * TILES_MAX {
        return Ok(Vec::new());
    }
    let columns = mapped(profile, [&down.name, &across.name]);
    let names: Vec<&str> = columns.iter().map(|column| &*column.column.name).collect();
    let tiles = Tiles::of(rows, [down, across], &names)?;
    let figures = columns.iter().zip(tiles.columns());
    let figures = figures.filter_map(|(column, (_, tiled))| figure(column, tiled, &tiles, noun));
    Ok(figures.take(MAPS_MAX).collect())
}

/// Returns the computed columns with numbers or few texts that are not all alike.
fn mapped<'p>(profile: &'p Profile, variables: [&str; 2]) -> Vec<&'p ColumnProfile> {
    let has_games = profile.column("value_digest").is_some();
    let is_mapped = |column: &&ColumnProfile| {
        let name = &*column.column.name;
        let is_computed = !variables.contains(&name) && (!has_games || OF_VALUES.contains(&name));
        is_computed
            && match &column.holds {
                Holds::Numbers { numbers, .. } => {
                    (numbers.ends()).is_some_and(|(least, greatest)| least < greatest)
                }
                Holds::Texts(texts) => (texts.counts())
                    .is_some_and(|counts| (2..=TILE_TEXTS_MAX).contains(&counts.len())),
                Holds::Others => false,
            }
    };
    profile.columns.iter().filter(is_mapped).collect()
}

/// Returns the map of a column; `None` if all tiles have the same shade.
fn figure(
    column: &ColumnProfile,
    tiled: &TiledColumn,
    tiles: &Tiles,
    noun: &str,
) -> Option<Figure> {
    let [down, across] = tiles.sides();
    let name = column.column.name.replace('_', " ");
    let places = 0..down.len() * across.len();
    let (what, shown, (cells, legend)) = match tiled {
        TiledColumn::Numbers(_) => {
            let means: Vec<_> = places.map(|tile| tiled.mean(tile)).collect();
            let shown = format!("the mean of their {name}");
            ("mean of", shown, of_means(&name, &means))
        }
        TiledColumn::Texts(_) => {
            let texts: Vec<_> = places.map(|tile| tiled.commonest(tile)).collect();
            let shown = format!("their commonest {name} and its count");
            ("commonest", shown, of_texts(&texts))
        }
    };
    if legend.len() < 2 {
        return None;
    }
    let mut cells = cells.into_iter().enumerate().map(|(tile, cell)| HeatCell {
        text: match tiles.rows(tile) {
            0 => String::new(),
            rows => format!("{} ({rows} {noun})", cell.text),
        },
        shade: cell.shade,
    });
    let label = |side: &TileSide, place| match side.interval(place) {
        (first, last) if first == last => first.to_string(),
        (first, last) => format!("{first} to {last}"),
    };
    let rows = (0..down.len()).map(|place| {
        let cells = cells.by_ref().take(across.len()).collect();
        (label(down, place), cells)
    });
    let map = HeatMap {
        title: format!("{what} {name} by {} and {}", down.name, across.name),
        names: [down, across].map(|side| side.name.clone()),
        rows: rows.collect(),
        columns: (0..across.len())
            .map(|place| label(across, place))
            .collect(),
    };
    Some(Figure {
        chart: Chart::TileMap(TileMap { map, legend }),
        caption: format!(
            "{} Each tile aggregates the {noun} of {} by {}: it shows {shown}, and the number of {noun}.",
            column.column.meaning,
            values_of(down),
            values_of(across)
        ),
    })
}

/// Returns the values of an interval in words: `5 values of x`.
fn values_of(side: &TileSide) -> String {
    match side.step() {
        1 => format!("one value of {}", side.name),
        step => format!("{step} values of {}", side.name),
    }
}

type Cells = (Vec<HeatCell>, Vec<(Shade, String)>);

/// Returns the cells of the means of a quantity, and the means of the palest and the strongest shade.
fn of_means(name: &str, means: &[Option<f64>]) -> Cells {
    let numbers = means.iter().copied().flatten();
    let shading = match name {
        "temperature" => Shading::heat(numbers),
        _ => Shading::of(numbers),
    };
    let cells = means.iter().map(|mean| match mean {
        Some(mean) => HeatCell::shaded(number(*mean), &shading, *mean),
        None => HeatCell {
            text: "none".to_owned(),
            shade: None,
        },
    });
    let (least, greatest) = shading.ends();
    let mut ends = vec![least, greatest];
    if shading.is_signed() {
        ends.insert(1, 0.0);
    }
    ends.dedup();
    let legend = ends
        .into_iter()
        .filter_map(|x| Some((shading.shade(x)?, number(x))));
    (cells.collect(), legend.collect())
}

/// Returns the cells of commonest texts, and the shade of each text: the more tiles it has, the paler. The last shade may
/// stand for several texts.
fn of_texts(commonest: &[Option<(&str, u64)>]) -> Cells {
    let mut counts = BTreeMap::<&str, usize>::new();
    for (text, _) in commonest.iter().flatten() {
        *counts.entry(text).or_default() += 1;
    }
    let mut texts: Vec<(&str, usize)> = counts.into_iter().collect();
    texts.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
    let last = texts.len().clamp(2, SHADES) - 1;
    let shade = |place: usize| Shade {
        palette: Palette::Size,
        step: (place.min(last) * (SHADES - 1) / last) as u8,
    };
    let cells = commonest.iter().map(|found| match found {
        Some((text, count)) => HeatCell {
            text: format!("{text} {count}"),
            shade: (texts.iter().position(|(other, _)| other == text)).map(shade),
        },
        None => HeatCell {
            text: "none".to_owned(),
            shade: None,
        },
    });
    let mut legend: Vec<(Shade, String)> = Vec::new();
    for (place, (text, _)) in texts.iter().enumerate() {
        match legend.last_mut() {
            Some((last, all)) if *last == shade(place) => *all += &format!(", {text}"),
            _ => legend.push((shade(place), (*text).to_owned())),
        }
    }
    (cells.collect(), legend)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shades_of_texts_go_by_the_number_of_tiles() {
        let commonest = [Some(("P", 4)), Some(("P", 5)), None, Some(("N", 3))];
        let (cells, legend) = of_texts(&commonest);
        let found: Vec<_> = cells
            .iter()
            .map(|cell| (&*cell.text, cell.shade.map(|shade| shade.step)))
            .collect();
        let none = ("none", None);
        assert_eq!(
            found,
            [("P 4", Some(0)), ("P 5", Some(0)), none, ("N 3", Some(8))]
        );
        let legend: Vec<_> = legend
            .iter()
            .map(|(shade, text)| (shade.step, &**text))
            .collect();
        assert_eq!(legend, [(0, "P"), (8, "N")]);
    }

    #[test]
    fn means_have_their_ends_in_the_legend() {
        let (cells, legend) = of_means("mean", &[Some(0.5), None, Some(2.0)]);
        assert_eq!((&*cells[0].text, &*cells[1].text), ("0.5", "none"));
        let legend: Vec<_> = legend
            .iter()
            .map(|(shade, text)| (shade.step, &**text))
            .collect();
        assert_eq!(legend, [(0, "0.5"), (8, "2")]);
    }
}
