//! The canonical forms of a segment: a flat list in which every form comes after its options.
//!
//! Form `i` has Left's and Right's options, each a *reference*: `index << 1 | sign`, where `index <
//! i` names an earlier form of the same segment and a set sign means its negative. So the
//! references have no cycle, whatever bytes they were read from. The store does not know whether a
//! form is canonical or how its options are ordered.

use rkyv::rend::u32_le;
use rkyv::{Archive, Serialize};

/// The most forms in one table: an index and a sign must fit into 32 bits.
pub const FORMS_MAX: usize = 1 << 31;

/// The most options of a form, both sides together.
///
/// Canonical forms of strips have a few hundred at most: a key of 127 bits holds 124 pots, with one
/// move for each player from each.
pub const FORM_OPTIONS_MAX: usize = 1 << 12;

/// The greatest depth of a form: 0 without options, else one more than that of its deepest option.
///
/// No canonical form is deeper than the longest play from its position. The moves of one player
/// alone carry each of at most 1,750 seeds, or of 60 on 60 pots, across the strip: at most 12,250
/// moves for a key of 127 bits.
pub const FORM_DEPTH_MAX: u16 = 1 << 14;

/// Returns the reference to a form or to its negative.
pub const fn form_ref(index: u32, negated: bool) -> u32 {
    index << 1 | negated as u32
}

/// Returns the index of the form that a reference names.
pub const fn form_index(reference: u32) -> u32 {
    reference >> 1
}

/// Returns whether a reference means the negative of the form that it names.
pub const fn form_negated(reference: u32) -> bool {
    reference & 1 == 1
}

/// The forms of a segment under construction, options before the forms that have them.
///
/// ```
/// use valuestore::{FormTable, form_ref};
///
/// let mut forms = FormTable::new();
/// let zero = forms.push(&[], &[])?;
/// let one = forms.push(&[form_ref(zero, false)], &[])?;
/// // +-1 = {1|-1}: the option -1 is the form 1, negated.
/// let switch = forms.push(&[form_ref(one, false)], &[form_ref(one, true)])?;
/// assert_eq!(switch, 2);
/// assert_eq!(forms.form(switch), Some((&[2][..], &[3][..])));
/// # Ok::<(), valuestore::FormError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FormTable {
    arrays: FormArrays,
}

/// The archived arrays: the options of form `i` are `options[ends[i - 1]..ends[i]]`, Left's
/// `lefts[i]` first.
#[derive(Archive, Serialize, Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct FormArrays {
    ends: Vec<u32>,
    lefts: Vec<u32>,
    options: Vec<u32>,
}

/// The reason why a form can't be added to a table.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FormError {
    /// An option that is not in the table yet.
    #[error("form {form} has an option that refers to form {option}; options must come first")]
    Forward {
        /// The new form.
        form: u32,
        /// The form its option refers to.
        option: u32,
    },
    /// The table is full.
    #[error(
        "a table holds at most {FORMS_MAX} forms and {} options; seal it and begin another",
        u32::MAX
    )]
    Full,
}

impl FormTable {
    /// Returns a table without forms.
    pub fn new() -> FormTable {
        FormTable::default()
    }

    /// Returns a table without forms, with capacity for `forms` forms and `options` options in all.
    pub fn with_capacity(forms: usize, options: usize) -> FormTable {
        FormTable {
            arrays: FormArrays {
                ends: Vec::with_capacity(forms),
                lefts: Vec::with_capacity(forms),
                options: Vec::with_capacity(options),
            },
        }
    }

    /// Appends a form and returns its index.
    ///
    /// # Errors
    ///
    /// An option that refers to a form not in the table, or a full table.
    pub fn push(&mut self, left: &[u32], right: &[u32]) -> Result<u32, FormError> {
        let FormArrays {
            ends,
            lefts,
            options,
        } = &mut self.arrays;
        let form = u32::try_from(ends.len()).map_err(|_| FormError::Full)?;
        let end = u32::try_from(options.len() + left.len() + right.len());
        let (Ok(end), true) = (end, ends.len() < FORMS_MAX) else {
            return Err(FormError::Full);
        };
        if let Some(&option) = left
            .iter()
            .chain(right)
            .find(|&&option| form_index(option) >= form)
        {
            return Err(FormError::Forward {
                form,
                option: form_index(option),
            });
        }
        options.extend_from_slice(left);
        options.extend_from_slice(right);
        lefts.push(left.len() as u32);
        ends.push(end);
        Ok(form)
    }

    /// Returns the number of forms.
    pub fn len(&self) -> usize {
        self.arrays.ends.len()
    }

