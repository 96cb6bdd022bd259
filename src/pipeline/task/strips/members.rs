//! The positions of a job: the section `[family]`.

use std::path::Path;
use std::sync::Arc;

use cggames::board::row::POT_SEEDS_MAX;
use cggames::board::{AnyBoard, BoardKind, Caps, RowShape, Shape};
use cggames::family::{
    ALL_POTS_MAX, ALL_SEEDS_MAX, AllPositions, BindError, Bound, BoundPattern, Bounds, BoundsError,
    COLOURED_POTS_MAX, ColouredBounds, Family, Filled, GridBounds, Order, Pattern, Population,
    Rectangles, Sample, Subfamily, Values, read_positions,
};
use schemars::{Schema, SchemaGenerator, json_schema};
use seedbank_specs::form::{
    FamilyKind, Form, Keys, Place, Variables, integer, list, table, text, word,
};
use seedbank_specs::schema::{any_of, defined, required, with_one_of};
use seedbank_specs::{
    AnyFault, Fault, Field, Fields, POSITIONS_MAX, Problems, keys, kinds, schema,
};

use crate::task::forms::{file, values, variables, with_variables};

/// The keys of `[family]`: one kind of family, or a union of several.
pub(super) fn family(keys: &mut Keys<'_, '_, '_>, shape: Shape, base_dir: &Path) -> Option<Family> {
    let (problems, fields) = match keys {
        Keys::Read(problems, fields) => (problems, fields),
        Keys::Describe(generator, described) => {
            described.whole = Some(describe(generator, shape));
            return None;
        }
    };
    let subfamilies = read_subfamilies(problems, fields, shape, base_dir, true)?;
    let fault: AnyFault = match Family::new(subfamilies) {
        Ok(family) if family.len() <= POSITIONS_MAX => return Some(family),
        Ok(family) => {
            let (what, found, max) = ("positions", family.len(), POSITIONS_MAX);
            Fault::TooManyRows { what, found, max }.into()
        }
        Err(error) => error.into(),
    };
    problems.add(&fields.key, fields.span.clone(), fault);
    None
}

/// Returns the schema of `[family]`.
fn describe(generator: &mut SchemaGenerator, shape: Shape) -> Schema {
    let no_variables = (Vec::new(), None);
    let kinds = kinds_of(shape, Path::new(""), &no_variables);
    let kind = |(name, meaning, form): FamilyKind<'_, Subfamily>| {
        let table = schema::table([required(name, meaning, form.schema(generator))]);
        match name {
            "pattern" => with_variables(generator, table),
            _ => table,
        }
    };
    let kinds = any_of(kinds.into_iter().map(kind).collect::<Vec<_>>());
    let name = match shape {
        Shape::Rows(shape) if shape.board_pots.is_some() => "boards",
        Shape::Rows(shape) if shape.caps == Caps::Unlimited => "rows",
        Shape::Rows(_) => "capped-rows",
        Shape::ColouredRows => "coloured-rows",
        Shape::Grids => "grids",
    };
    let kinds = defined(generator, name, kinds);
    let meaning = "several families, one after another";
    let union = schema::table([required("union", meaning, schema::list(kinds.clone()))]);
    any_of([kinds, union])
}

/// Reads a table with exactly one kind of family; a union joins others.
fn read_subfamilies(
    problems: &mut Problems<'_>,
    fields: &mut Fields<'_>,
    shape: Shape,
    base_dir: &Path,
    has_union: bool,
) -> Option<Vec<Subfamily>> {
    let no_variables = (Vec::new(), None);
    let known = kinds_of(shape, base_dir, &no_variables).into_iter();
    let union = has_union.then_some("union");
    let names: Vec<&'static str> = known.map(|kind| kind.0).chain(union).collect();
    let mut given: Vec<Field<'_>> = names.iter().filter_map(|kind| fields.take(kind)).collect();
    given.sort_by_key(|field| field.key_span.start);
    let mut given = given.into_iter();
    let accepted = || names.join(", ");
    let Some(field) = given.next() else {
        let fault = Fault::NoKind {
            accepted: accepted(),
        };
        problems.add(&fields.key, fields.span.clone(), fault);
        // The kind may be misspelt.
        fields.take_variables();
        return None;
    };
    for second in given {
        let fault = Fault::ManyKinds {
            first: field.name.clone(),
            accepted: accepted(),
        };
        problems.add(&second.key, second.key_span, fault);
    }
    if field.name == "union" {
        return union_of(shape, base_dir).read(problems, &field);
    }
    let variables = match field.name.as_str() {
        "pattern" => variables(&mut Keys::Read(problems, fields)),
        _ => no_variables,
    };
    let mut kinds = kinds_of(shape, base_dir, &variables).into_iter();
    let (_, _, form) = kinds.find(|kind| kind.0 == field.name)?;
    Some(vec![form.read(problems, &field)?])
}

