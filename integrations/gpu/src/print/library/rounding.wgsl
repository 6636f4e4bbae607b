// Operations that round once, on devices whose own do not. Printed with f32 or f64 for REAL.

fn is_zero_REAL(x: REAL) -> bool {
  return all(parts_REAL(x).significand == vec4<u32>());
}

// What is infinite or NaN, and products that are 0, need no rounding but that of a sum.
fn fma_REAL(a: REAL, b: REAL, c: REAL) -> REAL {
  if (!is_finite_REAL(a) || !is_finite_REAL(b) || is_zero_REAL(a) || is_zero_REAL(b)) {
    return keep_REAL(keep_REAL(a * b) + c);
  }
  if (!is_finite_REAL(c)) {
    return c;
  }
  return REAL_of_parts(fma_parts(parts_REAL(a), parts_REAL(b), parts_REAL(c)));
}

fn div_REAL(a: REAL, b: REAL) -> REAL {
  if (is_nan_REAL(a) || is_nan_REAL(b)) {
    return nan_REAL();
  }
  let sign = select(REAL(1), REAL(-1), parts_REAL(a).negative != parts_REAL(b).negative);
  let infinite = vec2<bool>(!is_finite_REAL(a), !is_finite_REAL(b));
  let zero = vec2<bool>(is_zero_REAL(a), is_zero_REAL(b));
  if (all(infinite) || all(zero)) {
    return nan_REAL();
  }
  if (infinite.x || zero.y) {
    return copysign_REAL(infinity_REAL(), sign);
  }
  if (zero.x || infinite.y) {
    return copysign_REAL(REAL(0), sign);
  }
  return REAL_of_parts(div_parts(parts_REAL(a), parts_REAL(b)));
}

fn sqrt_REAL(x: REAL) -> REAL {
  if (is_nan_REAL(x) || is_zero_REAL(x)) {
    return x;
  }
  if (x < REAL(0)) {
    return nan_REAL();
  }
  if (!is_finite_REAL(x)) {
    return x;
  }
  return REAL_of_parts(sqrt_parts(parts_REAL(x)));
}
