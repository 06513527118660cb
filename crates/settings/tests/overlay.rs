//! Tables merged over a base: given values replace those of the base.

use settings::{Error, Kinds, Node, Overlay, Setting, Settings};

/// An enum with two kinds, as an example of a nested setting.
#[derive(Clone, PartialEq, Debug, Kinds)]
#[settings(what = "way", overlay)]
enum Way {
    /// Short.
    Short(Steps),
    /// Long.
    Long(Steps),
}

/// Steps of a way.
#[derive(Clone, PartialEq, Debug, Settings)]
struct Steps {
    /// Number of steps.
    #[setting(default = 1)]
    count: u32,
    /// Lower and upper width.
    #[setting(default = [0.5, 2.0])]
    widths: [f64; 2],
}

/// A walk.
#[derive(Clone, PartialEq, Debug, Settings)]
struct Walk {
    /// Way of the walk.
    #[setting(default = Way::Short(Steps::default()))]
    way: Way,
    /// Speed of the walk.
    #[setting(default = 1.0)]
    speed: f64,
}

fn laid(given: &str, base: &Walk) -> Result<Walk, Error> {
    let given = Node::from_toml(given).expect("TOML");
    <Overlay<Walk> as Settings>::read_fields(&given, None)?.over(base)
}

#[test]
fn what_is_not_given_holds_from_elsewhere() {
    let steps = Steps { count: 7, widths: [1.0, 3.0] };
    let base = Walk { way: Way::Long(steps.clone()), speed: 2.0 };
    let same = laid("way = { kind = \"long\", count = 8 }", &base).expect("a walk");
    assert_eq!(same, Walk { way: Way::Long(Steps { count: 8, ..steps }), speed: 2.0 });
    // A kind other than the base's begins with its own defaults.
    let other = laid("way = { kind = \"short\", count = 8 }", &base).expect("a walk");
    assert_eq!(other.way, Way::Short(Steps { count: 8, ..Steps::default() }));
    let wrong = laid("way = { kind = \"long\", widths = [1] }", &base).expect_err("one width");
    assert_eq!((wrong.path.as_str(), wrong.allowed.as_str()), ("way.widths", "a list of 2"));
}

#[test]
fn keys_are_left_out_at_either_level() {
    let all = Overlay::of(&Walk::default());
    let mut table = Node::table();
    all.without(&["speed", "way.widths"]).write_fields(&mut table);
    assert_eq!(table.to_json(), r#"{"way":{"kind":"short","count":1}}"#);
    assert!(Walk::read(&table).is_ok());
}
