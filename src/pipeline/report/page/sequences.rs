//! The values of patterns along their one variable: a list to copy, and curves.

use std::fmt::Write;

use super::figures::Figure;
use super::html::{escaped, plain_table};
use crate::report::colours::ValueFacts;
use crate::report::fraction;
use crate::report::svg::chart::{Chart, ChartData, Lines, Series, SeriesForm};
use crate::report::table::ValueText;

/// The most members of a pattern that a page lists.
///
/// Unit: rows.
pub const MEMBERS_MAX: usize = 2_000;

/// The most patterns that a page lists.
pub const SEQUENCES_MAX: usize = 60;

/// The most members whose numbers are listed.
const NUMBERS_MAX: usize = 600;

/// The values of a pattern along its one variable.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sequence {
    /// The pattern, with the values of variables that have one each.
    pub pattern: String,
    /// The name of the variable.
    pub variable: String,
    /// Its members, by the variable.
    pub members: Vec<SequenceMember>,
    /// The number of members that the result has; more than [`MEMBERS_MAX`] are not listed.
    pub all: u64,
    /// Whether followers were counted.
    pub has_followers: bool,
}

/// A member of a pattern.
#[derive(Clone, Debug, PartialEq)]
pub struct SequenceMember {
    /// The value of the variable.
    pub n: i64,
    /// The position.
    pub position: String,
    /// Its value.
    pub value: ValueText,
    /// Its numbers, Left stop, mean, Right stop, temperature, birthday, nim-value and followers.
    pub numbers: [Option<f64>; 7],
}

/// The quantities of a member. Forms are counted by the page.
pub(super) const QUANTITIES: [&str; 7] = [
    "left stop",
    "mean",
    "right stop",
    "temperature",
    "birthday",
    "nim-value",
    "followers",
];

/// The curves: a title, and the quantities that share the axes.
const CURVES: [(&str, &[&str]); 6] = [
    ("stops and mean", &["left stop", "mean", "right stop"]),
    ("temperature", &["temperature"]),
    ("birthday", &["birthday"]),
    ("nim-value", &["nim-value"]),
    ("forms", &["forms"]),
    ("followers", &["followers"]),
];

/// A quantity along the variable.
struct Curve {
    name: &'static str,
    numbers: Vec<Option<f64>>,
}

impl Curve {
    /// Returns the number of all members, if they have the same.
    fn constant(&self) -> Option<f64> {
        let first = *self.numbers.first()?;
        first.filter(|_| self.numbers.iter().all(|number| *number == first))
    }

    fn is_empty(&self) -> bool {
        self.numbers.iter().all(Option::is_none)
    }
}

impl Sequence {
    /// Returns the quantities that some member has; `facts` are those of each member's value.
    fn curves(&self, facts: &[&ValueFacts]) -> Vec<Curve> {
        let forms = facts.iter().map(|facts| Some(facts.forms? as f64));
        let forms = Curve {
            name: "forms",
            numbers: forms.collect(),
        };
        let mut curves: Vec<Curve> = (QUANTITIES.iter().enumerate())
            .map(|(place, &name)| Curve {
                name,
                numbers: (self.members.iter())
                    .map(|member| member.numbers[place])
                    .collect(),
            })
            .collect();
        // Followers come last.
        curves.insert(QUANTITIES.len() - 1, forms);
        curves.retain(|curve| !curve.is_empty());
        curves
    }

