//! Moves as finite-state machines that read a row from left to right and write the row after the
//! move.
//!
//! A sowing changes only the pot sown from and some pots beside it. A nondeterministic machine can
//! guess its place, and the change of each pot depends on that pot and on a number. So a machine of
//! finitely many states accepts exactly the pairs of a row and one of its options, as long as no
//! pot has more than a given number of seeds.

use thiserror::Error;

use super::row_rules::{Counts, First, RowRules};

/// A pot: its seeds, or [`FULL`].
pub type Pot = u16;

/// A pot that no player can ever sow from, whatever it receives.
pub const FULL: Pot = Pot::MAX;

/// The moves on the endless row by [rules of rows](RowRules), as a machine reads them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reading {
    rules: RowRules,
    has_full_pots: bool,
}

/// Why no machine reads the moves of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Unread {
    /// There is none for the game.
    #[error("the moves of {game} are not read")]
    Game {
        /// The name of the game.
        game: &'static str,
    },
    /// There is none for boards.
    #[error("the moves of {game} on a board of fixed width are not read")]
    Board {
        /// The name of the game.
        game: &'static str,
    },
    /// Play need not end by these rules of rows.
    #[error(
        "play of {game} may go in circles where `first` is \"origin\", `last` has the count 1 and `capture` lacks 2, so its moves \
         are not read"
    )]
    Circles {
        /// The name of the game.
        game: &'static str,
    },
}

/// The direction of a sowing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Direction {
    /// From left to right, as Left sows.
    Rightwards,
    /// From right to left.
    Leftwards,
}

/// The state of the machine within a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum State {
    /// No pot has changed yet.
    Before(Direction),
    /// Rightwards: the seeds left to sow, and whether the pot just read would be captured if the
    /// chain of captures reached it.
    Sown(Pot, bool),
    /// Rightwards: the seeds left to sow, from here on into pots that are captured.
    Captured(Pot),
    /// Leftwards: the seeds sown into the pots read so far.
    Landed(Pot),
    /// Leftwards: the same, and all of these pots are captured.
    LandedCaptured(Pot),
    /// The remaining pots are unchanged.
    After,
}

impl Reading {
    /// Sowing: the last seed may not go into an empty pot.
    pub const SOWING: Reading = Reading {
        rules: RowRules::SOWING,
        has_full_pots: true,
    };

    /// Atomic Wari: the first seed goes into the pot sown from, and pots of two or three are
    /// captured, from the last pot backwards.
    pub const ATOMIC_WARI: Reading = Reading::by_rules(RowRules::ATOMIC_WARI);

    /// Returns the reading of rules in [normal form](RowRules::normal) that are
    /// [accepted](RowRules::check_endless) on the endless row, without full pots.
    ///
    /// The machine sows one lap. By accepted rules, moves of several laps are illegal: they would
    /// end in an empty pot.
    pub(super) const fn by_rules(rules: RowRules) -> Reading {
        Reading {
            rules,
            has_full_pots: false,
        }
    }

    /// Returns whether the game has full pots.
    pub fn has_full_pots(self) -> bool {
        self.has_full_pots
    }

    /// Calls `visit` with each pot that the machine may write when it reads `pot`, and the next
    /// state. A move sows at most `most` seeds.
    pub fn step(self, state: State, pot: Pot, most: Pot, visit: &mut impl FnMut(State, Pot)) {
        let rules = &self.rules;
        // The number of seeds that the pot sown from keeps.
        let kept = Pot::from(rules.first == First::Origin);
        let is_kept_captured = kept == 1 && rules.chain && rules.capture.contains(1);
        let may_start = pot != FULL && pot > kept && pot >= Pot::from(rules.pot_min);
        let may_end = has(&rules.last, pot);
        // The pot with another seed, and whether it is captured if the chain reaches it.
        let more = match pot {
            FULL => FULL,
            1.. if rules.landing => 0,
            _ => pot + 1,
        };
        let is_captured = has(&rules.capture, more);
        match state {
            State::After => visit(State::After, pot),
            State::Before(direction) => {
                visit(state, pot);
                match direction {
                    Direction::Rightwards if may_start => {
                        visit(State::Sown(pot - kept, is_kept_captured), kept);
                        if is_kept_captured {
                            visit(State::Captured(pot - kept), 0);
                        }
                    }
                    Direction::Leftwards if may_end => match (is_captured, rules.chain) {
                        (true, true) => visit(State::LandedCaptured(1), 0),
                        (true, false) => visit(State::Landed(1), 0),
                        (false, _) => visit(State::Landed(1), more),
                    },
                    _ => {}
                }
            }
            State::Sown(1, _) if !may_end => {}
            State::Sown(1, was_captured) => match is_captured {
                true if was_captured => {}
                true => visit(State::After, 0),
                false => visit(State::After, more),
            },
            State::Sown(seeds, was_captured) => {
                let is_captured = is_captured && rules.chain;
                visit(State::Sown(seeds - 1, is_captured), more);
                if is_captured && !was_captured {
                    visit(State::Captured(seeds - 1), 0);
                }
            }
            State::Captured(1) if is_captured && may_end => visit(State::After, 0),
            State::Captured(seeds) if is_captured && seeds > 1 => {
                visit(State::Captured(seeds - 1), 0);
            }
            State::Captured(_) => {}
            State::Landed(seeds) | State::LandedCaptured(seeds) => {
                let in_chain = matches!(state, State::LandedCaptured(_));
                if may_start && pot == seeds + kept {
                    let is_captured = in_chain && is_kept_captured;
                    visit(State::After, if is_captured { 0 } else { kept });
                }
                if seeds < most {
                    match in_chain && is_captured {
                        true => visit(State::LandedCaptured(seeds + 1), 0),
                        false => visit(State::Landed(seeds + 1), more),
                    }
                }
            }
        }
    }
}

