//! The laws that a run searches for once the rows are finished: the section `[mine]`, for every
//! kind of job whose rows can be mined.
//!
//! Rows do not depend on it, so it is not part of a job's meaning.

use std::borrow::Cow;
use std::time::Duration;

use cggames::game::UnknownName;
use cglaws::{LawKind, MineOptions};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use seedbank_specs::schema::{choice, list, optional, table, text};
use seedbank_specs::{Fault, Field, Problems, nearest, read_choice};

use crate::run::Task;
use crate::run::mining::NOTHING_TO_MINE;

/// Reads `[mine]`. If the task itself is invalid, checks that depend on it are skipped.
pub(super) fn read(
    problems: &mut Problems<'_>,
    field: &Field<'_>,
    task: Option<&dyn Task>,
) -> Option<MineOptions> {
    let mut fields = field.table(problems, "a section [mine]")?;
    let laws = match fields.take("laws") {
        Some(field) => read_laws(problems, &field),
        None => Some(LawKind::ALL.to_vec()),
    };
    let known = task.and_then(|task| task.mined_variables());
    let variables = match fields.take("variables") {
        Some(field) => read_variables(problems, &field, known.as_deref()).map(Some),
        None => Some(None),
    };
    let extend = match fields.take("extend") {
        Some(field) => read_time(problems, &field).map(Some),
        None => Some(None),
    };
    fields.finish(problems);
    if task.is_some() && known.is_none() {
        let why = NOTHING_TO_MINE;
        problems.add(
            &field.key,
            field.key_span.clone(),
            Fault::NothingToMine { why },
        );
    }
    Some(MineOptions {
        laws: laws?,
        variables: variables?,
        extend: extend?,
        predict: None,
    })
}

/// The section `[mine]`.
pub(super) enum MineSection {}

impl JsonSchema for MineSection {
    fn schema_name() -> Cow<'static, str> {
        "mine".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        table([
            optional(
                "laws",
                "the kinds of laws that are sought; all where it is missing",
                list(choice(&LawKind::NAMES)),
            ),
            optional(
                "variables",
                "the variables that a mined column may have",
                list(text()),
            ),
            optional(
                "extend",
                "the time for computing entries beyond the result, such as \"10m\"",
                text(),
            ),
        ])
    }
}

fn read_laws(problems: &mut Problems<'_>, field: &Field<'_>) -> Option<Vec<LawKind>> {
    let accepted = "a list of kinds of laws, such as [\"values\", \"periods\"]";
    let mut laws = Some(Vec::new());
    for element in field.array(problems, accepted)? {
        let kind = read_choice(problems, &element, "kind of law", &LawKind::NAMES);
        laws = laws
            .zip(kind.and_then(LawKind::named))
            .map(|(mut laws, kind)| {
                laws.push(kind);
                laws
            });
    }
    laws
}

/// Reads a list of variables; `known` are those of the columns.
fn read_variables(
    problems: &mut Problems<'_>,
    field: &Field<'_>,
    known: Option<&[String]>,
) -> Option<Vec<String>> {
    let mut variables = Some(Vec::new());
    for element in field.array(problems, "a list of variables, such as [\"m\", \"n\"]")? {
        let name = element.string(problems, "a variable, such as \"m\"");
        let name = name.filter(|name| match known {
            Some(known) if known.iter().all(|known| known != name) => {
                let accepted = match known {
                    [] => "none, for no row has variables".to_owned(),
                    _ => known.join(", "),
                };
                let fault = UnknownName {
                    what: "variable",
                    found: (*name).to_owned(),
                    accepted,
                };
                let help = nearest(name, known.iter().map(String::as_str));
                let help = help.map(|name| format!("did you mean `{name}`?"));
                problems.add_with_help(&element.key, element.span.clone(), fault, help);
                false
            }
            _ => true,
        });
        variables = variables.zip(name).map(|(mut variables, name)| {
            variables.push(name.to_owned());
            variables
        });
    }
    variables
}

fn read_time(problems: &mut Problems<'_>, field: &Field<'_>) -> Option<Duration> {
    let text = field.string(problems, "a time, such as \"10m\"")?;
    let time = humantime::parse_duration(text);
    let fault = |_| Fault::Time {
        found: text.to_owned(),
    };
    problems.ok(field, time.map_err(fault))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::task::Job;

    fn job(family: &str, mine: &str) -> Result<Job, String> {
        let spec = format!("name = \"a\"\n[ruleset]\n{family}\n{mine}");
        let path = Path::new("jobs/a.toml");
        Job::parse(&spec, path, Path::new("jobs")).map_err(|error| error.to_string())
    }

    const PATTERN: &str = "game = \"sowing\"\nplay = \"partisan\"\n[family]\npattern = \"1^m 0 1^n\"\nm = \"0..=6\"\nn = \"0..=6\"";

    #[test]
    fn the_section_is_read_and_is_no_part_of_the_meaning() {
        let plain = job(PATTERN, "").unwrap();
        assert_eq!(plain.header.mine, None);
        let all = job(PATTERN, "[mine]").unwrap();
        assert_eq!(all.header.mine, Some(MineOptions::default()));
        let text = "[mine]\nlaws = [\"values\", \"rules\"]\nvariables = [\"m\"]\nextend = \"10m\"";
        let some = job(PATTERN, text).unwrap();
        let options = MineOptions {
            laws: vec![LawKind::Values, LawKind::Rules],
            variables: Some(vec!["m".to_owned()]),
            extend: Some(Duration::from_secs(600)),
            predict: None,
        };
        assert_eq!(some.header.mine, Some(options));
        assert_eq!(some.header.digest, plain.header.digest);
    }

    #[test]
    fn what_is_wrong_with_it_is_named() {
        let starts = "game = \"kalah\"\n[family]\nstarts = { pits = \"2\", seeds = \"1..=3\" }";
        for (family, mine, expected) in [
            (
                PATTERN,
                "[mine]\nlaws = [\"value\"]",
                "did you mean `values`?",
            ),
            (
                PATTERN,
                "[mine]\nlaws = [\"value\"]",
                "values, periods, recurrences",
            ),
            (PATTERN, "[mine]\nlaws = []", "an empty list"),
            (PATTERN, "[mine]\nlaws = \"values\"", "found a string"),
            (PATTERN, "[mine]\nvariables = [\"q\"]", "accepted: m, n"),
            (PATTERN, "[mine]\nextend = \"soon\"", "90s, 30m or 8h"),
            (PATTERN, "[mine]\nextend = 10", "found an integer"),
            (
                PATTERN,
                "[mine]\nlaw = [\"values\"]",
                "did you mean `laws`?",
            ),
            (
                starts,
                "[mine]",
                "laws are sought in families of patterns and sums",
            ),
        ] {
            let error = job(family, mine).unwrap_err();
            assert!(
                error.contains(expected) && error.contains("jobs/a.toml:"),
                "{error}"
            );
        }
    }
}
