//! Converts the entries of the file to facts.

use super::super::cited::Publication;
use super::wire::Reconstruct;
use super::{BoardStatement, ReferenceError};

/// Drops empty bins at the end.
pub(super) fn trimmed(mut bins: Vec<u32>) -> Vec<u32> {
    while bins.last() == Some(&0) {
        bins.pop();
    }
    bins
}

impl Publication<'_, BoardStatement> {
    pub(super) fn board(
        &mut self,
        label: String,
        n: u64,
        bins: Vec<u32>,
        cite: &str,
        key: &str,
    ) -> Result<(), ReferenceError> {
        let bins = trimmed(bins);
        let stones: u64 = bins.iter().map(|&stones| u64::from(stones)).sum();
        if stones != n {
            let expected = format!("bins of {n} stones together");
            return Err(self.wrong(key, &expected, format!("{stones} stones")));
        }
        self.push(label, BoardStatement::Board { n, bins }, cite, key);
        Ok(())
    }

    pub(super) fn sieve(
        &mut self,
        bin: u64,
        name: &str,
        entries: Vec<(u64, u64)>,
    ) -> Result<(), ReferenceError> {
        let key = format!("sieve.{name}");
        if !entries.is_sorted_by(|a, b| a.0 < b.0 && a.1 < b.1) {
            let expected = "places and entries in ascending order";
            return Err(self.wrong(&key, expected, format!("{entries:?}")));
        }
        let statement = BoardStatement::Sieve { bin, entries };
        self.push(format!("S^({bin})"), statement, "Theorem 3.7", &key);
        Ok(())
    }

    pub(super) fn reconstruction(
        &mut self,
        key: &str,
        entry: Reconstruct,
    ) -> Result<(), ReferenceError> {
        let mut fixed = Vec::new();
        for (bin, stones) in entry.fixed {
            let Ok(number) = bin.parse() else {
                return Err(self.wrong(format!("{key}.fixed"), "numbers of bins as keys", bin));
            };
            fixed.push((number, stones));
        }
        fixed.sort_unstable();
        let label: Vec<String> = fixed
            .iter()
            .map(|(bin, n)| format!("beta_{bin}={n}"))
            .collect();
        let possible = entry.solution.as_deref() != Some("none");
        let smallest = entry.smallest_n;
        // The claim is that there is no board, that there is one, or which is the smallest.
        let is_said = entry.solution.is_some() || smallest.is_some();
        if !is_said || !possible && smallest.is_some() {
            let expected = "smallest_n, or a solution that is none or says that there is one";
            return Err(self.wrong(key, expected, format!("{:?}", entry.solution)));
        }
        for (n, bins, name) in [
            (34, entry.beta_34, "beta_34"),
            (202, entry.beta_202, "beta_202"),
        ] {
            if let Some(bins) = bins {
                let key = format!("{key}.{name}");
                self.board(format!("board {n}"), n, bins, "Example 4.8", &key)?;
            }
        }
        if let Some(also) = entry
            .also
            .filter(|&also| smallest.is_none_or(|least| also <= least))
        {
            let key = format!("{key}.also");
            return Err(self.wrong(&key, "more stones than smallest_n", also.to_string()));
        }
        let statement = BoardStatement::Reconstruction {
            fixed,
            possible,
            smallest,
            print: entry.print,
        };
        self.push(
            label.join(" "),
            statement,
            "Examples 4.4 to 4.9, Remark 4.6",
            key,
        );
        Ok(())
    }

    pub(super) fn graphs(&mut self, cycle: &[Vec<u64>]) -> Result<(), ReferenceError> {
        let (iff, star) = (BoardStatement::FiniteIff, BoardStatement::Stars);
        self.push(
            "finitely many boards".to_owned(),
            iff,
            "Theorem 5.2",
            "sowing_graphs.finite_iff",
        );
        self.push(
            "stars".to_owned(),
            star,
            "Example 5.3",
            "sowing_graphs.star",
        );
        let key = "sowing_graphs.cycle_4_boards";
        let totals: Vec<u64> = cycle.iter().map(|bins| bins.iter().sum()).collect();
        if !totals.is_sorted_by(|a, b| a < b) {
            let expected = "boards of ever more stones";
            return Err(self.wrong(key, expected, format!("totals {totals:?}")));
        }
        let statement = BoardStatement::CycleOfFour { totals };
        self.push("cycle of four".to_owned(), statement, "Figure 6", key);
        Ok(())
    }
}
