//! The nim-values of a game, from the engine that suits it.

use std::ops::Range;

use cggames::game::heap::HeapGame;

use super::error::{HEAPS_MAX, NimValueError};
use super::taking::Taking;
use super::triple::Triple;
use super::verify::Verified;
use crate::heaps::certificate::Certificate;
use crate::heaps::moves::MoveLists;
use crate::heaps::survey::FoundValues;

/// The required trust in values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trust {
    /// Every number below a value is proved to be an option, and the value itself not to be one.
    Verified,
    /// Values are right if no further rare heap occurs. This speeds up only games with
    /// splits in two and Grundy's game.
    Speculative,
}

/// The trust in the values found so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// All values are proved: those of the heaps below `to`.
    Verified {
        /// The number of heaps.
        to: usize,
    },
    /// The values of the heaps below `from` are proved. A wrong one among the others makes all
    /// after it doubtful.
    Speculative {
        /// The first heap whose value is not verified.
        from: usize,
        /// The number of heaps.
        to: usize,
    },
}

impl std::fmt::Display for Standing {
    /// Writes `verified to 1000` or `speculative from 500 to 1000`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Standing::Verified { to } => write!(f, "verified to {to}"),
            Standing::Speculative { from, to } => write!(f, "speculative from {from} to {to}"),
        }
    }
}

/// The nim-values of a heap game, computed on demand.
///
/// Each value takes two bytes, so 10^9 heaps take 2 GB.
///
/// ```
/// use cgsolvers::nim_values::{HeapNimValues, Standing, Trust, p_positions};
///
/// let mut values = HeapNimValues::new("0.37".parse()?);
/// let standing = values.extend(1000, Trust::Verified, &|| false)?;
/// assert_eq!(standing, Standing::Verified { to: 1000 });
/// let lost: Vec<usize> = p_positions(0, values.values()).collect();
/// assert_eq!(lost, [0, 3, 11, 19, 29, 45, 71, 97, 123, 149, 175, 313, 407]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct HeapNimValues {
    game: HeapGame,
    engine: Engine,
}

/// The engine that suits a game.
#[derive(Clone, Debug)]
enum Engine {
    Taking(Taking),
    Splitting(Box<Verified>),
    Triple(Triple),
}

impl HeapNimValues {
    /// Starts the values of a game.
    pub fn new(game: HeapGame) -> HeapNimValues {
        let moves = MoveLists::new(&game);
        let engine = match game.splits_max() {
            1 => Engine::Taking(Taking::new(moves)),
            2 => Engine::Splitting(Box::new(Verified::new(moves))),
            _ => Engine::Triple(Triple::new(moves)),
        };
        HeapNimValues { game, engine }
    }

    /// Resumes the values of a game from verified ones of the heaps from 0 on, in pieces.
    ///
    /// A piece that lacks its additional data is dropped, with all after it, and will be computed
    /// again; so [`values`](Self::values) may have fewer entries.
    ///
    /// Cost: O(1) a heap.
    ///
    /// ```
    /// use cgsolvers::nim_values::{FoundValues, HeapNimValues, Trust};
    ///
    /// let known = FoundValues { values: vec![0, 1, 2, 3, 1, 4], ..FoundValues::default() };
    /// let mut values = HeapNimValues::with_known("0.77".parse()?, [known]);
    /// values.extend(8, Trust::Verified, &|| false)?;
    /// assert_eq!(values.values(), [0, 1, 2, 3, 1, 4, 3, 2]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn with_known(
        game: HeapGame,
        known: impl IntoIterator<Item = FoundValues>,
    ) -> HeapNimValues {
        let mut values = HeapNimValues::new(game);
        let mut known = known.into_iter();
        if let Engine::Triple(engine) = &mut values.engine {
            let mut adopts = |found: FoundValues| engine.adopt(&found.values, &found.beside);
            while known.next().is_some_and(&mut adopts) {}
            return values;
        }
        let mut joined = known.next().unwrap_or_default().values;
        known.for_each(|found| joined.extend(found.values));
        match &mut values.engine {
            _ if joined.is_empty() => {}
            Engine::Taking(engine) => engine.adopt(joined),
            Engine::Splitting(engine) => engine.adopt(joined),
            Engine::Triple(_) => unreachable!("it was dealt with"),
        }
        values
    }

    /// Returns the results for these heaps.
    ///
    /// # Panics
    ///
    /// If some of their values have not been found.
    pub fn found(&self, heaps: Range<usize>) -> FoundValues {
        FoundValues {
            values: self.values()[heaps.clone()].to_vec(),
            beside: match &self.engine {
                Engine::Triple(engine) => engine.pairs(heaps).to_vec(),
                _ => Vec::new(),
            },
        }
    }

    /// Returns the game.
    pub fn game(&self) -> &HeapGame {
        &self.game
    }

    /// Returns the values found so far, those of the heaps from 0 on.
    pub fn values(&self) -> &[u16] {
        match &self.engine {
            Engine::Taking(engine) => engine.values(),
            Engine::Splitting(engine) => engine.values(),
            Engine::Triple(engine) => engine.values(),
        }
    }

    /// Returns the trust in the values found so far.
    pub fn standing(&self) -> Standing {
        let to = self.values().len();
        match &self.engine {
            Engine::Splitting(engine) => match engine.speculative_from() {
                Some(from) => Standing::Speculative { from, to },
                None => Standing::Verified { to },
            },
            _ => Standing::Verified { to },
        }
    }

    /// Finds values until there are `heaps` of them or `stop` returns true, and returns their
    /// standing.
    ///
    /// `stop` is called at least every 4,064 heaps, or every 16,384 without splits. The values
    /// found stay, and the next call continues from them. Once values are speculative, all later
    /// ones are, too, whatever trust is required.
    ///
    /// # Errors
    ///
    /// If a value would exceed [`VALUE_MAX`](super::VALUE_MAX), or `heaps` exceeds [`HEAPS_MAX`];
    /// the values found before stay.
    pub fn extend(
        &mut self,
        heaps: usize,
        trust: Trust,
        stop: &dyn Fn() -> bool,
    ) -> Result<Standing, NimValueError> {
        if heaps > HEAPS_MAX {
            return Err(NimValueError::ManyHeaps { found: heaps });
        }
        match &mut self.engine {
            Engine::Taking(engine) => engine.extend(heaps, stop)?,
            Engine::Splitting(engine) => engine.extend(heaps, trust == Trust::Verified, stop)?,
            Engine::Triple(engine) => engine.extend(heaps, stop)?,
        }
        Ok(self.standing())
    }

    /// Returns the proof of a period, if the values found so far are verified and prove one.
    ///
    /// Costs O(values).
    pub fn certificate(&self) -> Option<Certificate> {
        match self.standing() {
            Standing::Verified { .. } => Certificate::find(&self.game, self.values()),
            Standing::Speculative { .. } => None,
        }
    }
}
