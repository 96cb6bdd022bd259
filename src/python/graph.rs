//! Games that are written in Python: their positions, found by calling their methods, and the values of these.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use bytesize::ByteSize;
use pyo3::exceptions::{PyKeyError, PyMemoryError, PyOverflowError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString};
use seedbank::durable::{IoError, write_whole};
use seedbank::engine::{
    CanonicalForms, Control, Ending, EngineError, Formed, LOOPY, LoopyValue, LoopyValues,
    MoveError, MoveValues, NimValues, StopReason, Word,
};
use seedbank::game::moves::{MOVES_MAX, MoveGraph};
use seedbank::game::{Play, Player};
use seedbank::moves::MovesLine;
use seedbank::run::{memory_available, memory_in_use};
use seedbank::value::{LoopyError, OutcomeClass, ValueId};

use crate::held::{Held, Value};
use crate::loopy::adopted;
use crate::tools::{Failure, arena, compute};
use crate::watch::watched;

/// The positions between two checks of memory and signals.
const POSITIONS_A_CHECK: usize = 1 << 10;

/// The interval of reports of progress.
const REPORT_INTERVAL: Duration = Duration::from_secs(10);

/// How many positions are valued before the memory in use is compared with the budget.
const VALUED_A_CHECK: usize = 1 << 14;

/// The positions of a game and their moves.
#[pyclass(frozen, module = "seedbank")]
pub(crate) struct Graph {
    /// The positions by number.
    positions: Py<PyList>,
    /// The number of each position.
    numbers: Py<PyDict>,
    moves: MoveGraph,
    play: Play,
    /// The memory that the process may use, in bytes.
    memory: u64,
}

/// The values of all positions.
#[pyclass(frozen, module = "seedbank")]
pub(crate) struct GraphValues {
    graph: Py<Graph>,
    values: Vec<Found>,
}

/// What was found about a position.
#[derive(Clone, Copy)]
enum Found {
    Canonical(ValueId),
    Nim(u32),
    /// Play need not end: the value, if one was found, and the results for Left and for Right when they move first.
    Loopy(Option<Held>, [Ending; 2]),
}

/// Finds the positions that play reaches from some positions.
///
/// `moves` has the functions that return the options of Left and of Right, or the one that returns the options of both. `report`
/// is called every ten seconds with the numbers of positions found and of those whose moves are known.
#[pyfunction]
pub(crate) fn explore(
    positions: &Bound<'_, PyAny>,
    moves: Vec<Bound<'_, PyAny>>,
    memory: Option<&Bound<'_, PyAny>>,
    report: Option<Bound<'_, PyAny>>,
) -> PyResult<Graph> {
    let py = positions.py();
    let memory = bytes(memory)?;
    let mut found = Positions {
        positions: PyList::empty(py),
        numbers: PyDict::new(py),
    };
    for position in positions.try_iter()? {
        found.number(&position?)?;
    }
    let mut graph = MoveGraph::default();
    let mut options = [Vec::new(), Vec::new(), Vec::new()];
    let mut next_report = Instant::now() + REPORT_INTERVAL;
    while let Ok(position) = found.positions.get_item(graph.len()) {
        match &moves[..] {
            [both] => found.options(both, &position, &mut options[1])?,
            [left, right] => {
                found.options(left, &position, &mut options[0])?;
                found.options(right, &position, &mut options[2])?;
            }
            _ => return Err(PyTypeError::new_err("moves are of one or two functions")),
        }
        graph.push(options.each_mut());
        if graph.len().max(graph.moves()).max(found.positions.len()) > MOVES_MAX {
            return Err(PyOverflowError::new_err(format!(
                "more than {MOVES_MAX} positions or moves"
            )));
        }
        if graph.len() % POSITIONS_A_CHECK == 0 {
            py.check_signals()?;
            check_memory(memory, graph.len(), found.positions.len())?;
            if let Some(report) = report.as_ref().filter(|_| Instant::now() >= next_report) {
                report.call1((found.positions.len(), graph.len()))?;
                next_report = Instant::now() + REPORT_INTERVAL;
            }
        }
    }
    Ok(Graph {
        positions: found.positions.unbind(),
        numbers: found.numbers.unbind(),
        moves: graph,
        play: if moves.len() == 1 {
            Play::Impartial
        } else {
            Play::Partisan
        },
        memory,
    })
}

