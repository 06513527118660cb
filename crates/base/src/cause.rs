//! Causes of drops: the ground truth that no sender can see.

/// Declares [`DropCause`]. Each line gives a variant, its name in results (written with `_`, shown with `-`),
/// the layer that loses the packets, and the words that follow "packets" in a description. Columns of results
/// have the same order. New causes are added at the end, because digests of drops depend on the numbers.
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

            /// Returns the name of the column that counts the packets lost because of this cause.
            pub const fn column(self) -> &'static str {
                match self { $(Self::$name => concat!("lost_", stringify!($word), "_packets"),)+ }
            }

            /// Returns the layer that loses the packets: `link`, or `radio`.
            pub const fn layer(self) -> &'static str {
                match self { $(Self::$name => stringify!($layer),)+ }
            }

            /// Returns a description of the packets lost because of this cause, for a table that counts one
            /// place.
            pub const fn packets(self) -> &'static str {
                match self { $(Self::$name => concat!("packets ", $about),)+ }
            }

            /// Returns a description of the packets lost because of this cause, as a part of all lost
            /// packets.
            pub const fn of_these(self) -> &'static str {
                match self { $(Self::$name => concat!("of lost_packets_total: ", $about),)+ }
            }
        }
    };
}

causes! {
    Queue queue link "dropped because a queue was full",
    Aqm aqm link "dropped by active queue management before the queue was full",
    Random random link "lost by the random loss model",
    GilbertElliott gilbert_elliott link "lost by the Gilbert-Elliott model",
    BitError bit_error link "with at least one wrong bit",
    List list link "listed by the scenario",
    Periodic periodic link "lost by the periodic loss model",
    Trace trace link "lost by a loss trace",
    Outage outage link "on a link that was down",
    Collision collision radio "lost to a collision, if frames are not retransmitted",
    Noise noise radio "sent once, and too weak",
    RetryLimit retry_limit radio "dropped at the retry limit",
    OutOfRange out_of_range radio "to a station out of range",
    NoRoute no_route radio "without a route",
    NotAssociated not_associated radio "from or to a station that was not associated with its access point",
    RlcBuffer rlc_buffer radio "dropped because a buffer of LTE's RLC was full",
    Harq harq radio "lost after the last retransmission of LTE's HARQ and RLC",
    Handover handover radio "lost at a handover",
}

impl DropCause {
    /// Returns true if the cause is congestion: a full queue or buffer, or active queue management.
    pub const fn is_congestion(self) -> bool {
        matches!(self, Self::Queue | Self::Aqm | Self::RlcBuffer)
    }

    /// Returns true if packets can be lost on a link because of this cause.
    pub fn is_at_link(&self) -> bool {
        self.layer() == "link"
    }
}

/// Returns `word` with each `_` replaced by `-`.
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

/// Returns `bytes`, which must be ASCII, as a string.
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
