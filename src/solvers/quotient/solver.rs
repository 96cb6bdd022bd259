//! The quotient of the first heaps of a game, heap by heap.

use cggames::game::heap::HeapGame;

use super::closure::{Closure, Refutation};
use super::learner::Learner;
use super::limits::{QuotientEnd, QuotientLimits};
use super::monoid::OutcomeMonoid;
use super::presentation::Presentation;
use super::set::Element;
use super::surrogate::Word;
use crate::heaps::certificate::Certificate;

/// Finds the misère quotient of the first heaps of a game, and checks it exactly.
///
/// The quotient of 0.123 was found by Plambeck: it has 20 elements, and heaps have the period 5.
///
/// ```
/// use cgsolvers::quotient::{QuotientLimits, QuotientSolver};
///
/// let mut solver = QuotientSolver::new(&"0.123".parse()?, QuotientLimits::default());
/// solver.extend(30);
/// assert_eq!(solver.monoid().order(), 20);
/// assert!(!solver.monoid().is_tame());
/// let period = solver.period().expect("a proof that this is the quotient of all heaps");
/// assert_eq!((period.preperiod, period.period), (5, 5));
/// // Two heaps of three: the player who moves first loses.
/// assert!(solver.monoid().is_p(solver.element(&[3, 3])));
/// # Ok::<(), cggames::game::heap::HeapGameError>(())
/// ```
#[derive(Clone, Debug)]
pub struct QuotientSolver {
    game: HeapGame,
    limits: QuotientLimits,
    learner: Learner,
    solved: Solved,
    period: Option<Certificate>,
    end: Option<QuotientEnd>,
}

/// A checked quotient of the first heaps.
#[derive(Clone, Debug)]
struct Solved {
    monoid: OutcomeMonoid,
    closure: Closure,
    /// The element of each heap.
    phi: Vec<Element>,
    /// The sum of generators that each heap equals.
    words: Vec<Word>,
    /// The heaps that are generators of the search.
    generators: Vec<usize>,
}

impl QuotientSolver {
    /// Returns the quotient of the empty heap alone.
    pub fn new(game: &HeapGame, limits: QuotientLimits) -> QuotientSolver {
        let monoid = OutcomeMonoid::new(vec![0], &[false]);
        QuotientSolver {
            game: game.clone(),
            limits,
            learner: Learner::new(limits.elements_max, limits.positions_max),
            solved: Solved {
                closure: Closure::new(&monoid),
                monoid,
                phi: vec![0],
                words: vec![Word::default()],
                generators: Vec::new(),
            },
            period: None,
            end: None,
        }
    }

    /// Finds the quotient of the heaps below `heaps`, as far as the limits allow.
    ///
    /// Returns the limit that ended the search, if one did. Then the quotient is that of the
    /// [`heaps`](Self::heaps) before, and stays so.
    pub fn extend(&mut self, heaps: usize) -> Option<QuotientEnd> {
        while self.end.is_none() && self.heaps() < heaps {
            self.end = self.add_heap().err();
            if self.period.is_none() {
                self.period = Certificate::find(&self.game, &self.solved.phi);
            }
        }
        self.end
    }

    /// Finds the quotient of the heaps to this one, as far as the limits allow, or until a period is proved. Returns
    /// whether the [winner](Self::is_n) of this heap and smaller ones is known then.
    pub fn reach(&mut self, heap: usize) -> bool {
        while self.end.is_none() && !self.knows(heap) {
            self.extend(self.heaps() + 1);
        }
        self.knows(heap)
    }

    /// Returns the game.
    pub fn game(&self) -> &HeapGame {
        &self.game
    }

    /// Returns the number of heaps, from heap 0 on, of which this is the quotient.
    pub fn heaps(&self) -> usize {
        self.solved.phi.len()
    }

    /// Returns the quotient.
    pub fn monoid(&self) -> &OutcomeMonoid {
        &self.solved.monoid
    }

    /// Returns the pretending function: the element of each heap, from heap 0 on.
    pub fn phi(&self) -> &[Element] {
        &self.solved.phi
    }

    /// Returns the element of a sum of heaps.
    ///
    /// # Panics
    ///
    /// If a heap is not below [`heaps`](Self::heaps), and no [period](Self::period) is proved.
    pub fn element(&self, heaps: &[usize]) -> Element {
        let Solved { monoid, phi, .. } = &self.solved;
        heaps.iter().fold(0, |x, &heap| {
            let same = self.period.map_or(heap, |period| period.same_heap(heap));
            monoid.product(x, phi[same])
        })
    }

    /// Returns whether the player to move wins a sum of heaps if the last player to move loses. Returns `None` if a heap
    /// is beyond those of the quotient.
    pub fn is_n(&self, heaps: &[usize]) -> Option<bool> {
        let is_known = heaps.iter().all(|&heap| self.knows(heap));
        is_known.then(|| !self.monoid().is_p(self.element(heaps)))
    }

    /// Returns the period of the pretending function, if heaps that are known prove that the quotient
    /// is that of all heaps. The proof is described in the [module](super).
    pub fn period(&self) -> Option<Certificate> {
        self.period
    }

    /// Returns the limit that ended the search, if one did.
    pub fn end(&self) -> Option<QuotientEnd> {
        self.end
    }

    fn knows(&self, heap: usize) -> bool {
        heap < self.heaps() || self.period.is_some()
    }

