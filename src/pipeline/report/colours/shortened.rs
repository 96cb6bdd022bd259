//! Long texts, shortened.

/// Returns a text of a limited number of characters. An ellipsis replaces the rest.
pub(crate) fn shortened(text: &str, most: usize) -> String {
    match text.chars().nth(most) {
        Some(_) => text.chars().take(most.max(1) - 1).chain(['…']).collect(),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_shortened_by_characters() {
        assert_eq!(shortened("±±±±", 3), "±±…");
        assert_eq!(shortened("±±±", 3), "±±±");
    }
}
