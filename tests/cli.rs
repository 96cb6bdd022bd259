//! The command line as a user meets it: what it prints on which stream, the errors for bad input,
//! exit statuses.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use crate::common::workspace::{self, Workspace, ended, files_in, seedbank};
use assert_cmd::assert::OutputAssertExt;
use predicates::prelude::*;
use predicates::str::contains;
use serde_json::Value;

const ONES: &str = "pattern = \"1^n\"\nn = \"1..=5\"";

fn eval(arguments: &[&str]) -> std::process::Command {
    seedbank(&[&["eval"], arguments].concat())
}

fn sowing(arguments: &[&str]) -> std::process::Command {
    eval(&[&["--game", "sowing", "--play", "partisan"], arguments].concat())
}

fn wari(arguments: &[&str]) -> std::process::Command {
    eval(&[&["--game", "atomic-wari", "--play", "partisan"], arguments].concat())
}

fn outcome(arguments: &[&str]) -> std::process::Command {
    let sowing = ["outcome", "--game", "sowing", "--play", "partisan"];
    seedbank(&[&sowing, arguments].concat())
}

/// Checks a usage error: status 2, nothing on standard output, and all of these words on standard
/// error.
fn refused(mut command: std::process::Command, words: &[&str]) {
    let mut assert = command.assert().code(2).stdout("");
    for word in words {
        assert = assert.stderr(contains(*word));
    }
    assert.stderr(contains("panicked").not());
}

#[test]
fn eval_prints_a_line_for_each_position_as_given() {
    sowing(&["312", "2111", "1^11", "e 1^4 e"])
        .assert()
        .success()
        .stdout("312 = {0|-2}\n2111 = 1/2\n1^11 = +-{1/8||^3|*}\ne 1^4 e = +-{0,{1|0}}\n")
        .stderr("");
    wari(&["312", "1321", "0"])
        .assert()
        .success()
        .stdout("312 = ^\n1321 = *\n0 = 0\n");
    eval(&["--game", "atomic-wari", "--play", "impartial", "312", "22"])
        .assert()
        .success()
        .stdout("312 = *2\n22 = *2\n");
}

#[test]
fn eval_expands_patterns_over_the_ranges_given() {
    sowing(&["--set", "n=1..=4", "1^n", "312"])
        .assert()
        .success()
        .stdout("1^1 = 0\n1^2 = *\n1^3 = 0\n1^4 = 0\n312 = {0|-2}\n")
        .stderr("");
    sowing(&["--set", "m=0..2", "--set", "n=[2,0]", "(10)^m 03 (01)^n"])
        .assert()
        .success()
        .stdout("(10)^0 03 (01)^2 = 0\n(10)^0 03 (01)^0 = 0\n(10)^1 03 (01)^2 = 0\n(10)^1 03 (01)^0 = 0\n");
    sowing(&["1^n", "--set", "n=4..=9/4", "[x+9] 1^x", "--set", "x=1"])
        .assert()
        .success()
        .stdout("1^4 = 0\n1^8 = *\n[10] 1^1 = -1\n");
}

#[test]
fn the_names_of_pattern_members_read_back_as_the_same_positions() {
    let pattern = [
        "e [x+8] 2^n (1x)^n-1 e...",
        "--set",
        "x=1..=3",
        "--set",
        "n=1..=3",
    ];
    let impartial = |arguments: &[&str]| {
        let options = ["--game", "sowing", "--play", "impartial"];
        ended(eval(&[&options, arguments].concat()))
    };
    let printed = impartial(&pattern);
    assert_eq!(
        (printed.status, printed.stdout.lines().count()),
        (Some(0), 9)
    );
    let names: Vec<&str> = printed
        .stdout
        .lines()
        .map(|line| line.split_once(" = ").unwrap().0)
        .collect();
    assert_eq!(names[2], "e9 2^3 (11)^2 e...");
    assert_eq!(impartial(&names).stdout, printed.stdout);
}

#[test]
fn the_game_and_the_way_of_playing_default_to_the_environment() {
    let with = |variables: &[(&str, &str)], arguments: &[&str]| {
        let mut command = eval(arguments);
        command.envs(variables.iter().copied());
        command
    };
    let sowing = [("SEEDBANK_GAME", "sowing"), ("SEEDBANK_PLAY", "partisan")];
    with(&sowing, &["312"])
        .assert()
        .success()
        .stdout("312 = {0|-2}\n");
    with(&sowing, &["-g", "atomic-wari", "-p", "impartial", "312"])
        .assert()
        .success()
        .stdout("312 = *2\n");
    // A game without ways of playing ignores the variable.
    with(&sowing, &["-g", "grundy", "5"])
        .assert()
        .success()
        .stdout("5 = *2\n");
    let mut outcome = seedbank(&["outcome", "2111"]);
    outcome.envs(sowing);
    outcome.assert().success().stdout("2111: L\n");
    // Only eval has a default of its own, and says so.
    let note = with(&[], &["-g", "sowing", "312"]).assert().success();
    let note = note.stdout("312 = {0|-2}\n").get_output().stderr.clone();
    let note = String::from_utf8(note).expect("a message is UTF-8");
    assert!(note.contains("partisan play, since --play is not given"));
    with(&[("SEEDBANK_PLAY", "impartial")], &["-g", "sowing", "312"])
        .assert()
        .success()
        .stdout("312 = *\n");
    refused(
        seedbank(&["outcome", "-g", "sowing", "2111"]),
        &["--play is missing", "SEEDBANK_PLAY"],
    );
    refused(
        with(&[("SEEDBANK_GAME", "chess")], &["1"]),
        &[
            "SEEDBANK_GAME in the environment",
            "\"chess\"",
            "sowing, atomic-wari",
        ],
    );
    refused(
        with(
            &[("SEEDBANK_GAME", "sowing"), ("SEEDBANK_PLAY", "both")],
            &["1"],
        ),
        &["SEEDBANK_PLAY in the environment", "\"both\""],
    );
    refused(
        with(&[("SEEDBANK_GAME", "")], &["1"]),
        &["--game is missing", "SEEDBANK_GAME"],
    );
}

#[test]
fn colours_follow_the_option_and_the_environment_and_errors_have_one_label() {
    let here = Workspace::new();
    let wrong = here.spec("wrong", "chess", "partisan", ONES);
    let wrong = wrong.to_str().unwrap();
    for arguments in [
        &["plan", wrong][..],
        &["plan", "no-such-spec.toml"],
        &["value", "{1|"],
        &["value", "--no-such-option"],
    ] {
        let printed = |color: &[&str], variables: &[(&str, &str)]| {
            let mut command = seedbank(&[color, arguments].concat());
            for variable in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE"] {
                command.env_remove(variable);
            }
            command.envs(variables.iter().copied());
            let printed = ended(command);
            assert_eq!(printed.status, Some(2), "{printed:?}");
            let plain = anstream::adapter::strip_str(&printed.stderr).to_string();
            assert_eq!(plain.matches("error").count(), 1, "{plain}");
            assert!(plain.starts_with("error: "), "{plain}");
            printed.stderr.contains('\u{1b}')
        };
        let (none, force) = (("NO_COLOR", "1"), ("CLICOLOR_FORCE", "1"));
        assert!(!printed(&[], &[]));
        assert!(printed(&[], &[force]), "{arguments:?}");
        assert!(!printed(&[], &[force, none]));
        assert!(!printed(&["--color=never"], &[force]));
        assert!(printed(&["--color", "always"], &[none]));
    }
    refused(
        seedbank(&["--color=mauve", "status"]),
        &["mauve", "auto, always, never"],
    );
}

