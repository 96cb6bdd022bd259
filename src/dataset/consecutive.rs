//! Column chunks of consecutive integers, each one more than the one before, as those that number the rows of a table.
//!
//! PERF: parquet's encoder of differences takes them one by one, a fifth of the time of first plays, though all that can
//! differ between two pages of as many rows is the first integer.

use bytes::Bytes;
use parquet::basic::{BoundaryOrder, Compression, Encoding, EncodingMask, PageType, Type};
use parquet::column::page::{CompressedPage, Page, PageWriter};
use parquet::column::writer::ColumnCloseResult;
use parquet::errors::ParquetError;
use parquet::file::metadata::{
    ColumnChunkMetaData, ColumnIndexBuilder, OffsetIndexBuilder, PageEncodingStats,
};
use parquet::file::properties::WriterPropertiesPtr;
use parquet::file::statistics::{Statistics, ValueStatistics};
use parquet::file::writer::{SerializedPageWriter, TrackedWrite};
use parquet::schema::types::ColumnDescPtr;

/// The differences of a block.
const BLOCK_DIFFERENCES: u64 = 256;

/// The miniblocks of a block.
const MINIBLOCKS: u64 = 4;

/// A block of differences that are all 1: the least of them as a zigzag integer, then for each miniblock that none of its
/// differences takes a bit more.
const BLOCK_OF_ONES: [u8; 1 + MINIBLOCKS as usize] = [2, 0, 0, 0, 0];

/// The consecutive integers of a column chunk, which are not encoded until all are there.
pub(super) struct Consecutive {
    leaf: ColumnDescPtr,
    properties: WriterPropertiesPtr,
    zstd_level: i32,
    first: i64,
    rows: usize,
    /// The rows of each batch, in which order they came.
    batches: Vec<usize>,
}

impl Consecutive {
    /// Begins a chunk of a column; `None` if it is not one of 64-bit integers that are never null, stored as differences
    /// and compressed with zstd.
    pub(super) fn new(
        leaf: &ColumnDescPtr,
        properties: &WriterPropertiesPtr,
    ) -> Option<Consecutive> {
        let required = leaf.max_def_level() == 0 && leaf.max_rep_level() == 0;
        let encoding = properties.encoding(leaf.path());
        let Compression::ZSTD(level) = properties.compression(leaf.path()) else {
            return None;
        };
        let differences = encoding == Some(Encoding::DELTA_BINARY_PACKED);
        (leaf.physical_type() == Type::INT64 && required && differences).then(|| Consecutive {
            leaf: leaf.clone(),
            properties: properties.clone(),
            zstd_level: level.compression_level(),
            first: 0,
            rows: 0,
            batches: Vec::new(),
        })
    }

    /// Appends a batch and returns whether it goes on where the last one ended; if not, nothing is appended.
    pub(super) fn extend(&mut self, batch: &[i64]) -> bool {
        let Some(&first_of_batch) = batch.first() else {
            return true;
        };
        let first = if self.rows == 0 {
            first_of_batch
        } else {
            self.first
        };
        let rows = self.rows + batch.len();
        if first.checked_add(rows as i64).is_none() {
            return false;
        }
        // PERF: without a way out, this is compiled to vector code.
        let next = first + self.rows as i64;
        let expected = (0..batch.len()).map(|row| next + row as i64);
        let differing = batch.iter().zip(expected);
        if differing.fold(0, |bits, (&found, expected)| bits | (found ^ expected)) != 0 {
            return false;
        }
        self.first = first;
        self.rows = rows;
        self.batches.push(batch.len());
        true
    }

    /// Returns the column of the file.
    pub(super) fn leaf(&self) -> &ColumnDescPtr {
        &self.leaf
    }

    /// Returns the properties of the file.
    pub(super) fn properties(&self) -> &WriterPropertiesPtr {
        &self.properties
    }

    /// Returns all batches that were appended.
    pub(super) fn batches(&self) -> impl Iterator<Item = Vec<i64>> {
        let mut next = self.first;
        self.batches.iter().map(move |&rows| {
            let first = next;
            next += rows as i64;
            (first..next).collect()
        })
    }

