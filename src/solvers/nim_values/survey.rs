//! Nim-values of many codes at once, where each sequence is computed once.
//!
//! Codes with one standard form (see [`super::standard_form`]) provably share their sequence, up to
//! heaps in front; it is computed for the form. A sequence is extended, twice as far each time,
//! until a period is proved or the last heap is reached. Forms are processed in parallel, and rows
//! are in the order of the codes, whatever the number of threads. A later survey can resume from
//! the values that a [`SurveyWatcher`] took, with the same rows.

use std::cell::Cell;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;

use cggames::game::heap::{Code, HeapGame};
use rayon::prelude::*;

use super::error::NimValueError;
use super::standard_form::StandardForm;
use super::values::{HeapNimValues, Trust};
use crate::heaps::certificate::Certificate;
use crate::heaps::survey::{Delivery, Equality, SurveyWatcher};

/// The first number of heaps to which a sequence is computed.
const FIRST_HEAPS: usize = 128;

/// The number of heaps whose results are delivered together.
pub const HEAPS_TOGETHER: usize = 1 << 16;

/// The result of a survey for one code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodeValues {
    /// The code.
    pub code: Code,
    /// Its standard form, or the code itself if the form would be too long.
    pub standard: StandardForm,
    /// The first code of the survey with equal values, perhaps the code itself.
    pub first: Code,
    /// The extent of the equality: proved by equal standard forms or by certificates, otherwise for
    /// the values found.
    pub equality: Equality,
    /// The proof of the period, if there is one.
    pub certificate: Option<Certificate>,
    /// The values of the heaps from 0 on, up to the end of the first period, or all requested
    /// values.
    pub values: Arc<[u16]>,
}

impl CodeValues {
    /// Returns the number of heaps with known values: `None` for all.
    pub fn verified_to(&self) -> Option<usize> {
        match self.certificate {
            Some(_) => None,
            None => Some(self.values.len()),
        }
    }

    /// Returns the value of a heap, if it is known.
    pub fn value(&self, heap: usize) -> Option<u16> {
        match &self.certificate {
            Some(certificate) => self.values.get(certificate.same_heap(heap)).copied(),
            None => self.values.get(heap).copied(),
        }
    }
}

/// Returns a row for each code, with the values of `heaps` heaps or a certificate; `None` if the
/// watcher stopped the survey.
///
/// # Errors
///
/// As for [`HeapNimValues::extend`].
///
/// ```
/// use cgsolvers::nim_values::survey;
///
/// let codes = ["0.07", "0.4", "0.77"].map(|code| code.parse().expect("a code"));
/// let rows = survey(&codes, 10_000, &|| false)?.expect("nothing stopped it");
/// assert_eq!(rows[0].standard.code, rows[1].standard.code);
/// assert_eq!(rows[2].certificate.expect("a period").period, 12);
/// assert_eq!(rows[1].value(1_000_000), rows[0].value(999_999));
/// # Ok::<(), cgsolvers::nim_values::NimValueError>(())
/// ```
pub fn survey(
    codes: &[Code],
    heaps: usize,
    watcher: &impl SurveyWatcher,
) -> Result<Option<Vec<CodeValues>>, NimValueError> {
    let mut forms: Vec<(Code, Vec<(usize, usize)>)> = Vec::new();
    let mut known: HashMap<Code, usize> = HashMap::new();
    for (i, code) in codes.iter().enumerate() {
        let form = standard(code);
        let at = *known.entry(form.code.clone()).or_insert_with(|| {
            forms.push((form.code, Vec::new()));
            forms.len() - 1
        });
        forms[at].1.push((i, form.shift));
    }
    let followed = forms.par_iter().map(|(form, members)| {
        let Some(values) = follow(form, heaps, watcher)? else {
            return Ok(None);
        };
        let rows = members.iter().map(|&(i, shift)| {
            let code = codes[i].clone();
            (i, row(code, form, shift, &values, heaps))
        });
        let rows: Vec<_> = rows.collect();
        watcher.count(rows.len());
        Ok(Some(rows))
    });
    let followed: Result<Option<Vec<_>>, NimValueError> = followed.collect();
    let Some(followed) = followed? else {
        return Ok(None);
    };
    let mut rows: Vec<(usize, CodeValues)> = followed.into_iter().flatten().collect();
    rows.sort_unstable_by_key(|&(i, _)| i);
    let mut rows: Vec<CodeValues> = rows.into_iter().map(|(_, row)| row).collect();
    equate(&mut rows);
    Ok(Some(rows))
}

