//! Genera of impartial positions: how a position and copies of `*2` beside it fare under misère play.
//!
//! The genus of G is `g^(c0 c1 c2 ...)`, where g is the nim-value of G and c_n is the misère nim-value of G plus n heaps of
//! two (*Winning Ways*, chapter 13; *On Numbers and Games*, chapter 12). It follows from the genera of the options. The
//! options of G plus n + 1 heaps of two are those of G with as many heaps, and G with n heaps of two plus a heap of one or
//! none. A heap of one changes a misère nim-value by a nim-sum with 1: the options of H + `*1` have the values of those of H
//! with 1 added, and that of H. So, with mex over the options G' of G,
//!
//! ```text
//! g       = mex g'
//! c_0     = mex c'_0, or 1 if G has no options
//! c_(n+1) = mex { c'_(n+1), c_n, c_n + 1 (nim-sum) }
//! ```
//!
//! From some place on, two digits alternate: once those of all options do, c_n and the parity of n determine c_(n+1).
//! A genus is written with the shortest digits of which the last two go on alternating: that of 0 is `0^120`.

use std::fmt;
use std::sync::Arc;

use cggames::game::{Convention, Manner, Play};
use cgvalues::ArenaError;

use super::interned::{Interned, InternedCopy};
use super::valuation::mex;
use super::{Valuation, Word};

/// The genus of an impartial position.
///
/// ```
/// use cggames::game::{Ruleset, Sowing};
/// use cgsolvers::{Engine, Genera, NothingKnown};
///
/// let engine = Engine::new(Sowing, Genera::default());
/// let mut search = engine.search(&NothingKnown);
/// let mut genus = |row: &str| -> Result<String, Box<dyn std::error::Error>> {
///     let word = search.evaluate(&Sowing.position(&row.parse()?)?)?;
///     Ok(engine.valuation.genus(word).to_string())
/// };
/// assert_eq!(genus("0")?, "0^120");
/// assert_eq!(genus("11")?, "1^031");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Genus {
    nim_value: u32,
    /// The misère nim-values with 0, 1, ... heaps of two, at least two; the last two go on alternating.
    digits: Vec<u32>,
    is_tame: bool,
}

impl Genus {
    /// Returns the genus of a position from those of its options.
    ///
    /// Cost: a step for each option and digit.
    pub fn of_options(options: &[&Genus]) -> Genus {
        let nim_value = mex(options.iter().map(|option| option.nim_value));
        let alternate_from = options.iter().map(|option| option.digits.len() - 2).max();
        let alternate_from = alternate_from.unwrap_or(0);
        let mut digits: Vec<u32> = Vec::new();
        loop {
            let place = digits.len();
            let of_options = options.iter().map(|option| option.misere_with(place));
            digits.push(match digits.last() {
                None if options.is_empty() => 1,
                None => mex(of_options),
                Some(&before) => mex(of_options.chain([before, before ^ 1])),
            });
            if let [.., earlier, _, last] = digits[..]
                && place >= alternate_from + 2
                && earlier == last
            {
                break;
            }
        }
        while let [.., earlier, _, last] = digits[..]
            && earlier == last
        {
            digits.pop();
        }
        let is_tame = is_of_nim(nim_value, &digits) && options.iter().all(|option| option.is_tame);
        Genus {
            nim_value,
            digits,
            is_tame,
        }
    }

    /// Returns the genus of a sum of tame positions from theirs; `None` if one is not tame.
    pub fn of_tame_sum(genera: &[&Genus]) -> Option<Genus> {
        if !genera.iter().all(|genus| genus.is_tame) {
            return None;
        }
        let nim_value = genera.iter().fold(0, |sum, genus| sum ^ genus.nim_value);
        // Those of positions of Nim with heaps of at most one have three digits.
        let digits = match (
            genera.iter().all(|genus| genus.digits.len() == 3),
            nim_value,
        ) {
            (true, 0) => vec![1, 2, 0],
            (true, _) => vec![0, 3, 1],
            (false, n) => vec![n, n ^ 2],
        };
        Some(Genus {
            nim_value,
            digits,
            is_tame: true,
        })
    }

    /// Returns the nim-value under normal play.
    pub fn nim_value(&self) -> u32 {
        self.nim_value
    }

    /// Returns the misère nim-value: 0 for a P-position.
    pub fn misere_nim_value(&self) -> u32 {
        self.digits[0]
    }

    /// Returns the misère nim-value of the position beside this number of heaps of two.
    pub fn misere_with(&self, twos: usize) -> u32 {
        let last = self.digits.len() - 1;
        match twos.checked_sub(last) {
            None => self.digits[twos],
            Some(beyond) => self.digits[last - beyond % 2],
        }
    }

    /// Returns whether the position is tame: it and all its followers have genera of positions of Nim. A sum of tame
    /// positions is won, under either convention, by whoever wins that sum of positions of Nim. Other positions are wild,
    /// though some of them behave like tame ones in sums, too (*Winning Ways*, chapter 13, on reversible moves).
    pub fn is_tame(&self) -> bool {
        self.is_tame
    }
}

/// Returns whether a position of Nim has this genus: `0^120` and `1^031` if all heaps are at most one, otherwise n^n.. with
/// digits n and the nim-sum of n and 2 in turn.
fn is_of_nim(nim_value: u32, digits: &[u32]) -> bool {
    match (nim_value, digits) {
        (0, [1, 2, 0]) | (1, [0, 3, 1]) => true,
        (n, &[first, second]) => first == n && second == n ^ 2,
        _ => false,
    }
}

/// `2^20`; digits from ten on are in parentheses: `12^(12)(14)`.
impl fmt::Display for Genus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}^", self.nim_value)?;
        self.digits.iter().try_for_each(|digit| match digit {
            0..=9 => write!(f, "{digit}"),
            _ => write!(f, "({digit})"),
        })
    }
}

/// Genera, for impartial play.
#[derive(Default)]
pub struct Genera {
    genera: Interned<Genus>,
}

/// One worker's copy of the genera that it has met.
pub struct GenusWorker<'a> {
    genera: InternedCopy<'a, Genus>,
}

/// The size of a genus with the entries that find it: few have more than eight digits.
///
/// Unit: bytes.
const GENUS_BYTES: usize = 160;

impl Genera {
    /// Returns the genus of a word of this valuation.
    ///
    /// # Panics
    ///
    /// If the word is of another valuation.
    pub fn genus(&self, word: Word) -> Arc<Genus> {
        self.genera.get(word)
    }
}

impl Valuation for Genera {
    type Worker<'a> = GenusWorker<'a>;

    const ADDS: bool = false;

    fn manner(&self) -> Manner {
        Manner::of(Play::Impartial, Convention::Misere)
    }

    fn worker(&self) -> GenusWorker<'_> {
        GenusWorker {
            genera: self.genera.copy(),
        }
    }

    fn combine(
        worker: &mut GenusWorker<'_>,
        left: &[Word],
        _: &[Word],
    ) -> Result<Word, ArenaError> {
        let mut words = left.to_vec();
        words.sort_unstable();
        words.dedup();
        let genus = Genus::of_options(&worker.genera.get(&words));
        Ok(worker.genera.all().word(genus))
    }

    fn negative(value: Word) -> Word {
        value
    }

    fn bytes(&self) -> u64 {
        (self.genera.len() * GENUS_BYTES) as u64
    }
}
