//! Rows: one struct of documented fields declares a table.
//!
//! `table_row!` defines the struct and derives from its fields: the columns with their meanings,
//! the conversion of batches to Arrow arrays and back, and the JSON object of a row. A field whose
//! type is a [`Datum`] makes one column. A field may also make several: those of another struct, or
//! one for each variable of a pattern. Two tables can thus share the columns of a struct.
//!
//! ```text
//! table_row! {
//! /// One heap: its size and its value.
//! pub struct HeapRow {
//!     /// The size of the heap, in tokens.
//!     pub n: i64 = ascending,
//!     /// The nim-value; null if the heap has none.
//!     pub nim_value: Option<i32>,
//! }
//! }
//!
//! impl TableRow for HeapRow {
//!     const TABLE: &'static str = "heaps";
//!
//!     fn describe(row: &HeapRow) -> String {
//!         format!("heap {}", row.n)
//!     }
//! }
//! ```
//!
//! A mark after the type modifies the column: `searched`, `ascending`, `small`, `label` and
//! `notation`, explained in `datum.rs`. A row with a lifetime borrows its texts from its maker or
//! from the batch that it is read from.

use std::slice;

use arrow_array::builder::Int64Builder;
use arrow_array::{ArrayRef, RecordBatch};
use serde_json::{Map, Value};

use super::column::{Column, ColumnKind};
use super::datum::{Datum, FieldMark, Unmarked};

/// A field type, under a mark: its columns, and the conversion of its values to arrays and back.
pub trait Fields<M> {
    /// The number of columns, without those of variables.
    const WIDTH: usize;
    /// The type with its texts borrowed for `'t`.
    type Of<'t>: Send;
    /// Collects the values of a batch.
    type Builders: Send;
    /// The columns of a batch.
    type Arrays<'b>;

    /// Appends the columns of the field with this name and meaning, in a table with these
    /// variables.
    fn declare(name: &str, meaning: &str, variables: &[String], columns: &mut Vec<Column>);

    /// Returns empty builders, in a table with this number of variables.
    fn builders(variables: usize) -> Self::Builders;

    /// Returns why the value of this field cannot be stored; `None` if it can.
    fn misfit(value: &Self::Of<'_>, name: &str, builders: &Self::Builders) -> Option<String>;

    /// Appends a value, and returns its bytes beyond a fixed width.
    fn gather(value: &Self::Of<'_>, builders: &mut Self::Builders) -> usize;

    /// Appends nulls in place of a value, in a table whose columns may be null.
    fn gather_nulls(builders: &mut Self::Builders);

    /// Appends the collected values as arrays, one for each column, and resets the builders.
    fn finish(builders: &mut Self::Builders, arrays: &mut Vec<ArrayRef>);

    /// Takes the field's columns from those of a batch.
    fn arrays<'b>(columns: &mut BatchColumns<'b>) -> Self::Arrays<'b>;

    /// Returns the value of a row.
    fn at<'b>(arrays: &Self::Arrays<'b>, row: usize) -> Self::Of<'b>;

