//! Watchers of enumerations of boards.

/// A watcher of an enumeration, with [`EnumerationProgress`](super::enumeration::EnumerationProgress) as `P`, or of a census, with
/// [`CensusProgress`](super::census::CensusProgress). A function is a watcher that only stops the
/// enumeration.
pub trait Watcher<P> {
    /// Returns whether to stop; called every few thousand boards and every 65,536 steps.
    fn stop(&self) -> bool;

    /// Returns whether it is time for a checkpoint.
    fn is_due(&self) -> bool {
        false
    }

    /// Takes a checkpoint: the progress of the enumeration, and the boards from which it resumes,
    /// as keys.
    fn take(&self, _progress: P, _keys: &mut dyn Iterator<Item = u128>) {}

    /// Returns the checkpoint of an interrupted enumeration of the same graph with the same limits;
    /// called once.
    fn known(&self) -> Option<(P, Vec<u128>)> {
        None
    }
}

impl<F: Fn() -> bool, P> Watcher<P> for F {
    fn stop(&self) -> bool {
        self()
    }
}
