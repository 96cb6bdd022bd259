//! Prints laws for `seedbank mine` and for runs of jobs with a section `[mine]`.

use std::path::Path;
use std::sync::Arc;

use seedbank::mine::MineOptions;
use seedbank::run::mining::{
    Data, Extension, Found, Mineable, Mining, MiningError, MiningProgress,
};
use seedbank::run::{EvaluationLimits, Job};
use serde_json::{Value, json};

use super::output::print_line;
use super::progress::Meter;

/// Finds laws in the results of jobs, and computes entries beyond the results if the options request that. Displays its
/// progress.
pub(super) fn mined(
    jobs: &[Job],
    out: &Path,
    options: &MineOptions,
    limits: &EvaluationLimits<'_>,
) -> Result<Mining, MiningError> {
    let title = match jobs {
        [job] => job.header.name.clone(),
        _ => format!("{} jobs", jobs.len()),
    };
    let progress = Arc::new(MiningProgress::default());
    let data = {
        let shown = Arc::clone(&progress);
        let _meter = Meter::watching(&*title, "reading", "row", move || shown.rows());
        Mineable::read(jobs, out, limits, &progress)?
    };
    let mut mining = {
        let shown = Arc::clone(&progress);
        let _meter = Meter::watching(&*title, "mining", "column", move || shown.columns());
        data.mine(options, limits, &progress)?
    };
    if let Some(time) = options.extend {
        let meter = Meter::new(&*title, "extending", "law");
        meter.set_total(mining.laws() as u64);
        mining.extend(time, limits, &|| meter.add(1))?;
    }
    Ok(mining)
}

/// Prints all laws.
pub(super) fn print_laws(mining: &Mining) {
    for found in shown(mining, false) {
        print(found);
    }
}

/// Returns an object for each column, one for rows, and one for laws between columns.
pub(super) fn objects(mining: &Mining) -> Vec<Value> {
    let found = shown(mining, true);
    found.map(|found| object(mining, found)).collect()
}

/// Returns the laws to print. Laws between columns are left out if there are none, except in JSON about several columns.
fn shown(mining: &Mining, is_json: bool) -> impl Iterator<Item = &Found> {
    let is_column = |found: &&Found| matches!(found.data, Data::Column(_));
    let has_several = mining.found.iter().filter(is_column).count() > 1;
    mining.found.iter().filter(move |found| match found.data {
        Data::Between => {
            let has_laws = !found.mined.laws.is_empty() || found.mined.failed > 0;
            has_laws || (is_json && has_several)
        }
        _ => true,
    })
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

fn print(found: &Found) {
    let Found { data, mined, .. } = found;
    print_line(&heading(data));
    if let Data::Proved(proved) = data {
        for law in &mined.laws {
            print_line(&format!("  {law}"));
        }
        print_line(&format!("  {} rows without a proved law", proved.unproved));
        return;
    }
    for (place, law) in mined.laws.iter().enumerate() {
        let cases = law.cases.join("\n  ");
        let also = law.also.iter().map(|also| format!("\n    {also}"));
        let also: String = also.collect();
        let next = law.next.first().map_or_else(String::new, |next| {
            format!("; next: {} = {}", next.place, next.value)
        });
        let extension = found.extensions.get(place);
        let extension = extension.map_or_else(String::new, |extension| {
            format!("\n    {}", extension_text(extension))
        });
        print_line(&format!(
            "  {cases} for {}{also}\n    {} entries, {} of them held out; saves {:.0} bits{next}{extension}",
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
        "unexplained": mined.unexplained,
        "predicted": mined.predicted,
    })
}
