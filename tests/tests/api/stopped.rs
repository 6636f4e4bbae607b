//! Reductions that are stopped, by hand or by a deadline: before they begin and in their midst, whatever runs them.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use reduce_core::nodes::{Node, OpEntry};
use reduce_core::planning::Layout;
use reduce_core::{
    DType, Error, Masked, Progress, Reduction, Shape, SkipNan, Stream, Threads, View,
};
use reduce_specs::{ArgMax, ONNX, ReduceL2, ReduceMean, ReduceSum};

use crate::emission::ops::{LessMin, PlusMax};

/// Four billion elements, all of them one: no test waits until they are combined.
const MANY: [usize; 2] = [1 << 12, 1 << 20];

/// A reduction that is stopped once some elements are combined. It keeps step with another one, which does not begin, so that
/// it waits after its first part until it is stopped.
fn stopped_in_the_midst<R>(run: impl FnOnce(&Progress) -> Result<R, Error>) {
    let [progress, _other] = Progress::abreast(2, 1).try_into().expect("two");
    let (progress, is_done) = (&progress, &AtomicBool::new(false));
    let error = thread::scope(|scope| {
        scope.spawn(move || {
            while progress.elements() == 0 && !is_done.load(Ordering::Relaxed) {
                thread::yield_now();
            }
            progress.stop();
        });
        let error = run(progress).err();
        is_done.store(true, Ordering::Relaxed);
        error
    });
    assert_eq!(error.expect("it is stopped").code(), "stopped");
    assert!(progress.elements() > 0);
}

