//! The positions of a job: the section `[family]`.

use std::path::Path;
use std::sync::Arc;

use cggames::board::row::POT_SEEDS_MAX;
use cggames::board::{AnyBoard, BoardKind, Shape};
use cggames::family::{
    AllPositions, Bound, Bounds, BoundsError, ColouredBounds, Family, Filled, GridBounds, Order,
    Pattern, Population, Rectangles, Sample, Subfamily, Sweep, SweepError, Values, ValuesError,
    read_positions,
};
use cggames::game::UnknownName;
use seedbank_specs::{Fault, Field, Fields, POSITIONS_MAX, Problems, nearest};

/// Returns the kinds of families of positions of this shape; the last one joins the others.
fn kinds(shape: Shape) -> &'static [&'static str] {
    match shape.kind() {
        BoardKind::Row | BoardKind::Coloured => {
            &["pattern", "all", "positions", "file", "sample", "union"]
        }
        BoardKind::Grid => &["grid", "all", "positions", "file", "sample", "union"],
    }
}

/// Reads `[family]`.
pub(super) fn read(
    problems: &mut Problems<'_>,
    fields: Fields<'_>,
    shape: Shape,
    base_dir: &Path,
) -> Option<Family> {
    let (key, span) = (fields.key.clone(), fields.span.clone());
    let subfamilies = read_subfamilies(problems, fields, shape, base_dir, kinds(shape))?;
    match Family::new(subfamilies) {
        Ok(family) if family.len() > POSITIONS_MAX => {
            let found = family.len();
            problems.add(&key, span, Fault::TooManyPositions { found });
            None
        }
        Ok(family) => Some(family),
        Err(error) => {
            problems.add(&key, span, error);
            None
        }
    }
}

/// Reads a table with exactly one of `kinds`.
fn read_subfamilies(
    problems: &mut Problems<'_>,
    mut fields: Fields<'_>,
    shape: Shape,
    base_dir: &Path,
    kinds: &[&'static str],
) -> Option<Vec<Subfamily>> {
    let mut given: Vec<Field<'_>> = kinds.iter().filter_map(|kind| fields.take(kind)).collect();
    given.sort_by_key(|field| field.key_span.start);
    let mut given = given.into_iter();
    let Some(kind) = given.next() else {
        let fault = Fault::NoKind {
            accepted: kinds.join(", "),
        };
        problems.add(&fields.key, fields.span.clone(), fault);
        // The kind may be misspelt.
        fields.take_variables();
        fields.finish(problems);
        return None;
    };
    for second in given {
        let fault = Fault::ManyKinds {
            first: kind.name.clone(),
            accepted: kinds.join(", "),
        };
        problems.add(&second.key, second.key_span, fault);
    }
    let subfamily = match kind.name.as_str() {
        "pattern" => {
            read_sweep(problems, &kind, fields.take_variables(), shape).map(Subfamily::Pattern)
        }
        "grid" => read_rectangles(problems, &kind).map(Subfamily::Rectangles),
        "all" => read_all(problems, &kind, shape),
        "positions" => read_list(problems, &kind, shape).map(Subfamily::List),
        "file" => read_file(problems, &kind, shape, base_dir).map(Subfamily::List),
        "sample" => read_sample(problems, &kind, shape).map(Subfamily::Sample),
        _ => {
            let subfamilies = read_union(problems, &kind, shape, base_dir);
            fields.finish(problems);
            return subfamilies;
        }
    };
    fields.finish(problems);
    Some(vec![subfamily?])
}

fn read_union(
    problems: &mut Problems<'_>,
    field: &Field<'_>,
    shape: Shape,
    base_dir: &Path,
) -> Option<Vec<Subfamily>> {
    let accepted = "an array of families, such as [{ pattern = \"1^n\", n = \"1..=9\" }]";
    let kinds = kinds(shape);
    let kinds = &kinds[..kinds.len() - 1];
    let mut subfamilies = Some(Vec::new());
    for element in field.array(problems, accepted)? {
        // Every element is read, so that the problems of all of them are reported.
        let subfamily = element
            .table(
                problems,
                "a family, such as { pattern = \"1^n\", n = \"1..=9\" }",
            )
            .and_then(|fields| read_subfamilies(problems, fields, shape, base_dir, kinds));
        subfamilies = subfamilies
            .zip(subfamily)
            .map(|(mut subfamilies, subfamily)| {
                subfamilies.extend(subfamily);
                subfamilies
            });
    }
    subfamilies
}

fn read_sweep(
    problems: &mut Problems<'_>,
    field: &Field<'_>,
    variables: Vec<Field<'_>>,
    shape: Shape,
) -> Option<Sweep> {
    let mut bindings = Some(Vec::new());
    for variable in &variables {
        let name = variable.name.chars().next();
        let values = read_values(problems, variable);
        bindings = bindings.zip(values).map(|(mut bindings, values)| {
            bindings.extend(name.map(|name| (name, values)));
            bindings
        });
    }
    let written = field.string(problems, "a string, such as \"1^n\"")?;
    let pattern = match Pattern::read(written, shape.kind()) {
        Ok(pattern) => pattern,
        Err(error) => {
            let span = match error.at() {
                Some(at) => problems.character(&field.span, at),
                None => field.span.clone(),
            };
            problems.add(&field.key, span, error);
            return None;
        }
    };
    if !bind(problems, field, &pattern, &variables) {
        return None;
    }
    let sweep = problems.ok(field, Sweep::new(pattern, bindings?))?;
    problems.ok(field, sweep.check(shape))?;
    Some(sweep)
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
        let fault = SweepError::Unbound { variable };
        problems.add_with_help(&field.key, field.span.clone(), fault, Some(help));
    }
    for (variable, unused) in &unused {
        let help = match unbound.as_slice() {
            [name] => Some(format!("did you mean `{name}`?")),
            _ => Some("remove it, or use the variable in the pattern".to_owned()),
        };
        let fault = SweepError::Unused {
            variable: *variable,
            pattern: pattern.to_string(),
        };
        problems.add_with_help(&unused.key, unused.key_span.clone(), fault, help);
    }
    unbound.is_empty() && unused.is_empty()
}

