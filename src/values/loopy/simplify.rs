//! Simplification: dominated options are left out, reversible ones bypassed, equal nodes fused.
//!
//! All three keep the value of every node of a stopper, and the graph that they end with is the same for equal stoppers (Conway;
//! Siegel, *Combinatorial Game Theory*, chapter VI). For onsides of other games they are a way to find a stopper, which the caller
//! compares with the game.

use hashbrown::HashSet;

use super::calculator::{LoopyCalculator, LoopyError};
use super::graph::{BOTH, LEFT, LoopyGraph, Target};
use super::order::{Infinite, Order};

/// Returns a graph with the same nodes and simpler options. Those of a stopper cannot be simplified further.
pub(super) fn simplified(
    c: &mut LoopyCalculator<'_>,
    order: &mut Order<'_>,
) -> Result<LoopyGraph, LoopyError> {
    let mut graph = order.graph.clone();
    // Each bypass replaces three moves by one, so a stopper has at most as many rounds as alternating moves.
    for _ in 0..=2 * graph.len() {
        let mut has_changed = false;
        for node in 0..graph.len() as u32 {
            let mut options = graph.options(node).clone();
            for player in BOTH {
                let found = bypassed(c, order, &graph, node, player)?;
                options[player] = undominated(c, order, found, player)?;
                options[player].sort_unstable();
            }
            if options != *graph.options(node) {
                graph.set(node, options);
                has_changed = true;
            }
        }
        if !has_changed {
            break;
        }
    }
    Ok(graph)
}

/// Returns the options of a player at a node with the reversible ones bypassed.
fn bypassed(
    c: &mut LoopyCalculator<'_>,
    order: &mut Order<'_>,
    graph: &LoopyGraph,
    node: u32,
    player: usize,
) -> Result<Vec<Target>, LoopyError> {
    // A circle of bypasses is an infinite play of which Left wins that of an onside, so Left keeps an option of it, and Right's
    // options vanish.
    let is_kept_in_circle = player == LEFT && order.infinite == Infinite::InFirst;
    let mut kept = Vec::new();
    let mut seen: HashSet<Target, foldhash::fast::RandomState> = HashSet::default();
    // The options being bypassed, each with its replacements that were not visited yet.
    let mut path: Vec<(Target, Vec<Target>)> = Vec::new();
    let mut next = c.options(graph, Target::Node(node), player);
    loop {
        let Some(option) = next.pop() else {
            match path.pop() {
                Some((_, rest)) => next = rest,
                None => break,
            }
            continue;
        };
        if !seen.insert(option) {
            let is_circle = path.iter().any(|(bypassed, _)| *bypassed == option);
            if is_circle && is_kept_in_circle {
                kept.push(option);
            }
            continue;
        }
        match reversal(c, order, graph, node, option, player)? {
            Some(reply) => {
                let replacements = c.options(graph, reply, player);
                path.push((option, std::mem::replace(&mut next, replacements)));
            }
            None => kept.push(option),
        }
    }
    c.sort(&mut kept);
    kept.dedup();
    Ok(kept)
}

/// Returns a reply to an option of a node after which the player is not better off than at the node, if there is one.
fn reversal(
    c: &mut LoopyCalculator<'_>,
    order: &mut Order<'_>,
    graph: &LoopyGraph,
    node: u32,
    option: Target,
    player: usize,
) -> Result<Option<Target>, LoopyError> {
    for reply in c.options(graph, option, 1 - player) {
        let node = Target::Node(node);
        let reverses = match player {
            LEFT => order.ge(c, node, reply)?,
            _ => order.ge(c, reply, node)?,
        };
        if reverses {
            return Ok(Some(reply));
        }
    }
    Ok(None)
}

/// Returns the options that no other is at least as good as for the player.
fn undominated(
    c: &mut LoopyCalculator<'_>,
    order: &mut Order<'_>,
    options: Vec<Target>,
    player: usize,
) -> Result<Vec<Target>, LoopyError> {
    let mut kept: Vec<Target> = Vec::new();
    for option in options {
        let mut better = |c: &mut LoopyCalculator<'_>, a, b| match player {
            LEFT => order.ge(c, a, b),
            _ => order.ge(c, b, a),
        };
        let mut is_dominated = false;
        for &other in &kept {
            is_dominated |= better(c, other, option)?;
        }
        if is_dominated {
            continue;
        }
        let mut rest = Vec::with_capacity(kept.len() + 1);
        for other in kept {
            if !better(c, option, other)? {
                rest.push(other);
            }
        }
        rest.push(option);
        kept = rest;
    }
    Ok(kept)
}