/// Returns whether a set has the count of a pot. The greatest count stands for a full pot.
fn has(counts: &Counts, pot: Pot) -> bool {
    counts.contains(pot.min(Counts::MAX.into()) as u8)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::row::{self, Row};
    use crate::game::Laps;
    use crate::game::literal::strip;
    use crate::game::{Game, Player};

    /// Returns the rows that the machine writes, sorted, without empty pots at the ends.
    fn written(reading: Reading, row: &[Pot], direction: Direction) -> Vec<Row> {
        let most = row.iter().copied().max().unwrap_or(0);
        let margin = vec![0; usize::from(most)];
        let mut open = vec![(State::Before(direction), Vec::new())];
        for &pot in [&margin[..], row, &margin].concat().iter() {
            let mut next = Vec::new();
            for (state, pots) in &open {
                reading.step(*state, pot, most, &mut |state, pot| {
                    next.push((state, [&pots[..], &[pot]].concat()));
                });
            }
            open = next;
        }
        let whole = open.into_iter().filter(|(state, _)| *state == State::After);
        sorted(whole.map(|(_, pots)| as_row(&pots)).collect())
    }

    fn as_row(pots: &[Pot]) -> Row {
        Row {
            pots: pots
                .iter()
                .map(|&pot| row::Pot::Seeds(pot.into()))
                .collect(),
            endless_left: false,
            endless_right: false,
        }
    }

    fn sorted(mut rows: Vec<Row>) -> Vec<Row> {
        rows.iter_mut().for_each(strip);
        rows.sort_by_key(Row::to_string);
        rows
    }

    /// Returns rules of rows whose moves are read, with each value of each switch.
    fn readable() -> Vec<Game> {
        let mut found = Vec::new();
        for (pot_min, first) in [
            (1, First::Next),
            (2, First::Next),
            (2, First::Origin),
            (3, First::Origin),
        ] {
            for last in [
                Counts::ANY,
                Counts::OCCUPIED,
                Counts::of([0, 2]),
                Counts::of([1, 2]),
            ] {
                for capture in [&[][..], &[1], &[2], &[0, 1], &[1, 3], &[2, 3]] {
                    for (landing, chain) in
                        [(false, false), (false, true), (true, false), (true, true)]
                    {
                        let rules = RowRules {
                            pot_min,
                            first,
                            last,
                            landing,
                            capture: Counts::of(capture.iter().copied()),
                            chain,
                            laps: Laps::Single,
                        };
                        let game = Game::of_rules(rules, None);
                        let read = game.ok().filter(|game| game.reading().is_ok());
                        found.extend(read.filter(|game| !found.contains(game)));
                    }
                }
            }
        }
        found
    }

    #[test]
    fn moves_are_read_by_all_rules_by_which_play_ends_on_the_endless_row() {
        let found = readable();
        assert!(found.len() > 100, "{}", found.len());
        let several_laps = RowRules {
            laps: Laps::Multiple,
            ..RowRules::SOWING
        };
        let circles = RowRules {
            capture: Counts::of([3]),
            ..RowRules::ATOMIC_WARI
        };
        for (rules, board, is_read) in [
            (RowRules::SOWING, None, true),
            (RowRules::SOWING, Some(6), false),
            (RowRules::ATOMIC_WARI, None, true),
            (several_laps, None, true),
            (circles, None, false),
        ] {
            let game = Game::of_rules(rules, board).unwrap();
            assert_eq!(game.reading().is_ok(), is_read, "{rules}");
        }
    }

    /// Compares the machine with literal play.
    #[test]
    fn the_rows_written_are_those_that_moves_lead_to() {
        let by_rules = readable().into_iter().map(|game| (game, 4, 3));
        let named = [(Game::SOWING, 5, 4), (Game::ATOMIC_WARI, 5, 5)];
        for (game, pots_max, seeds_max) in named.into_iter().chain(by_rules) {
            let reading = game.reading().unwrap();
            for pots in 1..=pots_max {
                let base = seeds_max + 1;
                for number in 0..Pot::pow(base, pots) {
                    let row: Vec<Pot> = (0..pots).map(|at| number / base.pow(at) % base).collect();
                    for (player, direction) in [
                        (Player::Left, Direction::Rightwards),
                        (Player::Right, Direction::Leftwards),
                    ] {
                        let literal = game.literal_options(&as_row(&row).into(), player);
                        let literal = literal.into_iter().map(|board| match board {
                            crate::board::AnyBoard::Row(row) => row,
                            other => panic!("{other} is no row"),
                        });
                        let found = written(reading, &row, direction);
                        assert_eq!(
                            found,
                            sorted(literal.collect()),
                            "{} {:?} {row:?} {player:?}",
                            game.name(),
                            game.rules().map(|rules| rules.to_string())
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn full_pots_stay_full() {
        let mut seen = Vec::new();
        Reading::SOWING.step(State::Sown(1, false), FULL, 3, &mut |state, pot| {
            seen.push((state, pot))
        });
        assert_eq!(seen, [(State::After, FULL)]);
        seen.clear();
        let before = State::Before(Direction::Rightwards);
        Reading::SOWING.step(before, FULL, 3, &mut |state, pot| seen.push((state, pot)));
        assert_eq!(seen, [(before, FULL)]);
    }
}
