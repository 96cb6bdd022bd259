//! Input: files opened for reading, and text from files and standard input.
//!
//! Every file that a user names, or that lies in a folder of the program, is opened here, and every
//! text is read here, by the same rules:
//!
//! - Only regular files are opened. Opening a named pipe waits for its writer, and no signal ends
//!   that wait; a device may never end.
//! - Text is UTF-8. A byte order mark at its start is dropped. UTF-16 is refused by name.
//! - A line ends with a line feed, a carriage return, or both. Texts of files reach their parsers with
//!   line feeds only.
//!
//! This module does not know the meaning of a line.

use std::fs::{self, File};
use std::io::{self, BufRead, ErrorKind, Read};
use std::path::Path;

const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// The byte order marks of UTF-16, little and big endian.
const UTF_16: [[u8; 2]; 2] = [[0xff, 0xfe], [0xfe, 0xff]];

/// Opens a regular file for reading.
///
/// # Errors
///
/// If there is no such file, it is not a regular file, or the system refuses to open it.
///
/// ```
/// let folder = tempfile::tempdir()?;
/// let refused = seedbank_files::input::open(folder.path()).unwrap_err();
/// assert_eq!(refused.to_string(), "it is a folder; a regular file is needed");
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn open(path: &Path) -> io::Result<File> {
    regular(path).and_then(|()| File::open(path))
}

/// Refuses a path at which something other than a regular file exists.
///
/// # Errors
///
/// If there is something else, or it is unknown what there is.
pub(crate) fn regular(path: &Path) -> io::Result<()> {
    let found = match fs::metadata(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        found => found?,
    };
    match irregular(&found) {
        None => Ok(()),
        Some((kind, found)) => Err(io::Error::new(
            kind,
            format!("it is {found}; a regular file is needed"),
        )),
    }
}

/// Returns the kind of a file that is not a regular one.
fn irregular(found: &fs::Metadata) -> Option<(ErrorKind, &'static str)> {
    if found.is_dir() {
        return Some((ErrorKind::IsADirectory, "a folder"));
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        if found.file_type().is_fifo() {
            return Some((ErrorKind::InvalidInput, "a pipe"));
        }
    }
    (!found.is_file()).then_some((ErrorKind::InvalidInput, "a device or socket"))
}

/// Returns the bytes of a regular file.
///
/// # Errors
///
/// As [`open`]; if the file cannot be read.
pub fn bytes(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open(path)?.read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Returns the text of a regular file, with line feeds as line ends and without a byte order mark.
///
/// # Errors
///
/// As [`bytes`]; if the bytes are not UTF-8. The error then names the line.
pub fn text(path: &Path) -> io::Result<String> {
    decoded(bytes(path)?)
}

/// Returns the text of a stream, such as standard input, by the rules for files.
///
/// # Errors
///
/// If the stream cannot be read or its bytes are not UTF-8.
///
/// ```
/// let text = seedbank_files::input::text_of(&b"\xef\xbb\xbfruma r\r\nb -> r\ra -> b"[..])?;
/// assert_eq!(text, "ruma r\nb -> r\na -> b");
/// let refused = seedbank_files::input::text_of(&b"312\n3\xff2\n"[..]).unwrap_err();
/// assert_eq!(refused.to_string(), "line 2 is not UTF-8; save the text as UTF-8");
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn text_of(mut stream: impl Read) -> io::Result<String> {
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes)?;
    decoded(bytes)
}

fn decoded(mut bytes: Vec<u8>) -> io::Result<String> {
    if UTF_16.iter().any(|mark| bytes.starts_with(mark)) {
        return Err(utf_16());
    }
    if bytes.starts_with(BYTE_ORDER_MARK) {
        bytes.drain(..BYTE_ORDER_MARK.len());
    }
    let text = String::from_utf8(bytes).map_err(|error| {
        let sound = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = Lines::of(sound).count().max(1)
            + usize::from(sound.ends_with(b"\n") || sound.ends_with(b"\r"));
        invalid(format!("line {line} is not UTF-8; save the text as UTF-8"))
    })?;
    Ok(if text.contains('\r') {
        text.replace("\r\n", "\n").replace('\r', "\n")
    } else {
        text
    })
}

fn utf_16() -> io::Error {
    invalid("the text is UTF-16; save it as UTF-8".to_owned())
}

fn invalid(message: String) -> io::Error {
    io::Error::new(ErrorKind::InvalidData, message)
}

