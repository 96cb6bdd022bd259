//! The answers of `seedbank prove`, as they are printed.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use seedbank::evaluate::PROOF_POSITIONS_MAX;
use seedbank::family::Pattern;
use seedbank::game::{Game, Play};
use seedbank::proof::Written;
use seedbank::prover::{COUNTS_MAX, End, Open, ROW_POTS_MAX, Verdict};
use serde::Serialize;

use crate::output::count;

/// The answer to a question.
#[derive(Serialize)]
pub(super) struct Report<'a> {
    game: &'static str,
    play: &'static str,
    #[serde(flatten)]
    about: About<'a>,
    #[serde(flatten)]
    answer: Answer<'a>,
}

/// What a report is about.
#[derive(Serialize)]
#[serde(untagged)]
pub(super) enum About<'a> {
    Theorem { theorem: Vec<Claim<'a>> },
    Law { law: &'a str },
}

/// A verdict, as it is printed.
#[derive(Serialize)]
#[serde(tag = "verdict", rename_all = "lowercase")]
pub(super) enum Answer<'a> {
    Proved {
        claims: Vec<Claim<'a>>,
    },
    Refuted {
        row: &'a str,
        value: &'a str,
        claimed: &'a str,
    },
    Open(OpenAnswer<'a>),
}

/// Where a search ended without a proof or a refutation, and what may help.
#[derive(Serialize)]
pub(super) struct OpenAnswer<'a> {
    why: &'a str,
    /// `exhausted`, `limit`, or `unread` if the game's moves are not read.
    ended: &'static str,
    /// The limit that was reached: `time`, `claims` or `states`.
    limit: Option<&'static str>,
    /// The number of further claims at the end.
    further_claims: Option<usize>,
    /// The bounds within which the search is exhausted.
    bounds: Option<SearchBounds>,
    /// The number of rows whose values take too long.
    rows_unknown: Option<usize>,
    /// The limit in words.
    #[serde(skip)]
    reached: Option<String>,
    /// What may help.
    help: Option<String>,
}

/// The bounds of the claims that a search tries.
#[derive(Serialize)]
struct SearchBounds {
    exponents: usize,
    pots: usize,
    positions: u64,
}

impl OpenAnswer<'_> {
    /// Returns the answer about a law of a game whose moves are not read.
    pub(super) fn unread(why: &str) -> OpenAnswer<'_> {
        OpenAnswer {
            why,
            ended: "unread",
            limit: None,
            further_claims: None,
            bounds: None,
            rows_unknown: None,
            reached: None,
            help: None,
        }
    }
}

#[derive(Serialize)]
pub(super) struct Claim<'a> {
    rows: &'a str,
    least: &'a BTreeMap<char, i64>,
    relation: &'static str,
    value: &'a str,
    #[serde(skip)]
    written: &'a Written,
}

impl Claim<'_> {
    pub(super) fn all(written: &[Written]) -> Vec<Claim<'_>> {
        let claims = written.iter().map(|written| Claim {
            rows: &written.rows,
            least: &written.least,
            relation: written.relation.key(),
            value: &written.value,
            written,
        });
        claims.collect()
    }
}

/// The factor by which a longer time or more claims are proposed.
const MORE: u32 = 10;

/// What a search for a proof may use.
pub(super) struct Allowed {
    /// No claims except those to be proved.
    pub(super) alone: bool,
    /// The most further claims.
    pub(super) claims: usize,
    /// The time after which the search ends.
    pub(super) time: Duration,
}

