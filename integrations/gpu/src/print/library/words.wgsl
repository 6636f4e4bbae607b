// Integers of 64 and 128 bits as vectors of words, the lowest first.

fn to_64_i32(x: i32) -> vec2<u32> {
  return vec2<u32>(u32(x), u32(x >> 31u));
}

fn to_64_u32(x: u32) -> vec2<u32> {
  return vec2<u32>(x, 0u);
}

fn to_128_i64(x: vec2<u32>) -> vec4<u32> {
  return vec4<u32>(x, vec2<u32>(0u - (x.y >> 31u)));
}

fn to_128_u64(x: vec2<u32>) -> vec4<u32> {
  return vec4<u32>(x, 0u, 0u);
}

fn to_128_i32(x: i32) -> vec4<u32> {
  return to_128_i64(to_64_i32(x));
}

fn to_128_u32(x: u32) -> vec4<u32> {
  return vec4<u32>(x, 0u, 0u, 0u);
}

fn less_u64(a: vec2<u32>, b: vec2<u32>) -> bool {
  return a.y < b.y || (a.y == b.y && a.x < b.x);
}

fn less_i64(a: vec2<u32>, b: vec2<u32>) -> bool {
  let sign = vec2<u32>(0u, 0x80000000u);
  return less_u64(a ^ sign, b ^ sign);
}

fn less_u128(a: vec4<u32>, b: vec4<u32>) -> bool {
  return less_u64(a.zw, b.zw) || (all(a.zw == b.zw) && less_u64(a.xy, b.xy));
}

fn less_i128(a: vec4<u32>, b: vec4<u32>) -> bool {
  let sign = vec4<u32>(0u, 0u, 0u, 0x80000000u);
  return less_u128(a ^ sign, b ^ sign);
}

fn add_64(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
  let low = a.x + b.x;
  return vec2<u32>(low, a.y + b.y + u32(low < a.x));
}

fn sub_64(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
  return vec2<u32>(a.x - b.x, a.y - b.y - u32(a.x < b.x));
}

fn add_128(a: vec4<u32>, b: vec4<u32>) -> vec4<u32> {
  let low = add_64(a.xy, b.xy);
  let carry = vec2<u32>(u32(less_u64(low, a.xy)), 0u);
  return vec4<u32>(low, add_64(add_64(a.zw, b.zw), carry));
}

fn sub_128(a: vec4<u32>, b: vec4<u32>) -> vec4<u32> {
  let borrow = vec2<u32>(u32(less_u64(a.xy, b.xy)), 0u);
  return vec4<u32>(sub_64(a.xy, b.xy), sub_64(sub_64(a.zw, b.zw), borrow));
}

fn neg_64(a: vec2<u32>) -> vec2<u32> {
  return sub_64(vec2<u32>(), a);
}

fn neg_128(a: vec4<u32>) -> vec4<u32> {
  return sub_128(vec4<u32>(), a);
}

fn abs_i64(a: vec2<u32>) -> vec2<u32> {
  return select(a, neg_64(a), (a.y >> 31u) != 0u);
}

fn abs_i128(a: vec4<u32>) -> vec4<u32> {
  return select(a, neg_128(a), (a.w >> 31u) != 0u);
}

// Both words of a product, from those of halves of words.
fn wide_product(a: u32, b: u32) -> vec2<u32> {
  let low = (a & 0xffffu) * (b & 0xffffu);
  let left = (a >> 16u) * (b & 0xffffu);
  let right = (a & 0xffffu) * (b >> 16u);
  let middle = (low >> 16u) + (left & 0xffffu) + (right & 0xffffu);
  return vec2<u32>(a * b, (a >> 16u) * (b >> 16u) + (left >> 16u) + (right >> 16u) + (middle >> 16u));
}

fn mul_64(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
  let low = wide_product(a.x, b.x);
  return vec2<u32>(low.x, low.y + a.x * b.y + a.y * b.x);
}

// By words, as on paper; words of weight 2^96 and less.
fn mul_128(a: vec4<u32>, b: vec4<u32>) -> vec4<u32> {
  let even = vec4<u32>(wide_product(a.x, b.x), wide_product(a.y, b.y));
  let left = vec4<u32>(0u, wide_product(a.x, b.y), 0u);
  let right = vec4<u32>(0u, wide_product(a.y, b.x), 0u);
  let high = add_64(wide_product(a.x, b.z), wide_product(a.z, b.x));
  let last = vec2<u32>(0u, a.x * b.w + a.y * b.z + a.z * b.y + a.w * b.x);
  return add_128(add_128(even, vec4<u32>(0u, 0u, add_64(high, last))), add_128(left, right));
}

