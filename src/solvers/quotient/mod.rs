//! Misère quotients of heap games: who wins a sum of heaps if the last player to move loses.
//!
//! Two sums of heaps are equivalent if no sum of heaps added to both tells their outcomes apart.
//! The classes form a commutative monoid `Q`; the classes of P-positions are its P-portion; the
//! pretending function maps a heap to its class. [`QuotientSolver`] finds the quotient of the
//! first heaps of a game, heap by heap, an [`OutcomeMonoid`] is the result, and
//! [`QuotientCertificate`] states it for all heaps, with the period that proves it.
//!
//! # How it is found
//!
//! The P-positions are a set of multisets of heaps, and `Q` is the least automaton that accepts
//! it, read in any order. So the `learner` finds `Q` as Angluin's algorithm finds an automaton:
//! it asks for the outcomes of sums of a few generators, found by play. The other heaps pretend
//! to be sums of generators, both here and as parts of options, until a check refutes it.
//!
//! # How it is checked
//!
//! Invariant: no quotient is returned that the check (`closure`) does not confirm, which depends
//! on nothing that the search assumes. Let `Phi` map heaps to elements and sums to products, heaps
//! without moves to 1, and let 1 be outside the P-portion. All outcomes agree with the P-portion if
//! these two hold.
//!
//! 1. If `z Phi(h)` is in the P-portion, then no `z Phi(option of h)` is, for any heap `h` and
//!    element `z`.
//! 2. A sum of heaps with a move whose element is not in the P-portion has an option whose
//!    element is.
//!
//! For then an induction over play shows that exactly the sums with elements in the P-portion are
//! P-positions. To check 2, a sum `X` is represented by the pair of its element `q` and the set
//! `W` of those `z` for which `z Phi(X')` is in the P-portion for some option `X'`. Pairs
//! multiply: `(q1, W1) (q2, W2)` is `q1 q2` with the `z` for which `z q1` is in `W2` or `z q2` in
//! `W1`. They are finitely many. By 1 `W` is part of the set `N` of those `z` for which `z q` is
//! not in the P-portion; if it is all of `N`, the same is true of each multiple, and 2 holds for
//! all of them. If a pair has the `q` of another and a larger `W`, each multiple satisfies 2 if
//! that multiple of the other does. Neither kind is multiplied any further.
//!
//! `Q` is the quotient, and not larger, if each element is the product of heaps and each two
//! elements have a multiple by which exactly one is in the P-portion.
//!
//! # Periods
//!
//! Theorem (Plambeck; Plambeck and Siegel, the misère periodicity theorem). Let `n0 >= 1` be the
//! preperiod and `p` the period of `Phi` up to heap `B + p - 1`, where `B` is `t n0 + (t - 1) p +
//! k`, and a move leaves at most `t` heaps and takes at most `k` tokens. Then the quotient of the
//! heaps below `B + p` is the quotient of all heaps, and `Phi` has this period.
//!
//! *Proof.* Define `Phi` with this period. By the theorem of Guy and Smith
//! ([`Certificate`](crate::nim_values::Certificate)), with elements and products for nim-values and
//! xors, a heap `n + p` with `n >= B` has options with the same elements as heap `n`, and no option
//! if that has none. So its pair is that of heap `n`, and the check of the heaps below `B + p` is
//! the check of all heaps. ∎
//!
//! Sources: T. E. Plambeck, *Taming the wild in impartial combinatorial games*, Integers 5 (2005)
//! G05, for the quotient and its periodicity theorem; T. E. Plambeck and A. N. Siegel, *Misère
//! quotients for impartial games*, Journal of Combinatorial Theory A 115 (2008), for transition
//! algebras, of which the pairs are a quotient, and tame quotients; D. Angluin, *Learning regular
//! sets from queries and counterexamples*, Information and Computation 75 (1987).

mod certificate;
mod closure;
mod learner;
mod limits;
mod monoid;
mod presentation;
pub mod reference;
mod set;
mod solver;
mod surrogate;
#[cfg(test)]
mod tests;

pub use certificate::{CertificateFault, CertificateFormat, QuotientCertificate};
pub use limits::{QuotientEnd, QuotientLimits};
pub use monoid::OutcomeMonoid;
pub use presentation::{Presentation, Relation};
pub use set::Element;
pub use solver::QuotientSolver;
