//! The lines of progress, as pure functions of the [state](State): a line that fits a width, or a plain line.

use std::time::Duration;

use bytesize::ByteSize;

use crate::terminal::width;

/// The columns of the bar itself.
const BAR_MIN: usize = 6;
const BAR_MAX: usize = 30;

/// The progress of some work.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct State {
    pub(super) title: String,
    pub(super) phase: &'static str,
    pub(super) unit: &'static str,
    pub(super) done: u64,
    pub(super) total: Option<u64>,
    /// The fraction of the work that is done, from 0 to 1.
    pub(super) part: Option<f64>,
    /// The rate and its unit.
    pub(super) rate: Option<f64>,
    pub(super) rate_unit: &'static str,
    /// The memory in use; 0 where it is not watched.
    pub(super) bytes: u64,
    pub(super) left: Option<Duration>,
    pub(super) finishing: bool,
}

impl State {
    /// Returns the rate with its unit, if the work is counted at all.
    fn rate_text(&self) -> Option<String> {
        let rate = self.rate.filter(|_| !self.rate_unit.is_empty())?;
        Some(rate_text(rate, self.rate_unit))
    }
}

/// Returns the plain line for a state.
pub(super) fn plain_line(state: &State) -> String {
    let mut parts = vec![format!("{}: {}", state.title, state.phase)];
    if !state.unit.is_empty() {
        parts.push(work(state));
    }
    parts.extend(state.rate_text());
    parts.extend((state.bytes > 0).then(|| ByteSize(state.bytes).to_string()));
    parts.push(match state.left {
        Some(left) => format!("time left {}", time(left)),
        None => "time left unknown".to_owned(),
    });
    parts.extend(state.finishing.then(|| "finishing".to_owned()));
    parts.join(", ")
}

/// Returns the longest line for a state that fits these columns.
pub(super) fn line(state: &State, columns: usize) -> String {
    let percent = state.part.map(|part| format!("{:.0} %", 100.0 * part));
    let rate = state.rate_text();
    let memory = (state.bytes > 0).then(|| ByteSize(state.bytes).to_string());
    let left = match (state.finishing, state.left) {
        (true, _) => "finishing".to_owned(),
        (false, Some(left)) => format!("{} left", time(left)),
        (false, None) => "time left unknown".to_owned(),
    };
    let left_short = match (state.finishing, state.left) {
        (false, None) => "left ?".to_owned(),
        _ => left.clone(),
    };
    let work = (!state.unit.is_empty()).then(|| work(state));
    let phase = Some(state.phase.to_owned());
    let title = |most: usize| shortened(&state.title, most);
    let no = None::<String>;
    // The bar comes after the phase. Lines from the longest to the shortest are tried.
    let layouts = [
        ("  ", title(32), &work, &rate, &memory, &left),
        ("  ", title(32), &no, &rate, &memory, &left),
        (" ", title(24), &no, &rate, &memory, &left),
        (" ", title(24), &no, &rate, &memory, &left_short),
        (" ", title(12), &no, &rate, &memory, &left_short),
        (" ", title(12), &no, &rate, &no, &left_short),
        (" ", title(12), &no, &no, &no, &left_short),
    ];
    for (gap, title, work, rate, memory, left) in layouts {
        let before = [&Some(title), &phase];
        let after = [&percent, work, rate, memory, &Some(left.clone())];
        let text = |parts: &[&Option<String>]| {
            let parts = parts.iter().filter_map(|part| part.as_deref());
            parts.collect::<Vec<_>>().join(gap)
        };
        let (before, after) = (text(&before), text(&after));
        let taken = width(&before) + width(&after);
        // A gap and a bracket on either side of the bar.
        let free = columns.checked_sub(taken + 2 * gap.len() + 2);
        match (free, state.part) {
            (Some(free), Some(part)) if free >= BAR_MIN => {
                let drawn = drawn(part, free.min(BAR_MAX));
                return format!("{before}{gap}[{drawn}]{gap}{after}");
            }
            (Some(_), None) => return format!("{before}{gap}{after}"),
            _ => {}
        }
    }
    // No room for a bar.
    let percent = percent.map_or_else(String::new, |percent| format!(" {percent}"));
    let texts = [
        format!("{} {}{percent} {left_short}", title(12), state.phase),
        format!("{}{percent} {left_short}", state.phase),
        format!("{}{percent}", state.phase),
    ];
    let fits = |text: &&String| width(text) <= columns;
    let text = texts.iter().find(fits).cloned();
    text.unwrap_or_else(|| shortened(state.phase, columns))
}

/// Cuts a text to fit in these columns.
fn shortened(text: &str, columns: usize) -> String {
    if width(text) <= columns {
        return text.to_owned();
    }
    let mut short = String::new();
    for c in text.chars() {
        if width(&short) + width(c.encode_utf8(&mut [0; 4])) + 2 > columns {
            break;
        }
        short.push(c);
    }
    short.push_str(&".."[..columns.saturating_sub(width(&short)).min(2)]);
    short
}

/// Draws a bar of these columns.
fn drawn(part: f64, columns: usize) -> String {
    let full = (part.clamp(0.0, 1.0) * columns as f64) as usize;
    "#".repeat(full) + &"-".repeat(columns - full)
}

/// Returns the finished work of a phase: `28.6 M of 65.6 M positions`.
fn work(state: &State) -> String {
    let many = |number: u64, unit: &str| {
        let plural = if number == 1 { "" } else { "s" };
        format!("{} {unit}{plural}", number_text(number as f64))
    };
    match state.total {
        Some(total) => format!(
            "{} of {}",
            number_text(state.done as f64),
            many(total, state.unit)
        ),
        None => many(state.done, state.unit),
    }
}

