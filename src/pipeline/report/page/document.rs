//! The file: sections one after another, with their common styles and script.

use std::collections::BTreeMap;
use std::fmt::Write;

use cglaws::{Confidence, Standing};

use super::figures::{Figure, Figures};
use super::grid::grid;
use super::html::{escaped, facts, plain_table};
use super::links::ValuePages;
use super::section::{Section, Spared};
use crate::report::svg::theme;

/// The most bytes of all tables of a page together.
///
/// Unit: bytes. Charts take some hundred thousand more a section.
const TABLES_BYTES_MAX: usize = 2_500_000;

/// The most rows of a chart's data that a page lists.
const DATA_ROWS_MAX: usize = 600;

/// The most laws that a page lists.
const LAWS_MAX: usize = 400;

const STYLE: &str = include_str!("style.css");
pub(in crate::report) const SCRIPT: &str = include_str!("script.js");

/// Under this policy a browser loads nothing from anywhere.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:; \
                      base-uri 'none'; form-action 'none'";

/// Under this policy a browser loads the files beside a page of a site, from a folder or a server.
const SITE_POLICY: &str = "default-src 'none'; style-src 'self' file: 'unsafe-inline'; script-src 'self' file:; \
                           img-src data:; base-uri 'none'; form-action 'none'";

/// The names of the files with the styles and the script of a site.
pub(in crate::report) const STYLE_FILE: &str = "style.css";
pub(in crate::report) const SCRIPT_FILE: &str = "script.js";

/// The beginning of the element that names the program of a page, by which pages are recognised.
pub const GENERATOR: &str = "<meta name=\"generator\" content=\"seedbank ";

/// Returns the page of some sections, as one file of HTML.
///
/// ```
/// use seedbank::report::page::{Section, Spared, page};
///
/// let section = Section {
///     title: Some("Rows of <ones>".to_owned()),
///     about: vec![("rows", "14".to_owned())],
///     spec: "name = \"ones\"".to_owned(),
///     table: Err(Spared("The table is too large.".to_owned())),
///     ..Section::named("ones")
/// };
/// let html = page(&[section]);
/// assert!(html.starts_with("<!doctype html>"));
/// assert!(html.contains("<h1>Rows of &lt;ones&gt;</h1>"));
/// assert!(!html.contains("http://") && !html.contains("https://"));
/// ```
pub fn page(sections: &[Section]) -> String {
    let title = match sections {
        [section] => section.heading().to_owned(),
        _ => format!("{} results", sections.len()),
    };
    let mut nav = String::new();
    if sections.len() > 1 {
        nav.push_str("<nav aria-label=\"Results\"><ul>");
        for (place, section) in sections.iter().enumerate() {
            let _ = write!(
                nav,
                "<li><a href=\"#job{place}\">{}</a>",
                escaped(section.heading())
            );
        }
        nav.push_str("</ul></nav>\n");
    }
    let mut main = String::new();
    let bytes_max = TABLES_BYTES_MAX / sections.len().max(1);
    for (place, section) in sections.iter().enumerate() {
        let is_one_of_several = sections.len() > 1;
        section.write(
            &mut main,
            place,
            is_one_of_several,
            bytes_max,
            &ValuePages::default(),
        );
    }
    document(&title, &nav, &main, None)
}

/// Returns the page of a section on a site, in the folder of its jobs. Values lead to their pages.
pub(in crate::report) fn page_on_site(section: &Section, nav: &str, pages: &ValuePages) -> String {
    let mut main = String::new();
    section.write(&mut main, 0, false, TABLES_BYTES_MAX, pages);
    document(section.heading(), nav, &main, Some("../"))
}

/// Returns the values that the page of one section shows, with the number of times that it shows each.
pub(in crate::report) fn values_shown(section: &Section) -> BTreeMap<String, u64> {
    super::grid::values_shown(section, TABLES_BYTES_MAX)
}

/// Returns a page of this title. Its styles and script are in it, unless it belongs to a site, to whose folder `root` is the
/// path.
pub(in crate::report) fn document(
    title: &str,
    nav: &str,
    main: &str,
    root: Option<&str>,
) -> String {
    let policy = root.map_or(POLICY, |_| SITE_POLICY);
    let style = match root {
        Some(root) => format!("<link rel=\"stylesheet\" href=\"{root}{STYLE_FILE}\">\n"),
        None => format!("<style>\n{}</style>\n", style()),
    };
    let script = match root {
        Some(root) => format!("<script src=\"{root}{SCRIPT_FILE}\"></script>\n"),
        None => format!("<script>\n{SCRIPT}</script>\n"),
    };
    let title = escaped(title);
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n\
         {GENERATOR}{}\">\n\
         <link rel=\"icon\" href=\"data:,\">\n<title>{title}</title>\n{style}</head>\n<body>\n\
         <a class=\"skip\" href=\"#main\">Skip to the results</a>\n<header><h1>{title}</h1>\
         <button type=\"button\" id=\"theme\" hidden>Dark</button></header>\n\
         {nav}<main id=\"main\" tabindex=\"-1\">\n{main}</main>\n\
         <div id=\"panel\" role=\"status\" aria-live=\"polite\" hidden></div>\n\
         {script}</body>\n</html>\n",
        env!("CARGO_PKG_VERSION")
    )
}

/// Returns all style rules of a page: the colours of the themes, then the rules that use them.
pub(in crate::report) fn style() -> String {
    let (light, dark) = (theme::variables(false), theme::variables(true));
    format!(
        ":root{{color-scheme:light;{light}}}\n\
         @media (prefers-color-scheme:dark){{:root:not([data-theme=light]){{color-scheme:dark;{dark}}}}}\n\
         :root[data-theme=dark]{{color-scheme:dark;{dark}}}\n{}{}{STYLE}",
        theme::shapes(),
        theme::backgrounds()
    )
}

