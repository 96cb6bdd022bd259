//! Certificates: a quotient with the period that proves it for all heaps, and their check.

use cggames::game::heap::{HeapGame, HeapGameError};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::closure::{Closure, Refutation};
use super::monoid::OutcomeMonoid;
use super::set::Element;
use super::solver::{QuotientSolver, option_elements};
use crate::heaps::certificate::guy_smith_bound;

/// The misère quotient of all heaps of a game, as a claim that can be checked.
///
/// It states the products of elements with generators, the P-portion, and the pretending function
/// up to the end of its first period. [`check`](Self::check) proves the claim from the rules of the
/// game alone.
///
/// ```
/// use cgsolvers::quotient::{QuotientCertificate, QuotientLimits, QuotientSolver};
///
/// let mut solver = QuotientSolver::new(&"0.75".parse()?, QuotientLimits::default());
/// solver.extend(22);
/// let mut certificate = QuotientCertificate::new(&solver).expect("a proved period");
/// assert_eq!(certificate.check(1000), Ok(()));
/// certificate.phi[7] = 0;
/// assert!(certificate.check(1000).is_err());
/// # Ok::<(), cggames::game::heap::HeapGameError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct QuotientCertificate {
    /// The format.
    pub format: CertificateFormat,
    /// The game, such as `0.123`.
    pub game: String,
    /// The heaps whose elements generate the monoid.
    pub generators: Vec<usize>,
    /// For each element, its product with each generator; element 0 is the identity.
    pub products: Vec<Vec<Element>>,
    /// The elements of P-positions, ascending.
    pub p_portion: Vec<Element>,
    /// The element of each heap from 0 to the end of the first period.
    pub phi: Vec<Element>,
    /// The heap at which the period begins.
    pub preperiod: usize,
    /// The length of the period.
    pub period: usize,
}

/// The format of a certificate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum CertificateFormat {
    /// The only one so far.
    #[serde(rename = "misere-quotient-1")]
    V1,
}

/// The reason why a certificate proves nothing.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum CertificateFault {
    /// No game has this name.
    #[error("{0}")]
    Game(HeapGameError),
    /// The theorem of periods does not hold for the game.
    #[error(
        "no theorem proves periods of {0}; give the certificate of a code or a subtraction set"
    )]
    NoTheorem(HeapGame),
    /// The lists do not fit together.
    #[error("{0}")]
    Shape(&'static str),
    /// The products do not define a commutative monoid.
    #[error(
        "element {element}: its product with generators {first} and {second} depends on their order"
    )]
    Order {
        /// The element.
        element: usize,
        /// The place of a generator.
        first: usize,
        /// The place of the other.
        second: usize,
    },
    /// An element is no product of generators.
    #[error("element {0} is no product of generators")]
    Unreached(usize),
    /// Two elements are not told apart.
    #[error("two elements have the same multiples in the P-portion")]
    NotFaithful,
    /// The empty sum is a P-position.
    #[error("the empty sum would be a P-position, as in normal play")]
    NormalPlay,
    /// A heap without moves is not the identity.
    #[error("heap {0} has no move, and its element is not 0")]
    NoMove(usize),
    /// A heap and an option of it would both be P-positions.
    #[error("heap {heap} and an option of it would both be P-positions beside element {element}")]
    BothP {
        /// The heap.
        heap: usize,
        /// The element.
        element: Element,
    },
    /// A sum would be an N-position without a winning move.
    #[error("the sum of the heaps {0:?} would be an N-position without a winning move")]
    NoWin(Vec<usize>),
    /// The check is too long.
    #[error("the check needs more than {0} pairs; allow more")]
    Pairs(usize),
}

impl QuotientCertificate {
    /// Returns the certificate of a solver whose heaps prove the quotient for all heaps.
    pub fn new(solver: &QuotientSolver) -> Option<QuotientCertificate> {
        let period = solver.period()?;
        let (monoid, phi) = (solver.monoid(), solver.phi());
        let generators = solver.presentation().heaps;
        let by = |x: Element| generators.iter().map(move |&heap| (x, phi[heap]));
        let products = monoid
            .elements()
            .map(|x| by(x).map(|(x, g)| monoid.product(x, g)).collect());
        Some(QuotientCertificate {
            format: CertificateFormat::V1,
            game: solver.game().to_string(),
            products: products.collect(),
            p_portion: monoid.p_portion().collect(),
            phi: phi[..period.preperiod + period.period].to_vec(),
            preperiod: period.preperiod,
            period: period.period,
            generators,
        })
    }

