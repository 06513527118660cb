"""The tables of a scenario as typed dictionaries, written from their declarations (`make pages`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, Required, TypeAlias, TypedDict


class Access(TypedDict, total=False):
    """Access parameters of an access category. Defaults are those of best effort if aCWmin is 15 and aCWmax 1023."""

    aifsn: int
    cw_min: int
    cw_max: int
    txop: str


class PoissonArrivals(TypedDict, total=False):
    """A Poisson process: independent users, at a rate or at a load of a link."""

    rate: float
    load: float
    link: str
    most: int
    kind: Required[Literal["poisson"]]


class GivenArrivals(TypedDict, total=False):
    """At given times after the flow's start."""

    times: Required[Sequence[str]]
    kind: Required[Literal["given"]]


class Control(TypedDict, total=False):
    """User-defined congestion control, as it was when the scenario was read."""

    name: Required[str]
    sha256: Required[str]
    source: str


class Duplicate(TypedDict, total=False):
    """Duplication: packets that are delivered twice."""

    rate: Required[float]
    toward: str


class Event(TypedDict, total=False):
    """A change during the run."""

    at: Required[str]
    set: Required[str]
    to: Required[Any]


class NoneFading(TypedDict, total=False):
    """No fading."""

    kind: Required[Literal["none"]]


class RayleighFading(TypedDict, total=False):
    """No line of sight: the power is exponentially distributed."""

    kind: Required[Literal["rayleigh"]]


class NakagamiFading(TypedDict, total=False):
    """The power is gamma distributed; the shape depends on the distance."""

    shapes: Sequence[float]
    distances: Sequence[float]
    kind: Required[Literal["nakagami"]]


class LogNormalFading(TypedDict, total=False):
    """The power in dB is normally distributed, independently for each frame, as in ns-2's shadowing."""

    deviation: Required[float]
    kind: Required[Literal["log-normal"]]


Flow = TypedDict(
    "Flow",
    {
        "name": "str",
        "from": "Required[str]",
        "to": "Required[str]",
        "count": "int",
        "step": "int",
        "start": "str",
        "stop": "str",
        "traffic": "Traffic",
        "class": "int",
        "access_category": "Literal[\"background\"] | Literal[\"best-effort\"] | Literal[\"video\"] | Literal[\"voice\"]",
        "tcp": "Tcp",
        "quic": "Quic",
        "stack": "Stack",
        "kernel": "Kernel",
    },
    total=False,
)


class IntelligentGateway(TypedDict, total=False):
    """Keeps a copy of each data packet, acknowledges it to the source at once (Pre ACK), and sends it to the destination by a TCP sender of its own. The destination's acknowledgment frees the copy and is not forwarded. End-to-end semantics of acknowledgments are lost."""

    buffer: str
    variant: str
    tcp: Tcp
    kind: Required[Literal["intelligent"]]


class PreAckGateway(TypedDict, total=False):
    """Forwards each data packet at once, keeps a copy, and acknowledges it to the source (Pre ACK). Packets lost behind the gateway are retransmitted from the copy. The destination's acknowledgment frees the copy and is not forwarded. End-to-end semantics of acknowledgments are lost."""

    buffer: str
    min_timeout: str
    kind: Required[Literal["pre-ack"]]


class SnoopGateway(TypedDict, total=False):
    """Caches data packets and retransmits those lost behind the gateway. Suppresses duplicate acknowledgments for these losses; never acknowledges data itself."""

    buffer: str
    min_timeout: str
    kind: Required[Literal["snoop"]]


class SplitGateway(TypedDict, total=False):
    """Terminates the source's connection and opens a second one to the destination, each with its own handshake and segments; bytes are relayed between the two."""

    buffer: str
    variant: str
    tcp: Tcp
    kind: Required[Literal["split"]]


class NoneHandover(TypedDict, total=False):
    """No handover: a UE stays in the cell that was best at the start."""

    kind: Required[Literal["none"]]


class A3HandoverX2Queue(TypedDict, total=False):
    """Queue in front of the link; default { packets = 1000 }."""

    packets: int
    bytes: str
    bdp: float
    unlimited: bool


class A3HandoverX2(TypedDict, total=False):
    """X2 link that leaves each eNodeB; default { rate = '10Gbps', delay = '0s', queue = { packets = 1000 } }."""

    rate: str
    delay: str
    queue: A3HandoverX2Queue


class A3Handover(TypedDict, total=False):
    """Handover to a cell that has been better than the serving cell for a time (event A3 of TS 36.331)."""

    offset: float
    hysteresis: float
    time_to_trigger: str
    period: str
    filter: int
    preparation: str
    interruption: str
    path_switch: str
    forwarding: bool
    keep_waiting: bool
    x2: A3HandoverX2
    kind: Required[Literal["a3"]]


class UniformJitter(TypedDict, total=False):
    """Uniform from zero to `max`."""

    max: Required[str]
    keep_order: bool
    toward: str
    kind: Required[Literal["uniform"]]


class ExponentialJitter(TypedDict, total=False):
    """Exponential with mean `mean`."""

    mean: Required[str]
    keep_order: bool
    toward: str
    kind: Required[Literal["exponential"]]


class NormalJitter(TypedDict, total=False):
    """Normal with `mean` and `deviation`; negative values become zero."""

    mean: Required[str]
    deviation: Required[str]
    keep_order: bool
    toward: str
    kind: Required[Literal["normal"]]


