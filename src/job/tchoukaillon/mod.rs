//! Jobs over Tchoukaillon boards: the boards themselves, the fewest stones for each length, boards with some bins fixed.

mod boards;
mod lengths;
mod reconstructions;

pub use self::boards::{
    BINS_MAX, BOARD_LENGTH_MAX, BinsAsked, BoardsLayout, BoardsTask, NEAREST_MAX, STONES_MAX,
    fewest_stones,
};
pub use self::lengths::{LENGTH_MAX, LengthsLayout, LengthsTask};
pub use self::reconstructions::{
    ReconstructionsLayout, ReconstructionsTask, SEARCHED_DEFAULT, SEARCHED_MAX,
};
use super::Task;
use super::fields::{Fields, Problems};
use super::sections::one_kind;

/// Reads the sections of a job over Tchoukaillon boards, but for the game's name.
pub(super) fn read(
    problems: &mut Problems<'_>,
    fields: &mut Fields<'_>,
    ruleset: Fields<'_>,
) -> Option<Task> {
    ruleset.finish(problems);
    let family = fields
        .require(
            problems,
            "family",
            "a section [family], for example with boards = \"0..=1000\"",
        )
        .and_then(|field| field.table(problems, "a section [family]"));
    let kind = family.and_then(|mut family| {
        let kinds = ["boards", "lengths", "reconstructions"];
        let kind = one_kind(problems, &mut family, &kinds);
        family.finish(problems);
        kind
    });
    let Some(kind) = kind else {
        // They belong to one of the kinds, though not to which.
        fields.take("columns");
        fields.take("table");
        return None;
    };
    match kind.name.as_str() {
        "boards" => boards::read(problems, fields, &kind).map(Task::Boards),
        "lengths" => lengths::read(problems, fields, &kind).map(Task::Lengths),
        _ => reconstructions::read(problems, fields, &kind).map(Task::Reconstructions),
    }
}
