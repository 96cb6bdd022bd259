#![doc = include_str!("README.md")]

mod arena;
mod atomic_weight;
mod calculator;
mod conway_product;
mod cooling;
mod digest;
mod dyadic;
mod incentives;
mod kind;
pub mod latex;
mod loopy;
mod nimber;
mod notation;
mod number_up_star;
mod ordinal_sum;
mod outcome;
mod pattern;
mod product;
mod reduced;
#[cfg(test)]
mod samples;
mod thermograph;
mod tiny;
mod transform;
mod uptimal;

pub use arena::{
    Arena, ArenaError, BIRTHDAY_MAX, ExactStops, Extent, Form, INTEGER_MAX, Ids, OPTIONS_MAX,
    ValueId,
};
pub use atomic_weight::{AtomicWeight, AtomicWeights, NoAtomicWeight};
pub use calculator::{Calculator, Comparison};
pub use cooling::CoolingError;
pub use digest::{Digester, ParseDigestError, ValueDigest};
pub use dyadic::{Dyadic, ParseDyadicError};
pub use kind::{Kind, ParseKindError};
pub use loopy::{
    LoopyCalculator, LoopyError, LoopyGraph, LoopyId, LoopyName, Pseudonumber, Sides, Stopper,
    Target, Upon,
};
pub use nimber::{Nimber, ParseNimberError};
pub use notation::{
    Algebra, Amount, AmountOf, Arrows, Evaluation, Fraction, Literal, NESTING_MAX, Parsed,
    Relation, Statement, read,
};
pub use notation::{Notation, NotationText, NotationWriter, ParseValueError, RESERVED};
pub use number_up_star::NumberUpStar;
pub use outcome::{Ending, OutcomeClass};
pub use pattern::ValuePattern;
pub use product::NortonError;
pub use thermograph::{Thermograph, Thermographs, Wall};
pub use uptimal::{Uptimal, UptimalShape};

/// A map from values. Its order is arbitrary: sort before any output.
pub type ValueMap<T> = hashbrown::HashMap<ValueId, T, foldhash::fast::RandomState>;
