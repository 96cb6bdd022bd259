//! Positions of a game given by its moves, without a job.

use cggames::game::{Manner, Play, Player};
use cgvalues::Digester;

use super::values::{Valued, position, read};
use crate::dataset::PositionRow;
use crate::evaluate::Writing;
use crate::moves::MovesFile;
use crate::run::{RunError, Session};

/// Positions of a game given by its moves, to be evaluated.
#[derive(Clone, Debug)]
pub struct MovesAsked<'a> {
    /// The moves.
    pub file: &'a MovesFile,
    /// How the game is played.
    pub manner: Manner,
    /// The names of the positions.
    pub names: &'a [String],
    /// How values are written.
    pub writing: Writing,
    /// Whether the options of each position are evaluated.
    pub options: bool,
}

/// The options of a position, each with its row.
#[derive(Clone, Debug, Default)]
pub struct NamedMoves {
    /// Those of Left.
    pub left: Vec<PositionRow>,
    /// Those of Right.
    pub right: Vec<PositionRow>,
}

/// Evaluates positions, and passes each on in order, with its options if they are asked for. In impartial play both players have
/// the options of both.
///
/// Cost: reads the file and values the followers of the positions.
///
/// # Errors
///
/// A fault of the file, or a name that it lacks; the reason if a signal, the deadline or the memory budget stopped it.
///
/// ```
/// use seedbank::evaluate::Writing;
/// use seedbank::game::Play;
/// use seedbank::moves::MovesFile;
/// use seedbank::run::{Limits, Session, Signals, Silent};
/// use seedbank::task::moves::{MovesAsked, evaluate_moves};
///
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("half.csv");
/// std::fs::write(&path, "position,left,right\nhalf,0,1\n1,0,\n0,,\n")?;
/// let asked = MovesAsked {
///     file: &MovesFile::open(&path)?,
///     manner: Play::Partisan.into(),
///     names: &["half".to_owned()],
///     writing: Writing::default(),
///     options: false,
/// };
/// let signals = Signals::default();
/// let session = Session::new(Limits::new(1, bytesize::ByteSize::gib(1)), &signals, &Silent);
/// let mut values = Vec::new();
/// evaluate_moves(&asked, &session, |row, _| values.push(row.value.and_then(|value| value.value)))?;
/// assert_eq!(values, [Some("1/2".into())]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn evaluate_moves(
    asked: &MovesAsked<'_>,
    session: &Session<'_>,
    mut each: impl FnMut(PositionRow, NamedMoves),
) -> Result<(), RunError> {
    let MovesAsked {
        file,
        manner,
        names,
        ..
    } = *asked;
    let evaluated = session.evaluating(names.len(), || {
        let moves = read(file, names.len() as u64, session)?;
        let positions = names.iter().map(|name| position(file, &moves, name));
        let positions: Vec<u32> = positions.collect::<Result<_, _>>()?;
        let options = |position: u32, player| match manner.play {
            Play::Partisan => moves.options(position, player),
            Play::Impartial => moves.all_options(position),
        };
        let mut all = positions.clone();
        if asked.options {
            let options = positions
                .iter()
                .map(|position| moves.all_options(*position));
            all.extend(options.flatten());
        }
        let pool = session.pool()?;
        let valued = Valued::new(&moves, ("moves", manner), &all, session, &pool)?;
        let mut describer = valued.describer(asked.writing);
        let mut digester = Digester::new(valued.arena());
        let mut row = |position| {
            let row = valued.unnamed(valued.solution(position), &mut describer)?;
            let row = row.digested(|(form, _)| Ok::<_, RunError>(digester.digest(form).0))?;
            Ok::<_, RunError>(PositionRow {
                position: moves.name(position).to_owned(),
                ..row
            })
        };
        for &position in &positions {
            let mut named = NamedMoves::default();
            if asked.options {
                let mut rows = |player| {
                    let options = options(position, player).iter();
                    options
                        .map(|option| row(*option))
                        .collect::<Result<Vec<_>, _>>()
                };
                named.left = rows(Player::Left)?;
                named.right = rows(Player::Right)?;
            }
            each(row(position)?, named);
            session.count_item();
        }
        Ok(())
    });
    let what = "the positions and their moves";
    evaluated.map_err(|error| session.over_budget(error, "the evaluation", what))
}
