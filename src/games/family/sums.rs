//! Sums of components with variables in them, such as `knight(i,j) + nim(3)`: one sum for each
//! combination of their values.

use cgvalues::RESERVED;
use thiserror::Error;

use super::product;
use super::values::Values;
use crate::game::SumKind;
use crate::game::impartial::{Sum, SumError, SumErrorKind};

/// A sum whose numbers may be variables, over the values of the variables.
///
/// The variables are in order of first appearance in the sum, the first slowest. A sum without
/// variables is one member.
///
/// ```
/// use cggames::family::SumFamily;
/// use cggames::game::SumKind;
///
/// let ranges = vec![('j', "0..=2".parse()?), ('i', "3..=4".parse()?)];
/// let family = SumFamily::new("knight( i, j )+nim(2)", SumKind::Obligated, ranges)?;
/// assert_eq!((family.text(), family.len()), ("knight(i,j) + nim(2)", 6));
/// let (sum, numbers) = family.get(4);
/// assert_eq!((sum.to_string().as_str(), &numbers[..]), ("knight(4,1) + nim(2)", &[4, 1][..]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SumFamily {
    pieces: Vec<Fragment>,
    text: String,
    variables: Vec<char>,
    /// In the order of the variables.
    values: Vec<Values>,
    len: u64,
}

/// A fragment of the text of a sum.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Fragment {
    Text(String),
    /// A variable, by its index.
    Variable(usize),
}

/// The reason why a text and the values of its variables give no sums.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SumFamilyError {
    /// A variable of the sum has no values.
    #[error("the sum's variable {variable} has no range; write {variable} = \"0..=24\"")]
    Unbound {
        /// The variable.
        variable: char,
    },
    /// Values for a variable that the sum lacks.
    #[error("the sum {text} has no variable {variable}")]
    Unused {
        /// The variable.
        variable: char,
        /// The sum.
        text: String,
    },
    /// A variable in a subtraction set.
    #[error(
        "the variable {variable} in a subtraction set; write its numbers out, as in subtraction(1,3)(n)"
    )]
    InSet {
        /// The variable.
        variable: char,
    },
    /// A variable with the name of something else.
    #[error(
        "{found} is no name of a variable, since v is down and e is a full pot; accepted: the other letters from a to z"
    )]
    Reserved {
        /// The letter.
        found: char,
        /// Its place, in characters from 1.
        at: usize,
    },
    /// An ordered group of components in a disjunctive sum.
    #[error("\">\" in a disjunctive sum, in which nothing has to be finished first; write \"+\"")]
    NotFree {
        /// The place of the sign, in characters from 1.
        at: usize,
    },
    /// A text that is not a sum, perhaps only for some values of the variables.
    #[error("{source}{place}")]
    Sum {
        /// The error; its place is in the text with variables.
        source: SumError,
        /// The values, as text after a blank; empty where they do not matter.
        place: String,
    },
    /// More combinations than a family can count.
    #[error("the sum has more than 2^64 members; narrow the ranges")]
    TooMany,
}

impl SumFamilyError {
    /// Returns the place in the text of the sum, in characters from 1, if there is one.
    pub fn at(&self) -> Option<usize> {
        match self {
            SumFamilyError::NotFree { at } | SumFamilyError::Reserved { at, .. } => Some(*at),
            SumFamilyError::Sum { source, .. } => Some(source.at),
            _ => None,
        }
    }

    /// Returns whether an argument of a component is neither a number nor a variable.
    pub fn is_argument(&self) -> bool {
        let no_number = |source: &SumError| matches!(source.kind, SumErrorKind::NoNumber { .. });
        matches!(self, SumFamilyError::Sum { source, .. } if no_number(source))
    }
}

