//! The flat arrays of a sweep: one cell a position, read and written by all workers.

use std::io;
use std::marker::PhantomData;
use std::path::Path;
use std::sync::atomic::{AtomicU8, AtomicU32, Ordering};

use fs4::FileExt;
use memmap2::{Advice, MmapMut, MmapOptions};

/// A cell's content: zero where nothing is known yet.
pub trait Cell: Copy + PartialEq + Into<u32> + TryFrom<u32> + Send + Sync + 'static {
    /// The cell as workers share it.
    type Shared: Send + Sync;

    /// The content of a cell whose position has not been valued.
    const EMPTY: Self;

    /// Reads a cell. What other workers wrote is seen once they have let the reader know that they did.
    fn load(shared: &Self::Shared) -> Self;

    /// Writes a cell.
    fn store(shared: &Self::Shared, content: Self);
}

macro_rules! cell {
    ($word:ty, $shared:ty) => {
        impl Cell for $word {
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

impl<C: Cell> Cells<C> {
    /// Returns an array in memory. Pages cost nothing before they are written.
    ///
    /// # Errors
    ///
    /// When the system has no room for it.
    pub fn in_memory(cells: u64) -> io::Result<Cells<C>> {
        let map = MmapMut::map_anon(Cells::<C>::bytes_of(cells)? as usize)?;
        // Large pages spare most of the misses of the address cache; not all systems have them.
        let _ = map.advise(Advice::HugePage);
        Ok(Cells {
            map,
            cell: PhantomData,
        })
    }

    /// Returns an array in a file without a name, in a folder: memory that the system can write out.
    ///
    /// # Errors
    ///
    /// When the file cannot be made, or the file system has no room for all of it.
    pub fn in_file(cells: u64, folder: &Path) -> io::Result<Cells<C>> {
        let bytes = Cells::<C>::bytes_of(cells)?;
        let file = tempfile::tempfile_in(folder)?;
        // Without this a full disk would be a fault when some page is written.
        file.allocate(bytes)?;
        // SAFETY: the file has no name, so nobody else can open it, and it is as long as the map.
        let map = unsafe { MmapOptions::new().len(bytes as usize).map_mut(&file)? };
        Ok(Cells {
            map,
            cell: PhantomData,
        })
    }

    /// Returns the bytes that so many cells take.
    ///
    /// # Errors
    ///
    /// When no address space is large enough.
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
        // SAFETY: the map is page-aligned, lives as long as the borrow, and is never handed out
        // otherwise; all bit patterns are contents of the atomic integers that `Shared` is.
        unsafe { std::slice::from_raw_parts(self.map.as_ptr().cast::<C::Shared>(), len) }
    }

    /// Returns the content of a cell.
    pub fn get(&self, cell: usize) -> C {
        C::load(&self.shared()[cell])
    }
}