#[test]
fn jobs_are_named_by_the_end_of_their_path_below_jobs() {
    let here = Workspace::new();
    for name in ["ones", "deep/twos", "a/same", "b/same"] {
        let stem = name.replace('/', "-");
        let spec = here.spec(&stem, "sowing", "partisan", ONES);
        let path = here.path(&format!("jobs/{name}.toml"));
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::rename(spec, path).unwrap();
    }
    let plan = |name: &str| {
        let mut command = seedbank(&["plan", name]);
        command.current_dir(here.path(""));
        command
    };
    for (name, job) in [
        ("ones", "ones"),
        ("ones.toml", "ones"),
        ("twos", "deep-twos"),
        ("deep/twos", "deep-twos"),
        ("jobs/deep/twos.toml", "deep-twos"),
        ("b/same", "b-same"),
    ] {
        let line = format!("{job}: sowing, partisan");
        plan(name)
            .assert()
            .success()
            .stdout(predicates::str::starts_with(line));
    }
    refused(
        plan("same"),
        &["same names 2 job specs: jobs/a/same.toml, jobs/b/same.toml"],
    );
    refused(plan("two"), &["no job spec two", "did you mean twos?"]);
    refused(
        plan("nothing-like-it"),
        &["no job spec nothing-like-it", "status --all"],
    );
    for command in ["run", "status", "merge", "table", "report", "check"] {
        let mut command = seedbank(&[command, "one"]);
        command.current_dir(here.path(""));
        refused(command, &["did you mean ones?"]);
    }
    // An existing file takes precedence.
    here.spec("twos", "atomic-wari", "impartial", ONES);
    fs::rename(here.path("twos.toml"), here.path("twos")).unwrap();
    plan("twos")
        .assert()
        .success()
        .stdout(contains("atomic-wari, impartial"));
    let mut elsewhere = seedbank(&["plan", "ones"]);
    elsewhere.current_dir(here.path("jobs/deep"));
    refused(elsewhere, &["no job spec ones", "no folder jobs/"]);
}

#[test]
fn help_has_the_rules_of_every_game_and_the_help_of_every_command() {
    const GAMES: &str = "jobs/GAMES.md";
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join(GAMES);
    let page = fs::read_to_string(page).unwrap();
    let names = |refusal: String| -> Vec<String> {
        let (_, names) = refusal.split_once("accepted: ").unwrap();
        let names = names.lines().next().unwrap().split(", ");
        names.map(|name| name.trim().to_owned()).collect()
    };
    let here = Workspace::new();
    let spec = here.spec("chess", "chess", "partisan", ONES);
    let of_specs = names(ended(seedbank(&["plan", spec.to_str().unwrap()])).stderr);
    let of_options = names(ended(eval(&["--game", "chess", "1"])).stderr);
    assert!(
        of_specs.len() >= 7 && of_options.len() >= 7,
        "{of_specs:?} {of_options:?}"
    );
    let all = ended(seedbank(&["help", "games"])).stdout;
    assert!(
        page.contains(&all),
        "{GAMES} and \"seedbank help games\" differ"
    );
    for game in of_specs.iter().chain(&of_options) {
        let entry = seedbank::game::games().find(|entry| entry.name == game);
        let rules = entry.unwrap_or_else(|| panic!("{game} has no rules")).rules;
        let help = ended(seedbank(&["help", game]));
        assert_eq!(help.status, Some(0), "{help:?}");
        assert!(help.stdout.starts_with(rules), "{help:?}");
        assert!(all.contains(rules), "{game}: {all}");
        let picture = rules.lines().last().unwrap().trim();
        let mut lines = page.lines().filter_map(|line| line.split_once("  "));
        let pictured = lines.find(|(name, _)| name == game);
        let pictured = pictured.map(|(_, move_of)| move_of.trim());
        assert_eq!(pictured, Some(picture), "the move of {game} in {GAMES}");
    }
    let obligated = ended(seedbank(&["help", "obligated"])).stdout;
    for component in ["wythoff", "knight", "nim", "checkers", "kayles", "grundy"] {
        assert!(
            obligated.contains(&format!("\n  {component}(")),
            "{component}"
        );
    }
    for command in [&["run"][..], &["store", "verify"], &["eval"], &[]] {
        let asked = ended(seedbank(&[command, &["--help"]].concat()));
        let helped = ended(seedbank(&[&["help"], command].concat()));
        assert_eq!(helped.stdout.trim_end(), asked.stdout.trim_end());
    }
    // A game and a command.
    let both = ended(seedbank(&["help", "tchoukaillon"])).stdout;
    assert!(
        both.contains("Ruma |") && both.contains("Usage: seedbank tchoukaillon"),
        "{both}"
    );
    refused(
        seedbank(&["help", "chess"]),
        &["no command and no game \"chess\"", "atomic-wari"],
    );
}

#[test]
fn eval_plays_on_a_board_of_the_width_given() {
    // On two pots neither player can sow two seeds past the end.
    wari(&["--pots", "2", "02", "20", "2"])
        .assert()
        .success()
        .stdout("02 = -1\n20 = 1\n2 = 1\n");
    wari(&["2"]).assert().success().stdout("2 = *\n");
}

#[test]
fn eval_writes_values_in_plain_braces_where_asked() {
    let positions = ["1^11", "e 1^4 e", "312"];
    let text = |notation: &[&str]| ended(sowing(&[notation, &positions].concat())).stdout;
    let plain = text(&["--notation", "plain"]);
    assert_eq!(text(&["--notation", "cgsuite"]), text(&[]));
    let mut values = plain.lines().map(|line| line.split_once(" = ").unwrap().1);
    assert!(
        values.all(|value| !value.contains(['^', '+', 'v'])),
        "{plain}"
    );
    assert!(!plain.contains("||"), "{plain}");
    assert!(plain.contains("e 1^4 e = {0,{1|0}|0,{0|-1}}\n"), "{plain}");
    assert!(plain.ends_with("312 = {0|-2}\n"), "{plain}");
}

#[test]
fn eval_prints_objects_with_the_columns_of_the_table() {
    let printed = ended(wari(&["--json", "--followers", "312", "2"]));
    assert_eq!(printed.status, Some(0), "{printed:?}");
    let objects: Vec<Value> = printed
        .stdout
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(objects.len(), 2);
    let columns =
        seedbank::dataset::positions::columns::<seedbank::dataset::PositionRow>(&[]).unwrap();
    for object in &objects {
        let mut keys: Vec<&str> = object
            .as_object()
            .unwrap()
            .keys()
            .map(String::as_str)
            .collect();
        let mut names: Vec<&str> = columns.iter().map(|column| column.name.as_str()).collect();
        keys.sort_unstable();
        names.sort_unstable();
        assert_eq!(keys, names);
    }
    for (key, value) in [
        ("game", Value::from("atomic-wari")),
        ("play", "partisan".into()),
        ("position", "312".into()),
        ("pots", 3.into()),
        ("seeds", 6.into()),
        ("outcome", "L".into()),
        ("value", "^".into()),
        ("nim_value", Value::Null),
        ("left_stop", 0.0.into()),
        ("temperature", 0.0.into()),
        ("birthday", 2.into()),
        ("dicotic", true.into()),
    ] {
        assert_eq!(objects[0][key], value, "{key}");
    }
    assert_eq!(objects[1]["nim_value"], 1);
    assert_eq!(objects[1]["followers"], 2);
    sowing(&["--followers", "11"])
        .assert()
        .success()
        .stdout("11 = *, 2 followers\n");
}

#[test]
fn outcome_prints_the_winner_and_finds_nimbers() {
    outcome(&["1^13", "1^12", "1^9", "312", "2111", "1112", "1^7"])
        .assert()
        .success()
        .stdout("1^13 = *\n1^12: N, no nimber up to *2\n1^9 = 0\n312: N, no nimber up to *2\n2111: L\n1112: R\n1^7 = *2\n")
        .stderr("");
    outcome(&["--nimbers", "1", "--set", "n=5..=8", "1^n"])
        .assert()
        .success()
        .stdout("1^5: N, not *\n1^6 = 0\n1^7: N, not *\n1^8 = *\n");
    outcome(&["--nimbers", "0", "11", "1111"])
        .assert()
        .success()
        .stdout("11: N\n1111 = 0\n");
    let wari = ["outcome", "--game", "atomic-wari", "--play", "impartial"];
    seedbank(&[&wari[..], &["4^4", "2^9", "2^11", "--nimbers", "3"]].concat())
        .assert()
        .success()
        .stdout("4^4: N, no nimber up to *3\n2^9 = *3\n2^11 = 0\n");
}

/// There are more positions than threads; output keeps the given order whichever is found first.
#[test]
fn outcome_answers_in_the_order_given() {
    let on = |threads| {
        ended(outcome(&[
            "--threads",
            threads,
            "--set",
            "n=1..=12",
            "1^n",
            "1",
        ]))
    };
    let (one, three) = (on("1"), on("3"));
    assert_eq!(one.status, Some(0), "{one:?}");
    assert_eq!(one.stdout.lines().count(), 13);
    assert_eq!(one.stdout, three.stdout);
}

