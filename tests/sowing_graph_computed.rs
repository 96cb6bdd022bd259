//! `data/reference/computed/tchoukaillon.toml`: the open questions on sowing graphs, as far as they
//! were searched, found again in part. `SEEDBANK_COMPUTED=all` finds them again completely, in some
//! minutes of a release build.
//!
//! The test takes each key out of the file as it compares it. A key left at the end has not been
//! compared, which is a failure.

use std::env;
use std::fs;
use std::path::Path;

use seedbank::engine::sowing_graph::agreement::{Agreement, agreement};
use seedbank::engine::sowing_graph::atlas::acyclic_graphs;
use seedbank::engine::sowing_graph::census::census_in_one;
use seedbank::engine::sowing_graph::cycle::{CycleBoard, cycle_totals};
use seedbank::engine::sowing_graph::enumeration::EnumerationLimits;
use seedbank::engine::sowing_graph::finiteness::{Finiteness, finiteness};
use seedbank::engine::sowing_graph::greedy::fate;
use seedbank::engine::sowing_graph::play::{Strategy, shortest_play};
use seedbank::engine::sowing_graph::tree::InTree;
use seedbank::engine::tchoukaillon::lengths::shortest;
use seedbank::game::sowing_graph::{
    Generator, GraphBoard, GraphFamily, SowingGraph, Steps, Vertex,
};
use toml::{Table, Value};

/// The most boards that an enumeration visits in every run.
const BOARDS_QUICK: u128 = 30_000;

/// The most vertices of the atlases that every run visits.
const ATLAS_QUICK: usize = 4;

fn everything() -> bool {
    env::var("SEEDBANK_COMPUTED").is_ok_and(|what| what == "all")
}

/// A table from which keys are taken.
struct Entry(Table);

impl Entry {
    fn take(&mut self, key: &str) -> Value {
        self.0
            .remove(key)
            .unwrap_or_else(|| panic!("no {key} in {:?}", self.0))
    }

    fn text(&mut self, key: &str) -> String {
        self.take(key).as_str().expect("a text").to_owned()
    }

    fn number(&mut self, key: &str) -> u64 {
        let number = self.take(key).as_integer().expect("a number");
        u64::try_from(number).expect("not negative")
    }

    fn done(self) {
        assert!(self.0.is_empty(), "compared by nothing: {:?}", self.0);
    }
}

fn file() -> Entry {
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("data/reference/computed/tchoukaillon.toml");
    let text = fs::read_to_string(path).expect("the file is part of the source tree");
    Entry(text.parse().expect("the file is TOML"))
}

fn entries(file: &mut Entry, key: &str) -> Vec<Entry> {
    let list = file.take(key).as_array().expect("a list").clone();
    let entry = |value: Value| Entry(value.as_table().expect("a table").clone());
    list.into_iter().map(entry).collect()
}

fn generated(text: &str) -> (Generator, SowingGraph) {
    let generator: Generator = text.parse().expect("a generator");
    let graph = generator.graph().expect("a graph");
    (generator, graph)
}

#[test]
fn every_key_is_compared() {
    let mut file = file();
    cycle_totals_are_found_again(Entry(file.take("cycle_totals").as_table().unwrap().clone()));
    for entry in entries(&mut file, "cycle_growth") {
        growth(entry);
    }
    for entry in entries(&mut file, "count") {
        count(entry);
    }
    for entry in entries(&mut file, "strategy") {
        strategy(entry);
    }
    for entry in entries(&mut file, "agreement") {
        agreement_of_one(entry);
    }
    for entry in entries(&mut file, "agreement_of_shapes") {
        agreement_of_shapes(entry);
    }
    file.done();
}

/// Totals from the laps of unmoves, and from walking back along the edges, stone by stone, as far
/// as that is quick.
fn cycle_totals_are_found_again(mut entry: Entry) {
    let total_max = entry.number("total_max");
    for vertices in 2..=8 {
        let list = entry.take(&vertices.to_string());
        let number = |value: &Value| value.as_integer().expect("a total") as u64;
        let listed: Vec<u64> = list
            .as_array()
            .expect("a list")
            .iter()
            .map(number)
            .collect();
        assert_eq!(cycle_totals(vertices, total_max), Ok(listed.clone()));
        let graph = SowingGraph::cycle(vertices).unwrap();
        let mut board = GraphBoard::empty(&graph);
        for &total in listed.iter().take_while(|&&total| total < 10_000) {
            assert_eq!(board.total(), total, "{vertices}");
            let unmoves = graph
                .unmoves(&board, u64::MAX, &mut Steps::new(1_000_000))
                .unwrap();
            assert_eq!(unmoves.len(), 1);
            board = unmoves[0].board.clone();
        }
    }
    entry.done();
}

