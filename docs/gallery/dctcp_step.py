"""
DCTCP and its marking step
==========================

The queue in one second of a run. DCTCP cuts its window in proportion to the share of marked packets.

With a marking threshold of 20 packets it holds the queue between 15 and 22. Reno with ECN halves its window at the
first mark: its queue swings between empty and full, and the link idles while the queue is empty.
"""

import matplotlib.pyplot as plt
import polars

import ackclock as ac

plt.style.use(ac.plot.STYLE)

K = 20  # packets
STEP = {"kind": "red", "packets": 200, "min": K, "max": K, "weight": 1, "gentle": False, "drop_above": False}
for variant, tcp in (("reno", {"ecn": "classic"}), ("dctcp", None)):
    scenario = ac.dumbbell([variant], rate="100Mbps", delay="0.5ms", access_rate="1Gbps", queue=STEP, tcp=tcp)
    run = scenario.run("6s", traces=["queue"])
    queue = run.trace("queue").to_polars()
    queue = queue.filter((polars.col("place") == "r0>r1") & polars.col("time_s").is_between(5.0, 6.0))
    plt.step(queue["time_s"], queue["packets"], where="post", linewidth=0.7, label=variant)
plt.axhline(K, color="gray", linestyle=":", label="marking threshold")
plt.xlabel("time (s)")
plt.ylabel("queue (packets)")
plt.ylim(0, 27)
plt.legend(loc="upper center", ncols=3)
