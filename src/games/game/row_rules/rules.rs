//! The switches of rules of rows, their text, and what the rules say about the length of play.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::board::STRIP_SEEDS_MAX;

/// The rules of a sowing game on a row of pots, as a record of switches; the width of a board is not
/// among them.
///
/// The text of the rules names the switches that differ from the defaults. It is part of stored
/// values and of digests of jobs:
///
/// ```
/// use cggames::game::{Counts, First, RowRules};
///
/// let rules = RowRules {
///     pot_min: 2,
///     first: First::Origin,
///     capture: Counts::of([2, 3]),
///     chain: true,
///     ..RowRules::DEFAULT
/// };
/// assert_eq!(rules.to_string(), "pot_min=2,first=origin,capture=2-3,chain");
/// assert_eq!(rules.to_string().parse(), Ok(rules));
/// assert_eq!(rules, RowRules::ATOMIC_WARI);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RowRules {
    /// The fewest seeds of a pot that may be played.
    pub pot_min: u8,
    /// Where the first seed falls.
    pub first: First,
    /// What the pot of the last seed may hold just before that seed falls.
    pub last: Counts,
    /// Whether a move goes on from an occupied pot.
    pub laps: Laps,
    /// Whether every seed that falls into an occupied pot takes all seeds of that pot off the board,
    /// itself included.
    pub landing: bool,
    /// The counts at which the pot of the last seed is captured.
    pub capture: Counts,
    /// Whether captures go on backwards.
    pub chain: bool,
}

/// Where the first seed of a sowing falls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum First {
    /// In the pot after the one played.
    Next,
    /// In the pot played.
    Origin,
}

/// How many laps a move has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Laps {
    /// One.
    Single,
    /// If the last seed falls into an occupied pot, all its seeds are sown on from the next pot.
    Multiple,
}

/// A switch that lets rows grow for ever.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Switch {
    /// [`RowRules::last`], which has the count 0.
    Last,
    /// [`RowRules::laps`].
    Laps,
    /// [`RowRules::landing`].
    Landing,
}

impl Switch {
    /// Returns the key of specs.
    pub fn key(self) -> &'static str {
        match self {
            Switch::Last => "last",
            Switch::Laps => "laps",
            Switch::Landing => "landing",
        }
    }
}

/// Rules for the endless row by which rows can grow for ever.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error(
    "{}, so play on an endless row may go on for ever on ever longer rows; accepted with `pots`, the width of a board",
    match .0 {
        Switch::Last => "`last` allows a last seed in an empty pot (the count 0) while `first` is \"next\"",
        Switch::Laps => "`laps = \"multiple\"` sows on until a last seed falls into an empty pot, which `last` allows (the count 0)",
        Switch::Landing => "`landing = true` empties pots while `last` allows a last seed in an empty pot (the count 0)",
    }
)]
pub struct Endless(pub Switch);

impl RowRules {
    /// The rules with the defaults of all switches.
    pub const DEFAULT: RowRules = RowRules {
        pot_min: 1,
        first: First::Next,
        last: Counts::ANY,
        laps: Laps::Single,
        landing: false,
        capture: Counts::NONE,
        chain: false,
    };

    /// The rules of Sowing.
    pub const SOWING: RowRules = RowRules {
        last: Counts::OCCUPIED,
        ..RowRules::DEFAULT
    };

    /// The rules of Atomic Wari.
    pub const ATOMIC_WARI: RowRules = RowRules {
        pot_min: 2,
        first: First::Origin,
        capture: Counts([0b1100, 0, 0, 0]),
        chain: true,
        ..RowRules::DEFAULT
    };

    /// The longest text of rules.
    pub const TEXT_MAX: usize = 96;

