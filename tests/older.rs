//! Results of format 4, in which `atomic_weight_number` is an integer and null for other numbers, and
//! which lack the columns of loopy values: they are read, and never lie side by side with rows of this format.

use std::fs;
use std::path::Path;

use seedbank::dataset::Digest;

use crate::common::workspace::{Ended, Workspace, ended, files_in, of_out, printed, seedbank};

const ADDING: &str = "has result format 4, and this seedbank would add rows of format 6, whose columns differ; \
                      remove the directory (values in the store are used again), or finish the job with the seedbank that began it";

/// Returns a folder with the job `weights` and its result, which an earlier seedbank wrote.
fn written_before() -> Workspace {
    let here = Workspace::new();
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/format-4");
    fs::copy(golden.join("weights.toml"), here.path("weights.toml")).unwrap();
    for folder in ["", "parts", "forms", "records"] {
        let name = Path::new("out/weights").join(folder);
        let to = here.path(name.to_str().unwrap());
        fs::create_dir_all(&to).unwrap();
        for file in files_in(&golden.join("weights").join(folder)) {
            if file.is_file() {
                fs::copy(&file, to.join(file.file_name().unwrap())).unwrap();
            }
        }
    }
    here
}

/// Changes the format in the records of a result; its tables keep theirs.
fn as_format_4(result: &Path) {
    for record in files_in(&result.join("records")) {
        let text = fs::read_to_string(&record).unwrap();
        let (_, rest) = text.split_once('\n').unwrap();
        let rest = rest.replace("\"format_version\": 6", "\"format_version\": 4");
        let sealed = format!("{{\"blake3\":\"{}\",\n{rest}", Digest::of(rest.as_bytes()));
        fs::remove_file(&record).unwrap();
        fs::write(&record, sealed).unwrap();
    }
}

fn refused(found: &Ended) {
    assert_eq!(found.status, Some(1), "{found:?}");
    assert!(found.stderr.contains(ADDING), "{found:?}");
}

#[test]
fn a_finished_result_is_read_and_stays_as_it_is() {
    let here = written_before();
    let spec = here.path("weights.toml");
    let before = here.result("out", "weights");
    let run = here.run(&spec, &[]);
    assert_eq!(run.status, Some(0), "{run:?}");
    let numbers = here.rows(&spec).into_iter();
    let numbers: Vec<_> = numbers
        .map(|row| row.value.unwrap().atomic_weight_number)
        .collect();
    let expected = [Some(0.0), Some(1.0), Some(0.25), None];
    assert_eq!(numbers, expected);
    // The column alone, too, though its conversion needs another one.
    let export = ["export", "--format", "csv", "--column", "position"];
    let export = [&export[..], &["--column", "atomic_weight_number"]].concat();
    let expected = "position,atomic_weight_number\n0,0.0\n23,1.0\n420001313,0.25\n40304,\n";
    assert_eq!(printed(of_out(&here, &export, &spec)), expected);
    for command in ["table", "report", "check", "mine", "status", "plan"] {
        let found = ended(of_out(&here, &[command], &spec));
        assert_eq!(found.status, Some(0), "{command}: {found:?}");
    }
    assert_eq!(here.result("out", "weights"), before);
}

#[test]
fn no_rows_are_added_to_an_unfinished_result() {
    let here = written_before();
    let spec = here.path("weights.toml");
    fs::remove_file(here.path("out/weights/manifest.json")).unwrap();
    fs::remove_file(here.path("out/weights/forms/part-00000.parquet")).unwrap();
    refused(&here.run(&spec, &[]));
    assert_eq!(files_in(&here.path("out/weights/forms")).len(), 0);
    fs::remove_dir_all(here.path("out/weights")).unwrap();
    here.finish(&spec, &[]);
    let weight = |row: usize| here.rows(&spec)[row].value.clone().unwrap();
    assert_eq!(weight(2).atomic_weight_number, Some(0.25));
}

#[test]
fn rows_of_shards_are_converted_when_they_are_merged() {
    let here = Workspace::new();
    let spec = here.spec(
        "ones",
        "sowing",
        "partisan",
        "pattern = \"1^n\"\nn = \"1..=9\"",
    );
    for shard in ["0/2", "1/2"] {
        here.finish(&spec, &["--shard", shard]);
    }
    as_format_4(&here.path("out/ones/shards/0-of-2"));
    let mut merge = of_out(&here, &["merge"], &spec);
    merge.arg("--store").arg(here.path("store"));
    printed(merge);
    here.finish(&spec, &["--out", here.path("alone").to_str().unwrap()]);
    assert_eq!(here.result("out", "ones"), here.result("alone", "ones"));
}

#[test]
fn a_census_answers_and_does_not_grow() {
    let here = Workspace::new();
    let spec = |seeds: u32, each: &str| {
        let all = format!(
            "all = {{ seeds_max = {seeds}, pots_max = 4 }}\n[witness]\neach = {each:?}\nfewest = \"seeds\""
        );
        here.spec("census", "atomic-wari", "partisan", &all)
    };
    here.finish(&spec(3, "atomic_weight"), &[]);
    let folder = here.path("out/census");
    as_format_4(&folder);
    let census = files_in(&folder.join("census"));
    here.finish(&spec(3, "value"), &[]);
    refused(&here.run(&spec(4, "value"), &[]));
    assert_eq!(files_in(&folder.join("census")), census);
}

/// A part of a census is copied when shards are merged, so all must have one format.
#[test]
fn shards_of_a_census_are_merged_if_all_have_one_format() {
    let here = Workspace::new();
    let all = "all = { pots_max = 7 }\n[witness]\neach = \"nim_value\"\nfewest = \"pots\"";
    let spec = here.spec("census", "sowing", "impartial", all);
    for shard in ["0/2", "1/2"] {
        here.finish(&spec, &["--shard", shard]);
    }
    let merge = || {
        let mut merge = seedbank(&["merge"]);
        merge.arg(&spec).arg("--out").arg(here.path("out"));
        merge.arg("--store").arg(here.path("store"));
        ended(merge)
    };
    as_format_4(&here.path("out/census/shards/0-of-2"));
    refused(&merge());
    as_format_4(&here.path("out/census/shards/1-of-2"));
    let merged = merge();
    assert_eq!(merged.status, Some(0), "{merged:?}");
}
