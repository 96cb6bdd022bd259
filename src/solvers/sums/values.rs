//! The values of components: by a theorem if there is one, otherwise from tables that grow on
//! demand.
//!
//! | component | obligated value | nim-value |
//! |---|---|---|
//! | queen | [`wythoff_value`] | table |
//! | knight | [`KnightBoard`] | table |
//! | Nim, checkers | Bouton's theorem | nim-sum |
//! | pins | heaps of 0.77 | heaps of 0.77 |
//! | heap | [`HeapValues`] | [`HeapNimValues`], verified |
//!
//! A heap beyond the limits of components has the value of a smaller one if its game has a proved
//! [period](ComponentValues::near).
//!
//! Bouton's theorem: Nim with a heap of 2 or more is P if and only if the nim-sum is 0, under
//! either ending. With heaps of 1 and none larger, it is P under normal play if and only if their
//! number is even, and under misère play if and only if it is odd.

use std::collections::HashMap;

use cggames::game::SumKind;
use cggames::game::heap::HeapGame;
use cggames::game::impartial::{Component, Square, heap_max};

use super::knight::diagonals;
use super::wythoff::WythoffTable;
use super::{KnightBoard, mex, nim_sum, wythoff_value};
use crate::nim_values::{HeapNimValues, Trust};
use crate::obligated::{HeapValues, ObligatedValue};

/// The values of components, with the tables needed so far.
///
/// ```
/// use cgsolvers::sums::ComponentValues;
/// use cggames::game::impartial::Component;
///
/// let mut values = ComponentValues::new();
/// let pins = Component::kayles(3)?;
/// assert_eq!(values.obligated(&pins).to_string(), "11");
/// assert_eq!(values.nim_value(&pins), 3);
/// # Ok::<(), cggames::game::impartial::ComponentError>(())
/// ```
#[derive(Clone, Debug)]
pub struct ComponentValues {
    kayles: HeapGame,
    heaps: HashMap<HeapGame, HeapTable>,
    knights: KnightBoard<ObligatedValue>,
    /// Nim-values of knights by the sum of the coordinates, then by column.
    knight_nim_values: Vec<Vec<u32>>,
    queens: WythoffTable,
}

/// The tables of a heap game.
#[derive(Clone, Debug)]
struct HeapTable {
    obligated: HeapValues,
    nim_values: HeapNimValues,
}

impl Default for ComponentValues {
    fn default() -> ComponentValues {
        ComponentValues::new()
    }
}

impl ComponentValues {
    /// Returns values with empty tables.
    pub fn new() -> ComponentValues {
        ComponentValues {
            kayles: "kayles".parse().expect("kayles is a known heap game"),
            heaps: HashMap::new(),
            knights: KnightBoard::obligated(),
            knight_nim_values: Vec::new(),
            queens: WythoffTable::default(),
        }
    }

    /// Returns the value of a component played alone to its end.
    pub fn obligated(&mut self, component: &Component) -> ObligatedValue {
        match component {
            Component::Wythoff(square) => wythoff_value(*square),
            Component::Knight(square) => self.knights.value(*square),
            Component::Nim(heaps) => bouton(heaps.sizes()),
            Component::Checkers(rows) => bouton(&rows.free()),
            Component::Kayles(pins) => self.heap(&self.kayles.clone(), *pins as usize),
            Component::Heap(game, tokens) => self.heap(game, *tokens),
        }
    }

    /// Returns the nim-value of a component, for disjunctive sums under normal play.
    pub fn nim_value(&mut self, component: &Component) -> u32 {
        match component {
            Component::Wythoff(square) => self.queens.nim_value(*square),
            Component::Knight(square) => self.knight_nim_value(*square),
            Component::Nim(heaps) => nim_sum(heaps.sizes().iter().copied()),
            Component::Checkers(rows) => nim_sum(rows.free()),
            Component::Kayles(pins) => self.heap_nim_value(&self.kayles.clone(), *pins as usize),
            Component::Heap(game, tokens) => self.heap_nim_value(game, *tokens),
        }
    }

    /// Returns a component of the same value within the limits of components: the component itself,
    /// or a smaller heap by the period of its game's values.
    ///
    /// Returns `None` for a heap beyond the limit if the values of the heaps up to the limit prove no
    /// period.
    ///
    /// ```
    /// use cgsolvers::sums::ComponentValues;
    /// use cggames::game::SumKind;
    /// use cggames::game::impartial::Sum;
    ///
    /// let sum = Sum::of_any_heaps("0.77(1000000000)")?;
    /// let far = sum.components().next().expect("it has one");
    /// let near = ComponentValues::new().near(far, SumKind::Disjunctive);
    /// // Kayles has the period 12 from heap 71 on, and 10^9 = 76 + 12 * 83333327.
    /// assert_eq!(near.map(|near| near.to_string()).as_deref(), Some("0.77(76)"));
    /// # Ok::<(), cggames::game::impartial::SumError>(())
    /// ```
    pub fn near(&mut self, component: &Component, added: SumKind) -> Option<Component> {
        let (game, tokens) = match component {
            Component::Kayles(pins) => (self.kayles.clone(), *pins as usize),
            Component::Heap(game, tokens) => (game.clone(), *tokens),
            _ => return Some(component.clone()),
        };
        let most = heap_max(&game);
        if tokens <= most {
            return Some(component.clone());
        }
        let found = match added {
            SumKind::Disjunctive => {
                self.heap_nim_value(&game, most);
                self.table(&game).nim_values.certificate()
            }
            SumKind::Obligated => {
                self.heap(&game, most);
                self.table(&game).obligated.certificate()
            }
        };
        let near = found?.same_heap(tokens);
        Some(match component {
            Component::Kayles(_) => Component::Kayles(near as u32),
            _ => Component::Heap(game, near),
        })
    }

