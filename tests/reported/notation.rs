//! Values as text, in proofs and elsewhere: one grammar, with and without variables.
