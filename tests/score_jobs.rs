//! Jobs over scored games: rows against the reference, interrupted tiers, damaged files, limits.

#![cfg(target_os = "linux")]

use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::thread::sleep;
use std::time::{Duration, Instant};

use seedbank::board::two_rows::TwoRows;
use seedbank::engine::reference::ReferenceScores;
use seedbank::game::scored::{Kalah, Scored, Wari};
use seedbank::task::Job;
use seedbank::task::scores::{EndgameRow, ScoreRow, StartRow, TierRow};

use crate::common::schema;
use crate::common::workspace::{
    Workspace, ended, files_in, flip_byte, of_out, printed, started, wait,
};

const AWARI: &str = "rules = \"awari\"\n";

/// Twelve tiers, the last of which takes a second or more in the dev profile.
const TIERS: &str = "rules = \"awari\"\n[family]\ntiers = { pits = 6, seeds = \"10..=11\" }";

fn tiers_in(here: &Workspace, game: &str) -> PathBuf {
    here.path("store").join("scores").join(game)
}

#[test]
fn rows_of_positions_agree_with_the_reference() {
    fn agree<G: Scored>(game: G, rows: &[ScoreRow]) {
        let mut reference = ReferenceScores::new(game);
        for row in rows {
            let position: TwoRows = row.position.parse().unwrap();
            let margin = reference.margin(&position);
            assert_eq!(row.margin, i64::from(margin), "{position}");
            let options = game.literal_options(&position);
            let best = options
                .iter()
                .filter(|option| option.margin(reference.margin(&option.position)) == margin);
            let best: Vec<i64> = best
                .map(|option| option.pit.map_or(0, |pit| i64::from(pit) + 1))
                .collect();
            assert_eq!(row.best_moves, best, "{position}");
        }
    }

    let here = Workspace::new();
    let all = "[family]\nall = { pits = 2, seeds = \"0..=6\" }";
    let rows = here.plain_finished::<ScoreRow>("kalah-all", "kalah", all);
    assert_eq!(rows.len(), 210);
    agree(Kalah::default(), &rows);
    let rows = here.plain_finished("wari-all", "wari", all);
    agree(Wari::WARI, &rows);
    let sample = format!(
        "{AWARI}[family]\nsample = {{ pits = 6, seeds = \"2..=5\", count = 300, seed = 3 }}"
    );
    agree(
        Wari::AWARI,
        &here.plain_finished("awari-sample", "wari", &sample),
    );
    let listed = "[family]\npositions = [\"3 2 0 / 1 0 3\", \"1 1 / 1 1\", \"0 0 / 2 0\"]";
    let rows: Vec<ScoreRow> = here.plain_finished("kalah-listed", "kalah", listed);
    agree(Kalah::default(), &rows);
    assert_eq!(
        (rows[2].margin, rows[2].best_moves.len(), rows[2].endless),
        (-2, 0, false)
    );
    let text = "# boards\n3 2 0 / 1 0 3\n\n1 1 / 1 1 # two pits\n0 0 / 2 0\n";
    fs::write(here.path("boards.txt"), text).unwrap();
    let file = "[family]\nfile = \"boards.txt\"";
    let from_file: Vec<ScoreRow> = here.plain_finished("kalah-file", "kalah", file);
    assert_eq!(from_file, rows);
}

#[test]
fn counts_of_tiers_agree_with_rows_of_positions() {
    let here = Workspace::new();
    for rules in ["wari", "awari", "oware"] {
        let spec = |kind: &str| {
            format!("rules = \"{rules}\"\n[family]\n{kind} = {{ pits = 3, seeds = \"4..=6\" }}")
        };
        let tiers: Vec<TierRow> =
            here.plain_finished(&format!("{rules}-tiers"), "wari", &spec("tiers"));
        let all: Vec<ScoreRow> = here.plain_finished(&format!("{rules}-all"), "wari", &spec("all"));
        assert_eq!(tiers.len(), 3);
        for tier in tiers {
            let rows: Vec<&ScoreRow> = all.iter().filter(|row| row.seeds == tier.seeds).collect();
            assert_eq!(tier.positions, rows.len() as i64);
            assert_eq!(
                tier.endless,
                rows.iter().filter(|row| row.endless).count() as i64
            );
            for (&margin, &count) in tier.margins.iter().zip(&tier.counts) {
                let with = rows.iter().filter(|row| row.margin == margin);
                assert_eq!(count, with.count() as i64, "{rules}, {margin}");
            }
            assert_eq!(tier.counts.iter().sum::<i64>(), tier.positions);
            let first = |margin: i64| {
                &rows
                    .iter()
                    .find(|row| row.margin == margin)
                    .unwrap()
                    .position
            };
            assert_eq!(&tier.least_at, first(tier.margin_least));
            assert_eq!(&tier.greatest_at, first(tier.margin_greatest));
        }
    }
}

