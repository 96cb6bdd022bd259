//! Forms of values and tables: one declaration reads a value, with all problems, and describes it as
//! JSON Schema.
//!
//! ```
//! use std::path::Path;
//!
//! use seedbank_specs::form::{integer, table};
//! use seedbank_specs::{keys, read_spec};
//!
//! let heap = || table("a table", keys!({
//!     /// the tokens of the heap
//!     tokens: integer(0, 1000u64), required "tokens = 12";
//!     /// the greatest number that is taken; 3 where it is missing
//!     most: integer(1, 9u64), default 3;
//! }));
//! let read = |text: &str| {
//!     read_spec(text, Path::new("a.toml"), |problems, mut fields| {
//!         let field = fields.require(problems, "heap", "heap = { tokens = 12 }")?;
//!         heap().read(problems, &field)
//!     })
//! };
//! assert_eq!(read("heap = { tokens = 12 }")?, (12, 3));
//! assert!(read("heap = { token = 12 }").unwrap_err().to_string().contains("did you mean `tokens`?"));
//! # Ok::<(), seedbank_specs::JobError>(())
//! ```

use std::ops::Range;
use std::rc::Rc;
use std::str::FromStr;

use schemars::{Schema, SchemaGenerator};
use serde_json::{Value, json};

use super::error::AnyFault;
use super::fields::{Field, Fields, Problems};
use super::schema::{self, Key};
use super::{Fault, read_word};

/// Reads a value, or reports why it cannot.
type Read<'f, T> = dyn Fn(&mut Problems<'_>, &Field<'_>) -> Option<T> + 'f;

/// Describes a value.
type Describe<'f> = dyn Fn(&mut SchemaGenerator) -> Schema + 'f;

/// The place of a value in a spec.
#[derive(Clone, Debug)]
pub struct Place {
    /// The key, preceded by those of the enclosing tables.
    pub key: String,
    /// The key's place.
    pub key_span: Range<usize>,
    /// The value's place.
    pub span: Range<usize>,
}

impl Place {
    /// Returns the place of a value.
    pub fn of(field: &Field<'_>) -> Place {
        Place {
            key: field.key.clone(),
            key_span: field.key_span.clone(),
            span: field.span.clone(),
        }
    }
}

/// The form of a value.
pub struct Form<'f, T> {
    read: Box<Read<'f, T>>,
    describe: Box<Describe<'f>>,
}

impl<'f, T: 'f> Form<'f, T> {
    /// Joins a reader and the schema of what it accepts.
    pub fn new(
        read: impl Fn(&mut Problems<'_>, &Field<'_>) -> Option<T> + 'f,
        describe: impl Fn(&mut SchemaGenerator) -> Schema + 'f,
    ) -> Form<'f, T> {
        Form {
            read: Box::new(read),
            describe: Box::new(describe),
        }
    }

    /// Reads the value of a key, or reports why it cannot.
    pub fn read(&self, problems: &mut Problems<'_>, field: &Field<'_>) -> Option<T> {
        (self.read)(problems, field)
    }

    /// Returns the schema of the value.
    pub fn schema(&self, generator: &mut SchemaGenerator) -> Schema {
        (self.describe)(generator)
    }

    /// Converts and checks the value; the schema stays.
    pub fn then<U>(
        self,
        next: impl Fn(&mut Problems<'_>, &Field<'_>, T) -> Option<U> + 'f,
    ) -> Form<'f, U> {
        let read = self.read;
        Form {
            read: Box::new(move |problems, field| {
                let value = read(problems, field)?;
                next(problems, field, value)
            }),
            describe: self.describe,
        }
    }

    /// Converts the value.
    pub fn map<U>(self, convert: impl Fn(T) -> U + 'f) -> Form<'f, U> {
        self.then(move |_, _, value| Some(convert(value)))
    }

    /// Refuses more rows than `max`; `what` names them, in the plural.
    pub fn at_most(
        self,
        what: &'static str,
        max: u64,
        rows: impl Fn(&T) -> u64 + 'f,
    ) -> Form<'f, T> {
        self.then(move |problems, field, value| match rows(&value) {
            found if found > max => field.refuse(problems, Fault::TooManyRows { what, found, max }),
            _ => Some(value),
        })
    }

    /// Returns the value with its place.
    pub fn placed(self) -> Form<'f, (T, Place)> {
        self.then(|_, field, value| Some((value, Place::of(field))))
    }

    /// Changes the schema, for what the type of the value does not say.
    pub fn narrowed(self, narrow: impl Fn(Schema) -> Schema + 'f) -> Form<'f, T> {
        let describe = self.describe;
        Form {
            read: self.read,
            describe: Box::new(move |generator| narrow(describe(generator))),
        }
    }

    /// Makes the schema a definition.
    pub fn defined(self, name: &'static str) -> Form<'f, T> {
        let describe = self.describe;
        Form {
            read: self.read,
            describe: Box::new(move |generator| {
                let schema = describe(generator);
                schema::defined(generator, name, schema)
            }),
        }
    }

    /// Converts the value, and reports the error of the conversion.
    pub fn try_map<U, E: Into<AnyFault>>(
        self,
        convert: impl Fn(T) -> Result<U, E> + 'f,
    ) -> Form<'f, U> {
        self.then(move |problems, field, value| problems.ok(field, convert(value)))
    }
}

