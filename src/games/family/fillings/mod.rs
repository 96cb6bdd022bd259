//! Every way to fill some cells with values, one filling of each symmetry class, by rank.
//!
//! A [`Symmetry`] permutes the cells and the values. It maps each *orbit*, the cells to which the
//! symmetries move one cell, onto itself. [`Fillings`] takes the orbits by their least cell, and
//! the cells of an orbit by number. It compares fillings lexicographically in this order of cells,
//! and lists the least filling of each class in ascending order.
//!
//! Cells are filled orbit by orbit. The *tie* of a filling that has reached some orbit is the set
//! of symmetries that fix everything before that orbit. A filling `f` is the least of its class if
//! and only if no orbit holds more in `f` than in the image of `f` under any symmetry of its tie:
//!
//! - A symmetry `g` acts within each orbit, so `g` is in the tie of every orbit up to the first
//!   where `f` and `g(f)` differ, and of none after it. That orbit decides which of `f` and `g(f)`
//!   is less.
//! - The class consists of the images `g(f)`. So `f` is least if and only if each `g` fixes `f`, or
//!   the deciding orbit holds less in `f` than in `g(f)`.
//!
//! So the allowed fillings of an orbit depend only on its tie, and so does the next tie. A table
//! counts the completions for each orbit, tie, and pair of sums; length, rank and unrank follow
//! from it. The module knows cells and values only by number; the caller knows rows, grids and
//! colours.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// The most fillings of one orbit. Each is stored, 16 bytes per tie: 2^16 suffice for an orbit of 8
/// pots with up to 3 seeds.
pub(super) const ORBIT_FILLINGS_MAX: u32 = 1 << 16;

/// A symmetry maps the filling `f` to the filling whose cell `cells[i]` holds `values[f[i]]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Symmetry {
    /// The cell to which each cell moves.
    pub(crate) cells: Vec<usize>,
    /// The value that replaces each value.
    pub(crate) values: Vec<usize>,
}

/// The fillings to list, and the symmetries between them.
#[derive(Clone, Debug)]
pub(crate) struct FillingRules {
    /// For each cell, the least value it may hold; equal for all cells of an orbit.
    pub(crate) least: Vec<usize>,
    /// For each value, its contribution to the two sums.
    pub(crate) weights: Vec<[u32; 2]>,
    /// The least and the greatest sum over all cells, for both sums; `None` for no upper bound.
    pub(crate) bounds: [(u32, Option<u32>); 2],
    /// A group of 1 to 32 symmetries, which map fillings within the bounds to such fillings.
    pub(crate) symmetries: Vec<Symmetry>,
}

/// The reason why fillings cannot be listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TooManyFillings {
    /// There are more fillings than a `u64` can count.
    Total,
    /// An orbit has more than 65536 fillings.
    Orbit {
        /// The least cell of the orbit.
        first: usize,
        /// The number of cells of the orbit.
        cells: usize,
        /// The number of values that each of them may hold.
        values: usize,
    },
}

impl fmt::Display for TooManyFillings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TooManyFillings::Total => {
                f.write_str("more than 2^64 - 1 fillings; allow fewer cells or smaller sums")
            }
            TooManyFillings::Orbit {
                first,
                cells,
                values,
            } => write!(
                f,
                "more than {ORBIT_FILLINGS_MAX} ways to fill the {cells} cells symmetric to cell \
                 {first} with {values} values each; allow fewer values"
            ),
        }
    }
}

impl std::error::Error for TooManyFillings {}

/// The least filling of each class, ascending; the module docs define the order.
#[derive(Clone, Debug)]
pub(crate) struct Fillings {
    cells: usize,
    /// In the order in which they are filled.
    orbits: Vec<Orbit>,
    /// Orbits on which the symmetries act alike share one entry.
    actions: Vec<OrbitAction>,
    sums: SumStates,
    /// `counts[i][tie][sum state]`: the completions from orbit `i` on, for the ties that occur.
    counts: Vec<BTreeMap<Tie, Vec<u128>>>,
    /// The tie before the first orbit: all symmetries.
    all: Tie,
    len: u64,
}

/// A subgroup of the symmetries: bit `i` stands for symmetry `i`.
type Tie = u32;

