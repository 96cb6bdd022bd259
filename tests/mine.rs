//! `seedbank mine`: laws of finished results from all kinds of jobs that have columns, and
//! predictions from the laws.

use std::path::Path;

use seedbank::engine::sums::KnightBoard;
use seedbank::game::impartial::Square;
use serde_json::Value;

use crate::common::workspace::{Ended, Workspace, ended, load, of_out, printed, seedbank};

fn mined(here: &Workspace, spec: &Path, arguments: &[&str]) -> Ended {
    let mut command = of_out(here, &["mine"], spec);
    command.args(arguments);
    ended(command)
}

/// Runs a job of the repository and returns the laws that hold in its first column.
fn laws_of(here: &Workspace, job: &str) -> (Vec<String>, Value) {
    let spec = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("jobs/{job}.toml"));
    here.finish(&spec, &[]);
    let found = mined(here, &spec, &["--json"]);
    assert_eq!(found.status, Some(0), "{found:?}");
    let first: Value = serde_json::from_str(found.stdout.lines().next().unwrap()).unwrap();
    let laws = first["laws"].as_array().unwrap().iter();
    let laws = laws.map(|law| law["law"].as_str().unwrap().to_owned());
    (laws.collect(), first)
}

#[test]
fn theorems_are_found_in_the_rows_of_their_jobs() {
    let here = Workspace::new();
    for (job, law) in [
        ("theorem-2-2", "0 for m >= 0; n >= 0"),
        ("theorem-2-3", "n+1 for m >= 0; n >= 0"),
        ("theorem-2-4", "{n+1|0} for n >= 1"),
        ("theorem-2-5", "{n|-m} for m >= 1; n >= 1"),
    ] {
        let (laws, found) = laws_of(&here, job);
        assert_eq!(laws, [law], "{job}");
        assert_eq!(
            (&found["unexplained"], &found["failed"]),
            (&0.into(), &0.into())
        );
        let tested = found["laws"][0]["tested"].as_u64().unwrap();
        assert!(tested >= 4 && found["entries"].as_u64().unwrap() > 2 * tested / 2);
    }
}

#[test]
fn periods_of_heaps_are_found_and_predict_values() {
    let here = Workspace::new();
    for (name, ruleset, heaps, law) in [
        (
            "kayles",
            "game = \"octal\"\ncode = \"0.77\"\nsum = \"disjunctive\"",
            300,
            "period 12 for n >= 71",
        ),
        (
            "grundy",
            "game = \"grundy\"\nsum = \"obligated\"",
            100,
            "period 3 for n >= 3",
        ),
        (
            "obligated-kayles",
            "game = \"octal\"\ncode = \"0.77\"\nsum = \"obligated\"",
            100,
            "period 8 for n >= 0",
        ),
        (
            "dawson",
            "game = \"octal\"\ncode = \"0.137\"\nsum = \"obligated\"",
            150,
            "period 14 for n >= 0",
        ),
    ] {
        let spec = here.path(&format!("{name}.toml"));
        let job = |heaps: u32| {
            format!("name = {name:?}\n[ruleset]\n{ruleset}\n[family]\nheaps = \"0..={heaps}\"\n")
        };
        std::fs::write(&spec, job(heaps)).unwrap();
        here.finish(&spec, &[]);
        let found = mined(&here, &spec, &["--predict", "n=1234"]);
        assert!(found.stdout.contains(law), "{found:?}");
        // The value as a longer job computes it.
        let longer = format!("longer-{name}");
        std::fs::write(&spec, job(1234).replacen(name, &longer, 1)).unwrap();
        here.finish(&spec, &[]);
        let rows = here
            .result_set("out", &spec)
            .read_plain::<seedbank::task::heaps::HeapRow>()
            .unwrap();
        let last = rows.last().unwrap().unwrap();
        let predicted = found.stdout.lines().last().unwrap();
        assert!(
            predicted.ends_with(&format!(" at n=1234 = {}", last.value)),
            "{predicted}"
        );
        assert_eq!(load(&spec).header.name, longer);
    }
}

