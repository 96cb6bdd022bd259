//! A pattern with numbers for its variables, as people write it: `1^n` for n = 4 is `1^4`.

use crate::board::row::Row;

/// Returns the text of a pattern (as [`Pattern`](crate::family::Pattern) prints) with its variables
/// replaced. Where neither exponents nor groups are left it is the row itself: `x y` is `37`.
pub(crate) fn instance_text(pattern: &str, binding: &[(char, i64)]) -> String {
    let chars: Vec<char> = pattern.chars().collect();
    let mut text = String::new();
    let mut at = 0;
    while at < chars.len() {
        let c = chars[at];
        let Some((_, value)) = binding.iter().find(|(name, _)| *name == c) else {
            text.push(c);
            at += 1;
            continue;
        };
        at += 1;
        let mut number = *value;
        if let Some(sign @ ('+' | '-')) = chars.get(at).copied() {
            let digits: String = (chars[at + 1..].iter())
                .take_while(|c| c.is_ascii_digit())
                .collect();
            let offset: i64 = digits.parse().unwrap_or(0);
            number += if sign == '+' { offset } else { -offset };
            at += 1 + digits.len();
        }
        // A variable is an exponent, a pot in brackets, or a pot of its own.
        match text.chars().last() {
            Some('^' | '[') => text.push_str(&number.to_string()),
            _ if number > 9 => text.push_str(&format!("[{number}]")),
            _ => text.push_str(&number.to_string()),
        }
    }
    match text.parse::<Row>() {
        Ok(row) => row.to_string(),
        Err(_) => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::family::Pattern;

    #[test]
    fn an_instance_is_the_same_position_as_the_expanded_pattern() {
        for (pattern, values, text) in [
            ("1^n", &[4][..], "1^4"),
            ("...e 2^n e...", &[12], "...e 2^12 e..."),
            ("x y", &[3, 12], "3[12]"),
            ("(10)^m 03 (01)^n+1", &[0, 2], "(10)^0 03 (01)^3"),
            ("[x-1] 2^n", &[11, 1], "[10] 2^1"),
            ("[x+1] x", &[2], "32"),
            ("312", &[], "312"),
        ] {
            let pattern: Pattern = pattern.parse().unwrap();
            let names = pattern.variables().iter().copied();
            let binding: Vec<(char, i64)> = names.zip(values.iter().copied()).collect();
            let instance = instance_text(&pattern.to_string(), &binding);
            assert_eq!(instance, text);
            let again: Pattern = instance.parse().unwrap();
            assert_eq!(again.expand(&[]), pattern.expand(values), "{instance}");
        }
    }
}