fn ones<R>(shape: &[usize], then: impl FnOnce(&View<'_, f32>) -> R) -> R {
    let one = View::new(&[1.0f32], &[1]).expect("one element");
    then(&one.broadcast(shape).expect("stretches"))
}

#[test]
fn a_long_reduction_stops_in_its_midst() {
    for threads in [Threads::One, Threads::Shared] {
        for axes in [[0i64], [1]] {
            ones(&MANY, |view| {
                stopped_in_the_midst(|progress| {
                    let sum = Reduction::new(ReduceSum).axes(axes).threads(threads.clone());
                    sum.progress(progress).run(view)
                });
                stopped_in_the_midst(|progress| {
                    let norm = Reduction::new(ReduceL2).axes(axes).threads(threads.clone());
                    let norm = norm.progress(progress);
                    let planned = norm.planned(view)?;
                    planned.run_into(view, &mut vec![0.0; planned.output_shape().count()])
                });
                stopped_in_the_midst(|progress| {
                    let both = Reduction::new((ReduceMean, ReduceSum)).axes(axes);
                    both.threads(threads.clone()).progress(progress).run(view)
                });
                stopped_in_the_midst(|progress| {
                    let place = Reduction::new(SkipNan(ArgMax::default())).axes(axes);
                    place.threads(threads.clone()).progress(progress).run(view)
                });
                stopped_in_the_midst(|progress| {
                    let mask = View::new(&[true], &[1]).expect("one");
                    let sum = Reduction::new(Masked(ReduceSum)).axes(axes).progress(progress);
                    sum.threads(threads.clone()).run(&(view.clone(), mask))
                });
                stopped_in_the_midst(|progress| {
                    let node = Node::new(13, DType::F32).axes(axes);
                    let call = ONNX.prepare("ReduceSum", &node).expect("valid");
                    let call = call.threads(threads.clone()).progress(progress);
                    call.run(&view.clone().into())
                });
            });
        }
    }
}

#[test]
fn keyed_rows_stop_in_their_midst() {
    let rows = 1 << 21;
    for groups in [7, 1 << 16] {
        let keys: Vec<u32> = (0..rows).map(|row| row % groups).collect();
        ones(&[keys.len()], |view| {
            stopped_in_the_midst(|progress| {
                let sums = Reduction::new(ReduceSum).progress(progress).threads(Threads::One);
                sums.by_key(&keys, groups as usize).run(view)
            });
        });
    }
}

/// Emissions have as many results as elements. Over rows, groups are emitted one after another; over columns, all results are
/// made first.
#[test]
fn an_emission_stops_in_its_midst() {
    static PLUS_MAX: OpEntry = OpEntry::of::<PlusMax>();
    const SHAPE: [usize; 2] = [64, 1 << 17];
    let mut output = vec![0.0f32; SHAPE[0] * SHAPE[1]];
    for threads in [Threads::One, Threads::Shared] {
        for axis in [0i64, 1] {
            ones(&SHAPE, |view| {
                let plus_max = |progress: &Progress| {
                    let plus_max = Reduction::new(PlusMax).axes([axis]);
                    plus_max.threads(threads.clone()).progress(progress)
                };
                stopped_in_the_midst(|progress| plus_max(progress).emit(view));
                stopped_in_the_midst(|progress| plus_max(progress).then(LessMin).emit(view));
                stopped_in_the_midst(|progress| {
                    plus_max(progress).planned_emission(view)?.emit_into(view, &mut output)
                });
                stopped_in_the_midst(|progress| {
                    let node = Node::new(1, DType::F32).attr("axes", [axis]);
                    let call = PLUS_MAX.prepare(&node).expect("valid");
                    let call = call.threads(threads.clone()).progress(progress);
                    let planned = call.plan_emission(&[Layout::from(view)])?;
                    planned.run(&[(&[1.0f32][..]).into()], &mut (&mut output[..]).into())
                });
            });
        }
    }
}

/// What replaces elements is stopped before it begins, or not at all.
#[test]
fn an_emission_in_place_is_done_whole() {
    let shape = Shape::new(&[4, 1 << 18]).expect("fits");
    let mut elements = vec![1.0f32; shape.count()];
    let progress = Progress::default();
    let plus_max = Reduction::new(PlusMax).axes([1]).progress(&progress);
    plus_max.emit_in_place(&mut elements, &shape).expect("not stopped");
    assert!(elements.iter().all(|&element| element == 2.0));
    progress.stop();
    let stopped = plus_max.emit_in_place(&mut elements, &shape).expect_err("stopped");
    assert_eq!(stopped.code(), "stopped");
    assert!(elements.iter().all(|&element| element == 2.0));
}

#[test]
fn what_is_late_does_not_begin() {
    ones(&MANY, |view| {
        let late = Progress::default().until(Instant::now());
        let sum = Reduction::new(ReduceSum).progress(&late);
        assert_eq!(sum.run(view).expect_err("late").code(), "stopped");
        assert_eq!(late.elements(), 0);
        // A clone has the deadline of its origin.
        let soon = Progress::default().until(Instant::now() + Duration::from_millis(20)).clone();
        let began = Instant::now();
        let error = Reduction::new(ReduceSum).progress(&soon).run(view).expect_err("soon late");
        assert!(error.to_string().starts_with("the deadline passed"), "{error}");
        assert!(began.elapsed() < Duration::from_secs(20), "{:?}", began.elapsed());
    });
    let in_time = Progress::default().until(Instant::now() + Duration::from_secs(3600));
    let sum = ones(&[1 << 20], |view| Reduction::new(ReduceSum).progress(&in_time).run(view));
    assert_eq!(sum.expect("in time").data(), [1_048_576.0]);
    assert_eq!(in_time.elements(), 1 << 20);
}

/// A stream that is stopped has seen nothing of the piece, and goes on with another progress.
#[test]
fn a_stream_takes_a_piece_whole_or_not_at_all() {
    let progress = Progress::default();
    let mut stream = Stream::over(Reduction::new(ReduceSum).progress(&progress));
    ones(&[1 << 20], |view| stream.update(view)).expect("a piece");
    let before = stream.state().expect("fits");
    progress.stop();
    let stopped = ones(&[1 << 22], |view| stream.update(view));
    assert_eq!(stopped.expect_err("stopped").code(), "stopped");
    let after = stream.state().expect("fits");
    assert_eq!((&after.accumulators, after.count), (&before.accumulators, before.count));
    let mut goes_on =
        Stream::<ReduceSum, f32>::resume(Reduction::new(ReduceSum), after).expect("its state");
    ones(&[5], |view| goes_on.update(view)).expect("a piece");
    assert_eq!(goes_on.finish().expect("a sum").data(), [1_048_581.0]);
}
