//! Zeroed memory, in large pages where the system has them.

use std::io;

use memmap2::{Advice, MmapMut};

/// Returns zeroed memory. Pages take no memory before they are written; the first `small` bytes
/// stay in small pages.
///
/// # Errors
///
/// When the system cannot allocate it.
// PERF: large pages avoid most TLB misses.
pub(crate) fn zeroed(bytes: usize, small: usize) -> io::Result<MmapMut> {
    let map = MmapMut::map_anon(bytes)?;
    // Not all systems have large pages.
    let _ = map.advise_range(Advice::HugePage, small, bytes - small);
    Ok(map)
}
