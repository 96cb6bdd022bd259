//! Rows to try: all small ones, and random larger ones.

use seedbank::board::row::{Pot, Row};

use fastrand::Rng;

/// Reads a row that the test file itself contains.
pub(crate) fn row(text: &str) -> Row {
    text.parse()
        .unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// Returns all rows of 1 to `pots_max` pots with at most `seeds_max` seeds, empty ends included.
/// With `full`, every pot may also be a full one, which does not count towards `seeds_max`.
pub(crate) fn small_rows(pots_max: usize, seeds_max: u32, full: bool) -> Vec<Row> {
    let mut found = Vec::new();
    let mut ahead = vec![(Vec::new(), seeds_max)];
    while let Some((pots, seeds_left)) = ahead.pop() {
        if pots.len() < pots_max {
            let counts = (0..=seeds_left).map(|seeds| (Pot::Seeds(seeds), seeds));
            for (pot, seeds) in counts.chain(full.then_some((Pot::Full, 0))) {
                ahead.push(([&pots[..], &[pot]].concat(), seeds_left - seeds));
            }
        }
        if !pots.is_empty() {
            found.push(Row {
                pots,
                ..Row::default()
            });
        }
    }
    found
}

/// Returns the row with each combination of endless ends, including none.
pub(crate) fn with_all_ends(rows: &[Row]) -> Vec<Row> {
    let ends = [(false, false), (true, false), (false, true), (true, true)];
    let with = |&(endless_left, endless_right): &(bool, bool)| {
        let rows = rows.iter().cloned();
        rows.map(move |row| Row {
            endless_left,
            endless_right,
            ..row
        })
    };
    ends.iter().flat_map(with).collect()
}

/// Returns the row reversed.
pub(crate) fn reversed(row: &Row) -> Row {
    Row {
        pots: row.pots.iter().rev().copied().collect(),
        endless_left: row.endless_right,
        endless_right: row.endless_left,
    }
}

/// Returns the row with a number of full pots written in place of each endless end.
pub(crate) fn written_out(row: &Row, full_pots: usize) -> Row {
    let full = |endless: bool| vec![Pot::Full; if endless { full_pots } else { 0 }];
    Row {
        pots: [
            full(row.endless_left),
            row.pots.clone(),
            full(row.endless_right),
        ]
        .concat(),
        ..Row::default()
    }
}

/// Returns the seeds in the pots of a row that are not full.
pub(crate) fn seeds(row: &Row) -> u32 {
    let seeds = row.pots.iter().map(|pot| match pot {
        Pot::Seeds(seeds) => *seeds,
        Pot::Full => 0,
    });
    seeds.sum()
}

/// Returns a row with at most a given number of pots and at most a given number of seeds, thrown
/// into the pots at random.
pub(crate) fn random_row(random: &mut Rng, pots_max: usize, seeds_max: usize) -> Row {
    let mut counts = vec![0; random.usize(1..=pots_max)];
    for _ in 0..random.usize(..=seeds_max) {
        let place = random.usize(..counts.len());
        counts[place] += 1;
    }
    let pots = counts.into_iter().map(Pot::Seeds).collect();
    Row {
        pots,
        ..Row::default()
    }
}
