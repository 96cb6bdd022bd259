//! The folders of this program: the names in them, their mark, and their removal.
//!
//! A [`Layout`] lists the names that the program makes in a kind of folder. Three rules follow from
//! it, and keep the user's files safe:
//!
//! - A writer [claims](claim) its folder first. A folder is claimed if it is missing or empty, or if it
//!   has the mark of its kind. Anything else is refused: a file of the user may have any name.
//! - Only names of the layout are ever removed ([`remove_folder`], [`remove_leftovers`](super::remove_leftovers)).
//! - Nothing is removed through a symbolic link, since the program makes none.
//!
//! The mark is a file [`MARK`], written when a folder is claimed. Folders of versions without marks
//! are recognised by what only this program writes: [sealed](super::seal) JSON, or segments.

use std::fs;
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::directory::{
    create_directory, entries, is_hidden, named_files, remove_if_present, sync_directory_of,
};
use super::layout::{Layout, MARK, RESULT, SEGMENT_MAGIC, SITE, STORE, TMP};
use super::sealed::is_sealed;
use super::temporary::remove_empty;
use super::{IoError, Refusal, Temporary};
use crate::input;

/// The reason why a folder cannot be claimed.
#[derive(Debug, Error)]
pub enum ClaimError {
    /// The operating system refused an operation.
    #[error(transparent)]
    Io(#[from] IoError),
    /// The folder has something that this program did not make.
    #[error(
        "{} cannot be used as a {kind}: it contains {}, which seedbank did not make; nothing was changed; \
         choose a new or an empty folder", dir.display(), found.display()
    )]
    Foreign {
        /// The folder.
        dir: PathBuf,
        /// The kind of folder that it was to be.
        kind: &'static str,
        /// The first foreign name, below the folder.
        found: PathBuf,
    },
    /// The folder is marked as one of another kind.
    #[error(
        "{} cannot be used as a {kind}: the file {MARK} in it marks it as a {found}; nothing was changed; \
         choose another folder", dir.display()
    )]
    OtherKind {
        /// The folder.
        dir: PathBuf,
        /// The kind of folder that it was to be.
        kind: &'static str,
        /// Its kind.
        found: String,
    },
    /// A name of the layout is a symbolic link.
    #[error(
        "{} cannot be used as a {kind}: {} is a symbolic link, and files behind it could be replaced or removed; \
         nothing was changed; remove the link, or choose another folder", dir.display(), link.display()
    )]
    Link {
        /// The folder.
        dir: PathBuf,
        /// The kind of folder that it was to be.
        kind: &'static str,
        /// The link, below the folder.
        link: PathBuf,
    },
}

impl ClaimError {
    /// Returns the folder that is refused, and what the user can do there if the message does not
    /// say it.
    pub fn refusal(&self) -> Option<Refusal<'_>> {
        match self {
            ClaimError::Io(error) => error.refusal(),
            ClaimError::Foreign { dir, .. }
            | ClaimError::OtherKind { dir, .. }
            | ClaimError::Link { dir, .. } => Some(Refusal {
                path: dir,
                remedy: None,
            }),
        }
    }
}

/// Creates a folder of a kind, or makes sure that an existing one is of that kind: one that is empty, or
/// has the mark of the kind or finished files of it.
///
/// Hidden names and `lost+found`, which systems make, are not foreign, and neither are folders and
/// files without contents that have names of the layout. Cost: lists the folder; without a mark, also
/// the folders in it.
///
/// # Errors
///
/// [`ClaimError`]; nothing was changed then, unless the operating system refused halfway.
pub fn claim(dir: &Path, layout: &'static Layout) -> Result<(), ClaimError> {
    create_directory(dir)?;
    check_claim(dir, layout)?;
    if is_of_kind(dir, layout)? {
        return Ok(());
    }
    let tmp = dir.join(TMP);
    create_directory(&tmp)?;
    let mut temporary = Temporary::create(&tmp, "mark")?;
    temporary.write_all(mark_of(layout).as_bytes())?;
    temporary.publish(&dir.join(MARK))?;
    remove_empty(&tmp);
    Ok(())
}

