//! How commands write values: `--notation` and `--full`.

use clap::{Args, ValueEnum};
use seedbank::evaluate::Writing;
use seedbank::value::Notation;

/// The most characters of a text with `--full`; the texts of small forms can be longer than any
/// memory.
const FULL_MAX: usize = 1 << 30;

#[derive(Debug, Args)]
pub(super) struct WritingArgs {
    /// How values are written [default: standard]
    #[arg(long, value_enum)]
    pub(super) notation: Option<NotationArg>,
    /// Write values in full, up to 2^30 characters
    #[arg(long)]
    pub(super) full: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum NotationArg {
    /// As in results: names such as ^2 and Tiny(1), slashes and +-
    Standard,
    /// As CGSuite prints values: two ups are ^^
    Cgsuite,
    /// Nested braces over numbers and nimbers
    Plain,
}

impl WritingArgs {
    /// Returns how values are written; without `--full`, those that take more characters are not.
    pub(super) fn writing(&self, chars_max: usize) -> Writing {
        Writing {
            notation: match self.notation {
                None | Some(NotationArg::Standard) => Notation::Standard,
                Some(NotationArg::Cgsuite) => Notation::CgSuite,
                Some(NotationArg::Plain) => Notation::Plain,
            },
            chars_max: if self.full { FULL_MAX } else { chars_max },
        }
    }
}
