//! The operator's facts as plain data.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::paths::Paths;
use crate::model::{AttrDecl, DTypeRow, Empty, Kind, Nan, OpSpec, Value, Window};
use crate::parse::OpBlock;

/// `impl OpSpec for Op`: schema, rows, and parameters into fields.
pub(super) fn expand_op_spec(spec: &OpSpec, block: &OpBlock, paths: &Paths) -> TokenStream {
    let private = &paths.private;
    let op = &block.op;
    let schema = expand_schema(spec, paths);
    let storage = spec.kernels().into_iter().map(|row| paths.storage(row.input));
    let params = spec.params();
    let names = params.iter().map(|param| &param.name);
    let fields = params.iter().map(|param| syn::Ident::new(&param.name, param.span));
    let (given, binding) = match params.is_empty() {
        true => (quote!(_), quote!(let)),
        false => (quote!(params), quote!(let mut)),
    };
    quote! {
        #[automatically_derived]
        impl #private::OpSpec for #op {
            const SCHEMA: #private::OpSchema = #schema;
            const ROWS: &'static [#private::Row<Self>] = &[
                #(#private::Row::new::<#storage>(),)*
            ];
            fn configure(#given: &#private::Params) -> Self {
                #binding op = <Self as ::core::default::Default>::default();
                #(#private::Params::fill(params, #names, &mut op.#fields);)*
                op
            }
        }
    }
}

fn expand_schema(spec: &OpSpec, paths: &Paths) -> TokenStream {
    let private = &paths.private;
    let (name, summary, commutative) = (&spec.name, &spec.summary, spec.commutative);
    let versions = spec.since_versions();
    let last = expand_option(spec.versions.life.last.map(|last| quote!(#last)));
    let dtypes = spec.dtypes.iter().map(|row| expand_dtype(spec, row, paths));
    let attrs = spec.attrs.iter().map(|attr| expand_attr(attr, paths));
    let nan = match spec.nan {
        Nan::Propagate => format_ident!("Propagate"),
        Nan::Ignore => format_ident!("Ignore"),
        Nan::Unspecified => format_ident!("Unspecified"),
    };
    quote! {
        #private::OpSchema {
            name: #name,
            summary: #summary,
            versions: &[#(#versions),*],
            last: #last,
            dtypes: &[#(#dtypes),*],
            attrs: &[#(#attrs),*],
            nan: #private::NanPolicy::#nan,
            commutative: #commutative,
        }
    }
}

fn expand_dtype(spec: &OpSpec, row: &DTypeRow, paths: &Paths) -> TokenStream {
    let private = &paths.private;
    let window = expand_window(&row.window, paths);
    let input = paths.variant(row.input);
    let output = paths.variant(spec.output.unwrap_or(row.input));
    let compute = row.compute.word();
    let empty = expand_empty(row.empty, paths);
    quote! {
        #private::DTypeSchema {
            window: #window,
            input: #input,
            compute: #compute,
            output: #output,
            empty: #empty,
        }
    }
}

pub(super) fn expand_empty(empty: Empty, paths: &Paths) -> TokenStream {
    let private = &paths.private;
    match empty {
        Empty::Identity => quote!(#private::Empty::Identity),
        Empty::Error => quote!(#private::Empty::Error),
    }
}

fn expand_attr(attr: &AttrDecl, paths: &Paths) -> TokenStream {
    let private = &paths.private;
    let name = &attr.name;
    let window = expand_window(&attr.window, paths);
    let kind = match attr.kind {
        Kind::Bool => format_ident!("Bool"),
        Kind::Int => format_ident!("Int"),
        Kind::Float => format_ident!("Float"),
        Kind::Ints => format_ident!("Ints"),
        Kind::Input => format_ident!("Input"),
    };
    let default = match attr.default {
        Value::All => quote!(All),
        Value::Bool(value) => quote!(Bool(#value)),
        Value::Int(value) => quote!(Int(#value)),
        Value::Float(value) => quote!(Float(#value)),
    };
    let low = expand_option(attr.low.map(|low| quote!(#low)));
    let high = expand_option(attr.high.map(|high| quote!(#high)));
    quote! {
        #private::AttrSchema {
            name: #name,
            kind: #private::AttrKind::#kind,
            default: #private::AttrDefault::#default,
            range: #private::AttrRange { low: #low, high: #high },
            window: #window,
        }
    }
}

fn expand_window(window: &Window, paths: &Paths) -> TokenStream {
    let private = &paths.private;
    let first = window.first;
    let last = expand_option(window.last.map(|last| quote!(#last)));
    quote!(#private::Window::new(#first, #last))
}

fn expand_option(value: Option<TokenStream>) -> TokenStream {
    match value {
        Some(value) => quote!(::core::option::Option::Some(#value)),
        None => quote!(::core::option::Option::None),
    }
}
