//! Variants: names for pairs of loss recovery and congestion control.

use crate::congestion::{Control, Controls, Custom};
use crate::recovery::Recovery;
use settings::{Error, nearest};
use std::sync::LazyLock;

/// A preset: a name for a pair of loss recovery and congestion control.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Variant {
    /// Name of the preset in scenarios and results.
    pub name: &'static str,
    /// Algorithm that decides which segments to retransmit, and when.
    pub recovery: Recovery,
    /// Name of the congestion control.
    pub control: &'static str,
    /// Description in one line.
    pub summary: &'static str,
    /// RFC or paper that the variant follows.
    pub source: &'static str,
    /// Names of the variant in ns-2, ns-3 and Linux; case is ignored.
    pub aliases: &'static [&'static str],
    /// True for the presets `tcp-linux-NAME`, in which values of `tcp-linux.toml` replace those of the
    /// profile.
    pub linux: bool,
}

/// Prefix of the presets for ns-2's TCP-Linux.
const TCP_LINUX: &str = "tcp-linux-";

/// Prefix that the presets for TCP-Linux had in an earlier version.
const WAS_TCP_LINUX: &str = "linux-";

/// Returns every preset in the order of lists and tables: the classic pairs, one for each other control (with
/// recovery `sack`), and one `tcp-linux-NAME` for each control that ns-2's TCP-Linux has.
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
            // Allocated once per process and never freed, so that the name is `'static`.
            name: Box::leak(format!("{TCP_LINUX}{}", a.name).into_boxed_str()),
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

/// Presets that are declared one by one; every other control has a preset with recovery `sack` and the
/// control's name.
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
        summary: "fast recovery; handles one loss per window, several usually end in a timeout",
        source: "RFC 5681",
        aliases: &["Agent/TCP/Reno", "TCP/Reno", "TcpReno", "ns3::TcpReno", "tcp_reno"],
        linux: false,
    },
    Variant {
        name: "newreno",
        recovery: Recovery::NewReno,
        control: "reno",
        summary: "fast recovery; repairs several losses per window, one per round trip",
        source: "RFC 6582",
        aliases: &["new-reno", "new_reno", "new reno", "Agent/TCP/Newreno", "TCP/Newreno"],
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
            "TcpNewReno",
            "ns3::TcpNewReno",
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
        aliases: &["Agent/TCP/Vegas", "TCP/Vegas", "tcp_vegas"],
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

/// Classes of ns-3, and the pair that each stands for. ns-3's sockets use SACK with any control, so these
/// pairs are not the presets of the same name.
const NS3_PAIRS: [(&str, &str); 2] = [("TcpVegas", "sack+vegas"), ("ns3::TcpVegas", "sack+vegas")];

/// Loss recovery of a variant that is only the name of a user-defined control.
pub const CUSTOM_RECOVERY: Recovery = Recovery::Sack;

/// A variant as a scenario names it: a preset or a pair.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Chosen {
    /// Name of the preset if the pair has one, otherwise `recovery+control`.
    pub name: String,
    /// Loss recovery of the preset or pair; that of the profile if the profile has one for a control named alone.
    pub recovery: Recovery,
    /// Name of the congestion control.
    pub control: &'static str,
    /// True if values of `tcp-linux.toml` replace those of the profile.
    pub linux: bool,
    /// The user-defined control; `None` if the control is a registered one.
    pub custom: Option<Custom>,
    /// True if the name is that of a control alone.
    pub alone: bool,
}

impl Chosen {
    /// Returns the variant with loss recovery `own` if its name is that of a control alone, otherwise the
    /// variant itself. `own` is the profile's loss recovery for such a name.
    pub(crate) fn with(self, own: Option<Recovery>) -> Self {
        match own {
            Some(recovery) if self.alone => {
                Self { name: pair_name(recovery, self.control), recovery, alone: false, ..self }
            }
            _ => self,
        }
    }
}

/// Returns the name of a pair: the name of its preset, or `recovery+control` if it has none.
fn pair_name(recovery: Recovery, control: &str) -> String {
    let preset = variants().iter().find(|v| v.recovery == recovery && v.control == control && !v.linux);
    preset.map_or_else(|| format!("{}+{control}", recovery.name()), |v| v.name.to_owned())
}

/// Returns the presets that had another name in an earlier version: former name and present name.
pub fn former_variants() -> impl Iterator<Item = (String, &'static str)> {
    let tcp_linux = variants().iter().filter(|v| v.linux);
    tcp_linux.map(|v| (format!("{WAS_TCP_LINUX}{}", v.control), v.name))
}

