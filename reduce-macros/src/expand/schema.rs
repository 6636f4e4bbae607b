//! The operator's facts as plain data.

use proc_macro2::{Ident, Literal, TokenStream};
use quote::{ToTokens, format_ident, quote};

use super::paths::Paths;
use crate::model::{AttrDecl, DTypeRow, Empty, Kind, Nan, OpSpec, Value, Window};
use crate::parse::{Form, OpBlock, REFUSES};

/// `impl OpSpec for Op`: schema, rows, and parameters into fields.
pub(super) fn expand_op_spec(spec: &OpSpec, block: &OpBlock, paths: &Paths) -> TokenStream {
    let private = &paths.private;
    let (op, generics, example) = (&block.op, block.generics(), block.example());
    let schema = expand_schema(spec, block, paths);
    let storage: Vec<_> =
        spec.kernels().into_iter().map(|row| paths.stored(&block.element, row)).collect();
    let (fill, refused) = (expand_fill_all(spec, paths), expand_refused(spec, block, paths));
    let if_default = paths.if_default(op);
    let (row, each_type, length) = match block.form {
        Form::Op => (quote!(new), Some(expand_each_type(&storage, paths)), None),
        Form::Slice => (quote!(of_slices), None, super::slices::expand_length(spec, paths)),
    };
    let has_default = super::at(block.op_name.span(), quote!(#private::has_default::<#example>));
    quote! {
        // What no row can do without, asked for once and not by each of them.
        const _: fn() = #has_default;

        #[automatically_derived]
        impl #generics #private::OpSpec for #op #if_default {
            const SCHEMA: #private::OpSchema = #schema;
            const ROWS: &'static [#private::Row<Self>] = &[
                #(#private::Row::#row::<#storage>(),)*
            ];
            #each_type
            #refused
            #length
            #fill
        }
    }
}

/// A visit to each storage type.
fn expand_each_type(storage: &[TokenStream], paths: &Paths) -> TokenStream {
    let private = &paths.private;
    quote! {
        fn each_type(to: &mut impl #private::EachType<Self>) {
            #(to.of_type::<#storage>();)*
        }
    }
}

/// What the operator says of its parameters, if it says anything.
fn expand_refused(spec: &OpSpec, block: &OpBlock, paths: &Paths) -> Option<TokenStream> {
    let (private, cfg) = (&paths.private, block.function(REFUSES)?);
    let storage = paths.stored(&block.element, spec.kernels().first()?);
    let refused = match block.form {
        Form::Op => quote!(refused),
        Form::Slice => quote!(refused_slices),
    };
    Some(quote! {
        #(#cfg)*
        fn refused(&self) -> #private::Refused {
            #private::#refused::<Self, #storage>(self)
        }
    })
}

/// The parameters out of their fields and into them, if there are any.
fn expand_fill_all(spec: &OpSpec, paths: &Paths) -> Option<TokenStream> {
    let private = &paths.private;
    let params = spec.params();
    if params.is_empty() {
        return None;
    }
    let gives = params.iter().map(|param| expand_give(param, paths));
    let fills = params.iter().map(|param| expand_fill(param, paths));
    Some(quote! {
        fn give(&self, params: &mut #private::Params) {
            #(#gives)*
        }
        fn fill(&mut self, params: &#private::Params) {
            #(#fills)*
        }
    })
}

/// A parameter into its field. A field of another type is reported where the
/// parameter is declared.
fn expand_fill(param: &AttrDecl, paths: &Paths) -> TokenStream {
    let (private, name, field) = (&paths.private, &param.name, &param.field);
    let place = Ident::new("field", param.span);
    let kind = match param.kind {
        Kind::Bool => quote!(::core::primitive::bool),
        Kind::Int => quote!(::core::primitive::i64),
        _ => quote!(::core::primitive::f64),
    };
    let fill = super::at(param.span, quote!(#private::Params::fill::<#kind>));
    quote! {
        let #place = &mut (*self).#field;
        #fill(params, #name, #place);
    }
}

/// A parameter's value out of its field. `(*self)` has the same type in both functions: where there is no such field, the
/// compiler says the same of both, and so only once.
fn expand_give(param: &AttrDecl, paths: &Paths) -> TokenStream {
    let (private, name, field) = (&paths.private, &param.name, &param.field);
    quote!(#private::Params::give(params, #name, &(*self).#field);)
}

fn expand_schema(spec: &OpSpec, block: &OpBlock, paths: &Paths) -> TokenStream {
    let private = &paths.private;
    let (name, summary, commutative) = (&spec.name, &spec.summary, spec.commutative);
    let versions = spec.since_versions().into_iter().map(Literal::u32_unsuffixed);
    let last = expand_version(spec.versions.life.last);
    let dtypes = spec.dtypes.iter().map(|row| expand_dtype(row, spec, block, paths));
    let attrs = spec.attrs.iter().map(|attr| expand_attr(attr, paths));
    let emits = spec.beside().map(Literal::usize_unsuffixed);
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
            emits: &[#(#emits),*],
        }
    }
}

fn expand_dtype(row: &DTypeRow, spec: &OpSpec, block: &OpBlock, paths: &Paths) -> TokenStream {
    let private = &paths.private;
    let window = expand_window(&row.window, paths);
    let storage = paths.stored(&block.element, row);
    let compute = row.compute.word();
    match spec.length_param().map(|param| &param.name) {
        None => quote!(#private::DTypeSchema::of::<Self, #storage>(#window, #compute)),
        Some(name) => {
            quote!(#private::DTypeSchema::of_slices::<Self, #storage>(#window, #compute, #name))
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
    let range = expand_range(attr, paths);
    let (kind, default) =
        (quote!(#private::AttrKind::#kind), quote!(#private::AttrDefault::#default));
    quote!(#private::AttrSchema::new(#name, #kind, #default, #range, #window))
}

fn expand_range(attr: &AttrDecl, paths: &Paths) -> TokenStream {
    let private = &paths.private;
    if attr.low.is_none() && attr.high.is_none() {
        return quote!(#private::AttrRange::ALL);
    }
    let low = expand_option(attr.low.map(|low| quote!(#low)));
    let high = expand_option(attr.high.map(|high| quote!(#high)));
    quote!(#private::AttrRange { low: #low, high: #high })
}

fn expand_window(window: &Window, paths: &Paths) -> TokenStream {
    let private = &paths.private;
    let first = Literal::u32_unsuffixed(window.first);
    match window.last.map(Literal::u32_unsuffixed) {
        None => quote!(#private::Window::since(#first)),
        Some(last) => quote!(#private::Window::span(#first, #last)),
    }
}

fn expand_version(version: Option<u32>) -> TokenStream {
    expand_option(version.map(|version| Literal::u32_unsuffixed(version).into_token_stream()))
}

fn expand_option(value: Option<TokenStream>) -> TokenStream {
    match value {
        Some(value) => quote!(::core::option::Option::Some(#value)),
        None => quote!(::core::option::Option::None),
    }
}
