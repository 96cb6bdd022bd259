//! Who wins misère play, as a valuation.
//!
//! Under misère play a player who cannot move wins. The outcome of a sum does not follow from those of its summands, so a
//! position is valued as it stands, from the outcomes of its options (*Winning Ways*, chapter 13).
//! [Misère nim-values](super::MisereNimValues) say more about impartial positions.

use cggames::game::{Convention, Manner, Play};
use cgvalues::{Arena, ArenaError, Calculator, Dyadic, OutcomeClass, ValueId};

use super::sweep::SweepValuation;
use super::{Formed, NimValues, Valuation, Word};

/// Outcomes under misère play, for partisan play.
///
/// A word is one more than two bits: whether Left wins moving first, and whether Right does.
///
/// ```
/// use cggames::game::{Ruleset, Sowing};
/// use cgsolvers::{Engine, Formed, MisereOutcomes, NothingKnown};
/// use cgvalues::OutcomeClass;
///
/// // After the first move from 11 nobody can move, so the player who made it loses.
/// let engine = Engine::new(Sowing, MisereOutcomes::default());
/// let position = Sowing.position(&"11".parse()?)?;
/// let word = engine.search(&NothingKnown).evaluate(&position)?;
/// let outcome = MisereOutcomes::outcome(&mut engine.valuation.arena().calculator(), word);
/// assert_eq!(outcome, OutcomeClass::Previous);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Default)]
pub struct MisereOutcomes {
    /// The arena of the forms that stand for outcomes, for callers that need them.
    arena: Arena,
}

impl MisereOutcomes {
    /// The greatest word.
    pub const WORD_MAX: u32 = 1 + LEFT_WINS + RIGHT_WINS;
}

const RIGHT_WINS: u32 = 1;
const LEFT_WINS: u32 = 2;

/// Returns whether a player wins moving first, given the raw words of the options and the opponent's bit; `None` if one of
/// the words is zero.
#[inline]
fn wins(options: impl Iterator<Item = u32>, of_opponent: u32) -> Option<bool> {
    let (mut is_stuck, mut wins) = (true, false);
    for option in options {
        is_stuck = false;
        wins |= option.checked_sub(1)? & of_opponent == 0;
    }
    Some(is_stuck || wins)
}

/// Returns the raw word of a position from those of its options; `None` if one of them is zero.
#[inline]
fn word(left: impl Iterator<Item = u32>, right: impl Iterator<Item = u32>) -> Option<u32> {
    let left = u32::from(wins(left, RIGHT_WINS)?);
    let right = u32::from(wins(right, LEFT_WINS)?);
    Some(1 + left * LEFT_WINS + right * RIGHT_WINS)
}

/// Returns the raw word of the negative.
#[inline]
fn negative(word: u32) -> u32 {
    let bits = word - 1;
    1 + (bits & RIGHT_WINS) * LEFT_WINS + bits / LEFT_WINS
}

impl Valuation for MisereOutcomes {
    type Worker<'a> = ();

    const ADDS: bool = false;

    fn manner(&self) -> Manner {
        Manner::of(Play::Partisan, Convention::Misere)
    }

    fn worker(&self) {}

    fn combine(_: &mut (), left: &[Word], right: &[Word]) -> Result<Word, ArenaError> {
        let raw = |word: &Word| word.get();
        let word = word(left.iter().map(raw), right.iter().map(raw)).and_then(Word::new);
        Ok(word.expect("words are not zero"))
    }

    fn negative(value: Word) -> Word {
        Word::new(negative(value.get())).expect("words are not zero")
    }

    fn bytes(&self) -> u64 {
        self.arena.bytes()
    }
}

impl Formed for MisereOutcomes {
    fn arena(&self) -> &Arena {
        &self.arena
    }

    fn form(calculator: &mut Calculator<'_>, value: Word) -> Result<ValueId, ArenaError> {
        match MisereOutcomes::outcome(calculator, value) {
            OutcomeClass::Previous => Ok(ValueId::ZERO),
            OutcomeClass::Next => calculator.nimber(1),
            OutcomeClass::Left => calculator.number(Dyadic::ONE),
            OutcomeClass::Right => calculator.number(-Dyadic::ONE),
        }
    }

    fn outcome(_: &mut Calculator<'_>, value: Word) -> OutcomeClass {
        match value.get() - 1 {
            0 => OutcomeClass::Previous,
            RIGHT_WINS => OutcomeClass::Right,
            LEFT_WINS => OutcomeClass::Left,
            _ => OutcomeClass::Next,
        }
    }
}

impl SweepValuation for MisereOutcomes {
    type Content = u8;

    const LOOKS_AHEAD: bool = NimValues::LOOKS_AHEAD;

    const CELLS_MAX: u64 = NimValues::CELLS_MAX;

    type Scratch<'a> = ();

    fn scratch(&self) {}

    fn forms(&self) -> Option<&Arena> {
        None
    }

    #[inline]
    fn content(
        (): &mut (),
        left: impl Iterator<Item = u8>,
        right: impl Iterator<Item = u8>,
    ) -> Result<Option<u8>, ArenaError> {
        let word = word(left.map(u32::from), right.map(u32::from));
        Ok(word.map(|word| word as u8))
    }

    #[inline]
    fn negative_content(content: u8) -> u8 {
        negative(content.into()) as u8
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeSet, HashMap};

    use bytesize::ByteSize;
    use cggames::board::AnyBoard;
    use cggames::board::row::{Pot, Row};
    use cggames::game::{AtomicWari, Game, Player, Ruleset, Sowing};
    use cgvalues::Ending;

    use super::*;
    use crate::{Control, Engine, Genera, Genus, MisereNimValues, NothingKnown, OutcomeSearch};

