//! The writer of SVG text.

use std::fmt::{Display, Write};

use super::number::number;
use super::theme;

/// The approximate width of a character of text; no font is measured.
///
/// Unit: pixels.
pub(super) const CHARACTER: f64 = 7.2;

/// A picture being drawn: elements in the order of painting, one per line.
///
/// ```
/// use seedbank::report::svg::Svg;
///
/// let mut picture = Svg::new([60.0, 20.0], "A bar", "It is 40 wide.");
/// picture.rect([10.0, 5.0], [40.0, 10.0], "bar");
/// assert_eq!(
///     picture.inline(),
///     r#"<svg class="picture" viewBox="0 0 60 20" width="60" height="20" role="img">
/// <title>A bar</title>
/// <desc>It is 40 wide.</desc>
/// <rect x="10" y="5" width="40" height="10" class="bar"/>
/// </svg>
/// "#
/// );
/// ```
#[derive(Clone, Debug)]
pub struct Svg {
    size: [f64; 2],
    title: String,
    description: String,
    elements: String,
}

impl Svg {
    /// Begins a picture of a width and a height, with a title and a description for readers who do
    /// not see it. The description may be empty.
    pub fn new(size: [f64; 2], title: impl Into<String>, description: impl Into<String>) -> Svg {
        Svg {
            size,
            title: title.into(),
            description: description.into(),
            elements: String::new(),
        }
    }

    /// Returns the title.
    pub fn title(&self) -> &str {
        &self.title
    }

    /// Draws an element without content. Values of attributes are escaped; empty attributes are left out.
    pub fn element(&mut self, name: &str, attributes: &[(&str, &dyn Display)]) {
        self.open(name, attributes);
        self.elements.push_str("/>\n");
    }

    /// Draws a line from one point to another.
    pub fn line(&mut self, from: [f64; 2], to: [f64; 2], class: &str) {
        let [x1, y1, x2, y2] = [from[0], from[1], to[0], to[1]].map(number);
        self.element(
            "line",
            &[
                ("x1", &x1),
                ("y1", &y1),
                ("x2", &x2),
                ("y2", &y2),
                ("class", &class),
            ],
        );
    }

    /// Draws a rectangle, given its upper left corner, its width and its height.
    pub fn rect(&mut self, corner: [f64; 2], size: [f64; 2], class: &str) {
        self.open_rect(corner, size, class);
        self.elements.push_str("/>\n");
    }

    /// Draws a rectangle whose title appears when the pointer rests on it.
    pub(super) fn titled_rect(
        &mut self,
        corner: [f64; 2],
        size: [f64; 2],
        class: &str,
        title: &str,
    ) {
        self.open_rect(corner, size, class);
        let _ = writeln!(self.elements, "><title>{}</title></rect>", escaped(title));
    }

    fn open_rect(&mut self, corner: [f64; 2], size: [f64; 2], class: &str) {
        let [x, y, width, height] = [corner[0], corner[1], size[0], size[1]].map(number);
        self.open(
            "rect",
            &[
                ("x", &x),
                ("y", &y),
                ("width", &width),
                ("height", &height),
                ("class", &class),
            ],
        );
    }

    /// Draws a disc.
    pub fn circle(&mut self, center: [f64; 2], radius: f64, class: &str) {
        let [x, y, r] = [center[0], center[1], radius].map(number);
        self.element(
            "circle",
            &[("cx", &x), ("cy", &y), ("r", &r), ("class", &class)],
        );
    }

    /// Draws straight lines through points.
    pub fn polyline(&mut self, points: &[[f64; 2]], class: &str) {
        self.element(
            "polyline",
            &[("points", &listed(points)), ("class", &class)],
        );
    }

    /// Draws an area with these corners.
    pub fn polygon(&mut self, points: &[[f64; 2]], class: &str) {
        self.element("polygon", &[("points", &listed(points)), ("class", &class)]);
    }

    /// Writes text that begins at a point; the classes `middle` and `end` center it there or end it
    /// there.
    pub fn text(&mut self, at: [f64; 2], class: &str, text: &str) {
        let [x, y] = at.map(number);
        self.open("text", &[("x", &x), ("y", &y), ("class", &class)]);
        let _ = writeln!(self.elements, ">{}</text>", escaped(text));
    }

    /// Writes text centered at a point, or moved so that it stays within the width of the picture.
    pub(super) fn label(&mut self, at: [f64; 2], class: &str, text: &str) {
        let half = text.chars().count() as f64 * CHARACTER / 2.0;
        let x = at[0].min(self.size[0] - half).max(half);
        self.text([x, at[1]], &format!("{class} middle"), text);
    }

