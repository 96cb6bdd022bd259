//! The contents of a table: blocks of typed cells.

use std::fmt::Display;

use crate::report::colours::shortened;

/// The most cells of a table, at some hundred bytes each.
pub const CELLS_MAX: u64 = 200_000;

/// The most characters of a value in a table for readers; the last one of a longer value is an ellipsis.
pub const VALUE_WIDTH: usize = 40;

/// A result, laid out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Table {
    /// The job's title.
    pub title: Option<String>,
    /// The publication that it reproduces or extends.
    pub source: Option<String>,
    /// The blocks, one below the other.
    pub blocks: Vec<Block>,
    /// The meanings of symbols and digests.
    pub notes: Vec<String>,
}

/// Cells in rows and columns.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Block {
    /// The name of its table; blocks with the same name form one table.
    pub name: &'static str,
    /// The cells above the columns; empty if the columns need no header.
    pub header: Vec<Cell>,
    /// The names of the columns in CSV and JSON, for blocks without a header or equations.
    pub keys: &'static [&'static str],
    /// Whether the first column labels the rows.
    pub labelled: bool,
    /// Rows of equal length.
    pub rows: Vec<Vec<Cell>>,
}

/// The content of a cell.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Cell {
    /// Nothing.
    #[default]
    Blank,
    /// A word.
    Label(String),
    /// A number, in decimal notation.
    Number(String),
    /// A position.
    Position(String),
    /// A value.
    Value(ValueText),
    /// A position and its value.
    Equation {
        /// The position, perhaps with exponents.
        position: String,
        /// The values of the pattern's variables, for CSV and JSON only.
        variables: Vec<(String, i64)>,
        /// Its value.
        value: ValueText,
        /// The number of its followers, if the job counted them.
        followers: Option<i64>,
    },
}

/// The representation of a value in a cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ValueText {
    /// In notation.
    Notation(String),
    /// What is known of misère play, where there is no value.
    Misere(String),
    /// By its symbol in the spec; CSV and JSON have the notation.
    Symbol {
        /// The symbol.
        symbol: String,
        /// The notation.
        notation: String,
    },
    /// By the beginning of its digest, because the notation is too long for the result.
    Digest(String),
    /// By the reason why there is no value.
    Missing(String),
}

impl Table {
    /// Returns the names of its tables, the main one first.
    pub fn names(&self) -> Vec<&'static str> {
        let mut names: Vec<&str> = self.blocks.iter().map(|block| block.name).collect();
        names.dedup();
        names
    }

    /// Keeps only the table with this name.
    pub fn retain(&mut self, name: &str) {
        self.blocks.retain(|block| block.name == name);
    }

    /// Shortens the notations of more than [`VALUE_WIDTH`] characters, and adds a note if there are any.
    ///
    /// ```
    /// use seedbank::report::colours::ValuesAs;
    /// use seedbank::report::table::{Block, Cell, Format, Table, ValueText};
    ///
    /// let value = ValueText::Notation(format!("{{{}}}", "1,".repeat(100)));
    /// let block = Block { rows: vec![vec![Cell::Value(value)]], ..Block::default() };
    /// let mut table = Table { blocks: vec![block], ..Table::default() };
    /// table.shorten_values();
    /// let text = table.render(Format::Text, ValuesAs::Games);
    /// assert!(text.starts_with("{1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,…\n"));
    /// assert!(text.ends_with("values of more than 40 characters end with an ellipsis; --full prints them whole\n"));
    /// ```
    pub fn shorten_values(&mut self) {
        let cells = (self.blocks.iter_mut()).flat_map(|block| block.rows.iter_mut().flatten());
        let mut is_shortened = false;
        for cell in cells {
            if let Cell::Value(ValueText::Notation(text))
            | Cell::Equation {
                value: ValueText::Notation(text),
                ..
            } = cell
            {
                let short = shortened(text, VALUE_WIDTH);
                is_shortened |= short != *text;
                *text = short;
            }
        }
        if is_shortened {
            self.notes.push(format!(
                "values of more than {VALUE_WIDTH} characters end with an ellipsis; --full prints them whole"
            ));
        }
    }

    /// The title with the source after it.
    pub(super) fn caption(&self) -> Option<String> {
        match (&self.title, &self.source) {
            (Some(title), Some(source)) => Some(format!("{title} ({source})")),
            (title, source) => title.clone().or_else(|| source.clone()),
        }
    }
}

impl Cell {
    /// A number.
    pub(crate) fn number(number: impl Display) -> Cell {
        Cell::Number(number.to_string())
    }

    /// A number with three decimals.
    pub(crate) fn decimals(number: f64) -> Cell {
        Cell::Number(format!("{number:.3}"))
    }

    /// A number, or nothing.
    pub(crate) fn number_or_blank(number: Option<impl Display>) -> Cell {
        number.map_or(Cell::Blank, Cell::number)
    }

    /// A word.
    pub(crate) fn label(text: impl Display) -> Cell {
        Cell::Label(text.to_string())
    }

    /// A word, or nothing.
    pub(crate) fn label_or_blank(text: Option<impl Display>) -> Cell {
        text.map_or(Cell::Blank, Cell::label)
    }
}

impl Block {
    /// The number of columns.
    pub(crate) fn width(&self) -> usize {
        let widths = self.rows.iter().map(Vec::len).chain([self.header.len()]);
        widths.max().unwrap_or(0)
    }
}

impl ValueText {
    /// The sign before a digest, with which no notation begins.
    pub(in crate::report) const DIGEST: char = '#';

    /// The notation, the symbol, the digest with an ellipsis, or the reason why there is no value.
    pub(crate) fn plain(&self) -> String {
        match self {
            ValueText::Notation(text) | ValueText::Symbol { symbol: text, .. } => text.clone(),
            ValueText::Digest(digest) => format!("{}{digest}", ValueText::DIGEST),
            ValueText::Missing(text) | ValueText::Misere(text) => text.clone(),
        }
    }
}

impl Cell {
    /// The cell as plain text.
    pub(in crate::report) fn plain(&self) -> String {
        match self {
            Cell::Blank => String::new(),
            Cell::Label(text) | Cell::Number(text) | Cell::Position(text) => text.clone(),
            Cell::Value(value) => value.plain(),
            Cell::Equation {
                position,
                value,
                followers,
                ..
            } => {
                let value = value.plain();
                match followers {
                    None => format!("{position} = {value}"),
                    Some(1) => format!("{position} = {value} (1 follower)"),
                    Some(n) => format!("{position} = {value} ({n} followers)"),
                }
            }
        }
    }
}

/// Returns text on one line: a blank replaces each line break.
pub(super) fn one_line(text: &str) -> String {
    let blank = |c: char| if c.is_control() { ' ' } else { c };
    text.chars().map(blank).collect()
}
