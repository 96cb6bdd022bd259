//! Decides whether output has colours.
//!
//! `--color` decides. With `auto`, `anstream` does: by `NO_COLOR`, `CLICOLOR_FORCE`, `CLICOLOR`,
//! whether the stream is a terminal, and `TERM`. Clap uses `anstream` as well, so its errors and
//! help agree with ours.

use std::ffi::OsString;
use std::io;

use anstream::{AutoStream, ColorChoice};
use clap::ValueEnum;
use clap::builder::styling::Styles;

use super::streams::is_called;

/// When to print colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum ColorArg {
    /// On a terminal, unless NO_COLOR or TERM=dumb is set
    #[default]
    Auto,
    /// Everywhere
    Always,
    /// Nowhere
    Never,
}

/// Applies the `--color` among the arguments. Clap prints help and errors before it has read all
/// arguments, so this finds the option itself; clap refuses invalid values.
pub(super) fn choose(arguments: impl Iterator<Item = OsString>) {
    let choice = match given(arguments).unwrap_or_default() {
        ColorArg::Auto => ColorChoice::Auto,
        ColorArg::Always => ColorChoice::Always,
        ColorArg::Never => ColorChoice::Never,
    };
    choice.write_global();
}

fn given(arguments: impl Iterator<Item = OsString>) -> Option<ColorArg> {
    let mut arguments = arguments
        .map(|argument| argument.to_string_lossy().into_owned())
        .take_while(|argument| argument != "--");
    let mut found = None;
    while let Some(argument) = arguments.next() {
        let value = match argument.strip_prefix("--color") {
            Some("") => arguments.next(),
            Some(rest) => rest.strip_prefix('=').map(str::to_owned),
            None => None,
        };
        let choice = value.and_then(|value| ColorArg::from_str(&value, false).ok());
        found = choice.or(found);
    }
    found
}

/// Returns whether standard error gets colours.
pub(super) fn on_stderr() -> bool {
    !is_called() && AutoStream::choice(&io::stderr()) != ColorChoice::Never
}

/// Returns whether standard output gets colours.
pub(super) fn on_stdout() -> bool {
    !is_called() && AutoStream::choice(&io::stdout()) != ColorChoice::Never
}

/// Returns the label of errors, in clap's style.
pub(super) fn error_label(color: bool) -> String {
    let style = Styles::styled();
    let style = style.get_error();
    if color {
        format!("{style}error:{style:#} ")
    } else {
        "error: ".to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_choice_among_the_arguments_counts() {
        let given = |text: &str| given(text.split_whitespace().map(OsString::from));
        assert_eq!(
            given("seedbank run --color=always x"),
            Some(ColorArg::Always)
        );
        assert_eq!(given("seedbank --color never run x"), Some(ColorArg::Never));
        assert_eq!(
            given("seedbank --color=always run --color auto"),
            Some(ColorArg::Auto)
        );
        assert_eq!(given("seedbank value -- --color=always"), None);
        assert_eq!(given("seedbank --color=mauve --colors=never --color"), None);
    }
}
