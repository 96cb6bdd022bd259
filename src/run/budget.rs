//! The memory budget of a run.

use std::fmt;
use std::fs;
use std::str::FromStr;

use thiserror::Error;

/// A number of bytes, written like `16GiB`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Bytes(pub u64);

/// A text that is no number of bytes.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0:?} is no amount of memory; write a number with a unit, such as 900MiB or 16GiB")]
pub struct ParseBytesError(String);

/// The units accepted, the binary ones also used to print.
const UNITS: [(&str, u64); 9] = [
    ("TiB", 1 << 40),
    ("GiB", 1 << 30),
    ("MiB", 1 << 20),
    ("KiB", 1 << 10),
    ("TB", 1_000_000_000_000),
    ("GB", 1_000_000_000),
    ("MB", 1_000_000),
    ("kB", 1_000),
    ("B", 1),
];

impl FromStr for Bytes {
    type Err = ParseBytesError;

    /// Reads a number and a unit, binary (`KiB`, `MiB`, `GiB`, `TiB`, or their first letter alone) or
    /// decimal (`kB`, `MB`, `GB`, `TB`).
    fn from_str(text: &str) -> Result<Bytes, ParseBytesError> {
        let error = || ParseBytesError(text.to_owned());
        let digits = text
            .trim()
            .trim_end_matches(|c: char| c.is_ascii_alphabetic());
        let unit = &text.trim()[digits.len()..];
        let scale = UNITS
            .iter()
            .find(|(name, _)| {
                name.eq_ignore_ascii_case(unit)
                    || name.len() == 3 && name[..1].eq_ignore_ascii_case(unit)
            })
            .map(|&(_, scale)| scale)
            .ok_or_else(error)?;
        let number: f64 = digits.trim().parse().map_err(|_| error())?;
        let bytes = number * scale as f64;
        if !(1.0..1e18).contains(&bytes) {
            return Err(error());
        }
        Ok(Bytes(bytes as u64))
    }
}

impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match UNITS[..4].iter().find(|&&(_, scale)| self.0 >= scale) {
            Some(&(name, scale)) => write!(f, "{:.1} {name}", self.0 as f64 / scale as f64),
            None => write!(f, "{} B", self.0),
        }
    }
}

impl Bytes {
    /// Returns three quarters of the memory that is available to this process now: of the machine's
    /// free memory, or of its control group's limit where that is less.
    pub fn available() -> Bytes {
        let meminfo = fs::read_to_string("/proc/meminfo").unwrap_or_default();
        let machine = meminfo
            .lines()
            .find_map(|line| line.strip_prefix("MemAvailable:"))
            .and_then(|rest| {
                rest.trim()
                    .trim_end_matches("kB")
                    .trim()
                    .parse::<u64>()
                    .ok()
            })
            .map(|kib| kib << 10);
        let group = [
            "/sys/fs/cgroup/memory.max",
            "/sys/fs/cgroup/memory/memory.limit_in_bytes",
        ]
        .iter()
        .find_map(|path| fs::read_to_string(path).ok()?.trim().parse::<u64>().ok());
        let least = machine.into_iter().chain(group).min();
        // Where nothing can be learned, assume a small machine.
        Bytes(least.unwrap_or(4 << 30) / 4 * 3)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_read_and_print() {
        for (text, bytes) in [
            ("16GiB", 16 << 30),
            ("16G", 16 << 30),
            ("900 MiB", 900 << 20),
            ("1.5g", 3 << 29),
            ("2kB", 2000),
            ("4096B", 4096),
        ] {
            assert_eq!(text.parse(), Ok(Bytes(bytes)), "{text}");
        }
        for text in [
            "", "16", "GiB", "-1GiB", "0B", "1e30GiB", "16 GiBs", "nanGiB",
        ] {
            assert!(text.parse::<Bytes>().is_err(), "{text}");
        }
        assert_eq!(Bytes(16 << 30).to_string(), "16.0 GiB");
        assert_eq!(Bytes(512).to_string(), "512 B");
    }

    #[test]
    fn something_is_available() {
        assert!(Bytes::available() > Bytes(1 << 20));
    }
}
