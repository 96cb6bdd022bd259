//! The files of published values, in a folder or embedded in the program.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;

use super::ReferenceError;
use crate::game::{Published, games};
use crate::input;

/// The folder of these files in the source tree.
pub const FOLDER: &str = "data/reference";

/// Returns all embedded files of [`FOLDER`] with their texts, in the order of the registry.
pub fn embedded() -> impl Iterator<Item = Published> {
    games().filter_map(|game| game.published)
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
    let embedded = embedded().find(|(embedded, _)| *embedded == name);
    match (dir, embedded) {
        (None, Some((_, text))) => Ok((path, text.into())),
        _ => match input::text(&path) {
            Ok(text) => Ok((path, text.into())),
            Err(source) => Err(ReferenceError::Unreadable { path, source }),
        },
    }
}
