//! Configurations shared by the tests of endpoints; the tests of crate `gateway` include this file, too.

use base::Duration;
use tcp::config::{
    Config, FullAckWindow, PartialAckTimer, PartialWindow, Reduction, Rounding, SackPipe, Syn,
};
use tcp::congestion::Control;
use tcp::recovery::Recovery;

/// Returns an endpoint by the RFCs, or with `like_ns2` an endpoint with ns-2's parameters.
pub fn config(recovery: Recovery, control: Control, like_ns2: bool, delayed: bool) -> Config {
    let mut config = Config { recovery, control: own_vegas(control, like_ns2), ..Config::default() };
    config.sizes.segment = 1000;
    config.windows.max_window = 20.0;
    config.timers.min_rto = Duration::from_ms(200);
    config.growth.pacing = like_ns2 != delayed;
    config.acks.delayed_ack = if delayed { Duration::from_ms(100) } else { Duration::ZERO };
    config.acks.sack_blocks = if recovery.needs_sack() { 3 } else { 0 };
    config.options.timestamps = !like_ns2 && delayed;
    if like_ns2 {
        as_in_ns2(&mut config);
    }
    config
}

fn as_in_ns2(config: &mut Config) {
    config.connection.syn = Syn::Packet;
    config.connection.pad_writes = true;
    config.connection.fin = false;
    config.windows.initial_window = 2.0;
    config.windows.initial_ssthresh = 20.0;
    config.windows.idle_restart = false;
    config.timers.clock_tick = Duration::from_ms(10);
    config.timers.time_retransmissions = true;
    config.timers.stamps_end_backoff = false;
    config.detection.sack_pipe = SackPipe::Counter;
    config.decrease.reduction = Reduction::Window;
    config.decrease.backoff_keeps_ssthresh = false;
    config.decrease.window_rounding = Rounding::Integer;
    config.decrease.ssthresh_rounding = Rounding::Integer;
    config.decrease.loss_floor = 0.0;
    config.decrease.early_halving = true;
    config.fast_recovery.partial_ack_timer = PartialAckTimer::Every;
    config.fast_recovery.partial_window = PartialWindow::Reset;
    config.fast_recovery.recovery_burst = 2;
    config.fast_recovery.full_ack_window = FullAckWindow::Ssthresh;
    config.fast_recovery.exit_growth = true;
    config.acks.sack_memory = 3;
}

/// Returns the control; with `like_ns2` Vegas has the bookkeeping of ns-2's Vegas.
fn own_vegas(control: Control, like_ns2: bool) -> Control {
    if !like_ns2 || control.algorithm().name != "vegas" {
        return control;
    }
    let names = control.algorithm().parameters.iter().map(|parameter| parameter.name.to_owned());
    let mut values: Vec<_> = names.zip(control.values()).collect();
    values.extend(["send_times", "unsent", "inflation"].map(|name| (name.to_owned(), 1.0)));
    Control::by_name("vegas", &values).expect("registered")
}

/// Returns the minimum window of a sender with `config`, segments: 1, but 0 for ns-2's Vegas and with a loss floor of 0.
#[allow(dead_code, reason = "the tests of `gateway` do not look at windows")]
pub fn least_window(config: &Config) -> f64 {
    let names = config.control.algorithm().parameters.iter().map(|parameter| parameter.name);
    let closes = names.zip(config.control.values()).any(|(name, value)| name == "inflation" && value > 0.0);
    if closes || config.decrease.loss_floor < 1.0 { 0.0 } else { 1.0 }
}
