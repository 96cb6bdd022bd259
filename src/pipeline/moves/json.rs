//! Moves as JSON objects, one a line.

use std::fmt;
use std::io::BufRead;
use std::ops::ControlFlow;

use cggames::game::moves::Movers;
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};

use super::source::{KEYS, Lines, MovesFileError, Source, unknown_key};

/// Returns the number of lines that are not blank.
pub(super) fn count(source: Source<'_>) -> Result<u64, MovesFileError> {
    let mut count = 0;
    each_line(source, |_, line| {
        count += u64::from(!is_blank(line));
        Ok(ControlFlow::Continue(()))
    })?;
    Ok(count)
}

/// Reads all lines, or those up to a break, and returns its place.
pub(super) fn read(
    source: Source<'_>,
    lines: &mut impl Lines,
) -> Result<Option<String>, MovesFileError> {
    let mut position = String::new();
    each_line(source, |number, line| {
        if is_blank(line) {
            return Ok(ControlFlow::Continue(()));
        }
        let fault = |error: serde_json::Error| {
            let place = format!(":{number}:{}", error.column().max(1));
            source.fault(place, message(&error))
        };
        let mut parser = serde_json::Deserializer::from_slice(line);
        let of_line = Line {
            lines,
            position: &mut position,
        };
        of_line.deserialize(&mut parser).map_err(fault)?;
        parser.end().map_err(fault)?;
        Ok(lines.end_line(&position))
    })
}

/// Returns what an error says beside the place, which the parser counts from the beginning of its text.
pub(super) fn message(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let (message, _) = text.rsplit_once(" at line ").unwrap_or((&text, ""));
    message.to_owned()
}

/// Passes on each line with its number, from 1 on; returns the place of a break.
fn each_line(
    source: Source<'_>,
    mut each: impl FnMut(u64, &[u8]) -> Result<ControlFlow<()>, MovesFileError>,
) -> Result<Option<String>, MovesFileError> {
    let mut text = source.text()?;
    let (mut number, mut lines) = (0, Vec::new());
    let mut next = |line: &[u8]| {
        number += 1;
        Ok(each(number, line)?.is_break().then(|| format!(":{number}")))
    };
    loop {
        lines.clear();
        let read = text.read_until(b'\n', &mut lines);
        if read.map_err(|error| source.unreadable(error))? == 0 {
            return Ok(None);
        }
        let ended = lines.strip_suffix(b"\n").unwrap_or(&lines);
        let ended = ended.strip_suffix(b"\r").unwrap_or(ended);
        if !ended.contains(&b'\r') {
            if let Some(place) = next(ended)? {
                return Ok(Some(place));
            }
            continue;
        }
        // No name contains a bare carriage return, which ends lines, too.
        for line in ended.split(|byte| *byte == b'\r') {
            if let Some(place) = next(line)? {
                return Ok(Some(place));
            }
        }
    }
}

fn is_blank(line: &[u8]) -> bool {
    line.iter().all(u8::is_ascii_whitespace)
}

/// Reads a line: its moves are passed on, and the position is kept until the line ends.
struct Line<'s, L> {
    lines: &'s mut L,
    position: &'s mut String,
}

impl<'de, L: Lines> DeserializeSeed<'de> for Line<'_, L> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, parser: D) -> Result<(), D::Error> {
        parser.deserialize_map(self)
    }
}

impl<'de, L: Lines> Visitor<'de> for Line<'_, L> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object such as {\"position\": \"a\", \"left\": [\"b\"], \"right\": []}")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let mut given = [false; 4];
        while let Some(key) = map.next_key_seed(Key)? {
            if std::mem::replace(&mut given[key as usize], true) {
                let name = KEYS[key as usize];
                return Err(A::Error::custom(format!("the key {name:?} comes twice")));
            }
            let movers = match key {
                KeyName::Position => {
                    map.next_value_seed(Name(|name: &str| {
                        self.position.clear();
                        self.position.push_str(name);
                    }))?;
                    continue;
                }
                KeyName::Left => Movers::Left,
                KeyName::Right => Movers::Right,
                KeyName::Options => Movers::Both,
            };
            map.next_value_seed(Names(movers, &mut *self.lines))?;
        }
        if !given[KeyName::Position as usize] {
            return Err(A::Error::custom(
                "the key \"position\" is missing; accepted: a line such as {\"position\": \"a\", \"left\": [\"b\"], \"right\": []}",
            ));
        }
        Ok(())
    }
}

/// The keys, in the order of [`KEYS`].
#[derive(Clone, Copy)]
enum KeyName {
    Position,
    Left,
    Right,
    Options,
}

/// Reads a key.
struct Key;

impl<'de> DeserializeSeed<'de> for Key {
    type Value = KeyName;

    fn deserialize<D: Deserializer<'de>>(self, parser: D) -> Result<KeyName, D::Error> {
        parser.deserialize_str(self)
    }
}

impl Visitor<'_> for Key {
    type Value = KeyName;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a key")
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<KeyName, E> {
        match name {
            "position" => Ok(KeyName::Position),
            "left" => Ok(KeyName::Left),
            "right" => Ok(KeyName::Right),
            "options" => Ok(KeyName::Options),
            _ => Err(E::custom(unknown_key(name))),
        }
    }
}

/// Passes on a name.
struct Name<F>(F);

impl<'de, F: FnMut(&str)> DeserializeSeed<'de> for Name<F> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, parser: D) -> Result<(), D::Error> {
        parser.deserialize_str(self)
    }
}

impl<F: FnMut(&str)> Visitor<'_> for Name<F> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the name of a position, a text in quotes")
    }

    fn visit_str<E: Error>(mut self, name: &str) -> Result<(), E> {
        self.0(name);
        Ok(())
    }
}

/// Passes on a list of names, each a move of these players.
pub(super) struct Names<'s, L>(pub(super) Movers, pub(super) &'s mut L);

impl<'de, L: Lines> DeserializeSeed<'de> for Names<'_, L> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, parser: D) -> Result<(), D::Error> {
        parser.deserialize_any(self)
    }
}

impl<'de, L: Lines> Visitor<'de> for Names<'_, L> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of names such as [\"b\", \"c\"]")
    }

    fn visit_unit<E: Error>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut names: A) -> Result<(), A::Error> {
        let Names(movers, lines) = self;
        while names
            .next_element_seed(Name(|name: &str| lines.option(movers, name)))?
            .is_some()
        {}
        Ok(())
    }
}
