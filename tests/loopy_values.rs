//! Published values of loopy games, by the calculator and by play.
//!
//! Play shares nothing with the calculator: a text is read as a graph of moves, sums are products of graphs, and winners are found
//! by looking one move further until nothing changes. Equal games end alike beside every other game.

use std::collections::HashMap;

use seedbank::value::{Arena, Ending, LoopyCalculator};
use serde::Deserialize;

const FACTS: &str = include_str!("../data/reference/loopy/values.toml");

#[derive(Deserialize)]
struct Facts {
    fact: Vec<Fact>,
}

#[derive(Deserialize)]
struct Fact {
    game: String,
    value: String,
    #[serde(default)]
    greater: Vec<String>,
    stops: Option<[String; 2]>,
    cite: String,
}

fn facts() -> Vec<Fact> {
    let facts: Facts = toml::from_str(FACTS).unwrap();
    assert!(facts.fact.iter().all(|fact| !fact.cite.is_empty()));
    facts.fact
}

#[test]
fn published_values_are_those_of_the_calculator() {
    let arena = Arena::new();
    let mut c = LoopyCalculator::new(&arena);
    let mut facts_checked = 0;
    for fact in facts() {
        let game = c
            .parse(&fact.game)
            .unwrap_or_else(|error| panic!("{}: {error}", fact.game));
        let value = c.parse(&fact.value).unwrap();
        assert_eq!(game, value, "{} = {}", fact.game, fact.value);
        let text = c.text(game, 1000).unwrap();
        if !fact.value.contains(['+', '.']) {
            assert_eq!(text, fact.value, "{}", fact.game);
        }
        assert_eq!(c.parse(&text).unwrap(), game, "{text}");
        for less in &fact.greater {
            let less = c.parse(less).unwrap();
            let found = c.compare(game, less).unwrap();
            assert_eq!(found, seedbank::value::Comparison::Greater, "{}", fact.game);
        }
        if let Some(stops) = &fact.stops {
            let stopper = game.stopper().unwrap();
            let found = c.stops(stopper).map(|stop| stop.to_string());
            assert_eq!(found, *stops, "{}", fact.game);
            facts_checked += 2;
        }
        facts_checked += 1 + fact.greater.len();
    }
    assert!(facts_checked >= 40, "{facts_checked}");
}

/// A game as a graph: the moves of Left and of Right at each node, and the node that it is.
#[derive(Clone)]
struct Graph {
    moves: Vec<[Vec<usize>; 2]>,
    root: usize,
}

impl Graph {
    /// The graph of a text; `None` if it has products or two sides.
    fn read(text: &str) -> Option<Graph> {
        let chars: Vec<char> = text.chars().filter(|c| *c != ' ').collect();
        let mut reader = Reader {
            chars,
            at: 0,
            moves: Vec::new(),
            labels: Vec::new(),
        };
        let root = reader.sum()?;
        (reader.at == reader.chars.len()).then_some(Graph {
            moves: reader.moves,
            root,
        })
    }

    /// The end of play for the player to move, for each node and player: 1 won, -1 lost, 0 endless.
    fn endings(&self) -> [i8; 2] {
        let mut found = vec![[0_i8; 2]; self.moves.len()];
        loop {
            let before = found.clone();
            for (node, moves) in self.moves.iter().enumerate() {
                for player in [0, 1] {
                    let mut replies = moves[player].iter().map(|&next| before[next][1 - player]);
                    found[node][player] = match () {
                        () if replies.clone().any(|reply| reply == -1) => 1,
                        () if replies.all(|reply| reply == 1) => -1,
                        () => 0,
                    };
                }
            }
            if found == before {
                return found[self.root];
            }
        }
    }

    fn plus(&self, other: &Graph) -> Graph {
        let mut moves: Vec<[Vec<usize>; 2]> = Vec::new();
        let mut places = HashMap::from([((self.root, other.root), 0)]);
        let mut pairs = vec![(self.root, other.root)];
        while let Some(&(g, h)) = pairs.get(moves.len()) {
            moves.push([0, 1].map(|player| {
                let first = self.moves[g][player].iter().map(|&next| (next, h));
                let second = other.moves[h][player].iter().map(|&next| (g, next));
                let place = |pair| {
                    *places.entry(pair).or_insert_with(|| {
                        pairs.push(pair);
                        pairs.len() - 1
                    })
                };
                first.chain(second).map(place).collect()
            }));
        }
        Graph { moves, root: 0 }
    }
}

