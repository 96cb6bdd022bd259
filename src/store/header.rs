//! The header of a segment file: its contents, their places and checksums.
//!
//! One page of little-endian integers:
//!
//! ```text
//! offset  bytes
//!      0      8  magic 89 53 42 53 45 47 0d 0a ("\x89SBSEG\r\n", which text conversion spoils)
//!      8      4  format version
//!     12      4  byte order of the archives: 0d 0c 0b 0a, little-endian
//!     16      4  pointer width of the archives in bits: 64
//!     20      4  version of the ruleset
//!     24      8  length of the file
//!     32      8  narrow records
//!     40      8  wide records
//!     48      8  forms
//!     56      8  options of all forms together
//!     64      4  bytes in the name of the ruleset, 2; of the way of playing, 2
//!     68    128  name of the ruleset, UTF-8, then zeros
//!    196     48  name of the way of playing, UTF-8, then zeros
//!    244     12  zeros
//!    256  3*48  sections (narrow records, wide records, forms): offset 8, archive length 8,
//!                BLAKE3 32; all zero for a section that is not there
//!    400   3664  zeros
//!   4064     32  BLAKE3 of bytes 0..4064
//! ```
//!
//! Sections follow in that order, each from a page boundary, padded with zeros to the next; a
//! section's checksum covers the padding, so no byte of the file is unchecked.
//!
//! Every later format keeps the magic, the version at byte 8, the length of the header and the
//! place of its checksum, so this program can distinguish a newer file from a damaged one.

use rkyv::primitive::ArchivedUsize;
use seedbank_files::durable;

use super::namespace::{PLAY_BYTES_MAX, RULESET_BYTES_MAX};
use super::{Namespace, SegmentFault};

/// The format that this program writes, and the latest that it reads.
pub(crate) const FORMAT_VERSION: u32 = 2;

/// The format with densely packed records and an index of buckets before them. Nothing else
/// differs.
pub(crate) const INDEXED_FORMAT: u32 = 1;

/// The length of a header; sections begin at multiples of it.
pub(crate) const PAGE_BYTES: u64 = 4096;

const HEADER_BYTES: usize = PAGE_BYTES as usize;
const MAGIC: [u8; 8] = durable::SEGMENT_MAGIC;
const LITTLE_ENDIAN: u32 = 0x0a0b_0c0d;
const POINTER_BITS: u32 = 8 * size_of::<ArchivedUsize>() as u32;
const RULESET_AT: usize = 68;
const PLAY_AT: usize = RULESET_AT + RULESET_BYTES_MAX;
const SECTIONS_AT: usize = 256;
const SECTION_BYTES: usize = 48;
const CHECKSUM_AT: usize = HEADER_BYTES - blake3::OUT_LEN;

/// The sections of a segment file after its header, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Section {
    /// Records whose keys are below 2^64.
    Narrow,
    /// Records with larger keys.
    Wide,
    /// The forms that values refer to.
    Forms,
}

impl Section {
    /// All sections, in the order of the file.
    pub(crate) const ALL: [Section; 3] = [Section::Narrow, Section::Wide, Section::Forms];

    /// Returns the name of the section's contents, for messages.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Section::Narrow => "narrow records",
            Section::Wide => "wide records",
            Section::Forms => "forms",
        }
    }
}

/// The place of a section and its checksum; all zero if there is none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct SectionEntry {
    /// Bytes from the beginning of the file.
    pub(crate) offset: u64,
    /// Bytes in the archive, without the zeros that pad its last page.
    pub(crate) bytes: u64,
    /// BLAKE3 of the section including those zeros.
    pub(crate) checksum: [u8; 32],
}

impl SectionEntry {
    /// Returns the length of the section including the zeros that pad its last page.
    pub(crate) fn bytes_padded(&self) -> u64 {
        // Lengths come from the header of a file, so a sum may overflow; no file is that long.
        self.bytes
            .checked_next_multiple_of(PAGE_BYTES)
            .unwrap_or(u64::MAX)
    }
}

/// The decoded header of a segment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Header {
    pub(crate) format: u32,
    pub(crate) namespace: Namespace,
    pub(crate) file_bytes: u64,
    pub(crate) narrow: u64,
    pub(crate) wide: u64,
    pub(crate) forms: u64,
    pub(crate) options: u64,
    pub(crate) sections: [SectionEntry; 3],
}

