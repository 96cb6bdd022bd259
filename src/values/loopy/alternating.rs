//! The alternating play of a stopper, down to its pseudonumbers.

use std::cmp::Ordering;
use std::fmt;

use foldhash::fast::RandomState;
use hashbrown::HashMap;

use super::calculator::LoopyCalculator;
use super::graph::BOTH;
use super::name::LoopyName;
use super::stopper::Stopper;
use crate::Dyadic;

/// A stopper in which neither player has a move that gains: a number x, `x + over`, `x + under`, `on` or `off`.
///
/// They are ordered as games, `off < xunder < x < xover < on`, and smaller numbers come first. Source: Siegel, *Combinatorial Game
/// Theory*, chapter VI.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pseudonumber {
    /// `off`.
    Off,
    /// A number plus `under`.
    Under(Dyadic),
    /// A number.
    Number(Dyadic),
    /// A number plus `over`.
    Over(Dyadic),
    /// `on`.
    On,
}

impl Pseudonumber {
    /// Returns the number from which it differs by less than every positive number, if there is one.
    pub fn number(self) -> Option<Dyadic> {
        match self {
            Pseudonumber::Under(x) | Pseudonumber::Number(x) | Pseudonumber::Over(x) => Some(x),
            Pseudonumber::Off | Pseudonumber::On => None,
        }
    }

    /// Returns the order of the size, the number, and the order of games beside one number.
    fn key(self) -> (i8, Dyadic, i8) {
        match self {
            Pseudonumber::Off => (-1, Dyadic::ZERO, 0),
            Pseudonumber::Under(x) => (0, x, -1),
            Pseudonumber::Number(x) => (0, x, 0),
            Pseudonumber::Over(x) => (0, x, 1),
            Pseudonumber::On => (1, Dyadic::ZERO, 0),
        }
    }
}

impl Ord for Pseudonumber {
    fn cmp(&self, other: &Pseudonumber) -> Ordering {
        self.key().cmp(&other.key())
    }
}

impl PartialOrd for Pseudonumber {
    fn partial_cmp(&self, other: &Pseudonumber) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// In the notation of values: `3/2`, `5over`, `on`.
impl fmt::Display for Pseudonumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (number, name) = match *self {
            Pseudonumber::Off => return f.write_str("off"),
            Pseudonumber::On => return f.write_str("on"),
            Pseudonumber::Number(x) => return x.fmt(f),
            Pseudonumber::Under(x) => (x, "under"),
            Pseudonumber::Over(x) => (x, "over"),
        };
        if number != Dyadic::ZERO {
            number.fmt(f)?;
        }
        f.write_str(name)
    }
}

/// The followers of a stopper that its play passes before it comes to a pseudonumber.
pub(super) struct Alternating {
    /// The options of each follower, by number; those of pseudonumbers are left out. The stopper is the first.
    pub(super) options: Vec<[Vec<usize>; 2]>,
    /// The followers that are pseudonumbers.
    pub(super) pseudonumbers: Vec<Option<Pseudonumber>>,
    /// The other followers with a player to move, each after those that a move leads to: in a stopper no alternating play is endless.
    pub(super) order: Vec<(usize, usize)>,
}

impl Alternating {
    pub(super) fn of(c: &LoopyCalculator<'_>, stopper: Stopper) -> Alternating {
        let mut places: HashMap<Stopper, usize, RandomState> = HashMap::default();
        places.insert(stopper, 0);
        let mut followers = vec![stopper];
        let (mut options, mut pseudonumbers) = (Vec::new(), Vec::new());
        while let Some(&follower) = followers.get(options.len()) {
            let pseudonumber = c.pseudonumber(follower);
            pseudonumbers.push(pseudonumber);
            if pseudonumber.is_some() {
                options.push([Vec::new(), Vec::new()]);
                continue;
            }
            let mut place = |option| {
                *places.entry(option).or_insert_with(|| {
                    followers.push(option);
                    followers.len() - 1
                })
            };
            let of_follower = c.options_of(follower);
            options.push(of_follower.map(|options| options.into_iter().map(&mut place).collect()));
        }
        let order = in_order(&options, &pseudonumbers);
        Alternating {
            options,
            pseudonumbers,
            order,
        }
    }
}

/// Returns the states of alternating play, each after those that follow it.
fn in_order(
    options: &[[Vec<usize>; 2]],
    pseudonumbers: &[Option<Pseudonumber>],
) -> Vec<(usize, usize)> {
    let mut before = vec![[Vec::new(), Vec::new()]; options.len()];
    let mut left = vec![[0; 2]; options.len()];
    let mut order = Vec::new();
    for (node, options) in options.iter().enumerate() {
        for player in BOTH {
            for &option in &options[player] {
                if pseudonumbers[option].is_none() {
                    before[option][1 - player].push(node);
                    left[node][player] += 1;
                }
            }
            if pseudonumbers[node].is_none() && left[node][player] == 0 {
                order.push((node, player));
            }
        }
    }
    let mut next = 0;
    while let Some(&(node, player)) = order.get(next) {
        next += 1;
        for &earlier in &before[node][player] {
            left[earlier][1 - player] -= 1;
            if left[earlier][1 - player] == 0 {
                order.push((earlier, 1 - player));
            }
        }
    }
    order
}

impl LoopyCalculator<'_> {
    /// Returns a stopper as a pseudonumber, if it is one.
    pub fn pseudonumber(&self, stopper: Stopper) -> Option<Pseudonumber> {
        match stopper {
            Stopper::Short(id) => self.arena().number(id).map(Pseudonumber::Number),
            Stopper::Loopy(id) => match self.name(id)? {
                LoopyName::On => Some(Pseudonumber::On),
                LoopyName::Off => Some(Pseudonumber::Off),
                LoopyName::Over(x) => Some(Pseudonumber::Over(x)),
                LoopyName::Under(x) => Some(Pseudonumber::Under(x)),
                LoopyName::Upon(_) => None,
            },
        }
    }

    /// Returns the stops of a stopper: the first pseudonumbers that alternating play comes to, when Left moves first and when
    /// Right does.
    ///
    /// Cost: a look at each option of each follower. Source: Siegel, *Combinatorial Game Theory*, chapter VI.
    ///
    /// ```
    /// use cgvalues::{Arena, LoopyCalculator};
    ///
    /// let arena = Arena::new();
    /// let mut c = LoopyCalculator::new(&arena);
    /// for (game, stops) in [("1/2over", ["1/2over"; 2]), ("+-(5over)", ["5over", "-5under"]), ("^[on]", ["0"; 2])] {
    ///     let stopper = c.parse(game)?.stopper().unwrap();
    ///     assert_eq!(c.stops(stopper).map(|stop| stop.to_string()), stops);
    /// }
    /// # Ok::<(), cgvalues::ParseValueError>(())
    /// ```
    pub fn stops(&self, stopper: Stopper) -> [Pseudonumber; 2] {
        let play = Alternating::of(self, stopper);
        let of_pseudonumbers = play.pseudonumbers.iter();
        let mut stops: Vec<[Pseudonumber; 2]> = of_pseudonumbers
            .map(|found| found.map_or([Pseudonumber::Off, Pseudonumber::On], |x| [x, x]))
            .collect();
        for &(node, player) in &play.order {
            let found = play.options[node][player].iter();
            let found = found.map(|&option| stops[option][1 - player]);
            let stop = match player {
                0 => found.max(),
                _ => found.min(),
            };
            // Only pseudonumbers lack options of a player.
            stops[node][player] = stop.expect("both players have options");
        }
        stops[0]
    }
}
