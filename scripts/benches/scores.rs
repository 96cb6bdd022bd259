//! Positions of scored games per second: `cargo bench --bench scores`.
//!
//! Each game's tiers are scored from nothing, with one thread and with two. Then starting positions
//! of Kalah are searched, and tiers scored as the search goes on. `visits` is the mean number of times that a
//! position is scored. Under `cargo test` there are few tiers, and their scores are compared with
//! the reference's.

use std::time::Instant;

use bytesize::ByteSize;
use seedbank::board::two_rows::TwoRows;
use seedbank::engine::Control;
use seedbank::engine::reference::ReferenceScores;
use seedbank::engine::scores::{ScoreSearch, Scores, positions_of};
use seedbank::game::scored::{Capture, Kalah, Scored, Wari};

const KALAH: Kalah = Kalah {
    capture: Capture::Empty,
};

/// The most seeds of the tiers below a search.
const SEEDS_SCORED: u32 = 20;

/// The memory for transpositions.
const MEMORY: ByteSize = ByteSize::gib(1);

fn main() {
    let is_measured = std::env::args().any(|argument| argument == "--bench");
    if !is_measured {
        check(KALAH);
        check(Wari::WARI);
        check(Wari::AWARI);
        check(Wari::OWARE);
        return;
    }
    println!(
        "{:<12} {:>5} {:>7} {:>8} {:>11} {:>6} {:>11} {:>11}",
        "game", "seeds", "threads", "seconds", "positions", "visits", "positions/s", "visits/s"
    );
    for threads in [1, 2] {
        tiers(KALAH, 18, threads);
        tiers(Wari::WARI, 14, threads);
        tiers(Wari::AWARI, 16, threads);
        tiers(Wari::OWARE, 14, threads);
    }
    println!(
        "\n{:<12} {:>7} {:>8} {:>11} {:>11} {:>6}",
        "start", "threads", "seconds", "searched", "searched/s", "margin"
    );
    for (pits, seeds) in [(4, 4), (4, 6), (6, 3), (5, 4), (5, 5), (6, 4)] {
        for threads in [1, 2] {
            search(pits, seeds, threads);
        }
    }
}

/// Scores all positions of six pits a side with at most `seeds_max` seeds.
fn tiers<G: Scored>(game: G, seeds_max: u32, threads: usize) {
    let start = Instant::now();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let scores = pool
        .expect("the system has threads")
        .install(|| Scores::up_to(game, 6, seeds_max, &Control::default()))
        .expect("nothing stops it");
    let seconds = start.elapsed().as_secs_f64();
    let positions = (0..=seeds_max)
        .filter_map(|seeds| positions_of(6, seeds))
        .sum::<u64>() as f64;
    let visits = scores.visited() as f64;
    println!(
        "{:<12} {seeds_max:>5} {threads:>7} {seconds:>8.2} {positions:>11.0} {:>6.1} {:>11.0} {:>11.0}",
        game.id(),
        visits / positions,
        positions / seconds,
        visits / seconds
    );
}

/// Finds the margin of a starting position of Kalah, including the time to score tiers.
fn search(pits: usize, seeds: u32, threads: usize) {
    let start = Instant::now();
    let control = Control::default();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let scored = (SEEDS_SCORED, &pool.expect("the system has threads"));
    let side = vec![seeds.to_string(); pits].join(" ");
    let position: TwoRows = format!("{side} / {side}").parse().expect("a position");
    let mut search =
        ScoreSearch::growing(KALAH, pits, scored, MEMORY, &control).expect("the system has memory");
    let margin = search.margin(&position).expect("nothing stops it");
    let seconds = start.elapsed().as_secs_f64();
    println!(
        "{:<12} {threads:>7} {seconds:>8.2} {:>11} {:>11.0} {margin:>6}",
        format!("kalah({pits},{seeds})"),
        search.searched,
        search.searched as f64 / seconds
    );
}

/// Compares scores with their definition.
fn check<G: Scored>(game: G) {
    let scores = Scores::up_to(game, 6, 3, &Control::default()).expect("nothing stops it");
    let mut reference = ReferenceScores::new(game);
    for rank in 0..scores.numbering().positions(3) {
        let position = scores.numbering().unrank(3, rank);
        assert_eq!(
            scores.get(&position),
            Some(reference.margin(&position)),
            "{position}"
        );
    }
}
