//! Runs that stop anywhere, run twice, or find another job's directory.

use super::*;

#[test]
fn nothing_is_finished_until_its_record_is_there() {
    let scratch = Scratch::new(2);
    let results = scratch.create();
    assert_eq!(results.finished().expect("readable"), [0_u32; 0]);
    commit(&results, 1, &rows_of(1)).expect("commits");
    assert_eq!(results.finished().expect("readable"), [1]);
    let status = results.status().expect("readable");
    assert_eq!(
        (
            status.parts,
            status.rows,
            status.forms_rows,
            status.complete
        ),
        (2, 3, 1, false)
    );
    let error = results.finish().expect_err("part 0 is missing");
    assert_eq!(
        error.to_string(),
        format!(
            "{} is incomplete: 1 of 2 parts are not finished, the first of them 0; run the job again to resume",
            scratch.dir().display()
        )
    );
    assert!(matches!(
        read(&results),
        Err(DatasetError::Incomplete { .. })
    ));
    commit(&results, 0, &rows_of(0)).expect("commits");
    assert!(
        !results.status().expect("readable").complete,
        "no manifest yet"
    );
    let manifest = results.finish().expect("complete");
    assert!(results.status().expect("readable").complete);
    assert_eq!(
        results.finish().expect("complete"),
        manifest,
        "finishing again changes nothing"
    );
    assert!(!scratch.dir().join("tmp").exists());
    assert_eq!(
        names(&scratch.dir().join("parts")),
        ["part-00000.parquet", "part-00001.parquet"]
    );
}

#[test]
fn a_dropped_writer_leaves_nothing() {
    let scratch = Scratch::new(1);
    let results = scratch.create();
    let mut writer = results.part_writer(0, 0).expect("part 0");
    writer.push_batch(&rows_of(0)).expect("the rows fit");
    assert_eq!(names(&scratch.dir().join("tmp")).len(), 2);
    drop(writer);
    for folder in ["tmp", "parts", "forms", "records"] {
        assert_eq!(names(&scratch.dir().join(folder)), [""; 0], "{folder}");
    }
}

#[test]
fn leftovers_of_dead_writers_are_swept_and_live_ones_stay() {
    let scratch = Scratch::new(1);
    let results = scratch.create();
    let leftover = scratch.dir().join("tmp/positions-00000.1-0.tmp");
    fs::create_dir(scratch.dir().join("tmp")).expect("there is none yet");
    overwrite(&leftover, b"PAR1 and then the power went");
    let mut writer = results.part_writer(0, 0).expect("part 0");
    let again = scratch.create();
    assert!(!leftover.exists());
    assert_eq!(
        names(&scratch.dir().join("tmp")).len(),
        2,
        "the live writer's files stay"
    );
    writer.push_batch(&rows_of(0)).expect("the rows fit");
    writer
        .commit()
        .expect("commits, though another process has swept");
    assert_eq!(read(&again).expect("whole"), rows_of(0));
}

#[test]
fn a_part_without_record_is_not_trusted() {
    let scratch = Scratch::new(1);
    let results = scratch.complete();
    let whole = fs::read(part(&scratch, 0)).expect("the part");
    let other = {
        let other = Scratch::new(1);
        commit(&other.create(), 0, &[row(30)]).expect("commits");
        fs::read(part(&other, 0)).expect("the part")
    };
    // The same bytes, other rows, and a torn file: all that an interrupted commit can leave.
    for left in [whole.as_slice(), &other, &whole[..whole.len() / 2], b""] {
        for file in [record(&scratch, 0), scratch.dir().join("manifest.json")] {
            fs::remove_file(file).expect("a committed file");
        }
        overwrite(&part(&scratch, 0), left);
        let results = scratch.create();
        assert_eq!(results.finished().expect("readable"), [0_u32; 0]);
        assert!(read(&results).is_err());
        let found = results.verify().expect("readable");
        assert_eq!(found.unfinished, [0]);
        assert_eq!(found.unrecorded.len(), 2);
        commit(&results, 0, &rows_of(0)).expect("commits");
        results.finish().expect("complete");
        assert_eq!(fs::read(part(&scratch, 0)).expect("the part"), whole);
        assert_eq!(read(&results).expect("whole"), rows_of(0));
    }
    assert!(results.verify().expect("readable").damage.is_empty());
}

