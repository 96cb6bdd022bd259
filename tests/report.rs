//! Tables in every layout and format, the published values as facts, and results compared with
//! them.

use std::path::Path;
use std::sync::Arc;

use seedbank::dataset::{FORMAT_VERSION, PositionRow, ResultHeader, ResultSet, ValueColumns};
use seedbank::engine::{CanonicalForms, Engine, Formed, NimValues, NothingKnown, count_followers};
use seedbank::game::{AtomicWari, Game, Play, PotGame, Ruleset, Sowing};
use seedbank::report::ReportError;
use seedbank::report::check::{CheckReport, not_covered_by_any};
use seedbank::report::colours::ValuesAs;
use seedbank::report::reference::{self, Cited, Fact, Facts, Files, Statement};
use seedbank::report::table::{Format, Table};
use seedbank::run::{Reading, RowTask};
use seedbank::task::Job;

use crate::common::strips::strips;
use seedbank::value::{Arena, AtomicWeights, Nimber};
fn job(game: &str, play: &str, rest: &str) -> Job {
    let spec = format!(
        "name = \"a-job\"\n{}\n[ruleset]\ngame = {game:?}\nplay = {play:?}\n{}",
        rest.split("[family]").next().unwrap(),
        &rest[rest.find("[family]").unwrap()..]
    );
    Job::parse(&spec, Path::new("a-job.toml"), Path::new("")).unwrap_or_else(|e| panic!("{e}"))
}

/// The rows of a job's positions with given values, as a run would write them.
fn rows(job: &Job, values: &[&str]) -> Vec<PositionRow> {
    assert_eq!(strips(job).family.len(), values.len() as u64);
    let arena = Arena::new();
    let mut weights = AtomicWeights::new(&arena);
    let rows = strips(job)
        .family
        .iter()
        .zip(values)
        .map(|(member, value)| {
            let nim_value = value.parse().ok().map(|Nimber(n)| n as i32);
            let features = member.position.features();
            let id = arena.calculator().parse(value).ok();
            let weight = id.and_then(|id| weights.weight(id).ok()?.integer());
            PositionRow {
                game: strips(job).game.name().into(),
                play: strips(job).play.name().into(),
                pattern: strips(job).family.pattern_text(&member).map(Arc::from),
                variables: member.variables.clone(),
                position: member.position.to_string(),
                features: features.into(),
                outcome: Some("N".into()),
                value: Some(ValueColumns {
                    value: (!value.is_empty()).then(|| (*value).to_owned().into()),
                    value_digest: [0x5e; 16],
                    nim_value,
                    atomic_weight: weight.map(|weight| weight.to_string().into()),
                    atomic_weight_number: weight.map(f64::from),
                    ..ValueColumns::default()
                }),
                ..PositionRow::default()
            }
        });
    rows.collect()
}

/// The rows of a run of the job, without the columns that reports do not read.
fn evaluated(job: &Job) -> Vec<PositionRow> {
    fn values<R: PotGame, V: Formed>(ruleset: R, valuation: V, job: &Job) -> Vec<String> {
        let engine = Engine::new(ruleset, valuation);
        let mut search = engine.search(&NothingKnown);
        let arena = engine.valuation.arena();
        let mut calculator = arena.calculator();
        let members = strips(job).family.iter().map(|member| {
            let position = engine.ruleset.position_on(&member.position).unwrap();
            let word = search.evaluate(&position).unwrap();
            let form = V::form(&mut calculator, word).unwrap();
            arena.notation_limited(form, 4096).unwrap_or_default()
        });
        members.collect()
    }
    let values = match (strips(job).game, strips(job).play) {
        (Game::SOWING, Play::Partisan) => values(Sowing, CanonicalForms::default(), job),
        (Game::SOWING, Play::Impartial) => values(Sowing, NimValues::default(), job),
        (_, Play::Partisan) => values(AtomicWari::on(None), CanonicalForms::default(), job),
        (_, Play::Impartial) => values(AtomicWari::on(None), NimValues::default(), job),
    };
    let values: Vec<&str> = values.iter().map(String::as_str).collect();
    rows(job, &values)
}

