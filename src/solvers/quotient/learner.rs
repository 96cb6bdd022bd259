//! The least automaton that accepts the P-positions of a surrogate, learnt from outcomes.
//!
//! Each element has a word, its access, and words differ as elements if some test added to both
//! gives different outcomes. The table is closed: an access with one more generator agrees in all
//! tests with some access. If the automaton depends on the order of the letters, or predicts a
//! wrong outcome, a test is found that tells two words apart that were taken for the same, so
//! there are at most as many tests as elements of the quotient.
//!
//! Source: D. Angluin 1987; the choice of tests is that of R. L. Rivest and R. E. Schapire,
//! *Inference of finite automata using homing sequences* (1993).

use hashbrown::HashMap;

use super::limits::QuotientEnd;
use super::monoid::OutcomeMonoid;
use super::set::Element;
use super::surrogate::{Surrogate, Word};

/// The outcomes of a word with each test, a bit each.
type Row = Vec<u64>;

/// The table of accesses and tests.
#[derive(Clone, Debug)]
pub(super) struct Learner {
    pub(super) surrogate: Surrogate,
    pub(super) elements_max: usize,
    pub(super) positions_max: usize,
    /// The word of each element; the first is empty.
    access: Vec<Word>,
    /// The tests; the first is empty.
    tests: Vec<Word>,
    /// The known part of the row of each word that was needed.
    rows: HashMap<Word, (usize, Row), foldhash::fast::RandomState>,
    /// For each element and generator, their product.
    next: Vec<Vec<Element>>,
}

impl Learner {
    /// Returns a learner without generators.
    pub(super) fn new(elements_max: usize, positions_max: usize) -> Learner {
        Learner {
            surrogate: Surrogate::default(),
            elements_max,
            positions_max,
            access: vec![Word::default()],
            tests: vec![Word::default()],
            rows: HashMap::default(),
            next: Vec::new(),
        }
    }

    /// Learns the automaton of a new surrogate, as far as the known tests tell words apart.
    pub(super) fn learn(&mut self, options: Vec<Vec<Word>>) -> Result<(), QuotientEnd> {
        self.surrogate.set_options(options);
        self.rows.clear();
        self.access.truncate(1);
        self.close()
    }

    /// Closes the table and makes its automaton commutative.
    fn close(&mut self) -> Result<(), QuotientEnd> {
        loop {
            let mut places: HashMap<Row, Element, foldhash::fast::RandomState> = HashMap::default();
            for (s, word) in self.access.clone().iter().enumerate() {
                places.insert(self.row(word)?, s as Element);
            }
            self.next.clear();
            while self.next.len() < self.access.len() {
                let word = self.access[self.next.len()].clone();
                let mut next = Vec::with_capacity(self.surrogate.generators());
                for g in 0..self.surrogate.generators() {
                    let longer = word.plus(&Word::generator(g));
                    let row = self.row(&longer)?;
                    let s = *places.entry(row).or_insert_with(|| {
                        self.access.push(longer);
                        (self.access.len() - 1) as Element
                    });
                    if self.access.len() > self.elements_max {
                        return Err(QuotientEnd::Elements);
                    }
                    next.push(s);
                }
                self.next.push(next);
            }
            let Some((s, first, second)) = self.disordered() else {
                return Ok(());
            };
            // Both orders lead to different elements, and a test tells these apart: with it the
            // prediction is wrong for one order.
            let (first, second) = (Word::generator(first), Word::generator(second));
            let word = self.access[s].plus(&first).plus(&second);
            let letters =
                |a: &Word, b: &Word| -> Vec<usize> { a.letters().chain(b.letters()).collect() };
            let orders = [letters(&first, &second), letters(&second, &first)];
            let ends = orders
                .each_ref()
                .map(|order| self.walk(s as Element, order));
            let test = self.telling(ends[0], ends[1])?;
            let truth = self.is_p(&word.plus(&test))?;
            for (order, end) in orders.iter().zip(ends) {
                let predicted = self.is_p(&self.access[usize::from(end)].plus(&test))?;
                if predicted != truth {
                    self.refine(s as Element, order, &test)?;
                    break;
                }
            }
        }
    }

