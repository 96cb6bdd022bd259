//! Heaps from a spec or the command line to a result: values against a naive reading of the rules,
//! interrupted runs, tables, readers.

#![cfg(target_os = "linux")]

use crate::common::python::python;
use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::common::workspace::{
    Workspace, ended, files_in, flip_byte, of_out, printed, seedbank, started, truncate, wait,
};
use seedbank::game::heap::HeapGame;
use seedbank::task::codes::CodeRow;
use seedbank::task::heaps::HeapRow;
use serde_json::{Value, json};

#[path = "../scripts/examples/check_periods.rs"]
mod check_periods;

/// Two parts, the second with one heap.
const TWO_PARTS: &str = "code = \"0.0137\"\nsum = \"obligated\"\n[family]\nheaps = \"0..=1048576\"";

/// Writes a spec of a game of heaps and returns its path.
fn spec(here: &Workspace, name: &str, game: &str, rest: &str) -> PathBuf {
    let path = here.path(&format!("{name}.toml"));
    let text = format!("name = {name:?}\n[ruleset]\ngame = {game:?}\n{rest}\n");
    fs::write(&path, text).expect("the folder is ours to write to");
    path
}

fn eval(arguments: &[&str]) -> Command {
    seedbank(&[&["eval"], arguments].concat())
}

/// Runs a command that must be refused, and checks that its message has the fragments.
fn refused(status: i32, command: Command, fragments: &[&str]) {
    let ended = ended(command);
    assert_eq!(ended.status, Some(status), "{ended:?}");
    for fragment in fragments {
        assert!(
            ended.stderr.contains(fragment),
            "no {fragment:?}: {ended:?}"
        );
    }
}

/// The nim-values by the definition: the least number that no option has.
fn naive_nim(game: &HeapGame, heaps: usize) -> Vec<u32> {
    let mut values: Vec<u32> = Vec::new();
    for n in 0..heaps {
        let options: Vec<u32> = game
            .options(n)
            .map(|option| option.as_slice().iter().fold(0, |sum, &m| sum ^ values[m]))
            .collect();
        values.push(
            (0..)
                .find(|value| !options.contains(value))
                .expect("some number is free"),
        );
    }
    values
}

/// The obligated values: a position is N if an option is P; a sum counts its components as in
/// Theorem 1.
fn naive_obligated(game: &HeapGame, heaps: usize) -> Vec<(bool, bool)> {
    let mut values: Vec<(bool, bool)> = Vec::new();
    for n in 0..heaps {
        let mut options = game.options(n).map(|option| {
            let count = |value| {
                option
                    .as_slice()
                    .iter()
                    .filter(|&&m| values[m] == value)
                    .count()
            };
            let (m00, m10, m11) = (
                count((false, false)),
                count((true, false)),
                count((true, true)),
            );
            match (m11 > 0, m00 > 0, m10 % 2 == 1) {
                (true, _, _) | (false, true, true) => (true, true),
                (false, true, false) => (false, false),
                (false, false, odd) => (odd, !odd),
            }
        });
        let options: Vec<(bool, bool)> = options.by_ref().collect();
        values.push(match options.is_empty() {
            true => (false, true),
            false => (
                options.iter().any(|option| !option.0),
                options.iter().any(|option| !option.1),
            ),
        });
    }
    values
}

