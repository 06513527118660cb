//! Profiles: sets of values for documented parameters. A profile has no behaviour of its own.

use settings::Choice;

/// Source of the values of settings that are not given.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Choice)]
pub enum Profile {
    /// as in IEEE Std 802.11
    #[default]
    Ieee,
    /// as in ns-3.37
    Ns3,
    /// as in Mac/802_11 of ns-2.35
    Ns2,
}

impl Profile {
    /// All profiles.
    pub const ALL: [Self; 3] = [Self::Ieee, Self::Ns3, Self::Ns2];

    /// Returns the name in scenario files.
    pub fn name(self) -> &'static str {
        self.word()
    }
}
