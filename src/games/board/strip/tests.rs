use super::*;

fn strip(pots: &[u8]) -> Strip {
    let mut strip = Strip {
        len: pots.len(),
        ..Strip::default()
    };
    strip.pots[..pots.len()].copy_from_slice(pots);
    strip
}

#[test]
fn every_count_has_its_own_code_and_reads_back() {
    for seeds in 0..=255 {
        for ends in 0..4 {
            let mut one = strip(&[1, seeds, 2]);
            (one.endless_left, one.endless_right) = (ends & 1 != 0, ends & 2 != 0);
            let (key, mirrored) = one.key().unwrap();
            let back = Strip::position_of(key);
            assert_eq!(if mirrored { back.mirror() } else { back }, one);
        }
    }
}

#[test]
fn short_strips_have_distinct_keys_but_for_mirror_images() {
    let mut keys = std::collections::HashMap::new();
    for code in 0..4096u32 {
        let pots: Vec<u8> = (0..6).map(|i| (code >> (2 * i) & 3) as u8).collect();
        let one = strip(&pots);
        let (key, mirrored) = one.key().unwrap();
        assert_eq!(mirrored, one.mirror().pots() < one.pots());
        if let Some(other) = keys.insert(key, one) {
            assert_eq!(other, one.mirror());
        }
    }
}

#[test]
fn stored_keys_that_no_position_has_are_told_from_others() {
    let mut have = std::collections::HashSet::new();
    for code in 0..1u32 << 16 {
        let pots: Vec<u8> = (0..8).map(|i| (code >> (2 * i) & 3) as u8).collect();
        have.insert(strip(&pots).key().unwrap().0);
    }
    // All codes of fewer than 17 bits are of rows of at most 8 pots or of pots with more than 3
    // seeds.
    let mut found = 0;
    for key in 0..1u128 << 17 {
        let stored = Strip::position_of_stored(key);
        if have.contains(&key) {
            assert_eq!(stored, Some(Strip::position_of(key)), "key {key:#x}");
            found += 1;
        } else if let Some(strip) = stored {
            assert_eq!(strip.key().unwrap(), (key, false), "key {key:#x}");
        }
    }
    assert!(found > 1000);
    for key in [u128::MAX, 1 << 127, 3 << 126, u128::MAX / 3, (1 << 126) - 1] {
        if let Some(strip) = Strip::position_of_stored(key) {
            assert_eq!(strip.key().unwrap(), (key, false), "key {key:#x}");
        }
    }
}

#[test]
fn a_row_of_ones_fits_64_bits_up_to_thirty_pots() {
    assert!(strip(&[1; 30]).key().unwrap().0 < 1 << 64);
    assert!(strip(&[1; 31]).key().unwrap().0 >= 1 << 64);
}

#[test]
fn a_key_too_long_is_an_error_and_never_a_wrong_key() {
    assert!(strip(&[1; 62]).key().is_ok());
    let error = strip(&[1; 63]).key().unwrap_err();
    assert!(error.to_string().contains("127 bits"), "{error}");
    assert!(strip(&[200; 120]).key().is_err());
    assert!(strip(&[0; 124]).key().is_ok());
}
