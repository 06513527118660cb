//! Former names of settings and variants, which are still understood.

use crate::scenario::former::SETTINGS;
use crate::scenario::{Document, Renamed};

const TEXT: &str = "duration = '1s'\n[[link]]\nbetween = ['a', 'b']\nrate = '1Mbps'\ndelay = '1ms'\n\
                    [[flow]]\nfrom = 'a'\nto = 'b'\ntcp = { variant = 'sack' }\n";

#[test]
fn a_former_name_gives_the_same_document() {
    for one in SETTINGS.iter().filter(|one| one.was != "status_alone") {
        let with = |key: &str| {
            Document::from_toml(&TEXT.replace("'sack'", &format!("'sack', {key} = true"))).unwrap()
        };
        let (was, now) = (with(&one.was), with(&one.name));
        assert_eq!(was.canonical_json(), now.canonical_json());
        let path = format!("flow.0.tcp.{}", one.was);
        assert_eq!(was.renamed(), [Renamed { path, value: None, now: &one.name }]);
        assert!(now.renamed().is_empty() && was.check().is_ok());
        let mut set = Document::from_toml(TEXT).unwrap();
        set.set(&format!("flow.0.tcp.{}", one.was), "true").unwrap();
        assert_eq!(set.canonical_json(), now.canonical_json());
    }
}

#[test]
fn a_former_variant_gives_the_same_document() {
    let with = |tcp: &str| Document::from_toml(&TEXT.replace("variant = 'sack'", tcp)).unwrap();
    for (was, now) in tcp::former_variants() {
        let renamed = with(&format!("variant = '{}'", was.to_uppercase()));
        let today = with(&format!("variant = '{now}'"));
        assert_eq!(renamed.canonical_json(), today.canonical_json());
        assert!(renamed.check().is_ok() && today.renamed().is_empty());
        let said: Vec<String> = renamed.renamed().iter().map(ToString::to_string).collect();
        let upper = was.to_uppercase();
        assert_eq!(said, [format!("flow.0.tcp.variant: \"{upper}\" is called \"{now}\" now")]);
        let mut set = Document::from_toml(TEXT).unwrap();
        set.set("flow.0.tcp.variant", &was).unwrap();
        assert_eq!((set.canonical_json(), set.renamed().len()), (today.canonical_json(), 1));
    }
    assert_eq!(with("variant = 'linux-copa'").renamed(), []);
}

/// `form = "linux"` once chose TCP-Linux. The setting is still understood beside a variant's former name, and refused elsewhere.
#[test]
fn a_former_form() {
    let with = |tcp: &str| Document::from_toml(&TEXT.replace("variant = 'sack'", tcp)).unwrap();
    let was = with("control = { form = 'linux' }, variant = 'linux-veno'");
    let now = with("control = { form = 'tcp-linux' }, variant = 'tcp-linux-veno'");
    assert_eq!((was.canonical_json(), was.renamed().len()), (now.canonical_json(), 2));
    assert!(was.check().is_ok() && now.renamed().is_empty());
    let error = with("variant = 'veno', control = { form = 'linux' }").check().unwrap_err();
    assert_eq!(error.path, "flow.0.tcp.control.form");
    assert_eq!(error.nearest.as_deref(), Some("tcp-linux"));
    assert!(error.message.contains("Linux 6.12"), "{error}");
}

#[test]
fn both_names_are_refused() {
    let text = TEXT.replace("'sack'", "'sack', time_retransmissions = true, timing_of_resent = true");
    let error = Document::from_toml(&text).unwrap_err();
    assert_eq!((error.path.as_str(), error.line), ("flow.0.tcp.timing_of_resent", Some(9)));
}
