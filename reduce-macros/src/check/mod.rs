//! Checks: rules that hold two or more parts of a spec against each other.

mod attrs;
mod dtypes;
mod slices;
mod versions;

use crate::diag::Diag;
use crate::model::OpSpec;

/// One rule.
pub(crate) struct Rule {
    #[cfg(test)]
    pub(crate) name: &'static str,
    run: fn(&OpSpec, &mut Diag),
    /// Says whether it finds that something is missing. Such a rule is skipped for a spec with a
    /// part that was not understood.
    misses: bool,
}

macro_rules! rules {
    ($($family:ident: $(!$missing:ident)* $($rule:ident)*;)*) => {
        &[$(
            $(rules!(@ $family $missing true),)*
            $(rules!(@ $family $rule false),)*
        )*]
    };
    (@ $family:ident $rule:ident $misses:literal) => {
        Rule {
            #[cfg(test)]
            name: concat!(stringify!($family), "::", stringify!($rule)),
            run: $family::$rule,
            misses: $misses,
        }
    };
}

/// Every rule; those that miss something are marked.
pub(crate) const RULES: &[Rule] = rules! {
    versions: windows_lie_within_life windows_meet_listed_versions;
    dtypes: !some_at_every_version
        each_once_per_version one_compute_type_each compute_types_hold_their_inputs
        lanes_are_a_power_of_two lanes_are_few ordered_has_one_lane;
    attrs: !noop_needs_axes
        each_once_per_version default_is_of_its_kind default_is_in_range
        range_belongs_to_a_number shared_names_keep_their_kind
        parameters_are_not_taken_for_shared_names one_kind_per_parameter axis_or_axes;
    slices: !slices_have_a_length
        slices_alone_have_a_length length_is_a_parameter lengths_begin_at_one
        slices_have_no_lanes slices_keep_the_order;
};

/// Holds some rules against a spec.
pub(crate) fn check<'r>(spec: &OpSpec, rules: impl IntoIterator<Item = &'r Rule>, diag: &mut Diag) {
    let is_whole = diag.is_clean();
    for rule in rules.into_iter().filter(|rule| is_whole || !rule.misses) {
        (rule.run)(spec, diag);
    }
}
