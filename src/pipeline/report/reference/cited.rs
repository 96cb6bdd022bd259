//! The common fields of facts: a label, a citation, a place in a file.

/// A fact of any kind, with its source.
pub trait Cited {
    /// Returns its subject, as the file names it.
    fn label(&self) -> &str;
    /// Returns the publication and the place in it.
    fn citation(&self) -> &str;
    /// Returns the file and the entry in it.
    fn reference(&self) -> String;
}

/// Implements [`Cited`] for a fact with fields of these names.
macro_rules! cited {
    ($fact:ty) => {
        impl $crate::report::reference::Cited for $fact {
            fn label(&self) -> &str {
                &self.label
            }
            fn citation(&self) -> &str {
                &self.citation
            }
            fn reference(&self) -> String {
                format!("{}: {}", self.file.display(), self.key)
            }
        }
    };
}
pub(super) use cited;
