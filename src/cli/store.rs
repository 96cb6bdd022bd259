//! `seedbank store`

use std::path::{Path, PathBuf};

use bytesize::ByteSize;
use clap::{Args, Subcommand};
use seedbank::dataset::DatasetError;
use seedbank::evaluate::care::{self, DEEP_SAMPLE, DeepSample};
use seedbank::store::{SegmentReport, Store, StoreError};
use seedbank::task::scores::verify_scores;
use serde_json::json;

use super::output::{count, print_line};
use super::progress::{Display, Meter};
use super::{CliError, Exit, ResourceArgs, folders_of_options};

#[derive(Debug, Args)]
pub(super) struct StoreArgs {
    #[command(subcommand)]
    command: StoreCommand,
    /// The folder of the store
    #[arg(long, value_name = "DIR", default_value = seedbank::run::STORE, global = true)]
    store: PathBuf,
    /// Print one JSON object a line
    #[arg(long, global = true)]
    json: bool,
}

#[derive(Debug, Subcommand)]
enum StoreCommand {
    /// Show what is in the store
    Stat,
    /// Check every byte of every segment, and of all scores of tiers
    Verify {
        /// Also recompute a sample of the values from the rules
        #[arg(long)]
        deep: bool,
        /// The number of values in the sample, for each game and way of playing [default: 1000]
        #[arg(long, value_name = "N", requires = "deep")]
        sample: Option<u64>,
        /// The seed of the sample; the same seed selects the same values [default: 0]
        #[arg(long, value_name = "SEED", requires = "deep")]
        seed: Option<u64>,
    },
    /// Remove damaged segments and scores from the store; they are recomputed when they are needed.
    /// Files that cannot be read now, or have a later format, stay
    Repair,
    /// Merge the segments of each game into as few as possible, without forms that no value needs
    Compact,
    /// Write all values as Parquet files, one result set for each game and way of playing
    Export {
        /// The folder of these result sets
        #[arg(long, value_name = "DIR")]
        out: PathBuf,
        /// The number of worker threads [default: all processors]
        #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
        threads: Option<u16>,
    },
    /// Import the values that another store has and this one lacks
    Import {
        /// The folder of the other store
        #[arg(long, value_name = "DIR")]
        from: PathBuf,
    },
}

pub(super) fn run(args: &StoreArgs) -> Result<Exit, CliError> {
    let other = match &args.command {
        StoreCommand::Export { out, .. } => Some(("--out", out)),
        StoreCommand::Import { from } => Some(("--from", from)),
        _ => None,
    };
    folders_of_options([("--store", &args.store)].into_iter().chain(other));
    let store = Store::open(&args.store)?;
    match &args.command {
        StoreCommand::Stat => stat(&store, args.json),
        StoreCommand::Verify { deep, sample, seed } => {
            let exit = verify(&store, args.json)?;
            match (exit, deep) {
                (Exit::Done, true) => {
                    let sample = DeepSample {
                        count: sample.unwrap_or(DEEP_SAMPLE),
                        seed: seed.unwrap_or(0),
                    };
                    verify_deep(&store, sample, args.json)
                }
                (exit, _) => Ok(exit),
            }
        }
        StoreCommand::Repair => repair(&store, args.json),
        StoreCommand::Compact => compact(&store, args.json),
        StoreCommand::Export { out, threads } => {
            let resources = ResourceArgs {
                threads: *threads,
                memory: None,
            };
            export(&store, out, resources.threads(), args.json)
        }
        StoreCommand::Import { from } => import(&store, from, args.json),
    }
}

fn stat(store: &Store, json: bool) -> Result<Exit, CliError> {
    let stat = store.stat()?;
    for space in &stat.namespaces {
        if json {
            let line = json!({
                "ruleset": space.namespace.ruleset,
                "ruleset_version": space.namespace.ruleset_version,
                "play": space.namespace.play,
                "segments": space.segments,
                "values": space.narrow + space.wide,
                "values_wide": space.wide,
                "forms": space.forms,
                "bytes": space.bytes,
            });
            print_line(&line.to_string());
            continue;
        }
        print_line(&format!(
            "{}: {} in {}, {}, {}, {:.1} bytes a value",
            space.namespace,
            count(space.narrow + space.wide, "value"),
            count(space.segments, "segment"),
            count(space.forms, "form"),
            ByteSize(space.bytes),
            space.bytes_per_record(),
        ));
    }
    if stat.namespaces.is_empty() && !json {
        print_line(&format!("{}: empty", store.dir().display()));
    }
    for orphan in &stat.orphans {
        tracing::warn!(
            "{} is not in the manifest and is not used; \"seedbank store compact\" removes it if it holds nothing new",
            orphan.display()
        );
    }
    for refused in &stat.refused {
        tracing::warn!("{}", refused.error);
    }
    let refused = stat.refused.iter();
    Ok(exit(refused.map(|refused| refused.error.is_damage())))
}

