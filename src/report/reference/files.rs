//! The files of published values, in a folder or as they were when the program was built.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use super::ReferenceError;
use crate::game::Game;

/// The folder of these files in the source tree.
pub const FOLDER: &str = "data/reference";

/// Returns all files of [`FOLDER`] with their texts, as they were when the program was built: those of the games on rows, in
/// the order of the registry, and then the others.
pub fn embedded() -> impl Iterator<Item = (&'static str, &'static str)> {
    let of_rows = Game::ALL.iter().map(|game| game.published());
    of_rows.chain([
        (
            "obligated.toml",
            include_str!("../../../data/reference/obligated.toml"),
        ),
        (
            "octal.toml",
            include_str!("../../../data/reference/octal.toml"),
        ),
        (
            "tchoukaillon.toml",
            include_str!("../../../data/reference/tchoukaillon.toml"),
        ),
    ])
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
        _ => match std::fs::read_to_string(&path) {
            Ok(text) => Ok((path, text.into())),
            Err(source) => Err(ReferenceError::Unreadable { path, source }),
        },
    }
}