impl SumFamily {
    /// Binds the variables of a sum. Checks only the sums at the least and at the greatest values:
    /// all limits are monotone in every number, so these two checks cover all combinations.
    ///
    /// # Errors
    ///
    /// A text that is not a sum, numbers that a component cannot have, a variable without values,
    /// values without a variable, more than 2^64 combinations, and groups in a disjunctive sum.
    pub fn new(
        text: &str,
        added: SumKind,
        bindings: Vec<(char, Values)>,
    ) -> Result<SumFamily, SumFamilyError> {
        let (pieces, variables) = pieces(text)?;
        // A malformed sum is reported before a missing range.
        let unbound = |variable: &char| !bindings.iter().any(|(name, _)| name == variable);
        if let Some(&variable) = variables.iter().find(|variable| unbound(variable)) {
            let ones = vec![1; variables.len()];
            expand(&pieces, &variables, &ones)?;
            return Err(SumFamilyError::Unbound { variable });
        }
        let values = variables.iter().filter_map(|variable| {
            let bound = bindings.iter().find(|(name, _)| name == variable);
            bound.map(|(_, values)| values.clone())
        });
        let values: Vec<Values> = values.collect();
        let least: Vec<i64> = values.iter().map(Values::min).collect();
        let greatest: Vec<i64> = values.iter().map(Values::max).collect();
        expand(&pieces, &variables, &least)?;
        expand(&pieces, &variables, &greatest)?;
        let text = written(&pieces, &variables);
        if let Some((variable, _)) = bindings.iter().find(|(name, _)| !variables.contains(name)) {
            let variable = *variable;
            return Err(SumFamilyError::Unused { variable, text });
        }
        let given: String = pieces.iter().map(|piece| piece.text(&variables)).collect();
        match given.chars().position(|sign| sign == '>') {
            Some(place) if added == SumKind::Disjunctive => {
                return Err(SumFamilyError::NotFree { at: place + 1 });
            }
            _ => {}
        }
        Ok(SumFamily {
            len: product::count(&values).ok_or(SumFamilyError::TooMany)?,
            pieces,
            text,
            variables,
            values,
        })
    }

    /// Returns the sum with its variables, without needless blanks.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the variables, in order of first appearance.
    pub fn variables(&self) -> &[char] {
        &self.variables
    }

    /// Returns the values of each variable.
    pub fn values(&self) -> &[Values] {
        &self.values
    }

    /// Returns the number of sums.
    #[expect(clippy::len_without_is_empty, reason = "values are never empty")]
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Returns the sum at `rank` and the values of the variables there.
    ///
    /// # Panics
    ///
    /// If `rank` is not below [`SumFamily::len`].
    pub fn get(&self, rank: u64) -> (Sum, Vec<i64>) {
        assert!(rank < self.len, "the rank is below the number of members");
        let combination = product::combination(&self.values, rank);
        let sum = self.expand(&combination);
        let sum = sum.expect("every combination lies between the two that were checked");
        (sum, combination)
    }

    /// Returns the sum with these numbers in place of the variables.
    ///
    /// # Errors
    ///
    /// Numbers that a component cannot have.
    pub fn expand(&self, numbers: &[i64]) -> Result<Sum, SumFamilyError> {
        expand(&self.pieces, &self.variables, numbers)
    }

    /// Returns the sum of the greatest values of all variables.
    pub fn greatest(&self) -> Sum {
        let greatest: Vec<i64> = self.values.iter().map(Values::max).collect();
        let sum = self.expand(&greatest);
        sum.expect("the greatest combination was checked when the family was made")
    }
}

impl Fragment {
    fn text<'a>(&'a self, variables: &[char]) -> std::borrow::Cow<'a, str> {
        match self {
            Fragment::Text(text) => text.into(),
            Fragment::Variable(of) => variables[*of].to_string().into(),
        }
    }
}

