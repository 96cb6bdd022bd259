//! One stripe of the arena: the records whose options hash to it, and the table that finds them.
//!
//! A stripe appends to its own chunks, or to a region of its own, so a record's place within the
//! stripe takes 25 bits. The other seven bits of a slot are a tag, which rules out most other
//! records without reading them. The table is at most nine tenths full and grows by a third. It is
//! rebuilt from the records, so at most one stripe's table ever exists twice.

use super::chunks::Chunks;
use super::id::{CHUNK_WORDS, LEVEL_WORDS, REGION_WORDS, REGIONS, STRIPES, WHOLE_REGIONS};
use super::record::{Form, Header, Options, Words};
use super::{ArenaError, ValueId};

/// The number of bits in a slot for the place in the stripe.
const PLACE_BITS: u32 = 25;

/// The load, in tenths of all slots, at which the table grows.
const FILLED_TENTHS: usize = 9;

/// Records and slots of one stripe.
pub(super) struct Stripe {
    index: usize,
    /// Each slot is 0, or a place below the tag of its record's hash.
    slots: Box<[u32]>,
    /// The number of occupied slots.
    used: usize,
    /// The place of the next record, in words.
    pub(super) next: usize,
}

impl Stripe {
    pub(super) fn new(index: usize) -> Stripe {
        Stripe {
            index,
            slots: Box::default(),
            used: 0,
            // Place 0 would make a slot with tag 0 look empty.
            next: 1,
        }
    }

    /// Returns the number of forms.
    pub(super) fn forms(&self) -> u64 {
        self.used as u64
    }

    /// Returns the bytes that the records take.
    pub(super) fn records_bytes(&self) -> u64 {
        4 * self.next as u64
    }

    /// Returns the bytes that the table takes.
    pub(super) fn table_bytes(&self) -> u64 {
        4 * self.slots.len() as u64
    }

    /// Returns the form with these options, which hash to `hash`, and whether it is new; a new form
    /// is stored.
    #[inline]
    pub(super) fn intern(
        &mut self,
        chunks: &Chunks,
        options: Options<'_>,
        hash: u64,
        header: impl FnOnce() -> Header,
    ) -> Result<(ValueId, bool), ArenaError> {
        let mut slot = 0;
        if !self.slots.is_empty() {
            slot = self.first_slot(hash);
            loop {
                let held = self.slots[slot];
                if held == 0 {
                    break;
                }
                if held >> PLACE_BITS == tag(hash) {
                    let id = self.id(held as usize & ((1 << PLACE_BITS) - 1));
                    if chunks.form(id).has_options(options) {
                        return Ok((id, false));
                    }
                }
                slot = self.after(slot);
            }
        }
        self.store(chunks, options, hash, slot, &header())
    }

    #[cold]
    fn store(
        &mut self,
        chunks: &Chunks,
        options: Options<'_>,
        hash: u64,
        mut slot: usize,
        header: &Header,
    ) -> Result<(ValueId, bool), ArenaError> {
        if self.used * 10 >= self.slots.len() * FILLED_TENTHS {
            self.grow(chunks);
            slot = self.free_slot(hash);
        }
        let place = self.append(chunks, options, header)?;
        self.slots[slot] = tag(hash) << PLACE_BITS | place as u32;
        self.used += 1;
        Ok((self.id(place), true))
    }

    /// Writes a record and returns its place.
    ///
    /// Readers learn of the record only through an id that reaches them through a lock (the
    /// stripe's here, others elsewhere), so relaxed stores suffice.
    fn append(
        &mut self,
        chunks: &Chunks,
        options: Options<'_>,
        header: &Header,
    ) -> Result<usize, ArenaError> {
        let head = Words::new(options, header, &chunks.edges)?;
        let head = head.as_slice();
        let words = head.len() + options.left.len() + options.negative_left.len();
        let mut place = self.next;
        let chunk = self.chunk_words();
        if place % chunk + words > chunk {
            place = place.next_multiple_of(chunk);
        }
        if place + words > self.places() {
            return Err(ArenaError::Full);
        }
        let ids = options.iter().map(|option| option.0);
        chunks.write(self.id(place).word(), head.iter().copied().chain(ids));
        self.next = place + words;
        Ok(place)
    }

