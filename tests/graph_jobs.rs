//! Reconstructions of boards, and sowing graphs, from a spec to a result: rows against a naive
//! reading of the rules, interrupted runs, tables, comparison with published values.

#![cfg(target_os = "linux")]

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::common::schema;
use crate::common::workspace::{Workspace, ended, files_in, of_out, printed};
use seedbank::game::sowing_graph::{SowingGraph, Vertex};
use seedbank::task::Job;
use seedbank::task::graphs::GraphRow;
use seedbank::task::reconstructions::ReconstructionRow;
use serde_json::{Value, json};

/// The boards of 0, 1, 2, ... stones, each made from the one before.
fn unplayed(last: usize) -> Vec<Vec<u64>> {
    let mut boards = vec![Vec::new()];
    let mut bins: Vec<u64> = Vec::new();
    for _ in 0..last {
        let empty = bins.iter().position(|&bin| bin == 0);
        let empty = empty.unwrap_or(bins.len());
        if empty == bins.len() {
            bins.push(0);
        }
        for bin in &mut bins[..empty] {
            *bin -= 1;
        }
        bins[empty] = empty as u64 + 1;
        boards.push(bins.clone());
    }
    boards
}

fn lcm(numbers: impl Iterator<Item = u64>) -> u64 {
    numbers.fold(1, |all, n| {
        (1..)
            .map(|k| all * k)
            .find(|m| m % n == 0)
            .expect("n times")
    })
}

/// Checks a row against all boards up to several periods.
fn check(row: &ReconstructionRow, boards: &[Vec<u64>], offset: u64) {
    let fixed: Vec<(usize, u64)> = (row.bins.iter().zip(&row.stones))
        .map(|(&bin, &stones)| ((bin as u64 - offset) as usize, stones as u64))
        .collect();
    let farthest = fixed.iter().map(|&(bin, _)| bin).max().expect("a bin");
    let agrees = |board: &[u64]| {
        let at = |bin: usize| board.get(bin - 1).copied().unwrap_or(0);
        fixed.iter().all(|&(bin, stones)| at(bin) == stones)
    };
    let period = lcm(2..=farthest as u64 + 1);
    assert!(boards.len() as u64 > 2 * period, "enough boards to tell");
    let n = boards.iter().position(|board| agrees(board));
    let n_long = boards
        .iter()
        .position(|board| board.len() >= farthest && agrees(board));
    let residues = boards[..period as usize]
        .iter()
        .filter(|board| agrees(board))
        .count();
    let what = format!("{:?} {:?}", row.bins, row.stones);
    assert_eq!(row.n, n.map(|n| n as i64), "{what}");
    assert_eq!(row.n_long, n_long.map(|n| n as i64), "{what}");
    assert_eq!(row.possible, Some(n.is_some()), "{what}");
    assert_eq!(row.contradiction.is_some(), n.is_none(), "{what}");
    assert_eq!(row.period, Some(period as i64), "{what}");
    assert_eq!(row.residues, Some(residues as i64), "{what}");
}

