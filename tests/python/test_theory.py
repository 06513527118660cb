"""Closed forms are compared with published values, with numbers computed by hand, and with the simulator."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

import ackclock as ac
from ackclock import theory


@pytest.mark.parametrize(("loss", "window"), [(1e-3, 38.7), (1e-4, 187), (1e-5, 1054), (1e-6, 5926)])
def test_cubic_has_the_windows_of_rfc_9438(loss: float, window: float) -> None:
    """The windows are those of the table in RFC 9438, section 5.2, for C = 0.4 and an RTT of 0.1 s."""
    assert theory.cubic(loss, 0.1) * 0.1 == pytest.approx(window, rel=3e-3)


def test_mathis_is_aimd_of_a_half_and_a_gentler_decrease_sends_more() -> None:
    assert theory.aimd(0.01, 0.1) == pytest.approx(theory.mathis(0.01, 0.1))
    assert theory.mathis(0.01, 0.1) * 0.1 == pytest.approx(math.sqrt(150))
    assert theory.aimd(0.01, 0.1, decrease=0.7) == pytest.approx(math.sqrt(1.7 / 0.006) / 0.1)
    assert theory.mathis(0.01, 0.1, b=2) == pytest.approx(theory.mathis(0.01, 0.1) / math.sqrt(2))


def test_the_constant_for_random_losses_is_the_one_tabulated() -> None:
    assert theory.mathis_constant_random() == pytest.approx(1.31, abs=0.005)


def test_pftk_meets_mathis_at_few_losses_and_the_window_limit_at_fewer() -> None:
    assert theory.pftk(1e-6, 0.1, 0.2) == pytest.approx(theory.mathis(1e-6, 0.1), rel=0.01)
    assert theory.pftk(1e-6, 0.1, 0.2, max_window=20) == pytest.approx(200, rel=0.02)
    assert theory.pftk(0.1, 0.1, 1.0) < 0.5 * theory.mathis(0.1, 0.1)


def test_queues() -> None:
    assert theory.md1_wait(0.5, 1e-3) == pytest.approx(0.5e-3)
    assert theory.mg1_wait(0.5, 1e-3, 1.0) == pytest.approx(1e-3)
    assert theory.vegas(0.02, alpha=2) == pytest.approx(100)


@pytest.mark.parametrize(("stations", "share"), [(1, 0.02), (5, 0.03)])
def test_bianchi_meets_saturated_stations(stations: int, share: float) -> None:
    """The model is compared with saturated 802.11a stations at one place, which send to the access point."""
    run = saturated(stations).run()
    measured = sum(flow["goodput_bps"] for flow in run.summary["flows"])
    model = theory.bianchi(stations, 8 * 1472, theory.Dcf.of("a", 54e6, 1500))
    assert measured == pytest.approx(model, rel=share)
    found = run.theory("bianchi")
    assert sum(one.predicted_bps for one in found) == pytest.approx(model)
    assert len(found) == stations


def saturated(stations: int, rate: str = "40Mbps", **wifi: object) -> ac.Scenario:
    names = [f"s{i}" for i in range(stations)]
    document = {
        "duration": "6s",
        "node": [{"name": name, "position": [1, 0]} for name in ("ap", *names)],
        "wifi": [{"standard": "a", "stations": ["ap", *names], "access_point": "ap", **wifi}],
        "flow": [
            {
                "from": name,
                "to": "ap",
                "traffic": {"kind": "cbr", "rate": rate, "packet": "1472B"},
            }
            for name in names
        ],
    }
    return ac.Scenario(document)


@pytest.mark.parametrize(
    ("rate", "wifi"), [("1Mbps", {}), ("40Mbps", {"rts_threshold": "0B"}), ("40Mbps", {"standard": "n"})]
)
def test_bianchi_is_silent_where_its_assumptions_do_not_hold(rate: str, wifi: dict[str, object]) -> None:
    assert saturated(2, rate, **wifi).run("1s").theory("bianchi") == []


def test_bianchi_takes_the_settings_of_the_network() -> None:
    """The model uses the network's CWmin of 63 and its control rate of 6 Mb/s."""
    scenario = saturated(3, cw_min=63, response_rates=["6Mbps"])
    times = replace(theory.Dcf.of("a", 54e6, 1500, answer_bps=6e6), cw_min=63)
    found = scenario.run("4s").theory("bianchi")
    assert [one.predicted_bps for one in found] == pytest.approx([theory.bianchi(3, 8 * 1472, times) / 3] * 3)
    assert sum(one.measured_bps for one in found) == pytest.approx(
        sum(one.predicted_bps for one in found), rel=0.03
    )


def test_a_run_is_held_against_the_models() -> None:
    """Reno with 0.5 % random loss is within 20 % of PFTK; the residual is the relative difference."""
    scenario = ac.scenario.chain(
        1, variants=["sack"], rate="100Mbps", delay="50ms", queue=1000, loss=0.005, duration="200s"
    )
    found = {one.model: one for one in scenario.run(seed=1).theory()}
    assert set(found) == set(theory.MODELS)  # bianchi is not a model of one flow
    assert abs(found["pftk"].residual) < 0.2
    assert found["mathis"].loss == pytest.approx(0.005, rel=0.2)
    with pytest.raises(ac.UserError, match="did you mean pftk"):
        scenario.run("1s").theory("pftq")


def test_the_figure_draws_models_and_residuals() -> None:
    run = ac.load("dumbbell").run("60s")
    figure = run.plot.theory(models=["mathis", "pftk"])
    rates, residuals = figure.axes
    assert [text.get_text() for text in rates.get_legend().get_texts()] == [
        "newreno",
        "vegas",
        "mathis",
        "pftk",
    ]
    found = run.theory("mathis", "pftk")
    drawn = sorted(float(line.get_ydata()[0]) for line in residuals.get_lines() if len(line.get_ydata()) == 1)
    assert drawn == pytest.approx(sorted(100 * one.residual for one in found))
    with pytest.raises(ac.UserError, match="models have no rate for any of these flows"):
        ac.dumbbell(duration="1s", queue=1000).run().plot.theory()
