// Results that no compiler may simplify: their bits are combined with a zero that is known only when the kernel runs.

fn keep_f32(x: f32) -> f32 {
  return bitcast<f32>(bitcast<u32>(x) ^ u.zero);
}

fn keep_f64(x: f64) -> f64 {
  return bitcast<f64>(bitcast<u64>(x) ^ u64(u.zero));
}

fn keep_flag(x: bool) -> bool {
  return x != (u.zero != 0u);
}
