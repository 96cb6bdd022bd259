//! Shared by the engines for disjunctive and obligated sums of heaps: moves, certificates of
//! periods, surveys and portable vector kernels.

pub(super) mod certificate;
pub(super) mod moves;
pub(super) mod survey;
pub(super) mod vectors;
