//! The thermograph of a value, drawn as books draw it.
//!
//! Temperature runs upwards. Left's values are to the left, so values ascend from right to left
//! (Winning Ways, chapter 6). Both directions have one unit: walls run straight up or at 45 degrees.

use cgvalues::{Dyadic, Thermograph, Wall};

use super::number::number;
use super::writer::{CHARACTER, Svg};

/// The greatest width and height of the walls, and the greatest unit.
///
/// Unit: pixels. With margins a picture is at most some 400 wide, which a phone shows.
const WIDTH_MAX: f64 = 240.0;
const HEIGHT_MAX: f64 = 180.0;
const UNIT_MAX: f64 = 60.0;

/// The length of the mast drawn above the temperature, and the space for labels above and below.
///
/// Unit: pixels.
const MAST: f64 = 26.0;
const LABEL_ABOVE: f64 = 18.0;
const LABEL_BELOW: f64 = 20.0;
const MARGIN: f64 = 46.0;

/// The longest label of a number.
///
/// Unit: characters.
const LABEL_MAX: usize = 14;

/// Draws a thermograph: both walls, the mast, the stops, the mean and the temperature.
///
/// Walls that begin below 0 are drawn from their beginning, with a dotted line at temperature 0, where
/// the stops are. The description lists the corners of the walls.
///
/// ```
/// use seedbank::report::svg::thermograph;
/// use seedbank::value::{Arena, Thermographs};
///
/// let arena = Arena::new();
/// let switch = arena.calculator().parse("{1|-2}")?;
/// let of_switch = Thermographs::new(&arena).thermograph(switch).expect("small numbers are exact");
/// let picture = thermograph("{1|-2}", &of_switch).inline();
/// assert!(picture.contains("<title>Thermograph of {1|-2}</title>"));
/// // Left's stop 1 is to the left of Right's stop -2; the walls meet at temperature 3/2.
/// assert!(picture.contains(r#"class="wall left""#) && picture.contains(">mean -1/2</text>"));
/// assert!(picture.contains("Left wall: 1 at 0, -1/2 at 3/2."));
/// # Ok::<(), seedbank::value::ParseValueError>(())
/// ```
pub fn thermograph(value: &str, thermograph: &Thermograph) -> Svg {
    let (mean, temperature) = thermograph.mast();
    let (left, right) = (points(thermograph.left()), points(thermograph.right()));
    let all = || left.iter().chain(&right);
    let start = left[0][1];
    // The temperature of a number is below the beginning of its walls.
    let top = float(temperature).max(start);
    let greatest = all().map(|point| point[0]).fold(f64::MIN, f64::max);
    let least = all().map(|point| point[0]).fold(f64::MAX, f64::min);
    let mut unit = UNIT_MAX;
    if greatest > least {
        unit = unit.min(WIDTH_MAX / (greatest - least));
    }
    if top > start {
        unit = unit.min(HEIGHT_MAX / (top - start));
    }

    let stops = [thermograph.left(), thermograph.right()].map(|wall| wall.at(Dyadic::ZERO));
    let stops = stops.map(|stop| stop.map(label).unwrap_or_default());
    let temperature_label = label(temperature);
    let longest = [&stops[0], &stops[1], &temperature_label].map(|text| text.chars().count());
    let longest = longest.into_iter().max().unwrap_or(0);
    let margin = MARGIN.max(longest as f64 * CHARACTER + 12.0);
    let base = LABEL_ABOVE + MAST + (top - start) * unit;
    let size = [2.0 * margin + (greatest - least) * unit, base + LABEL_BELOW];
    let place = |[x, t]: [f64; 2]| [margin + (greatest - x) * unit, base - (t - start) * unit];

    let mut picture = Svg::new(
        size,
        format!("Thermograph of {value}"),
        description(thermograph, &stops),
    );
    let edge = [8.0, size[0] - 8.0];
    picture.line([edge[0], base], [edge[1], base], "axis");
    let foot = place([float(mean), top]);
    let head = [foot[0], LABEL_ABOVE];
    if top > start {
        picture.line([edge[0], foot[1]], foot, "dotted");
        picture.text(
            [edge[0], foot[1] - 3.0],
            "soft small",
            &format!("t = {temperature_label}"),
        );
    }
    let zero = place([float(mean), 0.0])[1];
    if start < 0.0 {
        if top != 0.0 {
            picture.line([edge[0], zero], [edge[1], zero], "dotted");
        }
        picture.text([edge[1], zero - 3.0], "soft small end", "t = 0");
        let text = format!("t = {}", number(start));
        picture.text([edge[1], base - 3.0], "soft small end", &text);
    }
    for (wall, class) in [(&left, "wall left"), (&right, "wall right")] {
        let mut wall: Vec<[f64; 2]> = wall.iter().copied().map(place).collect();
        // The wall with fewer corners stands at the mean already.
        wall.push(foot);
        wall.dedup();
        if wall.len() > 1 {
            picture.polyline(&wall, class);
        }
    }
    picture.line(foot, head, "mast");
    let arrow = [[-4.0, 8.0], [0.0, 0.0], [4.0, 8.0]];
    picture.polyline(&arrow.map(|[x, y]| [head[0] + x, head[1] + y]), "mast");
    picture.text(
        [head[0], head[1] - 5.0],
        "middle",
        &format!("mean {}", label(mean)),
    );

    let below = base + 14.0;
    let feet = [thermograph.left(), thermograph.right()].map(|wall| {
        let stop = wall.at(Dyadic::ZERO).map_or(float(mean), float);
        place([stop, start])[0]
    });
    if stops[0] == stops[1] {
        picture.text([feet[0], below], "middle", &stops[0]);
    } else {
        picture.text([feet[0] + 3.0, below], "end", &stops[0]);
        picture.text([feet[1] - 3.0, below], "", &stops[1]);
    }
    picture
}

