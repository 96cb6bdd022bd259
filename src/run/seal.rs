//! Sealing the memo's values as store segments.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::RunError;
use super::known::KnownStore;
use super::stored::Stored;
use crate::engine::{Engine, EngineError, KnownValues};
use crate::ruleset::Ruleset;
use crate::store::{Namespace, SegmentContents, Store, Writer};

/// The store's writer, for one ruleset as it is played.
pub(super) struct Sealer<'a, V> {
    pub(super) known: &'a KnownStore<'a, V>,
    store: Store,
    writer: Writer,
    namespace: Namespace,
    sealed: AtomicU64,
}

impl<'a, V: Stored> Sealer<'a, V> {
    pub(super) fn new(
        known: &'a KnownStore<'a, V>,
        store: Store,
        writer: Writer,
        namespace: Namespace,
    ) -> Sealer<'a, V> {
        Sealer {
            known,
            store,
            writer,
            namespace,
            sealed: AtomicU64::new(0),
        }
    }

    /// Returns the number of values sealed so far.
    pub(super) fn sealed(&self) -> u64 {
        self.sealed.load(Relaxed)
    }

    /// Copies the memo's new values to the store, while searches go on.
    ///
    /// After an error the run cannot go on, for those values are on no list any more.
    pub(super) fn seal<R: Ruleset>(&mut self, engine: &Engine<R, V>) -> Result<(), RunError> {
        let mut new = engine.memo.take_unstored();
        if new.is_empty() {
            return Ok(());
        }
        let mut conflict = Ok(());
        new.retain(|&(key, value)| match self.known.known(key) {
            Ok(None) => true,
            // A position that came twice, around an earlier checkpoint, must have come out the same.
            Ok(Some(there)) if there == value => false,
            Ok(Some(there)) => {
                conflict = Err(EngineError::Conflict {
                    position: engine.ruleset.position_of(key).to_string(),
                    first: there.get(),
                    second: value.get(),
                });
                false
            }
            Err(error) => {
                conflict = Err(error);
                false
            }
        });
        conflict?;
        let count = new.len() as u64;
        // The order decides how forms are numbered, so that equal contents make equal segments.
        new.sort_unstable_by_key(|&(key, _)| key);
        let (records, forms) = engine.valuation.contents(new.into_iter())?;
        let namespace = self.namespace.clone();
        let segments = self.writer.seal(SegmentContents {
            namespace,
            records,
            forms,
        })?;
        self.known
            .replace(self.store.reader(&self.namespace).without_damaged().0);
        self.sealed.fetch_add(count, Relaxed);
        tracing::debug!(values = count, segments = segments.len(), "sealed values");
        Ok(())
    }
}

/// Returns the name under which a ruleset's values are stored.
pub(super) fn namespace<R: Ruleset, V: Stored>(ruleset: &R, valuation: &V) -> Namespace {
    Namespace::new(ruleset.id(), ruleset.version(), valuation.play().name())
}
