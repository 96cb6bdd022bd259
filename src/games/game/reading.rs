//! Moves as finite-state machines that read a row from left to right and write the row after the
//! move.
//!
//! A sowing changes only the pot sown from and some pots beside it. A nondeterministic machine can
//! guess its place, and the change of each pot depends on that pot and on a number. So a machine of
//! finitely many states accepts exactly the pairs of a row and one of its options, as long as no
//! pot has more than a given number of seeds.

/// A pot: its seeds, or [`FULL`].
pub type Pot = u16;

/// A pot that no player can ever sow from, whatever it receives.
pub const FULL: Pot = Pot::MAX;

/// The games whose moves a machine reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading {
    /// Sowing: the last seed may not go into an empty pot.
    Sowing,
    /// Atomic Wari: the first seed goes into the pot sown from, and pots of two or three are
    /// captured, from the last pot backwards.
    AtomicWari,
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
    /// Returns whether the game has full pots.
    pub fn has_full_pots(self) -> bool {
        self == Reading::Sowing
    }

    /// Calls `visit` with each pot that the machine may write when it reads `pot`, and the next
    /// state. A move sows at most `most` seeds.
    pub fn step(self, state: State, pot: Pot, most: Pot, visit: &mut impl FnMut(State, Pot)) {
        let more = match pot {
            FULL => FULL,
            _ => pot + 1,
        };
        let is_wari = self == Reading::AtomicWari;
        let is_captured = is_wari && (more == 2 || more == 3);
        // In Atomic Wari the pot sown from keeps a seed.
        let kept = Pot::from(is_wari);
        match state {
            State::After => visit(State::After, pot),
            State::Before(direction) => {
                visit(state, pot);
                match direction {
                    Direction::Rightwards if pot != FULL && pot > kept => {
                        visit(State::Sown(pot - kept, false), kept);
                    }
                    Direction::Rightwards => {}
                    Direction::Leftwards if is_captured => visit(State::LandedCaptured(1), 0),
                    Direction::Leftwards if is_wari || pot > 0 => visit(State::Landed(1), more),
                    Direction::Leftwards => {}
                }
            }
            State::Sown(1, was_captured) => {
                if is_captured && !was_captured {
                    visit(State::After, 0);
                } else if !is_captured && (is_wari || pot > 0) {
                    visit(State::After, more);
                }
            }
            State::Sown(seeds, was_captured) => {
                visit(State::Sown(seeds - 1, is_captured), more);
                if is_captured && !was_captured {
                    visit(State::Captured(seeds - 1), 0);
                }
            }
            State::Captured(seeds) if is_captured => match seeds {
                1 => visit(State::After, 0),
                _ => visit(State::Captured(seeds - 1), 0),
            },
            State::Captured(_) => {}
            State::Landed(seeds) | State::LandedCaptured(seeds) => {
                if pot != FULL && pot == seeds + kept {
                    visit(State::After, kept);
                }
                if seeds < most {
                    match state {
                        State::LandedCaptured(_) if is_captured => {
                            visit(State::LandedCaptured(seeds + 1), 0);
                        }
                        _ => visit(State::Landed(seeds + 1), more),
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::row::{self, Row};
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

    /// Compares the machine with literal play.
    #[test]
    fn the_rows_written_are_those_that_moves_lead_to() {
        for (game, pots_max, seeds_max) in [(Game::SOWING, 5, 4), (Game::ATOMIC_WARI, 5, 5)] {
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
                            "{} {row:?} {player:?}",
                            game.name()
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn full_pots_stay_full() {
        let mut seen = Vec::new();
        Reading::Sowing.step(State::Sown(1, false), FULL, 3, &mut |state, pot| {
            seen.push((state, pot))
        });
        assert_eq!(seen, [(State::After, FULL)]);
        seen.clear();
        let before = State::Before(Direction::Rightwards);
        Reading::Sowing.step(before, FULL, 3, &mut |state, pot| seen.push((state, pot)));
        assert_eq!(seen, [(before, FULL)]);
    }
}
