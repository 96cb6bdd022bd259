//! Sealing the memo's values as store segments.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::RunError;
use super::known::KnownStore;
use super::stored::Stored;
use crate::engine::{Engine, EngineError, KnownValues, Word};
use crate::ruleset::{Key, Ruleset};
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

    /// Moves the memo's values to the store, while searches go on.
    ///
    /// After an error the values stay in the memo, and nothing more can be sealed.
    pub(super) fn seal<R: Ruleset>(&mut self, engine: &Engine<R, V>) -> Result<(), RunError> {
        if engine.memo.is_empty() {
            return Ok(());
        }
        let frozen = engine.memo.freeze();
        let mut new: Vec<(Key, Word)> = Vec::with_capacity(frozen.len());
        for (key, value) in frozen.iter() {
            // A position that came twice, around an earlier checkpoint, must have come out the same.
            match self.known.known(key)? {
                None => new.push((key, value)),
                Some(there) if there == value => {}
                Some(there) => {
                    return Err(RunError::Engine(EngineError::Conflict {
                        position: engine.ruleset.position_of(key).to_string(),
                        first: there.get(),
                        second: value.get(),
                    }));
                }
            }
        }
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
        engine.memo.drop_frozen(frozen);
        self.sealed.fetch_add(count, Relaxed);
        tracing::debug!(values = count, segments = segments.len(), "sealed values");
        Ok(())
    }
}

/// Returns the name under which a ruleset's values are stored.
pub(super) fn namespace<R: Ruleset, V: Stored>(ruleset: &R, valuation: &V) -> Namespace {
    Namespace::new(ruleset.id(), ruleset.version(), valuation.play().name())
}
