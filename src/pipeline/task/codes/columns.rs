//! Table `codes`: one row for each code of a survey, in the order of the codes.

use std::collections::BTreeMap;
use std::sync::Arc;

use cglaws::{Material, Proved, Statement};
use serde::{Deserialize, Serialize};

use super::CodesTask;
use crate::dataset::Wanted;
use crate::dataset::row::{TableRow, table_row};
use crate::report::ReportError;
use crate::run::{Mined, Reading};

table_row! {
/// One code: when its values become periodic, and how often each value occurs.
#[derive(Serialize, Deserialize)]
pub struct CodeRow {
    /// The code, such as 0.77.
    pub code: String,
    /// The game's common name; null if it has none.
    pub name: Option<Arc<str>>,
    /// How heaps are added: disjunctive or obligated, as in table heaps.
    pub sum: Arc<str>,
    /// The first code of the survey with the same values; the code itself if none comes before it.
    pub equivalent: String,
    /// Whether the values are proved equal to those of the equivalent code for all heaps, and not
    /// only up to verified_to.
    pub equivalent_proved: bool,
    /// The number of heaps before the period, from 0; null if no period was found.
    pub preperiod: Option<i64>,
    /// The length of the period, in heaps; null if no period was found.
    pub period: Option<i64>,
    /// The increase of the nim-value from period to period; null if no period was found, and under
    /// obligated sums.
    pub saltus: Option<i64>,
    /// The period is proved once each heap from preperiod to below this has the value of the heap
    /// larger by the period; null if no period is proved.
    pub bound: Option<i64>,
    /// Whether the period is proved for all heaps.
    pub proved: bool,
    /// The values of the heaps below this were computed, or checked one by one.
    pub verified_to: i64,
    /// The number of heaps from 0 to the survey's heaps_max with each value, beyond verified_to by
    /// the period: of nim-values from 0 on, of obligated values 00, 01, 10 and 11.
    pub counts: Vec<i64>,
    /// The heaps that are P-positions under normal play, ascending: those below preperiod + period
    /// if that is proved, otherwise those below verified_to; null under obligated sums if no period
    /// is proved.
    pub p_positions: Option<Vec<i64>>,
}
}

impl TableRow for CodeRow {
    const TABLE: &'static str = "codes";

    fn describe(row: &CodeRow) -> String {
        format!("code {}", row.code)
    }
}

impl Mined for CodesTask {
    fn mined_variables(&self) -> Option<Vec<String>> {
        Some(Vec::new())
    }

    /// The proved periods of the codes, the shortest first. Each lists the first code of each class of
    /// equal codes, and the number of codes in the classes.
    fn material(&self, reading: &Reading<'_>) -> Result<Material, ReportError> {
        let wanted = [
            "code",
            "equivalent",
            "equivalent_proved",
            "preperiod",
            "period",
            "saltus",
            "proved",
        ];
        let mut proved = Proved {
            subject: format!("codes of {} digits, {} sums", self.digits, self.sum),
            ..Proved::default()
        };
        let mut periods: BTreeMap<(i64, i64), Codes> = BTreeMap::new();
        for row in reading.scan().rows::<CodeRow>(Wanted::columns(wanted))? {
            let row = row?;
            proved.rows += 1;
            let (true, Some(preperiod), Some(period)) = (row.proved, row.preperiod, row.period)
            else {
                proved.unproved += 1;
                continue;
            };
            let codes = periods
                .entry((period, row.saltus.unwrap_or(0)))
                .or_default();
            codes.number += 1;
            if row.equivalent == row.code || !row.equivalent_proved {
                codes.first.push((row.code, preperiod));
            }
        }
        proved.laws = periods.into_iter().map(law).collect();
        Ok(Material {
            proved: vec![proved],
            ..Material::default()
        })
    }
}

/// The most codes that are listed for a period.
const LISTED_MAX: usize = 100;

/// The codes of one period.
#[derive(Default)]
struct Codes {
    number: usize,
    /// The first code of each class, with the heap at which its period begins.
    first: Vec<(String, i64)>,
}

/// States a period, and the saltus if there is one.
fn law(((period, saltus), codes): ((i64, i64), Codes)) -> Statement {
    let Codes { number, first } = codes;
    let plural = |n: usize, noun: &str| format!("{n} {noun}{}", if n == 1 { "" } else { "s" });
    let saltus = match saltus {
        0 => String::new(),
        saltus => format!(" and saltus {saltus}"),
    };
    let listed = first.iter().take(LISTED_MAX);
    let mut list: Vec<String> = listed
        .map(|(code, from)| format!("{code} (n >= {from})"))
        .collect();
    if let more @ 1.. = first.len().saturating_sub(LISTED_MAX) {
        list.push(format!("and {more} more"));
    }
    Statement {
        cases: vec![format!("period {period}{saltus}")],
        region: format!(
            "{} of {}: {}",
            plural(number, "code"),
            plural(first.len(), "different game"),
            list.join(", ")
        ),
        cells: number,
        tested: 0,
        bits: 0.0,
        ..Statement::default()
    }
}
