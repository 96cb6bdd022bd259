//! The section `[rules]`: the switches of rules of rows, each with one value or several, and the width
//! of the board.

use std::collections::HashSet;
use std::path::Path;

use cggames::game::{Counts, Endless, First, Game, Laps, RowRules, Switch};
use schemars::{SchemaGenerator, json_schema};
use seedbank_specs::form::{Form, Keys, Place, boolean, integer, one_or_each, table, word};
use seedbank_specs::{Field, JobError, Problems, read_spec, schema};
use thiserror::Error;

/// The section's name.
pub(in crate::task) const SECTION: &str = "rules";

/// What is accepted in the place of the section.
pub(super) const ACCEPTED: &str = "a section [rules] with switches such as last = \"occupied\"";

/// Reads the game that a section `[rules]` describes; all other keys of the text are ignored. Errors
/// name `path`. The board may be given outside of the section.
///
/// # Errors
///
/// All problems of the section, or that there is none.
///
/// ```
/// use std::path::Path;
/// use seedbank::task::strips::read_rules;
///
/// let game = read_rules("[rules]\nlast = [1, 2]\npots = 6", Path::new("a.toml"), None)?;
/// assert_eq!(game.rules().map(|rules| rules.to_string()), Some("last=1-2".to_owned()));
/// assert_eq!(game.board_pots(), Some(6));
/// let error = read_rules("[rules]\nlast = 1", Path::new("a.toml"), None).unwrap_err();
/// assert!(error.to_string().contains("rules.last"));
/// # Ok::<(), seedbank::job::JobError>(())
/// ```
pub fn read_rules(text: &str, path: &Path, board_pots: Option<u32>) -> Result<Game, JobError> {
    read_spec(text, path, |problems, mut fields| {
        let field = fields.require(problems, SECTION, ACCEPTED)?;
        form(board_pots, None).read(problems, &field)
    })
}

/// The game that the section describes, by one set of rules. Where it is described, an alternative of
/// the schema is about endless rows, and another one about boards.
pub(super) fn form<'f>(board_pots: Option<u32>, alternative: Option<usize>) -> Form<'f, Game> {
    sets(board_pots, alternative, false).then(|_, _, sets| Some(sets.distinct.first()?.game))
}

/// The sets of rules that the section describes; with `each`, switches may have several values.
pub(super) fn sets<'f>(
    board_pots: Option<u32>,
    alternative: Option<usize>,
    each: bool,
) -> Form<'f, RuleSets> {
    let read = table(ACCEPTED, move |keys| {
        let switches = Switches::read(keys, each);
        let pots = integer(1, Game::BOARD_POTS_MAX).placed();
        let meaning = "the width of the board in pots; an endless row if it is missing";
        let pots = match alternative {
            Some(0) => None,
            _ => keys.expected("pots", meaning, pots)?,
        };
        Some((switches?, pots))
    });
    read.then(move |problems, field, (switches, pots)| {
        let pots = match (pots, board_pots) {
            (Some((_, place)), Some(outside)) => {
                let fault = format!("the board has {outside} pots by --pots; give its width once");
                problems.add(&place.key, place.span, fault);
                return None;
            }
            (pots, outside) => pots.map(|(pots, _)| pots).or(outside),
        };
        switches.sets(problems, field, pots)
    })
}

/// The sets of rules of a section.
#[derive(Clone, Debug)]
pub(in crate::task) struct RuleSets {
    /// The switches that have several values, in the order of their declaration.
    pub(in crate::task) ranging: Vec<&'static str>,
    /// The number of combinations of values.
    pub(in crate::task) combinations: usize,
    /// The first combination of each set of those that have the same moves, in the order of the
    /// product.
    pub(in crate::task) distinct: Vec<RuleSet>,
}

/// A set of rules.
#[derive(Clone, Copy, Debug)]
pub(in crate::task) struct RuleSet {
    /// The rules as they are written.
    pub(in crate::task) rules: RowRules,
    /// The game by these rules.
    pub(in crate::task) game: Game,
}

/// The most combinations of values of switches in a section.
const COMBINATIONS_MAX: usize = 10_000;

/// The values of a switch, each with its place; none if the switch is not given.
type Given<T> = Vec<(T, Place)>;

/// The values of all switches, in the order in which a product ranges over them: the last varies
/// fastest.
struct Switches {
    pot_min: Given<u8>,
    first: Given<First>,
    last: Given<Counts>,
    laps: Given<Laps>,
    landing: Given<bool>,
    capture: Given<Counts>,
    chain: Given<bool>,
}

