//! Memory: how much the machine has, and how much is in use.

use std::fs;

use bytesize::ByteSize;

use crate::dataset::writer_bytes;

/// The bytes of address space that a process maps and does not fill: the arena of forms maps 128 MiB
/// at a time, in up to three places at once.
///
/// Unit: bytes.
const MAPPED_AHEAD: u64 = 512 << 20;

/// Returns three quarters of the memory that is available to this process now: of the machine's
/// free memory, or of the least limit on the process. These are the limits of its control groups,
/// of both versions and at every level, and the limits on its data and its address space.
///
/// If the system does not report the free memory, a small machine with 4 GiB is assumed.
pub fn memory_available() -> ByteSize {
    let machine = kibibytes("/proc/meminfo", "MemAvailable:").unwrap_or(4 << 30);
    let read = |path: &str| fs::read_to_string(path).ok();
    let text = |path| read(path).unwrap_or_default();
    let groups = group_limit(
        &text("/proc/self/mountinfo"),
        &text("/proc/self/cgroup"),
        read,
    );
    let limits = text("/proc/self/limits");
    let left = |name, used| {
        let used = kibibytes("/proc/self/status", used).unwrap_or(0);
        Some(process_limit(&limits, name)?.saturating_sub(used))
    };
    let data = left("Max data size", "VmData:");
    // The allocator and the stacks of threads also map more than they fill.
    let space = left("Max address space", "VmSize:");
    let space = space.map(|left| (left / 4).max(left.saturating_sub(MAPPED_AHEAD) / 2));
    let least = [groups, data, space].into_iter().flatten();
    ByteSize(least.fold(machine, u64::min) / 4 * 3)
}

/// Returns the least memory limit of the process's control groups and of those above them, if there
/// is one. `mounts` and `groups` are the texts of `/proc/self/mountinfo` and `/proc/self/cgroup`.
fn group_limit(mounts: &str, groups: &str, read: impl Fn(&str) -> Option<String>) -> Option<u64> {
    let mut least: Option<u64> = None;
    for line in mounts.lines() {
        // 35 31 0:32 /docker/f76 /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory
        let Some((mount, system)) = line.split_once(" - ") else {
            continue;
        };
        let mount: Vec<&str> = mount.split(' ').collect();
        let system: Vec<&str> = system.split(' ').collect();
        let ([_, _, _, root, point, ..], [kind, _, options]) = (&mount[..], &system[..]) else {
            continue;
        };
        let files: &[&str] = match *kind {
            "cgroup2" => &["memory.max", "memory.high"],
            "cgroup" if options.split(',').any(|option| option == "memory") => {
                &["memory.limit_in_bytes"]
            }
            _ => continue,
        };
        // 4:memory:/docker/f76/job, or 0::/docker/f76/job in version 2
        let path = groups.lines().find_map(|line| {
            let (controllers, path) = line.split_once(':')?.1.split_once(':')?;
            let is_of_mount = match *kind {
                "cgroup2" => controllers.is_empty(),
                _ => controllers.split(',').any(|name| name == "memory"),
            };
            is_of_mount.then_some(path)
        });
        // A container may see its own group as the root of the mount.
        let path = path.unwrap_or_default();
        let path = path
            .strip_prefix(root.trim_end_matches('/'))
            .unwrap_or(path);
        let mut folder = format!("{point}{}", path.trim_end_matches('/'));
        loop {
            let limits = files
                .iter()
                .filter_map(|file| read(&format!("{folder}/{file}")));
            let limits = limits.filter_map(|limit| limit.trim().parse().ok());
            least = limits.chain(least).min();
            match folder.rfind('/') {
                Some(end) if end >= point.len() => folder.truncate(end),
                _ => break,
            }
        }
    }
    least
}

/// Returns a limit on the process, unless it is `unlimited`. `limits` is the text of
/// `/proc/self/limits`: `Max data size    1048576    unlimited    bytes`.
fn process_limit(limits: &str, name: &str) -> Option<u64> {
    let line = limits.lines().find_map(|line| line.strip_prefix(name))?;
    line.split_whitespace().next()?.parse().ok()
}

/// Returns the bytes for `threads` threads, each with `each` bytes and a writer. One writer is left
/// out, because every run counts one already.
pub(crate) fn bytes_of_threads(threads: u64, each: u64) -> u64 {
    let writers = (threads - 1) * writer_bytes(u64::MAX);
    threads.saturating_mul(each).saturating_add(writers)
}

/// Returns the resident bytes of the process without mapped files, if the system reports them.
pub fn memory_in_use() -> Option<u64> {
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
    fn the_least_limit_of_all_groups_on_the_path_counts() {
        let (new, old) = (
            "30 23 0:28 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw,nsdelegate",
            "35 31 0:32 /docker/f7 /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory",
        );
        let unlimited = "9223372036854771712\n";
        let files = [
            ("/sys/fs/cgroup/a/b/c/memory.max", "max\n"),
            ("/sys/fs/cgroup/a/b/memory.max", "3000000\n"),
            ("/sys/fs/cgroup/a/memory.high", "2000000\n"),
            ("/sys/fs/cgroup/a/memory.max", "4000000\n"),
            (
                "/sys/fs/cgroup/memory/job/step/memory.limit_in_bytes",
                unlimited,
            ),
            (
                "/sys/fs/cgroup/memory/job/memory.limit_in_bytes",
                "1000000\n",
            ),
            ("/sys/fs/cgroup/memory/memory.limit_in_bytes", "5000000\n"),
            ("/sys/fs/memory.max", "1\n"),
        ];
        let read = |path: &str| {
            let file = files.iter().find(|file| file.0 == path)?;
            Some(file.1.to_owned())
        };
        let limit = |mount: &str, group: &str| group_limit(mount, group, read);
        assert_eq!(limit(new, "0::/a/b/c"), Some(2_000_000));
        assert_eq!(limit(new, "0::/a"), Some(2_000_000));
        assert_eq!(limit(new, "0::/"), None);
        let groups = "9:cpu,cpuacct:/\n4:memory:/docker/f7/job/step\n0::/a/b\n";
        assert_eq!(limit(old, groups), Some(1_000_000));
        assert_eq!(limit(old, "4:memory:/docker/f7"), Some(5_000_000));
        // A path outside the mount: at least the mount itself counts.
        assert_eq!(limit(old, "4:memory:/other/x"), Some(5_000_000));
        assert_eq!(limit(&format!("{new}\n{old}"), groups), Some(1_000_000));
        assert_eq!(limit("", groups), None);
    }

    #[test]
    fn limits_on_the_process_are_read() {
        let limits = "Limit                     Soft Limit           Hard Limit           Units     \n\
                      Max data size             1048576              unlimited            bytes     \n\
                      Max address space         unlimited            unlimited            bytes     \n";
        assert_eq!(process_limit(limits, "Max data size"), Some(1 << 20));
        assert_eq!(process_limit(limits, "Max address space"), None);
        assert_eq!(process_limit("", "Max data size"), None);
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
