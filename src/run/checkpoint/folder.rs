//! Folders of numbered files: the one format of checkpoints.
//!
//! Each file is a line of JSON (the work it belongs to, and a header), bytes, and the BLAKE3
//! checksum of all that. A file is whole or absent: it is written in a folder `tmp` beside the
//! others and only then gets its name.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, Take};
use std::path::{Path, PathBuf};

use memmap2::{Mmap, MmapOptions};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::dataset::DatasetError;
use crate::durable::{self, Temporary};
use crate::input;

const TMP: &str = "tmp";

/// The size of a write buffer.
///
/// Unit: bytes.
const BUFFER: usize = 1 << 20;

const CHECKSUM: u64 = blake3::OUT_LEN as u64;

/// The unread rest of a file, without its checksum.
type Bytes = BufReader<Take<File>>;

/// A folder of checkpoint files; it is created by the first write.
#[derive(Debug)]
pub(crate) struct Folder {
    dir: PathBuf,
    /// The work that the files belong to.
    of: String,
}

/// The first line of a file.
#[derive(Serialize, Deserialize)]
struct Line<H> {
    of: String,
    header: H,
}

impl Folder {
    /// Opens the folder of some work, and removes files that a killed writer left half-written.
    pub(crate) fn open(dir: PathBuf, of: String) -> Result<Folder, DatasetError> {
        if dir.is_dir() {
            durable::sweep(&dir.join(TMP))?;
        }
        Ok(Folder { dir, of })
    }

    /// Opens a folder for reading headers only; removes nothing.
    pub(super) fn at(dir: PathBuf) -> Folder {
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
        Ok(line.map(|line| line.header))
    }

    /// Returns the numbers of the files of one kind, ascending.
    pub(crate) fn numbers(&self, kind: &str) -> Result<Vec<usize>, DatasetError> {
        let number = |path: &PathBuf| {
            let name = path.file_name()?.to_str()?;
            name.strip_prefix(kind)?.strip_prefix('-')?.parse().ok()
        };
        let files = durable::plain_files(&self.dir)?;
        Ok(files.iter().filter_map(number).collect())
    }

    /// Creates the folder if it is missing, and returns its path.
    pub(crate) fn made(&self) -> Result<&Path, DatasetError> {
        durable::create_directory(&self.dir)?;
        Ok(&self.dir)
    }

    /// Returns whether there is a file of this kind with number 0.
    pub(crate) fn has(&self, kind: &str) -> bool {
        self.path(kind, 0).exists()
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
        let tmp = self.dir.join(TMP);
        durable::create_directory(&tmp)?;
        let line = Line {
            of: self.of.clone(),
            header,
        };
        let mut buffer = serde_json::to_vec(&line).expect("a header is plain data");
        buffer.push(b'\n');
        Ok(Writer {
            temporary: Temporary::create(&tmp, kind)?,
            path: self.path(kind, number),
            hasher: blake3::Hasher::new(),
            buffer,
        })
    }

    /// Returns the header of a file and the bytes after it.
    ///
    /// Returns `None` if the file is absent or belongs to other work, and also, with a warning, if
    /// it is damaged.
    pub(crate) fn read<H: DeserializeOwned>(
        &self,
        kind: &str,
        number: usize,
    ) -> Result<Option<(H, Body)>, DatasetError> {
        let path = self.path(kind, number);
        let file = match input::open(&path) {
            Ok(file) => file,
            Err(cause) if cause.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(cause) => return Err(DatasetError::io("open", &path)(cause)),
        };
        let sound = sound(file).map_err(DatasetError::io("read", &path))?;
        let read = sound.and_then(|(line, bytes)| {
            let start = line.len() as u64;
            Some((serde_json::from_slice::<Line<H>>(&line).ok()?, start, bytes))
        });
        let Some((line, start, bytes)) = read else {
            tracing::warn!("{} is corrupt and is ignored", path.display());
            return Ok(None);
        };
        let body = Body { path, start, bytes };
        Ok((line.of == self.of).then_some((line.header, body)))
    }

    fn path(&self, kind: &str, number: usize) -> PathBuf {
        self.dir.join(format!("{kind}-{number:05}"))
    }
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
    bytes: Bytes,
}

impl Body {
    /// Fills a buffer with the next bytes.
    pub(crate) fn fill(&mut self, bytes: &mut [u8]) -> Result<(), DatasetError> {
        let read = self.bytes.read_exact(bytes);
        read.map_err(DatasetError::io("read", &self.path))
    }

    /// Maps the bytes. None of them has been read yet.
    pub(crate) fn map(self) -> Result<Mmap, DatasetError> {
        let file = self.bytes.get_ref().get_ref();
        let map = || {
            let len = file.metadata()?.len() - CHECKSUM - self.start;
            let mut options = MmapOptions::new();
            // SAFETY: a named file is only ever replaced, never changed in place, and has the
            // length stated.
            unsafe { options.offset(self.start).len(len as usize).map(file) }
        };
        map().map_err(DatasetError::io("map", &self.path))
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
