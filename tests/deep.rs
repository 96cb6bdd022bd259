//! No form is too deep for the stack: every operation on values runs on a thread with a small
//! stack, with forms nested a hundred thousand deep.
//!
//! Operations whose time is documented to grow with the square of the depth get forms a thousand
//! deep. Those still overflow so small a stack if a level takes more than 256 bytes of it.

use seedbank::value::{
    Arena, AtomicWeight, AtomicWeights, Calculator, Comparison, Digester, Dyadic, Kind, Notation,
    NotationWriter, NumberUpStar, OutcomeClass, Thermographs, Uptimal, UptimalShape, ValueId,
};

/// The stack of the thread that runs everything.
const STACK_BYTES: usize = 256 << 10;
/// How deep forms are nested.
const DEEP: u32 = 100_000;
/// The depth where time grows with the square of it.
const LESS_DEEP: u32 = 1_000;

fn with_little_stack(work: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(STACK_BYTES);
    let thread = thread.spawn(work).expect("a thread can be started");
    if let Err(panic) = thread.join() {
        std::panic::resume_unwind(panic);
    }
}

fn game(c: &mut Calculator<'_>, left: &[ValueId], right: &[ValueId]) -> ValueId {
    c.canonical(&mut left.to_vec(), &mut right.to_vec())
        .expect("an arena holds far more")
}

/// Returns the forms `{0|{0|...{0|-1}}}` with 1 to `depth` braces: a switch, a tiny, and then
/// positive infinitesimals, each below the one before. Each is canonical as it stands: Left's only
/// option, 0, has no replies. The only reply to Right's option is 0, which is not greater than or
/// equal to a positive game.
fn threats(c: &mut Calculator<'_>, depth: u32) -> Vec<ValueId> {
    let mut last = c.number(Dyadic::integer(-1)).expect("-1 is small");
    let mut made = Vec::new();
    for _ in 0..depth {
        last = game(c, &[ValueId::ZERO], &[last]);
        made.push(last);
    }
    made
}

/// Returns `{n|{n-1|...{1|0}}}`, whose Left stop is n and whose Right stop is n - 1.
fn descent(c: &mut Calculator<'_>, depth: u32) -> ValueId {
    let mut last = ValueId::ZERO;
    for n in 1..=depth {
        let number = c.number(Dyadic::integer(n.into()));
        last = game(c, &[number.expect("far below a million")], &[last]);
    }
    last
}

#[test]
fn deep_forms_compare_and_simplify() {
    with_little_stack(|| {
        let arena = Arena::new();
        let mut c = arena.calculator();
        let made = threats(&mut c, DEEP);
        let (last, before) = (made[made.len() - 1], made[made.len() - 2]);
        assert_eq!(arena.birthday(last), DEEP + 1);
        assert_eq!(arena.right_options(last), [before]);
        // Two consecutive forms are confused. Right moves from {0|G} - G to G - G = 0. Left turns
        // -G into a threat, which Right answers; then Left moves from {0|G} to 0.
        assert_eq!(c.compare(made[2], made[1]), Comparison::Confused);
        assert_eq!(c.compare(last, before), Comparison::Confused);
        assert_eq!(c.compare(before, last), Comparison::Confused);
        assert_eq!(c.compare(last, last.negative()), Comparison::Greater);
        assert_eq!(c.outcome(last), OutcomeClass::Left);
        assert!(c.le(last.negative(), last) && !c.le(last, last.negative()));
        // Dominated options are removed: 0 is less than another option. Two confused options both
        // stay.
        let sole = game(&mut c, &[last], &[ValueId::ZERO]);
        assert_eq!(game(&mut c, &[ValueId::ZERO, last], &[ValueId::ZERO]), sole);
        let both = game(&mut c, &[before, last], &[ValueId::ZERO]);
        assert_eq!(arena.left_options(both).len(), 2);
        assert_eq!(game(&mut c, &[last.negative()], &[last]), ValueId::ZERO);
        let symmetric = game(&mut c, &[last], &[last.negative()]);
        assert!(symmetric.is_symmetric());
        assert_eq!(c.outcome(symmetric), OutcomeClass::Next);
    });
}

