//! The bar: one line at the bottom of the terminal, below whatever else is printed.
//!
//! Whoever prints to the terminal does so through [`Bar::suspend`], which takes the bar off the screen meanwhile.
//! Nothing here fails: a terminal may be closed and a full disk may be standard error, and neither ends a run.

use std::io::{self, IsTerminal, Write};
use std::sync::{Mutex, OnceLock};

use console::{Term, is_dumb};
use unicode_width::UnicodeWidthStr;

use crate::value::lock;

/// The columns of a terminal that does not report its width.
const COLUMNS: usize = 80;

/// Writes a text to standard error. A text that cannot be written is lost, because no stream is left to report that.
pub(super) fn say(text: &str) {
    // In one piece, so that processes that share the stream keep their lines apart.
    let _ = io::stderr().write_all(text.as_bytes());
}

/// The bar on the terminal; there is one for the process.
pub(super) fn bar() -> &'static Bar {
    static BAR: OnceLock<Bar> = OnceLock::new();
    BAR.get_or_init(Bar::default)
}

/// The line at the bottom of the terminal on standard error.
#[derive(Debug, Default)]
pub(super) struct Bar {
    shown: Mutex<Option<String>>,
}

impl Bar {
    /// Puts a line on the screen, in place of the last one. It must be narrower than the terminal.
    pub(super) fn show(&self, line: String) {
        let mut shown = lock(&self.shown);
        say(&format!("{}{line}", erased(shown.as_deref())));
        *shown = Some(line);
    }

    /// Removes the line from the screen.
    pub(super) fn clear(&self) {
        say(&erased(lock(&self.shown).take().as_deref()));
    }

    /// Runs a function that prints to the terminal while no bar is there. The function must not touch the bar.
    pub(super) fn suspend<T>(&self, print: impl FnOnce() -> T) -> T {
        let shown = lock(&self.shown);
        say(&erased(shown.as_deref()));
        let printed = print();
        say(shown.as_deref().unwrap_or_default());
        printed
    }
}

/// Returns the text that erases a line, from the first of the rows that a narrower terminal has wrapped it to.
fn erased(line: Option<&str>) -> String {
    match line.map(|line| rows(width(line), columns())) {
        None => String::new(),
        Some(1) => "\r\x1b[J".to_owned(),
        Some(rows) => format!("\x1b[{}A\r\x1b[J", rows - 1),
    }
}

/// Returns the number of rows that a line of this width takes on a terminal of these columns.
fn rows(width: usize, columns: usize) -> usize {
    width.div_ceil(columns.max(1)).max(1)
}

/// Returns whether standard error is a terminal that can show a bar.
pub(super) fn has_bars() -> bool {
    io::stderr().is_terminal() && !is_dumb()
}

/// Returns the number of columns that a text takes.
pub(super) fn width(text: &str) -> usize {
    text.width()
}

/// Returns the number of columns of the terminal on standard error.
pub(super) fn columns() -> usize {
    let size = Term::stderr().size_checked();
    size.map_or(COLUMNS, |(_, columns)| usize::from(columns).max(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_erased_with_the_rows_that_it_was_wrapped_to() {
        assert_eq!(rows(80, 80), 1);
        assert_eq!(rows(80, 120), 1);
        assert_eq!(rows(80, 79), 2);
        assert_eq!(rows(120, 40), 3);
        assert_eq!(rows(80, 0), 80);
    }
}