// How many bits there are up to the highest that is set.
fn bit_length_128(a: vec4<u32>) -> u32 {
  if (a.w != 0u) {
    return 128u - countLeadingZeros(a.w);
  }
  if (a.z != 0u) {
    return 96u - countLeadingZeros(a.z);
  }
  if (a.y != 0u) {
    return 64u - countLeadingZeros(a.y);
  }
  return 32u - countLeadingZeros(a.x);
}

// By two words, by one, and by the bits that are left. Zero if all bits are shifted out.
fn shl_128(a: vec4<u32>, by: u32) -> vec4<u32> {
  if (by >= 128u) {
    return vec4<u32>();
  }
  var moved = a;
  if ((by & 64u) != 0u) {
    moved = vec4<u32>(0u, 0u, moved.xy);
  }
  if ((by & 32u) != 0u) {
    moved = vec4<u32>(0u, moved.xyz);
  }
  let rest = by & 31u;
  if (rest != 0u) {
    moved = (moved << vec4<u32>(rest)) | (vec4<u32>(0u, moved.xyz) >> vec4<u32>(32u - rest));
  }
  return moved;
}

fn shr_128(a: vec4<u32>, by: u32) -> vec4<u32> {
  if (by >= 128u) {
    return vec4<u32>();
  }
  var moved = a;
  if ((by & 64u) != 0u) {
    moved = vec4<u32>(moved.zw, 0u, 0u);
  }
  if ((by & 32u) != 0u) {
    moved = vec4<u32>(moved.yzw, 0u);
  }
  let rest = by & 31u;
  if (rest != 0u) {
    moved = (moved >> vec4<u32>(rest)) | (vec4<u32>(moved.yzw, 0u) << vec4<u32>(32u - rest));
  }
  return moved;
}

fn shl_64(a: vec2<u32>, by: u32) -> vec2<u32> {
  return shl_128(to_128_u64(a), by).xy;
}

fn shr_64(a: vec2<u32>, by: u32) -> vec2<u32> {
  return shr_128(to_128_u64(a), by).xy;
}

// Bit by bit, from the highest of the dividend: what is left is doubled, and the divisor is taken from it where it can be.
// Doubling carries nothing out, since what is left is at most the bits of the dividend that were taken. Zero if the divisor is.
fn div_u128(a: vec4<u32>, b: vec4<u32>) -> vec4<u32> {
  var quotient = vec4<u32>();
  if (all(b == vec4<u32>())) {
    return quotient;
  }
  var rest = vec4<u32>();
  for (var length = bit_length_128(a); length > 0u; length -= 1u) {
    rest = shl_128(rest, 1u);
    rest.x |= shr_128(a, length - 1u).x & 1u;
    quotient = shl_128(quotient, 1u);
    if (!less_u128(rest, b)) {
      rest = sub_128(rest, b);
      quotient.x |= 1u;
    }
  }
  return quotient;
}

fn div_i128(a: vec4<u32>, b: vec4<u32>) -> vec4<u32> {
  let quotient = div_u128(abs_i128(a), abs_i128(b));
  return select(quotient, neg_128(quotient), ((a.w ^ b.w) >> 31u) != 0u);
}

fn div_u64(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
  return div_u128(to_128_u64(a), to_128_u64(b)).xy;
}

fn div_i64(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
  return div_i128(to_128_i64(a), to_128_i64(b)).xy;
}

// The device leaves open what is divided by zero.
fn div_u32(a: u32, b: u32) -> u32 {
  return select(a / select(b, 1u, b == 0u), 0u, b == 0u);
}

// And what the least number is by -1: in unsigned numbers it wraps.
fn div_i32(a: i32, b: i32) -> i32 {
  let quotient = div_u32(u32(abs(a)), u32(abs(b)));
  return i32(select(quotient, 0u - quotient, (a ^ b) < 0i));
}

// A place has 32 bits, and its last value stands for the last of 64.
fn u64_of_place(x: u32) -> vec2<u32> {
  return vec2<u32>(x, select(0u, x, x == 0xffffffffu));
}

fn place_of_64(x: vec2<u32>) -> u32 {
  return select(x.x, 0xffffffffu, x.y != 0u);
}

// Modulo 64 bits, as integers become others.
fn place_of_128(x: vec4<u32>) -> u32 {
  return place_of_64(x.xy);
}
