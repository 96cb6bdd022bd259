//! What the engines for disjunctive and for obligated sums of heaps share.

pub(super) mod certificate;
pub(super) mod moves;
pub(super) mod survey;
pub(super) mod vectors;
