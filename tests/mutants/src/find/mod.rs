//! Finds what can be changed in a source.
//!
//! A *site* is an expression or a statement that has one or more *changes*: texts that could stand in its place. Sites lie in one
//! another. The compiler evaluates `const` items, `const fn`, patterns and types itself, before there is a switch: they have no
//! sites. The tokens in a macro's parentheses may mean anything, so they have none either.

mod changes;

use std::ops::Range;

use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Attribute, Block, Expr, Stmt};

/// What can stand in the place of a site.
#[derive(Clone, Debug)]
pub(crate) struct Change {
    /// A word or two that say what is changed.
    pub(crate) kind: String,
    pub(crate) text: String,
}

/// A part of a source that has changes.
#[derive(Debug)]
pub(crate) struct Site {
    /// Its bytes.
    pub(crate) range: Range<usize>,
    pub(crate) line: usize,
    /// A statement, which has no value.
    pub(crate) is_statement: bool,
    pub(crate) changes: Vec<Change>,
}

/// What a source has.
#[derive(Debug, Default)]
pub(crate) struct Found {
    /// Outer ones before those in them.
    pub(crate) sites: Vec<Site>,
    /// How many changes are left out, because the compiler evaluates them itself.
    pub(crate) left_alone: usize,
}

/// All sites of a source.
pub(crate) fn find(text: &str) -> syn::Result<Found> {
    let file = syn::parse_file(text)?;
    let mut finder = Finder { text, found: Found::default(), constant: 0 };
    finder.visit_file(&file);
    let mut found = finder.found;
    found.sites.sort_by_key(|site| (site.range.start, usize::MAX - site.range.end));
    Ok(found)
}

struct Finder<'a> {
    text: &'a str,
    found: Found,
    /// How many items around have to be evaluated by the compiler.
    constant: usize,
}

impl Finder<'_> {
    fn add(&mut self, node: &impl Spanned, is_statement: bool, changes: Vec<Change>) {
        if changes.is_empty() {
            return;
        }
        if self.constant > 0 {
            self.found.left_alone += changes.len();
            return;
        }
        let (range, line) = (node.span().byte_range(), node.span().start().line);
        let is_same = |site: &&mut Site| site.range == range && !site.is_statement;
        match self.found.sites.iter_mut().find(is_same) {
            Some(site) if !is_statement => site.changes.extend(changes),
            _ => self.found.sites.push(Site { range, line, is_statement, changes }),
        }
    }

    fn constant(&mut self, is_constant: bool, visit: impl FnOnce(&mut Self)) {
        self.constant += usize::from(is_constant);
        visit(self);
        self.constant -= usize::from(is_constant);
    }

    /// A condition is taken for true, or for false. One that binds names is left as it is.
    fn condition(&mut self, condition: &Expr, values: &[&str]) {
        if !changes::binds(condition) {
            let change =
                |&value: &&str| Change { kind: format!("condition {value}"), text: value.into() };
            self.add(condition, false, values.iter().map(change).collect());
        }
    }
}

/// Whether an item is compiled for tests or other systems alone.
fn is_elsewhere(attributes: &[Attribute]) -> bool {
    let is_elsewhere = |attribute: &Attribute| {
        let text = attribute.meta.require_list().map(|list| list.tokens.to_string());
        attribute.path().is_ident("cfg")
            && text.is_ok_and(|text| text.contains("test") || text.contains("not"))
    };
    attributes.iter().any(is_elsewhere)
}

impl<'ast> Visit<'ast> for Finder<'_> {
    fn visit_item(&mut self, item: &'ast syn::Item) {
        let attributes = match item {
            syn::Item::Fn(item) => &item.attrs,
            syn::Item::Impl(item) => &item.attrs,
            syn::Item::Mod(item) => &item.attrs,
            _ => &Vec::new(),
        };
        if !is_elsewhere(attributes) {
            visit::visit_item(self, item);
        }
    }

    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        let is_constant = item.sig.constness.is_some();
        self.constant(is_constant, |finder| visit::visit_item_fn(finder, item));
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        let is_constant = item.sig.constness.is_some();
        self.constant(is_constant, |finder| visit::visit_impl_item_fn(finder, item));
    }

    fn visit_item_const(&mut self, item: &'ast syn::ItemConst) {
        self.constant(true, |finder| visit::visit_item_const(finder, item));
    }

    fn visit_item_static(&mut self, item: &'ast syn::ItemStatic) {
        self.constant(true, |finder| visit::visit_item_static(finder, item));
    }

    fn visit_impl_item_const(&mut self, item: &'ast syn::ImplItemConst) {
        self.constant(true, |finder| visit::visit_impl_item_const(finder, item));
    }

    fn visit_trait_item_const(&mut self, item: &'ast syn::TraitItemConst) {
        self.constant(true, |finder| visit::visit_trait_item_const(finder, item));
    }

    fn visit_expr_const(&mut self, block: &'ast syn::ExprConst) {
        self.constant(true, |finder| visit::visit_expr_const(finder, block));
    }

    fn visit_variant(&mut self, _: &'ast syn::Variant) {}

    fn visit_attribute(&mut self, _: &'ast Attribute) {}

    fn visit_type(&mut self, _: &'ast syn::Type) {}

    fn visit_path_arguments(&mut self, _: &'ast syn::PathArguments) {}

    fn visit_generic_argument(&mut self, _: &'ast syn::GenericArgument) {}

    /// Of a pattern only the guard is evaluated.
    fn visit_pat(&mut self, pattern: &'ast syn::Pat) {
        if let syn::Pat::Guard(guarded) = pattern {
            self.condition(&guarded.guard, &["true", "false"]);
            self.visit_expr(&guarded.guard);
        }
    }

    fn visit_block(&mut self, block: &'ast Block) {
        for statement in &block.stmts {
            if let Stmt::Expr(expression, Some(_)) = statement
                && changes::is_droppable(expression)
            {
                let change = Change { kind: "statement dropped".to_owned(), text: String::new() };
                self.add(statement, true, vec![change]);
            }
        }
        visit::visit_block(self, block);
    }

    fn visit_expr_if(&mut self, node: &'ast syn::ExprIf) {
        self.condition(&node.cond, &["true", "false"]);
        visit::visit_expr_if(self, node);
    }

    /// A loop that never ends would be noticed, but it takes long.
    fn visit_expr_while(&mut self, node: &'ast syn::ExprWhile) {
        self.condition(&node.cond, &["false"]);
        visit::visit_expr_while(self, node);
    }

    fn visit_expr_repeat(&mut self, node: &'ast syn::ExprRepeat) {
        self.visit_expr(&node.expr);
    }

    fn visit_expr(&mut self, expression: &'ast Expr) {
        let changes = changes::of(expression, self.text);
        self.add(expression, false, changes);
        visit::visit_expr(self, expression);
    }
}