    /// All rows of `pots` pots with at most three seeds in each.
    fn rows(pots: u32) -> impl Iterator<Item = Row> {
        (0..4u32.pow(pots)).map(move |code| Row {
            pots: (0..pots).map(|i| Pot::Seeds(code >> (2 * i) & 3)).collect(),
            ..Row::default()
        })
    }

    /// Play by the rules as worded, with nim heaps beside it, one move after another.
    struct Played {
        game: Game,
        play: Play,
        found: HashMap<(AnyBoard, Vec<u32>, Player), bool>,
    }

    impl Played {
        /// Whether the player to move wins, when the player who moves last loses.
        fn wins(&mut self, board: &AnyBoard, heaps: &[u32], to_move: Player) -> bool {
            let state = (board.clone(), heaps.to_vec(), to_move);
            if let Some(&known) = self.found.get(&state) {
                return known;
            }
            let mut next: Vec<(AnyBoard, Vec<u32>)> = Vec::new();
            for &player in self.play.movers(to_move) {
                let options = self.game.literal_options(board, player).into_iter();
                next.extend(options.map(|option| (option, heaps.to_vec())));
            }
            for (place, &heap) in heaps.iter().enumerate() {
                for left in 0..heap {
                    let mut heaps = heaps.to_vec();
                    heaps[place] = left;
                    next.push((board.clone(), heaps));
                }
            }
            let opponent = to_move.opponent();
            let wins = next.is_empty()
                || next
                    .iter()
                    .any(|(board, heaps)| !self.wins(board, heaps, opponent));
            self.found.insert(state, wins);
            wins
        }

        fn outcome(&mut self, board: &AnyBoard) -> OutcomeClass {
            let ending = |wins| if wins { Ending::Win } else { Ending::Loss };
            let endings = Player::BOTH.map(|player| ending(self.wins(board, &[], player)));
            Ending::class(endings).expect("play ends")
        }

        /// The nim heap that loses for the player to move beside the board and heaps.
        fn misere_nim_value(&mut self, board: &AnyBoard, heaps: &[u32]) -> u32 {
            let loses = |heap: &u32| !self.wins(board, &[heaps, &[*heap]].concat(), Player::Left);
            (0..).find(loses).expect("some heap loses")
        }
    }

    /// The outcome of a row by the rules, by valuing it, and by a search for wins.
    fn agrees<R: Ruleset<Board = Row>>(ruleset: R, game: Game, pots: u32) {
        let control = Control::default();
        for play in Play::ALL {
            let mut played = Played {
                game,
                play,
                found: HashMap::new(),
            };
            let outcomes = Engine::new(ruleset.clone(), MisereOutcomes::default());
            let nim_values = Engine::new(ruleset.clone(), MisereNimValues::default());
            let genera = Engine::new(ruleset.clone(), Genera::default());
            let mut by_outcomes = outcomes.search(&NothingKnown);
            let mut by_nim_values = nim_values.search(&NothingKnown);
            let mut by_genera = genera.search(&NothingKnown);
            let manner = Manner::of(play, Convention::Misere);
            let mut search = OutcomeSearch::new(&ruleset, manner, ByteSize::gib(1), &control);
            let mut calculator = outcomes.valuation.arena().calculator();
            let mut seen = BTreeSet::new();
            for row in (0..=pots).flat_map(rows) {
                let position = ruleset.position(&row).unwrap();
                let board = AnyBoard::from(row);
                let expected = played.outcome(&board);
                seen.insert(expected.letter());
                assert_eq!(search.outcome(&position).unwrap(), expected, "{board}");
                if play == Play::Partisan {
                    let word = by_outcomes.evaluate(&position).unwrap();
                    let found = MisereOutcomes::outcome(&mut calculator, word);
                    assert_eq!(found, expected, "{board}");
                    let form = MisereOutcomes::form(&mut calculator, word).unwrap();
                    assert_eq!(calculator.outcome(form), expected, "{board}");
                    continue;
                }
                let word = by_nim_values.evaluate(&position).unwrap();
                let value = MisereNimValues::value(word);
                assert_eq!(value == 0, expected == OutcomeClass::Previous, "{board}");
                if board.row().is_some_and(|row| row.pots.len() > 4) {
                    continue;
                }
                assert_eq!(value, played.misere_nim_value(&board, &[]), "{board}");
                let genus = genera
                    .valuation
                    .genus(by_genera.evaluate(&position).unwrap());
                for twos in 0..4 {
                    let expected = played.misere_nim_value(&board, &vec![2; twos]);
                    assert_eq!(genus.misere_with(twos), expected, "{board} {genus} {twos}");
                }
            }
            assert_eq!(
                seen.len(),
                if play == Play::Partisan { 4 } else { 2 },
                "{play}"
            );
        }
    }

    #[test]
    fn outcomes_and_genera_are_those_of_play_by_the_rules() {
        agrees(Sowing, Game::SOWING, 5);
        agrees(AtomicWari::on(None), Game::ATOMIC_WARI, 5);
        agrees(
            AtomicWari::on(Some(4)),
            Game::ATOMIC_WARI.on_board(4).unwrap(),
            4,
        );
    }

    #[test]
    fn a_heap_of_nim_has_the_genus_that_winning_ways_gives() {
        let mut heaps: Vec<Genus> = Vec::new();
        for expected in ["0^120", "1^031", "2^20", "3^31", "4^46", "5^57"] {
            let options: Vec<&Genus> = heaps.iter().collect();
            let genus = Genus::of_options(&options);
            assert_eq!(genus.to_string(), expected);
            assert!(genus.is_tame());
            heaps.push(genus);
        }
    }
}