    /// Returns rules with the same moves, in which switches without effect have their defaults.
    ///
    /// * With `landing`, the last seed in an occupied pot takes all seeds of that pot with it, so
    ///   none are left to be sown on: `laps` has no effect.
    /// * Otherwise a move of multiple laps ends in an empty pot, so only the count 0 of `last` has
    ///   an effect.
    /// * Without `landing` every pot of the last lap holds a seed, so the count 0 of `capture` has no
    ///   effect.
    /// * Without a count to capture at, `chain` has no effect.
    #[must_use]
    pub fn normal(self) -> RowRules {
        let mut rules = self;
        if rules.landing {
            rules.laps = Laps::Single;
        } else {
            rules.capture = rules.capture.and(Counts::OCCUPIED);
        }
        if rules.laps == Laps::Multiple {
            rules.last = rules.last.and(Counts::EMPTY_POT);
            // No count of `last` but 0 has an effect, so all are there if 0 is.
            if rules.last == Counts::EMPTY_POT {
                rules.last = Counts::ANY;
            }
        }
        rules.chain &= rules.capture != Counts::NONE;
        rules
    }

    /// Returns the [normal form](RowRules::normal) without captures that never happen.
    ///
    /// After a move the pot of the last seed holds no seed, or only that one, if it was taken there by
    /// `landing`, or fell into an empty pot at the end of several laps; otherwise one seed more than
    /// before. If none of these counts is captured, nothing is. With `landing` no pot that was sown
    /// holds more than one seed. Without `chain` only that pot is captured.
    ///
    /// Not a part of `normal`, whose text is in stored values.
    ///
    /// ```
    /// use cggames::game::{Counts, RowRules};
    ///
    /// let capture = |counts: [u8; 1], last| RowRules {
    ///     capture: Counts::of(counts),
    ///     chain: true,
    ///     last,
    ///     ..RowRules::DEFAULT
    /// };
    /// let of_empty = RowRules { last: Counts::EMPTY_POT, ..RowRules::DEFAULT };
    /// assert_eq!(capture([2], Counts::EMPTY_POT).reduced(), of_empty);
    /// assert_ne!(capture([1], Counts::EMPTY_POT).reduced(), of_empty);
    /// ```
    #[must_use]
    pub fn reduced(self) -> RowRules {
        let mut rules = self.normal();
        let ends = match (rules.landing, rules.laps) {
            (true, _) => (0..=1)
                .filter(|&held| match held {
                    0 => rules.last.and(Counts::OCCUPIED) != Counts::NONE,
                    _ => rules.last.contains(0),
                })
                .collect(),
            (false, Laps::Multiple) => vec![1],
            (false, Laps::Single) => {
                let held = (0..Counts::MAX).filter(|&held| rules.last.contains(held));
                held.map(|held| held + 1).collect()
            }
        };
        let at_end = rules.capture.and(Counts::of(ends));
        if at_end == Counts::NONE || !rules.chain {
            rules.capture = at_end;
        } else if rules.landing {
            rules.capture = rules.capture.and(Counts::of([0, 1]));
        }
        rules.normal()
    }

    /// Returns whether the text of the rules is short enough, so that stored values can have it in
    /// their name.
    pub fn has_short_text(self) -> bool {
        self.to_string().len() <= RowRules::TEXT_MAX
    }

    /// Checks that the positions that play on an endless row can reach from any row are finitely
    /// many; the module's docs prove it for the rules that are accepted.
    ///
    /// # Errors
    ///
    /// [`Endless`], with the switch that keeps the rules from being accepted.
    pub fn check_endless(self) -> Result<(), Endless> {
        let rules = self.normal();
        if !rules.last.contains(0) {
            return Ok(());
        }
        Err(Endless(match rules {
            _ if rules.first == First::Next => Switch::Last,
            _ if rules.laps == Laps::Multiple => Switch::Laps,
            _ if rules.landing => Switch::Landing,
            _ => return Ok(()),
        }))
    }

