//! The total order in which options are printed; it depends on the structure of forms alone.
//!
//! 1. Numbers, by size.
//! 2. Nimbers, by size.
//! 3. Numbers plus powers of up plus a nimber, where they [have a name](Name): by number, then by
//!    the multiples of up-first, up-second and so on up to the shorter of the two, then the one
//!    with the lower highest power, then by nimber.
//! 4. Everything else: lexicographically by Left's options in this order, then by Right's options.
//!
//! It is unrelated to the partial order of values. Equal options have equal ids, so a comparison of
//! two forms follows one pair of options down: O(depth) sorted lists, each stored in a memo. Forms
//! of any depth are safe: those whose options are being sorted wait on an explicit stack.

use std::cmp::Ordering;

use super::super::{Arena, Dyadic, NumberUpStar, Uptimal, UptimalShape, ValueId, ValueMap};
use crate::tiny::{exceeds_by_stops, exceeds_mean, tiny_shape};

/// For a form born later than this, the lists of all its followers are sorted, from below;
/// otherwise only the lists that are needed.
const LAZY_BIRTHDAY_MAX: u32 = 1_000;

/// The name that a form has apart from its options.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Name {
    Number(Dyadic),
    Nimber(u32),
    NumberUpStar(NumberUpStar),
    Uptimal(Uptimal),
    /// No name: the form is written by its options.
    Braces,
}

/// The place of a form's sorted options, Left's before Right's.
#[derive(Clone, Copy)]
pub(super) struct SortedOptions {
    start: u32,
    middle: u32,
    end: u32,
}

/// Compares forms and sorts their options, with a memo.
pub(super) struct StructuralOrder<'a> {
    arena: &'a Arena,
    names: ValueMap<Name>,
    options: ValueMap<SortedOptions>,
    lists: Vec<ValueId>,
    /// Spare lists, reused for the next options to sort.
    spare: Vec<Vec<ValueId>>,
    /// Whether x exceeds the mean of r, where the stops do not decide it.
    tinies: ValueMap<bool>,
}

impl<'a> StructuralOrder<'a> {
    pub(super) fn new(arena: &'a Arena) -> StructuralOrder<'a> {
        StructuralOrder {
            arena,
            names: ValueMap::default(),
            options: ValueMap::default(),
            lists: Vec::new(),
            spare: Vec::new(),
            tinies: ValueMap::default(),
        }
    }

    pub(super) fn arena(&self) -> &'a Arena {
        self.arena
    }

    /// Returns the number of memo entries: names, lists of options and tinies.
    pub(super) fn remembered(&self) -> usize {
        self.names.len() + self.options.len() + self.tinies.len()
    }

    /// Returns x and r where the form is `{x||x|r}` and x exceeds the mean of r.
    pub(super) fn tiny(&mut self, id: ValueId) -> Option<(Dyadic, ValueId)> {
        let arena = self.arena;
        let (number, rest) = tiny_shape(arena, id)?;
        let exceeds = match exceeds_by_stops(arena, number, rest) {
            Some(exceeds) => exceeds,
            None => *(self.tinies.entry(id)).or_insert_with(|| exceeds_mean(arena, number, rest)),
        };
        exceeds.then_some((number, rest))
    }

    pub(super) fn name(&mut self, id: ValueId) -> Name {
        let arena = self.arena;
        // Names that can be read off the record do not enter the memo.
        if let Some(number) = arena.number(id) {
            return Name::Number(number);
        }
        if let Some(n) = arena.nimber(id) {
            return Name::Nimber(n);
        }
        if !arena.stops_agree(id) {
            // Only forms infinitesimally close to a number have one of the other names.
            return Name::Braces;
        }
        *self.names.entry(id).or_insert_with(|| {
            if let Some(sum) = arena.number_up_star(id) {
                Name::NumberUpStar(sum)
            } else if let Some(uptimal) = arena.uptimal(id) {
                Name::Uptimal(uptimal)
            } else {
                Name::Braces
            }
        })
    }

    /// Returns the place of both players' sorted options.
    pub(super) fn options(&mut self, id: ValueId) -> SortedOptions {
        if let Some(&options) = self.options.get(&id) {
            return options;
        }
        if self.arena.birthday(id) > LAZY_BIRTHDAY_MAX {
            let followers = non_numbers(self.arena, id, usize::MAX).unwrap_or_default();
            for follower in followers {
                if !self.options.contains_key(&follower) {
                    self.sort_options(follower);
                }
            }
            if let Some(&options) = self.options.get(&id) {
                return options;
            }
        }
        self.sort_options(id)
    }

    /// Returns Left's options.
    pub(super) fn left(&self, options: SortedOptions) -> &[ValueId] {
        &self.lists[options.start as usize..options.middle as usize]
    }

    /// Returns Right's options.
    pub(super) fn right(&self, options: SortedOptions) -> &[ValueId] {
        &self.lists[options.middle as usize..options.end as usize]
    }

    /// Sorts the options of a form, after those of the followers that decide how they compare.
    fn sort_options(&mut self, id: ValueId) -> SortedOptions {
        let mut outer = Vec::new();
        let mut sorting = self.begin(id);
        loop {
            if let Err(follower) = self.advance(&mut sorting) {
                outer.push(std::mem::replace(&mut sorting, self.begin(follower)));
                continue;
            }
            let start = self.lists.len();
            self.lists.extend(&sorting.list);
            let options = SortedOptions {
                start: start as u32,
                middle: (start + sorting.left) as u32,
                end: self.lists.len() as u32,
            };
            self.options.insert(sorting.id, options);
            self.spare.push(sorting.list);
            match outer.pop() {
                Some(next) => sorting = next,
                None => return options,
            }
        }
    }

