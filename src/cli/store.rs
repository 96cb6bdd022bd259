//! `seedbank store`

use std::fmt;
use std::path::{Path, PathBuf};

use bytesize::ByteSize;
use clap::{ArgAction, Args, Subcommand};
use seedbank::dataset::DatasetError;
use seedbank::evaluate::care::{self, DEEP_SAMPLE, DeepReport, DeepSample};
use seedbank::store::{
    Compaction, Namespace, NamespaceStat, SegmentReport, Store, StoreError, TakenOver,
};
use seedbank::task::scores::{ScoresReport, verify_scores};
use serde::Serialize;

use super::output::{Format, Shown, as_path, count, emit};
use super::progress::{Display, Meter};
use super::{CliError, Exit, ResourceArgs};

#[derive(Debug, Args)]
pub(super) struct StoreArgs {
    #[command(subcommand)]
    command: StoreCommand,
    /// The folder of the store
    #[arg(long, value_name = "DIR", default_value = seedbank::run::STORE, global = true)]
    store: PathBuf,
    /// Print one JSON object a line
    #[arg(long, global = true, action = ArgAction::SetTrue, value_parser = Format::of_flag())]
    json: Format,
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
    let folders = [("--store", &args.store)].into_iter().chain(other);
    carry_out(args).map_err(|error| error.with_options(folders))
}

fn carry_out(args: &StoreArgs) -> Result<Exit, CliError> {
    let store = Store::open(&args.store)?;
    let format = args.json;
    match &args.command {
        StoreCommand::Stat => stat(&store, format),
        StoreCommand::Verify { deep, sample, seed } => {
            let exit = verify(&store, format)?;
            if exit != Exit::Done || !deep {
                return Ok(exit);
            }
            let sample = DeepSample {
                count: sample.unwrap_or(DEEP_SAMPLE),
                seed: seed.unwrap_or(0),
            };
            verify_deep(&store, sample, format)
        }
        StoreCommand::Repair => repair(&store, format),
        StoreCommand::Compact => compact(&store, format),
        StoreCommand::Export { out, threads } => {
            let resources = ResourceArgs {
                threads: *threads,
                memory: None,
            };
            export(&store, out, resources.threads(), format)
        }
        StoreCommand::Import { from } => import(&store, from, format),
    }
}

/// Returns the exit status for problems with files, given whether each is damage.
fn exit(problems: impl IntoIterator<Item = bool>) -> Exit {
    match problems.into_iter().reduce(|a, b| a || b) {
        None => Exit::Done,
        Some(false) => Exit::Failed,
        Some(true) => Exit::Damaged,
    }
}

/// Returns a meter for work of unknown extent.
fn meter(store: &Store, phase: &'static str) -> Meter {
    Meter::new(store.dir().display().to_string(), phase, "")
}

fn stat(store: &Store, format: Format) -> Result<Exit, CliError> {
    let stat = store.stat()?;
    for space in &stat.namespaces {
        emit(format, &Space::of(space));
    }
    if stat.namespaces.is_empty() {
        format.remark(&format!("{}: empty", store.dir().display()));
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

/// The contents of a store for one namespace.
#[derive(Serialize)]
struct Space<'a> {
    #[serde(skip)]
    stat: &'a NamespaceStat,
    ruleset: &'a str,
    ruleset_version: u32,
    play: &'a str,
    segments: u64,
    values: u64,
    values_wide: u64,
    forms: u64,
    bytes: u64,
}

impl Space<'_> {
    fn of(stat: &NamespaceStat) -> Space<'_> {
        Space {
            stat,
            ruleset: &stat.namespace.ruleset,
            ruleset_version: stat.namespace.ruleset_version,
            play: &stat.namespace.play,
            segments: stat.segments,
            values: stat.narrow + stat.wide,
            values_wide: stat.wide,
            forms: stat.forms,
            bytes: stat.bytes,
        }
    }
}

impl fmt::Display for Space<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}: {} in {}, {}, {}, {:.1} bytes a value",
            self.stat.namespace,
            count(self.values, "value"),
            count(self.segments, "segment"),
            count(self.forms, "form"),
            ByteSize(self.bytes),
            self.stat.bytes_per_record(),
        )
    }
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

fn verify(store: &Store, format: Format) -> Result<Exit, CliError> {
    let reports = verified(store);
    reports
        .iter()
        .for_each(|report| emit(format, &Shown(report)));
    let segments = reports.iter().flat_map(|report| &report.problems);
    let mut problems: Vec<bool> = segments.map(StoreError::is_damage).collect();
    for report in verify_scores(store.dir())? {
        emit(format, &Shown(&report));
        problems.extend(report.problem.iter().map(DatasetError::is_damage));
    }
    Ok(exit(problems))
}

impl fmt::Display for Shown<'_, SegmentReport> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let report = self.0;
        if report.problems.is_empty() {
            return write!(
                f,
                "{}: whole, {} of {}, {}",
                report.file,
                count(report.records, "value"),
                report.namespace,
                ByteSize(report.bytes),
            );
        }
        let problems = report.problems.iter().map(|problem| {
            let state = if problem.is_damage() {
                "damaged"
            } else {
                "not checked"
            };
            format!("{}: {state}: {problem}", report.file)
        });
        let more = (report.problems_unlisted > 0).then(|| {
            let problems = count(report.problems_unlisted, "problem");
            format!("{}: {problems} more", report.file)
        });
        f.write_str(&problems.chain(more).collect::<Vec<_>>().join("\n"))
    }
}