fn rows(here: &Workspace, spec: &std::path::Path) -> Vec<HeapRow> {
    let rows = here.result_set("out", spec).read_plain::<HeapRow>();
    rows.and_then(Iterator::collect)
        .unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn rows_have_the_values_of_the_definition() {
    for (name, game, rules) in [
        ("kayles", "octal", "code = \"0.77\""),
        ("thirds", "octal", "code = \"0.8F3\""),
        ("whole", "octal", "code = \"4.07\""),
        ("grundys", "grundy", ""),
        ("taking", "subtraction", "set = [1, 3, 70]"),
    ] {
        let here = Workspace::new();
        let written = |sum: &str| {
            let rest = format!("{rules}\nsum = {sum:?}\n[family]\nheaps = \"3..=140\"");
            spec(&here, &format!("{name}-{sum}"), game, &rest)
        };
        let heap_game: HeapGame = match game {
            "octal" => rules
                .split('"')
                .nth(1)
                .expect("a code")
                .parse()
                .expect("a code"),
            "grundy" => HeapGame::Grundy,
            _ => "subtraction(1,3,70)".parse().expect("a set"),
        };
        let path = written("disjunctive");
        here.finish(&path, &[]);
        let naive = naive_nim(&heap_game, 141);
        let found = rows(&here, &path);
        assert_eq!(found.len(), 138);
        for (n, row) in (3..).zip(&found) {
            let value = naive[n];
            assert_eq!(row.n, n as i64);
            assert_eq!(row.nim_value, Some(value as i32), "{name} {n}");
            assert_eq!(&*row.normal, if value == 0 { "P" } else { "N" });
            assert_eq!(row.misere, None);
            assert_eq!(row.first, !naive[..n].contains(&value), "{name} {n}");
            assert_eq!(&*row.code, heap_game.to_string());
        }
        let path = written("obligated");
        here.finish(&path, &[]);
        let naive = naive_obligated(&heap_game, 141);
        for (n, row) in (3..).zip(&rows(&here, &path)) {
            let (normal, misere) = naive[n];
            let digits = format!("{}{}", u8::from(normal), u8::from(misere));
            assert_eq!(*row.value, *digits, "{name} {n}");
            let letter = |is_n: bool| if is_n { "N" } else { "P" };
            assert_eq!(&*row.normal, letter(normal));
            assert_eq!(row.misere.as_deref(), Some(letter(misere)));
            assert_eq!(row.nim_value, None);
        }
    }
}

/// Values beyond the heap that proves the period come from the period and equal those of the
/// recursion.
#[test]
fn a_period_gives_the_values_that_the_recursion_gives() {
    let here = Workspace::new();
    let game: HeapGame = "0.137".parse().expect("a code");
    let path = spec(
        &here,
        "chess",
        "octal",
        "code = \"0.137\"\nsum = \"obligated\"\n[family]\nheaps = \"0..=1500\"",
    );
    here.finish(&path, &[]);
    let naive = naive_obligated(&game, 1501);
    for row in rows(&here, &path) {
        let (normal, misere) = naive[row.n as usize];
        assert_eq!(
            *row.value,
            *format!("{}{}", u8::from(normal), u8::from(misere))
        );
    }
}

#[test]
fn a_run_resumes_with_the_missing_parts() {
    let here = Workspace::new();
    let path = spec(&here, "open", "octal", TWO_PARTS);
    here.finish(&path, &[]);
    let whole = here.result("out", "open");
    assert_eq!(whole.len(), 3);
    let records = files_in(&here.path("out/open/records"));
    assert_eq!(records.len(), 2);
    for missing in &records {
        fs::remove_file(missing).expect("a record");
        let status = printed(of_out(&here, &["status", "--json"], &path));
        let status: Value = serde_json::from_str(&status).expect("an object");
        assert_eq!(status["state"], "unfinished");
        assert_eq!(status["parts_finished"], 1);
        let ended = here.run(&path, &[]);
        assert_eq!(ended.status, Some(0), "{ended:?}");
        assert_eq!(here.result("out", "open"), whole);
    }
    let again = here.run(&path, &[]);
    assert_eq!(
        again.stdout,
        "open: already finished, 1048577 rows; nothing to do\n"
    );
}

#[test]
fn values_of_finished_parts_are_read_and_not_computed_again() {
    a_run_resumes_from_rows("disjunctive");
    a_run_resumes_from_rows("obligated");
}

fn a_run_resumes_from_rows(sum: &str) {
    let here = Workspace::new();
    let rest = format!("code = \"0.77\"\nsum = {sum:?}\n[family]\nheaps = \"0..=1048600\"");
    let path = spec(&here, "kayles", "octal", &rest);
    here.finish(&path, &[]);
    let whole = here.result("out", "kayles");
    let records = files_in(&here.path("out/kayles/records"));
    fs::remove_file(&records[1]).expect("a record");
    let ended = here.run(&path, &[]);
    assert!(
        ended.stdout.contains("(25 heaps evaluated")
            && ended
                .stderr
                .contains("resuming with the values of the heaps below 1048576"),
        "{ended:?}"
    );
    assert_eq!(here.result("out", "kayles"), whole);

    // A run does not resume from damaged rows.
    let part = &files_in(&here.path("out/kayles/parts"))[0];
    let mut bytes = fs::read(part).expect("a file");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(part, bytes).expect("room");
    fs::remove_file(&records[1]).expect("a record");
    let ended = here.run(&path, &[]);
    assert!(
        !ended.stdout.contains("(25 heaps evaluated")
            && ended.stderr.contains("worked out again")
            && !ended.stderr.contains("resuming"),
        "{ended:?}"
    );
    let (found, expected) = (here.result("out", "kayles"), whole);
    let differ = found.iter().zip(&expected).filter(|(a, b)| a != b);
    assert_eq!(differ.count(), 1);
}

#[test]
fn the_time_limit_stops_a_run_that_another_finishes() {
    let here = Workspace::new();
    let path = spec(&here, "open", "octal", TWO_PARTS);
    let stopped = here.run(&path, &["--time-limit", "1ms"]);
    assert_eq!(stopped.status, Some(75), "{stopped:?}");
    assert!(
        stopped.stdout.contains("the time limit was reached"),
        "{stopped:?}"
    );
    assert!(
        stopped.stdout.contains("run again to resume"),
        "{stopped:?}"
    );
    let one = here.finish(&path, &["--threads", "1"]);
    assert_eq!(one["outcome"], "finished");
    let first = here.result("out", "open");
    let out = here.path("undisturbed");
    here.finish(
        &path,
        &["--out", out.to_str().expect("UTF-8"), "--threads", "2"],
    );
    assert_eq!(here.result("undisturbed", "open"), first);
}

#[test]
fn sigterm_ends_a_run_early() {
    let here = Workspace::new();
    // Hours of work.
    let rest = "code = \"0.F7\"\n[family]\nheaps = \"0..=1000000\"";
    let path = spec(&here, "long", "octal", rest);
    let child = started(here.running(&path, &[]));
    let begun = Instant::now();
    while !here.path("out/long/records").is_dir() {
        assert!(begun.elapsed() < Duration::from_secs(60), "no run begins");
        sleep(Duration::from_millis(5));
    }
    let kill = Command::new("sh")
        .args(["-c", &format!("kill -TERM {}", child.id())])
        .status();
    assert!(kill.expect("a shell").success());
    let ended = wait(child);
    assert_eq!(ended.status, Some(75), "{ended:?}");
    assert!(
        ended.stdout.contains("long: interrupted, 0 rows"),
        "{ended:?}"
    );
}

#[test]
fn an_insufficient_budget_is_refused_before_any_work() {
    let here = Workspace::new();
    // The first heaps of this code prove no period.
    let rest = "code = \"0.37\"\n[family]\nheaps = \"0..=100000000\"";
    let path = spec(&here, "large", "octal", rest);
    refused(
        1,
        here.running(&path, &["--memory", "64MiB"]),
        &[
            "large needs ",
            "of memory",
            "more than its budget of 64",
            "--memory",
        ],
    );
    assert!(files_in(&here.path("out/large/records")).is_empty());
    refused(
        1,
        eval(&["--game", "grundy", "--memory", "1MiB", "100000000"]),
        &["the evaluation needs ", "more than its budget of 1"],
    );
}

#[test]
fn surveys_have_a_row_for_each_code_with_any_number_of_threads() {
    let here = Workspace::new();
    let rest =
        "sum = \"obligated\"\n[family]\ncodes = { digits = 3, max_digit = 15 }\nheaps_max = 100";
    let path = spec(&here, "all", "octal", rest);
    here.finish(&path, &["--threads", "1"]);
    let out = here.path("two");
    here.finish(
        &path,
        &["--threads", "2", "--out", out.to_str().expect("UTF-8")],
    );
    assert_eq!(here.result("out", "all"), here.result("two", "all"));
    let found = here.result_set("out", &path).read_plain::<CodeRow>();
    let found: Vec<CodeRow> = found.and_then(Iterator::collect).expect("whole files");
    assert_eq!(found.len(), 4096);
    let kayles = &found[0x770];
    assert_eq!(
        (&*kayles.code, kayles.name.as_deref()),
        ("0.77", Some("kayles"))
    );
    assert_eq!((kayles.preperiod, kayles.period), (Some(0), Some(8)));
    assert_eq!(kayles.p_positions, Some(vec![0, 5]));
    for row in found.iter().step_by(37) {
        let game: HeapGame = row.code.parse().expect("a code");
        let naive = naive_obligated(&game, 101);
        let counts = [(false, false), (false, true), (true, false), (true, true)];
        let counts = counts.map(|value| naive.iter().filter(|&&v| v == value).count() as i64);
        assert_eq!(row.counts, counts, "{}", row.code);
        let equal: HeapGame = row.equivalent.parse().expect("a code");
        assert_eq!(naive_obligated(&equal, 101), naive, "{}", row.code);
        let (Some(preperiod), Some(period)) = (row.preperiod, row.period) else {
            assert!(!row.proved && row.p_positions.is_none());
            continue;
        };
        let (preperiod, period) = (preperiod as usize, period as usize);
        assert!(row.proved);
        for n in preperiod..101 - period {
            assert_eq!(naive[n], naive[n + period], "{} {n}", row.code);
        }
        if preperiod + period <= 101 {
            let p = (0..preperiod + period)
                .filter(|&n| !naive[n].0)
                .map(|n| n as i64);
            assert_eq!(row.p_positions, Some(p.collect()), "{}", row.code);
        }
    }
}

#[test]
fn tables_are_printed_in_every_layout() {
    let here = Workspace::new();
    let table = |name: &str, rest: &str, format: &str| {
        let path = spec(&here, name, "octal", rest);
        here.finish(&path, &[]);
        printed(of_out(&here, &["table", "--format", format], &path))
    };
    let heaps = "code = \"0.77\"\n[family]\nheaps = \"0..=7\"\n[table]\n";
    assert_eq!(
        table(
            "list",
            &format!("{heaps}layout = \"list\"\ncolumns_per_row = 3"),
            "text"
        ),
        "0 = 0   3 = *3  6 = *3\n1 = *   4 = *   7 = *2\n2 = *2  5 = *4\n\n\
         preperiod 71, period 12: proved, since it holds for the heaps from 71 to below 156 (compared to below 244)\n"
    );
    assert_eq!(
        table("values", &format!("{heaps}layout = \"by-value\""), "csv"),
        "value,heaps,first,last\n0,1,0,0\n*,2,1,4\n*2,2,2,7\n*3,2,3,6\n*4,1,5,5\n"
    );
    let codes =
        "sum = \"obligated\"\n[family]\ncodes = { digits = 2, max_digit = 1 }\nheaps_max = 64\n";
    assert_eq!(
        table("codes", codes, "csv"),
        "code,name,equal to,preperiod,period,saltus,bound,verified to,counts\n\
         0.0,,,0,1,,1,65,0 65 0 0\n\
         0.01,,,3,1,,3,65,0 64 1 0\n\
         0.1,,,2,1,,2,65,0 64 1 0\n\
         0.11,,,3,1,,3,65,0 63 2 0\n"
    );
    let summary = table(
        "summary",
        &format!("{codes}[table]\nlayout = \"summary\""),
        "text",
    );
    let lines = summary
        .lines()
        .map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "));
    assert!(
        lines
            .into_iter()
            .any(|line| line == "with a proved period 4"),
        "{summary}"
    );
    assert!(!summary.contains("equal to"), "{summary}");
}

#[test]
fn a_table_too_large_to_read_is_refused() {
    let here = Workspace::new();
    let rest = "code = \"0.3\"\nsum = \"obligated\"\n[family]\nheaps = \"0..=200000\"";
    let path = spec(&here, "long", "octal", rest);
    here.finish(&path, &[]);
    refused(
        1,
        of_out(&here, &["table"], &path),
        &["200001 cells, and at most 200000"],
    );
}

#[test]
fn plan_status_and_verify_know_heaps() {
    let here = Workspace::new();
    let path = spec(
        &here,
        "kayles",
        "octal",
        "code = \"0.77\"\n[family]\nheaps = \"0..=99\"",
    );
    let plan = printed(of_out(&here, &["plan"], &path));
    let folder = here.path("out/kayles");
    assert_eq!(
        plan,
        format!(
            "kayles: 0.77, disjunctive: 100 heaps in 1 part, 1 left; table heaps in {}; about 19.7 KiB of results, 0 B in the store, \
             23.2 MiB of memory; checkpoints unknown: the unfinished work at a checkpoint is not known; time unknown: \
             plan --measure finds out\n",
            folder.display()
        )
    );
    let plan = printed(of_out(&here, &["plan", "--json"], &path));
    let plan: Value = serde_json::from_str(&plan).expect("an object");
    assert_eq!(plan["tables"], json!(["heaps"]));
    assert_eq!(
        (&plan["game"], &plan["sum"]),
        (&json!("0.77"), &json!("disjunctive"))
    );
    here.finish(&path, &[]);
    let verify = |status: i32| {
        let ended = ended(of_out(&here, &["status", "--verify"], &path));
        assert_eq!(ended.status, Some(status), "{ended:?}");
    };
    verify(0);
    flip_byte(&here.path("out/kayles/parts/part-00000.parquet"), 1000);
    verify(4);
    refused(4, of_out(&here, &["table"], &path), &["is damaged"]);
    refused(4, of_out(&here, &["check"], &path), &["is damaged"]);
}

/// A killed survey resumes from the whole sequences in its checkpoints, and its rows are the same.
#[test]
fn a_survey_resumes_from_its_checkpoints() {
    let rest = "[family]\ncodes = { digits = 3 }\nheaps_max = 4000";
    let whole = Workspace::new();
    whole.finish(&spec(&whole, "survey", "octal", rest), &[]);
    for damaged in [false, true] {
        let here = Workspace::new();
        let path = spec(&here, "survey", "octal", rest);
        let mut child = started(here.running(&path, &["--checkpoint", "1ms"]));
        let folder = here.path("out/survey/checkpoint/heaps");
        while files_in(&folder).len() < 20 {
            assert!(child.try_wait().expect("a child").is_none(), "too fast");
            sleep(Duration::from_millis(1));
        }
        child.kill().expect("a child");
        assert_eq!(wait(child).status, None);
        assert_eq!(
            files_in(&here.path("out/survey/records")),
            [""; 0].map(PathBuf::from)
        );
        if damaged {
            let kept = files_in(&folder);
            flip_byte(&kept[1], 300);
            truncate(&kept[2], 300);
        }
        let ended = here.run(&path, &[]);
        assert_eq!(ended.status, Some(0), "{ended:?}");
        assert!(
            ended.stderr.contains("resuming with the values of"),
            "{ended:?}"
        );
        assert_eq!(
            ended
                .stderr
                .matches("is ignored, and its contents are computed again")
                .count(),
            2 * usize::from(damaged),
            "{ended:?}"
        );
        assert_eq!(here.result("out", "survey"), whole.result("out", "survey"));
        assert!(!folder.exists());
    }
}

/// Runs a job over a game's heaps and compares it with the published values in a folder.
fn checked(
    here: &Workspace,
    name: &str,
    game: &str,
    rest: &str,
    folder: &std::path::Path,
) -> (Option<i32>, Value) {
    let path = spec(here, name, game, rest);
    here.finish(&path, &[]);
    let mut command = of_out(here, &["check", "--json", "--reference"], folder);
    command.arg(path);
    let ended = ended(command);
    let report = serde_json::from_str(&ended.stdout);
    (
        ended.status,
        report.unwrap_or_else(|error| panic!("{error}: {ended:?}")),
    )
}

#[test]
fn heaps_and_surveys_are_compared_with_published_values() {
    let published = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("data/reference");
    let here = Workspace::new();
    // The values listed and the period; thirteen P-positions and the fact that there are no others.
    let survey = "[family]\ncodes = { digits = 3 }\nheaps_max = 2000";
    struct Published<'t> {
        name: &'static str,
        game: &'static str,
        rest: &'t str,
        agreements: usize,
    }
    // The period of a game is one more fact.
    let period = 1;
    let of_kayles = 8 + period;
    let of_chess = 14 + period;
    let of_007 = 22 + period;
    for Published {
        name,
        game,
        rest,
        agreements,
    } in [
        Published {
            name: "kayles",
            game: "octal",
            rest: "code = \"0.77\"\nsum = \"obligated\"\n[family]\nheaps = \"0..=500\"",
            agreements: 16 + period,
        },
        Published {
            name: "chess-from-5",
            game: "octal",
            rest: "code = \"0.137\"\nsum = \"obligated\"\n[family]\nheaps = \"5..=15\"",
            agreements: 11,
        },
        Published {
            name: "grundys",
            game: "grundy",
            rest: "sum = \"obligated\"\n[family]\nheaps = \"0..=100\"",
            agreements: 14 + period,
        },
        Published {
            name: "octal-37",
            game: "octal",
            rest: "code = \"0.37\"\n[family]\nheaps = \"0..=1000\"",
            agreements: 13 + period,
        },
        // No values are published for this game under this sum.
        Published {
            name: "kayles-nim",
            game: "octal",
            rest: "code = \"0.77\"\n[family]\nheaps = \"0..=500\"",
            agreements: 0,
        },
        Published {
            name: "codes-nim",
            game: "octal",
            rest: survey,
            agreements: 13 + period,
        },
        // 0.77, 0.137, 0.007: the heaps of the first period, and the period of each.
        Published {
            name: "codes-obligated",
            game: "octal",
            rest: &format!("sum = \"obligated\"\n{survey}"),
            agreements: of_kayles + of_chess + of_007,
        },
    ] {
        let (status, report) = checked(&here, name, game, rest, &published);
        assert_eq!(status, Some(0), "{name}: {report}");
        assert_eq!(report["agreements"], agreements, "{name}: {report}");
        assert_eq!(report["disagreements"], json!([]), "{name}: {report}");
    }

    // Every fault of wrong references is found.
    let wrong = here.path("wrong");
    fs::create_dir(&wrong).expect("the folder is ours to write to");
    for file in [
        "sowing.toml",
        "atomic_wari.toml",
        "obligated.toml",
        "octal.toml",
        "tchoukaillon.toml",
    ] {
        let text = fs::read_to_string(published.join(file)).expect("a file");
        let text = text
            .replace("period = 8", "period = 7")
            .replace("heaps = [0, 3, 11,", "heaps = [0, 3, 12,");
        fs::write(wrong.join(file), text).expect("the folder is ours to write to");
    }
    for (name, position, found) in [
        ("kayles", "heap 16 of 0.77", "01"),
        ("octal-37", "heap 11 of 0.37", "0"),
        ("codes-nim", "heap 11 of 0.37", "a P-position"),
        ("codes-obligated", "0.77", "preperiod 0, period 8"),
    ] {
        let mut command = of_out(&here, &["check", "--json", "--reference"], &wrong);
        command.arg(here.path(&format!("{name}.toml")));
        let ended = ended(command);
        assert_eq!(ended.status, Some(1), "{ended:?}");
        let report: Value = serde_json::from_str(&ended.stdout).expect("an object");
        let first = &report["disagreements"][0];
        assert_eq!(
            (&first["position"], &first["found"]),
            (&json!(position), &json!(found)),
            "{name}: {report}"
        );
    }
}

