//! Values as text: the notation of CGSuite, so that a value can be pasted there, and plain nested
//! braces.
//!
//! [`Notation`] describes the output, and [`Calculator::parse`](super::Calculator::parse) the
//! input. The order of options is [structural](order), so it is the same in every run.
//!
//! Invariant: every text written parses back to the same value, within the limits of the parser.

mod order;
mod parse;
mod print;
mod style;

use std::fmt;

use order::{Name, StructuralOrder};
pub use parse::{
    Algebra, Amount, AmountOf, Arrows, Evaluation, Fraction, Literal, NESTING_MAX, Parsed,
    Relation, Statement, read,
};
pub use parse::{ParseValueError, RESERVED};
pub(crate) use parse::{read_constant, read_statement, variables};
pub(crate) use print::SLASHES_MAX;
use print::TextMemo;
pub use style::Notation;

use super::{Arena, Kind, ValueId};

/// A value that displays as its full text.
pub struct NotationText<'a> {
    arena: &'a Arena,
    id: ValueId,
    notation: Notation,
}

impl Arena {
    /// Returns the value in [`Notation::Standard`], for display in full.
    ///
    /// ```
    /// use cgvalues::Arena;
    ///
    /// let arena = Arena::new();
    /// let id = arena.calculator().parse("{{2|0}|{-2|-4}}")?;
    /// assert_eq!(arena.notation(id).to_string(), "{2|0||-2|-4}");
    /// # Ok::<(), cgvalues::ParseValueError>(())
    /// ```
    pub fn notation(&self, id: ValueId) -> NotationText<'_> {
        self.notation_as(id, Notation::Standard)
    }

    /// Returns the value in the given notation, for display in full.
    pub fn notation_as(&self, id: ValueId, notation: Notation) -> NotationText<'_> {
        NotationText {
            arena: self,
            id,
            notation,
        }
    }

    /// Returns the value in [`Notation::Standard`], or `None` where that takes more than
    /// `chars_max` characters.
    ///
    /// Time and memory are proportional to `chars_max` plus the sizes of the option lists visited,
    /// however long the full text would be.
    pub fn notation_limited(&self, id: ValueId, chars_max: usize) -> Option<String> {
        self.notation_as(id, Notation::Standard).limited(chars_max)
    }
}

impl NotationText<'_> {
    /// Returns the text, or `None` where it takes more than `chars_max` characters.
    pub fn limited(&self, chars_max: usize) -> Option<String> {
        let mut order = StructuralOrder::new(self.arena);
        let mut memo = TextMemo::new(self.arena);
        let mut text = String::new();
        let (id, notation) = (self.id, self.notation);
        print::append(&mut order, &mut memo, id, notation, chars_max, &mut text).then_some(text)
    }
}

/// Writes many values of an arena, with a memo of the names, the order and the texts of their
/// followers.
pub struct NotationWriter<'a> {
    order: StructuralOrder<'a>,
    memo: TextMemo<'a>,
}

impl<'a> NotationWriter<'a> {
    /// The memo is emptied once it has more entries than this. A run with two writers took 30 MB
    /// more for both.
    const REMEMBERED_MAX: usize = 1 << 17;

