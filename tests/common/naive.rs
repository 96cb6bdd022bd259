//! Values without an engine, from the options of a ruleset or from any list of rows that one can
//! move to; and the comparison of a reference form with a form of an arena.

use std::collections::{BTreeSet, HashMap};

use seedbank::board::Board;
use seedbank::engine::reference::{ReferenceForm, ReferenceForms};
use seedbank::game::{Player, Ruleset};
use seedbank::value::{Arena, Calculator, ValueId};

/// Returns the least number that is not among these.
pub(crate) fn mex(nim_values: &BTreeSet<u32>) -> u32 {
    (0..)
        .find(|n| !nim_values.contains(n))
        .expect("the set is finite")
}

/// Returns the player's options in the ruleset's order, or the error as text.
pub(crate) fn options<R: Ruleset>(
    ruleset: &R,
    position: &R::Position,
    player: Player,
) -> Result<Vec<R::Position>, String> {
    let mut options = Vec::new();
    ruleset
        .each_option(position, player, &mut |option| options.push(option.clone()))
        .map_err(|error| format!("{position}: {error}"))?;
    Ok(options)
}

/// Evaluates positions by plain recursion through a ruleset and the arena's operations.
pub(crate) struct Evaluator<'a, R: Ruleset> {
    ruleset: &'a R,
    pub(crate) calculator: Calculator<'a>,
    values: HashMap<R::Position, ValueId>,
    nim_values: HashMap<R::Position, u32>,
}

impl<'a, R: Ruleset> Evaluator<'a, R> {
    pub(crate) fn new(ruleset: &'a R, arena: &'a Arena) -> Evaluator<'a, R> {
        Evaluator {
            ruleset,
            calculator: arena.calculator(),
            values: HashMap::new(),
            nim_values: HashMap::new(),
        }
    }

    /// Returns the value of a position, played partisan.
    pub(crate) fn value(&mut self, position: &R::Position) -> Result<ValueId, String> {
        if let Some(&known) = self.values.get(position) {
            return Ok(known);
        }
        let mut sides = [Vec::new(), Vec::new()];
        for (player, side) in Player::BOTH.into_iter().zip(&mut sides) {
            for option in options(self.ruleset, position, player)? {
                side.push(self.value(&option)?);
            }
        }
        let [left, right] = &mut sides;
        let value = self
            .calculator
            .canonical(left, right)
            .map_err(|error| error.to_string())?;
        self.values.insert(position.clone(), value);
        Ok(value)
    }

    /// Returns the nim-value of a position, played impartially.
    pub(crate) fn nim_value(&mut self, position: &R::Position) -> Result<u32, String> {
        if let Some(&known) = self.nim_values.get(position) {
            return Ok(known);
        }
        let mut found = BTreeSet::new();
        for player in Player::BOTH {
            for option in options(self.ruleset, position, player)? {
                found.insert(self.nim_value(&option)?);
            }
        }
        let value = mex(&found);
        self.nim_values.insert(position.clone(), value);
        Ok(value)
    }
}

/// Evaluates boards by definition, given the boards that one can move to.
pub(crate) struct NaiveValues<'a, B> {
    options: &'a dyn Fn(&B, Player) -> Vec<B>,
    pub(crate) forms: ReferenceForms,
    values: HashMap<B, (ReferenceForm, u32)>,
}

impl<'a, B: Board> NaiveValues<'a, B> {
    pub(crate) fn new(options: &'a dyn Fn(&B, Player) -> Vec<B>) -> NaiveValues<'a, B> {
        NaiveValues {
            options,
            forms: ReferenceForms::new(),
            values: HashMap::new(),
        }
    }

    /// Returns the canonical form of a row and its nim-value.
    pub(crate) fn value(&mut self, row: &B) -> (ReferenceForm, u32) {
        if let Some(&known) = self.values.get(row) {
            return known;
        }
        let sides = Player::BOTH.map(|player| {
            let options = (self.options)(row, player);
            let values = options.iter().map(|option| self.value(option));
            values.collect::<Vec<(ReferenceForm, u32)>>()
        });
        let nim_value = mex(&sides.iter().flatten().map(|value| value.1).collect());
        let [left, right] = sides.map(|side| side.into_iter().map(|value| value.0));
        let value = (self.forms.canonical(left, right), nim_value);
        self.values.insert(row.clone(), value);
        value
    }
}

/// Returns the arena's form of a reference form, built from its options.
pub(crate) fn rebuilt(
    forms: &ReferenceForms,
    form: ReferenceForm,
    calculator: &mut Calculator,
) -> ValueId {
    let mut side = |options: &BTreeSet<ReferenceForm>| -> Vec<ValueId> {
        options
            .iter()
            .map(|&option| rebuilt(forms, option, calculator))
            .collect()
    };
    let mut left = side(forms.left_options(form));
    let mut right = side(forms.right_options(form));
    calculator
        .canonical(&mut left, &mut right)
        .expect("a small form fits the arena")
}

/// Compares reference forms with forms of an arena recursively: both must have the same options.
#[derive(Default)]
pub(crate) struct SameForm {
    known: HashMap<(ReferenceForm, ValueId), bool>,
}

impl SameForm {
    /// Returns whether the two forms have the same structure.
    pub(crate) fn same(
        &mut self,
        forms: &ReferenceForms,
        expected: ReferenceForm,
        arena: &Arena,
        found: ValueId,
    ) -> bool {
        if let Some(&known) = self.known.get(&(expected, found)) {
            return known;
        }
        let sides = [
            (forms.left_options(expected), arena.left_options(found)),
            (forms.right_options(expected), arena.right_options(found)),
        ];
        // The two have the same number of options, and each of the reference's is found. The arena
        // has no other option, because both sides store equal structures once.
        let same = sides.iter().all(|(expected, found)| {
            expected.len() == found.len()
                && expected
                    .iter()
                    .all(|&e| found.iter().any(|&f| self.same(forms, e, arena, f)))
        });
        self.known.insert((expected, found), same);
        same
    }
}
