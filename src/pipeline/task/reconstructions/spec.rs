//! Jobs over reconstructions: a row for each way to fix some bins of a board.

use std::sync::Arc;

use cggames::family::{BinNumbering, FIXED_BIN_MAX, FIXED_MAX, Fixed, FixedFamily, parse_fixed};
use seedbank_specs::form::{Form, Keys, integer, list, text, word};
use seedbank_specs::{Fault, POSITIONS_MAX, choice, keys, schema};

use crate::run::Task;
use crate::task::kind::Spec;

/// The farthest bin of a listed member.
const LISTED_BIN_MAX: u64 = 1_000_000;

/// The largest bound on the stones of searched boards, 2^62.
pub const SEARCHED_MAX: u64 = 1 << 62;

/// The default bound on the stones of searched boards.
pub const SEARCHED_DEFAULT: u64 = 1_000_000_000_000;

/// A job over reconstructions: a row for each member of a family of fixed bins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReconstructionsTask {
    /// The fixed bins.
    pub family: FixedFamily,
    /// The most stones of a searched board.
    pub up_to: u64,
    /// How the result is printed.
    pub layout: ReconstructionsLayout,
}

choice! {
    /// How `seedbank table` prints reconstructions.
    pub enum ReconstructionsLayout {
        /// A line for each.
        List = "list",
        /// The number of those that have a board, and those that need the most stones.
        Summary = "summary",
    }
}

/// The sections of a job of this kind.
pub(super) fn spec(spec: &mut Spec<'_, '_, '_>) -> Option<Arc<dyn Task>> {
    let family = spec.family(keys!({
        /// the fixed bins
        reconstructions: reconstructions(), required;
    }));
    let layout = spec.layout(ReconstructionsLayout::NAMED);
    let (family, up_to) = family?;
    Some(Arc::new(ReconstructionsTask {
        family,
        up_to,
        layout: layout?,
    }))
}

/// The fixed bins, and the most stones of a searched board.
fn reconstructions<'f>() -> Form<'f, (FixedFamily, u64)> {
    let accepted = "a table, such as { numbering = \"beta\", bin_max = 8, fixed = 2 }";
    Form::new(
        move |problems, field| {
            let fields = field.table(problems, accepted)?;
            let is_listed = match MEMBERS.map(|key| fields.has(key)) {
                [true, false, false] => Some(true),
                [false, true, true] => Some(false),
                _ => None,
            };
            let family = Keys::read(problems, fields, |keys| family(keys, is_listed));
            if is_listed.is_none() {
                let fault = "no family of fixed bins; accepted: bins = [\"3=1 7=2\"], or bin_max and fixed for all ways to fix the bins";
                return field.refuse(problems, fault);
            }
            family
        },
        |generator| {
            let mut table = |is_listed| {
                Keys::describe(generator, |keys| family(keys, Some(is_listed))).into_table()
            };
            schema::any_of([table(true), table(false)])
        },
    )
}

/// The keys of which a family has the first, or the others.
const MEMBERS: [&str; 3] = ["bins", "bin_max", "fixed"];

/// The keys of listed members, or of all ways to fix some of the bins.
fn family(keys: &mut Keys<'_, '_, '_>, is_listed: Option<bool>) -> Option<(FixedFamily, u64)> {
    let numberings = [BinNumbering::B, BinNumbering::Beta].map(|numbers| (numbers, numbers.name()));
    let numbers = keys.required(
        "numbering",
        "b: bin 1 beside the Ruma; beta: bin 2",
        word("numbering", "a string", numberings),
        "numbering = \"beta\", or \"b\"",
    );
    let meaning = "the most stones of a board that is searched";
    let up_to = keys.optional("up_to", meaning, integer(0, SEARCHED_MAX));
    MEMBERS.iter().for_each(|key| keys.accept(key));
    let family = match is_listed {
        None => {
            MEMBERS.iter().for_each(|key| keys.skip(key));
            None
        }
        Some(true) => {
            let meaning = "ways to fix bins, such as \"3=1 7=2\"";
            keys.required("bins", meaning, members(numbers), "")
        }
        Some(false) => {
            let bin_max = integer(1, FIXED_BIN_MAX).placed();
            let bin_max = keys.required("bin_max", "the farthest bin that is fixed", bin_max, "");
            let fixed = integer(1, FIXED_MAX);
            let fixed = keys.required("fixed", "the number of fixed bins", fixed, "");
            let (bin_max, place) = bin_max?;
            let (found, max) = match FixedFamily::all(numbers?, bin_max, fixed?) {
                Ok(family) if family.len() <= POSITIONS_MAX => {
                    return Some((family, up_to?.unwrap_or(SEARCHED_DEFAULT)));
                }
                Ok(family) => (family.len(), POSITIONS_MAX),
                Err(error) => return keys.refuse(&place, error),
            };
            let what = "ways to fix the bins";
            keys.refuse(&place, Fault::TooManyRows { what, found, max })
        }
    };
    Some((family?, up_to?.unwrap_or(SEARCHED_DEFAULT)))
}

/// Listed members; they are only read if it is known how bins are numbered.
fn members<'f>(numbers: Option<BinNumbering>) -> Form<'f, FixedFamily> {
    let accepted = "a list, such as [\"3=1 7=2\", \"5=1 6=2\"]";
    let members = move || {
        let member = text("a string, such as \"3=1 7=2\"");
        let member = member.try_map(|text| parse_fixed(&text));
        let member =
            member.then(move |problems, field, member| problems.ok(field, check(numbers?, member)));
        list(accepted, member)
    };
    Form::new(
        move |problems, field| {
            let numbers = numbers?;
            Some(FixedFamily::list(numbers, members().read(problems, field)?))
        },
        move |generator| members().schema(generator),
    )
}

/// Refuses bins that no winning board has.
fn check(numbers: BinNumbering, member: Fixed) -> Result<Fixed, String> {
    let (first, last) = (numbers.first(), LISTED_BIN_MAX);
    for &(bin, stones) in &member {
        let most = bin.saturating_add(1).saturating_sub(first);
        let is_bin = (first..=last).contains(&bin);
        if !is_bin || stones > most {
            let accepted = if is_bin {
                format!("0 to {most}")
            } else {
                format!("bins {first} to {last}")
            };
            return Err(format!(
                "bin {bin} of numbering {} cannot hold {stones} stones; accepted: {accepted}",
                numbers.name()
            ));
        }
    }
    Ok(member)
}
