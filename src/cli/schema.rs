//! `seedbank schema`

use seedbank::task::schema::job_schema;

use super::output::print_line;
use super::{CliError, Exit};

/// Prints the JSON Schema of job specs.
pub(super) fn run() -> Result<Exit, CliError> {
    print_line(&format!("{:#}", job_schema().as_value()));
    Ok(Exit::Done)
}