#[test]
fn a_stop_between_the_two_files_is_mended() {
    let scratch = Scratch::new(1);
    let results = scratch.complete();
    results.discard(0).expect("removable");
    let mut writer = results.part_writer(0, 0).expect("part 0");
    writer.push_batch(&rows_of(0)).expect("the rows fit");
    // Without a folder for the second file, the commit stops after linking the first.
    let forms = scratch.dir().join("forms");
    fs::remove_dir(&forms).expect("forms is empty");
    let error = writer.commit().expect_err("nowhere to link to");
    assert!(
        error.to_string().contains(&forms.display().to_string()),
        "{error}"
    );
    assert!(part(&scratch, 0).exists());
    let results = scratch.create();
    assert_eq!(results.finished().expect("readable"), [0_u32; 0]);
    assert_eq!(names(&scratch.dir().join("tmp")), [""; 0]);
    commit(&results, 0, &rows_of(0)).expect("commits");
    results.finish().expect("complete");
    assert_eq!(read(&results).expect("whole"), rows_of(0));
}

#[test]
fn an_unrecorded_part_of_the_same_rows_is_kept() {
    let scratch = Scratch::new(1);
    let results = scratch.complete();
    let modified = || {
        fs::metadata(part(&scratch, 0))
            .and_then(|part| part.modified())
            .expect("the part")
    };
    let before = modified();
    fs::remove_file(record(&scratch, 0)).expect("the record");
    commit(&results, 0, &rows_of(0)).expect("commits");
    assert_eq!(modified(), before);
}

#[test]
fn a_record_without_its_part_is_redone() {
    let scratch = Scratch::new(2);
    let results = scratch.complete();
    fs::remove_file(part(&scratch, 1)).expect("the part");
    let error = read(&results).expect_err("a part is missing");
    assert!(error.is_damage());
    assert_eq!(
        error.to_string(),
        format!(
            "{} is missing, though {} names it; run the job again to recompute its rows",
            part(&scratch, 1).display(),
            record(&scratch, 1).display()
        )
    );
    let results = scratch.create();
    assert_eq!(results.finished().expect("readable"), [0]);
    assert!(!results.status().expect("readable").complete);
    commit(&results, 1, &rows_of(1)).expect("commits");
    results.finish().expect("complete");
    assert_eq!(read(&results).expect("whole"), scratch.all_rows());
}

#[test]
fn two_workers_on_one_part_are_harmless_unless_they_disagree() {
    let scratch = Scratch::new(1);
    let results = scratch.create();
    let mut first = results.part_writer(0, 0).expect("part 0");
    let mut second = results.part_writer(0, 0).expect("part 0");
    first.push_batch(&rows_of(0)).expect("the rows fit");
    second.push_batch(&rows_of(0)).expect("the rows fit");
    let record_of_first = first.commit().expect("commits");
    assert_eq!(second.commit().expect("commits"), record_of_first);

    let error = commit(&results, 0, &rows_of(5)).expect_err("other rows");
    assert!(
        matches!(error, DatasetError::Disagreement { .. }),
        "{error}"
    );
    assert!(
        error
            .to_string()
            .contains(&record(&scratch, 0).display().to_string())
    );
    assert_eq!(
        read(&results).expect("whole"),
        rows_of(0),
        "the first answer stays"
    );

    // A new code version writes other metadata, so its bytes differ without being wrong.
    let newer = ResultHeader {
        code_version: "0.2.0".into(),
        ..scratch.header.clone()
    };
    let newer = ResultSet::open_or_create(&scratch.dir(), &newer).expect("a warning only");
    assert_eq!(
        commit(&newer, 0, &rows_of(0)).expect("commits"),
        record_of_first
    );
    assert_eq!(names(&scratch.dir().join("tmp")), [""; 0]);
}

#[test]
fn results_of_two_code_versions_name_both() {
    let scratch = Scratch::new(2);
    commit(&scratch.create(), 0, &rows_of(0)).expect("commits");
    let newer = ResultHeader {
        code_version: "0.2.0".into(),
        ..scratch.header.clone()
    };
    let newer = ResultSet::open_or_create(&scratch.dir(), &newer).expect("a warning only");
    assert_eq!(newer.finished().expect("readable"), [0]);
    commit(&newer, 1, &rows_of(1)).expect("commits");
    assert_eq!(
        newer.finish().expect("complete").code_versions,
        ["0.1.0", "0.2.0"]
    );
    assert!(newer.verify().expect("readable").damage.is_empty());
}

