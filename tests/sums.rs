//! Sums of mixed components on the command line: Ferguson's worked sums, the games of his column,
//! and errors that show the place of a fault.

#![cfg(target_os = "linux")]

use std::fs;
use std::process::{Child, Command};

use crate::common::workspace::{
    Workspace, ended, of_out, printed, seedbank, signal, started, until, wait,
};
use seedbank::task::sums::SumRow;
use serde_json::{Value, json};

fn eval(game: &str, arguments: &[&str]) -> Command {
    seedbank(&[&["eval", "--game", game], arguments].concat())
}

/// Runs a command that must be refused, and checks that its message has the fragments.
fn refused(status: i32, command: Command, fragments: &[&str]) {
    let ended = ended(command);
    assert_eq!(ended.status, Some(status), "{ended:?}");
    for fragment in fragments {
        assert!(
            ended.stderr.contains(fragment),
            "no {fragment:?}: {}",
            ended.stderr
        );
    }
}

#[test]
fn rows_of_jobs_agree_with_eval() {
    let here = Workspace::new();
    for (game, sum) in [
        ("obligated", "wythoff(i,j) + kayles(i) > nim(2,j)"),
        ("disjunctive", "knight(j,i) + wythoff(i,j) + 0.137(j)"),
    ] {
        let rest = format!("[family]\nsum = \"{sum}\"\ni = [7, 2]\nj = \"0..=30/2\"");
        let rows: Vec<SumRow> = here.plain_finished(game, game, &rest);
        assert_eq!(rows.len(), 32);
        let sums: Vec<&str> = rows.iter().map(|row| row.position.as_str()).collect();
        let evaluated = printed(eval(game, &[&sums[..], &["--json"]].concat()));
        for (row, line) in rows.iter().zip(evaluated.lines()) {
            let found: Value = serde_json::from_str(line).unwrap();
            let of_row = json!({
                "position": row.position,
                "sum": &*row.sum,
                "value": &*row.value,
                "nim_value": row.nim_value,
                "normal": &*row.normal,
                "misere": row.misere.as_deref(),
            });
            for (key, value) in of_row.as_object().unwrap() {
                assert_eq!(&found[key], value, "{line}");
            }
            assert_eq!(&*row.pattern, sum);
        }
        // The first variable of the sum is the slowest.
        let second = if game == "obligated" { [7, 2] } else { [0, 2] };
        assert_eq!(rows[1].variables, second.map(Some));
    }
}

#[test]
fn squares_and_worked_sums_are_compared_with_the_paper() {
    let here = Workspace::new();
    let check = |name: &str, sum: &str| {
        let spec = here.plain_spec(name, "obligated", &format!("[family]\nsum = {sum}"));
        here.finish(&spec, &[]);
        printed(of_out(&here, &["check"], &spec))
    };
    let queens = check("queens", "\"wythoff(i,j)\"\ni = \"0..=20\"\nj = \"0..=20\"");
    assert!(
        queens.contains("64 agreements, 0 findings, 0 disagreements in 441 rows"),
        "{queens}"
    );
    let worked = "\"knight(3,4) + knight(5,3) + knight(4,9) + knight(6,4)\"";
    let worked = check("worked", worked);
    assert!(worked.contains("1 agreement, 0 findings"), "{worked}");
    let spec = here.path("queens.toml");
    let listed = printed(of_out(&here, &["table"], &spec));
    assert!(listed.contains("wythoff(3,5) = 00\n"), "{listed}");
}