/// Reads texts as graphs, node by node.
struct Reader {
    chars: Vec<char>,
    at: usize,
    moves: Vec<[Vec<usize>; 2]>,
    labels: Vec<(String, usize)>,
}

const UPON: &str = "{pass|{0|0}}";

/// The games that names stand for.
const NAMES: [(&str, &str); 14] = [
    ("^[on]*", "{0,pass|0}"),
    ("v[on]*", "{0|0,pass}"),
    ("^<on>*", "{0,{0|0}||{0|0}|pass}"),
    ("v<on>*", "{pass|{0|0}||0,{0|0}}"),
    ("^[on]", UPON),
    ("v[on]", "{{0|0}|pass}"),
    ("^<on>", "{0||0|0,pass}"),
    ("v<on>", "{0,pass|0||0}"),
    ("under", "{pass|0}"),
    ("over", "{0|pass}"),
    ("upon", UPON),
    ("off", "{|pass}"),
    ("dud", "{pass|pass}"),
    ("on", "{pass|}"),
];

impl Reader {
    fn rest(&self) -> String {
        self.chars[self.at..].iter().collect()
    }

    fn take(&mut self, text: &str) -> bool {
        let is_here = self.rest().starts_with(text);
        self.at += if is_here { text.len() } else { 0 };
        is_here
    }

    fn node(&mut self) -> usize {
        self.moves.push([Vec::new(), Vec::new()]);
        self.moves.len() - 1
    }

    fn sum(&mut self) -> Option<usize> {
        let mut sum = self.term()?;
        loop {
            let is_negative = match self.rest().chars().next() {
                Some('+') if !self.rest().starts_with("+-") => false,
                Some('-') => true,
                _ => return Some(sum),
            };
            self.at += 1;
            let term = self.term()?;
            let term = if is_negative {
                self.negative(term)
            } else {
                term
            };
            sum = self.add(sum, term);
        }
    }

    fn graph(&self, root: usize) -> Graph {
        Graph {
            moves: self.moves.clone(),
            root,
        }
    }

    /// Adds the nodes of a graph, and returns its root.
    fn insert(&mut self, graph: Graph) -> usize {
        let first = self.moves.len();
        let shifted = graph
            .moves
            .into_iter()
            .map(|moves| moves.map(|moves| moves.into_iter().map(|next| next + first).collect()));
        self.moves.extend(shifted);
        first + graph.root
    }

    fn add(&mut self, g: usize, h: usize) -> usize {
        let sum = self.graph(g).plus(&self.graph(h));
        self.insert(sum)
    }

    fn negative(&mut self, node: usize) -> usize {
        let mut graph = self.graph(node);
        graph.moves.iter_mut().for_each(|moves| moves.reverse());
        self.insert(graph)
    }

    fn named(&mut self, text: &str) -> usize {
        let graph = Graph::read(text).unwrap();
        self.insert(graph)
    }

