//! What the methods of `Value` compute, for short and for loopy values.

use pyo3::IntoPyObjectExt as _;
use pyo3::exceptions::{PyOverflowError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyList;
use seedbank::engine::infinite_text;
use seedbank::value::{
    Comparison, Digester, Ending, Notation, Pseudonumber, Sides, Stopper, ValueDigest, ValueId,
};

use crate::held::{Held, Value, found, not_partisan};
use crate::loopy::with_loopy;
use crate::number::fraction;
use crate::tools::{Failure, arena, compute, with_tools};

/// The longest text of a value that `str` writes, in characters.
pub(crate) const TEXT_MAX: usize = 1 << 12;

impl Value {
    /// Returns the value in the notation of CGSuite; beyond 4,096 characters its digest.
    pub(crate) fn shown(self, py: Python<'_>) -> PyResult<String> {
        Ok(match self.written(py, Notation::CgSuite, TEXT_MAX)? {
            Some(text) => text,
            None => format!("digest:{}", self.name(py)?),
        })
    }

    /// Returns the digest, as in results.
    pub(crate) fn name(self, py: Python<'_>) -> PyResult<String> {
        let digest = match self.0 {
            Held::Short(id) => Digester::new(arena()).digest(id),
            Held::Loopy(sides) => with_loopy(py, |c| Ok(c.digest_of(sides)))?,
            Held::Infinite(heaps) => ValueDigest::of_name(&infinite_text(heaps)),
        };
        Ok(digest.to_string())
    }

    pub(crate) fn sum(self, other: Held, py: Python<'_>) -> PyResult<Value> {
        let held = match (self.0, other) {
            (Held::Short(g), Held::Short(h)) => {
                Held::Short(compute(py, |tools| tools.calculator.sum(g, h))?)
            }
            (Held::Infinite(heaps), other) | (other, Held::Infinite(heaps)) => {
                let plus = match other {
                    // Play need not end in either, so neither has an option that ends it in both.
                    Held::Infinite(_) => Vec::new(),
                    Held::Short(id) => match arena().nimber(id) {
                        Some(n) => heaps.iter().map(|heap| heap ^ n).collect(),
                        None => return Err(not_partisan(Held::Infinite(heaps))),
                    },
                    Held::Loopy(_) => return Err(not_partisan(Held::Infinite(heaps))),
                };
                Held::infinite(plus)
            }
            (g, h) => {
                let (g, h) = (g.sides().zip(h.sides())).expect("other values have sides");
                found(with_loopy(py, |c| Ok(c.sum(g, h)?))?)?
            }
        };
        Ok(Value(held))
    }

    pub(crate) fn negative(self, py: Python<'_>) -> PyResult<Value> {
        Ok(Value(match self.0 {
            Held::Short(id) => Held::Short(id.negative()),
            Held::Loopy(sides) => Held::Loopy(with_loopy(py, |c| Ok(c.negative_sides(sides)))?),
            infinite => infinite,
        }))
    }

    pub(crate) fn list<'py>(ids: Vec<ValueId>, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let mut ids = ids;
        with_tools(|tools| tools.writer.sort(&mut ids));
        PyList::new(py, ids.into_iter().map(Value::short))
    }

    pub(crate) fn comparison(self, other: Held, py: Python<'_>) -> PyResult<Comparison> {
        if let (Held::Short(g), Held::Short(h)) = (self.0, other) {
            return compute(py, |tools| {
                let comparison = tools.calculator.compare(g, h);
                tools.calculator.check_steps().map(|()| comparison)
            });
        }
        if self.0 == other {
            return Ok(Comparison::Equal);
        }
        let g = self.0.sides().ok_or_else(|| not_partisan(self.0))?;
        let h = other.sides().ok_or_else(|| not_partisan(other))?;
        with_loopy(py, |c| Ok(c.compare(g, h)?))
    }

    /// Returns how play ends for Left when Left begins and for Right when Right does.
    pub(crate) fn ends(self, py: Python<'_>) -> PyResult<[Ending; 2]> {
        match self.0 {
            Held::Short(id) => compute(py, |tools| {
                let outcome = tools.calculator.outcome(id);
                tools.calculator.check_steps().map(|()| Ending::of(outcome))
            }),
            Held::Loopy(sides) => with_loopy(py, |c| Ok(c.endings(sides)?)),
            // The next player wins by the option 0.
            Held::Infinite([0, ..]) => Ok([Ending::Win; 2]),
            Held::Infinite(_) => Ok([Ending::Draw; 2]),
        }
    }

    /// Returns the text, unless it is too long.
    pub(crate) fn written(
        self,
        py: Python<'_>,
        notation: Notation,
        chars_max: usize,
    ) -> PyResult<Option<String>> {
        match self.0 {
            Held::Short(id) => Ok(with_tools(|tools| {
                tools.writer.limited(id, notation, chars_max)
            })),
            // They have one notation.
            Held::Loopy(sides) => with_loopy(py, |c| Ok(c.text(sides, chars_max))),
            Held::Infinite(heaps) => {
                Ok(Some(infinite_text(heaps)).filter(|text| text.len() <= chars_max))
            }
        }
    }

    /// Returns the form of a short value.
    pub(crate) fn only_short(self, py: Python<'_>, what: &str) -> PyResult<ValueId> {
        match self.0 {
            Held::Short(id) => Ok(id),
            _ => Err(PyValueError::new_err(format!(
                "{} is loopy, and only short values have {what}",
                self.shown(py)?
            ))),
        }
    }

    /// Returns the sides of a partisan value.
    pub(crate) fn partisan(self) -> PyResult<Sides> {
        self.0.sides().ok_or_else(|| not_partisan(self.0))
    }

    /// Returns the form of a short value or stopper.
    pub(crate) fn form(self, py: Python<'_>, what: &str) -> PyResult<Stopper> {
        let stopper = self.partisan()?.stopper();
        match stopper {
            Some(stopper) => Ok(stopper),
            None => Err(PyValueError::new_err(format!(
                "{} is no stopper, and only short values and stoppers have {what}; onside() and offside() are such values",
                self.shown(py)?
            ))),
        }
    }

    pub(crate) fn player_options<'py>(
        self,
        player: usize,
        py: Python<'py>,
    ) -> PyResult<Bound<'py, PyList>> {
        let stopper = match self.form(py, "options")? {
            Stopper::Short(id) if player == 0 => return Value::list(arena().left_options(id), py),
            Stopper::Short(id) => return Value::list(arena().right_options(id), py),
            stopper => stopper,
        };
        let [shorts, loopy] = with_loopy(py, |c| {
            let mut options = c.options_of(stopper)[player].clone();
            options.sort_by_cached_key(|&option| c.digest(option));
            let (shorts, loopy) = options
                .into_iter()
                .partition(|option| matches!(option, Stopper::Short(_)));
            Ok([shorts, loopy] as [Vec<Stopper>; 2])
        })?;
        let short = |stopper| match stopper {
            Stopper::Short(id) => Some(id),
            Stopper::Loopy(_) => None,
        };
        let list = Value::list(shorts.into_iter().filter_map(short).collect(), py)?;
        for option in loopy {
            list.append(Value(Held::Loopy(option.into())))?;
        }
        Ok(list)
    }

    pub(crate) fn stop<'py>(self, player: usize, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let stopper = match self.form(py, "stops")? {
            Stopper::Short(id) if player == 0 => return fraction(py, arena().left_stop(id)),
            Stopper::Short(id) => return fraction(py, arena().right_stop(id)),
            stopper => stopper,
        };
        match with_loopy(py, |c| Ok(c.stops(stopper)[player]))? {
            Pseudonumber::Number(number) => fraction(py, number),
            stop => {
                let text = stop.to_string();
                let stop = with_loopy(py, |c| {
                    c.parse(&text).map_err(|error| Failure::Text {
                        text: text.clone(),
                        error,
                    })
                })?;
                Value(Held::from(stop)).into_bound_py_any(py)
            }
        }
    }

    /// Returns the mean or the temperature.
    pub(crate) fn of_mast<'py>(
        self,
        what: &str,
        place: usize,
        py: Python<'py>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let mast = match self.form(py, &format!("a {what}"))? {
            Stopper::Short(id) => {
                with_tools(|tools| tools.thermographs.mast(id)).ok_or_else(inexact)?
            }
            stopper => match with_loopy(py, |c| Ok(c.mast(stopper)))? {
                Some(mast) => mast,
                None => {
                    return Err(PyValueError::new_err(format!(
                        "{} has no {what}: its walls meet at no number",
                        self.shown(py)?
                    )));
                }
            },
        };
        fraction(py, [mast.0, mast.1][place])
    }
}

pub(crate) fn inexact() -> PyErr {
    PyOverflowError::new_err("the thermograph takes numbers of more than 119 bits")
}
