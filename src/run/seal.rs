//! Sealing the memo's values as store segments.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use bytesize::ByteSize;

use super::RunError;
use super::known::KnownStore;
use super::stored::{FormsNeeded, Stored};
use crate::engine::{Engine, EngineError, KnownValues, Word};
use crate::ruleset::{Key, Ruleset};
use crate::store::{Namespace, Reader, SegmentContents, Store, Writer};

/// Values are sealed together with all forms below theirs; where there is little room for these, in parts of no fewer
/// values than this.
const VALUES_MIN: usize = 1 << 10;

/// Numbering all the forms of an arena takes at most so many times its bytes, while the tables grow.
const NUMBERING_FACTOR: u64 = 4;

/// The store's writer, for one ruleset as it is played.
pub(super) struct Sealer<'a, V> {
    pub(super) known: &'a KnownStore<'a, V>,
    store: Store,
    writer: Writer,
    namespace: Namespace,
    /// Another store's values, which are known and not written again.
    base: Option<Reader>,
    sealed: AtomicU64,
}

impl<'a, V: Stored> Sealer<'a, V> {
    pub(super) fn new(
        known: &'a KnownStore<'a, V>,
        store: Store,
        writer: Writer,
        namespace: Namespace,
        base: Option<Reader>,
    ) -> Sealer<'a, V> {
        Sealer {
            known,
            store,
            writer,
            namespace,
            base,
            sealed: AtomicU64::new(0),
        }
    }

    /// Returns the number of values sealed so far.
    pub(super) fn sealed(&self) -> u64 {
        self.sealed.load(Relaxed)
    }

    /// Copies the memo's new values to the store, while searches go on, with so many bytes for the forms that they need.
    ///
    /// After an error the run cannot go on, for those values are on no list any more.
    pub(super) fn seal<R: Ruleset>(
        &mut self,
        engine: &Engine<R, V>,
        room: u64,
    ) -> Result<(), RunError> {
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
        // The order decides how forms are numbered, so that equal contents make equal segments.
        new.sort_unstable_by_key(|&(key, _)| key);
        let all_fit = engine.valuation.arena().bytes() * NUMBERING_FACTOR <= room;
        while !new.is_empty() {
            let (start, needed) = match all_fit {
                true => (0, FormsNeeded::default()),
                false => part_that_fits(&engine.valuation, &new, room)?,
            };
            let part = match start {
                0 => std::mem::take(&mut new),
                _ => new.split_off(start),
            };
            self.seal_part(engine, part, needed)?;
        }
        if self.writer.merge_newest(&self.namespace, room)? > 0 {
            self.publish();
        }
        Ok(())
    }

    /// Makes what the store has now known to searches.
    fn publish(&self) {
        let own = self.store.reader(&self.namespace).without_damaged().0;
        self.known.replace(match &self.base {
            Some(base) => own.over(base),
            None => own,
        });
    }

    fn seal_part<R: Ruleset>(
        &mut self,
        engine: &Engine<R, V>,
        part: Vec<(Key, Word)>,
        needed: FormsNeeded,
    ) -> Result<(), RunError> {
        let count = part.len() as u64;
        let (records, forms) = engine.valuation.contents(part.into_iter(), needed)?;
        let namespace = self.namespace.clone();
        let segments = self.writer.seal(SegmentContents {
            namespace,
            records,
            forms,
        })?;
        self.publish();
        self.sealed.fetch_add(count, Relaxed);
        tracing::debug!(values = count, segments = segments.len(), "sealed values");
        Ok(())
    }
}

/// Returns where a part at the end of some values begins whose forms fit into so many bytes, and their size.
fn part_that_fits<V: Stored>(
    valuation: &V,
    values: &[(Key, Word)],
    room: u64,
) -> Result<(usize, FormsNeeded), RunError> {
    let mut start = 0;
    loop {
        let part = &values[start..];
        let needed = valuation.forms_needed(part);
        if needed.bytes() <= room {
            return Ok((start, needed));
        }
        if part.len() <= VALUES_MIN {
            return Err(RunError::Sealing {
                values: values.len() as u64,
                needed: ByteSize(needed.bytes()),
                room: ByteSize(room),
            });
        }
        start += part.len() / 2;
    }
}

/// Returns the name under which a ruleset's values are stored.
pub(super) fn namespace<R: Ruleset, V: Stored>(ruleset: &R, valuation: &V) -> Namespace {
    Namespace::new(ruleset.id(), ruleset.version(), valuation.play().name())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{CanonicalForms, NothingKnown};
    use crate::ruleset::Sowing;

    #[test]
    fn values_are_sealed_in_parts_as_large_as_there_is_room_for() {
        let engine = Engine::new(Sowing, CanonicalForms::default());
        let position = Sowing.position(&"312".parse().unwrap()).unwrap();
        let value = engine.search(&NothingKnown).evaluate(&position).unwrap();
        let zero = CanonicalForms::word(crate::value::ValueId::ZERO);
        let many = 8 * VALUES_MIN;
        let mut values = vec![(0, zero); many];
        values[many / 2 - 1].1 = value;
        let all = engine.valuation.forms_needed(&values);
        let part = |values: &[(Key, Word)], room| part_that_fits(&engine.valuation, values, room);
        assert_eq!(part(&values, all.bytes()).unwrap(), (0, all));
        let (start, needed) = part(&values, all.bytes() - 1).unwrap();
        assert_eq!(start, many / 2);
        assert!(needed.bytes() < all.bytes());
        match part(&values[many / 2 - 1..many / 2], 1).unwrap_err() {
            RunError::Sealing {
                values: 1, room, ..
            } => assert_eq!(room, ByteSize(1)),
            other => panic!("{other}"),
        }
    }
}
