//! The section `[rules]`: the switches of rules of rows, and the width of the board.

use std::path::Path;

use cggames::game::{Counts, First, Game, Laps, RowRules};
use schemars::{SchemaGenerator, json_schema};
use seedbank_specs::form::{Form, Keys, Place, boolean, integer, table, word};
use seedbank_specs::{Field, JobError, Problems, read_spec, schema};

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

/// The game that the section describes. Where it is described, an alternative of the schema is about
/// endless rows, and another one about boards.
pub(super) fn form<'f>(board_pots: Option<u32>, alternative: Option<usize>) -> Form<'f, Game> {
    table(ACCEPTED, move |keys| switches(keys, alternative)).then(move |problems, field, read| {
        let (rules, pots, places) = read;
        let pots = match (pots, board_pots) {
            (Some((_, place)), Some(outside)) => {
                let fault = format!("the board has {outside} pots by --pots; give its width once");
                problems.add(&place.key, place.span, fault);
                return None;
            }
            (pots, outside) => pots.map(|(pots, _)| pots).or(outside),
        };
        if !rules.has_short_text() {
            let fault = format!(
                "the counts of `last` and `capture` have too many gaps; accepted: rules whose text, {rules}, has at most {} bytes",
                RowRules::TEXT_MAX
            );
            return field.refuse(problems, fault);
        }
        match Game::of_rules(rules, pots) {
            Ok(game) => Some(game),
            Err(endless) => {
                let is_at = |place: &Place| place.key.ends_with(endless.0.key());
                let at = places.into_iter().flatten().find(is_at);
                let at = at.unwrap_or_else(|| Place {
                    span: field.key_span.clone(),
                    ..Place::of(field)
                });
                problems.add(&at.key, at.span, endless);
                None
            }
        }
    })
}

/// The rules, the width of the board with its place, and the places of switches that lengthen rows.
type Switches = (RowRules, Option<(u32, Place)>, [Option<Place>; 3]);

fn switches(keys: &mut Keys<'_, '_, '_>, alternative: Option<usize>) -> Option<Switches> {
    let default = RowRules::DEFAULT;
    let pot_min = keys.optional(
        "pot_min",
        "the fewest seeds of a pot that may be played; 1 if it is missing",
        integer(1, Counts::MAX).placed(),
    );
    let firsts = [(First::Next, "next"), (First::Origin, "origin")];
    let first = keys.optional(
        "first",
        "where the first seed falls: in the pot after the one played (next, if it is missing), or in that pot (origin)",
        word("first pot", "\"next\" or \"origin\"", firsts).placed(),
    );
    let last = keys.optional(
        "last",
        "what the pot of the last seed must hold just before that seed falls; any if it is missing",
        last().placed(),
    );
    let all_laps = [(Laps::Single, "single"), (Laps::Multiple, "multiple")];
    let laps = keys.optional(
        "laps",
        "multiple: a move sows on from the occupied pot in which its last seed falls; single if it is missing",
        word("laps", "\"single\" or \"multiple\"", all_laps).placed(),
    );
    let landing = keys.optional(
        "landing",
        "whether every seed that falls into an occupied pot takes all seeds of that pot off the board; false if it is missing",
        boolean().placed(),
    );
    let capture = keys.optional(
        "capture",
        "the counts at which the pot of the last seed is captured; none if it is missing",
        counts(),
    );
    let chain = keys.optional(
        "chain",
        "whether captures go on backwards through pots sown in the last lap; false if it is missing",
        boolean(),
    );
    let pots = integer(1, Game::BOARD_POTS_MAX).placed();
    let meaning = "the width of the board in pots; an endless row if it is missing";
    let pots = match alternative {
        Some(0) => Some(None),
        _ => keys.expected("pots", meaning, pots),
    };
    let (pot_min, first, last, laps, landing) = (pot_min?, first?, last?, laps?, landing?);
    let places = [place(&last), place(&laps), place(&landing)];
    let rules = RowRules {
        pot_min: pot_min.as_ref().map_or(default.pot_min, |given| given.0),
        first: first.as_ref().map_or(default.first, |given| given.0),
        last: last.map_or(default.last, |given| given.0),
        laps: laps.map_or(default.laps, |given| given.0),
        landing: landing.map_or(default.landing, |given| given.0),
        capture: capture?.unwrap_or(default.capture),
        chain: chain?.unwrap_or(default.chain),
    };
    if let (First::Origin, 1) = (rules.first, rules.pot_min) {
        let (_, at) = pot_min.map(|(_, at)| (First::Origin, at)).or(first)?;
        let fault = "a single seed would not move where `first = \"origin\"`; accepted: pot_min = 2 or more";
        return keys.refuse(&at, fault);
    }
    Some((rules, pots?, places))
}

fn place<T>(given: &Option<(T, Place)>) -> Option<Place> {
    given.as_ref().map(|(_, place)| place.clone())
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
