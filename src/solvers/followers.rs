//! The followers of a position: their number, the longest play, and the number of options.

use cggames::game::{Player, Ruleset};
use hashbrown::{HashMap, HashSet};

use super::{Control, EngineError};

/// The size of a position's graph of followers.
///
/// A follower is any position that play can reach from it, whatever the order of the players'
/// moves. Normal forms are counted, a position and its negative as two. None of this depends on the
/// way of playing.
///
/// ```
/// use cgsolvers::{Control, Followers};
/// use cggames::game::{Ruleset, Sowing};
///
/// // 11 leads to 02 and 20, which both have the normal form 2 and no options.
/// let position = Sowing.position(&"11".parse()?)?;
/// let followers = Followers::of(&Sowing, &position, &Control::default())?;
/// assert_eq!(followers, Followers { count: 2, depth: Some(1), moves: 1 });
/// assert_eq!(followers.branching(), 0.5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Followers {
    /// The number of distinct followers, including the position itself.
    pub count: u64,
    /// The number of moves in the longest play, with the players moving in any order; `None` if
    /// play need not end.
    pub depth: Option<u32>,
    /// The total number of distinct options of all followers, for both players.
    pub moves: u64,
}

/// The depth of a follower whose options are still being visited.
const OPEN: u32 = u32::MAX;

impl Followers {
    /// Finds the followers of a position, each once.
    ///
    /// Takes time and about 60 bytes for each follower.
    ///
    /// # Errors
    ///
    /// When a follower is too large, or when the search is stopped.
    pub fn of<R: Ruleset>(
        ruleset: &R,
        position: &R::Position,
        control: &Control,
    ) -> Result<Followers, EngineError> {
        let start = follower(ruleset, position, false)?;
        let mut depths: HashMap<u128, u32, foldhash::fast::RandomState> = HashMap::default();
        let mut moves = 0;
        let mut ends = true;
        // The followers on the path, with the start of each one's options and its depth so far.
        let mut path: Vec<(u128, usize, u32)> = Vec::new();
        let mut ahead = vec![start];
        loop {
            let begins = path.last().map_or(0, |&(_, begins, _)| begins);
            if ahead.len() > begins {
                let next = ahead[ahead.len() - 1];
                match depths.get(&next) {
                    Some(&OPEN) if ruleset.is_loopy() => {
                        ends = false;
                        ahead.pop();
                    }
                    Some(&OPEN) => {
                        return Err(EngineError::Cycle {
                            position: ruleset.position_of(next >> 1).to_string(),
                            ruleset: ruleset.id(),
                        });
                    }
                    Some(&depth) => {
                        ahead.pop();
                        if let Some((_, _, deepest)) = path.last_mut() {
                            *deepest = (*deepest).max(depth + 1);
                        }
                    }
                    None => {
                        if depths.len().is_multiple_of(256)
                            && let Some(reason) = control.stopped()
                        {
                            return Err(EngineError::Stopped(reason));
                        }
                        if depths.len() == depths.capacity() {
                            // The map moves to a table of twice the size; until it has, both exist.
                            let growth = 2 * depths.allocation_size() as u64;
                            control
                                .reserve_memory(growth)
                                .map_err(EngineError::Stopped)?;
                        }
                        depths.insert(next, OPEN);
                        let begins = ahead.len();
                        push_options(ruleset, next, &mut ahead)?;
                        moves += (ahead.len() - begins) as u64;
                        path.push((next, begins, 0));
                    }
                }
                continue;
            }
            let Some((done, _, depth)) = path.pop() else {
                break;
            };
            // It is again the last of those ahead, where it is looked up.
            depths.insert(done, depth);
        }
        Ok(Followers {
            count: depths.len() as u64,
            depth: ends.then(|| depths[&start]),
            moves,
        })
    }

    /// Returns the mean number of distinct options of a follower.
    pub fn branching(&self) -> f64 {
        self.moves as f64 / self.count as f64
    }
}

/// Returns the number of distinct followers of a position, including itself.
///
/// Sowing `1^n` has C(2n-2, n-1), where followers that differ only in the counts of full pots count
/// once.
///
/// # Errors
///
/// As [`Followers::of`].
pub fn count_followers<R: Ruleset>(
    ruleset: &R,
    position: &R::Position,
    control: &Control,
) -> Result<u64, EngineError> {
    let count = count_followers_within(ruleset, position, control, u64::MAX)?;
    Ok(count.expect("a count without a limit ends"))
}

