//! `seedbank man`
//!
//! Pages are generated from the same declarations as the help. Each page also has the exit statuses and a reference to the page
//! of `seedbank`.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use clap::{Args, Command};
use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, roman};
use seedbank::durable::IoError;

use super::error::unwritten;
use super::files::write_text;
use super::output::{count, print_line};
use super::{CliError, Exit};

#[derive(Debug, Args)]
pub(super) struct ManArgs {
    /// Write a page for each subcommand into this folder, such as ~/.local/share/man/man1 [default:
    /// print the page of seedbank]
    #[arg(value_name = "DIR")]
    dir: Option<PathBuf>,
}

pub(super) fn run(args: &ManArgs, mut seedbank: Command) -> Result<Exit, CliError> {
    seedbank.build();
    match &args.dir {
        None => {
            let page = page(&seedbank).map_err(CliError::failed)?;
            print_line(page.trim_end());
        }
        Some(dir) => {
            let failed = |error| unwritten(&IoError::on("create", dir)(error));
            fs::create_dir_all(dir).map_err(failed)?;
            let pages = write_pages(&seedbank, dir)?;
            tracing::info!("{} in {}", count(pages, "page"), dir.display());
        }
    }
    Ok(Exit::Done)
}

/// Writes the pages of a command and of its subcommands, and returns their number.
fn write_pages(command: &Command, dir: &Path) -> Result<u64, CliError> {
    let file = format!("{}.1", name(command));
    let page = page(command).map_err(CliError::failed)?;
    write_text(&dir.join(file), &page)?;
    let subcommands = command.get_subcommands();
    subcommands
        .map(|command| write_pages(command, dir))
        .sum::<Result<u64, CliError>>()
        .map(|n| n + 1)
}

/// Returns the name of a command's page, such as `seedbank-store-verify`.
fn name(command: &Command) -> &str {
    command.get_display_name().unwrap_or(command.get_name())
}

/// Returns the page of a command.
fn page(command: &Command) -> io::Result<String> {
    let man = Man::new(command.clone())
        .source(concat!("seedbank ", env!("CARGO_PKG_VERSION")))
        .manual("Seedbank");
    let mut text = Vec::new();
    man.render_title(&mut text)?;
    man.render_name_section(&mut text)?;
    man.render_synopsis_section(&mut text)?;
    man.render_description_section(&mut text)?;
    man.render_options_section(&mut text)?;
    if command.has_subcommands() {
        man.render_subcommands_section(&mut text)?;
    }
    let mut end = Roff::new();
    let is_top = name(command) == "seedbank";
    // The notes after the help of seedbank itself are only the exit statuses.
    if let Some(notes) = command.get_after_help().filter(|_| !is_top) {
        end.control("SH", ["NOTES"]);
        end.control("nf", []);
        end.text([roman(notes.to_string())]);
        end.control("fi", []);
    }
    end.control("SH", ["EXIT STATUS"]);
    for exit in Exit::ALL {
        end.control("TP", ["6"]);
        end.text([bold((exit as u8).to_string())]);
        end.text([roman(exit.meaning())]);
    }
    if !is_top {
        end.control("SH", ["SEE ALSO"]);
        end.text([bold("seedbank"), roman("(1)")]);
    }
    end.to_writer(&mut text)?;
    Ok(String::from_utf8(text).expect("pages are made of the texts of the help"))
}
