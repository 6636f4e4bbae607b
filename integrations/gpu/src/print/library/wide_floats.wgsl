// Integers of 64 bits as floats, rounded to nearest. The upper half times 2^32 is exact in f64, so that only the sum rounds.

fn f64_of_i64(x: vec2<u32>) -> f64 {
  return keep_f64(keep_f64(f64(bitcast<i32>(x.y)) * 4294967296.0lf) + f64(x.x));
}

fn f64_of_u64(x: vec2<u32>) -> f64 {
  return keep_f64(keep_f64(f64(x.y) * 4294967296.0lf) + f64(x.x));
}

fn f32_of_i64(x: vec2<u32>) -> f32 {
  return f32_of_i128(to_128_i64(x));
}

fn f32_of_u64(x: vec2<u32>) -> f32 {
  return f32_of_u128(to_128_u64(x));
}
