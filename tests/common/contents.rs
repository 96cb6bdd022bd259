//! All contents of a store, in a form that does not depend on its layout.

use std::collections::BTreeMap;

use seedbank::store::{Reader, SegmentReader, form_index, form_negated};

/// A game written out in full with its options sorted: the slow and obvious way to compare values
/// of different segments. The negative is written by exchanging the sides at every level, so it
/// does not matter which of the two forms the store holds.
fn spell(segment: &SegmentReader, reference: u32) -> String {
    fn write(segment: &SegmentReader, index: u32, negated: bool) -> String {
        let form = segment.form(index).unwrap();
        let side = |options: Vec<u32>| {
            let option =
                |option: u32| write(segment, form_index(option), form_negated(option) != negated);
            let mut texts: Vec<String> = options.into_iter().map(option).collect();
            texts.sort_unstable();
            texts.concat()
        };
        let (left, right) = (side(form.left().collect()), side(form.right().collect()));
        match negated {
            false => format!("{{{left}|{right}}}"),
            true => format!("{{{right}|{left}}}"),
        }
    }
    write(segment, form_index(reference), form_negated(reference))
}

/// All keys of a store with their values, forms written out in full.
pub(crate) fn contents(reader: &Reader) -> BTreeMap<u128, String> {
    let mut all = BTreeMap::new();
    for (key, hit) in reader.iter().unwrap() {
        assert_eq!(reader.get(key).unwrap(), Some(hit), "key {key:#x}");
        let segment = &reader.segments()[hit.segment];
        let text = match segment.forms_len() {
            0 => hit.value.to_string(),
            _ => spell(segment, hit.value),
        };
        assert_eq!(all.insert(key, text), None, "key {key:#x} comes twice");
    }
    all
}
