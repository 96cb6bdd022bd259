//! A toy ruleset. This file is all that a new ruleset takes.

use std::fmt;

use seedbank::board::row::{Pot, Row};
use seedbank::board::{Key, PositionError};
use seedbank::game::{Player, Ruleset};

/// A complete ruleset, as small as possible: Left empties a pot whose right neighbour is not empty,
/// Right one whose left neighbour is not.
///
/// A pot is either empty or not, a gap splits the row, and every move leaves fewer nonempty pots.
#[derive(Clone)]
pub(crate) struct Toy;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct ToyPosition(Vec<bool>);

impl ToyPosition {
    fn normal(mut pots: Vec<bool>) -> ToyPosition {
        while pots.last() == Some(&false) {
            pots.pop();
        }
        let start = pots.iter().take_while(|pot| !**pot).count();
        ToyPosition(pots.split_off(start))
    }
}

impl fmt::Display for ToyPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Toy.board(self).fmt(f)
    }
}

impl Ruleset for Toy {
    type Board = Row;
    type Position = ToyPosition;

    fn id(&self) -> String {
        "toy".to_owned()
    }

    fn version(&self) -> u32 {
        1
    }

    fn position(&self, row: &Row) -> Result<ToyPosition, PositionError> {
        if row.endless_left || row.endless_right || row.pots.contains(&Pot::Full) {
            return Err(PositionError::FullPots {
                row: row.to_string(),
            });
        }
        Ok(ToyPosition::normal(
            row.pots.iter().map(|pot| *pot != Pot::Seeds(0)).collect(),
        ))
    }

    fn board(&self, position: &ToyPosition) -> Row {
        Row {
            pots: position
                .0
                .iter()
                .map(|&pot| Pot::Seeds(pot.into()))
                .collect(),
            ..Row::default()
        }
    }

    fn each_option(
        &self,
        position: &ToyPosition,
        player: Player,
        visit: &mut impl FnMut(&ToyPosition),
    ) -> Result<(), PositionError> {
        for (place, pair) in position.0.windows(2).enumerate() {
            if pair == [true, true] {
                let mut pots = position.0.clone();
                pots[place + usize::from(player == Player::Right)] = false;
                visit(&ToyPosition::normal(pots));
            }
        }
        Ok(())
    }

    fn negative(&self, position: &ToyPosition) -> ToyPosition {
        ToyPosition(position.0.iter().rev().copied().collect())
    }

    fn key(&self, position: &ToyPosition) -> Result<(Key, bool), PositionError> {
        let code = |position: &ToyPosition| {
            position
                .0
                .iter()
                .fold(1, |code, &pot| code << 1 | Key::from(pot))
        };
        let (here, there) = (code(position), code(&self.negative(position)));
        Ok((here.min(there), there < here))
    }

    fn position_of(&self, key: Key) -> ToyPosition {
        let pots = (0..key.ilog2()).rev();
        ToyPosition(pots.map(|place| key >> place & 1 != 0).collect())
    }

    fn components(&self, position: &ToyPosition) -> Vec<ToyPosition> {
        let runs = position.0.split(|pot| !pot).filter(|run| run.len() > 1);
        runs.map(|run| ToyPosition(run.to_vec())).collect()
    }
}

/// Returns the rows that one move on a literal row leads to.
pub(crate) fn moves(row: &Row, player: Player) -> Vec<Row> {
    let mut options = Vec::new();
    for place in 0..row.pots.len() {
        let neighbour = match player {
            Player::Left => row.pots.get(place + 1),
            Player::Right => place.checked_sub(1).map(|before| &row.pots[before]),
        };
        if row.pots[place] != Pot::Seeds(0) && neighbour.is_some_and(|pot| *pot != Pot::Seeds(0)) {
            let mut option = row.clone();
            option.pots[place] = Pot::Seeds(0);
            options.push(option);
        }
    }
    options
}
