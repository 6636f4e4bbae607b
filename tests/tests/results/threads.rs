//! Threads: results have the same bits whoever helps, and help is asked for.

use std::collections::BTreeSet;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

use rayon::ThreadPool;
use reduce_core::bounds::Reduces;
use reduce_core::{
    AnyTensor, Axes, DType, Element, Num, OpSpec, Progress, ReduceOp, Reduction, Threads, f16,
    reduce_op,
};
use reduce_specs::{
    ArgMax, ArgMin, ONNX, ReduceL1, ReduceL2, ReduceLogSum, ReduceLogSumExp, ReduceMax, ReduceMean,
    ReduceMin, ReduceProd, ReduceSum, ReduceSumSquare,
};
use reduce_tests::cases::{Random, Recipe, Request, Row, pool, same_bits, spelled};

/// Layouts that are split: all have more than 2^17 elements. Lists and few long
/// rows are split into blocks, the others into results.
fn layouts() -> Vec<(Recipe, &'static [usize])> {
    let of = Recipe::of;
    vec![
        (of(&[300_001]), &[0]),
        (of(&[600_000]).slice(0, 0..600_000, -2), &[0]),
        (of(&[3, 100_003]), &[1]),
        (of(&[40_000, 7]), &[1]),
        (of(&[5, 1300, 40]), &[0, 2]),
        (of(&[41, 5, 1100]), &[0, 2]),
        (of(&[9, 21, 1100]), &[0, 2]),
        (of(&[60_001, 5]), &[0]),
        (of(&[2, 30_000, 7]), &[1]),
        (of(&[140, 2100]), &[0]),
        (of(&[9, 1500, 20]), &[1]),
        (of(&[70, 80, 60]).permute(&[2, 1, 0]), &[1]),
        (of(&[100, 4000]).slice(1, 0..4000, 2), &[0]),
        (of(&[3000, 100]).slice(1, 0..100, 2), &[0]),
        (of(&[7, 600, 90]).slice(2, 3..80, 1), &[0, 1, 2]),
        (of(&[1]).broadcast(&[20_000, 10]), &[1]),
        (of(&[401, 1, 399]).permute(&[2, 1, 0]), &[1]),
    ]
}

/// Numbers whose products stay in range, with equals among the largest and the
/// smallest.
fn numbers(count: usize) -> Vec<f64> {
    let mut random = Random::new(count as u64);
    let number = |index: usize| match (index % 7919, index % 6007) {
        (5000, _) => 1.25,
        (_, 5000) => 0.75,
        _ => random.between(0.98, 1.02),
    };
    (0..count).map(number).collect()
}

/// One thread, then several pools, theirs and the one around.
fn compare<Op, T, O>(pools: &[Arc<ThreadPool>], from: impl Fn(f64) -> T)
where
    Op: Reduces<T, Output = O> + Clone + Sync,
    T: Element,
    O: Element,
{
    for (recipe, axes) in layouts() {
        let values: Vec<T> = numbers(recipe.count()).into_iter().map(&from).collect();
        let view = recipe.view(&values);
        assert!(view.shape().count() > 1 << 17, "{recipe:?} is not split");
        let axes = Axes::of(&spelled(axes, view.shape().rank()));
        let reduction = Reduction::new(Op::default()).axes(axes);
        let run = |threads: Threads| -> AnyTensor {
            reduction.clone().threads(threads).run(&view).expect("elements").into()
        };
        let alone = run(Threads::One);
        let same = |helped: &AnyTensor, pool: &ThreadPool| {
            same_bits(&alone, helped).unwrap_or_else(|error| {
                let threads = pool.current_num_threads();
                panic!("{} of {} {recipe:?}, {threads} threads: {error}", Op::SCHEMA.name, T::DTYPE)
            });
        };
        for pool in pools {
            same(&run(Threads::Pool(Arc::clone(pool))), pool);
        }
        let pool = pools.last().expect("a pool");
        same(&pool.install(|| run(Threads::Shared)), pool);
    }
}

#[test]
#[allow(clippy::cast_possible_truncation, reason = "rounded to the type")]
fn same_bits_whoever_helps() {
    let pools = [1, 2, 3, 5, 8].map(pool);
    let mut covered = Vec::new();
    macro_rules! every {
        ($($op:ident),*) => {
            $(compare::<$op, f32, _>(&pools, |x| x as f32);)*
            covered.extend([$($op::SCHEMA.name),*]);
        };
    }
    every!(ReduceSum, ReduceMean, ReduceProd, ReduceL1, ReduceL2, ReduceSumSquare, ReduceLogSum);
    every!(ReduceLogSumExp, ReduceMax, ReduceMin, ArgMax, ArgMin);
    for entry in ONNX.ops() {
        let name = entry.schema().name;
        assert!(covered.contains(&name), "add {name} to the list of this test");
    }
    compare::<ReduceSum, f64, _>(&pools, |x| x);
    compare::<ReduceSum, i64, _>(&pools, |x| (x * 1e18) as i64);
    compare::<ReduceSum, f16, _>(&pools, f16::from_f64);
    compare::<ReduceMax, bool, _>(&pools, |x| x > 1.0);
}

