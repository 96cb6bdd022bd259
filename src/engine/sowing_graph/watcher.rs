//! Who looks on while boards are enumerated.

/// Whoever watches a sweep, whose progress `P` is [`Progress`](super::sweep::Progress), or a census, with
/// [`CensusProgress`](super::census::CensusProgress). A function is one that says whether to stop, and keeps nothing.
pub trait Watcher<P> {
    /// Returns whether to stop, which is asked every few thousand boards and every 65,536 steps.
    fn stop(&self) -> bool;

    /// Returns whether it is to be told how far the enumeration has come.
    fn is_due(&self) -> bool {
        false
    }

    /// Is told how far the enumeration has come, and the boards that it goes on from, as keys.
    fn take(&self, _progress: P, _keys: &mut dyn Iterator<Item = u128>) {}

    /// Returns how far that of the same graph with the same limits had come, and its keys; asked for once.
    fn known(&self) -> Option<(P, Vec<u128>)> {
        None
    }
}

impl<F: Fn() -> bool, P> Watcher<P> for F {
    fn stop(&self) -> bool {
        self()
    }
}
