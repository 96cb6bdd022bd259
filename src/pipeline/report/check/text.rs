//! A report as text.

use std::fmt;

use super::{CheckReport, Disagreement, Finding};

impl fmt::Display for CheckReport {
    /// Writes a line for each disagreement, each finding and each value that could not be compared.
    /// The last line has the counts.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for disagreement in &self.disagreements {
            writeln!(f, "disagreement: {disagreement}")?;
        }
        for finding in &self.findings {
            writeln!(f, "finding: {finding}")?;
        }
        for why in &self.not_comparable {
            writeln!(f, "not compared: {why}")?;
        }
        let disagreements = self.disagreements.len() + self.disagreements_unlisted;
        write!(
            f,
            "{}: {}, {}, {} in {}",
            self.job,
            count(self.agreements, "agreement"),
            count(self.findings.len(), "finding"),
            count(disagreements, "disagreement"),
            match self.rows {
                1 => "1 row".to_owned(),
                rows => format!("{rows} rows"),
            }
        )?;
        if self.disagreements_unlisted > 0 {
            write!(f, " ({} not listed)", self.disagreements_unlisted)?;
        }
        if self.not_covered > 0 {
            let facts = count(self.not_covered, "published fact");
            write!(f, "; {facts} of this game not among its positions")?;
        }
        Ok(())
    }
}

impl fmt::Display for Disagreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Disagreement {
            fact,
            position,
            expected,
            found,
            citation,
            reference,
        } = self;
        write!(f, "{position}: expected {expected}, found {found}")?;
        write!(f, " ({citation}")?;
        if fact != position {
            write!(f, ", of {fact}")?;
        }
        write!(f, "; {reference})")
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} = {}", self.citation, self.position, self.value)?;
        if self.printed_position.is_some() || self.printed_value.is_some() {
            let position = self.printed_position.as_ref().unwrap_or(&self.position);
            let value = self.printed_value.as_ref().unwrap_or(&self.value);
            write!(f, "; in print {position} = {value}")?;
            if let Some(found) = &self.printed_position_value
                && found != value
            {
                write!(f, ", which evaluates to {found}")?;
            }
        }
        match &self.note {
            Some(note) => write!(f, "; {note}"),
            None => Ok(()),
        }
    }
}

fn count(number: usize, what: &str) -> String {
    match number {
        1 => format!("1 {what}"),
        _ => format!("{number} {what}s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_repeated_only_where_it_differs_from_print() {
        let finding = |value: &str| Finding {
            citation: "Table 3".to_owned(),
            position: "11020111".to_owned(),
            value: "*6".to_owned(),
            printed_position: Some("10111121".to_owned()),
            printed_value: Some("*6".to_owned()),
            printed_position_value: Some(value.to_owned()),
            note: None,
        };
        let printed = "Table 3: 11020111 = *6; in print 10111121 = *6";
        assert_eq!(finding("*6").to_string(), printed);
        let other = format!("{printed}, which evaluates to *");
        assert_eq!(finding("*").to_string(), other);
    }
}