#[test]
fn deep_threats_of_both_players_compare() {
    with_little_stack(|| {
        let arena = Arena::new();
        let mut c = arena.calculator();
        // {n|{G|-n}} nested over and over, from two values that differ by up. No option reverses,
        // since each threat is greater than those below, and the two results compare like the two
        // values. Their stops are equal, so only the innermost level decides the comparison.
        let up = c.parse("^").expect("a value");
        let mut pair = [ValueId::ZERO, up];
        for n in 1..=DEEP / 2 {
            let number = c
                .number(Dyadic::integer(n.into()))
                .expect("far below a million");
            pair = pair.map(|below| {
                let answer = game(&mut c, &[below], &[number.negative()]);
                game(&mut c, &[number], &[answer])
            });
        }
        let [less, greater] = pair;
        assert!(arena.birthday(less) > DEEP);
        assert_eq!(arena.left_stop(less), arena.left_stop(greater));
        assert_eq!(arena.right_stop(less), arena.right_stop(greater));
        assert_eq!(c.compare(less, greater), Comparison::Less);
        assert_eq!(c.compare(greater, less), Comparison::Greater);
        let better = game(&mut c, &[greater], &[ValueId::ZERO]);
        assert_eq!(game(&mut c, &[less, greater], &[ValueId::ZERO]), better);
    });
}

#[test]
fn deep_forms_add() {
    with_little_stack(|| {
        let arena = Arena::new();
        let mut c = arena.calculator();
        let last = *threats(&mut c, DEEP).last().expect("there are some");
        let star = c.nimber(1).expect("* is small");
        let sum = c.sum(last, star).expect("an arena holds far more");
        assert_eq!(c.difference(sum, star), Ok(last));
        assert_eq!(c.difference(sum, sum), Ok(ValueId::ZERO));
        assert_ne!(sum, last);
        let number = c.number(Dyadic::integer(3)).expect("3 is small");
        let beside = c.sum(last, number).expect("an arena holds far more");
        assert_eq!(arena.left_stop(beside), Dyadic::integer(3));
        assert_eq!(c.compare(beside, number), Comparison::Greater);
        assert_eq!(c.difference(beside, number), Ok(last));
        // The sum of two such forms would take too long: it has ten thousand million pairs of
        // followers.
        let mut looks = 0;
        let stopped = c.sum_while(last, sum, &mut || {
            looks += 1;
            looks < 3
        });
        assert_eq!((stopped, looks), (Ok(None), 3));
        // The depth of the forms of integers and ups equals their size.
        let large = c
            .number(Dyadic::integer(DEEP.into()))
            .expect("far below a million");
        assert_eq!(c.compare(large, last), Comparison::Greater);
        assert_eq!(c.outcome(large.negative()), OutcomeClass::Right);
        let sum = c.sum(large, last).expect("an arena holds far more");
        assert_eq!(arena.right_stop(sum), Dyadic::integer(DEEP.into()));
    });
}

#[test]
fn deep_forms_are_named_digested_and_written() {
    with_little_stack(|| {
        let arena = Arena::new();
        let mut c = arena.calculator();
        let last = *threats(&mut c, DEEP).last().expect("there are some");
        let hot = descent(&mut c, DEEP);
        assert_eq!(Kind::of(&arena, last), Kind::Infinitesimal);
        assert_eq!(Kind::of(&arena, hot), Kind::Hot);
        assert_eq!(arena.number_up_star(last), None);
        assert_eq!(arena.uptimal(last), None);
        let ups = NumberUpStar {
            number: Dyadic::ZERO,
            ups: DEEP as i32,
            star: 1,
        };
        let many_ups = c.number_up_star(ups).expect("an arena holds far more");
        assert_eq!(arena.number_up_star(many_ups), Some(ups));
        assert_eq!(arena.notation(many_ups).to_string(), "^100000*");
        let mut digester = Digester::new(&arena);
        assert_ne!(digester.digest(last), digester.digest(last.negative()));
        assert_ne!(digester.digest(hot), digester.digest(many_ups));
        for (id, notation) in [
            (hot, Notation::Standard),
            (hot, Notation::Plain),
            (last, Notation::Plain),
        ] {
            let text = arena.notation_as(id, notation).to_string();
            assert!(text.len() > 2 * DEEP as usize, "{}", text.len());
            let count = |wanted| text.matches(wanted).count();
            assert_eq!(count('{'), count('}'));
        }
        assert_eq!(arena.notation_limited(last, 10), None);
        let mut writer = NotationWriter::new(&arena);
        assert_eq!(writer.limited(hot, Notation::Standard, 1000), None);
        // The order of two deep options of one side depends on a difference far below.
        let other = game(&mut c, &[hot], &[last, hot.negative()]);
        assert!(writer.limited(other, Notation::Plain, 1 << 24).is_some());
        // The reader has a documented limit of nesting, and uses no more stack than that takes.
        let text = format!("{}0{}", "{1|".repeat(200), "}".repeat(200));
        assert!(c.parse(&text).is_ok());
        let signs = format!(
            "{}{}1{}",
            "-(".repeat(100),
            "+-{".repeat(50),
            "}".repeat(50)
        );
        assert!(c.parse(&format!("{signs}{}", ")".repeat(100))).is_err());
        let text = format!(
            "{}0{}",
            "{1|".repeat(DEEP as usize),
            "}".repeat(DEEP as usize)
        );
        let error = c.parse(&text).expect_err("nested too deep").to_string();
        assert!(
            error.contains("nesting too large; at most 200 is read"),
            "{error}"
        );
    });
}