    /// Encodes and compresses the chunk: to what parquet's column writer would have made of the same batches.
    pub(super) fn end(self) -> Result<(Bytes, ColumnCloseResult), ParquetError> {
        let mut compressor = zstd::bulk::Compressor::new(self.zstd_level)?;
        let mut sink = TrackedWrite::new(Vec::new());
        let mut column_index = ColumnIndexBuilder::new(Type::INT64);
        column_index.set_boundary_order(BoundaryOrder::ASCENDING);
        let mut offset_index = OffsetIndexBuilder::new();
        let mut uncompressed_size = 0;
        let mut first = self.first;
        let pages = self.rows_of_pages();
        for &rows in &pages {
            let last = first + (rows - 1) as i64;
            let page = encoded(first, rows);
            let data = Page::DataPage {
                buf: compressor.compress(&page)?.into(),
                num_values: rows as u32,
                encoding: Encoding::DELTA_BINARY_PACKED,
                def_level_encoding: Encoding::RLE,
                rep_level_encoding: Encoding::RLE,
                statistics: None,
            };
            let data = CompressedPage::new(data, page.len());
            let written = SerializedPageWriter::new(&mut sink).write_page(data)?;
            uncompressed_size += written.uncompressed_size;
            let (least, greatest) = (first.to_le_bytes(), last.to_le_bytes());
            column_index.append(false, least.to_vec(), greatest.to_vec(), 0, None);
            offset_index.append_row_count(rows as i64);
            offset_index
                .append_offset_and_size(written.offset as i64, written.compressed_size as i32);
            first = last + 1;
        }
        let bytes = Bytes::from(sink.into_inner()?);
        let statistics =
            ValueStatistics::new(Some(self.first), Some(first - 1), None, Some(0), false)
                .with_backwards_compatible_min_max(true);
        let encodings = [Encoding::RLE, Encoding::DELTA_BINARY_PACKED];
        let metadata = ColumnChunkMetaData::builder(self.leaf.clone())
            .set_compression(self.properties.compression(self.leaf.path()))
            .set_encodings_mask(EncodingMask::new_from_encodings(encodings.iter()))
            .set_page_encoding_stats(vec![PageEncodingStats {
                page_type: PageType::DATA_PAGE,
                encoding: Encoding::DELTA_BINARY_PACKED,
                count: pages.len() as i32,
            }])
            .set_total_compressed_size(bytes.len() as i64)
            .set_total_uncompressed_size(uncompressed_size as i64)
            .set_num_values(self.rows as i64)
            .set_data_page_offset(0)
            .set_statistics(Statistics::Int64(statistics))
            .build()?;
        let ended = ColumnCloseResult {
            bytes_written: bytes.len() as u64,
            rows_written: self.rows as u64,
            bloom_filter: None,
            metadata,
            column_index: Some(column_index.build()?),
            offset_index: Some(offset_index.build()),
        };
        Ok((bytes, ended))
    }

    /// Returns how many rows each page has: pages end after the batch, or the piece of one, that fills them.
    fn rows_of_pages(&self) -> Vec<usize> {
        let piece_max = self.properties.write_batch_size();
        let page_max = (self.properties).column_data_page_row_count_limit(self.leaf.path());
        let mut pages = Vec::new();
        let mut page = 0;
        for &batch in &self.batches {
            let mut left = batch;
            while left > 0 {
                let piece = left.min(piece_max);
                left -= piece;
                page += piece;
                if page >= page_max {
                    pages.push(page);
                    page = 0;
                }
            }
        }
        if page > 0 {
            pages.push(page);
        }
        pages
    }
}

/// Returns consecutive integers in the encoding `DELTA_BINARY_PACKED`: the layout, how many there are and the first, then
/// a block for each [`BLOCK_DIFFERENCES`] differences, the last one with as many bytes if it is not full.
fn encoded(first: i64, rows: usize) -> Vec<u8> {
    let rows = rows as u64;
    let blocks = (rows - 1).div_ceil(BLOCK_DIFFERENCES) as usize;
    let mut page = Vec::with_capacity(32 + blocks * BLOCK_OF_ONES.len());
    let zigzag = (first << 1) ^ (first >> (i64::BITS - 1));
    for mut number in [BLOCK_DIFFERENCES, MINIBLOCKS, rows, zigzag as u64] {
        while number >= 0x80 {
            page.push(number as u8 | 0x80);
            number >>= 7;
        }
        page.push(number as u8);
    }
    for _ in 0..blocks {
        page.extend_from_slice(&BLOCK_OF_ONES);
    }
    page
}
