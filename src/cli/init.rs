//! `seedbank init`

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use clap::Args;
use include_dir::{Dir, DirEntry, include_dir};
use seedbank::durable::{IoError, write_whole};
use seedbank::input;

use super::error::unwritten;
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
    let failed = |path: &Path, error| unwritten(&IoError::on("write", path)(error));
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
        match input::bytes(&path) {
            Ok(found) if found == file.contents() => {}
            Ok(_) => {
                return Err(CliError::new(
                    Exit::Failed,
                    format!(
                        "{}: is there already and differs from the file that ships; move it away, or name another folder",
                        path.display()
                    ),
                ));
            }
            // A link to a missing file is in the way, too: what it leads to is not this command's.
            Err(error) if error.kind() == ErrorKind::NotFound && !path.is_symlink() => {
                let written: Result<(), IoError> = write_whole(&path, |new| {
                    let written = new.write_all(file.contents());
                    written.map_err(IoError::on("write", &path))
                });
                written.map_err(|error| unwritten(&error))?;
                *copied += 1;
            }
            Err(error) => return Err(failed(&path, error)),
        }
    }
    Ok(())
}