/// Returns whether [`claim`] would succeed, without changing anything.
///
/// # Errors
///
/// [`ClaimError`].
pub fn check_claim(dir: &Path, layout: &'static Layout) -> Result<(), ClaimError> {
    if !dir.is_dir() {
        // Creating it fails if something else is there.
        return Ok(());
    }
    if let Some(link) = link_in(dir, layout)? {
        return Err(ClaimError::Link {
            dir: dir.to_owned(),
            kind: layout.kind,
            link,
        });
    }
    if is_of_kind(dir, layout)? {
        return Ok(());
    }
    match foreign(dir, layout)? {
        None => Ok(()),
        Some(found) => Err(ClaimError::Foreign {
            dir: dir.to_owned(),
            kind: layout.kind,
            found: found.strip_prefix(dir).unwrap_or(&found).to_owned(),
        }),
    }
}

/// Returns whether a folder is marked as one of a kind. Changes nothing.
///
/// # Errors
///
/// [`ClaimError::OtherKind`], or a mark that cannot be read.
pub fn is_marked(dir: &Path, layout: &Layout) -> Result<bool, ClaimError> {
    let mark = dir.join(MARK);
    match input::bytes(&mark) {
        Ok(bytes) if bytes == mark_of(layout).as_bytes() => Ok(true),
        Ok(bytes) => {
            let text = String::from_utf8_lossy(&bytes);
            let first = text.lines().next().unwrap_or_default();
            Err(ClaimError::OtherKind {
                dir: dir.to_owned(),
                kind: layout.kind,
                found: first.strip_prefix("seedbank ").unwrap_or(first).to_owned(),
            })
        }
        Err(cause) => match cause.kind() {
            ErrorKind::NotFound => Ok(false),
            ErrorKind::NotADirectory => Err(IoError::on("open the folder", dir)(cause).into()),
            _ => Err(IoError::on("read", &mark)(cause).into()),
        },
    }
}

/// Returns whether a folder has the mark of a kind, or without one finished files of it.
fn is_of_kind(dir: &Path, layout: &Layout) -> Result<bool, ClaimError> {
    Ok(is_marked(dir, layout)? || is_shown(dir, layout)?)
}

/// Returns the contents of the mark of a kind of folder.
fn mark_of(layout: &Layout) -> String {
    format!(
        "seedbank {}\nThe program seedbank replaces and removes its files in this folder, and no others.\n",
        layout.kind
    )
}

/// Returns the first name of the layout that is a symbolic link.
fn link_in(dir: &Path, layout: &Layout) -> Result<Option<PathBuf>, IoError> {
    let mut entries = entries(dir)?.into_iter();
    let link = entries.find(|(name, kind)| {
        let is_named = name == MARK || layout.has_file(name);
        kind.is_symlink() && (is_named || layout.folder(name).is_some())
    });
    Ok(link.map(|(name, _)| name.into()))
}

