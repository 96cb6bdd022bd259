//! Certificates of proofs: files with a theorem and the claims that prove it.

use std::collections::BTreeMap;
use std::fmt;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use cggames::board::row::Pot;
use cggames::family::Pattern;
use cggames::game::{Game, Play, Player, RowRules};
use cgvalues::{Arena, Calculator, ParseValueError};
use seedbank_files::input;
use seedbank_specs::form::word;
use seedbank_specs::{Field, Fields, JobError, Problems, read_spec};
use thiserror::Error;

use super::bound::Linear;
use super::check::{COUNTS_MAX, Claims, STATES_MAX};
use super::claim::Claim;
use super::notation;
use super::rows::Rows;

/// The largest lower bound on a count of a family.
const LEAST_MAX: i64 = 1000;

/// The most seeds of a pot that is not full.
const SEEDS_MAX: u32 = 99;

/// The most claims of a certificate.
const CLAIMS_MAX: usize = 10_000;

/// The relation that a claim states between a row and a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Relation {
    /// The row has the value.
    Is,
    /// The row's value is at most this.
    AtMost,
    /// The row's value is at least this.
    AtLeast,
}

impl Relation {
    /// The relations.
    pub const ALL: [Relation; 3] = [Relation::Is, Relation::AtMost, Relation::AtLeast];

    /// Returns the key of the value in certificates.
    pub const fn key(self) -> &'static str {
        match self {
            Relation::Is => "value",
            Relation::AtMost => "at_most",
            Relation::AtLeast => "at_least",
        }
    }

    /// Returns the players who must not win by moving first in the row minus the value.
    pub const fn first(self) -> &'static [Player] {
        match self {
            Relation::Is => &[Player::Left, Player::Right],
            Relation::AtMost => &[Player::Left],
            Relation::AtLeast => &[Player::Right],
        }
    }
}

/// A claim as written in a certificate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// The pattern of the rows.
    pub rows: String,
    /// The least value of each variable; 0 for variables not listed.
    pub least: BTreeMap<char, i64>,
    /// The relation.
    pub relation: Relation,
    /// The value, in terms of the variables.
    pub value: String,
}

/// Why a written claim is invalid.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NoClaim {
    /// The rows cannot be read by automata of this kind.
    #[error("{0}")]
    Rows(String),
    /// The value is invalid.
    #[error("{text:?} is no value: {source}")]
    Value {
        /// The text.
        text: String,
        /// Why.
        source: ParseValueError,
    },
    /// A least value that is too small or too large, or belongs to no variable.
    #[error(
        "least {name} = {found}; accepted: the variables of the exponents, with exponents from 0 to {LEAST_MAX}"
    )]
    Least {
        /// The variable.
        name: char,
        /// The value.
        found: i64,
    },
}

impl Written {
    /// Returns the claim. Its counts are in the order of the pattern's variables.
    ///
    /// # Errors
    ///
    /// The part that cannot be read or is out of range.
    pub fn claim(&self, calculator: &mut Calculator<'_>) -> Result<Claim, NoClaim> {
        let no_rows = |why: String| NoClaim::Rows(format!("{:?}: {why}", self.rows));
        let pattern: Pattern = self
            .rows
            .parse()
            .map_err(|error| no_rows(format!("{error}")))?;
        let names = pattern.variables();
        if names.len() > COUNTS_MAX {
            return Err(no_rows(format!("more than {COUNTS_MAX} variables")));
        }
        let blocks = pattern
            .blocks()
            .map_err(|error| no_rows(error.to_string()))?;
        let seeds = blocks
            .iter()
            .flat_map(|block| &block.pots)
            .filter_map(|pot| match pot {
                Pot::Seeds(seeds) => Some(*seeds),
                Pot::Full => None,
            });
        if let Some(most) = seeds.max().filter(|&most| most > SEEDS_MAX) {
            return Err(no_rows(format!(
                "a pot of {most} seeds; accepted: at most {SEEDS_MAX}"
            )));
        }
        for (&name, &found) in &self.least {
            if !names.contains(&name) {
                return Err(NoClaim::Least { name, found });
            }
        }
        let least: Vec<i64> = names
            .iter()
            .map(|name| self.least.get(name).copied().unwrap_or(0))
            .collect();
        let mut offsets = vec![0; names.len()];
        for (variable, offset) in blocks.iter().filter_map(|block| block.exponent) {
            offsets[variable] = offset;
            let found = least[variable];
            if !(0..=LEAST_MAX).contains(&found) || !(0..=LEAST_MAX).contains(&(found + offset)) {
                let name = names[variable];
                return Err(NoClaim::Least { name, found });
            }
        }
        let rows = Rows::of(&pattern, &least).map_err(|error| no_rows(error.to_string()))?;
        let value = notation::read(&self.value, names, calculator);
        let value = value.map_err(|source| NoClaim::Value {
            text: self.value.clone(),
            source,
        })?;
        // A variable is its count minus the number that the exponent adds to it.
        let counts: Vec<Linear> = (offsets.iter().enumerate())
            .map(|(count, offset)| {
                let mut linear = Linear::count(count, names.len());
                linear.constant = -offset;
                linear
            })
            .collect();
        let value = value.with(&counts, names.len());
        let bound = |player| {
            self.relation
                .first()
                .contains(&player)
                .then(|| value.clone())
        };
        Ok(Claim {
            at_most: bound(Player::Left),
            at_least: bound(Player::Right),
            rows,
        })
    }
}