    /// Returns an element and two generators whose order matters.
    fn disordered(&self) -> Option<(usize, usize, usize)> {
        let generators = 0..self.surrogate.generators();
        (0..self.next.len()).find_map(|s| {
            generators.clone().find_map(|a| {
                let second = (0..a).find(|&b| {
                    self.walk(s as Element, &[a, b]) != self.walk(s as Element, &[b, a])
                });
                second.map(|b| (s, a, b))
            })
        })
    }

    /// Returns the test that tells two elements apart.
    fn telling(&mut self, x: Element, y: Element) -> Result<Word, QuotientEnd> {
        let [x, y] = [x, y].map(|x| self.access[usize::from(x)].clone());
        let (x, y) = (self.row(&x)?, self.row(&y)?);
        let differs = |&t: &usize| (x[t / 64] ^ y[t / 64]) >> (t % 64) & 1 == 1;
        let test = (0..self.tests.len()).find(differs);
        Ok(self.tests[test.expect("accesses have different rows")].clone())
    }

    /// Adds a test, given letters read from an element and a word behind them whose outcome the
    /// automaton predicts wrongly.
    ///
    /// While the letters are read one after another, the word before them is replaced by the access
    /// of its element. At some letter the outcome changes.
    fn refine(&mut self, from: Element, letters: &[usize], end: &Word) -> Result<(), QuotientEnd> {
        let mut x = from;
        for (i, &g) in letters.iter().enumerate() {
            let rest = letters[i + 1..].iter();
            let rest = rest.fold(end.clone(), |rest, &g| rest.plus(&Word::generator(g)));
            let read = self.access[usize::from(x)].plus(&Word::generator(g));
            x = self.next[usize::from(x)][g];
            let replaced = self.access[usize::from(x)].plus(&rest);
            if self.is_p(&read.plus(&rest))? != self.is_p(&replaced)? {
                debug_assert!(!self.tests.contains(&rest), "a test tells the words apart");
                self.tests.push(rest);
                return Ok(());
            }
        }
        unreachable!("the outcome changes while the letters are read")
    }

    /// Returns whether the automaton predicts the outcome of a word; learns from it if not.
    pub(super) fn confirm(&mut self, word: &Word) -> Result<bool, QuotientEnd> {
        let letters: Vec<usize> = word.letters().collect();
        let x = self.walk(0, &letters);
        let predicted = self.is_p(&self.access[usize::from(x)].clone())?;
        if predicted == self.is_p(word)? {
            return Ok(true);
        }
        self.refine(0, &letters, &Word::default())?;
        self.close()?;
        Ok(false)
    }

    /// Returns the element of a word.
    pub(super) fn element(&self, word: &Word) -> Element {
        let letters: Vec<usize> = word.letters().collect();
        self.walk(0, &letters)
    }

    /// Returns the word of an element.
    pub(super) fn access(&self, x: Element) -> &Word {
        &self.access[usize::from(x)]
    }

    /// Returns the monoid of the automaton.
    pub(super) fn monoid(&mut self) -> Result<OutcomeMonoid, QuotientEnd> {
        let order = self.access.len();
        let words: Vec<Vec<usize>> = self
            .access
            .iter()
            .map(|word| word.letters().collect())
            .collect();
        let mut products = Vec::with_capacity(order * order);
        for x in 0..order {
            products.extend(words.iter().map(|word| self.walk(x as Element, word)));
        }
        let mut is_p = Vec::with_capacity(order);
        for word in self.access.clone() {
            is_p.push(self.is_p(&word)?);
        }
        Ok(OutcomeMonoid::new(products, &is_p))
    }

    /// Returns the element that letters lead to.
    fn walk(&self, from: Element, letters: &[usize]) -> Element {
        letters
            .iter()
            .fold(from, |x, &g| self.next[usize::from(x)][g])
    }

    fn is_p(&mut self, word: &Word) -> Result<bool, QuotientEnd> {
        let found = self.surrogate.is_p(word, self.positions_max);
        found.map_err(|_| QuotientEnd::Positions)
    }

    /// Returns the row of a word.
    fn row(&mut self, word: &Word) -> Result<Row, QuotientEnd> {
        let (mut known, mut row) = self.rows.remove(word).unwrap_or_default();
        row.resize(self.tests.len().div_ceil(64), 0);
        while known < self.tests.len() {
            let tested = word.plus(&self.tests[known]);
            row[known / 64] |= u64::from(self.is_p(&tested)?) << (known % 64);
            known += 1;
        }
        self.rows.insert(word.clone(), (known, row.clone()));
        Ok(row)
    }
}
