//! The root of `reduce-core` has few names, each name is public in one place, and the index of the README has all of them.
//!
//! So a reader learns the crate from one table, and finds an item where it is listed.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use syn::{Attribute, Ident, Item, ItemMacro, UseTree, Visibility};

use super::{root, sources};

/// The most names that the root may have.
const MOST: usize = 42;

/// The names and modules that a source shows its users.
#[derive(Debug, Default, PartialEq)]
struct Public {
    names: BTreeSet<String>,
    modules: BTreeSet<String>,
}

fn is_hidden(attrs: &[Attribute]) -> bool {
    let says = |attr: &Attribute| {
        let inner = attr.parse_args::<Ident>();
        attr.path().is_ident("doc") && inner.is_ok_and(|word| word == "hidden")
    };
    attrs.iter().any(says)
}

/// The names that a `use` brings in, each behind the first word of its path.
fn used(tree: &UseTree, first: Option<&Ident>, found: &mut Vec<(String, String)>) {
    let mut push = |name: &Ident| {
        let first = first.unwrap_or(name);
        found.push((first.to_string(), name.to_string()));
    };
    match tree {
        UseTree::Name(name) => push(&name.ident),
        UseTree::Rename(name) => push(&name.rename),
        UseTree::Path(path) => used(&path.tree, first.or(Some(&path.ident)), found),
        UseTree::Group(group) => group.items.iter().for_each(|tree| used(tree, first, found)),
        UseTree::Glob(_) => panic!("a glob does not say its names"),
    }
}

/// What is public in a source. What comes from `rooms` is a module.
fn public(text: &str) -> Public {
    let mut public = Public::default();
    for item in syn::parse_file(text).expect("Rust").items {
        let (attrs, visibility, name, is_module) = match &item {
            Item::Use(item) => {
                let mut found = Vec::new();
                if matches!(item.vis, Visibility::Public(_)) && !is_hidden(&item.attrs) {
                    used(&item.tree, None, &mut found);
                }
                for (first, name) in found {
                    let of = if first == "rooms" { &mut public.modules } else { &mut public.names };
                    of.insert(name);
                }
                continue;
            }
            Item::Const(item) => (&item.attrs, &item.vis, &item.ident, false),
            Item::Enum(item) => (&item.attrs, &item.vis, &item.ident, false),
            Item::Fn(item) => (&item.attrs, &item.vis, &item.sig.ident, false),
            Item::Mod(item) => (&item.attrs, &item.vis, &item.ident, true),
            Item::Static(item) => (&item.attrs, &item.vis, &item.ident, false),
            Item::Struct(item) => (&item.attrs, &item.vis, &item.ident, false),
            Item::Trait(item) => (&item.attrs, &item.vis, &item.ident, false),
            Item::Type(item) => (&item.attrs, &item.vis, &item.ident, false),
            Item::Union(item) => (&item.attrs, &item.vis, &item.ident, false),
            _ => continue,
        };
        if matches!(visibility, Visibility::Public(_)) && !is_hidden(attrs) {
            let of = if is_module { &mut public.modules } else { &mut public.names };
            of.insert(name.to_string());
        }
    }
    public
}

/// The macros that a source exports.
fn exported(text: &str) -> Vec<String> {
    let of_item = |item| match item {
        Item::Macro(ItemMacro { attrs, ident: Some(name), .. }) => {
            let is_exported = attrs.iter().any(|attr| attr.path().is_ident("macro_export"));
            (is_exported && !is_hidden(&attrs)).then(|| name.to_string())
        }
        _ => None,
    };
    syn::parse_file(text).expect("Rust").items.into_iter().filter_map(of_item).collect()
}

/// What is public at the root. An exported macro is, whatever source it is in.
fn at_root() -> Public {
    let lib = fs::read_to_string(root().join("lib.rs")).expect("a readable source");
    let mut found = public(&lib);
    for source in sources().iter().filter(|source| source.text.contains("macro_export")) {
        found.names.extend(exported(&source.text));
    }
    found
}

fn of_room(name: &str) -> Public {
    let places = [format!("rooms/{name}.rs"), format!("{name}.rs"), format!("{name}/mod.rs")];
    let text = places.iter().find_map(|place| fs::read_to_string(root().join(place)).ok());
    public(&text.unwrap_or_else(|| panic!("none of {places:?} is there")))
}

/// What stands as code in the second column of a table, under a heading.
fn index(page: &str, heading: &str) -> BTreeSet<String> {
    let (_, behind) = page.split_once(&format!("\n## {heading}\n")).expect("the heading");
    let section = behind.split("\n## ").next().unwrap_or_default();
    let cells = section.lines().filter_map(|line| line.strip_prefix('|')?.split('|').nth(1));
    let code = cells.flat_map(|cell| cell.split('`').skip(1).step_by(2));
    code.map(|code| code.trim_start_matches("#[").trim_end_matches(']').to_owned()).collect()
}

#[test]
fn the_root_has_few_names() {
    let names = at_root().names;
    assert!(names.len() <= MOST, "{} names, which is more than {MOST}: {names:?}", names.len());
    assert!(names.len() > MOST / 2, "{} names: are they found?", names.len());
}

#[test]
fn the_index_has_each_name_of_the_root_and_each_module() {
    let page = fs::read_to_string(root().join("../README.md")).expect("a readable page");
    let (index, public) = (index(&page, "By task"), at_root());
    let all = public.names.union(&public.modules);
    let missing: Vec<_> = all.filter(|name| !index.contains(*name)).collect();
    assert!(missing.is_empty(), "the index lacks {missing:?}");
}

#[test]
fn each_name_is_public_in_one_place() {
    let public = at_root();
    let rooms = public.modules.iter().map(|name| (name.clone(), of_room(name).names));
    let mut places: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (place, names) in rooms.chain([("the root".to_owned(), public.names.clone())]) {
        for name in names {
            places.entry(name).or_default().push(place.clone());
        }
    }
    assert!(places.len() > 2 * MOST, "{} names: are they found?", places.len());
    places.retain(|_, places| places.len() > 1);
    assert!(places.is_empty(), "{places:#?}");
}

#[test]
fn what_is_public_is_found() {
    let names = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
    let found = public(
        "pub use rooms::{a, b};
        pub use c::{D, e::{F as G, H}};
        pub use f16;
        #[doc(hidden)] pub mod plumbing;
        pub mod backend;
        mod c;
        use c::I;
        pub(crate) use c::J;
        pub struct K;
        #[doc = \"Said.\"] pub fn l() {}",
    );
    let expected = Public {
        names: names(&["D", "G", "H", "f16", "K", "l"]),
        modules: names(&["a", "b", "backend"]),
    };
    assert_eq!(found, expected);
    let macros = "#[macro_export] macro_rules! m { () => {}; } #[doc(hidden)] #[macro_export] macro_rules! n { () => {}; }
        macro_rules! o { () => {}; } m!();";
    assert_eq!(exported(macros), ["m"]);
}

#[test]
fn the_index_is_what_stands_in_the_table() {
    let page = "`A`\n\n## By task\n\n| for | items |\n|---|---|\n| `B` | [`C`], [`#[d]`][d]; `E` | `F` |\n\n`G`\n\n## Else\n\n| x | `H` |\n";
    assert_eq!(index(page, "By task"), ["C", "d", "E"].map(str::to_owned).into());
}
