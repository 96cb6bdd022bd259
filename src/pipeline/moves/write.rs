//! Lines of files of moves, to be written.

use ::csv::{Terminator, WriterBuilder};
use serde::Serialize;

/// The line of a position, with the names of its options.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MovesLine {
    /// The position.
    pub position: String,
    /// Left's options; `None` if both players have the same.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub left: Option<Vec<String>>,
    /// Right's options likewise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub right: Option<Vec<String>>,
    /// The options of both players; `None` if each has their own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub options: Option<Vec<String>>,
}

impl MovesLine {
    /// Returns the line as a JSON object, with its end.
    ///
    /// ```
    /// use seedbank::moves::MovesLine;
    ///
    /// let line = MovesLine {
    ///     position: "2 1".to_owned(),
    ///     left: Some(vec!["0 2".to_owned()]),
    ///     right: Some(Vec::new()),
    ///     options: None,
    /// };
    /// assert_eq!(line.json(), "{\"position\":\"2 1\",\"left\":[\"0 2\"],\"right\":[]}\n");
    /// assert_eq!(line.csv(), "2 1,\"[\"\"0 2\"\"]\",\n");
    /// ```
    pub fn json(&self) -> String {
        let line = serde_json::to_string(self);
        line.expect("texts and lists of texts are JSON") + "\n"
    }

    /// Returns the header of lines like this one in CSV.
    pub fn csv_header(&self) -> &'static str {
        match self.options {
            None => "position,left,right\n",
            Some(_) => "position,options\n",
        }
    }

    /// Returns the line in CSV, with its end.
    pub fn csv(&self) -> String {
        let lists = [&self.left, &self.right, &self.options];
        let cells = lists.into_iter().flatten().map(|names| cell(names));
        let record: Vec<String> = [self.position.clone()].into_iter().chain(cells).collect();
        let ends = Terminator::Any(b'\n');
        let mut writer = WriterBuilder::new()
            .terminator(ends)
            .from_writer(Vec::new());
        let written = writer.write_record(record);
        written.expect("memory takes all that is written");
        let bytes = writer.into_inner();
        let bytes = bytes.unwrap_or_else(|_| unreachable!("memory takes all that is written"));
        String::from_utf8(bytes).expect("fields are texts")
    }
}

/// Returns a list of names as it is read again.
fn cell(names: &[String]) -> String {
    let is_plain = |name: &String| {
        !name.is_empty() && !name.contains(char::is_whitespace) && !name.starts_with('[')
    };
    if names.iter().all(is_plain) {
        return names.join(" ");
    }
    serde_json::to_string(names).expect("a list of texts is JSON")
}
