//! The blanks of written positions.

/// Returns whether a character is a blank between the pots of a position: a space of any width, but no
/// tab, line end or other control character.
///
/// Those stand between two columns or two lines. Read as blanks, they would join two positions to
/// one.
pub fn is_blank(c: char) -> bool {
    c.is_whitespace() && !c.is_control() && !matches!(c, '\u{2028}' | '\u{2029}')
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
        for blank in [' ', '\u{a0}', '\u{2009}', '\u{3000}'] {
            assert!(is_blank(blank), "{blank:?}");
        }
        for other in "\t\n\u{b}\u{c}\r\u{85}\u{2028}\u{2029}\u{feff}\0".chars() {
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
            for apart in ["\t", "\n", "\r", "\u{2028}"] {
                let joined = format!("{one}{apart}{one}");
                assert!(kind.read(&joined).is_err(), "{joined:?}");
            }
        }
    }
}