impl Section {
    /// Returns the title of the job, or its name.
    pub(in crate::report) fn heading(&self) -> &str {
        self.title.as_deref().unwrap_or(&self.name)
    }

    fn write(
        &self,
        html: &mut String,
        place: usize,
        is_one_of_several: bool,
        bytes_max: usize,
        pages: &ValuePages,
    ) {
        let id = format!("job{place}");
        let _ = writeln!(
            html,
            "<section id=\"{id}\" aria-label=\"{}\">",
            escaped(&self.name)
        );
        if is_one_of_several {
            let _ = writeln!(html, "<h2>{}</h2>", escaped(self.heading()));
        }
        if let Some(source) = &self.source {
            let _ = writeln!(html, "<p class=\"source\">{}</p>", escaped(source));
        }
        html.push_str(&facts(
            self.about.iter().map(|(name, fact)| (*name, &**fact)),
        ));
        let provenance = self.provenance.iter().map(|(name, fact)| (*name, &**fact));
        let _ = writeln!(
            html,
            "<details><summary>Provenance and the job's spec</summary>{}<pre tabindex=\"0\">{}</pre></details>",
            facts(provenance),
            escaped(&self.spec)
        );
        html.push_str(&grid(self, &id, bytes_max, pages));
        self.write_charts(html);
        self.write_laws(html);
        html.push_str("</section>\n");
    }

    fn write_charts(&self, html: &mut String) {
        let Figures {
            main,
            others,
            constant,
            none,
        } = &self.figures;
        if !self.charts.is_empty() || !main.is_empty() {
            html.push_str("<h3>Charts</h3>\n<div class=\"charts\">\n");
            self.charts
                .iter()
                .chain(main)
                .for_each(|figure| write_figure(html, figure));
            html.push_str("</div>\n");
        }
        if !others.is_empty() {
            html.push_str(
                "<details class=\"more\"><summary>Charts of the other columns</summary>\n<div class=\"charts\">\n",
            );
            others.iter().for_each(|figure| write_figure(html, figure));
            html.push_str("</div></details>\n");
        }
        if !constant.is_empty() || !none.is_empty() {
            html.push_str("<details class=\"more\"><summary>Columns without a chart</summary>\n");
            if !constant.is_empty() {
                html.push_str("<p>All rows have the same:</p>");
                html.push_str(&facts(
                    constant.iter().map(|(name, fact)| (&**name, &**fact)),
                ));
            }
            if !none.is_empty() {
                html.push_str("<p>Not drawn:</p>");
                html.push_str(&facts(none.iter().map(|(name, why)| (&**name, &**why))));
            }
            html.push_str("</details>\n");
        }
    }

    fn write_laws(&self, html: &mut String) {
        html.push_str("<h3>Laws</h3>\n");
        if let Some(law) = &self.stated_law {
            let _ = writeln!(html, "<p>{}</p>", escaped(law));
        }
        let laws = match &self.laws {
            Ok(laws) if laws.is_empty() => {
                html.push_str("<p class=\"note\">No laws were found.</p>\n");
                return;
            }
            Ok(laws) => laws,
            Err(Spared(why)) => {
                let _ = writeln!(html, "<p class=\"note\">{}</p>", escaped(why));
                return;
            }
        };
        let mut subject = None;
        html.push_str("<div class=\"laws\">");
        for law in laws.iter().take(LAWS_MAX) {
            if subject != Some(&law.subject) {
                if subject.is_some() {
                    html.push_str("</ul>\n");
                }
                let _ = write!(html, "<h4>{}</h4><ul>", escaped(&law.subject));
                subject = Some(&law.subject);
            }
            let standing = Standing::of(law.bits, usize::try_from(law.tested).unwrap_or(0));
            let _ = write!(
                html,
                "<li>{}<br><small>{standing}: {} entries",
                escaped(&law.law),
                law.entries
            );
            if let Standing::Conjecture(_) = standing {
                let _ = write!(html, ", {} of them held out", law.tested);
            }
            if let (Some(next), Some(entry)) = (&law.next, &law.next_entry) {
                let _ = write!(html, "; next: {} = {}", escaped(next), escaped(entry));
            }
            html.push_str("</small>");
        }
        html.push_str("</ul></div>\n");
        let _ = writeln!(html, "<p class=\"note\">{}</p>", Confidence::MEANING);
        if laws.len() > LAWS_MAX {
            let _ = writeln!(
                html,
                "<p class=\"note\">The first {LAWS_MAX} of {} laws are shown; <code>seedbank mine</code> prints all.</p>",
                laws.len()
            );
        }
    }
}

fn write_figure(html: &mut String, figure: &Figure) {
    let mut data = figure.chart.data();
    let rows = data.rows.len();
    data.rows.truncate(DATA_ROWS_MAX);
    let _ = write!(
        html,
        "<figure><h4>{}</h4>\n<div class=\"scroll\" tabindex=\"0\">{}</div><figcaption>{}",
        escaped(figure.chart.title()),
        figure.chart.svg().inline(),
        escaped(&figure.caption)
    );
    if rows > DATA_ROWS_MAX {
        let _ = write!(
            html,
            " The first {DATA_ROWS_MAX} of {rows} points are listed below."
        );
    }
    let _ = writeln!(
        html,
        "</figcaption><details><summary>Data</summary>{}</details></figure>",
        plain_table(&data)
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn styles_and_script_are_in_the_page_and_end_where_they_should() {
        assert!(!SCRIPT.contains("</") && !STYLE.contains("</"));
        assert!(!SCRIPT.contains("fetch(") && !SCRIPT.contains("import("));
        assert!(!style().contains("url(") && !style().contains("@import"));
    }
}
