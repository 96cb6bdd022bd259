//! Loopy values of texts.

use super::calculator::{LoopyCalculator, LoopyError};
use super::graph::{BOTH, LoopyGraph, Target};
use super::name::LoopyName;
use super::stopper::{Sides, Stopper};
use crate::notation::{
    Algebra, Evaluation, Literal, ParseValueError, Parsed, Statement, read_constant, read_statement,
};
use crate::{Dyadic, ValueId};

impl LoopyCalculator<'_> {
    /// Returns the game that a text denotes: a text of a short value, or one with `on`, `off`, `over`, `under`, `upon`, `^[on]`,
    /// `^<on>`, `dud`, `tis`, `tisn`, `pass`, games with letters such as `a{0|a}`, and sides `G & H`.
    ///
    /// # Errors
    ///
    /// Those of [`Calculator::parse`](crate::Calculator::parse); when a side of a game was not found to be a stopper, the text has
    /// products of loopy games other than multiples, or it takes more than 3,000,000
    /// [steps](LoopyCalculator::limit_steps).
    ///
    /// ```
    /// use cgvalues::{Arena, LoopyCalculator};
    ///
    /// let arena = Arena::new();
    /// let mut c = LoopyCalculator::new(&arena);
    /// for (text, value) in [("{0|pass}", "over"), ("over - over", "over & under"), ("a{{|a}|}", "1 & 0")] {
    ///     let sides = c.parse(text)?;
    ///     assert_eq!(c.text(sides, 100).as_deref(), Some(value));
    /// }
    /// # Ok::<(), cgvalues::ParseValueError>(())
    /// ```
    pub fn parse(&mut self, text: &str) -> Result<Sides, ParseValueError> {
        self.within(STEPS_MAX, SHORT_STEPS_MAX, |c| {
            read_constant(text, &mut LoopyAlgebra::new(c))?.sides()
        })
    }

    /// Reads a game, or two with a relation between them, as [`Calculator::parse_statement`] does.
    ///
    /// # Errors
    ///
    /// Those of [`parse`](LoopyCalculator::parse).
    ///
    /// [`Calculator::parse_statement`]: crate::Calculator::parse_statement
    pub fn parse_statement(&mut self, text: &str) -> Result<Statement<Sides>, ParseValueError> {
        let read = self.within(STEPS_MAX, SHORT_STEPS_MAX, |c| {
            read_statement(text, &mut LoopyAlgebra::new(c))
        });
        Ok(match read? {
            Statement::Value(value) => Statement::Value(value.sides()?),
            Statement::Comparison(g, relation, h) => {
                Statement::Comparison(g.sides()?, relation, h.sides()?)
            }
        })
    }
}

/// The most steps for a text, some seconds' work, and those of short forms.
const STEPS_MAX: u64 = 3_000_000;
const SHORT_STEPS_MAX: u64 = 10_000_000;

/// The greatest multiple of a loopy game that is read.
const MULTIPLE_MAX: u64 = 100;

/// What a part of a text denotes.
#[derive(Clone, Copy)]
enum Part {
    Game(Sides),
    /// A node of the game that is being read, and the place where it begins.
    Node(u32, usize),
    /// The negative of a node at a place.
    Wrong(usize),
}

impl Part {
    fn sides(self) -> Parsed<Sides> {
        match self {
            Part::Game(sides) => Ok(sides),
            Part::Node(_, at) | Part::Wrong(at) => Err(unended(at)),
        }
    }
}

/// Returns two values that are short, if both are.
fn shorts(g: Sides, h: Sides) -> Option<[ValueId; 2]> {
    match (g.stopper()?, h.stopper()?) {
        (Stopper::Short(g), Stopper::Short(h)) => Some([g, h]),
        _ => None,
    }
}

/// Texts mean loopy games.
struct LoopyAlgebra<'c, 'a> {
    c: &'c mut LoopyCalculator<'a>,
    /// The game that is being read, in which games with two sides are replaced by their onsides, and by their offsides.
    graphs: [LoopyGraph; 2],
    /// The number of games begun and not ended.
    open: usize,
}

fn unended(at: usize) -> ParseValueError {
    ParseValueError::Unended { position: at + 1 }
}

fn failed(source: LoopyError, at: usize) -> ParseValueError {
    match source {
        LoopyError::Arena(source) => ParseValueError::Arena {
            position: at + 1,
            source,
        },
        source => ParseValueError::NoStopper {
            position: at + 1,
            source,
        },
    }
}

/// Returns sides that were found, if they were.
fn found(sides: Result<Option<Sides>, LoopyError>, at: usize) -> Parsed<Part> {
    let sides = sides.and_then(|sides| sides.ok_or(LoopyError::NoStopper));
    sides.map(Part::Game).map_err(|error| failed(error, at))
}

impl<'c, 'a> LoopyAlgebra<'c, 'a> {
    fn new(c: &'c mut LoopyCalculator<'a>) -> LoopyAlgebra<'c, 'a> {
        LoopyAlgebra {
            c,
            graphs: [LoopyGraph::default(), LoopyGraph::default()],
            open: 0,
        }
    }

