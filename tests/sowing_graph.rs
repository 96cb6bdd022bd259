//! Sowing graphs: published values, and the fast search against literal play.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use seedbank::engine::sowing_graph::census::census;
use seedbank::engine::sowing_graph::cycle::{CycleBoard, cycle_totals};
use seedbank::engine::sowing_graph::enumeration::{EnumerationLimits, Stop, enumerate};
use seedbank::engine::sowing_graph::finiteness::{CycleKind, Finiteness, finiteness};
use seedbank::engine::sowing_graph::game_graph::game_graph;
use seedbank::engine::sowing_graph::play::{Strategy, play_by, shortest_play};
use seedbank::engine::sowing_graph::reconstruct::reconstruct;
use seedbank::engine::sowing_graph::reference::winning_boards;
use seedbank::engine::sowing_graph::tree::InTree;
use seedbank::game::sowing_graph::{GraphBoard, SowingGraph, Steps, Vertex};

/// For the cycles on 2, 3, ... 8 vertices: the number of totals from 0 up to 10^6, and the
/// greatest.
const COUNTS: [(usize, u64); 7] = [
    (20, 524_287),
    (60, 773_187),
    (115, 910_506),
    (183, 916_736),
    (288, 970_613),
    (371, 979_677),
    (484, 968_489),
];

const REFERENCE: &str = include_str!("../data/reference/tchoukaillon.toml");

fn published() -> toml::Table {
    REFERENCE.parse().unwrap()
}

/// The boards of an array of arrays of numbers.
fn boards(rows: &toml::Value) -> Vec<GraphBoard> {
    let number = |value: &toml::Value| value.as_integer().unwrap() as u32;
    let row = |value: &toml::Value| -> GraphBoard {
        let bins: Vec<u32> = value.as_array().unwrap().iter().map(number).collect();
        GraphBoard::new(&bins).unwrap()
    };
    rows.as_array().unwrap().iter().map(row).collect()
}

fn steps() -> Steps<'static> {
    Steps::new(100_000_000)
}

fn up_to(total_max: u64) -> EnumerationLimits {
    EnumerationLimits {
        total_max,
        ..EnumerationLimits::default()
    }
}

/// The winning boards with the least number of moves, by enumeration.
fn swept(graph: &SowingGraph, limits: EnumerationLimits) -> BTreeMap<Vec<u32>, u64> {
    let mut boards = BTreeMap::new();
    let mut last = 0;
    let swept = enumerate(graph, limits, |board| {
        assert!(board.total >= last, "totals ascend");
        last = board.total;
        assert_eq!(
            board.labels.iter().map(|&n| u64::from(n)).sum::<u64>(),
            last
        );
        let twice = boards.insert(board.labels.to_vec(), board.moves);
        assert_eq!(twice, None, "each board once");
        ControlFlow::Continue(())
    });
    assert!(matches!(swept.unwrap().stop, None | Some(Stop::Total)));
    boards
}

