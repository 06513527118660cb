//! Profiles: sets of values for the parameters, laid over their defaults. Data, no behaviour.

use crate::config::{Config, Parameters};
use settings::{Data, Error, Form, Node, Schemas, Setting, Settings, schema::Json};
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// A profile: values of the parameters of a `tcp` table, and nothing else.
#[derive(Clone, PartialEq, Debug, Settings)]
#[settings(no_default)]
pub struct Profile {
    /// Its name in scenarios.
    #[setting(skip, default = "")]
    pub name: &'static str,
    /// One line.
    #[setting(needed = "one line")]
    pub summary: String,
    /// The source of the values.
    #[setting(needed = "where the values come from")]
    pub source: String,
    /// Its own values; the others are those of the RFCs.
    #[setting(default = Parameters::default())]
    pub tcp: Parameters,
    /// Differences of a variant, by the preset's name, or of a control, by `+` and its name.
    #[setting(default = BTreeMap::new(), form = ByName)]
    pub variants: BTreeMap<String, Parameters>,
}

impl Profile {
    /// Returns a value for every parameter.
    pub fn values(&self) -> Parameters {
        self.tcp.clone().or(&Parameters::of(&Config::default()))
    }

    /// Returns its values for a variant with this control: the variant's own, its control's whatever the recovery, the
    /// general ones.
    pub(crate) fn preset(&self, variant: &str, control: &str) -> Parameters {
        self.own(variant, control).or(&self.tcp)
    }

    /// Returns its values of the variant or of its control alone.
    pub(crate) fn own(&self, variant: &str, control: &str) -> Parameters {
        let of = |name: &str| self.variants.get(name).cloned().unwrap_or_default();
        of(variant).or(&of(&format!("+{control}")))
    }
}

/// Returns every profile. The first has the default values; it is used if a table names none.
///
/// # Panics
/// If a profile's own file is broken: a bug that a test of this crate finds.
pub fn profiles() -> &'static [Profile] {
    static PROFILES: LazyLock<Vec<Profile>> = LazyLock::new(|| {
        let mut profiles: Vec<Profile> = Vec::new();
        for (name, text) in FILES {
            let mut profile: Profile = built_in(name, text);
            profile.name = name;
            // The first profile's values for a variant apply in the others, too.
            for (variant, values) in profiles.first().map(|first| &first.variants).into_iter().flatten() {
                let own = profile.variants.remove(variant).unwrap_or_default();
                profile.variants.insert(variant.clone(), own.or(values));
            }
            profiles.push(profile);
        }
        profiles
    });
    &PROFILES
}

/// The profiles as text, in the syntax of a scenario's `tcp` table.
const FILES: &[(&str, &str)] = &[
    ("rfc", include_str!("profiles/rfc.toml")),
    ("linux", include_str!("profiles/linux.toml")),
    ("ns2", include_str!("profiles/ns2.toml")),
    ("ns3", include_str!("profiles/ns3.toml")),
];

/// Returns the profile called `name`; the error's path is empty.
pub(crate) fn profile(name: &str) -> Result<&'static Profile, Error> {
    let found = profiles().iter().find(|p| p.name.eq_ignore_ascii_case(name.trim()));
    found.ok_or_else(|| {
        Error::new("", format!("there is no profile \"{name}\""))
            .names(name, profiles().iter().map(|p| p.name))
    })
}

/// Values of the presets `tcp-linux-NAME` on top of a profile.
#[derive(Clone, PartialEq, Debug, Settings)]
pub(crate) struct Overlay {
    /// For every variant.
    #[setting(default = Parameters::default())]
    tcp: Parameters,
    /// Differences of a congestion control, by its name.
    #[setting(default = BTreeMap::new(), form = ByName)]
    controls: BTreeMap<String, Parameters>,
}

impl Overlay {
    /// Returns the values over `preset`, for a variant with this control.
    pub(crate) fn over(&self, preset: &Parameters, control: &str) -> Parameters {
        let own = self.controls.get(control).cloned().unwrap_or_default();
        own.or(&self.tcp).or(preset)
    }
}

/// Returns the endpoint of ns-2's TCP-Linux.
///
/// # Panics
/// If its own file is broken: a bug that a test of this crate finds.
pub(crate) fn tcp_linux() -> &'static Overlay {
    static TCP_LINUX: LazyLock<Overlay> =
        LazyLock::new(|| built_in("tcp-linux", include_str!("profiles/tcp-linux.toml")));
    &TCP_LINUX
}

/// Reads a file of this crate.
fn built_in<T: Setting>(name: &str, text: &str) -> T {
    let read = Node::from_toml(text).and_then(|node| T::read(&node));
    read.unwrap_or_else(|e| panic!("{name}.toml: {e}"))
}

/// Parameters by name.
struct ByName;

impl Form<BTreeMap<String, Parameters>> for ByName {
    fn expected() -> String {
        "tables by name".to_owned()
    }
    fn value() -> String {
        "tables by name".to_owned()
    }
    fn read(node: &Node) -> Result<BTreeMap<String, Parameters>, Error> {
        let Data::Table(fields) = &node.data else {
            return Err(settings::setting::misplaced(node, Self::expected()));
        };
        let one = |(name, node): &(Box<str>, Node)| {
            Ok((name.to_string(), Parameters::read(node).map_err(|e| e.under(name))?))
        };
        fields.iter().map(one).collect()
    }
    fn write(by_name: &BTreeMap<String, Parameters>) -> Node {
        let mut table = Node::table();
        for (name, parameters) in by_name {
            table.insert(name, parameters.write());
        }
        table
    }
    fn schema(_: &mut Schemas) -> Json {
        Json::Null
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::variants::variants;

    #[test]
    fn what_they_name_is_there() {
        for profile in profiles() {
            for name in profile.variants.keys() {
                let known = |v: &crate::Variant| v.name == name || name.strip_prefix('+') == Some(v.control);
                assert!(variants().iter().any(known), "{name}");
            }
        }
        for control in tcp_linux().controls.keys() {
            assert!(variants().iter().any(|v| v.linux && v.control == control), "{control}");
        }
    }

    /// A profile names only what differs.
    #[test]
    fn they_repeat_no_default() {
        let defaults = Parameters::of(&Config::default());
        for profile in profiles() {
            for name in profile.tcp.names() {
                assert_ne!(profile.tcp.get(name), defaults.get(name), "profile {}: {name}", profile.name);
            }
        }
    }
}
