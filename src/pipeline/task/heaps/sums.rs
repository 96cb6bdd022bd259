//! Evaluates sums of mixed components without a job: values and moves.
//!
//! Engines of sums report nothing while they work, so they run [aside](Session::aside) and are abandoned to stop them. Most
//! sums take milliseconds; heaps of 1000 tokens under a code of 255 digits that splits them in three take minutes.

use std::sync::mpsc::SyncSender;

use cggames::game::SumKind;
use cggames::game::impartial::{Component, HEAP_MAX, Sum, heap_max};
use cgsolvers::Genus;
#[cfg(doc)]
use cgsolvers::sums::MISERE_MOVES_MAX;
use cgsolvers::sums::{
    ComponentValues, DisjunctiveSum, MisereSums, NotFree, ObligatedSum, SumMove, nim_sum,
    obligated_value,
};

use super::values::HeapValue;
use crate::run::{RunError, Session};

/// Which sums to evaluate.
#[derive(Clone, Debug)]
pub struct SumEvaluation {
    /// The sums.
    pub sums: Vec<Sum>,
    /// How components are added.
    pub added: SumKind,
    /// Whether to list the moves. No heap may then be beyond the limits of components.
    pub moves: bool,
    /// What to find about misère play of disjunctive sums. If it is anything, no heap may be beyond the limits of components.
    pub misere: MisereWanted,
}

/// What is to be found about misère play of disjunctive sums.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MisereWanted {
    /// Nothing.
    #[default]
    Nothing,
    /// Who wins.
    Outcome,
    /// The genus, and who wins.
    Genus,
}

/// The result of a sum.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SumEvaluated {
    /// The value of the whole sum.
    pub value: HeapValue,
    /// Every component with its value when it is played alone, group by group.
    pub components: Vec<(Component, HeapValue)>,
    /// The legal moves, if requested, each with the value of the sum after it.
    pub moves: Vec<(SumMove, HeapValue)>,
    /// The genus of the sum, if it was wanted and takes at most [`MISERE_MOVES_MAX`] moves.
    pub genus: Option<Genus>,
}

/// Evaluates sums in order and passes on each result as soon as it is known.
///
/// Cost: the tables for the largest components, which all sums share, and for moves the options
/// of every component.
///
/// # Errors
///
/// [`RunError::NotFree`] for a sum of more than one group that is added disjunctively;
/// [`RunError::NoPeriod`] for a heap [beyond the limits](Sum::of_any_heaps) of components whose game
/// has no known period;
/// [`RunError::Budget`] if the sums exceed the memory budget; the reason if a signal or the deadline
/// stopped the evaluation.
///
/// # Panics
///
/// If an engine panics, which would be a bug.
///
/// ```
/// use seedbank::game::SumKind;
/// use seedbank::run::{Limits, Session, Signals, Silent};
/// use seedbank::task::heaps::{MisereWanted, SumEvaluation, evaluate_sums};
///
/// let evaluation = SumEvaluation {
///     sums: vec!["nim(3,5) + nim(7)".parse()?],
///     added: SumKind::Disjunctive,
///     moves: true,
///     misere: MisereWanted::Nothing,
/// };
/// let limits = Limits::new(1, bytesize::ByteSize::gib(1));
/// let signals = Signals::default();
/// let session = Session::new(limits, &signals, &Silent);
/// let mut evaluated = Vec::new();
/// evaluate_sums(&evaluation, &session, |_, found| evaluated.push(found))?;
/// let evaluated = &evaluated[0];
/// assert_eq!(evaluated.value.to_string(), "*");
/// assert_eq!(evaluated.moves.len(), 3 + 5 + 7);
/// let (first, value) = &evaluated.moves[0];
/// assert_eq!((first.to_string(), value.to_string()), ("nim(3,5) -> nim(2,5)".into(), "0".into()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn evaluate_sums(
    evaluation: &SumEvaluation,
    session: &Session<'_>,
    mut each: impl FnMut(usize, SumEvaluated),
) -> Result<(), RunError> {
    let SumEvaluation {
        sums,
        added,
        moves,
        misere: wanted,
    } = evaluation.clone();
    let pool = session.pool()?;
    let total = sums.len();
    let evaluate = move |sender: SyncSender<_>| {
        let mut values = ComponentValues::new();
        let mut misere = MisereSums::default();
        for sum in &sums {
            let mut evaluated = evaluate_any(sum, added, moves, &mut values);
            if let Ok(evaluated) = &mut evaluated
                && added == SumKind::Disjunctive
            {
                evaluated.add_misere(sum, wanted, &mut misere);
            }
            // Nobody receives results once the evaluation was stopped.
            if sender.send(evaluated).is_err() {
                break;
            }
        }
    };
    let mut place = 0;
    let receive = |evaluated: Result<_, _>| {
        each(place, evaluated?);
        place += 1;
        Ok(())
    };
    let work = move |sender| pool.install(|| evaluate(sender));
    let evaluated = session.evaluating(total, || session.aside(work, receive));
    let what = "the tables of components and their moves";
    evaluated.map_err(|error| session.over_budget(error, "the evaluation", what))
}

