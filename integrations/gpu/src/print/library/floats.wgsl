// Functions of floats, printed with f32 or f64 for REAL.

fn larger_REAL(a: REAL, b: REAL) -> REAL {
  return select(a, b, keep_flag(b > a));
}

fn smaller_REAL(a: REAL, b: REAL) -> REAL {
  return select(a, b, keep_flag(b < a));
}

// The first unless the other is greater or NaN.
fn maximum_REAL(a: REAL, b: REAL) -> REAL {
  return select(larger_REAL(a, b), nan_REAL(), is_nan_REAL(b));
}

fn minimum_REAL(a: REAL, b: REAL) -> REAL {
  return select(smaller_REAL(a, b), nan_REAL(), is_nan_REAL(b));
}

// The nearest integer, of two the one further from zero. Both differences are exact.
fn round_REAL(x: REAL) -> REAL {
  let whole = keep_REAL(trunc(x));
  let rest = abs(keep_REAL(x - whole));
  let next = keep_REAL(whole + copysign_REAL(REAL(1), x));
  return select(whole, next, rest >= REAL(0.5));
}

// Truncated, within these bounds, and 0 of NaN.
fn i32_of_REAL(x: REAL, least: i32, greatest: i32) -> i32 {
  if (is_nan_REAL(x)) {
    return 0i;
  }
  if (x <= REAL(least)) {
    return least;
  }
  if (x >= REAL(greatest)) {
    return greatest;
  }
  return i32(x);
}

fn u32_of_REAL(x: REAL, greatest: u32) -> u32 {
  if (is_nan_REAL(x) || x <= REAL(0)) {
    return 0u;
  }
  if (x >= REAL(greatest)) {
    return greatest;
  }
  return u32(x);
}

// The whole part of the magnitude, at most the greatest of 128 bits.
fn whole_REAL(x: REAL) -> vec4<u32> {
  let parts = parts_REAL(x);
  if (parts.exponent < 0) {
    return shr_128(parts.significand, u32(-parts.exponent));
  }
  let shift = u32(parts.exponent);
  if (bit_length_128(parts.significand) + shift > 128u) {
    return vec4<u32>(0xffffffffu);
  }
  return shl_128(parts.significand, shift);
}

fn u128_of_REAL(x: REAL) -> vec4<u32> {
  return select(whole_REAL(x), vec4<u32>(), is_nan_REAL(x) || x <= REAL(0));
}

fn u64_of_REAL(x: REAL) -> vec2<u32> {
  let whole = u128_of_REAL(x);
  return select(whole.xy, vec2<u32>(0xffffffffu), any(whole.zw != vec2<u32>()));
}

// With the magnitude of the least of its type.
fn signed_REAL(x: REAL, limit: vec4<u32>) -> vec4<u32> {
  let whole = select(whole_REAL(x), vec4<u32>(), is_nan_REAL(x));
  let negative = x < REAL(0);
  if (!less_u128(whole, limit)) {
    return select(sub_128(limit, vec4<u32>(1u, 0u, 0u, 0u)), limit, negative);
  }
  return select(whole, neg_128(whole), negative);
}

fn i64_of_REAL(x: REAL) -> vec2<u32> {
  return signed_REAL(x, vec4<u32>(0u, 0x80000000u, 0u, 0u)).xy;
}

fn i128_of_REAL(x: REAL) -> vec4<u32> {
  return signed_REAL(x, vec4<u32>(0u, 0u, 0u, 0x80000000u));
}

// Of integers, rounded to nearest.
fn REAL_of_u128(x: vec4<u32>) -> REAL {
  return REAL_of_parts(Parts(false, 0, x));
}

fn REAL_of_i128(x: vec4<u32>) -> REAL {
  return REAL_of_parts(Parts((x.w >> 31u) != 0u, 0, abs_i128(x)));
}