/// Splits a text at the variables: the lowercase letters that stand alone between parentheses and
/// commas, but for those that name something else.
fn pieces(text: &str) -> Result<(Vec<Fragment>, Vec<char>), SumFamilyError> {
    let mut pieces = Vec::new();
    let mut variables: Vec<char> = Vec::new();
    let mut rest = text;
    while let Some(open) = rest.find('(') {
        let inside = &rest[open + 1..];
        let close = inside.find(')').unwrap_or(inside.len());
        pieces.push(Fragment::Text(rest[..=open].to_owned()));
        let (inside, behind) = inside.split_at(close);
        let is_set = behind
            .get(1..)
            .is_some_and(|behind| behind.trim_start().starts_with('('));
        for (place, part) in inside.split(',').enumerate() {
            if place > 0 {
                pieces.push(Fragment::Text(",".to_owned()));
            }
            let mut letters = part.trim().chars();
            match (letters.next(), letters.next()) {
                (Some(variable @ 'a'..='z'), None) => {
                    if is_set {
                        return Err(SumFamilyError::InSet { variable });
                    }
                    let blanks = part.len() - part.trim_start().len();
                    if RESERVED.contains(&variable) {
                        let before = pieces
                            .iter()
                            .map(|piece| piece.text(&variables).chars().count());
                        return Err(SumFamilyError::Reserved {
                            found: variable,
                            at: before.sum::<usize>() + part[..blanks].chars().count() + 1,
                        });
                    }
                    let known = variables.iter().position(|known| *known == variable);
                    let of = known.unwrap_or(variables.len());
                    if of == variables.len() {
                        variables.push(variable);
                    }
                    pieces.push(Fragment::Text(part[..blanks].to_owned()));
                    pieces.push(Fragment::Variable(of));
                    pieces.push(Fragment::Text(part[blanks + 1..].to_owned()));
                }
                _ => pieces.push(Fragment::Text(part.to_owned())),
            }
        }
        rest = behind;
    }
    pieces.push(Fragment::Text(rest.to_owned()));
    Ok((pieces, variables))
}

/// Returns the sum with numbers in place of the variables.
fn expand(pieces: &[Fragment], variables: &[char], numbers: &[i64]) -> Result<Sum, SumFamilyError> {
    let texts = pieces.iter().map(|piece| match piece {
        Fragment::Text(text) => text.clone(),
        Fragment::Variable(of) => numbers[*of].to_string(),
    });
    let texts: Vec<String> = texts.collect();
    texts.concat().parse().map_err(|error: SumError| {
        let matters = match &error.kind {
            SumErrorKind::Component(_) | SumErrorKind::Huge { .. } => true,
            SumErrorKind::NoNumber { found } => found.starts_with('-'),
            _ => false,
        };
        let bound = variables.iter().zip(numbers);
        let bound: Vec<String> = bound
            .map(|(name, number)| format!("{name}={number}"))
            .collect();
        let place = if matters && !bound.is_empty() {
            format!(" at {}", bound.join(","))
        } else {
            String::new()
        };
        // Maps the place of the error to the text with variables: the fragments before it, plus its
        // offset within a text fragment.
        let (mut left, mut at) = (error.at - 1, 1);
        for (piece, text) in pieces.iter().zip(&texts) {
            let length = text.chars().count();
            if left < length {
                at += if matches!(piece, Fragment::Text(_)) {
                    left
                } else {
                    0
                };
                left = 0;
                break;
            }
            left -= length;
            at += if matches!(piece, Fragment::Text(_)) {
                length
            } else {
                1
            };
        }
        let source = SumError {
            at: at + left,
            kind: error.kind,
        };
        SumFamilyError::Sum { source, place }
    })
}

