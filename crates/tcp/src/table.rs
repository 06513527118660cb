//! The `tcp` table of a flow, and the configuration that it gives.

use crate::config::{Config, Origin, Parameters};
use crate::congestion::{Control, Controls};
use crate::profiles::{profile, profiles, tcp_linux};
use crate::variants::{Chosen, variant, variants};
use settings::{
    Error, Form, Node, Own, Schemas, Setting, Settings,
    schema::{Json, json},
};

/// TCP at both ends of a flow: variant, and parameters of the endpoints. Values that are not given come from
/// the profile.
#[derive(Clone, PartialEq, Debug, Settings)]
#[settings(named = "tcp", expecting = "a table: { variant = \"newreno\" }")]
pub struct Table {
    /// Name of a preset (ackclock list variants), or a pair of loss recovery and congestion control
    /// ("sack+reno"). Names used in ns-2, ns-3 and Linux are accepted; case is ignored. In profile
    /// linux a control named alone has recovery rack, as Linux has.
    #[setting(form = VariantName)]
    pub variant: Option<String>,
    /// Profile: the set of values from which parameters are taken that are not given.
    #[setting(form = ProfileName, absent = "\"rfc\"")]
    pub profile: Option<String>,
    /// Parameters that the table itself gives.
    #[setting(flatten)]
    pub parameters: Parameters,
    /// User-defined controls that `variant` can name.
    #[setting(skip, default = Controls::default())]
    pub controls: Controls,
}

impl Table {
    /// Returns a table that gives every parameter of `config`.
    pub fn of(variant: &str, config: &Config) -> Self {
        let mut controls = Controls::default();
        config.control.custom().cloned().into_iter().for_each(|custom| controls.add(custom));
        let parameters = Parameters::of(config);
        Self { variant: Some(variant.to_owned()), profile: None, parameters, controls }
    }

    /// Returns the default profile's values for a variant: those for its name and those for its control.
    ///
    /// # Errors
    /// If there is no such variant.
    pub fn preset(name: &str, controls: &Controls) -> Result<Self, Error> {
        let chosen = variant(name, controls).map_err(|e| e.under("variant"))?;
        let preset = profiles()[0].own(&chosen.name, chosen.control);
        let parameters = if chosen.linux { tcp_linux().over(&preset, chosen.control) } else { preset };
        Ok(Self { variant: None, profile: None, parameters, controls: controls.clone() })
    }

    /// Completes the table: values that it does not give are taken from `base`.
    #[must_use]
    pub fn or(self, base: &Self) -> Self {
        Self {
            variant: self.variant.or_else(|| base.variant.clone()),
            profile: self.profile.or_else(|| base.profile.clone()),
            parameters: self.parameters.or(&base.parameters),
            controls: if self.controls.is_empty() { base.controls.clone() } else { self.controls },
        }
    }

    /// Returns the variant's canonical name, and all parameters of both ends.
    ///
    /// # Errors
    /// If there is no variant, or a name or value is unknown; the error's path is relative to the table.
    pub fn resolve(&self) -> Result<(String, Config), Error> {
        let name = self.variant.as_deref().ok_or_else(|| {
            let names: Vec<_> = variants().iter().filter(|v| !v.linux).map(|v| v.name).collect();
            Error::new("variant", "a flow over TCP needs a variant")
                .allowed(format!("tcp = {{ variant = ... }}: {}", names.join(", ")))
        })?;
        let chosen = variant(name, &self.controls).map_err(|e| e.under("variant"))?;
        let profile = profile(self.profile.as_deref().unwrap_or(profiles()[0].name));
        let profile = profile.map_err(|e| e.under("profile"))?;
        let chosen = chosen.with(profile.own_recovery());
        let mut preset = profile.preset(&chosen.name, chosen.control);
        if chosen.linux {
            preset = tcp_linux().over(&preset, chosen.control);
        }
        let given = &self.parameters;
        follow(given, &chosen, &mut preset);
        let mut config = given.clone().or(&preset).connection(preset.delay())?;
        config.recovery = chosen.recovery;
        let tables: Vec<_> = [preset.get("control"), given.get("control")].into_iter().flatten().collect();
        config.control =
            Control::read(chosen.control, chosen.custom.as_ref(), &tables).map_err(|e| e.under("control"))?;
        config.check(&Origin { given: &|key| given.get(key).is_some(), profile: profile.name })?;
        Ok((chosen.name, config))
    }
}

/// Sets parameters that follow from the variant, alone or with other parameters; given parameters still
/// replace them.
fn follow(given: &Parameters, chosen: &Chosen, preset: &mut Parameters) {
    if !chosen.recovery.needs_sack() {
        preset.set("sack_blocks", 0u32);
    }
    // `exit_growth` once implied three more rules of ns-2's Vegas. It still does, so that scenarios of that
    // time keep their meaning.
    let Some(Ok(like_ns2)) = given.get("exit_growth").map(bool::read) else { return };
    if chosen.control == "vegas" {
        let mut own = preset.get("control").cloned().unwrap_or_else(Node::table);
        let words = [
            ("send_times", ["segments", "slots"]),
            ("unsent", ["waits", "expired"]),
            ("inflation", ["removed", "kept"]),
        ];
        for (name, word) in words {
            own.insert(name, word[usize::from(like_ns2)]);
        }
        preset.set("control", own);
    }
}

/// Form of a variant's name: any text; it is resolved when the table is used.
struct VariantName;

impl Form<String> for VariantName {
    fn expected() -> String {
        <Own as Form<String>>::expected()
    }
    fn value() -> String {
        "name, or pair of names".to_owned()
    }
    fn read(node: &Node) -> Result<String, Error> {
        <Own as Form<String>>::read(node)
    }
    fn write(name: &String) -> Node {
        name.as_str().into()
    }
    fn schema(_: &mut Schemas) -> Json {
        let presets: Vec<_> = variants().iter().map(|v| v.name).collect();
        json!({ "anyOf": [{ "enum": presets }, { "type": "string" }] })
    }
}

/// Form of a profile's name.
struct ProfileName;

impl Form<String> for ProfileName {
    fn expected() -> String {
        <Own as Form<String>>::expected()
    }
    fn value() -> String {
        profiles().iter().map(|p| format!("\"{}\"", p.name)).collect::<Vec<_>>().join(", ")
    }
    fn read(node: &Node) -> Result<String, Error> {
        <Own as Form<String>>::read(node)
    }
    fn write(name: &String) -> Node {
        name.as_str().into()
    }
    fn schema(_: &mut Schemas) -> Json {
        let each = profiles().iter().map(|p| json!({ "const": p.name, "description": p.summary }));
        json!({ "oneOf": each.collect::<Vec<_>>(), "default": profiles()[0].name })
    }
}
