//! Laws in words.

use cgvalues::{Calculator, Dyadic};

use super::formula::{Formula, enclosed};
use super::rules::{Case, Condition, Helper, Mirror, Rule, Term};
use super::template::{Shape, Template};
use super::texts::Texts;
use super::values::{Law, Region};

impl Law {
    /// Writes the entries of the law, in the notation of values with variables.
    pub fn text(&self, names: &[String], calculator: &mut Calculator<'_>) -> String {
        let region = &self.region;
        let text = |formula: &Formula| formula.text(names, &region.moduli, &region.residues);
        written(&self.shape, &self.formulas, text, calculator)
    }
}

impl Template {
    /// Writes the value: its canonical form or, if that is too large, the shape with its numbers.
    pub fn text(&self, calculator: &mut Calculator<'_>) -> String {
        if let Some(value) = self.value(calculator) {
            return calculator.arena().notation(value).to_string();
        }
        let constant = |&number: &Dyadic| Formula::Linear {
            constant: number,
            slopes: Vec::new(),
        };
        let formulas: Vec<Formula> = self.numbers.iter().map(constant).collect();
        let text = |formula: &Formula| {
            formula
                .constant()
                .map_or_else(String::new, |x| x.to_string())
        };
        written(&self.shape, &formulas, text, calculator)
    }
}

impl Rule {
    /// Writes the cases, with the texts of their entries.
    pub fn text(&self, names: &[String], texts: &Texts, helpers: &[Helper<'_>]) -> Vec<String> {
        let case = |case: &Case| {
            let conditions = case.conditions.iter();
            let conditions: Vec<String> = conditions
                .map(|condition| condition.text(names, helpers))
                .collect();
            let entry = &texts[case.entry];
            if conditions.is_empty() {
                format!("{entry} otherwise")
            } else {
                format!("{entry} if {}", conditions.join(" and "))
            }
        };
        self.cases.iter().map(case).collect()
    }

    /// Writes the region of the rule, from the least value of each variable on.
    pub fn region(&self, names: &[String], ranges: &[(i64, i64)]) -> String {
        let (x, y) = (&names[0], &names[1]);
        let from = format!("{x} >= {}; {y} >= {}", ranges[0].0, ranges[1].0);
        match self.mirror {
            Mirror::Free => from,
            Mirror::Same => format!("{from}; {x} <= {y}, and the same at ({y}, {x})"),
            Mirror::Negative => format!("{from}; {x} <= {y}, and the negative at ({y}, {x})"),
        }
    }
}

impl Condition {
    fn text(&self, names: &[String], helpers: &[Helper<'_>]) -> String {
        let (x, y) = (&names[0], &names[1]);
        let of = |term: Term| match term {
            Term::Variable(of) => names[of].clone(),
            Term::Difference => format!("{y}-{x}"),
            Term::Sum => format!("{x}+{y}"),
        };
        match *self {
            Condition::Is(term, number) => format!("{} = {number}", of(term)),
            Condition::AtLeast(term, number) => format!("{} >= {number}", of(term)),
            Condition::AtMost(term, number) => format!("{} <= {number}", of(term)),
            Condition::Residue(term, residue, modulus) => {
                format!("{} = {residue} mod {modulus}", of(term))
            }
            Condition::Helper {
                helper,
                term,
                shift,
                entry,
            } => {
                let Helper {
                    subject,
                    variable,
                    texts,
                    ..
                } = helpers[helper];
                let shift = match shift {
                    0 => String::new(),
                    shift => format!("{shift:+}"),
                };
                let entry = &texts[entry];
                format!("{subject} = {entry} at {variable} = {}{shift}", of(term))
            }
        }
    }
}

impl Region {
    /// Writes the region: a condition for each variable.
    pub fn text(&self, names: &[String]) -> String {
        let conditions = names.iter().enumerate().map(|(i, name)| {
            let (from, modulus) = (self.from[i], self.moduli[i]);
            if self.is_fixed[i] {
                return format!("{name} = {from}");
            }
            // The first place of the class.
            let from = from + (self.residues[i] - from).rem_euclid(modulus);
            match modulus {
                1 => format!("{name} >= {from}"),
                _ => format!("{name} = {from}, {}, ...", from + modulus),
            }
        });
        conditions.collect::<Vec<String>>().join("; ")
    }
}

/// Writes a shape, given the texts of its formulas.
fn written(
    shape: &Shape,
    formulas: &[Formula],
    text: impl Fn(&Formula) -> String,
    calculator: &mut Calculator<'_>,
) -> String {
    let mut written = Written {
        formulas: formulas.iter(),
        text,
        calculator,
    };
    written.shape(shape)
}

struct Written<'a, 'c, 'r, F> {
    formulas: std::slice::Iter<'a, Formula>,
    text: F,
    calculator: &'c mut Calculator<'r>,
}

impl<F: Fn(&Formula) -> String> Written<'_, '_, '_, F> {
    fn shape(&mut self, shape: &Shape) -> String {
        match shape {
            Shape::Value(value) => self.calculator.arena().notation(*value).to_string(),
            Shape::Sum => self.sum(),
            Shape::Options(left, right) => {
                let mut side = |shapes: &[Shape]| {
                    let texts = shapes.iter().map(|shape| self.shape(shape));
                    texts.collect::<Vec<String>>().join(",")
                };
                let (left, right) = (side(left), side(right));
                format!("{{{left}|{right}}}")
            }
        }
    }

    /// Writes a number plus ups plus a nimber.
    fn sum(&mut self) -> String {
        let mut next = || self.formulas.next().expect("a sum has three formulas");
        let parts = [next(), next(), next()];
        let constants = parts.map(Formula::constant);
        if constants[1..] == [Some(Dyadic::ZERO); 2] {
            return (self.text)(parts[0]);
        }
        if let Some(numbers) = constants.into_iter().collect::<Option<Vec<Dyadic>>>() {
            let sum = Template {
                shape: Shape::Sum,
                numbers,
            };
            if let Some(value) = sum.value(self.calculator) {
                return self.calculator.arena().notation(value).to_string();
            }
        }
        let [number, ups, star] = parts.map(|part| match part.constant() {
            Some(Dyadic::ZERO) => None,
            _ => Some((self.text)(part)),
        });
        let ups = ups.map(|ups| match ups.as_str() {
            "1" => "^".to_owned(),
            "-1" => "v".to_owned(),
            _ => format!("{}.^", enclosed(ups)),
        });
        let star = star.map(|star| match star.as_str() {
            "1" => "*".to_owned(),
            _ => format!("*{}", enclosed(star)),
        });
        let parts: Vec<String> = [number, ups, star].into_iter().flatten().collect();
        parts.join(" + ")
    }
}