    /// Returns the value with owned texts.
    fn own(value: Self::Of<'_>) -> Self::Of<'static>;

    /// Puts the value of this field into an object whose keys are the columns.
    fn put(value: &Self::Of<'_>, name: &str, variables: &[String], object: &mut Map<String, Value>);
}

/// A row with owned texts: [`Fields::own`] returns the row itself.
///
/// As a bound, `Fields<Unmarked, Of<'static> = Self>` would say the same, but the compiler then
/// requires it for all lifetimes.
pub trait OwnedRow: Fields<Unmarked> + Sized {
    /// Returns the row.
    fn from_own(row: Self::Of<'static>) -> Self;

    /// Returns the row.
    fn as_own(&self) -> &Self::Of<'static>;
}

impl<R: Fields<Unmarked, Of<'static> = R>> OwnedRow for R {
    fn from_own(row: R) -> R {
        row
    }
    fn as_own(&self) -> &R {
        self
    }
}

/// A row of a table.
pub trait TableRow: OwnedRow + Send + Sync + 'static {
    /// The table's name.
    const TABLE: &'static str;
    /// The bytes in columns of variable width at which a batch ends early.
    ///
    /// This bounds the memory of a batch of long notations; ordinary batches stay below a tenth of
    /// it.
    const BATCH_TEXT_BYTES: usize = 8 << 20;

    /// Names a row in an error.
    fn describe(row: &Self::Of<'_>) -> String;

    /// Returns the columns of the table, with one for each of these variables in place of
    /// `variables`.
    fn columns(variables: &[String]) -> Vec<Column> {
        let mut columns = Vec::new();
        Self::declare("", "", variables, &mut columns);
        columns
    }

    /// Returns the rows of a batch whose schema is the table's.
    fn read(batch: &RecordBatch) -> Vec<Self> {
        let rows = Self::borrowed(batch);
        rows.map(|row| Self::from_own(Self::own(row))).collect()
    }

    /// Returns the rows of such a batch; they borrow their texts from it.
    fn borrowed(batch: &RecordBatch) -> impl Iterator<Item = Self::Of<'_>> {
        let mut columns = BatchColumns {
            columns: batch.columns().iter(),
            variables: batch.num_columns() - Self::WIDTH,
        };
        let arrays = Self::arrays(&mut columns);
        (0..batch.num_rows()).map(move |row| Self::at(&arrays, row))
    }

    /// Returns a row as an object whose keys are the columns; digests are hexadecimal.
    fn object(row: &Self::Of<'_>, variables: &[String]) -> Value {
        let mut object = Map::new();
        Self::put(row, "", variables, &mut object);
        Value::Object(object)
    }
}

/// Rows of a table in columns, for tables that write millions of rows a second.
pub trait RowColumns {
    /// The type of one row.
    type Row: TableRow;

    /// Returns the columns, in the order of the table, each with a value for each row.
    fn arrays(self) -> Vec<ArrayRef>;
}

/// The columns of a batch that no field has taken yet.
pub struct BatchColumns<'b> {
    columns: slice::Iter<'b, ArrayRef>,
    variables: usize,
}

impl<'b> BatchColumns<'b> {
    fn next(&mut self) -> &'b ArrayRef {
        let column = self.columns.next();
        column.expect("a file's schema is compared with the table's before its batches are read")
    }
}

impl<M: FieldMark, D: Datum<M>> Fields<M> for D {
    const WIDTH: usize = 1;
    type Of<'t> = D::Of<'t>;
    type Builders = D::Builder;
    type Arrays<'b> = D::Array<'b>;

    fn declare(name: &str, meaning: &str, _: &[String], columns: &mut Vec<Column>) {
        let mut column = Column::new(name, D::KIND, D::NULLABLE, meaning);
        M::mark(&mut column);
        columns.push(column);
    }
    fn builders(_: usize) -> D::Builder {
        D::builder(0, 0)
    }
    fn misfit(value: &D::Of<'_>, name: &str, _: &D::Builder) -> Option<String> {
        D::misfit(value, name)
    }
    fn gather(value: &D::Of<'_>, builder: &mut D::Builder) -> usize {
        D::gather(Some(value), builder)
    }
    fn gather_nulls(builder: &mut D::Builder) {
        D::gather(None, builder);
    }
    fn finish(builder: &mut D::Builder, arrays: &mut Vec<ArrayRef>) {
        arrays.push(D::finish(builder));
    }
    fn arrays<'b>(columns: &mut BatchColumns<'b>) -> D::Array<'b> {
        D::array(columns.next())
    }
    fn at<'b>(array: &D::Array<'b>, row: usize) -> D::Of<'b> {
        D::at(array, row)
    }
    fn own(value: D::Of<'_>) -> D::Of<'static> {
        D::own(value)
    }
    fn put(value: &D::Of<'_>, name: &str, _: &[String], object: &mut Map<String, Value>) {
        object.insert(name.to_owned(), D::json(value));
    }
}