    /// Starts to sort the options of a form.
    fn begin(&mut self, id: ValueId) -> Sorting {
        let form = self.arena.form(id);
        let mut list = self.spare.pop().unwrap_or_default();
        list.clear();
        list.extend(form.left());
        let left = list.len();
        list.extend(form.right());
        Sorting {
            id,
            list,
            left,
            sorted: 0,
        }
    }

    /// Sorts until done, or until the unsorted options of a follower are needed; returns that
    /// follower.
    fn advance(&mut self, sorting: &mut Sorting) -> Result<(), ValueId> {
        while let Some(&option) = sorting.list.get(sorting.sorted) {
            let place = sorting.sorted;
            let (mut low, mut high) = if place < sorting.left {
                (0, place)
            } else {
                (sorting.left, place)
            };
            while low < high {
                let middle = low.midpoint(high);
                match self.compare_sorted(option, sorting.list[middle])? {
                    Ordering::Less => high = middle,
                    Ordering::Equal | Ordering::Greater => low = middle + 1,
                }
            }
            sorting.list[low..=place].rotate_right(1);
            sorting.sorted += 1;
        }
        Ok(())
    }

    /// Returns how two forms compare.
    pub(super) fn compare(&mut self, a: ValueId, b: ValueId) -> Ordering {
        loop {
            match self.compare_sorted(a, b) {
                Ok(order) => return order,
                Err(follower) => self.options(follower),
            };
        }
    }

    /// Returns how two forms compare, or a follower whose options must be sorted first.
    fn compare_sorted(&mut self, a: ValueId, b: ValueId) -> Result<Ordering, ValueId> {
        let (mut a, mut b) = (a, b);
        while a != b {
            let names = (self.name(a), self.name(b));
            if names != (Name::Braces, Name::Braces) {
                return Ok(compare_names(names.0, names.1));
            }
            let of_a = *self.options.get(&a).ok_or(a)?;
            let of_b = *self.options.get(&b).ok_or(b)?;
            match first_difference(self.left(of_a), self.left(of_b))
                .or_else(|| first_difference(self.right(of_a), self.right(of_b)))
                .expect("different forms have different options")
            {
                Difference::Length(order) => return Ok(order),
                Difference::Options(in_a, in_b) => (a, b) = (in_a, in_b),
            }
        }
        Ok(Ordering::Equal)
    }
}

/// A form whose options are being sorted.
struct Sorting {
    id: ValueId,
    /// Left's options, then Right's.
    list: Vec<ValueId>,
    /// The number of Left's options.
    left: usize,
    /// The number of options already sorted among those of the same player.
    sorted: usize,
}

enum Difference {
    Options(ValueId, ValueId),
    Length(Ordering),
}

fn first_difference(a: &[ValueId], b: &[ValueId]) -> Option<Difference> {
    let pair = a.iter().zip(b).find(|(x, y)| x != y);
    match pair {
        Some((&x, &y)) => Some(Difference::Options(x, y)),
        None if a.len() == b.len() => None,
        None => Some(Difference::Length(a.len().cmp(&b.len()))),
    }
}

fn compare_names(a: Name, b: Name) -> Ordering {
    let class = |name: Name| match name {
        Name::Number(_) => 0,
        Name::Nimber(_) => 1,
        Name::NumberUpStar(_) | Name::Uptimal(_) => 2,
        Name::Braces => 3,
    };
    match (a, b) {
        (Name::Number(x), Name::Number(y)) => x.cmp(&y),
        (Name::Nimber(x), Name::Nimber(y)) => x.cmp(&y),
        _ => class(a).cmp(&class(b)).then_with(|| {
            let ((x, ups_x, star_x), (y, ups_y, star_y)) = (expansion(a), expansion(b));
            let lengths = (ups_x.len(), ups_y.len());
            let common = lengths.0.min(lengths.1);
            x.cmp(&y)
                .then_with(|| ups_x[..common].cmp(&ups_y[..common]))
                .then(lengths.0.cmp(&lengths.1))
                .then(star_x.cmp(&star_y))
        }),
    }
}

/// Returns the number, the multiples of each power of up, and the nimber.
fn expansion(name: Name) -> (Dyadic, Vec<i32>, u32) {
    match name {
        Name::NumberUpStar(NumberUpStar { number, ups, star }) => (
            number,
            (ups != 0).then_some(ups).into_iter().collect(),
            star,
        ),
        Name::Uptimal(uptimal) => {
            let unit = if uptimal.down { -1 } else { 1 };
            let lower = match uptimal.shape {
                UptimalShape::Power => 0,
                UptimalShape::Sum => unit,
            };
            let mut multiples = vec![lower; uptimal.power as usize];
            multiples[uptimal.power as usize - 1] = unit;
            (uptimal.number, multiples, uptimal.star)
        }
        Name::Number(_) | Name::Nimber(_) | Name::Braces => (Dyadic::ZERO, Vec::new(), 0),
    }
}

/// Returns the followers of a form that are not numbers, itself included, options before the forms
/// that have them; or `None` if there are more than `followers_max`.
pub(super) fn non_numbers(
    arena: &Arena,
    id: ValueId,
    followers_max: usize,
) -> Option<Vec<ValueId>> {
    let mut seen: ValueMap<()> = ValueMap::default();
    let mut found = Vec::new();
    let mut next = vec![id];
    while let Some(id) = next.pop() {
        if arena.number(id).is_some() || seen.insert(id, ()).is_some() {
            continue;
        }
        if found.len() == followers_max {
            return None;
        }
        found.push(id);
        let form = arena.form(id);
        next.extend(form.left().chain(form.right()));
    }
    found.sort_by_key(|&id| arena.birthday(id));
    Some(found)
}
