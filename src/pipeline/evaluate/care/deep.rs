//! Recomputes stored values from the rules.
//!
//! A checksum shows that a value is the one that was stored, not that it is right. This check compares it with the value
//! that the rules give the position. The reference engine makes the options: it moves seeds as the rules are worded and
//! does not know normal forms. The game whose options have the values of these must have the stored value. By induction
//! over the length of play, a store is right if all its values pass. A sample finds wrong values in the sample and among
//! the stored options of the sample. If a value fails, it and all its followers are evaluated without the store, and
//! those with other stored values are reported.

use std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashSet};

use cggames::board::Key;
use cggames::game::{Game, Play, Player, PotGame};
use cgsolvers::reference::ReferenceEngine;
use cgsolvers::{Engine, EngineError, Formed, KnownValues, LOOPY, NothingKnown, Search, Word};
use cgvalues::{Arena, Calculator, Digester, Notation, NotationWriter, ValueDigest};
use serde::{Serialize, Serializer};
use valuestore::{Namespace, Reader, Store};

use super::super::dispatch::{Visitor, dispatch};
use super::super::known::KnownStore;
use super::super::stored::Stored;
use super::{UnknownNamespace, VALUE_CHARS_MAX, game_of, sound_reader};
use crate::run::RunError;

/// The default number of values recomputed in each namespace.
pub const DEEP_SAMPLE: u64 = 1000;

/// The most positions evaluated to find the value of one option that is not stored.
///
/// Unit: positions; a few seconds' work. Options of stored positions are stored too, or close to stored positions, except
/// those that a sweep valued.
const POSITIONS_MAX: u64 = 1 << 18;

/// Which values are recomputed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DeepSample {
    /// The number of values per namespace. A namespace with fewer values is recomputed in full.
    pub count: u64,
    /// The seed. The same seed selects the same keys, however segments divide them.
    pub seed: u64,
}

/// The result for one namespace.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DeepReport {
    /// The namespace.
    pub namespace: Namespace,
    /// The values that it holds.
    pub values: u64,
    /// The values of the sample that were recomputed.
    pub checked: u64,
    /// The values of the sample that were not recomputed, because the value of an option is neither stored nor quickly
    /// found.
    pub unchecked: u64,
    /// All values found to be wrong, in the order of their keys.
    pub wrong: Vec<WrongValue>,
    /// The reason if nothing was recomputed.
    pub left_alone: Option<UnknownNamespace>,
}

/// A stored value that is not the one that the rules give.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct WrongValue {
    /// The key.
    #[serde(serialize_with = "hexadecimal")]
    pub key: Key,
    /// The position, or `None` if no position has the key.
    pub position: Option<String>,
    /// The stored value in CGSuite's notation, or its digest if the notation is long.
    pub stored: String,
    /// The value of the position; `None` if there is no position.
    pub right: Option<String>,
}

fn hexadecimal<S: Serializer>(key: &Key, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&format_args!("{key:#x}"))
}

/// Recomputes a sample of the values of each namespace, and reports those that are wrong.
///
/// A value whose options are not all stored costs one or more searches. No memory budget limits them.
///
/// # Errors
///
/// Damaged segments, which [`Store::verify`] lists; or a search that fails.
pub fn verify_deep(store: &Store, sample: DeepSample) -> Result<Vec<DeepReport>, RunError> {
    let namespaces = store.namespaces();
    let reports = namespaces.into_iter().map(|namespace| {
        let reader = sound_reader(store, &namespace)?;
        match game_of(&namespace) {
            Ok((game, manner)) => {
                let visitor = Check {
                    game,
                    play: manner.play,
                    reader,
                    sample,
                };
                dispatch(game, manner, visitor)
            }
            Err(unknown) => Ok(DeepReport {
                values: reader.iter()?.count() as u64,
                checked: 0,
                unchecked: 0,
                wrong: Vec::new(),
                left_alone: Some(unknown),
                namespace,
            }),
        }
    });
    reports.collect()
}

struct Check {
    game: Game,
    play: Play,
    reader: Reader,
    sample: DeepSample,
}