class Kernel(TypedDict, total=False):
    """The kernel's own TCP at both ends of a flow, in simulated time; `make kernel` builds the kernel. A run takes about a hundred times as long as with endpoints of this simulator."""

    stack: Literal["linux"]
    control: Required[Literal["reno"] | Literal["cubic"] | Literal["bic"] | Literal["westwood"] | Literal["htcp"] | Literal["highspeed"] | Literal["hybla"] | Literal["vegas"] | Literal["nv"] | Literal["scalable"] | Literal["lp"] | Literal["veno"] | Literal["yeah"] | Literal["illinois"] | Literal["dctcp"] | Literal["cdg"] | Literal["bbr"]]
    ecn: bool
    receive_buffer: str


class LinkRate(TypedDict, total=False):
    """Rate trace: the name of a file, or its content as `gaps`."""

    trace: str
    gaps: str


class Link(TypedDict, total=False):
    """A full-duplex point-to-point link. Both directions are the same, except for `reverse` and for losses with `toward`."""

    name: str
    between: Required[Sequence[str]]
    rate: Required[str | LinkRate]
    count: int
    step: int
    delay: Required[str]
    framing: str
    queue: int | str | Queue
    loss: float | Loss | Sequence[Loss]
    jitter: Jitter | Sequence[Jitter]
    reorder: Reorder | Sequence[Reorder]
    duplicate: Duplicate | Sequence[Duplicate]
    reverse: Reverse


class RandomLoss(TypedDict, total=False):
    """Each packet independently with a probability."""

    rate: Required[float]
    spare_acks: bool
    toward: str
    at: Literal["entry"] | Literal["wire"]
    kind: Required[Literal["random"]]


class BitErrorLoss(TypedDict, total=False):
    """Each bit is wrong independently with a probability; one wrong bit loses the packet."""

    rate: Required[float]
    toward: str
    at: Literal["entry"] | Literal["wire"]
    kind: Required[Literal["bit-error"]]


class GilbertElliottLoss(TypedDict, total=False):
    """In bursts: a good and a bad state, each with its own loss probability. Share lost: (loss_good r + loss_bad p) / (p + r)."""

    p: Required[float]
    r: Required[float]
    loss_good: float
    loss_bad: float
    toward: str
    at: Literal["entry"] | Literal["wire"]
    kind: Required[Literal["gilbert-elliott"]]


class ListLoss(TypedDict, total=False):
    """Packets listed by number."""

    flow: int
    packets: Required[Sequence[int]]
    delay: str
    toward: str
    at: Literal["entry"] | Literal["wire"]
    kind: Required[Literal["list"]]


class PeriodicLoss(TypedDict, total=False):
    """Every N-th packet."""

    every: Required[int]
    offset: int
    flow: int
    toward: str
    at: Literal["entry"] | Literal["wire"]
    kind: Required[Literal["periodic"]]


class TraceLoss(TypedDict, total=False):
    """By a file with a mark for each packet. The settings name the file, or have its content as `lost` and `length`."""

    trace: str
    lost: Sequence[int]
    length: int
    flow: int
    toward: str
    at: Literal["entry"] | Literal["wire"]
    kind: Required[Literal["trace"]]


class NoneLteFading(TypedDict, total=False):
    """No fast fading."""

    kind: Required[Literal["none"]]


class EpaLteFading(TypedDict, total=False):
    """Extended Pedestrian A: delays up to 410 ns, nearly flat."""

    doppler: float
    kind: Required[Literal["epa"]]


class EvaLteFading(TypedDict, total=False):
    """Extended Vehicular A: delays up to 2.5 us."""

    doppler: float
    kind: Required[Literal["eva"]]


class EtuLteFading(TypedDict, total=False):
    """Extended Typical Urban: delays up to 5 us, strongly frequency-selective."""

    doppler: float
    kind: Required[Literal["etu"]]


class ConstantMobility(TypedDict, total=False):
    """The node does not move."""

    kind: Required[Literal["constant"]]


class RandomWalkMobility(TypedDict, total=False):
    """Random walk: a new direction and speed after each time or distance; reflected at the bounds."""

    bounds: Required[Sequence[float]]
    speed: float | Sequence[float]
    time: str
    distance: float
    kind: Required[Literal["random-walk"]]


class RandomDestinationMobility(TypedDict, total=False):
    """A new destination and speed at fixed intervals, whether or not the last destination was reached (ns-2's random-motion)."""

    bounds: Required[Sequence[float]]
    speed: float | Sequence[float]
    interval: str
    kind: Required[Literal["random-destination"]]


class RandomWaypointMobility(TypedDict, total=False):
    """Random waypoint: the node moves to a random destination, pauses, and moves to the next."""

    bounds: Required[Sequence[float]]
    speed: Required[float | Sequence[float]]
    pause: str | Sequence[str]
    starts_paused: bool
    kind: Required[Literal["random-waypoint"]]


class GaussMarkovMobility(TypedDict, total=False):
    """Gauss-Markov: speed and direction of each step are correlated with those of the last step."""

    bounds: Required[Sequence[float]]
    mean_speed: Required[float]
    memory: float
    mean_direction: float
    speed_deviation: float
    direction_deviation: float
    step: str
    kind: Required[Literal["gauss-markov"]]


class SetdestMobility(TypedDict, total=False):
    """Movement from a file in ns-2's format (setdest), which also has the starting position."""

    trace: str
    node: int
    orders: str
    kind: Required[Literal["setdest"]]


