//! Taking in what another store holds.

use super::forms::{FormTable, form_index, form_negated, form_ref};
use super::{Reader, SegmentContents, SegmentReader, Store, StoreError, Writer};

impl Writer {
    /// Seals the values of another store that this one lacks, and returns how many there were.
    ///
    /// Forms are numbered anew, those that values need and no others. Values without forms are compared where both stores have the
    /// key; of values with forms the store cannot tell whether two are equal (see [`seal`](Self::seal)), and those that are here
    /// stay. What the other store has damaged is left out, with a warning. The other store is only read, and taking it in a second time
    /// adds nothing. Memory: the records and forms of its largest segment, about 40 bytes a record and 20 a form.
    ///
    /// # Errors
    ///
    /// [`StoreError::Conflict`] for a key that has another value here; [`StoreError::Io`]. What was sealed before stays.
    ///
    /// ```
    /// use seedbank::store::{FormTable, Namespace, SegmentContents, Store};
    ///
    /// let dir = tempfile::tempdir()?;
    /// let namespace = Namespace::new("sowing", 1, "impartial");
    /// let store = |name: &str| Store::open(&dir.path().join(name));
    /// let (ours, theirs) = (store("ours")?, store("theirs")?);
    /// for (store, records) in [(&ours, vec![(1, 10)]), (&theirs, vec![(1, 10), (2, 20)])] {
    ///     let (namespace, forms) = (namespace.clone(), FormTable::new());
    ///     store.writer()?.seal(SegmentContents { namespace, records, forms })?;
    /// }
    /// let mut writer = ours.writer()?;
    /// assert_eq!(writer.import(&theirs)?, 1);
    /// assert_eq!(writer.import(&theirs)?, 0);
    /// assert_eq!(ours.reader(&namespace).get(2)?.map(|hit| hit.value), Some(20));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn import(&mut self, other: &Store) -> Result<u64, StoreError> {
        for refused in other.refused() {
            tracing::warn!("its values are not taken: {}", refused.error);
        }
        let mut taken = 0;
        for segment in other.segments() {
            if let Err(damage) = segment.check() {
                tracing::warn!("its values are not taken: {damage}");
                continue;
            }
            // A repeated key is new in the newest segment only, as look-ups have it; so the newest comes first.
            let here = self.reader(segment.namespace());
            taken += self.import_segment(&segment, &here)?;
        }
        Ok(taken)
    }

    fn import_segment(
        &mut self,
        segment: &SegmentReader,
        here: &Reader,
    ) -> Result<u64, StoreError> {
        let mut records = Vec::new();
        for (key, value) in segment.iter()? {
            match here.get(key)? {
                None => records.push((key, value)),
                Some(hit) if segment.forms_len() > 0 || hit.value == value => {}
                Some(hit) => {
                    return Err(StoreError::Conflict {
                        namespace: segment.namespace().clone(),
                        key,
                        first: hit.value,
                        second: value,
                    });
                }
            }
        }
        if records.is_empty() {
            return Ok(0);
        }
        let forms = forms_needed(segment, &mut records)?;
        let taken = records.len() as u64;
        self.seal(SegmentContents {
            namespace: segment.namespace().clone(),
            records,
            forms,
        })?;
        Ok(taken)
    }
}

/// Returns the table of the forms that some records of a segment need, to which these then refer.
fn forms_needed(
    segment: &SegmentReader,
    records: &mut [(u128, u32)],
) -> Result<FormTable, StoreError> {
    let refuse = |error: super::FormError| StoreError::Contents {
        namespace: segment.namespace().clone(),
        reason: error.to_string(),
    };
    let mut all = FormTable::new();
    let count = u32::try_from(segment.forms_len()).map_err(|_| refuse(super::FormError::Full))?;
    for index in 0..count {
        let form = segment.form(index)?;
        let (left, right): (Vec<u32>, Vec<u32>) = (form.left().collect(), form.right().collect());
        all.push(&left, &right).map_err(refuse)?;
    }
    if all.is_empty() {
        return Ok(all);
    }
    if let Some((key, value)) = records
        .iter()
        .find(|(_, value)| form_index(*value) >= count)
    {
        return Err(StoreError::Contents {
            namespace: segment.namespace().clone(),
            reason: format!(
                "the value of key {key:#x} refers to form {} of {count}",
                form_index(*value)
            ),
        });
    }
    let (needed, renumbered) = all.closure(records.iter().map(|&(_, value)| value));
    for (_, value) in records {
        *value = form_ref(
            renumbered[form_index(*value) as usize],
            form_negated(*value),
        );
    }
    Ok(needed)
}

