//! Folders of numbered files: the one format of checkpoints.
//!
//! Each file is a line of JSON (the work it belongs to, its name, and a header), bytes, and the
//! BLAKE3 checksum of all that. A file is whole or absent: it is written in a folder `tmp` beside
//! the others and only then gets its name. A file that is found under another name, or belongs to
//! other work, is not read.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, Take};
use std::path::{Path, PathBuf};

use memmap2::{Mmap, MmapOptions};
use seedbank_files::durable::{self, Temporary};
use seedbank_files::input;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::dataset::DatasetError;

/// The size of a write buffer.
///
/// Unit: bytes.
const BUFFER: usize = 1 << 20;

const CHECKSUM: u64 = blake3::OUT_LEN as u64;

/// The unread rest of a file, without its checksum.
type Bytes = BufReader<Take<File>>;

/// A folder of checkpoint files; it is created by the first write.
#[derive(Clone, Debug)]
pub(crate) struct Folder {
    dir: PathBuf,
    /// The work that the files belong to.
    of: String,
}

/// The first line of a file.
#[derive(Serialize, Deserialize)]
struct Line<H> {
    of: String,
    /// The names of the folder and of the file; absent in files of earlier builds.
    #[serde(default)]
    file: Option<String>,
    header: H,
}

/// Why a file cannot be used, as a sentence about "it".
pub(crate) type Unfit = String;

/// The header of a file and the bytes after it, or why the file cannot be used.
type Found<H> = Result<(H, Body), Unfit>;

impl Folder {
    /// Opens the folder of some work, and removes files that a killed writer left half-written.
    /// Refuses a symbolic link: what is behind it is the user's.
    pub(crate) fn open(dir: PathBuf, of: String) -> Result<Folder, DatasetError> {
        durable::refuse_link(&dir)?;
        durable::remove_leftovers(&dir.join(durable::TMP))?;
        Ok(Folder { dir, of })
    }

    /// Opens a folder of any work for reading; removes nothing.
    pub(crate) fn at(dir: PathBuf) -> Folder {
        Folder {
            dir,
            of: String::new(),
        }
    }

    /// Returns the header of a file, whatever work it belongs to, without comparing its checksum.
    /// Returns `None` if the file is missing or has no such header.
    pub(crate) fn header<H: DeserializeOwned>(
        &self,
        kind: &str,
        number: usize,
    ) -> Result<Option<H>, DatasetError> {
        let path = self.path(kind, number);
        let file = match input::open(&path) {
            Ok(file) => file,
            Err(cause) if cause.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(cause) => return Err(DatasetError::io("open", &path)(cause)),
        };
        let mut line = Vec::new();
        let read = BufReader::new(file).read_until(b'\n', &mut line);
        read.map_err(DatasetError::io("read", &path))?;
        let line = serde_json::from_slice::<Line<H>>(&line).ok();
        let line = line.filter(|line| self.is_named(line.file.as_deref(), kind, number));
        Ok(line.map(|line| line.header))
    }

    /// Returns the numbers of the files of one kind, ascending.
    pub(crate) fn numbers(&self, kind: &str) -> Result<Vec<usize>, DatasetError> {
        Ok(self.numbers_of(kind, &durable::plain_files(&self.dir)?))
    }

    /// Returns the numbers in the names of one kind, ascending, of files and whatever else is in their
    /// places, such as links.
    pub(crate) fn names(&self, kind: &str) -> Result<Vec<usize>, DatasetError> {
        Ok(self.numbers_of(kind, &durable::paths(&self.dir)?))
    }

    fn numbers_of(&self, kind: &str, paths: &[PathBuf]) -> Vec<usize> {
        let number = |path: &PathBuf| {
            let name = path.file_name()?.to_str()?;
            let number = name.strip_prefix(kind)?.strip_prefix('-')?.parse().ok()?;
            // `rows-7` is not the name of number 7.
            (*path == self.path(kind, number)).then_some(number)
        };
        paths.iter().filter_map(number).collect()
    }

    /// Creates the folder if it is missing, and returns its path.
    pub(crate) fn made(&self) -> Result<&Path, DatasetError> {
        durable::create_directory(&self.dir)?;
        Ok(&self.dir)
    }

    /// Returns whether there is a file of this kind with number 0.
    pub(crate) fn has(&self, kind: &str) -> Result<bool, DatasetError> {
        let path = self.path(kind, 0);
        path.try_exists()
            .map_err(DatasetError::io("inspect", &path))
    }

    /// Removes a file for good; returns whether it existed.
    pub(crate) fn remove(&self, kind: &str, number: usize) -> Result<bool, DatasetError> {
        Ok(durable::remove(&self.path(kind, number))?)
    }

