//! Checks the periods of a survey of octal codes by trying all moves of each heap, without the engines of seedbank:
//!
//! ```console
//! $ seedbank export heaps/obligated-codes-6 --format csv --column code --column equivalent --column sum \
//!       --column preperiod --column period | cargo run --release --example check_periods
//! 6173 periods agree
//! ```
//!
//! Of codes with equal sequences it takes the first. It values heaps up to twice the preperiod and the period, and one
//! more than the code has digits. If the values repeat so far, they always do (Winning Ways, chapter 4; for obligated
//! sums the same proof holds). The preperiod and the period must be the least ones. Takes time in the square of the
//! heaps of each code.

use std::io::{self, Read};
use std::process::ExitCode;

use rayon::prelude::*;

#[allow(dead_code, reason = "a test uses the rest")]
fn main() -> ExitCode {
    let mut table = String::new();
    if let Err(error) = io::stdin().read_to_string(&mut table) {
        eprintln!("standard input: {error}");
        return ExitCode::FAILURE;
    }
    match check(&table) {
        Ok(agree) => {
            println!("{agree} periods agree");
            ExitCode::SUCCESS
        }
        Err(wrong) => {
            eprintln!("{wrong}");
            ExitCode::FAILURE
        }
    }
}

/// Returns how many periods of a table agree; the first line names its columns.
///
/// # Errors
///
/// When a line is of another kind, or its values do not have the period.
pub(crate) fn check(table: &str) -> Result<usize, String> {
    const COLUMNS: &str = "code,equivalent,sum,preperiod,period";
    let mut lines = table.lines();
    if lines.next() != Some(COLUMNS) {
        return Err(format!("the first line must be {COLUMNS}"));
    }
    let lines: Vec<&str> = lines.collect();
    let agree = lines.par_iter().map(|line| {
        let cells: Vec<&str> = line.split(',').collect();
        let &[code, equivalent, sum, preperiod, period] = &cells[..] else {
            return Err(format!("{line}: five columns are needed"));
        };
        if code != equivalent || period.is_empty() {
            return Ok(0);
        }
        let number = |text: &str| {
            let number = text.parse::<usize>();
            number.map_err(|_| format!("{line}: {text:?} is no number"))
        };
        let digits = code.strip_prefix("0.").map(|digits| {
            let octal = digits.chars().map(|digit| digit.to_digit(8));
            octal.collect::<Option<Vec<u32>>>()
        });
        let Some(Some(digits)) = digits else {
            return Err(format!("{line}: {code} is no octal code"));
        };
        let (preperiod, period) = (number(preperiod)?, number(period)?);
        let heaps = 2 * (preperiod + period) + digits.len() + 1;
        let values = match sum {
            "obligated" => values::<Obligated>(&digits, heaps),
            "disjunctive" => values::<Disjunctive>(&digits, heaps),
            _ => {
                return Err(format!(
                    "{line}: the sum is neither obligated nor disjunctive"
                ));
            }
        };
        let repeats = |first: usize, period: usize| {
            (first..heaps - period).all(|heap| values[heap] == values[heap + period])
        };
        let mut shorter = (1..period).filter(|shorter| period.is_multiple_of(*shorter));
        let may_be_less = preperiod > 0 && repeats(preperiod - 1, period)
            || shorter.any(|shorter| repeats(preperiod, shorter));
        match period > 0 && repeats(preperiod, period) && !may_be_less {
            true => Ok(1),
            false => Err(format!("{line}: the values have another period")),
        }
    });
    agree.try_reduce(|| 0, |a, b| Ok(a + b))
}

/// A way of adding heaps: values as numbers, and the value of a position from its options.
trait Sum {
    /// What is known of the options so far.
    type Options: Default;

    fn add(g: u16, h: u16) -> u16;

    /// Notes an option, and returns whether no other one can change the value.
    fn see(options: &mut Self::Options, value: u16) -> bool;

    fn value(options: &Self::Options) -> u16;
}

/// Nim-values: the sum is exclusive or, the value the least number that no option has.
struct Disjunctive;

impl Sum for Disjunctive {
    type Options = Vec<bool>;

    fn add(g: u16, h: u16) -> u16 {
        g ^ h
    }

    fn see(options: &mut Vec<bool>, value: u16) -> bool {
        let value = usize::from(value);
        if options.len() <= value {
            options.resize(value + 1, false);
        }
        options[value] = true;
        false
    }

    fn value(options: &Vec<bool>) -> u16 {
        let least = options.iter().position(|&seen| !seen);
        least.unwrap_or(options.len()) as u16
    }
}

/// Two bits, for normal and for misère play: whether the player to move wins (Ferguson, Obligated Sums of Games).
struct Obligated;

impl Obligated {
    /// Theorem 1 for two components, of values 00, 01, 10 and 11.
    const SUMS: [[u16; 4]; 4] = [
        [0b00, 0b00, 0b11, 0b11],
        [0b00, 0b01, 0b10, 0b11],
        [0b11, 0b10, 0b01, 0b11],
        [0b11, 0b11, 0b11, 0b11],
    ];
}

impl Sum for Obligated {
    /// The value so far, and a third bit if there is an option.
    type Options = u16;

    fn add(g: u16, h: u16) -> u16 {
        Obligated::SUMS[usize::from(g) % 4][usize::from(h) % 4]
    }

    /// Whoever can leave a position that the next player loses, wins.
    fn see(options: &mut u16, value: u16) -> bool {
        *options |= 0b100 | value ^ 0b11;
        *options == 0b111
    }

    /// Without options the player to move loses under normal play and wins under misère play.
    fn value(options: &u16) -> u16 {
        if *options == 0 { 0b01 } else { options & 0b11 }
    }
}

/// Returns the values of the heaps below `heaps`.
fn values<S: Sum>(digits: &[u32], heaps: usize) -> Vec<u16> {
    let mut values = Vec::with_capacity(heaps);
    while values.len() < heaps {
        values.push(next_value::<S>(digits, &values));
    }
    values
}

/// Returns the value of a heap from those of all smaller ones. A digit of the code allows to take as many tokens as its
/// place says: the whole heap if its first bit is set, leaving one heap if its second is, and two if its third is.
fn next_value<S: Sum>(digits: &[u32], values: &[u16]) -> u16 {
    let mut options = S::Options::default();
    for (taken, digit) in (1..=values.len()).zip(digits) {
        let rest = values.len() - taken;
        let leaves_one = if rest == 0 { digit & 1 } else { digit & 2 } != 0;
        if leaves_one && S::see(&mut options, values[rest]) {
            break;
        }
        let parts = if digit & 4 != 0 { 1..rest.max(1) } else { 0..0 };
        let others = values[parts.clone()].iter().rev();
        let mut twos = values[parts].iter().zip(others).take(rest / 2);
        if twos.any(|(&part, &other)| S::see(&mut options, S::add(part, other))) {
            break;
        }
    }
    S::value(&options)
}
