//! Profiles: what the columns of a result's first table hold, in sum.
//!
//! A profile is made in one pass over the rows, in memory that does not grow with them: texts are
//! counted up to a number of different ones, numbers in intervals whose length doubles when they
//! become too many, and along the rows numbers are summed up in runs of equal length. It is a
//! function of the rows alone, whatever the number of threads. [`Tiles`] aggregate rows by two
//! variables, in a pass of their own.

mod along;
mod numbers;
mod texts;
mod tiles;

use std::sync::atomic::{AtomicBool, Ordering};

use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, Int32Type, Int64Type};
use arrow_array::{Array, RecordBatch};

pub use self::along::{Along, RUNS_MAX, RowSpan};
pub use self::numbers::{Interval, NUMBERS_MAX, Numbers};
pub use self::texts::{TEXT_MAX, TEXTS_MAX, Texts};
pub use self::tiles::{TILE_TEXTS_MAX, TILES_MAX, TileSide, TiledColumn, Tiles};
use super::column::{Column, ColumnKind};
use super::labels::Labels;
use super::{DatasetError, Scan, Wanted};

/// What the columns of a table hold.
#[derive(Clone, Debug)]
pub struct Profile {
    /// The number of rows.
    pub rows: u64,
    /// Each column, in the order of the table.
    pub columns: Vec<ColumnProfile>,
}

/// What a column holds.
#[derive(Clone, Debug)]
pub struct ColumnProfile {
    /// The column.
    pub column: Column,
    /// The rows that have nothing there.
    pub nulls: u64,
    /// What the others have.
    pub holds: Holds,
}

/// What the rows of a column hold.
#[derive(Clone, Debug)]
pub enum Holds {
    /// Texts and how often they occur; of flags, `yes` and `no`.
    Texts(Texts),
    /// Numbers, and how they run along the rows.
    Numbers {
        /// How often they occur.
        numbers: Numbers,
        /// How they run along the rows.
        along: Along,
        /// Whether each row has one, greater than that of the row before.
        is_ascending: bool,
    },
    /// Lists or digests, which are not summed up.
    Others,
}

impl Profile {
    /// Makes the profile of the first table of a result.
    ///
    /// # Errors
    ///
    /// Rows that cannot be read.
    ///
    /// ```
    /// use seedbank::dataset::profile::{Holds, Profile};
    /// # use std::sync::Arc;
    /// # use seedbank::dataset::*;
    /// # let scratch = tempfile::tempdir()?;
    /// # let header = ResultHeader {
    /// #     job: "ones".into(),
    /// #     job_digest: Digest::of(b"1^n"),
    /// #     code_version: "0.1.0".into(),
    /// #     format_version: FORMAT_VERSION,
    /// #     parts: 1,
    /// #     spec_text: String::new(),
    /// #     tables: Tables::of_positions(vec!["n".into()]),
    /// # };
    /// # let results = ResultSet::open_or_create(&scratch.path().join("ones"), &header)?;
    /// # let mut part = results.part_writer(0, 0)?;
    /// # for n in 1..=3 {
    /// #     let value = ValueColumns { value: Some("0".into()), ..ValueColumns::default() };
    /// #     part.push(&PositionRow { variables: vec![Some(n)], value: Some(value), ..PositionRow::default() })?;
    /// # }
    /// # part.commit()?;
    /// # results.finish()?;
    /// // A result with three rows, whose variable n is 1, 2 and 3.
    /// let profile = Profile::of(results.scan())?;
    /// assert_eq!(profile.rows, 3);
    /// let n = profile.column("n").expect("there is one");
    /// let Holds::Numbers { numbers, is_ascending: true, .. } = &n.holds else { panic!() };
    /// assert_eq!(numbers.ends(), Some((1.0, 3.0)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of(scan: Scan<'_>) -> Result<Profile, DatasetError> {
        let columns = scan.first_columns();
        let rows = scan.first_rows()?;
        let wanted: Vec<&str> = (columns.iter().filter(|column| is_summed(column.kind)))
            .map(|column| &*column.name)
            .collect();
        let run = Along::run_of(rows);
        // Texts that are too many are not counted any longer.
        let full: Vec<AtomicBool> = columns.iter().map(|_| AtomicBool::new(false)).collect();
        let batches = scan.first_batches(Wanted::columns(wanted), |first, batch| {
            let columns = columns.iter().enumerate();
            let profiles = columns.map(|(place, column)| {
                let is_full = full[place].load(Ordering::Relaxed);
                ColumnProfile::of_batch(column, &batch, place, first, run, is_full)
            });
            profiles.collect::<Vec<_>>()
        })?;
        let mut profile = Profile {
            rows,
            columns: columns
                .iter()
                .map(|column| ColumnProfile::empty(column, run))
                .collect(),
        };
        for batch in batches {
            for (place, (all, more)) in profile.columns.iter_mut().zip(batch?).enumerate() {
                all.add(more);
                if matches!(&all.holds, Holds::Texts(texts) if texts.counts().is_none()) {
                    full[place].store(true, Ordering::Relaxed);
                }
            }
        }
        Ok(profile)
    }

    /// Returns a column by its name.
    pub fn column(&self, name: &str) -> Option<&ColumnProfile> {
        self.columns
            .iter()
            .find(|column| column.column.name == name)
    }
}

