//! The class `Value`, what it holds, and the objects that stand for a value. Its methods are in `value`.

use std::collections::HashSet;
use std::sync::{LazyLock, Mutex};

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyString;
use seedbank::engine::infinite_text;
use seedbank::value::{Dyadic, ParseValueError, Sides, Stopper, ValueId};
use seedbank_memory::lock;

use crate::loopy::with_loopy;
use crate::number::number;
use crate::tools::{Failure, Tools, arena, compute};

/// The value of a game: its canonical form, or the sides of a loopy game without one. Equal values are the same form.
///
/// A value is made from a text in the notation of CGSuite, an integer, a fraction, or the options of Left and of Right:
///
///     >>> from seedbank import Value
///     >>> Value("{1|-1}") == Value({1}, {-1})
///     True
///     >>> Value("^") + Value("*")
///     Value('^*')
///     >>> Value("^") > 0, Value("^").confused(Value("*"))
///     (True, True)
///     >>> Value("over") - Value("over"), Value("a{0|a}") > 0
///     (Value('over & under'), True)
#[pyclass(frozen, module = "seedbank", from_py_object)]
#[derive(Clone, Copy)]
pub(crate) struct Value(pub(crate) Held);

impl Value {
    pub(crate) fn short(id: ValueId) -> Value {
        Value(Held::Short(id))
    }
}

/// What a value is. Equal values are held alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Held {
    /// A canonical form of the arena.
    Short(ValueId),
    /// A loopy game of [the calculator of all threads](with_loopy), no short one.
    Loopy(Sides),
    /// `oo(a,b,...)` of impartial play, by the nim-values a < b < ... of its options.
    Infinite(&'static [u32]),
}

impl From<Sides> for Held {
    fn from(sides: Sides) -> Held {
        match sides.stopper() {
            Some(Stopper::Short(id)) => Held::Short(id),
            _ => Held::Loopy(sides),
        }
    }
}

impl Held {
    /// Returns `oo(a,b,...)`. The lists are kept until the process ends, as forms are, each once.
    pub(crate) fn infinite(mut heaps: Vec<u32>) -> Held {
        static KNOWN: LazyLock<Mutex<HashSet<&'static [u32]>>> = LazyLock::new(Mutex::default);
        heaps.sort_unstable();
        heaps.dedup();
        let mut known = lock(&KNOWN);
        Held::Infinite(match known.get(&heaps[..]) {
            Some(heaps) => heaps,
            None => {
                let heaps: &'static [u32] = Vec::leak(heaps);
                known.insert(heaps);
                heaps
            }
        })
    }

    /// Returns the sides of a partisan value.
    pub(crate) fn sides(self) -> Option<Sides> {
        match self {
            Held::Short(id) => Some(Stopper::Short(id).into()),
            Held::Loopy(sides) => Some(sides),
            Held::Infinite(_) => None,
        }
    }
}

/// Reads `oo(a,b,...)`; `None` for other texts.
fn read_infinite(text: &str) -> Option<PyResult<Held>> {
    let list = text.trim().strip_prefix("oo(")?;
    let list = list.strip_suffix(')').map(|list| match list.trim() {
        "" => Ok(Vec::new()),
        list => list.split(',').map(|heap| heap.trim().parse()).collect(),
    });
    Some(match list {
        Some(Ok(heaps)) => Ok(Held::infinite(heaps)),
        _ => Err(PyValueError::new_err(format!(
            "{text:?}: write the nim-values of the options of oo in parentheses, as in oo() or oo(0,2)"
        ))),
    })
}

/// The other operand of an operator: a value, an integer or a fraction.
pub(crate) fn operand(object: &Bound<'_, PyAny>) -> PyResult<Option<Held>> {
    if let Ok(value) = object.cast::<Value>() {
        return Ok(Some(value.get().0));
    }
    match number(object)? {
        Some(number) => of_number(object.py(), number).map(Some),
        None => Ok(None),
    }
}

