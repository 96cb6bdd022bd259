//! Long texts, shortened.

/// Returns a text of at most some characters; what is left out is an ellipsis.
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
