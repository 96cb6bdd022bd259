//! Positions written as copies of models.

use super::*;
use crate::dataset::NamedCopies;
use crate::dataset::table::BATCH_ROWS;

/// A row without variables, of one of some values; each third has none, and each fifth has long notations.
fn model(kind: i64) -> PositionRow {
    let text = || {
        Some(
            "1".repeat(if kind % 5 == 4 { 4000 } else { kind as usize })
                .into(),
        )
    };
    let value = ValueColumns {
        value: text(),
        atomic_weight: text(),
        ..row(kind).value.expect("the row has a value")
    };
    PositionRow {
        pattern: None,
        variables: Vec::new(),
        position: String::new(),
        value: (kind % 3 != 2).then_some(value),
        value_missing: (kind % 3 == 2).then(|| "loopy".into()),
        left_first: (kind % 3 == 2).then(|| "draw".into()),
        ..row(kind)
    }
}

/// Writes a part and returns its bytes.
fn written(rows: impl FnOnce(&mut crate::dataset::PartWriter)) -> Vec<u8> {
    let mut scratch = Scratch::new(1);
    scratch.header.tables = Tables::of_positions(Vec::new());
    let results = scratch.create();
    let mut writer = results.part_writer(0, 0).expect("the part");
    rows(&mut writer);
    writer.commit().expect("a whole part");
    fs::read(part(&scratch, 0)).expect("the part")
}

#[test]
fn copies_have_the_bytes_of_rows() {
    let mut random = fastrand::Rng::with_seed(7);
    let kinds: Vec<i64> = (0..30_000).map(|_| random.i64(0..20)).collect();
    let names: Vec<String> = (0..kinds.len()).map(|n| format!("p {n}")).collect();
    let rows = written(|writer| {
        for (kind, name) in kinds.iter().zip(&names) {
            let row = PositionRow {
                position: name.clone(),
                ..model(*kind)
            };
            writer.push(&row).expect("the row fits");
        }
    });
    let mut batches = 0;
    let copies = written(|writer| {
        let mut all = kinds.iter().zip(&names).peekable();
        while all.peek().is_some() {
            let mut batch = NamedCopies::default();
            let models: Vec<u32> = (0..20).map(|kind| batch.add_model(&model(kind))).collect();
            while !batch.is_full()
                && let Some((kind, name)) = all.next()
            {
                batch.push(models[*kind as usize], name);
            }
            writer.push_columns(batch).expect("columns of the table");
            batches += 1;
        }
    });
    assert!(rows == copies);
    // The long notations end batches early.
    assert!(batches > kinds.len().div_ceil(BATCH_ROWS), "{batches}");
}