/// Returns the present name of the preset whose former name is `text`; `None` if there is none.
pub fn renamed_variant(text: &str) -> Option<&'static str> {
    let wanted = text.trim();
    let prefix = wanted.get(..WAS_TCP_LINUX.len())?;
    if !prefix.eq_ignore_ascii_case(WAS_TCP_LINUX) {
        return None;
    }
    former_variants().find(|(was, _)| was.eq_ignore_ascii_case(wanted)).map(|(_, now)| now)
}

/// Returns the name of the user-defined control that `text` can refer to; `None` if `text` is a preset or a
/// pair of registered names.
pub fn custom_name(text: &str) -> Option<&str> {
    if variant(text, &Controls::default()).is_ok() {
        return None;
    }
    let wanted = text.trim();
    let pair = wanted.split_once('+');
    Some(pair.filter(|(left, _)| recovery(left).is_some()).map_or(wanted, |(_, right)| right.trim()))
}

fn recovery(name: &str) -> Option<Recovery> {
    Recovery::by_name(&name.trim().to_lowercase())
}

/// Returns the variant that `text` names with a user-defined control in `controls`: a pair, or the control
/// alone, which has the recovery [`CUSTOM_RECOVERY`]. `None` if `text` names no such control.
fn custom(text: &str, controls: &Controls) -> Option<Chosen> {
    let name = custom_name(text)?;
    let found = controls.get(name)?;
    let pair =
        text.trim().split_once('+').and_then(|(left, _)| recovery(left)).filter(|_| text.trim() != name);
    let recovery = pair.unwrap_or(CUSTOM_RECOVERY);
    let control = found.algorithm().name;
    let name = pair.map_or_else(|| control.to_owned(), |recovery| format!("{}+{control}", recovery.name()));
    let alone = pair.is_none();
    Some(Chosen { name, recovery, control, linux: false, custom: Some(found.clone()), alone })
}

/// Returns the variant that `text` names, with one of `controls` or a registered control; the error's path is
/// empty.
pub(crate) fn variant(text: &str, controls: &Controls) -> Result<Chosen, Error> {
    if !controls.is_empty()
        && let Some(chosen) = custom(text, controls)
    {
        return Ok(chosen);
    }
    let wanted = text.trim();
    let pair = NS3_PAIRS.iter().find(|(class, _)| class.eq_ignore_ascii_case(wanted));
    let wanted = pair.map_or(wanted, |(_, pair)| pair);
    let same = |name: &&str| name.eq_ignore_ascii_case(wanted);
    if let Some(v) = variants().iter().find(|v| same(&v.name) || v.aliases.iter().any(&same)) {
        let Variant { name, recovery, control, linux, .. } = *v;
        let alone = name == control;
        return Ok(Chosen { name: name.to_owned(), recovery, control, linux, custom: None, alone });
    }
    // The first `+` separates the names, because a control's name can end with one ("sack+westwood+").
    let Some((left, right)) = wanted.split_once('+') else {
        return Err(unknown(text, controls));
    };
    let (left, right) = (left.trim().to_lowercase(), right.trim().to_lowercase());
    let recovery = Recovery::by_name(&left).ok_or_else(|| {
        let names = Recovery::ALL.iter().map(|r| r.1);
        let near = nearest(&left, names.clone()).map(|r| format!("{r}+{right}"));
        let error = Error::new("", format!("there is no loss recovery \"{left}\"")).names(&left, names);
        Error { nearest: near, ..error }
    })?;
    let control = Control::ALL.iter().map(|a| a.name).find(|name| *name == right).ok_or_else(|| {
        let names = Control::ALL.iter().map(|a| a.name);
        let near = nearest(&right, names.clone()).map(|c| format!("{left}+{c}"));
        let error =
            Error::new("", format!("there is no congestion control \"{right}\"")).names(&right, names);
        Error { nearest: near, ..error }
    })?;
    let name = pair_name(recovery, control);
    Ok(Chosen { name, recovery, control, linux: false, custom: None, alone: false })
}

fn unknown(text: &str, controls: &Controls) -> Error {
    let presets = variants().iter().filter(|v| !v.linux).map(|v| v.name).chain(controls.names());
    // A misspelled name of another simulator is compared with the aliases; the suggestion is the name of the
    // preset that has the most similar one.
    let former = renamed_variant(text).map(str::to_owned);
    let near = former.or_else(|| nearest(text, presets.clone())).or_else(|| {
        let alias = nearest(text, variants().iter().flat_map(|v| v.aliases.iter().copied()))?;
        variants().iter().find(|v| v.aliases.contains(&alias.as_str())).map(|v| v.name.to_owned())
    });
    let allowed = format!(
        "{}, tcp-linux-NAME, or a pair of recovery and control like \"newreno+vegas\" (ackclock list variants), or a control of your own like \"./mine.py:Mine\"",
        presets.collect::<Vec<_>>().join(", ")
    );
    Error { nearest: near, ..Error::new("", format!("there is no TCP variant \"{text}\"")).allowed(allowed) }
}
