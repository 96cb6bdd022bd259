//! The declarations and names in the text of a module, outside of comments, texts, attributes and
//! items for tests.

use std::collections::BTreeSet;
use std::mem;

use proc_macro2::{Delimiter, TokenStream, TokenTree};

use Token::{Below, Group, Mark, Name};

/// The declarations and names of a module.
#[derive(Default)]
pub(super) struct Declarations {
    /// The modules below it, each with its declarations if it is in the same text.
    pub(super) modules: Vec<(String, Option<Declarations>)>,
    /// The names of its items other than modules.
    pub(super) items: BTreeSet<String>,
    /// The names that it imports.
    pub(super) imports: Vec<Import>,
    /// The paths in its code, without those of imports. The name of a called macro ends with `!`.
    pub(super) paths: BTreeSet<Vec<String>>,
}

/// A name that a module imports.
pub(super) struct Import {
    /// The name that the module knows it by, or `*` for all names of a module.
    pub(super) name: String,
    /// The path of its source.
    pub(super) path: Vec<String>,
    /// Whether the module exports it.
    pub(super) is_public: bool,
}

/// A token of code. Literals, lifetimes and the names of fields, methods and macro variables are left out.
enum Token {
    Name(String),
    /// The mark `::`.
    Below,
    Mark(char),
    Group(Delimiter, Vec<Token>),
}

/// The places of tokens.
#[derive(Clone, Copy, PartialEq)]
enum Scope {
    /// Among the items of a module.
    Items,
    /// In a macro among these: in its definition or in its arguments.
    Macro,
    Code,
}

impl Declarations {
    /// Reads the text of a module.
    pub(super) fn of(text: &str) -> Declarations {
        let stream = text.parse().expect("tokens of Rust");
        Declarations::of_tokens(&lex(stream))
    }

    fn of_tokens(tokens: &[Token]) -> Declarations {
        let mut declarations = Declarations::default();
        declarations.read(tokens, Scope::Items);
        declarations
    }

    fn read(&mut self, mut tokens: &[Token], scope: Scope) {
        let mut is_public = false;
        let mut is_macro = false;
        while let [first, rest @ ..] = tokens {
            let was_public = mem::take(&mut is_public);
            tokens = match (first, rest) {
                (Name(word), _) if word == "pub" => {
                    is_public = true;
                    match rest {
                        [Group(Delimiter::Parenthesis, _), rest @ ..] => rest,
                        _ => rest,
                    }
                }
                (Name(word), _) if word == "use" => {
                    let end = rest.iter().position(|token| matches!(token, Mark(';')));
                    let (tree, rest) = rest.split_at(end.unwrap_or(rest.len()));
                    self.read_imports(tree, &[], was_public);
                    rest
                }
                (Name(word), [Name(name), rest @ ..]) if word == "mod" && scope != Scope::Code => {
                    let (inline, rest) = match rest {
                        [Group(Delimiter::Brace, inner), rest @ ..] => (Some(inner), rest),
                        _ => (None, rest),
                    };
                    let inline = inline.map(|inner| Declarations::of_tokens(inner));
                    self.modules.push((name.clone(), inline));
                    rest
                }
                (Name(word), [Name(name), rest @ ..]) if declares(word) && !declares(name) => {
                    if scope != Scope::Code {
                        self.items.insert(name.clone());
                    }
                    rest
                }
                (Name(word), [Mark('!'), Name(name), rest @ ..]) if word == "macro_rules" => {
                    self.items.insert(name.clone());
                    is_macro = true;
                    rest
                }
                // A field, an argument or a variable, before its type or value.
                (Name(_), [Mark(':'), ..]) => rest,
                (Name(_), _) => {
                    let (mut path, rest) = read_path(tokens);
                    is_macro = matches!(rest, [Mark('!'), Group(..), ..]);
                    if is_macro {
                        path.last_mut().expect("a name").push('!');
                    }
                    self.paths.insert(path);
                    &rest[usize::from(is_macro)..]
                }
                (Group(_, inner), _) => {
                    let within = match scope {
                        Scope::Items if !mem::take(&mut is_macro) => Scope::Code,
                        Scope::Items | Scope::Macro => Scope::Macro,
                        Scope::Code => Scope::Code,
                    };
                    self.read(inner, within);
                    rest
                }
                // The rest of a path that begins with a type in angle brackets.
                (Below, [Name(_), rest @ ..]) => rest,
                (Below | Mark(_), _) => rest,
            };
        }
    }