/// The enumeration finds the same boards as literal play of every board, with the same least numbers of
/// moves.
#[test]
fn sweeps_agree_with_literal_play() {
    let mut graphs: Vec<(SowingGraph, u32)> = vec![
        (SowingGraph::path(4).unwrap(), 10),
        (SowingGraph::star(2, 2).unwrap(), 8),
        (SowingGraph::tree(2, 2).unwrap(), 8),
        (SowingGraph::grid(3, 2).unwrap(), 8),
        (SowingGraph::cycle(2).unwrap(), 20),
        (SowingGraph::cycle(3).unwrap(), 20),
        (SowingGraph::cycle(4).unwrap(), 14),
        (SowingGraph::cycle(5).unwrap(), 11),
        ("ruma r\na -> b -> a\nb -> r".parse().unwrap(), 10),
        ("ruma r s\nv -> r -> s -> r".parse().unwrap(), 20),
        ("ruma r\na -> a -> r".parse().unwrap(), 12),
        (
            "ruma r s t\na -> r -> s -> t\nb -> a\nb -> s\nc -> b"
                .parse()
                .unwrap(),
            10,
        ),
    ];
    graphs.extend((0..300).map(|seed| {
        let edges = 3 + seed as usize % 6;
        (
            SowingGraph::random(
                2 + seed as usize % 2,
                1 + seed as usize / 2 % 2,
                edges.min(6),
                seed,
            )
            .unwrap(),
            6,
        )
    }));
    graphs.extend((0..100).map(|seed| (SowingGraph::random_acyclic(4, 2, 9, seed).unwrap(), 6)));
    let (mut infinite, mut differing) = (0, 0);
    for (graph, total_max) in &graphs {
        let slow = winning_boards(graph, *total_max);
        let fast = swept(graph, up_to((*total_max).into()));
        assert_eq!(fast, slow, "{graph}");
        infinite += usize::from(!finiteness(graph).is_finite());
        differing += usize::from(
            slow.iter()
                .any(|(b, &moves)| u64::from(b.iter().sum::<u32>()) != moves),
        );
        if let Finiteness::Finite { longest } = finiteness(graph) {
            let within = |labels: &Vec<u32>| labels.iter().zip(&longest).all(|(a, b)| a <= b);
            assert!(slow.keys().all(within), "{graph}");
        }
    }
    assert!(infinite > 50 && differing > 50, "{infinite} {differing}");
}

/// Finite graphs have no winning boards beyond the bound of finiteness; infinite ones have ever
/// larger ones.
#[test]
fn finiteness_agrees_with_a_search() {
    let mut kinds = BTreeMap::new();
    for seed in 0..600 {
        let rumas = 1 + seed as usize % 3;
        let count = 3 + rumas;
        let edges = (seed as usize % 9).min(count * (count - 1));
        let graph = SowingGraph::random(3, rumas, edges, seed).unwrap();
        let found = census(&graph, up_to(18)).unwrap();
        match finiteness(&graph) {
            Finiteness::Finite { longest } => {
                assert_eq!(found.stop, None);
                let most = longest.iter().map(|&n| u64::from(n)).sum();
                assert!(found.by_total.iter().all(|row| row.total <= most));
                *kinds.entry("finite").or_insert(0) += 1;
            }
            Finiteness::Infinite { cycle, kind } => {
                assert!(found.by_total.iter().any(|row| row.total > 9), "{graph}");
                for (i, &from) in cycle.iter().enumerate() {
                    let to = cycle[(i + 1) % cycle.len()];
                    assert!(graph.successors(from).contains(&to), "{graph}");
                }
                let rumas = cycle.iter().filter(|&&v| graph.is_ruma(v)).count();
                let (name, right) = match kind {
                    CycleKind::Mixed => ("mixed", rumas > 0 && rumas < cycle.len()),
                    CycleKind::Bins => ("bins", rumas == 0),
                    CycleKind::Rumas => ("rumas", rumas == cycle.len()),
                };
                assert!(right, "{graph}");
                *kinds.entry(name).or_insert(0) += 1;
            }
        }
    }
    assert!(
        kinds.len() == 4 && kinds.values().all(|&n| n >= 5),
        "{kinds:?}"
    );
}