/// Ferguson's Figure 3, beyond its 11 by 11 squares.
#[test]
fn knights_repeat_with_period_4_in_both_coordinates() {
    let here = Workspace::new();
    let (laws, found) = laws_of(&here, "heaps/knights");
    let periods = "period 4 in i from i = 3 and period 4 in j from j = 3";
    assert_eq!(laws, [format!("{periods} for i >= 0; j >= 0")]);
    let law = &found["laws"][0];
    assert_eq!((&law["cells"], &law["tested"]), (&576.into(), &336.into()));
    assert_eq!(found["unexplained"], 49, "the entries that the law lists");
    assert_eq!(law["also"][0], "entries at j = 0 to 6:");
    assert_eq!(law["also"][4], "i=3: 10 10 11 10 11 10 11");
    assert_eq!(law["next"]["place"], "i=0,j=25");
    let spec = Path::new(env!("CARGO_MANIFEST_DIR")).join("jobs/heaps/knights.toml");
    let board = KnightBoard::obligated();
    for (i, j) in [(100, 57), (0, 1000), (25, 2), (1_000_000, 999_999), (3, 3)] {
        let found = mined(&here, &spec, &["--predict", &format!("i={i},j={j}")]);
        let value = board.value(Square::new(i, j));
        let last = found.stdout.lines().last().unwrap();
        assert_eq!(last, format!("knight(i,j) at i={i},j={j} = {value}"));
    }
    let extended = mined(&here, &spec, &["--extend", "60s"]);
    assert!(
        extended
            .stdout
            .contains("holds on 12 more entries, to i=27,j=0"),
        "{extended:?}"
    );
}

#[test]
fn sums_of_two_heaps_have_the_periods_of_both() {
    let here = Workspace::new();
    let rest = "[family]\nsum = \"nim(i) + grundy(j)\"\ni = \"0..=20\"\nj = \"1..=24\"";
    let spec = here.plain_spec("heaps", "obligated", rest);
    here.finish(&spec, &[]);
    let found = mined(&here, &spec, &["--predict", "i=50,j=100"]);
    let periods = "period 1 in i from i = 2 and period 3 in j from j = 3";
    assert!(found.stdout.contains(periods), "{found:?}");
    assert!(found.stdout.ends_with(" at i=50,j=100 = 11\n"), "{found:?}");
    // Nim-values add: a law of values without a period.
    let rest = "[family]\nsum = \"nim(i) + nim(j,2)\"\ni = \"0..=20\"\nj = \"0..=20\"";
    let spec = here.plain_spec("nim", "disjunctive", rest);
    here.finish(&spec, &[]);
    let found = mined(&here, &spec, &["--extend", "60s"]);
    assert!(found.stdout.contains("xor"), "{found:?}");
    assert!(
        found.stdout.contains("holds on 12 more entries"),
        "{found:?}"
    );
    // Knights have no known period under disjunctive sums, and no period of up to 12 begins below
    // 30.
    let rest = "[family]\nsum = \"knight(i,j)\"\ni = \"0..=60\"\nj = \"0..=60\"";
    let spec = here.plain_spec("nim-values", "disjunctive", rest);
    here.finish(&spec, &[]);
    let found = mined(&here, &spec, &[]);
    assert!(!found.stdout.contains("period"), "{found:?}");
}

#[test]
fn totals_of_the_cycle_of_two_satisfy_a_recurrence() {
    let here = Workspace::new();
    let rest = "[family]\ngraphs = \"cycle(2..=3)\"\ntotal_max = 1000000\nstrategy_boards_max = 0";
    let spec = here.plain_spec("cycles", "sowing-graph", rest);
    here.finish(&spec, &[]);
    let found = mined(&here, &spec, &["--predict", "k=40"]);
    assert_eq!(found.status, Some(0), "{found:?}");
    assert!(
        found
            .stdout
            .contains("a(k) = 3 a(k-1) - 2 a(k-2) for k >= "),
        "{found:?}"
    );
    let predicted: Vec<&str> = found
        .stdout
        .lines()
        .filter(|line| line.starts_with("totals of") && line.contains(" at k=40 = "))
        .collect();
    assert!(
        found.stdout.contains("\n    2^"),
        "a closed form: {found:?}"
    );
    // The totals are 2^k - 1; those of the cycle of three follow no known law.
    assert_eq!(predicted.len(), 1, "{found:?}");
    let is_there = [39, 40]
        .iter()
        .any(|k| predicted[0].ends_with(&format!(" = {}", (1u64 << k) - 1)));
    assert!(is_there, "{predicted:?}");
}

