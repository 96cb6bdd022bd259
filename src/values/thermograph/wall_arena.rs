//! The walls in the memo, stored compactly one after another.

use super::scaled::Point;

/// All walls in the memo.
#[derive(Default)]
pub(super) struct WallArena {
    /// The corners of the walls whose numbers fit 32 bits, as those of nearly all walls do.
    short: Vec<(i32, i32)>,
    /// The corners of the other walls.
    long: Vec<Point>,
}

/// The place of the corners of a wall, at least one.
#[derive(Clone, Copy)]
pub(super) struct WallRef {
    start: u32,
    /// Twice the number of corners, plus one if they are long.
    twice: u32,
}

impl WallArena {
    /// Stores a wall.
    pub(super) fn push(&mut self, corners: impl Iterator<Item = Point> + Clone) -> WallRef {
        let start = self.short.len();
        let short = |n: i128| i32::try_from(n).ok();
        for (t, value) in corners.clone() {
            let (Some(t), Some(value)) = (short(t), short(value)) else {
                self.short.truncate(start);
                let start = self.long.len();
                self.long.extend(corners);
                return WallRef::new(start, self.long.len(), true);
            };
            self.short.push((t, value));
        }
        WallRef::new(start, self.short.len(), false)
    }

    /// Returns the corners of a wall.
    pub(super) fn corners(&self, wall: WallRef) -> impl DoubleEndedIterator<Item = Point> {
        let corners = wall.start as usize..(wall.start + wall.twice / 2) as usize;
        let (short, long) = match wall.twice % 2 {
            0 => (&self.short[corners], &[][..]),
            _ => (&[][..], &self.long[corners]),
        };
        let short = short.iter().map(|&(t, value)| (t.into(), value.into()));
        short.chain(long.iter().copied())
    }

    /// Returns the last corner of a wall.
    pub(super) fn last(&self, wall: WallRef) -> Point {
        let last = self.corners(wall).next_back();
        last.expect("a wall has corners")
    }

    /// Returns the number of corners stored.
    pub(super) fn len(&self) -> usize {
        self.short.len() + self.long.len()
    }

    /// Forgets all walls.
    pub(super) fn clear(&mut self) {
        self.short.clear();
        self.long.clear();
    }
}

impl WallRef {
    fn new(start: usize, end: usize, long: bool) -> WallRef {
        let place = |n| u32::try_from(n).expect("corners of 32 GiB fit in no memo");
        WallRef {
            start: place(start),
            twice: place(2 * (end - start) + usize::from(long)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn walls_come_back_as_they_were_stored() {
        let mut walls = WallArena::default();
        let (least, greatest) = (i128::from(i32::MIN), i128::from(i32::MAX));
        let stored = [
            vec![(0, 3)],
            vec![(0, -1), (2, 1), (greatest, least)],
            vec![(0, 1), (1, 0), (4, greatest + 1)],
            vec![(greatest + 1, 5)],
            vec![(-1, 0), (1 << 100, -1 << 100)],
            vec![(7, 8), (9, 10)],
        ]
        .map(|corners| (walls.push(corners.iter().copied()), corners));
        for (wall, corners) in &stored {
            assert_eq!(walls.corners(*wall).collect::<Vec<_>>(), *corners);
            assert_eq!(Some(&walls.last(*wall)), corners.last());
        }
        assert_eq!((walls.short.len(), walls.long.len()), (6, 6));
        assert_eq!(walls.len(), 12);
    }
}
