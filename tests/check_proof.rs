//! `scripts/check_proof.py`, which shares nothing with `seedbank check`, has the same verdict on certificates: those shipped,
//! those corrupted in every key and field, and random ones.

use std::fs;
use std::path::{Path, PathBuf};

use seedbank::evaluate::with_values;
use seedbank::family::Pattern;
use seedbank::proof::{Certificate, Relation};
use seedbank::value::{ValueId, ValuePattern};

use crate::common::evaluations::session;
use crate::common::python::python;
use crate::common::workspace::{Workspace, ended};

/// Proofs that take a hundred times as long to check as others.
const LONG: [&str; 3] = ["10m-11-01n", "01m-02-01n", "theorem-2-5"];

fn shipped() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/proofs");
    let files = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let mut certificates: Vec<PathBuf> = files
        .filter(|path| {
            path.extension()
                .is_some_and(|extension| extension == "toml")
        })
        .collect();
    certificates.sort();
    certificates
}

/// Returns what the script says of each file: nothing where it is a proof, and else why it is not checked. Two processes share
/// the files.
fn verdicts(files: &[PathBuf]) -> Vec<Option<String>> {
    let halves = files.split_at(files.len() / 2);
    let (first, second) = std::thread::scope(|scope| {
        let first = scope.spawn(|| verdicts_of_one(halves.0));
        (verdicts_of_one(halves.1), first.join().unwrap())
    });
    [second, first].concat()
}

fn verdicts_of_one(files: &[PathBuf]) -> Vec<Option<String>> {
    if files.is_empty() {
        return Vec::new();
    }
    let mut command = python();
    command.arg(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/scripts/check_proof.py"
    ));
    let ended = ended({
        command.args(files);
        command
    });
    let lines: Vec<&str> = ended.stdout.lines().collect();
    assert_eq!(lines.len(), files.len(), "{}", ended.stderr);
    let verdicts: Vec<Option<String>> = lines
        .iter()
        .zip(files)
        .map(|(line, file)| {
            let said = line.strip_prefix(&format!("{}: ", file.display())).unwrap();
            match said.strip_prefix("not checked: ") {
                Some(why) => Some(why.to_owned()),
                None => {
                    assert!(said.starts_with("proved: "), "{line}");
                    None
                }
            }
        })
        .collect();
    let status = i32::from(verdicts.iter().any(Option::is_some));
    assert_eq!(ended.status, Some(status), "{}", ended.stderr);
    verdicts
}

/// Returns which of the texts are proofs, and asserts that both checkers say so.
fn proofs(texts: &[String]) -> Vec<bool> {
    let here = Workspace::new();
    let files: Vec<PathBuf> = (0..texts.len())
        .map(|at| here.path(&format!("{at}.toml")))
        .collect();
    for (file, text) in files.iter().zip(texts) {
        fs::write(file, text).unwrap();
    }
    let second = std::thread::scope(|scope| {
        let second = scope.spawn(|| verdicts(&files));
        let check = |file: &PathBuf| {
            let checked = Certificate::load(file).and_then(|certificate| certificate.check(file));
            checked.err().map(|error| error.to_string())
        };
        let first: Vec<Option<String>> = files.iter().map(check).collect();
        first.into_iter().zip(second.join().unwrap())
    });
    let mut differ = Vec::new();
    let proofs = second.zip(texts).map(|((why, verdict), text)| {
        if verdict.is_none() != why.is_none() {
            differ.push(format!("{verdict:?}, {why:?}:\n{text}"));
        }
        why.is_none()
    });
    let proofs = proofs.collect();
    assert!(differ.is_empty(), "{}: {}", differ.len(), differ.join("\n"));
    proofs
}

#[test]
fn shipped_certificates_are_proofs() {
    let files = shipped();
    assert!(files.len() >= 40, "{files:?}");
    for (verdict, file) in verdicts(&files).iter().zip(&files) {
        assert_eq!(*verdict, None, "{}", file.display());
    }
}

/// Returns the text with a line in the place of another, or without it.
fn with_line(text: &str, at: usize, line: Option<&str>) -> String {
    let lines = text.lines().enumerate();
    let lines = lines.filter_map(|(place, own)| if place == at { line } else { Some(own) });
    lines.map(|line| format!("{line}\n")).collect()
}

