//! Prints laws for `seedbank mine` and for runs of jobs with a section `[mine]`.

use std::fmt;
use std::sync::Arc;

use seedbank::mine::{
    Contradiction, Entries, Evidence, MineOptions, Prediction, Standing, Statement, Subject,
};
use seedbank::run::mining::{
    Data, Extension, Found, Mineable, Mining, MiningError, MiningProgress,
};
use seedbank::run::{Job, Session, out_option};
use serde::{Serialize, Serializer};
use serde_json::{Value, json};

use super::options::ResultArgs;
use super::output::Format;
use super::progress::Meter;

/// Finds laws in the results of jobs, and computes entries beyond the results if the options request that. Displays its
/// progress.
pub(super) fn mined(
    jobs: &[Job],
    args: &ResultArgs,
    options: &MineOptions,
    session: &Session<'_>,
) -> Result<Mining, MiningError> {
    let title = match jobs {
        [job] => job.header.name.clone(),
        _ => format!("{} jobs", jobs.len()),
    };
    let progress = Arc::new(MiningProgress::default());
    let data = {
        let shown = Arc::clone(&progress);
        let _meter = Meter::watching(&*title, "reading", "row", move || shown.rows());
        Mineable::read(jobs, &args.out.out, args.partial, session, &progress)?
    };
    let mut mining = {
        let shown = Arc::clone(&progress);
        let _meter = Meter::watching(&*title, "mining", "column", move || shown.columns());
        data.mine(options, session, &progress)?
    };
    if let Some(time) = options.extend {
        let meter = Meter::new(&*title, "extending", "law");
        meter.set_total(mining.laws() as u64);
        mining.extend(time, session, &|| meter.add(1))?;
    }
    Ok(mining)
}

/// The laws in a column, in rows or between columns.
pub(super) struct Laws<'a> {
    mining: &'a Mining,
    found: &'a Found,
}

/// Returns the laws of each column, those of rows, and those between columns. The latter are left out if there are none,
/// except in JSON about several columns.
pub(super) fn reports(mining: &Mining, format: Format) -> impl Iterator<Item = Laws<'_>> {
    let is_column = |found: &&Found| matches!(found.data, Data::Column(_));
    let has_several = mining.found.iter().filter(is_column).count() > 1;
    let shown = mining.found.iter().filter(move |found| match found.data {
        Data::Between => {
            let has_laws = !found.mined.laws.is_empty() || found.mined.failed > 0;
            has_laws || (format == Format::Json && has_several)
        }
        _ => true,
    });
    shown.map(|found| Laws { mining, found })
}

/// Returns the subject of laws in words.
fn heading(data: &Data) -> String {
    match data {
        Data::Column(column) => {
            let ranges = column.variables.iter().zip(column.ranges());
            let ranges: Vec<String> = ranges
                .map(|(name, (least, greatest))| format!("{name}={least}..={greatest}"))
                .collect();
            let (ranges, entries) = (ranges.join(" "), column.len());
            format!("{}, {ranges}: {entries} entries", column.subject)
        }
        Data::Rows(rows) => format!("{}: {} rows", rows.subject, rows.len()),
        Data::Proved(proved) => format!("{}: {} rows", proved.subject, proved.rows),
        Data::Between => "Equal columns:".to_owned(),
    }
}

fn extension_text(extension: &Extension) -> String {
    let holds = match &extension.to {
        Some(to) => format!("holds on {} more entries, to {to}", extension.holds),
        None => "no more entries computed".to_owned(),
    };
    match &extension.refuted {
        Some((place, entry)) => format!("{holds}; refuted at {place}: {entry}"),
        None => holds,
    }
}

impl fmt::Display for Laws<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Found { data, mined, .. } = self.found;
        writeln!(f, "{}", heading(data))?;
        if let Data::Proved(proved) = data {
            for law in &mined.laws {
                writeln!(f, "  {law}")?;
            }
            return write!(f, "  {} rows without a proved law", proved.unproved);
        }
        for (place, law) in mined.laws.iter().enumerate() {
            write!(f, "  {} for {}", law.cases.join("\n  "), law.region)?;
            for also in &law.also {
                write!(f, "\n    {also}")?;
            }
            let bits = law.bits.max(0.0);
            let (entries, held_out) = (law.cells, law.tested);
            match law.standing() {
                Standing::Proved => write!(f, "\n    proved: {entries} entries")?,
                conjecture => write!(
                    f,
                    "\n    {conjecture}: {entries} entries, {held_out} of them held out; saves {bits:.0} bits"
                )?,
            }
            if let Some(next) = law.next.first() {
                write!(f, "; next: {} = {}", next.place, next.value)?;
            }
            if let Some(evidence) = &law.evidence {
                write!(f, "\n    {}", evidence_text(evidence))?;
            }
            if let Some(command) = self.extended_by(law) {
                write!(f, "\n    to test it on more entries: {command}")?;
            }
            if let Some(extension) = self.found.extensions.get(place) {
                write!(f, "\n    {}", extension_text(extension))?;
            }
            writeln!(f)?;
        }
        let failed = mined.failed;
        match data {
            Data::Between => write!(f, "  {failed} refuted by entries held out")?,
            _ => write!(
                f,
                "  {} entries without a law; {failed} laws refuted by entries held out",
                mined.unexplained
            )?,
        }
        for refuted in mined.refuted.iter().take(REFUTED_SHOWN) {
            write!(
                f,
                "\n    refuted: {}, by {}",
                refuted.law,
                exception_text(&refuted.by)
            )?;
        }
        Ok(())
    }
}

