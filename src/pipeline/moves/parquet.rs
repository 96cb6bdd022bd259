//! Moves in Parquet, a row for each position.

use std::fs::File;

use ::parquet::arrow::arrow_reader::{
    ArrowReaderOptions, ParquetRecordBatchReaderBuilder as Builder,
};
use ::parquet::errors::ParquetError;
use arrow_array::cast::AsArray;
use arrow_array::{Array, ListArray, StringArray};
use arrow_schema::{ArrowError, DataType};
use cggames::game::moves::Movers;

use super::source::{End, KEYS, Lines, MovesFileError, Source, unknown_key};

/// Returns the number of rows, and the end.
pub(super) fn count(source: Source<'_>) -> Result<(u64, End), MovesFileError> {
    let rows = builder(source)?.metadata().file_metadata().num_rows();
    Ok((rows as u64, End::File(source.digest()?)))
}

/// Reads all rows, or those up to a break.
pub(super) fn read(source: Source<'_>, lines: &mut impl Lines) -> Result<End, MovesFileError> {
    let builder = builder(source)?;
    let whole = |fault: String| Err(source.fault(String::new(), fault));
    let fields = builder.schema().fields();
    for (column, field) in fields.iter().enumerate() {
        if fields[..column]
            .iter()
            .any(|before| before.name() == field.name())
        {
            return whole(format!("the column {:?} comes twice", field.name()));
        }
        let accepted = match (field.name().as_str(), field.data_type()) {
            ("position", DataType::Utf8) => continue,
            ("position", _) => "texts",
            (name, DataType::List(of))
                if KEYS.contains(&name) && *of.data_type() == DataType::Utf8 =>
            {
                continue;
            }
            (name, _) if KEYS.contains(&name) => "lists of texts",
            (name, _) => return whole(unknown_key(name)),
        };
        let (name, found) = (field.name(), field.data_type());
        return whole(format!(
            "the column {name:?} has the type {found}; accepted: {accepted}"
        ));
    }
    if fields.find("position").is_none() {
        return whole("the column \"position\" is missing".to_owned());
    }
    let batches = builder.build().map_err(|error| failed(source, error))?;
    let mut row = 0_u64;
    for batch in batches {
        let batch = batch.map_err(|error| broken(source, error))?;
        let column = |name| batch.column_by_name(name);
        let positions = column("position").expect("the file has the column");
        let positions: &StringArray = positions.as_string();
        let list = |name| column(name).map(|column| column.as_list::<i32>());
        let lists = [
            (Movers::Left, list("left")),
            (Movers::Right, list("right")),
            (Movers::Both, list("options")),
        ];
        for index in 0..batch.num_rows() {
            row += 1;
            let place = || format!(": row {row}");
            let null = || source.fault(place(), "a name is null; write a text");
            if positions.is_null(index) {
                return Err(null());
            }
            for (movers, list) in lists {
                let names = list.into_iter().flat_map(|list| names(list, index));
                for name in names {
                    lines.option(movers, name.ok_or_else(null)?);
                }
            }
            if lines.end_line(positions.value(index)).is_break() {
                return Ok(End::Line(place()));
            }
        }
    }
    Ok(End::File(source.digest()?))
}

/// Returns the names in a row of a column of lists; null has none.
fn names(lists: &ListArray, row: usize) -> impl Iterator<Item = Option<&str>> {
    let all: &StringArray = lists.values().as_string();
    let [start, end] = [row, row + 1].map(|row| lists.value_offsets()[row] as usize);
    let names = if lists.is_null(row) { 0..0 } else { start..end };
    names.map(move |place| all.is_valid(place).then(|| all.value(place)))
}

fn builder(source: Source<'_>) -> Result<Builder<File>, MovesFileError> {
    // Without the writer's own types all texts have one, and so have all lists.
    let options = ArrowReaderOptions::new().with_skip_arrow_metadata(true);
    let builder = Builder::try_new_with_options(source.file()?, options);
    builder.map_err(|error| failed(source, error))
}

fn failed(source: Source<'_>, error: ParquetError) -> MovesFileError {
    source.fault(
        String::new(),
        format!("it is no sound Parquet file: {error}"),
    )
}

fn broken(source: Source<'_>, error: ArrowError) -> MovesFileError {
    source.fault(
        String::new(),
        format!("it is no sound Parquet file: {error}"),
    )
}
