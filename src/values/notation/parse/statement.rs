//! Statements about values: a value, or a comparison of two.

use std::fmt;

use super::super::super::{Calculator, Comparison, ParseValueError, ValueId};
use super::{Algebra, Evaluation, Parsed, Parser};

/// What a text says about two values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Relation {
    /// `<`
    Less,
    /// `<=`, `≤`
    LessOrEqual,
    /// `>`
    Greater,
    /// `>=`, `≥`
    GreaterOrEqual,
    /// `=`, `==`
    Equal,
    /// `!=`, `≠`
    Different,
    /// `<>`, `||`, `∥`: neither is at least the other.
    Confused,
    /// `<|`: less or confused.
    LessOrConfused,
    /// `|>`: greater or confused.
    GreaterOrConfused,
    /// `<=>`: asks which relation there is.
    Any,
}

/// All texts of relations. One that begins another comes after it.
const RELATIONS: [(&str, Relation); 16] = [
    ("<=>", Relation::Any),
    ("<=", Relation::LessOrEqual),
    ("≤", Relation::LessOrEqual),
    ("<>", Relation::Confused),
    ("||", Relation::Confused),
    ("∥", Relation::Confused),
    ("<|", Relation::LessOrConfused),
    ("|>", Relation::GreaterOrConfused),
    ("<", Relation::Less),
    (">=", Relation::GreaterOrEqual),
    ("≥", Relation::GreaterOrEqual),
    (">", Relation::Greater),
    ("==", Relation::Equal),
    ("=", Relation::Equal),
    ("!=", Relation::Different),
    ("≠", Relation::Different),
];

impl Relation {
    /// Returns whether the relation holds for two values that compare in this way.
    ///
    /// ```
    /// use cgvalues::{Comparison, Relation};
    ///
    /// assert!(Relation::LessOrConfused.holds(Comparison::Confused));
    /// assert!(!Relation::LessOrConfused.holds(Comparison::Equal));
    /// ```
    pub fn holds(self, comparison: Comparison) -> bool {
        use Comparison::{Confused, Equal, Greater, Less};
        match self {
            Relation::Less => comparison == Less,
            Relation::LessOrEqual => matches!(comparison, Less | Equal),
            Relation::Greater => comparison == Greater,
            Relation::GreaterOrEqual => matches!(comparison, Greater | Equal),
            Relation::Equal => comparison == Equal,
            Relation::Different => comparison != Equal,
            Relation::Confused => comparison == Confused,
            Relation::LessOrConfused => matches!(comparison, Less | Confused),
            Relation::GreaterOrConfused => matches!(comparison, Greater | Confused),
            Relation::Any => true,
        }
    }
}

impl fmt::Display for Relation {
    /// Writes the shortest text.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let texts = RELATIONS.iter().filter(|(_, relation)| relation == self);
        let text = texts.min_by_key(|(text, _)| text.len());
        let text = text.map_or("", |(text, _)| text);
        f.pad(text)
    }
}

/// A value or a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Statement<V = ValueId> {
    /// A value.
    Value(V),
    /// A relation of two values, which may hold or not.
    Comparison(V, Relation, V),
}

impl Calculator<'_> {
    /// Reads a value, or two with a relation between them: `<`, `<=`, `>`, `>=`, `=`, `!=`, `<>` for
    /// confused, `<|` and `|>` for less or confused and greater or confused, `<=>` to ask.
    ///
    /// These are the relations of CGSuite; `==`, `||`, `≤`, `≥`, `≠` and `∥` are read, too. Since
    /// `^<2>` is a power of up, ups need a blank before a relation.
    ///
    /// # Errors
    ///
    /// Those of [`parse`](Calculator::parse).
    ///
    /// ```
    /// use cgvalues::{Arena, Comparison, Statement};
    ///
    /// let arena = Arena::new();
    /// let mut c = arena.calculator();
    /// let Statement::Comparison(up, relation, star) = c.parse_statement("^ > *")? else {
    ///     unreachable!("there is a relation");
    /// };
    /// let found = c.compare(up, star);
    /// assert_eq!((found, relation.holds(found)), (Comparison::Confused, false));
    /// # Ok::<(), cgvalues::ParseValueError>(())
    /// ```
    pub fn parse_statement(&mut self, text: &str) -> Result<Statement, ParseValueError> {
        let mut evaluation = Evaluation {
            calculator: self,
            binding: &[],
        };
        read_statement(text, &mut evaluation)
    }
}

