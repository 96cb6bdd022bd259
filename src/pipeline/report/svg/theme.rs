//! The colours of pictures, for light and for dark backgrounds.
//!
//! Blue is Left and red is Right, as in Blue-Red Hackenbush. Shades of one quantity run from pale to
//! strong blue; quantities with a sign run from red over white to blue; temperatures run from cold to hot,
//! blue to red. Text on a shade keeps a contrast of at least 4.5 to 1 in both themes.

use std::fmt::Write;

/// The number of shades of a quantity.
pub const SHADES: usize = 9;

/// The colours of a shading.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Palette {
    /// From pale to strong blue.
    Size,
    /// From red over white to blue.
    Signed,
    /// From cold to hot, blue to red.
    Heat,
}

impl Palette {
    /// Every palette, with the letter of its classes.
    pub const ALL: [(Palette, char); 3] = [
        (Palette::Size, 's'),
        (Palette::Signed, 'd'),
        (Palette::Heat, 't'),
    ];
}

/// The name of each colour, the colour on a light background, and the colour on a dark background.
type Colour = (&'static str, &'static str, &'static str);

const COLOURS: [Colour; 11] = [
    ("ink", "#1c2128", "#e6e9ed"),
    ("paper", "#ffffff", "#14181d"),
    ("soft", "#57606a", "#a3adb8"),
    ("faint", "#d4dae1", "#38414b"),
    ("raised", "#f4f6f8", "#1d232a"),
    ("left", "#0a58b5", "#74b3ff"),
    ("right", "#b42318", "#ff938a"),
    ("bar", "#3b78c3", "#5b95dd"),
    ("second", "#9a5b00", "#e6a94e"),
    ("third", "#0b7a5c", "#4fc7a3"),
    ("band", "#c9dcf3", "#2a4567"),
];

/// Shades of a quantity from its least to its greatest, on light and on dark backgrounds.
const SHADE: [(&str, &str); SHADES] = [
    ("#f1f6fc", "#1a212b"),
    ("#e0ecf8", "#1d2c3e"),
    ("#cde1f4", "#203750"),
    ("#b8d4ee", "#21415f"),
    ("#a2c6e8", "#234b6f"),
    ("#8bb8e1", "#25557f"),
    ("#74a9d9", "#275e8f"),
    ("#5f9bd1", "#28669d"),
    ("#4b8dc8", "#2a6aa4"),
];

/// Shades of a quantity with a sign from its least over 0 to its greatest.
const SIGNED: [(&str, &str); SHADES] = [
    ("#dd8079", "#a63a32"),
    ("#e7a19b", "#86322d"),
    ("#f0c1bd", "#652a28"),
    ("#f8e0de", "#432223"),
    ("#f7f7f7", "#1e232a"),
    ("#dbe8f5", "#1e2f44"),
    ("#b5d1ed", "#213f5f"),
    ("#8db8e3", "#24507b"),
    ("#669fd8", "#286198"),
];

/// Shades of a temperature from cold to hot. Blue against orange and red is told apart by readers with each kind of colour
/// blindness.
const HEAT: [(&str, &str); SHADES] = [
    ("#5f9bd1", "#2a6aa4"),
    ("#8bb8e1", "#25557f"),
    ("#b8d4ee", "#21415f"),
    ("#dfeaf4", "#1e2f44"),
    ("#f6f3e7", "#2a2925"),
    ("#fbe2b9", "#46341f"),
    ("#f8c587", "#663f1d"),
    ("#f0a361", "#84421f"),
    ("#e67f55", "#9e3a26"),
];

/// The style rules of the classes in pictures, with colours by name.
const SHAPES: &str = include_str!("shapes.css");

/// Returns the colours as variables of a style sheet: those for light backgrounds, or for dark ones.
pub fn variables(is_dark: bool) -> String {
    let mut text = String::new();
    for (name, light, dark) in colours() {
        let _ = write!(text, "--{name}:{};", if is_dark { dark } else { light });
    }
    text
}

/// Returns the rules of the classes, for a page that has the colours as variables.
pub fn shapes() -> &'static str {
    SHAPES
}

/// Returns the rules that give elements of a page the shades as background.
pub fn backgrounds() -> String {
    let mut text = String::new();
    for (_, prefix) in Palette::ALL {
        for step in 0..SHADES {
            let class = format!("{prefix}{step}");
            let _ = writeln!(
                text,
                "td.{class},th.{class},.legend .{class}{{background:var(--{class})}}"
            );
        }
    }
    text
}

