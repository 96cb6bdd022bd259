//! What the schema of job specs says of searches for witnesses: the sections that `spec.rs` and `question` read.

use cggames::board::BoardKind;
use cggames::game::{GameEntry, GameKind};
use schemars::{Schema, SchemaGenerator};
use seedbank_specs::schema::{
    Key, any_of, choice, defined, one_or_more, optional, required, table, text, with_one_of,
    with_variables,
};

use super::question::{Each, Fewest, Relation};
use crate::task::kind::SectionsSchema;
use crate::task::strips;

/// Returns the sections of jobs that look for witnesses.
pub(super) fn sections(generator: &mut SchemaGenerator, game: GameEntry) -> Vec<SectionsSchema> {
    let GameKind::Pots(pots) = game.kind else {
        return Vec::new();
    };
    let kind = pots.shape().kind();
    let jobs = strips::schema::positions(generator, game).into_iter();
    let jobs = jobs.map(|(ruleset, family)| {
        let meaning = "the positions to look for, instead of a row for each position";
        SectionsSchema {
            title: "a search for witnesses",
            ruleset,
            family,
            others: vec![
                strips::schema::columns(generator),
                required("witness", meaning, witness(generator, kind)),
            ],
            is_mined: false,
        }
    });
    jobs.collect()
}

fn witness(generator: &mut SchemaGenerator, kind: BoardKind) -> Schema {
    let conditions =
        "conditions that the values of all witnesses meet, such as \"nim_value >= 10\"";
    let orders = Fewest::of(kind).map(Fewest::name);
    let relations = Relation::of(kind).map(Relation::name);
    let (orders, relations): (Vec<&str>, Vec<&str>) = (orders.collect(), relations.collect());
    let each: Vec<&str> = Each::names().collect();
    let common = || -> [Key; 3] {
        [
            optional("where", conditions, one_or_more(text())),
            required("fewest", "which position comes first", choice(&orders)),
            optional(
                "relation",
                "how a position relates to its parts",
                choice(&relations),
            ),
        ]
    };
    let value = required(
        "value",
        "the values sought, in notation",
        one_or_more(text()),
    );
    let pattern = "values sought, with variables that have a key each, such as \"1/2^k\"";
    let pattern = required("pattern", pattern, text());
    let each = optional("each", "for what there is a witness each", choice(&each));
    let questions = any_of([
        table([value].into_iter().chain(common())),
        with_variables(generator, table([pattern].into_iter().chain(common()))),
        with_one_of(
            table([each].into_iter().chain(common())),
            &["where", "each", "relation"],
        ),
    ]);
    let name = match kind {
        BoardKind::Row => "witness-rows",
        BoardKind::Coloured => "witness-coloured-rows",
        BoardKind::Grid => "witness-grids",
    };
    defined(generator, name, questions)
}
