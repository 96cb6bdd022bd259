//! Attempts to settle positions by playing them: when they are due, and how long they may be.

/// The number of positions that a worker evaluates between two attempts to settle those on its path
/// by playing, after a successful attempt. After a failed attempt the interval doubles, up to a
/// limit.
// PERF: without the doubling, attempts took 14 % of the time of the positions xy of Atomic Wari.
pub(super) const POSITIONS_A_TRY: u64 = 1024;
const TRY_INTERVALS_MAX: u64 = 16 * POSITIONS_A_TRY;

/// The number of options that such an attempt may generate; unused ones are carried over to the
/// next. Evaluating 1024 positions generates about 14,000 options in Sowing `1^12`, so useless
/// attempts cost little: it took 0.56 CPU s without attempts and 0.52 to 0.61 with them, in
/// different runs.
const OPTIONS_A_TRY: usize = 1024;

/// The most options carried over from earlier attempts, so that no attempt takes long or much
/// memory.
const CREDIT_MAX: usize = 1 << 20;

/// The factor by which a position's waiting time must have grown before it is tried again.
pub(super) const TRY_FACTOR: u64 = 15;

/// The attempts of one search.
pub(super) struct Attempts {
    /// The options that they may still generate.
    pub(super) credit: usize,
    /// The number of positions between two attempts.
    interval: u64,
    /// The count of evaluated positions at which the next one is due.
    next: u64,
}

impl Attempts {
    pub(super) const NONE_YET: Attempts = Attempts {
        credit: 0,
        interval: POSITIONS_A_TRY,
        next: POSITIONS_A_TRY,
    };

    pub(super) fn is_due(&self, evaluated: u64) -> bool {
        evaluated >= self.next
    }

    /// Begins an attempt; the next one is due later, unless this one succeeds.
    pub(super) fn begin(&mut self, evaluated: u64) {
        self.credit = CREDIT_MAX.min(self.credit + OPTIONS_A_TRY);
        self.wait(evaluated, TRY_INTERVALS_MAX.min(2 * self.interval));
    }

    /// Ends an attempt that has settled a position.
    pub(super) fn succeed(&mut self, evaluated: u64) {
        self.wait(evaluated, POSITIONS_A_TRY);
    }

    fn wait(&mut self, evaluated: u64, interval: u64) {
        self.interval = interval;
        self.next = evaluated + interval;
    }
}