impl fmt::Display for Shown<'_, ScoresReport> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let file = &self.0.file;
        match &self.0.problem {
            None => {
                let positions = count(self.0.positions, "position");
                write!(f, "scores {file}: whole, {positions}")
            }
            Some(problem) if problem.is_damage() => write!(f, "scores {file}: {problem}"),
            Some(problem) => write!(f, "scores {file}: not checked: {problem}"),
        }
    }
}

fn verify_deep(store: &Store, sample: DeepSample, format: Format) -> Result<Exit, CliError> {
    let meter = meter(store, "verifying");
    let reports = care::verify_deep(store, sample)?;
    drop(meter);
    reports
        .iter()
        .for_each(|report| emit(format, &Shown(report)));
    let is_right = reports.iter().all(|report| report.wrong.is_empty());
    Ok(if is_right { Exit::Done } else { Exit::Damaged })
}

impl fmt::Display for Shown<'_, DeepReport> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let report = self.0;
        let namespace = &report.namespace;
        for wrong in &report.wrong {
            let (key, stored) = (wrong.key, &wrong.stored);
            match (&wrong.position, &wrong.right) {
                (Some(position), Some(right)) => writeln!(
                    f,
                    "{namespace}: wrong: {position} is stored as {stored} and is worth {right} (key {key:#x})"
                )?,
                _ => writeln!(
                    f,
                    "{namespace}: wrong: key {key:#x} is stored as {stored}, but no position has it"
                )?,
            }
        }
        if let Some(unknown) = &report.left_alone {
            return write!(f, "{unknown}");
        }
        let values = count(report.values, "value");
        let (checked, wrong) = (report.checked, report.wrong.len());
        write!(
            f,
            "{namespace}: {checked} of {values} checked against the rules, {wrong} wrong"
        )?;
        match report.unchecked {
            0 => Ok(()),
            many => write!(f, ", {many} not checked, for that would take long"),
        }
    }
}

/// Something that was removed from a store.
#[derive(Serialize)]
struct Removed<'a> {
    #[serde(flatten)]
    what: Removable<'a>,
    removed: bool,
}

#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
enum Removable<'a> {
    Segment(&'a str),
    Scores(&'a str),
    LeftOver(String),
}

impl<'a> From<Removable<'a>> for Removed<'a> {
    fn from(what: Removable<'a>) -> Removed<'a> {
        Removed {
            what,
            removed: true,
        }
    }
}

impl fmt::Display for Removed<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.what {
            Removable::Segment(file) => write!(f, "{file}: removed"),
            Removable::Scores(file) => write!(f, "scores {file}: removed"),
            Removable::LeftOver(file) => {
                write!(f, "{file}: left over from an interrupted run, removed")
            }
        }
    }
}

fn repair(store: &Store, format: Format) -> Result<Exit, CliError> {
    let mut writer = store.writer_in_turn(&|| false)?;
    let (damaged, left): (Vec<_>, Vec<_>) = verified(store)
        .into_iter()
        .partition(SegmentReport::is_damaged);
    let damaged: Vec<&str> = damaged.iter().map(|report| &*report.file).collect();
    writer.retire(&damaged)?;
    for file in &damaged {
        emit(format, &Removed::from(Removable::Segment(file)));
    }
    let mut problems = Vec::new();
    for problem in left.iter().flat_map(|report| &report.problems) {
        tracing::warn!("a segment stays as it is: {problem}");
        problems.push(problem.is_damage());
    }
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
        emit(format, &Removed::from(Removable::Scores(&report.file)));
    }
    if is_whole {
        format.remark("nothing is damaged");
    }
    Ok(exit(problems))
}

fn compact(store: &Store, format: Format) -> Result<Exit, CliError> {
    let mut writer = store.writer_in_turn(&|| false)?;
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
        emit(format, &Shown(&done));
    }
    for path in writer.remove_left_over()? {
        let file = path.display().to_string();
        emit(format, &Removed::from(Removable::LeftOver(file)));
    }
    Ok(Exit::Done)
}

impl fmt::Display for Shown<'_, Compaction> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let done = self.0;
        write!(
            f,
            "{}: {} in {} instead of {}, {} instead of {}, {} instead of {}",
            done.namespace,
            count(done.records, "value"),
            count(done.segments, "segment"),
            done.segments_before,
            count(done.forms, "form"),
            done.forms_before,
            ByteSize(done.bytes),
            ByteSize(done.bytes_before),
        )
    }
}

fn export(store: &Store, out: &Path, threads: usize, format: Format) -> Result<Exit, CliError> {
    let display = Display::new();
    let all = care::export(store, out, threads, &display);
    display.finish();
    for exported in all? {
        match &exported.result {
            Ok((result, rows)) => emit(
                format,
                &Written {
                    namespace: &exported.namespace,
                    rows: *rows,
                    result,
                },
            ),
            Err(unknown) => tracing::warn!("{unknown}"),
        }
    }
    Ok(Exit::Done)
}

/// The result set of a namespace.
#[derive(Serialize)]
struct Written<'a> {
    namespace: &'a Namespace,
    rows: u64,
    #[serde(serialize_with = "as_path")]
    result: &'a Path,
}

impl fmt::Display for Written<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rows = count(self.rows, "row");
        write!(f, "{}: {rows} in {}", self.namespace, self.result.display())
    }
}

fn import(store: &Store, from: &Path, format: Format) -> Result<Exit, CliError> {
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
    let imported = report.imported.iter();
    imported.for_each(|imported| emit(format, &Shown(imported)));
    Ok(Exit::Done)
}

impl fmt::Display for Shown<'_, TakenOver> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let TakenOver {
            namespace,
            added,
            present,
        } = self.0;
        let added = count(*added, "value");
        write!(f, "{namespace}: {added} added, {present} here already")
    }
}
