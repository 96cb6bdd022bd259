//! Heat maps: grids of cells, each with its text on a shade.

use super::data::ChartData;
use super::theme::{Palette, SHADES};
use super::writer::{CHARACTER, Svg};

/// A grid of shaded cells with labels on its upper and left edges.
///
/// ```
/// use seedbank::report::svg::heat_map::{HeatCell, HeatMap, Shading};
///
/// let shading = Shading::of([1.0, 9.0]);
/// let map = HeatMap {
///     title: "Counts".to_owned(),
///     names: ["pots".to_owned(), "seeds".to_owned()],
///     columns: vec!["1".to_owned(), "2".to_owned()],
///     rows: vec![("1".to_owned(), vec![HeatCell::shaded("1", &shading, 1.0), HeatCell::shaded("9", &shading, 9.0)])],
/// };
/// let picture = map.svg().inline();
/// assert!(picture.contains("<title>pots 1, seeds 2: 9</title>"));
/// assert!(picture.contains("cell s0") && picture.contains("cell s8"));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HeatMap {
    /// What the map shows.
    pub title: String,
    /// The names of the rows and of the columns.
    pub names: [String; 2],
    /// The labels of the columns.
    pub columns: Vec<String>,
    /// The labels of the rows, with their cells.
    pub rows: Vec<(String, Vec<HeatCell>)>,
}

/// A cell.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HeatCell {
    /// Its text; perhaps empty.
    pub text: String,
    /// The class of its shade; none if there is no number.
    pub shade: Option<Shade>,
}

/// A step of a shading.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shade {
    /// The colours of the shading.
    pub palette: Palette,
    /// The step, from 0 to 8.
    pub step: u8,
}

impl Shade {
    /// Returns the class of the shade.
    pub fn class(self) -> String {
        let (_, letter) = Palette::ALL[self.palette as usize];
        format!("{letter}{}", self.step)
    }

    /// Returns the shade of a class.
    pub(crate) fn of_class(class: &str) -> Option<Shade> {
        let (letter, step) = class.split_at_checked(1)?;
        let (palette, _) =
            (Palette::ALL.into_iter()).find(|(_, other)| letter.chars().eq([*other]))?;
        Some(Shade {
            palette,
            step: step.parse().ok()?,
        })
    }
}

impl HeatCell {
    /// Returns the cell of a number.
    pub fn shaded(text: impl Into<String>, shading: &Shading, x: f64) -> HeatCell {
        HeatCell {
            text: text.into(),
            shade: shading.shade(x),
        }
    }
}

/// A map from numbers to shades: from the least to the greatest or, if some are negative, from red over
/// 0 to blue. Temperatures run from cold to hot, also those below 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shading {
    least: f64,
    greatest: f64,
    palette: Palette,
}

impl Shading {
    /// Returns the shading of some numbers.
    ///
    /// ```
    /// use seedbank::report::svg::heat_map::Shading;
    ///
    /// let class = |numbers: [f64; 2], x| Shading::of(numbers).shade(x).map(|shade| shade.class());
    /// assert_eq!(class([0.0, 8.0], 4.0).as_deref(), Some("s4"));
    /// assert_eq!(class([-2.0, 1.0], 0.0).as_deref(), Some("d4"));
    /// assert_eq!(class([-2.0, 1.0], -2.0).as_deref(), Some("d0"));
    /// ```
    pub fn of(numbers: impl IntoIterator<Item = f64>) -> Shading {
        let numbers = numbers.into_iter().filter(|x| x.is_finite());
        let ends = numbers.fold(None, |ends: Option<(f64, f64)>, x| {
            Some(ends.map_or((x, x), |(least, greatest)| (least.min(x), greatest.max(x))))
        });
        let (least, greatest) = ends.unwrap_or((0.0, 0.0));
        let palette = if least < 0.0 {
            Palette::Signed
        } else {
            Palette::Size
        };
        Shading {
            least,
            greatest,
            palette,
        }
    }

    /// Returns the shading of some temperatures.
    ///
    /// ```
    /// use seedbank::report::svg::heat_map::Shading;
    ///
    /// let class = |x| Shading::heat([-1.0, 3.0]).shade(x).map(|shade| shade.class());
    /// assert_eq!(class(-1.0).as_deref(), Some("t0"));
    /// assert_eq!(class(3.0).as_deref(), Some("t8"));
    /// ```
    pub fn heat(numbers: impl IntoIterator<Item = f64>) -> Shading {
        Shading {
            palette: Palette::Heat,
            ..Shading::of(numbers)
        }
    }

    /// Returns whether there are numbers below 0.
    pub fn is_signed(&self) -> bool {
        self.palette == Palette::Signed
    }

    /// Returns the shade of a number; `None` if it is not a number.
    pub fn shade(&self, x: f64) -> Option<Shade> {
        if !x.is_finite() {
            return None;
        }
        let (from, to) = self.ends();
        let along = if to > from {
            (x - from) / (to - from)
        } else {
            0.0
        };
        let step = (along * (SHADES - 1) as f64).round();
        Some(Shade {
            palette: self.palette,
            step: step.clamp(0.0, (SHADES - 1) as f64) as u8,
        })
    }

    /// Returns the numbers at the two ends of the shades.
    pub fn ends(&self) -> (f64, f64) {
        if self.is_signed() {
            let most = self.greatest.abs().max(self.least.abs());
            (-most, most)
        } else {
            (self.least, self.greatest)
        }
    }
}

