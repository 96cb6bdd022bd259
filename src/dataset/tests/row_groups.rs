//! Row groups hold what parquet's own Arrow writer writes.

use std::sync::Arc;

use arrow_array::builder::{ListBuilder, UInt32Builder};
use arrow_array::types::Int32Type;
use arrow_array::{ArrayRef, DictionaryArray, Int32Array, Int64Array, RecordBatch, StringArray};
use arrow_schema::SchemaRef;
use bytes::Bytes;
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::basic::Encoding;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::statistics::Statistics;
use proptest::prelude::*;
use proptest::{collection, option};

use crate::dataset::column::{self, Column, ColumnKind, ROW_GROUP_BYTES_MAX, unsigned_item};
use crate::dataset::row_groups::RowGroups;

/// A row: one integer that is always there and others that may be null, a label, a text and a list.
type Row = (
    i64,
    Option<i64>,
    Option<i32>,
    Option<u8>,
    String,
    Option<Vec<u32>>,
);

fn columns(differences: bool) -> Vec<Column> {
    let column = |name, kind, nullable| Column::new(name, kind, nullable, "");
    vec![
        Column {
            differences,
            ..column("first", ColumnKind::Int64, false)
        },
        column("second", ColumnKind::Int64, true),
        column("label", ColumnKind::Label, true),
        Column {
            bytes_apart: true,
            ..column("third", ColumnKind::Int32, true)
        },
        column("text", ColumnKind::Text, false),
        column("list", ColumnKind::Unsigned, true),
    ]
}

fn batch(schema: &SchemaRef, rows: &[Row]) -> RecordBatch {
    let labels = rows
        .iter()
        .map(|row| row.3.map(|label| format!("label {label}")));
    let labels: Vec<Option<String>> = labels.collect();
    let labels: DictionaryArray<Int32Type> = labels.iter().map(Option::as_deref).collect();
    let mut lists = ListBuilder::new(UInt32Builder::new()).with_field(unsigned_item());
    for row in rows {
        lists
            .values()
            .append_slice(row.5.as_deref().unwrap_or_default());
        lists.append(row.5.is_some());
    }
    let arrays: Vec<ArrayRef> = vec![
        Arc::new(Int64Array::from_iter_values(rows.iter().map(|row| row.0))),
        Arc::new(rows.iter().map(|row| row.1).collect::<Int64Array>()),
        Arc::new(labels),
        Arc::new(rows.iter().map(|row| row.2).collect::<Int32Array>()),
        Arc::new(StringArray::from_iter_values(rows.iter().map(|row| &row.4))),
        Arc::new(lists.finish()),
    ];
    RecordBatch::try_new(schema.clone(), arrays).expect("arrays of the schema")
}

/// What a reader sees of a column in a row group.
#[derive(Debug, PartialEq)]
struct Chunk {
    values: i64,
    statistics: Option<Statistics>,
    encodings: Vec<Encoding>,
}

/// What a reader sees of a file: its entries, what it says of each column of each row group, and all batches.
type Seen = (Option<Vec<KeyValue>>, Vec<Vec<Chunk>>, Vec<RecordBatch>);

fn seen(file: Vec<u8>) -> Seen {
    let reader = ParquetRecordBatchReaderBuilder::try_new(Bytes::from(file));
    let reader = reader.expect("a Parquet file");
    let metadata = reader.metadata();
    let entries = metadata.file_metadata().key_value_metadata().cloned();
    let chunks = metadata.row_groups().iter().map(|columns| {
        let columns = columns.columns().iter();
        let chunks = columns.map(|chunk| Chunk {
            values: chunk.num_values(),
            statistics: chunk.statistics().cloned(),
            encodings: chunk.encodings().collect(),
        });
        chunks.collect()
    });
    let chunks = chunks.collect();
    let batches = reader
        .with_batch_size(1000)
        .build()
        .expect("columns that are read");
    let batches = batches.map(|batch| batch.expect("a batch"));
    (entries, chunks, batches.collect())
}

fn assert_same(differences: bool, rows_max: Option<usize>, batches: &[Vec<Row>]) {
    let columns = columns(differences);
    let schema = column::schema(&columns);
    let mut properties = column::writer_properties(&columns);
    if rows_max.is_some() {
        properties = properties.set_max_row_group_row_count(rows_max);
    }
    let properties: WriterProperties = properties.build();
    let last = KeyValue::new("last".into(), "entry".to_owned());

    let mut arrow = ArrowWriter::try_new(Vec::new(), schema.clone(), Some(properties.clone()))
        .expect("a writer");
    let mut groups = RowGroups::new(Vec::new(), schema.clone(), properties).expect("a writer");
    for rows in batches {
        let batch = batch(&schema, rows);
        arrow.write(&batch).expect("memory takes it");
        groups.write(batch).expect("memory takes it");
    }
    arrow.append_key_value_metadata(last.clone());
    let theirs = arrow.into_inner().expect("a whole file");
    let ours = groups.finish(last).expect("a whole file");
    assert_eq!(seen(ours), seen(theirs));
}

proptest! {
    #[test]
    fn row_groups_hold_what_the_arrow_writer_writes(
        differences: bool,
        rows_max in option::of(1..30_usize),
        batches in collection::vec(
            collection::vec(
                (
                    any::<i64>(),
                    option::of(-2..3_i64),
                    option::of(any::<i32>()),
                    option::of(0..3_u8),
                    "[ab]{0,3}",
                    option::of(collection::vec(any::<u32>(), 0..4)),
                ),
                0..20,
            ),
            0..6,
        ),
    ) {
        assert_same(differences, rows_max, &batches);
    }
}

#[test]
fn batches_are_split_where_a_row_group_ends() {
    let row = |n: i64| -> Row {
        let null = n % 70_000 < 30_000;
        let third = (!null).then_some(n as i32);
        (n, Some(n / 1000), third, None, String::new(), None)
    };
    let batches: Vec<Vec<Row>> = (0..4)
        .map(|batch| (batch * 75_000..(batch + 1) * 75_000).map(row).collect())
        .collect();
    assert_same(true, Some(1 << 17), &batches);
    assert_same(false, None, &batches);
}

#[test]
fn row_groups_end_when_they_have_their_bytes() {
    let columns = columns(false);
    let schema = column::schema(&columns);
    let properties = column::writer_properties(&columns).build();
    let mut groups = RowGroups::new(Vec::new(), schema.clone(), properties).expect("a writer");
    // Texts that do not compress to less than five bits of eight, of half a megabyte each.
    let mut random = fastrand::Rng::with_seed(1);
    let mut letter = || char::from(b'A' + random.u8(..32));
    for n in 0..64 {
        let text: String = (0..1 << 19).map(|_| letter()).collect();
        groups
            .write(batch(&schema, &[(n, None, None, None, text, None)]))
            .expect("memory takes it");
    }
    let file = groups
        .finish(KeyValue::new("last".into(), None))
        .expect("a whole file");
    let reader = ParquetRecordBatchReaderBuilder::try_new(Bytes::from(file));
    let reader = reader.expect("a Parquet file");
    let groups = reader.metadata().row_groups();
    let bytes: Vec<i64> = groups.iter().map(|group| group.compressed_size()).collect();
    let most = ROW_GROUP_BYTES_MAX as i64;
    assert_eq!(bytes.len(), 2, "{bytes:?}");
    assert!(
        bytes[0] > most * 9 / 10 && bytes[0] < most * 11 / 10,
        "{bytes:?}"
    );
}
