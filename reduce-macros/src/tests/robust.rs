//! Specs with tokens lost, doubled, swapped and strayed: the macros never panic,
//! and what they write parses or says what is wrong.

use proc_macro2::{Group, TokenStream, TokenTree};
use quote::ToTokens;
use syn::{Item, Meta};

use super::{specs, take};

/// Mutations of each spec.
const ROUNDS: usize = 400;

/// A xorshift generator: the same sequence in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).expect("31 bits") % limit.max(1)
    }
}

/// Changes one place among some tokens, or among those of a group in them.
fn mutate(tokens: TokenStream, strays: &[TokenTree], random: &mut Random) -> TokenStream {
    let mut tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let place = random.below(tokens.len());
    if let Some(TokenTree::Group(group)) = tokens.get(place).filter(|_| random.below(8) > 0) {
        let inside = mutate(group.stream(), strays, random);
        tokens[place] = Group::new(group.delimiter(), inside).into();
        return tokens.into_iter().collect();
    }
    let other = random.below(tokens.len());
    let stray = strays[random.below(strays.len())].clone();
    match random.below(4) {
        _ if tokens.is_empty() => tokens.push(stray),
        0 => drop(tokens.remove(place)),
        1 => tokens.insert(place, tokens[other].clone()),
        2 => tokens.swap(place, other),
        _ => tokens[place] = stray,
    }
    tokens.into_iter().collect()
}

/// Tokens that a user might put in the wrong place.
fn strays() -> Vec<TokenTree> {
    let text = "f32 i128 0 1 18 4294967296 1.5 1e999 -1 'a' \"s\" true all self _ type crate dtypes \
        = => .. ..= , ; : :: # ! ? & [] {} () [1..] { 1.. => [f32] } <A> fn impl r#nan 0x10 1u8";
    text.parse::<TokenStream>().expect("tokens").into_iter().collect()
}

fn assert_sound(output: &TokenStream, input: &str) {
    let is_error = output.to_string().contains("compile_error");
    let parsed = syn::parse2::<syn::File>(output.clone());
    assert!(is_error || parsed.is_ok(), "{input}\nexpands to\n{output}");
}

#[test]
fn broken_arguments_never_panic() {
    let (strays, mut random, mut errors) = (strays(), Random(0x9e37_79b9_7f4a_7c15), 0);
    for (args, block) in operators() {
        for round in 0..ROUNDS {
            let mut broken = args.clone();
            for _ in 0..=round % 4 {
                broken = mutate(broken, &strays, &mut random);
            }
            let text = broken.to_string();
            let output = crate::pipeline::reduce_op(broken, &block);
            let parsed = syn::parse2::<syn::File>(output.clone());
            assert!(parsed.is_ok(), "{text}\nexpands to\n{output}");
            errors += usize::from(output.to_string().contains("compile_error"));
        }
    }
    assert!(errors > ROUNDS, "only {errors} of the mutations are mistakes");
}

#[test]
fn broken_blocks_never_panic() {
    let (strays, mut random) = (strays(), Random(0x2545_f491_4f6c_dd1d));
    for (args, block) in operators() {
        for round in 0..ROUNDS {
            let mut broken = block.clone();
            for _ in 0..=round % 4 {
                broken = mutate(broken, &strays, &mut random);
            }
            let output = crate::pipeline::reduce_op(args.clone(), &broken);
            assert_sound(&output, &broken.to_string());
        }
    }
}

#[test]
fn broken_structs_never_panic() {
    let (mut strays, mut random) = (strays(), Random(0xda94_2042_e4dd_58b5));
    // syn takes `struct Pair<_>`, which the compiler never hands to a macro.
    strays.retain(|token| token.to_string() != "_");
    for item in items().into_iter().filter(|item| matches!(item, Item::Struct(_))) {
        for _ in 0..ROUNDS {
            let broken = mutate(item.to_token_stream(), &strays, &mut random);
            let output = crate::accumulator::derive(broken.clone());
            assert_sound(&output, &broken.to_string());
        }
    }
}

/// `any +` is a trait object to syn, and nothing can stand behind it.
#[test]
fn a_field_may_be_a_trait_object() {
    for field in ["any +", "dyn Send + Sync", "impl Copy"] {
        let item = format!("struct Sums {{ sum: f32, of: {field} }}");
        let output = crate::accumulator::derive(item.parse().expect("tokens"));
        assert_sound(&output, &item);
        assert!(syn::parse2::<syn::File>(output.clone()).is_ok(), "{output}");
    }
}

/// The arguments and blocks of every spec.
fn operators() -> Vec<(TokenStream, TokenStream)> {
    let split = |item| match item {
        Item::Impl(mut block) => {
            let args = take(&mut block.attrs, "reduce_op")?;
            Some((args, block.to_token_stream()))
        }
        _ => None,
    };
    items().into_iter().filter_map(split).collect()
}

fn items() -> Vec<Item> {
    let files = specs().into_iter().map(|spec| syn::parse_file(&spec.source).expect("a spec"));
    let mut items: Vec<Item> = files.flat_map(|file| file.items).collect();
    for item in &mut items {
        if let Item::Struct(data) = item {
            data.attrs.retain(
                |attr| !matches!(&attr.meta, Meta::List(list) if list.path.is_ident("derive")),
            );
        }
    }
    items
}
