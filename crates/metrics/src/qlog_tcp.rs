//! The qlog of TCP flows: what each end sends and receives, and the sender's windows and round trips, as qlog 0.3.
//!
//! qlog was made for QUIC. Here a packet number counts the transmissions of an end, and an acknowledgment lists the
//! numbers of the transmissions that it newly acknowledges, so that tools for QUIC draw a TCP flow, too. The fields of
//! TCP itself are in `tcp`.

use crate::kept::Kept;
use crate::output::{stems, write_file};
use crate::scratch::{Piece, Scratch};
use crate::subjects::Subjects;
use crate::tracer::{Event, Recorded, TraceFiles, Tracer};
use base::{AckHeader, Body, DataHeader, Duration, Instant, Observation, PacketEvent, Place, Variable};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Bytes of lines that are collected before they are written to disk.
const PIECE: usize = 1 << 16;

/// Record separator before each JSON text (RFC 7464).
const SEPARATOR: u8 = 0x1e;

/// Lines in order of time, each with its time in picoseconds and a JSON text. Clones keep their own lines.
#[derive(Clone, Debug, Default)]
struct Lines {
    earlier: Vec<Piece>,
    recent: Vec<u8>,
}

impl Lines {
    fn add(&mut self, scratch: &Scratch, at: Instant, name: &str, data: &str) {
        let (ms, rest) = (at.ps() / 1_000_000_000, at.ps() % 1_000_000_000 / 1000);
        // Writing to a vector cannot fail.
        let _ = writeln!(
            self.recent,
            "{} {{\"time\":{ms}.{rest:06},\"name\":\"{name}\",\"data\":{data}}}",
            at.ps()
        );
        if self.recent.len() >= PIECE {
            self.earlier.push(scratch.append(&self.recent));
            self.recent.clear();
        }
    }

    fn bytes(&self) -> u64 {
        self.earlier.iter().map(|piece| piece.bytes()).sum::<u64>() + self.recent.len() as u64
    }

    /// Returns all lines as text.
    fn read(&self, scratch: &Scratch) -> io::Result<Vec<u8>> {
        let mut all = Vec::with_capacity(self.bytes() as usize);
        for piece in &self.earlier {
            all.extend_from_slice(&scratch.read(*piece)?);
        }
        all.extend_from_slice(&self.recent);
        Ok(all)
    }
}

/// One end of a flow. Packets and values are kept apart, because packets are reported later than values.
#[derive(Clone, Debug, Default)]
struct End {
    packets: Lines,
    values: Lines,
    /// Number of packets sent.
    sent: u64,
    /// Number of packets received.
    received: u64,
}

/// Logs of one flow's two ends, and state from which they are written.
#[derive(Clone, Debug)]
struct FlowState {
    client: End,
    server: End,
    /// For each outstanding segment, by its number, the packet number of its last transmission.
    outstanding: BTreeMap<u64, u64>,
    /// Last value of each variable; NaN before the first.
    last: [f64; Variable::ALL.len()],
}

impl Default for FlowState {
    fn default() -> Self {
        let last = [f64::NAN; Variable::ALL.len()];
        Self { client: End::default(), server: End::default(), outstanding: BTreeMap::new(), last }
    }
}

/// Recorder of the trace `qlog` for TCP flows.
#[derive(Clone)]
pub(crate) struct TcpLog {
    flows: Vec<FlowState>,
    /// Payload of a full segment of each flow, bytes.
    segments: Vec<u32>,
    scratch: Scratch,
}

/// Returns the last observed value of a variable.
fn value(last: &[f64; Variable::ALL.len()], variable: Variable) -> f64 {
    last[variable as usize]
}

/// Returns the `data` of a qlog event about a packet: header, length, frames, fields of TCP, and `more`
/// fields.
fn packet(number: u64, wire: u32, frames: &str, tcp: &str, more: &str) -> String {
    format!(
        "{{\"header\":{{\"packet_type\":\"1RTT\",\"packet_number\":{number}}},\"raw\":{{\"length\":{wire}}},\"frames\":[{frames}],\"tcp\":{{{tcp}}}{more}}}"
    )
}

