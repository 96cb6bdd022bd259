//! Digests: names of values that agree in every arena, run and store.
//!
//! The digest of a form is the first 16 bytes of the BLAKE3 hash of
//!
//! ```text
//! number of Left options (4 bytes, little endian) | number of Right options (4 bytes) |
//! digests of Left's options, 16 bytes each, in increasing order | digests of Right's, likewise
//! ```
//!
//! Forms are canonical, so equal values have equal digests; the encoding is unambiguous, so only a
//! collision of the hash could give two values one digest. A form and its negative have different
//! digests unless they are equal.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use super::{Arena, ValueId, ValueMap};

/// The digest of a value, written as 32 lowercase hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ValueDigest(pub [u8; 16]);

/// The error for a text that is not a digest.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0:?} is no digest of a value; expected 32 hexadecimal digits")]
pub struct ParseDigestError(pub String);

/// Computes digests, remembering those of followers.
///
/// ```
/// use cgvalues::{Arena, Digester, ValueId};
///
/// let arena = Arena::new();
/// let mut digester = Digester::new(&arena);
/// let one = arena.calculator().parse("1")?;
/// assert_ne!(digester.digest(one), digester.digest(one.negative()));
/// # Ok::<(), cgvalues::ParseValueError>(())
/// ```
pub struct Digester<'a> {
    arena: &'a Arena,
    memo: ValueMap<ValueDigest>,
    /// A stack: the current form on top, below it the forms that have it as a follower.
    open: Vec<ValueId>,
    sorted: Vec<[u8; 16]>,
    encoding: Vec<u8>,
}

impl<'a> Digester<'a> {
    /// Returns a memo for the values of an arena.
    pub fn new(arena: &'a Arena) -> Digester<'a> {
        Digester {
            arena,
            memo: ValueMap::default(),
            open: Vec::new(),
            sorted: Vec::new(),
            encoding: Vec::new(),
        }
    }

    /// Returns the number of digests in the memo.
    pub fn remembered(&self) -> usize {
        self.memo.len()
    }

    /// Returns the digest of a value.
    ///
    /// Costs one hash for each new follower and stores it in the memo: about 24 bytes. Forms of any
    /// depth are safe: there is no recursion.
    pub fn digest(&mut self, id: ValueId) -> ValueDigest {
        if let Some(&digest) = self.memo.get(&id) {
            return digest;
        }
        self.open.clear();
        self.open.push(id);
        while let Some(&next) = self.open.last() {
            if self.memo.contains_key(&next) {
                self.open.pop();
                continue;
            }
            let form = self.arena.form(next);
            let before = self.open.len();
            self.open.extend(
                form.left()
                    .chain(form.right())
                    .filter(|option| !self.memo.contains_key(option)),
            );
            if self.open.len() == before {
                let digest = self.combine(next);
                self.memo.insert(next, digest);
                self.open.pop();
            }
        }
        self.memo[&id]
    }

    fn combine(&mut self, id: ValueId) -> ValueDigest {
        let form = self.arena.form(id);
        let sorted = &mut self.sorted;
        sorted.clear();
        sorted.extend(form.left().map(|option| self.memo[&option].0));
        let left = sorted.len();
        sorted.extend(form.right().map(|option| self.memo[&option].0));
        sorted[..left].sort_unstable();
        sorted[left..].sort_unstable();
        let (left, right) = sorted.split_at(left);
        ValueDigest::of_options(left, right, &mut self.encoding)
    }
}

impl ValueDigest {
    /// Returns the digest of a form from those of Left's options and of Right's, each in increasing
    /// order; `encoding` is overwritten.
    pub fn of_options(
        left: &[[u8; 16]],
        right: &[[u8; 16]],
        encoding: &mut Vec<u8>,
    ) -> ValueDigest {
        encoding.clear();
        for options in [left, right] {
            encoding.extend((options.len() as u32).to_le_bytes());
        }
        encoding.extend_from_slice(left.as_flattened());
        encoding.extend_from_slice(right.as_flattened());
        ValueDigest::of_bytes(encoding)
    }