class BonnmotionMobility(TypedDict, total=False):
    """Movement from a BonnMotion file, which also has the starting position."""

    trace: str
    node: int
    dimensions: int
    waypoints: str
    kind: Required[Literal["bonnmotion"]]


class Node(TypedDict, total=False):
    """A node."""

    name: Required[str]
    count: int
    gateway: Gateway
    address: str
    position: Sequence[float]
    placement: Placement
    mobility: Mobility


class GridPlacement(TypedDict, total=False):
    """On a grid."""

    columns: Required[int]
    spacing: Required[float | Sequence[float]]
    index: int
    origin: Sequence[float]
    kind: Required[Literal["grid"]]


class DiscPlacement(TypedDict, total=False):
    """Drawn uniformly from a disc."""

    radius: Required[float]
    center: Sequence[float]
    kind: Required[Literal["disc"]]


class UniformPlacement(TypedDict, total=False):
    """Drawn uniformly from a rectangle."""

    bounds: Required[Sequence[float]]
    height: float
    kind: Required[Literal["uniform"]]


class FriisPropagation(TypedDict, total=False):
    """Free-space loss: the power decreases with the square of distance."""

    kind: Required[Literal["friis"]]


class TwoRayPropagation(TypedDict, total=False):
    """Two-ray ground: free space up to the crossover distance, then a decrease with the fourth power of distance."""

    kind: Required[Literal["two-ray"]]


class LogDistancePropagation(TypedDict, total=False):
    """Log-distance: the power decreases with a power of distance, from a loss at a reference distance."""

    exponent: float
    reference_distance: float
    reference_loss: float
    kind: Required[Literal["log-distance"]]


class RangePropagation(TypedDict, total=False):
    """Fixed range: no loss up to a distance, no reception beyond."""

    range: Required[float]
    kind: Required[Literal["range"]]


class OkumuraHataPropagation(TypedDict, total=False):
    """Hata's formulas for Okumura's measurements, 150 to 1500 MHz."""

    environment: Literal["urban"] | Literal["suburban"] | Literal["open"]
    city: Literal["large"] | Literal["small"]
    kind: Required[Literal["okumura-hata"]]


class Cost231Propagation(TypedDict, total=False):
    """Extension of Hata's formulas by COST 231, 1500 to 2000 MHz."""

    city: Literal["large"] | Literal["small"]
    kind: Required[Literal["cost231"]]


class DroptailQueue(TypedDict, total=False):
    """First in, first out; a packet that arrives at a full queue is dropped."""

    packets: int
    bytes: str
    bdp: float
    unlimited: bool
    kind: Required[Literal["droptail"]]


class HeadDropQueue(TypedDict, total=False):
    """First in, first out; an arrival at a full queue pushes out the packet that has waited longest (Lakshman, Neidhardt and Ott 1996)."""

    packets: int
    bytes: str
    bdp: float
    unlimited: bool
    kind: Required[Literal["head-drop"]]


class RedQueue(TypedDict, total=False):
    """Random early detection (Floyd and Jacobson 1993): arrivals are dropped with a probability that grows with the average queue length."""

    packets: int
    bytes: str
    bdp: float
    unlimited: bool
    profile: Literal["floyd"] | Literal["ns2"] | Literal["ns3"]
    min: float
    max: float
    weight: float
    max_p: float
    gentle: bool
    adaptive: bool
    target_delay: str
    mean_packet: str
    spare: int
    wait: bool
    ecn: bool
    mark_below: float
    drop_above: bool
    kind: Required[Literal["red"]]


class CodelQueue(TypedDict, total=False):
    """Controlled delay (RFC 8289): packets are dropped on dequeue while the least sojourn time is above a target."""

    packets: int
    bytes: str
    bdp: float
    unlimited: bool
    target: str
    interval: str
    ecn: bool
    newton: bool
    kind: Required[Literal["codel"]]


class FqCodelQueue(TypedDict, total=False):
    """Flows hashed to queues, served by deficit round robin, with CoDel in each queue (RFC 8290). If all queues together exceed the limit, packets are dropped from the head of the queue with the most bytes."""

    packets: int
    bytes: str
    bdp: float
    unlimited: bool
    target: str
    interval: str
    ecn: bool
    newton: bool
    quantum: str
    queues: int
    kind: Required[Literal["fq-codel"]]


class PieQueue(TypedDict, total=False):
    """Proportional integral controller, enhanced (RFC 8033): arrivals are dropped at random so that the queueing delay stays near a target."""

    packets: int
    bytes: str
    bdp: float
    unlimited: bool
    profile: Literal["rfc"] | Literal["ns3"]
    target: str
    update: str
    alpha: float
    beta: float
    max_burst: str
    mean_packet: str
    ecn: bool
    derandomize: bool
    mark_below: float
    kind: Required[Literal["pie"]]


class TokenBucketQueue(TypedDict, total=False):
    """Shaper: sends the packets of another queue at a rate of at most `rate`, with bursts of at most `burst` bytes."""

    rate: Required[str]
    burst: Required[str]
    queue: Queue
    kind: Required[Literal["token-bucket"]]


class TxRingQueue(TypedDict, total=False):
    """A network device's own FIFO queue below another queue, from which it takes packets while it is not full."""

    packets: Required[int]
    queue: Queue
    kind: Required[Literal["tx-ring"]]


class PriorityQueue(TypedDict, total=False):
    """Strict priority: a band for each class of flows; the first band that has a packet is served."""

    bands: Required[Sequence[Queue]]
    kind: Required[Literal["priority"]]


