//! Copies of values for lanes that cannot read them where they are.

/// Copies values from `place` on, `stride` apart.
pub(super) fn copy_strided<T: Copy>(target: &mut [T], data: &[T], place: usize, stride: isize) {
    if target.is_empty() {
        return;
    }
    if stride == 1 {
        return target.copy_from_slice(&data[place..place + target.len()]);
    }
    if let Ok(step) = usize::try_from(stride)
        && step > 0
    {
        for (to, from) in target.iter_mut().zip(data[place..].iter().step_by(step)) {
            *to = *from;
        }
        return;
    }
    let mut next = place;
    for to in target {
        *to = data[next];
        next = next.wrapping_add_signed(stride);
    }
}