#[test]
fn a_small_disjunctive_survey_has_the_values_of_the_definition() {
    let here = Workspace::new();
    let rest = "[family]\ncodes = { digits = 2, max_digit = 7 }\nheaps_max = 100";
    let path = spec(&here, "nim-codes", "octal", rest);
    here.finish(&path, &[]);
    let found = here.result_set("out", &path).read_plain::<CodeRow>();
    let found: Vec<CodeRow> = found.and_then(Iterator::collect).expect("whole files");
    assert_eq!(found.len(), 64);
    let naive = |code: &str| naive_nim(&code.parse().expect("a code"), 101);
    for row in &found {
        let values = naive(&row.code);
        let most = *values.iter().max().expect("101 heaps") as usize;
        let count = |value| values.iter().filter(|&&v| v as usize == value).count() as i64;
        let counts: Vec<i64> = (0..=most).map(count).collect();
        assert_eq!(row.counts, counts, "{}", row.code);
        // The first code with these values, with a proof or without.
        let equal = found
            .iter()
            .find(|other| other.proved == row.proved && naive(&other.code) == values);
        if row.equivalent_proved {
            assert_eq!(naive(&row.equivalent), values, "{}", row.code);
        }
        assert_eq!(
            equal.expect("the row itself").code,
            row.equivalent,
            "{}",
            row.code
        );
        let known = match (row.preperiod, row.period, row.saltus) {
            (Some(preperiod), Some(period), Some(saltus)) => {
                for n in preperiod as usize..101 - (period as usize).min(101) {
                    let later = values[n + period as usize];
                    assert_eq!(
                        i64::from(later),
                        i64::from(values[n]) + saltus,
                        "{}",
                        row.code
                    );
                }
                preperiod + period
            }
            _ => row.verified_to,
        };
        let p = (0..known.min(101)).filter(|&n| values[n as usize] == 0);
        let listed = row.p_positions.as_deref().expect("a list").iter().copied();
        assert_eq!(
            listed.filter(|&n| n < 101).collect::<Vec<_>>(),
            p.collect::<Vec<_>>(),
            "{}",
            row.code
        );
    }
}