impl Fillings {
    /// Counts the fillings.
    ///
    /// Costs O(n t s w) for n orbits, t ties, s pairs of sums, and w pairs of weights of an orbit.
    /// A sum without an upper bound is tracked only up to its least value.
    ///
    /// # Errors
    ///
    /// More than 2^64 - 1 fillings, or more than [`ORBIT_FILLINGS_MAX`] of one orbit.
    pub(crate) fn new(rules: FillingRules) -> Result<Fillings, TooManyFillings> {
        let symmetries = rules.symmetries.len();
        assert!(
            (1..=32).contains(&symmetries),
            "a group of 1 to 32 symmetries, found {symmetries}"
        );
        let all = Tie::MAX >> (32 - symmetries);
        let (orbits, mut actions) = orbits(&rules)?;
        let mut ties = vec![BTreeSet::from([all])];
        for (i, orbit) in orbits.iter().enumerate() {
            let action = &mut actions[orbit.action];
            let mut next = BTreeSet::new();
            for &tie in &ties[i] {
                if !action.listed.contains_key(&tie) {
                    let listed = action.list(&rules, tie);
                    action.listed.insert(tie, listed);
                }
                next.extend(action.listed[&tie].iter().map(|filling| filling.tie));
            }
            ties.push(next);
        }
        let sums = SumStates::new(&rules);
        let counts = count(&orbits, &actions, &sums, &ties);
        let len = u64::try_from(counts[0][&all][0]).map_err(|_| TooManyFillings::Total)?;
        Ok(Fillings {
            cells: rules.least.len(),
            orbits,
            actions,
            sums,
            counts,
            all,
            len,
        })
    }

    /// Returns the number of listed fillings.
    pub(crate) fn len(&self) -> u64 {
        self.len
    }

    /// Returns the filling of rank `rank`, in time linear in the listed fillings of all orbits.
    ///
    /// # Panics
    ///
    /// If `rank` is not below [`Fillings::len`].
    pub(crate) fn get(&self, rank: u64) -> Vec<usize> {
        assert!(rank < self.len, "rank {rank} among {} fillings", self.len);
        let mut filling = vec![0; self.cells];
        let mut rank = u128::from(rank);
        let (mut tie, mut state) = (self.all, 0);
        for (i, orbit) in self.orbits.iter().enumerate() {
            let action = &self.actions[orbit.action];
            let chosen = action.listed[&tie]
                .iter()
                .find(|next| {
                    let completions = self.completions(i, state, next);
                    let is_chosen = rank < completions;
                    if !is_chosen {
                        rank -= completions;
                    }
                    is_chosen
                })
                .expect("the completions of an orbit's fillings add up to the count before it");
            for (&cell, value) in orbit.cells.iter().zip(action.decode(chosen.code)) {
                filling[cell] = value;
            }
            tie = chosen.tie;
            state = (self.sums.after(state, chosen.weights))
                .expect("a filling with completions keeps the sums within their bounds");
        }
        filling
    }

    /// Returns the rank of `filling`, or `None` if it breaks the rules or is not the least of its
    /// class.
    pub(crate) fn rank(&self, filling: &[usize]) -> Option<u64> {
        if filling.len() != self.cells {
            return None;
        }
        let mut rank = 0u128;
        let (mut tie, mut state) = (self.all, 0);
        for (i, orbit) in self.orbits.iter().enumerate() {
            let action = &self.actions[orbit.action];
            let code = action.encode(orbit.cells.iter().map(|&cell| filling[cell]))?;
            let listed = &action.listed[&tie];
            let index = listed.binary_search_by_key(&code, |next| next.code).ok()?;
            for smaller in &listed[..index] {
                rank += self.completions(i, state, smaller);
            }
            tie = listed[index].tie;
            state = self.sums.after(state, listed[index].weights)?;
        }
        // The count after the last orbit is 1 or 0: whether the sums reach their least values.
        if self.counts[self.orbits.len()][&tie][state] == 0 {
            return None;
        }
        Some(u64::try_from(rank).expect("the rank of a listed filling is less than the length"))
    }

    /// Returns the number of listed fillings that fill orbit `i` with `next` from `state`.
    fn completions(&self, i: usize, state: usize, next: &OrbitFilling) -> u128 {
        let after = self.sums.after(state, next.weights);
        after.map_or(0, |after| self.counts[i + 1][&next.tie][after])
    }
}