#[test]
fn reconstructions_agree_with_a_search_of_all_boards() {
    let here = Workspace::new();
    let boards = unplayed(6000);
    struct Family {
        numbering: &'static str,
        bin_max: u64,
        fixed: usize,
        rows: usize,
        /// The number of a bin minus its index.
        offset: u64,
    }
    // Bin k holds up to k stones.
    let fixings_of_one = (1..=8).map(|bin| bin + 1).sum();
    let families = [
        Family {
            numbering: "b",
            bin_max: 8,
            fixed: 1,
            rows: fixings_of_one,
            offset: 0,
        },
        Family {
            numbering: "b",
            bin_max: 6,
            fixed: 2,
            rows: 295,
            offset: 0,
        },
        Family {
            numbering: "beta",
            bin_max: 7,
            fixed: 2,
            rows: 295,
            offset: 1,
        },
        Family {
            numbering: "beta",
            bin_max: 6,
            fixed: 3,
            rows: 580,
            offset: 1,
        },
        Family {
            numbering: "b",
            bin_max: 5,
            fixed: 3,
            rows: 580,
            offset: 0,
        },
    ];
    for Family {
        numbering,
        bin_max,
        fixed,
        rows,
        offset,
    } in families
    {
        let family = format!(
            "[family]\nreconstructions = {{ numbering = {numbering:?}, bin_max = {bin_max}, fixed = {fixed} }}"
        );
        let name = format!("{numbering}-{bin_max}-{fixed}");
        let found: Vec<ReconstructionRow> = here.plain_finished(&name, "tchoukaillon", &family);
        assert_eq!(found.len(), rows, "{name}");
        for row in &found {
            assert_eq!(&*row.numbering, numbering);
            assert_eq!(row.bins.len(), fixed);
            check(row, &boards, offset);
        }
    }
    let listed = "[family]\nreconstructions = { numbering = \"beta\", bins = [\"7=2 3=1\", \"5=1, 6=2\"], up_to = 33 }";
    let found: Vec<ReconstructionRow> = here.plain_finished("listed", "tchoukaillon", listed);
    // The smallest is 34, beyond the range searched; the conditions show that there is a board.
    assert_eq!((found[0].n, found[0].possible), (None, Some(true)));
    assert_eq!(
        (found[0].bins.clone(), found[0].stones.clone()),
        (vec![3, 7], vec![1, 2])
    );
    assert_eq!(found[0].searched_to, 33);
    assert_eq!(
        found[1].contradiction.as_deref(),
        Some("m_6 + m_5 must be even, and is 2 + 1 = 3")
    );
}

/// A naive reading of the rules: take a bin's stones, follow every walk with that number of edges,
/// and check whether it ends in a Ruma.
struct Naive<'g> {
    graph: &'g SowingGraph,
    known: HashMap<Vec<u32>, Option<u64>>,
}

impl Naive<'_> {
    /// The least number of moves that clears a board, if any moves do.
    fn moves(&mut self, labels: &[u32]) -> Option<u64> {
        if labels.iter().all(|&label| label == 0) {
            return Some(0);
        }
        if let Some(&known) = self.known.get(labels) {
            return known;
        }
        let mut options = Vec::new();
        for vertex in self.graph.vertices() {
            let stones = labels[vertex.index()];
            if stones > 0 {
                let mut hand = labels.to_vec();
                hand[vertex.index()] = 0;
                self.walk(vertex, stones, &hand, &mut options);
            }
        }
        let least = options.iter().filter_map(|option| self.moves(option)).min();
        let found = least.map(|least| least + 1);
        self.known.insert(labels.to_vec(), found);
        found
    }

    fn walk(&self, at: Vertex, stones: u32, labels: &[u32], options: &mut Vec<Vec<u32>>) {
        for &next in self.graph.successors(at) {
            let mut sown = labels.to_vec();
            if !self.graph.is_ruma(next) {
                sown[next.index()] += 1;
            }
            match stones {
                1 if self.graph.is_ruma(next) => options.push(sown),
                1 => {}
                _ => self.walk(next, stones - 1, &sown, options),
            }
        }
    }
}

/// The winning boards with at most `total_max` stones: for each total their number, and the most
/// moves that one of them needs.
fn counted(graph: &SowingGraph, total_max: u32) -> BTreeMap<u32, (i64, u64)> {
    let mut naive = Naive {
        graph,
        known: HashMap::new(),
    };
    let bins: Vec<usize> = graph.bins().map(Vertex::index).collect();
    let mut found = BTreeMap::new();
    let mut boards = vec![vec![0; graph.len()]];
    for &bin in &bins {
        boards = boards
            .iter()
            .flat_map(|board| {
                let room = total_max - board.iter().sum::<u32>();
                (0..=room).map(move |stones| {
                    let mut board = board.clone();
                    board[bin] = stones;
                    board
                })
            })
            .collect();
    }
    for board in boards {
        if let Some(moves) = naive.moves(&board) {
            let entry = found.entry(board.iter().sum()).or_insert((0, 0));
            entry.0 += 1;
            entry.1 = entry.1.max(moves);
        }
    }
    found
}