/// Reads `"1..=14"`, `7` or `[1, 2, 5]`.
pub(in crate::task) fn read_values(
    problems: &mut Problems<'_>,
    field: &Field<'_>,
) -> Option<Values> {
    const ACCEPTED: &str = "a range such as \"1..=14\", an integer, or a list [1, 2, 5]";
    if field.value.is_integer() {
        let value = field.integer(problems, i64::MIN, i64::MAX)?;
        return problems.ok(field, Values::range(value, value));
    }
    if field.value.is_array() {
        let elements = field.array(problems, "a list of integers, such as [1, 2, 5]")?;
        let values: Option<Vec<i64>> = elements
            .iter()
            .map(|element| element.integer(problems, i64::MIN, i64::MAX))
            .collect();
        return problems.ok(field, Values::list(values?));
    }
    let written = field.string(problems, ACCEPTED)?;
    let values: Result<Values, ValuesError> = written.parse();
    problems.ok(field, values)
}

fn read_all(problems: &mut Problems<'_>, field: &Field<'_>, shape: Shape) -> Option<Subfamily> {
    let fields = field.table(problems, example_of_all(shape))?;
    Some(match read_bounded(problems, field, fields, shape, true)? {
        Population::All(all) => Subfamily::All(all),
        Population::Filled(filled) => Subfamily::Filled(filled),
    })
}

/// Returns an example of bounds on all positions of a shape, as a table.
fn example_of_all(shape: Shape) -> &'static str {
    match shape.kind() {
        BoardKind::Row => "a table, such as { pots_max = 8, seeds_max = 10 }",
        BoardKind::Coloured => "a table, such as { pots_max = 4, blue_max = 2, red_max = 2 }",
        BoardKind::Grid => "a table, such as { rows = 3, columns = \"1..=4\", pot_seeds_max = 1 }",
    }
}

