//! The ways to read the values of a table.

/// A way to read the values in a table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ValuesAs {
    /// As games in CGSuite's notation, which have many facts.
    Games,
    /// As nimbers, such as `*3`.
    Nimbers,
    /// As words and numbers.
    #[default]
    Words,
}

impl ValuesAs {
    /// Returns how to read the values of a table with these columns: as games if it has their digests, as nimbers if it has
    /// only nim-values.
    pub fn of_columns<'c>(names: impl IntoIterator<Item = &'c str>) -> ValuesAs {
        let names: Vec<&str> = names.into_iter().collect();
        match (
            names.contains(&"value_digest"),
            names.contains(&"nim_value"),
        ) {
            (true, _) => ValuesAs::Games,
            (false, true) => ValuesAs::Nimbers,
            (false, false) => ValuesAs::Words,
        }
    }
}