    fn term(&mut self) -> Option<usize> {
        if self.take("-") {
            let term = self.term()?;
            return Some(self.negative(term));
        }
        if self.take("+-") {
            let term = self.term()?;
            let (node, negative) = (self.node(), self.negative(term));
            self.moves[node] = [vec![term], vec![negative]];
            return Some(node);
        }
        if self.take("(") {
            let sum = self.sum()?;
            return self.take(")").then_some(sum);
        }
        for (name, below) in [("Tiny(", false), ("Miny(", true)] {
            if self.take(name) {
                let of = self.sum()?;
                let (threat, zero) = (self.negative(of), self.node());
                let (hot, tiny) = (self.node(), self.node());
                self.moves[hot] = [vec![zero], vec![threat]];
                self.moves[tiny] = [vec![zero], vec![hot]];
                return self
                    .take(")")
                    .then(|| if below { self.negative(tiny) } else { tiny });
            }
        }
        let digits: String = self
            .rest()
            .chars()
            .take_while(|c| c.is_ascii_digit() || *c == '/')
            .collect();
        if !digits.is_empty() {
            self.at += digits.len();
            let number = self.number(&digits)?;
            let is_part = self.rest().starts_with(['o', 'u', '^', 'v', '*']);
            return if is_part {
                self.term().map(|term| self.add(number, term))
            } else {
                Some(number)
            };
        }
        for (name, text) in NAMES {
            if self.take(name) {
                return Some(self.named(text));
            }
        }
        for (name, text) in [
            ("*2", "{0,{0|0}|0,{0|0}}"),
            ("*", "{0|0}"),
            ("^", "{0|{0|0}}"),
            ("v", "{{0|0}|0}"),
        ] {
            if self.take(name) {
                let named = self.named(text);
                let is_part = self.rest().starts_with('*');
                return if is_part {
                    self.term().map(|term| self.add(named, term))
                } else {
                    Some(named)
                };
            }
        }
        let label: String = self
            .rest()
            .chars()
            .take_while(char::is_ascii_lowercase)
            .collect();
        self.at += label.len();
        if self.rest().starts_with('{') {
            return self.game(label);
        }
        let found = self.labels.iter().rev().find(|(name, _)| *name == label);
        found.map(|(_, node)| *node)
    }

    fn number(&mut self, text: &str) -> Option<usize> {
        let (numerator, denominator) = text.split_once('/').unwrap_or((text, "1"));
        let (numerator, denominator): (i64, i64) =
            (numerator.parse().ok()?, denominator.parse().ok()?);
        if numerator == 0 {
            return Some(self.node());
        }
        if denominator == 1 {
            let below = self.number(&(numerator - 1).to_string())?;
            let node = self.node();
            self.moves[node][0].push(below);
            return Some(node);
        }
        let beside = |number: i64| match number % 2 {
            0 if denominator == 2 => (number / 2).to_string(),
            _ => format!("{}/{}", number / 2, denominator / 2),
        };
        let [below, above] = [beside(numerator - 1), beside(numerator + 1)];
        let reduced = |text: String| match text.split_once('/') {
            Some((numerator, denominator)) => {
                let (mut n, mut d): (i64, i64) =
                    (numerator.parse().unwrap(), denominator.parse().unwrap());
                while n % 2 == 0 && d > 1 {
                    (n, d) = (n / 2, d / 2);
                }
                if d == 1 {
                    n.to_string()
                } else {
                    format!("{n}/{d}")
                }
            }
            None => text,
        };
        let (below, above) = (self.number(&reduced(below))?, self.number(&reduced(above))?);
        let node = self.node();
        self.moves[node] = [vec![below], vec![above]];
        Some(node)
    }

    /// Reads a game in braces; the longest run of slashes divides it.
    fn game(&mut self, label: String) -> Option<usize> {
        self.take("{");
        let root = self.node();
        self.labels.push((label, root));
        // The lists of options, in which `None` is a pass, and the runs of slashes between them.
        let mut lists: Vec<Vec<Option<usize>>> = vec![Vec::new()];
        let mut runs = Vec::new();
        while !self.take("}") {
            let run = self.rest().chars().take_while(|c| *c == '|').count();
            self.at += run;
            if run > 0 {
                runs.push(run);
                lists.push(Vec::new());
                continue;
            }
            if self.take(",") {
                continue;
            }
            let option = if self.take("pass") {
                None
            } else {
                Some(self.sum()?)
            };
            lists.last_mut()?.push(option);
        }
        self.labels.pop();
        self.divide(root, &lists, &runs);
        Some(root)
    }

    fn divide(&mut self, node: usize, lists: &[Vec<Option<usize>>], runs: &[usize]) {
        let middle = (0..runs.len()).max_by_key(|&place| runs[place]).unwrap();
        let sides = [
            (&lists[..=middle], &runs[..middle]),
            (&lists[middle + 1..], &runs[middle + 1..]),
        ];
        for (player, (lists, runs)) in sides.into_iter().enumerate() {
            self.moves[node][player] = if runs.is_empty() {
                lists[0]
                    .iter()
                    .map(|option| option.unwrap_or(node))
                    .collect()
            } else {
                let inner = self.node();
                self.divide(inner, lists, runs);
                vec![inner]
            };
        }
    }
}

