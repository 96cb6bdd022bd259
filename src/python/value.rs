//! The class `Value`.

use std::collections::HashMap;

use pyo3::IntoPyObjectExt as _;
use pyo3::basic::CompareOp;
use pyo3::exceptions::{PyOverflowError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyInt, PyList, PyNotImplemented, PyString};
use seedbank::value::latex::value_math;
use seedbank::value::{Comparison, Digester, Dyadic, Kind, NoAtomicWeight, Notation, ValueId};

use crate::number::{fraction, hash, number};
use crate::thermograph::Thermograph;
use crate::tools::{Failure, Tools, arena, compute, with_tools};

/// The longest text of a value that `str` writes, in characters.
const TEXT_MAX: usize = 1 << 12;

/// The value of a game: its canonical form. Equal values are the same form.
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
#[pyclass(frozen, module = "seedbank", from_py_object)]
#[derive(Clone, Copy)]
pub(crate) struct Value(pub(crate) ValueId);

/// The places of Left's and Right's options in a list of forms.
type Options = (Vec<usize>, Vec<usize>);

/// The other operand of an operator: a value, an integer or a fraction.
fn operand(object: &Bound<'_, PyAny>) -> PyResult<Option<ValueId>> {
    if let Ok(value) = object.cast::<Value>() {
        return Ok(Some(value.get().0));
    }
    match number(object)? {
        Some(number) => of_number(object.py(), number).map(Some),
        None => Ok(None),
    }
}

fn of_number(py: Python<'_>, number: Dyadic) -> PyResult<ValueId> {
    compute(py, move |tools| tools.calculator.number(number))
}

/// Returns the value that an object stands for.
///
/// # Errors
///
/// TypeError if it stands for none; ValueError with the place for a text that cannot be read.
pub(crate) fn value(object: &Bound<'_, PyAny>) -> PyResult<ValueId> {
    let py = object.py();
    if let Ok(text) = object.cast::<PyString>() {
        let text = text.to_str()?;
        return compute(py, |tools| {
            let parsed = tools.calculator.parse(text);
            parsed.map_err(|error| Failure::Text {
                text: text.to_owned(),
                error,
            })
        });
    }
    operand(object)?.ok_or_else(|| {
        PyTypeError::new_err(format!(
            "{} is no value; write a Value, an int, a fractions.Fraction or a text such as \"{{1|0}}\"",
            object.get_type()
        ))
    })
}

fn options(object: &Bound<'_, PyAny>, side: &str) -> PyResult<Vec<ValueId>> {
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

impl Value {
    fn sum(self, other: ValueId, py: Python<'_>) -> PyResult<Value> {
        compute(py, |tools| tools.calculator.sum(self.0, other)).map(Value)
    }

    fn list<'py>(ids: Vec<ValueId>, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let mut ids = ids;
        with_tools(|tools| tools.writer.sort(&mut ids));
        PyList::new(py, ids.into_iter().map(Value))
    }

    fn comparison(self, other: ValueId, py: Python<'_>) -> PyResult<Comparison> {
        compute(py, |tools| {
            let comparison = tools.calculator.compare(self.0, other);
            tools.calculator.check_steps().map(|()| comparison)
        })
    }

    /// Returns the form's followers and itself, options first.
    fn forms(self) -> Vec<Options> {
        let arena = arena();
        let (mut places, mut forms) = (HashMap::new(), Vec::new());
        let mut open = vec![self.0];
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
                let of =
                    |options: &[ValueId]| options.iter().map(|option| places[option]).collect();
                forms.push((of(&left), of(&right)));
                places.insert(id, forms.len() - 1);
            }
        }
        forms
    }

    fn written(self, notation: Notation, chars_max: usize) -> Option<String> {
        with_tools(|tools| tools.writer.limited(self.0, notation, chars_max))
    }
}

#[pymethods]
impl Value {
    /// Value(x): the value of a text, an integer, a fraction or another value; Value(left, right): the value of options.
    #[new]
    #[pyo3(signature = (value, right=None, /))]
    fn new(value: &Bound<'_, PyAny>, right: Option<&Bound<'_, PyAny>>) -> PyResult<Value> {
        let Some(right) = right else {
            return self::value(value).map(Value);
        };
        let (left, right) = (options(value, "Left")?, options(right, "Right")?);
        let canonical = |tools: &mut Tools| {
            tools
                .calculator
                .canonical(&mut left.clone(), &mut right.clone())
        };
        compute(value.py(), canonical).map(Value)
    }

