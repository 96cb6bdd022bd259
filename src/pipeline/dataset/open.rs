//! Rows that have no value yet, and the limit that a run sets to each row.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use bytesize::ByteSize;
use serde::{Deserialize, Serialize};

/// Why a row has no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Missing {
    /// A follower of the position lies on a cycle.
    Loopy,
    /// The evaluation took more than a run's limit for a row.
    Limit,
    /// The run ended before the value was found.
    Unfinished,
    /// The job is about misère play alone.
    Misere,
}

impl Missing {
    /// Returns the word for it in results.
    pub fn name(self) -> &'static str {
        match self {
            Missing::Loopy => "loopy",
            Missing::Limit => "limit",
            Missing::Unfinished => "unfinished",
            Missing::Misere => "misere",
        }
    }

    /// Returns whether a later run can still find a value that is missing for this reason.
    pub fn is_open(name: &str) -> bool {
        [Missing::Limit, Missing::Unfinished]
            .iter()
            .any(|missing| missing.name() == name)
    }
}

/// The most that a run spends on the value of one row.
///
/// ```
/// use seedbank::dataset::RowLimit;
///
/// let limit: RowLimit = "90s".parse()?;
/// assert_eq!(limit.to_string(), "1m 30s");
/// assert!(limit.covers(&"1m".parse()?));
/// let positions: RowLimit = "1000000 positions".parse()?;
/// assert!(!limit.covers(&positions));
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum RowLimit {
    /// A time, on all threads of the run.
    Time(Duration),
    /// A number of positions to evaluate.
    Positions(u64),
    /// The growth of the memory in use.
    Memory(ByteSize),
}

impl RowLimit {
    /// The texts that are accepted.
    pub const ACCEPTED: &'static str = "a time such as \"60s\" or \"10m\", a number of positions such as \
                                        \"1000000 positions\", or a size of memory such as \"2 GiB\"";

    /// Returns whether rows that take more than this limit also take more than another.
    pub fn covers(&self, other: &RowLimit) -> bool {
        match (self, other) {
            (RowLimit::Time(most), RowLimit::Time(other)) => most >= other,
            (RowLimit::Positions(most), RowLimit::Positions(other)) => most >= other,
            (RowLimit::Memory(most), RowLimit::Memory(other)) => most >= other,
            _ => false,
        }
    }
}

impl fmt::Display for RowLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RowLimit::Time(time) => humantime::format_duration(*time).fmt(f),
            RowLimit::Positions(positions) => write!(f, "{positions} positions"),
            RowLimit::Memory(size) => size.fmt(f),
        }
    }
}

impl FromStr for RowLimit {
    type Err = String;

    fn from_str(text: &str) -> Result<RowLimit, String> {
        let limit = match text.split_whitespace().collect::<Vec<_>>()[..] {
            [number, "position" | "positions"] => number.parse().ok().map(RowLimit::Positions),
            _ => match humantime::parse_duration(text) {
                Ok(time) => Some(RowLimit::Time(time)),
                Err(_) => text.parse().ok().map(RowLimit::Memory),
            },
        };
        let is_nothing = [
            RowLimit::Time(Duration::ZERO),
            RowLimit::Positions(0),
            RowLimit::Memory(ByteSize(0)),
        ];
        match limit {
            Some(limit) if !is_nothing.contains(&limit) => Ok(limit),
            _ => Err(format!("expected {}; found {text:?}", RowLimit::ACCEPTED)),
        }
    }
}

impl From<RowLimit> for String {
    fn from(limit: RowLimit) -> String {
        match limit {
            // The text for people rounds sizes.
            RowLimit::Memory(size) => format!("{} B", size.0),
            limit => limit.to_string(),
        }
    }
}

impl TryFrom<String> for RowLimit {
    type Error = String;

    fn try_from(text: String) -> Result<RowLimit, String> {
        text.parse()
    }
}

/// The rows of a part that have no value yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpenRows {
    /// Their number, at least one.
    pub rows: u64,
    /// The limit that all of them exceed; `None` if the run ended before the value of one was
    /// found.
    pub limit: Option<RowLimit>,
}

impl OpenRows {
    /// Returns whether a run with a limit for each row would find none of their values.
    pub fn exceed(&self, limit: Option<RowLimit>) -> bool {
        matches!((self.limit, limit), (Some(exceeded), Some(limit)) if exceeded.covers(&limit))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_read_as_they_are_written() {
        for text in ["60s", "1h 30m", "250ms", "12 positions", "3 GiB", "1500 B"] {
            let limit: RowLimit = text.parse().expect(text);
            assert_eq!(String::from(limit).parse(), Ok(limit), "{text}");
            let json = serde_json::to_string(&limit).expect("a text");
            assert_eq!(serde_json::from_str::<RowLimit>(&json).expect(&json), limit);
        }
        for text in [
            "",
            "0s",
            "0 positions",
            "0 B",
            "soon",
            "-1s",
            "1.5 positions",
            "3 rows",
        ] {
            let refused = text.parse::<RowLimit>().expect_err(text);
            assert!(refused.contains("1000000 positions"), "{refused}");
        }
    }

    #[test]
    fn only_a_higher_limit_of_the_same_kind_finds_more() {
        let limit = |text: &str| Some(text.parse::<RowLimit>().expect(text));
        let open = |text| OpenRows {
            rows: 1,
            limit: text,
        };
        assert!(open(limit("60s")).exceed(limit("60s")));
        assert!(open(limit("60s")).exceed(limit("1s")));
        assert!(!open(limit("60s")).exceed(limit("61s")));
        assert!(!open(limit("60s")).exceed(limit("5 positions")));
        assert!(!open(limit("60s")).exceed(None));
        assert!(!open(None).exceed(limit("60s")));
    }
}