impl Switches {
    fn read(keys: &mut Keys<'_, '_, '_>, each: bool) -> Option<Switches> {
        let pot_min = switch(
            keys,
            "pot_min",
            "the fewest seeds of a pot that may be played; 1 if it is missing",
            integer(1, Counts::MAX),
            each,
        );
        let firsts = [(First::Next, "next"), (First::Origin, "origin")];
        let first = switch(
            keys,
            "first",
            "where the first seed falls: in the pot after the one played (next, if it is missing), or in that pot (origin)",
            word("first pot", "\"next\" or \"origin\"", firsts),
            each,
        );
        let last = switch(
            keys,
            "last",
            "what the pot of the last seed must hold just before that seed falls; any if it is missing",
            last(),
            each,
        );
        let all_laps = [(Laps::Single, "single"), (Laps::Multiple, "multiple")];
        let laps = switch(
            keys,
            "laps",
            "multiple: a move sows on from the occupied pot in which its last seed falls; single if it is missing",
            word("laps", "\"single\" or \"multiple\"", all_laps),
            each,
        );
        let landing = switch(
            keys,
            "landing",
            "whether every seed that falls into an occupied pot takes all seeds of that pot off the board; false if it is missing",
            boolean(),
            each,
        );
        let capture = switch(
            keys,
            "capture",
            "the counts at which the pot of the last seed is captured; none if it is missing",
            counts(),
            each,
        );
        let chain = switch(
            keys,
            "chain",
            "whether captures go on backwards through pots sown in the last lap; false if it is missing",
            boolean(),
            each,
        );
        Some(Switches {
            pot_min: pot_min?,
            first: first?,
            last: last?,
            laps: laps?,
            landing: landing?,
            capture: capture?,
            chain: chain?,
        })
    }

    /// Returns the switches that have several values, and the number of combinations.
    fn ranging(&self) -> (Vec<&'static str>, usize) {
        let numbers = [
            ("pot_min", self.pot_min.len()),
            ("first", self.first.len()),
            ("last", self.last.len()),
            ("laps", self.laps.len()),
            ("landing", self.landing.len()),
            ("capture", self.capture.len()),
            ("chain", self.chain.len()),
        ];
        let ranging = numbers.iter().filter(|(_, values)| *values > 1);
        let combinations = numbers.iter().map(|(_, values)| (*values).max(1));
        (
            ranging.map(|(name, _)| *name).collect(),
            combinations.fold(1, usize::saturating_mul),
        )
    }

    /// Returns each combination of values, with the places of the switches that may be at fault.
    fn combinations(&self) -> Vec<(RowRules, Places<'_>)> {
        let mut all = vec![(RowRules::DEFAULT, Places::default())];
        product(&mut all, &self.pot_min, |(rules, places), value, place| {
            (rules.pot_min, places.pot_min) = (value, Some(place));
        });
        product(&mut all, &self.first, |(rules, places), value, place| {
            (rules.first, places.first) = (value, Some(place));
        });
        product(&mut all, &self.last, |(rules, places), value, place| {
            (rules.last, places.last) = (value, Some(place));
        });
        product(&mut all, &self.laps, |(rules, places), value, place| {
            (rules.laps, places.laps) = (value, Some(place));
        });
        product(&mut all, &self.landing, |(rules, places), value, place| {
            (rules.landing, places.landing) = (value, Some(place));
        });
        product(&mut all, &self.capture, |(rules, _), value, _| {
            rules.capture = value;
        });
        product(&mut all, &self.chain, |(rules, _), value, _| {
            rules.chain = value;
        });
        all
    }

    /// Returns the sets of rules on a board of this width or on the endless row, unless a
    /// combination is refused. The first one that is refused is reported.
    fn sets(
        &self,
        problems: &mut Problems<'_>,
        field: &Field<'_>,
        pots: Option<u32>,
    ) -> Option<RuleSets> {
        let (ranging, combinations) = self.ranging();
        if combinations > COMBINATIONS_MAX {
            let fault = format!(
                "{combinations} combinations of switches; accepted: at most {COMBINATIONS_MAX}"
            );
            return field.refuse(problems, fault);
        }
        let mut sets = RuleSets {
            ranging,
            combinations,
            distinct: Vec::new(),
        };
        let mut known = HashSet::new();
        for (rules, places) in self.combinations() {
            let game = match checked(rules, pots) {
                Ok(game) => game,
                Err(refused) => {
                    let fault = match combinations {
                        1 => refused.to_string(),
                        _ => format!(
                            "the combination {rules} is refused: {refused}; leave out a value, and give the other combinations \
                             that it has a job of their own"
                        ),
                    };
                    let whole = match refused {
                        Refused::LongText(_) => &field.span,
                        _ => &field.key_span,
                    };
                    let at = places.of(&refused);
                    let (key, span) =
                        at.map_or((&field.key, whole), |place| (&place.key, &place.span));
                    problems.add(key, span.clone(), fault);
                    return None;
                }
            };
            if known.insert(rules.reduced()) {
                sets.distinct.push(RuleSet { rules, game });
            }
        }
        Some(sets)
    }
}

