//! What the test files share: rows to try, evaluation without an engine, published notation, and the
//! suite that every ruleset passes.

#![allow(dead_code, reason = "each test file uses a part of this")]

pub(crate) mod faulty;
pub(crate) mod naive;
pub(crate) mod notation;
pub(crate) mod numbers;
pub(crate) mod rows;
pub(crate) mod suite;
pub(crate) mod toy;
