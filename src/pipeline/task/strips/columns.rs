//! The data to search for laws: the values of patterns and their numbers of followers, as columns
//! over the patterns' variables, and the values of all other rows of pots.

use std::collections::HashMap;

use cggames::board::row::Pot;
use cggames::board::{BoardKind, Key};
use cggames::family::Subfamily;
use cggames::game::{Convention, Game, Play};
use cglaws::{Column, Entries, Material, RowTable, Subject};
use cgsolvers::EngineError;

use crate::dataset::{PositionRow, Wanted};
use crate::evaluate::{Evaluation, evaluate};
use crate::report::ReportError;
use crate::run::{Mined, Reading, RunError, Session};
use crate::task::strips::StripTask;

/// What misère play gives a row: nim-values in impartial play, else outcome classes.
fn misere_entries(play: Play) -> Entries {
    match play {
        Play::Partisan => Entries::Words,
        Play::Impartial => Entries::Integers,
    }
}

impl Mined for StripTask {
    fn played(&self) -> Option<(Game, Play)> {
        // Proofs are of normal play.
        (self.convention == Convention::Normal).then_some((self.game, self.play))
    }

    fn mined_variables(&self) -> Option<Vec<String>> {
        let variables = self.family.variables();
        let has_rows = self.game.shape().kind() == BoardKind::Row;
        (has_rows || !variables.is_empty()).then(|| variables.to_vec())
    }

    /// For each pattern, and for rectangles, a column of values and one of followers, if rows have
    /// them. The values of rows of pots without variables form a table. Values without a notation
    /// and loopy ones are left out. Under misère play the column of a pattern has misère nim-values, or
    /// outcome classes in partisan play.
    fn material(&self, reading: &Reading<'_>) -> Result<Material, ReportError> {
        let (game, play, variables) = (self.game, self.play, self.family.variables());
        let mut wanted: Vec<&str> = vec![
            "pattern",
            "value",
            "value_digest",
            "kind",
            "followers",
            "position",
            "misere_outcome",
            "misere_nim_value",
        ];
        wanted.extend(variables.iter().map(String::as_str));
        let mut columns = MinedColumns::default();
        let mut identities = Identities::default();
        let mut table = RowTable::new(format!("rows of {} ({})", game.name(), play.name()));
        for row in reading
            .scan()
            .rows::<PositionRow>(Wanted::columns(wanted))?
        {
            let row = row?;
            let value = row.value.as_ref().and_then(|value| value.short_notation());
            let subject = row.pattern.as_deref().unwrap_or("rectangles");
            let bound = variables.iter().zip(&row.variables);
            let (names, place): (Vec<&String>, Vec<i64>) = bound
                .filter_map(|(name, number)| Some((name, (*number)?)))
                .unzip();
            if names.is_empty() {
                if let (Some(value), Some(pots)) = (value, pots(game, &row.position)) {
                    table.push(&pots, value);
                }
                continue;
            }
            if self.convention == Convention::Misere {
                if let Some(text) = row.misere() {
                    let subject = Subject::Members(subject.to_owned());
                    let column = columns.of(subject, &names, misere_entries(play));
                    column.push(&place, &text);
                }
            } else if let Some(value) = value {
                let position = |source| ReportError::Position {
                    game: game.name(),
                    source,
                };
                let board = game.shape().kind().read(&row.position);
                let board = board.map_err(|error| position(error.into()))?;
                let keys = game.summand_keys(&board).map_err(position)?;
                let position = identities.of(keys);
                let column = columns.of(
                    Subject::Members(subject.to_owned()),
                    &names,
                    Entries::Values,
                );
                column.push_of(&place, value, position);
            }
            if let Some(followers) = row.followers {
                let followers = followers.to_string();
                let column = columns.of(
                    Subject::Followers(subject.to_owned()),
                    &names,
                    Entries::Integers,
                );
                column.push(&place, &followers);
            }
        }
        Ok(Material {
            columns: columns.columns,
            rows: Some(table)
                .filter(|table| !table.is_empty())
                .into_iter()
                .collect(),
            ..Material::default()
        })
    }

    /// `None` if the place gives no position of the game, or the position has no value.
    fn entry(
        &self,
        column: &Column,
        at: &[i64],
        session: &Session<'_>,
    ) -> Result<Option<String>, RunError> {
        let (text, followers) = match &column.subject {
            Subject::Members(pattern) => (pattern, false),
            Subject::Followers(pattern) => (pattern, true),
        };
        let sweeps = self
            .family
            .subfamilies()
            .iter()
            .filter_map(|subfamily| match subfamily {
                Subfamily::Pattern(sweep) if sweep.pattern_text() == *text => Some(sweep.pattern()),
                _ => None,
            });
        let Some(board) = sweeps
            .into_iter()
            .find_map(|pattern| pattern.expand(at).ok())
        else {
            return Ok(None);
        };
        let evaluation = Evaluation {
            followers,
            ..Evaluation::of(self.game, self.manner())
        };
        let mut found = None;
        let each = |_, row: PositionRow| {
            found = if followers {
                row.followers.map(|followers| followers.to_string())
            } else if let Some(misere) = row.misere() {
                Some(misere.into_owned())
            } else {
                row.value
                    .and_then(|value| Some(value.short_notation()?.to_owned()))
            }
        };
        match evaluate(&evaluation, session, &[board], each) {
            Ok(_) => Ok(found),
            Err(RunError::Engine(EngineError::Position(_))) => Ok(None),
            Err(error) => Err(error),
        }
    }
}

/// Numbers for positions, the same for a position and its negative.
#[derive(Default)]
struct Identities {
    numbers: HashMap<Vec<(Key, bool)>, u64>,
}

impl Identities {
    /// Returns the number of the sum of positions with these keys, or of their negatives.
    fn of(&mut self, mut keys: Vec<(Key, bool)>) -> u64 {
        keys.sort_unstable();
        let mut negative: Vec<_> = keys.iter().map(|&(key, is)| (key, !is)).collect();
        negative.sort_unstable();
        let next = self.numbers.len() as u64;
        *self.numbers.entry(keys.min(negative)).or_insert(next)
    }
}

/// Returns the pots of a row in which none is full.
fn pots(game: Game, position: &str) -> Option<Vec<u32>> {
    let board = game.shape().kind().read(position).ok()?;
    let pots = board.row()?.pots.iter().map(|pot| match pot {
        Pot::Seeds(seeds) => Some(*seeds),
        Pot::Full => None,
    });
    pots.collect()
}

/// Columns by their subjects and variables.
#[derive(Default)]
struct MinedColumns {
    columns: Vec<Column>,
    /// The index of each column.
    known: HashMap<(Subject, Vec<String>), usize>,
}

impl MinedColumns {
    /// Returns the column of a subject and variables; appends one if there is none.
    fn of(&mut self, subject: Subject, names: &[&String], entries: Entries) -> &mut Column {
        let names: Vec<String> = names.iter().map(|&name| name.clone()).collect();
        let key = (subject, names);
        let known = *self
            .known
            .entry(key)
            .or_insert_with_key(|(subject, names)| {
                self.columns
                    .push(Column::new(subject.clone(), names.clone(), entries));
                self.columns.len() - 1
            });
        &mut self.columns[known]
    }
}
