//! Positions of partisan Sowing that are worth 1/2, 1/4, 1/8, and so on without end:
//!
//! ```console
//! $ cargo run --release --example halve -- 3
//! ...
//! 1 e^2 3 = 1/2^1
//! 1 e^8 9 e 0 e [13] = 1/2^2
//! 1 e^18 [19] e^2 0 e^2 [25] e^2 0 e^2 [31] = 1/2^3
//! ```
//!
//! The argument is the greatest exponent. The reference engine finds the values: it makes the moves literally and simplifies games by
//! definition. `data/reference/FINDINGS.md` proves that the n-th position is worth 1/2^n.

use std::env;
use std::error::Error;
use std::process::ExitCode;

use seedbank::board::row::{Pot, Row};
use seedbank::engine::reference::ReferenceEngine;
use seedbank::game::Game;

#[allow(dead_code, reason = "a test uses the rest")]
fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &[String]) -> Result<(), Box<dyn Error>> {
    let [greatest] = arguments else {
        return Err("argument: the greatest exponent".into());
    };
    let greatest: u8 = (greatest.parse())
        .map_err(|error| format!("{greatest}: the greatest exponent, up to 255: {error}"))?;
    for exponent in 1..=greatest.into() {
        let row = halved(exponent);
        let text = shortened(&row);
        if !is_halved(&row, exponent)? {
            return Err(format!("{text} is not 1/2^{exponent}").into());
        }
        println!("{text} = 1/2^{exponent}");
    }
    Ok(())
}

/// Returns the position that is worth 1/2^n, for n >= 1.
///
/// Its first pot, the *target*, has one seed. Pot 2n(n + i - 1) + 1, counted from the target on, is an *arrow*, for i = 1, ..., n. It has
/// as many seeds as its number, so that Right can sow it into the target. The n-th pot after each arrow but the last is empty, and all
/// others are full.
pub(crate) fn halved(n: usize) -> Row {
    let arrow = |i: usize| 2 * n * (n + i - 1) + 1;
    let mut pots = vec![Pot::Full; arrow(n) + 1];
    pots[0] = Pot::Seeds(1);
    for i in 1..=n {
        pots[arrow(i)] = Pot::Seeds(arrow(i) as u32);
        if i < n {
            pots[arrow(i) + n] = Pot::Seeds(0);
        }
    }
    Row {
        pots,
        ..Row::default()
    }
}

/// Returns whether a row is worth 1/2^n.
pub(crate) fn is_halved(row: &Row, n: usize) -> Result<bool, Box<dyn Error>> {
    let mut engine = ReferenceEngine::new(Game::SOWING);
    let value = engine.canonical(row)?;
    let forms = engine.forms_mut();
    let zero = forms.canonical([], []);
    let mut power = forms.canonical([zero], []);
    for _ in 0..n {
        power = forms.canonical([zero], [power]);
    }
    Ok(value == power)
}

/// Returns the row as a pattern with exponents.
pub(crate) fn shortened(row: &Row) -> String {
    let runs = row.pots.chunk_by(|a, b| a == b).map(|run| {
        let pot = Row {
            pots: vec![run[0]],
            ..Row::default()
        };
        match run.len() {
            1 => pot.to_string(),
            pots => format!("{pot}^{pots}"),
        }
    });
    runs.collect::<Vec<_>>().join(" ")
}
