//! `seedbank table`

use std::fmt;
use std::path::PathBuf;

use clap::{ArgAction, Args};
use seedbank::report::ReportError;
use seedbank::report::colours::ValuesAs;
use seedbank::report::table::{Format, Table};
use serde::Serialize;

use super::names::named;
use super::options::ResultArgs;
use super::output::{self, print_line};
use super::{CliError, Exit, results, streams};

#[derive(Debug, Args)]
pub(super) struct TableArgs {
    /// The job spec: a file, or a name below jobs/ such as table-5
    #[arg(value_name = "JOB")]
    job: PathBuf,
    /// The format: text, markdown, latex, csv (the cells as they are laid out; "export" writes the
    /// rows), svg (a heat map) or vega-lite (a chart in JSON, for editors and notebooks)
    #[arg(long, value_name = "FORMAT", default_value_t = Format::Text, value_parser = named::<Format>(Format::ALL.map(Format::name)), hide_possible_values = true)]
    format: Format,
    /// Print one table of several; csv takes no more than one
    ///
    /// Summaries of codes have the tables summary and open, those of reconstructions summary and
    /// greatest, searches for witnesses the tables witnesses, nim-values or kinds, and
    /// atomic-weights. All others are one table, named table.
    #[arg(long, value_name = "NAME")]
    which: Option<String>,
    /// Print values whole. Otherwise Markdown, and text on a terminal, shorten values of more than 40 characters with an ellipsis;
    /// all other output always has them whole
    #[arg(long)]
    full: bool,
    /// Print one JSON object with all columns and rows
    #[arg(long, conflicts_with = "format", action = ArgAction::SetTrue, value_parser = output::Format::of_flag())]
    json: output::Format,
    #[command(flatten)]
    result: ResultArgs,
}

pub(super) fn run(args: &TableArgs) -> Result<Exit, CliError> {
    let job = results::load_job(&args.job)?;
    let found = results::expected(&job, &args.result)?;
    let table = results::read(&job, &args.result.out.out, &found, |reading| {
        job.task.table(reading)
    });
    let mut table = match table {
        Err(ReportError::Unanswered) => return Err(results::missing(&job, &args.result)),
        table => table?,
    };
    let names = table.names();
    match &args.which {
        Some(name) if names.contains(&name.as_str()) => table.retain(name),
        Some(name) => {
            return Err(CliError::usage(format!(
                "{} has no table {name:?}; --which accepts {}",
                job.header.name,
                names.join(", ")
            )));
        }
        None if matches!(args.format, Format::Csv | Format::VegaLite) && names.len() > 1 => {
            return Err(CliError::usage(format!(
                "{} has several tables, and {} takes one; choose it with --which: {}",
                job.header.name,
                args.format,
                names.join(", ")
            )));
        }
        None => {}
    }
    // A program that reads the text through a pipe gets the values whole.
    let is_for_readers = match args.format {
        Format::Text => streams::output().is_terminal(),
        Format::Markdown => true,
        Format::Latex | Format::Csv | Format::Svg | Format::VegaLite => false,
    };
    if is_for_readers && !args.full && args.json == output::Format::Text {
        table.shorten_values();
    }
    let report = TableReport {
        table,
        partial: found.rows_there.is_some(),
        rows_there: found.rows_there,
        rows_total: found.rows_there.map(|_| job.task.rows()),
        mark: found.mark(&job),
        format: args.format,
        values_as: job.task.values_as(),
    };
    print_line(&args.json.render(&report));
    Ok(Exit::Done)
}

/// A result, laid out, or the rows of it that are finished.
#[derive(Serialize)]
struct TableReport {
    #[serde(flatten)]
    table: Table,
    partial: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    rows_there: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rows_total: Option<u64>,
    /// How many rows that is, in words.
    #[serde(skip)]
    mark: Option<String>,
    #[serde(skip)]
    format: Format,
    #[serde(skip)]
    values_as: ValuesAs,
}

impl fmt::Display for TableReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(mark) = &self.mark {
            match self.format {
                Format::Text => write!(f, "{mark}\n\n")?,
                Format::Markdown => write!(f, "*{mark}*\n\n")?,
                Format::Latex => writeln!(f, "% {mark}")?,
                // A line above the header would break programs that read these.
                Format::Csv | Format::Svg | Format::VegaLite => {}
            }
        }
        let text = self.table.render(self.format, self.values_as);
        f.write_str(text.trim_end_matches('\n'))
    }
}
