//! A column of a finished result, over the variables of its rows.

use std::fmt;

use super::texts::Texts;

/// The most places beyond the data for which a law's predictions are listed.
pub const NEXT_MAX: usize = 12;

/// The type of a column's entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Entries {
    /// Values of games, in notation.
    Values,
    /// Integers.
    Integers,
    /// Anything else: words without structure.
    Words,
}

/// The subject of a column's entries.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Subject {
    /// The members of something named, such as a pattern or a code.
    Members(String),
    /// The numbers of followers of such members.
    Followers(String),
}

impl From<String> for Subject {
    fn from(name: String) -> Subject {
        Subject::Members(name)
    }
}

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Subject::Members(name) => f.write_str(name),
            Subject::Followers(name) => write!(f, "followers of {name}"),
        }
    }
}

/// A column over places in a grid of integers. Equal entries are stored once.
#[derive(Clone, Debug)]
pub struct Column {
    /// The subject of the entries.
    pub subject: Subject,
    /// The names of the variables.
    pub variables: Vec<String>,
    /// The type of the entries.
    pub entries: Entries,
    /// The period of the entries, if it is known to be proved.
    pub proved: Option<ProvedPeriod>,
    places: Vec<i64>,
    words: Vec<u32>,
    /// A number for each entry that identifies its position; empty if positions are not given.
    positions: Vec<u64>,
    texts: Texts,
}

/// A period, proved elsewhere, of the entries along one variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProvedPeriod {
    /// The least place from which on the entries repeat.
    pub preperiod: i64,
    /// The period.
    pub period: i64,
    /// The proof in words.
    pub proof: String,
}

/// Returns whether a place is in the first two thirds of each range; laws are found on these
/// places.
pub(super) fn is_for_finding(at: &[i64], ranges: &[(i64, i64)]) -> bool {
    let mut places = at.iter().zip(ranges);
    places.all(|(at, (least, greatest))| 3 * (at - least) <= 2 * (greatest - least))
}

impl Column {
    /// Returns a column without entries.
    ///
    /// # Panics
    ///
    /// If there is no variable.
    pub fn new(subject: impl Into<Subject>, variables: Vec<String>, entries: Entries) -> Column {
        assert!(!variables.is_empty(), "a column has a variable");
        Column {
            subject: subject.into(),
            variables,
            entries,
            proved: None,
            places: Vec::new(),
            words: Vec::new(),
            positions: Vec::new(),
            texts: Texts::default(),
        }
    }

    /// Appends an entry.
    ///
    /// # Panics
    ///
    /// If the place does not have a number for each variable.
    pub fn push(&mut self, place: &[i64], text: &str) {
        assert_eq!(
            place.len(),
            self.variables.len(),
            "a number for each variable"
        );
        self.places.extend(place);
        self.words.push(self.texts.number(text));
    }

    /// Appends an entry of a position. Equal entries of two columns prove nothing if their
    /// positions are equal, or if one is the other's negative; `position` must then be the same
    /// number.
    ///
    /// # Panics
    ///
    /// As [`Column::push`], and if there are entries without positions.
    pub fn push_of(&mut self, place: &[i64], text: &str, position: u64) {
        assert_eq!(
            self.positions.len(),
            self.words.len(),
            "all entries have positions"
        );
        self.push(place, text);
        self.positions.push(position);
    }

    /// Returns the numbers of the positions, in the order of the entries; empty if none were given.
    pub fn positions(&self) -> &[u64] {
        &self.positions
    }

    /// Returns the number of entries.
    pub fn len(&self) -> usize {
        self.words.len()
    }

    /// Returns whether there are none.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// Returns the entries, each with its place, as indices of texts.
    pub fn words(&self) -> impl Iterator<Item = (&[i64], u32)> + Clone {
        let places = self.places.chunks_exact(self.variables.len());
        places.zip(self.words.iter().copied())
    }

    /// Returns the distinct texts.
    pub fn texts(&self) -> &Texts {
        &self.texts
    }

    /// Writes a place: a number for each variable.
    pub fn place(&self, at: &[i64]) -> String {
        let numbers = self.variables.iter().zip(at);
        let numbers: Vec<String> = numbers
            .map(|(name, number)| format!("{name}={number}"))
            .collect();
        numbers.join(",")
    }

    /// Returns the places of a lattice beyond the column, ordered by their sum: from `first` on in
    /// some steps. A variable without a step has one number only.
    pub(super) fn beyond(&self, first: &[i64], steps: &[Option<i64>]) -> Vec<Vec<i64>> {
        let ranges = self.ranges();
        let mut places = vec![Vec::new()];
        for (i, step) in steps.iter().enumerate() {
            // The places of the column, and some more.
            let count = match step {
                Some(step) => (ranges[i].1 - first[i]).div_euclid(*step).max(-1) + 1,
                None => 0,
            };
            // With more variables, fewer numbers of each suffice, because there are more places.
            let most = NEXT_MAX as i64 >> (2 * steps.len().saturating_sub(2)).min(3);
            let more = if step.is_some() { most } else { 1 };
            let near = (count > 0 && steps.len() > 1).then_some(0..more.min(count));
            let numbers: Vec<i64> = near
                .into_iter()
                .flatten()
                .chain(count..count + more)
                .collect();
            let longer = |place: Vec<i64>| {
                let numbers = numbers.clone().into_iter();
                let step = step.unwrap_or(0);
                numbers.map(move |number| [&place[..], &[first[i] + number * step]].concat())
            };
            places = places.into_iter().flat_map(longer).collect();
            places.dedup();
        }
        let is_inside = |at: &Vec<i64>| at.iter().zip(&ranges).all(|(at, range)| *at <= range.1);
        places.retain(|at| !is_inside(at));
        places.sort_by_key(|at| at.iter().sum::<i64>());
        places.truncate(NEXT_MAX);
        places
    }

    /// Returns the first place and the entries if there is one variable and the places are
    /// consecutive.
    pub fn sequence(&self) -> Option<(i64, Vec<u32>)> {
        if self.variables.len() != 1 {
            return None;
        }
        let first = *self.places.first()?;
        let is_next = self.places.windows(2).all(|pair| pair[0] + 1 == pair[1]);
        is_next.then(|| (first, self.words.clone()))
    }

    /// Returns the least and the greatest value of each variable.
    pub fn ranges(&self) -> Vec<(i64, i64)> {
        let variables = 0..self.variables.len();
        variables
            .map(|i| {
                let values = || self.words().map(|(place, _)| place[i]);
                (values().min().unwrap_or(0), values().max().unwrap_or(0))
            })
            .collect()
    }
}
