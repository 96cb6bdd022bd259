//! The JSON Schema of job specs, as an editor checks specs by it: with Python's `jsonschema`.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};
use std::sync::{Mutex, OnceLock, PoisonError};

use seedbank::job::JobError;
use seedbank::task::schema::job_schema;
use serde_json::Value;

use super::python::python;

/// A fault that a schema cannot find.
pub(crate) struct Left {
    /// A part of the key that it is about.
    pub(crate) key: &'static str,
    /// A part of the reader's message.
    pub(crate) message: &'static str,
    /// Why not.
    pub(crate) why: &'static str,
    /// The keys of `[ruleset]` in a spec with the fault.
    pub(crate) ruleset: &'static str,
    /// `[family]` of that spec and what comes after it.
    pub(crate) family: &'static str,
}

const SOWING: &str = "game = \"sowing\"\nplay = \"partisan\"";
const WARI: &str = "game = \"atomic-wari\"\nplay = \"partisan\"";
const ROWS: &str = "game = \"row-rules\"\nplay = \"partisan\"";
const GRID: &str = "game = \"grid-sowing\"\nplay = \"partisan\"";
const COLOURED: &str = "game = \"coloured-sowing\"\nplay = \"partisan\"";
const BOARDS: &str = "game = \"tchoukaillon\"";
const GRAPHS: &str = "game = \"sowing-graph\"";
const SUMS: &str = "game = \"obligated\"";
const RINGS: &str = "game = \"tchuka-ruma\"";
const KALAH: &str = "game = \"kalah\"";

const READS: &str = "a schema does not read the notation in a text";
const RELATES: &str = "a schema does not relate one key to another";
const COUNTS: &str = "a schema does not count members of a family";
const RANGES: &str = "a schema does not compare the numbers in the text of a range";
const FILES: &str = "a schema reads no other files";
const EXPANDS: &str = "a schema does not put numbers in the place of variables";

