//! `seedbank init`

use std::fs::{self, OpenOptions};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use include_dir::{Dir, DirEntry, include_dir};

use super::output::{count, print_line};
use super::{CliError, Exit};

/// The job specs and their pages, embedded in the program.
static JOBS: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/jobs");

/// Copies the shipped job specs into a folder.
#[derive(Debug, Args)]
pub(super) struct InitArgs {
    /// The folder that gets the folder jobs; it is made where it is missing
    #[arg(default_value = ".")]
    dir: PathBuf,
}

/// Copies the shipped job specs into a folder. An existing file stays as it is; one with other
/// contents is an error.
pub(super) fn run(args: &InitArgs) -> Result<Exit, CliError> {
    let jobs = args.dir.join("jobs");
    let mut copied = 0;
    copy(&JOBS, &jobs, &mut copied)?;
    print_line(&format!(
        "{} copied to {}; next, in {}: seedbank run table-5",
        count(copied, "file"),
        jobs.display(),
        args.dir.display()
    ));
    Ok(Exit::Done)
}

fn copy(dir: &Dir<'_>, jobs: &Path, copied: &mut u64) -> Result<(), CliError> {
    let failed = |path: &Path, error| {
        let message = format!("{}: cannot be written: {error}", path.display());
        CliError::new(Exit::Failed, message)
    };
    let folder = jobs.join(dir.path());
    fs::create_dir_all(&folder).map_err(|error| failed(&folder, error))?;
    for entry in dir.entries() {
        let file = match entry {
            DirEntry::Dir(dir) => {
                copy(dir, jobs, copied)?;
                continue;
            }
            DirEntry::File(file) => file,
        };
        let path = jobs.join(file.path());
        match OpenOptions::new().write(true).create_new(true).open(&path) {
            Ok(mut new) => {
                let written = new.write_all(file.contents());
                written.map_err(|error| failed(&path, error))?;
                *copied += 1;
            }
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                if fs::read(&path).map_err(|error| failed(&path, error))? != file.contents() {
                    return Err(CliError::new(
                        Exit::Failed,
                        format!(
                            "{}: is there already and differs from the file that ships; move it away, or name another folder",
                            path.display()
                        ),
                    ));
                }
            }
            Err(error) => return Err(failed(&path, error)),
        }
    }
    Ok(())
}