    /// Returns whether play is known to end from every position; the module's docs prove it. If it
    /// is not known, some positions may be loopy.
    pub fn ends(self) -> bool {
        let rules = self.normal();
        let grows = rules.last.contains(0);
        let is_pair_kept = rules.last.contains(1) && !rules.capture.contains(2);
        // A single seed that falls into its own pot changes nothing.
        let is_passed = grows && rules.pot_min < 2;
        match (rules.landing, rules.laps, rules.first) {
            (true, ..) | (_, Laps::Multiple, _) => !grows,
            (false, Laps::Single, First::Next) => !grows,
            (false, Laps::Single, First::Origin) => !is_pair_kept && !is_passed,
        }
    }
}

impl fmt::Display for RowRules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rules = self;
        let default = RowRules::DEFAULT;
        let mut switches = Vec::new();
        if rules.pot_min != default.pot_min {
            switches.push(format!("pot_min={}", rules.pot_min));
        }
        if rules.first != default.first {
            switches.push("first=origin".to_owned());
        }
        if rules.last != default.last {
            switches.push(format!("last={}", rules.last));
        }
        if rules.laps != default.laps {
            switches.push("laps=multiple".to_owned());
        }
        if rules.landing {
            switches.push("landing".to_owned());
        }
        if rules.capture != default.capture {
            switches.push(format!("capture={}", rules.capture));
        }
        if rules.chain {
            switches.push("chain".to_owned());
        }
        if switches.is_empty() {
            switches.push("default".to_owned());
        }
        f.write_str(&switches.join(","))
    }
}

/// A text that is not the text of rules.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{found:?} is no text of rules")]
pub struct NoRules {
    found: String,
}

impl FromStr for RowRules {
    type Err = NoRules;

    /// Reads the text that [`Display`](fmt::Display) writes, and no other text.
    fn from_str(text: &str) -> Result<RowRules, NoRules> {
        let mut rules = RowRules::DEFAULT;
        for switch in text.split(',').filter(|&switch| switch != "default") {
            let (key, value) = switch.split_once('=').unwrap_or((switch, ""));
            match key {
                "pot_min" => rules.pot_min = value.parse().unwrap_or(0),
                "first" => rules.first = First::Origin,
                "last" => rules.last = Counts::read(value).unwrap_or(Counts::NONE),
                "laps" => rules.laps = Laps::Multiple,
                "landing" => rules.landing = true,
                "capture" => rules.capture = Counts::read(value).unwrap_or(Counts::NONE),
                "chain" => rules.chain = true,
                _ => {}
            }
        }
        // What is not read as it is written gives rules of another text.
        let is_read = rules.to_string() == text && rules.pot_min > 0;
        is_read.then_some(rules).ok_or_else(|| NoRules {
            found: text.to_owned(),
        })
    }
}

/// A set of counts of seeds, from 0 to [`Counts::MAX`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Counts([u64; 4]);

impl Counts {
    /// The greatest count: that of the fullest pot.
    pub const MAX: u8 = STRIP_SEEDS_MAX as u8;
    /// No count.
    pub const NONE: Counts = Counts([0; 4]);
    /// The count of an empty pot.
    pub const EMPTY_POT: Counts = Counts([1, 0, 0, 0]);
    /// Every count.
    pub const ANY: Counts = Counts([u64::MAX, u64::MAX, u64::MAX, (1 << (Counts::MAX - 191)) - 1]);
    /// Every count of seeds from 1.
    pub const OCCUPIED: Counts = Counts([
        Counts::ANY.0[0] - 1,
        Counts::ANY.0[1],
        Counts::ANY.0[2],
        Counts::ANY.0[3],
    ]);

    /// Returns the set of counts up to [`Counts::MAX`]; others are left out.
    pub fn of(counts: impl IntoIterator<Item = u8>) -> Counts {
        let mut set = Counts::NONE;
        for count in counts.into_iter().filter(|&count| count <= Counts::MAX) {
            set.0[usize::from(count / 64)] |= 1 << (count % 64);
        }
        set
    }

