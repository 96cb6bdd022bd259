//! Writes one part: the files of its tables grow in `tmp/`, then all are linked, then the record.
//!
//! The possible states of the final names, and the commit in each:
//!
//! | record | files | commit |
//! |---|---|---|
//! | none | none | link the files, then the record |
//! | none | a file (a crash came between) | keep it if its checksum is ours, otherwise unlink it and link ours |
//! | whole, of rows without a value | any | drop ours if it has more such rows; otherwise remove record and files, then as without them |
//! | whole | as recorded | drop ours: another process finished the part; different rows by the same code are an error |
//! | whole | missing or damaged | retract manifest and record, then as without a record |
//! | damaged | any | retract manifest and record, then as without a record |

use std::sync::Arc;

use seedbank_files::durable::Temporary;

use super::file::WrittenFile;
use super::layout::SetLayout;
use super::row::{RowColumns, TableRow};
use super::table::TableWriter;
use super::{
    DatasetError, FormRow, OpenRows, PartRecord, PositionRow, PositionTable, ResultSet, RowLimit,
};

/// The memory of a writer of ordinary rows at its peak, including the rows passed to it.
///
/// Unit: bytes. Measured as the memory beyond the values in runs of 234,574 and of 2^20 rows per
/// part: 17 and 20 MB.
const WRITER_BYTES: u64 = 20 << 20;

/// The memory of a writer with very few rows.
const WRITER_BYTES_MIN: u64 = 3 << 19;

/// The rows of a page of a column, from which on buffers and compressors have their full size.
const PAGE_ROWS: u64 = 20_000;

/// Returns the estimated memory for writing this many rows.
pub fn writer_bytes(rows: u64) -> u64 {
    WRITER_BYTES_MIN + (WRITER_BYTES - WRITER_BYTES_MIN) / PAGE_ROWS * rows.min(PAGE_ROWS)
}

impl ResultSet {
    /// Begins the files of a part whose first position has the given rank.
    ///
    /// # Errors
    ///
    /// [`DatasetError::NoPart`], or [`DatasetError::Io`] if a file cannot be created.
    pub fn part_writer<R: PositionTable>(
        &self,
        part: u32,
        first_rank: u64,
    ) -> Result<PartWriter<R>, DatasetError> {
        self.layout.check_part(part)?;
        PartWriter::begin(Arc::clone(&self.layout), part, first_rank)
    }

    /// Begins the file of a part of a plain table, whose first row has the given rank.
    ///
    /// # Errors
    ///
    /// As [`ResultSet::part_writer`], and [`DatasetError::NoTable`] if the result set has other
    /// tables.
    pub fn plain_writer<R: TableRow>(
        &self,
        part: u32,
        first_rank: u64,
    ) -> Result<PlainWriter<R>, DatasetError> {
        self.layout.check_part(part)?;
        PlainWriter::begin(Arc::clone(&self.layout), part, first_rank)
    }
}

/// Writes the files of one part. If dropped without [`PartWriter::commit`], it leaves nothing
/// behind.
///
/// Memory: at most 20 MiB for ordinary rows, most of it for compressors, which take some 400 KB per
/// column. This includes a row group of each table, encoded and compressed (about 12 bytes per
/// ordinary row, at most about 16 MiB and a batch), a batch of 8,192 rows, and bloom filters of 256
/// KB while a row group is open.
pub struct PartWriter<R: PositionTable = PositionRow> {
    layout: Arc<SetLayout>,
    part: u32,
    first_rank: u64,
    positions: TableWriter<R>,
    forms: TableWriter<FormRow>,
    /// The number of rows that have no value yet.
    open: u64,
}

impl<R: PositionTable> PartWriter<R> {
    pub(crate) fn begin(
        layout: Arc<SetLayout>,
        part: u32,
        first_rank: u64,
    ) -> Result<PartWriter<R>, DatasetError> {
        let positions = begin(&layout, part, first_rank)?;
        let forms = begin(&layout, part, first_rank)?;
        Ok(PartWriter {
            layout,
            part,
            first_rank,
            positions,
            forms,
            open: 0,
        })
    }

