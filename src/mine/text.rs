//! Laws in words.

use super::formula::Formula;
use super::template::Shape;
use super::values::{Law, Region};
use crate::value::{ArenaError, Calculator, Dyadic, NumberUpStar};

impl Law {
    /// Writes what the values are, in the notation of values with variables.
    ///
    /// # Errors
    ///
    /// When the arena cannot hold a part.
    pub fn value_text(
        &self,
        names: &[String],
        calculator: &mut Calculator<'_>,
    ) -> Result<String, ArenaError> {
        let region = &self.region;
        let mut written = Written {
            formulas: self.formulas.iter(),
            text: |formula: &Formula| formula.text(names, &region.moduli, &region.residues),
            calculator,
        };
        written.shape(&self.shape)
    }
}

impl Region {
    /// Writes where the region is: a condition for each variable.
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

struct Written<'a, 'c, 'r, F> {
    formulas: std::slice::Iter<'a, Formula>,
    text: F,
    calculator: &'c mut Calculator<'r>,
}

impl<F: Fn(&Formula) -> String> Written<'_, '_, '_, F> {
    fn shape(&mut self, shape: &Shape) -> Result<String, ArenaError> {
        match shape {
            Shape::Value(value) => Ok(self.calculator.arena().notation(*value).to_string()),
            Shape::Sum => self.sum(),
            Shape::Options(left, right) => {
                let mut side = |shapes: &[Shape]| -> Result<String, ArenaError> {
                    let texts = shapes.iter().map(|shape| self.shape(shape));
                    Ok(texts
                        .collect::<Result<Vec<String>, ArenaError>>()?
                        .join(","))
                };
                let (left, right) = (side(left)?, side(right)?);
                Ok(format!("{{{left}|{right}}}"))
            }
        }
    }

    /// Writes a number plus ups plus a nimber.
    fn sum(&mut self) -> Result<String, ArenaError> {
        let mut next = || self.formulas.next().expect("a sum has three formulas");
        let parts = [next(), next(), next()];
        if [parts[1], parts[2]].map(constant) == [Some(Dyadic::ZERO); 2] {
            return Ok((self.text)(parts[0]));
        }
        if let [Some(number), Some(ups), Some(star)] = parts.map(constant) {
            let integer = |x: Dyadic| x.to_integer().unwrap_or(0);
            let sum = NumberUpStar {
                number,
                ups: integer(ups) as i32,
                star: integer(star) as u32,
            };
            let value = self.calculator.number_up_star(sum)?;
            return Ok(self.calculator.arena().notation(value).to_string());
        }
        let [number, ups, star] = parts.map(|part| match constant(part) {
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
        Ok(parts.join(" + "))
    }
}

/// Returns the number that a formula always is.
fn constant(formula: &Formula) -> Option<Dyadic> {
    match formula {
        Formula::Linear { constant, slopes } => {
            let is_constant = slopes.iter().all(|&slope| slope == Dyadic::ZERO);
            is_constant.then_some(*constant)
        }
        Formula::Power { .. } => None,
    }
}

fn enclosed(text: String) -> String {
    match text.chars().all(char::is_alphanumeric) {
        true => text,
        false => format!("({text})"),
    }
}
