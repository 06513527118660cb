//! The well-known variants and the profiles of endpoint behaviour: data, no behaviour.

use super::decode::decode;
use super::wire::tcp::Tcp;
use crate::scenario::ScenarioError;
use serde::{Deserialize, Serialize};
use settings::{Node, nearest};
use std::collections::BTreeMap;
use std::sync::LazyLock;
use tcp::congestion::Control;
use tcp::recovery::Recovery;

/// A well-known name for a pair of loss recovery and congestion control.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Variant {
    /// The one spelling in results.
    pub name: &'static str,
    /// Loss recovery.
    pub recovery: Recovery,
    /// Congestion control, by name.
    pub control: &'static str,
    /// One line.
    pub summary: &'static str,
    /// The RFC or paper that it follows.
    pub source: &'static str,
    /// What users of ns-2, ns-3 and Linux type; matched without regard to case.
    pub aliases: &'static [&'static str],
    /// One of the presets `linux-NAME`: `tcp-linux.toml` is laid over the profile.
    pub linux: bool,
}

/// Every preset, in the order of lists and tables: the classic pairs, one for each control that came later (with recovery
/// `sack`), and one `linux-NAME` for each control that ns-2's TCP-Linux has.
pub fn variants() -> &'static [Variant] {
    static ALL: LazyLock<Vec<Variant>> = LazyLock::new(|| {
        let later = Control::ALL.iter().filter(|a| !CLASSIC.iter().any(|v| v.control == a.name));
        let later = later.map(|a| Variant {
            name: a.name,
            recovery: Recovery::Sack,
            control: a.name,
            summary: a.summary,
            source: a.source,
            aliases: a.aliases,
            linux: false,
        });
        let linux = Control::ALL.iter().filter(|a| a.linux).map(|a| Variant {
            // Once in a process, so that every name lives as long.
            name: Box::leak(format!("linux-{}", a.name).into_boxed_str()),
            recovery: Recovery::Sack,
            control: a.name,
            summary: a.summary,
            source: "as in ns-2's TCP-Linux",
            aliases: &[],
            linux: true,
        });
        CLASSIC.iter().copied().chain(later).chain(linux).collect()
    });
    &ALL
}

/// What the presets `linux-NAME` set on top of a profile.
///
/// # Panics
/// Where the file is broken: a bug that a test of this room finds.
pub(super) fn tcp_linux() -> &'static Overlay {
    static TCP_LINUX: LazyLock<Overlay> = LazyLock::new(|| {
        let document = Node::from_toml(include_str!("profiles/tcp-linux.toml"));
        document.and_then(|d| decode::<Overlay>(&d.into())).unwrap_or_else(|e| panic!("tcp-linux.toml: {e}"))
    });
    &TCP_LINUX
}

/// Values laid over those of a profile.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Overlay {
    /// For every variant.
    tcp: Tcp,
    /// What is different for a congestion control, by its name.
    #[serde(default)]
    controls: BTreeMap<String, Tcp>,
}

impl Overlay {
    /// The values over `profile`, for a variant with this control.
    pub(super) fn over(&self, profile: &Tcp, control: &str) -> Tcp {
        let own = self.controls.get(control).cloned().unwrap_or_default();
        own.or(&self.tcp).or(profile)
    }

    /// The controls that have values of their own.
    #[cfg(test)]
    pub(super) fn controls(&self) -> impl Iterator<Item = &str> {
        self.controls.keys().map(String::as_str)
    }
}

