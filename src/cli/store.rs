//! `seedbank store`

use std::path::PathBuf;

use bytesize::ByteSize;
use clap::{Args, Subcommand};
use serde_json::json;

use super::output::{count, print_line};
use super::{CliError, Exit};
use crate::store::Store;

#[derive(Debug, Args)]
pub(super) struct StoreArgs {
    #[command(subcommand)]
    command: StoreCommand,
    /// The folder of the store
    #[arg(long, value_name = "DIR", default_value = "data/store", global = true)]
    store: PathBuf,
    /// Print one JSON object a line
    #[arg(long, global = true)]
    json: bool,
}

#[derive(Debug, Subcommand)]
enum StoreCommand {
    /// Show what is in the store
    Stat,
    /// Check every byte of every segment
    Verify,
    /// Take damaged segments out of the store; their values are computed again when they are needed
    Repair,
}

pub(super) fn run(args: &StoreArgs) -> Result<Exit, CliError> {
    let store = Store::open(&args.store)?;
    match args.command {
        StoreCommand::Stat => stat(&store, args.json),
        StoreCommand::Verify => Ok(verify(&store, args.json)),
        StoreCommand::Repair => repair(&store, args.json),
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
            "{} is not in the manifest and is not used",
            orphan.display()
        );
    }
    for refused in &stat.refused {
        tracing::warn!("{refused}");
    }
    Ok(if stat.refused.is_empty() {
        Exit::Done
    } else {
        Exit::Damaged
    })
}

fn repair(store: &Store, json: bool) -> Result<Exit, CliError> {
    let mut writer = store.writer()?;
    let reports = store.verify();
    let damaged: Vec<&str> = reports
        .iter()
        .filter(|report| !report.problems.is_empty())
        .map(|report| report.file.as_str())
        .collect();
    writer.retire(&damaged)?;
    for file in &damaged {
        if json {
            print_line(&json!({ "segment": file, "removed": true }).to_string());
        } else {
            print_line(&format!("{file}: removed"));
        }
    }
    if damaged.is_empty() && !json {
        print_line("nothing is damaged");
    }
    Ok(Exit::Done)
}

fn verify(store: &Store, json: bool) -> Exit {
    let mut damaged = false;
    for report in store.verify() {
        damaged |= !report.problems.is_empty();
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
            print_line(&format!("{}: damaged: {problem}", report.file));
        }
        if report.problems_unlisted > 0 {
            print_line(&format!(
                "{}: {} more",
                report.file,
                count(report.problems_unlisted, "problem")
            ));
        }
    }
    if damaged { Exit::Damaged } else { Exit::Done }
}
