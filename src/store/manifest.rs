//! The list of live segments, whose atomic replacement is the one commit point of a store.
//!
//! `manifest.json` is a JSON object, so that people and other programs can read it, and
//! [sealed](seedbank_files::durable::seal), so that a flipped byte anywhere is noticed:
//!
//! ```text
//! {"checksum": "6c0f…64 digits in all…",
//!   "version": 1,
//!   "next_sequence": 2,
//!   "segments": [ { "file": "000001-9f3c11d0.seg", … } ]
//! }
//! ```
//!
//! Every later format has that first line and the version.

use std::collections::HashSet;
use std::io;
use std::path::Path;

use seedbank_files::durable::{SEGMENTS, SealFault, Temporary, seal, unseal};
use seedbank_files::input;
use serde::{Deserialize, Serialize};

use super::header::Header;
use super::{ManifestFault, Namespace, StoreError};

/// The name of the manifest in the directory of a store.
pub(crate) const MANIFEST_FILE: &str = "manifest.json";

/// The format that this program writes, and the latest that it reads.
pub(crate) const MANIFEST_VERSION: u32 = 1;

/// The beginning of the first line.
const SEAL_BEGIN: &str = "{\"checksum\": \"";

/// The number of digits of a checksum shown in a message.
const DIGITS_SHOWN: usize = 16;

/// The content of the manifest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Manifest {
    version: u32,
    /// The number in the next segment's name; it never decreases.
    pub(crate) next_sequence: u64,
    /// The live segments, oldest first.
    pub(crate) segments: Vec<SegmentEntry>,
}

/// The manifest's entry for one segment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SegmentEntry {
    /// The name of its file in `segments/`.
    pub file: String,
    /// The ruleset of its namespace.
    pub ruleset: String,
    /// The version of that ruleset.
    pub ruleset_version: u32,
    /// The way of playing of its namespace.
    pub play: String,
    /// The number of records with keys below 2^64.
    pub narrow: u64,
    /// The number of records with larger keys.
    pub wide: u64,
    /// The number of forms.
    pub forms: u64,
    /// The length of the file.
    pub bytes: u64,
    /// The checksum of its header in hexadecimal, which covers those of its sections.
    pub checksum: String,
}

impl SegmentEntry {
    pub(crate) fn new(file: &str, header: &Header, checksum: String) -> SegmentEntry {
        SegmentEntry {
            file: file.to_owned(),
            ruleset: header.namespace.ruleset.clone(),
            ruleset_version: header.namespace.ruleset_version,
            play: header.namespace.play.clone(),
            narrow: header.narrow,
            wide: header.wide,
            forms: header.forms,
            bytes: header.file_bytes,
            checksum,
        }
    }

    /// Returns the namespace of the segment.
    pub fn namespace(&self) -> Namespace {
        Namespace::new(&*self.ruleset, self.ruleset_version, &*self.play)
    }

    /// Returns the number of records of both widths.
    pub fn records(&self) -> u64 {
        self.narrow.saturating_add(self.wide)
    }

    /// Describes the difference between this entry and a segment found under its name.
    pub(crate) fn difference(&self, found: &SegmentEntry) -> Option<String> {
        if self == found {
            None
        } else if self.namespace() != found.namespace() {
            Some(format!(
                "listed {}, found {}",
                self.namespace(),
                found.namespace()
            ))
        } else {
            Some(format!(
                "listed with checksum {}, found {}",
                self.checksum, found.checksum
            ))
        }
    }
}

impl Manifest {
    /// Returns the manifest of a store without segments.
    pub(crate) fn empty() -> Manifest {
        Manifest {
            version: MANIFEST_VERSION,
            next_sequence: 1,
            segments: Vec::new(),
        }
    }

    /// Reads the manifest of a store; a missing one lists nothing.
    pub(crate) fn load(dir: &Path) -> Result<Manifest, StoreError> {
        let path = dir.join(MANIFEST_FILE);
        match input::bytes(&path) {
            Ok(bytes) => {
                Manifest::parse(&bytes).map_err(|fault| StoreError::Manifest { path, fault })
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Manifest::empty()),
            Err(error) => Err(StoreError::io("read", &path)(error)),
        }
    }

    /// Makes this the manifest of a store, atomically and durably.
    pub(crate) fn commit(&self, dir: &Path, tmp: &Path) -> Result<(), StoreError> {
        let mut temporary = Temporary::create(tmp, MANIFEST_FILE)?;
        temporary.write_all(&self.to_bytes())?;
        temporary.replace(&dir.join(MANIFEST_FILE))?;
        Ok(())
    }

    fn to_bytes(&self) -> Vec<u8> {
        // Numbers and strings always serialise as JSON.
        let json = serde_json::to_string_pretty(self).expect("a manifest is representable in JSON");
        let rest = format!("{}\n", json.trim_start_matches("{\n"));
        seal(SEAL_BEGIN, rest.as_bytes())
    }

