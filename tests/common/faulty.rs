//! Faulty rulesets that the suite must reject: Sowing, each with one fault.

use seedbank::board::row::{Pot, Row};
use seedbank::board::{Caps, Key, PositionError, Strip};
use seedbank::game::{Player, Ruleset, Sowing};

/// What is wrong with a [`Faulty`] ruleset.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Fault {
    /// No fault: the suite accepts this one.
    None,
    /// The last seed may go into an empty pot.
    AnyLastPot,
    /// The last of a player's moves is left out.
    LostMove,
    /// A player may also stay at the same position.
    MovesBack,
    /// Pots are capped one seed below the count that fills them.
    FullTooSoon,
    /// The reported cap is higher than the cap in use.
    CapTooHigh,
    /// The reported cap is lower than the cap in use.
    CapTooLow,
    /// The mirror image is the position itself.
    NoMirror,
    /// The key encodes how many pots hold each number of seeds, but not which pots.
    KeyWithoutOrder,
    /// The row counts as the sum of its runs of nonempty pots.
    SplitsAtEmptyPots,
}

/// Sowing with a fault that the suite must find.
#[derive(Clone)]
pub(crate) struct Faulty(pub(crate) Fault);

impl Ruleset for Faulty {
    type Board = Row;
    type Position = Strip;

    fn id(&self) -> String {
        "faulty".to_owned()
    }

    fn version(&self) -> u32 {
        1
    }

    fn position(&self, row: &Row) -> Result<Strip, PositionError> {
        let mut position = Sowing.position(row)?;
        let mut row = self.board(&position);
        if self.0 == Fault::FullTooSoon && !row.endless_left && !row.endless_right {
            let pots = row.pots.len();
            for (place, pot) in row.pots.iter_mut().enumerate() {
                let cap = Caps::FartherEnd.cap(pots as u32, place as u32).unwrap();
                *pot = (*pot).min(Pot::Seeds((cap - 1).max(1)));
            }
            position = Sowing.position(&row)?;
        }
        Ok(position)
    }

    fn board(&self, position: &Strip) -> Row {
        Sowing.board(position)
    }

    fn each_option(
        &self,
        position: &Strip,
        player: Player,
        visit: &mut impl FnMut(&Strip),
    ) -> Result<(), PositionError> {
        let mut options = Vec::new();
        Sowing.each_option(position, player, &mut |option| options.push(*option))?;
        match self.0 {
            Fault::AnyLastPot if player == Player::Left => {
                // Only a single seed before an empty pot, which is enough of a fault.
                let mut row = self.board(position);
                let single = |pair: &[Pot]| pair == [Pot::Seeds(1), Pot::Seeds(0)];
                if let Some(place) = row.pots.windows(2).position(single) {
                    row.pots.swap(place, place + 1);
                    options.push(Sowing.position(&row)?);
                }
            }
            Fault::LostMove => _ = options.pop(),
            Fault::MovesBack if options.len() > 1 => options.push(*position),
            _ => {}
        }
        for option in options {
            visit(&self.position(&self.board(&option))?);
        }
        Ok(())
    }

    fn negative(&self, position: &Strip) -> Strip {
        if self.0 == Fault::NoMirror {
            *position
        } else {
            Sowing.negative(position)
        }
    }

    fn key(&self, position: &Strip) -> Result<(Key, bool), PositionError> {
        if self.0 != Fault::KeyWithoutOrder {
            return Sowing.key(position);
        }
        let mut row = self.board(position);
        row.pots.sort();
        let (key, _) = Sowing.key(&Sowing.position(&row)?)?;
        Ok((key, false))
    }

    fn position_of(&self, key: Key) -> Strip {
        Sowing.position_of(key)
    }

    fn components(&self, position: &Strip) -> Vec<Strip> {
        let row = self.board(position);
        if self.0 != Fault::SplitsAtEmptyPots || row.endless_left || row.endless_right {
            return vec![*position];
        }
        let runs = row.pots.split(|pot| *pot == Pot::Seeds(0));
        runs.map(|run| {
            let pots = run.to_vec();
            Sowing
                .position(&Row {
                    pots,
                    ..Row::default()
                })
                .unwrap()
        })
        .collect()
    }
}

/// Returns the cap of Sowing, or a wrong one, depending on the fault.
pub(crate) fn cap(fault: Fault, pots: usize, place: usize) -> Option<u32> {
    let cap = Caps::FartherEnd.cap(pots as u32, place as u32)?;
    match fault {
        Fault::CapTooHigh => Some(cap + 1),
        Fault::CapTooLow if cap > 1 => Some(cap - 1),
        _ => Some(cap),
    }
}
