//! Nim-values of heaps per second: `cargo bench --bench heaps`.
//!
//! Each game's values are found from nothing, speculative and verified, with one thread and with
//! two; the fastest of some rounds counts. Under `cargo test` there are few heaps, and only their
//! values are checked.

use std::time::{Duration, Instant};

use seedbank::engine::nim_values::{HeapNimValues, Standing, Trust, p_positions, reference};

/// A game, and the number of its heaps to value.
struct Workload {
    game: &'static str,
    heaps: usize,
}

const WORKLOADS: [Workload; 11] = [
    Workload {
        game: "0.37",
        heaps: 10_000_000,
    },
    Workload {
        game: "0.16",
        heaps: 1_000_000,
    },
    Workload {
        game: "0.104",
        heaps: 1_000_000,
    },
    Workload {
        game: "0.106",
        heaps: 1_000_000,
    },
    Workload {
        game: "0.324",
        heaps: 1_000_000,
    },
    Workload {
        game: "0.126",
        heaps: 50_000,
    },
    Workload {
        game: "0.764",
        heaps: 20_000,
    },
    Workload {
        game: "0.564",
        heaps: 50_000,
    },
    Workload {
        game: "0.007",
        heaps: 50_000,
    },
    Workload {
        game: "0.06",
        heaps: 40_000,
    },
    Workload {
        game: "grundy",
        heaps: 2_000_000,
    },
];

/// The number of heaps under `cargo test`, which are compared with their definition.
const HEAPS_TESTED: usize = 3000;
/// The number of times that each case is timed.
const ROUNDS: usize = 3;

fn main() {
    let measured = std::env::args().any(|argument| argument == "--bench");
    if measured {
        println!(
            "{:<8} {:>9}  {:<11} {:>7} {:>8} {:>10}",
            "game", "heaps", "values", "threads", "seconds", "heaps/s"
        );
    }
    for Workload { game, heaps } in WORKLOADS {
        for trust in [Trust::Speculative, Trust::Verified] {
            for threads in [1, 2] {
                if measured {
                    let rounds = (0..ROUNDS).map(|_| timed(game, heaps, trust, threads).0);
                    let seconds = rounds.min().unwrap_or_default().as_secs_f64();
                    let way = match trust {
                        Trust::Speculative => "speculative",
                        Trust::Verified => "verified",
                    };
                    println!(
                        "{game:<8} {heaps:>9}  {way:<11} {threads:>7} {seconds:>8.3} {:>10.0}",
                        heaps as f64 / seconds
                    );
                } else {
                    let (_, values) = timed(game, HEAPS_TESTED, trust, threads);
                    check(game, &values);
                }
            }
        }
    }
}

/// Finds the values of a game's heaps, and returns the time taken.
fn timed(game: &str, heaps: usize, trust: Trust, threads: usize) -> (Duration, HeapNimValues) {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let mut values = HeapNimValues::new(game.parse().expect("a game"));
    let start = Instant::now();
    let standing = pool
        .expect("the system has threads")
        .install(|| values.extend(heaps, trust, &|| false))
        .expect("small values");
    let took = start.elapsed();
    if trust == Trust::Verified {
        assert_eq!(standing, Standing::Verified { to: heaps }, "{game}");
    }
    (took, values)
}

/// Compares values with their definition.
fn check(game: &str, values: &HeapNimValues) {
    let slow = reference::nim_values(values.game(), HEAPS_TESTED);
    let values = values.values();
    let wrong = (0..HEAPS_TESTED).find(|&n| u32::from(values[n]) != slow[n]);
    assert_eq!(wrong, None, "{game}");
    assert_eq!(
        p_positions(0, values).count(),
        slow.iter().filter(|&&value| value == 0).count(),
        "{game}"
    );
}
