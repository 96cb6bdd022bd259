//! The time of whole evaluations, and the memory that their positions and forms take.
//!
//! `scripts/bench` runs this. `workloads.toml` lists the workloads. Each is evaluated from nothing
//! with one worker and with two, through [`evaluate`], like the command `seedbank eval`. A sample
//! is one whole evaluation, so few samples suffice. Divan paces them and prints their spread. A
//! table of the fastest samples follows, with figures that Divan lacks: CPU time, positions, forms
//! and their bytes.
//!
//! A wrong value ends the benchmark: a wrong answer has no speed. Under `cargo test --bench
//! workloads` a list of small workloads runs instead, once each.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;
use std::process::ExitCode;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use bytesize::ByteSize;
use divan::Bencher;
use seedbank::board::{AnyBoard, BoardKind};
use seedbank::dataset::PositionRow;
use seedbank::evaluate::{Counts, Evaluation, evaluate};
use seedbank::family::{BoundPattern, Pattern};
use seedbank::game::{Game, Play};
use seedbank::run::{CHECKPOINT_INTERVAL, Limits, Options, Outcome, Session, Signals, Silent, run};
use seedbank::task::Job;
use serde::Deserialize;

/// The memory that an evaluation may take.
const MEMORY: ByteSize = ByteSize::gib(8);

/// The numbers of workers for each workload.
const THREADS: [usize; 2] = [1, 2];

fn main() -> ExitCode {
    let has = |wanted: fn(&str) -> bool| std::env::args().skip(1).any(|arg| wanted(&arg));
    // Divan's own list lacks names of cases.
    if is_benchmark() && has(|arg| arg == "--list") {
        for case in cases() {
            println!("{case}");
        }
        return ExitCode::SUCCESS;
    }
    divan::main();
    let measured = std::mem::take(&mut *MEASURED.lock().expect("no benchmark has failed"));
    if !measured.is_empty() {
        print!("\n{}", table(measured));
    } else if is_benchmark() && has(|arg| !arg.starts_with('-')) {
        eprintln!("no workload has such a name; \"scripts/bench --list\" prints the names");
        return ExitCode::from(2);
    }
    ExitCode::SUCCESS
}

/// Evaluates a workload five times, or until five seconds have passed.
#[divan::bench(args = cases(), sample_size = 1, sample_count = 5, max_time = 5, skip_ext_time)]
fn evaluation(bencher: Bencher<'_, '_>, case: &Case) {
    let mut samples = Vec::new();
    bencher.bench_local(|| {
        let (sample, evaluated) = case.sample();
        samples.push(sample);
        evaluated
    });
    MEASURED
        .lock()
        .expect("no benchmark has failed")
        .push(Measured {
            case: case.clone(),
            samples,
        });
}

/// The samples so far.
static MEASURED: Mutex<Vec<Measured>> = Mutex::new(Vec::new());

/// A workload with a number of workers, and its place in the list.
#[derive(Clone)]
struct Case {
    place: usize,
    workload: Arc<Workload>,
    threads: usize,
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/threads-{}", self.workload.name, self.threads)
    }
}

impl Case {
    /// Evaluates the workload once.
    fn sample(&self) -> (Sample, Option<Vec<PositionRow>>) {
        let Workload {
            game, play, rows, ..
        } = &*self.workload;
        if let Some(job) = &self.workload.job {
            return (self.search(job), None);
        }
        let evaluation = Evaluation::of(*game, *play);
        let limits = Limits::new(self.threads, MEMORY);
        let signals = Signals::default();
        let session = Session::new(limits, &signals, &Silent);
        let (started, cpu_before) = (Instant::now(), cpu_time());
        let mut found = Vec::new();
        let each = |_, row| found.push(row);
        let counts = evaluate(&evaluation, &session, rows, each)
            .unwrap_or_else(|error| panic!("{self}: {error}"));
        let sample = Sample {
            wall: started.elapsed(),
            cpu: cpu_time() - cpu_before,
            counts,
        };
        self.workload.check(&found);
        (sample, Some(found))
    }

