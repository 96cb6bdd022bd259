//! Takes the keys out of a TOML table one by one and reports unknown ones.
//!
//! Problems are collected rather than returned, so that one reading of a spec reports all of them.
//! A reader that got no value continues with the next key.

use std::ops::Range;
use std::path::{Path, PathBuf};

use seedbank_files::input;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::error::{AnyFault, Fault, Problem};
use super::spelling::{did_you_mean, nearest};

/// Collects the problems of a spec.
#[derive(Debug)]
pub struct Problems<'a> {
    /// The text of the spec.
    pub text: &'a str,
    pub(crate) found: Vec<Problem>,
}

impl Problems<'_> {
    /// Reports a fault of a key, at a place in the text.
    pub fn add(&mut self, key: &str, span: Range<usize>, fault: impl Into<AnyFault>) {
        self.add_with_help(key, span, fault, None);
    }

    /// Reports a fault, with a remedy if one is known.
    pub fn add_with_help(
        &mut self,
        key: &str,
        span: Range<usize>,
        fault: impl Into<AnyFault>,
        help: Option<String>,
    ) {
        self.found.push(Problem {
            fault: fault.into(),
            key: key.to_owned(),
            span,
            help,
        });
    }

    /// Unwraps a result, or reports its error at the value of `field`.
    pub fn ok<T, E: Into<AnyFault>>(
        &mut self,
        field: &Field<'_>,
        result: Result<T, E>,
    ) -> Option<T> {
        result
            .map_err(|error| self.add(&field.key, field.span.clone(), error))
            .ok()
    }

    /// Reports a name that is none of those accepted, with the nearest one if no other help is given.
    pub fn unknown<'n>(
        &mut self,
        field: &Field<'_>,
        what: &'static str,
        found: &str,
        accepted: impl IntoIterator<Item = &'n str>,
        help: Option<String>,
    ) {
        let accepted: Vec<&str> = accepted.into_iter().collect();
        let (fault, nearest) = Fault::unknown_name(what, found, &accepted);
        self.add_with_help(&field.key, field.span.clone(), fault, help.or(nearest));
    }

    /// Reports a fault at a character of a string, counted from 1, or at all of it.
    pub fn refuse_at<T>(
        &mut self,
        field: &Field<'_>,
        at: Option<usize>,
        fault: impl Into<AnyFault>,
    ) -> Option<T> {
        let span = match at {
            Some(at) => self.character(&field.span, at),
            None => field.span.clone(),
        };
        self.add(&field.key, span, fault);
        None
    }

    /// Returns the place of character `at` (counted from 1) of a string, or that of the whole
    /// string if it is written with escapes or over several lines.
    pub fn character(&self, span: &Range<usize>, at: usize) -> Range<usize> {
        let written = &self.text[span.clone()];
        let quote = written.chars().next().filter(|c| matches!(c, '"' | '\''));
        let inner = quote.and_then(|quote| {
            let inner = written.strip_prefix(quote)?.strip_suffix(quote)?;
            (!inner.contains(['\\', '\n', quote])).then_some(inner)
        });
        let found = inner.and_then(|inner| inner.char_indices().nth(at.checked_sub(1)?));
        match found {
            Some((offset, c)) => {
                let start = span.start + 1 + offset;
                start..start + c.len_utf8()
            }
            None => span.clone(),
        }
    }
}

/// A key with its value.
#[derive(Clone, Debug)]
pub struct Field<'a> {
    /// The key, preceded by those of the enclosing tables, such as `family.n`.
    pub key: String,
    /// The key alone.
    pub name: String,
    /// The key's place.
    pub key_span: Range<usize>,
    /// The value.
    pub value: &'a DeValue<'a>,
    /// The value's place.
    pub span: Range<usize>,
}

/// The keys of a table that have not been taken yet.
#[derive(Debug)]
pub struct Fields<'a> {
    /// The key of the table, empty for the spec itself.
    pub key: String,
    /// The place for reports of missing keys.
    pub span: Range<usize>,
    /// The keys left, in the order of the text.
    left: Vec<Field<'a>>,
    /// Every key that a reader accepts.
    accepted: Vec<&'static str>,
}