impl fmt::Display for Written {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = match self.relation {
            Relation::Is => "=",
            Relation::AtMost => "<=",
            Relation::AtLeast => ">=",
        };
        write!(f, "{} {sign} {}", self.rows, self.value)?;
        let least: Vec<String> = self
            .least
            .iter()
            .map(|(name, least)| format!("{name} >= {least}"))
            .collect();
        if least.is_empty() {
            Ok(())
        } else {
            write!(f, " for {}", least.join(", "))
        }
    }
}

/// A theorem with claims that prove it.
#[derive(Clone, Debug)]
pub struct Certificate {
    /// A title, for people.
    pub title: Option<String>,
    /// The source of the theorem.
    pub source: Option<String>,
    /// The game.
    pub game: Game,
    /// The way of playing.
    pub play: Play,
    /// The version of the game's rules.
    pub version: u32,
    /// The theorem, as claims.
    pub theorem: Vec<Written>,
    /// Further claims that the proof needs.
    pub claims: Vec<Written>,
}

/// Why a certificate proves nothing.
#[derive(Debug, Error)]
pub enum CertificateError {
    /// It cannot be read.
    #[error(transparent)]
    Unreadable(#[from] JobError),
    /// It is for another version of the rules.
    #[error(
        "{path}: the certificate is for version {found} of the rules of {game}, which are now of version {version}; \
         prove the theorem again with \"seedbank prove\"",
        path = path.display()
    )]
    Version {
        /// The file.
        path: PathBuf,
        /// The game.
        game: &'static str,
        /// The version in the certificate.
        found: u32,
        /// The game's version.
        version: u32,
    },
    /// A claim has a move without an answer.
    #[error("{path}: {claim} is not proved: {why}", path = path.display())]
    Claim {
        /// The file.
        path: PathBuf,
        /// The claim.
        claim: String,
        /// The move, or why it could not be checked.
        why: String,
    },
}

impl Certificate {
    /// Reads a certificate.
    ///
    /// # Errors
    ///
    /// If the file cannot be read; otherwise all problems in it, with their places.
    pub fn load(path: &Path) -> Result<Certificate, CertificateError> {
        let text = input::text(path).map_err(|source| JobError::Unreadable {
            path: path.to_owned(),
            source,
        })?;
        Certificate::parse(&text, path)
    }

    /// Reads a certificate from its text. Errors name `path`.
    ///
    /// # Errors
    ///
    /// All problems in it, with their places.
    pub fn parse(text: &str, path: &Path) -> Result<Certificate, CertificateError> {
        Ok(read_spec(text, path, read)?)
    }

    /// Checks the certificate: every claim must have an answer to every move.
    ///
    /// # Errors
    ///
    /// If the rules have another version; otherwise the first claim that is not proved.
    pub fn check(&self, path: &Path) -> Result<(), CertificateError> {
        let (game, version) = (self.game.name(), self.game.version());
        if version != self.version {
            return Err(CertificateError::Version {
                path: path.to_owned(),
                game,
                found: self.version,
                version,
            });
        }
        let arena = Arena::new();
        let written = || self.theorem.iter().chain(&self.claims);
        let refuse = |claim: &Written, why: String| CertificateError::Claim {
            path: path.to_owned(),
            claim: claim.to_string(),
            why,
        };
        let mut claims = Vec::new();
        for claim in written() {
            let read = claim.claim(&mut arena.calculator());
            claims.push(read.map_err(|error| refuse(claim, error.to_string()))?);
        }
        let reading = self.game.reading();
        let reading = reading.map_err(|why| refuse(&self.theorem[0], why.to_string()))?;
        let all = Claims {
            reading,
            play: self.play,
            claims: &claims,
            states_max: STATES_MAX,
        };
        for (at, claim) in written().enumerate() {
            for &first in claim.relation.first() {
                all.check(at, first)
                    .map_err(|why| refuse(claim, why.to_string()))?;
            }
        }
        Ok(())
    }
}

