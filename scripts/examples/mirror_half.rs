//! The value of `1^n` in Sowing by a second route: `cargo run --release --example mirror_half -- 16`.
//!
//! Of a row and its mirror image a sweep of seedbank visits the one that comes first. This program visits the other one,
//! with moves of its own, and numbers each option by itself, so that it shares neither moves nor cells with that sweep.

use std::time::Instant;

use seedbank::engine::sweep::{Cells, SweepProgress, sweep};
use seedbank::engine::{CanonicalForms, Control, Word};
use seedbank::game::{BySeeds, SweepOrder, Visit};
use seedbank::value::{Digester, ValueDigest};

/// The order of a sweep, with the second row of each pair in place of the first.
struct MirrorHalf(BySeeds);

impl SweepOrder for MirrorHalf {
    type Level = <BySeeds as SweepOrder>::Level;
    type Grid = <BySeeds as SweepOrder>::Grid;

    fn cells(&self) -> u64 {
        self.0.cells()
    }

    fn levels(&self) -> Vec<Self::Level> {
        self.0.levels()
    }

    fn cells_through(&self, levels: usize) -> u64 {
        self.0.cells_through(levels)
    }

    fn grid(&self, level: Self::Level, workers: usize) -> Self::Grid {
        self.0.grid(level, workers)
    }

    fn visit(&self, grid: &Self::Grid, block: (usize, usize), visit: &mut impl FnMut(&Visit<'_>)) {
        let (mut pots, mut sown) = (Vec::new(), Vec::new());
        let [mut left, mut right] = [Vec::new(), Vec::new()];
        self.0.visit(grid, block, &mut |first| {
            pots.clear();
            pots.extend(first.pots.iter().rev());
            let cell = self.0.cell_of(&pots).expect("a row of the family");
            assert_eq!(cell, first.mirror);
            left.clear();
            right.clear();
            for from in 0..pots.len() {
                for (is_left, options) in [(true, &mut left), (false, &mut right)] {
                    if sow(&pots, from, is_left, &mut sown) {
                        let option = self.0.cell_of(&sown).expect("an option is of the family");
                        options.push(option as i64 - cell as i64);
                    }
                }
            }
            visit(&Visit {
                cell,
                mirror: first.cell,
                left: &left,
                right: &right,
                pots: &pots,
            });
        });
    }

    fn cell_of(&self, pots: &[u8]) -> Option<usize> {
        self.0.cell_of(pots)
    }
}

/// Sows a pot's seeds one by one, Left to the right and Right to the left, and drops empty ends. Returns whether the last
/// seed landed in a pot that held seeds.
fn sow(pots: &[u8], from: usize, is_left: bool, sown: &mut Vec<u8>) -> bool {
    sown.clear();
    sown.extend_from_slice(pots);
    let mut last = (from, 0);
    for _ in 0..pots[from] {
        let next = if is_left {
            last.0 + 1
        } else {
            last.0.wrapping_sub(1)
        };
        let Some(pot) = sown.get_mut(next) else {
            return false;
        };
        last = (next, *pot);
        *pot += 1;
    }
    sown[from] = 0;
    while sown.last() == Some(&0) {
        sown.pop();
    }
    let empty = sown.iter().take_while(|&&pot| pot == 0).count();
    sown.drain(..empty);
    last.1 > 0
}

/// Returns the digest of the value of `1^n`, and the number of canonical forms found on the way.
///
/// # Errors
///
/// If there is no room for the array or for a form.
pub(crate) fn value_of_ones(
    n: usize,
    threads: usize,
) -> Result<(ValueDigest, u64), Box<dyn std::error::Error>> {
    let order = MirrorHalf(BySeeds::new(n, n).ok_or("too many rows to number")?);
    let values = CanonicalForms::default();
    let cells = Cells::in_memory(order.cells())?;
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()?;
    sweep(
        &order,
        &values,
        &cells,
        &SweepProgress::default(),
        &pool,
        &Control::default(),
    )?;
    let cell = order
        .cell_of(&vec![1; n])
        .ok_or("a row of ones is of the family")?;
    let word = Word::new(cells.get(cell)).ok_or("the sweep has ended")?;
    let digest = Digester::new(&values.arena).digest(CanonicalForms::value(word));
    Ok((digest, values.arena.len()))
}

#[allow(dead_code, reason = "a test uses the rest")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let n = std::env::args()
        .nth(1)
        .unwrap_or_else(|| "12".to_owned())
        .parse()?;
    let begun = Instant::now();
    let threads = std::thread::available_parallelism()?.get();
    let (digest, forms) = value_of_ones(n, threads)?;
    println!(
        "1^{n}: digest {digest}, {forms} forms, {:.1} s",
        begun.elapsed().as_secs_f64()
    );
    Ok(())
}