/// Several families, one after another.
fn union_of(shape: Shape, base_dir: &Path) -> Form<'_, Vec<Subfamily>> {
    let accepted = "a family, such as { pattern = \"1^n\", n = \"1..=9\" }";
    let family = table(accepted, move |keys| match keys {
        Keys::Read(problems, fields) => read_subfamilies(problems, fields, shape, base_dir, false),
        Keys::Describe(..) => None,
    });
    let accepted = "an array of families, such as [{ pattern = \"1^n\", n = \"1..=9\" }]";
    list(accepted, family).map(|families| families.into_iter().flatten().collect())
}

/// The kinds of families of positions of a shape.
fn kinds_of<'f>(
    shape: Shape,
    base_dir: &'f Path,
    variables: &'f Variables<'f, Values>,
) -> Vec<FamilyKind<'f, Subfamily>> {
    let listed = list("an array of positions in quotes", board(shape));
    let lines = file(base_dir).try_map(move |(path, text)| read_positions(&path, &text, shape));
    let mut kinds = match shape {
        Shape::Rows(_) | Shape::ColouredRows => kinds! {
            /// rows with repetitions and variables, such as "(10)^m 03 (01)^n"; each variable has a
            /// key of its own
            pattern: pattern(shape, variables);
        },
        Shape::Grids => kinds! {
            /// rectangles with equally many seeds in every pot
            grid: rectangles().map(Subfamily::Rectangles);
        },
    };
    kinds.extend(kinds! {
        /// every position within bounds
        all: all(shape);
        /// positions written out
        positions: listed.map(Subfamily::List);
        /// a text file with one position a line, by its path from the spec's folder
        file: lines.map(Subfamily::List);
        /// positions drawn at random from all within bounds
        sample: sample(shape);
    });
    kinds
}

fn pattern<'f>(shape: Shape, variables: &'f Variables<'f, Values>) -> Form<'f, Subfamily> {
    let (variables, bindings) = variables;
    let read = move |problems: &mut Problems<'_>, field: &Field<'_>, written: String| {
        let pattern = match Pattern::read(&written, shape.kind()) {
            Ok(pattern) => pattern,
            Err(error) => return problems.refuse_at(field, error.at(), error),
        };
        if !bind(problems, field, &pattern, variables) {
            return None;
        }
        let bound = problems.ok(field, BoundPattern::new(pattern, bindings.clone()?))?;
        problems.ok(field, bound.check(shape))?;
        Some(Subfamily::Pattern(bound))
    };
    text("a string, such as \"1^n\"")
        .then(read)
        .narrowed(|_| json_schema!({ "type": "string", "minLength": 1 }))
}

