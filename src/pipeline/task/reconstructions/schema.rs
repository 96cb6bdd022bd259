//! What the schema of job specs says of reconstructions: the sections that `spec.rs` reads.

use cggames::family::{BinNumbers, FIXED_BIN_MAX, FIXED_MAX};
use cggames::game::GameEntry;
use schemars::SchemaGenerator;
use seedbank_specs::schema::{
    any_of, choice, integer, list, optional, plain_layouts, required, table, text,
};

use super::spec::SEARCHED_MAX;
use crate::task::kind::SectionsSchema;

/// Returns the sections of jobs over reconstructions.
pub(super) fn sections(_: &mut SchemaGenerator, _: GameEntry) -> Vec<SectionsSchema> {
    let common = || {
        let up_to = "the most stones of a board that is searched";
        [
            required(
                "numbering",
                "b: bin 1 beside the Ruma; beta: bin 2",
                choice(&BinNumbers::NAMES),
            ),
            optional("up_to", up_to, integer(0, SEARCHED_MAX as i64)),
        ]
    };
    let listed = [required(
        "bins",
        "ways to fix bins, such as \"3=1 7=2\"",
        list(text()),
    )];
    let all = [
        required(
            "bin_max",
            "the farthest bin that is fixed",
            integer(1, FIXED_BIN_MAX as i64),
        ),
        required(
            "fixed",
            "the number of fixed bins",
            integer(1, FIXED_MAX as i64),
        ),
    ];
    let family = any_of([
        table(common().into_iter().chain(listed)),
        table(common().into_iter().chain(all)),
    ]);
    vec![SectionsSchema {
        title: "a row for each way to fix bins of a board of Tchoukaillon",
        ruleset: vec![],
        family: table([required("reconstructions", "the fixed bins", family)]),
        others: vec![plain_layouts(&["list", "summary"])],
        is_mined: false,
    }]
}
