//! The changes of one expression.

use syn::spanned::Spanned;
use syn::{BinOp, Expr, ExprBinary, ExprMethodCall, Lit, UnOp};

use super::Change;

/// Methods that are taken for one another.
const METHODS: [(&str, &str); 10] = [
    ("min", "max"),
    ("any", "all"),
    ("is_some", "is_none"),
    ("is_ok", "is_err"),
    ("first", "last"),
    ("first_mut", "last_mut"),
    ("saturating_sub", "saturating_add"),
    ("wrapping_sub", "wrapping_add"),
    ("checked_add", "checked_sub"),
    ("wrapping_mul", "wrapping_add"),
];

/// Methods whose answer is turned round.
const QUESTIONS: [&str; 4] = ["is_empty", "is_some_and", "contains", "starts_with"];

/// Operators that are taken for one another: the first for the second.
const OPERATORS: [(&str, &str); 28] = [
    ("<", "<="),
    ("<=", "<"),
    (">", ">="),
    (">=", ">"),
    ("==", "!="),
    ("!=", "=="),
    ("&&", "||"),
    ("||", "&&"),
    ("+", "-"),
    ("-", "+"),
    ("*", "/"),
    ("/", "*"),
    ("%", "/"),
    ("&", "|"),
    ("|", "&"),
    ("^", "|"),
    ("<<", ">>"),
    (">>", "<<"),
    ("+=", "-="),
    ("-=", "+="),
    ("*=", "/="),
    ("/=", "*="),
    ("%=", "/="),
    ("&=", "|="),
    ("|=", "&="),
    ("^=", "|="),
    ("<<=", ">>="),
    (">>=", "<<="),
];

/// The changes of an expression in a source, without those of what is in it.
pub(super) fn of(expression: &Expr, source: &str) -> Vec<Change> {
    let change = |kind: String, text: String| vec![Change { kind, text }];
    match expression {
        Expr::Binary(node) if !binds(expression) => binary(node, source).into_iter().collect(),
        Expr::Unary(node) if matches!(node.op, UnOp::Not(_)) => {
            change("`!` dropped".to_owned(), text(source, &node.expr).to_owned())
        }
        Expr::MethodCall(node) => method(node, source).into_iter().collect(),
        Expr::Lit(node) => match &node.lit {
            Lit::Int(_) => {
                change("literal + 1".to_owned(), format!("({} + 1)", text(source, node)))
            }
            Lit::Bool(lit) => change("literal turned round".to_owned(), (!lit.value).to_string()),
            _ => Vec::new(),
        },
        _ => Vec::new(),
    }
}

fn binary(node: &ExprBinary, source: &str) -> Option<Change> {
    let old = text(source, &node.op);
    let new = OPERATORS.iter().find(|(from, _)| *from == old).map(|(_, to)| *to)?;
    let (left, right) = (text(source, &node.left), text(source, &node.right));
    let is_assignment = old.ends_with('=')
        && !matches!(node.op, BinOp::Le(_) | BinOp::Ge(_) | BinOp::Eq(_) | BinOp::Ne(_));
    let text = match is_assignment {
        true => format!("{left} {new} ({right})"),
        false => format!("({left}) {new} ({right})"),
    };
    Some(Change { kind: format!("`{old}` to `{new}`"), text })
}

fn method(node: &ExprMethodCall, source: &str) -> Option<Change> {
    let old = node.method.to_string();
    let (receiver, whole) = (text(source, &node.receiver), text(source, node));
    if QUESTIONS.contains(&old.as_str()) {
        return Some(Change { kind: format!("`{old}` turned round"), text: format!("!{whole}") });
    }
    if old == "div_ceil" {
        let text = format!("({receiver}) / ({})", text(source, node.args.first()?));
        return Some(Change { kind: "`div_ceil` to `/`".to_owned(), text });
    }
    let new = METHODS.iter().find_map(|&(one, other)| match old.as_str() {
        method if method == one => Some(other),
        method if method == other => Some(one),
        _ => None,
    })?;
    let arguments: Vec<&str> = node.args.iter().map(|argument| text(source, argument)).collect();
    let text = format!("{receiver}.{new}({})", arguments.join(", "));
    Some(Change { kind: format!("`{old}` to `{new}`"), text })
}

/// The text of a part of a source.
fn text<'a>(source: &'a str, part: &impl Spanned) -> &'a str {
    &source[part.span().byte_range()]
}

/// Whether an expression is, or joins, a `let` of a condition.
pub(super) fn binds(expression: &Expr) -> bool {
    match expression {
        Expr::Let(_) => true,
        Expr::Binary(node) => binds(&node.left) || binds(&node.right),
        _ => false,
    }
}

/// Whether a statement does something that could be left out.
pub(super) fn is_droppable(expression: &Expr) -> bool {
    match expression {
        Expr::MethodCall(_) | Expr::Call(_) | Expr::Assign(_) => true,
        Expr::Binary(node) => {
            !matches!(node.op, BinOp::Le(_) | BinOp::Ge(_) | BinOp::Eq(_) | BinOp::Ne(_))
        }
        Expr::Try(node) => is_droppable(&node.expr),
        _ => false,
    }
}