#[test]
fn predictions_of_laws_are_the_values() {
    let here = Workspace::new();
    let family = "pattern = \"(10)^m 2 (01)^n\"\nm = \"0..=6\"\nn = \"0..=8\"";
    let spec = here.spec("switches", "sowing", "partisan", family);
    here.finish(&spec, &[]);
    let found = mined(&here, &spec, &["--predict", "n=9,m=11"]);
    assert_eq!(found.status, Some(0), "{found:?}");
    let last = found.stdout.lines().last().unwrap();
    assert_eq!(last, "(10)^m 2 (01)^n at m=11,n=9 = {9|-11}");
    // A border has too few entries for a law.
    let nothing = mined(&here, &spec, &["--predict", "n=9"]);
    assert_eq!(nothing.status, Some(1), "{nothing:?}");
    assert!(
        nothing
            .stderr
            .contains("no law gives the entry at this place"),
        "{nothing:?}"
    );
}

#[test]
fn bins_repeat_with_the_periods_of_corollary_2_3() {
    let here = Workspace::new();
    let rest = "[family]\nboards = \"0..=6000\"\n[columns]\nbins = 8";
    let spec = here.plain_spec("bins", "tchoukaillon", rest);
    here.finish(&spec, &[]);
    let found = mined(&here, &spec, &["--json"]);
    let columns: Vec<Value> = found
        .stdout
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    // Bin i has period lcm(2, ..., i + 1). Bin 8 would need two times 2,520 boards in the first two
    // thirds.
    let periods = [2, 6, 12, 60, 60, 420, 840];
    for (bin, period) in (1..).zip(periods) {
        let column = columns
            .iter()
            .find(|column| column["subject"] == format!("bin {bin}"));
        let laws = &column.unwrap()["laws"];
        assert_eq!(laws.as_array().unwrap().len(), 1, "{laws}");
        assert_eq!(laws[0]["law"], format!("period {period} for n >= 0"));
    }
}

#[test]
fn equal_columns_are_found_between_jobs() {
    let here = Workspace::new();
    let family = "pattern = \"2^n\"\nn = \"0..=12\"";
    let deuces = here.spec("deuces", "atomic-wari", "impartial", family);
    let officers = here.path("officers.toml");
    let text = "name = \"officers\"\n[ruleset]\ngame = \"octal\"\ncode = \"0.37\"\nsum = \"disjunctive\"\n\
                [family]\nheaps = \"0..=40\"\n";
    std::fs::write(&officers, text).unwrap();
    for spec in [&deuces, &officers] {
        here.finish(spec, &[]);
    }
    let found = mined(&here, &deuces, &[officers.to_str().unwrap()]);
    assert_eq!(found.status, Some(0), "{found:?}");
    assert!(
        found.stdout.contains("0.37 at n = (2^n at n) for n >= 0"),
        "{found:?}"
    );
}

#[test]
fn laws_are_extended_beyond_the_result() {
    let here = Workspace::new();
    let family = "pattern = \"(10)^m 2 (01)^n\"\nm = \"1..=6\"\nn = \"1..=6\"";
    let spec = here.spec("switches", "sowing", "partisan", family);
    here.finish(&spec, &[]);
    let found = mined(&here, &spec, &["--extend", "60s", "--json"]);
    let first: Value = serde_json::from_str(found.stdout.lines().next().unwrap()).unwrap();
    let extended = &first["laws"][0]["extended"];
    assert_eq!(extended["holds"], 12, "{found:?}");
    assert!(extended["refuted"].is_null(), "{found:?}");
    // The same for heaps. 0.3 has the nim-values 0, 1, 0, 1, ..., for ever.
    let heaps = here.path("heaps.toml");
    let text = "name = \"heaps\"\n[ruleset]\ngame = \"octal\"\ncode = \"0.3\"\nsum = \"disjunctive\"\n\
                [family]\nheaps = \"0..=40\"\n";
    std::fs::write(&heaps, text).unwrap();
    here.finish(&heaps, &[]);
    let found = mined(&here, &heaps, &["--extend", "60s"]);
    assert!(
        found.stdout.contains("holds on 12 more entries, to n=52"),
        "{found:?}"
    );
    let wrong = mined(&here, &heaps, &["--extend", "soon"]);
    assert_eq!(wrong.status, Some(2), "{wrong:?}");
}

