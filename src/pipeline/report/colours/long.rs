//! Values whose notation is too long for a result.

use std::collections::BTreeMap;

/// Values whose notation is too long for a result, by the texts that tables show in its place.
pub type LongValues = BTreeMap<String, LongValue>;

/// The facts of a result about a value whose notation is too long for it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LongValue {
    /// The digest of its canonical form.
    pub digest: String,
    /// Its outcome class, by its letter.
    pub outcome: Option<&'static str>,
    /// Its kind.
    pub kind: String,
    /// Its birthday.
    pub birthday: Option<i32>,
    /// Its Left and its Right stop.
    pub stops: [Option<f64>; 2],
    /// Its mean.
    pub mean: Option<f64>,
    /// Its temperature.
    pub temperature: Option<f64>,
    /// The number of its distinct followers, in canonical form; `None` if they were not counted.
    pub forms: Option<u64>,
    /// The beginning of its notation in braces.
    pub head: Option<String>,
}
