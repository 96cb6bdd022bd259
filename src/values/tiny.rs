//! The shape `{x||x|r}` of tinies, plus a number or alone.

use super::{Arena, Dyadic, Thermographs, ValueId};

/// Returns x and r where the form is `{x||x|r}` and x exceeds the mean of r.
pub(super) fn tiny_parts(arena: &Arena, id: ValueId) -> Option<(Dyadic, ValueId)> {
    let (number, rest) = tiny_shape(arena, id)?;
    let exceeds = exceeds_by_stops(arena, number, rest);
    exceeds
        .unwrap_or_else(|| exceeds_mean(arena, number, rest))
        .then_some((number, rest))
}

/// Returns x and r where the form is `{x||x|r}`.
pub(super) fn tiny_shape(arena: &Arena, id: ValueId) -> Option<(Dyadic, ValueId)> {
    let form = arena.form(id);
    let (left, right) = (sole(form.left())?, sole(form.right())?);
    let number = arena.number(left)?;
    let below = arena.form(right);
    if sole(below.left())? != left {
        return None;
    }
    Some((number, sole(below.right())?))
}

/// Returns whether x exceeds the mean of r in a form `{x||x|r}`, if the stops of r decide it.
pub(super) fn exceeds_by_stops(arena: &Arena, number: Dyadic, rest: ValueId) -> Option<bool> {
    // No stop exceeds x, or the option would be reversible. So the mean is needed in one case only.
    if arena.left_stop(rest) < number {
        Some(true)
    } else if arena.right_stop(rest) < number {
        None
    } else {
        Some(false)
    }
}

/// Returns whether a number exceeds the mean of a form.
pub(super) fn exceeds_mean(arena: &Arena, number: Dyadic, rest: ValueId) -> bool {
    let mean = Thermographs::new(arena).mean(rest);
    mean.is_some_and(|mean| mean < number)
}

/// Returns the item of an iterator that has exactly one.
pub(super) fn sole<T>(mut items: impl Iterator<Item = T>) -> Option<T> {
    let item = items.next()?;
    items.next().is_none().then_some(item)
}
