//! Result sets of one plain table.

use parquet::file::reader::{FileReader, SerializedFileReader};

use super::*;
use crate::dataset::TableRow;
use crate::dataset::column::{ROW_GROUP_ELEMENTS_MAX, ROW_GROUP_ROWS_MAX_ASCENDING};
use crate::run::RowTask;
use crate::task::boards::{BinLists, BoardColumns, BoardRow, BoardsLayout, BoardsTask, ListedBins};
use crate::task::codes::CodeRow;
use crate::task::heaps::HeapRow;

fn scratch(parts: u32, tables: Tables) -> Scratch {
    let mut scratch = Scratch::new(parts);
    scratch.header.tables = tables;
    scratch
}

fn heap(n: i64) -> HeapRow {
    HeapRow {
        code: "0.77".into(),
        sum: "disjunctive".into(),
        n,
        value: format!("*{n}").into(),
        nim_value: (n % 3 != 0).then_some(n as i32),
        normal: "N".into(),
        misere: (n % 2 == 0).then(|| "P".into()),
        first: n % 5 == 0,
    }
}

fn code(n: i64) -> CodeRow {
    CodeRow {
        code: format!("0.{n}"),
        name: (n == 6).then(|| "officers".into()),
        sum: "obligated".into(),
        equivalent: "0.0".into(),
        equivalent_proved: n % 2 == 0,
        preperiod: (n != 3).then_some(n),
        period: (n != 3).then_some(i64::MAX - n),
        saltus: None,
        bound: Some(-n),
        proved: n != 3,
        verified_to: 100,
        counts: (0..n).collect(),
        p_positions: (n != 3).then(|| (0..3 * n).collect()),
    }
}

fn commit_plain<R: TableRow>(results: &ResultSet, part: u32, rows: &[R]) -> PartRecord {
    let mut writer = results.plain_writer(part, 0).expect("the table");
    for row in rows {
        writer.push(row).expect("a row that fits");
    }
    writer.commit().expect("a whole part")
}

#[test]
fn rows_come_back_as_they_went_in_lists_and_nulls_included() {
    let scratch = scratch(2, Tables::of::<CodeRow>());
    let results = scratch.create();
    let rows: Vec<CodeRow> = (0..8).map(code).collect();
    // In the other order, so that the order of parts decides.
    commit_plain(&results, 1, &rows[5..]);
    let record = commit_plain(&results, 0, &rows[..5]);
    assert_eq!(record.files.of("codes").map(|file| file.rows), Some(5));
    assert_eq!(record.files.of("positions"), None);
    assert_eq!(results.finish().expect("both parts").rows, 8);
    let read: Result<Vec<CodeRow>, _> = results.read_plain().expect("the table").collect();
    assert_eq!(read.expect("whole files"), rows);
    let status = results.status().expect("records");
    assert!(status.complete);
    assert_eq!((status.rows, status.forms_rows), (8, 0));
    assert_eq!(
        names(&scratch.dir()),
        [".seedbank", "manifest.json", "parts", "records"]
    );
}

#[test]
fn more_rows_than_a_batch_holds_come_back() {
    let scratch = scratch(1, Tables::of::<HeapRow>());
    let results = scratch.create();
    let rows: Vec<HeapRow> = (0..20_000).map(heap).collect();
    commit_plain(&results, 0, &rows);
    let read: Result<Vec<HeapRow>, _> = results.read_plain().expect("the table").collect();
    assert_eq!(read.expect("whole files"), rows);
}

#[test]
fn the_same_rows_give_the_same_bytes() {
    let bytes = || {
        let scratch = scratch(1, Tables::of::<HeapRow>());
        commit_plain(&scratch.create(), 0, &[heap(1), heap(2)]);
        fs::read(part(&scratch, 0)).expect("the part")
    };
    assert_eq!(bytes(), bytes());
}

#[test]
fn another_table_is_refused_by_name() {
    let scratch = scratch(1, Tables::of::<HeapRow>());
    let results = scratch.create();
    let dir = scratch.dir();
    let expected = |table: &str| format!("{} has no table {table}, but heaps", dir.display());
    let error = results
        .plain_writer::<CodeRow>(0, 0)
        .err()
        .expect("no codes");
    assert_eq!(error.to_string(), expected("codes"));
    let error = results
        .part_writer::<PositionRow>(0, 0)
        .err()
        .expect("no positions");
    assert_eq!(error.to_string(), expected("positions"));
    let error = results.read_forms().err().expect("no forms");
    assert_eq!(error.to_string(), expected("forms"));
}

