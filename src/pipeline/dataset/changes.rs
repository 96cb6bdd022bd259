//! What differs between two specs, key by key: why a folder belongs to another job.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Serialize, Serializer};
use toml::{Table, Value};

/// The keys and sections that are no part of what a job computes.
const WITHOUT_MEANING: [&str; 7] = ["name", "title", "source", "table", "mine", "law", "limits"];

/// The section of the positions.
const FAMILY: &str = "family";

/// A key that two specs set differently.
///
/// ```text
/// family.n: "1..=12" -> "1..=14"
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The key, with the sections around it.
    key: String,
    /// Its value in the spec of the results that are there, as TOML writes it.
    found: Option<String>,
    /// Its value in this job's spec.
    expected: Option<String>,
}

impl Change {
    /// Returns whether the key belongs to the section `[family]`.
    fn is_of_family(&self) -> bool {
        let rest = self.key.strip_prefix(FAMILY);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    }
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = |value: &Option<String>| value.clone().unwrap_or_else(|| "not set".to_owned());
        let (found, expected) = (text(&self.found), text(&self.expected));
        write!(f, "{}: {found} -> {expected}", self.key)
    }
}

impl Serialize for Change {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// What differs between the spec of the results that are there and that of a job, of the keys that
/// can change what a job computes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Changes {
    /// The keys; `None` if the other spec cannot be read.
    keys: Option<Vec<Change>>,
    /// Whether rows stay what they are if only the family changes.
    may_grow: bool,
}

impl Changes {
    /// Compares two specs whose digests differ, the first of them of results that are there. Beside
    /// each is the digest of its file of moves, if it has one.
    pub(super) fn between(
        found: Option<&(String, Option<String>)>,
        (expected, expected_moves): &(String, Option<String>),
        may_grow: bool,
    ) -> Changes {
        let keys = found.and_then(|(found, moves)| {
            let mut keys = differing(found, expected)?;
            if moves.is_some() && expected_moves.is_some() && moves != expected_moves {
                keys.push(Change {
                    key: "the content of ruleset.moves".to_owned(),
                    found: moves.clone(),
                    expected: expected_moves.clone(),
                });
            }
            Some(keys)
        });
        Changes { keys, may_grow }
    }

    /// Returns the keys that differ.
    pub fn keys(&self) -> &[Change] {
        self.keys.as_deref().unwrap_or_default()
    }

    /// Returns whether only the family differs, and rows stay what they are.
    pub(super) fn may_grow(&self) -> bool {
        let keys = self.keys.as_ref();
        self.may_grow && keys.is_some_and(|keys| keys.iter().all(Change::is_of_family))
    }
}

/// The reason why the digests differ, for the middle of a sentence.
impl fmt::Display for Changes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.keys.as_deref() {
            None => f.write_str("the job has changed or the directory belongs to another"),
            Some([]) => f.write_str("a file that the spec names has changed"),
            Some(keys) => {
                let keys: Vec<String> = keys.iter().map(Change::to_string).collect();
                f.write_str(&keys.join(", "))
            }
        }
    }
}

/// Returns the keys that differ between two specs; `None` if one of the texts is no TOML.
fn differing(found: &str, expected: &str) -> Option<Vec<Change>> {
    let (found, expected) = (keys(found)?, keys(expected)?);
    let mut names: Vec<&String> = found.keys().chain(expected.keys()).collect();
    names.sort();
    names.dedup();
    let change = |key: &String| {
        let (found, expected) = (found.get(key).cloned(), expected.get(key).cloned());
        (found != expected).then(|| Change {
            key: key.clone(),
            found,
            expected,
        })
    };
    Some(names.into_iter().filter_map(change).collect())
}

/// Returns the values of a spec by their keys.
fn keys(text: &str) -> Option<BTreeMap<String, String>> {
    let mut keys = BTreeMap::new();
    let mut spec: Table = text.trim_start_matches('\u{feff}').parse().ok()?;
    spec.retain(|key, _| !WITHOUT_MEANING.contains(&key));
    add(String::new(), Value::Table(spec), &mut keys);
    Some(keys)
}

fn add(key: String, value: Value, keys: &mut BTreeMap<String, String>) {
    match value {
        Value::Table(table) => {
            for (name, value) in table {
                let within = if key.is_empty() {
                    name
                } else {
                    format!("{key}.{name}")
                };
                add(within, value, keys);
            }
        }
        // A column that is not requested may as well not be named.
        Value::Boolean(false) => {}
        value => drop(keys.insert(key, value.to_string())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_that_differ_are_named_with_both_values() {
        let found = "name = \"a\"\n[ruleset]\ngame = \"sowing\"\nplay = \"partisan\"\n[family]\n\
                     pattern = \"1^n\"\nn = \"1..=12\"\n[columns]\nfollowers = false\n";
        let spec = |text: &str| (text.to_owned(), None);
        let found_spec = spec(found);
        let compared = |expected: &str| Changes::between(Some(&found_spec), &spec(expected), true);
        let text = |expected: &str| compared(expected).to_string();
        assert_eq!(
            text(&found.replace("12", "14")),
            "family.n: \"1..=12\" -> \"1..=14\""
        );
        assert_eq!(
            text(
                &found
                    .replace("sowing", "atomic-wari")
                    .replace("false", "true")
            ),
            "columns.followers: not set -> true, ruleset.game: \"sowing\" -> \"atomic-wari\""
        );
        let all = found.replace(
            "pattern = \"1^n\"\nn = \"1..=12\"",
            "all = { pots_max = 3 }",
        );
        assert_eq!(
            text(&all),
            "family.all.pots_max: not set -> 3, family.n: \"1..=12\" -> not set, \
             family.pattern: \"1^n\" -> not set"
        );
        // Neither words about the job nor columns that are not requested make another job.
        let titled = format!(
            "title = \"Ones\"\n{}",
            found.replace("followers = false", "")
        );
        assert_eq!(text(&titled), "a file that the spec names has changed");
        assert!(compared(&titled).may_grow() && compared(&all).may_grow());
        assert!(!compared(&found.replace("partisan", "impartial")).may_grow());
        assert!(!Changes::between(Some(&found_spec), &spec(&all), false).may_grow());
        let laws = spec("Laws of these results");
        assert!(!Changes::between(Some(&laws), &found_spec, true).may_grow());
        // Another content of the file of moves is another game.
        let moves = |digest: &str| (all.clone(), Some(digest.to_owned()));
        let moved = Changes::between(Some(&moves("11aa")), &moves("22bb"), true);
        assert!(!moved.may_grow());
        assert_eq!(
            moved.to_string(),
            "the content of ruleset.moves: 11aa -> 22bb"
        );
    }
}
