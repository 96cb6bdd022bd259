//! Values computed from a canonical form, options first.

use super::{ArenaError, Calculator, ValueId, ValueMap};

impl Calculator<'_> {
    /// Returns the value that `game` makes of the values of Left's options and of Right's, unless
    /// `leaf` gives the value of a follower.
    ///
    /// Values each follower once. There is no recursion over them.
    pub(super) fn transformed<E: From<ArenaError>>(
        &mut self,
        id: ValueId,
        mut leaf: impl FnMut(&mut Self, ValueId) -> Result<Option<ValueId>, E>,
        mut game: impl FnMut(&mut Self, &[ValueId], &[ValueId]) -> Result<ValueId, E>,
    ) -> Result<ValueId, E> {
        let arena = self.arena();
        let mut known = ValueMap::default();
        let mut open = vec![id];
        while let Some(&next) = open.last() {
            if known.contains_key(&next) {
                open.pop();
                continue;
            }
            // Called once for a leaf, and again for any other form when its options are ready.
            if let Some(value) = leaf(self, next)? {
                known.insert(next, value);
                open.pop();
                continue;
            }
            let form = arena.form(next);
            let before = open.len();
            let options = form.left().chain(form.right());
            open.extend(options.filter(|option| !known.contains_key(option)));
            if open.len() > before {
                continue;
            }
            let left: Vec<ValueId> = form.left().map(|option| known[&option]).collect();
            let right: Vec<ValueId> = form.right().map(|option| known[&option]).collect();
            known.insert(next, game(self, &left, &right)?);
            open.pop();
        }
        Ok(known[&id])
    }
}
