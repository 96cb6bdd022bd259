//! Jobs whose rules range over values: rows are those of the jobs of single sets of rules, however a run goes; what is refused.

use std::fs;
use std::path::PathBuf;

use seedbank::task::variants::VariantRow;

use crate::common::workspace::{Workspace, ended, seedbank};

/// The rules of these rows have loopy positions, and forms that are no numbers. Two of the 24
/// combinations have the moves of others.
const RULES: &str = "\
[rules]
pot_min = { each = [2, 1] }
last = { each = [\"any\", \"occupied\", [0, 2]] }
capture = { each = [[], [2, 3]] }
chain = { each = [false, true] }
pots = 5";

/// Every position within bounds, and rows of a variable.
const FAMILY: &str = "\
[family]
union = [{ all = { seeds_max = 5 } }, { pattern = \"1 n 2\", n = \"1..=4\" }]
[columns]
followers = true
depth = true";

/// Writes the spec of a job by these rules, and returns its path.
fn spec(here: &Workspace, name: &str, play: &str, rules: &str, family: &str) -> PathBuf {
    let rest = format!("play = {play:?}\n{family}\n{rules}\n");
    here.plain_spec(name, "row-rules", &rest)
}

/// Returns the section `[rules]` of a row's switches, each as a column writes it.
fn rules_of(row: &VariantRow) -> String {
    let quoted = |text: &str| match text.starts_with('[') {
        true => text.to_owned(),
        false => format!("{text:?}"),
    };
    format!(
        "[rules]\npots = 5\npot_min = {}\nfirst = {}\nlast = {}\nlaps = {}\nlanding = {}\ncapture = {}\nchain = {}",
        row.pot_min,
        quoted(&row.first),
        quoted(&row.last),
        quoted(&row.laps),
        row.landing,
        quoted(&row.capture),
        row.chain
    )
}

#[test]
fn rows_are_those_of_the_jobs_of_each_set_of_rules() {
    let here = Workspace::new();
    for play in ["partisan", "impartial"] {
        let all = spec(&here, &format!("all-{play}"), play, RULES, FAMILY);
        here.finish(&all, &["--threads", "2"]);
        let rows: Vec<VariantRow> = here.plain_rows(&all);
        let sets: Vec<&[VariantRow]> = rows.chunk_by(|a, b| a.rules == b.rules).collect();
        // Later switches vary faster, and without a capture there is no chain.
        let texts: Vec<&str> = sets.iter().map(|set| &*set[0].rules).collect();
        let min_two = [
            "pot_min=2",
            "pot_min=2,capture=2-3",
            "pot_min=2,capture=2-3,chain",
            "pot_min=2,last=occupied",
        ];
        assert_eq!(texts[..4], min_two, "{texts:?}");
        assert_eq!(texts.len(), 18, "{texts:?}");
        assert_eq!(texts[9], "default");
        let (mut loopy, mut forms) = (0, 0);
        for (place, set) in sets.iter().enumerate() {
            let name = format!("{play}-{place}");
            let alone = spec(&here, &name, play, &rules_of(&set[0]), FAMILY);
            here.finish(&alone, &[]);
            let expected = here.rows(&alone);
            assert_eq!(set.len(), expected.len());
            for (row, expected) in set.iter().zip(&expected) {
                assert_eq!(row.row, *expected, "{}", row.rules);
                loopy += usize::from(expected.is_stopper.is_some());
            }
            forms += here.forms(&alone).len();
        }
        assert!(loopy > 100, "{loopy}");
        assert_eq!(here.forms(&all).len(), forms);
    }
}

#[test]
fn the_table_summarises_each_set_of_rules() {
    let here = Workspace::new();
    let all = spec(&here, "all", "partisan", RULES, FAMILY);
    here.finish(&all, &[]);
    let rows: Vec<VariantRow> = here.plain_rows(&all);
    let mut command = seedbank(&["table", "--format", "csv", "--out"]);
    let table = ended({
        command.arg(here.path("out")).arg(&all);
        command
    });
    assert_eq!(table.status, Some(0), "{table:?}");
    let mut lines = table.stdout.lines();
    assert_eq!(
        lines.next(),
        Some(
            "pot_min,last,capture,chain,positions,values,dicotic,hottest,hottest at,greatest nimber,nimber at,loopy"
        )
    );
    let sets: Vec<&[VariantRow]> = rows.chunk_by(|a, b| a.rules == b.rules).collect();
    let found: Vec<Vec<String>> = lines.map(cells).collect();
    assert_eq!(found.len(), sets.len());
    for (cells, set) in found.iter().zip(sets) {
        let values = || set.iter().filter_map(|row| row.row.value.as_ref());
        let mut digests: Vec<[u8; 16]> = values().map(|value| value.value_digest).collect();
        digests.sort();
        digests.dedup();
        let hottest = values().filter_map(|value| value.temperature);
        let hottest = hottest.fold(f64::MIN, f64::max);
        let hottest_at = set.iter().find(|row| {
            let value = row.row.value.as_ref();
            value.is_some_and(|value| value.temperature == Some(hottest))
        });
        let nimber = values().filter_map(|value| value.nim_value).max().unwrap();
        let nimber_at = set.iter().find(|row| {
            let value = row.row.value.as_ref();
            value.is_some_and(|value| value.nim_value == Some(nimber))
        });
        let row = &set[0];
        let expected = [
            row.pot_min.to_string(),
            row.last.to_string(),
            row.capture.to_string(),
            row.chain.to_string(),
            set.len().to_string(),
            digests.len().to_string(),
            values()
                .filter(|value| value.dicotic == Some(true))
                .count()
                .to_string(),
            hottest.to_string(),
            hottest_at.unwrap().row.position.clone(),
            nimber.to_string(),
            nimber_at.unwrap().row.position.clone(),
            set.iter()
                .filter(|row| row.row.is_stopper.is_some())
                .count()
                .to_string(),
        ];
        assert_eq!(cells[..], expected, "{}", row.rules);
    }
    // The text says which combinations have no line.
    let mut command = seedbank(&["table", "--out"]);
    command.arg(here.path("out")).arg(&all);
    let text = ended(command).stdout;
    assert!(
        text.contains("6 of the 24 combinations have the moves of an earlier one"),
        "{text}"
    );
}

/// Returns the cells of a line of CSV.
fn cells(line: &str) -> Vec<String> {
    let mut cells = vec![String::new()];
    let mut is_quoted = false;
    for letter in line.chars() {
        match letter {
            '"' => is_quoted = !is_quoted,
            ',' if !is_quoted => cells.push(String::new()),
            other => cells.last_mut().unwrap().push(other),
        }
    }
    cells
}

/// The bytes do not depend on the number of threads, on shards, or on a limit that a run lifts later.
#[test]
fn the_result_does_not_depend_on_the_run() {
    let here = Workspace::new();
    let all = spec(&here, "all", "partisan", RULES, FAMILY);
    let store = |name: &str| here.path(name).to_str().unwrap().to_owned();
    here.finish(&all, &["--threads", "1"]);
    let expected = here.result("out", "all");
    assert!(
        expected.len() > 2 * 18,
        "parts of two tables and a manifest"
    );
    let other = [store("other-store"), store("other")];
    let place = ["--store", &other[0], "--out", &other[1]];
    here.finish(&all, &[&place[..], &["--threads", "3"]].concat());
    assert!(here.result("other", "all") == expected);
    let limited = [store("limited-store"), store("limited")];
    let place = ["--store", &limited[0], "--out", &limited[1]];
    let row_limit = ["--row-limit", "1 positions"];
    let first = here.run(&all, &[&place[..], &row_limit].concat());
    assert!(first.status.is_some_and(|status| status < 2), "{first:?}");
    here.finish(&all, &place);
    assert!(here.result("limited", "all") == expected);
    let sharded = [store("sharded-store"), store("sharded")];
    let place = ["--store", &sharded[0], "--out", &sharded[1]];
    for shard in ["2/3", "0/3", "1/3"] {
        let ended = here.run(&all, &[&place[..], &["--shard", shard]].concat());
        assert_eq!(ended.status, Some(0), "{ended:?}");
    }
    let mut command = seedbank(&["merge"]);
    command.arg(&all).args(place);
    let merged = ended(command);
    assert_eq!(merged.status, Some(0), "{merged:?}");
    assert!(here.result("sharded", "all") == expected);
}

/// Counts of followers in checkpoints belong to a set of rules.
#[cfg(all(target_os = "linux", debug_assertions))]
#[test]
fn a_run_resumes_in_the_middle_of_the_sets() {
    use crate::common::workspace::{signal, started, wait};

    let here = Workspace::new();
    let all = spec(&here, "all", "partisan", RULES, FAMILY);
    let out = here.path("whole");
    let store = here.path("whole-store");
    here.finish(
        &all,
        &[
            "--out",
            out.to_str().unwrap(),
            "--store",
            store.to_str().unwrap(),
        ],
    );
    for positions in [900, 1_300] {
        let command = here.held(here.running(&all, &["--threads", "2"]), positions);
        let child = started(command);
        here.until_held();
        signal(&child, "TERM");
        let stopped = wait(child);
        assert_ne!(stopped.status, Some(0), "{stopped:?}");
    }
    let summary = here.finish(&all, &[]);
    assert_eq!(summary["outcome"], "finished");
    assert!(here.result("out", "all") == here.result("whole", "all"));
}

#[test]
fn ranges_that_are_refused_are_named_with_the_place() {
    let here = Workspace::new();
    let family = "[family]\nall = { seeds_max = 3 }";
    let endless = "[family]\nall = { pots_max = 3, seeds_max = 3 }";
    for (family, rules, place, words) in [
        (
            family,
            "first = { each = [\"next\", \"origin\"] }\npots = 4",
            "rules.first.each[1]",
            "the combination first=origin is refused: a single seed would not move",
        ),
        (
            family,
            "pot_min = { each = [2, 1] }\nfirst = \"origin\"\npots = 4",
            "rules.pot_min.each[1]",
            "the combination first=origin is refused",
        ),
        (
            endless,
            "last = { each = [\"occupied\", \"empty\"] }\nchain = { each = [false, true] }",
            "rules.last.each[1]",
            "the combination last=0 is refused: `last` allows a last seed in an empty pot",
        ),
        (
            endless,
            "pot_min = 2\nfirst = \"origin\"\nlaps = { each = [\"single\", \"multiple\"] }",
            "rules.laps.each[1]",
            "the combination pot_min=2,first=origin,laps=multiple is refused: `laps = \"multiple\"` sows on",
        ),
        (
            family,
            "capture = { each = [[2], [2, 300]] }\npots = 4",
            "rules.capture.each[1][1]",
            "300 is out of range; accepted: 0 to 250",
        ),
        (
            family,
            "capture = { each = [[2, 3], [3, 2]] }\npots = 4",
            "rules.capture.each[1]",
            "the same as element 0",
        ),
        (
            family,
            "last = { each = [] }\npots = 4",
            "rules.last.each",
            "an empty list",
        ),
        (
            family,
            "last = { each = [\"some\"] }\npots = 4",
            "rules.last.each[0]",
            "accepted: any, occupied, empty",
        ),
        (
            family,
            "last = { each = [\"any\"], all = 3 }\npots = 4",
            "rules.last.all",
            "unknown key",
        ),
        (
            family,
            "last = { each = [\"any\", \"empty\"] }\npots = { each = [4, 5] }",
            "rules.pots",
            "an integer",
        ),
        (
            family,
            "last = { each = [\"any\", \"empty\"] }\npots = 4\n[witness]\nkind = \"nimbers\"",
            "witness",
            "plays by one set of rules",
        ),
        (
            family,
            "last = { each = [\"any\", \"empty\"] }\npots = 4\n[law]\nvalue = \"0\"",
            "law",
            "is about one set of rules",
        ),
        (
            family,
            "last = { each = [\"any\", \"empty\"] }\npots = 4\n[table]\nlayout = \"list\"",
            "table.layout",
            "summary",
        ),
        (
            family,
            "last = { each = [\"any\", \"empty\"] }\npots = 4\n[mine]\nlaws = [\"values\"]",
            "mine",
            "",
        ),
    ] {
        let rules = format!("[rules]\n{rules}");
        let path = spec(&here, "wrong", "partisan", &rules, family);
        let ended = ended(seedbank(&["plan", path.to_str().unwrap()]));
        assert_eq!(ended.status, Some(2), "{rules}: {ended:?}");
        assert!(ended.stderr.contains(words), "{words}: {}", ended.stderr);
        assert!(
            ended.stderr.contains(&format!("error: {place}: ")),
            "{place}: {}",
            ended.stderr
        );
    }
    // Values of switches are for jobs alone.
    let path = here.path("rules.toml");
    fs::write(&path, "[rules]\nlast = { each = [\"occupied\", [1]] }\n").unwrap();
    let arguments = [
        "eval",
        "--game",
        "row-rules",
        "--play",
        "partisan",
        "--rules",
    ];
    let mut command = seedbank(&arguments);
    command.arg(&path).arg("11");
    let ended = ended(command);
    assert_eq!(ended.status, Some(2), "{ended:?}");
    assert!(ended.stderr.contains("rules.last"), "{ended:?}");
}
