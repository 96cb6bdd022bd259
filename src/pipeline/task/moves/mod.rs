//! Games given by their moves: a row for each position, with its value.
//!
//! Without a job, [`evaluate_moves`] evaluates some positions, [`outcomes_of_moves`] finds out who wins them, and [`with_moves`] follows
//! play from one of them.

mod check;
mod evaluate;
mod finder;
mod make;
mod outcome;
mod spec;
mod table;
mod values;

use cggames::game::GameKind;

pub use self::evaluate::{MovesAsked, NamedMoves, evaluate_moves};
pub use self::finder::{MovesFinder, with_moves};
pub use self::outcome::outcomes_of_moves;
pub use self::spec::{MovesFamily, MovesTask};
use super::kind::{Kind, Mark};
use crate::run::{Described, Description, Mined};

/// The registry entry of this kind.
pub(super) const KIND: Kind = Kind {
    plays: |game| game == GameKind::Moves,
    mark: Mark::None,
    family: "a section [family], for example with all = true",
    titles: |_| &["a row for each position of a game of your own"],
    is_mined: false,
    spec: spec::spec,
};

impl Described for MovesTask {
    fn description(&self) -> Description {
        Description::new("position", self.game(), "play", self.manner.name())
    }

    fn rows(&self) -> u64 {
        self.family.rows(&self.file)
    }

    fn meaning(&self) -> String {
        let MovesTask {
            manner,
            file,
            family,
            ..
        } = self;
        let play = manner.name();
        let digest = file.digest;
        let mut meaning = format!(
            "seedbank job 1\ngame moves\nname {:?}\nplay {play}\nmoves {digest}",
            self.game()
        );
        match family {
            MovesFamily::All => meaning.push_str("\nall"),
            MovesFamily::Listed(names) => {
                let names = names.iter().map(|name| format!("\n{name:?}"));
                meaning.extend(names);
            }
        }
        meaning
    }
}

impl Mined for MovesTask {}
