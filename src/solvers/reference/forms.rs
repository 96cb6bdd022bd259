//! Games as sets of options, with order, sum and canonical form straight from the definitions.
//!
//! A game is stored as the lists of its Left and Right options. Games of the same structure share
//! an entry of the table, so a tree with shared branches stays small. A game consists of its
//! options only: no stops, no numbers, no symmetry.

use std::collections::{BTreeMap, BTreeSet, HashMap};

/// A game in a table of [`ReferenceForms`]; two are equal if and only if they have the same
/// structure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ReferenceForm(usize);

type Options = BTreeSet<ReferenceForm>;

/// A table of games, and the definitions of Winning Ways over it.
///
/// ```
/// use cgsolvers::reference::ReferenceForms;
///
/// let mut forms = ReferenceForms::new();
/// let zero = forms.canonical([], []);
/// let star = forms.canonical([zero], [zero]);
/// let up = forms.canonical([zero], [star]);
/// assert!(forms.le(zero, up) && !forms.le(up, zero));
/// assert!(!forms.le(star, up) && !forms.le(up, star));
/// assert_eq!(forms.sum(star, star), zero);
/// ```
#[derive(Debug, Default)]
pub struct ReferenceForms {
    games: Vec<(Options, Options)>,
    places: BTreeMap<(Options, Options), ReferenceForm>,
    orders: HashMap<(ReferenceForm, ReferenceForm), bool>,
    sums: HashMap<(ReferenceForm, ReferenceForm), ReferenceForm>,
}

impl ReferenceForms {
    /// Returns an empty table.
    pub fn new() -> ReferenceForms {
        ReferenceForms::default()
    }

    /// Returns Left's options of a game.
    pub fn left_options(&self, game: ReferenceForm) -> &BTreeSet<ReferenceForm> {
        &self.games[game.0].0
    }

    /// Returns Right's options of a game.
    pub fn right_options(&self, game: ReferenceForm) -> &BTreeSet<ReferenceForm> {
        &self.games[game.0].1
    }

    /// Returns the canonical form of the game with these options, which are canonical.
    ///
    /// Dominated options are deleted and reversible options bypassed as long as there are any.
    pub fn canonical(
        &mut self,
        left: impl IntoIterator<Item = ReferenceForm>,
        right: impl IntoIterator<Item = ReferenceForm>,
    ) -> ReferenceForm {
        let mut left: Options = left.into_iter().collect();
        let mut right: Options = right.into_iter().collect();
        loop {
            if let Some(option) = self.dominated(&left, |forms, a, b| forms.le(a, b)) {
                left.remove(&option);
            } else if let Some(option) = self.dominated(&right, |forms, a, b| forms.le(b, a)) {
                right.remove(&option);
            } else {
                let game = self.game(left.clone(), right.clone());
                if let Some((option, instead)) = self.left_reversible(game) {
                    left.remove(&option);
                    left.extend(instead);
                } else if let Some((option, instead)) = self.right_reversible(game) {
                    right.remove(&option);
                    right.extend(instead);
                } else {
                    return game;
                }
            }
        }
    }

    /// Returns whether `g <= h`: true unless some `g^L >= h` or some `h^R <= g`.
    pub fn le(&mut self, g: ReferenceForm, h: ReferenceForm) -> bool {
        if let Some(&known) = self.orders.get(&(g, h)) {
            return known;
        }
        let (left, right) = (self.left_options(g).clone(), self.right_options(h).clone());
        let le = !left.into_iter().any(|gl| self.le(h, gl))
            && !right.into_iter().any(|hr| self.le(hr, g));
        self.orders.insert((g, h), le);
        le
    }