    /// Returns the digest of a value that has a name instead of a form, such as `oo(0,1)`.
    pub fn of_name(name: &str) -> ValueDigest {
        ValueDigest::of_bytes(name.as_bytes())
    }

    /// Returns the digest of an encoding.
    pub(crate) fn of_bytes(encoding: &[u8]) -> ValueDigest {
        ValueDigest::of_hash(&blake3::hash(encoding))
    }

    /// Returns the first bytes of a hash.
    pub(crate) fn of_hash(hash: &blake3::Hash) -> ValueDigest {
        let mut digest = [0; 16];
        digest.copy_from_slice(&hash.as_bytes()[..16]);
        ValueDigest(digest)
    }
}

impl fmt::Display for ValueDigest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&hex::encode(self.0))
    }
}

impl fmt::Debug for ValueDigest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ValueDigest({self})")
    }
}

impl FromStr for ValueDigest {
    type Err = ParseDigestError;

    fn from_str(text: &str) -> Result<ValueDigest, ParseDigestError> {
        let mut digest = ValueDigest([0; 16]);
        hex::decode_to_slice(text, &mut digest.0).map_err(|_| ParseDigestError(text.to_owned()))?;
        Ok(digest)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::super::{Dyadic, samples};
    use super::*;

    #[test]
    fn the_encoding_is_fixed() {
        let arena = Arena::new();
        let mut c = arena.calculator();
        let mut digester = Digester::new(&arena);
        let half =
            |bytes: &[u8]| ValueDigest(blake3::hash(bytes).as_bytes()[..16].try_into().unwrap());
        let zero = half(&[0; 8]);
        assert_eq!(digester.digest(ValueId::ZERO), zero);
        let minus_one = c.parse("-1").unwrap();
        let encoding = [&[0, 0, 0, 0, 1, 0, 0, 0], &zero.0[..]].concat();
        assert_eq!(digester.digest(minus_one), half(&encoding));
        // Existing segments hold these digests, so they must never change.
        assert_eq!(zero.to_string(), "71e0a99173564931c0b8acc52d2685a8");
        let value = c.parse("{2|0||-2|-4}").unwrap();
        assert_eq!(
            digester.digest(value).to_string(),
            "9da8fd6f26bd829428052c742270f31a"
        );
    }

    #[test]
    fn digests_tell_values_apart_and_do_not_depend_on_ids() {
        let arena = Arena::new();
        let mut c = arena.calculator();
        let games = samples::born_by(&mut c, 3);
        let mut digester = Digester::new(&arena);
        let digests: HashSet<ValueDigest> = games.iter().map(|&id| digester.digest(id)).collect();
        assert_eq!(digests.len(), games.len());
        // The same values in another order, so with other ids.
        let other = Arena::new();
        let mut c = other.calculator();
        let mut others = Digester::new(&other);
        for &id in games.iter().rev() {
            let copy = c.parse(&arena.notation(id).to_string()).unwrap();
            assert_eq!(others.digest(copy), digester.digest(id));
        }
    }

    #[test]
    fn forms_of_any_depth_are_safe() {
        let arena = Arena::new();
        let mut c = arena.calculator();
        let large = c.number(Dyadic::integer(700_000)).unwrap();
        let mut digester = Digester::new(&arena);
        let digests = [digester.digest(large), digester.digest(large.negative())];
        assert_ne!(digests[0], digests[1]);
    }

    #[test]
    fn texts_read_back() {
        let digest = Digester::new(&Arena::new()).digest(ValueId::ZERO);
        assert_eq!(digest.to_string().parse(), Ok(digest));
        for text in [
            "",
            "12",
            "+0000000000000000000000000000000",
            "g0000000000000000000000000000000",
        ] {
            let error = text.parse::<ValueDigest>().unwrap_err();
            assert!(
                error
                    .to_string()
                    .ends_with("expected 32 hexadecimal digits")
            );
        }
    }
}
