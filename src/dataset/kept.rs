//! What a run has found and cannot write as rows yet, kept for the run that goes on where this one is cut short.
//!
//! Sealed files in `kept/`, numbered as they were written, each whole or not there. They are gone once the result set is
//! complete, and nobody but the next run of the same job by the same version of the code reads them.

use std::fs;
use std::path::PathBuf;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::{DatasetError, Digest, FORMAT_VERSION, PieceFolder, ResultSet, record, remove_pieces};
use crate::durable;

const KEPT: &str = "kept";
const KEPT_PIECES: &str = "kept-pieces";

/// Which job what was kept belongs to, and which version of the code has kept it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct KeptFor {
    job_digest: Digest,
    code_version: String,
}

#[derive(Serialize, Deserialize)]
struct Kept<T> {
    format_version: u32,
    #[serde(flatten)]
    kept_for: KeptFor,
    found: T,
}

impl ResultSet {
    /// Keeps what was found. Cost: two syncs.
    ///
    /// # Errors
    ///
    /// [`DatasetError::Io`] where nothing can be written.
    pub(crate) fn keep<T: Serialize>(&self, found: T) -> Result<(), DatasetError> {
        let layout = &self.layout;
        let folder = self.kept_folder();
        durable::create_directory(&folder)?;
        let kept = Kept {
            format_version: FORMAT_VERSION,
            kept_for: self.kept_for(),
            found,
        };
        for number in durable::plain_files(&folder)?.len().. {
            let path = folder.join(format!("{number:05}.json"));
            if record::write(&layout.tmp(), KEPT, &path, &kept)? {
                break;
            }
        }
        Ok(())
    }

    /// Hands on what runs have kept, in the order of keeping; what is damaged or from another version is left out, with a
    /// warning.
    ///
    /// # Errors
    ///
    /// [`DatasetError::Io`] where nothing can be read.
    pub(crate) fn kept<T: DeserializeOwned>(
        &self,
        mut each: impl FnMut(T),
    ) -> Result<(), DatasetError> {
        let own = self.kept_for();
        for path in durable::plain_files(&self.kept_folder())? {
            match record::read::<Kept<T>>(&path) {
                Ok(Some(kept)) if kept.kept_for == own => each(kept.found),
                Ok(_) => tracing::warn!(
                    "{} was kept by another version, and is worked out anew",
                    path.display()
                ),
                Err(damage) if damage.is_damage() => tracing::warn!("{damage}"),
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Forgets what was kept, if anything was.
    ///
    /// # Errors
    ///
    /// [`DatasetError::Io`] where something cannot be removed.
    pub(crate) fn forget_kept(&self) -> Result<(), DatasetError> {
        let folder = self.kept_folder();
        for path in durable::plain_files(&folder)? {
            durable::remove(&path)?;
        }
        // An empty folder does no harm.
        let _ = fs::remove_dir(folder);
        remove_pieces(&self.layout.dir.join(KEPT_PIECES))
    }

    /// Opens the folder for what is kept in bytes.
    ///
    /// # Errors
    ///
    /// [`DatasetError::Io`] where it cannot be read.
    pub(crate) fn kept_pieces(&self) -> Result<PieceFolder, DatasetError> {
        PieceFolder::open(self.layout.dir.join(KEPT_PIECES))
    }

    /// Returns what tells what is kept for this job from what is not.
    pub(crate) fn kept_for(&self) -> KeptFor {
        let header = &self.layout.header;
        KeptFor {
            job_digest: header.job_digest,
            code_version: header.code_version.clone(),
        }
    }

    fn kept_folder(&self) -> PathBuf {
        self.layout.dir.join(KEPT)
    }
}
