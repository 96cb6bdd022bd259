//! How many followers a position has.

use hashbrown::HashSet;

use super::{Control, EngineError};
use crate::ruleset::{Player, Ruleset};

/// Returns the number of distinct followers of a position, itself included.
///
/// A follower is any position that play can reach from it, whoever moves when; normal forms are
/// counted, a position and its mirror image as two. Sowing `1^n` has C(2n-2, n-1), less those that
/// differ in the counts of full pots only. Takes time and some 60 bytes for each follower.
///
/// # Errors
///
/// When a follower cannot be held, or the search is stopped.
pub fn count_followers<R: Ruleset>(
    ruleset: &R,
    position: &R::Position,
    control: &Control,
) -> Result<u64, EngineError> {
    let count = count_followers_within(ruleset, position, control, u64::MAX)?;
    Ok(count.expect("a count without a limit ends"))
}

/// Returns the number of distinct followers as [`count_followers`] does, or `None` where they are more than so many.
///
/// # Errors
///
/// As [`count_followers`].
pub fn count_followers_within<R: Ruleset>(
    ruleset: &R,
    position: &R::Position,
    control: &Control,
    most: u64,
) -> Result<Option<u64>, EngineError> {
    let start = ruleset.key(position)?;
    let mut seen: HashSet<_, foldhash::fast::RandomState> = HashSet::default();
    seen.insert(start);
    let mut waiting = vec![start];
    while let Some((key, mirrored)) = waiting.pop() {
        if seen.len() as u64 > most {
            return Ok(None);
        }
        if seen.len() % 256 == 0
            && let Some(reason) = control.stopped()
        {
            return Err(EngineError::Stopped(reason));
        }
        let position = ruleset.position_of(key);
        for player in Player::BOTH {
            let mut failed = None;
            ruleset.each_option(&position, player, &mut |option| match ruleset.key(option) {
                Ok((key, option_mirrored)) => {
                    // A position that is its own mirror image is one follower, not two.
                    let flipped = option_mirrored != mirrored && ruleset.mirror(option) != *option;
                    let follower = (key, flipped);
                    if seen.insert(follower) {
                        waiting.push(follower);
                    }
                }
                Err(error) => failed = Some(error),
            })?;
            if let Some(error) = failed {
                return Err(error.into());
            }
        }
    }
    let count = seen.len() as u64;
    Ok((count <= most).then_some(count))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ruleset::{AtomicWari, Sowing};

    fn followers<R: Ruleset>(ruleset: R, text: &str) -> u64 {
        let position = ruleset.position(&text.parse().unwrap()).unwrap();
        count_followers(&ruleset, &position, &Control::default()).unwrap()
    }

    /// All rows of so many seeds on at most so many pots, both ends nonempty.
    fn rows(seeds: u32, pots: usize) -> Vec<Vec<u32>> {
        if pots == 0 {
            return if seeds == 0 { vec![vec![]] } else { vec![] };
        }
        let mut rows = Vec::new();
        for first in 0..=seeds {
            for mut rest in rows_of_length(seeds - first, pots - 1) {
                rest.insert(0, first);
                rows.push(rest);
            }
        }
        rows.retain(|row| row[0] > 0 && row[row.len() - 1] > 0);
        rows.extend(self::rows(seeds, pots - 1));
        rows
    }

    fn rows_of_length(seeds: u32, pots: usize) -> Vec<Vec<u32>> {
        if pots == 0 {
            return if seeds == 0 { vec![vec![]] } else { vec![] };
        }
        (0..=seeds)
            .flat_map(|first| {
                rows_of_length(seeds - first, pots - 1)
                    .into_iter()
                    .map(move |mut rest| {
                        rest.insert(0, first);
                        rest
                    })
            })
            .collect()
    }

    #[test]
    fn the_followers_of_ones_are_all_rows_of_as_many_seeds_on_no_more_pots() {
        for n in 1..=7u32 {
            let rows = rows(n, n as usize);
            let binomial = (1..n).fold(1, |product, k| product * (n - 1 + k) / k);
            assert_eq!(
                rows.len(),
                binomial as usize,
                "C(2n-2, n-1) rows for n = {n}"
            );
            let normal: std::collections::HashSet<_> = rows
                .iter()
                .map(|row| {
                    row.iter()
                        .map(|seeds| format!("[{seeds}]"))
                        .collect::<String>()
                })
                .map(|text| Sowing.position(&text.parse().unwrap()).unwrap())
                .collect();
            let count = followers(Sowing, &"1".repeat(n as usize));
            assert_eq!(count, normal.len() as u64, "n = {n}");
            // Erickson's Theorem 2.1, itself not counted there.
            assert!(count > 1 << (n - 1) >> 1);
        }
    }

    #[test]
    fn a_count_with_a_limit_ends_beyond_it() {
        let position = Sowing.position(&"111111".parse().unwrap()).unwrap();
        let within =
            |most| count_followers_within(&Sowing, &position, &Control::default(), most).unwrap();
        let count = within(u64::MAX).unwrap();
        assert_eq!(within(count), Some(count));
        assert_eq!(within(count - 1), None);
        assert_eq!(within(0), None);
    }

    #[test]
    fn a_position_without_options_follows_itself_only() {
        assert_eq!(followers(AtomicWari::endless(), "11011"), 1);
        // 2 leads to 11, for both players.
        assert_eq!(followers(AtomicWari::endless(), "2"), 2);
    }
}
