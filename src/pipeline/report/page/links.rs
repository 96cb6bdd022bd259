//! The pages of values on a site, to which the cells of its pages lead.

use std::collections::HashMap;

use cgvalues::ValueDigest;

/// The digests of the values that have a page, by their notations.
pub(in crate::report) type ValuePages = HashMap<String, ValueDigest>;

/// Returns the path of the page of a value, below the folder of the site. Equal values have one page, also in later sites.
pub(in crate::report) fn path_of_value(digest: ValueDigest) -> String {
    format!("values/{digest}.html")
}
