//! Senders under invalid acknowledgments: arbitrary numbers, SACK blocks and marks at arbitrary times.
//!
//! No sender panics, windows stay within bounds, at most a window of data is outstanding, and the timer runs while data is
//! outstanding.

use base::{AckHeader, Advertised, Duration, Instant, SackBlock};
use proptest::prelude::*;
use std::sync::Arc;
use tcp::config::{Ecn, HyStartForm, Syn, WindowReduction};
use tcp::congestion::Control;
use tcp::recovery::Recovery;
use tcp::{Phase, Sender};

use crate::common::bench::Bench;
use crate::common::{config, least_window};

/// Maximum window, segments.
const MOST: f64 = 64.0;

/// A test step: an acknowledgment, with numbers relative to the outstanding data, or an expiry of the timer.
#[derive(Clone, Debug)]
enum Step {
    Ack { ack: u8, blocks: Vec<(u8, u8)>, ece: bool, echo: u32, window: Option<u16>, flags: u8 },
    Timer,
}

fn steps() -> impl Strategy<Value = Vec<(u64, Step)>> {
    let blocks = prop::collection::vec((any::<u8>(), any::<u8>()), 0..4);
    let ack = (
        any::<u8>(),
        blocks,
        any::<bool>(),
        any::<u32>(),
        prop::option::weighted(0.2, any::<u16>()),
        any::<u8>(),
    );
    let ack = ack.prop_map(|(ack, blocks, ece, echo, window, flags)| Step::Ack {
        ack,
        blocks,
        ece,
        echo,
        window,
        flags,
    });
    let step = prop_oneof![8 => ack, 1 => Just(Step::Timer)];
    prop::collection::vec((0u64..400, step), 1..80)
}

fn header(sender: &Sender, step: &Step) -> Option<AckHeader> {
    let Step::Ack { ack, blocks, ece, echo, window, flags } = step else { return None };
    let (una, _, max) = sender.sequence();
    let out = max - una;
    // The acknowledgment is below, within or above the outstanding data.
    let to = (una + out * u64::from(*ack) / 128).saturating_sub(out / 4);
    let mut sack = [SackBlock::default(); 3];
    let (mut used, reach) = (0, max.saturating_sub(to));
    for (from, length) in blocks.iter().take(3) {
        let from = 1 + reach * u64::from(*from) / 256;
        let end = (from + 1 + u64::from(*length) / 8).min(reach);
        if from < end {
            sack[used] = SackBlock { from: from as u32, to: end as u32 };
            used += 1;
        }
    }
    // Some acknowledgments have an unexpected SYN or FIN.
    let (syn, fin) = (*flags < 4, (4..8).contains(flags));
    let window = window.map_or(Advertised::NONE, |bytes| Advertised::of(bytes.into()));
    Some(AckHeader {
        ack: to,
        sack,
        blocks: used as u8,
        syn,
        fin,
        ece: *ece,
        ts_val: 1,
        ts_ecr: *echo,
        window,
    })
}

