//! Misère canonical forms of impartial positions.
//!
//! Two impartial positions are equal under misère play if, whatever is added to both, the same player wins. A position G
//! equals the game H with fewer moves if
//!
//! - every option of H is one of G,
//! - each other option of G has H as an option, to which the opponent can thus return, and
//! - if H has no options, then the player to move wins G: otherwise a player who returned to H would have moved last and lost.
//!
//! These deletions of reversible moves are the only simplifications there are: a position that allows none is canonical,
//! and different canonical forms are different (*On Numbers and Games*, chapter 12; *Winning Ways*, chapter 13). The heaps
//! of Nim are canonical. Most positions have no simpler form than their own moves, so forms grow fast.

use std::fmt;
use std::sync::Arc;

use cggames::game::{Convention, Manner, Play};
use cgvalues::ArenaError;

use super::interned::{Interned, InternedCopy};
use super::{Valuation, Word};

/// A misère canonical form.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct MisereForm {
    /// The words of the options, ascending.
    options: Vec<Word>,
    /// Whether the player to move wins.
    is_n: bool,
    birthday: u32,
    /// The size of the nim heap that it is.
    heap: Option<u32>,
}

/// Misère canonical forms, for impartial play.
///
/// ```
/// use cggames::game::{Ruleset, Sowing};
/// use cgsolvers::{Engine, MisereForms, NothingKnown};
///
/// let engine = Engine::new(Sowing, MisereForms::default());
/// let mut search = engine.search(&NothingKnown);
/// let mut form = |row: &str| -> Result<Option<String>, Box<dyn std::error::Error>> {
///     let word = search.evaluate(&Sowing.position(&row.parse()?)?)?;
///     Ok(engine.valuation.text(word, 100))
/// };
/// assert_eq!(form("11")?.as_deref(), Some("*"));
/// assert_eq!(form("1111")?.as_deref(), Some("0"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Default)]
pub struct MisereForms {
    forms: Interned<MisereForm>,
}

/// One worker's copy of the forms that it has met.
pub struct MisereFormWorker<'a> {
    forms: InternedCopy<'a, MisereForm>,
}

/// The size of a form of few options, with the entries that find it.
///
/// Unit: bytes.
const FORM_BYTES: usize = 192;

impl MisereForm {
    /// Returns whether the player to move wins.
    pub fn is_n(&self) -> bool {
        self.is_n
    }

    /// Returns the number of moves of the longest play.
    pub fn birthday(&self) -> u32 {
        self.birthday
    }

    /// Returns the size of the nim heap that the form is, if it is one.
    pub fn heap(&self) -> Option<u32> {
        self.heap
    }
}

impl MisereForms {
    /// Returns the form of a word of this valuation.
    ///
    /// # Panics
    ///
    /// If the word is of another valuation.
    pub fn form(&self, word: Word) -> Arc<MisereForm> {
        self.forms.get(word)
    }

    /// Returns the form as text, or `None` if that takes more than `chars_max` characters: `0`, `*`, `*2` for nim heaps, and
    /// otherwise the options in brackets, `*[2]` for the game with the one option `*2` and `*[0,[2]]` for the one with
    /// options 0 and `*[2]`.
    pub fn text(&self, word: Word, chars_max: usize) -> Option<String> {
        let mut text = String::new();
        match self.form(word).heap {
            Some(0) => text.push('0'),
            Some(1) => text.push('*'),
            _ => {
                text.push('*');
                self.append(word, chars_max, &mut text).ok()?;
            }
        }
        (text.len() <= chars_max).then_some(text)
    }

    /// Appends a form without its star. Recurses once for each level of brackets, which take characters.
    fn append(&self, word: Word, chars_max: usize, text: &mut String) -> fmt::Result {
        if text.len() > chars_max {
            return Err(fmt::Error);
        }
        let form = self.form(word);
        if let Some(heap) = form.heap {
            text.push_str(&heap.to_string());
            return Ok(());
        }
        text.push('[');
        for (place, option) in form.options.iter().enumerate() {
            if place > 0 {
                text.push(',');
            }
            self.append(*option, chars_max, text)?;
        }
        text.push(']');
        Ok(())
    }
}

impl MisereFormWorker<'_> {
    /// Returns the canonical form of the game with these options, ascending and each once.
    fn canonical(&mut self, options: Vec<Word>) -> Word {
        let all = self.forms.all();
        let forms = self.forms.get(&options);
        let is_n = options.is_empty() || forms.iter().any(|form| !form.is_n);
        let birthday = forms.iter().map(|form| form.birthday + 1).max();
        let heaps = forms
            .iter()
            .map(|form| form.heap)
            .collect::<Option<Vec<u32>>>();
        let mut returns: Vec<Word> = forms.iter().flat_map(|form| form.options.clone()).collect();
        returns.sort_unstable();
        returns.dedup();
        let reverts = |&simpler: &Word, of_simpler: &[Word]| {
            let is_within = of_simpler
                .iter()
                .all(|option| options.binary_search(option).is_ok());
            let others = (options.iter().zip(&forms))
                .filter(|(option, _)| of_simpler.binary_search(option).is_err());
            let mut returns = others.map(|(_, form)| form.options.binary_search(&simpler).is_ok());
            is_within && returns.all(|returns| returns) && (is_n || !of_simpler.is_empty())
        };
        if let Some(simpler) = returns
            .into_iter()
            .find(|simpler| reverts(simpler, &all.get(*simpler).options))
        {
            return simpler;
        }
        let heap = heaps.and_then(|mut heaps| {
            heaps.sort_unstable();
            let is_whole = heaps.iter().zip(0..).all(|(heap, place)| *heap == place);
            is_whole.then_some(heaps.len() as u32)
        });
        all.word(MisereForm {
            options,
            is_n,
            birthday: birthday.unwrap_or(0),
            heap,
        })
    }
}

