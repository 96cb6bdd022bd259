//! Findings from the rows of a census, collected part by part.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::LazyLock;

use cggames::board::Features;
use cggames::game::Play;
use cgvalues::{Arena, Nimber};

use super::conditions::Conditions;
use super::first::{First, Place, place};
use super::followers::Matches;
use super::question::WitnessSpec;
use super::question::{Each, Fewest};
use super::search::Search;
use super::space::Space;
use crate::dataset::{CellRecord, CensusRow, Tally};
use crate::run::RunError;

/// One thing sought: how many positions have it or stand for a negative that has it, and the first of them so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Slot {
    pub(super) count: u64,
    pub(super) first: Option<First>,
}

/// What a witness stands for, if the job seeks conditions rather than values.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Key {
    All,
    Number(i64),
    Text(String),
    Value([u8; 16]),
    /// The negative of the value with this digest.
    NegativeOf([u8; 16]),
}

/// Something sought that a value has, or its negative.
struct SoughtMatch {
    sought: Sought,
    /// Whether the negative has it.
    negated: bool,
}

/// Something sought.
enum Sought {
    /// The value at this place in the job's list.
    Listed(usize),
    Other(Key),
}

/// The most values remembered during a search, at 20 bytes each and twice that while the table
/// grows.
const VALUES_MAX: usize = 1 << 20;

/// The findings so far, and the totals of the census.
pub(super) struct Findings<'a> {
    spec: &'a WitnessSpec,
    space: &'a Space<'a>,
    conditions: Conditions<'a>,
    /// For each value sought, its places in the list.
    of_values: HashMap<[u8; 16], Vec<usize>>,
    /// For the negative of each value sought that is not its own negative, likewise.
    of_negatives: HashMap<[u8; 16], Vec<usize>>,
    pub(super) values: Vec<Slot>,
    /// Used if the job does not list values.
    pub(super) others: BTreeMap<Key, Slot>,
    pub(super) matches: Matches,
    pub(super) census: CensusTotals,
    pub(super) places: PositionCounts,
    pub(super) searched: u64,
    /// The cells so far. If two runs searched the same cell, it counts in the first part that has
    /// it.
    known: HashSet<Features>,
}

/// The cells of one part.
pub(super) struct CellsInProgress {
    /// The cells that count, with their places and the number of positions of the same place in
    /// earlier parts.
    pub(super) counting: HashMap<Features, (Place, u64)>,
    /// The last one looked up.
    last: Option<(Features, Option<(Place, u64)>)>,
}

/// Numbers of positions by place, to count those before a witness.
#[derive(Default)]
pub(super) struct PositionCounts(BTreeMap<Place, u64>);

impl PositionCounts {
    pub(super) fn before(&self, place: Place) -> u64 {
        self.0.range(..place).map(|(_, positions)| positions).sum()
    }
}

