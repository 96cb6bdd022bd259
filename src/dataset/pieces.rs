//! Folders of numbered files with what a run has found and cannot write as rows yet, in bytes.
//!
//! Each file is a line of JSON, bytes, and the BLAKE3 of all that, whole or not there. They are written in a folder `tmp`
//! beside them.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read, Seek, Take};
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::DatasetError;
use crate::durable::{self, Temporary};

const TMP: &str = "tmp";

/// What is written at once.
///
/// Unit: bytes.
const BUFFER: usize = 1 << 20;

const CHECKSUM: u64 = blake3::OUT_LEN as u64;

/// What is left of a file, its checksum aside.
type Bytes = BufReader<Take<File>>;

/// A folder, which need not be there before something is written.
#[derive(Debug)]
pub(crate) struct PieceFolder {
    dir: PathBuf,
}

impl PieceFolder {
    /// Opens a folder, and removes what a writer that was killed has left half-written.
    pub(crate) fn open(dir: PathBuf) -> Result<PieceFolder, DatasetError> {
        if dir.is_dir() {
            durable::sweep(&dir.join(TMP))?;
        }
        Ok(PieceFolder { dir })
    }

    /// Opens a folder for reading: nothing is removed.
    pub(crate) fn at(dir: PathBuf) -> PieceFolder {
        PieceFolder { dir }
    }

    /// Returns the header of a file without comparing its checksum; `None` if the file is missing
    /// or has no such header.
    pub(crate) fn header<H: DeserializeOwned>(
        &self,
        kind: &str,
        number: usize,
    ) -> Result<Option<H>, DatasetError> {
        let path = self.path(kind, number);
        let file = match File::open(&path) {
            Ok(file) => file,
            Err(cause) if cause.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(cause) => return Err(DatasetError::io("open", &path)(cause)),
        };
        let mut line = Vec::new();
        let read = BufReader::new(file).read_until(b'\n', &mut line);
        read.map_err(DatasetError::io("read", &path))?;
        Ok(serde_json::from_slice(&line).ok())
    }

    /// Returns the numbers of the files of a kind, ascending.
    pub(crate) fn numbers(&self, kind: &str) -> Result<Vec<usize>, DatasetError> {
        let number = |path: &PathBuf| {
            let name = path.file_name()?.to_str()?;
            name.strip_prefix(kind)?.strip_prefix('-')?.parse().ok()
        };
        let files = durable::plain_files(&self.dir)?;
        Ok(files.iter().filter_map(number).collect())
    }

    /// Removes a file for good; returns whether it was there.
    pub(crate) fn remove(&self, kind: &str, number: usize) -> Result<bool, DatasetError> {
        Ok(durable::remove(&self.path(kind, number))?)
    }

    /// Begins a file.
    pub(crate) fn writer(
        &self,
        kind: &str,
        number: usize,
        header: &impl Serialize,
    ) -> Result<PieceWriter, DatasetError> {
        let tmp = self.dir.join(TMP);
        durable::create_directory(&tmp)?;
        let mut buffer = serde_json::to_vec(header).expect("a header is plain data");
        buffer.push(b'\n');
        Ok(PieceWriter {
            temporary: Temporary::create(&tmp, kind)?,
            path: self.path(kind, number),
            hasher: blake3::Hasher::new(),
            buffer,
        })
    }

    /// Returns the header of a file and its bytes after that; `None`, with a warning, where it is not what was written, and
    /// where there is none.
    pub(crate) fn read<H: DeserializeOwned>(
        &self,
        kind: &str,
        number: usize,
    ) -> Result<Option<(H, PieceBody)>, DatasetError> {
        let path = self.path(kind, number);
        let file = match File::open(&path) {
            Ok(file) => file,
            Err(cause) if cause.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(cause) => return Err(DatasetError::io("open", &path)(cause)),
        };
        let sound = sound(file).map_err(DatasetError::io("read", &path))?;
        let read =
            sound.and_then(|(line, bytes)| Some((serde_json::from_slice(&line).ok()?, bytes)));
        if read.is_none() {
            tracing::warn!(
                "{} is not as it was written, and is left out",
                path.display()
            );
        }
        Ok(read.map(|(header, bytes)| (header, PieceBody { path, bytes })))
    }

    fn path(&self, kind: &str, number: usize) -> PathBuf {
        self.dir.join(format!("{kind}-{number:05}"))
    }
}

/// Removes a folder of such folders, if it is there.
pub(crate) fn remove_pieces(dir: &Path) -> Result<(), DatasetError> {
    match fs::remove_dir_all(dir) {
        Err(cause) if cause.kind() != io::ErrorKind::NotFound => {
            Err(DatasetError::io("remove", dir)(cause))
        }
        _ => Ok(()),
    }
}

/// A file that is being written.
pub(crate) struct PieceWriter {
    temporary: Temporary,
    path: PathBuf,
    hasher: blake3::Hasher,
    buffer: Vec<u8>,
}

impl PieceWriter {
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

    /// Makes the file durable and gives it its name.
    pub(crate) fn publish(mut self) -> Result<(), DatasetError> {
        self.flush()?;
        let hash = self.hasher.finalize();
        self.temporary.write_all(hash.as_bytes())?;
        Ok(self.temporary.replace(&self.path)?)
    }
}

/// The bytes of a file after its header.
pub(crate) struct PieceBody {
    path: PathBuf,
    bytes: Bytes,
}

impl PieceBody {
    /// Reads the next bytes, as many as there is room for.
    pub(crate) fn fill(&mut self, bytes: &mut [u8]) -> Result<(), DatasetError> {
        let read = self.bytes.read_exact(bytes);
        read.map_err(DatasetError::io("read", &self.path))
    }
}

/// Returns the first line of a file and what is left of it but for the checksum; `None` where that is another.
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
