//! Random command lines from a grammar: each ends soon or reports progress, uses little memory, and
//! does not panic.
//!
//! `SEEDBANK_COMMAND_LINES=6000` tries 6,000 lines instead of 80. `SEEDBANK_SEED` sets the seed of
//! the random numbers.

#![cfg(target_os = "linux")]

use std::fs;
use std::io::Read;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::thread::{self, JoinHandle, sleep};
use std::time::{Duration, Instant};

use crate::common::alone::alone;

/// The most processor time that a command may use in silence. The dev profile takes up to five
/// times as long as the release profile.
const CPU_MAX: Duration = Duration::from_secs(if cfg!(debug_assertions) { 50 } else { 10 });

/// The longest silence of a command that takes more than [`CPU_MAX`]: a command reports progress
/// every ten seconds.
const SILENCE_MAX: Duration = Duration::from_secs(15);

/// A command that has printed something is interrupted after this time: it has shown that it
/// reports.
const REPORTS: Duration = Duration::from_secs(8);

/// A command that has printed nothing is interrupted after this time.
const WAIT: Duration = Duration::from_secs(25);

/// The time within which a command ends after SIGINT.
const INTERRUPT_MAX: Duration = Duration::from_secs(5);

/// The memory that no command exceeds.
const MEMORY_MAX_KIB: i64 = 1 << 20;

/// The most characters of a command line.
const CHARS_MAX: usize = 500;

/// The grammar, with the source of its choices.
struct Grammar(fastrand::Rng);

impl Grammar {
    /// Returns a number from 0 to `most`, inclusive.
    fn up_to(&mut self, most: usize) -> usize {
        self.0.usize(..=most)
    }

    fn of<T: Clone>(&mut self, choices: &[T]) -> T {
        choices[self.up_to(choices.len() - 1)].clone()
    }

    /// Returns true once in `times` calls, on average.
    fn once_in(&mut self, times: usize) -> bool {
        self.up_to(times - 1) == 0
    }

    /// Returns a number: mostly small, sometimes of any size.
    fn number(&mut self) -> String {
        match self.up_to(9) {
            0 => format!("{}", self.up_to(1_000_000)),
            1 => self
                .of(&["255", "256", "1000000", "4294967296", "9223372036854775807"])
                .to_owned(),
            2 if self.once_in(3) => "9".repeat(1 + self.up_to(60)),
            _ => format!("{}", self.up_to(12)),
        }
    }

    fn range(&mut self) -> String {
        let (first, last) = (self.number(), self.number());
        match self.up_to(4) {
            0 => format!("{first}..{last}"),
            1 => format!("[{first}, {last}]"),
            2 => first,
            _ => format!("{first}..={last}"),
        }
    }

    fn value(&mut self, depth: usize) -> String {
        let number = self.number();
        let atom = match self.up_to(11) {
            0 => format!("*{number}"),
            1 => format!("^<{number}>"),
            2 => format!("v[{number}]*"),
            3 => format!("{number}/{}", 1u64 << self.up_to(40)),
            4 => format!("{number}.^*{}", self.number()),
            5 => "^^^".to_owned(),
            6 => format!("-{number}"),
            7 => "*".to_owned(),
            _ => number,
        };
        if depth == 0 {
            return atom;
        }
        let mut inner = || self.value(depth - 1);
        let (a, b, c) = (inner(), inner(), inner());
        match self.up_to(9) {
            0 => format!("{{{a}|{b}}}"),
            1 => format!("{{{a},{b}|{c}}}"),
            2 => format!("{{{a}||{b}|{c}}}"),
            3 => format!("+-{{{a}|{b}}}"),
            4 => format!("({a})+({b})-{c}"),
            5 => format!("Tiny({a})"),
            6 => format!("Miny({a}) - {b}"),
            7 => format!("-({a})"),
            8 => format!("{a} + {b}"),
            _ => atom,
        }
    }

