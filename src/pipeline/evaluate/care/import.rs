//! Imports the values of another store, and describes disagreements between the two.

use cggames::board::Key;
use cggames::game::PotGame;
use cgsolvers::KnownValues;
use cgvalues::{Digester, Notation, NotationWriter};
use valuestore::{Namespace, Reader, Store, StoreError, TakenOver};

use super::super::dispatch::{Visitor, dispatch};
use super::super::known::KnownStore;
use super::super::stored::Stored;
use super::{UnknownNamespace, VALUE_CHARS_MAX, game_of};
use crate::run::RunError;

/// The result of an import.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImportReport {
    /// The imports of the namespaces that this program knows.
    pub imported: Vec<TakenOver>,
    /// The namespaces that it does not know, from which nothing was imported.
    pub left_alone: Vec<UnknownNamespace>,
}

/// Imports the values of another store for all games whose versions of the rules this program knows.
///
/// # Errors
///
/// [`RunError::StoresDiffer`] if both have a position with different values, and then nothing is imported; damaged segments
/// of the other store; a store in use.
pub fn import(store: &Store, from: &Store) -> Result<ImportReport, RunError> {
    let mut known = Vec::new();
    let mut left_alone = Vec::new();
    for namespace in from.namespaces() {
        match game_of(&namespace) {
            Ok(_) => known.push(namespace),
            Err(unknown) => left_alone.push(unknown),
        }
    }
    match store
        .writer_in_turn(&|| false)?
        .take_over(from, &known, &|| false)
    {
        Ok(imported) => Ok(ImportReport {
            imported,
            left_alone,
        }),
        Err(StoreError::Conflict { namespace, key, .. }) => {
            Err(disagreement(store, from, namespace, key)?)
        }
        Err(error) => Err(error.into()),
    }
}

/// Returns the error that states both stores' values of a key.
fn disagreement(
    store: &Store,
    from: &Store,
    namespace: Namespace,
    key: Key,
) -> Result<RunError, RunError> {
    let value = |store: &Store| match game_of(&namespace) {
        Ok((game, manner)) => {
            let reader = store.reader(&namespace).without_damaged().0;
            dispatch(game, manner, Named { reader, key })
        }
        Err(unknown) => Ok((format!("key {key:#x}"), unknown.to_string())),
    };
    let (position, ours) = value(store)?;
    let (_, theirs) = value(from)?;
    Ok(RunError::StoresDiffer {
        namespace: Box::new(namespace),
        position,
        ours,
        theirs,
    })
}

/// Names a position and its stored value.
struct Named {
    reader: Reader,
    key: Key,
}

impl Visitor for Named {
    type Output = Result<(String, String), RunError>;

    fn visit<R: PotGame, V: Stored + Default>(self, ruleset: R) -> Self::Output {
        let valuation = V::default();
        let known = KnownStore::new(&valuation, self.reader, None);
        let position = match ruleset.position_of_stored(self.key) {
            Some(position) => position.to_string(),
            None => format!("key {:#x}, which no position has,", self.key),
        };
        let value = match known.known(self.key)? {
            None => String::from("nothing"),
            Some(word) => {
                let arena = valuation.arena();
                let form = V::form(&mut arena.calculator(), word)?;
                NotationWriter::new(arena)
                    .limited(form, Notation::Standard, VALUE_CHARS_MAX)
                    .unwrap_or_else(|| Digester::new(arena).digest(form).to_string())
            }
        };
        Ok((position, value))
    }
}
