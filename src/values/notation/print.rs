//! Writes values.
//!
//! Makes one pass over the text, with an explicit stack instead of recursion, so deep forms are
//! safe. The number of slashes in a game is known only after its options are written, so the
//! slashes and the brace before them are slots that are filled in later.

use std::fmt::{self, Write as _};

use super::super::{
    Arena, Calculator, Dyadic, Nimber, NumberUpStar, Uptimal, UptimalShape, ValueId, ValueMap,
};
use super::order::{Name, StructuralOrder, non_numbers};
use super::style::Notation;

/// A game that would need more slashes is put in braces, so it adds none to the games above it.
pub(crate) const SLASHES_MAX: u8 = 4;
/// A tiny of a larger game plus a number is written with braces, since its name would need a sum.
const TRANSLATED_FOLLOWERS_MAX: usize = 256;

/// The longest text that the memo stores, and the bytes of texts at which it is emptied.
///
/// PERF: over all values of Sowing's rows of at most 7 pots, texts of 117 characters on average,
/// the memo halves the time of writing; 8 MiB gain nothing over 2. A census of the 8.5 million rows
/// of at most 12 pots and 16 seeds, texts of 331 characters and a seventh of them too long, took
/// 74.9 CPU s with 2 MiB, without remembering long forms and subscripts. With these it takes 53.2 s
/// with 16 MiB and 49.3 with 48.
const MEMO_TEXT_CHARS_MAX: usize = 1024;
const KEPT_BYTES: usize = 16 << 20;

/// The number of forms with too long texts, or of subscripts, at which these are forgotten.
const FORMS_MAX: usize = 1 << 20;

/// A memo of the texts of games, from which the texts of games that have them as options are
/// composed.
pub(super) struct TextMemo<'a> {
    notation: Notation,
    /// The most characters of a text.
    chars_max: usize,
    bytes: String,
    games: ValueMap<MemoText>,
    /// Forms whose texts have more characters.
    too_long: ValueMap<()>,
    /// The subscripts of forms that are a tiny or miny plus a number, unless these take too much work.
    subscripts: ValueMap<Option<ValueId>>,
    scratch: Scratch,
    /// Computes the sums that some names need.
    calculator: Calculator<'a>,
}

/// The text of a game without its outer braces.
#[derive(Clone, Copy)]
struct MemoText {
    text: Span,
    /// The number of slashes between its options.
    slashes: u8,
}

/// The range of a text in a buffer.
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

impl<'a> TextMemo<'a> {
    pub(super) fn new(arena: &'a Arena) -> TextMemo<'a> {
        TextMemo {
            notation: Notation::default(),
            chars_max: 0,
            bytes: String::new(),
            games: ValueMap::default(),
            too_long: ValueMap::default(),
            subscripts: ValueMap::default(),
            scratch: Scratch::default(),
            calculator: arena.calculator(),
        }
    }

    /// Empties the memo if it is full or holds texts in another notation or of another length.
    fn evict_if_full(&mut self, notation: Notation, chars_max: usize) {
        let is_other = (self.notation, self.chars_max) != (notation, chars_max);
        if is_other || self.bytes.len() > KEPT_BYTES {
            self.bytes.clear();
            self.games.clear();
        }
        if is_other || self.subscripts.len() > FORMS_MAX {
            self.subscripts.clear();
        }
        if is_other || self.too_long.len() > FORMS_MAX {
            self.too_long.clear();
        }
        (self.notation, self.chars_max) = (notation, chars_max);
    }
}

/// Appends the text of a value if it has at most `chars_max` characters; returns whether it has.
pub(super) fn append<'a>(
    order: &mut StructuralOrder<'a>,
    memo: &mut TextMemo<'a>,
    id: ValueId,
    notation: Notation,
    chars_max: usize,
    text: &mut String,
) -> bool {
    memo.evict_if_full(notation, chars_max);
    let mut scratch = std::mem::take(&mut memo.scratch);
    scratch.tokens.clear();
    scratch.names.clear();
    scratch.frames.clear();
    scratch.steps.clear();
    let mut printer = Printer {
        arena: order.arena(),
        order,
        memo,
        notation,
        scratch,
        chars: 0,
    };
    let fits = printer.append(id, text);
    memo.scratch = printer.scratch;
    if !fits {
        memo.too_long.insert(id, ());
    }
    fits
}

/// The surroundings of a form, which decide its brackets.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// The only option of a player: slashes delimit it.
    Slashes,
    /// One of several options, or the whole text: slashes need braces.
    Braces,
    /// Directly after `+-`: more than one symbol needs braces or parentheses.
    Tight,
}

