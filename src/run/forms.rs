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
    /// The options of the form in hand, by digest.
    left: Vec<([u8; 16], ValueId)>,
    right: Vec<([u8; 16], ValueId)>,
    row: FormRow,
}

impl<'a> FormCollector<'a> {
    pub(super) fn new(arena: &'a Arena) -> FormCollector<'a> {
        FormCollector {
            arena,
            digester: Digester::new(arena),
            written: HashSet::default(),
            left: Vec::new(),
            right: Vec::new(),
            row: FormRow::default(),
        }
    }

    /// Writes a form and its followers, unless they are written already, and returns the form's digest.
    pub(super) fn collect(
        &mut self,
        form: ValueId,
        push: &mut dyn FnMut(&FormRow) -> Result<(), DatasetError>,
    ) -> Result<[u8; 16], DatasetError> {
        let value = form;
        let mut path = vec![form];
        while let Some(&form) = path.last() {
            if self.written.contains(&form) {
                path.pop();
                continue;
            }
            let options = self.arena.form(form);
            self.left.clear();
            self.left.extend(
                options
                    .left()
                    .map(|option| (self.digester.digest(option).0, option)),
            );
            self.left.sort_unstable();
            self.right.clear();
            self.right.extend(
                options
                    .right()
                    .map(|option| (self.digester.digest(option).0, option)),
            );
            self.right.sort_unstable();
            let before = path.len();
            let options = self
                .left
                .iter()
                .chain(&self.right)
                .map(|&(_, option)| option);
            path.extend(options.filter(|option| !self.written.contains(option)));
            if path.len() > before {
                continue;
            }
            self.row.value_digest = self.digester.digest(form).0;
            self.row.kind = Kind::of(self.arena, form).name().into();
            let digests = |side: &[([u8; 16], ValueId)], of: &mut Vec<[u8; 16]>| {
                of.clear();
                of.extend(side.iter().map(|&(digest, _)| digest));
            };
            digests(&self.left, &mut self.row.left_options);
            digests(&self.right, &mut self.row.right_options);
            push(&self.row)?;
            self.written.insert(form);
            path.pop();
        }
        Ok(self.digester.digest(value).0)
    }
}
