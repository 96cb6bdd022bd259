//! Statements about boards that a result can confirm.

/// A published fact about Tchoukaillon boards, which a result can confirm.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BoardStatement {
    /// The winning board of n stones has these bins, nearest first, and no others.
    Board {
        /// The stones.
        n: u64,
        /// The bins, the last one not empty.
        bins: Vec<u32>,
    },
    /// A board with these bins is not winning.
    Losing {
        /// The bins, nearest first, the last one not empty.
        bins: Vec<u32>,
    },
    /// The board of n stones has this length.
    Length {
        /// The stones.
        n: u64,
        /// The length.
        length: u64,
    },
    /// The boards of one length have exactly these numbers of stones.
    OfLength {
        /// The length.
        length: u64,
        /// The fewest stones.
        first: u64,
        /// The most stones.
        last: u64,
    },
    /// The fewest stones of a board of this length.
    Fewest {
        /// The length.
        length: u64,
        /// The stones.
        n: u64,
    },
    /// N(l) is l, rounded up to multiples of l - 1, l - 2, ..., 1.
    FewestByRounding,
    /// The remainders of n by 2, 3, ....
    Remainders {
        /// The number.
        n: u64,
        /// The remainders.
        values: Vec<u64>,
    },
    /// The stones in bin 1, in bins 1 and 2, ... of the board of n stones.
    Increasing {
        /// The stones.
        n: u64,
        /// The sums.
        values: Vec<u64>,
    },
    /// Some entries of S^(k), the numbers of stones whose first play is in bin k or beyond.
    Sieve {
        /// The bin k.
        bin: u64,
        /// Places, counted from 1 and ascending, and the entries there.
        entries: Vec<(u64, u64)>,
    },
    /// b_1 + ... + b_i = n mod (i + 1).
    SumsOfFirstBins,
    /// b_i + b_{i+1} + ... is a multiple of i.
    SumsOfFarBins,
    /// The first i bins repeat with the period lcm(2, ..., i+1).
    Periods,
    /// Whether a board has these bins, and the fewest stones of one.
    Reconstruction {
        /// Bins in numbering beta, ascending, and their stones.
        fixed: Vec<(u64, u64)>,
        /// Whether there is a board. Without one there is no number of stones.
        possible: bool,
        /// The fewest stones of a board.
        smallest: Option<u64>,
        /// The reading of the print in words, if it differs from the fact.
        print: Option<String>,
    },
    /// The determined endgames of Ayo are the winning boards.
    Endgames,
    /// A sowing graph has finitely many winning boards if and only if no cycle has both a Ruma and a bin. The print has it
    /// wrong.
    FiniteIff,
    /// The number of winning boards of a star of k spokes of length l is that of a path of length l, to the power k.
    Stars,
    /// The winning boards of the directed cycle of four vertices begin with these totals of stones.
    CycleOfFour {
        /// The totals, ascending.
        totals: Vec<u64>,
    },
}