/// Much longer lists, of an odd length and of whole blocks: more tasks, uneven
/// ones too.
#[test]
fn long_lists_are_the_same() {
    let pools = [2, 3, 5, 8].map(pool);
    for count in [1_000_003, 1 << 20, (1 << 20) + 2048 * 3] {
        let values = numbers(count);
        let view = reduce_core::View::new(&values, &[count]).expect("a list");
        let run = |threads| Reduction::new(ReduceSum).threads(threads).run(&view).expect("a sum");
        let alone = run(Threads::One).data()[0].to_bits();
        for pool in &pools {
            assert_eq!(run(Threads::Pool(Arc::clone(pool))).data()[0].to_bits(), alone, "{count}");
        }
    }
}

/// A reduction that is watched is cut into more pieces, also on one thread: the same bits,
/// and in the end every element is counted.
#[test]
#[allow(clippy::cast_possible_truncation, reason = "rounded to the type")]
fn progress_changes_nothing() {
    let pool = pool(3);
    let mut all = layouts();
    all.push((Recipe::of(&[(1 << 24) + 77]), &[0]));
    all.push((Recipe::of(&[9, 1_000_003]), &[1]));
    for (recipe, axes) in all {
        let values: Vec<f32> = numbers(recipe.count()).into_iter().map(|x| x as f32).collect();
        let view = recipe.view(&values);
        let axes = Axes::of(&spelled(axes, view.shape().rank()));
        let reduction = Reduction::new(ReduceSum).axes(axes);
        let alone =
            AnyTensor::from(reduction.clone().threads(Threads::One).run(&view).expect("elements"));
        for threads in [Threads::One, Threads::Pool(Arc::clone(&pool))] {
            let progress = Progress::default();
            let watched = reduction.clone().threads(threads).progress(&progress);
            let found = watched.run(&view).expect("elements").into();
            same_bits(&alone, &found).unwrap_or_else(|error| panic!("{recipe:?}: {error}"));
            assert_eq!(progress.elements(), view.shape().count() as u64, "{recipe:?}");
        }
    }
}

/// Calls use the pool that they are made in.
#[test]
fn calls_are_the_same_in_any_pool() {
    let pools = [1, 3, 8].map(pool);
    let recipe = Recipe::of(&[50, 70, 60]);
    for row in reduce_tests::cases::rows().iter().filter(|row| row.dtype == DType::I32) {
        let Row { entry, dtype, .. } = *row;
        let values = reduce_tests::cases::ordinary(row.op, row.ty, recipe.count(), 1);
        let data = reduce_tests::cases::tensor(dtype, &values, &[50, 70, 60]);
        let request = Request { axes: Some(&[1]), ..Request::default() };
        let call = request.prepare(entry, row.newest(), dtype).expect("valid");
        let [first, others @ ..] = pools
            .each_ref()
            .map(|pool| pool.install(|| request.run(&call, &data.view()).expect("elements")));
        for other in others {
            same_bits(&first, &other).unwrap_or_else(|error| panic!("{}: {error}", row.name()));
        }
    }
}

/// A sum whose first elements wait for one another: they only meet if several
/// threads are at work.
#[derive(Clone, Copy, Debug, Default)]
struct Meeting;

/// The workers of a pool that were seen, and how many to wait for.
struct Seen {
    workers: BTreeSet<Option<usize>>,
    awaited: usize,
}

static SEEN: Mutex<Seen> = Mutex::new(Seen { workers: BTreeSet::new(), awaited: 1 });
static ARRIVED: Condvar = Condvar::new();

/// Notes the thread, which waits for others, but not for ever: on a busy machine, a caller that did
/// not would be done before a worker wakes.
fn arrive() {
    let worker = rayon::current_thread_index();
    let mut seen = SEEN.lock().unwrap_or_else(PoisonError::into_inner);
    if seen.workers.insert(worker) {
        ARRIVED.notify_all();
    }
    let end = Instant::now() + Duration::from_secs(20);
    while seen.workers.len() < seen.awaited {
        let left = end.saturating_duration_since(Instant::now());
        if left.is_zero() {
            seen.awaited = 1;
        }
        seen = ARRIVED.wait_timeout(seen, left).unwrap_or_else(PoisonError::into_inner).0;
    }
}