/// Writes the only part of the first folder into the second, with one more at heap 82,100.
const CHANGED: &str = "
import os, sys, pyarrow.parquet
(part,) = os.listdir(sys.argv[1])
table = pyarrow.parquet.read_table(os.path.join(sys.argv[1], part), columns=['n', 'nim_value']).to_pydict()
table['nim_value'][82100] += 1
os.makedirs(sys.argv[2])
pyarrow.parquet.write_table(pyarrow.table(table), os.path.join(sys.argv[2], part))
";

/// A program that knows the rule of 0.37 alone finds its heaps again, and the one whose value is wrong.
#[test]
fn heaps_of_officers_are_found_again() {
    let here = Workspace::new();
    let rest = "code = \"0.37\"\n[family]\nheaps = \"0..=110000\"";
    here.finish(&spec(&here, "officers", "octal", rest), &[]);
    let check = |result: &str| {
        let mut script = python();
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/scripts/check_officers.py");
        script.arg(path).arg(here.path(result));
        script.args(["82000..=82500", "109000..=110000"]);
        ended(script)
    };
    let found = check("out/officers");
    assert_eq!(found.status, Some(0), "{found:?}");
    assert_eq!(found.stdout, "1502 heaps have their values\n");
    let mut change = python();
    change.args(["-c", CHANGED]);
    change.args([here.path("out/officers/parts"), here.path("changed/parts")]);
    assert_eq!(ended(change).status, Some(0));
    let other = check("changed");
    assert_eq!(other.status, Some(1), "{other:?}");
    assert!(other.stderr.starts_with("heap 82100: "), "{other:?}");
}

