//! The common items of all games on strips.

/// The items of [`Ruleset`](super::Ruleset) that every game on strips shares: the written form of
/// positions, their negatives (the mirror images), and their keys.
#[macro_export]
macro_rules! on_strips {
    () => {
        type Board = $crate::board::row::Row;
        type Position = $crate::board::Strip;

        fn board(&self, position: &Self::Position) -> Self::Board {
            position.to_row()
        }

        fn negative(&self, position: &Self::Position) -> Self::Position {
            position.mirror()
        }

        fn key(
            &self,
            position: &Self::Position,
        ) -> Result<($crate::board::Key, bool), $crate::board::PositionError> {
            position.key()
        }

        fn position_of(&self, key: $crate::board::Key) -> Self::Position {
            Self::Position::position_of(key)
        }

        fn position_of_stored(&self, key: $crate::board::Key) -> Option<Self::Position> {
            let strip = Self::Position::position_of_stored(key)?;
            let normal = self.position(&strip.to_row()).ok()?;
            (normal.key().ok()?.0 == key).then_some(strip)
        }
    };
}
