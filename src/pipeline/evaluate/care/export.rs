//! Writes a store's values as result sets: Parquet tables `positions` and `forms`, one result set per namespace.
//!
//! The rows are those that a job over the same positions would write. They are in the store's order of keys, which does
//! not depend on how segments divide them.

use std::cell::Cell;
use std::path::{Path, PathBuf};
use std::time::Instant;

use cggames::board::AnyBoard;
use cggames::board::Key;
use cggames::game::{Game, Manner, PotGame};
use cgsolvers::Engine;
use valuestore::{Namespace, Reader, Store};

use super::super::describe::Writing;
use super::super::dispatch::{Visitor, dispatch};
use super::super::evaluator::{AtWork, Evaluator, MisereEngines};
use super::super::forms::FormCollector;
use super::super::known::KnownStore;
use super::super::position_row::{ExtraColumns, MemberColumns};
use super::super::stored::Stored;
use super::super::worker::Workers;
use super::{UnknownNamespace, game_of, sound_reader};
use crate::dataset::{
    Digest, FORMAT_VERSION, PARTS_MAX, ResultHeader, ResultSet, Tables, lock_results,
};
use crate::run::memory::memory_in_use;
use crate::run::{CODE_VERSION, PART_ROWS};
use crate::run::{Observer, Phase, Progress, RunError, thread_pool};

/// The number of rows made together before they are written.
const CHUNK_ROWS: usize = 1024;

/// The result for one namespace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exported {
    /// The namespace.
    pub namespace: Namespace,
    /// The folder of its result set and the number of its rows, or why there is no result set.
    pub result: Result<(PathBuf, u64), UnknownNamespace>,
}

/// Writes the values of a store as result sets below `out`, one for each namespace, named after it.
///
/// Parts that exist are not written again, so an interrupted export resumes. Memory: the forms of a namespace, the keys of
/// a part of 2^20 rows, and a writer. No budget limits it.
///
/// # Errors
///
/// Damaged segments; keys that no position has, [`RunError::NoPosition`]; a folder that holds something else, such as an
/// export of the store with other values; an input or output error.
pub fn export(
    store: &Store,
    out: &Path,
    threads: usize,
    observer: &dyn Observer,
) -> Result<Vec<Exported>, RunError> {
    let namespaces = store.namespaces();
    let exported = namespaces.into_iter().map(|namespace| {
        let result = match game_of(&namespace) {
            Err(unknown) => Err(unknown),
            Ok((game, manner)) => {
                let reader = sound_reader(store, &namespace)?;
                let visitor = Write {
                    game,
                    manner,
                    reader,
                    out,
                    threads,
                    observer,
                };
                Ok(dispatch(game, manner, visitor)?)
            }
        };
        Ok(Exported { namespace, result })
    });
    exported.collect()
}

struct Write<'a> {
    game: Game,
    manner: Manner,
    reader: Reader,
    out: &'a Path,
    threads: usize,
    observer: &'a dyn Observer,
}

impl Visitor for Write<'_> {
    type Output = Result<(PathBuf, u64), RunError>;

    fn visit<R: PotGame, V: Stored + Default>(self, ruleset: R) -> Self::Output {
        let engine = &Engine::new(ruleset, V::default());
        let misere = MisereEngines::new(&engine.ruleset, &engine.control);
        let known = KnownStore::new(
            &engine.valuation,
            self.reader.clone(),
            Some(&engine.control),
        );
        self.write(&AtWork::new(engine, &misere, &known))
    }
}

impl Write<'_> {
    fn write(self, evaluator: &dyn Evaluator) -> Result<(PathBuf, u64), RunError> {
        let values = self.reader.iter()?.count() as u64;
        let part_rows = PART_ROWS.max(values.div_ceil(u64::from(PARTS_MAX)));
        let parts = values.div_ceil(part_rows).max(1) as u32;
        let header = header(&self.reader, parts);
        let dir = self.out.join(&header.job);
        let _lock = lock_results(&dir)?;
        let results = ResultSet::open_or_create(&dir, &header)?;
        let finished = results.finished()?;
        let workers = Workers::new(evaluator, Writing::default(), None);
        let labels =
            MemberColumns::of_positions(self.game, self.manner.play, ExtraColumns::default());
        let pool = thread_pool(self.threads)?;
        let (started, done) = (Instant::now(), Cell::new(0));
        let namespace = self.reader.namespace().to_string();
        let count = |rows: u64| {
            done.set(done.get() + rows);
            let (rows, bytes) = (done.get(), memory_in_use().unwrap_or(0));
            let progress = Progress::of_rows(Phase::Writing, "row", rows, values);
            let elapsed = started.elapsed();
            (self.observer).progress(
                &namespace,
                &Progress {
                    bytes,
                    elapsed,
                    ..progress
                },
            );
        };
        let mut keys = self.reader.iter()?.map(|(key, _)| key);
        for part in 0..parts {
            let of_part = keys.by_ref().take(part_rows as usize);
            if finished.contains(&part) {
                count(of_part.count() as u64);
                continue;
            }
            let of_part: Vec<Key> = of_part.collect();
            let mut writer = results.part_writer(part, u64::from(part) * part_rows)?;
            let mut forms = FormCollector::new(evaluator.arena());
            for chunk in of_part.chunks(CHUNK_ROWS) {
                let no_position = |key| RunError::NoPosition {
                    namespace: self.reader.namespace().clone(),
                    key,
                };
                let rows = chunk.iter().map(|&key| {
                    let row = evaluator.board_of_stored(key);
                    Ok((key, row.ok_or_else(|| no_position(key))?))
                });
                let rows: Vec<(Key, AnyBoard)> = rows.collect::<Result<_, RunError>>()?;
                let rows = pool.install(|| {
                    workers.rows(
                        &rows,
                        |(_, row)| row,
                        // A key that the store lists but cannot look up belongs to no position.
                        |worker, (key, row), _| match worker.row(row, None, &labels, 0)? {
                            None => Err(no_position(*key)),
                            found => Ok(found),
                        },
                    )
                })?;
                for row in rows {
                    let row = row.collected(&mut forms, &mut |row| writer.push_form(row))?;
                    writer.push(&row)?;
                }
                count(chunk.len() as u64);
            }
            writer.commit()?;
        }
        let manifest = results.finish()?;
        Ok((results.dir().to_path_buf(), manifest.rows))
    }
}

/// Returns the identity of an export: the namespace and the segments that it was read from.
fn header(reader: &Reader, parts: u32) -> ResultHeader {
    let namespace = reader.namespace();
    let segments = reader.segments().iter();
    let segments: Vec<&str> = segments
        .map(|segment| segment.entry().checksum.as_str())
        .collect();
    let spec_text = format!(
        "# Not a job: the values of {namespace} in a store, with segments\n# {}\n",
        segments.join("\n# ")
    );
    let job = format!(
        "{}-v{}-{}",
        namespace.ruleset.replace('/', "-"),
        namespace.ruleset_version,
        namespace.play
    );
    ResultHeader {
        job,
        job_digest: Digest::of(spec_text.as_bytes()),
        code_version: CODE_VERSION.to_owned(),
        format_version: FORMAT_VERSION,
        parts,
        spec_text,
        tables: Tables::of_positions(Vec::new()),
    }
}
