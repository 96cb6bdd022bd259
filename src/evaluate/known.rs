//! The store as an engine sees it: values of this run's ruleset, translated into its arena.
//!
//! Segments number their forms for themselves. A form is translated when a value that needs it is
//! first met, and its id in the arena is kept, four bytes a form. Forms that take more work than any that a run would
//! store are refused with their whole segment.

use std::marker::PhantomData;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use crate::board::Key;
use crate::engine::{Control, EngineError, KnownValues, Word};
use crate::store::{Hit, Reader, SegmentReader};
use crate::value::{ArenaError, Calculator, lock};

use super::stored::Stored;

/// The most steps that translating the forms of a segment may take, besides those for its options.
///
/// Unit: [steps](Calculator::limit_steps). The heaviest single form of the stores measured for [`OPTION_STEPS_MAX`] took
/// 4,007.
const SEGMENT_STEPS_MAX: u64 = 5_000_000;

/// The most steps for each option of the segment's forms, six times those of any measured store.
///
/// Measured: 7.6 steps an option in a store of Sowing 2^10 (2.2 million options, at most 7 a side, at most 146 deep), 4.5
/// in one of 3^9, 4.8 in one of Atomic Wari 3^7; 3.2, 5.3 and 4.6 for the tables 1, 2 and 5; 5.4 at most in the stores of 1^1
/// to 1^12, of 2^1 to 2^9, of 3^1 to 3^8, and of all Sowing positions of up to 7 pots and 14 seeds. A core
/// takes some 90 million steps a second: it is busy for 0.6 s with a crafted segment of a million options, 4 MB, before it refuses
/// the segment.
const OPTION_STEPS_MAX: u64 = 50;

/// The values of a store's namespace, for searches.
pub(crate) struct KnownStore<'a, V> {
    snapshot: RwLock<Snapshot<'a>>,
    /// Whether there is any segment at all; spares most jobs a look-up for each new position.
    any: AtomicBool,
    calculator: Mutex<Calculator<'a>>,
    /// Whether the values of a segment whose forms are refused on the way are unknown, rather than an error.
    leaves_out_refused: bool,
    control: Option<&'a Control>,
    valuation: PhantomData<fn() -> V>,
}

struct Snapshot<'a> {
    reader: Reader,
    translations: Vec<Arc<Translation<'a>>>,
}

/// The ids, in the run's arena, of a segment's forms.
pub(crate) struct Translation<'a> {
    segment: Arc<SegmentReader>,
    /// Raw ids by the form's place in the segment; zero where it was not needed yet.
    ids: Box<[AtomicU32]>,
    /// The steps that translating forms may still take.
    steps_left: AtomicU64,
    /// Whether somebody was warned that the segment is left out.
    is_left_out: AtomicBool,
    /// The search that stops the translating, if there is one.
    control: Option<&'a Control>,
}

impl<'a> Translation<'a> {
    fn new(segment: Arc<SegmentReader>, control: Option<&'a Control>) -> Translation<'a> {
        let ids = (0..segment.forms_len())
            .map(|_| AtomicU32::new(0))
            .collect();
        let steps = segment.options_len().saturating_mul(OPTION_STEPS_MAX);
        Translation {
            segment,
            ids,
            steps_left: AtomicU64::new(steps.saturating_add(SEGMENT_STEPS_MAX)),
            is_left_out: AtomicBool::new(false),
            control,
        }
    }

    /// Returns the segment.
    pub(crate) fn segment(&self) -> &SegmentReader {
        &self.segment
    }

    /// Translates a form by work on a calculator, which nobody else uses meanwhile.
    ///
    /// # Errors
    ///
    /// A form that the arena cannot hold; a run that stops; or a segment whose forms take more steps in all than
    /// they may. All of these are refused then.
    pub(crate) fn within_steps<'c, T>(
        &self,
        calculator: &mut Calculator<'c>,
        work: impl FnOnce(&mut Calculator<'c>) -> Result<T, ArenaError>,
    ) -> Result<T, EngineError> {
        if let Some(reason) = self.control.and_then(Control::stopped) {
            return Err(EngineError::Stopped(reason));
        }
        calculator.limit_steps(self.steps_left.load(Ordering::Relaxed));
        let result = work(calculator);
        self.steps_left
            .store(calculator.steps_left(), Ordering::Relaxed);
        result.map_err(|error| match error {
            ArenaError::Steps(_) => {
                let options = self.segment.options_len();
                EngineError::Known(Box::new(self.segment.refuse_forms(format!(
                    "restoring them, {options} options in all, takes more than {SEGMENT_STEPS_MAX} steps and \
                     {OPTION_STEPS_MAX} an option; values of positions take a sixth of that at most"
                ))))
            }
            error => EngineError::Known(Box::new(error)),
        })
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
    /// Returns the values of the segments, which are sound as far as checksums tell. A segment whose forms are refused when
    /// they are restored is an error. The control stops the restoring.
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

    /// Has the values of a segment count as unknown from when its forms are refused on, with a warning.
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
                .unwrap_or_else(|| Arc::new(Translation::new(Arc::clone(segment), self.control)))
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
