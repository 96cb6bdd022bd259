//! `seedbank mine`

use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::Args;
use serde_json::{Value, json};

use super::error::ended_early;
use super::means::{MeansArgs, OutArgs, time};
use super::output::print_line;
use super::progress::Meter;
use super::{CliError, Exit, load_jobs, results};
use crate::dataset::{Digest, FORMAT_VERSION, LawRow, ResultHeader, ResultSet, Tables};
use crate::mine::{Column, Material, Mined, RowTable, mine, mine_between, mine_rows};
use crate::run::{CODE_VERSION, Job, Means, RunError, Signals};

#[derive(Debug, Args)]
pub(super) struct MineArgs {
    /// The job specs, files or names below jobs/ such as theorem-2-2, whose results are finished
    #[arg(required = true, value_name = "JOB")]
    jobs: Vec<PathBuf>,
    /// Print what the laws say of one place, such as m=11,n=9, as the last line
    #[arg(long, value_name = "PLACE", value_parser = place)]
    predict: Option<Place>,
    /// Compute the nearest entries that laws predict, within a time such as 90s, and report which laws hold
    #[arg(long, value_name = "TIME", value_parser = time)]
    extend: Option<humantime::Duration>,
    /// Write the laws to a result set of this folder, table laws
    #[arg(long, value_name = "DIR")]
    table: Option<PathBuf>,
    #[command(flatten)]
    out: OutArgs,
    #[command(flatten)]
    means: MeansArgs,
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

/// A finished result.
struct Mineable {
    job: Job,
    /// The digest of its manifest, which has the digests of its files.
    digest: Digest,
    material: Material,
}

/// A law's entries beyond the result, as far as they were computed.
#[derive(Default)]
struct Extension {
    /// How many are as predicted.
    holds: usize,
    /// The last place of them.
    to: Option<String>,
    /// The first place whose entry is another, and that entry.
    refuted: Option<(String, String)>,
}

/// The laws of some data, and how far they hold beyond it.
struct Found<'a> {
    job: Option<&'a str>,
    data: Data<'a>,
    mined: Mined,
    /// One for each law, if entries beyond the result are computed.
    extensions: Vec<Extension>,
}

pub(super) fn run(args: &MineArgs) -> Result<Exit, CliError> {
    let results = load_jobs(&args.jobs)?
        .into_iter()
        .map(|job| mineable(job, &args.out.out));
    let results: Vec<Mineable> = results.collect::<Result<_, CliError>>()?;
    let all: Vec<&Column> = (results.iter())
        .flat_map(|result| &result.material.columns)
        .collect();
    let mut found: Vec<Found<'_>> = Vec::new();
    let mut predicted = Vec::new();
    for result in &results {
        let job = Some(&*result.job.header.name);
        for column in &result.material.columns {
            let others: Vec<&Column> = (all.iter().copied())
                .filter(|other| !std::ptr::eq(*other, column))
                .collect();
            let place = args.predict.as_ref().and_then(|place| place.of(column));
            let meter = Meter::new(column.subject.clone(), "mining", "");
            let mined = mine(column, &others, place.as_deref()).map_err(CliError::failed)?;
            drop(meter);
            if let (Some(place), Some(value)) = (place, &mined.predicted) {
                let place = column.place(&place);
                predicted.push(format!("{} at {place} = {value}", column.subject));
            }
            found.push(Found::new(job, Data::Column(column), mined));
        }
        for rows in &result.material.rows {
            let meter = Meter::new(rows.subject.clone(), "mining", "");
            let mined = mine_rows(rows).map_err(CliError::failed)?;
            drop(meter);
            found.push(Found::new(job, Data::Rows(rows), mined));
        }
    }
    if all.len() > 1 {
        let meter = Meter::new(Data::Between.subject().to_owned(), "mining", "");
        let mined = mine_between(&all);
        drop(meter);
        if args.json || !mined.laws.is_empty() || mined.failed > 0 {
            found.push(Found::new(None, Data::Between, mined));
        }
    }
    if let Some(time) = args.extend {
        let mut extending = Extending {
            until: Instant::now() + *time,
            laws: found.iter().map(|found| found.mined.laws.len()).sum(),
            means: args,
            signals: &super::listen()?,
        };
        for found in &mut found {
            let result = results
                .iter()
                .find(|result| Some(&*result.job.header.name) == found.job);
            if let Some(exit) = extending.extend(result.map(|result| &result.job), found)? {
                return Ok(exit);
            }
        }
    }
    for found in &found {
        match args.json {
            true => print_line(&object(found).to_string()),
            false => print(found),
        }
    }
    if let Some(dir) = &args.table {
        write(dir, &results, &found)?;
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

/// Reads the data of a job's finished result in which laws are sought.
fn mineable(job: Job, out: &Path) -> Result<Mineable, CliError> {
    let Some(result) = results::finished(&job, out)? else {
        return Err(results::unfinished(&job, out));
    };
    let material = results::read(&job, out, result.as_ref(), &[], |reading| {
        job.task.material(reading)
    })?;
    match result {
        Some(result) if !material.columns.is_empty() || !material.rows.is_empty() => {
            let digest = result.digest()?;
            Ok(Mineable {
                job,
                digest,
                material,
            })
        }
        _ => Err(CliError::usage(format!(
            "{}: laws are sought in families of patterns and sums with variables, in rows of pots, heaps \
             and boards, and in totals of sowing graphs, and this job has none of these",
            job.header.path.display()
        ))),
    }
}

/// Computes entries beyond results.
struct Extending<'a> {
    until: Instant,
    /// How many laws share the time that is left.
    laws: usize,
    means: &'a MineArgs,
    signals: &'a Signals,
}

impl Extending<'_> {
    /// Computes the entries that laws predict; returns how the process ends if it was interrupted.
    fn extend(
        &mut self,
        job: Option<&Job>,
        found: &mut Found<'_>,
    ) -> Result<Option<Exit>, CliError> {
        for law in &found.mined.laws {
            let left = self.until.saturating_duration_since(Instant::now());
            let means = Means {
                threads: self.means.means.threads(),
                memory: self.means.means.memory(),
                deadline: Instant::now() + left / self.laws.max(1) as u32,
                signals: self.signals,
            };
            self.laws -= 1;
            let mut extension = Extension::default();
            if let (Some(job), Data::Column(column)) = (job, &found.data) {
                let _meter = Meter::new(column.subject.clone(), "extending", "");
                for next in &law.next {
                    if Instant::now() >= means.deadline {
                        break;
                    }
                    match job.task.entry(column, &next.at, &means) {
                        Ok(Some(entry)) if entry == next.says => {
                            extension.holds += 1;
                            extension.to = Some(next.place.clone());
                        }
                        Ok(Some(entry)) => {
                            extension.refuted = Some((next.place.clone(), entry));
                            break;
                        }
                        Ok(None) => break,
                        Err(error) if self.signals.interrupted() || self.signals.terminated() => {
                            return ended_early(error, self.signals).map(Some);
                        }
                        // The time or the memory does not suffice for this entry.
                        Err(RunError::Engine(_) | RunError::Budget { .. }) => break,
                        Err(error) => return Err(error.into()),
                    }
                }
            }
            found.extensions.push(extension);
        }
        Ok(None)
    }
}

