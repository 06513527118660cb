//! Stations that overhear frames, compared with stations that read each frame in detail.

use crate::config::{Capture, Config, Profile, Reception, Site};
use crate::mac::contention::Contention;
use crate::phy::air::{EVERYBODY, Kind, Transmission};
use crate::phy::durations::Durations;
use crate::phy::medium::Medium;
use crate::phy::timing::Standard;
use base::{Duration, Instant};
use proptest::prelude::*;
use radio::Position;

const STATIONS: u32 = 6;

/// A transmission or a reading of the log.
#[derive(Clone, Debug)]
enum Step {
    /// Sender, receiver, kind, time after the end of the last frame, length, Duration field (us).
    Send(u32, u32, Kind, u64, u64, u64),
    /// Station, and whether it draws a backoff for a frame to send.
    Read(u32, bool),
}

fn steps() -> impl Strategy<Value = Step> {
    let kinds = prop::sample::select(vec![Kind::Data, Kind::Data, Kind::Ack, Kind::Rts, Kind::Cts]);
    let to = prop_oneof![6 => 0..STATIONS, 1 => Just(EVERYBODY)];
    let gap = prop_oneof![Just(0), 10..60_u64, 50..900_u64];
    let send = (0..STATIONS, to, kinds, gap, 20..900_u64, prop_oneof![Just(0), 100..400_u64]);
    prop_oneof![
        3 => send.prop_map(|(from, to, kind, gap, length, reserves)| {
            Step::Send(from, to, kind, gap, length, reserves)
        }),
        1 => (0..STATIONS, any::<bool>()).prop_map(|(at, draws)| Step::Read(at, draws)),
    ]
}

fn config(profile: Profile, scale: f64, reserves: bool) -> Config {
    let site = |i: u32| {
        let position = Position::new(17.0 * scale * f64::from(i), 11.0 * scale * f64::from(i * i % 7), 0.0);
        Site::fixed(position)
    };
    let mut config = Config::new(Standard::B, profile, (0..STATIONS).map(site).collect(), None);
    config.phy.reception =
        Reception::Capture(Capture { receive: -80.0, sense: -90.0, ratio: 10.0, reserves });
    config
}

/// Returns the state of a station that has an effect, as text.
fn state(medium: &Medium, at: u32, now: Instant) -> String {
    let station = &medium.stations[at as usize];
    let busy = (station.is_busy(now), station.is_reserved(now), station.idle());
    let verdicts: Vec<_> = (0..medium.air.end()).map(|number| station.receiver.verdict(number)).collect();
    let ends = station.backoff_ends(0, &medium.rules);
    format!("{busy:?} {:?} {ends:?} {verdicts:?} {:?}", station.is_held_by(at), station.backoffs())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn overhearing_is_reading(
        profile in prop::sample::select(Profile::ALL.to_vec()),
        scale in prop::sample::select(vec![0.1, 3.0, 6.0]),
        reserves in any::<bool>(),
        seed in any::<u64>(),
        steps in prop::collection::vec(steps(), 1..120),
    ) {
        let config = config(profile, scale, reserves);
        let durations = Durations::new(&config);
        let new = || Contention::new(&config, &durations, seed, "wlan").medium;
        let (mut fast, mut slow) = (new(), new());
        prop_assert!(fast.rules.overhears);
        slow.rules.overhears = false;
        let mut now = Instant::ZERO;
        for step in steps {
            match step {
                Step::Send(from, to, kind, gap, length, reserves) => {
                    let begins = now + Duration::from_us(gap);
                    now = begins + Duration::from_us(if gap == 0 { 0 } else { length });
                    let control = durations.cts.transmission(kind, from, to, begins);
                    let ends = begins + Duration::from_us(length);
                    let frame = Transmission { ends, reserves: Duration::from_us(reserves), ..control };
                    prop_assert_eq!(fast.log(frame, None), slow.log(frame, None));
                }
                Step::Read(at, draws) => {
                    for medium in [&mut fast, &mut slow] {
                        medium.listen(at, now);
                        let rules = medium.rules.backoff;
                        if draws && !medium.backoff(at, 0).runs() {
                            medium.backoff(at, 0).contends = true;
                            medium.backoff(at, 0).draw(&rules);
                        }
                    }
                    prop_assert_eq!(state(&fast, at, now), state(&slow, at, now));
                }
            }
        }
    }
}
