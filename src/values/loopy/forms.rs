//! The canonical forms of loopy stoppers, each stored once.

use hashbrown::HashMap;

use super::stopper::{LoopyId, Stopper};
use crate::ValueDigest;

/// A loopy form.
pub(super) struct Form {
    /// Left's options and Right's, each in increasing order.
    pub(super) options: [Vec<Stopper>; 2],
    pub(super) negative: LoopyId,
    pub(super) digest: ValueDigest,
    /// Whether every cycle among its followers is a single move.
    pub(super) is_plumtree: bool,
}

/// The loopy forms of a calculator.
#[derive(Default)]
pub(super) struct Forms {
    pub(super) forms: Vec<Form>,
    pub(super) by_digest: HashMap<ValueDigest, LoopyId, foldhash::fast::RandomState>,
}

impl Forms {
    pub(super) fn options(&self, id: LoopyId) -> &[Vec<Stopper>; 2] {
        &self.forms[id.0 as usize].options
    }

    pub(super) fn negative(&self, id: LoopyId) -> LoopyId {
        self.forms[id.0 as usize].negative
    }

    pub(super) fn digest(&self, id: LoopyId) -> ValueDigest {
        self.forms[id.0 as usize].digest
    }

    /// Returns whether every cycle among a form's followers is a single move.
    pub(super) fn is_plumtree(&self, id: LoopyId) -> bool {
        self.forms[id.0 as usize].is_plumtree
    }

    pub(super) fn len(&self) -> usize {
        self.forms.len()
    }
}
