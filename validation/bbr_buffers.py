"""Compares the share of BBR beside CUBIC, by buffer, with the model of Ware et al. (IMC 2019) and with Linux 6.12.

The model assumes that the buffer is always full. BBR has two bandwidth-delay products in flight, computed with the
round-trip time that probe-rtt sees, which includes CUBIC's part of the buffer. So CUBIC has the share

    p = 1/2 - 1 / (2 X) - 4 N / q

of the link, where X is the buffer in bandwidth-delay products, q in packets, and N the number of BBR flows. In reality
the buffer is not full after each window reduction of CUBIC. BBR then measures a shorter round-trip time in probe-rtt
and gets a smaller share, so the model is an upper bound of BBR's share.
"""

from __future__ import annotations

from dataclasses import replace
from statistics import fmean

from validation import ours
from validation.check import Check
from validation.linux import mine, recorded
from validation.linux.cells import CELLS, Link

GROUP = "BBR beside CUBIC"
PRODUCT = 10e6 * 0.040 / 8 / 1500
"""Bandwidth-delay product, packets."""
SEEDS = 3
NEAR = 0.10
"""Greatest relative difference of the share from the kernel's that passes."""


def bound(buffer: int) -> float:
    """Return the share of one BBR flow by the model, for a buffer in packets."""
    return 0.5 + PRODUCT / (2 * buffer) + 4 / buffer


def share(buffer: int, profile: str) -> float:
    """Return BBR's share as the mean of three runs of 120 s over 10 Mb/s and 40 ms."""
    pair = CELLS["pair.A67.cubic+bbr"]
    document = mine.document(replace(pair, link=Link(10_000_000, 20_000, buffer)))
    for flow in document["flow"]:
        flow["tcp"]["profile"] = profile
    runs = ours.run_many([(document, 2 + seed, 0.0) for seed in range(SEEDS)])
    goodput = [[flow["goodput_bps"] for flow in run.flows] for run in runs]
    return fmean(bbr / (cubic + bbr) for cubic, bbr in goodput)


def checks() -> list[Check]:
    """Compare the shares with those of the kernel and of the model, for buffers of 2 to 16 bandwidth-delay products."""
    kernel = recorded.flows()
    found = []
    for times in (2, 4, 8, 16):
        buffer = round(times * PRODUCT)
        model = bound(buffer)
        for profile in ("linux", "rfc"):
            here = share(buffer, profile)
            found.append(
                Check(
                    GROUP,
                    f"{times} BDP, profile {profile}: share, bounded by the model",
                    f"at most {model:.2f} (Ware et al. 2019)",
                    f"{here:.2f}",
                    here <= model,
                )
            )
            cell = f"pair.A{buffer}.cubic+bbr"
            if profile == "linux" and cell in kernel:
                cubic, bbr = (flow.goodput_bps for flow in kernel[cell])
                theirs = bbr / (cubic + bbr)
                near = abs(here / theirs - 1) <= NEAR
                found.append(
                    Check(
                        GROUP,
                        f"{times} BDP, profile linux: share",
                        f"{theirs:.2f} +- 10 % (Linux 6.12)",
                        f"{here:.2f}",
                        near,
                    )
                )
    return found
