//! Accumulators and results that are arrays, of a length that is written or a parameter of the
//! operator.

use reduce_core::nodes::{Dim, Node, OpEntry, PartialShape};
use reduce_core::{
    Accumulator, DType, Level, Num, Ordered, ReduceOp, Reduction, Shape, Stream, Threads, View,
    reduce_op,
};
use reduce_specs::ReduceMax;

/// The sums of elements whose position, counted by the operator itself, is not asked for: of the
/// elements, of their doubles, and so on, `N` times.
#[derive(Clone, Copy, Debug, Default)]
struct Multiples<const N: usize>;

/// A sum and a count, side by side.
#[derive(Clone, Copy, Debug, PartialEq, Accumulator)]
struct Counted<A, const N: usize> {
    sums: [A; N],
    extremes: [(A, A); 1],
    count: u64,
}

/// The sums of multiples, the least and the greatest element, and how many there are.
#[reduce_op(dtypes = [i32 => i64, f32 => f64], output = (i64, i64, u64))]
impl<A: Num + Ordered, const N: usize> ReduceOp<A> for Multiples<N> {
    type Acc = Counted<A, N>;
    type Output = ([A; N], [A; 2], u64);

    fn identity(&self) -> Counted<A, N> {
        Counted { sums: [A::ZERO; N], extremes: [(A::HIGHEST, A::LOWEST)], count: 0 }
    }

    fn map(&self, x: A) -> Counted<A, N> {
        let mut sums = [x; N];
        for place in 1..N {
            sums[place] = sums[place - 1] + x;
        }
        Counted { sums, extremes: [(x, x)], count: 1 }
    }

    fn combine(&self, a: Counted<A, N>, b: Counted<A, N>) -> Counted<A, N> {
        let mut sums = a.sums;
        for place in 0..N {
            sums[place] = sums[place] + b.sums[place];
        }
        let ([(least, greatest)], [(other, another)]) = (a.extremes, b.extremes);
        let extremes = [(least.minimum(other), greatest.maximum(another))];
        Counted { sums, extremes, count: a.count + b.count }
    }

    fn finalize(&self, acc: Counted<A, N>, _count: usize) -> ([A; N], [A; 2], u64) {
        let [(least, greatest)] = acc.extremes;
        (acc.sums, [least, greatest], acc.count)
    }
}

/// How many elements have each remainder.
#[derive(Clone, Copy, Debug, Default)]
struct Remainders;

#[reduce_op(dtypes = [u8 => i64], output = u64, attrs = [axis: int = 0, keepdims: bool = true])]
impl<A: Num> ReduceOp<A> for Remainders
where
    u8: reduce_core::bounds::Store<A>,
{
    type Acc = [u64; 4];
    type Output = [u64; 4];

    fn identity(&self) -> [u64; 4] {
        [0; 4]
    }

    fn map(&self, x: A) -> [u64; 4] {
        let mut counts = [0; 4];
        self.push_into(&mut counts, x);
        counts
    }

    fn push_into(&self, counts: &mut [u64; 4], x: A) {
        let x: u8 = reduce_core::bounds::Store::store(x);
        counts[usize::from(x % 4)] += 1;
    }

    fn combine(&self, a: [u64; 4], b: [u64; 4]) -> [u64; 4] {
        std::array::from_fn(|place| a[place] + b[place])
    }

    fn finalize(&self, counts: [u64; 4], _count: usize) -> [u64; 4] {
        counts
    }
}

fn remainders(values: impl Iterator<Item = u8>) -> [u64; 4] {
    let mut counts = [0; 4];
    values.for_each(|x| counts[usize::from(x % 4)] += 1);
    counts
}

#[test]
fn arrays_lie_along_a_last_axis() {
    let data = crate::numbers(300 * 70);
    let view = View::new(&data, &[300, 70]).expect("its shape");
    for level in Level::available() {
        for keepdims in [false, true] {
            let reduction = Reduction::new(Multiples::<3>).axes([0]).level(level);
            let found = reduction.keepdims(keepdims).run(&view).expect("valid");
            let (sums, extremes, counts) = found;
            let before: &[usize] = if keepdims { &[1, 70] } else { &[70] };
            assert_eq!(sums.shape().dims(), [before, &[3]].concat());
            assert_eq!(extremes.shape().dims(), [before, &[2]].concat());
            assert_eq!(counts.data(), [300; 70]);
            for column in 0..70 {
                let values = || data.iter().skip(column).step_by(70).map(|&x| i64::from(x));
                let sum: i64 = values().sum();
                assert_eq!(sums.data()[3 * column..][..3], [sum, 2 * sum, 3 * sum]);
                let expected = [values().min(), values().max()].map(|x| x.expect("elements"));
                assert_eq!(extremes.data()[2 * column..][..2], expected);
            }
        }
    }
}