/// Returns the corners of a wall as value and temperature.
fn points(wall: &Wall) -> Vec<[f64; 2]> {
    let corners = wall.corners().iter();
    corners.map(|&(t, x)| [float(x), float(t)]).collect()
}

fn description(thermograph: &Thermograph, stops: &[String; 2]) -> String {
    let wall = |wall: &Wall| {
        let corners = wall.corners().iter().map(|(t, x)| format!("{x} at {t}"));
        corners.collect::<Vec<_>>().join(", ")
    };
    let (mean, temperature) = thermograph.mast();
    let [left_stop, right_stop] = stops;
    format!(
        "Left stop {left_stop}, Right stop {right_stop}, mean {mean}, temperature {temperature}. \
         Left wall: {}. Right wall: {}.",
        wall(thermograph.left()),
        wall(thermograph.right()),
    )
}

/// Returns a number with the precision of a picture.
fn float(number: Dyadic) -> f64 {
    let exact = number.to_f64_exact();
    exact.unwrap_or_else(|| number.numerator() as f64 * (-f64::from(number.exponent())).exp2())
}

/// Returns a number as a label; a long number is shortened.
fn label(number: Dyadic) -> String {
    let text = number.to_string();
    if text.chars().count() > LABEL_MAX {
        text.chars().take(LABEL_MAX - 1).chain(['…']).collect()
    } else {
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cgvalues::{Arena, Thermographs};

    fn drawn(value: &str, from_minus_one: bool) -> String {
        let arena = Arena::new();
        let id = arena.calculator().parse(value).expect("notation");
        let mut thermographs = if from_minus_one {
            Thermographs::from_minus_one(&arena)
        } else {
            Thermographs::new(&arena)
        };
        let of_value = thermographs
            .thermograph(id)
            .expect("small numbers are exact");
        thermograph(value, &of_value).inline()
    }

    #[test]
    fn a_switch_is_a_roof_with_left_to_the_left() {
        assert_eq!(
            drawn("{1|-1}", false),
            "<svg class=\"picture\" viewBox=\"0 0 212 124\" width=\"212\" height=\"124\" role=\"img\">\n\
             <title>Thermograph of {1|-1}</title>\n\
             <desc>Left stop 1, Right stop -1, mean 0, temperature 1. Left wall: 1 at 0, 0 at 1. \
             Right wall: -1 at 0, 0 at 1.</desc>\n\
             <line x1=\"8\" y1=\"104\" x2=\"204\" y2=\"104\" class=\"axis\"/>\n\
             <line x1=\"8\" y1=\"44\" x2=\"106\" y2=\"44\" class=\"dotted\"/>\n\
             <text x=\"8\" y=\"41\" class=\"soft small\">t = 1</text>\n\
             <polyline points=\"46,104 106,44\" class=\"wall left\"/>\n\
             <polyline points=\"166,104 106,44\" class=\"wall right\"/>\n\
             <line x1=\"106\" y1=\"44\" x2=\"106\" y2=\"18\" class=\"mast\"/>\n\
             <polyline points=\"102,26 106,18 110,26\" class=\"mast\"/>\n\
             <text x=\"106\" y=\"13\" class=\"middle\">mean 0</text>\n\
             <text x=\"49\" y=\"118\" class=\"end\">1</text>\n\
             <text x=\"163\" y=\"118\">-1</text>\n\
             </svg>\n"
        );
    }

    #[test]
    fn both_walls_end_at_the_foot_of_the_mast() {
        // Winning Ways, chapter 6: {2|0||-2|-4} has mean -1 and temperature 2; both walls stand
        // straight below that.
        let text = drawn("{2|0||-2|-4}", false);
        assert!(
            text.contains("Left wall: 0 at 0, 0 at 1, -1 at 2."),
            "{text}"
        );
        assert!(
            text.contains(">mean -1</text>") && text.contains(">t = 2</text>"),
            "{text}"
        );
        // One unit is 60: Left's wall runs up by one, and then to the right by one.
        let wall = "<polyline points=\"46,164 46,104 106,44\" class=\"wall left\"/>";
        assert!(text.contains(wall), "{text}");
    }

    #[test]
    fn a_number_is_a_mast() {
        let text = drawn("3/4", false);
        assert!(!text.contains("class=\"wall"), "{text}");
        assert!(text.contains("class=\"middle\">3/4</text>"), "{text}");
    }

    #[test]
    fn walls_below_zero_are_drawn_from_there() {
        let text = drawn("1/2", true);
        assert!(
            text.contains(">t = 0</text>") && text.contains(">t = -1</text>"),
            "{text}"
        );
        assert!(text.contains("Left wall: 1 at -1, 1/2 at -1/2."), "{text}");
    }

    #[test]
    fn large_games_stay_small() {
        let text = drawn("{1000000|-1000000}", false);
        assert!(text.contains("viewBox=\"0 0 379.2 184\""), "{text}");
    }
}