/// Writes the certificate in the format that [`Certificate::parse`] reads.
impl fmt::Display for Certificate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (key, text) in [("title", &self.title), ("source", &self.source)] {
            if let Some(text) = text {
                writeln!(f, "{key} = {}", quoted(text))?;
            }
        }
        writeln!(f, "game = {}", quoted(self.game.name()))?;
        if let Some(rules) = self.game.rules() {
            writeln!(f, "rules = {}", quoted(&rules.to_string()))?;
        }
        writeln!(f, "version = {}", self.version)?;
        writeln!(f, "play = {}", quoted(self.play.name()))?;
        let theorem = self.theorem.iter().map(|claim| ("theorem", claim));
        for (section, claim) in theorem.chain(self.claims.iter().map(|claim| ("claim", claim))) {
            writeln!(f, "\n[[{section}]]\nrows = {}", quoted(&claim.rows))?;
            let least: Vec<String> = claim
                .least
                .iter()
                .map(|(name, least)| format!("{name} = {least}"))
                .collect();
            if !least.is_empty() {
                writeln!(f, "least = {{ {} }}", least.join(", "))?;
            }
            writeln!(f, "{} = {}", claim.relation.key(), quoted(&claim.value))?;
        }
        Ok(())
    }
}

/// Writes a TOML string.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            // Writing to a string cannot fail.
            _ if c.is_control() => drop(write!(quoted, "\\u{:04x}", c as u32)),
            _ => quoted.push(c),
        }
    }
    quoted + "\""
}

fn read(problems: &mut Problems<'_>, mut fields: Fields<'_>) -> Option<Certificate> {
    let mut text = |problems: &mut Problems<'_>, key| {
        let field: Field<'_> = fields.take(key)?;
        field.string(problems, "a string").map(str::to_owned)
    };
    let title = text(problems, "title");
    let source = text(problems, "source");
    let readable = Game::ALL.iter().filter(|game| game.reading().is_ok());
    let games = readable.map(|game| (*game, game.name()));
    let game = fields
        .require(problems, "game", "game = \"sowing\"")
        .and_then(|field| word("game", "a string", games).read(problems, &field));
    let game = match game {
        Some(game) if game.has_rules() => fields
            .require(problems, "rules", "rules = \"last=occupied\"")
            .and_then(|field| read_rules(problems, &field)),
        game => game,
    };
    let play = fields
        .require(problems, "play", "play = \"partisan\"")
        .and_then(|field| {
            let plays = Play::ALL.map(|play| (play, play.name()));
            let accepted = "a string, such as \"partisan\"";
            word("way of playing", accepted, plays).read(problems, &field)
        });
    let version = fields
        .require(problems, "version", "version = 1")
        .and_then(|field| field.integer(problems, 1, i64::from(u32::MAX)));
    let theorem = fields.require(
        problems,
        "theorem",
        "a section [[theorem]] with rows and value",
    );
    let theorem = theorem.and_then(|field| read_claims(problems, &field));
    let claims = match fields.take("claim") {
        Some(field) => read_claims(problems, &field),
        None => Some(Vec::new()),
    };
    fields.finish(problems);
    Some(Certificate {
        title,
        source,
        game: game?,
        play: play?,
        version: u32::try_from(version?).ok()?,
        theorem: theorem?,
        claims: claims?,
    })
}

/// Reads rules of rows, as [`RowRules`] are written.
fn read_rules(problems: &mut Problems<'_>, field: &Field<'_>) -> Option<Game> {
    let text = field.string(problems, "a text of rules")?;
    let rules: RowRules = problems.ok(field, text.parse())?;
    problems.ok(field, Game::of_rules(rules, None))
}

fn read_claims(problems: &mut Problems<'_>, field: &Field<'_>) -> Option<Vec<Written>> {
    let elements = field.array(
        problems,
        "sections with rows and value, at_most or at_least",
    )?;
    if elements.len() > CLAIMS_MAX {
        let found = format!(
            "{} sections; accepted: at most {CLAIMS_MAX}",
            elements.len()
        );
        problems.add(&field.key, field.span.clone(), found);
        return None;
    }
    let claims: Vec<Option<Written>> = elements
        .iter()
        .map(|element| read_claim(problems, element))
        .collect();
    claims.into_iter().collect()
}

