"""
Dossiers of four controls
=========================

``ackclock evaluate`` sets a control beside baselines by the criteria of RFC 9743. Here are two of them for CUBIC, BBR
version 3, Vegas, and a control that ignores losses. The baseline is Reno.

Left, the harm to one Reno flow: the part of its goodput alone that it loses beside the control. Beside itself Reno has
a harm of 0.5 (dashed). Vegas does less harm, BBR more in buffers of up to one bandwidth-delay product, and the bad
control takes almost all. Right, the packets that 8 flows lose in a shallow buffer: BBR 3 %, the bad control more than
half.
"""

import tempfile
from pathlib import Path

import matplotlib.pyplot as plt

import ackclock as ac

plt.style.use(ac.plot.STYLE)

BAD = """
import ackclock as ac


class NoBackoff(ac.Control):
    def on_ack(self, ack):
        self.cwnd += ack.count if self.cwnd < self.ssthresh else ack.count / self.cwnd

    def on_congestion(self, loss):
        if loss.timeout:
            self.cwnd = 1.0
"""

file = Path(tempfile.mkdtemp()) / "bad.py"
file.write_text(BAD)
controls = {"cubic": "cubic", "bbr3": "bbr3", "vegas": "vegas", "no backoff": f"{file}:NoBackoff"}
figure, (left, right) = plt.subplots(1, 2, figsize=(9, 4))
for place, (label, control) in enumerate(controls.items()):
    found = ac.evaluate.evaluate(control, baseline="reno", quick=True, only=["mixed", "high-loss"])
    harms = {
        float(one.case.key.split("-")[3]): one.harm.subject
        for one in found.judged
        if one.metric.name == "other_goodput_bps"
    }
    left.plot(list(harms), list(harms.values()), "o-", label=label)
    loss = next(one for one in found.judged if one.metric.name == "loss_ratio")
    right.errorbar(place, 100 * loss.subject.mean, yerr=100 * loss.subject.half_width, fmt="o", label=label)
left.axhline(0.5, color="k", linestyle="--")
left.set(
    xlabel="buffer (bandwidth-delay products)", ylabel="harm to Reno's goodput", ylim=(0, 1.05), xscale="log"
)
left.set_xticks(list(harms), [f"{one:g}" for one in harms])
left.minorticks_off()
left.legend(loc="center", bbox_to_anchor=(0.72, 0.29))
right.set_xticks(range(len(controls)), controls)
right.set(ylabel="loss (%), 8 flows, 0.25 BDP", yscale="log")
