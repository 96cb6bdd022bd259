//! Plain tables: a row struct whose fields say by their types what the columns are.
//!
//! `plain_table!` defines a row, its columns and how batches of rows become Arrow arrays and come back, all from one
//! list of fields. A table that needs more (columns that depend on the job) implements
//! [`Table`](super::table::Table) itself.
//!
//! | field | column |
//! |---|---|
//! | `Arc<str>` | label: text of few distinct values |
//! | `String` | text |
//! | `i32`, `i64`, `bool`, `f64` | a number or flag |
//! | `Vec<i64>`, `Vec<u32>` | a list of integers |
//! | `Option<...>` of these | the same, which may be null |
//!
//! Integers that ascend steadily are marked `= ascending` and stored as differences; those that are small as a rule, `= small`,
//! byte by byte.

use std::sync::Arc;

use arrow_array::StringArray;
use arrow_array::builder::{
    ArrayBuilder, BooleanBuilder, Float64Builder, Int32Builder, Int64Builder, ListBuilder,
    StringBuilder, StringDictionaryBuilder, UInt32Builder,
};
use arrow_array::cast::AsArray;
use arrow_array::types::{Int32Type, Int64Type, UInt32Type};
use arrow_array::{Array, ArrayRef, BooleanArray, Float64Array, Int32Array, Int64Array, ListArray};

use super::column::{ColumnKind, integers_item, unsigned_item};
use super::table::{Columns, Table, text_at};

/// The most elements of a list in a row, so that those of a batch can be counted in 31 bits.
pub const LIST_MAX: usize = 1 << 27;

/// A row of a plain table.
pub trait PlainRow: Sized + Send + Sync + 'static {
    /// The table's name.
    const TABLE: &'static str;
    /// Rows on their way into an Arrow batch.
    type Batch: for<'a> Table<Row<'a> = Self> + Default;

    /// Returns the columns of the table.
    fn columns() -> Vec<super::column::Column>;
}

/// Rows of a plain table column by column, for tables of millions of rows a second.
pub trait RowColumns {
    /// What one of the rows is.
    type Row: PlainRow;

    /// Returns the columns, in the order of the table, each with a value for each row.
    fn arrays(self) -> Vec<ArrayRef>;
}

/// A type of field that makes a column.
pub(crate) trait Cell: Sized {
    const KIND: ColumnKind;
    const NULLABLE: bool = false;
    /// What gathers the values of a batch.
    type Builder: Default;
    /// A column of a batch.
    type Column<'a>;

    /// Returns why the value cannot be stored, if it cannot.
    fn misfit(&self) -> Option<String> {
        None
    }
    /// Returns the bytes that the value takes beyond a fixed width.
    fn text_bytes(&self) -> usize {
        0
    }
    /// Gathers a value.
    fn gather(&self, builder: &mut Self::Builder);
    /// Returns the values gathered, and starts anew.
    fn finish(builder: &mut Self::Builder) -> ArrayRef;
    /// Returns the column of this name.
    fn column<'a>(columns: &Columns<'a>, name: &str) -> Self::Column<'a>;
    /// Returns the value of a row.
    fn at(column: &Self::Column<'_>, row: usize) -> Self;
}

/// Implements [`Cell`] for a type of fixed width and for what may be null of it.
macro_rules! fixed_width {
    ($type:ty, $kind:ident, $builder:ty, $array:ty, $column:ident) => {
        impl Cell for $type {
            const KIND: ColumnKind = ColumnKind::$kind;
            type Builder = $builder;
            type Column<'a> = &'a $array;

            fn gather(&self, builder: &mut $builder) {
                builder.append_value(*self);
            }
            fn finish(builder: &mut $builder) -> ArrayRef {
                Arc::new(builder.finish())
            }
            fn column<'a>(columns: &Columns<'a>, name: &str) -> &'a $array {
                columns.$column(name)
            }
            fn at(column: &&$array, row: usize) -> $type {
                column.value(row)
            }
        }

        impl Cell for Option<$type> {
            const KIND: ColumnKind = ColumnKind::$kind;
            const NULLABLE: bool = true;
            type Builder = $builder;
            type Column<'a> = &'a $array;

            fn gather(&self, builder: &mut $builder) {
                builder.append_option(*self);
            }
            fn finish(builder: &mut $builder) -> ArrayRef {
                Arc::new(builder.finish())
            }
            fn column<'a>(columns: &Columns<'a>, name: &str) -> &'a $array {
                columns.$column(name)
            }
            fn at(column: &&$array, row: usize) -> Option<$type> {
                column.is_valid(row).then(|| column.value(row))
            }
        }
    };
}

fixed_width!(i32, Int32, Int32Builder, Int32Array, int32);
fixed_width!(i64, Int64, Int64Builder, Int64Array, int64);
fixed_width!(f64, Float64, Float64Builder, Float64Array, float64);
fixed_width!(bool, Bool, BooleanBuilder, BooleanArray, bools);