/// An integer from `min` to `max`, which fit in 63 bits.
pub fn integer<'f, T>(min: T, max: T) -> Form<'f, T>
where
    T: TryInto<i64> + TryFrom<i64> + 'f,
{
    let bound = |bound: T| bound.try_into().ok().unwrap_or(i64::MAX);
    let (min, max) = (bound(min), bound(max));
    Form::new(
        move |problems, field| field.integer(problems, min, max)?.try_into().ok(),
        move |_| schema::integer(min, max),
    )
}

impl<'f, T: 'f> Form<'f, Vec<T>> {
    /// States that no element occurs twice; the caller checks it.
    pub fn distinct(self) -> Form<'f, Vec<T>> {
        self.narrowed(schema::distinct)
    }
}

/// True or false.
pub fn boolean<'f>() -> Form<'f, bool> {
    let read = |problems: &mut Problems<'_>, field: &Field<'_>| field.boolean(problems);
    Form::new(read, |_| schema::boolean())
}

/// A text; `accepted` names it where another type is found.
pub fn text<'f>(accepted: &'static str) -> Form<'f, String> {
    Form::new(
        move |problems, field| Some(field.string(problems, accepted)?.to_owned()),
        |_| schema::text(),
    )
}

/// A text that is parsed.
pub fn parsed<'f, T>(accepted: &'static str) -> Form<'f, T>
where
    T: FromStr + 'f,
    T::Err: Into<AnyFault>,
{
    text(accepted).try_map(|text| text.parse())
}

/// One of a few words, such as the `NAMED` of a [`choice!`](crate::choice); `what` names them in the singular.
pub fn word<'f, T: Copy + 'f>(
    what: &'static str,
    accepted: &'static str,
    words: impl IntoIterator<Item = (T, &'static str)>,
) -> Form<'f, T> {
    let words: Rc<[(T, &'static str)]> = words.into_iter().collect();
    let described = words.clone();
    Form::new(
        move |problems, field| read_word(problems, field, what, accepted, &words, |_| None),
        move |_| schema::choice(&described.iter().map(|word| word.1).collect::<Vec<_>>()),
    )
}

/// A list that is not empty. Every element is read, so that the problems of all are reported.
pub fn list<'f, T: 'f>(accepted: &'static str, element: Form<'f, T>) -> Form<'f, Vec<T>> {
    let Form { read, describe } = element;
    Form::new(
        move |problems, field| {
            let elements = field.array(problems, accepted)?;
            let read: Vec<Option<T>> = elements.iter().map(|field| read(problems, field)).collect();
            read.into_iter().collect()
        },
        move |generator| schema::list(describe(generator)),
    )
}

/// A value or a list of them.
pub fn one_or_more<'f, T: 'f>(accepted: &'static str, element: Form<'f, T>) -> Form<'f, Vec<T>> {
    let Form { read, describe } = element;
    Form::new(
        move |problems, field| {
            let fields = if field.value.is_array() {
                field.array(problems, accepted)?
            } else {
                vec![field.clone()]
            };
            let read: Vec<Option<T>> = fields.iter().map(|field| read(problems, field)).collect();
            read.into_iter().collect()
        },
        move |generator| schema::one_or_more(describe(generator)),
    )
}