class Quic(TypedDict, total=False):
    """Settings of a flow over a production QUIC stack: handshake, packet format, loss recovery and congestion control are those of the stack."""

    stack: Literal["quinn"]
    variant: Required[Literal["quinn-newreno"] | Literal["quinn-cubic"] | Literal["quinn-bbr"]]
    receive_window: str


class ConstantRateControl(TypedDict, total=False):
    """Always `rate` or `mcs`."""

    kind: Required[Literal["constant"]]


class ArfRateControl(TypedDict, total=False):
    """Automatic rate fallback: by consecutive attempts that succeeded or failed."""

    successes: int
    failures: int
    timer: int
    kind: Required[Literal["arf"]]


class IdealRateControl(TypedDict, total=False):
    """By the signal-to-noise ratio that the receiver reports."""

    target: float
    bytes: str
    kind: Required[Literal["ideal"]]


class MinstrelHtRateControl(TypedDict, total=False):
    """Minstrel-HT: by the expected throughput of each rate, from an average of its delivery ratio; some packets probe other rates."""

    interval: str
    ewma: float
    lookaround: float
    tries: int
    kind: Required[Literal["minstrel-ht"]]


class CaptureReception(TypedDict, total=False):
    """By power alone, without noise: the frame received first survives later frames that are weaker by a ratio; otherwise both are lost."""

    receive: str
    sense: str
    ratio: float
    reserves: bool
    kind: Required[Literal["capture"]]


class SinrReception(TypedDict, total=False):
    """By the ratio of the signal to thermal noise and interference (SINR), with error rates; a receiver locks to the first preamble that is strong enough."""

    noise_figure: float
    preamble_snr: float
    preamble_power: str
    energy_detection: str
    capture: bool
    frame_capture: float
    capture_window: str
    kind: Required[Literal["sinr"]]


class Reorder(TypedDict, total=False):
    """Reordering: packets that are held back, so that later ones overtake them."""

    rate: Required[float]
    delay: Required[str]
    toward: str


class ReverseRate(TypedDict, total=False):
    """Rate trace: the name of a file, or its content as `gaps`."""

    trace: str
    gaps: str


class Reverse(TypedDict, total=False):
    """Settings of a link's reverse direction; all others are those of the forward direction."""

    rate: str | ReverseRate
    delay: str
    queue: int | str | Queue


class DirectRouting(TypedDict, total=False):
    """No routing: packets go straight to their destination, and every station must be within reach of every other."""

    kind: Required[Literal["direct"]]


class FewestHopsRouting(TypedDict, total=False):
    """Paths of the fewest hops between stations that receive each other at the start; the paths do not change."""

    kind: Required[Literal["fewest-hops"]]


class TableRoutingRoutes(TypedDict, total=False):
    """Static route: the next hop `via` to which station `at` sends packets for destination `to`."""

    at: Required[str]
    to: Required[str]
    via: Required[str]


class TableRouting(TypedDict, total=False):
    """A routing table that does not change."""

    routes: Required[Sequence[TableRoutingRoutes]]
    kind: Required[Literal["table"]]


class AodvRoutingHello(TypedDict, total=False):
    """Hello messages, by which a station notices that a neighbour is gone; default none: links break when the MAC gives up."""

    interval: Required[str]
    allowed_loss: Required[int]


class AodvRouting(TypedDict, total=False):
    """On demand, by AODV (RFC 3561). Settings have the names of its section 10 in small letters; profile `'ns2'` has ns-2's values."""

    active_route_timeout: str
    my_route_timeout: str
    delete_period: str
    node_traversal_time: str
    net_diameter: int
    ttl_start: int
    ttl_increment: int
    ttl_threshold: int
    timeout_buffer: int
    hop_time: Literal["constant"] | Literal["measured"]
    search_backoff: Literal["binary"] | Literal["linear"]
    repeat: Literal["due"] | Literal["packet-or-tick"]
    search_pause: str
    rreq_retries: int
    rreq_ratelimit: int
    rerr_ratelimit: int
    destination_only: bool
    gratuitous: bool
    local_repair: Literal["never"] | Literal["near-destination"] | int
    local_add_ttl: int
    hello: AodvRoutingHello
    blacklist: bool
    salvage: bool
    buffer: int
    buffer_time: Literal["never"] | str
    jitter: str
    kind: Required[Literal["aodv"]]


class DsdvRouting(TypedDict, total=False):
    """By distance vectors from neighbours, as DSDV (Perkins and Bhagwat 1994); profile `'ns2'` has ns-2's values."""

    update_interval: str
    missed_updates: int
    trigger_gap: str
    settling: str
    link_layer: bool
    salvage: bool
    buffer: int
    buffer_time: str
    kind: Required[Literal["dsdv"]]


class OlsrRouting(TypedDict, total=False):
    """By link states, as OLSR (RFC 3626): every station learns the topology from the TC messages of the others; profile `'ns3'` has ns-3's values."""

    hello_interval: str
    tc_interval: str
    jitter: str
    jittered: Literal["interval"] | Literal["message"]
    link_layer: bool
    salvage: bool
    buffer: int
    buffer_time: str
    kind: Required[Literal["olsr"]]


