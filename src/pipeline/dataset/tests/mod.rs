//! Tests of result sets: written rows are read back or refused, whatever happened in between.

mod copies;
mod damage;
mod interruption;
mod plain;
mod row_groups;
mod rows;
mod scan;
mod tables;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tempfile::TempDir;

use super::{
    DatasetError, Digest, FORMAT_VERSION, FeatureColumns, FormRow, PartRecord, PositionRow,
    ResultHeader, ResultSet, Tables, ValueColumns,
};

/// A directory for one test and the header of the result set in it.
struct Scratch {
    folder: TempDir,
    header: ResultHeader,
}

impl Scratch {
    fn new(parts: u32) -> Scratch {
        let spec_text = "name = \"sowing-ones\"\n[family]\npattern = \"1^n 2^m\"\n".to_owned();
        Scratch {
            folder: tempfile::tempdir().expect("a temporary directory"),
            header: ResultHeader {
                job: "sowing-ones".into(),
                job_digest: Digest::of(spec_text.as_bytes()),
                code_version: "0.1.0".into(),
                format_version: FORMAT_VERSION,
                parts,
                spec_text,
                tables: Tables::of_positions(vec!["n".into(), "m".into()]),
            },
        }
    }

    fn dir(&self) -> PathBuf {
        self.folder.path().join("sowing-ones")
    }

    fn create(&self) -> ResultSet {
        ResultSet::open_or_create(&self.dir(), &self.header).expect("an empty directory opens")
    }

    /// Creates the result set and commits all its parts, three rows and one form each.
    fn complete(&self) -> ResultSet {
        let results = self.create();
        for part in 0..self.header.parts {
            commit(&results, part, &rows_of(part)).expect("an empty part commits");
        }
        results.finish().expect("all parts are committed");
        results
    }

    fn all_rows(&self) -> Vec<PositionRow> {
        (0..self.header.parts).flat_map(rows_of).collect()
    }
}

fn commit(
    results: &ResultSet,
    part: u32,
    rows: &[PositionRow],
) -> Result<PartRecord, DatasetError> {
    let mut writer = results.part_writer(part, u64::from(part) * 3)?;
    writer.push_batch(rows)?;
    writer.push_form(&form_of(part))?;
    writer.commit()
}

fn rows_of(part: u32) -> Vec<PositionRow> {
    (0..3)
        .map(|index| row(i64::from(part) * 3 + index))
        .collect()
}

fn row(n: i64) -> PositionRow {
    PositionRow {
        game: "sowing".into(),
        play: "partisan".into(),
        pattern: Some(Arc::from("1^n 2^m")),
        variables: vec![Some(n), None],
        position: "1".repeat(n as usize + 1),
        features: FeatureColumns {
            pots: Some(n as i32 + 1),
            seeds: Some(n + 1),
            ..FeatureColumns::default()
        },
        outcome: Some("N".into()),
        value: Some(ValueColumns {
            value: Some(format!("{{{n}|-1}}").into()),
            value_digest: Digest::of(&n.to_le_bytes()).0[..16]
                .try_into()
                .expect("16 of 32 bytes"),
            kind: "switch".into(),
            left_stop: Some(n as f64),
            right_stop: Some(-1.0),
            mean: Some((n - 1) as f64 / 2.0),
            temperature: Some((n + 1) as f64 / 2.0),
            birthday: Some(n as i32 + 1),
            ..ValueColumns::default()
        }),
        ..PositionRow::default()
    }
}

fn form_of(part: u32) -> FormRow {
    FormRow {
        value_digest: [part as u8; 16],
        kind: "switch".into(),
        left_options: vec![[1; 16], [2; 16]],
        right_options: vec![],
    }
}

fn read(results: &ResultSet) -> Result<Vec<PositionRow>, DatasetError> {
    results.read_positions()?.collect()
}

/// Replaces a committed file's bytes, as a failing disk might.
fn overwrite(path: &Path, bytes: &[u8]) {
    fs::write(path, bytes).expect("a file of the test's own");
}

fn part(scratch: &Scratch, part: u32) -> PathBuf {
    scratch.dir().join(format!("parts/part-{part:05}.parquet"))
}

fn record(scratch: &Scratch, part: u32) -> PathBuf {
    scratch.dir().join(format!("records/shard-{part:05}.json"))
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("a folder of the result set");
    let mut names: Vec<String> = entries
        .map(|entry| {
            entry
                .expect("an entry")
                .file_name()
                .to_string_lossy()
                .into_owned()
        })
        .collect();
    names.sort();
    names
}
