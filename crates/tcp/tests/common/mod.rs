//! What the tests of endpoints share.

use base::Duration;
use tcp::config::{
    AckCounting, Config, Ecn, PartialAckTimer, PartialWindow, Reduction, Rounding, SackLoss, SackPipe, Syn,
    TickPhase, WindowReduction,
};
use tcp::congestion::Control;
use tcp::recovery::Recovery;

/// Endpoint behaviour as the RFCs say, or with the parameters that ns-2 has otherwise.
pub fn config(recovery: Recovery, control: Control, like_ns2: bool, delayed: bool) -> Config {
    Config {
        recovery,
        control,
        segment: 1000,
        header: 40,
        ack_size: 40,
        syn_size: 40,
        syn: if like_ns2 { Syn::Packet } else { Syn::Handshake },
        initial_window: if like_ns2 { 2.0 } else { 10.0 },
        initial_ssthresh: if like_ns2 { 20.0 } else { f64::INFINITY },
        max_window: 20.0,
        receive_window: f64::INFINITY,
        syn_loss_window: 1.0,
        window_clamp: false,
        min_rto: Duration::from_ms(200),
        max_rto: Duration::from_secs(60),
        initial_rto: Duration::from_secs(1),
        clock_tick: if like_ns2 { Duration::from_ms(10) } else { Duration::ZERO },
        tick_phase: TickPhase::At(Duration::ZERO),
        window_rounding: if like_ns2 { Rounding::Integer } else { Rounding::None },
        ssthresh_rounding: if like_ns2 { Rounding::Integer } else { Rounding::None },
        reduction: if like_ns2 { Reduction::Window } else { Reduction::Flight },
        loss_floor: if like_ns2 { 0.0 } else { 2.0 },
        exit_growth: like_ns2,
        limited_transmit: true,
        partial_ack_timer: if like_ns2 { PartialAckTimer::Every } else { PartialAckTimer::First },
        partial_window: if like_ns2 { PartialWindow::Reset } else { PartialWindow::Deflate },
        recovery_burst: if like_ns2 { 2 } else { 0 },
        sack_pipe: if like_ns2 { SackPipe::Counter } else { SackPipe::Scoreboard },
        sack_loss: SackLoss::Count,
        lost_retransmission: 0,
        reordering_window: 0.25,
        tail_loss_probe: true,
        max_ack_delay: Duration::from_ms(200),
        window_reduction: WindowReduction::AtOnce,
        halving_floor: 1.0,
        exit_burst: 0,
        dup_ack_timer: false,
        timing_in_recovery: false,
        early_data: false,
        slow_start_at_threshold: false,
        whole_growth: false,
        halve_in_slow_start: true,
        ack_counting: AckCounting::Acks,
        delayed_ack: if delayed { Duration::from_ms(100) } else { Duration::ZERO },
        timestamps: !like_ns2 && delayed,
        timestamps_size: 12,
        sack_option: 4,
        sack_memory: if like_ns2 { 3 } else { 0 },
        sack_blocks: if recovery.needs_sack() { 3 } else { 0 },
        ecn: Ecn::Off,
        abe: false,
        pacing: like_ns2 != delayed,
        fin: !like_ns2,
    }
}