/// The presets that are more than `sack` with a control of the same name.
const CLASSIC: &[Variant] = &[
    Variant {
        name: "tahoe",
        recovery: Recovery::Tahoe,
        control: "reno",
        summary: "fast retransmit, then slow start from one segment",
        source: "Jacobson 1988",
        aliases: &["Agent/TCP", "TCP", "TCP/Tahoe", "Agent/TCP/Tahoe", "TcpTahoe", "ns3::TcpTahoe"],
        linux: false,
    },
    Variant {
        name: "reno",
        recovery: Recovery::Reno,
        control: "reno",
        summary: "fast recovery, which one loss in a window ends well",
        source: "RFC 5681",
        aliases: &["Agent/TCP/Reno", "TCP/Reno", "TcpReno", "ns3::TcpReno", "tcp_reno"],
        linux: false,
    },
    Variant {
        name: "newreno",
        recovery: Recovery::NewReno,
        control: "reno",
        summary: "fast recovery that partial acknowledgments carry through several losses",
        source: "RFC 6582",
        aliases: &[
            "new-reno",
            "new_reno",
            "new reno",
            "Agent/TCP/Newreno",
            "TCP/Newreno",
            "TcpNewReno",
            "ns3::TcpNewReno",
        ],
        linux: false,
    },
    Variant {
        name: "sack",
        recovery: Recovery::Sack,
        control: "reno",
        summary: "retransmits what selective acknowledgments show missing; Linux's `reno` behaves so",
        source: "RFC 6675",
        aliases: &[
            "sack1",
            "TCP/Sack1",
            "Agent/TCP/Sack1",
            "TCP/Sack",
            "Agent/TCP/Sack",
            "TcpSack",
            "TcpLinuxReno",
            "ns3::TcpLinuxReno",
        ],
        linux: false,
    },
    Variant {
        name: "fack",
        recovery: Recovery::Fack,
        control: "reno",
        summary: "counts the data in flight from the forward-most selective acknowledgment",
        source: "Mathis and Mahdavi 1996",
        aliases: &["Agent/TCP/Fack", "TCP/Fack", "TcpFack"],
        linux: false,
    },
    Variant {
        name: "vegas",
        recovery: Recovery::Reno,
        control: "vegas",
        summary: "keeps a few segments queued at the bottleneck, by the round-trip time",
        source: "Brakmo and Peterson 1995",
        aliases: &["Agent/TCP/Vegas", "TCP/Vegas", "TcpVegas", "ns3::TcpVegas", "tcp_vegas"],
        linux: false,
    },
    Variant {
        name: "rack",
        recovery: Recovery::Rack,
        control: "reno",
        summary: "judges losses by the time of sending, and probes for those of the tail",
        source: "RFC 8985",
        aliases: &["rack-tlp", "tcp_rack"],
        linux: false,
    },
];

/// A variant as a scenario names it: a preset or a pair.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Chosen {
    /// The preset's name where the pair has one, else `recovery+control`.
    pub name: String,
    /// Loss recovery.
    pub recovery: Recovery,
    /// Congestion control, by name.
    pub control: &'static str,
    /// Whether [`tcp_linux`] is laid over the profile.
    pub linux: bool,
}

/// The variant that `text` names; the error's path is empty.
pub(super) fn variant(text: &str) -> Result<Chosen, ScenarioError> {
    let wanted = text.trim();
    let same = |name: &&str| name.eq_ignore_ascii_case(wanted);
    if let Some(v) = variants().iter().find(|v| same(&v.name) || v.aliases.iter().any(&same)) {
        let Variant { name, recovery, control, linux, .. } = *v;
        return Ok(Chosen { name: name.to_owned(), recovery, control, linux });
    }
    // The first `+` divides: a control's own name may end in one ("sack+westwood+").
    let Some((left, right)) = wanted.split_once('+') else {
        return Err(unknown(text));
    };
    let (left, right) = (left.trim().to_lowercase(), right.trim().to_lowercase());
    let recovery = Recovery::by_name(&left).ok_or_else(|| {
        let names = Recovery::ALL.iter().map(|r| r.1);
        let near = nearest(&left, names.clone()).map(|r| format!("{r}+{right}"));
        let error =
            ScenarioError::new("", format!("there is no loss recovery \"{left}\"")).names(&left, names);
        ScenarioError { nearest: near, ..error }
    })?;
    let control = Control::ALL.iter().map(|a| a.name).find(|name| *name == right).ok_or_else(|| {
        let names = Control::ALL.iter().map(|a| a.name);
        let near = nearest(&right, names.clone()).map(|c| format!("{left}+{c}"));
        let error = ScenarioError::new("", format!("there is no congestion control \"{right}\""))
            .names(&right, names);
        ScenarioError { nearest: near, ..error }
    })?;
    let preset = variants().iter().find(|v| v.recovery == recovery && v.control == control && !v.linux);
    let name = preset.map_or_else(|| format!("{}+{control}", recovery.name()), |v| v.name.to_owned());
    Ok(Chosen { name, recovery, control, linux: false })
}

