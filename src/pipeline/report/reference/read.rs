//! Converts the contents of the files to facts, and checks every position, value and formula.

use std::collections::BTreeMap;
use std::path::Path;

use cggames::board::AnyBoard;
use cggames::family::Pattern;
use cggames::game::{Game, Play};
use cgvalues::{Arena, Calculator, ValuePattern};

use super::cited::{Cited, Publication};
use super::{Fact, Formula, Printed, ReferenceError, Statement, Theorem, files, wire};

/// Reads the facts of one file's text.
pub(super) fn facts(text: &str, path: &Path) -> Result<Vec<Cited<Fact>>, ReferenceError> {
    let file: wire::File = files::parsed(text, path)?;
    let read = Publication::new(path, file.source);
    let game = file.game.parse();
    let game = game.map_err(|_| read.wrong("game", Game::names(), file.game))?;
    let arena = Arena::new();
    let mut reader = Reader {
        read,
        game,
        calculator: arena.calculator(),
    };
    for (i, entry) in file.partisan.into_iter().enumerate() {
        reader.entry(&format!("partisan[{i}]"), entry)?;
    }
    for (i, entry) in file.partisan_sequence.into_iter().enumerate() {
        let key = format!("partisan_sequence[{i}]");
        reader.sequence(&key, Play::Partisan, entry)?;
    }
    for (i, entry) in file.theorem.into_iter().enumerate() {
        reader.theorem(&format!("theorem[{i}]"), entry)?;
    }
    if let Some(grid) = file.table_5 {
        reader.grid("table_5", grid)?;
    }
    let about = About {
        cite: file.impartial_cite,
        print: file.impartial_print,
        printed: file.impartial_printed,
    };
    reader.nim_values(file.impartial, about)?;
    for (i, entry) in file.impartial_sequence.into_iter().enumerate() {
        let key = format!("impartial_sequence[{i}]");
        reader.sequence(&key, Play::Impartial, entry)?;
    }
    for (i, entry) in file.sum.into_iter().enumerate() {
        reader.sum(&format!("sum[{i}]"), entry)?;
    }
    if let Some(entry) = file.p_positions_of_octal_37 {
        for play in Play::ALL {
            let statement = Statement::DeuceRuns {
                zero: entry.heaps.clone(),
                below: entry.searched_below,
            };
            reader.push(
                "p_positions_of_octal_37",
                play,
                "2^n",
                statement,
                &entry.cite,
            );
        }
    }
    Ok(reader.read.facts)
}

/// Citations of nim-values and readings of their print, by position.
struct About {
    cite: BTreeMap<String, String>,
    print: BTreeMap<String, String>,
    printed: BTreeMap<String, wire::Printed>,
}

struct Reader<'a> {
    read: Publication<'a, Fact>,
    game: Game,
    calculator: Calculator<'a>,
}

type Read<T> = Result<T, ReferenceError>;

