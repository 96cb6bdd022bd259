//! Tables as grids of cells whose colours show a quantity, and the lists of patterns beside them.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashSet};
use std::fmt::Write;

use cgvalues::ValueDigest;
use serde_json::json;

use super::html::{escaped, json_in_script, shortened};
use super::links::{ValuePages, path_of_value};
use super::section::{Section, Spared};
use super::sequences::Sequence;
use crate::report::colours::{DistinctValues, Known, Scale, ValueFacts};
use crate::report::svg::heat_map::Shade;
use crate::report::table::{Block, Cell, Shades, Table, ValueText, position_of};

/// The most cells of a page that are shown.
///
/// Unit: cells. A browser lays out this number in a second.
const CELLS_MAX: usize = 20_000;

/// The longest notation in a cell; the panel shows more of it.
///
/// Unit: characters.
const CELL_TEXT_MAX: usize = 60;

/// Lists beyond these are folded.
const OPEN_MAX: usize = 2;

/// The bytes of a cell without its texts, and of the facts about a value without its notation.
const CELL_BYTES: usize = 48;
const VALUE_BYTES: usize = 450;

/// The part of a section that a page of bounded size shows.
struct Extent<'s> {
    /// The number of rows of each block.
    rows: Vec<usize>,
    sequences: Vec<&'s Sequence>,
    values: DistinctValues,
}

/// Returns the part of a section that takes about `bytes_max` bytes at most.
fn extent(section: &Section, bytes_max: usize) -> Extent<'_> {
    let mut values = DistinctValues::default();
    let mut bytes = 0;
    let rows = (section.table.as_ref())
        .map(|table| shown(table, &mut values, &mut bytes, bytes_max))
        .unwrap_or_default();
    // A list is whole or left out; its values are mostly those of the table.
    let fits = |sequence: &&Sequence| {
        for member in &sequence.members {
            bytes += CELL_BYTES + member.position.len();
            if let Some(text) = key_of(&member.value) {
                bytes += text.len();
                let before = values.len();
                values.place(&text);
                bytes += (values.len() - before) * VALUE_BYTES;
            }
        }
        bytes <= 2 * bytes_max
    };
    let sequences: Vec<&Sequence> = section.sequences.iter().take_while(fits).collect();
    Extent {
        rows,
        sequences,
        values,
    }
}

/// Returns the values of the part of a section that a page shows, with the number of times that it shows each.
pub(super) fn values_shown(section: &Section, bytes_max: usize) -> BTreeMap<String, u64> {
    let Extent {
        rows, sequences, ..
    } = extent(section, bytes_max);
    let blocks = section.table.iter().flat_map(|table| &table.blocks);
    let cells = (blocks.zip(rows)).flat_map(|(block, rows)| block.rows[..rows].iter().flatten());
    let members = sequences.iter().flat_map(|sequence| &sequence.members);
    let members = members.filter_map(|member| key_of(&member.value));
    let mut counts = BTreeMap::new();
    for text in cells.filter_map(value_of).chain(members) {
        *counts.entry(text.into_owned()).or_default() += 1;
    }
    counts
}

/// Returns the table and the lists of a section as HTML of about `bytes_max` bytes at most. `id` makes the ids of its elements
/// unique on the page. Values lead to those of their pages that there are.
pub(super) fn grid(section: &Section, id: &str, bytes_max: usize, pages: &ValuePages) -> String {
    let Extent {
        rows: shown,
        sequences,
        values,
    } = extent(section, bytes_max);
    let known = values.known(section.values_as, &section.long);
    let mut grid = PageGrid {
        // This relies on meeting the texts in the same order as before.
        values: DistinctValues::default(),
        known,
        pages,
        named: HashSet::new(),
        html: String::new(),
    };
    grid.html.push_str("<h3>Result</h3>\n");
    grid.controls(id);
    match &section.table {
        Ok(table) => grid.table(table, &shown),
        Err(Spared(why)) => {
            let _ = writeln!(grid.html, "<p class=\"note\">{}</p>", escaped(why));
        }
    }
    if grid.known.not_drawn > 0 {
        let _ = writeln!(
            grid.html,
            "<p class=\"note\">The thermographs of {} values are left out, since the page would be too large; \
             <code>seedbank value</code> has their walls.</p>",
            grid.known.not_drawn
        );
    }
    grid.sequences(&sequences, id);
    let left_out = section.sequences.len() - sequences.len();
    if left_out > 0 {
        let _ = writeln!(
            grid.html,
            "<p class=\"note\">{left_out} more patterns are left out, since the page would be too large.</p>"
        );
    }
    grid.data(id, section.whole.as_deref());
    grid.html
}