#[cfg(test)]
mod tests {
    use super::super::Namespace;
    use super::*;

    /// 0, 1, 2, ..., each the form {n-1|}, and the keys whose values they are.
    fn numbers(namespace: &Namespace, keys: &[(u128, u32)]) -> SegmentContents {
        let mut forms = FormTable::new();
        let mut options: Vec<u32> = Vec::new();
        for number in 0..9 {
            forms.push(&options, &[]).unwrap();
            options = vec![form_ref(number, false)];
        }
        let records = keys
            .iter()
            .map(|&(key, number)| (key, form_ref(number, key == 5)));
        SegmentContents {
            namespace: namespace.clone(),
            records: records.collect(),
            forms,
        }
    }

    /// Returns how deep the form of a key is, and whether the key has its negative.
    fn number(reader: &Reader, key: u128) -> Option<(u32, bool)> {
        let hit = reader.get(key).unwrap()?;
        let segment = &reader.segments()[hit.segment];
        let mut depth = 0;
        let mut index = form_index(hit.value);
        while let Some(option) = segment.form(index).unwrap().left().next() {
            index = form_index(option);
            depth += 1;
        }
        Some((depth, form_negated(hit.value)))
    }

    #[test]
    fn values_with_forms_are_taken_in_with_what_they_need() {
        let dir = tempfile::tempdir().unwrap();
        let namespace = Namespace::new("sowing", 1, "partisan");
        let ours = Store::open(&dir.path().join("ours")).unwrap();
        let theirs = Store::open(&dir.path().join("theirs")).unwrap();
        let wide = 1u128 << 100;
        let mut writer = ours.writer().unwrap();
        writer.seal(numbers(&namespace, &[(1, 1), (2, 8)])).unwrap();
        let mut their_writer = theirs.writer().unwrap();
        their_writer
            .seal(numbers(&namespace, &[(2, 8), (5, 3), (wide, 2)]))
            .unwrap();
        their_writer.seal(numbers(&namespace, &[(6, 0)])).unwrap();
        assert_eq!(writer.import(&theirs).unwrap(), 3);
        assert_eq!(writer.import(&theirs).unwrap(), 0);
        let reader = ours.reader(&namespace);
        let found = [1, 2, 5, 6, wide, 7].map(|key| number(&reader, key));
        let expected = [
            Some((1, false)),
            Some((8, false)),
            Some((3, true)),
            Some((0, false)),
            Some((2, false)),
            None,
        ];
        assert_eq!(found, expected);
        // Four of nine forms are needed, and one.
        let forms: Vec<u64> = reader.segments().iter().map(|s| s.forms_len()).collect();
        assert_eq!(forms, [9, 1, 4]);
        assert!(
            ours.verify()
                .iter()
                .all(|report| report.problems.is_empty())
        );
    }

    #[test]
    fn other_values_of_a_key_are_a_conflict() {
        let dir = tempfile::tempdir().unwrap();
        let store = |name: &str, value| {
            let store = Store::open(&dir.path().join(name)).unwrap();
            let contents = SegmentContents {
                namespace: Namespace::new("sowing", 1, "impartial"),
                records: vec![(1, value)],
                forms: FormTable::new(),
            };
            store.writer().unwrap().seal(contents).unwrap();
            store
        };
        let (ours, theirs) = (store("ours", 3), store("theirs", 4));
        let error = ours.writer().unwrap().import(&theirs).unwrap_err();
        let conflict = matches!(
            error,
            StoreError::Conflict {
                key: 1,
                first: 3,
                second: 4,
                ..
            }
        );
        assert!(conflict, "{error}");
    }
}