impl Visitor for Check {
    type Output = Result<DeepReport, RunError>;

    fn visit<R: PotGame, V: Stored + Default>(self, ruleset: R) -> Self::Output {
        let (values, keys) = sample(&self.reader, self.sample)?;
        let engine = Engine::new(ruleset.clone(), V::default());
        let known = KnownStore::new(
            &engine.valuation,
            self.reader.clone(),
            Some(&engine.control),
        );
        let scratch = Engine::new(ruleset, V::default());
        let mut checker = Checker {
            reference: ReferenceEngine::new(self.game),
            play: self.play,
            known: &known,
            search: engine.search(&known),
            worker: engine.valuation.worker(),
            names: Names::new(engine.valuation.arena()),
            from_rules: scratch.search(&NothingKnown),
            right_names: Names::new(scratch.valuation.arena()),
            engine: &engine,
            walked: HashSet::new(),
            wrong: BTreeMap::new(),
        };
        let mut report = DeepReport {
            namespace: self.reader.namespace().clone(),
            values,
            checked: 0,
            unchecked: 0,
            wrong: Vec::new(),
            left_alone: None,
        };
        for key in keys {
            if checker.check(key)? {
                report.checked += 1
            } else {
                report.unchecked += 1
            }
        }
        report.wrong = checker.wrong.into_values().collect();
        Ok(report)
    }
}

/// Returns the number of keys of a reader, and the sample in order: the keys with the least hashes.
fn sample(reader: &Reader, sample: DeepSample) -> Result<(u64, Vec<Key>), RunError> {
    let size = usize::try_from(sample.count).unwrap_or(usize::MAX);
    let mut least: BinaryHeap<(u64, Key)> = BinaryHeap::new();
    let mut values = 0;
    for (key, _) in reader.iter()? {
        values += 1;
        let place = (hash(sample.seed, key), key);
        if least.len() < size {
            least.push(place);
        } else if least.peek().is_some_and(|greatest| place < *greatest) {
            least.pop();
            least.push(place);
        }
    }
    let mut keys: Vec<Key> = least.into_iter().map(|(_, key)| key).collect();
    keys.sort_unstable();
    Ok((values, keys))
}

/// Returns a hash of a key: the output function of SplitMix64 over seed and key.
fn hash(seed: u64, key: Key) -> u64 {
    let mix = |x: u64| {
        let x = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ (x >> 31)
    };
    mix(mix(mix(seed) ^ key as u64) ^ (key >> 64) as u64)
}

struct Checker<'e, R: PotGame, V: Stored> {
    engine: &'e Engine<R, V>,
    known: &'e KnownStore<'e, V>,
    search: Search<'e, R, V>,
    worker: V::Worker<'e>,
    names: Names<'e>,
    reference: ReferenceEngine,
    play: Play,
    /// A search that knows no stored value and has an arena of its own.
    from_rules: Search<'e, R, V>,
    right_names: Names<'e>,
    /// The followers that were compared with the rules already.
    walked: HashSet<Key>,
    wrong: BTreeMap<Key, WrongValue>,
}

