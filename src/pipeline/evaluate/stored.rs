//! The representation of values in the store: nim-values and outcomes as they are, canonical forms by reference to a table.

use std::sync::MutexGuard;

use cggames::board::Key;
use cgsolvers::sweep::{InNibbles, SweepValuation};
use cgsolvers::{CanonicalForms, EngineError, Formed, MisereOutcomes, NimValuesUnder, Word};
use cgvalues::{Arena, Calculator, ValueId};
use hashbrown::{HashMap, HashSet};
use valuestore::{FormError, FormTable, form_index, form_negated, form_ref};

use super::translation::Translation;

/// A valuation whose values the store can hold.
pub(crate) trait Stored: Formed + SweepValuation + 'static {
    /// The valuation of [`narrow`](Stored::narrow).
    type Narrow: SweepValuation;

    /// Returns a valuation with the same contents in narrower cells, if there is one; there, large contents are not exact.
    fn narrow(&self) -> Option<&Self::Narrow>;

    /// The greatest record of a value, if values refer to no forms; then a record is one less than the word.
    const RECORD_MAX: u32 = u32::MAX - 2;

    /// Returns the size of the forms that the values of some positions refer to. The default is for values that refer to none.
    fn forms_needed(&self, _values: &[(Key, Word)]) -> FormsNeeded {
        FormsNeeded::default()
    }

    /// Returns the records of some positions, and the forms that their values refer to. The default is for values that refer to
    /// none.
    fn contents(
        &self,
        values: impl Iterator<Item = (Key, Word)>,
        _needed: FormsNeeded,
    ) -> Result<(Vec<(Key, u32)>, FormTable), FormError> {
        let records = values.map(|(key, word)| (key, word.get() - 1)).collect();
        Ok((records, FormTable::new()))
    }

    /// Returns the value that a record of a segment stands for. The default is for values that refer to no forms.
    fn restore<'c, 'a: 'c>(
        record: u32,
        _translation: &Translation<'_>,
        _calculator: &mut dyn FnMut() -> MutexGuard<'c, Calculator<'a>>,
    ) -> Result<Word, EngineError> {
        if record > Self::RECORD_MAX {
            return Err(EngineError::Known(
                format!("a record is {record}, above all values").into(),
            ));
        }
        Ok(Word::MIN.saturating_add(record))
    }
}

/// How large a table of forms is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct FormsNeeded {
    forms: usize,
    options: usize,
}

impl FormsNeeded {
    /// Returns the bytes needed to build the table: the table itself, and the places of the forms in it.
    pub(crate) fn bytes(self) -> u64 {
        // A hash table has a power of two of slots and is at most seven eighths full.
        let slots = (self.forms * 8 / 7 + 1).next_power_of_two();
        (slots * 9 + self.forms * 8 + self.options * 4) as u64
    }
}

impl<const MISERE: bool> Stored for NimValuesUnder<MISERE> {
    type Narrow = InNibbles<MISERE>;

    fn narrow(&self) -> Option<&InNibbles<MISERE>> {
        Some(&InNibbles)
    }
}

impl Stored for MisereOutcomes {
    type Narrow = MisereOutcomes;

    const RECORD_MAX: u32 = MisereOutcomes::WORD_MAX - 1;

    fn narrow(&self) -> Option<&MisereOutcomes> {
        None
    }
}

impl Stored for CanonicalForms {
    type Narrow = CanonicalForms;

    fn narrow(&self) -> Option<&CanonicalForms> {
        None
    }

    fn forms_needed(&self, values: &[(Key, Word)]) -> FormsNeeded {
        let mut met: HashSet<ValueId, foldhash::fast::RandomState> = HashSet::default();
        let mut options_len = 0;
        let mut path = Vec::new();
        for &(_, word) in values {
            path.push(CanonicalForms::value(word).unsigned());
            while let Some(form) = path.pop() {
                if !met.insert(form) {
                    continue;
                }
                let form = self.arena.form(form);
                options_len += form.left().len() + form.right().len();
                let options = form.left().chain(form.right()).map(ValueId::unsigned);
                path.extend(options.filter(|option| !met.contains(option)));
            }
        }
        FormsNeeded {
            forms: met.len(),
            options: options_len,
        }
    }

    fn contents(
        &self,
        values: impl Iterator<Item = (Key, Word)>,
        needed: FormsNeeded,
    ) -> Result<(Vec<(Key, u32)>, FormTable), FormError> {
        let mut forms = Numbered {
            arena: &self.arena,
            table: FormTable::with_capacity(needed.forms, needed.options),
            places: HashMap::with_capacity_and_hasher(needed.forms, Default::default()),
        };
        let records = values
            .map(|(key, word)| Ok((key, forms.reference(CanonicalForms::value(word))?)))
            .collect::<Result<_, FormError>>()?;
        Ok((records, forms.table))
    }

