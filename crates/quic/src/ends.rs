//! Creation of both ends of a connection, and their configuration.

use crate::Table;
use crate::clock::Clock;
use crate::end::End;
use crate::tls;
use crate::transport::{BUFFER, transport};
use base::Rng;
use quinn_proto::congestion::ControllerFactory;
use quinn_proto::{
    ClientConfig, ConnectionId, ConnectionIdGenerator, Endpoint, EndpointConfig, ServerConfig, TimeSource,
};
use stack::Ends;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::SystemTime;

#[derive(Debug)]
struct Fixed;

impl TimeSource for Fixed {
    fn now(&self) -> SystemTime {
        SystemTime::UNIX_EPOCH + tls::DATE
    }
}

/// Generator of connection ids that draws from the run's stream; quinn's own generators draw from the
/// operating system.
struct Ids(Rng);

/// Length of a connection id, bytes.
const ID: usize = 8;

impl ConnectionIdGenerator for Ids {
    fn generate_cid(&mut self) -> ConnectionId {
        ConnectionId::new(&bytes::<ID>(&mut self.0))
    }

    fn cid_len(&self) -> usize {
        ID
    }

    fn cid_lifetime(&self) -> Option<std::time::Duration> {
        None
    }
}

fn bytes<const N: usize>(rng: &mut Rng) -> [u8; N] {
    std::array::from_fn(|_| rng.bits() as u8)
}

fn endpoint(server: Option<Arc<ServerConfig>>, rng: &mut Rng) -> Endpoint {
    let key = ring::hmac::Key::new(ring::hmac::HMAC_SHA256, &bytes::<64>(rng));
    let mut config = EndpointConfig::new(Arc::new(key));
    let ids = Rng::stream(rng.bits(), "connection ids");
    config.cid_generator(move || Box::new(Ids(ids.clone())));
    config.rng_seed(Some(bytes(rng)));
    Endpoint::new(Arc::new(config), server, true, None)
}

/// Returns the address of an end. The simulation does not depend on the value of the address.
fn address(last: u8) -> SocketAddr {
    SocketAddr::from((Ipv4Addr::new(192, 0, 2, last), 443))
}

/// Creates both ends of a connection with the stack and congestion control of `table`, not open yet. Their random draws
/// come from `rng`.
///
/// # Panics
/// If rustls rejects the fixed certificate, which is a bug.
pub fn ends(table: &Table, rng: Rng) -> Ends {
    controlled(table, table.variant.factory(), rng)
}

/// Creates both ends as [`ends`] does, but with congestion controllers from `factory`.
///
/// # Panics
/// If rustls rejects the fixed certificate, which is a bug.
pub fn controlled(table: &Table, factory: Arc<dyn ControllerFactory + Send + Sync>, mut rng: Rng) -> Ends {
    let (client, server) = tls::configs().expect("the fixed certificate is one");
    let shared = Arc::new(transport(table, &factory));
    let mut config = ClientConfig::new(client);
    let id = ConnectionId::new(&bytes::<20>(&mut rng));
    config.initial_dst_cid_provider(Arc::new(move || id));
    config.transport_config(Arc::clone(&shared));
    let key = ring::hkdf::Salt::new(ring::hkdf::HKDF_SHA256, &[]).extract(&bytes::<64>(&mut rng));
    let mut accepting = ServerConfig::new(server, Arc::new(key));
    accepting.transport_config(shared).time_source(Arc::new(Fixed));
    let clock = Clock::new();
    let client = endpoint(None, &mut rng);
    let server = endpoint(Some(Arc::new(accepting.clone())), &mut rng);
    // Data in both buffers is not read yet.
    let unread = (BUFFER + 1) * u64::from(table.receive_window);
    Ends::new(
        End::client(client, address(2), clock, (*table, Arc::clone(&factory)), config),
        End::server(server, address(1), clock, (*table, factory), accepting),
    )
    .buffering(unread)
}
