//! The flat arrays of a sweep: one cell for each position, read and written by all workers.

use std::io;
use std::marker::PhantomData;
use std::path::Path;
use std::sync::atomic::{AtomicU8, AtomicU32, Ordering};

use fs4::FileExt;
use memmap2::{MmapMut, MmapOptions};

use crate::memory::{prefetch, zeroed};

/// A cell's content: zero if the position has no value yet.
pub trait CellContent: Copy + PartialEq + Into<u32> + TryFrom<u32> + Send + Sync + 'static {
    /// The cell as workers share it.
    type Shared: Send + Sync;

    /// The content of a cell whose position has not been valued.
    const EMPTY: Self;

    /// Reads a cell. Other workers' writes are visible after they have synchronised with the
    /// reader.
    fn load(shared: &Self::Shared) -> Self;

    /// Writes a cell.
    fn store(shared: &Self::Shared, content: Self);
}

macro_rules! cell {
    ($word:ty, $shared:ty) => {
        impl CellContent for $word {
            type Shared = $shared;

            const EMPTY: $word = 0;

            #[inline]
            fn load(shared: &$shared) -> $word {
                shared.load(Ordering::Relaxed)
            }

            #[inline]
            fn store(shared: &$shared, content: $word) {
                shared.store(content, Ordering::Relaxed);
            }
        }
    };
}

cell!(u8, AtomicU8);
cell!(u32, AtomicU32);

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
            .checked_mul(size_of::<C::Shared>() as u64)
            .filter(|&bytes| isize::try_from(bytes).is_ok())
            .ok_or_else(|| io::Error::from(io::ErrorKind::OutOfMemory))
    }

    /// Returns the bytes of the array.
    pub fn bytes(&self) -> u64 {
        self.map.len() as u64
    }

    /// Returns the cells.
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
        prefetch(&self.shared()[cell]);
    }

    /// Returns the content of a cell.
    pub fn get(&self, cell: usize) -> C {
        C::load(&self.shared()[cell])
    }
}
