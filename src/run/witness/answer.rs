//! The answer: which position is the first that has what was sought, by the rows of the census.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::Search;
use super::conditions::Conditions;
use super::followers::{Matches, count_followers_of};
use super::space::Space;
use crate::dataset::{
    AnswerRecord, CellRecord, CensusBatch, CensusRow, CensusSet, DatasetError, Digest,
    FORMAT_VERSION, FileRecord, StretchRecord, Tally, WitnessRow,
};
use crate::job::witness::{Each, Fewest};
use crate::job::{StripJob, WitnessSpec};
use crate::ruleset::{Play, Ruleset};
use crate::run::RunError;
use crate::run::stored::Stored;
use crate::run::worker::Workers;
use crate::value::Arena;

/// The first of a row's columns that say where it comes in the order; unknown counts of seeds come last.
pub(super) type Place = (u64, u64);

/// So many pots and seeds, which a cell is of.
type Group = (u32, Option<u64>);

/// What an answer is read from.
pub(super) struct Answer<'a> {
    pub(super) search: &'a Search<'a>,
    pub(super) strips: StripJob<'a>,
    pub(super) spec: &'a WitnessSpec,
    pub(super) space: &'a Space<'a>,
    pub(super) set: &'a CensusSet,
    pub(super) stretches: Vec<StretchRecord>,
}

/// Something sought: how many positions have it, and the first of them so far.
#[derive(Clone, Debug, Default)]
struct Slot {
    count: u64,
    first: Option<First>,
}

#[derive(Clone, Debug)]
pub(super) struct First {
    /// How many followers it has, where that is the order.
    pub(super) followers: Option<u64>,
    pub(super) place: Place,
    /// How many positions of the same place come before it.
    pub(super) rank: u64,
    pub(super) row: CensusRow<'static>,
}

/// Returns where positions of so many pots and seeds come in an order.
pub(super) fn place(fewest: Fewest, pots: u32, seeds: Option<u64>) -> Place {
    let (pots, seeds) = (u64::from(pots), seeds.unwrap_or(u64::MAX));
    match fewest {
        Fewest::Seeds => (seeds, pots),
        Fewest::Pots | Fewest::Followers => (pots, seeds),
    }
}

/// What a witness is for, where conditions say what is sought.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Key {
    All,
    Number(i64),
    Text(String),
    Value([u8; 16]),
}

/// For so many values of a census that is read room is made ahead, 20 bytes each.
const VALUES_AHEAD: u64 = 1 << 17;

/// So many values may be remembered while stretches are searched, 20 bytes each and as many while the table grows.
const VALUES_MAX: usize = 1 << 20;

/// What was found so far of what is sought, and what there is in all.
pub(super) struct Findings<'a> {
    spec: &'a WitnessSpec,
    space: &'a Space<'a>,
    conditions: Conditions<'a>,
    /// The places of sought values in the list of them.
    of_values: HashMap<[u8; 16], Vec<usize>>,
    values: Vec<Slot>,
    /// Where what is sought is no list of values.
    others: BTreeMap<Key, Slot>,
    matches: Matches,
    census: Census,
    places: Places,
    searched: u64,
    /// The cells so far. One that two runs searched at once counts in the first stretch that has it.
    known: HashSet<Group>,
}

/// The cells of a stretch.
pub(super) struct CellsInHand {
    /// Those that count, with their places and how many positions of the same place come in earlier stretches.
    counting: HashMap<Group, (Place, u64)>,
    /// The last one looked up.
    last: Option<(Group, Option<(Place, u64)>)>,
}

/// Positions by place, for counts of those that come before.
#[derive(Default)]
struct Places(BTreeMap<Place, u64>);

impl Places {
    fn before(&self, place: Place) -> u64 {
        self.0.range(..place).map(|(_, positions)| positions).sum()
    }
}

