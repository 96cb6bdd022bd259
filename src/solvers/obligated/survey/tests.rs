use std::collections::HashMap;
use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Instant;

use cggames::game::heap::HeapGame;

use super::super::{Certificate, ObligatedValue, reference};
use super::*;

fn survey(digits: usize, max_digit: u8, limit: usize) -> Survey {
    let spec = SurveySpec::new(digits, max_digit, limit).expect("a spec");
    Survey::run(spec, &|| false).expect("nobody stops it")
}

fn definition(code: &Code, heaps: usize) -> Vec<ObligatedValue> {
    reference(&HeapGame::Code(code.clone()), heaps)
}

/// Compares rows with the values of `heaps` heaps by definition.
fn agree(survey: &Survey, heaps: usize) {
    let codes = survey.spec().codes();
    let values: Vec<_> = (0..codes)
        .map(|p| definition(&survey.spec().code(p), heaps))
        .collect();
    for (place, row) in survey.rows(0..codes).enumerate() {
        let own = &values[place];
        if let Some(Certificate {
            preperiod, period, ..
        }) = row.certificate
        {
            assert!(
                own[preperiod..]
                    .iter()
                    .zip(&own[preperiod + period..])
                    .all(|(a, b)| a == b)
            );
        }
        // The first code is the first with these values, unless they differ only beyond the
        // compared heaps.
        let first = values
            .iter()
            .position(|other| other == own)
            .expect("its own values");
        assert_eq!(row.first, survey.spec().code(first), "{}", row.code);
        assert_eq!(row.equality == Equality::First, first == place);
        let limit = survey.spec().limit();
        let count = |v| own[..limit].iter().filter(|&&value| value == v).count() as u64;
        assert_eq!(row.counts, ObligatedValue::ALL.map(count), "{}", row.code);
    }
}

#[test]
fn surveys_agree_with_the_definition() {
    agree(&survey(3, 7, 300), 300);
    agree(&survey(5, 3, 200), 200);
    agree(&survey(2, 15, 100), 100);
}

#[test]
fn known_totals_are_found_again() {
    let summary = survey(3, 7, 1_000).summary();
    assert_eq!((summary.codes, summary.proved), (512, 512));
    assert_eq!(summary.period_max, Some((50, 0o147)));
    assert_eq!(summary.preperiod_max, Some((35, 0o143)));
    let summary = survey(4, 7, 1_000).summary();
    assert_eq!((summary.codes, summary.proved), (4_096, 4_096));
    assert_eq!(summary.period_max, Some((102, 0o3114)));
    assert_eq!(summary.preperiod_max, Some((51, 0o1067)));
    let hexadecimal = survey(2, 15, 10_000);
    assert_eq!(hexadecimal.open().collect::<Vec<_>>(), [0xB9]);
}

#[test]
fn open_codes_are_equal_as_far_as_they_were_followed() {
    let survey = survey(5, 7, 16_384);
    let open: Vec<String> = survey
        .open()
        .map(|p| survey.spec().code(p).to_string())
        .collect();
    assert_eq!(
        open,
        [
            "0.10143", "0.13151", "0.71472", "0.71473", "0.71572", "0.71573"
        ]
    );
    let row = survey.row(0o71572);
    assert_eq!(
        (row.first.to_string().as_str(), row.verified_to),
        ("0.71472", 16_384)
    );
    // Both can remove a heap that is N under normal play anyway, so the two games are equal.
    assert_eq!((row.equality, row.certificate), (Equality::Proved, None));
    assert_eq!(survey.row(0o71473).equality, Equality::Proved);
}

#[test]
fn equality_is_claimed_as_far_as_it_was_seen() {
    let (short, long) = (survey(4, 7, 64), survey(4, 7, 1_000));
    let mut seen = 0;
    for (short, long) in short.rows(0..4_096).zip(long.rows(0..4_096)) {
        match short.equality {
            Equality::UpTo(heaps) => {
                assert_eq!((heaps, short.certificate), (64, None));
                seen += 1;
            }
            _ => assert_eq!(short.first, long.first),
        }
    }
    assert!(seen > 0);
}

