//! Every table: rows are read back as they were written, columns have meanings, and objects have
//! the columns as keys.

use std::fmt::Debug;

use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use seedbank_files::durable::Temporary;
use serde_json::Value;

use super::*;
use crate::dataset::column;
use crate::dataset::table::TableWriter;
use crate::dataset::{CensusRow, Column, TableRow, WitnessRow};
use crate::task::boards::BoardRow;
use crate::task::codes::CodeRow;
use crate::task::graphs::GraphRow;
use crate::task::heaps::HeapRow;
use crate::task::lengths::LengthRow;
use crate::task::reconstructions::ReconstructionRow;

/// Writes a row with all cells, one with only the required cells, and the first one again, and
/// compares the rows read back.
fn assert_comes_back<R: TableRow + Clone + Debug + PartialEq>(
    full: &R,
    empty: &R,
    variables: &[&str],
) {
    let variables: Vec<String> = variables.iter().map(|&name| name.to_owned()).collect();
    let columns = R::columns(&variables);
    let folder = tempfile::tempdir().expect("a temporary directory");
    let temporary = Temporary::create(folder.path(), R::TABLE).expect("a file");
    let rows = [full, empty, full].map(Clone::clone);
    let mut writer: TableWriter<R> =
        TableWriter::new(&columns, variables.len(), Vec::new(), temporary).expect("a writer");
    for row in &rows {
        writer.push(row.as_own()).expect("the row fits");
    }
    let written = writer.finish().expect("a whole file");
    assert_eq!(written.rows, 3);
    let file = fs::File::open(written.temporary.path()).expect("the file");
    let reader = ParquetRecordBatchReaderBuilder::try_new(file).expect("a Parquet file");
    let names: Vec<&str> = columns.iter().map(|column| column.name.as_str()).collect();
    let schema = column::schema(&columns);
    for (field, found) in schema.fields().iter().zip(reader.schema().fields()) {
        assert_eq!(
            (field.name(), field.data_type()),
            (found.name(), found.data_type())
        );
        assert_eq!(field.metadata(), found.metadata());
    }
    let batches = reader.build().expect("columns that are read");
    let read = batches.flat_map(|batch| R::read(&batch.expect("a batch")));
    assert_eq!(read.collect::<Vec<R>>(), rows);

    for column in &columns {
        let Column { name, meaning, .. } = column;
        assert!(
            meaning.len() > 15 && meaning.ends_with('.'),
            "{name}: {meaning}"
        );
    }
    for (row, is_full) in [(full, true), (empty, false)] {
        let Value::Object(object) = R::object(row.as_own(), &variables) else {
            panic!("{}: no object", R::TABLE)
        };
        let mut keys: Vec<&str> = object.keys().map(String::as_str).collect();
        let mut names = names.clone();
        keys.sort_unstable();
        names.sort_unstable();
        assert_eq!(keys, names);
        for column in &columns {
            let is_null = object[&column.name].is_null();
            assert_eq!(is_null, column.nullable && !is_full, "{}", column.name);
        }
    }
}

fn full_value() -> ValueColumns<'static> {
    ValueColumns {
        value: Some("^2*".into()),
        value_digest: [7; 16],
        kind: "number-up-star".into(),
        nim_value: Some(-1),
        left_stop: Some(0.5),
        right_stop: Some(-0.25),
        mean: Some(0.0),
        temperature: Some(-1.0),
        birthday: Some(3),
        atomic_weight: Some("2".into()),
        atomic_weight_number: Some(2.0),
        atomic_weight_missing: Some("not-dicotic".into()),
        dicotic: Some(true),
    }
}

fn full_features() -> FeatureColumns {
    FeatureColumns {
        pots: Some(3),
        seeds: Some(4),
        blue: Some(1),
        red: Some(3),
        squares: Some(2),
    }
}

#[test]
fn positions() {
    let full = PositionRow {
        game: "sowing".into(),
        play: "partisan".into(),
        pattern: Some("1^n 2^m".into()),
        variables: vec![Some(1), Some(i64::MIN)],
        position: "1".into(),
        features: full_features(),
        outcome: Some("L".into()),
        value: Some(full_value()),
        value_missing: Some("loopy".into()),
        left_first: Some("win".into()),
        right_first: Some("draw".into()),
        onside: Some("over".into()),
        offside: Some("under".into()),
        is_stopper: Some(false),
        misere_outcome: Some("P".into()),
        misere_nim_value: Some(0),
        genus: Some("1^031".into()),
        misere_form: Some("*[2]".into()),
        is_tame: Some(true),
        followers: Some(5),
        depth: Some(2),
        branching: Some(1.5),
    };
    let empty = PositionRow {
        variables: vec![None; 2],
        value: None,
        ..PositionRow::default()
    };
    assert_comes_back(&full, &empty, &["n", "m"]);
}

