//! Laws as LaTeX mathematics.

use cgvalues::latex::value_math;

use super::statement::Statement;

impl Statement {
    /// Writes the law as LaTeX mathematics, case after case.
    pub fn latex(&self) -> String {
        math(&self.to_string(), false)
    }
}

/// Translates a law: values as [`value_math`] does, powers and products of variables, and words as
/// text. An exponent has integers only, and so no arrows or stars.
fn math(text: &str, is_exponent: bool) -> String {
    let mut out = String::new();
    // A run of characters that forms a value.
    let mut value = String::new();
    let flush = |value: &mut String, out: &mut String| {
        let is_spaced = value.ends_with(' ');
        out.push_str(&value_math(value));
        if is_spaced && !out.ends_with(' ') {
            out.push(' ');
        }
        value.clear();
    };
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let after = &rest[c.len_utf8()..];
        let before = value.chars().next_back();
        let is_behind_number = before.is_some_and(|c| c.is_alphanumeric() || c == ')');
        let word = rest.len()
            - rest
                .trim_start_matches(|c: char| c.is_ascii_alphabetic())
                .len();
        let mut taken = c.len_utf8();
        // A power; an arrow stands only before digits, stars and brackets.
        if c == '^'
            && is_behind_number
            && after.starts_with(|c: char| {
                c == '(' || c.is_ascii_alphabetic() || (is_exponent && c.is_ascii_digit())
            })
        {
            let exponent = enclosed(after);
            taken += exponent.len();
            let inner = exponent
                .strip_prefix('(')
                .and_then(|inner| inner.strip_suffix(')'));
            let power = format!("^{{{}}}", math(inner.unwrap_or(exponent), true));
            // A power below a slash is the whole denominator.
            let number = value
                .trim_end_matches(|c: char| c.is_ascii_digit() || c == '/')
                .len();
            let number = value.split_off(number);
            if let Some((above, below)) = number.split_once('/') {
                flush(&mut value, &mut out);
                out.push_str(&format!("\\tfrac{{{above}}}{{{below}{power}}}"));
            } else {
                value.push_str(&number);
                flush(&mut value, &mut out);
                out.push_str(&power);
            }
        } else if c == '*' && (is_exponent || is_behind_factor(&value, &out) && is_factor(after)) {
            flush(&mut value, &mut out);
            out.push_str("\\,");
        } else if let Some(relation) = RELATIONS.iter().find(|(sign, _)| rest.starts_with(sign)) {
            flush(&mut value, &mut out);
            out.push_str(relation.1);
            taken = relation.0.len();
        } else if word > 1 && !["Tiny", "Miny"].contains(&&rest[..word]) {
            flush(&mut value, &mut out);
            let word = &rest[..word];
            out.push_str(&format!("\\text{{ {word} }}"));
            taken = word.len();
        } else {
            value.push(c);
        }
        rest = &rest[taken..];
    }
    flush(&mut value, &mut out);
    out.trim_end().to_owned()
}

const RELATIONS: [(&str, &str); 3] = [(">=", "\\ge"), ("<=", "\\le"), (".^", "{\\cdot}\\uparrow ")];

/// Returns the exponent at the beginning of a text: a variable, or the contents of parentheses.
fn enclosed(text: &str) -> &str {
    if !text.starts_with('(') {
        let end = text.find(|c: char| !c.is_ascii_alphanumeric());
        return &text[..end.unwrap_or(text.len())];
    }
    let mut depth = 0;
    for (place, c) in text.char_indices() {
        depth += i32::from(c == '(') - i32::from(c == ')');
        if depth == 0 {
            return &text[..=place];
        }
    }
    text
}

/// Returns whether the last translated token is a number or a power.
fn is_behind_factor(value: &str, out: &str) -> bool {
    match value.chars().next_back() {
        Some(before) => before.is_ascii_digit(),
        None => out.ends_with('}'),
    }
}

/// Returns whether a text begins with a variable or a power, and not with the number of a nimber.
fn is_factor(text: &str) -> bool {
    let behind = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let has_digits = behind.len() < text.len();
    if has_digits {
        behind.starts_with("^(")
            || (behind.starts_with('^')
                && behind[1..].starts_with(|c: char| c.is_ascii_alphabetic()))
    } else {
        text.starts_with(|c: char| c.is_ascii_alphabetic() && c != 'v')
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn laws_become_mathematics() {
        for (text, latex) in [
            (
                "{n+1|-m-1} for m >= 1; n >= 0",
                "\\{n+1\\mid -m-1\\} \\text{ for } m \\ge 1; n \\ge 0",
            ),
            ("(n+1).^", "(n+1){\\cdot}\\uparrow"),
            ("3*2^(2n)", "3\\,2^{2n}"),
            ("*2", "{\\ast}2"),
            ("3*2", "3{\\ast}2"),
            ("3*2^(m^2+m)*5^(2m*n)", "3\\,2^{m^{2}+m}\\,5^{2m\\,n}"),
            ("1/2^n", "\\tfrac{1}{2^{n}}"),
            ("^ if x = 1", "\\uparrow \\text{ if } x = 1"),
            ("^2*", "\\Uparrow {\\ast}"),
            ("a(n) = 3 a(n-1) - 2 a(n-2)", "a(n) = 3 a(n-1) - 2 a(n-2)"),
        ] {
            assert_eq!(math(text, false), latex, "{text}");
        }
    }
}