    /// Searches a job's family for witnesses once, including the files of the census and the
    /// answer.
    fn search(&self, job: &Job) -> Sample {
        let scratch = tempfile::tempdir().expect("a temporary directory");
        let options = Options {
            limits: Limits::new(self.threads, MEMORY),
            checkpoint: CHECKPOINT_INTERVAL,
            store: scratch.path().join("store"),
            out: scratch.path().join("results"),
            row: None,
        };
        let (started, cpu_before) = (Instant::now(), cpu_time());
        let outcome = run(job, &options, &Signals::default(), &Silent)
            .unwrap_or_else(|error| panic!("{self}: {error}"));
        let (wall, cpu) = (started.elapsed(), cpu_time() - cpu_before);
        let Outcome::Finished(summary) = outcome else {
            panic!("{self}: the search did not finish");
        };
        let counts = Counts {
            positions: summary.rows,
            positions_held: 0,
            positions_bytes: 0,
            forms: summary.forms.unwrap_or(0),
            forms_bytes: 0,
        };
        Sample { wall, cpu, counts }
    }
}

/// Positions to evaluate together, or to search for witnesses.
struct Workload {
    name: String,
    game: Game,
    play: Play,
    rows: Vec<AnyBoard>,
    /// The search, if the positions are searched.
    job: Option<Job>,
    /// The value of the only position, if it is known.
    value: Option<String>,
}

impl Workload {
    fn check(&self, found: &[PositionRow]) {
        assert_eq!(found.len(), self.rows.len(), "{}: rows", self.name);
        if let Some(value) = &self.value {
            assert_eq!(
                found[0].value.as_ref().unwrap().value.as_deref(),
                Some(&**value),
                "{}: the value",
                self.name
            );
        }
    }
}

/// The cost of one evaluation.
#[derive(Clone, Copy)]
struct Sample {
    wall: Duration,
    cpu: Duration,
    counts: Counts,
}

/// All samples of a case.
struct Measured {
    case: Case,
    samples: Vec<Sample>,
}

const HEADINGS: [&str; 10] = [
    "workload",
    "threads",
    "wall s",
    "CPU s",
    "positions",
    "positions/s",
    "/CPU s",
    "forms",
    "bytes/position",
    "bytes/form",
];

/// Returns a table of the fastest samples.
fn table(mut measured: Vec<Measured>) -> String {
    measured.sort_by_key(|m| m.case.place);
    let mut lines = vec![HEADINGS.map(str::to_owned).to_vec()];
    lines.extend(measured.iter().map(Measured::cells));
    let widths: Vec<usize> = (0..HEADINGS.len())
        .map(|column| lines.iter().map(|cells| cells[column].len()).max())
        .map(|width| width.expect("there is a heading"))
        .collect();
    let mut table = String::new();
    for cells in lines {
        let (name, numbers) = cells.split_first().expect("a line begins with a name");
        table += &format!("{name:<width$}", width = widths[0]);
        for (cell, width) in numbers.iter().zip(&widths[1..]) {
            table += &format!("  {cell:>width$}");
        }
        table.push('\n');
    }
    table
}

impl Measured {
    fn cells(&self) -> Vec<String> {
        let least = |time: fn(&Sample) -> Duration| {
            let times = self.samples.iter().map(time);
            times.min().expect("a case has a sample").as_secs_f64()
        };
        let (wall, cpu) = (least(|s| s.wall), least(|s| s.cpu));
        let Counts {
            positions,
            positions_held,
            positions_bytes,
            forms,
            forms_bytes,
        } = self.samples[0].counts;
        let each = |bytes: u64, number: u64| match bytes {
            0 => "-".to_owned(),
            bytes => format!("{:.1}", bytes as f64 / number as f64),
        };
        let is_partisan = self.case.workload.play == Play::Partisan;
        let of_forms = |cell: String| if is_partisan { cell } else { "-".to_owned() };
        vec![
            self.case.workload.name.clone(),
            self.case.threads.to_string(),
            format!("{wall:.3}"),
            format!("{cpu:.3}"),
            positions.to_string(),
            format!("{:.0}", positions as f64 / wall),
            format!("{:.0}", positions as f64 / cpu),
            of_forms(forms.to_string()),
            each(positions_bytes, positions_held),
            of_forms(each(forms_bytes, forms)),
        ]
    }
}

