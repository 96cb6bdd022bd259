//! The conversation of a game: the lines that are shown and read.

use std::fmt::Display;
use std::path::Path;

use seedbank::engine::Ending;
use seedbank::game::Player;
use seedbank::play::{Conclusion, Contest, Ply, Referee, Setting, Worth};
use seedbank::run::RunError;

use super::lines::{Heard, Lines};
use crate::files::write_text;
use crate::output::{count, print_line};
use crate::{CliError, Exit};

/// The commands of a game, for the help of `seedbank play` and during the game.
pub(crate) const COMMANDS: &str = "\
During a game, type one of these and press Enter:
  the number of a move in the list, or the move or the beginning of it as listed,
  or the position that it leads to: make the move
  moves      list the moves again
  hint       show the move that seedbank would make
  undo       take back your last move and the answer to it
  value      show values from now on, or hide them
  help       list what can be typed
  resign     give up
  quit       leave the game unfinished, as the end of the input does";

/// The settings of a conversation.
pub(super) struct Talk<'a> {
    pub(super) setting: Setting,
    /// The game, in words.
    pub(super) title: String,
    /// Advice to the player about the game.
    pub(super) notes: &'static [&'static str],
    /// Whether values are shown at first.
    pub(super) values: bool,
    /// The file of the transcript.
    pub(super) transcript: Option<&'a Path>,
}

/// A game and the person who plays it.
pub(super) struct Conversation<'a, R: Referee> {
    contest: Contest<R>,
    talk: Talk<'a>,
}

/// The effect of a line that the person typed.
enum Next {
    /// A move was made or taken back.
    Play,
    /// Nothing has changed.
    Ask,
    /// The person leaves.
    Leave(Exit),
}