#[test]
fn the_queens_and_knights_of_the_paper_are_won() {
    let check = |sum: &str, values: &[&str], moves: usize, winning: &[&str]| {
        let found = printed(eval("obligated", &[sum, "--moves"]));
        let mut lines = found.lines();
        assert_eq!(lines.next(), Some(&*format!("{sum} = 11")));
        let components = sum.split(" + ").zip(values);
        for (component, value) in components {
            assert_eq!(lines.next(), Some(&*format!("  {component} = {value}")));
        }
        let listed: Vec<&str> = lines.collect();
        assert_eq!(listed.len(), moves, "{found}");
        let wins = listed.iter().filter(|line| line.contains(", wins "));
        let wins: Vec<&str> = wins.copied().collect();
        assert_eq!(wins, winning);
    };
    // A queen has as many moves as squares to the left, below, and on the diagonal.
    check(
        "wythoff(0,1) + wythoff(1,4) + wythoff(2,1) + wythoff(2,2) + wythoff(5,3)",
        &["10", "11", "01", "10", "00"],
        1 + 6 + 4 + 6 + 11,
        &[
            "  wythoff(1,4), to wythoff(1,2) -> wythoff(1,2) > wythoff(0,1) + wythoff(2,1) + wythoff(2,2) + wythoff(5,3) \
             = 00, wins normal and misere play",
            "  wythoff(2,1), to wythoff(0,1) -> wythoff(0,1) > wythoff(0,1) + wythoff(1,4) + wythoff(2,2) + wythoff(5,3) \
             = 00, wins normal and misere play",
            "  wythoff(2,1), to wythoff(1,0) -> wythoff(1,0) > wythoff(0,1) + wythoff(1,4) + wythoff(2,2) + wythoff(5,3) \
             = 00, wins normal and misere play",
        ],
    );
    check(
        "knight(3,4) + knight(5,3) + knight(4,9) + knight(6,4)",
        &["11", "10", "01", "10"],
        4 * 4,
        &[
            "  knight(3,4), to knight(1,5) -> knight(1,5) > knight(5,3) + knight(4,9) + knight(6,4) = 01, wins normal play",
            "  knight(3,4), to knight(1,3) -> knight(1,3) > knight(5,3) + knight(4,9) + knight(6,4) = 10, wins misere play",
            "  knight(4,9), to knight(3,7) -> knight(3,7) > knight(3,4) + knight(5,3) + knight(6,4) \
             = 00, wins normal and misere play",
            "  knight(4,9), to knight(5,7) -> knight(5,7) > knight(3,4) + knight(5,3) + knight(6,4) \
             = 00, wins normal and misere play",
        ],
    );
}

#[test]
fn eval_prints_a_line_for_each_sum() {
    // Pins and tokens of 0.77 are the same, a group in front is finished first, and 0 is the empty
    // sum.
    let sums = [
        "kayles(5)+ .77( 5 )",
        "kayles(1) > wythoff(3,5)",
        "0",
        "nim(2,2)",
    ];
    assert_eq!(
        printed(eval("obligated", &sums)),
        "kayles(5) + 0.77(5) = 01\nkayles(1) > wythoff(3,5) = 11\n0 = 01\nnim(2,2) = 00\n"
    );
    // 3 + 5 + 6 in binary digits without carries is 0; the column's checkers are Nim with heaps of
    // 3 and 2.
    let sums = [
        "nim(3,5,6)",
        "checkers(4,3)",
        "kayles(3) + nim(1) + grundy(5)",
    ];
    assert_eq!(
        printed(eval("disjunctive", &sums)),
        "nim(3,5,6) = 0\ncheckers(4,3) = *\nkayles(3) + nim(1) + grundy(5) = 0\n"
    );
}

#[test]
fn all_moves_are_listed_with_the_values_that_they_leave() {
    let sums = ["checkers(4,3)", "nim(1) + nim(2)", "nim(0)"];
    let found = printed(eval("disjunctive", &[&sums[..], &["--moves"]].concat()));
    // The checkers are Nim with heaps of 3 and 2.
    let expected = "\
checkers(4,3) = *
  to checkers(1,3) = *2
  to checkers(2,3) = *3
  to checkers(3,3) = 0, wins
  to checkers(4,1) = *3
  to checkers(4,2) = *2
nim(1) + nim(2) = *3
  nim(1) = *
  nim(2) = *2
  nim(1), to nim(0) -> nim(0) + nim(2) = *2
  nim(2), to nim(1) -> nim(1) + nim(1) = 0, wins
  nim(2), to nim(0) -> nim(1) + nim(0) = *
nim(0) = 0
  no move
";
    assert_eq!(found, expected);
    assert_eq!(
        printed(eval("obligated", &["knight(1,1)", "--moves"])),
        "knight(1,1) = 01\n  no move\n"
    );
}

