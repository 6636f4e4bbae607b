//! Tensors in a device's memory: inputs copied once, results in buffers of the caller, and results that stay.

use reduce_core::{Element, Reduction, Tensor, View, f16};
use reduce_gallery::{Dot, MeanVariance};
use reduce_gpu::run::DeviceError;
use reduce_gpu::{Bytes, Error, Gpu, Source};
use reduce_specs::{ArgMax, ReduceL2, ReduceMax, ReduceMean, ReduceSum};

fn gpu() -> Gpu {
    Gpu::new().expect("a device")
}

/// Fractions of both signs.
fn floats(count: u16) -> Vec<f32> {
    (0..count).map(|x| f32::from(x.wrapping_mul(40_503) % 1999) / 64.0 - 15.0).collect()
}

#[test]
fn what_was_copied_once_is_reduced_often() {
    let gpu = gpu();
    let data = floats(3 + 40 * 30);
    // Every second column, the last row first.
    let view = View::with_strides(&data, &[40, 15], &[-30, 2], 3 + 39 * 30).expect("a view");
    let uploaded = gpu.upload(&view).expect("copied");
    for axes in [vec![0], vec![1], vec![0, 1]] {
        let sums = Reduction::new(ReduceSum).axes(axes.clone());
        assert_eq!(
            gpu.prepare(sums.clone()).run(&uploaded).expect("sums"),
            sums.run(&view).expect("sums")
        );
        let both = Reduction::new(MeanVariance).axes(axes);
        assert_eq!(
            gpu.prepare(both.clone()).run(&uploaded).expect("both"),
            both.run(&view).expect("both")
        );
    }
}

#[test]
fn inputs_of_several_views_are_copied_too() {
    let gpu = gpu();
    let (x, y) = (floats(600), floats(30));
    let views = (View::new(&x, &[20, 30]).expect("a view"), View::new(&y, &[30]).expect("a view"));
    let uploaded = gpu.upload(&views).expect("copied");
    for axis in [0, 1] {
        let dots = Reduction::new(Dot).axes([axis]);
        let computed = gpu.prepare(dots.clone()).run(&uploaded).expect("dots");
        assert_eq!(computed, dots.run(&views).expect("dots"));
    }
}

#[test]
fn results_are_written_into_buffers() {
    let gpu = gpu();
    let data = floats(600);
    let view = View::new(&data, &[20, 30]).expect("a view").permute(&[1, 0]).expect("a view");
    let both = Reduction::new(MeanVariance).axes([0]);
    let (means, variances) = both.run(&view).expect("both");
    let prepared = gpu.prepare(both);
    let (mut a, mut b) = (vec![0.0; 20], vec![0.0; 20]);
    prepared.run_into(&view, (&mut a, &mut b)).expect("both");
    assert_eq!((&a[..], &b[..]), (means.data(), variances.data()));
    let short = prepared.run_into(&view, (&mut a, &mut [0.0; 19])).expect_err("too short");
    assert_eq!(short.to_string(), "the output has 19 elements; the shape has 20");
    assert_eq!(a, means.data());
    // Over nothing, nothing is asked of the device.
    let empty = View::new(&data[..0], &[3, 0]).expect("a view");
    let mut sums = [1.0; 3];
    gpu.prepare(Reduction::new(ReduceSum).axes([1])).run_into(&empty, &mut sums).expect("sums");
    assert_eq!(sums, [0.0; 3]);
}