impl Header {
    /// Returns the first page of the file.
    ///
    /// The names of the namespace must have been checked.
    pub(crate) fn encode(&self) -> [u8; HEADER_BYTES] {
        let mut page = [0; HEADER_BYTES];
        let Namespace {
            ruleset,
            ruleset_version,
            play,
        } = &self.namespace;
        page[..8].copy_from_slice(&MAGIC);
        for (at, number) in [
            (8, self.format),
            (12, LITTLE_ENDIAN),
            (16, POINTER_BITS),
            (20, *ruleset_version),
        ] {
            page[at..at + 4].copy_from_slice(&number.to_le_bytes());
        }
        for (at, number) in [
            (24, self.file_bytes),
            (32, self.narrow),
            (40, self.wide),
            (48, self.forms),
            (56, self.options),
        ] {
            page[at..at + 8].copy_from_slice(&number.to_le_bytes());
        }
        page[64..66].copy_from_slice(&(ruleset.len() as u16).to_le_bytes());
        page[66..68].copy_from_slice(&(play.len() as u16).to_le_bytes());
        page[RULESET_AT..RULESET_AT + ruleset.len()].copy_from_slice(ruleset.as_bytes());
        page[PLAY_AT..PLAY_AT + play.len()].copy_from_slice(play.as_bytes());
        for (i, section) in self.sections.iter().enumerate() {
            let at = SECTIONS_AT + i * SECTION_BYTES;
            page[at..at + 8].copy_from_slice(&section.offset.to_le_bytes());
            page[at + 8..at + 16].copy_from_slice(&section.bytes.to_le_bytes());
            page[at + 16..at + 48].copy_from_slice(&section.checksum);
        }
        let checksum = blake3::hash(&page[..CHECKSUM_AT]);
        page[CHECKSUM_AT..].copy_from_slice(checksum.as_bytes());
        page
    }

    /// Reads a header and checks its internal consistency.
    pub(crate) fn decode(page: &[u8; HEADER_BYTES]) -> Result<Header, SegmentFault> {
        if page[..8] != MAGIC {
            return Err(SegmentFault::Foreign {
                expected: hex::encode(MAGIC),
                found: hex::encode(&page[..8]),
            });
        }
        let computed = blake3::hash(&page[..CHECKSUM_AT]);
        if page[CHECKSUM_AT..] != computed.as_bytes()[..] {
            return Err(SegmentFault::HeaderChecksum {
                stored: hex::encode(&page[CHECKSUM_AT..CHECKSUM_AT + 8]),
                computed: hex::encode(&computed.as_bytes()[..8]),
            });
        }
        let version = u32_at(page, 8);
        if version > FORMAT_VERSION {
            return Err(SegmentFault::Newer {
                found: version,
                known: FORMAT_VERSION,
            });
        }
        if version < INDEXED_FORMAT {
            return Err(impossible(format!("format {version} does not exist")));
        }
        if u32_at(page, 12) != LITTLE_ENDIAN {
            return Err(impossible(format!(
                "byte order mark {:#010x} instead of {LITTLE_ENDIAN:#010x}",
                u32_at(page, 12)
            )));
        }
        if u32_at(page, 16) != POINTER_BITS {
            return Err(impossible(format!(
                "archives with pointers of {} bits instead of {POINTER_BITS}",
                u32_at(page, 16)
            )));
        }
        let section = |i: usize| {
            let at = SECTIONS_AT + i * SECTION_BYTES;
            let mut checksum = [0; 32];
            checksum.copy_from_slice(&page[at + 16..at + 48]);
            SectionEntry {
                offset: u64_at(page, at),
                bytes: u64_at(page, at + 8),
                checksum,
            }
        };
        let header = Header {
            format: version,
            namespace: Namespace {
                ruleset: name_at(page, RULESET_AT, RULESET_BYTES_MAX, 64)?,
                ruleset_version: u32_at(page, 20),
                play: name_at(page, PLAY_AT, PLAY_BYTES_MAX, 66)?,
            },
            file_bytes: u64_at(page, 24),
            narrow: u64_at(page, 32),
            wide: u64_at(page, 40),
            forms: u64_at(page, 48),
            options: u64_at(page, 56),
            sections: [section(0), section(1), section(2)],
        };
        if let Some(reason) = header.namespace.misfit() {
            return Err(impossible(reason));
        }
        header.check_layout()?;
        Ok(header)
    }

    /// Returns the checksum of the header in hexadecimal. It identifies the whole segment, since it
    /// covers the checksums of the sections.
    pub(crate) fn checksum(&self) -> String {
        hex::encode(&self.encode()[CHECKSUM_AT..])
    }

    /// Returns the entry of one section.
    pub(crate) fn section(&self, section: Section) -> &SectionEntry {
        &self.sections[section as usize]
    }

    /// Returns the number of records or forms in a section.
    pub(crate) fn count(&self, section: Section) -> u64 {
        match section {
            Section::Narrow => self.narrow,
            Section::Wide => self.wide,
            Section::Forms => self.forms,
        }
    }

