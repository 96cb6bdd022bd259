//! Scored games: Kalah, Wari and their kin.

use cggames::board::two_rows::TwoRows;
use cggames::game::Player;

use super::referee::{Choice, Referee, Study, Worth};
use crate::run::RunError;
use crate::task::scores::ScoreFinder;

/// Judges moves of a scored game by their margins. Positions are seen by the player to move.
pub struct ScoreReferee<'f> {
    finder: &'f mut dyn ScoreFinder,
    can_recur: bool,
}

impl<'f> ScoreReferee<'f> {
    /// Returns a referee that uses the finder.
    pub fn new(finder: &'f mut dyn ScoreFinder, can_recur: bool) -> ScoreReferee<'f> {
        ScoreReferee { finder, can_recur }
    }
}

impl Referee for ScoreReferee<'_> {
    type Position = TwoRows;

    fn study(&mut self, position: &TwoRows, _: Player) -> Result<Study<TwoRows>, RunError> {
        let (margin, moves) = self.finder.find(position)?;
        let choices = moves.iter().map(|found| {
            let option = &found.option;
            let mut act = match option.pit {
                Some(pit) => format!("pit {}", pit + 1),
                None => "pass".to_owned(),
            };
            if option.gain > 0 {
                act.push_str(&format!(", wins {}", option.gain));
            }
            if option.moves_again {
                act.push_str(", moves again");
            }
            Choice {
                act,
                leaves: option.position,
                value: Some(found.margin.to_string()),
                worth: Worth::Margin(found.margin),
                best: Some(found.margin == margin),
                reversible: None,
                gain: option.gain,
                moves_again: option.moves_again,
            }
        });
        Ok(Study {
            value: Some(margin.to_string()),
            worth: Worth::Margin(margin),
            choices: choices.collect(),
        })
    }

    fn can_recur(&self) -> bool {
        self.can_recur
    }
}