    /// Returns the obligated value of a heap.
    pub(super) fn heap(&mut self, game: &HeapGame, tokens: usize) -> ObligatedValue {
        let values = &mut self.table(game).obligated;
        if tokens >= values.len() {
            values.extend(tokens + 1);
        }
        values.value(tokens)
    }

    /// Returns the nim-value of a heap.
    pub(super) fn heap_nim_value(&mut self, game: &HeapGame, tokens: usize) -> u32 {
        let values = &mut self.table(game).nim_values;
        if tokens >= values.values().len() {
            // A move takes a token or splits a heap, so play from n tokens ends within 2 n moves.
            // No nim-value exceeds the longest play, and heaps are within the limits of components.
            values
                .extend(tokens + 1, Trust::Verified, &|| false)
                .expect("a heap of 10,000 tokens has a nim-value of at most 20,000");
        }
        u32::from(values.values()[tokens])
    }

    /// Returns the nim-value of a knight.
    fn knight_nim_value(&mut self, square: Square) -> u32 {
        let sum = square.x + square.y;
        if self.knight_nim_values.len() <= sum as usize {
            let sum = sum.next_multiple_of(64);
            self.knight_nim_values = diagonals(sum, &|options| mex(options.iter().copied()));
        }
        self.knight_nim_values[sum as usize][square.x as usize]
    }

    /// Returns the tables of a game, which may be empty.
    fn table(&mut self, game: &HeapGame) -> &mut HeapTable {
        self.heaps.entry(game.clone()).or_insert_with(|| HeapTable {
            obligated: HeapValues::new(game),
            nim_values: HeapNimValues::new(game.clone()),
        })
    }
}

/// Returns the obligated value of heaps of Nim that are played as one game.
fn bouton(heaps: &[u32]) -> ObligatedValue {
    let normal = nim_sum(heaps.iter().copied()) != 0;
    let small = heaps.iter().all(|&heap| heap <= 1);
    // With only heaps of 1, the number of moves is fixed.
    ObligatedValue::new(normal, normal != small)
}

#[cfg(test)]
mod tests {
    use super::super::PositionMemo;
    use super::*;

    /// Compares values with both recursions over the literal options.
    fn agree(components: impl IntoIterator<Item = Component>) {
        let mut values = ComponentValues::new();
        let mut memo: PositionMemo<Component, (ObligatedValue, u32)> = PositionMemo::new(1 << 20);
        for component in components {
            let followers = |c: &Component| c.options().into_iter().flatten().collect();
            let slow = memo.value(&component, followers, |component, memo| {
                let of = |c| *memo.known(c).expect("options are known");
                let options = component.options();
                let obligated = options
                    .iter()
                    .map(|parts| ObligatedValue::sum(parts.iter().map(|part| of(part).0)));
                let nim_values = options
                    .iter()
                    .map(|parts| nim_sum(parts.iter().map(|part| of(part).1)));
                (ObligatedValue::of_options(obligated), mex(nim_values))
            });
            let slow = slow.expect("play ends");
            let fast = (values.obligated(&component), values.nim_value(&component));
            assert_eq!(fast, slow, "{component}");
        }
    }

    #[test]
    fn every_kind_of_component_agrees_with_its_recursion() {
        let squares = || (0..20).flat_map(|x| (0..20).map(move |y| (x, y)));
        agree(squares().map(|(x, y)| Component::wythoff(x, y).expect("small")));
        agree(squares().map(|(x, y)| Component::knight(x, y).expect("small")));
        agree((0..40).map(|pins| Component::kayles(pins).expect("small")));
        for heaps in [
            vec![0],
            vec![1, 1, 1],
            vec![5, 3],
            vec![1, 2, 3],
            vec![4, 0, 1],
            vec![1, 1],
        ] {
            agree([Component::nim(&heaps).expect("small")]);
            let squares: Vec<u32> = heaps.iter().map(|heap| heap + 1).collect();
            agree([Component::checkers(&squares).expect("small")]);
        }
        for game in [
            "grundy",
            "0.137",
            "0.007",
            "4.7",
            "0.0F",
            "C.1",
            "subtraction(1,3,4)",
        ] {
            let game: HeapGame = game.parse().expect("a game");
            agree((0..25).map(|n| Component::heap(game.clone(), n).expect("small")));
        }
    }

    #[test]
    fn the_columns_kayles_has_the_nim_values_0_to_3() {
        let mut values = ComponentValues::new();
        let row = (0..12).map(|pins| values.nim_value(&Component::kayles(pins).expect("small")));
        assert_eq!(
            row.collect::<Vec<_>>(),
            [0, 1, 2, 3, 1, 4, 3, 2, 1, 4, 2, 6]
        );
    }
}