/// The boards that refute Theorem 5.2 as printed, played literally.
#[test]
fn theorem_5_2_fails_as_printed() {
    let graph: SowingGraph = "ruma r\na -> b -> a\nb -> r".parse().unwrap();
    assert!(finiteness(&graph).is_finite_in_print() && !finiteness(&graph).is_finite());
    let slow = winning_boards(&graph, 12);
    let bins = |total: u32| -> Vec<&[u32]> {
        let of_total = slow
            .keys()
            .filter(|labels| labels.iter().sum::<u32>() == total);
        of_total.map(|labels| &labels[1..]).collect()
    };
    for (total, board) in [
        (1, [0, 1]),
        (2, [2, 0]),
        (3, [2, 1]),
        (4, [1, 3]),
        (5, [4, 1]),
    ] {
        assert_eq!(bins(total), [board]);
    }
    assert!((0..=12).all(|total| bins(total).len() == 1));
    let graph: SowingGraph = "ruma r s\nv -> r -> s -> r".parse().unwrap();
    assert!(finiteness(&graph).is_finite_in_print() && !finiteness(&graph).is_finite());
    assert_eq!(winning_boards(&graph, 12).len(), 13);
}

#[test]
fn figures_1_and_2_are_paths() {
    let rows = boards(&published()["boards"]["rows"]);
    let graph = SowingGraph::path(6).unwrap();
    let game = game_graph(&graph, EnumerationLimits::default()).unwrap();
    assert_eq!(game.boards, rows);
    // The game graph is a path.
    let expected: Vec<_> = (1..rows.len()).map(|place| (place, place - 1)).collect();
    let moves: Vec<_> = game
        .moves
        .iter()
        .map(|played| (played.from, played.to))
        .collect();
    assert_eq!(moves, expected);
    let play = shortest_play(
        &SowingGraph::path(3).unwrap(),
        &"(0, 1, 3)".parse().unwrap(),
        1000,
        &mut steps(),
    );
    let options: Vec<_> = play
        .unwrap()
        .unwrap()
        .iter()
        .map(|m| m.option.to_string())
        .collect();
    assert_eq!(
        options,
        ["(1, 2, 0)", "(0, 2, 0)", "(1, 0, 0)", "(0, 0, 0)"]
    );
    for board in boards(&published()["boards"]["losing"]) {
        let path = SowingGraph::path(board.bins().len()).unwrap();
        assert_eq!(shortest_play(&path, &board, 1000, &mut steps()), Ok(None));
    }
    // N(l + 1) boards on l bins.
    let shortest = published()["boards"]["shortest_n_of_length"]
        .as_array()
        .unwrap()
        .clone();
    for (l, n) in shortest.iter().enumerate() {
        let graph = SowingGraph::path(l).unwrap();
        let expected = n.as_integer().unwrap() as u128;
        assert_eq!(
            census(&graph, EnumerationLimits::default())
                .unwrap()
                .boards(),
            expected
        );
    }
}

#[test]
fn figure_6_is_the_4_cycle() {
    let printed = boards(&published()["sowing_graphs"]["cycle_4_boards"]);
    let graph = SowingGraph::cycle(4).unwrap();
    let game = game_graph(&graph, up_to(5)).unwrap();
    assert_eq!(game.boards, printed);
    assert_eq!(game.extent.stop, Some(Stop::Total));
    let expected: Vec<_> = (1..printed.len()).map(|place| (place, place - 1)).collect();
    let moves: Vec<_> = game
        .moves
        .iter()
        .map(|played| (played.from, played.to))
        .collect();
    assert_eq!(moves, expected);
}