#[test]
fn graphs_have_the_boards_that_play_finds() {
    let here = Workspace::new();
    fs::write(
        here.path("own.graph"),
        "ruma r s\na -> b -> a\nb -> r -> s\nc -> r\n",
    )
    .expect("ours");
    // Generators, and the number of graphs that each stands for.
    let generators = [
        ("\"path(0..=4)\"", 5),
        ("\"star(1..=2, 1..=2)\"", 4),
        ("\"cycle(2..=4)\"", 3),
        ("\"grid(2, 2)\"", 1),
        ("\"tree(2, 1..=2)\"", 2),
        ("\"acyclic(3, 1..=2, 3, 1..=6)\"", 12),
        ("\"random(3, 1, 5, 1..=4)\"", 4),
        ("{ file = \"own.graph\" }", 1),
    ];
    let graphs = generators.map(|(generator, _)| generator).join(", ");
    let family = format!("[family]\ngraphs = [{graphs}]\ntotal_max = 8");
    let found: Vec<GraphRow> = here.plain_finished("graphs", "sowing-graph", &family);
    let expected: usize = generators.iter().map(|(_, graphs)| graphs).sum();
    assert_eq!(found.len(), expected);
    let mut infinite = 0;
    for row in &found {
        let graph: SowingGraph = match &*row.family {
            "file" => fs::read_to_string(here.path(&row.name))
                .expect("the file")
                .parse()
                .expect("a graph"),
            _ => {
                let generator: seedbank::game::sowing_graph::Generator =
                    row.name.parse().expect("a generator");
                let arguments: Vec<i64> = generator.arguments().iter().map(|&n| n as i64).collect();
                assert_eq!(arguments, row.arguments);
                generator.graph().expect("a graph")
            }
        };
        assert_eq!(row.vertices as usize, graph.len());
        assert_eq!(row.edges as usize, graph.edges().count());
        assert_eq!(row.rumas as usize, graph.rumas().count());
        let expected = counted(&graph, 8);
        let totals: Vec<i64> = expected.keys().map(|&total| i64::from(total)).collect();
        let boards: Vec<i64> = expected.values().map(|&(boards, _)| boards).collect();
        let name = &row.name;
        assert_eq!(row.totals, totals, "{name}");
        assert_eq!(row.boards_by_total.as_ref(), Some(&boards), "{name}");
        let moves = expected.values().map(|&(_, moves)| moves as i64).max();
        assert_eq!(row.moves_greatest, moves, "{name}");
        let all: i64 = boards.iter().sum();
        assert_eq!(row.boards_counted, Some(all.to_string()), "{name}");
        // If all boards were counted, none has nine stones.
        let more = counted(&graph, 9).keys().any(|&total| total == 9);
        assert!(row.stop.is_some() || !more, "{name}");
        assert_eq!(row.boards.is_some(), row.stop.is_none(), "{name}");
        assert_eq!(row.cycle.is_some(), !row.finite, "{name}");
        infinite += usize::from(!row.finite);
        let tried = row
            .strategy_boards
            .expect("strategies are tried on so few boards");
        assert_eq!(tried, all, "{name}");
        if row.in_tree {
            // In in-trees, sowing the fewest stones is always right.
            assert_eq!(
                (row.fewest_safe, row.fewest_unsafe_at.as_ref()),
                (Some(all), None),
                "{name}"
            );
            assert_eq!(row.foremost_safe, Some(all), "{name}");
        }
        assert!(row.fewest_safe <= row.fewest_lucky && row.fewest_lucky <= Some(all));
    }
    assert!(infinite > 4, "{infinite}");
    let own = found.last().expect("the file's graph");
    assert_eq!((own.finite, own.finite_in_print), (false, true));
    assert_eq!(own.cycle.as_deref(), Some("a -> b -> a"));
    assert_eq!(own.cycle_kind.as_deref(), Some("bins"));
}