#[test]
fn outcome_prints_objects_with_the_number_of_positions() {
    let printed = ended(outcome(&["--json", "1^n", "--set", "n=[11,10]"]));
    assert_eq!(printed.status, Some(0), "{printed:?}");
    let objects: Vec<Value> = printed
        .stdout
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    for (object, n, nim_value) in [
        (&objects[0], 11, Value::Null),
        (&objects[1], 10, Value::from(0)),
    ] {
        assert_eq!(object["n"], n);
        assert_eq!(object["nim_value"], nim_value);
        assert_eq!(object["nimber_max"], 2);
        assert_eq!(object["position"], "1".repeat(n));
        assert_eq!(object["pattern"], "1^n");
        assert!(object["positions"].as_u64().unwrap() > 100);
    }
    assert_eq!(objects[0]["outcome"], "N");
    assert_eq!(objects[1]["outcome"], "P");
}

#[test]
fn outcome_refuses_the_input_that_eval_refuses_and_reports_insufficient_memory() {
    refused(outcome(&["31#2"]), &["\"31#2\"", "'#' at character 3"]);
    refused(outcome(&["1^n"]), &["variable n has no range"]);
    refused(outcome(&["1^200"]), &["200 pots", "at most"]);
    refused(outcome(&["--nimbers", "256", "1"]), &["--nimbers", "256"]);
    let failed = ended(outcome(&["--memory", "1MB", "1^8", "1^14"]));
    assert_eq!(failed.status, Some(1), "{failed:?}");
    assert_eq!(
        failed.stdout, "1^8 = *\n",
        "values found before the failure are printed"
    );
    for word in ["11111111111111 + *", "give it more memory", "positions"] {
        assert!(failed.stderr.contains(word), "{word}: {failed:?}");
    }
}

#[test]
fn value_describes_values() {
    seedbank(&["value", "{2|0||-2|-4}", "^*", "--", "-1/2"])
        .assert()
        .success()
        .stdout(
            "\
value             {2|0||-2|-4}
kind              hot
outcome           R
birthday          6
dicotic           no
left stop         0
right stop        -2
mean              -1
temperature       2
left wall         0 at -1, 0 at 1, -1 at 2
right wall        -2 at -1, -2 at 1, -1 at 2
left incentives   {4|0}
right incentives  {4|0}
atomic weight     none: the stops are 0 and -2, and only infinitesimals have atomic weights
reduced form      {2|0||-2|-4}

value             ^*
kind              number-up-star
outcome           N
birthday          2
dicotic           yes
left stop         0
right stop        0
mean              0
temperature       0
left wall         1 at -1, 0 at 0
right wall        -1 at -1, 0 at 0
left incentives   v  v*
right incentives  ^*
atomic weight     1
reduced form      0

value             -1/2
kind              dyadic
outcome           R
birthday          2
dicotic           no
left stop         -1/2
right stop        -1/2
mean              -1/2
temperature       -1/2
left wall         0 at -1, -1/2 at -1/2
right wall        -1 at -1, -1/2 at -1/2
left incentives   -1/2
right incentives  -1/2
atomic weight     none: the stops are -1/2 and -1/2, and only infinitesimals have atomic weights
reduced form      -1/2
",
        );
}

#[test]
fn value_prints_objects_with_exact_numbers() {
    let output = seedbank(&["value", "--json", "--cool", "1/2", "{2|-1}", "^3"])
        .assert()
        .success();
    let text = String::from_utf8(output.get_output().stdout.clone()).unwrap();
    let objects: Vec<Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(objects[0]["value"], "{3/2|-1/2}");
    assert_eq!(objects[0]["mean"], "1/2");
    let wall = serde_json::json!([["-1", "2"], ["-1/2", "2"], ["1", "1/2"]]);
    assert_eq!(objects[0]["left_wall"], wall);
    assert_eq!(objects[0]["atomic_weight"], Value::Null);
    assert_eq!(objects[0]["atomic_weight_missing"], "not-infinitesimal");
    assert_eq!(objects[1]["value"], "0");
    assert_eq!(objects[1]["atomic_weight"], "0");
    assert_eq!(objects[1]["atomic_weight_missing"], Value::Null);
    seedbank(&["value", "--heat", "1", "*"])
        .assert()
        .success()
        .stdout(contains(
            "value             +-1\nkind              plus-minus\n",
        ));
}

#[test]
fn incentives_of_large_switches_are_sums_with_numbers() {
    let output = seedbank(&["value", "--json", "{1000000|-1000000}", "*"])
        .assert()
        .success();
    let text = String::from_utf8(output.get_output().stdout.clone()).unwrap();
    let first: Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
    assert_eq!(first["temperature"], "1000000");
    assert_eq!(first["left_incentives"], serde_json::json!(["{2000000|0}"]));
    assert_eq!(text.lines().count(), 2);
}

#[test]
fn value_refuses_text_that_is_not_a_value() {
    refused(
        seedbank(&["value", "{1|"]),
        &["\"{1|\": character 4: expected"],
    );
    refused(
        seedbank(&["value", "--cool", "-1", "^"]),
        &["the temperature -1 is negative; values are cooled by 0 or more"],
    );
    refused(
        seedbank(&["value", "--heat", "1/3", "^"]),
        &["\"1/3\" is no dyadic rational"],
    );
    let too_large = (1u128 << 70).to_string();
    refused(
        seedbank(&["value", "--heat", &too_large, "^"]),
        &["or has more than 63 bits"],
    );
    let long = "^ é".repeat(1000);
    let repeated = "^ é".repeat(20) + "... (3000 characters)\": character 3: expected";
    refused(seedbank(&["value", &long]), &[&repeated]);
    refused(seedbank(&["value", "1", "--jsn"]), &["'--jsn'", "'--json'"]);
    refused(
        seedbank(&["value", "--cool", "-1", "*"]),
        &["the temperature -1 is negative"],
    );
}

#[test]
fn numbers_beyond_127_bits_are_refused() {
    // {0|1} is 1/2, {0|{0|1}} is 1/4.
    let fraction = |exponent: usize| format!("{}1{}", "{0|".repeat(exponent), "}".repeat(exponent));
    let finest = ended(seedbank(&["value", "--json", &fraction(126)])).stdout;
    let finest: Value = serde_json::from_str(&finest).unwrap();
    assert_eq!(finest["value"], format!("1/{}", 1u128 << 126));
    assert_eq!(finest["birthday"], 127);
    let too_many = "a number that takes too many bits; integers have up to 63, numerators up to 127, and denominators are up to 2^126";
    for text in [
        fraction(127),
        fraction(200),
        format!("-({})", fraction(127)),
        format!("{{1|{}}}+2", fraction(126)),
        format!("{{1|1+{}}}", fraction(126)),
        format!("{}+2", fraction(126)),
    ] {
        refused(seedbank(&["value", &text]), &[too_many]);
    }
}

/// Runs a command that reads this text from standard input.
fn fed(mut command: std::process::Command, text: &str) -> workspace::Ended {
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().expect("the command starts");
    let mut input = child.stdin.take().expect("standard input is a pipe");
    std::io::Write::write_all(&mut input, text.as_bytes()).expect("the command reads");
    drop(input);
    workspace::wait(child)
}

#[test]
fn negative_values_are_not_read_as_options() {
    for (text, value) in [
        ("-1/2", "-1/2"),
        ("-{2|1}", "{-1|-2}"),
        ("-1v[3]*2", "-1v[3]*2"),
        ("--2", "2"),
        ("-v3", "^3"),
    ] {
        for arguments in [
            vec!["value", "--json", text],
            vec!["value", text, "--json"],
            vec!["-q", "value", "--json", "--", text],
            vec!["value", "--heat", "0", text, "--json"],
        ] {
            let told = ended(seedbank(&arguments));
            assert_eq!(told.json()["value"], value, "{arguments:?}");
        }
    }
}

