//! Loopy values as text, in the notation of CGSuite.
//!
//! A node that is written within itself has a letter before its brace, as in `a{0||||0|||a|*||*}`; an option back to the game in
//! whose list it stands is `pass`. A game with two sides is `G & H`, the onside first; `dud` is `on & off`.
//!
//! Options are written in a fixed order: the short ones as elsewhere, then the loopy ones by digest.

use super::calculator::LoopyCalculator;
use super::graph::{BOTH, LEFT};
use super::name::{LoopyName, Upon};
use super::stopper::{LoopyId, Sides, Stopper};
use crate::notation::SLASHES_MAX;
use crate::{Dyadic, NESTING_MAX, Notation, NotationWriter, RESERVED, UptimalShape};

/// The place of a text, which decides its brackets.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// The only option of a player.
    Slashes,
    /// One of several options, or the whole text.
    Braces,
    /// Directly after `+-`.
    Tight,
}

/// A text, and the number of slashes in it outside of all brackets.
struct Piece {
    text: String,
    slashes: usize,
}

struct Writer<'w, 'a> {
    c: &'w mut LoopyCalculator<'a>,
    short: NotationWriter<'a>,
    /// The forms being written, each an option of the one before, with their letters.
    path: Vec<(LoopyId, Option<char>)>,
    letters: Vec<char>,
    chars_max: usize,
}

impl LoopyCalculator<'_> {
    /// Returns the text of a game with two sides, or `None` where that takes more than `chars_max` characters, more than 24
    /// letters, or more than 200 brackets one in another.
    ///
    /// ```
    /// use cgvalues::{Arena, LoopyCalculator};
    ///
    /// let arena = Arena::new();
    /// let mut c = LoopyCalculator::new(&arena);
    /// for text in ["1/2over", "1v[on]*2", "{0|^<on>}", "a{0||||0|||a|*||*}", "dud", "1 & {0|pass}"] {
    ///     let sides = c.parse(text)?;
    ///     let written = c.text(sides, 100).unwrap();
    ///     assert_eq!(c.parse(&written)?, sides);
    /// }
    /// # Ok::<(), cgvalues::ParseValueError>(())
    /// ```
    pub fn text(&mut self, sides: Sides, chars_max: usize) -> Option<String> {
        let mut write = |stopper| {
            let short = NotationWriter::new(self.arena());
            let mut writer = Writer {
                c: self,
                short,
                path: Vec::new(),
                letters: ('a'..='z')
                    .rev()
                    .filter(|name| !RESERVED.contains(name))
                    .collect(),
                chars_max,
            };
            let piece = writer.stopper(stopper, Place::Braces)?;
            (piece.text.len() <= chars_max).then_some(piece.text)
        };
        if let Some(stopper) = sides.stopper() {
            return write(stopper);
        }
        let text = [write(sides.onside)?, write(sides.offside)?].join(" & ");
        match text.as_str() {
            "on & off" => Some("dud".to_owned()),
            _ => (text.len() <= chars_max).then_some(text),
        }
    }
}

impl Piece {
    fn whole(text: impl Into<String>) -> Piece {
        Piece {
            text: text.into(),
            slashes: 0,
        }
    }
}

impl Writer<'_, '_> {
    fn stopper(&mut self, stopper: Stopper, place: Place) -> Option<Piece> {
        match stopper {
            Stopper::Short(id) => {
                let text = self.short.limited(id, Notation::Standard, self.chars_max)?;
                Some(short_piece(text, place))
            }
            Stopper::Loopy(id) => self.loopy(id, place),
        }
    }

