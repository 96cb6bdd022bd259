//! What the engines for disjunctive and for obligated sums of heaps share.

pub(super) mod vectors;
