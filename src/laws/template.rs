//! The shape of a value, and the numbers in it.
//!
//! A value is read from its canonical form, not from a text: as a number plus ups plus a nimber if
//! it is one, otherwise by its options, each read in the same way. For example, `{3|-2}`, `+-{1|0}`
//! and `Tiny(1/4)` are shapes with numbers at their leaves. The values of one family often have one
//! shape, with numbers that depend on the variables.

use cgvalues::{Arena, Calculator, Dyadic, NumberUpStar, ValueId};

/// The most leaves of a shape; a larger value is a shape of its own, without numbers.
const LEAVES_MAX: usize = 12;

/// The shape of a value.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Shape {
    /// A number plus ups plus a nimber: three numbers.
    Sum,
    /// The options of Left and of Right, sorted by shape.
    Options(Vec<Shape>, Vec<Shape>),
    /// A value without further structure.
    Value(ValueId),
}

/// A value as a shape and its numbers, in the order in which the shape is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Template {
    /// The shape.
    pub shape: Shape,
    /// Its numbers, three for each [`Shape::Sum`].
    pub numbers: Vec<Dyadic>,
}

impl Template {
    /// Returns the template of an integer.
    pub fn integer(integer: i128) -> Template {
        Template {
            shape: Shape::Sum,
            numbers: vec![Dyadic::new(integer, 0), Dyadic::ZERO, Dyadic::ZERO],
        }
    }

    /// Returns the template of a value.
    ///
    /// Cost: O(leaves) tests for sums, at most some ten.
    pub fn of(arena: &Arena, value: ValueId) -> Template {
        let mut leaves = 0;
        read(arena, value, &mut leaves).unwrap_or_else(|| Template {
            shape: Shape::Value(value),
            numbers: Vec::new(),
        })
    }

    /// Returns the value; `None` if a number is invalid for ups or nimbers, or if the canonical
    /// form is larger than the values that can be read.
    pub fn value(&self, calculator: &mut Calculator<'_>) -> Option<ValueId> {
        build(&self.shape, &mut self.numbers.iter(), calculator)
    }
}

fn read(arena: &Arena, value: ValueId, leaves: &mut usize) -> Option<Template> {
    if let Some(sum) = arena.number_up_star(value) {
        *leaves += 1;
        let numbers = [
            sum.number,
            Dyadic::integer(sum.ups.into()),
            Dyadic::integer(sum.star.into()),
        ];
        return (*leaves <= LEAVES_MAX).then(|| Template {
            shape: Shape::Sum,
            numbers: numbers.to_vec(),
        });
    }
    let mut side = |options: Vec<ValueId>| -> Option<(Vec<Shape>, Vec<Dyadic>)> {
        let read = options
            .into_iter()
            .map(|option| read(arena, option, leaves));
        let mut read: Vec<Template> = read.collect::<Option<_>>()?;
        read.sort_by(|a, b| {
            let numbers = || a.numbers.iter().zip(&b.numbers).map(|(a, b)| a.cmp(b));
            a.shape.cmp(&b.shape).then_with(|| {
                numbers()
                    .find(|order| order.is_ne())
                    .unwrap_or(std::cmp::Ordering::Equal)
            })
        });
        let numbers = read
            .iter()
            .flat_map(|option| option.numbers.clone())
            .collect();
        Some((
            read.into_iter().map(|option| option.shape).collect(),
            numbers,
        ))
    };
    let (left, mut numbers) = side(arena.left_options(value))?;
    let (right, more) = side(arena.right_options(value))?;
    numbers.extend(more);
    Some(Template {
        shape: Shape::Options(left, right),
        numbers,
    })
}

/// Builds the value of a shape from the next numbers.
fn build<'n>(
    shape: &Shape,
    numbers: &mut impl Iterator<Item = &'n Dyadic>,
    calculator: &mut Calculator<'_>,
) -> Option<ValueId> {
    match shape {
        Shape::Value(value) => Some(*value),
        Shape::Sum => {
            let (number, ups, star) = (numbers.next()?, numbers.next()?, numbers.next()?);
            let sum = NumberUpStar {
                number: *number,
                ups: ups.to_integer()?.try_into().ok()?,
                star: star.to_integer()?.try_into().ok()?,
            };
            if sum.is_readable() {
                calculator.number_up_star(sum).ok()
            } else {
                None
            }
        }
        Shape::Options(left, right) => {
            let mut side = |shapes: &[Shape]| -> Option<Vec<ValueId>> {
                let options = shapes.iter().map(|shape| build(shape, numbers, calculator));
                options.collect()
            };
            let (mut left, mut right) = (side(left)?, side(right)?);
            calculator.canonical(&mut left, &mut right).ok()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_read_and_built() {
        let arena = Arena::new();
        let mut calculator = arena.calculator();
        for (text, numbers) in [
            ("3", vec![3, 0, 0]),
            ("-2v3*", vec![-2, -3, 1]),
            ("{5|-2}", vec![5, 0, 0, -2, 0, 0]),
            ("+-{2|1}", vec![2, 0, 0, 1, 0, 0, -1, 0, 0, -2, 0, 0]),
        ] {
            let value = calculator.parse(text).unwrap();
            let template = Template::of(&arena, value);
            let expected: Vec<Dyadic> = numbers.into_iter().map(Dyadic::integer).collect();
            assert_eq!(template.numbers, expected, "{text}");
            assert_eq!(template.value(&mut calculator), Some(value));
        }
        let tiny = calculator.parse("Tiny(1/4)").unwrap();
        let template = Template::of(&arena, tiny);
        assert!(template.numbers.contains(&Dyadic::new(-1, 2)));
        // Whatever numbers are put into a shape, the value is brought to its canonical form.
        let switch = Template::of(&arena, calculator.parse("{1|0}").unwrap());
        let zeros = Template {
            numbers: vec![Dyadic::ZERO; 6],
            ..switch
        };
        let star = calculator.parse("*").unwrap();
        assert_eq!(zeros.value(&mut calculator), Some(star));
        // Forms of astronomical size are not built.
        for numbers in [[1_000_001, 0, 0], [0, 256, 0], [0, 0, 1 << 30], [0, 0, -1]] {
            let sum = Template {
                shape: Shape::Sum,
                numbers: numbers.map(Dyadic::integer).to_vec(),
            };
            assert_eq!(sum.value(&mut calculator), None, "{numbers:?}");
        }
    }

    #[test]
    fn large_values_stand_for_themselves() {
        let arena = Arena::new();
        let mut calculator = arena.calculator();
        let mut value = calculator.parse("{1|-1}").unwrap();
        for n in 2..16i64 {
            let number = calculator.number(Dyadic::integer(-3 * n)).unwrap();
            value = calculator
                .canonical(&mut vec![value], &mut vec![number])
                .unwrap();
        }
        let template = Template::of(&arena, value);
        assert_eq!(template.shape, Shape::Value(value));
        assert_eq!(template.value(&mut calculator), Some(value));
    }
}