    /// Checks that the expected sections fill the file without gap or overlap.
    fn check_layout(&self) -> Result<(), SegmentFault> {
        let mut end = PAGE_BYTES;
        for section in Section::ALL {
            let entry = self.section(section);
            let expected_offset = if entry.bytes == 0 { 0 } else { end };
            if entry.offset != expected_offset || (entry.bytes == 0) != (self.count(section) == 0) {
                return Err(impossible(format!(
                    "{} {} in {} bytes at byte {}, expected at byte {expected_offset}",
                    self.count(section),
                    section.name(),
                    entry.bytes,
                    entry.offset,
                )));
            }
            end = end.saturating_add(entry.bytes_padded());
        }
        if end != self.file_bytes {
            return Err(impossible(format!(
                "sections end at byte {end} of a file of {} bytes",
                self.file_bytes
            )));
        }
        Ok(())
    }
}

fn impossible(reason: String) -> SegmentFault {
    SegmentFault::Header { reason }
}

fn u32_at(page: &[u8; HEADER_BYTES], at: usize) -> u32 {
    let mut bytes = [0; 4];
    bytes.copy_from_slice(&page[at..at + 4]);
    u32::from_le_bytes(bytes)
}

fn u64_at(page: &[u8; HEADER_BYTES], at: usize) -> u64 {
    let mut bytes = [0; 8];
    bytes.copy_from_slice(&page[at..at + 8]);
    u64::from_le_bytes(bytes)
}

fn name_at(
    page: &[u8; HEADER_BYTES],
    at: usize,
    bytes_max: usize,
    length_at: usize,
) -> Result<String, SegmentFault> {
    let length = usize::from(u16::from_le_bytes([page[length_at], page[length_at + 1]]));
    let bytes = page[at..at + bytes_max]
        .get(..length)
        .ok_or_else(|| impossible(format!("a name of {length} bytes, {bytes_max} allowed")))?;
    String::from_utf8(bytes.to_vec()).map_err(|_| impossible(String::from("a name not in UTF-8")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header() -> Header {
        Header {
            format: FORMAT_VERSION,
            namespace: Namespace::new("sowing", 3, "impartial"),
            file_bytes: 3 * PAGE_BYTES,
            narrow: 7,
            wide: 0,
            forms: 2,
            options: 3,
            sections: [
                SectionEntry {
                    offset: 4096,
                    bytes: 100,
                    checksum: [1; 32],
                },
                SectionEntry::default(),
                SectionEntry {
                    offset: 8192,
                    bytes: 4096,
                    checksum: [2; 32],
                },
            ],
        }
    }

    fn seal(mut page: [u8; HEADER_BYTES]) -> [u8; HEADER_BYTES] {
        let checksum = blake3::hash(&page[..CHECKSUM_AT]);
        page[CHECKSUM_AT..].copy_from_slice(checksum.as_bytes());
        page
    }

    #[test]
    fn headers_round_trip() {
        assert_eq!(Header::decode(&header().encode()), Ok(header()));
        let mut longest = header();
        longest.namespace.ruleset = "r".repeat(RULESET_BYTES_MAX);
        longest.namespace.play = "p".repeat(PLAY_BYTES_MAX);
        assert_eq!(Header::decode(&longest.encode()), Ok(longest));
    }

    #[test]
    fn newer_formats_are_told_from_damage() {
        let mut page = header().encode();
        page[8] = 9;
        assert!(matches!(
            Header::decode(&page),
            Err(SegmentFault::HeaderChecksum { .. })
        ));
        let fault = Header::decode(&seal(page)).unwrap_err();
        assert_eq!(fault, SegmentFault::Newer { found: 9, known: 2 });
        assert!(fault.to_string().contains("format 9") && fault.to_string().contains("up to 2"));
    }

    #[test]
    fn impossible_headers_are_refused_though_their_checksum_is_right() {
        // Each pair is a place and the byte to write there.
        for (at, byte) in [
            (8, 0),     // a format that never was
            (12, 0),    // byte order
            (16, 32),   // pointer width
            (25, 99),   // file length
            (32, 0),    // no narrow records, yet a section for them
            (40, 1),    // wide records without a section
            (65, 200),  // a name longer than its field
            (68, 0xff), // a name not in UTF-8
            (257, 99),  // a section elsewhere
            (271, 255), // a section of nearly 2^64 bytes
        ] {
            let mut page = header().encode();
            page[at] = byte;
            let fault = Header::decode(&seal(page)).unwrap_err();
            assert!(
                matches!(fault, SegmentFault::Header { .. }),
                "byte {at}: {fault}"
            );
        }
    }
}