/// Returns other texts than a line of a certificate.
fn corrupted(line: &str) -> Vec<String> {
    let Some((key, value)) = line.split_once(" = ") else {
        return vec![
            line.replace("[[", "[").replace("]]", "]"),
            line.replace("]]", "s]]"),
        ];
    };
    let with = |value: &str| format!("{key} = {value}");
    let mut others = vec![
        format!("x{key} = {value}"),
        with("7"),
        with("\"\""),
        with("[]"),
    ];
    let quoted = value.trim_matches('"');
    match key {
        "game" => others.extend(["\"sowing\"", "\"atomic-wari\"", "\"Sowing\""].map(with)),
        "play" => others.extend(["\"partisan\"", "\"impartial\"", "\"Partisan\""].map(with)),
        "version" => others.extend(["0", "2", "-1", "1.0", "\"1\"", "true"].map(with)),
        "rows" => {
            for (at, c) in quoted.char_indices() {
                let (before, after) = (&quoted[..at], &quoted[at + 1..]);
                let instead: &[&str] = match c {
                    '0'..='3' => &["0", "1", "2", "3", ""],
                    'k'..='n' => &["m", "n", "2", ""],
                    '^' | '(' | ')' => &["", " "],
                    _ => &[],
                };
                let instead = instead.iter().filter(|other| **other != c.to_string());
                others.extend(instead.map(|other| with(&format!("\"{before}{other}{after}\""))));
            }
        }
        "least" => {
            others.extend([
                with("{}"),
                with("{ x = 1 }"),
                with(&value.replace('1', "-1")),
            ]);
            others.push(with(&value.replacen(" =", "x =", 1)));
            others.extend(["0", "2"].map(|other| with(&value.replacen('1', other, 1))));
        }
        "value" | "at_most" | "at_least" => {
            for relation in ["value", "at_most", "at_least"] {
                others.extend((relation != key).then(|| format!("{relation} = {value}")));
            }
            let other = [
                "0", "1", "-1", "*", "^", "n", "-n-1", "{n|-n}", "x", "{", "1/3",
            ];
            others.extend(other.map(|other| with(&format!("\"{other}\""))));
            others.extend(["+1", "-1", "+"].map(|more| with(&format!("\"{quoted}{more}\""))));
        }
        _ => {}
    }
    others.retain(|other| other != line);
    others
}

/// Titles and sources are for people. Whatever else is still a proof states something weaker of the theorem, or something else of a claim
/// that is true, too, and proved by the same claims: `21 (00)^n` is 21.
#[test]
fn certificates_corrupted_in_any_key_or_field_are_refused_by_both_or_are_proofs_by_both() {
    let certificates: [(&str, &[&str]); 3] = [
        (
            "theorem-2-4",
            &[
                "0 -",
                r#"0 title = """#,
                "1 -",
                r#"1 source = """#,
                "8 least = { n = 2 }",
                r#"9 at_most = "{n+1|0}""#,
                r#"9 at_least = "{n+1|0}""#,
                "18 -",
                "18 least = {}",
                "18 least = { n = 0 }",
                r#"31 value = "0""#,
            ],
        ),
        (
            "sowing-partisan-10m-21-01n",
            &[
                "0 -",
                r#"0 source = """#,
                r#"7 at_most = "-m-1""#,
                r#"7 at_least = "-m-1""#,
                r#"15 value = "0""#,
            ],
        ),
        (
            "atomic-wari-partisan-21-01n",
            &[
                "0 -",
                r#"0 source = """#,
                r#"3 play = "impartial""#,
                r#"6 rows = "21 (00)^n""#,
                r#"6 rows = "21 (0)^n""#,
                r#"6 rows = "21 (01)^m""#,
                r#"6 rows = "21 (01)^2""#,
                r#"7 at_most = "*""#,
                r#"7 at_least = "*""#,
                r#"10 rows = "10 (01)^m""#,
                r#"14 rows = "11 (10)^m 1""#,
                r#"14 rows = "11 (10)^n 0""#,
                r#"14 rows = "11 (10)^n ""#,
            ],
        ),
    ];
    for (name, still) in certificates {
        let path = shipped()
            .into_iter()
            .find(|path| path.file_stem().unwrap() == name);
        let text = fs::read_to_string(path.unwrap()).unwrap();
        let mut others: Vec<(String, String)> = Vec::new();
        for (at, line) in text
            .lines()
            .enumerate()
            .filter(|(_, line)| !line.is_empty())
        {
            others.push((format!("{at} -"), with_line(&text, at, None)));
            let corrupted = corrupted(line).into_iter();
            others.extend(
                corrupted
                    .map(|other| (format!("{at} {other}"), with_line(&text, at, Some(&other)))),
            );
        }
        let texts: Vec<String> = others.iter().map(|(_, text)| text.clone()).collect();
        let proofs = proofs(&texts);
        let found: Vec<&str> = others
            .iter()
            .zip(proofs)
            .filter(|(_, is_proof)| *is_proof)
            .map(|((what, _), _)| &**what)
            .collect();
        assert_eq!(found, still, "{name}, of {}", texts.len());
    }
}