    /// Returns a writer of an arena's values.
    pub fn new(arena: &'a Arena) -> NotationWriter<'a> {
        NotationWriter {
            order: StructuralOrder::new(arena),
            memo: TextMemo::new(arena),
        }
    }

    /// Writes a value as [`NotationText::limited`] does.
    ///
    /// ```
    /// use cgvalues::{Arena, Notation, NotationWriter};
    ///
    /// let arena = Arena::new();
    /// let id = arena.calculator().parse("{1|{*|-1}}")?;
    /// let mut writer = NotationWriter::new(&arena);
    /// assert_eq!(writer.limited(id, Notation::Standard, 20).as_deref(), Some("{1||*|-1}"));
    /// assert_eq!(writer.limited(id, Notation::Standard, 5), None);
    /// # Ok::<(), cgvalues::ParseValueError>(())
    /// ```
    pub fn limited(&mut self, id: ValueId, notation: Notation, chars_max: usize) -> Option<String> {
        let mut text = String::new();
        self.append_limited(id, notation, chars_max, &mut text)
            .then_some(text)
    }

    /// Appends the text that [`NotationText::limited`] returns, if any; returns whether there was
    /// one.
    pub fn append_limited(
        &mut self,
        id: ValueId,
        notation: Notation,
        chars_max: usize,
        text: &mut String,
    ) -> bool {
        if self.order.remembered() > NotationWriter::REMEMBERED_MAX {
            self.order = StructuralOrder::new(self.order.arena());
        }
        let Self { order, memo } = self;
        print::append(order, memo, id, notation, chars_max, text)
    }

    /// Sorts values as the options of a form are sorted in a text: the same in every arena.
    ///
    /// ```
    /// use cgvalues::{Arena, NotationWriter};
    ///
    /// let arena = Arena::new();
    /// let mut c = arena.calculator();
    /// let mut values = [c.parse("*2")?, c.parse("1")?, c.parse("0")?];
    /// NotationWriter::new(&arena).sort(&mut values);
    /// assert_eq!(values.map(|id| arena.notation(id).to_string()), ["0", "1", "*2"]);
    /// # Ok::<(), cgvalues::ParseValueError>(())
    /// ```
    pub fn sort(&mut self, values: &mut [ValueId]) {
        values.sort_by(|&a, &b| self.order.compare(a, b));
    }

    /// Returns [`Kind::of`] the value, at lower cost where the value or a form that has it as a
    /// follower has been written.
    pub fn kind(&mut self, id: ValueId) -> Kind {
        let arena = self.order.arena();
        if let Some(kind) = Kind::at_a_look(arena, id) {
            return kind;
        }
        match self.order.name(id) {
            Name::NumberUpStar(_) => Kind::NumberUpStar,
            Name::Uptimal(_) => Kind::Uptimal,
            _ if self.order.tiny(id).is_some() => Kind::Tiny,
            _ if self.order.tiny(id.negative()).is_some() => Kind::Miny,
            _ => Kind::of_unnamed(arena, id),
        }
    }
}

impl fmt::Display for NotationText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = self.limited(usize::MAX);
        f.pad(&text.expect("a text of any length fits"))
    }
}

#[cfg(test)]
mod tests {
    use super::order::non_numbers;
    use proptest::prelude::*;

    use super::super::samples;
    use super::*;

    fn rewritten(text: &str) -> String {
        let arena = Arena::new();
        let id = arena.calculator().parse(text).unwrap();
        arena.notation(id).to_string()
    }

    #[test]
    fn names_and_slashes_are_those_of_cgsuite() {
        for text in [
            "0",
            "-5/8",
            "*",
            "*12",
            "^",
            "v",
            "^3",
            "v9*8",
            "1/2^*",
            "9/8*",
            "-1v2*3",
            "73/16v9*8",
            "^<2>",
            "v<3>*",
            "1^<2>*5",
            "^[4]",
            "^[2]*",
            "{0|^<2>}",
            "{0|-2}",
            "{1||*|-1}",
            "{2|0||-2|-4}",
            "+-1/2",
            "+-(1*)",
            "+-{3|1}",
            "+-{*,^}",
            "+-{1/8||^3|*}",
            "{*,^|0,*}",
            "{0,*|*,v}",
            "{0,{1|0}|-1}",
            "{1/2,{7/2|0}|-1}",
            "{0||0|v3}",
            "{^3|v2}",
            "Tiny(3/2)",
            "Miny(1/2)",
            "Tiny({3|1})",
            "Miny({5||3|1})",
            "Tiny({2|0})",
            "{0|||0||0,{6|v}|-1}",
            "3Tiny({3|1})",
            "1Tiny(2)",
            "-1/2Miny(1)",
            "{1|^2||^}",
            "{3||2*|1*}",
            "{3/2*|1/2||{0|-3},{-1*,{-1/2|-1*}|-5/2}}",
            "{0||0,v*|v2|||{0||0,v*|v2},{0||0,v*|v2|||v2,{0,v*|v2}}|{0||0,v*|v2|||v2,{0,v*|v2}||||v2}}",
        ] {
            assert_eq!(rewritten(text), text);
        }
    }

