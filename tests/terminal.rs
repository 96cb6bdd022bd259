//! The bar as a terminal shows it: at several widths, across a resize, and when Ctrl-C is pressed
//! twice.

#![cfg(all(target_os = "linux", debug_assertions))]

use std::fs::File;
use std::io::{ErrorKind, Read};
use std::os::fd::{AsRawFd, FromRawFd};
use std::os::unix::fs::OpenOptionsExt;
use std::process::{Child, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::common::workspace::{Workspace, ended, heeding_signals, seedbank};

/// A job with one sweep.
const SWEPT: &str = "all = { pots_max = 7, order = \"pots\" }";

/// Longer than any of these steps takes on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// A screen that obeys the program's output, and reflows its rows when it is resized.
struct Screen {
    rows: Vec<Vec<char>>,
    row: usize,
    column: usize,
    columns: usize,
    /// The escape sequence that has not ended yet.
    sequence: Option<String>,
}

impl Screen {
    fn new(columns: usize) -> Screen {
        Screen {
            rows: vec![Vec::new()],
            row: 0,
            column: 0,
            columns,
            sequence: None,
        }
    }

    fn obey(&mut self, bytes: &[u8]) {
        for c in bytes.iter().map(|&byte| char::from(byte)) {
            if let Some(mut sequence) = self.sequence.take() {
                sequence.push(c);
                match c.is_ascii_alphabetic() {
                    true => self.obey_sequence(&sequence),
                    false => self.sequence = Some(sequence),
                }
                continue;
            }
            match c {
                '\x1b' => self.sequence = Some(String::new()),
                '\r' => self.column = 0,
                '\n' => {
                    self.row += 1;
                    self.column = 0;
                }
                c => self.put(c),
            }
        }
    }

    fn put(&mut self, c: char) {
        if self.column == self.columns {
            self.row += 1;
            self.column = 0;
        }
        self.rows
            .resize(self.rows.len().max(self.row + 1), Vec::new());
        let row = &mut self.rows[self.row];
        row.resize(row.len().max(self.column + 1), ' ');
        row[self.column] = c;
        self.column += 1;
    }

    fn obey_sequence(&mut self, sequence: &str) {
        let (numbers, letter) = sequence[1..].split_at(sequence.len() - 2);
        let number = numbers.parse().unwrap_or(1);
        self.rows
            .resize(self.rows.len().max(self.row + 1), Vec::new());
        match letter {
            "A" => self.row = self.row.saturating_sub(number),
            "B" => self.row += number,
            "C" => self.column += number,
            "D" => self.column = self.column.saturating_sub(number),
            "K" if numbers == "2" => self.rows[self.row].clear(),
            "K" => self.rows[self.row].truncate(self.column),
            "J" => {
                self.rows.truncate(self.row + 1);
                self.rows[self.row].truncate(self.column);
            }
            "m" => {}
            _ => panic!("unknown sequence {sequence:?}"),
        }
    }

    /// Wraps rows wider than the new width, as most terminals do.
    fn resize(&mut self, columns: usize) {
        let rows = std::mem::take(&mut self.rows);
        let cursor = self.row;
        for (at, row) in rows.iter().enumerate() {
            let first = self.rows.len();
            self.rows.extend(row.chunks(columns).map(<[char]>::to_vec));
            if row.is_empty() {
                self.rows.push(Vec::new());
            }
            if at == cursor {
                self.row = first + self.column.saturating_sub(1) / columns;
                self.column -= (self.row - first) * columns;
            }
        }
        self.columns = columns;
    }

    /// Returns the rows that are not empty.
    fn lines(&self) -> Vec<String> {
        let rows = self.rows.iter().map(|row| row.iter().collect::<String>());
        let rows = rows.map(|row| row.trim_end().to_owned());
        rows.filter(|row| !row.is_empty()).collect()
    }
}

/// A command on a separate terminal.
struct OnTerminal {
    child: Child,
    terminal: File,
    screen: Screen,
}

/// Opens a terminal and returns its two ends; ours is non-blocking.
///
/// Processes that other tests start meanwhile inherit neither end. With openpty(3) they could, and
/// a terminal that they hold open does not end.
pub(crate) fn opened() -> (File, File) {
    let mut options = File::options();
    let flags = libc::O_NOCTTY | libc::O_NONBLOCK;
    let ours = options.read(true).write(true).custom_flags(flags);
    let ours = ours.open("/dev/ptmx").expect("there are terminals");
    // SAFETY: the descriptor is open.
    assert_eq!(unsafe { libc::unlockpt(ours.as_raw_fd()) }, 0);
    let flags = libc::O_RDWR | libc::O_NOCTTY | libc::O_CLOEXEC;
    // SAFETY: the descriptor is open, and no memory is passed.
    let theirs = unsafe { libc::ioctl(ours.as_raw_fd(), libc::TIOCGPTPEER, flags) };
    assert!(theirs >= 0, "{}", std::io::Error::last_os_error());
    // SAFETY: the descriptor is open, and no other code closes it.
    (ours, unsafe { File::from_raw_fd(theirs) })
}

fn set_size(terminal: &File, columns: usize) {
    let size = libc::winsize {
        ws_row: 24,
        ws_col: columns as u16,
        ws_xpixel: 0,
        ws_ypixel: 0,
    };
    // SAFETY: the descriptor is open, and the size is read.
    let set = unsafe { libc::ioctl(terminal.as_raw_fd(), libc::TIOCSWINSZ, &size) };
    assert_eq!(set, 0);
}

impl OnTerminal {
    fn run(here: &Workspace, columns: usize) -> OnTerminal {
        let spec = here.spec("a-job-with-a-long-name", "sowing", "impartial", SWEPT);
        let spec = spec.to_str().expect("its path is text");
        OnTerminal::begin(here, columns, &["run", "--threads", "1", spec])
    }

    fn begin(here: &Workspace, columns: usize, arguments: &[&str]) -> OnTerminal {
        let (terminal, theirs) = opened();
        set_size(&terminal, columns);
        // A bar appears after two seconds.
        let child = heeding_signals(&mut here.held(seedbank(arguments), 1))
            .current_dir(here.path(""))
            .env("TERM", "xterm")
            .env_remove("NO_COLOR")
            .stdin(Stdio::null())
            .stdout(theirs.try_clone().unwrap())
            .stderr(theirs)
            .spawn()
            .unwrap();
        OnTerminal {
            child,
            terminal,
            screen: Screen::new(columns),
        }
    }

    fn resize(&mut self, columns: usize) {
        self.look();
        self.screen.resize(columns);
        set_size(&self.terminal, columns);
    }

    /// Takes the output so far; returns whether more may come.
    fn look(&mut self) -> bool {
        let mut bytes = [0; 4096];
        loop {
            match self.terminal.read(&mut bytes) {
                Ok(0) => return false,
                Ok(read) => self.screen.obey(&bytes[..read]),
                Err(error) if error.kind() == ErrorKind::WouldBlock => return true,
                // The other end is closed.
                Err(_) => return false,
            }
        }
    }

    /// Waits until the lines on the screen satisfy a condition.
    fn until(&mut self, what: &str, so: impl Fn(&[String]) -> bool) -> Vec<String> {
        let started = Instant::now();
        loop {
            self.look();
            let lines = self.screen.lines();
            if so(&lines) {
                return lines;
            }
            assert!(started.elapsed() < PATIENCE, "{what}: {lines:#?}");
            sleep(Duration::from_millis(5));
        }
    }

    fn interrupt(&self) {
        // SAFETY: the child is not reaped yet.
        unsafe { libc::kill(self.child.id() as i32, libc::SIGINT) };
    }

    fn end(&mut self) -> Option<i32> {
        while self.look() {
            sleep(Duration::from_millis(5));
        }
        self.child.wait().unwrap().code()
    }
}

impl Drop for OnTerminal {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Returns whether a line is a complete bar.
fn is_bar(line: &str) -> bool {
    line.contains("sweeping") && line.contains(" %") && line.contains("left")
}

#[test]
fn a_bar_fills_one_line_at_every_width_and_after_a_resize() {
    let here = Workspace::new();
    for columns in [40, 80, 120] {
        let mut run = OnTerminal::run(&here, columns);
        let lines = run.until("a bar", |lines| lines.iter().any(|line| is_bar(line)));
        assert_eq!(lines.len(), 1, "{columns}: {lines:#?}");
        assert!(lines[0].chars().count() < columns, "{columns}: {lines:#?}");
        assert!(
            columns < 80 || lines[0].contains('#') || lines[0].contains("--"),
            "{lines:#?}"
        );
        // A wider screen, a narrower one, and the original width.
        for other in [columns + 30, columns / 2 + 10, columns] {
            run.resize(other);
            sleep(Duration::from_millis(600));
            let lines = run.until("a bar", |lines| lines.iter().any(|line| is_bar(line)));
            assert_eq!(lines.len(), 1, "{columns}, then {other}: {lines:#?}");
            assert!(
                lines[0].chars().count() < other,
                "{columns}, then {other}: {lines:#?}"
            );
        }
    }
}

#[test]
fn a_second_ctrl_c_prints_a_separate_line_and_leaves_no_bar() {
    let here = Workspace::new();
    let mut run = OnTerminal::run(&here, 160);
    run.until("a bar", |lines| lines.iter().any(|line| is_bar(line)));
    run.interrupt();
    let warned = |lines: &[String]| lines.iter().any(|line| line.contains("stopping"));
    run.until("a warning", warned);
    run.interrupt();
    assert_eq!(run.end(), Some(130));
    let lines = run.screen.lines();
    let [warning, last] = &lines[..] else {
        panic!("{lines:#?}");
    };
    assert!(warning.contains("stopping within seconds"), "{lines:#?}");
    assert!(last.starts_with("stopped at once"), "{lines:#?}");
    assert_eq!(run.screen.column, 0, "the prompt has a line of its own");
}

#[test]
fn a_bar_shows_that_the_program_thinks_about_a_move() {
    let here = Workspace::new();
    let arguments = ["play", "--threads", "1", "-g", "sowing", "-p", "partisan"];
    let arguments = [&arguments[..], &["1111111111111112"]].concat();
    let mut run = OnTerminal::begin(&here, 80, &arguments);
    let is_bar = |line: &String| line.starts_with("play") && line.contains("positions/s");
    run.until("a bar", |lines| lines.iter().any(is_bar));
    run.interrupt();
    assert_eq!(run.end(), Some(130));
    assert!(
        !run.screen.lines().iter().any(is_bar),
        "{:#?}",
        run.screen.lines()
    );
}

#[test]
fn tables_shorten_long_values_for_readers_alone() {
    let here = Workspace::new();
    let rest = "play = \"partisan\"\n[family]\npattern = \"2^n\"\nn = \"5..=6\"";
    let spec = here.plain_spec("twos", "sowing", rest);
    here.finish(&spec, &[]);
    let (spec, out) = (spec.to_string_lossy(), here.path("out"));
    let arguments = ["table", &spec, "--out", out.to_str().expect("it is text")];
    let piped = |more: &[&str]| {
        let ended = ended(seedbank(&[&arguments[..], more].concat()));
        assert_eq!(ended.status, Some(0), "{ended:?}");
        ended.stdout
    };
    let text = piped(&[]);
    let whole = text.lines().find_map(|line| line.strip_prefix("222222 = "));
    let whole = whole.expect("a row").to_owned();
    assert!(whole.len() > 40, "{whole}");
    for more in [&["--format", "csv"][..], &["--json"]] {
        assert!(piped(more).contains(&whole), "{more:?}");
    }
    let markdown = piped(&["--format", "markdown"]);
    assert!(
        markdown.contains("…") && markdown.contains("--full prints them whole"),
        "{markdown}"
    );
    assert!(markdown.lines().all(|line| line.len() < 120), "{markdown}");
    let full = piped(&["--format", "markdown", "--full"]);
    assert!(!full.contains("…"), "{full}");
    let on_terminal = |more: &[&str]| {
        let mut run = OnTerminal::begin(&here, 200, &[&arguments[..], more].concat());
        assert_eq!(run.end(), Some(0));
        run.screen.lines()
    };
    let shown = on_terminal(&[]);
    let short = format!("222222 = {}", &whole[..39]);
    assert!(
        shown.iter().any(|line| line.starts_with(&short)),
        "{shown:#?}"
    );
    assert!(
        !shown.iter().any(|line| line.contains(&whole)),
        "{shown:#?}"
    );
    let shown = on_terminal(&["--full"]);
    assert!(
        shown.iter().any(|line| line.ends_with(&whole)),
        "{shown:#?}"
    );
}
