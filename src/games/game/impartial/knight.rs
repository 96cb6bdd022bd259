//! The knight game: a knight that makes only moves that lower the sum of its coordinates.
//!
//! On the quarter plane with squares `(x, y)` a knight may go to `(x-2, y+1)`, `(x-2, y-1)`, `(x-1,
//! y-2)` or `(x+1, y-2)`, if that square is on the board. From `(2,0)` there is one move, to
//! `(0,1)`; the squares `(0,0)`, `(1,0)`, `(0,1)` and `(1,1)` have no moves.
//!
//! Every move lowers the sum of the coordinates by 1 or 3, so play ends.
//!
//! Source: Ferguson, Example 2; *Winning Ways*, chapter 3, for several knights at once.

use super::{Impartial, Square};

/// The rules of the knight game.
///
/// ```
/// use cggames::game::impartial::{Impartial, Knight, Square};
///
/// let options = Knight.options(&Square::new(3, 4));
/// let options: Vec<String> = options.iter().map(|option| option[0].to_string()).collect();
/// assert_eq!(options, ["1,5", "1,3", "2,2", "4,2"]);
/// assert!(Knight.options(&Square::new(1, 1)).is_empty());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Knight;

/// The knight's moves, as changes of column and row.
const KNIGHT_MOVES: [(i32, i32); 4] = [(-2, 1), (-2, -1), (-1, -2), (1, -2)];

impl Impartial for Knight {
    type Position = Square;

    fn options(&self, square: &Square) -> Vec<Vec<Square>> {
        let to = |(right, up)| {
            let x = square.x.checked_add_signed(right)?;
            let y = square.y.checked_add_signed(up)?;
            Some(vec![Square::new(x, y)])
        };
        KNIGHT_MOVES.into_iter().filter_map(to).collect()
    }
}