    fn loopy(&mut self, id: LoopyId, place: Place) -> Option<Piece> {
        if let Some(at) = self.path.iter().position(|&(open, _)| open == id) {
            let letter = match self.path[at].1 {
                Some(letter) => letter,
                None => self.letters.pop()?,
            };
            self.path[at].1 = Some(letter);
            return Some(Piece::whole(letter));
        }
        if self.path.len() == NESTING_MAX {
            return None;
        }
        if let Some(name) = self.c.name(id) {
            return Some(name_piece(name, place));
        }
        // A plumtree needs no letter, since its options do not refer to it.
        if self.c.forms.is_plumtree(id) && self.c.forms.negative(id) == id {
            return self.symmetric(id);
        }
        for player in BOTH {
            if let Some((number, subscript)) = self.subscript(id, player) {
                return self.tiny(number, subscript, player, place);
            }
        }
        self.game(id, place)
    }

    fn symmetric(&mut self, id: LoopyId) -> Option<Piece> {
        let [left, _] = self.c.forms.options(id).clone();
        let written = match left[..] {
            [only] => self.option(id, only, Place::Tight)?.text,
            _ => format!("{{{}}}", self.list(id, left, Place::Braces)?.0),
        };
        Some(Piece::whole(format!("+-{written}")))
    }

    /// Returns x and g where a form is Tiny(g) plus x for Left, `{x||x|x-g}`, or Miny(g) plus x for Right, `{x+g|x||x}`, and g is
    /// a stopper of at least over.
    fn subscript(&mut self, id: LoopyId, player: usize) -> Option<(Dyadic, Stopper)> {
        let (number, rest) = self.c.tiny(id, player)?;
        let rest = Stopper::Loopy(rest);
        let (shift, rest) = match player {
            LEFT => (number, self.c.negative(rest)),
            _ => (-number, rest),
        };
        let shift = self.c.short().number(shift).ok()?;
        let subscript = self
            .c
            .sum(Stopper::Short(shift).into(), rest.into())
            .ok()??;
        let subscript = subscript.stopper()?;
        let is_tiny = self.c.is_at_least_over(subscript);
        is_tiny.then_some((number, subscript))
    }

    /// Writes Tiny(g) or Miny(g) plus a number.
    fn tiny(
        &mut self,
        number: Dyadic,
        subscript: Stopper,
        player: usize,
        place: Place,
    ) -> Option<Piece> {
        let name = if player == LEFT { "Tiny" } else { "Miny" };
        let subscript = self.stopper(subscript, Place::Braces)?.text;
        let text = format!("{}{name}({subscript})", prefix(number));
        Some(Piece::whole(match place {
            Place::Tight => format!("({text})"),
            _ => text,
        }))
    }

    fn game(&mut self, id: LoopyId, place: Place) -> Option<Piece> {
        self.path.push((id, None));
        let [left, right] = self.c.forms.options(id).clone();
        let has_empty = left.is_empty() || right.is_empty();
        let mut side = |options: Vec<Stopper>| {
            let inside = if options.len() > 1 {
                Place::Braces
            } else {
                Place::Slashes
            };
            self.list(id, options, inside)
        };
        // A side that is too long ends the text, or the other sides would take exponential time.
        let (left, of_left) = side(left)?;
        let (right, of_right) = side(right)?;
        let (_, letter) = self.path.pop()?;
        let slashes = 1 + of_left.max(of_right);
        let needs_braces = place != Place::Slashes
            || letter.is_some()
            || has_empty
            || slashes == usize::from(SLASHES_MAX);
        let body = format!("{left}{}{right}", "|".repeat(slashes));
        if body.len() > self.chars_max {
            return None;
        }
        if !needs_braces {
            return Some(Piece {
                text: body,
                slashes,
            });
        }
        let name = letter.map_or(String::new(), String::from);
        self.letters.extend(letter);
        Some(Piece::whole(format!("{name}{{{body}}}")))
    }

    /// Writes options of a form, and returns the most slashes of one that is outside of brackets.
    fn list(
        &mut self,
        id: LoopyId,
        options: Vec<Stopper>,
        place: Place,
    ) -> Option<(String, usize)> {
        let mut texts = Vec::new();
        let mut slashes = 0;
        for option in self.in_order(options) {
            let piece = self.option(id, option, place)?;
            slashes = slashes.max(piece.slashes);
            texts.push(piece.text);
        }
        Some((texts.join(","), slashes))
    }

