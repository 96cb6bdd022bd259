//! From a finished result to its section of a page.

use super::long_values::long_values;
use super::plan::{CODE_VERSION, rows_of};
use super::{Description, Job, Reading};
use crate::dataset::profile::Profile;
use crate::dataset::{FormRow, LawRow, ResultSet, TableRow};
use crate::report::ReportError;
use crate::report::page::{Figures, Section, Sequence, Spared, tile_maps};
use crate::report::site::{Occurrence, Site};
use crate::report::table::{Cell, Table, ValueText};

/// Returns what a page has of a finished result, with the laws found in it; `None` where it is not finished.
///
/// Reads the rows twice: for the table, and for a profile of its columns; and once more each for maps of tiles, for charts of
/// the task, for patterns of one variable, and for values whose notation is too long.
///
/// # Errors
///
/// Rows that cannot be read. A table that would be too large is no error: the section says so.
pub fn section(
    job: &Job,
    result: Option<&ResultSet>,
    reading: &Reading<'_>,
    laws: Result<Vec<LawRow>, Spared>,
) -> Result<Option<Section>, ReportError> {
    let task = &*job.task;
    let table = match task.table(reading) {
        Ok(table) => Ok(table),
        Err(ReportError::Unanswered) => return Ok(None),
        Err(error @ ReportError::TooLarge { .. }) => Err(Spared(format!("Not laid out: {error}."))),
        Err(error) => return Err(error),
    };
    let profile = reading.rows.map(Profile::of).transpose()?;
    let noun = format!("{}s", task.description().noun);
    let sequences = match reading.rows {
        Some(_) => task.sequences(reading)?,
        None => Vec::new(),
    };
    // Lists that are not whole leave the course along all rows to the charts.
    let is_whole = |sequence: &Sequence| sequence.members.len() as u64 == sequence.all;
    let has_curves = !sequences.is_empty() && sequences.iter().all(is_whole);
    let figures = (profile.as_ref()).map(|profile| Figures::of(profile, &noun, has_curves));
    let members = sequences.iter().flat_map(|sequence| &sequence.members);
    let shown = (table.iter().flat_map(values)).chain(members.map(|member| &member.value));
    let has_forms = task.table_names().contains(&FormRow::TABLE);
    let long = long_values(reading, shown, has_forms)?;
    let variables = task.mined_variables().unwrap_or_default();
    let mut charts = match (reading.rows, &profile) {
        (Some(rows), Some(profile)) => tile_maps(rows, profile, &variables, &noun)?,
        _ => Vec::new(),
    };
    charts.extend(task.charts(reading)?);
    Ok(Some(Section {
        name: job.header.name.clone(),
        title: job.header.title.clone(),
        source: job.header.source.clone(),
        about: about(job, reading),
        provenance: provenance(job, result)?,
        spec: job.header.text.clone(),
        table,
        values_as: task.values_as(),
        long,
        whole: whole(job),
        sequences,
        charts,
        figures: figures.unwrap_or_default(),
        laws,
        stated_law: task.law_held(),
    }))
}

/// Enters the positions of a result in a site, of which it is the section number `place`.
///
/// # Errors
///
/// Rows that cannot be read.
pub fn enter_occurrences(
    job: &Job,
    reading: &Reading<'_>,
    site: &mut Site,
    place: usize,
) -> Result<(), ReportError> {
    let game = game_of(job);
    let mut each = |found: &Occurrence<'_>| site.enter(place, &game, found);
    job.task.occurrences(reading, &mut each)
}

/// Returns the name of a job's game, with its board and the way of playing. Rules of rows, and moves of a file without a name for
/// them, are those of the job.
fn game_of(job: &Job) -> String {
    let Description { game, detail, .. } = job.task.description();
    let mut name = game;
    let played = job.task.played().map(|(game, _)| game);
    if let Some(pots) = played.and_then(|game| game.board_pots()) {
        name += &format!(" on {pots} pots");
    }
    if name == "moves" || played.is_some_and(|game| game.has_rules()) {
        name += &format!(" of {}", job.header.name);
    }
    match detail.name {
        "play" | "sum" => format!("{name}, {}", detail.text),
        _ => name,
    }
}

/// Returns the values in the cells of a table.
fn values(table: &Table) -> impl Iterator<Item = &ValueText> {
    let rows = table.blocks.iter().flat_map(|block| &block.rows);
    rows.flatten().filter_map(|cell| match cell {
        Cell::Value(value) | Cell::Equation { value, .. } => Some(value),
        _ => None,
    })
}

/// Returns the command that prints the value of a position whole, without the position.
fn whole(job: &Job) -> Option<String> {
    let (game, play) = job.task.played()?;
    let board = game.board_pots().map(|pots| format!(" --pots {pots}"));
    let rules = (game.has_rules()).then(|| format!(" --rules '{}'", job.header.path.display()));
    Some(format!(
        "seedbank eval --game {} --play {play}{}{} --full",
        game.name(),
        board.unwrap_or_default(),
        rules.unwrap_or_default()
    ))
}

fn about(job: &Job, reading: &Reading<'_>) -> Vec<(&'static str, String)> {
    let Description {
        noun, game, detail, ..
    } = job.task.description();
    let rows = if noun == "position" {
        "positions"
    } else {
        "rows"
    };
    let (there, all) = (
        reading.ranks.iter().map(rows_of).sum::<u64>(),
        job.task.rows(),
    );
    let number = if there < all {
        format!("{there} of {all}")
    } else {
        all.to_string()
    };
    vec![
        ("job", job.header.name.clone()),
        ("game", game),
        (detail.name, detail.text),
        (rows, number),
    ]
}

fn provenance(
    job: &Job,
    result: Option<&ResultSet>,
) -> Result<Vec<(&'static str, String)>, ReportError> {
    let mut facts = vec![("digest of the job", job.header.digest.to_string())];
    if let Some(result) = result {
        facts.push(("digest of the result", result.digest()?.to_string()));
        if let Some(record) = result.record(0)? {
            facts.push(("computed by seedbank", record.code_version));
        }
    }
    facts.push(("page by seedbank", CODE_VERSION.to_owned()));
    Ok(facts)
}