    fn parse(bytes: &[u8]) -> Result<Manifest, ManifestFault> {
        #[derive(Deserialize)]
        struct Version {
            version: u32,
        }
        let malformed = |reason: &str| ManifestFault::Malformed {
            reason: reason.to_owned(),
        };
        let rest = unseal(SEAL_BEGIN, bytes).map_err(|fault| match fault {
            SealFault::Absent => malformed(&fault.to_string()),
            SealFault::Checksum { stored, computed } => ManifestFault::Checksum {
                // The text in place of the digits may be anything.
                stored: stored.chars().take(DIGITS_SHOWN).collect(),
                computed: computed[..DIGITS_SHOWN].to_owned(),
            },
        })?;
        let json = [b"{", rest].concat();
        let json_fault = |error: serde_json::Error| malformed(&error.to_string());
        let Version { version } = serde_json::from_slice(&json).map_err(json_fault)?;
        if version > MANIFEST_VERSION {
            return Err(ManifestFault::Newer {
                found: version,
                known: MANIFEST_VERSION,
            });
        }
        if version != MANIFEST_VERSION {
            return Err(malformed(&format!("format {version} does not exist")));
        }
        let manifest: Manifest = serde_json::from_slice(&json).map_err(json_fault)?;
        let mut files = HashSet::new();
        for entry in &manifest.segments {
            if let Some(reason) = entry.namespace().misfit() {
                return Err(malformed(&reason));
            }
            // A listed file may be deleted, so it has a name that only a writer gives.
            let name = Path::new(&entry.file);
            if name.file_name() != Some(name.as_os_str()) || !SEGMENTS.has_file(name.as_os_str()) {
                return Err(malformed(&format!(
                    "{:?} is no name of a segment, such as 000001-9f3c11d0.seg",
                    entry.file
                )));
            }
            if !files.insert(&entry.file) {
                return Err(malformed(&format!("{:?} is listed twice", entry.file)));
            }
        }
        Ok(manifest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn manifest() -> Manifest {
        let entry = SegmentEntry {
            file: "000001-9f3c11d0.seg".to_owned(),
            ruleset: "sowing".to_owned(),
            ruleset_version: 1,
            play: "partisan".to_owned(),
            narrow: 12,
            wide: 0,
            forms: 4,
            bytes: 12288,
            checksum: "9f3c11d0".repeat(8),
        };
        Manifest {
            version: 1,
            next_sequence: 2,
            segments: vec![entry],
        }
    }

    #[test]
    fn manifests_round_trip_and_are_json() {
        let bytes = manifest().to_bytes();
        assert_eq!(Manifest::parse(&bytes), Ok(manifest()));
        let json: serde_json::Value = serde_json::from_slice(&bytes).unwrap();
        assert_eq!(json["segments"][0]["narrow"], 12);
        assert_eq!(json["checksum"].as_str().map(str::len), Some(64));
        assert_eq!(
            Manifest::parse(&Manifest::empty().to_bytes()),
            Ok(Manifest::empty())
        );
    }

    #[test]
    fn every_flipped_bit_and_every_truncation_is_noticed() {
        let bytes = manifest().to_bytes();
        for i in 0..bytes.len() {
            for bit in 0..8 {
                let mut flipped = bytes.clone();
                flipped[i] ^= 1 << bit;
                assert!(Manifest::parse(&flipped).is_err(), "byte {i}, bit {bit}");
            }
            assert!(Manifest::parse(&bytes[..i]).is_err(), "{i} bytes");
        }
    }

    #[test]
    fn newer_and_impossible_manifests_are_refused() {
        let newer = seal(SEAL_BEGIN, b"  \"version\": 7,\n  \"shards\": []\n}\n");
        assert_eq!(
            Manifest::parse(&newer),
            Err(ManifestFault::Newer { found: 7, known: 1 })
        );
        let mut older = manifest();
        older.version = 0;
        let fault = Manifest::parse(&older.to_bytes()).unwrap_err();
        assert!(
            fault.to_string().contains("format 0 does not exist"),
            "{fault}"
        );
        let rest = b"\"version\": 1, \"next_sequence\": 1, \"segments\": [], \"x\": 1}";
        let unknown = seal(SEAL_BEGIN, rest);
        assert!(matches!(
            Manifest::parse(&unknown),
            Err(ManifestFault::Malformed { .. })
        ));
        let mut elsewhere = manifest();
        elsewhere.segments[0].file = "../manifest.json".to_owned();
        let fault = Manifest::parse(&elsewhere.to_bytes()).unwrap_err();
        assert!(
            fault.to_string().contains("no name of a segment"),
            "{fault}"
        );
    }
}
