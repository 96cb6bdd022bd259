//! The class `Thermograph`.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use seedbank::report::svg;
use seedbank::value::{self, Dyadic, Wall};

use crate::number::{fraction, number};

type Corners<'py> = Vec<(Bound<'py, PyAny>, Bound<'py, PyAny>)>;

/// The thermograph of a value, from temperature -1 on. Notebooks show it as a picture.
///
///     >>> from seedbank import Value
///     >>> graph = Value("{2|-1}").thermograph()
///     >>> graph.mean, graph.temperature
///     (Fraction(1, 2), Fraction(3, 2))
///     >>> [(str(t), str(x)) for t, x in graph.left_wall]
///     [('-1', '3'), ('3/2', '1/2')]
#[pyclass(frozen, module = "seedbank")]
pub(crate) struct Thermograph {
    value: String,
    thermograph: value::Thermograph,
}

impl Thermograph {
    pub(crate) fn new(value: String, thermograph: value::Thermograph) -> Thermograph {
        Thermograph { value, thermograph }
    }
}

fn corners<'py>(wall: &Wall, py: Python<'py>) -> PyResult<Corners<'py>> {
    let corners = wall.corners().iter();
    corners
        .map(|&(t, x)| Ok((fraction(py, t)?, fraction(py, x)?)))
        .collect()
}

#[pymethods]
impl Thermograph {
    /// The mean, where the mast stands.
    #[getter]
    fn mean<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        fraction(py, self.thermograph.mean())
    }

    /// The temperature, at which the walls meet.
    #[getter]
    fn temperature<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        fraction(py, self.thermograph.temperature())
    }

    /// The corners of the Left wall: pairs of a temperature and the number there, from temperature -1 up to the mast.
    #[getter]
    fn left_wall<'py>(&self, py: Python<'py>) -> PyResult<Corners<'py>> {
        corners(self.thermograph.left(), py)
    }

    /// The corners of the Right wall.
    #[getter]
    fn right_wall<'py>(&self, py: Python<'py>) -> PyResult<Corners<'py>> {
        corners(self.thermograph.right(), py)
    }

    /// Returns the numbers of the Left wall and of the Right wall at a temperature of at least -1.
    fn at<'py>(&self, t: &Bound<'py, PyAny>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
        let py = t.py();
        let refuse = || {
            PyValueError::new_err(format!(
                "{t} is no temperature; write a number of at least -1"
            ))
        };
        let at = number(t)?
            .filter(|t| *t >= Dyadic::integer(-1))
            .ok_or_else(refuse)?;
        let wall = |wall: &Wall| fraction(py, wall.at(at).ok_or_else(refuse)?);
        Ok((
            wall(self.thermograph.left())?,
            wall(self.thermograph.right())?,
        ))
    }

    /// Returns a picture: temperature upwards, Left's numbers to the left.
    fn svg(&self) -> String {
        svg::thermograph(&self.value, &self.thermograph).document()
    }

    fn _repr_svg_(&self) -> String {
        self.svg()
    }

    fn __repr__(&self) -> String {
        format!("<Thermograph of {}>", self.value)
    }
}
