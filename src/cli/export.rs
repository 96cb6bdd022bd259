//! `seedbank export`

use std::path::{Path, PathBuf};

use arrow_array::RecordBatch;
use bytesize::ByteSize;
use clap::{Args, ValueEnum};
use seedbank::dataset::{DatasetError, Wanted};
use seedbank::durable::IoError;
use seedbank::evaluate::{game_graph, sum_graph};
use seedbank::game::SumKind;
use seedbank::game::impartial::{Component, Sum};
use seedbank::job::near;
use seedbank::moves::MovesLine;
use seedbank::report::export::bfile::{BFile, BFileError};
use seedbank::report::export::{csv, ndjson};
use seedbank::report::reference::oeis::{Form, Sequence, Terms, sequences};
use seedbank::run::{Job, Limits, Reading, RunError, Session, Signals};
use seedbank::task::heaps::HeapsTask;
use seedbank::task::strips::StripTask;
use seedbank::task::sums::SumsTask;

use super::error::{ended_early, printed};
use super::files::{is_printed, write_to};
use super::options::{ResultArgs, size};
use super::output::{Unprinted, count};
use super::progress::Display;
use super::results::Found;
use super::{CliError, Exit, reference, results};

#[derive(Debug, Args)]
pub(super) struct ExportArgs {
    /// The job spec: a file, or a name below jobs/ such as table-5
    #[arg(value_name = "JOB")]
    job: PathBuf,
    /// The format [default with --moves: ndjson]
    #[arg(
        long,
        value_enum,
        value_name = "FORMAT",
        required_unless_present = "moves"
    )]
    format: Option<ExportFormat>,
    /// Write the moves of the job's positions and of all their followers instead of its result: a line for each position, with the
    /// names of those that Left and Right can move to. Such a file is a game of its own for jobs with game = "moves"
    #[arg(long, conflicts_with_all = ["columns", "check", "reference", "partial"])]
    moves: bool,
    /// The memory to use at most for --moves, such as 16GiB [default: three quarters of what is free]
    #[arg(long, value_name = "SIZE", value_parser = size, requires = "moves")]
    memory: Option<ByteSize>,
    /// Write this column only; may be repeated [default: all; of a b-file nim_value, or the one of
    /// the published terms]
    #[arg(long = "column", value_name = "COLUMN")]
    columns: Vec<String>,
    /// Write to this file, which appears when it is whole; - is standard output [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Write the b-file of this sequence, such as A002491, and compare it with its published first
    /// terms; without it, compare with those of this job
    #[arg(long, value_name = "A-NUMBER")]
    check: Option<String>,
    /// A folder with a file oeis.toml, to use instead of the built-in one
    #[arg(long, value_name = "DIR")]
    reference: Option<PathBuf>,
    #[command(flatten)]
    result: ResultArgs,
}

/// How rows are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ExportFormat {
    /// Comma-separated values with a header; null is an empty field
    Csv,
    /// Newline-delimited JSON: an object for each row
    Ndjson,
    /// A b-file of the OEIS: lines "n a(n)", of one integer variable and one integer column
    Bfile,
}

/// Writes a text.
type Write<'w> = dyn FnMut(&str) -> Result<(), Unprinted> + 'w;

/// Why an export ended early.
enum Ended {
    Unwritten(Unprinted),
    Refused(CliError),
    /// The work of `--moves` was stopped, or it failed.
    Work(RunError),
}

impl From<Unprinted> for Ended {
    fn from(error: Unprinted) -> Ended {
        Ended::Unwritten(error)
    }
}

impl From<IoError> for Ended {
    fn from(error: IoError) -> Ended {
        Ended::Unwritten(error.into())
    }
}

impl From<RunError> for Ended {
    fn from(error: RunError) -> Ended {
        Ended::Work(error)
    }
}

impl From<CliError> for Ended {
    fn from(error: CliError) -> Ended {
        Ended::Refused(error)
    }
}

impl From<DatasetError> for Ended {
    fn from(error: DatasetError) -> Ended {
        Ended::Refused(error.into())
    }
}