#[test]
fn limits_are_kept_and_named() {
    let here = Workspace::new();
    let of = |name: &str, rest: &str| -> Vec<GraphRow> {
        here.plain_finished(name, "sowing-graph", &format!("[family]\ngraphs = {rest}"))
    };
    let row = &of("boards", "\"grid(4, 3)\"\nboards_max = 100")[0];
    assert_eq!(
        (row.boards.as_ref(), row.stop.as_deref()),
        (None, Some("boards"))
    );
    let row = &of("none", "\"path(5)\"\nstrategy_boards_max = 0")[0];
    assert_eq!((row.strategy_boards, row.fewest_safe), (None, None));
    assert_eq!(row.boards.as_deref(), Some("12"));
    let row = &of("wide", "\"star(128, 1)\"\nstrategy_boards_max = 0")[0];
    assert_eq!(
        (row.boards_counted.as_ref(), row.stop.as_deref()),
        (None, Some("overflow"))
    );
    // All totals of a cycle are known, however great.
    let row = &of(
        "cycle",
        "\"cycle(4)\"\ntotal_max = 1000000\nstrategy_boards_max = 0",
    )[0];
    assert_eq!(row.totals.len(), 115);
    assert_eq!(
        (row.total_complete, row.stop.as_deref()),
        (Some(1_000_000), Some("total"))
    );
    let row = &of(
        "cycle-few",
        "\"cycle(4)\"\nboards_max = 7\nstrategy_boards_max = 0",
    )[0];
    assert_eq!(row.totals, [0, 1, 2, 3, 4, 5, 7]);
    assert_eq!(row.stop.as_deref(), Some("boards"));
    let path = here.plain_spec(
        "large",
        "sowing-graph",
        "[family]\ngraphs = \"path(3)\"\nheld_max = 1000000000000",
    );
    let refused = here.run(&path, &[]);
    assert_eq!(refused.status, Some(1), "{refused:?}");
    assert!(
        refused.stderr.contains("held_max on each thread"),
        "{refused:?}"
    );
}

#[test]
fn an_interrupted_run_resumes_and_threads_make_no_difference() {
    for (name, game, rest, parts) in [
        (
            "fours",
            "tchoukaillon",
            "reconstructions = { numbering = \"b\", bin_max = 6, fixed = 4 }",
            2,
        ),
        (
            "graphs",
            "sowing-graph",
            "graphs = \"acyclic(3, 1, 4, 1..=150)\"",
            3,
        ),
    ] {
        let here = Workspace::new();
        let path = here.plain_spec(name, game, &format!("[family]\n{rest}"));
        let stopped = here.run(&path, &["--time-limit", "1ms"]);
        assert_eq!(stopped.status, Some(75), "{stopped:?}");
        here.finish(&path, &["--threads", "1"]);
        let whole = here.result("out", name);
        assert_eq!(whole.len(), parts + 1, "{name}");
        let out = here.path("two");
        let out = out.to_str().expect("UTF-8");
        here.finish(&path, &["--threads", "2", "--out", out]);
        assert_eq!(here.result("two", name), whole);
        for missing in files_in(&here.path(&format!("out/{name}/records"))) {
            fs::remove_file(&missing).expect("a record");
            here.finish(&path, &[]);
            assert_eq!(here.result("out", name), whole);
        }
    }
}

/// A graph that takes minutes stops soon, in each engine that counts its boards, and leaves no
/// files.
#[test]
fn a_long_graph_stops_within_a_few_seconds() {
    for (name, rest) in [
        // Swept: the graph has enough boards that its budget of steps takes minutes.
        (
            "swept",
            "graphs = \"grid(6, 6)\"\nboards_max = 1000000000\nheld_max = 4000000",
        ),
        // An in-tree, by its formula, which multiplies the numbers for 459,000 totals of each of
        // two spokes.
        ("tree", "graphs = \"star(2, 1200)\""),
        // Strategies: each is played from every board.
        (
            "strategies",
            "graphs = \"grid(6, 6)\"\nboards_max = 0\nheld_max = 4000000\nstrategy_boards_max = 20000000",
        ),
    ] {
        let here = Workspace::new();
        let path = here.plain_spec(name, "sowing-graph", &format!("[family]\n{rest}"));
        let begun = Instant::now();
        let stopped = here.run(&path, &["--time-limit", "1s", "--memory", "16GiB"]);
        assert_eq!(stopped.status, Some(75), "{stopped:?}");
        let taken = begun.elapsed();
        assert!(taken >= Duration::from_secs(1), "{name}: {taken:?}");
        assert!(taken < Duration::from_secs(15), "{name}: {taken:?}");
        assert_eq!(
            files_in(&here.path(&format!("out/{name}/records"))),
            [""; 0].map(PathBuf::from)
        );
    }
}

