//! Scales: quantities of the values of a table that colours show.

use std::collections::BTreeSet;

use crate::report::svg::heat_map::{Shade, Shading};
use crate::report::svg::theme::SHADES;

/// A quantity of values, with a colour for each value.
#[derive(Clone, Debug)]
pub(crate) struct Scale {
    /// The quantity.
    pub(crate) name: &'static str,
    /// The quantity of each value as text; empty if a value has none.
    pub(crate) texts: Vec<String>,
    /// The class of each value's colour; empty if there is none.
    pub(crate) classes: Vec<String>,
    /// Classes of colours with their meanings.
    pub(crate) legend: Vec<(String, String)>,
}

/// A quantity of a value.
#[derive(Clone, Debug)]
pub(crate) struct Quantity {
    text: String,
    number: f64,
}

impl Quantity {
    pub(crate) fn number(text: String, number: f64) -> Quantity {
        Quantity { text, number }
    }
}

impl Scale {
    /// Returns the scale of numbers; a value may lack one.
    pub(crate) fn of_numbers(name: &'static str, numbers: Vec<Option<Quantity>>) -> Scale {
        let shading = Shading::of(numbers.iter().flatten().map(|quantity| quantity.number));
        Scale::shaded(name, numbers, shading)
    }

    /// Returns the scale of temperatures, from cold to hot; a value may lack one.
    pub(crate) fn of_temperatures(numbers: Vec<Option<Quantity>>) -> Scale {
        let shading = Shading::heat(numbers.iter().flatten().map(|quantity| quantity.number));
        Scale::shaded("temperature", numbers, shading)
    }

    fn shaded(name: &'static str, numbers: Vec<Option<Quantity>>, shading: Shading) -> Scale {
        let class = |quantity: &Quantity| shading.shade(quantity.number).map(Shade::class);
        let mut legend: Vec<(String, String)> = Vec::new();
        let mut known: Vec<&Quantity> = numbers.iter().flatten().collect();
        known.sort_by(|a, b| a.number.total_cmp(&b.number));
        for quantity in known {
            let Some(class) = class(quantity) else {
                continue;
            };
            // The legend has the least and the greatest number of a colour.
            match legend.last_mut() {
                Some((last, text)) if *last == class => {
                    let first = text.split(" to ").next().unwrap_or_default().to_owned();
                    if first != quantity.text {
                        *text = format!("{first} to {}", quantity.text);
                    }
                }
                _ => legend.push((class, quantity.text.clone())),
            }
        }
        Scale {
            name,
            classes: numbers
                .iter()
                .map(|quantity| quantity.as_ref().and_then(class).unwrap_or_default())
                .collect(),
            texts: numbers
                .into_iter()
                .map(|quantity| quantity.map_or_else(String::new, |quantity| quantity.text))
                .collect(),
            legend,
        }
    }

    /// Returns the scale of outcomes, by their letters.
    pub(crate) fn of_outcomes(outcomes: Vec<Option<&'static str>>) -> Scale {
        let class = |letter: &str| format!("o{letter}");
        let met: BTreeSet<&str> = outcomes.iter().copied().flatten().collect();
        let legend = met.into_iter().map(|letter| {
            let wins = match letter {
                "N" => "N, the next player wins",
                "P" => "P, the previous player wins",
                "L" => "L, Left wins",
                _ => "R, Right wins",
            };
            (class(letter), wins.to_owned())
        });
        Scale {
            name: "outcome",
            legend: legend.collect(),
            classes: outcomes
                .iter()
                .map(|letter| letter.map_or_else(String::new, class))
                .collect(),
            texts: outcomes
                .iter()
                .map(|letter| letter.unwrap_or_default().to_owned())
                .collect(),
        }
    }

    /// Returns the scale of words in their order, numbers by size.
    pub(crate) fn of_words<'w>(
        name: &'static str,
        words: impl Iterator<Item = &'w str> + Clone,
    ) -> Scale {
        let number = |word: &str| word.parse::<f64>().ok().filter(|x| x.is_finite());
        // 00 and 01 are words, not numbers.
        let is_plain = |word: &str| {
            number(word).is_some()
                && !(word.len() > 1 && word.starts_with('0') && !word.contains('.'))
        };
        if words.clone().all(is_plain) {
            let numbers = words.map(|word| Some(Quantity::number(word.to_owned(), number(word)?)));
            return Scale::of_numbers(name, numbers.collect());
        }
        let ordered: BTreeSet<&str> = words.clone().collect();
        let ordered: Vec<&str> = ordered.into_iter().collect();
        let last = ordered.len().saturating_sub(1).max(1) as f64;
        let numbers = words.map(|word| {
            let place = ordered.binary_search(&word).unwrap_or(0) as f64;
            let step = place / last * (SHADES - 1) as f64;
            Some(Quantity::number(word.to_owned(), step))
        });
        Scale {
            // No legend: each cell shows its word.
            texts: Vec::new(),
            legend: Vec::new(),
            ..Scale::of_numbers(name, numbers.collect())
        }
    }

    /// Returns whether two values have different colours.
    pub(crate) fn differs(&self) -> bool {
        self.colours() > 1
    }

    /// Returns the number of different colours.
    pub(crate) fn colours(&self) -> usize {
        let classes = self.classes.iter().filter(|class| !class.is_empty());
        classes.collect::<BTreeSet<_>>().len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_legend_has_the_numbers_of_each_colour() {
        let numbers = [0.0, 16.0, 1.0, 15.0].map(|x| Some(Quantity::number(x.to_string(), x)));
        let scale = Scale::of_numbers("mean", numbers.to_vec());
        let legend: Vec<_> = scale
            .legend
            .iter()
            .map(|(class, text)| (&**class, &**text))
            .collect();
        // A half is rounded up.
        assert_eq!(legend, [("s0", "0"), ("s1", "1"), ("s8", "15 to 16")]);
        assert!(scale.differs());
    }
}
