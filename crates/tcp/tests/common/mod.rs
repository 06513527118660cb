//! What the tests of endpoints share.

use base::Duration;
use tcp::config::{
    AckCounting, Acks, Config, Connection, Decrease, Ecn, FastRecovery, FullAckWindow, Growth, LossDetection,
    Options, PartialAckTimer, PartialWindow, Reduction, Rounding, SackLoss, SackPipe, Sizes, Syn, TickPhase,
    Timers, WindowReduction, Windows,
};
use tcp::congestion::Control;
use tcp::recovery::Recovery;

/// Endpoint behaviour as the RFCs say, or with the parameters that ns-2 has otherwise.
pub fn config(recovery: Recovery, control: Control, like_ns2: bool, delayed: bool) -> Config {
    let control = own_vegas(control, like_ns2);
    Config {
        recovery,
        control,
        sizes: Sizes {
            segment: 1000,
            header: 40,
            ack_size: 40,
            syn_size: 40,
            timestamps_size: 12,
            sack_option: 4,
        },
        connection: Connection {
            syn: if like_ns2 { Syn::Packet } else { Syn::Handshake },
            early_data: false,
            pad_writes: like_ns2,
            fin: !like_ns2,
        },
        windows: Windows {
            initial_window: if like_ns2 { 2.0 } else { 10.0 },
            initial_ssthresh: if like_ns2 { 20.0 } else { f64::INFINITY },
            syn_loss_window: 1.0,
            max_window: 20.0,
            receive_window: f64::INFINITY,
            window_clamp: false,
            idle_restart: !like_ns2,
        },
        timers: Timers {
            min_rto: Duration::from_ms(200),
            max_rto: Duration::from_secs(60),
            initial_rto: Duration::from_secs(1),
            clock_tick: if like_ns2 { Duration::from_ms(10) } else { Duration::ZERO },
            tick_phase: TickPhase::At(Duration::ZERO),
            dup_ack_timer: false,
            timing_in_recovery: false,
            stamps_end_backoff: !like_ns2,
        },
        growth: Growth {
            ack_counting: AckCounting::Acks,
            slow_start_at_threshold: false,
            whole_growth: false,
            hystart: false,
            pacing: like_ns2 != delayed,
        },
        detection: LossDetection {
            limited_transmit: true,
            sack_pipe: if like_ns2 { SackPipe::Counter } else { SackPipe::Scoreboard },
            sack_loss: SackLoss::Count,
            lost_retransmission: 0,
            overtaken_retransmission: 0,
            reordering_window: 0.25,
            tail_loss_probe: true,
            max_ack_delay: Duration::from_ms(200),
        },
        decrease: Decrease {
            reduction: if like_ns2 { Reduction::Window } else { Reduction::Flight },
            window_rounding: if like_ns2 { Rounding::Integer } else { Rounding::None },
            ssthresh_rounding: if like_ns2 { Rounding::Integer } else { Rounding::None },
            loss_floor: if like_ns2 { 0.0 } else { 2.0 },
            halve_in_slow_start: true,
            early_halving: like_ns2,
            abe: false,
            window_reduction: WindowReduction::AtOnce,
            halving_floor: 1.0,
        },
        fast_recovery: FastRecovery {
            partial_ack_timer: if like_ns2 { PartialAckTimer::Every } else { PartialAckTimer::First },
            partial_window: if like_ns2 { PartialWindow::Reset } else { PartialWindow::Deflate },
            recovery_burst: if like_ns2 { 2 } else { 0 },
            full_ack_window: if like_ns2 { FullAckWindow::Ssthresh } else { FullAckWindow::Flight },
            exit_growth: like_ns2,
            exit_burst: 0,
        },
        acks: Acks {
            delayed_ack: if delayed { Duration::from_ms(100) } else { Duration::ZERO },
            sack_blocks: if recovery.needs_sack() { 3 } else { 0 },
            sack_memory: if like_ns2 { 3 } else { 0 },
        },
        options: Options { timestamps: !like_ns2 && delayed, ecn: Ecn::Off },
    }
}

/// The control, with the bookkeeping that ns-2's Vegas has if asked for.
fn own_vegas(control: Control, like_ns2: bool) -> Control {
    if !like_ns2 || control.algorithm().name != "vegas" {
        return control;
    }
    let names = control.algorithm().parameters.iter().map(|parameter| parameter.name.to_owned());
    let mut values: Vec<_> = names.zip(control.values()).collect();
    values.extend(["send_times", "unsent", "inflation"].map(|name| (name.to_owned(), 1.0)));
    Control::by_name("vegas", &values).expect("registered")
}
