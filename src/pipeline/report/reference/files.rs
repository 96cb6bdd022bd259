//! The files of published values, in a folder or in memory.

use std::borrow::Cow;
use std::io;
use std::ops::RangeFrom;
use std::path::{Path, PathBuf};

use seedbank_files::input;
use serde::de::DeserializeOwned;

use super::{Cited, ReferenceError};

/// The folder of these files in the source tree.
pub const FOLDER: &str = "data/reference";

/// The files of published values.
#[derive(Clone, Copy, Debug)]
pub enum Files<'f> {
    /// Those of a folder.
    Folder(&'f Path),
    /// The names and texts of those of [`FOLDER`], such as a program may hold.
    Texts(&'f [(&'f str, &'f str)]),
}

impl<'f> Files<'f> {
    /// Returns the path and the text of a file.
    pub(super) fn text(self, name: &str) -> Result<(PathBuf, Cow<'f, str>), ReferenceError> {
        let (path, found) = match self {
            Files::Folder(folder) => {
                let path = folder.join(name);
                let found = input::text(&path).map(Cow::from);
                (path, found)
            }
            Files::Texts(texts) => {
                let found = texts.iter().find(|(found, _)| *found == name);
                let found = found.map(|&(_, text)| text.into());
                let missing = || io::ErrorKind::NotFound.into();
                (Path::new(FOLDER).join(name), found.ok_or_else(missing))
            }
        };
        match found {
            Ok(text) => Ok((path, text)),
            Err(source) => Err(ReferenceError::Unreadable { path, source }),
        }
    }

    /// Reads the facts of some files, and numbers them.
    pub(super) fn facts<F>(
        self,
        names: impl IntoIterator<Item = &'f str>,
        parse: impl Fn(&str, &Path) -> Result<Vec<Cited<F>>, ReferenceError>,
        numbers: &mut RangeFrom<usize>,
    ) -> Result<Vec<Cited<F>>, ReferenceError> {
        let mut facts = Vec::new();
        for name in names {
            let (path, text) = self.text(name)?;
            facts.extend(parse(&text, &path)?);
        }
        for (fact, number) in facts.iter_mut().zip(numbers) {
            fact.number = number;
        }
        Ok(facts)
    }

    /// Returns whether a folder that exists lacks a file.
    pub(super) fn lack(self, name: &str) -> bool {
        matches!(self, Files::Folder(folder) if folder.is_dir() && !folder.join(name).exists())
    }
}

/// Reads the TOML of a file.
pub(super) fn parsed<T: DeserializeOwned>(text: &str, path: &Path) -> Result<T, ReferenceError> {
    toml::from_str(text).map_err(|error| ReferenceError::Syntax {
        path: path.to_owned(),
        reason: error.to_string(),
    })
}
