//! Why an operator cannot be traced.

use std::fmt;

/// Why a step of an operator has no graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Untraceable {
    pub(crate) operator: &'static str,
    pub(crate) step: &'static str,
    pub(crate) reason: Reason,
}

/// What is in the way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Reason {
    /// There are more paths of decisions; the last decision, in words.
    Paths { most: usize, decision: String },
    /// One path has more decisions.
    Decisions { most: usize, decision: String },
    /// A position or a counter became a number that is not made of others by addition.
    Place(u64),
    /// The accumulator has a field of a type that is neither the one computed in, nor a position, a counter or a flag.
    Field(&'static str),
    /// The step panicked.
    Panicked(String),
    /// The order of its decisions is not a function of its arguments.
    Unsteady,
    /// The trace computes something else than the step.
    Differs { given: String, step: String, trace: String },
}

impl fmt::Display for Untraceable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Untraceable { operator, step, reason } = self;
        write!(f, "`{step}` of {operator} cannot be traced: ")?;
        match reason {
            Reason::Paths { most, decision } => write!(
                f,
                "its decisions lead to more than {most} paths, the last one by `{decision}`; make fewer comparisons, or take \
                 `maximum` and `minimum` for them"
            ),
            Reason::Decisions { most, decision } => write!(
                f,
                "one path has more than {most} decisions, the last one `{decision}`; a loop cannot run until a value is reached, \
                 so give it a fixed number of turns"
            ),
            Reason::Place(found) => write!(
                f,
                "a position or a counter becomes {found:#x}, which is no sum of others; compute on `A`, and not on `u64`"
            ),
            Reason::Field(ty) => write!(
                f,
                "its accumulator has a field of type `{ty}`; make it `A`, or `u64` where it counts"
            ),
            Reason::Panicked(message) => {
                write!(f, "it panics with `{message}`; steps must not panic")
            }
            Reason::Unsteady => write!(
                f,
                "another call with the same arguments compares other values; a step must be a function of its arguments"
            ),
            Reason::Differs { given, step, trace } => write!(
                f,
                "of {given} the step makes {step} and its trace {trace}; let it depend on values of `A` alone, and compare positions \
                 only with one another"
            ),
        }
    }
}

impl std::error::Error for Untraceable {}