    /// Begins a file.
    pub(crate) fn writer(
        &self,
        kind: &str,
        number: usize,
        header: &impl Serialize,
    ) -> Result<Writer, DatasetError> {
        let path = self.path(kind, number);
        assert!(
            path.file_name()
                .is_some_and(|name| durable::NUMBERED.has_file(name)),
            "numbered files have names that `durable::remove_folder` removes"
        );
        let tmp = self.dir.join(durable::TMP);
        durable::create_directory(&tmp)?;
        let line = Line {
            of: self.of.clone(),
            file: Some(self.name(kind, number)),
            header,
        };
        let mut buffer = serde_json::to_vec(&line).expect("a header is plain data");
        buffer.push(b'\n');
        Ok(Writer {
            temporary: Temporary::create(&tmp, kind)?,
            path,
            hasher: blake3::Hasher::new(),
            buffer,
        })
    }

    /// Returns the header of a file and the bytes after it.
    ///
    /// Returns `None` if the file is absent and, with a warning, if it is [unfit](Self::inspect).
    pub(crate) fn read<H: DeserializeOwned>(
        &self,
        kind: &str,
        number: usize,
    ) -> Result<Option<(H, Body)>, DatasetError> {
        self.read_if(kind, number, |_, _| Ok(()))
    }

    /// Reads a file as [`Folder::read`] does, unless `check` finds that its contents do not fit.
    pub(crate) fn read_if<H: DeserializeOwned>(
        &self,
        kind: &str,
        number: usize,
        check: impl FnOnce(&H, &Body) -> Result<(), Unfit>,
    ) -> Result<Option<(H, Body)>, DatasetError> {
        let found = self.inspect(kind, number, |of| of == self.of)?;
        let fitting = found.map(|found| {
            let (header, body) = found?;
            check(&header, &body).map(|()| (header, body))
        });
        fitting.transpose().or_else(|unfit| {
            tracing::warn!(
                "{} is ignored, and its contents are computed again: {unfit}",
                self.path(kind, number).display()
            );
            Ok(None)
        })
    }

    /// Returns the header of a file and the bytes after it, or why the file cannot be used: it is
    /// damaged, belongs to other work, or has the name of another file. Returns `None` if the file
    /// is absent.
    pub(crate) fn inspect<H: DeserializeOwned>(
        &self,
        kind: &str,
        number: usize,
        is_own: impl FnOnce(&str) -> bool,
    ) -> Result<Option<Found<H>>, DatasetError> {
        let path = self.path(kind, number);
        let file = match input::open(&path) {
            Ok(file) => file,
            Err(cause) if cause.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(cause) => return Err(DatasetError::io("open", &path)(cause)),
        };
        let sound = sound(file).map_err(DatasetError::io("read", &path))?;
        let Some((line, bytes)) = sound else {
            return Ok(Some(Err("its checksum differs".to_owned())));
        };
        let start = line.len() as u64;
        let line = match serde_json::from_slice::<Line<H>>(&line) {
            Ok(line) => line,
            Err(error) => return Ok(Some(Err(format!("it has other contents: {error}")))),
        };
        if !is_own(&line.of) {
            return Ok(Some(Err(format!("it belongs to other work ({})", line.of))));
        }
        if !self.is_named(line.file.as_deref(), kind, number) {
            let written = line.file.unwrap_or_default();
            return Ok(Some(Err(format!(
                "it is a copy of another file ({written})"
            ))));
        }
        let body = Body {
            path,
            start,
            // The reader has passed the line; the limit is that of the bytes it has not fetched yet.
            len: bytes.get_ref().limit() + bytes.buffer().len() as u64,
            bytes,
        };
        Ok(Some(Ok((line.header, body))))
    }

    /// Returns whether a file says that it is the one of this kind and number, if it says so.
    fn is_named(&self, written: Option<&str>, kind: &str, number: usize) -> bool {
        written.is_none_or(|written| written == self.name(kind, number))
    }

    /// Returns the names of the folder and of a file in it.
    pub(crate) fn name(&self, kind: &str, number: usize) -> String {
        let folder = self.dir.file_name().unwrap_or_default().to_string_lossy();
        format!("{folder}/{}", file_name(kind, number))
    }

    pub(crate) fn path(&self, kind: &str, number: usize) -> PathBuf {
        self.dir.join(file_name(kind, number))
    }
}

fn file_name(kind: &str, number: usize) -> String {
    format!("{kind}-{number:05}")
}

/// A file that is being written.
pub(crate) struct Writer {
    temporary: Temporary,
    path: PathBuf,
    hasher: blake3::Hasher,
    buffer: Vec<u8>,
}

impl Writer {
    /// Appends bytes.
    pub(crate) fn extend(
        &mut self,
        bytes: impl IntoIterator<Item = u8>,
    ) -> Result<(), DatasetError> {
        self.buffer.extend(bytes);
        if self.buffer.len() >= BUFFER {
            self.flush()?;
        }
        Ok(())
    }

