"""
Ground truth against guess: what did the sender take each loss for?
===================================================================

On a radio path losses are noise. The simulator knows the cause of each loss, and what the sender took it for. A
bar is the share of a sender's reactions to random losses that treat the loss as congestion.

NewReno and Westwood take every random loss for congestion. TCPW-I is wrong in less than half of the reactions, Veno in
one of twenty.
"""

import matplotlib.pyplot as plt
import numpy as np
import polars

import ackclock as ac

plt.style.use(ac.plot.STYLE)

VARIANTS = ("newreno", "westwood", "tcpw-i", "veno")
rows = []
for variant in VARIANTS:
    run = ac.dumbbell([variant], rate="5Mbps", delay="30ms", queue=25, loss=0.005).run("120s")
    rows.append(run.loss_reactions.to_polars().with_columns(variant=polars.lit(variant)))
counts = polars.concat(rows).filter(polars.col("found_by") != "timeout")
x = np.arange(len(VARIANTS))
truths = counts["actual_cause"].unique().sort().to_list()
for i, truth in enumerate(truths):
    share = []
    for variant in VARIANTS:
        mine = counts.filter((polars.col("variant") == variant) & (polars.col("actual_cause") == truth))
        total = mine["count"].sum()
        judged = mine.filter(polars.col("inferred_cause") == "congestion")["count"].sum()
        share.append(100 * judged / total if total else 0)
    plt.bar(x + 0.28 * (i - (len(truths) - 1) / 2), share, 0.26, label=f"actual cause: {truth}")
plt.xticks(x, VARIANTS)
plt.ylabel("reactions that took the loss for congestion (%)")
plt.ylim(0, 125)
plt.legend(loc="upper right", ncols=2)
