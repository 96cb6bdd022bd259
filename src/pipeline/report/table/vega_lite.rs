//! Tables as charts in Vega-Lite, a JSON notation of charts that editors and notebooks read.

use serde_json::{Value as Json, json};

use super::cells::Table;
use super::data::{DataTable, tables};

/// The version of the notation.
const SCHEMA: &str = "https://vega.github.io/schema/vega-lite/v6.json";

/// Returns the first of the tables as a chart. Each cell of the table becomes a cell coloured by its
/// value. Columns of numbers beside a column of numbers become lines.
pub(super) fn render(table: &Table) -> String {
    let tables = tables(table);
    let mut chart = tables
        .first()
        .map_or_else(|| json!({ "data": { "values": [] } }), chart);
    chart["$schema"] = json!(SCHEMA);
    if let Some(caption) = table.caption() {
        chart["title"] = json!(caption);
    }
    format!("{chart:#}\n")
}

fn chart(table: &DataTable) -> Json {
    let Some((first, others)) = table.columns.split_first() else {
        return json!({ "data": { "values": [] } });
    };
    let rows = json!(table)["rows"].take();
    let entries = |column: &String| {
        let entries = rows
            .as_array()
            .into_iter()
            .flatten()
            .map(|row| &row[column]);
        entries.filter(|entry| !entry.is_null()).collect::<Vec<_>>()
    };
    let is_numeric = |column: &String| entries(column).iter().all(|entry| entry.is_number());
    let data = json!({ "values": &rows });
    if first == "position" {
        return json!({
            "data": data,
            "mark": { "type": "rect", "tooltip": { "content": "data" } },
            "encoding": {
                "x": { "field": "position", "type": "nominal", "sort": null },
                "color": { "field": "value", "type": "nominal" },
            },
        });
    }
    let fold = json!([{ "fold": others.iter().map(|name| field(name)).collect::<Vec<_>>(), "as": ["column", "value"] }]);
    let is_grid = others.iter().all(|name| name.parse::<i64>().is_ok());
    if !is_grid && table.columns.iter().all(is_numeric) {
        return json!({
            "data": data,
            "transform": fold,
            "mark": { "type": "line", "point": true, "tooltip": { "content": "data" } },
            "encoding": {
                "x": { "field": field(first), "type": "quantitative", "title": first },
                "y": { "field": "value", "type": "quantitative" },
                "color": { "field": "column", "type": "nominal" },
            },
        });
    }
    let kind = if others.iter().all(is_numeric) {
        "quantitative"
    } else {
        "nominal"
    };
    json!({
        "data": data,
        "transform": fold,
        "mark": { "type": "rect", "tooltip": { "content": "data" } },
        "encoding": {
            "x": { "field": "column", "type": "ordinal", "sort": others },
            "y": { "field": field(first), "type": "ordinal", "title": first },
            "color": { "field": "value", "type": kind },
        },
    })
}

/// Returns a name as a field of Vega-Lite, with its special characters escaped.
fn field(name: &str) -> String {
    let special = |c| matches!(c, '.' | '[' | ']' | '\\' | '\'' | '"');
    let escaped = name
        .chars()
        .flat_map(|c| special(c).then_some('\\').into_iter().chain([c]));
    escaped.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::table::{Block, Cell};

    fn chart(header: [&str; 3], cells: [&str; 3]) -> Json {
        let number = |text: &str| match text.parse::<f64>() {
            Ok(_) => Cell::Number(text.to_owned()),
            Err(_) => Cell::Label(text.to_owned()),
        };
        let table = Table {
            blocks: vec![Block {
                header: header.map(number).to_vec(),
                labelled: true,
                rows: vec![cells.map(number).to_vec()],
                ..Block::default()
            }],
            ..Table::default()
        };
        serde_json::from_str(&render(&table)).expect("it is JSON")
    }

    #[test]
    fn grids_have_cells_and_columns_of_numbers_lines() {
        let grid = chart(["x\\y", "1", "2"], ["1", "*", "^"]);
        assert_eq!(grid["mark"]["type"], "rect");
        assert_eq!(grid["encoding"]["y"]["field"], "x\\\\y");
        assert_eq!(grid["encoding"]["y"]["title"], "x\\y");
        assert_eq!(grid["encoding"]["color"]["type"], "nominal");
        assert_eq!(grid["data"]["values"][0]["2"], "^");
        let lines = chart(["l", "n", "of one digit"], ["1", "1", "0.5"]);
        assert_eq!(lines["mark"]["type"], "line");
        assert_eq!(lines["transform"][0]["fold"], json!(["n", "of one digit"]));
        let counts = chart(["l", "1", "2"], ["1", "1", "5"]);
        assert_eq!(counts["encoding"]["color"]["type"], "quantitative");
    }
}