/// Reads the bounds on all positions of a shape, and no other keys.
fn read_bounded(
    problems: &mut Problems<'_>,
    field: &Field<'_>,
    mut fields: Fields<'_>,
    shape: Shape,
    has_order: bool,
) -> Option<Population> {
    match shape {
        Shape::Rows(shape) => {
            let bounds = read_bounds(problems, &mut fields);
            let order = match has_order.then(|| fields.take("order")).flatten() {
                Some(field) => read_order(problems, &field),
                None => Some(Order::default()),
            };
            fields.finish(problems);
            let (bounds, places) = bounds?;
            let all = AllPositions::new(shape, bounds, order?);
            place_bounds_error(problems, field, &places, all).map(Population::All)
        }
        Shape::ColouredRows => {
            let mut range = |least: &'static str, most: &'static str, example: &'static str| {
                let most = fields.require(problems, most, example);
                let most = most.and_then(|field| read_count(problems, &field));
                let least = match fields.take(least) {
                    Some(field) => read_count(problems, &field),
                    None => Some(0),
                };
                Some([least?, most?])
            };
            let pots = range("pots_min", "pots_max", "pots_max = 4");
            let blue = range("blue_min", "blue_max", "blue_max = 2");
            let red = range("red_min", "red_max", "red_max = 2");
            let pot_seeds_max = take_count(problems, &mut fields, "pot_seeds_max");
            fields.finish(problems);
            let filled = Filled::coloured_rows(ColouredBounds {
                pots: pots?,
                blue: blue?,
                red: red?,
                pot_seeds_max: pot_seeds_max?,
            });
            problems.ok(field, filled).map(Population::Filled)
        }
        Shape::Grids => {
            let [rows, columns] = read_sides(problems, &mut fields);
            let most = fields.require(problems, "pot_seeds_max", "pot_seeds_max = 1");
            let most = most.and_then(|field| read_count(problems, &field));
            let least = take_count(problems, &mut fields, "pot_seeds_min");
            let seeds_min = take_count(problems, &mut fields, "seeds_min");
            let seeds_max = take_count(problems, &mut fields, "seeds_max");
            fields.finish(problems);
            let filled = Filled::grids(GridBounds {
                rows: rows?,
                columns: columns?,
                pot_seeds: [least?.unwrap_or(0), most?],
                seeds_min: seeds_min?.unwrap_or(0),
                seeds_max: seeds_max?,
            });
            problems.ok(field, filled).map(Population::Filled)
        }
    }
}

/// Reads `grid = { rows = "1..=6", columns = "1..=6", seeds = 1 }`.
fn read_rectangles(problems: &mut Problems<'_>, field: &Field<'_>) -> Option<Rectangles> {
    let accepted = "a table, such as { rows = \"1..=6\", columns = \"1..=6\", seeds = 1 }";
    let mut fields = field.table(problems, accepted)?;
    let [rows, columns] = read_sides(problems, &mut fields);
    let seeds = fields.require(problems, "seeds", "seeds = 1");
    let seeds = seeds.and_then(|field| read_values(problems, &field));
    fields.finish(problems);
    problems.ok(field, Rectangles::new(rows?, columns?, seeds?))
}

fn read_sides(problems: &mut Problems<'_>, fields: &mut Fields<'_>) -> [Option<Values>; 2] {
    [
        ("rows", "rows = \"1..=4\""),
        ("columns", "columns = \"1..=4\""),
    ]
    .map(|(name, example)| {
        let field = fields.require(problems, name, example)?;
        read_values(problems, &field)
    })
}

fn read_count(problems: &mut Problems<'_>, field: &Field<'_>) -> Option<u32> {
    let count = field.integer(problems, 0, i64::from(POT_SEEDS_MAX))?;
    u32::try_from(count).ok()
}

/// Reads an optional number; returns `None` if it is invalid.
fn take_count(
    problems: &mut Problems<'_>,
    fields: &mut Fields<'_>,
    name: &'static str,
) -> Option<Option<u32>> {
    match fields.take(name) {
        Some(field) => read_count(problems, &field).map(Some),
        None => Some(None),
    }
}

