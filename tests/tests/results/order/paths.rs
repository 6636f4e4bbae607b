//! Float sums and products on every path, bit by bit.

use std::collections::BTreeMap;

use reduce_core::bounds::Reduces;
use reduce_core::planning::Plan;
use reduce_core::{Element, Reduction};
use reduce_specs::{ReduceProd, ReduceSum};
use reduce_tests::cases::{
    Layout, Random, Recipe, Stored, available, axes_of, path_cases, subsets,
};
use reduce_tests::oracle::Values;

use super::SumInOrder;
use super::documented::Documented;

/// A float: from `f64`, and its bits.
trait Float: Element {
    fn round(x: f64) -> Self;
    fn bits(self) -> u64;
}

impl Float for f32 {
    #[allow(clippy::cast_possible_truncation, reason = "rounded to the type")]
    fn round(x: f64) -> f32 {
        x as f32
    }

    fn bits(self) -> u64 {
        self.to_bits().into()
    }
}

impl Float for f64 {
    fn round(x: f64) -> f64 {
        x
    }

    fn bits(self) -> u64 {
        self.to_bits()
    }
}

/// Numbers whose sums and products stay in range, and round at every step.
fn numbers<A: Float>(count: usize) -> Vec<A> {
    let mut random = Random::new(count as u64 + 1);
    (0..count).map(|_| A::round(random.between(0.9, 1.1))).collect()
}

/// How many results were on a path, and how many of them another order changes.
type Counts = BTreeMap<String, (usize, usize)>;

/// Holds the result of every level against the document.
fn check<Op, A>(
    order: Documented<A>,
    view: &reduce_core::View<'_, A>,
    reduced: &[usize],
    counts: &mut Counts,
) where
    Op: Reduces<A, Output = A>,
    A: Float,
{
    let axes = axes_of(reduced, view.shape().rank());
    let reduction = || Reduction::new(Op::default()).axes(axes.clone());
    let plan: Plan = reduction().plan(view).expect("valid axes");
    if plan.count() == 0 || plan.outputs() == 0 {
        return;
    }
    let expected = order.results(view, reduced);
    // Would the order show? With another number of lanes it is another one.
    let other = Documented { lanes: order.lanes / 2, ..order };
    let other = other.results(view, reduced);
    for level in available() {
        let found = reduction().level(level).run(view).expect("elements");
        let differs = |(a, b): (&A, &A)| a.bits() != b.bits();
        let wrong = expected.iter().zip(found.data()).position(differs);
        assert_eq!(expected.len(), found.data().len());
        assert!(
            wrong.is_none(),
            "{} of {}, {:?} with strides {:?} over {reduced:?} at {level}, {plan:?}: result {wrong:?}",
            Op::SCHEMA.name,
            A::DTYPE,
            view.shape(),
            view.strides()
        );
    }
    let path = counts.entry(format!("{:?}", plan.path())).or_default();
    path.0 += expected.len();
    path.1 += expected.iter().zip(&other).filter(|(a, b)| a.bits() != b.bits()).count();
}

fn on_every_path<A: Float>(sum: Documented<A>, product: Documented<A>)
where
    ReduceSum: Reduces<A, Output = A>,
    ReduceProd: Reduces<A, Output = A>,
{
    let mut counts = Counts::new();
    for case in path_cases() {
        let buffer: Vec<A> = numbers(case.recipe.count());
        let view = case.recipe.view(&buffer);
        check::<ReduceSum, A>(sum, &view, &case.axes, &mut counts);
        check::<ReduceProd, A>(product, &view, &case.axes, &mut counts);
    }
    println!("{}: {counts:?}", A::DTYPE);
    for path in ["Elements", "Few", "Lanes", "Columns", "ShortRows", "Gather"] {
        let (results, changed) = counts.get(path).copied().unwrap_or_default();
        assert!(results > 30, "{results} results by {path}");
        let shows = ["Lanes", "Columns", "Gather"].contains(&path);
        assert!(!shows || changed > 10, "{path}: the order hardly matters: {changed} results");
    }
}

