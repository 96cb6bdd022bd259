//! Which positions a job is about: the section `[family]`.

use std::path::Path;
use std::sync::Arc;

use crate::board::RowShape;
use crate::board::row::{Row, RowError};
use crate::family::{
    AllPositions, Bound, Bounds, BoundsError, Family, Order, Part, Pattern, Sample, Sweep,
    SweepError, Values, ValuesError, read_positions,
};
use crate::game::UnknownName;
use crate::job::{Fault, Field, Fields, POSITIONS_MAX, Problems, nearest};

const KINDS: [&str; 6] = ["pattern", "all", "positions", "file", "sample", "union"];

/// Reads `[family]`.
pub(super) fn read(
    problems: &mut Problems<'_>,
    fields: Fields<'_>,
    shape: RowShape,
    base_dir: &Path,
) -> Option<Family> {
    let (key, span) = (fields.key.clone(), fields.span.clone());
    let parts = read_parts(problems, fields, shape, base_dir, &KINDS)?;
    match Family::new(parts) {
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
fn read_parts(
    problems: &mut Problems<'_>,
    mut fields: Fields<'_>,
    shape: RowShape,
    base_dir: &Path,
    kinds: &[&'static str],
) -> Option<Vec<Part>> {
    let mut given: Vec<Field<'_>> = kinds.iter().filter_map(|kind| fields.take(kind)).collect();
    given.sort_by_key(|field| field.key_span.start);
    let mut given = given.into_iter();
    let Some(kind) = given.next() else {
        let fault = Fault::NoKind {
            accepted: kinds.join(", "),
        };
        problems.add(&fields.key, fields.span.clone(), fault);
        // A kind may be there, misspelt.
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
    let part = match kind.name.as_str() {
        "pattern" => read_sweep(problems, &kind, fields.take_variables(), shape).map(Part::Pattern),
        "all" => read_all(problems, &kind, shape).map(Part::All),
        "positions" => read_list(problems, &kind, shape).map(Part::List),
        "file" => read_file(problems, &kind, shape, base_dir).map(Part::List),
        "sample" => read_sample(problems, &kind, shape).map(Part::Sample),
        _ => {
            let parts = read_union(problems, &kind, shape, base_dir);
            fields.finish(problems);
            return parts;
        }
    };
    fields.finish(problems);
    Some(vec![part?])
}

fn read_union(
    problems: &mut Problems<'_>,
    field: &Field<'_>,
    shape: RowShape,
    base_dir: &Path,
) -> Option<Vec<Part>> {
    let accepted = "an array of families, such as [{ pattern = \"1^n\", n = \"1..=9\" }]";
    let mut parts = Some(Vec::new());
    for element in field.array(problems, accepted)? {
        // Every element is read, so that the problems of all of them are told.
        let kinds = &KINDS[..KINDS.len() - 1];
        let part = element
            .table(
                problems,
                "a family, such as { pattern = \"1^n\", n = \"1..=9\" }",
            )
            .and_then(|fields| read_parts(problems, fields, shape, base_dir, kinds));
        parts = parts.zip(part).map(|(mut parts, part)| {
            parts.extend(part);
            parts
        });
    }
    parts
}

fn read_sweep(
    problems: &mut Problems<'_>,
    field: &Field<'_>,
    variables: Vec<Field<'_>>,
    shape: RowShape,
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
    let pattern: Pattern = match written.parse() {
        Ok(pattern) => pattern,
        Err(error) => {
            let error: crate::family::PatternError = error;
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

fn read_all(
    problems: &mut Problems<'_>,
    field: &Field<'_>,
    shape: RowShape,
) -> Option<AllPositions> {
    let accepted = "a table, such as { pots_max = 8, seeds_max = 10 }";
    let mut fields = field.table(problems, accepted)?;
    let bounds = read_bounds(problems, &mut fields);
    let order = match fields.take("order") {
        Some(field) => read_order(problems, &field),
        None => Some(Order::default()),
    };
    fields.finish(problems);
    let (bounds, places) = bounds?;
    let all = AllPositions::new(shape, bounds, order?);
    place_bounds_error(problems, field, &places, all)
}

fn read_sample(problems: &mut Problems<'_>, field: &Field<'_>, shape: RowShape) -> Option<Sample> {
    let accepted = "a table, such as { count = 1000, seed = 42, pots_max = 9 }";
    let mut fields = field.table(problems, accepted)?;
    let count = fields
        .require(problems, "count", "count = 1000")
        .and_then(|field| field.integer(problems, 1, POSITIONS_MAX as i64));
    let seed = fields
        .require(problems, "seed", "seed = 42")
        .and_then(|field| field.integer(problems, 0, i64::MAX));
    let bounds = read_bounds(problems, &mut fields);
    fields.finish(problems);
    let (bounds, places) = bounds?;
    let all = AllPositions::new(shape, bounds, Order::Pots);
    let all = place_bounds_error(problems, field, &places, all)?;
    Some(Sample::new(
        u64::try_from(count?).ok()?,
        u64::try_from(seed?).ok()?,
        Arc::new(all),
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

/// Reads the bounds and remembers where they stand; `None` if one of them is wrong.
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

/// Reports an error in bounds at the bound it is about.
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

fn read_list(problems: &mut Problems<'_>, field: &Field<'_>, shape: RowShape) -> Option<Vec<Row>> {
    let mut rows = Some(Vec::new());
    for element in field.array(
        problems,
        "an array of positions, such as [\"312\", \"e11e\"]",
    )? {
        let row = read_row(problems, &element, shape);
        rows = rows.zip(row).map(|(mut rows, row)| {
            rows.push(row);
            rows
        });
    }
    rows
}

fn read_row(problems: &mut Problems<'_>, field: &Field<'_>, shape: RowShape) -> Option<Row> {
    let written = field.string(problems, "a position in quotes, such as \"312\"")?;
    let row: Row = match written.parse() {
        Ok(row) => row,
        Err(error) => {
            let span = match error {
                RowError::Empty => field.span.clone(),
                RowError::Unexpected { at, .. }
                | RowError::Bracket { at }
                | RowError::Dots { at } => problems.character(&field.span, at),
            };
            problems.add(&field.key, span, error);
            return None;
        }
    };
    problems.ok(field, shape.check(&row))?;
    Some(row)
}

fn read_file(
    problems: &mut Problems<'_>,
    field: &Field<'_>,
    shape: RowShape,
    base_dir: &Path,
) -> Option<Vec<Row>> {
    let written = field.string(problems, "a string, a path from the spec's folder")?;
    problems.ok(field, read_positions(&base_dir.join(written), shape))
}