class HwmpRouting(TypedDict, total=False):
    """On demand, by the airtime of links: HWMP, which makes the network a mesh (IEEE Std 802.11-2016, clause 14). Settings have the names of the dot11Mesh variables in small letters; `routing_first` is true."""

    active_path_timeout: str
    active_path_to_root_timeout: str
    net_diameter_traversal_time: str
    max_preq_retries: int
    preq_min_interval: str
    perr_min_interval: str
    maintenance_interval: str
    ttl: int
    root_interval: str
    proactive_prep: bool
    beacon_interval: str
    missed_beacons: int
    peering_retries: int
    peering_timeout: str
    packet_failures: int
    loss_memory: str
    salvage: bool
    buffer: int
    jitter: str
    root: str
    gates: Sequence[str]
    kind: Required[Literal["hwmp"]]


class ConstantSizes(TypedDict, total=False):
    """Always the same size."""

    size: Required[str]
    kind: Required[Literal["constant"]]


class ExponentialSizes(TypedDict, total=False):
    """Exponential."""

    mean: Required[str]
    kind: Required[Literal["exponential"]]


class ParetoSizes(TypedDict, total=False):
    """Pareto, heavy-tailed."""

    mean: Required[str]
    shape: float
    kind: Required[Literal["pareto"]]


class LogNormalSizes(TypedDict, total=False):
    """Log-normal, cut off at both ends."""

    median: Required[str]
    sigma: Required[float]
    least: str
    most: str
    kind: Required[Literal["log-normal"]]


class WebSearchSizes(TypedDict, total=False):
    """Flows of a cluster for web search, mean 1.7 MB: Alizadeh et al., DCTCP, SIGCOMM 2010, as tabulated by its authors for later papers."""

    kind: Required[Literal["web-search"]]


class DataMiningSizes(TypedDict, total=False):
    """Flows of a cluster for data mining, mean 12.7 MB, half of them under 1.1 kB: Greenberg et al., VL2, SIGCOMM 2009, as tabulated by Alizadeh et al."""

    kind: Required[Literal["data-mining"]]


class WebPagesSizes(TypedDict, total=False):
    """Main objects of web pages, mean 11.1 kB: log-normal from 100 B to 2 MB (HTTP model of 3GPP R1-070674)."""

    kind: Required[Literal["web-pages"]]


class EmpiricalSizes(TypedDict, total=False):
    """A table or a file of sizes and cumulative probabilities."""

    trace: str
    points: str
    kind: Required[Literal["empirical"]]


class Stack(TypedDict, total=False):
    """Settings of a flow over a stack that was built into the program: packet format, loss recovery and congestion control are those of the stack."""

    variant: Required[str]


class TcpControl(TypedDict, total=False):
    """Parameters of the congestion control, numbers or words, by name: for reno `increase` and `decrease`, for vegas `alpha`, `beta`, `gamma` (`ackclock list controls` shows each with its range)."""

    adaptive_backoff: Literal["off", "on"]
    alpha: float
    alpha_max: float
    alpha_min: float
    backoff: float
    beta: float
    beta_max: float
    beta_min: float
    c: float
    congestion: float
    cut_row: Literal["growth", "window"]
    cwnd_gain: float
    decrease: float
    delta: float
    delta_b: float
    delta_l: float
    draws: Literal["each", "larger"]
    estimate: Literal["off", "on"]
    eta1: float
    eta2: float
    eta3: float
    fast_convergence: Literal["off", "on"]
    fast_counting: Literal["acks", "segments"]
    fast_rounds: float
    filter: float
    form: Literal["draft", "linux"] | Literal["paper", "tcp-linux", "linux"] | Literal["paper", "tcp-linux"] | Literal["rfc", "tcp-linux", "linux"] | Literal["draft", "tcp-linux", "linux"] | Literal["formula", "tcp-linux", "linux"] | Literal["paper", "linux"]
    friendly_counting: Literal["segments", "acks"]
    g: float
    gain: float
    gamma: float
    gamma_high: float
    gamma_low: float
    headroom: float
    high_decrease: float
    high_gain: float
    high_loss: float
    high_window: float
    increase: float
    ineffectual: float
    inference: float
    inflation: Literal["removed", "kept"]
    k: float
    legacy_window: float
    loss_factor: float
    loss_threshold: float
    loss_tolerance: Literal["off", "on"]
    low_loss: float
    low_window: float
    m: float
    max_increment: float
    max_queue: float
    min_increment: float
    mode: Literal["switching", "default"]
    near: float
    pad: float
    pad_buffer: float
    phi: float
    random: float
    reference_rtt: float
    reno_friendly: Literal["off", "on"]
    reset_period: float
    rounds: Literal["mean", "least", "smoothed", "linux"]
    rtprop_window: float
    rtt_scaling: Literal["off", "on"]
    rttc: Literal["cumulative", "round", "smoothed"]
    samples: Literal["last", "mean"] | float
    scale: float
    search: float
    send_times: Literal["segments", "slots"]
    shadow: Literal["off", "on"]
    shadow_limit: Literal["none", "cwnd"]
    slow_rounds: float
    small_window: float
    smoothing: float
    start: Literal["first-sample", "zero"]
    target: float
    tau: float
    theta: float
    threshold: float
    tuning: float
    unsent: Literal["waits", "expired"]
    without_timestamps: Literal["none", "round-trip"]
    zeta: float


