//! Values along heaps, with the period that they have within the result, or that is proved for all.

use cggames::game::Convention;

use super::Period;
use super::columns::{HeapRow, OUTCOMES};
use crate::dataset::{Scan, Wanted};
use crate::report::ReportError;
use crate::report::page::Figure;
use crate::report::svg::chart::{AxisMark, Chart, Lines, Series, SeriesForm};

/// The most heaps in which a period is sought.
///
/// Unit: heaps. 8 bytes each are held meanwhile.
const HEAPS_MAX: usize = 1 << 22;

/// The most heaps that are drawn: those before the period and of its first two rounds, if there are fewer.
const DRAWN_MAX: usize = 1 << 10;

/// A period of a sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Repeats {
    /// The number of entries before it.
    preperiod: usize,
    length: usize,
}

/// Returns the values along the first heaps, where values are numbers or outcomes, with preperiod and period marked; under
/// misère play the outcomes (0 is a P-position, 1 an N-position), to the last that is known.
///
/// # Errors
///
/// Rows that cannot be read.
pub(super) fn charts(
    heaps: u64,
    ending: Convention,
    rows: Scan<'_>,
    proved: Option<Period>,
) -> Result<Vec<Figure>, ReportError> {
    let mut values: Vec<u32> = Vec::new();
    let mut first = 0;
    let batches = rows.batches(
        Wanted::columns(["n", "value", "nim_value", "misere"]),
        |rows: Vec<HeapRow>| {
            let value = |row: &HeapRow| match (ending, row.nim_value) {
                (Convention::Normal, Some(nim_value)) => Some(nim_value.unsigned_abs()),
                // The outcomes of normal and of misere play in two bits.
                (Convention::Normal, None) => u32::from_str_radix(&row.value, 2).ok(),
                (Convention::Misere, _) => Some(u32::from(row.misere.as_deref()? == OUTCOMES[1])),
            };
            let first = rows.first().map_or(0, |row| row.n);
            let known: Vec<u32> = rows.iter().map_while(value).collect();
            let is_end = known.len() < rows.len();
            (first, known, is_end)
        },
    )?;
    for batch in batches {
        let (n, more, is_end) = batch?;
        if values.is_empty() {
            first = n;
        }
        values.extend(more);
        // The batches behind are not read.
        if is_end || values.len() >= HEAPS_MAX {
            values.truncate(HEAPS_MAX);
            break;
        }
    }
    if values.len() < 2 {
        return Ok(Vec::new());
    }
    let last = first + values.len() as i64 - 1;
    let repeats = repeats(&values);
    let wanted = repeats.map_or(usize::MAX, |found| found.preperiod + 2 * found.length + 1);
    let drawn = values.len().min(DRAWN_MAX).min(wanted.max(64));
    let points = values[..drawn].iter().enumerate();
    let points = points.map(|(place, &value)| [(first + place as i64) as f64, f64::from(value)]);
    let mark = |place: usize, label: String| AxisMark {
        at: (first + place as i64) as f64,
        label,
    };
    let mut marks = Vec::new();
    let mut caption = match repeats {
        Some(Repeats { preperiod, length }) => {
            let from = first + preperiod as i64;
            marks.push(mark(
                preperiod,
                format!("period {length} from heap {from} on"),
            ));
            marks.push(mark(preperiod + length, "second round".to_owned()));
            format!(
                "From heap {from} on the values repeat with period {length}, at least up to heap {last}."
            )
        }
        None => format!("Up to heap {last} no period begins in the first half."),
    };
    if let Some(Period {
        preperiod, period, ..
    }) = proved
    {
        caption = format!(
            "From heap {preperiod} on the values of all heaps repeat with period {period}: this is proved."
        );
    }
    marks.retain(|mark| mark.at < (first + drawn as i64) as f64);
    if (drawn as u64) < heaps {
        caption += &format!(" The first {drawn} of {heaps} heaps are drawn.");
    }
    Ok(vec![Figure {
        chart: Chart::Lines(Lines {
            title: "values of the first heaps".to_owned(),
            names: ["heap".to_owned(), "value".to_owned()],
            series: vec![Series {
                name: "value".to_owned(),
                form: SeriesForm::Dots,
                points: points.collect(),
            }],
            marks,
            ..Lines::default()
        }),
        caption,
    }])
}

/// Returns the period that begins first of those that a sequence goes through at least twice, the shortest of several.
///
/// The length of the longest common suffix of the sequence and itself without its last `q` entries, for all `q` at once, is
/// the Z function of the reversed sequence (Gusfield, Algorithms on Strings, Trees and Sequences, section 1.4). O(n).
fn repeats(values: &[u32]) -> Option<Repeats> {
    let n = values.len();
    let at = |place: usize| values[n - 1 - place];
    let mut common = vec![0u32; n];
    let (mut left, mut right) = (0, 0);
    let mut best: Option<Repeats> = None;
    for q in 1..n {
        let mut same = if q < right {
            (right - q).min(common[q - left] as usize)
        } else {
            0
        };
        while q + same < n && at(same) == at(q + same) {
            same += 1;
        }
        common[q] = same as u32;
        if q + same > right {
            (left, right) = (q, q + same);
        }
        let preperiod = n - q - same;
        if same >= q && best.is_none_or(|best| preperiod < best.preperiod) {
            best = Some(Repeats {
                preperiod,
                length: q,
            });
        }
    }
    // A round at the end alone says little: the greater part of the sequence repeats.
    best.filter(|best| best.preperiod + best.length <= n / 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(values: &[u32]) -> Option<(usize, usize)> {
        repeats(values).map(|Repeats { preperiod, length }| (preperiod, length))
    }

    #[test]
    fn the_period_of_a_sequence_is_found_with_its_preperiod() {
        assert_eq!(found(&[9, 8, 1, 2, 3, 1, 2, 3, 1, 2, 3]), Some((2, 3)));
        assert_eq!(found(&[0, 0, 0, 0]), Some((0, 1)));
        assert_eq!(found(&[0, 1, 2, 3, 4, 5]), None);
        // Only the last two entries repeat.
        assert_eq!(found(&[0, 1, 2, 3, 4, 4]), None);
        assert_eq!(found(&[]), None);
    }

    #[test]
    fn kayles_has_period_12_from_71_on() {
        // Winning Ways, chapter 4: the nim-values of Kayles (0.77) have period 12 after the last exception at 70.
        let mut values: Vec<u32> = vec![0];
        for n in 1..240 {
            let mut met = [false; 64];
            for taken in [1, 2] {
                for left in 0..=(n as usize).saturating_sub(taken) {
                    if n as usize >= taken {
                        let right = n as usize - taken - left;
                        met[(values[left] ^ values[right]) as usize] = true;
                    }
                }
            }
            let mex = met.iter().position(|&met| !met).expect("few are met");
            values.push(mex as u32);
        }
        assert_eq!(found(&values), Some((71, 12)));
    }
}
