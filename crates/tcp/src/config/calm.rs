//! Settings with which a connection can take the calm path ([`crate::calm`]).
//!
//! Every setting is named, so that a new one does not compile until somebody has decided whether the calm path keeps to
//! it. The calm path keeps to a setting that is not used here, because it has the same code for it as the general path,
//! or because the setting matters only to what is not calm.

use super::choices::Reduction;
use super::{
    Config, Connection, Decrease, FastRecovery, Growth, LossDetection, Options, Sizes, Timers, Windows,
};

impl Config {
    /// Returns true if a sender with these settings can take the calm path.
    pub(crate) fn is_calm(&self) -> bool {
        let Self {
            recovery: _,
            control: _,
            sizes,
            connection,
            windows,
            timers,
            growth,
            detection,
            decrease,
            fast_recovery,
            acks: _,
            // A receiver that misbehaves takes the general path, and so do its acknowledgments that end within a segment.
            misbehaviour: _,
            options,
        } = self;
        sizes.is_calm()
            && connection.is_calm()
            && windows.is_calm()
            && timers.is_calm()
            && growth.is_calm()
            && detection.is_calm()
            && decrease.is_calm()
            && fast_recovery.is_calm()
            && options.is_calm()
    }
}

impl Sizes {
    /// Returns true: sizes are added up on both paths alike.
    fn is_calm(&self) -> bool {
        let Self {
            segment: _,
            header: _,
            ack_size: _,
            syn_size: _,
            timestamps_size: _,
            timestamps_on_data: _,
            sack_option: _,
        } = self;
        true
    }
}

impl Connection {
    /// Returns true: the calm path begins after the opening, and divided writes are a part of the stream's state.
    fn is_calm(&self) -> bool {
        let Self {
            syn: _,
            handshake_ack: _,
            pushes: _,
            send_buffer: _,
            early_data: _,
            pad_writes: _,
            fin: _,
        } = self;
        true
    }
}

impl Windows {
    /// Returns true: in calm all outstanding segments are in flight, so that no limit is narrower than the window in use.
    fn is_calm(&self) -> bool {
        let Self {
            initial_window: _,
            initial_ssthresh: _,
            max_window: _,
            receive_window: _,
            syn_loss_window: _,
            syn_losses: _,
            max_burst: _,
            window_clamp: _,
            receive_window_only: _,
            idle_restart: _,
        } = self;
        true
    }
}

impl Timers {
    /// Returns true: a processing time of the host is a part of the state of pacing.
    fn is_calm(&self) -> bool {
        let Self {
            send_overhead: _,
            min_rto: _,
            rto_floor: _,
            rto_unit: _,
            max_rto: _,
            initial_rto: _,
            timer_wheel: _,
            clock_tick: _,
            tick_phase: _,
            time_retransmissions: _,
            dup_ack_timer: _,
            dup_ack_timing: _,
            sack_timing: _,
            timing_in_recovery: _,
            stamps_end_backoff: _,
        } = self;
        true
    }
}

impl Growth {
    /// Returns true without trains of segments: HyStart is a part of the state of growth, and both paths pace alike.
    fn is_calm(&self) -> bool {
        let Self {
            ack_counting: _,
            slow_start_at_threshold: _,
            whole_growth: _,
            count_parts_as_whole: _,
            avoidance_by_segments: _,
            hystart: _,
            pacing: _,
            gso,
        } = self;
        *gso <= 1
    }
}

impl LossDetection {
    /// Returns true: on the calm path nothing is lost. A counted pipe is left out with recovery `sack`.
    fn is_calm(&self) -> bool {
        let Self {
            duplicates: _,
            repeated_recovery: _,
            limited_transmit: _,
            limited_transmit_bound: _,
            sack_pipe: _,
            sack_loss: _,
            sack_tail: _,
            lost_retransmission: _,
            overtaken_retransmission: _,
            reordering_window: _,
            tail_loss_probe: _,
            max_ack_delay: _,
        } = self;
        true
    }
}

impl Decrease {
    /// Returns true if no transmission records pipe.
    fn is_calm(&self) -> bool {
        let Self {
            reduction,
            backoff_keeps_ssthresh: _,
            window_rounding: _,
            ssthresh_rounding: _,
            loss_floor: _,
            halve_in_slow_start: _,
            early_halving: _,
            abe: _,
            pause_after_mark: _,
            window_reduction: _,
            halving_floor: _,
            undo_by_timestamps: _,
            undo_by_dsack: _,
            frto: _,
        } = self;
        *reduction != Reduction::Pipe
    }
}

impl FastRecovery {
    /// Returns true: on the calm path no recovery is in progress.
    fn is_calm(&self) -> bool {
        let Self {
            partial_ack_timer: _,
            sack_partial_timer: _,
            partial_window: _,
            recovery_burst: _,
            full_ack_window: _,
            exit_growth: _,
            chained_recovery: _,
            exit_burst: _,
            clear_scoreboard_on_exit: _,
        } = self;
        true
    }
}

impl Options {
    /// Returns true: marks and their echoes are a part of the state of ECN.
    fn is_calm(&self) -> bool {
        let Self { timestamps: _, ecn: _, ecn_retransmissions: _, cwr_on_retransmissions: _ } = self;
        true
    }
}