/// What is left to the reader, with the reason and a spec each.
pub(crate) const LEFT_TO_THE_READER: &[Left] = &[
    Left {
        key: "",
        message: "at character",
        why: READS,
        ruleset: SOWING,
        family: "positions = [\"3x2\"]",
    },
    Left {
        key: "",
        message: "has no range",
        why: RELATES,
        ruleset: SOWING,
        family: "pattern = \"1^n\"",
    },
    Left {
        key: "rules.last",
        message: "on ever longer rows",
        why: RELATES,
        ruleset: ROWS,
        family: "positions = [\"11\"]\n[rules]\nlast = \"empty\"",
    },
    Left {
        key: "rules.first",
        message: "a single seed would not move",
        why: RELATES,
        ruleset: ROWS,
        family: "positions = [\"11\"]\n[rules]\nfirst = \"origin\"",
    },
    Left {
        key: "",
        message: "has no variable",
        why: RELATES,
        ruleset: SOWING,
        family: "pattern = \"1^3\"\nn = 1",
    },
    Left {
        key: "",
        message: "is empty; a range ascends",
        why: RANGES,
        ruleset: SOWING,
        family: "pattern = \"1^n\"\nn = \"5..=3\"",
    },
    Left {
        key: "",
        message: "no range of",
        why: RANGES,
        ruleset: BOARDS,
        family: "boards = \"9..=0\"",
    },
    Left {
        key: "",
        message: "an exponent is at least 0",
        why: EXPANDS,
        ruleset: SOWING,
        family: "pattern = \"1^n-2\"\nn = 1",
    },
    Left {
        key: "",
        message: "the pattern expands to",
        why: EXPANDS,
        ruleset: SOWING,
        family: "pattern = \"1^n\"\nn = 10001",
    },
    Left {
        key: "file",
        message: "cannot read",
        why: FILES,
        ruleset: SOWING,
        family: "file = \"no-such-file.txt\"",
    },
    Left {
        key: "",
        message: "above pots_max",
        why: RELATES,
        ruleset: SOWING,
        family: "all = { pots_min = 4, pots_max = 3 }",
    },
    Left {
        key: "",
        message: "more than 2^64 positions",
        why: COUNTS,
        ruleset: SOWING,
        family: "all = { pots_max = 40 }",
    },
    Left {
        key: "",
        message: "; accepted: at most",
        why: COUNTS,
        ruleset: SOWING,
        family: "all = { pots_max = 14 }",
    },
    Left {
        key: "table",
        message: "unknown variable",
        why: RELATES,
        ruleset: SOWING,
        family: "pattern = \"1^n\"\nn = 3\n[table]\nlayout = \"sequences\"\nrows = \"k\"",
    },
    Left {
        key: "table",
        message: "layout grid needs",
        why: RELATES,
        ruleset: SOWING,
        family: "pattern = \"1^n\"\nn = 3\n[table]\nlayout = \"grid\"\nrows = \"n\"\ncolumns = \"n\"",
    },
    Left {
        key: "table",
        message: "layout sequences needs",
        why: RELATES,
        ruleset: SOWING,
        family: "pattern = \"x y\"\nx = 1\ny = 2\n[table]\nlayout = \"sequences\"\nrows = \"x\"",
    },
    Left {
        key: "table",
        message: "layout first-by-value needs",
        why: RELATES,
        ruleset: SOWING,
        family: "positions = [\"1\"]\n[table]\nlayout = \"first-by-value\"",
    },
    Left {
        key: "table",
        message: "layout bins needs",
        why: RELATES,
        ruleset: BOARDS,
        family: "boards = \"3\"\n[table]\nlayout = \"bins\"",
    },
    Left {
        key: "table",
        message: "unknown layout \"grid\"",
        why: RELATES,
        ruleset: SUMS,
        family: "sum = \"knight(3,j)\"\nj = \"0..=3\"\n[table]\nlayout = \"grid\"",
    },
    Left {
        key: "names",
        message: "the key is no value",
        why: READS,
        ruleset: SOWING,
        family: "positions = [\"1\"]\n[table]\nlayout = \"list\"\nnames = { \"{1\" = \"x\" }",
    },
    Left {
        key: "names",
        message: "the value has a symbol already",
        why: READS,
        ruleset: SOWING,
        family: "positions = [\"1\"]\n[table]\nlayout = \"list\"\nnames = { \"1\" = \"x\", \"{0|}\" = \"y\" }",
    },
    Left {
        key: "",
        message: "exist in sowing only",
        why: READS,
        ruleset: WARI,
        family: "positions = [\"3e\"]",
    },
    Left {
        key: "",
        message: "pots on a board of",
        why: EXPANDS,
        ruleset: "game = \"atomic-wari\"\nplay = \"partisan\"\npots = 6",
        family: "positions = [\"1234567\"]",
    },
    Left {
        key: "sum",
        message: "knight takes 2 numbers",
        why: READS,
        ruleset: SUMS,
        family: "sum = \"knight(1,2,3)\"",
    },
    Left {
        key: "sum",
        message: "is no number",
        why: READS,
        ruleset: SUMS,
        family: "sum = \"nim(three)\"",
    },
    Left {
        key: "sum",
        message: "is too large for",
        why: EXPANDS,
        ruleset: SUMS,
        family: "sum = \"knight(i,0)\"\ni = 2001",
    },
    Left {
        key: "sum",
        message: "in a disjunctive sum",
        why: RELATES,
        ruleset: "game = \"disjunctive\"",
        family: "sum = \"nim(1) > nim(2)\"",
    },
    Left {
        key: "sum",
        message: "in a subtraction set",
        why: READS,
        ruleset: SUMS,
        family: "sum = \"subtraction(1,i)(3)\"\ni = 2",
    },
    Left {
        key: "witness",
        message: "is no value",
        why: READS,
        ruleset: SOWING,
        family: "positions = [\"1\"]\n[witness]\nfewest = \"seeds\"\nvalue = \"1/3\"",
    },
    Left {
        key: "witness",
        message: "an exponent is below 0",
        why: EXPANDS,
        ruleset: SOWING,
        family: "positions = [\"1\"]\n[witness]\nfewest = \"seeds\"\npattern = \"1/2^k\"\nk = -1",
    },
    Left {
        key: "witness",
        message: "malformed condition",
        why: READS,
        ruleset: SOWING,
        family: "positions = [\"1\"]\n[witness]\nfewest = \"seeds\"\nwhere = \"mean\"",
    },
    Left {
        key: "witness",
        message: "unknown invariant",
        why: READS,
        ruleset: SOWING,
        family: "positions = [\"1\"]\n[witness]\nfewest = \"seeds\"\nwhere = \"weight > 1\"",
    },
    Left {
        key: "witness",
        message: "unknown kind",
        why: READS,
        ruleset: SOWING,
        family: "positions = [\"1\"]\n[witness]\nfewest = \"seeds\"\nwhere = \"kind = hit\"",
    },
    Left {
        key: "law",
        message: "a law needs",
        why: RELATES,
        ruleset: SOWING,
        family: "positions = [\"1\"]\n[law]\nvalue = \"1\"",
    },
    Left {
        key: "law",
        message: "is out of range",
        why: RELATES,
        ruleset: SOWING,
        family: "pattern = \"1^n\"\nn = 3\n[law]\nvalue = \"n\"\nleast = { n = 9 }",
    },
    Left {
        key: "law",
        message: "unknown variable",
        why: RELATES,
        ruleset: SOWING,
        family: "pattern = \"1^n\"\nn = 3\n[law]\nvalue = \"k\"",
    },
    Left {
        key: "law",
        message: "is no value",
        why: READS,
        ruleset: SOWING,
        family: "pattern = \"1^n\"\nn = 3\n[law]\nvalue = \"{n\"",
    },
    Left {
        key: "",
        message: "ways to fill the",
        why: COUNTS,
        ruleset: COLOURED,
        family: "all = { pots_max = 6, blue_max = 16, red_max = 16 }",
    },
    Left {
        key: "positions",
        message: "but the rows before it have",
        why: READS,
        ruleset: GRID,
        family: "positions = [\"11/1\"]",
    },
    Left {
        key: "grid",
        message: "accepted: 1 to 15 of each",
        why: RANGES,
        ruleset: GRID,
        family: "grid = { rows = \"1..=16\", columns = 2, seeds = 1 }",
    },
    Left {
        key: "grid",
        message: "seeds in a pot; accepted",
        why: RANGES,
        ruleset: GRID,
        family: "grid = { rows = 2, columns = 2, seeds = -1 }",
    },
    Left {
        key: "bins",
        message: "no fixed bins",
        why: READS,
        ruleset: BOARDS,
        family: "reconstructions = { numbering = \"b\", bins = [\"3=1 7\"] }",
    },
    Left {
        key: "bins",
        message: "cannot hold",
        why: READS,
        ruleset: BOARDS,
        family: "reconstructions = { numbering = \"beta\", bins = [\"3=3\"] }",
    },
    Left {
        key: "bin_max",
        message: "cannot be fixed among",
        why: RELATES,
        ruleset: BOARDS,
        family: "reconstructions = { numbering = \"b\", bin_max = 3, fixed = 4 }",
    },
    Left {
        key: "bin_max",
        message: "ways or more to fix",
        why: COUNTS,
        ruleset: BOARDS,
        family: "reconstructions = { numbering = \"b\", bin_max = 1000, fixed = 16 }",
    },
    Left {
        key: "graphs",
        message: "is no family of graphs",
        why: READS,
        ruleset: GRAPHS,
        family: "graphs = \"sun(3)\"",
    },
    Left {
        key: "graphs",
        message: "accepted is 1 or more",
        why: READS,
        ruleset: GRAPHS,
        family: "graphs = \"cycle(0)\"",
    },
    Left {
        key: "pits",
        message: "is out of range",
        why: RANGES,
        ruleset: KALAH,
        family: "starts = { pits = \"0..=2\", seeds = \"1\" }",
    },
    Left {
        key: "array",
        message: "is out of range",
        why: RANGES,
        ruleset: BOARDS,
        family: "array = { antidiagonals = \"0..=2\" }",
    },
    Left {
        key: "seeds",
        message: "is out of range",
        why: RANGES,
        ruleset: "game = \"wari\"",
        family: "endgames = { pits = \"1\", seeds = \"1..=4\" }",
    },
    Left {
        key: "positions",
        message: "slash",
        why: READS,
        ruleset: KALAH,
        family: "positions = [\"1 2\"]",
    },
    Left {
        key: "",
        message: "sides have equally many",
        why: READS,
        ruleset: KALAH,
        family: "positions = [\"1 1 / 1\"]",
    },
    Left {
        key: "starts",
        message: "at most 255",
        why: COUNTS,
        ruleset: RINGS,
        family: "starts = { pits = \"16\", stones = \"16\" }",
    },
];

