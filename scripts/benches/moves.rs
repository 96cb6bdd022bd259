//! Jobs over files of moves, positions per second: `cargo bench --bench moves`.
//!
//! A whole job is timed, on one thread: it reads the file, values the positions and writes their rows. The fastest of some rounds
//! counts. Under `cargo test` there are few positions, and only their number is checked.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use bytesize::ByteSize;
use seedbank::game::Play;
use seedbank::run::{CHECKPOINT_INTERVAL, Limits, Options, Outcome, Signals, Silent, run};
use seedbank::task::Job;

/// Games of few values: the moves of a position, and whether its line comes before those of its options.
const WORKLOADS: [(Play, usize, bool); 6] = [
    (Play::Impartial, 2, false),
    (Play::Impartial, 2, true),
    (Play::Impartial, 10, false),
    (Play::Partisan, 2, false),
    (Play::Partisan, 2, true),
    (Play::Partisan, 10, false),
];

/// The number of positions, and the number under `cargo test`.
const POSITIONS: [usize; 2] = [1_000_000, 500];
/// The number of times that each case is timed.
const ROUNDS: usize = 3;

fn main() {
    let measured = std::env::args().any(|argument| argument == "--bench");
    let positions = POSITIONS[usize::from(!measured)];
    if measured {
        println!(
            "{:<10} {:>5}  {:<6} {:>8} {:>12}",
            "play", "moves", "order", "seconds", "positions/s"
        );
    }
    for (play, moves, is_reversed) in WORKLOADS {
        let folder = tempfile::tempdir().expect("a temporary folder");
        write_game(folder.path(), play, positions, moves, is_reversed);
        let rounds = (0..if measured { ROUNDS } else { 1 })
            .map(|round| timed(folder.path(), round, positions));
        let seconds = rounds.min().unwrap_or_default().as_secs_f64();
        if measured {
            let order = if is_reversed { "before" } else { "after" };
            println!(
                "{:<10} {moves:>5}  {order:<6} {seconds:>8.3} {:>12.0}",
                play.name(),
                positions as f64 / seconds
            );
        }
    }
}

/// Writes a game and its job. Moves lead to some of the hundred positions before; of six partisan positions, the first has none.
fn write_game(folder: &Path, play: Play, positions: usize, moves: usize, is_reversed: bool) {
    let mut random = fastrand::Rng::with_seed(7);
    let mut lines = Vec::new();
    for position in 0..positions {
        let (depth, near) = (position % 6, position / 6 * 6);
        let mut list = |key: &str, number: usize| {
            let mut option = |n: usize| match play {
                Play::Impartial => position - 1 - random.usize(0..100),
                // Layers of six kinds, so that there are few values.
                Play::Partisan => {
                    near - 6 * (1 + random.usize(0..30)) + (n + key.len()) * 7 % depth
                }
            };
            let names = (0..number).map(|n| format!("\"p{}\"", option(n)));
            let names: Vec<String> = names.collect();
            format!(", {key:?}: [{}]", names.join(", "))
        };
        let lists = match play {
            _ if position < 200 => String::new(),
            Play::Impartial => list("options", moves),
            Play::Partisan if depth == 0 => String::new(),
            Play::Partisan => list("left", moves / 2) + &list("right", moves / 2),
        };
        lines.push(format!("{{\"position\": \"p{position}\"{lists}}}\n"));
    }
    if is_reversed {
        lines.reverse();
    }
    fs::write(folder.join("game.ndjson"), lines.concat()).expect("the folder is ours");
    let spec = format!(
        "name = \"game\"\n[ruleset]\ngame = \"moves\"\nplay = {:?}\nmoves = \"game.ndjson\"\n[family]\nall = true\n",
        play.name()
    );
    fs::write(folder.join("game.toml"), spec).expect("the folder is ours");
}

/// Runs the job and returns the time taken, that of reading the spec included.
fn timed(folder: &Path, round: usize, positions: usize) -> Duration {
    let start = Instant::now();
    let job = Job::load(&folder.join("game.toml")).expect("a sound spec");
    let options = Options {
        limits: Limits::new(1, ByteSize::gib(4)),
        checkpoint: CHECKPOINT_INTERVAL,
        store: folder.join(format!("store-{round}")),
        out: folder.join(format!("results-{round}")),
        row: None,
    };
    let outcome = run(&job, &options, &Signals::default(), &Silent).expect("the job runs");
    let took = start.elapsed();
    let Outcome::Finished(summary) = outcome else {
        panic!("the job did not finish");
    };
    assert_eq!(summary.rows, positions as u64);
    took
}
