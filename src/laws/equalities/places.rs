//! Places of one column in terms of those of another: shifted, with the variables in another order.

use crate::column::Column;

/// The greatest shift of places, with one variable and with more.
const SHIFTS: [i64; 2] = [5, 1];

/// A mapping of places of one column to places of another.
pub(super) struct Places {
    /// The variable of the first column that each variable of the other takes.
    variables: Vec<usize>,
    shifts: Vec<i64>,
}

impl Places {
    /// Returns the mappings from the places of one column to those of another, the simplest first.
    pub(super) fn all(target: &Column, source: &Column) -> Vec<Places> {
        let count = target.variables.len();
        if count != source.variables.len() {
            return Vec::new();
        }
        let far = SHIFTS[usize::from(count > 1)];
        let mut shifts: Vec<Vec<i64>> = vec![Vec::new()];
        let mut orders: Vec<Vec<usize>> = vec![Vec::new()];
        for _ in 0..count {
            let each =
                |shifts: Vec<i64>| (-far..=far).map(move |shift| [&shifts[..], &[shift]].concat());
            shifts = shifts.into_iter().flat_map(each).collect();
            let each = |order: Vec<usize>| {
                let left: Vec<usize> = (0..count).filter(|of| !order.contains(of)).collect();
                left.into_iter().map(move |of| [&order[..], &[of]].concat())
            };
            orders = orders.into_iter().flat_map(each).collect();
        }
        shifts.sort_by_key(|shifts| shifts.iter().map(|shift| shift.abs()).sum::<i64>());
        let ways = shifts.iter().flat_map(|shifts| {
            orders.iter().map(|variables| Places {
                variables: variables.clone(),
                shifts: shifts.clone(),
            })
        });
        ways.collect()
    }

    /// Returns whether some place is mapped to another one, apart from the order of the variables.
    pub(super) fn is_shifted(&self) -> bool {
        self.shifts.iter().any(|&shift| shift != 0)
    }

    /// Returns the place in the other column.
    pub(super) fn of(&self, at: &[i64]) -> Vec<i64> {
        let variables = self.variables.iter().zip(&self.shifts);
        variables.map(|(&of, shift)| at[of] + shift).collect()
    }

    /// Writes the place in the source, in the variables of the target.
    pub(super) fn text(&self, target: &Column, source: &Column) -> String {
        let variables = self.variables.iter().zip(&self.shifts);
        let variables = variables
            .zip(&source.variables)
            .map(|((&of, &shift), name)| {
                let own = &target.variables[of];
                let shift = if shift == 0 {
                    String::new()
                } else {
                    format!("{shift:+}")
                };
                if name == own {
                    format!("{own}{shift}")
                } else {
                    format!("{name}={own}{shift}")
                }
            });
        variables.collect::<Vec<String>>().join(",")
    }
}