impl<'a> Findings<'a> {
    /// Returns what is found in no stretch at all; the arena is for atomic weights that are compared.
    pub(super) fn new(search: &Search<'a>, arena: &'a Arena) -> Findings<'a> {
        let spec = search.spec;
        let mut of_values: HashMap<[u8; 16], Vec<usize>> = HashMap::new();
        for (index, sought) in spec.values.iter().enumerate() {
            of_values.entry(sought.digest).or_default().push(index);
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
            values: vec![Slot::default(); spec.values.len()],
            others,
            matches: Matches::default(),
            census: Census::new(search.strips.task.play),
            places: Places::default(),
            searched: 0,
            known: HashSet::new(),
        }
    }

    /// Returns whether it takes more memory than is to be taken beside a search; the census can be read in the end.
    pub(super) fn is_large(&self) -> bool {
        self.census.values.len() > VALUES_MAX
    }

    /// Begins a stretch, and returns those of its cells whose rows count.
    pub(super) fn begin(&mut self, cells: &[CellRecord]) -> CellsInHand {
        let mut counting = HashMap::new();
        for cell in cells {
            let group = (cell.pots, cell.seeds);
            let again = self.space.all.is_some() && !self.known.insert(group);
            if again || !self.space.holds(cell.pots, cell.seeds) {
                continue;
            }
            self.searched += cell.positions;
            self.census.counted += cell.counted;
            let place = place(self.spec.fewest, cell.pots, cell.seeds);
            let positions = self.places.0.entry(place).or_default();
            counting.insert(group, (place, *positions));
            *positions += cell.positions;
        }
        CellsInHand {
            counting,
            last: None,
        }
    }

    /// Takes a row of the stretch in hand.
    pub(super) fn take(&mut self, cells: &mut CellsInHand, row: &CensusRow<'_>) {
        let group = (row.pots as u32, row.seeds.map(|seeds| seeds as u64));
        let Some((place, earlier)) = cells.of(group) else {
            return;
        };
        self.census.add(row);
        if !self.conditions.hold(row) {
            return;
        }
        let rank = earlier + row.rank as u64;
        if self.spec.fewest == Fewest::Followers {
            self.matches.values.insert(row.value_digest, None);
            self.matches.groups.insert(group);
        }
        if self.spec.values.is_empty() {
            if let Some(key) = key(self.spec, row) {
                self.others.entry(key).or_default().add(place, rank, row);
            }
        } else {
            for &index in self.of_values.get(&row.value_digest).into_iter().flatten() {
                self.values[index].add(place, rank, row);
            }
        }
    }
}

impl CellsInHand {
    /// Returns the place of a cell whose rows count, and how many positions of the same place come in earlier stretches.
    fn of(&mut self, group: Group) -> Option<(Place, u64)> {
        // Rows come cell by cell.
        match self.last {
            Some((last, counts)) if last == group => counts,
            _ => {
                let counts = self.counting.get(&group).copied();
                self.last = Some((group, counts));
                counts
            }
        }
    }
}