    fn position(&mut self) -> String {
        let mut text = String::new();
        if self.once_in(6) {
            text += self.of(&["...e ", "e "]);
        }
        for _ in 0..=self.up_to(3) {
            let pot = match self.up_to(6) {
                0 => format!("[{}]", self.number()),
                1 => "n".to_owned(),
                2 => format!("({}{})", self.up_to(3), self.up_to(3)),
                3 => format!("({}^{} 0)", self.up_to(3), self.number()),
                _ => format!("{}", self.up_to(9)),
            };
            text += &pot;
            if self.once_in(3) {
                text += &match self.up_to(3) {
                    0 => "^n".to_owned(),
                    1 if self.once_in(2) => format!("^{}", self.up_to(9999)),
                    1 => format!("^{}", self.number()),
                    _ => format!("^{}", self.up_to(5)),
                };
            }
            text.push(' ');
        }
        if self.once_in(6) {
            text += self.of(&["e...", "e"]);
        }
        text.trim().to_owned()
    }

    fn component(&mut self) -> String {
        let (a, b) = (self.number(), self.number());
        match self.up_to(8) {
            0 => format!("wythoff({a},{b})"),
            1 => format!("knight({a},{b})"),
            2 => format!("nim({a},{b},{})", self.number()),
            3 => format!("checkers({a},{b})"),
            4 => format!("kayles({a})"),
            5 => format!("0.{}({a})", self.digits()),
            6 => format!("grundy({a})"),
            7 => format!("subtraction({a},{b})({})", self.number()),
            _ => format!("dawsons-chess({a})"),
        }
    }

    fn digits(&mut self) -> String {
        (0..=self.up_to(9))
            .map(|_| self.of(&['0', '1', '3', '7', '7', 'f']))
            .collect()
    }

    fn generator(&mut self) -> String {
        let names = [
            "path", "star", "cycle", "grid", "ladder", "tree", "complete", "random", "acyclic",
        ];
        let name = self.of(&names);
        let arguments: Vec<String> = (0..=self.up_to(3)).map(|_| self.number()).collect();
        format!("{name}({})", arguments.join(","))
    }

    fn strips(&mut self, command: &str) -> Vec<String> {
        let mut line = vec![command.to_owned()];
        line.extend([
            "--game".to_owned(),
            self.of(&["sowing", "atomic-wari"]).to_owned(),
        ]);
        line.extend([
            "--play".to_owned(),
            self.of(&["partisan", "impartial"]).to_owned(),
        ]);
        if self.once_in(2) {
            line.extend(["--set".to_owned(), format!("n={}", self.range())]);
        }
        line.extend((0..=self.up_to(1)).map(|_| self.position()));
        if command == "eval" && self.once_in(3) {
            line.push("--moves".to_owned());
        }
        if command == "eval" && self.once_in(6) {
            line.push(format!("{} + {}", self.position(), self.value(1)));
        }
        if self.once_in(8) {
            line.push(
                self.of(&["--json", "--followers", "--pots=7", "--nimbers=3"])
                    .to_owned(),
            );
        }
        line
    }

    fn heaps(&mut self) -> Vec<String> {
        let mut line = vec!["eval".to_owned(), "--game".to_owned()];
        match self.up_to(2) {
            0 => line.extend([
                "octal".to_owned(),
                "--code".to_owned(),
                format!("0.{}", self.digits()),
            ]),
            1 => line.push("grundy".to_owned()),
            _ => {
                let set = format!("{},{},{}", self.number(), self.number(), self.number());
                line.extend(["subtraction".to_owned(), "--set-of".to_owned(), set]);
            }
        }
        if self.once_in(2) {
            line.push("--period".to_owned());
        }
        if self.once_in(3) {
            line.push("--sum=obligated".to_owned());
        }
        line.push(self.range());
        line
    }

    fn sum(&mut self) -> Vec<String> {
        let mut line = vec!["eval".to_owned(), "--game".to_owned()];
        line.push(self.of(&["disjunctive", "obligated"]).to_owned());
        let components: Vec<String> = (0..=self.up_to(3)).map(|_| self.component()).collect();
        line.push(components.join(" + "));
        if self.once_in(2) {
            line.push("--moves".to_owned());
        }
        line
    }

    fn tchoukaillon(&mut self) -> Vec<String> {
        let mut line = vec!["tchoukaillon".to_owned()];
        match self.up_to(4) {
            0 => line.extend(["board".to_owned(), self.range()]),
            1 => line.extend(["length".to_owned(), self.range()]),
            2 => line.extend(["board-length".to_owned(), self.range()]),
            3 => line.extend(["play".to_owned(), self.number()]),
            _ => {
                line.extend(["reconstruct", "--numbering"].map(str::to_owned));
                line.push(self.of(&["b", "beta"]).to_owned());
                for _ in 0..=self.up_to(3) {
                    line.extend([
                        "--bin".to_owned(),
                        format!("{}={}", self.number(), self.number()),
                    ]);
                }
                if self.once_in(4) {
                    line.push(self.of(&["--residues", "--long", "--next=5"]).to_owned());
                }
            }
        }
        line
    }

