//! Reads the published values' notation into reference forms, by definition.

use seedbank::engine::reference::{ReferenceForm, ReferenceForms};

/// Returns the game that a text such as `{1|{*|-1}}`, `1/8`, `*2` or `3.^*` names.
pub(crate) fn published(forms: &mut ReferenceForms, text: &str) -> ReferenceForm {
    let compact: String = text.split_whitespace().collect();
    let mut rest = compact.as_str();
    let value = game(forms, &mut rest);
    assert!(rest.is_empty(), "{text}: {rest} is left over");
    value
}

/// Reads a game from the beginning of the text.
fn game(forms: &mut ReferenceForms, rest: &mut &str) -> ReferenceForm {
    if let Some(inner) = rest.strip_prefix('{') {
        *rest = inner;
        let left = list(forms, rest, '|');
        let right = list(forms, rest, '}');
        return forms.canonical(left, right);
    }
    let end = rest.find(['{', '|', '}', ',']).unwrap_or(rest.len());
    let (atom_text, after) = rest.split_at(end);
    *rest = after;
    atom(forms, atom_text)
}

fn list(forms: &mut ReferenceForms, rest: &mut &str, close: char) -> Vec<ReferenceForm> {
    let mut games = Vec::new();
    loop {
        if let Some(after) = rest.strip_prefix(close) {
            *rest = after;
            return games;
        }
        *rest = rest.strip_prefix(',').unwrap_or(rest);
        games.push(game(forms, rest));
    }
}

/// Reads a number, or a multiple of up or down, or a nimber, or the sum of the last two.
fn atom(forms: &mut ReferenceForms, text: &str) -> ReferenceForm {
    let zero = forms.canonical([], []);
    let (text, star) = match text.split_once('*') {
        Some((before, "")) => (before, nimber(forms, 1)),
        Some((before, n)) => (before, nimber(forms, n.parse().expect("a nimber"))),
        None => (text, zero),
    };
    let other = if text.is_empty() {
        zero
    } else if let Some(times) = text.strip_suffix(['^', 'v']) {
        let star = nimber(forms, 1);
        let up = forms.canonical([zero], [star]);
        let times = times
            .strip_suffix('.')
            .map_or(1, |n| n.parse().expect("a multiple"));
        let ups = multiple(forms, times, up);
        if text.ends_with('v') {
            forms.negative(ups)
        } else {
            ups
        }
    } else {
        number(forms, text)
    };
    forms.sum(other, star)
}

fn nimber(forms: &mut ReferenceForms, n: u32) -> ReferenceForm {
    let smaller: Vec<ReferenceForm> = (0..n).map(|m| nimber(forms, m)).collect();
    forms.canonical(smaller.clone(), smaller)
}

fn number(forms: &mut ReferenceForms, text: &str) -> ReferenceForm {
    let (numerator, denominator) = text.split_once('/').unwrap_or((text, "1"));
    let numerator: i32 = numerator
        .parse()
        .unwrap_or_else(|_| panic!("{text} is no number"));
    let denominator: u32 = denominator.parse().expect("a denominator");
    assert!(denominator.is_power_of_two(), "{text} is no dyadic");
    let zero = forms.canonical([], []);
    let mut unit = forms.canonical([zero], []);
    for _ in 0..denominator.ilog2() {
        unit = forms.canonical([zero], [unit]);
    }
    let positive = multiple(forms, numerator.unsigned_abs(), unit);
    if numerator < 0 {
        forms.negative(positive)
    } else {
        positive
    }
}

fn multiple(forms: &mut ReferenceForms, times: u32, game: ReferenceForm) -> ReferenceForm {
    let zero = forms.canonical([], []);
    (0..times).fold(zero, |sum, _| forms.sum(sum, game))
}
