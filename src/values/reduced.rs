//! Reduced canonical forms: the simplest game infinitesimally close to a value.
//!
//! Write `G >=Inf H` where `G >= H - x` for every positive number x, that is, where the Right stop of
//! `G - H` is at least 0. G and H are infinitesimally close where each is `>=Inf` the other: their
//! difference is an infinitesimal. A game is in reduced canonical form if each of its followers is a
//! number, or has different stops and no option that is dominated or reversible by this order in
//! place of `>=`. Every game is infinitesimally close to exactly one such form, and no game that is
//! close to it has an earlier birthday.
//!
//! A game whose stops are one number x is close to x. Any other game is close to the one whose
//! options are the reduced forms of its options, and stays so when options are removed or bypassed
//! as in a simplification (Grossman and Siegel, Reductions of partizan games, Games of No Chance 3,
//! 2009; Siegel, Combinatorial Game Theory, section II.6).

use hashbrown::HashMap;

use super::calculator::sum_of_numbers;
use super::{Arena, ArenaError, Calculator, Dyadic, ValueId};

impl Calculator<'_> {
    /// Returns the reduced canonical form: the simplest game infinitesimally close to the value.
    ///
    /// Two values are infinitesimally close exactly where their reduced forms are equal.
    ///
    /// Costs a simplification for each follower, and a comparison for each pair of its options and
    /// each answer to one of them. A comparison costs an addition of numbers for each pair of
    /// followers of the two reduced forms; the memo of these pairs lasts for one call. There is no
    /// recursion over the followers.
    ///
    /// # Errors
    ///
    /// When the arena cannot hold the result.
    ///
    /// ```
    /// use cgvalues::Arena;
    ///
    /// let arena = Arena::new();
    /// let mut c = arena.calculator();
    /// for (value, reduced) in [
    ///     ("1/2", "1/2"),
    ///     ("3^*2", "3"),
    ///     ("{2*|^}", "{2|0}"),
    ///     ("{2|1||0} + ^", "{2|1||0}"),
    ///     ("{2,{3|*}|-1}", "{2,{3|0}|-1}"),
    ///     ("{2,2*,{3|0}|-1}", "{2,{3|0}|-1}"),
    /// ] {
    ///     let (value, reduced) = (c.parse(value)?, c.parse(reduced)?);
    ///     assert_eq!(c.reduced(value)?, reduced);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn reduced(&mut self, id: ValueId) -> Result<ValueId, ArenaError> {
        let arena = self.arena();
        let mut stops = SumStops::new(arena);
        let number = |c: &mut Self, form| {
            if !arena.stops_agree(form) {
                return Ok(None);
            }
            c.number(arena.left_stop(form)).map(Some)
        };
        self.transformed(id, number, |c, left, right| {
            let game = c.canonical(&mut left.to_vec(), &mut right.to_vec())?;
            let mut left = stops.reduced_options(c, game)?;
            let mut right = stops.reduced_options(c, game.negative())?;
            right
                .iter_mut()
                .for_each(|option| *option = option.negative());
            // Already canonical, since `>=` implies `>=Inf`.
            c.canonical(&mut left, &mut right)
        })
    }
}

/// The stops of sums of two values.
struct SumStops<'a> {
    arena: &'a Arena,
    known: HashMap<(ValueId, ValueId), Stops, foldhash::fast::RandomState>,
}

/// The Left stop and the Right stop.
type Stops = (Dyadic, Dyadic);

