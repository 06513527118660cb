//! Former names of settings.

use crate::scenario::Document;
use crate::scenario::former::SETTINGS;

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
        assert_eq!(was.renamed(), [(format!("flow.0.tcp.{}", one.was), one.name.as_str())]);
        assert!(now.renamed().is_empty() && was.check().is_ok());
        let mut set = Document::from_toml(TEXT).unwrap();
        set.set(&format!("flow.0.tcp.{}", one.was), "true").unwrap();
        assert_eq!(set.canonical_json(), now.canonical_json());
    }
}

#[test]
fn both_names_are_refused() {
    let text = TEXT.replace("'sack'", "'sack', time_retransmissions = true, timing_of_resent = true");
    let error = Document::from_toml(&text).unwrap_err();
    assert_eq!((error.path.as_str(), error.line), ("flow.0.tcp.timing_of_resent", Some(9)));
}