    fn values(&mut self) -> Vec<String> {
        let mut line = vec!["value".to_owned()];
        if self.once_in(4) {
            line.push(format!(
                "--{}={}",
                self.of(&["cool", "heat"]),
                self.value(0)
            ));
        }
        line.extend((0..=self.up_to(1)).map(|_| {
            let depth = self.up_to(3);
            self.value(depth)
        }));
        line
    }

    /// Returns a command on a job spec, and writes the spec to a file.
    fn job(&mut self, spec: &Path) -> Vec<String> {
        let game = self.of(&["sowing", "atomic-wari"]);
        let play = self.of(&["partisan", "impartial"]);
        let ruleset = match self.up_to(3) {
            0 => format!("game = \"octal\"\ncode = \"0.{}\"", self.digits()),
            1 => "game = \"tchoukaillon\"".to_owned(),
            2 => "game = \"sowing-graph\"".to_owned(),
            _ => format!("game = \"{game}\"\nplay = \"{play}\""),
        };
        let family = match (&ruleset, self.up_to(2)) {
            (ruleset, 0) if ruleset.contains("octal") => {
                format!(
                    "codes = {{ digits = {} }}\nheaps_max = {}",
                    self.number(),
                    self.number()
                )
            }
            (ruleset, _) if ruleset.contains("octal") => format!("heaps = \"{}\"", self.range()),
            (ruleset, 0) if ruleset.contains("graph") => {
                format!(
                    "graphs = [\"{}\", \"{}\"]",
                    self.generator(),
                    self.generator()
                )
            }
            (ruleset, _) if ruleset.contains("graph") => {
                format!(
                    "graphs = \"{}(1..={})\"",
                    self.of(&["complete", "path", "cycle"]),
                    self.number()
                )
            }
            (ruleset, 0) if ruleset.contains("tchou") => format!("lengths = \"{}\"", self.range()),
            (ruleset, _) if ruleset.contains("tchou") => format!("boards = \"{}\"", self.range()),
            (_, 0) => format!("all = {{ pots_max = {} }}", self.number()),
            (_, 1) => {
                let (count, pots, seeds) = (self.number(), self.number(), self.number());
                format!(
                    "sample = {{ count = {count}, seed = 1, pots_max = {pots}, seeds_max = {seeds} }}"
                )
            }
            _ => format!(
                "pattern = \"{}\"\nn = \"{}\"",
                self.position(),
                self.range()
            ),
        };
        let further = match self.up_to(4) {
            0 => "[columns]\nfollowers = true\ndepth = true\n".to_owned(),
            1 => format!(
                "[witness]\nvalue = \"{}\"\nfewest = \"seeds\"\n",
                self.value(1)
            ),
            2 => "[witness]\neach = \"value\"\nfewest = \"pots\"\n".to_owned(),
            _ => String::new(),
        };
        // Only a ruleset of heaps has the key `code`; families of codes do not.
        let ruleset = match family.starts_with("codes") {
            true => "game = \"octal\"".to_owned(),
            false => ruleset,
        };
        let text =
            format!("name = \"random\"\n[ruleset]\n{ruleset}\n[family]\n{family}\n{further}");
        fs::write(spec, text).expect("the folder is ours");
        let command = self.of(&["plan", "plan", "status", "run", "table", "report", "check"]);
        let mut line = vec![command.to_owned(), spec.display().to_string()];
        if command == "run" {
            line.push("--time-limit=2s".to_owned());
        } else if command == "plan" && self.once_in(2) {
            line.push("--measure".to_owned());
        }
        line
    }

