//! Misère quotients: jobs, and certificates, of which `scripts/check_quotient.py`, which shares nothing with the solver, has the
//! same verdict as the library.

use std::fs;
use std::path::Path;

use seedbank::engine::quotient::{QuotientCertificate, QuotientLimits, QuotientSolver};
use seedbank::task::quotients::QuotientRow;

use crate::common::python::python;
use crate::common::workspace::{Workspace, ended, load, printed, seedbank};

/// The most pairs of a check.
const PAIRS: usize = 10_000;

/// Returns for each line of a file whether the script finds it to be proved.
fn verdicts(file: &Path) -> Vec<bool> {
    let mut command = python();
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/scripts/check_quotient.py");
    command.arg(script).arg(file);
    let ended = ended(command);
    let lines: Vec<bool> = (ended.stdout.lines())
        .map(|line| {
            match (
                line.contains(": proved: "),
                line.contains(": not checked: "),
            ) {
                (is_proved, is_refused) if is_proved != is_refused => is_proved,
                _ => panic!("{line}\n{}", ended.stderr),
            }
        })
        .collect();
    assert_eq!(
        ended.status == Some(0),
        lines.iter().all(|&is_proved| is_proved)
    );
    lines
}

fn certificate(code: &str) -> QuotientCertificate {
    let game = code.parse().expect("a code");
    let mut solver = QuotientSolver::new(&game, QuotientLimits::default());
    while solver.period().is_none() {
        assert_eq!(solver.extend(solver.heaps() + 1), None, "{code}");
    }
    QuotientCertificate::new(&solver).expect("a proved period")
}

/// Replaces one number of a certificate by another.
fn corrupted(certificate: &QuotientCertificate, random: &mut fastrand::Rng) -> QuotientCertificate {
    let mut changed = certificate.clone();
    let order = certificate.products.len();
    let x = random.usize(..order) as u16;
    let heap = random.usize(..certificate.phi.len());
    match random.u8(..8) {
        0 | 1 => changed.phi[heap] = x,
        2 | 3 if !changed.generators.is_empty() => {
            let g = random.usize(..changed.generators.len());
            changed.products[random.usize(..order)][g] = x;
        }
        4 => match changed.p_portion.binary_search(&x) {
            Ok(place) => drop(changed.p_portion.remove(place)),
            Err(place) => changed.p_portion.insert(place, x),
        },
        5 => {
            changed.preperiod += 1;
            changed.phi.push(certificate.phi[certificate.preperiod]);
        }
        6 => {
            changed.phi.pop();
            changed.period -= 1;
        }
        _ => changed.game = ["0.07", "0.3", "0.77", "0.123", "0.9"][random.usize(..5)].into(),
    }
    changed
}

#[test]
fn the_script_has_the_verdict_of_the_library() {
    let mut random = fastrand::Rng::with_seed(69);
    let mut certificates = Vec::new();
    for code in [
        "0.0", "0.3", "0.33", "0.123", "0.75", "0.71", "0.34", "0.53", "0.52", "0.15",
    ] {
        let certificate = certificate(code);
        for _ in 0..40 {
            certificates.push(corrupted(&certificate, &mut random));
        }
        certificates.push(certificate);
    }
    // The quotient of normal play satisfies all but one of the conditions.
    let mut normal = certificate("0.3");
    normal.p_portion = vec![0];
    certificates.push(normal);
    let expected: Vec<bool> = (certificates.iter())
        .map(|certificate| certificate.check(PAIRS).is_ok())
        .collect();
    assert!(expected.iter().filter(|&&is_proved| is_proved).count() >= 10);
    assert!(expected.iter().filter(|&&is_proved| !is_proved).count() >= 300);
    let here = Workspace::new();
    let file = here.path("certificates");
    let lines = certificates.iter().map(|certificate| {
        serde_json::to_string(certificate).expect("numbers and texts are written as JSON") + "\n"
    });
    fs::write(&file, lines.collect::<String>()).unwrap();
    for ((certificate, found), expected) in certificates.iter().zip(verdicts(&file)).zip(expected) {
        assert_eq!(found, expected, "{certificate:?}");
    }
}

