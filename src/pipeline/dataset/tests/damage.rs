//! A changed byte never leads to a wrong row.

use super::*;

#[test]
fn a_flipped_byte_in_a_part_is_an_error_and_verify_names_it() {
    let scratch = Scratch::new(2);
    let results = scratch.complete();
    for file in [
        part(&scratch, 1),
        scratch.dir().join("forms/part-00001.parquet"),
    ] {
        let whole = fs::read(&file).expect("the file");
        for place in 0..whole.len() {
            let mut bytes = whole.clone();
            bytes[place] ^= 1 << (place % 8);
            overwrite(&file, &bytes);
            let found = results.verify().expect("readable");
            assert_eq!(found.damage.len(), 1, "byte {place}");
            assert_eq!(found.files_whole, 3);
            if !place.is_multiple_of(whole.len() / 150) {
                continue;
            }
            let text = found.damage[0].to_string();
            assert!(
                found.damage[0].is_damage() && text.contains(&file.display().to_string()),
                "{text}"
            );
            let positions: Vec<Result<PositionRow, _>> =
                results.read_positions().expect("complete").collect();
            let forms: Vec<Result<FormRow, _>> = results.read_forms().expect("complete").collect();
            // Part 0 is whole and comes first; part 1 yields the error and no row.
            let error = if file == part(&scratch, 1) {
                assert_eq!((positions.len(), forms.len()), (4, 2));
                positions[3].as_ref().err()
            } else {
                assert_eq!((positions.len(), forms.len()), (6, 2));
                forms[1].as_ref().err()
            };
            assert!(error.expect("the flipped byte is noticed").is_damage());
        }
        overwrite(&file, &whole);
    }
    let found = results.verify().expect("readable");
    assert!(found.damage.is_empty() && found.unfinished.is_empty() && found.unrecorded.is_empty());
    assert_eq!(found.files_whole, 4);
}

#[test]
fn the_remedy_for_a_flipped_byte_works() {
    let scratch = Scratch::new(1);
    let results = scratch.complete();
    let mut bytes = fs::read(part(&scratch, 0)).expect("the part");
    bytes[100] ^= 1;
    overwrite(&part(&scratch, 0), &bytes);
    let error = read(&results).expect_err("damaged");
    let remedy = format!(
        "remove {} and run the job again",
        record(&scratch, 0).display()
    );
    assert!(error.to_string().contains(&remedy), "{error}");

    // Committing the part again repairs it even while its record exists.
    commit(&results, 0, &rows_of(0)).expect("commits");
    results.finish().expect("complete");
    assert_eq!(read(&results).expect("whole"), rows_of(0));

    overwrite(&part(&scratch, 0), &bytes);
    fs::remove_file(record(&scratch, 0)).expect("the record");
    let results = scratch.create();
    assert_eq!(results.finished().expect("readable"), [0_u32; 0]);
    commit(&results, 0, &rows_of(0)).expect("commits");
    results.finish().expect("complete");
    assert_eq!(read(&results).expect("whole"), rows_of(0));
}

#[test]
fn a_truncated_part_is_redone() {
    let scratch = Scratch::new(2);
    scratch.complete();
    let whole = fs::read(part(&scratch, 0)).expect("the part");
    let lengths = [1, whole.len() - 1].into_iter();
    for length in lengths.chain((0..whole.len()).step_by(whole.len() / 20)) {
        overwrite(&part(&scratch, 0), &whole[..length]);
        let results = scratch.create();
        assert_eq!(results.finished().expect("readable"), [1], "{length} bytes");
        let error = read(&results).expect_err("truncated");
        assert!(
            error
                .to_string()
                .contains(&format!("expected {} bytes, found {length}", whole.len())),
            "{error}"
        );
        commit(&results, 0, &rows_of(0)).expect("commits");
        results.finish().expect("complete");
        assert_eq!(fs::read(part(&scratch, 0)).expect("the part"), whole);
    }
}

