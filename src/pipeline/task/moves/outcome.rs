//! Who wins positions of a game given by its moves, without values.

use cggames::game::Manner;
use cgsolvers::move_endings;

use super::values::{position, read};
use crate::evaluate::PositionOutcome;
use crate::moves::MovesFile;
use crate::run::{RunError, Session};

/// Finds out how play ends from positions, and passes on each in order. One search serves all of them, and its positions count for
/// each.
///
/// Cost: reads the file, and looks at each move of the positions and their followers.
///
/// # Errors
///
/// A fault of the file, or a name that it lacks; the reason if a signal, the deadline or the memory budget stopped it.
///
/// ```
/// use seedbank::engine::Ending;
/// use seedbank::game::Play;
/// use seedbank::moves::MovesFile;
/// use seedbank::run::{Limits, Session, Signals, Silent};
/// use seedbank::task::moves::outcomes_of_moves;
///
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("half.csv");
/// std::fs::write(&path, "position,left,right\nhalf,0,1\n1,0,\n0,,\n")?;
/// let file = MovesFile::open(&path)?;
/// let signals = Signals::default();
/// let session = Session::new(Limits::new(1, bytesize::ByteSize::gib(1)), &signals, &Silent);
/// let mut endings = Vec::new();
/// outcomes_of_moves(&file, Play::Partisan, &["half".to_owned()], &session, |_, found| endings.push(found.endings))?;
/// assert_eq!(endings, [[Ending::Win, Ending::Loss]]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn outcomes_of_moves(
    file: &MovesFile,
    manner: impl Into<Manner>,
    names: &[String],
    session: &Session<'_>,
    mut each: impl FnMut(usize, PositionOutcome),
) -> Result<(), RunError> {
    let total = (names.len() as u64, 0);
    let found = session.watch(("outcome", "position"), total, None, || {
        let moves = read(file, names.len() as u64, session)?;
        let positions = names.iter().map(|name| position(file, &moves, name));
        let positions: Vec<u32> = positions.collect::<Result<_, _>>()?;
        let mut different = positions.clone();
        different.sort_unstable();
        different.dedup();
        let all = different.iter().copied();
        let (endings, met) = move_endings(&moves, manner.into(), all, &session.control)?;
        for (index, position) in positions.iter().enumerate() {
            let place = different.binary_search(position);
            let endings = endings[place.expect("all positions are among the different ones")];
            each(
                index,
                PositionOutcome {
                    endings,
                    nimber: None,
                    positions: met,
                },
            );
            session.count_item();
        }
        Ok(())
    });
    let what = "the positions and their moves";
    found.map_err(|error| session.over_budget(error, "the search for winners", what))
}
