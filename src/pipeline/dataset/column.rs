//! Columns: name, kind and meaning, and their mapping to an Arrow schema and Parquet writer
//! properties.

use std::sync::Arc;

use arrow_schema::{DataType, Field, Schema, SchemaRef};
use parquet::basic::{Compression, Encoding, ZstdLevel};
use parquet::file::properties::{
    BloomFilterPosition, EnabledStatistics, WriterProperties, WriterPropertiesBuilder,
};
use parquet::schema::types::ColumnPath;
use serde::Serialize;

/// The most rows of a row group.
///
/// Unit: rows. A writer holds a row group in memory, and bloom filters for that number of keys.
/// DuckDB and Polars parallelise over row groups, and DuckDB's own row groups have about this size.
pub(crate) const ROW_GROUP_ROWS_MAX: usize = 1 << 17;

/// The most rows of a row group in a table with a steadily ascending column.
///
/// Unit: rows. Such tables have no bloom filters, and their bytes and elements are bounded
/// separately. PERF: each row group has compressors of its own. With eight times the rows, first
/// plays take a tenth less time.
pub(crate) const ROW_GROUP_ROWS_MAX_ASCENDING: usize = 1 << 20;

/// The most bytes of a row group before it is written out, so that long notations cannot fill the
/// memory.
///
/// Unit: encoded bytes. Ordinary results have 12 bytes a row and reach the row limit long before.
pub(crate) const ROW_GROUP_BYTES_MAX: usize = 16 << 20;

/// The most list elements of a row group, except that one batch always stays together.
///
/// Unit: elements. Long, similar lists are encoded in a hundredth of their size. The 16 or 32 MiB
/// are what a reader allocates for a row group, whatever its encoded size.
pub(crate) const ROW_GROUP_ELEMENTS_MAX: u64 = 1 << 22;

/// The false-positive rate of a bloom filter.
///
/// Unit: fraction of absent keys. At 0.01 a filter takes 2 bytes per distinct key. It is folded to
/// the number of keys present, so that for 2 million rows with 700 values `value_digest` takes 2
/// KB, and `position` takes 2 MB per million rows.
const BLOOM_FALSE_POSITIVES: f64 = 0.01;

/// The most bytes of a dictionary of texts or digests; the values behind it are stored one by one.
///
/// Unit: bytes.
const TEXT_DICTIONARY_BYTES_MAX: usize = 1 << 16;

/// The kind of a column's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ColumnKind {
    /// Text with few distinct values, stored in a dictionary.
    Label,
    /// Text.
    Text,
    /// A 32-bit integer.
    Int32,
    /// A 64-bit integer.
    Int64,
    /// A 64-bit float; the column's meaning states whether it is exact.
    Float64,
    /// True or false.
    Bool,
    /// A 16-byte digest of a canonical form.
    Digest,
    /// A list of 16-byte digests of canonical forms.
    Digests,
    /// A list of 64-bit integers.
    Integers,
    /// A list of unsigned 32-bit integers.
    Unsigned,
}

impl ColumnKind {
    /// Returns the Arrow type.
    pub fn data_type(self) -> DataType {
        match self {
            ColumnKind::Label => {
                DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8))
            }
            ColumnKind::Text => DataType::Utf8,
            ColumnKind::Int32 => DataType::Int32,
            ColumnKind::Int64 => DataType::Int64,
            ColumnKind::Float64 => DataType::Float64,
            ColumnKind::Bool => DataType::Boolean,
            ColumnKind::Digest => DataType::FixedSizeBinary(16),
            ColumnKind::Digests => DataType::List(digests_item()),
            ColumnKind::Integers => DataType::List(integers_item()),
            ColumnKind::Unsigned => DataType::List(unsigned_item()),
        }
    }
}

/// Returns the field of one digest in a list of digests.
///
/// It is binary without a fixed width, because pandas with its default back end cannot read lists
/// of fixed-width binary (pyarrow 26: "Not implemented type for Arrow list to pandas").
pub(crate) fn digests_item() -> Arc<Field> {
    Arc::new(Field::new_list_field(DataType::Binary, false))
}

/// Returns the field of one integer in a list of integers.
pub(crate) fn integers_item() -> Arc<Field> {
    Arc::new(Field::new_list_field(DataType::Int64, false))
}

/// Returns the field of one integer in a list of unsigned integers.
pub(crate) fn unsigned_item() -> Arc<Field> {
    Arc::new(Field::new_list_field(DataType::UInt32, false))
}

/// One column of a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Column {
    /// The name, as queries spell it.
    pub name: String,
    /// The kind of values.
    pub kind: ColumnKind,
    /// Whether values may be null.
    pub nullable: bool,
    /// Whether a bloom filter finds a value without reading the column.
    pub bloom_filter: bool,
    /// Whether integers are stored as differences from row to row, which pays if they ascend
    /// steadily.
    #[serde(skip)]
    pub differences: bool,
    /// Whether the first bytes of all integers are stored together, then the second bytes and so
    /// on. This pays if usually all bytes but one are 0.
    #[serde(skip)]
    pub bytes_apart: bool,
    /// Meaning, unit, and when it is null.
    pub meaning: String,
}

