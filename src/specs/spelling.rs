//! Suggestions for misspelt names.

use strsim::levenshtein;

/// Suggests a name.
pub fn did_you_mean(name: &str) -> String {
    format!("did you mean `{name}`?")
}

/// Returns the candidate that differs from `found` by the fewest letters, if those are few.
pub fn nearest<'c>(found: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<&'c str> {
    near(found, candidates).first().copied()
}

/// Returns the candidates that differ from `found` by few letters, the nearest first.
pub fn near<'c>(found: &str, candidates: impl IntoIterator<Item = &'c str>) -> Vec<&'c str> {
    let allowed = found.chars().count().div_ceil(3).min(3);
    let mut near: Vec<(usize, &str)> = candidates
        .into_iter()
        .map(|candidate| (levenshtein(found, candidate), candidate))
        .filter(|(distance, _)| *distance <= allowed)
        .collect();
    near.sort_by_key(|(distance, _)| *distance);
    near.into_iter().map(|(_, candidate)| candidate).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_misses_are_found() {
        let keys = ["pots_min", "pots_max", "seeds_max", "order"];
        assert_eq!(nearest("pot_max", keys), Some("pots_max"));
        assert_eq!(nearest("ordr", keys), Some("order"));
        assert_eq!(nearest("colour", keys), None);
        assert_eq!(nearest("m", ["n"]), Some("n"));
        assert_eq!(nearest("", keys), None);
    }
}
