//! The time to open a store and to look up values, and the bytes per entry: `cargo bench --bench
//! store`.
//!
//! The benchmark makes a store of 20 million narrow records (`SEEDBANK_BENCH_ENTRIES` for another
//! number) in a temporary folder. It draws keys at random from those stored, so that every lookup
//! is a hit and most are cache misses. It also times a hash table in memory with the same records,
//! because the cost of a cache miss differs between machines. The table takes twice the bytes and
//! is lost when the process ends. Under `cargo test` the store is small, and only the values found
//! are checked.

use std::hint::black_box;
use std::time::{Duration, Instant};

use foldhash::fast::FixedState;
use hashbrown::HashMap;
use seedbank::store::{FormTable, Namespace, SegmentContents, Store};

/// The default number of entries.
const ENTRIES: u64 = 20_000_000;
/// The number of entries under `cargo test`.
const ENTRIES_TESTED: u64 = 20_000;
/// The number of timed lookups.
const LOOKUPS: usize = 2_000_000;
/// The number of times that each case is timed; the median counts.
const ROUNDS: usize = 5;

fn main() {
    let measured = std::env::args().any(|argument| argument == "--bench");
    let entries = match std::env::var("SEEDBANK_BENCH_ENTRIES") {
        Ok(entries) => entries.parse().expect("SEEDBANK_BENCH_ENTRIES is a number"),
        Err(_) if measured => ENTRIES,
        Err(_) => ENTRIES_TESTED,
    };
    let look_ups = if measured { LOOKUPS } else { 1000 };
    let dir = tempfile::tempdir().expect("a folder for temporary files");
    let namespace = Namespace::new("bench", 1, "impartial");
    let value = |i: u64| (i % 997) as u32;
    let store = Store::open(dir.path()).expect("an empty store");
    let sealed = store
        .writer()
        .expect("nobody else writes there")
        .seal(SegmentContents {
            namespace: namespace.clone(),
            records: (0..entries).map(|i| (key(i), value(i))).collect(),
            forms: FormTable::new(),
        })
        .expect("the contents are sound");
    drop(store);
    let bytes: u64 = sealed.iter().map(|entry| entry.bytes).sum();
    let mut random = fastrand::Rng::with_seed(1);
    let picks: Vec<u64> = (0..look_ups).map(|_| random.u64(..entries)).collect();
    let keys: Vec<u128> = picks.iter().map(|&i| key(i)).collect();
    let mut table = HashMap::with_capacity_and_hasher(entries as usize, FixedState::default());
    table.extend((0..entries).map(|i| (key(i) as u64, value(i))));
    let mut times: [Vec<Duration>; 5] = Default::default();
    for _ in 0..ROUNDS {
        let start = Instant::now();
        let store = Store::open(dir.path()).expect("the store is sound");
        let reader = store.reader(&namespace);
        times[0].push(start.elapsed());
        // The first lookup hashes the segment.
        let start = Instant::now();
        assert!(reader.contains(keys[0]).expect("the store is sound"));
        times[1].push(start.elapsed());
        let start = Instant::now();
        let mut sum = 0u64;
        for &key in &keys {
            let hit = reader.get(black_box(key)).expect("the store is sound");
            sum += u64::from(hit.expect("the key is stored").value);
        }
        times[2].push(start.elapsed());
        assert_eq!(sum, picks.iter().map(|&i| u64::from(value(i))).sum::<u64>());
        let mut hits = Vec::new();
        let start = Instant::now();
        reader
            .get_many(black_box(&keys), &mut hits)
            .expect("the store is sound");
        times[3].push(start.elapsed());
        for (hit, &i) in hits.iter().zip(&picks) {
            assert_eq!(hit.map(|hit| hit.value), Some(value(i)));
        }
        let start = Instant::now();
        let found = keys.iter().map(|&key| table[&(black_box(key) as u64)]);
        assert_eq!(found.map(u64::from).sum::<u64>(), sum);
        times[4].push(start.elapsed());
    }
    if !measured {
        return;
    }
    let [open, first, single, batch, table] = times.map(|mut times| {
        times.sort_unstable();
        (times[0], times[ROUNDS / 2])
    });
    let each = |(least, median): (Duration, Duration)| {
        let each = |time: Duration| time.as_nanos() as f64 / look_ups as f64;
        format!("{:.1} ns (least {:.1})", each(median), each(least))
    };
    println!("{entries} entries in {} segments", sealed.len());
    println!("bytes an entry: {:.2}", bytes as f64 / entries as f64);
    println!("opening: {:?} (least {:?})", open.1, open.0);
    println!(
        "first lookup, which hashes: {:?} (least {:?})",
        first.1, first.0
    );
    println!("a random hit: {}", each(single));
    println!("a random hit in batches: {}", each(batch));
    println!("a random hit of a hash table in memory: {}", each(table));
}

/// Returns distinct keys below 2^64.
fn key(i: u64) -> u128 {
    u128::from(i.wrapping_mul(0x9e37_79b9_7f4a_7c15))
}