/// Evaluates one sum, of heaps of any size.
///
/// # Errors
///
/// As for [`evaluate`], and [`RunError::NoPeriod`] for a heap beyond the limits of components whose
/// game has no known period.
fn evaluate_any(
    sum: &Sum,
    added: SumKind,
    moves: bool,
    values: &mut ComponentValues,
) -> Result<SumEvaluated, RunError> {
    let near = |component: &Component| {
        values.near(component, added).ok_or_else(|| {
            let most = match component {
                Component::Heap(game, _) => heap_max(game),
                _ => HEAP_MAX,
            };
            RunError::NoPeriod {
                heap: component.to_string(),
                searched: most as u64 + 1,
                most: most as u64,
            }
        })
    };
    let mut near = near;
    let groups = sum.groups().iter();
    let groups = groups.map(|group| group.iter().map(&mut near).collect());
    let same = Sum::of_groups(groups.collect::<Result<Vec<Vec<_>>, _>>()?);
    let mut found = evaluate(&same, added, moves, values)?;
    for ((component, _), given) in found.components.iter_mut().zip(sum.components()) {
        component.clone_from(given);
    }
    Ok(found)
}

/// Evaluates one sum.
///
/// # Errors
///
/// A sum of more than one group that is added disjunctively.
pub(in crate::task) fn evaluate(
    sum: &Sum,
    added: SumKind,
    moves: bool,
    values: &mut ComponentValues,
) -> Result<SumEvaluated, NotFree> {
    if added == SumKind::Disjunctive && sum.groups().len() > 1 {
        return Err(NotFree);
    }
    let mut value_of = |component: &Component| match added {
        SumKind::Disjunctive => HeapValue::Nim(values.nim_value(component)),
        SumKind::Obligated => HeapValue::Obligated(values.obligated(component)),
    };
    let components: Vec<_> = sum.components().map(|c| (c.clone(), value_of(c))).collect();
    let (value, moves) = match (added, moves) {
        (SumKind::Disjunctive, false) => {
            let own = components.iter().filter_map(|(_, v)| v.nim_value());
            (HeapValue::Nim(nim_sum(own)), Vec::new())
        }
        (SumKind::Disjunctive, true) => {
            let found = DisjunctiveSum::new(sum, values)?;
            let moves = found.moves.into_iter();
            let moves = moves.map(|(own, after)| (own, HeapValue::Nim(after)));
            (HeapValue::Nim(found.nim_value), moves.collect())
        }
        (SumKind::Obligated, false) => {
            let value = obligated_value(sum, values);
            (HeapValue::Obligated(value), Vec::new())
        }
        (SumKind::Obligated, true) => {
            let found = ObligatedSum::new(sum, values);
            let moves = found.moves.into_iter();
            let moves = moves.map(|(own, after)| (own, HeapValue::Obligated(after)));
            (HeapValue::Obligated(found.value), moves.collect())
        }
    };
    Ok(SumEvaluated {
        value,
        components,
        moves,
        genus: None,
    })
}

impl SumEvaluated {
    /// Adds who wins misère play of a disjunctive sum, of its components, and after its moves, and the genus of the sum, as far
    /// as that is wanted and known.
    pub(in crate::task) fn add_misere(
        &mut self,
        sum: &Sum,
        wanted: MisereWanted,
        misere: &mut MisereSums,
    ) {
        if wanted == MisereWanted::Nothing {
            return;
        }
        let all: Vec<Component> = sum.components().cloned().collect();
        if wanted == MisereWanted::Genus {
            self.genus = misere.genus(&all);
        }
        let mut add = |value: &mut HeapValue, components: &[Component]| {
            let is_n = misere.is_n(components);
            *value = value.with_misere(is_n);
            is_n
        };
        if add(&mut self.value, &all).is_none() {
            // Most components and moves of a sum that takes too many moves do so, too.
            return;
        }
        for (component, value) in &mut self.components {
            add(value, std::slice::from_ref(component));
        }
        for (own, value) in &mut self.moves {
            let after = own.after(sum, SumKind::Disjunctive);
            let after: Vec<Component> = after.components().cloned().collect();
            add(value, &after);
        }
    }
}