#[test]
fn laws_are_written_as_a_table() {
    let here = Workspace::new();
    let family = "pattern = \"(10)^m 2 (01)^n\"\nm = \"1..=6\"\nn = \"1..=6\"";
    let spec = here.spec("switches", "sowing", "partisan", family);
    here.finish(&spec, &[]);
    let dir = here.path("laws");
    for _ in 0..2 {
        let arguments = ["--extend", "60s", "--table", dir.to_str().unwrap()];
        let written = mined(&here, &spec, &arguments);
        assert_eq!(written.status, Some(0), "{written:?}");
    }
    let part = std::fs::File::open(dir.join("parts/part-00000.parquet")).unwrap();
    let reader =
        parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder::try_new(part).unwrap();
    let metadata = reader
        .metadata()
        .file_metadata()
        .key_value_metadata()
        .unwrap()
        .clone();
    let spec_text = metadata
        .iter()
        .find(|entry| entry.key == "seedbank.job_spec")
        .unwrap();
    assert!(
        spec_text.value.as_ref().unwrap().contains("\nswitches "),
        "{spec_text:?}"
    );
    let batch = reader.build().unwrap().next().unwrap().unwrap();
    let rows = <seedbank::dataset::LawRow as seedbank::dataset::TableRow>::read(&batch);
    assert_eq!(rows.len(), 1);
    assert_eq!(rows[0].law, "{n|-m} for m >= 1; n >= 1");
    assert_eq!(rows[0].latex, r"\{n\mid -m\} \text{ for } m \ge 1; n \ge 1");
    assert_eq!(
        (rows[0].entries, rows[0].next_entry.as_deref()),
        (36, Some("{7|-1}"))
    );
    assert_eq!((rows[0].held, &rows[0].refuted_at), (Some(12), &None));
    assert!(rows[0].held_to.is_some());
}

#[test]
fn a_run_mines_the_rows_of_a_job_with_a_section() {
    let here = Workspace::new();
    let family = "pattern = \"(10)^m 2 (01)^n\"\nm = \"1..=6\"\nn = \"1..=6\"";
    let job = |mine: &str| {
        here.spec(
            "switches",
            "sowing",
            "partisan",
            &format!("{family}\n{mine}"),
        )
    };
    let spec = job("");
    assert!(here.finish(&spec, &[]).get("mined").is_none());
    let rows = here.result("out", "switches");
    job("[mine]\nlaws = [\"values\", \"rows\"]\nvariables = [\"m\", \"n\"]\nextend = \"60s\"");
    // The rows are finished, and no time is left to find laws.
    let late = here.run(&spec, &["--time-limit", "0s"]);
    assert_eq!(late.status, Some(75), "{late:?}");
    assert!(
        late.stdout.contains("already finished, 36 rows")
            && late.stdout.contains("run again to mine"),
        "{late:?}"
    );
    let found = here.run(&spec, &[]);
    assert_eq!(found.status, Some(0), "{found:?}");
    for text in [
        "already finished, 36 rows; nothing to do\n",
        "  {n|-m} for m >= 1; n >= 1\n",
        "holds on 12 more entries",
        "switches: mined, 1 law in ",
    ] {
        assert!(found.stdout.contains(text), "{text}: {found:?}");
    }
    let laws = here.path("out/switches/laws");
    let manifest = std::fs::read(laws.join("manifest.json")).unwrap();
    let again = here.finish(&spec, &[]);
    assert_eq!(again["outcome"], "already-finished");
    assert_eq!(
        (&again["mined"]["outcome"], &again["mined"]["laws"]),
        (&"already-finished".into(), &1.into())
    );
    // A changed section `[mine]` finds other laws in the same rows.
    job("[mine]\nlaws = [\"periods\"]");
    let others = here.finish(&spec, &[]);
    assert_eq!(
        (&others["mined"]["outcome"], &others["mined"]["laws"]),
        (&"finished".into(), &0.into())
    );
    assert_eq!(others["mined"]["found"][0]["unexplained"], 36);
    assert_ne!(std::fs::read(laws.join("manifest.json")).unwrap(), manifest);
    // A damaged table is written again.
    std::fs::write(laws.join("manifest.json"), "{}").unwrap();
    assert_eq!(here.finish(&spec, &[])["mined"]["outcome"], "finished");
    // The rows are unchanged.
    let mut all = here.result("out", "switches");
    all.retain(|path, _| rows.contains_key(path));
    assert_eq!(all, rows);
    let status = here.run(&spec, &["--shard", "0/2"]);
    assert!(!status.stdout.contains("mined"), "{status:?}");
}

