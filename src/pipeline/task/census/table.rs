//! Tables of the witnesses that a job found, and of the totals of its census.

use cggames::game::Play;
use cgvalues::ValueDigest;

use super::question::WitnessSpec;
use super::{CensusTask, charts};
use crate::dataset::{AnswerRecord, DatasetError, Tally, WitnessRow};
use crate::report::ReportError;
use crate::report::page::Figure;
use crate::report::site::Occurrence;
use crate::report::table::plain::block;
use crate::report::table::{Block, Cell, Table, ValueText};
use crate::run::{Reading, Tabulated};

/// The number of digits of a digest that stand for a value whose notation is too long.
const DIGEST_CHARS: usize = 12;

impl Tabulated for CensusTask {
    fn table(&self, reading: &Reading<'_>) -> Result<Table, ReportError> {
        let census = super::open(reading.job, self, reading.out)?.ok_or(ReportError::Unanswered)?;
        let answer = census
            .answer(reading.job.digest)?
            .ok_or(ReportError::Unanswered)?;
        let rows = census.read_witnesses(&answer, &self.question.variables);
        build(reading, self, &answer, rows)
    }

    fn charts(&self, reading: &Reading<'_>) -> Result<Vec<Figure>, ReportError> {
        Ok(charts::charts(self, reading)?)
    }

    fn occurrences(
        &self,
        reading: &Reading<'_>,
        each: &mut dyn FnMut(&Occurrence<'_>),
    ) -> Result<(), ReportError> {
        Ok(charts::each_row(
            self,
            reading,
            |_| (),
            |row| {
                if let Some(value) = row.value.value.as_deref() {
                    each(&Occurrence {
                        value,
                        position: &row.position,
                        pots: row.features.pots.map(i64::from),
                        seeds: row.features.seeds,
                        count: row.count as u64,
                    });
                }
            },
        )?)
    }

    fn needs_all(&self) -> Option<&'static str> {
        Some("looks for witnesses, and these need the whole census")
    }
}

/// Lays out the result of a job with `[witness]`: a row for each thing sought, then the frequency
/// of each kind of value.
///
/// # Errors
///
/// If rows cannot be read.
fn build(
    reading: &Reading<'_>,
    task: &CensusTask,
    answer: &AnswerRecord,
    rows: impl IntoIterator<Item = Result<WitnessRow, DatasetError>>,
) -> Result<Table, ReportError> {
    let spec = &task.question;
    let rows: Vec<WitnessRow> = rows.into_iter().collect::<Result<_, _>>()?;
    let mut notes = vec![format!(
        "searched: {}, {} positions, each also for its mirror image; a blank line stands for none there",
        answer.bounds, answer.searched
    )];
    if let Some(relation) = spec.relation {
        notes.push(format!(
            "counted: the {} positions of relation {}",
            answer.counted,
            relation.name()
        ));
    }
    notes.push(format!(
        "before: the positions searched that come before the witness by {}",
        spec.fewest.name()
    ));
    let mut blocks = vec![witnesses(spec, &rows)];
    let kinds = match task.positions.play {
        Play::Impartial => ("nim-values", "nim-value"),
        Play::Partisan => {
            notes.push(
                "kinds and atomic weights: of the positions searched, not of their mirror images"
                    .to_owned(),
            );
            ("kinds", "kind")
        }
    };
    blocks.extend(tallies(kinds, &answer.kinds));
    let weights = ("atomic-weights", "atomic weight");
    blocks.extend(tallies(weights, &answer.atomic_weights));
    Ok(Table {
        notes,
        ..reading.table(blocks)
    })
}

fn witnesses(spec: &WitnessSpec, rows: &[WitnessRow]) -> Block {
    type Count = (&'static str, fn(&WitnessRow) -> Option<i64>);
    let of_some: [Count; 4] = [
        ("blue", |row| row.blue),
        ("red", |row| row.red),
        ("squares", |row| row.squares.map(i64::from)),
        ("followers", |row| row.followers),
    ];
    let has = |(_, count): &Count| rows.iter().any(|row| count(row).is_some());
    let counts: Vec<Count> = of_some.into_iter().filter(has).collect();
    let mut header = vec![Cell::label("sought")];
    header.extend(spec.variables.iter().map(Cell::label));
    header.extend(["position", "pots", "seeds"].map(Cell::label));
    header.extend(counts.iter().map(|&(name, _)| Cell::label(name)));
    header.extend(["value", "count", "before"].map(Cell::label));
    let cells = rows.iter().map(|row| {
        let mut cells = vec![Cell::label(&row.sought)];
        cells.extend(
            row.variables
                .iter()
                .map(|&value| Cell::number_or_blank(value)),
        );
        cells.push(row.position.clone().map_or(Cell::Blank, Cell::Position));
        cells.push(Cell::number_or_blank(row.pots));
        cells.push(Cell::number_or_blank(row.seeds));
        cells.extend(
            counts
                .iter()
                .map(|&(_, count)| Cell::number_or_blank(count(row))),
        );
        let digest = |digest: [u8; 16]| {
            let mut text = ValueDigest(digest).to_string();
            text.truncate(DIGEST_CHARS);
            ValueText::Digest(text)
        };
        let value = row.value.clone().map(ValueText::Notation);
        let value = value.or_else(|| row.value_digest.map(digest));
        cells.push(value.map_or(Cell::Blank, Cell::Value));
        cells.push(Cell::number(row.count));
        cells.push(Cell::number_or_blank(row.searched_before));
        cells
    });
    Block {
        name: "witnesses",
        header,
        ..block(&[], cells.collect())
    }
}

fn tallies((name, of): (&'static str, &str), tallies: &[Tally]) -> Option<Block> {
    let cells = |tally: &Tally| {
        vec![
            Cell::label(&tally.of),
            Cell::number(tally.positions),
            Cell::number(tally.values),
        ]
    };
    let header = [of, "positions", "values"];
    (!tallies.is_empty()).then(|| Block {
        name,
        ..block(&header, tallies.iter().map(cells).collect())
    })
}
