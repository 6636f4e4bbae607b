//! `cargo bench -p reduce-benches`: the hot kernels by time, at the best level.

use divan::counter::ItemsCount;
use reduce_benches::kernels;
use reduce_core::Level;

fn main() {
    divan::main();
}

fn names() -> Vec<&'static str> {
    kernels(Level::best()).iter().map(|kernel| kernel.name).collect()
}

#[divan::bench(args = names())]
fn kernel(bencher: divan::Bencher<'_, '_>, name: &str) {
    let mut kernel =
        kernels(Level::best()).into_iter().find(|kernel| kernel.name == name).expect("listed");
    bencher.counter(ItemsCount::new(kernel.elements)).bench_local(|| kernel.run());
}
