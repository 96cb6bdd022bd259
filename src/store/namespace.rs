//! Namespaces: the meaning of a segment's keys and values, which to the store is only a name.

use std::fmt;

use serde::{Serialize, Serializer};

/// The most bytes in the name of a ruleset.
pub const RULESET_BYTES_MAX: usize = 128;

/// The most bytes in the name of a way of playing.
pub const PLAY_BYTES_MAX: usize = 48;

/// The name under which keys are unique and have one value each.
///
/// A ruleset that changes what a key or a value means gets a new version, so that new keys never
/// meet old values.
///
/// ```
/// use valuestore::Namespace;
///
/// let namespace = Namespace::new("atomic-wari/36", 1, "partisan");
/// assert_eq!(namespace.to_string(), "atomic-wari/36 v1 partisan");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Namespace {
    /// The ruleset with its parameters, for example `atomic-wari/36`.
    pub ruleset: String,
    /// The version of the ruleset and of its keys.
    pub ruleset_version: u32,
    /// The way of playing, for example `partisan`.
    pub play: String,
}

impl Namespace {
    /// Returns the namespace with these parts.
    pub fn new(ruleset: impl Into<String>, ruleset_version: u32, play: impl Into<String>) -> Self {
        Namespace {
            ruleset: ruleset.into(),
            ruleset_version,
            play: play.into(),
        }
    }

    /// Returns the fault in the names, if any; no writer stores faulty names.
    pub(crate) fn misfit(&self) -> Option<String> {
        for (what, name, bytes_max) in [
            ("ruleset", &self.ruleset, RULESET_BYTES_MAX),
            ("way of playing", &self.play, PLAY_BYTES_MAX),
        ] {
            if name.is_empty() || name.len() > bytes_max || name.contains(char::is_control) {
                return Some(format!(
                    "the name of its {what} must have 1 to {bytes_max} bytes and no control \
                     characters, and has {} bytes",
                    name.len()
                ));
            }
        }
        None
    }
}

impl Serialize for Namespace {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl fmt::Display for Namespace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} v{} {}",
            self.ruleset, self.ruleset_version, self.play
        )
    }
}