/// Writes a sum with its variables, with blanks only around the signs between components.
fn written(pieces: &[Fragment], variables: &[char]) -> String {
    let text: String = pieces.iter().map(|piece| piece.text(variables)).collect();
    let text = text.split_whitespace().collect::<String>();
    text.replace('+', " + ").replace('>', " > ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn family(text: &str, bindings: &[(char, &str)]) -> Result<SumFamily, SumFamilyError> {
        let bindings = bindings.iter();
        let bindings = bindings.map(|(name, values)| (*name, values.parse().expect("values")));
        SumFamily::new(text, SumKind::Obligated, bindings.collect())
    }

    #[test]
    fn ranks_count_the_combinations_and_the_first_variable_is_the_slowest() {
        for (text, printed, ranges) in [
            (
                "knight(i,j)",
                "knight(i,j)",
                &[('j', "0..=3"), ('i', "1..=2")][..],
            ),
            (
                "nim( n , 4,n)>.77( m )+ subtraction(1, 3)(k)",
                "nim(n,4,n) > .77(m) + subtraction(1,3)(k)",
                &[('n', "0..=9/3"), ('m', "7"), ('k', "2..=3")],
            ),
            ("0 > nim(1)", "0 > nim(1)", &[]),
        ] {
            let family = family(text, ranges).expect(text);
            assert_eq!(family.text(), printed);
            let mut ranks = 0..family.len();
            let mut combinations = vec![Vec::new()];
            for values in family.values() {
                let longer = |place: Vec<i64>| {
                    values
                        .iter()
                        .map(move |value| [&place[..], &[value]].concat())
                };
                combinations = combinations.into_iter().flat_map(longer).collect();
            }
            for combination in combinations {
                let (sum, numbers) = family.get(ranks.next().expect("a rank"));
                assert_eq!(numbers, combination);
                assert_eq!(Ok(sum), family.expand(&combination));
            }
            assert_eq!(ranks.next(), None);
            assert_eq!(family.get(family.len() - 1).0, family.greatest());
        }
        let family =
            family("knight(j,i) + kayles(i)", &[('i', "3"), ('j', "5")]).expect("a family");
        assert_eq!(family.variables(), ['j', 'i']);
        assert_eq!(family.get(0).0.to_string(), "knight(5,3) + kayles(3)");
    }

    #[test]
    fn what_is_no_sum_is_refused_with_its_place() {
        let i = &[('i', "0..=5")][..];
        for (text, ranges, at, part) in [
            (
                "knight(i,j)",
                i,
                None,
                "variable j has no range; write j = \"0..=24\"",
            ),
            (
                "kayles(i)",
                &[('i', "1"), ('k', "2")],
                None,
                "the sum kayles(i) has no variable k",
            ),
            ("kayles(3)", i, None, "the sum kayles(3) has no variable i"),
            (
                "knight(i)",
                i,
                Some(1),
                "takes 2 numbers, the column and the row, 1 are given",
            ),
            ("kayles(ij) + nim(i)", i, Some(8), "\"ij\" is no number"),
            (
                "nim(2) + chess(i)",
                i,
                Some(10),
                "unknown heap game \"chess\"",
            ),
            (
                "nim(i) + chess(j)",
                i,
                Some(10),
                "unknown heap game \"chess\"",
            ),
            ("nim(1) + nim(1, i", i, Some(13), "not closed"),
            (
                "nim(1) + nim(1, i)",
                &[('i', "-2..=3")],
                Some(17),
                "\"-2\" is no number; whole numbers are accepted, with commas between them (at character 17 of the sum) at i=-2",
            ),
            (
                "wythoff(i,7) + wythoff(0,i)",
                &[('i', "0..=1001")],
                Some(1),
                "1001 is too large for a queen's coordinate; at most 1000 is accepted (at character 1 of the sum) at i=1001",
            ),
            (
                "nim(i) + knight(i,i)",
                &[('i', "0..=1001")],
                Some(10),
                "2002 is too large for the sum of a knight's coordinates",
            ),
            ("checkers(3,i)", i, Some(1), "square 0, which is the wall"),
            (
                "subtraction(1,i)(7)",
                i,
                None,
                "the variable i in a subtraction set",
            ),
            ("nim(i) nim(2)", i, Some(8), "'n' where"),
        ] {
            let error = family(text, ranges).expect_err(text);
            let message = error.to_string();
            assert!(message.contains(part), "{text}: {message}");
            assert_eq!(error.at(), at, "{text}: {message}");
        }
        let ranges = ['a', 'b', 'c', 'd'].map(|name| (name, "0..=9999"));
        assert!(family("nim(a,b,c,d)", &ranges).is_ok());
        let ranges = ['a', 'b', 'c', 'd', 'f'].map(|name| (name, "0..=9999"));
        assert_eq!(
            family("nim(a,b,c,d,f)", &ranges),
            Err(SumFamilyError::TooMany)
        );
        let groups = "kayles(n) + nim(2) > nim(3)";
        let bindings = || vec![('n', "1..=3".parse().expect("values"))];
        assert!(SumFamily::new(groups, SumKind::Obligated, bindings()).is_ok());
        assert_eq!(
            SumFamily::new(groups, SumKind::Disjunctive, bindings()),
            Err(SumFamilyError::NotFree { at: 20 })
        );
    }
}