/// Reads a size of memory: a number of bytes or a text such as "8GiB"; by default three quarters of what is free.
fn bytes(size: Option<&Bound<'_, PyAny>>) -> PyResult<u64> {
    let Some(size) = size else {
        return Ok(memory_available().0);
    };
    let Ok(text) = size.cast::<PyString>() else {
        return size.extract();
    };
    let parsed: Result<ByteSize, _> = text.to_str()?.parse();
    let parsed = parsed.map_err(|_| {
        PyValueError::new_err(format!("memory={text:?}: write a size such as \"8GiB\""))
    });
    Ok(parsed?.0)
}

fn check_memory(budget: u64, done: usize, found: usize) -> PyResult<()> {
    match memory_in_use().filter(|bytes| *bytes > budget) {
        None => Ok(()),
        Some(bytes) => Err(PyMemoryError::new_err(format!(
            "{done} of {found} positions so far take {bytes} bytes, more than the budget of {budget}; give more with memory=, or \
             write the moves to a file for a job: seedbank.write_moves"
        ))),
    }
}

/// Positions found so far.
struct Positions<'py> {
    positions: Bound<'py, PyList>,
    numbers: Bound<'py, PyDict>,
}

impl<'py> Positions<'py> {
    /// Returns the number of a position.
    fn number(&mut self, position: &Bound<'py, PyAny>) -> PyResult<u32> {
        if let Some(number) = self.numbers.get_item(position)? {
            return number.extract();
        }
        let number = self.positions.len() as u32;
        self.numbers.set_item(position, number)?;
        self.positions.append(position)?;
        Ok(number)
    }

    /// Adds the options of a position to a list, each once.
    fn options(
        &mut self,
        moves: &Bound<'py, PyAny>,
        position: &Bound<'py, PyAny>,
        options: &mut Vec<u32>,
    ) -> PyResult<()> {
        let listed = moves.call1((position,))?;
        let items = listed.try_iter().map_err(|error| {
            let refused = PyTypeError::new_err(format!(
                "the options of {position:?} are no list but {listed:?}; return a list, a tuple or an iterator of positions"
            ));
            refused.set_cause(listed.py(), Some(error));
            refused
        })?;
        for option in items {
            let number = self.number(&option?)?;
            if !options.contains(&number) {
                options.push(number);
            }
        }
        Ok(())
    }
}

#[pymethods]
impl Graph {
    fn __len__(&self) -> usize {
        self.moves.len()
    }

    /// Values all positions. `report` is called every ten seconds with the number of positions valued.
    fn values(slf: Bound<'_, Self>, report: Option<Bound<'_, PyAny>>) -> PyResult<GraphValues> {
        let graph = slf.get();
        let values = match graph.play {
            Play::Partisan => graph.found(
                slf.py(),
                CanonicalForms {
                    arena: arena().clone(),
                },
                |word| Found::Canonical(CanonicalForms::value(word)),
                report,
            ),
            Play::Impartial => graph.found(
                slf.py(),
                NimValues::default(),
                |word| Found::Nim(NimValues::value(word)),
                report,
            ),
        }?;
        Ok(GraphValues {
            graph: slf.unbind(),
            values,
        })
    }