/// Reads a value or a comparison without variables.
pub(crate) fn read_statement<A: Algebra>(
    text: &str,
    algebra: &mut A,
) -> Parsed<Statement<A::Value>> {
    Parser::new(text, false, algebra)?.statement()
}

impl<A: Algebra> Parser<'_, A> {
    fn statement(&mut self) -> Parsed<Statement<A::Value>> {
        let left = self.value()?;
        if self.peek().is_none() {
            return Ok(Statement::Value(left));
        }
        let rest = &self.chars[self.at..];
        let begins = |text: &str| {
            let mut rest = rest.iter();
            text.chars().all(|c| rest.next() == Some(&c))
        };
        let relation = RELATIONS.iter().find(|(text, _)| begins(text));
        let Some((text, relation)) = relation else {
            return Err(
                self.unexpected("an operator, a relation such as <= or the end of the text")
            );
        };
        self.at += text.chars().count();
        Ok(Statement::Comparison(left, *relation, self.whole()?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Arena;
    use crate::samples;

    /// The relation that holds, by play of the difference.
    fn by_play(c: &mut Calculator<'_>, g: ValueId, h: ValueId) -> [bool; 2] {
        let difference = c.difference(g, h).unwrap();
        [difference, difference.negative()].map(|id| c.le(ValueId::ZERO, id))
    }

    #[test]
    fn relations_of_early_games_hold_as_play_has_it() {
        let arena = Arena::new();
        let mut c = arena.calculator();
        let games = samples::born_by(&mut c, 2);
        for &g in &games {
            for &h in &games {
                let [at_least, at_most] = by_play(&mut c, g, h);
                let [left, right] = [g, h].map(|id| arena.notation(id).to_string());
                for (text, relation) in RELATIONS {
                    let expected = match text {
                        "<=>" => true,
                        "<=" | "≤" => at_most,
                        ">=" | "≥" => at_least,
                        "<" => at_most && !at_least,
                        ">" => at_least && !at_most,
                        "=" | "==" => at_most && at_least,
                        "!=" | "≠" => !(at_most && at_least),
                        "<>" | "||" | "∥" => !at_most && !at_least,
                        "<|" => !at_least,
                        "|>" => !at_most,
                        _ => unreachable!("no relation {text}"),
                    };
                    let statement = c.parse_statement(&format!("{left} {text} {right}"));
                    assert_eq!(statement, Ok(Statement::Comparison(g, relation, h)));
                    assert_eq!(
                        relation.holds(c.compare(g, h)),
                        expected,
                        "{left} {text} {right}"
                    );
                    assert_eq!(
                        c.parse_statement(&format!("{left} {relation}{right}")),
                        statement
                    );
                }
                assert_eq!(c.parse_statement(&left), Ok(Statement::Value(g)));
            }
        }
    }

    #[test]
    fn other_texts_are_refused() {
        let arena = Arena::new();
        let mut c = arena.calculator();
        for (text, message) in [
            (
                "1 ~ 2",
                "character 3: expected an operator, a relation such as <= or the end of the text, found '~'",
            ),
            (
                "1 < 2 < 3",
                "character 7: expected an operator or the end of the text, found '<'",
            ),
            (
                "1 <",
                "character 4: expected a value, such as 1/2, *2, ^, {1|0}, Tiny(1) or +-1, found the end of the text",
            ),
        ] {
            assert_eq!(c.parse_statement(text).unwrap_err().to_string(), message);
        }
    }
}
