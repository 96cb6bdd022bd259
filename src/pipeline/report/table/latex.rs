//! Tables as LaTeX: `tabular`, positions in bold digits, values in mathematics. Needs amsmath.

use cgvalues::latex::{symbol, value_math};

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
                let (symbol, value) = (value_math(&one_line(symbol)), value_math(&one_line(value)));
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
                ValueText::Digest(_) | ValueText::Missing(_) | ValueText::Misere(_) => {
                    format!("${} = {{}}${}", position_math(position), shown(value))
                }
                ValueText::Notation(text) | ValueText::Symbol { symbol: text, .. } => {
                    format!(
                        "${} = {}$",
                        position_math(position),
                        value_math(&one_line(text))
                    )
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
            format!("${}$", value_math(&one_line(text)))
        }
        ValueText::Digest(_) => format!("\\texttt{{{}}}", prose(&value.plain())),
        ValueText::Missing(text) | ValueText::Misere(text) => prose(text),
    }
}

/// Escapes the characters with a meaning in LaTeX text.
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

#[cfg(test)]
mod tests {
    use super::*;

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
