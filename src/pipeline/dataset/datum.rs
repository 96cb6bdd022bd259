//! The field types that map to one column each, and the marks that modify them.
//!
//! | field | column |
//! |---|---|
//! | `i32`, `i64`, `f64`, `bool` | a number or flag; floats are finite |
//! | `String`, `Cow<str>` | text |
//! | `Arc<str>`, and `Cow<str>` marked `label` | label: text of few distinct values |
//! | `[u8; 16]` | digest of a canonical form |
//! | `Vec<i64>`, `Vec<u32>`, `Vec<[u8; 16]>` | a list |
//! | `Option<...>` of these | the same, which may be null |

use std::borrow::Cow;
use std::convert::identity;
use std::mem;
use std::sync::Arc;

use arrow_array::builder::{
    ArrayBuilder, BinaryBuilder, BooleanBuilder, FixedSizeBinaryBuilder, Float64Builder,
    Int32Builder, Int64Builder, ListBuilder, StringBuilder, StringDictionaryBuilder, UInt32Builder,
};
use arrow_array::cast::AsArray;
use arrow_array::types::{Int32Type, Int64Type, UInt32Type};
use arrow_array::{
    Array, ArrayRef, BooleanArray, FixedSizeBinaryArray, Float64Array, Int32Array, Int64Array,
    ListArray, StringArray,
};
use arrow_schema::FieldRef;
use serde_json::{Value, json};

use super::column::{Column, ColumnKind, digests_item, integers_item, unsigned_item};
use super::labels::Labels;

/// The most elements of a list in a row; the elements of a batch can then be counted in 31 bits.
pub const LIST_MAX: usize = 1 << 27;

/// The most characters of a value's notation; longer notations are stored as null.
///
/// Unit: characters. A form is a DAG, and its notation can be exponentially long.
pub const VALUE_CHARS_MAX: usize = 4096;

/// A field type that maps to one column, under a mark.
pub trait Datum<M> {
    /// The kind of the column.
    const KIND: ColumnKind;
    /// Whether values may be null.
    const NULLABLE: bool = false;
    /// The type with its texts borrowed for `'t`.
    type Of<'t>: Send;
    /// Collects the values of a batch.
    type Builder: ArrayBuilder;
    /// A column of a batch.
    type Array<'b>;

    /// Returns a builder with capacity for this many rows, and this many list elements or text
    /// bytes.
    fn builder(rows: usize, elements: usize) -> Self::Builder;

    /// Returns why the value of this field cannot be stored; `None` if it can.
    fn misfit(_value: &Self::Of<'_>, _name: &str) -> Option<String> {
        None
    }

    /// Appends a value or a null, and returns its bytes beyond a fixed width.
    fn gather(value: Option<&Self::Of<'_>>, builder: &mut Self::Builder) -> usize;

    /// Returns the number of list elements or text bytes collected.
    fn elements(_builder: &Self::Builder) -> usize {
        0
    }

    /// Returns the collected values and resets the builder, with capacity for another batch of this
    /// size.
    ///
    /// PERF: growing the builders again for every batch is a tenth of all memory writes of a
    /// search.
    fn finish(builder: &mut Self::Builder) -> ArrayRef {
        let next = Self::builder(builder.len(), Self::elements(builder));
        mem::replace(builder, next).finish()
    }

    /// Returns a column as its type.
    fn array<'b>(array: &'b ArrayRef) -> Self::Array<'b>;

