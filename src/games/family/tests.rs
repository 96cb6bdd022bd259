//! The laws of a family, for every kind of subfamily and for concatenated subfamilies.

use std::sync::Arc;

use proptest::prelude::*;

use super::*;
use crate::board::BoardKind;
use crate::game::Game;

fn bound(pattern: &str, bindings: &[(char, &str)]) -> Subfamily {
    let bindings = bindings
        .iter()
        .map(|(name, values)| (*name, values.parse().unwrap()));
    Subfamily::Pattern(BoundPattern::new(pattern.parse().unwrap(), bindings.collect()).unwrap())
}

fn all(game: Game, pots_max: u32, seeds_max: u32) -> AllPositions {
    let bounds = Bounds {
        pots_max: Some(pots_max),
        seeds_max: Some(seeds_max),
        ..Bounds::default()
    };
    AllPositions::new(game.shape().of_rows().unwrap(), bounds, Order::Seeds).unwrap()
}

fn read(row: &str) -> AnyBoard {
    BoardKind::Row.read(row).unwrap()
}

fn list(rows: &[&str]) -> Subfamily {
    Subfamily::List(rows.iter().map(|row| read(row)).collect())
}

fn everything() -> Family {
    let sowing = all(Game::SOWING, 4, 5);
    Family::new(vec![
        bound("1^n", &[('n', "0..=3")]),
        Subfamily::All(sowing.clone()),
        list(&[]),
        list(&["...e11e...", "312", "312"]),
        bound("(10)^m 2 (01)^n", &[('m', "1..=2"), ('n', "0..=1")]),
        Subfamily::Sample(Sample::new(20, 5, Arc::new(Population::All(sowing)))),
        Subfamily::All(all(Game::ATOMIC_WARI, 3, 4)),
    ])
    .unwrap()
}

#[test]
fn the_length_is_what_iteration_yields() {
    let family = everything();
    let members: Vec<Member> = family.iter().collect();
    assert_eq!(members.len() as u64, family.len());
    let subfamilies: u64 = family.subfamilies().iter().map(Subfamily::len).sum();
    assert_eq!(subfamilies, family.len());
    for (rank, member) in members.iter().enumerate() {
        assert_eq!(member.rank, rank as u64);
        assert_eq!(*member, family.get(member.rank));
    }
}

#[test]
fn a_rank_is_that_of_the_first_occurrence() {
    let family = everything();
    let members: Vec<Member> = family.iter().collect();
    for member in &members {
        let first = members
            .iter()
            .find(|other| other.position == member.position)
            .map(|other| other.rank);
        assert_eq!(family.rank(&member.position), first, "{}", member.position);
    }
    assert_eq!(family.rank(&read("98765")), None);
}

#[test]
fn any_range_iterates_as_the_whole_does() {
    let family = everything();
    let members: Vec<Member> = family.iter().collect();
    for start in 0..family.len() {
        let end = (start + 9).min(family.len());
        let range: Vec<Member> = family.iter_range(start..end).collect();
        assert_eq!(range, members[start as usize..end as usize]);
    }
    assert_eq!(family.iter_range(3..3).count(), 0);
}

proptest! {
    /// Wherever an iterator moves, forwards or back, it finds the same member as `get`, and
    /// continues from there.
    #[test]
    fn a_walk_goes_to_any_rank(steps in prop::collection::vec((-30i64..40, 0usize..3), 1..40)) {
        let family = everything();
        let last = family.len() as i64 - 1;
        let mut walk = family.iter();
        let mut rank = 0;
        for (step, next) in steps {
            rank = (rank + step).clamp(0, last);
            prop_assert_eq!(walk.go_to(rank as u64), family.get(rank as u64));
            for _ in 0..next {
                let member = walk.next();
                rank = (rank + 1).min(last + 1);
                let found = (rank <= last).then(|| family.get(rank as u64));
                prop_assert_eq!(member, found);
            }
        }
    }
}

#[test]
fn ranges_of_ranks_are_consecutive_and_cover_everything() {
    let family = everything();
    for rows in [1, 2, 7, 1000, u64::MAX] {
        let ranges = family.rank_ranges(rows);
        let mut next = 0;
        for range in &ranges {
            assert_eq!(range.start, next);
            assert!(range.start < range.end && range.end - range.start <= rows);
            next = range.end;
        }
        assert_eq!(next, family.len());
    }
    assert_eq!(family.rank_ranges(0), family.rank_ranges(1));
    assert_eq!(Family::new(vec![list(&[])]).unwrap().rank_ranges(5), []);
}

#[test]
fn variables_are_those_of_all_parts() {
    let family = everything();
    assert_eq!(family.variables(), ["n", "m"]);
    let member = |row: &str| family.get(family.rank(&read(row)).unwrap());
    assert_eq!(member("10201").variables, [Some(1), Some(1)]);
    assert_eq!(
        member("0").variables,
        [Some(0), None],
        "1^0 is the empty position"
    );
    let listed = member("...e11e...");
    assert_eq!((listed.source, listed.variables.len()), (3, 2));
    assert_eq!(family.pattern_text(&listed), None);
    assert_eq!(
        family.pattern_text(&member("10201")),
        Some("(10)^m 2 (01)^n")
    );
    assert_eq!(
        family.patterns().flatten().collect::<Vec<_>>(),
        ["1^n", "(10)^m 2 (01)^n"]
    );
}

#[test]
fn the_meaning_tells_families_apart() {
    let meaning = |subfamilies: Vec<Subfamily>| Family::new(subfamilies).unwrap().meaning();
    assert_eq!(
        meaning(vec![
            bound("1^n", &[('n', "1..15")]),
            list(&["312", "e 1"]),
            Subfamily::Sample(Sample::new(
                20,
                5,
                Arc::new(Population::All(all(Game::SOWING, 4, 5)))
            )),
        ]),
        "pattern 1^n; n = 1..=14\n\
         positions 2\n312\ne1\n\
         sample 20 seed 5 splitmix64\n\
         all pots_min 0 seeds_min 0 pots_max 4 seeds_max 5 order seeds\n"
    );
    assert_ne!(
        meaning(vec![list(&["1", "2"])]),
        meaning(vec![list(&["1"]), list(&["2"])])
    );
}

#[test]
fn too_many_members_are_refused() {
    let ranges = ['x', 'y', 'z'].map(|name| (name, "0..=999999"));
    let subfamily = bound("x y z", &ranges);
    assert!(Family::new(vec![subfamily.clone(); 18]).is_ok());
    assert_eq!(Family::new(vec![subfamily; 19]).err(), Some(TooManyMembers));
}

#[test]
fn families_cross_threads() {
    fn crosses<T: Send + Sync>() {}
    crosses::<Family>();
    crosses::<Member>();
}