/// Example 5.4: each board on the direct walk along a cycle has one unmove, which leads to the
/// next. So each total has at most one board, and not every integer is a total.
#[test]
fn walks_along_cycles_agree_with_the_sweep() {
    let total_max = 1_000_000;
    for (vertices, expected) in (2..).zip(COUNTS) {
        let graph = SowingGraph::cycle(vertices).unwrap();
        let mut board = CycleBoard::empty(vertices).unwrap();
        let mut totals = Vec::new();
        while board.total() <= total_max.into() {
            totals.push(board.total() as u64);
            let bins: Vec<u32> = board.bins().iter().map(|&n| n as u32).collect();
            let unmoves = graph
                .unmoves(&GraphBoard::new(&bins).unwrap(), u64::MAX, &mut steps())
                .unwrap();
            board.unmove().unwrap();
            let next: Vec<u32> = board.bins().iter().map(|&n| n as u32).collect();
            let found: Vec<_> = unmoves.iter().map(|unmove| unmove.board.bins()).collect();
            assert_eq!(found, [&next[..]]);
        }
        assert_eq!(totals, cycle_totals(vertices, total_max).unwrap());
        assert_eq!((totals.len(), totals[totals.len() - 1]), expected);
        assert!(totals.is_sorted_by(|a, b| a < b));
        // Until all bins are full, the cycle is Tchoukaillon, so N(vertices) is the first missing
        // total.
        let first_missed = (0..)
            .zip(&totals)
            .find(|&(n, &total)| n != total)
            .unwrap()
            .0;
        let path = SowingGraph::path(vertices - 1).unwrap();
        let boards = census(&path, EnumerationLimits::default())
            .unwrap()
            .boards();
        assert_eq!(u128::from(first_missed), boards);
        // The enumeration finds the same totals.
        let mut swept = Vec::new();
        let far = enumerate(&graph, up_to(2000), |found| {
            swept.push(found.total);
            ControlFlow::Continue(())
        });
        assert_eq!(
            (far.unwrap().total, far.unwrap().stop),
            (Some(2000), Some(Stop::Total))
        );
        assert_eq!(swept, totals[..swept.len()]);
        assert!(totals[swept.len()] > 2000);
    }
    let three = [
        1, 2, 3, 5, 7, 10, 14, 18, 27, 29, 34, 48, 57, 84, 89, 103, 144,
    ];
    assert_eq!(cycle_totals(3, 144).unwrap()[1..], three);
    let four = [1, 2, 3, 4, 5, 7, 8, 11, 12, 13, 15, 18, 21, 25, 31, 33, 41];
    assert_eq!(cycle_totals(4, 41).unwrap()[1..], four);
}

/// The length of a shortest play is that of the enumeration, each of its moves is legal, and strategies
/// never need fewer moves.
#[test]
fn shortest_plays_are_legal() {
    let mut cleared = 0;
    for seed in 0..60 {
        let graph = match seed % 2 {
            0 => SowingGraph::random(3, 2, 10, seed).unwrap(),
            _ => SowingGraph::random_acyclic(4, 3, 14, seed).unwrap(),
        };
        for (labels, moves) in swept(&graph, up_to(7)) {
            let board = GraphBoard::from_labels(&graph, &labels);
            let play = shortest_play(&graph, &board, 100_000, &mut steps())
                .unwrap()
                .unwrap();
            assert_eq!(play.len() as u64, moves, "{graph}{board}");
            let mut at = board.clone();
            for sowing in play {
                assert!(graph.moves(&at, &mut steps()).unwrap().contains(&sowing));
                at = sowing.option;
            }
            assert_eq!(at.total(), 0);
            for strategy in Strategy::ALL {
                let play = play_by(&graph, &board, strategy, &mut steps()).unwrap();
                let left = play
                    .last()
                    .map_or(board.total(), |sowing| sowing.option.total());
                if left == 0 {
                    cleared += 1;
                    assert!(play.len() as u64 >= moves);
                }
            }
        }
    }
    assert!(cleared > 1000, "{cleared}");
}

