//! The bar: one line at the bottom of the terminal, below whatever else is printed.
//!
//! Whoever prints to the terminal does so through [`Bar::suspend`], which takes the bar off the screen meanwhile.

use std::io::{self, IsTerminal, Write};
use std::sync::{Mutex, OnceLock};

use console::{Term, is_dumb};
use indicatif::{MultiProgress, ProgressBar, ProgressStyle};
use unicode_width::UnicodeWidthStr;

use crate::value::lock;

/// The columns of a terminal that does not report its width.
const COLUMNS: usize = 80;

/// The bar on the terminal; there is one for the process.
pub(super) fn bar() -> &'static Bar {
    static BAR: OnceLock<Bar> = OnceLock::new();
    BAR.get_or_init(Bar::default)
}

/// The line at the bottom of the terminal on standard error.
#[derive(Debug, Default)]
pub(super) struct Bar {
    bars: MultiProgress,
    shown: Mutex<Option<Shown>>,
}

#[derive(Debug)]
struct Shown {
    bar: ProgressBar,
    /// The columns of the terminal when it was last drawn.
    columns: usize,
}

impl Bar {
    /// Puts a line on the screen, in place of the last one. It must be narrower than the terminal.
    pub(super) fn show(&self, line: String) {
        let mut shown = lock(&self.shown);
        let now = columns();
        let Shown { bar, columns } = shown.get_or_insert_with(|| {
            let style = ProgressStyle::with_template("{msg}").expect("the template is well formed");
            let bar = self.bars.add(ProgressBar::no_length().with_style(style));
            Shown { bar, columns: now }
        });
        let wrapped = rows(*columns, now) - 1;
        *columns = now;
        if wrapped > 0 {
            // A terminal that became narrower has wrapped the line; the library erases the last of its rows.
            let erase = format!("\x1b[{wrapped}A\x1b[J");
            self.bars.suspend(|| {
                let _ = io::stderr().write_all(erase.as_bytes());
            });
        }
        bar.set_message(line);
        bar.tick();
    }

    /// Removes the line from the screen.
    pub(super) fn clear(&self) {
        if let Some(Shown { bar, .. }) = lock(&self.shown).take() {
            bar.finish_and_clear();
            self.bars.remove(&bar);
        }
    }

    /// Runs a function that prints to the terminal while no bar is there. The function must not touch the bar.
    pub(super) fn suspend<T>(&self, print: impl FnOnce() -> T) -> T {
        self.bars.suspend(print)
    }
}

/// Returns the number of rows that a line takes now if it filled a row when the terminal had `before` columns.
fn rows(before: usize, now: usize) -> usize {
    before.div_ceil(now.max(1)).max(1)
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
