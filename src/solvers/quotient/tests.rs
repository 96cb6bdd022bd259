use cggames::game::heap::HeapGame;

use super::reference::MisereOutcomes;
use super::*;

fn solver(game: &str, heaps: usize) -> QuotientSolver {
    let game: HeapGame = game.parse().expect("a game");
    let mut solver = QuotientSolver::new(&game, QuotientLimits::default());
    assert_eq!(solver.extend(heaps), None, "{game}");
    solver
}

/// The codes of two digits, and some of three and more.
fn codes() -> Vec<String> {
    let two = (0..64).step_by(2).map(|code| format!("0.{code:02o}"));
    let three = (0..512).step_by(19).map(|code| format!("0.{code:03o}"));
    let others = [
        "0.77", "0.15", "0.0123", "0.8", "0.39", "4.0", "4.3", "C.01",
    ];
    two.chain(three).chain(others.map(String::from)).collect()
}

#[test]
fn outcomes_are_those_of_play() {
    let mut random = fastrand::Rng::with_seed(69);
    let (codes, mut sums) = (codes(), 0);
    assert!(codes.len() >= 60);
    for code in &codes {
        let game: HeapGame = code.parse().expect("a code");
        let limits = QuotientLimits {
            elements_max: 64,
            positions_max: 1 << 16,
        };
        let mut solver = QuotientSolver::new(&game, limits);
        solver.extend(13);
        let mut play = MisereOutcomes::new(game);
        for _ in 0..20_000usize.div_ceil(codes.len()) {
            let mut heaps = Vec::new();
            let mut tokens = 0;
            while heaps.len() < 6 && random.u8(..) > 20 {
                heaps.push(random.usize(1..solver.heaps().max(2)));
                tokens += heaps[heaps.len() - 1];
                if tokens > 24 {
                    heaps.pop();
                    break;
                }
            }
            heaps.retain(|&heap| heap < solver.heaps());
            let found = solver.monoid().is_p(solver.element(&heaps));
            assert_eq!(found, play.is_p(&heaps), "{code} {heaps:?}");
            sums += 1;
        }
    }
    assert!(sums >= 20_000);
}

#[test]
fn elements_are_the_classes_of_sums() {
    for (code, heaps) in [
        ("0.123", 9),
        ("0.77", 5),
        ("0.75", 5),
        ("0.71", 5),
        ("0.33", 2),
        ("0.35", 4),
    ] {
        let solver = solver(code, heaps + 1);
        let mut play = MisereOutcomes::new(solver.game().clone());
        // All sums of at most four heaps, which are the tests, too.
        let mut sums = vec![Vec::new()];
        let mut start = 0;
        for _ in 0..4 {
            let end = sums.len();
            for place in start..end {
                for heap in sums[place].last().copied().unwrap_or(1)..=heaps {
                    sums.push([sums[place].as_slice(), &[heap]].concat());
                }
            }
            start = end;
        }
        let mut random = fastrand::Rng::with_seed(7);
        for _ in 0..60 {
            let [x, y] = [(); 2].map(|_| &sums[random.usize(..sums.len())]);
            let is_same = solver.element(x) == solver.element(y);
            let tests = sums.iter().filter(|test| test.len() <= 3);
            let mut differing = tests.filter(|test| {
                let [x, y] = [x, y].map(|sum| play.is_p(&[sum.as_slice(), test].concat()));
                x != y
            });
            assert_eq!(differing.next().is_none(), is_same, "{code} {x:?} {y:?}");
        }
    }
}

#[test]
fn quotients_are_faithful_monoids() {
    for code in codes() {
        let game: HeapGame = code.parse().expect("a code");
        let limits = QuotientLimits {
            elements_max: 32,
            positions_max: 1 << 14,
        };
        let mut solver = QuotientSolver::new(&game, limits);
        solver.extend(40);
        let monoid = solver.monoid();
        assert!(monoid.is_faithful(), "{code}");
        let elements = || monoid.elements();
        for (x, y) in elements().flat_map(|x| elements().map(move |y| (x, y))) {
            assert_eq!(monoid.product(x, y), monoid.product(y, x), "{code}");
            for z in elements() {
                let left = monoid.product(monoid.product(x, y), z);
                assert_eq!(left, monoid.product(x, monoid.product(y, z)), "{code}");
            }
        }
        assert!(monoid.idempotents().next() == Some(0), "{code}");
        // An impartial quotient of more than one element has even order (Plambeck and Siegel).
        assert!(
            monoid.order() == 1 || monoid.order().is_multiple_of(2),
            "{code}"
        );
    }
}

