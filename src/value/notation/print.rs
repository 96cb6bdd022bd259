//! Writes values.
//!
//! One pass over the text to be, with a stack of its own and no recursion, so that deep forms are
//! safe. How many slashes a game needs is known only after its options are written, so the slashes
//! and the brace before them are slots filled in later.

use std::fmt::{self, Write as _};

use super::super::{
    Arena, Calculator, Dyadic, Nimber, NumberUpStar, Uptimal, UptimalShape, ValueId, ValueMap,
};
use super::order::{Name, StructuralOrder, non_numbers};
use super::style::Notation;

/// A game that would need more slashes is put in braces, and so counts for none above.
const SLASHES_MAX: u8 = 4;
/// Tinies of larger games beside a number are written with braces: their name needs a sum.
const TRANSLATED_FOLLOWERS_MAX: usize = 256;

/// The longest text of a game that is kept, and how many bytes of texts there are before all are forgotten.
///
/// PERF: over all values of Sowing's rows of at most 7 pots, texts of 117 characters on average, keeping them halves the
/// time of writing; 8 MiB gain nothing over 2.
const KEPT_CHARS_MAX: usize = 1024;
const KEPT_BYTES: usize = 2 << 20;

/// The texts of games already written: a game's text is made of its options' texts.
pub(super) struct KeptTexts<'a> {
    notation: Notation,
    bytes: String,
    games: ValueMap<KeptGame>,
    scratch: Scratch,
    /// For the names that need a sum.
    calculator: Calculator<'a>,
}

/// The text of a game without the braces around it.
#[derive(Clone, Copy)]
struct KeptGame {
    text: Span,
    /// How many slashes stand between its options.
    slashes: u8,
}

/// Where a text lies in the bytes that it is kept in.
#[derive(Clone, Copy)]
struct Span {
    start: u32,
    end: u32,
}

impl Span {
    fn of(self, bytes: &str) -> &str {
        &bytes[self.start as usize..self.end as usize]
    }

    fn len(self) -> usize {
        (self.end - self.start) as usize
    }
}

impl<'a> KeptTexts<'a> {
    pub(super) fn new(arena: &'a Arena) -> KeptTexts<'a> {
        KeptTexts {
            notation: Notation::default(),
            bytes: String::new(),
            games: ValueMap::default(),
            scratch: Scratch::default(),
            calculator: arena.calculator(),
        }
    }

    /// Forgets everything where there is no room for more, or where other texts are wanted.
    fn make_room(&mut self, notation: Notation) {
        if self.bytes.len() > KEPT_BYTES || self.notation != notation {
            self.bytes.clear();
            self.games.clear();
            self.notation = notation;
        }
    }
}

/// Appends the text of a value, unless it is longer than `chars_max` characters; returns whether it is not.
pub(super) fn append<'a>(
    order: &mut StructuralOrder<'a>,
    kept: &mut KeptTexts<'a>,
    id: ValueId,
    notation: Notation,
    chars_max: usize,
    text: &mut String,
) -> bool {
    kept.make_room(notation);
    let mut scratch = std::mem::take(&mut kept.scratch);
    scratch.tokens.clear();
    scratch.names.clear();
    scratch.frames.clear();
    scratch.steps.clear();
    let mut printer = Printer {
        arena: order.arena(),
        order,
        kept,
        notation,
        scratch,
        chars: 0,
    };
    let fits = printer.append(id, chars_max, text);
    kept.scratch = printer.scratch;
    fits
}

/// What surrounds a form, which decides its brackets.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// Only option of a player: slashes tell it apart.
    Slashes,
    /// One of several options, or the whole text: slashes need braces.
    Braces,
    /// Directly after `+-`: whatever is more than one symbol needs braces or parentheses.
    Tight,
}

