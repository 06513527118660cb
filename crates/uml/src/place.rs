//! Folder of the kernel on this machine.

use crate::Fault;
use std::path::PathBuf;

/// Returns the folder with the kernel (`linux`) and the guest's file system (`guest.cpio`). This is the folder in the
/// environment variable `ACKCLOCK_KERNEL`, or else the folder in the user's cache that `make kernel` fills.
///
/// # Errors
/// If there is no such folder.
pub fn installed() -> Result<PathBuf, Fault> {
    #[expect(
        clippy::disallowed_methods,
        reason = "it says where a program lies, as PATH does, not which program it is"
    )]
    let given = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let cache = given("XDG_CACHE_HOME").or_else(|| Some(given("HOME")?.join(".cache")));
    let folder = given("ACKCLOCK_KERNEL").or_else(|| Some(cache?.join("ackclock/linux-6.12")));
    let folder = folder.ok_or_else(|| Fault("there is no home to look for a kernel in".to_owned()))?;
    if ["linux", "guest.cpio"].iter().all(|name| folder.join(name).exists()) {
        return folder.canonicalize().map_err(|why| Fault::of(&folder.display().to_string(), why));
    }
    let folder = folder.display();
    Err(Fault(format!("no kernel was built: there are no linux and guest.cpio in {folder} (`make kernel`)")))
}
