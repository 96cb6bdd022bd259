//! The bar: one line at the bottom of the terminal, below whatever else is printed.
//!
//! Whoever prints to the terminal does so through [`Bar::suspend`], which takes the bar off the screen meanwhile.
//! Nothing here fails: a terminal may be closed and a full disk may be standard error, and neither ends a run.

use std::io;
use std::sync::{Mutex, OnceLock};

use console::{Term, is_dumb};
use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle, TermLike};
use seedbank_memory::lock;
use unicode_width::UnicodeWidthStr;

use super::streams::{say, says_on_terminal};

/// The columns of a terminal that does not report its width.
const COLUMNS: usize = 80;

/// The bar on the terminal; there is one for the process.
pub(super) fn bar() -> &'static Bar {
    static BAR: OnceLock<Bar> = OnceLock::new();
    BAR.get_or_init(Bar::default)
}

/// The line at the bottom of the terminal on standard error.
#[derive(Debug)]
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

/// The terminal on standard error, to which writing never fails: an error would make the bar panic.
#[derive(Debug)]
struct Screen(Term);

impl Screen {
    fn try_to(&self, write: impl FnOnce(&Term) -> io::Result<()>) -> io::Result<()> {
        let _ = write(&self.0);
        Ok(())
    }
}

impl TermLike for Screen {
    fn width(&self) -> u16 {
        columns().try_into().unwrap_or(u16::MAX)
    }

    fn height(&self) -> u16 {
        self.0.size().0
    }

    fn move_cursor_up(&self, lines: usize) -> io::Result<()> {
        self.try_to(|term| term.move_cursor_up(lines))
    }

    fn move_cursor_down(&self, lines: usize) -> io::Result<()> {
        self.try_to(|term| term.move_cursor_down(lines))
    }

    fn move_cursor_right(&self, columns: usize) -> io::Result<()> {
        self.try_to(|term| term.move_cursor_right(columns))
    }

    fn move_cursor_left(&self, columns: usize) -> io::Result<()> {
        self.try_to(|term| term.move_cursor_left(columns))
    }

    fn write_line(&self, text: &str) -> io::Result<()> {
        self.try_to(|term| term.write_line(text))
    }

    fn write_str(&self, text: &str) -> io::Result<()> {
        self.try_to(|term| term.write_str(text))
    }

    fn clear_line(&self) -> io::Result<()> {
        self.try_to(Term::clear_line)
    }

    fn flush(&self) -> io::Result<()> {
        self.try_to(Term::flush)
    }
}

impl Default for Bar {
    fn default() -> Bar {
        let screen = Box::new(Screen(Term::buffered_stderr()));
        Bar {
            bars: MultiProgress::with_draw_target(ProgressDrawTarget::term_like(screen)),
            shown: Mutex::default(),
        }
    }
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
            self.bars.suspend(|| say(&erase));
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
        let shown = lock(&self.shown);
        match *shown {
            Some(_) => self.bars.suspend(print),
            // PERF: the library asks the terminal for its settings each time.
            None => print(),
        }
    }
}

/// Returns the number of rows that a line takes now if it filled a row when the terminal had `before` columns.
fn rows(before: usize, now: usize) -> usize {
    before.div_ceil(now.max(1)).max(1)
}

/// Returns whether standard error is a terminal that can show a bar.
pub(super) fn has_bars() -> bool {
    says_on_terminal() && !is_dumb()
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