    /// Writes the moves to a file that jobs read, NDJSON or CSV by its ending. `name` returns the name of a position.
    fn write(&self, path: PathBuf, name: &Bound<'_, PyAny>) -> PyResult<()> {
        let py = name.py();
        let names = PyList::empty(py);
        let named = PyDict::new(py);
        for position in self.positions.bind(py) {
            let text = name.call1((&position,))?.str()?;
            if let Some(other) = named.get_item(&text)? {
                return Err(PyValueError::new_err(format!(
                    "{other:?} and {position:?} are both named {text:?}; pass name=, a function that gives each its own"
                )));
            }
            named.set_item(&text, &position)?;
            names.append(text)?;
        }
        let name = |position: u32| -> PyResult<String> {
            let text = names.get_item(position as usize)?;
            Ok(text.cast::<PyString>()?.to_str()?.to_owned())
        };
        let list = |options: &[u32]| {
            options
                .iter()
                .map(|&option| name(option))
                .collect::<PyResult<Vec<_>>>()
        };
        let is_csv = path.extension().is_some_and(|ending| ending == "csv");
        write_whole(&path, |file| {
            for position in 0..self.moves.len() as u32 {
                let (left, right, options) = match self.play {
                    Play::Partisan => (
                        Some(list(self.moves.options(position, Player::Left))?),
                        Some(list(self.moves.options(position, Player::Right))?),
                        None,
                    ),
                    Play::Impartial => (None, None, Some(list(self.moves.all_options(position))?)),
                };
                let line = MovesLine {
                    position: name(position)?,
                    left,
                    right,
                    options,
                };
                if is_csv && position == 0 {
                    file.write_all(line.csv_header().as_bytes())?;
                }
                let line = if is_csv { line.csv() } else { line.json() };
                file.write_all(line.as_bytes())?;
            }
            Ok(())
        })
        .map_err(|Unwritten(error)| error)
    }
}

/// An error of writing a file.
struct Unwritten(PyErr);

impl From<PyErr> for Unwritten {
    fn from(error: PyErr) -> Unwritten {
        Unwritten(error)
    }
}

impl From<std::io::Error> for Unwritten {
    fn from(error: std::io::Error) -> Unwritten {
        Unwritten(error.into())
    }
}

impl From<IoError> for Unwritten {
    fn from(error: IoError) -> Unwritten {
        let text = error.to_string();
        std::io::Error::new(error.cause.kind(), text).into()
    }
}

impl Graph {
    /// Returns what is found about all positions.
    fn found<V: Formed>(
        &self,
        py: Python<'_>,
        valuation: V,
        of_word: impl Fn(Word) -> Found + Sync,
        report: Option<Bound<'_, PyAny>>,
    ) -> PyResult<Vec<Found>> {
        let control = Control::default();
        let values = MoveValues::new(&self.moves, valuation);
        let stop = || control.stop(StopReason::Interrupted);
        let report = |text: &str| {
            report
                .as_ref()
                .map_or(Ok(()), |report| report.call1((text,)).map(drop))
        };
        let found = watched(py, stop, report, |messages| {
            let mut worker = values.worker(&control);
            let mut next_report = Instant::now() + REPORT_INTERVAL;
            // Positions found late are followers of earlier ones.
            for (valued, position) in (0..self.moves.len() as u32).rev().enumerate() {
                worker.value(position).map_err(Unfound::Form)?;
                if valued % VALUED_A_CHECK == 0 {
                    if memory_in_use().is_some_and(|bytes| bytes > self.memory) {
                        return Err(Unfound::Memory { valued });
                    }
                    if Instant::now() >= next_report {
                        messages.send(&valued.to_string());
                        next_report = Instant::now() + REPORT_INTERVAL;
                    }
                }
            }
            let word = |position: u32| values.get(position).expect("all positions are valued");
            let positions = 0..self.moves.len() as u32;
            let loopy: Vec<u32> = positions
                .clone()
                .filter(|&position| word(position) == LOOPY)
                .collect();
            let endings = values
                .endings(loopy.iter().copied(), &control)
                .map_err(|_| Unfound::Stopped)?;
            let mut endings = endings.into_iter();
            let mut loopy = LoopyValues::new(values.valuation(), &control);
            let mut found = Vec::with_capacity(self.moves.len());
            for position in positions {
                found.push(match word(position) {
                    LOOPY => {
                        let ending = endings.next().expect("each loopy position has its endings");
                        let name = |position: u32| position.to_string();
                        let value = values.loopy_value(position, &mut worker, &mut loopy, name);
                        let value = value.map_err(|error| match error {
                            EngineError::Form { source, .. } => {
                                Unfound::Form(MoveError::Form { position, source })
                            }
                            _ => Unfound::Stopped,
                        })?;
                        match (value.word(), value) {
                            (Some(word), _) => of_word(word),
                            (None, LoopyValue::Sides(sides)) => {
                                let sides = adopted(loopy.calculator(), sides);
                                let sides = sides.map_err(|error| match error {
                                    LoopyError::Arena(source) => {
                                        Unfound::Form(MoveError::Form { position, source })
                                    }
                                    _ => Unfound::Stopped,
                                })?;
                                Found::Loopy(Some(Held::Loopy(sides)), ending)
                            }
                            (None, LoopyValue::Infinite(heaps)) => {
                                Found::Loopy(Some(Held::infinite(heaps)), ending)
                            }
                            (None, _) => Found::Loopy(None, ending),
                        }
                    }
                    word => of_word(word),
                });
            }
            Ok(found)
        })?;
        found.map_err(|error| match error {
            Unfound::Form(MoveError::Form { position, source }) => {
                let name = self.positions.bind(py).get_item(position as usize);
                let name = name.map_or_else(|_| position.to_string(), |name| format!("{name:?}"));
                let error = PyErr::from(Failure::Arena(source));
                error
                    .value(py)
                    .call_method1("add_note", (format!("the position is {name}"),))
                    .ok();
                error
            }
            Unfound::Memory { valued } => match check_memory(self.memory, valued, self.moves.len())
            {
                Err(error) => error,
                Ok(()) => {
                    PyMemoryError::new_err("the memory budget was exceeded; give more with memory=")
                }
            },
            // Ctrl-C raises its own error.
            Unfound::Form(MoveError::Stopped(_)) | Unfound::Stopped => {
                pyo3::exceptions::PyKeyboardInterrupt::new_err(())
            }
        })
    }
}

