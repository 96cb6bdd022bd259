//! From finished results to their laws: the work of `seedbank mine`, and of `seedbank run` for a
//! job with a section `[mine]`.
//!
//! [`Mineable::read`] reads the results, [`Mineable::mine`] searches for laws, [`Mining::extend`]
//! computes entries that the laws predict, and [`Mining::write`] writes the table `laws`. Nothing
//! is written before the end: an interrupted search leaves the results unchanged and starts over.

mod error;
mod extend;
mod found;
mod laws_set;
mod search;

pub use self::error::{MiningError, NOTHING_TO_MINE};
pub use self::found::{Data, Extension, Found, LawSource, Mining};
pub use self::laws_set::{LAWS, laws_damage, laws_of, stored_laws};
pub use self::search::{Mineable, MiningProgress};
