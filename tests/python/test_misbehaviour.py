"""Receivers that misbehave in whole runs: what counts as goodput, what completes, and where they are refused."""

from __future__ import annotations

from typing import Any

import pytest

import ackclock as ac
from ackclock.errors import ScenarioError


def _flow(tcp: dict[str, Any], *, loss: float = 0.0, size: str = "", profile: str = "rfc") -> dict[str, Any]:
    """Return the results of one flow of newreno over 10 Mb/s and 40 ms."""
    link: dict[str, Any] = {"between": ["a", "b"], "rate": "10Mbps", "delay": "20ms", "queue": 200}
    if loss:
        link["loss"] = {"kind": "random", "rate": loss, "toward": "b"}
    traffic = {"kind": "ftp", **({"size": size} if size else {})}
    document = {
        "duration": "10s",
        "seed": 3,
        "link": [link],
        "flow": [
            {
                "from": "a",
                "to": "b",
                "traffic": traffic,
                "tcp": {"variant": "newreno", "profile": profile, "receive_window": 100, **tcp},
            }
        ],
    }
    found: dict[str, Any] = ac.Scenario(document).run().summary["flows"][0]
    return found


def test_goodput_counts_what_arrived_and_not_what_was_acknowledged() -> None:
    honest, cheat = _flow({}, loss=0.05), _flow({"conceal_losses": True}, loss=0.05)
    assert cheat["goodput_bps"] == 8 * cheat["delivered_bytes"] / cheat["interval_s"]
    assert cheat["delivered_bytes"] <= 1460 * cheat["received_packets"]
    assert cheat["acked_bytes"] > 1.03 * cheat["delivered_bytes"]
    assert cheat["goodput_bps"] > 2 * honest["goodput_bps"]
    assert cheat["retransmitted_packets"] == 0


def test_a_transfer_with_missing_bytes_is_not_complete() -> None:
    honest, cheat = (
        _flow({}, loss=0.05, size="500kB"),
        _flow({"conceal_losses": True}, loss=0.05, size="500kB"),
    )
    assert honest["fct_s"] is not None
    assert honest["delivered_bytes"] == 500_000
    assert cheat["fct_s"] is None
    assert cheat["acked_bytes"] == 500_000
    assert cheat["delivered_bytes"] < 500_000
    whole = _flow({"conceal_losses": True}, size="500kB")
    assert whole["fct_s"] is not None
    assert whole["delivered_bytes"] == 500_000


def test_divided_acknowledgments_help_only_where_acknowledgments_are_counted() -> None:
    size, cheat = "100kB", {"ack_division": 10}
    honest, bytewise = _flow({}, size=size), _flow(cheat, size=size)
    counted = _flow({**cheat, "count_parts_as_whole": True}, size=size)
    assert counted["fct_s"] < 0.85 * honest["fct_s"]
    # Each segment is acknowledged, which an honest receiver does for every second one only.
    undelayed = _flow({"delayed_ack": False}, size=size)
    assert bytewise["fct_s"] == pytest.approx(undelayed["fct_s"], rel=0.05)
    assert bytewise["delivered_bytes"] == counted["delivered_bytes"] == 100_000


def test_optimistic_acknowledgments_shorten_a_transfer() -> None:
    honest, cheat = _flow({}, size="100kB"), _flow({"optimistic_acks": 60}, size="100kB")
    assert cheat["fct_s"] < 0.75 * honest["fct_s"]
    assert cheat["delivered_bytes"] == 100_000


@pytest.mark.parametrize("control", ["reno", "cubic", "bbr3", "vegas", "dctcp"])
def test_bytes_are_conserved(control: str) -> None:
    for cheat in (
        {"ack_division": 7},
        {"dupack_spoofing": 4},
        {"optimistic_acks": 8},
        {"conceal_losses": True},
    ):
        for profile in ("linux", "ns2"):
            flow = _flow({"variant": control, "receive_window": 64, **cheat}, loss=0.01, profile=profile)
            assert flow["acked_bytes"] <= flow["sent_bytes"] - flow["retransmitted_bytes"]
            assert 0 < flow["delivered_bytes"] <= flow["received_bytes"]
            lost = flow["lost_packets_total"]
            assert 0 <= flow["sent_packets"] - flow["received_packets"] - lost <= 200


def test_a_receiver_that_conceals_losses_has_no_writes() -> None:
    with pytest.raises(ScenarioError, match="never has all data") as caught:
        ac.Scenario(
            {
                "duration": "2s",
                "link": [{"between": ["a", "b"], "rate": "1Mbps", "delay": "1ms"}],
                "flow": [
                    {
                        "from": "a",
                        "to": "b",
                        "tcp": {"variant": "sack", "optimistic_acks": 3},
                        "traffic": {"kind": "cbr", "rate": "100kbps", "packet": "500B", "transport": "tcp"},
                    }
                ],
            }
        ).check()
    assert "optimistic_acks = 0" in str(caught.value)


def test_a_stack_has_no_receiver_of_ours() -> None:
    with pytest.raises(ScenarioError, match="ack_division"):
        ac.Scenario(
            {
                "duration": "2s",
                "link": [{"between": ["a", "b"], "rate": "1Mbps", "delay": "1ms"}],
                "flow": [{"from": "a", "to": "b", "tcp": {"variant": "quinn-cubic", "ack_division": 3}}],
            }
        ).check()
