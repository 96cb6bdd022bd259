//! A site of finished results: an index, a page for each job, a page for each value, and links between them.
//!
//! Its files are plain HTML with one file of styles and one script beside them. They need no server: a browser opens the index from
//! a folder. The rows of the index are the data of its search, so the index is complete without the script, too.
//!
//! Values have pages if a page of a job shows them. At most [`VALUES_MAX`] do, those of most results first, and only those whose
//! notation is at most [`VALUE_CHARS_MAX`] long; the index says how many others there are. The name of a value's page is the
//! column `value_digest` of results, so it stays the same in every site.
//!
//! This module writes text. The caller passes it sections and [occurrences](Occurrence), and writes files.

mod index;
mod occurrence;
mod value;

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};

use cgvalues::{Nimber, ValueDigest};

pub use self::occurrence::Occurrence;
use self::occurrence::Places;
use crate::report::colours::{DescribedValue, ValuesAs, described};
use crate::report::page::{
    SCRIPT, SCRIPT_FILE, STYLE_FILE, Section, ValuePages, page_on_site, path_of_value, style,
    values_shown,
};

/// The most values that have a page.
///
/// Unit: values, of some 4 KB on the disk each.
pub const VALUES_MAX: usize = 4_000;

/// The longest notation of a value that has a page.
///
/// Unit: characters.
pub const VALUE_CHARS_MAX: usize = 400;

/// The file that a reader opens.
pub const INDEX: &str = "index.html";

const SITE_STYLE: &str = include_str!("site.css");
const SITE_SCRIPT: &str = include_str!("site.js");

/// The contents of a site.
pub struct Site {
    sections: Vec<Section>,
    values: Vec<SiteValue>,
    pages: ValuePages,
    /// The places of values, by their digests.
    places: HashMap<ValueDigest, usize>,
    /// The number of values that the pages of jobs show and that have no page.
    without: usize,
}

/// A value with a page.
struct SiteValue {
    notation: String,
    described: DescribedValue,
    /// The number of times that the page of a job shows it, by the place of the job.
    shown: BTreeMap<usize, u64>,
    /// Its positions, by their games.
    places: BTreeMap<String, Places>,
}

impl Site {
    /// Chooses the values that have pages, and computes the facts about them. Returns `None` if `is_stopped` returns `true`,
    /// which is called before each value.
    pub fn new(sections: Vec<Section>, is_stopped: impl Fn() -> bool) -> Option<Site> {
        let mut shown: BTreeMap<String, BTreeMap<usize, u64>> = BTreeMap::new();
        for (job, section) in sections.iter().enumerate() {
            for (text, count) in values_shown(section) {
                if may_be_value(&text, section.values_as) {
                    shown.entry(text).or_default().insert(job, count);
                }
            }
        }
        let mut chosen: Vec<(String, BTreeMap<usize, u64>)> = shown.into_iter().collect();
        chosen.sort_by_cached_key(|(text, jobs)| {
            let cells: u64 = jobs.values().sum();
            (Reverse((jobs.len(), cells)), text.len(), text.clone())
        });
        let mut site = Site {
            sections,
            values: Vec::new(),
            pages: ValuePages::new(),
            places: HashMap::new(),
            without: 0,
        };
        for (text, jobs) in chosen {
            if is_stopped() {
                return None;
            }
            site.add(text, jobs);
        }
        Some(site)
    }

    /// Gives a value a page, if it can have one.
    fn add(&mut self, text: String, jobs: BTreeMap<usize, u64>) {
        let fits = self.values.len() < VALUES_MAX && text.chars().count() <= VALUE_CHARS_MAX;
        let Some(described) = fits.then(|| described(&text)).flatten() else {
            self.without += 1;
            return;
        };
        let digest = described.digest;
        self.pages.insert(text.clone(), digest);
        // Another notation of the same value has its page.
        if let Some(&place) = self.places.get(&digest) {
            for (job, count) in jobs {
                *self.values[place].shown.entry(job).or_default() += count;
            }
            return;
        }
        self.places.insert(digest, self.values.len());
        self.values.push(SiteValue {
            notation: text,
            described,
            shown: jobs,
            places: BTreeMap::new(),
        });
    }

    /// Returns the number of values that have a page.
    pub fn values(&self) -> usize {
        self.values.len()
    }