    #[test]
    fn names_win_over_options() {
        for (text, name) in [
            ("{0|*2}", "^*3"),
            ("{0|{0|v*}}", "{0|^<2>}"),
            ("{0|v*}", "^<2>"),
            ("{0,*|v}", "^<2>*"),
            ("{{{{0|*}|*}|*}|*}", "^[4]"),
            ("{^|0,*}", "v<2>*"),
            ("{*,^|*,v}", "+-{*,^}"),
            ("{0||0|-1}", "Tiny(1)"),
            ("{1/2|0||0}", "Miny(1/2)"),
            ("{0||0|^}", "^3"),
            ("{3|1||-1|-3}", "+-{3|1}"),
            ("{9||||8|||7||6|5}", "{9||||8|||7||6|5}"),
            ("{10|{9|{8|{7|{6|5}}}}}", "{10|{9||||8|||7||6|5}}"),
        ] {
            assert_eq!(rewritten(text), name, "{text}");
        }
    }

    #[test]
    fn two_ups_are_two_arrows_in_the_notation_of_cgsuite() {
        let arena = Arena::new();
        let mut c = arena.calculator();
        for (text, written) in [
            ("^2", "^^"),
            ("v2*3", "vv*3"),
            ("1/2^2*", "1/2^^*"),
            ("^3", "^3"),
            ("^", "^"),
            ("+-^2", "+-^^"),
            ("{2|^2*}", "{2|^^*}"),
            ("^[2]", "^[2]"),
        ] {
            let id = c.parse(text).unwrap();
            let shown = arena.notation_as(id, Notation::CgSuite).to_string();
            assert_eq!(shown, written);
            assert_eq!(c.parse(&shown), Ok(id));
            assert_eq!(arena.notation(id).to_string(), text);
        }
    }

    #[test]
    fn plain_notation_knows_numbers_and_nimbers_alone() {
        let arena = Arena::new();
        let mut c = arena.calculator();
        for (text, plain) in [
            ("1/2^*", "{1/2,{1/2|1/2}|1/2}"),
            ("^", "{0|*}"),
            ("Tiny(2)", "{0|{0|-2}}"),
            ("+-{*,^}", "{*,{0|*}|*,{*|0}}"),
            ("*3", "*3"),
        ] {
            let id = c.parse(text).unwrap();
            let written = arena.notation_as(id, Notation::Plain).to_string();
            assert_eq!(written, plain);
            assert_eq!(c.parse(&written), Ok(id));
        }
    }

    #[test]
    fn every_game_born_by_day_3_reads_back() {
        let arena = Arena::new();
        let mut c = arena.calculator();
        let games = samples::born_by(&mut c, 3);
        assert_eq!(games.len(), 1_474);
        let mut texts = Vec::new();
        for id in games {
            for notation in Notation::ALL {
                let text = arena.notation_as(id, notation).to_string();
                assert_eq!(c.parse(&text), Ok(id), "{text}");
                if notation == Notation::Standard {
                    texts.push(text);
                }
            }
        }
        // The ids differ; the texts are the same.
        let other = Arena::new();
        let mut c = other.calculator();
        for text in texts.iter().rev() {
            let id = c.parse(text).unwrap();
            assert_eq!(other.notation(id).to_string(), *text);
        }
    }

    #[test]
    fn a_limit_ends_exponentially_long_texts_early() {
        let arena = Arena::new();
        let mut c = arena.calculator();
        // Each game holds the one before twice: as an option, and within one.
        let mut id = c.parse("{1|-1}").unwrap();
        for step in 1..60 {
            let mut number = |n| c.number(crate::Dyadic::integer(n)).unwrap();
            let (low, high) = (number(2 * step), number(2 * step + 1));
            let threat = c.canonical(&mut vec![low], &mut vec![id]).unwrap();
            id = c.canonical(&mut vec![high], &mut vec![id, threat]).unwrap();
        }
        assert!(non_numbers(&arena, id, 200).is_some());
        assert_eq!(arena.notation_limited(id, 1_000_000), None);
        assert_eq!(arena.notation_limited(id, 4096), None);
        let short = c.parse("{2|0||-2|-4}").unwrap();
        assert_eq!(arena.notation_limited(short, 11), None);
        assert_eq!(
            arena.notation_limited(short, 12).as_deref(),
            Some("{2|0||-2|-4}")
        );
    }