    /// Returns whether there are no forms.
    pub fn is_empty(&self) -> bool {
        self.arrays.ends.is_empty()
    }

    /// Returns the number of options of all forms together.
    pub fn options_len(&self) -> usize {
        self.arrays.options.len()
    }

    /// Returns Left's and Right's options of a form, or `None` if there is no such form.
    pub fn form(&self, index: u32) -> Option<(&[u32], &[u32])> {
        let FormArrays {
            ends,
            lefts,
            options,
        } = &self.arrays;
        let i = index as usize;
        let end = *ends.get(i)? as usize;
        let start = if i == 0 { 0 } else { ends[i - 1] as usize };
        Some(options[start..end].split_at(lefts[i] as usize))
    }

    /// Returns the arrays to archive.
    pub(crate) fn arrays(&self) -> &FormArrays {
        &self.arrays
    }

    /// Returns the table of the forms that `references` need, and the new index of each form.
    ///
    /// Time and memory are linear in this whole table.
    pub(crate) fn closure(&self, references: impl Iterator<Item = u32>) -> (FormTable, Vec<u32>) {
        const ABSENT: u32 = u32::MAX;
        const NEEDED: u32 = 0;
        let mut renumbered = vec![ABSENT; self.len()];
        for reference in references {
            renumbered[form_index(reference) as usize] = NEEDED;
        }
        // Options come before forms, so one downward pass finds all needed forms, and one upward
        // pass renumbers them.
        for i in (0..self.len()).rev() {
            if renumbered[i] == NEEDED {
                let (left, right) = self.form(i as u32).unwrap_or_default();
                for &option in left.iter().chain(right) {
                    renumbered[form_index(option) as usize] = NEEDED;
                }
            }
        }
        let mut closure = FormTable::new();
        for i in 0..self.len() {
            if renumbered[i] == NEEDED {
                renumbered[i] = closure.len() as u32;
                let (left, right) = self.form(i as u32).unwrap_or_default();
                let FormArrays {
                    ends,
                    lefts,
                    options,
                } = &mut closure.arrays;
                options.extend(left.iter().chain(right).map(|&option| {
                    form_ref(
                        renumbered[form_index(option) as usize],
                        form_negated(option),
                    )
                }));
                lefts.push(left.len() as u32);
                ends.push(options.len() as u32);
            }
        }
        (closure, renumbered)
    }
}

/// One form in a mapped segment: Left's and Right's options as references to earlier forms.
#[derive(Clone, Copy)]
pub struct Form<'a> {
    left: &'a [u32_le],
    right: &'a [u32_le],
}

impl<'a> Form<'a> {
    /// Returns the references to Left's options, in stored order.
    pub fn left(&self) -> impl ExactSizeIterator<Item = u32> + Clone + 'a {
        self.left.iter().map(|option| option.to_native())
    }

    /// Returns the references to Right's options, in stored order.
    pub fn right(&self) -> impl ExactSizeIterator<Item = u32> + Clone + 'a {
        self.right.iter().map(|option| option.to_native())
    }
}

impl std::fmt::Debug for Form<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.left()).finish()?;
        f.debug_list().entries(self.right()).finish()
    }
}

impl ArchivedFormArrays {
    /// Checks in constant time that the numbers of forms and options are as given.
    pub(crate) fn check_shape(&self, forms: u64, options: u64) -> Result<(), String> {
        let found = (
            self.ends.len() as u64,
            self.lefts.len() as u64,
            self.options.len() as u64,
        );
        if found == (forms, forms, options) {
            return Ok(());
        }
        Err(format!(
            "arrays of {found:?} entries for {forms} forms with {options} options"
        ))
    }

    /// Checks that the options of every form are earlier forms, and that its options and depth are
    /// within the bounds for canonical forms of positions: evaluating excessive forms would take
    /// forever.
    ///
    /// O(options) time; 2 bytes a form during the call.
    pub(crate) fn check_forms(&self) -> Result<(), String> {
        let mut depths: Vec<u16> = Vec::with_capacity(self.ends.len());
        for index in 0..self.ends.len() {
            let form = self.form(index as u32)?;
            let options = form.left.len() + form.right.len();
            if options > FORM_OPTIONS_MAX {
                return Err(format!(
                    "form {index} has {options} options; a form of a position has at most {FORM_OPTIONS_MAX}"
                ));
            }
            let below = form.left().chain(form.right());
            let below = below
                .map(|option| depths[form_index(option) as usize])
                .max();
            let depth = below.map_or(0, |depth| depth + 1);
            if depth > FORM_DEPTH_MAX {
                return Err(format!(
                    "form {index} is nested {depth} deep; a form of a position is at most {FORM_DEPTH_MAX} deep"
                ));
            }
            depths.push(depth);
        }
        Ok(())
    }

