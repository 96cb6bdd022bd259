//! Boards of Tchoukaillon as they are printed.

use seedbank::engine::tchoukaillon::lengths::shortest;
use serde_json::json;

use super::output::{Printer, Unprinted};

/// The most bins of a board that is printed: some 80 MB of text.
pub(super) const BINS_PRINTED: u64 = 10_000_000;

/// Prints a board with its number of stones on a line.
pub(super) fn print_board(
    out: &mut Printer,
    stones: u128,
    bins: &[u32],
    as_json: bool,
) -> Result<(), Unprinted> {
    if as_json {
        return out.line(json!({ "stones": stones.to_string(), "bins": bins }));
    }
    out.part(format_args!("{stones} = ("))?;
    for (index, bin) in bins.iter().enumerate() {
        let comma = if index == 0 { "" } else { ", " };
        out.part(format_args!("{comma}{bin}"))?;
    }
    out.line(")")
}

/// Returns the most stones of a board that is printed, in some 50000 steps.
pub(super) fn most_printed() -> u128 {
    shortest(BINS_PRINTED + 1) - 1
}
