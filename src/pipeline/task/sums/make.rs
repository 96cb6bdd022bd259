//! Rows of sums, which are independent once the tables of their components exist.
//!
//! The sum of the greatest values of all variables needs the largest tables. These are made first,
//! on a separate thread, because the engines of components do not check whether to stop. Each part
//! then has a copy.

use std::sync::Arc;

use cggames::game::impartial::{Component, Sum};
use cggames::game::{Convention, SumKind};
use cgsolvers::quotient::QuotientLimits;
use cgsolvers::sums::{ComponentValues, MISERE_MOVES_MAX, MisereSums};

use super::SumsTask;
use super::columns::SumRow;
use crate::dataset::{
    DatasetError, KeptReader, KeptRows, Lacking, ResultSet, Subject, Tables, earlier,
};
use crate::run::memory::bytes_of_threads;
use crate::run::{DiskNeed, Making, MemoryNeed, Parts, Phase, RowTask, RunError};
use crate::task::heaps::{HeapValue, MisereWanted, OUTCOMES, evaluate};

/// The rows of a part: about a second's work.
const PART_ROWS: u64 = 1 << 16;

/// The most memory of the tables for each token of a heap.
///
/// Unit: bytes. Values take 3, and if a move leaves three heaps some 20 more.
const HEAP_BYTES: u64 = 64;

/// The most memory of a search for a genus: its moves, up to [`MISERE_MOVES_MAX`], and the positions that it has valued.
///
/// Unit: bytes.
const GENERA_BYTES: u64 = MISERE_MOVES_MAX as u64 * 256;

/// Returns an upper bound on the bytes of the tables of a component.
fn bytes(component: &Component, added: SumKind) -> u64 {
    let tabled = |square: u64| match added {
        SumKind::Disjunctive => (square + 64) * (square + 64),
        SumKind::Obligated => 0,
    };
    match component {
        // 2 bytes for each square, and the same for the sets of values used in lines.
        Component::Wythoff(square) => 4 * tabled(square.x.max(square.y).into()),
        // 4 bytes for each square below a diagonal.
        Component::Knight(square) => 2 * tabled(u64::from(square.x) + u64::from(square.y)),
        Component::Nim(_) | Component::Checkers(_) => 0,
        Component::Kayles(pins) => HEAP_BYTES * u64::from(*pins),
        Component::Heap(_, tokens) => HEAP_BYTES * *tokens as u64,
    }
}

impl RowTask for SumsTask {
    fn making(&self) -> Making {
        Making {
            tables: Tables::with_variables::<SumRow>(self.names()),
            grows: Some(Tables::with_variables::<SumRow>),
            ..Making::new::<SumRow>(Phase::Valuing, PART_ROWS)
        }
    }

    /// Half a byte a row: results of a million rows have 0.8 if values are periodic, and up to 4.3.
    fn row_bytes(&self, rows: u64, _is_begun: bool) -> DiskNeed {
        DiskNeed::of_results(rows / 2)
    }

    fn memory(&self, _end: u64, threads: u64) -> Option<MemoryNeed> {
        let greatest = self.family.greatest();
        let components = greatest.components();
        let tables: u64 = components.map(|c| bytes(c, self.added)).sum();
        let of_genera = match self.misere() {
            MisereWanted::Nothing => 0,
            _ => GENERA_BYTES + QuotientLimits::default().bytes(),
        };
        Some(MemoryNeed {
            bytes: bytes_of_threads(threads, tables + of_genera).saturating_add(tables),
            purpose: "the tables of components, on each thread",
        })
    }

    fn lacking(&self, found: &ResultSet) -> Result<Option<Lacking>, DatasetError> {
        let rows = KeptRows::<SumRow>::of(std::slice::from_ref(found))?;
        let sums = (0..self.family.len()).map(|rank| self.family.get(rank).0.to_string());
        rows.lacking(sums.map(|sum| Subject::of([&*sum]))).map(Some)
    }

    fn make(&self, parts: &Parts<'_>) -> Result<(), RunError> {
        let earlier = earlier(parts.results, Tables::with_variables::<SumRow>)?;
        let earlier = KeptRows::of(&earlier)?;
        let values = tables(self, parts)?;
        let maker = SumRows {
            task: self,
            sum: self.added.name().into(),
            pattern: self.family.text().into(),
            outcomes: OUTCOMES.map(Arc::from),
        };
        let make = |tables: &mut SumTables<'_>, rank| {
            parts.check_stop()?;
            let row = maker.row(rank, tables)?;
            parts.count(1);
            Ok(row)
        };
        let tables = || SumTables {
            values: values.clone(),
            misere: MisereSums::default(),
            earlier: earlier.reader(),
        };
        parts.make_rows(tables, make)
    }
}

/// Returns the values of components with the tables of the greatest sum.
fn tables(task: &SumsTask, parts: &Parts<'_>) -> Result<ComponentValues, RunError> {
    let (sum, added): (Sum, SumKind) = (task.family.greatest(), task.added);
    let session = &parts.run.session;
    let pool = session.pool()?;
    let evaluate = move || {
        let mut values = ComponentValues::new();
        for component in sum.components() {
            match added {
                SumKind::Disjunctive => drop(values.nim_value(component)),
                SumKind::Obligated => drop(values.obligated(component)),
            }
        }
        values
    };
    session.once_aside(move || pool.install(evaluate))
}

/// What one thread has found of components, and the rows of earlier results.
struct SumTables<'e> {
    values: ComponentValues,
    misere: MisereSums,
    earlier: KeptReader<'e, SumRow>,
}

/// Makes rows.
struct SumRows<'t> {
    task: &'t SumsTask,
    sum: Arc<str>,
    pattern: Arc<str>,
    outcomes: [Arc<str>; 2],
}

impl SumRows<'_> {
    fn row(&self, rank: u64, tables: &mut SumTables<'_>) -> Result<SumRow, RunError> {
        let (sum, numbers) = self.task.family.get(rank);
        let SumTables {
            values,
            misere,
            earlier,
        } = tables;
        let (pattern, position) = (self.pattern.clone(), sum.to_string());
        let variables = numbers.into_iter().map(Some).collect();
        if let Some(row) = earlier.find(Subject::of([&*position]))?
            && row.position == position
        {
            return Ok(SumRow {
                pattern,
                variables,
                ..row
            });
        }
        let mut evaluated = evaluate(&sum, self.task.added, false, values)?;
        evaluated.add_misere(&sum, self.task.misere(), misere);
        let value: HeapValue = evaluated.value;
        let outcome = |convention| {
            let is_n = value.is_n(convention)?;
            Some(self.outcomes[usize::from(is_n)].clone())
        };
        Ok(SumRow {
            sum: self.sum.clone(),
            pattern,
            variables,
            position,
            value: value.to_string().into(),
            nim_value: value.nim_value().map(|value| value as i32),
            normal: outcome(Convention::Normal).expect("who wins normal play is always known"),
            misere: outcome(Convention::Misere),
            genus: evaluated.genus.map(|genus| genus.to_string().into()),
        })
    }
}
