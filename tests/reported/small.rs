//! Messages, labels and answers of single commands.

use std::collections::BTreeSet;
use std::fs;
use std::process::Command;

use bytesize::ByteSize;
use seedbank::board::BoardKind;
use seedbank::board::row::{Pot, Row};
use seedbank::engine::reference::ReferenceEngine;
use seedbank::engine::{Control, OutcomeSearch};
use seedbank::game::{AtomicWari, Game, Play, Ruleset, Sowing, games};
use seedbank::value::OutcomeClass;

use crate::common::workspace::{Ended, Workspace, ended, seedbank};

/// Runs a command that must succeed, and returns what it prints.
fn printed(arguments: &[&str]) -> String {
    let ended = ended(seedbank(arguments));
    assert_eq!(ended.status, Some(0), "{arguments:?}: {ended:?}");
    ended.stdout
}

/// Returns the words that Bash completes the last of these to.
fn completions(here: &Workspace, words: &[&str]) -> BTreeSet<String> {
    fs::write(here.path("script"), printed(&["completions", "bash"])).unwrap();
    let quoted: Vec<String> = words.iter().map(|word| format!("'{word}'")).collect();
    let last = words.len() - 1;
    let commands = format!(
        "source ./script; COMP_WORDS=({}); COMP_CWORD={last}; _seedbank seedbank {} {}; printf '%s\\n' \"${{COMPREPLY[@]}}\"",
        quoted.join(" "),
        quoted[last],
        quoted[last - 1]
    );
    let mut bash = Command::new("bash");
    bash.args(["--norc", "-c", &commands])
        .current_dir(here.path(""));
    ended(bash).stdout.lines().map(str::to_owned).collect()
}

#[test]
fn bash_completes_names_with_blanks_whole() {
    let here = Workspace::new();
    fs::create_dir(here.path("my results")).unwrap();
    for option in ["--out", "--store"] {
        let found = completions(&here, &["seedbank", "run", option, "my"]);
        assert_eq!(found, BTreeSet::from(["my results".to_owned()]), "{option}");
    }
}

#[test]
fn bash_completes_rules_captures_and_the_subjects_of_help() {
    let here = Workspace::new();
    let found = completions(&here, &["seedbank", "eval", "--rules", ""]);
    // The rules of rows are in a file, such as the one here.
    assert_eq!(
        found,
        ["awari", "oware", "script", "wari"]
            .map(str::to_owned)
            .into()
    );
    let found = completions(&here, &["seedbank", "play", "--capture", ""]);
    assert_eq!(found, ["empty", "standard"].map(str::to_owned).into());
    let found = completions(&here, &["seedbank", "help", "s"]);
    for name in ["sowing", "status", "subtraction"] {
        assert!(found.contains(name), "{found:?}");
    }
    assert!(completions(&here, &["seedbank", "help", "oct"]).contains("octal"));
}

#[test]
fn the_help_of_a_game_ends_with_a_command_that_evaluates_it() {
    for game in games() {
        let help = printed(&["help", game.name]);
        let (_, example) = help.split_once("Try:\n\n    seedbank ").expect(game.name);
        let example = example.lines().next().expect("a command");
        let mut bash = Command::new("bash");
        let script = format!("exec \"$0\" {example}");
        bash.args(["-c", &script]).arg(seedbank(&[]).get_program());
        let tried = ended(bash);
        assert_eq!(tried.status, Some(0), "{example}: {tried:?}");
        assert!(!tried.stdout.is_empty(), "{example}");
    }
}

#[test]
fn games_under_other_names_are_found() {
    let refused = |name: &str| -> Ended { ended(seedbank(&["eval", "--game", name, "11"])) };
    let here = Workspace::new();
    for (name, sentence) in [
        ("domineering", "grid-sowing with one seed in every pot"),
        ("treblecross", "the game octal with the code treblecross"),
        ("awari", "the game wari by the rules awari"),
        ("nim", "a component of sums"),
    ] {
        let eval = refused(name);
        assert_eq!(eval.status, Some(2));
        assert!(eval.stderr.contains(sentence), "{eval:?}");
        let spec = here.plain_spec("other", name, "");
        let mut plan = seedbank(&["plan"]);
        plan.arg(spec);
        let plan = ended(plan);
        assert_eq!(plan.status, Some(2));
        assert!(plan.stderr.contains(sentence), "{plan:?}");
    }
}