    /// Returns the nimber *n, the value of a heap of n in Nim.
    #[staticmethod]
    fn star(py: Python<'_>, n: u32) -> PyResult<Value> {
        compute(py, move |tools| tools.calculator.nimber(n)).map(Value)
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
            Some(other) => self.sum(other.negative(), py)?.into_bound_py_any(py),
            None => not_implemented(py),
        }
    }

    fn __rsub__<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        Value(self.0.negative()).__add__(other)
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
        let multiple = compute(py, |tools| tools.calculator.multiple(n, self.0))?;
        Value(multiple).into_bound_py_any(py)
    }

    fn __rmul__<'py>(&self, n: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.__mul__(n)
    }

    fn __neg__(&self) -> Value {
        Value(self.0.negative())
    }

    fn __pos__(&self) -> Value {
        *self
    }

    fn __bool__(&self) -> bool {
        self.0 != ValueId::ZERO
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
        match arena().number(self.0) {
            Some(number) => hash(number),
            None => self.0.to_raw() as isize,
        }
    }

    /// The value in the notation of CGSuite; beyond 4,096 characters its digest.
    fn __str__(&self) -> String {
        self.written(Notation::CgSuite, TEXT_MAX)
            .unwrap_or_else(|| format!("digest:{}", self.digest()))
    }

    fn __repr__(&self) -> String {
        match self.written(Notation::CgSuite, TEXT_MAX) {
            Some(text) => format!("Value('{text}')"),
            None => format!("<Value digest:{}>", self.digest()),
        }
    }

    fn _repr_latex_(&self) -> String {
        format!("${}$", self.latex())
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (Vec<Options>,))> {
        let restore = slf.get_type().getattr("_of_forms")?;
        Ok((restore, (slf.get().forms(),)))
    }

    /// Returns the last of some values, each given by the places of its options in the list.
    #[staticmethod]
    fn _of_forms(py: Python<'_>, forms: Vec<Options>) -> PyResult<Value> {
        let mut ids: Vec<ValueId> = Vec::with_capacity(forms.len());
        for (left, right) in forms {
            let of = |places: &[usize]| -> Option<Vec<ValueId>> {
                places
                    .iter()
                    .map(|place| ids.get(*place).copied())
                    .collect()
            };
            let options = of(&left).zip(of(&right));
            let (left, right) =
                options.ok_or_else(|| PyValueError::new_err("an option comes after its form"))?;
            ids.push(compute(py, |tools| {
                tools
                    .calculator
                    .canonical(&mut left.clone(), &mut right.clone())
            })?);
        }
        let last = ids.last().copied();
        Ok(Value(last.unwrap_or(ValueId::ZERO)))
    }

    /// Returns the value as a text that Value() reads.
    ///
    /// notation is "cgsuite" (two ups are ^^), "standard" (two ups are ^2, as in results) or "plain" (braces around all but numbers
    /// and nimbers). Raises OverflowError if the text takes more than chars_max characters.
    #[pyo3(signature = (notation="cgsuite", chars_max=None))]
    fn text(&self, notation: &str, chars_max: Option<usize>) -> PyResult<String> {
        let known = Notation::ALL
            .into_iter()
            .find(|known| known.name() == notation);
        let known = known.ok_or_else(|| {
            let accepted = Notation::ALL.map(Notation::name).join(", ");
            PyValueError::new_err(format!("{notation:?} is no notation; accepted: {accepted}"))
        })?;
        let chars_max = chars_max.unwrap_or(1 << 30);
        self.written(known, chars_max).ok_or_else(|| {
            PyOverflowError::new_err(format!(
                "the text takes more than {chars_max} characters; digest() names the value"
            ))
        })
    }

    /// Returns the value in LaTeX's mathematics.
    fn latex(&self) -> String {
        match self.written(Notation::Standard, TEXT_MAX) {
            Some(text) => value_math(&text),
            None => format!("\\mathtt{{{}}}", self.digest()),
        }
    }

    /// Returns the digest of the canonical form: 32 hexadecimal digits, as in results.
    fn digest(&self) -> String {
        Digester::new(arena()).digest(self.0).to_string()
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

    /// Returns who wins: "L" or "R" whoever begins, "N" the next player, "P" the previous one.
    pub(crate) fn outcome(&self, py: Python<'_>) -> PyResult<&'static str> {
        compute(py, |tools| {
            let outcome = tools.calculator.outcome(self.0);
            tools.calculator.check_steps().map(|()| outcome.letter())
        })
    }

    /// Returns Left's options in the canonical form.
    fn left_options<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        Value::list(arena().left_options(self.0), py)
    }

    /// Returns Right's options in the canonical form.
    fn right_options<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        Value::list(arena().right_options(self.0), py)
    }

    /// Returns what Left's moves gain: the options G^L - G, without dominated ones.
    fn left_incentives<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        Value::list(
            compute(py, |tools| tools.calculator.left_incentives(self.0))?,
            py,
        )
    }

    /// Returns what Right's moves gain: the options G - G^R, without dominated ones.
    fn right_incentives<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        Value::list(
            compute(py, |tools| tools.calculator.right_incentives(self.0))?,
            py,
        )
    }

    /// Returns the day on which the value is born: the depth of its canonical form.
    fn birthday(&self) -> u32 {
        arena().birthday(self.0)
    }

    /// Returns the name of the value's kind: "integer", "number", "nimber", "switch", "tiny", "hot", ...
    fn kind(&self) -> &'static str {
        Kind::of(arena(), self.0).name()
    }

    /// Returns the number that the value is, or None.
    fn number<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        arena()
            .number(self.0)
            .map(|number| fraction(py, number))
            .transpose()
    }

    /// Returns n if the value is the nimber *n, or None.
    fn nimber(&self) -> Option<u32> {
        arena().nimber(self.0)
    }

    /// Returns whether in every position of play both players can move or neither can.
    fn is_dicotic(&self) -> bool {
        arena().is_dicotic(self.0)
    }

    /// Returns the stop that play reaches if Left begins, a fractions.Fraction.
    fn left_stop<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        fraction(py, arena().left_stop(self.0))
    }

    /// Returns the stop that play reaches if Right begins, a fractions.Fraction.
    fn right_stop<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        fraction(py, arena().right_stop(self.0))
    }

    /// Returns the mean, a fractions.Fraction.
    fn mean<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let mean = with_tools(|tools| tools.thermographs.mean(self.0));
        fraction(py, mean.ok_or_else(inexact)?)
    }

    /// Returns the temperature, a fractions.Fraction: -1/2^n for a number with the denominator 2^n.
    fn temperature<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let temperature = with_tools(|tools| tools.thermographs.temperature(self.0));
        fraction(py, temperature.ok_or_else(inexact)?)
    }

    /// Returns the thermograph, from temperature -1 on.
    fn thermograph(&self) -> PyResult<Thermograph> {
        let thermograph = with_tools(|tools| tools.thermographs.thermograph(self.0));
        Ok(Thermograph::new(
            self.__str__(),
            thermograph.ok_or_else(inexact)?,
        ))
    }

    /// Returns the atomic weight, or None: only some infinitesimals have one.
    fn atomic_weight(&self, py: Python<'_>) -> PyResult<Option<Value>> {
        let weight = compute(py, |tools| match tools.weights.weight(self.0) {
            Ok(weight) => Ok(Some(weight.value(&mut tools.calculator)?)),
            Err(NoAtomicWeight::Arena(error)) => Err(error),
            Err(_) => Ok(None),
        })?;
        Ok(weight.map(Value))
    }

    /// Returns the value cooled by a number of at least 0.
    fn cool(&self, t: &Bound<'_, PyAny>) -> PyResult<Value> {
        let by = number(t)?.or_else(|| value(t).ok().and_then(|t| arena().number(t)));
        let by = by.ok_or_else(|| {
            PyTypeError::new_err(format!("values are cooled by numbers, not by {t}"))
        })?;
        compute(t.py(), move |tools| tools.calculator.cooled(self.0, by)).map(Value)
    }

    /// Returns the ordinal sum G:H, which depends on the form of G: here its canonical form.
    fn ordinal_sum(&self, other: &Bound<'_, PyAny>) -> PyResult<Value> {
        let above = value(other)?;
        compute(other.py(), |tools| {
            tools.calculator.ordinal_sum(self.0, above)
        })
        .map(Value)
    }

    /// Returns the Norton product G.U with a unit U > 0.
    fn norton(&self, unit: &Bound<'_, PyAny>) -> PyResult<Value> {
        let by = value(unit)?;
        compute(unit.py(), |tools| tools.calculator.norton(self.0, by)).map(Value)
    }

    /// Returns the reduced canonical form: the simplest value infinitesimally close.
    fn reduced(&self, py: Python<'_>) -> PyResult<Value> {
        compute(py, |tools| tools.calculator.reduced(self.0)).map(Value)
    }

    /// Returns whether both stops are 0.
    fn is_infinitesimal(&self) -> bool {
        arena().is_infinitesimal(self.0)
    }

    /// Returns the value heated by a number or another value.
    fn heat(&self, t: &Bound<'_, PyAny>) -> PyResult<Value> {
        let by = value(t)?;
        compute(t.py(), move |tools| tools.calculator.heated(self.0, by)).map(Value)
    }
}

fn inexact() -> PyErr {
    PyOverflowError::new_err("the thermograph takes numbers of more than 119 bits")
}

fn not_implemented(py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
    Ok(PyNotImplemented::get(py).to_owned().into_any())
}
