//! From graphs in canonical form to ids, by digests.

use foldhash::fast::RandomState;
use hashbrown::HashMap;

use super::calculator::{LoopyCalculator, LoopyError};
use super::forms::Form;
use super::graph::{BOTH, LEFT, LoopyGraph, RIGHT, Target};
use super::stopper::{LoopyId, Sides, Stopper};
use crate::{ArenaError, ValueDigest, ValueId};

/// The start of what is hashed for a loopy form. No form has this number of options.
const LOOPY: [u8; 4] = [0xff; 4];

impl LoopyCalculator<'_> {
    /// Returns the digest of a stopper, which is the same in every calculator.
    ///
    /// That of a short value is its [digest](ValueDigest). A loopy form of a strongly connected component of k forms has the
    /// hash that 2 k rounds of refinement give it: each round hashes the last round's hashes of its options within the
    /// component, and the digests of those outside. After so many rounds two forms have equal hashes only if one graph stands
    /// for both, by the pigeonhole principle, or by a collision of 128 bits.
    pub fn digest(&mut self, stopper: Stopper) -> ValueDigest {
        match stopper {
            Stopper::Short(id) => self.digester.digest(id),
            Stopper::Loopy(id) => self.forms.digest(id),
        }
    }

    /// Returns the digest of a game with two sides: that of its stopper if it equals one, and otherwise the start of the BLAKE3
    /// hash of `&` and the digests of onside and offside.
    pub fn digest_of(&mut self, sides: Sides) -> ValueDigest {
        if let Some(stopper) = sides.stopper() {
            return self.digest(stopper);
        }
        let [onside, offside] = [sides.onside, sides.offside].map(|side| self.digest(side).0);
        ValueDigest::of_bytes(&[b"&", &onside[..], &offside[..]].concat())
    }

    /// Returns a stopper, its loopy followers, and the short options of these, each once.
    pub fn followers(&self, stopper: Stopper) -> Vec<Stopper> {
        let mut found = vec![stopper];
        let mut at = 0;
        while let Some(&next) = found.get(at) {
            if let Stopper::Loopy(id) = next {
                for &option in self.forms.options(id).iter().flatten() {
                    if !found.contains(&option) {
                        found.push(option);
                    }
                }
            }
            at += 1;
        }
        found
    }

    /// Returns a game of another calculator over the same arena, whose stoppers this one stores.
    ///
    /// # Errors
    ///
    /// When a short follower cannot be stored.
    ///
    /// ```
    /// use cgvalues::{Arena, LoopyCalculator};
    ///
    /// let arena = Arena::new();
    /// let (mut here, mut there) = (LoopyCalculator::new(&arena), LoopyCalculator::new(&arena));
    /// let game = there.parse("+-upon & a{0||||0|||a|*||*}")?;
    /// let adopted = here.adopt(&there, game)?;
    /// assert_eq!(here.text(adopted, 100), there.text(game, 100));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn adopt(&mut self, of: &LoopyCalculator<'_>, game: Sides) -> Result<Sides, LoopyError> {
        let mut sides = [game.onside, game.offside];
        for side in &mut sides {
            let Stopper::Loopy(root) = *side else {
                continue;
            };
            if let Some(&known) = self.forms.by_digest.get(&of.forms.digest(root)) {
                *side = Stopper::Loopy(known);
                continue;
            }
            let followers = of.followers(*side).into_iter();
            let followers: Vec<Stopper> = followers
                .filter(|follower| matches!(follower, Stopper::Loopy(_)))
                .collect();
            let places: HashMap<Stopper, u32, RandomState> =
                followers.iter().copied().zip(0..).collect();
            let mut graph = LoopyGraph::default();
            for _ in &followers {
                graph.node();
            }
            for (node, &follower) in (0..).zip(&followers) {
                let target = |option| match places.get(&option) {
                    Some(&place) => Target::Node(place),
                    None => Target::Form(option),
                };
                let options = of.options_of(follower);
                graph.set(
                    node,
                    options.map(|options| options.into_iter().map(target).collect()),
                );
            }
            *side = self.store(&graph)?[0];
        }
        let [onside, offside] = sides;
        Ok(Sides { onside, offside })
    }

    /// Returns the number of loopy forms stored.
    pub fn len(&self) -> usize {
        self.forms.len()
    }

    /// Returns whether no loopy form is stored.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Stores the nodes of a graph in canonical form and returns their forms.
    pub(super) fn store(&mut self, graph: &LoopyGraph) -> Result<Vec<Stopper>, ArenaError> {
        let mut stored: Vec<Option<Stopper>> = vec![None; graph.len()];
        for component in graph.components() {
            let part = graph.part(&component, &stored);
            let part = part.expect("a component comes after its options");
            let forms = self.store_component(&part)?;
            for (&node, form) in component.iter().zip(forms) {
                stored[node as usize] = Some(form);
            }
        }
        Ok(stored
            .into_iter()
            .map(|form| form.expect("every node is in a component"))
            .collect())
    }

    /// Stores a graph in canonical form whose nodes all are followers of one another, or which has one node.
    fn store_component(&mut self, part: &LoopyGraph) -> Result<Vec<Stopper>, ArenaError> {
        if let Some([mut left, mut right]) = short_options(part) {
            let value = self.calculator.canonical(&mut left, &mut right)?;
            return Ok(vec![Stopper::Short(value)]);
        }
        let (ids, are_new) = self.intern(part);
        if are_new {
            let (negatives, _) = self.intern(&self.negated(part));
            for (&id, negative) in ids.iter().zip(negatives) {
                self.forms.forms[id.0 as usize].negative = negative;
                self.forms.forms[negative.0 as usize].negative = id;
            }
        }
        Ok(ids.into_iter().map(Stopper::Loopy).collect())
    }

    /// Returns the ids of a component, and whether it was not stored before.
    fn intern(&mut self, part: &LoopyGraph) -> (Vec<LoopyId>, bool) {
        let digests = self.digests(part);
        let known: Option<Vec<LoopyId>> = digests
            .iter()
            .map(|digest| self.forms.by_digest.get(digest).copied())
            .collect();
        let first = self.forms.len() as u32;
        let ids = known
            .clone()
            .unwrap_or_else(|| (first..).take(part.len()).map(LoopyId).collect());
        for (node, &id) in (0..).zip(&ids) {
            let options = part.options(node).clone().map(|targets| {
                let form = |target| match target {
                    Target::Form(form) => form,
                    Target::Node(node) => Stopper::Loopy(ids[node as usize]),
                };
                let mut options: Vec<Stopper> = targets.into_iter().map(form).collect();
                options.sort_unstable();
                options
            });
            if known.is_some() {
                assert_eq!(
                    *self.forms.options(id),
                    options,
                    "equal digests name equal forms"
                );
                continue;
            }
            let digest = digests[node as usize];
            let is_below = |option: &Stopper| match *option {
                Stopper::Loopy(option) => option == id || self.forms.is_plumtree(option),
                Stopper::Short(_) => true,
            };
            let is_plumtree = part.len() == 1 && options.iter().flatten().all(is_below);
            self.forms.forms.push(Form {
                options,
                negative: id,
                digest,
                is_plumtree,
            });
            self.forms.by_digest.insert(digest, id);
        }
        (ids, known.is_none())
    }

    /// Returns the digests of the nodes of a component.
    fn digests(&mut self, part: &LoopyGraph) -> Vec<ValueDigest> {
        let outside = self.digests_outside(part);
        let mut hashes = vec![ValueDigest([0; 16]); part.len()];
        for _ in 0..2 * part.len() {
            hashes = next_hashes(part, &outside, &hashes);
        }
        hashes
    }

    /// Returns hashes of the nodes of a graph that do not depend on the order of the nodes. They tell nodes apart that differ by
    /// their options, the options of these and so on.
    pub(super) fn refined(&mut self, part: &LoopyGraph) -> Vec<ValueDigest> {
        let outside = self.digests_outside(part);
        let mut hashes = vec![ValueDigest([0; 16]); part.len()];
        let mut classes = 0;
        loop {
            hashes = next_hashes(part, &outside, &hashes);
            let mut distinct = hashes.clone();
            distinct.sort_unstable();
            distinct.dedup();
            if distinct.len() == classes {
                return hashes;
            }
            classes = distinct.len();
        }
    }

    /// Returns the digests of each node's options outside of the graph, for Left and for Right, ascending.
    fn digests_outside(&mut self, part: &LoopyGraph) -> Vec<[Vec<ValueDigest>; 2]> {
        let mut outside = Vec::with_capacity(part.len());
        for node in 0..part.len() as u32 {
            outside.push(BOTH.map(|player| {
                let forms = part.options(node)[player].iter();
                let forms = forms.filter_map(|target| match *target {
                    Target::Form(form) => Some(self.digest(form)),
                    Target::Node(_) => None,
                });
                let mut digests: Vec<ValueDigest> = forms.collect();
                digests.sort_unstable();
                digests
            }));
        }
        outside
    }
}