/// Reconstruction finds the same boards as a search through all of them.
#[test]
fn reconstructions_are_the_smallest() {
    let graph = SowingGraph::tree(2, 3).unwrap();
    let game = game_graph(&graph, EnumerationLimits::default()).unwrap();
    let bins: Vec<_> = graph.bins().collect();
    let mut none = 0;
    for (i, &first) in bins.iter().enumerate().step_by(3) {
        for (j, &second) in bins.iter().enumerate().skip(i + 1).step_by(2) {
            for (a, b) in [(0, 1), (1, 1), (1, 2), (2, 2), (1, 3), (3, 0), (4, 0)] {
                let agrees = |board: &&GraphBoard| board.bins()[i] == a && board.bins()[j] == b;
                let expected: Vec<_> = game.boards.iter().filter(agrees).take(3).cloned().collect();
                none += usize::from(expected.is_empty());
                let found = reconstruct(
                    &graph,
                    &[(first, a), (second, b)],
                    3,
                    EnumerationLimits::default(),
                );
                assert_eq!(found.unwrap().boards, expected);
            }
        }
    }
    assert!(none > 10, "{none}");
    let ruma = graph.vertex("r").unwrap();
    assert_eq!(
        reconstruct(&graph, &[(ruma, 1)], 1, EnumerationLimits::default())
            .unwrap_err()
            .to_string(),
        "r is a ruma, whose stones are not counted; fix bins only"
    );
}

/// The published reconstructions, on paths of sufficient length; the paper numbers bins from 2.
#[test]
fn published_reconstructions_are_found() {
    let graph = SowingGraph::path(24).unwrap();
    let mut checked = 0;
    for example in published()["reconstruct"].as_array().unwrap() {
        let fixed: Vec<_> = example["fixed"]
            .as_table()
            .unwrap()
            .iter()
            .map(|(bin, stones)| {
                let bin = bin.parse::<u32>().unwrap() - 1;
                let bin = graph.vertex(&bin.to_string()).unwrap();
                (bin, stones.as_integer().unwrap() as u32)
            })
            .collect();
        let found = reconstruct(&graph, &fixed, 1, EnumerationLimits::default()).unwrap();
        match example.get("smallest_n") {
            Some(n) => {
                assert_eq!(found.boards[0].total(), n.as_integer().unwrap() as u64);
                for key in ["beta_34"] {
                    let Some(beta) = example.get(key) else {
                        continue;
                    };
                    let beta = &boards(&toml::Value::Array(vec![beta.clone()]))[0];
                    if beta.total() == found.boards[0].total() {
                        assert!(found.boards[0].bins().starts_with(beta.bins()));
                        checked += 1;
                    }
                }
            }
            None => {
                // The fixed bins are among the first nine, whose values have period 2520. The path
                // on 100 bins has the boards of all totals below N(101) > 2520, so it decides the
                // question.
                let long = SowingGraph::path(100).unwrap();
                let tree = InTree::new(&long).unwrap();
                let boards = |more: &[(Vertex, u32)]| -> u128 {
                    let named = fixed.iter().map(|&(bin, n)| (graph.name(bin), n));
                    let bins = named.map(|(name, n)| (long.vertex(name).unwrap(), n));
                    let bins: Vec<_> = bins.chain(more.iter().copied()).collect();
                    tree.boards_with(&bins, u64::MAX).unwrap().iter().sum()
                };
                assert!(tree.boards_by_total(u64::MAX).unwrap().len() > 2520);
                if example["solution"].as_str() == Some("none") {
                    assert_eq!(boards(&[]), 0);
                    assert!(found.boards.is_empty());
                } else {
                    // The board exists, and the paper's bin 9 holds 7 stones in each such board.
                    let with_seven = boards(&[(long.vertex("8").unwrap(), 7)]);
                    assert!(with_seven > 0 && with_seven == boards(&[]));
                }
            }
        }
        checked += 1;
    }
    assert_eq!(
        checked,
        published()["reconstruct"].as_array().unwrap().len() + 1
    );
}

/// The complete acyclic graph on n bins has all (n + 1)! boards within Theorem 5.2's bound: clear
/// the nearer bins first, then sow the farthest bin over empty ones.
#[test]
fn complete_acyclic_graphs_have_factorially_many_boards() {
    let mut factorial = 1;
    for n in 1..8 {
        factorial *= n as u128 + 1;
        let graph = SowingGraph::random_acyclic(n, 1, n * (n + 1) / 2, 0).unwrap();
        assert_eq!(
            census(&graph, EnumerationLimits::default())
                .unwrap()
                .boards(),
            factorial
        );
    }
}

