//! Moves as JSON objects, one a line.

use std::fmt;
use std::io::BufRead;
use std::ops::ControlFlow;

use cggames::game::moves::Movers;
use memchr::memchr2_iter;
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};

use super::source::{End, KEYS, Lines, MovesFileError, Source, unknown_key};

/// Returns the number of lines that are not blank, and the end.
pub(super) fn count(source: Source<'_>) -> Result<(u64, End), MovesFileError> {
    let mut count = 0;
    let end = each_line(source, |_, line| {
        count += u64::from(!is_blank(line));
        Ok(ControlFlow::Continue(()))
    })?;
    Ok((count, end))
}

/// Reads all lines, or those up to a break.
pub(super) fn read(source: Source<'_>, lines: &mut impl Lines) -> Result<End, MovesFileError> {
    let mut position = String::new();
    each_line(source, |number, line| {
        if is_blank(line) {
            return Ok(ControlFlow::Continue(()));
        }
        let fault = |error: serde_json::Error| {
            let place = format!(":{number}:{}", error.column().max(1));
            source.fault(place, message(&error))
        };
        let of_line = Line {
            lines,
            position: &mut position,
        };
        // PERF: a line that is known to be UTF-8 takes a quarter less time.
        match str::from_utf8(line) {
            Ok(line) => read_line(of_line, serde_json::Deserializer::from_str(line)),
            Err(_) => read_line(of_line, serde_json::Deserializer::from_slice(line)),
        }
        .map_err(fault)?;
        Ok(lines.end_line(&position))
    })
}

fn read_line<'de, L: Lines>(
    line: Line<'_, L>,
    mut parser: serde_json::Deserializer<impl serde_json::de::Read<'de>>,
) -> Result<(), serde_json::Error> {
    line.deserialize(&mut parser)?;
    parser.end()
}

/// Returns what an error says beside the place, which the parser counts from the beginning of its text.
pub(super) fn message(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let (message, _) = text.rsplit_once(" at line ").unwrap_or((&text, ""));
    message.to_owned()
}

/// Passes on each line with its number, from 1 on. No name contains a bare carriage return, so that ends lines, too.
fn each_line(
    source: Source<'_>,
    mut each: impl FnMut(u64, &[u8]) -> Result<ControlFlow<()>, MovesFileError>,
) -> Result<End, MovesFileError> {
    let mut text = source.text()?;
    let mut number = 0;
    // The beginning of the current line, if that was in earlier blocks, and the byte that ended the previous one.
    let (mut begun, mut ended_by) = (Vec::new(), b'\n');
    let mut next = |line: &[u8]| {
        number += 1;
        Ok(each(number, line)?
            .is_break()
            .then(|| End::Line(format!(":{number}"))))
    };
    loop {
        let block = text.fill_buf().map_err(|error| source.unreadable(error))?;
        if block.is_empty() {
            let last = match begun.is_empty() {
                true => None,
                false => next(&begun)?,
            };
            return Ok(last.unwrap_or_else(|| End::File(text.into_inner().digest())));
        }
        let mut start = 0;
        for end in memchr2_iter(b'\n', b'\r', block) {
            let line = &block[start..end];
            start = end + 1;
            let before = std::mem::replace(&mut ended_by, block[end]);
            let is_rest_of_end = line.is_empty() && begun.is_empty() && before == b'\r';
            if is_rest_of_end && ended_by == b'\n' {
                continue;
            }
            let ended = if begun.is_empty() {
                next(line)?
            } else {
                begun.extend_from_slice(line);
                let ended = next(&begun)?;
                begun.clear();
                ended
            };
            if let Some(end) = ended {
                return Ok(end);
            }
        }
        begun.extend_from_slice(&block[start..]);
        let length = block.len();
        text.consume(length);
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

#[cfg(test)]
mod tests {
    use super::super::source::BUFFER_BYTES;
    use super::*;

    /// The lines of a text with their numbers, and the place of the break at this number.
    fn lines(text: &[u8], last: u64) -> (Vec<Vec<u8>>, Option<String>) {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), text).unwrap();
        let mut found = Vec::new();
        let source = Source { path: file.path() };
        let end = each_line(source, |number, line| {
            found.push(line.to_vec());
            assert_eq!(number, found.len() as u64);
            Ok(if number == last {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            })
        });
        match end.unwrap() {
            End::Line(place) => (found, Some(place)),
            End::File(digest) => {
                assert_eq!(digest, source.digest().unwrap());
                (found, None)
            }
        }
    }

    #[test]
    fn lines_end_with_a_line_feed_a_carriage_return_or_both() {
        let ends = ["\n", "\r", "\r\n", "\n\n", "\r\r", "\r\r\n", "\n\r"];
        // The end of the first line lies before, on and behind the border of two blocks.
        for length in [0, 1, BUFFER_BYTES - 2, BUFFER_BYTES - 1, BUFFER_BYTES] {
            for end in ends {
                for last in ["", "b", "b\n"] {
                    let text = "a".repeat(length) + end + last;
                    let plain = text.replace("\r\n", "\n").replace('\r', "\n");
                    let expected: Vec<Vec<u8>> =
                        plain.lines().map(|line| line.as_bytes().to_vec()).collect();
                    assert!(lines(text.as_bytes(), 0) == (expected.clone(), None));
                    let (first, place) = lines(text.as_bytes(), 2);
                    assert!(first == expected[..expected.len().min(2)]);
                    assert_eq!(place, (expected.len() >= 2).then(|| ":2".to_owned()));
                }
            }
        }
    }
}
