//! Sets of elements of a finite monoid.

/// An element of a finite monoid, by its place; 0 is the identity.
pub type Element = u16;

/// A set of elements, one bit each.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct ElementSet(Box<[u64]>);

impl ElementSet {
    /// Returns the set of those elements below `order` for which `holds` is true.
    pub(super) fn of(order: usize, holds: impl Fn(Element) -> bool) -> ElementSet {
        let words = (0..order.div_ceil(64)).map(|word| {
            let elements = 64 * word..order.min(64 * word + 64);
            elements.fold(0, |bits, x| {
                bits | u64::from(holds(x as Element)) << (x % 64)
            })
        });
        ElementSet(words.collect())
    }

    /// Returns whether the set has an element.
    pub(super) fn contains(&self, x: Element) -> bool {
        self.0[usize::from(x) / 64] >> (x % 64) & 1 == 1
    }

    /// Returns whether another set over the same monoid has all elements of this one.
    pub(super) fn is_subset(&self, other: &ElementSet) -> bool {
        self.0.iter().zip(&other.0).all(|(a, b)| a & !b == 0)
    }
}
