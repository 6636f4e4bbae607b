// Results on a device that computes what is written.

fn keep_f32(x: f32) -> f32 {
  return x;
}

fn keep_f64(x: f64) -> f64 {
  return x;
}

fn keep_flag(x: bool) -> bool {
  return x;
}
