//! Laws of values along variables as claims.

use std::collections::BTreeMap;

use cggames::family::Pattern;
use cggames::game::reading::Pot;
use cglaws::ValueLaw;
use cgvalues::Arena;

use super::fit::fit;
use super::known::{Entry, small};
use crate::proof::check::COUNTS_MAX;
use crate::proof::rows::pots_of;
use crate::proof::{Block, Relation, Rows, Written};

/// Returns the claim of a law about a pattern's rows; `variables` are the law's. Returns `None` if
/// the rows are not blocks, or the law's numbers are not sums of multiples of the variables. If the
/// law holds for one residue class, the claim's exponent counts the steps in it.
pub fn claim_of(pattern: &Pattern, variables: &[String], law: &ValueLaw) -> Option<Written> {
    let region = &law.region;
    let first = region.first();
    let place = |variable: usize| {
        let name = pattern.variables()[variable].to_string();
        variables.iter().position(|other| *other == name)
    };
    let mut blocks: Vec<Block> = Vec::new();
    let mut names: Vec<char> = Vec::new();
    // For each count: the variable, its step, and its value at count 0.
    let mut counted: Vec<(usize, i64, i64)> = Vec::new();
    for block in pattern.blocks().ok()? {
        let word = pots_of(&block.pots);
        let times =
            |times: i64| -> Option<Vec<Pot>> { Some(word.repeat(usize::try_from(times).ok()?)) };
        let Some((variable, offset)) = block.exponent else {
            blocks.push(Block::Pots(word));
            continue;
        };
        let at = place(variable)?;
        let (start, modulus) = (first[at] + offset, region.moduli[at]);
        if region.is_fixed[at] {
            blocks.push(Block::Pots(times(start)?));
            continue;
        }
        names.push(pattern.variables()[variable]);
        if modulus == 1 {
            counted.push((at, 1, -offset));
            blocks.push(Block::Repeated(word, u32::try_from(start).ok()?));
        } else {
            counted.push((at, modulus, first[at]));
            blocks.push(Block::Pots(times(start)?));
            blocks.push(Block::Repeated(times(modulus)?, 0));
        }
    }
    if names.len() > COUNTS_MAX {
        return None;
    }
    let ends = Rows::ends_of(pattern);
    let rows = Rows::new(blocks, ends);
    let arena = Arena::new();
    let mut calculator = arena.calculator();
    let mut entries: Vec<Entry> = Vec::new();
    for counts in small(&rows, 3) {
        let mut at = first.clone();
        for (count, &(place, step, start)) in counts.iter().zip(&counted) {
            at[place] = start + step * count;
        }
        entries.push((counts, law.value(&at, &mut calculator)?));
    }
    let value = fit(&entries, &names, &arena)?;
    let least = names
        .iter()
        .copied()
        .zip(rows.least())
        .filter(|(_, least)| *least > 0);
    Some(Written {
        rows: rows.text(&names),
        least: least.collect::<BTreeMap<char, i64>>(),
        relation: Relation::Is,
        value,
    })
}