    fn flush(&mut self) -> Result<(), DatasetError> {
        self.hasher.update(&self.buffer);
        self.temporary.write_all(&self.buffer)?;
        self.buffer.clear();
        Ok(())
    }

    /// Makes the file durable and gives it its final name.
    pub(crate) fn publish(mut self) -> Result<(), DatasetError> {
        self.flush()?;
        let hash = self.hasher.finalize();
        self.temporary.write_all(hash.as_bytes())?;
        Ok(self.temporary.replace(&self.path)?)
    }
}

/// The bytes of a file after its header.
pub(crate) struct Body {
    path: PathBuf,
    /// Where the bytes begin in the file.
    start: u64,
    len: u64,
    bytes: Bytes,
}

impl Body {
    /// Fills a buffer with the next bytes.
    pub(crate) fn fill(&mut self, bytes: &mut [u8]) -> Result<(), DatasetError> {
        let read = self.bytes.read_exact(bytes);
        read.map_err(DatasetError::io("read", &self.path))
    }

    /// Returns the number of bytes.
    pub(crate) fn len(&self) -> u64 {
        self.len
    }

    /// Maps the bytes. None of them has been read yet.
    pub(crate) fn map(self) -> Result<Mmap, DatasetError> {
        let mut options = MmapOptions::new();
        let options = options.offset(self.start).len(self.len as usize);
        // SAFETY: a named file is only ever replaced, never changed in place, and has the length
        // stated.
        unsafe { options.map(self.bytes.get_ref().get_ref()) }
            .map_err(DatasetError::io("map", &self.path))
    }
}

/// Returns the first line of a file, and a reader of the rest without the checksum. Returns `None`
/// if the checksum differs.
fn sound(mut file: File) -> io::Result<Option<(Vec<u8>, Bytes)>> {
    let Some(len) = file.metadata()?.len().checked_sub(CHECKSUM) else {
        return Ok(None);
    };
    let mut hasher = blake3::Hasher::new();
    hasher.update_reader((&mut file).take(len))?;
    let mut checksum = [0; CHECKSUM as usize];
    file.read_exact(&mut checksum)?;
    if hasher.finalize() != checksum {
        return Ok(None);
    }
    file.rewind()?;
    let mut bytes = BufReader::with_capacity(BUFFER, file.take(len));
    let mut line = Vec::new();
    bytes.read_until(b'\n', &mut line)?;
    Ok(Some((line, bytes)))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    /// Files that differ in one respect each: work, folder, kind, number.
    const FILES: [(&str, &str, &str, usize); 5] = [
        ("a job", "rows", "items", 0),
        ("a job", "rows", "items", 1),
        ("a job", "rows", "graph-1", 0),
        ("a job", "heaps", "items", 0),
        ("another job", "rows", "items", 0),
    ];

    #[test]
    fn a_file_copied_over_any_other_is_not_read() {
        let scratch = tempfile::tempdir().unwrap();
        let folder = |(of, name, _, _): (&str, &str, &str, usize)| {
            let dir = scratch.path().join(of).join(name);
            Folder::open(dir, of.to_owned()).unwrap()
        };
        let write = |file: (&str, &str, &str, usize)| {
            let mut writer = folder(file).writer(file.2, file.3, &[7]).unwrap();
            writer.extend(*b"body").unwrap();
            writer.publish().unwrap();
        };
        let read =
            |file: (&str, &str, &str, usize)| folder(file).read::<Vec<u8>>(file.2, file.3).unwrap();
        for from in FILES {
            FILES.into_iter().for_each(write);
            for to in FILES.into_iter().filter(|to| *to != from) {
                let path = |file: (&str, &str, &str, usize)| folder(file).path(file.2, file.3);
                fs::copy(path(from), path(to)).unwrap();
                assert!(read(to).is_none(), "{from:?} over {to:?}");
                let (header, mut body) = read(from).expect("it is in its place");
                let mut bytes = [0; 4];
                body.fill(&mut bytes).unwrap();
                assert_eq!((header, body.len(), &bytes), (vec![7], 4, b"body"));
            }
        }
    }

    #[test]
    fn files_of_earlier_builds_are_read() {
        let scratch = tempfile::tempdir().unwrap();
        let folder = Folder::open(scratch.path().join("rows"), "a job".to_owned()).unwrap();
        let mut bytes = b"{\"of\":\"a job\",\"header\":[7]}\nbody".to_vec();
        bytes.extend(blake3::hash(&bytes).as_bytes());
        fs::create_dir(scratch.path().join("rows")).unwrap();
        fs::write(folder.path("items", 3), bytes).unwrap();
        let (header, body) = folder.read::<Vec<u8>>("items", 3).unwrap().unwrap();
        assert_eq!((header, body.len()), (vec![7], 4));
    }
}
