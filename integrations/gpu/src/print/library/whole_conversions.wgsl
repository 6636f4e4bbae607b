// The same in whole numbers, on devices that do not round to nearest, or take subnormal numbers for zeros.

fn f64_of_f32(x: f32) -> f64 {
  if (is_nan_f32(x)) {
    return nan_f64();
  }
  let parts = parts_f32(x);
  if (is_finite_f32(x)) {
    return f64_of_parts(parts);
  }
  return copysign_f64(infinity_f64(), select(1.0lf, -1.0lf, parts.negative));
}

fn f32_of_f64(x: f64) -> f32 {
  if (is_nan_f64(x)) {
    return nan_f32();
  }
  let parts = parts_f64(x);
  if (is_finite_f64(x)) {
    return f32_of_parts(parts);
  }
  return copysign_f32(infinity_f32(), select(1.0, -1.0, parts.negative));
}

fn f32_of_i32(x: i32) -> f32 {
  return f32_of_i128(to_128_i32(x));
}

fn f32_of_u32(x: u32) -> f32 {
  return f32_of_u128(to_128_u32(x));
}
