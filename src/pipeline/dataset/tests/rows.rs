//! Rows are read back as they were written, and the same rows have the same bytes.

use std::collections::HashSet;
use std::fs::{self, File};

use arrow_schema::DataType;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::basic::{Compression, Encoding};

use super::super::{PartWriter, TableRow, positions};
use super::*;

#[test]
fn every_combination_of_nulls_reads_back() {
    let scratch = Scratch::new(1);
    let results = scratch.create();
    let rows: Vec<PositionRow> = (0..1 << 13).map(combination).collect();
    let mut writer = results.part_writer(0, 0).expect("part 0");
    for row in &rows {
        writer.push(row).expect("the row fits");
    }
    let forms: Vec<FormRow> = (0..4).map(form_of).chain([FormRow::default()]).collect();
    for form in &forms {
        writer.push_form(form).expect("the form fits");
    }
    let record = writer.commit().expect("the part commits");
    let rows_of = |table| record.files.of(table).map(|file| file.rows);
    assert_eq!(
        (rows_of("positions"), rows_of("forms")),
        (Some(1 << 13), Some(5))
    );
    assert_eq!(read(&results).expect("the rows are whole"), rows);
    let found: Result<Vec<FormRow>, _> = results.read_forms().expect("complete").collect();
    assert_eq!(found.expect("the forms are whole"), forms);
}

/// Returns a row in which a nullable column is null if its bit of `bits` is unset.
fn combination(bits: i64) -> PositionRow {
    let set = |bit: u32| bits >> bit & 1 == 1;
    PositionRow {
        pattern: set(0).then(|| Arc::from(format!("pattern {}", bits % 7))),
        variables: vec![set(1).then_some(bits), set(2).then_some(i64::MIN)],
        features: FeatureColumns {
            pots: Some(bits as i32),
            seeds: set(3).then_some(i64::MAX),
            blue: set(4).then_some(bits),
            red: set(5).then_some(-1),
            squares: set(6).then_some(bits as i32),
        },
        value: Some(ValueColumns {
            value: set(4).then(|| "{0|-2}".repeat(bits as usize % 50).into()),
            nim_value: set(5).then_some(bits as i32),
            left_stop: set(6).then_some(bits as f64 / 1024.0),
            right_stop: set(7).then_some(-1e300),
            mean: set(8).then_some(0.0),
            temperature: set(9).then_some(-1.0),
            atomic_weight: set(10).then(|| "2".into()),
            atomic_weight_number: set(11).then_some(2.5),
            atomic_weight_missing: set(11)
                .then(|| ["not-dicotic", "other"][bits as usize % 2].into()),
            dicotic: set(4).then_some(set(5)),
            ..row(bits % 40).value.unwrap()
        }),
        misere_outcome: set(3).then(|| ["N", "P"][bits as usize % 2].into()),
        misere_nim_value: set(7).then_some(bits as i32),
        genus: set(8).then(|| format!("{bits}^20").into()),
        misere_form: set(4).then(|| format!("*[{bits}]").into()),
        is_tame: set(9).then_some(set(2)),
        followers: set(12).then_some(bits),
        depth: set(13).then_some(bits as i32),
        branching: set(14).then_some(bits as f64 / 8.0),
        ..row(bits % 40)
    }
}

