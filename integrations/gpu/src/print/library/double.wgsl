// A fused multiply-add of f64 in integers of 64 bits, where a device has f64 and does not fuse it. What is added is raised until its
// highest bit is number 61 of the upper word, so that nothing is lost on the way but what a sticky bit stands for.

struct Wide {
  high: u64,
  low: u64,
}

// A finite float that is not 0 as a significand of 53 digits times a power of two.
struct Double {
  exponent: i32,
  significand: u64,
}

fn leading_zeros(x: u64) -> u32 {
  let high = u32(x >> 32u);
  return select(countLeadingZeros(high), 32u + countLeadingZeros(u32(x)), high == 0u);
}

// Of 0, which is far below all others, the significand is 0.
fn double_of(x: f64) -> Double {
  let bits = bitcast<u64>(x);
  let field = u32(bits >> 52u) & 0x7ffu;
  let digits = (bits & 0xffffffffffffflu) | (u64(min(field, 1u)) << 52u);
  let shift = leading_zeros(digits) - 11u;
  let exponent = i32(max(field, 1u)) - 1075 - i32(shift);
  return Double(select(exponent, -9999, digits == 0lu), digits << min(shift, 63u));
}

// Shifted down; the last bit is set, too, if bits that are set are lost.
fn lowered(a: Wide, by: u32) -> Wide {
  let far = by >= 64u;
  let rest = by & 63u;
  let low = select(a.low, a.high, far);
  let high = select(a.high, 0lu, far);
  let lost = (far && a.low != 0lu) || (low & ((1lu << rest) - 1lu)) != 0lu;
  return Wide(high >> rest, (low >> rest) | ((high << 1u) << (63u - rest)) | u64(lost));
}

// The product of significands, both words.
fn product_of(a: u64, b: u64) -> Wide {
  let mask = 0xfffffffflu;
  let low = (a & mask) * (b & mask);
  let left = (a >> 32u) * (b & mask);
  let right = (a & mask) * (b >> 32u);
  let middle = (low >> 32u) + (left & mask) + (right & mask);
  let high = (a >> 32u) * (b >> 32u) + (left >> 32u) + (right >> 32u) + (middle >> 32u);
  return Wide(high, (middle << 32u) | (low & mask));
}

// The sum, or the difference of the first and what is not greater.
fn joined_of(a: Wide, b: Wide, subtract: bool) -> Wide {
  if (subtract) {
    return Wide(a.high - b.high - u64(a.low < b.low), a.low - b.low);
  }
  let low = a.low + b.low;
  return Wide(a.high + b.high + u64(low < a.low), low);
}

// A magnitude rounded once, to nearest, of two to the even one.
fn rounded_of(a: Wide, exponent: i32, negative: bool) -> f64 {
  let sign = u64(negative) << 63u;
  if ((a.high | a.low) == 0lu) {
    return bitcast<f64>(sign);
  }
  // Raised until the highest bit is number 62 of the upper word.
  let zeros = select(leading_zeros(a.high), 64u + leading_zeros(a.low), a.high == 0lu) - 1u;
  let far = zeros >= 64u;
  let rest = zeros & 63u;
  let top = select(a.high, a.low, far);
  let bottom = select(a.low, 0lu, far);
  let high = (top << rest) | ((bottom >> 1u) >> (63u - rest));
  let low = bottom << rest;
  let unit = max(exponent - i32(zeros) + 74, -1074);
  // 53 digits, or fewer of a subnormal number; two more say how to round.
  let by = u32(min(unit - exponent + i32(zeros) - 66, 63));
  let lost = low != 0lu || (high & ((1lu << by) - 1lu)) != 0lu;
  let longer = (high >> by) | u64(lost);
  let down = longer >> 2u;
  let up = (longer & 3lu) + (down & 1lu) > 2lu;
  let infinity = 0x7ff0000000000000lu;
  let bits = (u64(u32(min(unit + 1074, 2046))) << 52u) + down + u64(up);
  return bitcast<f64>(min(bits, infinity) | sign);
}

// What is infinite or NaN, and products that are 0, need no rounding but that of a sum.
fn fma_f64(a: f64, b: f64, c: f64) -> f64 {
  let infinity = 0x7ff0000000000000lu;
  let magnitude = 0x7ffffffffffffffflu;
  let left = bitcast<u64>(a) & magnitude;
  let right = bitcast<u64>(b) & magnitude;
  if (max(left, right) >= infinity || min(left, right) == 0lu) {
    return keep_f64(keep_f64(a * b) + c);
  }
  if ((bitcast<u64>(c) & magnitude) >= infinity) {
    return c;
  }
  let first = double_of(a);
  let second = double_of(b);
  let third = double_of(c);
  // Of 105 or 106 digits.
  let product = product_of(first.significand, second.significand);
  let shift = 20u + u32((product.high >> 41u) == 0lu);
  var larger = Wide((product.high << shift) | (product.low >> (64u - shift)), product.low << shift);
  var smaller = Wide(third.significand << 9u, 0lu);
  var exponent = first.exponent + second.exponent - i32(shift);
  var distance = exponent - (third.exponent - 73);
  var negative = ((bitcast<u64>(a) ^ bitcast<u64>(b)) >> 63u) != 0lu;
  let subtract = negative != ((bitcast<u64>(c) >> 63u) != 0lu);
  if (distance < 0 || (distance == 0 && smaller.high > larger.high) ) {
    let other = larger;
    larger = smaller;
    smaller = other;
    exponent -= distance;
    distance = -distance;
    negative = negative != subtract;
  }
  smaller = lowered(smaller, u32(min(distance, 127)));
  let sum = joined_of(larger, smaller, subtract);
  return rounded_of(sum, exponent, negative && (sum.high | sum.low) != 0lu);
}