impl Valuation for MisereForms {
    type Worker<'a> = MisereFormWorker<'a>;

    const ADDS: bool = false;

    fn manner(&self) -> Manner {
        Manner::of(Play::Impartial, Convention::Misere)
    }

    fn worker(&self) -> MisereFormWorker<'_> {
        MisereFormWorker {
            forms: self.forms.copy(),
        }
    }

    fn combine(
        worker: &mut MisereFormWorker<'_>,
        left: &[Word],
        _: &[Word],
    ) -> Result<Word, ArenaError> {
        let mut options = left.to_vec();
        options.sort_unstable();
        options.dedup();
        Ok(worker.canonical(options))
    }

    fn negative(value: Word) -> Word {
        value
    }

    fn bytes(&self) -> u64 {
        (self.forms.len() * FORM_BYTES) as u64
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    /// A game by its options, each a smaller number.
    type Games = Vec<Vec<usize>>;

    /// Whether the player to move wins a sum of games, when the player who moves last loses.
    fn wins(games: &Games, sum: &mut Vec<usize>, found: &mut HashMap<Vec<usize>, bool>) -> bool {
        sum.sort_unstable();
        if let Some(&known) = found.get(sum) {
            return known;
        }
        let mut is_stuck = true;
        let mut wins_by_moving = false;
        for place in 0..sum.len() {
            for &option in &games[sum[place]] {
                is_stuck = false;
                let mut next = sum.clone();
                next[place] = option;
                wins_by_moving |= !wins(games, &mut next, found);
            }
        }
        let wins = is_stuck || wins_by_moving;
        found.insert(sum.clone(), wins);
        wins
    }

    #[test]
    fn games_are_equal_if_they_are_alike_beside_all_small_games() {
        let mut random = fastrand::Rng::with_seed(12);
        for _ in 0..20 {
            // All games of at most two moves in a row, and random ones above them.
            let mut games: Games = vec![
                vec![],
                vec![0],
                vec![1],
                vec![0, 1],
                vec![2],
                vec![0, 3],
                vec![0, 1, 3],
            ];
            for _ in 0..8 {
                let some = |random: &mut fastrand::Rng| random.usize(..games.len());
                let options = (0..random.usize(1..4)).map(|_| some(&mut random)).collect();
                games.push(options);
            }
            let forms = MisereForms::default();
            let mut worker = forms.worker();
            let mut words: Vec<Word> = Vec::new();
            for options in &games {
                let options: Vec<Word> = options.iter().map(|&option| words[option]).collect();
                words.push(MisereForms::combine(&mut worker, &options, &[]).unwrap());
            }
            let mut found = HashMap::new();
            for g in 0..games.len() {
                assert_eq!(
                    forms.form(words[g]).is_n(),
                    wins(&games, &mut vec![g], &mut found)
                );
                for h in 0..g {
                    let mut is_alike = |beside: &[usize]| {
                        let mut of =
                            |game| wins(&games, &mut [&[game], beside].concat(), &mut found);
                        of(g) == of(h)
                    };
                    let all = 0..games.len();
                    let alike = all.clone().all(|a| all.clone().all(|b| is_alike(&[a, b])));
                    if words[g] == words[h] {
                        assert!(alike, "{:?} {:?}", games[g], games[h]);
                    }
                }
            }
        }
    }

    #[test]
    fn reversible_moves_are_deleted_unless_that_ends_play_too_soon() {
        let forms = MisereForms::default();
        let mut worker = forms.worker();
        let mut of = |options: &[Word]| MisereForms::combine(&mut worker, options, &[]).unwrap();
        let zero = of(&[]);
        let star = of(&[zero]);
        let two = of(&[zero, star]);
        let text = |word| forms.text(word, 100).unwrap();
        assert_eq!([zero, star, two].map(text), ["0", "*", "*2"]);
        // The opponent returns from * to 0. From *2 that would be the last move.
        assert_eq!(text(of(&[star])), "0");
        let only_two = of(&[two]);
        assert_eq!(text(only_two), "*[2]");
        assert_eq!(text(of(&[zero, only_two])), "*[0,[2]]");
        assert_eq!(text(of(&[zero, two])), "*");
        assert_eq!(forms.text(only_two, 3), None);
    }
}
