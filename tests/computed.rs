//! The values of `data/reference/computed`: each is listed with two ways to find it, and found
//! again.
//!
//! Every run finds the values marked `quick` again. For the others, `SEEDBANK_COMPUTED` names the
//! position as their commands write it, or is `all`:
//!
//! ```text
//! SEEDBANK_COMPUTED='e 1^10 e' cargo test --release --test integration computed::values -- --nocapture
//! ```

mod entries;
mod ways;

use entries::{Engine, Entry, Shape, check, entries, files};
use seedbank::game::Play;
use ways::{Found, expected, found};

fn all() -> Vec<Entry> {
    files().iter().flat_map(|path| entries(path)).collect()
}

#[test]
fn every_value_has_two_ways_that_do_not_share_the_algorithm() {
    let all = all();
    for entry in &all {
        check(entry).unwrap_or_else(|fault| panic!("{}: {fault}", entry.title()));
    }
    assert!(all.len() > 60, "{} values", all.len());
    let mut titles: Vec<String> = all.iter().map(Entry::title).collect();
    titles.sort();
    titles.dedup();
    assert_eq!(titles.len(), all.len(), "a value is given twice");
}

/// Finds a value in both of its ways, or names the way that finds another value.
fn find_again(entry: &Entry) -> Result<(), String> {
    let expected = expected(entry)?;
    for way in &entry.ways {
        let found = found(entry, way, &expected)?;
        if !found.agrees(&expected) {
            let engine = way.engine.name();
            return Err(format!("{}: {engine} finds {found}", entry.title()));
        }
    }
    Ok(())
}

/// Runs on a stack large enough for recursion as deep as the longest play.
fn with_stack<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(1 << 30);
        let worker = thread.spawn_scoped(scope, work).expect("a thread");
        let result = worker.join();
        result.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

#[test]
fn values_are_found_again_in_both_ways() {
    let asked = std::env::var("SEEDBANK_COMPUTED").ok();
    let wanted = |entry: &&Entry| match asked.as_deref() {
        None => entry.quick,
        Some("all") => true,
        Some(position) => entry.written() == position,
    };
    let all = all();
    let wanted: Vec<&Entry> = all.iter().filter(wanted).collect();
    assert!(!wanted.is_empty(), "no such position: {asked:?}");
    for entry in wanted {
        with_stack(|| find_again(entry)).unwrap_or_else(|fault| panic!("{fault}"));
    }
}

/// An entry as a file would contain it.
fn entry(value: &str, ways: &[Engine]) -> Entry {
    let text = |engine: &Engine| {
        let name = engine.name();
        format!("{{ engine = {name:?}, command = \"\" }}")
    };
    let ways: Vec<String> = ways.iter().map(text).collect();
    let file = format!(
        "game = \"sowing\"\n[[value]]\nplay = \"partisan\"\npattern = \"1^n\"\nn = 5\nvalue = {value:?}\nways = [{}]\n",
        ways.join(", ")
    );
    let mut entries = entries::parse(&file).unwrap_or_else(|error| panic!("{error}"));
    let mut entry = entries.remove(0);
    for at in 0..entry.ways.len() {
        entry.ways[at].command = entry.command(&entry.ways[at]);
    }
    entry
}

/// The check above can fail: a wrong value fails in every way.
#[test]
fn every_way_detects_a_wrong_value() {
    let right = "+-1/2";
    for engine in Engine::ALL {
        if engine == Engine::Outcome {
            continue; // It knows nimbers only.
        }
        let ways = [engine, engine];
        assert_eq!(find_again(&entry(right, &ways)), Ok(()), "{engine:?}");
        for wrong in ["0", "*", "1/2", "+-1", "{1/2|-1}"] {
            let fault = find_again(&entry(wrong, &ways)).unwrap_err();
            assert!(fault.contains(engine.name()), "{wrong}: {fault}");
        }
    }
    let ways = [Engine::Outcome, Engine::Outcome];
    let fault = find_again(&entry("*", &ways)).unwrap_err();
    assert!(fault.contains("outcome finds N"), "{fault}");
}

#[test]
fn incomplete_entries_are_refused() {
    let fault = |entry: &Entry| check(entry).expect_err("to be refused");
    let two = [Engine::Search, Engine::Reference];
    assert_eq!(check(&entry("+-1/2", &two)), Ok(()));
    let same = [Engine::Search, Engine::Search];
    assert!(fault(&entry("+-1/2", &same)).contains("two different engines"));
    let akin = [Engine::Outcome, Engine::Play];
    assert!(fault(&entry("*", &akin)).contains("share"));
    let settled = [Engine::Outcome, Engine::Search];
    assert!(fault(&entry("0", &settled)).contains("share"));
    let no_nimber = [Engine::Outcome, Engine::Search];
    assert!(fault(&entry("+-1/2", &no_nimber)).contains("nimber"));
    let mut wrong = entry("+-1/2", &two);
    wrong.ways[0].command = wrong.ways[0].command.replace("1^5", "1^6");
    assert!(fault(&wrong).contains("1^5"));
    let mut wrong = entry("+-1/2", &two);
    wrong.play = Play::Impartial;
    assert!(fault(&wrong).contains("nimber"));
    let mut wrong = entry("+-1/2", &two);
    wrong.shape = Some(Shape::default());
    assert!(fault(&wrong).contains("either"));
}

#[test]
fn results_describe_their_values() {
    let found = Found::Nimber("L".to_owned(), None);
    assert_eq!(found.to_string(), "L, no nimber in reach");
}
