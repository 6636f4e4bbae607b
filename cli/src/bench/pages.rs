//! Inputs in huge pages.
//!
//! Where the kernel gives huge pages to those who ask, a buffer in small ones is
//! up to half slower to read: address translation, not the operator, is measured
//! then. `NumPy` asks for them; glibc's allocator does if a variable tells it to, but
//! reads that before the program starts.

/// Starts the program again with glibc told to ask for huge pages, unless its
/// user has told it something already. Returns where that is not possible.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
pub(crate) fn ask_for_huge() {
    use std::env;
    use std::os::unix::process::CommandExt;
    use std::process::Command;

    const VARIABLE: &str = "GLIBC_TUNABLES";
    const SETTING: &str = "glibc.malloc.hugetlb";

    let mut tunables = env::var(VARIABLE).unwrap_or_default();
    let Ok(program) = env::current_exe() else { return };
    if tunables.contains(SETTING) {
        return;
    }
    if !tunables.is_empty() {
        tunables.push(':');
    }
    tunables.push_str(SETTING);
    tunables.push_str("=1");
    let mut args = env::args_os();
    let name = args.next().unwrap_or_else(|| program.clone().into());
    // Comes back only if it failed; the pages are small ones then.
    let _ = Command::new(program).arg0(name).args(args).env(VARIABLE, tunables).exec();
}

#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub(crate) fn ask_for_huge() {}
