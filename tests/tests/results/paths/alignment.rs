//! Places of buffers in memory. Lanes along a result are shifted so that vectors begin with lines
//! of the cache: by another number for each place of the first element.

use reduce_core::{Indexed, Level, Ordered, ReduceOp, Reduction, View, reduce_op};
use reduce_specs::{ArgMax, ReduceMax, ReduceMean, ReduceMin, ReduceSum};
use reduce_tests::cases::{Levels, Random, available};

/// Elements of a block of a selection of `f32`.
const BLOCK: usize = 4 * 64 * 64;

/// Buffers begin this many elements behind a line of the cache, or behind where the allocator put them.
const OFFSETS: [usize; 5] = [0, 1, 4, 7, 15];

/// Of two largest elements of each of some rows, each is found, wherever they are.
fn check_rows(levels: &Levels, rows: usize, count: usize, places: &[usize]) {
    let mut buffer = vec![0f32; OFFSETS[OFFSETS.len() - 1] + rows * count];
    let pairs = places.iter().flat_map(|first| places.iter().map(move |last| (*first, *last)));
    for (first, last) in pairs.filter(|(first, last)| first <= last && *last < count) {
        for offset in OFFSETS {
            buffer.fill(0.0);
            let elements = &mut buffer[offset..offset + rows * count];
            for row in elements.chunks_exact_mut(count) {
                (row[first], row[last]) = (1.0, 1.0);
            }
            let view = View::new(elements, &[rows, count]).expect("rows");
            for level in available() {
                for (select_last_index, expected) in [(false, first), (true, last)] {
                    let largest = Reduction::new(ArgMax { select_last_index }).axes([1]);
                    let found = largest.level(level).run(&view).expect("positions");
                    let expected = vec![i64::try_from(expected).expect("small"); rows];
                    assert_eq!(
                        found.data(),
                        expected,
                        "{first} and {last} of {rows} rows of {count} at {level}"
                    );
                    levels.ran(level, 1);
                }
            }
        }
    }
}

#[test]
fn the_place_of_a_list_does_not_matter() {
    let levels = Levels::new("places of lists");
    for rest in [1, 3, 15, 16, 17, 63, 64, 65, 127, 130] {
        let count = BLOCK + rest;
        let places = [0, 1, 13, 63, 64, BLOCK - 65, BLOCK - 1, BLOCK, count - 2, count - 1];
        check_rows(&levels, 1, count, &places);
    }
    levels.finish();
}

/// One alone, some that are searched one after the other, and some abreast.
#[test]
fn the_place_of_rows_of_one_block_does_not_matter() {
    let levels = Levels::new("places of rows");
    for rows in [1, 3, 9, 17] {
        for count in [513, 576, 600, 700, 1024, 1027] {
            let places = [0, 1, 48, 63, 64, 511, 512, count - 65, count - 2, count - 1];
            check_rows(&levels, rows, count, &places);
        }
    }
    levels.finish();
}

/// The largest element, the first of several, and its place; NaN is larger than all others.
#[derive(Clone, Copy, Debug, Default)]
struct Peak;

#[reduce_op(dtypes = [f32], empty = error)]
impl<A: Ordered> ReduceOp<Indexed<A>> for Peak {
    type Acc = Indexed<A>;
    type Output = (A, i64);

    fn identity(&self) -> Indexed<A> {
        Indexed { value: A::LOWEST, index: u64::MAX }
    }

    fn map(&self, x: Indexed<A>) -> Indexed<A> {
        x
    }

    fn combine(&self, a: Indexed<A>, b: Indexed<A>) -> Indexed<A> {
        let is_better = |x: A, y: A| (x > y) | (x.is_nan() & !y.is_nan());
        let is_first = b.index < a.index;
        let is_b = is_better(b.value, a.value) | (is_first & !is_better(a.value, b.value));
        if is_b { b } else { a }
    }