    #[test]
    fn a_writer_tells_the_kinds_that_a_look_from_scratch_tells() {
        let arena = Arena::new();
        let mut c = arena.calculator();
        let mut ids = samples::born_by(&mut c, 2);
        for text in [
            "^<2>",
            "1v[3]*2",
            "Tiny(2)",
            "Miny({2|1/2})",
            "1Tiny(1)",
            "{1||1|0}",
            "{2^|*3}",
            "{^<2>||0|-1}",
        ] {
            ids.push(c.parse(text).unwrap());
        }
        let mut writer = NotationWriter::new(&arena);
        let mut kinds = std::collections::BTreeSet::new();
        for id in ids.iter().flat_map(|&id| [id, id.negative()]) {
            let kind = Kind::of(&arena, id);
            assert_eq!(writer.kind(id), kind);
            assert_eq!(writer.kind(id), kind, "once it is known");
            kinds.insert(kind.name());
        }
        assert!(kinds.len() > 10, "{kinds:?}");
    }

    #[test]
    fn deep_forms_are_written_without_recursion() {
        let arena = Arena::new();
        let mut c = arena.calculator();
        let mut id = c.parse("+-1").unwrap();
        for n in 2..20_000 {
            let number = c.number(crate::Dyadic::integer(n)).unwrap();
            id = c.canonical(&mut vec![number], &mut vec![id]).unwrap();
        }
        let text = arena.notation(id).to_string();
        assert!(
            text.starts_with("{19999|||19998||19997|{19996||||19995|||") || text.len() > 100_000
        );
        assert_eq!(text.matches('{').count(), text.matches('}').count());
    }

    proptest! {
        #[test]
        fn random_forms_read_back(tree in samples::trees()) {
            let arena = Arena::new();
            let mut c = arena.calculator();
            let id = tree.value(&mut c);
            for id in [id, id.negative()] {
                for notation in Notation::ALL {
                    let text = arena.notation_as(id, notation).to_string();
                    prop_assert_eq!(c.parse(&text), Ok(id), "{}", text);
                }
                prop_assert_eq!(NotationWriter::new(&arena).kind(id), Kind::of(&arena, id));
            }
        }

        /// A writer remembers texts, and which forms have too long ones; options come first here.
        #[test]
        fn a_writer_limits_texts_by_their_lengths(tree in samples::trees(), chars_max in 0usize..80) {
            let arena = Arena::new();
            let id = tree.value(&mut arena.calculator());
            let mut ids = non_numbers(&arena, id, usize::MAX).unwrap_or_default();
            ids.extend(ids.clone());
            let mut writer = NotationWriter::new(&arena);
            for notation in Notation::ALL {
                for limit in [chars_max, chars_max + 1] {
                    for &id in &ids {
                        let text = arena.notation_as(id, notation).to_string();
                        let expected = (text.len() <= limit).then_some(text);
                        prop_assert_eq!(writer.limited(id, notation, limit), expected);
                    }
                }
            }
        }

        #[test]
        fn the_order_of_options_is_total(trees in proptest::collection::vec(samples::trees(), 3)) {
            let arena = Arena::new();
            let mut c = arena.calculator();
            let ids: Vec<ValueId> = trees.iter().map(|tree| tree.value(&mut c)).collect();
            let mut order = order::StructuralOrder::new(&arena);
            for &a in &ids {
                for &b in &ids {
                    let ab = order.compare(a, b);
                    prop_assert_eq!(ab, order.compare(b, a).reverse());
                    prop_assert_eq!(ab.is_eq(), a == b);
                    for &d in &ids {
                        if ab.is_le() && order.compare(b, d).is_le() {
                            prop_assert!(order.compare(a, d).is_le());
                        }
                    }
                }
            }
        }
    }
}
