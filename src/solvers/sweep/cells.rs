//! The flat arrays of a sweep: one cell for each position, read and written by all workers.
//!
//! A cell takes four bytes, one, or half a byte. Two workers may fill the halves of a byte at the
//! same time, so a half is filled by an atomic `or`.

use std::io;
use std::marker::PhantomData;
use std::path::Path;
use std::sync::atomic::{AtomicU8, AtomicU32, Ordering};

use fs4::FileExt;
use memmap2::{MmapMut, MmapOptions};
use seedbank_memory::{prefetch, zeroed};

/// A cell's content: zero if the position has no value yet.
pub trait CellContent: Copy + PartialEq + Into<u32> + TryFrom<u32> + Send + Sync + 'static {
    /// An atomic integer that holds [`SHARING`](CellContent::SHARING) cells.
    type Shared: Send + Sync;

    /// The number of cells that share an integer.
    const SHARING: usize;

    /// The content of a cell whose position has not been valued.
    const EMPTY: Self;

    /// Reads a cell of an array. Other workers' writes are visible after they have synchronised
    /// with the reader.
    fn load(shared: &[Self::Shared], cell: usize) -> Self;

    /// Fills a cell of an array, which must be empty or have the same content.
    fn store(shared: &[Self::Shared], cell: usize, content: Self);

    /// Returns whether the content does not stand for others, too.
    #[inline]
    fn is_exact(self) -> bool {
        true
    }
}

macro_rules! cell {
    ($word:ty, $shared:ty) => {
        impl CellContent for $word {
            type Shared = $shared;

            const SHARING: usize = 1;

            const EMPTY: $word = 0;

            #[inline]
            fn load(shared: &[$shared], cell: usize) -> $word {
                shared[cell].load(Ordering::Relaxed)
            }

            #[inline]
            fn store(shared: &[$shared], cell: usize, content: $word) {
                shared[cell].store(content, Ordering::Relaxed);
            }
        }
    };
}

cell!(u8, AtomicU8);
cell!(u32, AtomicU32);

/// The content of a cell of four bits: a number below 15, or 15 for all others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Nibble(u8);

impl From<Nibble> for u32 {
    #[inline]
    fn from(nibble: Nibble) -> u32 {
        nibble.0.into()
    }
}

impl From<u32> for Nibble {
    #[inline]
    fn from(number: u32) -> Nibble {
        Nibble(number.min(15) as u8)
    }
}

/// The first cell of two lies in the low bits of their byte.
impl CellContent for Nibble {
    type Shared = AtomicU8;

    const SHARING: usize = 2;

    const EMPTY: Nibble = Nibble(0);

    #[inline]
    fn load(shared: &[AtomicU8], cell: usize) -> Nibble {
        Nibble(shared[cell / 2].load(Ordering::Relaxed) >> (cell % 2 * 4) & 15)
    }

    #[inline]
    fn store(shared: &[AtomicU8], cell: usize, content: Nibble) {
        let before = shared[cell / 2].fetch_or(content.0 << (cell % 2 * 4), Ordering::Relaxed);
        debug_assert!(
            [0, content.0].contains(&(before >> (cell % 2 * 4) & 15)),
            "a cell is filled once, or again with the same content"
        );
    }

    #[inline]
    fn is_exact(self) -> bool {
        self.0 < 15
    }
}

/// An array of cells, all empty at first.
pub struct Cells<C> {
    map: MmapMut,
    cell: PhantomData<C>,
}

impl<C: CellContent> Cells<C> {
    /// Returns an array in memory. Pages take no memory before they are written.
    ///
    /// # Errors
    ///
    /// When the system cannot allocate it.
    pub fn in_memory(cells: u64) -> io::Result<Cells<C>> {
        Ok(Cells {
            map: zeroed(Cells::<C>::bytes_of(cells)? as usize, 0)?,
            cell: PhantomData,
        })
    }

    /// Returns an array in an unnamed file in a folder: memory that the system can page out.
    ///
    /// # Errors
    ///
    /// When the file cannot be created, or the disk space does not suffice.
    pub fn in_file(cells: u64, folder: &Path) -> io::Result<Cells<C>> {
        let bytes = Cells::<C>::bytes_of(cells)?;
        let file = tempfile::tempfile_in(folder)?;
        // Without this a full disk would cause a bus error when a page is written.
        file.allocate(bytes)?;
        // SAFETY: the file has no name, so no other process can open it, and its length is that of
        // the map.
        let map = unsafe { MmapOptions::new().len(bytes as usize).map_mut(&file)? };
        Ok(Cells {
            map,
            cell: PhantomData,
        })
    }

    /// Returns the bytes of `cells` cells.
    ///
    /// # Errors
    ///
    /// When the size exceeds the address space.
    pub fn bytes_of(cells: u64) -> io::Result<u64> {
        cells
            .max(1)
            .div_ceil(C::SHARING as u64)
            .checked_mul(size_of::<C::Shared>() as u64)
            .filter(|&bytes| isize::try_from(bytes).is_ok())
            .ok_or_else(|| io::Error::from(io::ErrorKind::OutOfMemory))
    }

    /// Returns the bytes of the array.
    pub fn bytes(&self) -> u64 {
        self.map.len() as u64
    }

    /// Returns the cells, as [`CellContent::load`] and [`CellContent::store`] take them.
    #[inline]
    pub fn shared(&self) -> &[C::Shared] {
        let len = self.map.len() / size_of::<C::Shared>();
        // SAFETY: the map is page-aligned, lives as long as the borrow, and is never exposed
        // otherwise; `Shared` is an atomic integer, for which all bit patterns are valid.
        unsafe { std::slice::from_raw_parts(self.map.as_ptr().cast::<C::Shared>(), len) }
    }

    /// Prefetches a cell that will be read soon.
    #[inline]
    pub fn prefetch(&self, cell: usize) {
        prefetch(&self.shared()[cell / C::SHARING]);
    }

    /// Returns the content of a cell.
    pub fn get(&self, cell: usize) -> C {
        C::load(self.shared(), cell)
    }
}
