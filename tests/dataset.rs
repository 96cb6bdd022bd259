//! Outside programs read a result set: pyarrow, DuckDB, Polars and pandas, without code of this
//! package.

use crate::common::python::python;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use seedbank::dataset::{
    Digest, FORMAT_VERSION, FeatureColumns, FormRow, PositionRow, ResultHeader, ResultSet, Tables,
    ValueColumns, positions,
};
use serde_json::{Value, json};

const PARTS: u32 = 3;
const PART_ROWS: i64 = 1_000;

fn header() -> ResultHeader {
    ResultHeader {
        job: "switches".into(),
        job_digest: Digest::of(b"switches"),
        code_version: "0.1.0".into(),
        format_version: FORMAT_VERSION,
        parts: PARTS,
        spec_text: "name = \"switches\"\n# •, é and \"quotes\"\n".into(),
        tables: Tables::of_positions(vec!["n".into()]),
    }
}

fn row(n: i64) -> PositionRow {
    let cold = n % 3 == 0;
    PositionRow {
        game: "sowing".into(),
        play: "partisan".into(),
        pattern: (n % 2 == 0).then(|| Arc::from("1^n")),
        variables: vec![(n % 2 == 0).then_some(n)],
        position: format!("[{n}] •"),
        features: FeatureColumns {
            pots: Some(2),
            ..FeatureColumns::default()
        },
        outcome: Some(["N", "P", "L", "R"][n as usize % 4].into()),
        value: Some(ValueColumns {
            value: (n % 5 != 0).then(|| format!("{{{n}|0}}").into()),
            value_digest: Digest::of(&n.to_le_bytes()).0[..16]
                .try_into()
                .expect("16 of 32 bytes"),
            kind: if cold { "integer" } else { "switch" }.into(),
            left_stop: Some(n as f64),
            right_stop: Some(0.0),
            mean: Some(n as f64 / 2.0),
            temperature: (!cold).then_some(n as f64 / 2.0),
            birthday: Some(1),
            dicotic: Some(cold),
            ..ValueColumns::default()
        }),
        left_first: (n % 4 == 3).then_some("draw".into()),
        misere_outcome: (n % 3 == 0).then_some("P".into()),
        misere_nim_value: (n % 3 == 0).then_some(0),
        genus: (n % 6 == 0).then(|| "1^031".into()),
        misere_form: (n % 9 == 0).then_some("*[2]".into()),
        is_tame: (n % 6 == 0).then_some(true),
        followers: Some(n + 1),
        depth: Some(n as i32),
        branching: Some(n as f64 / 4.0),
        ..PositionRow::default()
    }
}

/// Writes the result set and returns its rows.
fn write(dir: &Path) -> Vec<PositionRow> {
    let results = ResultSet::open_or_create(dir, &header()).expect("an empty directory opens");
    let mut rows = Vec::new();
    for part in 0..PARTS {
        let first = i64::from(part) * PART_ROWS;
        let mut writer = results.part_writer(part, first as u64).expect("a part");
        let of_part: Vec<PositionRow> = (first..first + PART_ROWS).map(row).collect();
        writer.push_batch(&of_part).expect("the rows fit");
        writer
            .push_form(&FormRow {
                value_digest: of_part[0].value.as_ref().unwrap().value_digest,
                kind: "integer".into(),
                left_options: vec![[7; 16]],
                right_options: vec![],
            })
            .expect("the form fits");
        writer.commit().expect("commits");
        rows.extend(of_part);
    }
    results.finish().expect("all parts are committed");
    rows
}

/// Runs Python and returns the JSON that it prints.
fn ask(arguments: &[&str]) -> Value {
    let output = python()
        .args(arguments)
        .output()
        .expect("the interpreter was started before");
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{complaint}");
    serde_json::from_slice(&output.stdout).expect("the script prints JSON")
}

#[test]
fn the_mining_example_agrees_with_every_reader() {
    let scratch = tempfile::tempdir().expect("a temporary directory");
    let dir = scratch.path().join("switches");
    let rows = write(&dir);
    let folder = dir.to_str().expect("a path in UTF-8");
    let answer = ask(&[
        concat!(env!("CARGO_MANIFEST_DIR"), "/scripts/read_results.py"),
        folder,
        "--with",
        "all",
        "--hottest",
        "4",
        "--json",
    ]);

    let mut kinds: BTreeMap<&str, usize> = BTreeMap::new();
    for row in &rows {
        *kinds
            .entry(row.value.as_ref().unwrap().kind.as_ref())
            .or_default() += 1;
    }
    let mut hottest: Vec<&PositionRow> = rows
        .iter()
        .filter(|row| row.value.as_ref().unwrap().temperature.is_some())
        .collect();
    let temperature = |row: &PositionRow| row.value.as_ref().unwrap().temperature;
    hottest.sort_by(|a, b| temperature(b).partial_cmp(&temperature(a)).expect("no NaN"));
    let hottest: Vec<Value> = hottest[..4]
        .iter()
        .map(|row| {
            json!([
                row.position,
                row.value.as_ref().unwrap().value,
                row.value.as_ref().unwrap().temperature
            ])
        })
        .collect();
    let expected = json!({
        "rows": rows.len(), "kinds": kinds, "hottest": hottest, "forms": PARTS,
    });
    for reader in ["pyarrow", "duckdb", "polars", "pandas"] {
        assert_eq!(answer["readers"][reader], expected, "{reader}");
    }

    let header = header();
    assert_eq!(answer["provenance"]["job_spec"], header.spec_text);
    assert_eq!(
        answer["provenance"]["job_digest"],
        header.job_digest.to_string()
    );
    assert_eq!(answer["provenance"]["rows"], PART_ROWS.to_string());
    for column in positions::columns::<PositionRow>(header.tables.variables()).expect("the columns")
    {
        assert_eq!(
            answer["columns"][&column.name], column.meaning,
            "{}",
            column.name
        );
    }
}

