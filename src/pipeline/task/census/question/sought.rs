//! The values sought: the keys `value` and `pattern`.

use cggames::family::{BindError, Values};
use cgvalues::{Arena, Calculator, Digester, ParseValueError, ValueDigest, ValueId, ValuePattern};
use seedbank_specs::form::{Form, Variables, one_or_more, text};
use seedbank_specs::{Field, Problems};

use crate::task::forms::no_value;

/// The most values that one pattern may denote.
pub const SOUGHT_MAX: u64 = 1 << 16;

/// A value sought.
#[derive(Clone, Debug, PartialEq)]
pub struct Sought {
    /// The notation, with the variables replaced by numbers.
    pub text: String,
    /// The values of the pattern's variables.
    pub variables: Vec<i64>,
    /// Whether it is a nimber, as every value in impartial play is.
    pub is_nimber: bool,
    /// The digest of its canonical form.
    pub digest: ValueDigest,
    /// The digest of its negative.
    pub negative: ValueDigest,
}

/// The key `value`: one in notation, or a list of them.
pub(super) fn values<'f>() -> Form<'f, Vec<Sought>> {
    const ACCEPTED: &str = "a value in notation, such as \"*10\", or a list of such";
    let arena = Arena::new();
    let sought = text(ACCEPTED).try_map(move |text| {
        let mut reader = Reader::new(&arena);
        match reader.calculator.parse(&text) {
            Ok(value) => Ok(reader.sought(value, text, Vec::new())),
            Err(reason) => Err(no_value(&text, reason)),
        }
    });
    one_or_more(ACCEPTED, sought)
}

struct Reader<'a> {
    arena: &'a Arena,
    calculator: Calculator<'a>,
    digester: Digester<'a>,
}

impl<'a> Reader<'a> {
    fn new(arena: &'a Arena) -> Reader<'a> {
        Reader {
            arena,
            calculator: arena.calculator(),
            digester: Digester::new(arena),
        }
    }

    fn sought(&mut self, value: ValueId, text: String, variables: Vec<i64>) -> Sought {
        Sought {
            text,
            variables,
            is_nimber: self.arena.nimber(value).is_some(),
            digest: self.digester.digest(value),
            negative: self.digester.digest(value.negative()),
        }
    }
}

/// Reads `pattern`: notation in which variables stand for numbers.
pub(super) fn read_pattern(
    problems: &mut Problems<'_>,
    field: &Field<'_>,
    (bindings, ranges): Variables<'_, Values>,
) -> Option<(Vec<Sought>, Vec<String>)> {
    let text = field.string(problems, "a string, such as \"1/2^k\"")?;
    let no_value = |problems: &mut Problems<'_>, text: String, reason: ParseValueError| {
        let fault = no_value(&text, reason);
        problems.add(&field.key, field.span.clone(), fault);
    };
    let pattern = match ValuePattern::read(text) {
        Ok(pattern) => pattern,
        Err(source) => {
            no_value(problems, text.to_owned(), source);
            return None;
        }
    };
    let names = pattern.variables();
    let mut sound = true;
    for &variable in &names {
        if !bindings.iter().any(|b| b.name.chars().eq([variable])) {
            let help = format!("add `{variable} = \"1..=9\"` below the pattern");
            let fault = BindError::Unbound { variable };
            problems.add_with_help(&field.key, field.span.clone(), fault, Some(help));
            sound = false;
        }
    }
    for binding in &bindings {
        let variable = binding.name.chars().next().unwrap_or_default();
        if !names.contains(&variable) {
            let help = match variable {
                'v' => Some("v is down; name the variable otherwise".to_owned()),
                _ => Some("remove it, or use the variable in the pattern".to_owned()),
            };
            let fault = BindError::Unused {
                variable,
                pattern: text.to_owned(),
            };
            problems.add_with_help(&binding.key, binding.key_span.clone(), fault, help);
            sound = false;
        }
    }
    let ranges = ranges.filter(|_| sound)?;
    let range = |name: &char| -> &Values {
        let bound = ranges.iter().find(|(n, _)| n == name);
        &bound.expect("every variable has a range here").1
    };
    let ranges: Vec<&Values> = names.iter().map(range).collect();
    let found = ranges
        .iter()
        .try_fold(1u64, |n, values| n.checked_mul(values.len()));
    let Some(count) = found.filter(|&n| n <= SOUGHT_MAX) else {
        let fault =
            format!("the pattern stands for too many values; accepted: at most {SOUGHT_MAX}");
        return field.refuse(problems, fault);
    };
    let arena = Arena::new();
    let mut reader = Reader::new(&arena);
    let mut all = Vec::new();
    for rank in 0..count {
        let mut rest = rank;
        let mut values = vec![0; ranges.len()];
        for (slot, range) in values.iter_mut().zip(&ranges).rev() {
            *slot = range.get(rest % range.len());
            rest /= range.len();
        }
        let binding: Vec<(char, i64)> = names.iter().copied().zip(values.iter().copied()).collect();
        match pattern.instance(&binding, &mut reader.calculator) {
            Ok((value, text)) => all.push(reader.sought(value, text, values)),
            Err(source) => {
                let at = binding
                    .iter()
                    .map(|(name, number)| format!("{name} = {number}"));
                let at = at.collect::<Vec<_>>().join(", ");
                no_value(problems, format!("{text} for {at}"), source);
                return None;
            }
        }
    }
    let names = names.iter().map(char::to_string).collect();
    Some((all, names))
}
