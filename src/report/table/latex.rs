//! Tables as LaTeX: `tabular`, positions in bold digits, values in mathematics. Needs amsmath.

use super::cells::{Block, Cell, Table, ValueText, one_line};

/// Returns the table as a `table` environment.
pub(super) fn render(table: &Table) -> String {
    let mut text = "\\begin{table}\n\\centering\n".to_owned();
    let blocks = table.blocks.iter().filter(|block| block.width() > 0);
    let blocks: Vec<String> = blocks.map(block).collect();
    text.push_str(&blocks.join("\n\\medskip\n\n"));
    if let Some(caption) = table.caption() {
        text.push_str(&format!("\\caption{{{}}}\n", prose(&caption)));
    }
    for note in &table.notes {
        let note = match note.split_once(" stands for ") {
            Some((symbol, value)) => {
                let (symbol, value) = (value_math(symbol), value_math(value));
                if symbol.replace(' ', "") == value.replace(' ', "") {
                    continue;
                }
                format!("${symbol}$ stands for ${value}$")
            }
            None => prose(note),
        };
        text.push_str(&format!("\\par {note}\n"));
    }
    text.push_str("\\end{table}\n");
    text
}

fn block(block: &Block) -> String {
    let mut columns = "l".repeat(block.width());
    if block.labelled && block.width() > 1 {
        columns.insert(1, '|');
    }
    let mut text = format!("\\begin{{tabular}}{{{columns}}}\n");
    if !block.header.is_empty() {
        text.push_str(&line(&block.header));
        text.push_str("\\hline\n");
    }
    for row in &block.rows {
        text.push_str(&line(row));
    }
    text.push_str("\\end{tabular}\n");
    text
}

fn line(cells: &[Cell]) -> String {
    let cells: Vec<String> = cells.iter().map(cell).collect();
    let mut line = cells.join(" & ");
    line.truncate(line.trim_end().len());
    line.push_str(" \\\\\n");
    line
}

fn cell(cell: &Cell) -> String {
    match cell {
        Cell::Blank => String::new(),
        Cell::Label(text) | Cell::Number(text) => prose(text),
        Cell::Position(text) => format!("${}$", position_math(text)),
        Cell::Value(value) => shown(value),
        Cell::Equation {
            position,
            value,
            followers,
            ..
        } => {
            let equation = match value {
                ValueText::Digest(_) | ValueText::Missing(_) => {
                    format!("${} = {{}}${}", position_math(position), shown(value))
                }
                ValueText::Notation(text) | ValueText::Symbol { symbol: text, .. } => {
                    format!("${} = {}$", position_math(position), value_math(text))
                }
            };
            match followers {
                None => equation,
                Some(1) => format!("{equation} (1 follower)"),
                Some(n) => format!("{equation} ({n} followers)"),
            }
        }
    }
}

fn shown(value: &ValueText) -> String {
    match value {
        ValueText::Notation(text) | ValueText::Symbol { symbol: text, .. } => {
            format!("${}$", value_math(text))
        }
        ValueText::Digest(_) => format!("\\texttt{{{}}}", prose(&value.plain())),
        ValueText::Missing(reason) => prose(reason),
    }
}

/// Takes their meaning from the characters that LaTeX reads in running text.
fn prose(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len() + 8);
    for c in one_line(text).chars() {
        match c {
            '#' | '$' | '%' | '&' | '_' | '{' | '}' => escaped.extend(['\\', c]),
            '\\' => escaped.push_str("\\textbackslash{}"),
            '^' => escaped.push_str("\\textasciicircum{}"),
            '~' => escaped.push_str("\\textasciitilde{}"),
            '<' => escaped.push_str("\\textless{}"),
            '>' => escaped.push_str("\\textgreater{}"),
            '|' => escaped.push_str("\\textbar{}"),
            '"' => escaped.push_str("\\char34{}"),
            other => escaped.push_str(symbol(other).map_or(&other.to_string(), |s| s.1)),
        }
    }
    escaped
}

/// A position in mathematics: bold digits, exponents raised, full pots as dots.
fn position_math(text: &str) -> String {
    let chars: Vec<char> = text.chars().collect();
    let mut math = String::new();
    let mut at = 0;
    while at < chars.len() {
        let digits = chars[at..].iter().take_while(|c| c.is_ascii_digit());
        let digits: String = digits.collect();
        match chars[at] {
            _ if !digits.is_empty() => {
                math.push_str(&format!("\\mathbf{{{digits}}}"));
                at += digits.len();
                continue;
            }
            '^' => {
                let exponent = chars[at + 1..].iter().take_while(|c| !" )(".contains(**c));
                let exponent: String = exponent.collect();
                math.push_str(&format!("^{{{exponent}}}"));
                at += exponent.chars().count();
            }
            '.' if chars[at..].starts_with(&['.', '.', '.']) => {
                math.push_str("{\\ldots}");
                at += 2;
            }
            'e' | '•' => math.push_str("{\\bullet}"),
            ' ' => math.push_str("\\,"),
            c => math.push(c),
        }
        at += 1;
    }
    math
}

/// A value in mathematics: `{1|{*|-1}}`, `1/2`, `^`, `^2*`, `v<2>`, `+-`, and the symbols of a spec.
fn value_math(text: &str) -> String {
    let text = one_line(text);
    let mut rest = &text[..];
    let mut math = String::new();
    while let Some(c) = rest.chars().next() {
        let taken = match c {
            '0'..='9' => number(rest, &mut math),
            '^' | 'v' => ups(rest, &mut math),
            '|' => {
                let run = rest.len() - rest.trim_start_matches('|').len();
                // Each further slash binds weaker; more than two have no sign of their own.
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
            '{' | '}' | '#' | '$' | '%' | '&' | '_' => {
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
        let width = digits(inner);
        if width > 0 && inner[width..].starts_with(close) {
            let power = &inner[..width];
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
            // Beside a number the multiple needs a sign, or it would read as one number.
            let beside =
                math.ends_with(|c: char| c.is_ascii_digit() || c == '}') && !math.ends_with("\\}");
            let plus = if beside { "{+}" } else { "" };
            math.push_str(&format!("{plus}{count}{{\\cdot}}{arrow} "));
        }
    }
    width + 1
}

fn digits(text: &str) -> usize {
    text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len()
}

/// A character outside of ASCII that tables use, in mathematics and in running text.
fn symbol(c: char) -> Option<(&'static str, &'static str)> {
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
            ("↑²*", "\\uparrow ^{2}{\\ast}"),
            ("↑(1|0)", "\\uparrow (1\\mid 0)"),
        ] {
            assert_eq!(value_math(text), math, "{text}");
        }
    }

    #[test]
    fn positions_are_bold_with_exponents_raised() {
        for (text, math) in [
            ("312", "\\mathbf{312}"),
            ("1^12", "\\mathbf{1}^{12}"),
            ("(10)^2 03", "(\\mathbf{10})^{2}\\,\\mathbf{03}"),
            ("3[12]e", "\\mathbf{3}[\\mathbf{12}]{\\bullet}"),
            (
                "...e 1^3 e...",
                "{\\ldots}{\\bullet}\\,\\mathbf{1}^{3}\\,{\\bullet}{\\ldots}",
            ),
        ] {
            assert_eq!(position_math(text), math, "{text}");
        }
    }

    #[test]
    fn prose_loses_its_meaning_to_latex() {
        assert_eq!(
            prose("100% \"a_b\" {1^2}\\\n$"),
            "100\\% \\char34{}a\\_b\\char34{} \\{1\\textasciicircum{}2\\}\\textbackslash{} \\$"
        );
    }
}
