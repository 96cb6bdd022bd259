//! Every value printed in the reference data is read, written and read back.

use std::fs;
use std::path::Path;

use seedbank::value::{Arena, Notation};
use toml::{Table, Value};

/// Returns the texts at `path` in all tables of a file, with lists flattened.
fn texts<'a>(value: &'a Value, path: &[&str], found: &mut Vec<&'a str>) {
    match (value, path) {
        (Value::Array(values), _) => values.iter().for_each(|value| texts(value, path, found)),
        (Value::String(text), []) => found.push(text),
        (Value::Table(table), []) => table.values().for_each(|value| texts(value, path, found)),
        (Value::Table(table), [key, rest @ ..]) => {
            if let Some(value) = table.get(*key) {
                texts(value, rest, found);
            }
        }
        _ => {}
    }
}

#[test]
fn reference_values_read_back() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/reference");
    let mut count = 0;
    for (file, paths) in [
        (
            "sowing.toml",
            &[&["partisan", "value"][..], &["partisan_sequence", "values"]][..],
        ),
        (
            "atomic_wari.toml",
            &[&["partisan", "value"], &["table_5", "legend"]],
        ),
    ] {
        let text = fs::read_to_string(folder.join(file)).unwrap();
        let table = Value::Table(text.parse::<Table>().unwrap());
        for path in paths {
            let mut found = Vec::new();
            texts(&table, path, &mut found);
            assert!(!found.is_empty(), "{file} has {path:?}");
            for text in found {
                let arena = Arena::new();
                let mut c = arena.calculator();
                let id = c
                    .parse(text)
                    .unwrap_or_else(|e| panic!("{file}: {text}: {e}"));
                for notation in [Notation::Standard, Notation::Plain] {
                    let written = arena.notation_as(id, notation).to_string();
                    assert_eq!(c.parse(&written), Ok(id), "{written}");
                }
                count += 1;
            }
        }
    }
    assert!(count >= 70, "only {count} values found");
}

#[test]
fn reference_values_are_written_as_cgsuite_would() {
    let arena = Arena::new();
    let mut c = arena.calculator();
    for (text, written) in [
        ("{1/2|-1/2}", "+-1/2"),
        ("2.^*", "^2*"),
        ("{1|{*|-1}}", "{1||*|-1}"),
        ("{{2|0}|{-2|-4}}", "{2|0||-2|-4}"),
        ("{0|*2}", "^*3"),
        ("{{1/8|{3.^|*}}|{{*|3.v}|-1/8}}", "+-{1/8||^3|*}"),
        ("{0,{1|0}|0,{0|-1}}", "+-{0,{1|0}}"),
        (
            "{{{4|4}|1/2,{7/2|0}}|{-1/2,{0|-7/2}|{-4|-4}}}",
            "+-{4*|1/2,{7/2|0}}",
        ),
        ("{{1|{1|0}}|{{0|-1}|-1}}", "+-(1Tiny(1))"),
        ("{1/2,{1|*}|-1/2,{*|-1}}", "+-{1/2,{1|*}}"),
        ("{*,^|0,*}", "{*,^|0,*}"),
        ("{0,*|*,v}", "{0,*|*,v}"),
        ("{0,*|v}", "^<2>*"),
        ("{^|0,*}", "v<2>*"),
        ("{*,^|*,v}", "+-{*,^}"),
    ] {
        let id = c.parse(text).unwrap();
        assert_eq!(arena.notation(id).to_string(), written);
    }
}
