//! Values as lists of forms, by which they are pickled and copied.

use std::collections::HashMap;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use seedbank::value::{LoopyGraph, Sides, Stopper, Target, ValueId};

use crate::held::Held;
use crate::loopy::with_loopy;
use crate::tools::{Failure, arena, compute};

/// The places of Left's and Right's options in a list, for each form of it.
pub(crate) type Forms = Vec<(Vec<usize>, Vec<usize>)>;

/// Returns a form's followers and itself, options first.
pub(crate) fn short_forms(id: ValueId) -> Forms {
    let (mut places, mut forms) = (HashMap::new(), Vec::new());
    add(id, &mut places, &mut forms);
    forms
}

/// Adds a form's followers and itself.
fn add(id: ValueId, places: &mut HashMap<ValueId, usize>, forms: &mut Forms) {
    let arena = arena();
    let mut open = vec![id];
    while let Some(&id) = open.last() {
        let (left, right) = (arena.left_options(id), arena.right_options(id));
        let before = open.len();
        let is_new = |option: &&ValueId| !places.contains_key(*option);
        open.extend(left.iter().chain(&right).filter(is_new));
        if open.len() > before {
            continue;
        }
        open.pop();
        if !places.contains_key(&id) {
            let of = |options: &[ValueId]| options.iter().map(|option| places[option]).collect();
            forms.push((of(&left), of(&right)));
            places.insert(id, forms.len() - 1);
        }
    }
}

/// Returns the followers of a value's sides, the short ones first, and the places of the sides.
pub(crate) fn loopy_forms(py: Python<'_>, sides: Sides) -> PyResult<(Forms, usize, usize)> {
    with_loopy(py, |c| {
        let (mut places, mut forms) = (HashMap::new(), Vec::new());
        let mut loopy: HashMap<Stopper, usize> = HashMap::new();
        let mut followers = Vec::new();
        for follower in [sides.onside, sides.offside]
            .map(|side| c.followers(side))
            .concat()
        {
            match follower {
                Stopper::Short(id) => add(id, &mut places, &mut forms),
                follower if !loopy.contains_key(&follower) => {
                    loopy.insert(follower, followers.len());
                    followers.push(follower);
                }
                Stopper::Loopy(_) => {}
            }
        }
        let first = forms.len();
        let place = |stopper: &Stopper| match stopper {
            Stopper::Short(id) => places[id],
            loopy_form => first + loopy[loopy_form],
        };
        for follower in followers {
            let [left, right] = c.options_of(follower);
            forms.push((
                left.iter().map(place).collect(),
                right.iter().map(place).collect(),
            ));
        }
        Ok((forms, place(&sides.onside), place(&sides.offside)))
    })
}

fn wrong() -> PyErr {
    PyValueError::new_err("an option comes after its form")
}

/// Returns the last of some short forms.
pub(crate) fn short(py: Python<'_>, forms: &Forms) -> PyResult<ValueId> {
    let ids = shorts(py, forms)?;
    if ids.len() < forms.len() {
        return Err(wrong());
    }
    Ok(ids.last().copied().unwrap_or(ValueId::ZERO))
}

/// Returns the short forms at the start of a list.
fn shorts(py: Python<'_>, forms: &Forms) -> PyResult<Vec<ValueId>> {
    let mut ids: Vec<ValueId> = Vec::with_capacity(forms.len());
    for (left, right) in forms {
        let of = |places: &[usize]| -> Option<Vec<ValueId>> {
            let known = places.iter().map(|place| ids.get(*place).copied());
            known.collect()
        };
        let Some((left, right)) = of(left).zip(of(right)) else {
            break;
        };
        ids.push(compute(py, |tools| {
            tools
                .calculator
                .canonical(&mut left.clone(), &mut right.clone())
        })?);
    }
    Ok(ids)
}

/// Returns the value whose sides have places in a list.
pub(crate) fn loopy(py: Python<'_>, forms: &Forms, sides: [usize; 2]) -> PyResult<Held> {
    let ids = shorts(py, forms)?;
    let target = |place: usize| match ids.get(place) {
        Some(&id) => Some(Target::Form(Stopper::Short(id))),
        None if place < forms.len() => Some(Target::Node((place - ids.len()) as u32)),
        None => None,
    };
    let mut graph = LoopyGraph::default();
    for _ in ids.len()..forms.len() {
        graph.node();
    }
    for (node, (left, right)) in (0..).zip(&forms[ids.len()..]) {
        let options =
            [left, right].map(|places| places.iter().map(|&place| target(place)).collect());
        let [Some(left), Some(right)] = options else {
            return Err(wrong());
        };
        graph.set(node, [left, right]);
    }
    let roots = sides.map(target);
    let [Some(on), Some(off)] = roots else {
        return Err(wrong());
    };
    let found = with_loopy(py, |c| {
        let stopper = |found: &[Option<Stopper>], target| match target {
            Target::Form(form) => Some(form),
            Target::Node(node) => found[node as usize],
        };
        let (onsides, offsides) = (c.onsides(&graph)?, c.offsides(&graph)?);
        let sides = Sides::of(stopper(&onsides, on), stopper(&offsides, off));
        sides.ok_or(Failure::Loopy(seedbank::value::LoopyError::NoStopper))
    })?;
    Ok(found.into())
}
