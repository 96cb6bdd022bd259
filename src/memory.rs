//! Zeroed memory, in large pages where the system has them, and prefetching.

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

/// Data on their own pair of cache lines (processors fetch pairs), so that a thread that writes them
/// does not slow down those that use their neighbours.
#[derive(Default)]
#[repr(align(128))]
pub(crate) struct Padded<T>(pub(crate) T);

/// Prefetches an address that will be read soon, on processors that support it. The address need
/// not be valid.
#[inline]
pub(crate) fn prefetch<T>(soon: *const T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: prefetching has no effect on memory, whatever the address.
        unsafe { _mm_prefetch(soon.cast::<i8>(), _MM_HINT_T0) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = soon;
}
