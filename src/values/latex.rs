//! Values in LaTeX math mode.

/// The words in texts of loopy games; `oo(0,2)` is infinity with an index.
const LOOPY: [&str; 8] = ["on", "off", "over", "under", "upon", "dud", "pass", "oo"];

/// Writes a value in mathematics: `{1|{*|-1}}`, `1/2`, `^`, `^2*`, `v<2>`, `+-`, and the symbols of
/// a spec.
pub fn value_math(text: &str) -> String {
    let mut rest = text;
    let mut math = String::new();
    while let Some(c) = rest.chars().next() {
        let taken = match c {
            'a'..='z' if LOOPY.contains(&&rest[..word(rest)]) => {
                math.push_str(&match &rest[..word(rest)] {
                    "oo" => "\\infty".to_owned(),
                    name => format!("\\mathbf{{{name}}}"),
                });
                word(rest)
            }
            '0'..='9' => number(rest, &mut math),
            '^' | 'v' => ups(rest, &mut math),
            '|' => {
                let run = rest.len() - rest.trim_start_matches('|').len();
                // Each further slash binds weaker; LaTeX has no symbol for more than two.
                math.push_str(&match run {
                    1 => "\\mid ".to_owned(),
                    2 => "\\parallel ".to_owned(),
                    run => format!("\\mathrel{{{}}}", "|".repeat(run)),
                });
                run
            }
            '+' if rest.starts_with("+-") => {
                math.push_str("\\pm ");
                2
            }
            'T' | 'M' if rest.starts_with("Tiny(") || rest.starts_with("Miny(") => {
                math.push_str(&format!("\\operatorname{{{}}}", &rest[..4]));
                4
            }
            '&' => {
                math.push_str("\\mathbin{\\&}");
                1
            }
            '{' | '}' | '#' | '$' | '%' | '_' => {
                math.extend(['\\', c]);
                1
            }
            '\\' => {
                math.push_str("\\backslash ");
                1
            }
            '~' => {
                math.push_str("\\sim ");
                1
            }
            c => {
                match symbol(c) {
                    Some((in_math, _)) => math.push_str(in_math),
                    None => math.push(c),
                }
                c.len_utf8()
            }
        };
        rest = &rest[taken..];
    }
    math.truncate(math.trim_end().len());
    math
}

/// Writes a number, fractions as such; returns the bytes taken.
fn number(rest: &str, math: &mut String) -> usize {
    let integer = digits(rest);
    let denominator = rest[integer..].strip_prefix('/').map_or(0, digits);
    if denominator == 0 {
        math.push_str(&rest[..integer]);
        return integer;
    }
    let end = integer + 1 + denominator;
    math.push_str(&format!(
        "\\tfrac{{{}}}{{{}}}",
        &rest[..integer],
        &rest[integer + 1..end]
    ));
    end
}

/// Writes ups or downs; returns the bytes taken. `^3` is three ups, `^<3>` the third power.
fn ups(rest: &str, math: &mut String) -> usize {
    let (arrow, double, raised) = match rest.as_bytes()[0] {
        b'^' => ("\\uparrow", "\\Uparrow", '^'),
        _ => ("\\downarrow", "\\Downarrow", '_'),
    };
    let after = &rest[1..];
    for (open, close) in [('<', '>'), ('[', ']')] {
        let Some(inner) = after.strip_prefix(open) else {
            continue;
        };
        let width = digits(inner).max(word(inner));
        if width > 0 && inner[width..].starts_with(close) {
            let power = match &inner[..width] {
                "on" => "\\mathbf{on}",
                power => power,
            };
            let power = if open == '[' {
                format!("[{power}]")
            } else {
                power.to_owned()
            };
            math.push_str(&format!("{arrow}{raised}{{{power}}}"));
            return width + 3;
        }
    }
    let width = digits(after);
    match &after[..width] {
        "" => math.push_str(&format!("{arrow} ")),
        "2" => math.push_str(&format!("{double} ")),
        count => {
            // After a number the multiple needs a plus sign, or the two would read as one number.
            let beside =
                math.ends_with(|c: char| c.is_ascii_digit() || c == '}') && !math.ends_with("\\}");
            let plus = if beside { "{+}" } else { "" };
            math.push_str(&format!("{plus}{count}{{\\cdot}}{arrow} "));
        }
    }
    width + 1
}

/// Returns the length of the word at the start of a text.
fn word(text: &str) -> usize {
    text.len()
        - text
            .trim_start_matches(|c: char| c.is_ascii_lowercase())
            .len()
}

fn digits(text: &str) -> usize {
    text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len()
}

/// Returns the LaTeX of a symbol used in tables, in math mode and in running text.
pub fn symbol(c: char) -> Option<(&'static str, &'static str)> {
    Some(match c {
        '*' => ("{\\ast}", "*"),
        '↑' => ("\\uparrow ", "$\\uparrow$"),
        '↓' => ("\\downarrow ", "$\\downarrow$"),
        '⇑' => ("\\Uparrow ", "$\\Uparrow$"),
        '⇓' => ("\\Downarrow ", "$\\Downarrow$"),
        '±' => ("\\pm ", "$\\pm$"),
        '•' => ("{\\bullet}", "$\\bullet$"),
        '…' => ("{\\ldots}", "\\ldots{}"),
        '²' => ("^{2}", "\\textsuperscript{2}"),
        '³' => ("^{3}", "\\textsuperscript{3}"),
        '₂' => ("_{2}", "\\textsubscript{2}"),
        '₃' => ("_{3}", "\\textsubscript{3}"),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_become_mathematics() {
        for (text, math) in [
            ("0", "0"),
            ("-5/8", "-\\tfrac{5}{8}"),
            ("*2", "{\\ast}2"),
            ("^", "\\uparrow"),
            ("v2*", "\\Downarrow {\\ast}"),
            ("^3", "3{\\cdot}\\uparrow"),
            ("1v9*8", "1{+}9{\\cdot}\\downarrow {\\ast}8"),
            ("v<2>*", "\\downarrow_{2}{\\ast}"),
            ("^[3]", "\\uparrow^{[3]}"),
            ("{1||*|-1}", "\\{1\\parallel {\\ast}\\mid -1\\}"),
            ("{9|||8||7|6}", "\\{9\\mathrel{|||}8\\parallel 7\\mid 6\\}"),
            ("+-(1*)", "\\pm (1{\\ast})"),
            ("Tiny(3/2)", "\\operatorname{Tiny}(\\tfrac{3}{2})"),
            (
                "3/2over & vv",
                "\\tfrac{3}{2}\\mathbf{over} \\mathbin{\\&} \\downarrow \\downarrow",
            ),
            ("v<on>*", "\\downarrow_{\\mathbf{on}}{\\ast}"),
            ("oo(0,2)", "\\infty(0,2)"),
            ("a{0|a}", "a\\{0\\mid a\\}"),
            ("↑²*", "\\uparrow ^{2}{\\ast}"),
            ("↑(1|0)", "\\uparrow (1\\mid 0)"),
        ] {
            assert_eq!(value_math(text), math, "{text}");
        }
    }
}