class Tcp(TypedDict, total=False):
    """TCP at both ends of a flow: variant, and parameters of the endpoints. Values that are not given come from the profile."""

    variant: Literal["tahoe", "reno", "newreno", "sack", "fack", "vegas", "rack", "bbr", "bbr3", "westwood", "westwood+", "tcpw-i", "veno", "cubic", "dctcp", "bic", "htcp", "hybla", "illinois", "scalable", "highspeed", "yeah", "lp", "compound", "ledbat", "copa", "nv", "cdg", "tcp-linux-reno", "tcp-linux-vegas", "tcp-linux-westwood", "tcp-linux-tcpw-i", "tcp-linux-veno", "tcp-linux-cubic", "tcp-linux-bic", "tcp-linux-htcp", "tcp-linux-hybla", "tcp-linux-illinois", "tcp-linux-scalable", "tcp-linux-highspeed", "tcp-linux-yeah", "tcp-linux-lp", "tcp-linux-compound"] | str
    profile: Literal["rfc"] | Literal["linux"] | Literal["ns2"] | Literal["ns3"]
    control: TcpControl
    segment: str
    header: str
    ack_size: str
    syn_size: Literal["segment"] | str
    timestamps_size: str
    timestamps_on_data: bool
    sack_option: str
    syn: Literal["handshake"] | Literal["packet"] | Literal["none"]
    handshake_ack: bool
    pushes: bool
    send_buffer: str
    early_data: bool
    pad_writes: bool
    fin: bool
    initial_window: float | Literal["unlimited"] | str
    initial_ssthresh: Literal["max_window"] | float | Literal["unlimited"] | str
    max_window: float | Literal["unlimited"] | str
    receive_window: float | Literal["unlimited"] | str
    syn_loss_window: float | Literal["unlimited"] | str
    syn_losses: int
    max_burst: int
    window_clamp: bool
    receive_window_only: bool
    idle_restart: bool
    send_overhead: str
    min_rto: str
    rto_floor: Literal["timeout"] | Literal["deviation"]
    rto_unit: str
    max_rto: str
    initial_rto: str
    timer_wheel: str
    clock_tick: str
    tick_phase: Literal["random"] | str
    time_retransmissions: bool
    dup_ack_timer: bool
    dup_ack_timing: bool
    sack_timing: bool
    timing_in_recovery: bool
    stamps_end_backoff: bool
    ack_counting: Literal["acks"] | Literal["segments"] | Literal["delivered"]
    slow_start_at_threshold: bool
    whole_growth: bool
    count_parts_as_whole: bool
    avoidance_by_segments: bool
    hystart: bool | Literal["none"] | Literal["rfc9406"] | Literal["linux"]
    pacing: bool
    gso: int
    duplicates: int
    repeated_recovery: bool
    limited_transmit: bool
    limited_transmit_bound: Literal["outstanding"] | Literal["pipe"]
    sack_pipe: Literal["scoreboard"] | Literal["counter"]
    sack_loss: Literal["count"] | Literal["forward"]
    sack_tail: Literal["rescue"] | Literal["wait"]
    lost_retransmission: int
    overtaken_retransmission: int
    reordering_window: float
    tail_loss_probe: bool
    max_ack_delay: str
    reduction: Literal["flight"] | Literal["window"] | Literal["pipe"]
    backoff_keeps_ssthresh: bool
    window_rounding: Literal["none"] | Literal["integer"]
    ssthresh_rounding: Literal["none"] | Literal["integer"]
    loss_floor: float
    halve_in_slow_start: bool
    early_halving: bool
    abe: bool
    pause_after_mark: bool
    window_reduction: Literal["at-once"] | Literal["rate-halving"] | Literal["prr"] | Literal["prr-ns3"]
    halving_floor: float
    undo_by_timestamps: bool
    undo_by_dsack: bool
    frto: bool
    partial_ack_timer: Literal["first"] | Literal["every"]
    sack_partial_timer: Literal["first"] | Literal["every"]
    partial_window: Literal["deflate"] | Literal["reset"]
    recovery_burst: int
    full_ack_window: Literal["flight"] | Literal["ssthresh"]
    exit_growth: bool
    chained_recovery: bool
    exit_burst: int
    clear_scoreboard_on_exit: bool
    delayed_ack: bool | str
    ack_every: int
    quick_acks: int
    receive_buffer: str
    largest_receive_buffer: str
    sack_blocks: int
    sack_memory: int
    sack_delay: str
    dsack: bool
    ack_division: int
    dupack_spoofing: int
    optimistic_acks: int
    conceal_losses: bool
    conceal_marks: bool
    timestamps: bool
    ecn: Literal["off"] | Literal["classic"] | Literal["dctcp"]
    ecn_retransmissions: bool
    cwr_on_retransmissions: bool


class ConstantTimes(TypedDict, total=False):
    """Always the same time."""

    mean: Required[str]
    kind: Required[Literal["constant"]]


class ExponentialTimes(TypedDict, total=False):
    """Exponential."""

    mean: Required[str]
    kind: Required[Literal["exponential"]]


class ParetoTimes(TypedDict, total=False):
    """Pareto, heavy-tailed."""

    mean: Required[str]
    shape: float
    kind: Required[Literal["pareto"]]


class FtpTraffic(TypedDict, total=False):
    """A file over TCP; without a size, unlimited data."""

    size: str
    kind: Required[Literal["ftp"]]


class CbrTraffic(TypedDict, total=False):
    """Packets at a constant rate, over UDP or TCP."""

    rate: Required[str]
    packet: Required[str]
    transport: Literal["udp"] | Literal["tcp"]
    header: str
    spacing: Literal["constant"] | Literal["exponential"]
    ecn: bool
    kind: Required[Literal["cbr"]]