/// The values of a pattern's variables, a column each.
impl Fields<Unmarked> for Vec<Option<i64>> {
    const WIDTH: usize = 0;
    type Of<'t> = Vec<Option<i64>>;
    type Builders = Vec<Int64Builder>;
    type Arrays<'b> = Vec<<Option<i64> as Datum<Unmarked>>::Array<'b>>;

    fn declare(_: &str, _: &str, variables: &[String], columns: &mut Vec<Column>) {
        columns.extend(variables.iter().map(|name| {
            let meaning = format!(
                "The value of the pattern's variable {name}; null if the row's pattern has no such variable."
            );
            Column::new(name, ColumnKind::Int64, true, &meaning)
        }));
    }
    fn builders(variables: usize) -> Vec<Int64Builder> {
        (0..variables).map(|_| Int64Builder::new()).collect()
    }
    fn misfit(values: &Self, _: &str, builders: &Vec<Int64Builder>) -> Option<String> {
        let (expected, found) = (builders.len(), values.len());
        (expected != found)
            .then(|| format!("expected {expected} values of variables, found {found}"))
    }
    fn gather(values: &Self, builders: &mut Vec<Int64Builder>) -> usize {
        for (value, builder) in values.iter().zip(builders) {
            builder.append_option(*value);
        }
        0
    }
    fn gather_nulls(builders: &mut Vec<Int64Builder>) {
        builders.iter_mut().for_each(Int64Builder::append_null);
    }
    fn finish(builders: &mut Vec<Int64Builder>, arrays: &mut Vec<ArrayRef>) {
        arrays.extend(builders.iter_mut().map(<i64 as Datum<Unmarked>>::finish));
    }
    fn arrays<'b>(columns: &mut BatchColumns<'b>) -> Self::Arrays<'b> {
        let arrays = (0..columns.variables).map(|_| columns.next());
        arrays
            .map(<Option<i64> as Datum<Unmarked>>::array)
            .collect()
    }
    fn at<'b>(arrays: &Self::Arrays<'b>, row: usize) -> Self::Of<'b> {
        let values = arrays.iter();
        values
            .map(|array| <Option<i64> as Datum<Unmarked>>::at(array, row))
            .collect()
    }
    fn own(values: Self) -> Self {
        values
    }
    fn put(values: &Self, _: &str, variables: &[String], object: &mut Map<String, Value>) {
        for (name, value) in variables.iter().zip(values) {
            object.insert(name.clone(), (*value).into());
        }
    }
}

