//! Moves in CSV, a record for each position.

use ::csv::{ByteRecord, Reader, ReaderBuilder};
use cggames::game::moves::Movers;
use serde::de::DeserializeSeed;

use super::json::{Names, message};
use super::source::{End, KEYS, Lines, MovesFileError, Source, Text, unknown_key};

/// Returns the number of records, and the end.
pub(super) fn count(source: Source<'_>) -> Result<(u64, End), MovesFileError> {
    let mut records = records(source)?;
    let (mut record, mut count) = (ByteRecord::new(), 0);
    while next(source, &mut records, &mut record)? {
        count += 1;
    }
    Ok((count, end(records)))
}

/// Reads all records, or those up to a break.
pub(super) fn read(source: Source<'_>, lines: &mut impl Lines) -> Result<End, MovesFileError> {
    let mut records = records(source)?;
    let header = records.byte_headers();
    let header = header.map_err(|error| failed(source, error))?.clone();
    let of_header = |fault: String| source.fault(":1".to_owned(), fault);
    let mut columns = [None; 4];
    for (column, name) in header.iter().enumerate() {
        let name = String::from_utf8_lossy(name);
        let key = KEYS.iter().position(|key| *key == name);
        let key = key.ok_or_else(|| of_header(unknown_key(&name)))?;
        if columns[key].replace(column).is_some() {
            return Err(of_header(format!("the column {name:?} comes twice")));
        }
    }
    let [Some(position), left, right, options] = columns else {
        let fault =
            "the column \"position\" is missing; accepted: a header such as position,left,right";
        return Err(of_header(fault.to_owned()));
    };
    let lists = [
        (Movers::Left, left),
        (Movers::Right, right),
        (Movers::Both, options),
    ];
    let mut record = ByteRecord::new();
    while next(source, &mut records, &mut record)? {
        let place = || format!(":{}", record.position().map_or(0, |place| place.line()));
        let text = |column: usize| {
            let cell = record.get(column).unwrap_or_default();
            let fault = "the text is not UTF-8; save it as UTF-8";
            str::from_utf8(cell).map_err(|_| source.fault(place(), fault))
        };
        for (movers, column) in lists {
            let Some(column) = column else { continue };
            let cell = text(column)?;
            if cell.starts_with("[\"") || cell == "[]" {
                let mut parser = serde_json::Deserializer::from_str(cell);
                let read = Names(movers, &mut *lines).deserialize(&mut parser);
                let read = read.and_then(|()| parser.end());
                read.map_err(|error| {
                    source.fault(place(), format!("{cell}: {}", message(&error)))
                })?;
            } else {
                let names = cell.split_ascii_whitespace();
                names.for_each(|name| lines.option(movers, name));
            }
        }
        if lines.end_line(text(position)?).is_break() {
            return Ok(End::Line(place()));
        }
    }
    Ok(end(records))
}

/// Returns the end behind the last record.
fn end(records: Reader<Text>) -> End {
    End::File(records.into_inner().into_inner().digest())
}

fn records(source: Source<'_>) -> Result<Reader<Text>, MovesFileError> {
    Ok(ReaderBuilder::new().from_reader(source.text()?))
}

/// Reads the next record; returns false behind the last.
fn next(
    source: Source<'_>,
    records: &mut Reader<Text>,
    record: &mut ByteRecord,
) -> Result<bool, MovesFileError> {
    let read = records.read_byte_record(record);
    read.map_err(|error| failed(source, error))
}

fn failed(source: Source<'_>, error: ::csv::Error) -> MovesFileError {
    let place = error.position().map(|place| format!(":{}", place.line()));
    match error.into_kind() {
        ::csv::ErrorKind::Io(error) => source.unreadable(error),
        ::csv::ErrorKind::UnequalLengths {
            expected_len, len, ..
        } => source.fault(
            place.unwrap_or_default(),
            format!(
                "{len} cells, and {expected_len} in the header; write names with commas in quotes"
            ),
        ),
        kind => source.fault(place.unwrap_or_default(), format!("{kind:?}")),
    }
}
