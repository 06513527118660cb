"""Axes of sweeps name a quantity and its unit, never the path of a setting."""

from __future__ import annotations

import pytest

import ackclock as ac
from ackclock.report.sweep_figures import figures
from ackclock.sweeps import Axis
from ackclock.sweeps.view import View, scale_of
from ackclock.sweeps.words import in_words, with_unit


@pytest.mark.parametrize(
    ("path", "unit", "words"),
    [
        ("link.bottleneck.queue", "BDP", "bottleneck buffer (BDP)"),
        ("link.bottleneck.queue.packets", "", "bottleneck buffer (packets)"),
        ("link.0.rate", "Mb/s", "rate of link 0 (Mb/s)"),
        ("link.*.loss", "", "loss probability"),
        ("link.up.reverse.delay", "ms", "up reverse delay (ms)"),
        ("link.up.queue.kind", "", "up queue discipline"),
        ("flow.*.tcp.variant", "", "variant"),
        ("flow.voice.traffic.rate", "kb/s", "voice rate (kb/s)"),
        ("flow.*.tcp.max_window", "", "max window (segments)"),
        ("lte.cell.rlc.buffer", "kB", "cell rlc buffer (kB)"),
        ("duration", "s", "duration (s)"),
    ],
)
def test_a_setting_in_words(path: str, unit: str, words: str) -> None:
    assert with_unit(path, unit) == words
    assert in_words(path) == words.split(" (")[0]


def test_bandwidth_delay_products_are_numbers() -> None:
    scale = scale_of(("0.5bdp", "1bdp", "16BDP"))
    assert (scale.places, scale.unit, scale.log) == ((0.5, 1.0, 16.0), "BDP", True)
    assert not scale_of(("1bdp", "codel")).numeric


def test_buffers_in_products_have_a_line_and_a_logarithmic_axis() -> None:
    scenario = ac.dumbbell(["bbr", "cubic"], rate="5Mbps", delay="20ms", duration="2s")
    path = "link.bottleneck.queue"
    found = ac.sweep(scenario, {path: ["0.5bdp", "2bdp", "8bdp"]}, reps=2)
    view = View.of([Axis(path, ("0.5bdp", "2bdp", "8bdp"))], "goodput_bps")
    assert view is not None
    drawn, shares = figures(found, view)
    assert (shares.key, shares.log_x) == ("goodput_share", True)
    assert drawn.x_label == "bottleneck buffer (BDP)"
    assert drawn.log_x
    assert [series.kind for series in drawn.panels[0].series] == ["curve"]
    assert drawn.panels[0].series[0].x == (0.5, 2.0, 8.0)
    assert not any("." in panel.y_label.split("\n")[0] for panel in drawn.panels)
