//! A fact about Tchoukaillon boards.

use std::path::PathBuf;

use super::super::cited::cited;
use super::BoardStatement;

/// A published statement about Tchoukaillon boards, which a result can confirm.
#[derive(Clone, Debug)]
pub struct BoardFact {
    /// Its subject.
    pub label: String,
    /// The statement.
    pub statement: BoardStatement,
    /// The publication and the place in it.
    pub citation: String,
    /// The file.
    pub file: PathBuf,
    /// The entry in the file.
    pub key: String,
}

cited!(BoardFact);
