//! The text of a pattern, as the papers write it.

use std::fmt;

use super::pattern::{Linear, Pattern, Term, Unit};

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        self.write_terms(&self.terms, &mut text);
        let mut words = Vec::new();
        if self.endless_left {
            words.push("...e");
        }
        if !text.is_empty() {
            words.push(&text);
        }
        if self.endless_right {
            words.push("e...");
        }
        f.write_str(&words.join(" "))
    }
}

impl Pattern {
    /// Returns the value of a number's variable, such as `n = 0`.
    pub(super) fn binding_text(&self, linear: Linear, values: &[i64]) -> String {
        match linear.variable {
            Some(index) => format!("{} = {}", self.variables[index], values[index]),
            None => "every binding".to_owned(),
        }
    }

    pub(super) fn linear_text(&self, linear: Linear) -> String {
        match (linear.variable, linear.offset) {
            (None, offset) => offset.to_string(),
            (Some(index), 0) => self.variables[index].to_string(),
            (Some(index), offset) => format!("{}{offset:+}", self.variables[index]),
        }
    }

    pub(super) fn unit_text(&self, unit: &Unit) -> String {
        match unit {
            Unit::Full => "e".to_owned(),
            Unit::Seeds(seeds) => self.count_text(*seeds, 9),
            Unit::Coloured(seeds) => {
                let colours = seeds.iter().zip(["b", "r"]);
                let written = colours.filter(|(seeds, _)| **seeds != Linear::of(0));
                let written = written.map(|(seeds, colour)| {
                    if *seeds == Linear::of(1) {
                        colour.to_owned()
                    } else {
                        self.count_text(*seeds, i64::MAX) + colour
                    }
                });
                let text: String = written.collect();
                if text.is_empty() {
                    "0".to_owned()
                } else {
                    text
                }
            }
            Unit::Group(terms) => {
                let mut text = String::from("(");
                self.write_terms(terms, &mut text);
                text.push(')');
                text
            }
        }
    }

    /// Returns the text of a number of seeds in a pot: in brackets if it is a sum or more than
    /// `bare_max`.
    fn count_text(&self, seeds: Linear, bare_max: i64) -> String {
        let text = self.linear_text(seeds);
        let is_bare = match seeds.variable {
            Some(_) => seeds.offset == 0,
            None => seeds.offset <= bare_max,
        };
        if is_bare { text } else { format!("[{text}]") }
    }

    /// Writes digits without blanks and all other terms with blanks between, as the papers do.
    fn write_terms(&self, terms: &[Term], text: &mut String) {
        let plain = |term: &Term| {
            let pot = match term.unit {
                Unit::Full => true,
                Unit::Seeds(seeds) => seeds.variable.is_none(),
                Unit::Coloured(_) | Unit::Group(_) => false,
            };
            pot && term.exponent.is_none()
        };
        for (i, term) in terms.iter().enumerate() {
            if i > 0 && !(plain(&terms[i - 1]) && plain(term)) {
                text.push(' ');
            }
            text.push_str(&self.unit_text(&term.unit));
            if let Some(exponent) = term.exponent {
                text.push('^');
                text.push_str(&self.linear_text(exponent));
            }
        }
    }
}
