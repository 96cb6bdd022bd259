//! A page for finished results: one HTML file that needs nothing else.
//!
//! A [`Section`] holds the contents about one job; [`page`] writes all sections as one file. The file
//! contains its styles and its script, and a policy that forbids a browser to load anything.
//!
//! The page stays small because it leaves things out, and it says so. Tables end after a number of
//! cells. Columns of results appear as distributions and in runs of rows
//! ([`Profile`](crate::dataset::profile::Profile)), those of large results with two variables also in
//! maps of tiles ([`tile_maps`]). Long notations are shortened, and whole in the panel. Patterns of one variable have a list to
//! copy and curves of their numbers ([`Sequence`]).
//!
//! A page is complete without its script: tables, charts and laws are plain HTML. The script adds the
//! panel with the facts of a cell, the choice of a quantity for colours, arrow keys, and buttons that copy lists.

mod document;
mod figures;
mod grid;
mod html;
mod links;
mod section;
mod sequences;
mod tiles;

pub use self::document::{GENERATOR, page};
pub(in crate::report) use self::document::{
    SCRIPT, SCRIPT_FILE, STYLE_FILE, document, page_on_site, style, values_shown,
};
pub use self::figures::{Figure, Figures};
pub(in crate::report) use self::html::facts;
pub(in crate::report) use self::links::{ValuePages, path_of_value};
pub use self::section::{Section, Spared};
pub use self::sequences::{MEMBERS_MAX, SEQUENCES_MAX, Sequence, SequenceMember};
pub use self::tiles::tile_maps;
