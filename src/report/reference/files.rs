//! The files of published values, in a folder or embedded in the program.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;

use super::ReferenceError;
use crate::input;

/// The folder of these files in the source tree.
pub const FOLDER: &str = "data/reference";

/// Lists files of [`FOLDER`] with their texts.
macro_rules! embed {
    ($($name:literal)+) => {
        [$(($name, include_str!(concat!("../../../data/reference/", $name)))),+]
    };
}

/// The embedded files of [`FOLDER`], those about games on rows first.
pub const EMBEDDED: [(&str, &str); 11] = embed![
    "sowing.toml"
    "atomic_wari.toml"
    "reaping.toml"
    "reverse_atomic_wari.toml"
    "coloured_sowing.toml"
    "domineering.toml"
    "octal.toml"
    "obligated.toml"
    "tchoukaillon.toml"
    "kalah.toml"
    "wari.toml"
];

/// The number of embedded files about games on rows.
const OF_ROWS: usize = 6;

/// Returns the names of the files about games on rows.
pub(super) fn of_rows() -> impl Iterator<Item = &'static str> {
    EMBEDDED[..OF_ROWS].iter().map(|&(name, _)| name)
}

/// Reads the TOML of a file.
pub(super) fn parsed<T: DeserializeOwned>(text: &str, path: &Path) -> Result<T, ReferenceError> {
    toml::from_str(text).map_err(|error| ReferenceError::Syntax {
        path: path.to_owned(),
        reason: error.to_string(),
    })
}

/// Returns the path and the text of a file in `dir`, or of the embedded file.
pub(super) fn text(
    dir: Option<&Path>,
    name: &str,
) -> Result<(PathBuf, Cow<'static, str>), ReferenceError> {
    let path = dir.unwrap_or(Path::new(FOLDER)).join(name);
    let embedded = EMBEDDED.into_iter().find(|(embedded, _)| *embedded == name);
    match (dir, embedded) {
        (None, Some((_, text))) => Ok((path, text.into())),
        _ => match input::text(&path) {
            Ok(text) => Ok((path, text.into())),
            Err(source) => Err(ReferenceError::Unreadable { path, source }),
        },
    }
}