impl Cell for String {
    const KIND: ColumnKind = ColumnKind::Text;
    type Builder = StringBuilder;
    type Column<'a> = &'a StringArray;

    fn text_bytes(&self) -> usize {
        self.len()
    }
    fn gather(&self, builder: &mut StringBuilder) {
        builder.append_value(self);
    }
    fn finish(builder: &mut StringBuilder) -> ArrayRef {
        Arc::new(builder.finish())
    }
    fn column<'a>(columns: &Columns<'a>, name: &str) -> &'a StringArray {
        columns.text(name)
    }
    fn at(column: &&StringArray, row: usize) -> String {
        column.value(row).to_owned()
    }
}

impl Cell for Option<String> {
    const KIND: ColumnKind = ColumnKind::Text;
    const NULLABLE: bool = true;
    type Builder = StringBuilder;
    type Column<'a> = &'a StringArray;

    fn text_bytes(&self) -> usize {
        self.as_ref().map_or(0, String::len)
    }
    fn gather(&self, builder: &mut StringBuilder) {
        builder.append_option(self.as_deref());
    }
    fn finish(builder: &mut StringBuilder) -> ArrayRef {
        Arc::new(builder.finish())
    }
    fn column<'a>(columns: &Columns<'a>, name: &str) -> &'a StringArray {
        columns.text(name)
    }
    fn at(column: &&StringArray, row: usize) -> Option<String> {
        text_at(column, row).map(str::to_owned)
    }
}

/// A label column with its dictionary as texts that rows share.
pub(crate) struct SharedLabels<'a> {
    keys: &'a Int32Array,
    texts: Vec<Arc<str>>,
}

impl SharedLabels<'_> {
    fn at(&self, row: usize) -> Option<Arc<str>> {
        let key = self.keys.is_valid(row).then(|| self.keys.value(row))?;
        Some(Arc::clone(&self.texts[key as usize]))
    }
}

impl Cell for Option<Arc<str>> {
    const KIND: ColumnKind = ColumnKind::Label;
    const NULLABLE: bool = true;
    type Builder = StringDictionaryBuilder<Int32Type>;
    type Column<'a> = SharedLabels<'a>;

    fn gather(&self, builder: &mut Self::Builder) {
        match self {
            Some(label) => label.gather(builder),
            None => builder.append_null(),
        }
    }
    fn finish(builder: &mut Self::Builder) -> ArrayRef {
        Arc::new(builder.finish())
    }
    fn column<'a>(columns: &Columns<'a>, name: &str) -> SharedLabels<'a> {
        let labels = columns.labels(name);
        SharedLabels {
            texts: labels.shared(),
            keys: labels.keys(),
        }
    }
    fn at(column: &SharedLabels<'_>, row: usize) -> Option<Arc<str>> {
        column.at(row)
    }
}

impl Cell for Arc<str> {
    const KIND: ColumnKind = ColumnKind::Label;
    type Builder = StringDictionaryBuilder<Int32Type>;
    type Column<'a> = SharedLabels<'a>;

    fn gather(&self, builder: &mut Self::Builder) {
        builder
            .append(self)
            .expect("a batch has fewer labels than 31 bits can tell apart");
    }
    fn finish(builder: &mut Self::Builder) -> ArrayRef {
        Arc::new(builder.finish())
    }
    fn column<'a>(columns: &Columns<'a>, name: &str) -> SharedLabels<'a> {
        <Option<Arc<str>> as Cell>::column(columns, name)
    }
    fn at(column: &SharedLabels<'_>, row: usize) -> Arc<str> {
        column
            .at(row)
            .expect("a file's schema, and so what may be null, is compared before it is read")
    }
}

/// Gathers lists of numbers of one type.
#[derive(Debug)]
pub(crate) struct Lists<B: ArrayBuilder>(ListBuilder<B>);

