//! The forms that a shard's values need, for the table `forms`.

use hashbrown::HashSet;

use crate::dataset::{DatasetError, FormRow};
use crate::value::{Arena, Digester, Kind, ValueId};

/// Writes each form that a shard needs once, options before the forms that have them.
///
/// The order depends on the values in the shard and their digests alone, never on ids.
pub(super) struct FormCollector<'a> {
    arena: &'a Arena,
    digester: Digester<'a>,
    written: HashSet<ValueId, foldhash::fast::RandomState>,
}

impl<'a> FormCollector<'a> {
    pub(super) fn new(arena: &'a Arena) -> FormCollector<'a> {
        FormCollector {
            arena,
            digester: Digester::new(arena),
            written: HashSet::default(),
        }
    }

    /// Writes a form and its followers, unless they are written already.
    pub(super) fn collect(
        &mut self,
        form: ValueId,
        push: &mut dyn FnMut(&FormRow) -> Result<(), DatasetError>,
    ) -> Result<(), DatasetError> {
        let mut path = vec![form];
        while let Some(&form) = path.last() {
            if self.written.contains(&form) {
                path.pop();
                continue;
            }
            let left = self.by_digest(self.arena.left_options(form));
            let right = self.by_digest(self.arena.right_options(form));
            let before = path.len();
            let options = left.iter().chain(&right).map(|&(_, option)| option);
            path.extend(options.filter(|option| !self.written.contains(option)));
            if path.len() > before {
                continue;
            }
            push(&FormRow {
                value_digest: self.digester.digest(form).0,
                kind: Kind::of(self.arena, form).name().into(),
                left_options: left.iter().map(|&(digest, _)| digest).collect(),
                right_options: right.iter().map(|&(digest, _)| digest).collect(),
            })?;
            self.written.insert(form);
            path.pop();
        }
        Ok(())
    }

    fn by_digest(&mut self, options: Vec<ValueId>) -> Vec<([u8; 16], ValueId)> {
        let mut options: Vec<_> = options
            .into_iter()
            .map(|option| (self.digester.digest(option).0, option))
            .collect();
        options.sort_unstable();
        options
    }
}
