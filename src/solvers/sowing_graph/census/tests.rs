use super::*;

/// The product over the pieces agrees with an enumeration of the whole graph.
#[test]
fn pieces_multiply() {
    let two = "ruma r s\nbin a b c d e\na -> r\nb -> a -> s\nc -> r\nd -> c\ne -> d -> s";
    let mut graphs: Vec<SowingGraph> = vec![
        two.parse().unwrap(),
        SowingGraph::star(3, 3).unwrap(),
        SowingGraph::tree(2, 3).unwrap(),
        SowingGraph::tree(3, 2).unwrap(),
        SowingGraph::grid(4, 2).unwrap(),
        SowingGraph::path(0).unwrap(),
    ];
    graphs.extend((0..60).map(|seed| SowingGraph::random_acyclic(6, 2, 7, seed).unwrap()));
    let mut split = 0;
    for graph in &graphs {
        split += usize::from(pieces(graph).len() > 1);
        for total_max in [0, 1, 2, 5, 9, 1000] {
            let limits = EnumerationLimits {
                total_max,
                ..EnumerationLimits::default()
            };
            let fast = census(graph, limits).unwrap();
            let slow = census_in_one(graph, limits).unwrap();
            assert_eq!(fast.boards(), slow.boards(), "{graph}{total_max}");
            let counts = |census: &Census| -> Vec<(u64, u128)> {
                census
                    .by_total
                    .iter()
                    .map(|row| (row.total, row.boards))
                    .collect()
            };
            assert_eq!(counts(&fast), counts(&slow), "{graph}{total_max}");
            assert_eq!(
                fast.total_complete, slow.total_complete,
                "{graph}{total_max}"
            );
            assert_eq!(fast.stop, slow.stop, "{graph}{total_max}");
            // The numbers of moves agree, too: if no walk passes a Ruma, it is the total.
            assert_eq!(fast.by_total, slow.by_total);
        }
    }
    assert!(split > 20, "{split}");
}

/// A stop request takes effect at the next check, whichever algorithm is counting.
#[test]
fn a_census_stops_on_request() {
    let graphs = [
        SowingGraph::grid(6, 6).unwrap(),
        SowingGraph::tree(2, 13).unwrap(),
        // Two pieces that are not in-trees.
        "ruma r\nbin a b c d e f\na -> b -> c -> a -> r\nd -> e -> f -> d -> r"
            .parse()
            .unwrap(),
    ];
    let limits = EnumerationLimits {
        held_max: 4_000_000,
        total_max: 400_000,
        ..EnumerationLimits::default()
    };
    for graph in &graphs {
        for after in [0, 1, 5] {
            let looks = std::cell::Cell::new(0);
            let stop = || {
                looks.set(looks.get() + 1);
                looks.get() > after
            };
            let counted = census_until(graph, limits, &stop).unwrap();
            assert_eq!(counted.stop, Some(Stop::Asked), "{graph}{after}");
            // One more check ends the callers.
            assert!(looks.get() <= after + 2, "{graph}{after}: {looks:?}");
        }
    }
}

/// A watcher that records checkpoints, and stops the census after a number of them.
#[derive(Default)]
struct Recorder {
    left: std::cell::Cell<u32>,
    recorded: RefCell<Option<(CensusProgress, Vec<u128>)>>,
    resumed: std::cell::Cell<u32>,
}

impl Watcher<CensusProgress> for Recorder {
    fn stop(&self) -> bool {
        self.left.get() == 0
    }

    fn is_due(&self) -> bool {
        true
    }

    fn take(&self, progress: CensusProgress, keys: &mut dyn Iterator<Item = u128>) {
        *self.recorded.borrow_mut() = Some((progress, keys.collect()));
        self.left.set(self.left.get() - 1);
    }

    fn known(&self) -> Option<(CensusProgress, Vec<u128>)> {
        let (progress, keys) = self.recorded.take()?;
        self.resumed.set(self.resumed.get() + 1);
        Some((progress, keys))
    }
}