#[test]
fn tables_are_printed_in_every_layout() {
    let here = Workspace::new();
    let table = |name: &str, game: &str, rest: &str| {
        let path = here.plain_spec(name, game, &format!("[family]\n{rest}"));
        here.finish(&path, &[]);
        let text = printed(of_out(&here, &["table"], &path));
        text.lines()
            .map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "))
            .collect::<Vec<_>>()
    };
    let lines = table(
        "list",
        "tchoukaillon",
        "reconstructions = { numbering = \"beta\", bins = [\"3=1 7=2\", \"5=1 6=2\"] }",
    );
    assert!(
        lines.iter().any(|line| line.starts_with("3=1 7=2 34 ")),
        "{lines:?}"
    );
    assert!(
        lines.contains(&"5=1 6=2 0 mod 60 m_6 + m_5 must be even, and is 2 + 1 = 3".to_owned()),
        "{lines:?}"
    );
    let lines = table(
        "summary",
        "tchoukaillon",
        "reconstructions = { numbering = \"beta\", bin_max = 4, fixed = 2 }\n[table]\nlayout = \"summary\"",
    );
    // beta_2 beta_3, beta_2 beta_4 and beta_3 beta_4: 6 + 8 + 12 ways; beta_4 + beta_3 is even.
    assert!(
        lines.contains(&"ways to fix bins 26".to_owned()),
        "{lines:?}"
    );
    assert!(lines.contains(&"not known 0".to_owned()), "{lines:?}");
    let graphs = "graphs = [\"path(2..=3)\", \"cycle(3)\", \"star(2, 1)\"]";
    let lines = table("graphs", "sowing-graph", graphs);
    assert!(lines.contains(&"path(3) 4 3 6 5 5".to_owned()), "{lines:?}");
    assert!(
        lines
            .iter()
            .any(|line| line.starts_with("cycle(3) 3 3 16+ 100 15 1 -> r -> 2 -> 1")),
        "{lines:?}"
    );
    let lines = table(
        "totals",
        "sowing-graph",
        &format!("{graphs}\ntotal_max = 10\n[table]\nlayout = \"totals\""),
    );
    assert!(
        lines.contains(&"cycle(3) 7+ 0 1 2 3 5 7 10".to_owned()),
        "{lines:?}"
    );
    assert!(
        lines.contains(&"star(2, 1) 4 0:1 1:2 2:1".to_owned()),
        "{lines:?}"
    );
    let lines = table(
        "strategies",
        "sowing-graph",
        &format!("{graphs}\n[table]\nlayout = \"strategies\""),
    );
    assert!(
        lines.iter().any(|line| line.starts_with("path(3) 6 6 3 ")),
        "{lines:?}"
    );
}

/// Runs a job and compares it with published values.
fn checked(here: &Workspace, name: &str, game: &str, rest: &str) -> Value {
    let path = here.plain_spec(name, game, &format!("[family]\n{rest}"));
    here.finish(&path, &[]);
    let published = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/reference");
    let mut command = of_out(here, &["check", "--json", "--reference"], &published);
    command.arg(path);
    let ended = ended(command);
    assert_eq!(ended.status, Some(0), "{ended:?}");
    ended.json()
}

