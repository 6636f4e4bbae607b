//! Functions of WGSL that kernels call where the language has none, or where those of a device do not round as they should.
//!
//! They lie beside this file. A kernel is given those that it names, and those that these name.

use std::collections::{BTreeMap, BTreeSet};

use super::Exactness;

/// The placeholder of a float's name in text that is printed for each float.
const REAL: &str = "REAL";

/// What a kernel calls and does not define, as text to stand before or behind it.
///
/// It reads `u.zero`, a word of the kernel's uniform that must be 0.
pub fn support(kernel: &str, exactness: Exactness) -> String {
    let items = items(exactness);
    let mut names = BTreeSet::new();
    let mut unread = vec![kernel];
    while let Some(text) = unread.pop() {
        for word in text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_') {
            if let Some((name, item)) = items.get_key_value(word)
                && names.insert(name.as_str())
            {
                unread.push(item);
            }
        }
    }
    names.into_iter().map(|name| items[name].as_str()).collect()
}

/// All functions and structs by name.
fn items(exactness: Exactness) -> BTreeMap<String, String> {
    let keep = if exactness.keep { include_str!("kept.wgsl") } else { include_str!("plain.wgsl") };
    let conversions = if exactness.conversions {
        include_str!("conversions.wgsl")
    } else {
        include_str!("whole_conversions.wgsl")
    };
    let once = [
        keep,
        conversions,
        include_str!("bits.wgsl"),
        include_str!("words.wgsl"),
        include_str!("wide_floats.wgsl"),
        include_str!("parts.wgsl"),
    ];
    let of_each_float = [include_str!("floats.wgsl"), include_str!("rounding.wgsl")];
    let mut items = BTreeMap::new();
    for text in once {
        add(&mut items, text);
    }
    for text in of_each_float {
        for float in ["f32", "f64"] {
            add(&mut items, &text.replace(REAL, float));
        }
    }
    // In the place of those in words, which are slower.
    if exactness.f64 {
        add(&mut items, include_str!("double.wgsl"));
    }
    if exactness.has_exact_f64() {
        add(&mut items, include_str!("odd.wgsl"));
    }
    items
}

/// Adds the items of a text: each begins with `fn` or `struct` and ends with a brace at the start of a line.
fn add(items: &mut BTreeMap<String, String>, text: &str) {
    let mut name = None;
    for line in text.lines() {
        if let Some(rest) = line.strip_prefix("fn ").or_else(|| line.strip_prefix("struct ")) {
            let end = rest.find(['(', ' ']).unwrap_or(rest.len());
            let begun = rest[..end].to_owned();
            items.insert(begun.clone(), String::new());
            name = Some(begun);
        }
        if let Some(item) = name.as_ref().and_then(|name| items.get_mut(name)) {
            item.push_str(line);
            item.push('\n');
        }
        if line == "}" {
            name = None;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Operations;
    use super::{Exactness, support};

    #[test]
    fn what_is_named_brings_what_it_names() {
        let text = support("fn main() { let x = sub_128(a, b); }", Exactness::default());
        for name in ["sub_128", "sub_64", "less_u64"] {
            assert_eq!(text.matches(&format!("fn {name}(")).count(), 1, "{name} in {text}");
        }
        assert!(!text.contains("add_"), "{text}");
        assert_eq!(support("fn main() { let x = a + b; }", Exactness::default()), "");
    }

    #[test]
    fn the_device_chooses_the_text() {
        let fma = |exactness| support("fma_f32(a, b, c)", exactness);
        let f64 = Exactness {
            f64: true,
            conversions: true,
            of_f64: Operations::EXACT,
            ..Exactness::default()
        };
        assert!(fma(f64).contains("outwards") && !fma(Exactness::default()).contains("outwards"));
        let inexact = Exactness { conversions: false, ..f64 };
        assert!(!fma(inexact).contains("outwards"));
        let keep = Exactness { keep: true, ..Exactness::default() };
        assert!(support("keep_f32(x)", keep).contains("u.zero"));
        assert!(!support("keep_f32(x)", Exactness::default()).contains("u.zero"));
    }
}