/// Writes the laws as a result set, whose header has the jobs and the digests of their results.
fn write(dir: &Path, results: &[Mineable], found: &[Found<'_>]) -> Result<(), CliError> {
    let sources = results.iter().map(|result| {
        let Mineable { job, digest, .. } = result;
        format!("{} {} {digest}\n", job.header.name, job.header.digest)
    });
    let spec_text = format!(
        "Laws of these results: job, digest of the job, digest of the manifest\n{}",
        sources.collect::<String>()
    );
    let name = dir.file_name().unwrap_or_default().to_string_lossy();
    let header = ResultHeader {
        job: name.into_owned(),
        job_digest: Digest::of(spec_text.as_bytes()),
        code_version: CODE_VERSION.to_owned(),
        format_version: FORMAT_VERSION,
        shards: 1,
        spec_text,
        tables: Tables::of::<LawRow>(),
    };
    let set = ResultSet::open_or_create(dir, &header)?;
    let mut writer = set.plain_writer::<LawRow>(0, 0)?;
    for found in found {
        for law in &found.mined.laws {
            writer.push(&LawRow {
                job: found.job.map(|job| job.to_owned().into()),
                subject: found.data.subject().to_owned(),
                law: law.to_string(),
                latex: law.latex(),
                entries: law.cells as i64,
                tested: law.tested as i64,
                bits: law.bits,
                next: law.next.first().map(|next| next.place.clone()),
                next_entry: law.next.first().map(|next| next.says.clone()),
            })?;
        }
    }
    writer.commit()?;
    set.finish()?;
    Ok(())
}

impl<'a> Found<'a> {
    fn new(job: Option<&'a str>, data: Data<'a>, mined: Mined) -> Found<'a> {
        Found {
            job,
            data,
            mined,
            extensions: Vec::new(),
        }
    }
}

impl Extension {
    fn text(&self) -> String {
        let holds = match &self.to {
            Some(to) => format!("holds on {} more entries, to {to}", self.holds),
            None => "no more entries computed".to_owned(),
        };
        match &self.refuted {
            Some((place, entry)) => format!("{holds}; refuted at {place}: {entry}"),
            None => holds,
        }
    }
}

fn print(found: &Found<'_>) {
    let Found { data, mined, .. } = found;
    print_line(&data.text());
    for (place, law) in mined.laws.iter().enumerate() {
        let says = law.says.join("\n  ");
        let also = law.also.iter().map(|also| format!("\n    {also}"));
        let also: String = also.collect();
        let next = law.next.first().map_or_else(String::new, |next| {
            format!("; next: {} = {}", next.place, next.says)
        });
        let extension = found.extensions.get(place);
        let extension = extension.map_or_else(String::new, |extension| {
            format!("\n    {}", extension.text())
        });
        print_line(&format!(
            "  {says} for {}{also}\n    {} entries, {} of them held out; saves {:.0} bits{next}{extension}",
            law.region,
            law.cells,
            law.tested,
            law.bits.max(0.0)
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

fn object(found: &Found<'_>) -> Value {
    let Found {
        job, data, mined, ..
    } = found;
    let laws = mined.laws.iter().enumerate();
    let laws: Vec<Value> = laws
        .map(|(place, law)| {
            let extension = found.extensions.get(place);
            json!({
                "law": law.to_string(),
                "latex": law.latex(),
                "says": law.says,
                "also": law.also,
                "region": law.region,
                "cells": law.cells,
                "tested": law.tested,
                "bits": law.bits,
                "next": law.next.first().map(|next| json!({
                    "place": next.place,
                    "value": next.says,
                })),
                "extended": extension.map(|extension| json!({
                    "holds": extension.holds,
                    "to": extension.to,
                    "refuted": extension.refuted.as_ref().map(|(place, entry)| json!({
                        "place": place,
                        "value": entry,
                    })),
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
