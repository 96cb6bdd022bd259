use cggames::game::impartial::{Component, Sum};

use super::*;
use crate::obligated::ObligatedValue;
use cggames::game::Convention;

fn sum(text: &str) -> Sum {
    text.parse().expect(text)
}

fn moves(text: &str, convention: Convention) -> Vec<String> {
    let sum = ObligatedSum::new(&sum(text), &mut ComponentValues::new());
    sum.winning_moves(convention)
        .map(|m| m.to_string())
        .collect()
}

/// Compares value and winning moves with play.
fn check_obligated(sum: &Sum, values: &mut ComponentValues) {
    let fast = ObligatedSum::new(sum, values);
    let slow = play_obligated(sum).expect("a small sum");
    assert_eq!(fast.value, slow, "{sum}");
    // Tries every move of the group in play.
    let groups = sum.groups();
    let movable = |group: &Vec<Component>| group.iter().any(|c| !c.options().is_empty());
    let Some(front) = groups.iter().position(movable) else {
        return;
    };
    for convention in Convention::ALL {
        let mut slow = Vec::new();
        for (place, component) in groups[front].iter().enumerate() {
            for leaves in component.options() {
                let component = component.clone();
                let tried = SumMove {
                    group: front,
                    place,
                    component,
                    leaves,
                };
                let after = play_obligated(&tried.obliged(sum)).expect("a small sum");
                let mut key: Vec<String> = tried.leaves.iter().map(|c| c.to_string()).collect();
                key.sort();
                if !after.is_n(convention) {
                    slow.push((place, key));
                }
            }
        }
        let fast = fast.winning_moves(convention).map(|m| {
            let mut key: Vec<String> = m.leaves.iter().map(|c| c.to_string()).collect();
            key.sort();
            (m.place, key)
        });
        let fast: Vec<_> = fast.collect();
        let mut unique = fast.clone();
        unique.sort();
        unique.dedup();
        assert_eq!(unique.len(), fast.len(), "{sum}: no move twice");
        slow.sort();
        slow.dedup();
        assert_eq!(unique, slow, "{sum} {convention}");
    }
}

/// Compares nim-value and winning moves with play.
fn check_disjunctive(sum: &Sum, values: &mut ComponentValues) {
    let fast = DisjunctiveSum::new(sum, values).expect("one group");
    let with = |heap: u32| {
        let heap = Component::nim(&[heap]).expect("small");
        let all = sum.components().cloned().chain([heap]);
        play_disjunctive(&Sum::new(all))
            .expect("a small sum")
            .is_n(Convention::Normal)
    };
    assert!(!with(fast.nim_value), "{sum}");
    assert!(fast.nim_value == 0 || with(0), "{sum}");
    let winning = |m: &SumMove| {
        !play_disjunctive(&m.free(sum))
            .expect("small")
            .is_n(Convention::Normal)
    };
    assert!(fast.winning_moves().all(winning), "{sum}");
    let mut wins = 0;
    for (place, component) in sum.groups()[0].iter().enumerate() {
        let mut seen = std::collections::BTreeSet::new();
        for mut leaves in component.options() {
            leaves.sort();
            let component = component.clone();
            let tried = SumMove {
                group: 0,
                place,
                component,
                leaves,
            };
            wins += usize::from(winning(&tried) && seen.insert(tried.leaves));
        }
    }
    assert_eq!(wins, fast.winning_moves().count(), "{sum}");
}

/// Ferguson's worked sums give a winning move in one component, which is right. They add that it is
/// the only component to move, which is an error: if another component has value `11`, a component
/// of value `01` may be started, too, as long as its starter keeps the move. Play confirms this.
#[test]
fn ferguson_s_queens_are_won_by_three_moves() {
    let text = "wythoff(0,1) + wythoff(1,4) + wythoff(2,1) + wythoff(2,2) + wythoff(5,3)";
    for convention in Convention::ALL {
        let all = [
            "wythoff(1,4) -> wythoff(1,2)",
            "wythoff(2,1) -> wythoff(0,1)",
            "wythoff(2,1) -> wythoff(1,0)",
        ];
        assert_eq!(moves(text, convention), all);
    }
    check_obligated(&sum(text), &mut ComponentValues::new());
    // Without the queen on (5,3) the rest is 01, so the queen on (1,4) must be won under the convention
    // that counts.
    let text = "wythoff(0,1) + wythoff(1,4) + wythoff(2,1) + wythoff(2,2)";
    let of_1_4 = |convention| {
        let moves = moves(text, convention);
        moves
            .into_iter()
            .filter(|m| m.starts_with("wythoff(1,4)"))
            .collect::<Vec<_>>()
    };
    assert_eq!(of_1_4(Convention::Normal), ["wythoff(1,4) -> wythoff(1,2)"]);
    assert_eq!(of_1_4(Convention::Misere), ["wythoff(1,4) -> wythoff(1,0)"]);
    check_obligated(&sum(text), &mut ComponentValues::new());
}

#[test]
fn ferguson_s_knights_are_won_by_the_moves_printed_and_others() {
    let text = "knight(3,4) + knight(5,3) + knight(4,9) + knight(6,4)";
    let analysis = ObligatedSum::new(&sum(text), &mut ComponentValues::new());
    let values: Vec<String> = analysis
        .components
        .iter()
        .map(|(_, v)| v.to_string())
        .collect();
    assert_eq!(values, ["11", "10", "01", "10"]);
    assert_eq!(analysis.value.to_string(), "11");
    let others = ["knight(4,9) -> knight(3,7)", "knight(4,9) -> knight(5,7)"];
    let all = |printed| [vec![printed], others.to_vec()].concat();
    assert_eq!(
        moves(text, Convention::Normal),
        all("knight(3,4) -> knight(1,5)")
    );
    assert_eq!(
        moves(text, Convention::Misere),
        all("knight(3,4) -> knight(1,3)")
    );
    check_obligated(&sum(text), &mut ComponentValues::new());
}