/// Numbers of winning boards in families, as the enumeration and the formula of in-trees both find them.
#[test]
fn families_have_their_counts() {
    let count = |graph: SowingGraph| {
        census(&graph, EnumerationLimits::default())
            .unwrap()
            .boards()
    };
    let ladders = [2, 8, 32, 128, 488, 1768, 7192, 26164];
    for (n, expected) in (1..).zip(ladders) {
        assert_eq!(count(SowingGraph::grid(n, 2).unwrap()), expected);
    }
    // A binary tree has the square of the boards of one half, which the bin next to the Ruma
    // doubles.
    let halves: [u128; 6] = [2, 8, 72, 2888, 5_339_912, 15_668_421_338_312];
    for (depth, half) in (1..).zip(halves) {
        assert_eq!(count(SowingGraph::tree(2, depth).unwrap()), half * half);
    }
}

/// The smallest failures of the strategies.
#[test]
fn strategies_fail_on_small_graphs() {
    struct Failure {
        graph: &'static str,
        board: &'static str,
        strategy: Strategy,
        /// The number of moves, if the strategy clears the board.
        moves: Option<usize>,
        /// The least number of moves.
        least: usize,
    }
    let forked = "ruma r\nbin a b c\na -> b -> r\nb -> c -> r";
    let lap = "ruma r\na -> b -> r -> b";
    let passing = "ruma r s\na -> b -> r -> s";
    let failures = [
        Failure {
            graph: forked,
            board: "(2, 2, 0)",
            strategy: Strategy::Nearest,
            moves: None,
            least: 4,
        },
        Failure {
            graph: forked,
            board: "(2, 2, 0)",
            strategy: Strategy::MostHome,
            moves: None,
            least: 4,
        },
        Failure {
            graph: lap,
            board: "(4, 1)",
            strategy: Strategy::Nearest,
            moves: None,
            least: 3,
        },
        Failure {
            graph: passing,
            board: "(2, 1)",
            strategy: Strategy::Nearest,
            moves: Some(3),
            least: 2,
        },
        Failure {
            graph: passing,
            board: "(2, 1)",
            strategy: Strategy::MostHome,
            moves: Some(3),
            least: 2,
        },
        Failure {
            graph: "ruma r\na -> b -> r",
            board: "(2, 1)",
            strategy: Strategy::Fullest,
            moves: None,
            least: 3,
        },
        Failure {
            graph: "ruma r\na -> r -> a\nb -> r",
            board: "(1, 3)",
            strategy: Strategy::MostHome,
            moves: None,
            least: 3,
        },
    ];
    for Failure {
        graph,
        board,
        strategy,
        moves,
        least,
    } in failures
    {
        let graph: SowingGraph = graph.parse().unwrap();
        let board: GraphBoard = board.parse().unwrap();
        let best = shortest_play(&graph, &board, 1000, &mut steps())
            .unwrap()
            .unwrap();
        assert_eq!(best.len(), least, "{graph}");
        let play = play_by(&graph, &board, strategy, &mut steps()).unwrap();
        let cleared = play.last().is_some_and(|sowing| sowing.option.total() == 0);
        assert_eq!(cleared.then_some(play.len()), moves, "{graph}{strategy}");
    }
    // In in-trees the nearest bin is always right.
    for graph in [
        SowingGraph::tree(2, 2).unwrap(),
        SowingGraph::path(9).unwrap(),
    ] {
        for (labels, moves) in swept(&graph, EnumerationLimits::default()) {
            let board = GraphBoard::from_labels(&graph, &labels);
            let play = play_by(&graph, &board, Strategy::Nearest, &mut steps()).unwrap();
            assert_eq!(play.len() as u64, moves);
            assert_eq!(play.last().map_or(0, |sowing| sowing.option.total()), 0);
        }
    }
}
