//! A file of a sweep: a line of JSON, bytes, and the BLAKE3 of all that.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, Take};
use std::path::Path;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::durable::{IoError, Temporary};

/// What is written at once.
///
/// Unit: bytes.
const BUFFER: usize = 1 << 20;

const CHECKSUM: u64 = blake3::OUT_LEN as u64;

/// A file that is being written.
pub(super) struct Sink {
    pub(super) temporary: Temporary,
    hasher: blake3::Hasher,
    buffer: Vec<u8>,
}

impl Sink {
    /// Begins a file in a folder of temporary ones, with a header.
    pub(super) fn begin(tmp: &Path, stem: &str, header: &impl Serialize) -> Result<Sink, IoError> {
        let mut buffer = serde_json::to_vec(header).expect("a header is plain data");
        buffer.push(b'\n');
        Ok(Sink {
            temporary: Temporary::create(tmp, stem)?,
            hasher: blake3::Hasher::new(),
            buffer,
        })
    }

    /// Appends bytes.
    pub(super) fn push(&mut self, bytes: &[u8]) -> Result<(), IoError> {
        self.buffer.extend_from_slice(bytes);
        if self.buffer.len() >= BUFFER {
            self.flush()?;
        }
        Ok(())
    }

    /// Appends bytes that come one by one.
    pub(super) fn extend(&mut self, bytes: impl Iterator<Item = u8>) -> Result<(), IoError> {
        self.buffer.extend(bytes);
        self.push(&[])
    }

    fn flush(&mut self) -> Result<(), IoError> {
        self.hasher.update(&self.buffer);
        self.temporary.write_all(&self.buffer)?;
        self.buffer.clear();
        Ok(())
    }

    /// Makes the file durable and gives it its name.
    pub(super) fn publish(mut self, path: &Path) -> Result<(), IoError> {
        self.flush()?;
        let hash = self.hasher.finalize();
        self.temporary.write_all(hash.as_bytes())?;
        self.temporary.replace(path)
    }
}

/// Returns the header of a file and its bytes after that; `None`, with a warning, where it is not what was written, and
/// where there is none.
#[expect(
    clippy::type_complexity,
    reason = "a header and what is left of its file"
)]
pub(super) fn sound<H: DeserializeOwned>(
    path: &Path,
) -> Result<Option<(H, BufReader<Take<File>>)>, IoError> {
    let file = match File::open(path) {
        Ok(file) => file,
        Err(cause) if cause.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(cause) => return Err(IoError::on("open", path)(cause)),
    };
    let read = || -> io::Result<Option<(H, BufReader<Take<File>>)>> {
        let mut file = file;
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
        let mut body = BufReader::with_capacity(BUFFER, file.take(len));
        let mut line = Vec::new();
        body.read_until(b'\n', &mut line)?;
        Ok(serde_json::from_slice(&line)
            .ok()
            .map(|header| (header, body)))
    };
    let read = read().map_err(IoError::on("read", path))?;
    if read.is_none() {
        tracing::warn!(
            "{} is not as it was written, and is left out",
            path.display()
        );
    }
    Ok(read)
}
