// Guided experiments: a scenario, two runs that differ in one thing, a question, what to watch, and why.

import type { Setting } from "./model";

export interface Experiment {
  id: string;
  title: string;
  /** Example of the package, or the text of a scenario. */
  example?: string;
  text?: string;
  set?: Setting[];
  b?: Setting[];
  question: string;
  watch: string;
  why: string;
}

const path = (duration: string, queue: number) => `# One transfer over a path of 10 Mb/s with a round trip of 50 ms.
duration = "${duration}"
seed = 1

[[link]]
name = "access"
between = ["client", "router"]
rate = "100Mbps"
delay = "1ms"

[[link]]
name = "bottleneck"
between = ["router", "server"]
rate = "10Mbps"
delay = "24ms"
queue = { kind = "droptail", packets = ${queue} }

[[flow]]
name = "transfer"
from = "client"
to = "server"
tcp = { variant = "sack" }
`;

const pair = (start: string) => `# Two transfers share a bottleneck of 10 Mb/s.
duration = "60s"
seed = 1

[[link]]
name = "left"
between = ["a", "router"]
rate = "100Mbps"
delay = "1ms"

[[link]]
name = "right"
between = ["b", "router"]
rate = "100Mbps"
delay = "1ms"

[[link]]
name = "bottleneck"
between = ["router", "server"]
rate = "10Mbps"
delay = "14ms"
queue = { kind = "droptail", packets = 40 }

[[flow]]
name = "first"
from = "a"
to = "server"
tcp = { variant = "sack" }

[[flow]]
name = "second"
from = "b"
to = "server"
start = "${start}"
tcp = { variant = "sack" }
`;

export const EXPERIMENTS: Experiment[] = [
  {
    id: "slow-start",
    title: "Slow start",
    text: path("3s", 60),
    b: [["flow.transfer.tcp.initial_window", "2"]],
    question: "In slow start the window grows by a segment with each acknowledgment. Run A begins with 10 segments, run B with 2. How many round trips of 50 ms later does B fill the queue?",
    watch: "By what factor does the window grow in each round trip? Go to the first loss of each run, and compare the sequence numbers at 0.5 s.",
    why: "The receiver acknowledges every second segment, so the window grows by about half in each round trip, not to the double. Going from 2 to 10 segments takes about four round trips, and the first loss comes 0.23 s later. When the queue overflows, a round trip passes until the sender learns of it: 51 packets are lost.",
  },
  {
    id: "sawtooth",
    title: "The sawtooth",
    text: path("60s", 40),
    b: [["flow.transfer.tcp.variant", "cubic"]],
    question: "Reno adds one segment per round trip and halves at a loss. What shape does CUBIC draw instead, and who keeps the queue fuller?",
    watch: "Move the queue size down to a few packets: when does Reno's window fall so low that the link idles?",
    why: "After halving, Reno keeps the link busy only if the queue holds about a bandwidth-delay product. CUBIC cuts to 0.7 of the window and returns quickly to where the loss was, then probes slowly.",
  },
  {
    id: "bufferbloat",
    title: "Bufferbloat",
    example: "bufferbloat",
    b: [["link.uplink.queue.kind", "fq-codel"]],
    question: "A transfer and a call share an uplink with room for 1000 packets. How long does a packet of speech wait in run A, and in run B with FQ-CoDel?",
    watch: "Compare the queue and the round-trip time. Then make the queue of A smaller until the delay is as low as B's: what happens to the goodput?",
    why: "A sender that backs off only at losses fills any buffer. FQ-CoDel gives each flow a queue of its own and drops from one whose packets wait for more than 5 ms.",
  },
  {
    id: "fairness",
    title: "Fairness",
    text: pair("15s"),
    b: [["flow.second.tcp.variant", "bbr"]],
    question: "A second transfer arrives after 15 s. In run A it uses the same control; in run B it is BBR. How long until the shares are equal, if ever?",
    watch: "The throughput of the two flows after 15 s, and Jain's index in the table.",
    why: "With equal round trips, additive increase and multiplicative decrease bring two flows of one kind to equal shares (Chiu and Jain 1989). Controls that read the path differently need not agree.",
  },
  {
    id: "rtt",
    title: "RTT unfairness",
    text: pair("0s"),
    b: [["link.right.delay", "40ms"]],
    question: "In run B the second flow's propagation delay is 3.6 times as long. What share of the first flow's throughput does it get?",
    watch: "The slopes of the sequence numbers. Then set both variants to cubic: is the ratio larger or smaller?",
    why: "Reno grows by one segment per round trip, so a flow with a longer round trip grows more slowly after each loss.",
  },
  {
    id: "vegas",
    title: "Delay against loss",
    example: "dumbbell",
    b: [["flow.newreno.tcp.variant", "vegas"]],
    question: "Vegas keeps a few packets in the queue; NewReno fills it. Who wins in run A? And what changes if both are Vegas?",
    watch: "In run B the queue of the bottleneck stays at about six packets, and nothing is lost.",
    why: "Vegas reads a growing round trip as congestion and makes room; NewReno takes it. Among themselves Vegas flows share with a short queue.",
  },
  {
    id: "random-loss",
    title: "Losses of a radio link",
    text: path("30s", 60),
    set: [["link.bottleneck.loss", "0.01"]],
    b: [["flow.transfer.tcp.variant", "bbr"]],
    question: "One packet in a hundred is lost at random. How much of 10 Mb/s does SACK get, which takes each loss for congestion?",
    watch: "Move the loss from 0 to 0.02. Compare with 0.87 × segment / (RTT × √p), the formula of Mathis and others (1997) for one acknowledgment per two segments.",
    why: "The sender cannot tell a random loss from an overflow. BBR builds on the measured delivery rate and hardly reacts to a loss of one per cent.",
  },
  {
    id: "red",
    title: "Drop-tail against RED",
    text: pair("0s"),
    b: [["link.bottleneck.queue.kind", "red"]],
    question: "RED drops at random before the queue is full. Is the queue of run B shorter, and what does it cost in throughput?",
    watch: "The queue of the bottleneck, and how often both flows lose packets at the same time in run A.",
    why: "A full drop-tail queue hits all flows at once, which then halve together. RED spreads the losses (Floyd and Jacobson 1993).",
  },
  {
    id: "cbr",
    title: "TCP against a constant stream",
    example: "udp-cross",
    b: [["flow.transfer.tcp.variant", "vegas"]],
    question: "A stream of 1 Mb/s runs from 5 to 10 s and does not react to congestion. What is left for TCP, and how fast does it take back the rest?",
    watch: "The throughput of the transfer between 5 and 10 s, and after 12 s against bursts.",
    why: "A source without congestion control keeps its rate; TCP gets what it leaves.",
  },
  {
    id: "wlan",
    title: "A wireless LAN",
    example: "wlan",
    question: "Three stations and an access point share one channel. Which share of the frames on the air are acknowledgments of TCP?",
    watch: "Slow the picture down until single frames can be seen: DATA, then ACK of the MAC layer, then TCP's acknowledgment the other way.",
    why: "Each TCP acknowledgment costs a whole channel access, so that download and upload compete even on one connection.",
  },
];
