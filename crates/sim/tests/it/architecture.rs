//! The direction of dependencies between the project's crates (rooms): the crates on the left are used by those on the right, never the reverse.

use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

/// Prefix of the names of our packages. The rest of a name is the room, which is also the name of the library and of
/// the folder.
const OURS: &str = "ackclock-";

/// Each room with the rooms that it may use.
const ARROWS: &[(&str, &[&str])] = &[
    ("base", &[]),
    ("engine", &["base"]),
    ("settings-derive", &[]),
    ("settings", &["base", "settings-derive"]),
    ("net", &["base", "settings"]),
    ("radio", &["base", "settings", "net"]),
    ("lte", &["base", "settings", "net", "radio"]),
    ("routing", &["base", "settings", "radio"]),
    ("wifi", &["base", "settings", "net", "radio", "routing"]),
    ("tcp", &["base", "settings"]),
    ("gateway", &["base", "settings", "net", "tcp"]),
    ("traffic", &["base", "settings"]),
    ("metrics", &["base"]),
    ("stack", &["base", "settings"]),
    ("quic", &["base", "settings", "stack"]),
    ("uml", &["base", "settings"]),
    // `quinn` uses `stack` and `quic` in its tests only.
    ("quinn", &["base", "settings", "tcp", "stack", "quic"]),
    (
        "sim",
        &[
            "base", "settings", "engine", "net", "radio", "routing", "wifi", "lte", "tcp", "gateway",
            "traffic", "stack", "quic", "uml", "metrics",
        ],
    ),
    ("emulate", &["base", "engine", "metrics", "sim"]),
    ("ackclock", &["base", "engine", "metrics", "sim", "tcp"]),
    ("py", &["base", "emulate", "engine", "metrics", "sim", "stack", "tcp"]),
    ("web", &["base", "engine", "metrics", "sim", "tcp"]),
    ("extension", &["py", "tcp"]),
];

fn packages() -> Vec<Value> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--no-deps", "--format-version", "1", "--offline"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("metadata is JSON");
    metadata["packages"].as_array().expect("packages").clone()
}

/// Returns the room of a package or dependency in cargo's metadata; for a third-party package, its name.
fn room_of(package: &Value) -> &str {
    let name = package["name"].as_str().expect("a name");
    name.strip_prefix(OURS).unwrap_or(name)
}

#[test]
fn rooms_use_only_rooms_to_their_left() {
    let allowed: BTreeMap<&str, &[&str]> = ARROWS.iter().copied().collect();
    for package in packages() {
        let room = room_of(&package);
        let Some(allowed) = allowed.get(room) else {
            panic!("the room {room} is new: say in this test, and in CONTRIBUTING.md, what it may use");
        };
        for dependency in package["dependencies"].as_array().expect("dependencies") {
            let used = room_of(dependency);
            let ours = ARROWS.iter().any(|(name, _)| *name == used);
            assert!(!ours || allowed.contains(&used), "{room} must not use {used}: it may use {allowed:?}");
        }
    }
}

#[test]
fn every_room_is_a_folder_of_its_name() {
    let mut rooms = Vec::new();
    for package in packages() {
        let manifest = package["manifest_path"].as_str().expect("a path");
        let folder = Path::new(manifest).parent().and_then(Path::file_name).expect("a folder");
        assert_eq!(folder, room_of(&package));
        let library = package["targets"].as_array().expect("targets")[0]["name"].as_str().expect("a name");
        let name = package["name"].as_str().expect("a name").replace('-', "_");
        // A library is named after its room or its package, or is the extension module `_core`.
        assert!(
            library == room_of(&package).replace('-', "_") || library == name || library == "_core",
            "{library}"
        );
        rooms.push(folder.to_owned());
    }
    assert_eq!(rooms.len(), ARROWS.len(), "{rooms:?}");
}

/// Crates that decide the fate of packets depend on no third-party libraries except for pure computation, and
/// so use no files, processes or threads.
#[test]
fn only_the_edges_use_third_parties() {
    // Third-party crates that every room may use: pure computation, with mathematical functions and a seeded generator.
    const EVERYWHERE: [&str; 2] = ["libm", "rand_xoshiro"];
    for package in packages() {
        let room = room_of(&package);
        // The crates at the edges may use third-party libraries: `quic`, `quinn` and `uml` for the stacks for
        // which they exist, `emulate` for devices and clocks, the others for files, formats and Python.
        if matches!(
            room,
            "settings"
                | "settings-derive"
                | "sim"
                | "py"
                | "extension"
                | "metrics"
                | "quic"
                | "quinn"
                | "uml"
                | "emulate"
                | "web"
        ) {
            continue;
        }
        for dependency in package["dependencies"].as_array().expect("dependencies") {
            let used = room_of(dependency);
            let pure = EVERYWHERE.contains(&used) || ARROWS.iter().any(|(name, _)| *name == used);
            assert!(pure || dependency["kind"] == "dev", "{room} must not use {used}");
        }
    }
}
