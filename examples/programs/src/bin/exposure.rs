//! How an image is exposed: the histogram, the median and the clipped pixels of each colour.
//!
//! Pixels are read where they are, three bytes each, and reduced over both axes of the image at once. The operator
//! counts how often each of the 256 values occurs. Its accumulator is an array, and an element changes one place of it.
//! All else follows from these counts.
//!
//! ```text
//! cargo run --release -p reduce-programs --bin exposure                 an evening sky, made on the spot
//! cargo run --release -p reduce-programs --bin exposure -- PICTURE.ppm  a binary PPM of 8 bits
//! ```

use reduce_core::{Real, ReduceOp, Reduction, View, reduce_op};
use reduce_programs::Failure;

/// Counts how often each value of a byte occurs.
#[derive(Clone, Copy, Debug, Default)]
struct Values;

#[reduce_op(dtypes = [u8 => f32], output = u64)]
impl<A: Real> ReduceOp<A> for Values {
    type Acc = [u64; 256];
    type Output = [u64; 256];

    fn identity(&self) -> [u64; 256] {
        [0; 256]
    }

    fn map(&self, x: A) -> [u64; 256] {
        let mut counts = [0; 256];
        ReduceOp::<A>::push_into(self, &mut counts, x);
        counts
    }

    fn push_into(&self, counts: &mut [u64; 256], x: A) {
        counts[x.index_below(256)] += 1;
    }

    fn combine(&self, mut a: [u64; 256], b: [u64; 256]) -> [u64; 256] {
        for (count, more) in a.iter_mut().zip(b) {
            *count += more;
        }
        a
    }

    fn finalize(&self, counts: [u64; 256], _count: usize) -> [u64; 256] {
        counts
    }
}

fn main() -> Result<(), Failure> {
    let (width, height, pixels) = match std::env::args().nth(1) {
        None => sky(300, 200),
        Some(path) => {
            let bytes =
                std::fs::read(&path).map_err(|error| format!("cannot read {path}: {error}"))?;
            image(&bytes).ok_or_else(|| {
                format!("{path} is no whole binary PPM of 8 bits, which begins with `P6`")
            })?
        }
    };
    let view = View::new(&pixels, &[height, width, 3])?;
    let counts = Reduction::new(Values).axes([0, 1]).run(&view)?; // of shape [3, 256]

    println!("{width} x {height} pixels");
    println!("colour   least  median  greatest    at 0  at 255  histogram");
    for (colour, counts) in ["red", "green", "blue"].into_iter().zip(counts.data().chunks(256)) {
        let all: u64 = counts.iter().sum();
        let [least, median, greatest] =
            [0, (all - 1) / 2, all - 1].map(|rank| ranked(counts, rank));
        let [black, white] =
            [counts[0], counts[255]].map(|count| 100.0 * count as f64 / all as f64);
        let bars = bars(counts);
        println!("{colour:6}{least:8}{median:8}{greatest:10}{black:7.1}%{white:7.1}%  {bars}");
    }
    Ok(())
}

/// The value of the pixel before which so many others stand, if all are put in order.
fn ranked(counts: &[u64], rank: u64) -> usize {
    let up_to = counts.iter().scan(0, |sum, count| {
        *sum += count;
        Some(*sum)
    });
    up_to.take_while(|&sum| sum <= rank).count()
}

/// A bar for every eight values; the highest has eight steps.
fn bars(counts: &[u64]) -> String {
    let bins: Vec<u64> = counts.chunks(8).map(|bin| bin.iter().sum()).collect();
    let most = bins.iter().copied().max().unwrap_or(1);
    let steps = |bin: &u64| (0..8).filter(|step| 8 * bin > step * most).count();
    let bar = |bin| [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'][steps(bin)];
    bins.iter().map(bar).collect()
}

/// Width, height and bytes of a PPM, if it is whole.
fn image(ppm: &[u8]) -> Option<(usize, usize, Vec<u8>)> {
    let ((kind, mut bytes), mut sizes) = (word(ppm)?, [0usize; 3]);
    for size in &mut sizes {
        let (number, rest) = word(bytes)?;
        (*size, bytes) = (number.parse().ok()?, rest);
    }
    let [width, height, white] = sizes;
    let is_whole = width.checked_mul(height)?.checked_mul(3)? == bytes.len();
    (kind == "P6" && white == 255 && is_whole && !bytes.is_empty())
        .then(|| (width, height, bytes.to_vec()))
}

/// The first word of a header, and what follows behind one white space; lines of comment may stand in front.
fn word(mut bytes: &[u8]) -> Option<(&str, &[u8])> {
    bytes = bytes.trim_ascii_start();
    while bytes.starts_with(b"#") {
        let line = bytes.iter().position(|&byte| byte == b'\n')?;
        bytes = bytes[line..].trim_ascii_start();
    }
    let end = bytes.iter().position(u8::is_ascii_whitespace)?;
    Some((str::from_utf8(&bytes[..end]).ok()?, &bytes[end + 1..]))
}

/// An evening sky, too bright around the sun and black below the horizon.
#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "too much light is white"
)]
fn sky(width: usize, height: usize) -> (usize, usize, Vec<u8>) {
    let mut pixels = Vec::with_capacity(3 * width * height);
    for (y, x) in (0..height).flat_map(|y| (0..width).map(move |x| (y as f64, x as f64))) {
        let (height, width) = (height as f64, width as f64);
        let from_sun = (x - 0.7 * width).hypot(y - 0.6 * height);
        let (glow, fall) = (9000.0 / (from_sun + 10.0), y / height);
        let light = if fall > 0.9 { 0.0 } else { 1.0 };
        pixels.extend(
            [80.0 + 60.0 * fall, 90.0 - 10.0 * fall, 150.0 - 90.0 * fall]
                .map(|x| light * (x + glow))
                .map(|x| x as u8),
        );
    }
    (width, height, pixels)
}
