//! The index of a site: all jobs and values, with a search among them.

use std::fmt::Write;

use super::{Site, VALUE_CHARS_MAX, VALUES_MAX, path_of_job};
use crate::report::colours::shortened;
use crate::report::page::{document, path_of_value};
use crate::report::svg::escaped;

/// The longest notation in the index. The search reads all of it.
///
/// Unit: characters.
const SHOWN_MAX: usize = 60;

/// The facts about a value that the index has.
const FACTS: [&str; 4] = ["kind", "outcome", "mean", "temperature"];

impl Site {
    /// Returns the index.
    pub(super) fn index(&self) -> String {
        let title = format!(
            "{} and {}",
            counted(self.sections.len(), "result"),
            counted(self.values.len(), "value")
        );
        let mut html = String::from(
            "<div role=\"search\"><label for=\"search\">Search</label>\n<input type=\"search\" id=\"search\" autocomplete=\"off\" \
             spellcheck=\"false\" aria-describedby=\"found\"><p class=\"note\" id=\"found\" role=\"status\"></p></div>\n",
        );
        self.write_jobs(&mut html);
        self.write_values(&mut html);
        document(&title, "", &html, Some(""))
    }

    fn write_jobs(&self, html: &mut String) {
        html.push_str(
            "<section aria-label=\"Results\">\n<h2>Results</h2>\n<div class=\"scroll\"><table class=\"index\" data-noun=\"result\"><thead><tr>\
             <th scope=\"col\">job<th scope=\"col\">title<th scope=\"col\">about<th scope=\"col\">values with a page</thead><tbody>\n",
        );
        let mut values = vec![0_usize; self.sections.len()];
        for &job in self.values.iter().flat_map(|value| value.shown.keys()) {
            values[job] += 1;
        }
        for (section, values) in self.sections.iter().zip(values) {
            // The first fact is the name.
            let about = section.about.iter().skip(1);
            let about: Vec<String> = about.map(|(name, fact)| format!("{name} {fact}")).collect();
            let _ = writeln!(
                html,
                "<tr><th scope=\"row\"><a href=\"{}\">{}</a><td class=\"words\">{}<td class=\"words\">{}<td class=\"n\">{values}",
                path_of_job(section),
                section.name,
                escaped(section.title.as_deref().unwrap_or_default()),
                escaped(&shortened(&about.join(", "), 4 * SHOWN_MAX))
            );
        }
        html.push_str("</table></div>\n</section>\n");
    }

    fn write_values(&self, html: &mut String) {
        html.push_str("<section aria-label=\"Values\">\n<h2>Values</h2>\n");
        let _ = writeln!(
            html,
            "<p class=\"note\">Values that the pages of results show, those of most results first.{}</p>",
            match self.without {
                0 => String::new(),
                without => format!(
                    " {} there {} no page: pages are for at most {VALUES_MAX} values, of at most {VALUE_CHARS_MAX} characters.",
                    counted(without, "other value"),
                    if without == 1 { "has" } else { "have" }
                ),
            }
        );
        html.push_str(
            "<div class=\"scroll\"><table class=\"index\" data-noun=\"value\"><thead><tr><th scope=\"col\">value",
        );
        for name in FACTS {
            let _ = write!(html, "<th scope=\"col\">{name}");
        }
        html.push_str("<th scope=\"col\">results</thead><tbody>\n");
        for value in &self.values {
            let shown = shortened(&value.notation, SHOWN_MAX);
            let whole = match shown == value.notation {
                true => String::new(),
                false => format!(" data-name=\"{}\"", escaped(&value.notation)),
            };
            let _ = write!(
                html,
                "<tr{whole}><th scope=\"row\"><a href=\"{}\">{}</a>",
                path_of_value(value.described.digest),
                escaped(&shown)
            );
            for wanted in FACTS {
                let mut named = value.described.named.iter();
                let fact = named.find(|(name, _)| *name == wanted);
                let fact = fact.map_or("", |(_, fact)| fact);
                let _ = write!(html, "<td>{}", escaped(fact));
            }
            let _ = writeln!(html, "<td class=\"n\">{}", value.shown.len());
        }
        html.push_str("</table></div>\n</section>\n");
    }
}

fn counted(number: usize, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}
