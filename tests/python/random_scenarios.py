"""Random scenarios that run; they have any control, queue, loss and traffic over wired, 802.11 and LTE networks."""

from __future__ import annotations

import random

SINGLE = (
    *("tahoe", "reno", "newreno", "sack", "fack", "vegas", "rack", "bbr", "bbr3", "westwood", "westwood+"),
    *("tcpw-i", "veno", "cubic", "dctcp", "bic", "htcp", "hybla", "illinois", "scalable", "highspeed"),
    *("yeah", "lp", "compound", "ledbat", "copa", "nv", "cdg", "tcp-linux-cubic", "tcp-linux-vegas"),
)
CONTROLS = ("reno", "cubic", "vegas", "bbr", "westwood+", "htcp", "illinois")
RECOVERIES = ("reno", "newreno", "sack", "rack", "fack")


def scenario(seed: int) -> str:
    """Return a random scenario as the text of a file; equal seeds give equal texts."""
    draw = random.Random(f"scenario {seed}")
    network = draw.choice((dumbbell, dumbbell, chain, wlan, adhoc, cell))
    return f'duration = "{draw.choice((1, 2, 4))}s"\nseed = {draw.randrange(1 << 40)}\n' + network(draw)


def variant(draw: random.Random) -> str:
    if draw.random() < 0.3:
        return f"{draw.choice(RECOVERIES)}+{draw.choice(CONTROLS)}"
    return draw.choice(SINGLE)


def tcp(draw: random.Random) -> str:
    parts = [f'variant = "{variant(draw)}"']
    if draw.random() < 0.5:
        parts.append(f'profile = "{draw.choice(("rfc", "linux", "ns2", "ns3"))}"')
    if draw.random() < 0.3:
        parts.append(f"max_window = {draw.choice((8, 20, 64))}")
    if draw.random() < 0.3:
        parts.append(f"delayed_ack = {draw.choice(('true', 'false'))}")
    if draw.random() < 0.2:
        parts.append(f'ecn = "{draw.choice(("classic", "dctcp"))}"')
    return f"tcp = {{ {', '.join(parts)} }}"


def traffic(draw: random.Random) -> str:
    kind = draw.randrange(6)
    rate, size = f"{draw.choice((64, 300, 900))}kbps", f"{draw.choice((160, 700, 1400))}B"
    if kind == 0:
        return f'traffic = {{ kind = "cbr", rate = "{rate}", packet = "{size}" }}'
    if kind == 1:
        shape = draw.choice(('distribution = "exponential"', 'distribution = "pareto", shape = 1.5'))
        times = f'on = "0.2s", off = "0.1s", {shape}'
        return f'traffic = {{ kind = "on-off", rate = "{rate}", packet = "{size}", {times} }}'
    if kind == 2:
        return f'traffic = {{ kind = "ftp", size = "{draw.randrange(3, 900)}kB" }}\n{tcp(draw)}'
    return tcp(draw)


def flow(draw: random.Random, source: str, destination: str) -> str:
    start = draw.choice(("0s", "0.1s", "0.37s"))
    return f'[[flow]]\nfrom = "{source}"\nto = "{destination}"\nstart = "{start}"\n{traffic(draw)}\n'


def queue(draw: random.Random) -> str:
    limit = draw.choice(("packets = 7", "packets = 50", 'bytes = "64KiB"'))
    kinds = (
        f'kind = "droptail", {limit}',
        f'kind = "head-drop", {limit}',
        f'kind = "red", {limit}, ecn = {draw.choice(("true", "false"))}',
        f'kind = "codel", {limit}',
        f'kind = "fq-codel", {limit}',
        f'kind = "pie", {limit}',
        f'kind = "token-bucket", rate = "1Mbps", burst = "10kB", queue = {{ kind = "droptail", {limit} }}',
        f'kind = "priority", bands = [{{ kind = "droptail" }}, {{ kind = "droptail", {limit} }}]',
    )
    return f"queue = {{ {draw.choice(kinds)} }}"


def impairments(draw: random.Random) -> str:
    losses = (
        f'loss = {{ kind = "random", rate = {draw.choice((0.001, 0.02))} }}',
        f'loss = {{ kind = "bit-error", rate = {draw.choice((1e-7, 1e-6))} }}',
        'loss = { kind = "gilbert-elliott", p = 0.005, r = 0.3 }',
        f'loss = {{ kind = "periodic", every = {draw.randrange(20, 300)} }}',
        'loss = { kind = "list", packets = [3, 14, 28] }',
    )
    jitters = (
        'jitter = { kind = "uniform", max = "4ms" }',
        'jitter = { kind = "exponential", mean = "1ms" }',
        'jitter = { kind = "normal", mean = "3ms", deviation = "1ms" }',
    )
    others = ('reorder = { rate = 0.01, delay = "5ms" }', "duplicate = { rate = 0.01 }")
    chosen = [draw.choice(kinds) for kinds in (losses, jitters, others) if draw.random() < 0.35]
    return "\n".join(chosen)