    /// Returns the canonical form of `g + h`: a move is a move in one of the two.
    pub fn sum(&mut self, g: ReferenceForm, h: ReferenceForm) -> ReferenceForm {
        if let Some(&known) = self.sums.get(&(g, h)) {
            return known;
        }
        let side = |forms: &mut ReferenceForms, gs: Options, hs: Options| {
            let in_g: Options = gs.into_iter().map(|option| forms.sum(option, h)).collect();
            let in_h: Options = hs.into_iter().map(|option| forms.sum(g, option)).collect();
            &in_g | &in_h
        };
        let (gs, hs) = (self.left_options(g).clone(), self.left_options(h).clone());
        let left = side(self, gs, hs);
        let (gs, hs) = (self.right_options(g).clone(), self.right_options(h).clone());
        let right = side(self, gs, hs);
        let sum = self.canonical(left, right);
        self.sums.insert((g, h), sum);
        sum
    }

    /// Returns the negative of a game: Left's and Right's moves exchanged throughout.
    pub fn negative(&mut self, game: ReferenceForm) -> ReferenceForm {
        let (left, right) = self.games[game.0].clone();
        let left: Options = left
            .into_iter()
            .map(|option| self.negative(option))
            .collect();
        let right = right
            .into_iter()
            .map(|option| self.negative(option))
            .collect();
        self.game(right, left)
    }

    /// Returns the game with exactly these options.
    fn game(&mut self, left: Options, right: Options) -> ReferenceForm {
        let games = &mut self.games;
        let place = self.places.entry((left, right));
        *place.or_insert_with_key(|options| {
            games.push(options.clone());
            ReferenceForm(games.len() - 1)
        })
    }

    /// Returns an option that another one dominates.
    fn dominated(
        &mut self,
        options: &Options,
        at_most_as_good: impl Fn(&mut ReferenceForms, ReferenceForm, ReferenceForm) -> bool,
    ) -> Option<ReferenceForm> {
        let useless = |option: &&ReferenceForm| {
            let mut others = options.iter().filter(|other| other != option);
            others.any(|&other| at_most_as_good(self, **option, other))
        };
        options.iter().find(useless).copied()
    }

    /// Returns a Left option with a Right option `<= game`, and the Left options of the latter.
    fn left_reversible(&mut self, game: ReferenceForm) -> Option<(ReferenceForm, Options)> {
        for option in self.left_options(game).clone() {
            for answer in self.right_options(option).clone() {
                if self.le(answer, game) {
                    return Some((option, self.left_options(answer).clone()));
                }
            }
        }
        None
    }

    /// Returns a Right option with a Left option `>= game`, and the Right options of the latter.
    fn right_reversible(&mut self, game: ReferenceForm) -> Option<(ReferenceForm, Options)> {
        for option in self.right_options(game).clone() {
            for answer in self.left_options(option).clone() {
                if self.le(game, answer) {
                    return Some((option, self.right_options(answer).clone()));
                }
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dominated_option_goes() {
        let mut forms = ReferenceForms::new();
        let zero = forms.canonical([], []);
        let one = forms.canonical([zero], []);
        let two = forms.canonical([one], []);
        assert_eq!(forms.canonical([zero, one], []), two);
        let half = forms.canonical([zero], [one]);
        assert_eq!(forms.canonical([zero], [two, one]), half);
        assert_eq!(forms.sum(half, half), one);
    }

    #[test]
    fn a_reversible_option_is_bypassed() {
        let mut forms = ReferenceForms::new();
        let zero = forms.canonical([], []);
        let star = forms.canonical([zero], [zero]);
        // {* | *} = 0, and {*|} = 0, too: Right answers * by moving to 0.
        assert_eq!(forms.canonical([star], [star]), zero);
        assert_eq!(forms.canonical([star], []), zero);
        // Up plus star: {0,*|0}.
        let up = forms.canonical([zero], [star]);
        let up_star = forms.sum(up, star);
        assert_eq!(*forms.left_options(up_star), Options::from([zero, star]));
        assert_eq!(*forms.right_options(up_star), Options::from([zero]));
        let down_star = forms.negative(up_star);
        assert_eq!(forms.sum(up_star, down_star), zero);
    }
}
