// Floats by their bits, and the few functions whose text differs with the width.

fn bits_f64(x: f64) -> vec2<u32> {
  let bits = bitcast<u64>(x);
  return vec2<u32>(u32(bits), u32(bits >> 32u));
}

fn f64_of_bits(bits: vec2<u32>) -> f64 {
  return bitcast<f64>(u64(bits.x) | (u64(bits.y) << 32u));
}

// What has no literal: the zero, known only when the kernel runs, keeps compilers from computing it, which they refuse.
fn opaque_f32(bits: u32) -> f32 {
  return bitcast<f32>(bits ^ u.zero);
}

fn opaque_f64(bits: vec2<u32>) -> f64 {
  return f64_of_bits(bits ^ vec2<u32>(u.zero));
}

fn nan_f32() -> f32 {
  return opaque_f32(0xffffffffu);
}

fn nan_f64() -> f64 {
  return opaque_f64(vec2<u32>(0xffffffffu));
}

fn is_nan_f32(x: f32) -> bool {
  return (bitcast<u32>(x) & 0x7fffffffu) > 0x7f800000u;
}

fn is_nan_f64(x: f64) -> bool {
  let bits = bits_f64(x);
  return less_u64(vec2<u32>(0u, 0x7ff00000u), vec2<u32>(bits.x, bits.y & 0x7fffffffu));
}

fn infinity_f32() -> f32 {
  return opaque_f32(0x7f800000u);
}

fn infinity_f64() -> f64 {
  return opaque_f64(vec2<u32>(0u, 0x7ff00000u));
}

fn is_finite_f32(x: f32) -> bool {
  return (bitcast<u32>(x) & 0x7f800000u) != 0x7f800000u;
}

fn is_finite_f64(x: f64) -> bool {
  return (bits_f64(x).y & 0x7ff00000u) != 0x7ff00000u;
}

fn copysign_f32(magnitude: f32, sign: f32) -> f32 {
  return bitcast<f32>((bitcast<u32>(magnitude) & 0x7fffffffu) | (bitcast<u32>(sign) & 0x80000000u));
}

fn copysign_f64(magnitude: f64, sign: f64) -> f64 {
  let bits = bits_f64(magnitude);
  return f64_of_bits(vec2<u32>(bits.x, (bits.y & 0x7fffffffu) | (bits_f64(sign).y & 0x80000000u)));
}

// Half precision, widened without a float operation: devices may take subnormal numbers for zeros.
fn f32_of_f16(bits: u32) -> f32 {
  let sign = (bits & 0x8000u) << 16u;
  let magnitude = bits & 0x7fffu;
  if (magnitude >= 0x7c00u) {
    return bitcast<f32>(sign | (magnitude << 13u) | 0x7f800000u);
  }
  if (magnitude >= 0x400u) {
    return bitcast<f32>(sign | ((magnitude << 13u) + 0x38000000u));
  }
  if (magnitude == 0u) {
    return bitcast<f32>(sign);
  }
  let zeros = countLeadingZeros(magnitude);
  return bitcast<f32>(sign | (((134u - zeros) << 23u) + ((magnitude << (zeros - 8u)) & 0x7fffffu)));
}

// Four bits of exponent are those of an f16 that is 2^8 times as small.
fn f32_of_f8e4m3fn(bits: u32) -> f32 {
  let sign = (bits & 0x80u) << 8u;
  let magnitude = bits & 0x7fu;
  if (magnitude == 0x7fu) {
    return f32_of_f16(sign | 0x7e00u);
  }
  return f32_of_f16(sign | (magnitude << 7u)) * 256.0;
}

// The upper half of an f16.
fn f32_of_f8e5m2(bits: u32) -> f32 {
  return f32_of_f16(bits << 8u);
}

fn f32_of_bf16(bits: u32) -> f32 {
  return bitcast<f32>(bits << 16u);
}
