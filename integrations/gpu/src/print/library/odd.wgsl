// A fused multiply-add of f32, by f64: the product is exact there, and the sum is rounded to odd, so that rounding once more
// gives what rounding once would (Boldo and Melquiond 2008). Rounded to odd: if an error is left, as Knuth's two-sum says, of the
// two neighbours the one whose last bit is set.

fn fma_f32(a: f32, b: f32, c: f32) -> f32 {
  let product = keep_f64(f64(a) * f64(b));
  let addend = f64(c);
  let sum = keep_f64(product + addend);
  let part = keep_f64(sum - product);
  let error = keep_f64(keep_f64(product - keep_f64(sum - part)) + keep_f64(addend - part));
  let bits = bits_f64(sum);
  let exact = !(keep_flag(error < 0.0lf) || keep_flag(error > 0.0lf));
  if (exact || (bits.x & 1u) != 0u) {
    return keep_f32(f32(sum));
  }
  let outwards = (error < 0.0lf) == (sum < 0.0lf);
  let odd = select(sub_64(bits, vec2<u32>(1u, 0u)), vec2<u32>(bits.x | 1u, bits.y), outwards);
  return keep_f32(f32(f64_of_bits(odd)));
}