    /// Returns the meaning of short values.
    fn short(&mut self) -> Evaluation<'_, 'a> {
        Evaluation {
            calculator: &mut self.c.calculator,
            binding: &[],
        }
    }

    /// Adds a node to the game that is being read.
    fn node(&mut self) -> u32 {
        let [onsides, offsides] = &mut self.graphs;
        onsides.node();
        offsides.node()
    }

    /// Gives a node of the game that is being read its options.
    fn set(&mut self, node: u32, options: [&[Part]; 2]) -> Parsed<()> {
        for (graph, side) in self.graphs.iter_mut().zip([onside, offside]) {
            let mut targets = [Vec::new(), Vec::new()];
            for player in BOTH {
                for &part in options[player] {
                    targets[player].push(match part {
                        Part::Game(sides) => Target::Form(side(sides)),
                        Part::Node(node, _) => Target::Node(node),
                        Part::Wrong(at) => return Err(unended(at)),
                    });
                }
            }
            graph.set(node, targets);
        }
        Ok(())
    }
}

impl Algebra for LoopyAlgebra<'_, '_> {
    type Value = Part;

    fn literal(&mut self, literal: &Literal) -> Parsed<Part> {
        let value = self.short().literal(literal)?;
        Ok(Part::Game(Stopper::Short(value).into()))
    }

    fn negative(&mut self, value: Part) -> Part {
        match value {
            Part::Game(sides) => Part::Game(self.c.negative_sides(sides)),
            Part::Node(_, at) | Part::Wrong(at) => Part::Wrong(at),
        }
    }

    fn sum(&mut self, g: Part, h: Part, at: usize) -> Parsed<Part> {
        let (g, h) = (g.sides()?, h.sides()?);
        if let Some([g, h]) = shorts(g, h) {
            let sum = self.short().sum(g, h, at)?;
            return Ok(Part::Game(Stopper::Short(sum).into()));
        }
        found(self.c.sum(g, h), at)
    }

    fn product(&mut self, g: Part, h: Part, at: usize) -> Parsed<Part> {
        let (g, h) = (g.sides()?, h.sides()?);
        if let Some([g, h]) = shorts(g, h) {
            let product = self.short().product(g, h, at)?;
            return Ok(Part::Game(Stopper::Short(product).into()));
        }
        let factor = match g.stopper() {
            Some(Stopper::Short(factor)) => {
                self.c.arena().number(factor).and_then(Dyadic::to_integer)
            }
            _ => None,
        };
        let factor = factor.filter(|factor| factor.unsigned_abs() <= MULTIPLE_MAX);
        let Some(factor) = factor else {
            return Err(ParseValueError::NoProduct {
                position: at + 1,
                max: MULTIPLE_MAX,
            });
        };
        found(self.c.multiple(factor, h), at)
    }

    fn ordinal_sum(&mut self, g: Part, h: Part, at: usize) -> Parsed<Part> {
        let (g, h) = (g.sides()?, h.sides()?);
        if let Some([g, h]) = shorts(g, h) {
            let sum = self.short().ordinal_sum(g, h, at)?;
            return Ok(Part::Game(Stopper::Short(sum).into()));
        }
        found(self.c.ordinal_sum(g, h), at)
    }

    fn game(&mut self, left: Vec<Part>, right: Vec<Part>, at: usize) -> Parsed<Part> {
        let is_inner = |part: &Part| !matches!(part, Part::Game(_));
        if left.iter().chain(&right).any(is_inner) {
            let node = self.node();
            self.set(node, [&left, &right])?;
            return Ok(Part::Node(node, at));
        }
        let sides = |parts: Vec<Part>| {
            parts
                .into_iter()
                .map(Part::sides)
                .collect::<Parsed<Vec<Sides>>>()
        };
        let options = [sides(left)?, sides(right)?];
        found(self.c.game(options), at)
    }

    fn named(&mut self, name: LoopyName, at: usize) -> Parsed<Part> {
        let stopper = self.c.named(name).map_err(|error| failed(error, at))?;
        Ok(Part::Game(stopper.into()))
    }

    fn open(&mut self, at: usize) -> Parsed<Part> {
        self.open += 1;
        Ok(Part::Node(self.node(), at))
    }

    fn close(&mut self, game: Part, left: Vec<Part>, right: Vec<Part>, at: usize) -> Parsed<Part> {
        let Part::Node(node, _) = game else {
            return Err(unended(at));
        };
        self.set(node, [&left, &right])?;
        self.open -= 1;
        if self.open > 0 {
            return Ok(game);
        }
        let [onsides, offsides] = std::mem::take(&mut self.graphs);
        let sides = self.c.sides_of(&onsides, &offsides, node);
        found(sides, at)
    }

    fn sides(&mut self, on: Part, off: Part, _: usize) -> Parsed<Part> {
        let (on, off) = (on.sides()?, off.sides()?);
        Ok(Part::Game(Sides {
            onside: on.onside,
            offside: off.offside,
        }))
    }
}

fn onside(sides: Sides) -> Stopper {
    sides.onside
}

fn offside(sides: Sides) -> Stopper {
    sides.offside
}
