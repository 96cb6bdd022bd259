//! The row of a position: its columns, its value, and the forms that the value needs.

use std::borrow::Cow;
use std::sync::Arc;

use cggames::board::AnyBoard;
use cggames::family::Member;
use cggames::game::{Game, Play};
use cgsolvers::{Ending, Genus};
use cgvalues::OutcomeClass;

use super::describe::ValueDescription;
use super::forms::{FormCollector, FormOfKind};
use super::loopy::LoopyDescription;
use crate::dataset::{DatasetError, FormRow, Missing, PositionRow, ValueColumns};
use crate::run::checkpoint::ByRank;

/// The columns that cost extra.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ExtraColumns {
    /// Whether the distinct followers of each position are counted.
    pub followers: bool,
    /// Whether the longest play from each position is measured.
    pub depth: bool,
    /// Whether the mean number of options is computed over each position's followers.
    pub branching: bool,
    /// Whether the genus of each position is computed, in impartial play.
    pub genus: bool,
    /// Whether the misère canonical form of each position is computed, in impartial play.
    pub misere_form: bool,
}

impl ExtraColumns {
    /// Returns whether all followers of a position must be visited.
    pub fn needs_followers(self) -> bool {
        self.followers || self.depth || self.branching
    }
}

/// The number of a row's followers, their depth and the moves.
pub(crate) type FollowerCounts = (u64, Option<u32>, u64);

/// The columns of a row beside the position's value.
pub(crate) struct MemberColumns<'a> {
    pub(crate) game: Game,
    pub(crate) play: Play,
    /// The patterns of the family's members, by their sources.
    pub(crate) patterns: Vec<Option<Arc<str>>>,
    pub(crate) columns: ExtraColumns,
    /// The counts of followers in checkpoints, if there are any.
    pub(crate) counts: Option<&'a ByRank<'a, FollowerCounts>>,
}

impl MemberColumns<'_> {
    /// Returns the row of a position without a value, which is missing for a reason.
    pub(crate) fn unvalued(
        &self,
        board: &AnyBoard,
        member: Option<&Member>,
        missing: Option<Missing>,
    ) -> PositionRow {
        PositionRow {
            game: self.game.name().into(),
            play: self.play.name().into(),
            pattern: member.and_then(|member| self.patterns.get(member.source)?.clone()),
            variables: member.map_or(Vec::new(), |member| member.variables.clone()),
            position: board.to_string(),
            features: board.features().into(),
            value_missing: missing.map(|missing| missing.name().into()),
            ..PositionRow::default()
        }
    }

    /// Returns the labels of positions that belong to no family.
    pub(crate) fn of_positions(
        game: Game,
        play: Play,
        columns: ExtraColumns,
    ) -> MemberColumns<'static> {
        MemberColumns {
            counts: None,
            game,
            play,
            patterns: Vec::new(),
            columns,
        }
    }
}

/// A row that lacks the digest of its value.
pub(crate) struct Undigested {
    row: PositionRow,
    form: Option<FormOfKind>,
    /// What a loopy value needs instead.
    loopy: Option<Box<LoopyDescription>>,
}

impl Undigested {
    /// Returns a row that has all columns, and the form of its value.
    pub(crate) fn of(row: PositionRow, form: Option<FormOfKind>) -> Undigested {
        Undigested {
            row,
            form,
            loopy: None,
        }
    }

    /// Returns the row with a genus, and what follows from it.
    pub(crate) fn with_genus(mut self, genus: Option<&Genus>) -> Undigested {
        if let Some(genus) = genus {
            let value = genus.misere_nim_value();
            let outcome = match value {
                0 => OutcomeClass::Previous,
                _ => OutcomeClass::Next,
            };
            self.row.misere_outcome = Some(outcome.letter().into());
            self.row.misere_nim_value = Some(value as i32);
            self.row.genus = Some(genus.to_string().into());
            self.row.is_tame = Some(genus.is_tame());
        }
        self
    }

    /// Returns the row with the digest of its form, if it has one.
    pub(crate) fn digested<E>(
        mut self,
        digest: impl FnOnce(FormOfKind) -> Result<[u8; 16], E>,
    ) -> Result<PositionRow, E> {
        if let Some((value, form)) = self.row.value.as_mut().zip(self.form) {
            value.value_digest = digest(form)?;
        }
        Ok(self.row)
    }

    /// Returns the row with the digest of its form, and adds the forms that its value needs.
    pub(crate) fn collected(
        self,
        forms: &mut FormCollector<'_>,
        push: &mut dyn FnMut(&FormRow) -> Result<(), DatasetError>,
    ) -> Result<PositionRow, DatasetError> {
        if let Some(loopy) = &self.loopy {
            forms.collect_loopy(&loopy.forms, push)?;
        }
        self.digested(|form| forms.collect(form, push))
    }
}

/// The value of a row.
pub(crate) enum RowValue<'v> {
    /// That of a game that ends, and whether a follower of the position lies on a cycle.
    Ends(&'v ValueDescription, bool),
    /// A loopy one.
    Loopy(Box<LoopyDescription>),
    /// None was found, and a follower of the position lies on a cycle.
    Unknown,
    /// There is none, since the question is who wins misère play. In impartial play the misère nim-value, unless a follower
    /// lies on a cycle.
    Misere(Option<u32>),
}

/// Returns the row with its value, and with how play ends: for Left when Left moves first and for Right when Right does. Where
/// play always ends, the outcome class says that alone.
pub(crate) fn valued(
    row: PositionRow,
    value: RowValue<'_>,
    endings: [Ending; 2],
    may_be_endless: bool,
) -> Undigested {
    let [left_first, right_first] =
        endings.map(|ending| may_be_endless.then(|| Cow::from(ending.name())));
    let row = PositionRow {
        outcome: Ending::class(endings).map(|class| class.letter().into()),
        left_first,
        right_first,
        ..row
    };
    match value {
        RowValue::Ends(value, is_loopy) => {
            let notation: Option<Cow<'static, str>> = value.notation.clone().map(Into::into);
            let side = notation.clone().filter(|_| is_loopy);
            let row = PositionRow {
                value: Some(ValueColumns {
                    value: notation,
                    atomic_weight: value.weight_notation().map(|text| text.to_owned().into()),
                    ..value.columns()
                }),
                onside: side.clone(),
                offside: side,
                is_stopper: is_loopy.then_some(true),
                ..row
            };
            Undigested::of(row, Some((value.form, value.kind)))
        }
        RowValue::Loopy(value) => {
            let [onside, offside] = value.sides();
            let row = PositionRow {
                value: Some(value.columns()),
                onside,
                offside,
                is_stopper: Some(value.is_stopper()),
                ..row
            };
            Undigested {
                loopy: Some(value),
                ..Undigested::of(row, None)
            }
        }
        RowValue::Misere(nim_value) => {
            let row = PositionRow {
                outcome: None,
                misere_outcome: row.outcome,
                misere_nim_value: nim_value.map(|value| value as i32),
                value_missing: Some(Missing::Misere.name().into()),
                ..row
            };
            Undigested::of(row, None)
        }
        RowValue::Unknown => {
            let row = PositionRow {
                value_missing: Some(Missing::Loopy.name().into()),
                ..row
            };
            Undigested::of(row, None)
        }
    }
}