/// Returns a row whose value has these columns.
fn with_value(change: impl FnOnce(&mut ValueColumns<'static>)) -> PositionRow {
    let mut row = row(1);
    change(row.value.as_mut().unwrap());
    row
}

#[test]
fn the_same_rows_are_the_same_bytes_however_they_arrive() {
    let (one, two) = (Scratch::new(1), Scratch::new(1));
    let rows: Vec<PositionRow> = (0..20_000).map(combination).collect();
    let mut by_row = one.create().part_writer(0, 0).expect("part 0");
    rows.iter()
        .for_each(|row| by_row.push(row).expect("the row fits"));
    let mut by_batch = two.create().part_writer(0, 0).expect("part 0");
    for batch in rows.chunks(777) {
        by_batch.push_batch(batch).expect("the rows fit");
    }
    let (first, second) = (
        by_row.commit().expect("commits"),
        by_batch.commit().expect("commits"),
    );
    assert_eq!(first, second);
    for file in [
        "parts/part-00000.parquet",
        "forms/part-00000.parquet",
        "records/shard-00000.json",
    ] {
        let bytes =
            |scratch: &Scratch| fs::read(scratch.dir().join(file)).expect("a committed file");
        assert_eq!(bytes(&one), bytes(&two), "{file}");
    }
}

#[test]
fn minus_zero_is_stored_as_zero() {
    let scratch = Scratch::new(1);
    let results = scratch.create();
    let minus = with_value(|value| value.mean = Some(-0.0));
    commit(&results, 0, &[minus]).expect("commits");
    let mean = read(&results).expect("whole")[0]
        .value
        .as_ref()
        .unwrap()
        .mean
        .expect("a mean");
    assert!(mean.is_sign_positive());
}

#[test]
fn a_value_beyond_4096_characters_is_null() {
    let scratch = Scratch::new(1);
    let results = scratch.create();
    let longest = "*".repeat(4096);
    // Two bytes per character: the limit counts characters.
    let wide = "é".repeat(4096);
    let values = [
        longest.clone(),
        wide.clone(),
        longest.clone() + "*",
        wide.clone() + "é",
    ];
    let rows = values.map(|text| with_value(|value| value.value = Some(text.into())));
    commit(&results, 0, &rows).expect("commits");
    let found: Vec<Option<String>> = read(&results)
        .expect("whole")
        .into_iter()
        .map(|row| row.value.unwrap().value.map(Into::into))
        .collect();
    assert_eq!(found, [Some(longest), Some(wide), None, None]);
}

#[test]
fn long_values_do_not_gather_in_memory() {
    let scratch = Scratch::new(1);
    let results = scratch.create();
    // 3,000 rows of 4,096 characters exceed the bytes of a batch before its rows.
    let rows: Vec<PositionRow> = (0..3_000)
        .map(|n| {
            let mut row = row(n % 9);
            row.value.as_mut().unwrap().value = Some(format!("{n:4096}").into());
            row
        })
        .collect();
    commit(&results, 0, &rows).expect("commits");
    assert_eq!(read(&results).expect("whole"), rows);
}

#[test]
fn rows_that_do_not_fit_are_refused_and_not_stored() {
    let scratch = Scratch::new(1);
    let results = scratch.create();
    let mut writer = results.part_writer(0, 0).expect("part 0");
    let cases = [
        (
            PositionRow {
                variables: vec![],
                ..row(1)
            },
            "expected 2 values of variables, found 0",
        ),
        (
            PositionRow {
                outcome: Some("X".into()),
                ..row(1)
            },
            "expected an outcome class of N, P, L, R, found \"X\"",
        ),
        (
            with_value(|value| value.mean = Some(f64::NAN)),
            "expected a dyadic rational as mean, found NaN",
        ),
    ];
    for (bad, reason) in cases {
        let error = writer.push(&bad).expect_err(reason);
        assert_eq!(
            error.to_string(),
            format!("cannot store a row of table positions: position \"11\": {reason}")
        );
        assert!(!error.is_damage());
    }
    writer.push(&row(0)).expect("the row fits");
    writer.commit().expect("commits");
    assert_eq!(read(&results).expect("whole"), [row(0)]);
}

#[test]
fn variables_named_like_columns_or_each_other_are_refused() {
    let scratch = Scratch::new(1);
    let cases: [(&[&str], &str); 4] = [
        (
            &["n", "seeds"],
            "variable \"seeds\" would be a second column of that name beside \"seeds\"",
        ),
        (
            &["Position"],
            "variable \"Position\" would be a second column of that name beside \"position\"",
        ),
        (
            &["n", "N"],
            "variable \"n\" would be a second column of that name beside \"N\"",
        ),
        (&["n", ""], "the name of variable 2 is empty"),
    ];
    for (variables, reason) in cases {
        let mut header = scratch.header.clone();
        header.tables =
            Tables::of_positions(variables.iter().map(|name| name.to_string()).collect());
        let error = ResultSet::open_or_create(&scratch.dir(), &header).expect_err(reason);
        assert!(error.to_string().contains(reason), "{error}");
        assert!(
            !scratch.dir().exists(),
            "refused before anything is created"
        );
    }
}

#[test]
fn a_header_is_refused_before_anything_is_created() {
    let scratch = Scratch::new(1);
    for (parts, format_version, reason) in [
        (
            0,
            FORMAT_VERSION,
            "expected 1 to 100000 parts, found 0; make the parts larger",
        ),
        (
            100_001,
            FORMAT_VERSION,
            "expected 1 to 100000 parts, found 100001; make the parts larger",
        ),
        (1, FORMAT_VERSION + 1, "expected result format 6, found 7"),
    ] {
        let header = ResultHeader {
            parts,
            format_version,
            ..scratch.header.clone()
        };
        let error = ResultSet::open_or_create(&scratch.dir(), &header).expect_err(reason);
        assert_eq!(
            error.to_string(),
            format!("cannot lay out results of job \"sowing-ones\": {reason}")
        );
        assert!(!scratch.dir().exists());
    }
}

#[test]
fn a_part_says_where_it_comes_from_and_what_its_columns_mean() {
    let scratch = Scratch::new(1);
    scratch.complete();
    let file = File::open(part(&scratch, 0)).expect("the part");
    let builder = ParquetRecordBatchReaderBuilder::try_new(file).expect("a Parquet file");
    let metadata = builder.metadata().file_metadata();
    let entries = metadata.key_value_metadata().expect("provenance");
    let entry = |key: &str| {
        let found = entries
            .iter()
            .find(|entry| entry.key == format!("seedbank.{key}"));
        found
            .and_then(|entry| entry.value.clone())
            .unwrap_or_else(|| panic!("no entry {key}"))
    };
    assert_eq!(entry("table"), "positions");
    assert_eq!(entry("job"), "sowing-ones");
    assert_eq!(entry("job_spec"), scratch.header.spec_text);
    assert_eq!(entry("job_digest"), scratch.header.job_digest.to_string());
    assert_eq!(entry("code_version"), "0.1.0");
    assert_eq!(
        (entry("shard"), entry("shards"), entry("first_rank")),
        ("0".into(), "1".into(), "0".into())
    );
    assert_eq!(entry("rows"), "3");
    let columns =
        positions::columns::<PositionRow>(scratch.header.tables.variables()).expect("the columns");
    assert_eq!(
        entry("columns"),
        serde_json::to_string(&columns).expect("JSON")
    );
    for (field, column) in builder.schema().fields().iter().zip(&columns) {
        assert_eq!(field.name(), &column.name);
        assert_eq!(field.metadata().get("description"), Some(&column.meaning));
        assert!(
            column.meaning.ends_with('.') && !column.meaning.contains("  "),
            "{}",
            column.meaning
        );
    }
    assert_eq!(
        columns[3].meaning,
        "The value of the pattern's variable n; null if the row's pattern has no such variable."
    );
    assert!(
        FormRow::columns(&[])
            .iter()
            .all(|column| !column.meaning.is_empty())
    );
}

#[test]
fn labels_and_descriptions_of_values_have_dictionaries_and_keys_have_bloom_filters() {
    let scratch = Scratch::new(1);
    scratch.complete();
    for (file, columns, keys) in [
        (
            "parts/part-00000.parquet",
            positions::columns::<PositionRow>(scratch.header.tables.variables())
                .expect("the columns"),
            ["position", "value_digest"].as_slice(),
        ),
        (
            "forms/part-00000.parquet",
            FormRow::columns(&[]),
            ["value_digest"].as_slice(),
        ),
    ] {
        let file = File::open(scratch.dir().join(file)).expect("the part");
        let builder = ParquetRecordBatchReaderBuilder::try_new(file).expect("a Parquet file");
        let group = builder.metadata().row_group(0);
        let mut with_filter = HashSet::new();
        for chunk in group.columns() {
            let name = chunk.column_path().parts()[0].as_str();
            let column = columns
                .iter()
                .find(|column| column.name == name)
                .expect("a known column");
            let dictionary = chunk
                .encodings()
                .any(|encoding| encoding == Encoding::RLE_DICTIONARY);
            let expected = match column.kind.data_type() {
                DataType::Dictionary(..) => true,
                DataType::Float64 | DataType::Utf8 | DataType::FixedSizeBinary(_) => {
                    column.nullable
                }
                _ => false,
            };
            assert_eq!(dictionary, expected, "{name}");
            assert!(
                matches!(chunk.compression(), Compression::ZSTD(_)),
                "{name}"
            );
            if chunk.bloom_filter_offset().is_some() {
                with_filter.insert(name);
            }
        }
        let keys: HashSet<&str> = keys.iter().copied().collect();
        assert_eq!(with_filter, keys);
    }
}

#[test]
fn threads_write_parts_side_by_side_and_rows_come_in_order() {
    fn assert_send<T: Send>(_: &T) {}
    let scratch = Scratch::new(8);
    let results = scratch.create();
    let writers: Vec<PartWriter> = (0..8)
        .map(|part| {
            results
                .part_writer(part, u64::from(part) * 3)
                .expect("a part")
        })
        .collect();
    assert_send(&writers);
    std::thread::scope(|scope| {
        for (part, mut writer) in (0..8).zip(writers).rev() {
            scope.spawn(move || {
                writer.push_batch(&rows_of(part)).expect("the rows fit");
                writer.commit().expect("commits");
            });
        }
    });
    let manifest = results.finish().expect("all parts are committed");
    assert_eq!(
        (manifest.rows, manifest.forms_rows, manifest.parts_total),
        (24, 0, 8)
    );
    assert_eq!(read(&results).expect("whole"), scratch.all_rows());
    let reader = ResultSet::open(&scratch.dir(), &scratch.header).expect("opens for reading");
    assert_eq!(read(&reader).expect("whole"), scratch.all_rows());
}

#[test]
fn columns_come_in_the_order_that_the_design_gives() {
    let columns =
        positions::columns::<PositionRow>(&["m".into(), "n".into()]).expect("the columns");
    let names: Vec<&str> = columns.iter().map(|column| column.name.as_str()).collect();
    let expected = "game play pattern m n position pots seeds blue red squares outcome value value_digest kind nim_value left_stop \
        right_stop mean temperature birthday atomic_weight atomic_weight_number atomic_weight_missing dicotic \
        value_missing left_first right_first onside offside is_stopper misere_outcome \
        misere_nim_value genus misere_form is_tame followers depth branching";
    assert_eq!(names.join(" "), expected);
    let names: Vec<String> = FormRow::columns(&[])
        .into_iter()
        .map(|column| column.name)
        .collect();
    assert_eq!(
        names,
        ["value_digest", "kind", "left_options", "right_options"]
    );
}