/// Texts with up to three characters changed within their quotes.
#[test]
fn both_checkers_agree_on_random_certificates() {
    let mut random = fastrand::Rng::with_seed(34);
    let mut files = shipped();
    files.retain(|path| {
        !LONG
            .iter()
            .any(|name| path.to_str().unwrap().contains(name))
    });
    assert!(files.len() >= 37);
    let texts: Vec<String> = (0..2_000)
        .map(|_| {
            let file = &files[random.usize(..files.len())];
            let mut text = fs::read_to_string(file).unwrap().into_bytes();
            for _ in 0..random.usize(1..=3) {
                let keys = [
                    "rows = ",
                    "value = ",
                    "at_most = ",
                    "at_least = ",
                    "least = ",
                ];
                let places = String::from_utf8(text.clone()).unwrap();
                let mut start = 0;
                let mut within = Vec::new();
                for line in places.split_inclusive('\n') {
                    if let Some(key) = keys.iter().find(|key| line.starts_with(*key)) {
                        within.extend(start + key.len() + 1..start + line.len() - 2);
                    }
                    start += line.len();
                }
                let at = within[random.usize(..within.len())];
                let other = b"0011223e()^mnk+-|*"[random.usize(..18)];
                match random.u8(..3) {
                    0 => text[at] = other,
                    1 => text.insert(at, other),
                    _ => drop(text.remove(at)),
                }
            }
            String::from_utf8(text).unwrap()
        })
        .collect();
    let proofs = proofs(&texts);
    let count = proofs.iter().filter(|is_proof| **is_proof).count();
    assert!((80..1_600).contains(&count), "{count} proofs");
}

/// Certificates of Sowing and of Atomic Wari by the texts of rules: those of the games prove the same theorems, and others some.
#[test]
fn both_checkers_agree_on_certificates_by_rules_of_rows() {
    let rules = [
        "last=occupied",
        "pot_min=2,first=origin,capture=2-3,chain",
        "pot_min=2,first=origin,capture=2,chain",
        "pot_min=2,first=origin,capture=1-2,chain",
        "pot_min=2,first=origin,last=0+2",
        "pot_min=3,first=origin,last=occupied,landing,capture=1,chain",
        "pot_min=2,last=occupied",
        "last=1-2",
        "last=occupied,capture=3",
        "last=occupied,capture=2-3,chain",
        "last=occupied,landing",
        "last=1-2,landing,capture=0-1,chain",
        "last=none,laps=multiple",
        // Refused: play need not end, rows can grow for ever, no text of rules.
        "pot_min=2,first=origin,capture=3",
        "first=origin,capture=2",
        "default",
        "capture=2-3,last=any",
        "last=3-2",
        "",
    ];
    let mut texts = Vec::new();
    for path in shipped() {
        let text = fs::read_to_string(&path).unwrap();
        let name = path.file_stem().unwrap().to_str().unwrap();
        let is_long = LONG.iter().any(|long| name.contains(long));
        for rules in rules.iter().filter(|_| !is_long) {
            let given = format!("game = \"row-rules\"\nrules = {rules:?}");
            let of_game = ["game = \"sowing\"", "game = \"atomic-wari\""];
            let named = of_game.iter().find(|game| text.contains(**game));
            texts.extend(named.map(|game| text.replacen(game, &given, 1)));
        }
    }
    let proofs = proofs(&texts);
    let of = |rules: &str| {
        let rules = format!("rules = {rules:?}");
        let those = texts.iter().zip(&proofs);
        those
            .filter(|(text, is_proof)| **is_proof && text.contains(&rules))
            .count()
    };
    assert!(of(rules[0]) >= 10 && of(rules[1]) >= 20, "{proofs:?}");
    assert!(rules[2..13].iter().filter(|rules| of(rules) > 0).count() >= 5);
    assert_eq!(rules[13..].iter().map(|rules| of(rules)).sum::<usize>(), 0);
}