pub(super) fn run(args: &ExportArgs) -> Result<Exit, CliError> {
    let format = args.format.unwrap_or(ExportFormat::Ndjson);
    let checks = args.check.is_some() || args.reference.is_some();
    if checks && format != ExportFormat::Bfile {
        let message = "--check and --reference compare b-files; add --format bfile";
        return Err(CliError::usage(message));
    }
    let job = results::load_job(&args.job)?;
    let path = args.output.as_deref();
    if args.moves {
        let signals = super::listen()?;
        let export = |write: &mut Write<'_>| export_moves(args, format, &job, &signals, write);
        return match write_to(path, export) {
            Ok(positions) => Ok(written(path, positions, "position")),
            Err(Ended::Work(error)) => ended_early(error, &signals),
            Err(ended) => ended.exit(),
        };
    }
    let out = &args.result.out.out;
    let found = results::expected(&job, &args.result)?;
    if found.results.is_none() {
        let name = &job.header.name;
        return Err(CliError::usage(format!(
            "{name} has no row for each position; \"seedbank table {name} --format csv\" prints its tables, and its Parquet files are in {}",
            out.join(name).display()
        )));
    }
    let sequences = match format {
        ExportFormat::Bfile => of_job(args, &job)?,
        ExportFormat::Csv | ExportFormat::Ndjson => Vec::new(),
    };
    let mut terms: Vec<Terms<'_>> = sequences.iter().map(Terms::of).collect();
    let exported = write_to(path, |write| {
        export(args, format, &job, &found, &mut terms, write)
    });
    match exported {
        Ok(rows) => {
            written(path, rows, "row");
            Ok(compared(&terms))
        }
        Err(ended) => ended.exit(),
    }
}

/// Says how much a file has.
fn written(path: Option<&Path>, number: u64, noun: &str) -> Exit {
    if let Some(path) = path.filter(|path| !is_printed(path)) {
        tracing::info!("{} in {}", count(number, noun), path.display());
    }
    Exit::Done
}

impl Ended {
    fn exit(self) -> Result<Exit, CliError> {
        match self {
            Ended::Refused(error) => Err(error),
            Ended::Work(error) => Err(error.into()),
            Ended::Unwritten(error) => printed(Err(error)),
        }
    }
}

/// Writes the moves of a job's positions and of their followers, and returns the number of positions.
fn export_moves(
    args: &ExportArgs,
    format: ExportFormat,
    job: &Job,
    signals: &Signals,
    write: &mut Write<'_>,
) -> Result<u64, Ended> {
    let name = &job.header.name;
    let refuse = |why: &str| CliError::usage(format!("{name}: {why}"));
    if format == ExportFormat::Bfile {
        return Err(refuse("a b-file has no moves; --moves accepts --format ndjson or csv").into());
    }
    let display = Display::new();
    let memory = args.memory.unwrap_or_else(seedbank::run::memory_available);
    let session = Session::new(Limits::new(1, memory), signals, &display);
    let mut lines = 0;
    let each = |line: MovesLine| {
        if lines == 0 && format == ExportFormat::Csv {
            write(line.csv_header())?;
        }
        lines += 1;
        let text = match format {
            ExportFormat::Csv => line.csv(),
            _ => line.json(),
        };
        Ok::<(), Ended>(write(&text)?)
    };
    if let Some(task) = job.task_as::<StripTask>() {
        let positions = task.family.iter().map(|member| member.position);
        game_graph(task.game, task.play, positions, &session, each)?;
        return Ok(lines);
    }
    let sums = if let Some(task) = job.task_as::<HeapsTask>() {
        let heaps =
            (task.first..=task.last).map(|n| Component::heap(task.game.clone(), n as usize));
        let heaps: Result<Vec<Component>, _> = heaps.collect();
        let heaps = heaps.map_err(|error| refuse(&error.to_string()))?;
        let sums = heaps.into_iter().map(|heap| Sum::new([heap]));
        Some((task.sum, sums.collect::<Vec<Sum>>()))
    } else if let Some(task) = job.task_as::<SumsTask>() {
        let sums = (0..task.family.len()).map(|rank| task.family.get(rank).0);
        Some((task.added, sums.collect()))
    } else {
        None
    };
    let Some((SumKind::Disjunctive, sums)) = sums else {
        let why = "--moves is for jobs with a row for each position of a game on pots, each heap of a disjunctive game, or each \
                   disjunctive sum";
        return Err(refuse(why).into());
    };
    sum_graph(sums, &session, each)?;
    Ok(lines)
}

/// Returns the sequences to compare with: the named one, or those that list the job.
fn of_job(args: &ExportArgs, job: &Job) -> Result<Vec<Sequence>, CliError> {
    let known = sequences(reference::files(args.reference.as_deref())).map_err(CliError::failed)?;
    let Some(number) = &args.check else {
        let of_job = known
            .into_iter()
            .filter(|sequence| sequence.jobs.contains(&job.header.name));
        let mut of_job: Vec<Sequence> = of_job.collect();
        let first = of_job.first().map(|first| first.column.clone());
        let column = args.columns.first().cloned().or(first);
        of_job.retain(|sequence| Some(&sequence.column) == column.as_ref());
        return Ok(of_job);
    };
    match known.iter().find(|sequence| sequence.number == *number) {
        Some(sequence) => {
            let column = args.columns.first().unwrap_or(&sequence.column).clone();
            Ok(vec![Sequence {
                column,
                ..sequence.clone()
            }])
        }
        None => {
            let numbers: Vec<&str> = known.iter().map(|known| known.number.as_str()).collect();
            Err(CliError::usage(format!(
                "no published terms of {number:?}; --check accepts {}",
                numbers.join(", ")
            )))
        }
    }
}

