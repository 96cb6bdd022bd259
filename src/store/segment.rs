//! One memory-mapped segment file: opened cheaply, checked before first use, never trusted blindly.
//!
//! Opening reads the header and compares lengths. A section is hashed and validated when it is
//! first used, once for all readers of the [`SegmentReader`]; from then on lookups touch only the
//! records. A segment that fails a check stays failed.

use std::io::{self, Read};
use std::mem;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use memmap2::{Mmap, MmapOptions};
use rkyv::Portable;
use rkyv::api::high::HighValidator;
use rkyv::bytecheck::CheckBytes;
use rkyv::rancor::BoxedError;
use rkyv::rend::u32_le;
use seedbank_files::input;

use super::forms::{ArchivedFormArrays, Form, form_index};
use super::header::{FORMAT_VERSION, Header, INDEXED_FORMAT, PAGE_BYTES, Section};
use super::manifest::SegmentEntry;
use super::table::{ArchivedIndexed, ArchivedSlots, NARROW, RecordView, WIDE, mix, unmix};
use super::{Namespace, SegmentFault, StoreError};

/// An open segment: sorted records and the forms that their values refer to.
#[derive(Debug)]
pub struct SegmentReader {
    path: PathBuf,
    entry: SegmentEntry,
    header: Header,
    map: Mmap,
    /// The narrow and the wide records or their fault, once they have been checked.
    tables: [OnceLock<Result<RecordTable, SegmentFault>>; 2],
    /// The fault of the forms, once they have been checked.
    forms: OnceLock<Option<SegmentFault>>,
    /// A fault that a reader of the forms found later.
    forms_refused: OnceLock<SegmentFault>,
}

/// A checked section of records in the segment's map.
///
/// PERF: a lookup from here, and not from the header each time, takes fewer instructions, so more
/// lookups wait for memory in parallel.
#[derive(Clone, Copy, Debug)]
struct RecordTable {
    words: &'static [u32_le],
    homes: usize,
}

impl RecordTable {
    /// The table of a missing section.
    const NONE: RecordTable = RecordTable {
        words: &[],
        homes: 0,
    };
}

impl SegmentReader {
    /// Opens a segment file and checks its header and its length.
    ///
    /// With `listed`, the segment must be the one that the manifest lists.
    pub(crate) fn open(
        path: &Path,
        listed: Option<&SegmentEntry>,
    ) -> Result<SegmentReader, StoreError> {
        let refuse = |fault| StoreError::Segment {
            path: path.to_path_buf(),
            fault,
        };
        let mut file = input::open(path).map_err(|cause| match cause.kind() {
            io::ErrorKind::NotFound => refuse(SegmentFault::Missing),
            _ => StoreError::io("open", path)(cause),
        })?;
        let found = file
            .metadata()
            .map_err(StoreError::io("inspect", path))?
            .len();
        let mut page = [0; PAGE_BYTES as usize];
        if found < PAGE_BYTES {
            // A short file of another kind is reported as foreign rather than truncated.
            let mut start = Vec::new();
            file.read_to_end(&mut start)
                .map_err(StoreError::io("read", path))?;
            let n = start.len().min(page.len());
            page[..n].copy_from_slice(&start[..n]);
            return Err(refuse(match Header::decode(&page) {
                Err(fault @ SegmentFault::Foreign { .. }) if n >= 8 => fault,
                _ => SegmentFault::Truncated {
                    expected: PAGE_BYTES,
                    found,
                },
            }));
        }
        file.read_exact(&mut page)
            .map_err(StoreError::io("read", path))?;
        let header = Header::decode(&page).map_err(refuse)?;
        let expected = header.file_bytes;
        if found < expected {
            return Err(refuse(SegmentFault::Truncated { expected, found }));
        }
        if found > expected {
            return Err(refuse(SegmentFault::Overlong { expected, found }));
        }
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let entry = SegmentEntry::new(&name, &header, header.checksum());
        if let Some(difference) = listed.and_then(|listed| listed.difference(&entry)) {
            return Err(refuse(SegmentFault::Unlisted { difference }));
        }
        let length = usize::try_from(expected)
            .map_err(|_| StoreError::io("map", path)(io::ErrorKind::FileTooLarge.into()))?;
        // SAFETY: the map must not change while it is borrowed. A published segment is never
        // written to or truncated, by the commit protocol of `durable`; it is only ever unlinked,
        // which leaves the map intact. Its length was just compared with the file's, so no page
        // lies past the end.
        let map = unsafe { MmapOptions::new().len(length).map(&file) }
            .map_err(StoreError::io("map", path))?;
        Ok(SegmentReader {
            path: path.to_path_buf(),
            entry,
            header,
            map,
            tables: Default::default(),
            forms: OnceLock::new(),
            forms_refused: OnceLock::new(),
        })
    }

