//! Fault injection for tests: the k-th durable operation of a process fails, or is its last.
//!
//! Every change that this module makes on the disk goes through [`doing`], so a test can enumerate
//! all instants that matter instead of hoping to hit them. In a debug build the environment
//! variable `SEEDBANK_FAULT` names a fault and an operation, counted from 1; an optimised build has
//! none of this.
//!
//! | fault | effect |
//! |---|---|
//! | `crash:K` | the process ends before operation K; earlier operations persist, synced or not |
//! | `power:K` | likewise, but unsynced changes are lost: contents are cut in half, names revert |
//! | `eio:K` | operation K fails with EIO, later ones do not |
//! | `enospc:K` | operation K and all that write after it fail with ENOSPC, as on a full disk |
//! | `list:0` | the site of every operation is logged, and none fails |
//!
//! `K:SITE` counts the operations of one site only. The site of an operation is its kind and its
//! file names, with `#` in place of each word that contains a digit:
//! `Link("/srv/data/store/tmp/#.seg.#-#.tmp", "/srv/data/store/segments/#-#.seg")`.
//!
//! Each injected fault is logged. A real disk may keep any part of the unsynced data; `crash` and
//! `power` are the two extremes.

use std::io;
use std::path::Path;

/// A change of the disk.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(
    not(debug_assertions),
    expect(dead_code, reason = "only fault injection reads the operation")
)]
pub(super) enum Operation<'a> {
    /// A directory is created.
    CreateDirectory(&'a Path),
    /// A file is created.
    Create(&'a Path),
    /// Bytes are appended to a file, or written over others.
    Write(&'a Path),
    /// A file's contents are made durable.
    Sync(&'a Path),
    /// A file gains a second name.
    Link(&'a Path, &'a Path),
    /// A file is renamed.
    Rename(&'a Path, &'a Path),
    /// A name is removed.
    Remove(&'a Path),
    /// The names in a directory are made durable.
    SyncDirectory(&'a Path),
}

/// Performs an operation, unless a fault prevents it.
#[inline]
pub(super) fn doing<T>(
    operation: Operation<'_>,
    act: impl FnOnce() -> io::Result<T>,
) -> io::Result<T> {
    #[cfg(debug_assertions)]
    {
        let before = ordered::before(&operation)?;
        let result = act()?;
        ordered::after(&operation, before);
        Ok(result)
    }
    #[cfg(not(debug_assertions))]
    {
        let _ = operation;
        act()
    }
}

#[cfg(debug_assertions)]
mod ordered {
    use std::collections::BTreeSet;
    use std::fs::{self, OpenOptions};
    use std::io;
    use std::path::{Path, PathBuf};
    use std::sync::{Mutex, OnceLock, PoisonError};

    use super::Operation;

    /// The operating system's error numbers for a device error and for a full device.
    const EIO: i32 = 5;
    const ENOSPC: i32 = 28;

    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    enum Fault {
        List,
        Crash,
        Power,
        Eio,
        Enospc,
    }

    #[derive(Debug)]
    struct State {
        fault: Fault,
        /// The only site whose operations count, if one is named.
        site: Option<String>,
        /// The operations left, up to and including the one that fails.
        left: u64,
        volatile: Volatile,
    }

    /// The changes that a loss of power would undo.
    #[derive(Debug, Default)]
    pub(super) struct Volatile {
        /// Files with unsynced contents, by all of their names.
        contents: BTreeSet<PathBuf>,
        /// The unsynced changes of names, oldest first.
        names: Vec<Undo>,
    }

    /// The former state of a name.
    #[derive(Debug)]
    pub(super) struct Undo {
        path: PathBuf,
        /// The content of the file that it named, if any.
        before: Option<Vec<u8>>,
        is_directory: bool,
    }

    fn state() -> Option<&'static Mutex<State>> {
        static STATE: OnceLock<Option<Mutex<State>>> = OnceLock::new();
        STATE
            .get_or_init(|| {
                let order = std::env::var("SEEDBANK_FAULT").ok()?;
                let (fault, left) = order.split_once(':')?;
                let (left, site) = match left.split_once(':') {
                    Some((left, site)) => (left, Some(site.to_owned())),
                    None => (left, None),
                };
                let fault = match fault {
                    "list" => Fault::List,
                    "crash" => Fault::Crash,
                    "power" => Fault::Power,
                    "eio" => Fault::Eio,
                    "enospc" => Fault::Enospc,
                    _ => return None,
                };
                let (left, volatile) = (left.parse().ok()?, Volatile::default());
                Some(Mutex::new(State {
                    fault,
                    site,
                    left,
                    volatile,
                }))
            })
            .as_ref()
    }

    /// Returns the kind of an operation and its names, with `#` in place of each word that contains
    /// a digit.
    fn site(operation: &Operation<'_>) -> String {
        let text = format!("{operation:?}");
        let words = text.split_inclusive(|c: char| !c.is_ascii_alphanumeric());
        let kinds = words.map(|word| match word.find(|c: char| c.is_ascii_digit()) {
            Some(_) => format!(
                "#{}",
                word.trim_start_matches(|c: char| c.is_ascii_alphanumeric())
            ),
            None => word.to_owned(),
        });
        kinds.collect()
    }

    /// Counts an operation. Fails it or ends the process if the fault applies to it; otherwise
    /// returns the former state of the names that it changes.
    pub(super) fn before(operation: &Operation<'_>) -> io::Result<Option<Undo>> {
        let Some(state) = state() else {
            return Ok(None);
        };
        let mut state = state.lock().unwrap_or_else(PoisonError::into_inner);
        if state.fault == Fault::List {
            tracing::warn!("durable operation: {}", site(operation));
        }
        let counts = state
            .site
            .as_ref()
            .is_none_or(|only| *only == site(operation));
        let due = counts && state.left == 1;
        state.left = state.left.saturating_sub(u64::from(counts));
        if due {
            tracing::warn!("injected fault: {:?} at {operation:?}", state.fault);
        }
        let adds = !matches!(operation, Operation::Remove(_));
        match state.fault {
            Fault::Crash if due => std::process::abort(),
            Fault::Power if due => {
                state.volatile.lose();
                std::process::abort()
            }
            Fault::Eio if due => Err(io::Error::from_raw_os_error(EIO)),
            Fault::Enospc if state.left == 0 && adds => Err(io::Error::from_raw_os_error(ENOSPC)),
            Fault::Power => Ok(Undo::of(operation)),
            _ => Ok(None),
        }
    }

    /// Records a finished operation.
    pub(super) fn after(operation: &Operation<'_>, before: Option<Undo>) {
        let Some(state) = state() else {
            return;
        };
        let mut state = state.lock().unwrap_or_else(PoisonError::into_inner);
        if state.fault == Fault::Power {
            state.volatile.note(operation, before);
        }
    }

    impl Undo {
        /// Returns the current state of the name that an operation changes.
        pub(super) fn of(operation: &Operation<'_>) -> Option<Undo> {
            let (path, is_directory) = match operation {
                Operation::CreateDirectory(path) => (path, true),
                Operation::Create(path)
                | Operation::Link(_, path)
                | Operation::Rename(_, path)
                | Operation::Remove(path) => (path, false),
                Operation::Write(_) | Operation::Sync(_) | Operation::SyncDirectory(_) => {
                    return None;
                }
            };
            Some(Undo {
                path: path.to_path_buf(),
                before: fs::read(path).ok(),
                is_directory,
            })
        }
    }

    impl Volatile {
        pub(super) fn note(&mut self, operation: &Operation<'_>, before: Option<Undo>) {
            self.names.extend(before);
            match *operation {
                Operation::Create(path) | Operation::Write(path) => {
                    self.contents.insert(path.to_path_buf());
                }
                Operation::Sync(path) => {
                    self.contents.remove(path);
                }
                Operation::Link(from, to) | Operation::Rename(from, to) => {
                    self.contents.remove(to);
                    if self.contents.contains(from) {
                        self.contents.insert(to.to_path_buf());
                    }
                }
                Operation::SyncDirectory(dir) => {
                    self.names.retain(|undo| undo.path.parent() != Some(dir));
                }
                Operation::CreateDirectory(_) | Operation::Remove(_) => {}
            }
        }

        /// Undoes all unsynced changes, as far as possible.
        pub(super) fn lose(&mut self) {
            // Lengths first, for a file may be listed under two names.
            let lengths = self.contents.iter().map(fs::metadata);
            let halves: Vec<u64> = lengths
                .map(|file| file.map_or(0, |file| file.len() / 2))
                .collect();
            for (path, half) in self.contents.iter().zip(halves) {
                let file = OpenOptions::new().write(true).open(path);
                let _ = file.and_then(|file| file.set_len(half));
            }
            for undo in self.names.drain(..).rev() {
                let _ = match (&undo.before, undo.is_directory) {
                    // Never written into the file that has the name now: it may have another name
                    // that stays.
                    (Some(bytes), _) => {
                        remove(&undo.path).and_then(|()| fs::write(&undo.path, bytes))
                    }
                    (None, true) => fs::remove_dir(&undo.path),
                    (None, false) => remove(&undo.path),
                };
            }
        }
    }

    fn remove(path: &Path) -> io::Result<()> {
        match fs::remove_file(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            other => other,
        }
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn operations_alike_but_for_numbers_have_one_site() {
            let link = |from, to| site(&Operation::Link(Path::new(from), Path::new(to)));
            let expected = r##"Link("/tmp/#/tmp/#.seg.#-#.tmp", "/tmp/#/segments/#-#.seg")"##;
            let one = link(
                "/tmp/x1/tmp/000001.seg.77-4.tmp",
                "/tmp/x1/segments/000001-8a3f.seg",
            );
            assert_eq!(one, expected);
            let other = link(
                "/tmp/2y/tmp/000020.seg.78-0.tmp",
                "/tmp/2y/segments/000020-00b0.seg",
            );
            assert_eq!(other, expected);
            let path = Path::new("/srv/out/records/shard-00000.json");
            assert_eq!(
                site(&Operation::Sync(path)),
                r##"Sync("/srv/out/records/shard-#.json")"##
            );
            assert_ne!(site(&Operation::Sync(path)), site(&Operation::Write(path)));
        }

        /// Performs an operation and records it.
        fn done(volatile: &mut Volatile, operation: Operation<'_>, act: impl FnOnce()) {
            let before = Undo::of(&operation);
            act();
            volatile.note(&operation, before);
        }

        /// The commit of a file, with one of its syncs omitted.
        #[test]
        fn what_is_not_synced_is_lost() {
            for (left_out, expected) in [
                ("nothing", Some(&b"new!"[..])),
                ("contents", Some(&b"ne"[..])),
                ("directory", None),
            ] {
                let dir = tempfile::tempdir().unwrap();
                let (tmp, to) = (dir.path().join("tmp"), dir.path().join("final"));
                let mut volatile = Volatile::default();
                done(&mut volatile, Operation::Create(&tmp), || {
                    fs::write(&tmp, "").unwrap()
                });
                let write = || fs::write(&tmp, "new!").unwrap();
                done(&mut volatile, Operation::Write(&tmp), write);
                if left_out != "contents" {
                    done(&mut volatile, Operation::Sync(&tmp), || {});
                }
                let link = || fs::hard_link(&tmp, &to).unwrap();
                done(&mut volatile, Operation::Link(&tmp, &to), link);
                if left_out != "directory" {
                    done(&mut volatile, Operation::SyncDirectory(dir.path()), || {});
                }
                volatile.lose();
                assert_eq!(fs::read(&to).ok().as_deref(), expected, "{left_out}");
            }
        }

        #[test]
        fn a_replaced_or_removed_file_is_back_unless_its_directory_was_synced() {
            for synced in [false, true] {
                let dir = tempfile::tempdir().unwrap();
                let path = |name: &str| dir.path().join(name);
                let (new, old, gone) = (path("new"), path("old"), path("gone"));
                for (path, text) in [(&new, "new"), (&old, "old"), (&gone, "gone")] {
                    fs::write(path, text).unwrap();
                }
                let mut volatile = Volatile::default();
                let rename = || fs::rename(&new, &old).unwrap();
                done(&mut volatile, Operation::Rename(&new, &old), rename);
                let remove = || fs::remove_file(&gone).unwrap();
                done(&mut volatile, Operation::Remove(&gone), remove);
                if synced {
                    done(&mut volatile, Operation::SyncDirectory(dir.path()), || {});
                }
                volatile.lose();
                let expected = if synced { "new" } else { "old" };
                assert_eq!(fs::read_to_string(&old).unwrap(), expected);
                assert_eq!(gone.exists(), !synced);
            }
        }
    }
}