/// Returns a segment's frames and its fields of TCP, both as JSON.
fn data_fields(data: &DataHeader) -> (String, String) {
    let DataHeader { offset, payload, fin, syn, .. } = *data;
    let frame = format!(
        "{{\"frame_type\":\"stream\",\"stream_id\":0,\"offset\":{offset},\"length\":{payload},\"fin\":{fin}}}"
    );
    let frames = if payload > 0 || fin { frame } else { String::new() };
    let flags = [("SYN", syn), ("FIN", fin), ("CWR", data.cwr), ("ACK", !syn)];
    (frames, format!("\"seq\":{offset},\"flags\":[{}]", flags_of(&flags)))
}

fn flags_of(flags: &[(&str, bool)]) -> String {
    let set: Vec<String> =
        flags.iter().filter(|(_, on)| *on).map(|(name, _)| format!("\"{name}\"")).collect();
    set.join(",")
}

/// Returns an acknowledgment's fields of TCP as JSON: the next byte expected, SACK blocks and flags.
fn ack_fields(subjects: &Subjects, flow: usize, ack: &AckHeader) -> String {
    let flow = &subjects.flows[flow];
    let mut text = format!("\"ack\":{}", flow.offset_of(ack.ack) + u64::from(ack.part()));
    if !ack.entries().is_empty() {
        let edge = |relative: u32| flow.offset_of(ack.segment_at(relative));
        let blocks: Vec<String> =
            ack.entries().iter().map(|block| format!("[{},{}]", edge(block.from), edge(block.to))).collect();
        // Writing to a string cannot fail.
        let _ = write!(text, ",\"sack\":[{}]", blocks.join(","));
    }
    let flags = [("SYN", ack.syn), ("FIN", ack.fin), ("ECE", ack.ece), ("ACK", true)];
    let _ = write!(text, ",\"flags\":[{}]", flags_of(&flags));
    text
}

impl FlowState {
    /// Logs a segment that the sender sends. If the segment is a retransmission, first logs its last transmission as
    /// lost.
    fn sent(&mut self, scratch: &Scratch, at: Instant, wire: u32, data: &DataHeader) {
        let number = self.client.sent;
        self.client.sent += 1;
        let carries = data.payload > 0 || data.syn || data.fin;
        let before = if carries { self.outstanding.insert(data.seq, number) } else { None };
        let timeout = value(&self.last, Variable::Recovery) == 2.0;
        let mut more = "";
        if let Some(before) = before.filter(|_| data.retransmission) {
            let (trigger, why) = if timeout {
                ("pto_expired", ",\"trigger\":\"retransmit_timeout\"")
            } else {
                ("reordering_threshold", ",\"trigger\":\"retransmit_reordering\"")
            };
            more = why;
            let lost = format!(
                "{{\"header\":{{\"packet_type\":\"1RTT\",\"packet_number\":{before}}},\"trigger\":\"{trigger}\"}}"
            );
            self.client.packets.add(scratch, at, "recovery:packet_lost", &lost);
        }
        let (frames, tcp) = data_fields(data);
        let text = packet(number, wire, &frames, &tcp, more);
        self.client.packets.add(scratch, at, "transport:packet_sent", &text);
    }

    /// Removes the segments that an acknowledgment covers and returns the numbers of their transmissions as ranges.
    fn acknowledged(&mut self, ack: &AckHeader) -> String {
        let rest = self.outstanding.split_off(&ack.ack);
        let mut numbers: Vec<u64> = std::mem::replace(&mut self.outstanding, rest).into_values().collect();
        for block in ack.entries() {
            let (from, to) = (ack.segment_at(block.from), ack.segment_at(block.to));
            if from < to {
                let covered: Vec<u64> = self.outstanding.range(from..to).map(|(seq, _)| *seq).collect();
                numbers.extend(covered.iter().filter_map(|seq| self.outstanding.remove(seq)));
            }
        }
        numbers.sort_unstable();
        let runs = numbers.chunk_by(|a, b| a + 1 == *b);
        let ranges: Vec<String> =
            runs.filter_map(|run| Some(format!("[{},{}]", run.first()?, run.last()?))).collect();
        ranges.join(",")
    }

