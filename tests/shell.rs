//! What a shell, a manual and a log take from the command: completions, manual pages, the version, colours.

use std::collections::BTreeSet;
use std::fs;
use std::process::Command;

use crate::common::workspace::{Workspace, ended, seedbank};

/// Returns what a command prints on standard output; it must succeed.
fn printed(arguments: &[&str]) -> String {
    let ended = ended(seedbank(arguments));
    assert_eq!(
        (ended.status, &*ended.stderr),
        (Some(0), ""),
        "{arguments:?}"
    );
    ended.stdout
}

/// Returns the names that the help lists below a heading.
fn subcommands(help: &str) -> BTreeSet<String> {
    let (_, rest) = help.split_once("Commands:\n").expect("a list");
    let (list, _) = rest.split_once("\n\n").expect("its end");
    let lines = list
        .lines()
        .filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    let names = lines.filter_map(|line| line.split_whitespace().next());
    names.map(str::to_owned).collect()
}

#[test]
fn every_shell_gets_a_script_that_completes_commands_options_and_names() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = printed(&["completions", shell]);
        for word in [
            "tchoukaillon",
            "verify",
            "checkpoint",
            "reverse-atomic-wari",
            "impartial",
            "latex",
        ] {
            assert!(script.contains(word), "{shell}: {word}");
        }
    }
    let wrong = ended(seedbank(&["completions", "tcsh"]));
    assert_eq!(wrong.status, Some(2));
    assert!(
        wrong.stderr.contains("bash, elvish, fish, powershell, zsh"),
        "{wrong:?}"
    );
}

/// Completes a line in bash, as the Tab key would.
#[test]
fn bash_completes_a_line() {
    let here = Workspace::new();
    fs::write(here.path("script"), printed(&["completions", "bash"])).unwrap();
    let completes = |words: &[&str]| -> BTreeSet<String> {
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
        let ended = ended(bash);
        ended.stdout.split_whitespace().map(str::to_owned).collect()
    };
    let set = |names: &[&str]| -> BTreeSet<String> {
        names.iter().map(|&name| name.to_owned()).collect()
    };
    assert_eq!(completes(&["seedbank", "comp"]), set(&["completions"]));
    assert_eq!(completes(&["seedbank", "store", "ver"]), set(&["verify"]));
    assert_eq!(
        completes(&["seedbank", "eval", "--play", ""]),
        set(&["partisan", "impartial"])
    );
    assert!(
        completes(&["seedbank", "eval", "--game", "s"])
            .is_superset(&set(&["sowing", "subtraction"]))
    );
    fs::write(here.path("wari-of-mine.toml"), "").unwrap();
    for command in ["eval", "play", "outcome"] {
        assert_eq!(
            completes(&["seedbank", command, "--rules", "wari"]),
            set(&["wari", "wari-of-mine.toml"])
        );
        assert_eq!(
            completes(&["seedbank", command, "--file", "wari"]),
            set(&["wari-of-mine.toml"])
        );
    }
    assert_eq!(
        completes(&["seedbank", "table", "--format", "m"]),
        set(&["markdown"])
    );
}

#[test]
fn there_is_a_manual_page_for_each_subcommand() {
    let here = Workspace::new();
    let dir = here.path("share/man/man1");
    let written = ended(seedbank(&["man", dir.to_str().unwrap()]));
    assert_eq!(written.status, Some(0), "{written:?}");
    let pages: BTreeSet<String> = fs::read_dir(&dir)
        .unwrap()
        .map(|page| page.unwrap().file_name().into_string().unwrap())
        .collect();
    for name in subcommands(&printed(&["--help"])) {
        assert!(
            pages.contains(&format!("seedbank-{name}.1")),
            "{name}: {pages:?}"
        );
    }
    for name in subcommands(&printed(&["store", "--help"])) {
        assert!(
            pages.contains(&format!("seedbank-store-{name}.1")),
            "{name}: {pages:?}"
        );
    }
    let top = fs::read_to_string(dir.join("seedbank.1")).unwrap();
    assert_eq!(printed(&["man"]).trim_end(), top.trim_end());
    for page in pages {
        let text = fs::read_to_string(dir.join(&page)).unwrap();
        let title = page.strip_suffix(".1").unwrap();
        let (_, statuses) = text.split_once(".SH \"EXIT STATUS\"").expect(title);
        assert!(text.contains(&format!(".TH {title} 1")), "{text}");
        for status in ["0", "1", "2", "4", "75", "130"] {
            assert!(
                statuses.contains(&format!("\\fB{status}\\fR\n")),
                "{title}: {statuses}"
            );
        }
        assert_eq!(text.contains("SEE ALSO"), title != "seedbank");
    }
    fs::write(here.path("file"), "").unwrap();
    let refused = ended(seedbank(&["man", here.path("file").to_str().unwrap()]));
    assert_eq!(refused.status, Some(1), "{refused:?}");
    assert!(refused.stderr.contains("cannot be written"), "{refused:?}");
}

#[test]
fn the_version_is_short_or_says_on_which_processor_it_runs() {
    let version = env!("CARGO_PKG_VERSION");
    assert_eq!(printed(&["-V"]), format!("seedbank {version}\n"));
    let long = printed(&["--version"]);
    let features = long
        .strip_prefix(&format!("seedbank {version} ("))
        .and_then(|rest| rest.strip_suffix(")\n"))
        .unwrap_or_else(|| panic!("{long}"));
    // Where the build knows the commit, that comes first.
    let features = features.rsplit(", ").next().unwrap();
    assert_eq!(
        features.split(' ').collect::<Vec<_>>(),
        seedbank::engine::processor_features()
    );
}

#[test]
fn no_color_is_honoured_on_both_streams() {
    let colours = |arguments: &[&str], variables: &[(&str, &str)]| {
        let mut command = seedbank(arguments);
        for variable in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE"] {
            command.env_remove(variable);
        }
        command.envs(variables.iter().copied());
        let ended = ended(command);
        [ended.stdout, ended.stderr].map(|text| text.contains('\u{1b}'))
    };
    let force = ("CLICOLOR_FORCE", "1");
    // Help and rules go to standard output, errors and the log to standard error.
    let log = ["value", "1", "{1|"];
    for (arguments, on) in [
        (&["--help"][..], [true, false]),
        (&["help", "run"], [true, false]),
        (&["run", "--help"], [true, false]),
        (&log, [false, true]),
        (&["frobnicate"], [false, true]),
    ] {
        assert_eq!(colours(arguments, &[force]), on, "{arguments:?}");
        assert_eq!(
            colours(arguments, &[force, ("NO_COLOR", "1")]),
            [false; 2],
            "{arguments:?}"
        );
        // As https://no-color.org has it, an empty variable is none.
        assert_eq!(
            colours(arguments, &[force, ("NO_COLOR", "")]),
            on,
            "{arguments:?}"
        );
        assert_eq!(colours(arguments, &[]), [false; 2], "{arguments:?}");
    }
}

#[test]
fn the_help_lists_the_exit_statuses() {
    let help = printed(&["--help"]);
    let (_, statuses) = help.split_once("Exit status:\n").expect("a list");
    let numbers: Vec<&str> = statuses
        .lines()
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    assert_eq!(numbers, ["0", "1", "2", "4", "75", "130"]);
}