/// The cells to which the symmetries move one cell.
#[derive(Clone, Debug)]
struct Orbit {
    /// In ascending order.
    cells: Vec<usize>,
    /// The index of its action.
    action: usize,
}

/// How the symmetries permute the cells of an orbit, and the fillings that this leaves to list.
#[derive(Clone, Debug)]
struct OrbitAction {
    /// For each symmetry, the index within the orbit to which each of its cells moves.
    moves: Vec<Vec<usize>>,
    least: usize,
    /// The number of values from `least` up: the base of the codes.
    values: usize,
    /// The number of fillings, listed or not.
    fillings: u32,
    /// For each tie that occurs, the listed fillings by code.
    listed: BTreeMap<Tie, Vec<OrbitFilling>>,
}

/// A filling of one orbit.
#[derive(Clone, Debug)]
struct OrbitFilling {
    /// The values less the least one, read as a number with the first cell's digit in front.
    code: u32,
    /// The tie after this orbit.
    tie: Tie,
    /// The contribution of its values to the two sums.
    weights: [u32; 2],
}

impl OrbitAction {
    /// Lists the fillings that are at most their images under the symmetries of `tie`.
    fn list(&self, rules: &FillingRules, tie: Tie) -> Vec<OrbitFilling> {
        let filling = |code| {
            let values = self.decode(code);
            let mut image = values.clone();
            let mut tie_after = 0;
            for (i, symmetry) in rules.symmetries.iter().enumerate() {
                if tie >> i & 1 == 0 {
                    continue;
                }
                for (&to, &value) in self.moves[i].iter().zip(&values) {
                    image[to] = symmetry.values[value];
                }
                if values > image {
                    return None;
                }
                tie_after |= Tie::from(values == image) << i;
            }
            let weights = [0, 1].map(|sum| {
                let weights = values.iter().map(|&value| rules.weights[value][sum]);
                weights.fold(0, u32::saturating_add)
            });
            Some(OrbitFilling {
                code,
                tie: tie_after,
                weights,
            })
        };
        (0..self.fillings).filter_map(filling).collect()
    }

    /// Returns the code of `values`, or `None` if one of them is not allowed.
    fn encode(&self, mut values: impl Iterator<Item = usize>) -> Option<u32> {
        let code = values.try_fold(0, |code, value| {
            let digit = value.checked_sub(self.least)?;
            (digit < self.values).then(|| code * self.values + digit)
        })?;
        Some(u32::try_from(code).expect("a code is less than the number of fillings"))
    }

    /// Returns the values that `code` stands for.
    fn decode(&self, code: u32) -> Vec<usize> {
        let mut code = code as usize;
        let mut values = vec![self.least; self.moves[0].len()];
        for value in values.iter_mut().rev() {
            *value += code % self.values;
            code /= self.values;
        }
        values
    }
}

/// Returns the orbits by their least cell, and their actions without lists.
fn orbits(rules: &FillingRules) -> Result<(Vec<Orbit>, Vec<OrbitAction>), TooManyFillings> {
    let mut orbits = Vec::new();
    let mut actions = Vec::<OrbitAction>::new();
    for (first, &least) in rules.least.iter().enumerate() {
        let images = rules
            .symmetries
            .iter()
            .map(|symmetry| symmetry.cells[first]);
        let cells: Vec<usize> = images.collect::<BTreeSet<_>>().into_iter().collect();
        assert!(cells.contains(&first), "the symmetries form a group");
        if cells[0] < first {
            continue;
        }
        let index = |symmetry: &Symmetry, cell: usize| {
            assert_eq!(rules.least[cell], least, "an orbit has one least value");
            let index = cells.binary_search(&symmetry.cells[cell]);
            index.expect("a symmetry of the group maps an orbit onto itself")
        };
        let moves: Vec<Vec<usize>> = (rules.symmetries.iter())
            .map(|symmetry| cells.iter().map(|&cell| index(symmetry, cell)).collect())
            .collect();
        let mut known = actions.iter();
        let action = match known.position(|known| known.moves == moves && known.least == least) {
            Some(action) => action,
            None => {
                let values = rules.weights.len().saturating_sub(least);
                let fillings = (u32::try_from(values).ok())
                    .and_then(|values| values.checked_pow(cells.len() as u32))
                    .filter(|&fillings| fillings <= ORBIT_FILLINGS_MAX)
                    .ok_or(TooManyFillings::Orbit {
                        first,
                        cells: cells.len(),
                        values,
                    })?;
                actions.push(OrbitAction {
                    moves,
                    least,
                    values,
                    fillings,
                    listed: BTreeMap::new(),
                });
                actions.len() - 1
            }
        };
        orbits.push(Orbit { cells, action });
    }
    Ok((orbits, actions))
}

