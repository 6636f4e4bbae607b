//! The paths that a source names, from the root of its crate.
//!
//! They are found among tokens and not among items, so that they are found in macros too: wherever
//! `crate::`, `super::` or `self::` stands, or a name behind `use`, a path begins, and braces branch it.
//! What documentation links to is no token, and no import.

use proc_macro2::{Delimiter, Ident, TokenStream, TokenTree};

/// A path, what is then called by its last name or by another one, and the line it stands in.
#[derive(Debug, PartialEq)]
pub(crate) struct Named {
    pub(crate) path: Vec<String>,
    pub(crate) name: String,
    pub(crate) line: usize,
    /// Whether it begins with `$crate`, so that it is read where a macro is called.
    pub(crate) is_of_macro: bool,
}

/// All paths of the source of a module.
pub(crate) fn paths_of(source: &str, module: &[&str]) -> Vec<Named> {
    let module: Vec<String> = module.iter().map(|&name| name.to_owned()).collect();
    let mut found = Vec::new();
    walk(source.parse().expect("Rust"), &module, &mut found);
    found
}

fn walk(tokens: TokenStream, module: &[String], found: &mut Vec<Named>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        let start = match token {
            TokenTree::Ident(word) if is_separator(&tokens, at + 1) => {
                beginning(word, module, is_word(at.checked_sub(1).map(|at| &tokens[at]), "use"))
            }
            _ => None,
        };
        if let Some(start) = start {
            at = read(&tokens, at, start, found);
            continue;
        }
        if let TokenTree::Group(group) = token {
            let mut inner = module.to_vec();
            inner.extend(module_name(&tokens[..at]));
            walk(group.stream(), &inner, found);
        }
        at += 1;
    }
}

/// Where a path begins whose first word this is. A name behind `use` may be that of another crate,
/// which is none of ours then.
fn beginning(word: &Ident, module: &[String], is_used: bool) -> Option<Vec<String>> {
    match word.to_string().as_str() {
        "crate" => Some(Vec::new()),
        "self" => Some(module.to_vec()),
        "super" => Some(parent(module)),
        name => is_used.then(|| [module, &[name.to_owned()]].concat()),
    }
}

fn is_word(token: Option<&TokenTree>, expected: &str) -> bool {
    matches!(token, Some(TokenTree::Ident(word)) if word == expected)
}

fn parent(module: &[String]) -> Vec<String> {
    module[..module.len().saturating_sub(1)].to_vec()
}

/// The name of the module whose braces follow these tokens; in a macro it may be a variable.
fn module_name(before: &[TokenTree]) -> Option<String> {
    match before {
        [.., TokenTree::Ident(word), TokenTree::Ident(name)] if word == "mod" => {
            Some(name.to_string())
        }
        [.., TokenTree::Ident(word), TokenTree::Punct(dollar), TokenTree::Ident(name)]
            if word == "mod" && dollar.as_char() == '$' =>
        {
            Some(format!("${name}"))
        }
        _ => None,
    }
}

/// Whether `::` stands here.
fn is_separator(tokens: &[TokenTree], at: usize) -> bool {
    let is_colon =
        |token: &TokenTree| matches!(token, TokenTree::Punct(punct) if punct.as_char() == ':');
    tokens.get(at..at + 2).is_some_and(|pair| pair.iter().all(is_colon))
}

/// Reads what follows the first word of a path, which led to a module so far; says where it ends.
fn read(
    tokens: &[TokenTree],
    first: usize,
    mut path: Vec<String>,
    found: &mut Vec<Named>,
) -> usize {
    let mut line = tokens[first].span().start().line;
    let mut at = first + 1;
    while is_separator(tokens, at) {
        match tokens.get(at + 2) {
            Some(TokenTree::Ident(word)) if word == "super" => path = parent(&path),
            Some(TokenTree::Ident(word)) => path.push(word.to_string()),
            Some(TokenTree::Punct(dollar)) if dollar.as_char() == '$' => {
                path.push(format!("${}", tokens[at + 3]));
                at += 1;
            }
            Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Brace => {
                branch(group.stream(), &path, found);
                return at + 3;
            }
            _ => break,
        }
        line = tokens[at + 2].span().start().line;
        at += 3;
    }
    let mut name = path.last().cloned().unwrap_or_default();
    if let Some(other) = tokens.get(at + 1).filter(|_| is_word(tokens.get(at), "as")) {
        name = other.to_string();
    }
    let is_of_macro = first > 0
        && matches!(&tokens[first - 1], TokenTree::Punct(punct) if punct.as_char() == '$');
    found.push(Named { path, name, line, is_of_macro });
    at
}

/// Reads the branches of a path.
fn branch(tokens: TokenStream, path: &[String], found: &mut Vec<Named>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let is_comma =
        |token: &TokenTree| matches!(token, TokenTree::Punct(punct) if punct.as_char() == ',');
    for tokens in tokens.split(is_comma).filter(|tokens| !tokens.is_empty()) {
        let mut path = path.to_vec();
        match &tokens[0] {
            TokenTree::Ident(word) if word == "super" => path = parent(&path),
            TokenTree::Ident(word) if word != "self" => path.push(word.to_string()),
            _ => {}
        }
        read(tokens, 0, path, found);
    }
}