impl<'a> SumStops<'a> {
    fn new(arena: &'a Arena) -> SumStops<'a> {
        SumStops {
            arena,
            known: HashMap::default(),
        }
    }

    /// Returns Left's options of a game with different stops whose options are reduced, without those
    /// that are dominated or reversible.
    fn reduced_options(
        &mut self,
        c: &mut Calculator<'_>,
        game: ValueId,
    ) -> Result<Vec<ValueId>, ArenaError> {
        let mut open = self.arena.left_options(game);
        let mut options: Vec<ValueId> = Vec::new();
        // What one side loses or gains does not change the game up to infinitesimals, so an option
        // stays dominated or reversible however the others change.
        'options: while let Some(option) = open.pop() {
            for reply in self.arena.right_options(option) {
                if self.le(c, reply, game)? {
                    open.extend(self.arena.left_options(reply));
                    continue 'options;
                }
            }
            for &other in &options {
                if self.le(c, option, other)? {
                    continue 'options;
                }
            }
            let mut kept = Vec::new();
            for other in options {
                if !self.le(c, other, option)? {
                    kept.push(other);
                }
            }
            options = kept;
            options.push(option);
        }
        Ok(options)
    }

    /// Returns whether `g <=Inf h`.
    fn le(&mut self, c: &mut Calculator<'_>, g: ValueId, h: ValueId) -> Result<bool, ArenaError> {
        let arena = self.arena;
        let (g_left, h_right) = (arena.left_stop(g), arena.right_stop(h));
        if g_left <= h_right {
            return Ok(true);
        }
        if g_left > arena.left_stop(h) || arena.right_stop(g) > h_right {
            return Ok(false);
        }
        Ok(self.of(c, g, h.negative())?.0 <= Dyadic::ZERO)
    }

    /// Returns the stops of the sum of two values.
    fn of(&mut self, c: &mut Calculator<'_>, g: ValueId, h: ValueId) -> Result<Stops, ArenaError> {
        let arena = self.arena;
        let mut open = vec![(g, h)];
        while let Some(&(g, h)) = open.last() {
            if self.at_once(g, h)?.is_some() {
                open.pop();
                continue;
            }
            let (of_g, of_h) = (arena.form(g), arena.form(h));
            let before = open.len();
            let (mut left, mut right) = (None::<Dyadic>, None::<Dyadic>);
            let moved = of_g.left().map(|option| (option, h));
            for (x, y) in moved.chain(of_h.left().map(|option| (g, option))) {
                match self.at_once(x, y)? {
                    Some((_, stop)) => left = left.max(Some(stop)),
                    None => open.push((x, y)),
                }
            }
            let moved = of_g.right().map(|option| (option, h));
            for (x, y) in moved.chain(of_h.right().map(|option| (g, option))) {
                match self.at_once(x, y)? {
                    Some((stop, _)) => right = Some(right.map_or(stop, |least| least.min(stop))),
                    None => open.push((x, y)),
                }
            }
            c.one_step()?;
            if open.len() > before {
                continue;
            }
            let stops = left
                .zip(right)
                .expect("games that are no numbers have options");
            // With a number between the options the sum is one, so that `g = number - h`.
            let stops = if stops.0 < stops.1 {
                let number = sum_of_numbers(arena.left_stop(g), arena.right_stop(h))?;
                (number, number)
            } else {
                stops
            };
            self.known.insert((g, h), stops);
            open.pop();
        }
        Ok((self.at_once(g, h)?).expect("the sum itself is the last"))
    }

