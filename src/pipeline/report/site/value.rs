//! The page of a value.

use std::fmt::Write;

use super::occurrence::{Places, Position};
use super::{NAV, SiteValue, path_of_job};
use crate::report::colours::shortened;
use crate::report::page::{Section, document, facts};
use crate::report::svg::escaped;

/// The longest position on the page of a value.
///
/// Unit: characters.
const POSITION_MAX: usize = 400;

impl SiteValue {
    /// Returns the facts about the value, its thermograph, and where it occurs.
    pub(super) fn page(&self, sections: &[Section]) -> String {
        let mut html = format!(
            "<section aria-label=\"{}\">\n",
            escaped(&shortened(&self.notation, 60))
        );
        let digest = self.described.digest.to_string();
        let named = self.described.named.iter();
        let named = named.map(|(name, fact)| (*name, &**fact));
        html.push_str(&facts(named.chain([("digest", &*digest)])));
        if let Some(picture) = &self.described.thermograph {
            let _ = writeln!(
                html,
                "<figure class=\"walls\"><h4>Thermograph</h4>\n<div class=\"scroll\" tabindex=\"0\">{picture}</div>\
                 <figcaption>Temperature upwards, Left's values to the left.</figcaption></figure>"
            );
        }
        let _ = writeln!(
            html,
            "<p class=\"note\">More: <code>seedbank value '{}'</code></p>",
            escaped(&self.notation.replace('\'', "'\\''"))
        );
        self.write_places(&mut html, sections);
        self.write_results(&mut html, sections);
        html.push_str("</section>\n");
        document(&self.notation, NAV, &html, Some("../"))
    }

    /// Writes the first positions in each game.
    fn write_places(&self, html: &mut String, sections: &[Section]) {
        if self.places.is_empty() {
            return;
        }
        html.push_str(
            "<h2>First positions</h2>\n<p class=\"note\">Of the positions in the results on this site.</p>\n\
             <div class=\"scroll\" tabindex=\"0\"><table class=\"places\"><thead><tr><th scope=\"col\">game<th scope=\"col\">positions\
             <th scope=\"col\">first by seeds<th scope=\"col\">first by pots<th scope=\"col\">results</thead><tbody>\n",
        );
        for (game, places) in &self.places {
            let Places {
                count,
                jobs,
                by_seeds,
                by_pots,
            } = places;
            let _ = write!(
                html,
                "<tr><th scope=\"row\">{}<td class=\"n\">{count}<td>{}<td>{}<td>",
                escaped(game),
                position(by_seeds.as_ref()),
                position(by_pots.as_ref())
            );
            for (place, &job) in jobs.iter().enumerate() {
                let end = if place == 0 { "" } else { ", " };
                let section = &sections[job];
                // The page of the job may not show it.
                let there = match self.shown.contains_key(&job) {
                    true => format!("#{}", self.described.digest),
                    false => String::new(),
                };
                let _ = write!(
                    html,
                    "{end}<a href=\"../{}{there}\">{}</a>",
                    path_of_job(section),
                    section.name
                );
            }
            html.push('\n');
        }
        html.push_str("</table></div>\n");
    }

    /// Writes the results whose pages show the value.
    fn write_results(&self, html: &mut String, sections: &[Section]) {
        html.push_str("<h2>On the pages of results</h2>\n<ul>\n");
        for (&job, &count) in &self.shown {
            let section = &sections[job];
            let times = if count == 1 { "cell" } else { "cells" };
            let _ = writeln!(
                html,
                "<li><a href=\"../{}#{}\">{}</a>: {count} {times}",
                path_of_job(section),
                self.described.digest,
                escaped(section.heading())
            );
        }
        html.push_str("</ul>\n");
    }
}

/// Returns a position with its size.
fn position(position: Option<&Position>) -> String {
    let Some(Position { text, pots, seeds }) = position else {
        return String::new();
    };
    let count = |number: &Option<i64>, noun: &str| {
        let number = (*number)?;
        let end = if number == 1 { "" } else { "s" };
        Some(format!("{number} {noun}{end}"))
    };
    let sizes = [count(seeds, "seed"), count(pots, "pot")];
    let sizes: Vec<String> = sizes.into_iter().flatten().collect();
    let text = escaped(&shortened(text, POSITION_MAX));
    match sizes.is_empty() {
        true => format!("<code>{text}</code>"),
        false => format!("<code>{text}</code> <small>{}</small>", sizes.join(", ")),
    }
}
