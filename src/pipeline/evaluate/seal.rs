//! Sealing the memo's values as store segments.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Instant;

use bytesize::ByteSize;
use cggames::board::Key;
use cggames::game::{Game, Manner, PotGame, Ruleset};
use cgsolvers::{Engine, EngineError, Word};
use valuestore::{Namespace, Reader, SegmentContents, Store, Writer};

use super::dispatch::{Visitor, dispatch};
use super::known::KnownStore;
use super::stored::{FormsNeeded, Stored};
use crate::run::RunError;
use crate::run::memory::give_back;

/// Values are sealed together with all forms below theirs. If memory for the forms is short, they are sealed in batches of at
/// least this number of values.
const VALUES_MIN: usize = 1 << 10;

/// The number of values looked up together.
const TOGETHER: usize = 1 << 10;

/// The time to seal a value, until a measurement replaces it.
///
/// Unit: nanoseconds. Measured: 200 to 450 beside searches, and several times that where values
/// have many forms.
const SEALING_NANOS: u64 = 500;

/// Values are sealed early when sealing them would take longer than this: a run that must stop
/// seals all values it has.
///
/// Unit: nanoseconds.
const SEALING_NANOS_MAX: u64 = 1_000_000_000;

/// The least number of values to measure the time of sealing from, and to seal early. With fewer,
/// the fixed cost of a segment dominates.
const LEARNED_FROM: u64 = 1 << 18;

/// Numbering all the forms of an arena takes at most this multiple of its bytes, while the tables
/// grow.
const NUMBERING_FACTOR: u64 = 4;

/// Adds values to the store, for one ruleset as it is played. Other processes may do so, too: each
/// is the store's writer while it seals, and compares its values with what the others have sealed.
pub(crate) struct Sealer<'a, V> {
    pub(crate) known: &'a KnownStore<'a, V>,
    store: Store,
    /// The [segments written](Writer::segments_written) when `known` last had those of other
    /// processes.
    segments_seen: u64,
    namespace: Namespace,
    /// Another store, whose values are known and not written again.
    base: Option<Reader>,
    sealed: AtomicU64,
    /// The last measured time to seal a value.
    nanos: u64,
}