/// Passes a function a finished result of the job that has these rows.
fn read<T>(job: &Job, rows: &[PositionRow], reads: impl FnOnce(&Reading<'_>) -> T) -> T {
    let folder = tempfile::tempdir().unwrap();
    let header = ResultHeader {
        job: job.header.name.clone(),
        job_digest: job.header.digest,
        code_version: "0.1.0".to_owned(),
        format_version: FORMAT_VERSION,
        parts: 1,
        spec_text: job.header.text.clone(),
        tables: strips(job).making().tables,
    };
    let results = ResultSet::open_or_create(folder.path(), &header).unwrap();
    let mut writer = results.part_writer(0, 0).unwrap();
    writer.push_batch(rows).unwrap();
    writer.commit().unwrap();
    reads(&Reading {
        job: &job.header,
        out: folder.path(),
        rows: Some(results.scan()),
        ranks: std::slice::from_ref(&(0..job.task.rows())),
    })
}

fn table(job: &Job, rows: &[PositionRow]) -> Result<Table, ReportError> {
    read(job, rows, |reading| job.task.table(reading))
}

fn check(job: &Job, rows: &[PositionRow], facts: &[Cited<Fact>]) -> CheckReport {
    let facts = Facts {
        rows: facts.to_vec(),
        ..Facts::default()
    };
    read(job, rows, |reading| job.task.check(reading, &facts)).unwrap()
}

fn facts() -> Vec<Cited<Fact>> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/reference");
    reference::load(Files::Folder(&dir)).unwrap_or_else(|error| panic!("{error}"))
}

fn paper_job(name: &str) -> Job {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("jobs")
        .join(name);
    Job::load(&path).unwrap_or_else(|error| panic!("{error}"))
}

/// A table as text, Markdown, LaTeX and CSV.
fn formats(job: &Job, values: &[&str]) -> [String; 4] {
    let table = table(job, &rows(job, values)).unwrap();
    let formats = [Format::Text, Format::Markdown, Format::Latex, Format::Csv];
    formats.map(|format| table.render(format, ValuesAs::Games))
}

fn list_job() -> Job {
    job(
        "sowing",
        "partisan",
        "title = \"Some 100% of {them}\"\nsource = \"A & B\"\n[family]\n\
         positions = [\"2111\", \"211\", \"31011\", \"3[12]e\", \"1111111\"]\n\
         [table]\nlayout = \"list\"\ncolumns_per_row = 2\n",
    )
}

const LIST: [&str; 5] = ["1/2", "*", "^*", "{1||*|-1}", ""];

