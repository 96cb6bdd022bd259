//! A sowing graph: vertices in columns by their distance to a Ruma, edges as arrows.

use std::collections::VecDeque;

use cggames::game::sowing_graph::{SowingGraph, Vertex};

use super::number::number;
use super::writer::Svg;

/// The most vertices of a picture; larger graphs need a program that lays out graphs.
pub const VERTICES_DRAWN: usize = 60;

/// The number of rounds in which the vertices of each column are put in order.
const ROUNDS: usize = 8;

/// Unit: pixels.
const COLUMN: f64 = 110.0;
const ROW: f64 = 56.0;
const MARGIN: f64 = 40.0;
const RADIUS: f64 = 16.0;
const ARROW: f64 = 8.0;

/// Draws a graph of at most [`VERTICES_DRAWN`] vertices; `None` for a larger one.
///
/// Rumas are squares in the column on the right. A bin stands in the column of its distance to them,
/// and in the first column on the left if it reaches none. Within a column, vertices are ordered by
/// the mean place of their neighbours, which keeps most edges from crossing.
///
/// ```
/// use seedbank::report::svg::graph;
///
/// let path = "ruma r\nb -> a -> r".parse()?;
/// let picture = graph("a path", &path).expect("three vertices").inline();
/// assert!(picture.contains("<title>The sowing graph a path</title>"));
/// # Ok::<(), seedbank::game::sowing_graph::GraphError>(())
/// ```
pub fn graph(name: &str, graph: &SowingGraph) -> Option<Svg> {
    if graph.len() > VERTICES_DRAWN {
        return None;
    }
    let columns = columns(graph);
    let rows = columns.iter().map(Vec::len).max().unwrap_or(0);
    let size = [
        2.0 * MARGIN + (columns.len() as f64 - 1.0) * COLUMN,
        2.0 * MARGIN + (rows as f64 - 1.0) * ROW,
    ];
    let mut places = vec![[0.0; 2]; graph.len()];
    for (column, vertices) in columns.iter().enumerate() {
        let top = (rows - vertices.len()) as f64 / 2.0;
        for (row, vertex) in vertices.iter().enumerate() {
            places[vertex.index()] = [
                MARGIN + (columns.len() - 1 - column) as f64 * COLUMN,
                MARGIN + (top + row as f64) * ROW,
            ];
        }
    }
    let edges: Vec<String> = graph
        .edges()
        .map(|(from, to)| format!("{} to {}", graph.name(from), graph.name(to)))
        .collect();
    let mut picture = Svg::new(
        size,
        format!("The sowing graph {name}"),
        format!("{}.", edges.join("; ")),
    );
    for (from, to) in graph.edges() {
        let has_opposite = graph.successors(to).contains(&from);
        arrow(
            &mut picture,
            places[from.index()],
            places[to.index()],
            has_opposite,
        );
    }
    for vertex in graph.vertices() {
        let [x, y] = places[vertex.index()];
        let title = if graph.is_ruma(vertex) {
            format!("Ruma {}", graph.name(vertex))
        } else {
            format!("bin {}", graph.name(vertex))
        };
        picture.group("", &title, |picture| {
            if graph.is_ruma(vertex) {
                picture.rect(
                    [x - RADIUS, y - RADIUS],
                    [2.0 * RADIUS, 2.0 * RADIUS],
                    "bin playable",
                )
            } else {
                picture.circle([x, y], RADIUS, "bin")
            }
            picture.text([x, y + 4.0], "small middle", graph.name(vertex));
        });
    }
    Some(picture)
}

/// Returns the vertices by their distance to a Ruma, each column in the order of its vertices from
/// top to bottom.
fn columns(graph: &SowingGraph) -> Vec<Vec<Vertex>> {
    let mut distances: Vec<Option<usize>> = vec![None; graph.len()];
    let mut waiting: VecDeque<Vertex> = graph.rumas().collect();
    for ruma in graph.rumas() {
        distances[ruma.index()] = Some(0);
    }
    while let Some(vertex) = waiting.pop_front() {
        let next = distances[vertex.index()].map(|distance| distance + 1);
        for &before in graph.predecessors(vertex) {
            if distances[before.index()].is_none() {
                distances[before.index()] = next;
                waiting.push_back(before);
            }
        }
    }
    let farthest = distances.iter().flatten().max().copied().unwrap_or(0);
    let mut columns = vec![Vec::new(); farthest + 2];
    for vertex in graph.vertices() {
        columns[distances[vertex.index()].unwrap_or(farthest + 1)].push(vertex);
    }
    columns.retain(|column| !column.is_empty());
    let mut heights: Vec<f64> = vec![0.0; graph.len()];
    let place = |column: &[Vertex], heights: &mut [f64]| {
        for (row, vertex) in column.iter().enumerate() {
            heights[vertex.index()] = row as f64 - (column.len() as f64 - 1.0) / 2.0;
        }
    };
    columns
        .iter()
        .for_each(|column| place(column, &mut heights));
    for _ in 0..ROUNDS {
        for column in &mut columns {
            let mean = |vertex: &Vertex| {
                let near = graph
                    .successors(*vertex)
                    .iter()
                    .chain(graph.predecessors(*vertex));
                let near: Vec<f64> = near.map(|vertex| heights[vertex.index()]).collect();
                near.iter().sum::<f64>() / near.len().max(1) as f64
            };
            let mut ordered: Vec<(f64, Vertex)> = column
                .iter()
                .map(|vertex| (mean(vertex), *vertex))
                .collect();
            ordered.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            *column = ordered.into_iter().map(|(_, vertex)| vertex).collect();
            place(column, &mut heights);
        }
    }
    columns
}

