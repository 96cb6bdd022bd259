//! Makes a row for each position. Every run reads the file of moves and values the positions of its rows again, which is faster
//! than to look values up.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use bytesize::ByteSize;
use foldhash::fast::RandomState;

use super::spec::{MovesFamily, MovesTask};
use super::values::{Solution, Valued, position, read};
use crate::dataset::{
    DatasetError, FormRow, KeptRows, Lacking, NamedCopies, PositionRow, ResultSet, Subject, Tables,
};
use crate::evaluate::Writing;
use crate::evaluate::forms::FormCollector;
use crate::run::estimate::{Amount, NOT_MEASURED, Workload};
use crate::run::{DiskNeed, Making, MemoryNeed, PART_ROWS, Parts, Phase, RowTask, RunError};

/// The least memory of a position: its name and the table that finds it, the starts of its moves, and its value.
///
/// Unit: bytes.
const POSITION_BYTES: u64 = 40;

/// The least size of a row of the table `positions`.
///
/// Unit: bytes.
const ROW_BYTES: u64 = 2;

impl RowTask for MovesTask {
    fn making(&self) -> Making {
        Making {
            // Another content of the file may change every value.
            tables: Tables::with_forms::<PositionRow>(Vec::new()).of_moves(self.file.digest),
            join: ResultSet::join_positions::<PositionRow>,
            grows: Some(Tables::with_forms::<PositionRow>),
            ..Making::new::<PositionRow>(Phase::Listing, PART_ROWS)
        }
    }

    fn row_bytes(&self, rows: u64, _is_begun: bool) -> DiskNeed {
        DiskNeed::of_results(rows.saturating_mul(ROW_BYTES))
    }

    fn volume(&self, _least: ByteSize) -> (Workload, Amount<ByteSize>) {
        let workload = Workload::Plain {
            is_fast: true,
            held: None,
        };
        (workload, Amount::Unknown(NOT_MEASURED))
    }

    fn memory(&self, _end: u64, _threads: u64) -> Option<MemoryNeed> {
        Some(MemoryNeed {
            bytes: self.file.positions * POSITION_BYTES,
            purpose: "the positions and their moves",
        })
    }

    /// All rows are made again, since that takes no longer than to read them.
    fn lacking(&self, found: &ResultSet) -> Result<Option<Lacking>, DatasetError> {
        let rows = KeptRows::<PositionRow>::of(std::slice::from_ref(found))?;
        Ok(Some(match &self.family {
            // The rows are about the same file of moves.
            MovesFamily::All => Lacking {
                rows: rows.len(),
                lacking: 0,
                first: None,
            },
            MovesFamily::Listed(names) => {
                rows.lacking(names.iter().map(|name| Subject::of([&**name])))?
            }
        }))
    }

    fn make(&self, parts: &Parts<'_>) -> Result<(), RunError> {
        let session = &parts.run.session;
        let moves = read(&self.file, parts.rows_left(), session)?;
        let position = |rank: u64| match &self.family {
            MovesFamily::All => Ok(rank as u32),
            MovesFamily::Listed(names) => position(&self.file, &moves, &names[rank as usize]),
        };
        let ranks = parts.left().flat_map(|(_, ranks)| ranks);
        let positions = ranks
            .map(position)
            .collect::<Result<Vec<u32>, RunError>>()?;
        let game = (self.game(), self.manner);
        let valued = Valued::new(&moves, game, &positions, session, &parts.run.pool)?;
        parts.begin(Phase::Writing);
        parts.in_parallel(|part, ranks| {
            let mut writer = parts.part_writer(part)?;
            let mut describer = valued.describer(Writing::default());
            let mut forms = FormCollector::new(valued.arena());
            let mut ranks = ranks.peekable();
            while ranks.peek().is_some() {
                parts.check_stop()?;
                let mut batch = NamedCopies::default();
                let mut models: HashMap<Solution, u32, RandomState> = HashMap::default();
                let mut rows = 0;
                while !batch.is_full()
                    && let Some(rank) = ranks.next()
                {
                    let position = position(rank)?;
                    let model = match models.entry(valued.solution(position)) {
                        Entry::Occupied(model) => *model.get(),
                        Entry::Vacant(entry) => {
                            parts.check_stop()?;
                            let row = valued.unnamed(*entry.key(), &mut describer)?;
                            let mut push = |row: &FormRow| writer.push_form(row);
                            let row = row.collected(&mut forms, &mut push)?;
                            *entry.insert(batch.add_model(&row))
                        }
                    };
                    batch.push(model, moves.name(position));
                    rows += 1;
                }
                writer.push_columns(batch)?;
                session.count_rows(rows);
                session.tracker.add(rows, rows);
            }
            writer.commit()?;
            Ok(())
        })
    }
}
