//! Notations for values.

/// A notation for values.
///
/// | text | value |
/// |---|---|
/// | `3`, `-5/8` | a number |
/// | `*`, `*2` | a nimber |
/// | `^`, `v`, `^3` | up, down, three ups |
/// | `1/2v3*2` | a number plus ups or downs plus a nimber; a part that is 0 is left out |
/// | `^<2>`, `v[3]`, `1^<2>*` | up-second; minus the sum of up, up-second and up-third; with number and nimber |
/// | `+-1`, `+-(1*)`, `+-{3\|1}`, `+-{*,^}` | a form that is its own negative, by Left's options |
/// | `Tiny(2)`, `1Miny(1/2)` | `{0\|\|0\|-2}`; 1 plus `{1/2\|0\|\|0}` |
/// | `{2\|0\|\|-2\|-4}` | the game of `{2\|0}` and `{-2\|-4}`: more slashes bind weaker, up to four |
///
/// These are the texts of [`Notation::Standard`]. [`Notation::CgSuite`] differs in one name: two ups
/// are `^^` there, two downs `vv`. CGSuite reads either. Its own output may differ in the order of
/// options that are sums of powers of up without a name. [`Calculator::parse`] reads all notations.
///
/// [`Calculator::parse`]: crate::Calculator::parse
///
/// The text of a form can be exponentially longer than the form, which is a graph; where that
/// matters, use [`Arena::notation_limited`](crate::Arena::notation_limited).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Notation {
    /// Names, slashes and `+-`, as in CGSuite, but `^2` for two ups. Results and stores have it.
    #[default]
    Standard,
    /// As CGSuite prints values: `^^` for two ups.
    CgSuite,
    /// Nested braces over numbers and nimbers.
    Plain,
}

impl Notation {
    /// All notations.
    pub const ALL: [Notation; 3] = [Notation::Standard, Notation::CgSuite, Notation::Plain];

    /// Returns the name by which users choose it.
    pub fn name(self) -> &'static str {
        match self {
            Notation::Standard => "standard",
            Notation::CgSuite => "cgsuite",
            Notation::Plain => "plain",
        }
    }
}
