//! A number by which two processes tell whether they mean the same aggregate by a name.
//!
//! It is made of the facts that an answer and the columns of a state depend on: the operator's name, types, parameters and
//! accumulators, and the form of the result. The code of an operator is no part of it. So two operators that differ in
//! code alone have the same number.

use std::fmt::{self, Write};

use crate::aggregate::Aggregate;
use crate::operator::Operator;

/// The number of an aggregate. Defaults of parameters are left out, since they travel themselves.
pub(super) fn of(aggregate: &Aggregate) -> u64 {
    let mut text = Fnv(0xcbf2_9ce4_8422_2325);
    // Nothing that is written here fails.
    let _ = write(aggregate, &mut text);
    text.0
}

fn write(aggregate: &Aggregate, text: &mut Fnv) -> fmt::Result {
    let Aggregate { name, results, only, positions, is_exact, size, reading, .. } = aggregate;
    write!(text, "{name} {results:?} {only:?} {positions:?} {is_exact} {size:?} {reading:?} ")?;
    write!(text, "{} {} ", aggregate.is_null_undefined, aggregate.is_uncounted)?;
    for (size, operator) in &aggregate.members {
        write!(text, "{size} ")?;
        write_operator(operator, text)?;
    }
    Ok(())
}

fn write_operator(operator: &Operator, text: &mut Fnv) -> fmt::Result {
    let schema = operator.schema;
    let (newest, nan) = (operator.version(), schema.nan);
    write!(text, "{} {newest} {nan:?} {} ", schema.name, schema.commutative)?;
    for facts in schema.dtypes.iter().filter(|facts| facts.window.contains(newest)) {
        let (input, compute, output) = (facts.input, facts.compute, facts.output);
        write!(
            text,
            "{input:?} {compute} {output:?} {:?} {:?} ",
            facts.length.fixed(),
            facts.empty
        )?;
    }
    for parameter in &operator.parameters {
        let (name, kind, range) = (parameter.name, parameter.kind, parameter.range);
        write!(text, "{name} {kind:?} {:?} {range:?} ", parameter.default)?;
    }
    for row in &operator.rows {
        let signature = operator.groups(schema.name, &[], row).map(|groups| groups.signature());
        write!(text, "{row:?} {:?} ", signature.ok().map(|signature| signature.hash()))?;
    }
    Ok(())
}

/// The hash of Fowler, Noll and Vo of some text (FNV-1a). It is the same for every compiler and machine.
struct Fnv(u64);

impl Write for Fnv {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for byte in text.bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_have_the_numbers_that_were_published() {
        for (text, number) in [("", 0xcbf2_9ce4_8422_2325), ("foobar", 0x8594_4171_f739_67e8)] {
            let mut fnv = Fnv(0xcbf2_9ce4_8422_2325);
            fnv.write_str(text).expect("nothing fails");
            assert_eq!(fnv.0, number, "{text}");
        }
    }
}
