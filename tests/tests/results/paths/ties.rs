//! Ties of `ArgMax` and `ArgMin` on every path, over several axes too, which the
//! standard does not have: in different lanes, strands and blocks.

use reduce_core::bounds::Reduces;
use reduce_core::{AnyView, Axes, DType, Reduction};
use reduce_specs::{ArgMax, ArgMin};
use reduce_tests::cases::{Levels, Random, available, found, spelled, type_of};
use reduce_tests::compare;
use reduce_tests::oracle::{Op, Type, Values};

use super::layouts::{Layout, layouts};

const TYPES: [DType; 6] = [DType::F32, DType::F64, DType::F16, DType::BF16, DType::U8, DType::I64];

/// So many values, each of a few in turn or at random.
fn some_of(values: &Values, count: usize, seed: u64) -> Values {
    let mut random = Random::new(seed);
    let mut next = || usize::try_from(random.bits() % values.len() as u64).expect("small");
    values.select((0..count).map(|_| next()).collect::<Vec<_>>())
}

/// All equal, at the limits too; zeros of both signs; NaN and others.
fn crowds(ty: Type, count: usize, seed: u64) -> Vec<Values> {
    let (inf, nan) = (f64::INFINITY, f64::NAN);
    let lists: Vec<Values> = match ty {
        Type::Float { .. } => {
            let lists: [&[f64]; 8] = [
                &[1.5],
                &[-inf],
                &[inf],
                &[nan],
                &[-0.0, 0.0],
                &[inf, -inf],
                &[-inf, -inf, nan],
                &[1.0, 2.0],
            ];
            lists.map(|list| Values::Floats(list.to_vec())).to_vec()
        }
        Type::Int { .. } => {
            let (low, high) = ty.limits();
            let lists: [&[i128]; 4] = [&[1], &[low], &[high], &[low, high]];
            lists.map(|list| Values::Ints(list.to_vec())).to_vec()
        }
    };
    lists.iter().map(|list| some_of(list, count, seed)).collect()
}

/// Two of the elements of each result are better than all the others, for `ArgMax`
/// or for `ArgMin`, and equal.
fn pairs(ty: Type, layout: &Layout, largest: bool, seed: u64) -> Values {
    let mut random = Random::new(seed);
    let mut places = Vec::new();
    for set in &layout.sets {
        let mut one = || set[usize::try_from(random.bits() % set.len() as u64).expect("small")];
        places.extend([one(), one()]);
    }
    let count = layout.case.recipe.count();
    let sign = if largest { 1 } else { -1 };
    match ty {
        Type::Float { .. } => {
            let sign = f64::from(sign);
            // As bad as the identity: it must not win over any.
            let mut values = vec![-sign * f64::INFINITY; count];
            places.iter().for_each(|&place| values[place] = sign);
            Values::Floats(values)
        }
        Type::Int { .. } => {
            let (low, high) = ty.limits();
            let (best, worst) = if largest { (low + 1, low) } else { (high - 1, high) };
            let mut values = vec![worst; count];
            places.iter().for_each(|&place| values[place] = best);
            Values::Ints(values)
        }
    }
}

/// The result of every level, for elements with these values.
fn check<T: reduce_core::OpSpec + Clone>(
    reduction: &Reduction<T>,
    op: Op,
    dtype: DType,
    layout: &Layout,
    values: &Values,
) {
    let Layout { case, walk, .. } = layout;
    let buffer = walk.buffer(dtype, values);
    let view: AnyView<'_> = case.recipe.any_view(&buffer);
    let expected = layout.expected(op, type_of(dtype), values).expect("elements");
    for level in available() {
        let result = reduction.clone().level(level).run_any(&view).expect("valid");
        compare::check(&expected, &found(&result)).unwrap_or_else(|error| {
            panic!("{op:?} of {dtype}, {case:?} at {level}: {error}");
        });
    }
}

fn ties<T>(operator: impl Fn(bool) -> T, op: impl Fn(bool) -> Op, largest: bool) -> usize
where
    T: Reduces<f32> + Clone,
{
    let mut runs = 0;
    for (seed, layout) in (0..).zip(layouts().iter().filter(|layout| layout.has_elements())) {
        let axes = spelled(&layout.case.axes, layout.walk.shape.len());
        let count = layout.case.recipe.count();
        // Each kind of values and each type is met often enough.
        let types = TYPES.into_iter().enumerate().filter(|(index, dtype)| {
            layout.small() || *dtype == DType::F32 || seed % 3 == *index as u64 % 3
        });
        for (_, dtype) in types {
            let ty = type_of(dtype);
            let mut all = crowds(ty, count, seed);
            let tries = if layout.small() { 6 } else { 2 };
            all.extend((0..tries).map(|more| pairs(ty, layout, largest, seed + 1000 * more)));
            for (index, values) in all.iter().enumerate() {
                let lasts: &[bool] = match (layout.small(), index % 2 == 0) {
                    (true, _) => &[false, true],
                    (false, even) => {
                        if even == (seed % 2 == 0) {
                            &[true]
                        } else {
                            &[false]
                        }
                    }
                };
                for &last in lasts {
                    let reduction = Reduction::new(operator(last)).axes(Axes::of(&axes));
                    check(&reduction, op(last), dtype, layout, values);
                    runs += 1;
                }
            }
        }
    }
    runs
}

#[test]
fn ties_of_the_largest() {
    let levels = Levels::new("ties of ArgMax");
    let operator = |select_last_index| ArgMax { select_last_index };
    let runs = ties(operator, |last| Op::ArgMax { last }, true);
    available().into_iter().for_each(|level| levels.ran(level, runs));
    levels.finish();
}

#[test]
fn ties_of_the_smallest() {
    let levels = Levels::new("ties of ArgMin");
    let operator = |select_last_index| ArgMin { select_last_index };
    let runs = ties(operator, |last| Op::ArgMin { last }, false);
    available().into_iter().for_each(|level| levels.ran(level, runs));
    levels.finish();
}