/// Returns the text that names a value on the page, if there is one: its notation, or the beginning of its digest.
fn key_of(value: &ValueText) -> Option<Cow<'_, str>> {
    match value {
        ValueText::Notation(text) | ValueText::Symbol { notation: text, .. } => Some(text.into()),
        ValueText::Digest(_) => Some(value.plain().into()),
        ValueText::Missing(_) | ValueText::Misere(_) => None,
    }
}

fn value_of(cell: &Cell) -> Option<Cow<'_, str>> {
    match cell {
        Cell::Value(value) | Cell::Equation { value, .. } => key_of(value),
        _ => None,
    }
}

/// Returns the number of rows shown of each block, and enters the values in these rows.
fn shown(
    table: &Table,
    values: &mut DistinctValues,
    bytes: &mut usize,
    bytes_max: usize,
) -> Vec<usize> {
    let mut cells = 0;
    let mut shown = Vec::new();
    for block in &table.blocks {
        let mut rows = 0;
        for row in &block.rows {
            cells += row.len();
            for cell in row {
                *bytes += CELL_BYTES + position_of(cell).map_or(0, str::len);
                if let Some(text) = value_of(cell) {
                    let before = values.len();
                    values.place(&text);
                    let is_new = values.len() > before;
                    *bytes += text.len().min(CELL_TEXT_MAX);
                    *bytes += usize::from(is_new) * (VALUE_BYTES + text.len().min(CELL_TEXT_MAX));
                }
            }
            if cells > CELLS_MAX || *bytes > bytes_max {
                break;
            }
            rows += 1;
        }
        shown.push(rows);
    }
    shown
}

struct PageGrid<'p> {
    values: DistinctValues,
    known: Known,
    pages: &'p ValuePages,
    /// The values of which a cell has an id, by which their pages find it.
    named: HashSet<ValueDigest>,
    html: String,
}