fn read_claim(problems: &mut Problems<'_>, field: &Field<'_>) -> Option<Written> {
    let mut fields = field.table(problems, "a section with rows and value")?;
    let rows = fields.require(problems, "rows", "rows = \"(10)^m 03 (01)^n\"");
    let rows = rows.and_then(|field| Some(field.string(problems, "a pattern")?.to_owned()));
    let mut least = Some(BTreeMap::new());
    if let Some(field) = fields.take("least") {
        let table = field.table(problems, "a table, such as { m = 1, n = 1 }");
        for number in table.map(|mut table| table.take_all()).unwrap_or_default() {
            let at = number.integer(problems, 0, LEAST_MAX);
            let mut letters = number.name.chars();
            let name = letters.next().filter(|_| letters.next().is_none());
            if name.is_none() {
                let fault = format!(
                    "least {} is of no variable; a variable is one letter",
                    number.name
                );
                problems.add(&number.key, number.span.clone(), fault);
            }
            least = least.zip(name.zip(at)).map(|(mut least, (name, at))| {
                least.insert(name, at);
                least
            });
        }
    }
    let mut stated = Vec::new();
    for relation in Relation::ALL {
        if let Some(field) = fields.take(relation.key()) {
            stated.push((relation, field));
        }
    }
    let [(relation, value)] = &stated[..] else {
        let fault = "a claim has one of value, at_most and at_least";
        problems.add(&field.key, field.span.clone(), fault);
        fields.finish(problems);
        return None;
    };
    let text = value.string(problems, "a value, such as \"{n|-m}\"");
    fields.finish(problems);
    let written = Written {
        rows: rows?,
        least: least?,
        relation: *relation,
        value: text?.to_owned(),
    };
    let claim = written.claim(&mut Arena::new().calculator());
    if let Err(error) = claim {
        problems.add(&field.key, field.span.clone(), error.to_string());
        return None;
    }
    Some(written)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = r#"title = "Theorem 2.2"
source = "Erickson 1996"
game = "sowing"
version = 1
play = "partisan"

[[theorem]]
rows = "(10)^m 03 (01)^n"
value = "0"

[[claim]]
rows = "(10)^m 0220 (01)^n"
at_least = "0"
"#;

    fn check(text: &str) -> Result<(), String> {
        let path = Path::new("proof.toml");
        let certificate = Certificate::parse(text, path);
        let checked = certificate.and_then(|certificate| certificate.check(path));
        checked.map_err(|error| error.to_string())
    }

    #[test]
    fn a_certificate_is_written_as_it_was_read() {
        let certificate = Certificate::parse(TEXT, Path::new("proof.toml")).unwrap();
        assert_eq!(certificate.to_string(), TEXT);
        assert_eq!(check(TEXT), Ok(()));
    }

    #[test]
    fn a_certificate_with_another_text_in_any_key_is_refused() {
        for (from, to, why) in [
            ("game = \"sowing\"", "game = \"atomic-wari\"", "no answer"),
            ("game = \"sowing\"", "game = \"kalah\"", "unknown game"),
            (
                "version = 1",
                "version = 2",
                "version 2 of the rules of sowing",
            ),
            ("version = 1", "version = 0", "out of range"),
            ("\"partisan\"", "\"impartial\"", "no answer"),
            ("\"partisan\"", "\"solitaire\"", "solitaire"),
            ("(10)^m 03 (01)^n", "(10)^m 3 (10)^n", "no answer"),
            ("(10)^m 03 (01)^n", "(10)^m 03 (01)^m", "in two exponents"),
            ("(10)^m 03 (01)^n", "(10)^m 03 (01)^", "exponent"),
            ("value = \"0\"", "value = \"1\"", "no answer"),
            ("value = \"0\"", "value = \"k\"", "k is no variable"),
            ("value = \"0\"", "worth = \"0\"", "unknown key"),
            ("0220", "0221", "no answer"),
            ("0220", "0320", "no answer"),
            ("at_least", "at_most", "no answer"),
            ("at_least = \"0\"", "at_least = \"-1\"", "no answer"),
            ("at_least = \"0\"", "at_least = \"1\"", "no answer"),
            (
                "at_least = \"0\"",
                "at_least = \"0\"\nleast = { n = 1 }",
                "no answer",
            ),
            (
                "at_least = \"0\"",
                "at_least = \"0\"\nleast = { x = 1 }",
                "least x = 1",
            ),
            (
                "at_least = \"0\"",
                "at_least = \"0\"\nleast = { nn = 1 }",
                "a variable is one letter",
            ),
            (
                "at_least = \"0\"",
                "at_least = \"0\"\nat_most = \"1\"",
                "one of value",
            ),
            ("[[claim]]", "[[claims]]", "unknown key"),
        ] {
            let text = TEXT.replacen(from, to, 1);
            assert_ne!(text, TEXT, "{from}");
            let refused = check(&text).expect_err(&text);
            assert!(refused.contains(why), "{to}: {refused}");
        }
        let without = TEXT.split("\n[[claim]]").next().unwrap();
        assert!(check(without).unwrap_err().contains("1003 -> 2110"));
    }
}