/// Returns a rate per second or, if it is less than one, per minute.
pub(crate) fn rate_text(rate: f64, unit: &str) -> String {
    match rate {
        0.0 => format!("0 {unit}s/s"),
        ..1.0 => format!("{:.1} {unit}s/min", 60.0 * rate),
        ..10.0 => format!("{rate:.1} {unit}s/s"),
        _ => format!("{} {unit}s/s", number_text(rate)),
    }
}

/// Returns a number of at most five digits: `712`, `9,120`, `34.3 k`, `2.1 M`.
fn number_text(number: f64) -> String {
    let number = number.round();
    if number < 1e3 {
        return format!("{number:.0}");
    }
    if number < 1e4 {
        let number = number as u64;
        return format!("{},{:03}", number / 1000, number % 1000);
    }
    let mut scaled = number;
    let mut prefix = ' ';
    for next in ['k', 'M', 'G', 'T', 'P', 'E'] {
        // A number that rounds to 1000 takes the next prefix.
        if scaled < 999.5 {
            break;
        }
        scaled /= 1000.0;
        prefix = next;
    }
    if scaled < 99.95 {
        format!("{scaled:.1} {prefix}")
    } else {
        format!("{scaled:.0} {prefix}")
    }
}

/// Returns a time in its two largest units: `45s`, `3m 45s`, `2h 5m`, `3d 4h`.
pub(crate) fn time(time: Duration) -> String {
    let seconds = time.as_secs();
    let (minutes, hours, days) = (seconds / 60, seconds / 3600, seconds / 86_400);
    match (days, hours, minutes) {
        (0, 0, 0) => format!("{seconds}s"),
        (0, 0, _) => format!("{minutes}m {}s", seconds % 60),
        (0, _, _) => format!("{hours}h {}m", minutes % 60),
        _ => format!("{days}d {}h", hours % 24),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn state() -> State {
        State {
            title: "sowing-impartial-pots-9".to_owned(),
            phase: "sweeping",
            unit: "position",
            done: 28_583_877,
            total: Some(65_588_086),
            part: Some(0.43),
            rate: Some(2_847_457.3),
            rate_unit: "position",
            bytes: 145_437_491,
            left: Some(Duration::from_secs(225)),
            finishing: false,
        }
    }

    #[test]
    fn numbers_have_no_silly_decimals() {
        let numbers = [
            0.0,
            712.4,
            999.5,
            9_120.4,
            9_999.6,
            34_269.03,
            999_949.0,
            999_960.0,
            2_081_000.0,
            3e14,
        ];
        assert_eq!(
            numbers.map(number_text),
            [
                "0", "712", "1,000", "9,120", "10.0 k", "34.3 k", "1.0 M", "1.0 M", "2.1 M",
                "300 T"
            ]
        );
        let rates = [0.0, 0.05, 3.25, 34_269.03];
        assert_eq!(
            rates.map(|rate| rate_text(rate, "row")),
            ["0 rows/s", "3.0 rows/min", "3.2 rows/s", "34.3 k rows/s"]
        );
        let times = [0, 59, 225, 3600, 7_530, 273_700].map(Duration::from_secs);
        assert_eq!(
            times.map(time),
            ["0s", "59s", "3m 45s", "1h 0m", "2h 5m", "3d 4h"]
        );
    }

    #[test]
    fn a_line_says_as_much_as_fits() {
        let state = state();
        assert_eq!(
            line(&state, 150),
            "sowing-impartial-pots-9  sweeping  [############------------------]  43 %  28.6 M of 65.6 M positions  2.8 M positions/s  138.7 MiB  3m 45s left"
        );
        assert_eq!(
            line(&state, 119),
            "sowing-impartial-pots-9  sweeping  [############------------------]  43 %  2.8 M positions/s  138.7 MiB  3m 45s left"
        );
        assert_eq!(
            line(&state, 79),
            "sowing-imp.. sweeping [####------] 43 % 2.8 M positions/s 138.7 MiB 3m 45s left"
        );
        assert_eq!(line(&state, 39), "sowing-imp.. sweeping 43 % 3m 45s left");
    }

    #[test]
    fn a_line_fits_whatever_the_state_and_the_width() {
        let states = [
            state(),
            State {
                left: None,
                ..state()
            },
            State {
                part: None,
                total: None,
                rate: None,
                bytes: 0,
                ..state()
            },
            State {
                title: "très-très-long-名前".repeat(9),
                done: u64::MAX,
                total: Some(u64::MAX),
                rate: Some(1e300),
                bytes: u64::MAX,
                left: Some(Duration::MAX),
                ..state()
            },
            State {
                finishing: true,
                ..state()
            },
            State::default(),
        ];
        for state in states {
            for columns in 0..200 {
                let line = line(&state, columns);
                assert!(width(&line) <= columns, "{columns}: {line}");
            }
        }
    }

    #[test]
    fn plain_lines_say_the_same() {
        assert_eq!(
            plain_line(&state()),
            "sowing-impartial-pots-9: sweeping, 28.6 M of 65.6 M positions, 2.8 M positions/s, 138.7 MiB, time left 3m 45s"
        );
        let begun = State {
            rate: None,
            left: None,
            finishing: true,
            ..state()
        };
        assert_eq!(
            plain_line(&begun),
            "sowing-impartial-pots-9: sweeping, 28.6 M of 65.6 M positions, 138.7 MiB, time left unknown, finishing"
        );
        let uncounted = State {
            unit: "",
            rate_unit: "",
            bytes: 0,
            left: None,
            ..state()
        };
        assert_eq!(
            plain_line(&uncounted),
            "sowing-impartial-pots-9: sweeping, time left unknown"
        );
    }
}
