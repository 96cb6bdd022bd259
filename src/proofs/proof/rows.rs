//! Families of rows with repeated words, and the automata that read them.

use std::fmt;

use cggames::board::row;
use cggames::family::{NoBlocks, Pattern};
use cggames::game::reading::{FULL, Pot};

/// A block of the rows of a family.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Block {
    /// Pots that every row has.
    Pots(Vec<Pot>),
    /// Pots that are repeated, at least this number of times. There are some, so that a row shows
    /// how often.
    Repeated(Vec<Pot>, u32),
}

/// A family of rows: a sequence of blocks. The *counts* of a row are the numbers of repetitions of
/// its [`Block::Repeated`] blocks, in order. Every count from its least on belongs to a row.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Rows {
    /// The blocks.
    pub blocks: Vec<Block>,
    /// The pots beyond the left and the right end: empty ones, or full ones.
    pub ends: [Pot; 2],
}

impl Block {
    /// Returns the pots, once.
    pub fn pots(&self) -> &[Pot] {
        match self {
            Block::Pots(pots) | Block::Repeated(pots, _) => pots,
        }
    }

    /// Returns whether the pots are repeated.
    pub fn is_repeated(&self) -> bool {
        matches!(self, Block::Repeated(..))
    }
}

impl Rows {
    /// Returns the rows of a pattern whose variables are at least these, in the order of
    /// [`Pattern::variables`]. The counts have the same order.
    ///
    /// # Errors
    ///
    /// If a pattern's rows cannot be written as blocks.
    pub fn of(pattern: &Pattern, least: &[i64]) -> Result<Rows, NoBlocks> {
        let blocks = pattern.blocks()?.into_iter().map(|block| {
            let pots = pots_of(&block.pots);
            match block.exponent {
                None => Block::Pots(pots),
                Some((variable, offset)) => {
                    let least = u32::try_from(least[variable] + offset);
                    Block::Repeated(pots, least.unwrap_or(0))
                }
            }
        });
        Ok(Rows::new(blocks.collect(), Rows::ends_of(pattern)))
    }

    /// Returns the rows of some blocks; adjacent fixed pots are joined into one block.
    pub fn new(blocks: Vec<Block>, ends: [Pot; 2]) -> Rows {
        let mut joined: Vec<Block> = Vec::new();
        for block in blocks {
            match (joined.last_mut(), block) {
                (Some(Block::Pots(before)), Block::Pots(pots)) => before.extend(pots),
                (_, block) => joined.push(block),
            }
        }
        Rows {
            blocks: joined,
            ends,
        }
    }

    /// Returns the pots beyond the ends of a pattern's rows.
    pub fn ends_of(pattern: &Pattern) -> [Pot; 2] {
        let end = |is_endless| if is_endless { FULL } else { 0 };
        pattern.endless().map(end)
    }

    /// Returns the index of the count of a repeated block.
    pub fn count_of(&self, block: usize) -> Option<usize> {
        let before = self.blocks[..block]
            .iter()
            .filter(|block| block.is_repeated());
        let count = before.count();
        self.blocks[block].is_repeated().then_some(count)
    }

    /// Returns the least counts.
    pub fn least(&self) -> Vec<i64> {
        let least = |block: &Block| match block {
            Block::Pots(_) => None,
            Block::Repeated(_, least) => Some(i64::from(*least)),
        };
        self.blocks.iter().filter_map(least).collect()
    }

    /// Returns the words that are repeated.
    pub fn words(&self) -> Vec<&[Pot]> {
        let repeated = self.blocks.iter().filter(|block| block.is_repeated());
        repeated.map(Block::pots).collect()
    }

    /// Returns the row with these counts.
    pub fn row(&self, counts: &[i64]) -> Vec<Pot> {
        let mut row = Vec::new();
        let mut counts = counts.iter();
        for block in &self.blocks {
            let times = if block.is_repeated() {
                counts.next().copied().unwrap_or(0)
            } else {
                1
            };
            (0..times).for_each(|_| row.extend(block.pots()));
        }
        row
    }

    /// Returns whether there are full pots, in the rows or beyond their ends.
    pub fn has_full_pots(&self) -> bool {
        let mut pots = self.blocks.iter().flat_map(Block::pots).chain(&self.ends);
        pots.any(|&pot| pot == FULL)
    }

    /// Returns the most seeds in a pot that is not full.
    pub fn seeds_most(&self) -> Pot {
        let pots = self.blocks.iter().flat_map(Block::pots).copied();
        pots.filter(|&pot| pot != FULL).max().unwrap_or(0)
    }

    /// Returns the automaton of the rows, with any number of pots beyond the ends on either side.
    pub fn reader(&self) -> Reader {
        let end = |pot| Letter {
            pot,
            counts: None,
            within: None,
        };
        let mut reader = Reader {
            letters: vec![end(self.ends[0])],
            next: vec![vec![0]],
        };
        // The letters that the next block may follow.
        let mut open = vec![0];
        for (block, this) in self.blocks.iter().enumerate() {
            let counts = self.count_of(block);
            match this {
                Block::Pots(pots) => open = reader.append(pots, counts, block, &open),
                Block::Repeated(pots, least) => {
                    assert!(!pots.is_empty(), "a repeated word has pots");
                    for _ in 0..*least {
                        open = reader.append(pots, counts, block, &open);
                    }
                    let first = reader.letters.len();
                    let again = reader.append(pots, counts, block, &open);
                    again.iter().for_each(|&from| reader.next[from].push(first));
                    open.extend(again);
                }
            }
        }
        let last = reader.letters.len();
        reader.letters.push(end(self.ends[1]));
        reader.next.push(vec![last]);
        open.iter().for_each(|&from| reader.next[from].push(last));
        reader
    }