#[derive(Clone, Copy)]
enum Token {
    Fixed(&'static str),
    /// A name, in the printer's names.
    Name(Span),
    /// The text of a game from the memo.
    Memoized(Span),
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
    /// The most slashes in an option without braces.
    inner: u8,
}

struct Printer<'p, 'a> {
    arena: &'a Arena,
    order: &'p mut StructuralOrder<'a>,
    memo: &'p mut TextMemo<'a>,
    notation: Notation,
    scratch: Scratch,
    /// A lower bound on the length of the text so far, in characters.
    chars: usize,
}

/// A printer's buffers, reused for one text after another.
#[derive(Default)]
struct Scratch {
    tokens: Vec<Token>,
    names: String,
    frames: Vec<Frame>,
    /// The remaining steps, the next one last.
    steps: Vec<Step>,
}

impl Printer<'_, '_> {
    fn append(&mut self, id: ValueId, text: &mut String) -> bool {
        let chars_max = self.memo.chars_max;
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

    /// Writes a name.
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
            Token::Memoized(span) => text.push_str(span.of(&self.memo.bytes)),
            Token::Brace(open) => text.push_str(if open { "{" } else { "" }),
            Token::Slashes(n) => (0..n).for_each(|_| text.push('|')),
        }
    }

    fn form(&mut self, id: ValueId, place: Place) {
        if let Some(&game) = self.memo.games.get(&id) {
            let brace = self.scratch.tokens.len();
            self.scratch.tokens.push(Token::Brace(false));
            self.scratch.tokens.push(Token::Memoized(game.text));
            self.chars += game.text.len();
            self.end_game(brace, game.slashes, place);
            return;
        }
        if self.memo.too_long.contains_key(&id) {
            // It loses at most its braces here, and the game around it has at least as many other characters.
            self.chars = usize::MAX;
            return;
        }
        if self.notation == Notation::Plain {
            // No other names are tried: to rule one out may take a pass over all followers.
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
                let is_doubled = self.notation == Notation::CgSuite;
                self.compound(NumberUpStarText { sum, is_doubled }, compact, place);
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
        if place == Place::Tight && !compact {
            self.name(format_args!("({name})"))
        } else {
            self.name(name)
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

    /// Writes a tiny or miny plus a number, if the form is one: `{x||x|r}` with the mean of r less
    /// than x, or the negative of such a form.
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
        // For Tiny(g) plus x, r is x - g; for Miny(g), the negative has -x in place of x.
        let translation = if name == "Tiny(" { number } else { -number };
        let subscript = match self.memo.subscripts.get(&id) {
            Some(&known) => known,
            None => {
                let subscript = self.translated(rest.negative(), translation);
                self.memo.subscripts.insert(id, subscript);
                subscript
            }
        };
        let Some(subscript) = subscript else {
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

    /// Returns the form plus a number, unless that takes too much work.
    fn translated(&mut self, id: ValueId, number: Dyadic) -> Option<ValueId> {
        if number == Dyadic::ZERO {
            return Some(id);
        }
        non_numbers(self.arena, id, TRANSLATED_FOLLOWERS_MAX)?;
        let calculator = &mut self.memo.calculator;
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
        let inside = |side: &[ValueId]| {
            if side.len() > 1 || self.notation == Notation::Plain {
                Place::Braces
            } else {
                Place::Slashes
            }
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
        self.memoize(&frame, slashes);
        self.end_game(frame.brace, slashes, place);
    }

    /// Stores the text of a game whose options are written in the memo, unless it is long.
    fn memoize(&mut self, frame: &Frame, slashes: u8) {
        let mut bytes = std::mem::take(&mut self.memo.bytes);
        let start = bytes.len();
        for &token in &self.scratch.tokens[frame.brace + 1..] {
            if bytes.len() - start > MEMO_TEXT_CHARS_MAX {
                break;
            }
            match token {
                Token::Memoized(span) => {
                    let (from, to) = (span.start as usize, span.end as usize);
                    bytes.extend_from_within(from..to);
                }
                token => self.write(token, &mut bytes),
            }
        }
        let end = bytes.len();
        if end - start > MEMO_TEXT_CHARS_MAX {
            bytes.truncate(start);
        } else {
            let text = Span {
                start: start as u32,
                end: end as u32,
            };
            self.memo.games.insert(frame.id, MemoText { text, slashes });
            self.scratch.tokens.truncate(frame.brace + 1);
            self.scratch.tokens.push(Token::Memoized(text));
        }
        self.memo.bytes = bytes;
    }

    /// Puts a game in braces, or adds its slashes to those of the game above it.
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

/// Schedules options to be written next, with commas.
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
        if self.0 == Dyadic::ZERO {
            Ok(())
        } else {
            self.0.fmt(f)
        }
    }
}

struct NumberUpStarText {
    sum: NumberUpStar,
    /// Whether two ups are two arrows.
    is_doubled: bool,
}

impl fmt::Display for NumberUpStarText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let NumberUpStar { number, ups, star } = self.sum;
        Prefix(number).fmt(f)?;
        let arrow = if ups < 0 { 'v' } else { '^' };
        match ups.unsigned_abs() {
            0 => {}
            1 => f.write_char(arrow)?,
            2 if self.is_doubled => write!(f, "{arrow}{arrow}")?,
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