/// A program that tries all moves of each heap confirms the periods of surveys, and no others.
#[test]
fn periods_are_those_of_all_moves() {
    let here = Workspace::new();
    for (sum, rest) in [
        ("obligated", "codes = { digits = 4 }\nheaps_max = 1000"),
        ("disjunctive", "codes = { digits = 2 }\nheaps_max = 2000"),
    ] {
        let rest = format!("sum = {sum:?}\n[family]\n{rest}");
        let spec = spec(&here, &format!("{sum}-codes"), "octal", &rest);
        here.finish(&spec, &[]);
        let columns = ["code", "equivalent", "sum", "preperiod", "period"];
        let columns = columns.map(|column| ["--column", column]).concat();
        let arguments = [&["export", "--format", "csv"], &columns[..]].concat();
        let table = printed(of_out(&here, &arguments, &spec));
        let agree = check_periods::check(&table);
        let games = table.lines().filter(|line| {
            let cells: Vec<&str> = line.split(',').collect();
            cells[0] == cells[1] && !cells[4].is_empty()
        });
        assert_eq!(agree, Ok(games.count()));
    }
    let kayles = |sum: &str, preperiod: u32, period: u32| {
        let columns = "code,equivalent,sum,preperiod,period";
        check_periods::check(&format!(
            "{columns}\n0.77,0.77,{sum},{preperiod},{period}\n"
        ))
    };
    assert_eq!(kayles("obligated", 0, 8), Ok(1));
    assert_eq!(kayles("disjunctive", 71, 12), Ok(1));
    for (sum, preperiod, period) in [
        ("obligated", 1, 8),
        ("obligated", 0, 16),
        ("obligated", 0, 4),
        ("disjunctive", 70, 12),
        ("disjunctive", 72, 12),
        ("disjunctive", 71, 24),
        ("disjunctive", 71, 0),
    ] {
        let refused = kayles(sum, preperiod, period).unwrap_err();
        assert!(
            refused.ends_with("the values have another period"),
            "{refused}"
        );
    }
}