#[test]
fn a_faulty_argument_does_not_silence_the_others() {
    let text = "-1/2\n\n1/3\n *2 \n";
    let told = fed(seedbank(&["value", "{1|", "--json", "-", "^"]), text);
    assert_eq!(told.status, Some(2));
    let values: Vec<Value> = told
        .stdout
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let values: Vec<&Value> = values.iter().map(|value| &value["value"]).collect();
    assert_eq!(values, ["-1/2", "*2", "^"]);
    assert!(
        told.stderr
            .contains("error: \"{1|\": character 4: expected")
    );
    assert!(
        told.stderr
            .contains("error: standard input, line 3: \"1/3\": character 3: expected")
    );

    let told = fed(sowing(&["1(2", "-"]), "1^3\nxx\n\n31\n");
    assert_eq!(
        (told.status, &*told.stdout),
        (Some(2), "1^3 = 0\n31 = -1\n")
    );
    assert!(
        told.stderr.contains("\"1(2\"") && told.stderr.contains("standard input, line 2: \"xx\"")
    );
    let told = fed(outcome(&["-"]), "31\n3#\n");
    assert_eq!((told.status, &*told.stdout), (Some(2), "31: R\n"));
    let told = fed(eval(&["--game", "obligated", "-"]), "nim(x)\nnim(1)\n");
    assert_eq!((told.status, &*told.stdout), (Some(2), "nim(1) = 10\n"));
    assert!(told.stderr.contains("standard input, line 1: "));
    let told = fed(eval(&["--game", "octal", "--code", "0.77", "-"]), "3\nx\n");
    assert_eq!((told.status, &*told.stdout), (Some(2), "3 = *3\n"));
    let told = fed(seedbank(&["value", "-", "--json"]), "1\n");
    assert_eq!(told.status, Some(0));
}

/// Returns the values of `seedbank value --json`, in order.
fn values(told: &workspace::Ended) -> Vec<String> {
    let value = |line| {
        let line: Value = serde_json::from_str(line).expect("an object a line");
        line["value"].as_str().expect("a value").to_owned()
    };
    told.stdout.lines().map(value).collect()
}

#[test]
fn printed_values_read_back_as_arguments_and_lines() {
    let mut printed: Vec<String> = ["-1/2", "v", "v*", "v3", "-3.^", "-{2|1}"]
        .map(str::to_owned)
        .to_vec();
    let ranges = ["--set", "x=0..=5", "--set", "y=0..=5", "--set", "z=0..=5"];
    for mut command in [sowing(&["xyzx", "1x1y2z", "x1yz"]), wari(&["xyz", "x2yz"])] {
        command.args(ranges);
        let told = ended(command);
        assert_eq!(told.status, Some(0), "{told:?}");
        let value = |line: &str| line.split_once(" = ").expect("a value").1.to_owned();
        printed.extend(told.stdout.lines().map(value));
    }
    printed.sort();
    printed.dedup();
    let negative = printed
        .iter()
        .filter(|value| value.starts_with('-'))
        .count();
    assert!(printed.len() > 100 && negative > 9, "{printed:?}");
    let lines = printed.join("\n") + "\n";
    let mut xargs = std::process::Command::new("xargs");
    let program = env!("CARGO_BIN_EXE_seedbank");
    xargs.args(["-d", "\n", program, "value", "--json"]);
    let through_xargs = fed(xargs, &lines);
    assert_eq!(through_xargs.status, Some(0), "{through_xargs:?}");
    let canonical = |text: &String| match &**text {
        "-3.^" => "v3".to_owned(),
        "-{2|1}" => "{-1|-2}".to_owned(),
        printed => printed.to_owned(),
    };
    let expected: Vec<String> = printed.iter().map(canonical).collect();
    assert_eq!(values(&through_xargs), expected);
    let through_stdin = fed(seedbank(&["value", "--json", "-"]), &lines);
    assert_eq!(values(&through_stdin), expected);
}

#[test]
fn lines_of_any_kind_are_answered_or_reported_one_by_one() {
    let value = || seedbank(&["value", "--json", "-"]);
    let told = fed(value(), "");
    assert_eq!(
        (told.status, &*told.stdout, &*told.stderr),
        (Some(0), "", "")
    );
    let told = fed(value(), "-1/2\r\nv*\r\n\r\n*2");
    assert_eq!(
        (told.status, values(&told)),
        (Some(0), ["-1/2", "v*", "*2"].map(String::from).to_vec())
    );
    let told = fed(value(), "1\n-\n--json\n\u{1b}[2J\n2\n");
    assert_eq!(
        (told.status, values(&told)),
        (Some(2), ["1", "2"].map(String::from).to_vec())
    );
    for (line, text) in [(2, "\"-\""), (3, "\"--json\""), (4, "\"\\u{1b}[2J\"")] {
        let reported = format!("error: standard input, line {line}: {text}: ");
        assert!(told.stderr.contains(&reported), "{reported}: {told:?}");
    }
    // A line that is not valid UTF-8.
    let mut command = value();
    let script = "printf '1\\n\\377\\n2\\n'";
    let bytes = std::process::Command::new("sh")
        .args(["-c", script])
        .output()
        .unwrap()
        .stdout;
    let path = tempfile::NamedTempFile::new().unwrap();
    fs::write(path.path(), bytes).unwrap();
    command.stdin(fs::File::open(path.path()).unwrap());
    let told = ended(command);
    assert_eq!(
        (told.status, values(&told)),
        (Some(2), ["1", "2"].map(String::from).to_vec())
    );
    assert!(told.stderr.contains("standard input, line 2: "), "{told:?}");
}

#[test]
fn ranges_have_steps_wherever_they_are_taken() {
    let heaps = ["--game", "octal", "--code", "0.07"];
    let stepped = ended(eval(&[&heaps[..], &["0..=100/25", "7", "3..6/2"]].concat()));
    let single = ["0", "25", "50", "75", "100", "7", "3", "5"];
    let single = ended(eval(&[&heaps[..], &single].concat()));
    assert_eq!((single.status, single.stdout.lines().count()), (Some(0), 8));
    assert_eq!(stepped.stdout, single.stdout);
    sowing(&["1^n", "--set", "n=1..=9/4"])
        .assert()
        .success()
        .stdout("1^1 = 0\n1^5 = +-1/2\n1^9 = 0\n");
    outcome(&["1^n", "--set", "n=1..=9/4"])
        .assert()
        .success()
        .stdout("1^1 = 0\n1^5: N, no nimber up to *2\n1^9 = 0\n");
    for (bad, words) in [
        ("0..=100/0", "every fifth"),
        ("9..=5/2", "every fifth"),
        ("7/2", "every fifth"),
    ] {
        refused(
            eval(&[&heaps[..], &[bad]].concat()),
            &["no heap of disjunctive sums", words],
        );
    }
    let here = Workspace::new();
    for (family, what) in [
        ("heaps", "heaps"),
        ("boards", "stones"),
        ("lengths", "lengths"),
    ] {
        let game = match family {
            "heaps" => "octal\"\ncode = \"0.07",
            _ => "tchoukaillon",
        };
        let path = here.path("stepped.toml");
        let text = format!(
            "name = \"stepped\"\n[ruleset]\ngame = \"{game}\"\n[family]\n{family} = \"0..=100/5\"\n"
        );
        fs::write(&path, text).unwrap();
        let words = format!("the range \"0..=100/5\" of {what} has a step");
        refused(
            seedbank(&["plan", path.to_str().unwrap()]),
            &[&words, "leave the step out"],
        );
    }
}

/// Each of these inputs once ran for minutes.
#[test]
fn short_inputs_do_not_run_for_minutes() {
    let begun = std::time::Instant::now();
    let told = ended(seedbank(&["value", "--json", "*255 - ^<64>"]));
    assert_eq!(told.json()["value"], "v<64>*255");
    refused(
        seedbank(&["value", "--heat=1", "*255"]),
        &["\"*255\": it takes more than 3000000 steps"],
    );
    let integers: Vec<String> = (0..50).map(|i| (1_000_000 - 977 * i).to_string()).collect();
    let many = format!("{{{{{}|0}}|-1}}", integers.join(","));
    let told = ended(seedbank(&["value", "--json", &many]));
    assert_eq!(told.json()["value"], "{1000000|0||-1}");
    let code = ["--game", "octal", "--code", "0.0777f0777", "--period", "1"];
    let told = ended(eval(&code)).stdout;
    assert!(
        told.starts_with("1 = 0\nno period is proved by the values of the heaps below 8192"),
        "{told}"
    );
    let graph = [
        "graph",
        "--generate",
        "random(4,1,8,7)",
        "--steps-max",
        "1000000",
    ];
    let told = ended(seedbank(&graph)).stdout;
    assert!(told.starts_with("vertices   5: 4 bins, 1 ruma\nedges      8\nfiniteness infinitely"));
    assert!(
        told.contains("the budget of steps is spent: --steps-max 1000000"),
        "{told}"
    );
    assert!(begun.elapsed().as_secs() < 120);
}