/// Returns the standard form of a code, or the code itself.
fn standard(code: &Code) -> StandardForm {
    StandardForm::new(code).unwrap_or_else(|_| StandardForm {
        code: code.clone(),
        shift: 0,
    })
}

/// Finds values of a code until they prove a period or suffice; `None` if the watcher stopped the
/// survey.
fn follow(
    code: &Code,
    heaps: usize,
    watcher: &impl SurveyWatcher,
) -> Result<Option<Vec<u16>>, NimValueError> {
    let game = HeapGame::Code(code.clone());
    let known = watcher.known_values(code);
    let is_new = known.is_empty();
    let mut values = HeapNimValues::with_known(game.clone(), known);
    // An engine may have the value of heap 0 from the beginning.
    let known = if is_new { 0 } else { values.values().len() };
    let mut delivery = Delivery::new(watcher, code, known, HEAPS_TOGETHER);
    let mut goal = FIRST_HEAPS.max(4 * code.taken_max()).min(heaps);
    loop {
        if values.values().len() < goal {
            // However often checkpoints happen, some values are found in between.
            let asked = Cell::new(false);
            values.extend(goal, Trust::Verified, &|| {
                watcher.stop() || asked.replace(true) && delivery.is_due()
            })?;
        }
        // Known values are examined in the same steps as when they were found, so that certificates
        // are the same.
        let Some(found) = values.values().get(..goal) else {
            delivery.pass(values.values().len(), |heaps| values.found(heaps));
            watcher.checkpoint();
            delivery.wait();
            if watcher.stop() {
                return Ok(None);
            }
            continue;
        };
        if goal == heaps || Certificate::find(&game, found).is_some() {
            delivery.pass(values.values().len(), |heaps| values.found(heaps));
            return Ok(Some(found.to_vec()));
        }
        goal = (2 * goal).min(heaps);
    }
}

/// Returns the row of a code from the values of its form.
fn row(code: Code, form: &Code, shift: usize, values: &[u16], heaps: usize) -> CodeValues {
    let mut own = vec![0; shift];
    own.extend(values);
    let game = HeapGame::Code(code.clone());
    let certificate = Certificate::find(&game, &own).or_else(|| moved(form, shift, &own));
    match certificate {
        Some(found) => own.truncate(found.preperiod + found.period),
        None => own.truncate(heaps),
    }
    CodeValues {
        first: code.clone(),
        equality: Equality::First,
        standard: StandardForm {
            code: form.clone(),
            shift,
        },
        code,
        certificate,
        values: own.into(),
    }
}

/// Returns the form's certificate shifted to the code, for the case that the values prove only the
/// former.
fn moved(form: &Code, shift: usize, own: &[u16]) -> Option<Certificate> {
    let found = Certificate::find(&HeapGame::Code(form.clone()), &own[shift..])?;
    let mut preperiod = found.preperiod + shift;
    while preperiod > 0 && own[preperiod - 1] == own[preperiod - 1 + found.period] {
        preperiod -= 1;
    }
    Some(Certificate {
        preperiod,
        period: found.period,
        bound: found.bound + shift,
        checked_to: own.len() - found.period,
    })
}

