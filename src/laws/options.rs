//! The kinds of laws to search for, and the columns to search.

use std::fmt;
use std::time::Duration;

use super::column::Column;

/// A kind of law.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LawKind {
    /// Values in terms of the variables.
    Values,
    /// Periods of entries at consecutive places, and in all variables of a table.
    Periods,
    /// Recurrences of integers at consecutive places.
    Recurrences,
    /// Products of powers of integers.
    Products,
    /// Rules for grids.
    Rules,
    /// Columns of values in terms of other columns, or of themselves with variables exchanged.
    Equalities,
    /// Columns of integers in terms of other columns.
    Relations,
    /// Automata of rows.
    Rows,
}

/// The kinds of laws to search for, and the columns to search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MineOptions {
    /// The kinds of laws.
    pub laws: Vec<LawKind>,
    /// The variables that a column may have; `None` for all. Rows have none.
    pub variables: Option<Vec<String>>,
    /// The time for computing entries beyond the result.
    pub extend: Option<Duration>,
    /// The place whose entries to predict.
    pub predict: Option<Place>,
}

/// A number for each of some variables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place(Vec<(String, i64)>);

impl LawKind {
    /// Every kind.
    pub const ALL: [LawKind; 8] = [
        LawKind::Values,
        LawKind::Periods,
        LawKind::Recurrences,
        LawKind::Products,
        LawKind::Rules,
        LawKind::Equalities,
        LawKind::Relations,
        LawKind::Rows,
    ];

    /// The name of every kind, in the same order.
    pub const NAMES: [&'static str; 8] = [
        "values",
        "periods",
        "recurrences",
        "products",
        "rules",
        "equalities",
        "relations",
        "rows",
    ];

    /// Returns the kind with a name.
    ///
    /// ```
    /// use cglaws::LawKind;
    ///
    /// assert_eq!(LawKind::named("periods"), Some(LawKind::Periods));
    /// assert_eq!(LawKind::named("period"), None);
    /// ```
    pub fn named(name: &str) -> Option<LawKind> {
        let place = LawKind::NAMES.iter().position(|known| *known == name)?;
        Some(LawKind::ALL[place])
    }

    /// Returns the name.
    pub fn name(self) -> &'static str {
        LawKind::NAMES[self as usize]
    }
}

impl MineOptions {
    /// Returns whether laws of this kind are sought.
    pub fn has(&self, kind: LawKind) -> bool {
        self.laws.contains(&kind)
    }

    /// Returns whether laws of this column are sought.
    pub fn admits(&self, column: &Column) -> bool {
        let is_chosen = |variable| match &self.variables {
            Some(variables) => variables.contains(variable),
            None => true,
        };
        column.variables.iter().all(is_chosen)
    }

    /// Returns the place to predict in a column, if the column has such a place.
    pub fn place(&self, column: &Column) -> Option<Vec<i64>> {
        self.predict.as_ref().and_then(|place| place.of(column))
    }
}

impl Default for MineOptions {
    /// Returns the options for all laws of all columns, without entries beyond the result.
    fn default() -> MineOptions {
        MineOptions {
            laws: LawKind::ALL.to_vec(),
            variables: None,
            extend: None,
            predict: None,
        }
    }
}

impl fmt::Display for MineOptions {
    /// Writes the options that determine which laws are found: their kinds, the variables, the
    /// time.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kinds = LawKind::ALL.into_iter().filter(|kind| self.has(*kind));
        let kinds: Vec<&str> = kinds.map(LawKind::name).collect();
        write!(f, "laws {}", kinds.join(","))?;
        if let Some(variables) = &self.variables {
            let mut variables = variables.clone();
            variables.sort();
            variables.dedup();
            write!(f, "; variables {}", variables.join(","))?;
        }
        match self.extend {
            Some(time) => write!(f, "; extend {}", humantime::format_duration(time)),
            None => Ok(()),
        }
    }
}

impl Place {
    /// Returns a place from pairs of variables and numbers.
    pub fn new(bindings: Vec<(String, i64)>) -> Place {
        Place(bindings)
    }

    /// Returns the numbers of a column's variables, if there is exactly one for each.
    pub fn of(&self, column: &Column) -> Option<Vec<i64>> {
        let number = |name: &String| Some(self.0.iter().find(|(given, _)| given == name)?.1);
        let numbers: Vec<i64> = column.variables.iter().map(number).collect::<Option<_>>()?;
        (numbers.len() == self.0.len()).then_some(numbers)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Entries;

    fn column(variables: &[&str]) -> Column {
        let names = variables.iter().map(|&name| name.to_owned()).collect();
        Column::new("a".to_owned(), names, Entries::Values)
    }

    #[test]
    fn every_kind_has_its_name() {
        for (kind, name) in LawKind::ALL.into_iter().zip(LawKind::NAMES) {
            assert_eq!((kind.name(), LawKind::named(name)), (name, Some(kind)));
        }
    }

    #[test]
    fn columns_over_other_variables_are_left_out() {
        let mut options = MineOptions::default();
        assert!(options.admits(&column(&["m", "q"])));
        options.variables = Some(vec!["n".to_owned(), "m".to_owned(), "n".to_owned()]);
        assert!(options.admits(&column(&["m", "n"])) && options.admits(&column(&["n"])));
        assert!(!options.admits(&column(&["m", "q"])));
        options.laws = vec![LawKind::Rules, LawKind::Values];
        options.extend = Some(Duration::from_secs(90));
        let text = "laws values,rules; variables m,n; extend 1m 30s";
        assert_eq!(options.to_string(), text);
    }

    #[test]
    fn places_are_those_of_columns_with_the_same_variables() {
        let place = Place::new(vec![("n".to_owned(), 9), ("m".to_owned(), 11)]);
        assert_eq!(place.of(&column(&["m", "n"])), Some(vec![11, 9]));
        assert_eq!(place.of(&column(&["m"])), None);
        assert_eq!(place.of(&column(&["m", "n", "k"])), None);
    }
}
