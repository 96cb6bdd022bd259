//! Graphs in DOT, the language of Graphviz.

use cggames::game::sowing_graph::SowingGraph;

/// Returns a sowing graph in DOT, Rumas as boxes.
///
/// ```
/// use cggames::game::sowing_graph::SowingGraph;
/// use seedbank::report::dot;
///
/// let text = dot::graph(&SowingGraph::path(1)?);
/// assert!(text.starts_with("digraph sowing {") && text.contains("\"1\" -> \"r\""), "{text}");
/// # Ok::<(), cggames::game::sowing_graph::GraphError>(())
/// ```
pub fn graph(graph: &SowingGraph) -> String {
    let mut text = "digraph sowing {\n    rankdir=RL;\n    node [shape=circle];\n".to_owned();
    for ruma in graph.rumas() {
        text.push_str(&format!("    {:?} [shape=box];\n", graph.name(ruma)));
    }
    for bin in graph.bins() {
        text.push_str(&format!("    {:?};\n", graph.name(bin)));
    }
    for (from, to) in graph.edges() {
        text.push_str(&format!(
            "    {:?} -> {:?};\n",
            graph.name(from),
            graph.name(to)
        ));
    }
    text + "}\n"
}
