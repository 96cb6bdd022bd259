//! BLAKE3 digests, which identify the meanings of jobs and check the bytes of files.
//!
//! Values have digests of another type, `cgvalues::ValueDigest`. Both are
//! formatted with the crate `hex`.

use std::fmt;
use std::str::FromStr;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The BLAKE3 digest of a text or of the bytes of a file, written as 64 lowercase hexadecimal
/// digits.
///
/// ```
/// use seedbank_files::digest::Digest;
///
/// let digest = Digest::of(b"");
/// assert!(digest.to_string().starts_with("af1349b9f5f9a1a6"));
/// assert_eq!(digest.to_string().parse(), Ok(digest));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Digest(pub [u8; 32]);

impl Digest {
    /// Returns the BLAKE3 digest of `bytes`.
    pub fn of(bytes: &[u8]) -> Digest {
        Digest(*blake3::hash(bytes).as_bytes())
    }
}

impl From<blake3::Hash> for Digest {
    fn from(hash: blake3::Hash) -> Digest {
        Digest(*hash.as_bytes())
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex::encode(self.0))
    }
}

impl FromStr for Digest {
    type Err = String;

    fn from_str(text: &str) -> Result<Digest, String> {
        let mut digest = Digest([0; 32]);
        hex::decode_to_slice(text, &mut digest.0)
            .map_err(|_| format!("expected a digest of 64 hexadecimal digits, found {text:?}"))?;
        Ok(digest)
    }
}

impl Serialize for Digest {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Digest {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Digest, D::Error> {
        String::deserialize(deserializer)?
            .parse()
            .map_err(D::Error::custom)
    }
}
