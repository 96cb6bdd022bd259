//! `seedbank quotient`

use std::fmt;
use std::path::PathBuf;

use clap::{ArgAction, Args};
use seedbank::game::heap::HeapGame;
use seedbank::run::Session;
use seedbank::task::quotients::{
    ELEMENTS_MAX, QUOTIENT_HEAP_MAX, QuotientFound, QuotientLimits, evaluate_quotient,
};
use serde::{Serialize, Serializer};
use serde_json::json;

use super::error::ended_early;
use super::files::write_text;
use super::output::{Format, emit};
use super::progress::Display;
use super::{CliError, Exit, ResourceArgs};

#[derive(Debug, Args)]
pub(super) struct QuotientArgs {
    /// The game: octal or hexadecimal digits such as 0.123, a name such as kayles, or subtraction(1,3,4)
    #[arg(value_name = "CODE")]
    game: String,
    /// The largest heap; the search ends before it once a quotient is proved for all heaps
    #[arg(long, value_name = "N", default_value_t = 400,
        value_parser = clap::value_parser!(u64).range(0..=QUOTIENT_HEAP_MAX))]
    heaps: u64,
    /// The most elements of the quotient
    #[arg(long, value_name = "N", default_value_t = 256,
        value_parser = clap::value_parser!(u64).range(1..=ELEMENTS_MAX))]
    elements: u64,
    /// The most positions that are played, and the most pairs of the check
    #[arg(long, value_name = "N", default_value_t = 1 << 20,
        value_parser = clap::value_parser!(u64).range(1..=1 << 28))]
    positions: u64,
    /// Write the certificate of a proved quotient, which scripts/check_quotient.py checks; "-" is standard output
    #[arg(long, value_name = "FILE")]
    certificate: Option<PathBuf>,
    /// Print a JSON object
    #[arg(long, action = ArgAction::SetTrue, value_parser = Format::of_flag())]
    json: Format,
    #[command(flatten)]
    resources: ResourceArgs,
}

pub(super) fn run(args: &QuotientArgs) -> Result<Exit, CliError> {
    let game = args.game.parse::<HeapGame>();
    let game = game.map_err(|error| CliError::usage(format!("{}: {error}", args.game)))?;
    let limits = QuotientLimits {
        elements_max: args.elements as usize,
        positions_max: args.positions as usize,
    };
    let signals = super::listen()?;
    let display = Display::new();
    let session = Session::new(args.resources.limits(), &signals, &display);
    let found = match evaluate_quotient(&game, args.heaps, limits, &session) {
        Ok(found) => found,
        Err(error) => return ended_early(error, &signals),
    };
    display.finish();
    let Some(file) = &args.certificate else {
        emit(args.json, &Shown(&found));
        return Ok(Exit::Done);
    };
    match (found.certificate(), found.reason()) {
        (Some(certificate), _) => {
            let text = serde_json::to_string(&certificate);
            let text = text.expect("numbers and texts are written as JSON");
            if write_text(file, &(text + "\n"))? {
                emit(args.json, &Shown(&found));
            }
            Ok(Exit::Done)
        }
        (None, reason) => {
            emit(args.json, &Shown(&found));
            let reason = reason.unwrap_or_else(|| "no theorem proves periods of this game".into());
            Err(CliError::new(
                Exit::Failed,
                format!("no certificate: {reason}"),
            ))
        }
    }
}

/// A quotient as it is printed.
struct Shown<'f>(&'f QuotientFound);

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Shown(found) = self;
        let (solver, presentation) = (&found.solver, found.solver.presentation());
        let word = |x: u16| presentation.normal_forms[usize::from(x)].as_str();
        let words = |elements: &mut dyn Iterator<Item = u16>| {
            let words: Vec<&str> = elements.map(word).collect();
            words.join(", ")
        };
        let monoid = solver.monoid();
        let of = match solver.period() {
            Some(_) => "all heaps".to_owned(),
            None => format!("the heaps up to {}", solver.heaps() - 1),
        };
        let is = found
            .tameness()
            .map_or(String::new(), |is| format!(", {}", is.name()));
        let order = monoid.order();
        writeln!(
            f,
            "{}: misère quotient of {of}, order {order}{is}",
            solver.game()
        )?;
        let generators = presentation.heaps.iter();
        let generators: Vec<String> = generators
            .map(|&heap| format!("{} = heap {heap}", word(solver.phi()[heap])))
            .collect();
        writeln!(f, "generators: {}", generators.join(", "))?;
        let relations: Vec<String> = presentation
            .relations
            .iter()
            .map(|r| r.to_string())
            .collect();
        writeln!(f, "relations: {}", relations.join(", "))?;
        writeln!(f, "elements: {}", words(&mut monoid.elements()))?;
        writeln!(f, "P-portion: {}", words(&mut monoid.p_portion()))?;
        writeln!(f, "idempotents: {}", words(&mut monoid.idempotents()))?;
        let phi = found.phi();
        writeln!(f, "heaps from 0: {}", words(&mut phi.iter().copied()))?;
        match (solver.period(), found.reason()) {
            (Some(period), _) => {
                let (preperiod, length) = (period.preperiod, period.period);
                let last = period.needed() - 1;
                write!(
                    f,
                    "preperiod {preperiod}, period {length}: proved by the heaps up to {last}"
                )
            }
            (None, reason) => write!(
                f,
                "not proved for all heaps: {}",
                reason.unwrap_or_default()
            ),
        }
    }
}

impl Serialize for Shown<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Shown(found) = self;
        let (solver, presentation) = (&found.solver, found.solver.presentation());
        let words = |elements: &mut dyn Iterator<Item = u16>| -> Vec<&str> {
            let words = elements.map(|x| presentation.normal_forms[usize::from(x)].as_str());
            words.collect()
        };
        let monoid = solver.monoid();
        let relations: Vec<String> = presentation
            .relations
            .iter()
            .map(|r| r.to_string())
            .collect();
        let object = json!({
            "game": solver.game().to_string(),
            "heap": solver.heaps() - 1,
            "order": monoid.order(),
            "tameness": found.tameness().map(|is| is.name()),
            "generators": presentation.heaps,
            "relations": relations,
            "elements": words(&mut monoid.elements()),
            "p_portion": words(&mut monoid.p_portion()),
            "idempotents": words(&mut monoid.idempotents()),
            "phi": words(&mut found.phi().iter().copied()),
            "preperiod": solver.period().map(|period| period.preperiod),
            "period": solver.period().map(|period| period.period),
            "proved": solver.period().is_some(),
            "reason": found.reason(),
        });
        object.serialize(serializer)
    }
}
