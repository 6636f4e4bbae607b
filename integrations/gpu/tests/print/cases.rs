//! Operations, what Rust makes of their operands, and the comparison of both.

use reduce_gpu::graph::{Argument, Bits, Graph, Id, Operation, Steps, Type};
use reduce_gpu::print::Exactness;

use crate::device::mapped;

/// Operations on elements of some scalars, all in one kernel.
pub(crate) struct Cases {
    steps: Steps,
    names: Vec<String>,
    expected: Vec<Expected>,
}

/// What Rust makes of the scalars of an element.
type Expected = Box<dyn Fn(&[Bits]) -> Bits>;

impl Cases {
    pub(crate) fn new(element: &[Type]) -> Cases {
        Cases { steps: steps(element), names: Vec::new(), expected: Vec::new() }
    }

    /// A case, whose node is made of the scalars of the element.
    pub(crate) fn add(
        &mut self,
        name: impl Into<String>,
        ty: Type,
        node: impl FnOnce(&mut Graph, &[Id]) -> Operation,
        expected: impl Fn(&[Bits]) -> Bits + 'static,
    ) {
        let element: Vec<Id> = (0..)
            .zip(self.steps.element.clone())
            .map(|(slot, ty)| {
                self.steps.graph.add(Operation::Argument(Argument::Element, slot), ty)
            })
            .collect();
        let operation = node(&mut self.steps.graph, &element);
        let id = self.steps.graph.add(operation, ty);
        push(&mut self.steps, id, ty);
        self.names.push(name.into());
        self.expected.push(Box::new(expected));
    }

    /// Holds all cases against Rust, over each element.
    pub(crate) fn hold(&self, exactness: Exactness, elements: &[Vec<Bits>]) {
        let results = mapped(&self.steps, exactness, elements);
        let mut wrong = Vec::new();
        for (case, name) in self.names.iter().enumerate() {
            let ty = self.steps.accumulator[case];
            let differ = |(element, result): &(&Vec<Bits>, &Vec<Bits>)| {
                !same(ty, self.expected[case](element), result[case])
            };
            let differing: Vec<_> = elements.iter().zip(&results).filter(differ).collect();
            if let Some((element, result)) = differing.first() {
                wrong.push(format!(
                    "{name}: {} of {} differ, first of {element:x?}: {:x} and not {:x}",
                    differing.len(),
                    elements.len(),
                    result[case],
                    self.expected[case](element),
                ));
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }
}

/// Steps over these elements that do nothing yet.
pub(crate) fn steps(element: &[Type]) -> Steps {
    Steps {
        name: "test",
        members: 1,
        graph: Graph::default(),
        accumulator: Vec::new(),
        element: element.to_vec(),
        inputs: vec![Some(0); element.len()],
        parameters: Vec::new(),
        before: Vec::new(),
        identity: Vec::new(),
        map: Vec::new(),
        push: Vec::new(),
        combine: Vec::new(),
        finalize: Vec::new(),
        doubts: None,
        emit: None,
        selects: Vec::new(),
    }
}

/// One more scalar that `map` and `push` make of the element. What the other steps make of theirs is 0.
pub(crate) fn push(steps: &mut Steps, id: Id, ty: Type) {
    let zero = steps.graph.constant(0, ty);
    steps.accumulator.push(ty);
    for (step, id) in [
        (&mut steps.identity, zero),
        (&mut steps.map, id),
        (&mut steps.push, id),
        (&mut steps.combine, zero),
    ] {
        step.push(id);
    }
}

/// Tells whether values are the same to the last bit. All NaNs count as the same.
pub(crate) fn same(ty: Type, a: Bits, b: Bits) -> bool {
    a == b || is_nan(ty, a) && is_nan(ty, b)
}

fn is_nan(ty: Type, bits: Bits) -> bool {
    match ty {
        Type::F32 => f32::from_bits(bits as u32).is_nan(),
        Type::F64 => f64::from_bits(bits as u64).is_nan(),
        _ => false,
    }
}

/// Random numbers (xorshift).
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new() -> Random {
        Random(0x9e37_79b9_7f4a_7c15)
    }

    pub(crate) fn bits(&mut self) -> Bits {
        let mut next = || {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            Bits::from(self.0)
        };
        next() << 64 | next()
    }

    /// Any bits, in as many places as are asked for, often fewer.
    pub(crate) fn any_length(&mut self, bits: u32) -> Bits {
        let length = self.bits() as u32 % bits;
        (self.bits() & (Bits::MAX >> (128 - bits))) >> length
    }
}

/// All pairs of special values, with a third in turn, and random triples behind.
pub(crate) fn triples(
    special: &[Bits],
    random: usize,
    mut of: impl FnMut() -> Bits,
) -> Vec<Vec<Bits>> {
    let mut third = special.iter().cycle();
    let mut all = Vec::new();
    for &a in special {
        for &b in special {
            all.push(vec![a, b, *third.next().unwrap_or(&0)]);
        }
        // Another third for the same pair next time.
        third.next();
    }
    all.extend((0..random).map(|_| vec![of(), of(), of()]));
    all
}
