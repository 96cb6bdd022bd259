//! The exact check of a quotient: see the [module](super).

use super::monoid::OutcomeMonoid;
use super::set::{Element, ElementSet};

/// The pairs of sums of heaps that must be multiplied further.
#[derive(Clone, Debug)]
pub(super) struct Closure {
    /// The heaps by which pairs are multiplied.
    heaps: Vec<Pair>,
    /// The pairs; the first is that of the empty sum, which has no move.
    pairs: Vec<Pair>,
    /// For each element, the places of its pairs.
    places: Vec<Vec<usize>>,
}

/// A sum of heaps, as far as the check depends on it.
#[derive(Clone, Debug)]
struct Pair {
    element: Element,
    /// The elements for which a move in this sum wins, if their sum is added to it.
    wins: ElementSet,
    /// The place of the pair with one heap less.
    without: usize,
    /// That heap.
    heap: usize,
}

/// The reason why a heap does not pass the check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Refutation {
    /// The heap and an option of it are both P-positions when this element is added.
    BothP(Element),
    /// The sum of these heaps is an N-position with no winning option.
    NoWin(Vec<usize>),
    /// The check would need more than the greatest number of pairs.
    Pairs,
}

impl Closure {
    /// Returns the check of the empty sum.
    pub(super) fn new(monoid: &OutcomeMonoid) -> Closure {
        let mut places = vec![Vec::new(); monoid.order()];
        places[0].push(0);
        Closure {
            heaps: Vec::new(),
            pairs: vec![Pair {
                element: 0,
                wins: ElementSet::of(monoid.order(), |_| false),
                without: 0,
                heap: 0,
            }],
            places,
        }
    }

    /// Checks all sums with a further heap, which has an element and options of these elements, at
    /// least one.
    ///
    /// Leaves the check as it was if the heap does not pass. Cost: O(order) for each new pair and
    /// heap.
    pub(super) fn add(
        &mut self,
        monoid: &OutcomeMonoid,
        heap: usize,
        element: Element,
        options: &[Element],
        pairs_max: usize,
    ) -> Result<(), Refutation> {
        let wins = monoid.p_contexts(options);
        let (without, known) = (0, self.pairs.len());
        let pair = Pair {
            element,
            wins,
            without,
            heap,
        };
        if !pair.wins.is_subset(monoid.n_contexts(element)) {
            let is_both =
                |&z: &Element| pair.wins.contains(z) && monoid.is_p(monoid.product(element, z));
            let z = monoid.elements().find(is_both);
            return Err(Refutation::BothP(z.expect("a set that is no subset")));
        }
        let passes = self.passes(monoid, pair.clone());
        match passes {
            Err(()) => return Err(Refutation::NoWin(vec![heap])),
            Ok(None) => return Ok(()),
            Ok(Some(_)) => {}
        }
        self.heaps.push(pair);
        let found = self.multiply(monoid, known, pairs_max);
        if found.is_err() {
            self.heaps.pop();
            self.pairs.truncate(known);
            for places in &mut self.places {
                while places.last().is_some_and(|&place| place >= known) {
                    places.pop();
                }
            }
        }
        found
    }

    /// Returns the pair if it must be multiplied further, and an error if it refutes the quotient.
    fn passes(&self, monoid: &OutcomeMonoid, pair: Pair) -> Result<Option<Pair>, ()> {
        let n_contexts = monoid.n_contexts(pair.element);
        if n_contexts.contains(0) && !pair.wins.contains(0) {
            return Err(());
        }
        let mut others = self.places[usize::from(pair.element)].iter();
        let is_implied = pair.wins == *n_contexts
            || others.any(|&place| self.pairs[place].wins.is_subset(&pair.wins));
        Ok((!is_implied).then_some(pair))
    }

    /// Multiplies the known pairs by the last heap, and new ones by all heaps.
    fn multiply(
        &mut self,
        monoid: &OutcomeMonoid,
        known: usize,
        pairs_max: usize,
    ) -> Result<(), Refutation> {
        let last = self.heaps.len() - 1;
        let mut place = 0;
        while place < self.pairs.len() {
            let first = if place < known { last } else { 0 };
            for by in first..self.heaps.len() {
                let (x, y) = (&self.pairs[place], &self.heaps[by]);
                let pair = Pair {
                    element: monoid.product(x.element, y.element),
                    wins: ElementSet::of(monoid.order(), |z| {
                        x.wins.contains(monoid.product(z, y.element))
                            || y.wins.contains(monoid.product(z, x.element))
                    }),
                    without: place,
                    heap: y.heap,
                };
                match self.passes(monoid, pair) {
                    Err(()) => {
                        let mut heaps = self.heaps_of(place);
                        heaps.push(self.heaps[by].heap);
                        return Err(Refutation::NoWin(heaps));
                    }
                    Ok(None) => {}
                    Ok(Some(_)) if self.pairs.len() == pairs_max => return Err(Refutation::Pairs),
                    Ok(Some(pair)) => {
                        self.places[usize::from(pair.element)].push(self.pairs.len());
                        self.pairs.push(pair);
                    }
                }
            }
            place += 1;
        }
        Ok(())
    }

    /// Returns a sum of heaps with the pair at a place.
    fn heaps_of(&self, mut place: usize) -> Vec<usize> {
        let mut heaps = Vec::new();
        while place != 0 {
            heaps.push(self.pairs[place].heap);
            place = self.pairs[place].without;
        }
        heaps
    }
}