    fn option(&mut self, id: LoopyId, option: Stopper, place: Place) -> Option<Piece> {
        if option == Stopper::Loopy(id) {
            Some(Piece::whole("pass"))
        } else {
            self.stopper(option, place)
        }
    }

    /// Returns options in the order in which they are written.
    fn in_order(&mut self, options: Vec<Stopper>) -> Vec<Stopper> {
        let short = |stopper: &Stopper| match *stopper {
            Stopper::Short(id) => Some(id),
            Stopper::Loopy(_) => None,
        };
        let mut shorts: Vec<_> = options.iter().filter_map(short).collect();
        self.short.sort(&mut shorts);
        let mut loopy: Vec<Stopper> = options
            .into_iter()
            .filter(|option| short(option).is_none())
            .collect();
        loopy.sort_by_cached_key(|&option| self.c.digest(option));
        shorts
            .into_iter()
            .map(Stopper::Short)
            .chain(loopy)
            .collect()
    }
}

/// Returns the text of a short value as a part of a larger one: without its outer braces where slashes can delimit it.
fn short_piece(text: String, place: Place) -> Piece {
    let slashes = outer_slashes(&text);
    match place {
        Place::Slashes
            if slashes > 0
                && slashes < usize::from(SLASHES_MAX)
                && !text.starts_with("{|")
                && !text.ends_with("|}") =>
        {
            Piece {
                text: text[1..text.len() - 1].to_owned(),
                slashes,
            }
        }
        Place::Tight if slashes == 0 && !is_one_symbol(&text) => Piece::whole(format!("({text})")),
        _ => Piece::whole(text),
    }
}

/// Returns the longest run of slashes directly within the outer braces of a text, 0 if it is not in braces.
fn outer_slashes(text: &str) -> usize {
    if !text.starts_with('{') {
        return 0;
    }
    let (mut depth, mut run, mut longest) = (0, 0, 0);
    for c in text.chars() {
        match c {
            '{' | '(' => depth += 1,
            '}' | ')' => depth -= 1,
            _ => {}
        }
        run = if c == '|' && depth == 1 { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    longest
}

/// Returns whether a text without braces can stand after `+-`: a number, a nimber, ups, or a symmetric game.
fn is_one_symbol(text: &str) -> bool {
    let is_number = text.chars().all(|c| c.is_ascii_digit() || c == '/');
    let rest = text.trim_start_matches(['^', 'v', '*']);
    is_number
        || (rest.len() < text.len()
            && rest
                .chars()
                .all(|c| c.is_ascii_digit() || "<>[]".contains(c))
            && !text[1..].contains('*'))
}

/// Returns the text of a number before a name.
fn prefix(number: Dyadic) -> String {
    match number {
        Dyadic::ZERO => String::new(),
        number => number.to_string(),
    }
}

fn name_piece(name: LoopyName, place: Place) -> Piece {
    let (text, is_compact) = match name {
        LoopyName::On => ("on".to_owned(), true),
        LoopyName::Off => ("off".to_owned(), true),
        LoopyName::Over(number) => (format!("{}over", prefix(number)), number == Dyadic::ZERO),
        LoopyName::Under(number) => (format!("{}under", prefix(number)), number == Dyadic::ZERO),
        LoopyName::Upon(Upon {
            number,
            down,
            shape,
            star,
        }) => {
            let arrow = if down { 'v' } else { '^' };
            let power = match shape {
                UptimalShape::Sum => "[on]",
                UptimalShape::Power => "<on>",
            };
            let star = match star {
                0 => String::new(),
                1 => "*".to_owned(),
                star => format!("*{star}"),
            };
            let is_compact = number == Dyadic::ZERO && star.is_empty();
            (
                format!("{}{arrow}{power}{star}", prefix(number)),
                is_compact,
            )
        }
    };
    Piece::whole(if place == Place::Tight && !is_compact {
        format!("({text})")
    } else {
        text
    })
}