#[test]
fn starting_positions_have_their_moves_and_a_line() {
    let here = Workspace::new();
    let rest = "[family]\nstarts = { pits = \"3..=4\", seeds = \"2..=3\" }";
    let rows: Vec<StartRow> = here.plain_finished("starts", "kalah", rest);
    let margins: Vec<i64> = rows.iter().map(|row| row.margin).collect();
    assert_eq!(margins, [4, 2, 6, 8]);
    for row in &rows {
        let greatest = row.move_margins.iter().max();
        assert_eq!((greatest, row.searched), (Some(&row.margin), 0), "{row:?}");
    }
    let spec = here.path("starts.toml");
    let text = fs::read_to_string(&spec).unwrap() + "[table]\nlayout = \"grid\"\n";
    fs::write(&spec, text).unwrap();
    let table = printed(of_out(&here, &["table"], &spec));
    assert!(table.ends_with("3     4  2\n4     6  8\n"), "{table}");
}

#[test]
fn margins_are_compared_with_published_ones() {
    let here = Workspace::new();
    let rest = "[family]\nstarts = { pits = \"6\", seeds = \"1..=2\" }";
    here.plain_finished::<StartRow>("starts", "kalah", rest);
    let check = printed(of_out(&here, &["check"], &here.path("starts.toml")));
    assert!(
        check.contains("2 agreements, 0 findings, 0 disagreements"),
        "{check}"
    );
}

#[test]
fn determined_endgames_are_compared_with_boards() {
    let here = Workspace::new();
    let family = "[family]\nendgames = { pits = \"1..=4\", seeds = \"2..=12\" }";
    for (rules, agreements) in [("awari", 1), ("oware", 1), ("wari", 0)] {
        let rest = format!("rules = \"{rules}\"\n{family}");
        let rows: Vec<EndgameRow> = here.plain_finished(rules, "wari", &rest);
        assert_eq!(rows.len(), 44);
        let boards: Vec<&str> = rows.iter().filter_map(|row| row.board.as_deref()).collect();
        assert_eq!(boards[..3], ["(0, 2)", "(0, 1, 3)", "(0, 2)"]);
        // Mover's pits with one seed less, times the opponent's pits.
        assert_eq!(rows[43].positions, 364 * 4);
        let all = rows.iter().all(|row| row.corresponds);
        assert_eq!(all, agreements == 1);
        let check = printed(of_out(
            &here,
            &["check"],
            &here.path(&format!("{rules}.toml")),
        ));
        let expected = format!("{agreements} agreement");
        assert!(check.contains(&expected), "{check}");
        assert!(check.contains("0 disagreements"), "{check}");
    }
    let rest = format!("rules = \"oware\"\n{family}");
    let rows: Vec<EndgameRow> = here.plain_finished("again", "wari", &rest);
    let last = &rows[42];
    assert_eq!(last.first.as_deref(), Some("5 3 1 1 / 0 1 0 0"));
    assert_eq!(last.board.as_deref(), Some("(0, 1, 1, 3, 5)"));
}

#[test]
fn an_interrupted_tier_resumes() {
    let whole = Workspace::new();
    let spec = whole.plain_spec("tiers", "wari", TIERS);
    whole.finish(&spec, &["--threads", "1"]);
    let rows = whole.result("out", "tiers");
    for signal in ["INT", "KILL"] {
        let here = Workspace::new();
        let spec = here.plain_spec("tiers", "wari", TIERS);
        let child = started(here.running(&spec, &["--checkpoint", "1ms"]));
        let folder = tiers_in(&here, "awari-6");
        let at_work = || {
            files_in(&folder)
                .iter()
                .any(|path| path.to_string_lossy().contains("at-work"))
        };
        let since = Instant::now();
        while !at_work() {
            assert!(since.elapsed() < Duration::from_secs(60), "no tier at work");
            sleep(Duration::from_millis(1));
        }
        let kill = format!("kill -{signal} {}", child.id());
        Command::new("sh").args(["-c", &kill]).status().unwrap();
        let ended = wait(child);
        assert_ne!(ended.status, Some(0), "{ended:?}");
        let resumed = here.run(&spec, &[]);
        assert_eq!(resumed.status, Some(0), "{resumed:?}");
        assert_eq!(here.result("out", "tiers"), rows, "after SIG{signal}");
        assert!(!at_work());
    }
}