/// Reads the schema from the first line and a spec from each further one, and answers with a line each: what is wrong.
const PROGRAM: &str = r#"
import json, sys
from jsonschema import Draft7Validator

schema = json.loads(sys.stdin.readline())
Draft7Validator.check_schema(schema)
validator = Draft7Validator(schema)
for line in sys.stdin:
    faults = [error.message for error in validator.iter_errors(json.loads(line))]
    print(json.dumps(faults[:1]), flush=True)
"#;

struct Validator {
    // The process ends with its input.
    _process: Child,
    specs: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl Validator {
    fn start() -> Validator {
        let mut process = python()
            .args(["-c", PROGRAM])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("Python starts");
        let mut specs = process.stdin.take().expect("a pipe");
        let answers = process.stdout.take().expect("a pipe");
        writeln!(specs, "{}", job_schema().as_value()).expect("Python reads the schema");
        Validator {
            _process: process,
            specs,
            answers: BufReader::new(answers),
        }
    }
}

/// Returns what is wrong with a spec by the schema; `None` where it is valid.
///
/// # Panics
///
/// Where Python has no `jsonschema`, or the schema is none.
pub(crate) fn fault(text: &str) -> Option<String> {
    static VALIDATOR: OnceLock<Mutex<Validator>> = OnceLock::new();
    // Where a text is no TOML, no schema is needed.
    let spec: Value = match toml::from_str::<toml::Table>(text) {
        Ok(table) => serde_json::to_value(table).expect("tables are objects"),
        Err(error) => return Some(error.to_string()),
    };
    let validator = VALIDATOR.get_or_init(|| Mutex::new(Validator::start()));
    let mut validator = validator.lock().unwrap_or_else(PoisonError::into_inner);
    let Validator { specs, answers, .. } = &mut *validator;
    writeln!(specs, "{spec}").expect("Python reads a spec");
    let mut answer = String::new();
    answers.read_line(&mut answer).expect("Python answers");
    let faults: Vec<String> = serde_json::from_str(&answer)
        .unwrap_or_else(|_| panic!("Python has no jsonschema, or the schema is none: {answer:?}"));
    faults.into_iter().next()
}

/// Checks that the schema refuses a spec that the reader refuses, unless all that is wrong is beyond schemas.
pub(crate) fn assert_refused(text: &str, error: &JobError) {
    if fault(text).is_some() {
        return;
    }
    for problem in error.problems() {
        let message = problem.fault.to_string();
        let mut left = LEFT_TO_THE_READER.iter();
        let is_left =
            left.any(|left| problem.key.contains(left.key) && message.contains(left.message));
        assert!(
            is_left,
            "the schema accepts what the reader refuses, and no reason is given:\n{}: {message}\n{text}",
            problem.key
        );
    }
}