#[derive(Clone, Copy)]
enum Token {
    Fixed(&'static str),
    /// A name, in the printer's names.
    Name(Span),
    /// The text of a game that is kept.
    Kept(Span),
    /// A left brace, or nothing.
    Brace(bool),
    Slashes(u8),
}

enum Step {
    Fixed(&'static str),
    Form(ValueId, Place),
    /// Between Left's and Right's options of the innermost game.
    Middle,
    /// After its last option.
    Close(Place),
}

/// A game whose options are being written.
struct Frame {
    id: ValueId,
    brace: usize,
    slashes: usize,
    /// The most slashes that stand in an option without braces.
    inner: u8,
}

struct Printer<'p, 'a> {
    arena: &'a Arena,
    order: &'p mut StructuralOrder<'a>,
    kept: &'p mut KeptTexts<'a>,
    notation: Notation,
    scratch: Scratch,
    /// How many characters the text has so far, at least.
    chars: usize,
}

/// The lists of a printer, which serve for one text after another.
#[derive(Default)]
struct Scratch {
    tokens: Vec<Token>,
    names: String,
    frames: Vec<Frame>,
    /// What is still to be written, the next at the end.
    steps: Vec<Step>,
}

impl Printer<'_, '_> {
    fn append(&mut self, id: ValueId, chars_max: usize, text: &mut String) -> bool {
        self.scratch.steps.push(Step::Form(id, Place::Braces));
        while let Some(step) = self.scratch.steps.pop() {
            self.take(step);
            if self.chars > chars_max {
                return false;
            }
        }
        let start = text.len();
        text.reserve(self.chars + 16);
        for &token in &self.scratch.tokens {
            self.write(token, text);
        }
        let fits = text.len() - start <= chars_max;
        if !fits {
            text.truncate(start);
        }
        fits
    }

    fn take(&mut self, step: Step) {
        match step {
            Step::Fixed(fixed) => self.fixed(fixed),
            Step::Form(id, place) => self.form(id, place),
            Step::Middle => {
                let slashes = self.scratch.tokens.len();
                self.scratch
                    .frames
                    .last_mut()
                    .expect("a game is open")
                    .slashes = slashes;
                self.scratch.tokens.push(Token::Slashes(1));
                self.chars += 1;
            }
            Step::Close(place) => self.close(place),
        }
    }

    fn fixed(&mut self, fixed: &'static str) {
        self.chars += fixed.len();
        self.scratch.tokens.push(Token::Fixed(fixed));
    }

    /// Writes a name, which displays in full.
    fn name(&mut self, name: impl fmt::Display) {
        let start = self.scratch.names.len();
        write!(self.scratch.names, "{name}").expect("a string takes every text");
        self.chars += self.scratch.names.len() - start;
        self.scratch.tokens.push(Token::Name(Span {
            start: start as u32,
            end: self.scratch.names.len() as u32,
        }));
    }

    fn write(&self, token: Token, text: &mut String) {
        match token {
            Token::Fixed(fixed) => text.push_str(fixed),
            Token::Name(span) => text.push_str(span.of(&self.scratch.names)),
            Token::Kept(span) => text.push_str(span.of(&self.kept.bytes)),
            Token::Brace(open) => text.push_str(if open { "{" } else { "" }),
            Token::Slashes(n) => (0..n).for_each(|_| text.push('|')),
        }
    }

    fn form(&mut self, id: ValueId, place: Place) {
        if let Some(&game) = self.kept.games.get(&id) {
            let brace = self.scratch.tokens.len();
            self.scratch.tokens.push(Token::Brace(false));
            self.scratch.tokens.push(Token::Kept(game.text));
            self.chars += game.text.len();
            self.end_game(brace, game.slashes, place);
            return;
        }
        if self.notation == Notation::Plain {
            // No other names are asked for: finding out that a form has none may take a look at all that lies below.
            match (self.arena.number(id), self.arena.nimber(id)) {
                (Some(number), _) => self.number(number),
                (None, Some(n)) => self.name(Star(n)),
                (None, None) => self.game(id, Place::Braces),
            }
            return;
        }
        match self.order.name(id) {
            Name::Number(number) => self.number(number),
            Name::Nimber(n) => self.name(Star(n)),
            Name::NumberUpStar(sum) => {
                let compact = sum.number == Dyadic::ZERO && sum.star == 0;
                self.compound(NumberUpStarText(sum), compact, place);
            }
            Name::Uptimal(uptimal) => {
                let compact = uptimal.number == Dyadic::ZERO && uptimal.star == 0;
                self.compound(UptimalText(uptimal), compact, place);
            }
            Name::Braces if id.is_symmetric() => self.symmetric(id),
            Name::Braces => {
                if !self.tiny(id, place) {
                    self.game(id, place);
                }
            }
        }
    }

