//! How the values of a table are read.

/// How the values in a table are read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ValuesAs {
    /// As games in CGSuite's notation, of which much is known.
    Games,
    /// As nimbers, such as `*3`.
    Nimbers,
    /// As words and numbers.
    #[default]
    Words,
}

impl ValuesAs {
    /// Returns how the values are read of a table with these columns: games where it has their digests, nimbers where it has
    /// nim-values alone.
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
