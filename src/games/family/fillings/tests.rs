use super::*;

const FREE: (u32, Option<u32>) = (0, None);

/// Pots of up to `pot_max` seeds of two colours, by number of seeds.
fn coloured(pot_max: u32) -> Vec<[u32; 2]> {
    (0..=pot_max)
        .flat_map(|seeds| (0..=seeds).map(move |blue| [blue, seeds - blue]))
        .collect()
}

/// The symmetries of a row: exchange of colours and mirror image, each if its flag is set.
fn row(cells: usize, mirror: bool, exchange: bool, weights: &[[u32; 2]]) -> Vec<Symmetry> {
    let same: Vec<usize> = (0..weights.len()).collect();
    let exchanged: Vec<usize> = (weights.iter())
        .map(|&[blue, red]| weights.iter().position(|&w| w == [red, blue]).unwrap())
        .collect();
    let mut symmetries = Vec::new();
    for values in [Some(same), exchange.then_some(exchanged)]
        .into_iter()
        .flatten()
    {
        let straight: Vec<usize> = (0..cells).collect();
        let reversed: Vec<usize> = (0..cells).rev().collect();
        for cells in [Some(straight), mirror.then_some(reversed)]
            .into_iter()
            .flatten()
        {
            let values = values.clone();
            symmetries.push(Symmetry { cells, values });
        }
    }
    symmetries
}

/// The 4 symmetries of a rectangle or the 8 of a square.
fn grid(rows: usize, columns: usize, values: usize) -> Vec<Symmetry> {
    let mut symmetries = Vec::new();
    for bits in 0..if rows == columns { 8 } else { 4 } {
        let image = |cell| {
            let (mut r, mut c) = (cell / columns, cell % columns);
            r = if bits & 1 == 0 { r } else { rows - 1 - r };
            c = if bits & 2 == 0 { c } else { columns - 1 - c };
            if bits & 4 == 0 {
                r * columns + c
            } else {
                c * columns + r
            }
        };
        symmetries.push(Symmetry {
            cells: (0..rows * columns).map(image).collect(),
            values: (0..values).collect(),
        });
    }
    symmetries
}

/// A grid of pots of up to `pot_max` seeds.
fn grid_rules(
    rows: usize,
    columns: usize,
    pot_max: u32,
    seeds: (u32, Option<u32>),
) -> FillingRules {
    FillingRules {
        least: vec![0; rows * columns],
        weights: (0..=pot_max).map(|seeds| [seeds, 0]).collect(),
        bounds: [seeds, FREE],
        symmetries: grid(rows, columns, pot_max as usize + 1),
    }
}

/// A row of `cells` cells with two values, 0 and 1, and no symmetry.
fn bits(cells: usize, ones: (u32, Option<u32>)) -> FillingRules {
    FillingRules {
        least: vec![0; cells],
        weights: vec![[0, 0], [1, 0]],
        bounds: [ones, FREE],
        symmetries: row(cells, false, false, &[[0, 0], [1, 1]]),
    }
}

/// Every filling of `cells` cells with values below `values`.
fn product(cells: usize, values: usize) -> Vec<Vec<usize>> {
    let mut all = vec![Vec::new()];
    for _ in 0..cells {
        let longer = |f: Vec<usize>| (0..values).map(move |v| [f.clone(), vec![v]].concat());
        all = all.into_iter().flat_map(longer).collect();
    }
    all
}

fn is_within(rules: &FillingRules, filling: &[usize]) -> bool {
    filling
        .iter()
        .zip(&rules.least)
        .all(|(value, least)| value >= least)
        && (0..2).all(|i| {
            let sum: u32 = filling.iter().map(|&value| rules.weights[value][i]).sum();
            let (min, max) = rules.bounds[i];
            min <= sum && max.is_none_or(|max| sum <= max)
        })
}

fn image(symmetry: &Symmetry, filling: &[usize]) -> Vec<usize> {
    let mut image = vec![0; filling.len()];
    for (&cell, &value) in symmetry.cells.iter().zip(filling) {
        image[cell] = symmetry.values[value];
    }
    image
}