fn read_sample(problems: &mut Problems<'_>, field: &Field<'_>, shape: Shape) -> Option<Sample> {
    let accepted = match shape.kind() {
        BoardKind::Row => "a table, such as { count = 1000, seed = 42, pots_max = 9 }",
        BoardKind::Coloured => {
            "a table, such as { count = 1000, seed = 42, pots_max = 4, blue_max = 2, red_max = 2 }"
        }
        BoardKind::Grid => {
            "a table, such as { count = 1000, seed = 42, rows = 3, columns = 3, pot_seeds_max = 2 }"
        }
    };
    let mut fields = field.table(problems, accepted)?;
    let count = fields
        .require(problems, "count", "count = 1000")
        .and_then(|field| field.integer(problems, 1, POSITIONS_MAX as i64));
    let seed = fields
        .require(problems, "seed", "seed = 42")
        .and_then(|field| field.integer(problems, 0, i64::MAX));
    let population = read_bounded(problems, field, fields, shape, false)?;
    Some(Sample::new(
        u64::try_from(count?).ok()?,
        u64::try_from(seed?).ok()?,
        Arc::new(population),
    ))
}

fn read_order(problems: &mut Problems<'_>, field: &Field<'_>) -> Option<Order> {
    let written = field.string(problems, "\"pots\" or \"seeds\"")?;
    let order = Order::ALL.into_iter().find(|order| order.name() == written);
    if order.is_none() {
        let fault = UnknownName {
            what: "order",
            found: written.to_owned(),
            accepted: Order::ALL.map(Order::name).join(", "),
        };
        let help = nearest(written, Order::ALL.map(Order::name));
        let help = help.map(|name| format!("did you mean `{name}`?"));
        problems.add_with_help(&field.key, field.span.clone(), fault, help);
    }
    order
}

/// Reads the bounds and their places in the text; returns `None` if one of them is invalid.
fn read_bounds<'a>(
    problems: &mut Problems<'_>,
    fields: &mut Fields<'a>,
) -> Option<(Bounds, Vec<(Bound, Field<'a>)>)> {
    let mut bounds = Bounds::default();
    let mut places = Vec::new();
    let mut right = true;
    for (bound, slot) in [
        (Bound::PotsMin, &mut bounds.pots_min),
        (Bound::PotsMax, &mut bounds.pots_max),
        (Bound::SeedsMin, &mut bounds.seeds_min),
        (Bound::SeedsMax, &mut bounds.seeds_max),
        (Bound::PotSeedsMax, &mut bounds.pot_seeds_max),
    ] {
        let Some(field) = fields.take(bound.name()) else {
            continue;
        };
        let value = field.integer(problems, 0, i64::from(u32::MAX));
        *slot = value.and_then(|value| u32::try_from(value).ok());
        right &= slot.is_some();
        places.push((bound, field));
    }
    right.then_some((bounds, places))
}

/// Reports an error in bounds at the bound at fault.
fn place_bounds_error(
    problems: &mut Problems<'_>,
    whole: &Field<'_>,
    places: &[(Bound, Field<'_>)],
    result: Result<AllPositions, BoundsError>,
) -> Option<AllPositions> {
    let error = match result {
        Ok(all) => return Some(all),
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
    let place = places.iter().find(|(bound, _)| Some(*bound) == about);
    let place = place.map_or(whole, |(_, field)| field);
    problems.add_with_help(&place.key, place.span.clone(), error, help);
    None
}

fn read_list(
    problems: &mut Problems<'_>,
    field: &Field<'_>,
    shape: Shape,
) -> Option<Vec<AnyBoard>> {
    let mut rows = Some(Vec::new());
    for element in field.array(problems, "an array of positions in quotes")? {
        let row = read_board(problems, &element, shape);
        rows = rows.zip(row).map(|(mut rows, row)| {
            rows.push(row);
            rows
        });
    }
    rows
}

fn read_board(problems: &mut Problems<'_>, field: &Field<'_>, shape: Shape) -> Option<AnyBoard> {
    let written = field.string(problems, "a position in quotes")?;
    let board = match shape.kind().read(written) {
        Ok(board) => board,
        Err(error) => {
            let span = match error.at() {
                Some(at) => problems.character(&field.span, at),
                None => field.span.clone(),
            };
            problems.add(&field.key, span, error);
            return None;
        }
    };
    problems.ok(field, shape.check(&board))?;
    Some(board)
}

fn read_file(
    problems: &mut Problems<'_>,
    field: &Field<'_>,
    shape: Shape,
    base_dir: &Path,
) -> Option<Vec<AnyBoard>> {
    let (path, text) = field.file(problems, base_dir)?;
    problems.ok(field, read_positions(&path, &text, shape))
}