/// Why a set of rules is refused.
#[derive(Debug, Error)]
enum Refused {
    #[error(
        "a single seed would not move where `first = \"origin\"`; accepted: pot_min = 2 or more"
    )]
    SingleSeeds,
    #[error(
        "the counts of `last` and `capture` have too many gaps; accepted: rules whose text, {0}, has at most {max} bytes",
        max = RowRules::TEXT_MAX
    )]
    LongText(RowRules),
    #[error(transparent)]
    Endless(#[from] Endless),
}

/// Returns the game by rules that are accepted.
fn checked(rules: RowRules, pots: Option<u32>) -> Result<Game, Refused> {
    if (rules.first, rules.pot_min) == (First::Origin, 1) {
        return Err(Refused::SingleSeeds);
    }
    if !rules.has_short_text() {
        return Err(Refused::LongText(rules));
    }
    Ok(Game::of_rules(rules, pots)?)
}

/// The places of the switches of a set of rules.
#[derive(Clone, Copy, Default)]
struct Places<'s> {
    pot_min: Option<&'s Place>,
    first: Option<&'s Place>,
    last: Option<&'s Place>,
    laps: Option<&'s Place>,
    landing: Option<&'s Place>,
}

impl<'s> Places<'s> {
    /// Returns the place of the switch for which rules are refused, if it is given.
    fn of(&self, refused: &Refused) -> Option<&'s Place> {
        match refused {
            Refused::SingleSeeds => self.pot_min.or(self.first),
            Refused::LongText(_) => None,
            Refused::Endless(Endless(Switch::Last)) => self.last,
            Refused::Endless(Endless(Switch::Laps)) => self.laps,
            Refused::Endless(Endless(Switch::Landing)) => self.landing,
        }
    }
}

/// Replaces each combination by those with each value of another switch.
fn product<'s, C: Copy, T: Copy>(
    all: &mut Vec<C>,
    given: &'s Given<T>,
    set: impl Fn(&mut C, T, &'s Place),
) {
    if given.is_empty() {
        return;
    }
    let with = |before: C| {
        given
            .iter()
            .map(move |(value, place)| (before, *value, place))
    };
    let combined = all.iter().copied().flat_map(with);
    *all = combined
        .map(|(mut combination, value, place)| {
            set(&mut combination, value, place);
            combination
        })
        .collect();
}

/// A switch, which may be missing; with `each`, it may have several values.
fn switch<T: Copy + PartialEq>(
    keys: &mut Keys<'_, '_, '_>,
    name: &'static str,
    meaning: &'static str,
    value: Form<'_, T>,
    each: bool,
) -> Option<Given<T>> {
    let form = if each {
        one_or_each("a value, or several as in { each = [...] }", value)
    } else {
        value.placed().map(|given| vec![given])
    };
    keys.optional(name, meaning, form)
        .map(Option::unwrap_or_default)
}

/// The pots in which a last seed may fall.
fn last<'f>() -> Form<'f, Counts> {
    let words = [
        (Counts::ANY, "any"),
        (Counts::OCCUPIED, "occupied"),
        (Counts::EMPTY_POT, "empty"),
    ];
    let accepted = "\"any\", \"occupied\", \"empty\", or a list of counts such as [1, 2]";
    let word = word("pot of a last seed", accepted, words);
    let read = move |problems: &mut Problems<'_>, field: &Field<'_>| {
        if !field.value.is_array() {
            return word.read(problems, field);
        }
        // Without a count no move would be legal.
        field.array(
            problems,
            "\"any\", \"occupied\", \"empty\", or a list of counts such as [1, 2]",
        )?;
        counts().read(problems, field)
    };
    let describe = move |_: &mut SchemaGenerator| {
        let counts = schema::list(schema::integer(0, Counts::MAX.into()));
        schema::any_of([schema::choice(&words.map(|word| word.1)), counts])
    };
    Form::new(read, describe)
}

/// A list of counts, which may be empty.
fn counts<'f>() -> Form<'f, Counts> {
    let most = Counts::MAX;
    let read = move |problems: &mut Problems<'_>, field: &Field<'_>| {
        if field.value.as_array().is_some_and(|list| list.is_empty()) {
            return Some(Counts::NONE);
        }
        let elements = field.array(problems, "a list of counts, such as [2, 3]")?;
        let count = |field: &Field<'_>| field.integer(problems, 0, most.into());
        // All are read, so that the problems of all are reported.
        let read: Vec<Option<i64>> = elements.iter().map(count).collect();
        let read: Option<Vec<i64>> = read.into_iter().collect();
        Some(Counts::of(read?.into_iter().map(|count| count as u8)))
    };
    let describe = move |_: &mut SchemaGenerator| json_schema!({ "type": "array", "items": schema::integer(0, most.into()) });
    Form::new(read, describe)
}