/// The pairs of sums to distinguish, numbered from 0: both sums are 0 in state 0.
#[derive(Clone, Debug)]
struct SumStates {
    sums: [TrackedSum; 2],
}

/// One of the two sums.
#[derive(Clone, Copy, Debug)]
struct TrackedSum {
    min: u32,
    /// The greatest sum that is distinguished.
    top: u32,
    /// Whether greater sums are forbidden; otherwise they all count as `top`.
    is_strict: bool,
}

impl SumStates {
    fn new(rules: &FillingRules) -> SumStates {
        let cells = u32::try_from(rules.least.len()).unwrap_or(u32::MAX);
        let sums = [0, 1].map(|sum| {
            let weight_max = rules.weights.iter().map(|weights| weights[sum]).max();
            let sum_max = cells.saturating_mul(weight_max.unwrap_or(0));
            let (min, max) = rules.bounds[sum];
            let bound = max.filter(|&max| max < sum_max);
            TrackedSum {
                min,
                // No filling reaches a least sum beyond `sum_max`, so `sum_max + 1` replaces it.
                top: bound.unwrap_or(min.min(sum_max.saturating_add(1))),
                is_strict: bound.is_some(),
            }
        });
        SumStates { sums }
    }

    /// Returns the number of states.
    fn len(&self) -> usize {
        (self.sums[0].top as usize + 1) * (self.sums[1].top as usize + 1)
    }

    /// Returns the state after adding `weights`, or `None` if a sum exceeds its bound.
    fn after(&self, state: usize, weights: [u32; 2]) -> Option<usize> {
        let sums = self.split(state);
        let mut after = 0;
        for ((tracked, sum), weight) in self.sums.iter().zip(sums).zip(weights) {
            let sum = sum.saturating_add(weight);
            if tracked.is_strict && sum > tracked.top {
                return None;
            }
            after = after * (tracked.top as usize + 1) + sum.min(tracked.top) as usize;
        }
        Some(after)
    }

    /// Returns whether both sums have reached their least values.
    fn is_enough(&self, state: usize) -> bool {
        let sums = self.split(state);
        self.sums
            .iter()
            .zip(sums)
            .all(|(tracked, sum)| sum >= tracked.min)
    }

    fn split(&self, state: usize) -> [u32; 2] {
        let width = self.sums[1].top as usize + 1;
        [(state / width) as u32, (state % width) as u32]
    }
}

/// Returns the table of counts for the `ties` that occur before each orbit and after the last.
/// Counts saturate. If the total fits in a `u64`, so does every count that a filling reaches.
fn count(
    orbits: &[Orbit],
    actions: &[OrbitAction],
    sums: &SumStates,
    ties: &[BTreeSet<Tie>],
) -> Vec<BTreeMap<Tie, Vec<u128>>> {
    let end: Vec<u128> = (0..sums.len())
        .map(|state| u128::from(sums.is_enough(state)))
        .collect();
    let mut counts = vec![BTreeMap::new(); orbits.len()];
    counts.push(
        ties[orbits.len()]
            .iter()
            .map(|&tie| (tie, end.clone()))
            .collect(),
    );
    for (i, orbit) in orbits.iter().enumerate().rev() {
        for &tie in &ties[i] {
            // Fillings of equal effect are counted together: a pot of two colours has many.
            let mut effects = BTreeMap::<(Tie, [u32; 2]), u128>::new();
            for filling in &actions[orbit.action].listed[&tie] {
                *effects.entry((filling.tie, filling.weights)).or_default() += 1;
            }
            let mut before = vec![0u128; sums.len()];
            for ((tie_after, weights), ways) in effects {
                let after = &counts[i + 1][&tie_after];
                for (state, count) in before.iter_mut().enumerate() {
                    if let Some(next) = sums.after(state, weights) {
                        *count = count.saturating_add(after[next].saturating_mul(ways));
                    }
                }
            }
            counts[i].insert(tie, before);
        }
    }
    counts
}

#[cfg(test)]
mod tests;
