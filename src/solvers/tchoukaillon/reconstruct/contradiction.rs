//! Contradictions: the reasons in words why no board agrees with fixed bins.

use std::fmt;

use cggames::family::BinNumbering;

/// One of Theorem 4.5's conditions: `modulus` consecutive bins up to `end` together hold a multiple
/// of `modulus`. Bins are in numbering beta, as in the theorem.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Condition {
    /// The last of the bins, a multiple of `modulus` and greater.
    pub(super) end: u64,
    /// The number of bins, a power of a prime.
    pub(super) modulus: u64,
}

impl Condition {
    /// Returns the first of the bins.
    pub(super) fn start(self) -> u64 {
        self.end - self.modulus + 1
    }
}

/// A bin to which conditions leave one value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Forced {
    pub(super) bin: u64,
    pub(super) stones: u64,
    pub(super) conditions: Vec<Condition>,
}

/// The clash of conditions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Clash {
    /// All bins of a condition are known, last bin first, and break it.
    Sum(Condition, Vec<u64>),
    /// Conditions leave a bin no value; each with the residue that it requires.
    Bin(u64, Vec<(u64, Condition)>),
    /// Every way to fill the other bins breaks a condition.
    Exhausted { attempts: u64 },
}

/// The reason why no board agrees with fixed bins; printed as one sentence, or as one for each
/// step.
///
/// Bins are called `m_i` in numbering beta, as in the paper, and `b_i` in numbering b.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contradiction {
    pub(super) numbering: BinNumbering,
    pub(super) forced: Vec<Forced>,
    pub(super) clash: Clash,
}

impl Contradiction {
    /// Returns the contradiction with only the forced bins that it needs.
    pub(super) fn new(numbering: BinNumbering, forced: &[Forced], clash: Clash) -> Contradiction {
        let mut used: Vec<Condition> = match &clash {
            Clash::Sum(condition, _) => vec![*condition],
            Clash::Bin(_, residues) => residues.iter().map(|&(_, condition)| condition).collect(),
            Clash::Exhausted { .. } => Vec::new(),
        };
        let mut needed = Vec::new();
        for step in forced.iter().rev() {
            let within = |c: &Condition| (c.start()..=c.end).contains(&step.bin);
            if used.iter().any(within) || matches!(clash, Clash::Exhausted { .. }) {
                used.extend(&step.conditions);
                needed.push(step.clone());
            }
        }
        needed.reverse();
        Contradiction {
            numbering,
            forced: needed,
            clash,
        }
    }

    fn bin(&self, bin: u64) -> String {
        match self.numbering {
            BinNumbering::Beta => format!("m_{bin}"),
            BinNumbering::B => format!("b_{}", bin - 1),
        }
    }

    /// `m_8 + m_7 must be even`.
    fn condition(&self, condition: Condition) -> String {
        let Condition { end, modulus } = condition;
        let sum = if modulus <= 5 {
            let bins = (condition.start()..=end).rev().map(|bin| self.bin(bin));
            bins.collect::<Vec<_>>().join(" + ")
        } else {
            let (last, before, first) = (end, end - 1, condition.start());
            format!(
                "{} + {} + ... + {}",
                self.bin(last),
                self.bin(before),
                self.bin(first)
            )
        };
        match modulus {
            2 => format!("{sum} must be even"),
            _ => format!("{sum} must be divisible by {modulus}"),
        }
    }
}

/// Joins with commas and a last "and".
fn listed(items: &[String]) -> String {
    match items {
        [] => String::new(),
        [one] => one.clone(),
        [some @ .., last] => format!("{} and {last}", some.join(", ")),
    }
}

impl fmt::Display for Contradiction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for Forced {
            bin,
            stones,
            conditions,
        } in &self.forced
        {
            let conditions: Vec<String> = conditions.iter().map(|&c| self.condition(c)).collect();
            let (bin, reasons) = (self.bin(*bin), listed(&conditions));
            write!(f, "{bin} must be {stones}, as {reasons}; ")?;
        }
        match &self.clash {
            Clash::Sum(condition, values) => {
                let total: u64 = values.iter().sum();
                write!(f, "{}, and is ", self.condition(*condition))?;
                if values.len() <= 5 {
                    let values: Vec<String> = values.iter().map(u64::to_string).collect();
                    write!(f, "{} = ", values.join(" + "))?;
                }
                write!(f, "{total}")
            }
            Clash::Bin(bin, residues) => {
                let residue = |&(r, c): &(u64, Condition)| {
                    format!("{r} mod {} ({})", c.modulus, self.condition(c))
                };
                let residues: Vec<String> = residues.iter().map(residue).collect();
                let (name, most, residues) = (self.bin(*bin), bin - 1, listed(&residues));
                write!(
                    f,
                    "{name} must be {residues}, and no number from 0 to {most} is"
                )
            }
            Clash::Exhausted { attempts } => write!(
                f,
                "no stones in the other bins meet all conditions of Theorem 4.5; all {attempts} ways \
                 to fill them bin by bin were tried"
            ),
        }
    }
}