/// However often a census is interrupted, it ends with the result of an uninterrupted one,
/// whatever limit it reaches.
#[test]
fn an_interrupted_census_resumes() {
    let graphs: Vec<SowingGraph> = vec![
        SowingGraph::grid(4, 3).unwrap(),
        SowingGraph::cycle(5).unwrap(),
        // Two pieces that are not in-trees.
        "ruma r\nbin a b c d e f\na -> b -> c -> a -> r\nd -> e -> f -> r\nd -> f\nd -> r"
            .parse()
            .unwrap(),
        // Boards of more than 64 bits.
        SowingGraph::grid(5, 5).unwrap(),
    ];
    let all = EnumerationLimits {
        boards_max: 3000,
        total_max: 40,
        ..EnumerationLimits::default()
    };
    let limits = [
        all,
        EnumerationLimits {
            held_max: 60,
            ..all
        },
        EnumerationLimits {
            steps_max: 9_000,
            ..all
        },
    ];
    let mut resumed = 0;
    for graph in &graphs {
        for limits in limits {
            let whole = census(graph, limits).unwrap();
            let recorder = Recorder::default();
            let counted = loop {
                recorder.left.set(3);
                let counted = census_until(graph, limits, &recorder).unwrap();
                if counted.stop != Some(Stop::Asked) {
                    break counted;
                }
            };
            assert_eq!(counted, whole, "{graph}{limits:?}");
            resumed += recorder.resumed.get();
        }
    }
    assert!(resumed > 50, "{resumed}");
    // If keys are missing, it starts over.
    let recorder = Recorder::default();
    recorder.left.set(5);
    census_until(&graphs[0], all, &recorder).unwrap();
    recorder.recorded.borrow_mut().as_mut().unwrap().1.pop();
    recorder.left.set(1000);
    let counted = census_until(&graphs[0], all, &recorder).unwrap();
    let (mine, whole) = (counted.boards(), census(&graphs[0], all).unwrap().boards());
    assert_eq!(mine, whole);
}

#[test]
fn limits_are_stated() {
    let graph = SowingGraph::grid(5, 3).unwrap();
    let all = census(&graph, EnumerationLimits::default()).unwrap();
    assert_eq!(all.stop, None);
    for boards_max in [0, 1, 2, 100, 1000] {
        let limits = EnumerationLimits {
            boards_max,
            ..EnumerationLimits::default()
        };
        let some = census(&graph, limits).unwrap();
        assert_eq!(some.stop, Some(Stop::Boards));
        assert!(some.boards() <= boards_max.into());
        let rows = some.by_total.len();
        assert_eq!(some.by_total, all.by_total[..rows]);
    }
    let held = EnumerationLimits {
        held_max: 50,
        ..EnumerationLimits::default()
    };
    let some = census(&graph, held).unwrap();
    assert_eq!(some.stop, Some(Stop::Held));
    assert!(some.by_total.len() > 3);
    assert_eq!(some.by_total, all.by_total[..some.by_total.len()]);
    // An in-tree has all its totals, or those that fit.
    let path = SowingGraph::path(9).unwrap();
    for held_max in 0..=130 {
        let held = EnumerationLimits {
            held_max,
            ..EnumerationLimits::default()
        };
        let some = census(&path, held).unwrap();
        // N(10) = 34 boards, one of each total.
        let fit = (held_max / 4).min(34);
        assert_eq!(some.by_total.len() as u64, fit);
        assert_eq!(some.total_complete, fit.checked_sub(1));
        assert_eq!(some.stop, (fit < 34).then_some(Stop::Held));
    }
    let steps = EnumerationLimits {
        steps_max: 1000,
        ..EnumerationLimits::default()
    };
    assert_eq!(census(&graph, steps).unwrap().stop, Some(Stop::Steps));
    let cycle = census(
        &SowingGraph::cycle(30).unwrap(),
        EnumerationLimits::default(),
    )
    .unwrap();
    assert_eq!(
        (cycle.stop, cycle.total_complete),
        (Some(Stop::Width), Some(15))
    );
    assert_eq!(
        census_in_one(
            &SowingGraph::path(200).unwrap(),
            EnumerationLimits::default()
        )
        .unwrap_err()
        .to_string(),
        "200 bins can hold stones; a search takes at most 128: use a smaller graph"
    );
    let many = census(
        &SowingGraph::star(128, 1).unwrap(),
        EnumerationLimits::default(),
    );
    assert_eq!(many, Err(CensusError::Overflow(CountOverflow)));
}