    /// Returns the stops of a sum if they are known or one summand is a number.
    fn at_once(&self, g: ValueId, h: ValueId) -> Result<Option<Stops>, ArenaError> {
        let arena = self.arena;
        if arena.number(g).is_none() && arena.number(h).is_none() {
            return Ok(self.known.get(&(g, h)).copied());
        }
        let left = sum_of_numbers(arena.left_stop(g), arena.left_stop(h))?;
        let right = sum_of_numbers(arena.right_stop(g), arena.right_stop(h))?;
        Ok(Some((left, right)))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::samples;
    use super::*;

    /// Whether two values are infinitesimally close, by definition.
    fn is_close(c: &mut Calculator<'_>, g: ValueId, h: ValueId) -> bool {
        let difference = c.difference(g, h).unwrap();
        c.arena().is_infinitesimal(difference)
    }

    /// Whether `g <=Inf h`, by definition.
    fn le(c: &mut Calculator<'_>, g: ValueId, h: ValueId) -> bool {
        let difference = c.difference(h, g).unwrap();
        c.arena().right_stop(difference) >= Dyadic::ZERO
    }

    /// Whether Left's options of a form show that it is reduced.
    fn has_reduced_options(c: &mut Calculator<'_>, g: ValueId) -> bool {
        let arena = c.arena();
        let options = arena.left_options(g);
        options.iter().all(|&option| {
            let dominated = (options.iter()).any(|&other| other != option && le(c, option, other));
            let mut replies = arena.right_options(option).into_iter();
            let reversible = replies.any(|reply| le(c, reply, g));
            !dominated && !reversible && is_reduced(c, option)
        })
    }

    /// Whether a form is in reduced canonical form, by definition.
    fn is_reduced(c: &mut Calculator<'_>, g: ValueId) -> bool {
        c.arena().number(g).is_some()
            || !c.arena().stops_agree(g)
                && has_reduced_options(c, g)
                && has_reduced_options(c, g.negative())
    }

    #[test]
    fn games_born_by_day_3_reduce_to_one_simplest_form_of_each_class() {
        let arena = Arena::new();
        let mut c = arena.calculator();
        let games = samples::born_by(&mut c, 3);
        let mut forms = Vec::new();
        for &g in &games {
            let reduced = c.reduced(g).unwrap();
            assert!(is_close(&mut c, g, reduced));
            assert_eq!(c.reduced(reduced), Ok(reduced));
            assert_eq!(c.reduced(g.negative()), Ok(reduced.negative()));
            assert!(arena.birthday(reduced) <= arena.birthday(g));
            if arena.number(g).is_some() {
                assert_eq!(reduced, g);
            }
            forms.push(reduced);
        }
        forms.sort_unstable();
        forms.dedup();
        // Closeness is transitive, so two games are close exactly where their forms are equal.
        for (i, &g) in forms.iter().enumerate() {
            assert!(is_reduced(&mut c, g));
            for &h in &forms[..i] {
                assert!(!is_close(&mut c, g, h));
            }
        }
        assert_eq!(forms.len(), 61);
    }

    #[test]
    fn sums_of_games_born_by_day_2_reduce_to_their_forms() {
        let arena = Arena::new();
        let mut c = arena.calculator();
        let games = samples::born_by(&mut c, 2);
        for &g in &games {
            for &h in &games {
                for &k in &games {
                    let sum = c.sum(g, h).unwrap();
                    let sum = c.sum(sum, k).unwrap();
                    let reduced = c.reduced(sum).unwrap();
                    assert!(is_close(&mut c, sum, reduced) && is_reduced(&mut c, reduced));
                }
            }
        }
    }

    #[test]
    fn a_deep_game_needs_no_recursion_and_obeys_the_limit_of_steps() {
        let arena = Arena::new();
        let mut c = arena.calculator();
        let mut game = c.parse("{1*|0}").unwrap();
        for n in 2..20_000 {
            let number = c.number(Dyadic::integer(n)).unwrap();
            game = c.canonical(&mut vec![number], &mut vec![game]).unwrap();
        }
        let reduced = c.reduced(game).unwrap();
        assert!(reduced != game && c.reduced(reduced) == Ok(reduced));
        c.limit_steps(100);
        assert_eq!(c.reduced(game), Err(ArenaError::Steps(100)));
    }

    proptest! {
        #[test]
        fn random_games_reduce_to_the_form_of_their_class(
            a in samples::trees(),
            b in samples::trees(),
        ) {
            let arena = Arena::new();
            let mut c = arena.calculator();
            let (g, h) = (a.value(&mut c), b.value(&mut c));
            let (of_g, of_h) = (c.reduced(g).unwrap(), c.reduced(h).unwrap());
            prop_assert!(is_close(&mut c, g, of_g) && is_reduced(&mut c, of_g));
            prop_assert_eq!(is_close(&mut c, g, h), of_g == of_h);
            let (sum, reduced) = (c.sum(g, h).unwrap(), c.sum(of_g, of_h).unwrap());
            prop_assert_eq!(c.reduced(sum), c.reduced(reduced));
        }
    }
}