class OnOffTraffic(TypedDict, total=False):
    """Bursts of packets at a constant rate with pauses between, over UDP or TCP."""

    rate: Required[str]
    packet: Required[str]
    transport: Literal["udp"] | Literal["tcp"]
    header: str
    spacing: Literal["constant"] | Literal["exponential"]
    ecn: bool
    on: Required[str]
    off: Required[str]
    distribution: Literal["constant"] | Literal["exponential"] | Literal["pareto"]
    shape: float
    kind: Required[Literal["on-off"]]


class VideoTraffic(TypedDict, total=False):
    """Frames of a video, split into packets, over UDP or TCP; the frames have a constant bit rate or come from a trace."""

    trace: str
    frames: str
    repeat: str
    rate: str
    fps: float
    gop: str
    packet: str
    transport: Literal["udp"] | Literal["tcp"]
    header: str
    ecn: bool
    playout: str
    quality: float
    motion: float
    kind: Required[Literal["video"]]


class SessionsTraffic(TypedDict, total=False):
    """Sessions of requests and responses over TCP, which arrive, think and leave."""

    arrivals: Required[Arrivals]
    response: Required[Sizes]
    request: Sizes
    requests: int
    requests_distribution: Literal["constant"] | Literal["geometric"]
    think: Times
    connections: int
    reuse: bool
    query: str
    classes: Sequence[str]
    kind: Required[Literal["sessions"]]


class FileWifiStationRates(TypedDict, total=False):
    """Own rate of some stations."""

    stations: Required[Sequence[str]]
    rate: str
    mcs: int
    streams: int


class FileWifiEdca(TypedDict, total=False):
    """EDCA: four access categories at each station, each with its own queue, instead of a single one. `{}` has the standard's parameters. Routing messages are sent in category `voice`; default none."""

    background: Access
    best_effort: Access
    video: Access
    voice: Access


class FileWifiAggregation(TypedDict, total=False):
    """Limits of A-MPDUs with 802.11n, ac and ax; default for n, ac and ax as below, otherwise none."""

    frames: int
    bytes: str
    duration: str
    amsdu: str


class FileWifi(TypedDict, total=False):
    """An 802.11 network: stations on one channel. The defaults of its settings depend on `profile` and `standard`."""

    name: str
    standard: Required[Literal["b"] | Literal["g"] | Literal["a"] | Literal["n"] | Literal["ac"] | Literal["ax"]]
    stations: Required[Sequence[str]]
    access_point: str | Sequence[str]
    b_stations: Sequence[str]
    station_rates: Sequence[FileWifiStationRates]
    profile: Literal["ieee"] | Literal["ns3"] | Literal["ns2"]
    channel: int
    rate: str
    b_rate: str
    mcs: int
    streams: int
    width: Literal["20MHz"] | Literal["40MHz"] | Literal["80MHz"] | Literal["160MHz"]
    guard_interval: Literal["long"] | Literal["short"] | Literal["0.8us"] | Literal["1.6us"] | Literal["3.2us"]
    he_training: Literal["1x"] | Literal["2x"] | Literal["4x"] | Literal["8us"]
    preamble: Literal["long"] | Literal["short"]
    rate_control: RateControl
    control_rate: str
    control_mcs: int
    response_rates: Sequence[str]
    rounding: Literal["standard"] | Literal["short-symbols"] | Literal["none"]
    tx_power: str
    propagation: Propagation
    frequency: str
    tx_gain: float
    rx_gain: float
    system_loss: float
    antenna_height: float
    minimum_distance: float
    light_speed: float
    shadowing: float
    fading: Fading
    reception: Reception
    error_model: Literal["table"] | Literal["nist"] | Literal["yans"]
    stream_power: Literal["split"] | Literal["whole"]
    b_energy_detection: str
    cca_time: str
    position_interval: str
    slot: str
    sifs: str
    aifsn: int
    cw_min: int
    cw_max: int
    b_cw_min: int
    edca: FileWifiEdca
    txop_protection: Literal["single"] | Literal["multiple"]
    cf_end: bool
    draw: Literal["inclusive"] | Literal["exclusive"]
    countdown: Literal["over"] | Literal["begun"]
    eifs: Literal["lowest"] | Literal["dynamic"] | Literal["reserved"]
    timeout: Literal["begin"] | Literal["whole"]
    propagation_allowance: str
    defer_after_timeout: bool
    idle_access: Literal["immediate"] | Literal["between-frames"] | Literal["backoff"]
    nav_reset: bool
    duration_field: Literal["up"] | Literal["nearest"]
    short_retry_limit: int
    long_retry_limit: int
    rts_threshold: str
    protection: Literal["none"] | Literal["cts-to-self"] | Literal["rts-cts"]
    header: str
    aggregation: FileWifiAggregation
    block_ack_request: bool
    block_ack_request_rate: Literal["control"] | Literal["response"]
    beacons: Literal["never"] | str
    beacon_size: str
    association: Literal["in-reach"] | Literal["exchange"]
    missed_beacons: int
    association_timeout: str
    roaming: Literal["stronger"] | Literal["lost"]
    roaming_margin: float
    roaming_beacons: int
    scan_time: str
    routing: Routing
    queue: int
    discipline: Literal["none"] | Queue
    lifetime: Literal["never"] | str
    routing_first: bool


class FileLteEnb(TypedDict, total=False):
    """An eNodeB."""

    name: str
    position: Required[Sequence[float]]
    power: str
    noise_figure: float


