//! Names with numbers, found many at a time.
//!
//! A name is stored once, behind its number and its length. A table of 8 bytes a slot finds it: a slot has the place of a name and
//! some bits of its hash, so that a name is hardly ever compared with another one. To find a name takes two looks at memory that is
//! far away. A batch of names makes all first looks at once and then all second ones.

use std::alloc::Layout;
use std::hash::BuildHasher;
use std::ops::Range;

use foldhash::fast::FixedState;
use seedbank_memory::{MmapMut, Refusal, prefetch, refused};

/// The bits of a slot that hold the place of a name, counted from 1; the others hold bits of its hash.
const PLACE_BITS: u32 = 40;

/// The bytes of a slot.
const SLOT_BYTES: usize = 8;

/// The slots of a table without names.
const FIRST_SLOTS: usize = 1 << 9;

/// Smaller tables stay in small pages.
const SMALL_BYTES: usize = 1 << 21;

/// The bytes before the text of a name: its number and its length.
const HEAD_BYTES: usize = 8;

/// Different names, each with a number.
#[derive(Debug)]
pub(super) struct Names {
    /// The number, length and text of each name.
    text: Vec<u8>,
    /// The place of each name in the text.
    places: Vec<u64>,
    /// A power of two of slots of 8 bytes, of which at most three quarters are taken.
    slots: MmapMut,
    hasher: FixedState,
}

/// Names to be found together, and what each is for.
#[derive(Debug)]
pub(super) struct Batch<T> {
    text: Vec<u8>,
    names: Vec<(T, u64, Range<usize>)>,
    /// The place where each name may be.
    places: Vec<Option<usize>>,
}

impl Default for Names {
    fn default() -> Names {
        Names {
            text: Vec::new(),
            places: Vec::new(),
            slots: slots(FIRST_SLOTS),
            hasher: FixedState::default(),
        }
    }
}

impl<T> Default for Batch<T> {
    fn default() -> Batch<T> {
        Batch {
            text: Vec::new(),
            names: Vec::new(),
            places: Vec::new(),
        }
    }
}

impl<T> Batch<T> {
    pub(super) fn len(&self) -> usize {
        self.names.len()
    }
}

impl Names {
    pub(super) fn bytes(&self) -> u64 {
        (self.text.capacity() + 8 * self.places.capacity() + self.slots.len()) as u64
    }

    /// Returns the name of a number.
    pub(super) fn get(&self, number: u32) -> &str {
        let (_, name) = self.at(self.places[number as usize] as usize);
        str::from_utf8(name).expect("a name is text")
    }

    /// Returns the number of a name.
    pub(super) fn find(&self, name: &str) -> Option<u32> {
        self.number(self.hash(name.as_bytes()), name.as_bytes())
            .ok()
    }

    /// Adds a name to a batch.
    #[inline]
    pub(super) fn push<T>(&self, batch: &mut Batch<T>, purpose: T, name: &str) {
        let hash = self.hash(name.as_bytes());
        prefetch(&raw const self.slots()[self.slot(hash)]);
        let start = batch.text.len();
        batch.text.extend_from_slice(name.as_bytes());
        let range = start..batch.text.len();
        batch.names.push((purpose, hash, range));
    }

    /// Passes on the purpose of each name of a batch and its number, which is the next one if the name is new. The batch is empty
    /// afterwards.
    pub(super) fn number_all<T: Copy>(
        &mut self,
        batch: &mut Batch<T>,
        mut each: impl FnMut(T, u32),
    ) {
        batch.places.clear();
        for &(_, hash, _) in &batch.names {
            let place = self.probe(hash, |_| true).ok();
            if let Some(place) = place {
                prefetch(&raw const self.text[place]);
            }
            batch.places.push(place);
        }
        for ((purpose, hash, range), place) in batch.names.drain(..).zip(&batch.places) {
            let name = &batch.text[range];
            let found = place.map(|place| self.at(place));
            let number = match found.filter(|(_, found)| *found == name) {
                Some((number, _)) => number,
                None => match self.number(hash, name) {
                    Ok(number) => number,
                    Err(slot) => self.insert(slot, hash, name),
                },
            };
            each(purpose, number);
        }
        batch.text.clear();
    }

    fn hash(&self, name: &[u8]) -> u64 {
        self.hasher.hash_one(name)
    }

    /// Returns the first slot for a hash: its upper bits are those that a slot holds.
    fn slot(&self, hash: u64) -> usize {
        hash as usize & (self.slots().len() - 1)
    }

    fn slots(&self) -> &[[u8; SLOT_BYTES]] {
        self.slots.as_chunks().0
    }

    fn fill(&mut self, slot: usize, hash: u64, place: u64) {
        let entry = hash >> PLACE_BITS << PLACE_BITS | (place + 1);
        self.slots.as_chunks_mut().0[slot] = entry.to_le_bytes();
    }

    /// Returns the number and the text at a place.
    fn at(&self, place: usize) -> (u32, &[u8]) {
        let (head, rest) = self.text[place..].split_at(HEAD_BYTES);
        let word = |at: usize| u32::from_le_bytes(head[at..at + 4].try_into().expect("4 bytes"));
        (word(0), &rest[..word(4) as usize])
    }

    /// Returns the place of the first name with bits of this hash that is the one sought, or the free slot behind them.
    fn probe(&self, hash: u64, is_sought: impl Fn(usize) -> bool) -> Result<usize, usize> {
        let (slots, mut slot) = (self.slots(), self.slot(hash));
        loop {
            match u64::from_le_bytes(slots[slot]) {
                0 => return Err(slot),
                found if (found ^ hash) >> PLACE_BITS == 0 => {
                    let place = (found & ((1 << PLACE_BITS) - 1)) as usize - 1;
                    if is_sought(place) {
                        return Ok(place);
                    }
                }
                _ => {}
            }
            slot = (slot + 1) & (slots.len() - 1);
        }
    }

    /// Returns the number of a name, or a free slot for it.
    fn number(&self, hash: u64, name: &[u8]) -> Result<u32, usize> {
        let place = self.probe(hash, |place| self.at(place).1 == name)?;
        Ok(self.at(place).0)
    }

    /// Stores a new name in a free slot and returns its number.
    fn insert(&mut self, slot: usize, hash: u64, name: &[u8]) -> u32 {
        let (number, place) = (self.places.len() as u32, self.text.len() as u64);
        let length = name.len() as u32;
        self.text
            .extend(number.to_le_bytes().into_iter().chain(length.to_le_bytes()));
        self.text.extend_from_slice(name);
        self.places.push(place);
        self.fill(slot, hash, place);
        if self.places.len() > self.slots().len() / 4 * 3 {
            self.grow();
        }
        number
    }

    fn grow(&mut self) {
        self.slots = slots(2 * self.slots().len());
        for number in 0..self.places.len() {
            let place = self.places[number];
            let hash = self.hash(self.at(place as usize).1);
            let free = self.probe(hash, |_| false);
            self.fill(free.expect_err("no name is sought"), hash, place);
        }
    }
}

/// Returns free slots.
fn slots(number: usize) -> MmapMut {
    let bytes = number * SLOT_BYTES;
    let allocated = seedbank_memory::zeroed(bytes, bytes.min(SMALL_BYTES));
    allocated.unwrap_or_else(|_| {
        let layout = Layout::array::<[u8; SLOT_BYTES]>(number);
        refused(&Refusal::Memory(layout.expect("slots for names in memory")))
    })
}
