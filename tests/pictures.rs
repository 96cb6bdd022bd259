//! Pictures: values, boards, graphs and tables as SVG, DOT and Vega-Lite.

use std::fs;
use std::path::Path;

use crate::common::workspace::{Workspace, ended, of_out, printed, seedbank};

#[test]
fn a_value_is_drawn_as_its_thermograph() {
    let picture = printed(seedbank(&["value", "--svg", "{2|0||-2|-4}"]));
    assert!(picture.starts_with("<svg xmlns="), "{picture}");
    assert!(
        picture.contains("<title>Thermograph of {2|0||-2|-4}</title>"),
        "{picture}"
    );
    for label in [">mean -1</text>", ">t = 2</text>"] {
        assert!(picture.contains(label), "{label}: {picture}");
    }
    let refused = ended(seedbank(&["value", "--svg", "1", "2"]));
    assert_eq!(refused.status, Some(2));
    assert!(
        refused
            .stderr
            .contains("--svg takes one value, and there are 2"),
        "{refused:?}"
    );
}

#[test]
fn a_board_is_drawn_with_its_stones() {
    let board =
        |arguments: &[&str]| seedbank(&[&["tchoukaillon", "board", "--svg"], arguments].concat());
    let picture = printed(board(&["15"]));
    assert_eq!(picture.matches("class=\"stone\"").count(), 15);
    for (arguments, says) in [
        (&["1", "2"][..], "--svg takes one number of stones"),
        (&["1..=3"], "not a range"),
        (&["100000"], "a picture shows at most 100"),
    ] {
        let refused = ended(board(arguments));
        assert_eq!(refused.status, Some(2), "{refused:?}");
        assert!(refused.stderr.contains(says), "{refused:?}");
    }
}

#[test]
fn a_graph_is_drawn_or_written_for_graphviz() {
    let graph = |arguments: &[&str]| seedbank(&[&["graph", "--generate"], arguments].concat());
    let picture = printed(graph(&["cycle(3)", "--svg"]));
    assert_eq!(picture.matches("<circle").count(), 2);
    assert_eq!(picture.matches("class=\"head\"").count(), 3);
    let dot = printed(graph(&["path(2)", "--dot"]));
    assert_eq!(
        dot,
        "digraph sowing {\n    rankdir=RL;\n    node [shape=circle];\n    \"r\" [shape=box];\n    \"1\";\n    \"2\";\n    \
         \"1\" -> \"r\";\n    \"2\" -> \"1\";\n}\n"
    );
    let refused = ended(graph(&["path(100)", "--svg"]));
    assert_eq!(refused.status, Some(2));
    assert!(refused.stderr.contains("at most 60"), "{refused:?}");
}

#[test]
fn the_picture_of_the_front_page_is_that_of_table_5() {
    let here = Workspace::new();
    let repository = Path::new(env!("CARGO_MANIFEST_DIR"));
    let spec = repository.join("jobs/table-5.toml");
    here.finish(&spec, &[]);
    let picture = printed(of_out(&here, &["table", "--format", "svg"], &spec));
    let shipped = repository.join("data/reference/table-5.svg");
    assert_eq!(picture, fs::read_to_string(shipped).unwrap());
    assert_eq!(picture.matches("<rect").count(), 100);
    let chart = printed(of_out(&here, &["table", "--format", "vega-lite"], &spec));
    let chart: serde_json::Value = serde_json::from_str(&chart).unwrap();
    assert_eq!(chart["data"]["values"].as_array().unwrap().len(), 10);
    assert_eq!(chart["mark"]["type"], "rect");
}