impl PageGrid<'_> {
    fn table(&mut self, table: &Table, shown: &[usize]) {
        let has_names = table.names().len() > 1;
        for (block, &rows) in table.blocks.iter().zip(shown) {
            self.block(block, rows, has_names);
        }
        if !table.notes.is_empty() {
            let notes = (table.notes.iter()).map(|note| format!("<li>{}", escaped(note)));
            let _ = writeln!(
                self.html,
                "<ul class=\"notes\">{}</ul>",
                notes.collect::<String>()
            );
        }
    }

    /// Writes the values of patterns along their variables.
    fn sequences(&mut self, sequences: &[&Sequence], id: &str) {
        let [first, others @ ..] = sequences else {
            return;
        };
        let variable = &first.variable;
        let heading = match others.iter().all(|other| other.variable == *variable) {
            true => format!("Along {}", escaped(variable)),
            false => "Along the variable".to_owned(),
        };
        let _ = writeln!(self.html, "<h3>{heading}</h3>");
        for (place, sequence) in sequences.iter().enumerate() {
            let (mut list, mut places) = (String::new(), Vec::new());
            for member in &sequence.members {
                let value = key_of(&member.value).map(|text| self.values.place(&text));
                let class = self.class_of(value).to_owned();
                let _ = write!(list, "<tr><th scope=\"row\">{}<td", member.n);
                if let Some(value) = value {
                    let position = escaped(&member.position);
                    let _ = write!(
                        list,
                        "{} class=\"{class}\" data-v=\"{value}\" data-p=\"{position}\"",
                        self.id_of(key_of(&member.value))
                    );
                }
                let text = match &member.value {
                    // Symbols are the table's; a copied list has notation.
                    ValueText::Symbol { notation, .. } => notation.clone(),
                    value => value.plain(),
                };
                let text = self.linked(key_of(&member.value), &text);
                let _ = writeln!(list, ">{text}");
                places.push(value);
            }
            let none = ValueFacts::default();
            let facts: Vec<&ValueFacts> = (places.iter())
                .map(|place| place.map_or(&none, |place| &self.known.facts[place]))
                .collect();
            let id = format!("{id}-along{place}");
            let is_folded = place >= OPEN_MAX;
            sequence.write(&mut self.html, &id, &facts, &list, is_folded);
        }
    }

    /// Returns a value as a cell shows it, which leads to the value's page if there is one.
    fn linked(&self, value: Option<Cow<'_, str>>, shown: &str) -> String {
        let shown = escaped(shown);
        match value.and_then(|value| self.pages.get(&*value)) {
            Some(&digest) => {
                let path = path_of_value(digest);
                format!("<b><a href=\"../{path}\">{shown}</a></b>")
            }
            None => format!("<b>{shown}</b>"),
        }
    }

    /// Returns the id of a cell: the digest of its value, if that has a page and no earlier cell has the id.
    fn id_of(&mut self, value: Option<Cow<'_, str>>) -> String {
        let digest = value.and_then(|value| self.pages.get(&*value));
        match digest.filter(|&&digest| self.named.insert(digest)) {
            Some(digest) => format!(" id=\"{digest}\""),
            None => String::new(),
        }
    }

    /// Returns the class of a value's colour before another quantity is chosen.
    fn class_of(&self, value: Option<usize>) -> &str {
        let scale = self.known.scales.first().zip(value);
        scale.map_or("", |(scale, value)| &scale.classes[value])
    }

    /// Writes the choice of quantities that colours show, and their legends.
    fn controls(&mut self, id: &str) {
        let scales = &self.known.scales;
        if scales.is_empty() {
            return;
        }
        let _ = write!(
            self.html,
            "<div class=\"controls\"><label for=\"{id}-scale\">Colours show</label> <select id=\"{id}-scale\" \
             data-grid=\"{id}\">"
        );
        for scale in scales {
            let _ = write!(self.html, "<option>{}", escaped(scale.name));
        }
        self.html.push_str("</select>");
        for (place, scale) in scales.iter().enumerate() {
            let hidden = if place > 0 { " hidden" } else { "" };
            let _ = write!(
                self.html,
                "<ul class=\"legend\" data-scale=\"{place}\"{hidden}>"
            );
            for (class, text) in &scale.legend {
                let text = shortened(text, 40);
                let _ = write!(
                    self.html,
                    "<li><span class=\"{class}\"></span>{}",
                    escaped(&text)
                );
            }
            self.html.push_str("</ul>");
        }
        self.html.push_str("</div>\n");
    }

    fn block(&mut self, block: &Block, rows: usize, has_names: bool) {
        let columns = Shades::of(block);
        // Columns without labels share the width of the window.
        let shared = match block.labelled || !block.header.is_empty() {
            true => String::new(),
            false => format!(" shared\" style=\"--k:{}", block.width()),
        };
        let _ = write!(
            self.html,
            "<div class=\"scroll\"><table class=\"grid{shared}\">"
        );
        if has_names {
            let _ = write!(self.html, "<caption>{}</caption>", escaped(block.name));
        }
        if !block.header.is_empty() {
            self.html.push_str("<thead><tr>");
            for cell in &block.header {
                let _ = write!(self.html, "<th scope=\"col\">{}", escaped(&cell.plain()));
            }
            self.html.push_str("</thead>");
        }
        self.html.push_str("<tbody>");
        for row in &block.rows[..rows] {
            self.html.push_str("<tr>");
            for (place, cell) in row.iter().enumerate() {
                self.cell(
                    cell,
                    block.labelled && place == 0,
                    columns.class(place, cell),
                );
            }
            self.html.push('\n');
        }
        self.html.push_str("</table></div>\n");
        if rows < block.rows.len() {
            let _ = writeln!(
                self.html,
                "<p class=\"note\">The first {rows} of {} rows are shown; <code>seedbank table</code> prints all.</p>",
                block.rows.len()
            );
        }
    }

    fn cell(&mut self, cell: &Cell, is_label: bool, shade: Option<Shade>) {
        let value = value_of(cell).map(|text| self.values.place(&text));
        let class = match (value, shade) {
            (Some(_), _) => self.class_of(value).to_owned(),
            (None, Some(shade)) => format!("n {}", shade.class()),
            (None, None) if matches!(cell, Cell::Number(_)) => "n".to_owned(),
            (None, None) => String::new(),
        };
        let tag = if is_label { "th scope=\"row\"" } else { "td" };
        let _ = write!(self.html, "<{tag}");
        if !class.is_empty() {
            let _ = write!(self.html, " class=\"{class}\"");
        }
        if let Some(value) = value {
            let name = self.id_of(value_of(cell));
            let _ = write!(self.html, " data-v=\"{value}\"{name}");
        }
        self.html.push('>');
        match cell {
            Cell::Equation {
                position,
                value,
                followers,
                ..
            } => {
                let value = self.linked(key_of(value), &shortened(&value.plain(), CELL_TEXT_MAX));
                let _ = write!(self.html, "<i>{}</i> = {value}", escaped(position));
                if let Some(followers) = followers {
                    let noun = if *followers == 1 {
                        "follower"
                    } else {
                        "followers"
                    };
                    let _ = write!(self.html, " <small>{followers} {noun}</small>");
                }
            }
            Cell::Value(value) => {
                let value = self.linked(key_of(value), &shortened(&value.plain(), CELL_TEXT_MAX));
                self.html.push_str(&value);
            }
            Cell::Position(position) => {
                let _ = write!(self.html, "<i>{}</i>", escaped(position));
            }
            other => self
                .html
                .push_str(&escaped(&shortened(&other.plain(), 4 * CELL_TEXT_MAX))),
        }
    }

    /// Writes the data about the values for the script, with the beginning of the command that prints long values whole.
    fn data(&mut self, id: &str, whole: Option<&str>) {
        let Known {
            facts,
            scales,
            thermographs,
            ..
        } = &self.known;
        if facts.is_empty() {
            return;
        }
        let of = |place: usize, facts: &ValueFacts| {
            let classes: Vec<&str> = scales.iter().map(|scale| &*scale.classes[place]).collect();
            let text = |scale: &Scale| scale.texts.get(place).cloned().unwrap_or_default();
            let texts: Vec<String> = scales.iter().map(text).collect();
            json!([facts.text, facts.named, classes, texts, facts.thermograph])
        };
        let data: Vec<_> = facts
            .iter()
            .enumerate()
            .map(|(place, facts)| of(place, facts))
            .collect();
        let data = json!({
            "scales": scales.iter().map(|scale| scale.name).collect::<Vec<_>>(),
            "values": data,
            "whole": whole,
        });
        let _ = writeln!(
            self.html,
            "<script type=\"application/json\" id=\"{id}-values\">{}</script>",
            json_in_script(&data)
        );
        if !thermographs.is_empty() {
            let _ = writeln!(
                self.html,
                "<template id=\"{id}-thermographs\">{}</template>",
                thermographs.concat()
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::colours::{LongValue, ValuesAs};

    fn equation(position: &str, value: &str) -> Cell {
        Cell::Equation {
            position: position.to_owned(),
            variables: Vec::new(),
            value: ValueText::Notation(value.to_owned()),
            followers: None,
        }
    }

    fn section(rows: Vec<Vec<Cell>>, values_as: ValuesAs) -> Section {
        Section {
            table: Ok(Table {
                blocks: vec![Block {
                    name: "table",
                    rows,
                    ..Block::default()
                }],
                ..Table::default()
            }),
            values_as,
            ..Section::named("t")
        }
    }

    #[test]
    fn cells_have_the_place_of_their_value_and_its_colour() {
        let rows = vec![
            vec![equation("1<2", "{1|-1}"), equation("3", "2")],
            vec![equation("4", "{1|-1}"), Cell::Blank],
        ];
        let html = grid(
            &section(rows, ValuesAs::Games),
            "t",
            1 << 20,
            &ValuePages::new(),
        );
        assert!(
            html.contains("data-v=\"0\"><i>1&lt;2</i> = <b>{1|-1}</b>"),
            "{html}"
        );
        assert!(
            html.contains("<td class=\"s0\" data-v=\"0\"><i>4</i>"),
            "{html}"
        );
        assert!(
            html.contains("<td class=\"s8\" data-v=\"1\"><i>3</i>"),
            "{html}"
        );
        assert!(
            html.contains("<option>mean<option>temperature<option>outcome"),
            "{html}"
        );
        assert_eq!(
            html.matches("<svg").count(),
            2,
            "two values, two thermographs"
        );
        assert!(!html.contains("rows are shown"));
    }

    #[test]
    fn cells_lead_to_the_pages_of_their_values_and_the_first_has_an_id() {
        let rows = vec![vec![equation("1", "^"), equation("2", "^")]];
        let section = section(rows, ValuesAs::Games);
        assert_eq!(
            values_shown(&section, 1 << 20),
            [("^".to_owned(), 2)].into()
        );
        let digest = ValueDigest([7; 16]);
        let html = grid(&section, "t", 1 << 20, &[("^".to_owned(), digest)].into());
        let link = format!("<b><a href=\"../values/{digest}.html\">^</a></b>");
        assert_eq!(html.matches(&link).count(), 2, "{html}");
        assert_eq!(html.matches(&format!("id=\"{digest}\"")).count(), 1);
    }

    #[test]
    fn a_table_that_is_too_large_is_cut_off_and_says_so() {
        let rows = (0..1000).map(|n: u32| vec![equation(&n.to_string(), &n.to_string())]);
        let section = section(rows.collect(), ValuesAs::Words);
        let html = grid(&section, "t", 50_000, &ValuePages::new());
        let shown = html.matches("<td").count();
        assert!(html.len() < 60_000, "{}", html.len());
        assert!((50..150).contains(&shown), "{shown}");
        assert!(html.contains(&format!("The first {shown} of 1000 rows are shown")));
    }

    #[test]
    fn a_value_without_a_notation_has_its_digest_and_its_head() {
        let value = ValueText::Digest("0123abcd".to_owned());
        let rows = vec![vec![Cell::Value(value), Cell::Blank]];
        let long = LongValue {
            digest: "0123abcd4567".to_owned(),
            head: Some("{{1|0},…".to_owned()),
            ..LongValue::default()
        };
        let section = Section {
            long: [("#0123abcd".to_owned(), long)].into(),
            whole: Some("seedbank eval --full".to_owned()),
            ..section(rows, ValuesAs::Games)
        };
        let html = grid(&section, "t", 1 << 20, &ValuePages::new());
        for text in [
            "data-v=\"0\"><b>#0123abcd</b>",
            "[\"digest\",\"0123abcd4567\"]",
            "[\"begins, in braces\",\"{{1|0},…\"]",
            "\"whole\":\"seedbank eval --full\"",
        ] {
            assert!(html.contains(text), "{text}: {html}");
        }
    }
}