#[test]
fn reconstructions_and_graphs_are_compared_with_published_values() {
    let here = Workspace::new();
    let bins = [
        "5=1 6=2",
        "4=2 7=5",
        "4=1 7=0",
        "3=1 7=2",
        "3=1 7=2 9=3",
        "6=0 7=1 8=1 10=0",
        "6=0 7=1 8=1 10=1",
    ];
    let list = format!("reconstructions = {{ numbering = \"beta\", bins = {bins:?} }}");
    let report = checked(&here, "examples", "tchoukaillon", &list);
    assert_eq!(
        (&report["agreements"], &report["not_covered"]),
        (&json!(7), &json!(0))
    );
    let findings = report["findings"].as_array().expect("a list");
    assert_eq!(findings.len(), 1);
    assert!(
        findings[0]["note"]
            .as_str()
            .is_some_and(|note| note.contains("214")),
        "{report}"
    );
    let pairs = "reconstructions = { numbering = \"b\", bin_max = 6, fixed = 2 }";
    assert_eq!(
        checked(&here, "pairs", "tchoukaillon", pairs)["agreements"],
        4
    );
    fs::write(here.path("own.graph"), "ruma r\na -> b -> a\nb -> r\n").expect("ours");
    let graphs = "graphs = [\"star(1..=3, 1..=4)\", \"cycle(2..=5)\", { file = \"own.graph\" }]";
    let report = checked(&here, "graphs", "sowing-graph", graphs);
    // The file's graph refutes the published claim about finiteness, and so it agrees.
    let (stars, totals_of_the_cycle, finiteness) = (1, 6, 1);
    assert_eq!(
        report["agreements"],
        stars + totals_of_the_cycle + finiteness
    );
    assert_eq!(report["not_covered"], 0);
    let findings = report["findings"].as_array().expect("a list");
    assert_eq!(findings.len(), 1);
    assert_eq!(findings[0]["position"], "own.graph");
}

#[test]
fn plan_reports_the_work() {
    let here = Workspace::new();
    let path = here.plain_spec(
        "pairs",
        "tchoukaillon",
        "[family]\nreconstructions = { numbering = \"b\", bin_max = 6, fixed = 2 }",
    );
    let plan = printed(of_out(&here, &["plan"], &path));
    let start = "pairs: boards with fixed bins, numbering b: 295 reconstructions in 1 part, 1 left; table reconstructions in ";
    assert!(plan.starts_with(start), "{plan}");
    let path = here.plain_spec(
        "graphs",
        "sowing-graph",
        "[family]\ngraphs = \"path(1..=65)\"\ntotal_max = 9",
    );
    let plan = printed(of_out(&here, &["plan", "--json"], &path));
    let plan: Value = serde_json::from_str(&plan).expect("an object");
    assert_eq!((&plan["rows"], &plan["parts"]), (&json!(65), &json!(2)));
    assert_eq!(
        (&plan["tables"], &plan["totals"]),
        (&json!(["graphs"]), &json!("totals to 9"))
    );
}