/// Checks that the pattern's variables and those with ranges are the same.
fn bind(
    problems: &mut Problems<'_>,
    field: &Field<'_>,
    pattern: &Pattern,
    variables: &[Field<'_>],
) -> bool {
    let named = |name: char| {
        let bound = |field: &&Field<'_>| field.name.chars().eq([name]);
        variables.iter().find(bound)
    };
    let unbound: Vec<char> = pattern
        .variables()
        .iter()
        .copied()
        .filter(|&name| named(name).is_none())
        .collect();
    let unused: Vec<(char, &Field<'_>)> = variables
        .iter()
        .filter_map(|field| Some((field.name.chars().next()?, field)))
        .filter(|(name, _)| !pattern.variables().contains(name))
        .collect();
    for &variable in &unbound {
        let help = match unused.as_slice() {
            [(name, _)] => format!("did you mean `{variable}` where you wrote `{name} = ...`?"),
            _ => format!("add `{variable} = \"1..=9\"` below the pattern"),
        };
        let fault = BindError::Unbound { variable };
        problems.add_with_help(&field.key, field.span.clone(), fault, Some(help));
    }
    for (variable, unused) in &unused {
        let help = match unbound.as_slice() {
            [name] => Some(format!("did you mean `{name}`?")),
            _ => Some("remove it, or use the variable in the pattern".to_owned()),
        };
        let fault = BindError::Unused {
            variable: *variable,
            pattern: pattern.to_string(),
        };
        problems.add_with_help(&unused.key, unused.key_span.clone(), fault, help);
    }
    unbound.is_empty() && unused.is_empty()
}

/// Rectangles such as `{ rows = "1..=6", columns = "1..=6", seeds = 1 }`.
fn rectangles<'f>() -> Form<'f, Rectangles> {
    let keys = keys!({
        /// the numbers of rows
        rows: values(), required "rows = \"1..=4\"";
        /// the numbers of columns
        columns: values(), required "columns = \"1..=4\"";
        /// the seeds in every pot
        seeds: values(), required "seeds = 1";
    });
    let accepted = "a table, such as { rows = \"1..=6\", columns = \"1..=6\", seeds = 1 }";
    table(accepted, keys).try_map(|(rows, columns, seeds)| Rectangles::new(rows, columns, seeds))
}

fn all<'f>(shape: Shape) -> Form<'f, Subfamily> {
    let accepted = match shape.kind() {
        BoardKind::Row => "a table, such as { pots_max = 8, seeds_max = 10 }",
        BoardKind::Coloured => "a table, such as { pots_max = 4, blue_max = 2, red_max = 2 }",
        BoardKind::Grid => "a table, such as { rows = 3, columns = \"1..=4\", pot_seeds_max = 1 }",
    };
    let bounds = table(accepted, move |keys| bounds(keys, shape, true));
    let all = bounds.then(
        |problems, field, bounds| match bounds.population(problems, field)? {
            Population::All(all) => Some(Subfamily::All(all)),
            Population::Filled(filled) => Some(Subfamily::Filled(filled)),
        },
    );
    bounded(all, shape)
}

fn sample<'f>(shape: Shape) -> Form<'f, Subfamily> {
    let accepted = match shape.kind() {
        BoardKind::Row => "a table, such as { count = 1000, seed = 42, pots_max = 9 }",
        BoardKind::Coloured => {
            "a table, such as { count = 1000, seed = 42, pots_max = 4, blue_max = 2, red_max = 2 }"
        }
        BoardKind::Grid => {
            "a table, such as { count = 1000, seed = 42, rows = 3, columns = 3, pot_seeds_max = 2 }"
        }
    };
    let drawn = keys!({
        /// the number of positions
        count: integer(1, POSITIONS_MAX), required "count = 1000";
        /// the seed of the generator
        seed: integer(0, i64::MAX as u64), required "seed = 42";
    });
    // The bounds are checked even if the other keys are invalid.
    let keys = table(accepted, move |keys| {
        Some((drawn(keys), bounds(keys, shape, false)?))
    });
    let sample = keys.then(|problems, field, (drawn, bounds)| {
        let population = bounds.population(problems, field)?;
        let (count, seed) = drawn?;
        let sample = Sample::new(count, seed, Arc::new(population));
        Some(Subfamily::Sample(sample))
    });
    bounded(sample, shape)
}

/// States that something bounds the seeds of rows without full pots.
fn bounded(form: Form<'_, Subfamily>, shape: Shape) -> Form<'_, Subfamily> {
    form.narrowed(move |table| match shape {
        Shape::Rows(RowShape {
            caps: Caps::Unlimited,
            ..
        }) => with_one_of(table, &["seeds_max", "pot_seeds_max"]),
        _ => table,
    })
}

/// Bounds on the positions of a shape, as written.
enum AnyBounds {
    Rows(RowShape, Bounds, Vec<(Bound, Place)>, Order),
    Coloured(ColouredBounds),
    Grids(GridBounds),
}

/// The keys that bound the positions of a shape.
fn bounds(keys: &mut Keys<'_, '_, '_>, shape: Shape, has_order: bool) -> Option<AnyBounds> {
    let count = || integer(0, POT_SEEDS_MAX);
    match shape {
        Shape::Rows(shape) => {
            let bounds = row_bounds(keys, shape);
            let meaning = "pots: by pots, then seeds; seeds: by seeds, then pots";
            let orders = Order::ALL.map(|order| (order, order.name()));
            let order = word("order", "\"pots\" or \"seeds\"", orders);
            let order = if has_order {
                keys.optional("order", meaning, order)
            } else {
                Some(None)
            };
            let (bounds, places) = bounds?;
            let order = order?.unwrap_or_default();
            Some(AnyBounds::Rows(shape, bounds, places, order))
        }
        Shape::ColouredRows => {
            let pots = || count().narrowed(|_| schema::integer(0, COLOURED_POTS_MAX.into()));
            let bounds = keys!({
                /// the most pots
                pots_max: pots(), required "pots_max = 4";
                /// the fewest pots
                pots_min: pots(), default 0;
                /// the most blue seeds
                blue_max: count(), required "blue_max = 2";
                /// the fewest blue seeds
                blue_min: count(), default 0;
                /// the most red seeds
                red_max: count(), required "red_max = 2";
                /// the fewest red seeds
                red_min: count(), default 0;
                /// the most seeds in any one pot
                pot_seeds_max: count(), optional;
            });
            let (pots_max, pots_min, blue_max, blue_min, red_max, red_min, pot_seeds_max) =
                bounds(keys)?;
            Some(AnyBounds::Coloured(ColouredBounds {
                pots: [pots_min, pots_max],
                blue: [blue_min, blue_max],
                red: [red_min, red_max],
                pot_seeds_max,
            }))
        }
        Shape::Grids => {
            let bounds = keys!({
                /// the numbers of rows
                rows: values(), required "rows = \"1..=4\"";
                /// the numbers of columns
                columns: values(), required "columns = \"1..=4\"";
                /// the most seeds in any one pot
                pot_seeds_max: count(), required "pot_seeds_max = 1";
                /// the fewest seeds in any one pot
                pot_seeds_min: count(), default 0;
                /// the fewest seeds
                seeds_min: count(), default 0;
                /// the most seeds
                seeds_max: count(), optional;
            });
            let (rows, columns, most, least, seeds_min, seeds_max) = bounds(keys)?;
            Some(AnyBounds::Grids(GridBounds {
                rows,
                columns,
                pot_seeds: [least, most],
                seeds_min,
                seeds_max,
            }))
        }
    }
}

/// The keys that bound rows, with their places; `None` if one is invalid.
fn row_bounds(
    keys: &mut Keys<'_, '_, '_>,
    shape: RowShape,
) -> Option<(Bounds, Vec<(Bound, Place)>)> {
    let mut bounds = Bounds::default();
    let mut places = Some(Vec::new());
    let (pots, seeds) = (ALL_POTS_MAX, ALL_SEEDS_MAX);
    for (bound, slot, meaning, most) in [
        (
            Bound::PotsMin,
            &mut bounds.pots_min,
            "the fewest pots",
            pots,
        ),
        (Bound::PotsMax, &mut bounds.pots_max, "the most pots", pots),
        (
            Bound::SeedsMin,
            &mut bounds.seeds_min,
            "the fewest seeds",
            seeds,
        ),
        (
            Bound::SeedsMax,
            &mut bounds.seeds_max,
            "the most seeds",
            seeds,
        ),
        (
            Bound::PotSeedsMax,
            &mut bounds.pot_seeds_max,
            "the most seeds in any one pot",
            seeds,
        ),
    ] {
        let is_of_pots = matches!(bound, Bound::PotsMin | Bound::PotsMax);
        // A board has its own number of pots.
        if keys.are_described() && is_of_pots && shape.board_pots.is_some() {
            continue;
        }
        let number = integer(0, u32::MAX).narrowed(move |_| schema::integer(0, most.into()));
        let number = number.placed();
        let given = match bound {
            Bound::PotsMax => keys.expected(bound.name(), meaning, number),
            _ => keys.optional(bound.name(), meaning, number),
        };
        match given {
            Some(Some((number, place))) => {
                *slot = Some(number);
                places
                    .iter_mut()
                    .for_each(|places| places.push((bound, place.clone())));
            }
            Some(None) => {}
            None => places = None,
        }
    }
    Some((bounds, places?))
}

impl AnyBounds {
    /// Returns the positions within the bounds, or reports an error, if possible at the bound at
    /// fault.
    fn population(self, problems: &mut Problems<'_>, whole: &Field<'_>) -> Option<Population> {
        let (shape, bounds, places, order) = match self {
            AnyBounds::Rows(shape, bounds, places, order) => (shape, bounds, places, order),
            AnyBounds::Coloured(bounds) => {
                let filled = Filled::coloured_rows(bounds);
                return problems.ok(whole, filled).map(Population::Filled);
            }
            AnyBounds::Grids(bounds) => {
                let filled = Filled::grids(bounds);
                return problems.ok(whole, filled).map(Population::Filled);
            }
        };
        let error = match AllPositions::new(shape, bounds, order) {
            Ok(all) => return Some(Population::All(all)),
            Err(error) => error,
        };
        let about = match error {
            BoundsError::Board { bound, .. }
            | BoundsError::TooLarge { bound, .. }
            | BoundsError::Crossed { bound, .. } => Some(bound),
            BoundsError::Missing { .. } | BoundsError::Empty | BoundsError::TooMany => None,
        };
        let help = match error {
            BoundsError::Missing { bound } => Some(format!("add `{} = 8`", bound.name())),
            BoundsError::Board { bound, .. } => Some(format!("remove `{}`", bound.name())),
            _ => None,
        };
        let place = places.into_iter().find(|(bound, _)| Some(*bound) == about);
        let place = place.map_or_else(|| Place::of(whole), |(_, place)| place);
        problems.add_with_help(&place.key, place.span, error, help);
        None
    }
}

fn board<'f>(shape: Shape) -> Form<'f, AnyBoard> {
    text("a position in quotes").then(move |problems, field, written| {
        let board = match shape.kind().read(&written) {
            Ok(board) => board,
            Err(error) => return problems.refuse_at(field, error.at(), error),
        };
        problems.ok(field, shape.check(&board))?;
        Some(board)
    })
}
