//! Distinct texts, each stored once and numbered in the order of first occurrence.

use std::hash::BuildHasher;
use std::ops::Index;

use foldhash::fast::FixedState;
use hashbrown::HashTable;

/// Distinct texts, by their numbers.
///
/// PERF: one string holds them all, so that ten million short texts take some 25 bytes each; a map
/// of strings took 130.
#[derive(Clone, Debug, Default)]
pub struct Texts {
    all: String,
    /// The end of each text.
    ends: Vec<usize>,
    numbers: HashTable<u32>,
}

impl Texts {
    /// Returns the number of a text; a new text gets the next number.
    pub fn number(&mut self, text: &str) -> u32 {
        let hash = |text: &str| FixedState::default().hash_one(text);
        let of = |number: u32| between(&self.all, &self.ends, number);
        if let Some(&number) = self.numbers.find(hash(text), |&number| of(number) == text) {
            return number;
        }
        let number = self.ends.len() as u32;
        self.numbers
            .insert_unique(hash(text), number, |&number| hash(of(number)));
        self.all.push_str(text);
        self.ends.push(self.all.len());
        number
    }

    /// Returns the number of texts.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns whether there are none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Returns the texts, by their numbers.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        (0..self.len() as u32).map(|number| &self[number])
    }
}

impl Index<u32> for Texts {
    type Output = str;

    fn index(&self, number: u32) -> &str {
        between(&self.all, &self.ends, number)
    }
}

impl<'t> FromIterator<&'t str> for Texts {
    fn from_iter<I: IntoIterator<Item = &'t str>>(texts: I) -> Texts {
        let mut all = Texts::default();
        texts.into_iter().for_each(|text| {
            all.number(text);
        });
        all
    }
}

fn between<'t>(all: &'t str, ends: &[usize], number: u32) -> &'t str {
    let number = number as usize;
    let begin = number.checked_sub(1).map_or(0, |before| ends[before]);
    &all[begin..ends[number]]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_numbered_in_order() {
        let mut texts = Texts::default();
        let numbers: Vec<u32> = ["b", "", "a", "b", "", "c"]
            .map(|text| texts.number(text))
            .to_vec();
        assert_eq!(numbers, [0, 1, 2, 0, 1, 3]);
        assert_eq!(texts.iter().collect::<Vec<&str>>(), ["b", "", "a", "c"]);
        let many: Vec<String> = (0..2000).map(|n| (n % 1000).to_string()).collect();
        let texts: Texts = many.iter().map(String::as_str).collect();
        assert_eq!((texts.len(), &texts[999]), (1000, "999"));
    }
}