/// Draws an edge between the rims of two vertices. It is bent if there is an edge in the opposite
/// direction, and so are edges within a column, which would run through the vertices between.
fn arrow(picture: &mut Svg, from: [f64; 2], to: [f64; 2], has_opposite: bool) {
    let (dx, dy) = (to[0] - from[0], to[1] - from[1]);
    let length = dx.hypot(dy);
    if length == 0.0 {
        let [x, y] = from;
        let loops = [
            [x - 8.0, y - 14.0],
            [x - 18.0, y - 38.0],
            [x + 18.0, y - 38.0],
            [x + 8.0, y - 14.0],
        ];
        curve(picture, loops);
        return;
    }
    let (ux, uy) = (dx / length, dy / length);
    let bend = match (has_opposite, dx == 0.0) {
        (_, true) => 0.3 * length,
        (true, false) => 0.15 * length,
        (false, false) => 0.0,
    };
    // To the left of the direction of the edge, so that opposite edges bend apart.
    let middle = |part: f64| {
        [
            from[0] + part * dx + bend * uy,
            from[1] + part * dy - bend * ux,
        ]
    };
    let (first, second) = (middle(1.0 / 3.0), middle(2.0 / 3.0));
    let rim = |center: [f64; 2], towards: [f64; 2]| {
        let (x, y) = (towards[0] - center[0], towards[1] - center[1]);
        let distance = x.hypot(y);
        [
            center[0] + x / distance * RADIUS,
            center[1] + y / distance * RADIUS,
        ]
    };
    curve(picture, [rim(from, first), first, second, rim(to, second)]);
}

/// Draws a Bezier curve with an arrow head at its end.
fn curve(picture: &mut Svg, points: [[f64; 2]; 4]) {
    let [from, first, second, to] = points.map(|point| point.map(number).join(","));
    let path = format!("M{from}C{first} {second} {to}");
    picture.element("path", &[("d", &path), ("class", &"edge")]);
    let [_, _, before, end] = points;
    let (x, y) = (end[0] - before[0], end[1] - before[1]);
    let length = x.hypot(y);
    let (x, y) = (x / length * ARROW, y / length * ARROW);
    let head = [
        end,
        [end[0] - x - 0.5 * y, end[1] - y + 0.5 * x],
        [end[0] - x + 0.5 * y, end[1] - y - 0.5 * x],
    ];
    picture.polygon(&head, "head");
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picture(text: &str) -> String {
        graph("it", &text.parse().unwrap()).unwrap().inline()
    }

    #[test]
    fn every_vertex_and_edge_is_drawn() {
        let cycle = picture("ruma r\na -> b -> a\nb -> r");
        assert_eq!(cycle.matches("<circle").count(), 2);
        assert_eq!(cycle.matches("class=\"edge\"").count(), 3);
        assert_eq!(cycle.matches("class=\"head\"").count(), 3);
        assert!(
            cycle.contains("<desc>a to b; b to r; b to a.</desc>"),
            "{cycle}"
        );
        // Bins by their distance to the Ruma, from right to left.
        assert!(cycle.contains(r#"<circle cx="150" cy="40""#), "{cycle}");
        assert!(cycle.contains(r#"<circle cx="40" cy="40""#), "{cycle}");
    }

    #[test]
    fn bins_that_reach_no_ruma_and_loops_have_a_place_and_large_graphs_none() {
        let lost = picture("ruma r\na -> r\nbin b\nc -> c");
        assert_eq!(lost.matches("<circle").count(), 3);
        assert!(!lost.contains("NaN"), "{lost}");
        let many: Vec<String> = (0..60).map(|bin| format!("v{bin} -> r")).collect();
        let many = format!("ruma r\n{}", many.join("\n"));
        assert!(graph("many", &many.parse().unwrap()).is_none());
    }
}
