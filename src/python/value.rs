//! The methods of the class `Value`.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use pyo3::IntoPyObjectExt as _;
use pyo3::basic::CompareOp;
use pyo3::exceptions::{PyOverflowError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyInt, PyList, PyNotImplemented};
use seedbank::engine::infinite_text;
use seedbank::value::latex::value_math;
use seedbank::value::{
    Comparison, Dyadic, Ending, Kind, NoAtomicWeight, Notation, OutcomeClass, Pseudonumber, Sides,
    Stopper, ValueId,
};

use crate::held::{Held, Value, found, game, operand, options, value};
use crate::loopy::with_loopy;
use crate::number::{fraction, hash, number};
use crate::operations::{TEXT_MAX, inexact};
use crate::pickle::{self, Forms};
use crate::thermograph::Thermograph;
use crate::tools::{arena, compute, with_tools};

#[pymethods]
impl Value {
    /// Value(x): the value of a text, an integer, a fraction or another value; Value(left, right): the value of options.
    #[new]
    #[pyo3(signature = (value, right=None, /))]
    fn new(value: &Bound<'_, PyAny>, right: Option<&Bound<'_, PyAny>>) -> PyResult<Value> {
        let Some(right) = right else {
            return self::value(value).map(Value);
        };
        let options = [options(value, "Left")?, options(right, "Right")?];
        game(value.py(), options).map(Value)
    }

    /// Returns the nimber *n, the value of a heap of n in Nim.
    #[staticmethod]
    fn star(py: Python<'_>, n: u32) -> PyResult<Value> {
        compute(py, move |tools| tools.calculator.nimber(n)).map(Value::short)
    }

