//! Nibbling: Left takes a seed from a pot whose right neighbour holds seeds, Right from a pot whose
//! left neighbour does.

use seedbank::board::row::{Pot, Row};
use seedbank::board::{PositionError, Strip};
use seedbank::engine::{CanonicalForms, Engine, NothingKnown};
use seedbank::game::{Player, Ruleset};

#[derive(Clone)]
struct Nibbling;

impl Ruleset for Nibbling {
    // Rows of pots, their keys, and mirror images as negatives.
    seedbank::on_strips!();

    fn id(&self) -> String {
        "nibbling".to_owned()
    }

    fn version(&self) -> u32 {
        1
    }

    fn position(&self, row: &Row) -> Result<Strip, PositionError> {
        Strip::counted(row, None)
    }

    fn each_option(
        &self,
        position: &Strip,
        player: Player,
        visit: &mut impl FnMut(&Strip),
    ) -> Result<(), PositionError> {
        let pots = position.pots();
        for right in 1..pots.len() {
            if pots[right - 1] > 0 && pots[right] > 0 {
                let mut option = pots.to_vec();
                option[if player == Player::Left {
                    right - 1
                } else {
                    right
                }] -= 1;
                let pots = option
                    .into_iter()
                    .map(|seeds| Pot::Seeds(seeds.into()))
                    .collect();
                visit(&self.position(&Row {
                    pots,
                    ..Row::default()
                })?);
            }
        }
        Ok(())
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let engine = Engine::new(Nibbling, CanonicalForms::default());
    for (row, value) in [("11", "*"), ("12", "^"), ("22", "*"), ("111", "*2")] {
        let word = engine
            .search(&NothingKnown)
            .evaluate(&Nibbling.position(&row.parse()?)?)?;
        let notation = engine
            .valuation
            .arena
            .notation(CanonicalForms::value(word))
            .to_string();
        println!("{row} = {notation}");
        assert_eq!(notation, value);
    }
    Ok(())
}
