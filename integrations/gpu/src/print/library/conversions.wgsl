// Floats as others, and integers of 32 bits as f32.

fn f64_of_f32(x: f32) -> f64 {
  return f64(x);
}

fn f32_of_f64(x: f64) -> f32 {
  return keep_f32(f32(x));
}

fn f32_of_i32(x: i32) -> f32 {
  return f32(x);
}

fn f32_of_u32(x: u32) -> f32 {
  return f32(x);
}
