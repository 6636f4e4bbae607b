//! Which axes several operators reduce if nobody says it: each those that it reduces alone.

use reduce_core::planning::AxisSet;

use crate::operators::Prepared;

/// A line that gives the axes of each operator, if they differ.
pub(super) fn differing(operators: &[Prepared], rank: usize) -> Option<String> {
    let mut groups: Vec<(String, Vec<&str>)> = Vec::new();
    for operator in operators {
        // One that cannot reduce such data says so itself.
        let axes = words(&operator.axes(rank).ok()?);
        match groups.iter_mut().find(|(known, _)| *known == axes) {
            Some((_, names)) => names.push(operator.name()),
            None => groups.push((axes, vec![operator.name()])),
        }
    }
    let each = |(axes, names): &(String, Vec<&str>)| format!("{} over {axes}", names.join(", "));
    let line: Vec<String> = groups.iter().map(each).collect();
    (groups.len() > 1)
        .then(|| format!("note: without --axes, each operator has its own: {}\n", line.join("; ")))
}

fn words(axes: &AxisSet) -> String {
    let reduced: Vec<String> =
        (0..axes.rank()).filter(|&axis| axes.contains(axis)).map(|axis| axis.to_string()).collect();
    match reduced.len() {
        0 => "no axis".to_owned(),
        // Said of one axis too, which may be the only one.
        all if all == axes.rank() => "all axes".to_owned(),
        1 => format!("axis {}", reduced[0]),
        _ => format!("axes {}", reduced.join(", ")),
    }
}