/// Prints every row in one form from each reader: nulls as null, digests in hexadecimal.
const DUMP: &str = r#"
import json, sys
from pathlib import Path
import duckdb, pandas, polars, pyarrow.parquet
folder = Path(sys.argv[1])
def plain(value):
    if isinstance(value, bytes):
        return value.hex()
    return None if value != value or value is pandas.NaT or value is pandas.NA else value
def rows(dicts):
    return [{name: plain(value) for name, value in row.items()} for row in dicts]
glob = str(folder / "parts/*.parquet")
table = pyarrow.parquet.read_table(folder / "parts")
duck = duckdb.sql(f"SELECT * FROM '{glob}'")
frame = pandas.read_parquet(folder / "parts", dtype_backend="pyarrow")
found = duckdb.execute("SELECT n, value FROM read_parquet(?) WHERE position = ?", [glob, "[1234] •"]).fetchall()
forms = duckdb.sql(f"""
    SELECT p.position, f.left_options, f.right_options
    FROM '{glob}' p JOIN '{folder}/forms/*.parquet' f USING (value_digest) ORDER BY p.position""").fetchall()
json.dump({
    "pyarrow": rows(table.to_pylist()),
    "duckdb": rows(dict(zip(duck.columns, row)) for row in duck.fetchall()),
    "polars": rows(polars.read_parquet(glob).to_dicts()),
    "pandas": rows(frame.to_dict("records")),
    "found": found,
    "forms": [[position, [d.hex() for d in left], [d.hex() for d in right]] for position, left, right in forms],
    "description": table.schema.field("birthday").metadata[b"description"].decode(),
    "types": {field.name: str(field.type) for field in table.schema},
}, sys.stdout)
"#;

#[test]
fn every_reader_sees_every_cell() {
    let scratch = tempfile::tempdir().expect("a temporary directory");
    let dir = scratch.path().join("switches");
    let rows = write(&dir);
    let answer = ask(&["-c", DUMP, dir.to_str().expect("a path in UTF-8")]);
    let expected: Vec<Value> = rows
        .iter()
        .map(|row| {
            let value = row.value.as_ref().unwrap();
            json!({
                "game": row.game, "play": row.play, "pattern": row.pattern.as_deref(),
                "n": row.variables[0], "position": row.position, "pots": row.features.pots,
                "seeds": row.features.seeds, "blue": row.features.blue, "red": row.features.red,
                "squares": row.features.squares, "outcome": row.outcome, "value": value.value,
                "value_digest": hex::encode(value.value_digest),
                "kind": value.kind, "nim_value": value.nim_value, "left_stop": value.left_stop,
                "right_stop": value.right_stop, "mean": value.mean, "temperature": value.temperature,
                "birthday": value.birthday, "atomic_weight": value.atomic_weight,
                "atomic_weight_number": value.atomic_weight_number,
                "atomic_weight_missing": value.atomic_weight_missing, "dicotic": value.dicotic,
                "value_missing": row.value_missing, "left_first": row.left_first,
                "right_first": row.right_first, "onside": row.onside, "offside": row.offside, "is_stopper": row.is_stopper,
                "misere_outcome": row.misere_outcome, "misere_nim_value": row.misere_nim_value, "genus": row.genus,
                "misere_form": row.misere_form, "is_tame": row.is_tame, "followers": row.followers, "depth": row.depth, "branching": row.branching,
            })
        })
        .collect();
    for reader in ["pyarrow", "duckdb", "polars", "pandas"] {
        let found = answer[reader].as_array().expect("a list of rows");
        assert_eq!(found.len(), expected.len(), "{reader}");
        for (found, expected) in found.iter().zip(&expected) {
            assert_eq!(found, expected, "{reader}");
        }
    }
    assert_eq!(answer["found"], json!([[1234, "{1234|0}"]]));
    assert_eq!(
        answer["forms"],
        json!([0, 1000, 2000].map(|n| json!([format!("[{n}] •"), ["07".repeat(16)], []])))
    );
    assert_eq!(
        answer["description"],
        "The birthday: the height of the canonical form's game tree, in moves; null if the value is loopy."
    );
    for (column, kind) in [
        ("n", "int64"),
        ("pots", "int32"),
        ("position", "string"),
        (
            "kind",
            "dictionary<values=string, indices=int32, ordered=0>",
        ),
        ("value_digest", "fixed_size_binary[16]"),
        ("mean", "double"),
        ("dicotic", "bool"),
    ] {
        assert_eq!(answer["types"][column], kind, "{column}");
    }
}