/// Writes all rows, and returns their number.
fn export(
    args: &ExportArgs,
    format: ExportFormat,
    job: &Job,
    found: &Found,
    terms: &mut [Terms<'_>],
    write: &mut Write<'_>,
) -> Result<u64, Ended> {
    let Some(result) = &found.results else {
        return Ok(0);
    };
    let tables = &result.header().tables;
    let variables = job.task.mined_variables().unwrap_or_default();
    results::read(job, &args.result.out.out, found, |reading| {
        let rows = &reading.rows;
        let scan = rows.expect("a result that was opened has rows");
        if format == ExportFormat::Bfile {
            return bfile(args, reading, &variables, tables.columns(), terms, write);
        }
        let all = tables.columns().iter().map(|column| &column.name);
        let columns = chosen(args, &all.cloned().collect::<Vec<_>>())?;
        let text: fn(&RecordBatch, &[String]) -> String = match format {
            ExportFormat::Csv => {
                write(&csv::header(&columns))?;
                csv::records
            }
            _ => ndjson::objects,
        };
        let wanted = Wanted::columns(columns.iter().cloned());
        let mut rows = 0;
        let texts = scan.first_batches(wanted, |_, batch| {
            (batch.num_rows(), text(&batch, &columns))
        })?;
        for made in texts {
            let (number, text) = made?;
            rows += number as u64;
            write(&text)?;
        }
        Ok(rows)
    })
}

/// Returns the columns to write: the named ones, in this order.
fn chosen(args: &ExportArgs, all: &[String]) -> Result<Vec<String>, CliError> {
    if args.columns.is_empty() {
        return Ok(all.to_vec());
    }
    for name in &args.columns {
        if !all.contains(name) {
            let help = match near(name, all.iter().map(String::as_str)).first() {
                Some(near) => format!("did you mean {near}?"),
                None => format!("--column accepts {}", all.join(", ")),
            };
            return Err(CliError::usage(format!("no column {name:?}; {help}")));
        }
    }
    Ok(args.columns.clone())
}

/// Writes the rows as a b-file, and compares them with published terms.
fn bfile(
    args: &ExportArgs,
    reading: &Reading<'_>,
    variables: &[String],
    columns: &[seedbank::dataset::Column],
    terms: &mut [Terms<'_>],
    write: &mut Write<'_>,
) -> Result<u64, Ended> {
    let usage = |error: BFileError| CliError::usage(format!("{}: {error}", reading.job.name));
    if let [_, _, ..] = args.columns[..] {
        let columns = args.columns.join(" and ");
        let message = format!("a b-file has one column, not {columns}");
        return Err(CliError::usage(message).into());
    }
    // The b-file is that of the named sequence, or of the first one whose terms no column has as they are.
    let written = terms.first().is_some_and(|first| {
        args.check.is_some() || !matches!(first.sequence.form, Form::Values | Form::Basin(_))
    });
    let file = match terms.first() {
        Some(first) if written => BFile::of_sequence(columns, variables, first.sequence),
        first => {
            let of_sequence = first.map(|first| first.sequence.column.as_str());
            let column = args.columns.first().map(String::as_str).or(of_sequence);
            BFile::of(columns, variables, column)
        }
    };
    let file = file.map_err(usage)?;
    let scan = reading.rows.expect("a result that was opened has rows");
    let wanted = Wanted::columns(file.columns());
    let mut before = None;
    let mut rows = 0;
    for batch in scan.first_batches(wanted, |_, batch| file.rows(&batch))? {
        let mut lines = String::new();
        for row in batch? {
            let (at, entries) = file.next(before, row).map_err(usage)?;
            before = Some(at);
            rows += 1;
            if !written {
                lines += &format!("{at} {}\n", entries[0]);
            }
            for (place, terms) in terms.iter_mut().enumerate() {
                terms.row(at, &entries, &mut |index, term| {
                    if written && place == 0 {
                        lines += &format!("{index} {term}\n");
                    }
                });
            }
        }
        write(&lines)?;
    }
    Ok(rows)
}

/// Reports the comparison with published terms.
fn compared(terms: &[Terms<'_>]) -> Exit {
    let mut exit = Exit::Done;
    for Terms {
        sequence,
        agree,
        others,
        ..
    } in terms
    {
        let Sequence {
            number,
            name,
            terms,
            ..
        } = sequence;
        let of = agree + others.len();
        let published = count(terms.len() as u64, "published term");
        tracing::info!("{number}, {name}: {agree} of {of} terms agree; {published}");
        for other in others {
            tracing::error!(
                "{number}({}): {} is published, {} was found",
                other.index,
                other.published,
                other.found
            );
            exit = Exit::Failed;
        }
    }
    exit
}