/// A value, or a table `{ each = [...] }` of several, which all differ; `accepted` names it where another
/// type is found.
pub fn one_or_each<'f, T: PartialEq + 'f>(
    accepted: &'static str,
    element: Form<'f, T>,
) -> Form<'f, Vec<(T, Place)>> {
    let Form { read, describe } = element.placed();
    Form::new(
        move |problems, field| {
            if !field.value.is_table() {
                return Some(vec![read(problems, field)?]);
            }
            let mut fields = field.table(problems, accepted)?;
            let each = fields.require(problems, "each", accepted);
            fields.finish(problems);
            let elements = each?.array(problems, accepted)?;
            let read: Vec<Option<(T, Place)>> =
                elements.iter().map(|field| read(problems, field)).collect();
            let read: Vec<(T, Place)> = read.into_iter().collect::<Option<_>>()?;
            for (index, (value, place)) in read.iter().enumerate() {
                if let Some(first) = read[..index].iter().position(|(other, _)| other == value) {
                    let fault = format!("the same as element {first}; give each value once");
                    problems.add(&place.key, place.span.clone(), fault);
                    return None;
                }
            }
            Some(read)
        },
        move |generator| {
            let value = describe(generator);
            let each = schema::distinct(schema::list(value.clone()));
            let each = schema::required("each", "the values, one after another", each);
            schema::any_of([value, schema::table([each])])
        },
    )
}

/// A table or another value.
pub fn table_or<'f, T: 'f>(other: Form<'f, T>, table: Form<'f, T>) -> Form<'f, T> {
    let (read, read_table) = (other.read, table.read);
    Form::new(
        move |problems, field| {
            let read = if field.value.is_table() {
                &read_table
            } else {
                &read
            };
            read(problems, field)
        },
        move |generator| schema::any_of([(other.describe)(generator), (table.describe)(generator)]),
    )
}

/// A table of one form if it has this key, and of another if it does not.
pub fn table_with<'f, T: 'f>(
    key: &'static str,
    with: Form<'f, T>,
    without: Form<'f, T>,
) -> Form<'f, T> {
    let (read_with, read_without) = (with.read, without.read);
    Form::new(
        move |problems, field| {
            let table = field.value.as_table();
            let has_key = table.is_some_and(|table| table.contains_key(key));
            let read = if has_key { &read_with } else { &read_without };
            read(problems, field)
        },
        move |generator| {
            schema::any_of([(without.describe)(generator), (with.describe)(generator)])
        },
    )
}

/// A table with these keys and no others.
pub fn table<'f, T: 'f>(
    accepted: &'static str,
    keys: impl Fn(&mut Keys<'_, '_, '_>) -> Option<T> + 'f,
) -> Form<'f, T> {
    let keys = Rc::new(keys);
    let described = keys.clone();
    Form::new(
        move |problems, field| {
            let fields = field.table(problems, accepted)?;
            Keys::read(problems, fields, &*keys)
        },
        move |generator| Keys::describe(generator, &*described).into_table(),
    )
}

/// The keys of a table, while they are read or described. Where they are described, no key has a
/// value.
pub enum Keys<'k, 'p, 'a> {
    /// They are read.
    Read(&'k mut Problems<'p>, &'k mut Fields<'a>),
    /// They are described.
    Describe(&'k mut SchemaGenerator, &'k mut TableSchema),
}

/// The schema of a table, key by key.
#[derive(Default)]
pub struct TableSchema {
    /// Each key, in the order of their declaration.
    pub keys: Vec<Key>,
    /// The keys of which a table has exactly one.
    pub kinds: Vec<Key>,
    /// The keys by patterns of their names.
    pub patterns: Option<Value>,
    /// The schema of the table, where its keys do not say it.
    pub whole: Option<Schema>,
}

impl TableSchema {
    /// Returns the schema of a table with these keys and no others.
    pub fn into_table(self) -> Schema {
        let TableSchema {
            keys,
            kinds,
            patterns,
            whole,
        } = self;
        let table = |kind: Option<Key>| schema::table(kind.into_iter().chain(keys.iter().cloned()));
        match (whole, patterns) {
            (Some(whole), _) => whole,
            (None, Some(patterns)) => schema::with_patterns(table(None), patterns),
            (None, None) if kinds.is_empty() => table(None),
            (None, None) => schema::any_of(kinds.into_iter().map(|kind| table(Some(kind)))),
        }
    }
}

/// The keys of one letter, and their values; `None` if any are invalid.
pub type Variables<'a, T> = (Vec<Field<'a>>, Option<Vec<(char, T)>>);

