//! Small pieces of HTML.

use std::fmt::Write;

pub(super) use crate::report::colours::shortened;
use crate::report::svg::chart::ChartData;
pub(super) use crate::report::svg::escaped;

/// Returns JSON for a script element, with no text that could end the element.
pub(super) fn json_in_script(json: &serde_json::Value) -> String {
    json.to_string().replace('<', "\\u003c")
}

/// Returns a plain table.
pub(super) fn plain_table(data: &ChartData) -> String {
    let mut html = String::from("<div class=\"scroll\" tabindex=\"0\"><table><thead><tr>");
    for name in &data.header {
        let _ = write!(html, "<th scope=\"col\">{}", escaped(name));
    }
    html.push_str("</thead><tbody>");
    for row in &data.rows {
        html.push_str("<tr>");
        for cell in row {
            let _ = write!(html, "<td>{}", escaped(cell));
        }
    }
    html.push_str("</tbody></table></div>");
    html
}

/// Returns a definition list.
pub(in crate::report) fn facts<'f>(facts: impl IntoIterator<Item = (&'f str, &'f str)>) -> String {
    let mut html = String::from("<dl class=\"facts\">");
    for (name, fact) in facts {
        let _ = write!(
            html,
            "<div><dt>{}<dd>{}</div>",
            escaped(name),
            escaped(fact)
        );
    }
    html.push_str("</dl>\n");
    html
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_cannot_end_its_script() {
        let json = serde_json::json!(["</script>"]);
        let text = json_in_script(&json);
        assert_eq!(text, "[\"\\u003c/script>\"]");
        let back: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(back, json);
    }
}