#[test]
fn more_heaps_than_engines_hold_are_refused() {
    let here = Workspace::new();
    for (sum, heap, most) in [
        ("obligated", "1073741824", "up to 1073741823"),
        ("disjunctive", "100000000000", "up to 99999999999"),
    ] {
        let rest = format!("code = \"0.77\"\nsum = {sum:?}\n[family]\nheaps = \"0..={heap}\"");
        let path = spec(&here, sum, "octal", &rest);
        let fragments = [
            "family.heaps",
            most,
            sum,
            &rest[rest.rfind("heaps").expect("a key")..],
        ];
        refused(2, of_out(&here, &["plan"], &path), &fragments);
    }
    // No period of these nim-values is proved, so all of them would be held.
    let heap = ["--game", "grundy", "100000000000", "--memory", "1PB"];
    refused(2, eval(&heap), &["up to heap 99999999999"]);
}

/// A period that the first heaps prove gives the values of all others: these are neither computed
/// nor held.
#[test]
fn heaps_far_beyond_a_proved_period_take_no_time_and_no_memory() {
    let here = Workspace::new();
    let rows = |name: &str, heaps: &str| {
        let rest = format!("code = \"0.77\"\n[family]\nheaps = {heaps:?}");
        let path = spec(&here, name, "octal", &rest);
        here.finish(&path, &["--memory", "64MiB"]);
        let table = printed(of_out(&here, &["table"], &path));
        let value = |line: &str| {
            let (n, value) = line.split_once(" = ")?;
            Some((n.parse().expect("a heap"), value.to_owned()))
        };
        // The last line says that the period is proved.
        table
            .lines()
            .map_while(value)
            .collect::<Vec<(u64, String)>>()
    };
    // From heap 71 on the values have the period 12.
    let near = rows("near", "120..=245");
    assert_eq!(near.len(), 126);
    for far in [33_554_400, 10_000_000_080_u64] {
        let found = rows("far", &format!("{far}..={}", far + 125));
        let expected: Vec<(u64, String)> = near
            .iter()
            .map(|(n, value)| (n - 120 + far, value.clone()))
            .collect();
        assert_eq!(found, expected);
        fs::remove_dir_all(here.path("out/far")).unwrap();
    }
}