/// Results of one reduction are the input of the next, wherever they have been between.
fn check_chain<T: Element + Bytes>(gpu: &Gpu, view: &View<'_, T>)
where
    ReduceMean:
        reduce_gpu::trace::Trace<T, Result = T> + reduce_core::bounds::Reduces<T, Output = T>,
    ReduceMax:
        reduce_gpu::trace::Trace<T, Result = T> + reduce_core::bounds::Reduces<T, Output = T>,
{
    let (means, largest) = (Reduction::new(ReduceMean).axes([1]), Reduction::new(ReduceMax));
    let expected = means.run(view).expect("means");
    let kept = gpu.prepare(means).run_on_device(view).expect("means");
    assert_eq!(kept.shape(), expected.shape());
    let computed = gpu.prepare(largest.clone()).run(&kept).expect("the largest");
    assert_eq!(computed, largest.run(&expected.view()).expect("the largest"));
    assert_eq!(kept.download().expect("means"), expected);
    let again = gpu.prepare(largest).run_on_device(&kept).expect("the largest");
    assert_eq!(again.download().expect("the largest"), computed);
}

#[test]
fn results_stay_on_the_device() {
    let gpu = gpu();
    let data = floats(6000);
    let rows = View::new(&data, &[20, 10, 30]).expect("a view");
    check_chain(&gpu, &rows);
    check_chain(&gpu, &rows.permute(&[2, 0, 1]).expect("a view"));
    let halves: Vec<f16> = data.iter().map(|x| f16::from_f32(*x)).collect();
    check_chain(&gpu, &View::new(&halves, &[20, 300]).expect("a view"));
    let integers: Vec<i32> = (0..6000).map(|x: i32| x.wrapping_mul(0x09e3_779b)).collect();
    check_chain(&gpu, &View::new(&integers, &[20, 300]).expect("a view"));
    let empty = View::new(&data[..0], &[0, 4]).expect("a view");
    let none = gpu.prepare(Reduction::new(ReduceSum).axes([1])).run_on_device(&empty);
    assert_eq!(none.expect("no sums").download().expect("no sums").data().len(), 0);
}

#[test]
fn doubted_results_are_mended() {
    let gpu = gpu();
    // The squares of the second row overflow.
    let tensor = Tensor::new(vec![3.0f32, 4.0, 3e30, 4e30], &[2, 2]).expect("a tensor");
    let norms = gpu.prepare(Reduction::new(ReduceL2).axes([1]));
    let kept = norms.run_on_device(&tensor.view()).expect("norms");
    let expected = Reduction::new(ReduceL2).axes([1]).run(&tensor.view()).expect("norms");
    assert!(expected.data().iter().all(|norm| norm.is_finite()));
    assert_eq!(kept.download().expect("norms"), expected);
    // The elements that are mended from are those of the device.
    let large = Tensor::new(vec![3e30f32, 0.0, 4e30, 0.0], &[2, 2]).expect("a tensor");
    let sums = gpu.prepare(Reduction::new(ReduceSum).axes([1])).run_on_device(&large.view());
    let norm = gpu.prepare(Reduction::new(ReduceL2)).run(&sums.expect("sums")).expect("the norm");
    let expected =
        Reduction::new(ReduceL2).run(&View::new(&[3e30f32, 4e30], &[2]).expect("a view"));
    assert_eq!(norm, expected.expect("the norm"));
}

#[test]
fn positions_stay_on_the_device() {
    let gpu = gpu();
    let data = floats(600);
    let view = View::new(&data, &[20, 30]).expect("a view");
    let places = Reduction::new(ArgMax::default()).axes([1]);
    let kept = gpu.prepare(places.clone()).run_on_device(&view).expect("places");
    assert_eq!(kept.download().expect("places"), places.run(&view).expect("places"));
    assert_eq!(kept.host().expect("places").data().len(), 20);
}

#[test]
fn memory_of_another_device_is_refused() {
    let (one, other) = (gpu(), gpu());
    let view = View::new(&[1.0f32, 2.0], &[2]).expect("a view");
    let uploaded = one.upload(&view).expect("copied");
    let error = other.prepare(Reduction::new(ReduceSum)).run(&uploaded).expect_err("another");
    assert!(matches!(error, Error::Device(DeviceError::OtherDevice { .. })), "{error}");
    let kept = one.prepare(Reduction::new(ReduceSum)).run_on_device(&uploaded).expect("the sum");
    let error = other.prepare(Reduction::new(ReduceSum)).run(&kept).expect_err("another");
    assert!(
        error.to_string().contains("copy it with the `Gpu` that prepared the reduction"),
        "{error}"
    );
}