    fn number(&mut self, number: Dyadic) {
        const DIGITS: [&str; 10] = ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"];
        let magnitude = number.to_integer().map(i64::unsigned_abs);
        match magnitude.and_then(|n| DIGITS.get(n as usize)) {
            Some(digit) => {
                if number < Dyadic::ZERO {
                    self.fixed("-");
                }
                self.fixed(digit);
            }
            None => self.name(number),
        }
    }

    /// Writes a name of several symbols, in parentheses where `+-` would split it.
    fn compound(&mut self, name: impl fmt::Display, compact: bool, place: Place) {
        match place == Place::Tight && !compact {
            true => self.name(format_args!("({name})")),
            false => self.name(name),
        }
    }

    /// Writes `+-` and Left's options: Right's are their negatives.
    fn symmetric(&mut self, id: ValueId) {
        self.fixed("+-");
        let options = self.order.options(id);
        if let &[sole] = self.order.left(options) {
            self.scratch.steps.push(Step::Form(sole, Place::Tight));
            return;
        }
        self.fixed("{");
        self.scratch.steps.push(Step::Fixed("}"));
        push_options(
            &mut self.scratch.steps,
            self.order.left(options),
            Place::Braces,
        );
    }

    /// Writes a tiny or miny, if the form is one beside a number: `{x||x|r}` with the mean of r less
    /// than x, or the negative of such.
    fn tiny(&mut self, id: ValueId, place: Place) -> bool {
        let tiny = self.order.tiny(id).map(|(x, r)| ("Tiny(", x, r));
        let miny = || {
            self.order
                .tiny(id.negative())
                .map(|(x, r)| ("Miny(", -x, r))
        };
        let Some((name, number, rest)) = tiny.or_else(miny) else {
            return false;
        };
        // Of Tiny(g) beside x, r is x - g; of Miny(g), the negative has -x for x.
        let translation = if name == "Tiny(" { number } else { -number };
        let Some(subscript) = self.translated(rest.negative(), translation) else {
            return false;
        };
        if place == Place::Tight {
            self.fixed("(");
            self.scratch.steps.push(Step::Fixed(")"));
        }
        if number != Dyadic::ZERO {
            self.number(number);
        }
        self.fixed(name);
        self.scratch.steps.push(Step::Fixed(")"));
        self.scratch
            .steps
            .push(Step::Form(subscript, Place::Braces));
        true
    }

    /// Returns the form plus a number, unless that is more work than a name is worth.
    fn translated(&mut self, id: ValueId, number: Dyadic) -> Option<ValueId> {
        if number == Dyadic::ZERO {
            return Some(id);
        }
        non_numbers(self.arena, id, TRANSLATED_FOLLOWERS_MAX)?;
        let calculator = &mut self.kept.calculator;
        let number = calculator.number(number).ok()?;
        calculator.sum(id, number).ok()
    }

    fn game(&mut self, id: ValueId, place: Place) {
        let options = self.order.options(id);
        self.scratch.frames.push(Frame {
            id,
            brace: self.scratch.tokens.len(),
            slashes: 0,
            inner: 0,
        });
        self.scratch.tokens.push(Token::Brace(false));
        self.scratch.steps.push(Step::Close(place));
        let steps = &mut self.scratch.steps;
        let inside = |side: &[ValueId]| match side.len() > 1 || self.notation == Notation::Plain {
            true => Place::Braces,
            false => Place::Slashes,
        };
        let right = self.order.right(options);
        push_options(steps, right, inside(right));
        steps.push(Step::Middle);
        let left = self.order.left(options);
        push_options(steps, left, inside(left));
    }

