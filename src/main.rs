use seedbank::engine::*;
use seedbank::ruleset::*;
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let t = std::time::Instant::now();
    fn go<R: Ruleset, V: Valuation>(r: R, v: V, text: &str) -> (Engine<R, V>, Word) {
        let e = Engine::new(r, v);
        let p = e.ruleset.position(&text.parse().unwrap()).unwrap();
        let w = e.search(&NothingKnown).evaluate(&p).unwrap();
        (e, w)
    }
    if a[1] == "s" {
        let (e, w) = go(Sowing, CanonicalForms::default(), &a[2]);
        println!(
            "{} pos {} forms {} MB memo {} arena {}",
            w,
            e.memo.len(),
            e.valuation.arena.len(),
            e.memo.bytes() >> 20,
            e.valuation.arena.bytes() >> 20
        );
        let v = CanonicalForms::value(w);
        println!(
            "{} {}",
            e.valuation.arena.left_stop(v),
            e.valuation.arena.right_stop(v)
        );
    }
    if a[1] == "w" {
        let (e, w) = go(AtomicWari::endless(), CanonicalForms::default(), &a[2]);
        println!(
            "{} pos {} forms {} MB memo {} arena {}",
            w,
            e.memo.len(),
            e.valuation.arena.len(),
            e.memo.bytes() >> 20,
            e.valuation.arena.bytes() >> 20
        );
    }
    if a[1] == "i" {
        let (e, w) = go(Sowing, NimValues, &a[2]);
        println!("{} pos {}", NimValues::value(w), e.memo.len());
    }
    println!("{:?}", t.elapsed());
}