#[test]
fn figure_1_is_found_again() {
    let mut values = ComponentValues::new();
    for x in 0..8 {
        for y in 0..8 {
            let value = values
                .obligated(&Component::wythoff(x, y).expect("small"))
                .to_string();
            let printed = match (x, y) {
                (0, 0) | (1, 2) | (2, 1) => "01",
                (0, 1) | (1, 0) | (2, 2) => "10",
                (3, 5) | (5, 3) | (4, 7) | (7, 4) => "00",
                _ => "11",
            };
            assert_eq!(value, printed, "{x},{y}");
        }
    }
}

/// Components of every kind, small enough to be played out in threes.
fn small() -> Vec<Component> {
    let text = "nim(0) + nim(1) + nim(2) + nim(1,1) + nim(1,2) + checkers(2,3) + kayles(1) + kayles(3) + kayles(4) \
        + wythoff(1,2) + wythoff(0,1) + wythoff(2,2) + wythoff(3,5) + wythoff(1,4) + knight(2,2) + knight(4,0) \
        + knight(3,3) + knight(2,4) + grundy(4) + grundy(7) + 0.137(7) + 0.007(8) + 0.0F(5) + 4.0(4) + C.1(4) \
        + subtraction(1,3)(4)";
    sum(text).components().cloned().collect()
}

#[test]
fn all_sums_of_two_small_components_agree_with_play() {
    let (small, mut values) = (small(), ComponentValues::new());
    let mut seen = std::collections::BTreeSet::new();
    for a in &small {
        for b in &small {
            seen.extend([a, b].map(|c| values.obligated(c)));
            check_obligated(&Sum::new([a.clone(), b.clone()]), &mut values);
            check_obligated(
                &Sum::of_groups([vec![a.clone()], vec![b.clone()]]),
                &mut values,
            );
            check_disjunctive(&Sum::new([a.clone(), b.clone()]), &mut values);
        }
    }
    assert_eq!(seen.into_iter().collect::<Vec<_>>(), ObligatedValue::ALL);
}

#[test]
fn random_sums_agree_with_play() {
    let (small, mut values) = (small(), ComponentValues::new());
    let mut random = fastrand::Rng::with_seed(20_261_121);
    let easy = |c: &Component| c.to_string() != "wythoff(3,5)" && c.to_string() != "wythoff(1,4)";
    let few: Vec<&Component> = small.iter().filter(|c| easy(c)).collect();
    for _ in 0..150 {
        let groups = (0..1 + random.usize(..2))
            .map(|_| 1 + random.usize(..2))
            .collect::<Vec<_>>();
        let groups = groups.into_iter().map(|length| {
            (0..length)
                .map(|_| few[random.usize(..few.len())].clone())
                .collect::<Vec<_>>()
        });
        let sum = Sum::of_groups(groups.collect::<Vec<_>>());
        check_obligated(&sum, &mut values);
        assert_eq!(sum.to_string().parse(), Ok(sum));
    }
    for _ in 0..40 {
        let three = (0..3).map(|_| few[random.usize(..few.len())].clone());
        let sum = Sum::new(three.collect::<Vec<_>>());
        check_obligated(&sum, &mut values);
        check_disjunctive(&sum, &mut values);
    }
}

#[test]
fn sums_that_are_over_have_no_moves() {
    for text in ["0", "nim(0)", "knight(1,1) + kayles(0) > 0", "0 > 0"] {
        let analysis = ObligatedSum::new(&sum(text), &mut ComponentValues::new());
        assert_eq!(analysis.value.to_string(), "01", "{text}");
        assert!(
            Convention::ALL
                .iter()
                .all(|&convention| analysis.winning_moves(convention).next().is_none())
        );
    }
    // A finished group in front does not hold up play.
    assert_eq!(
        moves("knight(1,1) > nim(1)", Convention::Normal),
        ["nim(1) -> nim(0)"]
    );
}

#[test]
fn disjunctive_sums_have_one_group() {
    let error = DisjunctiveSum::new(&sum("nim(1) > nim(2)"), &mut ComponentValues::new());
    let message = error.expect_err("two groups").to_string();
    assert!(message.contains("write \"+\""), "{message}");
}

#[test]
fn the_checkers_of_the_column_are_won_by_one_step() {
    let sum = DisjunctiveSum::new(&sum("checkers(4,3)"), &mut ComponentValues::new());
    let sum = sum.expect("one group");
    assert_eq!(sum.nim_value, 1);
    let moves: Vec<String> = sum.winning_moves().map(|m| m.to_string()).collect();
    assert_eq!(moves, ["checkers(4,3) -> checkers(3,3)"]);
}

#[test]
fn sums_too_large_to_play_are_refused() {
    let knights = (60..68).map(|x| format!("knight({x},60)"));
    let knights = knights.collect::<Vec<_>>().join(" + ");
    let error = play_obligated(&sum(&knights)).expect_err("many positions");
    assert!(
        error
            .to_string()
            .contains("this slow method is for small games"),
        "{error}"
    );
}

#[test]
fn the_largest_components_are_worked_out() {
    let text =
        "wythoff(1000,999) + knight(1000,1000) + nim(10000,9999) + kayles(10000) + 0.77(9999)";
    let mut values = ComponentValues::new();
    let analysis = ObligatedSum::new(&sum(text), &mut values);
    assert_eq!(analysis.components.len(), 5);
}
