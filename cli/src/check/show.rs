//! Problems for people: each under the text of its node, as the compiler shows those of a program.

use annotate_snippets::{AnnotationKind, Level, Origin, Renderer, Snippet};

use reduce_onnx::{Gravity, Problem};

use super::help;

/// All of some problems of a model.
pub(super) fn problems<'r>(
    problems: impl Iterator<Item = Problem<'r>>,
    path: &str,
    colours: bool,
) -> String {
    let renderer = if colours { Renderer::styled() } else { Renderer::plain() };
    problems.map(|found| problem(&found, path, &renderer) + "\n\n").collect()
}

fn problem(problem: &Problem<'_>, path: &str, renderer: &Renderer) -> String {
    let text = problem.text();
    let span = AnnotationKind::Primary.span(text.span);
    let snippet =
        Snippet::source(text.text).line_numbering(false).annotation(span.label(problem.label()));
    let level = match problem.gravity() {
        Gravity::Error => Level::ERROR,
        Gravity::Note => Level::NOTE,
    };
    let place = Origin::path(format!("{path}: {}", problem.place()));
    let title = level.primary_title(problem.title()).id(problem.code());
    let group = title.element(place).element(snippet);
    let notes = problem.note().map(|note| Level::NOTE.message(note));
    let helps = help(problem).map(|help| Level::HELP.message(help));
    let text = renderer.render(&[group.elements(notes).elements(helps)]);
    // A snippet without a file of its own begins with three colons, as if it went on elsewhere.
    let is_said = |line: &&str| !line.contains(":::") || line.contains('|') || line.contains("-->");
    text.lines().filter(is_said).collect::<Vec<_>>().join("\n")
}
