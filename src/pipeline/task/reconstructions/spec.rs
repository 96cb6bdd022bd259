//! Jobs over reconstructions: a row for each way to fix some bins of a board.

use cggames::family::{BinNumbers, FIXED_BIN_MAX, FIXED_MAX, Fixed, FixedFamily, parse_fixed};
use seedbank_specs::sections::{at_most_rows, read_table};
use seedbank_specs::{Fault, Field, Fields, POSITIONS_MAX, Problems, read_choice};

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

/// How `seedbank table` prints reconstructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReconstructionsLayout {
    /// A line for each.
    List,
    /// The number of those that have a board, and those that need the most stones.
    Summary,
}

/// Reads the sections of a job of this kind.
pub(super) fn read(
    problems: &mut Problems<'_>,
    fields: &mut Fields<'_>,
    kind: &Field<'_>,
) -> Option<ReconstructionsTask> {
    let family = read_family(problems, kind);
    let layout = read_table(problems, fields, &["list", "summary"], false);
    let (family, up_to) = family?;
    Some(ReconstructionsTask {
        family,
        up_to,
        layout: match layout?.0 {
            "summary" => ReconstructionsLayout::Summary,
            _ => ReconstructionsLayout::List,
        },
    })
}

fn read_family(problems: &mut Problems<'_>, field: &Field<'_>) -> Option<(FixedFamily, u64)> {
    let example = "a table, such as { numbering = \"beta\", bin_max = 8, fixed = 2 }";
    let mut fields = field.table(problems, example)?;
    let numbers = fields
        .require(problems, "numbering", "numbering = \"beta\", or \"b\"")
        .and_then(|field| read_choice(problems, &field, "numbering", &BinNumbers::NAMES))
        .map(|name| match name {
            "b" => BinNumbers::B,
            _ => BinNumbers::Beta,
        });
    let up_to = match fields.take("up_to") {
        Some(field) => field.integer(problems, 0, SEARCHED_MAX as i64),
        None => Some(SEARCHED_DEFAULT as i64),
    };
    let family = match (
        fields.take("bins"),
        fields.take("bin_max"),
        fields.take("fixed"),
    ) {
        (Some(bins), None, None) => numbers.and_then(|numbers| read_list(problems, numbers, &bins)),
        (None, Some(bin_max), Some(fixed)) => {
            let most = bin_max.integer(problems, 1, FIXED_BIN_MAX as i64);
            let fixed = fixed.integer(problems, 1, FIXED_MAX as i64);
            numbers
                .zip(most.zip(fixed))
                .and_then(|(numbers, (most, fixed))| {
                    let family =
                        FixedFamily::all(numbers, most.unsigned_abs(), fixed.unsigned_abs());
                    let family = problems.ok(&bin_max, family)?;
                    let found = family.len();
                    at_most_rows(
                        problems,
                        &bin_max,
                        "ways to fix the bins",
                        found,
                        POSITIONS_MAX,
                    )?;
                    Some(family)
                })
        }
        _ => {
            let fault = Fault::FixedBins;
            problems.add(&field.key, field.span.clone(), fault);
            None
        }
    };
    fields.finish(problems);
    Some((family?, up_to?.unsigned_abs()))
}

/// Reads listed members.
fn read_list(
    problems: &mut Problems<'_>,
    numbers: BinNumbers,
    field: &Field<'_>,
) -> Option<FixedFamily> {
    let elements = field.array(problems, "a list, such as [\"3=1 7=2\", \"5=1 6=2\"]")?;
    let members: Vec<Option<Fixed>> = elements
        .iter()
        .map(|element| read_member(problems, numbers, element))
        .collect();
    let members = members.into_iter().collect::<Option<_>>()?;
    Some(FixedFamily::list(numbers, members))
}

fn read_member(
    problems: &mut Problems<'_>,
    numbers: BinNumbers,
    field: &Field<'_>,
) -> Option<Fixed> {
    let text = field.string(problems, "a string, such as \"3=1 7=2\"")?;
    let member = problems.ok(field, parse_fixed(text))?;
    let first = numbers.first();
    for &(bin, stones) in &member {
        let most = bin.saturating_add(1).saturating_sub(first);
        if !(first..=LISTED_BIN_MAX).contains(&bin) || stones > most {
            let fault = Fault::NoSuchBin {
                bin,
                stones,
                numbering: numbers.name(),
                first,
                last: LISTED_BIN_MAX,
                most: match bin {
                    bin if (first..=LISTED_BIN_MAX).contains(&bin) => Some(most),
                    _ => None,
                },
            };
            problems.add(&field.key, field.span.clone(), fault);
            return None;
        }
    }
    Some(member)
}