fn of_number(py: Python<'_>, number: Dyadic) -> PyResult<Held> {
    compute(py, move |tools| tools.calculator.number(number)).map(Held::Short)
}

/// Returns the value that an object stands for.
///
/// # Errors
///
/// TypeError if it stands for none; ValueError with the place for a text that cannot be read.
pub(crate) fn value(object: &Bound<'_, PyAny>) -> PyResult<Held> {
    let Ok(text) = object.cast::<PyString>() else {
        return operand(object)?.ok_or_else(|| {
            PyTypeError::new_err(format!(
                "{} is no value; write a Value, an int, a fractions.Fraction or a text such as \"{{1|0}}\"",
                object.get_type()
            ))
        });
    };
    let (py, text) = (object.py(), text.to_str()?);
    let failed = |error| Failure::Text {
        text: text.to_owned(),
        error,
    };
    let short = compute(py, |tools| match tools.calculator.parse(text) {
        Err(ParseValueError::Loopy { .. }) => Ok(None),
        read => read.map(Some).map_err(failed),
    });
    match short {
        Ok(Some(id)) => Ok(Held::Short(id)),
        Ok(None) => with_loopy(py, |c| c.parse(text).map_err(failed)).map(Held::from),
        Err(error) => read_infinite(text).unwrap_or(Err(error)),
    }
}

/// Returns the options of a player.
pub(crate) fn options(object: &Bound<'_, PyAny>, side: &str) -> PyResult<Vec<Held>> {
    if object.is_instance_of::<PyString>() {
        return Err(PyTypeError::new_err(format!(
            "the options of {side} are a text; write them as a list, such as [\"1\", \"^\"]"
        )));
    }
    let options = object.try_iter().map_err(|_| {
        PyTypeError::new_err(format!(
            "the options of {side} are no list; write one, such as [1, \"^\"]"
        ))
    })?;
    options.map(|option| value(&option?)).collect()
}

/// Returns the game with some options.
pub(crate) fn game(py: Python<'_>, options: [Vec<Held>; 2]) -> PyResult<Held> {
    let shorts = |options: &Vec<Held>| -> Option<Vec<ValueId>> {
        let short = |option: &Held| match *option {
            Held::Short(id) => Some(id),
            _ => None,
        };
        options.iter().map(short).collect()
    };
    let [left, right] = options.each_ref().map(shorts);
    if let (Some(left), Some(right)) = (left, right) {
        let canonical = |tools: &mut Tools| {
            tools
                .calculator
                .canonical(&mut left.clone(), &mut right.clone())
        };
        return compute(py, canonical).map(Held::Short);
    }
    let sides = |options: Vec<Held>| -> PyResult<Vec<Sides>> {
        let of_option = |option: Held| option.sides().ok_or_else(|| not_partisan(option));
        options.into_iter().map(of_option).collect()
    };
    let [left, right] = options;
    let options = [sides(left)?, sides(right)?];
    with_loopy(py, |c| Ok(c.game(options.clone())?)).and_then(found)
}

/// The error for an operation of partisan games on `oo(a,b,...)`.
pub(crate) fn not_partisan(held: Held) -> PyErr {
    let text = match held {
        Held::Infinite(heaps) => infinite_text(heaps),
        Held::Short(id) => arena().notation(id).to_string(),
        Held::Loopy(_) => "a loopy value".to_owned(),
    };
    PyValueError::new_err(format!(
        "{text} is a value of impartial play that has no order or options; only its sums with nimbers and with values such as \
         oo(0,2) are defined"
    ))
}

/// Returns the value with some sides, if they were found.
pub(crate) fn found(sides: Option<Sides>) -> PyResult<Held> {
    match sides {
        Some(sides) => Ok(Held::from(sides)),
        None => Err(Failure::Loopy(seedbank::value::LoopyError::NoStopper).into()),
    }
}