#[test]
fn malformed_positions_are_refused_with_the_place_and_what_is_accepted() {
    refused(
        sowing(&["31#2"]),
        &["\"31#2\"", "'#' at character 3", "digits, [12], e"],
    );
    refused(sowing(&[""]), &["\"\"", "an empty pattern"]);
    refused(
        sowing(&["1[x"]),
        &["\"1[x\"", "bracket at character 2", "[12]"],
    );
    refused(
        sowing(&["(01^3"]),
        &["parenthesis at character 1", "(01)^n"],
    );
    refused(
        sowing(&["1...e1"]),
        &["dots at character 2", "...e 1^n e..."],
    );
    refused(sowing(&["1^"]), &["exponent at character 3"]);
    refused(sowing(&["1^200"]), &["200 pots", "at most"]);
    refused(wari(&["e312"]), &["\"e312\"", "full pots", "sowing only"]);
    refused(
        wari(&["--pots", "3", "3121"]),
        &["\"3121\"", "4 pots", "board of 3 pots"],
    );
    refused(wari(&["--pots", "121", "1"]), &["--pots 121", "1 to 120"]);
    refused(sowing(&["--pots", "3", "1"]), &["--pots", "sowing"]);
    refused(sowing(&[]), &["<POSITION>"]);
}

#[test]
fn variables_and_ranges_must_match() {
    refused(
        sowing(&["1^n"]),
        &["\"1^n\"", "variable n has no range", "--set n=1..=9"],
    );
    refused(
        sowing(&["3x2"]),
        &["\"3x2\"", "variable x has no range", "--set x=1..=9"],
    );
    refused(
        sowing(&["--set", "k=1", "312"]),
        &["--set k", "no pattern has a variable k"],
    );
    refused(
        sowing(&["--set", "n=1", "--set", "n=2", "1^n"]),
        &["--set n", "already"],
    );
    refused(
        sowing(&["--set", "n=5..=1", "1^n"]),
        &["5..=1 is empty", "1..=14"],
    );
    refused(sowing(&["--set", "n=[]", "1^n"]), &["\"[]\"", "[1, 2, 5]"]);
    refused(sowing(&["--set", "n=[2, 2]", "1^n"]), &["2 twice"]);
    refused(
        sowing(&["--set", "x=1..=1001", "--set", "y=1..=1000", "x y"]),
        &["\"x y\"", "more than 1000000 positions", "seedbank run"],
    );
    refused(
        wari(&["--set", "x=0..=99", "--set", "y=0..=99", "0^9900 x y"]),
        &["\"0^9900 x y\"", "more than 16777216 pots", "seedbank run"],
    );
    refused(sowing(&["--set", "n", "1^n"]), &["n=1..=9"]);
    refused(
        sowing(&["--set", "nn=1", "1^n"]),
        &["\"nn\" is no variable"],
    );
    refused(
        sowing(&["--set", "n=-3", "1^n"]),
        &["exponent n is -3", "at least 0"],
    );
}

#[test]
fn unknown_names_list_the_accepted_ones() {
    refused(
        eval(&["--game", "chess", "--play", "partisan", "1"]),
        &["\"chess\"", "sowing, atomic-wari"],
    );
    refused(
        eval(&["--game", "sowing", "--play", "both", "1"]),
        &["\"both\"", "partisan, impartial"],
    );
    refused(
        sowing(&["--notation", "latex", "1"]),
        &["latex", "cgsuite", "plain"],
    );
    refused(seedbank(&["frobnicate"]), &["frobnicate", "Usage"]);
    refused(seedbank(&["store", "burn"]), &["burn"]);
}

#[test]
fn meaningless_limits_are_refused() {
    let here = Workspace::new();
    let spec = here.spec("ones", "sowing", "partisan", ONES);
    for (arguments, words) in [
        (["--threads", "0"], ["--threads", "1..=1024"]),
        (["--threads", "many"], ["--threads", "many"]),
        (["--memory", "lots"], ["--memory", "512MiB or 16GiB"]),
        (["--memory", "12parsecs"], ["--memory", "512MiB or 16GiB"]),
        (["--time-limit", "soon"], ["--time-limit", "90s, 30m or 8h"]),
        (["--checkpoint", "5"], ["--checkpoint", "90s, 30m or 8h"]),
    ] {
        refused(here.running(&spec, &arguments), &words);
    }
    assert!(!here.path("out").exists() && !here.path("store").exists());
    // A time longer than a clock can count is no limit; a time of zero is a limit.
    let endless = here.run(&spec, &["--time-limit", "500000000000years"]);
    assert_eq!(endless.status, Some(0), "{endless:?}");
}

#[test]
fn a_bad_spec_is_shown_with_its_place_and_nothing_is_done() {
    let here = Workspace::new();
    let good = here.spec("good", "sowing", "partisan", ONES);
    let unbound = here.spec("unbound", "sowing", "partisan", "pattern = \"1^n\"");
    let unknown = here.spec(
        "unknown",
        "sowing",
        "partisan",
        "pattern = \"1^4\"\ncolour = 1",
    );
    let game = here.spec("game", "bao", "partisan", "pattern = \"1^4\"");
    let syntax = here.spec("syntax", "sowing", "partisan", "pattern = ");
    for (spec, words) in [
        (
            &unbound,
            &["unbound.toml:6:11", "family.pattern", "n = \"1..=9\""][..],
        ),
        (&unknown, &["unknown.toml:7:1", "colour"]),
        (
            &game,
            &["game.toml:3:8", "ruleset.game", "sowing", "atomic-wari"],
        ),
        (&syntax, &["syntax.toml:6:11"]),
    ] {
        for command in ["run", "plan", "status"] {
            // The sound job before it does not start either.
            let mut command = seedbank(&[command]);
            command.arg(&good).arg(spec).current_dir(here.path(""));
            refused(command, words);
        }
    }
    let missing = here.path("missing.toml");
    refused(
        here.running(&missing, &[]),
        &["missing.toml", "No such file"],
    );
    assert_eq!(files_in(&here.path("")).len(), 5, "nothing was created");
}

#[test]
fn two_jobs_of_one_name_are_refused() {
    let here = Workspace::new();
    let spec = here.spec("ones", "sowing", "partisan", ONES);
    let copy = here.path("copy.toml");
    fs::copy(&spec, &copy).unwrap();
    let words = [
        "ones.toml",
        "copy.toml",
        "both named \"ones\"",
        "rename one",
    ];
    refused(here.running(&spec, &[copy.to_str().unwrap()]), &words);
    assert!(!here.path("out").exists());
}

#[test]
fn another_job_under_the_same_name_is_refused() {
    let here = Workspace::new();
    let spec = here.spec("ones", "sowing", "partisan", ONES);
    here.finish(&spec, &[]);
    let result = here.result("out", "ones");
    here.spec("ones", "sowing", "impartial", ONES);
    let refused = here.run(&spec, &[]);
    assert_eq!(refused.status, Some(1), "{refused:?}");
    for word in [
        "out/ones",
        "\"ones\"",
        "ruleset.play: \"partisan\" -> \"impartial\"",
        "another name",
        "--out",
    ] {
        assert!(refused.stderr.contains(word), "{word}: {refused:?}");
    }
    assert!(here.result("out", "ones") == result);
}

#[test]
fn folders_that_cannot_be_created_are_named() {
    let here = Workspace::new();
    let spec = here.spec("ones", "sowing", "partisan", ONES);
    let file = here.path("file");
    fs::write(&file, "").unwrap();
    for option in ["--out", "--store"] {
        let below = file.join("below");
        let failed = here.run(&spec, &[option, below.to_str().unwrap()]);
        assert_eq!(failed.status, Some(1), "{option}: {failed:?}");
        assert!(
            failed.stderr.contains(file.to_str().unwrap()),
            "{option}: {failed:?}"
        );
        assert_eq!(failed.stdout, "", "{option}");
    }
    let mut status = seedbank(&["status", "--out"]);
    status.arg(&file).arg(&spec);
    status
        .assert()
        .code(1)
        .stderr(contains(file.to_str().unwrap()));
    assert_eq!(fs::read(&file).unwrap(), b"");
}