    /// Appends a position, in the family's order.
    ///
    /// # Errors
    ///
    /// [`DatasetError::Row`] if the row does not fit the table, in which case it is not stored;
    /// [`DatasetError::Write`] if the disk refuses.
    pub fn push(&mut self, row: &R) -> Result<(), DatasetError> {
        self.positions.push(row.as_own())?;
        self.open += u64::from(row.position().is_open());
        Ok(())
    }

    /// Appends positions, in the family's order. The grouping of rows makes no difference to the
    /// file.
    ///
    /// # Errors
    ///
    /// As [`PartWriter::push`]; the rows before the one at fault are stored.
    pub fn push_batch(&mut self, rows: &[R]) -> Result<(), DatasetError> {
        rows.iter().try_for_each(|row| self.push(row))
    }

    /// Appends positions given as whole columns, as [`PlainWriter::push_columns`]. None of them may get a value in a later run.
    ///
    /// # Errors
    ///
    /// As there.
    pub fn push_columns(&mut self, rows: impl RowColumns<Row = R>) -> Result<(), DatasetError> {
        self.positions.push_arrays(rows.arrays())
    }

    /// Appends a form that the part's positions need.
    ///
    /// # Errors
    ///
    /// As [`PartWriter::push`].
    pub fn push_form(&mut self, row: &FormRow) -> Result<(), DatasetError> {
        self.forms.push(row)
    }

    /// Finishes the part, so that it survives anything but the loss of the disk, and returns its
    /// record.
    ///
    /// # Errors
    ///
    /// [`DatasetError::Disagreement`] if the same code version finished the part before with other
    /// rows; [`DatasetError::Io`] or [`DatasetError::Write`] if the disk refuses.
    pub fn commit(self) -> Result<PartRecord, DatasetError> {
        self.commit_limited(None)
    }

    /// Finishes the part as [`PartWriter::commit`]. Its rows without a value all exceed the limit,
    /// if there is one.
    ///
    /// # Errors
    ///
    /// As there.
    pub fn commit_limited(self, limit: Option<RowLimit>) -> Result<PartRecord, DatasetError> {
        let files = vec![self.positions.finish()?, self.forms.finish()?];
        let open = (self.open > 0).then_some(OpenRows {
            rows: self.open,
            limit,
        });
        commit(&self.layout, self.part, self.first_rank, open, files)
    }
}

/// Writes the file of one part of a plain table. If dropped without [`PlainWriter::commit`], it
/// leaves nothing behind.
///
/// Memory: at most that of [`PartWriter`].
pub struct PlainWriter<R: TableRow> {
    layout: Arc<SetLayout>,
    part: u32,
    first_rank: u64,
    rows: TableWriter<R>,
}

impl<R: TableRow> PlainWriter<R> {
    pub(crate) fn begin(
        layout: Arc<SetLayout>,
        part: u32,
        first_rank: u64,
    ) -> Result<PlainWriter<R>, DatasetError> {
        let rows = begin(&layout, part, first_rank)?;
        Ok(PlainWriter {
            layout,
            part,
            first_rank,
            rows,
        })
    }

    /// Appends a row, in the order of the table.
    ///
    /// # Errors
    ///
    /// As [`PartWriter::push`].
    pub fn push(&mut self, row: &R) -> Result<(), DatasetError> {
        self.rows.push(row.as_own())
    }

    /// Appends rows given as whole columns. The number of rows per call must depend on the rows
    /// alone, because the bytes depend on it.
    ///
    /// # Errors
    ///
    /// [`DatasetError::Write`] if columns differ in length, or the disk refuses.
    pub fn push_columns(&mut self, rows: impl RowColumns<Row = R>) -> Result<(), DatasetError> {
        self.rows.push_arrays(rows.arrays())
    }

