//! Facts about games on pots.

use cggames::board::AnyBoard;
use cggames::family::Pattern;
use cggames::game::{Game, Play};
use cgvalues::{OutcomeClass, ValuePattern};

use super::Formula;

/// A published statement that a result can confirm.
#[derive(Clone, Debug)]
pub struct Fact {
    /// The game.
    pub game: Game,
    /// The way of playing.
    pub play: Play,
    /// The statement.
    pub statement: Statement,
    /// The reading of the source in words, if it differs from the fact.
    pub print: Option<String>,
    /// The reading of the source, if it differs from the fact and can be read.
    pub printed: Option<Printed>,
}

/// The print in place of a fact. A missing field is as in the fact.
#[derive(Clone, Debug)]
pub struct Printed {
    /// The position in print.
    pub position: Option<AnyBoard>,
    /// The value in print.
    pub value: Option<String>,
}

/// The statement of a fact.
#[derive(Clone, Debug)]
pub enum Statement {
    /// The position has the value.
    Value {
        /// The position.
        position: AnyBoard,
        /// The value in notation; nim-values are nimbers.
        value: String,
    },
    /// The position has the outcome class.
    Outcome {
        /// The position.
        position: AnyBoard,
        /// The class.
        class: OutcomeClass,
    },
    /// The value of the position has the atomic weight.
    AtomicWeight {
        /// The position.
        position: AnyBoard,
        /// The weight.
        weight: i64,
    },
    /// A pattern has properties for all values of its variables.
    Theorem(Theorem),
    /// The position has the value of the sum of its components.
    Sum {
        /// The position.
        position: AnyBoard,
        /// The components.
        components: Vec<AnyBoard>,
    },
    /// Every position without a pot above two is the sum of its runs of deuces, which are nimbers:
    /// heaps of the octal game .37.
    Sparse,
    /// A run of n deuces is zero for just these n.
    DeuceRuns {
        /// Those n, ascending.
        zero: Vec<u64>,
        /// The least n that the statement does not cover.
        below: u64,
    },
}

/// A pattern's properties, in terms of its variables.
#[derive(Clone, Debug)]
pub struct Theorem {
    /// The pattern.
    pub pattern: Pattern,
    /// The least value of each of the pattern's variables.
    pub least: Vec<i64>,
    /// Combinations of values that the statement does not cover.
    pub except: Vec<Vec<i64>>,
    /// The value, with the variables in it.
    pub value: Option<ValuePattern>,
    /// The atomic weight.
    pub atomic_weight: Option<Formula>,
    /// The least number of distinct followers.
    pub followers_at_least: Option<Formula>,
}