#[test]
fn objects_have_the_documented_keys() {
    let line = printed(eval(
        "obligated",
        &["nim(1) + nim(2) > nim(1)", "--moves", "--json"],
    ));
    // A heap of 1 alone is 10, a heap of 2 is 11. Before another heap of 1, the player who finishes
    // the front hands that heap to the opponent. The opponent takes it, and so wins normal play and
    // loses misere play.
    let nim = |n: u32, value: &str, misere: &str| json!({ "component": format!("nim({n})"), "value": value, "nim_value": null, "normal": "N", "misere": misere });
    let found: Value = serde_json::from_str(&line).expect("an object");
    let components = [nim(1, "10", "P"), nim(2, "11", "N"), nim(1, "10", "P")];
    assert_eq!(found["components"], json!(components));
    assert_eq!(found["position"], "nim(1) + nim(2) > nim(1)");
    assert_eq!(
        (&found["sum"], &found["value"]),
        (&json!("obligated"), &json!("11"))
    );
    assert_eq!(
        (&found["normal"], &found["misere"]),
        (&json!("N"), &json!("N"))
    );
    assert_eq!(found["nim_value"], Value::Null);
    let moves = found["moves"].as_array().expect("a list");
    assert_eq!(moves.len(), 1 + 2, "{found}");
    // With the heap of 2 the opponent chooses who begins the last heap, and so wins under either ending.
    assert_eq!(
        moves[0],
        json!({
            "component": 0, "option": "nim(0)", "leaves": "nim(0) > nim(2) > nim(1)", "value": "11", "nim_value": null,
            "normal": "N", "misere": "N", "wins": false, "wins_misere": false,
        })
    );
    let line = printed(eval("disjunctive", &["nim(1) + nim(2)", "--json"]));
    assert_eq!(
        serde_json::from_str::<Value>(&line).expect("an object"),
        json!({
            "position": "nim(1) + nim(2)", "sum": "disjunctive", "value": "*3", "nim_value": 3, "normal": "N",
            "misere": null, "genus": null,
            "components": [
                { "component": "nim(1)", "value": "*", "nim_value": 1, "normal": "N", "misere": null },
                { "component": "nim(2)", "value": "*2", "nim_value": 2, "normal": "N", "misere": null },
            ],
        })
    );
}

#[test]
fn faults_are_shown_in_place() {
    for (sum, fragments) in [
        ("", &["a component is missing", "wythoff(1,4)"][..]),
        (
            "kayles(5) + nim(x)",
            &["\"x\" is no number", "\n                  ^"],
        ),
        (
            "kayles(5) ++ nim(2)",
            &["a component is missing", "character 12"],
        ),
        ("nim(1", &["add \")\"", "\n     ^"]),
        ("nim(1))", &["')' where", "character 7"]),
        ("wythoff(1)", &["2 numbers", "1 are given"]),
        ("wythoff(1001,0)", &["at most 1000"]),
        ("kayles(4294967296)", &["beyond 32 bits"]),
        (
            "kayles(99999999999999999999)",
            &["99999999999999999999 is too large a number"],
        ),
        ("checkers(0)", &["squares are counted from 1"]),
        ("poker-nim(3)", &["need not end", "nim(n)"]),
        (
            "chess(3)",
            &["unknown heap game \"chess\"", "wythoff, knight, nim"],
        ),
        ("subtraction(1,1)(3)", &["1 occurs twice"]),
        ("nim(1) > nim(2)", &["write \"+\"", "\n         ^"]),
    ] {
        refused(2, eval("disjunctive", &[sum]), fragments);
        if !sum.contains('>') {
            refused(2, eval("obligated", &[sum]), fragments);
        }
    }
}

#[test]
fn options_for_other_games_are_refused() {
    for (game, arguments, fragments) in [
        (
            "obligated",
            &["nim(1)", "--period"][..],
            &["--period is for games of heaps"][..],
        ),
        (
            "obligated",
            &["nim(1)", "--sum", "obligated"],
            &["--sum is for games of heaps"],
        ),
        (
            "disjunctive",
            &["nim(1)", "--play", "impartial"],
            &["--play is for games with partisan and impartial play"],
        ),
        (
            "disjunctive",
            &["nim(1)", "--store", "x"],
            &["--store is for positions"],
        ),
        (
            "grundy",
            &["3", "--moves"],
            &["--moves is for games whose moves are listed"],
        ),
    ] {
        refused(2, eval(game, arguments), fragments);
    }
    refused(
        1,
        eval("obligated", &["nim(1)", "--memory", "1KiB"]),
        &["the evaluation needs ", "budget of 1.0 KiB"],
    );
}

/// Waits until the process has used a quarter of a second of processor time.
fn until_at_work(child: &Child) {
    let stat = format!("/proc/{}/stat", child.id());
    until("a quarter of a second of work", || {
        let stat = fs::read_to_string(&stat).expect("the process is there");
        let (_, fields) = stat.rsplit_once(") ").expect("a name in parentheses");
        // User time, in ticks of a hundredth of a second.
        let ticks = fields.split(' ').nth(11).expect("enough fields");
        ticks.parse::<u32>().expect("a number") >= 25
    });
}

/// Signals stop at once a sum that takes minutes.
#[test]
fn ctrl_c_and_sigterm_end_a_long_evaluation() {
    let long = format!("0.{}(1000)", "F".repeat(250));
    for (name, status) in [("INT", 130), ("TERM", 75)] {
        let child = started(eval("disjunctive", &[&long, "--moves"]));
        until_at_work(&child);
        signal(&child, name);
        let ended = wait(child);
        assert_eq!(ended.status, Some(status), "{ended:?}");
        assert!(ended.stdout.is_empty(), "{ended:?}");
    }
}