#[test]
fn every_path_combines_as_documented() {
    // An accumulator of a product is two numbers: how small it became is the other.
    on_every_path::<f32>(
        Documented { lanes: 64, scalars: 1, ordered: false, identity: 0.0, combine: |a, b| a + b },
        Documented { lanes: 32, scalars: 1, ordered: false, identity: 1.0, combine: |a, b| a * b },
    );
    on_every_path::<f64>(
        Documented { lanes: 32, scalars: 1, ordered: false, identity: 0.0, combine: |a, b| a + b },
        Documented { lanes: 16, scalars: 1, ordered: false, identity: 1.0, combine: |a, b| a * b },
    );
}

/// Every choice of axes of tensors of several ranks, in every layout.
#[test]
fn every_layout_combines_as_documented() {
    let mut counts = Counts::new();
    let lists = [2, 15, 16, 17, 64, 65, 257, 513].map(|n| vec![n]);
    let matrices = [2, 33, 257].into_iter().flat_map(|n| [vec![3, n], vec![n, 5], vec![n, 40]]);
    let others = [vec![2, 33, 3], vec![2, 1, 130], vec![3, 2, 5, 7], vec![40, 3, 50]];
    let sum = Documented {
        lanes: 64,
        scalars: 1,
        ordered: false,
        identity: 0.0f32,
        combine: |a, b| a + b,
    };
    for shape in lists.into_iter().chain(matrices).chain(others) {
        let count = shape.iter().product();
        let values: Vec<f32> = numbers(count);
        let values = Values::Floats(values.into_iter().map(f64::from).collect());
        for layout in Layout::ALL {
            let stored = Stored::new(layout, reduce_core::DType::F32, &shape, &values);
            let reduce_core::AnyView::F32(view) = stored.view() else { unreachable!("of f32") };
            for reduced in subsets(shape.len()) {
                check::<ReduceSum, f32>(sum, &view, &reduced, &mut counts);
            }
        }
    }
    println!("layouts: {counts:?}");
}

/// A sum that is not commutative, on every path and in every layout.
#[test]
fn elements_in_order_combine_as_documented() {
    let mut counts = Counts::new();
    let sum = Documented {
        lanes: 32,
        scalars: 1,
        ordered: true,
        identity: 0.0f32,
        combine: |a, b| a + b,
    };
    for case in path_cases() {
        let buffer: Vec<f32> = numbers(case.recipe.count());
        check::<SumInOrder, f32>(sum, &case.recipe.view(&buffer), &case.axes, &mut counts);
    }
    let shapes = [vec![2049], vec![40, 3, 50], vec![5, 3, 150], vec![3, 40, 700], vec![2, 9, 31]];
    for shape in shapes {
        let values: Vec<f32> = numbers(shape.iter().product());
        let values = Values::Floats(values.into_iter().map(f64::from).collect());
        for layout in Layout::ALL {
            let stored = Stored::new(layout, reduce_core::DType::F32, &shape, &values);
            let reduce_core::AnyView::F32(view) = stored.view() else { unreachable!("of f32") };
            for reduced in subsets(shape.len()) {
                check::<SumInOrder, f32>(sum, &view, &reduced, &mut counts);
            }
        }
    }
    println!("in order: {counts:?}");
    for path in ["Few", "Lanes", "Columns", "ShortRows", "Gather"] {
        assert!(counts.get(path).is_some_and(|(results, _)| *results > 30), "{path}: {counts:?}");
    }
}

/// The two descriptions of one view lead to one plan: recipes have no order of
/// their own.
#[test]
fn axes_of_one_walk_are_one_axis() {
    let buffer: Vec<f32> = numbers(2 * 30 * 40);
    let as_list = Recipe::of(&[2400]);
    let as_tensor = Recipe::of(&[2, 30, 40]).permute(&[2, 0, 1]).slice(1, 0..2, -1);
    let run = |recipe: &Recipe| {
        Reduction::new(ReduceSum).run(&recipe.view(&buffer)).expect("elements").data()[0]
    };
    assert_eq!(run(&as_list).to_bits(), run(&as_tensor).to_bits());
}
