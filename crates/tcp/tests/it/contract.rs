//! The reference page of the contract between a connection and its congestion control, generated from the declarations.

use std::fmt::Write;
use tcp::congestion::{AckSample, Arrival, CONTRACT_VERSION, Field, LossSample};
use tcp::rate::{LostSegment, RateSample};

const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/reference/contract.md");

const HEAD: &str = "\
# The contract of congestion controls

This page lists what a congestion control is told and what it may answer, under the same names in Rust (trait
`tcp::congestion::CongestionControl`) and in Python (class `ackclock.Control`). Our own controls use this contract and nothing
else. [Write your own congestion control](../howto/own-control.md) shows how to begin. The tables of samples are written from the
declarations (`make pages` renews them).

";

const REST: &str = "
The version rises when something that a control may rely on changes or goes; additions keep it. In Rust times are `Instant` and
`Duration`, in Python seconds; `None` stands for what was not measured. Sequence numbers count segments. Windows are in segments,
with fractions.

## What a control answers

| Rust | Python | unit | meaning |
|---|---|---|---|
| `window().cwnd` | `self.cwnd` | segments | congestion window: 1 to 1e9 |
| `window().ssthresh` | `self.ssthresh` | segments | slow-start threshold: 0 or more, or infinite |
| `pacing_rate()` | `self.pacing_rate` | segments/s | rate to send at, above 0; `None`: as the window opens |
| `wake()` | `self.wake` | s | when `on_timer` is to be called; `None` or a time that has passed: never |
| `Reaction` | what `on_congestion` returns | | what it took a loss for: `\"congestion\"` (`None` means the same) or `\"random\"` |
| `Algorithm::parameters` | `ackclock.control.Parameter` in the class | its own | parameters with unit, default and bounds, set in `control = { ... }` |
| `traced()` | `traced`, names of attributes | its own | state that `trace(\"control\")` has; `pacing_rate` is there by itself |

The endpoint changes the window, too: it opens it, clamps it, restarts it after an idle time, and lets it down during fast recovery.
A control finds the window as the endpoint left it.

Version 2 (November 2026): `cwnd` is at least 1 and at most 1e9. In version 1 it was any finite number from 0.

## When a control is called

| method | when | needs |
|---|---|---|
| `on_ack(ack)` | new data is acknowledged | required |
| `on_congestion(loss)` | a loss or a mark is to be answered | required |
| `on_handshake(now, rtt)` | the SYN is acknowledged, the first time that it was sent | |
| `on_arrival(arrival)` | any acknowledgment arrives, before loss recovery sees it | `arrivals` |
| `on_rate(sample)` | an acknowledgment has been dealt with | `rates` |
| `on_lost(lost)`, in Rust | a segment counts as lost, before the sample of the acknowledgment that shows it | `rates` |
| `on_restart(now)`, in Rust | an application-limited sender is about to send, with nothing in flight | `rates` |
| `on_recovery(now, step)` | `retransmission` of a segment (with the segments outstanding), `deflation` of the window (with its inflation), `end` of fast recovery | |
| `on_timer(now)` | the time of `wake` has come | `timer` |

In Rust `needs()` names what is to be called beside the rest, and `segment_times`: a round trip of each segment, not only those
that the endpoint measures. In Python a method that the class has is called, and `segment_times = True` in the class asks for those.
`Rounds.ends(ack)` counts round trips. The random stream is `set_rng(rng)` in Rust and `self.rng` in Python: `uniform()`,
`exponential(mean)` and `bits()`, from the seed of the run.

## What stops a run

A control that answers less than one segment has nothing sent, so 0.5 is an error, and so is 0. The least window is one segment,
also after a loss or a mark at a window of one segment: the endpoint itself then waits for the retransmission timer (RFC 3168
section 6.1.2). The window in force is at most 1 000 000 segments, `max_window` and `receive_window`, however large `cwnd` is. A
control that counts acknowledgments on a path without losses may go beyond that. One that answers more than 1e9 segments does
not count them, and that is an error.

A window or a rate outside the bounds above stops the run, as does an exception in Python. The error names the flow, the simulated
time and the sample that the control was given; in Python it is `ackclock.errors.ControlError`, with the traceback.
";

fn table(page: &mut String, title: &str, fields: &[Field]) {
    write!(page, "\n## {title}\n\n| field | unit | meaning |\n|---|---|---|\n").expect("memory");
    for Field { name, unit, about } in fields {
        // Links of rustdoc become plain names on the page.
        let about = about.replace("[`", "`").replace("`]", "`");
        writeln!(page, "| `{name}` | {unit} | {about} |").expect("memory");
    }
}

fn page() -> String {
    let mut page = format!("{HEAD}The contract has version {CONTRACT_VERSION}.\n{REST}");
    table(&mut page, "`AckSample`: an acknowledgment of new data", AckSample::FIELDS);
    page.push_str("\n`window_limited(cwnd)` tells whether the window held the sender back.\n");
    table(&mut page, "`LossSample`: a loss or a mark", LossSample::FIELDS);
    page.push_str(
        "\n`why` is `fast_loss`, `restart` (fast retransmit without fast recovery), `timeout` or `mark`. `timeout` tells the third\n\
         apart; `goes_on` is true of the first and the last. `reduced(factor)`, `less(share)` and `threshold(window)` compute as\n\
         the endpoint's rounding asks. In Python `oldest` is a pair: when it was last sent, and how often.\n",
    );
    table(&mut page, "`Arrival`: any acknowledgment", Arrival::FIELDS);
    table(&mut page, "`RateSample`: the rate of delivery", RateSample::FIELDS);
    table(&mut page, "`LostSegment`: a segment that counts as lost", LostSegment::FIELDS);
    page
}

#[test]
fn the_page_is_current() {
    let written = std::fs::read_to_string(PAGE).expect("docs/reference/contract.md");
    assert!(written == page(), "docs/reference/contract.md is not what the contract says: make pages");
}

#[test]
#[ignore = "writes docs/reference/contract.md"]
fn renew_the_page() {
    std::fs::write(PAGE, page()).expect("a page");
}