/// Returns the exit status for problems with files, given whether each is damage.
fn exit(problems: impl IntoIterator<Item = bool>) -> Exit {
    match problems.into_iter().reduce(|a, b| a || b) {
        None => Exit::Done,
        Some(false) => Exit::Failed,
        Some(true) => Exit::Damaged,
    }
}

fn repair(store: &Store, json: bool) -> Result<Exit, CliError> {
    let mut writer = store.writer()?;
    let reports = verified(store);
    let damaged = reports.iter().filter(|report| report.is_damaged());
    let damaged: Vec<&str> = damaged.map(|report| report.file.as_str()).collect();
    writer.retire(&damaged)?;
    for file in &damaged {
        if json {
            print_line(&json!({ "segment": file, "removed": true }).to_string());
        } else {
            print_line(&format!("{file}: removed"));
        }
    }
    let left = reports.iter().filter(|report| !report.is_damaged());
    let left: Vec<&StoreError> = left.flat_map(|report| &report.problems).collect();
    for problem in &left {
        tracing::warn!("a segment stays as it is: {problem}");
    }
    let mut problems: Vec<bool> = left.into_iter().map(StoreError::is_damage).collect();
    let mut is_whole = damaged.is_empty() && problems.is_empty();
    for report in verify_scores(store.dir())? {
        let Some(problem) = &report.problem else {
            continue;
        };
        is_whole = false;
        if !problem.is_damage() {
            tracing::warn!("scores stay as they are: {problem}");
            problems.push(false);
            continue;
        }
        report.remove()?;
        if json {
            print_line(&json!({ "scores": report.file, "removed": true }).to_string());
        } else {
            print_line(&format!("scores {}: removed", report.file));
        }
    }
    if is_whole && !json {
        print_line("nothing is damaged");
    }
    Ok(exit(problems))
}

/// Checks every segment, with a meter.
fn verified(store: &Store) -> Vec<SegmentReport> {
    let meter = Meter::new(store.dir().display().to_string(), "verifying", "value");
    if let Ok(stat) = store.stat() {
        let values = stat.namespaces.iter();
        meter.set_total(values.map(|space| space.narrow + space.wide).sum());
    }
    store.verify_each(&mut |report| meter.add(report.records))
}

/// Returns a meter for work of unknown extent.
fn meter(store: &Store, phase: &'static str) -> Meter {
    Meter::new(store.dir().display().to_string(), phase, "")
}

fn verify(store: &Store, json: bool) -> Result<Exit, CliError> {
    let reports = verified(store);
    for report in &reports {
        if json {
            let line = json!({
                "segment": report.file,
                "namespace": report.namespace.to_string(),
                "values": report.records,
                "bytes": report.bytes,
                "problems": report.problems.iter().map(ToString::to_string).collect::<Vec<_>>(),
                "problems_unlisted": report.problems_unlisted,
            });
            print_line(&line.to_string());
            continue;
        }
        if report.problems.is_empty() {
            print_line(&format!(
                "{}: whole, {} of {}, {}",
                report.file,
                count(report.records, "value"),
                report.namespace,
                ByteSize(report.bytes),
            ));
            continue;
        }
        for problem in &report.problems {
            let what = if problem.is_damage() {
                "damaged"
            } else {
                "not checked"
            };
            print_line(&format!("{}: {what}: {problem}", report.file));
        }
        if report.problems_unlisted > 0 {
            print_line(&format!(
                "{}: {} more",
                report.file,
                count(report.problems_unlisted, "problem")
            ));
        }
    }
    let segments = reports.iter().flat_map(|report| &report.problems);
    let mut problems: Vec<bool> = segments.map(StoreError::is_damage).collect();
    for report in verify_scores(store.dir())? {
        let file = &report.file;
        if json {
            let line = json!({
                "scores": file,
                "positions": report.positions,
                "problems": report.problem.iter().map(ToString::to_string).collect::<Vec<_>>(),
            });
            print_line(&line.to_string());
        } else {
            print_line(&match &report.problem {
                None => {
                    let positions = count(report.positions, "position");
                    format!("scores {file}: whole, {positions}")
                }
                Some(problem) if problem.is_damage() => format!("scores {file}: {problem}"),
                Some(problem) => format!("scores {file}: not checked: {problem}"),
            });
        }
        problems.extend(report.problem.iter().map(DatasetError::is_damage));
    }
    Ok(exit(problems))
}