    /// Proves that this is the misère quotient of all heaps of the game.
    ///
    /// Cost: O(order^2) for each heap, and O(order) for each pair and each heap by which pairs are
    /// multiplied; see the [module](super).
    ///
    /// # Errors
    ///
    /// See [`CertificateFault`]. At most `pairs_max` pairs are held.
    pub fn check(&self, pairs_max: usize) -> Result<(), CertificateFault> {
        let game: HeapGame = self.game.parse().map_err(CertificateFault::Game)?;
        let bound = guy_smith_bound(&game, self.preperiod, self.period);
        let bound = bound.filter(|_| game != HeapGame::Grundy);
        let bound = bound.ok_or_else(|| CertificateFault::NoTheorem(game.clone()))?;
        let monoid = self.monoid()?;
        if !monoid.is_faithful() {
            return Err(CertificateFault::NotFaithful);
        }
        if monoid.is_p(0) {
            return Err(CertificateFault::NormalPlay);
        }
        let element = |heap: usize| match heap.checked_sub(self.preperiod) {
            Some(beyond) => self.phi[self.preperiod + beyond % self.period],
            None => self.phi[heap],
        };
        let phi: Vec<Element> = (0..bound + self.period).map(element).collect();
        let mut closure = Closure::new(&monoid);
        for (heap, &x) in phi.iter().enumerate() {
            let options = option_elements(&game, heap, &monoid, &phi);
            if options.is_empty() && x != 0 {
                return Err(CertificateFault::NoMove(heap));
            }
            if !options.is_empty() {
                let added = closure.add(&monoid, heap, x, &options, pairs_max);
                added.map_err(|refutation| match refutation {
                    Refutation::BothP(element) => CertificateFault::BothP { heap, element },
                    Refutation::NoWin(heaps) => CertificateFault::NoWin(heaps),
                    Refutation::Pairs => CertificateFault::Pairs(pairs_max),
                })?;
            }
        }
        Ok(())
    }

    /// Returns the monoid, after checking that it is one.
    fn monoid(&self) -> Result<OutcomeMonoid, CertificateFault> {
        self.fits()
            .map_or(Ok(()), |fault| Err(CertificateFault::Shape(fault)))?;
        let (order, generators) = (self.products.len(), self.generators.len());
        let next = |x: usize, g: usize| usize::from(self.products[x][g]);
        for element in 0..order {
            for first in 0..generators {
                for second in 0..first {
                    if next(next(element, first), second) != next(next(element, second), first) {
                        return Err(CertificateFault::Order {
                            element,
                            first,
                            second,
                        });
                    }
                }
            }
        }
        // The element from which each was reached first, and the generator.
        let mut from = vec![None; order];
        let mut reached = vec![0];
        let mut place = 0;
        while place < reached.len() {
            for g in 0..generators {
                let y = next(reached[place], g);
                if y != 0 && from[y].is_none() {
                    from[y] = Some((reached[place], g));
                    reached.push(y);
                }
            }
            place += 1;
        }
        if let Some(x) = (1..order).find(|&x| from[x].is_none()) {
            return Err(CertificateFault::Unreached(x));
        }
        let mut products = vec![0; order * order];
        for &y in &reached {
            for x in 0..order {
                products[x * order + y] = match from[y] {
                    None => x as Element,
                    Some((before, g)) => {
                        self.products[usize::from(products[x * order + before])][g]
                    }
                };
            }
        }
        let is_p: Vec<bool> = (0..order)
            .map(|x| self.p_portion.binary_search(&(x as Element)).is_ok())
            .collect();
        Ok(OutcomeMonoid::new(products, &is_p))
    }

    /// Returns why the lists do not fit together, if they do not.
    fn fits(&self) -> Option<&'static str> {
        let order = self.products.len();
        let is_element = |&x: &Element| usize::from(x) < order;
        let rows = &self.products;
        let faults = [
            (
                order == 0 || order > usize::from(Element::MAX),
                "there are 1 to 65,535 elements",
            ),
            (
                rows.iter()
                    .any(|row| row.len() != self.generators.len() || !row.iter().all(is_element)),
                "each element has a product with each generator, which is an element",
            ),
            (
                !self.p_portion.iter().all(is_element)
                    || !self.p_portion.is_sorted_by(|a, b| a < b),
                "the P-portion is an ascending list of elements",
            ),
            (
                self.period == 0 || self.preperiod.checked_add(self.period) != Some(self.phi.len()),
                "phi has an element for each heap from 0 to the end of the first period",
            ),
            (!self.phi.iter().all(is_element), "phi has elements only"),
            (self.phi.first() != Some(&0), "the empty heap has element 0"),
        ];
        let fault = faults.into_iter().find(|(is_fault, _)| *is_fault);
        let is_generator = |(g, &heap): (usize, &usize)| self.phi.get(heap) == Some(&rows[0][g]);
        match fault {
            Some((_, text)) => Some(text),
            None if !self.generators.iter().enumerate().all(is_generator) => {
                Some("a generator is the element of its heap, and phi lists the heap")
            }
            None => None,
        }
    }
}
