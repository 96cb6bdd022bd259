//! The fuzz targets of `scripts/fuzz`, for a few seconds each, with bytes that resemble their
//! inputs.

#[path = "../scripts/fuzz/targets.rs"]
mod targets;

use std::time::{Duration, Instant};

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

/// How long each target runs.
const TIME: Duration = Duration::from_secs(2);

/// Runs a target with texts: arbitrary bytes, and pieces of typical inputs in any order.
fn texts(target: fn(&[u8]), pieces: &'static [&'static str]) {
    let piece = prop_oneof![
        8 => prop::sample::select(pieces).prop_map(|piece| piece.as_bytes().to_vec()),
        1 => vec(any::<u8>(), 1..4),
    ];
    fuzz(target, vec(piece, 0..24).prop_map(|pieces| pieces.concat()));
}

fn fuzz(target: fn(&[u8]), data: impl Strategy<Value = Vec<u8>>) {
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &[7; 32]);
    let mut runner = TestRunner::new_with_rng(Config::default(), rng);
    let started = Instant::now();
    let mut runs = 0;
    // The first hundred are the same in every run of this test, however slow the machine is.
    while runs < 100 || started.elapsed() < TIME {
        let data = data.new_tree(&mut runner).unwrap().current();
        target(&data);
        runs += 1;
    }
    println!("{runs} runs");
}

#[test]
fn notation() {
    let pieces = &[
        "{", "}", "|", "||", "|||", ",", "+-", "*", "^", "v", "0", "1", "-", "/", "2", "17", "1/4",
        "^2", "^^", ".", "+", "(", ")", "Tiny", "Miny", " ", "pm", "^*", "*3", "↑", "±", "999999",
        "{0|-2}", "{1|*}", "^[3]", "v*2",
    ];
    texts(targets::notation, pieces);
}

#[test]
fn patterns() {
    let pieces = &[
        "1",
        "2",
        "0",
        "^",
        "n",
        "m",
        "(",
        ")",
        "[",
        "]",
        " ",
        "e",
        "...",
        "...e",
        "e...",
        "10",
        "^n",
        "^(n+1)",
        "[12]",
        "-",
        "+",
        "*",
        "[x]",
        "{",
        "}",
        "255",
        "99999999999999999999",
        "1^n",
        "0^3",
        ",",
    ];
    texts(targets::patterns, pieces);
}

#[test]
fn job_specs() {
    let pieces = &[
        "name = \"a\"\n",
        "[ruleset]\n",
        "game = \"sowing\"\n",
        "game = \"octal\"\n",
        "game = \"atomic-wari\"\n",
        "play = \"partisan\"\n",
        "play = \"impartial\"\n",
        "[family]\n",
        "pattern = \"1^n\"\n",
        "n = \"1..=4\"\n",
        "n = 7\n",
        "positions = [\"312\"]\n",
        "file = \"none.txt\"\n",
        "all = { pots_max = 3, seeds_max = 2 }\n",
        "sample = { count = 3, seed = 1, pots_max = 2, seeds_max = 2 }\n",
        "[witness]\n",
        "[table]\n",
        "[output]\n",
        "layout = \"grid\"\n",
        "code = \"0.77\"\n",
        "sum = \"obligated\"\n",
        "heaps = \"0..=9\"\n",
        "title = \"",
        "\"\n",
        "[[family]]\n",
        "=",
        "\n",
        "#",
        "é",
        "columns = [\"depth\"]\n",
        "board = 5\n",
        "digits = 3\n",
        "999999999999",
    ];
    texts(targets::job_specs, pieces);
}

#[test]
fn segments() {
    // Mostly a few changed bytes with right checksums, because these pass the most checks.
    let mode = prop_oneof![6 => Just(1u8), 1 => Just(0), 1 => Just(255)];
    let change = (0..2000u16, any::<u8>()).prop_map(|(at, with)| {
        let [low, high] = at.to_le_bytes();
        [low, high, with]
    });
    let data = (mode, vec(change, 0..4)).prop_map(|(mode, changes)| {
        let mut data = vec![mode];
        data.extend(changes.concat());
        data
    });
    fuzz(targets::segments, data);
}