/// Compares with the least fillings of all classes, found one by one. Returns their number.
fn check(rules: &FillingRules) -> u64 {
    let first = |cell: usize| rules.symmetries.iter().map(|s| s.cells[cell]).min();
    let mut order: Vec<usize> = (0..rules.least.len()).collect();
    order.sort_by_key(|&cell| (first(cell), cell));
    let key = |filling: &[usize]| -> Vec<usize> { order.iter().map(|&c| filling[c]).collect() };

    let all = product(rules.least.len(), rules.weights.len());
    let mut expected = BTreeMap::new();
    for filling in all.iter().filter(|filling| is_within(rules, filling)) {
        let images = rules
            .symmetries
            .iter()
            .map(|symmetry| image(symmetry, filling));
        let least = images.min_by_key(|image| key(image)).unwrap();
        expected.insert(key(&least), least);
    }
    let expected: Vec<Vec<usize>> = expected.into_values().collect();

    let fillings = Fillings::new(rules.clone()).unwrap();
    let listed: Vec<Vec<usize>> = (0..fillings.len()).map(|rank| fillings.get(rank)).collect();
    assert_eq!(listed, expected, "{rules:?}");
    let ranks: BTreeMap<&[usize], u64> = listed.iter().map(Vec::as_slice).zip(0..).collect();
    for filling in &all {
        let rank = ranks.get(filling.as_slice()).copied();
        assert_eq!(fillings.rank(filling), rank, "{filling:?} of {rules:?}");
    }
    fillings.len()
}

#[test]
fn rows_of_two_colours_agree_with_brute_force() {
    let (weights, some) = (coloured(2), (1, Some(3)));
    let both = [
        FREE,
        some,
        (0, Some(2)),
        (2, None),
        (2, Some(2)),
        (3, Some(1)),
        (99, None),
    ];
    let symmetric = both.map(|bounds| [bounds, bounds]);
    let lopsided = [
        [some, FREE],
        [FREE, (2, Some(4))],
        [(0, Some(0)), (3, Some(99))],
    ];
    for cells in 0..=5 {
        for (mirror, exchange) in [(false, false), (true, false), (false, true), (true, true)] {
            let lopsided = lopsided.iter().filter(|_| !exchange);
            for &bounds in symmetric.iter().chain(lopsided) {
                for least_end in [0, 1] {
                    let is_end = |cell| cell == 0 || cell + 1 == cells;
                    check(&FillingRules {
                        least: (0..cells)
                            .map(|c| usize::from(is_end(c)) * least_end)
                            .collect(),
                        weights: weights.clone(),
                        bounds,
                        symmetries: row(cells, mirror, exchange, &weights),
                    });
                }
            }
        }
    }
}

#[test]
fn grids_agree_with_brute_force() {
    let bounds = [
        FREE,
        (2, Some(5)),
        (0, Some(3)),
        (4, None),
        (9, Some(9)),
        (19, None),
    ];
    for (rows, columns) in (1..=3).flat_map(|rows| (1..=3).map(move |c| (rows, c))) {
        for pot_max in 0..=2 {
            for seeds in bounds {
                check(&grid_rules(rows, columns, pot_max, seeds));
            }
        }
    }
    // OEIS A054247: squares of 0s and 1s up to rotation and reflection.
    assert_eq!(
        [1, 2, 3].map(|n| check(&grid_rules(n, n, 1, FREE))),
        [2, 6, 102]
    );
}

#[test]
fn large_grids_agree_with_burnside() {
    for pot_max in [1, 2] {
        let rules = grid_rules(6, 6, pot_max, FREE);
        let fixed = rules.symmetries.iter().map(|symmetry| {
            let mut seen = [false; 36];
            let mut cycles = 0;
            for start in 0..36 {
                let mut cell = start;
                cycles += u32::from(!seen[cell]);
                while !std::mem::replace(&mut seen[cell], true) {
                    cell = symmetry.cells[cell];
                }
            }
            u128::from(pot_max + 1).pow(cycles)
        });
        let classes = fixed.sum::<u128>() / 8;
        let fillings = Fillings::new(rules.clone()).unwrap();
        assert_eq!(u128::from(fillings.len()), classes);

        let step = fillings.len() / 1_000;
        for rank in (0..fillings.len())
            .step_by(step as usize)
            .chain([fillings.len() - 1])
        {
            let filling = fillings.get(rank);
            assert_eq!(fillings.rank(&filling), Some(rank));
            for image in rules
                .symmetries
                .iter()
                .map(|symmetry| image(symmetry, &filling))
            {
                assert!(image == filling || fillings.rank(&image).is_none());
            }
        }
        // The numbers of fillings with each number of seeds add up to all of them.
        let by_seeds = (0..=36 * pot_max).map(|seeds| {
            let rules = grid_rules(6, 6, pot_max, (seeds, Some(seeds)));
            Fillings::new(rules).unwrap().len()
        });
        assert_eq!(by_seeds.sum::<u64>(), fillings.len());
    }
}