    /// Returns generators and relations of the quotient.
    pub fn presentation(&self) -> Presentation {
        Presentation::new(&self.solved.monoid, &self.solved.phi)
    }

    /// Adds the next heap.
    fn add_heap(&mut self) -> Result<(), QuotientEnd> {
        let heap = self.heaps();
        let Solved {
            monoid,
            closure,
            phi,
            words,
            ..
        } = &mut self.solved;
        let options = option_elements(&self.game, heap, monoid, phi);
        if options.is_empty() {
            // No move: the heap changes nothing.
            phi.push(0);
            words.push(Word::default());
            return Ok(());
        }
        let mut has_many_pairs = false;
        for x in monoid.elements() {
            match closure.add(monoid, heap, x, &options, self.limits.positions_max) {
                Ok(()) => {
                    phi.push(x);
                    words.push(self.learner.access(x).clone());
                    return Ok(());
                }
                Err(Refutation::Pairs) => has_many_pairs = true,
                Err(Refutation::BothP(_) | Refutation::NoWin(_)) => {}
            }
        }
        if has_many_pairs {
            return Err(QuotientEnd::Pairs);
        }
        self.enlarge(heap)
    }

    /// Finds the quotient with a heap that equals no element of the known one.
    fn enlarge(&mut self, heap: usize) -> Result<(), QuotientEnd> {
        let mut words = self.solved.words.clone();
        words.push(Word::default());
        let mut generators = self.solved.generators.clone();
        let mut promoted = heap;
        loop {
            words[promoted] = Word::generator(generators.len());
            generators.push(promoted);
            let options = generators
                .iter()
                .map(|&heap| self.option_words(heap, &words));
            self.learner.learn(options.collect())?;
            promoted = loop {
                let monoid = self.learner.monoid()?;
                match self.check(&monoid, &words) {
                    Ok((closure, phi)) => {
                        let solved = Solved {
                            monoid,
                            closure,
                            phi,
                            words,
                            generators,
                        };
                        self.solved = solved;
                        return Ok(());
                    }
                    Err((_, Refutation::Pairs)) => return Err(QuotientEnd::Pairs),
                    Err((heap, Refutation::BothP(z))) => {
                        let context = self.learner.access(z).clone();
                        if self.is_confirmed(&context, &[heap], &words)? {
                            break heap;
                        }
                    }
                    Err((_, Refutation::NoWin(heaps))) => {
                        if self.is_confirmed(&Word::default(), &heaps, &words)? {
                            let pretends = |heap: &usize| !generators.contains(heap);
                            let largest = heaps.into_iter().filter(pretends).max();
                            break largest.expect("the outcomes of generators are those of play");
                        }
                    }
                }
            };
        }
    }

    /// Checks the heaps with these words; returns the heap that does not pass, and why.
    fn check(
        &self,
        monoid: &OutcomeMonoid,
        words: &[Word],
    ) -> Result<(Closure, Vec<Element>), (usize, Refutation)> {
        let mut closure = Closure::new(monoid);
        let phi: Vec<Element> = words
            .iter()
            .map(|word| self.learner.element(word))
            .collect();
        for (heap, &x) in phi.iter().enumerate() {
            let options = option_elements(&self.game, heap, monoid, &phi);
            if !options.is_empty() {
                let passes = closure.add(monoid, heap, x, &options, self.limits.positions_max);
                passes.map_err(|refutation| (heap, refutation))?;
            }
        }
        Ok((closure, phi))
    }

    /// Returns whether the outcomes of a sum of heaps and of its options are as the learner
    /// predicts, if heaps are replaced by their words; the learner learns from the first that is
    /// not.
    fn is_confirmed(
        &mut self,
        context: &Word,
        heaps: &[usize],
        words: &[Word],
    ) -> Result<bool, QuotientEnd> {
        let sum = |without: Option<usize>| {
            let others = heaps
                .iter()
                .enumerate()
                .filter(|&(i, _)| Some(i) != without);
            others.fold(context.clone(), |sum, (_, &heap)| sum.plus(&words[heap]))
        };
        if !self.learner.confirm(&sum(None))? {
            return Ok(false);
        }
        for (i, &heap) in heaps.iter().enumerate() {
            let rest = sum(Some(i));
            for option in self.option_words(heap, words) {
                if !self.learner.confirm(&rest.plus(&option))? {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// Returns the options of a heap as sums of generators, each once.
    fn option_words(&self, heap: usize, words: &[Word]) -> Vec<Word> {
        let options = self.game.options(heap).map(|parts| {
            let parts = parts.as_slice().iter();
            parts.fold(Word::default(), |sum, &part| sum.plus(&words[part]))
        });
        let mut options: Vec<Word> = options.collect();
        options.sort_unstable();
        options.dedup();
        options
    }
}

/// Returns the elements of the options of a heap, each once, by those of the smaller heaps.
pub(super) fn option_elements(
    game: &HeapGame,
    heap: usize,
    monoid: &OutcomeMonoid,
    phi: &[Element],
) -> Vec<Element> {
    let options = game.options(heap).map(|parts| {
        let parts = parts.as_slice().iter();
        parts.fold(0, |x, &part| monoid.product(x, phi[part]))
    });
    let mut options: Vec<Element> = options.collect();
    options.sort_unstable();
    options.dedup();
    options
}
