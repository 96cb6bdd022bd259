//! Scans return the same as reading row by row: the requested columns of the wanted rows, for any
//! number of threads.

use rayon::ThreadPoolBuilder;

use super::*;
use crate::dataset::{ScanProgress, Wanted};

/// A complete result set of several row groups and batches.
fn large(scratch: &Scratch) -> ResultSet {
    let results = scratch.create();
    for part in 0..scratch.header.parts {
        let mut writer = results.part_writer(part, 0).expect("an empty part");
        for n in 0..150_000 {
            let mut row = row(i64::from(n % 5));
            row.position = "1".to_owned();
            row.value.as_mut().unwrap().nim_value = Some(n * 7 % 1000);
            writer.push_batch(&[row]).expect("a row");
        }
        writer.commit().expect("commits");
    }
    results.finish().expect("all parts");
    results
}

#[test]
fn only_the_columns_asked_for_of_wanted_rows_are_read_on_any_number_of_threads() {
    let scratch = Scratch::new(2);
    let results = large(&scratch);
    let wanted = |row: &PositionRow| row.value.as_ref().unwrap().nim_value == Some(423);
    let rows: Result<Vec<PositionRow>, _> = results.read_positions().expect("complete").collect();
    let rows = rows.expect("whole");
    let expected: Vec<PositionRow> = rows.into_iter().filter(wanted).collect();
    assert_eq!(expected.len(), 300);
    for threads in [1, 3] {
        let pool = ThreadPoolBuilder::new().num_threads(threads).build();
        let (found, some, progress) = pool.expect("threads").install(|| {
            let progress = ScanProgress::default();
            let read = |of: Wanted<'_>| -> Vec<PositionRow> {
                let of = of.where_columns(&["nim_value"], |_, columns| {
                    let values = columns.int32("nim_value").iter();
                    values.map(|value| value == Some(423)).collect()
                });
                let scan = results.scan().counted_by(&progress);
                let rows = scan.rows(of).expect("complete");
                rows.map(|row| row.expect("whole")).collect()
            };
            let found = read(Wanted::all());
            let some = read(Wanted::columns(["value", "value_digest", "n"]));
            (found, some, (progress.read(), progress.rows()))
        });
        assert_eq!(found, expected);
        assert_eq!(progress, (600_000, 300_000));
        let of_columns = expected.iter().map(|row| PositionRow {
            variables: vec![row.variables[0], None],
            value: Some(ValueColumns {
                value: row.value.as_ref().unwrap().value.clone(),
                value_digest: row.value.as_ref().unwrap().value_digest,
                ..ValueColumns::default()
            }),
            ..PositionRow::default()
        });
        assert_eq!(some, of_columns.collect::<Vec<_>>());
    }
}

#[test]
fn a_scan_of_a_damaged_part_is_an_error_even_if_no_row_of_it_is_wanted() {
    let scratch = Scratch::new(2);
    let results = scratch.complete();
    let whole = fs::read(part(&scratch, 1)).expect("the part");
    for place in (0..whole.len()).step_by(whole.len() / 50) {
        let mut bytes = whole.clone();
        bytes[place] ^= 1;
        overwrite(&part(&scratch, 1), &bytes);
        let none = Wanted::columns(["pots"]).where_columns(&[], |_, c| vec![false; c.rows()]);
        let mut rows = results.scan().rows::<PositionRow>(none).expect("complete");
        let error = rows.next().expect("an error").expect_err("damaged");
        assert!(error.is_damage(), "{error}");
        assert!(rows.next().is_none());
    }
}