#[test]
fn laws_and_variables_are_chosen() {
    let here = Workspace::new();
    let family = "union = [{ pattern = \"(10)^m 2 (01)^n\", m = \"1..=6\", n = \"1..=6\" }, { pattern = \"1^q\", q = \"1..=12\" }]";
    let spec = here.spec("two", "sowing", "partisan", family);
    here.finish(&spec, &[]);
    let subjects = |arguments: &[&str]| {
        let found = mined(&here, &spec, &[arguments, &["--json"]].concat());
        assert_eq!(found.status, Some(0), "{found:?}");
        let objects = found.stdout.lines();
        let objects = objects.map(|line| serde_json::from_str::<Value>(line).unwrap());
        let said = |object: Value| {
            let laws = object["laws"].as_array().unwrap().len();
            (object["subject"].as_str().unwrap().to_owned(), laws)
        };
        objects.map(said).collect::<Vec<_>>()
    };
    let column = |laws| ("(10)^m 2 (01)^n".to_owned(), laws);
    assert_eq!(subjects(&["--variables", "m,n"]), [column(1)]);
    let others = ["--variables", "m,n", "--laws", "rules,periods"];
    assert_eq!(subjects(&others), [column(0)]);
    assert_eq!(subjects(&["--laws", "periods"])[0], column(0));
    let wrong = mined(&here, &spec, &["--laws", "period"]);
    assert_eq!(wrong.status, Some(2), "{wrong:?}");
    assert!(wrong.stderr.contains("periods, recurrences"), "{wrong:?}");
}

#[test]
fn proved_periods_of_a_survey_are_listed() {
    let here = Workspace::new();
    let rest = "sum = \"disjunctive\"\n[family]\ncodes = { digits = 2, max_digit = 7 }\nheaps_max = 2048\n[mine]\nlaws = [\"periods\"]";
    let spec = here.plain_spec("survey", "octal", rest);
    let object = here.finish(&spec, &[]);
    let found = &object["mined"]["found"][0];
    assert_eq!(
        (&found["entries"], found["laws"].is_array()),
        (&64.into(), true)
    );
    let laws = found["laws"].as_array().unwrap();
    let proved: u64 = laws.iter().map(|law| law["cells"].as_u64().unwrap()).sum();
    assert_eq!(proved + found["unexplained"].as_u64().unwrap(), 64);
    // Kayles and Dawson's Kayles.
    for (period, code) in [
        ("period 12 for", "0.77 (n >= 71)"),
        ("period 34 for", "0.07 (n >= 53)"),
    ] {
        let of_period = |law: &&Value| law["law"].as_str().unwrap().starts_with(period);
        let law = laws.iter().find(of_period).unwrap();
        assert!(law["law"].as_str().unwrap().contains(code), "{law}");
    }
    let printed = mined(&here, &spec, &[]);
    assert!(printed.stdout.contains("  period 12 for "), "{printed:?}");
}