/// The games beside which others are compared.
const BESIDE: [&str; 14] = [
    "0",
    "1",
    "-1",
    "*",
    "^",
    "v+*",
    "1/2",
    "{1|-1}",
    "over",
    "under",
    "on",
    "off",
    "{pass|*}",
    "{0||0|off}",
];

/// Whether Left survives when Left moves first and when Right does, and likewise Right.
fn survived([left_first, right_first]: [i8; 2]) -> [[bool; 2]; 2] {
    [
        [left_first >= 0, right_first <= 0],
        [left_first <= 0, right_first >= 0],
    ]
}

#[test]
fn published_values_are_those_of_play() {
    let (mut checked, mut exceeded) = (0, 0);
    for fact in facts() {
        let sides = fact.value.replace("dud", "on & off");
        let (onside, offside) = sides.split_once(" & ").unwrap_or((&sides, &sides));
        let (Some(game), Some(onside), Some(offside)) = (
            Graph::read(&fact.game),
            Graph::read(onside),
            Graph::read(offside),
        ) else {
            continue;
        };
        checked += 1;
        for text in BESIDE {
            let beside = Graph::read(text).unwrap();
            let [of_game, of_onside, of_offside] =
                [&game, &onside, &offside].map(|graph| survived(graph.plus(&beside).endings()));
            // Beside a stopper, Left survives the game as its onside, and Right as its offside.
            assert_eq!(
                of_game,
                [of_onside[0], of_offside[1]],
                "{} = {} beside {text}",
                fact.game,
                fact.value
            );
        }
        for less in &fact.greater {
            let Some(less) = Graph::read(less) else {
                continue;
            };
            let minus = Graph {
                moves: less
                    .moves
                    .iter()
                    .map(|[left, right]| [right.clone(), left.clone()])
                    .collect(),
                ..less
            };
            // Left survives moving second, and Right does not.
            let [left, right] = survived(game.plus(&minus).endings());
            assert!(left[1] && !right[0], "{}", fact.game);
            exceeded += 1;
        }
    }
    assert!(checked >= 40 && exceeded >= 10, "{checked} {exceeded}");
}

/// The player who is behind a stop loses, even with draws, and the other one wins.
#[test]
fn published_stops_are_those_of_play() {
    let mut checked = 0;
    for fact in facts() {
        let Some(stops) = &fact.stops else {
            continue;
        };
        let game = Graph::read(&fact.game).unwrap();
        for (player, stop) in stops.iter().enumerate() {
            let number = stop.trim_end_matches("over").trim_end_matches("under");
            let number: f64 = match number {
                "on" => f64::INFINITY,
                "off" => f64::NEG_INFINITY,
                "" => 0.0,
                number => match number.split_once('/') {
                    Some((n, d)) => n.parse::<f64>().unwrap() / d.parse::<f64>().unwrap(),
                    None => number.parse().unwrap(),
                },
            };
            for twice in -15_i32..=15 {
                let x = f64::from(twice) / 2.0;
                if x == number {
                    continue;
                }
                let sign = if twice > 0 { "-" } else { "" };
                let less = match twice % 2 {
                    0 => format!("{sign}{}", twice.abs() / 2),
                    _ => format!("{sign}{}/2", twice.abs()),
                };
                let played = game.plus(&Graph::read(&less).unwrap()).endings()[player];
                let is_ahead = (x < number) == (player == 0);
                assert_eq!(played, if is_ahead { 1 } else { -1 }, "{} - {x}", fact.game);
                checked += 1;
            }
        }
    }
    assert!(checked > 600, "{checked}");
}

/// A value is what decides how sums end.
#[test]
fn endings_of_values_are_those_of_play() {
    let arena = Arena::new();
    let mut c = LoopyCalculator::new(&arena);
    for text in BESIDE {
        for other in BESIDE {
            let sum = Graph::read(text)
                .unwrap()
                .plus(&Graph::read(other).unwrap());
            let played = sum.endings().map(|ending| match ending {
                1 => Ending::Win,
                0 => Ending::Draw,
                _ => Ending::Loss,
            });
            let [g, h] = [text, other].map(|text| c.parse(text).unwrap());
            let sum = c.sum(g, h).unwrap().expect("these sums have sides");
            assert_eq!(c.endings(sum).unwrap(), played, "{text} + {other}");
        }
    }
}