    fn finalize(&self, peak: Indexed<A>, _count: usize) -> (A, i64) {
        (peak.value, peak.index.cast_signed())
    }
}

/// Zeros of both signs are equal: the value is that of the one which is found.
#[test]
fn the_value_is_that_of_the_place() {
    let levels = Levels::new("values at places");
    for (rows, count) in [(1, BLOCK + 70), (1, 1000), (9, 1000), (9, 200), (40, 9)] {
        for zeros in [[0.0, -0.0], [-0.0, 0.0]] {
            let mut buffer = vec![-1f32; OFFSETS[OFFSETS.len() - 1] + rows * count];
            for offset in OFFSETS {
                buffer.fill(-1.0);
                let elements = &mut buffer[offset..offset + rows * count];
                for (number, row) in elements.chunks_exact_mut(count).enumerate() {
                    let first = number % (count - 1);
                    (row[first], row[count - 1]) = (zeros[0], zeros[1]);
                }
                let view = View::new(elements, &[rows, count]).expect("rows");
                for level in available() {
                    let peaks = Reduction::new(Peak).axes([1]).level(level).run(&view);
                    let (values, places) = peaks.expect("elements");
                    for (row, (value, place)) in values.data().iter().zip(places.data()).enumerate()
                    {
                        let first = i64::try_from(row % (count - 1)).expect("small");
                        let found = (value.to_bits(), *place);
                        assert_eq!(found, (zeros[0].to_bits(), first), "{rows} x {count}, {level}");
                    }
                    levels.ran(level, 1);
                }
            }
        }
    }
    levels.finish();
}

/// Values whose sum depends on the order in which they are taken. The largest are zeros of both signs.
fn values(count: usize) -> Vec<f32> {
    let mut random = Random::new(u64::try_from(count).expect("small"));
    (0..count)
        .map(|_| match random.bits() % 16 {
            0 => 0.0,
            1 => -0.0,
            _ => -f32::from(u16::try_from(random.bits() >> 48).expect("16 bits")) / 65536.0,
        })
        .collect()
}

/// Returns the bits of all results over a list: those of two tuples, and those of some members alone.
fn bits_of(list: &[f32], level: Level) -> [u64; 8] {
    let view = View::new(list, &[list.len()]).expect("a list");
    macro_rules! of {
        ($op:expr) => {
            Reduction::new($op).level(level).run(&view).expect("elements")
        };
    }
    let (mean, largest, place) = of!((ReduceMean, ReduceMax, ArgMax::default()));
    let (sum, smallest) = of!((ReduceSum, ReduceMin));
    let values = [&mean, &largest, &sum, &smallest, &of!(ReduceSum), &of!(ReduceMax)];
    let [mean, largest, sum, smallest, alone, largest_alone] =
        values.map(|tensor| u64::from(tensor.data()[0].to_bits()));
    let [place, place_alone] =
        [place, of!(ArgMax::default())].map(|tensor| tensor.data()[0].cast_unsigned());
    [mean, largest, place, sum, smallest, alone, largest_alone, place_alone]
}

/// Of sums and largest elements, each bit; alone, and of tuples whose members take steps in turn.
#[test]
fn the_place_of_what_is_summed_does_not_matter() {
    let levels = Levels::new("places of sums");
    for count in [BLOCK + 1, BLOCK + 65, 2 * BLOCK - 17, 5 * BLOCK + 100, 16 * BLOCK] {
        let list = values(count);
        let expected = bits_of(&list, Level::Scalar);
        let mut buffer = vec![f32::MAX; OFFSETS[OFFSETS.len() - 1] + count + 1];
        for offset in OFFSETS {
            buffer.fill(f32::MAX);
            buffer[offset..offset + count].copy_from_slice(&list);
            for level in available() {
                let found = bits_of(&buffer[offset..offset + count], level);
                assert_eq!(found, expected, "{count} elements from {offset} on at {level}");
                levels.ran(level, 1);
            }
        }
    }
    levels.finish();
}