impl Allowed {
    /// Returns the answer that a verdict gives.
    pub(super) fn answer<'v>(&self, verdict: &'v Verdict, theorem: &[Written]) -> Answer<'v> {
        match verdict {
            Verdict::Proved(claims) => Answer::Proved {
                claims: Claim::all(claims),
            },
            Verdict::Refuted {
                row,
                value,
                claimed,
            } => Answer::Refuted {
                row,
                value,
                claimed,
            },
            Verdict::Open(open) => Answer::Open(self.open(open, theorem)),
        }
    }

    /// Returns where a search ended, and what may help.
    fn open<'v>(&self, open: &'v Open, theorem: &[Written]) -> OpenAnswer<'v> {
        let (limit, reached, help) = match open.end {
            End::Exhausted => {
                let unknown = match open.rows_unknown {
                    0 => String::new(),
                    rows => format!("; {} took more", count(rows as u64, "row")),
                };
                let reached = format!(
                    "exhausted: no other claim about rows with at most {COUNTS_MAX} exponents answers it, as far as the values of \
                     rows show that have at most {ROW_POTS_MAX} pots and take at most {PROOF_POSITIONS_MAX} positions{unknown}; more \
                     time or claims change nothing"
                );
                let least = raised(theorem);
                let help = if self.alone {
                    "search for further claims: without --alone".to_owned()
                } else if least.is_empty() {
                    "state a stronger theorem".to_owned()
                } else {
                    format!(
                        "state a stronger theorem, or leave out the least rows: --least {least}"
                    )
                };
                (None, reached, help)
            }
            End::Time => {
                let time = humantime::format_duration(self.time);
                let longer = self.time.max(Duration::from_secs(1)).saturating_mul(MORE);
                let more = humantime::format_duration(longer);
                let help = format!("more time: --time {}", more.to_string().replace(' ', ""));
                (
                    Some("time"),
                    format!("the time limit of {time} was reached"),
                    help,
                )
            }
            End::Claims if self.alone => {
                let help = "search for further claims: without --alone".to_owned();
                (
                    Some("claims"),
                    "no further claims are allowed".to_owned(),
                    help,
                )
            }
            End::Claims => {
                let more = self.claims.max(1).saturating_mul(MORE as usize);
                let reached = format!(
                    "the limit of {} was reached",
                    count(self.claims as u64, "further claim")
                );
                (
                    Some("claims"),
                    reached,
                    format!("more claims: --claims {more}"),
                )
            }
            End::States(states) => {
                let reached = format!("the limit of {states} states of a check was reached");
                let help = "state the theorem with fewer exponents, or in parts".to_owned();
                (Some("states"), reached, help)
            }
        };
        OpenAnswer {
            why: &open.why,
            ended: if limit.is_some() {
                "limit"
            } else {
                "exhausted"
            },
            limit,
            further_claims: Some(open.claims),
            bounds: limit.is_none().then_some(SearchBounds {
                exponents: COUNTS_MAX,
                pots: ROW_POTS_MAX,
                positions: PROOF_POSITIONS_MAX,
            }),
            rows_unknown: Some(open.rows_unknown),
            reached: Some(reached),
            help: Some(help),
        }
    }
}

/// Returns the least values of a theorem's first claim, each raised by one, as `--least` reads them.
fn raised(theorem: &[Written]) -> String {
    let Some(claim) = theorem.first() else {
        return String::new();
    };
    let variables = claim
        .rows
        .parse::<Pattern>()
        .map(|pattern| pattern.variables().to_vec());
    let least = |name: &char| claim.least.get(name).copied().unwrap_or(0) + 1;
    let raised = variables.unwrap_or_default().into_iter();
    let raised: Vec<String> = raised
        .map(|name| format!("{name}={}", least(&name)))
        .collect();
    raised.join(",")
}

impl<'a> Report<'a> {
    pub(super) fn new(game: Game, play: Play, about: About<'a>, answer: Answer<'a>) -> Report<'a> {
        Report {
            game: game.name(),
            play: play.name(),
            about,
            answer,
        }
    }
}

impl fmt::Display for About<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            About::Theorem { theorem } => {
                let theorem = theorem.iter().map(|claim| claim.written.to_string());
                f.write_str(&theorem.collect::<Vec<_>>().join("; "))
            }
            About::Law { law } => f.write_str(law),
        }
    }
}

impl fmt::Display for Report<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let about = &self.about;
        match &self.answer {
            Answer::Proved { claims } => {
                write!(f, "{about}: proved")?;
                if !claims.is_empty() {
                    write!(f, ", with {}", count(claims.len() as u64, "further claim"))?;
                }
                let mut claims = claims.iter();
                claims.try_for_each(|claim| write!(f, "\n  {}", claim.written))
            }
            Answer::Refuted {
                row,
                value,
                claimed,
            } => write!(f, "{about}: refuted by {row} = {value}, not {claimed}"),
            Answer::Open(open) => {
                write!(f, "{about}: open; {}", open.why)?;
                if let (Some(reached), Some(help)) = (&open.reached, &open.help) {
                    write!(f, "\n  {reached}\n  what may help: {help}")?;
                }
                Ok(())
            }
        }
    }
}
