//! A board of Tchoukaillon: bins in a row beside the Ruma.

use super::writer::Svg;

/// The most bins that a picture shows.
pub const BINS_DRAWN: usize = 100;

/// The bins of a line. Boards with more bins have several lines.
const BINS_A_LINE: usize = 12;

/// The most stones that are drawn as stones; more are a number alone.
const STONES_DRAWN: u32 = 9;

/// Unit: pixels.
const BIN: f64 = 56.0;
const RUMA: f64 = 62.0;
const LINE: f64 = 84.0;
const MARGIN: f64 = 12.0;

/// Draws a board, the bin beside the Ruma first: stones, their number, and the number of each bin.
///
/// A playable bin is marked: bin k with k stones. The picture shows at most [`BINS_DRAWN`] bins; the
/// description has all of them.
///
/// ```
/// use seedbank::report::svg::board;
///
/// let picture = board(3, &[1, 2]).inline();
/// assert!(picture.contains("<title>The winning board of 3 stones</title>"));
/// assert!(picture.contains("<desc>Bins from the Ruma on: 1, 2.</desc>"));
/// ```
pub fn board(stones: u128, bins: &[u32]) -> Svg {
    let listed: Vec<String> = bins.iter().map(u32::to_string).collect();
    let drawn = &bins[..bins.len().min(BINS_DRAWN)];
    let lines = drawn.len().div_ceil(BINS_A_LINE).max(1);
    let width = 2.0 * MARGIN + RUMA + drawn.len().min(BINS_A_LINE) as f64 * BIN;
    let noun = if stones == 1 { "stone" } else { "stones" };
    let mut picture = Svg::new(
        [width, 2.0 * MARGIN + lines as f64 * LINE],
        format!("The winning board of {stones} {noun}"),
        if listed.is_empty() {
            "All bins are empty.".to_owned()
        } else {
            format!("Bins from the Ruma on: {}.", listed.join(", "))
        },
    );
    let middle = MARGIN + BIN / 2.0;
    picture.rect([MARGIN, MARGIN], [RUMA - 12.0, BIN], "bin");
    picture.text(
        [MARGIN + (RUMA - 12.0) / 2.0, middle + 4.0],
        "middle",
        "Ruma",
    );
    for (place, &count) in drawn.iter().enumerate() {
        let (line, column) = (place / BINS_A_LINE, place % BINS_A_LINE);
        let center = [
            MARGIN + RUMA + (column as f64 + 0.5) * BIN,
            middle + line as f64 * LINE,
        ];
        let number = place as u32 + 1;
        let class = if count == number {
            "bin playable"
        } else {
            "bin"
        };
        picture.circle(center, BIN / 2.0 - 4.0, class);
        if count <= STONES_DRAWN {
            for stone in 0..count {
                let (x, y) = (f64::from(stone % 3) - 1.0, f64::from(stone / 3) - 1.0);
                picture.circle([center[0] + 11.0 * x, center[1] + 11.0 * y], 4.0, "stone");
            }
        } else {
            picture.text([center[0], center[1] + 4.0], "middle", &count.to_string());
        }
        let label = format!("{number}: {count}");
        picture.text(
            [center[0], center[1] + BIN / 2.0 + 12.0],
            "soft small middle",
            &label,
        );
    }
    picture
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stones_are_drawn_up_to_nine_and_bins_that_can_be_played_are_marked() {
        let picture = board(15, &[1, 2, 0, 2, 4, 6]).inline();
        assert_eq!(picture.matches("class=\"stone\"").count(), 15);
        // Bin 1 has one stone, bin 2 two stones, bin 6 six.
        assert_eq!(picture.matches("bin playable").count(), 3);
        assert!(picture.contains(">5: 4</text>"));
        let many = board(40, &[1, 1, 12]).inline();
        assert!(many.contains(">12</text>"));
        assert_eq!(board(0, &[]).inline().matches("<circle").count(), 0);
    }

    #[test]
    fn long_boards_have_several_lines_and_an_end() {
        let bins = vec![0; 150];
        let picture = board(0, &bins).inline();
        assert_eq!(picture.matches("<circle").count(), BINS_DRAWN);
        assert!(picture.contains("viewBox=\"0 0 758 780\""), "{picture}");
    }
}
