//! Misère quotients: a row for each code.

use std::sync::Arc;

use cggames::game::GameKind;
use cggames::game::heap::{Code, HeapRules};
use cgsolvers::quotient::QuotientLimits;
use seedbank_specs::form::integer;
use seedbank_specs::{choice, keys};

use crate::run::Task;
use crate::task::codes::{code_of_rank, codes};
use crate::task::kind::Spec;

/// The largest heap up to which a quotient can be searched for.
pub const QUOTIENT_HEAP_MAX: u64 = 100_000;

/// The largest limit on the elements of a quotient.
pub const ELEMENTS_MAX: u64 = 4096;

/// The largest limit on the positions of a search, and on the pairs of a check.
const POSITIONS_MAX: u64 = 1 << 28;

/// A job over the quotients of codes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QuotientsTask {
    /// The digits after the point, final zeros included.
    pub digits: u32,
    /// The greatest digit: 7 for octal codes, 15 for hexadecimal ones.
    pub max_digit: u8,
    /// The largest heap that is searched for a proof.
    pub heaps_max: u64,
    /// The limits for each code.
    pub limits: QuotientLimits,
    /// How the result is printed.
    pub layout: QuotientsLayout,
}

choice! {
    /// How `seedbank table` prints quotients.
    pub enum QuotientsLayout {
        /// A line for each code.
        List = "list",
        /// How many quotients are proved, tame and wild, and how many of them have each order.
        Summary = "summary",
    }
}

impl QuotientsTask {
    /// Returns the number of codes.
    pub fn rows(&self) -> u64 {
        (u64::from(self.max_digit) + 1).pow(self.digits)
    }

    /// Returns the code of this rank, as those of a survey.
    ///
    /// # Panics
    ///
    /// If `rank` is not below [`QuotientsTask::rows`].
    pub fn code(&self, rank: u64) -> Code {
        code_of_rank(self.digits, self.max_digit, rank)
    }
}

/// The sections of a job of this kind.
pub(super) fn spec(spec: &mut Spec<'_, '_, '_>) -> Option<Arc<dyn Task>> {
    let GameKind::Heaps(game) = spec.game?.kind else {
        return None;
    };
    let family = spec.family(keys!({
        /// the misère quotients of all codes of a number of digits
        quotients: codes(), required;
        /// the largest heap that is searched for a proof
        heaps_max: integer(1, QUOTIENT_HEAP_MAX), required "heaps_max = 400";
        /// the most elements of a quotient; 128 where it is missing
        elements_max: integer(1, ELEMENTS_MAX), default 128;
        /// the most positions that are played and the most pairs of a check, for each code; 262144 where it is missing
        positions_max: integer(1, POSITIONS_MAX), default 1 << 18;
    }));
    let layout = spec.layout(QuotientsLayout::NAMED);
    if game != HeapRules::Code {
        return spec.refuse_game("a family of quotients needs game = \"octal\"");
    }
    let ((digits, max_digit), heaps_max, elements_max, positions_max) = family?;
    Some(Arc::new(QuotientsTask {
        digits,
        max_digit,
        heaps_max,
        limits: QuotientLimits {
            elements_max: elements_max as usize,
            positions_max: positions_max as usize,
        },
        layout: layout?,
    }))
}
