//! Configuration of quinn's transport.

use crate::Table;
use quinn_proto::congestion::ControllerFactory;
use quinn_proto::{TransportConfig, VarInt};
use std::sync::Arc;

/// Creates the congestion controllers of both ends.
pub(crate) type Factory = Arc<dyn ControllerFactory + Send + Sync>;

/// Size of the buffer for data to send, in receive windows: so large that only the receiver's window limits the flow.
pub(crate) const BUFFER: u64 = 8;

/// Returns the configuration of both ends.
pub(crate) fn transport(table: &Table, factory: &Factory) -> TransportConfig {
    let mut transport = TransportConfig::default();
    transport.congestion_controller_factory(Arc::clone(factory));
    transport.stream_receive_window(VarInt::from_u32(table.receive_window));
    transport.send_window(BUFFER * u64::from(table.receive_window));
    // A path that is down for a long time does not end a connection, as with TCP.
    transport.max_idle_timeout(None);
    transport
}
