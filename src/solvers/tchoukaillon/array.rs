//! Knuth's Tchoukaillon array: each positive integer once, in infinitely many rows and columns.
//!
//! ```text
//!  1   2   4   6  10  12 ...
//!  3   5   8  11  16  20 ...
//!  7   9  14  17  23  28 ...
//! 13  15  21  26  33  38 ...
//! ```
//!
//! Row 1 has the N(l) (OEIS A002491), column 1 the sieve of Flavius Josephus (A000960). The array is the limit of arrays of
//! order 1, 2, 3, ..., where that of order k has k columns and each positive integer, too. Order 1 is the column 1, 2, 3, ...;
//! the next order has k rows of k + 1 entries for each k + 1 rows of k entries:
//!
//! ```text
//! order 3    order 4
//! 1  2  4     1  2  4  6
//! 3  5  6     3  5  8 10
//! 7  8 10     7  9 11 12
//! 9 11 12
//! ```
//!
//! Of each such block, the entries on the lower right, from one corner to the other, move a row up and a column to the right. The last column of
//! order k is the [sieve](super::sieve) S^(k). Rows and columns are numbered from 1, as in the encyclopedia.
//!
//! Sources: A344009 in the encyclopedia, after Knuth, "The Art of Computer Programming", pre-fascicle 14A (2021), Section
//! 7.5.1, Exercises 12 and 13.

/// The greatest number of a row or a column, 10^9: entries are then below 2^61.
pub const NUMBER_MAX: u64 = 1_000_000_000;

/// Returns the entry of the array in this row and column, both from 1 to [`NUMBER_MAX`], in O(row + column) steps.
///
/// ```
/// use cgsolvers::tchoukaillon::array::entry;
///
/// // Row 2 is A344010.
/// assert_eq!([1, 2, 3, 4, 5, 6].map(|column| entry(2, column)), [3, 5, 8, 11, 16, 20]);
/// ```
///
/// # Panics
///
/// If the row or the column is 0 or too great.
pub fn entry(row: u64, column: u64) -> u64 {
    let accepted = 1..=NUMBER_MAX;
    assert!(
        accepted.contains(&row) && accepted.contains(&column),
        "rows and columns are numbered from 1 to {NUMBER_MAX}"
    );
    let (mut row, mut column) = (row - 1, column - 1);
    // The place of the entry in the array of order k, from order row + column - 1 on the same, down to order 1.
    for order in (1..=row + column).rev() {
        let (block, row_in_block) = (row / order, row % order);
        row += block;
        if row_in_block + column >= order {
            row += 1;
            column -= 1;
        }
    }
    row + 1
}

/// Returns the row and the column of a number from 1 on, in O(row + column) steps.
///
/// ```
/// use cgsolvers::tchoukaillon::array::place;
///
/// assert_eq!(place(16), (2, 5));
/// ```
///
/// # Panics
///
/// If the number is 0.
pub fn place(n: u64) -> (u64, u64) {
    let (mut row, mut column) = (
        n.checked_sub(1).expect("numbers of the array begin at 1"),
        0,
    );
    let mut order = 1;
    // In the first block, a place above the diagonal is final.
    while row + column >= order {
        let (block, row_in_block) = (row / (order + 1), row % (order + 1));
        row -= block;
        if row_in_block + column >= order {
            row -= 1;
            column += 1;
        }
        order += 1;
    }
    (row + 1, column + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tchoukaillon::lengths::shortest;
    use crate::tchoukaillon::sieve::sieve;

    /// The first rows of the array of order k, block by block, as the definition has it.
    fn of_order(order: usize, rows: usize) -> Vec<Vec<u64>> {
        // Each step drops the rows after the last whole block.
        let numbers = order * (order * order + rows);
        let mut array: Vec<Vec<u64>> = (1..=numbers as u64).map(|n| vec![n]).collect();
        for k in 1..order {
            let blocks = array.chunks_exact(k + 1);
            let moved = blocks.flat_map(|block| {
                (0..k).map(move |row| {
                    let kept = &block[row][..k - row];
                    [kept, &block[row + 1][k - row - 1..]].concat()
                })
            });
            array = moved.collect();
        }
        array.truncate(rows);
        array
    }

    #[test]
    fn entries_are_those_of_a_high_order() {
        assert_eq!(
            of_order(3, 4),
            [[1, 2, 4], [3, 5, 6], [7, 8, 10], [9, 11, 12]]
        );
        assert_eq!(
            of_order(4, 3),
            [[1, 2, 4, 6], [3, 5, 8, 10], [7, 9, 11, 12]]
        );
        let array = of_order(100, 50);
        for row in 1..=50 {
            for column in 1..=50 {
                assert_eq!(
                    entry(row, column),
                    array[row as usize - 1][column as usize - 1]
                );
            }
        }
    }

    #[test]
    fn edges_are_the_sieves() {
        for l in (1..300).chain([5000, 100_000]) {
            assert_eq!(u128::from(entry(1, l)), shortest(l));
        }
        // Flavius Josephus: of what is left strike every second, then every third, and so on.
        let mut left: Vec<u64> = (1..=10_000).collect();
        for k in 2..120 {
            let mut place = 0;
            left.retain(|_| {
                place += 1;
                place % k != 0
            });
        }
        for (row, &n) in (1..).zip(&left[..100]) {
            assert_eq!(entry(row, 1), n);
        }
        for order in [2, 3, 10, 50] {
            let last: Vec<u64> = of_order(order, 40)
                .iter()
                .map(|row| row[order - 1])
                .collect();
            assert_eq!(last, sieve(order as u64, 10_000)[..40]);
        }
    }

    #[test]
    fn every_number_has_one_place() {
        for n in (1..5000).chain([1_000_003, 10_u64.pow(12), 10_u64.pow(14) + 7]) {
            let (row, column) = place(n);
            assert_eq!(entry(row, column), n);
        }
        for row in 1..60 {
            for column in 1..60 {
                assert_eq!(place(entry(row, column)), (row, column));
            }
        }
    }

    #[test]
    fn the_greatest_entry_fits() {
        // The greatest is near (pi + 2)^2 / (4 pi) times the square of the greatest number.
        let scale = (std::f64::consts::PI + 2.0).powi(2) / (4.0 * std::f64::consts::PI);
        let n = entry(1000, 1000) as f64;
        assert!((n / (scale * 1e6) - 1.0).abs() < 0.01);
        assert!(scale * (NUMBER_MAX as f64).powi(2) < 2f64.powi(61));
    }
}
