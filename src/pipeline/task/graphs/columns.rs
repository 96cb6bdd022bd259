//! Table `graphs`: one row for each sowing graph of a family, in the family's order.

use std::sync::Arc;

use cglaws::{Column, Entries, Material, Subject};
use serde::{Deserialize, Serialize};

use super::GraphsTask;
use crate::dataset::Wanted;
use crate::dataset::row::{TableRow, table_row};
use crate::report::ReportError;
use crate::run::{Mined, Reading};

table_row! {
/// One sowing graph: whether it has finitely many winning boards, how many, and how they are
/// played.
#[derive(Serialize, Deserialize)]
pub struct GraphRow {
    /// The graph: its generator with all arguments, such as star(3, 4), or the name of its file.
    pub name: String,
    /// The generator's family, such as star; file for a graph from a file.
    pub family: Arc<str>,
    /// The generator's arguments, in order; empty for a graph from a file.
    pub arguments: Vec<i64>,
    /// The number of vertices, including Rumas.
    pub vertices: i64,
    /// The number of Rumas.
    pub rumas: i64,
    /// The number of edges.
    pub edges: i64,
    /// Whether every bin has at most one walk to a Ruma; boards are then counted by a formula.
    pub in_tree: bool,
    /// Whether there are finitely many winning boards: no directed cycle is both reachable from a
    /// bin and able to reach a Ruma.
    pub finite: bool,
    /// Whether Theorem 5.2, as printed, says so.
    pub finite_in_print: bool,
    /// A shortest cycle that causes infinitely many boards, of the kind that the print names if
    /// there is one; null if there are finitely many.
    pub cycle: Option<String>,
    /// The vertices of that cycle: mixed (Rumas and bins, the kind that the print names), bins, or
    /// rumas; null if there are finitely many.
    pub cycle_kind: Option<Arc<str>>,
    /// The number of winning boards, including the empty one, in decimal digits; null if not all
    /// were counted, and if there are infinitely many.
    pub boards: Option<String>,
    /// The greatest total of stones up to which all winning boards were counted; null if none were.
    pub total_complete: Option<i64>,
    /// The number of winning boards up to that total, in decimal digits; null if it takes more than
    /// 128 bits.
    pub boards_counted: Option<String>,
    /// Why boards with more stones were not counted: total, boards, held, steps (the job's limits),
    /// width (labels that do not fit in 128 bits), bins (more than 128 bins), overflow (2^128
    /// boards or more); null if all were counted.
    pub stop: Option<Arc<str>>,
    /// The totals of stones that winning boards have, ascending, up to total_complete.
    pub totals: Vec<i64>,
    /// The number of winning boards with each of these totals; null if a number takes more than 63
    /// bits.
    pub boards_by_total: Option<Vec<i64>>,
    /// The greatest number of moves in the shortest play of a counted board; null if none were
    /// counted.
    pub moves_greatest: Option<i64>,
    /// The number of boards on which strategies were tried, those with the fewest stones; null if
    /// none were.
    pub strategy_boards: Option<i64>,
    /// The number of them on which every play that always sows the fewest stones is a shortest one;
    /// null if it was not tried.
    pub fewest_safe: Option<i64>,
    /// The number of them on which some such play is a shortest one; null if it was not tried.
    pub fewest_lucky: Option<i64>,
    /// The first of them on which sowing the fewest stones is not safe, its bins in the graph's
    /// order; null if there is none.
    pub fewest_unsafe_at: Option<String>,
    /// The number of them on which every play that always sows the most stones is a shortest one;
    /// null if it was not tried.
    pub most_safe: Option<i64>,
    /// The number of them on which every play that always brings the most stones home, and of such
    /// moves sows the fewest, is a shortest one; null if it was not tried.
    pub home_safe: Option<i64>,
    /// The number of them on which every play that always sows a bin whose longest walk to a Ruma
    /// is shortest is a shortest one; null if it was not tried.
    pub foremost_safe: Option<i64>,
}
}

impl TableRow for GraphRow {
    const TABLE: &'static str = "graphs";

    fn describe(row: &GraphRow) -> String {
        format!("graph {}", row.name)
    }
}

/// The variables of the columns that are searched for laws.
const VARIABLES: [&str; 3] = ["m", "n", "k"];

/// The least number of graphs with a common argument that get a column of their own.
const SECTION_LEAST: usize = 8;

impl Mined for GraphsTask {
    fn mined_variables(&self) -> Option<Vec<String>> {
        Some(VARIABLES.map(str::to_owned).to_vec())
    }

    /// For each family: the number of boards by its one or two arguments, and by one of the two alone
    /// if at least 8 graphs share the other. For each graph with infinitely many boards: the totals by
    /// their place in ascending order, from 1, and the number of boards with each total.
    fn material(&self, reading: &Reading<'_>) -> Result<Material, ReportError> {
        let mut columns: Vec<Column> = Vec::new();
        let mut sections: Vec<Column> = Vec::new();
        let wanted = Wanted::columns([
            "name",
            "family",
            "arguments",
            "finite",
            "boards",
            "totals",
            "boards_by_total",
        ]);
        for row in reading.scan().rows::<GraphRow>(wanted)? {
            let row = row?;
            let names: &[&str] = match row.arguments.len() {
                1 => &["n"],
                2 => &["m", "n"],
                _ => &[],
            };
            // Numbers of more than 127 bits are left out.
            let boards = row.boards.filter(|boards| boards.parse::<i128>().is_ok());
            if let (Some(boards), false) = (&boards, names.is_empty()) {
                let subject = format!("boards of {}({})", row.family, names.join(", "));
                column_of(&mut columns, subject, names).push(&row.arguments, boards);
            }
            if let (Some(boards), &[m, n]) = (&boards, &row.arguments[..]) {
                for (subject, name, at) in [
                    (format!("boards of {}({m}, n)", row.family), "n", n),
                    (format!("boards of {}(m, {n})", row.family), "m", m),
                ] {
                    column_of(&mut sections, subject, &[name]).push(&[at], boards);
                }
            }
            if row.finite {
                continue;
            }
            let mut push = |what: &str, numbers: &[i64]| {
                let subject = format!("{what} of {}", row.name);
                let mut column = Column::new(subject, vec!["k".to_owned()], Entries::Integers);
                for (k, number) in (1..).zip(numbers) {
                    column.push(&[k], &number.to_string());
                }
                columns.push(column);
            };
            push("totals", &row.totals);
            if let Some(boards) = &row.boards_by_total {
                push("boards by total", boards);
            }
        }
        sections.retain(|section| section.len() >= SECTION_LEAST);
        columns.extend(sections);
        Ok(Material {
            columns,
            ..Material::default()
        })
    }
}

/// Returns the column of integers with a subject; appends one if there is none.
fn column_of<'a>(columns: &'a mut Vec<Column>, subject: String, names: &[&str]) -> &'a mut Column {
    let subject = Subject::from(subject);
    let known = columns.iter().position(|column| column.subject == subject);
    let known = known.unwrap_or_else(|| {
        let names = names.iter().map(|&name| name.to_owned()).collect();
        columns.push(Column::new(subject, names, Entries::Integers));
        columns.len() - 1
    });
    &mut columns[known]
}
