//! Consecutive integers become what parquet's own Arrow writer makes of them, byte for byte.

use std::ops::Range;
use std::sync::Arc;

use arrow_array::{Int64Array, RecordBatch};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use parquet::arrow::{ArrowSchemaConverter, ArrowWriter};
use parquet::basic::{Compression, Encoding, ZstdLevel};
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{WriterProperties, WriterPropertiesBuilder};
use proptest::collection;
use proptest::prelude::*;

use crate::dataset::consecutive::Consecutive;
use crate::dataset::row_groups::RowGroups;

fn schema(nullable: bool) -> SchemaRef {
    let number = Field::new("n", DataType::Int64, nullable);
    Arc::new(Schema::new(vec![number]))
}

fn properties() -> WriterPropertiesBuilder {
    let level = ZstdLevel::try_new(1).expect("1 is a zstd level");
    WriterProperties::builder()
        .set_dictionary_enabled(false)
        .set_encoding(Encoding::DELTA_BINARY_PACKED)
        .set_compression(Compression::ZSTD(level))
}

/// Writes batches with both writers and compares the files.
fn assert_same(properties: &WriterPropertiesBuilder, batches: &[Vec<i64>]) {
    let schema = schema(false);
    let properties = properties.clone().build();
    let last = KeyValue::new("last".into(), "entry".to_owned());
    let mut arrow = ArrowWriter::try_new(Vec::new(), schema.clone(), Some(properties.clone()))
        .expect("a writer");
    let mut groups = RowGroups::new(Vec::new(), schema.clone(), properties).expect("a writer");
    for batch in batches {
        let integers = Arc::new(Int64Array::from(batch.clone()));
        let batch = RecordBatch::try_new(schema.clone(), vec![integers]).expect("an array");
        arrow.write(&batch).expect("memory takes it");
        groups.write(batch).expect("memory takes it");
    }
    arrow.append_key_value_metadata(last.clone());
    let theirs = arrow.into_inner().expect("a whole file");
    let ours = groups.finish(last).expect("a whole file");
    assert!(ours == theirs, "{} and {} bytes", ours.len(), theirs.len());
}

fn integers(ranges: impl IntoIterator<Item = Range<i64>>) -> Vec<Vec<i64>> {
    ranges.into_iter().map(Iterator::collect).collect()
}

proptest! {
    /// Batches go on where the last one ended, but for some that skip a few integers or repeat some.
    #[test]
    fn files_are_those_of_the_arrow_writer(
        first in prop_oneof![
            any::<i64>(), -1000..1000_i64, Just(i64::MIN), i64::MAX - 4000..=i64::MAX,
        ],
        rows in collection::vec(0..700_usize, 0..6),
        breaks in collection::vec((0..6_usize, -2..3_i64), 0..2),
        gap in prop::option::of((0..2000_usize, any::<i64>())),
        batch_size in 1..300_usize,
        page_rows in 1..1000_usize,
        group_rows in prop::option::of(1..1500_usize),
    ) {
        let mut next = first;
        let mut batches = Vec::new();
        for (number, &rows) in rows.iter().enumerate() {
            let skipped: i64 = breaks.iter().filter(|(at, _)| *at == number).map(|(_, by)| by).sum();
            next = next.wrapping_add(skipped);
            batches.push((0..rows).map(|row| next.wrapping_add(row as i64)).collect::<Vec<i64>>());
            next = next.wrapping_add(rows as i64);
        }
        if let Some((at, integer)) = gap
            && let Some(changed) = batches.iter_mut().flatten().nth(at)
        {
            *changed = integer;
        }
        let properties = properties()
            .set_write_batch_size(batch_size)
            .set_data_page_row_count_limit(page_rows)
            .set_max_row_group_row_count(group_rows);
        assert_same(&properties, &batches);
    }
}

#[test]
fn pages_and_row_groups_of_full_size_are_those_of_the_arrow_writer() {
    let properties = properties()
        .set_write_batch_size(1 << 14)
        .set_data_page_row_count_limit(1 << 17)
        .set_max_row_group_row_count(Some(1 << 20));
    let batches = (0..150).map(|batch| batch * 10_000..(batch + 1) * 10_000);
    assert_same(&properties, &integers(batches));
}

/// Returns whether the batches of a chunk are all held; what comes after one that is not is not asked for.
fn held(batches: &[Vec<i64>]) -> bool {
    let mut chunk = begin(false, properties()).expect("a column of consecutive integers");
    batches.iter().all(|batch| chunk.extend(batch))
}

fn begin(nullable: bool, properties: WriterPropertiesBuilder) -> Option<Consecutive> {
    let converted = ArrowSchemaConverter::new().convert(&schema(nullable));
    let leaf = converted.expect("a schema").column(0);
    Consecutive::new(&leaf, &properties.build().into())
}

#[test]
fn what_goes_on_is_held_and_nothing_else() {
    assert!(held(&integers([-5..3, 3..3, 3..2000])));
    assert!(held(&[(i64::MAX - 3..i64::MAX).collect()]));
    assert!(!held(&integers([0..3, 4..5])));
    assert!(!held(&integers([0..3, 2..5])));
    assert!(!held(&[vec![1, 2, 4, 5]]));
    assert!(!held(&[vec![7, 7]]));
    // The integer after the last one is not one of 64 bits, or the greatest is followed by the least.
    assert!(!held(&[vec![i64::MAX]]));
    assert!(!held(&[vec![i64::MAX, i64::MIN]]));
}

#[test]
fn a_chunk_that_does_not_go_on_gives_its_batches_back() {
    let mut chunk = begin(false, properties()).expect("a column of consecutive integers");
    let batches = integers([-5..3, 3..2000]);
    assert!(batches.iter().all(|batch| chunk.extend(batch)));
    assert!(!chunk.extend(&[0]));
    assert_eq!(chunk.batches().collect::<Vec<_>>(), batches);
}

#[test]
fn other_columns_are_left_to_the_library() {
    assert!(begin(true, properties()).is_none());
    assert!(begin(false, properties().set_encoding(Encoding::PLAIN)).is_none());
    assert!(begin(false, properties().set_compression(Compression::SNAPPY)).is_none());
}
