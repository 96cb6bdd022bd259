//! The laws that a run searches for once the rows are finished: the section `[mine]`, for every
//! kind of job whose rows can be mined.
//!
//! Rows do not depend on it, so it is not part of a job's meaning.

use std::time::Duration;

use cglaws::{LawKind, MineOptions};
use seedbank_specs::form::{Form, list, table, text, word};
use seedbank_specs::{Fault, Field, Problems, did_you_mean, keys, nearest};

use crate::run::Task;
use crate::run::mining::NOTHING_TO_MINE;

/// The section `[mine]`. If the task itself is invalid, checks that depend on it are skipped.
pub(super) fn form(task: Option<&dyn Task>) -> Form<'_, MineOptions> {
    let known = task.and_then(|task| task.mined_variables());
    let accepted = "a list of kinds of laws, such as [\"values\", \"periods\"]";
    let kinds = LawKind::ALL.map(|kind| (kind, kind.name()));
    let keys = keys!({
        /// the kinds of laws that are sought; all where it is missing
        laws: list(accepted, word("kind of law", "a string", kinds)), default LawKind::ALL.to_vec();
        /// the variables that a mined column may have
        variables: list("a list of variables, such as [\"m\", \"n\"]", variable(known.clone())),
            optional;
        /// the time for computing entries beyond the result, such as "10m"
        extend: time(), optional;
    });
    let options = table("a section [mine]", keys).map(|(laws, variables, extend)| MineOptions {
        laws,
        variables,
        extend,
        predict: None,
    });
    options.defined("mine")
}

/// Reads `[mine]` of a job whose rows may have nothing to mine.
pub(super) fn read(
    problems: &mut Problems<'_>,
    field: &Field<'_>,
    task: Option<&dyn Task>,
) -> Option<MineOptions> {
    let options = form(task).read(problems, field);
    let is_refused = task.is_some_and(|task| task.mined_variables().is_none());
    if is_refused && field.value.is_table() {
        problems.add(&field.key, field.key_span.clone(), NOTHING_TO_MINE);
    }
    options
}

/// A variable of the columns, if they are known.
fn variable<'f>(known: Option<Vec<String>>) -> Form<'f, String> {
    text("a variable, such as \"m\"").then(move |problems, field, name| {
        let Some(known) = known.as_deref().filter(|known| !known.contains(&name)) else {
            return Some(name);
        };
        let accepted = match known {
            [] => "none, for no row has variables".to_owned(),
            _ => known.join(", "),
        };
        let fault = Fault::UnknownName {
            what: "variable",
            found: name.clone(),
            accepted,
        };
        let help = nearest(&name, known.iter().map(String::as_str)).map(did_you_mean);
        problems.add_with_help(&field.key, field.span.clone(), fault, help);
        None
    })
}

fn time<'f>() -> Form<'f, Duration> {
    text("a time, such as \"10m\"").try_map(|found| {
        let fault = |_| format!("{found:?} is no time; accepted: a time such as 90s, 30m or 8h");
        humantime::parse_duration(&found).map_err(fault)
    })
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