    /// Logs a value of the sender if it has changed; samples of the round-trip time are always logged.
    fn observed(&mut self, scratch: &Scratch, at: Instant, variable: Variable, new: f64, segment: u32) {
        let last = &mut self.last[variable as usize];
        if *last == new && variable != Variable::Rtt {
            return;
        }
        *last = new;
        let bytes = |segments: f64| libm::round(segments * f64::from(segment));
        let (key, shown) = match variable {
            Variable::Cwnd => ("congestion_window", bytes(new)),
            Variable::Ssthresh => ("ssthresh", bytes(new)),
            Variable::InFlight => ("bytes_in_flight", bytes(new)),
            Variable::Rtt => ("latest_rtt", new * 1e3),
            Variable::Srtt => ("smoothed_rtt", new * 1e3),
            Variable::Rto => ("retransmission_timeout", new * 1e3),
            Variable::Recovery => {
                let slow = value(&self.last, Variable::Cwnd) < value(&self.last, Variable::Ssthresh);
                let state = match new {
                    1.0 => "\"new\":\"recovery\"",
                    2.0 => "\"new\":\"recovery\",\"trigger\":\"timeout\"",
                    _ if slow => "\"new\":\"slow_start\"",
                    _ => "\"new\":\"congestion_avoidance\"",
                };
                let text = format!("{{{state}}}");
                self.client.values.add(scratch, at, "recovery:congestion_state_updated", &text);
                return;
            }
        };
        // Before the first sample the round-trip time is 0 and is not shown.
        if shown.is_finite() && (shown > 0.0 || variable == Variable::InFlight) {
            let text = format!("{{\"{key}\":{shown}}}");
            self.client.values.add(scratch, at, "recovery:metrics_updated", &text);
        }
    }
}

impl Tracer for TcpLog {
    fn new(subjects: &Subjects, _: Duration) -> Self {
        let flows = vec![FlowState::default(); subjects.flows.len()];
        let segments = subjects.flows.iter().map(|flow| flow.segment).collect();
        Self { flows, segments, scratch: Scratch::default() }
    }

    fn events(&self) -> &'static [PacketEvent] {
        use PacketEvent::{Ack, AckSent, Receive, Send};
        &[Send, Receive, AckSent, Ack]
    }

    fn packet(&mut self, subjects: &Subjects, e: &Event<'_>) {
        let number = e.packet.flow.index();
        let flow = &subjects.flows[number];
        let (state, scratch, wire) = (&mut self.flows[number], &self.scratch, e.packet.wire);
        match (e.event, &e.packet.body) {
            (PacketEvent::Send, Body::Data(data)) if e.place == Place::Node(flow.from) => {
                state.sent(scratch, e.at, wire, data);
            }
            (PacketEvent::Ack, Body::Ack(ack)) if e.place == Place::Node(flow.from) => {
                let frames =
                    format!("{{\"frame_type\":\"ack\",\"acked_ranges\":[{}]}}", state.acknowledged(ack));
                let text =
                    packet(state.client.received, wire, &frames, &ack_fields(subjects, number, ack), "");
                state.client.received += 1;
                state.client.packets.add(scratch, e.at, "transport:packet_received", &text);
            }
            (PacketEvent::AckSent, Body::Ack(ack)) if e.place == Place::Node(flow.to) => {
                let text = packet(state.server.sent, wire, "", &ack_fields(subjects, number, ack), "");
                state.server.sent += 1;
                state.server.packets.add(scratch, e.at, "transport:packet_sent", &text);
            }
            (PacketEvent::Receive, Body::Data(data))
                if subjects.ends(e.place).is_some_and(|ends| ends.to == flow.to) =>
            {
                let (frames, tcp) = data_fields(data);
                let text = packet(state.server.received, wire, &frames, &tcp, "");
                state.server.received += 1;
                state.server.packets.add(scratch, e.at, "transport:packet_received", &text);
            }
            _ => {}
        }
    }

    fn observe(&mut self, now: Instant, observation: &Observation<'_>) {
        if let Observation::Variable(flow, variable, value) = *observation {
            let (state, segment) = (&mut self.flows[flow.index()], self.segments[flow.index()]);
            state.observed(&self.scratch, now, variable, value, segment);
        }
    }

    fn finish(self: Box<Self>, subjects: &Subjects, _: Instant) -> Recorded {
        let named = subjects.flows.iter().zip(self.flows).filter(|(flow, _)| !flow.datagrams);
        let flows = named.map(|(flow, state)| (flow.name.clone(), [state.client, state.server]));
        // The stacks of QUIC flows write their own logs.
        let flows = flows.filter(|(_, ends)| ends.iter().any(|end| end.packets.bytes() > 0)).collect();
        Recorded::Files(Box::new(TcpLogs { flows, scratch: self.scratch }))
    }
}

