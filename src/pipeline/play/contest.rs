//! A game in progress between a person and the program.

use cggames::game::Player;
use cgsolvers::Ending;
use thiserror::Error;

use super::referee::{Referee, Study, Worth};
use super::transcript::{Setting, Transcript, TranscriptMove};
use crate::run::RunError;

/// The number of times that a position occurs before play ends in a draw, if neither player can force more.
const RECURRENCES: u32 = 3;

/// A game in progress.
///
/// ```
/// use seedbank::game::Convention;
/// use seedbank::game::{Player, SumKind};
/// use seedbank::play::{Conclusion, Contest, SumReferee};
/// use seedbank::run::{Limits, Signals};
///
/// let referee = SumReferee {
///     added: SumKind::Disjunctive,
///     rule: Convention::Normal,
///     limits: Limits::new(1, bytesize::ByteSize::gib(1)),
///     signals: &Signals::default(),
/// };
/// let mut contest = Contest::new(referee, "nim(1) + nim(2)".parse()?, Player::Left, Player::Left)?;
/// let winning = contest.chosen()?;
/// assert_eq!(contest.study().choices[winning].text(), "nim(2) -> nim(1) -> nim(1) + nim(1)");
/// contest.play(winning)?;
/// // Right, the program, has no winning move left; Left then makes the last move.
/// contest.play(contest.find("1").expect("there is a move"))?;
/// contest.play(0)?;
/// assert_eq!(contest.conclusion(), Some(Conclusion::Won(Player::Left)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Contest<R: Referee> {
    referee: R,
    person: Player,
    /// The positions from the first to the current one.
    states: Vec<State<R::Position>>,
    /// The moves between them.
    plies: Vec<Ply>,
    hints: u32,
    undone: u32,
    resigned: bool,
}

/// A position in the course of a game.
struct State<P> {
    position: P,
    mover: Player,
    study: Study<P>,
    /// The seeds that Left has won, and Right.
    won: [u32; 2],
}

/// A move that was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ply {
    /// The player who made it.
    pub mover: Player,
    /// The move in words.
    pub act: String,
    /// The position before.
    pub before: String,
    /// The position after.
    pub after: String,
    /// The value before, if it is known.
    pub value_before: Option<String>,
    /// The value after, if it is known.
    pub value_after: Option<String>,
    /// The worth of the move to the player.
    pub worth: Worth,
    /// Whether no other move was better; `None` if moves are not compared.
    pub best: Option<bool>,
    /// The seeds that it won.
    pub gain: u32,
    /// The hints that were given for it.
    pub hints: u32,
}

/// How a game has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Conclusion {
    /// A player has won.
    Won(Player),
    /// The game is a draw.
    Drawn,
    /// The person has given up.
    Resigned,
}

/// A text that names no move, or several.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Unrecognised {
    /// The text names no move.
    #[error("{text:?} is no move and no command")]
    Nothing {
        /// The text.
        text: String,
    },
    /// Several moves begin with the text, and they lead to different positions.
    #[error(
        "{text:?} could be the moves {}; type the number of one",
        listed(moves)
    )]
    Several {
        /// The text.
        text: String,
        /// The moves, from 0.
        moves: Vec<usize>,
    },
}

fn listed(moves: &[usize]) -> String {
    let numbers: Vec<String> = moves.iter().map(|place| (place + 1).to_string()).collect();
    numbers.join(", ")
}

impl<R: Referee> Contest<R> {
    /// Begins a game in which `first` moves first.
    ///
    /// # Errors
    ///
    /// Those of the referee.
    pub fn new(
        mut referee: R,
        position: R::Position,
        first: Player,
        person: Player,
    ) -> Result<Contest<R>, RunError> {
        let study = referee.study(&position, first)?;
        let state = State {
            position,
            mover: first,
            study,
            won: [0; 2],
        };
        Ok(Contest {
            referee,
            person,
            states: vec![state],
            plies: Vec::new(),
            hints: 0,
            undone: 0,
            resigned: false,
        })
    }

    fn state(&self) -> &State<R::Position> {
        self.states.last().expect("a game has a position")
    }

    /// Returns the position.
    pub fn position(&self) -> &R::Position {
        &self.state().position
    }