#[test]
fn a_job_too_large_for_any_disk_is_refused_before_it_starts() {
    let here = Workspace::new();
    let each = ["x", "y", "z", "u", "w"].map(|letter| format!("{letter} = \"1..=250\"\n"));
    let family = format!("pattern = \"x y z u w\"\n{}", each.concat());
    let spec = here.spec("huge", "sowing", "partisan", &family);
    let plan = ended({
        let mut command = seedbank(&["plan", "--json", "--out"]);
        command.arg(here.path("out")).arg(&spec);
        command
    });
    let plan = plan.json();
    let rows = plan["rows"].as_u64().unwrap();
    assert!(
        plan["disk_bytes_results"].as_u64() > Some(6 * rows),
        "{plan}"
    );
    assert_eq!(plan["disk_bytes_store"].as_u64(), Some(13 * rows), "{plan}");
    let positions = plan["about"]["positions"].as_u64();
    assert!(
        positions.is_none_or(|positions| positions >= rows),
        "{plan}"
    );
    let refused = here.run(&spec, &[]);
    assert_eq!(refused.status, Some(1), "{refused:?}");
    for part in [
        "error: huge takes about ",
        "for the result set",
        " free; make room",
    ] {
        assert!(refused.stderr.contains(part), "{part}: {refused:?}");
    }
    assert!(!here.path("out").exists() && !here.path("store").exists());
}

#[test]
fn plan_reports_the_work_and_does_nothing() {
    let here = Workspace::new();
    let spec = here.spec("ones", "sowing", "partisan", ONES);
    let plan = |arguments: &[&str]| {
        let mut command = seedbank(&["plan", "--out"]);
        command
            .arg(here.path("out"))
            .arg(&spec)
            .args(arguments)
            .current_dir(here.path(""));
        ended(command)
    };
    let before = plan(&[]);
    assert_eq!(before.status, Some(0), "{before:?}");
    let folder = here.path("out").join("ones");
    assert_eq!(
        before.stdout,
        format!(
            "ones: sowing, partisan: 5 positions in 1 part, 1 left; tables positions and forms in {}; about 15.7 KiB in the \
             store, 0 B in checkpoints, 11.0 MiB of memory; at least 19.6 KiB of results; time unknown: plan --measure finds out\n",
            folder.display()
        )
    );
    let object = plan(&["--json"]).json();
    assert_eq!(
        (&object["rows"], &object["parts_left"]),
        (&5.into(), &1.into())
    );
    assert_eq!(
        files_in(&here.path("")),
        std::slice::from_ref(&spec),
        "plan creates nothing"
    );
    here.finish(&spec, &[]);
    assert_eq!(plan(&["--json"]).json()["parts_left"], 0);
}

#[test]
fn every_spec_of_the_package_can_be_planned() {
    let here = Workspace::new();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("jobs");
    let folders = [folder.clone(), folder.join("extended")];
    let specs: Vec<PathBuf> = folders
        .iter()
        .flat_map(|folder| files_in(folder))
        .filter(|path| {
            path.extension()
                .is_some_and(|extension| extension == "toml")
        })
        .collect();
    assert!(specs.len() > 12, "{specs:?}");
    let mut plan = seedbank(&["plan"]);
    plan.args(&specs).current_dir(here.path(""));
    let planned = ended(plan);
    assert_eq!(planned.status, Some(0), "{planned:?}");
    assert_eq!(planned.stdout.lines().count(), specs.len());
    assert_eq!(files_in(&here.path("")), Vec::<PathBuf>::new());
}

#[test]
fn status_reports_finished_work() {
    let here = Workspace::new();
    let ones = here.spec("ones", "sowing", "partisan", ONES);
    let twos = here.spec(
        "long-twos",
        "sowing",
        "impartial",
        "pattern = \"2^n\"\nn = \"2..=4\"",
    );
    let status = || {
        let mut command = seedbank(&["status", "--out"]);
        command.arg(here.path("out")).args([&ones, &twos]);
        ended(command)
    };
    let lines = |ones: &str, twos: &str| format!("ones       {ones}\nlong-twos  {twos}\n");
    let not_begun = [
        "not begun   0 of 5 rows, 0 of 1 part",
        "not begun   0 of 3 rows, 0 of 1 part",
    ];
    assert_eq!(status().stdout, lines(not_begun[0], not_begun[1]));
    here.finish(&ones, &[]);
    let finished = "finished    5 of 5 rows, 1 of 1 part";
    assert_eq!(status().stdout, lines(finished, not_begun[1]));
    // A time limit of zero: the run starts and stops at once.
    let stopped = here.run(&twos, &["--time-limit", "0s", "--threads", "1"]);
    assert!(matches!(stopped.status, Some(0 | 75)), "{stopped:?}");
    // A run that was killed while it made its folders has not started.
    fs::remove_dir_all(here.path("out/long-twos")).unwrap();
    fs::create_dir_all(here.path("out/long-twos/parts")).unwrap();
    let ended = status();
    assert_eq!(
        (ended.status, ended.stdout),
        (Some(0), lines(finished, not_begun[1]))
    );
    // All records without a manifest: only the last step is missing.
    fs::remove_file(here.path("out/ones/manifest.json")).unwrap();
    let unfinished = "unfinished  5 of 5 rows, 1 of 1 part";
    assert_eq!(status().stdout, lines(unfinished, not_begun[1]));
    assert_eq!(here.finish(&ones, &[])["rows"], 5);
    assert_eq!(status().stdout, lines(finished, not_begun[1]));
}

#[test]
fn status_without_jobs_looks_below_jobs() {
    let here = Workspace::new();
    let mut nowhere = seedbank(&["status"]);
    nowhere.current_dir(here.path(""));
    refused(nowhere, &["jobs", "name the job specs"]);
    fs::create_dir_all(here.path("jobs/deep")).unwrap();
    for name in ["b", "deep/a"] {
        let spec = here.spec(name.rsplit('/').next().unwrap(), "sowing", "partisan", ONES);
        fs::rename(spec, here.path(&format!("jobs/{name}.toml"))).unwrap();
    }
    let status = |arguments: &[&str]| {
        let mut status = seedbank(&[&["status"], arguments].concat());
        status.args(["--out", "out"]).current_dir(here.path(""));
        ended(status)
    };
    let none = status(&[]);
    assert_eq!((none.status, none.stdout.as_str()), (Some(0), ""));
    assert!(
        none.stderr
            .contains("none of the 2 jobs below jobs/ is begun in out"),
        "{none:?}"
    );
    let not_begun = "not begun   0 of 5 rows, 0 of 1 part";
    assert_eq!(
        status(&["--all"]).stdout,
        format!("b  {not_begun}\na  {not_begun}\n")
    );
    // One spec below jobs/, and one elsewhere.
    here.finish(&here.path("jobs/b.toml"), &[]);
    let elsewhere = here.spec("elsewhere", "sowing", "impartial", ONES);
    here.finish(&elsewhere, &[]);
    let begun = "b  finished    5 of 5 rows, 1 of 1 part\n";
    assert_eq!(status(&[]).stdout, begun);
    let rest =
        format!("a  {not_begun}\nelsewhere  finished    5 rows, 1 part, no spec below jobs/\n");
    assert_eq!(status(&["--all"]).stdout, format!("{begun}{rest}"));
    let objects = status(&["--all", "--json"]).stdout;
    let last: Value = serde_json::from_str(objects.lines().last().unwrap()).unwrap();
    assert_eq!(
        (&last["job"], &last["rows"]),
        (&"elsewhere".into(), &5.into())
    );
    fs::remove_file(here.path("out/elsewhere/manifest.json")).unwrap();
    let unfinished = "elsewhere  unfinished  1 record, no spec below jobs/\n";
    assert!(status(&["--all"]).stdout.ends_with(unfinished));
}

