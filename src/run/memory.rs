//! Memory: how much the machine has, and how much is in use.

use std::fs;

use bytesize::ByteSize;

use crate::dataset::writer_bytes;

/// Returns three quarters of the memory that is available to this process now: of the machine's
/// free memory, or of its control group's limit if that is less.
///
/// If the system does not report it, a small machine with 4 GiB is assumed.
pub fn memory_available() -> ByteSize {
    let machine = kibibytes("/proc/meminfo", "MemAvailable:");
    let group = [
        "/sys/fs/cgroup/memory.max",
        "/sys/fs/cgroup/memory/memory.limit_in_bytes",
    ]
    .iter()
    .find_map(|path| fs::read_to_string(path).ok()?.trim().parse::<u64>().ok());
    let least = machine.into_iter().chain(group).min();
    ByteSize(least.unwrap_or(4 << 30) / 4 * 3)
}

/// Returns the bytes for `threads` threads, each with `each` bytes and a writer. One writer is left
/// out, because every run counts one already.
pub(crate) fn bytes_of_threads(threads: u64, each: u64) -> u64 {
    let writers = (threads - 1) * writer_bytes(u64::MAX);
    threads.saturating_mul(each).saturating_add(writers)
}

/// Returns the resident bytes of the process without mapped files, if the system reports them.
pub(crate) fn memory_in_use() -> Option<u64> {
    kibibytes("/proc/self/status", "RssAnon:")
}

/// Returns freed memory to the system, in whole pages.
///
/// The allocator holds freed memory back. Without this call, the process would not shrink when many
/// small tables are dropped.
pub(crate) fn give_back() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        unsafe extern "C" {
            fn malloc_trim(pad: usize) -> i32;
        }
        // SAFETY: the function belongs to the C library that the program is linked with. It accepts
        // any number, and any thread may call it at any time.
        unsafe { malloc_trim(0) };
    }
}

/// Makes the allocator keep the memory that table writers free, instead of returning it to the
/// system and requesting it again.
///
/// The setting applies to the whole process, and setting it twice is harmless. Each thread keeps at
/// most 16 MiB beyond its use until [`give_back`]; a busy writer takes about that much.
///
/// PERF: pages of a column are 1 MiB, and each is made in fresh buffers, encoded and compressed. By
/// default the allocator returns these to the system whenever a page is done, and a quarter of the
/// time goes into page faults: 10^7 boards with the 16 nearest bins took 613,000 of them and 4.3 s
/// of processor time, and take 5,000 and 3.2 s.
pub(crate) fn keep_freed() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        /// `M_TRIM_THRESHOLD` and `M_MMAP_THRESHOLD` of `malloc.h`, which are part of the binary
        /// interface.
        const TRIM_THRESHOLD: i32 = -1;
        const MMAP_THRESHOLD: i32 = -3;
        unsafe extern "C" {
            fn mallopt(parameter: i32, value: i32) -> i32;
        }
        // SAFETY: the function belongs to the C library that the program is linked with. It refuses
        // parameters that it does not know, and any thread may call it at any time.
        unsafe {
            mallopt(TRIM_THRESHOLD, 16 << 20);
            mallopt(MMAP_THRESHOLD, 4 << 20);
        }
    }
}

/// Returns the bytes stated by a line of a file such as `MemAvailable:  1024 kB`.
fn kibibytes(path: &str, label: &str) -> Option<u64> {
    let text = fs::read_to_string(path).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix(label))?;
    Some(
        line.trim()
            .trim_end_matches("kB")
            .trim()
            .parse::<u64>()
            .ok()?
            << 10,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    #[test]
    fn memory_in_small_pieces_is_given_back() {
        let before = memory_in_use().unwrap();
        let mut held: Vec<Box<[u8; 1000]>> = (0..64 << 10).map(|_| Box::new([1; 1000])).collect();
        let last = held.pop();
        drop(held);
        give_back();
        let after = memory_in_use().unwrap();
        // Other tests run at the same time.
        assert!(after < before + (48 << 20), "{before}, {after}, {last:?}");
    }

    #[test]
    fn memory_in_use_grows_with_what_is_held() {
        // Other tests run at the same time and may free the same amount just then.
        let grows = || {
            let before = memory_in_use().unwrap();
            let held = std::hint::black_box(vec![1u8; 64 << 20]);
            let grown = memory_in_use().unwrap().saturating_sub(before);
            grown >= held.len() as u64 - (4 << 20)
        };
        assert!((0..20).any(|_| grows()));
        assert!(memory_available() > ByteSize(1 << 20));
    }
}
