//! Writes values.
//!
//! One pass over the text to be, with a stack of its own and no recursion, so that deep forms are
//! safe. How many slashes a game needs is known only after its options are written, so the slashes
//! and the brace before them are slots filled in later.

use super::super::{Arena, Dyadic, NumberUpStar, Thermographs, Uptimal, UptimalShape, ValueId};
use super::order::{Name, StructuralOrder};
use super::{Notation, graph_size};

/// A game that would need more slashes is put in braces, and so counts for none above.
const SLASHES_MAX: u8 = 4;
/// Tinies of larger games beside a number are written with braces: their name needs a sum.
const TRANSLATED_FOLLOWERS_MAX: usize = 256;

/// Returns the text of a value, or `None` where it is longer than `chars_max` characters.
pub(super) fn text(
    order: &mut StructuralOrder<'_>,
    id: ValueId,
    notation: Notation,
    chars_max: usize,
) -> Option<String> {
    let mut printer = Printer {
        arena: order.arena(),
        order,
        notation,
        tokens: Vec::new(),
        chars: 0,
        frames: Vec::new(),
        steps: Vec::new(),
    };
    printer.steps.push(Step::Form(id, Place::Braces));
    while let Some(step) = printer.steps.pop() {
        printer.take(step);
        if printer.chars > chars_max {
            return None;
        }
    }
    let mut text = String::with_capacity(printer.chars + 16);
    for token in printer.tokens {
        match token {
            Token::Fixed(fixed) => text.push_str(fixed),
            Token::Name(name) => text.push_str(&name),
            Token::Brace(open) => text.push_str(if open { "{" } else { "" }),
            Token::Slashes(n) => (0..n).for_each(|_| text.push('|')),
        }
    }
    (text.len() <= chars_max).then_some(text)
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

enum Token {
    Fixed(&'static str),
    Name(String),
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
    brace: usize,
    slashes: usize,
    /// The most slashes that stand in an option without braces.
    inner: u8,
}

struct Printer<'p, 'a> {
    arena: &'a Arena,
    order: &'p mut StructuralOrder<'a>,
    notation: Notation,
    tokens: Vec<Token>,
    /// How many characters the text has so far, at least.
    chars: usize,
    frames: Vec<Frame>,
    /// What is still to be written, the next at the end.
    steps: Vec<Step>,
}

impl Printer<'_, '_> {
    fn take(&mut self, step: Step) {
        match step {
            Step::Fixed(fixed) => self.fixed(fixed),
            Step::Form(id, place) => self.form(id, place),
            Step::Middle => {
                let slashes = self.tokens.len();
                self.frames.last_mut().expect("a game is open").slashes = slashes;
                self.tokens.push(Token::Slashes(1));
                self.chars += 1;
            }
            Step::Close(place) => self.close(place),
        }
    }

    fn fixed(&mut self, fixed: &'static str) {
        self.chars += fixed.len();
        self.tokens.push(Token::Fixed(fixed));
    }

    fn owned(&mut self, name: String) {
        self.chars += name.len();
        self.tokens.push(Token::Name(name));
    }

    fn form(&mut self, id: ValueId, place: Place) {
        let name = self.order.name(id);
        if self.notation == Notation::Plain {
            match name {
                Name::Number(number) => self.owned(number.to_string()),
                Name::Nimber(n) => self.owned(star_text(n)),
                _ => self.game(id, Place::Braces),
            }
            return;
        }
        match name {
            Name::Number(number) => self.owned(number.to_string()),
            Name::Nimber(n) => self.owned(star_text(n)),
            Name::NumberUpStar(sum) => {
                let compact = sum.number == Dyadic::ZERO && sum.star == 0;
                self.compound(number_up_star_text(sum), compact, place);
            }
            Name::Uptimal(uptimal) => {
                let compact = uptimal.number == Dyadic::ZERO && uptimal.star == 0;
                self.compound(uptimal_text(uptimal), compact, place);
            }
            Name::Braces if id.is_symmetric() => self.symmetric(id),
            Name::Braces => {
                if !self.tiny(id, place) {
                    self.game(id, place);
                }
            }
        }
    }

    /// Writes a name of several symbols, in parentheses where `+-` would split it.
    fn compound(&mut self, name: String, compact: bool, place: Place) {
        let parentheses = place == Place::Tight && !compact;
        self.owned(if parentheses {
            format!("({name})")
        } else {
            name
        });
    }

    /// Writes `+-` and Left's options: Right's are their negatives.
    fn symmetric(&mut self, id: ValueId) {
        self.fixed("+-");
        let options = self.order.options(id);
        if let [sole] = options.left[..] {
            self.steps.push(Step::Form(sole, Place::Tight));
            return;
        }
        self.fixed("{");
        self.steps.push(Step::Fixed("}"));
        self.push_options(&options.left, Place::Braces);
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
            self.steps.push(Step::Fixed(")"));
        }
        if number != Dyadic::ZERO {
            self.owned(number.to_string());
        }
        self.fixed(name);
        self.steps.push(Step::Fixed(")"));
        self.steps.push(Step::Form(subscript, Place::Braces));
        true
    }

    /// Returns the form plus a number, unless that is more work than a name is worth.
    fn translated(&self, id: ValueId, number: Dyadic) -> Option<ValueId> {
        if number == Dyadic::ZERO {
            return Some(id);
        }
        graph_size(self.arena, id, TRANSLATED_FOLLOWERS_MAX)?;
        let mut calculator = self.arena.calculator();
        let number = calculator.number(number).ok()?;
        calculator.sum(id, number).ok()
    }

    fn game(&mut self, id: ValueId, place: Place) {
        let options = self.order.options(id);
        self.frames.push(Frame {
            brace: self.tokens.len(),
            slashes: 0,
            inner: 0,
        });
        self.tokens.push(Token::Brace(false));
        self.steps.push(Step::Close(place));
        for side in [&options.right, &options.left] {
            let inside = if side.len() > 1 || self.notation == Notation::Plain {
                Place::Braces
            } else {
                Place::Slashes
            };
            self.push_options(side, inside);
            if std::ptr::eq(side, &options.right) {
                self.steps.push(Step::Middle);
            }
        }
    }

    /// Arranges for options to be written next, with commas.
    fn push_options(&mut self, options: &[ValueId], place: Place) {
        for (i, &option) in options.iter().enumerate().rev() {
            self.steps.push(Step::Form(option, place));
            if i > 0 {
                self.steps.push(Step::Fixed(","));
            }
        }
    }

    fn close(&mut self, place: Place) {
        let frame = self.frames.pop().expect("a game is open");
        let slashes = frame.inner + 1;
        self.chars += usize::from(slashes) - 1;
        self.tokens[frame.slashes] = Token::Slashes(slashes);
        if place != Place::Slashes || slashes == SLASHES_MAX {
            self.tokens[frame.brace] = Token::Brace(true);
            self.tokens.push(Token::Fixed("}"));
            self.chars += 2;
        } else if let Some(outer) = self.frames.last_mut() {
            outer.inner = outer.inner.max(slashes);
        }
    }
}

/// Returns x and r where the form is `{x||x|r}` and x exceeds the mean of r.
pub(crate) fn tiny_parts(arena: &Arena, id: ValueId) -> Option<(Dyadic, ValueId)> {
    let sole = |options: &[ValueId]| match options {
        &[option] => Some(option),
        _ => None,
    };
    let left = sole(&arena.left_options(id))?;
    let number = arena.number(left)?;
    let right = sole(&arena.right_options(id))?;
    if sole(&arena.left_options(right))? != left {
        return None;
    }
    let rest = sole(&arena.right_options(right))?;
    // No stop exceeds x, or the option would be reversible. So the mean is needed in one case only.
    let below = arena.left_stop(rest) < number
        || arena.right_stop(rest) < number
            && Thermographs::new(arena)
                .mean(rest)
                .is_some_and(|mean| mean < number);
    below.then_some((number, rest))
}

fn star_text(n: u32) -> String {
    match n {
        0 => String::new(),
        1 => "*".to_owned(),
        _ => format!("*{n}"),
    }
}

fn number_text(number: Dyadic) -> String {
    if number == Dyadic::ZERO {
        String::new()
    } else {
        number.to_string()
    }
}

fn number_up_star_text(sum: NumberUpStar) -> String {
    let arrow = if sum.ups < 0 { "v" } else { "^" };
    let ups = match sum.ups.unsigned_abs() {
        0 => String::new(),
        1 => arrow.to_owned(),
        n => format!("{arrow}{n}"),
    };
    format!("{}{ups}{}", number_text(sum.number), star_text(sum.star))
}

fn uptimal_text(uptimal: Uptimal) -> String {
    let arrow = if uptimal.down { "v" } else { "^" };
    let power = uptimal.power;
    let ups = match uptimal.shape {
        UptimalShape::Power => format!("{arrow}<{power}>"),
        UptimalShape::Sum => format!("{arrow}[{power}]"),
    };
    format!(
        "{}{ups}{}",
        number_text(uptimal.number),
        star_text(uptimal.star)
    )
}