#[test]
fn eval_prints_a_heap_a_line() {
    assert_eq!(
        printed(eval(&[
            "--game",
            "octal",
            "--code",
            "0.77",
            "--sum",
            "obligated",
            "0..=3",
            "15",
            "--period"
        ])),
        "0 = 01\n1 = 10\n2 = 11\n3 = 11\n15 = 11\n\
         preperiod 0, period 8: proved, since it holds for the heaps from 0 to below 11 (compared to below 248)\n"
    );
    assert_eq!(
        printed(eval(&["--game", "octal", "--code", "kayles", "5", "0..3"])),
        "5 = *4\n0 = 0\n1 = *\n2 = *2\n"
    );
    assert_eq!(
        printed(eval(&[
            "--game",
            "subtraction",
            "--set-of",
            "1,3,4",
            "6..=8"
        ])),
        "6 = *2\n7 = 0\n8 = *\n"
    );
    assert_eq!(
        printed(eval(&["--game", "grundy", "0..=5"])),
        "0 = 0\n1 = 0\n2 = 0\n3 = *\n4 = 0\n5 = *2\n"
    );
    let line = printed(eval(&[
        "--game",
        "grundy",
        "--sum",
        "obligated",
        "--json",
        "5",
    ]));
    assert_eq!(
        serde_json::from_str::<Value>(&line).expect("an object"),
        json!({
            "code": "grundy", "sum": "obligated", "n": 5, "value": "11", "nim_value": null,
            "normal": "N", "misere": "N", "first": true,
        })
    );
}

