//! Table `positions`: one row for each position of the family, in the family's order.

use std::borrow::Cow;
use std::sync::Arc;

use super::Missing;
use super::column::Column;
use super::features::FeatureColumns;
use super::row::{TableRow, table_row};
pub use super::value::OUTCOMES;
use super::value::{ValueColumns, no_outcome};

table_row! {
/// One position and its value.
pub struct PositionRow {
    /// The game, by its name in jobs; by its own name if it is given by its moves and the job names it.
    pub game: Cow<'static, str> = label,
    /// The way of playing: partisan or impartial.
    pub play: Cow<'static, str> = label,
    /// The pattern that the position is an instance of; null if the family is not made of patterns.
    pub pattern: Option<Arc<str>>,
    /// The values of the family's variables, one column each, in the order of the result set's
    /// header: those of its patterns, and the rows, columns and pot_seeds (seeds of every pot) of
    /// rectangles; null if the row's part of the family has no such variable.
    pub variables: Vec<Option<i64>>,
    /// The position, as the family writes it.
    pub position: String = searched,
    /// Its size, five columns.
    pub features: FeatureColumns,
    /// The outcome class: N (first player wins), P (second player wins), L (Left wins), R (Right
    /// wins); null if play is a draw where one of the players moves first.
    pub outcome: Option<Cow<'static, str>> = label,
    /// The value of the position, thirteen columns; null if it has none.
    pub value: Option<ValueColumns<'static>>,
    /// Why there is no value: loopy (a follower of the position lies on a cycle, and no value was
    /// found), limit (it takes more than the run's limit for a row), unfinished (the run ended before
    /// it was found) or misere (the job is about misère play alone); null if there is one.
    pub value_missing: Option<Cow<'static, str>> = label,
    /// How play ends for Left when Left moves first and both play perfectly: win, draw (play never
    /// ends) or loss; in a job about misère play, under misère play; null for games by whose rules
    /// play always ends.
    pub left_first: Option<Cow<'static, str>> = label,
    /// How play ends for Right when Right moves first and both play perfectly; null for games by
    /// whose rules play always ends.
    pub right_first: Option<Cow<'static, str>> = label,
    /// The onside of the value of a position with a follower on a cycle: the stopper that it equals if
    /// all endless plays are won by Left; null for other positions, in impartial play if the value is
    /// no nimber, and beyond 4,096 characters.
    pub onside: Option<Cow<'static, str>> = notation,
    /// The offside of such a value: the same if all endless plays are won by Right.
    pub offside: Option<Cow<'static, str>> = notation,
    /// Whether the value of such a position is a stopper, that is, whether its sides are equal; null
    /// for other positions, and if there is no value.
    pub is_stopper: Option<bool>,
    /// The outcome class under misère play, in which the player who moves last loses; null unless the
    /// job asks for misère play or the genus, and if play is a draw where one of the players moves first.
    pub misere_outcome: Option<Cow<'static, str>> = label,
    /// The misère nim-value of a position in impartial play: the least that no option has, but 1 if
    /// there are no options; null unless the job asks for misère play or the genus, and if a
    /// follower of the position lies on a cycle.
    pub misere_nim_value: Option<i32>,
    /// The genus in impartial play, such as 0^120: the nim-value, and the misère nim-values of the
    /// position beside 0, 1, 2, ... heaps of two, of which the last two go on alternating; null
    /// unless the job requests it, and if a follower of the position lies on a cycle.
    pub genus: Option<Cow<'static, str>> = notation,
    /// The misère canonical form in impartial play: a nim heap such as *2, or a star and the options in
    /// brackets, in which heaps are numbers; null unless the job requests it, beyond 4,096
    /// characters, and if a follower of the position lies on a cycle.
    pub misere_form: Option<Cow<'static, str>> = notation,
    /// Whether the position is tame: it and all its followers have genera of positions of Nim; null
    /// where there is no genus.
    pub is_tame: Option<bool>,
    /// The number of distinct followers of the position, itself included; rows that differ only in
    /// empty ends or in the seeds of full pots count as one; null unless the job requests it.
    pub followers: Option<i64>,
    /// The number of moves in the longest play from the position, the players moving in any order;
    /// null unless the job requests it, and if play need not end.
    pub depth: Option<i32>,
    /// The mean number of distinct options, of both players together, over the followers of the
    /// position, itself included; null unless the job requests it.
    pub branching: Option<f64>,
}
unless misfit
}

fn misfit(row: &PositionRow) -> Option<String> {
    no_outcome(row.outcome.as_deref()?)
}

impl PositionRow {
    /// Returns whether a later run can still find the value.
    pub fn is_open(&self) -> bool {
        self.value_missing.as_deref().is_some_and(Missing::is_open)
    }

    /// Returns what is known of misère play, as tables show it in the place of a value: the genus, the misère nim-value, or
    /// the outcome class.
    pub fn misere(&self) -> Option<Cow<'_, str>> {
        let outcome = self.misere_outcome.as_deref()?;
        Some(match (&self.genus, self.misere_nim_value) {
            (Some(genus), _) => genus.as_ref().into(),
            (None, Some(value)) => value.to_string().into(),
            (None, None) => outcome.into(),
        })
    }

    /// Returns why there is no value, for a row without one.
    pub fn missing(&self) -> &str {
        self.value_missing.as_deref().unwrap_or("not computed")
    }
}

impl TableRow for PositionRow {
    const TABLE: &'static str = "positions";

    fn describe(row: &PositionRow) -> String {
        format!("position {:?}", row.position)
    }
}

/// A row about a position and its value, of a table beside which there is table `forms`.
pub trait PositionTable: TableRow {
    /// Returns the columns about the position.
    fn position(&self) -> &PositionRow;
}

impl PositionTable for PositionRow {
    fn position(&self) -> &PositionRow {
        self
    }
}

/// Returns the columns of a table of positions, with those of the named variables in their place.
///
/// # Errors
///
/// A sentence, if a variable has no name, the name of a column of the table, or that of another
/// variable. Names that differ only in case count as equal, because DuckDB treats them so.
pub fn columns<R: PositionTable>(variables: &[String]) -> Result<Vec<Column>, String> {
    let columns = R::columns(variables);
    for (index, name) in variables.iter().enumerate() {
        if name.is_empty() {
            return Err(format!("the name of variable {} is empty", index + 1));
        }
        let same = |column: &&Column| column.name.to_lowercase() == name.to_lowercase();
        let taken: Vec<&Column> = columns.iter().filter(same).collect();
        if let [first, second, ..] = taken.as_slice() {
            return Err(format!(
                "variable {name:?} would be a second column of that name beside {:?} (queries take upper and lower \
                 case as equal); rename the variable",
                if first.name == *name {
                    &second.name
                } else {
                    &first.name
                }
            ));
        }
    }
    Ok(columns)
}
