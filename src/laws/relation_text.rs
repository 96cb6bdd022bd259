//! Relations in words and in LaTeX.

use super::rational::Rational;
use super::relation::{Relation, RelationKind};
use super::sums::{Writing, power, shifted, sum, variable};

impl Relation {
    /// Writes the relation, as in `b at n = partial sums of a up to n-1`. Places of the source are
    /// written as `m = 2*n` if its variable differs.
    pub fn text(&self) -> String {
        let (target, source, [variable, other]) = (&self.target, &self.source, &self.variables);
        let place = |place: String| {
            if variable == other {
                place
            } else {
                format!("{other} = {place}")
            }
        };
        let at = |shift: i64| place(shifted(variable, shift.into()));
        let plus = |constant: Rational| match (constant.numerator(), constant.to_string()) {
            (0, _) => String::new(),
            (..0, text) => format!(" minus {}", text.trim_start_matches('-')),
            (_, text) => format!(" plus {text}"),
        };
        let given = match self.kind {
            RelationKind::Equal => format!("{source} at {}", at(0)),
            RelationKind::Shift { shift } => format!("{source} at {}", at(shift)),
            RelationKind::Section { step, offset } => {
                let section = section(variable, step, offset, Writing::Compact);
                format!("{source} at {}", place(section))
            }
            RelationKind::Differences { shift } => {
                let (to, from) = (at(shift), at(shift - 1));
                format!("{source} at {to} minus {source} at {from}")
            }
            RelationKind::Sums { shift, constant } => {
                let to = at(shift);
                format!("partial sums of {source} up to {to}{}", plus(constant))
            }
            RelationKind::Affine { factor, constant } => {
                let times = match factor {
                    Rational::ONE => String::new(),
                    _ => format!("{factor} times "),
                };
                format!("{times}{source} at {}{}", at(0), plus(constant))
            }
        };
        format!("{target} at {variable} = {given}")
    }

    /// Writes the relation as LaTeX mathematics, with b for the target and a for the source,
    /// because their names are prose.
    pub fn latex(&self) -> String {
        let name = variable(&self.variables[0], Writing::Latex);
        let at = |shift: i64| format!("a({})", shifted(&name, shift.into()));
        // The sign, and the rest of a term.
        let term = |x: Rational, factor: &str| {
            let size = x.numerator().unsigned_abs();
            let text = match (size, x.denominator()) {
                (1, 1) if !factor.is_empty() => factor.to_owned(),
                (_, 1) => format!("{size} {factor}"),
                (_, below) => format!("\\frac{{{size}}}{{{below}}} {factor}"),
            };
            (x.numerator().signum(), text.trim_end().to_owned())
        };
        let given = match self.kind {
            RelationKind::Equal => at(0),
            RelationKind::Shift { shift } => at(shift),
            RelationKind::Section { step, offset } => {
                format!("a({})", section(&name, step, offset, Writing::Latex))
            }
            RelationKind::Differences { shift } => format!("{} - {}", at(shift), at(shift - 1)),
            RelationKind::Sums { shift, constant } => {
                let to = power("", &shifted(&name, shift.into()), Writing::Latex);
                let sums = format!("\\sum_{{k={}}}{to} a(k)", self.source_first);
                let terms = [term(Rational::ONE, &sums), term(constant, "")];
                sum(terms, Writing::Latex)
            }
            RelationKind::Affine { factor, constant } => {
                sum([term(factor, &at(0)), term(constant, "")], Writing::Latex)
            }
        };
        format!("b({name}) = {given}")
    }
}

/// Writes `step name + offset`.
fn section(name: &str, step: i64, offset: i64, writing: Writing) -> String {
    let terms = [
        (step.into(), name.to_owned()),
        (offset.into(), String::new()),
    ];
    let text = sum(terms, writing);
    text.replace(" + ", "+").replace(" - ", "-")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn relation(kind: RelationKind, variable: &str) -> Relation {
        Relation {
            target: "B".to_owned(),
            source: "A".to_owned(),
            variables: ["n".to_owned(), variable.to_owned()],
            source_first: 3,
            kind,
            from: 3,
            entries: 12,
            tested: 4,
            bits: 20.0,
        }
    }

    #[test]
    fn relations_are_written_in_words_and_in_latex() {
        let fraction = |above, below| Rational::new(above, below).unwrap();
        let affine = |factor, constant| RelationKind::Affine { factor, constant };
        let sums = |shift, constant| RelationKind::Sums {
            shift,
            constant: fraction(constant, 1),
        };
        for (kind, text, latex) in [
            (RelationKind::Equal, "A at n", "a(n)"),
            (RelationKind::Shift { shift: -2 }, "A at n-2", "a(n-2)"),
            (
                RelationKind::Section { step: 2, offset: 1 },
                "A at 2*n+1",
                "a(2 n+1)",
            ),
            (
                RelationKind::Differences { shift: 1 },
                "A at n+1 minus A at n",
                "a(n+1) - a(n)",
            ),
            (
                sums(0, 0),
                "partial sums of A up to n",
                "\\sum_{k=3}^n a(k)",
            ),
            (
                sums(-1, -4),
                "partial sums of A up to n-1 minus 4",
                "\\sum_{k=3}^{n-1} a(k) - 4",
            ),
            (
                affine(fraction(-3, 2), fraction(1, 2)),
                "-3/2 times A at n plus 1/2",
                "-\\frac{3}{2} a(n) + \\frac{1}{2}",
            ),
            (
                affine(fraction(1, 1), fraction(-1, 1)),
                "A at n minus 1",
                "a(n) - 1",
            ),
            (
                affine(fraction(2, 1), Rational::ZERO),
                "2 times A at n",
                "2 a(n)",
            ),
        ] {
            let relation = relation(kind, "n");
            assert_eq!(relation.text(), format!("B at n = {text}"));
            assert_eq!(relation.latex(), format!("b(n) = {latex}"));
        }
        let other = relation(RelationKind::Section { step: 3, offset: 0 }, "m");
        assert_eq!(other.text(), "B at n = A at m = 3*n");
    }
}
