//! The bar: one line at the bottom of the terminal, below whatever else is printed.
//!
//! Whoever prints to the terminal does so through [`Bar::suspend`], which takes the bar off the screen meanwhile. A terminal that has
//! become narrower since the bar was drawn has wrapped it, as most do; the bar then clears all the lines it takes.

use std::io::{self, Write};
use std::sync::{Mutex, OnceLock};

use crate::value::lock;

/// The columns of a terminal that does not tell how many it has.
const COLUMNS: usize = 80;

/// The bar on the terminal; there is one for the process.
pub(super) fn bar() -> &'static Bar {
    static BAR: OnceLock<Bar> = OnceLock::new();
    BAR.get_or_init(Bar::default)
}

/// The line at the bottom of the terminal that standard error is.
#[derive(Debug, Default)]
pub(super) struct Bar {
    /// What is on the screen; empty where nothing is.
    shown: Mutex<String>,
}

impl Bar {
    /// Puts a line on the screen, in place of the last one. It must be narrower than the terminal.
    pub(super) fn show(&self, line: String) {
        let mut shown = lock(&self.shown);
        if *shown != line {
            write(&format!("{}{line}", erase(&shown, columns())));
            *shown = line;
        }
    }

    /// Takes the line off the screen.
    pub(super) fn clear(&self) {
        self.show(String::new());
    }

    /// Does something that prints to the terminal, with no bar there; it must not touch the bar.
    pub(super) fn suspend<T>(&self, print: impl FnOnce() -> T) -> T {
        let shown = lock(&self.shown);
        write(&erase(&shown, columns()));
        let printed = print();
        write(&shown);
        printed
    }
}

/// Writes to standard error in one piece, so that it does not flicker. What cannot be written is lost.
fn write(text: &str) {
    if !text.is_empty() {
        let _ = io::stderr().lock().write_all(text.as_bytes());
    }
}

/// Returns what erases a line on a terminal of so many columns, the cursor being at its end.
fn erase(line: &str, columns: usize) -> String {
    if line.is_empty() {
        return String::new();
    }
    match (width(line) - 1) / columns.max(1) {
        0 => "\r\x1b[J".to_owned(),
        above => format!("\r\x1b[{above}A\x1b[J"),
    }
}

/// Returns the columns that a text takes at most: two for a character beyond ASCII.
pub(super) fn width(text: &str) -> usize {
    text.chars().map(|c| if c.is_ascii() { 1 } else { 2 }).sum()
}

/// Returns the columns of the terminal that standard error is.
pub(super) fn columns() -> usize {
    match columns_told() {
        Some(columns) if columns > 0 => columns.into(),
        _ => COLUMNS,
    }
}

#[cfg(any(target_os = "linux", target_os = "macos"))]
fn columns_told() -> Option<u16> {
    use std::ffi::{c_int, c_ulong};

    /// The request for the window's size.
    const TIOCGWINSZ: c_ulong = if cfg!(target_os = "macos") {
        0x4008_7468
    } else {
        0x5413
    };
    const STDERR: c_int = 2;
    unsafe extern "C" {
        fn ioctl(fd: c_int, request: c_ulong, ...) -> c_int;
    }
    // Rows, columns, and two sizes in pixels.
    let mut size = [0u16; 4];
    // SAFETY: for this request the C library's function writes a `struct winsize`, which is four `unsigned short`, through the
    // pointer, or nothing where it fails; `size` has that layout and outlives the call. Any descriptor may be asked.
    let failed = unsafe { ioctl(STDERR, TIOCGWINSZ, &raw mut size) };
    (failed == 0).then_some(size[1])
}

#[cfg(not(any(target_os = "linux", target_os = "macos")))]
fn columns_told() -> Option<u16> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_erased_with_the_rows_that_it_was_wrapped_to() {
        assert_eq!(erase("", 80), "");
        assert_eq!(erase(&"x".repeat(79), 80), "\r\x1b[J");
        assert_eq!(erase(&"x".repeat(80), 80), "\r\x1b[J");
        assert_eq!(erase(&"x".repeat(79), 40), "\r\x1b[1A\x1b[J");
        assert_eq!(erase(&"x".repeat(79), 20), "\r\x1b[3A\x1b[J");
    }
}