    fn restore<'c, 'a: 'c>(
        record: u32,
        translation: &Translation<'_>,
        calculator: &mut dyn FnMut() -> MutexGuard<'c, Calculator<'a>>,
    ) -> Result<Word, EngineError> {
        let form = form_index(record);
        let word = match translation.get(form) {
            Some(word) => word,
            None => translate(form, translation, &mut calculator())?,
        };
        let value = CanonicalForms::value(word).negated_if(form_negated(record));
        Ok(CanonicalForms::word(value))
    }
}

/// Forms as a table numbers them: options before the forms that have them.
struct Numbered<'a> {
    arena: &'a Arena,
    table: FormTable,
    places: HashMap<ValueId, u32, foldhash::fast::RandomState>,
}

impl Numbered<'_> {
    /// Returns the reference to a form, after entering it and all its followers.
    fn reference(&mut self, value: ValueId) -> Result<u32, FormError> {
        let mut path = vec![value.unsigned()];
        while let Some(&form) = path.last() {
            if self.places.contains_key(&form) {
                path.pop();
                continue;
            }
            let (left, right) = (
                self.arena.left_options(form),
                self.arena.right_options(form),
            );
            let before = path.len();
            let options = left.iter().chain(&right).map(|option| option.unsigned());
            path.extend(options.filter(|option| !self.places.contains_key(option)));
            if path.len() > before {
                continue;
            }
            let references = |options: &[ValueId]| -> Vec<u32> {
                options
                    .iter()
                    .map(|&option| self.reference_of(option))
                    .collect()
            };
            let (left, right) = (references(&left), references(&right));
            let place = self.table.push(&left, &right)?;
            self.places.insert(form, place);
            path.pop();
        }
        Ok(self.reference_of(value))
    }

    fn reference_of(&self, value: ValueId) -> u32 {
        let form = value.unsigned();
        form_ref(self.places[&form], value != form)
    }
}

/// Returns the word of a segment's form, after translating it and all its followers.
///
/// Forms are simplified again on their way in, so that whatever a segment holds, ids in the arena
/// refer to canonical forms. A segment has a [limited number of steps](Translation::within_steps)
/// for this.
fn translate(
    form: u32,
    translation: &Translation<'_>,
    calculator: &mut Calculator<'_>,
) -> Result<Word, EngineError> {
    let mut path = vec![form];
    loop {
        let &place = path.last().expect("the path begins with the given form");
        let stored = translation
            .segment()
            .form(place)
            .map_err(|error| EngineError::Known(Box::new(error)))?;
        let before = path.len();
        let options = stored.left().chain(stored.right()).map(form_index);
        path.extend(options.filter(|&option| translation.get(option).is_none()));
        if path.len() > before {
            continue;
        }
        let value = |reference: u32| {
            let word = translation
                .get(form_index(reference))
                .expect("options are translated first");
            CanonicalForms::value(word).negated_if(form_negated(reference))
        };
        let mut left: Vec<ValueId> = stored.left().map(value).collect();
        let mut right: Vec<ValueId> = stored.right().map(value).collect();
        let id = translation.within_steps(calculator, |calculator| {
            calculator.canonical(&mut left, &mut right)
        })?;
        translation.set(place, CanonicalForms::word(id));
        path.pop();
        if path.is_empty() {
            return Ok(CanonicalForms::word(id));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cggames::game::{Ruleset, Sowing};
    use cgsolvers::{Engine, NothingKnown};

    #[test]
    fn the_forms_needed_are_those_of_the_table() {
        let engine = Engine::new(Sowing, CanonicalForms::default());
        let mut search = engine.search(&NothingKnown);
        let mut values = Vec::new();
        for (key, text) in ["12345", "312", "4141", "21212", "11111"]
            .iter()
            .enumerate()
        {
            let position = Sowing.position(&text.parse().unwrap()).unwrap();
            values.push((key as Key, search.evaluate(&position).unwrap()));
            let needed = engine.valuation.forms_needed(&values);
            let (records, forms) = engine
                .valuation
                .contents(values.iter().copied(), needed)
                .unwrap();
            assert_eq!(records.len(), values.len());
            let made = FormsNeeded {
                forms: forms.len(),
                options: forms.options_len(),
            };
            assert_eq!(made, needed, "{text}");
            assert!(needed.bytes() >= (12 * forms.len() + 4 * forms.options_len()) as u64);
        }
    }
}