impl Answer<'_> {
    /// Writes the answer from what was found while the stretches were searched, or else from the census; returns how
    /// many witnesses were found, and how many sought.
    pub(super) fn write<R: Ruleset, V: Stored>(
        &self,
        found: Option<Findings<'_>>,
        workers: &Workers<'_, R, V>,
    ) -> Result<(u64, u64), RunError> {
        let spec = self.spec;
        let arena = Arena::new();
        let found = match found {
            Some(found) => found,
            None => self.read(&arena)?,
        };
        let Findings {
            of_values,
            mut values,
            mut others,
            matches,
            census,
            places,
            searched,
            ..
        } = found;
        if spec.fewest == Fewest::Followers {
            let firsts = matches.search(self.search, workers)?;
            // What has one value is told apart by that alone.
            let slots = values.iter_mut().chain(others.values_mut());
            for slot in slots {
                slot.first = None;
            }
            for first in firsts {
                if spec.values.is_empty() {
                    let key = key(spec, &first.row);
                    if let Some(slot) = key.and_then(|key| others.get_mut(&key)) {
                        slot.offer(&first);
                    }
                } else {
                    for &index in of_values.get(&first.row.value_digest).into_iter().flatten() {
                        values[index].offer(&first);
                    }
                }
            }
        }
        let mut rows = Vec::new();
        let witness = |sought: String, variables: Vec<Option<i64>>, slot: &Slot| {
            let mut row = witness_row(slot, &places, searched);
            row.sought = sought;
            row.variables = variables;
            row
        };
        for (sought, slot) in spec.values.iter().zip(&values) {
            let variables = sought.variables.iter().copied().map(Some).collect();
            rows.push(witness(sought.text.clone(), variables, slot));
        }
        let mut next = 0;
        for (key, slot) in &others {
            // Nim-values that no position has are told too, below those that some have.
            if let (Key::Number(n), Each::NimValue) = (key, spec.each) {
                for missing in next..*n {
                    rows.push(witness(
                        format!("nim_value = {missing}"),
                        vec![],
                        &Slot::default(),
                    ));
                }
                next = n + 1;
            }
            rows.push(witness(self.sought_text(key, slot), vec![], slot));
        }
        if self.strips.task.columns.followers && spec.fewest != Fewest::Followers {
            count_followers_of(&mut rows, self.search, workers)?;
        }
        let found = rows.iter().filter(|row| row.found).count() as u64;
        let sought = rows.len() as u64;
        let header = super::census_header(self.strips);
        let record = AnswerRecord {
            format_version: FORMAT_VERSION,
            job: header.job,
            space: header.space,
            job_digest: Digest::from(self.strips.job.digest()),
            code_version: header.code_version,
            bounds: self.space.bounds_text(),
            searched,
            counted: census.counted,
            values: census.values.len() as u64,
            found,
            kinds: census.kinds(),
            atomic_weights: census.atomic_weights(),
            witnesses: FileRecord {
                file: String::new(),
                rows: 0,
                bytes: 0,
                blake3: Digest([0; 32]),
            },
        };
        self.set
            .write_answer(record, &self.strips.job.text, &spec.variables, &rows)?;
        Ok((found, sought))
    }

    /// Finds in the census what is sought.
    fn read<'f>(&'f self, arena: &'f Arena) -> Result<Findings<'f>, RunError> {
        let mut found = Findings::new(self.search, arena);
        let rows = self.stretches.iter().map(|record| record.census.rows);
        let rows: u64 = rows.sum();
        found.census.values.reserve(rows.min(VALUES_AHEAD) as usize);
        for record in &self.stretches {
            let mut cells = found.begin(&record.cells);
            if !cells.counting.is_empty() {
                let batches = self.set.census_batches(std::slice::from_ref(record));
                let mut take = |row: CensusRow<'_>| found.take(&mut cells, &row);
                read_ahead(batches, self.search.pool, &mut take)?;
            }
        }
        Ok(found)
    }

    fn sought_text(&self, key: &Key, slot: &Slot) -> String {
        let name = self.spec.each.name().unwrap_or_default();
        match key {
            Key::All => self.spec.conditions_text(),
            Key::Number(n) => format!("{name} = {n}"),
            Key::Text(text) => format!("{name} = {text}"),
            Key::Value(digest) => {
                let first = slot.first.as_ref();
                let value = first.and_then(|first| first.row.value.as_deref());
                value
                    .map(str::to_owned)
                    .unwrap_or_else(|| format!("#{:032x}", u128::from_be_bytes(*digest)))
            }
        }
    }
}

/// Returns what a value that meets the conditions is a witness for, if for anything.
fn key(spec: &WitnessSpec, row: &CensusRow<'_>) -> Option<Key> {
    match spec.each {
        Each::Sought => Some(Key::All),
        Each::Value => Some(Key::Value(row.value_digest)),
        Each::NimValue => row.nim_value.map(|n| Key::Number(i64::from(n))),
        Each::AtomicWeight => match row.atomic_weight_number {
            Some(weight) => Some(Key::Number(weight)),
            None => row
                .atomic_weight
                .as_deref()
                .map(|weight| Key::Text(weight.to_owned())),
        },
    }
}