impl<'a, V: Stored> Sealer<'a, V> {
    /// Returns the sealer of a store in which `known` has all values among the first `segments_seen`
    /// segments written, and those of `base`.
    pub(crate) fn new(
        known: &'a KnownStore<'a, V>,
        store: Store,
        segments_seen: u64,
        namespace: Namespace,
        base: Option<Reader>,
    ) -> Sealer<'a, V> {
        Sealer {
            known,
            store,
            segments_seen,
            namespace,
            base,
            sealed: AtomicU64::new(0),
            nanos: SEALING_NANOS,
        }
    }

    /// Returns the number of values sealed so far.
    pub(crate) fn sealed(&self) -> u64 {
        self.sealed.load(Relaxed)
    }

    /// Copies the memo's new values to the store, beside searches, with `room` bytes for the forms
    /// that they need.
    ///
    /// After an error the run must end, because no list holds those values any more.
    pub(crate) fn seal<R: Ruleset>(
        &mut self,
        engine: &Engine<R, V>,
        room: u64,
    ) -> Result<(), RunError> {
        let mut new = engine.memo.take_unstored();
        if new.is_empty() {
            return Ok(());
        }
        // If the run is to stop, too, its values must be stored first.
        let mut writer = self.store.writer_in_turn(&|| false)?;
        if writer.segments_written() != self.segments_seen {
            self.refresh_known();
        }
        let begun = Instant::now();
        let count = new.len() as u64;
        self.drop_known(engine, &mut new)?;
        // The order decides how forms are numbered, so that equal contents make equal segments.
        new.sort_unstable_by_key(|&(key, _)| key);
        let all_fit = engine.valuation.arena().bytes() * NUMBERING_FACTOR <= room;
        while !new.is_empty() {
            let (start, needed) = if all_fit {
                (0, FormsNeeded::default())
            } else {
                part_that_fits(&engine.valuation, &new, room)?
            };
            let part = match start {
                0 => std::mem::take(&mut new),
                _ => new.split_off(start),
            };
            self.seal_part(&mut writer, engine, part, needed)?;
        }
        if count >= LEARNED_FROM {
            self.nanos = (begun.elapsed().as_nanos() as u64 / count).max(1);
        }
        // A run that is about to stop leaves the merge to the next run.
        let control = &engine.control;
        let stop = || control.draining() || control.stopped().is_some();
        writer.merge_newest(&self.namespace, room, &stop)?;
        self.segments_seen = writer.segments_written();
        Ok(())
    }

    /// Returns whether `values` are enough to seal, and sealing them would take longer than a run
    /// may take to stop.
    pub(crate) fn takes_long(&self, values: u64) -> bool {
        values >= LEARNED_FROM && values.saturating_mul(self.nanos) >= SEALING_NANOS_MAX
    }

    /// Removes the values that the store has already.
    fn drop_known<R: Ruleset>(
        &self,
        engine: &Engine<R, V>,
        new: &mut Vec<(Key, Word)>,
    ) -> Result<(), RunError> {
        let (mut keys, mut words) = (Vec::new(), Vec::new());
        let mut kept = 0;
        for start in (0..new.len()).step_by(TOGETHER) {
            let end = new.len().min(start + TOGETHER);
            keys.clear();
            keys.extend(new[start..end].iter().map(|&(key, _)| key));
            self.known.known_many(&keys, &mut words)?;
            for (i, &there) in (start..end).zip(&words) {
                let (key, value) = new[i];
                match there {
                    None => {
                        new[kept] = new[i];
                        kept += 1;
                    }
                    // A position that came twice, around an earlier checkpoint, must have come out
                    // the same.
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
        }
        new.truncate(kept);
        Ok(())
    }

    /// Removes stored values from the memo; searches find them in the store from then on.
    ///
    /// PERF: until then searches need not look in the store for this run's own values. When
    /// segments were published at each sealing, a search that met only new positions took a quarter
    /// more time.
    pub(crate) fn forget_stored<R: Ruleset>(&self, engine: &Engine<R, V>) {
        self.refresh_known();
        engine.memo.forget_stored();
        give_back();
    }

    /// Makes all values in the store known.
    fn refresh_known(&self) {
        let own = self.store.reader(&self.namespace).without_damaged().0;
        self.known.replace(match &self.base {
            Some(base) => own.over(base),
            None => own,
        });
    }

    fn seal_part<R: Ruleset>(
        &self,
        writer: &mut Writer,
        engine: &Engine<R, V>,
        part: Vec<(Key, Word)>,
        needed: FormsNeeded,
    ) -> Result<(), RunError> {
        let count = part.len() as u64;
        let (records, forms) = engine.valuation.contents(part.into_iter(), needed)?;
        let namespace = self.namespace.clone();
        let segments = writer.seal(SegmentContents {
            namespace,
            records,
            forms,
        })?;
        self.sealed.fetch_add(count, Relaxed);
        tracing::debug!(values = count, segments = segments.len(), "sealed values");
        Ok(())
    }
}

/// Returns the start of a batch at the end of some values whose forms fit into `room` bytes, and
/// the size of the forms.
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
    Namespace::new(ruleset.id(), ruleset.version(), valuation.manner().name())
}

/// Returns the name under which the values of a game are stored.
pub(crate) fn namespace_of(game: Game, manner: Manner) -> Namespace {
    struct NamespaceOf;

    impl Visitor for NamespaceOf {
        type Output = Namespace;

        fn visit<R: PotGame, V: Stored + Default>(self, ruleset: R) -> Namespace {
            namespace(&ruleset, &V::default())
        }
    }

    dispatch(game, manner, NamespaceOf)
}

#[cfg(test)]
mod tests {
    use super::*;
    use cggames::game::Sowing;
    use cgsolvers::{CanonicalForms, NothingKnown};

    #[test]
    fn values_are_sealed_in_parts_as_large_as_there_is_room_for() {
        let engine = Engine::new(Sowing, CanonicalForms::default());
        let position = Sowing.position(&"312".parse().unwrap()).unwrap();
        let value = engine.search(&NothingKnown).evaluate(&position).unwrap();
        let zero = CanonicalForms::word(cgvalues::ValueId::ZERO);
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