/// Why positions have no values.
enum Unfound {
    Form(MoveError),
    Memory { valued: usize },
    Stopped,
}

impl GraphValues {
    fn found(&self, position: &Bound<'_, PyAny>) -> PyResult<Found> {
        let py = position.py();
        let number = self.graph.get().numbers.bind(py).get_item(position)?;
        let number = number.ok_or_else(|| PyKeyError::new_err(position.clone().unbind()))?;
        Ok(self.values[number.extract::<usize>()?])
    }
}

#[pymethods]
impl GraphValues {
    fn __len__(&self) -> usize {
        self.values.len()
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, pyo3::types::PyIterator>> {
        self.graph.get().positions.bind(py).try_iter()
    }

    /// Returns the value of a position, or None if its play need not end and no value was found.
    fn __getitem__(&self, position: &Bound<'_, PyAny>) -> PyResult<Option<Value>> {
        let py = position.py();
        let id = match self.found(position)? {
            Found::Canonical(id) => id,
            Found::Nim(n) => compute(py, move |tools| tools.calculator.nimber(n))?,
            Found::Loopy(value, _) => return Ok(value.map(Value)),
        };
        Ok(Some(Value::short(id)))
    }

    /// Returns how play ends for Left when Left begins and for Right when Right does: "win", "loss" or "draw".
    fn endings(&self, position: &Bound<'_, PyAny>) -> PyResult<[&'static str; 2]> {
        let py = position.py();
        let endings = match self.found(position)? {
            Found::Canonical(id) => compute(py, move |tools| {
                let outcome = tools.calculator.outcome(id);
                tools.calculator.check_steps().map(|()| Ending::of(outcome))
            })?,
            Found::Nim(n) => Ending::of(if n == 0 {
                OutcomeClass::Previous
            } else {
                OutcomeClass::Next
            }),
            Found::Loopy(_, endings) => endings,
        };
        Ok(endings.map(Ending::name))
    }

    /// Returns the outcome: "L", "R", "N" or "P", or None if a player can only draw.
    fn outcome(&self, position: &Bound<'_, PyAny>) -> PyResult<Option<&'static str>> {
        if let Found::Loopy(_, endings) = self.found(position)? {
            return Ok(Ending::class(endings).map(OutcomeClass::letter));
        }
        match self.__getitem__(position)? {
            Some(value) => value.outcome(position.py()),
            None => Ok(None),
        }
    }
}
