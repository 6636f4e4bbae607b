// Floats in whole numbers, for devices that do not round as they should: a magnitude is a significand of 128 bits times a
// power of two. It is rounded once, to nearest, of two to the even one.

struct Parts {
  negative: bool,
  exponent: i32,
  significand: vec4<u32>,
}

// Of a finite float. A subnormal number has the exponent of the least normal one.
fn parts_f32(x: f32) -> Parts {
  let bits = bitcast<u32>(x);
  let field = (bits >> 23u) & 0xffu;
  let hidden = select(0u, 0x800000u, field != 0u);
  return Parts((bits >> 31u) != 0u, i32(max(field, 1u)) - 150, to_128_u32((bits & 0x7fffffu) | hidden));
}

fn parts_f64(x: f64) -> Parts {
  let bits = bits_f64(x);
  let field = (bits.y >> 20u) & 0x7ffu;
  let hidden = select(0u, 0x100000u, field != 0u);
  let significand = vec2<u32>(bits.x, (bits.y & 0xfffffu) | hidden);
  return Parts((bits.y >> 31u) != 0u, i32(max(field, 1u)) - 1075, to_128_u64(significand));
}

// Shifted down; the last bit is set, too, if bits that are set are lost.
fn shr_sticky(a: vec4<u32>, by: u32) -> vec4<u32> {
  let shifted = shr_128(a, by);
  let lost = any(shl_128(shifted, by) != a);
  return shifted | vec4<u32>(u32(lost), 0u, 0u, 0u);
}

struct Rounded {
  exponent: i32,
  significand: vec2<u32>,
}

// A significand of at most so many digits, or a power of two that has one more. The exponent counts from the least one.
fn rounded(parts: Parts, digits: i32, least: i32) -> Rounded {
  let surplus = i32(bit_length_128(parts.significand)) - digits;
  let shift = max(surplus, least - parts.exponent);
  // Two more digits: half a unit, and whether anything is below.
  var longer = vec4<u32>();
  if (shift >= 2) {
    longer = shr_sticky(parts.significand, u32(shift - 2));
  } else {
    longer = shl_128(parts.significand, u32(2 - shift));
  }
  let below = longer.x & 3u;
  let down = shr_128(longer, 2u).xy;
  let up = below + (down.x & 1u) > 2u;
  return Rounded(parts.exponent + shift - least, add_64(down, vec2<u32>(u32(up), 0u)));
}

// The significand's leading digit adds one to the exponent, which counts from 0 for subnormal numbers.
fn f32_of_parts(parts: Parts) -> f32 {
  let result = rounded(parts, 24, -149);
  let bits = select(0x7f800000u, (u32(result.exponent) << 23u) + result.significand.x, result.exponent < 254);
  let magnitude = select(min(bits, 0x7f800000u), 0u, all(result.significand == vec2<u32>()));
  return bitcast<f32>(magnitude | (u32(parts.negative) << 31u));
}

fn f64_of_parts(parts: Parts) -> f64 {
  let result = rounded(parts, 53, -1074);
  let high = (u32(result.exponent) << 20u) + result.significand.y;
  let infinite = result.exponent >= 2046 || high >= 0x7ff00000u;
  var bits = select(vec2<u32>(result.significand.x, high), vec2<u32>(0u, 0x7ff00000u), infinite);
  bits = select(bits, vec2<u32>(), all(result.significand == vec2<u32>()));
  return f64_of_bits(vec2<u32>(bits.x, bits.y | (u32(parts.negative) << 31u)));
}

// With the highest digit in this place, counted from 1, of a significand that has no more and is not 0.
fn raised(parts: Parts, place: u32) -> Parts {
  let shift = place - bit_length_128(parts.significand);
  return Parts(parts.negative, parts.exponent - i32(shift), shl_128(parts.significand, shift));
}

// a b + c, where no product is 0. Both terms are raised to 126 digits, of which the last twenty are zeros. The smaller is
// shifted to the exponent of the larger, with a sticky digit: where more than twenty digits are lost, at most one of the
// leading digits is cancelled, so that the sticky one stays below those that are kept.
fn fma_parts(a: Parts, b: Parts, c: Parts) -> Parts {
  let product = Parts(a.negative != b.negative, a.exponent + b.exponent, mul_128(a.significand, b.significand));
  if (all(c.significand == vec4<u32>())) {
    return product;
  }
  var left = raised(product, 126u);
  var right = raised(c, 126u);
  if (left.exponent < right.exponent) {
    let larger = right;
    right = left;
    left = larger;
  }
  let distance = u32(left.exponent - right.exponent);
  let smaller = shr_sticky(right.significand, min(distance, 127u));
  if (left.negative == right.negative) {
    return Parts(left.negative, left.exponent, add_128(left.significand, smaller));
  }
  if (less_u128(left.significand, smaller)) {
    return Parts(right.negative, left.exponent, sub_128(smaller, left.significand));
  }
  let rest = sub_128(left.significand, smaller);
  return Parts(left.negative && any(rest != vec4<u32>()), left.exponent, rest);
}

// a / b, neither of them 0: 61 or 62 digits of the quotient, and one that says whether something is left.
fn div_parts(a: Parts, b: Parts) -> Parts {
  let dividend = raised(a, 125u);
  let divisor = raised(b, 64u);
  let quotient = div_u128(dividend.significand, divisor.significand);
  let left = any(mul_128(quotient, divisor.significand) != dividend.significand);
  let digits = shl_128(quotient, 1u) | vec4<u32>(u32(left), 0u, 0u, 0u);
  return Parts(a.negative != b.negative, dividend.exponent - divisor.exponent - 1, digits);
}

// The root of what is positive: digit by digit, from the highest, of a significand of 119 or 120 digits with an even exponent.
fn sqrt_parts(x: Parts) -> Parts {
  var square = raised(x, 120u);
  if ((square.exponent & 1) != 0) {
    square = raised(x, 119u);
  }
  var root = vec4<u32>();
  for (var place = 60u; place > 0u; place -= 1u) {
    let tried = root | shl_128(vec4<u32>(1u, 0u, 0u, 0u), place - 1u);
    if (!less_u128(square.significand, mul_128(tried, tried))) {
      root = tried;
    }
  }
  let left = any(mul_128(root, root) != square.significand);
  return Parts(false, square.exponent / 2 - 1, shl_128(root, 1u) | vec4<u32>(u32(left), 0u, 0u, 0u));
}
