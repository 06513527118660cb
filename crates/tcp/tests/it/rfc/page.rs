//! The table of requirements (`requirements.toml`), whose code and tests must exist, and its page, `docs/reference/rfc.md`.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use toml::{Table, Value};

const CRATE: &str = env!("CARGO_MANIFEST_DIR");
const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/reference/rfc.md");

const HEAD: &str = "# What the RFCs ask, and where it is done

Written from `crates/tcp/requirements.toml` (`make pages` renews it), in our own words: read the RFC for the rule itself. Code and tests
are in `crates/tcp`; a test holds that each named here exists. Profile `rfc` has the values that these RFCs give; other profiles
differ where `ackclock list profiles` says so. Validated beyond these tests: [validation.md](../explanation/validation.md).
";

fn rfcs() -> Vec<Table> {
    let text = std::fs::read_to_string(format!("{CRATE}/requirements.toml")).expect("the table is there");
    let table: Table = text.parse().expect("the table is TOML");
    tables(&table, "rfc")
}

fn tables(table: &Table, key: &str) -> Vec<Table> {
    let list = table[key].as_array().unwrap_or_else(|| panic!("{key} is a list"));
    list.iter().map(|value| value.as_table().expect("of tables").clone()).collect()
}

fn text<'a>(table: &'a Table, key: &str) -> &'a str {
    table.get(key).and_then(Value::as_str).unwrap_or_default()
}

fn names<'a>(table: &'a Table, key: &str) -> Vec<&'a str> {
    let list = table.get(key).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    list.iter().map(|name| name.as_str().expect("a name")).collect()
}

/// Returns path and text of every Rust source of this crate.
fn sources() -> Vec<(PathBuf, String)> {
    fn walk(folder: &Path, found: &mut Vec<(PathBuf, String)>) {
        for entry in std::fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                walk(&path, found);
            } else if path.extension().is_some_and(|e| e == "rs") {
                let text = std::fs::read_to_string(&path).expect("text");
                found.push((path, text));
            }
        }
    }
    let mut found = Vec::new();
    walk(&Path::new(CRATE).join("src"), &mut found);
    walk(&Path::new(CRATE).join("tests"), &mut found);
    found
}

/// Returns true if a source has the function that `name` gives as `home::function`, where `home` is the file,
/// its folder or a type that the file implements.
fn is_there(sources: &[(PathBuf, String)], name: &str) -> bool {
    let (home, function) = name.rsplit_once("::").unwrap_or_else(|| panic!("{name} says where it is"));
    sources.iter().any(|(path, text)| {
        let at_home = path.file_stem().is_some_and(|stem| stem == home)
            || path.parent().and_then(Path::file_name).is_some_and(|folder| folder == home)
            || text.lines().any(|line| {
                line.starts_with("impl")
                    && line.split(|c: char| !c.is_alphanumeric()).any(|word| word == home)
            });
        let starts = [format!("fn {function}("), format!("fn {function}<")];
        at_home && starts.iter().any(|start| text.contains(start))
    })
}

#[test]
fn every_requirement_has_code_and_a_test() {
    let sources = sources();
    for rfc in rfcs() {
        for requirement in tables(&rfc, "requirement") {
            let at = format!("RFC {}, section {}", rfc["number"], text(&requirement, "section"));
            assert!(
                !text(&requirement, "section").is_empty() && text(&requirement, "rule").ends_with('.'),
                "{at}"
            );
            for key in ["code", "test"] {
                let named = names(&requirement, key);
                assert!(!named.is_empty(), "{at}: no {key}");
                for name in named {
                    assert!(is_there(&sources, name), "{at}: {key} {name} is not there");
                }
            }
            let known = ["section", "rule", "code", "test", "exception"];
            assert!(requirement.keys().all(|key| known.contains(&key.as_str())), "{at}: an unknown key");
        }
    }
}

/// Returns the text of the page of RFC rules.
fn page() -> String {
    let mut page = HEAD.to_owned();
    for rfc in rfcs() {
        write!(page, "\n## RFC {}: {}\n\n", rfc["number"], text(&rfc, "title")).expect("a string");
        page.push_str("| section | rule | code | test |\n|---|---|---|---|\n");
        for requirement in tables(&rfc, "requirement") {
            let cell =
                |key| names(&requirement, key).iter().map(|n| format!("`{n}`")).collect::<Vec<_>>().join(" ");
            let exception = match text(&requirement, "exception") {
                "" => String::new(),
                why => format!(" *Exception:* {why}"),
            };
            let (section, rule) = (text(&requirement, "section"), text(&requirement, "rule"));
            writeln!(page, "| {section} | {rule}{exception} | {} | {} |", cell("code"), cell("test"))
                .expect("a string");
        }
    }
    page
}

#[test]
fn the_page_is_of_this_table() {
    let written = std::fs::read_to_string(PAGE).unwrap_or_default();
    assert!(written == page(), "docs/reference/rfc.md is not what the table says: make pages");
}

#[test]
#[ignore = "writes the page"]
fn renew_the_page() {
    std::fs::write(PAGE, page()).expect("the page can be written");
}