/// Implements [`Cell`] for a list of integers of a type, and for what may be null of it.
macro_rules! list {
    ($type:ty, $kind:ident, $builder:ty, $arrow:ty, $item:ident) => {
        impl Default for Lists<$builder> {
            fn default() -> Lists<$builder> {
                Lists(ListBuilder::new(<$builder>::new()).with_field($item()))
            }
        }

        impl Lists<$builder> {
            pub(crate) fn append(&mut self, list: &[$type]) {
                self.0.values().append_slice(list);
                self.0.append(true);
            }
        }

        impl Cell for Vec<$type> {
            const KIND: ColumnKind = ColumnKind::$kind;
            type Builder = Lists<$builder>;
            type Column<'a> = &'a ListArray;

            fn misfit(&self) -> Option<String> {
                (self.len() > LIST_MAX)
                    .then(|| format!("a list of {} integers, at most {LIST_MAX} fit", self.len()))
            }
            fn text_bytes(&self) -> usize {
                size_of_val(&self[..])
            }
            fn gather(&self, builder: &mut Lists<$builder>) {
                builder.append(self);
            }
            fn finish(builder: &mut Lists<$builder>) -> ArrayRef {
                Arc::new(builder.0.finish())
            }
            fn column<'a>(columns: &Columns<'a>, name: &str) -> &'a ListArray {
                columns.lists(name)
            }
            fn at(column: &&ListArray, row: usize) -> Vec<$type> {
                column.value(row).as_primitive::<$arrow>().values().to_vec()
            }
        }

        impl Cell for Option<Vec<$type>> {
            const KIND: ColumnKind = ColumnKind::$kind;
            const NULLABLE: bool = true;
            type Builder = Lists<$builder>;
            type Column<'a> = &'a ListArray;

            fn misfit(&self) -> Option<String> {
                self.as_ref().and_then(Cell::misfit)
            }
            fn text_bytes(&self) -> usize {
                self.as_ref().map_or(0, Cell::text_bytes)
            }
            fn gather(&self, builder: &mut Lists<$builder>) {
                match self {
                    Some(list) => list.gather(builder),
                    None => builder.0.append(false),
                }
            }
            fn finish(builder: &mut Lists<$builder>) -> ArrayRef {
                <Vec<$type> as Cell>::finish(builder)
            }
            fn column<'a>(columns: &Columns<'a>, name: &str) -> &'a ListArray {
                columns.lists(name)
            }
            fn at(column: &&ListArray, row: usize) -> Option<Vec<$type>> {
                column
                    .is_valid(row)
                    .then(|| <Vec<$type> as Cell>::at(column, row))
            }
        }
    };
}

list!(i64, Integers, Int64Builder, Int64Type, integers_item);
list!(u32, Unsigned, UInt32Builder, UInt32Type, unsigned_item);

/// Defines a plain table: its row, its name, the type that gathers a batch, and how a row is named in an error.
macro_rules! plain_table {
    (
        table $table:literal, batch $batch:ident $(of $text_bytes:expr)?, row named by $name:expr;
        $(#[$head:meta])*
        pub struct $row:ident {
            $(
                $(#[doc = $doc:literal])+
                pub $field:ident: $type:ty $(= $order:ident)?,
            )*
        }
    ) => {
        $crate::dataset::column::table_row! {
            $(#[$head])*
            #[derive(serde::Serialize, serde::Deserialize)]
            pub struct $row {
                $(
                    $(#[doc = $doc])+
                    pub $field: $type = $crate::dataset::plain::spec::<$type>()$(.$order())?,
                )*
            }
        }

        #[doc = "The name of the table."]
        pub const TABLE: &str = $table;

        #[doc = "Returns the columns of the table."]
        pub fn columns() -> Vec<$crate::dataset::column::Column> {
            $row::declared_columns()
        }

        #[doc = "Rows on their way into an Arrow batch."]
        #[derive(Default)]
        pub struct $batch {
            rows: usize,
            text_bytes: usize,
            $($field: <$type as $crate::dataset::plain::Cell>::Builder,)*
        }

        impl $crate::dataset::plain::PlainRow for $row {
            const TABLE: &'static str = $table;
            type Batch = $batch;

            fn columns() -> Vec<$crate::dataset::column::Column> {
                $row::declared_columns()
            }
        }

        impl $crate::dataset::table::Table for $batch {
            type Row<'a> = $row;
            const NAME: &'static str = $table;
            $(const BATCH_TEXT_BYTES: usize = $text_bytes;)?

            fn rows(&self) -> usize {
                self.rows
            }

            fn text_bytes(&self) -> usize {
                self.text_bytes
            }

            fn describe(row: &$row) -> String {
                let name: fn(&$row) -> String = $name;
                name(row)
            }

            fn push(&mut self, row: &$row) -> Result<(), String> {
                use $crate::dataset::plain::Cell;
                $(
                    if let Some(reason) = row.$field.misfit() {
                        return Err(format!("{}: {reason}", stringify!($field)));
                    }
                )*
                $(
                    row.$field.gather(&mut self.$field);
                    self.text_bytes += row.$field.text_bytes();
                )*
                self.rows += 1;
                Ok(())
            }

            fn finish(&mut self) -> Vec<arrow_array::ArrayRef> {
                self.rows = 0;
                self.text_bytes = 0;
                vec![$(<$type as $crate::dataset::plain::Cell>::finish(&mut self.$field)),*]
            }

            fn read(batch: &arrow_array::RecordBatch) -> Vec<$row> {
                use $crate::dataset::plain::Cell;
                let columns = $crate::dataset::table::Columns::of(batch);
                $(let $field = <$type as Cell>::column(&columns, stringify!($field));)*
                let row = |row: usize| $row {
                    $($field: <$type as Cell>::at(&$field, row),)*
                };
                (0..batch.num_rows()).map(row).collect()
            }
        }
    };
}
pub(crate) use plain_table;

/// Returns how a column of a type of field is declared.
pub(crate) const fn spec<C: Cell>() -> super::column::ColumnSpec {
    match C::NULLABLE {
        true => super::column::nullable(C::KIND),
        false => super::column::required(C::KIND),
    }
}