impl<'a> Findings<'a> {
    /// Returns empty findings; the arena is for comparing atomic weights.
    pub(super) fn new(search: &Search<'a>, arena: &'a LazyLock<Arena>) -> Findings<'a> {
        let spec = &search.task.question;
        let mut of_values: HashMap<[u8; 16], Vec<usize>> = HashMap::new();
        let mut of_negatives: HashMap<[u8; 16], Vec<usize>> = HashMap::new();
        for (index, sought) in spec.values.iter().enumerate() {
            of_values.entry(sought.digest.0).or_default().push(index);
            if sought.negative != sought.digest {
                of_negatives
                    .entry(sought.negative.0)
                    .or_default()
                    .push(index);
            }
        }
        let mut others: BTreeMap<Key, Slot> = BTreeMap::new();
        if spec.values.is_empty() && spec.each == Each::Sought {
            others.insert(Key::All, Slot::default());
        }
        Findings {
            spec,
            space: search.space,
            conditions: Conditions::new(&spec.conditions, arena),
            of_values,
            of_negatives,
            values: vec![Slot::default(); spec.values.len()],
            others,
            matches: Matches::default(),
            census: CensusTotals::new(search.task.positions.play),
            places: PositionCounts::default(),
            searched: 0,
            known: HashSet::new(),
        }
    }

    /// Returns whether the findings take more memory than a search can spare; the census can be
    /// read at the end instead.
    pub(super) fn is_large(&self) -> bool {
        self.census.values.len() > VALUES_MAX
    }

    /// Begins a part, and returns those of its cells whose rows count.
    pub(super) fn begin(&mut self, cells: &[CellRecord]) -> CellsInProgress {
        let mut counting = HashMap::new();
        for cell in cells {
            let features = cell.features;
            let again = self.space.all.is_some() && !self.known.insert(features);
            if again || !self.space.holds(features) {
                continue;
            }
            self.searched += cell.positions;
            self.census.counted += cell.counted;
            let place = place(self.spec.fewest, features);
            let positions = self.places.0.entry(place).or_default();
            counting.insert(features, (place, *positions));
            *positions += cell.positions;
        }
        CellsInProgress {
            counting,
            last: None,
        }
    }

    /// Takes a row of the current part.
    ///
    /// # Errors
    ///
    /// As [`Space::position`].
    pub(super) fn take(
        &mut self,
        cells: &mut CellsInProgress,
        row: &CensusRow<'_>,
    ) -> Result<(), RunError> {
        let features = Features::from(&row.features);
        let Some((place, earlier)) = cells.of(features) else {
            return Ok(());
        };
        self.census.add(row);
        let rank = earlier + row.rank as u64;
        let claims = self.claims(row)?;
        if self.spec.fewest == Fewest::Followers && !claims.is_empty() {
            self.matches.values.insert(row.value.value_digest, None);
            self.matches.sizes.insert(features);
        }
        for SoughtMatch { sought, negated } in claims {
            let slot = match sought {
                Sought::Listed(index) => &mut self.values[index],
                Sought::Other(key) => self.others.entry(key).or_default(),
            };
            slot.add((place, rank), row, negated);
        }
        Ok(())
    }

    /// Returns what a row has of the things sought, by its value or by the negative for which its position stands. Nothing
    /// is claimed twice.
    fn claims(&mut self, row: &CensusRow<'_>) -> Result<Vec<SoughtMatch>, RunError> {
        let mut claims: Vec<SoughtMatch> = Vec::new();
        for negated in [false, true] {
            if negated && !self.space.is_partisan {
                break;
            }
            let listed = match negated {
                _ if self.spec.values.is_empty() => None,
                false => Some(&self.of_values),
                true => Some(&self.of_negatives),
            };
            let indices = listed.map(|listed| listed.get(&row.value.value_digest));
            if indices == Some(None)
                || !self.conditions.hold(row, negated)
                || negated && !self.space.stands_for_negative(&row.position)?
            {
                continue;
            }
            match indices.flatten() {
                Some(indices) => claims.extend(indices.iter().map(|&index| SoughtMatch {
                    sought: Sought::Listed(index),
                    negated,
                })),
                None => {
                    let key = self.key(row, negated);
                    let is_new = |key: &Key| {
                        let same = |claim: &SoughtMatch| matches!(&claim.sought, Sought::Other(other) if other == key);
                        !claims.iter().any(same)
                    };
                    claims.extend(key.filter(is_new).map(|key| SoughtMatch {
                        sought: Sought::Other(key),
                        negated,
                    }));
                }
            }
        }
        Ok(claims)
    }

    /// Returns what a value, or its negative, is a witness for, if anything.
    fn key(&mut self, row: &CensusRow<'_>, negated: bool) -> Option<Key> {
        let value = &row.value;
        match self.spec.each {
            Each::Sought => Some(Key::All),
            Each::Value if negated => Some(Key::NegativeOf(value.value_digest)),
            Each::Value => Some(Key::Value(value.value_digest)),
            Each::NimValue => value.nim_value.map(|n| Key::Number(i64::from(n))),
            Each::AtomicWeight => match (value.integer_weight(), negated) {
                (Some(weight), false) => Some(Key::Number(weight)),
                (Some(weight), true) => Some(Key::Number(-weight)),
                (None, false) => value
                    .atomic_weight
                    .as_deref()
                    .map(|weight| Key::Text(weight.to_owned())),
                (None, true) => self.conditions.negative_weight(value).map(Key::Text),
            },
        }
    }

    /// Replaces the first positions by those with the fewest followers.
    ///
    /// # Errors
    ///
    /// As [`Space::position`].
    pub(super) fn replace_firsts(&mut self, firsts: Vec<First>) -> Result<(), RunError> {
        let slots = self.values.iter_mut().chain(self.others.values_mut());
        for slot in slots {
            slot.first = None;
        }
        for first in firsts {
            for SoughtMatch { sought, negated } in self.claims(&first.row)? {
                let slot = match sought {
                    Sought::Listed(index) => Some(&mut self.values[index]),
                    Sought::Other(key) => self.others.get_mut(&key),
                };
                if let Some(slot) = slot {
                    slot.offer(First {
                        negated,
                        ..first.clone()
                    });
                }
            }
        }
        Ok(())
    }
}