/// Defines the row of a table, or columns that several tables share: a struct, and [`Fields`] for
/// it.
///
/// The doc comment of a field is the meaning of its column, so that the docs, the Arrow field
/// metadata and the file metadata cannot disagree. After the struct, `unless` names a function that
/// returns why a row cannot be stored.
macro_rules! table_row {
    (
        $(#[$head:meta])*
        pub struct $row:ident { $($fields:tt)* }
        $(unless $misfit:path)?
    ) => {
        $crate::dataset::row::table_row! {
            @define owned [$(#[$head])*] [$row] [] [$row] ['t] [$($misfit)?] { $($fields)* }
        }
    };
    (
        $(#[$head:meta])*
        pub struct $row:ident<$life:lifetime> { $($fields:tt)* }
        $(unless $misfit:path)?
    ) => {
        $crate::dataset::row::table_row! {
            @define borrowed
            [$(#[$head])*] [$row] [<$life>] [$row<'t>] ['t] [$($misfit)?] { $($fields)* }
        }
    };
    (
        @define $texts:ident
        [$($head:tt)*] [$row:ident] [$($life:tt)*] [$of:ty] [$t:lifetime] [$($misfit:path)?]
        {
            $(
                $(#[doc = $doc:literal])+
                pub $field:ident: $type:ty $(= $mark:ident)?,
            )*
        }
    ) => {
        $($head)*
        #[derive(Clone, Debug, Default, PartialEq)]
        pub struct $row $($life)* {
            $(
                $(#[doc = $doc])+
                pub $field: $type,
            )*
        }

        const _: () = {
            use $crate::dataset::column::Column;
            use $crate::dataset::datum::Unmarked;
            use $crate::dataset::row::{BatchColumns, Fields, mark};

            impl $($life)* Fields<Unmarked> for $row $($life)* {
                const WIDTH: usize = 0 $(+ <$type as Fields<mark!($($mark)?)>>::WIDTH)*;
                type Of<$t> = $of;
                type Builders = ($(<$type as Fields<mark!($($mark)?)>>::Builders,)*);
                type Arrays<'b> = ($(<$type as Fields<mark!($($mark)?)>>::Arrays<'b>,)*);

                fn declare(_: &str, _: &str, variables: &[String], columns: &mut Vec<Column>) {
                    $({
                        let meaning = concat!($($doc),+).trim();
                        let name = stringify!($field);
                        <$type as Fields<mark!($($mark)?)>>::declare(
                            name, meaning, variables, columns,
                        );
                    })*
                }
                fn builders(variables: usize) -> Self::Builders {
                    ($(<$type as Fields<mark!($($mark)?)>>::builders(variables),)*)
                }
                fn misfit(
                    row: &Self::Of<'_>, _: &str, builders: &Self::Builders,
                ) -> Option<String> {
                    let ($($field,)*) = builders;
                    None
                        $(.or_else(|| $misfit(row)))?
                        $(.or_else(|| {
                            <$type as Fields<mark!($($mark)?)>>::misfit(
                                &row.$field, stringify!($field), $field,
                            )
                        }))*
                }
                fn gather(row: &Self::Of<'_>, builders: &mut Self::Builders) -> usize {
                    let ($($field,)*) = builders;
                    0 $(+ <$type as Fields<mark!($($mark)?)>>::gather(&row.$field, $field))*
                }
                fn gather_nulls(builders: &mut Self::Builders) {
                    let ($($field,)*) = builders;
                    $(<$type as Fields<mark!($($mark)?)>>::gather_nulls($field);)*
                }
                fn finish(
                    builders: &mut Self::Builders, arrays: &mut Vec<arrow_array::ArrayRef>,
                ) {
                    let ($($field,)*) = builders;
                    $(<$type as Fields<mark!($($mark)?)>>::finish($field, arrays);)*
                }
                fn arrays<'b>(columns: &mut BatchColumns<'b>) -> Self::Arrays<'b> {
                    ($(<$type as Fields<mark!($($mark)?)>>::arrays(columns),)*)
                }
                fn at<'b>(arrays: &Self::Arrays<'b>, row: usize) -> Self::Of<'b> {
                    let ($($field,)*) = arrays;
                    $row {
                        $($field: $crate::dataset::row::table_row!(
                            @at $texts $type, mark!($($mark)?), $field, row
                        ),)*
                    }
                }
                fn own(row: Self::Of<'_>) -> Self::Of<'static> {
                    $row {
                        $($field: <$type as Fields<mark!($($mark)?)>>::own(row.$field),)*
                    }
                }
                fn put(
                    row: &Self::Of<'_>,
                    _: &str,
                    variables: &[String],
                    object: &mut serde_json::Map<String, serde_json::Value>,
                ) {
                    $(<$type as Fields<mark!($($mark)?)>>::put(
                        &row.$field, stringify!($field), variables, object,
                    );)*
                }
            }
        };
    };
    // A row without a lifetime owns its texts.
    (@at owned $type:ty, $mark:ty, $arrays:ident, $row:ident) => {
        <$type as Fields<$mark>>::own(<$type as Fields<$mark>>::at($arrays, $row))
    };
    (@at borrowed $type:ty, $mark:ty, $arrays:ident, $row:ident) => {
        <$type as Fields<$mark>>::at($arrays, $row)
    };
}
pub(crate) use table_row;

/// The type of a mark.
macro_rules! mark {
    () => {
        $crate::dataset::datum::Unmarked
    };
    (searched) => {
        $crate::dataset::datum::Searched
    };
    (ascending) => {
        $crate::dataset::datum::Ascending
    };
    (small) => {
        $crate::dataset::datum::Small
    };
    (label) => {
        $crate::dataset::datum::Label
    };
    (notation) => {
        $crate::dataset::datum::Notation
    };
}
pub(crate) use mark;
