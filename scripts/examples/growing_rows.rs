//! Rows of partisan Sowing with repeated words whose values have larger and larger denominators:
//!
//! ```console
//! $ cargo run --release --example growing_rows -- 10
//! ...
//! ```
//!
//! The argument is the greatest size. The rows are `u r^n w x^n y`, where all words but `r` may be
//! empty, with nothing, a full pot or endless full pots at either end. The size is that of the words:
//! one for each pot and each seed, three for a full pot. No pot of the endless words `r r r ...` and
//! `x x x ...` can be sown. Listed are the rows whose values for n = 1, 2 and 3 are numbers with
//! growing denominators, or infinitesimally close to such numbers; the list also has the numbers for n
//! = 4 and 5, `hot` in place of other values, and `open` for values that take more than 1,000,000
//! positions or have too long rows. *Undecided* rows take more than 1,000 positions, without those
//! of earlier rows, for n = 1, 2 or 3.

use std::env;
use std::error::Error;
use std::process::ExitCode;

use seedbank::engine::{CanonicalForms, Engine, NothingKnown, Search};
use seedbank::game::{Ruleset, Sowing};
use seedbank::value::Dyadic;

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
        return Err("argument: the greatest size".into());
    };
    let greatest: u8 = (greatest.parse())
        .map_err(|error| format!("{greatest}: the greatest size, up to 255: {error}"))?;
    for size in 1..=greatest.into() {
        let found = growing(size);
        found.growing.iter().for_each(|row| println!("{row}"));
        println!(
            "size {size}: rows {}, undecided {}, growing {}",
            found.rows,
            found.undecided,
            found.growing.len()
        );
    }
    Ok(())
}

/// The rows of one size.
#[derive(Default)]
struct Found {
    rows: u64,
    undecided: u64,
    /// Those with growing denominators, and their numbers.
    growing: Vec<String>,
}

/// The words `u`, `r`, `w`, `x` and `y`.
type Words<'w> = [&'w str; 5];

/// Looks for rows of this size with growing denominators.
fn growing(size: usize) -> Found {
    let engine = Engine::new(Sowing, CanonicalForms::default());
    let mut search = engine.search(&NothingKnown);
    let words: Vec<Vec<String>> = (0..=size).map(words_of).collect();
    let mut found = Found::default();
    each_row(&words, &[], size, &mut |[u, r, w, x, y]| {
        let lefts = ["", "e", "...e"].into_iter();
        for (left, right) in lefts.flat_map(|left| ["", "e", "e..."].map(|right| (left, right))) {
            let row = |n| format!("{left}{u}{}{w}{}{y}{right}", r.repeat(n), x.repeat(n));
            // Empty pots at an end do not count.
            if row(1).starts_with('0') || row(1).ends_with('0') {
                continue;
            }
            found.rows += 1;
            match first_numbers(&mut search, row) {
                Ok(Some(mut numbers)) => {
                    numbers.extend(
                        [4, 5].map(|n| match number(&mut search, &row(n), 1_000_000) {
                            Ok(Some(number)) => number.to_string(),
                            Ok(None) => "hot".to_owned(),
                            Err(TooLarge) => "open".to_owned(),
                        }),
                    );
                    let x = if x.is_empty() {
                        ""
                    } else {
                        &format!("({x})^n")
                    };
                    let row = [left, u, &format!("({r})^n"), w, x, y, right];
                    let row = row.into_iter().filter(|word| !word.is_empty());
                    let row = row.collect::<Vec<_>>().join(" ");
                    found.growing.push(format!("{row}: {}", numbers.join(" ")));
                }
                Ok(None) => {}
                Err(TooLarge) => found.undecided += 1,
            }
        }
    });
    found
}

/// Returns the numbers for n = 1, 2, 3 if their denominators grow.
pub(crate) fn first_numbers(
    search: &mut Search<'_, Sowing, CanonicalForms>,
    row: impl Fn(usize) -> String,
) -> Result<Option<Vec<String>>, TooLarge> {
    let mut numbers: Vec<Dyadic> = Vec::new();
    for n in 1..=3 {
        match number(search, &row(n), 1_000)? {
            Some(next)
                if numbers
                    .last()
                    .is_none_or(|last| last.exponent() < next.exponent()) =>
            {
                numbers.push(next);
            }
            _ => return Ok(None),
        }
    }
    Ok(Some(numbers.iter().map(Dyadic::to_string).collect()))
}

/// Visits the words of all rows of this size that begin with the given words.
fn each_row<'w>(
    all_words: &'w [Vec<String>],
    begun: &[&'w str],
    size: usize,
    visit: &mut impl FnMut(Words<'w>),
) {
    if let Ok(row) = Words::try_from(begun) {
        if size == 0 {
            visit(row);
        }
        return;
    }
    for (taken, words) in all_words[..=size].iter().enumerate() {
        for word in words.iter().filter(|word| goes_on(begun, word)) {
            each_row(all_words, &[begun, &[word]].concat(), size - taken, visit);
        }
    }
}

/// Returns whether a word may follow the first words of a row, so that most rows are visited once.
fn goes_on(begun: &[&str], word: &str) -> bool {
    let is_repeated = |before: &str| before.chars().last() != word.chars().last() && is_still(word);
    match *begun {
        [before] => !word.is_empty() && is_repeated(before),
        [_, _, before] => word.is_empty() || is_repeated(before),
        [_, repeated] | [_, _, _, repeated] if !repeated.is_empty() => !word.starts_with(repeated),
        [_, _, _, _] => word.is_empty(),
        _ => true,
    }
}

/// Returns whether no pot of the endlessly repeated word can be sown, and not all pots are empty.
pub(crate) fn is_still(word: &str) -> bool {
    let pots: Vec<Option<u32>> = word.chars().map(|pot| pot.to_digit(10)).collect();
    let is_empty = |place: usize| pots[place % pots.len()] == Some(0);
    let is_still = |place: usize| match pots[place] {
        Some(seeds) if seeds > 0 => {
            let seeds = seeds as usize;
            is_empty(place + seeds) && is_empty(place + seeds * (pots.len() - 1))
        }
        _ => true,
    };
    (0..pots.len()).all(is_still) && !(0..pots.len()).all(is_empty)
}

/// Returns the words of this size.
pub(crate) fn words_of(size: usize) -> Vec<String> {
    if size == 0 {
        return vec![String::new()];
    }
    let pots = (0..=9)
        .map(|seeds| (1 + seeds, seeds.to_string()))
        .chain([(3, "e".to_owned())]);
    let begun = pots.filter(|(pot, _)| *pot <= size);
    let words = begun.flat_map(|(pot, text)| {
        words_of(size - pot)
            .into_iter()
            .map(move |word| format!("{text}{word}"))
    });
    words.collect()
}

/// The value of a row takes too many positions.
#[derive(Debug, PartialEq)]
pub(crate) struct TooLarge;

/// Returns the number that a row is worth, or is infinitesimally close to.
fn number(
    search: &mut Search<'_, Sowing, CanonicalForms>,
    row: &str,
    positions_max: u64,
) -> Result<Option<Dyadic>, TooLarge> {
    let row = row.parse().expect("a row");
    let position = Sowing.position(&row).map_err(|_| TooLarge)?;
    match search.evaluate_within(&position, positions_max) {
        Ok(Some(word)) => {
            let (arena, value) = (
                &search.engine().valuation.arena,
                CanonicalForms::value(word),
            );
            let stop = arena.left_stop(value);
            Ok((stop == arena.right_stop(value)).then_some(stop))
        }
        _ => Err(TooLarge),
    }
}
