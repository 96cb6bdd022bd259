//! The check of a proof: whether every move from the rows of a claim has an answer among the
//! claims.

mod candidate;
mod claims;
mod search;

use cggames::game::Player;

use self::claims::{Answer, Occasion};
pub use self::claims::{COUNTS_MAX, Claims, STATES_MAX};
use self::search::Search;
use super::bound::Counts;
use super::claim::{Claim, Gap, Step, Unproved};

impl Claims<'_> {
    /// Checks one side of a claim; the claims for the followers of its rows are all those given.
    pub fn check(&self, index: usize, first: Player) -> Result<(), Unproved> {
        let claim = &self.claims[index];
        let Some(bound) = claim.bound(first) else {
            return Ok(());
        };
        if claim.rows.has_full_pots() && !self.reading.has_full_pots() {
            return Err(Unproved::FullPots);
        }
        let second = first.opponent();
        let answers = [
            Answer {
                by: None,
                bound: bound.clone(),
            },
            Answer {
                by: Some(second),
                bound: bound.clone(),
            },
        ];
        let everywhere = Occasion {
            mover: Some(first),
            negative: None,
        };
        if let Some(steps) = self.gap(claim, first, everywhere, &answers)? {
            return Err(Unproved::Gap(Gap {
                first,
                steps,
                option: None,
            }));
        }
        let counts = Counts {
            least: claim.rows.least(),
            negative: None,
        };
        let (options, negative) = bound.right_options(&counts);
        for option in options {
            let occasion = Occasion {
                mover: None,
                negative: negative.clone(),
            };
            let answers = [Answer {
                by: Some(second),
                bound: option.clone(),
            }];
            if let Some(steps) = self.gap(claim, first, occasion, &answers)? {
                return Err(Unproved::Gap(Gap {
                    first,
                    steps,
                    option: Some(option),
                }));
            }
        }
        Ok(())
    }

    /// Returns a shortest row, with a move if there is one, that has none of the answers.
    fn gap(
        &self,
        claim: &Claim,
        first: Player,
        occasion: Occasion,
        answers: &[Answer],
    ) -> Result<Option<Vec<Step>>, Unproved> {
        let mover = occasion.mover;
        Search::new(self, claim, first, occasion, answers).gap(mover)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::proof::{Relation, Written};
    use cggames::game::Play;
    use cggames::game::reading::Reading;
    use cgvalues::Arena;

    fn written(rows: &str, least: &[(char, i64)], relation: Relation, value: &str) -> Written {
        Written {
            rows: rows.to_owned(),
            least: least.iter().copied().collect(),
            relation,
            value: value.to_owned(),
        }
    }

    /// Returns the first claim that has a move without an answer, and that move.
    fn gap(reading: Reading, play: Play, written: &[Written]) -> Option<(usize, String)> {
        let arena = Arena::new();
        let claims: Vec<Claim> = (written.iter())
            .map(|written| written.claim(&mut arena.calculator()).unwrap())
            .collect();
        let all = Claims {
            reading,
            play,
            claims: &claims,
            states_max: STATES_MAX,
        };
        (0..claims.len()).find_map(|at| {
            let mut firsts = claims[at].firsts();
            let why = firsts.find_map(|first| all.check(at, first).err());
            Some((at, why?.to_string()))
        })
    }

    /// Theorems 2.2 and 2.3, with the moves named in Erickson's proofs.
    fn erickson() -> Vec<Written> {
        use Relation::{AtLeast, Is};
        vec![
            written("(10)^m 03 (01)^n", &[], Is, "0"),
            written("(10)^m 0220 (01)^n", &[], AtLeast, "0"),
            written("(01)^m 2 (01)^n", &[('m', 1)], Is, "n+1"),
            written("2 (01)^n", &[('n', 1)], Is, "n+1"),
        ]
    }

    #[test]
    fn erickson_s_proofs_are_proofs() {
        let all = erickson();
        assert_eq!(gap(Reading::SOWING, Play::Partisan, &all), None);
        for at in 0..2 {
            let mut others = all.clone();
            others.remove(at);
            assert!(
                gap(Reading::SOWING, Play::Partisan, &others).is_some(),
                "{at}"
            );
        }
    }

    #[test]
    fn wrong_claims_have_a_shortest_row_without_an_answer() {
        use Relation::{AtMost, Is};
        let of_one = |claim| gap(Reading::SOWING, Play::Partisan, &[claim]);
        let (_, why) = of_one(written("(10)^m 03 (01)^n", &[], Is, "0")).unwrap();
        assert_eq!(
            why,
            "no answer among the claims to Right's move 1003 -> 2110"
        );
        // 13 has a move for Left.
        let (_, why) = of_one(written("(10)^m 13 (01)^n", &[], AtMost, "0")).unwrap();
        assert_eq!(why, "no answer among the claims to Left's move 13 -> 04");
        // No player can move in it, so it is 0 and not 1.
        let (_, why) = of_one(written("3 (01)^n", &[], Is, "1")).unwrap();
        assert_eq!(
            why,
            "at 3 there is no answer among the claims to Right's move in the value"
        );
    }

    /// 11 = 0 in Atomic Wari, where neither pot has a move; 2 = *.
    #[test]
    fn captures_are_moves() {
        let claims = [
            written("1^m 2 1^n", &[], Relation::Is, "*"),
            written("1^m 0 1^n", &[], Relation::Is, "0"),
        ];
        assert_eq!(gap(Reading::ATOMIC_WARI, Play::Partisan, &claims), None);
        assert_eq!(gap(Reading::ATOMIC_WARI, Play::Impartial, &claims), None);
        let wrong = [
            written("1^m 2 1^n", &[], Relation::Is, "0"),
            claims[1].clone(),
        ];
        assert!(gap(Reading::ATOMIC_WARI, Play::Impartial, &wrong).is_some());
    }

    /// Full pots, both written and endless, take part in moves but never begin one.
    #[test]
    fn full_pots_are_landed_in() {
        let claims = [
            written("1 e", &[], Relation::Is, "1"),
            written("0^n e", &[], Relation::Is, "0"),
            written("1 e...", &[], Relation::Is, "1"),
            written("0 e...", &[], Relation::Is, "0"),
        ];
        assert_eq!(gap(Reading::SOWING, Play::Partisan, &claims), None);
        let (_, why) = gap(Reading::ATOMIC_WARI, Play::Partisan, &claims).unwrap();
        assert_eq!(why, "the game has no full pots");
    }
}