#[test]
fn a_changed_byte_in_a_record_is_noticed_wherever_it_is() {
    let scratch = Scratch::new(2);
    let results = scratch.complete();
    let whole = fs::read(record(&scratch, 1)).expect("the record");
    let spoilt = (0..whole.len())
        .flat_map(|place| [1_u8, 0x20].map(|flip| (place, flip)))
        .map(|(place, flip)| {
            let mut bytes = whole.clone();
            bytes[place] ^= flip;
            bytes
        })
        .chain(
            (0..whole.len())
                .step_by(50)
                .map(|length| whole[..length].to_vec()),
        )
        .chain([[whole.as_slice(), b"\n"].concat(), b"{}".to_vec()]);
    for bytes in spoilt {
        overwrite(&record(&scratch, 1), &bytes);
        assert_eq!(results.finished().expect("readable"), [0]);
        assert!(read(&results).expect_err("a damaged record").is_damage());
    }
    let results = scratch.create();
    assert_eq!(results.status().expect("readable").damage.len(), 1);
    assert!(!results.verify().expect("readable").damage.is_empty());
    commit(&results, 1, &rows_of(1)).expect("commits");
    assert_eq!(fs::read(record(&scratch, 1)).expect("the record"), whole);
    results.finish().expect("complete");
    assert_eq!(read(&results).expect("whole"), scratch.all_rows());
}

#[test]
fn a_changed_byte_in_the_manifest_is_noticed_and_mended() {
    let scratch = Scratch::new(1);
    let results = scratch.complete();
    let path = scratch.dir().join("manifest.json");
    let whole = fs::read(&path).expect("the manifest");
    for place in 0..whole.len() {
        let mut bytes = whole.clone();
        bytes[place] ^= 1;
        overwrite(&path, &bytes);
        let status = results.status().expect("readable");
        assert!(!status.complete && status.damage.len() == 1, "byte {place}");
    }
    assert_eq!(results.verify().expect("readable").damage.len(), 1);
    scratch
        .create()
        .finish()
        .expect("the manifest is rewritten");
    assert_eq!(fs::read(&path).expect("the manifest"), whole);
    assert!(results.status().expect("readable").complete);
}

#[test]
fn files_swapped_between_parts_are_noticed() {
    let scratch = Scratch::new(2);
    let results = scratch.complete();
    let records = [0, 1].map(|index| fs::read(record(&scratch, index)).expect("a record"));
    overwrite(&record(&scratch, 0), &records[1]);
    let error = read(&results).expect_err("the record of another part");
    assert!(
        error.is_damage() && error.to_string().contains("it is the record of part 1"),
        "{error}"
    );
    overwrite(&record(&scratch, 0), &records[0]);
    let parts = [0, 1].map(|index| fs::read(part(&scratch, index)).expect("a part"));
    overwrite(&part(&scratch, 0), &parts[1]);
    assert!(
        read(&results)
            .expect_err("the file of another part")
            .is_damage()
    );
}

#[test]
fn a_lost_record_of_a_complete_result_set_is_named() {
    let scratch = Scratch::new(2);
    let results = scratch.complete();
    fs::remove_file(record(&scratch, 1)).expect("the record");
    let found = results.verify().expect("readable");
    assert_eq!(found.unfinished, [1]);
    let [missing] = found.damage.as_slice() else {
        panic!("expected one missing record, found {:?}", found.damage);
    };
    assert!(
        missing
            .to_string()
            .starts_with(&record(&scratch, 1).display().to_string()),
        "{missing}"
    );
}

#[test]
fn a_record_of_a_later_format_is_foreign_and_not_damage() {
    let scratch = Scratch::new(1);
    scratch.complete();
    let text = fs::read_to_string(record(&scratch, 0)).expect("the record");
    let (_, rest) = text.split_once('\n').expect("two parts");
    let rest = rest.replace(
        "\"format_version\": 6",
        "\"format_version\": 7, \"new\": true",
    );
    let sealed = format!("{{\"blake3\":\"{}\",\n{rest}", Digest::of(rest.as_bytes()));
    overwrite(&record(&scratch, 0), sealed.as_bytes());
    let error = ResultSet::open_or_create(&scratch.dir(), &scratch.header).expect_err("format 7");
    assert!(!error.is_damage());
    assert_eq!(
        error.to_string(),
        format!(
            "{} has result format 7, but this seedbank reads formats 4 to 6; \
             use the seedbank that wrote it, or remove the directory",
            record(&scratch, 0).display()
        )
    );
}
