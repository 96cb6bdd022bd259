//! Memory that the system refuses: work stops as at the end of its budget, and no command is aborted.
//!
//! By default a Rust program that gets no memory aborts. Here the first refusal releases a ballast, so
//! that values found can still be stored, and tells the watch of the work to stop it. If memory is then
//! refused for a second, the process ends with status 1 and says what to do.

use std::alloc::{GlobalAlloc, Layout, System};
use std::fmt;
use std::io::Write;
use std::sync::Mutex;
use std::thread::sleep;
use std::time::Duration;

use memmap2::MmapMut;
use seedbank_memory::{Refusal, end_refused_with, record_refusal, refused};
use signal_hook::low_level;

use super::Exit;
use super::streams::say;

/// The allocator of the command: the system's, for which a refusal is no abort.
#[derive(Debug)]
pub struct Allocator;

/// The memory released at the first refusal.
///
/// Unit: bytes. It is mapped and never touched, so it takes address space only.
const BALLAST_BYTES: usize = 32 << 20;

static BALLAST: Mutex<Option<MmapMut>> = Mutex::new(None);

/// How often memory is requested again after a refusal, and how long is waited each time.
const TRIES: u32 = 100;
const WAIT: Duration = Duration::from_millis(10);

/// What to do about refused memory.
pub(super) const REMEDY: &str = "raise the limit (\"ulimit -v\", \"ulimit -d\" or that of the container or batch job), \
     or request less with --memory and --threads";

/// Prepares for refusals.
pub(super) fn prepare() {
    // Without a ballast the process ends sooner.
    *lock() = MmapMut::map_anon(BALLAST_BYTES).ok();
    end_refused_with(end);
}

fn lock() -> std::sync::MutexGuard<'static, Option<MmapMut>> {
    BALLAST
        .lock()
        .unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// Requests memory again, and ends the process if it is still refused.
#[cold]
fn again(layout: Layout, request: impl Fn() -> *mut u8) -> *mut u8 {
    if !record_refusal() {
        drop(lock().take());
    }
    for _ in 0..TRIES {
        let memory = request();
        if !memory.is_null() {
            return memory;
        }
        sleep(WAIT);
    }
    refused(&Refusal::Memory(layout))
}

/// Ends the process without allocating.
fn end(refusal: &Refusal) -> ! {
    let mut text = [0u8; 512];
    let mut rest = &mut text[..];
    // A text that is too long is cut.
    let _ = write!(rest, "{}", Ended(refusal));
    let unused = rest.len();
    let written = text.len() - unused;
    say_bytes(&text[..written]);
    low_level::exit(Exit::Failed as i32)
}

fn say_bytes(text: &[u8]) {
    say(&String::from_utf8_lossy(text));
}

/// The message of a refusal that ends the process.
struct Ended<'r>(&'r Refusal);

impl fmt::Display for Ended<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Refusal::Memory(layout) => writeln!(
                f,
                "error: the system refuses {} more bytes of memory; {REMEDY}; values found since the last checkpoint are \
                 lost, the rest is kept",
                layout.size()
            ),
            Refusal::Thread(error) => {
                writeln!(f, "error: a thread cannot be started: {error}; {REMEDY}")
            }
        }
    }
}

// SAFETY: every method passes its arguments on to the system's allocator and returns what that
// returned, perhaps for a later request of the same kind; none unwinds, because ending the process
// does not return.
unsafe impl GlobalAlloc for Allocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps the contract of this method, which is that of the system's.
        let request = || unsafe { System.alloc(layout) };
        match request() {
            memory if memory.is_null() => again(layout, request),
            memory => memory,
        }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as above.
        let request = || unsafe { System.alloc_zeroed(layout) };
        match request() {
            memory if memory.is_null() => again(layout, request),
            memory => memory,
        }
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: as above; after a refusal the memory is still the caller's.
        let request = || unsafe { System.realloc(memory, layout, size) };
        match request() {
            larger if larger.is_null() => again(layout, request),
            larger => larger,
        }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(memory, layout) }
    }
}
