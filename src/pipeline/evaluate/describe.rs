//! The columns of a value in the table `positions`.

use std::borrow::Cow;

use cgsolvers::{FormOf, Word};
use cgvalues::{
    Arena, ArenaError, AtomicWeight, AtomicWeights, Calculator, Dyadic, Kind, NoAtomicWeight,
    Notation, NotationWriter, OutcomeClass, Thermographs, ValueId,
};

use crate::dataset::{VALUE_CHARS_MAX, ValueColumns};

/// The number of values that a describer caches. A value's word determines its slot, of 300 bytes beside the notation.
///
/// PERF: most values that recur do so soon, and a few hundred kilobytes stay in a core's cache. In a search that describes
/// 120,000 values, a cache of 8,192 takes 4 % more time, and one of 65,536 also 5 % more memory.
const PLACES_BITS: u32 = 10;

/// The buffers of longer notations are not reused, so that a describer does not hold on to the memory of the longest.
const TEXT_BYTES_MAX: usize = 512;

/// The facts about a value that the columns of the table hold.
#[derive(Clone, Debug, PartialEq)]
pub struct ValueDescription {
    /// The value's form in the valuation's arena.
    pub form: ValueId,
    /// Who wins.
    pub outcome: OutcomeClass,
    /// The notation, unless it is longer than the [`Writing`] permits.
    pub notation: Option<String>,
    /// The kind of value.
    pub kind: Kind,
    /// The nim-value of a nimber.
    pub nim_value: Option<u32>,
    /// The number reached with best play when Left starts.
    pub left_stop: Dyadic,
    /// The number reached with best play when Right starts.
    pub right_stop: Dyadic,
    /// The mean value, unless it takes [numbers that are too long](Thermographs#range).
    pub mean: Option<Dyadic>,
    /// The temperature, unless it takes [numbers that are too long](Thermographs#range).
    pub temperature: Option<Dyadic>,
    /// The birthday.
    pub birthday: u32,
    /// The atomic weight, or why there is none.
    pub atomic_weight: Result<Weight, NoAtomicWeight>,
    /// Whether the form is dicotic.
    pub dicotic: bool,
}

impl ValueDescription {
    /// Returns the notation of the atomic weight, if there is one and it is short enough.
    pub(crate) fn weight_notation(&self) -> Option<&str> {
        self.atomic_weight.as_ref().ok()?.notation.as_deref()
    }

    /// Returns the columns of the value except its digest and the two notations.
    pub(crate) fn columns(&self) -> ValueColumns<'static> {
        let exact = |x: Dyadic| x.to_f64_exact();
        let weight = self.atomic_weight.as_ref();
        ValueColumns {
            value: None,
            value_digest: [0; 16],
            kind: self.kind.name().into(),
            nim_value: self.nim_value.map(|n| n as i32),
            left_stop: exact(self.left_stop),
            right_stop: exact(self.right_stop),
            mean: self.mean.and_then(exact),
            temperature: self.temperature.and_then(exact),
            birthday: Some(self.birthday as i32),
            atomic_weight: None,
            atomic_weight_number: weight.ok().and_then(|weight| weight.number).and_then(exact),
            atomic_weight_missing: weight
                .err()
                .and_then(|missing| missing.name().map(Cow::from)),
            dicotic: Some(self.dicotic),
        }
    }
}

/// An atomic weight, as the columns of the tables have it.
#[derive(Clone, Debug, PartialEq)]
pub struct Weight {
    /// The notation, unless it is longer than the [`Writing`] permits.
    pub notation: Option<String>,
    /// The weight where it is a number.
    pub number: Option<Dyadic>,
}

/// Describes values; one per worker.
pub struct Describer<'a> {
    calculator: Calculator<'a>,
    thermographs: Thermographs<'a>,
    weights: AtomicWeights<'a>,
    writer: NotationWriter<'a>,
    remembered: Vec<Option<(Word, ValueDescription)>>,
    writing: Writing,
}

