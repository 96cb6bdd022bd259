//! Helpers that the test files share: rows to try, evaluation without an engine, published
//! notation, and the suite that every ruleset passes.

pub(crate) mod alone;
pub(crate) mod contents;
pub(crate) mod evaluations;
pub(crate) mod faulty;
pub(crate) mod loopy;
pub(crate) mod misere;
pub(crate) mod naive;
pub(crate) mod notation;
pub(crate) mod python;
pub(crate) mod rows;
pub(crate) mod schema;
pub(crate) mod strips;
pub(crate) mod suite;
pub(crate) mod symmetry;
pub(crate) mod toy;
pub(crate) mod workspace;
