//! The names that the program makes in its folders.

use std::ffi::OsStr;

/// The file that marks a folder as one of this program's. Its first line is the kind of folder.
pub const MARK: &str = ".seedbank";

/// The first bytes of every segment of a store.
pub const SEGMENT_MAGIC: [u8; 8] = *b"\x89SBSEG\r\n";

/// The folder for files being written, in every folder of this program.
pub const TMP: &str = "tmp";

/// The names that the program makes in a kind of folder.
///
/// In a name, `*` stands for one or more characters, a row of `#` for at least as many digits, and a row
/// of `@` for at least as many hexadecimal digits.
#[derive(Debug)]
pub struct Layout {
    /// The kind of folder, in words.
    pub kind: &'static str,
    /// The names of files.
    files: &'static [&'static str],
    /// The names of folders, and the names in these.
    folders: &'static [(&'static str, &'static Layout)],
    /// The folder whose files show that a folder without a mark is of this kind.
    pub(super) shown_by: Option<&'static str>,
}

/// Files being written.
pub(super) static TMP_FILES: Layout = Layout {
    kind: "files being written",
    files: &["*.#-#.tmp"],
    folders: &[],
    shown_by: None,
};

/// A folder of values.
pub static STORE: Layout = Layout {
    kind: "store",
    files: &["manifest.json", "store.lock"],
    folders: &[
        ("segments", &SEGMENTS),
        (TMP, &TMP_FILES),
        ("scores", &NUMBERED_FOLDERS),
    ],
    shown_by: Some("segments"),
};

/// The segments of a store.
pub static SEGMENTS: Layout = Layout {
    kind: "segments",
    files: &["######-@@@@@@@@.seg"],
    folders: &[],
    shown_by: None,
};

/// A folder of results: of a job, of one of its shards, or of laws.
pub static RESULT: Layout = Layout {
    kind: "result",
    files: &["manifest.json", "run.lock"],
    folders: &[
        ("records", &RECORDS),
        (TMP, &TMP_FILES),
        ("checkpoint", &NUMBERED_FOLDERS),
        ("shards", &SHARDS),
        ("laws", &RESULT),
        ("earlier", &EARLIER),
        ("store", &STORE),
        ("parts", &TABLE),
        ("forms", &TABLE),
        ("census", &TABLE),
        ("witnesses", &TABLE),
    ],
    shown_by: Some("records"),
};

/// The records of finished parts and of answers.
pub static RECORDS: Layout = Layout {
    kind: "records",
    files: &[
        "shard-#####.json",
        "part-p###-s####.json",
        "part-r#############.json",
        "answer-@.json",
    ],
    folders: &[],
    shown_by: None,
};

/// The files of a table.
pub static TABLE: Layout = Layout {
    kind: "table",
    files: &[
        "part-#####.parquet",
        "part-p###-s####.parquet",
        "part-r#############.parquet",
        "answer-@.parquet",
    ],
    folders: &[],
    shown_by: None,
};

/// The results of the shards of a job.
pub static SHARDS: Layout = Layout {
    kind: "shards",
    files: &[],
    folders: &[("#-of-#", &RESULT)],
    shown_by: None,
};

/// The results of earlier specs of a job.
pub static EARLIER: Layout = Layout {
    kind: "earlier results",
    files: &[],
    folders: &[("#", &RESULT)],
    shown_by: None,
};

/// A site of results: an index, its styles and its script, and folders of pages.
pub static SITE: Layout = Layout {
    kind: "site",
    files: &["index.html", "style.css", "script.js"],
    folders: &[
        ("jobs", &SITE_PAGES),
        ("values", &SITE_PAGES),
        (TMP, &TMP_FILES),
    ],
    shown_by: None,
};

/// The pages of a site.
pub static SITE_PAGES: Layout = Layout {
    kind: "pages",
    files: &["*.html"],
    folders: &[],
    shown_by: None,
};

/// Folders of numbered files, such as checkpoints.
pub static NUMBERED_FOLDERS: Layout = Layout {
    kind: "folders of numbered files",
    files: &[],
    folders: &[("*", &NUMBERED)],
    shown_by: None,
};

/// Numbered files: of scores, of items by rank, of followers, of sweeps, of graphs.
pub static NUMBERED: Layout = Layout {
    kind: "numbered files",
    files: &[
        "tier-#####",
        "at-work-#####",
        "items-#####",
        "found-#####",
        "counted-#####",
        "cells-#####",
        "forms-#####",
        "graph-#-#####",
    ],
    folders: &[(TMP, &TMP_FILES)],
    shown_by: None,
};

impl Layout {
    /// Returns whether a file of this name is one that the program makes here.
    pub fn has_file(&self, name: &OsStr) -> bool {
        self.files.iter().any(|pattern| fits_name(pattern, name))
    }

    /// Returns the layout of the folder of this name here.
    pub(super) fn folder(&self, name: &OsStr) -> Option<&'static Layout> {
        let mut folders = self.folders.iter();
        let found = folders.find(|(pattern, _)| fits_name(pattern, name));
        found.map(|(_, layout)| *layout)
    }
}

fn fits_name(pattern: &str, name: &OsStr) -> bool {
    name.to_str().is_some_and(|name| fits(pattern, name))
}

/// Returns whether a name fits a pattern of a [`Layout`].
fn fits(pattern: &str, name: &str) -> bool {
    let Some(first) = pattern.chars().next() else {
        return name.is_empty();
    };
    match first {
        '*' => {
            let rest = &pattern[1..];
            let mut ends = name.char_indices().skip(1).map(|(at, _)| at);
            ends.any(|at| fits(rest, &name[at..])) || rest.is_empty() && !name.is_empty()
        }
        '#' | '@' => {
            let rest = pattern.trim_start_matches(first);
            let least = pattern.len() - rest.len();
            let is_digit = |byte: &u8| match first {
                '#' => byte.is_ascii_digit(),
                _ => byte.is_ascii_hexdigit(),
            };
            let digits = name.bytes().take_while(is_digit).count();
            digits >= least && fits(rest, &name[digits..])
        }
        _ => {
            let rest = name.strip_prefix(first);
            rest.is_some_and(|rest| fits(&pattern[first.len_utf8()..], rest))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_fit_the_patterns_of_their_layout_alone() {
        for (pattern, name, expected) in [
            ("*.#-#.tmp", "000001.seg.77-4.tmp", true),
            ("*.#-#.tmp", "thesis.tmp", false),
            ("*.#-#.tmp", ".1-2.tmp", false),
            ("*.#-#.tmp", "a.1-2.tmp.bak", false),
            ("######-@@@@@@@@.seg", "000001-9f3c11d0.seg", true),
            ("######-@@@@@@@@.seg", "1234567-9f3c11d0.seg", true),
            ("######-@@@@@@@@.seg", "1-9f3c11d0.seg", false),
            ("######-@@@@@@@@.seg", "000001-9f3c.seg", false),
            ("######-@@@@@@@@.seg", "000001-9f3c11d0 (copy).seg", false),
            ("at-work-#####", "at-work-00003", true),
            ("at-work-#####", "at-work-3", false),
            ("graph-#-#####", "graph-12-00000", true),
            ("answer-@.json", "answer-00ff.json", true),
            ("answer-@.json", "answer-00ff (copy).json", false),
            ("answer-@.json", "answer-.json", false),
            ("*", "ä", true),
            ("*", "", false),
            ("tmp", "tmp", true),
            ("tmp", "tmp2", false),
        ] {
            assert_eq!(fits(pattern, name), expected, "{pattern} {name}");
        }
    }
}