    /// Finishes the part, so that it survives anything but the loss of the disk, and returns its
    /// record.
    ///
    /// # Errors
    ///
    /// As [`PartWriter::commit`].
    pub fn commit(self) -> Result<PartRecord, DatasetError> {
        let files = vec![self.rows.finish()?];
        commit(&self.layout, self.part, self.first_rank, None, files)
    }
}

/// Begins the file of one table of a part.
fn begin<R: TableRow>(
    layout: &SetLayout,
    part: u32,
    first_rank: u64,
) -> Result<TableWriter<R>, DatasetError> {
    let named = layout.table(R::TABLE)?;
    let stem = format!("{}-{part:05}", R::TABLE);
    TableWriter::new(
        &named.columns,
        layout.header.tables.variables().len(),
        layout.header.key_values(named, part, first_rank),
        Temporary::create(&layout.folder.tmp(), &stem)?,
    )
}

/// Gives the files of a part their names and records them. The files come in the order of the
/// tables.
fn commit(
    layout: &SetLayout,
    part: u32,
    first_rank: u64,
    open: Option<OpenRows>,
    written: Vec<WrittenFile>,
) -> Result<PartRecord, DatasetError> {
    let header = &layout.header;
    let files = layout.files(part).zip(&written);
    let ours = PartRecord {
        format_version: header.format_version,
        job: header.job.clone(),
        job_digest: header.job_digest,
        code_version: header.code_version.clone(),
        variables: header.tables.variables().to_vec(),
        parts: header.parts,
        part,
        first_rank,
        open,
        files: files
            .map(|((table, file), written)| (table.to_owned(), written.record(file)))
            .collect(),
    };
    if let Some(theirs) = standing(layout, part)? {
        match theirs.open {
            Some(open) if ours.open.is_none_or(|ours| ours.rows <= open.rows) => {
                layout.discard(part)?;
            }
            Some(_) => return Ok(theirs),
            None => return settle(layout, ours, theirs),
        }
    }
    let first = layout
        .files(part)
        .next()
        .map(|(_, file)| layout.folder.path(&file));
    for ((_, file), written) in layout.files(part).zip(written) {
        layout.folder.link(file, written)?;
    }
    if layout.folder.write_record(&SetLayout::stem(part), &ours)? {
        return Ok(ours);
    }
    // Another worker recorded the same part in the meantime.
    match standing(layout, part)? {
        Some(theirs) => settle(layout, ours, theirs),
        None => Err(DatasetError::Missing {
            path: first.expect("a result set has a table"),
            named_by: layout.record(part),
            remedy: "another process is changing this directory; run the job again".to_owned(),
        }),
    }
}

/// Returns the record of a part that is finished and undamaged; retracts a damaged one.
fn standing(layout: &SetLayout, part: u32) -> Result<Option<PartRecord>, DatasetError> {
    let checked = layout.read_record(part).and_then(|record| {
        if let Some(record) = &record {
            for file in record.files.records() {
                layout.checked(part, file)?;
            }
        }
        Ok(record)
    });
    match checked {
        Err(damage) if damage.is_damage() => {
            tracing::warn!("{damage}");
            layout.retract(part)?;
            Ok(None)
        }
        other => other,
    }
}

/// Accepts an earlier record of the part, unless the same code computed other rows.
fn settle(
    layout: &SetLayout,
    ours: PartRecord,
    theirs: PartRecord,
) -> Result<PartRecord, DatasetError> {
    // Rows without a value are no other rows.
    if ours.open.is_some() {
        return Ok(theirs);
    }
    if ours == theirs || ours.code_version != theirs.code_version {
        return Ok(theirs);
    }
    let sums = |record: &PartRecord| {
        let sums = record.files.records().map(|file| file.blake3.to_string());
        sums.collect::<Vec<_>>().join(" and ")
    };
    Err(DatasetError::Disagreement {
        path: layout.record(ours.part),
        found: format!("checksums {} then, {} now", sums(&theirs), sums(&ours)),
        code_version: ours.code_version,
    })
}