/// Result sets without a spec that cannot be read are reported, as those with one are.
#[test]
fn status_reports_what_it_cannot_read_of_result_sets_without_a_spec() {
    let here = Workspace::new();
    fs::create_dir(here.path("jobs")).unwrap();
    let status = || {
        let mut status = seedbank(&["status", "--all", "--out", "out"]);
        status.current_dir(here.path(""));
        ended(status)
    };
    fs::write(here.path("out"), "").unwrap();
    let no_folder = status();
    assert_eq!(no_folder.status, Some(1), "{no_folder:?}");
    assert!(
        no_folder.stderr.contains("cannot list out"),
        "{no_folder:?}"
    );
    fs::remove_file(here.path("out")).unwrap();

    let spec = here.spec("elsewhere", "sowing", "impartial", ONES);
    here.finish(&spec, &[]);
    fs::write(here.path("out/elsewhere/manifest.json"), "{").unwrap();
    let damaged = status();
    assert_eq!(damaged.status, Some(4), "{damaged:?}");
    assert!(
        damaged.stderr.contains("out/elsewhere/manifest.json"),
        "{damaged:?}"
    );

    let records = here.path("out/elsewhere/records");
    fs::remove_dir_all(&records).unwrap();
    std::os::unix::fs::symlink("records", &records).unwrap();
    let unread = status();
    assert_eq!(unread.status, Some(1), "{unread:?}");
    assert!(unread.stderr.contains("out/elsewhere"), "{unread:?}");
}

#[test]
fn jobs_list_prints_a_line_for_each_spec_and_its_state() {
    let here = Workspace::new();
    for name in ["done", "changed", "later", "parted"] {
        let spec = here.spec(name, "sowing", "partisan", ONES);
        let arguments: Option<&[&str]> = match name {
            "later" => None,
            "parted" => Some(&["--shard", "0/2"]),
            _ => Some(&[]),
        };
        if let Some(arguments) = arguments {
            here.finish(&spec, arguments);
        }
        let text = fs::read_to_string(&spec).unwrap();
        let text = format!("title = \"Rows: {name}\"\n{text}");
        // Another way of playing makes another job.
        let text = match name {
            "changed" => text.replace("partisan", "impartial"),
            _ => text,
        };
        fs::create_dir_all(here.path("jobs/deep")).unwrap();
        fs::write(here.path(&format!("jobs/deep/{name}.toml")), text).unwrap();
    }
    let list = |arguments: &[&str]| {
        let mut command = seedbank(&[&["jobs", "list", "--out", "out"], arguments].concat());
        command.current_dir(here.path(""));
        ended(command)
    };
    let listed = list(&[]);
    assert_eq!((listed.status, &*listed.stderr), (Some(0), ""));
    assert_eq!(
        listed.stdout,
        "changed  of another spec  5 rows       Rows: changed\n\
         done     finished         5 of 5 rows  Rows: done\n\
         later    not begun        0 of 5 rows  Rows: later\n\
         parted   unfinished       5 rows       Rows: parted\n"
    );
    let objects: Vec<Value> = list(&["--json", "jobs/deep"])
        .stdout
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(objects.len(), 4);
    let expected = serde_json::json!({
        "job": "done", "title": "Rows: done", "spec": "jobs/deep/done.toml",
        "state": "finished", "rows": 5, "rows_total": 5,
    });
    assert_eq!(objects[1], expected);
    assert_eq!(objects[0]["rows"], Value::Null);
    // A spec that is wrong does not hide the others.
    fs::write(here.path("jobs/wrong.toml"), "name = 1").unwrap();
    let listed = list(&[]);
    assert_eq!(listed.status, Some(2));
    assert_eq!(listed.stdout.lines().count(), 4);
    assert!(listed.stderr.contains("jobs/wrong.toml:1:8"), "{listed:?}");
    let nowhere = list(&["none"]);
    assert_eq!(nowhere.status, Some(2));
    assert!(
        nowhere.stderr.contains("none cannot be read"),
        "{nowhere:?}"
    );
}

#[test]
fn run_prints_a_line_for_each_job() {
    let here = Workspace::new();
    let ones = here.spec("ones", "sowing", "partisan", ONES);
    let twos = here.spec(
        "twos",
        "sowing",
        "impartial",
        "pattern = \"2^n\"\nn = \"2..=4\"",
    );
    let both = [twos.to_str().unwrap()];
    let first = here.run(&ones, &both);
    assert_eq!(first.status, Some(0), "{first:?}");
    let lines: Vec<&str> = first.stdout.lines().collect();
    assert!(
        lines[0].starts_with("ones: finished, 5 rows in "),
        "{first:?}"
    );
    assert!(
        lines[1].starts_with("twos: finished, 3 rows in "),
        "{first:?}"
    );
    assert_eq!(lines.len(), 2);
    assert_eq!(
        here.run(&ones, &both).stdout,
        "ones: already finished, 5 rows; nothing to do\ntwos: already finished, 3 rows; nothing to do\n"
    );
}

#[test]
fn quiet_prints_nothing_and_verbose_prints_more_on_standard_error() {
    let here = Workspace::new();
    let spec = here.spec("ones", "sowing", "partisan", ONES);
    let quiet = here.run(&spec, &["--quiet"]);
    assert_eq!(
        (quiet.status, quiet.stderr.as_str()),
        (Some(0), ""),
        "{quiet:?}"
    );
    fs::remove_dir_all(here.path("out")).unwrap();
    fs::remove_dir_all(here.path("store")).unwrap();
    let verbose = here.run(&spec, &["-v"]);
    assert!(verbose.stderr.contains("sealed values"), "{verbose:?}");
    assert!(
        verbose.stdout.starts_with("ones: finished, 5 rows"),
        "{verbose:?}"
    );
    refused(
        here.running(&spec, &["-q", "-v"]),
        &["--quiet", "--verbose"],
    );
}

#[test]
fn a_closed_pipe_is_no_panic() {
    let commands = [
        sowing(&["--set", "n=1..=9", "1^n"]),
        sowing(&["--json", "312"]),
        seedbank(&[
            "plan",
            concat!(env!("CARGO_MANIFEST_DIR"), "/jobs/table-5.toml"),
        ]),
        seedbank(&["--help"]),
    ];
    for mut command in commands {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let child = command
            .stdout(writer)
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(command);
        let output = child.wait_with_output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(stderr, "", "a closed pipe is the reader's business");
        assert!(
            output.status.code().is_some_and(|code| code < 2),
            "{:?}",
            output.status
        );
    }
}

#[test]
fn a_run_with_a_closed_output_pipe_finishes() {
    let here = Workspace::new();
    let spec = here.spec(
        "ones",
        "sowing",
        "partisan",
        "pattern = \"1^n\"\nn = \"1..=6\"",
    );
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let mut command = here.running(&spec, &[]);
    command.stdout(writer).stderr(Stdio::null());
    assert!(
        command
            .status()
            .unwrap()
            .code()
            .is_some_and(|code| code < 2)
    );
    assert_eq!(here.rows(&spec).len(), 6);
}

#[test]
fn output_that_cannot_be_written_is_an_error() {
    let Ok(full) = fs::File::create("/dev/full") else {
        return;
    };
    let mut command = sowing(&["312"]);
    command.stdout(full).stderr(Stdio::piped());
    let output = command.spawn().unwrap().wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(
        stderr.contains("standard output cannot be written"),
        "{stderr}"
    );
}

#[test]
fn help_lists_the_commands_and_the_exit_statuses() {
    let help = ended(seedbank(&["--help"]));
    assert_eq!((help.status, help.stderr.as_str()), (Some(0), ""));
    for command in [
        "run", "plan", "status", "eval", "table", "report", "check", "store",
    ] {
        assert!(
            help.stdout.contains(&format!("\n  {command} ")),
            "{command}: {}",
            help.stdout
        );
        let of_command = ended(seedbank(&[command, "--help"]));
        assert_eq!(of_command.status, Some(0), "{command}");
        assert!(of_command.stdout.contains("Usage: seedbank"), "{command}");
    }
    let words = help.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    for status in [
        "0 done",
        "1 failed",
        "2 usage",
        "4 damaged",
        "75 stopped early",
        "130 Ctrl-C",
    ] {
        assert!(words.contains(status), "{status}: {words}");
    }
    seedbank(&[]).assert().code(2).stderr(contains("Usage"));
}

