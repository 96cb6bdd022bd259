//! The store as an engine sees it: values of this run's ruleset, translated into its arena.

use std::marker::PhantomData;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use cggames::board::Key;
use cgsolvers::{Control, EngineError, KnownValues, Word};
use cgvalues::Calculator;
use seedbank_memory::lock;
use valuestore::{Hit, Reader, SegmentReader};

use super::stored::Stored;
use super::translation::Translation;

/// The values of a store's namespace, for searches.
pub(crate) struct KnownStore<'a, V> {
    snapshot: RwLock<Snapshot<'a>>,
    /// Whether there is any segment at all. It saves most jobs a lookup for each new position.
    any: AtomicBool,
    calculator: Mutex<Calculator<'a>>,
    /// Whether a segment whose forms are refused counts as unknown. Otherwise it is an error.
    leaves_out_refused: bool,
    control: Option<&'a Control>,
    valuation: PhantomData<fn() -> V>,
}

struct Snapshot<'a> {
    reader: Reader,
    translations: Vec<Arc<Translation<'a>>>,
}

impl<'a, V: Stored> KnownStore<'a, V> {
    /// Returns the values of the segments, which must have passed their checksums. A segment whose forms are refused when
    /// they are restored is an error. The control can stop the restoring.
    pub(crate) fn new(
        valuation: &'a V,
        reader: Reader,
        control: Option<&'a Control>,
    ) -> KnownStore<'a, V> {
        let known = KnownStore {
            snapshot: RwLock::new(Snapshot {
                reader: reader.clone(),
                translations: Vec::new(),
            }),
            any: AtomicBool::new(false),
            calculator: Mutex::new(valuation.arena().calculator()),
            leaves_out_refused: false,
            control,
            valuation: PhantomData,
        };
        known.replace(reader);
        known
    }

    /// Makes a segment count as unknown, with a warning, once its forms are refused.
    pub(crate) fn leaving_out_refused(mut self) -> KnownStore<'a, V> {
        self.leaves_out_refused = true;
        self
    }

    /// Returns the value of a record.
    fn restored(&self, hit: Hit, snapshot: &Snapshot<'_>) -> Result<Option<Word>, EngineError> {
        let translation = &snapshot.translations[hit.segment];
        match V::restore(hit.value, translation, &mut || lock(&self.calculator)) {
            Ok(word) => Ok(Some(word)),
            Err(EngineError::Known(error))
                if self.leaves_out_refused && translation.segment.check().is_err() =>
            {
                if !translation.is_left_out.swap(true, Ordering::Relaxed) {
                    tracing::warn!(
                        "leaving out a store segment, its values are computed again: {error}"
                    );
                }
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }

    /// Replaces the reader by a newer one. Forms of segments in both stay translated.
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
                .unwrap_or_else(|| Arc::new(Translation::new(Arc::clone(segment), self.control)))
        };
        let translations: Vec<_> = reader.segments().iter().map(translation).collect();
        self.any.store(!translations.is_empty(), Ordering::Release);
        *snapshot = Snapshot {
            reader,
            translations,
        };
    }

    /// Looks up many keys at once; `words[i]` becomes the result of [`known`](KnownValues::known) for `keys[i]`.
    ///
    /// PERF: the memory accesses of the lookups overlap, so a key that is in no segment takes a fraction of the time.
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
                Some(hit) => self.restored(hit, &snapshot)?,
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
        self.restored(hit, &snapshot)
    }
}