    fn __add__<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let py = other.py();
        match operand(other)? {
            Some(other) => self.sum(other, py)?.into_bound_py_any(py),
            None => not_implemented(py),
        }
    }

    fn __radd__<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.__add__(other)
    }

    fn __sub__<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let py = other.py();
        match operand(other)? {
            Some(other) => {
                let negative = Value(other).negative(py)?;
                self.sum(negative.0, py)?.into_bound_py_any(py)
            }
            None => not_implemented(py),
        }
    }

    fn __rsub__<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.negative(other.py())?.__add__(other)
    }

    /// The multiple n.G for an integer n.
    fn __mul__<'py>(&self, n: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let py = n.py();
        if !n.is_instance_of::<PyInt>() {
            return not_implemented(py);
        }
        let n: i64 = n.extract().map_err(|_| {
            PyOverflowError::new_err(format!("the integer {n} does not fit in 64 bits"))
        })?;
        let held = match self.0 {
            Held::Short(id) => Held::Short(compute(py, |tools| tools.calculator.multiple(n, id))?),
            Held::Loopy(sides) => found(with_loopy(py, |c| Ok(c.multiple(n, sides)?))?)?,
            Held::Infinite(_) if n == 0 => Held::Short(ValueId::ZERO),
            infinite if n.unsigned_abs() == 1 => infinite,
            Held::Infinite(_) => Held::infinite(Vec::new()),
        };
        Value(held).into_bound_py_any(py)
    }

    fn __rmul__<'py>(&self, n: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.__mul__(n)
    }

    fn __neg__(&self, py: Python<'_>) -> PyResult<Value> {
        self.negative(py)
    }

    fn __pos__(&self) -> Value {
        *self
    }

    fn __bool__(&self) -> bool {
        self.0 != Held::Short(ValueId::ZERO)
    }

    fn __richcmp__<'py>(
        &self,
        other: &Bound<'py, PyAny>,
        operator: CompareOp,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = other.py();
        let other = match (operand(other), operator) {
            (Ok(Some(other)), _) => other,
            // What is no value, or too large for one, equals none.
            (_, CompareOp::Eq | CompareOp::Ne) | (Ok(None), _) => return not_implemented(py),
            (Err(error), _) => return Err(error),
        };
        let holds = match operator {
            CompareOp::Eq => self.0 == other,
            CompareOp::Ne => self.0 != other,
            CompareOp::Lt => self.comparison(other, py)? == Comparison::Less,
            CompareOp::Gt => self.comparison(other, py)? == Comparison::Greater,
            CompareOp::Le => matches!(
                self.comparison(other, py)?,
                Comparison::Less | Comparison::Equal
            ),
            CompareOp::Ge => matches!(
                self.comparison(other, py)?,
                Comparison::Greater | Comparison::Equal
            ),
        };
        holds.into_bound_py_any(py)
    }

    /// A value that is a number has the hash of that number.
    fn __hash__(&self) -> isize {
        let Held::Short(id) = self.0 else {
            let mut hasher = DefaultHasher::new();
            self.0.hash(&mut hasher);
            return hasher.finish() as isize;
        };
        match arena().number(id) {
            Some(number) => hash(number),
            None => id.to_raw() as isize,
        }
    }

    /// The value in the notation of CGSuite; beyond 4,096 characters its digest.
    fn __str__(&self, py: Python<'_>) -> PyResult<String> {
        self.shown(py)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(match self.written(py, Notation::CgSuite, TEXT_MAX)? {
            Some(text) => format!("Value('{text}')"),
            None => format!("<Value digest:{}>", self.name(py)?),
        })
    }

    fn _repr_latex_(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("${}$", self.latex(py)?))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
        let (py, class) = (slf.py(), slf.get_type());
        let sides = match slf.get().0 {
            Held::Short(id) => {
                let forms = (pickle::short_forms(id),);
                return Ok((class.getattr("_of_forms")?, forms.into_bound_py_any(py)?));
            }
            Held::Loopy(sides) => sides,
            Held::Infinite(heaps) => {
                let text = (infinite_text(heaps),);
                return Ok((class.into_any(), text.into_bound_py_any(py)?));
            }
        };
        let forms = pickle::loopy_forms(py, sides)?;
        Ok((class.getattr("_of_forms")?, forms.into_bound_py_any(py)?))
    }

    /// Returns the last of some values, each given by the places of its options in the list; or the one whose sides have places.
    #[staticmethod]
    #[pyo3(signature = (forms, onside=None, offside=None))]
    fn _of_forms(
        py: Python<'_>,
        forms: Forms,
        onside: Option<usize>,
        offside: Option<usize>,
    ) -> PyResult<Value> {
        match onside.zip(offside) {
            Some(sides) => pickle::loopy(py, &forms, sides.into()).map(Value),
            None => pickle::short(py, &forms).map(Value::short),
        }
    }

    /// Returns the value as a text that Value() reads.
    ///
    /// notation is "cgsuite" (two ups are ^^), "standard" (two ups are ^2, as in results) or "plain" (braces around all but numbers
    /// and nimbers); loopy values are written as in results. Raises OverflowError if the text takes more than chars_max characters.
    #[pyo3(signature = (notation="cgsuite", chars_max=None))]
    fn text(&self, py: Python<'_>, notation: &str, chars_max: Option<usize>) -> PyResult<String> {
        let known = Notation::ALL
            .into_iter()
            .find(|known| known.name() == notation);
        let known = known.ok_or_else(|| {
            let accepted = Notation::ALL.map(Notation::name).join(", ");
            PyValueError::new_err(format!("{notation:?} is no notation; accepted: {accepted}"))
        })?;
        let chars_max = chars_max.unwrap_or(1 << 30);
        self.written(py, known, chars_max)?.ok_or_else(|| {
            PyOverflowError::new_err(format!(
                "the text takes more than {chars_max} characters; digest() names the value"
            ))
        })
    }

    /// Returns the value in LaTeX's mathematics.
    fn latex(&self, py: Python<'_>) -> PyResult<String> {
        Ok(match self.written(py, Notation::Standard, TEXT_MAX)? {
            Some(text) => value_math(&text),
            None => format!("\\mathtt{{{}}}", self.name(py)?),
        })
    }

    /// Returns the digest of the value: 32 hexadecimal digits, as in results.
    fn digest(&self, py: Python<'_>) -> PyResult<String> {
        self.name(py)
    }

    /// Returns whether neither value is less than or equal to the other.
    fn confused(&self, other: &Bound<'_, PyAny>) -> PyResult<bool> {
        let comparison = self.comparison(value(other)?, other.py())?;
        Ok(comparison == Comparison::Confused)
    }

    /// Returns how the value compares with another: "<", "=", ">" or "||" if the two are confused.
    fn compare(&self, other: &Bound<'_, PyAny>) -> PyResult<&'static str> {
        Ok(match self.comparison(value(other)?, other.py())? {
            Comparison::Less => "<",
            Comparison::Equal => "=",
            Comparison::Greater => ">",
            Comparison::Confused => "||",
        })
    }

    /// Returns who wins: "L" or "R" whoever begins, "N" the next player, "P" the previous one; None if a player can only draw.
    pub(crate) fn outcome(&self, py: Python<'_>) -> PyResult<Option<&'static str>> {
        if let Held::Short(id) = self.0 {
            return compute(py, |tools| {
                let outcome = tools.calculator.outcome(id);
                let letter = Some(outcome.letter());
                tools.calculator.check_steps().map(|()| letter)
            });
        }
        let class = Ending::class(self.ends(py)?);
        Ok(class.map(OutcomeClass::letter))
    }

    /// Returns "win", "loss" or "draw" for Left when Left begins, and for Right when Right does.
    pub(crate) fn endings(&self, py: Python<'_>) -> PyResult<(&'static str, &'static str)> {
        let [left, right] = self.ends(py)?.map(Ending::name);
        Ok((left, right))
    }

    /// Returns whether the value is loopy: that of no game in which all play ends.
    fn is_loopy(&self) -> bool {
        !matches!(self.0, Held::Short(_))
    }

    /// Returns whether the value has a canonical form without endless alternating play, as all short values have.
    fn is_stopper(&self) -> bool {
        self.0
            .sides()
            .is_some_and(|sides| sides.stopper().is_some())
    }

    /// Returns the game with all endless play won by Left.
    fn onside(&self) -> PyResult<Value> {
        Ok(Value(Sides::from(self.partisan()?.onside).into()))
    }

    /// Returns the game with all endless play won by Right.
    fn offside(&self) -> PyResult<Value> {
        Ok(Value(Sides::from(self.partisan()?.offside).into()))
    }

    /// Returns Left's options in the canonical form.
    fn left_options<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        self.player_options(0, py)
    }

    /// Returns Right's options in the canonical form.
    fn right_options<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        self.player_options(1, py)
    }

    /// Returns what Left's moves gain: the options G^L - G, without dominated ones.
    fn left_incentives<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let id = self.only_short(py, "incentives")?;
        Value::list(
            compute(py, |tools| tools.calculator.left_incentives(id))?,
            py,
        )
    }

    /// Returns what Right's moves gain: the options G - G^R, without dominated ones.
    fn right_incentives<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let id = self.only_short(py, "incentives")?;
        Value::list(
            compute(py, |tools| tools.calculator.right_incentives(id))?,
            py,
        )
    }

    /// Returns the day on which the value is born: the depth of its canonical form.
    fn birthday(&self, py: Python<'_>) -> PyResult<u32> {
        Ok(arena().birthday(self.only_short(py, "a birthday")?))
    }

    /// Returns the name of the value's kind: "integer", "number", "nimber", "switch", "tiny", "hot", ..., "loopy".
    fn kind(&self) -> &'static str {
        match self.0 {
            Held::Short(id) => Kind::of(arena(), id).name(),
            _ => "loopy",
        }
    }

    /// Returns the number that the value is, or None.
    fn number<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let Held::Short(id) = self.0 else {
            return Ok(None);
        };
        arena()
            .number(id)
            .map(|number| fraction(py, number))
            .transpose()
    }

    /// Returns n if the value is the nimber *n, or None.
    fn nimber(&self) -> Option<u32> {
        match self.0 {
            Held::Short(id) => arena().nimber(id),
            _ => None,
        }
    }

    /// Returns whether in every position of play both players can move or neither can.
    fn is_dicotic(&self, py: Python<'_>) -> PyResult<bool> {
        let id = self.only_short(py, "the property of being dicotic")?;
        Ok(arena().is_dicotic(id))
    }

    /// Returns the stop that play reaches if Left begins, a fractions.Fraction; for a loopy stopper maybe a Value such as 5over or on.
    fn left_stop<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.stop(0, py)
    }

    /// Returns the stop that play reaches if Right begins, likewise.
    fn right_stop<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.stop(1, py)
    }

    /// Returns the mean, a fractions.Fraction.
    fn mean<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.of_mast("mean", 0, py)
    }

    /// Returns the temperature, a fractions.Fraction: -1/2^n for a number with the denominator 2^n.
    fn temperature<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.of_mast("temperature", 1, py)
    }

    /// Returns the thermograph, from temperature -1 on.
    fn thermograph(&self, py: Python<'_>) -> PyResult<Thermograph> {
        let id = self.only_short(py, "a thermograph")?;
        let thermograph = with_tools(|tools| tools.thermographs.thermograph(id));
        Ok(Thermograph::new(
            self.shown(py)?,
            thermograph.ok_or_else(inexact)?,
        ))
    }

    /// Returns the atomic weight, or None: only some infinitesimals have one.
    fn atomic_weight(&self, py: Python<'_>) -> PyResult<Option<Value>> {
        let id = self.only_short(py, "an atomic weight")?;
        let weight = compute(py, |tools| match tools.weights.weight(id) {
            Ok(weight) => Ok(Some(weight.value(&mut tools.calculator)?)),
            Err(NoAtomicWeight::Arena(error)) => Err(error),
            Err(_) => Ok(None),
        })?;
        Ok(weight.map(Value::short))
    }

    /// Returns the value cooled by a number of at least 0.
    fn cool(&self, t: &Bound<'_, PyAny>) -> PyResult<Value> {
        let id = self.only_short(t.py(), "cooled values")?;
        let of_value = |held| match held {
            Held::Short(t) => arena().number(t),
            _ => None,
        };
        let by = number(t)?.or_else(|| value(t).ok().and_then(of_value));
        let by = by.ok_or_else(|| {
            PyTypeError::new_err(format!("values are cooled by numbers, not by {t}"))
        })?;
        compute(t.py(), move |tools| tools.calculator.cooled(id, by)).map(Value::short)
    }

    /// Returns the ordinal sum G:H, which depends on the form of G: here its canonical form.
    fn ordinal_sum(&self, other: &Bound<'_, PyAny>) -> PyResult<Value> {
        let (py, above) = (other.py(), value(other)?);
        if let (Held::Short(base), Held::Short(above)) = (self.0, above) {
            let sum = compute(py, |tools| tools.calculator.ordinal_sum(base, above));
            return sum.map(Value::short);
        }
        let (base, above) = (self.partisan()?, Value(above).partisan()?);
        found(with_loopy(py, |c| Ok(c.ordinal_sum(base, above)?))?).map(Value)
    }

    /// Returns the Norton product G.U with a unit U > 0.
    fn norton(&self, unit: &Bound<'_, PyAny>) -> PyResult<Value> {
        let (py, by) = (unit.py(), Value(value(unit)?));
        let id = self.only_short(py, "Norton products")?;
        let by = by.only_short(py, "Norton products")?;
        compute(py, |tools| tools.calculator.norton(id, by)).map(Value::short)
    }

    /// Returns the reduced canonical form: the simplest value infinitesimally close.
    fn reduced(&self, py: Python<'_>) -> PyResult<Value> {
        let id = self.only_short(py, "a reduced canonical form")?;
        compute(py, |tools| tools.calculator.reduced(id)).map(Value::short)
    }

    /// Returns whether both stops are 0, or differ from it infinitesimally.
    fn is_infinitesimal(&self, py: Python<'_>) -> PyResult<bool> {
        Ok(match self.form(py, "stops")? {
            Stopper::Short(id) => arena().is_infinitesimal(id),
            stopper => {
                let stops = with_loopy(py, |c| Ok(c.stops(stopper)))?;
                stops.map(Pseudonumber::number) == [Some(Dyadic::ZERO); 2]
            }
        })
    }

    /// Returns the value heated by a number or another value.
    fn heat(&self, t: &Bound<'_, PyAny>) -> PyResult<Value> {
        let (py, by) = (t.py(), Value(value(t)?));
        let id = self.only_short(py, "heated values")?;
        let by = by.only_short(py, "the property of heating")?;
        compute(py, move |tools| tools.calculator.heated(id, by)).map(Value::short)
    }
}

fn not_implemented(py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
    Ok(PyNotImplemented::get(py).to_owned().into_any())
}