#[test]
fn damage_is_found_and_mended() {
    let scratch = scratch(2, Tables::of::<HeapRow>());
    let results = scratch.create();
    let rows: Vec<HeapRow> = (0..10).map(heap).collect();
    commit_plain(&results, 0, &rows[..5]);
    commit_plain(&results, 1, &rows[5..]);
    results.finish().expect("both parts");
    let mut bytes = fs::read(part(&scratch, 1)).expect("the part");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    overwrite(&part(&scratch, 1), &bytes);
    let found = results.verify().expect("everything can be read");
    assert_eq!((found.files_whole, found.damage.len()), (1, 1));
    let read: Result<Vec<HeapRow>, _> = results.read_plain().expect("sizes agree").collect();
    assert!(read.expect_err("a flipped bit").is_damage());
    commit_plain(&results, 1, &rows[5..]);
    results.finish().expect("both parts");
    assert!(results.verify().expect("all is there").damage.is_empty());
}

#[test]
fn a_record_of_other_tables_is_damage() {
    let of_heaps = scratch(1, Tables::of::<HeapRow>());
    commit_plain(&of_heaps.create(), 0, &[heap(1)]);
    let mut header = of_heaps.header.clone();
    header.tables = Tables::of::<CodeRow>();
    let results = ResultSet::open(&of_heaps.dir(), &header).expect("the same job and parts");
    let status = results.status().expect("the record can be read");
    assert!(status.finished.is_empty());
    assert!(
        status.damage[0]
            .to_string()
            .contains("heaps parts/part-00000.parquet"),
        "{}",
        status.damage[0]
    );
}

#[test]
fn columns_say_what_they_mean() {
    for column in HeapRow::columns(&[])
        .into_iter()
        .chain(CodeRow::columns(&[]))
    {
        assert!(column.meaning.len() > 20, "{}", column.name);
        assert_eq!(
            column.nullable,
            column.meaning.contains("null"),
            "{}",
            column.name
        );
    }
}

/// Writes boards with this many bins each, in batches of these sizes, and returns the bins of each
/// row group.
fn bins_of_row_groups(bins: usize, batches: &[usize]) -> Vec<u64> {
    let task = BoardsTask {
        first: 1,
        last: 1,
        bins: ListedBins::Nearest(bins as u32),
        layout: BoardsLayout::Bins,
    };
    let scratch = scratch(1, task.making().tables);
    let results = scratch.create();
    let mut writer = results.plain_writer::<BoardRow>(0, 0).expect("the table");
    let board = vec![1_u32; bins];
    let mut first = 1;
    for &boards in batches {
        let mut lists = BinLists::default();
        (0..boards).for_each(|_| lists.push(&board));
        let columns = BoardColumns {
            first,
            lengths: vec![bins as i32; boards],
            first_plays: vec![1; boards],
            bins: Some(lists),
        };
        writer.push_columns(columns).expect("columns of the table");
        first += boards as i64;
    }
    writer.commit().expect("a whole part");
    results.finish().expect("the only part");
    let read = results.read_plain::<BoardRow>().expect("the table");
    let boards = read.map(|row| row.expect("a whole file"));
    assert!(
        boards
            .zip(1..)
            .all(|(row, n)| row.n == n && row.bins.as_ref() == Some(&board))
    );
    let file = fs::File::open(part(&scratch, 0)).expect("the part");
    let reader = SerializedFileReader::new(file).expect("a Parquet file");
    let groups = reader.metadata().row_groups().iter();
    // The last column holds the bins, and none of its lists is empty.
    groups
        .map(|group| group.columns().last().map_or(0, |bins| bins.num_values()) as u64)
        .collect()
}

#[test]
fn row_groups_of_long_lists_are_bounded_by_elements() {
    let most = ROW_GROUP_ELEMENTS_MAX;
    // 17,000 bins: 493 boards have 2^23 of them, encoded in a few thousand bytes.
    let groups = bins_of_row_groups(17_000, &[1; 500]);
    assert_eq!(groups.iter().sum::<u64>(), 8_500_000);
    assert!(groups.iter().all(|&bins| bins <= most), "{groups:?}");
    // Each row group is as full as whole boards allow.
    assert_eq!(groups.len(), 3, "{groups:?}");
    // A batch stays together.
    assert_eq!(
        bins_of_row_groups(1 << 12, &[1, 1 << 11, 1]),
        [1 << 12, most * 2, 1 << 12]
    );
    // With short lists the limit on rows applies; the rest of a batch counts towards the next
    // group.
    let rows = ROW_GROUP_ROWS_MAX_ASCENDING;
    assert_eq!(
        bins_of_row_groups(3, &[rows - 1, 2, 5]),
        [3 * rows as u64, 3 * 6]
    );
}