impl<'a> Fields<'a> {
    pub(crate) fn new(key: &str, span: Range<usize>, table: &'a DeTable<'a>) -> Fields<'a> {
        let mut left: Vec<Field<'a>> = table
            .iter()
            .map(|(name, value)| Field {
                key: join(key, name.get_ref()),
                name: name.get_ref().to_string(),
                key_span: name.span(),
                value: value.get_ref(),
                span: value.span(),
            })
            .collect();
        left.sort_by_key(|field| field.key_span.start);
        Fields {
            key: key.to_owned(),
            span,
            left,
            accepted: Vec::new(),
        }
    }

    /// Returns whether a key is present and has not been taken yet.
    pub fn has(&self, name: &str) -> bool {
        self.left.iter().any(|field| field.name == name)
    }

    /// Returns whether the table of a key that has not been taken yet has a table with this key among
    /// its values.
    pub fn has_within(&self, name: &str, key: &str) -> bool {
        let mut found = self.left.iter().filter(|field| field.name == name);
        let has = |value: &DeValue<'_>| value.as_table().is_some_and(|it| it.contains_key(key));
        found.any(|field| {
            let table = field.value.as_table();
            table.is_some_and(|table| table.values().any(|value| has(value.get_ref())))
        })
    }

    /// Returns a key that was taken.
    pub fn put_back(&mut self, field: Field<'a>) {
        self.left.push(field);
    }

    /// Accepts a key that other code takes.
    pub fn accept(&mut self, name: &'static str) {
        if !self.accepted.contains(&name) {
            self.accepted.push(name);
        }
    }

    /// Takes an optional key.
    pub fn take(&mut self, name: &'static str) -> Option<Field<'a>> {
        self.accept(name);
        let index = self.left.iter().position(|field| field.name == name)?;
        Some(self.left.remove(index))
    }

    /// Takes a required key.
    pub fn require(
        &mut self,
        problems: &mut Problems<'_>,
        name: &'static str,
        example: &'static str,
    ) -> Option<Field<'a>> {
        let field = self.take(name);
        if field.is_none() {
            let key = join(&self.key, name);
            problems.add(&key, self.span.clone(), Fault::Missing { example });
        }
        field
    }

    /// Takes all keys of one lowercase letter.
    pub fn take_variables(&mut self) -> Vec<Field<'a>> {
        self.accepted.push("a variable of the pattern");
        let (variables, left) = std::mem::take(&mut self.left)
            .into_iter()
            .partition(|field| matches!(field.name.as_bytes(), [b'a'..=b'z']));
        self.left = left;
        variables
    }

    /// Takes all remaining keys, whatever their names.
    pub fn take_all(&mut self) -> Vec<Field<'a>> {
        std::mem::take(&mut self.left)
    }

    /// Reports every key that was not taken.
    pub fn finish(self, problems: &mut Problems<'_>) {
        for field in self.left {
            let help = nearest(&field.name, self.accepted.iter().copied()).map(did_you_mean);
            let fault = Fault::UnknownKey {
                accepted: self.accepted.join(", "),
            };
            problems.add_with_help(&field.key, field.key_span, fault, help);
        }
    }
}

impl<'a> Field<'a> {
    /// Reports a fault of the value.
    pub fn refuse<T>(&self, problems: &mut Problems<'_>, fault: impl Into<AnyFault>) -> Option<T> {
        problems.add(&self.key, self.span.clone(), fault);
        None
    }

    /// Reports a value of another type than those accepted.
    pub fn wrong_type<T>(&self, problems: &mut Problems<'_>, accepted: &'static str) -> Option<T> {
        let found = type_name(self.value);
        self.refuse(problems, Fault::WrongType { found, accepted })
    }

    /// Returns the value if it is a string, and reports it otherwise.
    pub fn string(&self, problems: &mut Problems<'_>, accepted: &'static str) -> Option<&'a str> {
        (self.value.as_str()).or_else(|| self.wrong_type(problems, accepted))
    }

    /// Returns the path and the text of the file that this field names.
    pub fn file(&self, problems: &mut Problems<'_>, base_dir: &Path) -> Option<(PathBuf, String)> {
        let written = self.string(problems, "a string, a path from the spec's folder")?;
        let path = base_dir.join(written);
        let text = input::text(&path).map_err(|source| Fault::Unreadable {
            path: path.clone(),
            source,
        });
        Some((path, problems.ok(self, text)?))
    }

    /// Returns the value if it is true or false, and reports it otherwise.
    pub fn boolean(&self, problems: &mut Problems<'_>) -> Option<bool> {
        (self.value.as_bool()).or_else(|| self.wrong_type(problems, "true or false"))
    }

    /// Reads an integer in `min..=max`.
    pub fn integer(&self, problems: &mut Problems<'_>, min: i64, max: i64) -> Option<i64> {
        let Some(written) = self.value.as_integer() else {
            return self.wrong_type(problems, "an integer");
        };
        let value = i64::from_str_radix(written.as_str(), written.radix());
        let value = value.ok().filter(|value| (min..=max).contains(value));
        value.or_else(|| {
            let found = written.to_string();
            self.refuse(problems, Fault::OutOfRange { found, min, max })
        })
    }

    /// Reads the elements of an array, each named by the key and its index.
    pub fn array(
        &self,
        problems: &mut Problems<'_>,
        accepted: &'static str,
    ) -> Option<Vec<Field<'a>>> {
        let Some(array) = self.value.as_array() else {
            return self.wrong_type(problems, accepted);
        };
        if array.is_empty() {
            return self.refuse(problems, Fault::EmptyList { accepted });
        }
        let element = |(index, value): (usize, &'a Spanned<DeValue<'a>>)| Field {
            key: format!("{}[{index}]", self.key),
            name: index.to_string(),
            key_span: value.span(),
            value: value.get_ref(),
            span: value.span(),
        };
        Some(array.iter().enumerate().map(element).collect())
    }

    /// Returns the keys of the value if it is a table, and reports it otherwise.
    pub fn table(&self, problems: &mut Problems<'_>, accepted: &'static str) -> Option<Fields<'a>> {
        let Some(table) = self.value.as_table() else {
            return self.wrong_type(problems, accepted);
        };
        Some(Fields::new(&self.key, self.key_span.clone(), table))
    }
}

fn join(table: &str, name: &str) -> String {
    match table {
        "" => name.to_owned(),
        _ => format!("{table}.{name}"),
    }
}

fn type_name(value: &DeValue<'_>) -> &'static str {
    match value {
        DeValue::String(_) => "a string",
        DeValue::Integer(_) => "an integer",
        DeValue::Float(_) => "a float",
        DeValue::Boolean(_) => "a boolean",
        DeValue::Datetime(_) => "a date or time",
        DeValue::Array(_) => "an array",
        DeValue::Table(_) => "a table",
    }
}