#[test]
fn a_missing_store_counts_as_empty() {
    let here = Workspace::new();
    let (stat, verify) = (here.store("stat", &[]), here.store("verify", &[]));
    assert_eq!((stat.status, verify.status), (Some(0), Some(0)));
    assert!(stat.stdout.ends_with("store: empty\n"), "{stat:?}");
    let mut eval = sowing(&["312", "--store"]);
    eval.arg(here.path("store"));
    eval.assert().success().stdout("312 = {0|-2}\n");
    assert_eq!(
        files_in(&here.path("")),
        Vec::<PathBuf>::new(),
        "reading creates nothing"
    );
}

/// The published values are compiled into the program. `all` reports the jobs checked, and the
/// number of the others.
#[test]
fn check_needs_no_source_tree_and_counts_the_jobs_without_a_result() {
    let here = Workspace::new();
    let checked = |arguments: &[&str]| {
        let mut command = seedbank(&[&["check"], arguments].concat());
        command.current_dir(here.path(""));
        ended(command)
    };
    let outside = checked(&["all"]);
    assert_eq!(outside.status, Some(2), "{outside:?}");
    assert!(
        outside.stderr.contains("go to the folder that holds jobs/"),
        "{outside:?}"
    );

    fs::create_dir(here.path("jobs")).unwrap();
    for name in ["one", "other", "third"] {
        let spec = here.spec(
            name,
            "sowing",
            "partisan",
            "positions = [\"312\", \"2111\"]",
        );
        fs::rename(&spec, here.path(&format!("jobs/{name}.toml"))).unwrap();
    }
    let spec = here.path("jobs/one.toml");
    let out = here.path("data/results");
    here.finish(&spec, &["--threads", "1", "--out", out.to_str().unwrap()]);
    let all = checked(&["all"]);
    assert_eq!(all.status, Some(0), "{all:?}");
    assert!(
        all.stdout.contains("data/reference") || all.stdout.contains("one"),
        "{all:?}"
    );
    let told = all.stderr.matches("not checked").count();
    assert_eq!(told, 1, "{all:?}");
    assert!(
        all.stderr
            .contains("2 jobs without a finished result, not checked; -v names them"),
        "{all:?}"
    );
    let named = checked(&["all", "-v"]).stderr;
    assert!(
        named.contains("other: no finished result") && named.contains("third: "),
        "{named}"
    );
    // Proofs that cannot be read are no reason to pass over them.
    let proofs = here.path("data/proofs");
    fs::write(&proofs, "").unwrap();
    let no_folder = checked(&["all"]);
    assert_eq!(no_folder.status, Some(1), "{no_folder:?}");
    assert!(
        no_folder.stderr.contains("cannot list data/proofs"),
        "{no_folder:?}"
    );
    fs::remove_file(&proofs).unwrap();
    fs::create_dir(&proofs).unwrap();
    fs::write(proofs.join("a.toml"), [0xff]).unwrap();
    let unread = checked(&["all"]);
    assert_eq!(unread.status, Some(2), "{unread:?}");
    assert!(unread.stderr.contains("data/proofs/a.toml"), "{unread:?}");
    fs::remove_dir_all(&proofs).unwrap();
    let elsewhere = checked(&["all", "--reference", "absent"]);
    assert_eq!(elsewhere.status, Some(1));
    assert!(
        elsewhere.stderr.contains("absent/sowing.toml"),
        "{elsewhere:?}"
    );
    assert!(
        elsewhere.stderr.contains("without --reference"),
        "{elsewhere:?}"
    );
}

#[test]
fn a_partial_table_has_the_finished_parts() {
    let here = Workspace::new();
    let family = "union = [{ pattern = \"(01)^n 2\", n = \"4..=9\" }, { pattern = \"(01)^n 2\", n = \"6..=9\" }]\n\
                  [table]\nlayout = \"sequences\"\nrows = \"n\"";
    let spec = here.spec("starting", "sowing", "partisan", family);
    let of_out = |arguments: &[&str]| {
        let mut command = seedbank(arguments);
        command.arg("--out").arg(here.path("out")).arg(&spec);
        ended(command)
    };
    let none = of_out(&["table", "--partial"]);
    assert_eq!(none.status, Some(1), "{none:?}");
    assert!(none.stderr.contains("has no rows in"), "{none:?}");
    assert_eq!(here.finish(&spec, &[])["rows"], 10);
    let status = of_out(&["status", "--json"]).json();
    let parts = status["parts"].as_u64().unwrap();
    assert!(parts > 1, "dear rows have parts of their own: {status}");
    let whole = of_out(&["table", "--partial", "--format", "csv"]);
    assert!(!whole.stderr.contains("partial"), "{whole:?}");

    // As if the run had been interrupted before it finished its first part.
    fs::remove_file(here.path("out/starting/manifest.json")).unwrap();
    fs::remove_file(here.path("out/starting/records/shard-00000.json")).unwrap();
    let status = of_out(&["status", "--json"]).json();
    assert_eq!(status["state"], "unfinished");
    let rows = status["rows"].as_u64().unwrap();
    assert!((1..10).contains(&rows), "{status}");
    let refused = of_out(&["table"]);
    assert_eq!(refused.status, Some(1), "{refused:?}");
    assert!(refused.stderr.contains("--partial"), "{refused:?}");

    let mark = format!("partial: {rows} of 10 rows");
    for (format, begins) in [
        ("text", format!("{mark}\n\n")),
        ("markdown", format!("*{mark}*\n\n")),
        ("latex", format!("% {mark}\n")),
    ] {
        let table = of_out(&["table", "--partial", "--format", format]);
        assert_eq!(table.status, Some(0), "{table:?}");
        assert!(table.stdout.starts_with(&begins), "{table:?}");
    }
    let csv = of_out(&["table", "--partial", "--format", "csv"]);
    assert!(csv.stderr.contains(&mark), "{csv:?}");
    let lines: Vec<&str> = csv.stdout.lines().collect();
    assert_eq!(lines.len() as u64, 1 + rows, "{csv:?}");
    for line in lines {
        assert!(whole.stdout.lines().any(|other| other == line), "{line}");
    }
}

#[test]
fn plan_estimates_a_long_job() {
    let here = Workspace::new();
    let family = "pattern = \"x y z\"\nx = \"1..=12\"\ny = \"1..=12\"\nz = \"1..=12\"";
    let spec = here.spec("xyz", "atomic-wari", "partisan", family);
    let family = "all = { pots_max = 14, seeds_max = 18 }";
    let all = here.spec("all", "atomic-wari", "partisan", family);
    let plan = |spec: &Path, arguments: &[&str]| {
        let mut command = seedbank(&["plan", "--json", "--threads", "2"]);
        command.args(arguments).arg(spec).current_dir(here.path(""));
        ended(command).json()
    };
    let recorded = plan(&all, &[]);
    assert!(recorded["parts"].as_u64() > Some(50), "{recorded}");
    let store = |amounts: &serde_json::Value| amounts["store_bytes"].as_f64().unwrap() / 1e6;
    assert!(store(&recorded["about"]) > 300.0, "{recorded}");
    assert_eq!(recorded["measured"], false);
    // Only a measurement shows how fast the machine is.
    assert!(recorded["about"]["seconds"].is_null(), "{recorded}");
    let measured = plan(&spec, &["--measure"]);
    assert_eq!(measured["measured"], true);
    // No estimate is given for a quantity a thousand times beyond the measured one.
    assert!(measured["about"]["seconds"].is_null(), "{measured}");
    let at_least = &measured["at_least"];
    assert!(store(at_least) > 30.0, "{measured}");
    assert!(at_least["seconds"].as_f64() > Some(100.0), "{measured}");
    assert_eq!(files_in(&here.path("")), [all, spec], "nothing stays");

    // An unknown estimate gives the reason.
    let heaps = here.path("kayles.toml");
    let text = "name = \"kayles\"\n[ruleset]\ngame = \"octal\"\ncode = \"0.77\"\n[family]\nheaps = \"0..=99\"\n";
    fs::write(&heaps, text).unwrap();
    let mut command = seedbank(&["plan"]);
    command.arg(&heaps).current_dir(here.path(""));
    let unknown = ended(command);
    assert!(
        unknown
            .stdout
            .contains("; time unknown: plan --measure finds out"),
        "{unknown:?}"
    );
    let mut command = seedbank(&["plan", "--measure"]);
    command.arg(&heaps).current_dir(here.path(""));
    let known = ended(command);
    assert!(known.stdout.contains(" of time"), "{known:?}");
    assert!(known.stderr.contains("measuring for at most"), "{known:?}");
}