    /// Reads a tree of imports below a path.
    fn read_imports(&mut self, tree: &[Token], around: &[String], is_public: bool) {
        for branch in tree.split(|token| matches!(token, Mark(','))) {
            let (below, rest) = read_path(branch);
            let mut path = [around, &below].concat();
            let name = match rest {
                [Below, Group(_, inner)] | [Group(_, inner)] => {
                    self.read_imports(inner, &path, is_public);
                    continue;
                }
                [Below, Mark('*')] => Some("*".to_owned()),
                [Name(_as), Name(name)] => Some(name.clone()),
                _ => {
                    path.pop_if(|name| name == "self");
                    path.last().cloned()
                }
            };
            self.imports.extend(name.map(|name| Import {
                name,
                path,
                is_public,
            }));
        }
    }
}

/// Returns whether the name of an item follows a word.
fn declares(word: &str) -> bool {
    matches!(
        word,
        "fn" | "struct" | "enum" | "trait" | "type" | "const" | "static"
    )
}

/// Returns the path at the start of the tokens, and the tokens after it.
fn read_path(tokens: &[Token]) -> (Vec<String>, &[Token]) {
    let [Name(first), rest @ ..] = tokens else {
        return (Vec::new(), tokens);
    };
    let (mut path, mut tokens) = (vec![first.clone()], rest);
    while let [Below, Name(name), rest @ ..] = tokens {
        path.push(name.clone());
        tokens = rest;
    }
    (path, tokens)
}

/// Returns the tokens of code, without attributes and items for tests.
fn lex(stream: TokenStream) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut trees = stream.into_iter().peekable();
    while let Some(tree) = trees.next() {
        match tree {
            TokenTree::Literal(_) => {}
            TokenTree::Ident(name) => tokens.push(Name(name.to_string())),
            TokenTree::Group(group) => {
                tokens.push(Group(group.delimiter(), lex(group.stream())));
            }
            TokenTree::Punct(punct) => match punct.as_char() {
                '#' => {
                    trees.next_if(|tree| matches!(tree, TokenTree::Punct(_)));
                    let attribute = trees.next().map(|tree| tree.to_string());
                    let is_for_tests =
                        attribute.is_some_and(|text| text.replace(' ', "") == "[cfg(test)]");
                    if is_for_tests {
                        trees.by_ref().find(ends_item);
                    }
                }
                '\'' => {
                    trees.next();
                }
                '$' => {
                    let is_crate = |tree: &TokenTree| tree.to_string() == "crate";
                    trees.next_if(|tree| matches!(tree, TokenTree::Ident(_)) && !is_crate(tree));
                }
                '.' if !matches!(tokens.last(), Some(Mark('.'))) => {
                    tokens.push(Mark('.'));
                    trees.next_if(|tree| matches!(tree, TokenTree::Ident(_)));
                }
                ':' if trees.next_if(|tree| is_mark(tree, ':')).is_some() => tokens.push(Below),
                mark => tokens.push(Mark(mark)),
            },
        }
    }
    tokens
}

/// Returns whether an item ends with these tokens: the block of a function, or a semicolon.
fn ends_item(tree: &TokenTree) -> bool {
    match tree {
        TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
        _ => is_mark(tree, ';'),
    }
}

fn is_mark(tree: &TokenTree, mark: char) -> bool {
    matches!(tree, TokenTree::Punct(punct) if punct.as_char() == mark)
}