    /// Writes the list, the curves and the numbers. `facts` has those of each member's value, `list` the rows of the list.
    /// A folded one shows its pattern alone.
    pub(super) fn write(
        &self,
        html: &mut String,
        id: &str,
        facts: &[&ValueFacts],
        list: &str,
        is_folded: bool,
    ) {
        let name = &self.variable;
        let curves = self.curves(facts);
        let _ = write!(
            html,
            "<details{}><summary>{}</summary>\n<div class=\"along\"><div class=\"list\"><div class=\"scroll\"><table class=\"grid pairs\" \
             id=\"{id}\" aria-label=\"{}, values by {name}\"><thead><tr><th scope=\"col\">{name}<th scope=\"col\">value\
             </thead><tbody>{list}</table></div>\
             <button type=\"button\" class=\"copy\" data-copies=\"{id}\" hidden>Copy the list</button>",
            if is_folded { "" } else { " open" },
            escaped(&self.pattern),
            escaped(&self.pattern),
        );
        if self.members.len() as u64 != self.all {
            let _ = write!(
                html,
                "<p class=\"note\">{} of {} are listed; <code>seedbank export</code> writes all.</p>",
                self.members.len(),
                self.all
            );
        }
        html.push_str("</div>\n<div class=\"curves\">");
        let mut constant = Vec::new();
        for (title, names) in CURVES {
            let those: Vec<&Curve> = (curves.iter())
                .filter(|curve| names.contains(&curve.name))
                .collect();
            if those.iter().all(|curve| curve.constant().is_some()) {
                let constants = those.iter().filter_map(|curve| {
                    let number = fraction(curve.constant()?);
                    Some(format!("{} {number}", curve.name))
                });
                constant.extend(constants);
                continue;
            }
            let figure = self.figure(title, &those);
            let _ = write!(
                html,
                "<figure><h5>{}</h5>{}</figure>",
                escaped(figure.chart.title()),
                figure.chart.svg().inline()
            );
        }
        if !constant.is_empty() {
            let _ = write!(
                html,
                "<p class=\"note\">The same for every {name}: {}.</p>",
                constant.join(", ")
            );
        }
        if !self.has_followers {
            html.push_str(
                "<p class=\"note\">Followers were not counted; <code>followers = true</code> under <code>[columns]</code> in the spec counts them.</p>",
            );
        }
        html.push_str("</div>\n");
        let mut data = self.data(&curves);
        let rows = data.rows.len();
        data.rows.truncate(NUMBERS_MAX);
        if !data.header[1..].is_empty() {
            let _ = write!(
                html,
                "<details><summary>Numbers along {name}</summary><div id=\"{id}-numbers\">{}</div>\
                 <button type=\"button\" class=\"copy\" data-copies=\"{id}-numbers\" hidden>Copy the numbers</button>",
                plain_table(&data)
            );
            if rows > NUMBERS_MAX {
                let _ = write!(
                    html,
                    "<p class=\"note\">The first {NUMBERS_MAX} of {rows}.</p>"
                );
            }
            html.push_str("</details>");
        }
        html.push_str("</div></details>\n");
    }

    fn figure(&self, title: &str, curves: &[&Curve]) -> Figure {
        let series = curves.iter().map(|curve| {
            let points = self.members.iter().zip(&curve.numbers);
            let points = points.filter_map(|(member, number)| Some([member.n as f64, (*number)?]));
            let points: Vec<[f64; 2]> = points.collect();
            Series {
                name: curve.name.to_owned(),
                // A line across a gap would show numbers that there are not.
                form: match points.len() == self.members.len() && points.len() > 1 {
                    true => SeriesForm::Line,
                    false => SeriesForm::Dots,
                },
                points,
            }
        });
        Figure {
            chart: Chart::Lines(Lines {
                title: format!("{title} along {}", self.variable),
                names: [self.variable.clone(), title.to_owned()],
                series: series.collect(),
                ..Lines::default()
            }),
            caption: String::new(),
        }
    }

    /// Returns the numbers as text, a row for each member.
    fn data(&self, curves: &[Curve]) -> ChartData {
        let names = curves.iter().map(|curve| curve.name.to_owned());
        let row = |(place, member): (usize, &SequenceMember)| {
            let numbers = curves.iter().map(|curve| curve.numbers[place]);
            let numbers = numbers.map(|number| number.map_or_else(String::new, fraction));
            [member.n.to_string()].into_iter().chain(numbers).collect()
        };
        ChartData {
            header: [self.variable.clone()].into_iter().chain(names).collect(),
            rows: self.members.iter().enumerate().map(row).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sequence(means: [f64; 3]) -> Sequence {
        let member = |(n, mean): (i64, f64)| SequenceMember {
            n,
            position: format!("1^{n}"),
            value: ValueText::Notation(fraction(mean)),
            numbers: [None, Some(mean), None, Some(0.0), None, None, None],
        };
        Sequence {
            pattern: "1^n".to_owned(),
            variable: "n".to_owned(),
            members: (1..).zip(means).map(member).collect(),
            all: 3,
            has_followers: true,
        }
    }

    fn written(sequence: &Sequence) -> String {
        let facts = ValueFacts::default();
        let mut html = String::new();
        sequence.write(&mut html, "s", &[&facts; 3], "", false);
        html
    }

    #[test]
    fn what_differs_is_a_curve_and_numbers_are_fractions() {
        let html = written(&sequence([0.75, 1.0, -0.5]));
        assert!(html.contains("<h5>stops and mean along n</h5>"), "{html}");
        assert!(!html.contains("<h5>temperature"), "{html}");
        assert!(
            html.contains("The same for every n: temperature 0."),
            "{html}"
        );
        assert!(html.contains("<tr><td>1<td>3/4<td>0<tr><td>2<td>1<td>0<tr><td>3<td>-1/2<td>0"));
        assert!(!html.contains("<td>0.75"), "{html}");
    }

    #[test]
    fn a_list_that_is_not_whole_says_so() {
        let sequence = Sequence {
            all: 5000,
            has_followers: false,
            ..sequence([0.0; 3])
        };
        let html = written(&sequence);
        assert!(html.contains("3 of 5000 are listed"), "{html}");
        assert!(html.contains("Followers were not counted"), "{html}");
    }
}
