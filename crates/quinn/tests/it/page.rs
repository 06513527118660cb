//! The how-to guide lists, for each control, the features that quinn ignores.

use ackclock_quinn::{Control, dropped};
use std::path::Path;

#[test]
fn the_page_lists_what_is_dropped() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/howto/use-quinn.md");
    let page = std::fs::read_to_string(page).expect("the page");
    let listed: Vec<&str> = page.lines().filter(|line| line.starts_with("| `")).collect();
    let mut expected = Vec::new();
    for algorithm in Control::ALL {
        let parts = dropped(&Control::by_name(algorithm.name, &[]).expect("registered"));
        if !parts.is_empty() {
            let parts: Vec<&str> = parts.iter().map(|part| part.name()).collect();
            expected.push(format!("| `{}` | {} |", algorithm.name, parts.join(", ")));
        }
    }
    assert_eq!(listed, expected);
}