#[test]
fn boards_of_in_trees_are_powers() {
    let here = Workspace::new();
    let (_, first) = laws_of(&here, "mine/in-trees");
    assert_eq!(first["subject"], "boards of path(n)");
    let spec = Path::new(env!("CARGO_MANIFEST_DIR")).join("jobs/mine/in-trees.toml");
    let found = mined(&here, &spec, &[]).stdout;
    for law in [
        "  2^m for m >= 1\n",
        "  2^(m^2+m) for m >= 1\n",
        "  boards of star(m, n) at m,n = (boards of path(n) at n)^m for m >= 1; n >= 1\n",
    ] {
        assert!(found.contains(law), "{law}: {found}");
    }
}

#[test]
fn a_search_for_laws_keeps_to_its_budget() {
    let here = Workspace::new();
    let heaps = "code = \"0.37\"\n[family]\nheaps = \"0..=2000000\"";
    let spec = here.plain_spec("heaps", "octal", heaps);
    here.finish(&spec, &[]);
    let small = mined(&here, &spec, &["--memory", "16MiB"]);
    assert_eq!((small.status, &*small.stdout), (Some(1), ""), "{small:?}");
    let refused = [
        "the search for laws needs ",
        "more than its budget of 16.0 MiB",
        "--memory",
    ];
    assert!(
        refused.iter().all(|part| small.stderr.contains(part)),
        "{small:?}"
    );
    let enough = mined(&here, &spec, &["--memory", "256MiB"]);
    assert_eq!(enough.status, Some(0), "{enough:?}");
}

#[test]
fn results_that_cannot_be_mined_are_named() {
    let here = Workspace::new();
    let starts = "[family]\nstarts = { pits = \"2\", seeds = \"1..=3\" }";
    let spec = here.plain_spec("starts", "kalah", starts);
    let unfinished = mined(&here, &spec, &[]);
    assert_eq!(unfinished.status, Some(1), "{unfinished:?}");
    here.finish(&spec, &[]);
    let none = mined(&here, &spec, &[]);
    assert_eq!(none.status, Some(2), "{none:?}");
    assert!(
        none.stderr.contains("patterns and sums with variables"),
        "{none:?}"
    );
    let wrong = mined(&here, &spec, &["--predict", "m=x"]);
    assert_eq!(wrong.status, Some(2), "{wrong:?}");
    assert!(wrong.stderr.contains("m=11,n=9"), "{wrong:?}");
    let help = printed(seedbank(&["mine", "--help"]));
    assert!(help.contains("--predict"), "{help}");
}

#[test]
fn rows_without_variables_are_mined_together() {
    let here = Workspace::new();
    let family = "all = { pots_max = 10, pot_seeds_max = 1 }";
    let spec = here.spec("rows", "atomic-wari", "impartial", family);
    here.finish(&spec, &[]);
    let found = mined(&here, &spec, &["--json"]);
    let object: Value = serde_json::from_str(found.stdout.lines().next().unwrap()).unwrap();
    assert_eq!(object["subject"], "rows of atomic-wari (impartial)");
    // All rows of ones have the value 0, which is not reported as a law.
    assert_eq!(
        (&object["entries"], &object["laws"]),
        (&287.into(), &serde_json::json!([]))
    );
}

