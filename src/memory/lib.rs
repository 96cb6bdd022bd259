#![doc = include_str!("README.md")]

use std::alloc::{Layout, handle_alloc_error};
use std::io;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread::{Builder, JoinHandle, Scope, ScopedJoinHandle};

use memmap2::Advice;
pub use memmap2::MmapMut;

/// Returns zeroed memory. Pages take no memory before they are written; the first `small` bytes
/// stay in small pages.
///
/// # Errors
///
/// When the system cannot allocate it.
// PERF: large pages avoid most TLB misses.
pub fn zeroed(bytes: usize, small: usize) -> io::Result<MmapMut> {
    let map = MmapMut::map_anon(bytes)?;
    // Not all systems have large pages.
    let _ = map.advise_range(Advice::HugePage, small, bytes - small);
    Ok(map)
}

/// Something that the system refuses and that nothing here can do without.
#[derive(Debug)]
pub enum Refusal {
    /// Memory of this size.
    Memory(Layout),
    /// A thread.
    Thread(io::Error),
}

/// Ends the process after a refusal; only the command has such a function.
static END: OnceLock<fn(&Refusal) -> !> = OnceLock::new();

/// Whether the system has refused memory.
static REFUSED: AtomicBool = AtomicBool::new(false);

/// Sets the function that ends the process after a refusal. By default memory aborts the process,
/// as in all Rust programs, and a thread is a panic.
pub fn end_refused_with(end: fn(&Refusal) -> !) {
    let _ = END.set(end);
}

/// Ends the process, or the thread, because the system refuses something.
#[cold]
pub fn refused(refusal: &Refusal) -> ! {
    match (END.get(), refusal) {
        (Some(end), refusal) => end(refusal),
        (None, Refusal::Memory(layout)) => handle_alloc_error(*layout),
        (None, Refusal::Thread(error)) => panic!("a thread cannot be started: {error}"),
    }
}

/// Records that the system refuses memory, so that work stops; returns whether it did before.
pub fn record_refusal() -> bool {
    REFUSED.swap(true, Relaxed)
}

/// Returns whether the system has refused memory.
pub fn was_refused() -> bool {
    REFUSED.load(Relaxed)
}

/// Starts a thread.
pub fn spawn<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> JoinHandle<T> {
    let thread = Builder::new().spawn(work);
    thread.unwrap_or_else(|error| refused(&Refusal::Thread(error)))
}

/// Starts a thread that ends before its scope does.
pub fn spawn_in<'s, T: Send + 's>(
    scope: &'s Scope<'s, '_>,
    work: impl FnOnce() -> T + Send + 's,
) -> ScopedJoinHandle<'s, T> {
    let thread = Builder::new().spawn_scoped(scope, work);
    thread.unwrap_or_else(|error| refused(&Refusal::Thread(error)))
}

/// Locks data, ignoring poison: for data that no update leaves inconsistent when it panics.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Data on their own pair of cache lines (processors fetch pairs), so that a thread that writes them
/// does not slow down those that use their neighbours.
#[derive(Default)]
#[repr(align(128))]
pub struct Padded<T>(pub T);

/// Prefetches an address that will be read soon, on processors that support it. The address need
/// not be valid.
#[inline]
pub fn prefetch<T>(soon: *const T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: prefetching has no effect on memory, whatever the address.
        unsafe { _mm_prefetch(soon.cast::<i8>(), _MM_HINT_T0) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = soon;
}
