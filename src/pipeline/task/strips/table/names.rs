//! The symbols of `[table.names]`, found by value and not by spelling, and values without a
//! notation.

use std::collections::{BTreeMap, HashMap};

use cgvalues::{Calculator, ParseValueError, ValueDigest, ValueId};

use crate::dataset::PositionRow;
use crate::dataset::VALUE_CHARS_MAX;
use crate::report::ReportError;
use crate::report::table::ValueText;

/// The columns from which [`Names::show`] makes the text of a position.
pub(super) const SHOWN: [&str; 7] = [
    "position",
    "value",
    "value_digest",
    "value_missing",
    "misere_outcome",
    "misere_nim_value",
    "genus",
];

/// The number of digits of a digest that are shown.
const DIGEST_CHARS: usize = 8;

/// Formats values, and collects those that need a note.
pub(in crate::task) struct Names<'a> {
    calculator: Calculator<'a>,
    symbols: HashMap<ValueId, String>,
    /// Texts already looked up; a table has few distinct values.
    known: HashMap<String, ValueText>,
    /// The notation of each symbol in use, in the order of symbols.
    used: BTreeMap<String, String>,
    /// The full digest of each digest in use.
    digests: BTreeMap<String, String>,
}

impl<'a> Names<'a> {
    pub(in crate::task) fn new(
        mut calculator: Calculator<'a>,
        names: &[(String, String)],
    ) -> Result<Names<'a>, ReportError> {
        let mut symbols = HashMap::new();
        for (key, symbol) in names {
            let value = calculator.parse(key).map_err(|source| ReportError::Name {
                key: key.clone(),
                source,
            })?;
            symbols.insert(value, symbol.clone());
        }
        Ok(Names {
            calculator,
            symbols,
            known: HashMap::new(),
            used: BTreeMap::new(),
            digests: BTreeMap::new(),
        })
    }

    /// Returns the text that shows the row's value.
    pub(in crate::task) fn show(&mut self, row: &PositionRow) -> Result<ValueText, ReportError> {
        let Some(value) = &row.value else {
            return Ok(match row.misere() {
                Some(misere) => ValueText::Misere(misere.into_owned()),
                None => ValueText::Missing(row.missing().to_owned()),
            });
        };
        let Some(notation) = value.value.as_deref() else {
            let digest = ValueDigest(value.value_digest).to_string();
            let short = digest[..DIGEST_CHARS].to_owned();
            self.digests.insert(short.clone(), digest);
            return Ok(ValueText::Digest(short));
        };
        if self.symbols.is_empty() {
            return Ok(ValueText::Notation(notation.to_owned()));
        }
        if let Some(known) = self.known.get(notation) {
            return Ok(known.clone());
        }
        let value = self.calculator.parse(notation);
        if matches!(value, Err(ParseValueError::Loopy { .. })) {
            return Ok(ValueText::Notation(notation.to_owned()));
        }
        let value = value.map_err(|source| ReportError::Value {
            position: row.position.clone(),
            value: notation.to_owned(),
            source,
        })?;
        let shown = match self.symbols.get(&value) {
            Some(symbol) => {
                self.used.insert(symbol.clone(), notation.to_owned());
                ValueText::Symbol {
                    symbol: symbol.clone(),
                    notation: notation.to_owned(),
                }
            }
            None => ValueText::Notation(notation.to_owned()),
        };
        self.known.insert(notation.to_owned(), shown.clone());
        Ok(shown)
    }

    /// Returns a line for each symbol and each digest shown.
    pub(in crate::task) fn notes(self) -> Vec<String> {
        let symbols = self.used.iter().filter(|(symbol, text)| symbol != text);
        let symbols = symbols.map(|(symbol, notation)| format!("{symbol} stands for {notation}"));
        let digests = self.digests.iter().map(|(short, digest)| {
            format!(
                "#{short} is a value of more than {VALUE_CHARS_MAX} characters: \
                 see table forms, value_digest {digest}"
            )
        });
        symbols.chain(digests).collect()
    }
}