/// Returns the hash of each node from the last hashes of its options in the graph, and from the digests of those outside.
fn next_hashes(
    part: &LoopyGraph,
    outside: &[[Vec<ValueDigest>; 2]],
    hashes: &[ValueDigest],
) -> Vec<ValueDigest> {
    let next = |(node, outside): (u32, &[Vec<ValueDigest>; 2])| {
        let mut hasher = blake3::Hasher::new();
        hasher.update(&LOOPY);
        for player in BOTH {
            let nodes = part.options(node)[player].iter();
            let nodes = nodes.filter_map(|target| match *target {
                Target::Node(node) => Some(hashes[node as usize]),
                Target::Form(_) => None,
            });
            let mut inside: Vec<ValueDigest> = nodes.collect();
            inside.sort_unstable();
            for digests in [&outside[player], &inside] {
                hasher.update(&(digests.len() as u32).to_le_bytes());
                digests.iter().for_each(|digest| {
                    hasher.update(&digest.0);
                });
            }
        }
        ValueDigest::of_hash(&hasher.finalize())
    };
    (0..).zip(outside).map(next).collect()
}

/// Returns the options of the only node of a graph, if it has one node and all are short.
pub(super) fn short_options(part: &LoopyGraph) -> Option<[Vec<ValueId>; 2]> {
    if part.len() != 1 {
        return None;
    }
    let short = |player: usize| {
        let short = |target: &Target| match *target {
            Target::Form(Stopper::Short(id)) => Some(id),
            _ => None,
        };
        let options = part.options(0)[player].iter();
        options.map(short).collect::<Option<Vec<ValueId>>>()
    };
    Some([short(LEFT)?, short(RIGHT)?])
}