#[test]
fn arrays_go_into_buffers_of_all_their_elements() {
    let data: Vec<u8> = (0..=255).collect();
    let view = View::new(&data, &[2, 128]).expect("its shape");
    let rows = Reduction::new(Remainders).axes([1]);
    let mut counts = [7u64; 8];
    rows.run_into(&view, &mut counts).expect("as long");
    assert_eq!(counts, [32; 8]);
    let mut short = [7u64; 2];
    let message = rows.run_into(&view, &mut short).expect_err("too short").to_string();
    assert!(message.contains('8') && message.contains('2'), "{message}");
    assert_eq!(short, [7; 2]);
    rows.planned(&view).expect("valid").run_into(&view, &mut counts).expect("as long");
    assert_eq!(counts, [32; 8]);
}

/// Elements of every layout are pushed in place: along and across results, packed, and with
/// incomplete steps.
#[test]
fn elements_are_pushed_in_place_on_every_path() {
    let data: Vec<u8> = (0..90_000u32).map(|x| (x * 31 % 251).to_le_bytes()[0]).collect();
    for (rows, columns) in [(3, 30_000), (30_000, 3), (300, 300), (5000, 18), (18, 5000), (9, 9)] {
        let data = &data[..rows * columns];
        let view = View::new(data, &[rows, columns]).expect("its shape");
        for level in Level::available() {
            let reduction = || Reduction::new(Remainders).level(level);
            let found = reduction().axes([1]).run(&view).expect("valid");
            let of_rows = data.chunks(columns).flat_map(|row| remainders(row.iter().copied()));
            assert!(found.data().iter().copied().eq(of_rows), "rows of {rows} x {columns}");
            let found = reduction().axes([0]).run(&view).expect("valid");
            let column = |column| remainders(data.iter().copied().skip(column).step_by(columns));
            let of_columns = (0..columns).flat_map(column);
            assert!(found.data().iter().copied().eq(of_columns), "columns of {rows} x {columns}");
            // Packed: every second element.
            let half = view.slice(1, 0, columns, 2).expect("within");
            let found = reduction().run(&half).expect("valid");
            let every_second = |row: &[u8]| row.iter().copied().step_by(2).collect::<Vec<_>>();
            let every_second = data.chunks(columns).flat_map(every_second);
            assert_eq!(found.data(), remainders(every_second), "{rows} x {columns}");
        }
    }
}

#[test]
fn arrays_in_tuples_streams_and_threads() {
    let data: Vec<u8> = (0..400_000u32).map(|x| (x * 7 % 253).to_le_bytes()[0]).collect();
    let view = View::new(&data, &[data.len()]).expect("its shape");
    let expected = remainders(data.iter().copied());
    for threads in [Threads::One, Threads::default()] {
        let both = Reduction::new((Remainders, ReduceMax)).threads(threads);
        let (counts, max) = both.run(&view).expect("valid");
        assert_eq!((counts.data(), max.data()), (&expected[..], &[252][..]));
    }
    let mut stream = Stream::new(Remainders);
    for piece in data.chunks(99_999) {
        stream.update(&View::new(piece, &[piece.len()]).expect("its shape")).expect("valid");
    }
    assert_eq!(stream.finish().expect("elements").data(), expected);
    let started = Reduction::new(Remainders).initial(3u8).run(&view).expect("valid");
    assert_eq!(started.data()[3], expected[3] + 1);
}

#[test]
fn a_registry_knows_the_last_axis() {
    static OP: OpEntry = OpEntry::of::<Remainders>();
    assert_eq!(OP.schema().name, "Remainders");
    let call = OP.prepare(&Node::new(1, DType::U8).attr("axis", 1)).expect("valid");
    let shape = Shape::new(&[2, 5]).expect("small");
    assert_eq!(call.output_shape(&shape).expect("valid").dims(), [2, 1, 4]);
    let batch = PartialShape::new([Dim::Named("batch".into()), Dim::Unknown]);
    assert_eq!(call.infer(&batch).expect("valid").to_string(), "[batch, 1, 4]");
    assert_eq!(call.infer(&PartialShape::unknown()).expect("valid"), PartialShape::unknown());
    let data = [1u8, 2, 3, 4, 5, 4, 4, 4, 4, 7];
    let found = call.run(&View::new(&data, &[2, 5]).expect("its shape").into()).expect("valid");
    let found = found.downcast::<u64>().expect("counts");
    assert_eq!(
        (found.shape().dims(), found.data()),
        (&[2, 1, 4][..], &[1, 2, 1, 1, 4, 0, 0, 1][..])
    );
}

#[test]
fn the_shape_of_an_array_result_has_one_more_axis() {
    let shape = Shape::new(&[2, 5]).expect("a matrix");
    let rows = Reduction::new(Remainders).axes([1]).keepdims(true);
    assert_eq!(rows.output_shape(&shape).expect("an axis").dims(), [2, 1, 4]);
    let both = Reduction::new((Remainders, Remainders)).axes([1]);
    assert_eq!(both.output_shape(&shape).expect("an axis").dims(), [2, 4]);
    let data = [1u8; 10];
    let view = View::new(&data, &[2, 5]).expect("a matrix");
    let found = rows.run(&view).expect("counts");
    assert_eq!(rows.planned(&view).expect("a plan").output_shape(), found.shape());
    assert_eq!(rows.output_shape(view.shape()).expect("an axis"), *found.shape());
}