    /// Returns the value of a row that is not null.
    fn at<'b>(array: &Self::Array<'b>, row: usize) -> Self::Of<'b>;

    /// Returns the value with owned texts.
    fn own(value: Self::Of<'_>) -> Self::Of<'static>;

    /// Returns the value as JSON.
    fn json(value: &Self::Of<'_>) -> Value;
}

/// A mark on a field.
pub trait FieldMark {
    /// Changes how the column is stored.
    fn mark(_column: &mut Column) {}
}

/// A mark that does not change the kind of column.
pub trait Plain: FieldMark {}

/// The mark of fields without one.
pub struct Unmarked;

/// Rows are looked up by this value: a bloom filter finds it without reading the column.
pub struct Searched;

/// The integers ascend steadily, so their differences are stored.
pub struct Ascending;

/// Nearly all integers are below 256, and nobody needs their minimum and maximum.
pub struct Small;

/// The text takes few distinct values.
pub struct Label;

/// The text is the notation of a value: null beyond [`VALUE_CHARS_MAX`] characters.
pub struct Notation;

impl FieldMark for Unmarked {}
impl FieldMark for Searched {
    fn mark(column: &mut Column) {
        column.bloom_filter = true;
    }
}
impl FieldMark for Ascending {
    fn mark(column: &mut Column) {
        column.differences = true;
    }
}
impl FieldMark for Small {
    fn mark(column: &mut Column) {
        column.bytes_apart = true;
    }
}
impl FieldMark for Label {}
impl FieldMark for Notation {}

impl Plain for Unmarked {}
impl Plain for Searched {}
impl Plain for Ascending {}
impl Plain for Small {}

impl<M, D: Datum<M>> Datum<M> for Option<D> {
    const KIND: ColumnKind = D::KIND;
    const NULLABLE: bool = true;
    type Of<'t> = Option<D::Of<'t>>;
    type Builder = D::Builder;
    type Array<'b> = (D::Array<'b>, &'b ArrayRef);

    fn builder(rows: usize, elements: usize) -> D::Builder {
        D::builder(rows, elements)
    }
    fn misfit(value: &Self::Of<'_>, name: &str) -> Option<String> {
        D::misfit(value.as_ref()?, name)
    }
    fn gather(value: Option<&Self::Of<'_>>, builder: &mut D::Builder) -> usize {
        D::gather(value.and_then(Option::as_ref), builder)
    }
    fn elements(builder: &D::Builder) -> usize {
        D::elements(builder)
    }
    fn array<'b>(array: &'b ArrayRef) -> Self::Array<'b> {
        (D::array(array), array)
    }
    fn at<'b>((values, array): &Self::Array<'b>, row: usize) -> Self::Of<'b> {
        array.is_valid(row).then(|| D::at(values, row))
    }
    fn own(value: Self::Of<'_>) -> Self::Of<'static> {
        value.map(D::own)
    }
    fn json(value: &Self::Of<'_>) -> Value {
        value.as_ref().map_or(Value::Null, D::json)
    }
}

/// The common items of [`Datum`] for a type without borrowed texts.
macro_rules! owned {
    ($type:ty) => {
        type Of<'t> = $type;

        fn own(value: $type) -> $type {
            value
        }
    };
}

/// Implements [`Datum`] for a fixed-width type, given an expression for the stored value.
macro_rules! fixed_width {
    ($type:ty, $kind:ident, $builder:ty, $array:ty, $misfit:expr, $stored:expr) => {
        impl<M: Plain> Datum<M> for $type {
            const KIND: ColumnKind = ColumnKind::$kind;
            type Builder = $builder;
            type Array<'b> = &'b $array;
            owned!($type);

            fn builder(rows: usize, _: usize) -> $builder {
                <$builder>::with_capacity(rows)
            }
            fn misfit(value: &$type, name: &str) -> Option<String> {
                $misfit(*value, name)
            }
            fn gather(value: Option<&$type>, builder: &mut $builder) -> usize {
                builder.append_option(value.map(|&value| $stored(value)));
                0
            }
            fn array(array: &ArrayRef) -> &$array {
                typed(array)
            }
            fn at<'b>(array: &Self::Array<'b>, row: usize) -> Self::Of<'b> {
                array.value(row)
            }
            fn json(value: &$type) -> Value {
                json!(value)
            }
        }
    };
}

fn fits<T>(_: T, _: &str) -> Option<String> {
    None
}

fn not_finite(number: f64, name: &str) -> Option<String> {
    // All floats except the non-finite ones are dyadic rationals.
    let misfit = !number.is_finite();
    misfit.then(|| format!("expected a dyadic rational as {name}, found {number}"))
}

/// Returns 0.0 for -0.0, so that equal rows have equal bytes.
fn without_minus_zero(number: f64) -> f64 {
    number + 0.0
}

fixed_width!(i32, Int32, Int32Builder, Int32Array, fits, identity);
fixed_width!(i64, Int64, Int64Builder, Int64Array, fits, identity);
fixed_width!(bool, Bool, BooleanBuilder, BooleanArray, fits, identity);
fixed_width!(
    f64,
    Float64,
    Float64Builder,
    Float64Array,
    not_finite,
    without_minus_zero
);

