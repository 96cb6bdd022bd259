//! The published values that the program holds.

use std::path::Path;

use seedbank::report::reference::Files;

/// Lists files of `data/reference` with their texts.
macro_rules! embed {
    ($($name:literal),+ $(,)?) => {
        [$(($name, include_str!(concat!("../../data/reference/", $name)))),+]
    };
}

/// The embedded files.
const EMBEDDED: [(&str, &str); 19] = embed![
    "sowing.toml",
    "atomic_wari.toml",
    "reaping.toml",
    "reverse_atomic_wari.toml",
    "coloured_sowing.toml",
    "domineering.toml",
    "octal.toml",
    "obligated.toml",
    "tchoukaillon.toml",
    "kalah.toml",
    "wari.toml",
    "oeis.toml",
    "clobber.toml",
    "col.toml",
    "hackenbush.toml",
    "partizan_subtraction.toml",
    "quotients.toml",
    "snort.toml",
    "toads_and_frogs.toml",
];

/// Returns the files of the folder that the user names, or those that the program holds.
pub(super) fn files(folder: Option<&Path>) -> Files<'_> {
    folder.map_or(Files::Texts(&EMBEDDED), Files::Folder)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;

    use super::*;
    use seedbank::report::reference::{FOLDER, Facts};

    #[test]
    fn every_file_of_the_folder_is_embedded() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(FOLDER);
        let names = fs::read_dir(&folder).unwrap();
        let names = names.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let names: BTreeSet<String> = names.filter(|name| name.ends_with(".toml")).collect();
        let embedded = EMBEDDED.map(|(name, _)| name.to_owned());
        assert_eq!(names, BTreeSet::from(embedded));

        let facts = |folder| Facts::load(files(folder)).unwrap().rows.len();
        assert_eq!(facts(None), facts(Some(&*folder)));
    }
}