fn unknown(text: &str) -> ScenarioError {
    let presets = variants().iter().filter(|v| !v.linux).map(|v| v.name);
    // A slip in another simulator's name is near that name, and the suggestion is ours for it.
    let near = nearest(text, presets.clone()).or_else(|| {
        let alias = nearest(text, variants().iter().flat_map(|v| v.aliases.iter().copied()))?;
        variants().iter().find(|v| v.aliases.contains(&alias.as_str())).map(|v| v.name.to_owned())
    });
    let allowed = format!(
        "{}, linux-NAME, or a pair of recovery and control like \"newreno+vegas\" (ackclock list variants)",
        presets.collect::<Vec<_>>().join(", ")
    );
    ScenarioError {
        nearest: near,
        ..ScenarioError::new("", format!("there is no TCP variant \"{text}\"")).allowed(allowed)
    }
}

/// A profile: values of the parameters of a `tcp` table, and nothing else.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Profile {
    /// Its name in scenarios.
    #[serde(skip)]
    pub name: &'static str,
    /// One line.
    pub summary: String,
    /// Where the values come from.
    pub source: String,
    /// A value for every parameter; in a file but the first, those that differ from the first.
    pub tcp: Tcp,
    /// What is different for a variant, by the preset's name, or for a control, by `+` and its name.
    #[serde(default)]
    pub variants: BTreeMap<String, Tcp>,
}

impl Profile {
    /// With the values of `base` where it says nothing.
    fn over(mut self, base: Option<&Self>) -> Self {
        let Some(base) = base else { return self };
        self.tcp = self.tcp.or(&base.tcp);
        for (variant, values) in &base.variants {
            let own = self.variants.remove(variant).unwrap_or_default();
            self.variants.insert(variant.clone(), own.or(values));
        }
        self
    }
}

/// The profiles as text: the first gives every value, the others what differs from it, in the syntax of a scenario's `tcp` table.
const PROFILE_FILES: &[(&str, &str)] = &[
    ("rfc", include_str!("profiles/rfc.toml")),
    ("linux", include_str!("profiles/linux.toml")),
    ("ns2", include_str!("profiles/ns2.toml")),
];

/// Every profile; the first is the default.
///
/// # Panics
/// Where a profile's own file is broken: a bug that a test of this room finds.
pub fn profiles() -> &'static [Profile] {
    static PROFILES: LazyLock<Vec<Profile>> = LazyLock::new(|| {
        let mut profiles: Vec<Profile> = Vec::new();
        for (name, text) in PROFILE_FILES {
            let document = Node::from_toml(text).and_then(|d| decode::<Profile>(&d.into()));
            let profile = document.unwrap_or_else(|e| panic!("profile {name}: {e}"));
            profiles.push(Profile { name, ..profile }.over(profiles.first()));
        }
        profiles
    });
    &PROFILES
}

/// The profile called `name`; the error's path is empty.
pub(super) fn profile(name: &str) -> Result<&'static Profile, ScenarioError> {
    let found = profiles().iter().find(|p| p.name.eq_ignore_ascii_case(name.trim()));
    found.ok_or_else(|| {
        ScenarioError::new("", format!("there is no profile \"{name}\""))
            .names(name, profiles().iter().map(|p| p.name))
    })
}