/// Returns an array as its type.
fn typed<T: 'static>(array: &ArrayRef) -> &T {
    array.as_any().downcast_ref().expect(SAME_SCHEMA)
}

const SAME_SCHEMA: &str =
    "a file's schema is compared with the table's before its batches are read";

impl<M: Plain> Datum<M> for [u8; 16] {
    const KIND: ColumnKind = ColumnKind::Digest;
    type Builder = FixedSizeBinaryBuilder;
    type Array<'b> = &'b FixedSizeBinaryArray;
    owned!([u8; 16]);

    fn builder(rows: usize, _: usize) -> FixedSizeBinaryBuilder {
        FixedSizeBinaryBuilder::with_capacity(rows, 16)
    }
    fn gather(value: Option<&[u8; 16]>, builder: &mut FixedSizeBinaryBuilder) -> usize {
        match value {
            Some(digest) => builder
                .append_value(digest)
                .expect("16 bytes are the width"),
            None => builder.append_null(),
        }
        0
    }
    fn array(array: &ArrayRef) -> &FixedSizeBinaryArray {
        typed(array)
    }
    fn at<'b>(array: &Self::Array<'b>, row: usize) -> Self::Of<'b> {
        array.value(row).try_into().expect(SAME_SCHEMA)
    }
    fn json(value: &[u8; 16]) -> Value {
        json!(hexadecimal(value))
    }
}

fn hexadecimal(digest: &[u8; 16]) -> String {
    hex::encode(digest)
}

/// The common items of [`Datum`] for a text.
macro_rules! text {
    () => {
        const KIND: ColumnKind = ColumnKind::Text;
        type Builder = StringBuilder;
        type Array<'b> = &'b StringArray;

        fn builder(rows: usize, bytes: usize) -> StringBuilder {
            StringBuilder::with_capacity(rows, bytes)
        }
        fn elements(builder: &StringBuilder) -> usize {
            builder.values_slice().len()
        }
        fn array(array: &ArrayRef) -> &StringArray {
            typed(array)
        }
        fn json(value: &Self::Of<'_>) -> Value {
            json!(value)
        }
    };
}

/// The common items of [`Datum`] for a text that may be borrowed.
macro_rules! cow {
    () => {
        type Of<'t> = Cow<'t, str>;

        fn own(value: Cow<'_, str>) -> Cow<'static, str> {
            Cow::Owned(value.into_owned())
        }
    };
}

fn gather_text(text: Option<&str>, builder: &mut StringBuilder) -> usize {
    builder.append_option(text);
    text.map_or(0, str::len)
}

impl<M: Plain> Datum<M> for String {
    text!();
    owned!(String);

    fn gather(value: Option<&String>, builder: &mut StringBuilder) -> usize {
        gather_text(value.map(String::as_str), builder)
    }
    fn at<'b>(array: &Self::Array<'b>, row: usize) -> Self::Of<'b> {
        array.value(row).to_owned()
    }
}

impl Datum<Unmarked> for Cow<'_, str> {
    text!();
    cow!();

    fn gather(value: Option<&Cow<'_, str>>, builder: &mut StringBuilder) -> usize {
        gather_text(value.map(Cow::as_ref), builder)
    }
    fn at<'b>(array: &Self::Array<'b>, row: usize) -> Self::Of<'b> {
        array.value(row).into()
    }
}

impl Datum<Notation> for Cow<'_, str> {
    text!();
    cow!();

    fn gather(value: Option<&Cow<'_, str>>, builder: &mut StringBuilder) -> usize {
        let is_short = |text: &&str| {
            text.len() <= VALUE_CHARS_MAX || text.chars().nth(VALUE_CHARS_MAX).is_none()
        };
        gather_text(value.map(Cow::as_ref).filter(is_short), builder)
    }
    fn at<'b>(array: &Self::Array<'b>, row: usize) -> Self::Of<'b> {
        array.value(row).into()
    }
}