    /// Returns the path of the segment.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the manifest's entry for this segment.
    pub fn entry(&self) -> &SegmentEntry {
        &self.entry
    }

    /// Returns the namespace.
    pub fn namespace(&self) -> &Namespace {
        &self.header.namespace
    }

    /// Returns whether the segment has the format that this program writes. Earlier formats are
    /// read more slowly.
    pub(crate) fn is_current(&self) -> bool {
        self.header.format == FORMAT_VERSION
    }

    /// Returns the number of records with narrow and wide keys together.
    pub fn records_len(&self) -> u64 {
        self.header.narrow.saturating_add(self.header.wide)
    }

    /// Returns the number of forms.
    pub fn forms_len(&self) -> u64 {
        self.header.forms
    }

    /// Returns the value of a key, if the segment has it.
    ///
    /// # Errors
    ///
    /// A damaged segment. The first call on each section hashes it, at about 3 GB/s.
    #[inline]
    pub fn get(&self, key: u128) -> Result<Option<u32>, StoreError> {
        if key >> 64 == 0 {
            self.get_as::<NARROW>(key)
        } else {
            self.get_as::<WIDE>(key)
        }
    }

    #[inline]
    fn get_as<const W: usize>(&self, key: u128) -> Result<Option<u32>, StoreError> {
        let view = self.records::<W>()?;
        let mixed = mix::<W>(key);
        let start = view.start(mixed);
        view.prefetch(start);
        Ok(view.find(start, mixed))
    }