impl Column {
    /// Returns a column with default storage.
    pub(crate) fn new(name: &str, kind: ColumnKind, nullable: bool, meaning: &str) -> Column {
        Column {
            name: name.to_owned(),
            kind,
            nullable,
            bloom_filter: false,
            differences: false,
            bytes_apart: false,
            meaning: meaning.to_owned(),
        }
    }
}

/// Returns the Arrow schema of columns. Each field's metadata has its meaning under `description`.
pub(crate) fn schema(columns: &[Column]) -> SchemaRef {
    let fields: Vec<Field> = columns
        .iter()
        .map(|column| {
            Field::new(&column.name, column.kind.data_type(), column.nullable)
                .with_metadata([("description", column.meaning.as_str())])
        })
        .collect();
    Arc::new(Schema::new(fields))
}

/// Returns the Parquet properties of columns: zstd 3 by default, dictionaries on labels and on floats,
/// texts and digests that may be null, bloom filters and differences for the columns that want them.
/// Texts, labels and digests have no minimum and maximum.
// PERF: without minima and maxima, and with these dictionaries, a job over 10^6 positions of a file of
// moves takes a seventh less time, and its file 4.6 MB instead of 5.5. Common prefixes of positions
// would make that 4.2 MB, but fastparquet cannot read them.
pub(crate) fn writer_properties(columns: &[Column]) -> WriterPropertiesBuilder {
    let zstd = ZstdLevel::try_new(3).expect("3 is a zstd level");
    let fast = ZstdLevel::try_new(1).expect("1 is a zstd level");
    let mut properties = WriterProperties::builder()
        .set_compression(Compression::ZSTD(zstd))
        .set_dictionary_enabled(false)
        .set_max_row_group_row_count(Some(ROW_GROUP_ROWS_MAX))
        .set_max_row_group_bytes(Some(ROW_GROUP_BYTES_MAX))
        // At the end of the file, all its filters would have to stay in memory until then.
        .set_bloom_filter_position(BloomFilterPosition::AfterRowGroup);
    if columns.iter().any(|column| column.differences) {
        // Such tables are written as whole columns, thousands of rows at a time; other tables keep
        // their batch sizes. PERF: a compressor begins each page with empty tables. With pages of
        // 2^17 rows instead of 20,000, first plays take a fortieth less time and a seventh less
        // disk space. With zstd 1 instead of 3 they take a twentieth less time and the same disk
        // space; lengths take 0.6 % more space.
        properties = properties
            .set_compression(Compression::ZSTD(fast))
            .set_write_batch_size(1 << 14)
            .set_max_row_group_row_count(Some(ROW_GROUP_ROWS_MAX_ASCENDING))
            .set_data_page_row_count_limit(1 << 17);
    }
    for column in columns {
        let mut path = ColumnPath::from(column.name.as_str());
        if column.kind == ColumnKind::Unsigned {
            path = ColumnPath::new(vec![column.name.clone(), "list".into(), "item".into()]);
        }
        if column.kind == ColumnKind::Unsigned || column.bytes_apart {
            // Nobody needs the minimum and maximum of these columns. PERF: without them, and with
            // zstd 1 instead of 3, a million boards with all bins, 1.2 thousand million bins, take
            // 7 s of processor time instead of 10, and 30 MB of disk space instead of 27. Splitting
            // bytes takes 12 MB instead of 55 for 10^7 boards with 16 bins and a seventh less time,
            // but a third more time for boards with all bins. Other levels, Snappy and differences
            // are slower or no faster. Smaller pages make boards with all bins four times larger.
            properties = properties
                .set_column_statistics_enabled(path.clone(), EnabledStatistics::None)
                .set_column_compression(path.clone(), Compression::ZSTD(fast));
        }
        let is_text = matches!(
            column.kind,
            ColumnKind::Label | ColumnKind::Text | ColumnKind::Digest
        );
        if is_text {
            // Texts are compared for equality, where a bloom filter or a dictionary tells more.
            properties = properties
                .set_column_statistics_enabled(path.clone(), EnabledStatistics::None)
                .set_column_dictionary_page_size_limit(path.clone(), TEXT_DICTIONARY_BYTES_MAX);
        }
        if column.bloom_filter {
            properties =
                properties.set_column_bloom_filter_fpp(path.clone(), BLOOM_FALSE_POSITIVES);
        }
        // What may be null describes values, and few of them differ. Dictionaries of floats take at
        // most nine tenths of the space of split bytes, in results of 983 and 12,316 rows. pyarrow 16
        // cannot read split bytes with nulls among them.
        let few_differ = column.nullable && (is_text || column.kind == ColumnKind::Float64);
        if column.kind == ColumnKind::Label || few_differ {
            properties = properties.set_column_dictionary_enabled(path, true);
        } else if column.bytes_apart || column.kind == ColumnKind::Float64 {
            // PERF: a million lengths of Tchoukaillon with their floats split by byte take six
            // sevenths of the space.
            properties = properties.set_column_encoding(path, Encoding::BYTE_STREAM_SPLIT);
        } else if column.differences {
            // PERF: the library takes consecutive integers one by one. An encoder that writes their
            // pages from the first integer alone would save 0.3 of 0.95 s of processor time for
            // 10^8 first plays, and nothing measurable in any other table. Splitting bytes instead
            // of differences takes 0.1 s more.
            properties = properties.set_column_encoding(path, Encoding::DELTA_BINARY_PACKED);
        }
    }
    properties
}