#[test]
fn orbits_alike_share_their_lists() {
    let weights = coloured(1);
    let fillings = Fillings::new(FillingRules {
        least: vec![0; 30],
        bounds: [(0, Some(8)); 2],
        symmetries: row(30, true, true, &weights),
        weights,
    });
    let fillings = fillings.unwrap();
    assert_eq!((fillings.orbits.len(), fillings.actions.len()), (15, 1));
}

#[test]
fn rules_without_cells_or_fillings() {
    let none = Fillings::new(bits(0, FREE)).unwrap();
    assert_eq!(
        (none.len(), none.get(0), none.rank(&[])),
        (1, vec![], Some(0))
    );
    let short = Fillings::new(bits(0, (1, None))).unwrap();
    assert_eq!((short.len(), short.rank(&[])), (0, None));
    let unreachable = Fillings::new(bits(3, (u32::MAX, None))).unwrap();
    assert_eq!((unreachable.len(), unreachable.rank(&[1, 1, 1])), (0, None));
    let mut rules = bits(3, FREE);
    rules.least = vec![0, 7, 0];
    assert_eq!(Fillings::new(rules).unwrap().len(), 0);
}

#[test]
fn rank_rejects_other_lengths_and_values() {
    let fillings = Fillings::new(grid_rules(2, 2, 1, FREE)).unwrap();
    assert_eq!(fillings.rank(&[0, 0, 0, 1]), Some(1));
    for filling in [
        &[0, 0, 0][..],
        &[0; 5],
        &[0, 0, 0, 2],
        &[0, 0, 0, usize::MAX],
    ] {
        assert_eq!(fillings.rank(filling), None);
    }
}

#[test]
#[should_panic(expected = "rank 6 among 6 fillings")]
fn get_panics_beyond_the_last_filling() {
    Fillings::new(grid_rules(2, 2, 1, FREE)).unwrap().get(6);
}

#[test]
fn totals_are_exact_up_to_the_last_u64() {
    let most = Fillings::new(bits(64, (1, None))).unwrap();
    assert_eq!(most.len(), u64::MAX);
    assert_eq!(most.get(u64::MAX - 1), [1; 64]);
    assert_eq!(most.rank(&[1; 64]), Some(u64::MAX - 1));
    for cells in [64, 500] {
        let error = Fillings::new(bits(cells, FREE)).unwrap_err();
        assert_eq!(error, TooManyFillings::Total);
        assert_eq!(
            error.to_string(),
            "more than 2^64 - 1 fillings; allow fewer cells or smaller sums"
        );
    }
    // Few fillings of many cells: the counts that saturate belong to no filling.
    assert_eq!(
        Fillings::new(bits(500, (498, None))).unwrap().len(),
        125_251
    );
}

#[test]
fn orbits_with_too_many_fillings_are_refused() {
    let most = Fillings::new(grid_rules(4, 4, 3, (0, Some(3)))).unwrap();
    let last = most.get(most.len() - 1);
    assert_eq!(most.rank(&last), Some(most.len() - 1));
    let error = Fillings::new(grid_rules(4, 4, 4, (0, Some(3)))).unwrap_err();
    let (first, cells, values) = (1, 8, 5);
    assert_eq!(
        error,
        TooManyFillings::Orbit {
            first,
            cells,
            values
        }
    );
    assert_eq!(
        error.to_string(),
        "more than 65536 ways to fill the 8 cells symmetric to cell 1 with 5 values each; \
         allow fewer values"
    );
}
