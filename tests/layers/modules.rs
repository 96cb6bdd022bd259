//! The modules of a package, and the files whose items each of them names.
//!
//! Names are resolved as the compiler resolves modules, items and imports. Methods and local
//! variables are unknown: a name counts as the item that the module knows under it.

use std::collections::{BTreeMap, BTreeSet};
use std::slice;

use super::declarations::{Declarations, Import};

/// All modules of a package.
pub(super) struct Modules(Vec<Module>);

/// A module.
pub(super) struct Module {
    /// Its file, relative to the source folder.
    pub(super) file: String,
    /// The names of the modules around it, outermost first, and its own.
    pub(super) path: Vec<String>,
    around: usize,
    below: BTreeMap<String, usize>,
    items: BTreeSet<String>,
    imports: Vec<Import>,
    paths: BTreeSet<Vec<String>>,
}

/// Each file with the files whose items it names, and one such item of each.
pub(super) type Uses<'m> = BTreeMap<&'m str, BTreeMap<&'m str, String>>;

/// The target of a path.
enum Place {
    Module(usize),
    /// An item that this module defines.
    Item(usize),
}

impl Modules {
    /// Reads the package whose root is one of these files. Their names are paths relative to the
    /// source folder; files for tests only are not reached.
    pub(super) fn read(files: &BTreeMap<String, String>, root: &str) -> Modules {
        let mut modules = Modules(Vec::new());
        modules.add(files, root, Vec::new(), 0, Declarations::of(&files[root]));
        modules
    }

    fn add(
        &mut self,
        files: &BTreeMap<String, String>,
        file: &str,
        path: Vec<String>,
        around: usize,
        declared: Declarations,
    ) -> usize {
        let number = self.0.len();
        self.0.push(Module {
            file: file.to_owned(),
            path: path.clone(),
            around,
            below: BTreeMap::new(),
            items: declared.items,
            imports: declared.imports,
            paths: declared.paths,
        });
        for (name, inline) in declared.modules {
            let path = [path.as_slice(), slice::from_ref(&name)].concat();
            let stem = path.join("/");
            let module = match inline {
                Some(declared) => self.add(files, file, path, number, declared),
                None => {
                    let candidates = [format!("{stem}.rs"), format!("{stem}/mod.rs")];
                    let file = candidates.iter().find(|&file| files.contains_key(file));
                    let file = file.unwrap_or_else(|| panic!("no file has the module {stem}"));
                    self.add(files, file, path, number, Declarations::of(&files[file]))
                }
            };
            self.0[number].below.insert(name, module);
        }
        number
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Module> {
        self.0.iter()
    }

    /// Returns which files name items of which other files, in their code or in private imports.
    ///
    /// A declaration of a module names no item, and neither does an import that exports a name
    /// (`pub use`): a file that uses the exported name names an item of the file that defines it.
    pub(super) fn uses(&self) -> Uses<'_> {
        let mut uses = Uses::new();
        for (number, module) in self.0.iter().enumerate() {
            let own = module.imports.iter().filter(|import| !import.is_public);
            for path in own.map(|import| &import.path).chain(&module.paths) {
                let Some(Place::Item(definer)) = self.locate(number, path, &mut Vec::new()) else {
                    continue;
                };
                let file = self.0[definer].file.as_str();
                if file != module.file {
                    let used = uses.entry(module.file.as_str()).or_default();
                    used.entry(file).or_insert_with(|| path.join("::"));
                }
            }
        }
        uses
    }

    /// Returns the target of a path in a module, or `None` if it leaves the package.
    ///
    /// The trail holds the paths that are being followed, so that no import is resolved through
    /// itself.
    fn locate<'m>(
        &'m self,
        from: usize,
        path: &'m [String],
        trail: &mut Vec<(usize, &'m [String])>,
    ) -> Option<Place> {
        let Some((name, rest)) = path.split_first() else {
            return Some(Place::Module(from));
        };
        let module = &self.0[from];
        let name = name.trim_end_matches('!');
        let below = match name {
            "crate" => Some(0),
            "self" => Some(from),
            "super" => Some(module.around),
            // A module and an item may share a name.
            _ if rest.is_empty() && module.items.contains(name) => None,
            _ => module.below.get(name).copied(),
        };
        if let Some(below) = below {
            return self.locate(below, rest, trail);
        }
        if module.items.contains(name) {
            return Some(Place::Item(from));
        }
        if trail.contains(&(from, path)) {
            return None;
        }
        trail.push((from, path));
        let place = module.imports.iter().find_map(|import| {
            let is_all = import.name == "*";
            if !is_all && import.name != name {
                return None;
            }
            match self.locate(from, &import.path, trail)? {
                Place::Module(module) => {
                    self.locate(module, if is_all { path } else { rest }, trail)
                }
                // The variants of an enum.
                Place::Item(_) if is_all => None,
                item @ Place::Item(_) => Some(item),
            }
        });
        trail.pop();
        place
    }
}

impl Module {
    /// Returns the names below the root of the package that this module names with paths from the root.
    pub(super) fn names_below_root(&self) -> BTreeSet<&str> {
        let imported = self.imports.iter().map(|import| &import.path);
        let below_root = imported.chain(&self.paths).filter_map(|path| {
            let up = path.iter().take_while(|name| *name == "super").count();
            let from_root = match path[0].as_str() {
                "crate" => 1,
                _ if up > 0 && up == self.path.len() => up,
                _ => return None,
            };
            path.get(from_root)
        });
        below_root.map(String::as_str).collect()
    }

    /// Returns the paths in its code; the name of a called macro ends with `!`.
    pub(super) fn paths(&self) -> impl Iterator<Item = String> {
        self.paths.iter().map(|path| path.join("::"))
    }
}

/// Returns the files of each circle, sorted: from each of them, names of items lead to all others and back.
pub(super) fn circles<'m>(uses: &Uses<'m>) -> BTreeSet<Vec<&'m str>> {
    let reached: BTreeMap<&str, BTreeSet<&str>> = uses
        .keys()
        .map(|&file| (file, files_reached(uses, file)))
        .collect();
    let in_circles = reached
        .iter()
        .filter(|(file, others)| others.contains(*file));
    let circle = |(file, others): (&&'m str, &BTreeSet<&'m str>)| {
        let leads_back =
            |other: &&&str| reached.get(**other).is_some_and(|back| back.contains(file));
        others.iter().filter(leads_back).copied().collect()
    };
    in_circles.map(circle).collect()
}

/// Returns the files reachable from a file through named items.
fn files_reached<'m>(uses: &Uses<'m>, file: &str) -> BTreeSet<&'m str> {
    let mut reached = BTreeSet::new();
    let mut unread = vec![file];
    while let Some(file) = unread.pop() {
        for &used in uses.get(file).into_iter().flat_map(BTreeMap::keys) {
            if reached.insert(used) {
                unread.push(used);
            }
        }
    }
    reached
}
