//! The formats of a table.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// The format of a table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Format {
    /// Columns aligned with blanks.
    #[default]
    Text,
    /// GitHub's tables.
    Markdown,
    /// `tabular`, with the values in mathematics.
    Latex,
    /// Comma-separated values (RFC 4180).
    Csv,
    /// A picture: a heat map.
    Svg,
    /// A chart as Vega-Lite, a JSON notation.
    VegaLite,
}

impl Format {
    /// All formats.
    pub const ALL: [Format; 6] = [
        Format::Text,
        Format::Markdown,
        Format::Latex,
        Format::Csv,
        Format::Svg,
        Format::VegaLite,
    ];

    /// Returns its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Format::Text => "text",
            Format::Markdown => "markdown",
            Format::Latex => "latex",
            Format::Csv => "csv",
            Format::Svg => "svg",
            Format::VegaLite => "vega-lite",
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A name that is not the name of a format.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("unknown format {found:?}; accepted: text, markdown, latex, csv, svg, vega-lite")]
pub struct UnknownFormat {
    /// The name found.
    pub found: String,
}

impl FromStr for Format {
    type Err = UnknownFormat;

    fn from_str(name: &str) -> Result<Format, UnknownFormat> {
        let named = Format::ALL.into_iter().find(|format| format.name() == name);
        named.ok_or_else(|| UnknownFormat {
            found: name.to_owned(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_read_back_and_others_are_refused_with_a_list() {
        for format in Format::ALL {
            assert_eq!(format.to_string().parse(), Ok(format));
        }
        let error = "html".parse::<Format>().unwrap_err().to_string();
        assert_eq!(
            error,
            "unknown format \"html\"; accepted: text, markdown, latex, csv, svg, vega-lite"
        );
    }
}