fn survive(mut sender: Sender, least: f64, steps: &[(u64, Step)]) -> Result<(), TestCaseError> {
    let mut now = Instant::ZERO;
    sender.open(now, Some(400_000));
    for (pause, step) in steps {
        now += Duration::from_ms(*pause);
        match header(&sender, step) {
            Some(ack) => sender.on_ack(now, &ack),
            None => {
                if let Some(timer) = sender.timer() {
                    now = now.max(timer.at);
                    sender.on_timer(now);
                }
            }
        }
        let mut sent = 0;
        while sender.poll(now).is_some() {
            sent += 1;
            prop_assert!(f64::from(sent) <= 4.0 * MOST, "it never ends");
        }
        let (una, next, max) = sender.sequence();
        prop_assert!(una <= next && una <= max, "una {una}, next {next}, max {max}");
        prop_assert!((max - una) as f64 <= MOST + 1.0, "{} outstanding", max - una);
        prop_assert!(sender.cwnd() >= least && sender.cwnd().is_finite(), "cwnd {}", sender.cwnd());
        prop_assert!(sender.ssthresh() >= 2.0, "ssthresh {}", sender.ssthresh());
        prop_assert!(una == max || sender.phase() == Phase::Closed || sender.timer().is_some(), "no timer");
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn a_sender_survives_any_acknowledgments(
        steps in steps(),
        like_ns2: bool,
        reduction in prop::sample::select(vec![
            WindowReduction::AtOnce, WindowReduction::RateHalving, WindowReduction::Prr, WindowReduction::PrrNs3,
        ]),
        hystart in prop::sample::select(vec![HyStartForm::None, HyStartForm::Rfc9406, HyStartForm::Linux]),
        timestamps: bool,
        ecn in prop::sample::select(vec![Ecn::Off, Ecn::Classic, Ecn::Dctcp]),
    ) {
        for (recovery, ..) in Recovery::ALL {
            for algorithm in Control::ALL {
                let control = Control::by_name(algorithm.name, &[]).expect("registered");
                let mut config = config(*recovery, control, like_ns2, false);
                config.windows.max_window = MOST;
                config.decrease.window_reduction = reduction;
                config.growth.hystart = hystart;
                config.options.timestamps = timestamps;
                config.options.ecn = ecn;
                let least = least_window(&config);
                survive(Sender::new(&Arc::new(config), Duration::ZERO), least, &steps).map_err(|e| {
                    let name = format!("{}+{}", recovery.name(), algorithm.name);
                    TestCaseError::fail(format!("{name}, ns-2 {like_ns2}, {reduction:?}, {ecn:?}: {e}"))
                })?;
            }
        }
    }
}

/// An acknowledgment with SACK blocks that cannot be true counts as one without blocks. Such a block reports data that was never
/// sent, ends before it begins, or begins with the segment that the acknowledgment asks for.
#[test]
fn sack_blocks_that_cannot_be_true_are_ignored() {
    for &(recovery, ..) in Recovery::ALL {
        let control = Control::by_name("reno", &[]).expect("registered");
        let mut changed = config(recovery, control, false, false);
        changed.connection.syn = Syn::None;
        for lie in 0..4 {
            let [mut told, mut plain] = [(); 2].map(|()| Bench::new(changed.clone(), 1000));
            assert_eq!(told.sent(0), plain.sent(0));
            for (ms, to) in [(100, 1), (110, 1), (120, 1), (130, 1), (140, 2), (150, 3)] {
                let (_, _, max) = told.0.sequence();
                let blocks = [
                    [(to + 1, max + 1), (to + 2, max)],
                    [(max + 50, max + 5000), (to + 2, max)],
                    [(to + 2, max), (to + 3, to + 2)],
                    [(to, to + 1), (to + 2, max)],
                ][lie];
                let name = recovery.name();
                assert_eq!(
                    told.ack(ms, to, &blocks),
                    plain.ack(ms, to, &[]),
                    "{name} at {ms} ms: {blocks:?}"
                );
            }
        }
    }
}

/// RFC 9293 section 3.10.7.3: an answer that acknowledges more than the SYN opens no connection, and no window.
#[test]
fn an_answer_to_data_never_sent_opens_nothing() {
    let control = Control::by_name("reno", &[]).expect("registered");
    let mut changed = config(Recovery::Sack, control, false, false);
    changed.connection.syn = Syn::Handshake;
    let mut sender = Sender::new(&Arc::new(changed), Duration::ZERO);
    sender.open(Instant::ZERO, Some(100_000));
    assert!(sender.poll(Instant::ZERO).is_some_and(|(segment, _)| segment.syn));
    let now = Instant::ZERO + Duration::from_ms(100);
    let answer = AckHeader { syn: true, window: Advertised::of(65_535), ..AckHeader::default() };
    sender.on_ack(now, &AckHeader { ack: u64::MAX - 5, ..answer });
    assert_eq!((sender.phase(), sender.poll(now)), (Phase::SynSent, None));
    sender.on_ack(now, &answer);
    assert_eq!(sender.phase(), Phase::Open);
    assert!(sender.poll(now).is_some_and(|(segment, _)| segment.seq == 0 && segment.payload > 0));
}
