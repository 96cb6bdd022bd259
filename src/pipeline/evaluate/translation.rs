//! The forms of a store's segment in a run's arena.
//!
//! Each segment numbers its own forms. A form is translated when the first value that needs it is read.
//! Its id in the arena is cached, at four bytes a form. A form that takes more work than any that a run
//! would store is refused, together with its whole segment.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};

use cgsolvers::{Control, EngineError, Word};
use cgvalues::{ArenaError, Calculator};
use valuestore::SegmentReader;

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

/// The ids, in the run's arena, of a segment's forms.
pub(crate) struct Translation<'a> {
    pub(super) segment: Arc<SegmentReader>,
    /// Raw ids by the form's place in the segment; zero for forms not yet translated.
    ids: Box<[AtomicU32]>,
    /// The steps that translating forms may still take.
    steps_left: AtomicU64,
    /// Whether a warning has reported that the segment is ignored.
    pub(super) is_left_out: AtomicBool,
    /// The control of the search that can stop the translation, if there is one.
    control: Option<&'a Control>,
}

impl<'a> Translation<'a> {
    pub(super) fn new(
        segment: Arc<SegmentReader>,
        control: Option<&'a Control>,
    ) -> Translation<'a> {
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

    /// Translates a form by work on a calculator, within the steps that the segment has left.
    ///
    /// # Errors
    ///
    /// A form that the arena cannot hold; a run that stops; or a segment whose forms exceed their limit of steps. In the
    /// last case the segment is refused from then on.
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

    /// Returns the cached word of a form, if there is one.
    pub(crate) fn get(&self, form: u32) -> Option<Word> {
        Word::new(self.ids.get(form as usize)?.load(Ordering::Acquire))
    }

    /// Caches the word of a form.
    pub(crate) fn set(&self, form: u32, word: Word) {
        self.ids[form as usize].store(word.get(), Ordering::Release);
    }
}