#[test]
fn rows_do_not_depend_on_threads() {
    let on = |threads| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .expect("a pool");
        let survey = pool.install(|| survey(4, 7, 500));
        survey.rows(0..4_096).collect::<Vec<_>>()
    };
    assert!(on(1) == on(3));
}

#[test]
fn a_stop_is_heard() {
    let spec = SurveySpec::new(3, 7, 1_000).expect("a spec");
    assert_eq!(Survey::run(spec, &|| true).err(), Some(Stopped));
}

/// The results for some heaps.
type Piece = (Range<usize>, FoundValues);

/// A watcher that records all results, and stops the survey after a number of deliveries.
struct Recorder {
    left: AtomicUsize,
    classes: Mutex<Vec<FoundClasses>>,
    values: Mutex<HashMap<Code, Vec<Piece>>>,
    went_on: AtomicUsize,
}

impl Recorder {
    fn spend(&self) {
        let less = |left: usize| left.checked_sub(1);
        let _ = self.left.fetch_update(Relaxed, Relaxed, less);
    }
}

impl SurveyWatcher for Recorder {
    fn stop(&self) -> bool {
        self.left.load(Relaxed) == 0
    }

    fn is_due(&self, _: Instant) -> bool {
        true
    }

    fn known_classes(&self) -> Vec<FoundClasses> {
        self.classes.lock().unwrap().clone()
    }

    fn take_classes(&self, found: FoundClasses) {
        self.classes.lock().unwrap().push(found);
        self.spend();
    }

    fn known_values(&self, code: &Code) -> Vec<FoundValues> {
        let values = self.values.lock().unwrap();
        let known = values.get(code).into_iter().flatten();
        let known: Vec<_> = known.map(|(_, words)| words.clone()).collect();
        self.went_on.fetch_add(known.len(), Relaxed);
        known
    }

    fn take_values(&self, code: &Code, heaps: Range<usize>, found: FoundValues) {
        let mut values = self.values.lock().unwrap();
        let known = values.entry(code.clone()).or_default();
        let end = known.last().map_or(0, |(heaps, _)| heaps.end);
        assert_eq!(heaps.start, end, "{code}");
        known.push((heaps, found));
        self.spend();
    }
}

/// Each survey resumes from the results of the interrupted one, and the last one has the rows of an
/// uninterrupted survey.
#[test]
fn surveys_that_are_stopped_time_and_again_have_the_rows_of_one() {
    let mut went_on = 0;
    for (digits, max_digit, limit) in [(5, 7, 5000), (2, 15, 1500)] {
        let spec = SurveySpec::new(digits, max_digit, limit).unwrap();
        let whole = Survey::run(spec.clone(), &|| false).unwrap();
        let mut recorder = Recorder {
            left: AtomicUsize::new(5),
            classes: Mutex::default(),
            values: Mutex::default(),
            went_on: AtomicUsize::new(0),
        };
        let mut stopped = 0;
        let survey = loop {
            match Survey::run(spec.clone(), &recorder) {
                Ok(survey) => break survey,
                Err(Stopped) => stopped += 1,
            }
            recorder.left = AtomicUsize::new(5 + 2 * stopped);
        };
        assert!(stopped > 0);
        went_on += recorder.went_on.into_inner();
        let rows = |survey: &Survey| -> Vec<_> { survey.rows(0..spec.codes()).collect() };
        assert!(rows(&survey) == rows(&whole), "{digits} digits");
    }
    assert!(went_on > 0);
}

#[test]
fn impossible_surveys_are_refused() {
    for (digits, max_digit, limit, part) in [
        (0, 7, 100, "0 digits up to 7 are too many codes or none"),
        (9, 7, 100, "8 octal or 6 hexadecimal"),
        (usize::MAX, 7, 100, "too many"),
        (3, 0, 100, "accepted are 1 to 15"),
        (3, 16, 100, "largest digit is 16"),
        (3, 7, 63, "a limit of 63 heaps"),
        (3, 7, usize::MAX, "accepted are 64 to"),
    ] {
        let error = SurveySpec::new(digits, max_digit, limit)
            .expect_err(part)
            .to_string();
        assert!(error.contains(part), "{error}");
    }
    assert_eq!(
        SurveySpec::new(24, 1, 64).map(|spec| spec.codes()),
        Ok(1 << 24)
    );
}