/// Returns the number of distinct followers as [`count_followers`] does, or `None` if it exceeds
/// `followers_max`.
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
    let start = follower(ruleset, position, false)?;
    let mut seen: HashSet<_, foldhash::fast::RandomState> = HashSet::default();
    seen.insert(start);
    let mut waiting = vec![start];
    let mut options = Vec::new();
    while let Some(next) = waiting.pop() {
        if seen.len() as u64 > most {
            return Ok(None);
        }
        if seen.len().is_multiple_of(256)
            && let Some(reason) = control.stopped()
        {
            return Err(EngineError::Stopped(reason));
        }
        push_options(ruleset, next, &mut options)?;
        waiting.extend(options.drain(..).filter(|&option| seen.insert(option)));
    }
    let count = seen.len() as u64;
    Ok((count <= most).then_some(count))
}

/// Returns a position or its negative as one number: the key, then whether it is the negative of
/// the key's.
fn follower<R: Ruleset>(
    ruleset: &R,
    position: &R::Position,
    negated: bool,
) -> Result<u128, EngineError> {
    let (key, is_negative) = ruleset.key(position)?;
    // A position that is its own negative is one follower, not two.
    let differs = is_negative != negated && ruleset.negative(position) != *position;
    // Keys have 127 bits at most.
    Ok(key << 1 | u128::from(differs))
}

/// Appends the distinct options of a follower.
fn push_options<R: Ruleset>(
    ruleset: &R,
    of: u128,
    ahead: &mut Vec<u128>,
) -> Result<(), EngineError> {
    let position = ruleset.position_of(of >> 1);
    let begins = ahead.len();
    for player in Player::BOTH {
        let mut failed = None;
        ruleset.each_option(&position, player, &mut |option| match follower(
            ruleset,
            option,
            of & 1 != 0,
        ) {
            Ok(option) => ahead.push(option),
            Err(error) => failed = Some(error),
        })?;
        if let Some(error) = failed {
            return Err(error);
        }
    }
    ahead[begins..].sort_unstable();
    let mut kept = begins;
    for at in begins..ahead.len() {
        if kept == begins || ahead[kept - 1] != ahead[at] {
            ahead[kept] = ahead[at];
            kept += 1;
        }
    }
    ahead.truncate(kept);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use cggames::game::{AtomicWari, Sowing};

    fn followers<R: Ruleset>(ruleset: R, text: &str) -> u64 {
        let position = ruleset.position(&text.parse().unwrap()).unwrap();
        count_followers(&ruleset, &position, &Control::default()).unwrap()
    }

    /// All rows of `seeds` seeds on at most `pots` pots, with both ends nonempty.
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
            // Erickson's Theorem 2.1, which does not count the position itself.
            assert!(count > 1 << (n - 1) >> 1);
        }
    }

    /// Depth and options by plain recursion over all plays.
    #[test]
    fn depth_and_options_are_those_of_all_plays() {
        fn longest<R: Ruleset>(
            ruleset: &R,
            position: &R::Position,
            known: &mut std::collections::HashMap<R::Position, (u32, u64)>,
        ) -> u32 {
            if let Some(&(depth, _)) = known.get(position) {
                return depth;
            }
            let mut options = std::collections::HashSet::new();
            for player in Player::BOTH {
                let mut visit = |option: &R::Position| _ = options.insert(option.clone());
                ruleset.each_option(position, player, &mut visit).unwrap();
            }
            let depths = options.iter().map(|o| 1 + longest(ruleset, o, known));
            let depth = depths.max().unwrap_or(0);
            known.insert(position.clone(), (depth, options.len() as u64));
            depth
        }
        fn check<R: Ruleset>(ruleset: R, texts: &[&str]) {
            for text in texts {
                let position = ruleset.position(&text.parse().unwrap()).unwrap();
                let found = Followers::of(&ruleset, &position, &Control::default()).unwrap();
                let mut known = std::collections::HashMap::new();
                let depth = longest(&ruleset, &position, &mut known);
                let moves: u64 = known.values().map(|&(_, options)| options).sum();
                let expected = Followers {
                    count: known.len() as u64,
                    depth: Some(depth),
                    moves,
                };
                assert_eq!(found, expected, "{text}");
                assert!((found.branching() * known.len() as f64 - moves as f64).abs() < 1e-9);
            }
        }
        let rows = [
            "0",
            "1",
            "11",
            "111",
            "312",
            "1111111",
            "31e12",
            "...e212e...",
            "2120321",
        ];
        check(Sowing, &rows);
        check(
            AtomicWari::on(None),
            &["0", "11011", "2", "312", "3333", "40404"],
        );
        check(AtomicWari::on(Some(6)), &["312", "2222", "030202"]);
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
        assert_eq!(followers(AtomicWari::on(None), "11011"), 1);
        // 2 leads to 11 for both players.
        assert_eq!(followers(AtomicWari::on(None), "2"), 2);
    }
}