class FileLteRlc(TypedDict, total=False):
    """RLC, in both directions; default { mode = 'um' } with a buffer of 1 MB."""

    mode: Literal["um"] | Literal["am"]
    buffer: str
    pdcp_header: str
    reordering: str
    sequence_bits: int
    poll_retransmit: str
    poll_pdus: int
    poll_bytes: str
    retransmissions: int
    status_prohibit: str


class FileLteUplink(TypedDict, total=False):
    """The uplink; default as below."""

    frequency: str
    power: str
    request_period: str
    grants: Literal["requested"] | Literal["shares"]
    first_grant: str
    control_blocks: int
    qam64: bool
    noise_rise: float


class FileLteS1Queue(TypedDict, total=False):
    """Queue in front of the link; default { packets = 1000 }."""

    packets: int
    bytes: str
    bdp: float
    unlimited: bool


class FileLteS1(TypedDict, total=False):
    """Links between the gateway and each eNodeB; default as below."""

    rate: str
    delay: str
    queue: FileLteS1Queue


class FileLte(TypedDict, total=False):
    """An LTE network: one carrier, its eNodeBs and UEs, and the core network between them and a gateway."""

    name: str
    gateway: Required[str]
    ue: Required[Sequence[str]]
    enb: Required[Sequence[FileLteEnb]]
    profile: Literal["3gpp"] | Literal["ns3"]
    bandwidth: Literal["1.4MHz"] | Literal["3MHz"] | Literal["5MHz"] | Literal["10MHz"] | Literal["15MHz"] | Literal["20MHz"]
    blocks: int
    granularity: Literal["blocks"] | Literal["groups"] | Literal["whole-groups"]
    allocation: Literal["needed"] | Literal["full"]
    control_symbols: int
    mimo: float
    scheduler: Literal["round-robin"] | Literal["proportional-fair"] | Literal["max-ci"]
    scheduler_window: int
    propagation: Propagation
    frequency: str
    tx_gain: float
    rx_gain: float
    system_loss: float
    antenna_height: float
    minimum_distance: float
    light_speed: float
    shadowing: float
    fading: LteFading
    ue_noise_figure: float
    error_model: Literal["capacity"] | Literal["miesm"] | Literal["miesm-ns3"]
    idle_interference: bool
    control_errors: bool
    noise_density: float
    error_gap: float
    error_slope: float
    cqi_period: str
    cqi_delay: str
    link_adaptation: Literal["capacity"] | Literal["miesm"] | Literal["piro"]
    cqi_of: Literal["wideband"] | Literal["sub-band"]
    transmissions: int
    processing: str
    separate_status_block: bool
    rlc: FileLteRlc
    uplink: FileLteUplink
    s1: FileLteS1
    handover: Handover


class File(TypedDict, total=False):
    """A scenario of ackclock: a network, flows over it, and changes while it runs."""

    duration: Required[str]
    seed: int
    allow: Sequence[str]
    node: Sequence[Node]
    link: Sequence[Link]
    wifi: Sequence[FileWifi]
    lte: Sequence[FileLte]
    flow: Sequence[Flow]
    event: Sequence[Event]
    control: Sequence[Control]


Arrivals: TypeAlias = "PoissonArrivals | GivenArrivals"
Fading: TypeAlias = "NoneFading | RayleighFading | NakagamiFading | LogNormalFading"
Gateway: TypeAlias = "IntelligentGateway | PreAckGateway | SnoopGateway | SplitGateway"
Handover: TypeAlias = "NoneHandover | A3Handover"
Jitter: TypeAlias = "UniformJitter | ExponentialJitter | NormalJitter"
Loss: TypeAlias = "RandomLoss | BitErrorLoss | GilbertElliottLoss | ListLoss | PeriodicLoss | TraceLoss"
LteFading: TypeAlias = "NoneLteFading | EpaLteFading | EvaLteFading | EtuLteFading"
Mobility: TypeAlias = "ConstantMobility | RandomWalkMobility | RandomDestinationMobility | RandomWaypointMobility | GaussMarkovMobility | SetdestMobility | BonnmotionMobility"
Placement: TypeAlias = "GridPlacement | DiscPlacement | UniformPlacement"
Propagation: TypeAlias = "FriisPropagation | TwoRayPropagation | LogDistancePropagation | RangePropagation | OkumuraHataPropagation | Cost231Propagation"
Queue: TypeAlias = "DroptailQueue | HeadDropQueue | RedQueue | CodelQueue | FqCodelQueue | PieQueue | TokenBucketQueue | TxRingQueue | PriorityQueue"
RateControl: TypeAlias = "ConstantRateControl | ArfRateControl | IdealRateControl | MinstrelHtRateControl"
Reception: TypeAlias = "CaptureReception | SinrReception"
Routing: TypeAlias = "DirectRouting | FewestHopsRouting | TableRouting | AodvRouting | DsdvRouting | OlsrRouting | HwmpRouting"
Sizes: TypeAlias = "ConstantSizes | ExponentialSizes | ParetoSizes | LogNormalSizes | WebSearchSizes | DataMiningSizes | WebPagesSizes | EmpiricalSizes"
Times: TypeAlias = "ConstantTimes | ExponentialTimes | ParetoTimes"
Traffic: TypeAlias = "FtpTraffic | CbrTraffic | OnOffTraffic | VideoTraffic | SessionsTraffic"
