//! The walls of a memo, one after another, in as few bytes as serve.

use super::scaled::Point;

/// The walls that are kept.
#[derive(Default)]
pub(super) struct KeptWalls {
    /// The corners of walls all of whose numbers have 32 bits, as nearly all walls' do.
    short: Vec<(i32, i32)>,
    /// Those of the others.
    long: Vec<Point>,
}

/// Where the corners of a wall lie, one at least.
#[derive(Clone, Copy)]
pub(super) struct KeptWall {
    start: u32,
    /// How many there are, twice, and one more if they are long.
    twice: u32,
}

impl KeptWalls {
    /// Keeps a wall.
    pub(super) fn keep(&mut self, corners: impl Iterator<Item = Point> + Clone) -> KeptWall {
        let start = self.short.len();
        let short = |n: i128| i32::try_from(n).ok();
        for (t, value) in corners.clone() {
            let (Some(t), Some(value)) = (short(t), short(value)) else {
                self.short.truncate(start);
                let start = self.long.len();
                self.long.extend(corners);
                return KeptWall::new(start, self.long.len(), true);
            };
            self.short.push((t, value));
        }
        KeptWall::new(start, self.short.len(), false)
    }

    /// Returns the corners of a wall.
    pub(super) fn corners(&self, wall: KeptWall) -> impl DoubleEndedIterator<Item = Point> {
        let corners = wall.start as usize..(wall.start + wall.twice / 2) as usize;
        let (short, long) = match wall.twice % 2 {
            0 => (&self.short[corners], &[][..]),
            _ => (&[][..], &self.long[corners]),
        };
        let short = short.iter().map(|&(t, value)| (t.into(), value.into()));
        short.chain(long.iter().copied())
    }

    /// Returns the last corner of a wall.
    pub(super) fn last(&self, wall: KeptWall) -> Point {
        let last = self.corners(wall).next_back();
        last.expect("a wall has corners")
    }

    /// Returns how many corners are kept.
    pub(super) fn len(&self) -> usize {
        self.short.len() + self.long.len()
    }

    /// Forgets all walls.
    pub(super) fn clear(&mut self) {
        self.short.clear();
        self.long.clear();
    }
}

impl KeptWall {
    fn new(start: usize, end: usize, long: bool) -> KeptWall {
        let place = |n| u32::try_from(n).expect("corners of 32 GiB fit in no memo");
        KeptWall {
            start: place(start),
            twice: place(2 * (end - start) + usize::from(long)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn walls_come_back_as_they_were_kept() {
        let mut walls = KeptWalls::default();
        let (least, greatest) = (i128::from(i32::MIN), i128::from(i32::MAX));
        let kept = [
            vec![(0, 3)],
            vec![(0, -1), (2, 1), (greatest, least)],
            vec![(0, 1), (1, 0), (4, greatest + 1)],
            vec![(greatest + 1, 5)],
            vec![(-1, 0), (1 << 100, -1 << 100)],
            vec![(7, 8), (9, 10)],
        ]
        .map(|corners| (walls.keep(corners.iter().copied()), corners));
        for (wall, corners) in &kept {
            assert_eq!(walls.corners(*wall).collect::<Vec<_>>(), *corners);
            assert_eq!(Some(&walls.last(*wall)), corners.last());
        }
        assert_eq!((walls.short.len(), walls.long.len()), (6, 6));
        assert_eq!(walls.len(), 12);
    }
}