/// A kind of family: the key, what it means, and the form of its value.
pub type FamilyKind<'f, T> = (&'static str, &'static str, Form<'f, T>);

impl<'a> Keys<'_, '_, 'a> {
    /// Reads the keys of a table, which has no others.
    pub fn read<T>(
        problems: &mut Problems<'_>,
        mut fields: Fields<'_>,
        keys: impl Fn(&mut Keys<'_, '_, '_>) -> Option<T>,
    ) -> Option<T> {
        let read = keys(&mut Keys::Read(problems, &mut fields));
        fields.finish(problems);
        read
    }

    /// Describes the keys of a table.
    pub fn describe<T>(
        generator: &mut SchemaGenerator,
        keys: impl Fn(&mut Keys<'_, '_, '_>) -> Option<T>,
    ) -> TableSchema {
        let mut described = TableSchema::default();
        keys(&mut Keys::Describe(generator, &mut described));
        described
    }

    /// A key that must be there.
    pub fn required<T>(
        &mut self,
        name: &'static str,
        meaning: &'static str,
        form: Form<'_, T>,
        example: &'static str,
    ) -> Option<T> {
        match self {
            Keys::Read(problems, fields) => {
                let field = fields.require(problems, name, example)?;
                (form.read)(problems, &field)
            }
            Keys::Describe(generator, described) => {
                let value = (form.describe)(generator);
                described.keys.push(schema::required(name, meaning, value));
                None
            }
        }
    }

    /// A key that may be missing.
    pub fn optional<T>(
        &mut self,
        name: &'static str,
        meaning: &'static str,
        form: Form<'_, T>,
    ) -> Option<Option<T>> {
        match self {
            Keys::Read(problems, fields) => match fields.take(name) {
                Some(field) => (form.read)(problems, &field).map(Some),
                None => Some(None),
            },
            Keys::Describe(generator, described) => {
                let value = (form.describe)(generator);
                described.keys.push(schema::optional(name, meaning, value));
                None
            }
        }
    }

    /// A key that the schema requires; if it is missing, the caller says why it is needed.
    pub fn expected<T>(
        &mut self,
        name: &'static str,
        meaning: &'static str,
        form: Form<'_, T>,
    ) -> Option<Option<T>> {
        match self {
            Keys::Read(..) => self.optional(name, meaning, form),
            Keys::Describe(..) => self.required(name, meaning, form, "").map(Some),
        }
    }

    /// All keys of one lowercase letter; `letters` is the pattern of their names.
    pub fn variables<T>(&mut self, letters: &str, form: Form<'_, T>) -> Variables<'a, T> {
        match self {
            Keys::Read(problems, fields) => {
                let fields = fields.take_variables();
                let mut read = |field: &Field<'_>| {
                    let value = (form.read)(problems, field)?;
                    Some((field.name.chars().next()?, value))
                };
                let values: Vec<_> = fields.iter().map(&mut read).collect();
                (fields, values.into_iter().collect())
            }
            Keys::Describe(generator, described) => {
                let value: Value = (form.describe)(generator).into();
                described.patterns = Some(json!({ letters: value }));
                (Vec::new(), None)
            }
        }
    }

    /// Returns whether the keys are described.
    pub fn are_described(&self) -> bool {
        matches!(self, Keys::Describe(..))
    }

    /// Lists a key among those accepted before it is taken.
    pub fn accept(&mut self, name: &'static str) {
        if let Keys::Read(_, fields) = self {
            fields.accept(name);
        }
    }

    /// Takes a key without reading it.
    pub fn skip(&mut self, name: &'static str) {
        if let Keys::Read(_, fields) = self {
            fields.take(name);
        }
    }

    /// Reports a fault of a value.
    pub fn refuse<T>(&mut self, place: &Place, fault: impl Into<AnyFault>) -> Option<T> {
        if let Keys::Read(problems, _) = self {
            problems.add(&place.key, place.span.clone(), fault);
        }
        None
    }

    /// Exactly one of some keys.
    pub fn one_of<T>(&mut self, kinds: Vec<FamilyKind<'_, T>>) -> Option<T> {
        match self {
            Keys::Read(problems, fields) => {
                let names: Vec<&'static str> = kinds.iter().map(|kind| kind.0).collect();
                let field = one_kind(problems, fields, &names)?;
                let (_, _, form) = kinds.into_iter().find(|kind| kind.0 == field.name)?;
                (form.read)(problems, &field)
            }
            Keys::Describe(generator, described) => {
                for (name, meaning, form) in kinds {
                    let value = (form.describe)(generator);
                    described.kinds.push(schema::required(name, meaning, value));
                }
                None
            }
        }
    }
}

/// Takes the one kind of family; returns `None` if there is none, or a second one.
pub fn one_kind<'a>(
    problems: &mut Problems<'_>,
    fields: &mut Fields<'a>,
    kinds: &[&'static str],
) -> Option<Field<'a>> {
    let mut given: Vec<Field<'a>> = kinds.iter().filter_map(|kind| fields.take(kind)).collect();
    given.sort_by_key(|field| field.key_span.start);
    let accepted = kinds.join(", ");
    let mut given = given.into_iter();
    match (given.next(), given.next()) {
        (Some(kind), None) => Some(kind),
        (Some(first), Some(second)) => {
            let first = first.name;
            let fault = Fault::ManyKinds { first, accepted };
            problems.add(&second.key, second.key_span, fault);
            None
        }
        (None, _) => {
            problems.add(&fields.key, fields.span.clone(), Fault::NoKind { accepted });
            None
        }
    }
}

/// Declares the keys of a table: for [`table`], a closure that reads and describes them. The doc
/// comment of a key is its meaning in the schema.
///
/// Returns the values as a tuple, or as the struct or variant that is named before the braces.
#[macro_export]
macro_rules! keys {
    ({ $(#[doc = $doc:literal])+ $name:ident: $form:expr, $presence:ident $($with:expr)?; }) => {
        move |keys: &mut $crate::form::Keys<'_, '_, '_>| {
            $crate::keys!(@take keys $name [$($doc),+] $form, $presence $($with)?)
        }
    };
    ({ $($(#[doc = $doc:literal])+ $name:ident: $form:expr, $presence:ident $($with:expr)?;)+ }) => {
        move |keys: &mut $crate::form::Keys<'_, '_, '_>| {
            $(let $name = $crate::keys!(@take keys $name [$($doc),+] $form, $presence $($with)?);)+
            Some(($($name?,)+))
        }
    };
    ($($path:ident)::+ {
        $($(#[doc = $doc:literal])+ $name:ident: $form:expr, $presence:ident $($with:expr)?;)+
    }) => {
        move |keys: &mut $crate::form::Keys<'_, '_, '_>| {
            $(let $name = $crate::keys!(@take keys $name [$($doc),+] $form, $presence $($with)?);)+
            Some($($path)::+ { $($name: $name?),+ })
        }
    };
    (@take $keys:ident $name:ident [$($doc:literal),+] $form:expr, required $($example:expr)?) => {
        $keys.required(
            stringify!($name), concat!($($doc),+).trim(), $form, [$($example,)? ""][0],
        )
    };
    (@take $keys:ident $name:ident [$($doc:literal),+] $form:expr, optional) => {
        $keys.optional(stringify!($name), concat!($($doc),+).trim(), $form)
    };
    (@take $keys:ident $name:ident [$($doc:literal),+] $form:expr, default $default:expr) => {
        $keys.optional(stringify!($name), concat!($($doc),+).trim(), $form)
            .map(|given| given.unwrap_or($default))
    };
}

/// Declares kinds of families. The doc comment of a kind is its meaning in the schema.
#[macro_export]
macro_rules! kinds {
    ($($(#[doc = $doc:literal])+ $name:ident: $form:expr;)+) => {
        vec![$((stringify!($name), concat!($($doc),+).trim(), $form)),+]
    };
}

/// Declares a choice of words: an enum, and its words in `NAMED`.
#[macro_export]
macro_rules! choice {
    (
        $(#[$head:meta])*
        pub enum $choice:ident { $($(#[$meta:meta])* $variant:ident = $name:literal,)+ }
    ) => {
        $(#[$head])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $choice { $($(#[$meta])* $variant,)+ }

        impl $choice {
            /// Every choice, with the word that specs use.
            pub const NAMED: &'static [($choice, &'static str)] =
                &[$(($choice::$variant, $name),)+];

            /// Returns the word that specs use.
            pub fn name(self) -> &'static str {
                match self { $($choice::$variant => $name,)+ }
            }

            /// Returns the choice that a word names.
            pub fn named(name: &str) -> Option<$choice> {
                match name { $($name => Some($choice::$variant),)+ _ => None }
            }
        }
    };
}
