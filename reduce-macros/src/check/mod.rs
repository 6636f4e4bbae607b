//! Checks: rules that hold two or more parts of a spec against each other.

mod attrs;
mod dtypes;
mod versions;

use crate::diag::Diag;
use crate::model::OpSpec;

/// Every rule, one a line.
pub(crate) fn check(spec: &OpSpec, diag: &mut Diag) {
    versions::windows_lie_within_life(spec, diag);
    versions::windows_meet_listed_versions(spec, diag);
    dtypes::each_once_per_version(spec, diag);
    dtypes::one_compute_type_each(spec, diag);
    dtypes::some_at_every_version(spec, diag);
    dtypes::integers_do_not_become_bool(spec, diag);
    dtypes::lanes_are_a_power_of_two(spec, diag);
    dtypes::ordered_has_one_lane(spec, diag);
    attrs::each_once_per_version(spec, diag);
    attrs::default_is_of_its_kind(spec, diag);
    attrs::default_is_in_range(spec, diag);
    attrs::range_belongs_to_a_number(spec, diag);
    attrs::shared_names_keep_their_kind(spec, diag);
    attrs::one_kind_per_parameter(spec, diag);
    attrs::noop_needs_axes(spec, diag);
    attrs::axis_or_axes(spec, diag);
}
