//! Sums of loopy values, and games made of them.

use hashbrown::HashMap;

use super::calculator::{LoopyCalculator, LoopyError};
use super::graph::{BOTH, LoopyGraph, Target};
use super::name::{LoopyName, Upon};
use super::stopper::{Sides, Stopper};
use crate::{Dyadic, NumberUpStar, UptimalShape, ValueId};

impl LoopyCalculator<'_> {
    /// Returns the sum of two games, or `None` where a side of it was not found to be a stopper.
    ///
    /// Cost: that of the [sides](LoopyCalculator::sides) of a graph of all pairs of followers.
    ///
    /// # Errors
    ///
    /// As [`sides`](LoopyCalculator::sides).
    ///
    /// ```
    /// use cgvalues::{Arena, LoopyCalculator, LoopyName};
    ///
    /// let arena = Arena::new();
    /// let mut c = LoopyCalculator::new(&arena);
    /// let [on, off] = [LoopyName::On, LoopyName::Off].map(|name| c.named(name).unwrap());
    /// let dud = c.sum(on.into(), off.into())?.unwrap();
    /// assert_eq!((dud.onside, dud.offside), (on, off));
    /// # Ok::<(), cgvalues::LoopyError>(())
    /// ```
    pub fn sum(&mut self, g: Sides, h: Sides) -> Result<Option<Sides>, LoopyError> {
        let onsides = self.sum_graph(g.onside, h.onside)?;
        match (g.stopper(), h.stopper()) {
            (Some(_), Some(_)) => self.sides_of(&onsides, &onsides, 0),
            _ => {
                let offsides = self.sum_graph(g.offside, h.offside)?;
                self.sides_of(&onsides, &offsides, 0)
            }
        }
    }

    /// Returns the graph of the sum of two stoppers, which is its first node.
    fn sum_graph(&mut self, g: Stopper, h: Stopper) -> Result<LoopyGraph, LoopyError> {
        let mut graph = LoopyGraph::default();
        let mut places: HashMap<(Stopper, Stopper), u32, foldhash::fast::RandomState> =
            HashMap::default();
        let mut pairs = vec![(g, h)];
        places.insert((g, h), graph.node());
        let mut at = 0;
        while let Some(&(g, h)) = pairs.get(at) {
            let [of_g, of_h] = [self.options_of(g), self.options_of(h)];
            let mut options = [Vec::new(), Vec::new()];
            for player in BOTH {
                let first = of_g[player].iter().map(|&g| (g, h));
                let second = of_h[player].iter().map(|&h| (g, h));
                for pair in first.chain(second) {
                    options[player].push(match pair {
                        (Stopper::Short(g), Stopper::Short(h)) => {
                            Target::Form(Stopper::Short(self.calculator.sum(g, h)?))
                        }
                        pair => Target::Node(*places.entry(pair).or_insert_with(|| {
                            pairs.push(pair);
                            graph.node()
                        })),
                    });
                }
            }
            graph.set(at as u32, options);
            at += 1;
            self.check(at)?;
        }
        Ok(graph)
    }

    /// Returns the sum of n copies of a game, or of -n copies of its negative; `None` where a side of a sum on the way was not found to be
    /// a stopper.
    ///
    /// Cost: a sum for each copy, until one changes nothing.
    ///
    /// # Errors
    ///
    /// As [`sides`](LoopyCalculator::sides).
    pub fn multiple(&mut self, n: i64, game: Sides) -> Result<Option<Sides>, LoopyError> {
        let term = if n < 0 {
            self.negative_sides(game)
        } else {
            game
        };
        let mut multiple = Stopper::Short(ValueId::ZERO).into();
        for _ in 0..n.unsigned_abs() {
            let Some(next) = self.sum(multiple, term)? else {
                return Ok(None);
            };
            if next == multiple {
                break;
            }
            multiple = next;
        }
        Ok(Some(multiple))
    }

    /// Returns the negative of a game.
    pub fn negative_sides(&self, sides: Sides) -> Sides {
        Sides {
            onside: self.negative(sides.offside),
            offside: self.negative(sides.onside),
        }
    }

    /// Returns the game with some options, or `None` where a side of it was not found to be a stopper.
    ///
    /// # Errors
    ///
    /// As [`sides`](LoopyCalculator::sides).
    pub fn game(&mut self, options: [Vec<Sides>; 2]) -> Result<Option<Sides>, LoopyError> {
        let graph_of = |side: fn(Sides) -> Stopper| {
            let mut graph = LoopyGraph::default();
            let node = graph.node();
            let target = |&sides: &Sides| Target::Form(side(sides));
            graph.set(
                node,
                [0, 1].map(|player| options[player].iter().map(target).collect()),
            );
            graph
        };
        let onsides = graph_of(|sides| sides.onside);
        let offsides = graph_of(|sides| sides.offside);
        self.sides_of(&onsides, &offsides, 0)
    }

    /// Returns the stopper of a name.
    ///
    /// # Errors
    ///
    /// When its followers cannot be stored.
    pub fn named(&mut self, name: LoopyName) -> Result<Stopper, LoopyError> {
        let mut graph = LoopyGraph::default();
        let node = graph.node();
        let pass = Target::Node(node);
        let Upon {
            number,
            down,
            shape,
            star,
        } = match name {
            LoopyName::Upon(upon) => upon,
            LoopyName::On => return self.only(graph, [vec![pass], vec![]]),
            LoopyName::Off => return self.only(graph, [vec![], vec![pass]]),
            LoopyName::Over(number) => {
                let number = self.short_target(number, 0)?;
                return self.only(graph, [vec![number], vec![pass]]);
            }
            LoopyName::Under(number) => {
                let number = self.short_target(number, 0)?;
                return self.only(graph, [vec![pass], vec![number]]);
            }
        };
        // Downs are the negative of ups with the negative number.
        let number = if down { -number } else { number };
        let found = match shape {
            UptimalShape::Sum => {
                let right = self.short_target(number, star ^ 1)?;
                let left = match star {
                    1 => vec![right, pass],
                    _ => vec![pass],
                };
                self.only(graph, [left, vec![right]])?
            }
            UptimalShape::Power => {
                let below = Upon {
                    number,
                    down: true,
                    shape: UptimalShape::Sum,
                    star: star ^ 1,
                };
                let below = self.named(LoopyName::Upon(below))?;
                let left = (0..=star).map(|star| self.short_target(number, star));
                let left = left.collect::<Result<_, _>>()?;
                self.only(graph, [left, vec![Target::Form(below)]])?
            }
        };
        Ok(if down { self.negative(found) } else { found })
    }

    /// Returns the stopper that is the only node of a graph, with some options.
    fn only(
        &mut self,
        mut graph: LoopyGraph,
        options: [Vec<Target>; 2],
    ) -> Result<Stopper, LoopyError> {
        graph.set(0, options);
        Ok(self.canonical(&graph)?[0])
    }

    fn short_target(&mut self, number: Dyadic, star: u32) -> Result<Target, LoopyError> {
        let value = NumberUpStar {
            number,
            ups: 0,
            star,
        };
        let id = match star {
            0 => self.calculator.number(number)?,
            _ => self.calculator.number_up_star(value)?,
        };
        Ok(Target::Form(Stopper::Short(id)))
    }

    /// Returns whether a stopper is at least over.
    pub(super) fn is_at_least_over(&mut self, stopper: Stopper) -> bool {
        let over = self.named(LoopyName::Over(Dyadic::ZERO));
        over.and_then(|over| self.ge(stopper, over))
            .unwrap_or(false)
    }
}