impl<R: PotGame, V: Stored> Checker<'_, R, V> {
    /// Recomputes a value, notes it if it is wrong, and returns whether it could be recomputed.
    fn check(&mut self, key: Key) -> Result<bool, RunError> {
        let ruleset = &self.engine.ruleset;
        let Some(stored) = self.known.known(key)? else {
            return Ok(false);
        };
        let Some(position) = ruleset.position_of_stored(key) else {
            let wrong = WrongValue {
                key,
                position: None,
                stored: self.names.of::<V>(stored)?.0,
                right: None,
            };
            self.wrong.insert(key, wrong);
            return Ok(true);
        };
        let right = match self.combined(&position)? {
            None => return Ok(false),
            Some(value) if value == stored => return Ok(true),
            Some(value) => value,
        };
        let text = position.to_string();
        self.name_wrong_followers(position)?;
        if self.wrong.is_empty() {
            // The search agrees with the store and the rules do not: it has the fault of the program that stored the value.
            let wrong = WrongValue {
                key,
                position: Some(text),
                stored: self.names.of::<V>(stored)?.0,
                right: Some(self.names.of::<V>(right)?.0),
            };
            self.wrong.insert(key, wrong);
        }
        Ok(true)
    }

    /// Returns the value of the game with the options of a position, as the rules word them. The options' values come from
    /// the store, or from a short search over stored values. Returns `None` if that would take long.
    fn combined(&mut self, position: &R::Position) -> Result<Option<Word>, RunError> {
        let ruleset = &self.engine.ruleset;
        let board = ruleset.board(position).into();
        let mut values = [Vec::new(), Vec::new()];
        for player in Player::BOTH {
            let side = match (player, self.play) {
                (Player::Right, Play::Partisan) => 1,
                _ => 0,
            };
            let options = self
                .reference
                .options(&board, player)
                .expect("a position of the ruleset is one of the reference engine's");
            for option in options {
                let option = ruleset.position_on(&option).map_err(EngineError::from)?;
                match self.search.evaluate_within(&option, POSITIONS_MAX)? {
                    Some(value) => values[side].push(value),
                    None => return Ok(None),
                }
            }
        }
        if values.iter().flatten().any(|&value| value == LOOPY) {
            return Ok(Some(LOOPY));
        }
        let [left, right] = &values;
        let value = V::combine(&mut self.worker, left, right)?;
        Ok(Some(value))
    }

    /// Compares the stored values of a position and of all its followers with those of a search without the store.
    fn name_wrong_followers(&mut self, position: R::Position) -> Result<(), RunError> {
        let ruleset = &self.engine.ruleset;
        let mut ahead = vec![position];
        while let Some(position) = ahead.pop() {
            let (key, _) = ruleset.key(&position).map_err(EngineError::from)?;
            if !self.walked.insert(key) {
                continue;
            }
            // The key may stand for the negative of the position, and then has the negative's value.
            let position = ruleset.position_of(key);
            if let Some(stored) = self.known.known(key)? {
                let right = self.from_rules.evaluate(&position)?;
                let (stored, stored_digest) = self.names.of::<V>(stored)?;
                let (right, right_digest) = self.right_names.of::<V>(right)?;
                if stored_digest != right_digest {
                    let wrong = WrongValue {
                        key,
                        position: Some(position.to_string()),
                        stored,
                        right: Some(right),
                    };
                    self.wrong.insert(key, wrong);
                }
            }
            let mut options = BTreeSet::new();
            for player in Player::BOTH {
                let mut misfit = None;
                ruleset
                    .each_option(&position, player, &mut |option| match ruleset.key(option) {
                        Ok((key, _)) => {
                            options.insert(key);
                        }
                        Err(error) => misfit = Some(error),
                    })
                    .map_err(EngineError::from)?;
                if let Some(error) = misfit {
                    return Err(EngineError::from(error).into());
                }
            }
            ahead.extend(options.into_iter().map(|key| ruleset.position_of(key)));
        }
        Ok(())
    }
}

/// Names values of one arena.
struct Names<'a> {
    calculator: Calculator<'a>,
    digester: Digester<'a>,
    writer: NotationWriter<'a>,
}

impl<'a> Names<'a> {
    fn new(arena: &'a Arena) -> Names<'a> {
        Names {
            calculator: arena.calculator(),
            digester: Digester::new(arena),
            writer: NotationWriter::new(arena),
        }
    }

    /// Returns the notation of a value, or its digest if the notation is long, and the digest.
    fn of<V: Formed>(&mut self, word: Word) -> Result<(String, ValueDigest), RunError> {
        if word == LOOPY {
            return Ok(("no value: loopy".to_owned(), ValueDigest([0; 16])));
        }
        let form = V::form(&mut self.calculator, word)?;
        let digest = self.digester.digest(form);
        let text = self
            .writer
            .limited(form, Notation::Standard, VALUE_CHARS_MAX)
            .unwrap_or_else(|| format!("(a long value, digest {digest})"));
        Ok((text, digest))
    }
}
