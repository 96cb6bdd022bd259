//! Arguments with a few possible names.

use std::error::Error;
use std::ffi::OsStr;
use std::str::FromStr;

use clap::builder::{PossibleValue, TypedValueParser};
use clap::{Arg, Command};

/// Returns a parser that uses [`FromStr`] and its error. Shells complete the names.
///
/// The names appear in the help as well, unless the argument hides its possible values.
pub(super) fn named<T>(names: impl IntoIterator<Item = &'static str>) -> Named<T> {
    Named {
        names: names.into_iter().collect(),
        read: std::marker::PhantomData,
    }
}

/// The parser that [`named`] returns.
#[derive(Debug)]
pub(super) struct Named<T> {
    names: Vec<&'static str>,
    read: std::marker::PhantomData<fn() -> T>,
}

impl<T> Clone for Named<T> {
    fn clone(&self) -> Named<T> {
        named(self.names.iter().copied())
    }
}

impl<T> TypedValueParser for Named<T>
where
    T: FromStr + Clone + Send + Sync + 'static,
    T::Err: Error + Send + Sync + 'static,
{
    type Value = T;

    fn parse_ref(
        &self,
        command: &Command,
        argument: Option<&Arg>,
        value: &OsStr,
    ) -> Result<T, clap::Error> {
        let read = |text: &str| text.parse::<T>();
        read.parse_ref(command, argument, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(self.names.iter().copied().map(PossibleValue::new)))
    }
}