/// Unit: pixels.
const ROW: f64 = 22.0;
const CELL_MIN: f64 = 22.0;
const CELL_MAX: f64 = 110.0;
const HEADER: f64 = 34.0;

impl HeatMap {
    /// Draws the map.
    pub fn svg(&self) -> Svg {
        let cells = || self.rows.iter().flat_map(|(_, cells)| cells);
        let texts = cells().map(|cell| &cell.text).chain(&self.columns);
        let width = (widest(texts) + 8.0).clamp(CELL_MIN, CELL_MAX);
        let labels = self
            .rows
            .iter()
            .map(|(label, _)| label)
            .chain([&self.names[0]]);
        let left = widest(labels) + 10.0;
        let size = [
            left + self.columns.len() as f64 * width + 2.0,
            HEADER + self.rows.len() as f64 * ROW + 2.0,
        ];
        let mut picture = Svg::new(size, &*self.title, self.description());
        let [row_name, column_name] = &self.names;
        picture.text([left, 12.0], "soft", column_name);
        picture.text([left - 6.0, HEADER - 7.0], "soft end", row_name);
        let fits = |text: &str| fitted(text, ((width - 4.0) / CHARACTER) as usize);
        for (place, label) in self.columns.iter().enumerate() {
            let x = left + (place as f64 + 0.5) * width;
            picture.text([x, HEADER - 7.0], "soft middle", &fits(label));
        }
        for (place, (label, cells)) in self.rows.iter().enumerate() {
            let y = HEADER + place as f64 * ROW;
            picture.text([left - 6.0, y + 15.0], "soft end", label);
            for (place, cell) in cells.iter().enumerate() {
                if cell.text.is_empty() && cell.shade.is_none() {
                    continue;
                }
                let x = left + place as f64 * width;
                let column = self.columns.get(place).map_or("", |label| label);
                let title = format!("{row_name} {label}, {column_name} {column}: {}", cell.text);
                let shade = cell.shade.map_or("none".to_owned(), Shade::class);
                picture.group("", &title, |picture| {
                    picture.rect([x, y], [width, ROW], &format!("cell {shade}"));
                    picture.text([x + width / 2.0, y + 15.0], "middle", &fits(&cell.text));
                });
            }
        }
        picture
    }

    /// Returns the texts of the cells.
    pub fn data(&self) -> ChartData {
        let corner = format!("{} / {}", self.names[0], self.names[1]);
        let row = |(label, cells): &(String, Vec<HeatCell>)| {
            let cells = cells.iter().map(|cell| cell.text.clone());
            [label.clone()].into_iter().chain(cells).collect()
        };
        ChartData {
            header: [corner]
                .into_iter()
                .chain(self.columns.iter().cloned())
                .collect(),
            rows: self.rows.iter().map(row).collect(),
        }
    }

    fn description(&self) -> String {
        let [row, column] = &self.names;
        format!(
            "{} {row} by {} {column}",
            self.rows.len(),
            self.columns.len()
        )
    }
}

fn widest<'t>(texts: impl Iterator<Item = &'t String>) -> f64 {
    let longest = texts.map(|text| text.chars().count()).max().unwrap_or(0);
    longest as f64 * CHARACTER
}

/// Returns a text of at most some characters.
fn fitted(text: &str, most: usize) -> String {
    if text.chars().count() > most {
        text.chars().take(most.max(1) - 1).chain(['…']).collect()
    } else {
        text.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_have_their_place_shade_and_title() {
        let shading = Shading::of([-1.0, 2.0]);
        let map = HeatMap {
            title: "Means".to_owned(),
            names: ["m".to_owned(), "n".to_owned()],
            columns: vec!["0".to_owned(), "1".to_owned()],
            rows: vec![(
                "7".to_owned(),
                vec![HeatCell::shaded("-1", &shading, -1.0), HeatCell::default()],
            )],
        };
        assert_eq!(
            map.svg().inline(),
            "<svg class=\"picture\" viewBox=\"0 0 64 58\" width=\"64\" height=\"58\" role=\"img\">\n\
             <title>Means</title>\n<desc>1 m by 2 n</desc>\n\
             <text x=\"17.2\" y=\"12\" class=\"soft\">n</text>\n\
             <text x=\"11.2\" y=\"27\" class=\"soft end\">m</text>\n\
             <text x=\"28.4\" y=\"27\" class=\"soft middle\">0</text>\n\
             <text x=\"50.8\" y=\"27\" class=\"soft middle\">1</text>\n\
             <text x=\"11.2\" y=\"49\" class=\"soft end\">7</text>\n\
             <g>\n<title>m 7, n 0: -1</title>\n\
             <rect x=\"17.2\" y=\"34\" width=\"22.4\" height=\"22\" class=\"cell d2\"/>\n\
             <text x=\"28.4\" y=\"49\" class=\"middle\">-1</text>\n</g>\n</svg>\n"
        );
        assert_eq!(map.data().header, ["m / n", "0", "1"]);
    }

    #[test]
    fn one_number_has_one_shade() {
        assert_eq!(Shading::of([3.0]).shade(3.0).unwrap().class(), "s0");
        assert_eq!(Shading::of([]).shade(f64::NAN), None);
    }
}