    /// Returns all records as keys and values, narrow keys first, each width in the order of its
    /// mixed keys.
    ///
    /// # Errors
    ///
    /// A damaged segment.
    pub fn iter(&self) -> Result<impl Iterator<Item = (u128, u32)> + '_, StoreError> {
        let narrow = self.records::<NARROW>()?.entries();
        let narrow = narrow.map(|(mixed, value)| (unmix::<NARROW>(mixed), value));
        let wide = self.records::<WIDE>()?.entries();
        Ok(narrow.chain(wide.map(|(mixed, value)| (unmix::<WIDE>(mixed), value))))
    }

    /// Returns a form, all of whose options are forms with smaller indices.
    ///
    /// # Errors
    ///
    /// A damaged segment, or an index that is not below [`forms_len`](Self::forms_len).
    pub fn form(&self, index: u32) -> Result<Form<'_>, StoreError> {
        let fault = |reason| SegmentFault::Section {
            section: Section::Forms.name(),
            reason,
        };
        match self.form_arrays()? {
            Some(forms) => forms
                .form(index)
                .map_err(fault)
                .map_err(|fault| self.refuse(fault)),
            None => Err(self.refuse(fault(format!("form {index} of 0")))),
        }
    }

    /// Returns the total number of options of all forms.
    pub fn options_len(&self) -> u64 {
        self.header.options
    }

    /// Refuses the forms from now on, and returns the error of every later use.
    ///
    /// The store knows nothing about canonical forms. The code that restores them may find that
    /// they take more work than canonical forms would.
    pub fn refuse_forms(&self, reason: String) -> StoreError {
        let fault = || SegmentFault::Section {
            section: Section::Forms.name(),
            reason,
        };
        self.refuse(self.forms_refused.get_or_init(fault).clone())
    }

    /// Checks the checksum and the shape of every section, once; later calls cost nothing.
    ///
    /// # Errors
    ///
    /// The first section that is damaged.
    pub fn check(&self) -> Result<(), StoreError> {
        Section::ALL
            .into_iter()
            .try_for_each(|section| match self.fault(section) {
                Some(fault) => Err(self.refuse(fault.clone())),
                None => Ok(()),
            })
    }

    /// Reads the whole segment and calls `problem` for each fault: checksums, order, index, forms,
    /// references.
    pub(crate) fn verify(&self, mut problem: impl FnMut(StoreError)) {
        let mut report = |fault| problem(self.refuse(fault));
        for section in Section::ALL {
            if let Some(fault) = self.fault(section) {
                report(fault.clone());
            }
        }
        self.verify_records::<NARROW>(&mut report);
        self.verify_records::<WIDE>(&mut report);
        if let Ok(Some(forms)) = self.form_arrays() {
            for index in 0..self.header.forms {
                let form = u32::try_from(index).map_err(|_| format!("{index} is too many"));
                if let Err(reason) = form.and_then(|index| forms.form(index)) {
                    report(SegmentFault::Section {
                        section: Section::Forms.name(),
                        reason,
                    });
                }
            }
        }
    }

    fn verify_records<const W: usize>(&self, report: &mut impl FnMut(SegmentFault)) {
        let Ok(view) = self.records::<W>() else {
            return;
        };
        if view.is_empty() {
            return;
        }
        let section = section_of::<W>().name();
        let records = self.header.count(section_of::<W>());
        view.verify(records, |reason| {
            report(SegmentFault::Section { section, reason });
        });
        if self.header.forms == 0 {
            return;
        }
        for (i, (_, value)) in view.entries().enumerate() {
            if u64::from(form_index(value)) >= self.header.forms {
                let reason = format!(
                    "record {i} refers to form {}, which is none",
                    form_index(value)
                );
                report(SegmentFault::Section { section, reason });
            }
        }
    }

    /// Returns the records of one width, after their section has been checked.
    #[inline]
    pub(crate) fn records<const W: usize>(&self) -> Result<RecordView<'_, W>, StoreError> {
        match self.table(section_of::<W>()) {
            Ok(table) => Ok(RecordView::from_words(table.words, table.homes)),
            Err(fault) => Err(self.refuse(fault.clone())),
        }
    }

    /// Returns a section of records, or its fault; checks only once. The caller must not let it
    /// outlive the segment.
    #[inline]
    fn table(&self, section: Section) -> &Result<RecordTable, SegmentFault> {
        self.tables[section as usize].get_or_init(|| match section {
            Section::Wide => self.find_table::<WIDE>(),
            _ => self.find_table::<NARROW>(),
        })
    }

    /// Returns the forms, after their section has been checked; `None` if there are none.
    fn form_arrays(&self) -> Result<Option<&ArchivedFormArrays>, StoreError> {
        if self.header.section(Section::Forms).bytes == 0 {
            return Ok(None);
        }
        if let Some(fault) = self.fault(Section::Forms) {
            return Err(self.refuse(fault.clone()));
        }
        // SAFETY: `fault` has validated exactly these bytes as this type, and the map never
        // changes.
        Ok(Some(unsafe {
            rkyv::access_unchecked(self.archive_bytes(Section::Forms))
        }))
    }

    /// Returns the bytes of a section's archive; the header's layout was checked against the file.
    fn archive_bytes(&self, section: Section) -> &[u8] {
        let entry = self.header.section(section);
        &self.map[entry.offset as usize..][..entry.bytes as usize]
    }

    /// Returns the fault of a section; checks only once.
    fn fault(&self, section: Section) -> Option<&SegmentFault> {
        match section {
            Section::Forms => {
                let check = || self.find_forms().err();
                let found = self.forms.get_or_init(check).as_ref();
                found.or_else(|| self.forms_refused.get())
            }
            _ => self.table(section).as_ref().err(),
        }
    }

    #[cold]
    fn find_table<const W: usize>(&self) -> Result<RecordTable, SegmentFault> {
        let section = section_of::<W>();
        if self.header.section(section).bytes == 0 {
            return Ok(RecordTable::NONE);
        }
        let view = self.checked(section, |bytes, records| match self.header.format {
            INDEXED_FORMAT => RecordView::indexed(access::<ArchivedIndexed<W>>(bytes)?, records),
            _ => RecordView::new(access::<ArchivedSlots<W>>(bytes)?, records),
        })?;
        let (words, homes) = view.words();
        // SAFETY: the words lie in the map, which stays where it is and never changes until the
        // segment is dropped. They leave it only in the result of `records`, which borrows the
        // segment.
        let words = unsafe { mem::transmute::<&[u32_le], &'static [u32_le]>(words) };
        Ok(RecordTable { words, homes })
    }

    #[cold]
    fn find_forms(&self) -> Result<(), SegmentFault> {
        if self.header.section(Section::Forms).bytes == 0 {
            return Ok(());
        }
        self.checked(Section::Forms, |bytes, count| {
            let forms = access::<ArchivedFormArrays>(bytes)?;
            forms.check_shape(count, self.header.options)?;
            forms.check_forms()
        })
    }

    /// Compares a section with its checksum and returns the result of `read` on its archive.
    fn checked<'a, T>(
        &'a self,
        section: Section,
        access: impl FnOnce(&'a [u8], u64) -> Result<T, String>,
    ) -> Result<T, SegmentFault> {
        let entry = self.header.section(section);
        let padded = &self.map[entry.offset as usize..][..entry.bytes_padded() as usize];
        let computed = blake3::hash(padded);
        if *computed.as_bytes() != entry.checksum {
            return Err(SegmentFault::SectionChecksum {
                section: section.name(),
                stored: hex::encode(&entry.checksum[..8]),
                computed: hex::encode(&computed.as_bytes()[..8]),
            });
        }
        let found = access(self.archive_bytes(section), self.header.count(section));
        found.map_err(|reason| SegmentFault::Section {
            section: section.name(),
            reason,
        })
    }

    #[cold]
    fn refuse(&self, fault: SegmentFault) -> StoreError {
        StoreError::Segment {
            path: self.path.clone(),
            fault,
        }
    }
}