fn is_summed(kind: ColumnKind) -> bool {
    matches!(
        kind,
        ColumnKind::Label
            | ColumnKind::Text
            | ColumnKind::Bool
            | ColumnKind::Int32
            | ColumnKind::Int64
            | ColumnKind::Float64
    )
}

impl ColumnProfile {
    fn empty(column: &Column, run: u64) -> ColumnProfile {
        let holds = match column.kind {
            ColumnKind::Label | ColumnKind::Text | ColumnKind::Bool => {
                Holds::Texts(Texts::default())
            }
            ColumnKind::Int32 | ColumnKind::Int64 | ColumnKind::Float64 => Holds::Numbers {
                numbers: Numbers::new(column.kind != ColumnKind::Float64),
                along: Along::new(run),
                is_ascending: true,
            },
            _ => Holds::Others,
        };
        ColumnProfile {
            column: column.clone(),
            nulls: 0,
            holds,
        }
    }

    /// Makes the profile of a column of a batch whose first row has the place `first`.
    fn of_batch(
        column: &Column,
        batch: &RecordBatch,
        place: usize,
        first: u64,
        run: u64,
        is_full: bool,
    ) -> ColumnProfile {
        let mut profile = ColumnProfile::empty(column, run);
        let array = batch.column(place);
        profile.nulls = if is_summed(column.kind) {
            array.null_count() as u64
        } else {
            0
        };
        match &mut profile.holds {
            Holds::Others => {}
            Holds::Texts(texts) if is_full => *texts = Texts::too_many(),
            Holds::Texts(texts) => match column.kind {
                ColumnKind::Label => {
                    let labels = Labels::of(array);
                    let mut counts = vec![0; labels.texts().len()];
                    for row in (0..array.len()).filter(|&row| array.is_valid(row)) {
                        counts[labels.key(row)] += 1;
                    }
                    for (key, &count) in counts.iter().enumerate().filter(|(_, count)| **count > 0)
                    {
                        texts.add(labels.texts().value(key), count);
                    }
                }
                ColumnKind::Bool => {
                    let flags = array.as_boolean();
                    let yes = flags.true_count() as u64;
                    let no = array.len() as u64 - profile.nulls - yes;
                    for (text, count) in [("yes", yes), ("no", no)] {
                        if count > 0 {
                            texts.add(text, count);
                        }
                    }
                }
                _ => {
                    for text in array.as_string::<i32>().iter().flatten() {
                        texts.add(text, 1);
                    }
                }
            },
            Holds::Numbers {
                numbers,
                along,
                is_ascending,
            } => {
                let mut last = f64::NEG_INFINITY;
                let mut push = |row: usize, x: Option<f64>| {
                    let Some(x) = x else {
                        *is_ascending = false;
                        return;
                    };
                    *is_ascending &= x > last;
                    last = x;
                    numbers.add(x, 1);
                    along.add(first + row as u64, x);
                };
                match column.kind {
                    ColumnKind::Int32 => {
                        let array = array.as_primitive::<Int32Type>().iter().enumerate();
                        array.for_each(|(row, x)| push(row, x.map(f64::from)));
                    }
                    ColumnKind::Int64 => {
                        let array = array.as_primitive::<Int64Type>().iter().enumerate();
                        array.for_each(|(row, x)| push(row, x.map(|x| x as f64)));
                    }
                    _ => {
                        let array = array.as_primitive::<Float64Type>().iter().enumerate();
                        array.for_each(|(row, x)| push(row, x));
                    }
                }
            }
        }
        profile
    }

    /// Adds the profile of the rows that follow.
    fn add(&mut self, more: ColumnProfile) {
        self.nulls += more.nulls;
        match (&mut self.holds, more.holds) {
            (Holds::Texts(texts), Holds::Texts(more)) => texts.merge(more),
            (
                Holds::Numbers {
                    numbers,
                    along,
                    is_ascending,
                },
                Holds::Numbers {
                    numbers: more,
                    along: more_along,
                    is_ascending: more_ascending,
                },
            ) => {
                let follows = match (numbers.ends(), more.ends()) {
                    (Some((_, last)), Some((first, _))) => first > last,
                    _ => true,
                };
                *is_ascending &= more_ascending && follows;
                numbers.merge(more);
                along.merge(more_along);
            }
            _ => {}
        }
    }
}