    /// Enters an occurrence among the positions of a game in the result of a job, if the value has a page.
    pub fn enter(&mut self, job: usize, game: &str, found: &Occurrence<'_>) {
        let Some(digest) = self.pages.get(found.value) else {
            return;
        };
        let places = &mut self.values[self.places[digest]].places;
        match places.get_mut(game) {
            Some(places) => places.enter(job, found),
            None => places.entry(game.to_owned()).or_default().enter(job, found),
        }
    }

    /// Returns the files: their paths below the folder of the site, and their texts. The index comes last.
    pub fn files(&self) -> impl Iterator<Item = (String, String)> + '_ {
        let styles = [
            (STYLE_FILE.to_owned(), style() + SITE_STYLE),
            (SCRIPT_FILE.to_owned(), format!("{SCRIPT}{SITE_SCRIPT}")),
        ];
        let jobs = self.sections.iter().map(|section| {
            let page = page_on_site(section, NAV, &self.pages);
            (path_of_job(section), page)
        });
        let values = self.values.iter().map(|value| {
            let path = path_of_value(value.described.digest);
            (path, value.page(&self.sections))
        });
        let index = std::iter::once_with(|| (INDEX.to_owned(), self.index()));
        styles.into_iter().chain(jobs).chain(values).chain(index)
    }
}

/// The way back from the page of a job or a value.
const NAV: &str =
    "<nav aria-label=\"Site\"><a href=\"../index.html\">All results and values</a></nav>\n";

/// Returns the path of the page of a job, below the folder of the site.
fn path_of_job(section: &Section) -> String {
    format!("jobs/{}.html", section.name)
}

/// Returns whether a text that a page shows as a value can be the notation of a game. Outcomes such as `01` are not.
fn may_be_value(text: &str, values_as: ValuesAs) -> bool {
    match values_as {
        ValuesAs::Games => true,
        ValuesAs::Nimbers => {
            let nimber = text.parse::<Nimber>();
            nimber.is_ok_and(|nimber| nimber.to_string() == text)
        }
        ValuesAs::Words => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::table::{Block, Cell, Table, ValueText};

    fn section(name: &str, values: &[&str], values_as: ValuesAs) -> Section {
        let cell = |text: &&str| vec![Cell::Value(ValueText::Notation((*text).to_owned()))];
        let block = Block {
            name: "table",
            rows: values.iter().map(cell).collect(),
            ..Block::default()
        };
        Section {
            table: Ok(Table {
                blocks: vec![block],
                ..Table::default()
            }),
            values_as,
            ..Section::named(name)
        }
    }

    #[test]
    fn values_of_most_jobs_come_first_and_words_have_no_pages() {
        let long = "{0|".repeat(200);
        let sections = vec![
            section("a", &["1", "^", "^", &long], ValuesAs::Games),
            section("b", &["00", "10", "*", "0"], ValuesAs::Nimbers),
            section("c", &["*", "1"], ValuesAs::Games),
            section("d", &["1"], ValuesAs::Words),
        ];
        let site = Site::new(sections, || false).expect("nothing stops it");
        let notations: Vec<&str> = site.values.iter().map(|value| &*value.notation).collect();
        assert_eq!(notations, ["*", "1", "^", "0"]);
        assert_eq!(site.values[1].shown, [(0, 1), (2, 1)].into());
        assert_eq!(site.without, 1);
        let files: Vec<(String, String)> = site.files().collect();
        assert_eq!(files.len(), 2 + 4 + 4 + 1);
        assert_eq!(files.last().expect("there are files").0, INDEX);
        assert!(
            files
                .last()
                .expect("there are files")
                .1
                .contains("1 other value")
        );
        let stopped = Site::new(vec![section("a", &["1"], ValuesAs::Games)], || true);
        assert!(stopped.is_none());
    }

    #[test]
    fn equal_values_share_a_page() {
        let sections = vec![section("a", &["{0|0}", "*"], ValuesAs::Games)];
        let site = Site::new(sections, || false).expect("nothing stops it");
        assert_eq!(site.values(), 1);
        assert_eq!(site.pages["{0|0}"], site.pages["*"]);
        assert_eq!(site.values[0].shown, [(0, 2)].into());
    }

    #[test]
    fn the_script_and_the_styles_of_a_site_load_nothing() {
        assert!(!SITE_SCRIPT.contains("fetch(") && !SITE_SCRIPT.contains("import("));
        assert!(!SITE_STYLE.contains("url(") && !SITE_STYLE.contains("@import"));
    }
}
