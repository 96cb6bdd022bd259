//! The blanks of written positions.

/// Returns whether a character is a blank between the pots of a position: the space, and no tab, line end
/// or space of another kind.
///
/// Those stand between two columns, two lines or two words. Read as blanks, they would join two
/// positions to one, or look the same in a name that is another.
pub fn is_blank(c: char) -> bool {
    c == ' '
}

/// Returns the words of a text that blanks separate.
pub fn words(text: &str) -> impl Iterator<Item = &str> + Clone {
    text.split(is_blank).filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::BoardKind;

    #[test]
    fn only_spaces_are_blanks() {
        assert!(is_blank(' '));
        let spaces =
            "\t\n\u{b}\u{c}\r\u{85}\u{2028}\u{2029}\u{feff}\0\u{a0}\u{2009}\u{202f}\u{3000}";
        for other in spaces.chars() {
            assert!(!is_blank(other), "{other:?}");
        }
        assert!(words(" 3  12 ").eq(["3", "12"]));
    }

    #[test]
    fn tabs_and_line_ends_do_not_join_positions() {
        for (kind, one) in [
            (BoardKind::Row, "312"),
            (BoardKind::Coloured, "b 2br"),
            (BoardKind::Grid, "11/11"),
        ] {
            assert!(kind.read(&format!(" {one} ")).is_ok(), "{one}");
            for apart in ["\t", "\n", "\r", "\u{2028}", "\u{a0}"] {
                let joined = format!("{one}{apart}{one}");
                assert!(kind.read(&joined).is_err(), "{joined:?}");
            }
        }
    }
}
