//! The period that the obligated values of a game prove.

use super::bits::window;
use super::heaps::HeapValues;
use crate::heaps::certificate::Certificate;

impl HeapValues {
    /// Returns the period of the values, if the known ones prove one.
    ///
    /// The preperiod and period are the least. Cost: O(len), by words where the values are nearly
    /// periodic.
    pub fn certificate(&self) -> Option<Certificate> {
        for period in 1..=self.len {
            let checked_to = self.len - period;
            if self.moves.bound(1, period) > checked_to {
                break;
            }
            let preperiod = checked_to - self.agreement(period);
            let bound = self.moves.bound(preperiod.max(1), period);
            if bound <= checked_to {
                return Some(Certificate {
                    preperiod,
                    period,
                    bound,
                    checked_to,
                });
            }
        }
        None
    }

    /// Returns the length of the longest run at the end of the known heaps in which each heap has
    /// the value of the heap smaller by `period`.
    fn agreement(&self, period: usize) -> usize {
        let [normal, misere] = &self.digits;
        let (mut end, mut agreed) = (self.len, 0);
        while end > period {
            let width = (end - period).min(64);
            let from = end - width;
            let differ = (window(normal, from) ^ window(normal, from - period))
                | (window(misere, from) ^ window(misere, from - period));
            let differ = differ << (64 - width);
            if differ != 0 {
                return agreed + differ.leading_zeros() as usize;
            }
            agreed += width;
            end -= width;
        }
        agreed
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cggames::game::heap::HeapGame;

    fn values(game: &str, len: usize) -> HeapValues {
        let game: HeapGame = game.parse().expect("a game");
        let mut values = HeapValues::new(&game);
        values.extend(len);
        values
    }

    /// Returns the least distance below its bound at which an equation `V(n + p) = V(n)` that holds
    /// for a while fails, with its `n0` and `p`. Checks that none fails at its bound or later.
    fn closest_break(values: &HeapValues) -> Option<(usize, usize, usize)> {
        let mut closest: Option<(usize, usize, usize)> = None;
        for period in 1..values.len() / 2 {
            let mut from = 1;
            for n in 1..values.len() - period {
                if values.value(n) == values.value(n + period) {
                    continue;
                }
                // It holds in `from..n`; later beginnings have a higher bound.
                let bound = values.moves.bound(from, period);
                assert!(n < bound, "{from} {period} breaks at {n}, beyond {bound}");
                if closest.is_none_or(|(gap, ..)| bound - n < gap) {
                    closest = Some((bound - n, from, period));
                }
                from = n + 1;
            }
        }
        closest
    }

    #[test]
    fn no_equation_breaks_at_its_bound_or_later() {
        let octal = (0..4096u32).map(|code| format!("0.{code:04o}"));
        let hexadecimal = (0..256u32).map(|code| format!("0.{code:02X}"));
        let wholes = [
            "4.0",
            "4.1",
            "4.2",
            "4.04",
            "C.0",
            "8.2",
            "grundy",
            "subtraction(2,5,70)",
        ];
        let games = octal.chain(hexadecimal).chain(wholes.map(String::from));
        for game in games {
            closest_break(&values(&game, 200));
        }
    }

    #[test]
    fn the_bounds_are_sharp() {
        for game in [
            "0.02", "0.1113", "0.04", "0.1512", "4.0", "0.08", "0.5D", "8.0", "grundy",
        ] {
            let closest = closest_break(&values(game, 200));
            assert_eq!(closest.map(|(gap, ..)| gap), Some(1), "{game}");
        }
        // In 0.04 three heaps from 1 on are equal; the bound requires four and one more.
        assert_eq!(values("0.04", 1).moves.bound(1, 1), 4);
        assert!(values("0.04", 4).certificate().is_none());
    }

    #[test]
    fn certificates_name_the_least_preperiod_and_period() {
        for game in [
            "0.77", "0.137", "0.007", "0.147", "0.143", "0.1", "0.0", "0.3", "0.39", "grundy",
        ] {
            let values = values(game, 12_000);
            let found = values.certificate().expect(game);
            let holds = |n0: usize, p: usize| {
                (n0..values.len() - p).all(|n| values.value(n) == values.value(n + p))
            };
            assert!(holds(found.preperiod, found.period), "{game}");
            assert!(
                found.preperiod == 0 || !holds(found.preperiod - 1, found.period),
                "{game}"
            );
            assert!(
                (1..found.period).all(|p| !holds(values.len() / 2, p)),
                "{game}"
            );
            // As early as the bound allows, and not before.
            let enough = found.bound + found.period;
            let mut short = HeapValues::new(&game.parse().expect("a game"));
            short.extend(enough - 1);
            assert_eq!(short.certificate(), None, "{game}");
            short.extend(enough);
            let early = short.certificate().expect(game);
            assert_eq!(
                (early.preperiod, early.period),
                (found.preperiod, found.period),
                "{game}"
            );
        }
    }

    #[test]
    fn published_periods_are_proved() {
        for (game, preperiod, period) in [
            ("grundy", 3, 3),
            ("kayles", 0, 8),
            ("dawsons-chess", 0, 14),
            ("james-bond", 0, 22),
        ] {
            let found = values(game, 300).certificate().expect(game);
            assert_eq!(
                (found.preperiod, found.period),
                (preperiod, period),
                "{game}"
            );
        }
        assert!(values("grundy", 14).certificate().is_some());
        assert!(values("grundy", 13).certificate().is_none());
    }

    #[test]
    fn games_whose_period_is_not_known_have_no_certificate() {
        for game in ["0.10143", "0.71472", "0.B9"] {
            assert_eq!(values(game, 3_000).certificate(), None, "{game}");
        }
    }
}