    /// Enlarges the table by a third.
    fn grow(&mut self, chunks: &Chunks) {
        let before = self.slots.len();
        // PERF: growing by a quarter saves 0.1 bytes a form of 5.1 and costs 1 % of the time of all
        // of Sowing 1^13, by a half costs 0.9 bytes and saves 2 %. The stripes start with different
        // sizes, so that they do not all grow at once.
        let first = 16 + self.index % STRIPES / 16;
        let after = if before == 0 {
            first
        } else {
            before + before / 3 + 1
        };
        self.make_table(chunks, after);
    }

    /// Rebuilds the table with `slots` slots.
    fn make_table(&mut self, chunks: &Chunks, slots: usize) {
        // Freed first: it can be rebuilt from the records alone.
        self.slots = Box::default();
        self.slots = vec![0; slots].into_boxed_slice();
        let mut place = 1;
        for _ in 0..self.used {
            let form;
            (place, form) = self.record_from(chunks, place);
            let hash = form.hash();
            let slot = self.free_slot(hash);
            self.slots[slot] = tag(hash) << PLACE_BITS | place as u32;
            place += form.words();
        }
    }

    /// Returns the first record at or after a place, and its place; there must be one.
    fn record_from<'c>(&self, chunks: &'c Chunks, mut place: usize) -> (usize, Form<'c>) {
        loop {
            if let Some(form) = chunks.record(self.id(place)) {
                return (place, form);
            }
            place = (place + 1).next_multiple_of(self.chunk_words());
        }
    }

    /// Adopts the records that were put before place `next`, and forgets all others.
    pub(super) fn restore(&mut self, chunks: &Chunks, next: usize) {
        self.next = next;
        self.used = 0;
        let mut place = 1;
        while place < next {
            let form;
            (place, form) = self.record_from(chunks, place);
            place += form.words();
            self.used += 1;
        }
        self.make_table(chunks, self.used * 10 / FILLED_TENTHS + 16);
    }

    fn first_slot(&self, hash: u64) -> usize {
        (((hash & 0xffff_ffff) * self.slots.len() as u64) >> 32) as usize
    }

    fn after(&self, slot: usize) -> usize {
        if slot + 1 == self.slots.len() {
            0
        } else {
            slot + 1
        }
    }

    fn free_slot(&self, hash: u64) -> usize {
        let mut slot = self.first_slot(hash);
        while self.slots[slot] != 0 {
            slot = self.after(slot);
        }
        slot
    }

    /// Returns the number of words after which the next places are elsewhere. No record crosses
    /// such an end.
    fn chunk_words(&self) -> usize {
        if self.index < STRIPES {
            CHUNK_WORDS
        } else {
            REGION_WORDS
        }
    }

    /// Returns the capacity of the stripe in words.
    fn places(&self) -> usize {
        if self.index < STRIPES {
            PLACES
        } else {
            REGION_WORDS
        }
    }

    /// Returns the id of the record at a place. The chunks of a level are dealt to the stripes in
    /// turn.
    pub(super) fn id(&self, place: usize) -> ValueId {
        let word = match self.index.checked_sub(STRIPES) {
            Some(region) => region * REGION_WORDS + place,
            None => {
                let (level, within) = (place / CHUNK_WORDS, place % CHUNK_WORDS);
                let chunk = level * LEVEL_WORDS + self.index * CHUNK_WORDS;
                WHOLE_REGIONS * REGION_WORDS + chunk + within
            }
        };
        ValueId::at(word)
    }
}

/// Returns the bits of a hash that a slot holds.
fn tag(hash: u64) -> u32 {
    (hash >> 40) as u32 & ((1 << (32 - PLACE_BITS)) - 1)
}

/// The capacity of a stripe without a region of its own, in words.
const PLACES: usize = (REGIONS - WHOLE_REGIONS) * REGION_WORDS / STRIPES;

const _: () = assert!(REGION_WORDS <= 1 << PLACE_BITS && PLACES <= 1 << PLACE_BITS);
