//! The files of a crate depend on each other without cycles. A file depends on another if it names an item that the other defines; `mod` and
//! `pub use` alone make no dependency, and a re-exported item belongs to the file that defines it.

mod scan;

use scan::{Key, Modules};
use std::fs;
use std::path::Path;

/// Adds the source files of `folder`, whose module path is `key`, without tests.
fn add_folder(modules: &mut Modules, root: &Path, folder: &Path, key: &Key) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let stem = path.file_stem().and_then(|stem| stem.to_str()).expect("a name").to_owned();
        if stem == "tests" || stem.ends_with("_tests") {
            continue;
        }
        let child = [&key[..], std::slice::from_ref(&stem)].concat();
        if path.is_dir() {
            add_folder(modules, root, &path, &child);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let face = stem == "mod" || stem == "lib";
            let source = fs::read_to_string(&path).expect("readable").parse().expect("tokens of Rust");
            let file = path.strip_prefix(root).expect("below the root").display().to_string();
            modules.add(if face { key.clone() } else { child }, &file, source);
        }
    }
}

#[test]
fn the_modules_of_a_crate_form_no_cycle() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the folder of crates");
    let mut wrong = String::new();
    for entry in fs::read_dir(crates).expect("a folder") {
        let folder = entry.expect("an entry").path();
        let name = folder.file_name().expect("a name").display().to_string();
        let mut modules = Modules::default();
        add_folder(&mut modules, &folder.join("src"), &folder.join("src"), &Key::new());
        let cycles: String = modules.cycles().into_iter().collect();
        if !cycles.is_empty() {
            wrong += &format!("{name} has\n{cycles}");
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// Returns the dependency cycles of a crate with these files.
fn cycles(files: &[(&str, &str)]) -> Vec<String> {
    let mut modules = Modules::default();
    for (path, source) in files {
        let key = path.split('/').filter(|part| !part.is_empty()).map(str::to_owned).collect();
        modules.add(key, path, source.parse().expect("tokens of Rust"));
    }
    modules.cycles().into_iter().collect()
}

#[test]
fn names_are_found_however_they_are_written() {
    let b = ("b", "use crate::a::X; pub struct Y; pub fn z() {}");
    for a in [
        "use super::b::{self as other, Y as Renamed}; pub struct X;",
        "use crate::b; pub struct X(b::Y);",
        "use crate::b::*; pub struct X; fn f(y: Y) {}",
        "pub struct X; fn f() { use super::b::z; z() }",
        "pub struct X; impl X { fn f() { assert!(crate::b::z()); } }",
        "pub struct X; mod inner { fn f() { super::super::b::z() } }",
    ] {
        let found = cycles(&[("", "mod a; mod b;"), ("a", a), b]);
        assert_eq!(found.len(), 1, "{a}");
        assert!(found[0].contains("a names ") && found[0].contains("b names X of a"), "{found:?}");
    }
    let clean =
        "pub struct X; /// [`crate::b::Y`]\nfn f(x: T) { x.z() } #[cfg(test)] mod tests { use crate::b::Y; }";
    assert!(cycles(&[("", "mod a; mod b;"), ("a", clean), b]).is_empty());
}

#[test]
fn a_re_export_counts_as_the_file_that_defines() {
    let uses = ("b", "use crate::{X, Y}; pub fn z() {}");
    let globs = ("", "mod a; mod b; pub use a::*; pub use b::z;");
    assert!(cycles(&[globs, ("a", "pub struct X; pub struct Y;"), uses]).is_empty());
    assert_eq!(cycles(&[globs, ("a", "pub struct X; pub struct Y; fn f() { crate::z() }"), uses]).len(), 1);
    // The parent module defines an item that its child uses, and names an item of the child other than by `pub use`: a cycle.
    let child = ("b", "use super::Shared; pub struct Y;");
    assert!(cycles(&[("", "mod b; pub use b::Y; pub struct Shared;"), child]).is_empty());
    assert_eq!(cycles(&[("", "mod b; pub use b::Y; pub struct Shared(Y);"), child]).len(), 1);
}
