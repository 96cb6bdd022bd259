//! A page for finished results: one HTML file that needs nothing else.
//!
//! A [`Section`] holds what there is to show of one job; [`page`] writes all sections as one file. It
//! has its styles and its script in itself, and a policy that forbids a browser to load anything.
//!
//! The page stays small by what it leaves out, and says so: tables are cut off after a number of
//! cells, columns of results are shown as distributions and in runs of rows
//! ([`Profile`](crate::dataset::profile::Profile)), long notations are shortened.
//!
//! Without its script a page is complete: tables, charts and laws are plain HTML. The script adds the
//! panel with the facts of a cell, the choice of what colours show, and moving by arrow keys.

mod document;
mod figures;
mod grid;
mod html;
mod section;

pub use self::document::page;
pub use self::figures::{Figure, Figures};
pub use self::section::{Section, Spared};
