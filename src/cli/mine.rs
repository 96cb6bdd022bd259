//! `seedbank mine`

use std::path::PathBuf;

use clap::Args;
use serde_json::{Value, json};

use super::output::print_line;
use super::progress::Meter;
use super::{CliError, Exit, OutArgs, load_jobs, results};
use crate::mine::{Column, Mined, Statement, mine};

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

pub(super) fn run(args: &MineArgs) -> Result<Exit, CliError> {
    let out = &args.out.out;
    let mut predicted = Vec::new();
    for job in load_jobs(&args.jobs)? {
        let Some(result) = results::finished(&job, out)? else {
            return Err(results::unfinished(&job, out));
        };
        let columns = results::read(&job, out, result.as_ref(), &[], |reading| {
            job.task.columns(reading)
        })?;
        if columns.is_empty() {
            return Err(CliError::usage(format!(
                "{}: laws are looked for in families of patterns with variables, in heaps and in totals of sowing graphs, and this job has none of these",
                job.header.path.display()
            )));
        }
        for column in &columns {
            let place = args.predict.as_ref().and_then(|place| place.of(column));
            let meter = Meter::new(column.subject.clone(), "mining", "");
            let mined = mine(column, place.as_deref()).map_err(CliError::failed)?;
            drop(meter);
            match args.json {
                true => print_line(&object(&job.header.name, column, &mined).to_string()),
                false => print(column, &mined),
            }
            if let (Some(place), Some(value)) = (place, &mined.predicted) {
                let place = at(&column.variables, &place);
                predicted.push(format!("{} at {place} = {value}", column.subject));
            }
        }
    }
    if args.predict.is_some() && predicted.is_empty() {
        let message = "no law says anything of this place";
        return Err(CliError::new(Exit::Failed, message.to_owned()));
    }
    if !args.json {
        predicted.iter().for_each(|line| print_line(line));
    }
    Ok(Exit::Done)
}

/// Writes a place: a number for each variable.
fn at(variables: &[String], place: &[i64]) -> String {
    let numbers = variables.iter().zip(place);
    let numbers: Vec<String> = numbers
        .map(|(name, number)| format!("{name}={number}"))
        .collect();
    numbers.join(",")
}

fn print(column: &Column, mined: &Mined) {
    let ranges = column.variables.iter().zip(column.ranges());
    let ranges: Vec<String> = ranges
        .map(|(name, (least, greatest))| format!("{name}={least}..={greatest}"))
        .collect();
    print_line(&format!(
        "{}, {}: {} entries",
        column.subject,
        ranges.join(" "),
        column.len()
    ));
    for law in &mined.laws {
        let Statement {
            cells,
            tested,
            bits,
            ..
        } = law;
        let next = law.next.as_ref().map_or_else(String::new, |(place, says)| {
            format!("; next: {} = {says}", at(&column.variables, place))
        });
        print_line(&format!(
            "  {law}\n    {cells} entries, {tested} of them held out; saves {bits:.0} bits{next}"
        ));
    }
    let Mined {
        failed,
        unexplained,
        ..
    } = mined;
    print_line(&format!(
        "  {unexplained} entries without a law; {failed} laws refuted by entries held out"
    ));
}

fn object(job: &str, column: &Column, mined: &Mined) -> Value {
    let laws: Vec<Value> = mined
        .laws
        .iter()
        .map(|law| {
            json!({
                "law": law.to_string(),
                "says": law.says,
                "region": law.region,
                "cells": law.cells,
                "tested": law.tested,
                "bits": law.bits,
                "next": law.next.as_ref().map(|(place, says)| json!({
                    "place": at(&column.variables, place),
                    "value": says,
                })),
            })
        })
        .collect();
    json!({
        "job": job,
        "subject": column.subject,
        "variables": column.variables,
        "ranges": column.ranges(),
        "entries": column.len(),
        "laws": laws,
        "failed": mined.failed,
        "unexplained": mined.unexplained,
        "predicted": mined.predicted,
    })
}