#[test]
fn eval_refuses_arguments_that_do_not_fit_the_game() {
    for (arguments, fragments) in [
        (
            &["--game", "octal", "5"][..],
            &["needs a code", "--code 0.77"][..],
        ),
        (
            &["--game", "octal", "--code", "0.7x", "5"],
            &["'x' at character 4"],
        ),
        (
            &["--game", "octal", "--code", "grundy", "5"],
            &["grundy is no code"],
        ),
        (
            &["--game", "octal", "--code", "0.7", "--set-of", "1", "5"],
            &["--set-of: "],
        ),
        (&["--game", "grundy", "--code", "0.7", "5"], &["--code: "]),
        (&["--game", "subtraction", "5"], &["needs a set"]),
        (
            &["--game", "subtraction", "--set-of", "1,1", "5"],
            &["1 occurs twice"],
        ),
        (
            &["--game", "grundy", "--sum", "normal", "5"],
            &["disjunctive, obligated"],
        ),
        (
            &["--game", "grundy", "five"],
            &["\"five\" is no heap of disjunctive sums", "0..=100/5"],
        ),
        (&["--game", "grundy", "9..=5"], &["\"9..=5\" is no heap"]),
        (
            &["--game", "grundy", "0..=1000000"],
            &["1000001 heaps, more than 1000000"],
        ),
        (
            &["--game", "grundy", "--play", "impartial", "5"],
            &["--play is for games with partisan and impartial play"],
        ),
        (
            &["--game", "grundy", "--followers", "5"],
            &["--followers is for positions"],
        ),
        (
            &[
                "--game", "sowing", "--play", "partisan", "--code", "0.7", "5",
            ],
            &["--code is for games of heaps"],
        ),
        (
            &["--game", "sowing", "--genus", "5"],
            &["--genus is for --play impartial"],
        ),
        (
            &["--game", "nim", "5"],
            &[
                "accepted: sowing, atomic-wari, ",
                "octal, grundy, subtraction, disjunctive, obligated",
            ],
        ),
    ] {
        refused(2, eval(arguments), fragments);
    }
    refused(
        2,
        seedbank(&["outcome", "--game", "grundy", "--play", "impartial", "5"]),
        &[
            "--game grundy: accepted here: sowing, atomic-wari",
            "grid-sowing, moves; \"seedbank eval\"",
        ],
    );
}

/// Prints the lists of two codes and the nulls of a third from each reader.
const READ: &str = r#"
import glob, json, sys
import duckdb, pandas, polars, pyarrow.parquet as pq
folder = sys.argv[1]
columns = ["code", "name", "period", "saltus", "counts", "p_positions"]
def plain(value):
    if value is None or value is pandas.NA:
        return None
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, float):
        return None if value != value else int(value)
    return [plain(v) for v in value] if isinstance(value, list) else value
def dump(rows):
    return sorted([plain(v) for v in row] for row in rows)
path = folder + "/parts/*.parquet"
frame = pandas.concat([pandas.read_parquet(p) for p in sorted(glob.glob(path))])[columns].astype(object)
table = pq.read_table(folder + "/parts").select(columns)
print(json.dumps({
    "pyarrow": dump([list(row.values()) for row in table.to_pylist()]),
    "duckdb": dump([list(row) for row in duckdb.sql(f"SELECT {', '.join(columns)} FROM '{path}'").fetchall()]),
    "polars": dump([list(row) for row in polars.read_parquet(path).select(columns).rows()]),
    "pandas": dump(frame.values.tolist()),
}))
"#;

#[test]
fn every_reader_reads_lists_of_integers() {
    let here = Workspace::new();
    let rest = "sum = \"obligated\"\n[family]\ncodes = { digits = 2 }\nheaps_max = 64";
    let path = spec(&here, "codes", "octal", rest);
    here.finish(&path, &[]);
    let found = here.result_set("out", &path).read_plain::<CodeRow>();
    let mut expected: Vec<Value> = found
        .and_then(Iterator::collect::<Result<Vec<CodeRow>, _>>)
        .expect("whole files")
        .into_iter()
        .map(|row| {
            json!([
                row.code,
                row.name.as_deref(),
                row.period,
                row.saltus,
                row.counts,
                row.p_positions
            ])
        })
        .collect();
    expected.sort_by_key(|row| row[0].as_str().map(str::to_owned));
    let output = python()
        .args(["-c", READ])
        .arg(here.path("out/codes"))
        .output()
        .expect("the interpreter was started before");
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{complaint}");
    let answer: Value = serde_json::from_slice(&output.stdout).expect("the script prints JSON");
    for reader in ["pyarrow", "duckdb", "polars", "pandas"] {
        assert_eq!(answer[reader], json!(expected), "{reader}");
    }
}