#[test]
fn another_job_is_refused_with_both_digests_and_the_remedy() {
    let scratch = Scratch::new(1);
    scratch.complete();
    let mut changed = ResultHeader {
        job_digest: Digest::of(b"changed"),
        ..scratch.header.clone()
    };
    changed.tables.may_grow = true;
    let refused = || {
        let error =
            ResultSet::open_or_create(&scratch.dir(), &changed).expect_err("another digest");
        assert!(!error.is_damage());
        error.to_string()
    };
    let text = refused();
    for needle in [
        scratch.header.job_digest.to_string(),
        changed.job_digest.to_string(),
        scratch.dir().display().to_string(),
        "a file that the spec names has changed; run the job, which keeps these rows if it has all of them, or give \
         the job another name"
            .to_owned(),
        "choose another --out, or remove the directory".to_owned(),
    ] {
        assert!(text.contains(&needle), "{text}");
    }
    assert!(
        ResultSet::open(&scratch.dir(), &changed).is_err(),
        "for reading too"
    );
    fs::remove_file(record(&scratch, 0)).expect("the record");
    assert_eq!(refused(), text, "the manifest alone tells, too");
}

#[test]
fn another_plan_for_the_same_job_is_refused() {
    let scratch = Scratch::new(2);
    scratch.complete();
    for (header, expected) in [
        (
            ResultHeader {
                parts: 3,
                ..scratch.header.clone()
            },
            "3 parts and variables n, m",
        ),
        (
            ResultHeader {
                tables: Tables::of_positions(vec![]),
                ..scratch.header.clone()
            },
            "2 parts and no variables",
        ),
    ] {
        let error = ResultSet::open_or_create(&scratch.dir(), &header).expect_err(expected);
        assert_eq!(
            error.to_string(),
            format!(
                "{} was begun with 2 parts and variables n, m, but this run has {expected}: \
                 an earlier version cut the job differently; \
                 remove the directory or choose another --out (values in the store are used again)",
                scratch.dir().display()
            )
        );
    }
}

#[test]
fn a_part_that_is_not_there_is_refused() {
    let scratch = Scratch::new(2);
    let error = scratch
        .create()
        .part_writer::<PositionRow>(2, 0)
        .err()
        .expect("there are parts 0 and 1");
    assert_eq!(
        error.to_string(),
        format!("{} has parts 0 to 1, not 2", scratch.dir().display())
    );
}

#[test]
fn an_unusable_directory_is_named() {
    let scratch = Scratch::new(1);
    // Not even root can create anything below a regular file.
    let file = scratch.folder.path().join("file");
    overwrite(&file, b"not a directory");
    let dir = file.join("results");
    let error = ResultSet::open_or_create(&dir, &scratch.header).expect_err("below a file");
    let text = error.to_string();
    assert!(
        text.starts_with(&format!("cannot create the directory {}: ", file.display())),
        "{text}"
    );
    assert!(!error.is_damage());

    let absent = scratch.folder.path().join("absent");
    let error = ResultSet::open(&absent, &scratch.header).expect_err("no such directory");
    assert!(error.to_string().starts_with(&format!(
        "cannot open the results in {}: ",
        absent.display()
    )));
    assert!(!absent.exists());

    let results = scratch.create();
    fs::write(scratch.dir().join("tmp"), "in the way").expect("there is none yet");
    let error = results
        .part_writer::<PositionRow>(0, 0)
        .err()
        .expect("nowhere to write");
    assert!(
        error
            .to_string()
            .contains(&scratch.dir().join("tmp").display().to_string()),
        "{error}"
    );
}

#[test]
fn a_discarded_part_is_computed_anew() {
    let scratch = Scratch::new(2);
    let results = scratch.complete();
    results.discard(0).expect("removable");
    assert_eq!(results.finished().expect("readable"), [1]);
    assert_eq!(names(&scratch.dir().join("parts")), ["part-00001.parquet"]);
    assert!(!scratch.dir().join("manifest.json").exists());
    commit(&results, 0, &rows_of(0)).expect("commits");
    results.finish().expect("complete");
    assert_eq!(read(&results).expect("whole"), scratch.all_rows());
}
