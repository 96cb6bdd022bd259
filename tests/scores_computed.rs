//! The margins in `data/reference/computed/scores`, found again: a few in every run, all with
//! `SEEDBANK_COMPUTED=all`.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use bytesize::ByteSize;
use seedbank::board::two_rows::TwoRows;
use seedbank::engine::Control;
use seedbank::engine::reference::ReferenceScores;
use seedbank::engine::scores::{Scores, positions_of};
use seedbank::game::scored::{Capture, Kalah, Scored, ScoredGame, Wari};
use seedbank::task::scores::{ScoreEvaluation, evaluate_scores};
use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::common::evaluations::session;

/// Every run evaluates starting positions of at most this number of seeds.
const QUICK_SEEDS: u32 = 24;

/// Every run counts tiers of at most this number of seeds, also by the reference.
const QUICK_TIER: u32 = 8;
const REFERENCE_TIER: u32 = 4;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Starts {
    start: Vec<Start>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Start {
    rules: String,
    pits: usize,
    seeds: u32,
    margin: i32,
    moves: Option<BTreeMap<String, i32>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Tiers {
    tier: Vec<Tier>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Tier {
    seeds: u32,
    positions: u64,
    endless: u64,
    least_at: String,
    greatest_at: String,
    counts: BTreeMap<String, u64>,
}

fn read<T: DeserializeOwned>(name: &str) -> T {
    let folder = "data/reference/computed/scores";
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join(folder)
        .join(name);
    toml::from_str(&fs::read_to_string(path).unwrap()).unwrap_or_else(|error| panic!("{error}"))
}

fn is_all() -> bool {
    std::env::var("SEEDBANK_COMPUTED").is_ok_and(|asked| asked == "all")
}

#[test]
fn margins_of_starting_positions_are_found_again() {
    let starts: Starts = read("kalah.toml");
    assert!(starts.start.len() >= 48, "{} positions", starts.start.len());
    for start in starts.start {
        let all_seeds = 2 * start.pits as u32 * start.seeds;
        if all_seeds > QUICK_SEEDS && !is_all() {
            continue;
        }
        let capture = match start.rules.as_str() {
            "empty" => Capture::Empty,
            "standard" => Capture::Standard,
            other => panic!("no rules {other:?}"),
        };
        let side = vec![start.seeds.to_string(); start.pits].join(" ");
        let evaluation = ScoreEvaluation {
            game: ScoredGame::Kalah(Kalah { capture }),
            positions: vec![format!("{side} / {side}").parse().unwrap()],
            moves: start.moves.is_some(),
        };
        // More than 50 seeds need scores of 1.8 GiB and a table of 6 GiB.
        let session = session(2, ByteSize::gib(if all_seeds > 50 { 16 } else { 4 }));
        let mut found = None;
        let each = |_, position| found = Some(position);
        evaluate_scores(&evaluation, &session, each).unwrap();
        let found = found.unwrap();
        assert_eq!(found.margin, start.margin, "{side}");
        let moves = found.moves.iter().map(|of| {
            let pit = of.option.pit.expect("Kalah has no passes");
            ((pit + 1).to_string(), of.margin)
        });
        let moves: BTreeMap<_, _> = moves.collect();
        assert_eq!(moves, start.moves.unwrap_or_default(), "{side}");
    }
}

#[test]
fn margins_of_tiers_are_counted_again() {
    fn agree<G: Scored>(game: G, name: &str) {
        let tiers: Tiers = read(name);
        assert!(tiers.tier.len() > 20, "{} tiers", tiers.tier.len());
        let most = if is_all() { u32::MAX } else { QUICK_TIER };
        let tiers: Vec<Tier> = (tiers.tier.into_iter())
            .filter(|tier| tier.seeds <= most)
            .collect();
        let seeds_max = tiers.iter().map(|tier| tier.seeds).max().unwrap();
        let scores = Scores::up_to(game, 6, seeds_max, &Control::default()).unwrap();
        let mut reference = ReferenceScores::new(game);
        for tier in tiers {
            assert_eq!(positions_of(6, tier.seeds), Some(tier.positions));
            let mut counts: BTreeMap<String, u64> = BTreeMap::new();
            let mut endless = 0;
            for (rank, (margin, is_endless)) in (0..).zip(scores.of_tier(tier.seeds)) {
                *counts.entry(margin.to_string()).or_default() += 1;
                endless += u64::from(is_endless);
                if tier.seeds <= REFERENCE_TIER {
                    let position = scores.numbering().unrank(tier.seeds, rank);
                    assert_eq!(reference.margin(&position), margin, "{position}");
                }
            }
            assert_eq!((counts, endless), (tier.counts.clone(), tier.endless));
            let margins = tier
                .counts
                .keys()
                .map(|margin| margin.parse::<i32>().unwrap());
            let margin = |at: &str| scores.get(&at.parse::<TwoRows>().unwrap());
            assert_eq!(margin(&tier.least_at), margins.clone().min());
            assert_eq!(margin(&tier.greatest_at), margins.max());
        }
    }

    agree(Wari::AWARI, "awari.toml");
    agree(Wari::WARI, "wari.toml");
}