#[test]
fn faults_of_the_text_are_refused() {
    let here = Workspace::new();
    let file = here.path("certificates");
    let text = serde_json::to_string(&certificate("0.33")).unwrap();
    let faults = [
        ("\"0.33\"", "\"0.33;\""),
        ("misere-quotient-1", "misere-quotient-2"),
        ("\"period\":3", "\"period\":0"),
        ("\"period\":3", "\"period\":true"),
        ("\"period\":3", "\"period\":3,\"more\":1"),
        ("\"phi\":[0", "\"phi\":[99"),
        ("\"phi\":[0", "\"phi\":[-1"),
        ("{", "["),
    ];
    let texts = faults.map(|(from, to)| {
        assert!(text.contains(from), "{from} {text}");
        text.replacen(from, to, 1)
    });
    for text in &texts {
        let read = serde_json::from_str::<QuotientCertificate>(text);
        assert!(
            read.is_err() || read.unwrap().check(PAIRS).is_err(),
            "{text}"
        );
    }
    fs::write(&file, texts.join("\n")).unwrap();
    assert_eq!(verdicts(&file), [false; 8]);
}

const JOB: &str = "quotients = { digits = 2, max_digit = 7 }\nheaps_max = 170\nelements_max = 64\npositions_max = 20000";

#[test]
fn a_job_finds_and_proves_quotients() {
    let here = Workspace::new();
    let rest = format!("[family]\n{JOB}\n");
    let rows: Vec<QuotientRow> = here.plain_finished("quotients", "octal", &rest);
    assert_eq!(rows.len(), 64);
    let row = |code: &str| rows.iter().find(|row| row.code == code).expect("a row");
    let kayles = row("0.77");
    assert_eq!(
        (kayles.order, kayles.p_portion, kayles.period),
        (40, 9, Some(12))
    );
    assert_eq!(kayles.tameness.as_deref(), Some("wild"));
    let dawson = row("0.07");
    assert_eq!((dawson.heap, dawson.order, dawson.proved), (24, 24, false));
    assert!(dawson.reason.as_deref().unwrap().contains("heaps up to 25"));
    let mut certificates = String::new();
    for row in &rows {
        assert_eq!(row.proved, row.certificate.is_some(), "{}", row.code);
        assert_eq!(row.proved, row.reason.is_none(), "{}", row.code);
        if let Some(certificate) = &row.certificate {
            certificates += &format!("{certificate}\n");
            let read: QuotientCertificate = serde_json::from_str(certificate).unwrap();
            assert_eq!(read.check(PAIRS), Ok(()), "{}", row.code);
        }
    }
    let file = here.path("certificates");
    fs::write(&file, certificates).unwrap();
    let proved = rows.iter().filter(|row| row.proved).count();
    assert_eq!(verdicts(&file), vec![true; proved]);
}

#[test]
fn a_job_that_was_stopped_resumes_with_the_same_rows() {
    let here = Workspace::new();
    let whole = here.plain_spec("whole", "octal", &format!("[family]\n{JOB}\n"));
    let parts = here.plain_spec("parts", "octal", &format!("[family]\n{JOB}\n"));
    let expected: Vec<QuotientRow> = {
        here.finish(&whole, &[]);
        here.plain_rows(&whole)
    };
    let mut runs = 0;
    while here.run(&parts, &["--time-limit", "1s"]).status == Some(75) {
        runs += 1;
        assert!(runs < 100);
    }
    let found: Vec<QuotientRow> = here.plain_rows(&parts);
    let texts = |rows: &[QuotientRow]| -> Vec<String> {
        let of = |row: &QuotientRow| format!("{} {} {:?}", row.code, row.order, row.certificate);
        rows.iter().map(of).collect()
    };
    assert_eq!(texts(&found), texts(&expected));
    assert_eq!(load(&parts).task.rows(), 64);
}

#[test]
fn the_command_writes_a_certificate() {
    let here = Workspace::new();
    let file = here.path("kayles.json");
    let path = file.to_str().unwrap();
    let text = printed(seedbank(&["quotient", "kayles", "--certificate", path]));
    assert!(
        text.starts_with("0.77: misère quotient of all heaps, order 40, wild\n"),
        "{text}"
    );
    assert_eq!(verdicts(&file), [true]);
    let none = ended(seedbank(&[
        "quotient",
        "0.07",
        "--elements",
        "50",
        "--certificate",
        path,
    ]));
    assert_eq!(none.status, Some(1));
    let reason = "no certificate: the quotient of the heaps up to 25 has more than 50 elements";
    assert!(none.stderr.contains(reason), "{}", none.stderr);
    let wrong = ended(seedbank(&["quotient", "0.7X"]));
    assert_eq!(wrong.status, Some(2), "{}", wrong.stderr);
}
