//! What was found, for people: each problem under the text of its node, as the compiler shows those of a
//! program, and a line for each model.

use annotate_snippets::{AnnotationKind, Level, Origin, Renderer, Snippet};

use super::map::Map;
use super::model::Findings;
use super::problem::{Gravity, Problem};
use super::text::Text;
use crate::words::{counted, plain};

/// All problems of a model.
pub(super) fn problems(map: &Map<'_>, path: &str, problems: &[Problem], colours: bool) -> String {
    let renderer = if colours { Renderer::styled() } else { Renderer::plain() };
    problems.iter().map(|found| problem(map, path, found, &renderer) + "\n\n").collect()
}

fn problem(map: &Map<'_>, path: &str, problem: &Problem, renderer: &Renderer) -> String {
    let node = map.node(problem.site);
    let text = Text::of(node);
    let span = AnnotationKind::Primary.span(text.span(problem.part));
    let snippet = Snippet::source(text.text)
        .line_numbering(false)
        .annotation(span.label(problem.label.as_str()));
    let level = match problem.gravity {
        Gravity::Error => Level::ERROR,
        Gravity::Note => Level::NOTE,
    };
    let place = Origin::path(format!("{path}: {}", map.place(problem.site)));
    let title = level.primary_title(title(map, problem)).id(problem.code);
    let group = title.element(place).element(snippet);
    let notes = problem.note.iter().map(|note| Level::NOTE.message(note));
    let helps = problem.help.iter().map(|help| Level::HELP.message(help));
    let text = renderer.render(&[group.elements(notes).elements(helps)]);
    // A snippet without a file of its own begins with three colons, as if it went on elsewhere.
    let is_said = |line: &&str| !line.contains(":::") || line.contains('|') || line.contains("-->");
    text.lines().filter(is_said).collect::<Vec<_>>().join("\n")
}

/// The operator and the fact.
pub(super) fn title(map: &Map<'_>, problem: &Problem) -> String {
    let fact = &problem.fact;
    match problem.version {
        Some(version) => {
            format!("{} at version {version}: {fact}", plain(&map.node(problem.site).op_type))
        }
        None => fact.clone(),
    }
}

/// One line on a model.
pub(super) fn summary(map: &Map<'_>, path: &str, findings: &Findings) -> String {
    let count = findings.reductions.values().sum::<usize>();
    let without = map.reductions.len() - count;
    let by_version = findings.reductions.iter();
    let mut parts: Vec<String> =
        by_version.map(|((op, version), count)| format!("{count} {op}-{version}")).collect();
    if without > 0 {
        parts.push(format!("{without} of no version"));
    }
    let parts = if parts.is_empty() { String::new() } else { format!(" ({})", parts.join(", ")) };
    let mut line = format!("{path}: {}{parts}", counted(map.reductions.len(), "reduction"));
    let foreign = map.foreign.values().sum::<usize>();
    if foreign > 0 {
        let domains = counted(map.foreign.len(), "other domain");
        line += &format!("; {} of {domains}", counted(foreign, "node"));
    }
    let notes = findings.problems.len() - findings.errors();
    if notes > 0 {
        line += &format!("; {}", counted(notes, "note"));
    }
    match findings.errors() {
        0 => line + "; no problems\n",
        errors => line + &format!("; {}\n", counted(errors, "problem")),
    }
}