/// Returns the rules of the classes for a separate file. Colours are written out, because some viewers
/// do not support variables.
pub(super) fn document_style() -> String {
    let plain = |is_dark: bool| {
        colours().fold(SHAPES.to_owned(), |style, (name, light, dark)| {
            style.replace(
                &format!("var(--{name})"),
                if is_dark { dark } else { light },
            )
        })
    };
    let light = plain(false);
    let dark = plain(true);
    // Only rules with different colours are repeated.
    let differs = |(light, dark): &(&str, &str)| light != dark;
    let dark = light.lines().zip(dark.lines()).filter(differs);
    let dark: String = dark.map(|(_, dark)| format!("{dark}\n")).collect();
    format!("{light}@media (prefers-color-scheme: dark) {{\n{dark}}}\n")
}

fn colours() -> impl Iterator<Item = (String, &'static str, &'static str)> {
    let named = COLOURS
        .iter()
        .map(|&(name, light, dark)| (name.to_owned(), light, dark));
    let shades = |prefix: &'static str, shades: &'static [(&str, &str); SHADES]| {
        let shades = shades.iter().enumerate();
        shades.map(move |(step, &(light, dark))| (format!("{prefix}{step}"), light, dark))
    };
    (named.chain(shades("s", &SHADE)))
        .chain(shades("d", &SIGNED))
        .chain(shades("t", &HEAT))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The relative luminance of a colour (Web Content Accessibility Guidelines 2.2).
    fn luminance(colour: &str) -> f64 {
        let channel = |at: usize| {
            let c = f64::from(u8::from_str_radix(&colour[at..at + 2], 16).expect("hex")) / 255.0;
            if c <= 0.04045 {
                c / 12.92
            } else {
                ((c + 0.055) / 1.055).powf(2.4)
            }
        };
        0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5)
    }

    fn contrast(a: &str, b: &str) -> f64 {
        let (a, b) = (luminance(a), luminance(b));
        (a.max(b) + 0.05) / (a.min(b) + 0.05)
    }

    #[test]
    fn text_can_be_read_on_every_shade() {
        for is_dark in [false, true] {
            let all: Vec<_> = colours().collect();
            let colour = |name: &str| {
                let found = all
                    .iter()
                    .find(|(other, ..)| other == name)
                    .expect("a colour");
                if is_dark { found.2 } else { found.1 }
            };
            let ink = colour("ink");
            for (name, ..) in &all {
                let is_shade = name.len() == 2 && name.starts_with(['s', 'd', 't']);
                if is_shade || ["paper", "raised", "band"].contains(&name.as_str()) {
                    let found = contrast(ink, colour(name));
                    assert!(found >= 4.5, "{name}, dark {is_dark}: {found:.2}");
                }
            }
            for name in ["soft", "left", "right", "second", "third"] {
                let found = contrast(colour(name), colour("paper"));
                assert!(found >= 4.5, "{name} on paper, dark {is_dark}: {found:.2}");
            }
            // Marks without text need a contrast of 3 to 1.
            assert!(contrast(colour("bar"), colour("paper")) >= 3.0);
        }
    }

    /// Returns red, green and blue, linear, of a colour.
    fn linear(colour: &str) -> [f64; 3] {
        [1, 3, 5].map(|at| {
            let c = f64::from(u8::from_str_radix(&colour[at..at + 2], 16).expect("hex")) / 255.0;
            c.powf(2.2)
        })
    }

    #[test]
    fn heat_is_told_from_cold_by_the_colour_blind() {
        // Protanopia and deuteranopia (Machado, Oliveira and Fernandes 2009, severity 1).
        let sights = [
            [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
            [
                [0.152_286, 1.052_583, -0.204_868],
                [0.114_503, 0.786_281, 0.099_216],
                [-0.003_882, -0.048_116, 1.051_998],
            ],
            [
                [0.367_322, 0.860_646, -0.227_968],
                [0.280_085, 0.672_501, 0.047_413],
                [-0.011_820, 0.042_940, 0.968_881],
            ],
        ];
        for sight in sights {
            let seen = |colour| {
                let colour = linear(colour);
                sight.map(|row| row.iter().zip(colour).map(|(a, b)| a * b).sum::<f64>())
            };
            let warmth = |colour| {
                let [red, green, blue] = seen(colour);
                (red + green) / 2.0 - blue
            };
            let middle = SHADES / 2;
            for (step, (light, dark)) in HEAT.into_iter().enumerate() {
                for colour in [light, dark] {
                    let is_cold = warmth(colour) < 0.0;
                    assert_eq!(is_cold, step < middle, "step {step}, {colour}");
                }
            }
            // The farther from the middle, the stronger.
            for pair in HEAT.windows(2) {
                for [a, b] in [[pair[0].0, pair[1].0], [pair[0].1, pair[1].1]] {
                    assert!(contrast(a, b) > 1.05, "{a} and {b}");
                }
            }
        }
    }

    #[test]
    fn every_colour_that_a_rule_names_exists() {
        let style = document_style();
        assert!(!style.contains("var("), "{style}");
        assert!(style.contains("prefers-color-scheme: dark"));
    }
}