#[test]
fn a_list_fills_columns_downwards() {
    let [text, markdown, latex, csv] = formats(&list_job(), &LIST);
    insta::assert_snapshot!(text, @r##"
    Some 100% of {them} (A & B)

     2111 = 1/2   3[12]e = {1||*|-1}
      211 = *    1111111 = #5e5e5e5e
    31011 = ^*

    #5e5e5e5e is a value of more than 4096 characters: see table forms, value_digest 5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e
    "##);
    insta::assert_snapshot!(markdown, @r##"
    **Some 100% of \{them\} (A \& B)**

    | | |
    | --- | --- |
    | 2111 = 1/2 | 3\[12\]e = \{1\|\|\*\|-1\} |
    | 211 = \* | 1111111 = \#5e5e5e5e |
    | 31011 = \^\* | |

    - \#5e5e5e5e is a value of more than 4096 characters: see table forms, value\_digest 5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e
    "##);
    insta::assert_snapshot!(latex, @r##"
    \begin{table}
    \centering
    \begin{tabular}{ll}
    $\mathbf{2111} = \tfrac{1}{2}$ & $\mathbf{3}[\mathbf{12}]{\bullet} = \{1\parallel {\ast}\mid -1\}$ \\
    $\mathbf{211} = {\ast}$ & $\mathbf{1111111} = {}$\texttt{\#5e5e5e5e} \\
    $\mathbf{31011} = \uparrow {\ast}$ & \\
    \end{tabular}
    \caption{Some 100\% of \{them\} (A \& B)}
    \par \#5e5e5e5e is a value of more than 4096 characters: see table forms, value\_digest 5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e
    \end{table}
    "##);
    insta::assert_snapshot!(csv, @r##"
    position,value
    2111,1/2
    211,*
    31011,^*
    3[12]e,{1||*|-1}
    1111111,
    "##);
}

fn grid_job() -> Job {
    job(
        "atomic-wari",
        "partisan",
        "title = \"Two pots\"\n[family]\npattern = \"x y\"\nx = \"2..=3\"\ny = [1, 12]\n\
         [table]\nlayout = \"grid\"\nrows = \"x\"\ncolumns = \"y\"\n\
         [table.names]\n\"{0|*}\" = \"↑\"\n\"{0,*|v}\" = \"↑²*\"\n\"-1\" = \"-1\"\n",
    )
}

#[test]
fn a_grid_has_labelled_rows_and_columns_and_names_values_by_value() {
    let [text, markdown, latex, csv] = formats(&grid_job(), &["^", "^<2>*", "-1", "{1|*}"]);
    insta::assert_snapshot!(text, @r##"
    Two pots

    x\y  1   12
    --------------
    2    ↑   ↑²*
    3    -1  {1|*}

    ↑ stands for ^
    ↑²* stands for ^<2>*
    "##);
    insta::assert_snapshot!(markdown, @r##"
    **Two pots**

    | x\\y | 1 | 12 |
    | --- | --- | --- |
    | 2 | ↑ | ↑²\* |
    | 3 | -1 | \{1\|\*\} |

    - ↑ stands for \^
    - ↑²\* stands for \^\<2\>\*
    "##);
    insta::assert_snapshot!(latex, @r##"
    \begin{table}
    \centering
    \begin{tabular}{l|ll}
    x\textbackslash{}y & 1 & 12 \\
    \hline
    2 & $\uparrow$ & $\uparrow ^{2}{\ast}$ \\
    3 & $-1$ & $\{1\mid {\ast}\}$ \\
    \end{tabular}
    \caption{Two pots}
    \end{table}
    "##);
    insta::assert_snapshot!(csv, @r##"
    x\y,1,12
    2,^,^<2>*
    3,-1,{1|*}
    "##);
}

fn sequences_job() -> Job {
    job(
        "sowing",
        "partisan",
        "[family]\nunion = [\n{ pattern = \"1^n\", n = \"1..=3\" },\n\
         { pattern = \"...e 1^n e...\", n = \"1..=2\" },\n{ pattern = \"3^n\", n = \"3..=4\" }]\n\
         [table]\nlayout = \"sequences\"\nrows = \"n\"\ncolumns_per_row = 2\n",
    )
}

const SEQUENCES: [&str; 7] = ["0", "*", "0", "*", "+-{1,2|3}", "0", "*"];

#[test]
fn sequences_stand_side_by_side_in_blocks() {
    let [text, markdown, latex, csv] = formats(&sequences_job(), &SEQUENCES);
    insta::assert_snapshot!(text, @r##"
    1^1 = 0  ...e 1^1 e... = *
    1^2 = *  ...e 1^2 e... = +-{1,2|3}
    1^3 = 0

    3^3 = 0
    3^4 = *
    "##);
    insta::assert_snapshot!(markdown, @r##"
    | | |
    | --- | --- |
    | 1\^1 = 0 | ...e 1\^1 e... = \* |
    | 1\^2 = \* | ...e 1\^2 e... = +-\{1,2\|3\} |
    | 1\^3 = 0 | |

    | |
    | --- |
    | 3\^3 = 0 |
    | 3\^4 = \* |
    "##);
    insta::assert_snapshot!(latex, @r##"
    \begin{table}
    \centering
    \begin{tabular}{ll}
    $\mathbf{1}^{1} = 0$ & ${\ldots}{\bullet}\,\mathbf{1}^{1}\,{\bullet}{\ldots} = {\ast}$ \\
    $\mathbf{1}^{2} = {\ast}$ & ${\ldots}{\bullet}\,\mathbf{1}^{2}\,{\bullet}{\ldots} = \pm \{1,2\mid 3\}$ \\
    $\mathbf{1}^{3} = 0$ & \\
    \end{tabular}

    \medskip

    \begin{tabular}{l}
    $\mathbf{3}^{3} = 0$ \\
    $\mathbf{3}^{4} = {\ast}$ \\
    \end{tabular}
    \end{table}
    "##);
    insta::assert_snapshot!(csv, @r##"
    position,n,value
    1^1,1,0
    1^2,2,*
    1^3,3,0
    ...e 1^1 e...,1,*
    ...e 1^2 e...,2,"+-{1,2|3}"
    3^3,3,0
    3^4,4,*
    "##);
}

#[test]
fn first_by_value_keeps_one_position_a_nim_value() {
    let job = job(
        "sowing",
        "impartial",
        "[family]\npositions = [\"1\", \"2\", \"11\", \"11e\", \"1111111\"]\n\
         [table]\nlayout = \"first-by-value\"\n",
    );
    let [text, markdown, latex, csv] = formats(&job, &["0", "0", "*", "*", "*3"]);
    insta::assert_snapshot!(text, @r##"
    nim-value  position  pots  seeds
    --------------------------------
    0          1         1     1
    *          11        2     2
    *2
    *3         1111111   7     7
    "##);
    insta::assert_snapshot!(markdown, @r##"
    | nim-value | position | pots | seeds |
    | --- | --- | --- | --- |
    | 0 | 1 | 1 | 1 |
    | \* | 11 | 2 | 2 |
    | \*2 | | | |
    | \*3 | 1111111 | 7 | 7 |
    "##);
    insta::assert_snapshot!(latex, @r##"
    \begin{table}
    \centering
    \begin{tabular}{l|lll}
    nim-value & position & pots & seeds \\
    \hline
    $0$ & $\mathbf{1}$ & 1 & 1 \\
    ${\ast}$ & $\mathbf{11}$ & 2 & 2 \\
    *2 &  &  & \\
    ${\ast}3$ & $\mathbf{1111111}$ & 7 & 7 \\
    \end{tabular}
    \end{table}
    "##);
    insta::assert_snapshot!(csv, @r##"
    nim-value,position,pots,seeds
    0,1,1,1
    *,11,2,2
    *2,,,
    *3,1111111,7,7
    "##);
}

#[test]
fn a_job_that_counts_followers_shows_them() {
    let job = job(
        "sowing",
        "partisan",
        "[family]\npattern = \"1^n\"\nn = \"1..=2\"\n[columns]\nfollowers = true\n",
    );
    let mut rows = rows(&job, &["0", "*"]);
    for (row, followers) in rows.iter_mut().zip([1, 3]) {
        row.followers = Some(followers);
    }
    let table = table(&job, &rows).unwrap();
    assert_eq!(
        table.render(Format::Text, ValuesAs::Games),
        " 1 = 0 (1 follower)\n11 = * (3 followers)\n"
    );
    assert_eq!(
        table.render(Format::Csv, ValuesAs::Games),
        "position,n,value,followers\n1,1,0,1\n11,2,*,3\n"
    );
}

#[test]
fn values_of_csv_and_json_are_notation_and_numbers_are_numbers() {
    let job = grid_job();
    let values = ["^", "^<2>*", "-1", "{1|*}"];
    let table = table(&job, &rows(&job, &values)).unwrap();
    let text = table.render(Format::Csv, ValuesAs::Games);
    let mut csv = csv::Reader::from_reader(text.as_bytes());
    let arena = Arena::new();
    let mut calculator = arena.calculator();
    for (record, expected) in csv.records().zip(values.chunks(2)) {
        for (field, expected) in record.unwrap().iter().skip(1).zip(expected) {
            let (found, expected) = (calculator.parse(field), calculator.parse(expected));
            assert_eq!(found.unwrap(), expected.unwrap(), "{field}");
        }
    }
    assert_eq!(
        serde_json::json!(table),
        serde_json::json!({ "title": "Two pots", "source": null, "tables": [{
            "name": "table",
            "columns": ["x\\y", "1", "12"],
            "rows": [
                { "x\\y": 2, "1": "^", "12": "^<2>*" },
                { "x\\y": 3, "1": "-1", "12": "{1|*}" },
            ],
        }] })
    );
}

#[test]
fn printed_tables_read_back() {
    let [text, .., csv] = formats(&sequences_job(), &SEQUENCES);
    let mut csv = csv::Reader::from_reader(csv.as_bytes());
    assert_eq!(csv.headers().unwrap(), vec!["position", "n", "value"]);
    let csv: Vec<String> = (csv.records())
        .map(|record| record.unwrap())
        .map(|record| format!("{} = {}", &record[0], &record[2]))
        .collect();
    let mut cells: Vec<String> = text
        .lines()
        .flat_map(|line| line.split("  "))
        .map(|cell| cell.trim().to_owned())
        .filter(|cell| !cell.is_empty())
        .collect();
    let mut expected = csv.clone();
    cells.sort();
    expected.sort();
    assert_eq!(cells, expected);
    let values: Vec<&str> = csv
        .iter()
        .map(|line| line.split(" = ").nth(1).unwrap())
        .collect();
    assert_eq!(values, SEQUENCES);
}

#[test]
fn a_result_of_another_length_is_refused() {
    let job = list_job();
    let mut short = rows(&job, &LIST);
    short.pop();
    let error = table(&job, &short).unwrap_err().to_string();
    assert!(
        error.contains("has 5 positions, but its result has 4 rows"),
        "{error}"
    );
    let long = [rows(&job, &LIST), rows(&job, &LIST)].concat();
    let error = table(&job, &long).unwrap_err().to_string();
    assert!(error.contains("has 10 rows"), "{error}");
}

#[test]
fn a_table_too_large_is_refused() {
    let job = job("sowing", "impartial", "[family]\nall = { pots_max = 9 }\n");
    let error = table(&job, &[]).unwrap_err().to_string();
    assert!(error.contains("at most 200000 are laid out"), "{error}");
}

#[test]
fn every_entry_of_the_papers_games_becomes_facts() {
    let of_paper = |fact: &Cited<Fact>| [Game::SOWING, Game::ATOMIC_WARI].contains(&fact.game);
    let facts: Vec<Cited<Fact>> = facts().into_iter().filter(of_paper).collect();
    let count = |game: &str, play, kind: fn(&Statement) -> bool| {
        let facts = facts
            .iter()
            .filter(|fact| fact.game.name() == game && fact.play == play);
        facts.filter(|fact| kind(&fact.statement)).count()
    };
    let value = |statement: &Statement| matches!(statement, Statement::Value { .. });
    let theorem = |statement: &Statement| matches!(statement, Statement::Theorem(_));
    let weight = |statement: &Statement| matches!(statement, Statement::AtomicWeight { .. });
    let sum = |statement: &Statement| matches!(statement, Statement::Sum { .. });
    let sparse = |statement: &Statement| matches!(statement, Statement::Sparse);
    let runs = |statement: &Statement| matches!(statement, Statement::DeuceRuns { .. });
    let (sowing, wari) = ("sowing", "atomic-wari");
    let (partisan, impartial) = (Play::Partisan, Play::Impartial);
    let mut total = 0;
    let mut expect = |game: &str, play, kind: fn(&Statement) -> bool, expected: usize| {
        assert_eq!(count(game, play, kind), expected);
        total += expected;
    };
    expect(sowing, partisan, value, 65);
    expect(sowing, partisan, theorem, 5);
    expect(sowing, impartial, value, 73);
    expect(wari, partisan, value, 103);
    expect(wari, partisan, theorem, 1);
    expect(wari, partisan, weight, 100);
    expect(wari, impartial, value, 5);
    for play in Play::ALL {
        expect(sowing, play, sum, 2);
        expect(wari, play, sum, 2);
        expect(wari, play, sparse, 1);
        expect(wari, play, runs, 1);
    }
    assert_eq!(facts.len(), total, "all facts are of these kinds");
    for fact in &facts {
        assert!(fact.citation.starts_with("Erickson 1996, ") || fact.citation.contains("omputed"));
    }
    let erratum = facts.iter().find(|fact| fact.label == "2111").unwrap();
    assert_eq!(erratum.citation, "Erickson 1996, Table 1");
    let printed = erratum.printed.as_ref().unwrap();
    assert_eq!(printed.position.as_ref().unwrap().to_string(), "211");
}

#[test]
fn reference_data_of_other_games_is_toml() {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/reference");
    for name in ["obligated.toml", "tchoukaillon.toml"] {
        let text = std::fs::read_to_string(dir.join(name)).unwrap();
        let table: toml::Table = text
            .parse()
            .unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(table.len() > 3, "{name}");
    }
}

#[test]
fn faults_in_the_reference_are_reported_with_file_and_key() {
    let head = "game = \"sowing\"\nsource = \"Book\"\n";
    for (text, message) in [
        (
            "[[partisan]]\nposition = \"3x\"\nvalue = \"0\"\ncite = \"1\"",
            "r.toml: partisan[0].position: expected a position",
        ),
        (
            "[[partisan]]\nposition = \"3\"\nvalue = \"{1\"\ncite = \"1\"",
            "r.toml: partisan[0].value: expected a value",
        ),
        (
            "[[partisan]]\nposition = \"3\"\ncite = \"1\"",
            "r.toml: partisan[0]: expected either value or outcome, found neither",
        ),
        (
            "[[partisan]]\nposition = \"3\"\nvalue = \"0\"\noutcome = \"P\"\ncite = \"1\"",
            "r.toml: partisan[0]: expected either value or outcome, found both",
        ),
        (
            "[[partisan]]\nposition = \"3\"\noutcome = \"Left\"\ncite = \"1\"",
            "r.toml: partisan[0].outcome: expected N, P, L, R, found Left",
        ),
        (
            "[impartial]\n\"11\" = -1\n[impartial_cite]\ndefault = \"1\"",
            "r.toml: impartial.11: expected a value or a nim-value, found -1",
        ),
        (
            "[impartial]\n\"11\" = 1",
            "r.toml: impartial_cite.11: expected a citation",
        ),
        (
            "[impartial_print]\n\"11\" = \"x\"",
            "r.toml: impartial_print: expected positions of [impartial], found 11",
        ),
        (
            "[[partisan_sequence]]\npattern = \"1^n\"\ncite = \"1\"\nfrom = 1\nvalues = [\"0\"]\nprint = { 7 = \"x\" }",
            "r.toml: partisan_sequence[0].print: expected numbers that have a value, found 7",
        ),
        (
            "[[theorem]]\npattern = \"1^n\"\ncite = \"1\"\nvalue = \"n\"",
            "r.toml: theorem[0].least: expected a number for each variable",
        ),
        (
            "[[theorem]]\npattern = \"1^n\"\ncite = \"1\"\nleast = { n = 1 }\nvalue = \"k\"",
            "r.toml: theorem[0].value: expected a value",
        ),
        ("[[sums]]", "unknown field `sums`"),
    ] {
        let error = reference::parse(&format!("{head}{text}"), Path::new("r.toml")).unwrap_err();
        let error = error.to_string();
        assert!(
            error.contains(message) && error.contains("r.toml"),
            "{error}"
        );
    }
    let error = reference::load(Files::Folder(Path::new("/nowhere")))
        .unwrap_err()
        .to_string();
    assert!(error.contains("sowing.toml"), "{error}");
}

/// A job about these positions of partisan Sowing, and its rows.
fn listed(positions: &[&str], values: &[&str]) -> (Job, Vec<PositionRow>) {
    let job = job(
        "sowing",
        "partisan",
        &format!("[family]\npositions = {positions:?}\n"),
    );
    let rows = rows(&job, values);
    (job, rows)
}

#[test]
fn a_wrong_value_is_a_disagreement() {
    let (job, rows) = listed(&["2111", "12202", "11"], &["1/2", "1/8", "{0|0}"]);
    let report = check(&job, &rows, &facts());
    assert!(!report.passed());
    assert_eq!(report.disagreements.len(), 1);
    let wrong = &report.disagreements[0];
    assert_eq!((&wrong.expected[..], &wrong.found[..]), ("1/4", "1/8"));
    assert_eq!(wrong.position, "12202");
    let text = report.to_string();
    let line = "disagreement: 12202: expected 1/4, found 1/8 (Erickson 1996, Table 1; ";
    assert!(text.starts_with(line), "{text}");
    assert!(text.contains("sowing.toml: partisan[3])\n"), "{text}");
    // 2111, and 11 in Table 1 and as 1^2 in Table 2.
    assert_eq!(report.agreements, 3);
}

#[test]
fn a_mirror_image_has_the_outcome_exchanged() {
    let (job, rows) = listed(&["1112"], &["-1/2"]);
    let mut row = rows.into_iter().next().unwrap();
    row.outcome = Some("R".into());
    let of_2111 = |class: &str| {
        let text = format!(
            "game = \"sowing\"\nsource = \"Book\"\n\
             [[partisan]]\nposition = \"2111\"\noutcome = {class:?}\ncite = \"1\"\n"
        );
        reference::parse(&text, Path::new("r.toml")).unwrap()
    };
    let checked = |class: &str| {
        let rows = [row.clone()];
        check(&job, &rows, &of_2111(class))
    };
    assert_eq!((checked("L").agreements, checked("L").passed()), (1, true));
    let wrong = &checked("R").disagreements[0];
    assert_eq!(
        (&wrong.expected[..], &wrong.found[..]),
        ("outcome L", "outcome R")
    );
}

#[test]
fn a_mirror_image_agrees_with_the_value_negated() {
    let (job, rows) = listed(&["1112", "20221", "213"], &["-1/2", "-1/4", "{2|0}"]);
    let report = check(&job, &rows, &facts());
    assert_eq!((report.agreements, report.passed()), (3, true), "{report}");
    let (job, rows) = listed(&["1112"], &["1/2"]);
    let report = check(&job, &rows, &facts());
    assert_eq!(report.disagreements[0].expected, "-1/2");
    assert_eq!(report.disagreements[0].fact, "2111");
}

#[test]
fn full_pots_with_any_number_of_seeds_are_the_same() {
    let (job, rows) = listed(&["2[99]2"], &["*"]);
    let report = check(&job, &rows, &facts());
    assert_eq!(report.agreements, 1, "{report}");
    assert_eq!(report.disagreements, []);
}

#[test]
fn a_misprint_is_a_finding_with_both_values() {
    let job = paper_job("table-1.toml");
    let report = check(&job, &evaluated(&job), &facts());
    assert!(report.passed(), "{report}");
    let finding = report
        .findings
        .iter()
        .find(|finding| finding.position == "2111")
        .unwrap();
    assert_eq!(
        finding.to_string(),
        "Erickson 1996, Table 1: 2111 = 1/2; in print 211 = 1/2, which evaluates to *; \
         the table prints 211 = 1/2; the author's erratum says 2111"
    );
    let json = serde_json::to_value(&report).unwrap();
    assert_eq!(json["findings"][0]["printed_position_value"], "*");
    assert_eq!(json["disagreements"], serde_json::json!([]));
}

#[test]
fn a_value_too_long_for_the_result_differs_from_a_short_published_one() {
    let (job, rows) = listed(&["2111"], &[""]);
    let report = check(&job, &rows, &facts());
    let found = &report.disagreements[0].found;
    assert!(found.contains("more than 4096 characters"), "{found}");
    assert!(found.contains("5e5e5e5e"), "{found}");
}

#[test]
fn theorems_hold_for_every_case_among_the_positions() {
    let facts = facts();
    // Their positions have exponentially many followers, so the test uses small m and n.
    for (name, cases) in [
        ("theorem-2-2.toml", 9),
        ("theorem-2-3.toml", 8),
        ("theorem-2-4.toml", 2),
        ("theorem-2-5.toml", 4),
    ] {
        let small = paper_job(name).header.text.replace("..=12", "..=2");
        let job = Job::parse(&small, Path::new(name), Path::new("")).unwrap();
        assert_eq!(strips(&job).family.len(), cases);
        let report = check(&job, &evaluated(&job), &facts);
        assert!(report.passed(), "{report}");
        assert!(report.agreements as u64 >= cases, "{report}");
    }
}

#[test]
fn followers_are_compared_if_they_were_counted() {
    let job = job(
        "sowing",
        "partisan",
        "[family]\npattern = \"1^n\"\nn = \"5..=6\"\n",
    );
    let mut rows = evaluated(&job);
    let report = check(&job, &evaluated(&job), &facts());
    let agreements = report.agreements;
    for row in &mut rows {
        let position = Sowing.position(&row.position.parse().unwrap()).unwrap();
        let control = seedbank::engine::Control::default();
        let followers = count_followers(&Sowing, &position, &control).unwrap();
        row.followers = Some(followers as i64);
    }
    let report = check(&job, &rows, &facts());
    assert_eq!(report.agreements, agreements + 2, "{report}");
    let mut rows = evaluated(&job);
    rows[1].followers = Some(30);
    let report = check(&job, &rows, &facts());
    assert_eq!(report.disagreements[0].expected, "at least 31 followers");
    assert_eq!(report.disagreements[0].found, "30 followers");
}

#[test]
fn sums_are_compared_if_all_components_are_present() {
    let positions = ["1200021", "12", "21", "110ee1", "110e", "e1"];
    let values = ["0", "-1", "1", "{1|0}", "{1|0}", "0"];
    let (job, rows) = listed(&positions, &values);
    let facts: Vec<Cited<Fact>> = facts()
        .into_iter()
        .filter(|fact| matches!(fact.statement, Statement::Sum { .. }))
        .collect();
    let report = check(&job, &rows, &facts);
    assert_eq!(
        (report.agreements, report.findings.len()),
        (2, 1),
        "{report}"
    );
    let (job, rows) = listed(&positions[..3], &["*", "-1", "1"]);
    let report = check(&job, &rows, &facts);
    assert_eq!(report.disagreements[0].expected, "0, the sum of 12 + 21");
    assert_eq!(report.not_covered, 1);
}

#[test]
fn theorem_3_1_is_checked_on_every_sparse_position() {
    let job = job(
        "atomic-wari",
        "partisan",
        "[family]\npositions = [\"22\", \"2102\", \"222\", \"33\", \"2222\"]\n",
    );
    let facts = facts();
    let report = check(&job, &evaluated(&job), &facts);
    assert!(report.passed(), "{report}");
    // 22, 222 and 2222 are runs of deuces; 22 and 33 are in Table 5, each with its weight.
    let (sparse, deuces, values, weights) = (4, 3, 2, 2);
    assert_eq!(
        report.agreements,
        sparse + deuces + values + weights,
        "{report}"
    );
    let wrong = rows(&job, &["*2", "*", "*", "*2", "*"]);
    let report = check(&job, &wrong, &facts);
    let found: Vec<(&str, &str)> = (report.disagreements.iter())
        .map(|wrong| (&wrong.position[..], &wrong.expected[..]))
        .collect();
    assert_eq!(found, [("2102", "0"), ("222", "0"), ("222", "0")]);
}

#[test]
fn facts_of_other_games_and_boards_do_not_apply() {
    let spec = "[family]\npositions = [\"312\"]\n";
    let job = job("atomic-wari", "partisan", spec);
    let report = check(&job, &rows(&job, &["^"]), &facts());
    assert_eq!((report.agreements, report.passed()), (1, true), "{report}");
    let board = Job::parse(
        &job.header.text.replace("play =", "pots = 5\nplay ="),
        Path::new("b.toml"),
        Path::new(""),
    );
    let board = board.unwrap();
    let report = check(&board, &rows(&board, &["*5"]), &facts());
    assert_eq!((report.agreements, report.not_covered), (0, 0));
    assert!(report.passed());
}

#[test]
fn a_wrong_atomic_weight_is_a_disagreement() {
    let spec = "[family]\npositions = [\"23\", \"42\", \"0130001300\"]\n";
    let job = job("atomic-wari", "partisan", spec);
    let values = ["{*,^|0,*}", "v<2>*", "^2"];
    let report = check(&job, &rows(&job, &values), &facts());
    // Each position has a value and a weight; in Table 5 its mirror image does, too.
    assert_eq!((report.agreements, report.passed()), (10, true), "{report}");
    let mut rows = rows(&job, &values);
    for (row, weight) in rows.iter_mut().zip([2, 0, 1]) {
        row.value.as_mut().unwrap().atomic_weight = Some(weight.to_string().into());
        row.value.as_mut().unwrap().atomic_weight_number = Some(f64::from(weight));
    }
    let report = check(&job, &rows, &facts());
    let wrong = report.disagreements.iter();
    let mut wrong: Vec<[&str; 3]> = wrong
        .map(|wrong| [&wrong.position, &wrong.expected, &wrong.found].map(|text| &text[..]))
        .collect();
    wrong.dedup();
    assert_eq!(
        wrong,
        [
            ["23", "atomic weight 1", "atomic weight 2"],
            ["0130001300", "atomic weight 2", "atomic weight 1"]
        ]
    );
}

#[test]
fn facts_that_no_job_covers_are_listed() {
    let facts = facts();
    let reports: Vec<CheckReport> = ["table-1.toml", "table-5.toml"]
        .map(|name| {
            let job = paper_job(name);
            check(&job, &evaluated(&job), &facts)
        })
        .into();
    assert!(reports.iter().all(CheckReport::passed), "{}", reports[1]);
    let left = not_covered_by_any(facts.len(), &reports);
    let left: Vec<&Cited<Fact>> = left.into_iter().map(|number| &facts[number]).collect();
    assert!(left.len() < facts.len());
    assert!(left.iter().all(|fact| !fact.citation.ends_with("Table 5")));
    let value = |fact: &&&Cited<Fact>| matches!(fact.statement, Statement::Value { .. });
    let table_1 = left
        .iter()
        .filter(value)
        .filter(|fact| fact.citation.ends_with("Table 1"));
    assert_eq!(table_1.count(), 0);
}

#[test]
fn the_papers_tables_agree_with_the_rules() {
    let facts = facts();
    for name in ["table-2.toml", "table-4.toml", "theorem-3-1.toml"] {
        let mut job = paper_job(name);
        // The longest rows take too long for a test.
        let short = job
            .header
            .text
            .replace("1..=11", "1..=9")
            .replace("1..=12", "1..=9");
        job = Job::parse(&short, Path::new(name), Path::new("")).unwrap();
        let report = check(&job, &evaluated(&job), &facts);
        assert!(report.passed(), "{report}");
        assert!(report.agreements > 10, "{report}");
    }
}
