//! Files that the user names with options such as `-o`.
//!
//! Every command writes them here, so that the same rules hold for all: symbolic links are followed, `-` is standard output,
//! pipes and devices are written to, permissions stay, and a file is written whole or not at all.

use std::io::Read;
use std::path::Path;

use seedbank::durable::{self, IoError};
use seedbank::input;
use seedbank::report::page::GENERATOR;

use super::CliError;
use super::error::printed;
use super::output::{Printer, Unprinted};

/// A page names its generator within this many bytes.
const BEGIN: u64 = 4096;

/// Writes text to a file, whole or not at all: see [`durable::write_whole`]. Prints it without a name, or if the name is `-`.
///
/// # Errors
///
/// Those of `write`, and those of writing.
pub(super) fn write_to<T, E: From<Unprinted> + From<IoError>>(
    path: Option<&Path>,
    write: impl FnOnce(&mut dyn FnMut(&str) -> Result<(), Unprinted>) -> Result<T, E>,
) -> Result<T, E> {
    let Some(path) = path.filter(|path| !is_printed(path)) else {
        let mut printer = Printer::new();
        let written = write(&mut |text| printer.part(text))?;
        printer.flush()?;
        return Ok(written);
    };
    durable::write_whole(path, |file| {
        write(&mut |text| {
            let written = file.write_all(text.as_bytes());
            Ok(written.map_err(IoError::on("write", path))?)
        })
    })
}

/// Writes a text as [`write_to`] does; returns whether it went to a file.
///
/// # Errors
///
/// If it cannot be written.
pub(super) fn write_text(path: &Path, text: &str) -> Result<bool, CliError> {
    let written = write_to::<_, Unprinted>(Some(path), |write| write(text));
    printed(written)?;
    Ok(!is_printed(path))
}

/// Returns whether a name stands for standard output.
pub(super) fn is_printed(path: &Path) -> bool {
    path.as_os_str() == "-" || durable::is_standard_output(path)
}

/// Returns whether a file begins like a page.
pub(super) fn is_page(path: &Path) -> bool {
    let mut begin = Vec::new();
    let read = input::open(path).and_then(|file| file.take(BEGIN).read_to_end(&mut begin));
    read.is_ok() && String::from_utf8_lossy(&begin).contains(GENERATOR)
}