#[test]
fn laws_from_few_entries_are_conjectures_with_their_evidence() {
    let here = Workspace::new();
    let family = "union = [{ pattern = \"2 (01)^n\", n = \"0..=7\" }, { pattern = \"2 0^n 12\", n = \"0..=7\" }, \
                  { pattern = \"22 (01)^n\", n = \"0..=6\" }]";
    let spec = here.spec("few", "sowing", "partisan", family);
    here.finish(&spec, &[]);
    let found = mined(&here, &spec, &["--laws", "values"]);
    for text in [
        "  n+1 for n >= 1\n    conjecture, fair: 7 entries, 3 of them held out; saves 14 bits; next: n=8 = 9\n",
        "  1 for n >= 2\n    conjecture, slight: 6 entries, 3 of them held out; saves 5 bits; next: n=8 = 1\n",
        "    rests on n=2 = 1, n=3 = 1, n=4 = 1; tested on n=5 = 1, n=6 = 1, n=7 = 1; \
         fails at n=0: +-2, not 1, n=1: 0, not 1\n",
        "  2n+1 for n >= 3\n",
    ] {
        assert!(found.stdout.contains(text), "{text}: {found:?}");
    }
    let out = here.path("out");
    let command = format!(
        "to test it on more entries: seedbank mine {} --out {} --extend 60s\n",
        spec.display(),
        out.display()
    );
    assert!(found.stdout.contains(&command), "{command}: {found:?}");
    let found = mined(
        &here,
        &spec,
        &["--laws", "values", "--json", "--extend", "5s"],
    );
    let second: Value = serde_json::from_str(found.stdout.lines().nth(1).unwrap()).unwrap();
    let law = &second["laws"][0];
    assert_eq!(
        (&law["standing"], &law["confidence"]),
        (&"conjecture".into(), &"slight".into())
    );
    assert_eq!(law["evidence"]["found_on"][0]["place"], "n=2");
    assert_eq!(law["evidence"]["held_out"][2]["place"], "n=7");
    let exception = &law["evidence"]["exceptions"][1];
    assert_eq!(
        (&exception["predicted"], &exception["value"]),
        (&"1".into(), &"0".into())
    );
    assert_eq!(law["extended"]["holds"], 12);
    let page = here.path("few.html");
    let mut report = of_out(&here, &["report"], &spec);
    report.arg("-o").arg(&page);
    assert_eq!(ended(report).status, Some(0));
    let page = std::fs::read_to_string(page).unwrap();
    for text in [
        "<small>conjecture, slight: 6 entries, 3 of them held out",
        "A conjecture is strong if ",
    ] {
        assert!(page.contains(text), "{text}");
    }
}

#[test]
fn a_refuted_law_is_named_with_the_entry_held_out() {
    let here = Workspace::new();
    let family = "pattern = \"1^n\"\nn = \"1..=11\"";
    let spec = here.spec("ones", "sowing", "impartial", family);
    here.finish(&spec, &[]);
    let found = mined(&here, &spec, &[]);
    let refuted = "\n    refuted: *(n-5) for n >= 5, by n=8: 0, not *3\n";
    assert!(found.stdout.contains(refuted), "{found:?}");
    let found = mined(&here, &spec, &["--json"]);
    let first: Value = serde_json::from_str(found.stdout.lines().next().unwrap()).unwrap();
    let refuted = &first["refuted"][0];
    assert_eq!(refuted["law"], "*(n-5) for n >= 5");
    assert_eq!(refuted["by"]["place"], "n=8");
    assert_eq!(
        (&refuted["by"]["predicted"], &refuted["by"]["value"]),
        (&"*3".into(), &"0".into())
    );
}

/// 1,001 heaps are too few for the proof: more are computed.
#[test]
fn a_proved_period_of_heaps_is_in_table_laws_and_page() {
    let here = Workspace::new();
    let rest = "code = \"0.156\"\n[family]\nheaps = \"0..=1000\"\n[table]\nlayout = \"by-value\"";
    let spec = here.plain_spec("octal-156", "octal", rest);
    here.finish(&spec, &[]);
    let proved =
        "preperiod 3479, period 349: proved, since it holds for the heaps from 3479 to below 7310";
    let table = printed(of_out(&here, &["table"], &spec));
    assert!(table.contains(proved), "{table}");
    let found = mined(&here, &spec, &["--json"]);
    let first: Value = serde_json::from_str(found.stdout.lines().next().unwrap()).unwrap();
    let law = &first["laws"][0];
    assert_eq!(law["law"], "period 349 for n >= 3479");
    assert_eq!(
        (&law["standing"], &law["confidence"]),
        (&"proved".into(), &Value::Null)
    );
    assert!(
        law["also"][0].as_str().unwrap().starts_with(proved),
        "{law}"
    );
    let page = here.path("octal.html");
    let mut report = of_out(&here, &["report"], &spec);
    report.arg("-o").arg(&page);
    assert_eq!(ended(report).status, Some(0));
    let page = std::fs::read_to_string(page).unwrap();
    for text in [
        proved,
        "period 349 for n &gt;= 3479<br><small>proved: ",
        "with period 349: this is proved.",
    ] {
        assert!(page.contains(text), "{text}");
    }
}