/// Returns a number or an infinitesimal, in terms of these variables.
fn random_atom(random: &mut fastrand::Rng, names: &[char]) -> String {
    let name = names[random.usize(..names.len())];
    let atoms = [
        "0", "1", "-2", "N", "-N", "N+1", "2N-1", "*", "^", "v*", "*2", "1/2", "N*", "-N^", "+-N",
        "Tiny(N)", "{*2|*2}", "+-1", "(N)", "{N|0}",
    ];
    atoms[random.usize(..atoms.len())].replace('N', &name.to_string())
}

/// Returns a value in terms of variables, with runs of bars of any lengths.
fn random_value(random: &mut fastrand::Rng, names: &[char]) -> String {
    let mut text = random_atom(random, names);
    if random.u8(..6) == 0 {
        return text;
    }
    for _ in 0..random.usize(1..=3) {
        text += &"|".repeat(random.usize(1..=3));
        text += &random_atom(random, names);
    }
    format!("{{{text}}}")
}

/// Returns the text with a run of bars made longer, a sign changed, a variable exchanged or an integer added.
fn altered(random: &mut fastrand::Rng, text: &str, names: &[char]) -> String {
    let at = random.usize(..text.len());
    let (before, after) = text.split_at(at);
    match random.u8(..5) {
        0 => format!("{before}{}", after.replacen('|', "||", 1)),
        1 => format!("{before}{}", after.replacen("||", "|", 1)),
        2 => format!("{before}{}", after.replacen('-', "", 1)),
        3 => format!("{before}{}", after.replacen(names, "0", 1)),
        _ => format!(
            "{before}{}",
            after.replacen(
                names,
                &format!("{}+1", names[random.usize(..names.len())]),
                1
            )
        ),
    }
}

/// Theorems with another value than theirs, which some of their rows do not have, are proved by neither.
#[test]
fn false_laws_are_proved_by_no_checker() {
    let mut random = fastrand::Rng::with_seed(63);
    let session = session(1, bytesize::ByteSize::gib(1));
    let mut texts: Vec<String> = Vec::new();
    let mut are_false: Vec<bool> = Vec::new();
    let of_name = |name: &str| {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("data/proofs/{name}.toml"));
        Certificate::load(&path).unwrap()
    };
    let certificates = shipped();
    let certificates = certificates
        .iter()
        .map(|path| of_name(path.file_stem().unwrap().to_str().unwrap()));
    let certificates: Vec<Certificate> = certificates
        .filter(|certificate| {
            certificate.theorem[0].relation == Relation::Is && certificate.claims.len() < 5
        })
        .filter(|certificate| certificate.theorem[0].rows.contains(['m', 'n']))
        .collect();
    for certificate in &certificates {
        let theorem = &certificate.theorem[0];
        let pattern: Pattern = theorem.rows.parse().unwrap();
        let names = pattern.variables().to_vec();
        let least: Vec<i64> = names
            .iter()
            .map(|name| theorem.least.get(name).copied().unwrap_or(0))
            .collect();
        let settings: Vec<Vec<i64>> = (0..3)
            .map(|more| {
                least
                    .iter()
                    .zip(1..)
                    .map(|(least, place)| least + more * place)
                    .collect()
            })
            .collect();
        with_values(certificate.game, certificate.play, &session, |values| {
            let mut calculator = values.arena().calculator();
            let rows: Vec<ValueId> = (settings.iter())
                .filter_map(|counts| {
                    values
                        .value(&pattern.expand(counts).unwrap(), 20_000)
                        .unwrap()
                })
                .collect();
            let wanted = 520 / certificates.len() + 1;
            let mut found = 0;
            while found < wanted {
                let value = match random.bool() {
                    true => random_value(&mut random, &names),
                    false => altered(&mut random, &theorem.value, &names),
                };
                let Ok(read) = ValuePattern::read(&value) else {
                    continue;
                };
                let given = settings.iter().map(|counts| {
                    let binding: Vec<(char, i64)> =
                        names.iter().copied().zip(counts.iter().copied()).collect();
                    read.value(&binding, &mut calculator).ok()
                });
                let given: Option<Vec<ValueId>> = given.collect();
                let Some(given) = given else {
                    continue;
                };
                let is_false = rows.iter().zip(&given).any(|(row, given)| row != given);
                let mut other = certificate.clone();
                other.theorem[0].value = value;
                texts.push(other.to_string());
                are_false.push(is_false);
                found += usize::from(is_false);
            }
        });
    }
    assert!(are_false.iter().filter(|is_false| **is_false).count() >= 500);
    for ((is_proof, is_false), text) in proofs(&texts).iter().zip(are_false).zip(&texts) {
        assert!(!(*is_proof && is_false), "{text}");
    }
}
