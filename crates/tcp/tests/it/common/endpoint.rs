//! A simple endpoint, for tests of one rule with results worked by hand.

use tcp::Config;
use tcp::config::Syn;
use tcp::congestion::Control;
use tcp::recovery::Recovery;

/// Returns an endpoint by the RFCs without options and without a handshake, limited only by cwnd.
pub fn endpoint(recovery: Recovery) -> Config {
    let control = Control::by_name("reno", &[]).expect("registered");
    let mut changed = crate::common::config(recovery, control, false, false);
    changed.connection.syn = Syn::None;
    changed.windows.max_window = f64::INFINITY;
    changed.growth.pacing = false;
    changed.connection.fin = false;
    changed
}