#[test]
fn nim_has_the_tame_quotients() {
    // Heaps of 0.333 are those of Nim to 3, with period 4.
    for (heaps, order) in [(1, 1), (2, 2), (3, 6), (4, 6), (5, 6)] {
        let solver = solver("0.333", heaps);
        assert_eq!(solver.monoid().order(), order);
        assert!(solver.monoid().is_tame());
    }
    assert_eq!(solver("0.3333", 5).monoid().order(), 10);
    assert!(solver("0.3333", 5).monoid().is_tame());
    for code in ["0.123", "0.75", "0.77"] {
        assert!(!solver(code, 20).monoid().is_tame(), "{code}");
    }
}

#[test]
fn a_limit_ends_the_search_and_leaves_the_quotient() {
    let game: HeapGame = "0.07".parse().expect("a game");
    let limits = QuotientLimits {
        elements_max: 100,
        ..QuotientLimits::default()
    };
    let mut solver = QuotientSolver::new(&game, limits);
    assert_eq!(solver.extend(100), Some(QuotientEnd::Elements));
    assert_eq!((solver.heaps(), solver.monoid().order()), (25, 24));
    assert_eq!(solver.extend(1000), Some(QuotientEnd::Elements));
    let few = QuotientLimits {
        positions_max: 10,
        ..limits
    };
    let mut solver = QuotientSolver::new(&game, few);
    assert_eq!(solver.extend(100), Some(QuotientEnd::Positions));
}

#[test]
fn periods_are_proved_no_earlier_than_by_the_theorem() {
    for (code, preperiod, period, parts, taken) in [
        ("0.123", 5, 5, 1, 3),
        ("0.75", 8, 2, 2, 2),
        ("0.34", 7, 8, 2, 2),
    ] {
        let needed = parts * (preperiod + period) + taken;
        assert_eq!(solver(code, needed - 1).period(), None);
        let found = solver(code, needed).period().expect("a period");
        assert_eq!((found.preperiod, found.period), (preperiod, period));
        // The period goes on.
        let longer = solver(code, 3 * needed);
        assert_eq!(longer.monoid(), solver(code, needed).monoid());
        assert_eq!(longer.period().map(|found| found.period), Some(period));
    }
}

#[test]
fn a_corrupt_certificate_is_refused() {
    for (code, heaps) in [
        ("0.123", 13),
        ("0.75", 22),
        ("0.71", 20),
        ("0.33", 6),
        ("0.3", 4),
    ] {
        let certificate = QuotientCertificate::new(&solver(code, heaps)).expect(code);
        assert_eq!(certificate.check(10_000), Ok(()), "{code}");
        let order = certificate.products.len();
        let refuse = |change: &dyn Fn(&mut QuotientCertificate)| {
            let mut changed = certificate.clone();
            change(&mut changed);
            assert!(
                changed == certificate || changed.check(10_000).is_err(),
                "{code} {changed:?}"
            );
        };
        // Each number replaced by each element.
        for x in 0..order as Element {
            for heap in 0..certificate.phi.len() {
                refuse(&|changed| changed.phi[heap] = x);
            }
            for (row, g) in
                (0..order).flat_map(|row| (0..certificate.generators.len()).map(move |g| (row, g)))
            {
                refuse(&|changed| changed.products[row][g] = x);
            }
            refuse(&|changed| match changed.p_portion.binary_search(&x) {
                Ok(place) => drop(changed.p_portion.remove(place)),
                Err(place) => changed.p_portion.insert(place, x),
            });
        }
        refuse(&|changed| changed.period += 1);
        refuse(&|changed| changed.period = 0);
        refuse(&|changed| changed.preperiod += 1);
        refuse(&|changed| changed.preperiod = usize::MAX);
        refuse(&|changed| changed.generators.push(1));
        refuse(&|changed| changed.products.clear());
        refuse(&|changed| changed.game = "0.33".into());
        refuse(&|changed| changed.game = "grundy".into());
        // An element too many, which is never told apart from the identity.
        refuse(&|changed| changed.products.push(changed.products[0].clone()));
    }
    let mut normal = QuotientCertificate::new(&solver("0.3", 4)).expect("a period");
    normal.p_portion = vec![0];
    assert_eq!(normal.check(10_000), Err(CertificateFault::NormalPlay));
    let certificate = QuotientCertificate::new(&solver("0.123", 13)).expect("a period");
    assert_eq!(certificate.check(2), Err(CertificateFault::Pairs(2)));
}