    /// Returns a form, checked to have only earlier forms as options, or its fault.
    pub(crate) fn form(&self, index: u32) -> Result<Form<'_>, String> {
        let i = index as usize;
        let start = if i == 0 {
            0
        } else {
            self.ends.get(i - 1).map_or(0, |end| end.to_native())
        };
        let (Some(end), Some(lefts)) = (self.ends.get(i), self.lefts.get(i)) else {
            return Err(format!("form {index} of {}", self.ends.len()));
        };
        let (left, right) = self
            .options
            .get(start as usize..end.to_native() as usize)
            .and_then(|options| options.split_at_checked(lefts.to_native() as usize))
            .ok_or_else(|| format!("the options of form {index} are out of range"))?;
        if let Some(option) = left
            .iter()
            .chain(right)
            .find(|option| form_index(option.to_native()) >= index)
        {
            let option = form_index(option.to_native());
            return Err(format!(
                "form {index} refers to form {option}, which is not before it"
            ));
        }
        Ok(Form { left, right })
    }
}

#[cfg(test)]
mod tests {
    use rkyv::rancor::BoxedError;

    use super::*;

    /// 0, 1 = {0|}, +-1 = {1|-1}, * = {0|0}, {1|*}.
    fn some_forms() -> FormTable {
        let mut forms = FormTable::new();
        for (left, right) in [
            (&[][..], &[][..]),
            (&[0], &[]),
            (&[2], &[3]),
            (&[0], &[1]),
            (&[2], &[6]),
        ] {
            forms.push(left, right).unwrap();
        }
        forms
    }

    #[test]
    fn archived_forms_are_the_forms() {
        let forms = some_forms();
        let bytes = rkyv::to_bytes::<BoxedError>(forms.arrays()).unwrap();
        let archived = rkyv::access::<ArchivedFormArrays, BoxedError>(&bytes).unwrap();
        archived.check_shape(5, 7).unwrap();
        assert!(archived.check_shape(5, 8).is_err());
        for i in 0..5 {
            let form = archived.form(i).unwrap();
            let (left, right): (Vec<u32>, Vec<u32>) =
                (form.left().collect(), form.right().collect());
            assert_eq!(forms.form(i), Some((&left[..], &right[..])));
        }
        for absent in [5, 6, u32::MAX] {
            assert!(archived.form(absent).is_err() && forms.form(absent).is_none());
        }
    }

    #[test]
    fn broken_forms_are_errors() {
        let broken = [
            FormArrays {
                ends: vec![1],
                lefts: vec![0],
                options: vec![0],
            }, // an option of itself
            FormArrays {
                ends: vec![0, 9],
                lefts: vec![0, 0],
                options: vec![0],
            }, // past the end
            FormArrays {
                ends: vec![2, 1],
                lefts: vec![0, 0],
                options: vec![0; 2],
            }, // backwards
            FormArrays {
                ends: vec![0, 1],
                lefts: vec![0, 2],
                options: vec![0],
            }, // too many lefts
            FormArrays {
                ends: vec![0, 1],
                lefts: vec![0],
                options: vec![0],
            }, // arrays disagree
        ];
        for arrays in broken {
            let bytes = rkyv::to_bytes::<BoxedError>(&arrays).unwrap();
            let archived = rkyv::access::<ArchivedFormArrays, BoxedError>(&bytes).unwrap();
            let last = arrays.ends.len() as u32 - 1;
            assert!(archived.form(last).is_err(), "{arrays:?}");
        }
    }

    #[test]
    fn forms_come_after_their_options() {
        let mut forms = FormTable::new();
        let error = forms.push(&[form_ref(0, true)], &[]).unwrap_err();
        assert_eq!(error, FormError::Forward { form: 0, option: 0 });
        assert!(forms.is_empty());
    }

    #[test]
    fn a_closure_keeps_what_is_needed_and_no_more() {
        let (closure, renumbered) = some_forms().closure([form_ref(4, true)].into_iter());
        assert_eq!(renumbered, [0, 1, u32::MAX, 2, 3]);
        assert_eq!(closure.len(), 4);
        assert_eq!(closure.form(3), Some((&[2][..], &[4][..])));
        assert_eq!(some_forms().closure([8, 4].into_iter()).0, some_forms());
        assert!(some_forms().closure([].into_iter()).0.is_empty());
    }
}