#[test]
fn the_rules_name_all_codes_and_tell_awari_from_oware() {
    let octal = printed(&["help", "octal"]);
    for name in ["kayles", "dawsons-chess", "dawsons-kayles", "james-bond"] {
        assert!(octal.contains(name), "{octal}");
    }
    for name in ["treblecross", "officers", "guiles"] {
        assert!(octal.contains(name), "{octal}");
    }
    // Three squares in a row: the first cross takes all of them, so the game is over after it.
    assert_eq!(
        printed(&["eval", "--game", "octal", "--code", "treblecross", "2..=5"]),
        "2 = 0\n3 = *\n4 = *\n5 = *\n"
    );
    assert!(printed(&["help", "wari"]).contains("grand slam"));
}

#[test]
fn a_layout_names_the_pattern_that_does_not_fit() {
    let here = Workspace::new();
    let patterns = ["1^n", "2^n", "3^n", "4^m"].map(|pattern| {
        let variable = &pattern[2..];
        format!("{{ pattern = {pattern:?}, {variable} = \"1..=3\" }}")
    });
    let layout = "[table]\nlayout = \"sequences\"\nrows = \"n\"";
    let family = &format!("union = [{}]\n{layout}", patterns.join(", "));
    let spec = here.spec("four", "sowing", "partisan", family);
    let mut plan = seedbank(&["plan"]);
    plan.arg(spec);
    let plan = ended(plan);
    assert_eq!(plan.status, Some(2), "{plan:?}");
    assert!(plan.stderr.contains("found pattern \"4^m\""), "{plan:?}");
}

#[test]
fn a_loopy_row_that_somebody_wins_has_an_outcome_class() {
    let row = [
        "eval",
        "-g",
        "reverse-atomic-wari",
        "-p",
        "partisan",
        "143223",
    ];
    let answer = printed(&[&row[..], &["--json"]].concat());
    let answer: serde_json::Value = serde_json::from_str(&answer).unwrap();
    assert_eq!(
        (&answer["value"], &answer["is_stopper"]),
        (&"-1".into(), &true.into())
    );
    assert_eq!(answer["left_first"], "loss");
    assert_eq!(answer["right_first"], "win");
    assert_eq!(answer["outcome"], "R");
}

/// All rows of `pots` pots with at most `seeds_max` seeds in each.
fn rows(pots: u32, seeds_max: u32) -> impl Iterator<Item = Row> {
    (0..(seeds_max + 1).pow(pots)).map(move |code| {
        let pot = |i| Pot::Seeds(code / (seeds_max + 1).pow(i) % (seeds_max + 1));
        Row {
            pots: (0..pots).map(pot).collect(),
            ..Row::default()
        }
    })
}

/// Winners of sums are found component by component, and are those of literal play.
#[test]
fn the_winner_of_a_row_that_splits_is_that_of_literal_play() {
    fn agrees<R: Ruleset<Board = Row>>(ruleset: R, game: Game, gap: usize) {
        let mut reference = ReferenceEngine::new(game);
        let control = Control::default();
        for play in Play::ALL {
            let mut search = OutcomeSearch::new(&ruleset, play, ByteSize::gib(1), &control);
            let mut seen = BTreeSet::new();
            for (left, right) in
                rows(2, 3).flat_map(|left| rows(2, 3).map(move |r| (left.clone(), r)))
            {
                let mut pots = left.pots;
                pots.extend(std::iter::repeat_n(Pot::Seeds(0), gap));
                pots.extend(right.pots);
                let row = Row {
                    pots,
                    ..Row::default()
                };
                let position = ruleset.position(&row).unwrap();
                let expected = reference.outcome(&row, play).unwrap();
                assert_eq!(
                    search.outcome(&position).unwrap(),
                    expected,
                    "{row}, {play}"
                );
                for heap in 0..3 {
                    // The previous player wins row + *heap if and only if they are equal.
                    let equal = search.previous_wins(&position, heap).unwrap();
                    assert!(
                        !equal || heap > 0 || expected == OutcomeClass::Previous,
                        "{row}"
                    );
                }
                seen.insert(expected.letter());
            }
            assert!(seen.len() >= 2);
        }
    }
    agrees(Sowing, Game::SOWING, 6);
    agrees(AtomicWari::on(None), Game::ATOMIC_WARI, 6);
}