def link(draw: random.Random, a: str, b: str, rate: str) -> str:
    delay = f"{draw.choice((0.5, 3, 10, 40))}ms"
    head = f'[[link]]\nbetween = ["{a}", "{b}"]\nrate = "{rate}"\ndelay = "{delay}"'
    return f"{head}\n{queue(draw)}\n{impairments(draw)}\n"


def change(draw: random.Random, number: int) -> str:
    if draw.random() > 0.3:
        return ""
    settings = (("rate", '"700kbps"'), ("delay", '"25ms"'), ("up", "false"))
    setting, value = draw.choice(settings)
    return f'[[event]]\nat = "0.7s"\nset = "link.{number}.{setting}"\nto = {value}\n'


def dumbbell(draw: random.Random) -> str:
    ends = draw.randrange(1, 5)
    bottleneck = f"{draw.choice((0.5, 2, 8, 30))}Mbps"
    text = link(draw, "left", "right", bottleneck)
    for i in range(ends):
        text += link(draw, f"a{i}", "left", "100Mbps") + link(draw, "right", f"b{i}", "100Mbps")
    text += change(draw, 0)
    flows = [flow(draw, f"a{i}", f"b{i}") for i in range(ends)]
    if draw.random() < 0.3:
        flows.append(flow(draw, "b0", "a0"))
    return text + "".join(flows)


def chain(draw: random.Random) -> str:
    hops = draw.randrange(1, 5)
    text = "".join(link(draw, f"n{i}", f"n{i + 1}", f"{draw.choice((1, 5, 20))}Mbps") for i in range(hops))
    if draw.random() < 0.3 and hops > 1:
        text = f'[[node]]\nname = "n1"\ngateway = {{ kind = "{draw.choice(("snoop", "split"))}" }}\n' + text
    return (
        text
        + change(draw, draw.randrange(hops))
        + "".join(flow(draw, "n0", f"n{hops}") for _ in range(draw.randrange(1, 4)))
    )


def place(name: str, x: float, y: float) -> str:
    return f'[[node]]\nname = "{name}"\nposition = [{x}, {y}, 1.5]\n'


def wlan(draw: random.Random) -> str:
    stations = [f"s{i}" for i in range(draw.randrange(1, 5))]
    text = place("ap", 0, 0)
    text += "".join(place(name, draw.uniform(-20, 20), draw.uniform(-20, 20)) for name in stations)
    text += link(draw, "server", "ap", "50Mbps")
    listed = ", ".join(f'"{name}"' for name in ("ap", *stations))
    text += f'[[wifi]]\nstandard = "{draw.choice("bganx")}"\nstations = [{listed}]\naccess_point = "ap"\n'.replace(
        '"x"', '"ac"'
    )
    for name in stations:
        ends = ("server", name) if draw.random() < 0.6 else (name, "server")
        text += flow(draw, *ends)
    return text


def adhoc(draw: random.Random) -> str:
    names = [f"n{i}" for i in range(draw.randrange(2, 6))]
    text = "".join(place(name, 180 * i, draw.uniform(-30, 30)) for i, name in enumerate(names))
    listed = ", ".join(f'"{name}"' for name in names)
    routing = draw.choice(("aodv", "dsdv", "olsr", "fewest-hops"))
    text += f'[[wifi]]\nstandard = "b"\nprofile = "ns2"\nrate = "11Mbps"\nstations = [{listed}]\n'
    return text + f'routing = {{ kind = "{routing}" }}\n' + flow(draw, names[0], names[-1])


def cell(draw: random.Random) -> str:
    phones = [f"u{i}" for i in range(draw.randrange(1, 4))]
    text = "".join(place(name, draw.uniform(50, 500), draw.uniform(-200, 200)) for name in phones)
    text += link(draw, "server", "agw", "200Mbps")
    listed = ", ".join(f'"{name}"' for name in phones)
    text += f'[[lte]]\ngateway = "agw"\nue = [{listed}]\nenb = [{{ name = "enb1", position = [0, 0, 30] }}]\n'
    text += f'bandwidth = "{draw.choice((5, 10))}MHz"\nscheduler = "{draw.choice(("proportional-fair", "max-ci"))}"\n'
    return text + "".join(flow(draw, "server", name) for name in phones)