fn growth(mut entry: Entry) {
    let vertices = entry.number("vertices") as usize;
    let mut board = CycleBoard::empty(vertices).unwrap();
    let (mut unmoves, mut last) = (0, 0);
    while board.unmove().is_ok() {
        unmoves += 1;
        last = board.total();
    }
    assert_eq!(unmoves, entry.number("unmoves"));
    let found = (last as f64).ln() / unmoves as f64 * (vertices * vertices) as f64;
    let listed = entry.take("log_factor_times_square");
    assert!((found - listed.as_float().expect("a number")).abs() < 1e-4);
    entry.done();
}

fn count(mut entry: Entry) {
    let text = entry.text("graph");
    let (generator, graph) = generated(&text);
    let boards: u128 = entry.text("boards").parse().expect("a number");
    let greatest = entry.number("greatest_total");
    let ways = entry.take("ways");
    let ways: Vec<&str> = ways
        .as_array()
        .unwrap()
        .iter()
        .map(|way| way.as_str().unwrap())
        .collect();
    assert!(!ways.is_empty(), "{text}");
    for way in ways {
        match way {
            "Example 5.3" => {
                let (spokes, length) = match (generator.family(), generator.arguments()) {
                    (GraphFamily::Path, &[bins]) => (1, bins),
                    (GraphFamily::Star, &[spokes, length]) => (spokes, length),
                    _ => panic!("{text} is no star"),
                };
                let side = shortest(length + 1);
                assert_eq!(side.pow(spokes as u32), boards, "{text}");
                assert_eq!((side - 1) * u128::from(spokes), u128::from(greatest));
            }
            "formula" => {
                let counts = InTree::new(&graph)
                    .expect("an in-tree")
                    .boards_by_total(u64::MAX)
                    .unwrap();
                assert_eq!(counts.iter().sum::<u128>(), boards, "{text}");
                assert_eq!(counts.len() as u64, greatest + 1, "{text}");
            }
            "sweep" if boards <= BOARDS_QUICK || everything() => {
                let extent = census_in_one(&graph, EnumerationLimits::default()).unwrap();
                assert_eq!((extent.boards(), extent.stop), (boards, None), "{text}");
                assert_eq!(extent.by_total.last().unwrap().total, greatest, "{text}");
            }
            "sweep" => {}
            "play" => assert_eq!(played(&graph), (boards, greatest), "{text}"),
            _ => panic!("{text}: no way {way}"),
        }
    }
    entry.done();
}

/// Returns the number of winning boards and the most stones of one. It plays all boards on which no
/// bin holds more stones than its longest walk home has edges, in order of stones.
fn played(graph: &SowingGraph) -> (u128, u64) {
    let Finiteness::Finite { longest } = finiteness(graph) else {
        panic!("infinitely many boards");
    };
    let bins: Vec<Vertex> = graph.bins().collect();
    let size = |bin: &Vertex| longest[bin.index()] as usize + 1;
    let mut boards: Vec<Vec<u32>> = vec![vec![0; graph.len()]];
    for bin in &bins {
        boards = boards
            .iter()
            .flat_map(|labels| {
                (0..size(bin) as u32).map(move |stones| {
                    let mut labels = labels.clone();
                    labels[bin.index()] = stones;
                    labels
                })
            })
            .collect();
    }
    boards.sort_by_key(|labels| labels.iter().sum::<u32>());
    let place = |labels: &[u32]| -> Option<usize> {
        bins.iter().try_fold(0, |place, bin| {
            let stones = labels[bin.index()] as usize;
            (stones < size(bin)).then_some(place * size(bin) + stones)
        })
    };
    let mut winning = vec![false; boards.len()];
    let (mut count, mut greatest) = (0, 0);
    let mut steps = Steps::new(u64::MAX);
    for mut labels in boards {
        let total = labels.iter().sum::<u32>();
        let mut wins = total == 0;
        graph
            .for_each_move(&mut labels, &mut steps, |sown| {
                wins |= place(sown.labels).is_some_and(|place| winning[place]);
            })
            .unwrap();
        if wins {
            winning[place(&labels).expect("within the bounds")] = true;
            (count, greatest) = (count + 1, total.into());
        }
    }
    (count, greatest)
}

