//! Records and manifests: small JSON files that are [sealed](seedbank_files::durable::seal).
//!
//! ```text
//! {"blake3":"<64 hexadecimal digits: the digest of every byte below this line>",
//! "body":{
//!   ...
//! }}
//! ```
//!
//! Any changed byte is noticed, and the files are plain JSON for other programs.

use std::io::ErrorKind;
use std::path::Path;

use seedbank_files::durable::{Temporary, seal, unseal};
use seedbank_files::input;
use serde::Deserialize;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::DatasetError;
use super::format::{FORMAT_VERSION, FORMAT_VERSION_MIN};

const SEAL_BEGIN: &str = "{\"blake3\":\"";
const BODY_BEGIN: &[u8] = b"\"body\":";
const BODY_END: &[u8] = b"}\n";

/// Returns the sealed bytes of a record or manifest.
fn to_bytes<T: Serialize>(body: &T) -> Vec<u8> {
    let json = serde_json::to_vec_pretty(body)
        .expect("records are structs of numbers and texts, which JSON can always hold");
    seal(SEAL_BEGIN, &[BODY_BEGIN, &json, BODY_END].concat())
}

/// Returns the JSON of the body, or the defect of the seal around it.
fn body_of(bytes: &[u8]) -> Result<&[u8], String> {
    unseal(SEAL_BEGIN, bytes)
        .map_err(|fault| fault.to_string())?
        .strip_prefix(BODY_BEGIN)
        .and_then(|rest| rest.strip_suffix(BODY_END))
        .ok_or_else(|| "it has no body".to_owned())
}

/// Writes a record or manifest unless its name is taken; returns whether it was written.
pub(crate) fn write<T: Serialize>(
    tmp: &Path,
    stem: &str,
    path: &Path,
    body: &T,
) -> Result<bool, DatasetError> {
    let mut temporary = Temporary::create(tmp, stem)?;
    temporary.write_all(&to_bytes(body))?;
    Ok(temporary.publish(path)?)
}

/// Reads a record or manifest; returns `None` if there is none.
///
/// # Errors
///
/// [`DatasetError::Damaged`] if the bytes are not those written, [`DatasetError::OtherFormat`] if
/// a version of the layout wrote them that is not read.
pub(crate) fn read<T: DeserializeOwned>(path: &Path) -> Result<Option<T>, DatasetError> {
    #[derive(Deserialize)]
    struct Format {
        format_version: u32,
    }
    let bytes = match input::bytes(path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(DatasetError::io("read", path)(error)),
    };
    let damaged = |found: String| DatasetError::Damaged {
        path: path.to_owned(),
        found,
        remedy: "run the job again to recompute what it describes".to_owned(),
    };
    let body = body_of(&bytes).map_err(damaged)?;
    let json = |error: serde_json::Error| damaged(format!("it is not the JSON expected: {error}"));
    let format: Format = serde_json::from_slice(body).map_err(json)?;
    if !(FORMAT_VERSION_MIN..=FORMAT_VERSION).contains(&format.format_version) {
        return Err(DatasetError::OtherFormat {
            path: path.to_owned(),
            found: format.format_version,
        });
    }
    serde_json::from_slice(body).map(Some).map_err(json)
}
