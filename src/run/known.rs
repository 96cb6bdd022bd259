//! The store as an engine sees it: values of this run's ruleset, translated into its arena.
//!
//! Segments number their forms for themselves. A form is translated when a value that needs it is
//! first met, and its id in the arena is kept, four bytes a form.

use std::marker::PhantomData;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use crate::engine::{EngineError, KnownValues, Word};
use crate::ruleset::Key;
use crate::store::{Reader, SegmentReader};
use crate::value::{Calculator, lock};

use super::stored::Stored;

/// The values of a store's namespace, for searches.
pub(crate) struct KnownStore<'a, V> {
    snapshot: RwLock<Snapshot>,
    /// Whether there is any segment at all; spares most jobs a look-up for each new position.
    any: AtomicBool,
    calculator: Mutex<Calculator<'a>>,
    valuation: PhantomData<fn() -> V>,
}

struct Snapshot {
    reader: Reader,
    translations: Vec<Arc<Translation>>,
}

/// The ids, in the run's arena, of a segment's forms.
pub(crate) struct Translation {
    segment: Arc<SegmentReader>,
    /// Raw ids by the form's place in the segment; zero where it was not needed yet.
    ids: Box<[AtomicU32]>,
}

impl Translation {
    fn new(segment: Arc<SegmentReader>) -> Translation {
        let ids = (0..segment.forms_len())
            .map(|_| AtomicU32::new(0))
            .collect();
        Translation { segment, ids }
    }

    /// Returns the segment.
    pub(crate) fn segment(&self) -> &SegmentReader {
        &self.segment
    }

    /// Returns the word kept for a form, if there is one.
    pub(crate) fn get(&self, form: u32) -> Option<Word> {
        Word::new(self.ids.get(form as usize)?.load(Ordering::Acquire))
    }

    /// Keeps a form's word.
    pub(crate) fn set(&self, form: u32, word: Word) {
        self.ids[form as usize].store(word.get(), Ordering::Release);
    }
}

impl<'a, V: Stored> KnownStore<'a, V> {
    /// Returns the values of the segments, which are sound.
    pub(crate) fn new(valuation: &'a V, reader: Reader) -> KnownStore<'a, V> {
        let known = KnownStore {
            snapshot: RwLock::new(Snapshot {
                reader: reader.clone(),
                translations: Vec::new(),
            }),
            any: AtomicBool::new(false),
            calculator: Mutex::new(valuation.arena().calculator()),
            valuation: PhantomData,
        };
        known.replace(reader);
        known
    }

    /// Takes over a newer reader; forms of segments that were there stay translated.
    pub(crate) fn replace(&self, reader: Reader) {
        let mut snapshot = self
            .snapshot
            .write()
            .unwrap_or_else(PoisonError::into_inner);
        let translation = |segment: &Arc<SegmentReader>| {
            let there = snapshot
                .translations
                .iter()
                .find(|t| Arc::ptr_eq(&t.segment, segment));
            there
                .cloned()
                .unwrap_or_else(|| Arc::new(Translation::new(Arc::clone(segment))))
        };
        let translations: Vec<_> = reader.segments().iter().map(translation).collect();
        self.any.store(!translations.is_empty(), Ordering::Release);
        *snapshot = Snapshot {
            reader,
            translations,
        };
    }

    /// Looks up many keys at once; `words[i]` becomes what [`known`](KnownValues::known) returns for `keys[i]`.
    ///
    /// PERF: their accesses to memory overlap, so that a key that is in none of many segments takes a fraction of the time.
    pub(crate) fn known_many(
        &self,
        keys: &[Key],
        words: &mut Vec<Option<Word>>,
    ) -> Result<(), EngineError> {
        let snapshot = self.snapshot.read().unwrap_or_else(PoisonError::into_inner);
        let mut hits = Vec::new();
        let found = snapshot.reader.get_many(keys, &mut hits);
        found.map_err(|error| EngineError::Known(Box::new(error)))?;
        words.clear();
        for hit in hits {
            words.push(match hit {
                Some(hit) => {
                    let translation = &snapshot.translations[hit.segment];
                    let word = V::restore(hit.value, translation, &mut || lock(&self.calculator))?;
                    Some(word)
                }
                None => None,
            });
        }
        Ok(())
    }
}

impl<V: Stored> KnownValues for KnownStore<'_, V> {
    fn known(&self, key: Key) -> Result<Option<Word>, EngineError> {
        if !self.any.load(Ordering::Acquire) {
            return Ok(None);
        }
        let snapshot = self.snapshot.read().unwrap_or_else(PoisonError::into_inner);
        let known = |error| EngineError::Known(Box::new(error));
        let Some(hit) = snapshot.reader.get(key).map_err(known)? else {
            return Ok(None);
        };
        let translation = &snapshot.translations[hit.segment];
        V::restore(hit.value, translation, &mut || lock(&self.calculator)).map(Some)
    }
}
