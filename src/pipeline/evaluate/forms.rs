//! The forms that the values of a part need, for the table `forms`.

use std::collections::HashSet;

use cgvalues::{Arena, Digester, Kind, ValueDigest, ValueId, ValueMap};

use foldhash::fast::RandomState;

use crate::dataset::{DatasetError, FormRow};

/// A form and its kind of value.
pub(crate) type FormOfKind = (ValueId, Kind);

/// Writes each form that a part needs once. Options come before the forms that have them.
///
/// The order depends only on the values in the part and their digests, never on ids.
pub(crate) struct FormCollector<'a> {
    arena: &'a Arena,
    /// The digests of the forms that are written.
    written: ValueMap<[u8; 16]>,
    /// Those of the loopy ones.
    loopy: HashSet<[u8; 16], RandomState>,
    /// Computes the digests of forms that are not written.
    digester: Digester<'a>,
    /// The current form, last, after the unwritten forms of which it is a follower.
    path: Vec<ValueId>,
    encoding: Vec<u8>,
    row: FormRow,
}

impl<'a> FormCollector<'a> {
    pub(crate) fn new(arena: &'a Arena) -> FormCollector<'a> {
        FormCollector {
            arena,
            written: ValueMap::default(),
            loopy: HashSet::default(),
            digester: Digester::new(arena),
            path: Vec::new(),
            encoding: Vec::new(),
            row: FormRow::default(),
        }
    }

    /// Writes a form of this kind and its followers, unless they are written already, and returns the form's digest.
    pub(crate) fn collect(
        &mut self,
        (form, kind): FormOfKind,
        push: &mut dyn FnMut(&FormRow) -> Result<(), DatasetError>,
    ) -> Result<[u8; 16], DatasetError> {
        let value = form;
        self.path.clear();
        self.path.push(form);
        while let Some(&form) = self.path.last() {
            if self.written.contains_key(&form) {
                self.path.pop();
                continue;
            }
            if !self.has_written_options(form) {
                self.add_options(form);
                continue;
            }
            let row = &mut self.row;
            row.left_options.sort_unstable();
            row.right_options.sort_unstable();
            let encoding = &mut self.encoding;
            row.value_digest =
                ValueDigest::of_options(&row.left_options, &row.right_options, encoding).0;
            let kind = if form == value {
                kind
            } else {
                Kind::of(self.arena, form)
            };
            row.kind = kind.name().into();
            push(row)?;
            self.written.insert(form, row.value_digest);
            self.path.pop();
        }
        Ok(self.written[&value])
    }

    /// Writes the loopy forms that a value needs and that are not written already, after the short ones.
    pub(crate) fn collect_loopy(
        &mut self,
        (rows, shorts): &(Vec<FormRow>, Vec<ValueId>),
        push: &mut dyn FnMut(&FormRow) -> Result<(), DatasetError>,
    ) -> Result<(), DatasetError> {
        for &short in shorts {
            self.collect((short, Kind::of(self.arena, short)), push)?;
        }
        for row in rows {
            if self.loopy.insert(row.value_digest) {
                push(row)?;
            }
        }
        Ok(())
    }

    /// Puts the digests of a form's options in the row. Returns whether all of the options are written.
    fn has_written_options(&mut self, form: ValueId) -> bool {
        let form = self.arena.form(form);
        let FormRow {
            left_options,
            right_options,
            ..
        } = &mut self.row;
        digests_of(form.left(), &self.written, left_options).is_some()
            && digests_of(form.right(), &self.written, right_options).is_some()
    }

    /// Adds the unwritten options of a form to the path: Left's by digest, and then Right's.
    fn add_options(&mut self, form: ValueId) {
        let form = self.arena.form(form);
        self.add(form.left());
        self.add(form.right());
    }

    fn add(&mut self, options: impl Iterator<Item = ValueId>) {
        let first = self.path.len();
        self.path
            .extend(options.filter(|option| !self.written.contains_key(option)));
        if let unwritten @ [_, _, ..] = &mut self.path[first..] {
            unwritten.sort_by_cached_key(|&option| self.digester.digest(option).0);
        }
    }
}

/// Replaces digests by those of some options, or returns `None` if an option is not written.
fn digests_of(
    options: impl Iterator<Item = ValueId>,
    written: &ValueMap<[u8; 16]>,
    digests: &mut Vec<[u8; 16]>,
) -> Option<()> {
    digests.clear();
    for option in options {
        digests.push(*written.get(&option)?);
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use proptest::prelude::*;

    use super::*;

    /// Terms whose sums have forms in common.
    const TERMS: [&str; 8] = [
        "1/2",
        "*2",
        "^",
        "v*",
        "{1|0}",
        "+-{1,{2|0}}",
        "Tiny(2)",
        "{0||1|-1}",
    ];

    proptest! {
        /// Each form comes once, after its options, with the digests that a digester finds for it and for them, and in an
        /// order that does not depend on which form was stored first.
        #[test]
        fn forms_come_once_and_after_their_options(sums in prop::collection::vec(prop::collection::vec(prop::sample::select(&TERMS[..]), 1..5), 1..6)) {
            let rows = |reversed: bool| {
                let arena = Arena::new();
                let mut calculator = arena.calculator();
                let mut build = |terms: &Vec<&str>| calculator.parse(&terms.join(" + ")).expect("a value");
                let values: Vec<ValueId> = if reversed { let mut values: Vec<ValueId> = sums.iter().rev().map(&mut build).collect();
                        values.reverse();
                        values } else { sums.iter().map(&mut build).collect() };
                let mut digester = Digester::new(&arena);
                let mut forms = FormCollector::new(&arena);
                let mut rows = Vec::new();
                for value in values {
                    let digest = forms.collect((value, Kind::of(&arena, value)), &mut |row| {
                        rows.push(row.clone());
                        Ok(())
                    });
                    assert_eq!(digest.expect("rows are taken"), digester.digest(value).0);
                }
                for (&form, &digest) in &forms.written {
                    let row = rows.iter().find(|row| row.value_digest == digest).expect("written");
                    let mut sorted = |options: Vec<ValueId>| {
                        let digests = options.into_iter().map(|id| digester.digest(id).0);
                        let mut digests: Vec<_> = digests.collect();
                        digests.sort_unstable();
                        digests
                    };
                    assert_eq!(row.left_options, sorted(arena.left_options(form)));
                    assert_eq!(row.right_options, sorted(arena.right_options(form)));
                    assert_eq!(row.kind, Kind::of(&arena, form).name());
                }
                assert_eq!(rows.len(), forms.written.len());
                rows
            };
            let all = rows(false);
            let mut places = HashMap::new();
            for (place, row) in all.iter().enumerate() {
                let options = row.left_options.iter().chain(&row.right_options);
                for option in options {
                    assert!(places.contains_key(option), "{place}");
                }
                assert_eq!(places.insert(row.value_digest, place), None);
            }
            assert_eq!(all, rows(true));
        }
    }
}