#[test]
fn wrong_specs_are_refused_with_key_and_line() {
    let refused = |game: &str, rest: &str| {
        let text = format!("name = \"x\"\n[ruleset]\ngame = {game:?}\n[family]\n{rest}\n");
        let error = Job::parse(&text, Path::new("jobs/x.toml"), Path::new("jobs"));
        let error = error.expect_err(rest);
        schema::assert_refused(&text, &error);
        error.to_string()
    };
    let key = "family.reconstructions";
    for (rest, part) in [
        (
            "3",
            "family.reconstructions: found an integer; accepted: a table".to_owned(),
        ),
        (
            "{ bin_max = 8, fixed = 2 }",
            format!("{key}.numbering: missing; write numbering = \"beta\", or \"b\""),
        ),
        (
            "{ numbering = \"beth\", bin_max = 8, fixed = 2 }",
            "did you mean `beta`?".to_owned(),
        ),
        (
            "{ numbering = \"b\" }",
            format!("{key}: no family of fixed bins; accepted: bins = ["),
        ),
        (
            "{ numbering = \"b\", bin_max = 8 }",
            format!("{key}: no family of fixed bins"),
        ),
        (
            "{ numbering = \"b\", bin_max = 8, fixed = 2, bins = [\"1=1\"] }",
            format!("{key}: no family of fixed bins"),
        ),
        (
            "{ numbering = \"b\", bin_max = 3, fixed = 4 }",
            "4 bins cannot be fixed among the 3 from 1 to 3".to_owned(),
        ),
        (
            "{ numbering = \"b\", bin_max = 1000, fixed = 16 }",
            "2^63 ways or more to fix 16 bins".to_owned(),
        ),
        (
            "{ numbering = \"b\", bin_max = 100, fixed = 9 }",
            format!("{key}.bin_max: "),
        ),
        (
            "{ numbering = \"b\", bin_max = 1001, fixed = 2 }",
            format!("{key}.bin_max: 1001 is out of range; accepted: 1 to 1000"),
        ),
        (
            "{ numbering = \"beta\", bins = [\"3=1 7\"] }",
            format!("{key}.bins[0]: no fixed bins: \"3=1 7\""),
        ),
        (
            "{ numbering = \"beta\", bins = [\"3=1\", \"3=3\"] }",
            format!(
                "{key}.bins[1]: bin 3 of numbering beta cannot hold 3 stones; accepted: 0 to 2"
            ),
        ),
        (
            "{ numbering = \"beta\", bins = [\"1=0\"] }",
            "bin 1 of numbering beta cannot hold 0 stones; accepted: bins 2 to 1000000".to_owned(),
        ),
        (
            "{ numbering = \"beta\", bins = [] }",
            "an empty list".to_owned(),
        ),
        (
            "{ numbering = \"b\", bin_max = 8, fixed = 2, up_to = -1 }",
            format!("{key}.up_to: -1 is out of range"),
        ),
        (
            "{ numbering = \"b\", bin_max = 8, fixed = 2, upto = 1 }",
            "did you mean `up_to`?".to_owned(),
        ),
    ] {
        let error = refused("tchoukaillon", &format!("reconstructions = {rest}"));
        assert!(
            error.contains(&part) && error.contains("jobs/x.toml:5:"),
            "{rest}: no {part:?} in\n{error}"
        );
    }
    for (rest, part) in [
        ("", "family.graphs: missing; write graphs = \"path(1..=9)\""),
        (
            "graphs = 3",
            "family.graphs: found an integer; accepted: a string, such as \"star(1..=4, 6)\"",
        ),
        ("graphs = []", "family.graphs: an empty list"),
        (
            "graphs = [\"path(3)\", \"sun(3)\"]",
            "family.graphs[1]: \"sun(3)\" is no family of graphs; accepted: path(bins), star",
        ),
        (
            "graphs = \"star(1..=4)\"",
            "family.graphs: \"star(1..=4)\" is no family of graphs",
        ),
        (
            "graphs = \"cycle(0)\"",
            "family.graphs: cycle(0): the number of vertices of a cycle is 0; accepted is 1 or more",
        ),
        (
            "graphs = \"path(1..=99999)\"",
            "found 99999 graphs, and 99999 with seeds; accepted: at most 10000",
        ),
        (
            "graphs = { file = \"none.graph\" }",
            "family.graphs.file: cannot read jobs/none.graph",
        ),
        (
            "graphs = { files = \"none.graph\" }",
            "did you mean `file`?",
        ),
        (
            "graphs = \"path(3)\"\ntotal_max = 1000000001",
            "family.total_max: 1000000001 is out of range; accepted: 0 to 1000000000",
        ),
        (
            "graphs = \"path(3)\"\nboard_max = 1",
            "did you mean `boards_max`?",
        ),
        (
            "graphs = \"path(3)\"\n[table]\nlayout = \"grid\"",
            "table.layout: unknown layout \"grid\"",
        ),
        (
            "graphs = \"path(3)\"\n[columns]\nbins = true",
            "columns: unknown key",
        ),
    ] {
        let error = refused("sowing-graph", rest);
        assert!(error.contains(part), "{rest}: no {part:?} in\n{error}");
    }
}
