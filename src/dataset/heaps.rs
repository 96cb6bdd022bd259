//! Table `heaps`: one row for each heap of a game, in ascending order of size.

use std::sync::Arc;

use super::plain::plain_table;

plain_table! {
table "heaps", batch Heaps, row named by |row| format!("heap {} of {}", row.n, row.code);
/// One heap: its size and what it is worth.
pub struct HeapRow {
    /// The game: an octal or hexadecimal code such as 0.77, grundy, or subtraction(1,3,4).
    pub code: Arc<str>,
    /// How heaps are added: disjunctive (a move in any one of them) or obligated (the one that is moved in must be finished
    /// before another is begun, as Ferguson defines it).
    pub sum: Arc<str>,
    /// The size of the heap, in tokens.
    pub n: i64,
    /// The value: under disjunctive sums the nimber (0, *, *2, ...), under obligated sums the outcomes of normal and
    /// misere play in two bits (00, 01, 10, 11; 0 is a P-position, 1 an N-position).
    pub value: Arc<str>,
    /// The nim-value; null under obligated sums, where heaps have none.
    pub nim_value: Option<i32>,
    /// The outcome of the heap alone under normal play: P or N.
    pub normal: Arc<str>,
    /// The outcome of the heap alone under misere play: P or N; null under disjunctive sums, where it is not computed.
    pub misere: Option<Arc<str>>,
    /// Whether no smaller heap has the value.
    pub first: bool,
}
}