    /// Returns the player to move.
    pub fn mover(&self) -> Player {
        self.state().mover
    }

    /// Returns the player that the person is.
    pub fn person(&self) -> Player {
        self.person
    }

    /// Returns the moves of the player to move.
    pub fn study(&self) -> &Study<R::Position> {
        &self.state().study
    }

    /// Returns the seeds that a player has won so far.
    pub fn won(&self, player: Player) -> u32 {
        self.state().won[player as usize]
    }

    /// Returns the moves made so far.
    pub fn plies(&self) -> &[Ply] {
        &self.plies
    }

    /// Returns how the game has ended, if it has.
    pub fn conclusion(&self) -> Option<Conclusion> {
        if self.resigned {
            return Some(Conclusion::Resigned);
        }
        let State { mover, study, .. } = self.state();
        let is_over = study.choices.is_empty() || self.is_repeated();
        let sign = match study.worth {
            _ if !is_over => return None,
            Worth::Ending(_) => study.worth.rank(),
            Worth::Margin(further) => {
                let [own, other] = [*mover, mover.opponent()].map(|player| self.won(player));
                own as i32 - other as i32 + further
            }
        };
        Some(match sign {
            1.. => Conclusion::Won(*mover),
            0 => Conclusion::Drawn,
            _ => Conclusion::Won(mover.opponent()),
        })
    }

    /// Returns by how many seeds Left has won a scored game that is over.
    pub fn margin(&self) -> Option<i32> {
        let State { mover, study, .. } = self.state();
        let Worth::Margin(further) = study.worth else {
            return None;
        };
        self.conclusion()?;
        let further = match mover {
            Player::Left => further,
            Player::Right => -further,
        };
        Some(self.won(Player::Left) as i32 - self.won(Player::Right) as i32 + further)
    }

    /// Returns whether play is in a cycle that neither player can leave for a better result.
    pub fn is_repeated(&self) -> bool {
        let State {
            mover,
            study,
            position,
            ..
        } = self.state();
        let is_even = matches!(study.worth, Worth::Ending(Ending::Draw) | Worth::Margin(0));
        let can_recur = self.referee.can_recur() && is_even;
        can_recur && self.seen(&position.to_string(), *mover) >= RECURRENCES
    }

    fn seen(&self, position: &str, mover: Player) -> u32 {
        let same = |state: &&State<R::Position>| {
            state.mover == mover && state.position.to_string() == position
        };
        self.states.iter().filter(same).count() as u32
    }

