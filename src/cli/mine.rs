//! `seedbank mine`

use std::path::PathBuf;

use clap::Args;
use serde_json::{Value, json};

use super::output::print_line;
use super::progress::Meter;
use super::{CliError, Exit, OutArgs, load_jobs, results};
use crate::mine::{Column, Material, Mined, RowTable, mine, mine_between, mine_rows};

#[derive(Debug, Args)]
pub(super) struct MineArgs {
    /// The job specs, files or names below jobs/ such as theorem-2-2, whose results are finished
    #[arg(required = true, value_name = "JOB")]
    jobs: Vec<PathBuf>,
    /// Print what the laws say of one place, such as m=11,n=9, as the last line
    #[arg(long, value_name = "PLACE", value_parser = place)]
    predict: Option<Place>,
    #[command(flatten)]
    out: OutArgs,
    /// Print one JSON object for each column
    #[arg(long)]
    json: bool,
}

/// A number for each of some variables.
#[derive(Clone, Debug)]
struct Place(Vec<(String, i64)>);

fn place(text: &str) -> Result<Place, String> {
    let binding = |part: &str| {
        let (name, number) = part.split_once('=')?;
        Some((name.trim().to_owned(), number.trim().parse().ok()?))
    };
    let bindings = text.split(',').map(|part| {
        binding(part).ok_or_else(|| {
            format!("{part:?} gives no variable a number; write a place such as m=11,n=9")
        })
    });
    bindings.collect::<Result<_, _>>().map(Place)
}

impl Place {
    /// Returns the numbers of a column's variables, if there is one for each and no other.
    fn of(&self, column: &Column) -> Option<Vec<i64>> {
        let number = |name: &String| Some(self.0.iter().find(|(given, _)| given == name)?.1);
        let numbers: Vec<i64> = column.variables.iter().map(number).collect::<Option<_>>()?;
        (numbers.len() == self.0.len()).then_some(numbers)
    }
}

/// What laws are about.
enum Data<'a> {
    Column(&'a Column),
    Rows(&'a RowTable),
    /// All columns, compared with one another.
    Between,
}

impl Data<'_> {
    fn subject(&self) -> &str {
        match self {
            Data::Column(column) => &column.subject,
            Data::Rows(rows) => &rows.subject,
            Data::Between => "between columns",
        }
    }

    fn text(&self) -> String {
        match self {
            Data::Column(column) => {
                let ranges = column.variables.iter().zip(column.ranges());
                let ranges: Vec<String> = ranges
                    .map(|(name, (least, greatest))| format!("{name}={least}..={greatest}"))
                    .collect();
                let (ranges, entries) = (ranges.join(" "), column.len());
                format!("{}, {ranges}: {entries} entries", column.subject)
            }
            Data::Rows(rows) => format!("{}: {} rows", rows.subject, rows.len()),
            Data::Between => "Equal columns:".to_owned(),
        }
    }
}

pub(super) fn run(args: &MineArgs) -> Result<Exit, CliError> {
    let out = &args.out.out;
    let mut of_jobs: Vec<(String, Material)> = Vec::new();
    for job in load_jobs(&args.jobs)? {
        let Some(result) = results::finished(&job, out)? else {
            return Err(results::unfinished(&job, out));
        };
        let material = results::read(&job, out, result.as_ref(), &[], |reading| {
            job.task.material(reading)
        })?;
        if material.columns.is_empty() && material.rows.is_empty() {
            return Err(CliError::usage(format!(
                "{}: laws are sought in families of patterns with variables, in rows of pots, heaps and \
                 boards, and in totals of sowing graphs, and this job has none of these",
                job.header.path.display()
            )));
        }
        of_jobs.push((job.header.name.clone(), material));
    }
    let all: Vec<&Column> = of_jobs.iter().flat_map(|(_, of)| &of.columns).collect();
    let report = |job: Option<&str>, data: &Data<'_>, mined: &Mined| match args.json {
        true => print_line(&object(job, data, mined).to_string()),
        false => print(data, mined),
    };
    let meter = |data: &Data<'_>| Meter::new(data.subject().to_owned(), "mining", "");
    let mut predicted = Vec::new();
    for (job, material) in &of_jobs {
        for column in &material.columns {
            let others: Vec<&Column> = (all.iter().copied())
                .filter(|other| !std::ptr::eq(*other, column))
                .collect();
            let place = args.predict.as_ref().and_then(|place| place.of(column));
            let data = Data::Column(column);
            let meter = meter(&data);
            let mined = mine(column, &others, place.as_deref()).map_err(CliError::failed)?;
            drop(meter);
            report(Some(job), &data, &mined);
            if let (Some(place), Some(value)) = (place, &mined.predicted) {
                let place = column.place(&place);
                predicted.push(format!("{} at {place} = {value}", column.subject));
            }
        }
        for rows in &material.rows {
            let data = Data::Rows(rows);
            let meter = meter(&data);
            let mined = mine_rows(rows).map_err(CliError::failed)?;
            drop(meter);
            report(Some(job), &data, &mined);
        }
    }
    if all.len() > 1 {
        let meter = meter(&Data::Between);
        let mined = mine_between(&all);
        drop(meter);
        if args.json || !mined.laws.is_empty() || mined.failed > 0 {
            report(None, &Data::Between, &mined);
        }
    }
    if args.predict.is_some() && predicted.is_empty() {
        let message = "no law gives the entry at this place";
        return Err(CliError::new(Exit::Failed, message.to_owned()));
    }
    if !args.json {
        predicted.iter().for_each(|line| print_line(line));
    }
    Ok(Exit::Done)
}

fn print(data: &Data<'_>, mined: &Mined) {
    print_line(&data.text());
    for law in &mined.laws {
        let says = law.says.join("\n  ");
        let also = law.also.iter().map(|also| format!("\n    {also}"));
        let also: String = also.collect();
        let next = law.next.as_ref().map_or_else(String::new, |next| {
            format!("; next: {} = {}", next.place, next.says)
        });
        print_line(&format!(
            "  {says} for {}{also}\n    {} entries, {} of them held out; saves {:.0} bits{next}",
            law.region, law.cells, law.tested, law.bits
        ));
    }
    let failed = mined.failed;
    print_line(&match data {
        Data::Between => format!("  {failed} refuted by entries held out"),
        _ => format!(
            "  {} entries without a law; {failed} laws refuted by entries held out",
            mined.unexplained
        ),
    });
}

fn object(job: Option<&str>, data: &Data<'_>, mined: &Mined) -> Value {
    let laws: Vec<Value> = mined
        .laws
        .iter()
        .map(|law| {
            json!({
                "law": law.to_string(),
                "latex": law.latex(),
                "says": law.says,
                "also": law.also,
                "region": law.region,
                "cells": law.cells,
                "tested": law.tested,
                "bits": law.bits,
                "next": law.next.as_ref().map(|next| json!({
                    "place": next.place,
                    "value": next.says,
                })),
            })
        })
        .collect();
    let (variables, ranges, entries) = match data {
        Data::Column(column) => (&column.variables[..], column.ranges(), Some(column.len())),
        Data::Rows(rows) => (&[][..], Vec::new(), Some(rows.len())),
        Data::Between => (&[][..], Vec::new(), None),
    };
    json!({
        "job": job,
        "subject": data.subject(),
        "variables": variables,
        "ranges": ranges,
        "entries": entries,
        "laws": laws,
        "failed": mined.failed,
        "unexplained": mined.unexplained,
        "predicted": mined.predicted,
    })
}
