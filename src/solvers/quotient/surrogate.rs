//! Play of sums of generators, whose options are sums of generators, too.

use hashbrown::HashMap;

/// A sum of generators: the number of each, without final zeros.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Word(Vec<u16>);

impl Word {
    /// Returns one generator.
    pub(super) fn generator(g: usize) -> Word {
        let mut word = Word(vec![0; g + 1]);
        word.0[g] = 1;
        word
    }

    /// Returns the sum of two words.
    ///
    /// # Panics
    ///
    /// If a generator occurs 2^16 times, far more often than any limit of a search admits.
    pub(super) fn plus(&self, other: &Word) -> Word {
        let (long, short) = if self.0.len() < other.0.len() {
            (other, self)
        } else {
            (self, other)
        };
        let mut sum = long.clone();
        for (number, more) in sum.0.iter_mut().zip(&short.0) {
            *number = number.checked_add(*more).expect("words are short");
        }
        sum
    }

    /// Returns the word without one of its generators.
    fn without(&self, g: usize) -> Word {
        let mut word = self.clone();
        word.0[g] -= 1;
        word.trim();
        word
    }

    /// Removes final zeros.
    fn trim(&mut self) {
        while self.0.last() == Some(&0) {
            self.0.pop();
        }
    }

    /// Returns the generators in the word, each once, ascending.
    fn distinct(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.0.len()).filter(|&g| self.0[g] > 0)
    }

    /// Returns the generators in the word, each as often as it occurs, ascending.
    pub(super) fn letters(&self) -> impl Iterator<Item = usize> + '_ {
        let numbers = self.0.iter().enumerate();
        numbers.flat_map(|(g, &number)| std::iter::repeat_n(g, usize::from(number)))
    }
}

/// A heap game whose heaps are the generators.
#[derive(Clone, Debug, Default)]
pub(super) struct Surrogate {
    /// The options of each generator, at least one.
    options: Vec<Vec<Word>>,
    /// A generator whose only option is the empty sum: two of it equal the empty sum.
    star: Option<usize>,
    /// Whether a sum is a P-position, by the sum without pairs of `star`.
    outcomes: HashMap<Word, bool, foldhash::fast::RandomState>,
}

/// The memo would hold too many positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Full;

impl Surrogate {
    /// Replaces the options of all generators, and forgets outcomes unless only new generators
    /// were added.
    pub(super) fn set_options(&mut self, options: Vec<Vec<Word>>) {
        if !options.starts_with(&self.options) {
            self.outcomes.clear();
        }
        let is_star = |options: &Vec<Word>| *options == [Word::default()];
        self.star = options.iter().position(is_star);
        self.options = options;
    }

    /// Returns the number of generators.
    pub(super) fn generators(&self) -> usize {
        self.options.len()
    }

    /// Returns whether a sum is a P-position under misère play, by playing.
    pub(super) fn is_p(&mut self, word: &Word, positions_max: usize) -> Result<bool, Full> {
        let asked = self.without_pairs(word.clone());
        if let Some(&known) = self.outcomes.get(&asked) {
            return Ok(known);
        }
        // A position, with those of its options that were not searched yet.
        let mut stack = vec![(asked.clone(), self.options(&asked))];
        while let Some((word, options)) = stack.last_mut() {
            let (mut is_p, mut unknown) = (*word != Word::default(), None);
            while let Some(option) = options.last() {
                match self.outcomes.get(option) {
                    Some(true) => is_p = false,
                    Some(false) => {}
                    None => unknown = Some(option.clone()),
                }
                if !is_p || unknown.is_some() {
                    break;
                }
                options.pop();
            }
            match unknown {
                Some(option) => {
                    let below = self.options(&option);
                    stack.push((option, below));
                }
                None => {
                    if self.outcomes.len() == positions_max {
                        return Err(Full);
                    }
                    let (word, _) = stack.pop().expect("the stack is not empty");
                    self.outcomes.insert(word, is_p);
                }
            }
        }
        Ok(self.outcomes[&asked])
    }

    /// Returns the options of a sum.
    fn options(&self, word: &Word) -> Vec<Word> {
        let mut options = Vec::new();
        for g in word.distinct() {
            let rest = word.without(g);
            let after = self.options[g].iter().map(|option| rest.plus(option));
            options.extend(after.map(|option| self.without_pairs(option)));
        }
        options
    }

    /// Returns an equal sum with at most one `star`.
    ///
    /// `* + * = 0` in misère play, too: whoever wins a sum wins it with `* + *` added, by answering
    /// a move there with the other, unless the sum has no moves, and then by taking one `*`.
    fn without_pairs(&self, mut word: Word) -> Word {
        if let Some(number) = self.star.and_then(|star| word.0.get_mut(star)) {
            *number %= 2;
            word.trim();
        }
        word
    }
}