/// The sum.
#[reduce_op(dtypes = [f32])]
impl<A: Num> ReduceOp<A> for Meeting {
    type Acc = A;
    type Output = A;

    fn identity(&self) -> A {
        A::ZERO
    }

    fn map(&self, x: A) -> A {
        arrive();
        x
    }

    fn combine(&self, a: A, b: A) -> A {
        a + b
    }

    fn finalize(&self, sum: A, _count: usize) -> A {
        sum
    }
}

/// The workers that met in a reduction; `None` is a thread outside all pools.
fn meet(
    recipe: &Recipe,
    axes: &[usize],
    threads: Threads,
    awaited: usize,
) -> BTreeSet<Option<usize>> {
    *SEEN.lock().unwrap_or_else(PoisonError::into_inner) =
        Seen { workers: BTreeSet::new(), awaited };
    let values = vec![1.0f32; recipe.count()];
    let view = recipe.view(&values);
    let axes = Axes::of(&spelled(axes, view.shape().rank()));
    let sums = Reduction::new(Meeting).axes(axes).threads(threads).run(&view).expect("a sum");
    let results = sums.data().iter().map(|&sum| f64::from(sum)).sum::<f64>();
    assert_eq!(
        results.to_bits(),
        f64::from(u32::try_from(view.shape().count()).expect("small")).to_bits()
    );
    let seen = SEEN.lock().unwrap_or_else(PoisonError::into_inner);
    seen.workers.clone()
}

/// Where the system starts no thread, the caller does all of the work. The test runs once more in a process of its own,
/// and asks there for a stack that is too large for any thread.
#[cfg(target_pointer_width = "64")]
#[test]
#[cfg_attr(miri, ignore = "starts a process")]
fn without_threads_the_caller_does_the_work() {
    const NAME: &str = "threads::without_threads_the_caller_does_the_work";
    const AGAIN: &str = "REDUCE_TESTS_WITHOUT_THREADS";
    if std::env::var_os(AGAIN).is_none() {
        let program = std::env::current_exe().expect("a program");
        let output = std::process::Command::new(program)
            .args(["--exact", NAME, "--test-threads=1"])
            .env(AGAIN, "1")
            .env("RUST_MIN_STACK", (1u64 << 62).to_string())
            .output()
            .expect("it starts");
        let text = [output.stdout, output.stderr].concat();
        let text = String::from_utf8_lossy(&text);
        assert!(output.status.success() && text.contains("1 passed"), "{text}");
        return;
    }
    assert!(std::thread::Builder::new().spawn(|| ()).is_err(), "a thread was started");
    let values: Vec<f32> = (0u16..300).cycle().take(300_001).map(f32::from).collect();
    let view = Recipe::of(&[300_001]);
    let view = view.view(&values);
    let alone = Reduction::new(ReduceSum).threads(Threads::One).run(&view).expect("a sum");
    for _ in 0..2 {
        let shared = Reduction::new(ReduceSum).run(&view).expect("a sum");
        assert_eq!(shared.data()[0].to_bits(), alone.data()[0].to_bits());
    }
}

/// Whatever the layout, two threads work at once, and three where there is enough work for them; the caller is among
/// them. It works alone where only one thread was asked for, or with little work.
#[test]
fn work_is_shared() {
    let outside = |workers: &BTreeSet<Option<usize>>| workers.iter().all(Option::is_none);
    let [two, three] = [2, 3].map(pool);
    for (recipe, axes) in layouts() {
        let met = meet(&recipe, axes, Threads::Pool(Arc::clone(&two)), 2);
        assert!(met.contains(&None) && met.len() == 2, "{recipe:?}: {met:?}");
        let alone = meet(&recipe, axes, Threads::One, 1);
        assert!(outside(&alone), "{recipe:?} with one thread: {alone:?}");
    }
    for list in [Recipe::of(&[300_001]), Recipe::of(&[1, 300_001]), Recipe::of(&[30_000, 10])] {
        let axes = if list.count() == 300_000 { &[1][..] } else { &[0] };
        let met = meet(&list, axes, Threads::Pool(Arc::clone(&three)), 3);
        let met = met.len();
        assert!(met == 3 || axes == [0] && met > 1, "{list:?}: {met} threads");
    }
    let met = three.install(|| meet(&Recipe::of(&[300_001]), &[0], Threads::Shared, 3));
    assert_eq!(met.iter().flatten().count(), 3, "the pool around");
    let little = meet(&Recipe::of(&[1 << 16]), &[0], Threads::Pool(two), 1);
    assert!(outside(&little), "little work: {little:?}");
}
