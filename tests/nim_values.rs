//! Nim-values of many heaps against the definition, beyond the heaps that the unit tests of
//! `engine/nim_values` reach.
//!
//! The engines switch between methods as the number of heaps grows; in games with splits in two,
//! some switches come only beyond 131,072 heaps. Below a limit the test compares every value with
//! the reference. Beyond it the reference would take hours, so the test computes one heap in 97
//! from the definition and the values before it.
//!
//! `SEEDBANK_NIM_HEAPS=20000` compares 20,000 heaps, and some of 300,000, in games with splits in
//! two. In other games it compares a number of heaps that takes about the same time. An optimised
//! build takes two and a half minutes of processor time for this:
//!
//! ```text
//! SEEDBANK_NIM_HEAPS=20000 cargo test --release --test integration nim_values:: -- --nocapture
//! ```

use seedbank::engine::nim_values::{HeapNimValues, Trust, reference};
use seedbank::game::heap::HeapGame;

/// The distance between compared heaps where only some are compared. It is prime, so that they do
/// not all fall on one place of a period.
const STRIDE: usize = 97;

/// Games of one kind, and the heaps to compare.
struct Games {
    games: &'static [&'static str],
    /// Every heap of fewer tokens is compared.
    all_below: usize,
    /// One heap in [`STRIDE`] of at least `all_below` and fewer tokens than this is compared.
    some_below: usize,
}

/// Returns games of all kinds. `heaps` is the limit for games with splits in two; the others take
/// about the same time.
fn games(heaps: usize) -> [Games; 3] {
    let thirds = ((heaps * heaps) as f64).cbrt() as usize;
    [
        // Without splits a heap has few options.
        Games {
            games: &[
                "0.3123",
                "0.33033",
                "subtraction(2,5,90,130)",
                "subtraction(1,2,3,5000)",
            ],
            all_below: 30 * heaps,
            some_below: 100 * heaps,
        },
        // With splits in two, the number of options equals the number of tokens. In some of these
        // games few values soon become common, in others late or never.
        Games {
            games: &[
                "0.37", "0.007", "0.77", "0.104", "0.142", "0.174", "0.356", "4.7", "grundy",
            ],
            all_below: heaps,
            some_below: 15 * heaps,
        },
        // With splits in three, the number of options equals the square of the number of tokens.
        Games {
            games: &["0.8", "0.B9", "8.4F"],
            all_below: thirds,
            some_below: 3 * thirds,
        },
    ]
}

/// Returns the least number that no option of a heap has, from the values of smaller heaps.
fn least(game: &HeapGame, values: &[u16], heap: usize) -> usize {
    let mut is_taken = vec![false; 1 << u16::BITS];
    for option in game.options(heap) {
        let value = option.as_slice().iter().fold(0, |sum, &m| sum ^ values[m]);
        is_taken[usize::from(value)] = true;
    }
    let least = is_taken.iter().position(|&is_taken| !is_taken);
    least.expect("values are smaller")
}

/// Returns the first wrong heap among those compared.
fn wrong(game: &HeapGame, values: &[u16], all_below: usize) -> Option<usize> {
    let slow = reference::nim_values(game, all_below);
    let mut all = 0..all_below;
    let mut some = (all_below..values.len()).step_by(STRIDE);
    all.find(|&heap| u32::from(values[heap]) != slow[heap])
        .or_else(|| some.find(|&heap| usize::from(values[heap]) != least(game, values, heap)))
}

#[test]
fn values_of_many_heaps_agree_with_the_definition() {
    let heaps = std::env::var("SEEDBANK_NIM_HEAPS").map_or(2000, |heaps| {
        heaps.parse().expect("SEEDBANK_NIM_HEAPS is a number")
    });
    for kind in games(heaps) {
        for name in kind.games {
            let game: HeapGame = name.parse().expect("a game");
            let mut found = HeapNimValues::new(game.clone());
            let extended = found.extend(kind.some_below, Trust::Verified, &|| false);
            extended.expect("small values");
            let wrong = wrong(&game, found.values(), kind.all_below);
            assert_eq!(wrong, None, "{name}");
            let (all, some) = (kind.all_below, kind.some_below);
            println!("{name}: all heaps below {all}, some below {some}");
        }
    }
}

/// The check above can fail.
#[test]
fn a_wrong_value_of_a_heap_is_found() {
    let game: HeapGame = "0.77".parse().expect("a code");
    let mut found = HeapNimValues::new(game.clone());
    found
        .extend(3000, Trust::Verified, &|| false)
        .expect("small values");
    assert_eq!(wrong(&game, found.values(), 1000), None);
    for heap in [0, 999, 1000, 1000 + 7 * STRIDE] {
        let mut values = found.values().to_vec();
        values[heap] ^= 1;
        assert_eq!(wrong(&game, &values, 1000), Some(heap));
    }
}