#[test]
fn deep_forms_have_thermographs_and_atomic_weights() {
    with_little_stack(|| {
        let arena = Arena::new();
        let mut c = arena.calculator();
        let last = *threats(&mut c, DEEP).last().expect("there are some");
        let mut thermographs = Thermographs::new(&arena);
        assert_eq!(thermographs.mean(last), Some(Dyadic::ZERO));
        assert_eq!(thermographs.temperature(last), Some(Dyadic::ZERO));
        let hot = descent(&mut c, DEEP);
        // The means halve at each step, so they take more and more bits, and the result is an
        // error.
        assert_eq!(thermographs.mast(hot), None);
        let mut weights = AtomicWeights::new(&arena);
        let ups = |ups| NumberUpStar {
            number: Dyadic::ZERO,
            ups,
            star: 0,
        };
        let many_ups = c
            .number_up_star(ups(DEEP as i32))
            .expect("an arena holds far more");
        let weight = weights.weight(many_ups);
        assert_eq!(weight, Ok(AtomicWeight::Integer(DEEP as i32)));
        let error = weights.weight(last).expect_err("no dicotic value");
        assert_eq!(error.name(), Some("not-dicotic"));
        let left = c
            .left_incentives(many_ups)
            .expect("an arena holds far more");
        let expected = c.number_up_star(ups(-(DEEP as i32)));
        assert_eq!(left, [expected.expect("an arena holds far more")]);
    });
}

#[test]
fn numbers_are_as_fine_as_their_simplest_forms() {
    with_little_stack(|| {
        let arena = Arena::new();
        let mut c = arena.calculator();
        let fine = c
            .number(Dyadic::new(1, 126))
            .expect("an arena holds far more");
        assert_eq!(arena.birthday(fine), 127);
        assert_eq!(arena.left_options(fine), [ValueId::ZERO]);
        let above = c.number(Dyadic::new(1, 125));
        assert_eq!(arena.right_options(fine), [above.expect("it is there")]);
        let widest = Dyadic::new(i128::MAX, 126);
        let id = c.number(widest).expect("an arena holds far more");
        assert_eq!(arena.number(id.negative()), Some(-widest));
        assert!(c.number(Dyadic::new(1, 127)).is_err());
        assert!(c.number(Dyadic::new(i128::MAX, 0)).is_err());
    });
}

#[test]
fn deep_forms_cool_and_heat() {
    with_little_stack(|| {
        let arena = Arena::new();
        let mut c = arena.calculator();
        let last = *threats(&mut c, LESS_DEEP).last().expect("there are some");
        let one = c.number(Dyadic::ONE).expect("1 is small");
        let cooled = c
            .cooled(last, Dyadic::ZERO)
            .expect("an arena holds far more");
        assert_eq!(cooled, last);
        let frozen = c
            .cooled(last, Dyadic::ONE)
            .expect("an arena holds far more");
        assert_eq!(frozen, ValueId::ZERO);
        let heated = c.heated(last, one).expect("an arena holds far more");
        assert_eq!(arena.left_stop(heated), Dyadic::ONE);
        let overheated = c
            .overheated(last, one, one)
            .expect("an arena holds far more");
        assert_eq!(arena.left_stop(overheated), Dyadic::ONE);
        let power = Uptimal {
            number: Dyadic::ZERO,
            down: false,
            shape: UptimalShape::Sum,
            power: LESS_DEEP,
            star: 0,
        };
        let powers = c.uptimal(power).expect("an arena holds far more");
        assert_eq!(arena.uptimal(powers), Some(power));
        assert_eq!(c.outcome(powers), OutcomeClass::Left);
    });
}
