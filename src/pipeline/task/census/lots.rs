//! Lots: described values of a census, with the first position of each.

use std::borrow::Cow;

use cggames::board::AnyBoard;
use cgvalues::OutcomeClass;

use super::count::ValueCount;
use crate::dataset::{CensusRow, ValueColumns};
use crate::evaluate::describe::ValueDescription;
use crate::evaluate::forms::FormOfKind;

/// Described values with the first position of each. Their texts share one string, which saves an
/// allocation per text.
#[derive(Default)]
pub(super) struct Lot {
    texts: String,
    pub(super) values: Vec<CensusEntry>,
}

/// The bytes reserved for the texts of one value.
const TEXT_BYTES: usize = 64;

/// The row of a census, without its texts.
pub(super) struct CensusEntry {
    position: Span,
    value: Option<Span>,
    atomic_weight: Option<Span>,
    pub(super) form: FormOfKind,
    outcome: OutcomeClass,
    /// The columns of the value, except its digest and those two texts.
    columns: ValueColumns<'static>,
}

/// The place of a text in the string of its lot.
#[derive(Clone, Copy)]
struct Span {
    start: u32,
    end: u32,
}

/// Returns the row of a position, given the description of its value.
pub(super) fn census_row(
    found: &ValueCount,
    position: &AnyBoard,
    value: &ValueDescription,
    digest: [u8; 16],
) -> CensusRow<'static> {
    let mut lot = Lot::default();
    lot.push(position, value);
    lot.row(&lot.values[0], found, digest).into_owned()
}

impl Lot {
    pub(super) fn with_capacity(values: usize) -> Lot {
        Lot {
            texts: String::with_capacity(values * TEXT_BYTES),
            values: Vec::with_capacity(values),
        }
    }

    /// Appends a position and the description of its value.
    pub(super) fn push(&mut self, position: &AnyBoard, value: &ValueDescription) {
        let described = CensusEntry {
            position: self.span(|texts| {
                position.write_to(texts).expect("a string takes every text");
            }),
            value: value.notation.as_deref().map(|text| self.text(text)),
            atomic_weight: value.weight_notation().map(|text| self.text(text)),
            form: (value.form, value.kind),
            outcome: value.outcome,
            columns: value.columns(),
        };
        self.values.push(described);
    }

    /// Appends a text, and returns its place.
    fn text(&mut self, text: &str) -> Span {
        self.span(|texts| texts.push_str(text))
    }

    /// Returns the place of the appended text.
    fn span(&mut self, append: impl FnOnce(&mut String)) -> Span {
        let start = self.texts.len() as u32;
        append(&mut self.texts);
        let end = self.texts.len() as u32;
        Span { start, end }
    }

    pub(super) fn row(
        &self,
        value: &CensusEntry,
        found: &ValueCount,
        value_digest: [u8; 16],
    ) -> CensusRow<'_> {
        let text = |span: Span| Cow::from(&self.texts[span.start as usize..span.end as usize]);
        CensusRow {
            features: found.features.into(),
            count: found.count as i64,
            position: text(value.position),
            rank: found.rank as i64,
            outcome: value.outcome.letter().into(),
            value: ValueColumns {
                value: value.value.map(text),
                value_digest,
                atomic_weight: value.atomic_weight.map(text),
                ..value.columns.clone()
            },
        }
    }
}