/// How values are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Writing {
    /// The notation.
    pub notation: Notation,
    /// The most characters of a text; there is none for a value that takes more.
    pub chars_max: usize,
}

/// As results have values.
impl Default for Writing {
    fn default() -> Writing {
        Writing {
            notation: Notation::Standard,
            chars_max: VALUE_CHARS_MAX,
        }
    }
}

impl<'a> Describer<'a> {
    /// Returns a describer of an arena's values.
    pub fn new(arena: &'a Arena, writing: Writing) -> Describer<'a> {
        Describer {
            calculator: arena.calculator(),
            thermographs: Thermographs::new(arena),
            weights: AtomicWeights::new(arena),
            writer: NotationWriter::new(arena),
            remembered: vec![None; 1 << PLACES_BITS],
            writing,
        }
    }

    /// Returns the facts about a value of the valuation to which `form_of` belongs.
    ///
    /// # Errors
    ///
    /// When the arena cannot hold its form.
    pub fn describe(
        &mut self,
        word: Word,
        form_of: FormOf,
    ) -> Result<&ValueDescription, ArenaError> {
        let place = place(word);
        if self.remembered[place]
            .as_ref()
            .is_none_or(|(of, _)| *of != word)
        {
            // The buffer of the previous text is reused unless it is large.
            let before = self.remembered[place].take();
            let text = before.and_then(|(_, before)| before.notation);
            let text = text.filter(|text| text.capacity() <= TEXT_BYTES_MAX);
            let form = form_of(&mut self.calculator, word)?;
            let description = self.look_at(form, text.unwrap_or_default())?;
            self.remembered[place] = Some((word, description));
        }
        let (_, description) = self.remembered[place]
            .as_ref()
            .expect("it has just been put there");
        Ok(description)
    }

    /// Returns the facts about a form that is not in the cache.
    pub(crate) fn describe_form(&mut self, form: ValueId) -> Result<ValueDescription, ArenaError> {
        self.look_at(form, String::new())
    }

    fn look_at(&mut self, form: ValueId, mut text: String) -> Result<ValueDescription, ArenaError> {
        let arena = self.calculator.arena();
        let mast = self.thermographs.mast(form);
        text.clear();
        let Writing {
            notation,
            chars_max,
        } = self.writing;
        let has_text = self
            .writer
            .append_limited(form, notation, chars_max, &mut text);
        Ok(ValueDescription {
            form,
            outcome: self.calculator.outcome(form),
            notation: has_text.then_some(text),
            kind: self.writer.kind(form),
            nim_value: arena.nimber(form),
            left_stop: arena.left_stop(form),
            right_stop: arena.right_stop(form),
            mean: mast.map(|(mean, _)| mean),
            temperature: mast.map(|(_, temperature)| temperature),
            birthday: arena.birthday(form),
            atomic_weight: self.weight(form)?,
            dicotic: arena.is_dicotic(form),
        })
    }

    /// Returns the atomic weight, or why the value has none.
    fn weight(&mut self, form: ValueId) -> Result<Result<Weight, NoAtomicWeight>, ArenaError> {
        let weight = match self.weights.weight(form) {
            Ok(weight) => weight,
            Err(NoAtomicWeight::Arena(error)) => return Err(error),
            Err(none) => return Ok(Err(none)),
        };
        Ok(Ok(match weight {
            // An integer needs no form to be written.
            AtomicWeight::Integer(integer) => Weight {
                notation: Some(integer.to_string()),
                number: Some(Dyadic::integer(integer.into())),
            },
            AtomicWeight::Game(id) => Weight {
                notation: (self.writer).limited(id, self.writing.notation, self.writing.chars_max),
                number: self.calculator.arena().number(id),
            },
        }))
    }
}

/// Returns the cache slot of a value.
fn place(word: Word) -> usize {
    // An odd multiplier spreads words that differ in any bits over the upper ones.
    (word.get().wrapping_mul(0x9E37_79B1) >> (u32::BITS - PLACES_BITS)) as usize
}