#[test]
fn a_damaged_file_is_found_before_it_is_used() {
    let here = Workspace::new();
    let spec = here.plain_spec("tiers", "wari", TIERS);
    here.finish(&spec, &[]);
    let rows = here.result("out", "tiers");
    let folder = tiers_in(&here, "awari-6");
    let tier = folder.join("tier-00010");
    let whole = fs::read(&tier).unwrap();
    for at in [3, 200, whole.len() / 2, whole.len() - 1] {
        flip_byte(&tier, at);
        fs::remove_dir_all(here.path("out")).unwrap();
        let again = here.run(&spec, &[]);
        assert_eq!(again.status, Some(0), "{again:?}");
        assert!(
            again
                .stderr
                .contains("is ignored, and its contents are computed again"),
            "{again:?}"
        );
        assert_eq!(here.result("out", "tiers"), rows);
        assert_eq!(fs::read(&tier).unwrap(), whole);
    }
}

#[test]
fn scores_too_large_for_memory_go_to_a_file() {
    let here = Workspace::new();
    let spec = here.plain_spec("tiers", "wari", TIERS);
    here.finish(&spec, &["--threads", "2"]);
    let rows = here.result("out", "tiers");
    fs::remove_dir_all(here.path("store")).unwrap();
    fs::remove_dir_all(here.path("out")).unwrap();
    // The tier of 11 seeds has 705,432 positions.
    let run = ended(here.running(&spec, &["--memory", "40MiB"]));
    assert_eq!(run.status, Some(0), "{run:?}");
    assert_eq!(here.result("out", "tiers"), rows);
    // A search takes a table of 512 MiB, or 6 GiB with more than 50 seeds; one row takes one table.
    for (seeds, memory, needed) in [(4, "300MiB", "6"), (5, "5GiB", "6.")] {
        let family = format!("[family]\nstarts = {{ pits = \"6\", seeds = \"{seeds}\" }}");
        let spec = here.plain_spec("search", "kalah", &family);
        let refused = ended(here.running(&spec, &["--memory", memory, "--threads", "2"]));
        assert_eq!(refused.status, Some(1), "{refused:?}");
        let needed = format!("needs {needed}");
        for text in ["a table for each thread's search", &needed] {
            assert!(refused.stderr.contains(text), "{refused:?}");
        }
    }
}

#[test]
fn faults_in_a_spec_are_named() {
    let here = Workspace::new();
    fs::write(here.path("wrong.txt"), "1 / 1\n1 1 / 1\n").unwrap();
    for (game, rest, fragments) in [
        (
            "kalah",
            "[family]\nstarts = { pits = \"6\", seeds = \"11\" }",
            &["seeds", "132 seeds", "at most 127"][..],
        ),
        (
            "kalah",
            "[family]\nstarts = { pits = \"0..=2\", seeds = \"1\" }",
            &["0 is out of range", "1 to 8"],
        ),
        (
            "wari",
            "[family]\nall = { pits = 2, seeds = \"64\" }",
            &["64", "63"],
        ),
        (
            "kalah",
            "[family]\nall = { pits = 8, seeds = \"60\" }",
            &["positions in these tiers"],
        ),
        (
            "kalah",
            "[family]\npositions = [\"1 2\"]",
            &["positions[0]", "0 slashes"],
        ),
        (
            "kalah",
            "rules = \"awari\"\n[family]\nall = { pits = 2, seeds = \"4\" }",
            &["unknown key", "capture"],
        ),
        (
            "wari",
            "[family]\nendgames = { pits = \"1..=6\", seeds = \"1..=4\" }",
            &["endgames.seeds: 1 is out of range", "2 to 63"],
        ),
        (
            "kalah",
            "[family]\nendgames = { pits = \"1..=6\", seeds = \"2..=4\" }",
            &["endgames: unknown key"],
        ),
        (
            "wari",
            "rules = \"avari\"\n[family]\nall = { pits = 2, seeds = \"4\" }",
            &["did you mean `awari`"],
        ),
        (
            "kalah",
            "[family]\nfile = \"wrong.txt\"",
            &["wrong.txt:2: 2 pits face 1"],
        ),
        (
            "kalah",
            "[family]\npattern = \"1\"",
            &["accepted, exactly one of: starts, tiers, all, positions, file, sample"],
        ),
        (
            "kalah",
            "[family]\ntiers = { pits = 2, seeds = \"4\" }\n[table]\nlayout = \"grid\"",
            &["grid", "list"],
        ),
    ] {
        let spec = here.plain_spec("wrong", game, rest);
        let ended = here.run(&spec, &[]);
        assert_eq!(ended.status, Some(2), "{rest}: {ended:?}");
        let error = Job::load(&spec).map(|_| ()).expect_err(rest);
        schema::assert_refused(&fs::read_to_string(&spec).unwrap(), &error);
        for fragment in fragments {
            assert!(
                ended.stderr.contains(fragment),
                "no {fragment:?}: {}",
                ended.stderr
            );
        }
    }
}