#[test]
fn winners_of_long_and_sparse_rows_are_found_at_once() {
    // The row is too long for a key; its components are not.
    let long = format!("1111{}1111", "0".repeat(109));
    let answer = printed(&["outcome", "-g", "sowing", "-p", "partisan", &long]);
    assert_eq!(answer, format!("{long} = 0\n"));
    // Play of this game need not end, so components do not cancel.
    let outcome = ["outcome", "-g", "reverse-atomic-wari", "-p", "partisan"];
    let long = format!("111{}44021", "0".repeat(110));
    let answer = printed(&[&outcome[..], &[&*long]].concat());
    assert_eq!(answer, format!("{long}: L\n"));
    // A component has no value, but the sum has a winner.
    let long = format!("44021{}143223", "0".repeat(108));
    let answer = printed(&[&outcome[..], &[&*long]].concat());
    assert_eq!(answer, format!("{long}: P\n"));
    // The followers of two pots are exponentially many sparse rows, but few sums of runs.
    for play in ["impartial", "partisan"] {
        let answer = printed(&["outcome", "-g", "atomic-wari", "-p", play, "[25][25]"]);
        let value = printed(&["eval", "-g", "atomic-wari", "-p", play, "[25][25]"]);
        assert_eq!(
            answer.split_once(" = ").unwrap().1,
            value.split_once(" = ").unwrap().1
        );
    }
}

#[test]
fn a_search_for_winners_without_memory_names_its_position() {
    let row = "123".repeat(6) + "12";
    let arguments = [
        "outcome",
        "-g",
        "reverse-atomic-wari",
        "-p",
        "impartial",
        "--memory",
        "40MiB",
        "11",
        &row,
    ];
    let ended = ended(seedbank(&arguments));
    assert_eq!(ended.status, Some(1), "{ended:?}");
    assert!(ended.stderr.contains(&row), "{ended:?}");
    assert!(ended.stdout.contains("11"), "{ended:?}");
    assert!(BoardKind::Row.read(&row).is_ok());
}

#[test]
fn a_value_too_long_to_print_is_printed_with_full() {
    let sum: Vec<String> = (1..16).map(|n| format!("+-{n}/8")).collect();
    let sum = sum.join(" + ");
    let short = printed(&["value", &sum]);
    let cut = "(longer than 65536 characters, digest ";
    assert!(short.contains(cut) && short.contains("--full"), "{short}");
    let full = printed(&["value", &sum, "--full"]);
    assert!(full.len() > 65536 && !full.contains(cut), "{full}");
}

#[test]
fn an_atomic_weight_that_is_a_fraction_is_in_the_column_of_numbers() {
    let text = printed(&[
        "eval",
        "-g",
        "atomic-wari",
        "-p",
        "partisan",
        "--json",
        "420001313",
    ]);
    let row: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(row["atomic_weight"], "1/4");
    assert_eq!(row["atomic_weight_number"], 0.25);
}

/// Paths on Unix need not be UTF-8, but strings in JSON are; such a path ended in a panic.
#[cfg(target_os = "linux")]
#[test]
fn paths_that_are_not_utf_8_are_printed_as_json() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    let here = Workspace::new();
    let odd = here.path("").join(OsStr::from_bytes(b"odd\xff"));
    fs::create_dir(&odd).expect("the folder is ours");
    fs::copy("jobs/table-5.toml", odd.join("table-5.toml")).expect("a shipped job");
    for (command, key) in [
        (["jobs", "list"].as_slice(), "spec"),
        (&["plan", "--out"], "folder"),
        (&["store", "export", "--out"], "result"),
    ] {
        let mut run = seedbank(&["run", "table-5.toml"]);
        run.current_dir(&odd);
        assert_eq!(ended(run).status, Some(0));
        let mut program = seedbank(command);
        program.arg(&odd).arg("--json").current_dir(&odd);
        if command[0] == "plan" {
            program.arg("table-5.toml");
        }
        let found = ended(program);
        assert_eq!(found.status, Some(0), "{command:?}: {found:?}");
        let line = found.stdout.lines().next().expect("a line");
        let line: serde_json::Value = serde_json::from_str(line).expect("an object");
        let path = line[key].as_str().expect("a path");
        assert!(path.contains("odd\u{fffd}"), "{command:?}: {line}");
    }
}
