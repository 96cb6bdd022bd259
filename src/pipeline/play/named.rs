//! Games that are given by their moves.

use std::fmt;

use cggames::game::Player;
use cggames::game::moves::printed;
use cgsolvers::Ending;

use super::referee::{Choice, Referee, Study, Worth};
use crate::evaluate::judge::ending_for_mover;
use crate::run::RunError;
use crate::task::moves::MovesFinder;

/// Judges moves of a game given by its moves.
pub struct MovesReferee<'f, 'v> {
    finder: &'f mut MovesFinder<'v>,
}

/// A position of a game given by its moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedPosition {
    position: u32,
    name: String,
}

/// The name as it is printed.
impl fmt::Display for NamedPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&printed(&self.name))
    }
}

impl<'f, 'v> MovesReferee<'f, 'v> {
    /// Returns a referee that uses the finder.
    pub fn new(finder: &'f mut MovesFinder<'v>) -> MovesReferee<'f, 'v> {
        MovesReferee { finder }
    }

    /// Returns the first position.
    pub fn first(&self) -> NamedPosition {
        self.named(self.finder.first())
    }

    fn named(&self, position: u32) -> NamedPosition {
        NamedPosition {
            position,
            name: self.finder.name(position).to_owned(),
        }
    }
}

impl Referee for MovesReferee<'_, '_> {
    type Position = NamedPosition;

    fn study(
        &mut self,
        position: &NamedPosition,
        mover: Player,
    ) -> Result<Study<NamedPosition>, RunError> {
        let options = self.finder.options(position.position, mover);
        let choices = options.into_iter().map(|option| {
            let (value, endings) = self.finder.found(option)?;
            let leaves = self.named(option);
            Ok(Choice {
                act: format!("to {leaves}"),
                leaves,
                value,
                worth: Worth::Ending(ending_for_mover(endings, mover)),
                best: None,
                reversible: None,
                gain: 0,
                moves_again: false,
            })
        });
        let choices = choices.collect::<Result<_, RunError>>()?;
        let (value, endings): (_, [Ending; 2]) = self.finder.found(position.position)?;
        Ok(Study {
            value,
            worth: Worth::Ending(endings[mover as usize]),
            choices,
        })
    }

    fn can_recur(&self) -> bool {
        self.finder.can_recur()
    }
}