fn strategy(mut entry: Entry) {
    let bins = entry.number("bins") as usize;
    let rumas = entry.number("rumas") as usize;
    let name = entry.text("strategy");
    let strategy = Strategy::ALL
        .into_iter()
        .find(|strategy| strategy.to_string() == name);
    let strategy = strategy.unwrap_or_else(|| panic!("no strategy {name}"));
    let [shapes, boards, safe, lucky] =
        ["shapes", "boards", "safe", "lucky"].map(|key| entry.number(key));
    assert!(safe <= lucky && lucky <= shapes);
    // The file lists a failure exactly if there is one, and each is how the strategy plays on its
    // board.
    let failures = [("first_unsafe", safe), ("first_unlucky", lucky)].map(|(key, right)| {
        let failure = (right < shapes).then(|| entry.take(key));
        failure.map(|failure| {
            let part = |key: &str| failure[key].as_str().expect("a text").to_owned();
            assert_eq!(failure.as_table().expect("a table").len(), 2);
            let graph: SowingGraph = part("graph").replace("; ", "\n").parse().expect("a graph");
            let board: GraphBoard = part("board").parse().expect("a board");
            assert_eq!((graph.bins().count(), graph.rumas().count()), (bins, rumas));
            let found = fate(&graph, strategy, EnumerationLimits::default()).unwrap();
            let first = if key == "first_unsafe" {
                found.first_unsafe
            } else {
                found.first_unlucky
            };
            assert_eq!(first, Some(board.clone()), "{graph}");
            let play = shortest_play(&graph, &board, 100_000, &mut Steps::new(1_000_000));
            assert!(play.unwrap().is_some(), "{graph}{board} can be cleared");
            graph
        })
    });
    if bins + rumas <= ATLAS_QUICK || everything() {
        let graphs = acyclic_graphs(bins, rumas).unwrap();
        let fates: Vec<_> = (graphs.iter())
            .map(|graph| fate(graph, strategy, EnumerationLimits::default()).unwrap())
            .collect();
        assert_eq!(graphs.len() as u64, shapes);
        assert_eq!(fates.iter().map(|fate| fate.boards).sum::<u64>(), boards);
        assert_eq!(
            fates.iter().filter(|fate| fate.is_safe()).count() as u64,
            safe
        );
        assert_eq!(
            fates.iter().filter(|fate| fate.is_lucky()).count() as u64,
            lucky
        );
        let first = |right: fn(&seedbank::engine::sowing_graph::greedy::Fate) -> bool| {
            let place = fates.iter().position(|fate| !right(fate));
            place.map(|place| graphs[place].clone())
        };
        assert_eq!(
            failures,
            [first(|fate| fate.is_safe()), first(|fate| fate.is_lucky())]
        );
    }
    entry.done();
}

/// Bins with their stones, by name.
fn tuple(graph: &SowingGraph, value: &Value) -> Vec<(Vertex, u32)> {
    let table = value.as_table().expect("a table").iter();
    let mut tuple: Vec<(Vertex, u32)> = table
        .map(|(name, stones)| {
            let bin = graph.vertex(name).expect("a bin of the graph");
            (bin, stones.as_integer().expect("a number") as u32)
        })
        .collect();
    tuple.sort();
    tuple
}

fn agreement_of_one(mut entry: Entry) {
    let (_, graph) = generated(&entry.text("graph"));
    let fixed = entry.number("fixed") as usize;
    let tuples = entry.number("tuples");
    let agreeing = entry.number("agreeing");
    let listed = Agreement {
        tuples,
        agreeing,
        hardest: (
            tuple(&graph, &entry.take("hardest")),
            entry.number("hardest_total"),
        ),
        first_contradiction: (agreeing < tuples)
            .then(|| tuple(&graph, &entry.take("first_contradiction"))),
    };
    assert_eq!(
        agreement(&graph, fixed, EnumerationLimits::default()),
        Ok(listed),
        "{graph}"
    );
    entry.done();
}

fn agreement_of_shapes(mut entry: Entry) {
    let bins = entry.number("bins") as usize;
    let fixed = entry.number("fixed") as usize;
    let graphs = acyclic_graphs(bins, 1).unwrap();
    let found: Vec<Agreement> = (graphs.iter())
        .map(|graph| agreement(graph, fixed, EnumerationLimits::default()).unwrap())
        .collect();
    assert_eq!(graphs.len() as u64, entry.number("shapes"));
    let sum = |of: fn(&Agreement) -> u64| found.iter().map(of).sum::<u64>();
    assert_eq!(sum(|found| found.tuples), entry.number("tuples"));
    assert_eq!(sum(|found| found.agreeing), entry.number("agreeing"));
    assert_eq!(
        sum(|found| u64::from(found.agreeing == found.tuples)),
        entry.number("full")
    );
    let hardest = found.iter().map(|found| found.hardest.1).max();
    assert_eq!(hardest, Some(entry.number("hardest_total")));
    entry.done();
}
