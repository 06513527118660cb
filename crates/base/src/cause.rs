//! Causes of drops: the ground truth that no sender can see.

/// Declares the causes: name in code, name in results with `_` for `-`, layer that loses the packets, and their description
/// after "packets". The order is that of the results' columns. A new cause comes last: digests of drops hold the numbers.
macro_rules! causes {
    ($($name:ident $word:ident $layer:ident $about:literal,)+) => {
        /// Actual cause of a packet's loss, which no sender can see.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
        #[repr(u8)]
        pub enum DropCause {
            $(#[doc = concat!("Packets ", $about, ".")] $name,)+
        }

        impl DropCause {
            /// Every cause, in the order of the results' columns.
            pub const ALL: [Self; [$(Self::$name),+].len()] = [$(Self::$name),+];

            /// Returns the name in traces and results.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$name => {
                        const NAME: [u8; stringify!($word).len()] = kebab(stringify!($word));
                        const TEXT: &str = text(&NAME);
                        TEXT
                    })+
                }
            }

            /// Returns the name of the column that counts the packets lost for it.
            pub const fn column(self) -> &'static str {
                match self { $(Self::$name => concat!("lost_", stringify!($word), "_packets"),)+ }
            }

            /// Returns the layer that loses the packets: `link`, or `radio`.
            pub const fn layer(self) -> &'static str {
                match self { $(Self::$name => stringify!($layer),)+ }
            }

            /// Returns the packets lost for it, in words: all of them at one place.
            pub const fn packets(self) -> &'static str {
                match self { $(Self::$name => concat!("packets ", $about),)+ }
            }

            /// Returns the packets lost for it, in words: those among all that were lost.
            pub const fn of_these(self) -> &'static str {
                match self { $(Self::$name => concat!("of these, ", $about),)+ }
            }
        }
    };
}

causes! {
    Queue queue link "dropped because a queue was full",
    Aqm aqm link "dropped by active queue management though there was room",
    Random random link "taken by random packet loss",
    GilbertElliott gilbert_elliott link "taken by the Gilbert-Elliott model",
    BitError bit_error link "with at least one wrong bit",
    List list link "listed by the scenario",
    Periodic periodic link "taken by periodic loss",
    Trace trace link "taken by a loss trace",
    Outage outage link "on a link that was down",
    Collision collision radio "sent once, and met on the air",
    Noise noise radio "sent once, and too weak",
    RetryLimit retry_limit radio "given up at the retry limit",
    OutOfRange out_of_range radio "for a station out of range",
    NoRoute no_route radio "without a route",
    NotAssociated not_associated radio "of or for a station that was not associated with its access point",
    RlcBuffer rlc_buffer radio "at a full buffer of LTE's RLC",
    Harq harq radio "given up by LTE's HARQ and RLC",
    Handover handover radio "left behind at a handover",
}

impl DropCause {
    /// Returns true if the packet was lost to congestion: by a queue or buffer that was full, or that keeps itself short.
    pub const fn is_congestion(self) -> bool {
        matches!(self, Self::Queue | Self::Aqm | Self::RlcBuffer)
    }

    /// Returns true if a link can lose packets for it.
    pub fn is_at_link(&self) -> bool {
        self.layer() == "link"
    }
}

/// Returns `word` with `-` for `_`.
const fn kebab<const N: usize>(word: &str) -> [u8; N] {
    let mut out = [b'-'; N];
    let mut at = 0;
    while at < N {
        if word.as_bytes()[at] != b'_' {
            out[at] = word.as_bytes()[at];
        }
        at += 1;
    }
    out
}

/// Returns the text of `bytes`, which are ASCII.
const fn text(bytes: &[u8]) -> &str {
    match str::from_utf8(bytes) {
        Ok(text) => text,
        Err(_) => panic!("a name is ASCII"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_columns() {
        let names = [DropCause::Queue, DropCause::GilbertElliott, DropCause::OutOfRange].map(DropCause::name);
        assert_eq!(names, ["queue", "gilbert-elliott", "out-of-range"]);
        assert_eq!(DropCause::BitError.column(), "lost_bit_error_packets");
        assert_eq!(DropCause::List.packets(), "packets listed by the scenario");
        let places = DropCause::ALL.map(|cause| cause as usize);
        assert_eq!(places.to_vec(), (0..DropCause::ALL.len()).collect::<Vec<_>>());
    }
}
