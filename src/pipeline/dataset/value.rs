//! The columns that describe a value, for every table of positions and values.

use std::borrow::Cow;

use arrow_array::{Array, ArrayRef};
use serde_json::{Map, Value};

use super::column::Column;
use super::datum::Unmarked;
use super::row::{BatchColumns, Fields, table_row};

/// The outcome classes, as the column `outcome` spells them.
pub const OUTCOMES: [&str; 4] = ["N", "P", "L", "R"];

table_row! {
/// The description of a value.
pub struct ValueColumns<'a> {
    /// The canonical form in CGSuite's notation, or the onside and offside of a loopy value that is
    /// no stopper, or oo(a,b) in impartial play; null beyond 4,096 characters (then see table forms
    /// by value_digest).
    pub value: Option<Cow<'a, str>> = notation,
    /// A 128-bit digest of the canonical form: equal values have equal digests, in all result sets.
    pub value_digest: [u8; 16] = searched,
    /// The kind of value, one of integer, dyadic, nimber, number-up-star, uptimal, tiny, miny,
    /// dicotic, infinitesimal, numberish, plus-minus, switch, hot; the first that fits; loopy if play
    /// in the canonical form need not end.
    pub kind: Cow<'a, str> = label,
    /// The nim-value k of a value *k (0 is *0, 1 is *); null if the value is no nimber.
    pub nim_value: Option<i32>,
    /// The Left stop, an exact dyadic rational, of a loopy stopper x for the stops xover and xunder;
    /// null if a 64-bit float is not exact, if the stop is on or off, and if a loopy value is no stopper.
    pub left_stop: Option<f64>,
    /// The Right stop, likewise.
    pub right_stop: Option<f64>,
    /// The mean, an exact dyadic rational; null if a 64-bit float is not exact or it was not
    /// computed, and if a loopy value is no stopper or has none.
    pub mean: Option<f64>,
    /// The temperature, an exact dyadic rational (below zero for numbers); null likewise.
    pub temperature: Option<f64>,
    /// The birthday: the height of the canonical form's game tree, in moves; null if the value is
    /// loopy.
    pub birthday: Option<i32>,
    /// The atomic weight, a game in CGSuite's notation; null beyond 4,096 characters, and if the
    /// value has none.
    pub atomic_weight: Option<Cow<'a, str>> = notation,
    /// The atomic weight if it is a number, an exact dyadic rational; null otherwise, and if a
    /// 64-bit float is not exact.
    pub atomic_weight_number: Option<f64>,
    /// Why there is no atomic weight: not-infinitesimal (a stop is not 0, so that the value has
    /// none), or not-dicotic (infinitesimal, but neither dicotic nor, or its negative, Tiny(x) or
    /// {0|Tiny(x)} with an x that exceeds all infinitesimals; its atomic weight is not computed);
    /// null if there is one.
    pub atomic_weight_missing: Option<Cow<'a, str>> = label,
    /// Whether the value is dicotic: in every follower either both players can move or neither can;
    /// null if the value is loopy.
    pub dicotic: Option<bool>,
}
}

impl ValueColumns<'_> {
    /// Returns the notation of a value that is not loopy.
    pub fn short_notation(&self) -> Option<&str> {
        self.value.as_deref().filter(|_| self.kind != "loopy")
    }

    /// Returns the atomic weight if it is an integer.
    pub fn integer_weight(&self) -> Option<i64> {
        let number = self.atomic_weight_number;
        let number = number.filter(|number| number.fract() == 0.0);
        number.map(|number| number as i64)
    }
}

/// Returns why a text is no outcome class.
pub(super) fn no_outcome(found: &str) -> Option<String> {
    (!OUTCOMES.contains(&found)).then(|| {
        let expected = OUTCOMES.join(", ");
        format!("expected an outcome class of {expected}, found {found:?}")
    })
}

/// All columns of a value, or nulls if there is no value or the column `value_digest` is not read.
impl Fields<Unmarked> for Option<ValueColumns<'_>> {
    const WIDTH: usize = ValueColumns::WIDTH;
    type Of<'t> = Option<ValueColumns<'t>>;
    type Builders = <ValueColumns<'static> as Fields<Unmarked>>::Builders;
    type Arrays<'b> = <ValueColumns<'static> as Fields<Unmarked>>::Arrays<'b>;

    fn declare(name: &str, meaning: &str, variables: &[String], columns: &mut Vec<Column>) {
        let first = columns.len();
        ValueColumns::declare(name, meaning, variables, columns);
        for column in &mut columns[first..] {
            column.nullable = true;
        }
    }
    fn builders(variables: usize) -> Self::Builders {
        ValueColumns::builders(variables)
    }
    fn misfit(value: &Self::Of<'_>, name: &str, builders: &Self::Builders) -> Option<String> {
        ValueColumns::misfit(value.as_ref()?, name, builders)
    }
    fn gather(value: &Self::Of<'_>, builders: &mut Self::Builders) -> usize {
        match value {
            Some(value) => ValueColumns::gather(value, builders),
            None => {
                ValueColumns::gather_nulls(builders);
                0
            }
        }
    }
    fn gather_nulls(builders: &mut Self::Builders) {
        ValueColumns::gather_nulls(builders);
    }
    fn finish(builders: &mut Self::Builders, arrays: &mut Vec<ArrayRef>) {
        ValueColumns::finish(builders, arrays);
    }
    fn arrays<'b>(columns: &mut BatchColumns<'b>) -> Self::Arrays<'b> {
        ValueColumns::arrays(columns)
    }
    fn at<'b>(arrays: &Self::Arrays<'b>, row: usize) -> Self::Of<'b> {
        let (_, digests, ..) = arrays;
        digests.is_valid(row).then(|| ValueColumns::at(arrays, row))
    }
    fn own(value: Self::Of<'_>) -> Self::Of<'static> {
        value.map(ValueColumns::own)
    }
    fn put(
        value: &Self::Of<'_>,
        name: &str,
        variables: &[String],
        object: &mut Map<String, Value>,
    ) {
        match value {
            Some(value) => ValueColumns::put(value, name, variables, object),
            None => {
                let mut columns = Vec::new();
                ValueColumns::declare(name, "", variables, &mut columns);
                object.extend(columns.into_iter().map(|column| (column.name, Value::Null)));
            }
        }
    }
}
