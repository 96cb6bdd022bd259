//! The claims that answer a move: about the family of the row after it, or after an answer to it.

use cggames::game::Player;
use cggames::game::reading::Pot;
use cgvalues::{Comparison, ValueId};

use super::{Search, SearchResult, ValuedRows, as_seen, counts_of, names};
use crate::proof::check::COUNTS_MAX;
use crate::proof::claim::{directions, moves};
use crate::proof::{Gap, Rows, Step, Value};
use crate::prover::fit::{fit, form, text};
use crate::prover::general::{General, raised, read};
use crate::prover::known::Entry;

/// The most divisions of a family into parts that have one value each in terms of their counts.
const DIVISIONS_MAX: usize = 3;

/// A family that may answer a move.
struct Candidate {
    general: General,
    /// Whether the bound must be less than or confused with the target: this is the row after the
    /// move itself.
    is_strict: bool,
}

impl Search<'_> {
    /// Adds claims that answer a move; returns whether any of them is new.
    pub(super) fn fill(&mut self, claim: usize, first: Player, gap: &Gap) -> SearchResult<bool> {
        let Some(bound) = self.claims[claim].bound(first) else {
            return Ok(false);
        };
        let gap = &negative(&self.claims[claim].rows, &bound, gap);
        let target = gap.option.clone().unwrap_or(bound);
        let counts = counts_of(&self.claims[claim].rows, &gap.steps);
        let Some(target_form) = form(&target, &counts, &mut self.calculator) else {
            return Ok(false);
        };
        let candidates = self.candidates(claim, first, gap, target_form)?;
        // If no family suffices, single rows may.
        for as_rows in [false, true] {
            let mut best: Option<(usize, Vec<ValuedRows>)> = None;
            let mut ranked: Vec<(usize, Candidate)> = Vec::new();
            for candidate in &candidates {
                let general = if as_rows {
                    candidate.general.least()
                } else {
                    candidate.general.clone()
                };
                let is_strict = candidate.is_strict;
                let cost = self.cost(&general.rows, first);
                ranked.push((cost, Candidate { general, is_strict }));
            }
            ranked.sort_by_key(|(cost, _)| *cost);
            for (least, candidate) in &ranked {
                if best.as_ref().is_some_and(|(cost, _)| cost <= least) {
                    break;
                }
                for parts in self.claims_for(candidate, first, &target)? {
                    let key = |(rows, text): &ValuedRows| (rows.clone(), text.clone(), first);
                    if (parts.iter()).any(|part| self.retracted.contains(&key(part))) {
                        continue;
                    }
                    let is_new = |part: &ValuedRows| !self.tried.contains(&key(part));
                    let cost = parts.iter().map(|(rows, _)| self.cost(rows, first)).sum();
                    if parts.iter().any(is_new) && best.as_ref().is_none_or(|best| cost < best.0) {
                        best = Some((cost, parts));
                    }
                }
            }
            if let Some((_, parts)) = best {
                parts.into_iter().for_each(|part| self.add(part, first));
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Returns the families of the rows that answer the move: the row after it, and the rows after
    /// answers to it.
    fn candidates(
        &mut self,
        claim: usize,
        first: Player,
        gap: &Gap,
        target: ValueId,
    ) -> SearchResult<Vec<Candidate>> {
        let rows = self.claims[claim].rows.clone();
        let after: Vec<Pot> = gap.steps.iter().map(|step| step.after).collect();
        let mut candidates = Vec::new();
        let (from, steps) = match gap.option {
            Some(_) => (General::all(&rows), Some(gap.steps.clone())),
            None => {
                let reached = General::after(&rows, &gap.steps);
                if self.suits(&after, rows.ends, first, target, true)? {
                    candidates.push(Candidate {
                        general: reached.clone(),
                        is_strict: true,
                    });
                }
                let steps = read(&reached.rows, &after);
                (reached, steps)
            }
        };
        let base = match gap.option {
            Some(_) => &rows,
            None => &from.rows,
        };
        let directions = directions(self.play, first.opponent());
        for answer in moves(
            self.reading,
            &steps.unwrap_or_default(),
            rows.ends,
            directions,
        ) {
            let row: Vec<Pot> = answer.iter().map(|step| step.after).collect();
            if self.suits(&row, rows.ends, first, target, false)? {
                let general = General::after(base, &answer);
                let others = general.rows.least().len();
                let counts = match gap.option {
                    Some(_) => general.counts,
                    None => {
                        let counts = from.counts.iter();
                        counts
                            .map(|count| count.with(&general.counts, others))
                            .collect()
                    }
                };
                candidates.push(Candidate {
                    general: General {
                        rows: general.rows,
                        counts,
                    },
                    is_strict: false,
                });
            }
        }
        candidates.retain(|candidate| candidate.general.rows.least().len() <= COUNTS_MAX);
        Ok(candidates)
    }

    /// Returns whether the row's value, from the player's view, is at most the target, or less than
    /// or confused with it.
    fn suits(
        &mut self,
        row: &[Pot],
        ends: [Pot; 2],
        first: Player,
        target: ValueId,
        is_strict: bool,
    ) -> SearchResult<bool> {
        let Some(value) = self.known.value(row, ends)? else {
            return Ok(false);
        };
        let order = self.calculator.compare(as_seen(value, first), target);
        Ok(if is_strict {
            matches!(order, Comparison::Less | Comparison::Confused)
        } else {
            matches!(order, Comparison::Less | Comparison::Equal)
        })
    }

    /// Returns claims about a family that answer a move, in several ways: with the exact values,
    /// for a wider family if there is one, or with the target as a bound.
    fn claims_for(
        &mut self,
        candidate: &Candidate,
        first: Player,
        target: &Value,
    ) -> SearchResult<Vec<Vec<ValuedRows>>> {
        let general = &candidate.general;
        let mut found = Vec::new();
        for wider in general.wider() {
            if wider.rows.least().len() <= COUNTS_MAX
                && let Some(parts) = self.fitted(&wider.rows, 0)?
            {
                found.push(parts);
                break;
            }
        }
        found.extend(self.fitted(&general.rows, DIVISIONS_MAX)?);
        if !candidate.is_strict {
            let rows = &general.rows;
            let counts = rows.least().len();
            let bound = target.with(&general.counts, counts);
            let entries = self.known.entries(rows)?;
            let holds = entries.iter().all(|(counts, value)| {
                let bound = form(&bound, counts, &mut self.calculator);
                bound.is_some_and(|bound| self.calculator.le(as_seen(*value, first), bound))
            });
            let bound = match first {
                Player::Left => bound,
                Player::Right => bound.negative(),
            };
            let text = text(&bound, names(counts), &mut self.calculator);
            found.extend(
                text.filter(|_| holds)
                    .map(|text| vec![(rows.clone(), text)]),
            );
        }
        Ok(found)
    }

    /// Returns the values of a family, in few parts.
    fn fitted(&mut self, rows: &Rows, divisions: usize) -> SearchResult<Option<Vec<ValuedRows>>> {
        let entries = self.known.entries(rows)?;
        let least = rows.least();
        let names = names(least.len());
        if let Some(text) = fit(&entries, names, self.arena) {
            return Ok(Some(vec![(rows.clone(), text)]));
        }
        let mut best: Option<Vec<ValuedRows>> = None;
        // The rows with the least count are split off; first for counts whose rest is a single
        // part.
        for others_divided in [false, true] {
            if divisions == 0 || best.is_some() || others_divided && least.len() < 2 {
                break;
            }
            for (count, &least) in least.iter().enumerate() {
                let others = if others_divided {
                    self.fitted(&raised(rows, count), divisions - 1)?
                } else {
                    let others = entries.iter().filter(|entry| entry.0[count] > least);
                    let others: Vec<Entry> = others.cloned().collect();
                    let text = fit(&others, names, self.arena);
                    text.map(|text| vec![(raised(rows, count), text)])
                };
                let Some(mut parts) = others else { continue };
                let apart = General::all(rows).fixed(count, least);
                let Some(more) = self.fitted(&apart.rows, divisions - 1)? else {
                    continue;
                };
                parts.extend(more);
                if best.as_ref().is_none_or(|best| parts.len() < best.len()) {
                    best = Some(parts);
                }
            }
        }
        Ok(best)
    }

    /// Returns the cost of checking one side of a claim: a constant, plus the moves of one of its
    /// rows.
    fn cost(&self, rows: &Rows, first: Player) -> usize {
        let counts: Vec<i64> = rows.least().iter().map(|least| least + 1).collect();
        let steps: Vec<Step> = rows.row(&counts).into_iter().map(Step::of).collect();
        4 + moves(
            self.reading,
            &steps,
            rows.ends,
            directions(self.play, first),
        )
        .len()
    }
}

/// Moves the gap to a row whose bound is a negative integer, if the move is possible only there.
fn negative(rows: &Rows, bound: &Value, gap: &Gap) -> Gap {
    let mut gap = gap.clone();
    let (Some(_), Value::Integer(integer)) = (&gap.option, bound) else {
        return gap;
    };
    let mut counts = counts_of(rows, &gap.steps);
    let smaller = (0..counts.len()).find(|&count| integer.factors[count] < 0);
    while let Some(count) = smaller.filter(|_| integer.at(&counts) >= 0) {
        counts[count] += 1;
    }
    if let Some(steps) = read(rows, &rows.row(&counts)) {
        gap.steps = steps;
    }
    gap
}