/// Finished logs of the TCP flows, each with the flow's name and both ends.
#[derive(Debug)]
struct TcpLogs {
    flows: Vec<(String, [End; 2])>,
    scratch: Scratch,
}

/// Returns the time of a line, picoseconds, and its JSON text.
fn split(line: &[u8]) -> (u64, &[u8]) {
    let at = line.iter().position(|byte| *byte == b' ').unwrap_or(0);
    let time = std::str::from_utf8(&line[..at]).ok().and_then(|text| text.parse().ok());
    (time.unwrap_or_default(), line.get(at + 1..).unwrap_or_default())
}

/// Writes the log of an end: a header, and the lines of packets and of values, in order of time.
fn write_end(out: &mut dyn Write, scratch: &Scratch, flow: &str, side: &str, end: &End) -> io::Result<()> {
    let name: String = flow.chars().filter(|c| !c.is_control() && !matches!(c, '"' | '\\')).collect();
    let mut record = |text: &[u8]| {
        out.write_all(&[SEPARATOR])?;
        out.write_all(text)?;
        out.write_all(b"\n")
    };
    record(
        format!(
            "{{\"qlog_version\":\"0.3\",\"qlog_format\":\"JSON-SEQ\",\"title\":\"{name}\",\"trace\":{{\"vantage_point\":{{\"name\":\"{name}\",\"type\":\"{side}\"}},\"common_fields\":{{\"protocol_type\":[\"TCP\"],\"time_format\":\"relative\",\"reference_time\":0}}}}}}"
        )
        .as_bytes(),
    )?;
    let (packets, values) = (end.packets.read(scratch)?, end.values.read(scratch)?);
    let lines = |all: &'_ [u8]| -> Vec<(u64, Vec<u8>)> {
        all.split(|byte| *byte == b'\n')
            .filter(|line| !line.is_empty())
            .map(|line| {
                let (time, text) = split(line);
                (time, text.to_vec())
            })
            .collect()
    };
    let mut all = lines(&packets);
    all.extend(lines(&values));
    // The sort is stable, so values follow the packets of their instant.
    all.sort_by_key(|(time, _)| *time);
    all.iter().try_for_each(|(_, text)| record(text))
}

impl TraceFiles for TcpLogs {
    /// Writes `<stem>-<flow>-client.sqlog` and `<stem>-<flow>-server.sqlog` for each flow.
    fn write(&self, folder: &Path, stem: Option<&str>) -> io::Result<Vec<PathBuf>> {
        let stem = stem.unwrap_or("qlog");
        let mut paths = Vec::with_capacity(2 * self.flows.len());
        for ((flow, ends), file) in
            self.flows.iter().zip(stems(self.flows.iter().map(|(name, _)| name.as_str())))
        {
            for (side, end) in ["client", "server"].into_iter().zip(ends) {
                let path = folder.join(format!("{stem}-{file}-{side}.sqlog"));
                write_file(&path, |out| write_end(out, &self.scratch, flow, side, end))?;
                paths.push(path);
            }
        }
        Ok(paths)
    }

    fn kept(&self) -> Kept {
        let ends = self.flows.iter().flat_map(|(_, ends)| ends);
        Kept::waiting(ends.map(|end| end.packets.bytes() + end.values.bytes()).sum())
    }
}

#[cfg(test)]
#[path = "qlog_tcp_tests.rs"]
mod tests;