/// The lines of a stream, without their ends, as they arrive.
///
/// Bytes that are not UTF-8 become U+FFFD, which no parser accepts, so that the lines after them are
/// still read.
///
/// ```
/// let lines = seedbank_files::input::Lines::of(&b"312\r2111\r\n\n3\xff"[..]);
/// let lines = lines.collect::<Result<Vec<String>, _>>()?;
/// assert_eq!(lines, ["312", "2111", "", "3\u{fffd}"]);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Lines<R> {
    stream: R,
    is_first: bool,
    /// Whether a line feed would belong to the carriage return that ended the last line. Waiting for
    /// it then would keep the line back from a reader who types.
    after_return: bool,
}

impl<R: BufRead> Lines<R> {
    /// Returns the lines of a stream.
    pub fn of(stream: R) -> Lines<R> {
        Lines {
            stream,
            is_first: true,
            after_return: false,
        }
    }

    /// Returns the bytes of the next line; `None` at the end.
    fn line(&mut self) -> io::Result<Option<Vec<u8>>> {
        let mut line = Vec::new();
        loop {
            let bytes = match self.stream.fill_buf() {
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                bytes => bytes?,
            };
            if bytes.is_empty() {
                return Ok((!line.is_empty()).then_some(line));
            }
            if std::mem::take(&mut self.after_return) && bytes[0] == b'\n' {
                self.stream.consume(1);
                continue;
            }
            let end = bytes.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
            line.extend_from_slice(&bytes[..end.unwrap_or(bytes.len())]);
            self.after_return = end.is_some_and(|end| bytes[end] == b'\r');
            let used = end.map_or(bytes.len(), |end| end + 1);
            self.stream.consume(used);
            if end.is_some() {
                return Ok(Some(line));
            }
        }
    }
}

impl<R: BufRead> Iterator for Lines<R> {
    type Item = io::Result<String>;

    fn next(&mut self) -> Option<io::Result<String>> {
        let line = match self.line().transpose()? {
            Ok(line) => line,
            Err(error) => return Some(Err(error)),
        };
        let mut line = &line[..];
        if std::mem::take(&mut self.is_first) {
            if UTF_16.iter().any(|mark| line.starts_with(mark)) {
                return Some(Err(utf_16()));
            }
            line = line.strip_prefix(BYTE_ORDER_MARK).unwrap_or(line);
        }
        Some(Ok(String::from_utf8_lossy(line).into_owned()))
    }
}

#[cfg(test)]
mod tests {
    use std::io::BufReader;

    use super::*;

    #[test]
    fn files_and_streams_have_the_same_lines() {
        for text in [
            "",
            "a",
            "a\n",
            "a\nb",
            "a\r\nb\r\n",
            "a\rb\r",
            "\r\n\r\n",
            "a\n\rb",
            "\u{feff}a\r\rb",
        ] {
            let whole = text_of(text.as_bytes()).unwrap();
            for buffer in 1..4 {
                let stream = BufReader::with_capacity(buffer, text.as_bytes());
                let lines = Lines::of(stream).collect::<io::Result<Vec<String>>>();
                assert_eq!(
                    lines.unwrap(),
                    whole.lines().collect::<Vec<_>>(),
                    "{text:?}"
                );
            }
        }
    }

    #[test]
    fn other_encodings_are_refused_with_the_line() {
        let refused = |bytes: &[u8]| text_of(bytes).unwrap_err().to_string();
        for bytes in [b"\xff\xfe1\0", b"\xfe\xff\x001"] {
            assert_eq!(refused(bytes), "the text is UTF-16; save it as UTF-8");
            let line = Lines::of(&bytes[..]).next().expect("a line");
            assert_eq!(line.unwrap_err().to_string(), refused(bytes));
        }
        for (bytes, line) in [
            (&b"\xe9"[..], 1),
            (b"a\n\xe9", 2),
            (b"a\r\nb\xe9", 2),
            (b"a\rb\r\xe9", 3),
            (b"\xef\xbb\xbf\n\n\n \xe9", 4),
        ] {
            let expected = format!("line {line} is not UTF-8; save the text as UTF-8");
            assert_eq!(refused(bytes), expected);
        }
    }

    #[cfg(unix)]
    #[test]
    fn devices_and_pipes_are_refused() {
        let refused = open(Path::new("/dev/null")).unwrap_err().to_string();
        assert_eq!(
            refused,
            "it is a device or socket; a regular file is needed"
        );
        let missing = open(Path::new("no/such/file")).unwrap_err();
        assert_eq!(missing.kind(), ErrorKind::NotFound);
    }
}
