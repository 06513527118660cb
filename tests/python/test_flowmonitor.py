"""FlowMonitor's XML, read in the way of scripts for ns-3."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

import ackclock as ac


@pytest.fixture(scope="module")
def both(tmp_path_factory):
    """Return a run over two hops with losses, and its XML."""
    net = ac.Network()
    net.link("a", "r", rate="10Mbps", delay="2ms")
    net.link("r", "b", rate="1Mbps", delay="20ms", queue={"kind": "droptail", "packets": 10})
    net.flow("a", "b", variant="newreno")
    net.flow("a", "b", traffic={"kind": "cbr", "rate": "300kbps", "packet": "500B"})
    run = net.run("20s", seed=3)
    folder = tmp_path_factory.mktemp("flowmonitor") / "out"
    run.save(folder, traces=["flowmonitor"])
    return run.summary, ElementTree.parse(folder / "flowmonitor.xml").getroot()


def _ns(text: str) -> int:
    """Return a time in ns in the way of ns-3's oldest scripts, which cut off the last four characters."""
    assert text.startswith("+")
    assert text.endswith(".0ns")
    return int(text[:-4])


def test_statistics_are_those_of_the_run(both):
    summary, root = both
    classifier = {flow.get("flowId"): flow for flow in root.findall("Ipv4FlowClassifier/Flow")}
    statistics = {flow.get("flowId"): flow for flow in root.findall("FlowStats/Flow")}
    assert list(statistics) == ["1", "2", "3"]
    assert [classifier[i].get("protocol") for i in statistics] == ["6", "17", "6"]
    for number, flow in zip(("1", "2"), summary["flows"], strict=True):
        found = statistics[number]
        assert int(found.get("txPackets")) == flow["sent_packets"]
        assert int(found.get("rxPackets")) == flow["received_packets"]
        assert int(found.get("rxBytes")) == flow["received_bytes"]
        assert int(found.get("lostPackets")) == flow["lost_packets_total"]
        # Each delivered packet was forwarded once, since the path has two hops.
        assert found.get("timesForwarded") == found.get("rxPackets")
        received = int(found.get("rxPackets"))
        assert _ns(found.get("delaySum")) * 1e-9 / received == pytest.approx(flow["delay_mean_s"])
        assert _ns(found.get("jitterSum")) * 1e-9 / (received - 1) == pytest.approx(flow["jitter_mean_s"])
        seconds = (_ns(found.get("timeLastRxPacket")) - _ns(found.get("timeFirstRxPacket"))) * 1e-9
        assert int(found.get("rxBytes")) * 8 / seconds == pytest.approx(flow["flowmonitor_throughput_bps"])
        queue = [int(d.get("number")) for d in found.findall("packetsDropped") if d.get("reasonCode") == "3"]
        assert sum(queue) == flow["lost_packets"]["queue"]


def test_histograms_hold_every_packet(both):
    for flow in both[1].findall("FlowStats/Flow"):
        received = int(flow.get("rxPackets"))
        for name, count in (("delay", received), ("jitter", received - 1), ("packetSize", received)):
            histogram = flow.find(f"{name}Histogram")
            bins = histogram.findall("bin")
            assert sum(int(b.get("count")) for b in bins) == count
            assert int(histogram.get("nBins")) == int(bins[-1].get("index")) + 1
            for b in bins:
                start = int(b.get("index")) * float(b.get("width"))
                assert float(b.get("start")) == pytest.approx(start)


def test_each_probe_saw_what_passed(both):
    probes = both[1].findall("FlowProbes/FlowProbe")
    seen = [{f.get("flowId"): int(f.get("packets")) for f in probe.findall("FlowStats")} for probe in probes]
    statistics = {flow.get("flowId"): flow for flow in both[1].findall("FlowStats/Flow")}
    for number, source, target in (("1", 0, 2), ("2", 0, 2), ("3", 2, 0)):
        assert seen[source][number] == int(statistics[number].get("txPackets"))
        assert seen[target][number] == int(statistics[number].get("rxPackets"))
