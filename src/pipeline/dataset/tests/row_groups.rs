//! Row groups that end at the limit on rows or bytes; `plain.rs` has those that end at the limit on
//! list elements.

use parquet::file::reader::{FileReader, SerializedFileReader};

use super::*;
use crate::dataset::TableRow;
use crate::dataset::column::{ROW_GROUP_BYTES_MAX, ROW_GROUP_ROWS_MAX};
use crate::task::codes::CodeRow;

/// Writes rows, compares them with the rows read back, and returns the rows and the compressed
/// bytes of each row group.
fn row_groups<R: TableRow + Clone + PartialEq>(tables: Tables, rows: &[R]) -> Vec<[i64; 2]> {
    let mut scratch = Scratch::new(1);
    scratch.header.tables = tables;
    let results = scratch.create();
    let mut writer = results.plain_writer::<R>(0, 0).expect("the table");
    for row in rows {
        writer.push(row).expect("the row fits");
    }
    writer.commit().expect("a whole part");
    results.finish().expect("the only part");
    let read = results.read_plain::<R>().expect("the table");
    let read: Vec<R> = read.map(|row| row.expect("a whole file")).collect();
    assert!(read == rows);
    let file = fs::File::open(part(&scratch, 0)).expect("the part");
    let reader = SerializedFileReader::new(file).expect("a Parquet file");
    let groups = reader.metadata().row_groups().iter();
    groups
        .map(|group| [group.num_rows(), group.compressed_size()])
        .collect()
}

#[test]
fn row_groups_end_when_they_have_their_rows() {
    let rows: Vec<CodeRow> = (0..300_000)
        .map(|n| CodeRow {
            code: n.to_string(),
            period: (n % 70_000 >= 30_000).then_some(n),
            ..CodeRow::default()
        })
        .collect();
    let most = ROW_GROUP_ROWS_MAX as i64;
    let groups = row_groups(Tables::of::<CodeRow>(), &rows);
    let groups: Vec<i64> = groups.into_iter().map(|[rows, _]| rows).collect();
    assert_eq!(groups, [most, most, 300_000 - 2 * most]);
}

#[test]
fn row_groups_end_when_they_have_their_bytes() {
    // Texts of half a megabyte each, which compress to at least five eighths.
    let mut random = fastrand::Rng::with_seed(1);
    let mut letter = || char::from(b'A' + random.u8(..32));
    let rows: Vec<CodeRow> = (0..64)
        .map(|_| CodeRow {
            code: (0..1 << 19).map(|_| letter()).collect(),
            ..CodeRow::default()
        })
        .collect();
    let groups = row_groups(Tables::of::<CodeRow>(), &rows);
    let most = ROW_GROUP_BYTES_MAX as i64;
    assert_eq!(groups.len(), 2, "{groups:?}");
    let [_, bytes] = groups[0];
    assert!(
        bytes > most * 9 / 10 && bytes < most * 11 / 10,
        "{groups:?}"
    );
}