    /// Returns whether the set has a count.
    #[inline]
    pub fn contains(&self, count: u8) -> bool {
        self.0[usize::from(count / 64)] >> (count % 64) & 1 != 0
    }

    /// Returns the counts of both sets.
    fn and(self, other: Counts) -> Counts {
        Counts([0, 1, 2, 3].map(|word| self.0[word] & other.0[word]))
    }

    fn read(text: &str) -> Option<Counts> {
        match text {
            "none" => return Some(Counts::NONE),
            "any" => return Some(Counts::ANY),
            "occupied" => return Some(Counts::OCCUPIED),
            _ => {}
        }
        let run = |run: &str| {
            let (first, last) = run.split_once('-').unwrap_or((run, run));
            Some(first.parse::<u8>().ok()?..=last.parse::<u8>().ok()?)
        };
        let runs: Option<Vec<_>> = text.split('+').map(run).collect();
        Some(Counts::of(runs?.into_iter().flatten()))
    }
}

/// Writes runs of successive counts, such as `1-2+5`.
impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Counts::NONE => return f.write_str("none"),
            Counts::ANY => return f.write_str("any"),
            Counts::OCCUPIED => return f.write_str("occupied"),
            _ => {}
        }
        let mut runs: Vec<(u8, u8)> = Vec::new();
        for count in (0..=Counts::MAX).filter(|&count| self.contains(count)) {
            match runs.last_mut() {
                Some((_, last)) if *last + 1 == count => *last = count,
                _ => runs.push((count, count)),
            }
        }
        let runs = runs.iter().map(|&(first, last)| match first == last {
            true => first.to_string(),
            false => format!("{first}-{last}"),
        });
        f.write_str(&runs.collect::<Vec<_>>().join("+"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_of_counts_read_back() {
        assert!(Counts::ANY.contains(0) && Counts::ANY.contains(Counts::MAX));
        assert!(!Counts::ANY.contains(Counts::MAX + 1));
        assert!(!Counts::OCCUPIED.contains(0) && Counts::OCCUPIED.contains(1));
        assert_eq!(Counts::of(0..=255), Counts::ANY);
        for (counts, text) in [
            (Counts::of([2, 3, 5]), "2-3+5"),
            (Counts::EMPTY_POT, "0"),
            (Counts::of([63, 64, 128, 250]), "63-64+128+250"),
            (Counts::NONE, "none"),
        ] {
            assert_eq!(counts.to_string(), text);
            assert_eq!(Counts::read(text), Some(counts));
        }
    }

    #[test]
    fn the_text_of_rules_reads_back_and_is_unique() {
        for rules in [RowRules::DEFAULT, RowRules::SOWING, RowRules::ATOMIC_WARI] {
            assert_eq!(rules.to_string().parse(), Ok(rules));
            assert_eq!(rules.normal(), rules);
        }
        for text in [
            "",
            "last=1+2",
            "chain,capture=2",
            "chain=1",
            "first=next",
            "pot_min=0",
        ] {
            assert!(text.parse::<RowRules>().is_err(), "{text}");
        }
    }

    #[test]
    fn the_endless_row_is_refused_with_the_switch() {
        let origin = RowRules {
            pot_min: 2,
            first: First::Origin,
            ..RowRules::DEFAULT
        };
        let switch = |rules: RowRules| rules.check_endless().err().map(|Endless(switch)| switch);
        assert_eq!(switch(RowRules::DEFAULT), Some(Switch::Last));
        assert_eq!(switch(RowRules::SOWING), None);
        assert_eq!(switch(origin), None);
        assert!(!origin.ends());
        let multiple = RowRules {
            laps: Laps::Multiple,
            ..origin
        };
        assert_eq!(switch(multiple), Some(Switch::Laps));
        let landing = RowRules {
            landing: true,
            ..multiple
        };
        assert_eq!(switch(landing), Some(Switch::Landing));
    }
}