    /// Draws elements as a group. A title that is not empty appears when the pointer rests on the group.
    pub fn group(&mut self, class: &str, title: &str, draw: impl FnOnce(&mut Svg)) {
        self.open("g", &[("class", &class)]);
        self.elements.push_str(">\n");
        if !title.is_empty() {
            let _ = writeln!(self.elements, "<title>{}</title>", escaped(title));
        }
        draw(self);
        self.elements.push_str("</g>\n");
    }

    /// Returns the picture for a page that already has the colours of [`theme`].
    pub fn inline(&self) -> String {
        self.written("", "")
    }

    /// Returns the picture as a separate file, with its colours for light and dark backgrounds.
    pub fn document(&self) -> String {
        let style = format!("<style>\n{}</style>\n", theme::document_style());
        self.written(" xmlns=\"http://www.w3.org/2000/svg\"", &style)
    }

    fn written(&self, namespace: &str, style: &str) -> String {
        let [width, height] = self.size.map(number);
        let mut text = format!(
            "<svg{namespace} class=\"picture\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
             height=\"{height}\" role=\"img\">\n<title>{}</title>\n",
            escaped(&self.title)
        );
        if !self.description.is_empty() {
            let _ = writeln!(text, "<desc>{}</desc>", escaped(&self.description));
        }
        text.push_str(style);
        text.push_str(&self.elements);
        text.push_str("</svg>\n");
        text
    }

    /// Writes the beginning of an element, up to its last attribute.
    fn open(&mut self, name: &str, attributes: &[(&str, &dyn Display)]) {
        let _ = write!(self.elements, "<{name}");
        for (name, value) in attributes {
            let value = value.to_string();
            if !value.is_empty() {
                let _ = write!(self.elements, " {name}=\"{}\"", escaped(&value));
            }
        }
    }
}

fn listed(points: &[[f64; 2]]) -> String {
    let points = points.iter().map(|point| point.map(number).join(","));
    points.collect::<Vec<_>>().join(" ")
}

/// Returns text escaped for SVG and HTML, in elements and in attributes between double quotes.
///
/// Characters that are forbidden there, such as form feeds, become blanks.
///
/// ```
/// use seedbank::report::svg::escaped;
///
/// assert_eq!(escaped("{2|<0>} & \"*\""), "{2|&lt;0&gt;} &amp; &quot;*&quot;");
/// ```
pub fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\n' | '\t' => escaped.push(c),
            '\u{fffe}' | '\u{ffff}' => escaped.push(' '),
            c if c.is_control() => escaped.push(' '),
            c => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    fn elements(draw: impl FnOnce(&mut Svg)) -> String {
        let mut picture = Svg::new([10.0, 10.0], "t", "");
        draw(&mut picture);
        picture.elements
    }

    #[test]
    fn elements_have_their_attributes_in_order_and_numbers_have_two_decimals() {
        let text = elements(|picture| {
            picture.line([0.0, 1.0 / 3.0], [2.0, -0.5], "axis");
            picture.polyline(&[[0.0, 0.0], [1.25, 2.0]], "");
            picture.polygon(&[[0.0, 0.0], [1.0, 0.0], [1.0, 1.0]], "area");
            picture.circle([1.0, 2.0], 0.5, "dot");
        });
        assert_eq!(
            text,
            "<line x1=\"0\" y1=\"0.33\" x2=\"2\" y2=\"-0.5\" class=\"axis\"/>\n\
             <polyline points=\"0,0 1.25,2\"/>\n\
             <polygon points=\"0,0 1,0 1,1\" class=\"area\"/>\n\
             <circle cx=\"1\" cy=\"2\" r=\"0.5\" class=\"dot\"/>\n"
        );
    }

    #[test]
    fn groups_and_texts_are_escaped() {
        let text = elements(|picture| {
            picture.group("cell", "a < b", |picture| {
                picture.text([1.0, 2.0], "middle", "\"&\"")
            });
        });
        assert_eq!(
            text,
            "<g class=\"cell\">\n<title>a &lt; b</title>\n\
             <text x=\"1\" y=\"2\" class=\"middle\">&quot;&amp;&quot;</text>\n</g>\n"
        );
    }

    #[test]
    fn a_document_has_a_namespace_its_colours_and_nothing_to_load() {
        let mut picture = Svg::new([10.0, 10.0], "a & b", "");
        picture.rect([0.0, 0.0], [1.0, 1.0], "bar");
        let text = picture.document();
        assert!(text.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"picture\""));
        assert!(text.contains("<title>a &amp; b</title>\n<style>"), "{text}");
        assert!(
            !text.contains("var("),
            "viewers of SVG files do not all know variables: {text}"
        );
        assert!(!text.contains("url(") && !text.contains("@import") && !text.contains("href"));
        assert!(!picture.inline().contains("<style>"));
    }

    #[test]
    fn characters_that_xml_refuses_become_blanks() {
        assert_eq!(escaped("a\u{0}b\u{c}c\u{ffff}\nd"), "a b c \nd");
    }
}
