//! Presets: values of documented parameters, never behaviour of their own.

/// A set of values for the parameters of a network.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Profile {
    /// As the standard says.
    #[default]
    Ieee,
    /// As ns-3.37 does.
    Ns3,
    /// As ns-2.35 does.
    Ns2,
}

impl Profile {
    /// Every profile.
    pub const ALL: [Self; 3] = [Self::Ieee, Self::Ns3, Self::Ns2];

    /// The name in scenario files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ieee => "ieee",
            Self::Ns3 => "ns3",
            Self::Ns2 => "ns2",
        }
    }
}
