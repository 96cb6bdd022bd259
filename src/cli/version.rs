//! `seedbank --version`
//!
//! `-V` prints the version alone; `--version` adds the commit, where the build knows it, and the features of the processor.

use std::sync::OnceLock;

use seedbank::engine::processor_features;

/// Returns the version with the commit of the build and the features of the processor on which the speed depends.
pub(super) fn long() -> &'static str {
    static LONG: OnceLock<String> = OnceLock::new();
    LONG.get_or_init(|| text(option_env!("SEEDBANK_COMMIT"), &processor_features()))
}

fn text(commit: Option<&str>, features: &[&str]) -> String {
    let commit = commit.map(|commit| format!("{commit}, "));
    format!(
        "{} ({}{})",
        env!("CARGO_PKG_VERSION"),
        commit.unwrap_or_default(),
        features.join(" ")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_commit_is_shown_where_it_is_known() {
        let version = env!("CARGO_PKG_VERSION");
        assert_eq!(
            text(Some("3f2a9c1d2b4e-dirty"), &["x86-64", "avx2"]),
            format!("{version} (3f2a9c1d2b4e-dirty, x86-64 avx2)")
        );
        assert_eq!(text(None, &["aarch64"]), format!("{version} (aarch64)"));
    }
}
