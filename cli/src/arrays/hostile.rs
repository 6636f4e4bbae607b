//! Files with members that are damaged in thousands of ways: each is an array or a reason.

use std::fs;
use std::path::PathBuf;

use super::read;

const SAMPLES: [(&str, &[u8]); 3] = [
    ("stored.npz", include_bytes!("../../tests/cli/data/stored.npz")),
    ("deflated.npz", include_bytes!("../../tests/cli/data/deflated.npz")),
    ("all.safetensors", include_bytes!("../../tests/cli/data/all.safetensors")),
];

/// Numbers that look like chance (Marsaglia's xorshift), the same in every run.
struct Chance(u64);

impl Chance {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % (end.max(1) as u64)).expect("below a usize")
    }
}

/// Damages a file in one place.
fn damage(file: &mut Vec<u8>, chance: &mut Chance) {
    let place = chance.below(file.len());
    let length = [1, 2, 4, 8][chance.below(4)].min(file.len() - place);
    match chance.below(7) {
        0 => file[place] ^= 1 << chance.below(8),
        1 => file[place..place + length].fill(0xff),
        2 => file[place..place + length].fill(0),
        3 => file.truncate(place.max(1)),
        4 => file.insert(place, b'9'),
        5 => drop(file.drain(place..place + length)),
        _ => {
            let from = chance.below(file.len() - length + 1);
            file.copy_within(from..from + length, place);
        }
    }
}

/// The most memory that the process has had, in bytes, if the system tells.
fn most_memory() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let number = line.and_then(|line| line.trim().split(' ').next()?.parse::<u64>().ok());
    1024 * number.unwrap_or(0)
}

#[test]
fn thousands_of_damaged_files() {
    let folder = std::env::temp_dir().join(format!("reduce-hostile-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder");
    let before = most_memory();
    let mut chance = Chance(0x2545_f491_4f6c_dd1d);
    let (mut arrays, mut reasons) = (0, 0);
    for (name, sample) in SAMPLES {
        let path = folder.join(name);
        for _ in 0..2500 {
            let mut file = sample.to_vec();
            for _ in 0..1 + chance.below(3) {
                damage(&mut file, &mut chance);
            }
            fs::write(&path, &file).expect("room");
            for member in ["", ":f32", ":bool", ":bf16"] {
                match read(&PathBuf::from(format!("{}{member}", path.display()))) {
                    Ok(array) => {
                        arrays += 1;
                        assert!(array.bytes() < 1 << 20);
                    }
                    Err(error) => {
                        reasons += 1;
                        let text = error.to_string();
                        assert!(text.len() < 2000 && !text.contains('\n'), "{text}");
                    }
                }
            }
        }
    }
    fs::remove_dir_all(&folder).expect("ours");
    assert!(arrays > 1000 && reasons > 10_000, "{arrays} arrays, {reasons} reasons");
    // Other tests run meanwhile.
    assert!(most_memory() - before < 1 << 29, "{before} bytes before, {} after", most_memory());
}