/// Validates bytes as an archive: that all pointers are in bounds, not that the content makes
/// sense.
fn access<T>(bytes: &[u8]) -> Result<&T, String>
where
    T: Portable + for<'a> CheckBytes<HighValidator<'a, BoxedError>>,
{
    rkyv::access::<T, BoxedError>(bytes).map_err(|error| error.to_string())
}

/// Returns the section that holds records of `W` words.
const fn section_of<const W: usize>() -> Section {
    if W == NARROW {
        Section::Narrow
    } else {
        Section::Wide
    }
}

#[cfg(test)]
mod tests {
    use super::super::FormTable;
    use super::super::build::write_segment;
    use super::super::table::Entry;
    use super::*;
    use seedbank_files::durable::Temporary;

    /// Writes a segment without a writer's checks, and opens it.
    fn careless(narrow: &[Entry], wide: &[Entry], forms: &FormTable) -> SegmentReader {
        let dir = tempfile::tempdir().unwrap();
        let mut temporary = Temporary::create(dir.path(), "segment").unwrap();
        let namespace = Namespace::new("sowing", 1, "partisan");
        write_segment(&mut temporary, &namespace, narrow, wide, forms).unwrap();
        let path = dir.path().join("1.seg");
        assert!(temporary.publish(&path).unwrap());
        SegmentReader::open(&path, None).unwrap()
    }

    #[test]
    fn verify_reports_what_checksums_can_not_tell() {
        let mut forms = FormTable::new();
        forms.push(&[], &[]).unwrap();
        let narrow = [(7, 0), (5, 1), (5, 2), (9, 2)];
        let wide = [(mix::<WIDE>(3), 3)];
        let segment = careless(&narrow, &wide, &forms);
        segment.check().unwrap();
        let mut problems = Vec::new();
        segment.verify(|problem| problems.push(problem.to_string()));
        for (problem, expected) in problems.iter().zip([
            "its narrow records are malformed: slot 1 is out of order",
            "its narrow records are malformed: slot 1 is not where a lookup finds its key",
            "its narrow records are malformed: slot 2 repeats the key",
            "its narrow records are malformed: 3 records where the header says 4",
            "its narrow records are malformed: record 2 refers to form 1, which is none",
            "its wide records are malformed: slot 0 has a narrow key",
            "its wide records are malformed: record 0 refers to form 1, which is none",
        ]) {
            assert!(problem.contains(expected), "{problem}");
        }
        assert_eq!(problems.len(), 7);
    }

    #[test]
    fn sound_segments_have_no_problems() {
        let segment = careless(&[(1, 0), (2, 9)], &[], &FormTable::new());
        segment.verify(|problem| panic!("{problem}"));
    }
}