    /// Returns a command line, sometimes one with a fault in it.
    fn line(&mut self, spec: &Path) -> Vec<String> {
        let mut line = match self.up_to(11) {
            0 | 1 => self.strips("eval"),
            2 => self.strips("outcome"),
            3 | 4 => self.heaps(),
            5 => self.sum(),
            6 => self.tchoukaillon(),
            7 => ["graph", "--generate", &self.generator()]
                .map(str::to_owned)
                .to_vec(),
            8 => self.job(spec),
            _ => self.values(),
        };
        if self.once_in(12) {
            let place = self.up_to(line.len() - 1);
            let odd = self.of(&[
                "",
                "-",
                "--",
                "-1",
                "--json",
                "\u{1b}[31m",
                "é",
                "999",
                "\n",
            ]);
            line[place] = odd.to_owned();
        }
        line
    }
}

/// How a command ended.
struct Ended {
    status: libc::c_int,
    cpu: Duration,
    memory_kib: i64,
    stderr: String,
    /// The longest time in which the command printed nothing.
    silence: Duration,
    interrupted: bool,
    wall_after_interrupt: Duration,
}

/// Returns the status and the resources of a process that has ended.
fn reap(pid: i32) -> Option<(libc::c_int, libc::rusage)> {
    let mut status = 0;
    // SAFETY: zeros are a valid `rusage`, which has numbers only.
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    // SAFETY: both pointers are to values of ours that outlive the call; the process is our child,
    // and no other thread waits for it.
    let reaped = unsafe { libc::wait4(pid, &mut status, libc::WNOHANG, &mut usage) };
    (reaped == pid).then_some((status, usage))
}

/// The number of bytes kept from the end of a stream.
const TAIL_MAX: usize = 1 << 20;

/// Reads a stream to its end, adds the number of bytes read to `printed`, and returns at least its
/// last [`TAIL_MAX`] bytes.
fn collect(mut stream: impl Read + Send + 'static, printed: &Arc<AtomicU64>) -> JoinHandle<String> {
    let printed = Arc::clone(printed);
    thread::spawn(move || {
        let mut buffer = vec![0; 1 << 16];
        let mut text = Vec::new();
        while let Ok(read @ 1..) = stream.read(&mut buffer) {
            printed.fetch_add(read as u64, Relaxed);
            text.extend_from_slice(&buffer[..read]);
            if text.len() > 2 * TAIL_MAX {
                text.drain(..text.len() - TAIL_MAX);
            }
        }
        String::from_utf8_lossy(&text).into_owned()
    })
}

#[expect(
    clippy::zombie_processes,
    reason = "`reap` waits, and reads the resources used"
)]
fn run(line: &[String], folder: &Path) -> Ended {
    let mut command = Command::new(env!("CARGO_BIN_EXE_seedbank"));
    // SAFETY: between fork and exec only a system call is made. Background jobs of a shell ignore
    // SIGINT, and commands that leave SIGINT to the system inherit that.
    unsafe {
        command.pre_exec(|| {
            libc::signal(libc::SIGINT, libc::SIG_DFL);
            Ok(())
        });
    }
    let mut child: Child = command
        .args(line)
        .current_dir(folder)
        .env_remove("SEEDBANK_LOG")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command starts");
    let printed = Arc::new(AtomicU64::new(0));
    let out = collect(child.stdout.take().expect("it is piped"), &printed);
    let err = collect(child.stderr.take().expect("it is piped"), &printed);
    let pid = i32::try_from(child.id()).expect("process numbers are small");
    let started = Instant::now();
    let mut interrupted: Option<Instant> = None;
    let mut last_print = (0, started);
    let mut silence = Duration::ZERO;
    let (status, usage) = loop {
        if let Some(ended) = reap(pid) {
            break ended;
        }
        match interrupted {
            None if started.elapsed() > WAIT || last_print.1 > started + REPORTS => {
                interrupted = Some(Instant::now());
                // SAFETY: sends a signal to a child that has not been reaped.
                unsafe { libc::kill(pid, libc::SIGINT) };
            }
            Some(at) if at.elapsed() > 4 * INTERRUPT_MAX => {
                // SAFETY: as above.
                unsafe { libc::kill(pid, libc::SIGKILL) };
            }
            _ => {}
        }
        let bytes = printed.load(Relaxed);
        if bytes > last_print.0 {
            last_print = (bytes, Instant::now());
        }
        silence = silence.max(last_print.1.elapsed());
        sleep(Duration::from_millis(2));
    };
    out.join().expect("it only reads");
    let time = |time: libc::timeval| {
        Duration::from_secs(time.tv_sec as u64) + Duration::from_micros(time.tv_usec as u64)
    };
    Ended {
        status,
        cpu: time(usage.ru_utime) + time(usage.ru_stime),
        memory_kib: usage.ru_maxrss,
        stderr: err.join().expect("it only reads"),
        silence,
        interrupted: interrupted.is_some(),
        wall_after_interrupt: interrupted.map_or(Duration::ZERO, |at| at.elapsed()),
    }
}

