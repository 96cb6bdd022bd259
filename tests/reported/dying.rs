//! Signals, closed terminals, memory and time limits: a run ends with a documented status and loses nothing.

use crate::common::workspace::{ended, seedbank};

#[test]
fn heaps_beyond_a_proved_period_have_their_values_at_once() {
    for (arguments, printed) in [
        // Kayles has the period 12 from heap 71 on, and heaps of 4 tokens beyond it have value 1.
        (
            &["octal", "--code", "0.77", "1000000000"][..],
            "1000000000 = *\n",
        ),
        (
            &["octal", "--code", "0.77", "10000000000"],
            "10000000000 = *\n",
        ),
        (
            &["octal", "--code", "0.77", "3", "9223372036854775807", "5"],
            "3 = *3\n9223372036854775807 = *2\n5 = *4\n",
        ),
        // Its obligated values have the period 8.
        (
            &[
                "octal",
                "--code",
                "0.77",
                "--sum",
                "obligated",
                "8",
                "1000000000000",
            ],
            "8 = 01\n1000000000000 = 01\n",
        ),
        // Taking 1, 3 or 4 has the period 7: 0, 1, 0, 1, 2, 3, 2.
        (
            &["subtraction", "--set-of", "1,3,4", "700000000005"],
            "700000000005 = *3\n",
        ),
        (
            &[
                "disjunctive",
                "kayles(1000000000) + nim(3) + subtraction(1,3,4)(4000000000)",
            ],
            "kayles(1000000000) + nim(3) + subtraction(1,3,4)(4000000000) = *3\n",
        ),
        (
            &["obligated", "0.77(4000000000) > nim(1)", "0.77(8) > nim(1)"],
            "0.77(4000000000) > nim(1) = 10\n0.77(8) > nim(1) = 10\n",
        ),
    ] {
        let mut command = seedbank(&["eval", "--memory", "100MiB", "--game"]);
        command.args(arguments);
        let found = ended(command);
        assert_eq!(found.status, Some(0), "{found:?}");
        assert_eq!(found.stdout, printed);
    }
}

#[test]
fn heaps_without_a_proved_period_are_refused_beyond_the_limits() {
    for (arguments, status, error) in [
        (
            &[
                "octal",
                "--code",
                "0.B9",
                "--sum",
                "obligated",
                "1000000000000",
            ][..],
            2,
            "prove no period",
        ),
        (
            &[
                "octal",
                "--code",
                "0.B9",
                "--sum",
                "obligated",
                "1000000000",
            ],
            1,
            "prove no period",
        ),
        (
            &["disjunctive", "grundy(4000000000) + nim(1)"],
            2,
            "heaps below 10001 prove no period",
        ),
        (
            &["disjunctive", "0.0777f0777(1001)"],
            2,
            "heaps below 1001 prove no period",
        ),
        (
            &["disjunctive", "kayles(10001)", "--moves"],
            2,
            "at most 10000",
        ),
        (&["disjunctive", "kayles(4294967296)"], 2, "32 bits"),
    ] {
        let mut command = seedbank(&["eval", "--memory", "100MiB", "--game"]);
        command.args(arguments);
        let found = ended(command);
        assert_eq!(found.status, Some(status), "{found:?}");
        assert!(found.stderr.contains(error), "{found:?}");
    }
}