/// Hands rows over one by one; while those of a batch are looked at, the next are read.
fn read_ahead(
    mut batches: impl Iterator<Item = Result<CensusBatch, DatasetError>> + Send,
    pool: &rayon::ThreadPool,
    take: &mut (impl FnMut(CensusRow<'_>) + Send),
) -> Result<(), DatasetError> {
    let mut next = batches.next();
    while let Some(batch) = next {
        let batch = batch?;
        (next, _) = pool.join(|| batches.next(), || batch.rows().for_each(&mut *take));
    }
    Ok(())
}

impl Slot {
    fn add(&mut self, place: Place, rank: u64, row: &CensusRow<'_>) {
        self.count += row.count as u64;
        let first = self.first.as_ref();
        if first.is_none_or(|first| (place, rank) < (first.place, first.rank)) {
            self.first = Some(First {
                followers: None,
                place,
                rank,
                row: row.clone().into_owned(),
            });
        }
    }

    /// Takes a position for the witness if it comes before the one there is.
    fn offer(&mut self, first: &First) {
        if self
            .first
            .as_ref()
            .is_none_or(|other| first.order() < other.order())
        {
            self.first = Some(first.clone());
        }
    }
}

impl First {
    /// Returns what positions are compared by.
    pub(super) fn order(&self) -> (Option<u64>, Place, u64) {
        (self.followers, self.place, self.rank)
    }
}

fn witness_row(slot: &Slot, places: &Places, searched: u64) -> WitnessRow {
    let mut witness = WitnessRow {
        count: slot.count as i64,
        searched: searched as i64,
        ..WitnessRow::default()
    };
    if let Some(First {
        followers,
        place,
        rank,
        row,
    }) = &slot.first
    {
        witness.found = true;
        witness.position = Some(row.position.to_string());
        witness.pots = Some(row.pots);
        witness.seeds = row.seeds;
        witness.value = row.value.as_deref().map(str::to_owned);
        witness.value_digest = Some(row.value_digest);
        witness.kind = Some(row.kind.clone());
        witness.nim_value = row.nim_value;
        witness.mean = row.mean;
        witness.temperature = row.temperature;
        witness.birthday = Some(row.birthday);
        witness.atomic_weight = row.atomic_weight.as_deref().map(str::to_owned);
        witness.followers = followers.map(|followers| followers as i64);
        // By followers, those before are not told from the census.
        witness.searched_before = match followers {
            Some(_) => None,
            None => Some((places.before(*place) + rank) as i64),
        };
    }
    witness
}

/// What the census says in sum.
struct Census {
    impartial: bool,
    counted: u64,
    values: hashbrown::HashSet<[u8; 16], foldhash::fast::RandomState>,
    kinds: Tallies,
    weights: Tallies,
}

/// How many positions have what, and how many values theirs are; each value has one thing.
#[derive(Default)]
struct Tallies {
    numbers: BTreeMap<i64, Tallied>,
    texts: BTreeMap<String, Tallied>,
}

#[derive(Default)]
struct Tallied {
    positions: u64,
    values: u64,
}

impl Census {
    fn new(play: Play) -> Census {
        Census {
            impartial: play == Play::Impartial,
            counted: 0,
            values: hashbrown::HashSet::default(),
            kinds: Tallies::default(),
            weights: Tallies::default(),
        }
    }

    fn add(&mut self, row: &CensusRow<'_>) {
        let kind = match row.nim_value {
            Some(n) if self.impartial => self.kinds.number(i64::from(n)),
            _ => self.kinds.text(&row.kind),
        };
        let weight = match (row.atomic_weight_number, &row.atomic_weight) {
            (Some(weight), _) => Some(self.weights.number(weight)),
            (None, Some(_)) => Some(self.weights.text("no integer")),
            (None, None) => None,
        };
        let is_new = self.values.insert(row.value_digest);
        for tallied in [Some(kind), weight].into_iter().flatten() {
            tallied.positions += row.count as u64;
            tallied.values += u64::from(is_new);
        }
    }

    fn kinds(&self) -> Vec<Tally> {
        let nimber = |n: &i64| match n {
            0 => "0".to_owned(),
            1 => "*".to_owned(),
            n => format!("*{n}"),
        };
        self.kinds.list(nimber)
    }

    fn atomic_weights(&self) -> Vec<Tally> {
        self.weights.list(i64::to_string)
    }
}

impl Tallies {
    fn number(&mut self, number: i64) -> &mut Tallied {
        self.numbers.entry(number).or_default()
    }

    fn text(&mut self, text: &str) -> &mut Tallied {
        if !self.texts.contains_key(text) {
            self.texts.insert(text.to_owned(), Tallied::default());
        }
        self.texts.get_mut(text).expect("the text is there by now")
    }

    fn list(&self, number: impl Fn(&i64) -> String) -> Vec<Tally> {
        let numbers = self.numbers.iter().map(|(n, tallied)| (number(n), tallied));
        let texts = self
            .texts
            .iter()
            .map(|(text, tallied)| (text.clone(), tallied));
        let tally = |(of, tallied): (String, &Tallied)| Tally {
            of,
            positions: tallied.positions,
            values: tallied.values,
        };
        numbers.chain(texts).map(tally).collect()
    }
}