impl Reader<'_> {
    fn entry(&mut self, key: &str, entry: wire::Entry) -> Read<()> {
        let play = Play::Partisan;
        let position = self.position(&format!("{key}.position"), &entry.position)?;
        let statement = match (&entry.value, &entry.outcome) {
            (Some(value), None) => Statement::Value {
                position,
                value: self.value(&format!("{key}.value"), play, value)?,
            },
            (None, Some(outcome)) => Statement::Outcome {
                position,
                class: self.read.outcome(&format!("{key}.outcome"), outcome)?,
            },
            (value, _) => {
                let found = if value.is_some() { "both" } else { "neither" };
                return Err(self.read.wrong(key, "either value or outcome", found));
            }
        };
        let printed = self.printed(&format!("{key}.printed"), play, entry.printed.as_ref())?;
        let fact = self.push(key, play, &entry.position, statement.clone(), &entry.cite);
        fact.print = entry.print;
        fact.printed = printed;
        if let Some(same) = entry.same_as {
            let of_same = self.position(&format!("{key}.same_as"), &same)?;
            let mut statement = statement;
            if let Statement::Value { position, .. } | Statement::Outcome { position, .. } =
                &mut statement
            {
                *position = of_same;
            }
            self.push(key, play, &same, statement, &entry.cite);
        }
        Ok(())
    }

    fn nim_values(&mut self, values: BTreeMap<String, toml::Value>, mut about: About) -> Read<()> {
        let default = about.cite.remove("default");
        for (text, value) in values {
            let key = format!("impartial.{text}");
            let position = self.position(&key, &text)?;
            let value = self.value(&key, Play::Impartial, &value)?;
            let cite = about.cite.remove(&text).or_else(|| default.clone());
            let Some(cite) = cite else {
                let key = format!("impartial_cite.{text}");
                return Err(self
                    .read
                    .wrong(&key, "a citation, there or as default", "none"));
            };
            let printed = about.printed.remove(&text);
            let key_printed = format!("impartial_printed.{text}");
            let printed = self.printed(&key_printed, Play::Impartial, printed.as_ref())?;
            let print = about.print.remove(&text);
            let statement = Statement::Value { position, value };
            let fact = self.push(&key, Play::Impartial, &text, statement, &cite);
            fact.print = print;
            fact.printed = printed;
        }
        for (table, left) in [
            ("impartial_cite", about.cite.keys().next()),
            ("impartial_print", about.print.keys().next()),
            ("impartial_printed", about.printed.keys().next()),
        ] {
            if let Some(position) = left {
                return Err(self.read.wrong(table, "positions of [impartial]", position));
            }
        }
        Ok(())
    }

    fn sequence(&mut self, key: &str, play: Play, mut entry: wire::Sequence) -> Read<()> {
        let pattern = self.pattern(&format!("{key}.pattern"), &entry.pattern)?;
        let &[_] = pattern.variables() else {
            let key = format!("{key}.pattern");
            return Err(self
                .read
                .wrong(&key, "a pattern with one variable", &entry.pattern));
        };
        for (number, value) in (entry.from..).zip(&entry.values) {
            let element = format!("{key}.values[{}]", number - entry.from);
            let position = self.expand(&element, &pattern, &[number])?;
            let value = self.value(&element, play, value)?;
            let print = entry.print.remove(&number.to_string());
            let printed = entry.printed.remove(&number.to_string());
            let key_printed = format!("{key}.printed.{number}");
            let printed = self.printed(&key_printed, play, printed.as_ref())?;
            let label = pattern.instance(&[number]);
            let statement = Statement::Value { position, value };
            let fact = self.push(key, play, &label, statement, &entry.cite);
            fact.print = print;
            fact.printed = printed;
        }
        for (name, left) in [
            ("print", entry.print.keys().next()),
            ("printed", entry.printed.keys().next()),
        ] {
            if let Some(number) = left {
                let key = format!("{key}.{name}");
                return Err(self.read.wrong(&key, "numbers that have a value", number));
            }
        }
        Ok(())
    }

    fn theorem(&mut self, key: &str, entry: wire::Theorem) -> Read<()> {
        if let Some(law) = entry.law {
            if law != "sparse" || entry.pattern.is_some() {
                let key = format!("{key}.law");
                return Err(self.read.wrong(&key, "\"sparse\", without pattern", &law));
            }
            for play in Play::ALL {
                let label = "positions without a pot above 2";
                self.push(key, play, label, Statement::Sparse, &entry.cite);
            }
            return Ok(());
        }
        let Some(text) = &entry.pattern else {
            return Err(self.read.wrong(key, "a pattern or a law", "neither"));
        };
        let pattern = self.pattern(&format!("{key}.pattern"), text)?;
        let names = pattern.variables().to_vec();
        let values = |of: &BTreeMap<String, i64>| -> Option<Vec<i64>> {
            let value = |name: &char| of.get(&name.to_string()).copied();
            let values: Vec<i64> = names.iter().filter_map(value).collect();
            (values.len() == names.len() && of.len() == names.len()).then_some(values)
        };
        let expected = "a number for each variable of the pattern";
        let Some(least) = values(&entry.least) else {
            let found = format!("{:?}", entry.least);
            return Err(self.read.wrong(format!("{key}.least"), expected, &found));
        };
        let Some(except) = entry.except.iter().map(values).collect() else {
            let found = format!("{:?}", entry.except);
            return Err(self.read.wrong(format!("{key}.except"), expected, &found));
        };
        self.expand(&format!("{key}.least"), &pattern, &least)?;
        let value = match &entry.value {
            Some(text) => {
                let binding: Vec<_> = names.iter().copied().zip(least.iter().copied()).collect();
                // With numbers for its variables it must be a value.
                let read = ValuePattern::read(text).and_then(|value| {
                    value.value(&binding, &mut self.calculator)?;
                    Ok(value)
                });
                let no_value = |error| {
                    let found = format!("{text:?}: {error}");
                    self.read.wrong(format!("{key}.value"), "a value", &found)
                };
                Some(read.map_err(no_value)?)
            }
            None => None,
        };
        let theorem = Theorem {
            least,
            except,
            value,
            atomic_weight: self.formula(key, "atomic_weight", entry.atomic_weight, &names)?,
            followers_at_least: self.formula(
                key,
                "followers_at_least",
                entry.followers_at_least,
                &names,
            )?,
            pattern,
        };
        if theorem.value.is_none()
            && theorem.atomic_weight.is_none()
            && theorem.followers_at_least.is_none()
        {
            return Err(self
                .read
                .wrong(key, "value, atomic_weight or followers_at_least", "none"));
        }
        let label = theorem.pattern.to_string();
        let statement = Statement::Theorem(theorem);
        self.push(key, Play::Partisan, &label, statement, &entry.cite);
        Ok(())
    }

    fn grid(&mut self, key: &str, grid: wire::Grid) -> Read<()> {
        let pattern = self.pattern(&format!("{key}.pattern"), &grid.pattern)?;
        let &[_, _] = pattern.variables() else {
            let key = format!("{key}.pattern");
            return Err(self
                .read
                .wrong(&key, "a pattern with two variables", &grid.pattern));
        };
        if let Some(name) = grid
            .weights
            .keys()
            .find(|&name| !grid.legend.contains_key(name))
        {
            return Err(self
                .read
                .wrong(format!("{key}.weights"), "names of the legend", name));
        }
        for (x, line) in (1..).zip(&grid.rows) {
            for (y, cell) in (1..).zip(line.split_whitespace()) {
                let element = format!("{key}.rows[{}]", x - 1);
                let Some(value) = grid.legend.get(cell) else {
                    return Err(self.read.wrong(&element, "names of the legend", cell));
                };
                let position = self.expand(&element, &pattern, &[x, y])?;
                let value = toml::Value::String(value.clone());
                let value = self.value(&format!("{key}.legend"), Play::Partisan, &value)?;
                let label = pattern.instance(&[x, y]);
                if let Some(&weight) = grid.weights.get(cell) {
                    let position = position.clone();
                    let statement = Statement::AtomicWeight { position, weight };
                    self.push(&element, Play::Partisan, &label, statement, &grid.cite);
                }
                let statement = Statement::Value { position, value };
                self.push(&element, Play::Partisan, &label, statement, &grid.cite);
            }
        }
        Ok(())
    }

    fn sum(&mut self, key: &str, entry: wire::Sum) -> Read<()> {
        let position = self.position(&format!("{key}.position"), &entry.position)?;
        let components = format!("{key}.components");
        let components: Vec<AnyBoard> = (entry.components.iter())
            .map(|component| self.position(&components, component))
            .collect::<Read<_>>()?;
        for play in Play::ALL {
            let statement = Statement::Sum {
                position: position.clone(),
                components: components.clone(),
            };
            let fact = self.push(key, play, &entry.position, statement, &entry.cite);
            fact.print.clone_from(&entry.print);
        }
        Ok(())
    }

    fn push(
        &mut self,
        key: &str,
        play: Play,
        label: &str,
        statement: Statement,
        cite: &str,
    ) -> &mut Fact {
        let fact = Fact {
            game: self.game,
            play,
            statement,
            print: None,
            printed: None,
        };
        self.read.push(label, fact, cite, key);
        let pushed = self.read.facts.last_mut();
        &mut pushed.expect("a fact was just pushed").fact
    }

    fn position(&self, key: &str, text: &str) -> Read<AnyBoard> {
        let board = (self.game.shape().kind().read(text)).map_err(|error| {
            self.read
                .wrong(key, "a position", format!("{text:?}: {error}"))
        })?;
        self.fits(key, board)
    }

    /// Returns the board if it is a position of the file's game.
    fn fits(&self, key: &str, board: AnyBoard) -> Read<AnyBoard> {
        match self.game.key(&board) {
            Ok(_) => Ok(board),
            Err(error) => {
                let expected = format!("a position of {}", self.game.name());
                Err(self.read.wrong(key, expected, error.to_string()))
            }
        }
    }

    fn pattern(&self, key: &str, text: &str) -> Read<Pattern> {
        Pattern::read(text, self.game.shape().kind()).map_err(|error| {
            self.read
                .wrong(key, "a pattern", format!("{text:?}: {error}"))
        })
    }

    fn expand(&self, key: &str, pattern: &Pattern, values: &[i64]) -> Read<AnyBoard> {
        let board = pattern.expand(values).map_err(|error| {
            let expected = format!("values that fit the pattern {pattern}");
            self.read.wrong(key, expected, error.to_string())
        })?;
        self.fits(key, board)
    }

    fn value(&mut self, key: &str, play: Play, value: &toml::Value) -> Read<String> {
        self.read.value(&mut self.calculator, key, play, value)
    }

    fn printed(
        &mut self,
        key: &str,
        play: Play,
        printed: Option<&wire::Printed>,
    ) -> Read<Option<Printed>> {
        let Some(printed) = printed else {
            return Ok(None);
        };
        if printed.position.is_none() && printed.value.is_none() {
            return Err(self.read.wrong(key, "position, value or both", "neither"));
        }
        let position = printed.position.as_deref();
        let position = position.map(|text| self.position(&format!("{key}.position"), text));
        let value = printed.value.as_ref();
        let value = value.map(|value| self.value(&format!("{key}.value"), play, value));
        Ok(Some(Printed {
            position: position.transpose()?,
            value: value.transpose()?,
        }))
    }

    fn formula(
        &self,
        key: &str,
        name: &str,
        text: Option<String>,
        variables: &[char],
    ) -> Read<Option<Formula>> {
        let Some(text) = text else { return Ok(None) };
        match Formula::parse(&text, variables) {
            Some(formula) => Ok(Some(formula)),
            None => {
                let expected = "an integer formula in the pattern's variables";
                Err(self.read.wrong(format!("{key}.{name}"), expected, &text))
            }
        }
    }
}