    /// Returns the place of the move that a text names. The text is the number in the list, from 1; the move in words or the
    /// beginning of that; or the position after the move.
    ///
    /// # Errors
    ///
    /// A text that names no move, or several.
    pub fn find(&self, text: &str) -> Result<usize, Unrecognised> {
        let plain = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        let text = plain(text);
        let choices = &self.study().choices;
        if let Ok(number) = text.parse::<usize>()
            && (1..=choices.len()).contains(&number)
        {
            return Ok(number - 1);
        }
        let matching = |is: &dyn Fn(&str, &str) -> bool| -> Vec<usize> {
            let places = (0..choices.len()).filter(|&place| {
                let choice = &choices[place];
                is(&choice.act, &choice.leaves.to_string())
            });
            places.collect()
        };
        // Blanks do not matter, except those that keep two numbers apart.
        let squeezed = |text: &str| {
            let mut squeezed = String::new();
            for word in text.split_whitespace() {
                let apart = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric());
                if apart(squeezed.chars().next_back()) && apart(word.chars().next()) {
                    squeezed.push(' ');
                }
                squeezed += word;
            }
            squeezed
        };
        // A word is matched as a whole: "pot 1" is not the beginning of "pot 12 to 13".
        let begins = |whole: &str| {
            let rest = whole.strip_prefix(&text);
            rest.is_some_and(|rest| !rest.starts_with(|c: char| c.is_ascii_alphanumeric()))
        };
        let routes: [Vec<usize>; 3] = [
            matching(&|act, _| act == text),
            matching(&|_, leaves| squeezed(leaves) == squeezed(&text)),
            matching(&|act, _| !text.is_empty() && begins(act)),
        ];
        let found = routes.into_iter().find(|found| !found.is_empty());
        match found.as_deref() {
            None => Err(Unrecognised::Nothing { text }),
            Some([first, rest @ ..]) => {
                let leaves = choices[*first].leaves.to_string();
                let alike = |place: &usize| choices[*place].leaves.to_string() == leaves;
                if rest.iter().all(alike) {
                    Ok(*first)
                } else {
                    Err(Unrecognised::Several {
                        text,
                        moves: found.unwrap_or_default(),
                    })
                }
            }
            Some([]) => unreachable!("an empty route is not taken"),
        }
    }

    /// Returns the place of the move that the program makes for the player to move; see [the module](super).
    ///
    /// # Errors
    ///
    /// Those of the referee.
    ///
    /// # Panics
    ///
    /// If there is no move.
    pub fn chosen(&mut self) -> Result<usize, RunError> {
        let state = self.states.last().expect("a game has a position");
        let choices = &state.study.choices;
        let worth = choices.iter().map(|choice| choice.worth.rank()).max();
        let worth = worth.expect("there is a move");
        let opponent = state.mover.opponent();
        let mut chosen = None;
        for (place, choice) in choices.iter().enumerate() {
            if choice.worth.rank() < worth {
                continue;
            }
            let next = if choice.moves_again {
                state.mover
            } else {
                opponent
            };
            let winning_replies = if choice.worth.is_lost() {
                let replies = self.referee.study(&choice.leaves, next)?.choices;
                replies.iter().filter(|reply| reply.worth.is_won()).count()
            } else {
                0
            };
            let seen = if self.referee.can_recur() {
                self.seen(&choice.leaves.to_string(), next)
            } else {
                0
            };
            let key = (winning_replies, seen, choice.best == Some(false), place);
            if chosen.is_none_or(|before| key < before) {
                chosen = Some(key);
            }
        }
        let (.., place) = chosen.expect("some move has the greatest worth");
        Ok(place)
    }

    /// Returns the place of the move to advise, and counts the hint.
    ///
    /// # Errors
    ///
    /// Those of the referee.
    ///
    /// # Panics
    ///
    /// If there is no move.
    pub fn hint(&mut self) -> Result<usize, RunError> {
        self.hints += 1;
        self.chosen()
    }

    /// Makes a move of the player to move, by its place.
    ///
    /// # Errors
    ///
    /// Those of the referee. After an error the move is not made.
    ///
    /// # Panics
    ///
    /// If there is no such move.
    pub fn play(&mut self, place: usize) -> Result<&Ply, RunError> {
        let state = self.states.last().expect("a game has a position");
        let choice = &state.study.choices[place];
        let mover = if choice.moves_again {
            state.mover
        } else {
            state.mover.opponent()
        };
        let study = self.referee.study(&choice.leaves, mover)?;
        let mut won = state.won;
        won[state.mover as usize] += choice.gain;
        let ply = Ply {
            mover: state.mover,
            act: choice.act.clone(),
            before: state.position.to_string(),
            after: choice.leaves.to_string(),
            value_before: state.study.value.clone(),
            value_after: study.value.clone(),
            worth: choice.worth,
            best: choice.best,
            gain: choice.gain,
            hints: std::mem::take(&mut self.hints),
        };
        let position = choice.leaves.clone();
        self.states.push(State {
            position,
            mover,
            study,
            won,
        });
        self.plies.push(ply);
        Ok(self.plies.last().expect("it has just been made"))
    }

    /// Takes back the person's last move and the moves since. Returns the number of these moves, 0 if the person has not moved.
    pub fn undo(&mut self) -> usize {
        let last = self.plies.iter().rposition(|ply| ply.mover == self.person);
        let Some(last) = last else { return 0 };
        let taken = self.plies.len() - last;
        self.plies.truncate(last);
        self.states.truncate(last + 1);
        (self.hints, self.resigned) = (0, false);
        self.undone += 1;
        taken
    }

    /// Resigns for the person.
    pub fn resign(&mut self) {
        self.resigned = true;
    }

    /// Returns the transcript of the game.
    pub fn transcript(&self, setting: Setting) -> Transcript {
        let name = |player: Player| setting.names[player as usize].clone();
        let moves = self.plies.iter().map(|ply| TranscriptMove {
            player: name(ply.mover),
            by_person: ply.mover == self.person,
            act: ply.act.clone(),
            before: ply.before.clone(),
            after: ply.after.clone(),
            value_before: ply.value_before.clone(),
            value_after: ply.value_after.clone(),
            ending: match ply.worth {
                Worth::Ending(ending) => Some(ending.name().to_owned()),
                Worth::Margin(_) => None,
            },
            margin: match ply.worth {
                Worth::Ending(_) => None,
                Worth::Margin(margin) => Some(margin),
            },
            best: ply.best,
            gain: ply.gain,
            hints: ply.hints,
        });
        let conclusion = self.conclusion();
        let winner = match conclusion {
            Some(Conclusion::Won(player)) => Some(player),
            Some(Conclusion::Resigned) => Some(self.person.opponent()),
            Some(Conclusion::Drawn) | None => None,
        };
        let result = match conclusion {
            None => "unfinished",
            Some(Conclusion::Resigned) => "resigned",
            Some(Conclusion::Drawn) => "drawn",
            Some(Conclusion::Won(player)) if player == self.person => "won",
            Some(Conclusion::Won(_)) => "lost",
        };
        Transcript {
            position: self.states[0].position.to_string(),
            person: name(self.person),
            first: name(self.states[0].mover),
            moves: moves.collect(),
            undone: self.undone,
            result: result.to_owned(),
            winner: winner.map(name),
            margin: self.margin(),
            setting,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::play::referee::Choice;

    /// Numbers on a circle: Left and Right step by 1 or 2; the player who reaches 0 wins, and from 6 play returns to 5.
    struct Circle;

    impl Referee for Circle {
        type Position = u32;

        fn study(&mut self, position: &u32, _: Player) -> Result<Study<u32>, RunError> {
            let choice = |leaves: u32, ending| Choice {
                act: format!("to {leaves}"),
                leaves,
                value: None,
                worth: Worth::Ending(ending),
                best: None,
                reversible: None,
                gain: 0,
                moves_again: false,
            };
            let (worth, choices) = match position {
                0 => (Ending::Loss, vec![]),
                5 => (Ending::Draw, vec![choice(6, Ending::Draw)]),
                6 => (Ending::Draw, vec![choice(5, Ending::Draw)]),
                7 => (
                    Ending::Draw,
                    vec![choice(10, Ending::Draw), choice(12, Ending::Draw)],
                ),
                _ => (Ending::Win, vec![choice(0, Ending::Win)]),
            };
            let worth = Worth::Ending(worth);
            Ok(Study {
                value: None,
                worth,
                choices,
            })
        }

        fn can_recur(&self) -> bool {
            true
        }
    }

    #[test]
    fn a_circle_that_nobody_can_leave_is_a_draw_the_third_time() {
        let mut contest = Contest::new(Circle, 5, Player::Left, Player::Left).unwrap();
        for _ in 0..4 {
            assert_eq!(contest.conclusion(), None);
            contest.play(0).unwrap();
        }
        assert_eq!(contest.conclusion(), Some(Conclusion::Drawn));
        // A game that was over resumes when a move is taken back.
        assert_eq!(contest.undo(), 2);
        assert_eq!(contest.conclusion(), None);
    }

    #[test]
    fn who_cannot_move_has_lost() {
        let mut contest = Contest::new(Circle, 1, Player::Right, Player::Left).unwrap();
        assert_eq!(contest.undo(), 0);
        contest.play(0).unwrap();
        assert_eq!(contest.conclusion(), Some(Conclusion::Won(Player::Right)));
        contest.resign();
        assert_eq!(contest.conclusion(), Some(Conclusion::Resigned));
    }

    #[test]
    fn moves_are_found_by_number_text_and_position() {
        let contest = Contest::new(Circle, 7, Player::Left, Player::Left).unwrap();
        for (text, place) in [("1", 0), (" 2 ", 1), ("10", 0), ("12", 1), ("to  12", 1)] {
            assert_eq!(contest.find(text), Ok(place), "{text}");
        }
        assert!(
            matches!(contest.find("to"), Err(Unrecognised::Several { moves, .. }) if moves == [0, 1])
        );
        for text in ["3", "to 1", "", "x"] {
            assert!(
                matches!(contest.find(text), Err(Unrecognised::Nothing { .. })),
                "{text}"
            );
        }
    }
}
