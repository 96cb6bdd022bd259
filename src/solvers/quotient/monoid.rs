//! Finite commutative monoids with a P-portion.

use super::set::{Element, ElementSet};

/// A finite commutative monoid with a P-portion, called a bipartite monoid in the literature.
///
/// ```
/// use cgsolvers::quotient::{QuotientLimits, QuotientSolver};
///
/// // A heap of one token, and nothing else: the quotient is {1, a} with a a = 1.
/// let mut solver = QuotientSolver::new(&"0.1".parse()?, QuotientLimits::default());
/// solver.extend(2);
/// let monoid = solver.monoid();
/// assert_eq!(monoid.order(), 2);
/// assert_eq!(monoid.product(1, 1), 0);
/// assert_eq!(monoid.p_portion().collect::<Vec<_>>(), [1]);
/// assert!(monoid.is_tame());
/// # Ok::<(), cggames::game::heap::HeapGameError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutcomeMonoid {
    order: usize,
    /// The product of `x` and `y` is at `order x + y`.
    products: Vec<Element>,
    /// The P-portion.
    p: ElementSet,
    /// For each element, the elements by which its product is not in the P-portion.
    n_contexts: Vec<ElementSet>,
}

impl OutcomeMonoid {
    /// Returns the monoid with these products, row by row, in which 0 is the identity.
    ///
    /// The caller vouches for the laws of a commutative monoid.
    pub(super) fn new(products: Vec<Element>, is_p: &[bool]) -> OutcomeMonoid {
        let order = is_p.len();
        let p = ElementSet::of(order, |x| is_p[usize::from(x)]);
        let n_contexts = (0..order).map(|x| {
            let row = &products[x * order..][..order];
            ElementSet::of(order, |z| !is_p[usize::from(row[usize::from(z)])])
        });
        OutcomeMonoid {
            order,
            n_contexts: n_contexts.collect(),
            products,
            p,
        }
    }

    /// Returns the number of elements.
    pub fn order(&self) -> usize {
        self.order
    }

    /// Returns all elements, the identity first.
    pub fn elements(&self) -> impl Iterator<Item = Element> + use<> {
        (0..self.order).map(|x| x as Element)
    }

    /// Returns the product of two elements.
    ///
    /// # Panics
    ///
    /// If one of them is not below the order.
    pub fn product(&self, x: Element, y: Element) -> Element {
        self.products[usize::from(x) * self.order..][..self.order][usize::from(y)]
    }

    /// Returns whether an element is in the P-portion: the next player loses.
    pub fn is_p(&self, x: Element) -> bool {
        self.p.contains(x)
    }

    /// Returns the P-portion, ascending.
    pub fn p_portion(&self) -> impl Iterator<Item = Element> + '_ {
        self.elements().filter(|&x| self.is_p(x))
    }

    /// Returns the elements that are their own squares, ascending; the identity is one.
    pub fn idempotents(&self) -> impl Iterator<Item = Element> + '_ {
        self.elements().filter(|&x| self.product(x, x) == x)
    }

    /// Returns whether this is the quotient of the positions of Nim with heaps to some size.
    ///
    /// These are the tame quotients of Plambeck and Siegel: of order 1, 2, and `2^k + 2` for `k >=
    /// 2`. The last is an elementary abelian group of order `2^k` with identity `e` beside `1` and
    /// an element `a` with `a a = 1` and `a e` not `e`; the P-portion is `a` and `e`.
    pub fn is_tame(&self) -> bool {
        let p: Vec<Element> = self.p_portion().collect();
        match (self.order, p.as_slice()) {
            (1, []) => true,
            (2, &[a]) => a == 1 && self.product(a, a) == 0,
            (6.., &[x, y]) => {
                let is_tame = |a: Element, e: Element| {
                    let in_group = |x: Element| self.product(x, x) == e && self.product(x, e) == x;
                    let others = self.elements().filter(|&x| x != 0 && x != a);
                    (self.order - 2).is_power_of_two()
                        && self.product(a, a) == 0
                        && self.product(e, e) == e
                        && self.product(a, e) != e
                        && others.into_iter().all(in_group)
                };
                is_tame(x, y) || is_tame(y, x)
            }
            _ => false,
        }
    }

    /// Returns whether each two elements have a multiple by which exactly one is in the P-portion.
    pub fn is_faithful(&self) -> bool {
        let distinct: std::collections::HashSet<&ElementSet> = self.n_contexts.iter().collect();
        distinct.len() == self.order
    }

    /// Returns the elements by which the product of `x` is not in the P-portion.
    pub(super) fn n_contexts(&self, x: Element) -> &ElementSet {
        &self.n_contexts[usize::from(x)]
    }

    /// Returns the elements by which the product of some of these is in the P-portion.
    pub(super) fn p_contexts(&self, elements: &[Element]) -> ElementSet {
        ElementSet::of(self.order, |z| {
            elements.iter().any(|&x| self.is_p(self.product(x, z)))
        })
    }
}
