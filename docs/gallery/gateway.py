"""
What a gateway is worth on a lossy last hop
===========================================

A path of 50 ms ends in a radio link that loses packets at random. A gateway repairs them near the receiver:
Snoop by sending cached segments again, split TCP with a connection of its own. The intelligent gateway of study huang
acknowledges ahead. If it forwards at once (pre-ack), only the receiver's window limits it. The sender uses SACK.

At 1 % of loss the goodput without a gateway is a fifth of that with pre-ack. Snoop hardly falls up to 1 %. Split TCP
and the intelligent gateway with a window of its own coincide, since both react to each loss. Pre-ack loses least. With
NewReno, recovery from slow start's overshoot ends in timeouts, which would hide what the gateway does.
"""

import matplotlib.pyplot as plt
import numpy as np

import ackclock as ac

plt.style.use(ac.plot.STYLE)

LOSS = (0.001, 0.003, 0.01, 0.02, 0.05)
SEEDS = (1, 2, 3, 4, 5)
LOOKS = {None: "o-", "snoop": "s-", "split": "^-", "intelligent": "v:", "pre-ack": "D-"}
for kind, look in LOOKS.items():
    jobs = []
    for p in LOSS:
        net = ac.Network()
        if kind:
            net.node("r1", gateway={"kind": kind})
        net.link("n0", "r1", rate="10Mbps", delay="40ms", queue=100)
        net.link("r1", "n2", rate="5Mbps", delay="10ms", queue=50, loss=p)
        net.flow("n0", "n2", variant="sack")
        jobs += [(net.scenario("60s"), seed, 0.0) for seed in SEEDS]
    goodput = [run.summary["flows"][0]["goodput_bps"] / 1e6 for run in ac.runs.run_many(jobs)]
    plt.semilogx(LOSS, np.reshape(goodput, (len(LOSS), -1)).mean(axis=1), look, label=kind or "no gateway")
plt.xlabel("loss probability on the last hop")
plt.ylabel("goodput, mean of 5 runs (Mb/s)")
plt.ylim(0, None)
plt.legend()
