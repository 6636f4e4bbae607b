//! Rules on windows and the operator's versions.

use crate::diag::Diag;
use crate::model::{OpSpec, Window};

/// Every window of a spec, with what it holds.
fn windows(spec: &OpSpec) -> impl Iterator<Item = (&'static str, &Window)> {
    let dtypes = spec.dtypes.iter().map(|row| ("dtypes", &row.window));
    dtypes.chain(spec.attrs.iter().map(|attr| ("attributes", &attr.window)))
}

/// A window outside the operator's life would never be read.
///
/// Bad: `versions = 1..=12, attrs = { 18.. => [..] }`.
pub(super) fn windows_lie_within_life(spec: &OpSpec, diag: &mut Diag) {
    let life = &spec.versions.life;
    let mut reported = Vec::new();
    for (what, window) in windows(spec) {
        let ends_late = match (window.last, life.last) {
            (Some(last), Some(end)) => last > end,
            (None, Some(_)) | (_, None) => false,
        };
        let (span, starts_outside) = (window.first_span, !life.contains(window.first));
        let mistake = (what, window.first, window.last);
        if reported.contains(&mistake) || !(starts_outside || ends_late) {
            continue;
        }
        reported.push(mistake);
        let span = if starts_outside { span } else { window.last_span };
        let message = format!(
            "{what} for versions {window}, but this op has versions {life}; keep within them"
        );
        diag.error(span, message);
    }
}

/// Where versions are listed, a window starts at one and ends just before one:
/// anything else is a forgotten version or a slip of the pen.
///
/// Bad: `versions = [1, 11, 13], dtypes = { 1..=11 => [..], 12.. => [..] }`.
pub(super) fn windows_meet_listed_versions(spec: &OpSpec, diag: &mut Diag) {
    let Some(listed) = &spec.versions.listed else {
        return;
    };
    let list = listed.iter().map(u32::to_string).collect::<Vec<_>>().join(", ");
    let mut reported = Vec::new();
    for (what, window) in windows(spec) {
        let edges = [(Some(window.first), window.first_span), (window.after(), window.last_span)];
        for (index, (edge, span)) in edges.into_iter().enumerate() {
            let Some(edge) = edge.filter(|edge| !listed.contains(edge)) else {
                continue;
            };
            let mistake = (what, index, window.first, window.last);
            if reported.contains(&mistake) || !spec.versions.life.contains(edge) {
                continue;
            }
            reported.push(mistake);
            let edge_name = if index == 0 { "starts at" } else { "ends before" };
            let message = format!(
                "this window {edge_name} version {edge}, which `versions` does not list; it lists {list}"
            );
            diag.error(span, message);
        }
    }
}