impl CellsInProgress {
    /// Returns the place of a cell whose rows count, and the number of positions of the same place
    /// in earlier parts.
    fn of(&mut self, features: Features) -> Option<(Place, u64)> {
        // Rows come cell by cell.
        match self.last {
            Some((last, counts)) if last == features => counts,
            _ => {
                let counts = self.counting.get(&features).copied();
                self.last = Some((features, counts));
                counts
            }
        }
    }
}

impl Slot {
    fn add(&mut self, (place, rank): (Place, u64), row: &CensusRow<'_>, negated: bool) {
        self.count += row.count as u64;
        let first = self.first.as_ref();
        if first.is_none_or(|first| (place, rank) < (first.place, first.rank)) {
            self.first = Some(First {
                followers: None,
                place,
                rank,
                row: row.clone().into_owned(),
                negated,
            });
        }
    }

    /// Makes a position the witness if it comes before the current one.
    fn offer(&mut self, first: First) {
        let other = self.first.as_ref();
        if other.is_none_or(|other| first.order() < other.order()) {
            self.first = Some(first);
        }
    }

    /// Adds what another slot has counted.
    pub(super) fn merge(&mut self, other: Slot) {
        self.count += other.count;
        other.first.into_iter().for_each(|first| self.offer(first));
    }
}

/// The totals of a census.
pub(super) struct CensusTotals {
    impartial: bool,
    pub(super) counted: u64,
    pub(super) values: hashbrown::HashSet<[u8; 16], foldhash::fast::RandomState>,
    kinds: Tallies,
    weights: Tallies,
}

/// How many positions and how many values have each property; each value has one.
#[derive(Default)]
struct Tallies {
    numbers: BTreeMap<i64, Tallied>,
    /// A few texts, in the order of arrival.
    texts: Vec<(String, Tallied)>,
}

#[derive(Default)]
struct Tallied {
    positions: u64,
    values: u64,
}

impl CensusTotals {
    fn new(play: Play) -> CensusTotals {
        CensusTotals {
            impartial: play == Play::Impartial,
            counted: 0,
            values: hashbrown::HashSet::default(),
            kinds: Tallies::default(),
            weights: Tallies::default(),
        }
    }

    fn add(&mut self, row: &CensusRow<'_>) {
        let kind = match row.value.nim_value {
            Some(n) if self.impartial => self.kinds.number(i64::from(n)),
            _ => self.kinds.text(&row.value.kind),
        };
        let weight = match (row.value.integer_weight(), &row.value.atomic_weight) {
            (Some(weight), _) => Some(self.weights.number(weight)),
            (None, Some(_)) => Some(self.weights.text("no integer")),
            (None, None) => None,
        };
        let is_new = self.values.insert(row.value.value_digest);
        for tallied in [Some(kind), weight].into_iter().flatten() {
            tallied.positions += row.count as u64;
            tallied.values += u64::from(is_new);
        }
    }

    pub(super) fn kinds(&self) -> Vec<Tally> {
        self.kinds.list(|&n| Nimber(n as u32).to_string())
    }

    pub(super) fn atomic_weights(&self) -> Vec<Tally> {
        self.weights.list(i64::to_string)
    }
}

impl Tallies {
    fn number(&mut self, number: i64) -> &mut Tallied {
        self.numbers.entry(number).or_default()
    }

    fn text(&mut self, text: &str) -> &mut Tallied {
        let place = self.texts.iter().position(|(of, _)| of == text);
        let place = place.unwrap_or_else(|| {
            self.texts.push((text.to_owned(), Tallied::default()));
            self.texts.len() - 1
        });
        &mut self.texts[place].1
    }

    fn list(&self, number: impl Fn(&i64) -> String) -> Vec<Tally> {
        let numbers = self.numbers.iter().map(|(n, tallied)| (number(n), tallied));
        let mut texts: Vec<&(String, Tallied)> = self.texts.iter().collect();
        texts.sort_unstable_by_key(|(text, _)| text);
        let texts = texts.into_iter();
        let texts = texts.map(|(text, tallied)| (text.clone(), tallied));
        let tally = |(of, tallied): (String, &Tallied)| Tally {
            of,
            positions: tallied.positions,
            values: tallied.values,
        };
        numbers.chain(texts).map(tally).collect()
    }
}
