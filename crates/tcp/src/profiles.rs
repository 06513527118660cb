//! Profiles: named sets of values that replace parameters' defaults. A profile is data and has no behaviour
//! of its own.

use crate::config::{Config, Parameters};
use crate::recovery::Recovery;
use settings::{Data, Error, Form, Node, Schemas, Setting, Settings, node::Str, schema::Json};
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// A profile: values for parameters of a `tcp` table.
#[derive(Clone, PartialEq, Debug, Settings)]
#[settings(no_default)]
pub struct Profile {
    /// Name in scenarios.
    #[setting(skip, default = "")]
    pub name: &'static str,
    /// Description in one line.
    #[setting(needed = "one line")]
    pub summary: String,
    /// Source of the values.
    #[setting(needed = "where the values come from")]
    pub source: String,
    /// Loss recovery of a control that is named alone; if empty, that of the preset of this name.
    #[setting(default = String::new())]
    pub recovery: String,
    /// Values of the profile; a parameter without a value here follows the RFCs.
    #[setting(default = Parameters::default())]
    pub tcp: Parameters,
    /// Values for a variant, by the name of the preset, or for a control, by `+` and its name.
    #[setting(default = BTreeMap::new(), form = ByName)]
    pub variants: BTreeMap<String, Parameters>,
}

impl Profile {
    /// Returns the values of all parameters.
    pub fn values(&self) -> Parameters {
        self.tcp.clone().or(&Parameters::of(&Config::default()))
    }

    /// Returns the loss recovery of a variant named only by its control, if the profile has one for it.
    pub(crate) fn own_recovery(&self) -> Option<Recovery> {
        Recovery::by_name(&self.recovery)
    }

    /// Returns the profile's values for variant `variant`, whose control is `control`. Values for the variant
    /// take precedence, then those for the control, then those for all variants.
    pub(crate) fn preset(&self, variant: &str, control: &str) -> Parameters {
        self.own(variant, control).or(&self.tcp)
    }

    /// Returns only the values for `variant` and those for `control`; values for the variant take precedence.
    pub(crate) fn own(&self, variant: &str, control: &str) -> Parameters {
        let of = |name: &str| self.variants.get(name).cloned().unwrap_or_default();
        of(variant).or(&of(&format!("+{control}")))
    }
}

/// Returns all profiles. The first, which has the default values, is used if a table names no profile.
///
/// # Panics
/// If a file of a profile is invalid, which is a bug; a test checks it.
pub fn profiles() -> &'static [Profile] {
    static PROFILES: LazyLock<Vec<Profile>> = LazyLock::new(|| {
        let mut profiles: Vec<Profile> = Vec::new();
        for (name, text) in FILES {
            let mut profile: Profile = built_in(name, text);
            profile.name = name;
            // The first profile's values for variants apply to the other profiles too.
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

/// Files of the profiles, in the format of a scenario's `tcp` table.
const FILES: &[(&str, &str)] = &[
    ("rfc", include_str!("profiles/rfc.toml")),
    ("linux", include_str!("profiles/linux.toml")),
    ("ns2", include_str!("profiles/ns2.toml")),
    ("ns3", include_str!("profiles/ns3.toml")),
];

/// Returns the profile called `name`; the path of the error is empty.
pub(crate) fn profile(name: &str) -> Result<&'static Profile, Error> {
    let found = profiles().iter().find(|p| p.name.eq_ignore_ascii_case(name.trim()));
    found.ok_or_else(|| {
        Error::new("", format!("there is no profile \"{name}\""))
            .names(name, profiles().iter().map(|p| p.name))
    })
}

/// Values of the presets `tcp-linux-NAME`, which replace those of a profile.
#[derive(Clone, PartialEq, Debug, Settings)]
pub(crate) struct Overlay {
    /// Values for all variants.
    #[setting(default = Parameters::default())]
    tcp: Parameters,
    /// Values for a congestion control, by its name.
    #[setting(default = BTreeMap::new(), form = ByName)]
    controls: BTreeMap<String, Parameters>,
}

impl Overlay {
    /// Returns the values for a variant with this control; values that are not given here are taken from
    /// `preset`.
    pub(crate) fn over(&self, preset: &Parameters, control: &str) -> Parameters {
        let own = self.controls.get(control).cloned().unwrap_or_default();
        own.or(&self.tcp).or(preset)
    }
}

/// Returns the values of the endpoint of ns-2's TCP-Linux.
///
/// # Panics
/// If its file is invalid, which is a bug; a test checks it.
pub(crate) fn tcp_linux() -> &'static Overlay {
    static TCP_LINUX: LazyLock<Overlay> =
        LazyLock::new(|| built_in("tcp-linux", include_str!("profiles/tcp-linux.toml")));
    &TCP_LINUX
}

/// Reads a file that is compiled into the crate.
fn built_in<T: Setting>(name: &str, text: &str) -> T {
    let read = Node::from_toml(text).and_then(|node| T::read(&node));
    read.unwrap_or_else(|e| panic!("{name}.toml: {e}"))
}

/// Form of tables of parameters by name.
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
        let one = |(name, node): &(Str, Node)| {
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

    /// The recovery that a profile names exists.
    #[test]
    fn their_recoveries_are_there() {
        for profile in profiles() {
            assert_eq!(profile.own_recovery().is_some(), !profile.recovery.is_empty(), "{}", profile.name);
        }
    }

    /// Each value of a profile differs from the default, or from the value that would follow from the
    /// profile's other parameters.
    #[test]
    fn they_repeat_no_default() {
        let defaults = Parameters::of(&Config::default());
        for profile in profiles() {
            for name in profile.tcp.names() {
                let mut without = profile.tcp.clone();
                without.remove(name);
                let own = profile.tcp.get(name).map(Setting::write);
                let differs = |other: &Parameters| own != other.get(name).map(Setting::write);
                assert!(
                    differs(&defaults) || differs(&without.or(&defaults)),
                    "profile {}: {name}",
                    profile.name
                );
            }
        }
    }
}