    /// Writes the rows with names for the counts.
    pub fn text(&self, names: &[char]) -> String {
        let mut names = names.iter();
        let mut parts: Vec<String> = Vec::new();
        parts.extend((self.ends[0] == FULL).then(|| "...e".to_owned()));
        for block in &self.blocks {
            let pots = RowText(block.pots());
            parts.push(match (block, block.pots().len()) {
                (Block::Pots(_), _) => pots.to_string(),
                (Block::Repeated(..), 1) => format!("{pots}^{}", names.next().unwrap_or(&'?')),
                (Block::Repeated(..), _) => format!("({pots})^{}", names.next().unwrap_or(&'?')),
            });
        }
        parts.extend((self.ends[1] == FULL).then(|| "e...".to_owned()));
        if parts.is_empty() {
            "0".to_owned()
        } else {
            parts.join(" ")
        }
    }
}

/// Returns the pots of a board in the form that moves are read in.
pub fn pots_of(pots: &[row::Pot]) -> Vec<Pot> {
    let pot = |pot: &row::Pot| match pot {
        row::Pot::Seeds(seeds) => Pot::try_from(*seeds).unwrap_or(FULL),
        row::Pot::Full => FULL,
    };
    pots.iter().map(pot).collect()
}

/// Pots in the notation for people.
pub struct RowText<'a>(pub &'a [Pot]);

impl fmt::Display for RowText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|&pot| match pot {
            FULL => f.write_str("e"),
            0..=9 => write!(f, "{pot}"),
            _ => write!(f, "[{pot}]"),
        })
    }
}

/// A letter of a word, and its place in the family.
#[derive(Clone, Copy, Debug)]
pub struct Letter {
    /// The pot.
    pub pot: Pot,
    /// The count that grows by one with this letter.
    pub counts: Option<usize>,
    /// The block and the place in it; `None` beyond the ends.
    pub within: Option<(usize, usize)>,
}

/// An automaton whose states are letters. A word is a row of the family, with pots beyond its ends,
/// if it can be read from the first letter to the last.
#[derive(Clone, Debug)]
pub struct Reader {
    /// The letters.
    pub letters: Vec<Letter>,
    /// The letters that may follow each.
    pub next: Vec<Vec<usize>>,
}

impl Reader {
    /// Returns whether a letter is the last.
    pub fn is_end(&self, place: usize) -> bool {
        place + 1 == self.letters.len()
    }

    /// Appends a block's pots after some letters, and returns the last of them.
    fn append(
        &mut self,
        pots: &[Pot],
        counts: Option<usize>,
        block: usize,
        open: &[usize],
    ) -> Vec<usize> {
        let mut open = open.to_vec();
        for (offset, &pot) in pots.iter().enumerate() {
            let place = self.letters.len();
            self.letters.push(Letter {
                pot,
                counts: counts.filter(|_| offset == 0),
                within: Some((block, offset)),
            });
            self.next.push(Vec::new());
            open.iter().for_each(|&from| self.next[from].push(place));
            open = vec![place];
        }
        open
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(pattern: &str, least: &[i64]) -> Rows {
        Rows::of(&pattern.parse().unwrap(), least).unwrap()
    }

    fn reads(rows: &Rows, row: &[Pot]) -> bool {
        let reader = rows.reader();
        let mut open = vec![0];
        for pot in [&[rows.ends[0]], row, &[rows.ends[1]]].concat() {
            let next = open.iter().flat_map(|&place| reader.next[place].clone());
            let mut next: Vec<usize> = next
                .filter(|&place| reader.letters[place].pot == pot)
                .collect();
            next.dedup();
            open = next;
        }
        open.iter().any(|&place| reader.is_end(place))
    }

    #[test]
    fn an_automaton_reads_the_rows_and_no_others() {
        let rows = rows("(10)^m 03 (01)^n", &[0, 1]);
        assert_eq!(rows.text(&['m', 'n']), "(10)^m 03 (01)^n");
        let expected: Vec<Vec<Pot>> = (0..4)
            .flat_map(|m| (1..5).map(move |n| [m, n]))
            .map(|counts| rows.row(&counts))
            .collect();
        for word in 0..4u32.pow(6) {
            let row: Vec<Pot> = (0..6).map(|i| (word / 4u32.pow(i) % 4) as Pot).collect();
            let stripped = |row: &[Pot]| {
                let start = row.iter().position(|&pot| pot > 0).unwrap_or(row.len());
                let end = row
                    .iter()
                    .rposition(|&pot| pot > 0)
                    .map_or(start, |at| at + 1);
                row[start..end].to_vec()
            };
            let is_row = expected
                .iter()
                .any(|other| stripped(other) == stripped(&row));
            let padded = [&[0; 2][..], &row, &[0; 2]].concat();
            assert_eq!(reads(&rows, &padded), is_row, "{row:?}");
        }
    }

    #[test]
    fn full_pots_stand_where_they_are_written() {
        let rows = rows("...e 1^n e 2 e...", &[0]);
        assert_eq!(rows.ends, [FULL, FULL]);
        assert!(reads(&rows, &[1, 1, FULL, 2]));
        assert!(!reads(&rows, &[1, 1, 2]));
        assert_eq!(rows.text(&['n']), "...e 1^n e2 e...");
    }
}
