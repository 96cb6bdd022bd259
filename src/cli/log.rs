//! The log on standard error.

use std::env;
use std::io::{self, Write};
use std::sync::OnceLock;

use seedbank::job::unturned;
use tracing::level_filters::LevelFilter;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{Registry, reload};

use super::color;
use super::events::LogLayer;
use super::streams::say;
use super::terminal::bar;

/// The levels that are logged, once the log has started. Each called command sets them.
static FILTER: OnceLock<reload::Handle<Targets, Registry>> = OnceLock::new();

/// Starts the log on standard error. `SEEDBANK_LOG` overrides the level: `debug`, or levels of modules such as
/// `info,seedbank::store=trace`.
pub(super) fn start_logging(verbose: u8, quiet: bool) {
    let level = match (quiet, verbose) {
        (true, _) => LevelFilter::WARN,
        (false, 0) => LevelFilter::INFO,
        (false, 1) => LevelFilter::DEBUG,
        (false, _) => LevelFilter::TRACE,
    };
    let asked = env::var("SEEDBANK_LOG").ok();
    let asked = asked
        .filter(|text| !text.is_empty())
        .map(|text| text.parse::<Targets>());
    let filter = match &asked {
        Some(Ok(targets)) => targets.clone(),
        _ => Targets::new().with_default(level),
    };
    let on_stderr = tracing_subscriber::fmt::layer()
        .with_target(false)
        .without_time()
        .with_ansi(color::on_stderr())
        .with_writer(|| AboveBar);
    if let Some(handle) = FILTER.get() {
        handle
            .reload(filter)
            .expect("the log lasts as long as the process");
    } else {
        let (filter, handle) = reload::Layer::new(filter);
        tracing_subscriber::registry()
            .with(filter)
            .with(on_stderr)
            .with(LogLayer)
            .init();
        FILTER.set(handle).expect("one command runs at a time");
    }
    if let Some(Err(error)) = asked {
        tracing::warn!(
            "SEEDBANK_LOG: {error}; accepted are levels such as debug, and levels of modules such as info,seedbank::store=trace"
        );
    }
}

/// Standard error, above the bar. Writing never fails, because the library answers a failure with a panic.
struct AboveBar;

impl Write for AboveBar {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // Control characters are escaped by the log itself.
        let text = String::from_utf8_lossy(bytes);
        bar().suspend(|| say(&unturned(&text)));
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
