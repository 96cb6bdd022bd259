//! The result of a search for a law.

/// The result of a search for a law of some kind.
#[derive(Clone, Debug, PartialEq)]
pub enum Sought<L> {
    /// A law was found.
    Found(L),
    /// This law fitted the entries it was found on and failed on the rest.
    Failed(L),
    /// None is significant enough to rule out chance.
    None,
}