impl<'a, R: Referee> Conversation<'a, R> {
    pub(super) fn begin(
        referee: R,
        position: R::Position,
        first: Player,
        person: Player,
        talk: Talk<'a>,
    ) -> Result<Conversation<'a, R>, RunError> {
        Ok(Conversation {
            contest: Contest::new(referee, position, first, person)?,
            talk,
        })
    }

    /// Plays the game to its end, or until the input ends, and writes the transcript.
    pub(super) fn hold(
        mut self,
        lines: &mut Lines<'_>,
    ) -> Result<Result<Exit, CliError>, RunError> {
        let exit = self.talk(lines);
        // A stopped evaluation also ends in a transcript.
        self.print_end();
        let written = self.write_transcript();
        Ok(exit?.and_then(|exit| written.map(|()| exit)))
    }

    fn talk(&mut self, lines: &mut Lines<'_>) -> Result<Result<Exit, CliError>, RunError> {
        self.print_beginning();
        while self.contest.conclusion().is_none() {
            if self.contest.mover() != self.contest.person() {
                let chosen = self.contest.chosen()?;
                let ply = self.contest.play(chosen)?.clone();
                self.print_ply(&ply);
                continue;
            }
            self.print_position();
            self.print_moves();
            loop {
                print_line("Your move?");
                let next = match lines.next() {
                    Heard::Line(line) => self.answer(&line)?,
                    Heard::End => Next::Leave(Exit::Done),
                    Heard::Interrupted => Next::Leave(Exit::Interrupted),
                    Heard::Terminated => Next::Leave(Exit::StoppedEarly),
                    Heard::Failed(error) => {
                        let message = format!("standard input cannot be read: {error}");
                        return Ok(Err(CliError::new(Exit::Failed, message)));
                    }
                };
                match next {
                    Next::Ask => {}
                    Next::Play => break,
                    Next::Leave(exit) => return Ok(Ok(exit)),
                }
            }
        }
        Ok(Ok(Exit::Done))
    }

    /// Carries out the person's line.
    fn answer(&mut self, line: &str) -> Result<Next, RunError> {
        match line {
            "" => {}
            "help" | "?" => COMMANDS.lines().for_each(print_line),
            "moves" => self.print_moves(),
            "value" | "values" => {
                self.talk.values = !self.talk.values;
                if self.talk.values {
                    print_line("Values are shown.");
                    self.print_value();
                    self.print_moves();
                } else {
                    print_line("Values are hidden.")
                }
            }
            "hint" => {
                let place = self.contest.hint()?;
                let choice = &self.contest.study().choices[place];
                let prospect = match choice.worth {
                    worth if worth.is_won() => "it wins".to_owned(),
                    Worth::Margin(margin) => format!("its further margin is {margin}"),
                    Worth::Ending(Ending::Draw) => "no move wins, and it draws".to_owned(),
                    Worth::Ending(_) => "no move wins against best play".to_owned(),
                };
                print_line(&format!(
                    "Hint: {}: {}; {prospect}.",
                    place + 1,
                    choice.text()
                ));
            }
            "undo" => match self.contest.undo() {
                0 => print_line("There is no move of yours to take back."),
                taken => {
                    print_line(&format!("{} taken back.", count(taken as u64, "move")));
                    return Ok(Next::Play);
                }
            },
            "resign" => {
                self.contest.resign();
                return Ok(Next::Play);
            }
            "quit" | "exit" => return Ok(Next::Leave(Exit::Done)),
            text => match self.contest.find(text) {
                Ok(place) => {
                    let ply = self.contest.play(place)?.clone();
                    self.print_ply(&ply);
                    return Ok(Next::Play);
                }
                Err(error) => print_line(&format!("{error}. Type help for what can be typed.")),
            },
        }
        Ok(Next::Ask)
    }

    fn name(&self, player: Player) -> &str {
        &self.talk.setting.names[player as usize]
    }

    fn who(&self, player: Player) -> &'static str {
        if player == self.contest.person() {
            "You"
        } else {
            "seedbank"
        }
    }

    fn print_beginning(&self) {
        let person = self.contest.person();
        let (own, other) = (self.name(person), self.name(person.opponent()));
        print_line(&format!(
            "{}. You are {own}, seedbank is {other}, and {} moves first.",
            self.talk.title,
            self.name(self.contest.mover())
        ));
        self.talk.notes.iter().for_each(|note| print_line(note));
        print_line("Type the number of a move, or help for what else can be typed.");
    }

    fn print_position(&self) {
        print_line(&format!("Position: {}", self.contest.position()));
        if matches!(self.contest.study().worth, Worth::Margin(_)) {
            let person = self.contest.person();
            let [own, other] = [person, person.opponent()].map(|player| self.contest.won(player));
            print_line(&format!("Won so far: you {own}, seedbank {other}"));
        }
        self.print_value();
    }

    fn print_value(&self) {
        if !self.talk.values {
            return;
        }
        let study = self.contest.study();
        let value = study.value.as_deref().unwrap_or("none that can be shown");
        match study.worth {
            Worth::Margin(margin) => print_line(&format!("Further margin: {margin}")),
            Worth::Ending(ending) => print_line(&format!(
                "Value: {value}; with best play: {} for {}",
                ending.name(),
                self.name(self.contest.mover())
            )),
        }
    }

    fn print_moves(&self) {
        print_line(&format!("Moves of {}:", self.name(self.contest.mover())));
        for (number, choice) in (1..).zip(&self.contest.study().choices) {
            let remarks = if self.talk.values {
                choice.remarks()
            } else {
                String::new()
            };
            print_line(&format!("  {number}: {}{remarks}", choice.text()));
        }
    }

    fn print_ply(&self, ply: &Ply) {
        let (name, who) = (self.name(ply.mover), self.who(ply.mover));
        print_line(&format!("{who} ({name}): {} -> {}", ply.act, ply.after));
    }

    /// Prints the result of the game and its moves.
    fn print_end(&self) {
        let contest = &self.contest;
        let mover = contest.mover();
        if contest.conclusion().is_some() {
            print_line(&format!("Position: {}", contest.position()));
        }
        match contest.conclusion() {
            None => print_line("The game is unfinished."),
            Some(Conclusion::Resigned) => print_line("You resign. seedbank wins."),
            Some(conclusion) => {
                if contest.is_repeated() {
                    print_line(
                        "The position has come for the third time, and neither player can force more.",
                    );
                } else if contest.margin().is_some() {
                    print_line("Play is over.");
                } else {
                    print_line(&format!("{} has no move left.", self.name(mover)));
                }
                let by = match contest.margin() {
                    Some(margin) if margin != 0 => {
                        format!(" by {}", count(u64::from(margin.unsigned_abs()), "seed"))
                    }
                    _ => String::new(),
                };
                match conclusion {
                    Conclusion::Won(player) if player == contest.person() => {
                        print_line(&format!("You win{by}."));
                    }
                    Conclusion::Won(_) => print_line(&format!("seedbank wins{by}.")),
                    _ => print_line("The game is a draw."),
                }
            }
        }
        if contest.plies().is_empty() {
            return;
        }
        print_line("What was played:");
        for (number, ply) in (1..).zip(contest.plies()) {
            print_line(&format!(
                "  {number}. {}",
                played(self.name(ply.mover), ply)
            ));
        }
    }

    fn write_transcript(&self) -> Result<(), CliError> {
        let Some(path) = self.talk.transcript else {
            return Ok(());
        };
        let transcript = self.contest.transcript(self.talk.setting.clone());
        let text = serde_json::to_string_pretty(&transcript).expect("a transcript is plain data");
        if write_text(path, &format!("{text}\n"))? {
            print_line(&format!("Transcript: {}", path.display()));
        }
        Ok(())
    }
}

fn played(name: impl Display, ply: &Ply) -> String {
    format!("{name}: {} -> {}", ply.act, ply.after)
}