/// Returns the CPU time that this process has taken, all threads together.
fn cpu_time() -> Duration {
    let mut time = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    // SAFETY: the pointer is to a timespec that lives through the call, which writes it and nothing
    // else.
    let status = unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &raw mut time) };
    assert_eq!(status, 0, "every process has a CPU clock");
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// Returns whether to measure times: Cargo passes `--bench` then, and nothing when it tests.
fn is_benchmark() -> bool {
    std::env::args().any(|arg| arg == "--bench")
}

fn cases() -> Vec<Case> {
    let list = if is_benchmark() {
        include_str!("workloads.toml")
    } else {
        SMALL
    };
    let list: List = toml::from_str(list).expect("a list of workloads");
    let mut cases = Vec::new();
    for spec in list.workload {
        let workload = Arc::new(spec.workload());
        cases.extend(THREADS.map(|threads| (workload.clone(), threads)));
    }
    let cases = cases.into_iter().enumerate();
    cases
        .map(|(place, (workload, threads))| Case {
            place,
            workload,
            threads,
        })
        .collect()
}

/// The file with the list of workloads.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct List {
    workload: Vec<Spec>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Spec {
    name: String,
    game: String,
    play: String,
    /// The positions to evaluate; empty if the workload has a family, all positions of which are
    /// counted.
    #[serde(default)]
    position: String,
    family: Option<String>,
    #[serde(default)]
    ranges: BTreeMap<char, String>,
    value: Option<String>,
}

impl Spec {
    fn workload(self) -> Workload {
        let name = &self.name;
        let wrong = |what: &str| -> ! { panic!("workload {name}: {what}") };
        let (game, play) = (&self.game, &self.play);
        let job = self.family.as_ref().map(|family| {
            let text = format!(
                "name = {name:?}\n[ruleset]\ngame = {game:?}\nplay = {play:?}\n[family]\n{family}\n\
                 [witness]\neach = \"nim_value\"\nfewest = \"pots\"\n"
            );
            Job::parse(&text, Path::new("workloads.toml"), Path::new("."))
                .unwrap_or_else(|error| wrong(&error.to_string()))
        });
        let game: Game = self.game.parse().unwrap_or_else(|_| wrong("game"));
        let position = if job.is_some() { "0" } else { &self.position };
        let kind = game.shape().kind();
        let rows = if kind == BoardKind::Grid {
            vec![kind.read(position).unwrap_or_else(|_| wrong("position"))]
        } else {
            let ranges = self.ranges.iter().map(|(&variable, range)| {
                let values = range.parse().unwrap_or_else(|_| wrong("the range"));
                (variable, values)
            });
            let pattern = Pattern::read(position, kind).unwrap_or_else(|_| wrong("position"));
            let sweep =
                BoundPattern::new(pattern, ranges.collect()).unwrap_or_else(|_| wrong("ranges"));
            (0..sweep.len()).map(|rank| sweep.get(rank).0).collect()
        };
        Workload {
            game,
            play: self.play.parse().unwrap_or_else(|_| wrong("play")),
            rows,
            job,
            value: self.value,
            name: self.name,
        }
    }
}

/// The workloads of a test run: each kind, small.
const SMALL: &str = r#"
    [[workload]]
    name = "sowing-1^7"
    game = "sowing"
    play = "partisan"
    position = "1^7"
    value = "*2"

    [[workload]]
    name = "atomic-wari-xy-3"
    game = "atomic-wari"
    play = "partisan"
    position = "x y"
    ranges = { x = "1..=3", y = "1..=3" }

    [[workload]]
    name = "sowing-impartial-1^3"
    game = "sowing"
    play = "impartial"
    position = "1^3"
    value = "*2"

    [[workload]]
    name = "coloured-sowing-both-2"
    game = "coloured-sowing"
    play = "partisan"
    position = "(br)^2"
    value = "*"

    [[workload]]
    name = "domineering-2x2"
    game = "grid-sowing"
    play = "partisan"
    position = "11/11"
    value = "+-1"

    [[workload]]
    name = "witness-sowing-pots-4"
    game = "sowing"
    play = "partisan"
    family = "all = { pots_max = 4 }"
"#;
