//! JSON objects whose first line holds the BLAKE3 of all bytes below it.
//!
//! ```text
//! {"blake3":"<64 lowercase hexadecimal digits>",
//! ...the rest of the object...
//! ```
//!
//! The first line has one spelling and the rest is hashed, so no byte can change unnoticed. To any
//! other program the file is plain JSON. Each format has its own spelling before the digits.

use thiserror::Error;

use crate::digest::Digest;

const LINE_END: &[u8] = b"\",\n";
const DIGITS: usize = 2 * blake3::OUT_LEN;

/// The fault in a sealed file.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SealFault {
    /// The first line holds no checksum.
    #[error("its first line does not hold a checksum")]
    Absent,
    /// The rest does not match the checksum.
    #[error("its contents have checksum {computed}, but it says {stored}")]
    Checksum {
        /// The digits on the first line, or the text in their place.
        stored: String,
        /// The expected digits.
        computed: String,
    },
}

/// Returns `rest` below a first line that begins with `begin` and holds its checksum.
///
/// ```
/// use seedbank_files::durable::{SealFault, seal, unseal};
///
/// let begin = "{\"checksum\":\"";
/// let mut bytes = seal(begin, b"\"answer\": 42}\n");
/// let json: serde_json::Value = serde_json::from_slice(&bytes)?;
/// assert_eq!(json["answer"], 42);
/// assert_eq!(unseal(begin, &bytes)?, b"\"answer\": 42}\n");
/// bytes[90] ^= 1;
/// assert!(matches!(unseal(begin, &bytes), Err(SealFault::Checksum { .. })));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn seal(begin: &str, rest: &[u8]) -> Vec<u8> {
    let digits = Digest::of(rest).to_string();
    [begin.as_bytes(), digits.as_bytes(), LINE_END, rest].concat()
}

/// Returns the bytes below the first line, after comparing them with its checksum.
///
/// # Errors
///
/// See [`SealFault`].
pub fn unseal<'a>(begin: &str, bytes: &'a [u8]) -> Result<&'a [u8], SealFault> {
    let (stored, rest) = bytes
        .strip_prefix(begin.as_bytes())
        .and_then(|bytes| bytes.split_at_checked(DIGITS))
        .and_then(|(stored, bytes)| Some((stored, bytes.strip_prefix(LINE_END)?)))
        .ok_or(SealFault::Absent)?;
    let computed = Digest::of(rest).to_string();
    if stored != computed.as_bytes() {
        return Err(SealFault::Checksum {
            stored: String::from_utf8_lossy(stored).into_owned(),
            computed,
        });
    }
    Ok(rest)
}

/// Returns whether a file is sealed, whatever its first line begins with.
pub(super) fn is_sealed(bytes: &[u8]) -> bool {
    let line = bytes.iter().position(|&byte| byte == b'\n').unwrap_or(0);
    let begin = (line + 1).checked_sub(DIGITS + LINE_END.len());
    let begin = begin.and_then(|begin| str::from_utf8(&bytes[..begin]).ok());
    begin.is_some_and(|begin| unseal(begin, bytes).is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_flipped_bit_and_every_truncation_is_noticed() {
        let begin = "{\"blake3\":\"";
        let bytes = seal(begin, b"\"body\":[1,2]}\n");
        assert_eq!(unseal(begin, &bytes), Ok(&b"\"body\":[1,2]}\n"[..]));
        assert!(is_sealed(&bytes));
        for i in 0..bytes.len() {
            for bit in 0..8 {
                let mut flipped = bytes.clone();
                flipped[i] ^= 1 << bit;
                assert!(unseal(begin, &flipped).is_err(), "byte {i}, bit {bit}");
                assert!(i < begin.len() || !is_sealed(&flipped));
            }
            assert!(unseal(begin, &bytes[..i]).is_err(), "{i} bytes");
        }
    }

    #[test]
    fn faults_say_what_was_found() {
        assert_eq!(unseal("{\"blake3\":\"", b"{}"), Err(SealFault::Absent));
        let sealed = seal("{", b"rest");
        let mut other = sealed.clone();
        other.push(b'!');
        let Err(SealFault::Checksum { stored, computed }) = unseal("{", &other) else {
            panic!("the rest is another")
        };
        assert_eq!(stored.as_bytes(), &sealed[1..=DIGITS]);
        assert_eq!(computed, Digest::of(b"rest!").to_string());
    }
}