/// Fills in the first equal code of each row.
fn equate(rows: &mut [CodeValues]) {
    type Sequence = (Arc<[u16]>, Option<(usize, usize)>);
    let mut first: HashMap<Sequence, (Code, StandardForm)> = HashMap::new();
    for row in rows {
        let period = row.certificate.map(|found| (found.preperiod, found.period));
        match first.entry((row.values.clone(), period)) {
            Entry::Vacant(entry) => {
                entry.insert((row.code.clone(), row.standard.clone()));
            }
            Entry::Occupied(entry) => {
                let (code, standard) = entry.get();
                row.first = code.clone();
                row.equality = if period.is_some() || *standard == row.standard {
                    Equality::Proved
                } else {
                    Equality::UpTo(row.values.len())
                };
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::ops::Range;
    use std::sync::Mutex;
    use std::sync::atomic::AtomicUsize;
    use std::sync::atomic::Ordering::Relaxed;
    use std::time::Instant;

    use super::*;
    use crate::heaps::survey::FoundValues;
    use crate::nim_values::reference;

    fn octal(digits: usize) -> Vec<Code> {
        let codes = (0..8usize.pow(digits as u32)).map(|d| format!("0.{d:0digits$o}"));
        codes.map(|text| text.parse().expect("a code")).collect()
    }

    #[test]
    fn rows_have_the_values_of_the_reference() {
        let codes = octal(2);
        let rows = survey(&codes, 300, &|| false).expect("small values");
        let rows = rows.expect("nothing stopped it");
        assert_eq!(rows.len(), 64);
        for (row, code) in rows.iter().zip(codes) {
            let slow = reference::nim_values(&HeapGame::Code(code.clone()), 300);
            assert_eq!(row.code, code);
            for (heap, &value) in slow.iter().enumerate() {
                assert_eq!(row.value(heap).map(u32::from), Some(value), "{code} {heap}");
            }
            let equal = rows.iter().find(|r| {
                (0..300).all(|heap| r.value(heap) == row.value(heap))
                    && r.certificate.is_some() == row.certificate.is_some()
            });
            assert_eq!(row.first, equal.expect("the row itself").code);
        }
    }

    /// A watcher that records all results, and stops the survey after a number of deliveries.
    struct Recorder {
        known: HashMap<Code, Vec<FoundValues>>,
        left: AtomicUsize,
        new: Mutex<HashMap<Code, Vec<FoundValues>>>,
        counted: AtomicUsize,
    }

    impl SurveyWatcher for Recorder {
        fn stop(&self) -> bool {
            self.left.load(Relaxed) == 0
        }

        fn known_values(&self, form: &Code) -> Vec<FoundValues> {
            self.known.get(form).cloned().unwrap_or_default()
        }

        fn is_due(&self, _: Instant) -> bool {
            true
        }

        fn take_values(&self, form: &Code, heaps: Range<usize>, found: FoundValues) {
            let mut new = self.new.lock().unwrap();
            let kept = new
                .entry(form.clone())
                .or_insert_with(|| self.known_values(form));
            assert_eq!(values(kept), heaps.start);
            kept.push(found);
            let _ = self
                .left
                .fetch_update(Relaxed, Relaxed, |left| left.checked_sub(1));
        }

        fn count(&self, codes: usize) {
            self.counted.fetch_add(codes, Relaxed);
        }
    }

    /// Returns the total number of values in some pieces.
    fn values(found: &[FoundValues]) -> usize {
        found.iter().map(|found| found.values.len()).sum()
    }

    /// Each survey resumes from the results of the interrupted one, and the last one has the rows
    /// of an uninterrupted survey. The codes include some with splits into three and into two, and
    /// some without.
    #[test]
    fn surveys_that_are_stopped_time_and_again_have_the_rows_of_one() {
        let hexadecimal = (0..256).step_by(5).map(|d| format!("0.{d:02X}"));
        let hexadecimal: Vec<Code> = hexadecimal.map(|code| code.parse().unwrap()).collect();
        for (codes, heaps) in [(octal(2), 9000), (hexadecimal, 400)] {
            stop_time_and_again(&codes, heaps);
        }
    }

    fn stop_time_and_again(codes: &[Code], heaps: usize) {
        let whole = survey(codes, heaps, &|| false).unwrap().unwrap();
        let mut known = HashMap::new();
        let mut stopped = 0;
        let rows = loop {
            let recorder = Recorder {
                known,
                left: AtomicUsize::new(7),
                new: Mutex::default(),
                counted: AtomicUsize::new(0),
            };
            let rows = survey(codes, heaps, &recorder).unwrap();
            known = recorder.known;
            let before: usize = known.values().map(|found| values(found)).sum();
            known.extend(recorder.new.into_inner().unwrap());
            if let Some(rows) = rows {
                assert_eq!(recorder.counted.into_inner(), codes.len());
                break rows;
            }
            assert!(known.values().map(|found| values(found)).sum::<usize>() > before);
            stopped += 1;
        };
        assert!(stopped > 10, "{stopped}");
        assert_eq!(rows, whole);
    }
}