/// Returns whether a folder without a mark has finished files of its kind, which only this program
/// writes: a manifest, or files in the folder that shows the kind.
fn is_shown(dir: &Path, layout: &Layout) -> Result<bool, IoError> {
    let Some(name) = layout.shown_by else {
        return Ok(false);
    };
    let mut named = named_files(dir, layout)?;
    let inner = dir.join(name);
    if let Some(finished) = layout.folder(name.as_ref()).filter(|_| inner.is_dir()) {
        named.extend(named_files(&inner, finished)?);
    }
    for path in named {
        if is_finished(&path).map_err(IoError::on("read", &path))? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Returns whether a file is a segment or sealed.
fn is_finished(path: &Path) -> io::Result<bool> {
    let file = input::open(path)?;
    let mut bytes = Vec::new();
    (&file)
        .take(SEGMENT_MAGIC.len() as u64)
        .read_to_end(&mut bytes)?;
    if bytes == SEGMENT_MAGIC {
        return Ok(true);
    }
    (&file).read_to_end(&mut bytes)?;
    Ok(is_sealed(&bytes))
}

/// Returns the first thing in a folder that this program did not make.
fn foreign(dir: &Path, layout: &Layout) -> Result<Option<PathBuf>, ClaimError> {
    for (name, kind) in entries(dir)? {
        let path = dir.join(&name);
        let is_system = is_hidden(name.as_ref()) || name == "lost+found";
        match layout.folder(&name).filter(|_| kind.is_dir()) {
            Some(inner) if is_of_kind(&path, inner)? => {}
            Some(inner) => {
                if let Some(found) = foreign(&path, inner)? {
                    return Ok(Some(found));
                }
            }
            None if is_system => {}
            None if kind.is_file() && layout.has_file(&name) && is_blank(&path)? => {}
            None => return Ok(Some(path)),
        }
    }
    Ok(None)
}

/// Returns whether a file is empty, a mark being written, or a lock, which keeps other contents.
fn is_blank(path: &Path) -> Result<bool, IoError> {
    if path.extension().is_some_and(|found| found == "lock") {
        return Ok(true);
    }
    let bytes = input::bytes(path).map_err(IoError::on("read", path))?;
    let marks = [&STORE, &RESULT, &SITE].map(mark_of);
    Ok(marks.iter().any(|mark| mark.as_bytes().starts_with(&bytes)))
}

/// Removes a folder of this program with the names of its layout. Other names and symbolic links
/// stay, with a warning for each. Does nothing if the folder is missing.
///
/// # Errors
///
/// If the folder cannot be listed, or a file cannot be removed.
pub fn remove_folder(dir: &Path, layout: &Layout) -> Result<(), IoError> {
    for path in remove_named(dir, layout)? {
        tracing::warn!("{} stays, because seedbank did not make it", path.display());
    }
    Ok(())
}

/// Removes a folder with the names of its layout, and returns what stays.
fn remove_named(dir: &Path, layout: &Layout) -> Result<Vec<PathBuf>, IoError> {
    match fs::symlink_metadata(dir) {
        Ok(found) if found.is_dir() => {}
        Ok(_) => return Ok(vec![dir.to_owned()]),
        Err(cause) if cause.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        Err(cause) => return Err(IoError::on("inspect", dir)(cause)),
    }
    let mut stays = Vec::new();
    for (name, kind) in entries(dir)? {
        let path = dir.join(&name);
        match layout.folder(&name).filter(|_| kind.is_dir()) {
            Some(inner) => stays.extend(remove_named(&path, inner)?),
            None if name == MARK => {}
            None if kind.is_file() && layout.has_file(&name) => {
                remove_if_present(&path)?;
            }
            None => stays.push(path),
        }
    }
    // The mark goes last: what stays is in a folder of this program.
    if stays.is_empty() {
        remove_if_present(&dir.join(MARK))?;
        match fs::remove_dir(dir) {
            Err(cause) if cause.kind() != ErrorKind::NotFound => {
                return Err(IoError::on("remove", dir)(cause));
            }
            _ => sync_directory_of(dir)?,
        }
    }
    Ok(stays)
}

#[cfg(test)]
mod tests {
    use super::super::layout::NUMBERED_FOLDERS;
    use super::super::seal;
    use super::*;

    #[test]
    fn a_claimed_folder_is_marked_and_may_then_hold_anything() {
        let scratch = tempfile::tempdir().unwrap();
        let dir = scratch.path().join("store");
        claim(&dir, &STORE).unwrap();
        assert!(
            fs::read_to_string(dir.join(MARK))
                .unwrap()
                .starts_with("seedbank store\n")
        );
        fs::write(dir.join("notes.txt"), "mine").unwrap();
        claim(&dir, &STORE).unwrap();
        let text = claim(&dir, &RESULT).unwrap_err().to_string();
        assert!(text.contains("marks it as a store"), "{text}");
    }

    #[test]
    fn foreign_contents_are_refused_and_named() {
        for name in [
            "thesis.txt",
            "tmp/thesis.txt",
            "segments/1.seg",
            "photos/a.jpg",
        ] {
            let scratch = tempfile::tempdir().unwrap();
            let path = scratch.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, "mine").unwrap();
            for layout in [&STORE, &RESULT] {
                let text = claim(scratch.path(), layout).unwrap_err().to_string();
                let first = name.split('/').next().unwrap();
                assert!(text.contains(&format!("it contains {first}")), "{text}");
            }
            assert!(!scratch.path().join(MARK).exists());
        }
    }

    #[test]
    fn folders_without_a_mark_are_known_by_their_names() {
        let scratch = tempfile::tempdir().unwrap();
        let path = |name: &str| scratch.path().join(name);
        fs::create_dir_all(path("result/records")).unwrap();
        let record = path("result/records/shard-00000.json");
        fs::write(path("result/log.txt"), "of the user").unwrap();
        fs::write(&record, "{}").unwrap();
        claim(&path("result"), &RESULT).unwrap_err();
        fs::write(&record, seal("{\"blake3\":\"", b"}")).unwrap();
        claim(&path("result"), &RESULT).unwrap();
        claim(&path("result"), &STORE).unwrap_err();
        fs::create_dir_all(path("store/tmp")).unwrap();
        for name in ["store.lock", "tmp/000001.seg.7-1.tmp", ".DS_Store"] {
            fs::write(path("store").join(name), "").unwrap();
        }
        claim(&path("store"), &STORE).unwrap();
    }

    /// Files of other programs may have the names that this one gives.
    #[test]
    fn names_alone_do_not_make_a_folder_ours() {
        for (layout, name) in [
            (&RESULT, "manifest.json"),
            (&RESULT, "parts/part-00000.parquet"),
            (&RESULT, "records/shard-00000.json"),
            (&RESULT, "shards/0-of-2/records/shard-00000.json"),
            (&RESULT, "tmp/notes.2024-11.tmp"),
            (&STORE, "manifest.json"),
            (&STORE, "segments/000001-9f3c11d0.seg"),
            (&STORE, "scores/wari-6/tier-00003"),
        ] {
            let scratch = tempfile::tempdir().unwrap();
            let path = scratch.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, "{\"my\": \"app\"}\n").unwrap();
            let text = claim(scratch.path(), layout).unwrap_err().to_string();
            assert!(text.contains(&format!("it contains {name}")), "{text}");
            assert!(!scratch.path().join(MARK).exists());
        }
    }

    #[test]
    fn a_claim_killed_halfway_is_resumed() {
        let scratch = tempfile::tempdir().unwrap();
        fs::create_dir_all(scratch.path().join(TMP)).unwrap();
        let half = &mark_of(&RESULT)[..20];
        fs::write(scratch.path().join("tmp/mark.7-1.tmp"), half).unwrap();
        claim(scratch.path(), &RESULT).unwrap();
        assert!(is_marked(scratch.path(), &RESULT).unwrap());
    }

    #[cfg(unix)]
    #[test]
    fn a_mark_that_is_a_pipe_is_refused_at_once() {
        let scratch = tempfile::tempdir().unwrap();
        let mark = scratch.path().join(MARK);
        let made = std::process::Command::new("mkfifo").arg(&mark).status();
        assert!(made.unwrap().success());
        let text = claim(scratch.path(), &STORE).unwrap_err().to_string();
        assert!(text.contains("it is a pipe"), "{text}");
    }

    #[cfg(unix)]
    #[test]
    fn links_in_the_place_of_own_names_are_refused() {
        use std::os::unix::fs::symlink;
        for name in ["tmp", "manifest.json", MARK] {
            for layout in [&STORE, &RESULT] {
                let scratch = tempfile::tempdir().unwrap();
                let dir = scratch.path().join("dir");
                claim(&dir, layout).unwrap();
                let _ = fs::remove_file(dir.join(name));
                let _ = fs::remove_dir(dir.join(name));
                symlink(scratch.path(), dir.join(name)).unwrap();
                let text = claim(&dir, layout).unwrap_err().to_string();
                assert!(
                    text.contains(&format!("{name} is a symbolic link")),
                    "{text}"
                );
            }
        }
    }

    #[cfg(unix)]
    #[test]
    fn removal_leaves_foreign_names_and_links() {
        use std::os::unix::fs::symlink;
        let scratch = tempfile::tempdir().unwrap();
        let path = |name: &str| scratch.path().join(name);
        fs::create_dir_all(path("checkpoint/rows/tmp")).unwrap();
        fs::create_dir_all(path("theirs/tmp")).unwrap();
        for name in [
            "checkpoint/rows/items-00000",
            "checkpoint/rows/tmp/items.1-1.tmp",
            "checkpoint/rows/thesis.txt",
            "theirs/items-00000",
        ] {
            fs::write(path(name), "").unwrap();
        }
        symlink(path("theirs"), path("checkpoint/link")).unwrap();
        let mut stays = remove_named(&path("checkpoint"), &NUMBERED_FOLDERS).unwrap();
        stays.sort();
        let expected = ["checkpoint/link", "checkpoint/rows/thesis.txt"].map(path);
        assert_eq!(stays, expected);
        assert!(path("theirs/items-00000").exists());
        assert!(!path("checkpoint/rows/items-00000").exists());
        for name in ["checkpoint/link", "checkpoint/rows/thesis.txt"] {
            fs::remove_file(path(name)).unwrap();
        }
        assert_eq!(
            remove_named(&path("checkpoint"), &NUMBERED_FOLDERS).unwrap(),
            [""; 0].map(PathBuf::from)
        );
        assert!(!path("checkpoint").exists());
        // A link in the place of the folder.
        symlink(path("theirs"), path("checkpoint")).unwrap();
        let stays = remove_named(&path("checkpoint"), &NUMBERED_FOLDERS).unwrap();
        assert_eq!(stays, [path("checkpoint")]);
        assert!(path("theirs/items-00000").exists());
    }
}
