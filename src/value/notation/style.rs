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
/// Two things differ from CGSuite's own output, and CGSuite reads both: `^2` for its `^^`, and the
/// order of options that are sums of powers of up without a name.
///
/// The text of a form can be exponentially longer than the form, which is a graph; where that
/// matters, use [`Arena::notation_limited`](crate::value::Arena::notation_limited).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Notation {
    /// As CGSuite prints values: names, slashes and `+-`.
    #[default]
    CgSuite,
    /// Nested braces over numbers and nimbers.
    Plain,
}