#[test]
fn forms() {
    let full = FormRow {
        value_digest: [1; 16],
        kind: "switch".into(),
        left_options: vec![[2; 16], [3; 16]],
        right_options: vec![[4; 16]],
    };
    assert_comes_back(&full, &FormRow::default(), &[]);
}

#[test]
fn census() {
    let full = CensusRow {
        features: full_features(),
        count: 5,
        position: "112".into(),
        rank: 6,
        outcome: "L".into(),
        value: full_value(),
    };
    let empty = CensusRow {
        outcome: "P".into(),
        value: ValueColumns::default(),
        ..CensusRow::default()
    };
    assert_comes_back(&full, &empty, &[]);
}

#[test]
fn witnesses() {
    let full = WitnessRow {
        sought: "^n".into(),
        variables: vec![Some(2)],
        found: true,
        position: Some("112".into()),
        pots: Some(3),
        seeds: Some(4),
        blue: Some(1),
        red: Some(3),
        squares: Some(2),
        followers: Some(5),
        value: Some("^2".into()),
        value_digest: Some([6; 16]),
        kind: Some("uptimal".into()),
        nim_value: Some(7),
        mean: Some(0.5),
        temperature: Some(-0.5),
        birthday: Some(8),
        atomic_weight: Some("2".into()),
        count: 9,
        searched_before: Some(10),
        searched: 11,
    };
    let empty = WitnessRow {
        variables: vec![None],
        ..WitnessRow::default()
    };
    assert_comes_back(&full, &empty, &["n"]);
}

#[test]
fn heaps() {
    let full = HeapRow {
        code: "0.77".into(),
        sum: "disjunctive".into(),
        n: 3,
        value: "*3".into(),
        nim_value: Some(3),
        normal: "N".into(),
        misere: Some("P".into()),
        first: true,
    };
    assert_comes_back(&full, &HeapRow::default(), &[]);
}

#[test]
fn codes() {
    let full = CodeRow {
        code: "0.77".into(),
        name: Some("Kayles".into()),
        sum: "disjunctive".into(),
        equivalent: "0.77".into(),
        equivalent_proved: true,
        preperiod: Some(71),
        period: Some(12),
        saltus: Some(0),
        bound: Some(156),
        proved: true,
        verified_to: 156,
        counts: vec![1, 2, 3],
        p_positions: Some(vec![0, i64::MAX]),
    };
    assert_comes_back(&full, &CodeRow::default(), &[]);
}

#[test]
fn boards() {
    let full = BoardRow {
        n: 5,
        length: 3,
        first_play: Some(1),
        bins: Some(vec![1, 1, 3, u32::MAX]),
    };
    assert_comes_back(&full, &BoardRow::default(), &[]);
}

#[test]
fn lengths() {
    let full = LengthRow {
        l: 2,
        n: 2,
        l_squared_by_pi: 1.273,
        deviation: -0.5,
    };
    assert_comes_back(&full, &LengthRow::default(), &[]);
}

#[test]
fn reconstructions() {
    let full = ReconstructionRow {
        numbering: "b".into(),
        bins: vec![2, 3],
        stones: vec![0, 1],
        possible: Some(true),
        contradiction: Some("(4)".into()),
        n: Some(9),
        n_long: Some(10),
        period: Some(12),
        residues: Some(1),
        searched_to: 100,
    };
    assert_comes_back(&full, &ReconstructionRow::default(), &[]);
}

#[test]
fn graphs() {
    let full = GraphRow {
        name: "star(3, 4)".into(),
        family: "star".into(),
        arguments: vec![3, 4],
        vertices: 13,
        rumas: 1,
        edges: 12,
        in_tree: true,
        finite: true,
        finite_in_print: true,
        cycle: Some("a, b".into()),
        cycle_kind: Some("mixed".into()),
        boards: Some("12".into()),
        total_complete: Some(20),
        boards_counted: Some("13".into()),
        stop: Some("total".into()),
        totals: vec![0, 1],
        boards_by_total: Some(vec![1, 3]),
        moves_greatest: Some(7),
        strategy_boards: Some(5),
        fewest_safe: Some(4),
        fewest_lucky: Some(3),
        fewest_unsafe_at: Some("1 2".into()),
        most_safe: Some(2),
        home_safe: Some(1),
        foremost_safe: Some(0),
    };
    assert_comes_back(&full, &GraphRow::default(), &[]);
}