fn compact(store: &Store, json: bool) -> Result<Exit, CliError> {
    let mut writer = store.writer()?;
    for namespace in store.namespaces() {
        let meter = meter(store, "compacting");
        let done = writer.compact(&namespace)?;
        drop(meter);
        if let Some(key) = done.first_differing {
            tracing::warn!(
                "{namespace}: {} had two values, key {key:#x} among them; the newer one is kept: see which are wrong with \
                 \"seedbank store verify --deep\"",
                count(done.differing, "key"),
            );
        }
        if json {
            let line = json!({
                "namespace": namespace.to_string(),
                "segments_before": done.segments_before,
                "segments": done.segments,
                "values_before": done.records_before,
                "values": done.records,
                "forms_before": done.forms_before,
                "forms": done.forms,
                "bytes_before": done.bytes_before,
                "bytes": done.bytes,
                "differing": done.differing,
            });
            print_line(&line.to_string());
            continue;
        }
        print_line(&format!(
            "{namespace}: {} in {} instead of {}, {} instead of {}, {} instead of {}",
            count(done.records, "value"),
            count(done.segments, "segment"),
            done.segments_before,
            count(done.forms, "form"),
            done.forms_before,
            ByteSize(done.bytes),
            ByteSize(done.bytes_before),
        ));
    }
    for path in writer.remove_left_over()? {
        let file = path.display().to_string();
        if json {
            print_line(&json!({ "left_over": file, "removed": true }).to_string());
        } else {
            print_line(&format!(
                "{file}: left over from an interrupted run, removed"
            ));
        }
    }
    Ok(Exit::Done)
}

fn verify_deep(store: &Store, sample: DeepSample, json: bool) -> Result<Exit, CliError> {
    let mut exit = Exit::Done;
    let meter = meter(store, "verifying");
    let reports = care::verify_deep(store, sample)?;
    drop(meter);
    for report in reports {
        let namespace = &report.namespace;
        if !report.wrong.is_empty() {
            exit = Exit::Damaged;
        }
        if json {
            let wrong = report.wrong.iter().map(|wrong| {
                json!({
                    "key": format!("{:#x}", wrong.key),
                    "position": wrong.position,
                    "stored": wrong.stored,
                    "right": wrong.right,
                })
            });
            let line = json!({
                "namespace": namespace.to_string(),
                "values": report.values,
                "checked": report.checked,
                "unchecked": report.unchecked,
                "wrong": wrong.collect::<Vec<_>>(),
                "left_alone": report.left_alone.as_ref().map(ToString::to_string),
            });
            print_line(&line.to_string());
            continue;
        }
        for wrong in &report.wrong {
            let key = wrong.key;
            print_line(&match (&wrong.position, &wrong.right) {
                (Some(position), Some(right)) => format!(
                    "{namespace}: wrong: {position} is stored as {} and is worth {right} (key {key:#x})",
                    wrong.stored
                ),
                _ => format!(
                    "{namespace}: wrong: key {key:#x} is stored as {}, but no position has it",
                    wrong.stored
                ),
            });
        }
        if let Some(unknown) = &report.left_alone {
            print_line(&unknown.to_string());
            continue;
        }
        let unchecked = match report.unchecked {
            0 => String::new(),
            many => format!(", {many} not checked, for that would take long"),
        };
        print_line(&format!(
            "{namespace}: {} of {} checked against the rules, {} wrong{unchecked}",
            report.checked,
            count(report.values, "value"),
            report.wrong.len(),
        ));
    }
    Ok(exit)
}

fn export(store: &Store, out: &Path, threads: usize, json: bool) -> Result<Exit, CliError> {
    let display = Display::new();
    let all = care::export(store, out, threads, &display);
    display.finish();
    for exported in all? {
        let namespace = exported.namespace.to_string();
        match &exported.result {
            Ok((dir, rows)) if json => {
                let line = json!({ "namespace": namespace, "rows": rows, "result": dir });
                print_line(&line.to_string());
            }
            Ok((dir, rows)) => {
                print_line(&format!(
                    "{namespace}: {} in {}",
                    count(*rows, "row"),
                    dir.display()
                ));
            }
            Err(unknown) => tracing::warn!("{unknown}"),
        }
    }
    Ok(Exit::Done)
}

fn import(store: &Store, from: &Path, json: bool) -> Result<Exit, CliError> {
    if !from.is_dir() {
        // Elsewhere a missing store counts as empty; here it is a typing mistake.
        return Err(CliError::usage(format!(
            "there is no store {}; name the folder of the store to import from",
            from.display()
        )));
    }
    let same = |a: &Path, b: &Path| {
        a.canonicalize()
            .is_ok_and(|a| b.canonicalize().is_ok_and(|b| a == b))
    };
    if same(store.dir(), from) {
        return Err(CliError::usage(format!(
            "{} is this very store; name another one with --from or --store",
            from.display()
        )));
    }
    let meter = meter(store, "importing");
    let report = care::import(store, &Store::open(from)?)?;
    drop(meter);
    for unknown in &report.left_alone {
        tracing::warn!("{unknown}");
    }
    for imported in &report.imported {
        let namespace = imported.namespace.to_string();
        if json {
            let line = json!({
                "namespace": namespace,
                "added": imported.added,
                "present": imported.present,
            });
            print_line(&line.to_string());
            continue;
        }
        print_line(&format!(
            "{namespace}: {} added, {} here already",
            count(imported.added, "value"),
            imported.present
        ));
    }
    Ok(Exit::Done)
}
