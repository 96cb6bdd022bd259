//! Symmetries of positions, written apart from the families and rulesets.

use seedbank::board::AnyBoard;
use seedbank::board::grid::Grid;

/// Returns a position with all its images of the same value: mirror images of rows of two colours, and reflections of
/// rectangles.
pub(crate) fn images(board: &AnyBoard) -> Vec<AnyBoard> {
    let mut images = vec![board.clone()];
    match board.clone() {
        AnyBoard::Coloured(mut row) => {
            row.pots.reverse();
            images.push(row.into());
        }
        AnyBoard::Grid(grid) => {
            let upside_down = upside_down(&grid);
            let turned = |mut grid: Grid| {
                grid.pots.reverse();
                AnyBoard::from(grid)
            };
            images.extend([
                turned(upside_down.clone()),
                upside_down.into(),
                turned(grid),
            ]);
        }
        AnyBoard::Row(_) => {}
    }
    images
}

fn upside_down(grid: &Grid) -> Grid {
    let rows = grid.pots.chunks(grid.columns);
    Grid {
        columns: grid.columns,
        pots: rows.rev().flatten().copied().collect(),
    }
}

/// Returns the negative of a position: the mirror image of a row, exchanged colours, or the transpose of a rectangle.
pub(crate) fn negative(board: &AnyBoard) -> AnyBoard {
    match board.clone() {
        AnyBoard::Row(mut row) => {
            row.pots.reverse();
            row.into()
        }
        AnyBoard::Coloured(mut row) => {
            for pot in &mut row.pots {
                (pot.blue, pot.red) = (pot.red, pot.blue);
            }
            row.into()
        }
        AnyBoard::Grid(grid) => {
            let rows = grid.rows();
            let at = |i: usize| grid.pots[i % rows * grid.columns + i / rows];
            let pots = (0..grid.pots.len()).map(at).collect();
            Grid {
                columns: rows,
                pots,
            }
            .into()
        }
    }
}