    fn close(&mut self, place: Place) {
        let frame = self.scratch.frames.pop().expect("a game is open");
        let slashes = frame.inner + 1;
        self.chars += usize::from(slashes) - 1;
        self.scratch.tokens[frame.slashes] = Token::Slashes(slashes);
        self.keep(&frame, slashes);
        self.end_game(frame.brace, slashes, place);
    }

    /// Keeps the text of a game whose options are written, unless it is long.
    fn keep(&mut self, frame: &Frame, slashes: u8) {
        let mut bytes = std::mem::take(&mut self.kept.bytes);
        let start = bytes.len();
        for &token in &self.scratch.tokens[frame.brace + 1..] {
            if bytes.len() - start > KEPT_CHARS_MAX {
                break;
            }
            match token {
                Token::Kept(span) => {
                    let (from, to) = (span.start as usize, span.end as usize);
                    bytes.extend_from_within(from..to);
                }
                token => self.write(token, &mut bytes),
            }
        }
        let end = bytes.len();
        if end - start > KEPT_CHARS_MAX {
            bytes.truncate(start);
        } else {
            let text = Span {
                start: start as u32,
                end: end as u32,
            };
            self.kept.games.insert(frame.id, KeptGame { text, slashes });
            self.scratch.tokens.truncate(frame.brace + 1);
            self.scratch.tokens.push(Token::Kept(text));
        }
        self.kept.bytes = bytes;
    }

    /// Puts a game in braces, or lets the one that it is an option of count its slashes.
    fn end_game(&mut self, brace: usize, slashes: u8, place: Place) {
        if place != Place::Slashes || slashes == SLASHES_MAX {
            self.scratch.tokens[brace] = Token::Brace(true);
            self.scratch.tokens.push(Token::Fixed("}"));
            self.chars += 2;
        } else if let Some(outer) = self.scratch.frames.last_mut() {
            outer.inner = outer.inner.max(slashes);
        }
    }
}

/// Arranges for options to be written next, with commas.
fn push_options(steps: &mut Vec<Step>, options: &[ValueId], place: Place) {
    for (i, &option) in options.iter().enumerate().rev() {
        steps.push(Step::Form(option, place));
        if i > 0 {
            steps.push(Step::Fixed(","));
        }
    }
}

/// A nimber, nothing for 0.
struct Star(u32);

impl fmt::Display for Star {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            0 => Ok(()),
            n => Nimber(n).fmt(f),
        }
    }
}

/// A number before something else, nothing for 0.
struct Prefix(Dyadic);

impl fmt::Display for Prefix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 == Dyadic::ZERO {
            true => Ok(()),
            false => self.0.fmt(f),
        }
    }
}

struct NumberUpStarText(NumberUpStar);

impl fmt::Display for NumberUpStarText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let NumberUpStar { number, ups, star } = self.0;
        Prefix(number).fmt(f)?;
        let arrow = if ups < 0 { 'v' } else { '^' };
        match ups.unsigned_abs() {
            0 => {}
            1 => f.write_char(arrow)?,
            n => write!(f, "{arrow}{n}")?,
        }
        Star(star).fmt(f)
    }
}

struct UptimalText(Uptimal);

impl fmt::Display for UptimalText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Uptimal {
            number,
            power,
            star,
            ..
        } = self.0;
        let arrow = if self.0.down { 'v' } else { '^' };
        Prefix(number).fmt(f)?;
        match self.0.shape {
            UptimalShape::Power => write!(f, "{arrow}<{power}>")?,
            UptimalShape::Sum => write!(f, "{arrow}[{power}]")?,
        }
        Star(star).fmt(f)
    }
}
