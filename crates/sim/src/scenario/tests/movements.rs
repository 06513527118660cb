//! Movements read from files of ns-2's setdest and BonnMotion.

use super::radios::PAIR;
use crate::model::{Scenario, Start};
use crate::scenario::{Document, ScenarioError, describe};
use radio::Position;
use radio::mobility::Config;
use tempfile::TempDir;

fn read(file: &str, content: &str, mobility: &str) -> Result<Scenario, ScenarioError> {
    let folder = TempDir::new().unwrap();
    std::fs::write(folder.path().join(file), content).unwrap();
    let text = PAIR.replace("position = [0, 0]", &format!("mobility = {mobility}"));
    let mut document = Document::from_toml(&text).unwrap();
    document.read_files(folder.path())?;
    // The stored scenario contains the movements, so that the file is needed no more.
    Document::from_json(&document.canonical_json()).unwrap().check()
}

#[test]
fn setdest() {
    let file = "$node_(0) set X_ 5\n$node_(1) set X_ 7\n$node_(1) set Y_ 8\n# a comment\n$ns_ at 2.0 \"$node_(1) setdest 7 28 10\"\n";
    let mobility = "{ kind = \"setdest\", trace = \"m.tcl\", node = 1 }";
    let scenario = read("m.tcl", file, mobility).unwrap();
    let place = scenario.places[0].as_ref().unwrap();
    assert_eq!(place.start, Start::At(Position::new(7.0, 8.0, 0.0)));
    let track = place.mobility.as_ref().and_then(Config::track).unwrap();
    assert_eq!(track.legs().last().unwrap().to, Position::new(7.0, 28.0, 0.0));
    let written = describe(&scenario);
    let again = Document::from_json(&written).unwrap().check().unwrap();
    assert_eq!(describe(&again), written);

    let broken = read(
        "broken.tcl",
        "$node_(1) set X_ 5\n$node_(1) set Q_ 5\n",
        "{ kind = \"setdest\", trace = \"broken.tcl\", node = 1 }",
    );
    let said = broken.unwrap_err().to_string();
    assert!(
        said.starts_with("node.a.mobility.trace (line 5): broken.tcl, line 2: `Q_` is not a coordinate"),
        "{said}"
    );
    let missing =
        read("m2.tcl", file, "{ kind = \"setdest\", trace = \"m2.tcl\", node = 7 }").unwrap_err().to_string();
    assert_eq!(
        missing,
        "node.a.mobility.node (line 5): m2.tcl has no node 7\n  given:   7\n  allowed: node = 0 to 1"
    );
}

#[test]
fn bonnmotion() {
    let file = "0 1 2 10 11 12\n0 3 4 5 8 9\n";
    let scenario =
        read("m.movements", file, "{ kind = \"bonnmotion\", trace = \"m.movements\", node = 1 }").unwrap();
    assert_eq!(scenario.places[0].as_ref().unwrap().start, Start::At(Position::new(3.0, 4.0, 0.0)));
    let broken =
        read("b.movements", "0 1 2\n0 1\n", "{ kind = \"bonnmotion\", trace = \"b.movements\", node = 0 }");
    let said = broken.unwrap_err().to_string();
    assert!(said.starts_with("node.a.mobility.trace (line 5): b.movements, line 2: 2 numbers"), "{said}");
}
