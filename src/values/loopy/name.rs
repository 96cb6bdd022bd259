//! The names of loopy stoppers.

use super::calculator::LoopyCalculator;
use super::graph::{BOTH, RIGHT};
use super::stopper::{LoopyId, Stopper};
use crate::{Dyadic, NumberUpStar, UptimalShape};

/// A stopper with a name of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LoopyName {
    /// `on = {on|}`.
    On,
    /// `off = {|off}`.
    Off,
    /// A number plus `over = {0|over}`.
    Over(Dyadic),
    /// A number plus `under = {under|0}`.
    Under(Dyadic),
    /// A number plus upon or upon-th plus a nimber, or the same with downs.
    Upon(Upon),
}

/// `x + ^[on] + *k` or `x + ^<on> + *k`, or with downs in place of ups.
///
/// `^[on] = {^[on]|*}` is upon, greater than every `^[n]`, and less than every number above 0;
/// `^<on> = {0|v[on]*}` is upon-th. With a number x and a nimber `*k`
///
/// ```text
/// x + ^[on] + *k = {pass | x + *(k xor 1)}                  for k other than 1
/// x + ^[on] + *  = {x, pass | x}
/// x + ^<on> + *k = {x, x*, ..., x*k | x - ^[on] + *(k xor 1)}
/// ```
///
/// Source: *Winning Ways*, chapter 11.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Upon {
    /// The number.
    pub number: Dyadic,
    /// Whether the powers are those of down.
    pub down: bool,
    /// Upon-th, or the sum upon.
    pub shape: UptimalShape,
    /// The nimber, 0 for none.
    pub star: u32,
}

impl LoopyCalculator<'_> {
    /// Returns the name of a loopy form, if it has one.
    pub fn name(&self, id: LoopyId) -> Option<LoopyName> {
        let [left, right] = self.forms.options(id);
        let pass = Stopper::Loopy(id);
        let number = |options: &[Stopper]| match *options {
            [Stopper::Short(id)] => self.arena().number(id),
            _ => None,
        };
        match (&left[..], &right[..]) {
            ([only], []) if *only == pass => return Some(LoopyName::On),
            ([], [only]) if *only == pass => return Some(LoopyName::Off),
            (_, [only])
                if *only == pass
                    && let Some(number) = number(left) =>
            {
                return Some(LoopyName::Over(number));
            }
            ([only], _)
                if *only == pass
                    && let Some(number) = number(right) =>
            {
                return Some(LoopyName::Under(number));
            }
            _ => {}
        }
        let found = BOTH.into_iter().find_map(|player| {
            let upon = self.upon(id, player).or_else(|| self.uponth(id, player))?;
            Some(Upon {
                down: player == RIGHT,
                ..upon
            })
        });
        found.map(LoopyName::Upon)
    }

    /// Returns a form as a number plus upon plus a nimber, as the player sees it whose arrows are up: the number is that of the
    /// form.
    fn upon(&self, id: LoopyId, player: usize) -> Option<Upon> {
        let options = self.forms.options(id);
        let [reply] = options[1 - player][..] else {
            return None;
        };
        let (number, star) = self.number_star(reply)?;
        let pass = Stopper::Loopy(id);
        let is_shape = match (&options[player][..], star) {
            // Short forms come first.
            ([first, second], 0) => *first == reply && *second == pass,
            ([only], 1..) => *only == pass,
            _ => false,
        };
        is_shape.then_some(Upon {
            number,
            down: false,
            shape: UptimalShape::Sum,
            star: star ^ 1,
        })
    }

    /// Returns a form as a number plus upon-th plus a nimber likewise.
    fn uponth(&self, id: LoopyId, player: usize) -> Option<Upon> {
        let options = self.forms.options(id);
        let [Stopper::Loopy(reply)] = options[1 - player][..] else {
            return None;
        };
        let below = self.upon(reply, 1 - player)?;
        let star = below.star ^ 1;
        let stars = options[player]
            .iter()
            .map(|&option| self.number_star(option));
        let mut stars: Vec<u32> = stars
            .map(|found| {
                found
                    .filter(|(number, _)| *number == below.number)
                    .map(|(_, star)| star)
            })
            .collect::<Option<_>>()?;
        stars.sort_unstable();
        stars.into_iter().eq(0..=star).then_some(Upon {
            shape: UptimalShape::Power,
            star,
            ..below
        })
    }

    /// Returns a short stopper as a number plus a nimber, if it is one.
    fn number_star(&self, stopper: Stopper) -> Option<(Dyadic, u32)> {
        let Stopper::Short(id) = stopper else {
            return None;
        };
        if let Some(number) = self.arena().number(id) {
            return Some((number, 0));
        }
        match self.arena().number_up_star(id)? {
            NumberUpStar {
                number,
                ups: 0,
                star,
            } => Some((number, star)),
            _ => None,
        }
    }

    /// Returns x and y where a form is `{x||x|y}` for Left, or its negative for Right, with a number x and a loopy y.
    pub(super) fn tiny(&self, id: LoopyId, player: usize) -> Option<(Dyadic, LoopyId)> {
        if !self.forms.is_plumtree(id) {
            return None;
        }
        let options = self.forms.options(id);
        let ([near], [Stopper::Loopy(threat)]) = (&options[player][..], &options[1 - player][..])
        else {
            return None;
        };
        let of_threat = self.forms.options(*threat);
        let ([back], [Stopper::Loopy(rest)]) = (&of_threat[player][..], &of_threat[1 - player][..])
        else {
            return None;
        };
        let (number, star) = self.number_star(*near)?;
        (star == 0 && near == back && *threat != id && *rest != id && rest != threat)
            .then_some((number, *rest))
    }
}
