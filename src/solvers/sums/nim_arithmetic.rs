//! Nim-addition and the least excluded number: the arithmetic of Sprague and Grundy.
//!
//! Source: AMS Feature Column, *Combinatorial games*, part 5. The column expands "mex" as the
//! maximum excluded value, but computes the minimum.

/// Returns the nim-sum of numbers: they are added in binary without carries.
///
/// It is the nim-value of a disjunctive sum whose components have these nim-values.
///
/// ```
/// use cgsolvers::sums::nim_sum;
///
/// // 3 = 11, 5 = 101 in binary; without carries 110, which is 6.
/// assert_eq!(nim_sum([3, 5]), 6);
/// assert_eq!(nim_sum([6, 6]), 0);
/// assert_eq!(nim_sum([]), 0);
/// ```
pub fn nim_sum(numbers: impl IntoIterator<Item = u32>) -> u32 {
    numbers.into_iter().fold(0, |sum, number| sum ^ number)
}

/// Returns the mex of numbers: the least number from 0 on that is not among them.
///
/// It is the nim-value of a position whose options have these nim-values. Cost: O(numbers) time and
/// space, since no number above their count matters.
///
/// ```
/// use cgsolvers::sums::mex;
///
/// assert_eq!(mex([0, 2, 3, 4, 3, 8]), 1);
/// assert_eq!(mex([]), 0);
/// ```
pub fn mex(numbers: impl IntoIterator<Item = u32>) -> u32 {
    let numbers: Vec<u32> = numbers.into_iter().collect();
    let mut seen = vec![false; numbers.len() + 1];
    for number in numbers {
        if let Some(place) = seen.get_mut(number as usize) {
            *place = true;
        }
    }
    let least = seen.iter().position(|&there| !there);
    least.expect("n numbers cannot exclude all of 0 to n") as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nim_addition_is_the_columns_table() {
        let table = [
            [0, 3, 2, 5, 4, 7],
            [3, 0, 1, 6, 7, 4],
            [2, 1, 0, 7, 6, 5],
            [5, 6, 7, 0, 1, 2],
            [4, 7, 6, 1, 0, 3],
            [7, 4, 5, 2, 3, 0],
        ];
        for (a, row) in (1..).zip(table) {
            for (b, sum) in (1..).zip(row) {
                assert_eq!(nim_sum([a, b]), sum, "{a} and {b}");
            }
        }
    }

    #[test]
    fn nim_addition_is_play_with_two_heaps() {
        // By definition: the least number that no move in either heap reaches.
        let mut table = [[0u32; 16]; 16];
        for a in 0..16 {
            for b in 0..16 {
                let left = (0..a).map(|i| table[i][b]);
                let left: Vec<u32> = left.chain((0..b).map(|j| table[a][j])).collect();
                table[a][b] = mex(left);
                assert_eq!(table[a][b], nim_sum([a as u32, b as u32]));
            }
        }
    }

    #[test]
    fn mex_is_as_in_the_columns_examples() {
        assert_eq!(mex([0, 2, 3, 4, 3, 8]), 1);
        assert_eq!(mex([1, 2, 3, 3, 3, 4]), 0);
        assert_eq!(mex([1, 0, 3, 4, 5, 6, 5]), 2);
        assert_eq!(mex([2, 1, 0]), 3);
    }

    #[test]
    fn mex_does_not_depend_on_order_or_size() {
        let mut random = fastrand::Rng::with_seed(1);
        for length in 0..200 {
            let mut numbers: Vec<u32> = (0..length).collect();
            numbers.extend([u32::MAX, 1 << 20, length + 3]);
            random.shuffle(&mut numbers);
            assert_eq!(mex(numbers.iter().copied()), length, "{numbers:?}");
        }
    }
}
