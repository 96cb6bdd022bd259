//! Files that the user names: written whole or not at all, wherever they are.
//!
//! A [`Temporary`] file beside the final place gets its name when it is whole, so a fault or a full
//! disk leaves the earlier file as it was. Symbolic links are followed and stay. The file keeps the
//! permissions of the one that it replaces, and its owner where the system allows that. Pipes,
//! devices and open files (`/dev/fd/3`) are written to, since nothing can take their place.

use std::fs::{self, Metadata, OpenOptions};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};

use super::{IoError, Temporary};

/// The most symbolic links followed, as on Linux.
const LINKS_MAX: usize = 40;

/// The beginning of the names of temporary files. It is hidden, and short wherever names are long.
const STEM: &str = ".seedbank";

/// Passes a writer to `write`, and gives the file its name when `write` has returned `Ok`.
///
/// # Errors
///
/// The error of `write`, and [`IoError`] with `path` if it cannot be written. A regular file is then
/// what it was before.
///
/// ```
/// use std::fs;
///
/// use seedbank_files::durable::{IoError, write_whole};
///
/// let dir = tempfile::tempdir()?;
/// let path = dir.path().join("page.html");
/// let text = |file: &mut dyn std::io::Write| file.write_all(b"whole").map_err(IoError::on("write", &path));
/// write_whole(&path, text)?;
/// assert_eq!(fs::read(&path)?, b"whole");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write_whole<T, E: From<IoError>>(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> Result<T, E>,
) -> Result<T, E> {
    let failed = |cause| E::from(IoError::on("write", path)(cause));
    // Temporary names mean nothing to the user.
    let named = |error: IoError| failed(error.cause);
    let target = resolved(path);
    let found = match fs::metadata(&target) {
        Ok(found) => Some(found),
        Err(cause) if cause.kind() == ErrorKind::NotFound => None,
        Err(cause) => return Err(failed(cause)),
    };
    if is_open_file(&target) || found.as_ref().is_some_and(|found| !found.is_file()) {
        let file = OpenOptions::new().append(true).open(&target);
        let mut file = BufWriter::new(file.map_err(failed)?);
        let written = write(&mut file)?;
        file.flush().map_err(failed)?;
        return Ok(written);
    }
    if found.is_some() {
        // A file that may not be written is not replaced either, although its folder allows that.
        OpenOptions::new()
            .write(true)
            .open(&target)
            .map_err(failed)?;
    }
    let folder = folder_of(&target);
    fs::metadata(folder).map_err(failed)?;
    let temporary = Temporary::create(folder, STEM).map_err(named)?;
    if let Some(found) = &found {
        temporary.take_rights(found).map_err(failed)?;
    }
    let mut file = BufWriter::new(temporary);
    let written = write(&mut file)?;
    let temporary = file
        .into_inner()
        .map_err(|error| failed(error.into_error()))?;
    temporary.replace(&target).map_err(named)?;
    Ok(written)
}

/// Returns whether a path is another name of this process's standard output, such as `/dev/stdout`.
pub fn is_standard_output(path: &Path) -> bool {
    let target = resolved(path);
    is_open_file(&target) && target.file_name().is_some_and(|name| name == "1")
}

/// Follows symbolic links, but not those that stand for open files.
fn resolved(path: &Path) -> PathBuf {
    let mut path = path.to_owned();
    for _ in 0..LINKS_MAX {
        if is_open_file(&path) {
            break;
        }
        match fs::read_link(&path) {
            Ok(link) => path = folder_of(&path).join(link),
            Err(_) => break,
        }
    }
    path
}

/// Returns whether a path stands for a file that this process has open.
fn is_open_file(path: &Path) -> bool {
    let Ok(folder) = fs::canonicalize(folder_of(path)) else {
        return false;
    };
    folder == Path::new("/dev/fd") || folder.starts_with("/proc") && folder.ends_with("fd")
}

fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    }
}

impl Temporary {
    /// Takes over the owner and the permissions of a file.
    fn take_rights(&self, of: &Metadata) -> io::Result<()> {
        #[cfg(unix)]
        {
            use std::os::unix::fs::{MetadataExt, fchown};

            let ours = self.file().metadata()?;
            if (ours.uid(), ours.gid()) != (of.uid(), of.gid())
                && let Err(error) = fchown(self.file(), Some(of.uid()), Some(of.gid()))
            {
                tracing::debug!("the owner of the file changes: {error}");
            }
        }
        self.file().set_permissions(of.permissions())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn put(path: &Path, text: &str) -> Result<(), IoError> {
        write_whole(path, |file| {
            file.write_all(text.as_bytes())
                .map_err(IoError::on("write", path))
        })
    }

    #[test]
    fn a_failed_write_leaves_the_earlier_file() {
        let scratch = tempfile::tempdir().unwrap();
        let path = scratch.path().join("page");
        put(&path, "first").unwrap();
        let failed = write_whole(&path, |file| {
            file.write_all(b"second").unwrap();
            Err::<(), _>(IoError::on("write", &path)(ErrorKind::StorageFull.into()))
        });
        assert!(failed.is_err());
        assert_eq!(fs::read_to_string(&path).unwrap(), "first");
        put(&path, "third").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "third");
        assert_eq!(fs::read_dir(scratch.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_missing_folder_is_an_error_and_is_not_made() {
        let scratch = tempfile::tempdir().unwrap();
        let path = scratch.path().join("missing/page");
        let text = put(&path, "text").unwrap_err().to_string();
        assert!(
            text.starts_with(&format!("cannot write {}: ", path.display())),
            "{text}"
        );
        assert!(!scratch.path().join("missing").exists());
        put(scratch.path(), "text").unwrap_err();
    }

    #[cfg(unix)]
    #[test]
    fn links_are_followed_and_permissions_stay() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let scratch = tempfile::tempdir().unwrap();
        let path = |name: &str| scratch.path().join(name);
        put(&path("target"), "first").unwrap();
        fs::set_permissions(path("target"), fs::Permissions::from_mode(0o600)).unwrap();
        symlink("target", path("link")).unwrap();
        symlink(path("link"), path("link of link")).unwrap();
        put(&path("link of link"), "second").unwrap();
        assert_eq!(fs::read_to_string(path("target")).unwrap(), "second");
        assert_eq!(
            fs::metadata(path("target")).unwrap().permissions().mode() & 0o777,
            0o600
        );
        assert!(path("link").is_symlink() && path("link of link").is_symlink());
        // A link to a file that does not exist yet.
        symlink("later", path("dangling")).unwrap();
        put(&path("dangling"), "third").unwrap();
        assert_eq!(fs::read_to_string(path("later")).unwrap(), "third");
        put(Path::new("/dev/null"), "text").unwrap();
        assert!(!fs::symlink_metadata("/dev/null").unwrap().is_file());
        assert!(is_standard_output(Path::new("/dev/stdout")));
        assert!(!is_standard_output(Path::new("/dev/stderr")));
        assert!(!is_standard_output(&path("target")));
    }
}