/// Returns every fault in how a command ended.
fn wrong(ended: &Ended) -> Option<String> {
    let code = libc::WIFEXITED(ended.status).then(|| libc::WEXITSTATUS(ended.status));
    // A command that only prints leaves Ctrl-C to the system.
    let by_interrupt = libc::WIFSIGNALED(ended.status)
        && libc::WTERMSIG(ended.status) == libc::SIGINT
        && ended.interrupted;
    if ended.stderr.contains("panicked") {
        return Some("panicked".to_owned());
    }
    if !matches!(code, Some(0 | 1 | 2 | 4 | 75 | 130)) && !by_interrupt {
        return Some(format!("ended with {:?}", ended.status));
    }
    if ended.interrupted && ended.wall_after_interrupt > INTERRUPT_MAX {
        return Some(format!(
            "took {:?} to end after SIGINT",
            ended.wall_after_interrupt
        ));
    }
    if ended.cpu > CPU_MAX && ended.silence > SILENCE_MAX {
        return Some(format!("{:?}, {:?} in silence", ended.cpu, ended.silence));
    }
    if ended.memory_kib > MEMORY_MAX_KIB {
        return Some(format!("{} MiB", ended.memory_kib >> 10));
    }
    None
}

#[test]
fn no_command_line_is_silent_for_long_or_panics() {
    alone(
        "command_lines::no_command_line_is_silent_for_long_or_panics",
        lines_are_tried,
    );
}

fn lines_are_tried() {
    let number = |name: &str, default: u64| {
        std::env::var(name).map_or(default, |text| text.parse().expect("a number"))
    };
    let lines = number("SEEDBANK_COMMAND_LINES", 80);
    let seed = number("SEEDBANK_SEED", 29);
    let lanes: Vec<Tried> = thread::scope(|scope| {
        let lanes = [0, 1].map(|lane| scope.spawn(move || tried(lines / 2, 2 * seed + lane)));
        lanes
            .map(|lane| lane.join().expect("it does not panic"))
            .into()
    });
    for lane in &lanes {
        println!(
            "longest: {:?}\nlargest: {:?} KiB",
            lane.longest, lane.largest
        );
    }
    let failures: Vec<&str> = lanes
        .iter()
        .flat_map(|lane| lane.failures.iter().map(String::as_str))
        .collect();
    assert!(
        failures.is_empty(),
        "{} of {lines}:\n{}",
        failures.len(),
        failures.join("\n")
    );
}

/// The result of running some command lines.
#[derive(Default)]
struct Tried {
    failures: Vec<String>,
    /// The commands that took the most processor time and the most memory in KiB.
    longest: (Duration, String),
    largest: (i64, String),
}

fn tried(lines: u64, seed: u64) -> Tried {
    let mut grammar = Grammar(fastrand::Rng::with_seed(seed));
    let dir = tempfile::tempdir().expect("a temporary directory");
    let spec = dir.path().join("random.toml");
    let mut tried = Tried::default();
    for _ in 0..lines {
        let line = grammar.line(&spec);
        let text = format!("{line:?}");
        if text.len() > CHARS_MAX {
            continue;
        }
        let ended = run(&line, dir.path());
        if let Some(wrong) = wrong(&ended) {
            let spec = match text.contains("random.toml") {
                true => fs::read_to_string(&spec).unwrap_or_default(),
                false => String::new(),
            };
            let stderr = ended.stderr.lines().last().unwrap_or_default();
            let failure = format!("{text}: {wrong}: {stderr}\n{spec}");
            println!("{failure}");
            tried.failures.push(failure);
        }
        if ended.cpu > tried.longest.0 {
            tried.longest = (ended.cpu, text.clone());
        }
        if ended.memory_kib > tried.largest.0 {
            tried.largest = (ended.memory_kib, text);
        }
    }
    tried
}
