//! Texts and how often they occur.

use std::collections::BTreeMap;

/// The most different texts that are counted.
///
/// Unit: texts. With [`TEXT_MAX`] characters each they take 8 MiB a column.
pub const TEXTS_MAX: usize = 1 << 12;

/// The longest text that is counted; a column with a longer one is not.
///
/// Unit: bytes.
pub const TEXT_MAX: usize = 1 << 11;

/// How often texts occur, while few are different.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Texts {
    /// None once they are too many.
    counts: Option<BTreeMap<String, u64>>,
}

impl Default for Texts {
    fn default() -> Texts {
        Texts {
            counts: Some(BTreeMap::new()),
        }
    }
}

impl Texts {
    /// Returns what is known of texts that are too many.
    pub(super) fn too_many() -> Texts {
        Texts { counts: None }
    }

    /// Counts a text some times.
    ///
    /// ```
    /// use seedbank::dataset::profile::{TEXTS_MAX, Texts};
    ///
    /// let mut texts = Texts::default();
    /// for n in 0..TEXTS_MAX {
    ///     texts.add(&n.to_string(), 1);
    /// }
    /// texts.add("0", 2);
    /// assert_eq!(texts.counts().and_then(|counts| counts.get("0")), Some(&3));
    /// texts.add("one too many", 1);
    /// assert!(texts.counts().is_none());
    /// ```
    pub fn add(&mut self, text: &str, times: u64) {
        let Some(counts) = &mut self.counts else {
            return;
        };
        if let Some(count) = counts.get_mut(text) {
            *count += times;
        } else if counts.len() < TEXTS_MAX && text.len() <= TEXT_MAX {
            counts.insert(text.to_owned(), times);
        } else {
            self.counts = None;
        }
    }

    /// Counts those of others, too.
    pub fn merge(&mut self, others: Texts) {
        match others.counts {
            Some(counts) => counts
                .iter()
                .for_each(|(text, &count)| self.add(text, count)),
            None => self.counts = None,
        }
    }

    /// Returns how often each text occurs; `None` where more than [`TEXTS_MAX`] are different or one is
    /// longer than [`TEXT_MAX`].
    pub fn counts(&self) -> Option<&BTreeMap<String, u64>> {
        self.counts.as_ref()
    }
}