/// The refuted laws of a column that are printed; JSON has more.
const REFUTED_SHOWN: usize = 3;

/// The time that is proposed for computing further entries.
const EXTEND_TIME: &str = "60s";

impl Laws<'_> {
    /// Returns the command that computes more entries for a law of a short sequence, unless that was done or cannot be.
    fn extended_by(&self, law: &Statement) -> Option<String> {
        let job = self.found.job?;
        let Data::Column(column) = &self.found.data else {
            return None;
        };
        let is_evaluated =
            column.entries == Entries::Values || matches!(column.subject, Subject::Followers(_));
        let is_short = law.evidence.is_some() && !law.next.is_empty();
        let is_open = is_evaluated && is_short && self.found.extensions.is_empty();
        let path = self.mining.jobs[job].header.path.display();
        let out = out_option(&self.mining.out);
        is_open.then(|| format!("seedbank mine {path}{out} --extend {EXTEND_TIME}"))
    }
}

fn exception_text(exception: &Contradiction) -> String {
    let Contradiction {
        place,
        predicted,
        found,
    } = exception;
    format!("{place}: {found}, not {predicted}")
}

/// Writes the entries that a law of a short sequence rests on, those it was tested on, and those it does not give.
fn evidence_text(evidence: &Evidence) -> String {
    let Evidence {
        found_on,
        held_out,
        exceptions,
    } = evidence;
    let list = |entries: &[Prediction]| {
        let entries = entries.iter();
        let entries = entries.map(|entry| format!("{} = {}", entry.place, entry.value));
        entries.collect::<Vec<_>>().join(", ")
    };
    let mut text = format!("rests on {}; tested on {}", list(found_on), list(held_out));
    if !exceptions.is_empty() {
        let exceptions = exceptions.iter().map(exception_text);
        text += &format!("; fails at {}", exceptions.collect::<Vec<_>>().join(", "));
    }
    text
}

impl Serialize for Laws<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        object(self.mining, self.found).serialize(serializer)
    }
}

fn object(mining: &Mining, found: &Found) -> Value {
    let Found { data, mined, .. } = found;
    let laws = mined.laws.iter().enumerate();
    let laws: Vec<Value> = laws
        .map(|(place, law)| {
            let extension = found.extensions.get(place);
            json!({
                "law": law.to_string(),
                "latex": law.latex(),
                "cases": law.cases,
                "also": law.also,
                "region": law.region,
                "cells": law.cells,
                "tested": law.tested,
                "bits": law.bits,
                "standing": law.standing().name(),
                "confidence": law.standing().confidence().map(|confidence| confidence.name()),
                "evidence": law.evidence.as_ref().map(|evidence| json!({
                    "found_on": entries(&evidence.found_on),
                    "held_out": entries(&evidence.held_out),
                    "exceptions": evidence.exceptions.iter().map(contradiction).collect::<Vec<_>>(),
                })),
                "next": law.next.first().map(|next| json!({
                    "place": next.place,
                    "value": next.value,
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
    let refuted = mined.refuted.iter();
    let refuted =
        refuted.map(|refuted| json!({"law": refuted.law, "by": contradiction(&refuted.by)}));
    let (variables, ranges, entries) = match data {
        Data::Column(column) => (&column.variables[..], column.ranges(), Some(column.len())),
        Data::Rows(rows) => (&[][..], Vec::new(), Some(rows.len())),
        Data::Proved(proved) => (&[][..], Vec::new(), Some(proved.rows)),
        Data::Between => (&[][..], Vec::new(), None),
    };
    json!({
        "job": mining.job(found),
        "subject": data.subject(),
        "variables": variables,
        "ranges": ranges,
        "entries": entries,
        "laws": laws,
        "failed": mined.failed,
        "refuted": refuted.collect::<Vec<_>>(),
        "unexplained": mined.unexplained,
        "predicted": mined.predicted,
    })
}

fn entries(entries: &[Prediction]) -> Vec<Value> {
    let entry = |entry: &Prediction| json!({"place": entry.place, "value": entry.value});
    entries.iter().map(entry).collect()
}

fn contradiction(exception: &Contradiction) -> Value {
    let Contradiction {
        place,
        predicted,
        found,
    } = exception;
    json!({"place": place, "predicted": predicted, "value": found})
}