/// The common items of [`Datum`] for a label.
macro_rules! label {
    () => {
        const KIND: ColumnKind = ColumnKind::Label;
        type Builder = StringDictionaryBuilder<Int32Type>;

        fn builder(rows: usize, _: usize) -> Self::Builder {
            StringDictionaryBuilder::with_capacity(rows, 0, 0)
        }
        fn gather(value: Option<&Self::Of<'_>>, builder: &mut Self::Builder) -> usize {
            builder.append_option(value.map(AsRef::<str>::as_ref));
            0
        }
        fn json(value: &Self::Of<'_>) -> Value {
            json!(&**value)
        }
    };
}

impl Datum<Label> for Cow<'_, str> {
    type Array<'b> = Labels<'b>;
    label!();
    cow!();

    fn array(array: &ArrayRef) -> Labels<'_> {
        Labels::of(array)
    }
    fn at<'b>(array: &Self::Array<'b>, row: usize) -> Self::Of<'b> {
        array.text(row).into()
    }
}

impl<M: Plain> Datum<M> for Arc<str> {
    /// The labels, and the dictionary as texts that rows share.
    type Array<'b> = (Labels<'b>, Vec<Arc<str>>);
    label!();
    owned!(Arc<str>);

    fn array(array: &ArrayRef) -> Self::Array<'_> {
        let labels = Labels::of(array);
        let shared = labels.texts().iter().flatten().map(Arc::from).collect();
        (labels, shared)
    }
    fn at<'b>((labels, shared): &Self::Array<'b>, row: usize) -> Self::Of<'b> {
        Arc::clone(&shared[labels.key(row)])
    }
}

/// Implements [`Datum`] for a list.
macro_rules! list {
    ($type:ty, $kind:ident, $item:expr, $builder:ty, $room:expr, $append:expr, $read:expr, $json:expr) => {
        impl<M: Plain> Datum<M> for Vec<$type> {
            const KIND: ColumnKind = ColumnKind::$kind;
            type Builder = ListBuilder<$builder>;
            type Array<'b> = &'b ListArray;
            owned!(Vec<$type>);

            fn builder(rows: usize, elements: usize) -> ListBuilder<$builder> {
                let field: FieldRef = $item();
                ListBuilder::with_capacity($room(elements), rows).with_field(field)
            }
            fn misfit(value: &Vec<$type>, name: &str) -> Option<String> {
                let found = value.len();
                (found > LIST_MAX)
                    .then(|| format!("{name}: a list of {found} elements, at most {LIST_MAX} fit"))
            }
            fn gather(value: Option<&Vec<$type>>, builder: &mut ListBuilder<$builder>) -> usize {
                let list = value.map_or(&[][..], Vec::as_slice);
                $append(builder.values(), list);
                builder.append(value.is_some());
                size_of_val(list)
            }
            fn elements(builder: &ListBuilder<$builder>) -> usize {
                builder.values_ref().len()
            }
            fn array(array: &ArrayRef) -> &ListArray {
                typed(array)
            }
            fn at<'b>(array: &Self::Array<'b>, row: usize) -> Self::Of<'b> {
                $read(&array.value(row))
            }
            fn json(value: &Vec<$type>) -> Value {
                value.iter().map($json).collect()
            }
        }
    };
}

list!(
    i64,
    Integers,
    integers_item,
    Int64Builder,
    Int64Builder::with_capacity,
    |items: &mut Int64Builder, list: &[i64]| items.append_slice(list),
    |items: &ArrayRef| items.as_primitive::<Int64Type>().values().to_vec(),
    |&integer| json!(integer)
);
list!(
    u32,
    Unsigned,
    unsigned_item,
    UInt32Builder,
    UInt32Builder::with_capacity,
    |items: &mut UInt32Builder, list: &[u32]| items.append_slice(list),
    |items: &ArrayRef| items.as_primitive::<UInt32Type>().values().to_vec(),
    |&integer| json!(integer)
);
list!(
    [u8; 16],
    Digests,
    digests_item,
    BinaryBuilder,
    |digests: usize| BinaryBuilder::with_capacity(digests, 16 * digests),
    |items: &mut BinaryBuilder, list: &[[u8; 16]]| {
        list.iter().for_each(|digest| items.append_value(digest));
    },
    |items: &ArrayRef| {
        let digests = items.as_binary::<i32>().iter().flatten();
        let digests = digests.map(|digest| digest.try_into());
        let digests: Result<_, _> = digests.collect();
        digests.expect("the writer stores 16 bytes a digest, and the file's checksum agrees")
    },
    |digest| json!(hexadecimal(digest))
);
